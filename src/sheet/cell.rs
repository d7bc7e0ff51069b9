//! A cell and what it was in its sheet.

/// What a cell was in the sheet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CellKind {
    /// Nothing, or only spaces.
    #[default]
    Empty,
    /// Text; every cell of a text file is.
    Text,
    /// A number, written as the person saw it.
    Number,
    /// A number of more than 15 digits, or beyond all numbers: the sheet itself has lost digits.
    LossyNumber,
    /// A date, written `2025-10-13` or `2025-10-13T10:00:00`.
    Date,
    /// `TRUE` or `FALSE`.
    Flag,
    /// An error value such as `#N/A`.
    Error,
    /// A formula that was saved without its value.
    FormulaWithoutValue,
}

impl CellKind {
    /// All, each at the place of its code.
    const ALL: [Self; 8] = [
        Self::Empty,
        Self::Text,
        Self::Number,
        Self::LossyNumber,
        Self::Date,
        Self::Flag,
        Self::Error,
        Self::FormulaWithoutValue,
    ];

    /// What stands for it where cells are kept as bytes.
    pub(super) const fn code(self) -> u8 {
        self as u8
    }

    /// The kind of a code; none where there is no such code.
    pub(super) fn of_code(code: u8) -> Option<Self> {
        Self::ALL.get(usize::from(code)).copied()
    }
}

/// One cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Cell<'r> {
    /// Its text without surrounding white space.
    pub text: &'r str,
    /// What it was.
    pub kind: CellKind,
}
