//! What a worksheet does to its rows beside their cells: hides them, colours them, and merges cells over several of them.

use std::collections::HashMap;
use std::sync::Arc;

use crate::finding::Finding;
use crate::finding::sheet::{coloured_rows, hidden_rows, merged_cells, notice};
use crate::origin::{Place, Source};
use crate::sheet::cell::CellKind;
use crate::sheet::row::Row;

/// Areas that a worksheet may merge; none that people make has more.
const AREAS_MAX: usize = 1 << 17;

/// Rows over which all merged areas of a worksheet may reach, added up.
const MERGED_ROWS_MAX: u64 = 1 << 24;

/// Places that are named of each kind.
const NAMED_MAX: usize = 10_000;

/// Cells that are merged into one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Area {
    /// First and last, counted from 1.
    pub(super) rows: (u32, u32),
    /// First and last, counted from 0.
    pub(super) columns: (u32, u32),
}

/// What is known of one worksheet.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Shape {
    /// First and last of rows that hold something, rising.
    filled: Vec<(u32, u32)>,
    /// First and last of those that are hidden, rising.
    hidden: Vec<(u32, u32)>,
    /// Whether a filter is set, which hides rows.
    pub(super) filtered: bool,
    /// First and last of those that have a colour, rising, with the colour's number.
    coloured: Vec<(u32, u32, u16)>,
    /// Areas of more than one row.
    merged: Vec<Area>,
    merged_rows: u64,
    /// First and last of rows in which a part of a text is struck through, rising.
    struck: Vec<(u32, u32)>,
    /// Whether the formats of its numbers are not known.
    pub(super) formats_unknown: bool,
}

impl Shape {
    /// Takes a row that holds something.
    pub(super) fn fill(&mut self, row: u32) {
        append(&mut self.filled, row, row);
    }

    /// Takes the colour of a row that holds something.
    pub(super) fn colour(&mut self, row: u32, colour: u16) {
        match self.coloured.last_mut() {
            Some((_, end, own)) if end.saturating_add(1) == row && *own == colour => *end = row,
            _ => self.coloured.push((row, row, colour)),
        }
    }

    /// Takes the colour of rows that hold something.
    pub(super) fn colour_all(&mut self, (first, last): (u32, u32), colour: u16) {
        self.coloured.push((first, last, colour));
    }

    /// Takes the colours of a row's filled cells, 0 where one has none: the row has that of most of them.
    pub(super) fn colour_by_cells(&mut self, row: u32, colours: &mut [u16]) {
        colours.sort_unstable();
        if let Some(most) = colours.get(colours.len() / 2).copied().filter(|most| *most > 0) {
            self.colour(row, most);
        }
    }

    /// Coloured rows, as they were taken.
    pub(super) const fn coloured(&self) -> &[(u32, u32, u16)] {
        self.coloured.as_slice()
    }

    /// Takes hidden rows that hold something.
    pub(super) fn hide(&mut self, first: u32, last: u32) {
        append(&mut self.hidden, first, last);
    }

    /// Takes a row in which a part of a text is struck through.
    pub(super) fn strike(&mut self, row: u32) {
        append(&mut self.struck, row, row);
    }

    /// Whether a part of a text in a row is struck through.
    pub(super) fn is_struck(&self, row: u32) -> bool {
        let from = self.struck.partition_point(|(_, last)| *last < row);
        self.struck.get(from).is_some_and(|(first, _)| *first <= row)
    }

    /// Takes merged cells; `false` where there are more than a sheet for people has.
    pub(super) fn merge(&mut self, area: Area) -> bool {
        if area.rows.0 < area.rows.1 {
            self.merged.push(area);
            self.merged_rows += u64::from(area.rows.1 - area.rows.0);
        }
        self.merged.len() <= AREAS_MAX && self.merged_rows <= MERGED_ROWS_MAX
    }

    /// Hidden rows, as they were taken.
    pub(super) fn hidden(&self) -> &[(u32, u32)] {
        &self.hidden
    }

    /// Merged areas, as they were taken.
    pub(super) const fn merged(&self) -> &[Area] {
        self.merged.as_slice()
    }

    /// What is to be asked about rows by their numbers: those that a person has marked among others, by hiding them or by
    /// giving them a colour, where few rows are so.
    pub(super) fn questions(&self, source: &Arc<Source>, header_row: u32) -> HashMap<u32, Vec<Finding>> {
        let mut questions: HashMap<u32, Vec<Finding>> = HashMap::new();
        let mut ask = |rows: Vec<(u32, u32)>, question: &dyn Fn() -> Finding| {
            if self.are_few(&rows, header_row) {
                for row in rows.into_iter().flat_map(|(first, last)| first..=last) {
                    questions.entry(row).or_default().push(question().at(Place::row(source, row)));
                }
            }
        };
        ask(self.hidden_below(header_row), &|| hidden_rows::one_of_few(self.filtered));
        let mut colours: Vec<u16> = self.coloured.iter().map(|(.., colour)| *colour).collect();
        colours.sort_unstable();
        colours.dedup();
        for colour in colours {
            let of_colour = self.coloured.iter().filter(|(_, last, own)| *own == colour && *last > header_row);
            let rows: Vec<(u32, u32)> = of_colour.map(|(first, last, _)| (*first, *last)).collect();
            if !are_bands(&rows) {
                ask(rows, &coloured_rows::one_of_few);
            }
        }
        questions
    }

    /// Hidden rows below the header.
    fn hidden_below(&self, header_row: u32) -> Vec<(u32, u32)> {
        self.hidden.iter().filter(|(_, last)| *last > header_row).copied().collect()
    }

    /// Whether rows below the header are so few of all that somebody has marked them one by one.
    fn are_few(&self, rows: &[(u32, u32)], header_row: u32) -> bool {
        /// Of as many rows, one is few.
        const ONE_OF: u32 = 5;
        let count = |rows: &[(u32, u32)]| -> u32 {
            rows.iter().map(|(first, last)| last.saturating_sub((*first).max(header_row + 1) - 1)).sum()
        };
        let below: Vec<(u32, u32)> = self.filled.iter().filter(|(_, last)| *last > header_row).copied().collect();
        count(rows).saturating_mul(ONE_OF) < count(&below)
    }

    /// A filter hides rows and leaves them in the file: whoever saw ten orders should know of the other thirty. A cell
    /// that is merged over rows looks as if it held for all of them.
    pub(super) fn notices(&self, source: &Arc<Source>, header_row: u32) -> Vec<Finding> {
        let hidden = self.hidden_below(header_row);
        let hidden = if self.are_few(&hidden, header_row) { Vec::new() } else { hidden };
        let hidden = hidden
            .into_iter()
            .map(|(first, last)| hidden_rows::read_like_others(self.filtered).at(Place::rows(source, first, last)));
        let merged = self
            .merged
            .iter()
            .filter(|area| area.rows.1 > header_row)
            .map(|area| merged_cells::read_for_each().at(Place::area(source, area.rows, area.columns)));
        let unknown = || notice::number_formats_unknown().at(Place::row(source, header_row));
        let formats = self.formats_unknown.then(unknown);
        formats.into_iter().chain(hidden.take(NAMED_MAX)).chain(merged.take(NAMED_MAX)).collect()
    }
}

/// Adds rows behind others, or to the last of them.
fn append(rows: &mut Vec<(u32, u32)>, first: u32, last: u32) {
    match rows.last_mut() {
        Some((_, end)) if end.saturating_add(1) == first => *end = last,
        Some((_, end)) if *end >= first => {}
        _ => rows.push((first, last)),
    }
}

/// Whether rows are coloured at even distances, for the eye.
fn are_bands(rows: &[(u32, u32)]) -> bool {
    const BANDS_MIN: usize = 3;
    let mut distances = rows.windows(2).map(|pair| (pair[1].0 - pair[0].0, pair[1].1 - pair[0].1));
    let first = distances.next();
    rows.len() >= BANDS_MIN && distances.all(|distance| Some(distance) == first)
}

/// Gives merged cells their value in each of their rows, while rows pass from the first to the last.
#[derive(Debug)]
pub(super) struct Fill<'s> {
    areas: Vec<&'s Area>,
    next: usize,
    active: Vec<(&'s Area, String, CellKind)>,
}

impl<'s> Fill<'s> {
    pub(super) fn new(shape: &'s Shape) -> Self {
        let mut areas: Vec<&Area> = shape.merged.iter().collect();
        areas.sort_by_key(|area| (area.rows.0, area.columns.0));
        Self { areas, next: 0, active: Vec::new() }
    }

    /// Whether nothing is merged.
    pub(super) const fn is_idle(&self) -> bool {
        self.areas.is_empty()
    }

    /// Fills a row in. A row that holds nothing of its own stays blank: an order that is merged over two rows is one.
    pub(super) fn fill(&mut self, row: &mut Row) {
        let number = row.number();
        self.active.retain(|(area, ..)| area.rows.1 >= number);
        if row.has_filled(1) {
            for (area, text, kind) in &self.active {
                row.merge(area.columns.0 as usize, text, *kind);
            }
        }
        while let Some(area) = self.areas.get(self.next).filter(|area| area.rows.0 <= number) {
            self.next += 1;
            // Areas that overlap break the rules of every format.
            let overlaps = self.active.iter().any(|(other, ..)| other.columns.0 == area.columns.0);
            let cell = row.cell(area.columns.0 as usize);
            if area.rows.0 == number && !overlaps && cell.kind != CellKind::Empty {
                self.active.push((area, cell.text.to_owned(), cell.kind));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn area(rows: (u32, u32), column: u32) -> Area {
        Area { rows, columns: (column, column) }
    }

    #[test]
    fn hidden_rows_join_and_merged_ones_are_bounded() {
        let mut shape = Shape::default();
        for row in [2, 3, 4, 9, 9, 11] {
            shape.hide(row, row);
        }
        assert_eq!(shape.hidden(), [(2, 4), (9, 9), (11, 11)]);
        assert!(shape.merge(area((1, 1), 0)) && shape.merged().is_empty(), "within one row nothing is hidden");
        assert!(shape.merge(area((1, 1 << 20), 0)));
        assert!((0..15).all(|column| shape.merge(area((1, 1 << 20), column))));
        assert!(!shape.merge(area((1, 1 << 20), 20)), "more rows than any sheet for people merges");
    }

    #[test]
    fn merged_values_reach_each_row_that_has_something_else() {
        let mut shape = Shape::default();
        for (rows, column) in [((2, 4), 0), ((3, 4), 1), ((3, 5), 1), ((2, 9), 2)] {
            shape.merge(area(rows, column));
        }
        let mut fill = Fill::new(&shape);
        let mut filled = |number: u32, cells: [&str; 4]| {
            let mut row = Row::default();
            row.restart(number);
            for cell in cells {
                row.push(cell, CellKind::Text);
            }
            fill.fill(&mut row);
            let merged: Vec<usize> = (0..4).filter(|index| row.is_merged(*index)).collect();
            (row.cells().map(|cell| cell.text.to_owned()).collect::<Vec<_>>().join("|"), merged)
        };
        assert_eq!(filled(2, ["A-1", "", "", "x"]), ("A-1|||x".to_owned(), vec![]));
        assert_eq!(filled(3, ["", "b", "", "y"]), ("A-1|b||y".to_owned(), vec![0]));
        assert_eq!(filled(4, ["", "", "", ""]), ("|||".to_owned(), vec![]));
        assert_eq!(filled(5, ["", "", "", "z"]), ("|||z".to_owned(), vec![]), "the one that overlaps is none");
    }
}
