//! The meaning of answers: named cases, and every status with every kind of body against a second opinion.

use std::fmt::Write as _;

use proptest::prelude::*;

use crate::api::outcome::{Lost, NotSent, Observed, Outcome, Reply, Sent, Signal, judge};
use crate::size::cases;

const SENT: Sent<'_> =
    Sent { order_number: "ORD-1", body: b"{}", at_ms: 1_763_700_000_000, order_created_ms: 1_763_600_000_000 };

fn reply(status: u16, body: &str) -> Observed {
    Observed::Reply(Reply { status, body: body.as_bytes().to_vec(), ..Reply::default() })
}

/// The outcome in a word.
fn word(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Booked(_) => "booked",
        Outcome::Rejected { .. } => "rejected",
        Outcome::Refused { .. } => "refused",
        Outcome::Waiting { .. } => "waiting",
        Outcome::InDoubt { .. } => "in doubt",
    }
}

fn check(status: u16, body: &str, expected: &str) {
    let verdict = judge(&reply(status, body), &SENT);
    assert_eq!(word(&verdict.outcome), expected, "{status} {body}");
}

#[test]
fn a_booking_is_an_awb_without_an_error() {
    for (body, expected) in [
        (r#"{"orderId":"1","awb":"AWB1","shipmentPurchaseError":null}"#, "booked"),
        (r#"{"awb":"AWB1"}"#, "booked"),
        (r#"{"awb":"AWB1","shipmentPurchaseError":""}"#, "booked"),
        (r#"{"awb":"AWB1","shipmentPurchaseError":{}}"#, "booked"),
        (r#"{"awb":" AWB1 ","surprise":[1,{"awb":"x"}]}"#, "booked"),
        (r#"{"awb":"AWB1","shipmentPurchaseError":"no"}"#, "in doubt"),
        (r#"{"awb":null,"shipmentPurchaseError":"no"}"#, "rejected"),
        (r#"{"awb":"","shipmentPurchaseError":{"code":1}}"#, "rejected"),
        (r#"{"awb":"NA","shipmentPurchaseError":["a","b"]}"#, "rejected"),
        (r#"{"awb":"AWB1","shipmentPurchaseError":0}"#, "booked"),
        (r#"{"awb":"AWB1","shipmentPurchaseError":false}"#, "booked"),
        (r#"{"awb":"AWB1","shipmentPurchaseError":"false"}"#, "booked"),
        (r#"{"awb":"AWB1","shipmentPurchaseError":{"code":null,"message":[" ","None"]}}"#, "booked"),
        (r#"{"awb":null,"shipmentPurchaseError":"None"}"#, "in doubt"),
        (r#"{"awb":[],"shipmentPurchaseError":"no"}"#, "rejected"),
        (r#"{"awb":{},"shipmentPurchaseError":"no"}"#, "rejected"),
        (r#"{"awb":true,"shipmentPurchaseError":"no"}"#, "rejected"),
        (r#"{"shipmentPurchaseError":0}"#, "in doubt"),
        (r#"{"shipmentPurchaseError":false}"#, "in doubt"),
        (r#"{"awb":"","shipmentPurchaseError":null}"#, "in doubt"),
        (r#"{"awb":"null"}"#, "in doubt"),
        (r#"{"awb":"0"}"#, "in doubt"),
        (r#"{"awb":" - "}"#, "in doubt"),
        (r#"{"awb":0}"#, "in doubt"),
        (r#"{"awb":true}"#, "in doubt"),
        (r#"{"awb":{"a":1}}"#, "in doubt"),
        (r#"{"awb":1.5e17}"#, "in doubt"),
        (r#"{"awb":-5}"#, "in doubt"),
        (r#"{"awb":"A","awb":"B"}"#, "in doubt"),
        (r#"{"awb":"A"} trailing"#, "in doubt"),
        (r#"[{"awb":"A"}]"#, "in doubt"),
        (r#"{"awb":"A\u0000B"}"#, "in doubt"),
        (r#"{"awb":"A"#, "in doubt"),
        ("", "in doubt"),
        ("null", "in doubt"),
        ("<html></html>", "in doubt"),
    ] {
        check(200, body, expected);
        check(201, body, expected);
        // No other status books, however good the body looks.
        check(202, body, "in doubt");
    }
}

/// Promise 8: a refusal that may be about the order's own booking leaves it in doubt.
#[test]
fn a_no_that_may_be_about_our_own_booking_is_in_doubt() {
    for status in [413, 420, 423, 425, 444, 449, 460] {
        check(status, r#"{"message":"try again"}"#, "in doubt");
    }
    let nested = [
        r#"{"data":{"shipment":{"awb":"AWB1"}}}"#,
        r#"{"errors":[{"existing":{"awbNumber":12345678}}]}"#,
        r#"{"message":"no","details":[{"AWB_Code":"AWB1"}]}"#,
        r#"{"message":"no","tracking_number":"AWB1"}"#,
        r#"{"message":"{\"carrier\":{\"waybill\":\"AWB1\"}}"}"#,
    ];
    for body in nested {
        for status in [400, 401, 403, 404, 422, 429] {
            check(status, body, "in doubt");
        }
        let rejection = format!(r#"{{"awb":null,"shipmentPurchaseError":{body}}}"#);
        check(200, &rejection, "in doubt");
    }
    let said = [
        "orderNumber must be unique",
        "order number already in use",
        "Order number exists",
        "this request is already being processed",
        "the order is being processed",
        "orderNumber has already been used",
    ];
    for words in said {
        check(400, &format!(r#"{{"message":["{words}"]}}"#), "in doubt");
        check(422, words, "in doubt");
    }
    check(429, r#"{"message":"order is already being processed"}"#, "in doubt");
    // These say no, and nothing of a shipment.
    check(429, r#"{"message":"too many requests"}"#, "waiting");
    check(401, r#"{"message":"the token has already been revoked"}"#, "waiting");
    check(400, r#"{"message":"awb is null","awb":null,"awbCode":"","trackingNumber":"NA"}"#, "refused");
    check(422, r#"{"message":"drawback of the address"}"#, "refused");
    check(422, r#"{"message":"no","trackingId":"0af7651916cd43dd","rawBody":"x","drawback":"y"}"#, "refused");
}

/// Promise 8: an answer that names another order is a contradiction, and leaves its order in doubt.
#[test]
fn an_answer_about_another_order_is_a_contradiction() {
    let seen = |status: u16, body: &str| {
        let verdict = judge(&reply(status, body), &SENT);
        (word(&verdict.outcome), signal_word(&verdict.signal))
    };
    for body in [
        r#"{"orderNumber":"ORD-2","awb":"AWB1","shipmentPurchaseError":null}"#,
        r#"{"data":{"orderNumber":2},"awb":"AWB1"}"#,
        r#"{"orderNumber":"ORD-2","message":"too many requests"}"#,
    ] {
        for status in [200, 201, 400, 401, 429, 500] {
            assert_eq!(seen(status, body), ("in doubt", "contradiction"), "{status} {body}");
        }
    }
    assert_eq!(seen(201, r#"{"orderNumber":" ORD-1 ","awb":"AWB1"}"#), ("booked", "clear"));
    assert_eq!(seen(201, r#"{"orderNumber":null,"awb":"AWB1"}"#), ("booked", "clear"));
    assert_eq!(seen(201, r#"{"orderNumber":"ord-1","awb":"AWB1"}"#), ("booked", "clear"));
    assert_eq!(seen(400, r#"{"orderNumber":"must be at most 20 characters"}"#), ("refused", "refusal"));
    assert_eq!(seen(400, r#"{"orderNumber":"ORD-1","message":"no"}"#), ("refused", "refusal"));
}

#[test]
fn what_cannot_be_seen_or_is_markup_is_no_awb() {
    let unseen = ["\u{200b}", "\u{202e}", "\u{ad}", "\u{feff}", "\u{9b}", "\u{1b}", "\u{2066}", "\u{e000}", "\u{2028}"];
    let markup = ["<b>", "&amp;", "'", "`", "{", "\\\\"];
    for bad in unseen.iter().chain(&markup) {
        let body = format!("{{\"awb\":\"AWB{bad}1\"}}");
        let Ok(_) = serde_json::from_str::<serde_json::Value>(&body) else {
            check(201, &body, "in doubt");
            continue;
        };
        let verdict = judge(&reply(201, &body), &SENT);
        assert_eq!((word(&verdict.outcome), signal_word(&verdict.signal)), ("in doubt", "contradiction"), "{body}");
    }
    for good in ["AWB-1_2/3.4", "AWB 12 34", "№12"] {
        check(201, &format!("{{\"awb\":\"{good}\"}}"), "booked");
    }
}

/// Promise 11: an AWB keeps every digit.
#[test]
fn an_awb_keeps_every_digit() {
    for (body, awb) in [
        (r#"{"awb":123456789012345678901234567890}"#, "123456789012345678901234567890"),
        (r#"{"awb":"00012345"}"#, "00012345"),
        (r#"{"awb":9007199254740993}"#, "9007199254740993"),
    ] {
        let verdict = judge(&reply(201, body), &SENT);
        assert!(matches!(&verdict.outcome, Outcome::Booked(booking) if booking.awb == awb), "{verdict:?}");
    }
}

#[test]
fn a_purchase_error_is_kept_whole() {
    let body = r#"{"orderId":"77","awb":null,"shipmentPurchaseError":{"code":"X","deep":[1,{"a":null}]}}"#;
    let expected =
        Outcome::Rejected { order_id: Some("77".into()), error: r#"{"code":"X","deep":[1,{"a":null}]}"#.into() };
    assert_eq!(judge(&reply(200, body), &SENT).outcome, expected);
}

#[test]
fn an_older_shipment_handed_back_is_flagged() {
    let at = |created: i64, date: Option<&str>| {
        let body = format!(r#"{{"awb":"A","cratedAt":"{created}"}}"#).into_bytes();
        let reply = Reply { status: 200, body, date: date.map(str::to_owned), ..Reply::default() };
        match judge(&Observed::Reply(reply), &SENT).outcome {
            Outcome::Booked(booking) => booking.old_answer,
            other => panic!("{other:?}"),
        }
    };
    let minutes = 60_000;
    assert!(!at(SENT.at_ms - 9 * minutes, None));
    assert!(at(SENT.at_ms - 11 * minutes, None));
    assert!(!at(SENT.order_created_ms, None), "the service may echo what was sent");
    // 2025-11-21T04:40:00Z is SENT.at_ms: their clock is an hour behind ours, so nothing is old.
    assert!(!at(SENT.at_ms - 60 * minutes, Some("Fri, 21 Nov 2025 03:40:00 GMT")));
    assert!(at(SENT.at_ms - 75 * minutes, Some("Fri, 21 Nov 2025 03:40:00 GMT")));
}

#[test]
fn a_pause_is_asked_for_in_seconds_or_by_date() {
    let asked = |retry_after: Option<&str>, date: Option<&str>| {
        let text = |text: Option<&str>| text.map(str::to_owned);
        let reply = Reply { status: 429, retry_after: text(retry_after), date: text(date), ..Reply::default() };
        match judge(&Observed::Reply(reply), &SENT).signal {
            Signal::TooMany { retry_after_ms } => retry_after_ms,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(asked(Some("7"), None), Some(7_000));
    assert_eq!(asked(Some("Fri, 21 Nov 2025 04:40:30 GMT"), None), Some(30_000));
    let date = Some("Fri, 21 Nov 2025 05:00:00 GMT");
    assert_eq!(asked(Some("Fri, 21 Nov 2025 05:00:10 GMT"), date), Some(10_000));
    assert_eq!(asked(Some("Fri, 21 Nov 2025 04:00:00 GMT"), date), Some(0));
    assert_eq!(asked(Some("99999999999999999999999"), None), Some(86_400_000));
    assert_eq!(asked(Some("soon"), None), None);
    assert_eq!(asked(None, None), None);
}

#[test]
fn what_never_became_an_answer() {
    let cases = [
        (Observed::NotSent(NotSent::Unreachable("refused".into())), "waiting", Signal::Unreachable),
        (Observed::NotSent(NotSent::Tls("bad certificate".into())), "waiting", Signal::Tls),
        (Observed::Lost(Lost::TimedOut), "in doubt", Signal::Doubt),
        (Observed::Lost(Lost::Broken("reset".into())), "in doubt", Signal::Doubt),
        (Observed::Lost(Lost::Partial { status: 400, body: vec![], why: "cut".into() }), "in doubt", Signal::Doubt),
        (
            Observed::Lost(Lost::Unbelievable { status: Some(429), body: vec![], why: "two".into() }),
            "in doubt",
            Signal::Doubt,
        ),
    ];
    for (observed, outcome, signal) in cases {
        let verdict = judge(&observed, &SENT);
        assert_eq!((word(&verdict.outcome), verdict.signal), (outcome, signal), "{observed:?}");
    }
}

/// Bodies of every kind: a name, the body, and what it says beside its status.
const BODIES: [(&str, &str, Says); 20] = [
    ("nothing", "", Says::Nothing),
    ("null", "null", Says::Nothing),
    ("an array", "[]", Says::Nothing),
    ("an empty object", "{}", Says::Nothing),
    ("control signs", "\u{0}\u{1}", Says::Nothing),
    ("a page", "<html><h1>Bad Gateway</h1></html>", Says::Nothing),
    ("a message", r#"{"message":"bad request"}"#, Says::Nothing),
    ("messages", r#"{"message":["pinCode must be a string","x"]}"#, Says::Nothing),
    ("already exists", r#"{"message":"Order already exists"}"#, Says::Duplicate),
    ("duplicate", r#"{"error":"DUPLICATE order"}"#, Says::Duplicate),
    ("duplicate, as a page", "<p>Duplicate order number</p>", Says::Duplicate),
    ("a booking", r#"{"awb":"AWB1","shipmentPurchaseError":null}"#, Says::Booked),
    (
        "a booking with all its fields",
        r#"{"orderId":"1","awb":"AWB1","cratedAt":"1","carrier":"c","service":"s","shipmentPurchaseError":null,"new":{}}"#,
        Says::Booked,
    ),
    ("AWB and error", r#"{"awb":"AWB1","shipmentPurchaseError":"no"}"#, Says::Both),
    ("an error", r#"{"awb":null,"shipmentPurchaseError":"no"}"#, Says::Rejected),
    ("an error as an object", r#"{"orderId":"7","awb":"","shipmentPurchaseError":{"code":5}}"#, Says::RejectedWithId),
    ("neither", r#"{"awb":"","shipmentPurchaseError":null}"#, Says::Neither),
    ("cut", r#"{"awb":"AW"#, Says::Nothing),
    ("two AWBs", r#"{"awb":"A1","awb":"B1"}"#, Says::Duplicate),
    ("text", "not json", Says::Nothing),
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Says {
    Nothing,
    Neither,
    Duplicate,
    Booked,
    Both,
    Rejected,
    /// By the contract it has no AWB; with a status that has no shipment in it, it names an order all the same.
    RejectedWithId,
}

/// A second opinion, written from the design's table and not from the code.
fn expected(status: u16, says: Says) -> (&'static str, &'static str) {
    let claims = !matches!(says, Says::Nothing | Says::Neither | Says::Rejected);
    match status {
        200 | 201 => match says {
            Says::Booked => ("booked", "clear"),
            Says::Rejected | Says::RejectedWithId => ("rejected", "clear"),
            Says::Both => ("in doubt", "contradiction"),
            Says::Neither => ("in doubt", "doubt"),
            Says::Nothing | Says::Duplicate => ("in doubt", "not understood"),
        },
        301 | 307 | 308 if !claims => ("refused", "redirect"),
        300..=399 => ("in doubt", "redirect"),
        401 => (if claims { "in doubt" } else { "waiting" }, "unauthorized"),
        402 => (if claims { "in doubt" } else { "refused" }, "funds"),
        403 => (if claims { "in doubt" } else { "refused" }, "forbidden"),
        429 => (if claims { "in doubt" } else { "waiting" }, "too many"),
        408 | 409 | 413 | 420 | 423 | 424 | 425 | 444 | 449 | 460 | 499 => ("in doubt", "doubt"),
        400..=499 if claims => ("in doubt", "doubt"),
        404 | 405 | 406 | 410 | 415 => ("refused", "address"),
        400..=499 => ("refused", "refusal"),
        _ => ("in doubt", "doubt"),
    }
}

fn signal_word(signal: &Signal) -> &'static str {
    match signal {
        Signal::Clear => "clear",
        Signal::NotUnderstood => "not understood",
        Signal::Unreachable => "unreachable",
        Signal::Tls => "tls",
        Signal::Redirect { .. } => "redirect",
        Signal::Unauthorized => "unauthorized",
        Signal::Funds => "funds",
        Signal::Forbidden => "forbidden",
        Signal::Address => "address",
        Signal::TooMany { .. } => "too many",
        Signal::Refusal { .. } => "refusal",
        Signal::Doubt => "doubt",
        Signal::Contradiction => "contradiction",
    }
}

/// Letters of the golden table.
fn letter(outcome: &Outcome) -> char {
    match outcome {
        Outcome::Booked(_) => 'B',
        Outcome::Rejected { .. } => 'r',
        Outcome::Refused { .. } => 'x',
        Outcome::Waiting { .. } => 'w',
        Outcome::InDoubt { .. } => '?',
    }
}

/// Promise 8: every status with every kind of body has one meaning.
#[test]
fn every_status_with_every_kind_of_body() {
    let mut table = String::from("B booked, r rejected, x refused, w waiting, ? in doubt; a column for each body:\n");
    for (column, (name, ..)) in (1..).zip(BODIES) {
        let _ = writeln!(table, "{column:>4} {name}");
    }
    for status in 100..=599 {
        let _ = write!(table, "{status} ");
        for (name, body, says) in BODIES {
            let verdict = judge(&reply(status, body), &SENT);
            let seen = (word(&verdict.outcome), signal_word(&verdict.signal));
            assert_eq!(seen, expected(status, says), "{status} {name}");
            table.push(letter(&verdict.outcome));
        }
        table.push('\n');
    }
    assert_eq!(table.lines().count(), 1 + BODIES.len() + 500);
    insta::assert_snapshot!("outcome_table", table);
}

/// A value at `awb`: its JSON, and the AWB that it is, none, or something that nobody should believe.
fn an_awb() -> impl Strategy<Value = (String, Result<Option<String>, ()>)> {
    let good = "[A-Z]{2}[0-9][A-Z0-9]{3,17}".prop_map(|awb| (format!("\"{awb}\""), Ok(Some(awb))));
    let digits = "[1-9][0-9]{5,40}".prop_map(|awb| (awb.clone(), Ok(Some(awb))));
    let blank = prop::sample::select(vec![
        "null", "false", "true", "{}", "[]", "\"\"", "\"  \"", "\"NA\"", "\"0\"", "0", "\"-\"",
    ])
    .prop_map(|json| (json.to_owned(), Ok(None)));
    let odd = prop::sample::select(vec!["{\"a\":\"A1\"}", "[\"A1\"]", "-7", "1.5", "1e9", "\"A1\\u0007\""])
        .prop_map(|json| (json.to_owned(), Err(())));
    prop_oneof![good, digits, blank, odd]
}

/// A value at `shipmentPurchaseError`, and whether it says anything.
fn an_error() -> impl Strategy<Value = (String, bool)> {
    let none = prop::sample::select(vec!["null", "\"\"", "{}", "[]", "false", "0", "{ }", "[null]", "\"None\""])
        .prop_map(|json| (json.to_owned(), false));
    let some = "x[a-z ]{1,12}[a-z]".prop_map(|text| (format!("\"{text}\""), true));
    let deep =
        prop::sample::select(vec!["{\"code\":1}", "[[\"x\"]]", "7", "true"]).prop_map(|json| (json.to_owned(), true));
    prop_oneof![none, some, deep]
}

proptest! {
    #![proptest_config(cases(200))]

    /// The oracle knows what the answer was made of and never looks at its text.
    #[test]
    fn an_answer_means_what_it_was_made_of(
        status in 100_u16..=599,
        success in any::<bool>(),
        (awb_json, awb) in an_awb(),
        (error_json, has_error) in an_error(),
        order_id in prop::option::of("[1-9][A-Z0-9-]{2,11}"),
        awb_first in any::<bool>(),
        pretty in any::<bool>(),
    ) {
        let status = if success { 200 + status % 2 } else { status };
        let gap = if pretty { "\n  " } else { "" };
        let pairs = [format!("\"awb\":{gap}{awb_json}"), format!("\"shipmentPurchaseError\":{gap}{error_json}")];
        let [one, other] = if awb_first { [0, 1] } else { [1, 0] };
        let id = order_id.as_ref().map_or_else(|| "null".to_owned(), |id| format!("\"{id}\""));
        let body = format!("{{{gap}\"orderId\":{id},{gap}{},{gap}{}}}", pairs[one], pairs[other]);
        let outcome = judge(&reply(status, &body), &SENT).outcome;
        let claims = !matches!(awb, Ok(None)) || order_id.is_some();
        match status {
            200 | 201 => match (&awb, has_error) {
                (Ok(Some(awb)), false) => {
                    let Outcome::Booked(booking) = &outcome else { panic!("{outcome:?}: {body}") };
                    prop_assert_eq!((&booking.awb, booking.order_id.as_deref()), (awb, order_id.as_deref()));
                }
                (Ok(None), true) => {
                    prop_assert_eq!(outcome, Outcome::Rejected { order_id, error: error_json });
                }
                _ => prop_assert_eq!(word(&outcome), "in doubt"),
            },
            401 | 429 if !claims => prop_assert_eq!(word(&outcome), "waiting"),
            301 | 307 | 308 if !claims => prop_assert_eq!(word(&outcome), "refused"),
            408 | 409 | 413 | 420 | 423 | 424 | 425 | 444 | 449 | 460 | 499 => prop_assert_eq!(word(&outcome), "in doubt"),
            400..=499 if !claims => prop_assert_eq!(word(&outcome), "refused"),
            _ => prop_assert_eq!(word(&outcome), "in doubt"),
        }
    }

    #[test]
    fn no_bytes_make_it_fail(status in any::<u16>(), body in prop::collection::vec(any::<u8>(), 0..200)) {
        let observed = Observed::Reply(Reply { status, body, ..Reply::default() });
        let outcome = judge(&observed, &SENT).outcome;
        prop_assert!(matches!(status, 200 | 201) || !matches!(outcome, Outcome::Booked(_)));
    }
}

/// Promise 8: an answer that was cut or damaged books no other AWB.
#[test]
fn an_answer_cut_or_changed_anywhere_never_books_another_awb() {
    let whole = br#"{"orderId":"SB-1","awb":"SBX123456789","cratedAt":"1763700000000","shipmentPurchaseError":null}"#;
    let awb_of = |body: &[u8]| {
        let observed = Observed::Reply(Reply { status: 201, body: body.to_vec(), ..Reply::default() });
        match judge(&observed, &SENT).outcome {
            Outcome::Booked(booking) => Some(booking.awb),
            _ => None,
        }
    };
    const AWB: &str = "SBX123456789";
    assert_eq!(awb_of(whole).as_deref(), Some(AWB));
    for end in 0..whole.len() {
        assert_eq!(awb_of(&whole[..end]), None, "cut after {end}");
    }
    let place = whole.windows(AWB.len()).position(|part| part == AWB.as_bytes()).unwrap();
    let (mut changed, mut still_booked) = (0, 0);
    for index in 0..whole.len() {
        for flip in 1..=u8::MAX {
            // A letter of the AWB that became another letter is for the transport's checksums to find, not for us.
            if (place..place + AWB.len()).contains(&index) && flip < 0x80 {
                continue;
            }
            let mut body = whole.to_vec();
            body[index] ^= flip;
            let awb = awb_of(&body);
            assert!(awb.is_none() || awb.as_deref() == Some(AWB), "{index} flipped by {flip}: {awb:?}");
            changed += 1;
            still_booked += usize::from(awb.is_some());
        }
    }
    assert!(changed > 20_000 && still_booked > 0 && still_booked < changed);
}

#[test]
fn equal_refusals_have_equal_fingerprints() {
    let fingerprint = |body: &str| match judge(&reply(400, body), &SENT).signal {
        Signal::Refusal { fingerprint } => fingerprint,
        other => panic!("{other:?}"),
    };
    let one = fingerprint(r#"{"message":"warehouse \"WH-1\" of order 1001 is unknown"}"#);
    assert_eq!(one, fingerprint(r#"{"message":"warehouse \"WH-77\" of order 22 is unknown"}"#));
    assert_ne!(one, fingerprint(r#"{"message":"weight is too high"}"#));
    assert_ne!(fingerprint(r#"{"message":"can't find a"}"#), fingerprint(r#"{"message":"can't find b"}"#));
}

#[test]
fn the_message_is_for_people() {
    let said = |body: &str| match judge(&reply(422, body), &SENT).outcome {
        Outcome::Refused { message } => message,
        other => panic!("{other:?}"),
    };
    assert_eq!(said(r#"{"message":["a is bad","b is bad"]}"#), "a is bad; b is bad (HTTP 422)");
    assert_eq!(said("<html><b>No</b> way</html>"), "No way (HTTP 422)");
    assert_eq!(said(""), "HTTP 422");
    assert!(said(&"x".repeat(10_000)).len() < 400);
}
