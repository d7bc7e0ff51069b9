//! Where everything stands: runs, orders, and their evidence. Read while a run goes on; nothing is written.

use std::time::Duration;

use jiff::Timestamp;

use crate::ledger::{EvidenceRecord, Ledger, OrderHistory, RunId, RunRecord, State, StationStanding, holder};
use crate::report::Orders;

use super::connect::App;
use super::error::{Error, Result};
use super::exit::Exit;

/// States that results can be asked for by.
pub const STATES: [&str; 10] = [
    "booked",
    "rejected",
    "refused",
    "in_doubt",
    "outstanding",
    "invalid",
    "held",
    "left_out",
    "abandoned",
    "dismissed",
];

/// A run, and where its orders stand now.
#[derive(Debug)]
pub struct RunStatus {
    /// What is recorded of it.
    pub record: RunRecord,
    /// What it came to when it ended; nothing where it was killed, goes on, or ended before that was kept.
    pub at_end: Option<Orders>,
    /// Where its orders stand now.
    pub orders: Orders,
    /// Who books it just now, where somebody does.
    pub holder: Option<String>,
    /// How long it took, or takes so far.
    pub took: Duration,
}

/// A run among others.
#[derive(Debug)]
pub struct RunEntry {
    /// What is recorded of it.
    pub record: RunRecord,
    /// What it came to when it ended; nothing where it was killed, goes on, or ended before that was kept.
    pub at_end: Option<Orders>,
    /// Where its orders stand now.
    pub orders: Orders,
}

impl RunStatus {
    /// How it stands, for scripts.
    #[must_use]
    pub const fn exit(&self) -> Exit {
        let others = self.record.rows_without_order + self.record.has_files_aside as u64;
        Exit::of(&self.orders, others, self.record.requests == 0)
    }
}

impl App {
    /// A run and where its orders stand; the latest where none is named.
    ///
    /// # Errors
    /// No such run, or none at all.
    pub fn run_status(&self, ledger: &Ledger, run: Option<i64>) -> Result<RunStatus> {
        status_of(ledger, find_run(ledger, run)?, self.holder())
    }

    /// The latest runs with where their orders stand, the latest first.
    ///
    /// # Errors
    /// A ledger that cannot be read.
    pub fn runs(&self, ledger: &Ledger, most: usize) -> Result<Vec<RunEntry>> {
        let running = self.is_running();
        let records = ledger.runs(most)?;
        let each = |record: RunRecord| {
            let orders = standing(ledger, record.id, running)?;
            let at_end = ledger.tally_at_end(record.id)?.map(Orders::from);
            Ok(RunEntry { record, at_end, orders })
        };
        records.into_iter().map(each).collect()
    }

    /// An order's whole history, at each service that it was meant for.
    ///
    /// # Errors
    /// No such order.
    pub fn order(&self, ledger: &Ledger, number: &str) -> Result<Vec<OrderHistory>> {
        let mut histories = ledger.order(number)?;
        if histories.is_empty() {
            return Err(Error::NoOrder { number: number.to_owned() });
        }
        // Nobody waits for the answer any more; the ledger will say so at the next start.
        let killed = !self.is_running();
        for history in histories.iter_mut().filter(|own| killed && own.state == State::Sending.as_str()) {
            State::InDoubt.as_str().clone_into(&mut history.state);
        }
        Ok(histories)
    }

    /// Every attempt and decision on an order, with the hashes that bind them.
    ///
    /// # Errors
    /// No such order, or a ledger that cannot be read.
    pub fn evidence(&self, ledger: &Ledger, number: &str) -> Result<Vec<EvidenceRecord>> {
        if ledger.order(number)?.is_empty() {
            return Err(Error::NoOrder { number: number.to_owned() });
        }
        Ok(ledger.evidence(number)?)
    }

    /// Who works with the ledger just now, where somebody does.
    #[must_use]
    pub fn holder(&self) -> Option<String> {
        self.holder_here().or_else(|| self.station_at_work())
    }

    /// Who keeps others on this machine from working with the ledger just now. Stations do not keep each other from it.
    #[must_use]
    pub fn holder_here(&self) -> Option<String> {
        holder(self.config.ledger())
    }

    /// A station that works with a shared ledger.
    fn station_at_work(&self) -> Option<String> {
        if !self.config.site().is_shared() {
            return None;
        }
        let stations = self.read_ledger().ok()?.stations().ok()?;
        let at_work = stations.into_iter().find(|station| station.standing == StationStanding::Works)?;
        Some(format!("station {}, {} on {}", at_work.number, at_work.user, at_work.host))
    }

    /// Whether some process works with the ledger just now.
    pub(super) fn is_running(&self) -> bool {
        self.holder().is_some()
    }
}

/// Where a run stands, while this holder works with the ledger.
pub(super) fn status_of(ledger: &Ledger, record: RunRecord, holder: Option<String>) -> Result<RunStatus> {
    // Whoever holds the lock works on the latest run.
    let is_latest = ledger.find_run(None)?.is_some_and(|latest| latest.id == record.id);
    let holder = holder.filter(|_| is_latest && record.finished_ms.is_none());
    let orders = standing(ledger, record.id, holder.is_some())?;
    let until = match (record.finished_ms, &holder) {
        (Some(finished), _) => finished,
        (None, Some(_)) => Timestamp::now().as_millisecond(),
        (None, None) => ledger.last_sign_ms(record.id)?.unwrap_or(record.started_ms),
    };
    let took = Duration::from_millis(u64::try_from(until - record.started_ms).unwrap_or(0));
    let at_end = ledger.tally_at_end(record.id)?.map(Orders::from);
    Ok(RunStatus { record, at_end, orders, holder, took })
}

/// The named run, or the latest.
pub(super) fn find_run(ledger: &Ledger, run: Option<i64>) -> Result<RunRecord> {
    match (ledger.find_run(run.map(RunId::from_number))?, run) {
        (Some(record), _) => Ok(record),
        (None, Some(run)) => Err(Error::NoRun(run)),
        (None, None) => Err(Error::NoRunYet),
    }
}

/// Where the orders of a run stand. What was on the way when a run was killed is in doubt, though the ledger will only
/// say so at the next start.
fn standing(ledger: &Ledger, run: RunId, running: bool) -> Result<Orders> {
    let mut orders = Orders::from(ledger.tally(run)?);
    let on_the_way = if running { 0 } else { ledger.open_attempts(run)?.min(orders.outstanding) };
    orders.outstanding -= on_the_way;
    orders.in_doubt += on_the_way;
    Ok(orders)
}
