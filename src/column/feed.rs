//! What columns give: to the fields of the request, and beside them.

use crate::field::{AmountRole, Field, Id, TotalOf, Trait, Traits};
use crate::words::About;

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
    /// The cell of a column as it stands, which makes no product.
    #[must_use]
    pub fn cell(id: Id, column: u32) -> Self {
        Self { field: id.field(), column, product: 0, step: None, shared: true }
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
pub struct Claim {
    /// What it says.
    pub role: AmountRole,
    /// The column, counted from 0.
    pub column: u32,
    /// Whether each row holds, or may hold, the part of its own line.
    pub each_line: bool,
    /// Whether its header alone says so, and no profile.
    pub by_header: bool,
}

/// A column, as orders are built from it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// Its header, which is only shown.
    pub header: String,
    /// What the header says.
    pub traits: Traits,
    /// The unit of its weights or sides, where the header names one.
    pub unit: Option<&'static str>,
    /// What a total under the header is of.
    pub total_of: TotalOf,
    /// What a charge or a discount under the header is for, by family: two columns alike may hold one amount.
    pub charge: Vec<String>,
    /// What remarks under the header are about.
    pub about: About,
}

/// A column without a header.
pub(super) const NAMELESS: Column = Column {
    header: String::new(),
    traits: Traits::NONE,
    unit: None,
    total_of: TotalOf::Unclear,
    charge: Vec::new(),
    about: About { pickup: false, others: false, goods: false, remarks: false },
};

impl Column {
    /// A column of which its header says nothing.
    #[must_use]
    pub fn plain(header: &str) -> Self {
        Self { header: header.to_owned(), ..NAMELESS }
    }

    /// Whether its header says so.
    #[must_use]
    pub const fn is(&self, own: Trait) -> bool {
        self.traits.has(own)
    }

    /// Whether it and another one may hold one and the same charge or discount.
    #[must_use]
    pub fn may_be_same_charge(&self, other: &[String]) -> bool {
        !self.charge.is_empty() && self.charge == other
    }
}
