//! Values that would be sent wrong without a word: marks of inches, lost letters, cells of other columns.

use rust_xlsxwriter::{Format, Workbook};
use serde_json::Value;

use crate::rig::{HEADER, Rig, row, sheet};

/// What an import came to: the exit code, the problems, the requests.
type Came = (i32, Vec<Value>, Vec<Value>);

/// Imports a file of the rig.
fn imported(rig: &Rig, arguments: &[&str]) -> Came {
    let (code, document) = rig.json(&[&["import"], arguments, &["--yes"]].concat());
    let bookings = rig.sandbox().book().bookings().into_iter();
    let bodies = bookings.map(|booking| serde_json::from_slice(&booking.body).unwrap()).collect();
    (code, document["problems"].as_array().unwrap().clone(), bodies)
}

fn csv(text: &str) -> Came {
    let rig = Rig::new();
    rig.file("orders.csv", text);
    imported(&rig, &["orders.csv"])
}

/// That nothing was sent, because of this code at this column.
#[track_caller]
fn held(came: &Came, code: &str, column: &str) {
    let (exit, problems, bodies) = came;
    assert!(*exit == 3 && bodies.is_empty(), "{column}: {problems:#?}");
    let errors: Vec<&Value> = problems.iter().filter(|problem| problem["severity"] == "error").collect();
    let told = |problem: &&Value| problem["place"].as_str().unwrap().ends_with(&format!("\"{column}\""));
    assert!(errors.len() == 1 && errors.iter().all(told), "{column}: {problems:#?}");
    assert_eq!(errors[0]["code"], code, "{column}: {problems:#?}");
}

#[test]
fn a_mark_of_inches_is_no_centimetre() {
    for mark in ["\"", "''", "\u{2033}", "'", "\u{201d}"] {
        let cell = format!("\"10{}\"", mark.replace('"', "\"\""));
        held(&csv(&sheet([row("A-1").replace(",30,20,", &format!(",{cell},20,"))])), "bad-number", "Length");
        held(&csv(&sheet([row("A-1").replace(",0.5,", &format!(",{cell},"))])), "bad-number", "Weight");
    }
    let (code, problems, bodies) = csv(&sheet([row("A-1").replace(",30,20,", ",'30,\"\"\"20\"\"\",")]));
    assert_eq!(code, 0, "{problems:#?}");
    let dimension = &bodies[0]["parcelAttributes"]["dimension"];
    assert_eq!((dimension["length"].as_f64(), dimension["width"].as_f64()), (Some(30.0), Some(20.0)));
}

#[test]
fn letters_that_are_lost_hold_their_order() {
    for lost in ["???? ??", "Asha ï¿½ Rao", "As?a"] {
        held(&csv(&sheet([row("A-1").replace("Asha", lost)])), "mojibake", "Receiver First Name");
        held(&csv(&sheet([row("A-1").replace("14 MG Road", lost)])), "mojibake", "Address Line 1");
    }
    held(&csv(&sheet([row("A-1").replace("Kurta", "??? ????")])), "mojibake", "Product Name");
    let (code, problems, _) = csv(&sheet([row("A-1").replace("Kurta", "Where is it? (game)")]));
    assert_eq!((code, problems.len()), (0, 0), "{problems:#?}");
}

#[test]
fn a_blank_cell_of_the_second_product_is_named() {
    let rig = Rig::new();
    rig.file(
        "own.toml",
        "[columns]\n\"productRequestsList.productName\" = \"Item {n}\"\n\"productRequestsList.price\" = \"Price \
         {n}\"\n\"productRequestsList.quantity\" = \"Qty {n}\"\n",
    );
    let header = HEADER.replace("Product Name,SKU,Price,Quantity", "Item 1,Price 1,Qty 1,Item 2,Price 2,Qty 2");
    for (cells, column) in [("Kurta,499,1,Scarf,300,", "Qty 2"), ("Kurta,499,1,,300,2", "Item 2")] {
        let text = format!("{header}\n{}\n", row("A-1").replace("Kurta,K-1,499.90,2", cells));
        rig.file("orders.csv", &text);
        held(&imported(&rig, &["orders.csv", "--profile", "own.toml"]), "missing-value", column);
    }
}

/// A workbook of one good order, with numbers under some headers, each in its format.
fn workbook(rig: &Rig, name: &str, numbers: &[(&str, f64, &str)]) {
    let mut book = Workbook::new();
    let sheet = book.add_worksheet();
    let row = row("A-1");
    for ((column, header), cell) in (0..).zip(HEADER.split(',')).zip(row.split(',')) {
        sheet.write_string(0, column, header).unwrap();
        match numbers.iter().find(|(wanted, ..)| *wanted == header) {
            Some((_, number, format)) => {
                let format = Format::new().set_num_format(*format);
                sheet.write_number_with_format(1, column, *number, &format).unwrap();
            }
            None => drop(sheet.write_string(1, column, cell).unwrap()),
        }
    }
    book.save(rig.path(name)).unwrap();
}

#[test]
fn whole_numbers_are_their_digits_whatever_decimals_show() {
    for format in ["0.00", "#,##0.00", "0.000"] {
        let rig = Rig::new();
        workbook(&rig, "orders.xlsx", &[("Receiver Phone", 9_876_543_210.0, format), ("PIN Code", 560_001.0, format)]);
        let (code, problems, bodies) = imported(&rig, &["orders.xlsx"]);
        assert_eq!(code, 0, "{problems:#?}");
        assert_eq!(bodies[0]["receiver"]["phoneNumber"], "9876543210");
        assert_eq!(bodies[0]["destination"]["pinCode"], "560001");
    }
}

#[test]
fn an_order_is_booked_once_whatever_format_its_number_has() {
    let rig = Rig::new();
    rig.file("orders.csv", &sheet([row("1001")]));
    assert_eq!(imported(&rig, &["orders.csv"]).0, 0);
    let accounting = "_(* #,##0.00_);_(* \\(#,##0.00\\);_(* \"-\"??_);_(@_)";
    for format in ["0.00", "#,##0.00", accounting, "$#,##0.00", "#,##0", "General"] {
        workbook(&rig, "again.xlsx", &[("Order Number", 1001.0, format)]);
        let (code, problems, bodies) = imported(&rig, &["again.xlsx"]);
        assert_eq!((code, bodies.len()), (0, 1), "{format}: {problems:#?}");
    }
    for cell in ["1001.00", "1001.000"] {
        rig.file("again.csv", &sheet([row(cell)]));
        let (code, problems, bodies) = imported(&rig, &["again.csv"]);
        assert_eq!((code, bodies.len()), (0, 1), "{problems:#?}");
        assert!(problems.iter().any(|problem| problem["code"] == "text-mark"), "{problems:#?}");
    }
    for cell in ["\"1,001\"", "\"1,001.00\""] {
        rig.file("again.csv", &sheet([row(cell)]));
        let (code, problems, bodies) = imported(&rig, &["again.csv"]);
        assert_eq!((code, bodies.len(), &problems[0]["code"]), (3, 1, &"ambiguous-number".into()), "{problems:#?}");
    }
    workbook(&rig, "other.xlsx", &[("Order Number", 1001.0, "000000")]);
    assert_eq!(imported(&rig, &["other.xlsx"]).2.len(), 2, "the zeros of a format make another number");
}
