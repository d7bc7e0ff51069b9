//! What is collected at the door is what the sheet says, and what is shipped already is not shipped again.

use serde_json::Value;

use crate::bodies::{CONFIGURATION, sheet};
use crate::rig::{HEADER, Rig};

/// A good order, from a warehouse of [`CONFIGURATION`].
fn row(number: &str) -> String {
    crate::rig::row(number).replace("WH-1", "Main")
}

/// Columns of a sheet, some of them with other cells than usual.
type Columns<'a> = Vec<(&'a str, &'a [&'a str])>;

/// A sheet with its columns as they are and others on top.
fn with<'a>(base: &Columns<'a>, more: &[(&'a str, &'a [&'a str])]) -> String {
    let mut columns = base.clone();
    for (header, cells) in more {
        match columns.iter_mut().find(|(known, _)| known == header) {
            Some(column) => column.1 = cells,
            None => columns.push((header, cells)),
        }
    }
    sheet(&columns, ',')
}

/// Books a sheet: the exit code, the problems, and the requests by order number.
fn imported(text: &str) -> (i32, Vec<Value>, Vec<(String, Value)>) {
    let rig = Rig::new();
    rig.file("shipsheet.toml", CONFIGURATION);
    rig.file("sheet.csv", text);
    let (code, document) = rig.json(&["import", "sheet.csv", "--yes"]);
    (code, document["problems"].as_array().unwrap().clone(), rig.bodies())
}

/// The one problem of that code.
#[track_caller]
fn told<'p>(problems: &'p [Value], code: &str) -> &'p Value {
    let found: Vec<&Value> = problems.iter().filter(|problem| problem["code"] == code).collect();
    assert_eq!(found.len(), 1, "{code}: {problems:#?}");
    found[0]
}

fn woocommerce<'a>() -> Columns<'a> {
    vec![
        ("order_id", &["1"]),
        ("order_number", &["1"]),
        ("status", &["processing"]),
        ("shipping_total", &["10"]),
        ("fee_total", &["1"]),
        ("tax_total", &["3.42"]),
        ("discount_total", &["5"]),
        ("order_total", &["22.42"]),
        ("order_currency", &["INR"]),
        ("payment_method", &["cod"]),
        ("billing_phone", &["9876543210"]),
        ("billing_address_1", &["7 Hill Road"]),
        ("billing_postcode", &["400050"]),
        ("billing_city", &["Mumbai"]),
        ("billing_state", &["MH"]),
        ("billing_country", &["IN"]),
        ("shipping_first_name", &["Asha"]),
        ("shipping_address_1", &["20 Maple Avenue"]),
        ("shipping_postcode", &["560001"]),
        ("shipping_city", &["Bengaluru"]),
        ("shipping_state", &["KA"]),
        ("shipping_country", &["IN"]),
        ("line_item_1", &["name:Shoe|sku:A12|quantity:1|total:8.00|tax:1.44"]),
    ]
}

#[test]
fn woocommerce_collects_what_the_shop_says() {
    let (code, problems, bodies) = imported(&with(&woocommerce(), &[]));
    assert_eq!((code, problems.len()), (0, 0), "{problems:#?}");
    let properties = &bodies[0].1["shippingProperties"];
    assert_eq!((&properties["otherCharges"], &properties["discount"]), (&4.42.into(), &0.0.into()), "{properties}");

    let (code, problems, bodies) = imported(&with(&woocommerce(), &[("order_total", &["18.00"])]));
    assert!(code == 3 && bodies.is_empty(), "{problems:#?}");
    let problem = told(&problems, "total-differs");
    assert_eq!(problem["place"], "sheet.csv:2 \"order_total\"");
    let message = problem["message"].as_str().unwrap();
    assert!(message.contains("18.00 is the order's total") && message.contains("comes to 22.42"), "{message}");
    assert!(message.contains("products 8.00 + shipping 10.00 + other charges 4.42"), "{message}");

    // A whole amount may be a rounded one; of what is paid, only the worth would be wrong.
    let (code, problems, _) = imported(&with(&woocommerce(), &[("order_total", &["22"])]));
    assert_eq!((code, problems.len()), (0, 0), "{problems:#?}");
    let prepaid: [(&str, &[&str]); 2] = [("order_total", &["18.00"]), ("payment_method", &["razorpay"])];
    let (code, problems, _) = imported(&with(&woocommerce(), &prepaid));
    assert_eq!((code, told(&problems, "total-differs")["severity"].as_str()), (0, Some("warning")));
}

#[test]
fn a_total_that_nobody_can_read_collects_nothing() {
    let (code, problems, bodies) = imported(&with(&woocommerce(), &[("order_total", &["about 22"])]));
    assert!(code == 3 && bodies.is_empty(), "{problems:#?}");
    assert!(told(&problems, "total-differs")["message"].as_str().unwrap().contains("cannot be read"));
    for readable in ["₹22.42", "22,42", "INR 22.42", "=\"22.42\""] {
        let (code, problems, _) = imported(&with(&woocommerce(), &[("order_total", &[readable])]));
        assert_eq!((code, problems.len()), (0, 0), "{readable}: {problems:#?}");
    }
}

#[test]
fn an_address_is_one_block_as_a_whole() {
    let no_town: [(&str, &[&str]); 1] = [("shipping_city", &[""])];
    let (code, problems, bodies) = imported(&with(&woocommerce(), &no_town));
    assert!(code == 3 && bodies.is_empty(), "{problems:#?}");
    assert_eq!(told(&problems, "missing-value")["place"], "sheet.csv:2 \"shipping_city\"");

    let no_street: [(&str, &[&str]); 1] = [("shipping_address_1", &[""])];
    let (code, problems, bodies) = imported(&with(&woocommerce(), &no_street));
    assert_eq!(code, 0, "{problems:#?}");
    let destination = &bodies[0].1["destination"];
    assert_eq!(destination["addressLine1"], "7 Hill Road");
    assert_eq!((&destination["city"], &destination["pinCode"]), (&"Mumbai".into(), &"400050".into()));
    assert_eq!(destination["state"], "Maharashtra");
}

#[test]
fn a_product_may_stand_beside_a_gap() {
    let gap: [(&str, &[&str]); 2] =
        [("order_total", &["71.42"]), ("line_item_5", &["name:Lace|sku:L1|quantity:1|total:49.00"])];
    let (code, problems, bodies) = imported(&with(&woocommerce(), &gap));
    assert_eq!(code, 0, "{problems:#?}");
    assert_eq!(bodies[0].1["productRequestsList"][1]["sku"], "L1");
    assert_eq!(bodies[0].1["productRequestsList"].as_array().unwrap().len(), 2);
}

fn shopify<'a>() -> Columns<'a> {
    vec![
        ("Name", &["#1", "#1"]),
        ("Financial Status", &["pending", ""]),
        ("Fulfillment Status", &["unfulfilled", ""]),
        ("Cancelled at", &["", ""]),
        ("Currency", &["INR", ""]),
        ("Shipping", &["40.00", ""]),
        ("Taxes", &["90.00", ""]),
        ("Total", &["1040.00", ""]),
        ("Discount Amount", &["0.00", ""]),
        ("Outstanding Balance", &["1040.00", ""]),
        ("Lineitem quantity", &["1", "2"]),
        ("Lineitem name", &["Kurta", "Scarf"]),
        ("Lineitem price", &["600.00", "200.00"]),
        ("Lineitem sku", &["K-1", "S-1"]),
        ("Lineitem fulfillment status", &["pending", "pending"]),
        ("Shipping Name", &["Emily Rao", ""]),
        ("Shipping Address1", &["14 MG Road", ""]),
        ("Shipping City", &["Bengaluru", ""]),
        ("Shipping Zip", &["'560001", ""]),
        ("Shipping Province", &["KA", ""]),
        ("Shipping Country", &["IN", ""]),
        ("Shipping Phone", &["9876543210", ""]),
        ("Payment Method", &["Cash on Delivery (COD)", ""]),
    ]
}

#[test]
fn shopify_taxes_on_top_and_what_is_paid_already() {
    let (code, problems, bodies) = imported(&with(&shopify(), &[]));
    assert_eq!((code, problems.len(), bodies.len()), (0, 0, 1), "{problems:#?}");

    let on_top: [(&str, &[&str]); 2] = [("Total", &["1130.00", ""]), ("Outstanding Balance", &["1130.00", ""])];
    let (code, problems, bodies) = imported(&with(&shopify(), &on_top));
    assert!(code == 3 && bodies.is_empty(), "{problems:#?}");
    let hint = told(&problems, "total-differs")["hint"].as_str().unwrap().to_owned();
    assert!(hint.contains("\"Taxes\"") && hint.contains("shippingProperties.otherCharges"), "{hint}");

    let in_part: [(&str, &[&str]); 1] = [("Outstanding Balance", &["540.00", ""])];
    let (code, problems, bodies) = imported(&with(&shopify(), &in_part));
    assert!(code == 3 && bodies.is_empty(), "{problems:#?}");
    let problem = told(&problems, "total-differs");
    assert_eq!(problem["place"], "sheet.csv:2 \"Outstanding Balance\"");
    assert!(problem["message"].as_str().unwrap().contains("540.00 is to be collected"), "{problem}");
}

#[test]
fn a_line_that_is_fulfilled_already_is_left_out_and_listed() {
    let part: [(&str, &[&str]); 4] = [
        ("Financial Status", &["paid", ""]),
        ("Payment Method", &["Razorpay", ""]),
        ("Fulfillment Status", &["partial", ""]),
        ("Lineitem fulfillment status", &["fulfilled", "pending"]),
    ];
    let paid: [(&str, &[&str]); 1] = [("Outstanding Balance", &["0.00", ""])];
    let text = with(&shopify(), &[&part[..], &paid[..]].concat());
    let (code, problems, bodies) = imported(&text);
    assert_eq!(code, 0, "{problems:#?}");
    let lines = bodies[0].1["productRequestsList"].as_array().unwrap();
    assert_eq!((lines.len(), &lines[0]["productName"]), (1, &"Scarf".into()), "{lines:?}");
    assert_eq!(bodies[0].1["destination"]["city"], "Bengaluru", "what the row says of the order stays");
    let left_out = told(&problems, "row-left-out");
    assert_eq!(left_out["place"], "sheet.csv:2 \"Lineitem fulfillment status\"");
    assert_eq!(left_out["order"], "#1");

    // With nothing left to send, its rows are left out and not invalid.
    let rig = Rig::alone();
    rig.file("shipsheet.toml", CONFIGURATION);
    rig.file("sheet.csv", &text.replace("pending", "fulfilled"));
    let (code, document) = rig.json(&["check", "sheet.csv"]);
    assert_eq!((code, &document["rows"]["skipped"], &document["orders"]["total"]), (0, &2.into(), &0.into()));

    // How many pieces of a line are gone, nobody says.
    let some: [(&str, &[&str]); 1] = [("Lineitem fulfillment status", &["pending", "partial"])];
    let (code, problems, bodies) = imported(&with(&shopify(), &[&part[..3], &paid[..], &some[..]].concat()));
    assert!(code == 3 && bodies.is_empty(), "{problems:#?}");
    assert_eq!(told(&problems, "held-back")["place"], "sheet.csv:3 \"Lineitem fulfillment status\"");
}

fn amazon<'a>() -> Columns<'a> {
    vec![
        ("order-id", &["402-1", "402-1"]),
        ("order-item-id", &["1", "2"]),
        ("sku", &["K-1", "S-1"]),
        ("product-name", &["Kurta", "Scarf"]),
        ("quantity-purchased", &["2", "1"]),
        ("currency", &["INR", "INR"]),
        ("item-price", &["999.80", "149.00"]),
        ("shipping-price", &["40.00", "20.00"]),
        ("recipient-name", &["Asha Rao", "Asha Rao"]),
        ("ship-phone-number", &["9876543210", "9876543210"]),
        ("ship-address-1", &["14 MG Road", "14 MG Road"]),
        ("ship-city", &["Bengaluru", "Bengaluru"]),
        ("ship-state", &["KARNATAKA", "KARNATAKA"]),
        ("ship-postal-code", &["560001", "560001"]),
        ("ship-country", &["IN", "IN"]),
        ("payment-method", &["COD", "COD"]),
        ("cod-collectible-amount", &["1039.80", "169.00"]),
    ]
}

#[test]
fn amazon_adds_up_what_each_line_says() {
    let (code, problems, bodies) = imported(&with(&amazon(), &[]));
    assert_eq!((code, bodies.len()), (0, 1), "{problems:#?}");
    assert_eq!(bodies[0].1["shippingProperties"]["shippingCharges"], 60.0);

    let (code, problems, bodies) = imported(&with(&amazon(), &[("cod-collectible-amount", &["939.80", "169.00"])]));
    assert!(code == 3 && bodies.is_empty(), "{problems:#?}");
    let message = told(&problems, "total-differs")["message"].as_str().unwrap();
    assert!(message.contains("1108.80") && message.contains("1208.80"), "{message}");

    let (code, problems, bodies) = imported(&with(&amazon(), &[("already-paid", &["100.00", ""])]));
    assert!(code == 3 && bodies.is_empty(), "{problems:#?}");
    assert_eq!(told(&problems, "partly-paid")["place"], "sheet.csv:2 \"already-paid\"");
}

#[test]
fn amazon_sends_what_is_still_to_ship() {
    let rest: [(&str, &[&str]); 4] = [
        ("payment-method", &["Other", "Other"]),
        ("cod-collectible-amount", &["", ""]),
        ("quantity-to-ship", &["1", "1"]),
        ("quantity-shipped", &["1", "0"]),
    ];
    let (code, problems, bodies) = imported(&with(&amazon(), &rest));
    assert_eq!(code, 0, "{problems:#?}");
    let line = &bodies[0].1["productRequestsList"][0];
    assert_eq!((&line["quantity"], &line["price"]), (&1.into(), &499.9.into()), "the price of one of two");
    let left_out = told(&problems, "row-left-out");
    assert!(left_out["message"].as_str().unwrap().starts_with("1 of 2 pieces"), "{left_out}");

    let (_, problems, bodies) =
        imported(&with(&amazon(), &[&rest[..2], &[("quantity-to-ship", &["0", "1"])]].concat()));
    assert_eq!(bodies[0].1["productRequestsList"].as_array().unwrap().len(), 1);
    assert_eq!(told(&problems, "row-left-out")["place"], "sheet.csv:2 \"quantity-to-ship\"");
}

#[test]
fn every_sheet_may_say_what_is_to_be_collected() {
    let cod =
        |header: &str, cells: &str| format!("{HEADER},{header}\n{},{cells}\n", row("A-1").replace("PREPAID", "COD"));
    for (header, cells) in [("COD Amount", "999.80"), ("Order Total", "1000"), ("Grand Total", "")] {
        let (code, problems, bodies) = imported(&cod(header, cells));
        assert_eq!((code, problems.len(), bodies.len()), (0, 0, 1), "{header}: {problems:#?}");
    }
    let (code, problems, bodies) = imported(&cod("COD Amount", "1,500.00"));
    assert!(code == 3 && bodies.is_empty(), "{problems:#?}");
    assert_eq!(told(&problems, "total-differs")["place"], "sheet.csv:2 \"COD Amount\"");

    // One figure on every row is the order's, unless only the sum agrees; different ones are added up.
    let two = |first: &str, second: &str| {
        let row = row("A-1").replace("PREPAID", "COD").replace(",499.90,2", ",499.90,1");
        imported(&format!("{HEADER},COD Amount\n{row},{first}\n{},{second}\n", row.replace("K-1", "K-2")))
    };
    for (first, second, expected) in
        [("499.90", "499.90", 0), ("450", "450", 3), ("999.80", "999.80", 0), ("500", "499.80", 0), ("999.80", "", 0)]
    {
        let (code, problems, _) = two(first, second);
        assert_eq!(code, expected, "{first} {second}: {problems:#?}");
    }

    let (code, problems, _) = imported(&format!("{HEADER},COD Amount\n{},500\n", row("A-1")));
    let problem = told(&problems, "total-differs");
    assert_eq!((code, problem["severity"].as_str()), (3, Some("error")));
    assert!(problem["message"].as_str().unwrap().contains("nothing would be collected"), "{problem}");

    let (code, problems, bodies) = imported(&cod("Product Discount", "50"));
    assert_eq!((code, told(&problems, "total-differs")["severity"].as_str()), (0, Some("warning")));
    let properties = &bodies[0].1["shippingProperties"];
    assert_eq!(
        (&properties["subTotal"], &properties["discount"]),
        (&999.8.into(), &50.0.into()),
        "949.80 is collected"
    );
}

#[test]
fn totals_of_an_own_profile() {
    let rig = Rig::alone();
    rig.file("own.toml", "[totals]\ncollect = \"At the door\"\npaid = \"Advance\"\n");
    let text = |advance: &str| {
        let row = row("A-1").replace("PREPAID", "COD");
        format!("{HEADER},At the door,Advance\n{row},999.80,{advance}\n")
    };
    for (advance, expected) in
        [("", None), ("0", None), ("no", None), ("Yes", Some("partly-paid")), ("200", Some("partly-paid"))]
    {
        rig.file("sheet.csv", &text(advance));
        let (_, document) = rig.json(&["check", "sheet.csv", "--profile", "own.toml"]);
        assert_eq!(document["problems"][0]["code"].as_str(), expected, "{advance}: {document}");
    }
    rig.file("sheet.csv", &text("").replace("At the door", "At their door"));
    let (code, document) = rig.json(&["check", "sheet.csv", "--profile", "own.toml"]);
    assert_eq!((code, document["problems"][0]["code"].as_str()), (3, Some("layout-changed")), "{document}");
    assert!(document["problems"][0]["hint"].as_str().unwrap().contains("\"At their door\""), "{document}");
}

#[test]
fn magento_takes_no_unknown_payment_for_paid() {
    let magento = |status: &str, method: &str, total: &str| {
        sheet(
            &[
                ("increment_id", &["7"]),
                ("status", &[status]),
                ("shipping_firstname", &["Asha"]),
                ("shipping_street", &["14 MG Road"]),
                ("shipping_city", &["Bengaluru"]),
                ("shipping_region", &["Karnataka"]),
                ("shipping_postcode", &["560001"]),
                ("shipping_country_id", &["IN"]),
                ("shipping_telephone", &["9876543210"]),
                ("payment_method", &[method]),
                ("product_name", &["Kurta"]),
                ("product_price", &["499.9000"]),
                ("qty_ordered", &["2.0000"]),
                ("grand_total", &[total]),
            ],
            ',',
        )
    };
    for (status, method, total, expected) in [
        ("processing", "razorpay", "999.8000", None),
        ("processing", "cashondelivery", "999.8000", None),
        ("processing", "cashondelivery", "1079.8000", Some("total-differs")),
        ("pending", "razorpay", "999.8000", Some("bad-payment")),
        ("processing", "mycod", "999.8000", Some("bad-payment")),
        ("processing", "banktransfer", "999.8000", Some("bad-payment")),
    ] {
        let (_, problems, bodies) = imported(&magento(status, method, total));
        let code = problems.first().and_then(|problem| problem["code"].as_str());
        assert_eq!(
            (code, bodies.len()),
            (expected, usize::from(expected.is_none())),
            "{status} {method}: {problems:#?}"
        );
    }
}

#[test]
fn shiprocket_and_delhivery_are_never_collected_in_full_by_mistake() {
    let shiprocket: Columns<'_> = vec![
        ("*Order Id", &["SR-1"]),
        ("*Payment Method(COD/Prepaid)", &["COD"]),
        ("*Customer First Name", &["Asha"]),
        ("*Customer Mobile", &["9876543210"]),
        ("*Shipping Address Line 1", &["14 MG Road"]),
        ("*Shipping Address Country", &["India"]),
        ("*Shipping Address State", &["Karnataka"]),
        ("*Shipping Address City", &["Bengaluru"]),
        ("*Shipping Address Postcode", &["560001"]),
        ("*Master SKU", &["K-1"]),
        ("*Product Name", &["Kurta"]),
        ("*Product Quantity", &["1"]),
        ("*Selling Price(Per Unit Item, Inclusive of Tax)", &["499.90"]),
        ("COD Charges(Per Order)", &["30"]),
        ("Gift Wrap Charges(Per Order)", &["20"]),
        ("*Partial COD (Yes/No)", &["No"]),
        ("Paid Amount (Rs.)", &[""]),
        ("*Length (cm)", &["20"]),
        ("*Breadth (cm)", &["15"]),
        ("*Height (cm)", &["10"]),
        ("*Weight Of Shipment(kg)", &["0.5"]),
    ];
    let (code, problems, bodies) = imported(&with(&shiprocket, &[]));
    assert_eq!(code, 0, "{problems:#?}");
    assert_eq!(bodies[0].1["shippingProperties"]["otherCharges"], 50.0, "the gift wrap is paid for as well");
    for more in [[("*Partial COD (Yes/No)", &["Yes"][..])], [("Paid Amount (Rs.)", &["100"][..])]] {
        let (code, problems, bodies) = imported(&with(&shiprocket, &more));
        assert!(code == 3 && bodies.is_empty(), "{problems:#?}");
        assert!(told(&problems, "partly-paid")["place"].as_str().unwrap().contains(more[0].0), "{problems:#?}");
    }
    let delhivery: Columns<'_> = vec![
        ("*Sale Order Number", &["SO1", "SO1"]),
        ("*Pickup Location Name", &["Bangalore WH", "Bangalore WH"]),
        ("*Transport Mode", &["Surface", "Surface"]),
        ("*Payment Mode", &["COD", "COD"]),
        ("COD Amount", &["3900", "3900"]),
        ("Discount Value", &["", ""]),
        ("*Customer Name", &["Asha Verma", "Asha Verma"]),
        ("*Customer Phone", &["9876543210", "9876543210"]),
        ("*Shipping Address Line1", &["12 MG Road", "12 MG Road"]),
        ("*Shipping City", &["Kochi", "Kochi"]),
        ("*Shipping State", &["Kerala", "Kerala"]),
        ("*Shipping Pincode", &["682005", "682005"]),
        ("*Item Sku Code", &["K-1", "S-1"]),
        ("*Item Sku Name", &["Kurta", "Scarf"]),
        ("*Quantity Ordered", &["2", "1"]),
        ("*Unit Item Price", &["1500", "900"]),
        ("Packaged Product Weight (gm)", &["850", "850"]),
    ];
    let cases: [(&[&str], &[&str], i32); 6] = [
        (&["3900", "3900"], &["", ""], 0),
        (&["3000", "900"], &["", ""], 0),
        (&["15000", "15000"], &["", ""], 3),
        (&["", ""], &["100", ""], 0),
        (&["3800", "3800"], &["100", ""], 0),
        (&["3900", "3900"], &["100", ""], 3),
    ];
    for (amount, discount, expected) in cases {
        let text = with(&delhivery, &[("COD Amount", amount), ("Discount Value", discount)]);
        let (code, problems, _) = imported(&text);
        assert_eq!(code, expected, "{amount:?} {discount:?}: {problems:#?}");
        assert!(code == 0 || told(&problems, "total-differs")["severity"] == "error");
    }
}
