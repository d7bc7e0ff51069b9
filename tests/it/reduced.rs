//! Discounts and charges that the prices may have in them already: what is collected is what the sheet itself confirms.

use crate::rig::{HEADER, cod_998, imported, imported_by, row, two_at};

#[test]
fn a_total_of_the_products_alone_confirms_no_discount_and_no_charges() {
    let whole = ["Invoice Value", "Net Amount", "Bill Amount", "Order Amount", "Total Amount", "Order Value", "Amount"];
    let unclear = ["Total", "Value", "Total Price", "Total Value"];
    for (change, cell, sum) in [("Discount", "300", "698.00"), ("Shipping", "50", "1048.00")] {
        for header in whole.into_iter().chain(unclear) {
            let problem = cod_998(&format!("{change},{header}"), &format!("{cell},998")).held("total-differs");
            problem.is_at(2, header);
            problem.says("998.00").says(sum).says(format!("what \"{change}\" says")).advises(sum);
            problem.advises(format!("ignore = [\"{header}\"]")).advises("\"Line Total\"");
            // Each way out leads to a booked order.
            cod_998(&format!("{change},{header}"), ",998").collects("998.00").tells(0);
            cod_998(&format!("{change},{header},COD Amount"), &format!("{cell},998,{sum}")).collects(sum).tells(0);
            cod_998(&format!("{change},Line Total"), &format!("{cell},998")).collects(sum).tells(0);
            let profile = format!("ignore = [\"{header}\"]\n");
            let text = two_at("499", "COD", &format!("{change},{header}"), &format!("{cell},998"));
            imported_by(&profile, &text).collects(sum);
            cod_998(&format!("{change},{header}"), &format!("{cell},{sum}")).collects(sum).tells(0);
        }
        for header in ["Line Total", "Item Total", "Sub Total", "Product Total"] {
            cod_998(&format!("{change},{header}"), &format!("{cell},998")).collects(sum).tells(0);
        }
    }
    cod_998("Item Discount,Total", "50,998").held("total-differs");
    cod_998("Item Discount,Total", "50,948").collects("948.00").tells(0);
    cod_998("Item Discount", "50").collects("948.00").tells(1);
    // Where the sheet says what is due in words that leave no doubt, another total is pointed out.
    cod_998("Total,Grand Total", "950.48,998").collects("998.00").tells(1);
    // Discounts of the rows are no one discount of the order.
    let line = |price: &str, sku: &str, more: &str| {
        let row = row("A-1").replace("499.90", price).replace("K-1", sku).replace("PREPAID", "COD");
        format!("{row},{more}\n")
    };
    let rows = [line("499", "K-1", "20,978"), line("300", "K-2", "10,590")].concat();
    imported(&format!("{HEADER},Discount,Total\n{rows}")).held_first("order-clash").advises("Item Discount");
    imported(&format!("{HEADER},Item Discount,Total\n{rows}")).collects("1568.00");
    // Totals of an order of several rows are those of each row.
    let rows = [line("499", "K-1", "50,998"), line("300", "K-2", "50,600")].concat();
    imported(&format!("{HEADER},Shipping,Total\n{rows}")).collects("1648.00");
}

#[test]
fn a_discount_that_the_list_price_explains_is_asked_about() {
    for (cells, total) in [("799,300", "998"), ("799,600", "998"), ("799,300", "998.00")] {
        for header in ["Discount", "Item Discount", "Order Discount"] {
            cod_998(&format!("MRP,{header},Total"), &format!("{cells},{total}")).held("total-differs");
            cod_998(&format!("MRP,{header}"), cells).held("total-differs");
            cod_998(&format!("Original Price,{header}"), cells).held("total-differs");
        }
    }
    cod_998("MRP,Discount,Total", "799,300,698").collects("698.00");
    cod_998("MRP,Discount", "799,100").collects("898.00");
}

#[test]
fn a_discount_from_the_list_price_may_be_that_of_each_piece() {
    let with = |discount: &str, cells: &str, more: &str| {
        let row = row("A-1").replace("499.90", "999").replace("PREPAID", "COD");
        imported(&format!("{HEADER},{discount}{more}\n{row},{cells}\n").replace(",Price,", ",MRP,"))
    };
    for (discount, cells, more, sum) in [
        ("Order Discount", "500", "", "1498.00"),
        ("Discount per Piece", "500", "", "998.00"),
        ("Discount", "500,1498", ",COD Amount", "1498.00"),
        ("Discount", "0", "", "1998.00"),
    ] {
        with(discount, cells, more).collects(sum);
    }
    with("Discount", "500,998", ",COD Amount").held("total-differs");
    cod_998("Discount,Total", "50,898").held("total-differs");
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
        let with = |more: &str, cells: &str| cod_998(&format!("{header}{more}"), &format!("{cell}{cells}"));
        with("", "").held("total-differs").is_at(2, header).says("898.20");
        with(",Total", ",998").held("total-differs");
        for (more, cells, sum) in [
            (",Total", ",898.20", "898.20"),
            (",COD Amount", ",898.2", "898.20"),
            (",COD Amount", ",998", "998.00"),
            (",Invoice Value", ",998", "998.00"),
        ] {
            let came = with(more, cells);
            let codes = came.collects(sum).codes();
            let is_told = |code: &&str| ["unknown-column", "sheet-notice", "total-differs"].contains(code);
            assert!(codes.iter().all(is_told), "{came:?}");
        }
        // The price is 10 % below the list price.
        with(",MRP", ",554.45").collects("998.00");
    }
    for header in ["Discount Type", "Disc Type", "Discount Unit", "Discount In"] {
        for word in ["Percent", "%", "Percentage", "in percent"] {
            let with =
                |more: &str, cells: &str| cod_998(&format!("Discount,{header}{more}"), &format!("10,{word}{cells}"));
            with("", "").held("total-differs").says("898.20");
            for (total, sum) in [("898.20", "898.20"), ("998", "998.00")] {
                with(",COD Amount", &format!(",{total}")).collects(sum);
            }
        }
        cod_998(&format!("Discount,{header}"), "99.80,").collects("898.20").tells(0);
        for word in ["Flat", "Fixed", "Amount", "Rs", "Coupon", "Diwali"] {
            cod_998(&format!("Discount,{header}"), &format!("10,{word}")).collects("988.00").tells(0);
        }
        cod_998(&format!("Discount,{header}"), "300,Percent").collects("698.00").tells(0);
        cod_998(&format!("Discount,{header}"), ",Percent").collects("998.00").tells(0);
    }
    cod_998("Discount %", "0").collects("998.00").tells(0);
    cod_998("Discount %,Total", "0.1,898.20").collects("898.20").only("total-differs");
    cod_998("Discount %", "0.1").held("total-differs");
    cod_998("Discount %", "10 or 12").held("total-differs");
    cod_998("Discount %", "none").collects("998.00").tells(0);
    cod_998("Discount %", "").collects("998.00").tells(0);
    cod_998("Discount %,Order Discount", ",99.80").collects("898.20");
}
