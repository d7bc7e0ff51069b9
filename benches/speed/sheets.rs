//! The sheets that are measured: orders of 2.5 lines on average, 19 columns that feed fields and 26 that feed none.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use anyhow::Result;
use rust_xlsxwriter::Workbook;

const FED: [&str; 19] = [
    "Order Number",
    "Order Date",
    "Receiver First Name",
    "Receiver Phone",
    "Address Line 1",
    "City",
    "State",
    "Country Code",
    "PIN Code",
    "Warehouse",
    "Length",
    "Width",
    "Height",
    "Weight",
    "Payment Type",
    "Product Name",
    "SKU",
    "Price",
    "Quantity",
];
const COLUMNS: usize = 45;

/// Where the rows of one order stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rows {
    /// One below the other.
    Adjacent,
    /// All first rows, then all second ones, then all third ones.
    Scattered,
}

/// Every row of so many orders, cell by cell.
fn each_row(orders: usize, rows: Rows, mut write: impl FnMut(&[String]) -> Result<()>) -> Result<()> {
    let header = FED.iter().map(|name| (*name).to_owned()).chain((FED.len()..COLUMNS).map(|n| format!("Extra {n}")));
    write(&header.collect::<Vec<_>>())?;
    let lines = |order: usize| if order.is_multiple_of(2) { 3 } else { 2 };
    match rows {
        Rows::Adjacent => {
            for order in 0..orders {
                (0..lines(order)).try_for_each(|line| write(&row(order, line)))?;
            }
        }
        Rows::Scattered => {
            for line in 0..3 {
                (0..orders).filter(|order| line < lines(*order)).try_for_each(|order| write(&row(order, line)))?;
            }
        }
    }
    Ok(())
}

fn row(order: usize, line: usize) -> Vec<String> {
    let seed = (order * 7 + line * 13) % 9_000;
    let mut cells = vec![
        format!("ORD-{order:07}"),
        "2026-11-20".to_owned(),
        "Asha".to_owned(),
        format!("98765{:05}", order % 100_000),
        format!("{} MG Road", order % 300 + 1),
        "Bengaluru".to_owned(),
        "Karnataka".to_owned(),
        "IN".to_owned(),
        "560001".to_owned(),
        "WH-1".to_owned(),
        "30".to_owned(),
        "20".to_owned(),
        "5".to_owned(),
        "0.5".to_owned(),
        "PREPAID".to_owned(),
        format!("Kurta {line}"),
        format!("K-{line}"),
        format!("{}.{:02}", seed / 10 + 1, seed % 100),
        (seed % 4 + 1).to_string(),
    ];
    cells.resize(COLUMNS, "x".to_owned());
    cells
}

pub(crate) fn csv(path: &Path, orders: usize, rows: Rows) -> Result<()> {
    let mut out = BufWriter::new(File::create(path)?);
    each_row(orders, rows, |cells| Ok(writeln!(out, "{}", cells.join(","))?))?;
    Ok(out.flush()?)
}

pub(crate) fn xlsx(path: &Path, orders: usize) -> Result<()> {
    let mut book = Workbook::new();
    let sheet = book.add_worksheet_with_constant_memory()?;
    let mut number = 0;
    each_row(orders, Rows::Adjacent, |cells| {
        for (column, cell) in (0_u16..).zip(cells) {
            sheet.write_string(number, column, cell)?;
        }
        number += 1;
        Ok(())
    })?;
    Ok(book.save(path)?)
}
