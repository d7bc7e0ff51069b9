//! What layouts of shops and couriers say of money, payments and weights is what goes.

use serde_json::json;

use crate::rig::{Came, Columns, Rig, SHOP, Table, has, imported, parcel, row, row_with, sheet, two_at};

const AMAZON: Columns<'static> = &[
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

const DELHIVERY: Columns<'static> = &[
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
        imported(&format!("{},{cell}\n", text.trim_end()))
    };
    for (header, cell, weight, unit) in [
        ("Weight", "1.5 kg", 1.5, "kg"),
        ("Weight", "500 gms", 0.5, "kg"),
        ("Weight", "500g", 0.5, "kg"),
        ("Weight", "60 lbs", 27.2155, "kg"),
        ("Weight (g)", "500 g", 500.0, "g"),
        ("Weight (g)", "0.5 kg", 500.0, "g"),
        ("Weight", "2 lbs.", 0.9072, "kg"),
        ("Weight", "half kg", 0.5, "kg"),
        ("Weight", "1/2 Kg", 0.5, "kg"),
        ("Weight (g)", "Quarter kg", 250.0, "g"),
    ] {
        let sent = sent(header, cell).goes()["parcelAttributes"]["weight"].clone();
        assert_eq!((sent["weight"].as_f64(), &sent["unit"]), (Some(weight), &unit.into()), "{cell}");
    }
    for (cell, length) in [("12 in", 30.48), ("30cm", 30.0), ("300 mm", 30.0), ("\"6\"\"\"", 15.24)] {
        let sent = sent("Length", cell).goes();
        assert_eq!(sent["parcelAttributes"]["dimension"]["length"].as_f64(), Some(length), "{cell}");
    }
    let own = "Dimensions";
    let in_one = sheet([row("A-1")]).replacen('\n', &format!(",{own}\n"), 1);
    let in_one = in_one.replace("Length", "Old 1").replace("Width", "Old 2").replace("Height", "Old 3");
    let sent_in_one = imported(&format!("{},8*6*2 inch\n", in_one.trim_end())).goes();
    let side = |name: &str| sent_in_one["parcelAttributes"]["dimension"][name].as_f64();
    assert_eq!(["length", "width", "height"].map(side), [Some(20.32), Some(15.24), Some(5.08)]);
    for (header, cell) in
        [("Weight", "1 kg 200 g"), ("Weight", "2 boxes"), ("Length", "12 kg"), ("Weight", "500 g x 2")]
    {
        sent(header, cell).stays();
    }
}

#[test]
fn promotions_and_discounts_of_a_layout_are_taken_off() {
    has(&Table::of(AMAZON).imported().goes_silently(), &[("/shippingProperties/discount", json!(100.0))]);
    has(&Table::of(DELHIVERY).imported().goes_silently(), &[("/shippingProperties/discount", json!(100.0))]);
    let percent: Columns<'_> = &[("Discount Type", &["Percentage"]), ("Discount Value", &["10"])];
    Table::of(DELHIVERY).with(percent).imported().held_first("held-back");
    let prepaid: Columns<'_> = &[("*Payment Mode", &["Prepaid"])];
    Table::of(DELHIVERY).with(prepaid).imported().held_first("partly-paid");
}

/// An order with cash on delivery: its total has discounts, fees and taxes in it.
const TIKTOK: Columns<'static> = &[
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
    let amounts = [("shippingCharges", 40.0), ("otherCharges", 50.0), ("discount", 100.0)];
    let sent = Table::of(TIKTOK).imported().goes_silently();
    for (name, amount) in amounts {
        assert_eq!(sent["shippingProperties"][name], amount, "{name}");
    }
    let card = Table::of(TIKTOK).with(&[("Payment Method", &["Card"])]).imported();
    has(&card.goes_silently(), &[("/shippingProperties/otherCharges", json!(50.0))]);
    Table::of(TIKTOK).with(&[("Order Amount", &["₹900.00"])]).imported().held("total-differs");
}

#[test]
fn weights_that_no_parcel_has_are_held_back() {
    let header = "Packaged Product Weight (gm)";
    for grams in ["0.85", "30001", "500000"] {
        let problem = Table::of(DELHIVERY).with(&[(header, &[grams])]).imported().held("unusual-value");
        assert_eq!(problem.is_at(2, header).found, grams);
        assert!(grams != "0.85" || !problem.hint.contains("Weight (g)"), "{problem:?}");
    }

    let rig = Rig::alone();
    let heavy = two_at("1000", "PREPAID", "Tags", "x").replace(",Weight,", ",Weight (kg),").replace(",0.5,", ",120,");
    rig.check_text(&heavy).exits(3).problems[0].advises("[check] heaviest_kg = 120");
    rig.file("shipsheet.toml", "[check]\nheaviest_kg = 120\n");
    rig.check(&["orders.csv"]).exits(0);
}

#[test]
fn a_number_of_pieces_that_stands_alone_in_its_sheet_is_asked_about_once() {
    let rig = Rig::alone();
    let of = |pieces: &[&str]| {
        let of = |(index, pieces): (usize, &&str)| {
            let phone = format!("987654321{index}");
            row_with(&format!("A-{index}"), &phone, "560001").replace(",499.90,2", &format!(",499.90,{pieces}"))
        };
        rig.file("orders.csv", &sheet(pieces.iter().enumerate().map(of)));
        rig.check(&["orders.csv"])
    };
    for pieces in [&["500"][..], &["2", "500", "1"], &["2", "1", "24", "3", "1", "1000"]] {
        let found = pieces.iter().find(|own| own.len() > 2).unwrap();
        assert_eq!(of(pieces).exits(3).only("unusual-value").holds().found, *found, "{pieces:?}");
    }
    for pieces in [&["99", "1"][..], &["500", "200"], &["500", "1", "50", "2"], &["144", "12", "100", "6", "1"]] {
        of(pieces).exits(0);
    }
    // Two products of one order are one question.
    let many = ["Kurta,K-1,499.90,300", "Mug,M-1,99,300"].map(|own| row("A-9").replace("Kurta,K-1,499.90,2", own));
    let few = (0..6).map(|index| row_with(&format!("A-{index}"), &format!("987654322{index}"), "560001"));
    rig.file("orders.csv", &sheet(many.into_iter().chain(few)));
    rig.check(&["orders.csv"]).exits(3).only("unusual-value").holds().is_at(2, "Quantity");
    rig.check(&["orders.csv", "--accept", "implausible-value"]).exits(0);
}

const MAGENTO: Columns<'static> = &[
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
    has(&Table::of(MAGENTO).imported().goes_silently(), &[("/parcelAttributes/weight/weight", json!(1.2))]);
    let unreadable: Columns<'_> = &[("weight", &["0.4000", "light"])];
    assert_eq!(Table::of(MAGENTO).with(unreadable).imported().held("bad-number").found, "light × 3.0000 - 1.0000");
}

const SHOPIFY: Columns<'static> = &[
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
    has(&Table::of(SHOPIFY).imported().goes_silently(), &[("/shippingProperties/orderType", json!("PREPAID"))]);
    let none: Columns<'_> = &[("Outstanding Balance", &["0.00"])];
    has(
        &Table::of(SHOPIFY).with(none).imported().goes_silently(),
        &[("/shippingProperties/orderType", json!("PREPAID"))],
    );
    let part: Columns<'_> = &[("Financial Status", &["paid"]), ("Outstanding Balance", &["200.00"])];
    Table::of(SHOPIFY).with(part).imported().held("partly-paid");

    let paid: Columns<'_> = &[
        ("Financial Status", &["paid"]),
        ("Outstanding Balance", &["0.00"]),
        ("Payment Method", &["Cash on Delivery (COD)"]),
    ];
    Table::of(SHOPIFY).with(paid).imported().held("total-differs").advises("make its payment PREPAID");

    let free: Columns<'_> = &[
        ("Financial Status", &["paid"]),
        ("Outstanding Balance", &["0.00"]),
        ("Payment Method", &[""]),
        ("Discount Amount", &["1000.00"]),
        ("Total", &["0.00"]),
    ];
    has(
        &Table::of(SHOPIFY).with(free).imported().goes_silently(),
        &[("/shippingProperties/orderType", json!("PREPAID"))],
    );
    let unpaid: Columns<'_> = &[("Financial Status", &["pending"]), ("Payment Method", &[""])];
    Table::of(SHOPIFY).with(unpaid).imported().held("missing-value");
}

const WOO_ITEMS: Columns<'static> = &[
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
    let came = Table::of(WOO_ITEMS).imported();
    let sent = came.tells(1).goes();
    came.tells_first("row-left-out");
    assert_eq!(sent["destination"]["city"], "Bengaluru");
    assert_eq!(sent["productRequestsList"].as_array().unwrap().len(), 1);
    // One town of two addresses is none.
    let elsewhere: Columns<'_> = &[("Address 1&2 (Shipping)", &["7 Hill Road", "7 Hill Road"])];
    Table::of(WOO_ITEMS).with(elsewhere).imported().held("missing-value");
}

/// One order of so many pieces in a sheet without weights and sizes, and with these columns.
fn measured(quantity: &str, columns: &[(&str, &str)], more: &str) -> Came {
    let good = Table::unpaid().with_cells(&[("Qty", quantity), ("Payment", "COD")]);
    let rig = Rig::new();
    rig.file("shipsheet.toml", &format!("{SHOP}{more}"));
    rig.import_text(&good.with_cells(columns).text())
}

/// What columns were called, and what stood in them.
type Cells<'a> = &'a [(&'a str, &'a str)];

#[test]
fn the_weight_and_size_of_a_sheet_go_before_those_of_the_configuration() {
    let taken: [(Cells<'_>, &str); 6] = [
        (&[("Dimensions (L)", "30"), ("Dimensions (B)", "25"), ("Dimensions (H)", "8")], "30x25x8 cm 0.5 kg"),
        (&[("Shipping Length", "30"), ("Shipping Breadth", "25"), ("Shipping Height", "8")], "30x25x8 cm 0.5 kg"),
        (&[("Dim in mm L", "300"), ("Dim in mm B", "250"), ("Dim in mm H", "80")], "300x250x80 mm 0.5 kg"),
        (&[("PHYSICAL WEIGHT (GMS)", "850")], "20x15x10 cm 850 g"),
        // Goods have a length as well, and what is charged is not what it weighs.
        (&[("Item Length", "42"), ("Sleeve Length", "60"), ("Size L", "3")], "20x15x10 cm 0.5 kg"),
        (&[("Volumetric Weight", "2"), ("Charged Weight", "3"), ("Net Wt", "0")], "20x15x10 cm 0.5 kg"),
    ];
    for (columns, expected) in taken {
        assert_eq!(parcel(&measured("1", columns, "").goes()), expected, "{columns:?}");
    }
    let two: Cells<'_> = &[("Parcel Length", "30"), ("Shipping Length", "25")];
    measured("1", two, "").held("duplicate-header");
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
        let came = measured(pieces, columns, "");
        assert_eq!(came.errors().len(), 1, "{came:?}");
        let hint = came.held("unusual-value").advises("\"Weight (g)\"").hint.clone();
        // Both ways of the hint lead to an order.
        let ignore = hint[hint.find("[check]").unwrap()..].replacen("[check] ", "[check]\n", 1) + "\n";
        let sent = |columns: Cells<'_>, more: &str| parcel(&measured(pieces, columns, more).goes());
        assert_eq!(sent(columns, &ignore), "20x15x10 cm 0.5 kg", "{columns:?}");
        let mut renamed = columns.to_vec();
        renamed[0].0 = "Weight (g)";
        assert_eq!(sent(&renamed, ""), "20x15x10 cm 250 g", "{columns:?}");
    }
    for (columns, way) in [
        (&[("Case Length", "30"), ("Case Width", "25"), ("Case Height", "8")] as Cells<'_>, "\"Height\""),
        (&[("Item Length", "30"), ("Item Breadth", "25"), ("Item Height", "8")], "\"Height\""),
        (&[("Dimensions", "30 by 25")], "write it as 20x15x10"),
        (&[("Weight (g)", ""), ("Weight as given", "250")], "\"Weight\""),
    ] {
        measured("1", columns, "").held("unusual-value").advises(way);
    }
}
