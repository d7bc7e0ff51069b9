//! All drafts that there are, beside the ledger that their orders go into.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Read};
use std::path::{Path, PathBuf};

use crate::app::connect::App;
use crate::app::error::{Error, Result};
use crate::ledger::State;
use crate::sheet::{Limits, Options};

use super::Draft;
use super::answer::Said;
use super::shelf::{UnreadDraft, clear, clear_before, list, revisions, unread};
use super::store::{DraftEntry, Folder};

impl App {
    /// Keeps a sheet as a draft, under the name that its owner knows it by.
    ///
    /// # Errors
    /// It cannot be kept, or is larger than any sheet may be.
    pub fn new_draft(&self, name: &str, from: &mut dyn Read) -> Result<Draft> {
        let Limits { file_bytes_max, .. } = self.config.reading(&Options::default()).limits;
        self.is_ledger_here()?;
        let folder = Folder::bring(&self.drafts_folder(), name, from, file_bytes_max)?;
        let folder = folder.keep(self.take_in())?;
        Ok(Draft { folder, said: Said::default(), open: None })
    }

    /// Opens a draft that was kept before.
    ///
    /// # Errors
    /// There is none of that id, or it cannot be read.
    pub fn draft(&self, id: &str) -> Result<Draft> {
        let mut folder = Folder::open(&self.drafts_folder(), id)?;
        self.find_staged(&mut folder)?;
        let said = folder.said();
        Ok(Draft { folder, said, open: None })
    }

    /// The draft of a sheet with the very same bytes, whatever it was called, where there is one.
    ///
    /// # Errors
    /// The sheet cannot be read.
    pub fn draft_of_sheet(&self, sheet: &Path) -> Result<Option<DraftEntry>> {
        let cannot = || Error::file(format!("cannot read {}", sheet.display()));
        let bytes = sheet.metadata().map_err(cannot())?.len();
        let alike: Vec<DraftEntry> = self.drafts().into_iter().filter(|own| own.bytes == bytes).collect();
        if alike.is_empty() {
            return Ok(None);
        }
        let is_same = |own: &DraftEntry| {
            let folder = Folder::open(&self.drafts_folder(), &own.id).ok();
            folder.is_some_and(|folder| same_content(sheet, &folder.sheet()).unwrap_or_default())
        };
        Ok(alike.into_iter().find(is_same))
    }

    /// Every draft, the newest first.
    #[must_use]
    pub fn drafts(&self) -> Vec<DraftEntry> {
        list(&self.drafts_folder()).into_iter().map(|folder| self.entry_with_staged(folder)).collect()
    }

    /// Drafts that are there and cannot be read: nobody knows what they keep back.
    #[must_use]
    pub fn unread_drafts(&self) -> Vec<UnreadDraft> {
        unread(&self.drafts_folder())
    }

    /// Every draft with how often something was said of it.
    pub(in crate::app) fn draft_revisions(&self) -> BTreeMap<String, Option<u64>> {
        revisions(&self.drafts_folder())
    }

    /// The draft that a run was booked from, where it is still there.
    #[must_use]
    pub fn draft_of_run(&self, run: i64) -> Option<String> {
        self.drafts().into_iter().find(|draft| draft.runs.contains(&run)).map(|draft| draft.id)
    }

    /// Takes a draft away, with its copy of the sheet.
    ///
    /// # Errors
    /// There is none of that id, or it cannot be taken away.
    pub fn clear_draft(&self, id: &str) -> Result<()> {
        clear(&self.drafts_folder(), id)
    }

    /// Takes drafts away of which nothing was said since that moment, epoch milliseconds, but for those whose word keeps
    /// orders from being sent. Gives how many these were.
    ///
    /// # Errors
    /// One of them cannot be taken away.
    pub fn clear_drafts(&self, before_ms: i64) -> Result<usize> {
        let mut open = None;
        clear_before(&self.drafts_folder(), before_ms, &mut |folder| {
            let open = open.get_or_insert_with(|| {
                let mut open = self.unsent()?;
                open.extend(self.in_states([State::InDoubt, State::Sending])?);
                Ok::<_, Error>(open)
            });
            // Where nobody can say what is open, what was booked or said stays.
            open.as_ref().map_or_else(|_| folder.is_touched(), |open| folder.is_needed(open))
        })
    }

    /// Where drafts are kept: beside the ledger that their orders go into.
    pub(super) fn drafts_folder(&self) -> PathBuf {
        self.desk_folder().join("drafts")
    }
}

/// Whether two files of one size have the same bytes; they may be large.
fn same_content(one: &Path, other: &Path) -> io::Result<bool> {
    let open = |path| Ok::<_, io::Error>(BufReader::new(File::open(path)?));
    let (mut one, mut other) = (open(one)?, open(other)?);
    loop {
        let (left, right) = (one.fill_buf()?, other.fill_buf()?);
        let both = left.len().min(right.len());
        if both == 0 {
            return Ok(left.len() == right.len());
        }
        if left[..both] != right[..both] {
            return Ok(false);
        }
        one.consume(both);
        other.consume(both);
    }
}
