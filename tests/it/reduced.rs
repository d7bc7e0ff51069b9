//! Discounts and charges that the prices may have in them already: what is collected is what the sheet itself confirms.

use serde_json::Value;

use crate::money::{Came, booked, held};
use crate::rig::{HEADER, row};

/// A COD order of two pieces at 499, 998 in all, with more columns.
fn of_998(more: &str, cells: &str) -> Came {
    let row = row("A-1").replace("499.90", "499").replace("PREPAID", "COD");
    booked(&format!("{HEADER},{more}\n{row},{cells}\n"), None)
}

/// What is collected at the door, to the cent.
pub(crate) fn collected(body: &Value) -> String {
    let amounts = &body["shippingProperties"];
    let of = |name: &str| amounts[name].as_f64().unwrap();
    format!("{:.2}", of("subTotal") + of("shippingCharges") + of("otherCharges") - of("discount"))
}

/// That the order goes, what is collected, and how many warnings there are.
#[track_caller]
fn collects(more: &str, cells: &str, amount: &str, warnings: usize) {
    let (code, problems, bodies) = of_998(more, cells);
    assert!(code == 0 && bodies.len() == 1, "{more} {cells}: {problems:#?}");
    assert_eq!((collected(&bodies[0]).as_str(), problems.len()), (amount, warnings), "{more} {cells}: {problems:#?}");
}

#[test]
fn a_total_of_the_products_alone_confirms_no_discount_and_no_charges() {
    let whole = ["Invoice Value", "Net Amount", "Bill Amount", "Order Amount", "Total Amount", "Order Value", "Amount"];
    let unclear = ["Total", "Value", "Total Price", "Total Value"];
    for (change, cell, sum) in [("Discount", "300", "698.00"), ("Shipping", "50", "1048.00")] {
        for header in whole.into_iter().chain(unclear) {
            let problem = held(&of_998(&format!("{change},{header}"), &format!("{cell},998")), "total-differs");
            assert_eq!(problem["place"], format!("orders.csv:2 \"{header}\""));
            let (message, hint) = (problem["message"].as_str().unwrap(), problem["hint"].as_str().unwrap());
            assert!(message.contains("998.00") && message.contains(sum), "{message}");
            assert!(hint.contains(&format!("empty \"{change}\"")) && hint.contains(sum), "{hint}");
            assert!(hint.contains(&format!("ignore = [\"{header}\"]")) && hint.contains("\"Line Total\""), "{hint}");
            // Each way out leads to a booked order.
            collects(&format!("{change},{header}"), ",998", "998.00", 0);
            collects(&format!("{change},{header},COD Amount"), &format!("{cell},998,{sum}"), sum, 0);
            collects(&format!("{change},Line Total"), &format!("{cell},998"), sum, 0);
            let profile = format!("ignore = [\"{header}\"]\n");
            let row = row("A-1").replace("499.90", "499").replace("PREPAID", "COD");
            let came = booked(&format!("{HEADER},{change},{header}\n{row},{cell},998\n"), Some(&profile));
            assert!(came.0 == 0 && collected(&came.2[0]) == sum, "{came:#?}");
            collects(&format!("{change},{header}"), &format!("{cell},{sum}"), sum, 0);
        }
        for header in ["Line Total", "Item Total", "Sub Total", "Product Total"] {
            let (code, problems, bodies) = of_998(&format!("{change},{header}"), &format!("{cell},998"));
            assert_eq!((code, problems.len()), (0, 0), "{header}: {problems:#?}");
            assert_eq!(collected(&bodies[0]), sum);
        }
    }
    held(&of_998("Item Discount,Total", "50,998"), "total-differs");
    collects("Item Discount,Total", "50,948", "948.00", 0);
    collects("Item Discount", "50", "948.00", 1);
    // Where the sheet says what is due in words that leave no doubt, another total is pointed out.
    collects("Total,Grand Total", "950.48,998", "998.00", 1);
    // Discounts of the rows are no one discount of the order.
    let line = |price: &str, sku: &str, more: &str| {
        let row = row("A-1").replace("499.90", price).replace("K-1", sku).replace("PREPAID", "COD");
        format!("{row},{more}\n")
    };
    let rows = [line("499", "K-1", "20,978"), line("300", "K-2", "10,590")].concat();
    let hint = held(&booked(&format!("{HEADER},Discount,Total\n{rows}"), None), "order-clash")["hint"].to_string();
    assert!(hint.contains("Item Discount"), "{hint}");
    let (code, problems, bodies) = booked(&format!("{HEADER},Item Discount,Total\n{rows}"), None);
    assert!(code == 0 && collected(&bodies[0]) == "1568.00", "{problems:#?}");
    // Totals of an order of several rows are those of each row.
    let rows = [line("499", "K-1", "50,998"), line("300", "K-2", "50,600")].concat();
    let (code, problems, bodies) = booked(&format!("{HEADER},Shipping,Total\n{rows}"), None);
    assert!(code == 0 && collected(&bodies[0]) == "1648.00", "{problems:#?}");
}

#[test]
fn a_discount_that_the_list_price_explains_is_in_the_price() {
    for (cells, total) in [("799,300", "998"), ("799,600", "998"), ("799,300", "998.00")] {
        for header in ["Discount", "Item Discount", "Order Discount"] {
            let (code, problems, bodies) = of_998(&format!("MRP,{header},Total"), &format!("{cells},{total}"));
            assert_eq!(code, 0, "{header} {cells}: {problems:#?}");
            assert_eq!(collected(&bodies[0]), "998.00", "{header} {cells}");
            let told = problems.iter().filter(|problem| problem["code"] == "total-differs").count();
            assert_eq!(told, 1, "{problems:#?}");
            held(&of_998(&format!("MRP,{header}"), cells), "total-differs");
            held(&of_998(&format!("Original Price,{header}"), cells), "total-differs");
        }
    }
    let (code, problems, bodies) = of_998("MRP,Discount,Total", "799,300,698");
    assert!(code == 0 && collected(&bodies[0]) == "698.00", "{problems:#?}");
    let (code, problems, bodies) = of_998("MRP,Discount", "799,100");
    assert!(code == 0 && collected(&bodies[0]) == "898.00", "another discount: {problems:#?}");
}

#[test]
fn a_discount_from_the_list_price_may_be_that_of_each_piece() {
    let with = |discount: &str, cells: &str, more: &str| {
        let row = row("A-1").replace("499.90", "999").replace("PREPAID", "COD");
        booked(&format!("{HEADER},{discount}{more}\n{row},{cells}\n").replace(",Price,", ",MRP,"), None)
    };
    let hint = held(&with("Discount", "500", ""), "total-differs")["hint"].to_string();
    assert!(hint.contains("Order Discount") && hint.contains("Discount per Piece"), "{hint}");
    for (discount, cells, more, sum) in [
        ("Order Discount", "500", "", "1498.00"),
        ("Discount per Piece", "500", "", "998.00"),
        ("Discount", "500,998", ",COD Amount", "998.00"),
        ("Discount", "500,1498", ",COD Amount", "1498.00"),
        ("Discount", "500,998", ",Total", "998.00"),
        ("Discount", "0", "", "1998.00"),
    ] {
        let (code, problems, bodies) = with(discount, cells, more);
        assert!(code == 0 && collected(&bodies[0]) == sum, "{discount} {cells}: {problems:#?}");
    }
    collects("Discount,Total", "50,898", "898.00", 0);
    held(&of_998("Discount,Total", "50,888"), "total-differs");
}

#[test]
fn a_discount_in_percent_is_taken_off_only_where_a_total_says_so() {
    for (header, cell) in [
        ("Discount %", "10"),
        ("Discount (%)", "10"),
        ("Discount Percent", "10"),
        ("Item Discount %", "10%"),
        ("Disc %", "10"),
        ("Off %", "10"),
        ("Disc", "10%"),
        ("Discount", "10%"),
        ("Line Discount", "10%"),
        ("Offer", "10%"),
    ] {
        let with = |more: &str, cells: &str| of_998(&format!("{header}{more}"), &format!("{cell}{cells}"));
        let problem = held(&with("", ""), "bad-unit");
        assert_eq!(problem["place"], format!("orders.csv:2 \"{header}\""));
        assert!(problem["hint"].as_str().unwrap().contains("99.80"), "{problem}");
        held(&with(",Total", ",998"), "bad-unit");
        for (more, cells, sum) in [
            (",Total", ",898.20", "898.20"),
            (",COD Amount", ",898.2", "898.20"),
            (",COD Amount", ",998", "998.00"),
            (",Invoice Value", ",998", "998.00"),
        ] {
            let (code, problems, bodies) = with(more, cells);
            let silent = problems.iter().all(|problem| problem["code"] == "unknown-column");
            assert!(code == 0 && silent, "{header}{more}: {problems:#?}");
            assert_eq!(collected(&bodies[0]), sum, "{header}{more}");
        }
        let (code, problems, bodies) = with(",MRP", ",554.45");
        assert_eq!(code, 0, "{header}: {problems:#?}");
        assert_eq!(collected(&bodies[0]), "998.00", "the price is 10 % below the list price");
    }
    for header in ["Discount Type", "Disc Type", "Discount Unit", "Discount In"] {
        for word in ["Percent", "%", "Percentage", "in percent"] {
            let with =
                |more: &str, cells: &str| of_998(&format!("Discount,{header}{more}"), &format!("10,{word}{cells}"));
            let hint = held(&with("", ""), "bad-unit")["hint"].to_string();
            assert!(hint.contains("write 99.80 here") && hint.contains(&format!("empty \\\"{header}\\\"")), "{hint}");
            for (total, sum) in [("898.20", "898.20"), ("988", "988.00"), ("998", "998.00")] {
                let (code, problems, bodies) = with(",COD Amount", &format!(",{total}"));
                assert!(code == 0 && collected(&bodies[0]) == sum, "{header} {word} {total}: {problems:#?}");
            }
        }
        collects(&format!("Discount,{header}"), "99.80,", "898.20", 0);
        for word in ["Flat", "Fixed", "Amount", "Rs", "Coupon", "Diwali"] {
            collects(&format!("Discount,{header}"), &format!("10,{word}"), "988.00", 0);
        }
        collects(&format!("Discount,{header}"), "300,Percent", "698.00", 0);
        collects(&format!("Discount,{header}"), ",Percent", "998.00", 0);
    }
    collects("Discount %", "0", "998.00", 0);
    collects("Discount %,Total", "0.1,898.20", "898.20", 0);
    held(&of_998("Discount %", "0.1"), "bad-unit");
    held(&of_998("Discount %", "10 or 12"), "bad-unit");
    collects("Discount %", "none", "998.00", 0);
    collects("Discount %", "", "998.00", 0);
    let (code, problems, bodies) = of_998("Discount %,Order Discount", ",99.80");
    assert!(code == 0 && collected(&bodies[0]) == "898.20", "{problems:#?}");
}
