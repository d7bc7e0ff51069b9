//! Orders that were made up, from the cells of a sheet to the bytes that are sent, whatever the sheet's format.

use std::collections::BTreeMap;
use std::path::Path;

use rust_xlsxwriter::{ExcelDateTime, Format, Workbook};
use serde_json::value::RawValue;
use shipsheet::text::Decimal;

use crate::rig::Rig;
use crate::rig::size::{SEED, seed, times};
use crate::sheets::{COLUMNS, Cell, Leaf, MadeUp, Request, make_up};

const ORDERS: usize = 100;
const ROWS: usize = 250;

/// Promise 11: one order is the same request from every format of sheet.
#[test]
fn orders_are_the_same_bytes_from_every_format_and_round_trip() {
    let (seed, orders, rows) = (seed(SEED), times(ORDERS), times(ROWS));
    let made = make_up(seed, orders, rows);
    assert_eq!((made.requests.len(), made.rows.len()), (orders, rows));
    let text = bytes_of(&made, "orders.csv", write_csv);
    for (what, numbers) in [("cells of text", false), ("cells of numbers", true)] {
        let workbook = bytes_of(&made, "orders.xlsx", |made, path| write_xlsx(made, path, numbers));
        for (number, body) in &text {
            assert_eq!(Some(body), workbook.get(number), "order {number} from a workbook with {what}, seed {seed}");
        }
        assert_eq!(text.len(), workbook.len(), "{what}");
    }
    for (number, request) in &made.requests {
        let body = text.get(number).unwrap_or_else(|| panic!("order {number} was not booked, seed {seed}"));
        compare(number, request, body);
    }
}

/// Books a sheet on a sandbox of its own and gives the bodies that were sent.
fn bytes_of(made: &MadeUp, name: &str, write: impl Fn(&MadeUp, &Path)) -> BTreeMap<String, String> {
    let rig = Rig::new();
    write(made, &rig.path(name));
    let came = rig.import(&[name, "--concurrency", "16"]);
    let document = &came.exits(0).document;
    let (orders, lines) = (made.requests.len(), made.rows.len());
    let rows = serde_json::json!({"read": lines, "blank": 0, "skipped": 0, "in_orders": lines, "invalid": 0});
    assert_eq!((&document["rows"], &document["lines"]), (&rows, &lines.into()));
    assert_eq!(document["requests"], orders, "no order was sent twice, and none was left out");
    let bookings = rig.sandbox().book().bookings();
    bookings.into_iter().map(|booking| (booking.order_number, String::from_utf8(booking.body).unwrap())).collect()
}

fn write_csv(made: &MadeUp, path: &Path) {
    let mut writer = csv::Writer::from_path(path).unwrap();
    writer.write_record(COLUMNS.iter().map(|(header, _)| header)).unwrap();
    for row in &made.rows {
        writer.write_record(row.iter().map(Cell::text)).unwrap();
    }
    writer.flush().unwrap();
}

fn write_xlsx(made: &MadeUp, path: &Path, numbers: bool) {
    let mut workbook = Workbook::new();
    let sheet = workbook.add_worksheet();
    let date = Format::new().set_num_format("yyyy-mm-dd hh:mm:ss");
    for (column, (header, _)) in (0_u16..).zip(COLUMNS) {
        sheet.write_string(0, column, *header).unwrap();
    }
    for (number, row) in (1_u32..).zip(&made.rows) {
        for (column, cell) in (0_u16..).zip(row) {
            match cell {
                Cell::Blank => {}
                Cell::Number(text) if numbers => {
                    sheet.write_number(number, column, text.parse::<f64>().unwrap()).unwrap();
                }
                Cell::Date(_, at) if numbers => {
                    let excel = ExcelDateTime::parse_from_str(&at.strftime("%Y-%m-%dT%H:%M:%S").to_string()).unwrap();
                    sheet.write_with_format(number, column, &excel, &date).unwrap();
                }
                Cell::Text(text) | Cell::Number(text) | Cell::Date(text, _) => {
                    sheet.write_string(number, column, text).unwrap();
                }
            }
        }
    }
    workbook.save(path).unwrap();
}

/// Every value of the body is the one that the sheet's cells mean, and there is no other.
fn compare(number: &str, expected: &Request, body: &str) {
    // What it comes back to may be left out.
    let is_omitted =
        |(pointer, leaf): &(&String, &Leaf)| *pointer == "/returnAddressId" && **leaf == Leaf::Text(String::new());
    let expected: BTreeMap<&String, &Leaf> = expected.iter().filter(|entry| !is_omitted(entry)).collect();
    let mut found = BTreeMap::new();
    flatten(&serde_json::from_str::<Box<RawValue>>(body).unwrap(), "", &mut found);
    let there: Vec<&String> = expected.keys().copied().collect();
    assert_eq!(found.keys().collect::<Vec<_>>(), there, "order {number}");
    for (pointer, leaf) in expected {
        assert_eq!(&read(&found[pointer]), leaf, "order {number}: {pointer} is {}", found[pointer]);
    }
}

/// The values of a JSON text by their pointers, each as it is written.
fn flatten(raw: &RawValue, pointer: &str, found: &mut BTreeMap<String, String>) {
    match raw.get().as_bytes()[0] {
        b'{' => {
            for (name, value) in serde_json::from_str::<BTreeMap<String, Box<RawValue>>>(raw.get()).unwrap() {
                flatten(&value, &format!("{pointer}/{name}"), found);
            }
        }
        b'[' => {
            for (position, value) in serde_json::from_str::<Vec<Box<RawValue>>>(raw.get()).unwrap().iter().enumerate() {
                flatten(value, &format!("{pointer}/{position}"), found);
            }
        }
        _ => {
            found.insert(pointer.to_owned(), raw.get().to_owned());
        }
    }
}

/// A JSON value with exact digits.
fn read(raw: &str) -> Leaf {
    match raw {
        "null" => Leaf::Null,
        "true" | "false" => Leaf::Flag(raw == "true"),
        text if text.starts_with('"') => Leaf::Text(serde_json::from_str(text).unwrap()),
        number => Leaf::Number(Decimal::from_str_exact(number).unwrap()),
    }
}

#[test]
fn a_changed_digit_is_noticed() {
    let mut expected = Request::new();
    expected.insert("/price".to_owned(), Leaf::Number("499.90".parse().unwrap()));
    expected.insert("/lines/0/taxRate".to_owned(), Leaf::Text("18".to_owned()));
    compare("A", &expected, r#"{"price":499.90,"lines":[{"taxRate":"18"}]}"#);
    let wrong = [
        r#"{"price":499.9000001,"lines":[{"taxRate":"18"}]}"#,
        r#"{"price":"499.90","lines":[{"taxRate":"18"}]}"#,
        r#"{"price":499.90,"lines":[{"taxRate":18}]}"#,
        r#"{"price":499.90,"lines":[{"taxRate":"18"}],"more":null}"#,
    ];
    for body in wrong {
        let compared = std::panic::catch_unwind(|| compare("A", &expected, body));
        assert!(compared.is_err(), "{body}");
    }
}
