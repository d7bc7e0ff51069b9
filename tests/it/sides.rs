//! Products side by side whose quantity or price stands once: what goes, and what is collected, is never a guess.

use crate::rig::{Came, Problem, collected, imported};

const WHO: &str =
    "Order No,Name,Phone,Address,City,State,Pincode,Country Code,Warehouse,Length,Width,Height,Weight,Payment";
const ROW: &str = "Z1,Asha Rao,9876543210,14 MG Road,Bengaluru,Karnataka,560001,IN,WH-1,20,15,10,0.5";

fn sheet(payment: &str, columns: &str, cells: &str) -> Came {
    imported(&format!("{WHO},{columns}\n{ROW},{payment},{cells}\n"))
}

/// What is sent: each product with its pieces and its price, and what is collected.
fn sent(came: &Came) -> (String, String) {
    let request = came.goes();
    let lines = request["productRequestsList"].as_array().unwrap();
    let line = |line: &serde_json::Value| {
        format!("{} {} x {}", line["productName"].as_str().unwrap(), line["quantity"], line["price"])
    };
    (lines.iter().map(line).collect::<Vec<_>>().join(", "), collected(&request))
}

#[test]
fn what_stands_once_beside_several_products_is_asked() {
    // The columns, their cells, the cell in question, and the columns of the hint.
    let cases = [
        ("Product 1,Product 2,Qty,Price", "Kurta,Bottle,2,499", "Qty", "columns \"Quantity 2\" and \"Price 2\" "),
        ("Product 1,Product 2,Qty,Price", "Kurta,Bottle,1,499", "Price", "column \"Price 2\" "),
        ("Product 1,Qty 1,Price 1,Product 2,Qty 2", "Kurta,2,499,Bottle,1", "Price 1", "column \"Price 2\" "),
        ("Product 1,Qty 1,Price 1,Product 2,Price 2", "Kurta,2,499,Bottle,450", "Qty 1", "column \"Quantity 2\" "),
        ("Product 1,Price 1,Product 2,Price 2,Qty", "Kurta,499,Bottle,450,3", "Qty", "column \"Quantity 2\" "),
        (
            "Product 1,Product 2,Product 3,Qty,Price",
            "Kurta,Bottle,Mat,2,499",
            "Qty",
            "columns \"Quantity 2\", \"Quantity 3\", \"Price 2\" and \"Price 3\" ",
        ),
        (
            "Product 1,Qty 1,Price 1,Product 2,Qty 2,Price 2,Product Discount",
            "Kurta,2,499,Bottle,1,450,50",
            "Product Discount",
            "column \"Product Discount 2\" ",
        ),
    ];
    for (columns, cells, column, told) in cases {
        for payment in ["COD", "PREPAID"] {
            let came = sheet(payment, columns, cells);
            came.held_at("missing-column", column).is_at(2, column).advises(told).says(format!("\"{column}\""));
        }
    }
    // A total of something else settles nothing.
    sheet("COD", "Product 1,Price 1,Product 2,Price 2,Qty,Total", "Kurta,499,Bottle,450,2,700")
        .held_at("missing-column", "Qty")
        .is_at(2, "Qty");
    sheet("COD", "Product 1,Product 2,Qty,Price,Total", "Kurta,Bottle,2,499,998")
        .held_at("missing-column", "Qty")
        .is_at(2, "Qty");
    for cells in ["Kurta,499,Bottle,450,3,949", "Kurta,499,Bottle,450,2,949"] {
        sheet("COD", "Product 1,Price 1,Product 2,Price 2,Qty,Total", cells)
            .held_at("missing-column", "Qty")
            .is_at(2, "Qty");
    }
}

#[test]
fn the_hints_for_it_lead_to_what_is_meant() {
    let cases = [
        (
            "Product 1,Product 2,Qty,Price,Quantity 2,Price 2",
            "Kurta,Bottle,2,499,1,450",
            "Kurta 2 x 499.0, Bottle 1 x 450.0",
            "1448.00",
        ),
        (
            "Product 1,Qty 1,Price 1,Product 2,Qty 2,Price 2",
            "Kurta,2,499,Bottle,1,450",
            "Kurta 2 x 499.0, Bottle 1 x 450.0",
            "1448.00",
        ),
        (
            "Product 1,Price 1,Product 2,Price 2,Qty,Quantity 2",
            "Kurta,499,Bottle,450,1,1",
            "Kurta 1 x 499.0, Bottle 1 x 450.0",
            "949.00",
        ),
        (
            "Product 1,Product 2,Product 3,Qty,Price,Quantity 2,Quantity 3,Price 2,Price 3",
            "Kurta,Bottle,Mat,2,499,1,1,450,50",
            "Kurta 2 x 499.0, Bottle 1 x 450.0, Mat 1 x 50.0",
            "1498.00",
        ),
        (
            "Product 1,Qty 1,Price 1,Product 2,Qty 2,Price 2,Product Discount,Product Discount 2,COD Amount",
            "Kurta,2,499,Bottle,1,450,50,,1398",
            "Kurta 2 x 499.0, Bottle 1 x 450.0",
            "1398.00",
        ),
    ];
    for (columns, cells, lines, sum) in cases {
        let came = sheet("COD", columns, cells);
        assert_eq!(sent(&came), (lines.to_owned(), sum.to_owned()), "{columns}");
    }
}

#[test]
fn what_stands_once_and_is_beyond_doubt_goes() {
    let each = "Kurta 2 x 499.0, Bottle 2 x 450.0";
    let one = "Kurta 1 x 499.0, Bottle 1 x 450.0";
    let columns = "Product 1,Price 1,Product 2,Price 2,Qty";
    let cases = [
        (columns, "Kurta,499,Bottle,450,1", one, "949.00"),
        (columns, "Kurta,499,,,2", "Kurta 2 x 499.0", "998.00"),
        (
            "Product 1,Qty 1,Price 1,Product 2,Qty 2,Price 2,GST %,HSN Code",
            "Kurta,2,499,Bottle,2,450,5,61091000",
            each,
            "1898.00",
        ),
    ];
    for (columns, cells, lines, sum) in cases {
        let came = sheet("COD", columns, cells);
        assert_eq!(sent(&came), (lines.to_owned(), sum.to_owned()), "{columns} {cells}");
    }
}

/// An order of two rows, 998 in all, with a third one that repeats its number; and what its second cell asks for.
fn with_row(payment: &str, more: &str, (head, cells): (&str, &str)) -> Came {
    let blank = ",".repeat(13);
    let (comma, none) = if head.is_empty() { ("", String::new()) } else { (",", ",".repeat(head.split(',').count())) };
    let (one, two) = ("Kurta,1,499", "Bottle,1,499");
    let more = if more.is_empty() { String::new() } else { format!("Z1{blank},{more}{none}\n") };
    let text = format!(
        "{WHO},Product,Qty,Price{comma}{head}\n{ROW},{payment},{one}{comma}{cells}\nZ1{blank},{two}{none}\n{more}"
    );
    imported(&text)
}

/// That the third row holds its order; gives why.
#[track_caller]
fn no_product(came: &Came) -> Problem {
    let problem = came.held_at("missing-product", "Product");
    problem.is_at(4, "Product");
    problem
}

#[test]
fn a_row_of_a_sum_is_no_product_of_its_order() {
    // The row, and the columns that say what it means, with what is collected then.
    let cases = [
        ("Total,2,998", "", "", "998.00"),
        ("Grand Total,,998", "", "", "998.00"),
        ("Sub Total,1,998", "", "", "998.00"),
        ("Amount payable,1,998", "", "", "998.00"),
        ("Discount,1,100", "Order Discount", "100.00", "898.00"),
        ("Less: discount,,-100", "Order Discount", "100.00", "898.00"),
        ("Coupon SAVE10,1,100", "Order Discount", "100.00", "898.00"),
        ("Less advance,1,200", "Order Discount,COD Amount", "200.00,798.00", "798.00"),
        ("Shipping charges,1,50", "Shipping Charges", "50.00", "1048.00"),
        ("COD charges,1,30", "Other Charges", "30.00", "1028.00"),
        ("GST 5%,1,49.90", "Other Charges", "49.90", "1047.90"),
        ("Round off,1,-0.50", "Order Discount", "0.50", "997.50"),
    ];
    for (row, head, cells, sum) in cases {
        let told = no_product(&with_row("COD", row, ("", "")));
        told.advises_first("accept this to send it as a product").advises("delete its row");
        // Followed, it leads to what is meant.
        let came = with_row("COD", "", (head, cells));
        assert_eq!(sent(&came), ("Kurta 1 x 499.0, Bottle 1 x 499.0".to_owned(), sum.to_owned()), "{row}");
        no_product(&with_row("PREPAID", row, ("", "")));
    }
    // Several are told by the first.
    let several = format!("Discount,1,100\nZ1{},Total,2,898", ",".repeat(13));
    no_product(&with_row("COD", &several, ("", ""))).says("\"Discount\" (100.00)");
}

#[test]
fn products_with_words_of_money_go() {
    for name in
        ["Discount card", "Colgate Total", "Balance bike", "Gift voucher", "Shipping box", "Packing tape", "Disc"]
    {
        let (lines, sum) = sent(&with_row("COD", &format!("{name},1,100"), ("", "")));
        assert_eq!((lines, sum.as_str()), (format!("Kurta 1 x 499.0, Bottle 1 x 499.0, {name} 1 x 100.0"), "1098.00"));
    }
    // A code of its own is that of a product.
    let came = imported(&format!("{WHO},Product,Qty,Price,SKU\n{ROW},COD,Balance,1,499,BL-7\n"));
    assert_eq!(sent(&came).1, "499.00");
}

#[test]
fn products_may_be_columns_with_their_price_in_the_header() {
    let columns = "Mango box (₹450),Pickle 500 g @ Rs. 120.50/-,Ghee 1 L [₹650],Total";
    let boxes = |cells: &str| sheet("COD", columns, cells);
    let both = ("Mango box 2 x 450.0, Ghee 1 L 1 x 650.0".to_owned(), "1550.00".to_owned());
    assert_eq!(sent(&boxes("2,,1,1550")), both);
    assert_eq!(sent(&boxes("2,0,1,1550")), both);
    assert_eq!(sent(&boxes("2,-,1,1550")), both);
    assert_eq!(sent(&boxes(",3,,361.50")).0, "Pickle 500 g 3 x 120.5");
    boxes("2,,1,1550").warned("sheet-notice").says("\"Mango box (₹450)\"").says("are products");
    // A total that is not what the products come to holds as in any other sheet, and so does a number that nobody can read.
    boxes("2,,1,1700").held("total-differs");
    let two = |first: &str| {
        let other = ROW.replace("Z1", "Z2");
        imported(&format!("{WHO},{columns}\n{ROW},COD,{first},,1,1550\n{other},COD,1,,,450\n"))
    };
    assert_eq!(two("two").held_back()[0].2, "orders.csv:2 \"Mango box (₹450)\"");
    boxes(",,,").stays();
    // A row of sums below adds up pieces, and no prices.
    let other = ROW.replace("Z1", "Z2");
    let sums =
        format!("{WHO},{columns}\n{ROW},COD,2,,1,1550\n{other},COD,1,,,450\n{},3,,1,2000\n", "Total,,,,,,,,,,,,,");
    imported(&sums).books(0, 2).tells(2);
    // Beside a column that names the products, such headers are none.
    sheet("PREPAID", &format!("Item,Price,Qty,{columns}"), "Kurta,499,1,2,,1,").books(0, 1);
}
