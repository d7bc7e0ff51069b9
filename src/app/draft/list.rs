//! All drafts that there are, in the ledger that their orders go into.

use std::io::Read;
use std::path::Path;

use jiff::Timestamp;

use crate::app::connect::App;
use crate::app::error::{Error, Result};
use crate::ledger::{DraftRecord, Ledger, State};
use crate::sheet::file_sha256;
use crate::text::error_chain;

use super::Draft;
use super::answer::Said;
use super::store::{DraftEntry, Stored, added_ms, copies, entry, remove_copy};

/// No sheet takes so long to be kept, in milliseconds.
const KEPT_MS: i64 = 60 * 60 * 1000;

/// A draft that is there and cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnreadDraft {
    /// Its id.
    pub id: String,
    /// The sheet's name.
    pub file: String,
    /// Why.
    pub why: String,
}

impl App {
    /// Keeps a sheet as a draft, under the name that its owner knows it by.
    ///
    /// # Errors
    /// It cannot be kept; it is no sheet, or larger than any may be.
    pub fn new_draft(&self, name: &str, from: &mut dyn Read) -> Result<Draft> {
        let stored = Stored::create(self, name, from)?;
        Ok(Draft { stored, said: Said::default(), open: None })
    }

    /// Opens a draft that was kept before.
    ///
    /// # Errors
    /// There is none of that id, or it cannot be read.
    pub fn draft(&self, id: &str) -> Result<Draft> {
        let stored = Stored::read(&self.ledger_there()?.ok_or(Error::NoDraft)?, id)?;
        let said = stored.said();
        Ok(Draft { stored, said, open: None })
    }

    /// The draft of a sheet with the very same bytes, whatever it was called, where there is one.
    ///
    /// # Errors
    /// The sheet cannot be read.
    pub fn draft_of_sheet(&self, sheet: &Path) -> Result<Option<DraftEntry>> {
        let Some(ledger) = self.ledger_there()? else { return Ok(None) };
        let sha256 = file_sha256(sheet).map_err(Error::file(format!("cannot read {}", sheet.display())))?;
        let same = ledger.drafts()?.into_iter().find(|own| own.sha256 == sha256);
        same.map(|own| listed(&ledger, own)).transpose()
    }

    /// Every draft, the newest first. Those that are [unread](Self::unread_drafts) are none of them.
    #[must_use]
    pub fn drafts(&self) -> Vec<DraftEntry> {
        self.all_drafts(|ledger, own| listed(ledger, own).ok()).unwrap_or_default()
    }

    /// Drafts that are there and cannot be read: nobody knows what they keep back.
    #[must_use]
    pub fn unread_drafts(&self) -> Vec<UnreadDraft> {
        let unread = |ledger: &Ledger, DraftRecord { id, name: file, .. }: DraftRecord| {
            let why = error_chain(&Stored::read(ledger, &id).err()?);
            Some(UnreadDraft { id, file, why })
        };
        self.all_drafts(unread).unwrap_or_default()
    }

    /// What is to be told of each draft.
    fn all_drafts<T>(&self, tell: impl Fn(&Ledger, DraftRecord) -> Option<T>) -> Result<Vec<T>> {
        let Some(ledger) = self.ledger_there()? else { return Ok(Vec::new()) };
        Ok(ledger.drafts()?.into_iter().filter_map(|own| tell(&ledger, own)).collect())
    }

    /// The draft that a run was booked from, where it is still there.
    #[must_use]
    pub fn draft_of_run(&self, run: i64) -> Option<String> {
        self.drafts().into_iter().find(|draft| draft.runs.contains(&run)).map(|draft| draft.id)
    }

    /// Takes a draft away, with its sheet.
    ///
    /// # Errors
    /// There is none of that id, or it cannot be taken away.
    pub fn clear_draft(&self, id: &str) -> Result<()> {
        let is_there = added_ms(id).is_some() && self.ledger_there()?.is_some();
        if !is_there || !self.ledger_of_drafts()?.clear_draft(id)? {
            return Err(Error::NoDraft);
        }
        remove_copy(self, id);
        Ok(())
    }

    /// Takes drafts away of which nothing was said since that moment, epoch milliseconds, but for those whose word keeps
    /// orders from being sent. Gives how many these were.
    ///
    /// # Errors
    /// One of them cannot be taken away.
    pub fn clear_drafts(&self, before_ms: i64) -> Result<usize> {
        let idle = self.idle_drafts(before_ms)?;
        idle.iter().try_for_each(|id| self.clear_draft(id))?;
        self.clear_copies()?;
        Ok(idle.len())
    }

    /// The drafts of which nothing was said since that moment and that keep no order from being sent.
    pub(in crate::app) fn idle_drafts(&self, before_ms: i64) -> Result<Vec<String>> {
        // What cannot be read keeps back nobody knows what.
        let mut idle = self.all_drafts(|ledger, own| Stored::read(ledger, &own.id).ok())?;
        idle.retain(|stored| stored.changed_ms() < before_ms);
        if idle.is_empty() {
            return Ok(Vec::new());
        }
        let open = || {
            let mut open = self.unsent()?;
            open.extend(self.in_states([State::InDoubt, State::Sending])?);
            Ok::<_, Error>(open)
        };
        // Where nobody can say what is open, what was booked or said stays.
        match open() {
            Ok(open) => idle.retain(|stored| !stored.is_needed(&open)),
            Err(_) => idle.retain(|stored| !stored.is_touched()),
        }
        Ok(idle.iter().map(|stored| stored.id().to_owned()).collect())
    }

    /// Takes copies of sheets away whose drafts were cleared elsewhere.
    fn clear_copies(&self) -> Result<()> {
        let there = self.other_drafts(None)?;
        // A sheet that is being kept just now is copied before the ledger has it.
        let before_ms = Timestamp::now().as_millisecond() - KEPT_MS;
        let is_left = |id: &String| !there.contains_key(id) && added_ms(id).is_some_and(|own| own < before_ms);
        copies(self).filter(is_left).for_each(|id| remove_copy(self, &id));
        Ok(())
    }
}

fn listed(ledger: &Ledger, record: DraftRecord) -> Result<DraftEntry> {
    let notes = ledger.draft_notes(&record.id)?;
    entry(record, notes)
}
