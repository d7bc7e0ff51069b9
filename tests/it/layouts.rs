//! Each profile that comes with the program, on a sheet in its layout, from the cells to the request that is sent.

use serde_json::json;

use crate::bodies::{kept, kept_of};
use crate::rig::{Columns, Table, has};

#[test]
fn shopify() {
    let (bodies, said) = kept(
        "shopify",
        &[
            ("Name", &["#5001", "#5001", "#5002", "#5002", "#5003"]),
            ("Email", &["emily@example.com", "emily@example.com", "mike@example.com", "", ""]),
            ("Financial Status", &["paid", "", "voided", "", "pending"]),
            ("Fulfillment Status", &["unfulfilled", "", "", "", ""]),
            ("Cancelled at", &["", "", "", "", ""]),
            ("Currency", &["INR", "", "INR", "", "INR"]),
            ("Subtotal", &["900.00", "", "1", "", "10"]),
            ("Shipping", &["40.00", "", "0", "", "0"]),
            ("Discount Amount", &["100.00", "", "0", "", "0"]),
            (
                "Created at",
                &["2026-09-22 09:12:40 +0530", "", "2026-09-22 09:12:40 +0530", "", "2026-09-23 10:00:00 +0530"],
            ),
            ("Lineitem quantity", &["1", "2", "1", "1", "1"]),
            ("Lineitem name", &["Kurta", "Scarf", "Tee", "Cap", "Belt"]),
            ("Lineitem price", &["600.00", "200.00", "1", "1", "10"]),
            ("Lineitem sku", &["K-1", "S-1", "T-1", "C-1", "B-1"]),
            ("Shipping Name", &["Emily Devi Rao", "", "Mike", "", "Asha"]),
            ("Shipping Address1", &["14 MG Road", "", "x", "", "1 Ring Road"]),
            ("Shipping City", &["Bengaluru", "", "x", "", "Surat"]),
            ("Shipping Zip", &["'560001", "", "'560001", "", "'395001"]),
            ("Shipping Province", &["KA", "", "KA", "", "GJ"]),
            ("Shipping Country", &["IN", "", "IN", "", "IN"]),
            ("Shipping Phone", &["+91 98765 43210", "", "9876543210", "", ""]),
            ("Billing Phone", &["", "", "", "", "9876543211"]),
            ("Payment Method", &["Razorpay", "", "Razorpay", "", "Cash on Delivery (COD)"]),
        ],
    );
    assert_eq!(bodies.iter().map(|(number, _)| number.as_str()).collect::<Vec<_>>(), ["#5001", "#5003"]);
    has(
        &bodies[0].1,
        &[
            ("/receiver/firstName", json!("Emily Devi")),
            ("/receiver/lastName", json!("Rao")),
            ("/receiver/phoneNumber", json!("9876543210")),
            ("/destination/pinCode", json!("560001")),
            ("/destination/state", json!("Karnataka")),
            ("/destination/country", json!("India")),
            ("/warehouseId", json!("wh-77")),
            ("/productRequestsList/1/productName", json!("Scarf")),
            ("/productRequestsList/1/currencyCode", json!("INR")),
            ("/shippingProperties/subTotal", json!(1000.0)),
            ("/shippingProperties/discount", json!(100.0)),
            ("/shippingProperties/orderType", json!("PREPAID")),
        ],
    );
    has(
        &bodies[1].1,
        &[("/receiver/phoneNumber", json!("9876543211")), ("/shippingProperties/orderType", json!("COD"))],
    );
    assert!(said.contains("warning[left-out]") && said.contains("(2 times)"), "both rows of the voided order: {said}");
}

#[test]
fn woocommerce_products_side_by_side() {
    let (bodies, _) = kept(
        "woocommerce",
        &[
            ("order_id", &["1001", "1002"]),
            ("order_number", &["1001", "1002"]),
            ("order_date", &["16-05-2026 07:32:06", "17-05-2026 07:32:06"]),
            ("status", &["processing", "cancelled"]),
            ("shipping_total", &["10", "0"]),
            ("order_currency", &["INR", "INR"]),
            ("payment_method", &["cod", "razorpay"]),
            ("billing_phone", &["9876543210", "9876543210"]),
            ("shipping_first_name", &["Lilly", "John"]),
            ("shipping_last_name", &["Gordon", ""]),
            ("shipping_address_1", &["20 Maple Avenue", "x"]),
            ("shipping_address_2", &["Door No,16", ""]),
            ("shipping_postcode", &["560001", "560001"]),
            ("shipping_city", &["Bengaluru", "x"]),
            ("shipping_state", &["KA", "KA"]),
            ("shipping_country", &["IN", "IN"]),
            (
                "line_item_1",
                &[
                    "name:Formal shoe|product_id:13|sku:A12|quantity:2|total:1598.00|tax:1.44",
                    "name:x|quantity:1|total:1",
                ],
            ),
            ("line_item_2", &["name:Lace|sku:L1|quantity:1|total:49.00", ""]),
            ("line_item_3", &["", ""]),
        ],
    );
    assert_eq!(bodies.len(), 1);
    has(
        &bodies[0].1,
        &[
            ("/productRequestsList/0/productName", json!("Formal shoe")),
            ("/productRequestsList/0/price", json!(799.0)),
            ("/productRequestsList/0/quantity", json!(2)),
            ("/productRequestsList/1/sku", json!("L1")),
            ("/destination/addressLine2", json!("Door No,16")),
            ("/shippingProperties/subTotal", json!(1647.0)),
            ("/shippingProperties/orderType", json!("COD")),
            ("/orderCreatedAt", json!("1778896926000")),
        ],
    );
    assert_eq!(bodies[0].1["productRequestsList"].as_array().unwrap().len(), 2);
}

/// Columns of the Amazon report, with one order of two lines.
const AMAZON: Columns<'static> = &[
    ("order-id", &["402-1", "402-1"]),
    ("order-item-id", &["1", "2"]),
    ("purchase-date", &["2026-11-01T10:50:49+05:30", "2026-11-01T10:50:49+05:30"]),
    ("buyer-email", &["b@example.com", "b@example.com"]),
    ("buyer-phone-number", &["9876543210", "9876543210"]),
    ("sku", &["K-1", "S-1"]),
    ("product-name", &["Kurta", "Scarf"]),
    ("quantity-purchased", &["2", "1"]),
    ("currency", &["INR", "INR"]),
    ("item-price", &["999.80", "149.00"]),
    ("recipient-name", &["Asha Rao", "Asha Rao"]),
    ("ship-address-1", &["14 MG Road", "14 MG Road"]),
    ("ship-address-2", &["Near City Mall", "Near City Mall"]),
    ("ship-address-3", &["3rd floor", "3rd floor"]),
    ("ship-city", &["Bengaluru", "Bengaluru"]),
    ("ship-state", &["KARNATAKA", "KARNATAKA"]),
    ("ship-postal-code", &["560001", "560001"]),
    ("ship-country", &["IN", "IN"]),
];

#[test]
fn amazon_with_and_without_a_payment_method() {
    let (bodies, _) = kept_of("amazon-com", &Table::of(AMAZON).delimited_by('\t').text());
    has(
        &bodies[0].1,
        &[
            ("/productRequestsList/0/price", json!(499.9)),
            ("/destination/addressLine2", json!("Near City Mall, 3rd floor")),
            ("/destination/state", json!("Karnataka")),
            ("/shippingProperties/orderType", json!("PREPAID")),
        ],
    );
    let with_payment = Table::of(AMAZON).with(&[("payment-method", &["COD", "COD"])]);
    let (bodies, _) = kept_of("amazon-in", &with_payment.delimited_by('\t').text());
    has(&bodies[0].1, &[("/shippingProperties/orderType", json!("COD"))]);
}

#[test]
fn etsy_and_ebay() {
    let (bodies, _) = kept(
        "etsy",
        &[
            ("Sale Date", &["09/02/26"]),
            ("Date Paid", &["09/02/26"]),
            ("Date Posted", &[""]),
            ("Item Name", &["Tee"]),
            ("Quantity", &["1"]),
            ("Price", &["499"]),
            ("Currency", &["INR"]),
            ("Transaction ID", &["1"]),
            ("Listing ID", &["2"]),
            ("Ship Name", &["Maria Gonzalez"]),
            ("Ship Address1", &["14 MG Road"]),
            ("Ship City", &["Bengaluru"]),
            ("Ship State", &["Karnataka"]),
            ("Ship Zipcode", &["560001"]),
            ("Ship Country", &["India"]),
            ("Order ID", &["3310000001"]),
            ("Variations", &["Color:Black,Size:M"]),
            ("Receiver Phone", &["9876543210"]),
        ],
    );
    has(
        &bodies[0].1,
        &[
            ("/orderCreatedAt", json!("1788287400000")),
            ("/destination/countryCode", json!("IN")),
            ("/productRequestsList/0/description", json!("Color:Black,Size:M")),
        ],
    );
    let sheet = Table::of(&[
        ("Sales Record Number", &["10548", "10549", "2", "Seller ID : someone"]),
        ("Order Number", &["06-1", "06-2", "record(s) downloaded"]),
        ("Ship To Name", &["Asha Rao", "Asha Rao"]),
        ("Ship To Phone", &["9876543210", "9876543210"]),
        ("Ship To Address 1", &["14 MG Road", "14 MG Road"]),
        ("Ship To City", &["Bengaluru", "Bengaluru"]),
        ("Ship To State", &["Karnataka", "Karnataka"]),
        ("Ship To Zip", &["560001", "560001"]),
        ("Ship To Country", &["IN", "IN"]),
        ("Item Title", &["Sandals", "Sandals"]),
        ("Custom Label", &["SH-1", "SH-1"]),
        ("Quantity", &["1", "1"]),
        ("Sold For", &["₹1,124.00", "₹1,124.00"]),
        ("Sale Date", &["Sep-30-26 02:44:15", "Sep-30-26 02:44:15"]),
        ("Paid On Date", &["Sep-30-26", "Sep-30-26"]),
        ("Shipped On Date", &["", "Oct-01-26"]),
    ]);
    let (bodies, _) = kept_of("ebay", &format!(",,,,,,,,,,,,,,,\n{}", sheet.text()));
    assert_eq!(bodies.len(), 1, "the other one is shipped already");
    has(
        &bodies[0].1,
        &[("/productRequestsList/0/price", json!(1124.0)), ("/productRequestsList/0/sku", json!("SH-1"))],
    );
}

#[test]
fn tiktok_and_meesho() {
    let (bodies, _) = kept(
        "tiktok",
        &[
            ("Order ID", &["Platform unique order ID.", "576912345678901001"]),
            ("Order Status", &["Order status", "To ship"]),
            ("Seller SKU", &["", "T-1"]),
            ("Product Name", &["", "Tee"]),
            ("Quantity", &["", "1"]),
            ("SKU Unit Original Price", &["", "₹499.00"]),
            ("Created Time", &["", "09/02/2026 04:02:10 PM"]),
            ("Recipient", &["", "Jordan Smith"]),
            ("Phone #", &["", "(+91)9876543210"]),
            ("Zipcode", &["", "560001"]),
            ("Country", &["", "India"]),
            ("State", &["", "Karnataka"]),
            ("City", &["", "Bengaluru"]),
            ("Detail Address", &["", "14 MG Road"]),
            ("Weight(kg)", &["", "0.2"]),
            ("Payment Method", &["", "Credit/debit card"]),
        ],
    );
    assert_eq!(bodies[0].0, "576912345678901001");
    has(&bodies[0].1, &[("/parcelAttributes/weight/weight", json!(0.2)), ("/orderCreatedAt", json!("1788345130000"))]);
    let meesho: Columns<'_> = &[
        ("Sub Order No", &["M-1", "M-2"]),
        ("Order Date", &["15/08/2026", "16/08/2026"]),
        ("SKU", &["B-1", "B-1"]),
        ("Product Title", &["Headset", "Headset"]),
        ("Quantity", &["1", "1"]),
        ("Supplier Discounted Price", &["1299.00", "1299.00"]),
        ("Status", &["Pending", "Pending"]),
        ("Customer State", &["Bihar", "Bihar"]),
    ];
    let came = Table::of(meesho).imported();
    let fields: Vec<_> = came.stays().all("missing-column").into_iter().map(|own| own.field.as_str()).collect();
    let expected = [
        "receiver.firstName",
        "receiver.phoneNumber",
        "destination.addressLine1",
        "destination.city",
        "destination.pinCode",
        "shippingProperties.orderType",
    ];
    assert_eq!(fields, expected, "Meesho's sheet names neither receiver nor address");
}

#[test]
fn delhivery_and_shiprocket() {
    let (bodies, _) = kept(
        "delhivery-one",
        &[
            ("*Sale Order Number", &["SO1191", "SO1191"]),
            ("*Pickup Location Name", &["Bangalore WH", "Bangalore WH"]),
            ("*Transport Mode", &["Surface", "Surface"]),
            ("*Payment Mode", &["COD", "COD"]),
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
            ("Length (cm)", &["30", "30"]),
            ("Breadth (cm)", &["20", "20"]),
            ("Height (cm)", &["10", "10"]),
            ("Packaged Product Weight (gm)", &["850", "850"]),
        ],
    );
    has(
        &bodies[0].1,
        &[
            ("/warehouseId", json!("wh-78")),
            ("/parcelAttributes/weight/weight", json!(0.85)),
            ("/parcelAttributes/weight/unit", json!("kg")),
            ("/service", json!("Surface")),
        ],
    );
    let (bodies, _) = kept(
        "shiprocket",
        &[
            ("*Order Id", &["SR-1"]),
            ("Order Date as dd-mm-yyyy hh:MM", &["05-11-2026 10:30"]),
            ("*Channel", &["Custom"]),
            ("*Payment Method(COD/Prepaid)", &["Prepaid"]),
            ("*Customer First Name", &["Asha"]),
            ("Customer Last Name", &["Rao"]),
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
            ("*Length (cm)", &["20"]),
            ("*Breadth (cm)", &["15"]),
            ("*Height (cm)", &["10"]),
            ("*Weight Of Shipment(kg)", &["0.5"]),
        ],
    );
    has(&bodies[0].1, &[("/orderCreatedAt", json!("1793854800000")), ("/destination/countryCode", json!("IN"))]);
}

#[test]
fn magento_and_woocommerce_items() {
    let (bodies, _) = kept(
        "magento",
        &[
            ("increment_id", &["000000123"]),
            ("created_at", &["2026-11-01 10:00:00"]),
            ("status", &["processing"]),
            ("customer_email", &["a@example.com"]),
            ("shipping_firstname", &["Asha"]),
            ("shipping_lastname", &["Rao"]),
            ("shipping_street", &["14 MG Road,\nNear City Mall\n3rd floor"]),
            ("shipping_city", &["Bengaluru"]),
            ("shipping_region", &["Karnataka"]),
            ("shipping_postcode", &["560001"]),
            ("shipping_country_id", &["IN"]),
            ("shipping_telephone", &["9876543210"]),
            ("payment_method", &["cashondelivery"]),
            ("product_name", &["Kurta"]),
            ("product_sku", &["K-1"]),
            ("product_price", &["499.9000"]),
            ("qty_ordered", &["2.0000"]),
        ],
    );
    has(
        &bodies[0].1,
        &[
            ("/orderNumber", json!("000000123")),
            ("/destination/addressLine1", json!("14 MG Road")),
            ("/destination/addressLine2", json!("Near City Mall, 3rd floor")),
            ("/shippingProperties/orderType", json!("COD")),
        ],
    );
    let (bodies, _) = kept(
        "woocommerce-items",
        &[
            ("Order Number", &["7", "7"]),
            ("Order Status", &["Processing", "Processing"]),
            ("Order Date", &["2026-11-01 10:00", "2026-11-01 10:00"]),
            ("First Name (Shipping)", &["Asha", "Asha"]),
            ("Address 1&2 (Shipping)", &["14 MG Road", "14 MG Road"]),
            ("City (Shipping)", &["Bengaluru", "Bengaluru"]),
            ("State Code (Shipping)", &["KA", "KA"]),
            ("Postcode (Shipping)", &["560001", "560001"]),
            ("Country Code (Shipping)", &["IN", "IN"]),
            ("Phone (Billing)", &["9876543210", "9876543210"]),
            ("Payment Method Title", &["Cash on delivery", "Cash on delivery"]),
            ("SKU", &["K-1", "S-1"]),
            ("Item Name", &["Kurta", "Scarf"]),
            ("Quantity (- Refund)", &["1", "2"]),
            ("Item Cost", &["499.90", "149"]),
        ],
    );
    has(
        &bodies[0].1,
        &[("/shippingProperties/orderType", json!("COD")), ("/productRequestsList/1/quantity", json!(2))],
    );
}

#[test]
fn walmart() {
    let (bodies, _) = kept(
        "walmart",
        &[
            ("PO#", &["1"]),
            ("Order#", &["2000123"]),
            ("Order Date", &["2026-11-01"]),
            ("Customer Name", &["John Doe"]),
            ("Customer Phone Number", &["4155550132"]),
            ("Ship to Address 1", &["1 Main St"]),
            ("City", &["Boston"]),
            ("State", &["MA"]),
            ("Zip", &["2134"]),
            ("Item Description", &["Tee"]),
            ("SKU", &["T-1"]),
            ("Qty", &["1"]),
            ("Item Cost", &["$22.99"]),
            ("Status", &["Acknowledged"]),
        ],
    );
    has(
        &bodies[0].1,
        &[("/destination/pinCode", json!("02134")), ("/productRequestsList/0/currencyCode", json!("USD"))],
    );
}

#[test]
fn what_nobody_paid_for_is_never_taken_for_prepaid() {
    let shop = Table::of(&[
        ("Name", &["#1"]),
        ("Financial Status", &[""]),
        ("Fulfillment Status", &["unfulfilled"]),
        ("Cancelled at", &[""]),
        ("Currency", &["INR"]),
        ("Lineitem quantity", &["1"]),
        ("Lineitem name", &["Kurta"]),
        ("Lineitem price", &["600.00"]),
        ("Shipping Name", &["Emily Rao"]),
        ("Shipping Address1", &["14 MG Road"]),
        ("Shipping City", &["Bengaluru"]),
        ("Shipping Zip", &["560001"]),
        ("Shipping Province", &["KA"]),
        ("Shipping Country", &["IN"]),
        ("Shipping Phone", &["9876543210"]),
        ("Payment Method", &[""]),
    ]);
    let cases = [
        ("paid", "Razorpay", None),
        ("pending", "Cash on Delivery", None),
        ("pending", "Bank Deposit", Some("bad-payment")),
        ("paid", "GoKwik COD", Some("bad-payment")),
        ("pending", "GoKwik COD", None),
        ("pending", "GoKwik Cash on Delivery", None),
        ("pending", "Advance + COD", Some("bad-payment")),
        ("partially_paid", "Partial COD", Some("bad-payment")),
    ];
    for (status, method, expected) in cases {
        let came = shop.with_cells(&[("Financial Status", status), ("Payment Method", method)]).imported();
        let errors = came.errors();
        assert_eq!(errors.first().map(|error| error.code.as_str()), expected, "{came:?}");
        assert!(errors.iter().all(|error| error.found == method), "{came:?}");
    }
}
