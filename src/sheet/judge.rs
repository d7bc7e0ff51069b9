//! Which rows below the header are no order rows, and where another header begins.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::cell::{Cell, CellKind};
use super::names::{Header, is_mostly_digits, is_name};
use super::row::Row;
use super::title;
use crate::finding::sheet::{ragged_row, second_header};
use crate::origin::{Place, Source};
use crate::words::Topic;

/// Rows that change what stands below them. What one reading of the sheet has found, the next one knows from the start:
/// parts of a sheet are read at the same time.
#[derive(Debug, Default)]
pub(super) struct Breaks {
    found: Mutex<Found>,
    /// The lines on which portions begin that were read to their end without a word on any of their rows.
    silent: Mutex<BTreeSet<u32>>,
}

/// The rows that were found to change what stands below them, to be held against those of another reading.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Landmarks(Found);

#[derive(Debug, Default, Clone, PartialEq, Eq)]
struct Found {
    /// Rows that name the columns anew, and whether with others than the header does.
    headers: BTreeMap<u32, bool>,
    /// Titles between the rows.
    titles: BTreeMap<u32, String>,
    /// Tables of something else below the orders, by their headers, with their last rows so far and their widths.
    tables: BTreeMap<u32, (u32, usize)>,
}

/// Titles that are remembered; below the last of them its rows are still below a title.
const TITLES_MAX: usize = 1_000;

/// Other tables that are remembered; the rows of any more are taken as order rows.
const TABLES_MAX: usize = 100;

impl Breaks {
    fn known(&self) -> Found {
        locked(&self.found).clone()
    }

    /// Whether nothing will be said of the rows of a portion that begins on this line: nothing was before, and there is no row
    /// that changes what stands below it.
    pub(super) fn is_silent(&self, first_line: u32) -> bool {
        locked(&self.silent).contains(&first_line) && *locked(&self.found) == Found::default()
    }

    pub(super) fn note_silent(&self, first_line: u32) {
        locked(&self.silent).insert(first_line);
    }

    /// What was found so far.
    pub(super) fn landmarks(&self) -> Landmarks {
        Landmarks(self.known())
    }

    fn add(&self, add: impl FnOnce(&mut Found)) {
        add(&mut locked(&self.found));
    }
}

fn locked<T>(kept: &Mutex<T>) -> MutexGuard<'_, T> {
    kept.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Found {
    fn title(&mut self, row: u32, text: &str) -> bool {
        self.titles.len() < TITLES_MAX && self.titles.insert(row, text.to_owned()).is_none()
    }
}

/// Looks at the rows below the header.
pub(super) struct Judge<'h> {
    header: &'h Header,
    source: &'h Arc<Source>,
    /// In a text file the number of cells shows whether a row was cut or shifted.
    ragged: bool,
    breaks: &'h Breaks,
    /// Those that were found before, or in this reading.
    known: Found,
    /// The last title that was met, and the one that is told of the rows below it.
    told: Option<(u32, u32)>,
    /// The row that was judged last.
    last: Option<u32>,
    /// The header of the other table whose rows are passed.
    table: Option<u32>,
}

/// Why the rows of another table are no order rows; what there is to say of it is said of its header.
pub const ROW_OF_TABLE: &str = "a row of another table";
/// The same of its header.
pub const HEADER_OF_TABLE: &str = "the header of another table";

impl<'h> Judge<'h> {
    pub(super) fn new(header: &'h Header, source: &'h Arc<Source>, ragged: bool, breaks: &'h Breaks) -> Self {
        Self { header, source, ragged, breaks, known: breaks.known(), told: None, last: None, table: None }
    }

    /// Marks a filled row as skipped, or notes that its cells do not fit the header.
    pub(super) fn judge(&mut self, row: &mut Row) {
        let above = self.last.replace(row.number());
        if let Some(reason) = self.no_order(row, above) {
            row.mark_skipped(reason);
        } else if let Some(other) = self.other_header(row.number()) {
            let place = Place::row(self.source, row.number());
            row.notice(second_header::extra_columns(other, self.header.row).at(place));
        } else {
            let (source, number) = (self.source, row.number());
            let place = || Place::row(source, number);
            if !row.has_filled(2)
                && row.cells().any(|cell| title::holds_order(cell.text, self.header.cells.len()))
                && self.header.cells.len() > 3
            {
                row.notice(title::in_one_cell(place()));
            }
            if let Some((title, text)) = self.title_of(row.number()) {
                row.notice(title::below_title(title, text, place()));
            }
            if self.ragged && row.len() != self.header.width {
                self.note_ragged(row);
            }
        }
    }

    /// The title that a row stands below: the last one, but a day below `CANCELLED` is still one of those.
    fn title_of(&mut self, row: u32) -> Option<(u32, &str)> {
        let (last, text) = self.known.titles.range(..row).next_back()?;
        let told = match self.told {
            Some((of, told)) if of == *last => told,
            _ if !title::is_date(text) => *last,
            _ => {
                let mut before = self.known.titles.range(..*last).rev();
                before.find(|(_, text)| !title::is_date(text)).map_or(*last, |(row, _)| *row)
            }
        };
        self.told = Some((*last, told));
        self.known.titles.get(&told).map(|text| (told, text.as_str()))
    }

    /// The row of another header, below which nobody knows which column is which.
    fn other_header(&self, row: u32) -> Option<u32> {
        let (last, differs) = self.known.headers.range(..row).next_back()?;
        differs.then_some(*last)
    }

    fn note_ragged(&self, row: &mut Row) {
        let (cells, width) = (row.len(), self.header.width);
        let place = Place::row(self.source, row.number());
        if cells < self.header.cells.len() {
            row.notice(ragged_row::ends_early(cells, width).at(place));
        } else if cells > width && (width..cells).any(|index| row.cell(index).kind != CellKind::Empty) {
            row.notice(ragged_row::too_wide(cells, width).at(place));
        }
    }

    /// Why a row can be no order row. Silent wherever there is doubt: a row that is kept is checked, a row that is
    /// skipped is not.
    fn no_order(&mut self, row: &Row, above: Option<u32>) -> Option<&'static str> {
        let columns = self.header.cells.len();
        if columns < 3 {
            return None;
        }
        // Close below the header: an order further down is never taken for it.
        if row.number() <= self.header.row + 2 && describes_columns(row, row.filled()) {
            return Some("describes the columns");
        }
        if self.repeats_header(row) {
            self.found(row.number(), false);
            return Some("repeats the header");
        }
        if self.is_other_header(row) {
            self.found(row.number(), true);
            return Some("a second header");
        }
        if let Some(reason) = self.other_table(row, above) {
            return Some(reason);
        }
        let first = row.cells().find(|cell| cell.kind != CellKind::Empty)?;
        // Few rows hold nothing but figures behind their first cell; their words are looked up last.
        if rest_is_numbers(row) && is_total(first.text) {
            return Some("totals");
        }
        let has_much = row.has_filled((columns / 3).max(2) + 1);
        if (!has_much || row.cell(0).kind == CellKind::Empty) && sums_up(row, first) {
            return Some("totals");
        }
        if has_much {
            return None;
        }
        if row.cells().any(|cell| is_record_count(cell.text)) {
            return Some("footer");
        }
        let filled = row.filled();
        let few = filled == 1 || (filled == 2 && columns >= 6);
        if few && first.kind == CellKind::Text && is_footer(first.text, filled) {
            return Some("footer");
        }
        let alone = (filled == 1, row.cell(0).kind != CellKind::Empty);
        if alone.0 && title::holds_order(first.text, columns) {
            return None;
        }
        if !few || !title::is_title(first, alone) {
            return None;
        }
        if self.known.title(row.number(), first.text) {
            self.breaks.add(|found| {
                found.title(row.number(), first.text);
            });
        }
        // Elsewhere it may be the product of an order, and what is left out is not checked.
        (alone.0 && (alone.1 || title::names_orders(first.text))).then_some("a title between the rows")
    }

    /// Whether a row is of a table of something else: it begins below a blank row with a few words at the left, and not one
    /// figure, and none of its rows is wider than that.
    ///
    /// A reading that begins amid a table knows its rows from the one before, or has them as order rows both times.
    fn other_table(&mut self, row: &Row, above: Option<u32>) -> Option<&'static str> {
        let number = row.number();
        let width =
            || (0..row.len()).rev().find(|index| row.cell(*index).kind != CellKind::Empty).map_or(0, |at| at + 1);
        if let Some((header, (last, _))) = self.known.tables.range(..=number).next_back()
            && number <= *last
        {
            self.table = Some(*header);
            return Some(if number == *header { HEADER_OF_TABLE } else { ROW_OF_TABLE });
        }
        if let Some(header) = self.table
            && let Some((_, wide)) = self.known.tables.get(&header).copied().filter(|(_, wide)| width() <= *wide)
        {
            self.table_reaches(header, (number, wide));
            return Some(ROW_OF_TABLE);
        }
        self.table = None;
        let is_below_blank = above.is_some_and(|above| number > above.saturating_add(1));
        let begins = is_below_blank && self.known.tables.len() < TABLES_MAX && {
            let width = width();
            width >= 2
                && width * 2 <= self.header.cells.len()
                && !is_footer(row.cell(0).text, width)
                && row.cells().take(width).all(|cell| is_name(cell) && !cell.text.contains(char::is_numeric))
        };
        if !begins {
            return None;
        }
        self.table_reaches(number, (number, width()));
        self.table = Some(number);
        Some(HEADER_OF_TABLE)
    }

    fn table_reaches(&mut self, header: u32, reach: (u32, usize)) {
        self.known.tables.insert(header, reach);
        self.breaks.add(|found| {
            let known = found.tables.entry(header).or_insert(reach);
            known.0 = known.0.max(reach.0);
        });
    }

    fn found(&mut self, row: u32, differs: bool) {
        if self.known.headers.insert(row, differs).is_none() {
            self.breaks.add(|found| {
                found.headers.insert(row, differs);
            });
        }
    }

    fn repeats_header(&self, row: &Row) -> bool {
        row.len() >= self.header.cells.len()
            && row.cells().enumerate().all(|(index, cell)| {
                self.header.cells.get(index).map_or(cell.text.is_empty(), |text| text.eq_ignore_ascii_case(cell.text))
            })
            && row.has_filled(3)
    }

    /// Whether a row names the columns anew, and in another order or others: two exports, one below the other. Most of
    /// its cells are headers.
    fn is_other_header(&self, row: &Row) -> bool {
        let is_header = |text: &str| self.header.cells.iter().any(|header| header.eq_ignore_ascii_case(text));
        // What an order row would have there is no header: nearly every row ends here.
        let mut filled = row.cells().filter(|cell| cell.kind != CellKind::Empty);
        if !filled.by_ref().take(2).all(|cell| cell.kind == CellKind::Text && is_name(cell)) {
            return false;
        }
        let filled = row.filled();
        let known = row.cells().filter(|cell| !cell.text.is_empty() && is_header(cell.text)).count();
        (known >= 3 && known * 5 >= filled * 3) || self.names_columns(row, filled)
    }

    /// Whether a row that is as wide as the table holds nothing but names, and no name twice: every order has a figure, in its
    /// phone number or its price.
    fn names_columns(&self, row: &Row, filled: usize) -> bool {
        const NAMES_MIN: usize = 5;
        let cells = || row.cells().filter(|cell| cell.kind != CellKind::Empty);
        let is_column = |cell: Cell<'_>| is_name(cell) && !cell.text.contains(char::is_numeric);
        let is_twice = |(index, cell): (usize, Cell<'_>)| cells().take(index).any(|other| other.text == cell.text);
        filled >= NAMES_MIN
            && filled * 3 >= self.header.cells.len() * 2
            && cells().all(is_column)
            && !cells().enumerate().any(is_twice)
    }
}

/// Whether a row that holds little says what others come to: figures beside a word for their sum, wherever that stands
/// where no order number is, or a count of orders.
fn sums_up(row: &Row, first: Cell<'_>) -> bool {
    let is_figure = |cell: &Cell<'_>| {
        cell.kind == CellKind::FormulaWithoutValue || is_mostly_digits(cell.text) || is_count(cell.text)
    };
    let filled = || row.cells().filter(|cell| cell.kind != CellKind::Empty);
    if counts_orders(first.text) {
        return filled().all(|cell| is_figure(&cell));
    }
    let numbered = row.cell(0).kind != CellKind::Empty && !is_total(row.cell(0).text) && !says_sum(row.cell(0).text);
    let labelled = || filled().any(|cell| is_total(cell.text) || says_sum(cell.text));
    let rest = || filled().all(|cell| is_figure(&cell) || is_total(cell.text) || says_sum(cell.text));
    let has_figure = || filled().any(|cell| cell.text.bytes().any(|byte| byte.is_ascii_digit()));
    !numbered && rest() && labelled() && has_figure()
}

/// `2 orders`, `12 parcels`.
fn counts_orders(text: &str) -> bool {
    let Some((count, what)) = text.split_once(' ') else { return false };
    let what = what.trim().trim_end_matches(['.', ')']).to_ascii_lowercase();
    !count.is_empty() && count.bytes().all(|byte| byte.is_ascii_digit()) && Topic::Rows.says(&what, "what-is-counted")
}

/// Words for a sum, with or without its figure: `Total COD`, `G. Total`, `COD 998`.
fn says_sum(text: &str) -> bool {
    const BYTES_MAX: usize = 40;
    text.len() <= BYTES_MAX && says(text, "sum")
}

/// What a cell says of a row that may be no order.
fn says(text: &str, sense: &str) -> bool {
    Topic::Rows.says(text, sense)
}

fn rest_is_numbers(row: &Row) -> bool {
    let rest = row.cells().filter(|cell| cell.kind != CellKind::Empty).skip(1);
    // The sum of a table is a formula.
    let is_number = |cell: Cell<'_>| cell.kind == CellKind::FormulaWithoutValue || is_mostly_digits(cell.text);
    rest.into_iter().all(|cell| is_number(cell) || is_count(cell.text))
}

/// `12 pcs`, `2 orders`.
fn is_count(text: &str) -> bool {
    let mut words = text.split_whitespace();
    words.next().is_some_and(|word| word.bytes().all(|byte| byte.is_ascii_digit()))
        && words.clone().count() <= 1
        && words.all(|word| word.chars().all(|c| c.is_alphabetic() || c == '(' || c == ')'))
}

/// Demands or hints on the columns in every cell; or prose and not one digit in any cell: an order has at least a
/// quantity, a PIN or a phone.
pub(super) fn describes_columns(row: &Row, filled: usize) -> bool {
    let is_demand = |text: &str| says(text, "demand");
    let first = row.cells().find(|cell| !cell.text.is_empty());
    if filled >= 3 && first.is_some_and(|cell| is_demand(cell.text)) {
        return row.cells().filter(|cell| !cell.text.is_empty()).all(|cell| is_demand(cell.text));
    }
    if filled >= 3 && only_hints(row) {
        return true;
    }
    let prose = row.cells().filter(|cell| cell.kind == CellKind::Text && words(cell.text) >= 3).count();
    let sentence_first = words(row.cell(0).text) >= 3 && row.cell(0).text.ends_with('.');
    !row.whole_text().contains(char::is_numeric)
        && ((filled >= 4 && prose * 5 >= filled * 3) || (filled >= 2 && sentence_first))
}

/// Hints on how to fill in the columns, typed by hand: `e.g. 10-digit mobile`, `in kg`. Digits stand in hints alone, where
/// an order has them in its phone, its PIN and its quantity.
fn only_hints(row: &Row) -> bool {
    let is_hint = |text: &str| says(text, "hint");
    let filled = || row.cells().filter(|cell| cell.kind != CellKind::Empty);
    // Most rows end at their first figure.
    let no_figures = |cell: Cell<'_>| !cell.text.contains(char::is_numeric);
    filled().all(|cell| cell.kind == CellKind::Text && (no_figures(cell) || is_hint(cell.text)))
        && filled().any(|cell| is_hint(cell.text))
}

fn words(text: &str) -> usize {
    text.split_whitespace().filter(|word| word.contains(char::is_alphabetic)).count()
}

/// Whether a cell begins with a word for a sum.
fn is_total(text: &str) -> bool {
    says(text, "total")
}

fn is_record_count(text: &str) -> bool {
    says(text, "record-count")
}

/// A cell that signs, dates or ends a sheet; alone in its row, or beside a name or a date.
fn is_footer(text: &str, filled: usize) -> bool {
    says(text, "footer") && (filled == 1 || text.ends_with(':') || !text.contains(char::is_numeric))
}
