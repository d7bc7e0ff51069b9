//! Which row is the header, and what its columns are called.

use std::collections::HashMap;
use std::sync::Arc;

use super::judge::describes_columns;
use super::open::Header;
use super::row::{Cell, CellKind, Row};
use super::{Options, SheetError, title};
use crate::origin::{Place, Source};
use crate::problem::{Code, Problem};

/// Finds the header among the first filled rows and says in `notices` what was passed over.
pub(super) fn find(
    sample: &[Row],
    options: &Options,
    source: &Arc<Source>,
    file: &str,
    notices: &mut Vec<Problem>,
) -> Result<Header, SheetError> {
    let index = match options.header_row {
        None => choose(sample),
        Some(wanted) if sample.first().is_some_and(|row| row.number() == wanted) => Some(0),
        Some(row) => return Err(SheetError::NoHeader { file: file.to_owned(), row }),
    };
    let Some(index) = index else { return Err(SheetError::Empty { file: file.to_owned() }) };
    let row = &sample[index];
    if index > 0 {
        notices.push(passed_over(&sample[..index], row, source));
    }
    notices.extend(none_goes(&sample[..index], options, source));
    if row.cells().all(|cell| cell.text.is_empty() || !is_name(cell)) {
        let message = format!("row {} is taken as the header, but holds values instead of names", row.number());
        let hint = "put the column names above the orders, or name their row with --header-row";
        notices.push(Problem::warning(Code::SheetNotice, message).at(Place::row(source, row.number())).hint(hint));
    }
    let mut cells: Vec<String> = row.cells().map(|cell| cell.text.to_owned()).collect();
    while cells.last().is_some_and(String::is_empty) {
        cells.pop();
    }
    notices.extend(row.notices().iter().cloned());
    let header = Header { row: row.number(), cells, width: row.len() };
    report_duplicates(&header, source, notices);
    notices.extend(nameless(&header, &sample[index + 1..], source));
    Ok(header)
}

fn passed_over(above: &[Row], header: &Row, source: &Arc<Source>) -> Problem {
    let (first, last) = (above[0].number(), above[above.len() - 1].number());
    let message = if first == last {
        format!("row {first} stands above the header in row {} and is passed over", header.number())
    } else {
        format!("rows {first} to {last} stand above the header in row {} and are passed over", header.number())
    };
    Problem::warning(Code::SheetNotice, message)
        .at(Place::row(source, first))
        .found(excerpt(&above[0]))
        .hint("if the header is another row, name it with --header-row")
}

/// A title above the header, or the worksheet's own name, that says of all orders that they are not to go.
fn none_goes(above: &[Row], options: &Options, source: &Arc<Source>) -> Option<Problem> {
    let says = |text: &&str| title::says_none_goes(text);
    let title = || above.iter().find_map(|row| Some((row.number(), row.cells().map(|cell| cell.text).find(says)?)));
    if let Some((number, title)) = title().filter(|_| options.header_row.is_none()) {
        let message = format!("the title \"{title}\" above the header says that these orders are not to go: are they?");
        let hint = "delete the row of the title, or name the row of the header with --header-row, if all orders below it are to \
                    go; leave the sheet alone if not";
        return Some(Problem::error(Code::BelowTitle, message).at(Place::row(source, number)).found(title).hint(hint));
    }
    let name = source.worksheet.as_deref().filter(|name| title::says_none_goes(name))?;
    if options.worksheet.is_some() {
        return None;
    }
    let message = format!("the worksheet is called \"{name}\", as if its orders were not to go: are they?");
    let hint = format!("name it with --worksheet \"{name}\" if they are; leave the sheet alone if not");
    Some(Problem::error(Code::BelowTitle, message).at(Place::row(source, 1)).found(name).hint(hint))
}

/// The first row that is nearly as wide as the body and names columns instead of giving values.
fn choose(sample: &[Row]) -> Option<usize> {
    let names = |row: &Row| {
        !describes_columns(row, row.filled())
            && row.cells().filter(|cell| is_name(*cell)).count() * 5 >= row.filled() * 4
    };
    let wide = |row: &Row| row.filled() * 5 >= body_width(sample, names) * 3;
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
fn body_width(sample: &[Row], names: impl Fn(&Row) -> bool) -> usize {
    let mut widths: Vec<usize> = sample.iter().map(Row::filled).collect();
    widths.sort_unstable();
    let widest = widths.last().copied().unwrap_or(0);
    let mut as_wide = sample.iter().filter(|row| row.filled() == widest);
    let stray = as_wide.next().is_some_and(|row| !row.cells().any(is_name)) && as_wide.next().is_none();
    let second = widths.iter().rev().nth(1).copied().unwrap_or(widest);
    let by_names = sample.iter().filter(|row| names(row)).map(Row::filled).max().unwrap_or(0);
    if stray { second.max(by_names) } else { widest }
}

/// Whether a cell could name a column: text, and not a number or a date in disguise.
pub(super) fn is_name(cell: Cell<'_>) -> bool {
    cell.kind == CellKind::Text && !is_mostly_digits(cell.text)
}

/// Numbers, dates, phones and amounts, as opposed to words.
pub(super) fn is_mostly_digits(text: &str) -> bool {
    if text.is_ascii() {
        let count = |is: fn(&u8) -> bool| text.bytes().filter(is).count();
        return count(u8::is_ascii_digit) > count(u8::is_ascii_alphabetic);
    }
    let digits = text.chars().filter(|character| character.is_numeric()).count();
    let letters = text.chars().filter(|character| character.is_alphabetic()).count();
    digits > letters
}

/// Columns with values under no name: nobody can say what they are, so nobody gets them.
fn nameless(header: &Header, below: &[Row], source: &Arc<Source>) -> Option<Problem> {
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
    let letters: Vec<String> =
        columns.iter().map(|index| crate::origin::letters(u32::try_from(*index).unwrap_or(u32::MAX))).collect();
    let message = match letters.as_slice() {
        [only] => format!("column {only} holds values under no header, and is left out"),
        [others @ .., last] => {
            format!("columns {} and {last} hold values under no header, and are left out", others.join(", "))
        }
        [] => return None,
    };
    let place = Place::cell(source, header.row, u32::try_from(first).unwrap_or(u32::MAX), "");
    Some(
        Problem::warning(Code::SheetNotice, message).at(place).hint("name the column in the header row, if it matters"),
    )
}

fn report_duplicates(header: &Header, source: &Arc<Source>, notices: &mut Vec<Problem>) {
    let mut first: HashMap<String, usize> = HashMap::new();
    for (index, text) in header.cells.iter().enumerate().filter(|(_, text)| !text.is_empty()) {
        let Some(earlier) = first.get(&text.to_lowercase()) else {
            first.insert(text.to_lowercase(), index);
            continue;
        };
        let column = |index: usize| crate::origin::letters(u32::try_from(index).unwrap_or(u32::MAX));
        let message = format!("columns {} and {} have the same header", column(*earlier), column(index));
        notices.push(
            Problem::warning(Code::DuplicateHeader, message)
                .at(Place::cell(source, header.row, u32::try_from(index).unwrap_or(u32::MAX), text.clone()))
                .found(text.clone())
                .hint("give each column its own header"),
        );
    }
}

/// The first words of a row, short enough for a message.
fn excerpt(row: &Row) -> String {
    let first = row.cells().find(|cell| !cell.text.is_empty()).map_or("", |cell| cell.text);
    first.chars().take(60).collect()
}
