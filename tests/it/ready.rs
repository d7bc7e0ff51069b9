//! Only what is known to be ready goes: unknown states, refunds, cancellations and missing columns hold orders back.

use crate::rig::{Rig, Table};

/// Asserts which of the states of a column are sent, left out and held back.
#[track_caller]
fn states(base: &Table, column: &str, go: &[&str], skip: &[&str], hold: &[&str]) {
    let all: Vec<&str> = [go, skip, hold].concat();
    let came = base.with(&[(column, &all)]).imported();
    let numbers: Vec<String> = (0..go.len()).map(|row| format!("N-{row}")).collect();
    assert_eq!(came.booked(), numbers, "{came:?}");
    assert_eq!(came.found("row-left-out"), skip, "{column}");
    assert_eq!(came.found("held-back"), hold, "{came:?}");
    assert_eq!(came.exit == 0, hold.is_empty(), "{column}");
}

fn meesho() -> Table {
    Table::every(&[
        ("Sub Order No", "{n}"),
        ("Order Date", "15/08/2026"),
        ("SKU", "B-1"),
        ("Product Title", "Headset"),
        ("Quantity", "1"),
        ("Supplier Discounted Price (Incl GST and Commision)", "1299.00"),
        ("Payment Mode", "COD"),
        ("Customer State", "Bihar"),
        ("Receiver First Name", "Asha"),
        ("Receiver Phone", "9876543210"),
        ("Address Line 1", "14 Boring Road"),
        ("City", "Patna"),
        ("PIN Code", "800001"),
    ])
}

#[test]
fn meesho_sends_what_is_ready() {
    let skip = ["RTO Initiated", "RTO Delivered", "In Transit", "Delivered", "Shipped", "Cancelled by customer"];
    states(&meesho(), "Status", &["Pending", "ready to ship"], &skip, &["RTO Lost", "Hold", ""]);
    let skip = ["CANCELLED", "DELIVERED", "RTO_COMPLETE"];
    states(&meesho(), "Reason for Credit Entry", &["READY_TO_SHIP"], &skip, &["DOOR_STEP_EXCHANGED"]);
    let neither = meesho().imported();
    neither.stays();
    let returned = meesho().with(&[("Status", &["Pending"]), ("Return Type", &["RTO"])]).imported();
    assert_eq!((returned.found("held-back"), returned.requests.len()), (vec!["RTO"], 0));
}

fn walmart() -> Table {
    Table::every(&[
        ("PO#", "1"),
        ("Order#", "{n}"),
        ("Customer Name", "Ann Lee"),
        ("Customer Phone Number", "6175550123"),
        ("Ship to Address 1", "1 Main St"),
        ("City", "Boston"),
        ("State", "MA"),
        ("Zip", "02134"),
        ("Status", "Acknowledged"),
        ("Item Description", "Pan"),
        ("Qty", "1"),
        ("SKU", "P"),
        ("Item Cost", "9.99"),
        ("Shipping Cost", "3.00"),
    ])
}

#[test]
fn walmart_sends_what_is_acknowledged_with_the_shipping_of_all_lines() {
    let skip = ["Canceled", "Cancelled", "Refunded", "Shipped", "Delivered"];
    states(&walmart(), "Status", &["Acknowledged", "Created"], &skip, &["Under review"]);
    let asked: [(&str, &[&str]); 5] = [
        ("Update Status", &["", "Shipped", "", "", "", ""]),
        ("Customer Intent To Cancel", &["", "", "YES", "", "", ""]),
        ("Tracking Number", &["", "", "", "1Z999", "", ""]),
        ("Fulfillment Entity", &["SellerFulfilled", "", "", "", "WFSFulfilled", ""]),
        ("Cancelled Qty", &["0", "", "", "", "", "1"]),
    ];
    let came = walmart().with(&asked).imported();
    assert_eq!(
        (came.booked(), came.found("held-back")),
        (vec!["N-0"], vec!["Shipped", "YES", "1Z999", "WFSFulfilled", "1"])
    );
    let came = walmart().with(&[("Order#", &["W-1", "W-1"]), ("Shipping Cost", &["3.00", "2.00"])]).imported();
    assert_eq!(came.requests[0].1["shippingProperties"]["shippingCharges"], 5.0, "{came:?}");
}

fn woocommerce() -> Table {
    Table::every(&[
        ("order_id", "1"),
        ("order_number", "{n}"),
        ("status", "processing"),
        ("order_total", "8.00"),
        ("order_currency", "INR"),
        ("payment_method", "cod"),
        ("billing_phone", "9876543210"),
        ("shipping_first_name", "Asha"),
        ("shipping_address_1", "20 Maple Avenue"),
        ("shipping_postcode", "560001"),
        ("shipping_city", "Bengaluru"),
        ("shipping_state", "KA"),
        ("shipping_country", "IN"),
        ("line_item_1", "name:Shoe|sku:A12|quantity:1|total:8.00|tax:0"),
    ])
}

#[test]
fn woocommerce_sends_what_is_processed_and_not_refunded() {
    let skip = "shipped|wc-shipped|delivered|returned|canceled|cancelled|checkout-draft|completed|pending";
    let skip: Vec<&str> = skip.split('|').collect();
    let hold = ["on-hold", "partially-refunded", "out-for-delivery", ""];
    states(&woocommerce(), "status", &["processing", "wc-processing"], &skip, &hold);
    let came = woocommerce().with(&[("refund_items", &["", "amount:5.00|reason:one returned"])]).imported();
    assert_eq!(came.booked(), ["N-0"]);
    came.first("held-back").is_at(3, "refund_items").says("amount:5.00").says("\"order_total\" is 8.00");
    let item = |refunded: &str| format!("name:Tee|sku:T1|quantity:1|total:8.00|refunded:{refunded}|refunded_qty:0");
    let came = woocommerce().with(&[("line_item_1", &[&item("0"), &item("3.00")])]).imported();
    came.first("held-back").advises("without its refund");
    assert_eq!(came.booked(), ["N-0"]);

    let items = Table::every(&[
        ("Order Number", "{n}"),
        ("Order Status", "Processing"),
        ("Phone (Billing)", "9876543210"),
        ("First Name (Shipping)", "Asha"),
        ("Address 1&2 (Shipping)", "12 MG Road"),
        ("City (Shipping)", "Bengaluru"),
        ("State Code (Shipping)", "KA"),
        ("Postcode (Shipping)", "560001"),
        ("Country Code (Shipping)", "IN"),
        ("Payment Method Title", "Cash on delivery"),
        ("Item Name", "Tee"),
        ("Quantity", "1"),
        ("Item Cost", "100"),
    ]);
    let skip = ["Shipped", "Delivered", "Returned", "Draft", "Canceled", "Cancelled by customer"];
    states(&items, "Order Status", &["Processing"], &skip, &["On hold"]);
    let came = items.with(&[("Order Refund Amount", &["0.00", "50"])]).imported();
    assert_eq!((came.booked(), came.found("held-back")), (vec!["N-0"], vec!["50"]));
}

fn magento() -> Table {
    Table::every(&[
        ("increment_id", "{n}"),
        ("status", "processing"),
        ("shipping_firstname", "Asha"),
        ("shipping_lastname", "Rao"),
        ("shipping_street", "12 MG Road"),
        ("shipping_city", "Bengaluru"),
        ("shipping_region", "Karnataka"),
        ("shipping_postcode", "560001"),
        ("shipping_country_id", "IN"),
        ("shipping_telephone", "9876543210"),
        ("payment_method", "cashondelivery"),
        ("order_currency_code", "INR"),
        ("product_name", "Mug"),
        ("product_sku", "M1"),
        ("product_price", "500.0000"),
        ("qty_ordered", "2.0000"),
    ])
}

#[test]
fn magento_sends_the_pieces_that_are_left_less_the_discount() {
    let skip = ["shipped", "complete", "canceled", "Cancelled", "closed", "delivered", "pending_payment"];
    states(&magento(), "status", &["processing", "pending"], &skip, &["holded", "payment_review"]);
    let pieces: [(&str, &[&str]); 4] = [
        ("qty_shipped", &["0.0000", "1.0000", "0", "0", ""]),
        ("qty_canceled", &["0", "0", "2", "0", "some"]),
        ("qty_refunded", &["0", "0", "0", "1", "0"]),
        ("discount_amount", &["-100.0000", "0", "0", "", ""]),
    ];
    let came = magento().with(&pieces).imported();
    assert_eq!(came.booked(), ["N-0", "N-1", "N-3"], "{came:?}");
    let quantity = |index: usize| came.requests[index].1["productRequestsList"][0]["quantity"].clone();
    assert_eq!([quantity(0), quantity(1), quantity(2)], [2, 1, 1]);
    assert_eq!(came.requests[0].1["shippingProperties"]["discount"], 100.0);
    assert!(came.exit != 0 && came.found("row-left-out") == ["2.0000"], "{came:?}");
}

#[test]
fn tiktok_holds_what_is_cancelled_returned_or_waits() {
    let base = Table::every(&[
        ("Order ID", "{n}"),
        ("Order Status", "To ship"),
        ("Seller SKU", "T-1"),
        ("Product Name", "Tee"),
        ("Quantity", "1"),
        ("SKU Unit Original Price", "22.99"),
        ("Recipient", "Jordan Smith"),
        ("Phone #", "(617) 555-0123"),
        ("Zipcode", "85251"),
        ("Country", "United States"),
        ("State", "Arizona"),
        ("City", "Scottsdale"),
        ("Detail Address", "7014 E Camelback Rd"),
        ("Payment Method", "Credit card"),
    ]);
    let skip = ["Delivered", "In transit", "Shipped", "Completed", "Canceled", "Unpaid"];
    states(&base, "Order Status", &["To ship"], &skip, &["On hold"]);
    states(&base, "Order Substatus", &["Awaiting shipment", ""], &[], &["On hold", "In transit"]);
    let asked: [(&str, &[&str]); 3] = [
        ("Cancelation/Return Type", &["", "Cancel", "", ""]),
        ("Sku Quantity of return", &["0", "0", "1", "0"]),
        ("Order Refund Amount", &["0.00", "0.00", "0.00", "5.00"]),
    ];
    let came = base.with(&asked).imported();
    assert_eq!((came.booked(), came.found("held-back")), (vec!["N-0"], vec!["Cancel", "1", "5.00"]));
    base.with(&[("Payment Method", &[""])]).imported().stays();
}

fn shopify() -> Table {
    Table::every(&[
        ("Name", "{n}"),
        ("Financial Status", "paid"),
        ("Fulfillment Status", "unfulfilled"),
        ("Cancelled at", ""),
        ("Currency", "INR"),
        ("Total", "500.00"),
        ("Lineitem quantity", "1"),
        ("Lineitem name", "Kurta"),
        ("Lineitem price", "500.00"),
        ("Shipping Name", "Asha Rao"),
        ("Shipping Address1", "14 MG Road"),
        ("Shipping City", "Bengaluru"),
        ("Shipping Zip", "'560001"),
        ("Shipping Province", "KA"),
        ("Shipping Country", "IN"),
        ("Shipping Phone", "9876543210"),
        ("Payment Method", "Razorpay"),
    ])
}

#[test]
fn shopify_holds_what_waits_or_is_refunded_in_part() {
    let hold = ["on_hold", "scheduled", "request_declined"];
    states(&shopify(), "Fulfillment Status", &["unfulfilled", ""], &["fulfilled", "restocked"], &hold);
    states(&shopify(), "Financial Status", &["paid"], &["refunded", "voided"], &["partially_refunded", "unpaid"]);
    let came = shopify().with(&[("Refunded Amount", &["0.00", "200.00"])]).imported();
    assert_eq!(came.booked(), ["N-0"]);
    came.first("held-back").says("\"Refunded Amount\" is 200.00, \"Total\" is 500.00");
    // A payment that is only pending is no type of payment that nobody knows.
    let came = shopify().with(&[("Financial Status", &["pending"])]).imported();
    let unpaid = came.held("bad-payment");
    unpaid.says("\"Razorpay\" counts as PREPAID only where \"Financial Status\" is \"paid\"");
    unpaid.advises_nothing_of("payment_types");
    // All that has to be settled is told at once.
    let all = [("Financial Status", "partially_refunded"), ("Refunded Amount", "200.00")];
    let came = shopify().with_cells(&all).imported();
    assert_eq!(came.found("held-back"), ["200.00", "partially_refunded"], "{came:?}");
}

#[test]
fn shopify_lines_that_need_no_shipping_stay_behind() {
    let lines: [(&str, &[&str]); 3] = [
        ("Name", &["N-0", "N-0", "N-1"]),
        ("Lineitem name", &["Kurta", "Gift card", "Gift card"]),
        ("Lineitem requires shipping", &["true", "false", "false"]),
    ];
    let came = shopify().with(&lines).imported();
    assert_eq!((came.exit, came.booked()), (0, vec!["N-0"]), "{came:?}");
    assert_eq!(came.requests[0].1["productRequestsList"].as_array().unwrap().len(), 1);
    assert_eq!(came.found("row-left-out"), ["false", "false"]);
    // A fee that is still to be paid goes along as the hint says.
    let fee: [(&str, &[&str]); 6] = [
        ("Name", &["N-0", "N-0"]),
        ("Lineitem name", &["Kurta", "COD fee"]),
        ("Lineitem price", &["499.00", "49.00"]),
        ("Lineitem quantity", &["1", "1"]),
        ("Lineitem requires shipping", &["true", "false"]),
        ("Total", &["548.00", ""]),
    ];
    let cod: [(&str, &[&str]); 2] =
        [("Payment Method", &["Cash on Delivery (COD)", ""]), ("Financial Status", &["pending", ""])];
    let unpaid = shopify().with(&fee).with(&cod);
    let came = unpaid.imported();
    came.first("total-differs").advises("accept this to send 499.00");
    assert!(came.requests.is_empty(), "{came:?}");
    let came = unpaid.with(&[("Other Charges", &["49.00", ""])]).imported();
    assert_eq!((came.exit, came.booked()), (0, vec!["N-0"]), "{came:?}");
}

#[test]
fn a_column_that_decides_what_goes_is_not_missed_in_silence() {
    let text = shopify().with(&[("Cancelled at", &["2026-11-20", ""])]).text();
    for (header, renamed) in [("Cancelled at", "Canceled at"), ("Fulfillment Status", "Fulfilment Status")] {
        let came = Rig::of_a_shop().import_text(&text.replacen(header, renamed, 1));
        came.stays().first("layout-changed").says(header).advises(renamed).advises("[check] ignore");
    }
    // Nearly the shop's sheet is read by its headers, and nobody takes its `Name` for an order number then.
    let came = Rig::of_a_shop().import_text(&text.replacen("Financial Status", "Money", 1));
    came.stays().first("sheet-notice").says("profile shopify").says("\"Financial Status\"");

    // The way out that is named: a profile of one's own, by the columns that there are.
    let rig = Rig::of_a_shop();
    rig.file("orders.csv", &text.replacen("Cancelled at", "Canceled at", 1));
    let own = "based_on = \"shopify\"\nignore = [\"Cancelled at\"]\n\
               [[skip]]\ncolumn = \"Canceled at\"\nfilled = true\nbecause = \"the order is cancelled\"\n";
    rig.file("ours.toml", own);
    assert_eq!(rig.import(&["orders.csv", "--profile", "ours.toml"]).exits(0).booked(), ["N-1"]);
}

#[test]
fn an_own_profile_names_what_may_go() {
    let rig = Rig::of_a_shop();
    let own = "based_on = \"shopify\"\n[[go]]\ncolumn = \"Fulfillment Status\"\nis = [\"on hold\"]\n";
    rig.file("ours.toml", own);
    let states = ["on_hold", "unfulfilled", "scheduled"];
    rig.file("orders.csv", &shopify().with(&[("Fulfillment Status", &states)]).text());
    let came = rig.import(&["orders.csv", "--profile", "ours.toml"]);
    let held = came.books(4, 2).first("held-back");
    held.says("is \"scheduled\", and only orders with \"unfulfilled\"").says("are known to be ready");
    assert_eq!(held.advises("[check] ready = [\"scheduled\"]").found, "scheduled");
}

#[test]
fn amazon_and_ebay_hold_what_is_asked_back_or_not_paid() {
    let amazon = Table::every(&[
        ("order-id", "{n}"),
        ("order-item-id", "1"),
        ("buyer-phone-number", "9876543210"),
        ("sku", "K-1"),
        ("product-name", "Kurta"),
        ("quantity-purchased", "1"),
        ("currency", "INR"),
        ("item-price", "999.00"),
        ("recipient-name", "Asha Rao"),
        ("ship-address-1", "14 MG Road"),
        ("ship-city", "Bengaluru"),
        ("ship-state", "KARNATAKA"),
        ("ship-postal-code", "560001"),
        ("ship-country", "IN"),
    ])
    .delimited_by('\t');
    let came = amazon.with(&[("is-buyer-requested-cancellation", &["false", "true"])]).imported();
    assert_eq!((came.booked(), came.found("held-back")), (vec!["N-0"], vec!["true"]), "{came:?}");

    let columns: [(&str, &[&str]); 17] = [
        ("Sales Record Number", &["1", "2", "2", "2", "3"]),
        ("Order Number", &["06-1", "06-2", "06-2", "06-2", "06-3"]),
        ("Ship To Name", &["Jo Bloggs", "Jo Bloggs", "", "", "Jo Bloggs"]),
        ("Ship To Phone", &["6175550123", "6175550123", "", "", "6175550123"]),
        ("Ship To Address 1", &["1 High St", "1 High St", "", "", "1 High St"]),
        ("Ship To City", &["Boston", "Boston", "", "", "Boston"]),
        ("Ship To State", &["MA", "MA", "", "", "MA"]),
        ("Ship To Zip", &["02134", "02134", "", "", "02134"]),
        ("Ship To Country", &["United States", "United States", "", "", "United States"]),
        ("Item Title", &["Shoes", "", "Hat", "Scarf", "Shoes"]),
        ("Custom Label", &["SH", "", "H", "S", "SH"]),
        ("Quantity", &["1", "3", "2", "1", "1"]),
        ("Sold For", &["22.99", "50.00", "15.00", "20.00", "22.99"]),
        ("Shipping And Handling", &["4.00", "4.00", "", "", "4.00"]),
        ("Sale Date", &["Sep-30-26 02:44:15", "Sep-30-26 02:44:15", "", "", "Sep-30-26 02:44:15"]),
        ("Paid On Date", &["Sep-30-26 02:44:15", "Sep-30-26 02:44:15", "", "", ""]),
        ("Shipped On Date", &["", "", "", "", ""]),
    ];
    let came = Table::of(&columns).imported();
    assert_eq!(came.booked(), ["06-1", "06-2"], "{came:?}");
    let several = &came.requests[1].1;
    assert_eq!(several["productRequestsList"].as_array().unwrap().len(), 2);
    assert_eq!(several["shippingProperties"]["subTotal"], 50.0);
    came.first("held-back").is_at(6, "Paid On Date");

    // The rows of its products are missing: nothing is left out in silence.
    let without: Vec<(&str, Vec<&str>)> =
        columns.iter().map(|(header, cells)| (*header, [&cells[..2], &cells[4..]].concat())).collect();
    let without: Vec<(&str, &[&str])> = without.iter().map(|(header, cells)| (*header, cells.as_slice())).collect();
    let came = Table::of(&without).imported();
    assert_eq!((came.booked(), came.exit), (vec!["06-1"], 4), "{came:?}");
    assert_eq!(came.first("missing-product").advises("export the orders again").order, "06-2");
}

#[test]
fn etsy_holds_what_is_not_paid_and_compares_totals() {
    let etsy = Table::every(&[
        ("Sale Date", "09/02/26"),
        ("Item Name", "Ring"),
        ("Quantity", "2"),
        ("Price", "24.99"),
        ("Currency", "USD"),
        ("Transaction ID", "1"),
        ("Listing ID", "2"),
        ("Date Posted", ""),
        ("Ship Name", "Maria Gonzalez"),
        ("Ship Address1", "1520 E Camelback Rd"),
        ("Ship City", "Boston"),
        ("Ship State", "MA"),
        ("Ship Zipcode", "02134"),
        ("Ship Country", "United States"),
        ("Order ID", "{n}"),
        ("Receiver Phone", "6175550123"),
    ]);
    let discounted: [(&str, &[&str]); 3] = [
        ("Date Paid", &["09/02/26", "09/02/26", ""]),
        ("Discount Amount", &["0", "5.00", "0"]),
        ("Item Total", &["49.98", "44.98", "49.98"]),
    ];
    let came = etsy.with(&discounted).imported();
    assert_eq!((came.booked(), came.found("held-back").len()), (vec!["N-0", "N-1"], 1), "{came:?}");
    assert_eq!(came.found("total-differs"), ["44.98"]);
}
