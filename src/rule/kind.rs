//! Whether something that is said has a level, which levels there are, and what a rule looks at.

use std::fmt;

use serde::Serialize;

/// What becomes of an order of which a rule has something to say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum RuleLevel {
    /// Nothing is said.
    Off,
    /// It goes, and is told.
    Warn,
    /// It stays until that is answered.
    Hold,
}

impl RuleLevel {
    /// Every level.
    pub const ALL: [Self; 3] = [Self::Hold, Self::Warn, Self::Off];

    /// The word for it in the configuration.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Warn => "warn",
            Self::Hold => "hold",
        }
    }
}

impl fmt::Display for RuleLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Whether something that is said has a level.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A doubt of ours, with its level by default: a person may know better.
    Rule(RuleLevel),
    /// Said of what is left out or done already: it can be said or not.
    Notice,
    /// No request can be formed from what stands there.
    Fault,
    /// The ledger says so: an order may be booked already, or its outcome is unknown.
    Ledger,
}

impl Kind {
    /// The word for it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Rule(_) => "rule",
            Self::Notice => "notice",
            Self::Fault => "fault",
            Self::Ledger => "ledger",
        }
    }

    /// Why it has no level, where it has none.
    #[must_use]
    pub const fn without_level(self) -> Option<&'static str> {
        match self {
            Self::Rule(_) | Self::Notice => None,
            Self::Fault => Some("it is a fault: no request can be formed from what stands there"),
            Self::Ledger => Some("the ledger says so, and nothing is sent against its word"),
        }
    }
}

/// Which cells of an order a rule looks at: where one of them changes, what was accepted is another matter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Looks {
    /// The cell that it speaks of.
    Cell,
    /// The row that it speaks of.
    Row,
    /// Receiver and address.
    Address,
    /// Size and weight, and how many pieces.
    Parcel,
    /// Prices, quantities, charges and payment.
    Amounts,
    /// The products.
    Lines,
    /// All of the order.
    Order,
}

/// What a rule looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scope {
    /// One cell.
    Cell,
    /// One row.
    Row,
    /// One order.
    Order,
    /// One sheet.
    Sheet,
    /// All that one command reads, and what the ledger and the couriers know.
    Run,
}

impl Scope {
    /// The word for it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Cell => "cell",
            Self::Row => "row",
            Self::Order => "order",
            Self::Sheet => "sheet",
            Self::Run => "run",
        }
    }
}
