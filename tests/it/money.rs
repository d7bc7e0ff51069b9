//! Columns that speak of money and that no field takes: what they say is never passed over where money is collected.

use serde_json::Value;

use crate::rig::{HEADER, Rig, row, sheet};

/// What an import came to: the exit code, the problems, the requests.
pub(crate) type Came = (i32, Vec<Value>, Vec<Value>);

/// Books a sheet with a rig of its own, by a profile where one is given.
pub(crate) fn booked(text: &str, profile: Option<&str>) -> Came {
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
pub(crate) fn of_2000(payment: &str, more: &str, cells: &str) -> String {
    let row = row("A-1").replace("499.90", "1000").replace("PREPAID", payment);
    format!("{HEADER},{more}\n{row},{cells}\n")
}

fn cod(more: &str, cells: &str) -> Came {
    booked(&of_2000("COD", more, cells), None)
}

/// That nothing was sent, and the first error.
#[track_caller]
pub(crate) fn held(came: &Came, code: &str) -> Value {
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
    silent(&cod("Line Total,Shipping Charges", "2000,50"), "of the products");
    silent(&cod("Total,Sub Total,Shipping Charges", "2050,2000,50"), "both");
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
    let (exit, problems, bodies) = cod("Received", "yesterday");
    assert_eq!((exit, bodies.len(), &problems[0]["code"]), (0, 1, &"unknown-column".into()), "{problems:#?}");
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
        ("Collectable Amount", "999.80", "0"),
        ("Amount to collect", "999.80", "0"),
        ("To Collect", "999.80", "0"),
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
    for header in ["Due", "Balance"] {
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

/// What is sent of the payments of two orders, in their order; nothing where one is held.
fn payments(header: &str, first: &str, second: &str) -> (Vec<String>, Vec<Value>) {
    let (_, problems, bodies) = booked(&without_payment(header, first, second), None);
    let of = |body: &Value| body["shippingProperties"]["orderType"].as_str().unwrap_or_default().to_owned();
    (bodies.iter().map(of).collect(), problems)
}

#[test]
fn yes_and_no_say_whether_an_order_is_prepaid() {
    for header in ["Prepaid", "Is Prepaid", "Prepaid (Y/N)", "Prepaid?"] {
        let (sent, problems) = payments(header, "Yes", "No");
        assert_eq!(sent, ["PREPAID", "COD"], "{header}: {problems:#?}");
    }
    assert_eq!(payments("Paid", "Yes", "Y").0, ["PREPAID", "PREPAID"]);
    // What is not paid is not for that to be collected.
    let (sent, problems) = payments("Paid", "Yes", "No");
    assert_eq!((sent.len(), &problems[0]["code"]), (1, &"bad-payment".into()), "{problems:#?}");
    assert!(problems[0]["hint"].as_str().unwrap().contains("the header \"Prepaid\""), "{problems:#?}");
    assert!(payments("Paid", "999.80", "0").0.is_empty(), "amounts are no words");
}

#[test]
fn notes_of_cash_are_no_reason_to_call_all_orders_prepaid() {
    for (header, cell) in
        [("Remarks", "collect cod 998"), ("Remarks", "please take COD"), ("Note", "200 advance paid"), ("Paid", "998")]
    {
        let (sent, problems) = payments(header, cell, "");
        let hint = problems.iter().find(|problem| problem["code"] == "missing-column").unwrap()["hint"].to_string();
        assert!(sent.is_empty() && hint.contains(header) && !hint.contains("[defaults]"), "{header} {cell}: {hint}");
    }
    let (_, problems) = payments("Remarks", "call before delivery", "gift");
    assert!(problems[0]["hint"].as_str().unwrap().contains("[defaults]"), "{problems:#?}");
}

#[test]
fn of_two_columns_of_payments_the_one_that_says_them_is_taken() {
    let with = |kind: &str, payment: &str| {
        let text = sheet([row("A-1").replace("PREPAID", kind)]).replace("Payment Type", "Order Type");
        let text = text.replacen('\n', ",Payment\n", 1);
        booked(&format!("{},{payment}\n", text.trim_end()), None)
    };
    for (payment, sent) in [("COD", "COD"), ("Prepaid", "PREPAID"), ("UPI", "PREPAID")] {
        for kind in ["New", "Regular", "B2C"] {
            let (exit, problems, bodies) = with(kind, payment);
            assert!(
                exit == 0 && bodies[0]["shippingProperties"]["orderType"] == sent,
                "{kind} {payment}: {problems:#?}"
            );
            assert!(problems.iter().all(|problem| problem["code"] != "duplicate-header"), "{problems:#?}");
        }
    }
    // Where both say it, they must agree.
    assert_eq!(with("COD", "COD").0, 0);
    assert_eq!(with("Prepaid", "COD").0, 3);
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
    // An order's own discount may have them in it, unless it is smaller.
    held(&cod("Line Discount,Order Discount", "50,80"), "total-differs");
    for (own, total) in [("50", 50.0), ("20", 70.0)] {
        let (exit, problems, bodies) = cod("Line Discount,Order Discount", &format!("50,{own}"));
        assert_eq!((exit, &bodies[0]["shippingProperties"]["discount"]), (0, &total.into()), "{problems:#?}");
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
