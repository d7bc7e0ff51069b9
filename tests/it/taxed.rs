//! Taxes beside the prices, charges of other names and what is paid already: in the sum that is collected, or asked about.

use crate::money::{Came, booked, held};
use crate::reduced::collected;
use crate::rig::{HEADER, row};

/// A COD order of two pieces at 499, 998 in all, with more columns.
fn of_998(more: &str, cells: &str) -> Came {
    let row = row("A-1").replace("499.90", "499").replace("PREPAID", "COD");
    booked(&format!("{HEADER},{more}\n{row},{cells}\n"), None)
}

#[track_caller]
fn collects(more: &str, cells: &str, amount: &str) {
    let (code, problems, bodies) = of_998(more, cells);
    assert!(code == 0 && bodies.len() == 1, "{more} {cells}: {problems:#?}");
    assert_eq!(collected(&bodies[0]), amount, "{more} {cells}: {problems:#?}");
}

#[test]
fn a_tax_that_is_in_an_agreeing_total_is_no_other_amount() {
    let amounts = ["GST Amount", "Tax Amount", "GST", "Tax", "IGST", "Cess", "Tax (INR)", "GST Rs"];
    for tax in amounts {
        for total in ["Total", "Amount", "Total Amount", "Invoice Value", "Net Amount", "Grand Total", "COD Amount"] {
            collects(&format!("{tax},{total}"), "47.52,998", "998.00");
        }
        held(&of_998(tax, "47.52"), "total-differs");
        held(&of_998(&format!("{tax},Total"), "49.90,998"), "total-differs");
        collects(&format!("{tax},Total Amount"), "49.90,1047.90", "1047.90");
    }
    // The rate tells it without a total: this is the tax in 998 at 5 %, and not the one on it.
    collects("GST %,GST Amount", "5,47.52", "998.00");
    collects("GST %,CGST,SGST,Total", "5,23.76,23.76,998", "998.00");
    held(&of_998("GST %,GST Amount", "5,49.90"), "total-differs");
    // Rates are no amounts.
    for rate in ["IGST", "CGST", "GST", "Tax"] {
        collects(rate, "18", "998.00");
    }
}

#[test]
fn a_tax_on_top_is_asked_about_however_it_is_said() {
    for header in ["GST Extra", "Tax Extra", "Price excl GST?", "GST Excluded"] {
        for cell in ["Yes", "y", "TRUE"] {
            let came = of_998(&format!("GST %,{header}"), &format!("18,{cell}"));
            let problem = held(&came, "total-differs");
            assert!(problem["message"].as_str().unwrap().contains("without the tax of 179.64"), "{problem}");
            held(&of_998(header, cell), "total-differs");
        }
        for cell in ["No", "0", ""] {
            collects(&format!("GST %,{header}"), &format!("18,{cell}"), "998.00");
        }
        collects(&format!("GST %,{header},Other Charges"), "18,Yes,179.64", "1177.64");
        collects(&format!("GST %,{header},COD Amount"), "18,Yes,998", "998.00");
        collects(&format!("GST %,{header},Taxes Included"), "18,Yes,Yes", "998.00");
    }
    held(&of_998("GST Extra", "90"), "total-differs");
    for (header, cell) in [("GST Type", "Exclusive"), ("Tax Type", "excl. GST"), ("Price Type", "Excl. Tax")] {
        held(&of_998(&format!("GST %,{header}"), &format!("18,{cell}")), "total-differs");
        collects(&format!("GST %,{header}"), "18,Inclusive", "998.00");
        collects(&format!("GST %,{header}"), "18,IGST", "998.00");
    }
    for header in ["GST 18%", "VAT 5%", "Tax (18%)"] {
        held(&of_998(header, "179.64"), "total-differs");
    }
    for header in ["GST Included", "Tax Incl", "Inclusive of GST"] {
        held(&of_998(&format!("GST %,{header}"), "18,No"), "total-differs");
        collects(&format!("GST %,{header}"), "18,Yes", "998.00");
    }
    let own = "[columns]\n\"productRequestsList.price\" = \"Price (excl. GST)\"\n";
    let text = |price: &str| {
        let row = row("A-1").replace("499.90", "499").replace("PREPAID", "COD");
        format!("{HEADER},Tax Rate\n{row},18\n").replace(",Price,", &format!(",{price},"))
    };
    held(&booked(&text("Price (excl. GST)"), Some(own)), "total-differs");
}

#[test]
fn charges_that_a_total_has_in_it_are_sent() {
    for (header, cell, total) in [
        ("COD Charges", "30", "1028"),
        ("Platform Fee", "20", "1018"),
        ("Insurance", "20", "1018.00"),
        ("Coupon Discount", "50", "948"),
        ("Wallet", "100", "898"),
        ("Less", "48", "950"),
    ] {
        for name in ["Total", "Total Amount", "Grand Total", "COD Amount"] {
            collects(
                &format!("{header},{name}"),
                &format!("{cell},{total}"),
                &format!("{:.2}", total.parse::<f64>().unwrap()),
            );
        }
    }
    let (code, problems, bodies) =
        of_998("Shipping Charges,COD Charges,Tax Amount,Discount,Total Amount", "40,30,0,20,1048");
    assert!(code == 0 && collected(&bodies[0]) == "1048.00", "{problems:#?}");
    let amounts = &bodies[0]["shippingProperties"];
    assert_eq!((&amounts["otherCharges"], &amounts["discount"]), (&30.0.into(), &20.0.into()));
    held(&of_998("COD Charges,Total Amount", "30,1040"), "total-differs");
}

#[test]
fn what_is_still_to_be_paid_is_what_is_collected() {
    let door = ["Customer Pays", "Amount Due on Delivery", "Payable at Delivery", "To be paid by customer", "Baki"];
    let totals = ["To Pay", "Customer To Pay", "Left to pay", "Remaining", "Net", "Gross", "Tot", "Rs", "INR", "Final"];
    for header in door.into_iter().chain(totals) {
        held(&of_998(header, "300"), "total-differs");
        collects(header, "998", "998.00");
    }
    held(&of_998("Bill", "300.00"), "total-differs");
    collects("Bill", "1042", "998.00");
    collects("Net", "0.45", "998.00");
    for header in ["To Pay", "Remaining"] {
        let text = format!("{HEADER},{header}\n{},998\n", row("A-1"));
        held(&booked(&text, None), "total-differs");
    }
    for header in ["Booking Amount", "UPI Paid", "Paid via UPI", "Customer Paid"] {
        held(&of_998(header, "300"), "partly-paid");
    }
    for header in ["Token", "Rcvd", "GPay", "Redeemed", "Exchange", "Credit", "Wallet", "Gift Card"] {
        held(&of_998(header, "100"), "total-differs");
        // The total of the order may have it in it; what is to be collected has not.
        held(&of_998(&format!("{header},Grand Total"), "100,998"), "total-differs");
        collects(&format!("{header},COD Amount"), "100,998", "998.00");
        collects(header, "0", "998.00");
    }
    for header in ["Shipping Paid", "Platform Fee", "Insurance", "Transport", "Extra", "Less", "Offer", "Gift Wrap"] {
        held(&of_998(header, "50"), "total-differs");
        for word in ["No", "", "BUY1"] {
            collects(header, word, "998.00");
        }
    }
    for header in ["Cancelled Qty", "Return Qty", "Returned Quantity", "Shipped Qty"] {
        let asked = of_998(header, "1");
        held(&asked, "held-back");
        // Two were ordered: emptying the cell alone would send both.
        assert!(asked.1.iter().any(|own| own["hint"].as_str().unwrap().contains("take these 1 off")), "{:?}", asked.1);
        collects(header, "0", "998.00");
    }
    for header in ["Qty to Ship", "Pending Qty"] {
        held(&of_998(header, "1"), "duplicate-header");
        held(&of_998(header, "0"), "duplicate-header");
        collects(header, "2", "998.00");
    }
    // What is above all that the order comes to is a number, and what equals it is what is insured.
    collects("UPI", "412345678901", "998.00");
    collects("Insurance", "998", "998.00");
}

#[test]
fn a_list_price_is_not_collected_where_another_price_stands_beside_it() {
    let with = |other: &str, cell: &str| {
        let row = row("A-1").replace("499.90", "999").replace("PREPAID", "COD");
        booked(&format!("{HEADER},{other}\n{row},{cell}\n").replace(",Price,", ",MRP,"), None)
    };
    for header in ["Selling Rate", "Rate", "Net Rate", "Rate per Piece"] {
        let (code, problems, bodies) = with(header, "499");
        assert!(code == 0 && collected(&bodies[0]) == "998.00", "{header}: {problems:#?}");
    }
    for header in ["Cost", "Each"] {
        held(&with(header, "499"), "duplicate-header");
        // What the seller has paid is nobody's business where the price has a column.
        collects(header, "200", "998.00");
    }
}

#[test]
fn money_under_a_header_that_says_nothing_is_said_as_money() {
    let said = |header: &str, cell: &str| {
        let (code, problems, bodies) = booked(&format!("{HEADER},{header}\n{},{cell}\n", row("A-1")), None);
        assert!(code == 0 && bodies.len() == 1, "{header}: {problems:#?}");
        problems[0]["message"].as_str().unwrap().contains("amounts of money that no field takes")
    };
    for cell in ["₹300", "Rs. 300", "300.00", "\"1,300.00\""] {
        assert!(said("Column 1", cell), "{cell}");
    }
    for (header, cell) in [("Column 1", "300"), ("Rating", "4.50"), ("Commission", "40.00"), ("Cost Price", "200.00")] {
        assert!(!said(header, cell), "{header}");
    }
    for (header, cell) in [("Rating", "4.50"), ("Commission", "40.00"), ("Cost Price", "200.00")] {
        collects(header, cell, "998.00");
    }
    held(&of_998("Column 1", "₹300"), "total-differs");
}

#[test]
fn a_rate_alone_is_on_top_where_the_sum_says_so() {
    for (more, cells, sum) in [
        ("GST %,Net Amount", "12,1117.76", "1117.76"),
        ("GST Rate,Grand Total", "5,1047.90", "1047.90"),
        ("GST %,Shipping,Net Amount", "12,50,1167.76", "1167.76"),
        ("GST %,Discount,Net Amount", "12,98,1008", "1008.00"),
        ("GST %,Disc %,Net Amount", "12,10,1005.98", "1005.98"),
        ("GST %,Net Amount", "12,998", "998.00"),
    ] {
        collects(more, cells, sum);
    }
    for (more, cells) in [
        ("GST %,Net Amount", "12,1117"),
        ("GST %,Net Amount", "12,1108.77"),
        ("GST %,Taxes Included,Net Amount", "12,Yes,1117.76"),
    ] {
        let hint = held(&of_998(more, cells), "total-differs")["hint"].to_string();
        // Nothing offers to collect less than the sheet's own total without a word.
        assert!(!hint.contains("ignore"), "{more} {cells}: {hint}");
    }
}

#[test]
fn a_row_that_was_pasted_is_not_collected_twice() {
    let of_rows = |header: &str, payment: &str, cell: &str, again: &str| {
        let first = row("A-1").replace("499.90,2", "499,1").replace("PREPAID", payment);
        let second = if again.is_empty() { first.clone() } else { first.replace("K-1", "K-2").replace("Kurta", again) };
        booked(&format!("{HEADER},{header}\n{first},{cell}\n{second},{cell}\n"), None)
    };
    for header in ["Total", "Bill Total", "Total Amount", "Bill Amount"] {
        held(&of_rows(header, "COD", "499", ""), "rows-twice");
        // Two products of one price are no row that stands there twice.
        let (exit, problems, bodies) = of_rows(header, "COD", "499", "Bottle");
        assert!(exit == 0 && collected(&bodies[0]) == "998.00", "{header}: {problems:#?}");
    }
    for (header, cell) in [("Line Total", "499"), ("Amount", "499"), ("Total", "998")] {
        let (exit, problems, bodies) = of_rows(header, "COD", cell, "");
        assert!(exit == 0 && collected(&bodies[0]) == "998.00", "{header}: {problems:#?}");
    }
}

#[test]
fn a_part_payment_is_told_with_what_to_write() {
    let problem = held(&of_998("Advance,Balance", "200,798"), "partly-paid");
    let hint = problem["hint"].as_str().unwrap();
    assert!(hint.contains("write 200.00 into a column \"Order Discount\""), "{hint}");
    assert!(hint.contains("798.00 into a column \"COD Amount\"") && !hint.contains("PREPAID"), "{hint}");
    collects("Advance,Balance,Order Discount,COD Amount", ",798,200,798", "798.00");
    collects("Advance,Grand Total,Total,Order Discount,COD Amount", ",998,998,200,798", "798.00");
    let hint = held(&of_998("Advance,Discount", "200,50"), "partly-paid")["hint"].to_string();
    assert!(hint.contains("write 250.00 into a column \\\"Discount\\\"") && hint.contains("748.00"), "{hint}");
    let hint = held(&of_998("Advance", "998"), "partly-paid")["hint"].to_string();
    assert!(hint.contains("make its payment PREPAID"), "{hint}");
    // Where tax comes on top, what is left is more, and no figure is named before the total agrees.
    let whole = "GST Amount,Total,Advance,Balance";
    let hint = held(&of_998(whole, "179.64,1177.64,500,677.64"), "partly-paid")["hint"].to_string();
    assert!(hint.contains("for 677.64 to be collected, write 500.00"), "{hint}");
    collects(&format!("{whole},Discount,COD Amount"), "179.64,1177.64,,677.64,500,677.64", "677.64");
    for (more, cells) in [("Total,Advance,Balance", "1200,500,700"), ("Advance,Balance", "500,700")] {
        let (exit, problems, _) = of_998(more, cells);
        let paid = problems.iter().find(|problem| problem["code"] == "partly-paid").unwrap();
        let is_asked = problems.iter().any(|problem| problem["code"] == "total-differs");
        let hint = paid["hint"].as_str().unwrap();
        assert!(exit == 3 && is_asked && hint.starts_with("first make the order's total agree"), "{problems:#?}");
    }
    // Of two amounts that are to be collected, neither is passed over.
    held(&of_998("Balance,COD Amount", "700,998"), "total-differs");
    // What was written by the hint needs no other word.
    let (exit, problems, _) = of_998("Total,Order Discount,COD Amount", "998,200,798");
    assert!(exit == 0 && problems.is_empty(), "{problems:#?}");
    // What is still due is never lost on the way.
    let text = format!("{HEADER},Balance\n{},798\n", row("A-1"));
    let hint = held(&booked(&text, None), "total-differs")["hint"].to_string();
    assert!(
        hint.contains("if it is still to be collected, make its payment COD; only if it is paid meanwhile"),
        "{hint}"
    );
}

#[test]
fn what_all_pieces_come_to_is_collected_to_the_cent() {
    let own = "[columns]\n\"productRequestsList.price\" = { column = \"Amount\", line_total = true }\n";
    for (amount, pieces, price) in
        [("1000.00", 3, 333.33), ("1000", 7, 142.86), ("999.99", 2, 499.995), ("100", 300, 0.33)]
    {
        let row = row("A-1").replace("499.90,2", &format!("{amount},{pieces}")).replace("PREPAID", "COD");
        let text = format!("{HEADER},COD Amount\n{row},{amount}\n").replace(",Price,", ",Amount,");
        let (code, problems, bodies) = booked(&text, Some(own));
        assert_eq!((code, problems.len()), (0, 0), "{amount}: {problems:#?}");
        let line = &bodies[0]["productRequestsList"][0];
        assert_eq!((&line["price"], &line["quantity"]), (&price.into(), &pieces.into()));
        assert_eq!(collected(&bodies[0]), format!("{:.2}", amount.parse::<f64>().unwrap()));
    }
}
