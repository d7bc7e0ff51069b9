//! Which row is the header, and which rows below it are no order rows.

use std::collections::HashMap;
use std::sync::Arc;

use super::open::Header;
use super::row::{Cell, CellKind, Row};
use super::{Options, SheetError};
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

/// The first row that is nearly as wide as the body and names columns instead of giving values.
fn choose(sample: &[Row]) -> Option<usize> {
    let names = |row: &Row| row.cells().filter(|cell| is_name(*cell)).count() * 5 >= row.filled() * 4;
    let wide = |row: &Row| row.filled() * 5 >= body_width(sample, names) * 3;
    let first_wide = sample.iter().position(wide)?;
    let by_name = sample.iter().position(|row| wide(row) && names(row)).unwrap_or(first_wide);
    // Wide rows of values above it would be orders: the sheet then has no better header than the first of them.
    Some(if sample[first_wide..by_name].iter().any(wide) { first_wide } else { by_name })
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
fn is_name(cell: Cell<'_>) -> bool {
    cell.kind == CellKind::Text && !is_mostly_digits(cell.text)
}

/// Numbers, dates, phones and amounts, as opposed to words.
fn is_mostly_digits(text: &str) -> bool {
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

/// Looks at the rows below the header.
pub(super) struct Judge<'h> {
    header: &'h Header,
    source: &'h Arc<Source>,
    /// In a text file the number of cells shows whether a row was cut or shifted.
    ragged: bool,
}

impl<'h> Judge<'h> {
    pub(super) const fn new(header: &'h Header, source: &'h Arc<Source>, ragged: bool) -> Self {
        Self { header, source, ragged }
    }

    /// Marks a filled row as skipped, or notes that its cells do not fit the header.
    pub(super) fn judge(&self, row: &mut Row) {
        if let Some(reason) = self.no_order(row) {
            row.mark_skipped(reason);
        } else if self.ragged && row.len() != self.header.width {
            self.note_ragged(row);
        }
    }

    fn note_ragged(&self, row: &mut Row) {
        let (cells, width) = (row.len(), self.header.width);
        let place = Place::row(self.source, row.number());
        if cells < self.header.cells.len() {
            let message = format!("the row ends after {cells} of {width} cells");
            row.notice(
                Problem::warning(Code::RaggedRow, message).at(place).hint("the cells after it are taken as blank"),
            );
        } else if cells > width && (width..cells).any(|index| row.cell(index).kind != CellKind::Empty) {
            let message =
                format!("the row has {cells} cells under {width} headers, so they may stand in wrong columns");
            let hint = "put text that contains the delimiter in quotes";
            row.notice(Problem::error(Code::RaggedRow, message).at(place).hint(hint));
        }
    }

    /// Why a row can be no order row. Silent wherever there is doubt: a row that is kept is checked, a row that is
    /// skipped is not.
    fn no_order(&self, row: &Row) -> Option<&'static str> {
        let columns = self.header.cells.len();
        if columns < 3 {
            return None;
        }
        if row.number() == self.header.row + 1 && describes_columns(row, row.filled()) {
            return Some("describes the columns");
        }
        if self.repeats_header(row) {
            return Some("repeats the header");
        }
        if row.has_filled((columns / 3).max(2) + 1) {
            return None;
        }
        let filled = row.filled();
        let first = row.cells().find(|cell| cell.kind != CellKind::Empty)?;
        let first_text = first.text.to_lowercase();
        let rest_is_numbers =
            row.cells().filter(|cell| cell.kind != CellKind::Empty).skip(1).all(|cell| is_mostly_digits(cell.text));
        if rest_is_numbers && is_total(&first_text) {
            return Some("totals");
        }
        if row.cells().any(|cell| is_record_count(cell.text)) {
            return Some("footer");
        }
        (filled == 1 && first.kind == CellKind::Text && is_footer(&first_text)).then_some("footer")
    }

    fn repeats_header(&self, row: &Row) -> bool {
        row.len() >= self.header.cells.len()
            && row.cells().enumerate().all(|(index, cell)| {
                self.header.cells.get(index).map_or(cell.text.is_empty(), |text| text.eq_ignore_ascii_case(cell.text))
            })
            && row.has_filled(3)
    }
}

/// Prose and not one digit in any cell: an order has at least a quantity, a PIN or a phone.
fn describes_columns(row: &Row, filled: usize) -> bool {
    let prose = row.cells().filter(|cell| cell.kind == CellKind::Text && words(cell.text) >= 3).count();
    let sentence_first = words(row.cell(0).text) >= 3 && row.cell(0).text.ends_with('.');
    !row.whole_text().contains(char::is_numeric)
        && ((filled >= 4 && prose * 5 >= filled * 3) || (filled >= 2 && sentence_first))
}

fn words(text: &str) -> usize {
    text.split_whitespace().filter(|word| word.contains(char::is_alphabetic)).count()
}

fn is_total(text: &str) -> bool {
    let text = text.trim_end_matches([':', ' ']);
    matches!(text, "total" | "totals" | "grand total" | "sub total" | "subtotal" | "sum" | "total:")
}

fn is_record_count(text: &str) -> bool {
    let text = text.to_lowercase();
    text.contains("record(s) downloaded") || text.contains("records downloaded") || text.contains("row(s) exported")
}

fn is_footer(text: &str) -> bool {
    ["seller id :", "seller id:", "end of report", "end of file", "*** end", "-- end", "generated on", "generated by"]
        .iter()
        .any(|start| text.starts_with(start))
}
