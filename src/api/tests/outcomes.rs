//! The meaning of answers: named cases, and every status with every kind of body against a second opinion.

use crate::api::outcome::{Lost, NotSent, Observed, Outcome, Reply, Sent, Signal, judge};

const SENT: Sent = Sent { at_ms: 1_763_700_000_000, order_created_ms: 1_763_600_000_000 };

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
        (r#"{"shipmentPurchaseError":0}"#, "rejected"),
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
    ];
    for (observed, outcome, signal) in cases {
        let verdict = judge(&observed, &SENT);
        assert_eq!((word(&verdict.outcome), verdict.signal), (outcome, signal), "{observed:?}");
    }
}

/// Bodies of every kind, and whether each speaks of a duplicate.
const BODIES: [(&str, bool); 16] = [
    ("", false),
    ("null", false),
    ("[]", false),
    ("{}", false),
    ("\u{0}\u{1}", false),
    ("<html><h1>Bad Gateway</h1></html>", false),
    (r#"{"message":"bad request"}"#, false),
    (r#"{"message":["pinCode must be a string","x"]}"#, false),
    (r#"{"message":"Order already exists"}"#, true),
    (r#"{"error":"DUPLICATE order"}"#, true),
    (r#"{"awb":"AWB1","shipmentPurchaseError":null}"#, false),
    (r#"{"awb":"AWB1","shipmentPurchaseError":"no"}"#, false),
    (r#"{"awb":null,"shipmentPurchaseError":"no"}"#, false),
    (r#"{"awb":"","shipmentPurchaseError":null}"#, false),
    (r#"{"awb":"AW"#, false),
    ("not json", false),
];

/// A second opinion, written from the design's table and not from the code.
fn expected(status: u16, body: &str, duplicate: bool) -> (&'static str, &'static str) {
    match status {
        200 | 201 if body == r#"{"awb":"AWB1","shipmentPurchaseError":null}"# => ("booked", "clear"),
        200 | 201 if body == r#"{"awb":null,"shipmentPurchaseError":"no"}"# => ("rejected", "clear"),
        200 | 201 if body == r#"{"awb":"AWB1","shipmentPurchaseError":"no"}"# => ("in doubt", "contradiction"),
        301 | 307 | 308 => ("refused", "redirect"),
        300..=399 => ("in doubt", "redirect"),
        401 => ("waiting", "unauthorized"),
        402 => ("refused", "funds"),
        403 => ("refused", "forbidden"),
        429 => ("waiting", "too many"),
        408 | 409 | 424 | 499 => ("in doubt", "doubt"),
        400..=499 if duplicate => ("in doubt", "doubt"),
        404 | 405 | 406 | 410 | 415 => ("refused", "address"),
        400..=499 => ("refused", "refusal"),
        _ => ("in doubt", "doubt"),
    }
}

fn signal_word(signal: &Signal) -> &'static str {
    match signal {
        Signal::Clear => "clear",
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

#[test]
fn every_status_with_every_kind_of_body() {
    let mut cells = 0;
    for status in 100..=599 {
        for (body, duplicate) in BODIES {
            let verdict = judge(&reply(status, body), &SENT);
            let seen = (word(&verdict.outcome), signal_word(&verdict.signal));
            assert_eq!(seen, expected(status, body, duplicate), "{status} {body}");
            cells += 1;
        }
    }
    assert_eq!(cells, 8_000);
}

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
    assert_eq!(awb_of(whole).as_deref(), Some("SBX123456789"));
    for end in 0..whole.len() {
        assert_eq!(awb_of(&whole[..end]), None, "cut after {end}");
    }
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
