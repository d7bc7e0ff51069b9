//! Booking what was staged.

use std::path::PathBuf;
use std::time::Instant;

use jiff::Timestamp;

use crate::book::{self, Job, StopSignal, StoppedBy, Unsaved};
use crate::config::Booking;
use crate::event::{Event, Listener, Stream, Totals};
use crate::finding::Finding;
use crate::finding::english::Words;
use crate::ledger::{Ledger, LedgerError, ResultRow, RunEnd, RunId, Tally, Wanted};
use crate::report::Orders;

use super::connect::Connection;
use super::error::{Error, Mismatch, Result};
use super::exit::Exit;
use super::own::{OwnFiles, Rejects};
use super::plan::{PlanCounts, Staged, cancelled};
use super::reading::Reading;
use super::session::Session;

/// How a run's booking ended.
pub struct Ended<'r> {
    /// The run's number.
    pub run: i64,
    /// Where its orders stand.
    pub orders: Orders,
    /// POSTs that left, or may have left.
    pub requests: u64,
    /// Which brake ended it early, and why.
    pub stopped: Option<(StoppedBy, String)>,
    /// Answers that the ledger could not take; their orders count as in doubt.
    pub unsaved: Vec<Unsaved>,
    /// Where they are kept for the next start, if they are.
    pub spool: Option<PathBuf>,
    /// What failed around it, after something was sent.
    pub troubles: Vec<Trouble>,
    /// What the sheets came to.
    pub counts: PlanCounts,
    /// Booked orders of the sheets whose cancellation was asked for.
    pub cancelled: Vec<Finding>,
    /// When the session began.
    pub started: Instant,
    ledger: Ledger,
    id: RunId,
    files: Option<OwnFiles<'r>>,
}

/// What failed around a run, after something was sent; the run itself is over and recorded order by order.
#[derive(Debug)]
pub enum Trouble {
    /// The ledger could not be read, so that the counts are what this process saw.
    Uncounted(LedgerError),
    /// The run's end could not be recorded.
    Unrecorded(LedgerError),
}

/// The files that were asked for, once they were to be written.
#[derive(Debug, Default)]
pub struct Written {
    /// The rows that must be corrected, where they were asked for.
    pub rejects: Option<Rejects>,
    /// What could not be written.
    pub unwritten: Vec<Unwritten>,
}

/// A file that could not be written.
#[derive(Debug)]
pub enum Unwritten {
    /// The rows that must be corrected.
    Rejects(Error),
    /// The results.
    Results(Error),
}

impl Written {
    pub(super) fn rejects(written: Result<Option<Rejects>>) -> Self {
        match written {
            Ok(rejects) => Self { rejects, unwritten: Vec::new() },
            Err(error) => Self { rejects: None, unwritten: vec![Unwritten::Rejects(error)] },
        }
    }
}

impl Session<'_> {
    /// Books what a staged run holds, and closes its record. A connection is needed where anything is outstanding; `stop`
    /// ends it early; `events` hear each of them and are given back.
    ///
    /// # Errors
    /// A run that was staged for another ledger or service, a connection to another service, or none where something is to
    /// be sent: its orders stay outstanding. Fails only as long as nothing was sent; after that, whatever fails is among
    /// the [troubles](Ended::troubles).
    pub fn book<'r, L: Listener + 'static>(
        self,
        staged: Staged<'r>,
        booking: &Booking,
        connection: Option<Connection>,
        stop: StopSignal,
        mut events: Stream<L>,
    ) -> Result<(Ended<'r>, Stream<L>)> {
        let Staged { run, counts, source, target } = staged;
        if target != self.target() {
            return Err(Mismatch::OtherSession { run: run.number(), staged: target.service, own: self.service }.into());
        }
        let before = self.ledger.tally(run)?;
        match &connection {
            Some(connection) => connection.leads_to(&self.service)?,
            // What another station is sending is nothing to send from here.
            None if before.outstanding == 0 || counts.ledger.to_send.orders == 0 => {}
            None => return Err(Mismatch::NoConnection { run: run.number(), orders: before.outstanding }.into()),
        }
        let files = source.files();
        let ended = |ledger: Ledger| Ended {
            run: run.number(),
            orders: before.into(),
            requests: 0,
            stopped: None,
            unsaved: Vec::new(),
            spool: None,
            troubles: Vec::new(),
            cancelled: cancelled(&ledger, &self.service, &counts.ledger.cancelled),
            counts,
            started: self.started,
            ledger,
            id: run,
            files,
        };
        let Some(connection) = connection.filter(|_| before.outstanding > 0) else {
            let mut ended = ended(self.ledger);
            events.tell(&Event::Finished);
            ended.finish()?;
            return Ok((ended, events));
        };
        let job = Job {
            ledger: self.ledger,
            run,
            orders: before.outstanding,
            client: connection.client.clone(),
            tokens: connection.tokens.clone(),
            brake: booking.brake,
            rate: booking.rate,
            limits: booking.limits,
            stop,
        };
        let (booked, events) = self.app.runtime()?.block_on(book::book(job, events))?;
        drop(connection);
        let mut ended = ended(booked.ledger);
        let mut tally = ended.ledger.tally(run).unwrap_or_else(|error| {
            ended.troubles.push(Trouble::Uncounted(error));
            seen(before, events.totals())
        });
        let uncertain = (booked.unsaved.len() as u64).min(tally.outstanding);
        tally.outstanding -= uncertain;
        tally.in_doubt += uncertain;
        ended.take(tally);
        (ended.requests, ended.stopped) = (booked.requests, booked.stopped);
        (ended.unsaved, ended.spool) = (booked.unsaved, booked.spool);
        if let Err(Error::Ledger(error)) = ended.finish() {
            ended.troubles.push(Trouble::Unrecorded(error));
        }
        Ok((ended, events))
    }
}

/// How a run stands by what this process saw, where the ledger cannot be asked.
const fn seen(before: Tally, totals: &Totals) -> Tally {
    Tally {
        booked: before.booked + totals.booked,
        rejected: before.rejected + totals.rejected,
        refused: before.refused + totals.failed.saturating_sub(totals.rejected),
        in_doubt: before.in_doubt + totals.in_doubt,
        outstanding: before.outstanding.saturating_sub(totals.settled()),
        ..before
    }
}

impl<'r> Ended<'r> {
    /// The sheets, where the orders came from some.
    #[must_use]
    pub fn reading(&self) -> Option<&'r Reading> {
        self.files.as_ref().map(OwnFiles::reading)
    }

    /// The same once its files are written.
    pub(super) fn without_files(self) -> Ended<'static> {
        let Self {
            run,
            orders,
            requests,
            stopped,
            unsaved,
            spool,
            troubles,
            counts,
            cancelled,
            started,
            ledger,
            id,
            ..
        } = self;
        Ended {
            run,
            orders,
            requests,
            stopped,
            unsaved,
            spool,
            troubles,
            counts,
            cancelled,
            started,
            ledger,
            id,
            files: None,
        }
    }

    fn take(&mut self, tally: Tally) {
        self.orders = tally.into();
    }

    /// How it ended, for scripts.
    #[must_use]
    pub const fn exit(&self) -> Exit {
        let gathered = &self.counts.gathered;
        Exit::of(&self.orders, gathered.rows_without_order + gathered.files_aside, self.requests == 0)
    }

    /// Makes sure that every order is accounted for.
    ///
    /// # Errors
    /// One is not: a fault of the program. Each order's own record is right.
    pub fn balance(&self) -> Result<()> {
        if self.orders.balanced() {
            return Ok(());
        }
        Err(Error::Unbalanced { run: self.run, counts: format!("{:?}", self.orders) })
    }

    /// The ledger, to be read.
    #[must_use]
    pub const fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    /// Each order of the run as the ledger has it now, in the order of the sheets, those included that were not sent.
    ///
    /// # Errors
    /// The ledger cannot be read.
    pub fn each_order(&self, each: &mut dyn FnMut(&ResultRow)) -> Result<()> {
        Ok(self.ledger.for_each_result(&Wanted { run: Some(self.id), ..Wanted::default() }, each)?)
    }

    /// Writes all rows with what became of them, where a file for them was asked for; `words` tell what to do about each
    /// problem.
    ///
    /// # Errors
    /// A sheet that has changed since, or a file that cannot be written. The run itself is over and recorded.
    pub fn write_results(&mut self, words: &Words) -> Result<()> {
        let Some(files) = &mut self.files else { return Ok(()) };
        files.write_results(&self.ledger, self.id, words)
    }

    /// Writes the rows that must be corrected, where a file for them was asked for; `words` tell what to do about each.
    ///
    /// # Errors
    /// A sheet that has changed since, or a file that cannot be written. The run itself is over and recorded.
    pub fn write_rejects(&mut self, words: &Words) -> Result<Option<Rejects>> {
        let Some(files) = &mut self.files else { return Ok(None) };
        files.write_rejects_of(Some((&self.ledger, self.id)), words)
    }

    /// Writes both files that were asked for, each whatever becomes of the other.
    pub fn write_files(&mut self, words: &Words) -> Written {
        let results = self.write_results(words);
        let mut written = Written::rejects(self.write_rejects(words));
        written.unwritten.extend(results.err().map(Unwritten::Results));
        written
    }

    /// Closes the run's record.
    fn finish(&mut self) -> Result<()> {
        let end = RunEnd {
            finished_ms: Timestamp::now().as_millisecond(),
            requests: self.requests,
            stopped_by: self.stopped.as_ref().map(|(by, _)| by.as_str().to_owned()),
            stopped_why: self.stopped.as_ref().map(|(_, why)| why.clone()),
            exit: self.exit().code(),
        };
        Ok(self.ledger.finish_run(self.id, &end)?)
    }
}
