//! Which orders of a draft are meant: by where they stand, by what is said of them, or by their number.

use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

use serde::{Deserialize, Serialize};

use crate::finding::{Finding, cause};

/// Where an order of a draft stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DraftState {
    /// It goes.
    Ready,
    /// Something of it has to be corrected.
    Fix,
    /// Somebody has to say whether it goes.
    Hold,
    /// It does not go: its sheet, the clerk or an earlier word says so.
    LeftOut,
    /// It is booked.
    Booked,
    /// It was sent, or is just being sent, and nobody knows yet what came of it.
    InDoubt,
}

impl DraftState {
    /// Every state.
    pub const ALL: [Self; 6] = [Self::Ready, Self::Fix, Self::Hold, Self::LeftOut, Self::Booked, Self::InDoubt];

    /// The word for it, as it stands in data.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Ready => "ready",
            Self::Fix => "fix",
            Self::Hold => "hold",
            Self::LeftOut => "left-out",
            Self::Booked => "booked",
            Self::InDoubt => "in-doubt",
        }
    }
}

/// Findings that are the same thing said of several orders, by a number that stays the same as long as it is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct GroupId(pub u64);

impl GroupId {
    /// The group that a finding belongs to.
    #[must_use]
    pub fn of(finding: &Finding) -> Self {
        let hasher = BuildHasherDefault::<DefaultHasher>::default();
        let of = (finding.field.as_deref(), finding.level);
        let (case, values) = cause(finding);
        Self(match finding.rule() {
            // One case of a rule has one way out, whatever tells its causes apart.
            Some(rule) => hasher.hash_one((rule, finding.id, case, of)),
            None => hasher.hash_one((finding.id, case, values, of)),
        })
    }
}

/// Which orders are meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Filter {
    /// All of them.
    All,
    /// Those that wait for a person: to be corrected, or held by anything but the clerk's own word.
    Open,
    /// Those that stand so.
    State(DraftState),
    /// Those of which this is said.
    Group(GroupId),
    /// Those that are booked and stand otherwise in the sheet by now.
    BookedOtherwise,
    /// Those with this in their number, in capitals or not.
    Number(String),
}
