//! After booking: labels, invoices, details, tracking, cancelling.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use lopdf::Document;
use serde_json::Value;
use shipsheet::sandbox::{Answer, Options};

use crate::rig::{PATIENCE, Rig, row, row_with, sheet, sheet_of};

/// The AWBs of a merged file, page after page, and the text of its index.
fn awbs(file: &std::path::Path, index_pages: u32) -> (Vec<String>, String) {
    let document = Document::load(file).unwrap();
    let pages = u32::try_from(document.get_pages().len()).unwrap();
    let text = |page: u32| document.extract_text(&[page]).unwrap();
    let index: String = (1..=index_pages).map(text).collect();
    let awb = |text: String| {
        let from = text.find("SBX").unwrap();
        text[from..].split("Order").next().unwrap().trim().to_owned()
    };
    ((index_pages + 1..=pages).map(|page| awb(text(page))).collect(), index)
}

/// The program's own check and, where it is installed, qpdf's.
fn is_sound(file: &std::path::Path) {
    if let Ok(output) = Command::new("qpdf").arg("--check").arg(file).output() {
        assert!(output.status.success(), "{output:?}");
    }
    assert!(Document::load(file).is_ok());
}

#[cfg(unix)]
#[test]
fn a_run_of_500_labels_is_one_file_in_sheet_order_though_interrupted() {
    let rig = Rig::booked("latency=4ms", 500);
    let arguments = ["label", "--run", "1", "--to", "labels.pdf"];
    let mut command = rig.command(&arguments);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let begun = Instant::now();
    let files = || std::fs::read_dir(rig.path("labels-labels")).map_or(0, Iterator::count);
    while files() < 60 {
        assert!(begun.elapsed() < PATIENCE);
        std::thread::sleep(Duration::from_millis(5));
    }
    let _ = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert_eq!(child.wait().unwrap().code(), Some(5), "interrupted");
    let kept = files();
    assert!((60..500).contains(&kept) && !rig.path("labels.pdf").exists());
    let before = rig.sandbox().book().requests();
    let (code, document) = rig.json(&arguments);
    assert_eq!((code, &document["kept"], &document["fetched"]), (0, &kept.into(), &(500 - kept).into()));
    // Its address and the label itself: two requests for each.
    assert_eq!(rig.sandbox().book().requests(), before + 2 * (500 - kept as u64));
    assert_eq!(document["pages"], 512);
    let (labels, index) = awbs(&rig.path("labels.pdf"), 12);
    let mut bookings = rig.bookings();
    bookings.sort();
    assert!(bookings.into_iter().map(|(_, awb)| awb).eq(labels.iter().cloned()), "labels are not in sheet order");
    assert!(index.contains("ORD-0001") && index.contains("ORD-0500"));
    is_sound(&rig.path("labels.pdf"));
    // A reprint of a few asks for nothing.
    let before = rig.sandbox().book().requests();
    rig.run(&["label", "--run", "1", "--to", "labels.pdf", "--range", "10-12", "--sort", "order"]).exits(0);
    assert_eq!((awbs(&rig.path("labels.pdf"), 1).0, rig.sandbox().book().requests()), (labels[9..12].to_vec(), before));
}

#[test]
fn missing_labels_are_listed_and_tried_again() {
    let rig = Rig::booked("", 4);
    let path = |number: &str, what: &str| format!("/v1/external/shipments/{}/{what}", rig.order_id(number));
    let sandbox = rig.sandbox();
    // One that no try gets, one whose address leads elsewhere, one that has no address but a label.
    sandbox.script_path(&path("ORD-0001", "label-url"), [const { Answer::Status(500, String::new()) }; 4]);
    let elsewhere = vec![("location".to_owned(), "http://127.0.0.1:9/x".to_owned())];
    let file = format!("/sandbox/files/label/{}.pdf", rig.order_id("ORD-0002"));
    sandbox.script_path(&file, [Answer::Full(302, elsewhere, String::new())]);
    sandbox.script_path(&path("ORD-0003", "label-url"), [Answer::Status(404, String::new())]);
    sandbox.script_path(
        &path("ORD-0004", "label-url"),
        [Answer::Status(200, r#"{"labelUrl":"http://192.0.2.1/x"}"#.into())],
    );
    let arguments = ["label", "--run", "1", "--to", "labels.pdf"];
    let (code, document) = rig.json(&arguments);
    assert_eq!((code, &document["fetched"], &document["pages"]), (4, &1.into(), &2.into()), "{document}");
    let error = |n: usize| document["labels"][n]["error"].as_str().unwrap_or_default().to_owned();
    for (n, says) in [(0, "HTTP 500"), (1, "redirects are never followed"), (3, "no whole https address")] {
        assert!(error(n).contains(says), "{document}");
    }
    assert!(awbs(&rig.path("labels.pdf"), 1).1.contains("missing: "));
    rig.run(&arguments).exits(0).prints("4 labels on 5 pages, 3 fetched, 1 there before");
    let numbers = ["label", "ORD-0004", "ORD-0002", "NOPE", "--to", "two.pdf", "--folder", "labels-labels"];
    rig.run(&numbers).exits(4).says("order NOPE has no AWB here");
    let by_number = |number: &str| rig.bookings().into_iter().find(|(n, _)| n == number).unwrap().1;
    assert_eq!(awbs(&rig.path("two.pdf"), 1).0, [by_number("ORD-0004"), by_number("ORD-0002")]);
    rig.run(&["label", "--run", "1", "--to", "labels.txt"]).exits(2);
    rig.run(&["label", "--to", "labels.pdf"]).exits(2);
}

#[test]
fn a_label_elsewhere_is_fetched_without_the_token() {
    let (rig, elsewhere) = (Rig::booked("", 1), Rig::new());
    let id = rig.order_id("ORD-0001");
    // That sandbox refuses whoever shows a token with a request for a file.
    let url = format!("{}/sandbox/files/label/{id}.pdf", elsewhere.sandbox().base_url());
    let wrapped = serde_json::json!({"data": {"labelUrl": url}});
    for (n, answer) in [serde_json::json!({ "labelUrl": url }), wrapped].into_iter().enumerate() {
        let answer = Answer::Status(200, answer.to_string());
        rig.sandbox().script_path(&format!("/v1/external/shipments/{id}/label-url"), [answer]);
        rig.run(&["label", "ORD-0001", "--to", &format!("label-{n}.pdf")]).exits(0).prints("1 label on 2 pages");
        assert_eq!(elsewhere.sandbox().book().requests(), n as u64 + 1);
    }
}

#[test]
fn no_operation_follows_a_redirect_with_its_token() {
    let (rig, elsewhere) = (Rig::booked("", 1), Rig::new());
    let id = rig.order_id("ORD-0001");
    let shipment = |what: &str| format!("/v1/external/shipments/{id}/{what}");
    let quote =
        ["service", "quote", "--from", "1234", "--to", "1234", "--size", "1x1x1", "--weight", "1", "--value", "1"];
    let register = ["service", "webhook", "register", "--url", "https://example.com/hook", "--yes"];
    let commands: [(String, &[&str]); 10] = [
        ("/v1/external/auth/login".to_owned(), &["service", "login"]),
        ("/v1/external/shipments/track/webhook".to_owned(), &register),
        ("/v1/external/shipments/track".to_owned(), &["track", "ORD-0001"]),
        ("/v1/external/shipments".to_owned(), &["service", "details", "ORD-0001"]),
        (shipment("cancel"), &["cancel", "ORD-0001", "--yes"]),
        (shipment("label-url"), &["label", "ORD-0001", "--to", "x.pdf"]),
        (shipment("invoice"), &["service", "invoice", "ORD-0001", "--to", "invoices"]),
        (
            "/v1/external/carrier/serviceability".to_owned(),
            &["service", "serviceability", "--from", "1234", "--to", "560001"],
        ),
        ("/v1/external/shipments/rates".to_owned(), &quote),
        ("/v1/external/shipments/track".to_owned(), &["service", "call", "track", "--param", "orderId=1"]),
    ];
    for (path, command) in commands {
        let location = vec![("location".to_owned(), format!("{}{path}", elsewhere.sandbox().base_url()))];
        rig.sandbox().script_path(&path, [Answer::Full(307, location, String::new())]);
        let mut command = rig.command(command);
        command.env("SHIPSHEET_EMAIL", "a@b.example").env("SHIPSHEET_PASSWORD", "password");
        let ran = crate::rig::ran_here(command);
        let says = format!("{ran:?}");
        assert!(matches!(ran.exit, 1 | 4) && (says.contains("307") || says.contains("redirect")), "{path} {ran:?}");
    }
    assert_eq!(elsewhere.sandbox().book().requests(), 0, "a redirect was followed");
}

#[test]
fn a_label_that_is_no_pdf_is_never_kept() {
    let rig = Rig::booked("", 1);
    let path = format!("/v1/external/shipments/{}/label-url", rig.order_id("ORD-0001"));
    for (answer, says) in [
        (Answer::Status(200, "%PDF-1.4 and then nothing".into()), "cannot be used"),
        (Answer::Status(200, "<html>".into()), "neither a PDF nor JSON"),
        (
            Answer::Status(200, r#"{"label":1}"#.into()),
            "names no address; if it says so elsewhere, set [operations.label_url.fields] url = \"/label\" in shipsheet.toml; it was: {\"label\":1}",
        ),
        (Answer::Status(200, r#"{"labelUrl":"/files/1.pdf"}"#.into()), "take it from the courier's portal"),
        (Answer::Status(200, format!("%PDF-{}", "x".repeat(17 << 20))), "longer than 16 MiB"),
    ] {
        rig.sandbox().script_path(&path, [answer]);
        rig.run(&["label", "ORD-0001", "--to", "l.pdf"]).exits(4).says(says);
        assert_eq!(std::fs::read_dir(rig.path("l-labels")).unwrap().count(), 0);
    }
}

#[test]
fn a_cancellation_is_asked_for_kept_and_never_books_again() {
    let rig = Rig::booked("", 2);
    rig.run(&["cancel", "ORD-0001"]).exits(2).says("--yes");
    let (code, document) = rig.json(&["cancel", "ORD-0001", "--yes"]);
    assert_eq!((code, &document["orders"][0]["cancelled"]["refund_status"]), (0, &"REFUND_INITIATED".into()));
    rig.run(&["cancel", "ORD-0001", "--yes"]).exits(0).prints("was cancelled on ");
    rig.run(&["show", "ORD-0001"]).prints("cancelled by tester").prints("REFUND_INITIATED");
    let import = rig.run(&["import", "orders.csv", "--yes"]);
    assert_eq!((import.exit, rig.bookings().len()), (0, 2));
    import.says("order-known").says("new order number");
    assert_eq!(rig.import(&["orders.csv"]).only("cancelled-before").order, "ORD-0001");
    rig.run(&["track", "ORD-0001"]).prints("Cancelled by the seller");
}

#[test]
fn details_and_invoices_come_by_our_order_numbers() {
    let rig = Rig::booked("", 3);
    let (code, document) = rig.json(&["service", "details", "ORD-0002", "ORD-0003"]);
    let numbers: Vec<&Value> =
        document["orders"].as_array().unwrap().iter().map(|o| &o["details"]["orderNumber"]).collect();
    assert_eq!((code, numbers), (0, vec![&"ORD-0002".into(), &"ORD-0003".into()]));
    let people = rig.run(&["service", "details", "ORD-0002"]).stdout;
    assert!(people.lines().all(|line| line == line.trim_end()), "{people}");
    for line in ["    orderNumber                      ORD-0002", "    shipmentPaymentDetails.amount    54.20"] {
        assert!(people.contains(line), "{people}");
    }
    assert!(people.contains("    createdAt                        20") && !people.contains('{'), "{people}");
    rig.run(&["service", "invoice", "--run", "1", "--to", "invoices"]).exits(0);
    assert_eq!(std::fs::read_dir(rig.path("invoices")).unwrap().count(), 3);
    rig.run(&["service", "details", "NOPE"]).exits(1).says("nothing to ask");
}

#[test]
fn tracking_moves_and_shows_exceptions_first() {
    let rig = Rig::serving(Options { tracking_step: Duration::from_millis(1), ..Options::default() });
    rig.file(
        "orders.csv",
        &sheet((1..=20).map(|n| row(&format!("T-{n}"))).chain([row_with("T-21", "9876543210", "999001")])),
    );
    rig.run(&["import", "orders.csv", "--yes", "--concurrency", "1"]).exits(4);
    let summary = rig.run(&["track", "--run", "1"]);
    summary.exits(4).says("1 rejected (T-21)");
    let lines: Vec<&str> = summary.stdout.lines().collect();
    assert!(lines[0].starts_with("!      2  rto_initiated"), "{}", summary.stdout);
    summary.prints("      18  delivered");
    let history = rig.run(&["track", "T-1"]);
    history.prints("T-1").prints("delivered, Delivered, Bengaluru");
    let places: Vec<usize> = ["pickup_scheduled", "in_transit", "out_for_delivery", "delivered, "]
        .map(|s| history.stdout.find(s).unwrap())
        .to_vec();
    assert!(places.is_sorted(), "the oldest first: {}", history.stdout);
    let table = rig.run(&["track", "T-1", "T-2", "--concurrency", "1"]);
    assert_eq!(table.stdout.lines().count(), 2, "{table:?}");
    let (_, document) = rig.json(&["track", "T-1"]);
    assert_eq!(document["orders"][0]["tracking"]["status"], "delivered");
}

#[test]
fn the_built_in_sandbox_knows_what_an_earlier_process_booked() {
    let rig = Rig::alone();
    rig.file("orders.csv", &sheet_of(2));
    rig.run(&["import", "orders.csv", "--sandbox"]).exits(0);
    rig.run(&["--sandbox", "label", "--run", "1", "--to", "labels.pdf"]).exits(0).prints("2 labels on 3 pages");
    rig.run(&["--sandbox", "track", "--run", "1"]).exits(0);
}
