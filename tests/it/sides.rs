//! Products side by side whose quantity or price stands once: what goes, and what is collected, is never a guess.

use crate::money::{Came, booked};
use crate::reduced::collected;

const WHO: &str =
    "Order No,Name,Phone,Address,City,State,Pincode,Country Code,Warehouse,Length,Width,Height,Weight,Payment";
const ROW: &str = "Z1,Asha Rao,9876543210,14 MG Road,Bengaluru,Karnataka,560001,IN,WH-1,20,15,10,0.5";

fn sheet(payment: &str, columns: &str, cells: &str) -> Came {
    booked(&format!("{WHO},{columns}\n{ROW},{payment},{cells}\n"), None)
}

/// What is sent: each product with its pieces and its price, and what is collected.
fn sent((code, problems, bodies): &Came) -> (String, String) {
    assert!(*code == 0 && bodies.len() == 1, "{problems:#?}");
    let lines = bodies[0]["productRequestsList"].as_array().unwrap();
    let line = |line: &serde_json::Value| {
        format!("{} {} x {}", line["productName"].as_str().unwrap(), line["quantity"], line["price"])
    };
    (lines.iter().map(line).collect::<Vec<_>>().join(", "), collected(&bodies[0]))
}

#[track_caller]
fn held(came: &Came, column: &str) -> String {
    let (code, problems, bodies) = came;
    assert!(*code == 3 && bodies.is_empty(), "{problems:#?}");
    let errors: Vec<_> = problems.iter().filter(|problem| problem["severity"] == "error").collect();
    assert_eq!(errors.len(), 1, "{problems:#?}");
    assert_eq!(errors[0]["place"], format!("orders.csv:2 \"{column}\""));
    errors[0]["hint"].as_str().unwrap().to_owned()
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
            "columns \"Quantity 2\" to \"Quantity 3\" and \"Price 2\" to \"Price 3\" ",
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
            let hint = held(&sheet(payment, columns, cells), column);
            assert!(hint.contains(told) && hint.contains(&format!("\"{column}\"")), "{columns}: {hint}");
        }
    }
    // A total of something else settles nothing.
    held(&sheet("COD", "Product 1,Price 1,Product 2,Price 2,Qty,Total", "Kurta,499,Bottle,450,2,700"), "Qty");
    held(&sheet("COD", "Product 1,Product 2,Qty,Price,Total", "Kurta,Bottle,2,499,998"), "Qty");
    held(&sheet("COD", "Product 1,Price 1,Product 2,Price 2,Qty,Total", "Kurta,499,Bottle,450,3,949"), "Qty");
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
        ("Product 1,Price 1,Product 2,Price 2,Qty,Total", "Kurta,499,Bottle,450,2,1898", each, "1898.00"),
        ("Product 1,Price 1,Product 2,Price 2,Qty,COD Amount", "Kurta,499,Bottle,450,2,1898", each, "1898.00"),
        ("Product 1,Price 1,Product 2,Price 2,Qty,Subtotal", "Kurta,499,Bottle,450,2,1898", each, "1898.00"),
        (
            "Product 1,Price 1,Product 2,Price 2,Qty,Shipping Charges,Order Total",
            "Kurta,499,Bottle,450,2,50,1948",
            each,
            "1948.00",
        ),
        ("Product 1,Price 1,Product 2,Price 2,Qty,Total", "Kurta,499,Bottle,450,2,949", one, "949.00"),
        ("Product 1,Price 1,Product 2,Price 2,Qty,Subtotal", "Kurta,499,Bottle,450,2,949", one, "949.00"),
        (
            "Product 1,Price 1,Product 2,Price 2,Qty,Shipping Charges,Order Total",
            "Kurta,499,Bottle,450,2,50,999",
            one,
            "999.00",
        ),
        (
            "Product 1,Product 2,Qty,Price,Total",
            "Kurta,Bottle,2,499,1996",
            "Kurta 2 x 499.0, Bottle 2 x 499.0",
            "1996.00",
        ),
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
    // What is taken by the total alone is said.
    let (_, problems, _) = sheet("COD", "Product 1,Price 1,Product 2,Price 2,Qty,Total", "Kurta,499,Bottle,450,2,949");
    assert!(problems.iter().any(|problem| problem["message"].as_str().unwrap().contains("one piece of each")));
}
