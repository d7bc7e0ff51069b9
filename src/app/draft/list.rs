//! All drafts that there are, in the ledger that their orders go into.

use std::io::Read;
use std::path::Path;

use jiff::Timestamp;

use crate::app::connect::App;
use crate::app::error::{Error, Result};
use crate::ledger::{DraftRecord, Ledger, RunId, State};
use crate::sheet::file_sha256;
use crate::text::error_chain;

use super::Draft;
use super::store::{DraftEntry, Stored, added_ms, copies, is_done, remove_copy};

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

    /// A draft as it was booked with this run, to be read.
    ///
    /// # Errors
    /// As of [`draft`](Self::draft).
    pub fn draft_as_booked(&self, ledger: &Ledger, id: &str, run: i64) -> Result<Draft> {
        Ok(Draft::of(Stored::read_until(ledger, id, Some(run))?))
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
        let Some(ledger) = self.ledger_there()? else { return Ok(Vec::new()) };
        let mut idle: Vec<Stored> = stored(&ledger)?.into_iter().filter_map(Result::ok).collect();
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

/// All drafts, the newest first.
#[derive(Debug, Clone, Default)]
pub struct Drafts {
    /// Those that can be read.
    pub entries: Vec<DraftEntry>,
    /// Those that cannot; what they keep back is in the ledger.
    pub unread: Vec<UnreadDraft>,
}

/// All drafts of a ledger.
///
/// # Errors
/// A ledger that cannot be read.
pub fn all(ledger: &Ledger) -> Result<Drafts> {
    let mut drafts = Drafts::default();
    for stored in stored(ledger)? {
        match stored {
            Ok(stored) => drafts.entries.push(stored.entry()),
            Err(unread) => drafts.unread.push(unread),
        }
    }
    Ok(drafts)
}

/// The draft that a run was booked from, where it is still there and can be read.
///
/// # Errors
/// A ledger that cannot be read.
pub fn of_run(ledger: &Ledger, run: i64) -> Result<Option<DraftEntry>> {
    let Some(record) = ledger.draft_of_run(RunId::from_number(run))? else { return Ok(None) };
    let notes = ledger.draft_notes(&record.id)?;
    Ok(Stored::of(record, notes).ok().map(Stored::entry))
}

/// Every draft as the ledger has it, the newest first, or why it cannot be read.
fn stored(ledger: &Ledger) -> Result<Vec<Result<Stored, UnreadDraft>>> {
    let (records, mut notes) = (ledger.drafts()?, ledger.all_draft_notes()?);
    let read = |record: DraftRecord| {
        let (id, file) = (record.id.clone(), record.name.clone());
        let stored = Stored::of(record, notes.remove(&id).unwrap_or_default());
        stored.map_err(|error| UnreadDraft { id, file, why: error_chain(&error) })
    };
    Ok(records.into_iter().map(read).collect())
}

fn listed(ledger: &Ledger, record: DraftRecord) -> Result<DraftEntry> {
    let notes = ledger.draft_notes(&record.id)?;
    Ok(Stored::of(record, notes)?.entry())
}
