//! What keeps orders back is looked up when a plan is made, and once more in the moment in which its run is recorded:
//! connecting may take long, and what is said meanwhile holds.

use std::collections::{BTreeMap, BTreeSet};
use std::iter;

use crate::app::connect::App;
use crate::app::error::{Error, Result};
use crate::ledger::{DeskLock, RunId, Staging};

use super::Keepers;
use super::keeping::Keeping;

/// The draft that a plan is of.
#[derive(Debug)]
pub(in crate::app) struct OfDraft {
    pub(in crate::app) id: String,
    pub(in crate::app) revision: u64,
}

/// A plan's look at what keeps orders back.
pub(in crate::app) struct Look<'s> {
    pub(in crate::app) app: &'s App,
    pub(in crate::app) keepers: Keepers,
    pub(in crate::app) of: Option<OfDraft>,
}

impl Look<'_> {
    /// Refuses what is kept back by now, and notes the run with its draft. Nothing is said of any sheet as long as the lock
    /// is held, which is until the run is recorded.
    pub(in crate::app) fn again(
        &self,
        staging: &Staging<'_>,
        came_as: &BTreeMap<String, Vec<String>>,
    ) -> Result<Option<DeskLock>> {
        let folder = self.app.desk_folder();
        let cannot = Error::file(format!("cannot lock {}", folder.display()));
        let lock = DeskLock::of(self.app.config().ledger()).map_err(cannot)?;
        let own = self.of.as_ref().map(|of| of.id.as_str());
        if self.app.keepers_mark(own) != self.keepers.mark {
            self.refuse_kept((staging, came_as), own)?;
        }
        let Some(of) = &self.of else { return Ok(lock) };
        let mut draft = self.app.draft(&of.id)?;
        if draft.revision() != of.revision {
            return Err(Error::DraftChanged);
        }
        let held = lock.as_ref().ok_or(Error::NoDraft)?;
        // First the note: of a run that no draft knows, Undo would take back answers.
        draft.stages(held, staging.run().number(), staging.started_ms())?;
        Ok(lock)
    }

    /// Notes with its draft that the run was recorded.
    pub(in crate::app) fn is_recorded(&self, lock: Option<DeskLock>, run: RunId) {
        if let Some((of, held)) = self.of.as_ref().zip(lock.as_ref()) {
            // Where that fails, the run is found in the ledger.
            let _ = self.app.draft(&of.id).and_then(|mut draft| draft.booked_as(held, run.number()));
        }
        drop(lock);
    }

    fn refuse_kept(
        &self,
        (staging, came_as): (&Staging<'_>, &BTreeMap<String, Vec<String>>),
        own: Option<&str>,
    ) -> Result<()> {
        let outgoing: BTreeSet<String> = staging.outgoing()?.into_iter().collect();
        let unsent = || {
            let mut unsent = if own.is_none() { self.app.unsent()? } else { BTreeMap::default() };
            unsent.retain(|number, _| outgoing.contains(number));
            Ok(unsent)
        };
        let now = self.app.keepers(own, unsent)?;
        for order in outgoing {
            // What kept it before was looked at; whatever else keeps it now was not.
            for number in iter::once(&order).chain(came_as.get(&order).into_iter().flatten()) {
                let before = self.keepers.all(number, None);
                let mut now = now.all(number, None).into_iter();
                if let Some(Keeping { by, .. }) = now.find(|keeping| !before.contains(keeping)) {
                    return Err(Error::KeptSince { order, by: Box::new(by) });
                }
            }
        }
        Ok(())
    }
}
