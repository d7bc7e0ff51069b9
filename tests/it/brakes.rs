//! What a thousand orders cost when something is wrong with all of them: requests, doubts, and what is said.

use std::time::Duration;

use serde_json::Value;
use shipsheet::sandbox::Answer;

use crate::rig::{Rig, ran_here, sheet_of, wait_until};

const ORDERS: u64 = 1_000;
/// As many where a run stops so soon that more of them show nothing more.
const FEW: u64 = 200;
const C: u64 = 16;
const IMPORT: &[&str] = &["import", "orders.csv", "--yes", "--concurrency", "16"];

/// With a sheet of a thousand good orders. An outage is waited out for 1 s, then for 2 s, where users wait for 5 and 10.
fn rig() -> Rig {
    rig_of(ORDERS)
}

fn rig_of(orders: u64) -> Rig {
    let rig = Rig::new().patient_for("1");
    rig.file("orders.csv", &sheet_of(usize::try_from(orders).unwrap()));
    rig
}

fn requests(rig: &Rig) -> u64 {
    rig.sandbox().book().requests()
}

fn count(document: &Value, name: &str) -> u64 {
    document["orders"][name].as_u64().unwrap()
}

/// Every answer is this one; gives the document and how many requests it took.
fn all_answered(answer: &Answer, more: &[&str]) -> (Value, u64) {
    let rig = rig_of(FEW);
    rig.sandbox().script(std::iter::repeat_n(answer.clone(), usize::try_from(FEW).unwrap()));
    let (code, document) = rig.json(&[IMPORT, more].concat());
    assert_eq!(document["exit"], code, "{document}");
    assert_eq!(code, if count(&document, "in_doubt") > 0 { 6 } else { 5 }, "{document}");
    assert_eq!(count(&document, "total"), FEW);
    assert!(rig.bookings().is_empty() || matches!(answer, Answer::BookedThen(..)));
    (document, requests(&rig))
}

fn status(status: u16, body: &str) -> Answer {
    Answer::Status(status, body.to_owned())
}

/// Promise 5: an answer that every order would get stops a run after a few requests.
#[test]
fn what_is_wrong_with_every_order_costs_few_requests() {
    let redirect = |status| {
        let location = ("location".to_owned(), "http://127.0.0.1:9/elsewhere".to_owned());
        Answer::Full(status, vec![location], String::new())
    };
    let rejected = |error: &str| status(200, &format!(r#"{{"awb":null,"shipmentPurchaseError":"{error}"}}"#));
    let refused = r#"{"message":["warehouseId WH-1 does not exist"]}"#;
    let contradiction = r#"{"orderId":"1","awb":"AWB-1","shipmentPurchaseError":"boom"}"#;
    let cases = [
        (status(401, "{}"), 1, 0, "authentication"),
        (status(402, "{}"), 1, 0, "funds"),
        (status(403, "{}"), 2, 0, "authentication"),
        (status(404, "{}"), 1, 0, "address"),
        (status(405, "{}"), 1, 0, "address"),
        (redirect(301), 1, 0, "redirect"),
        (redirect(302), 1, 1, "redirect"),
        (redirect(307), 1, 0, "redirect"),
        (redirect(308), 1, 0, "redirect"),
        (status(400, refused), 5 + C, 0, "refusals"),
        (status(422, refused), 5 + C, 0, "refusals"),
        (rejected("Insufficient wallet balance"), 5 + C, 0, "funds"),
        (status(200, contradiction), 1, 1, "contradiction"),
        (status(201, r#"{"data":{"awbNumber":"AWB-1"}}"#), 1, 1, "answer"),
        (status(200, "<html>Sign in</html>"), 1, 1, "answer"),
    ];
    for (answer, requests_most, doubts, by) in cases {
        let (document, requests) = all_answered(&answer, &["--max-wait", "5"]);
        assert_eq!(document["stopped_by"], by, "{answer:?}");
        assert!(requests <= requests_most, "{answer:?} cost {requests} requests, at most {requests_most} are right");
        assert_eq!(count(&document, "in_doubt"), doubts, "{answer:?}");
        let failed = count(&document, "rejected") + count(&document, "refused");
        assert_eq!(count(&document, "outstanding"), FEW - doubts - failed, "the rest is left, not failed: {answer:?}");
        assert_eq!(document["requests"], requests, "{answer:?}");
    }
}

/// Promise 5: a wrong token costs one request, and few more after its renewal.
#[test]
fn a_wrong_token_costs_one_request_and_one_more_after_a_renewal() {
    let rig = rig();
    let mut wrong = rig.command(IMPORT);
    wrong.env("SHIPSHEET_TOKEN", "not-the-token");
    let stopped = ran_here(wrong);
    assert_eq!((stopped.exit, requests(&rig)), (5, 1), "{stopped:?}");
    stopped.prints("token").prints("resume");

    rig.file("shipsheet.toml", "token_command = \"echo still-not-the-token\"\n");
    let mut renewed = rig.command(&["resume", "--yes", "--config", "shipsheet.toml"]);
    renewed.env_remove("SHIPSHEET_TOKEN");
    ran_here(renewed).exits(5);
    assert!(requests(&rig) <= 3, "{} requests", requests(&rig));

    let (code, document) = rig.json(&["resume", "--yes", "--concurrency", "16"]);
    assert_eq!((code, count(&document, "booked")), (0, ORDERS), "with the right token everything goes on");
}

/// Promise 5: a wrong address costs at most one request.
#[test]
fn a_wrong_address_costs_at_most_one_request() {
    let rig = rig();
    let address = rig.sandbox().address();
    // Port 9 of loopback has no listener in a test's world; nothing is sent there, so nothing can be in doubt.
    let cases = [
        (format!("http://{address}/wrong"), "address", 1),
        (format!("https://{address}"), "tls", 0),
        ("http://127.0.0.1:9".to_owned(), "unreachable", 0),
    ];
    for (url, by, cost) in cases {
        let before = requests(&rig);
        let ledger = rig.path(&format!("{by}.sqlite"));
        let arguments = ["--base-url", &url, "--ledger", ledger.to_str().unwrap(), "--max-wait", "1"];
        let (code, document) = rig.json(&[IMPORT, &arguments].concat());
        assert_eq!((code, &document["stopped_by"]), (5, &by.into()), "{url}: {document}");
        assert_eq!(requests(&rig) - before, cost, "{url}");
        assert_eq!(count(&document, "in_doubt"), 0, "{url}");
        assert!(count(&document, "outstanding") >= ORDERS - 1, "{url}: {document}");
    }
    assert!(rig.bookings().is_empty());
}

#[test]
fn a_token_that_dies_on_the_way_leaves_the_rest_outstanding() {
    let rig = Rig::faulty("unauthorized-after=200");
    rig.file("orders.csv", &sheet_of(usize::try_from(ORDERS).unwrap()));
    let (code, document) = rig.json(IMPORT);
    assert_eq!((code, &document["stopped_by"]), (5, &"authentication".into()));
    assert!(requests(&rig) <= 200 + C, "{} requests", requests(&rig));
    assert_eq!((count(&document, "booked"), count(&document, "outstanding")), (200, ORDERS - 200));
}

#[test]
fn an_outage_from_the_start_ends_in_few_doubts() {
    for answer in [status(503, "<html>Service Unavailable</html>"), Answer::CutBefore, Answer::CutAfter] {
        let rig = rig_of(FEW);
        rig.sandbox().script(std::iter::repeat_n(answer.clone(), usize::try_from(FEW).unwrap()));
        // Long enough for one probe, too short for a second.
        let (code, document) = rig.json(&[IMPORT, &["--max-wait", "2"]].concat());
        assert_eq!((code, &document["stopped_by"]), (6, &"doubts".into()), "{answer:?}");
        assert!(requests(&rig) <= C + 2 + 1, "{answer:?}: {} requests", requests(&rig));
        assert_eq!(count(&document, "in_doubt"), requests(&rig), "{answer:?}");
        assert_eq!(count(&document, "outstanding"), FEW - requests(&rig), "{answer:?}");
    }
}

#[test]
fn an_outage_at_full_width_costs_its_width_and_one_probe_at_a_time() {
    let rig = rig();
    let live = rig.live("import", &[IMPORT, &["--max-wait", "2", "--format", "json"]].concat());
    wait_until("it runs at full width", || requests(&rig) >= 200);
    let outage = status(502, "<html>Bad Gateway</html>");
    rig.sandbox().script(std::iter::repeat_n(outage, usize::try_from(ORDERS).unwrap()));
    live.said("one will be tried alone");
    let ran = live.end();
    let document: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!((ran.exit, &document["stopped_by"]), (6, &"doubts".into()), "{ran:?}");
    let doubts = count(&document, "in_doubt");
    assert!((3..=C + 2 + 2).contains(&doubts), "{doubts} doubts");
    assert_eq!(count(&document, "booked") + doubts, requests(&rig));
    assert_eq!(count(&document, "outstanding"), ORDERS - requests(&rig));
}

#[test]
fn what_stopped_a_run_is_known_to_the_next_process_and_costs_no_more_there() {
    let outage = status(503, "<html>Service Unavailable</html>");
    for (answer, by, cost) in [(status(402, "{}"), "funds", 1), (outage, "doubts", C + 2 + 1)] {
        let rig = rig_of(FEW);
        rig.sandbox().script(std::iter::repeat_n(answer.clone(), usize::try_from(FEW).unwrap()));
        let (_, document) = rig.json(&[IMPORT, &["--max-wait", "2"]].concat());
        let first = requests(&rig);
        assert_eq!((&document["stopped_by"], first <= cost), (&by.into(), true), "{answer:?}: {first} requests");
        let (_, status) = rig.json(&["status"]);
        assert_eq!(status["stopped_by"], by, "{status}");
        rig.run(&["status"]).prints(format!("stopped ({by}): "));
        // Nothing is mended: the next run begins with one order alone, as the first did.
        let (_, document) = rig.json(&["resume", "--yes", "--concurrency", "16", "--max-wait", "2"]);
        assert_eq!(document["stopped_by"], by, "{document}");
        assert!(requests(&rig) - first <= cost, "{answer:?}: {} requests more", requests(&rig) - first);
    }
}

#[test]
fn a_run_goes_on_when_an_outage_ends() {
    let rig = rig();
    rig.sandbox().script(std::iter::repeat_n(status(503, ""), 3));
    let (code, document) = rig.json(IMPORT);
    assert_eq!((code, count(&document, "in_doubt"), count(&document, "booked")), (6, 3, ORDERS - 3), "{document}");
    assert_eq!((&document["stopped_by"], requests(&rig)), (&Value::Null, ORDERS));
}

#[test]
fn a_storm_of_429_slows_the_run_down_and_it_finishes() {
    let rig = rig();
    let live = rig.live("import", &[IMPORT, &["--format", "json"]].concat());
    let storms = [(100, 2), (500, 0)];
    for (after, seconds) in storms {
        wait_until("the next storm", || requests(&rig) >= after);
        rig.sandbox().script(std::iter::repeat_n(Answer::TooMany(seconds), 12));
    }
    let ran = live.end();
    let document: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!((ran.exit, count(&document, "booked")), (0, ORDERS), "{ran:?}");
    assert_eq!(requests(&rig), ORDERS + 24, "each refused for now is sent once more, and no other");
    let times: Vec<i64> = rig.sandbox().book().bookings().iter().map(|booking| booking.at_ms).collect();
    let longest = times.windows(2).map(|pair| pair[1] - pair[0]).max().unwrap();
    assert!(longest >= 2_000, "the service asked for 2 s; the longest rest was {longest} ms");
}

#[test]
fn a_shipment_that_another_order_has_stops_the_run_at_once() {
    let rig = rig();
    let twice = r#"{"orderId":"S-77","awb":"AWB-77","shipmentPurchaseError":null}"#;
    rig.sandbox().script_order("ORD-0100", [status(201, twice)]);
    rig.sandbox().script_order("ORD-0200", [status(201, twice)]);
    let (code, document) = rig.json(IMPORT);
    assert_eq!((code, &document["stopped_by"]), (6, &"contradiction".into()), "{document}");
    // While that answer is on its way, the other places go on; of 1,000 orders most are never sent.
    assert!((200..=200 + 8 * C).contains(&requests(&rig)), "{} requests", requests(&rig));
    assert_eq!(count(&document, "in_doubt"), 1);
    let shown = rig.run(&["show", "ORD-0200"]);
    assert!(shown.stdout.contains("AWB-77") && shown.stdout.contains("ORD-0100"), "both are shown: {}", shown.stdout);
}

#[test]
fn a_service_that_never_answers_is_given_up() {
    let rig = rig();
    rig.file("shipsheet.toml", "[booking]\nconnect_timeout_seconds = 1\ntimeout_seconds = 2\n");
    rig.sandbox().script(std::iter::repeat_n(Answer::Silent(Duration::from_hours(1)), 1_000));
    let (code, document) = rig.json(&[IMPORT, &["--max-wait", "1"]].concat());
    assert_eq!((code, &document["stopped_by"]), (6, &"doubts".into()), "{document}");
    assert!(requests(&rig) <= C + 2, "{} requests", requests(&rig));
    assert_eq!(count(&document, "in_doubt"), requests(&rig));
}

#[test]
fn a_pause_leaves_no_order_uncertain() {
    let rig = Rig::faulty("latency=3ms,jitter=6ms");
    rig.file("orders.csv", &sheet_of(2_000));
    rig.sandbox().script_order("ORD-1000", [Answer::TooMany(600)]);
    let live = rig.live("import", &["import", "orders.csv", "--yes", "--concurrency", "64"]);
    live.said("429");
    let sending = "SELECT count(*) FROM orders WHERE state = 'sending'";
    let sending = || rig.database().query_row(sending, [], |row| row.get::<_, i64>(0)).unwrap();
    wait_until("what was about to leave is closed again", || sending() == 0);
    drop(live);
}
