//! What sheets come to, beside a ledger that is only read, or without one.

use crate::event::{Event, Events};
use crate::finding::Finding;
use crate::ledger::{Ledger, LedgerError};
use crate::stage::{Dry, LedgerCounts};

use super::accept::Heard;
use super::caution::Caution;
use super::connect::App;
use super::error::{Error, Result};
use super::kept::KeptGate;
use super::own::OwnFiles;
use super::plan::{Before, PlanCounts, PlanOptions, cancelled, warn_of_no_orders};
use super::reading::Reading;

/// What would be sent, of sheets that are only looked at.
pub struct Preview<'r> {
    /// What the sheets come to: beside what the ledger knows, where there is one for the configured service.
    pub counts: PlanCounts,
    /// What a person should know before these sheets are imported.
    pub cautions: Vec<Caution>,
    /// Booked orders of the sheets whose cancellation was asked for.
    pub cancelled: Vec<Finding>,
    /// Why a ledger that is there was not looked at, so that every order counts as new.
    pub unread: Option<Error>,
    /// The files that were asked for.
    pub files: OwnFiles<'r>,
}

impl App {
    /// What sheets come to, without a session: nothing is written, no ledger is made, and another process may book
    /// meanwhile. `say` hears each problem.
    ///
    /// # Errors
    /// A sheet that cannot be used, or no longer be read; a ledger that fails on the way.
    pub fn preview<'r>(
        &self,
        reading: &'r Reading,
        options: PlanOptions<'_>,
        say: &mut dyn FnMut(&Finding),
        events: &mut Events<'_>,
    ) -> Result<Preview<'r>> {
        reading.usable()?;
        let mut files = OwnFiles::prepare(reading, options.rejects, options.results)?;
        // A ledger that cannot be read is told of below.
        let lists = self.couriers_lists().unwrap_or_default();
        let keepers = self.keepers(None).unwrap_or_default().beside(lists);
        let gate = KeptGate { keepers: &keepers, opened: &reading.opened, together: None, next: options.gate() };
        let options = PlanOptions { gate: Some(&gate), ..options };
        let service = self.config.service_key().ok();
        let (ledger, unread) = match service.as_ref().map(|_| self.read_ledger()) {
            Some(Ok(ledger)) => (Some(ledger), None),
            None | Some(Err(Error::Ledger(LedgerError::Missing(_)))) => (None, None),
            Some(Err(error)) => (None, Some(error)),
        };
        let Some((ledger, service)) = ledger.zip(service) else {
            let mut dry = Dry { gate: options.gate() };
            let mut heard = Heard::default();
            let gathered = files.gather(&mut dry, &mut heard.listening(say), events)?;
            warn_of_no_orders(reading, &gathered, say);
            events.tell(&Event::Planned { orders: gathered.good.orders });
            let (held, unused) = heard.end(reading);
            let ledger = LedgerCounts { to_send: gathered.good, ..LedgerCounts::default() };
            let counts = PlanCounts { gathered, ledger, held, unused };
            return Ok(Preview { counts, cautions: Vec::new(), cancelled: Vec::new(), unread, files });
        };
        self.preview_beside(&ledger, &service, files, options, say, events)
    }

    fn preview_beside<'r>(
        &self,
        ledger: &Ledger,
        service: &str,
        mut files: OwnFiles<'r>,
        options: PlanOptions<'_>,
        say: &mut dyn FnMut(&Finding),
        events: &mut Events<'_>,
    ) -> Result<Preview<'r>> {
        let mut staging = ledger.stage_dry(service)?;
        let before = Before::of(self, ledger, service)?;
        let mut counts = before.counts(&mut staging, &mut files, options, say, events)?;
        if !self.is_running() {
            // Whoever sent them is gone, so that nobody knows what came of it.
            counts.ledger.in_doubt += std::mem::take(&mut counts.ledger.sending);
        }
        let cancelled = cancelled(ledger, service, &counts.ledger.cancelled);
        let cautions = before.cautions(self, &counts.ledger.to_send, staging.elsewhere());
        Ok(Preview { counts, cautions, cancelled, unread: None, files })
    }
}
