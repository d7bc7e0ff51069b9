//! The orders of a draft as a page shows them: a hundred at a time, with the cells of which something is said.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use crate::app::error::Result;
use crate::column::{Feed, RowRef};
use crate::field::{Id, Level, normalised};
use crate::finding::{self, Finding};
use crate::ledger::State;
use crate::sheet::Row;
use crate::stage::{FieldChange, Opened, StageError, Surveyed, Totals, places_in};

use super::answer::CellEdit;
use super::checked::{Checked, Entry};
use super::filter::{DraftState, Filter};

/// Orders of one page.
const PAGE_MAX: usize = 100;

/// An order, with what is said of it.
#[derive(Debug, Clone)]
pub struct DraftOrder {
    /// Its number.
    pub number: String,
    /// Its rows, as people write them.
    pub rows: String,
    /// The receiver's name and phone number as its first row has them; either may be empty.
    pub receiver: [String; 2],
    /// Where it stands.
    pub state: DraftState,
    /// Whether it stands so by the clerk's word.
    pub by_clerk: bool,
    /// Where the ledger has it, where it knows it.
    pub known: Option<State>,
    /// Its AWB, where it is booked.
    pub awb: Option<String>,
    /// The cells of which something is said.
    pub cells: Vec<FoundCell>,
    /// What is said of the order as such.
    pub findings: Vec<Finding>,
    /// What tells all that is said of it from anything else.
    pub told: u64,
    /// What it comes to, where it can be formed.
    pub totals: Option<Totals>,
    /// The values that differ in the sheet, where it is booked.
    pub changes: Vec<FieldChange>,
}

/// A cell of which something is said.
#[derive(Debug, Clone)]
pub struct FoundCell {
    /// The sheet's place among those of the draft.
    pub sheet: usize,
    /// Its row, as people count.
    pub row: u32,
    /// Its column, counted from 0.
    pub column: u32,
    /// Its header.
    pub header: String,
    /// Its text now.
    pub text: String,
    /// Whether the clerk typed that.
    pub edited: bool,
    /// What is said of it.
    pub findings: Vec<Finding>,
    /// The filled cells of its column in other rows of the order, where these are one question: each is mended by itself.
    pub others: Vec<OtherCell>,
}

/// A cell in another row of the order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OtherCell {
    /// Its row, as people count.
    pub row: u32,
    /// Its text now.
    pub text: String,
    /// Whether the clerk typed that.
    pub edited: bool,
}

/// An order with all cells of its rows.
#[derive(Debug, Clone)]
pub struct WholeOrder {
    /// The order.
    pub order: DraftOrder,
    /// Its rows.
    pub rows: Vec<WholeRow>,
}

/// A row with all its cells.
#[derive(Debug, Clone)]
pub struct WholeRow {
    /// The sheet's place among those of the draft.
    pub sheet: usize,
    /// Its number, as people count.
    pub row: u32,
    /// Its cells, one for each column of the header, and more where the row is wider.
    pub cells: Vec<WholeCell>,
}

/// A cell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WholeCell {
    /// Its column, counted from 0.
    pub column: u32,
    /// Its header.
    pub header: String,
    /// Its text now.
    pub text: String,
    /// Whether the clerk typed that.
    pub edited: bool,
}

/// A filled row that names no order.
#[derive(Debug, Clone)]
pub struct StrayRow {
    /// The row.
    pub row: WholeRow,
    /// Its cell for the order's number, where a column has that.
    pub number: Option<WholeCell>,
    /// Why it stays behind.
    pub findings: Vec<Finding>,
}

/// What pages are made from.
pub(super) struct Pages<'d> {
    pub(super) opened: &'d Opened,
    pub(super) surveyed: &'d Surveyed,
    pub(super) checked: &'d Checked,
}

/// The texts of rows.
type Texts = BTreeMap<RowRef, Vec<String>>;

impl Pages<'_> {
    pub(super) fn page(&self, filter: &Filter, from: usize, most: usize) -> Result<Vec<DraftOrder>> {
        let entries = self.checked.entries().iter().filter(|entry| entry.is_meant(filter));
        let entries = entries.skip(from).take(most.min(PAGE_MAX));
        let orders = entries.map(|entry| Ok((entry, self.checked.said(entry).map_err(StageError::Spool)?)));
        let orders: Vec<(&Entry, Vec<Finding>)> = orders.collect::<Result<_>>()?;
        let cells = orders.iter().flat_map(|(_, said)| said.iter().filter_map(|finding| self.cell_of(finding)));
        let needed = orders.iter().flat_map(|(entry, said)| {
            let is_of_all = said.iter().any(is_of_all_rows);
            entry.rows.iter().take(if is_of_all { usize::MAX } else { 1 }).copied()
        });
        let texts = self.texts(&cells.map(|(row, _)| row).chain(needed).collect())?;
        Ok(orders.into_iter().map(|(entry, said)| self.order_of(entry, said, &texts)).collect())
    }

    pub(super) fn order(&self, number: &str) -> Result<Option<WholeOrder>> {
        let Some(entry) = self.checked.entry(number) else { return Ok(None) };
        let said = self.checked.said(entry).map_err(StageError::Spool)?;
        let others = said.iter().filter_map(|finding| self.cell_of(finding)).map(|(row, _)| row);
        let texts = self.texts(&entry.rows.iter().copied().chain(others).collect())?;
        let rows = entry.rows.iter().map(|row| self.whole(*row, &texts)).collect();
        Ok(Some(WholeOrder { order: self.order_of(entry, said, &texts), rows }))
    }

    /// The rows of these orders with all their cells, in one pass over the sheet.
    pub(super) fn rows_of(&self, entries: &[&Entry]) -> Result<Vec<Vec<WholeRow>>> {
        let texts = self.texts(&entries.iter().flat_map(|entry| entry.rows.iter().copied()).collect())?;
        Ok(entries.iter().map(|entry| entry.rows.iter().map(|row| self.whole(*row, &texts)).collect()).collect())
    }

    pub(super) fn strays(&self, most: usize) -> Result<Vec<StrayRow>> {
        let strays = || self.checked.strays().iter().take(most);
        let texts = self.texts(&strays().map(|(at, _)| *at).collect())?;
        let stray = |(at, findings): &(RowRef, Vec<Finding>)| {
            let row = self.whole(*at, &texts);
            let column = self.opened.columns.of(at.sheet).column(Id::OrderNumber);
            let number = row.cells.iter().find(|cell| Some(cell.column) == column).cloned();
            StrayRow { row, number, findings: findings.clone() }
        };
        Ok(strays().map(stray).collect())
    }

    fn whole(&self, at: RowRef, texts: &Texts) -> WholeRow {
        let planned = &self.opened.sheets[usize::from(at.sheet)];
        let headers = &planned.sheet.header().cells;
        let texts = texts.get(&at).map_or(&[][..], Vec::as_slice);
        let filled = texts.iter().rposition(|text| !text.is_empty()).map_or(0, |last| last + 1);
        let cell = |index: usize, column: u32| WholeCell {
            column,
            header: headers.get(index).cloned().unwrap_or_default(),
            text: texts.get(index).cloned().unwrap_or_default(),
            edited: planned.sheet.overlay().get(at.row, column).is_some(),
        };
        let cells = (0..headers.len().max(filled)).zip(0..).map(|(index, column)| cell(index, column)).collect();
        WholeRow { sheet: usize::from(at.sheet), row: at.row, cells }
    }

    fn order_of(&self, entry: &Entry, said: Vec<Finding>, texts: &Texts) -> DraftOrder {
        let mut cells: Vec<FoundCell> = Vec::new();
        let mut findings = Vec::new();
        for finding in said {
            let Some((at, column)) = self.cell_of(&finding) else {
                findings.push(finding);
                continue;
            };
            let sheet = usize::from(at.sheet);
            let is_whole = is_of_all_rows(&finding);
            if let Some(cell) = cells.iter_mut().find(|own| (own.sheet, own.row, own.column) == (sheet, at.row, column))
            {
                cell.findings.push(finding);
                if is_whole && cell.others.is_empty() {
                    cell.others = self.others(entry, (at, column), texts);
                }
                continue;
            }
            let planned = &self.opened.sheets[sheet];
            cells.push(FoundCell {
                others: if is_whole { self.others(entry, (at, column), texts) } else { Vec::new() },
                sheet,
                row: at.row,
                column,
                header: planned.sheet.header().cells.get(column as usize).cloned().unwrap_or_default(),
                text: texts.get(&at).and_then(|texts| texts.get(column as usize)).cloned().unwrap_or_default(),
                edited: planned.sheet.overlay().get(at.row, column).is_some(),
                findings: vec![finding],
            });
        }
        DraftOrder {
            number: entry.number.to_string(),
            rows: self.opened.columns.rows(&entry.rows),
            receiver: entry.rows.first().map(|row| self.receiver(*row, texts)).unwrap_or_default(),
            state: entry.state,
            by_clerk: entry.by_clerk,
            known: entry.known,
            awb: entry.awb.as_ref().map(ToString::to_string),
            cells,
            findings,
            told: entry.told,
            totals: entry.formed.as_ref().map(|formed| formed.totals),
            changes: entry.formed.as_ref().map_or_else(Vec::new, |formed| formed.changes.to_vec()),
        }
    }

    /// The filled cells of a column in the other rows of an order, but for those that are mended together with this one.
    fn others(&self, entry: &Entry, (at, column): (RowRef, u32), texts: &Texts) -> Vec<OtherCell> {
        let planned = &self.opened.sheets[usize::from(at.sheet)];
        let text = |row: RowRef| texts.get(&row).and_then(|texts| texts.get(column as usize)).map(|text| text.trim());
        let own = text(at).unwrap_or_default();
        let columns = self.opened.columns.of(at.sheet);
        let is_repeated = columns.fed().any(|feed| columns.sources(feed).contains(&column));
        let others = entry.rows.iter().filter(|row| row.sheet == at.sheet && row.row != at.row);
        let other = |row: &RowRef| {
            let text = text(*row).filter(|text| !text.is_empty())?;
            let edited = planned.sheet.overlay().get(row.row, column).is_some();
            let is_apart = !is_repeated || plainly(text) != plainly(own);
            is_apart.then(|| OtherCell { row: row.row, text: text.to_owned(), edited })
        };
        others.filter_map(other).collect()
    }

    /// The receiver's name and phone number in a row.
    fn receiver(&self, at: RowRef, texts: &Texts) -> [String; 2] {
        let columns = self.opened.columns.of(at.sheet);
        let row = texts.get(&at).map_or(&[][..], Vec::as_slice);
        [&[Id::ReceiverFirstName, Id::ReceiverLastName][..], &[Id::ReceiverPhone]].map(|ids| {
            let fed = columns.fed().filter(|feed| ids.contains(&feed.id()));
            // A name that is parted stands in one column.
            let mut sources: Vec<u32> = fed.flat_map(|feed| columns.sources(feed)).collect();
            sources.dedup();
            let texts = sources.into_iter().filter_map(|column| row.get(column as usize));
            texts.filter(|text| !text.is_empty()).map(String::as_str).collect::<Vec<_>>().join(" ")
        })
    }

    /// The cell that a finding is about.
    fn cell_of(&self, finding: &Finding) -> Option<(RowRef, u32)> {
        let place = finding.place.as_ref()?;
        let column = place.column.as_ref()?;
        let mut sheets = (0_u16..).zip(&self.opened.sheets);
        let (sheet, planned) = sheets.find(|(_, planned)| *planned.sheet.source() == place.source)?;
        (place.row > planned.sheet.header().row).then_some((RowRef { sheet, row: place.row }, column.index))
    }

    /// What stands in these cells.
    pub(super) fn texts_of(&self, cells: &[CellEdit]) -> Result<Vec<String>> {
        let row = |cell: &CellEdit| RowRef { sheet: u16::try_from(cell.sheet).unwrap_or(u16::MAX), row: cell.row };
        let rows = self.texts(&cells.iter().map(row).filter(|row| self.surveyed.has(*row)).collect())?;
        let text = |cell: &CellEdit| rows.get(&row(cell)).and_then(|texts| texts.get(cell.column as usize)).cloned();
        Ok(cells.iter().map(|cell| text(cell).unwrap_or_default()).collect())
    }

    /// Edits with what belongs to them: a value of the whole order is mended in each of its rows that says the same.
    pub(super) fn with_repeats(&self, mut cells: Vec<CellEdit>) -> Result<Vec<CellEdit>> {
        let place = |cell: &CellEdit| (cell.sheet, cell.row, cell.column);
        let typed: BTreeSet<(usize, u32, u32)> = cells.iter().map(place).collect();
        let repeats = cells.iter().flat_map(|cell| self.repeats(cell).into_iter().map(move |row| (cell, row)));
        let repeats = repeats.map(|(cell, row)| (cell.clone(), CellEdit { row, ..cell.clone() }));
        let (edits, others): (Vec<_>, Vec<_>) = repeats.filter(|(_, other)| !typed.contains(&place(other))).unzip();
        let (were, are) = (self.texts_of(&edits)?, self.texts_of(&others)?);
        let says_the_same = |(was, is): (&String, &String)| !is.trim().is_empty() && plainly(was) == plainly(is);
        let texts = were.iter().zip(&are);
        cells.extend(others.into_iter().zip(texts).filter(|(_, texts)| says_the_same(*texts)).map(|(other, _)| other));
        Ok(cells)
    }

    /// The other rows of a cell's order, where its column says something of the whole order.
    fn repeats(&self, cell: &CellEdit) -> Vec<u32> {
        let at = RowRef { sheet: u16::try_from(cell.sheet).unwrap_or(u16::MAX), row: cell.row };
        let Some(entry) = self.checked.at(at).filter(|entry| entry.rows.len() > 1 && !cell.text.trim().is_empty())
        else {
            return Vec::new();
        };
        let columns = self.opened.columns.of(at.sheet);
        let fed: Vec<Feed> = columns.fed().filter(|feed| columns.sources(*feed).contains(&cell.column)).collect();
        let is_whole = |feed: &Feed| {
            feed.field.level == Level::Order && feed.id() != Id::OrderNumber && !columns.in_parts(feed.id())
        };
        if fed.is_empty() || !fed.iter().all(is_whole) {
            return Vec::new();
        }
        let others = entry.rows.iter().filter(|row| row.sheet == at.sheet && row.row != at.row);
        others.map(|row| row.row).collect()
    }

    /// The texts of these rows.
    fn texts(&self, wanted: &BTreeSet<RowRef>) -> Result<Texts> {
        let mut texts = Texts::new();
        let part = self.surveyed.standing_in(wanted.iter().copied());
        for (number, planned) in (0_u16..).zip(&self.opened.sheets) {
            if !wanted.iter().any(|row| row.sheet == number) {
                continue;
            }
            let mut take = |row: &Row| {
                let at = RowRef { sheet: number, row: row.number() };
                if wanted.contains(&at) {
                    texts.insert(at, row.cells().map(|cell| cell.text.to_owned()).collect());
                }
            };
            planned.sheet.read_part(Some(&places_in(&part, number)), &mut |row| {
                take(row);
                ControlFlow::Continue(())
            })?;
        }
        Ok(texts)
    }
}

/// Whether a finding asks one question about all rows of its order.
fn is_of_all_rows(finding: &Finding) -> bool {
    finding.id == finding::Id::OrderClash || finding.amounts.is_some()
}

/// A text without what may be written in two ways: case, blanks, punctuation, and what stands before a phone number.
fn plainly(text: &str) -> String {
    normalised(text.trim().trim_start_matches("+91").trim_start_matches(['0', ' ', '-']))
}
