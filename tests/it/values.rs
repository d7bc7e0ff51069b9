//! Cells that hold something else than they seem to: words for nothing, marks, dates for codes, units of defaults.

use crate::rig::{HEADER, Rig, imported, imported_by, row, sheet, workbook_of_numbers};

#[test]
fn a_default_is_in_its_own_unit() {
    let blank = |header: &str, cells: &str| {
        let text = sheet([row("A-1").replace(",30,20,5,0.5,", cells)]);
        text.replacen(",Length,Width,Height,Weight,", header, 1)
    };
    let defaults =
        "[defaults]\n\"parcelAttributes.dimension.length\" = 25.4\n\"parcelAttributes.weight.weight\" = 0.5\n";
    let parcel = |text: &str, profile: Option<&str>| {
        let rig = Rig::new();
        rig.file("shipsheet.toml", defaults);
        rig.file("orders.csv", text);
        let more = profile.map(|text| rig.file("own.toml", text));
        let more: Vec<&str> = more.iter().flat_map(|path| ["--profile", path.to_str().unwrap()]).collect();
        rig.import(&[&["orders.csv"], &more[..]].concat()).goes()["parcelAttributes"].clone()
    };
    let found = parcel(&blank(",Length (in),Width (in),Height (in),Weight (g),", ",,8,2,,"), None);
    assert_eq!((&found["dimension"]["length"], &found["dimension"]["unit"]), (&10.into(), &"in".into()), "{found}");
    assert_eq!((&found["weight"]["weight"], &found["weight"]["unit"]), (&500.into(), &"g".into()), "{found}");

    let own = "[columns]\n\"parcelAttributes.dimension.length\" = { column = \"L\", unit = \"in\" }\n\
               \"parcelAttributes.weight.weight\" = { column = \"Grams\", unit = \"g\" }\n";
    let text = blank(",L,Width,Height,Grams,", ",,20,5,,");
    let found = parcel(&text, Some(own));
    assert_eq!((&found["dimension"]["length"], &found["dimension"]["unit"]), (&25.4.into(), &"cm".into()), "{found}");
    assert_eq!((&found["weight"]["weight"], &found["weight"]["unit"]), (&0.5.into(), &"kg".into()), "{found}");

    let in_grams = format!(
        "{own}[defaults]\n\"parcelAttributes.weight.weight\" = \"750\"\n\"parcelAttributes.weight.unit\" = \"g\"\n"
    );
    let found = parcel(&text, Some(&in_grams));
    assert_eq!((&found["weight"]["weight"], &found["weight"]["unit"]), (&0.75.into(), &"kg".into()), "{found}");
}

#[test]
fn words_for_nothing_are_no_values() {
    let cases = [
        ("Asha", "N/A", "Receiver First Name"),
        ("14 MG Road", "NULL", "Address Line 1"),
        ("Bengaluru", "nan", "City"),
        ("9876543210", "--", "Receiver Phone"),
        ("560001", "#REF!", "PIN Code"),
        ("A-1", "NaN", "Order Number"),
        ("Kurta", "None", "Product Name"),
    ];
    for (cell, nothing, header) in cases {
        // Of this PIN code nobody knows the city.
        let pin = if cell == "560001" { nothing } else { "561203" };
        imported(&sheet([row("A-1").replace("560001", pin).replacen(cell, nothing, 1)])).stays().problems[0]
            .is_at(2, header);
    }
    for name in ["Null", "Nan", "Na"] {
        assert_eq!(
            imported(&sheet([row("A-1").replacen("Asha", name, 1)])).goes_silently()["receiver"]["firstName"],
            name
        );
    }
    let optional = format!("{HEADER},Receiver Email,Address Line 2\n{},n/a,-\n", row("A-1").replace("K-1", "NA"));
    let came = imported(&optional);
    let body = came.goes();
    assert_eq!(came.codes(), ["no-value"; 3], "{came:?}");
    assert!(came.errors().is_empty(), "{came:?}");
    let sent =
        [&body["receiver"]["email"], &body["destination"]["addressLine2"], &body["productRequestsList"][0]["sku"]];
    assert_eq!(sent, [""; 3]);
}

#[test]
fn what_points_to_another_cell_is_no_value() {
    let cells = ["Asha", "14 MG Road", "Bengaluru", "Karnataka", "9876543210", "560001", "Kurta"];
    for cell in cells {
        for mark in ["do", "-do-", "ditto", "\"\"\"\"", "''", "〃", "same", "same as above"] {
            assert_eq!(
                imported(&sheet([row("A-1").replacen(cell, mark, 1), row("A-2")])).books(4, 1).codes(),
                ["no-value"]
            );
        }
        // As the hint says.
        imported(&sheet([row("A-1"), row("A-2")])).exits(0);
    }
    for own in ["Dora", "Sameer", "D'Souza", "Do It Yourself"] {
        imported(&sheet([row("A-1").replacen("Asha", own, 1)])).exits(0);
    }
}

#[test]
fn marks_of_spreadsheets_are_taken_off_and_said() {
    let text = sheet([row("\"=\"\"00123\"\"\"")
        .replace("9876543210", "9876543210.0")
        .replace("560001", "560001.0")
        .replace("K-1", "'0045")]);
    let came = imported(&text);
    let body = came.goes();
    assert_eq!(body["orderNumber"], "00123");
    assert_eq!(
        (&body["receiver"]["phoneNumber"], &body["destination"]["pinCode"]),
        (&"9876543210".into(), &"560001".into())
    );
    assert_eq!(body["productRequestsList"][0]["sku"], "0045");
    assert_eq!(came.all("text-mark").len(), 4, "{came:?}");

    // One number written in two ways is one order.
    assert_eq!(imported(&sheet([row("1001.0"), row("1001").replace("K-1", "K-2")])).goes()["orderNumber"], "1001");
}

#[test]
fn codes_that_a_spreadsheet_took_for_dates_or_powers_are_held() {
    let lost = ["3-Apr", "Mar-05", "05-Mar", "2026-03-05 00:00:00", "00:00:00"];
    for text in lost {
        for (header, line) in [("Order Number", row(text)), ("SKU", row("A-1").replace("K-1", text))] {
            imported(&sheet([line])).stays().tells_first("turned-into-date").is_at(2, header);
        }
    }
    for (text, exit) in [("1.00E+05", 3), ("1E5", 0)] {
        for line in [row(text), row("A-1").replace("K-1", text)] {
            imported(&sheet([line])).books(exit, usize::from(exit == 0)).tells_first("digits-lost");
        }
    }
    // A date that people type as well, and text that the sheet marks as such.
    imported(&sheet([row("A-1").replace("K-1", "05-03-2026")])).warned("turned-into-date");
    let marked = row("\"=\"\"3-Apr\"\"\"").replace("K-1", "\"=\"\"Mar-05\"\"\"");
    let body = imported(&sheet([marked])).goes();
    assert_eq!((&body["orderNumber"], &body["productRequestsList"][0]["sku"]), (&"3-Apr".into(), &"Mar-05".into()));
}

#[test]
fn hidden_characters_and_lines_are_made_plain_and_said() {
    let line = row("A-1").replace("Asha", "Siobhán\u{a0}O’Brien").replace("Kurta", "“Kurta”");
    let line = line.replace("14 MG Road", "\"14 MG Road,\nNear City Mall\"").replace("9876543210", "\"98765\n43210\"");
    let came = imported(&sheet([line]));
    let body = came.goes();
    let sent = [
        &body["receiver"]["firstName"],
        &body["receiver"]["phoneNumber"],
        &body["destination"]["addressLine1"],
        &body["productRequestsList"][0]["productName"],
    ];
    assert_eq!(sent, ["Siobhán O’Brien", "9876543210", "14 MG Road, Near City Mall", "“Kurta”"]);
    let mut codes = came.codes();
    codes.sort_unstable();
    assert_eq!(codes, ["invisible-characters", "line-breaks", "line-breaks"], "{came:?}");
    for (code, line) in [("smart-quotes", row("“A-1”")), ("line-breaks", row("A-1").replace("K-1", "\"K-1\nK-2\""))]
    {
        imported(&sheet([line])).exits(3).tells_first(code);
    }
}

#[test]
fn thousands_stand_apart_by_space_or_apostrophe() {
    let with = |price: &str| imported(&sheet([row("A-1").replace("499.90", price)]));
    for (price, sent) in [
        ("1 500", 1500.0),
        ("1'250.00", 1250.0),
        ("1\u{202f}500.50", 1500.5),
        ("\"1 500,00\"", 1500.0),
        ("1\u{a0}234\u{a0}567", 1_234_567.0),
    ] {
        assert_eq!(with(price).goes()["productRequestsList"][0]["price"], sent, "{price}");
    }
    for wrong in ["1 50", "15 00", "1 500 0"] {
        with(wrong).exits(3).tells_first("bad-number");
    }
}

#[test]
fn a_rate_is_in_percent() {
    let with = |rate: &str| imported(&format!("{HEADER},Tax Rate\n{},{rate}\n", row("A-1")));
    with("0.18").exits(3).tells_first("ambiguous-number");
    for (rate, sent) in [("18", "18"), ("18%", "18"), ("0.25%", "0.25"), ("0", "0")] {
        assert_eq!(with(rate).goes()["productRequestsList"][0]["taxRate"], sent);
    }
}

/// Columns by header, each with a number and its format.
type Special<'a> = &'a [(&'a str, f64, &'a str)];

#[test]
fn what_excel_takes_for_something_else_is_said() {
    let tried = |special: Special<'_>| {
        let rig = Rig::new();
        workbook_of_numbers(&rig.path("orders.xlsx"), special);
        rig.import(&["orders.xlsx"])
    };
    let refused: [(Special<'_>, &str); 7] = [
        (&[("Order Number", 46_086.0, "dd-mmm")], "turned-into-date"),
        (&[("SKU", 46_086.0, "dd-mmm")], "turned-into-date"),
        (&[("Price", 499.9, "$#,##0.00")], "currency-clash"),
        (&[("Price", 499.9, "[$€-407] #,##0.00")], "currency-clash"),
        (&[("Price", 499.9, "\"£\"#,##0.00")], "currency-clash"),
        (&[("HS Code", 6204.1, "General")], "digits-lost"),
        (&[("Tax Rate", 0.18, "General")], "ambiguous-number"),
    ];
    for (special, expected) in refused {
        let problem = tried(special).stays().tells_first(expected);
        assert!(problem.place.starts_with("Orders!"), "{problem:?}");
    }
    let came = tried(&[
        ("Price", 499.9, "[$₹-4009] #,##0.00"),
        ("HS Code", 6204.1, "0.00"),
        ("Tax Rate", 0.18, "0%"),
        ("Shipping Charges", 40.567, "0"),
        ("Other Charges", 423.728_813_559, "#,##0.00"),
        ("Order Date", 46_086.0, "dd-mmm"),
    ]);
    let sent = came.goes_silently();
    let line = &sent["productRequestsList"][0];
    assert_eq!((&line["price"], &line["hs_code"], &line["taxRate"]), (&499.9.into(), &"6204.10".into(), &"18".into()));
    let charges = &sent["shippingProperties"];
    assert_eq!(
        (&charges["shippingCharges"], &charges["otherCharges"]),
        (&40.57.into(), &423.73.into()),
        "the value, whatever its format shows"
    );
}

#[test]
fn a_row_of_totals_is_no_line_of_the_order_above() {
    let own = "fill_down = true\n[columns]\norderNumber = \"Order Number\"\n";
    let tried = |more: &str| imported_by(own, &sheet([row("A-1"), more.to_owned()]));
    assert_eq!(
        tried(",,,,,,,,,,,,,,,Scarf,S-1,149,1").goes()["productRequestsList"].as_array().unwrap().len(),
        2,
        "what reads on is one more line"
    );
    for totals in
        [",,,,,,,,,,,,,,,Total,,648.90,3", ",,,,,,,,,,,,,,TOTAL:,,,648.90,3", ",,Grand Total,,,,,,,,,,,,,,,648.90,3"]
    {
        let came = tried(totals);
        assert_eq!(came.goes()["productRequestsList"].as_array().unwrap().len(), 1, "{totals}");
        assert!(came.codes().iter().any(|code| code.starts_with("row-")), "{came:?}");
    }
    // Sums without a word beside them may be half an order: nothing is sent.
    tried(",,,,,,,,,,,,,,,,,648.90,3").stays();
}

#[test]
fn a_number_of_nobody_in_north_america_is_doubted_and_sent() {
    let american = sheet([row("A-1").replace("9876543210", "555-123-4567").replace(",IN,560001", ",US,85003")]);
    let came = imported(&american);
    came.warned("bad-phone");
    assert_eq!(came.request()["receiver"]["phoneNumber"], "5551234567");
    // India stays strict.
    imported(&sheet([row("A-1").replace("9876543210", "555-123-4567")])).held("bad-phone");
}

#[test]
fn what_is_said_of_one_cell_is_said_of_each_like_it() {
    let cases = [
        ("560001", "=\"560001\""),
        ("560001", "56001"),
        ("9876543210", "+919876543210.0"),
        ("IN", "Indai"),
        ("Karnataka", "Karnaxyz"),
        ("2026-11-20", "20.11.2026 10:00 XYZ"),
        ("0.5", "0.5 stone"),
        ("30", "3-Apr"),
        ("PREPAID", "perhaps"),
        ("Kurta", "K\u{f6}rta\u{fffd}"),
    ];
    for (cell, other) in cases {
        let quoted = format!("\"{}\"", other.replace('"', "\"\""));
        let line = |number: &str| row(number).replacen(cell, &quoted, 1);
        let told = |numbers: &[&str]| {
            let came = imported(&sheet(numbers.iter().map(|number| line(number)).collect::<Vec<_>>()));
            let own = came.problems.into_iter().filter(|problem| problem.code != "same-shipment");
            own.map(|own| [own.severity, own.code, own.field, own.found, own.message, own.hint]).collect::<Vec<_>>()
        };
        let (alone, together) = (told(&["A-1"]), told(&["A-1", "A-2", "A-3"]));
        let thrice: Vec<_> = alone.iter().chain(&alone).chain(&alone).cloned().collect();
        assert!(!alone.is_empty(), "{other} is taken without a word");
        assert_eq!(together, thrice, "{other}");
    }
}

#[test]
fn the_pin_code_tells_the_state_and_of_some_the_city() {
    let imported_with = |from: &str, to: &str| imported(&sheet([row("A-1").replacen(from, to, 1)]));
    let came = imported_with("Bengaluru,Karnataka", ",");
    let place = &came.goes()["destination"];
    assert_eq!((&place["city"], &place["state"]), (&"Bengaluru".into(), &"Karnataka".into()));
    assert_eq!(came.codes(), ["from-pin-code"; 2], "{came:?}");
    let native = imported(&sheet([row("A-1").replacen("Bengaluru,Karnataka", ",", 1).replace("560001", "५६०००१")]));
    assert_eq!(native.goes()["destination"]["state"], "Karnataka");
    // Without the column at all; of an army's PIN code nobody knows the state.
    let without = |text: &str| text.replacen("State,", "", 1).replace("Karnataka,", "");
    let rows = [row("A-1"), row("A-2").replace("560001", "900099")];
    let came = imported(&without(&sheet(rows)));
    came.books(4, 1).has("missing-column");
    assert_eq!(came.request_of("A-1")["destination"]["state"], "Karnataka");
    imported_with("Karnataka", "Maharashtra").held("bad-pin-code").says("560001 is in Karnataka");
    imported_with("Karnataka", "Telangana").warned("bad-pin-code");
}

#[test]
fn under_a_path_of_the_api_a_point_separates_decimals() {
    let with = |header: &str, cell: &str| {
        let text = sheet([row("A-1").replace("499.90", cell)]);
        imported(&text.replacen(",Price,", &format!(",{header},"), 1))
    };
    let sent = with("productRequestsList.price", "499.125").goes();
    assert_eq!(sent["productRequestsList"][0]["price"], 499.125);
    with("Price", "499.125").exits(3).tells_first("ambiguous-number");
    // A column that shows commas has them as well under a path.
    let sent = with("productRequestsList.price", "\"499,50\"").goes();
    assert_eq!(sent["productRequestsList"][0]["price"], 499.5);
}

/// A cell of the order that says "as the row above" repeats what stands there, as long as that row is the order's own.
#[test]
fn a_further_row_may_say_that_it_is_as_the_row_above() {
    let further = |mark: &str| {
        let mark = if mark == "\"" { "\"\"\"\"" } else { mark };
        let cells = ["Asha", "9876543210", "14 MG Road", "Bengaluru", "Karnataka", "560001", "PREPAID"];
        let marked = |row: String, cell: &str| row.replacen(&format!(",{cell},"), &format!(",{mark},"), 1);
        cells.iter().fold(row("A-1").replace("Kurta,K-1", "Saree,K-2"), |row, cell| marked(row, cell))
    };
    for mark in ["-do-", "do", "〃", "\"", "Ditto", "same as above", "as above", "ऊपर जैसा", "वही"]
    {
        let request = imported(&sheet([row("A-1"), further(mark), further(mark).replace("K-2", "K-3")])).goes();
        assert_eq!(request["receiver"]["firstName"], "Asha", "{mark}");
        assert_eq!(request["destination"]["city"], "Bengaluru", "{mark}");
        assert_eq!(request["productRequestsList"].as_array().unwrap().len(), 3, "{mark}");
    }
    let filled_down = "fill_down = true\n[columns]\norderNumber = \"Order Number\"\n";
    let rows = sheet([row("A-1"), further("-do-").replacen("A-1", "", 1)]);
    assert_eq!(imported_by(filled_down, &rows).goes()["receiver"]["phoneNumber"], "9876543210");
    // Another cell than the one above, and figures, which may be those of each row.
    let billing = row("A-1").replace("14 MG Road", "same as billing");
    imported(&sheet([row("A-1"), billing])).held("order-clash").is_at(3, "Address Line 1");
    imported(&sheet([row("A-1"), row("A-1").replace(",30,20,", ",do,20,")])).held("order-clash");
}

/// In the first row of an order, and below a row of another one, such a cell means the row of somebody else.
#[test]
fn no_order_gets_what_stands_above_it_in_another_one() {
    let other = || row("B-2").replace("Asha", "Ravi").replace("9876543210", "9876543211");
    let first = row("A-1").replace("Asha", "-do-");
    let came = imported(&sheet([other(), first.clone(), row("A-1").replace("Asha", "-do-").replace("K-1", "K-2")]));
    assert!(came.sent(|own| own["receiver"]["firstName"] == "Ravi").into_iter().all(|is| is), "{came:?}");
    assert_eq!(came.errors()[0].code, "no-value", "{came:?}");
    came.errors()[0].is_at(3, "Receiver First Name");

    let came = imported(&sheet([row("A-1"), other(), first.replace("K-1", "K-2")]));
    assert!(came.sent(|own| own["receiver"]["firstName"] == "Ravi").into_iter().all(|is| is), "{came:?}");
    assert_eq!(came.errors()[0].code, "order-clash", "{came:?}");
    came.errors()[0].is_at(4, "Receiver First Name");
}

#[test]
fn a_city_has_figures_in_it_but_is_no_figure() {
    for city in ["North 24 Parganas", "উত্তর ২৪ পরগনা", "Sector 62 Noida", "10th of Ramadan City"]
    {
        let text = sheet([row("A-1").replace("Bengaluru", city)]);
        assert_eq!(imported(&text).goes_silently()["destination"]["city"], city);
    }
    for city in ["560001", "24", "५६०००१", "560 001"] {
        let came = imported(&sheet([row("A-1").replace("Bengaluru", city)]));
        came.held("no-value").is_at(2, "City");
    }
    // The cells are known for cities where the header leaves it open.
    let rows = ["South 24 Parganas", "Sector 62 Noida", "North 24 Parganas", "North 24 Parganas"];
    let rows = rows.iter().zip(1..).map(|(city, n)| row(&format!("A-{n}")).replace("Bengaluru", city));
    let text = sheet(rows).replacen(",City,", ",Place,", 1);
    assert_eq!(imported(&text).sent(|own| own["destination"]["city"].clone())[0], "South 24 Parganas");
}

/// `D`, `A` and `F` are countries beside their neighbours; alone they may be anything.
#[test]
fn letters_of_old_addresses_are_countries_beside_their_neighbours() {
    let order =
        |number: &str, country: &str, pin: &str| row(number).replace(",IN,560001,", &format!(",{country},{pin},"));
    let phones = |text: String| text.replace("9876543210", "+919876543210");
    for (header, neighbour) in [("Country", "Germany"), ("Country Code", "CH")] {
        let rows = [("A-1", "D", "10115"), ("A-2", "A", "1010"), ("A-3", "F", "75001"), ("A-4", neighbour, "8001")];
        let pin = |own: (&str, &str, &str)| if own.1 == "Germany" { "10117".to_owned() } else { own.2.to_owned() };
        let text = phones(sheet(rows.map(|own| order(own.0, own.1, &pin(own))))).replace("Country Code", header);
        let came = imported(&text);
        let codes = came.sent(|own| own["destination"]["countryCode"].clone());
        assert_eq!(codes[..3], ["DE", "AT", "FR"], "{header}: {came:?}");
        let text = phones(sheet([order("A-1", "D", "10115"), order("A-2", "IN", "560001")]));
        let came = imported(&text.replace("Country Code", header));
        assert!(came.errors().iter().any(|error| error.code == "bad-country"), "{header}: {came:?}");
    }
}
