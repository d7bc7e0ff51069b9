//! What columns give: to the fields of the request, and beside them.

use crate::field::{ExtraRole, Field, Id};
use crate::origin::Column;

/// A column that feeds a field.
#[derive(Debug, Clone, Copy)]
pub struct Feed {
    /// The field.
    pub field: &'static Field,
    /// The column that is shown as the value's place, counted from 0.
    pub column: u32,
    /// Which of the products side by side, counted from 0.
    pub product: u16,
    /// The mapper's step that makes the value; none where it is the cell as it stands.
    pub step: Option<u16>,
    /// Whether the column serves all products side by side, so that it does not make one by itself.
    pub shared: bool,
}

impl Feed {
    /// A field that is the cell of a column, or what a step makes of it.
    #[must_use]
    pub fn of(id: Id, column: u32, step: Option<u16>) -> Self {
        Self { field: id.field(), column, product: 0, step, shared: false }
    }

    /// The field's id.
    #[must_use]
    pub const fn id(&self) -> Id {
        self.field.id
    }
}

/// A unit that a header names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeaderUnit {
    /// The unit's own field: of weight, of dimensions or of money.
    pub id: Id,
    /// What it may be; more than one only for signs of money such as `$`.
    pub words: Vec<&'static str>,
    /// The column whose header names it.
    pub column: u32,
}

/// A column that says something of the order beside the fields: an amount, a state, a part of the address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Extra {
    /// What it says.
    pub role: ExtraRole,
    /// The column, counted from 0.
    pub column: u32,
    /// Whether each row holds, or may hold, the part of its own line.
    pub each_line: bool,
    /// Whether its header alone says so, and no profile.
    pub by_header: bool,
}

impl Extra {
    /// What a column says of the order as a whole, and not by its header alone.
    pub(super) const fn of(role: ExtraRole, column: u32) -> Self {
        Self { role, column, each_line: false, by_header: false }
    }
}

/// A column that may be a field, and what speaks for it.
#[derive(Debug, Clone)]
pub struct Candidate {
    /// The column.
    pub column: Column,
    /// The field.
    pub field: &'static Field,
    /// How much speaks for it, in points; from 100 on nothing is left to ask.
    pub points: u8,
    /// How alike its header and the names of the field are, in percent.
    pub(super) likeness: u8,
    /// The share of its cells that look like values of the field.
    pub(super) share: f64,
}

impl Candidate {
    /// A column of which nothing is left to ask.
    pub(super) const fn sure(column: Column, field: &'static Field) -> Self {
        Self { column, field, points: 100, likeness: 100, share: 1.0 }
    }

    /// A column that may be a field, and of which its header says nothing.
    pub(super) const fn perhaps(column: Column, field: &'static Field, points: u8) -> Self {
        Self { column, field, points, likeness: 0, share: 1.0 }
    }
}
