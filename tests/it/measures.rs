//! What layouts of shops and couriers say of money, payments and weights is what goes.

use serde_json::Value;

use crate::money::{Came, held, of_2000};
use crate::rig::{Rig, row, sheet};

/// What an import of a sheet by columns came to, with a warehouse named.
fn layout(columns: &[(&str, &[&str])]) -> Came {
    let rig = Rig::new();
    rig.file("shipsheet.toml", crate::bodies::CONFIGURATION);
    rig.file("sheet.csv", &crate::bodies::sheet(columns, ','));
    let (code, document) = rig.json(&["import", "sheet.csv", "--yes"]);
    let bodies = rig.bodies().into_iter().map(|(_, body)| body).collect();
    (code, document["problems"].as_array().unwrap().clone(), bodies)
}

/// Columns with some of them changed or added.
fn changed<'a>(base: &[(&'a str, &'a [&'a str])], more: &[(&'a str, &'a [&'a str])]) -> Vec<(&'a str, &'a [&'a str])> {
    let kept = base.iter().filter(|(header, _)| more.iter().all(|(own, _)| own != header));
    kept.chain(more).copied().collect()
}

#[track_caller]
fn sent(came: &Came, path: &str, expected: impl Into<Value>) {
    let (exit, problems, bodies) = came;
    assert!(*exit == 0 && bodies.len() == 1 && problems.is_empty(), "{problems:#?}");
    assert_eq!(bodies[0].pointer(path), Some(&expected.into()), "{}", bodies[0]);
}

const AMAZON: &[(&str, &[&str])] = &[
    ("order-id", &["402-1"]),
    ("order-item-id", &["1"]),
    ("sku", &["K-1"]),
    ("product-name", &["Kurta"]),
    ("quantity-purchased", &["2"]),
    ("quantity-to-ship", &["2"]),
    ("currency", &["INR"]),
    ("item-price", &["1000.00"]),
    ("shipping-price", &["40.00"]),
    ("recipient-name", &["Asha Rao"]),
    ("ship-phone-number", &["9876543210"]),
    ("ship-address-1", &["14 MG Road"]),
    ("ship-city", &["Bengaluru"]),
    ("ship-state", &["KARNATAKA"]),
    ("ship-postal-code", &["560001"]),
    ("ship-country", &["IN"]),
    ("payment-method", &["COD"]),
    ("cod-collectible-amount", &["940.00"]),
    ("item-promotion-discount", &["90.00"]),
    ("ship-promotion-discount", &["10.00"]),
];

const DELHIVERY: &[(&str, &[&str])] = &[
    ("*Sale Order Number", &["D-1"]),
    ("*Pickup Location Name", &["Main"]),
    ("*Transport Mode", &["Surface"]),
    ("*Payment Mode", &["COD"]),
    ("COD Amount", &["900"]),
    ("*Customer Name", &["Asha Rao"]),
    ("*Customer Phone", &["9876543210"]),
    ("*Shipping Address Line1", &["14 MG Road"]),
    ("*Shipping City", &["Bengaluru"]),
    ("*Shipping State", &["Karnataka"]),
    ("*Shipping Pincode", &["560001"]),
    ("*Item Sku Code", &["K-1"]),
    ("*Item Sku Name", &["Kurta"]),
    ("*Quantity Ordered", &["2"]),
    ("*Unit Item Price", &["500"]),
    ("Length (cm)", &["10"]),
    ("Breadth (cm)", &["10"]),
    ("Height (cm)", &["10"]),
    ("Packaged Product Weight (gm)", &["850"]),
    ("Discount Type", &["Flat"]),
    ("Discount Value", &["100"]),
];

#[test]
fn units_stand_behind_figures_too() {
    let sent = |header: &str, cell: &str| {
        let text = sheet([row("A-1")]).replacen('\n', &format!(",{header}\n"), 1);
        let text = match header {
            _ if header.starts_with("Weight") => text.replace(",Weight,", ",Old,"),
            _ => text.replace(",Length,", ",Old,"),
        };
        let rig = Rig::new();
        rig.file("orders.csv", &format!("{},{cell}\n", text.trim_end()));
        let ran = rig.run(&["import", "orders.csv", "--yes"]);
        let mut bodies = rig.bodies();
        if bodies.is_empty() {
            Err(ran.stdout + &ran.stderr)
        } else {
            Ok(bodies.remove(0).1["parcelAttributes"].clone())
        }
    };
    for (header, cell, weight, unit) in [
        ("Weight", "1.5 kg", 1.5, "kg"),
        ("Weight", "500 gms", 0.5, "kg"),
        ("Weight", "500g", 0.5, "kg"),
        ("Weight", "60 kg", 60.0, "kg"),
        ("Weight (g)", "500 g", 500.0, "g"),
        ("Weight (g)", "0.5 kg", 500.0, "g"),
        ("Weight", "2 lbs.", 0.9072, "kg"),
    ] {
        let parcel = sent(header, cell).unwrap_or_else(|told| panic!("{header} {cell}: {told}"));
        assert_eq!(
            (parcel["weight"]["weight"].as_f64(), &parcel["weight"]["unit"]),
            (Some(weight), &unit.into()),
            "{cell}"
        );
    }
    for (cell, length) in [("12 in", 30.48), ("30cm", 30.0), ("300 mm", 30.0)] {
        let parcel = sent("Length", cell).unwrap_or_else(|told| panic!("{cell}: {told}"));
        assert_eq!(parcel["dimension"]["length"].as_f64(), Some(length), "{cell}");
    }
    for (header, cell) in
        [("Weight", "1 kg 200 g"), ("Weight", "2 boxes"), ("Length", "12 kg"), ("Weight", "500 g x 2")]
    {
        assert!(sent(header, cell).is_err(), "{header} {cell}");
    }
}

#[test]
fn promotions_and_discounts_of_a_layout_are_taken_off() {
    sent(&layout(AMAZON), "/shippingProperties/discount", 100.0);
    sent(&layout(DELHIVERY), "/shippingProperties/discount", 100.0);
    let percent: &[(&str, &[&str])] = &[("Discount Type", &["Percentage"]), ("Discount Value", &["10"])];
    held(&layout(&changed(DELHIVERY, percent)), "held-back");
    let prepaid: &[(&str, &[&str])] = &[("*Payment Mode", &["Prepaid"])];
    held(&layout(&changed(DELHIVERY, prepaid)), "total-differs");
}

/// An order with cash on delivery: its total has discounts, fees and taxes in it.
const TIKTOK: &[(&str, &[&str])] = &[
    ("Order ID", &["576912345678901001"]),
    ("Order Status", &["To ship"]),
    ("Cancelled Time", &[""]),
    ("Seller SKU", &["DB012"]),
    ("Product Name", &["Phoenix Tee"]),
    ("Quantity", &["2"]),
    ("SKU Unit Original Price", &["₹500.00"]),
    ("SKU Platform Discount", &["₹10.00"]),
    ("SKU Seller Discount", &["₹90.00"]),
    ("Shipping Fee After Discount", &["₹40.00"]),
    ("Taxes", &["₹45.50"]),
    ("Small Order Fee", &["₹4.50"]),
    ("Order Amount", &["₹990.00"]),
    ("Recipient", &["Asha Rao"]),
    ("Phone #", &["9876543210"]),
    ("Zipcode", &["560001"]),
    ("Country", &["India"]),
    ("State", &["Karnataka"]),
    ("City", &["Bengaluru"]),
    ("Detail Address", &["14 MG Road"]),
    ("Payment Method", &["Cash on delivery"]),
];

#[test]
fn fees_taxes_and_discounts_of_tiktok_add_up() {
    let came = layout(TIKTOK);
    sent(&came, "/shippingProperties/discount", 100.0);
    let properties = &came.2[0]["shippingProperties"];
    assert_eq!((&properties["shippingCharges"], &properties["otherCharges"]), (&40.0.into(), &50.0.into()));
    sent(&layout(&changed(TIKTOK, &[("Payment Method", &["Card"])])), "/shippingProperties/otherCharges", 50.0);
    held(&layout(&changed(TIKTOK, &[("Order Amount", &["₹900.00"])])), "total-differs");
}

#[test]
fn weights_that_no_parcel_has_are_held_back() {
    let weighing = |grams: &'static str| {
        let cells: &'static [&'static str] = Box::leak(Box::new([grams]));
        layout(&changed(DELHIVERY, &[("Packaged Product Weight (gm)", cells)]))
    };
    let problem = held(&weighing("0.85"), "unusual-value");
    assert_eq!(
        (&problem["found"], &problem["place"]),
        (&"0.85".into(), &"sheet.csv:2 \"Packaged Product Weight (gm)\"".into())
    );
    assert!(!problem["hint"].as_str().unwrap().contains("Weight (g)"), "{problem}");
    assert_eq!(held(&weighing("500000"), "unusual-value")["found"], "500000");

    let rig = Rig::alone();
    rig.file(
        "orders.csv",
        &of_2000("PREPAID", "Tags", "x").replace(",Weight,", ",Weight (kg),").replace(",0.5,", ",120,"),
    );
    let (code, document) = rig.json(&["check", "orders.csv"]);
    let hint = document["problems"][0]["hint"].as_str().unwrap();
    assert!(code == 3 && hint.contains("[check] heaviest_kg = 120"), "{document}");
    rig.file("shipsheet.toml", "[check]\nheaviest_kg = 120\n");
    assert_eq!(rig.json(&["check", "orders.csv"]).0, 0);
}

const MAGENTO: &[(&str, &[&str])] = &[
    ("increment_id", &["7", "7"]),
    ("status", &["processing", "processing"]),
    ("shipping_firstname", &["Asha", "Asha"]),
    ("shipping_street", &["14 MG Road", "14 MG Road"]),
    ("shipping_city", &["Bengaluru", "Bengaluru"]),
    ("shipping_region", &["Karnataka", "Karnataka"]),
    ("shipping_postcode", &["560001", "560001"]),
    ("shipping_country_id", &["IN", "IN"]),
    ("shipping_telephone", &["9876543210", "9876543210"]),
    ("payment_method", &["razorpay", "razorpay"]),
    ("product_name", &["Kurta", "Shirt"]),
    ("product_price", &["500.0000", "300.0000"]),
    ("qty_ordered", &["2.0000", "3.0000"]),
    ("qty_shipped", &["0.0000", "1.0000"]),
    ("qty_canceled", &["0.0000", ""]),
    ("weight", &["0.4000", "0.2000"]),
];

#[test]
fn a_parcel_weighs_what_its_pieces_weigh() {
    sent(&layout(MAGENTO), "/parcelAttributes/weight/weight", 1.2);
    let unreadable: &[(&str, &[&str])] = &[("weight", &["0.4000", "light"])];
    assert_eq!(held(&layout(&changed(MAGENTO, unreadable)), "bad-number")["found"], "light × 3.0000");
}

const SHOPIFY: &[(&str, &[&str])] = &[
    ("Name", &["#1"]),
    ("Financial Status", &["authorized"]),
    ("Fulfillment Status", &["unfulfilled"]),
    ("Cancelled at", &[""]),
    ("Currency", &["INR"]),
    ("Shipping", &["0.00"]),
    ("Total", &["1000.00"]),
    ("Discount Amount", &["0.00"]),
    ("Outstanding Balance", &["1000.00"]),
    ("Lineitem quantity", &["2"]),
    ("Lineitem name", &["Kurta"]),
    ("Lineitem price", &["500.00"]),
    ("Lineitem fulfillment status", &["pending"]),
    ("Lineitem requires shipping", &["true"]),
    ("Shipping Name", &["Emily Rao"]),
    ("Shipping Address1", &["14 MG Road"]),
    ("Shipping City", &["Bengaluru"]),
    ("Shipping Zip", &["'560001"]),
    ("Shipping Province", &["KA"]),
    ("Shipping Country", &["IN"]),
    ("Shipping Phone", &["9876543210"]),
    ("Payment Method", &["Shopify Payments"]),
];

#[test]
fn shopify_knows_what_is_authorised_paid_and_free() {
    sent(&layout(SHOPIFY), "/shippingProperties/orderType", "PREPAID");
    let none: &[(&str, &[&str])] = &[("Outstanding Balance", &["0.00"])];
    sent(&layout(&changed(SHOPIFY, none)), "/shippingProperties/orderType", "PREPAID");
    let part: &[(&str, &[&str])] = &[("Financial Status", &["paid"]), ("Outstanding Balance", &["200.00"])];
    held(&layout(&changed(SHOPIFY, part)), "total-differs");

    let paid: &[(&str, &[&str])] = &[
        ("Financial Status", &["paid"]),
        ("Outstanding Balance", &["0.00"]),
        ("Payment Method", &["Cash on Delivery (COD)"]),
    ];
    let problem = held(&layout(&changed(SHOPIFY, paid)), "total-differs");
    assert!(problem["hint"].as_str().unwrap().contains("make its payment PREPAID"), "{problem}");

    let free: &[(&str, &[&str])] = &[
        ("Financial Status", &["paid"]),
        ("Outstanding Balance", &["0.00"]),
        ("Payment Method", &[""]),
        ("Discount Amount", &["1000.00"]),
        ("Total", &["0.00"]),
    ];
    sent(&layout(&changed(SHOPIFY, free)), "/shippingProperties/orderType", "PREPAID");
    let unpaid: &[(&str, &[&str])] = &[("Financial Status", &["pending"]), ("Payment Method", &[""])];
    held(&layout(&changed(SHOPIFY, unpaid)), "missing-value");
}

const WOO_ITEMS: &[(&str, &[&str])] = &[
    ("Order Number", &["9", "9"]),
    ("Order Status", &["Processing", "Processing"]),
    ("Order Date", &["2026-11-20 10:30", "2026-11-20 10:30"]),
    ("First Name (Billing)", &["Asha", "Asha"]),
    ("Phone (Billing)", &["9876543210", "9876543210"]),
    ("Address 1&2 (Billing)", &["14 MG Road", "14 MG Road"]),
    ("City (Billing)", &["Bengaluru", "Bengaluru"]),
    ("State Code (Billing)", &["KA", "KA"]),
    ("Postcode (Billing)", &["560001", "560001"]),
    ("Country Code (Billing)", &["IN", "IN"]),
    ("Address 1&2 (Shipping)", &["", ""]),
    ("City (Shipping)", &["", ""]),
    ("State Code (Shipping)", &["", ""]),
    ("Postcode (Shipping)", &["", ""]),
    ("Country Code (Shipping)", &["", ""]),
    ("Item Name", &["Kurta", "Shirt"]),
    ("Quantity (- Refund)", &["2", "0"]),
    ("Item Cost", &["500", "300"]),
    ("Payment Method Title", &["Razorpay", "Razorpay"]),
];

#[test]
fn woocommerce_items_fall_back_to_billing_and_leave_out_what_is_refunded() {
    let (exit, problems, bodies) = layout(WOO_ITEMS);
    assert_eq!((exit, bodies.len(), problems.len()), (0, 1, 1), "{problems:#?}");
    assert_eq!(problems[0]["code"], "row-left-out");
    assert_eq!(bodies[0]["destination"]["city"], "Bengaluru");
    assert_eq!(bodies[0]["productRequestsList"].as_array().unwrap().len(), 1);
    // One town of two addresses is none.
    let elsewhere: &[(&str, &[&str])] = &[("Address 1&2 (Shipping)", &["7 Hill Road", "7 Hill Road"])];
    assert_eq!(held(&layout(&changed(WOO_ITEMS, elsewhere)), "missing-value")["severity"], "error");
}

/// One order of so many pieces in a sheet without weights and sizes, and with these columns.
fn measured(quantity: &str, columns: &[(&str, &str)], more: &str) -> Came {
    let mut all = vec![
        ("Order Number", "A-1"),
        ("Customer Name", "Asha Rao"),
        ("Phone", "9876543210"),
        ("Address", "14 MG Road"),
        ("City", "Bengaluru"),
        ("State", "Karnataka"),
        ("Pincode", "560001"),
        ("Country Code", "IN"),
        ("Product", "Kurta"),
        ("Quantity", quantity),
        ("Price", "500"),
        ("Payment", "COD"),
    ];
    all.extend(columns);
    let line = |texts: Vec<&str>| texts.join(",") + "\n";
    let (headers, cells) = all.into_iter().unzip();
    let rig = Rig::new();
    rig.file("shipsheet.toml", &format!("{}{more}", crate::bodies::CONFIGURATION));
    rig.file("sheet.csv", &(line(headers) + &line(cells)));
    let (code, document) = rig.json(&["import", "sheet.csv", "--yes"]);
    let bodies = rig.bodies().into_iter().map(|(_, body)| body).collect();
    (code, document["problems"].as_array().unwrap().clone(), bodies)
}

/// What is sent of a parcel, in words.
fn parcel(body: &Value) -> String {
    let (dimension, weight) = (&body["parcelAttributes"]["dimension"], &body["parcelAttributes"]["weight"]);
    let sides = ["length", "width", "height"].map(|side| dimension[side].to_string()).join("x");
    format!("{sides} {} {} {}", dimension["unit"], weight["weight"], weight["unit"]).replace('"', "")
}

/// What columns were called, and what stood in them.
type Cells<'a> = &'a [(&'a str, &'a str)];

#[test]
fn the_weight_and_size_of_a_sheet_go_before_those_of_the_configuration() {
    let taken: [(Cells<'_>, &str); 7] = [
        (&[("Dimensions (L)", "30"), ("Dimensions (B)", "25"), ("Dimensions (H)", "8")], "30x25x8 cm 0.5 kg"),
        (&[("Shipping Length", "30"), ("Shipping Breadth", "25"), ("Shipping Height", "8")], "30x25x8 cm 0.5 kg"),
        (&[("Dim in mm L", "300"), ("Dim in mm B", "250"), ("Dim in mm H", "80")], "300x250x80 mm 0.5 kg"),
        (&[("PHYSICAL WEIGHT (GMS)", "850")], "20x15x10 cm 850 g"),
        (
            &[("Item Weight (Kg)", "1.2"), ("Item Length", "30"), ("Item Breadth", "25"), ("Item Height", "8")],
            "30x25x8 cm 1.2 kg",
        ),
        // Goods have a length as well, and what is charged is not what it weighs.
        (&[("Item Length", "42"), ("Sleeve Length", "60"), ("Size L", "3")], "20x15x10 cm 0.5 kg"),
        (&[("Volumetric Weight", "2"), ("Charged Weight", "3"), ("Net Wt", "0")], "20x15x10 cm 0.5 kg"),
    ];
    for (columns, expected) in taken {
        let (exit, problems, bodies) = measured("1", columns, "");
        assert!(exit == 0 && bodies.len() == 1, "{columns:?}: {problems:#?}");
        assert_eq!(parcel(&bodies[0]), expected, "{columns:?}");
    }
    let two: Cells<'_> = &[("Parcel Length", "30"), ("Shipping Length", "25")];
    held(&measured("1", two, ""), "duplicate-header");
}

#[test]
fn no_constant_is_booked_in_silence_where_the_sheet_has_a_figure() {
    let asked: [(&str, Cells<'_>); 5] = [
        ("2", &[("Item Weight (g)", "250")]),
        ("1", &[("Net Wt (g)", "250")]),
        ("1", &[("Net Wt (g)", "250"), ("Tare Weight (g)", "20")]),
        ("1", &[("Grams", "250")]),
        ("3", &[("Product Weight (g)", "250"), ("Volumetric Weight", "2")]),
    ];
    for (pieces, columns) in asked {
        let (exit, problems, bodies) = measured(pieces, columns, "");
        let errors: Vec<&Value> = problems.iter().filter(|problem| problem["severity"] == "error").collect();
        assert!(exit == 3 && bodies.is_empty() && errors.len() == 1, "{columns:?}: {problems:#?}");
        let hint = errors[0]["hint"].as_str().unwrap();
        assert!(errors[0]["code"] == "unusual-value" && hint.contains("\"Weight (g)\""), "{hint}");
        // Both ways of the hint lead to an order.
        let ignore = hint[hint.find("[check]").unwrap()..].replacen("[check] ", "[check]\n", 1) + "\n";
        let sent = |columns: Cells<'_>, more: &str| {
            let (exit, problems, bodies) = measured(pieces, columns, more);
            assert!(exit == 0 && bodies.len() == 1, "{columns:?} {more}: {problems:#?}");
            parcel(&bodies[0])
        };
        assert_eq!(sent(columns, &ignore), "20x15x10 cm 0.5 kg", "{columns:?}");
        let mut renamed = columns.to_vec();
        renamed[0].0 = "Weight (g)";
        assert_eq!(sent(&renamed, ""), "20x15x10 cm 250 g", "{columns:?}");
    }
    for (columns, way) in [
        (&[("Case Length", "30"), ("Case Width", "25"), ("Case Height", "8")] as Cells<'_>, "\"Height\""),
        (&[("Dimensions", "30 by 25")], "write it as 20x15x10"),
        (&[("Weight (g)", ""), ("Weight as given", "250")], "write what this parcel has into \"Weight (g)\"; to book"),
    ] {
        let problem = held(&measured("1", columns, ""), "unusual-value");
        assert!(problem["hint"].as_str().unwrap().contains(way), "{problem}");
    }
}
