//! Columns of figures that may be money, under headers that say nothing of it: asked about once, where nothing else tells.

use crate::rig::{HEADER, imported, imported_by, of_998, row, two_at};

#[test]
fn figures_of_the_size_of_money_are_asked_about() {
    for header in ["Rakhi thing", "Lehnga", "Column 1", "Kharcha", "Jewar"] {
        for cell in ["120", "50", "1100", "99.50", "₹ 120", "200/-"] {
            of_998("COD", header, cell)
                .held("total-differs")
                .is_at(2, header)
                .advises(format!("[check] ignore = [\"{header}\"]"));
        }
        // Each way out that the hint names leads to what is meant.
        let ignored = format!("ignore = [\"{header}\"]\n");
        imported_by(&ignored, &two_at("499", "COD", header, "120")).collects("998.00");
        for sum in ["998.00", "1118.00"] {
            let charge = if sum == "998.00" { "0" } else { "120" };
            of_998("COD", &format!("{header},Other Charges,COD Amount"), &format!("120,{charge},{sum}")).collects(sum);
        }
    }
    of_998("COD", "Other Charges", "120").collects("1118.00");
    of_998("COD", "Order Discount", "120").collects("878.00");
    let both = of_998("COD", "Lehnga,Kharcha", "120,50");
    assert!(both.problems.iter().any(|own| own.hint.contains("ignore = [\"Lehnga\"]")), "{both:?}");
}

#[test]
fn figures_of_other_things_are_not_asked_about() {
    for header in "Stock|Blouse Size|Room|Floor|Serial|Sr|Roll|Batch|Age|Chest|Bin|Distance|Cost Price|MRP|Rank|Boxes|\
         Year|Waist (in)|Margin|Commission|Token No|Warranty months|Reward Points Balance"
        .split('|')
    {
        of_998("COD", header, "120").collects("998.00");
    }
    for cell in
        ["38", "7", "12", "0", "2026", "5000", "873", "9876543210", "400064", "0120", "A-120", "120 cm", "12:30"]
    {
        of_998("COD", "Lehnga", cell).collects("998.00");
    }
    of_998("PREPAID", "Lehnga", "120").collects("998.00");
    of_998("COD", "Lehnga,COD Amount", "120,998").collects("998.00");
    of_998("COD", "Lehnga,Grand Total", "120,998").collects("998.00");
    of_998("COD", "Lehnga,Total", "120,998").collects("998.00");
    of_998("COD", "Lehnga", "").collects("998.00");
    // Numbers in a row are no money, though some of them are round.
    let rows: Vec<String> = (100..112)
        .map(|number| {
            let row = row(&format!("A-{number}")).replace("499.90", "499").replace("PREPAID", "COD");
            format!("{},{number}\n", row.replace("9876543210", &format!("9876543{number}")))
        })
        .collect();
    imported(&format!("{HEADER},Slip\n{}", rows.concat())).books(0, 12);
}

#[test]
fn charges_and_deductions_are_sent_by_a_header_that_says_so() {
    for (header, cell, named, sum) in [
        ("Coupon Discount", "100", "Order Discount", "898.00"),
        ("Points", "100", "Order Discount", "898.00"),
        ("Flat Off", "100", "Order Discount", "898.00"),
        ("COD Charges", "50", "Other Charges", "1048.00"),
        ("Gift Wrap", "50", "Other Charges", "1048.00"),
    ] {
        of_998("COD", header, cell).held("total-differs").advises(format!("the header \"{named}\""));
        of_998("COD", named, cell).collects(sum);
    }
}

#[test]
fn a_bill_beside_the_order_is_compared() {
    of_998("COD", "Bill", "998").collects("998.00");
    for (cell, amount) in [("873", "998.00"), ("12", "998.00"), ("", "998.00")] {
        of_998("COD", "Bill", cell).collects(amount);
    }
    for cell in ["898", "1048", "898.00"] {
        of_998("COD", "Bill", cell).stays();
    }
}
