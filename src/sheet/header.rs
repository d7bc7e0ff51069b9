//! Which row is the header, and what its columns are called.

use std::collections::HashMap;
use std::sync::Arc;

use super::cell::CellKind;
use super::judge::describes_columns;
use super::names::{Header, is_name};
use super::row::Row;
use super::{Options, SheetError, title};
use crate::finding::sheet::{below_title, duplicate_header, notice};
use crate::finding::{Finding, Remedy};
use crate::origin::{Place, Source, letters};

/// Finds the header among the first filled rows and says in `notices` what was passed over.
pub(super) fn find(
    sample: &[Row],
    options: &Options,
    source: &Arc<Source>,
    file: &str,
    notices: &mut Vec<Finding>,
) -> Result<Header, SheetError> {
    let index = match options.header_row {
        Some(0) => return without_names(sample, source, file, notices),
        None => match choose(sample) {
            Some(index) if is_of_values(&sample[index]) => return without_names(sample, source, file, notices),
            chosen => chosen,
        },
        Some(wanted) if sample.first().is_some_and(|row| row.number() == wanted) => Some(0),
        Some(row) => return Err(SheetError::NoHeader { file: file.to_owned(), row }),
    };
    let Some(index) = index else { return Err(SheetError::Empty { file: file.to_owned() }) };
    let row = &sample[index];
    if index > 0 {
        notices.push(passed_over(&sample[..index], row, source));
    }
    notices.extend(none_goes(&sample[..index], options, source));
    if is_of_values(row) || row.cells().all(|cell| cell.text.is_empty() || !is_name(cell)) {
        let of_values = notice::header_of_values(row.number(), Remedy::NameHeaderRow);
        notices.push(of_values.at(Place::row(source, row.number())));
    }
    let mut cells: Vec<String> = row.cells().map(|cell| cell.text.to_owned()).collect();
    while cells.last().is_some_and(String::is_empty) {
        cells.pop();
    }
    notices.extend(row.notices().iter().cloned());
    let header = Header { row: row.number(), is_given: true, cells, width: row.len() };
    report_duplicates(&header, source, notices);
    notices.extend(nameless(&header, &sample[index + 1..], source));
    Ok(header)
}

/// Whether the best header that there is names no columns, and holds what orders hold: figures, of which one is as long as a
/// phone number or a PIN code, or an e-mail address.
fn is_of_values(first: &Row) -> bool {
    const CELLS_MIN: usize = 5;
    const FIGURES_MIN: usize = 3;
    let filled = || first.cells().filter(|cell| cell.kind != CellKind::Empty);
    !names_columns(first)
        && first.filled() >= CELLS_MIN
        && filled().filter(|cell| !is_name(*cell)).count() >= FIGURES_MIN
        && filled().any(|cell| cell.text.contains('@') || has_long_figure(cell.text))
}

fn has_long_figure(text: &str) -> bool {
    const DIGITS_MIN: usize = 6;
    text.split(|c: char| !c.is_numeric()).any(|digits| digits.chars().count() >= DIGITS_MIN)
}

/// The header of a sheet that has none: its columns are called by their letters, and its first wide row is an order.
fn without_names(
    sample: &[Row],
    source: &Arc<Source>,
    file: &str,
    notices: &mut Vec<Finding>,
) -> Result<Header, SheetError> {
    let width = body_width(sample);
    let first = sample.iter().position(|row| is_wide(row, width));
    let index = first.ok_or_else(|| SheetError::Empty { file: file.to_owned() })?;
    let row = &sample[index];
    if index > 0 {
        notices.push(passed_over(&sample[..index], row, source));
    }
    let without = notice::without_headers(row.number(), Remedy::NameHeaderRow);
    notices.push(without.at(Place::row(source, row.number())));
    let last_filled = |row: &Row| (0..row.len()).rev().find(|at| row.cell(*at).kind != CellKind::Empty);
    let last = sample[index..].iter().filter_map(last_filled).max().unwrap_or_default();
    let name = |at: usize| format!("Column {}", letters(u32::try_from(at).unwrap_or(u32::MAX)));
    Ok(Header { row: row.number() - 1, is_given: false, cells: (0..=last).map(name).collect(), width: row.len() })
}

fn passed_over(above: &[Row], header: &Row, source: &Arc<Source>) -> Finding {
    let (first, last) = (above[0].number(), above[above.len() - 1].number());
    let found = if first == last {
        notice::row_above_header(first, header.number(), Remedy::NameHeaderRow)
    } else {
        notice::rows_above_header(first, last, header.number(), Remedy::NameHeaderRow)
    };
    found.at(Place::row(source, first)).found(excerpt(&above[0]))
}

/// A title above the header, or the worksheet's own name, that says of all orders that they are not to go.
fn none_goes(above: &[Row], options: &Options, source: &Arc<Source>) -> Option<Finding> {
    let says = |text: &&str| title::says_none_goes(text);
    let title = || above.iter().find_map(|row| Some((row.number(), row.cells().map(|cell| cell.text).find(says)?)));
    if let Some((number, title)) = title().filter(|_| options.header_row.is_none()) {
        let none_goes = below_title::title_says_no(title, Remedy::NameHeaderRow);
        return Some(none_goes.at(Place::row(source, number)).found(title));
    }
    let name = source.worksheet.as_deref().filter(|name| title::says_none_goes(name))?;
    if options.worksheet.is_some() {
        return None;
    }
    let choose = Remedy::ChooseWorksheet { name: Some(name.to_owned()) };
    Some(below_title::worksheet_says_no(name, choose).at(Place::row(source, 1)).found(name))
}

/// Whether a row names columns instead of giving values.
fn names_columns(row: &Row) -> bool {
    !describes_columns(row, row.filled()) && row.cells().filter(|cell| is_name(*cell)).count() * 5 >= row.filled() * 4
}

/// Whether a row is nearly as wide as the body.
fn is_wide(row: &Row, width: usize) -> bool {
    row.filled() * 5 >= width * 3
}

/// The first row that is nearly as wide as the body and names columns instead of giving values.
fn choose(sample: &[Row]) -> Option<usize> {
    let width = body_width(sample);
    let (names, wide) = (names_columns, |row: &Row| is_wide(row, width));
    let first_wide = sample.iter().position(wide)?;
    let by_name = sample.iter().position(|row| wide(row) && names(row)).unwrap_or(first_wide);
    // Wide rows of values above it would be orders: the sheet then has no better header than the first of them.
    let orders_above = sample[first_wide..by_name].iter().any(|row| wide(row) && !describes_columns(row, row.filled()));
    let chosen = if orders_above { first_wide } else { by_name };
    // A header of two rows whose upper one spans groups of columns: the lower one has the upper one's merged names too.
    let below = sample
        .get(chosen + 1)
        .filter(|row| row.has_merged() && names(row) && row.number() == sample[chosen].number() + 1);
    Some(if below.is_some_and(|row| row.filled() >= sample[chosen].filled()) { chosen + 1 } else { chosen })
}

/// The width of the widest row; but one row of values that is alone in its width has stray cells.
fn body_width(sample: &[Row]) -> usize {
    let mut widths: Vec<usize> = sample.iter().map(Row::filled).collect();
    widths.sort_unstable();
    let widest = widths.last().copied().unwrap_or(0);
    let mut as_wide = sample.iter().filter(|row| row.filled() == widest);
    let stray = as_wide.next().is_some_and(|row| !row.cells().any(is_name)) && as_wide.next().is_none();
    if !stray {
        return widest;
    }
    let second = widths.iter().rev().nth(1).copied().unwrap_or(widest);
    let by_names = sample.iter().filter(|row| names_columns(row)).map(Row::filled).max().unwrap_or(0);
    second.max(by_names)
}

/// Columns with values under no name: nobody can say what they are, so nobody gets them.
fn nameless(header: &Header, below: &[Row], source: &Arc<Source>) -> Option<Finding> {
    // In a text file cells beyond the header are a fault of their row.
    let width = if source.worksheet.is_some() { usize::MAX } else { header.width };
    let has_name = |index: usize| header.cells.get(index).is_some_and(|text| !text.is_empty());
    let mut columns: Vec<usize> = Vec::new();
    for row in below {
        let filled = (0..row.len().min(width)).filter(|index| row.cell(*index).kind != CellKind::Empty);
        columns.extend(filled.filter(|index| !has_name(*index)));
    }
    columns.sort_unstable();
    columns.dedup();
    let first = *columns.first()?;
    let letters: Vec<String> = columns.iter().map(|index| letters(u32::try_from(*index).unwrap_or(u32::MAX))).collect();
    let place = Place::cell(source, header.row, u32::try_from(first).unwrap_or(u32::MAX), "");
    Some(notice::nameless_columns(letters).at(place))
}

fn report_duplicates(header: &Header, source: &Arc<Source>, notices: &mut Vec<Finding>) {
    let mut first: HashMap<String, usize> = HashMap::new();
    for (index, text) in header.cells.iter().enumerate().filter(|(_, text)| !text.is_empty()) {
        let Some(earlier) = first.get(&text.to_lowercase()) else {
            first.insert(text.to_lowercase(), index);
            continue;
        };
        let column = |index: usize| letters(u32::try_from(index).unwrap_or(u32::MAX));
        let place = Place::cell(source, header.row, u32::try_from(index).unwrap_or(u32::MAX), text.clone());
        let same = duplicate_header::same_header(column(*earlier), column(index));
        notices.push(same.at(place).found(text.clone()));
    }
}

/// The first words of a row, short enough for a message.
fn excerpt(row: &Row) -> String {
    let first = row.cells().find(|cell| !cell.text.is_empty()).map_or("", |cell| cell.text);
    first.chars().take(60).collect()
}
