//! What a run may use of its service: all that was asked for, or its station's share where others book there as well.

use std::time::Duration;

use crate::ledger::{Allowance, BrakeElsewhere, Ledger, LedgerError, Part, RunId, Share};

use super::brake::StoppedBy;
use super::pace::Pacer;

/// Brakes that stop all stations: what the service itself said. What only this machine sees, or this run's person set, the
/// others see or set for themselves.
const FOR_ALL: [StoppedBy; 8] = [
    StoppedBy::Authentication,
    StoppedBy::Address,
    StoppedBy::Redirect,
    StoppedBy::Funds,
    StoppedBy::Refusals,
    StoppedBy::Doubts,
    StoppedBy::Contradiction,
    StoppedBy::Answer,
];

/// Places in flight and slots in time.
#[derive(Debug)]
pub(super) struct Allotment {
    pub(super) pacer: Pacer,
    share: Option<Share>,
}

impl Allotment {
    /// Takes what there is of so many orders in flight and so many a second.
    pub(super) fn take(ledger: &mut Ledger, run: RunId, width: usize, rate: Option<f64>) -> Result<Self, LedgerError> {
        let share = ledger.share(run, Allowance::new(width, rate))?;
        let rate = share.as_ref().map_or(rate, Share::rate);
        Ok(Self { pacer: Pacer::new(rate), share })
    }

    /// Goes by the share as it is now; gives the brake that another station pulled.
    pub(super) fn heed(&mut self) -> Option<(StoppedBy, String)> {
        let share = self.share.as_ref()?;
        self.pacer.set(share.rate());
        share.brake().as_ref().map(pulled)
    }

    /// How many orders may be in flight.
    pub(super) fn width(&self) -> usize {
        self.share.as_ref().map_or(usize::MAX, Share::width)
    }

    /// Which orders are this station's own.
    pub(super) fn part(&self) -> Part {
        self.share.as_ref().map_or(Part::WHOLE, Share::part)
    }

    /// Whether other stations may book there as well.
    pub(super) const fn is_shared(&self) -> bool {
        self.share.is_some()
    }

    /// Whether the other stations have all there is.
    pub(super) fn is_none(&self) -> bool {
        self.width() == 0
    }

    /// Takes a place in flight, where one is free.
    pub(super) fn enter(&self) -> bool {
        self.share.as_ref().is_none_or(Share::enter)
    }

    /// Gives a place in flight back.
    pub(super) fn leave(&self) {
        if let Some(share) = &self.share {
            share.leave();
        }
    }

    /// When an order that is ready at `now` may leave.
    pub(super) fn leaves(&mut self, now: Duration) -> Duration {
        self.pacer.leave(now)
    }

    /// Waits for another share, or for a brake.
    pub(super) async fn changed(&self) {
        match &self.share {
            Some(share) => share.changed().await,
            None => std::future::pending().await,
        }
    }
}

impl Drop for Allotment {
    fn drop(&mut self) {
        if let Some(share) = &self.share {
            share.give_up();
        }
    }
}

/// Whether the other stations are stopped as well.
pub(super) fn is_for_all(by: StoppedBy) -> bool {
    FOR_ALL.contains(&by)
}

/// A brake of another station, as if it had been pulled here.
pub(super) fn pulled(brake: &BrakeElsewhere) -> (StoppedBy, String) {
    let by = FOR_ALL.into_iter().find(|by| by.as_str() == brake.by).unwrap_or(StoppedBy::Refusals);
    let BrakeElsewhere { why, station, host, .. } = brake;
    (by, format!("station {station} ({host}) stopped all stations of this service: {why}"))
}
