//! Revisions that sources give of orders, free of SQL.

use super::packed::Packed;
use crate::finding::RuleId;
use crate::text::Decimal;

/// The verdict of a source on an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// It goes.
    Go,
    /// A rule holds it.
    Held,
    /// It is done, or left out by a rule.
    LeftOut,
    /// It cannot be sent as it is.
    Invalid,
    /// It is cancelled.
    Cancelled,
    /// A person dismissed it.
    Dismissed,
}

impl Verdict {
    const ALL: [Self; 6] = [Self::Go, Self::Held, Self::LeftOut, Self::Invalid, Self::Cancelled, Self::Dismissed];

    /// The stable word.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Go => "go",
            Self::Held => "held",
            Self::LeftOut => "left-out",
            Self::Invalid => "invalid",
            Self::Cancelled => "cancelled",
            Self::Dismissed => "dismissed",
        }
    }

    pub(super) fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|verdict| verdict.as_str() == word)
    }
}

/// A request on its way into the ledger, for later than now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FrozenRequest {
    /// The request as the ledger keeps it.
    pub packed: Packed,
    /// Its SHA-256.
    pub sha256: [u8; 32],
    /// The `orderCreatedAt` in it, epoch milliseconds.
    pub created_ms: i64,
    /// How many product lines it has.
    pub lines: u32,
    /// Declared value: its goods before charges and discount, in the order's currency.
    pub value: Decimal,
    /// The amount to collect at the door, in the order's currency.
    pub cod: Decimal,
}

/// A revision of an order, to be recorded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewRevision {
    /// The order.
    pub number: String,
    /// Its verdict; of a question the order's own holds.
    pub verdict: Verdict,
    /// The rule whose question waits for a person's answer.
    pub hold: Option<RuleId>,
    /// The request that a person's answer lets go.
    pub request: Option<FrozenRequest>,
    /// Its rows there, as people write them.
    pub rows: String,
    /// The rule that decided there; empty where none did.
    pub rule: String,
    /// The SHA-256 of the sheet's file, where it lies anywhere.
    pub sheet: Option<[u8; 32]>,
}

/// The current revision of an order that could be sent and shall not be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Revision {
    /// The order's verdict.
    pub verdict: Verdict,
    /// The rule whose question waits for a person's answer.
    pub hold: Option<String>,
    /// Where and why, as people read it.
    pub because: String,
    /// The SHA-256 of the sheet's file.
    pub sheet: Option<[u8; 32]>,
    /// The hash of the request that asks.
    pub request: Option<[u8; 32]>,
}
