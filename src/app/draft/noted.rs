//! What a draft notes of a booking beside its answers: the run that is about to be staged, of which the ledger says whether it
//! was, and that couriers were asked.

use crate::app::connect::App;
use crate::app::error::{Error, Result};
use crate::ledger::{DeskLock, LedgerError, RunId};

use super::Draft;
use super::rows::StagingRun;
use super::store::{DraftEntry, Folder};

impl App {
    /// Notes the run that a draft was about to stage, where the ledger has it: then the program ended before it was noted.
    pub(super) fn find_staged(&self, folder: &mut Folder) -> Result<()> {
        let Some(StagingRun { run, started_ms, .. }) = folder.staging() else { return Ok(()) };
        let ledger = match self.read_ledger() {
            Err(Error::Ledger(LedgerError::Missing(_))) => return Ok(()),
            ledger => ledger?,
        };
        let is_there =
            ledger.find_run(Some(RunId::from_number(*run)))?.is_some_and(|own| own.started_ms == *started_ms);
        if is_there {
            folder.was_staged();
        }
        Ok(())
    }

    /// A draft for a list.
    pub(super) fn entry_with_staged(&self, mut folder: Folder) -> DraftEntry {
        // Where the ledger cannot be asked, the draft itself says so once it is opened.
        let _ = self.find_staged(&mut folder);
        folder.entry()
    }
}

impl Draft {
    /// Notes that couriers were asked whether they go where its orders go. From then on it is checked with what they said, as
    /// long as that is believed.
    ///
    /// # Errors
    /// It cannot be noted; it was changed elsewhere.
    pub fn asked_couriers(&mut self) -> Result<()> {
        self.folder.asked_couriers()
    }

    /// Whether couriers were asked for it.
    #[must_use]
    pub const fn has_asked_couriers(&self) -> bool {
        self.folder.couriers_asked_ms().is_some()
    }

    /// Notes that a run is about to be staged from it.
    pub(in crate::app) fn stages(&mut self, lock: &DeskLock, run: i64, started_ms: i64) -> Result<()> {
        self.folder.stages(lock, StagingRun { run, started_ms })
    }

    /// Notes that this run was staged. From then on [undo](Self::undo) takes back nothing of before.
    pub(in crate::app) fn booked_as(&mut self, lock: &DeskLock, run: i64) -> Result<()> {
        self.folder.booked_as(lock, run)
    }
}
