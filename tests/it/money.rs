//! Columns that speak of money and that no field takes: what they say is never passed over where money is collected.

use serde_json::Value;

use crate::rig::{HEADER, Rig, row};

/// What an import came to: the exit code, the problems, the requests.
type Came = (i32, Vec<Value>, Vec<Value>);

/// Books a sheet with a rig of its own, by a profile where one is given.
fn booked(text: &str, profile: Option<&str>) -> Came {
    let rig = Rig::new();
    rig.file("orders.csv", text);
    let mut arguments = vec!["import", "orders.csv", "--yes"];
    if let Some(profile) = profile {
        rig.file("own.toml", profile);
        arguments.extend(["--profile", "own.toml"]);
    }
    let (code, document) = rig.json(&arguments);
    let bookings = rig.sandbox().book().bookings().into_iter();
    let bodies = bookings.map(|booking| serde_json::from_slice(&booking.body).unwrap()).collect();
    (code, document["problems"].as_array().unwrap().clone(), bodies)
}

/// An order of two pieces at 1000, 2000 in all, with more columns.
fn of_2000(payment: &str, more: &str, cells: &str) -> String {
    let row = row("A-1").replace("499.90", "1000").replace("PREPAID", payment);
    format!("{HEADER},{more}\n{row},{cells}\n")
}

fn cod(more: &str, cells: &str) -> Came {
    booked(&of_2000("COD", more, cells), None)
}

/// That nothing was sent, and the first error.
#[track_caller]
fn held(came: &Came, code: &str) -> Value {
    let (exit, problems, bodies) = came;
    assert!(*exit == 3 && bodies.is_empty(), "{problems:#?}");
    let found = problems.iter().find(|problem| problem["severity"] == "error").unwrap();
    assert_eq!(found["code"], code, "{problems:#?}");
    found.clone()
}

#[track_caller]
fn silent(came: &Came, what: &str) {
    let (exit, problems, bodies) = came;
    assert!(*exit == 0 && bodies.len() == 1 && problems.is_empty(), "{what}: {problems:#?}");
}

#[test]
fn every_total_is_compared() {
    let headers =
        ["Total", "Amount", "Total Amount", "Order Value", "Invoice Value", "Net Payable", "Total (Rs)", "Due"];
    for header in headers.into_iter().chain(["COD", "To be collected", "COD Amt (Rs)", "Balance (Rs)"]) {
        let problem = held(&cod(header, "1000"), "total-differs");
        assert_eq!(problem["place"], format!("orders.csv:2 \"{header}\""));
        let message = problem["message"].as_str().unwrap();
        assert!(message.contains("1000.00") && message.contains("2000.00"), "{message}");
        assert!(problem["hint"].as_str().unwrap().contains(&format!("ignore = [\"{header}\"]")), "{problem}");
        silent(&cod(header, "2000"), header);
        silent(&cod(header, ""), header);
    }
    let prepaid = booked(&of_2000("PREPAID", "Total", "1000"), None);
    assert_eq!((prepaid.0, &prepaid.1[0]["severity"]), (0, &"warning".into()), "{prepaid:?}");
}

#[test]
fn a_total_may_be_that_of_the_products_or_of_each_line() {
    silent(&cod("Total,Shipping Charges", "2000,50"), "of the products");
    silent(&cod("Total,Shipping Charges", "2050,50"), "of the order");
    held(&cod("Net Payable,Shipping Charges", "2000,50"), "total-differs");
    let first = row("A-1").replace("499.90,2", "1000,2").replace("PREPAID", "COD");
    let second = first.replace("1000,2", "300,1").replace("K-1", "K-2");
    for (one, two, good) in [("2000", "300", true), ("2300", "2300", true), ("2300", "", true), ("2000", "400", false)]
    {
        let came = booked(&format!("{HEADER},Amount\n{first},{one}\n{second},{two}\n"), None);
        assert_eq!(came.0 == 0, good, "{one} {two}: {:#?}", came.1);
    }
    let same = first.replace("K-1", "K-2");
    silent(&booked(&format!("{HEADER},Total\n{first},2000\n{same},2000\n"), None), "each line's own");
}

#[test]
fn what_comes_on_top_or_is_taken_off_is_asked_about() {
    for header in
        ["COD Charges", "Packing Charges", "Delivery Fee", "Coupon Discount", "Wallet", "Gift Card", "Round Off (Rs)"]
    {
        let problem = held(&cod(header, "50"), "total-differs");
        assert_eq!(problem["place"], format!("orders.csv:2 \"{header}\""));
        assert!(problem["message"].as_str().unwrap().contains("50.00 that no field carries"), "{problem}");
        silent(&cod(header, "0"), header);
        silent(&cod(header, ""), header);
        let (exit, problems, bodies) = booked(&of_2000("PREPAID", header, "50"), None);
        assert_eq!((exit, bodies.len(), &problems[0]["severity"]), (0, 1, &"warning".into()), "{problems:#?}");
    }
    held(&cod("Coupon Discount", "-50"), "total-differs");
    held(&cod("Received", "300"), "total-differs");
    silent(&cod("Round Off", "-0.40"), "a rounding");
    silent(&cod("Received", "yesterday"), "no amount");
    for header in ["Prepaid Amount", "Advance Paid (Rs)", "Amount Received", "Deposit"] {
        held(&cod(header, "300"), "partly-paid");
        silent(&cod(header, "0"), header);
    }
    // What is to be collected confirms the rest; what is sent already is no other amount.
    silent(&cod("COD Charges,COD Amount", "50,2000"), "confirmed");
    silent(&cod("Discount,Disc", "50,50"), "the same twice");
    for text in ["SAVE10", "no", "-"] {
        silent(&cod("Coupon", text), text);
    }
}

#[test]
fn a_profile_says_what_is_not_asked_about() {
    let text = of_2000("COD", "Total,Coupon Discount", "1000,50");
    silent(&booked(&text, Some("ignore = [\"Total\", \"Coupon Discount\"]\n")), "ignored");
    held(&booked(&text, Some("ignore = [\"Total\"]\n")), "total-differs");

    // A profile that was proposed compares them too.
    let rig = Rig::new();
    rig.file("orders.csv", &text);
    let proposed = rig.run(&["profile", "guess", "orders.csv"]).stdout;
    let came = booked(&text, Some(&proposed));
    held(&came, "total-differs");
    assert!(
        proposed.contains("compared with what each order says") && !proposed.contains("ignore = [\"Total"),
        "{proposed}"
    );
}

#[test]
fn what_is_to_be_collected_is_not_prepaid() {
    for header in ["COD Amount", "To Collect", "Amount Due", "Balance (Rs)"] {
        let problem = held(&booked(&of_2000("Prepaid", header, "1000"), None), "total-differs");
        assert!(problem["message"].as_str().unwrap().contains("nothing would be collected"), "{problem}");
        silent(&booked(&of_2000("Prepaid", header, "0"), None), header);
    }
    for header in ["COD", "Is COD"] {
        let came = booked(&of_2000("Prepaid", header, "Yes"), None);
        assert_eq!(held(&came, "total-differs")["found"], "Yes");
        silent(&booked(&of_2000("Prepaid", header, "No"), None), header);
        silent(&cod(header, "Yes"), header);
        held(&cod(header, "No"), "total-differs");
    }
}

#[test]
fn a_subtotal_is_what_would_be_collected() {
    let problem = held(&cod("Subtotal", "500"), "subtotal-differs");
    assert!(problem["message"].as_str().unwrap().contains("500"), "{problem}");
    silent(&cod("Subtotal", "2000"), "the same");
    let (exit, problems, bodies) = booked(&of_2000("PREPAID", "Subtotal", "500"), None);
    assert_eq!((exit, bodies.len(), &problems[0]["severity"]), (0, 1, &"warning".into()), "{problems:#?}");
    let (exit, problems, _) = cod("Subtotal,COD Amount", "1900,1900");
    assert_eq!((exit, &problems[0]["severity"]), (0, &"warning".into()), "confirmed: {problems:#?}");
}

#[test]
fn a_tax_that_is_not_in_the_prices_is_not_forgotten() {
    let problem = held(&cod("Taxes Included,Tax Rate", "no,18"), "total-differs");
    assert!(problem["message"].as_str().unwrap().contains("without the tax of 360.00"), "{problem}");
    silent(&cod("Taxes Included,Tax Rate,Other Charges", "no,18,360"), "sent with the other charges");
    silent(&cod("Taxes Included,Tax Rate,COD Amount", "no,18,2000"), "confirmed");
    silent(&cod("Taxes Included,Tax Rate", "yes,18"), "in the prices");
    let hint = held(&cod("Taxes Included,Tax Rate,COD Amount", "no,18,2360"), "total-differs")["hint"].to_string();
    assert!(hint.contains("the difference is the tax"), "{hint}");
    silent(&booked(&of_2000("PREPAID", "Taxes Included,Tax Rate", "no,18"), None), "prepaid");
}

/// A sheet of two orders without a column for the payment, but with one that speaks of it.
fn without_payment(header: &str, first: &str, second: &str) -> String {
    let bare = |number: &str| row(number).replace("PREPAID,", "").replace(",PREPAID", "");
    let more = HEADER.replace("Payment Type,", "").replace(",Payment Type", "");
    format!("{more},{header}\n{},{first}\n{},{second}\n", bare("A-1"), bare("A-2"))
}

#[test]
fn what_is_to_be_collected_says_how_an_order_is_paid() {
    for (header, first, second) in [
        ("COD", "999.80", ""),
        ("Is COD", "Yes", "No"),
        ("Is COD", "1", "0"),
        ("COD Amount", "999.80", "0"),
        ("Mode", "COD", "Prepaid"),
    ] {
        let text = without_payment(header, first, second);
        let by_guess = {
            let rig = Rig::new();
            rig.file("orders.csv", &text);
            rig.run(&["profile", "guess", "orders.csv"]).stdout
        };
        for profile in [None, Some(by_guess.as_str())] {
            let (exit, problems, bodies) = booked(&text, profile);
            let paid: Vec<&Value> = bodies.iter().map(|body| &body["shippingProperties"]["orderType"]).collect();
            assert!(exit == 0 && paid == ["COD", "PREPAID"], "{header}: {paid:?} {problems:#?} {profile:?}");
        }
    }
    let came = booked(&without_payment("COD", "1500", ""), None);
    assert_eq!(came.1[0]["code"], "total-differs", "the amount is compared as well: {:#?}", came.1);
    let came = booked(&without_payment("COD", "later", "0"), None);
    assert_eq!(came.1[0]["code"], "bad-payment", "{:#?}", came.1);

    // Where one payment for all would be wrong, nobody is told to set it.
    for header in ["To Collect", "Balance"] {
        let rig = Rig::new();
        let text = without_payment(header, "500", "0");
        rig.file("orders.csv", &text);
        for arguments in [["check", "orders.csv", "--format", "json"], ["profile", "guess", "orders.csv", "--quiet"]] {
            let ran = rig.run(&arguments);
            assert!(
                !ran.stdout.contains("shippingProperties.orderType\\\" =") && !ran.stdout.contains("orderType\" ="),
                "{ran:?}"
            );
            assert!(!ran.stderr.contains("orderType\" = "), "{ran:?}");
        }
        held(&booked(&text, None), "missing-column");
        let default = "[defaults]\n\"shippingProperties.orderType\" = \"PREPAID\"\n";
        let (_, problems, bodies) = booked(&text, Some(default));
        assert_eq!((&problems[0]["found"], bodies.len()), (&"500".into(), 1), "{problems:#?}");
    }
}

#[test]
fn a_discount_for_one_piece_counts_for_each() {
    for (header, taken_off) in [("Discount per Unit", "100"), ("Unit Discount", "100"), ("Line Discount", "50")] {
        let (exit, problems, bodies) = cod(header, "50");
        assert_eq!((exit, problems.len()), (0, 1), "{header}: {problems:#?}");
        let whole: f64 = taken_off.parse().unwrap();
        assert_eq!(bodies[0]["shippingProperties"]["discount"], whole, "{header}");
        let sent = bodies[0]["productRequestsList"][0]["discount"].as_str().unwrap();
        assert_eq!(sent.trim_end_matches(".00"), taken_off, "{header}");
    }
    let own = "[columns]\n\"productRequestsList.discount\" = { column = \"Off\", per_piece = true }\n";
    let (_, problems, bodies) = booked(&of_2000("COD", "Off,COD Amount", "50,1900"), Some(own));
    assert_eq!((problems.len(), bodies.len()), (0, 1), "{problems:#?}");
}

#[test]
fn of_two_prices_neither_is_taken_unseen() {
    let with = |payment: &str, price: &str, other: &str, figure: &str| {
        let text = of_2000(payment, other, figure).replace(",Price,", &format!(",{price},"));
        booked(&text, None)
    };
    for other in ["Sale Price", "Offer Price", "Discounted Price", "Final Price", "Deal Price", "Net Price", "SP"] {
        let (exit, problems, bodies) = with("COD", "MRP", other, "499");
        assert_eq!((exit, &bodies[0]["productRequestsList"][0]["price"]), (0, &499.0.into()), "{other}: {problems:#?}");
    }
    for (price, other) in [("Price", "Sale Price"), ("Unit Price", "Offer Price"), ("MRP", "Festival Price")] {
        let problem = held(&with("COD", price, other, "499"), "duplicate-header");
        let message = problem["message"].as_str().unwrap();
        assert!(message.contains("1000.00") && message.contains("499.00"), "{message}");
        assert_eq!(with("COD", price, other, "1000").0, 0, "{price} {other}");
        assert_eq!(with("PREPAID", price, other, "499").0, 0, "{price} {other}");
    }
    let rig = Rig::new();
    rig.file("orders.csv", &of_2000("COD", "Sale Price", "499").replace(",Price,", ",MRP,"));
    let guessed = rig.run(&["profile", "guess", "orders.csv"]).stdout;
    assert!(guessed.contains("\"productRequestsList.price\" = \"Sale Price\""), "{guessed}");
}

#[test]
fn of_two_weights_neither_is_taken_unseen() {
    let with = |header: &str, figure: &str| booked(&of_2000("PREPAID", header, figure), None);
    let problem = held(&with("Total Weight", "1.0"), "duplicate-header");
    assert!(
        problem["message"].as_str().unwrap().contains("\"Weight\" says 0.5 and \"Total Weight\" says 1"),
        "{problem}"
    );
    assert_eq!(with("Total Weight", "0.5").0, 0);
    assert_eq!(with("Total Weight (g)", "500").0, 0);
    held(&with("Total Weight (g)", "900"), "duplicate-header");
}

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
