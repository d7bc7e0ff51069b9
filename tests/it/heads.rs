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
