//! What a profile, or the headers alone, come to on one sheet.

use crate::column::{Claim, Feed, HeaderUnit};
use crate::field::{AmountRole, HeaderReading, Id, Match, Need, Rank, Sign, Version, normalised};
use crate::origin::{Column, Place, Source};

use crate::profile::{Mapper, Recipe, Step};

use std::collections::BTreeSet;
use std::sync::{Arc, LazyLock};

/// Which columns of one sheet feed which fields.
#[derive(Debug, Clone)]
pub struct Plan {
    pub(super) feeds: Vec<Feed>,
    pub(super) unknown: Vec<Column>,
    pub(super) units: Vec<HeaderUnit>,
    pub(super) amounts: Vec<Claim>,
    pub(super) mapper: Mapper,
    pub(super) headers: Vec<String>,
    pub(super) readings: Arc<[HeaderReading]>,
    pub(super) profile: Option<String>,
    pub(super) own: bool,
    /// Columns that are not what their headers say.
    pub(super) refused: Vec<u32>,
    /// The column whose cells say how orders are paid, though it is not taken for it.
    pub(super) payment_in_cells: Option<u32>,
    /// Whether the price is reckoned from what all pieces of a row come to, by the header of its column.
    pub(super) line_total: bool,
}

/// What cells say of columns against or beside their headers.
#[derive(Debug, Clone, Default)]
pub struct Meanings {
    /// Columns that are fields, whatever their headers say.
    pub taken: Vec<(u32, Id)>,
    /// Columns that are not what their headers say.
    pub refused: Vec<u32>,
}

impl Meanings {
    /// Whether the cells of a column say what it is, or that it is not what its header says.
    pub(super) fn are_of(&self, column: u32) -> bool {
        self.refused.contains(&column) || self.taken.iter().any(|(own, _)| *own == column)
    }

    /// The field that a column is by its cells, or else by its header.
    pub(super) fn matched(&self, column: u32, reading: &HeaderReading) -> Option<Match> {
        match self.taken.iter().find(|(own, _)| *own == column) {
            Some((_, id)) => Some(Match { field: id.field(), rank: Rank::Cells }),
            None => reading.field.filter(|_| !self.are_of(column)),
        }
    }
}

/// A header row with its place.
pub(super) struct Header<'a> {
    pub(super) source: &'a Arc<Source>,
    pub(super) row: u32,
    pub(super) cells: &'a [String],
    pub(super) readings: &'a Arc<[HeaderReading]>,
}

impl Header<'_> {
    pub(super) fn reading(&self, index: u32) -> &HeaderReading {
        &self.readings[index as usize]
    }

    /// The column with that header, by its very text or else whatever its case, spaces and punctuation.
    pub(super) fn find(&self, wanted: &str) -> Option<u32> {
        let bare = normalised(wanted);
        let exact = self.cells.iter().position(|cell| cell == wanted);
        let found = exact.or_else(|| self.cells.iter().position(|cell| !bare.is_empty() && normalised(cell) == bare));
        found.and_then(|index| u32::try_from(index).ok())
    }

    pub(super) fn place(&self, index: u32) -> Place {
        let header = self.cells.get(index as usize).cloned().unwrap_or_default();
        Place::cell(self.source, self.row, index, header)
    }
}

impl Plan {
    /// The column, counted from 0, that feeds a field; that of its first product where several stand side by side.
    #[must_use]
    pub fn column(&self, id: Id) -> Option<u32> {
        self.feed(id).map(|feed| feed.column)
    }

    pub(super) fn feed(&self, id: Id) -> Option<Feed> {
        self.feeds.iter().find(|feed| feed.field.id == id).copied()
    }

    /// Every fed field with its column, in the order of the table of fields.
    pub fn fed(&self) -> impl Iterator<Item = Feed> + '_ {
        self.feeds.iter().copied()
    }

    /// How many columns feed a field of that version's request; one that feeds several counts once.
    #[must_use]
    pub fn columns_used(&self, version: Version) -> usize {
        let of = |feed: &Feed| match feed.step {
            Some(step) => self.mapper.sources(step).to_vec(),
            None => vec![feed.column],
        };
        let is_sent = |feed: &&Feed| feed.field.need(version) != Need::Absent;
        self.feeds.iter().filter(is_sent).flat_map(of).collect::<BTreeSet<u32>>().len()
    }

    /// What makes the values that are not simply a cell.
    #[must_use]
    pub const fn mapper(&self) -> &Mapper {
        &self.mapper
    }

    /// The profile that it follows.
    #[must_use]
    pub fn profile(&self) -> Option<&str> {
        self.profile.as_deref()
    }

    /// Whether a person made that profile.
    #[must_use]
    pub const fn is_own(&self) -> bool {
        self.own
    }

    /// The columns with a header that no field takes.
    #[must_use]
    pub fn unknown(&self) -> &[Column] {
        &self.unknown
    }

    /// The columns that no field takes, and those whose amounts are only compared.
    #[must_use]
    pub fn free_columns(&self) -> Vec<Column> {
        let is_free = |own: &&Claim| {
            let role = matches!(own.role, AmountRole::Same(_) | AmountRole::Total | AmountRole::Beside)
                && own.by_header
                || own.role == AmountRole::Sign(Sign::Payment);
            role && !self.feeds.iter().any(|feed| feed.column == own.column)
        };
        let compared = self.amounts.iter().filter(is_free).map(|own| own.column);
        let compared = compared.filter(|column| !self.unknown.iter().any(|own| own.index == *column));
        let compared = compared.map(|index| Column { index, header: self.header(index).to_owned() });
        let mut free: Vec<Column> = self.unknown.iter().cloned().chain(compared).collect();
        free.sort_by_key(|column| column.index);
        free.dedup();
        free
    }

    /// The units that headers name, one for each unit's field.
    #[must_use]
    pub fn units(&self) -> &[HeaderUnit] {
        &self.units
    }

    /// The amounts of orders that the sheet says beside the fields.
    #[must_use]
    pub fn amounts(&self) -> &[Claim] {
        &self.amounts
    }

    /// The headers of all columns.
    #[must_use]
    pub fn headers(&self) -> &[String] {
        &self.headers
    }

    /// What the headers of all columns say.
    #[must_use]
    pub const fn readings(&self) -> &Arc<[HeaderReading]> {
        &self.readings
    }

    /// What the header of a column says; nothing beyond the last of them.
    #[must_use]
    pub fn reading(&self, column: u32) -> &HeaderReading {
        static NOTHING: LazyLock<HeaderReading> = LazyLock::new(HeaderReading::default);
        self.readings.get(column as usize).unwrap_or(&NOTHING)
    }

    /// Feeds a field from a column, which nothing else takes.
    pub(super) fn take(&mut self, id: Id, column: u32, step: Option<u16>) {
        self.unknown.retain(|own| own.index != column);
        self.feeds.push(Feed { field: id.field(), column, product: 0, step, shared: false });
        self.feeds.sort_by_key(|feed| (feed.field.id, feed.product));
    }

    /// What makes a value of one column's cells.
    pub(super) fn step(&mut self, recipe: &Recipe, column: u32) -> u16 {
        self.mapper.add(Step { recipe: recipe.clone(), sources: vec![column], ..Step::default() })
    }

    /// Notes what a column says beside the fields.
    pub(super) fn claim(&mut self, role: AmountRole, column: u32, by_header: bool) {
        self.amounts.push(Claim { role, column, each_line: false, by_header });
    }

    pub(super) fn header(&self, column: u32) -> &str {
        self.headers.get(column as usize).map_or("", String::as_str)
    }
}
