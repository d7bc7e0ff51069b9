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
use super::store::{DraftEntry, Stored, added_ms, copies, entry, is_done, remove_copy};

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
        Ok(Draft::of(stored))
    }

    /// Opens a draft that was kept before.
    ///
    /// # Errors
    /// There is none of that id, or it cannot be read.
    pub fn draft(&self, id: &str) -> Result<Draft> {
        Ok(Draft::of(Stored::read(&self.ledger_there()?.ok_or(Error::NoDraft)?, id)?))
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
        let Ok(Some(ledger)) = self.ledger_there() else { return Vec::new() };
        ledger.drafts().unwrap_or_default().into_iter().filter_map(|own| listed(&ledger, own).ok()).collect()
    }

    /// Drafts that are there and cannot be read; what they keep back is in the ledger.
    #[must_use]
    pub fn unread_drafts(&self) -> Vec<UnreadDraft> {
        self.stored_drafts().unwrap_or_default().into_iter().filter_map(Result::err).collect()
    }

    /// Every draft as the ledger has it, the newest first, or why it cannot be read.
    pub(super) fn stored_drafts(&self) -> Result<Vec<Result<Stored, UnreadDraft>>> {
        let Some(ledger) = self.ledger_there()? else { return Ok(Vec::new()) };
        let mut all = Vec::new();
        for DraftRecord { id, name: file, .. } in ledger.drafts()? {
            all.push(match Stored::read(&ledger, &id) {
                // It was cleared at this moment.
                Err(Error::NoDraft) => continue,
                // Then it is the ledger that cannot be read.
                Err(error @ Error::Ledger(_)) => return Err(error),
                stored => stored.map_err(|error| UnreadDraft { id, file, why: error_chain(&error) }),
            });
        }
        Ok(all)
    }

    /// The draft that a run was booked from, where it is still there.
    #[must_use]
    pub fn draft_of_run(&self, run: i64) -> Option<String> {
        self.drafts().into_iter().find(|draft| draft.runs.contains(&run)).map(|draft| draft.id)
    }

    /// Takes a draft away, with its sheet, if nothing was said of it since this revision, where one is given.
    ///
    /// # Errors
    /// There is none of that id; something was said of it; it cannot be taken away.
    pub fn clear_draft(&self, id: &str, revision: Option<u64>) -> Result<()> {
        if self.ledger_there()?.is_none() {
            return Err(Error::NoDraft);
        }
        is_done(self.ledger_of_drafts()?.clear_draft(id, revision)?)?;
        remove_copy(self, id);
        Ok(())
    }

    /// Takes drafts away of which nothing was said since that moment, epoch milliseconds, but for those whose word keeps
    /// orders from being sent. Gives how many these were.
    ///
    /// # Errors
    /// One of them cannot be taken away.
    pub fn clear_drafts(&self, before_ms: i64) -> Result<usize> {
        let mut cleared = 0;
        for (id, revision) in self.idle_drafts(before_ms)? {
            match self.clear_draft(&id, Some(revision)) {
                Ok(()) => cleared += 1,
                // Somebody else was sooner, or said something of it.
                Err(Error::NoDraft | Error::Refused(_)) => {}
                Err(error) => return Err(error),
            }
        }
        self.clear_copies()?;
        Ok(cleared)
    }

    /// The drafts of which nothing was said since that moment and that keep no order from being sent, each with its revision.
    pub(in crate::app) fn idle_drafts(&self, before_ms: i64) -> Result<Vec<(String, u64)>> {
        // One that cannot be read may keep any order back.
        let mut idle: Vec<Stored> = self.stored_drafts()?.into_iter().filter_map(Result::ok).collect();
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
        Ok(idle.iter().map(|stored| (stored.id().to_owned(), stored.revision())).collect())
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
