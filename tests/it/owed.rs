//! Part payments: figures and words beside the type of payment, in its own cell, in states of payment, and in notes.

use crate::rig::{Came, HEADER, Problem, collected, imported, imported_by, of_998, row, two_at};

/// That nothing goes; gives the problem of this code.
#[track_caller]
fn asked(payment: &str, more: &str, cells: &str, code: &str) -> Problem {
    of_998(payment, more, cells).stays().first(code)
}

/// That an order goes, and what is collected of it; nothing of a prepaid one.
#[track_caller]
fn goes(payment: &str, more: &str, cells: &str, amount: Option<&str>) {
    let came = of_998(payment, more, cells);
    let sent = came.goes();
    let of_door = sent["shippingProperties"]["orderType"] == "COD";
    assert_eq!(of_door.then(|| collected(&sent)).as_deref(), amount, "{came:?}");
}

#[test]
fn a_figure_beside_the_type_of_payment_is_a_part_unless_it_is_the_order() {
    for cell in ["COD 998", "Rs 998 COD", "Full COD", "100% COD", "COD full amount", "Cash on del", "COD ₹998/-"] {
        goes(cell, "", "", Some("998.00"));
    }
    for cell in
        ["Paid 998", "captured", "100% paid", "UPI 998", "PhonePe PG", "\"Razorpay Secure (UPI, Cards, Wallets)\""]
    {
        goes(cell, "", "", None);
    }
    for cell in ["Paid 100", "100 paid", "Paid 100 UPI", "Paid online 100", "UPI 100", "100 UPI", "COD 898"] {
        asked(cell, "", "", "partly-paid").advises("write 100.00 into a column \"Order Discount\" and 898.00");
    }
    // What the hint says leads to what is meant.
    goes("COD", "Order Discount,COD Amount", "100.00,898.00", Some("898.00"));
    asked("COD 2500", "", "", "partly-paid");
}

#[test]
fn what_is_paid_in_part_is_asked_about() {
    for state in ["Partial", "Partially paid", "Partly paid", "Advance paid", "Paid 200", "200 advance", "Half paid"] {
        asked("COD", "Payment Status", state, "held-back");
        asked("PREPAID", "Payment Status", state, "held-back");
        goes("COD", "Payment Status,Order Discount,COD Amount", &format!("{state},200,798"), Some("798.00"));
    }
    goes("PREPAID", "Payment Status", "Paid 998", None);
    goes("COD", "Payment Status", "pending", Some("998.00"));
}

#[test]
fn how_far_the_payment_is_counts_in_a_second_column_too() {
    for state in ["Pending", "Unpaid", "Partial", "Failed", "COD"] {
        of_998("UPI", "Payment", state).stays();
    }
    for state in ["Paid", "UPI", "Partial", "Prepaid"] {
        of_998("COD", "Payment", state).stays();
    }
    goes("UPI", "Payment", "Paid", None);
    goes("COD", "Payment", "Pending", Some("998.00"));
}

#[test]
fn of_a_prepaid_order_all_is_paid() {
    for (header, cell) in [
        ("Advance", "200"),
        ("Amount Paid", "500"),
        ("Amount Paid", "0"),
        ("Paid", "0"),
        ("Paid", "900"),
        ("UPI Amount", "400"),
        ("Pending", "998"),
        ("Pending", "798"),
    ] {
        let problem = asked("PREPAID", header, cell, "partly-paid");
        problem.advises_first("accept this if all of it is paid").advises("payment COD");
        goes("PREPAID", header, "", None);
    }
    // What the hint says leads to what is meant.
    goes("COD", "Amount Paid,Order Discount,COD Amount", "500,500.00,498.00", Some("498.00"));
    for (headers, cells) in [
        ("Advance", "0"),
        ("Advance", "998"),
        ("Token", "0"),
        ("Paid", "998.00"),
        ("Paid", "1"),
        ("Paid", "1200"),
        ("Paid", "Yes"),
        ("Paid,Balance", "0,0"),
        ("Amount Paid,Total", "948,948"),
        ("Paid,Order Discount", "948,50"),
        ("Pending", "0"),
        ("Pending", "2"),
    ] {
        goes("PREPAID", headers, cells, None);
    }
}

#[test]
fn a_payment_that_was_made_is_not_collected_again() {
    for (header, cell) in [("Payment Done", "Yes"), ("Transaction Status", "SUCCESS"), ("Txn Status", "captured")] {
        asked("COD", header, cell, "held-back");
        goes("PREPAID", header, cell, None);
    }
    for (header, cell) in [("Payment Done", "Pending"), ("Txn Status", "Failed"), ("Transaction Status", "failed")] {
        asked("PREPAID", header, cell, "held-back");
    }
    for (header, cell) in [
        ("UTR", "412345678901"),
        ("UTR No", "SBIN0412345678"),
        ("UPI Ref No", "412345678901"),
        ("UPI Transaction ID", "T2211151234567"),
    ] {
        asked("COD", header, cell, "bad-payment");
        goes("PREPAID", header, cell, None);
        goes("COD", &format!("{header},Order Discount,COD Amount"), &format!("{cell},200,798"), Some("798.00"));
        goes("COD", header, "", Some("998.00"));
        goes("COD", header, "NA", Some("998.00"));
    }
    goes("COD", "Transaction Status", "pending", Some("998.00"));
    for (header, cell) in [("Payment ID", "c27183818284"), ("Paytm No", "9876543210"), ("UPI ID", "asha@okhdfc")] {
        goes("COD", header, cell, Some("998.00"));
    }
}

#[test]
fn a_note_of_what_is_paid_or_to_be_collected_is_asked_about() {
    for note in [
        "paid online",
        "Paid",
        "payment received",
        "200 advance paid",
        "advance 200 received",
        "Advance paid",
        "COD 798 only",
        "collect 798",
        "Balance Rs.798/-",
        "\"Exchange order, dont collect\"",
        "replacement - no cod",
        "Free replacement",
        "nothing to collect",
    ] {
        asked("COD", "Remarks", note, "bad-payment").advises("ignore = [\"Remarks\"]");
    }
    goes("COD", "Remarks,Order Discount,COD Amount", "200 advance paid,200,798", Some("798.00"));
    for note in ["200 advance received", "collect 798", "COD 998"] {
        asked("PREPAID", "Remarks", note, "bad-payment");
    }
    for note in ["paid", "Paid 998", "replacement", "payment received", "advance paid"] {
        goes("PREPAID", "Remarks", note, None);
    }
    for note in "call before delivery|gift|COD 998|collect 998|cod confirmed|collect at 5 pm|advance booking|\
         no advance|exchange only if damaged|Leave 2 boxes"
        .split('|')
    {
        goes("COD", "Remarks", note, Some("998.00"));
    }
    for (header, cell) in [("Supplier", "Paid"), ("Courier Bill", "Paid"), ("Title", "Exchange")] {
        goes("COD", header, cell, Some("998.00"));
    }
}

#[test]
fn what_is_to_be_paid_is_no_payment() {
    for header in ["To be paid", "Amount to be paid", "Cust Pay", "Udhar", "Baki"] {
        asked("COD", header, "898", "total-differs").advises("write 100.00 into a column \"Order Discount\"");
        goes("COD", &format!("{header},Order Discount"), "898,100.00", Some("898.00"));
        goes("COD", header, "998", Some("998.00"));
    }
    asked("COD", "Payable", "898", "total-differs");
    goes("PREPAID", "Amount Payable", "0", None);
    let headers = ["GPay Received", "Razorpay Amount", "UPI Amount", "Less Adv", "Jama", "Paid (UPI)", "PhonePe Paid"];
    for header in headers {
        asked("COD", header, "400", "partly-paid");
        goes("COD", header, "0", Some("998.00"));
        goes("PREPAID", header, "998", None);
    }
    goes("COD", "Advance,Balance,Order Discount", "200,798,200", Some("798.00"));
    asked("COD", "Advance,Balance", "200,798", "partly-paid");
    asked("COD", "Advance,Balance", "200,998", "partly-paid");
    let paid = asked("COD", "Paid Amount,Due Amount", "998,0", "partly-paid");
    paid.advises("if all of it is paid, make its payment PREPAID");
}

#[test]
fn figures_under_words_of_money_are_asked_about_and_words_are_not() {
    for header in "Difference|Diff|Difference Amount|Extra Amount|Pending|Online|UPI|Flat Off|Points|Loyalty Points|\
         Points Redeemed|Gift Wrap|Stitching|Engraving|Express Delivery|Delivery Amt|Delivery Cost|\
         Courier Amount|S&H|P&F|Pkg|Postal|Delivery|Courier"
        .split('|')
    {
        asked("COD", header, "50", "total-differs");
        // What is collected tells; of what is paid, nothing is collected.
        goes("COD", &format!("{header},COD Amount"), "50,998", Some("998.00"));
        goes("PREPAID", header, "50", None);
        goes("COD", header, "", Some("998.00"));
    }
    for (header, cell) in [("Courier", "Delhivery"), ("Online", "Yes"), ("Stitching", "Double"), ("Delivery", "Home")] {
        goes("COD", header, cell, Some("998.00"));
    }
    let came = of_998("PREPAID", "Courier", "50");
    assert!(came.goes()["carrier"] != "50", "{came:?}");
}

#[test]
fn a_total_of_the_products_confirms_no_charges_that_no_field_carries() {
    for header in ["COD Charges", "Packing", "Coupon Discount", "Round Off (Rs)"] {
        for total in ["Order Value", "Order Amount", "Total Amount", "Bill Amount", "Invoice Value", "Net Amount"] {
            asked("COD", &format!("{header},{total}"), "50,998", "total-differs").is_at(2, header);
            goes("COD", &format!("{header},{total}"), "0,998", Some("998.00"));
            goes("COD", &format!("{header},{total},COD Amount"), "50,998,998", Some("998.00"));
        }
        goes("COD", &format!("{header},Grand Total"), "50,998", Some("998.00"));
    }
    goes("COD", "COD Charges,Invoice Value", "50,1048", Some("1048.00"));
    goes("COD", "GST Amount,Invoice Value", "47.52,998", Some("998.00"));
}

#[test]
fn a_charge_as_large_as_another_one_is_no_less_asked_about() {
    for (more, cells, sum) in [
        ("Shipping Charges,COD Charges", "50,50", "1098.00"),
        ("Delivery Charges,COD Fee", "40,40", "1078.00"),
        ("Freight,Packing & Forwarding", "100,100", "1198.00"),
        ("Shipping,Handling", "40,40", "1078.00"),
        ("Shipping,Insurance", "50,50", "1098.00"),
        ("Shipping,Express Charges", "50,50", "1098.00"),
        ("Discount,COD Charges", "50,50", "998.00"),
        ("Item Discount,COD Charges", "30,30", "998.00"),
        ("Discount,Loyalty Discount", "50,50", "898.00"),
        ("Discount,Coupon", "50,50", "898.00"),
        ("Shipping,Coupon Discount", "40,40", "998.00"),
        ("Shipping,Adjustment", "50,-50", "998.00"),
        ("Shipping,Adjustment", "50,-20", "1028.00"),
        ("Shipping,Exchange Adj", "50,50", "1048.00"),
    ] {
        let held = of_998("COD", more, cells).stays().errors()[0].clone();
        held.is_at(2, more.split_once(',').unwrap().1);
        // The total of the sheet tells it, whichever way.
        for total in ["COD Amount", "Grand Total"] {
            goes("COD", &format!("{more},{total}"), &format!("{cells},{sum}"), Some(sum));
        }
    }
    // The same charge by another name may be one more, and is asked about.
    of_998("COD", "Shipping Charges,Freight", "50,50").stays();
    of_998("COD", "Discount,Discount Amount", "50,50").stays();
    goes("COD", "Other Charges,GST Amount", "47.52,47.52", Some("1045.52"));
    goes("COD", "Shipping Charges,COD Charges,Grand Total", "50,50,1048", Some("1048.00"));
}

#[test]
fn what_is_rounded_off_goes_by_the_total() {
    for (more, cells, sum) in [
        ("GST Amount,Round Off,Invoice Amount", "179.64,0.36,1178", "1178.00"),
        ("GST Amount,Round Off,Invoice Amount", "180.40,-0.40,1178", "1178.00"),
        ("CGST,SGST,Round Off,Grand Total", "90.20,90.20,-0.40,1178", "1178.00"),
        ("Shipping,Round Off,Total", "50.40,-0.40,1048", "1048.00"),
        ("Shipping,Rounding,Total", "49.70,0.30,1048.00", "1048.00"),
        ("Shipping,Round Off,COD Amount", "50.40,-0.40,1048", "1048.00"),
        ("Shipping,Rnd Off,COD Amount", "50.40,-0.40,1048", "1048.00"),
        // Without a total it is told by nobody at the door.
        ("Shipping,Round Off", "50.40,-0.40", "1048.40"),
        ("Shipping,Round Off,Total", "50.40,-0.40,1048.40", "1048.40"),
    ] {
        goes("COD", more, cells, Some(sum));
    }
    let row = row("A-1").replace("499.90", "100.20").replace("PREPAID", "COD");
    imported(&format!("{HEADER},Round Off,Total\n{row},-0.40,200.00\n")).collects("200.00");
}

#[test]
fn what_is_taken_off_a_prepaid_order_is_sent_where_its_total_says_so() {
    for (more, cells, worth) in [
        ("Coupon Discount,Grand Total", "98,900", "900.00"),
        ("COD Charges,Grand Total", "50,1048", "1048.00"),
        ("Wallet,Grand Total", "98,900", "998.00"),
        ("GST Amount,Grand Total", "50,1048", "998.00"),
    ] {
        of_998("PREPAID", more, cells).collects(worth);
    }
}

#[test]
fn words_and_minuses_of_no_charge_and_of_discounts_are_understood() {
    for (header, cell, sum) in [
        ("Shipping", "Free", "998.00"),
        ("Shipping Charges", "FREE", "998.00"),
        ("Discount", "Nil", "998.00"),
        ("Discount", "-100", "898.00"),
        ("Discount", "(100)", "898.00"),
        ("GST", "Inclusive", "998.00"),
        ("GST %,GST", "5,47.52", "998.00"),
        ("Shipping", "Included", "998.00"),
        ("Shipping", "NA", "998.00"),
        ("GST", "18% incl", "998.00"),
        ("GST", "incl. 18%", "998.00"),
        ("GST", "GST 18%", "998.00"),
    ] {
        goes("COD", header, cell, Some(sum));
    }
    for cell in ["Extra", "18% extra", "Excl", "extra 18%", "+18%", "18% on top"] {
        for header in ["GST", "GST %"] {
            asked("COD", header, cell, "bad-number").says("on top of the price");
        }
        goes("COD", "GST,Other Charges", ",89.82", Some("1087.82"));
    }
    of_998("COD", "Shipping Charges", "-50").stays();
}

#[test]
fn one_figure_on_every_row_is_that_of_each_where_the_sum_agrees() {
    let of_rows = |more: &str, cells: &str| {
        let first = row("A-1").replace("499.90,2", "499,1").replace("PREPAID", "COD");
        let second = first.replace("K-1", "K-2").replace("Kurta", "Bottle");
        imported(&format!("{HEADER},{more}\n{first},{cells}\n{second},{cells}\n"))
    };
    for (more, cells, sum) in [
        ("COD Amount", "499", "998.00"),
        ("COD Amount", "998", "998.00"),
        ("Discount,Order Total", "50,948", "948.00"),
        ("Shipping,Order Total", "50,1048", "1048.00"),
        ("COD Charges,Order Total", "25,1023", "1023.00"),
        ("GST Amount,Total", "23.76,499", "998.00"),
    ] {
        of_rows(more, cells).collects(sum);
    }
    // Without a total an amount of the order counts once, which is told unless the header says it.
    for (more, sum, told) in [
        ("Discount", "948.00", 1),
        ("Shipping", "1048.00", 1),
        ("Order Discount", "948.00", 0),
        ("Shipping Charges", "1048.00", 0),
        ("Other Charges", "1048.00", 0),
        ("Item Discount", "898.00", 0),
    ] {
        let came = of_rows(more, "50");
        came.collects(sum);
        let told_of = came.problems.iter().filter(|own| own.case.ends_with("_once")).count();
        assert_eq!(told_of, told, "{more}: {came:?}");
    }
    for (more, cells) in [
        ("COD Amount", "450"),
        ("Shipping,Order Total", "50,1060"),
        ("COD Charges", "25"),
        // A field of the order counts once, whatever its total says.
        ("Discount,Order Total", "50,898"),
        ("Shipping,Order Total", "50,1098"),
        ("Shipping,COD Amount", "50,549"),
        ("Discount,Total", "50,449"),
    ] {
        of_rows(more, cells).stays();
    }
}

#[test]
fn a_part_that_is_paid_is_taken_off_once_whatever_cells_say_so() {
    let head = "Partial Payment,Paid Amount (Rs.),Order Discount,COD Amount";
    let asked = |cells: &str| asked("COD", head, cells, "partly-paid");
    // Beside a yes, the figure says how much.
    asked("Yes,100,,").advises("write 100.00 into a column \"Order Discount\" and 898.00");
    goes("COD", head, ",,100,898", Some("898.00"));
    goes("COD", head, "No,,,", Some("998.00"));
    // A discount of as much may be another one.
    for cells in [",100,100,", "Yes,100,100,"] {
        asked(cells).advises("write 200.00 into a column \"Order Discount\" and 798.00");
    }
    goes("COD", head, ",,100,", Some("898.00"));
    goes("COD", head, ",,200,798", Some("798.00"));
    asked(",100,50,").advises("write 150.00 into a column \"Order Discount\" and 848.00");
    goes("COD", head, ",,150,848", Some("848.00"));
}

#[test]
fn the_rest_is_collected_where_a_person_has_said_so_and_the_amounts_agree() {
    let by = |columns: &[&str], payment: &str, more: &str, cells: &str| {
        let values = columns.iter().map(|own| format!("[values.\"{own}\"]\nrest = [\"*\"]\n"));
        let values = values.collect::<Vec<String>>().concat();
        imported_by(&format!("name = \"own\"\n{values}"), &two_at("499", payment, more, cells))
    };
    let both = ["Advance", "Balance"];
    for (columns, more, cells, due) in [
        (&both[..1], "Advance", "200", "798.00"),
        (&both[..1], "Advance,Balance", "200,798", "798.00"),
        (&both[1..], "Advance,Balance", "200,798", "798.00"),
        (&both, "Advance,Balance,Bill Total", "200,798,998", "798.00"),
        (&both[1..], "Balance", "798", "798.00"),
        // What the order has taken off already, or on top, stays.
        (&both, "Advance,Order Discount,Shipping Charges,Order Total", "200,48,50,1000", "800.00"),
        (&both, "Advance,Payment Status", "200,Partially paid", "798.00"),
        (&both[..1], "Advance", "", "998.00"),
        (&both[..1], "Advance", "0", "998.00"),
        // A rounding is no part payment, and the due is collected as it stands.
        (&both, "Balance,Shipping Charges", "998,0.40", "998.00"),
        (&both[..1], "Advance,Balance,Shipping Charges", "200,798,0.40", "798.00"),
        // Due and advance together are the order with charges that no field carries.
        (&both[..1], "Advance,Balance,COD Fee", "200,828,30", "828.00"),
        (&both, "Advance,Balance,COD Fee,Packing Charges", "200,838,30,10", "838.00"),
    ] {
        let came = by(columns, "COD", more, cells);
        let sent = came.goes();
        assert_eq!(collected(&sent), due, "{more} {cells} {came:?}");
        assert_eq!(sent["productRequestsList"][0]["price"], 499.0, "{came:?}");
    }
    came_with_notice(&by(&both, "COD", "Advance", "200"));
    for (columns, more, cells) in [
        // They contradict each other, or the order; a yes says no amount.
        (&both[..], "Advance,Balance", "200,700"),
        (&both[1..], "Advance,Balance", "200,700"),
        (&both[..1], "Advance,Order Total", "200,1100"),
        (&both, "Advance,Balance", "998,100"),
        (&both, "Advance,Order Total", "998,1100"),
        (&both[1..], "Balance", "0"),
        (&both, "Advance", "1200"),
        (&both, "Advance", "Yes"),
        (&both, "Balance", "1200"),
    ] {
        by(columns, "COD", more, cells).stays();
    }
    by(&both, "PREPAID", "Advance", "200").stays();
    by(&both, "PREPAID", "Advance", "998").goes();
    // Where nothing is left to collect, it goes as an order that is paid.
    for (more, cells) in [
        ("Advance", "998"),
        ("Advance,Balance", "998,0"),
        ("Advance,COD Amount,Order Total", "998,0,998"),
        ("Advance,Balance,COD Fee,Order Total", "1028,0,30,1028"),
    ] {
        let came = by(&both, "COD", more, cells);
        assert_eq!(came.goes()["shippingProperties"]["orderType"], "PREPAID", "{more} {cells} {came:?}");
        came.first("partly-paid").advises("correct the amount");
    }
}

#[test]
fn a_remark_that_its_order_is_paid_lets_it_go_as_paid_once_a_person_has_said_so() {
    let by = |profile: &str, payment: &str, more: &str, cells: &str| {
        imported_by(&format!("name = \"own\"\n{profile}"), &two_at("499", payment, more, cells))
    };
    let said = "[values.Remarks]\npaid = [\"already paid by gpay\"]\n";
    let held = by("", "COD", "Remarks", "already paid by gpay");
    held.stays();
    for (more, cells) in [("Remarks", "already paid by gpay"), ("Remarks,COD Amount", "Already paid by GPay,998")] {
        let came = by(said, "COD", more, cells);
        assert_eq!(came.goes()["shippingProperties"]["orderType"], "PREPAID", "{came:?}");
        let notice = &came.first("partly-paid").message;
        assert!(notice.to_lowercase().starts_with("its payment is cod, and \"already paid by gpay\""), "{notice}");
    }
    assert_eq!(by(said, "COD", "Remarks", "call before").goes()["shippingProperties"]["orderType"], "COD");
    // A status of the payment that contradicts how it is paid is no remark.
    by("[values.\"Payment Status\"]\npaid = [\"Recd\"]\n", "COD", "Payment Status", "Recd").stays();
}

#[track_caller]
fn came_with_notice(came: &Came) {
    let notice = came.first("partly-paid");
    assert_eq!(notice.message, "200.00 is paid already: 798.00 is collected, and what is paid goes as a discount");
}

#[test]
fn on_credit_an_order_goes_and_nothing_is_collected() {
    let by = |meaning: &str, more: &str, cells: &str| {
        let profile = format!("name = \"own\"\n[values.\"Payment Type\"]\n{meaning} = [\"NET 30\"]\n");
        imported_by(&profile, &two_at("499", "NET 30", more, cells))
    };
    for (more, cells) in [("Balance", "998"), ("Payment Status", "Unpaid"), ("Amount Paid", "0"), ("Advance", "200")] {
        let sent = by("on-credit", more, cells).goes();
        assert_eq!(sent["shippingProperties"]["orderType"], "PREPAID");
        by("paid", more, cells).stays();
    }
    // A cancelled one stays all the same.
    by("on-credit", "Order Status", "Cancelled").books(0, 0);
}
