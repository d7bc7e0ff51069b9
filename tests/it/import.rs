//! `import` and `check`: what is sent, what stays behind, what is said.

use crate::rig::{HEADER, Rig, row, row_with, sheet, sheet_of};

/// Promise 1: importing a sheet again sends nothing and shows the AWB of each order.
#[test]
fn a_second_import_books_nothing_and_shows_each_awb() {
    let rig = Rig::new();
    rig.import_text(&sheet_of(20)).exits(0);
    assert_eq!(rig.bookings().len(), 20);
    let requests = rig.sandbox().book().requests();
    let second = rig.run(&["import", "orders.csv", "--yes"]);
    second.exits(0);
    assert_eq!(rig.sandbox().book().requests(), requests);
    let (order, awb) = &rig.bookings()[0];
    second.prints(format!("already booked: order {order}, AWB {awb}"));
}

/// Promise 4: rows and orders add up in the document and in the ledger.
#[test]
fn the_document_adds_up() {
    let rig = Rig::new();
    let mut rows = vec![
        row("A-1"),
        row("A-2").replace("K-1", "K-2"),
        String::new(),
        row_with("A-3", "12", "560001"),
        row_with("A-4", "9876543210", "999001"),
    ];
    rows.push(row("").replace("Asha", "Nobody"));
    rig.file("orders.csv", &sheet(rows));
    let came = rig.import(&["orders.csv"]);
    let document = &came.exits(4).document;
    assert_eq!(document["exit"], 4);
    let rows = serde_json::json!({"read": 6, "blank": 1, "skipped": 0, "in_orders": 3, "invalid": 2});
    assert_eq!(document["rows"], rows);
    let orders = &document["orders"];
    let expected = serde_json::json!({"total": 4, "booked": 2, "already_booked": 0, "invalid": 1, "rejected": 1,
        "refused": 0, "in_doubt": 0, "outstanding": 0, "held": 0, "left_out": 0, "abandoned": 0, "dismissed": 0});
    assert_eq!(orders, &expected);
    assert_eq!((&document["requests"], &document["lines"]), (&3.into(), &3.into()));
    assert_eq!(came.codes(), ["bad-phone", "missing-order-number"]);
    came.problems[0].is_at(5, "Receiver Phone");
    let (_, stored) = rig.json(&["status"]);
    assert_eq!((&stored["rows"], &stored["orders"]), (&document["rows"], &document["orders"]));
}

/// Promise 6: nothing is sent without a yes.
#[test]
fn nothing_is_sent_without_a_yes() {
    let rig = Rig::new();
    rig.file("orders.csv", &sheet_of(2));
    rig.run(&["import", "orders.csv"]).exits(2).says("--yes");
    assert_eq!(rig.sandbox().book().requests(), 0);
    rig.run(&["status"]).exits(0).prints("nothing was booked yet");
}

/// Promise 6: a check and a dry run send nothing and record nothing.
#[test]
fn a_dry_run_and_a_check_send_and_record_nothing() {
    let rig = Rig::new();
    rig.file("orders.csv", &sheet_of(2));
    for arguments in [["import", "orders.csv", "--dry-run"].as_slice(), &["check", "orders.csv"]] {
        rig.run(arguments).exits(0).says("to send: 2 orders with 2 lines, declared value 1,999.60");
    }
    assert_eq!(rig.sandbox().book().requests(), 0);
    rig.run(&["status"]).exits(0).prints("nothing was booked yet");
}

#[test]
fn all_or_nothing_is_meant() {
    let rig = Rig::new();
    rig.file("orders.csv", &sheet([row("A-1"), row_with("A-2", "12", "560001")]));
    rig.run(&["import", "orders.csv", "--yes", "--all-or-nothing"]).exits(3);
    assert_eq!(rig.sandbox().book().requests(), 0);
    rig.run(&["import", "orders.csv", "--yes"]).exits(4);
    assert_eq!(rig.bookings().len(), 1);
}

#[test]
fn a_sheet_without_a_good_order_ends_with_3() {
    let rig = Rig::new();
    rig.import_text(&sheet([row_with("A-2", "12", "560001")])).exits(3);
    rig.file("columns.csv", "Name,Phone\nAsha,9876543210\n");
    rig.run(&["import", "columns.csv", "--yes"]).exits(3).says("no column holds the order number");
    assert_eq!(rig.sandbox().book().requests(), 0);
}

#[test]
fn two_hundred_orders_ten_invalid_ten_rejected() {
    let rig = Rig::new();
    let rows = (1..=200).map(|number| {
        let (phone, pin) = match number % 20 {
            7 => ("123", "560001"),
            13 => ("9876543210", "999001"),
            _ => ("9876543210", "560001"),
        };
        row_with(&format!("ORD-{number:03}"), phone, pin)
    });
    rig.file("orders.csv", &sheet(rows));
    let (code, document) = rig.json(&["import", "orders.csv", "--yes"]);
    assert_eq!(code, 4);
    let orders = &document["orders"];
    assert_eq!((&orders["total"], &orders["booked"]), (&200.into(), &180.into()));
    assert_eq!((&orders["invalid"], &orders["rejected"]), (&10.into(), &10.into()));
    let failed = rig.results(&["--state", "invalid,rejected"]);
    assert_eq!(failed.len(), 20);
    for order in &failed {
        let cause = order["error"].as_str().unwrap();
        let expected =
            if order["state"] == "invalid" { "bad-phone: has 3 digits" } else { "PIN code 999001 is not serviceable" };
        assert!(cause.contains(expected), "{order}");
    }
    let mut booked = rig.results(&["--state", "booked"]);
    booked.sort_by_key(|order| order["order_number"].as_str().unwrap().to_owned());
    let mut book = rig.bookings();
    book.sort();
    let ours: Vec<(String, String)> = booked
        .iter()
        .map(|order| (order["order_number"].as_str().unwrap().to_owned(), order["awb"].as_str().unwrap().to_owned()))
        .collect();
    assert_eq!(ours, book);
}

/// Promise 1: a booked order whose cells have changed since is not booked again.
#[test]
fn a_changed_order_is_never_booked_again() {
    let rig = Rig::new();
    rig.import_text(&sheet([row("A-1"), row("A-2")])).exits(0);
    let awb = rig.bookings().into_iter().find(|(number, _)| number == "A-1").unwrap().1;
    rig.file("orders.csv", &sheet([row("A-1").replace("Kurta", "Saree"), row("A-2"), row("A-3")]));
    rig.run(&["import", "orders.csv", "--yes"]).exits(4).says("order-known").says(&awb);
    assert_eq!(rig.bookings().len(), 3);
}

#[test]
fn the_configuration_fills_what_the_sheet_lacks() {
    let rig = Rig::new();
    let bare = sheet([row("A-1")]).replace(",Warehouse", ",Shelf").replace("Country Code,", "Land,");
    rig.file("orders.csv", &bare);
    assert_eq!(rig.run(&["import", "orders.csv", "--yes"]).exit, 3, "no warehouse and no country yet");
    rig.file(
        "shipsheet.toml",
        "[defaults]\nwarehouseId = \"WH-9\"\n\"destination.countryCode\" = \"IN\"\ncarrier = \"bluedart\"\n[check]\nrequired = [\"receiver.email\"]\n",
    );
    rig.run(&["check", "orders.csv"]).exits(3).says("Receiver Email");
    let relaxed = rig
        .read("shipsheet.toml")
        .replace("[check]\nrequired = [\"receiver.email\"]\n", "[check]\noptional = [\"destination.state\"]\n");
    rig.file("shipsheet.toml", &relaxed);
    rig.run(&["import", "orders.csv", "--yes"]).exits(0);
    let body = String::from_utf8(rig.sandbox().book().bookings()[0].body.clone()).unwrap();
    for part in [r#""warehouseId":"WH-9""#, r#""countryCode":"IN""#, r#""country":"India""#, r#""carrier":"bluedart""#]
    {
        assert!(body.contains(part), "{body}");
    }
}

#[test]
fn an_order_without_a_date_keeps_its_first_one_for_good() {
    let rig = Rig::new();
    let undated = sheet([row("A-1").replace("2026-11-20", "")]);
    rig.import_text(&undated).exits(0);
    let again = rig.run(&["import", "orders.csv", "--yes"]);
    assert_eq!(again.exit, 0, "the same request, hours later: {again:?}");
    assert_eq!(rig.sandbox().book().requests(), 1);
}

#[test]
fn errors_tell_what_to_do() {
    let rig = Rig::new();
    rig.file("orders.csv", &sheet_of(1));
    rig.file("bad.toml", "[defaults]\nwarehouse = \"WH-1\"\n");
    let cases: [(&[&str], i32, &str); 8] = [
        (&["import", "nowhere.csv", "--yes"], 1, "nowhere.csv"),
        (&["import"], 2, "SHEET"),
        (&["import", "orders.csv", "--concurrency", "0"], 2, "a number from 1 to 256"),
        (
            &["check", "orders.csv", "--config", "bad.toml"],
            1,
            "`warehouse` in [defaults] is not a field; did you mean `warehouseId`?",
        ),
        (&["import", "orders.csv", "--yes", "--base-url", "http://example.com"], 1, "plain http"),
        (&["export", "--to", "results.pdf"], 2, "must end in .csv, .xlsx or .jsonl"),
        (&["export", "--to", "r.csv", "--state", "boked"], 2, "did you mean booked?"),
        (&["show", "NOPE"], 1, "no ledger"),
    ];
    for (arguments, code, text) in cases {
        let ran = rig.run(arguments);
        ran.exits(code).says(text);
    }
    let mut tokenless = rig.command(&["import", "orders.csv", "--yes"]);
    tokenless.env_remove("SHIPSHEET_TOKEN");
    crate::rig::ran(tokenless).exits(1).says("SHIPSHEET_TOKEN");
    assert_eq!(rig.sandbox().book().requests(), 0);
}

#[test]
fn the_built_in_sandbox_needs_nothing() {
    let rig = Rig::alone();
    rig.file("orders.csv", &format!("{HEADER}\n{}\n", row("A-1")));
    for (booked, already) in [(1, 0), (0, 1)] {
        let (code, document) = rig.json(&["import", "orders.csv", "--sandbox"]);
        assert_eq!(code, 0);
        assert_eq!(
            (&document["orders"]["booked"], &document["orders"]["already_booked"]),
            (&booked.into(), &already.into())
        );
    }
    rig.run(&["--sandbox", "show", "A-1"]).prints("order A-1 at sandbox: booked");
}

#[test]
fn a_closed_pipe_is_no_failure() {
    let rig = Rig::alone();
    let mut command = rig.command(&["fields"]);
    let mut child = command.stdout(std::process::Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_sheet_given_twice_is_read_once_and_in_two_forms_refused() {
    let rig = Rig::new();
    rig.file("orders.csv", &sheet_of(2));
    rig.file("copy.csv", &sheet_of(2));
    rig.file("tabs.csv", &sheet_of(2).replace(',', "\t"));
    rig.run(&["import", "orders.csv", "tabs.csv", "--yes"]).exits(3).says("order-in-two-sheets").says("(2 times)");
    assert_eq!(rig.sandbox().book().requests(), 0);
    rig.run(&["import", "orders.csv", "copy.csv", "orders.csv", "--yes"]).exits(0).says("sheet-twice");
    assert_eq!(rig.sandbox().book().requests(), 2);
}

#[test]
fn a_file_that_cannot_be_used_keeps_no_other_back() {
    let rig = Rig::new();
    rig.file("orders.csv", &sheet_of(2));
    rig.file("label.csv", "%PDF-1.4\n");
    rig.file("stock.csv", "Shelf,Colour,Left,Right,Middle\nA,red,1,2,3\n");
    let all = ["import", "label.csv", "orders.csv", "stock.csv", "nowhere.csv", "--yes"];
    rig.run(&all)
        .exits(4)
        .says("error[unreadable-sheet]")
        .says("label.csv is a PDF")
        .says("cannot read nowhere.csv")
        .says("stock.csv")
        .says("no column holds the order number");
    assert_eq!(rig.sandbox().book().requests(), 2);
    rig.run(&["status"]).exits(4);
    rig.run(&["check", "orders.csv", "label.csv"]).exits(3).says("import it by itself");
    // Where none can be used, each says why.
    rig.run(&["import", "label.csv", "nowhere.csv", "--yes"]).exits(1).says("label.csv is a PDF");
    rig.run(&["import", "label.csv", "stock.csv", "--yes"]).exits(3).says("unreadable-sheet").says("missing-column");
    assert_eq!(rig.sandbox().book().requests(), 2);
}

#[test]
fn a_tilde_is_the_home_folder_where_no_shell_writes_it_out() {
    let rig = Rig::alone();
    rig.file("orders.csv", &sheet_of(1));
    let home = rig.path("home");
    let ran = rig
        .command(&["--sandbox", "import", "orders.csv", "--yes", "--ledger=~/books.sqlite"])
        .env("HOME", &home)
        .output();
    assert!(ran.unwrap().status.success() && home.join("books.sqlite").is_file());
}

#[test]
fn results_that_cannot_be_written_are_noticed_before_anything_is_sent() {
    let rig = Rig::new();
    rig.file("orders.csv", &sheet_of(1));
    std::fs::create_dir(rig.path("folder.csv")).unwrap();
    for (target, code) in [("folder.csv", 1), ("nowhere/results.csv", 1), ("results.pdf", 2)] {
        rig.run(&["import", "orders.csv", "--yes", "--results", target]).exits(code);
        assert_eq!(rig.sandbox().book().requests(), 0);
    }
    rig.run(&["import", "orders.csv", "--yes", "--results", "results.csv"]).exits(0);
    assert!(rig.read("results.csv").contains(&rig.bookings()[0].1));
    assert!(!rig.path("results.csv.part").exists());
}

#[test]
fn a_failure_is_a_document_too() {
    let rig = Rig::new();
    let came = rig.import(&["nowhere.csv"]);
    assert_eq!(came.exits(1).document["exit"], 1);
    came.problems[0].says("nowhere.csv");
}

#[test]
fn a_sandbox_never_writes_into_the_real_ledger() {
    let rig = Rig::new();
    rig.file("orders.csv", &sheet_of(1));
    rig.run(&["import", "orders.csv", "--sandbox"]).exits(0);
    assert!(!rig.path("ledger.sqlite").exists());
    rig.run(&["import", "orders.csv", "--sandbox", "--ledger", "other.sqlite"]).exits(0);
    assert!(rig.path("other.sqlite").exists());
}

#[test]
fn limits_leave_the_rest_outstanding_and_resume_goes_on() {
    let rig = Rig::new();
    rig.file("orders.csv", &sheet_of(10));
    let (code, document) = rig.json(&["import", "orders.csv", "--yes", "--max-orders", "4"]);
    assert_eq!((code, &document["stopped_by"]), (5, &"limit".into()), "{document}");
    assert_eq!((&document["orders"]["booked"], &document["orders"]["outstanding"]), (&4.into(), &6.into()));
    rig.run(&["resume", "--yes", "--deadline", "0s"]).exits(5).prints("the deadline");
    assert_eq!(rig.bookings().len(), 4);
    rig.run(&["status"]).prints("stopped (limit): the time that the deadline allows is over");
    rig.run(&["resume", "--yes"]).exits(0);
    assert_eq!(rig.bookings().len(), 10);
    rig.file("bad.csv", &sheet((1..=9).map(|n| row_with(&format!("B-{n}"), "9876543210", "999001"))));
    let (code, document) = rig.json(&["import", "bad.csv", "--yes", "--max-failures", "2", "--concurrency", "1"]);
    assert_eq!((code, &document["orders"]["rejected"]), (5, &2.into()), "{document}");
}
