//! The first rows of a sheet, read once: what its columns hold.

use std::collections::HashMap;
use std::sync::{LazyLock, OnceLock};

use super::cell_kinds::{CellKinds, word};
use crate::sheet::{Cell, Sheet, SheetError};
use crate::text::Text;

/// Rows that are looked at, and cells of a sheet with very many columns.
const ROWS: usize = 2_000;
const CELLS: usize = 400_000;

/// So many rows are looked at however many columns there are.
const ROWS_MIN: usize = 50;

/// Bytes of a cell: more of a longer text tells no more of what its column is.
pub(super) const LOOKED_AT_MAX: usize = 512;

/// What the first rows of a sheet hold.
#[derive(Debug, Clone, Default)]
pub struct Sample {
    /// By their places.
    pub columns: Vec<Seen>,
    /// How many rows were looked at.
    pub rows: u32,
    /// Whether these are all of its rows.
    is_whole: bool,
}

/// What was seen of a column.
#[derive(Debug, Clone, Default)]
pub struct Seen {
    /// The cell of the first row.
    pub first: String,
    /// Its different values in the order in which they come, each with the number of its cells.
    pub values: Vec<(Text, u32)>,
    /// How many of its cells are filled.
    pub filled: u32,
    /// What its cells are.
    pub held: CellKinds,
    /// What its cells are by the look of their texts.
    pub looks: CellKinds,
    /// The first cell of each kind: its word, row and text.
    pub examples: Vec<(&'static str, u32, String)>,
    /// How many cells repeat a value after others: the rows of one order stand together.
    apart: u32,
    /// Where each value stands among all, and what it is in one word.
    known: HashMap<Text, (usize, &'static str)>,
    /// The value of the row before.
    before: Option<usize>,
    /// The values of the first rows, by their places.
    rows: Vec<Option<usize>>,
}

impl Sample {
    /// Reads the first rows of a sheet.
    ///
    /// # Errors
    /// The sheet cannot be read.
    pub fn of(sheet: &Sheet) -> Result<Self, SheetError> {
        let mut sample = Self { columns: vec![Seen::default(); sheet.header().cells.len()], ..Self::default() };
        let in_text_file = sheet.delimiter().is_some();
        let rows = (CELLS / sample.columns.len().max(1)).clamp(ROWS_MIN, ROWS);
        sheet.first_rows(rows, &mut |number, row| {
            sample.rows += 1;
            let mut columns = sample.columns.iter_mut();
            for (cell, column) in row.cells().zip(columns.by_ref()) {
                if number == 0 {
                    cell.text.clone_into(&mut column.first);
                }
                column.add(cell, in_text_file, row.number());
            }
            // A row may end before the header does.
            columns.for_each(Seen::add_blank);
        })?;
        sample.is_whole = (sample.rows as usize) < rows;
        Ok(sample)
    }

    /// Two different texts of a column that the first rows have for one order, told by its number; a row without one is more of the
    /// order above.
    #[must_use]
    pub fn differing(&self, numbers: u32, column: u32, is: impl Fn(&str) -> bool) -> Option<[&str; 2]> {
        let mut first: HashMap<&str, &str> = HashMap::new();
        let mut order = "";
        let mut rows = self.column(numbers).first_texts().zip(self.column(column).first_texts());
        rows.find_map(|(number, text)| {
            order = number.unwrap_or(order);
            let text = text.filter(|text| is(text))?;
            let before = *first.entry(order).or_insert(text);
            (before != text).then_some([before, text])
        })
    }

    /// Whether it holds all rows of its sheet.
    pub(super) const fn is_whole(&self) -> bool {
        self.is_whole
    }

    /// A column; one that holds nothing where there is none.
    #[must_use]
    pub fn column(&self, index: u32) -> &Seen {
        static NOTHING: LazyLock<Seen> = LazyLock::new(Seen::default);
        self.columns.get(index as usize).unwrap_or(&NOTHING)
    }
}

impl Seen {
    /// Takes one more cell.
    pub fn add(&mut self, cell: Cell<'_>, in_text_file: bool, row: u32) {
        let text = &cell.text[..cell.text.floor_char_boundary(LOOKED_AT_MAX)];
        let cell = cell.with(text);
        // All cells of a text file are texts, and one that came before looks as it did.
        let known = self.known.get(text).copied();
        let is = known.filter(|_| in_text_file).map_or_else(|| word(cell, in_text_file), |(_, is)| is);
        self.held.take(is);
        self.looks.take(if in_text_file { is } else { word(cell, true) });
        if !self.examples.iter().any(|(known, ..)| *known == is) {
            self.examples.push((is, row, text.to_owned()));
        }
        if text.is_empty() {
            return self.add_blank();
        }
        self.filled += 1;
        let next = self.values.len();
        let (place, _) = known.unwrap_or((next, is));
        self.keep_row(Some(place));
        if place == next {
            self.known.insert(text.into(), (next, is));
            self.values.push((text.into(), 0));
        } else if self.before != Some(place) {
            self.apart += 1;
        }
        self.before = Some(place);
        if let Some((_, count)) = self.values.get_mut(place) {
            *count += 1;
        }
    }

    /// Goes on to the next row, in which there is no cell.
    fn add_blank(&mut self) {
        self.before = None;
        self.keep_row(None);
    }

    fn keep_row(&mut self, place: Option<usize>) {
        if self.rows.len() < ROWS_MIN {
            self.rows.push(place);
        }
    }

    /// Its texts in the first rows, one for each.
    pub(super) fn first_texts(&self) -> impl Iterator<Item = Option<&str>> {
        self.rows.iter().map(|place| place.and_then(|place| self.values.get(place)).map(|(text, _)| &**text))
    }

    /// Its texts beside those of another column in the first rows, where both have one.
    pub(super) fn beside<'s>(&'s self, other: &'s Self) -> impl Iterator<Item = (&'s str, &'s str)> {
        self.first_texts().zip(other.first_texts()).filter_map(|(own, others)| own.zip(others))
    }

    /// Its different texts.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.values.iter().map(|(text, _)| &**text)
    }

    /// How many of its cells are so.
    pub(super) fn count(&self, is: impl Fn(&str) -> bool) -> u32 {
        self.values.iter().filter(|(text, _)| is(text)).map(|(_, cells)| *cells).sum()
    }

    /// Whether its cells count the rows: 1, 2, 3.
    pub(super) fn counts_rows(&self) -> bool {
        let counted = (1_usize..).zip(self.texts()).all(|(number, text)| text.parse() == Ok(number));
        self.values.len() > 1 && self.values.iter().all(|(_, cells)| *cells == 1) && counted
    }

    /// The share of its filled cells that repeat a value of another order.
    pub(super) fn repeated(&self) -> f64 {
        if self.filled == 0 { 0.0 } else { f64::from(self.apart) / f64::from(self.filled) }
    }
}

/// The sample of a sheet, which is read where somebody needs it, and not twice.
#[derive(Debug, Default)]
pub struct LazySample(OnceLock<Sample>);

impl LazySample {
    /// The sample of this sheet.
    ///
    /// # Errors
    /// The sheet cannot be read.
    pub fn of(&self, sheet: &Sheet) -> Result<&Sample, SheetError> {
        if self.0.get().is_none() {
            let sample = Sample::of(sheet)?;
            return Ok(self.0.get_or_init(|| sample));
        }
        Ok(self.0.get_or_init(Sample::default))
    }
}
