//! What becomes of an order on staging. Pure: decided by its request and by what the ledger knows of its number.

use super::record::{Known, State};

/// What became of an order on staging.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Disposition {
    /// Without a request before: it will be sent.
    New,
    /// It failed or was kept back before, and has a new request now: it will be sent.
    Replaced,
    /// Staged before and not sent yet: it will be sent.
    Outstanding {
        /// With the very request that was staged.
        is_same: bool,
    },
    /// Booked with this very request.
    AlreadyBooked {
        /// Its AWB.
        awb: String,
    },
    /// Booked with another request: nothing is changed.
    ChangedAfterBooking {
        /// Its AWB.
        awb: String,
    },
    /// Failed with this very request: `retry` is for that.
    LeftAlone {
        /// Where it stands.
        state: State,
    },
    /// On its way when the ledger was read: left alone.
    Sending,
    /// Nobody knows whether it was booked: left alone.
    InDoubt,
}

impl Disposition {
    /// What becomes of an order whose request has this hash.
    pub(super) fn of(known: Option<&Known>, sha256: &[u8; 32]) -> Self {
        let Some(known) = known else { return Self::New };
        let is_same = known.sha256 == Some(*sha256);
        let awb = || known.awb.clone().unwrap_or_default();
        match known.state {
            State::Booked if is_same => Self::AlreadyBooked { awb: awb() },
            State::Booked => Self::ChangedAfterBooking { awb: awb() },
            State::Sending => Self::Sending,
            State::InDoubt => Self::InDoubt,
            // This source lets it go.
            State::Invalid => Self::New,
            State::Held | State::LeftOut | State::Dismissed if known.sha256.is_none() => Self::New,
            State::Held | State::LeftOut | State::Dismissed if is_same => Self::Outstanding { is_same },
            // What was given up may have been booked: a corrected row is no proof that it was not.
            State::Abandoned => Self::LeftAlone { state: known.state },
            State::Rejected | State::Refused if is_same => Self::LeftAlone { state: known.state },
            State::Held | State::LeftOut | State::Dismissed | State::Rejected | State::Refused => Self::Replaced,
            State::Staged | State::Waiting => Self::Outstanding { is_same },
        }
    }

    /// Whether the order will be sent.
    pub(super) const fn will_be_sent(&self) -> bool {
        matches!(self, Self::New | Self::Replaced | Self::Outstanding { .. })
    }
}
