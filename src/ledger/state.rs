//! Where orders stand.

use schemars::JsonSchema;
use serde::Serialize;

/// Where an order stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// Frozen and never sent since.
    Staged,
    /// Sent or about to be; its intent is on disk.
    Sending,
    /// Proven unsent, or refused for now.
    Waiting,
    /// An AWB is held.
    Booked,
    /// Answered with a `shipmentPurchaseError`.
    Rejected,
    /// The service said no before booking.
    Refused,
    /// Nobody knows.
    InDoubt,
    /// It could not be sent yet: every source has it wrong, or a rule holds it.
    Invalid,
    /// It shall not be sent now: a source holds it or has it wrong, or a question about it waits for a person's answer.
    Held,
    /// It shall not be sent: a source cancels it or leaves it out.
    LeftOut,
    /// It shall not be sent: a person dismissed it as its sheet has it.
    Dismissed,
    /// A person gave it up.
    Abandoned,
}

impl State {
    /// Every state.
    pub const ALL: [Self; 12] = [
        Self::Staged,
        Self::Sending,
        Self::Waiting,
        Self::Booked,
        Self::Rejected,
        Self::Refused,
        Self::InDoubt,
        Self::Invalid,
        Self::Held,
        Self::LeftOut,
        Self::Dismissed,
        Self::Abandoned,
    ];

    /// The stable word.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Staged => "staged",
            Self::Sending => "sending",
            Self::Waiting => "waiting",
            Self::Booked => "booked",
            Self::Rejected => "rejected",
            Self::Refused => "refused",
            Self::InDoubt => "in_doubt",
            Self::Invalid => "invalid",
            Self::Held => "held",
            Self::LeftOut => "left_out",
            Self::Dismissed => "dismissed",
            Self::Abandoned => "abandoned",
        }
    }

    pub(super) fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.as_str() == word)
    }
}
