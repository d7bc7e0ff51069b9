//! Columns that speak of money and that no field takes: what they say is never passed over where money is collected.

use crate::rig::{Came, HEADER, Rig, imported, imported_by, row, sheet, two_at};

/// What becomes of an order of two pieces at 1000, 2000 in all.
fn of_2000(payment: &str, more: &str, cells: &str) -> Came {
    imported(&two_at("1000", payment, more, cells))
}

fn cod(more: &str, cells: &str) -> Came {
    of_2000("COD", more, cells)
}

#[test]
fn every_total_is_compared() {
    let headers =
        ["Total", "Amount", "Total Amount", "Order Value", "Invoice Value", "Net Payable", "Total (Rs)", "Due"];
    for header in headers.into_iter().chain(["COD", "To be collected", "COD Amt (Rs)", "Balance (Rs)"]) {
        let problem = cod(header, "1000").held("total-differs");
        problem.is_at(2, header).says("1000.00").says("2000.00").advises(format!("ignore = [\"{header}\"]"));
        cod(header, "2000").goes_silently();
        cod(header, "").goes_silently();
    }
    of_2000("PREPAID", "Total", "1000").warned("total-differs");
}

#[test]
fn a_total_may_be_that_of_the_products_or_of_each_line() {
    cod("Line Total,Shipping Charges", "2000,50").goes_silently();
    cod("Total,Sub Total,Shipping Charges", "2050,2000,50").goes_silently();
    cod("Total,Shipping Charges", "2050,50").goes_silently();
    cod("Net Payable,Shipping Charges", "2000,50").held("total-differs");
    let first = row("A-1").replace("499.90,2", "1000,2").replace("PREPAID", "COD");
    let second = first.replace("1000,2", "300,1").replace("K-1", "K-2");
    for (one, two, good) in [("2000", "300", true), ("2300", "2300", true), ("2300", "", true), ("2000", "400", false)]
    {
        imported(&format!("{HEADER},Amount\n{first},{one}\n{second},{two}\n")).exits(if good { 0 } else { 3 });
    }
    let same = first.replace("K-1", "K-2");
    imported(&format!("{HEADER},Total\n{first},2000\n{same},2000\n")).goes_silently();
}

#[test]
fn what_comes_on_top_or_is_taken_off_is_asked_about() {
    for header in
        ["COD Charges", "Packing Charges", "Delivery Fee", "Coupon Discount", "Wallet", "Gift Card", "Round Off (Rs)"]
    {
        let problem = cod(header, "50").held("total-differs");
        assert_eq!(problem.is_at(2, header).says("50.00").found, "50");
        cod(header, "0").goes_silently();
        cod(header, "").goes_silently();
        of_2000("PREPAID", header, "50").warned("total-differs");
    }
    cod("Coupon Discount", "-50").held("total-differs");
    cod("Received", "300").held("total-differs");
    cod("Round Off", "-0.40").goes_silently();
    cod("Received", "yesterday").warned("unknown-column");
    for header in ["Prepaid Amount", "Advance Paid (Rs)", "Amount Received", "Deposit"] {
        cod(header, "300").held("partly-paid");
        cod(header, "0").goes_silently();
    }
    // What is to be collected confirms the rest.
    cod("COD Charges,COD Amount", "50,2000").goes_silently();
    cod("Discount,Disc", "50,50").held("total-differs");
    for text in ["SAVE10", "no", "-"] {
        cod("Coupon", text).goes_silently();
    }
}

#[test]
fn what_takes_an_order_below_zero_is_named() {
    let product = |name: &str, discount: &str| {
        row("A-1").replace("Kurta,K-1,499.90,2", &format!("{name},,500,1")) + "," + discount
    };
    let of = |header: &str, rows: &[String]| {
        let came = imported(&format!("{HEADER},{header}\n{}\n", rows.join("\n")));
        came.stays().tells_first("bad-number")
    };
    let own = of("Order Discount", &[product("Kurta", "600")]);
    own.is_at(2, "Order Discount").says("the discount 600 is more");
    // Of two products, the one whose discount is too large.
    let lines = of("Line Discount", &[product("Kurta", "50"), product("Saree", "1200")]);
    lines.is_at(3, "Line Discount").says("the discounts of its products come to 1250");
    let charges = of("Other Charges", &[product("Kurta", "-700")]);
    charges.is_at(2, "Other Charges").says("below zero");
}

#[test]
fn a_profile_says_what_is_not_asked_about() {
    let text = two_at("1000", "COD", "Total,Coupon Discount", "1000,50");
    imported_by("ignore = [\"Total\", \"Coupon Discount\"]\n", &text).goes_silently();
    imported_by("ignore = [\"Total\"]\n", &text).held("total-differs");

    // A profile that was proposed compares them too.
    let rig = Rig::new();
    rig.file("orders.csv", &text);
    let proposed = rig.run(&["profile", "guess", "orders.csv"]).stdout;
    imported_by(&proposed, &text).held("total-differs");
    assert!(proposed.contains("left_out = []") && !proposed.contains("ignore = [\"Total"), "{proposed}");
}

#[test]
fn what_is_to_be_collected_is_not_prepaid() {
    for header in ["COD Amount", "To Collect", "Amount Due", "Balance (Rs)"] {
        of_2000("Prepaid", header, "1000").held("partly-paid").is_at(2, header);
        of_2000("Prepaid", header, "0").goes_silently();
    }
    for header in ["COD", "Is COD"] {
        assert_eq!(of_2000("Prepaid", header, "Yes").held("partly-paid").found, "Yes");
        of_2000("Prepaid", header, "No").goes_silently();
        cod(header, "Yes").goes_silently();
        cod(header, "No").held("total-differs");
    }
}

#[test]
fn a_subtotal_is_what_would_be_collected() {
    cod("Subtotal", "500").held("subtotal-differs").says("500");
    cod("Subtotal", "2000").goes_silently();
    of_2000("PREPAID", "Subtotal", "500").warned("subtotal-differs");
    // A second figure confirms it.
    cod("Subtotal,COD Amount", "1900,1900").warned("subtotal-differs");
}

#[test]
fn a_tax_that_is_not_in_the_prices_is_not_forgotten() {
    cod("Taxes Included,Tax Rate", "no,18").held("total-differs").says("360.00");
    cod("Taxes Included,Tax Rate,Other Charges", "no,18,360").goes_silently();
    cod("Taxes Included,Tax Rate,COD Amount", "no,18,2000").goes_silently();
    cod("Taxes Included,Tax Rate", "yes,18").goes_silently();
    cod("Taxes Included,Tax Rate,COD Amount", "no,18,2360")
        .held("total-differs")
        .says("the difference is what \"Taxes Included\" says");
    of_2000("PREPAID", "Taxes Included,Tax Rate", "no,18").goes_silently();
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
        ("Collectable Amount", "999.80", "0"),
        ("Amount to collect", "999.80", "0"),
        ("To Collect", "999.80", "0"),
    ] {
        let text = without_payment(header, first, second);
        let rig = Rig::new();
        rig.file("orders.csv", &text);
        let by_guess = rig.run(&["profile", "guess", "orders.csv"]).stdout;
        for came in [imported(&text), imported_by(&by_guess, &text)] {
            assert_eq!(came.exits(0).payments(), ["COD", "PREPAID"], "{came:?}");
        }
    }
    // The amount is compared as well.
    payments("COD", "1500", "").tells_first("total-differs");
    payments("COD", "later", "0").tells_first("bad-payment");

    // Where one payment for all would be wrong, nobody is told to set it.
    for header in ["Due", "Balance"] {
        let rig = Rig::new();
        let text = without_payment(header, "500", "0");
        rig.file("orders.csv", &text);
        for arguments in [["check", "orders.csv", "--format", "json"], ["profile", "guess", "orders.csv", "--quiet"]] {
            let ran = rig.run(&arguments);
            ran.prints_nothing_of("shippingProperties.orderType\\\" =").prints_nothing_of("orderType\" =");
            ran.says_nothing_of("orderType\" = ");
        }
        imported(&text).held("missing-column");
        let default = "[defaults]\n\"shippingProperties.orderType\" = \"PREPAID\"\n";
        let came = imported_by(default, &text);
        assert_eq!((came.problems[0].found.as_str(), came.requests.len()), ("500", 1), "{came:?}");
    }
}

/// What becomes of two orders whose payment only this column speaks of.
fn payments(header: &str, first: &str, second: &str) -> Came {
    imported(&without_payment(header, first, second))
}

#[test]
fn yes_and_no_say_whether_an_order_is_prepaid() {
    for header in ["Prepaid", "Is Prepaid", "Prepaid (Y/N)", "Prepaid?"] {
        assert_eq!(payments(header, "Yes", "No").payments(), ["PREPAID", "COD"], "{header}");
    }
    assert_eq!(payments("Paid", "Yes", "Y").payments(), ["PREPAID", "PREPAID"]);
    // What is not paid is not for that to be collected.
    let came = payments("Paid", "Yes", "No");
    assert_eq!((came.requests.len(), came.problems[0].code.as_str()), (1, "bad-payment"), "{came:?}");
    came.problems[0].advises("the header \"Prepaid\"");
    assert!(payments("Paid", "999.80", "0").requests.is_empty(), "amounts are no words");
}

#[test]
fn notes_of_cash_are_no_reason_to_call_all_orders_prepaid() {
    for (header, cell) in
        [("Remarks", "collect cod 998"), ("Remarks", "please take COD"), ("Note", "200 advance paid"), ("Paid", "998")]
    {
        let came = payments(header, cell, "");
        came.stays().first("missing-column").advises(header).advises_nothing_of("[defaults]");
    }
    payments("Remarks", "call before delivery", "gift").problems[0].advises("[defaults]");
}

#[test]
fn of_two_columns_of_payments_the_one_that_says_them_is_taken() {
    let with = |kind: &str, payment: &str| {
        let text = sheet([row("A-1").replace("PREPAID", kind)]).replace("Payment Type", "Order Type");
        let text = text.replacen('\n', ",Payment\n", 1);
        imported(&format!("{},{payment}\n", text.trim_end()))
    };
    for (payment, sent) in [("COD", "COD"), ("Prepaid", "PREPAID"), ("UPI", "PREPAID")] {
        for kind in ["New", "Regular", "B2C"] {
            let came = with(kind, payment);
            assert_eq!(came.goes()["shippingProperties"]["orderType"], sent, "{came:?}");
            assert!(!came.has("duplicate-header"), "{came:?}");
        }
    }
    // Where both say it, they must agree.
    with("COD", "COD").exits(0);
    with("Prepaid", "COD").exits(3);
}

#[test]
fn a_discount_for_one_piece_counts_for_each() {
    for (header, taken_off) in [("Discount per Unit", "100"), ("Unit Discount", "100"), ("Line Discount", "50")] {
        let came = cod(header, "50");
        let (sent, whole) = (came.goes(), taken_off.parse::<f64>().unwrap());
        assert_eq!((came.problems.len(), &sent["shippingProperties"]["discount"]), (1, &whole.into()), "{came:?}");
        let of_line = sent["productRequestsList"][0]["discount"].as_str().unwrap();
        assert_eq!(of_line.trim_end_matches(".00"), taken_off, "{header}");
    }
    // An order's own discount may have them in it, unless it is smaller; it is sent as it stands.
    let two = |own: &str| cod("Line Discount,Order Discount", &format!("50,{own}"));
    two("80").held("total-differs");
    assert_eq!(two("50").goes()["shippingProperties"]["discount"], 50.0);
    let smaller = two("20");
    smaller.only("total-differs").says("discounts of 50.00 of their own").says("its own discount of 20.00");
    assert_eq!(smaller.goes()["shippingProperties"]["discount"], 20.0);
    assert_eq!(two("0").goes()["shippingProperties"]["discount"], 0.0);
    let own = "[columns]\n\"productRequestsList.discount\" = { column = \"Off\", per_piece = true }\n";
    imported_by(own, &two_at("1000", "COD", "Off,COD Amount", "50,1900")).collects("1900.00").only("total-differs");
}

#[test]
fn of_two_prices_neither_is_taken_unseen() {
    let with = |payment: &str, price: &str, other: &str, figure: &str| {
        imported(&two_at("1000", payment, other, figure).replace(",Price,", &format!(",{price},")))
    };
    for other in ["Sale Price", "Offer Price", "Discounted Price", "Final Price", "Deal Price", "Net Price", "SP"] {
        assert_eq!(with("COD", "MRP", other, "499").goes()["productRequestsList"][0]["price"], 499.0);
    }
    for (price, other) in [("Price", "Sale Price"), ("Unit Price", "Offer Price"), ("MRP", "Festival Price")] {
        with("COD", price, other, "499").held("duplicate-header").says("1000.00").says("499.00");
        with("COD", price, other, "1000").exits(0);
        with("PREPAID", price, other, "499").exits(0);
    }
    let rig = Rig::new();
    rig.file("orders.csv", &two_at("1000", "COD", "Sale Price", "499").replace(",Price,", ",MRP,"));
    let guessed = rig.run(&["profile", "guess", "orders.csv"]).stdout;
    assert!(guessed.contains("\"productRequestsList.price\" = \"Sale Price\""), "{guessed}");
}

#[test]
fn of_two_weights_neither_is_taken_unseen() {
    let with = |header: &str, figure: &str| of_2000("PREPAID", header, figure);
    with("Total Weight", "1.0").held("duplicate-header").says("\"Weight\" says 0.5").says("\"Total Weight\" says 1");
    with("Total Weight", "0.5").exits(0);
    with("Total Weight (g)", "500").exits(0);
    with("Total Weight (g)", "900").held("duplicate-header");
}
