//! The amounts of an order of which a person may choose one, where its sheet says several.

use serde::{Deserialize, Serialize};

use crate::text::Decimal;

/// The total of an order, and another one that it may have instead.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AmountChoice {
    /// The amount that it is sent with as it stands.
    pub stands: Amount,
    /// The amount that a person may choose instead.
    pub other: Option<Amount>,
    /// The currency; may be empty.
    pub currency: String,
    /// Whether the courier collects it.
    pub is_collected: bool,
}

/// One of the amounts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Amount {
    /// How much.
    pub amount: Decimal,
    /// Where it comes from.
    pub of: AmountOf,
}

/// Where an amount comes from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AmountOf {
    /// A total of the sheet says it.
    Sheet,
    /// It is worked out from the products and charges.
    Products,
    /// All of it, whatever is paid.
    All,
    /// The rest that is left to pay.
    Rest,
    /// With the amount under this header.
    With(String),
    /// Without the amount under this header.
    Without(String),
}

impl AmountChoice {
    /// Whether this is one of them.
    #[must_use]
    pub fn has(&self, amount: Decimal) -> bool {
        self.stands.amount == amount || self.offers(amount)
    }

    /// Whether a person may choose this in place of what stands.
    #[must_use]
    pub fn offers(&self, amount: Decimal) -> bool {
        self.other.as_ref().is_some_and(|other| other.amount == amount)
    }
}
