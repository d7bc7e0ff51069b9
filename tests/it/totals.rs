//! What is collected at the door is what the sheet says, and what is shipped already is not shipped again.

use crate::rig::{HEADER, Rig, SHOP, Table, collected, imported, imported_by, row, two_at};

fn woocommerce() -> Table {
    Table::of(&[
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
    ])
}

#[test]
fn woocommerce_collects_what_the_shop_says() {
    let properties = woocommerce().imported().goes_silently()["shippingProperties"].clone();
    assert_eq!((&properties["otherCharges"], &properties["discount"]), (&4.42.into(), &0.0.into()), "{properties}");

    let came = woocommerce().with(&[("order_total", &["18.00"])]).imported();
    let problem = came.stays().only("total-differs");
    problem.is_at(2, "order_total").says("18.00 is the order's total").says("comes to 22.42");
    problem.says("products 8.00 + shipping 10.00 + other charges 4.42");

    // A whole amount is collected as it stands; of what is paid, only the worth would be wrong.
    woocommerce().with(&[("order_total", &["22"])]).imported().collects("22.00");
    let prepaid: [(&str, &[&str]); 2] = [("order_total", &["18.00"]), ("payment_method", &["razorpay"])];
    woocommerce().with(&prepaid).imported().exits(0).only("total-differs").is_warning();
}

#[test]
fn a_total_that_nobody_can_read_collects_nothing() {
    let unreadable = woocommerce().with(&[("order_total", &["about 22"])]).imported().stays().only("total-differs");
    assert_eq!(unreadable.is_at(2, "order_total").found, "about 22");
    for readable in ["₹22.42", "22,42", "INR 22.42", "=\"22.42\""] {
        woocommerce().with(&[("order_total", &[readable])]).imported().goes_silently();
    }
}

#[test]
fn an_address_is_one_block_as_a_whole() {
    // Of this PIN code nobody knows the city.
    let no_town: [(&str, &[&str]); 2] = [("shipping_city", &[""]), ("shipping_postcode", &["561203"])];
    woocommerce().with(&no_town).imported().stays().only("missing-value").is_at(2, "shipping_city");

    let no_street: [(&str, &[&str]); 1] = [("shipping_address_1", &[""])];
    let destination = woocommerce().with(&no_street).imported().goes()["destination"].clone();
    assert_eq!(destination["addressLine1"], "7 Hill Road");
    assert_eq!((&destination["city"], &destination["pinCode"]), (&"Mumbai".into(), &"400050".into()));
    assert_eq!(destination["state"], "Maharashtra");
}

#[test]
fn a_product_may_stand_beside_a_gap() {
    let gap: [(&str, &[&str]); 2] =
        [("order_total", &["71.42"]), ("line_item_5", &["name:Lace|sku:L1|quantity:1|total:49.00"])];
    let came = woocommerce().with(&gap).imported();
    assert_eq!(came.goes()["productRequestsList"][1]["sku"], "L1");
    assert_eq!(came.request()["productRequestsList"].as_array().unwrap().len(), 2);
}

fn shopify() -> Table {
    Table::of(&[
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
    ])
}

#[test]
fn shopify_taxes_on_top_and_what_is_paid_already() {
    shopify().imported().goes_silently();

    let on_top: [(&str, &[&str]); 2] = [("Total", &["1130.00", ""]), ("Outstanding Balance", &["1130.00", ""])];
    let problem = shopify().with(&on_top).imported().stays().only("total-differs");
    problem.says("the difference is what \"Taxes\" says");

    let in_part: [(&str, &[&str]); 1] = [("Outstanding Balance", &["540.00", ""])];
    shopify().with(&in_part).imported().stays().only("total-differs").is_at(2, "Outstanding Balance").says("540.00");
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
    let partly = shopify().with(&part).with(&paid);
    let came = partly.imported();
    let sent = came.goes();
    let lines = sent["productRequestsList"].as_array().unwrap();
    assert_eq!((lines.len(), &lines[0]["productName"]), (1, &"Scarf".into()), "{lines:?}");
    assert_eq!(sent["destination"]["city"], "Bengaluru", "what the row says of the order stays");
    assert_eq!(came.only("row-left-out").is_at(2, "Lineitem fulfillment status").order, "#1");

    // With nothing left to send, its rows are left out and not invalid.
    let rig = Rig::alone();
    rig.file("shipsheet.toml", SHOP);
    let whole = rig.check_text(&partly.text().replace("pending", "fulfilled")).exits(0).document.clone();
    assert_eq!((&whole["rows"]["skipped"], &whole["orders"]["total"]), (&2.into(), &0.into()));

    // How many pieces of a line are gone, nobody says.
    let some: [(&str, &[&str]); 1] = [("Lineitem fulfillment status", &["pending", "partial"])];
    shopify()
        .with(&part[..3])
        .with(&paid)
        .with(&some)
        .imported()
        .stays()
        .only("held-back")
        .is_at(3, "Lineitem fulfillment status");
}

fn amazon() -> Table {
    Table::of(&[
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
    ])
}

#[test]
fn amazon_adds_up_what_each_line_says() {
    assert_eq!(amazon().imported().goes()["shippingProperties"]["shippingCharges"], 60.0);

    amazon()
        .with(&[("cod-collectible-amount", &["939.80", "169.00"])])
        .imported()
        .stays()
        .only("total-differs")
        .says("1108.80")
        .says("1208.80");

    amazon().with(&[("already-paid", &["100.00", ""])]).imported().stays().only("partly-paid").is_at(2, "already-paid");
}

#[test]
fn amazon_sends_what_is_still_to_ship() {
    let rest: [(&str, &[&str]); 4] = [
        ("payment-method", &["Other", "Other"]),
        ("cod-collectible-amount", &["", ""]),
        ("quantity-to-ship", &["1", "1"]),
        ("quantity-shipped", &["1", "0"]),
    ];
    let came = amazon().with(&rest).imported();
    came.exits(0);
    let line = &came.request()["productRequestsList"][0];
    assert_eq!((&line["quantity"], &line["price"]), (&1.into(), &499.9.into()), "the price of one of two");
    let left_out = came.only("row-left-out");
    left_out.is_at(2, "quantity-purchased").says("1 of 2 pieces");

    let came = amazon().with(&[&rest[..2], &[("quantity-to-ship", &["0", "1"])]].concat()).imported();
    assert_eq!(came.request()["productRequestsList"].as_array().unwrap().len(), 1);
    came.only("row-left-out").is_at(2, "quantity-to-ship");
}

#[test]
fn every_sheet_may_say_what_is_to_be_collected() {
    let cod =
        |header: &str, cells: &str| format!("{HEADER},{header}\n{},{cells}\n", row("A-1").replace("PREPAID", "COD"));
    for (header, cells) in [("COD Amount", "999.80"), ("Grand Total", "")] {
        imported(&cod(header, cells)).goes_silently();
    }
    // A whole amount is collected as it stands, and what rounds it is told.
    for (header, cells, collected) in [
        ("COD Amount", "1000", "1000.00"),
        ("Order Total", "1000", "1000.00"),
        ("Net Payable", "999", "999.00"),
        // The due goes before the total.
        ("COD Amount,Order Total", "1000,999.80", "1000.00"),
    ] {
        let came = imported(&cod(header, cells));
        came.collects(collected);
        came.only("total-differs").is_warning();
    }
    imported(&cod("COD Amount", "1,500.00")).stays().only("total-differs").is_at(2, "COD Amount");

    // One figure on every row is the order's, unless only the sum agrees; different ones are added up.
    let two = |first: &str, second: &str| {
        let row = row("A-1").replace("PREPAID", "COD").replace(",499.90,2", ",499.90,1");
        imported(&format!("{HEADER},COD Amount\n{row},{first}\n{},{second}\n", row.replace("K-1", "K-2")))
    };
    for (first, second, expected) in
        [("499.90", "499.90", 0), ("450", "450", 3), ("999.80", "999.80", 0), ("500", "499.80", 0), ("999.80", "", 0)]
    {
        two(first, second).exits(expected);
    }

    // Of a prepaid order nothing would be collected.
    imported(&format!("{HEADER},COD Amount\n{},500\n", row("A-1"))).held_at("partly-paid", "COD Amount");

    let came = imported(&cod("Product Discount", "50"));
    came.collects("949.80").only("total-differs").is_warning();
    assert_eq!(came.request()["shippingProperties"]["subTotal"], 999.8);
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
        rig.file("orders.csv", &text(advance));
        let came = rig.check(&["orders.csv", "--profile", "own.toml"]);
        assert_eq!(came.codes().first().copied(), expected, "{came:?}");
    }
    rig.file("orders.csv", &text("").replace("At the door", "At their door"));
    let came = rig.check(&["orders.csv", "--profile", "own.toml"]);
    assert_eq!(came.exits(3).problems[0].advises("\"At their door\"").code, "layout-changed", "{came:?}");
}

#[test]
fn magento_takes_no_unknown_payment_for_paid() {
    let magento = Table::every(&[
        ("increment_id", "7"),
        ("status", "processing"),
        ("shipping_firstname", "Asha"),
        ("shipping_street", "14 MG Road"),
        ("shipping_city", "Bengaluru"),
        ("shipping_region", "Karnataka"),
        ("shipping_postcode", "560001"),
        ("shipping_country_id", "IN"),
        ("shipping_telephone", "9876543210"),
        ("payment_method", ""),
        ("product_name", "Kurta"),
        ("product_price", "499.9000"),
        ("qty_ordered", "2.0000"),
        ("grand_total", ""),
    ]);
    for (status, method, total, expected) in [
        ("processing", "razorpay", "999.8000", None),
        ("processing", "cashondelivery", "999.8000", None),
        ("processing", "cashondelivery", "1079.8000", Some("total-differs")),
        ("pending", "razorpay", "999.8000", Some("bad-payment")),
        ("processing", "mycod", "999.8000", Some("bad-payment")),
        ("processing", "banktransfer", "999.8000", Some("bad-payment")),
    ] {
        let cells = [("status", status), ("payment_method", method), ("grand_total", total)];
        let came = magento.with_cells(&cells).imported();
        assert_eq!(came.codes().first().copied(), expected, "{came:?}");
        assert_eq!(came.requests.len(), usize::from(expected.is_none()), "{came:?}");
    }
}

#[test]
fn shiprocket_and_delhivery_are_never_collected_in_full_by_mistake() {
    let shiprocket = Table::of(&[
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
    ]);
    assert_eq!(
        shiprocket.imported().goes()["shippingProperties"]["otherCharges"],
        50.0,
        "the gift wrap is paid for as well"
    );
    for more in [[("*Partial COD (Yes/No)", &["Yes"][..])], [("Paid Amount (Rs.)", &["100"][..])]] {
        shiprocket.with(&more).imported().stays().only("partly-paid").is_at(2, more[0].0);
    }
    let delhivery = Table::of(&[
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
    ]);
    let cases: [(&[&str], &[&str], i32); 6] = [
        (&["3900", "3900"], &["", ""], 0),
        (&["3000", "900"], &["", ""], 0),
        (&["15000", "15000"], &["", ""], 3),
        (&["", ""], &["100", ""], 0),
        (&["3800", "3800"], &["100", ""], 0),
        (&["3900", "3900"], &["100", ""], 3),
    ];
    for (amount, discount, expected) in cases {
        let came = delhivery.with(&[("COD Amount", amount), ("Discount Value", discount)]).imported();
        came.exits(expected);
        assert!(expected == 0 || came.only("total-differs").is_error());
    }
}

#[test]
fn a_total_that_is_of_each_row_says_nothing_of_the_shipping() {
    let with = |second: &str| {
        let header = format!("{HEADER},Shipping Charges,Amount");
        let rows = [
            format!("{},,999.80", row("A-1")),
            format!("{second},,999.80").replace("K-1", "K-2").replace("499.90", "249.95").replace("999.80", "499.90"),
            format!("{},50,999.80", row("B-1").replace("PREPAID", "COD")),
        ];
        imported(&format!("{header}\n{}\n", rows.join("\n")))
    };
    with(&row("A-1")).books(0, 2);
    // Where no order has a figure for each of its rows, it may as well be all that is owed.
    with(&row("A-2")).books(4, 2).first("total-differs");
}

#[test]
fn what_all_pieces_come_to_has_in_it_what_is_taken_off() {
    let by = |header: &str| {
        let price = format!("{{ column = \"{header}\", line_total = true }}");
        let text = two_at("499", "COD", "Disc", "50").replace(",Price,", &format!(",{header},"));
        imported_by(&format!("name = \"own\"\n[columns]\n\"productRequestsList.price\" = {price}\n"), &text)
    };
    assert_eq!(collected(&by("Net Amt").goes()), "499.00");
    // By this name it may be without the discount.
    by("Gross").stays();
}
