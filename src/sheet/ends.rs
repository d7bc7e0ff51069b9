//! How the rows of a sheet end, which shows whether its last one was cut off.

use super::row::Row;

/// How the rows of a sheet end: how many cells they have, and what form their last ones have in common.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RowEnds {
    rows: u32,
    /// The cells of the shortest row.
    least: Option<usize>,
    /// The decimals of the last cells, where all of them are figures.
    decimals: Common<Option<usize>>,
    /// The form of the last cells.
    form: Common<String>,
}

/// What all have in common.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
enum Common<T> {
    #[default]
    Nothing,
    All(T),
    Several,
}

impl<T: PartialEq> Common<T> {
    fn add(&mut self, other: Self) {
        match (&*self, &other) {
            (_, Self::Nothing) => {}
            (Self::Nothing, _) => *self = other,
            (one, other) if one == other => {}
            _ => *self = Self::Several,
        }
    }

    fn all(&self) -> Option<&T> {
        if let Self::All(own) = self { Some(own) } else { None }
    }
}

impl RowEnds {
    /// Learns from a row that has an end.
    pub fn learn(&mut self, row: &Row) {
        if row.is_open() {
            return;
        }
        let last = last_cell(row);
        self.rows = self.rows.saturating_add(1);
        self.least = Some(self.least.map_or(row.len(), |least| least.min(row.len())));
        self.decimals.add(Common::All(decimals(last)));
        if self.form != Common::Several {
            self.form.add(Common::All(form(last)));
        }
    }

    /// Adds what another part of the same sheet shows.
    pub(crate) fn add(&mut self, other: Self) {
        self.rows = self.rows.saturating_add(other.rows);
        self.least = self.least.into_iter().chain(other.least).min();
        self.decimals.add(other.decimals);
        self.form.add(other.form);
    }

    /// How many cells a row should have that its file ends in, where it has fewer than all others.
    #[must_use]
    pub fn lacks_cells(&self, row: &Row) -> Option<usize> {
        self.least.filter(|least| row.is_open() && row.len() < *least)
    }

    /// Whether the cell in which the file ends may be a part of what stood there: it lacks the decimals or the length that all
    /// last cells above have. Free text has neither.
    #[must_use]
    pub fn is_cut(&self, row: &Row) -> bool {
        /// So many rows show a form. One amount with its two decimals does so alone.
        const ROWS_MIN: u32 = 3;
        let last = last_cell(row);
        let places = self.decimals.all().copied().flatten().unwrap_or_default();
        let is_word = last.contains(char::is_alphabetic);
        let shows = if places > 1 && !last.is_empty() { 1 } else { ROWS_MIN };
        let lacks_decimals = places > 0 && self.rows >= shows && !is_word && decimals(last) != Some(places);
        let is_shorter = self.form.all().is_some_and(|form| {
            // Amounts and counts of up to four digits are as long as each other by chance.
            let is_fixed = form.chars().count() > 4 || !form.chars().all(|c| c == '9');
            let is_shown = is_fixed && form.contains('9') && self.rows >= ROWS_MIN;
            is_shown && last.chars().count() < form.chars().count()
        });
        row.is_open() && (lacks_decimals || is_shorter)
    }
}

fn last_cell(row: &Row) -> &str {
    row.cell(row.len().saturating_sub(1)).text
}

/// The decimals of a figure; nothing of what is none.
fn decimals(text: &str) -> Option<usize> {
    let figure = text.trim_start_matches(|c: char| !c.is_ascii_digit());
    let is_figure =
        figure.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b',')) && !figure.is_empty();
    let decimals = figure.rfind(['.', ',']).map_or(0, |sign| figure.len() - sign - 1);
    is_figure.then_some(decimals)
}

/// A text with one digit for all digits, and one letter for all letters.
fn form(text: &str) -> String {
    let alike = |c: char| match c {
        c if c.is_numeric() => '9',
        c if c.is_alphabetic() => 'A',
        c => c,
    };
    text.chars().map(alike).collect()
}
