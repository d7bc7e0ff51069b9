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
    /// A number whose format shows fewer decimals than it has: what is shown, the amount and the number itself, with [`PARTS`] between.
    Rounded,
}

/// The sign between the parts of a rounded number.
pub(super) const PARTS: char = '\u{1f}';

impl CellKind {
    /// All, each at the place of its code.
    const ALL: [Self; 9] = [
        Self::Empty,
        Self::Text,
        Self::Number,
        Self::LossyNumber,
        Self::Date,
        Self::Flag,
        Self::Error,
        Self::FormulaWithoutValue,
        Self::Rounded,
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
    /// Its text without surrounding white space: a number as its format shows it.
    pub text: &'r str,
    /// What it was.
    pub kind: CellKind,
    /// Of a number that its format rounds: the amount that it is, to the paisa, and the number.
    pub(super) rounded: Option<(&'r str, &'r str)>,
}

impl<'r> Cell<'r> {
    /// A cell whose text is all there is of it.
    #[must_use]
    pub const fn new(text: &'r str, kind: CellKind) -> Self {
        Self { text, kind, rounded: None }
    }

    /// The text of an amount of money: the cell's value, whatever its format shows of it.
    #[must_use]
    pub fn amount(&self) -> &'r str {
        self.rounded.map_or(self.text, |(amount, _)| amount)
    }

    /// The text of any other number: the cell's value, whatever its format shows of it.
    #[must_use]
    pub fn number(&self) -> &'r str {
        self.rounded.map_or(self.text, |(_, number)| number)
    }

    /// The same cell with another text.
    #[must_use]
    pub const fn with(self, text: &'r str) -> Self {
        Self { text, ..self }
    }

    /// A cell as it was kept.
    pub(super) fn kept(text: &'r str, kind: CellKind) -> Self {
        if kind != CellKind::Rounded {
            return Self::new(text, kind);
        }
        let mut parts = text.split(PARTS);
        let [shown, amount, number] = [(); 3].map(|()| parts.next().unwrap_or(text));
        let kind = if shown.ends_with(|c: char| c.is_ascii_digit()) { CellKind::Number } else { CellKind::Text };
        Self { text: shown, kind, rounded: Some((amount, number)) }
    }
}
