//! Parts of an address in columns of their own: each in its place, and none that is no part of one.

use crate::bodies::CONFIGURATION;
use crate::rig::Rig;
use crate::words::{Came, came, text_of};

/// What the address of one order came to.
fn address(columns: &[(&'static str, &'static str)]) -> (String, String, Came) {
    let cells: Vec<[&str; 1]> = columns.iter().map(|(_, cell)| [*cell]).collect();
    let mut all: Vec<(&str, &[&str])> =
        columns.iter().zip(&cells).map(|((header, _), cells)| (*header, cells.as_slice())).collect();
    all.push(("Payment", &["COD"]));
    let came = came(&all);
    let line = |line: &str| match came.bodies.first() {
        Some((_, body)) => body["destination"][line].as_str().unwrap().to_owned(),
        None => format!("{:#?}", came.problems),
    };
    (line("addressLine1"), line("addressLine2"), came)
}

#[test]
fn lines_and_parts_of_an_address_go_by_their_words() {
    type Case = (&'static [(&'static str, &'static str)], &'static str, &'static str);
    const SAID: &str = "Flat 302, 3rd floor, 14 MG Road";
    const RURAL: &str = "Gali 3, Ward 14, Rampura, Sonpur";
    let cases: &[Case] = &[
        (&[("Unit No", "2B"), ("Cross Road", "5th")], "Unit 2B, 14 MG Road", "5th Cross"),
        (&[("Building Name/No", "Sai"), ("Location", "HAL")], "Sai, 14 MG Road", "HAL"),
        (&[("House No / Flat", "2B"), ("Add 2", "Block C"), ("Dist", "Kolar")], "2B, 14 MG Road", "Block C, Kolar"),
        (&[("Add 2", "Block C"), ("Add 3", "Stage 1"), ("Addr 4", "HAL")], "14 MG Road", "Block C, Stage 1, HAL"),
        (&[("Town", "Hosur")], "14 MG Road", "Hosur"),
        (&[("Apartment, suite, etc.", "B-204")], "B-204, 14 MG Road", ""),
        (&[("Flat No", "302"), ("Floor", "3"), ("Block", "B")], "Flat 302, Floor 3, Block B, 14 MG Road", ""),
        (&[("Address", "Flat 302, 3rd floor, 14 MG Road"), ("Flat No", "302"), ("Floor", "3")], SAID, ""),
        (&[("Gali", "3"), ("Mohalla", "Rampura"), ("Ward", "14"), ("Post", "Sonpur")], "14 MG Road", RURAL),
        (&[("Unit", "Pac")], "14 MG Road", ""),
        (&[("Unit", "Dzn.")], "14 MG Road", ""),
        (&[("Unit", "Pouch")], "14 MG Road", ""),
        (&[("Unit", "B")], "Unit B, 14 MG Road", ""),
        (&[("Unit", "B4")], "Unit B4, 14 MG Road", ""),
        (&[("Unit", "Pcs"), ("Floor", "Yes"), ("Office No", "08041234567"), ("Dist", "12 km")], "14 MG Road", ""),
        (&[("Location", "12.97,77.59"), ("Road", "By road"), ("PO", "PO-1234")], "14 MG Road", ""),
        (&[("Unit", "1"), ("Sector", "62"), ("Thana", "Kotwali")], "Unit 1, 14 MG Road", "Sector 62, Kotwali"),
    ];
    for (columns, first, second) in cases {
        let (line1, line2, _) = address(columns);
        assert_eq!((line1.as_str(), line2.as_str()), (*first, *second), "{columns:?}");
    }
    let rig = Rig::new();
    rig.file("shipsheet.toml", CONFIGURATION);
    let lines = ["Customer Address 1", "Customer Address 2", "Customer Address 3"];
    let cells: [&[&str]; 3] = [&["14 MG Road"], &["Indiranagar"], &["Stage 2"]];
    let mut columns: Vec<(&str, &[&str])> = lines.into_iter().zip(cells).collect();
    columns.push(("Payment", &["COD"]));
    let text = text_of(&columns).replacen("Address,", "Colour,", 1);
    for profile in [false, true] {
        rig.file("sheet.csv", &text.replace("N-0", if profile { "P-1" } else { "P-0" }));
        if profile {
            assert_eq!(rig.run(&["profile", "guess", "sheet.csv", "--save", "own"]).code, 0);
        }
        assert_eq!(rig.run(&["import", "sheet.csv", "--yes"]).code, 0);
    }
    for (_, body) in rig.bodies() {
        let line = |line: &str| body["destination"][line].as_str().unwrap().to_owned();
        assert_eq!((line("addressLine1"), line("addressLine2")), ("14 MG Road".into(), "Indiranagar, Stage 2".into()));
    }
    let rig = Rig::new();
    rig.file("shipsheet.toml", CONFIGURATION);
    // Without a line of its own an address is made of its parts.
    let parts = text_of(&[("Payment", &["COD"]), ("House No / Flat", &["2B"]), ("Street / Area", &["MG Road"])]);
    rig.file("sheet.csv", &parts.replacen("Address,", "Colour,", 1));
    let ran = rig.run(&["import", "sheet.csv", "--yes"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert_eq!(rig.bodies()[0].1["destination"]["addressLine1"], "2B, MG Road");
    for header in ["Full Address", "Complete Address", "Delivery Add", "Customer Address 1", "Address with Landmark"] {
        rig.file("sheet.csv", &text_of(&[("Payment", &["COD"])]).replacen("Address,", &format!("{header},"), 1));
        let ran = rig.run(&["check", "sheet.csv"]);
        assert_eq!(ran.code, 0, "{header}: {ran:?}");
    }
}

#[test]
fn an_address_never_loses_its_first_line() {
    // Of two that are numbered the first is the line before the second.
    let pairs =
        [("Street 1", "Street 2"), ("Shipping Street 1", "Shipping Street 2"), ("Street Line 1", "Street Line 2")];
    let more = [("Address Street 1", "Address Street 2"), ("Addr 1", "Addr 2")];
    for (first, second) in pairs.into_iter().chain(more) {
        let rig = Rig::new();
        rig.file("shipsheet.toml", CONFIGURATION);
        let columns: [(&str, &[&str]); 3] =
            [(first, &["12 Rose Villa"]), (second, &["Near Park"]), ("Payment", &["COD"])];
        rig.file("sheet.csv", &text_of(&columns).replacen("Address,", "Colour,", 1));
        let ran = rig.run(&["import", "sheet.csv", "--yes"]);
        let lines = ["addressLine1", "addressLine2"].map(|line| rig.bodies()[0].1["destination"][line].clone());
        assert_eq!(lines, ["12 Rose Villa", "Near Park"], "{first}: {ran:?}");
    }
    // A first one that nothing takes stops the sheet.
    let rig = Rig::new();
    rig.file("shipsheet.toml", CONFIGURATION);
    rig.file(
        "own.toml",
        "[columns]\n\"destination.addressLine1\" = \"Locality 2\"\n\"destination.addressLine2\" = \"Note\"\n",
    );
    let columns: [(&str, &[&str]); 4] =
        [("Locality 1", &["12 Rose Villa"]), ("Locality 2", &["Near Park"]), ("Note", &["x"]), ("Payment", &["COD"])];
    rig.file("sheet.csv", &text_of(&columns).replacen("Address,", "Colour,", 1));
    let ran = rig.run(&["check", "sheet.csv", "--profile", "own.toml"]);
    assert!(ran.code == 3 && ran.stderr.contains("what stands there would be lost"), "{ran:?}");
}

#[test]
fn what_is_no_part_of_an_address_is_told_or_asked() {
    let (_, _, left) = address(&[("Floor", "Yes"), ("Location", "Rack A-12"), ("Unit", "Nos")]);
    assert_eq!((left.code, left.found("unusual-value")), (0, vec!["Yes", "Rack A-12"]), "{:#?}", left.problems);
    // What goods are counted in is no notice, and a part of the address is one.
    let notices = |cell| address(&[("Unit", cell)]).2.found("sheet-notice").len();
    assert_eq!((notices("Btl"), notices("B-204")), (0, 1));
    // As many as the pieces.
    let (_, _, asked) = address(&[("Unit", "2")]);
    let (message, hint) = asked.said("held-back");
    assert!(message.contains("how many pieces") && hint.contains("write \"Unit 2\" there"), "{message} {hint}");
    assert_eq!(address(&[("Unit", "Unit 2")]).0, "Unit 2, 14 MG Road");
}

#[test]
fn an_address_that_names_another_pin_code_is_asked_about() {
    for text in ["14 MG Road, PIN 682001", "14 MG Road, Kochi - 682001"] {
        let (_, _, came) = address(&[("Address", text)]);
        let asked = came.problems.iter().any(|own| own["code"] == "bad-pin-code" && own["found"] == "682001");
        assert!(asked && came.bodies.is_empty(), "{text}: {:#?}", came.problems);
    }
    for text in ["14 MG Road, Bengaluru 560001", "Plot 682001, MG Road", "14 MG Road, near Plot 682001"] {
        assert_eq!(address(&[("Address", text)]).2.bodies.len(), 1, "{text}");
    }
}
