//! Headers that no list has, and which of two columns is the receiver's.

use serde_json::Value;

use crate::rig::{Came, Rig, Table, came_of};

/// What becomes of a good order where its columns have other headers, and others stand beside them.
fn with(headers: &[(&str, &str)], beside: &[(&str, &str)]) -> Came {
    let plain = Table::unpaid().with_cells(&[("Order No", "H-1"), ("Product", "Kurta"), ("Payment", "COD")]);
    plain.renamed(headers).with_cells(beside).imported()
}

/// The request without the time at which it was staged.
fn body(came: &Came) -> Value {
    let mut body = came.goes();
    body["orderCreatedAt"] = Value::Null;
    body
}

#[test]
fn remarks_two_names_and_whose_it_is_make_no_other_header() {
    let plain = with(&[], &[]);
    plain.goes_silently();
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
        assert_eq!(body(came.tells(0)), body(&plain), "{came:?}");
    }
    // Those of others make nothing of the receiver, and stand beside him as before.
    let others: [&[(&str, &str)]; 2] = [
        &[("Name (Billing)", "Suresh"), ("City (Billing)", "Pune"), ("Phone (office)", "9900112233")],
        &[("Pickup Address City", "Pune"), ("Sender Address Pincode", "411001"), ("Phone 2", "9900112233")],
    ];
    for beside in others {
        assert_eq!(body(&with(&[], beside)), body(&plain), "{beside:?}");
    }
    for (of, header) in [("City", "City (Billing)"), ("Phone", "Sender Phone (10 digit)"), ("Price", "Price (per box)")]
    {
        with(&[(of, header)], &[]).exits(3).first("missing-column").says(of);
    }
}

#[test]
fn charges_and_payments_by_their_other_names() {
    let came = came_of(&[("Payment", &["PPD", "ppd", "COD"]), ("Shipping rate", &["", "40", "40"])]);
    let paid = |body: &'_ Value| body["shippingProperties"]["shippingCharges"].as_f64().unwrap();
    let sent: Vec<(&str, f64)> = came.payments().into_iter().zip(came.sent(paid)).collect();
    assert_eq!(sent, [("PREPAID", 0.0), ("PREPAID", 40.0), ("COD", 40.0)], "{came:?}");
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
    came.sent(of)
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
            assert_eq!(sent(&came), ["Asha Rao 9876543210|14 MG Road||Bengaluru|Karnataka|560001"], "{came:?}");
            assert!(came.exits(0).found("duplicate-header").len() >= 2, "{came:?}");
            came.first("duplicate-header").says("is not sent");
        }
    }
    // A saved proposal takes the same columns.
    let rig = Rig::of_a_shop();
    let table = Table::every(&[
        ("Order No", "H-1"),
        ("customer_name", "Suresh Iyer"),
        ("customer_phone", "9900112233"),
        ("shipping_name", "Asha Rao"),
        ("shipping_phone", "9876543210"),
        ("Address", "14 MG Road"),
        ("City", "Bengaluru"),
        ("State", "Karnataka"),
        ("Pincode", "560001"),
        ("Country", "India"),
        ("Product", "Kurta"),
        ("Qty", "2"),
        ("Price", "499"),
        ("Payment", "COD"),
    ]);
    rig.file("orders.csv", &table.text());
    rig.run(&["profile", "guess", "orders.csv", "--save", "own"]).exits(0);
    let own = rig.import(&["orders.csv", "--profile", "own"]);
    assert_eq!(sent(&own), ["Asha Rao 9876543210|14 MG Road||Bengaluru|Karnataka|560001"]);
    // Where nothing names the receiver, two that differ are asked as ever.
    with(&[], &[("Buyer Name", "Suresh Iyer")]).held("duplicate-header");
    // A bare `name` may be that of the product.
    let bare = with(&[("Customer Name", "shipping_name")], &[("name", "Kurta")]);
    assert_eq!(sent(&bare), ["Asha Rao 9876543210|14 MG Road||Bengaluru|Karnataka|560001"], "{bare:?}");
}

#[test]
fn where_the_receivers_own_columns_are_blank_the_order_is_held_and_no_address_is_made_of_two() {
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
        ("Shipping Pincode", &["561203", "", "561203"]),
    ];
    let paid: (&str, &[&str]) = ("Payment", &["COD", "COD", "COD"]);
    let all: Vec<(&str, &[&str])> = columns.into_iter().chain([paid]).collect();
    let parted = came_of(&all);
    assert_eq!(sent(&parted), ["Asha Rao 9900112233|14 MG Road||Bengaluru|Karnataka|561203"], "{parted:?}");
    let missing = parted.exits(4).all("missing-value");
    let of =
        |order: &str| missing.iter().filter(|own| own.order == order).map(|own| own.field.as_str()).collect::<Vec<_>>();
    assert_eq!(of("N-2"), ["destination.city"]);
    assert!(of("N-1").contains(&"destination.addressLine1") && of("N-1").contains(&"receiver.firstName"));
    // Without a city of its own, it is no address that goes before the other.
    let half = [("Shipping Address", "14 MG Road"), ("Address", "22 Park Street"), ("Payment", "COD")];
    Table::unpaid().with_cells(&half).imported().held("duplicate-header");
}

#[test]
fn a_phone_of_whoever_pays_serves_only_where_there_is_no_other() {
    let alone = with(&[("Phone", "Billing Phone")], &[]);
    assert_eq!(sent(&alone), ["Asha Rao 9876543210|14 MG Road||Bengaluru|Karnataka|560001"], "{alone:?}");
    assert!(alone.first("sheet-notice").message.contains("\"Billing Phone\" is the Receiver Phone"), "{alone:?}");
    for header in ["Sender Phone", "Warehouse Mobile No"] {
        with(&[("Phone", header)], &[]).exits(3).first("missing-column").says("Phone");
    }
    let both = with(&[], &[("Billing Phone", "9900112233")]);
    assert_eq!(sent(&both), ["Asha Rao 9876543210|14 MG Road||Bengaluru|Karnataka|560001"], "{both:?}");
}

#[test]
fn an_emirate_is_the_city_as_well_and_a_villa_is_none() {
    let rig = Rig::of_a_shop();
    let table = Table::unpaid().with_cells(&[("Order No", "E-1"), ("Payment", "COD"), ("Phone", "0501412345")]);
    let table = table.with_cells(&[("Country", "AE"), ("Pincode", ""), ("City", "Villa 12"), ("State", "Dubai")]);
    let came = table.renamed(&[("City", "Building"), ("State", "Emirate")]).imported_by(&rig);
    let to = came.exits(0).request()["destination"].clone();
    assert_eq!((&to["city"], &to["state"]), (&"Dubai".into(), &"Dubai".into()), "{came:?}");
    assert!(came.all("sheet-notice").iter().any(|own| own.message.contains("\"Emirate\" is the City")), "{came:?}");
}

#[test]
fn the_largest_part_of_an_address_is_its_city_and_an_amount_no_order_number() {
    let of = |city: &str, beside: &[(&str, &str)]| {
        let plain = Table::unpaid().with_cells(&[("Order No", "H-1"), ("Payment", "COD")]);
        plain.renamed(&[("City", city)]).with_cells(beside).imported()
    };
    for (header, beside) in [("District", "Taluka"), ("Suburb", "Unit No"), ("Locality", "Flat No")] {
        let came = of(header, &[(beside, "B4")]);
        assert_eq!(came.goes()["destination"]["city"], "Bengaluru", "{header}");
    }
    let named = |header: &str, number: &str| {
        let plain = Table::unpaid().with_cells(&[("Order No", number), ("Payment", "COD")]);
        plain.renamed(&[("Order No", header)]).imported()
    };
    assert_eq!(named("Invoice", "INV-88").booked(), ["INV-88"]);
    assert_eq!(named("Docket Ref", "DR/26-1").booked(), ["DR/26-1"]);
    named("Invoice", "1299").exits(3);
    // It may be the courier's.
    named("Docket No", "D-26").exits(3);
}
