//! Headers that no list has, and which of two columns is the receiver's.

use serde_json::Value;

use crate::bodies::CONFIGURATION;
use crate::rig::Rig;
use crate::words::{Came, came};

/// A good order, by the headers that everybody knows.
const PLAIN: [(&str, &str); 12] = [
    ("Order No", "H-1"),
    ("Customer Name", "Asha Rao"),
    ("Phone", "9876543210"),
    ("Address", "14 MG Road"),
    ("City", "Bengaluru"),
    ("State", "Karnataka"),
    ("Pincode", "560001"),
    ("Country", "India"),
    ("Product", "Kurta"),
    ("Qty", "2"),
    ("Price", "499"),
    ("Payment", "COD"),
];

/// What becomes of that order where its columns have other headers, and others stand beside them.
fn with(headers: &[(&str, &str)], beside: &[(&str, &str)]) -> Came {
    let own = |plain: &'static str| headers.iter().find(|(of, _)| *of == plain).map_or(plain, |(_, own)| *own);
    let columns: Vec<(&str, &str)> =
        PLAIN.iter().map(|(header, cell)| (own(header), *cell)).chain(beside.iter().copied()).collect();
    let cells: Vec<(&str, [&str; 1])> = columns.iter().map(|(header, cell)| (*header, [*cell])).collect();
    let cells: Vec<(&str, &[&str])> = cells.iter().map(|(header, cell)| (*header, cell.as_slice())).collect();
    let rig = Rig::new();
    rig.file("shipsheet.toml", CONFIGURATION);
    rig.file("sheet.csv", &crate::bodies::sheet(&cells, ','));
    let (code, document) = rig.json(&["import", "sheet.csv", "--yes"]);
    Came { code, problems: document["problems"].as_array().unwrap().clone(), bodies: rig.bodies() }
}

/// The request without the time at which it was staged.
fn body(came: &Came) -> Value {
    let [(_, body)] = came.bodies.as_slice() else { panic!("{:#?}", came.problems) };
    let mut body = body.clone();
    body["orderCreatedAt"] = Value::Null;
    body
}

#[test]
fn remarks_two_names_and_whose_it_is_make_no_other_header() {
    let plain = with(&[], &[]);
    assert_eq!((plain.code, plain.problems.len()), (0, 0), "{:#?}", plain.problems);
    let ways: [&[(&str, &str)]; 5] = [
        &[
            ("Order No", "Order Number (unique)"),
            ("Customer Name", "Customer Name (full)"),
            ("Phone", "Mobile (10 digit)"),
            ("Pincode", "PIN code (6 digits)"),
            ("State", "State (full name)"),
            ("Qty", "Quantity (nos)"),
            ("Price", "Price (per piece)"),
            ("Product", "Product (with size)"),
        ],
        &[
            ("Phone", "Phone/Mobile"),
            ("City", "City/Town"),
            ("State", "State/UT"),
            ("Pincode", "Delivery zip/postal code"),
            ("Price", "Rate/pc"),
        ],
        &[
            ("Customer Name", "Name (Shipping)"),
            ("Phone", "Phone (Shipping)"),
            ("Address", "Address 1&2 (Shipping)"),
            ("City", "City (Shipping)"),
            ("State", "State Name (Shipping)"),
            ("Pincode", "Postcode (Shipping)"),
        ],
        &[
            ("Customer Name", "Shipping Address Name"),
            ("Phone", "Shipping Address Phone"),
            ("Address", "Shipping Address Line 1"),
            ("City", "Shipping Address City"),
            ("State", "Shipping Address State"),
            ("Pincode", "Shipping Address Pincode"),
            ("Price", "Selling Price Per Item"),
        ],
        &[
            ("Customer Name", "Destination Name"),
            ("Phone", "Ship Phone1"),
            ("Address", "Address Line 1"),
            ("City", "Address City"),
            ("State", "Address State"),
            ("Pincode", "Address Pincode"),
            ("Price", "Unit price tax incl"),
        ],
    ];
    for headers in ways {
        let came = with(headers, &[]);
        assert_eq!((came.code, body(&came)), (0, body(&plain)), "{headers:?} {:#?}", came.problems);
        assert!(came.problems.is_empty(), "{:#?}", came.problems);
    }
    // Those of others make nothing of the receiver, and stand beside him as before.
    let others: [&[(&str, &str)]; 2] = [
        &[("Name (Billing)", "Suresh"), ("City (Billing)", "Pune"), ("Phone (office)", "9900112233")],
        &[("Pickup Address City", "Pune"), ("Sender Address Pincode", "411001"), ("Phone 2", "9900112233")],
    ];
    for beside in others {
        let came = with(&[], beside);
        assert_eq!((came.code, body(&came)), (0, body(&plain)), "{beside:?} {:#?}", came.problems);
    }
    for (of, header) in [("City", "City (Billing)"), ("Phone", "Sender Phone (10 digit)"), ("Price", "Price (per box)")]
    {
        let came = with(&[(of, header)], &[]);
        assert!(came.code == 3 && came.said("missing-column").0.contains(of), "{header}: {:#?}", came.problems);
    }
}

#[test]
fn charges_and_payments_by_their_other_names() {
    let came = came(&[("Payment", &["PPD", "ppd", "COD"]), ("Shipping rate", &["", "40", "40"])]);
    let sent: Vec<(&str, f64)> = came
        .bodies
        .iter()
        .map(|(_, body)| &body["shippingProperties"])
        .map(|paid| (paid["orderType"].as_str().unwrap(), paid["shippingCharges"].as_f64().unwrap()))
        .collect();
    assert_eq!(sent, [("PREPAID", 0.0), ("PREPAID", 40.0), ("COD", 40.0)], "{:#?}", came.problems);
}

/// What an order sends of who gets it, and where.
fn sent(came: &Came) -> Vec<String> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let of = |body: &Value| {
        let (who, place) = (&body["receiver"], &body["destination"]);
        let line = ["firstName", "lastName", "phoneNumber"].map(|key| text(&who[key])).join(" ");
        let place = ["addressLine1", "addressLine2", "city", "state", "pinCode"].map(|key| text(&place[key])).join("|");
        format!("{line}|{place}")
    };
    came.bodies.iter().map(|(_, body)| of(body)).collect()
}

/// Whether an order is held since two columns say two things.
fn is_asked(came: &Came) -> bool {
    came.problems.iter().any(|problem| problem["message"].as_str().unwrap().contains("they differ"))
}

#[test]
fn what_names_the_receiver_goes_before_who_bought_it() {
    let names: [&[(&str, &str)]; 4] = [
        &[("Customer Name", "Ship To Name"), ("Phone", "Ship To Phone")],
        &[("Customer Name", "shipping_name"), ("Phone", "shipping_phone")],
        &[("Customer Name", "Name (Shipping)"), ("Phone", "Delivery Phone")],
        &[("Customer Name", "Consignee Name"), ("Phone", "Recipient Phone")],
    ];
    let others: [&[(&str, &str)]; 3] = [
        &[("Buyer Name", "Suresh Iyer"), ("Buyer Phone", "9900112233")],
        &[("Customer Name", "Suresh Iyer"), ("Telephone", "9900112233")],
        &[("firstname", "Suresh"), ("lastname", "Iyer"), ("Phone", "9900112233")],
    ];
    for headers in names {
        for beside in others {
            let came = with(headers, beside);
            let whole = if beside.len() == 3 { "Asha Rao  9876543210" } else { "Asha Rao 9876543210" };
            assert_eq!(
                sent(&came),
                [format!("{whole}|14 MG Road||Bengaluru|Karnataka|560001")],
                "{headers:?} {beside:?}"
            );
            assert!(came.code == 0 && came.found("duplicate-header").len() >= 2, "{:#?}", came.problems);
            assert!(came.said("duplicate-header").0.contains("only where there is nothing"), "{:#?}", came.problems);
        }
    }
    // A saved proposal takes the same columns.
    let rig = Rig::new();
    rig.file("shipsheet.toml", CONFIGURATION);
    let columns: [(&str, &[&str]); 14] = [
        ("Order No", &["H-1"]),
        ("customer_name", &["Suresh Iyer"]),
        ("customer_phone", &["9900112233"]),
        ("shipping_name", &["Asha Rao"]),
        ("shipping_phone", &["9876543210"]),
        ("Address", &["14 MG Road"]),
        ("City", &["Bengaluru"]),
        ("State", &["Karnataka"]),
        ("Pincode", &["560001"]),
        ("Country", &["India"]),
        ("Product", &["Kurta"]),
        ("Qty", &["2"]),
        ("Price", &["499"]),
        ("Payment", &["COD"]),
    ];
    rig.file("sheet.csv", &crate::bodies::sheet(&columns, ','));
    assert_eq!(rig.run(&["profile", "guess", "sheet.csv", "--save", "own"]).code, 0);
    let (code, _) = rig.json(&["import", "sheet.csv", "--yes", "--profile", "own"]);
    let own = Came { code, problems: Vec::new(), bodies: rig.bodies() };
    assert_eq!(sent(&own), ["Asha Rao 9876543210|14 MG Road||Bengaluru|Karnataka|560001"]);
    // Where nothing names the receiver, two that differ are asked as ever.
    let asked = with(&[], &[("Buyer Name", "Suresh Iyer")]);
    assert!(asked.code == 3 && is_asked(&asked), "{:#?}", asked.problems);
    // A bare `name` may be that of the product.
    let bare = with(&[("Customer Name", "shipping_name")], &[("name", "Kurta")]);
    assert_eq!(sent(&bare), ["Asha Rao 9876543210|14 MG Road||Bengaluru|Karnataka|560001"], "{:#?}", bare.problems);
}

#[test]
fn where_the_receivers_own_columns_are_blank_the_others_speak_block_by_block() {
    let columns: [(&str, &[&str]); 12] = [
        ("Customer Name", &["Suresh Iyer", "Suresh Iyer", "Suresh Iyer"]),
        ("Phone", &["9900112233", "9900112233", "9900112233"]),
        ("Address", &["22 Park Street", "22 Park Street", "22 Park Street"]),
        ("Address 2", &["Flat 9", "Flat 9", "Flat 9"]),
        ("City", &["Kolkata", "Kolkata", "Kolkata"]),
        ("State", &["West Bengal", "West Bengal", "West Bengal"]),
        ("Pincode", &["700016", "700016", "700016"]),
        ("Shipping Name", &["Asha Rao", "", "Asha Rao"]),
        ("Shipping Address", &["14 MG Road", "", "14 MG Road"]),
        ("Shipping City", &["Bengaluru", "", ""]),
        ("Shipping State", &["Karnataka", "", "Karnataka"]),
        ("Shipping Pincode", &["560001", "", "560001"]),
    ];
    let paid: (&str, &[&str]) = ("Payment", &["COD", "COD", "COD"]);
    let all: Vec<(&str, &[&str])> = columns.into_iter().chain([paid]).collect();
    let parted = came(&all);
    assert_eq!(
        sent(&parted),
        [
            "Asha Rao 9900112233|14 MG Road||Bengaluru|Karnataka|560001",
            "Suresh Iyer 9900112233|22 Park Street|Flat 9|Kolkata|West Bengal|700016",
        ],
        "{:#?}",
        parted.problems
    );
    // An address is never made of two.
    assert!(parted.code == 4 && parted.said("missing-value").0.contains("City"), "{:#?}", parted.problems);
    // Without a city of its own, it is no address that goes before the other.
    let half = came(&[("Shipping Address", &["14 MG Road"]), ("Address", &["22 Park Street"]), ("Payment", &["COD"])]);
    assert!(half.code == 3 && is_asked(&half), "{:#?}", half.problems);
}

#[test]
fn the_only_phone_is_that_of_whoever_pays() {
    for header in ["Billing Phone", "Phone (Billing)", "Bill To Mobile No"] {
        let came = with(&[("Phone", header)], &[]);
        assert_eq!(sent(&came), ["Asha Rao 9876543210|14 MG Road||Bengaluru|Karnataka|560001"], "{:#?}", came.problems);
        assert!(came.said("sheet-notice").0.contains(header), "{:#?}", came.problems);
    }
    let two = with(&[("Phone", "Billing Phone")], &[("Billing Mobile", "9900112233")]);
    assert!(two.code == 3 && two.said("missing-column").0.contains("Phone"), "{:#?}", two.problems);
    let both = with(&[], &[("Billing Phone", "9900112233")]);
    assert_eq!(sent(&both), ["Asha Rao 9876543210|14 MG Road||Bengaluru|Karnataka|560001"], "{:#?}", both.problems);
}
