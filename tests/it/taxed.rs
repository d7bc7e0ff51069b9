//! Taxes beside the prices, charges of other names and what is paid already: in the sum that is collected, or asked about.

use crate::rig::{HEADER, cod_998, imported, imported_by, row, two_at};

#[test]
fn a_tax_that_is_in_an_agreeing_total_is_no_other_amount() {
    let amounts = ["GST Amount", "Tax Amount", "GST", "Tax", "IGST", "Cess", "Tax (INR)", "GST Rs"];
    for tax in amounts {
        for total in ["Total", "Amount", "Total Amount", "Invoice Value", "Net Amount", "Grand Total", "COD Amount"] {
            cod_998(&format!("{tax},{total}"), "47.52,998").collects("998.00");
        }
        cod_998(tax, "47.52").held("total-differs");
        cod_998(&format!("{tax},Total"), "49.90,998").held("total-differs");
        cod_998(&format!("{tax},Total Amount"), "49.90,1047.90").collects("1047.90");
    }
    // The rate tells it without a total: this is the tax in 998 at 5 %, and not the one on it.
    cod_998("GST %,GST Amount", "5,47.52").collects("998.00");
    cod_998("GST %,CGST,SGST,Total", "5,23.76,23.76,998").collects("998.00");
    cod_998("GST %,GST Amount", "5,49.90").held("total-differs");
    // Rates are no amounts.
    for rate in ["IGST", "CGST", "GST", "Tax"] {
        cod_998(rate, "18").collects("998.00");
    }
}

#[test]
fn a_tax_on_top_is_asked_about_however_it_is_said() {
    for header in ["GST Extra", "Tax Extra", "Price excl GST?", "GST Excluded"] {
        for cell in ["Yes", "y", "TRUE"] {
            cod_998(&format!("GST %,{header}"), &format!("18,{cell}"))
                .held("total-differs")
                .says("without the tax of 179.64");
            cod_998(header, cell).held("total-differs");
        }
        for cell in ["No", "0", ""] {
            cod_998(&format!("GST %,{header}"), &format!("18,{cell}")).collects("998.00");
        }
        cod_998(&format!("GST %,{header},Other Charges"), "18,Yes,179.64").collects("1177.64");
        cod_998(&format!("GST %,{header},COD Amount"), "18,Yes,998").collects("998.00");
        cod_998(&format!("GST %,{header},Taxes Included"), "18,Yes,Yes").collects("998.00");
    }
    cod_998("GST Extra", "90").held("total-differs");
    for (header, cell) in [("GST Type", "Exclusive"), ("Tax Type", "excl. GST"), ("Price Type", "Excl. Tax")] {
        cod_998(&format!("GST %,{header}"), &format!("18,{cell}")).held("total-differs");
        cod_998(&format!("GST %,{header}"), "18,Inclusive").collects("998.00");
        cod_998(&format!("GST %,{header}"), "18,IGST").collects("998.00");
    }
    for header in ["GST 18%", "VAT 5%", "Tax (18%)"] {
        cod_998(header, "179.64").held("total-differs");
    }
    for header in ["GST Included", "Tax Incl", "Inclusive of GST"] {
        cod_998(&format!("GST %,{header}"), "18,No").held("total-differs");
        cod_998(&format!("GST %,{header}"), "18,Yes").collects("998.00");
    }
    let own = "[columns]\n\"productRequestsList.price\" = \"Price (excl. GST)\"\n";
    let text = two_at("499", "COD", "Tax Rate", "18").replace(",Price,", ",Price (excl. GST),");
    imported_by(own, &text).held("total-differs");
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
            let sum = format!("{:.2}", total.parse::<f64>().unwrap());
            cod_998(&format!("{header},{name}"), &format!("{cell},{total}")).collects(&sum);
        }
    }
    let came = cod_998("Shipping Charges,COD Charges,Tax Amount,Discount,Total Amount", "40,30,0,20,1048");
    came.collects("1048.00");
    let amounts = &came.request()["shippingProperties"];
    assert_eq!((&amounts["otherCharges"], &amounts["discount"]), (&30.0.into(), &20.0.into()));
    cod_998("COD Charges,Total Amount", "30,1040").held("total-differs");
}

#[test]
fn what_is_still_to_be_paid_is_what_is_collected() {
    let door = ["Customer Pays", "Amount Due on Delivery", "Payable at Delivery", "To be paid by customer", "Baki"];
    let totals = ["To Pay", "Customer To Pay", "Left to pay", "Remaining", "Net", "Gross", "Tot", "Rs", "INR", "Final"];
    for header in door.into_iter().chain(totals) {
        cod_998(header, "300").held("total-differs");
        cod_998(header, "998").collects("998.00");
    }
    cod_998("Bill", "300.00").held("total-differs");
    cod_998("Bill", "1042").collects("998.00");
    cod_998("Net", "0.45").collects("998.00");
    for header in ["To Pay", "Remaining"] {
        let text = format!("{HEADER},{header}\n{},998\n", row("A-1"));
        imported(&text).held("partly-paid");
    }
    for header in ["Booking Amount", "UPI Paid", "Paid via UPI", "Customer Paid"] {
        cod_998(header, "300").held("partly-paid");
    }
    for header in ["Token", "Rcvd", "GPay", "Redeemed", "Exchange", "Credit", "Wallet", "Gift Card"] {
        cod_998(header, "100").held("total-differs");
        // The total of the order may have it in it; what is to be collected has not.
        cod_998(&format!("{header},Grand Total"), "100,998").held("total-differs");
        cod_998(&format!("{header},COD Amount"), "100,998").collects("998.00");
        cod_998(header, "0").collects("998.00");
    }
    for header in ["Shipping Paid", "Platform Fee", "Insurance", "Transport", "Extra", "Less", "Offer", "Gift Wrap"] {
        cod_998(header, "50").held("total-differs");
        for word in ["No", "", "BUY1"] {
            cod_998(header, word).collects("998.00");
        }
    }
    for header in ["Cancelled Qty", "Return Qty", "Returned Quantity", "Shipped Qty"] {
        let asked = cod_998(header, "1");
        asked.held("held-back");
        // Two were ordered: accepting it alone would send both.
        assert!(asked.problems.iter().any(|own| own.hint.contains("write their number as the quantity")), "{asked:?}");
        cod_998(header, "0").collects("998.00");
    }
    for header in ["Qty to Ship", "Pending Qty"] {
        cod_998(header, "1").held("duplicate-header");
        cod_998(header, "0").held("duplicate-header");
        cod_998(header, "2").collects("998.00");
    }
    // What is above all that the order comes to is a number, and what equals it is what is insured.
    cod_998("UPI", "412345678901").collects("998.00");
    cod_998("Insurance", "998").collects("998.00");
}

#[test]
fn a_list_price_is_not_collected_where_another_price_stands_beside_it() {
    let with = |other: &str, cell: &str| {
        let row = row("A-1").replace("499.90", "999").replace("PREPAID", "COD");
        imported(&format!("{HEADER},{other}\n{row},{cell}\n").replace(",Price,", ",MRP,"))
    };
    for header in ["Selling Rate", "Rate", "Net Rate", "Rate per Piece"] {
        with(header, "499").collects("998.00");
    }
    for header in ["Cost", "Each"] {
        with(header, "499").held("duplicate-header");
        // What the seller has paid is nobody's business where the price has a column.
        cod_998(header, "200").collects("998.00");
    }
}

#[test]
fn money_under_a_header_that_says_nothing_holds_what_is_collected() {
    let prepaid = imported(&format!("{HEADER},Column 1\n{},₹300\n", row("A-1")));
    prepaid.goes();
    assert_eq!(prepaid.problems[0].case, "left_out");
    for (header, cell) in [("Rating", "4.50"), ("Commission", "40.00"), ("Cost Price", "200.00")] {
        cod_998(header, cell).collects("998.00");
    }
    cod_998("Column 1", "₹300").held("total-differs");
}

#[test]
fn a_rate_is_on_top_where_the_total_says_so() {
    cod_998("GST %,Net Amount", "12,998").collects("998.00");
    // The sheet's own total to the cent says that it is on top, whatever the total is called.
    for (more, cells, total) in [
        ("GST %,Net Amount", "12,1117.76", "1117.76"),
        ("GST %,Shipping,Net Amount", "12,50,1167.76", "1167.76"),
        ("GST %,Line Amt (incl GST)", "18,1177.64", "1177.64"),
        ("GST %,COD Amount", "12,1118", "1118.00"),
    ] {
        cod_998(more, cells).collects(total);
    }
    for (more, cells) in [
        ("GST %,Taxes Included,Net Amount", "12,Yes,1117.76"),
        ("GST %,Net Amount", "12,1120.76"),
        ("Net Amount", "1117.76"),
    ] {
        // Nothing offers to collect less than the sheet's own total without a word.
        cod_998(more, cells).held("total-differs").advises_nothing_of("ignore");
    }
}

#[test]
fn a_row_that_was_pasted_is_not_collected_twice() {
    let of_rows = |header: &str, payment: &str, cell: &str, again: &str| {
        let first = row("A-1").replace("499.90,2", "499,1").replace("PREPAID", payment);
        let second = if again.is_empty() { first.clone() } else { first.replace("K-1", "K-2").replace("Kurta", again) };
        imported(&format!("{HEADER},{header}\n{first},{cell}\n{second},{cell}\n"))
    };
    for header in ["Total", "Bill Total", "Total Amount", "Bill Amount"] {
        of_rows(header, "COD", "499", "").held("same-line");
        // Two products of one price are no row that stands there twice.
        of_rows(header, "COD", "499", "Bottle").collects("998.00");
    }
    for (header, cell) in [("Line Total", "499"), ("Amount", "499"), ("Total", "998")] {
        of_rows(header, "COD", cell, "").held("same-line");
        of_rows(header, "COD", cell, "Bottle").collects("998.00");
    }
}

#[test]
fn a_part_payment_is_told_with_what_to_write() {
    let problem = cod_998("Advance,Balance", "200,798").held("partly-paid");
    problem.advises_first("accept this to collect 998.00");
    problem.advises("write 200.00 into a column \"Order Discount\" and 798.00 into a column \"COD Amount\"");
    cod_998("Advance,Balance,Order Discount,COD Amount", ",798,200,798").collects("798.00");
    cod_998("Advance,Grand Total,Total,Order Discount,COD Amount", ",998,998,200,798").collects("798.00");
    let both = cod_998("Advance,Discount", "200,50").held("partly-paid");
    both.advises("write 250.00 into a column \"Discount\" and 748.00 into a column \"COD Amount\"");
    cod_998("Advance", "998").held("partly-paid").advises("make its payment PREPAID");
    let whole = "GST Amount,Total,Advance,Balance";
    cod_998(whole, "179.64,1177.64,500,677.64").held("partly-paid").advises("write 500.00 into").advises("677.64");
    cod_998(&format!("{whole},Discount,COD Amount"), "179.64,1177.64,,677.64,500,677.64").collects("677.64");
    for (more, cells) in [("Total,Advance,Balance", "1200,500,700"), ("Advance,Balance", "500,700")] {
        cod_998(more, cells).held("partly-paid");
    }
    // Of two amounts that are to be collected, neither is passed over.
    cod_998("Balance,COD Amount", "700,998").held("total-differs");
    // What was written by the hint needs no other word.
    cod_998("Total,Order Discount,COD Amount", "998,200,798").goes_silently();
    // What is still due is never lost on the way.
    let text = format!("{HEADER},Balance\n{},798\n", row("A-1"));
    imported(&text).held("partly-paid").advises("if the courier is to collect it, make its payment COD");
}

#[test]
fn what_all_pieces_come_to_is_collected_to_the_cent() {
    let own = "[columns]\n\"productRequestsList.price\" = { column = \"Amount\", line_total = true }\n";
    for (amount, pieces, price) in
        [("1000.00", 3, 333.33), ("1000", 7, 142.86), ("999.99", 2, 499.995), ("10", 30, 0.33)]
    {
        let row = row("A-1").replace("499.90,2", &format!("{amount},{pieces}")).replace("PREPAID", "COD");
        let text = format!("{HEADER},COD Amount\n{row},{amount}\n").replace(",Price,", ",Amount,");
        let came = imported_by(own, &text);
        came.collects(&format!("{:.2}", amount.parse::<f64>().unwrap())).tells(0);
        let line = &came.request()["productRequestsList"][0];
        assert_eq!((&line["price"], &line["quantity"]), (&price.into(), &pieces.into()));
    }
}
