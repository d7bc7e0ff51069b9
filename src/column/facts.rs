//! What a sheet's headers and its profile say beside the cells.

use std::sync::Arc;

use rust_decimal::Decimal;

use crate::check::Dates;
use crate::field::{Id, is_named};
use crate::rule::Levels;
use crate::words::Vocabulary;

use super::feed::{Claim, Feed, HeaderUnit};

/// Where a payment of any name counts as paid, by another cell of the row.
#[derive(Debug, Clone)]
pub struct PaidWhere {
    /// The header of that column.
    pub column: String,
    /// What stands there where it is paid.
    pub is: Vec<String>,
    /// Words, without case, spaces and punctuation, of payments that never count as paid.
    pub unless: Vec<String>,
}

impl PaidWhere {
    /// Whether it is the column with that header.
    #[must_use]
    pub fn is_of(&self, header: &str) -> bool {
        is_named(std::slice::from_ref(&self.column), header)
    }

    /// Whether an order is paid by what its cell there says.
    #[must_use]
    pub fn holds(&self, text: &str) -> bool {
        self.is.iter().any(|word| word.eq_ignore_ascii_case(text))
    }
}

/// What a sheet says beside its cells.
#[expect(clippy::struct_excessive_bools, reason = "each is one thing that a sheet or its profile says")]
#[derive(Debug, Clone, Default)]
pub struct Facts {
    /// Constants where the sheet has no value.
    pub defaults: Vec<(Id, String)>,
    /// What charges and discounts are for by the usual headers of their fields.
    pub charges: Vec<(Id, Vec<String>)>,
    /// Units in headers.
    pub units: Vec<HeaderUnit>,
    /// How its profile says that dates are written.
    pub dates: Option<Dates>,
    /// What numbers are multiplied with to be in the unit that is sent.
    pub scales: Vec<(Id, Decimal)>,
    /// Whether the price is for all pieces of a line.
    pub line_total: bool,
    /// Whether its profile says that the discount of a product is for one piece.
    pub per_piece: bool,
    /// What columns say beside the fields.
    pub claims: Vec<Claim>,
    /// Columns of a second name or address, which stand in where those of the fields are blank.
    pub stand_ins: Vec<Feed>,
    /// Fields of the order of which each row holds a part.
    pub parts: Vec<Id>,
    /// Where its payments count as paid, if its profile says that.
    pub paid_where: Option<PaidWhere>,
    /// The profile, where the sheet follows one.
    pub profile: Option<String>,
    /// Whether a person made that profile.
    pub own_profile: bool,
    /// What says how orders are paid, beside a column of types of payment.
    pub payment: SaidOfPayment,
    /// Whether every row is one product that stands in no column, as in a list of addresses.
    pub constant_product: bool,
    /// The levels of rules for what it holds.
    pub levels: Levels,
    /// The vocabulary with a person's own words, where there are any.
    pub words: Option<Arc<Vocabulary>>,
}

/// What a sheet says of how its orders are paid, beside a column of types of payment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SaidOfPayment {
    /// Nothing.
    #[default]
    Nothing,
    /// Something, here and there: one payment for all orders would be wrong.
    Something,
    /// What is to be collected: the type is made of that, and a blank cell may mean nothing.
    Collected,
}
