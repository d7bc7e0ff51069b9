//! Cells that are merged over rows: what holds for each of them, and what nobody can know.

use std::collections::HashMap;
use std::ops::ControlFlow;

use crate::column::{Columns, Feed};
use crate::field::{Id, Kind, Level};
use crate::finding::Finding;
use crate::finding::column::merged_cells;
use crate::origin::Place;
use crate::profile::Mapped;
use crate::sheet::{Row, Sheet, SheetError};

/// What is open about rows that have values of a row above, by their numbers. An order's own values hold for all its
/// rows; but a quantity over two products, or a weight over two orders, may be meant for each or for both together.
pub(super) fn open_questions(sheet: &Sheet, columns: &Columns) -> Result<HashMap<u32, Vec<Finding>>, SheetError> {
    let mut questions = HashMap::new();
    let order_number = columns.fed().find(|feed| feed.field.id == Id::OrderNumber);
    let mut made = Mapped::default();
    let mut before = String::new();
    sheet.read(&mut |row| {
        if row.is_blank() || row.skip().is_some() || columns.mapper.map(row, &mut made).is_some() {
            return ControlFlow::Continue(());
        }
        let number = order_number.as_ref().map_or("", |feed| made.cell(row, feed.field.id, feed.column, feed.step).0);
        if row.has_merged() {
            let open = of_row(sheet, columns, row, number != before);
            if !open.is_empty() {
                questions.insert(row.number(), open);
            }
        }
        number.clone_into(&mut before);
        ControlFlow::Continue(())
    })?;
    Ok(questions)
}

fn of_row(sheet: &Sheet, columns: &Columns, row: &Row, is_another: bool) -> Vec<Finding> {
    let merged = columns.fed().filter(|feed| row.is_merged(feed.column as usize));
    let open = merged.filter_map(|Feed { field, column, .. }| {
        let adds_up = matches!(field.kind, Kind::Money | Kind::MoneyText | Kind::Measure);
        let question = match field.level {
            Level::Line => merged_cells::over_products,
            Level::Order if is_another && adds_up => merged_cells::over_orders,
            Level::Order => return None,
        };
        let header = sheet.header().cells.get(column as usize).cloned().unwrap_or_default();
        let question = question(field.header).at(Place::cell(sheet.source(), row.number(), column, header));
        Some(question.on_field(field.path).found(row.cell(column as usize).text))
    });
    open.collect()
}
