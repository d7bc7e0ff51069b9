//! What a watcher needs of the ledger: sheets are taken and filed, and what its own runs left outstanding goes on.

use std::path::{Path, PathBuf};

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Serialize, Serializer};

use crate::book::{StopSignal, StoppedBy};
use crate::config::BookingOptions;
use crate::event::Silent;
use crate::finding::Finding;
use crate::ledger::{Filed, Ledger, NewTaken, RunOf, TakenId, TakenSheet, Tray};
use crate::report::Orders;

use super::book::Ended;
use super::connect::App;
use super::drive::{Drive, OrdersFrom, Why};
use super::error::{Error, Result};
use super::exit::Exit;
use super::import::{ImportEnd, Unattended};
use super::kept::KeptBack;
use super::rerun::TakeUp;
use super::waiting::WaitingSheets;
use super::who::{host, user};

/// The record of the sheets that were taken out of one folder on this machine.
#[derive(Debug)]
pub struct TakenBook<'a> {
    app: &'a App,
    service: String,
    folder: String,
    ledger: String,
}

/// What a watcher's own leftovers came to.
#[derive(Debug)]
pub struct OwnResumed {
    /// What was sent, where anything was.
    pub resumed: Option<Resumed>,
    /// Orders that an open sheet keeps back.
    pub kept_back: Vec<KeptBack>,
}

/// What going on with a watcher's own leftovers came to.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Resumed {
    /// The run's number.
    #[schemars(range(min = 0))]
    pub run: i64,
    /// Where its orders stand.
    pub orders: Orders,
    /// POSTs that left, or may have left.
    #[serde(skip)]
    pub requests: u64,
    /// Which brake ended it early; null where none did.
    #[serde(rename = "stopped_by", serialize_with = "brake")]
    #[schemars(with = "Option<String>")]
    pub stopped: Option<(StoppedBy, String)>,
    /// How it ended, as an exit code.
    pub exit: Exit,
}

#[expect(clippy::ref_option, reason = "serde hands out a reference to the field")]
fn brake<S: Serializer>(stopped: &Option<(StoppedBy, String)>, serializer: S) -> std::result::Result<S::Ok, S::Error> {
    stopped.as_ref().map(|(by, _)| by.as_str()).serialize(serializer)
}

impl App {
    /// The record of a folder, once the ledger has been opened as for booking: what a crash left is in doubt by then.
    ///
    /// # Errors
    /// No service is configured; another process holds the ledger; it is not to be trusted.
    pub fn taken_book(&self, folder: &Path) -> Result<TakenBook<'_>> {
        let session = self.session("watch")?;
        let (service, ledger) = (session.service().to_owned(), session.ledger().identity()?);
        Ok(TakenBook { app: self, service, folder: folder.display().to_string(), ledger })
    }

    /// Sheets that watchers on this machine filed for a person, of which nothing was sent, and which lie there still.
    ///
    /// # Errors
    /// The ledger cannot be read.
    pub fn held_sheets(&self, ledger: &Ledger) -> Result<Vec<PathBuf>> {
        let held = ledger.held_sheets(&host())?;
        Ok(held.into_iter().filter(|path| path.symlink_metadata().is_ok()).collect())
    }

    /// Sends what watchers on this machine left outstanding, but for what is kept back and what stands in sheets that wait: that
    /// goes with them.
    ///
    /// # Errors
    /// Fails only as long as nothing was sent.
    pub fn resume_own(
        &self,
        options: &BookingOptions,
        waiting: &WaitingSheets,
        stop: StopSignal,
    ) -> Result<OwnResumed> {
        let (booking, session) = (self.config().booking(options), self.session("watch")?);
        let what = TakeUp::Own { but: waiting.numbers() };
        let orders = OrdersFrom::Ledger { what: &what, watched: Some(RunOf::Leftovers) };
        let (mut say, events) = (|_: &Finding| {}, self.events(Silent));
        let mut face = Unattended::new(self, &booking.limits, &mut say);
        let (end, _) = session.drive(Drive { orders, couriers: None, booking: &booking, stop }, &mut face, events)?;
        let resumed = match end {
            ImportEnd::Booked(ended) => {
                let exit = ended.exit();
                let Ended { run, orders, requests, stopped, .. } = *ended;
                Some(Resumed { run, orders, requests, stopped, exit })
            }
            ImportEnd::Left { why: Why::Cautions(cautions), .. } => return Err(Error::unaccepted(cautions)),
            ImportEnd::Left { .. } => None,
        };
        Ok(OwnResumed { resumed, kept_back: face.kept_back })
    }
}

impl TakenBook<'_> {
    /// What tells the ledger from every other one.
    #[must_use]
    pub fn ledger(&self) -> &str {
        &self.ledger
    }

    /// Records that a sheet is taken, by what it was called in the folder and what is in it.
    ///
    /// # Errors
    /// The ledger fails.
    pub fn take(&self, name: &str, bytes: u64, sha256: [u8; 32]) -> Result<TakenSheet> {
        let new = NewTaken {
            at_ms: Timestamp::now().as_millisecond(),
            user: user(),
            host: host(),
            service: self.service.clone(),
            folder: self.folder.clone(),
            name: name.to_owned(),
            bytes,
            sha256,
        };
        Ok(self.open()?.take_sheet(&new)?)
    }

    /// Records where a sheet is put, and what is said of it.
    ///
    /// # Errors
    /// The ledger fails; a sheet is to be done of which not every order is booked.
    pub fn file(&self, sheet: TakenId, tray: Tray, name: &str, outstanding: u64, said: Option<&str>) -> Result<()> {
        let (at_ms, name, said) = (Timestamp::now().as_millisecond(), name.to_owned(), said.map(str::to_owned));
        let filed = Filed { at_ms, tray, name, outstanding, said };
        Ok(self.open()?.file_sheet(sheet, &filed)?)
    }

    /// The latest sheet of these very bytes that was taken out of this folder.
    ///
    /// # Errors
    /// The ledger cannot be read.
    pub fn taken(&self, sha256: &[u8; 32]) -> Result<Option<TakenSheet>> {
        Ok(self.app.read_ledger()?.taken_in(&host(), &self.folder, sha256)?)
    }

    /// The sheets of this folder that wait for a person, though what was wrong in them was booked with other sheets since.
    ///
    /// # Errors
    /// The ledger cannot be read.
    pub fn settled_elsewhere(&self) -> Result<Vec<TakenSheet>> {
        Ok(self.app.read_ledger()?.settled_elsewhere(&host(), &self.folder)?)
    }

    /// An earlier sheet of the same bytes that came to a run, out of whatever folder it was.
    ///
    /// # Errors
    /// The ledger cannot be read.
    pub fn earlier(&self, sheet: &TakenSheet) -> Result<Option<TakenSheet>> {
        Ok(self.app.read_ledger()?.booked_as(&self.service, sheet)?)
    }

    /// Sheets that are not filed yet, and those that were filed with outstanding orders of which none is any more.
    ///
    /// # Errors
    /// The ledger cannot be read.
    pub fn unfinished(&self) -> Result<Vec<TakenSheet>> {
        Ok(self.app.read_ledger()?.unfinished_sheets(&host(), &self.folder)?)
    }

    /// Outstanding orders of a sheet that a person asked for since: to send them is that person's.
    ///
    /// # Errors
    /// The ledger cannot be read.
    pub fn taken_over(&self, sheet: TakenId) -> Result<u64> {
        Ok(self.app.read_ledger()?.taken_over(sheet)?)
    }

    /// Whether the ledger has orders that a resume or retry would send.
    ///
    /// # Errors
    /// The ledger cannot be read.
    pub fn has_unsent(&self) -> Result<bool> {
        Ok(!self.app.unsent()?.is_empty())
    }

    /// Records what sheets that wait say of orders that do not go.
    ///
    /// # Errors
    /// Another process holds the ledger, or it fails.
    pub fn revise(&self, sheets: &WaitingSheets) -> Result<()> {
        let revisions = sheets.revisions();
        if revisions.is_empty() { Ok(()) } else { self.app.session("watch")?.revise(&revisions) }
    }

    fn open(&self) -> Result<Ledger> {
        Ok(Ledger::open_at(self.app.config().site())?)
    }
}
