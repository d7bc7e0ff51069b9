//! The ledger as a whole: looked through, copied, moved, accepted.

use std::path::{Path, PathBuf};

use jiff::Timestamp;

use crate::config::Service;
use crate::ledger::{Checked, Home, Ledger, LedgerError, NewAcceptance, NewStationOff, Relocated, RunLock, Upgraded};

use super::connect::App;
use super::error::{Error, Misuse, Result};
use super::who::{host, user};

impl App {
    /// Looks through the whole ledger. Gives what was found, and where the ledger itself is if this one is a copy.
    ///
    /// # Errors
    /// There is no ledger, or it cannot be read.
    pub fn check_ledger(&self) -> Result<(Checked, Option<Home>)> {
        let ledger = self.read_ledger()?;
        Ok((ledger.check()?, ledger.copy_of(&host())?))
    }

    /// Copies the ledger as it stands at this moment, also while a run goes on.
    ///
    /// # Errors
    /// There is no ledger, or the file is there already or cannot be made.
    pub fn back_up_ledger(&self, file: &Path) -> Result<()> {
        Ok(self.read_ledger()?.backup(file)?)
    }

    /// Brings the ledger to the layout of this program, with a copy of it as it was; see [`Upgraded`].
    ///
    /// # Errors
    /// There is no ledger; another process uses it; it is not sound; it cannot be written.
    pub fn upgrade_ledger(&self) -> Result<Upgraded> {
        let site = self.config.site();
        // Asked before the lock is taken, which makes a file where there is none.
        let (from, to) = Ledger::layout_at(site)?;
        if from == to {
            return Ok(Upgraded { from, to, checked: None, copy: None });
        }
        let lock = RunLock::of(site, "ledger upgrade")?;
        Ok(Ledger::upgrade(lock, &self.watch())?)
    }

    /// Takes a ledger that is missing, older than it was, a copy, or another one, for the right one. Gives whether
    /// anything was held against it.
    ///
    /// # Errors
    /// No reason was given; the file is another program's; another process holds it.
    pub fn accept_ledger(&self, because: &str) -> Result<bool> {
        if because.trim().is_empty() {
            return Err(Error::NoReason);
        }
        // What is another program's is not locked, nor made a ledger of.
        self.refuse_strange_file()?;
        let lock = RunLock::of(self.config.site(), "ledger accept")?;
        Ok(Ledger::accept(lock, &self.watch(), &word(because.to_owned()))?)
    }

    /// Keeps a person's word that a station is switched off for good.
    ///
    /// # Errors
    /// No reason was given; no such station; one that works.
    pub fn station_off(&self, number: i64, because: &str) -> Result<()> {
        if because.trim().is_empty() {
            return Err(Misuse::NoReason(", for instance what became of that machine").into());
        }
        drop(self.read_ledger()?);
        let mut ledger = Ledger::open_at(self.config.site())?;
        let (because, at_ms) = (because.to_owned(), Timestamp::now().as_millisecond());
        Ok(ledger.station_off(&NewStationOff { number, because, user: user(), host: host(), at_ms })?)
    }

    /// Moves the ledger to another file, or into a database; the old one books nothing from then on.
    ///
    /// # Errors
    /// The sandbox's ledger; a place that cannot be; a ledger that is in use.
    pub fn move_ledger(&self, to: &Path) -> Result<Relocated> {
        if *self.config.service() == Service::Sandbox {
            let why = "the sandbox's ledger holds nothing of worth, and stays where it is";
            return Err(Misuse::NotForTheSandbox(why).into());
        }
        let from = self.config.ledger();
        if self.config.site().is_shared() {
            return Err(
                LedgerError::NotOnServer("moved: it stays in its database, which an administrator can move").into()
            );
        }
        let real: PathBuf = std::path::absolute(from).unwrap_or_else(|_| from.to_owned());
        let because = format!("moved from {}", real.display());
        let to = self.config.site_of(to)?;
        Ok(Ledger::relocate_to(from, &to, &self.watch(), &word(because))?)
    }
}

/// A person's word on a whole ledger.
fn word(because: String) -> NewAcceptance {
    NewAcceptance { user: user(), host: host(), because, at_ms: Timestamp::now().as_millisecond() }
}
