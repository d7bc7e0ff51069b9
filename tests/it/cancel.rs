//! Cancelling: noted before it is asked for, believed only where the answer says so, and marked wherever orders are shown.

use std::time::Duration;

use rustix::process::Signal;
use serde_json::{Value, json};
use shipsheet::sandbox::Answer;

use crate::rig::{Rig, sheet_of, wait_until};

/// Where an order is cancelled.
fn path(rig: &Rig, number: &str) -> String {
    format!("/v1/external/shipments/{}/cancel", rig.order_id(number))
}

fn requests(rig: &Rig) -> u64 {
    rig.sandbox().book().requests()
}

#[test]
fn an_answer_counts_as_a_cancellation_only_where_it_says_so() {
    let rig = Rig::booked("", 1);
    let path = path(&rig, "ORD-0001");
    let cancel = ["shipment", "cancel", "ORD-0001", "--yes"];
    for (answer, code, says) in [
        (Answer::Status(200, String::new()), 6, "cannot be read"),
        (Answer::Status(200, "<html>OK</html>".into()), 6, "cannot be read"),
        (Answer::Status(200, r#"{"message": "received"}"#.into()), 6, "neither yes nor no"),
        (Answer::Status(200, r#"{"refundStatus": "X", "trackingCode": "OTHER"}"#.into()), 6, "another shipment"),
        (Answer::Status(200, r#"{"success": false, "message": "left the hub"}"#.into()), 4, "left the hub"),
        (Answer::Status(422, r#"{"message": "left the hub"}"#.into()), 4, "left the hub (HTTP 422)"),
        (
            Answer::Status(400, r#"{"message": "Shipment is already in transit and cannot be cancelled"}"#.into()),
            4,
            "already in transit",
        ),
        (
            Answer::Status(409, r#"{"message": "Already dispatched: only unshipped orders can be cancelled"}"#.into()),
            4,
            "only unshipped orders",
        ),
        (
            Answer::Status(200, r#"{"refundStatus": "NOT_APPLICABLE", "message": "not cancelled"}"#.into()),
            4,
            "not cancelled",
        ),
        (Answer::Status(503, String::new()), 6, "HTTP 503"),
        (Answer::CutAfter, 6, "it may have been done all the same"),
    ] {
        let name = format!("{answer:?}");
        rig.sandbox().script_path(&path, [answer]);
        let ran = rig.run(&cancel);
        assert!(ran.code == code && ran.stdout.contains(says), "{name}: {ran:?}");
        assert_eq!(ran.stdout.contains("nobody knows whether it is cancelled"), code == 6, "{name}: {ran:?}");
        let shown = rig.run(&["show", "ORD-0001"]).stdout;
        assert!(shown.contains("cancellation asked for by tester on") && shown.contains(says), "{shown}");
        let cancelled: i64 =
            rig.database().query_row("SELECT count(*) FROM cancellations", [], |row| row.get(0)).unwrap();
        assert_eq!(cancelled, 0, "{name}");
    }
    let (code, document) = rig.json(&cancel);
    assert_eq!((code, &document["orders"][0]["cancelled"]["refund_status"]), (0, &"REFUND_INITIATED".into()));
    assert_eq!(document["orders"][0]["unclear"], false);
}

#[test]
fn a_lost_answer_is_shown_left_out_and_asked_for_once_more() {
    let rig = Rig::booked("", 3);
    rig.sandbox().script_path(&path(&rig, "ORD-0002"), [Answer::Status(502, String::new())]);
    let (code, document) = rig.json(&["shipment", "cancel", "ORD-0001", "ORD-0002", "--yes"]);
    assert_eq!((code, &document["orders"][1]["unclear"]), (6, &true.into()), "{document}");
    let label = rig.run(&["label", "--run", "1", "--to", "l.pdf"]);
    assert!(label.code == 6 && label.stdout.contains("1 label on 2 pages"), "{label:?}");
    for says in ["1 cancelled order left out (ORD-0001)", "nobody knows whether the cancellation was done", "ORD-0002"]
    {
        assert!(label.stderr.contains(says), "{says}: {label:?}");
    }
    let index = lopdf::Document::load(rig.path("l.pdf")).unwrap().extract_text(&[1]).unwrap();
    assert!(index.contains("Left out: 1 cancelled (ORD-0001), 1 perhaps cancelled (ORD-0002)"), "{index}");
    let (_, document) = rig.json(&["label", "--run", "1", "--to", "l.pdf"]);
    assert_eq!(document["cancelled"], json!(["ORD-0001", "ORD-0002"]));
    let all = rig.run(&["label", "--run", "1", "--to", "all.pdf", "--with-cancelled"]);
    assert!(all.code == 0 && all.stdout.contains("3 labels"), "{all:?}");
    rig.file("shipsheet.toml", "[operations.ndr]\npath = \"/sandbox/ndr/{orderId}\"\n");
    let ndr = rig.run(&["ndr", "--run", "1", "--action", "RTO", "--yes"]);
    assert!(ndr.code == 6 && ndr.stdout.lines().count() == 1 && ndr.stdout.starts_with("ORD-0003"), "{ndr:?}");
    let id = rig.order_id("ORD-0003");
    rig.sandbox().script_path(&format!("/sandbox/ndr/{id}"), [Answer::Status(500, String::new())]);
    let ndr = rig.run(&["ndr", "ORD-0003", "--action", "RTO", "--yes"]);
    assert!(ndr.code == 6 && ndr.stdout.contains("it may have been done all the same"), "{ndr:?}");
    rig.sandbox()
        .script_path(&format!("/sandbox/ndr/{id}"), [Answer::Status(200, r#"{"message": "received"}"#.into())]);
    let ndr = rig.run(&["ndr", "ORD-0003", "--action", "RTO", "--yes"]);
    assert!(ndr.code == 6 && ndr.stdout.contains("neither yes nor no ({\"message\": \"received\"})"), "{ndr:?}");
    let retry = rig.run(&["retry", "ORD-0001", "ORD-0002", "ORD-0003", "--yes"]);
    for says in ["ORD-0001 (booked as SBX", " and cancelled; ", "and perhaps cancelled: see `shipsheet show ORD-0002`"]
    {
        assert!(retry.code == 0 && retry.stderr.contains(says), "{says}: {retry:?}");
    }
    let only = rig.run(&["label", "ORD-0001", "--to", "one.pdf"]);
    assert!(only.code == 1 && only.stderr.contains("--with-cancelled") && !rig.path("one.pdf").exists(), "{only:?}");
    let stale = rig.run(&["label", "ORD-0001", "--to", "all.pdf"]);
    assert!(stale.code == 1 && stale.stderr.contains("all.pdf is as it was"), "{stale:?}");
    let results = rig.results(&[]);
    let marks: Vec<&str> = results.iter().map(|row| row["cancelled"].as_str().unwrap_or("none")).collect();
    assert!(marks[0].ends_with('Z') && marks[1].starts_with("unknown since ") && marks[2] == "none", "{marks:?}");
    assert!(results.iter().all(|row| row["state"] == "booked"), "a booking stays as it is");
    // The service had done it; the same command finds that out.
    rig.sandbox()
        .script_path(&path(&rig, "ORD-0002"), [Answer::Status(400, r#"{"message": "already cancelled"}"#.into())]);
    let again = rig.run(&["shipment", "cancel", "ORD-0001", "ORD-0002", "--yes"]);
    assert!(again.code == 0 && again.stdout.contains("was cancelled before, says the service"), "{again:?}");
    assert!(again.stderr.contains("ORD-0002, AWB") && again.stderr.contains("answer unknown)"), "{again:?}");
    assert!(!again.stderr.contains("ORD-0001"), "{again:?}");
    assert!(rig.results(&[])[1]["cancelled"].as_str().unwrap().ends_with('Z'));
}

#[test]
fn what_is_cancelled_is_not_asked_for_again_and_no_order_twice() {
    let rig = Rig::booked("", 9);
    let before = requests(&rig);
    let unasked = rig.run(&["shipment", "cancel", "--run", "1"]);
    assert!(unasked.code == 2 && requests(&rig) == before, "{unasked:?}");
    let awb = rig.bookings().into_iter().find(|(number, _)| number == "ORD-0001").unwrap().1;
    for says in [&format!("  ORD-0001, AWB {awb}, Delhivery"), "  and 4 more", "Cancel 9 shipments at the service?"] {
        assert!(unasked.stderr.contains(says), "{says}: {unasked:?}");
    }
    assert!(!unasked.stderr.contains("Asha") && !unasked.stderr.contains("98765"), "nobody's name");
    let twice = rig.run(&["shipment", "cancel", "ORD-0001", "ORD-0002", "ORD-0001", "--yes"]);
    assert!(twice.code == 0 && twice.stdout.lines().count() == 2, "{twice:?}");
    assert_eq!(requests(&rig), before + 2);
    let rest = rig.run(&["shipment", "cancel", "--run", "1", "--yes"]);
    assert!(
        rest.code == 0 && rest.stdout.contains("ORD-0001") && rest.stdout.contains("was cancelled on "),
        "{rest:?}"
    );
    assert_eq!(requests(&rig), before + 9);
    let nothing = rig.run(&["shipment", "cancel", "--run", "1"]);
    assert!(nothing.code == 0 && requests(&rig) == before + 9, "nothing to ask: {nothing:?}");
}

#[test]
fn an_interrupted_and_a_killed_cancellation_go_on_where_they_were() {
    let rig = Rig::booked("", 30);
    let cancel = ["shipment", "cancel", "--run", "1", "--yes", "--concurrency", "1"];
    let before = requests(&rig);
    let live = rig.live("interrupted", &[&cancel[..], &["--rate", "20"]].concat());
    wait_until("three are cancelled", || requests(&rig) >= before + 3);
    live.signal(Signal::INT);
    let ended = live.end();
    assert!(ended.code == 5 && ended.stderr.contains("interrupted: "), "{ended:?}");
    let done = requests(&rig) - before;
    assert!((3..30).contains(&done), "{done}");
    let next = format!("ORD-{:04}", done + 1);
    rig.sandbox().script_path(&path(&rig, &next), [Answer::Silent(Duration::from_mins(5))]);
    let live = rig.live("killed", &cancel);
    wait_until("it hangs", || requests(&rig) > before + done);
    live.signal(Signal::KILL);
    live.end();
    let shown = rig.run(&["show", &next]).stdout;
    assert!(shown.contains("nobody knows whether it was done: look it up"), "{shown}");
    let again = rig.run(&cancel);
    assert_eq!(again.code, 0, "{again:?}");
    assert_eq!(requests(&rig), before + 31, "none is asked for twice but the one that was lost");
}

#[test]
fn a_changed_sheet_says_that_its_order_was_cancelled() {
    let rig = Rig::booked("", 2);
    assert_eq!(rig.run(&["shipment", "cancel", "ORD-0002", "--yes"]).code, 0);
    rig.file("orders.csv", &sheet_of(2).replace("Kurta", "Saree"));
    let codes = |arguments: &[&str]| -> Vec<(String, String)> {
        let (_, document) = rig.json(arguments);
        let text = |problem: &Value, name: &str| problem[name].as_str().unwrap_or_default().to_owned();
        let problems = document["problems"].as_array().unwrap();
        problems.iter().map(|problem| (text(problem, "code"), text(problem, "order"))).collect()
    };
    for arguments in [&["import", "orders.csv", "--yes"][..], &["import", "orders.csv", "--dry-run"]] {
        let codes = codes(arguments);
        let is = |code: &str, order: &str| codes.contains(&(code.to_owned(), order.to_owned()));
        assert!(is("changed-after-booking", "ORD-0001") && is("changed-after-booking", "ORD-0002"), "{codes:?}");
        assert!(is("cancelled-before", "ORD-0002") && !is("cancelled-before", "ORD-0001"), "{codes:?}");
    }
    assert_eq!(rig.bookings().len(), 2);
}
