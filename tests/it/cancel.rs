//! Cancelling: noted before it is asked for, believed only where the answer says so, and marked wherever orders are shown.

use std::time::Duration;

use rustix::process::Signal;
use serde_json::json;
use shipsheet::sandbox::Answer;

use crate::rig::{Rig, sheet_of, wait_until};

/// Where an order is cancelled.
fn path(rig: &Rig, number: &str) -> String {
    format!("/v1/external/shipments/{}/cancel", rig.order_id(number))
}

fn requests(rig: &Rig) -> u64 {
    rig.sandbox().book().requests()
}

/// Promise 8: a shipment counts as cancelled only if the answer says so.
#[test]
fn an_answer_counts_as_a_cancellation_only_where_it_says_so() {
    let rig = Rig::booked("", 1);
    let path = path(&rig, "ORD-0001");
    let cancel = ["cancel", "ORD-0001", "--yes"];
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
        ran.exits(code).prints(says);
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
    let (code, document) = rig.json(&["cancel", "ORD-0001", "ORD-0002", "--yes"]);
    assert_eq!((code, &document["orders"][1]["unclear"]), (6, &true.into()), "{document}");
    let label = rig.run(&["label", "--run", "1", "--to", "l.pdf"]);
    label.exits(6).prints("1 label on 2 pages");
    for says in ["1 cancelled order left out (ORD-0001)", "nobody knows whether the cancellation was done", "ORD-0002"]
    {
        label.says(says);
    }
    let index = lopdf::Document::load(rig.path("l.pdf")).unwrap().extract_text(&[1]).unwrap();
    assert!(index.contains("Left out: 1 cancelled (ORD-0001), 1 perhaps cancelled (ORD-0002)"), "{index}");
    let (_, document) = rig.json(&["label", "--run", "1", "--to", "l.pdf"]);
    assert_eq!(document["cancelled"], json!(["ORD-0001", "ORD-0002"]));
    let all = rig.run(&["label", "--run", "1", "--to", "all.pdf", "--with-cancelled"]);
    all.exits(0).prints("3 labels");
    rig.file("shipsheet.toml", "[operations.ndr]\npath = \"/sandbox/ndr/{orderId}\"\n");
    let ndr = rig.run(&["service", "ndr", "--run", "1", "--action", "RTO", "--yes"]);
    ndr.exits(6);
    assert!(ndr.stdout.lines().count() == 1 && ndr.stdout.starts_with("ORD-0003"), "{ndr:?}");
    let id = rig.order_id("ORD-0003");
    rig.sandbox().script_path(&format!("/sandbox/ndr/{id}"), [Answer::Status(500, String::new())]);
    let ndr = rig.run(&["service", "ndr", "ORD-0003", "--action", "RTO", "--yes"]);
    ndr.exits(6).prints("it may have been done all the same");
    rig.sandbox()
        .script_path(&format!("/sandbox/ndr/{id}"), [Answer::Status(200, r#"{"message": "received"}"#.into())]);
    rig.run(&["service", "ndr", "ORD-0003", "--action", "RTO", "--yes"])
        .exits(6)
        .prints("it says neither yes nor no; if it says so elsewhere, set [operations.ndr.fields] accepted = \"/…\" in shipsheet.toml; it was: {\"message\":\"received\"}");
    let retry = rig.run(&["retry", "ORD-0001", "ORD-0002", "ORD-0003", "--yes"]);
    for says in ["ORD-0001 (booked as SBX", " and cancelled; ", "and perhaps cancelled: see `shipsheet show ORD-0002`"]
    {
        retry.exits(0).says(says);
    }
    let only = rig.run(&["label", "ORD-0001", "--to", "one.pdf"]);
    only.exits(1).says("--with-cancelled");
    assert!(!rig.path("one.pdf").exists(), "{only:?}");
    rig.run(&["label", "ORD-0001", "--to", "all.pdf"]).exits(1).says("all.pdf is as it was");
    let results = rig.results(&[]);
    let marks: Vec<&str> = results.iter().map(|row| row["cancelled"].as_str().unwrap_or("none")).collect();
    assert!(marks[0].ends_with('Z') && marks[1].starts_with("unknown since ") && marks[2] == "none", "{marks:?}");
    assert!(results.iter().all(|row| row["state"] == "booked"), "a booking stays as it is");
    // The service had done it; the same command finds that out.
    rig.sandbox()
        .script_path(&path(&rig, "ORD-0002"), [Answer::Status(400, r#"{"message": "already cancelled"}"#.into())]);
    rig.run(&["cancel", "ORD-0001", "ORD-0002", "--yes"])
        .exits(0)
        .prints("was cancelled before, says the service")
        .says("ORD-0002, AWB")
        .says("answer unknown)")
        .says_nothing_of("ORD-0001");
    assert!(rig.results(&[])[1]["cancelled"].as_str().unwrap().ends_with('Z'));
}

#[test]
fn what_is_cancelled_is_not_asked_for_again_and_no_order_twice() {
    let rig = Rig::booked("", 9);
    let before = requests(&rig);
    let unasked = rig.run(&["cancel", "--run", "1"]);
    unasked.exits(2);
    assert!(requests(&rig) == before, "{unasked:?}");
    let awb = rig.bookings().into_iter().find(|(number, _)| number == "ORD-0001").unwrap().1;
    for says in [&format!("  ORD-0001, AWB {awb}, Delhivery"), "  and 4 more", "Cancel 9 shipments at the service?"] {
        unasked.says(says);
    }
    assert!(!unasked.stderr.contains("Asha") && !unasked.stderr.contains("98765"), "nobody's name");
    let twice = rig.run(&["cancel", "ORD-0001", "ORD-0002", "ORD-0001", "--yes"]);
    twice.exits(0);
    assert!(twice.stdout.lines().count() == 2, "{twice:?}");
    assert_eq!(requests(&rig), before + 2);
    rig.run(&["cancel", "--run", "1", "--yes"]).exits(0).prints("ORD-0001").prints("was cancelled on ");
    assert_eq!(requests(&rig), before + 9);
    let nothing = rig.run(&["cancel", "--run", "1"]);
    assert!(nothing.exit == 0 && requests(&rig) == before + 9, "nothing to ask: {nothing:?}");
}

/// Promise 2: an interrupted or killed cancellation goes on where it was, and asks again only for the one without
/// an answer.
#[test]
fn an_interrupted_and_a_killed_cancellation_go_on_where_they_were() {
    let rig = Rig::booked("", 30);
    let cancel = ["cancel", "--run", "1", "--yes", "--concurrency", "1"];
    let before = requests(&rig);
    let live = rig.live("interrupted", &[&cancel[..], &["--rate", "20"]].concat());
    wait_until("three are cancelled", || requests(&rig) >= before + 3);
    live.signal(Signal::INT);
    let ended = live.end();
    ended.exits(5).says("interrupted: ");
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
    rig.run(&cancel).exits(0);
    assert_eq!(requests(&rig), before + 31, "none is asked for twice but the one that was lost");
}

#[test]
fn a_changed_sheet_says_that_its_order_was_cancelled() {
    let rig = Rig::booked("", 2);
    rig.run(&["cancel", "ORD-0002", "--yes"]).exits(0);
    rig.file("orders.csv", &sheet_of(2).replace("Kurta", "Saree"));
    for arguments in [&["import", "orders.csv", "--yes"][..], &["import", "orders.csv", "--dry-run"]] {
        let came = rig.came(arguments);
        let of = |code: &str| came.all(code).into_iter().map(|own| own.order.as_str()).collect::<Vec<_>>();
        assert_eq!(of("changed-after-booking"), ["ORD-0001", "ORD-0002"], "{came:?}");
        assert_eq!(of("cancelled-before"), ["ORD-0002"], "{came:?}");
    }
    assert_eq!(rig.bookings().len(), 2);
}
