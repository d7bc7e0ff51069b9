//! A draft whose sheet is read, with what was said of it laid over it.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::app::connect::App;
use crate::app::error::{Error, Misuse, Result};
use crate::app::reading::{Reading, THIS_ONCE};
use crate::column::RowRef;
use crate::config::Sheets;
use crate::event::Events;
use crate::field::Field;
use crate::finding::{Basis, Finding};
use crate::profile::Profile;
use crate::rule::{Acceptances, Accepting, acceptable};
use crate::stage::{OpenOptions, StageError};

use super::answer::{CellEdit, OrderTotal, Said, Step};
use super::check::{Check, Judged};
use super::checked::{Checked, Entry, is_cancelled};
use super::filter::{DraftState, GroupId};
use super::rows::OrderRows;

use super::store::Stored;

/// Bytes of what is typed into a cell; a spreadsheet's cell has no more characters.
const CELL_BYTES_MAX: usize = 32_767;

/// Columns of a spreadsheet.
const COLUMNS_MAX: u32 = 16_384;

/// A draft whose sheet is read.
#[derive(Debug)]
pub(super) struct Open {
    pub(super) reading: Reading,
    /// What people had accepted before.
    accepted: Arc<Acceptances>,
    /// The draft's id.
    id: String,
    pub(super) judged: Option<Judged>,
    /// What stands there instead while the columns are not known.
    pub(super) unusable: Option<Checked>,
}

impl Open {
    pub(super) fn new(app: &App, stored: &Stored, said: &Said, events: &mut Events<'_>) -> Result<Self> {
        let mut sheets = Sheets::of([stored.sheet(app)?]);
        sheets.reading.worksheet.clone_from(&said.worksheet);
        sheets.reading.header_row = said.header_row;
        sheets.profile.clone_from(&said.profile);
        sheets
            .accepting
            .extend(said.of_sheet.iter().map(|Accepting { rule, .. }| Accepting { rule: *rule, orders: Vec::new() }));
        let know = |options: &mut OpenOptions| -> Result<()> {
            for (sheet, toml) in &said.layouts {
                options.answered.insert(*sheet, Profile::parse(THIS_ONCE, toml)?);
            }
            for (path, value) in &said.defaults {
                options.rules.set_default(path, value).map_err(|error| Misuse::Format(error.to_string()))?;
                // What is said of this sheet goes before what a profile says of all of its kind.
                for profile in options.saved.iter_mut().chain(&mut options.profile).chain(options.answered.values_mut())
                {
                    if let Some(own) = Field::by_path(path).and_then(|field| profile.defaults.get_mut(&field.id)) {
                        own.clone_from(value);
                    }
                }
            }
            Ok(())
        };
        let reading = app.read_with(&sheets, know, events)?;
        let accepted = Arc::clone(&reading.rules.levels.accepted);
        Ok(Self { reading, accepted, id: stored.id().to_owned(), judged: None, unusable: None })
    }

    pub(super) const fn checked(&self) -> Option<&Checked> {
        match &self.judged {
            Some(judged) => Some(&judged.checked),
            None => self.unusable.as_ref(),
        }
    }

    pub(super) fn set_revision(&mut self, revision: u64) {
        let checked = self.judged.as_mut().map(|judged| &mut judged.checked).or(self.unusable.as_mut());
        if let Some(checked) = checked {
            checked.revision = revision;
        }
    }

    /// Lays what was said over what is read.
    pub(super) fn take(&mut self, said: &Said) {
        for (sheet, planned) in self.reading.opened.sheets.iter_mut().enumerate() {
            planned.sheet.lay_over(said.overlays.get(&sheet).cloned().unwrap_or_default());
        }
        let accepted = Arc::new(said.acceptances(&self.accepted));
        self.reading.opened.columns.set_levels(|levels| levels.accepting(&accepted));
        self.reading.rules.levels.accepted = accepted;
        self.reading.rules.totals.clone_from(&said.totals);
    }

    /// Checks all of it.
    pub(super) fn check(&mut self, (app, said): (&App, &Said), events: &mut Events<'_>) -> Result<()> {
        if self.reading.is_unusable() {
            let mut checked = Checked::new();
            checked.is_usable = false;
            self.reading.problems().iter().for_each(|problem| checked.note(problem));
            self.unusable = Some(checked);
            return Ok(());
        }
        self.take(said);
        let check = Check { app, reading: &self.reading, said, id: &self.id };
        self.judged = Some(check.all(check.keepers(), events)?);
        Ok(())
    }

    /// Checks what a step changes. Where that fails, all of it is to be checked the next time.
    pub(super) fn again(
        &mut self,
        (app, said): (&App, &Said),
        step: &Step,
        events: &mut Events<'_>,
    ) -> Result<Option<Vec<String>>> {
        self.take(said);
        let Some(mut judged) = self.judged.take() else { return Ok(None) };
        let orders = Check { app, reading: &self.reading, said, id: &self.id }.again(&mut judged, step, events)?;
        self.judged = Some(judged);
        Ok(orders)
    }

    /// Refuses an edit of a cell that the sheet does not have.
    pub(super) fn has(&self, cell: &CellEdit) -> Result<()> {
        let nowhere = || Misuse::Format(format!("there is no such cell: row {}", cell.row));
        let planned = self.reading.opened.sheets.get(cell.sheet).ok_or_else(nowhere)?;
        let row = RowRef { sheet: u16::try_from(cell.sheet).unwrap_or(u16::MAX), row: cell.row };
        let is_there = self.judged.as_ref().is_some_and(|judged| judged.surveyed.has(row));
        let is_below = cell.row > planned.sheet.header().row;
        if is_there && is_below && cell.column < COLUMNS_MAX && cell.text.len() <= CELL_BYTES_MAX {
            return Ok(());
        }
        Err(nowhere().into())
    }

    /// The order that a cell stands in.
    pub(super) fn number_at(&self, cell: &CellEdit) -> Option<String> {
        let row = RowRef { sheet: u16::try_from(cell.sheet).ok()?, row: cell.row };
        Some(self.judged.as_ref()?.checked.at(row)?.number.to_string())
    }

    /// Refuses another number for an order that may be booked already: under a new one it would be sent as a new order.
    pub(super) fn keeps_number(&self, cell: &CellEdit) -> Result<()> {
        let sheet = u16::try_from(cell.sheet).unwrap_or(u16::MAX);
        let Some(Judged { checked, .. }) = &self.judged else { return Ok(()) };
        let Some(entry) = checked.at(RowRef { sheet, row: cell.row }) else { return Ok(()) };
        let columns = self.reading.opened.columns.of(sheet);
        let number = columns.order_number;
        let is_number = number.is_some_and(|fed| columns.sources(fed).contains(&cell.column));
        // A number that is made of cells is none of them.
        let is_cell = number.is_some_and(|fed| fed.step.is_none());
        let (stands, first) = match entry.state {
            DraftState::InDoubt => ("in doubt", ": settle it first"),
            // A cancelled order is not booked again under its number, and may be under another one.
            DraftState::Booked if checked.said(entry).map_err(StageError::Spool)?.iter().any(is_cancelled) => {
                return Ok(());
            }
            DraftState::Booked => ("booked", ""),
            _ => return Ok(()),
        };
        if !is_number || (is_cell && cell.text.trim() == &*entry.number) {
            return Ok(());
        }
        Err(Error::Refused(format!("order {} is {stands}, so its number stays{first}", entry.number)))
    }

    /// The rows of these orders, as far as the sheet has them.
    pub(super) fn rows_of<'n>(&self, orders: impl Iterator<Item = &'n str>) -> Vec<OrderRows> {
        let Some(Judged { checked, .. }) = &self.judged else { return Vec::new() };
        let rows = |entry: &Entry| OrderRows::of(&self.reading.opened, &entry.number, &entry.rows);
        orders.filter_map(|number| checked.entry(number)).flat_map(rows).collect()
    }

    /// Refuses an amount that the sheet does not offer for its order.
    pub(super) fn offers(&self, OrderTotal { order, amount }: &OrderTotal) -> Result<()> {
        let (Some(amount), Some(Judged { checked, .. })) = (amount, &self.judged) else { return Ok(()) };
        let said = checked.entry(order).map(|entry| checked.said(entry)).transpose().map_err(StageError::Spool)?;
        let offers = |own: &Finding| own.amounts.as_ref().is_some_and(|amounts| amounts.offers(*amount));
        if said.unwrap_or_default().iter().any(offers) {
            return Ok(());
        }
        Err(Error::Refused(format!("order {order} has no amount of {amount} to choose from")))
    }

    /// The findings by which a rule holds these orders, or all where none is named, each with the cells that it rests on; of a group
    /// only its own.
    pub(super) fn bases(&self, rule: &str, orders: &[String], group: Option<GroupId>) -> Result<Vec<(String, Basis)>> {
        let rule = acceptable(rule).map_err(Misuse::Format)?;
        let Some(Judged { checked, .. }) = &self.judged else { return Ok(Vec::new()) };
        let wanted: BTreeSet<&str> = orders.iter().map(String::as_str).collect();
        let mut bases = Vec::new();
        for entry in checked.entries().iter().filter(|own| wanted.is_empty() || wanted.contains(own.number.as_str())) {
            let held = checked.said(entry).map_err(StageError::Spool)?;
            let is_meant = |finding: &Finding| group.is_none_or(|group| GroupId::of(finding) == group);
            let held = held.into_iter().filter(|own| own.holds() && own.rule() == Some(rule) && is_meant(own));
            bases.extend(held.filter_map(|finding| Some((entry.number.to_string(), finding.basis?))));
        }
        match orders.iter().find(|order| !bases.iter().any(|(known, _)| known == *order)) {
            Some(order) => Err(Error::NotHeld { rule, order: order.clone(), by: Vec::new(), near: None }),
            None if bases.is_empty() => Err(Misuse::Format(format!("{rule} holds no order of this sheet")).into()),
            None => Ok(bases),
        }
    }
}
