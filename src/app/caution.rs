//! What a person should know before the yes.

use crate::book::{FarMore, Limits};
use crate::ledger::Elsewhere;

/// Something that a person should know before the yes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Caution {
    /// Far more than usual would be sent.
    FarMoreThanUsual(FarMore),
    /// Order numbers are known at another address of which nobody has said whether it is the same service. Nothing is
    /// staged before [that is said](super::Session::say_of_service).
    Elsewhere(Elsewhere),
}

impl Caution {
    /// The other addresses among them.
    #[must_use]
    pub fn elsewhere(cautions: &[Self]) -> Vec<Elsewhere> {
        let of = |caution: &Self| match caution {
            Self::Elsewhere(elsewhere) => Some(elsewhere.clone()),
            Self::FarMoreThanUsual(_) => None,
        };
        cautions.iter().filter_map(of).collect()
    }

    /// What is far more than usual among them.
    #[must_use]
    pub fn far_more(cautions: &[Self]) -> Vec<FarMore> {
        let of = |caution: &Self| match caution {
            Self::FarMoreThanUsual(far_more) => Some(*far_more),
            Self::Elsewhere(_) => None,
        };
        cautions.iter().filter_map(of).collect()
    }

    /// Those that need nobody's word: whoever set a limit on orders or on their value has said how much may go.
    #[must_use]
    pub fn accepted_by_limits(cautions: &[Self], limits: &Limits) -> Vec<Self> {
        let is_accepted = |caution: &&Self| match caution {
            Self::FarMoreThanUsual(_) => limits.orders_max.is_some() || limits.value_max.is_some(),
            Self::Elsewhere(_) => false,
        };
        cautions.iter().filter(is_accepted).cloned().collect()
    }

    /// Whether it no longer stands in the way. An address is settled by an answer alone, which makes another plan.
    pub(super) fn is_settled_by(&self, accepted: &[Self]) -> bool {
        match self {
            Self::FarMoreThanUsual(_) => accepted.contains(self),
            Self::Elsewhere(_) => false,
        }
    }
}
