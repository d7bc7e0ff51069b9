//! What all cells of a sheet show of its columns, once they are seen.

use crate::check::Habit;
use crate::field::Id;

use super::days::Days;

/// What the cells of a sheet's columns show.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Look {
    /// How the columns of fields write numbers and dates.
    pub habits: Vec<(Id, Habit)>,
    /// What columns of taxes hold that may be rates or amounts.
    pub taxes: Vec<(u32, Habit)>,
    /// Columns that no field takes and whose figures are all money.
    pub money: Vec<u32>,
    /// Columns that no field takes and whose figures may all be money.
    pub may_be_money: Vec<u32>,
    /// Columns in which some orders have a yes.
    pub consents: Vec<u32>,
    /// What columns of days hold.
    pub days: Vec<(u32, Days)>,
}
