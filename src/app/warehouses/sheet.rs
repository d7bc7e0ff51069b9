//! A sheet of warehouses: each row one request, each column one field of it.

use std::collections::{BTreeSet, HashMap};
use std::ops::ControlFlow;
use std::path::Path;

use serde_json::{Map, Value};

use crate::app::error::{Error, Misuse, Result};
use crate::field::normalised;
use crate::finding::{Finding, service};
use crate::origin::Place;
use crate::sheet::{Cell, CellKind, Options, Row, Sheet};

/// What columns of warehouse names are called, surest first.
const NAMES: &[&str] = &["name", "warehouse name", "warehouse", "nick name", "nickname", "pickup location"];
/// Warehouses of one sheet at most.
const ROWS_MAX: usize = 10_000;

/// A warehouse as its row has it.
#[derive(Debug, Clone)]
pub struct Warehouse {
    /// Its name, as order sheets have it.
    pub name: String,
    /// The request.
    pub body: Value,
}

/// What a person knows better than the header shows.
#[derive(Debug, Clone, Default)]
pub struct WarehouseColumns {
    /// How the sheet is read.
    pub sheet: Options,
    /// The column of the name.
    pub name: Option<String>,
    /// Columns whose cells are JSON: numbers, `true`, `false`.
    pub json: Vec<String>,
}

/// Reads warehouses, and all that is wrong with them.
pub(super) fn read(path: &Path, reading: &WarehouseColumns) -> Result<(Vec<Warehouse>, Vec<Finding>)> {
    let sheet = Sheet::open(path, &reading.sheet)?;
    let header = &sheet.header().cells;
    let columns = Columns {
        name: name_column(header, reading.name.as_deref())?,
        json: json_columns(header, &reading.json)?,
        paths: paths(header)?,
        sheet: &sheet,
    };
    let (mut wanted, mut problems) = (Vec::new(), Vec::new());
    let mut seen: HashMap<String, u32> = HashMap::new();
    sheet.read(&mut |row| {
        if row.is_blank() || row.skip().is_some() {
            return ControlFlow::Continue(());
        }
        problems.extend(row.notices().iter().cloned());
        let (found, wrong) = columns.wanted(row);
        problems.extend(wrong);
        if let Some(before) = seen.insert(found.name.clone(), row.number()).filter(|_| !found.name.is_empty()) {
            problems.push(service::warehouse_twice::warehouse(before).at(columns.place(row, columns.name)));
        }
        wanted.push(found);
        if wanted.len() > ROWS_MAX { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    if wanted.len() > ROWS_MAX {
        let what = format!("{} has more than {ROWS_MAX} rows: is it a sheet of warehouses?", sheet.source());
        return Err(Error::Refused(what));
    }
    if wanted.is_empty() {
        return Err(Error::Refused(format!("{} has no row below its header", sheet.source())));
    }
    Ok((wanted, problems))
}

struct Columns<'s> {
    name: usize,
    json: BTreeSet<usize>,
    /// Where each column's value goes in the request; none where the header is blank.
    paths: Vec<Option<Vec<String>>>,
    sheet: &'s Sheet,
}

impl Columns<'_> {
    fn place(&self, row: &Row, column: usize) -> Place {
        let header = self.sheet.header().cells.get(column).cloned().unwrap_or_default();
        Place::cell(self.sheet.source(), row.number(), u32::try_from(column).unwrap_or(u32::MAX), header)
    }

    fn wanted(&self, row: &Row) -> (Warehouse, Vec<Finding>) {
        let (mut body, mut problems) = (Map::new(), Vec::new());
        for (column, path) in self.paths.iter().enumerate() {
            let (cell, Some(path)) = (row.cell(column), path) else { continue };
            match self.value(cell, column) {
                Ok(Some(value)) => insert(&mut body, path, value),
                Ok(None) => {}
                Err(problem) => problems.push(problem.at(self.place(row, column)).found(cell.text)),
            }
        }
        let name = row.cell(self.name).text.to_owned();
        if name.is_empty() {
            problems.push(service::warehouse_name::warehouse_name().at(self.place(row, self.name)));
        }
        (Warehouse { name, body: Value::Object(body) }, problems)
    }

    /// What goes into the request: a text, or JSON where that was asked for; nothing for an empty cell.
    fn value(&self, cell: Cell<'_>, column: usize) -> Result<Option<Value>, Box<Finding>> {
        let wrong = match cell.kind {
            CellKind::Empty => return Ok(None),
            CellKind::LossyNumber => service::warehouse_digits::of_warehouse(),
            CellKind::Error => service::warehouse_error::of_warehouse(),
            CellKind::FormulaWithoutValue => service::warehouse_formula::of_warehouse(),
            _ if self.json.contains(&column) => match serde_json::from_str(cell.text) {
                Ok(value) => return Ok(Some(value)),
                Err(_) => service::warehouse_text::not_json(),
            },
            _ => return Ok(Some(Value::from(cell.text))),
        };
        Err(Box::new(wrong))
    }
}

/// Puts a value where its path says.
fn insert(body: &mut Map<String, Value>, path: &[String], value: Value) {
    let [first, rest @ ..] = path else { return };
    if rest.is_empty() {
        body.insert(first.clone(), value);
        return;
    }
    let below = body.entry(first.clone()).or_insert_with(|| Value::Object(Map::new()));
    if let Value::Object(below) = below {
        insert(below, rest, value);
    }
}

/// `address.city` is `city` in `address`. Two columns for one place, or one that would need to hold another, are errors.
fn paths(header: &[String]) -> Result<Vec<Option<Vec<String>>>> {
    let mut seen: BTreeSet<Vec<String>> = BTreeSet::new();
    let mut paths = Vec::new();
    for text in header {
        if text.trim().is_empty() {
            paths.push(None);
            continue;
        }
        let path: Vec<String> = text.split('.').map(|part| part.trim().to_owned()).collect();
        let clash = seen.iter().find(|other| path.starts_with(other) || other.starts_with(&path));
        if let Some(other) = clash {
            return Err(Error::Refused(format!(
                "the columns \"{}\" and \"{text}\" are for the same place of the request: keep one",
                other.join(".")
            )));
        }
        if path.iter().any(String::is_empty) {
            return Err(Error::Refused(format!("the column \"{text}\" is no field: write it as name or outer.name")));
        }
        seen.insert(path.clone());
        paths.push(Some(path));
    }
    Ok(paths)
}

fn named(header: &[String], name: &str) -> Result<usize> {
    let wanted = normalised(name);
    let column = header.iter().position(|text| normalised(text) == wanted);
    column.ok_or_else(|| Misuse::NoColumn { name: name.to_owned(), there: header.to_vec() }.into())
}

fn name_column(header: &[String], told: Option<&str>) -> Result<usize> {
    if let Some(told) = told {
        return named(header, told);
    }
    let known = NAMES.iter().find_map(|name| header.iter().position(|text| normalised(text) == normalised(name)));
    known.ok_or_else(|| Error::NoNameColumn(header.to_vec()))
}

fn json_columns(header: &[String], told: &[String]) -> Result<BTreeSet<usize>> {
    told.iter().map(|name| named(header, name)).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn headers_are_paths() {
        let header = ["name", "address.city", "", "address.pinCode"].map(str::to_owned);
        let mut body = Map::new();
        for (path, text) in paths(&header).unwrap().iter().zip(["Depot", "Mysuru", "", "570001"]) {
            if let Some(path) = path {
                insert(&mut body, path, Value::from(text));
            }
        }
        let expected = json!({"name": "Depot", "address": {"city": "Mysuru", "pinCode": "570001"}});
        assert_eq!(Value::Object(body), expected);
        for wrong in [["a", "a"], ["a", "a.b"], ["a.b", "a"], ["a..b", "c"]] {
            assert!(paths(&wrong.map(str::to_owned)).is_err(), "{wrong:?}");
        }
    }
}
