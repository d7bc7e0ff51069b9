//! Columns of figures that may be money, under headers that say nothing of it: asked about once, where nothing else tells.

use crate::money::{Came, booked};
use crate::reduced::collected;
use crate::rig::{HEADER, row};

/// An order of two pieces at 499, 998 in all, with more columns.
fn of_998(payment: &str, more: &str, cells: &str, profile: Option<&str>) -> Came {
    let row = row("A-1").replace("499.90", "499").replace("PREPAID", payment);
    booked(&format!("{HEADER},{more}\n{row},{cells}\n"), profile)
}

/// That an order goes, and what it comes to.
#[track_caller]
fn goes(payment: &str, more: &str, cells: &str, amount: &str) {
    let (exit, problems, bodies) = of_998(payment, more, cells, None);
    assert!(exit == 0 && bodies.len() == 1, "{payment} {more} {cells}: {problems:#?}");
    assert_eq!(collected(&bodies[0]), amount, "{payment} {more} {cells}");
}

#[test]
fn figures_of_the_size_of_money_are_asked_about() {
    for header in ["Rakhi thing", "Lehnga", "Column 1", "Kharcha", "Jewar"] {
        for cell in ["120", "50", "1100", "99.50", "₹ 120", "200/-"] {
            let (exit, problems, bodies) = of_998("COD", header, cell, None);
            assert!(exit == 3 && bodies.is_empty(), "{header} {cell}: {problems:#?}");
            let problem = problems.iter().find(|problem| problem["severity"] == "error").unwrap();
            assert_eq!(problem["place"], format!("orders.csv:2 \"{header}\""));
            let hint = problem["hint"].as_str().unwrap();
            assert!(hint.contains(&format!("[check] ignore = [\"{header}\"]")), "{hint}");
        }
        // Each way out that the hint names leads to what is meant.
        let (exit, problems, bodies) = of_998("COD", header, "120", Some(&format!("ignore = [\"{header}\"]\n")));
        assert!(exit == 0 && collected(&bodies[0]) == "998.00", "{header}: {problems:#?}");
        for sum in ["998.00", "1118.00"] {
            let charge = if sum == "998.00" { "0" } else { "120" };
            goes("COD", &format!("{header},Other Charges,COD Amount"), &format!("120,{charge},{sum}"), sum);
        }
    }
    goes("COD", "Other Charges", "120", "1118.00");
    goes("COD", "Order Discount", "120", "878.00");
    let (_, problems, _) = of_998("COD", "Lehnga,Kharcha", "120,50", None);
    let hints: Vec<&str> = problems.iter().filter_map(|problem| problem["hint"].as_str()).collect();
    assert!(hints.iter().any(|hint| hint.contains("ignore = [\"Lehnga\", \"Kharcha\"]")), "{hints:?}");
}

#[test]
fn figures_of_other_things_are_not_asked_about() {
    for header in [
        "Stock",
        "Blouse Size",
        "Room",
        "Floor",
        "Serial",
        "Sr",
        "Roll",
        "Batch",
        "Age",
        "Chest",
        "Bin",
        "Distance",
        "Cost Price",
        "MRP",
        "Rank",
        "Boxes",
        "Year",
        "Waist (in)",
        "Margin",
        "Commission",
        "Token No",
        "Warranty months",
        "Reward Points Balance",
    ] {
        goes("COD", header, "120", "998.00");
    }
    for cell in
        ["38", "7", "12", "0", "2026", "5000", "873", "9876543210", "400064", "0120", "A-120", "120 cm", "12:30"]
    {
        goes("COD", "Lehnga", cell, "998.00");
    }
    goes("PREPAID", "Lehnga", "120", "998.00");
    goes("COD", "Lehnga,COD Amount", "120,998", "998.00");
    goes("COD", "Lehnga,Grand Total", "120,998", "998.00");
    goes("COD", "Lehnga,Total", "120,998", "998.00");
    goes("COD", "Lehnga", "", "998.00");
    // Numbers in a row are no money, though some of them are round.
    let rows: Vec<String> = (100..112)
        .map(|number| {
            let row = row(&format!("A-{number}")).replace("499.90", "499").replace("PREPAID", "COD");
            format!("{},{number}\n", row.replace("9876543210", &format!("9876543{number}")))
        })
        .collect();
    let (exit, problems, bodies) = booked(&format!("{HEADER},Slip\n{}", rows.concat()), None);
    assert!(exit == 0 && bodies.len() == 12, "{problems:#?}");
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
        let (exit, problems, _) = of_998("COD", header, cell, None);
        let held = problems.iter().find(|problem| problem["code"] == "total-differs" && problem["severity"] == "error");
        let hint = held.unwrap_or_else(|| panic!("{header}: {problems:#?}"))["hint"].as_str().unwrap().to_owned();
        assert!(exit == 3 && hint.contains(&format!("the header \"{named}\"")), "{hint}");
        goes("COD", named, cell, sum);
    }
}

#[test]
fn a_bill_beside_the_order_is_compared() {
    goes("COD", "Bill", "998", "998.00");
    for (cell, amount) in [("873", "998.00"), ("12", "998.00"), ("", "998.00")] {
        goes("COD", "Bill", cell, amount);
    }
    for cell in ["898", "1048", "898.00"] {
        let (exit, problems, bodies) = of_998("COD", "Bill", cell, None);
        assert!(exit == 3 && bodies.is_empty(), "{cell}: {problems:#?}");
    }
}
