//! Judged sheets come to what a careful clerk would do with them, at least as often as they do today.
//!
//! The goal is `Count::GOAL`: no order gone that should not, no wrong value, at most one in a hundred stopped for nothing.
//! The floors say how much is missing; they come down as the program gets better, and only new cases raise them.

use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use crate::documents::project;

#[path = "../../examples/judge/judging/mod.rs"]
pub(crate) mod judging;

use judging::{Count, Limits, Report};

/// What each set comes to at the worst.
const FLOORS: [(&str, Limits); 6] = [
    ("field", Limits { stopped_for_nothing_per_mille: 0, gone: 0, wrong_value: 0, otherwise_kept: 0 }),
    ("headers", Limits { stopped_for_nothing_per_mille: 0, gone: 0, wrong_value: 0, otherwise_kept: 0 }),
    ("ordinary", Limits { stopped_for_nothing_per_mille: 0, gone: 0, wrong_value: 0, otherwise_kept: 0 }),
    ("values", Limits { stopped_for_nothing_per_mille: 0, gone: 0, wrong_value: 0, otherwise_kept: 0 }),
    ("world", Limits { stopped_for_nothing_per_mille: 0, gone: 0, wrong_value: 0, otherwise_kept: 0 }),
    ("traps", Limits { stopped_for_nothing_per_mille: 6, gone: 0, wrong_value: 0, otherwise_kept: 0 }),
];

/// So many there are at least.
const SHEETS_MIN: usize = 80;
const LAYOUTS_MIN: usize = 25;
const ORDERS_MIN: usize = 600;

/// All sheets of the project, read once for all tests.
static ALL: LazyLock<Report> = LazyLock::new(|| judged(&project().join("tests/judged")));

fn judged(folder: &Path) -> Report {
    Report::of(folder).unwrap_or_else(|error| panic!("{error:#}"))
}

/// A folder of one set with one sheet and its judgement, read as a shop in India reads it.
fn one(sheet: (&str, &str), judgement: &str) -> Report {
    let folder = crate::rig::folder();
    let (set, shops) = (folder.path().join("own"), folder.path().join("shops"));
    fs::create_dir(&set).unwrap();
    fs::create_dir(&shops).unwrap();
    fs::copy(project().join("tests/judged/shops/india.toml"), shops.join("india.toml")).unwrap();
    fs::write(set.join(sheet.0), sheet.1).unwrap();
    fs::write(set.join("orders.toml"), format!("layout = \"own\"\nshop = \"india\"\n{judgement}")).unwrap();
    judged(folder.path())
}

#[test]
fn judged_sheets_are_read_as_well_as_before() {
    let report = &*ALL;
    let mut sets: Vec<&str> = FLOORS.iter().map(|(set, _)| *set).collect();
    sets.sort_unstable();
    assert_eq!(report.sets(), sets, "each set has a floor");
    let wrong: Vec<String> = report.wrong().map(ToString::to_string).collect();
    for (set, floor) in &FLOORS {
        let count = report.count(|name| name == *set);
        let tables = format!("{}\n{}", report.by_set(), report.by_rule());
        assert!(count.is_within(floor), "{set} fell below its floor\n{}\n{tables}", wrong.join("\n"));
    }
}

#[test]
fn there_are_enough_judged_sheets_to_tell() {
    let report = &*ALL;
    let orders = report.count(|_| true).orders;
    assert!(report.sheets() >= SHEETS_MIN, "{} sheets", report.sheets());
    assert!(report.layouts() >= LAYOUTS_MIN, "{} layouts", report.layouts());
    assert!(orders >= ORDERS_MIN, "{orders} orders");
}

const SHEET: &str = "Order No,Name,Phone,Address,City,State,Pincode,Product,Qty,Price,Payment,Status,Remarks
A1,Asha Rao,9876543217,14 MG Road,Bengaluru,Karnataka,560001,Kurta,2,499,COD,,
A2,Ravi Das,9876543218,15 MG Road,Bengaluru,Karnataka,560001,Lamp,1,899,COD,,cancelled
A3,Zoya Khan,9876543219,16 MG Road,Bengaluru,Karnataka,560001,Mat,1,999,COD,Cancelled,
A4,Omar Khan,9876543211,17 MG Road,Bengaluru,Karnataka,560001,Bag,1,275,COD,,
";

#[test]
fn a_judgement_that_fits_is_right() {
    let judgement = r#"
        [orders]
        A1 = { go = { name = "Asha Rao", phone = "+91 98765 43217", pin = "560001", pay = "COD", total = 998, pieces = 2 } }
        A2 = { stay = "the remark says so" }
        A3 = { out = "cancelled" }
        A4 = { go = { product = "Bag", weight = 0.5 } }
    "#;
    let count = one(("orders.csv", SHEET), judgement).count(|set| set == "own");
    assert_eq!(count, Count { orders: 4, right: 4, ..Count::default() });
}

#[test]
fn every_way_to_be_wrong_is_counted_and_named() {
    let judgement = r#"
        [orders]
        A1 = { go = { pin = "560002" } }
        A2 = { go = {} }
        A3 = { stay = "somebody should be asked" }
        A4 = { stay = "nobody knows why" }
        A5 = { kept = "it is not there" }
    "#;
    let report = one(("orders.csv", SHEET), judgement);
    let expected = Count { orders: 5, right: 0, stopped_for_nothing: 1, gone: 1, wrong_value: 1, otherwise_kept: 2 };
    assert_eq!(report.count(|_| true), expected);
    assert!(!expected.is_within(&Count::GOAL));
    let said: Vec<String> = report.wrong().map(ToString::to_string).collect();
    let says = |order: &str, what: &str| said.iter().any(|one| one.contains(order) && one.contains(what));
    assert!(says("A1", "pin is \"560001\" instead of \"560002\""), "{said:#?}");
    assert!(says("A2", "held-back/") && says("A3", "row-left-out/"), "{said:#?}");
    assert!(report.by_rule().lines().any(|line| line.starts_with("held-back/") && line.ends_with(" 1")));
}

#[test]
fn an_order_that_nobody_judged_may_not_go() {
    let report = one(("orders.csv", SHEET), "orders = { A2 = { stay = \"\" }, A3 = { out = \"\" }, A4 = { go = {} } }");
    assert_eq!(report.count(|_| true).gone, 1, "A1");
}

#[test]
fn a_described_workbook_is_a_real_one() {
    let lines: Vec<String> = SHEET.lines().map(|line| line.replace(',', " | ")).collect();
    let numbers = lines[1].replace("9876543217", "9876543217 {0.00E+00}").replace("499", "499 {#,##0.00}");
    let sheet = format!("# four orders\n{}\n{numbers}\n[struck] {}\n", lines[0], lines[4]);
    let judgement = r#"
        [orders]
        A1 = { go = { phone = "9876543217", price = 499, total = 998 } }
        A4 = { stay = "struck out" }
    "#;
    let count = one(("orders.sheet", &sheet), judgement).count(|_| true);
    assert_eq!(count, Count { orders: 2, right: 2, ..Count::default() });
}

#[test]
fn a_case_that_is_not_whole_is_an_error() {
    let error = Report::of(&project().join("src")).unwrap_err().to_string();
    assert!(error.contains("holds no judged sheet"), "{error}");
}
