//! What looks like a mistake in a sheet and may be none: said before money is spent.

use serde_json::Value;
use shipsheet::sandbox::Answer;

use crate::rig::{HEADER, Rig, row, row_with, sheet};

/// The problems of a check by code, as (severity, place, message).
fn told(document: &Value, code: &str) -> Vec<(String, String, String)> {
    let problems = document["problems"].as_array().unwrap().iter().filter(|problem| problem["code"] == code);
    let text = |problem: &Value, key: &str| problem[key].as_str().unwrap_or_default().to_owned();
    problems.map(|problem| (text(problem, "severity"), text(problem, "place"), text(problem, "message"))).collect()
}

/// An order of a person of its own.
fn own(number: usize) -> String {
    row_with(&format!("Y-{number:02}"), &format!("98765{number:05}"), "560001")
}

#[test]
fn one_number_with_two_receivers_is_no_order() {
    let rig = Rig::new();
    rig.file("orders.csv", &sheet([row("A-1"), row_with("A-1", "9812345678", "560001"), own(2)]));
    let (code, document) = rig.json(&["import", "orders.csv", "--yes"]);
    assert_eq!(code, 4, "{document}");
    let clashes = told(&document, "order-clash");
    assert_eq!(clashes.len(), 1, "{document}");
    for place in ["orders.csv:2 \"Receiver Phone\"", "orders.csv:3 \"Receiver Phone\""] {
        assert!(clashes[0].2.contains(place), "{}", clashes[0].2);
    }
    assert_eq!(rig.bookings().len(), 1);
}

#[test]
fn the_same_shipment_under_another_number_is_said_and_sent() {
    let rig = Rig::new();
    let rows = [
        row("A-1"),
        row("A-2").replace("Asha", "ASHA "),
        row("A-3").replace(",499.90,2", ",499.90,3"),
        row_with("A-4", "9812345678", "560001"),
        row("A-5").replace(",499.90,2", ",499.9,2"),
    ];
    rig.file("orders.csv", &sheet(rows));
    let (code, document) = rig.json(&["import", "orders.csv", "--yes"]);
    assert_eq!((code, rig.bookings().len()), (0, 5), "{document}");
    let same = told(&document, "same-shipment");
    let places: Vec<&str> = same.iter().map(|(_, place, _)| place.as_str()).collect();
    assert_eq!(places, ["orders.csv:3 \"Order Number\"", "orders.csv:6 \"Order Number\""], "{document}");
    for (severity, _, message) in &same {
        assert!(severity == "warning" && message.contains("the order in orders.csv:2 \"Order Number\""), "{message}");
    }
}

#[test]
fn a_number_that_is_spelled_in_another_way_is_no_second_order() {
    let rig = Rig::new();
    rig.file("monday.csv", &sheet([row("A-1"), row("a1"), own(1)]));
    let (code, document) = rig.json(&["import", "monday.csv", "--yes"]);
    assert_eq!((code, rig.bookings().len()), (4, 2), "{document}");
    let same = told(&document, "same-shipment");
    assert_eq!((same.len(), same[0].0.as_str(), same[0].1.as_str()), (1, "error", "monday.csv:3 \"Order Number\""));
    // The day after, and what is booked under its own number stays so.
    rig.file("tuesday.csv", &sheet([row("#A1"), own(1), row("A-2")]));
    let (code, document) = rig.json(&["import", "tuesday.csv", "--yes"]);
    assert_eq!((code, rig.bookings().len()), (4, 3), "{document}");
    let same = told(&document, "same-shipment");
    assert!(
        same.iter().any(|(severity, place, message)| severity == "error"
            && place == "tuesday.csv:2 \"Order Number\""
            && message.contains("of order A-1, booked lately (AWB ")),
        "{document}"
    );
    let (code, document) = rig.json(&["import", "monday.csv", "--yes"]);
    assert_eq!((code, rig.bookings().len()), (4, 3), "{document}");
}

#[test]
fn zeros_and_digits_of_other_scripts_make_no_second_order() {
    let rig = Rig::new();
    // All of one shipment: the likeness is looked for among all of its orders, and not only the first.
    rig.file("monday.csv", &sheet([row("X-7"), row("ORD-1"), row("1001"), row("X-8")]));
    assert_eq!(rig.run(&["import", "monday.csv", "--yes"]).code, 0);
    for (number, before) in
        [("ORD-01", "ORD-1"), ("01001", "1001"), ("ＯＲＤ－１", "ORD-1"), ("१००१", "1001"), ("ord 001", "ORD-1")]
    {
        rig.file("tuesday.csv", &sheet([row(number)]));
        let (code, document) = rig.json(&["import", "tuesday.csv", "--yes"]);
        let same = told(&document, "same-shipment");
        assert_eq!((code, same.len(), rig.bookings().len()), (3, 1, 4), "{number}: {document}");
        assert!(same[0].0 == "error" && same[0].2.contains(&format!("of order {before}, booked")), "{}", same[0].2);
    }
    // Within one sheet as well; other content is another order, as it is with every likeness.
    let other = row("A-001").replace("Kurta,K-1", "Mug,M-1");
    rig.file("wednesday.csv", &sheet([row("Z-1"), row("A-1"), row("A-01"), other]));
    let (code, document) = rig.json(&["import", "wednesday.csv", "--yes"]);
    assert_eq!((code, rig.bookings().len()), (4, 7), "{document}");
    let held: Vec<_> = told(&document, "same-shipment").into_iter().filter(|same| same.0 == "error").collect();
    assert!(held.len() == 1 && held[0].1 == "wednesday.csv:4 \"Order Number\"", "{held:?}");
    assert!(held[0].2.contains("wednesday.csv:3"), "{}", held[0].2);
}

#[test]
fn a_respelled_number_with_other_content_is_held_until_the_configuration_sends_it() {
    let rig = Rig::new();
    rig.file("monday.csv", &sheet([row("ORD-1")]));
    assert_eq!(rig.run(&["import", "monday.csv", "--yes"]).code, 0);
    let product = row("ORD-01").replace("Kurta,K-1", "Mug,M-1");
    let phone = row_with("ORD-01", "9812345678", "560001");
    for other in [&product, &phone, &row_with("ＯＲＤ－１", "9812345678", "560001")] {
        rig.file("tuesday.csv", &sheet([other.clone()]));
        let (code, document) = rig.json(&["import", "tuesday.csv", "--yes"]);
        let alike = told(&document, "numbers-alike");
        assert_eq!((code, alike.len(), rig.bookings().len()), (3, 1, 1), "{document}");
        assert!(alike[0].0 == "error" && alike[0].2.contains("is that of order ORD-1, booked lately"), "{alike:?}");
        assert!(document.to_string().contains("numbers_alike = \\\"warn\\\" under [check]"), "{document}");
    }
    rig.file("shipsheet.toml", "[check]\nnumbers_alike = \"warn\"\n");
    let dry = rig.run(&["import", "tuesday.csv", "--dry-run"]);
    assert!(dry.code == 0 && dry.stderr.contains("numbers-alike"), "it is said before anything is sent: {dry:?}");
    rig.file("tuesday.csv", &sheet([product.clone()]));
    let (code, document) = rig.json(&["import", "tuesday.csv", "--yes"]);
    let alike = told(&document, "numbers-alike");
    assert_eq!((code, alike.len(), rig.bookings().len()), (0, 1, 2), "{document}");
    assert_eq!(alike[0].0, "warning");
    // Both are known from now on, also where such numbers are held.
    rig.file("shipsheet.toml", "");
    for day in ["monday.csv", "tuesday.csv"] {
        assert_eq!(rig.run(&["import", day, "--yes"]).code, 0);
    }
    assert_eq!(rig.bookings().len(), 2);
}

#[test]
fn a_respelled_number_is_held_beside_orders_that_may_be_booked_or_will_be() {
    for (answer, code, standing) in [
        (Answer::CutAfter, 6, "in doubt"),
        (Answer::TooMany(3_600), 5, "outstanding"),
        (Answer::CutAfter, 6, "given up"),
    ] {
        let rig = Rig::new();
        rig.file("shipsheet.toml", "[booking]\nmax_wait_seconds = 1\n");
        rig.file("monday.csv", &sheet([row("ORD-1")]));
        rig.sandbox().script_order("ORD-1", [answer]);
        assert_eq!(rig.run(&["import", "monday.csv", "--yes"]).code, code);
        if standing == "given up" {
            assert_eq!(rig.run(&["doubt", "abandon", "ORD-1", "--because", "unknown"]).code, 0);
        }
        let before = rig.bookings().len();
        for (other, code) in [(row("ORD-01"), "same-shipment"), (row("ord 1").replace("Kurta", "Mug"), "numbers-alike")]
        {
            rig.file("tuesday.csv", &sheet([other]));
            let (_, document) = rig.json(&["import", "tuesday.csv", "--yes"]);
            let held = told(&document, code);
            assert_eq!((held.len(), rig.bookings().len()), (1, before), "{standing}: {document}");
            assert!(held[0].0 == "error" && held[0].2.contains(&format!("of order ORD-1, {standing}")), "{held:?}");
        }
    }
}

#[test]
fn a_respelled_number_is_held_beside_an_order_at_another_address_of_the_service() {
    let rig = Rig::new();
    rig.file("monday.csv", &sheet([row("ORD-1")]));
    assert_eq!(rig.run(&["import", "monday.csv", "--yes"]).code, 0);
    let here = format!("http://{}", rig.sandbox().address());
    let other = format!("http://localhost:{}", rig.sandbox().address().port());
    rig.file("tuesday.csv", &sheet([row("ORD-0001")]));
    let (code, document) = rig.json(&["--base-url", &other, "import", "tuesday.csv", "--yes"]);
    let held = told(&document, "same-shipment");
    assert_eq!((code, held.len(), rig.bookings().len()), (3, 1, 1), "{document}");
    assert!(held[0].2.contains(&format!("of order ORD-1, booked lately at {here}")), "{held:?}");
    // Another service has orders of its own.
    let said = rig.run(&["--base-url", &other, "service", "different", &here, "--because", "another account"]);
    assert_eq!(said.code, 0, "{said:?}");
    assert_eq!(rig.run(&["--base-url", &other, "import", "tuesday.csv", "--yes"]).code, 0);
}

#[test]
fn an_order_split_across_two_sheets_is_one_and_is_named() {
    let rig = Rig::new();
    rig.file("monday.csv", &sheet([row("A-1"), own(1)]));
    rig.file("tuesday.csv", &sheet([own(2), row("A-1").replace("Kurta,K-1", "Scarf,S-1")]));
    let (code, document) = rig.json(&["import", "monday.csv", "tuesday.csv", "--yes"]);
    assert_eq!((code, &document["requests"]), (0, &3.into()), "{document}");
    let split = told(&document, "split-order");
    assert_eq!(split.len(), 1, "{document}");
    assert_eq!((split[0].0.as_str(), split[0].1.as_str()), ("warning", "tuesday.csv:3 \"Order Number\""));
    assert!(split[0].2.contains("from monday.csv:2 \"Order Number\" and tuesday.csv:3"), "{}", split[0].2);
    let bookings = rig.sandbox().book().bookings();
    let booked = bookings.iter().find(|booking| booking.order_number == "A-1").unwrap();
    let body: Value = serde_json::from_slice(&booked.body).unwrap();
    assert_eq!(body["productRequestsList"].as_array().unwrap().len(), 2);
    // With the same lines in both, it is most likely one sheet in two forms: that is held back.
    rig.file("monday.csv", &sheet([own(3)]));
    rig.file("again.csv", &format!("{}\n", sheet([own(3)])));
    let ran = rig.run(&["import", "monday.csv", "again.csv", "--yes"]);
    assert!(ran.code == 3 && ran.stderr.contains("rows-twice"), "{ran:?}");
}

#[test]
fn a_row_that_was_pasted_twice_is_named() {
    let rig = Rig::alone();
    rig.file("orders.csv", &sheet([row("A-1"), row("A-1").replace("K-1", "K-2"), row("A-1")]));
    let (code, document) = rig.json(&["check", "orders.csv"]);
    assert_eq!(code, 0, "{document}");
    let same = told(&document, "same-line");
    assert_eq!(same.len(), 1, "{document}");
    assert_eq!(same[0].1, "orders.csv:4 \"Product Name\"");
    assert!(same[0].2.contains("that in orders.csv:2"), "{}", same[0].2);
}

#[test]
fn yesterdays_sheet_with_twelve_new_orders_and_two_changed_ones_sends_twelve() {
    let rig = Rig::new();
    rig.file("orders.csv", &sheet((1..=30).map(own)));
    assert_eq!(rig.run(&["import", "orders.csv", "--yes"]).code, 0);
    let changed =
        |number: usize| if matches!(number, 5 | 17) { own(number).replace("Kurta", "Saree") } else { own(number) };
    rig.file("orders.csv", &sheet((1..=42).map(changed)));
    let dry = rig.run(&["import", "orders.csv", "--dry-run"]);
    assert!(dry.stderr.contains("\n12 will be sent: 12 new\n"), "{}", dry.stderr);
    assert!(
        dry.stderr.contains("left out: 2 changed after they were booked, 28 booked already and unchanged"),
        "{}",
        dry.stderr
    );
    let ran = rig.run(&["import", "orders.csv", "--yes"]);
    assert!(ran.code == 4 && ran.stderr.contains("changed-after-booking"), "{ran:?}");
    for (order, row) in [("Y-05", 6), ("Y-17", 18)] {
        assert!(ran.stderr.contains(&format!("orders.csv:{row}")) && ran.stderr.contains(order), "{}", ran.stderr);
    }
    assert_eq!(rig.bookings().len(), 42);
}

#[test]
fn what_changed_of_a_booked_order_is_named_and_a_note_is_no_error() {
    let rig = Rig::new();
    let day = |changes: &[(&str, &str)]| {
        let row = changes.iter().fold(row("A-1"), |row, (was, is)| row.replacen(was, is, 1));
        rig.file("orders.csv", &format!("{HEADER},Seller Note,Carrier,Remark of the office\n{row}"));
        let (code, document) = rig.json(&["import", "orders.csv", "--yes"]);
        let told = told(&document, "changed-after-booking");
        assert_eq!(document["orders"]["total"], 1, "{document}");
        (code, told.into_iter().next().unwrap_or_default())
    };
    let row_ends = row("A-1");
    let more = |note: &str, carrier: &str, office: &str| format!("{row_ends},{note},{carrier},{office}");
    assert_eq!(day(&[(&row_ends, &more("fragile", "", ""))]), (0, Default::default()));
    // What is not sent changes nothing.
    assert_eq!(day(&[(&row_ends, &more("fragile", "", "customer called"))]), (0, Default::default()));
    let (code, (severity, place, message)) = day(&[(&row_ends, &more("address changed", "", ""))]);
    assert_eq!((code, severity.as_str(), place.as_str()), (0, "warning", "orders.csv:2 \"Seller Note\""));
    assert!(message.ends_with("is not sent: Seller Note") && !message.contains("address changed"), "{message}");
    let (code, (severity, _, message)) = day(&[(&row_ends, &more("fragile", "DTDC", ""))]);
    assert!(code == 0 && severity == "warning" && message.contains("Carrier (blank then, \"DTDC\" now)"), "{message}");
    for (was, is, told, header) in [
        ("Kurta", "Saree", "Product Name (\"Kurta\" then, \"Saree\" now)", "Product Name"),
        ("9876543210", "9876543219", "otherwise: Receiver Phone; it", "Receiver Phone"),
        ("499.90", "450", "Price (499.90 then, 450.00 now)", "Price"),
    ] {
        let (code, (severity, place, message)) = day(&[(&row_ends, &more("fragile", "", "")), (was, is)]);
        assert_eq!((code, severity.as_str()), (3, "error"), "{message}");
        assert!(message.contains(told) && place == format!("orders.csv:2 \"{header}\""), "{place}: {message}");
    }
    assert_eq!(rig.bookings().len(), 1);
    let ran = rig.run(&["import", "orders.csv", "--dry-run"]);
    assert!(ran.stderr.contains("changed after they were booked"), "{ran:?}");
}

#[test]
fn one_path_given_twice_is_told_in_its_own_words() {
    let rig = Rig::new();
    rig.file("a.csv", &sheet([row("A-1")]));
    rig.file("b.csv", &sheet([row("A-1")]));
    let ran = rig.run(&["import", "a.csv", "a.csv", "--yes"]);
    assert!(ran.code == 3 && ran.stderr.contains("a.csv is named twice in this command"), "{ran:?}");
    let ran = rig.run(&["import", "a.csv", "b.csv", "--yes"]);
    assert!(ran.code == 3 && ran.stderr.contains("b.csv holds the same as a.csv"), "{ran:?}");
    assert_eq!(rig.sandbox().book().requests(), 0);
}

#[test]
fn the_same_shipment_is_seen_on_another_day_as_well() {
    let rig = Rig::new();
    rig.file("monday.csv", &sheet([row("A-1"), own(1)]));
    assert_eq!(rig.run(&["import", "monday.csv", "--yes"]).code, 0);
    rig.file("tuesday.csv", &sheet([row("B-1").replace("499.90", "499.9"), own(2), own(1)]));
    let (code, document) = rig.json(&["import", "tuesday.csv", "--yes"]);
    assert_eq!((code, rig.bookings().len()), (0, 4), "{document}");
    let same = told(&document, "same-shipment");
    assert_eq!(same.len(), 1, "{document}");
    let (severity, place, message) = &same[0];
    assert_eq!((severity.as_str(), place.as_str()), ("warning", "tuesday.csv:2 \"Order Number\""));
    let awb = &rig.bookings()[0].1;
    assert!(message.contains("order A-1, booked lately") && message.contains(awb.as_str()), "{message}");
}
