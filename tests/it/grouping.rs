//! Rows in any order over several sheets become the orders that a naive model finds.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::PathBuf;

use jiff::Timestamp;
use proptest::prelude::*;
use proptest::sample::select;
use shipsheet::event::Stream;
use shipsheet::finding::{Finding, Id, RuleId, english};
use shipsheet::ledger::LedgerError;
use shipsheet::parse::ReadingSettings;
use shipsheet::profile::Profile;
use shipsheet::rule::RuleLevel;
use shipsheet::sheet::Options;
use shipsheet::stage::{Frozen, OpenOptions, OrderRows, Sink, gather, open};

use crate::rig::size::cases;

/// Fields of the order; the first four are needed.
const ORDER_FIELDS: &[&str] = &["Receiver First Name", "City", "Weight", "Warehouse", "Seller Note"];
const NEEDED: usize = 4;
/// Fields of the line, all needed.
const LINE_FIELDS: &[&str] = &["Product Name", "Price", "Quantity"];
/// What every order has anyway.
const FIXED: &[(&str, &str)] = &[
    ("receiver.phoneNumber", "9876543210"),
    ("destination.addressLine1", "14 MG Road"),
    ("destination.state", "Karnataka"),
    ("destination.countryCode", "IN"),
    ("destination.pinCode", "560001"),
    ("parcelAttributes.dimension.length", "10"),
    ("parcelAttributes.dimension.width", "10"),
    ("parcelAttributes.dimension.height", "10"),
    ("shippingProperties.orderType", "PREPAID"),
];

/// A row: order number, cells of the order, cells of the line; empty where blank.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Row {
    number: &'static str,
    order: Vec<&'static str>,
    line: Vec<&'static str>,
}

impl Row {
    fn is_blank(&self) -> bool {
        self.number.is_empty() && self.order.iter().chain(&self.line).all(|cell| cell.is_empty())
    }
}

/// A sheet: which columns it has, in which order, and its rows.
#[derive(Debug, Clone)]
struct Sheet {
    columns: Vec<usize>,
    rows: Vec<Row>,
}

/// What the sheets come to.
#[derive(Debug, Default, PartialEq, Eq)]
struct Outcome {
    /// Good orders by number: cells of the order, lines.
    good: BTreeMap<String, (Vec<String>, Vec<Vec<String>>)>,
    /// Orders that stay behind.
    bad: BTreeSet<String>,
    /// Orders in which two cells disagree.
    clashes: BTreeSet<String>,
    /// Orders that are another one, with its number spelled in another way.
    spelled: BTreeSet<String>,
    /// All orders in the order of their first rows.
    positions: Vec<String>,
    /// Rows: read, blank, in good orders, not, left out.
    rows: [u64; 5],
}

fn row() -> impl Strategy<Value = Row> {
    let number = select(&["A-1", "A-1", "B/2", "b/2", "1003", "नौ", "", "A-1"][..]);
    // Mostly one value, so that most orders are good.
    let cell = |blank: u32, one: &'static str, other: &'static str| prop_oneof![blank => Just(""), 30 => Just(one), 1 => Just(other)];
    let order = (cell(20, "Asha", "Ravi"), cell(20, "Pune", "Goa"), cell(20, "0.5", "2"), cell(20, "WH-1", "WH-2"), {
        cell(60, "Fragile", "Urgent")
    });
    let line = (cell(1, "Kurta", "Mug"), select(&["10", "20", "30.50"][..]), select(&["1", "2", "3"][..]));
    let filled = (number, order, line, 0_u8..30).prop_map(|(number, (a, b, c, d, e), (f, g, h), kind)| match kind {
        0 => Row { number: "", order: vec![""; ORDER_FIELDS.len()], line: vec![""; LINE_FIELDS.len()] },
        1 => Row { number, order: vec![a, b, c, d, e], line: vec![""; LINE_FIELDS.len()] },
        2 => Row { number, order: vec![a, b, c, d, e], line: vec![f, "", h] },
        _ => Row { number, order: vec![a, b, c, d, e], line: vec![f, g, h] },
    });
    filled.boxed()
}

fn sheet() -> impl Strategy<Value = Sheet> {
    let all: Vec<usize> = (0..=ORDER_FIELDS.len() + LINE_FIELDS.len()).collect();
    let columns = (Just(all).prop_shuffle(), prop::option::weighted(0.2, 1..=ORDER_FIELDS.len())).prop_map(
        |(mut columns, missing)| {
            columns.retain(|column| Some(*column) != missing);
            columns
        },
    );
    (columns, prop::collection::vec(row(), 1..14)).prop_map(|(columns, mut rows)| {
        // What has no column has no cell.
        for row in &mut rows {
            for field in 0..ORDER_FIELDS.len() {
                if !columns.contains(&(field + 1)) {
                    row.order[field] = "";
                }
            }
        }
        Sheet { columns, rows }
    })
}

/// Whether a row without an order number may be one more line of the order above it.
fn reads_on(row: &Row, sheet: usize, above: &[(usize, &Row)]) -> bool {
    let first = |field: usize| above.iter().map(|(_, row)| row.order[field]).find(|value| !value.is_empty());
    above.last().is_some_and(|(of, _)| *of == sheet)
        && row.line.iter().filter(|cell| !cell.is_empty()).count() >= 2
        && row.order.iter().enumerate().all(|(field, cell)| cell.is_empty() || first(field) == Some(cell))
}

/// Whether a row is the last of its sheet and holds nothing but the sums of the columns above, in hundredths, and perhaps a word.
fn is_of_sums(row: &Row, rows: &[Row]) -> bool {
    let filled: Vec<&Row> = rows.iter().filter(|row| !row.is_blank()).collect();
    let Some((last, above)) = filled.split_last().filter(|(last, _)| std::ptr::eq(**last, row)) else { return false };
    let cells = |row: &Row| -> Vec<&str> { row.order.iter().chain(&row.line).copied().collect() };
    let hundredths = |cell: &str| {
        let (whole, part) = cell.split_once('.').unwrap_or((cell, ""));
        format!("{whole}{part:0<2}").parse::<i64>().ok()
    };
    let sum = |column: usize| -> i64 { above.iter().filter_map(|row| hundredths(cells(row)[column])).sum() };
    let (figures, words): (Vec<_>, Vec<_>) = cells(last)
        .into_iter()
        .enumerate()
        .filter(|(_, cell)| !cell.is_empty())
        .partition(|(_, cell)| hundredths(cell).is_some());
    let is_label = |cell: &str| figures.len() > 1 && !cell.contains(char::is_numeric);
    let are_sums = figures.iter().all(|(column, cell)| hundredths(cell) == Some(sum(*column)));
    row.number.is_empty()
        && above.len() > 1
        && are_sums
        && words.len() < 2
        && words.iter().all(|(_, cell)| is_label(cell))
}

/// The model: everything in memory, one rule after another. Where one of two orders goes and either would be right, the one
/// in `told` stays.
fn model(sheets: &[Sheet], told: &BTreeSet<String>) -> Outcome {
    let mut outcome = Outcome::default();
    let mut orders: Vec<(&str, Vec<(usize, &Row)>)> = Vec::new();
    let mut held: BTreeSet<&str> = BTreeSet::new();
    // The order of the row above, where nothing stands between.
    let mut above: Option<usize> = None;
    for (number, row) in sheets.iter().enumerate().flat_map(|(n, sheet)| sheet.rows.iter().map(move |row| (n, row))) {
        outcome.rows[0] += 1;
        if row.is_blank() {
            outcome.rows[1] += 1;
        } else if is_of_sums(row, &sheets[number].rows) {
            outcome.rows[4] += 1;
        } else if row.number.is_empty() {
            above = above.filter(|index| reads_on(row, number, &orders[*index].1));
            if let Some(index) = above {
                held.insert(orders[index].0);
                orders[index].1.push((number, row));
            } else {
                outcome.rows[3] += 1;
            }
        } else if let Some(index) = orders.iter().position(|(order, _)| *order == row.number) {
            orders[index].1.push((number, row));
            above = Some(index);
        } else {
            orders.push((row.number, vec![(number, row)]));
            above = Some(orders.len() - 1);
        }
    }
    let mut sound: Vec<(&str, Vec<(usize, &Row)>)> = Vec::new();
    for (number, rows) in orders {
        outcome.positions.push(number.to_owned());
        let values = |field: usize| -> Vec<&str> {
            let mut values: Vec<&str> = rows.iter().map(|(_, row)| row.order[field]).collect();
            values.retain(|value| !value.is_empty());
            values
        };
        let clash = (0..ORDER_FIELDS.len()).any(|field| values(field).iter().any(|value| *value != values(field)[0]));
        let lacks = (0..NEEDED).any(|field| values(field).is_empty());
        let broken = rows.iter().any(|(_, row)| row.line.iter().any(|cell| cell.is_empty()));
        let is_doubled =
            |(sheet, row): &(usize, &Row)| rows.iter().any(|(other, same)| other != sheet && same.line == row.line);
        let doubled = rows.iter().any(is_doubled);
        if clash {
            outcome.clashes.insert(number.to_owned());
        }
        if clash || lacks || broken || doubled || held.contains(number) {
            outcome.bad.insert(number.to_owned());
            outcome.rows[3] += rows.len() as u64;
        } else {
            sound.push((number, rows));
        }
    }
    send(&sound, told, &mut outcome);
    outcome
}

/// What goes of the orders with which nothing is wrong.
fn send(sound: &[(&str, Vec<(usize, &Row)>)], told: &BTreeSet<String>, outcome: &mut Outcome) {
    for (number, rows) in sound {
        let twin = sound.iter().find(|(other, others)| is_spelled_otherwise((number, rows), (other, others)));
        // One of the two goes; which one depends on the rows that were read together, and does not matter.
        let stays = twin.is_some_and(|(twin, _)| match (told.contains(*number), told.contains(*twin)) {
            (one, other) if one == other => number > twin,
            (one, _) => one,
        });
        if stays {
            outcome.spelled.insert((*number).to_owned());
            outcome.bad.insert((*number).to_owned());
            outcome.rows[3] += rows.len() as u64;
            continue;
        }
        let first = |field: usize| rows.iter().map(|(_, row)| row.order[field]).find(|value| !value.is_empty());
        let own = (0..ORDER_FIELDS.len()).map(|field| first(field).unwrap_or("").to_owned());
        let lines = rows.iter().map(|(_, row)| row.line.iter().map(ToString::to_string).collect());
        outcome.good.insert((*number).to_owned(), (own.collect(), lines.collect()));
        outcome.rows[2] += rows.len() as u64;
    }
}

/// An order's number and rows.
type Grouped<'a> = (&'a str, &'a [(usize, &'a Row)]);

/// Whether two orders are of the same person with the same lines, under one number in two spellings. Of all numbers here,
/// two differ in case alone.
fn is_spelled_otherwise((number, rows): Grouped<'_>, (other, others): Grouped<'_>) -> bool {
    let content = |rows: Grouped<'_>| {
        let person = rows.1.iter().map(|(_, row)| row.order[0]).find(|name| !name.is_empty());
        let mut lines: Vec<Vec<&str>> = rows.1.iter().map(|(_, row)| row.line.clone()).collect();
        lines.sort();
        (person.map(str::to_owned), lines.concat().join("|"))
    };
    other != number && other.eq_ignore_ascii_case(number) && content((other, others)) == content((number, rows))
}

/// Writes down what comes out.
#[derive(Debug, Default)]
struct Notes {
    outcome: Outcome,
    positions: BTreeMap<u64, String>,
}

impl Sink for Notes {
    fn order(&mut self, frozen: &Frozen<'_>) -> Result<Vec<Finding>, LedgerError> {
        let order = frozen.order;
        let shipsheet::order::ShipFrom::Warehouse { warehouse_id, .. } = &order.placement else { panic!("{order:?}") };
        let weight = order.parcel.weight.to_string();
        let own = [
            order.receiver.first_name.as_str(),
            order.destination.city.as_str(),
            weight.as_str(),
            warehouse_id.as_str(),
            order.seller_note.as_str(),
        ];
        let lines = order.lines.iter();
        let lines =
            lines.map(|line| vec![line.product_name.to_string(), line.price.to_string(), line.quantity.to_string()]);
        let entry = (own.map(str::to_owned).to_vec(), lines.collect());
        let before = self.outcome.good.insert(order.number.to_string(), entry);
        assert!(before.is_none(), "order {} came twice", order.number);
        self.positions.insert(frozen.of.position, order.number.to_string());
        Ok(Vec::new())
    }

    fn invalid(&mut self, left: &OrderRows<'_>, problems: &[Finding]) -> Result<(), LedgerError> {
        assert!(!problems.is_empty(), "{left:?} stays behind and nobody says why");
        if let Some(number) = left.number {
            assert!(self.outcome.bad.insert(number.to_owned()), "order {number} came twice");
            self.positions.insert(left.position, number.to_owned());
            if problems.iter().any(|problem| problem.id == Id::OrderClash) {
                self.outcome.clashes.insert(number.to_owned());
            }
            if problems.iter().any(|problem| problem.id == Id::SameShipment && problem.holds()) {
                self.outcome.spelled.insert(number.to_owned());
            }
        }
        Ok(())
    }
}

/// The real thing, from files.
fn staged(sheets: &[Sheet], portion_bytes: Option<usize>) -> Outcome {
    let folder = crate::rig::folder();
    let mut paths: Vec<PathBuf> = Vec::new();
    for (number, sheet) in sheets.iter().enumerate() {
        let path = folder.path().join(format!("sheet-{number}.csv"));
        let mut writer = csv::Writer::from_path(&path).unwrap();
        // A column that nobody knows keeps two sheets with the same rows apart.
        let marker = format!("Remark {number}");
        let header = |column: &usize| match column {
            0 => "Order Number",
            column if *column <= ORDER_FIELDS.len() => ORDER_FIELDS[column - 1],
            column => LINE_FIELDS[column - 1 - ORDER_FIELDS.len()],
        };
        writer.write_record(sheet.columns.iter().map(header).chain([marker.as_str()])).unwrap();
        for row in &sheet.rows {
            let cell = |column: &usize| match column {
                0 => row.number,
                column if *column <= ORDER_FIELDS.len() => row.order[column - 1],
                column => row.line[column - 1 - ORDER_FIELDS.len()],
            };
            writer.write_record(sheet.columns.iter().map(cell).chain([""])).unwrap();
        }
        writer.flush().unwrap();
        paths.push(path);
    }
    let mut rules = ReadingSettings::new(Timestamp::now());
    for (path, value) in FIXED {
        rules.set_default(path, value).unwrap();
    }
    // To the model rows that say the same are two lines.
    rules.levels.given.push((RuleId::SameLine, RuleLevel::Warn));
    let sheet = Options { portion_bytes, ..Options::default() };
    let options =
        OpenOptions { paths, sheet, profile: None, answered: BTreeMap::new(), saved: Vec::new(), rules: rules.clone() };
    let opened = open(&options, &mut Stream::silent()).unwrap();
    let mut notes = Notes::default();
    let gathered = gather(&opened, &rules, &mut notes, &mut |_| (), &mut Stream::silent()).unwrap();
    let mut outcome = notes.outcome;
    outcome.positions = notes.positions.into_values().collect();
    let rows = gathered.rows;
    outcome.rows = [rows.read, rows.blank, rows.in_orders, rows.invalid, rows.skipped];
    assert_eq!(gathered.orders, (outcome.good.len() + outcome.bad.len()) as u64);
    outcome
}

proptest! {
    #![proptest_config(cases(76))]

    /// Promise 4: rows become the orders that a model finds, whatever portions a sheet is read in.
    #[test]
    fn rows_become_the_orders_that_the_model_finds(
        sheets in prop::collection::vec(sheet(), 1..=3),
        // From one row at a time to all at once: orders begin and end amid portions.
        portion_bytes in select(&[None, Some(1), Some(100), Some(150), Some(200), Some(300)][..]),
    ) {
        let outcome = staged(&sheets, portion_bytes);
        let model = model(&sheets, &outcome.spelled);
        prop_assert_eq!(outcome, model);
    }
}

/// A complete row of one order.
fn whole(number: &'static str, product: &'static str) -> Row {
    Row { number, order: vec!["Asha", "Pune", "0.5", "WH-1", ""], line: vec![product, "10", "1"] }
}

#[test]
fn a_number_in_other_letters_is_held_back_by_the_model_as_well() {
    let columns: Vec<usize> = (0..=ORDER_FIELDS.len() + LINE_FIELDS.len()).collect();
    for (rows, held) in [
        (vec![whole("B/2", "Kurta"), whole("b/2", "Kurta")], 1),
        (vec![whole("B/2", "Kurta"), whole("b/2", "Mug")], 0),
        (vec![whole("B/2", "Kurta"), whole("b/2", "Mug"), whole("b/2", "Kurta"), whole("B/2", "Mug")], 1),
    ] {
        for portion_bytes in [None, Some(1), Some(100)] {
            let sheets = [Sheet { columns: columns.clone(), rows: rows.clone() }];
            let outcome = staged(&sheets, portion_bytes);
            assert_eq!(outcome, model(&sheets, &outcome.spelled), "{rows:?} {portion_bytes:?}");
            assert_eq!((outcome.spelled.len(), outcome.good.len()), (held, 2 - held));
        }
    }
}

#[test]
fn a_last_row_of_sums_is_left_out_by_the_model_as_well() {
    let columns: Vec<usize> = (0..=ORDER_FIELDS.len() + LINE_FIELDS.len()).collect();
    let last = |line: [&'static str; 3]| Row { number: "", order: vec![""; ORDER_FIELDS.len()], line: line.to_vec() };
    for (sums, left_out) in [(last(["", "", "2"]), 1), (last(["", "20", "2"]), 1), (last(["", "", "3"]), 0)] {
        let rows = vec![whole("A-1", "Kurta"), whole("1003", "Mug"), sums, last(["", "", ""])];
        let sheets = [Sheet { columns: columns.clone(), rows }];
        let outcome = staged(&sheets, None);
        assert_eq!(outcome, model(&sheets, &BTreeSet::new()));
        assert_eq!(outcome.rows[4], left_out);
    }
}

#[test]
fn the_made_up_sheets_have_good_orders_and_every_fault() {
    use proptest::strategy::ValueTree;
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let strategy = prop::collection::vec(sheet(), 1..=3);
    let (mut good, mut spread, mut clashes, mut other) = (0, 0, 0, 0);
    for _ in 0..200 {
        let outcome = model(&strategy.new_tree(&mut runner).unwrap().current(), &BTreeSet::new());
        good += outcome.good.len();
        spread += outcome.good.values().filter(|(_, lines)| lines.len() > 2).count();
        clashes += outcome.clashes.len();
        other += outcome.bad.len() - outcome.clashes.len();
    }
    assert!(good > 150 && spread > 30 && clashes > 100 && other > 100, "{good} {spread} {clashes} {other}");
}

/// A profile that carries the order number and the decision to leave an order out from row to row.
const CARRYING: &str = r#"
name = "carrying"
recognised_by = ["No", "State"]
fill_down = true

[columns]
orderNumber = "No"
"receiver.firstName" = "First"
"destination.city" = "City"
"parcelAttributes.weight.weight" = "Weight"
warehouseId = "WH"
"productRequestsList.productName" = "Product"
"productRequestsList.price" = "Price"
"productRequestsList.quantity" = "Pieces"

[[skip]]
column = "State"
is = ["cancelled"]
because = "the order is cancelled"
"#;

/// Rows of such a sheet: number, state, whether the order's own cells are filled, product, price.
type Carried = (&'static str, &'static str, bool, &'static str, &'static str);

fn carried(rows: &[Carried], portion_bytes: Option<usize>) -> (Outcome, u64, Vec<String>) {
    let folder = crate::rig::folder();
    let path = folder.path().join("sheet.csv");
    let mut text = "No,State,First,City,Weight,WH,Product,Price,Pieces\n".to_owned();
    for (number, state, own, product, price) in rows {
        let own = if *own { "Asha,Pune,0.5,WH-1" } else { ",,," };
        writeln!(text, "{number},{state},{own},{product},{price},1").unwrap();
    }
    std::fs::write(&path, text).unwrap();
    let mut rules = ReadingSettings::new(Timestamp::now());
    for (path, value) in FIXED {
        rules.set_default(path, value).unwrap();
    }
    let options = OpenOptions {
        paths: vec![path],
        sheet: Options { portion_bytes, ..Options::default() },
        profile: Some(Profile::parse("carrying", CARRYING).unwrap()),
        answered: BTreeMap::new(),
        saved: Vec::new(),
        rules: rules.clone(),
    };
    let opened = open(&options, &mut Stream::silent()).unwrap();
    let (mut notes, mut said) = (Notes::default(), Vec::new());
    let mut say =
        |problem: &Finding| said.push(format!("{:?} {} {}", problem.place, problem.id, english::message(problem)));
    let gathered = gather(&opened, &rules, &mut notes, &mut say, &mut Stream::silent()).unwrap();
    let mut outcome = notes.outcome;
    outcome.positions = notes.positions.into_values().collect();
    let rows = gathered.rows;
    outcome.rows = [rows.read, rows.blank, rows.in_orders, rows.invalid, rows.skipped];
    said.sort();
    (outcome, rows.skipped, said)
}

proptest! {
    #![proptest_config(cases(25))]

    #[test]
    fn what_a_profile_carries_from_row_to_row_goes_over_portions(
        rows in prop::collection::vec((
            select(&["A-1", "A-1", "B-2", "C-3", "", "", ""][..]),
            select(&["paid", "cancelled", "", "", ""][..]),
            any::<bool>(),
            select(&["Kurta", "Mug", "Pen", ""][..]),
            select(&["10", "20", "1,5"][..]),
        ), 1..30),
        portion_bytes in select(&[1, 50, 100, 200, 400][..]),
    ) {
        prop_assert_eq!(carried(&rows, Some(portion_bytes)), carried(&rows, None));
    }
}

#[test]
fn orders_whose_rows_are_far_apart_keep_every_line() {
    // More than wait in memory at a time.
    let numbers: Vec<&'static str> = (1..=10_500).map(|number| &*format!("N-{number}").leak()).collect();
    let first = numbers.iter().map(|number| (*number, "paid", true, "Kurta", "10"));
    let second = numbers.iter().rev().map(|number| (*number, "paid", false, "Mug", "20"));
    let (outcome, skipped, _) = carried(&first.chain(second).collect::<Vec<_>>(), None);
    assert!(outcome.positions == numbers && skipped == 0, "{skipped} {:?}", outcome.positions);
    let lines = |(_, lines): &(Vec<String>, Vec<Vec<String>>)| lines.concat().join(" ") == "Kurta 10 1 Mug 20 1";
    assert!(outcome.good.len() == numbers.len() && outcome.good.values().all(lines), "{:?}", outcome.bad);
}
