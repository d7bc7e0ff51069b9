//! Parts of an address in columns of their own: each in its place, and none that is no part of one.

use crate::rig::{Came, Rig, Table};

/// What becomes of an order with these columns of its address.
fn came(columns: &[(&str, &str)]) -> Came {
    Table::unpaid().with_cells(&[("Payment", "COD")]).with_cells(columns).imported()
}

/// The lines of the address that it is sent to.
#[track_caller]
fn lines(came: &Came) -> [String; 2] {
    let request = came.request();
    ["addressLine1", "addressLine2"].map(|line| request["destination"][line].as_str().unwrap().to_owned())
}

/// The same order without its one column for the address.
fn without_address() -> Table {
    Table::unpaid().with_cells(&[("Payment", "COD")]).renamed(&[("Address", "Colour")])
}

#[test]
fn lines_and_parts_of_an_address_go_by_their_words() {
    type Case = (&'static [(&'static str, &'static str)], &'static str, &'static str);
    const SAID: &str = "Floor 3, Flat 302, 3rd floor, 14 MG Road";
    const RURAL: &str = "Gali 3, Ward 14, Rampura, Sonpur";
    let cases: &[Case] = &[
        (&[("Unit No", "2B"), ("Cross Road", "5th")], "Unit 2B, 14 MG Road", "Cross 5th"),
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
        (&[("Unit", "Pcs"), ("Floor", "Yes"), ("Office No", "08041234567")], "14 MG Road", ""),
        (&[("Location", "12.97,77.59")], "14 MG Road", ""),
        (&[("Unit", "1"), ("Sector", "62"), ("Thana", "Kotwali")], "Unit 1, 14 MG Road", "Sector 62, Kotwali"),
    ];
    for (columns, first, second) in cases {
        assert_eq!(lines(&came(columns)), [*first, *second], "{columns:?}");
    }
    let three = [("Customer Address 1", "14 MG Road"), ("Customer Address 2", "Indiranagar")];
    let three = without_address().with_cells(&three).with_cells(&[("Customer Address 3", "Stage 2")]);
    let rig = Rig::of_a_shop();
    rig.file("orders.csv", &three.text());
    rig.run(&["profile", "guess", "orders.csv", "--save", "own"]).exits(0);
    for came in [three.imported(), three.imported_by(&rig)] {
        assert_eq!(lines(came.exits(0)), ["14 MG Road", "Indiranagar, Stage 2"], "{came:?}");
    }
    // Without a line of its own an address is made of its parts.
    let parts = without_address().with_cells(&[("House No / Flat", "2B"), ("Street / Area", "MG Road")]);
    assert_eq!(lines(parts.imported().exits(0))[0], "2B, MG Road");
    for header in ["Full Address", "Complete Address", "Delivery Add", "Customer Address 1", "Address with Landmark"] {
        without_address().renamed(&[("Colour", header)]).imported().exits(0);
    }
}

#[test]
fn an_address_never_loses_its_first_line() {
    // Of two that are numbered the first is the line before the second.
    let pairs =
        [("Street 1", "Street 2"), ("Shipping Street 1", "Shipping Street 2"), ("Street Line 1", "Street Line 2")];
    let more = [("Address Street 1", "Address Street 2"), ("Addr 1", "Addr 2")];
    for (first, second) in pairs.into_iter().chain(more) {
        let came = without_address().with_cells(&[(first, "12 Rose Villa"), (second, "Near Park")]).imported();
        assert_eq!(lines(&came), ["12 Rose Villa", "Near Park"], "{came:?}");
    }
}

#[test]
fn what_is_no_part_of_an_address_is_told() {
    let left = came(&[("Floor", "Yes"), ("Location", "https://maps.app.goo.gl/x"), ("Unit", "Nos")]);
    assert_eq!((left.exit, left.found("unusual-value")), (0, vec!["Yes", "https://maps.app.goo.gl/x"]), "{left:?}");
}

#[test]
fn an_address_that_names_another_pin_code_is_asked_about() {
    for text in [
        "14 MG Road, PIN 682001",
        "14 MG Road, Kochi - 682001",
        "TC 12/345 Pattom, Kochi 682001.",
        "Pincode: 682001, near park",
    ] {
        let came = came(&[("Address", text)]);
        assert!(came.found("bad-pin-code").contains(&"682001") && came.requests.is_empty(), "{came:?}");
    }
    for text in [
        "14 MG Road, Bengaluru 560001",
        "Plot 682001, MG Road",
        "14 MG Road, near Plot 682001",
        "Survey no. 682001",
        "Flat 12, 682001 Tower, MG Road",
        "A682001 MG Road",
        "12/682001 MG Road",
    ] {
        assert_eq!(came(&[("Address", text)]).booked(), ["N-0"], "{text}");
    }
}

#[test]
fn a_pin_code_at_the_end_of_an_address_is_told_from_the_address() {
    let each = [("Order No", "{n}"), ("Customer Name", "Asha Rao"), ("Phone", "9876543210"), ("Product", "Kurta {n}")];
    let table = Table::every(&each).with(&[
        ("Country", &["India"; 5]),
        ("Qty", &["2"; 5]),
        ("Price", &["499"; 5]),
        ("Payment", &["COD"; 5]),
        (
            "Address",
            &[
                "4 Hill Road, Nashik, Maharashtra 422001",
                "7 MG Road, Pune, Maharashtra 411001",
                "9 Link Road, Mumbai, Maharashtra 400050",
                "2 Lake Road, Thane, Maharashtra 400601",
                "5 Hill Road, Nashik, Maharashtra 42200",
            ],
        ),
    ]);
    let came = table.imported();
    assert_eq!(came.sent(|request| request["destination"]["city"].clone()), ["Nashik", "Pune", "Mumbai", "Thane"]);
    // A digit is missing: that is what is said, and nothing of city and state, which are there.
    let [wrong] = came.errors()[..] else { panic!("{came:?}") };
    assert_eq!((wrong.code.as_str(), wrong.found.as_str()), ("bad-pin-code", "42200"));
    wrong.says("\"42200\" is not a postal code of India: it has 5 digits");
}
