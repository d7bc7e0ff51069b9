//! What looks like a mistake in a sheet and may be none: said before money is spent.

use shipsheet::sandbox::Answer;

use crate::rig::{Came, HEADER, Problem, Rig, row, row_with, sheet};

/// An order of a person of its own.
fn own(number: usize) -> String {
    row_with(&format!("Y-{number:02}"), &format!("98765{number:05}"), "560001")
}

#[test]
fn one_number_with_two_receivers_is_no_order() {
    let rig = Rig::new();
    rig.file("orders.csv", &sheet([row("A-1"), row_with("A-1", "9812345678", "560001"), own(2)]));
    let clash = rig.import(&["orders.csv"]).books(4, 1).only("order-clash");
    clash.says("orders.csv:2 \"Receiver Phone\"").says("orders.csv:3 \"Receiver Phone\"");
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
    let came = rig.import(&["orders.csv"]);
    came.books(0, 5);
    let same = came.all("same-shipment");
    let places: Vec<&str> = same.iter().map(|own| own.place.as_str()).collect();
    assert_eq!(places, ["orders.csv:3 \"Order Number\"", "orders.csv:6 \"Order Number\""], "{came:?}");
    for own in same {
        own.is_warning().says("orders.csv:2 \"Order Number\"");
    }
}

#[test]
fn an_order_that_was_typed_again_with_its_phone_or_pin_code_is_said() {
    let rig = Rig::alone();
    rig.file("shipsheet.toml", "[check]\noptional = [\"receiver.phoneNumber\", \"destination.pinCode\"]\n");
    let other = own(2).replace("14 MG Road", "3 Station Road");
    for (phone, pin) in [("", "560001"), ("9876543210", "")] {
        for (first, second) in [((phone, pin), ("9876543210", "560001")), (("9876543210", "560001"), (phone, pin))] {
            let rows = |again: &str| {
                sheet([row_with("A-1", first.0, first.1), other.clone(), row_with(again, second.0, second.1)])
            };
            rig.file("orders.csv", &rows("A-3"));
            let same = rig.check(&["orders.csv"]).exits(0).only("same-shipment");
            same.is_warning().is_in("orders.csv:4 \"Order Number\"").says("orders.csv:2");
            // One that is the other's number as well is the same order.
            rig.file("orders.csv", &rows("a1"));
            rig.check(&["orders.csv"]).exits(3).only("same-shipment").holds();
        }
    }
    // Two phones are two people.
    rig.file(
        "orders.csv",
        &sheet([row("A-1"), row_with("A-2", "9812345678", "560001"), row_with("A-3", "9812345679", "")]),
    );
    assert!(rig.check(&["orders.csv"]).exits(0).all("same-shipment").is_empty());
}

#[test]
fn a_number_that_is_spelled_in_another_way_is_no_second_order() {
    let rig = Rig::new();
    rig.file("monday.csv", &sheet([row("A-1"), row("a1"), own(1)]));
    let same = rig.import(&["monday.csv"]).books(4, 2).only("same-shipment");
    same.holds().is_in("monday.csv:3 \"Order Number\"");
    // The day after, and what is booked under its own number stays so.
    rig.file("tuesday.csv", &sheet([row("#A1"), own(1), row("A-2")]));
    let came = rig.import(&["tuesday.csv"]);
    let at_first = |own: &&&Problem| own.place == "tuesday.csv:2 \"Order Number\"";
    let same = came.books(4, 3).all("same-shipment");
    same.iter().find(at_first).unwrap().holds().says("of order A-1, booked (AWB ");
    rig.import(&["monday.csv"]).books(4, 3);
    // One sheet that had both, and held one of them as the other, makes no two of them.
    rig.file("alone.csv", &sheet([row("a1")]));
    rig.import(&["alone.csv"]).books(3, 3).only("same-shipment").holds();
    // Nor does it that the booked one stands beside it, as shipped.
    let shipped = format!("{HEADER},Order Status\n{},Shipped\n{},Confirmed\n", row("A-1"), row("a-01"));
    rig.file("shipped.csv", &shipped);
    rig.import(&["shipped.csv"]).books(4, 3).only("same-shipment").holds();
}

/// Promise 1: an order number that is spelled another way makes no second order.
#[test]
fn zeros_and_digits_of_other_scripts_make_no_second_order() {
    let rig = Rig::new();
    // All of one shipment: the likeness is looked for among all of its orders, and not only the first.
    rig.file("monday.csv", &sheet([row("X-7"), row("ORD-1"), row("1001"), row("X-8")]));
    rig.run(&["import", "monday.csv", "--yes"]).exits(0);
    for (number, before) in
        [("ORD-01", "ORD-1"), ("01001", "1001"), ("ＯＲＤ－１", "ORD-1"), ("१००१", "1001"), ("ord 001", "ORD-1")]
    {
        rig.file("tuesday.csv", &sheet([row(number)]));
        let same = rig.import(&["tuesday.csv"]).books(3, 4).only("same-shipment");
        same.holds().says(format!("of order {before}, booked"));
    }
    // Within one sheet as well; other content is another order, as it is with every likeness.
    let other = row("A-001").replace("Kurta,K-1", "Mug,M-1");
    rig.file("wednesday.csv", &sheet([row("Z-1"), row("A-1"), row("A-01"), other]));
    let came = rig.import(&["wednesday.csv"]);
    came.books(4, 7);
    let same = came.all("same-shipment");
    let held: Vec<_> = same.into_iter().filter(|same| same.is_error()).collect();
    assert_eq!(held.len(), 1, "{came:?}");
    held[0].is_in("wednesday.csv:4 \"Order Number\"").says("wednesday.csv:3");
}

#[test]
fn a_respelled_number_with_other_content_is_held_until_the_configuration_sends_it() {
    let rig = Rig::new();
    rig.file("monday.csv", &sheet([row("ORD-1")]));
    rig.run(&["import", "monday.csv", "--yes"]).exits(0);
    let product = row("ORD-01").replace("Kurta,K-1", "Mug,M-1");
    let phone = row_with("ORD-01", "9812345678", "560001");
    for other in [&product, &phone, &row_with("ＯＲＤ－１", "9812345678", "560001")] {
        rig.file("tuesday.csv", &sheet([other.clone()]));
        let alike = rig.import(&["tuesday.csv"]).books(3, 1).only("numbers-alike");
        alike.holds().says("is that of order ORD-1, booked");
        alike.advises("accept this");
    }
    rig.file("shipsheet.toml", "[check]\nnumbers_alike = \"warn\"\n");
    assert!(rig.run(&["import", "tuesday.csv", "--yes"]).exits(1).stderr.contains("same-order"));
    rig.file("shipsheet.toml", "[rules]\nsame-order = \"warn\"\n");
    let dry = rig.run(&["import", "tuesday.csv", "--dry-run"]);
    assert!(dry.exit == 0 && dry.stderr.contains("same-order"), "it is said before anything is sent: {dry:?}");
    rig.file("tuesday.csv", &sheet([product.clone()]));
    rig.import(&["tuesday.csv"]).books(0, 2).only("numbers-alike").is_warning();
    // Both are known from now on, also where such numbers are held.
    rig.file("shipsheet.toml", "");
    for day in ["monday.csv", "tuesday.csv"] {
        rig.run(&["import", day, "--yes"]).exits(0);
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
        rig.run(&["import", "monday.csv", "--yes"]).exits(code);
        if standing == "given up" {
            rig.run(&["doubt", "abandon", "ORD-1", "--because", "unknown"]).exits(0);
        }
        let before = rig.bookings().len();
        for (other, code) in [(row("ORD-01"), "same-shipment"), (row("ord 1").replace("Kurta", "Mug"), "numbers-alike")]
        {
            rig.file("tuesday.csv", &sheet([other]));
            let came = rig.import(&["tuesday.csv"]);
            came.only(code).holds().says(format!("of order ORD-1, {standing}"));
            assert_eq!(came.requests.len(), before, "{came:?}");
        }
    }
}

#[test]
fn a_respelled_number_is_held_beside_an_order_at_another_address_of_the_service() {
    let rig = Rig::new();
    rig.file("monday.csv", &sheet([row("ORD-1")]));
    rig.run(&["import", "monday.csv", "--yes"]).exits(0);
    let here = format!("http://{}", rig.sandbox().address());
    let other = format!("http://localhost:{}", rig.sandbox().address().port());
    rig.file("tuesday.csv", &sheet([row("ORD-0001")]));
    let came = rig.came(&["--base-url", &other, "import", "tuesday.csv", "--yes"]);
    came.books(3, 1).only("same-shipment").says(format!("of order ORD-1, booked at {here}"));
    // Another service has orders of its own.
    rig.run(&["--base-url", &other, "service", "different", &here, "--because", "another account"]).exits(0);
    rig.run(&["--base-url", &other, "import", "tuesday.csv", "--yes"]).exits(0);
}

#[test]
fn an_order_split_across_two_sheets_is_one_and_is_named() {
    let rig = Rig::new();
    rig.file("monday.csv", &sheet([row("A-1"), own(1)]));
    rig.file("tuesday.csv", &sheet([own(2), row("A-1").replace("Kurta,K-1", "Scarf,S-1")]));
    let came = rig.import(&["monday.csv", "tuesday.csv"]);
    assert_eq!(came.exits(0).document["requests"], 3, "{came:?}");
    let split = came.only("split-order");
    split.is_warning().is_in("tuesday.csv:3 \"Order Number\"");
    split.says("from monday.csv:2 \"Order Number\" and tuesday.csv:3");
    assert_eq!(came.request_of("A-1")["productRequestsList"].as_array().unwrap().len(), 2);
    // With the same lines in both, it is most likely one sheet in two forms: that is held back.
    rig.file("monday.csv", &sheet([own(3)]));
    rig.file("again.csv", &format!("{}\n", sheet([own(3)])));
    rig.run(&["import", "monday.csv", "again.csv", "--yes"]).exits(3).says("order-in-two-sheets");
}

#[test]
fn a_row_that_was_pasted_twice_holds_its_order() {
    let rig = Rig::alone();
    rig.file("orders.csv", &sheet([row("A-1"), row("A-1").replace("K-1", "K-2"), row("A-1")]));
    let same = rig.check(&["orders.csv"]).exits(3).only("same-line");
    same.holds().is_at(4, "Product Name").says("that in orders.csv:2");
    rig.check(&["orders.csv", "--rule", "same-line=warn"]).exits(0).only("same-line").is_warning();
    // A line below that has the product alone is not the row above, pasted.
    let below = format!("A-1{}Kurta,K-1,499.90,2", ",".repeat(15));
    rig.file("below.csv", &sheet([row("A-1"), below]));
    rig.check(&["below.csv"]).exits(0).only("same-line").is_warning();
}

/// Values are compared: case, blanks, the form of numbers and notes tell no two products apart.
#[test]
fn a_row_that_was_pasted_and_changed_a_little_is_asked_about() {
    let rig = Rig::alone();
    let pasted = |header: &str, cells: &str, again: &str| {
        let of = |cells: &str| row("A-1").replace("Kurta,K-1,499.90,2", cells);
        rig.file("orders.csv", &format!("{HEADER}{header}\n{}\n{}\n", of(cells), of(again)));
        rig.check(&["orders.csv"])
    };
    let kurta = "Kurta,K-1,499.90,2";
    for (header, cells, again) in [
        ("", kurta, "KURTA,K-1,499.90,2"),
        ("", kurta, "Kurta,k-1,499.90,2"),
        ("", "Silk Kurta,K 1,10,2", "silk  kurta,K1,10.00,2.0"),
        (",Seller Note", "Kurta,K-1,499.90,2,", "Kurta,K-1,499.90,2,urgent"),
        (",Remarks", "Kurta,K-1,499.90,2,", "Kurta,K-1,499.90,2,call first"),
        (",Description", "Kurta,K-1,499.90,2,", "Kurta,K-1,499.90,2,call first"),
        (",Item Note", "Kurta,K-1,499.90,2,gift", "Kurta,K-1,499.90,2,call first"),
        (",Total", "Kurta,K-1,499.90,2,999.8", "Kurta,K-1,499.90,2,999.80"),
        (",Product Name 2,Price 2,Quantity 2", "Kurta,K-1,499.90,2,Scarf,99,1", "kurta,K-1,499.90,2,Scarf,99,1"),
        ("", kurta, "Kurta,,499.90,2"),
        ("", "Kurta,,499.90,2", kurta),
        (",Description", "Kurta,,499.90,2,Size M", "Kurta,,499.90,2,"),
        (",Tax Rate", "Kurta,K-1,499.90,2,", "Kurta,K-1,499.90,2,5"),
    ] {
        let came = pasted(header, cells, again);
        came.exits(3).first("same-line").holds().is_at(3, "Product Name");
    }
    for (header, cells, again) in [
        ("", kurta, "Kurta,K-2,499.90,2"),
        ("", kurta, "Kurta,K-1,499.90,3"),
        (",Description", "Kurta,,499.90,2,Size M", "Kurta,,499.90,2,Size L"),
        (",Description", "Kurta,K-1,499.90,2,Size M", "Kurta,,499.90,2,Size L"),
        (",Tax Rate", "Kurta,K-1,499.90,2,12", "Kurta,K-1,499.90,2,5"),
        (",Item Discount", "Kurta,K-1,499.90,2,", "Kurta,K-1,499.90,2,50"),
    ] {
        assert!(!pasted(header, cells, again).document.to_string().contains("same-line"), "{again}");
    }
    // Sizes of one article, each described.
    for (header, cells, again) in [
        (",Description", "Kurta,K-1,499.90,2,Size M", "Kurta,K-1,499.90,2,Size L"),
        (",HS Code", "Kurta,K-1,499.90,2,610910", "Kurta,K-1,499.90,2,620520"),
    ] {
        pasted(header, cells, again).exits(0).first("same-line").is_warning();
    }
    // Nor does it tell them apart that one of the rows lacks the phone or the PIN code.
    for lacking in [row("A-1").replace(",560001,", ",,"), row("A-1").replace(",9876543210,", ",,")] {
        for rows in [[lacking.clone(), row("A-1")], [row("A-1"), lacking]] {
            rig.file("orders.csv", &sheet(rows));
            rig.check(&["orders.csv"]).exits(3).only("same-line").holds();
        }
    }
    // Two notes are asked about first, and then the products.
    rig.file("orders.csv", &format!("{HEADER},Seller Note\n{0},gift\n{0},urgent\n", row("A-1")));
    rig.check(&["orders.csv"]).exits(3).only("order-clash").holds();
    rig.check(&["orders.csv", "--rule", "rows-disagree=warn"]).exits(3).first("same-line").holds();
}

#[test]
fn yesterdays_sheet_with_twelve_new_orders_and_two_changed_ones_sends_twelve() {
    let rig = Rig::new();
    rig.import_text(&sheet((1..=30).map(own))).exits(0);
    let changed =
        |number: usize| if matches!(number, 5 | 17) { own(number).replace("Kurta", "Saree") } else { own(number) };
    rig.file("orders.csv", &sheet((1..=42).map(changed)));
    rig.run(&["import", "orders.csv", "--dry-run"])
        .says("\n12 will be sent: 12 new\n")
        .says("left out: 2 changed after they were booked, 28 booked already and unchanged");
    let ran = rig.run(&["import", "orders.csv", "--yes"]);
    ran.exits(4).says("order-known");
    for (order, row) in [("Y-05", 6), ("Y-17", 18)] {
        ran.says(format!("orders.csv:{row}")).says(order);
    }
    assert_eq!(rig.bookings().len(), 42);
}

#[test]
fn what_changed_of_a_booked_order_is_named_and_a_note_is_no_error() {
    let rig = Rig::new();
    let day = |changes: &[(&str, &str)]| {
        let row = changes.iter().fold(row("A-1"), |row, (was, is)| row.replacen(was, is, 1));
        rig.file("orders.csv", &format!("{HEADER},Seller Note,Carrier,Remark of the office\n{row}"));
        let came = rig.import(&["orders.csv"]);
        assert_eq!(came.document["orders"]["total"], 1, "{came:?}");
        came
    };
    let row_ends = row("A-1");
    let more = |note: &str, carrier: &str, office: &str| format!("{row_ends},{note},{carrier},{office}");
    let changed = |came: &Came| came.only("changed-after-booking");
    assert!(!day(&[(&row_ends, &more("fragile", "", ""))]).exits(0).has("changed-after-booking"));
    // What is not sent changes nothing.
    assert!(!day(&[(&row_ends, &more("fragile", "", "customer called"))]).exits(0).has("changed-after-booking"));
    let note = changed(day(&[(&row_ends, &more("address changed", "", ""))]).exits(0));
    note.is_warning().is_at(2, "Seller Note").says_nothing_of("address changed");
    note.says_last("is not sent: Seller Note");
    let carrier = changed(day(&[(&row_ends, &more("fragile", "DTDC", ""))]).exits(0));
    carrier.is_warning().says("Carrier (blank then, \"DTDC\" now)");
    for (was, is, told, header) in [
        ("Kurta", "Saree", "Product Name (\"Kurta\" then, \"Saree\" now)", "Product Name"),
        ("9876543210", "9876543219", "otherwise: Receiver Phone; it", "Receiver Phone"),
        ("499.90", "450", "Price (499.90 then, 450.00 now)", "Price"),
    ] {
        let came = day(&[(&row_ends, &more("fragile", "", "")), (was, is)]);
        changed(came.exits(3)).holds().is_at(2, header).says(told);
    }
    assert_eq!(rig.bookings().len(), 1);
    rig.run(&["import", "orders.csv", "--dry-run"]).says("changed after they were booked");
}

#[test]
fn one_path_given_twice_is_told_in_its_own_words() {
    let rig = Rig::new();
    rig.file("a.csv", &sheet([row("A-1")]));
    rig.file("b.csv", &sheet([row("A-1")]));
    rig.run(&["import", "a.csv", "a.csv", "--yes"])
        .exits(0)
        .says("a.csv is named twice in this command; it is read once");
    rig.run(&["import", "a.csv", "b.csv", "--yes"]).exits(0).says("b.csv holds the same as a.csv; it is read once");
    assert_eq!(rig.sandbox().book().requests(), 1);
}

#[test]
fn the_same_shipment_is_seen_on_another_day_as_well() {
    let rig = Rig::new();
    rig.file("monday.csv", &sheet([row("A-1"), own(1)]));
    rig.run(&["import", "monday.csv", "--yes"]).exits(0);
    rig.file("tuesday.csv", &sheet([row("B-1").replace("499.90", "499.9"), own(2), own(1)]));
    let same = rig.import(&["tuesday.csv"]).books(0, 4).only("same-shipment");
    same.is_warning().is_in("tuesday.csv:2 \"Order Number\"");
    same.says("order A-1, booked").says(&rig.bookings()[0].1);
}

#[test]
fn a_row_of_a_sheet_that_was_saved_again_goes_under_no_other_number() {
    let rig = Rig::new();
    rig.file("own.toml", "[columns]\n\"orderNumber\" = \"Ref\"\n");
    let of = |text: String| -> String {
        let lines: Vec<String> = text
            .lines()
            .zip(0..)
            .map(|(line, at)| match at {
                0 => format!("{line},Ref"),
                at => format!("{line},INV-{at}"),
            })
            .collect();
        lines.join("\n")
    };
    let monday = of(sheet([row("A-1"), own(2)]));
    rig.file("orders.csv", &monday);
    rig.import(&["orders.csv"]).books(0, 2);
    // Excel ends lines in another way, and somebody has added a row meanwhile.
    let again = of(sheet([row("A-1"), own(2), own(3)])).replace('\n', "\r\n");
    rig.file("again.csv", &again);
    let came = rig.import(&["again.csv", "--profile", "own.toml"]);
    let said = came.books(4, 3).all("same-shipment");
    let held: Vec<&Problem> = said.into_iter().filter(|own| own.case == "second_number").collect();
    for (held, number) in held.iter().zip(["A-1", "Y-02"]) {
        held.holds().says(number);
    }
    assert_eq!(held.len(), 2, "{came:?}");
}

#[test]
fn an_order_like_one_that_was_cancelled_is_no_duplicate_of_it() {
    let rig = Rig::new();
    rig.import_text(&sheet([row("A-1")])).exits(0);
    rig.file("again.csv", &sheet([row("B-1")]));
    rig.run(&["check", "again.csv"]).says("same-shipment").says("A-1");
    rig.run(&["cancel", "A-1", "--yes"]).exits(0);
    rig.run(&["check", "again.csv"]).says_nothing_of("same-shipment");
}

#[test]
fn a_number_that_stands_beside_the_one_of_an_order_is_looked_at_as_well() {
    let rig = Rig::new();
    rig.file("own.toml", "[columns]\n\"orderNumber\" = \"Ref\"\n");
    let with = |text: String, header: &str| text.replacen('\n', &format!(",{header}\n"), 1);
    let monday = with(sheet([format!("{},INV-1", row("A-1")), format!("{},INV-2", own(2))]), "Ref");
    rig.file("orders.csv", &monday);
    rig.import(&["orders.csv"]).books(0, 2);
    // Saved again with other figures and headers, so that no row is what it was.
    let again = monday.replace("499.90", "499.9").replace("Receiver Phone", "Phone");
    rig.file("again.csv", &again);
    let came = rig.import(&["again.csv", "--profile", "own.toml"]);
    let held: Vec<&Problem> =
        came.books(3, 2).all("same-shipment").into_iter().filter(|own| own.case == "second_number").collect();
    assert_eq!(held.len(), 2, "{came:?}");
    held[0].holds().says("A-1");
}

#[test]
fn products_whose_names_differ_only_in_where_their_words_end_are_two() {
    for (one, other) in
        [("Kurta,S6-12", "Kurta,S61-2"), ("Kit S6-12,K-1", "Kit S61-2,K-1"), ("Bag 1.5 kg,", "Bag 15 kg,")]
    {
        let rig = Rig::new();
        rig.sandbox().script_order("A-1", [Answer::Status(422, r#"{"message":["no"]}"#.to_owned())]);
        rig.import_text(&sheet([row("A-1").replace("Kurta,K-1", one)])).exits(4);
        rig.import_text(&sheet([row("B-1").replace("Kurta,K-1", other)])).books(0, 1).tells(0);
        // Case and blanks make no other product.
        let same = row("C-1").replace("Kurta,K-1", &one.to_lowercase().replace("kit ", "kit  "));
        rig.import_text(&sheet([same])).books(3, 1).only("same-shipment").holds();
    }
}
