//! What the columns of a sheet give, and what its headers and its profile say beside the cells.

use rust_decimal::Decimal;

use crate::check::Dates;
use crate::field::{AmountRole, Id};
use crate::rule::Levels;

/// A column that feeds a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fed {
    /// The field.
    pub id: Id,
    /// The column that is shown as the value's place, counted from 0.
    pub column: u32,
    /// Which of the products that stand side by side in a row; 0 where there is one.
    pub product: u16,
    /// The step that makes the value; none where it is the cell as it stands.
    pub step: Option<u16>,
    /// Whether the column serves all products side by side, so that it does not make one by itself.
    pub shared: bool,
}

/// A unit that a header names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeaderUnit {
    /// The unit's field: of weight, of dimensions or of money.
    pub id: Id,
    /// What it may be; more than one only for signs of money such as `$`.
    pub words: Vec<&'static str>,
    /// The column whose header names it.
    pub column: u32,
}

/// A column with an amount of the order beside the fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Amount {
    /// What it says.
    pub role: AmountRole,
    /// The column, counted from 0.
    pub column: u32,
    /// Whether each row holds, or may hold, the part of its own line.
    pub each_line: bool,
    /// Whether its header alone says so, and no profile.
    pub by_header: bool,
}

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

/// What a sheet says beside its cells.
#[expect(clippy::struct_excessive_bools, reason = "each is one thing that a sheet or its profile says")]
#[derive(Debug, Clone, Default)]
pub struct Facts {
    /// Constants where the sheet has no value.
    pub defaults: Vec<(Id, String)>,
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
    /// Amounts of the order beside the fields.
    pub amounts: Vec<Amount>,
    /// Fields of the order of which each row holds a part.
    pub parts: Vec<Id>,
    /// The column in which the sheet says what was wrong with a row when it was handed back.
    pub reasons: Option<u32>,
    /// The profile, where the sheet follows one.
    pub profile: Option<String>,
    /// Where its payments count as paid, if it says that.
    pub paid_where: Option<PaidWhere>,
    /// Whether a person made that profile.
    pub own_profile: bool,
    /// What says how orders are paid, beside a column of types of payment.
    pub payment: SaidOfPayment,
    /// Whether every row is one product that stands in no column, as in a list of addresses.
    pub constant_product: bool,
    /// The levels of rules for what it holds.
    pub levels: Levels,
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
