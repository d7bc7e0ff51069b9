//! A sheet that a clerk dropped, as a page needs it: what its columns are, what its orders came to, answers and edits laid
//! over it, and the booking of what was shown.
//!
//! Columns are decided from the file as it came; no typed cell changes them. An answer is refused if another window answered first.
//!
//! - `store`, `list`: a draft as the ledger has it, and all that there are
//! - `answer`: what the clerk says, one step of undo after the other, and what all of it comes to
//! - `open`: the sheet, read with what was said of it laid over it
//! - `columns`: what each column is, and a profile of what was said of them
//! - `layout`: columns, and the values of all orders, saved for sheets like it
//! - `check`, `sink`, `checked`: every order judged, and after an answer only those that it touches
//! - `filter`: which orders are meant
//! - `rows`: what is said of an order's rows, or was sent from them, whatever its number becomes
//! - `name`: what a sheet is called that came under any name
//! - `page`: a hundred orders at a time
//! - `rows_apart`: rows of an order that get one value, or another number
//! - `one_cell`: an address that stands in one cell, and what can be told from it
//! - `refusal`: orders that the service refused before, by its cause
//! - `gate`: only what was shown is booked
//! - `holds`: the orders that it keeps back from then on
//! - `save`: the sheet again, in its own layout, with what was typed over it or with what became of its orders
//! - `closing`: what is left to do with it after a run

mod answer;
mod answering;
mod check;
mod checked;
mod closing;
mod columns;
mod filter;
mod gate;
mod goes_to;
mod holds;
mod layout;
mod list;
mod name;
mod one_cell;
mod open;
mod page;
mod refusal;
mod rows;
mod rows_apart;
mod save;
mod sink;
mod store;
mod told;

use std::path::Path;

use crate::app::connect::App;
use crate::app::error::{Error, Result};
use crate::app::kept::CouriersList;
use crate::app::own::{OwnFiles, Rejects};
use crate::app::plan::{Before, Plan, PlanOptions};
use crate::app::reading::Reading;
use crate::app::session::Session;
use crate::event::{Events, Stream};
use crate::field::Field;
use crate::finding::Finding;
use crate::finding::english::Words;
use crate::ledger::RunId;
use crate::sheet::Sheet;

pub use crate::stage::FieldChange;
pub use answer::{CellEdit, DraftAnswer, OrderTotal};
use checked::Entry;
pub use checked::{Checked, FindingGroup, Parts, Share, is_cancelled};
pub use closing::other_worksheets;
pub use columns::{DefaultAsked, DraftColumn, DraftSheet};
pub use filter::{DraftState, Filter, GroupId};
pub use goes_to::GoesTo;
pub use holds::KeptBack;
pub use list::{Drafts, UnreadDraft, all, of_run};
pub use name::plain_name;
pub use one_cell::{OneCellAddress, comes_with_pin, is_missing_part};
pub use page::{DraftOrder, FoundCell, OtherCell, StrayRow, WholeCell, WholeOrder, WholeRow};
pub use refusal::{RefusedGroup, RefusedValue};
pub use rows::OrderRows;
pub use rows_apart::may_be_two_orders;
pub use save::Saved;
pub use store::{DraftEntry, DraftRest};
pub use told::is_of_others;

pub(crate) use answer::fits;
use answer::{Said, for_all};
use check::Judged;
use columns::sheets;
use gate::DraftGate;
use open::Open;
use page::Pages;
use save::{named, save, with_results};
use store::Stored;

/// A sheet that a clerk dropped: its bytes stay as they came, and what is said of it is kept behind them.
#[derive(Debug)]
pub struct Draft {
    stored: Stored,
    said: Said,
    open: Option<Open>,
}

/// What an answer came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answered {
    /// The answer up to which the draft is checked now.
    pub revision: u64,
    /// Whether everything was checked again: then any order may have changed.
    pub full: bool,
    /// The orders that were checked again; where all were, those that the answer was about.
    pub orders: Vec<String>,
}

impl Draft {
    fn of(stored: Stored) -> Self {
        let said = stored.said();
        Self { stored, said, open: None }
    }

    /// Its id.
    #[must_use]
    pub fn id(&self) -> &str {
        self.stored.id()
    }

    /// The sheet's name.
    #[must_use]
    pub fn file(&self) -> &str {
        self.stored.file()
    }

    /// The worksheet that a person said is meant.
    #[must_use]
    pub fn worksheet(&self) -> Option<&str> {
        self.said.worksheet.as_deref()
    }

    /// How often something was said of it, or taken back.
    #[must_use]
    pub const fn revision(&self) -> u64 {
        self.stored.revision()
    }

    /// Notes that couriers were asked whether they go where its orders go. From then on it is checked with what they said, as
    /// long as that is believed.
    ///
    /// # Errors
    /// It cannot be noted; it was cleared.
    pub fn asked_couriers(&mut self, app: &App) -> Result<()> {
        self.stored.asked_couriers(app)
    }

    /// The runs that were staged from it.
    #[must_use]
    pub fn runs(&self) -> &[i64] {
        self.stored.runs()
    }

    /// Whether couriers were asked for it.
    #[must_use]
    pub const fn has_asked_couriers(&self) -> bool {
        self.said.are_couriers_asked
    }

    /// The answer that [undo](Self::undo) would take back.
    #[must_use]
    pub fn can_undo(&self) -> Option<&DraftAnswer> {
        self.stored.latest()
    }

    /// The columns of each of its sheets, with what is unsure about them.
    ///
    /// # Errors
    /// The sheet cannot be read at all.
    pub fn columns(&mut self, app: &App, events: &mut Events<'_>) -> Result<Vec<DraftSheet>> {
        let Self { stored, said, open } = self;
        sheets(&opened(open, (app, stored, said), events)?.reading)
    }

    /// What its orders come to: as it was checked before, where nothing was said since.
    ///
    /// # Errors
    /// The sheet cannot be read at all; the ledger fails on the way.
    pub fn check(&mut self, app: &App, events: &mut Events<'_>) -> Result<&Checked> {
        let Self { stored, said, open } = self;
        let open = opened(open, (app, stored, said), events)?;
        if open.judged.is_none() && open.unusable.is_none() {
            open.check((app, said), events)?;
        }
        open.set_revision(stored.revision());
        open.checked().ok_or(Error::NoDraft)
    }

    /// Checks all of it once more, with what the ledger knows by now.
    ///
    /// # Errors
    /// As [`check`](Self::check).
    pub fn recheck(&mut self, app: &App, events: &mut Events<'_>) -> Result<&Checked> {
        if let Some(open) = &mut self.open {
            (open.judged, open.unusable) = (None, None);
        }
        self.check(app, events)
    }

    /// What it came to when it was last checked.
    #[must_use]
    pub fn checked(&self) -> Option<&Checked> {
        self.open.as_ref().and_then(Open::checked)
    }

    /// The sheet as it is read, once it is.
    #[must_use]
    pub fn reading(&self) -> Option<&Reading> {
        self.open.as_ref().map(|open| &open.reading)
    }

    /// The orders of one page of the list: so many, from that one on, and a hundred at most.
    ///
    /// # Errors
    /// The sheet can no longer be read.
    pub fn page(&self, filter: &Filter, from: usize, most: usize) -> Result<Vec<DraftOrder>> {
        match self.pages() {
            Some(pages) => pages.page(filter, from, most),
            None => Ok(Vec::new()),
        }
    }

    /// An order with all cells of its rows. Nothing where there is none of that number.
    ///
    /// # Errors
    /// The sheet can no longer be read.
    pub fn order(&self, number: &str) -> Result<Option<WholeOrder>> {
        match self.pages() {
            Some(pages) => pages.order(number),
            None => Ok(None),
        }
    }

    /// Filled rows that name no order: the first ones, in the order of the sheet.
    ///
    /// # Errors
    /// The sheet can no longer be read.
    pub fn strays(&self, most: usize) -> Result<Vec<StrayRow>> {
        match self.pages() {
            Some(pages) => pages.strays(most),
            None => Ok(Vec::new()),
        }
    }

    /// What stands in these cells by now.
    ///
    /// # Errors
    /// The sheet can no longer be read.
    pub fn texts(&self, cells: &[CellEdit]) -> Result<Vec<String>> {
        match self.pages() {
            Some(pages) => pages.texts_of(cells),
            None => Ok(vec![String::new(); cells.len()]),
        }
    }

    fn with_repeats(&self, cells: Vec<CellEdit>) -> Result<Vec<CellEdit>> {
        let Some(pages) = self.pages() else { return Ok(cells) };
        pages.with_repeats(cells)
    }

    fn pages(&self) -> Option<Pages<'_>> {
        let open = self.open.as_ref()?;
        let Judged { surveyed, checked, .. } = open.judged.as_ref()?;
        Some(Pages { opened: &open.reading.opened, surveyed, checked })
    }

    /// A value for all orders as it would be kept: `500 g` is 0.5 kg.
    ///
    /// # Errors
    /// What no order can have under the field.
    pub fn value_for_all(&self, field: &'static Field, text: &str) -> Result<String> {
        self.open.as_ref().map_or_else(|| Ok(text.to_owned()), |open| for_all(field, text, &open.reading.rules))
    }

    /// What is to be booked of it beside what the ledger knows: orders that were shown as ready, with the requests that
    /// were shown. Whatever else goes by now stays behind.
    ///
    /// # Errors
    /// It was not checked since something was said of it, or was cleared; what [`Session::plan`] gives.
    pub fn plan<'s, 'r>(
        &'r self,
        session: &'s mut Session<'_>,
        options: PlanOptions<'_>,
        say: &mut dyn FnMut(&Finding),
        events: &mut Events<'_>,
    ) -> Result<Plan<'s, 'r>> {
        let open = self.open.as_ref().filter(|open| open.checked().is_some_and(|own| own.revision == self.revision()));
        let unchecked = || Error::Refused("this sheet was not checked since it was changed: check it first".to_owned());
        let open = open.ok_or_else(unchecked)?;
        let (said, opened) = (&self.said, &open.reading.opened);
        let gate = DraftGate { said, opened, shown: open.checked(), next: options.gate(), kept: None };
        let of = (self.id(), self.revision());
        session.plan_of(&open.reading, Some(of), PlanOptions { gate: Some(&gate), ..options }, say, events)
    }

    /// Writes the sheet with what was typed over it, in its own layout.
    ///
    /// # Errors
    /// The sheet can no longer be read, or the file cannot be written.
    pub fn save(&mut self, app: &App, to: &Path, events: &mut Events<'_>) -> Result<Saved> {
        let sheet = self.sheet(app, events)?;
        save(sheet, sheet.overlay(), to)
    }

    /// The same, with what became of each order at its right: its state, its AWB and what the service said, as far as runs
    /// were staged from this draft.
    ///
    /// # Errors
    /// The sheet or the ledger can no longer be read, or the file cannot be written.
    pub fn save_results(&mut self, app: &App, to: &Path, events: &mut Events<'_>) -> Result<Saved> {
        self.check(app, events)?;
        let there = self.open.as_ref().zip(self.checked());
        let (open, checked) = there.ok_or(Error::NoDraft)?;
        let planned = open.reading.opened.sheets.first().ok_or(Error::NoDraft)?;
        let overlay = with_results((0, &planned.sheet), checked, (&app.read_ledger()?, self.stored.runs()))?;
        save(&planned.sheet, &overlay, to)
    }

    /// Writes the rows that must be corrected now, of a run that was staged from it, in its own layout: without those of orders that a
    /// person holds or leaves out, or that only wait for an answer. `words` tell what to do about each. Nothing where the ledger has
    /// other orders of that run.
    ///
    /// # Errors
    /// The sheet or the ledger can no longer be read, or the file cannot be written.
    pub fn save_to_fix(&mut self, app: &App, run: i64, to: &Path, words: &Words) -> Result<Option<Rejects>> {
        let events = &mut Stream::silent();
        self.sheet(app, events)?;
        let reading = &self.open.as_ref().ok_or(Error::NoDraft)?.reading;
        reading.usable()?;
        let (ledger, service) = (app.read_ledger()?, app.config().service_key()?);
        let mut files = OwnFiles::prepare(reading, Some(to), None)?;
        let gate = DraftGate { said: &self.said, opened: &reading.opened, kept: None, shown: None, next: None };
        let options = PlanOptions { gate: Some(&gate), is_draft: true, ..PlanOptions::default() };
        let before = Before::of(app, &ledger, &service)?;
        before.counts(&mut ledger.stage_dry(&service)?, &mut files, options, &mut |_| {}, events)?;
        files.write_to_correct((&ledger, RunId::from_number(run)), words)
    }

    /// What a file is called that is saved of it: `orders corrected.xlsx`. What the sheet is decides how it ends, and not the
    /// name that it came with.
    ///
    /// # Errors
    /// The sheet can no longer be read.
    pub fn name_with(&mut self, app: &App, word: &str, events: &mut Events<'_>) -> Result<String> {
        let is_text = self.sheet(app, events)?.delimiter().is_some();
        Ok(named(self.file(), word, is_text))
    }

    /// The sheet, with what was typed over it.
    fn sheet(&mut self, app: &App, events: &mut Events<'_>) -> Result<&Sheet> {
        let Self { stored, said, open } = self;
        let open = opened(open, (app, stored, said), events)?;
        open.take(said);
        open.reading.opened.sheets.first().map(|planned| &planned.sheet).ok_or(Error::NoDraft)
    }

    /// The courier's lists, each by its id and name with the orders of the sheet that stay behind because it has them.
    #[must_use]
    pub fn in_lists(&self) -> Vec<(i64, String, Vec<String>)> {
        let Some(judged) = self.open.as_ref().and_then(|open| open.judged.as_ref()) else { return Vec::new() };
        let held = judged.checked.entries().iter().filter(|entry| entry.state == DraftState::Hold);
        let of_list = |list: &CouriersList| {
            let has =
                |entry: &&Entry| list.has_order(&entry.number) || entry.came_as.iter().any(|own| list.has_order(own));
            let there: Vec<String> = held.clone().filter(has).map(|entry| entry.number.to_string()).collect();
            (!there.is_empty()).then(|| (list.id, list.name.clone(), there))
        };
        judged.keepers.lists().iter().filter_map(of_list).collect()
    }
}

/// A draft's sheet, read with all that was said of it.
fn opened<'o>(
    open: &'o mut Option<Open>,
    (app, stored, said): (&App, &Stored, &Said),
    events: &mut Events<'_>,
) -> Result<&'o mut Open> {
    let there = match open.take() {
        Some(there) => there,
        None => Open::new(app, stored, said, events)?,
    };
    Ok(open.insert(there))
}
