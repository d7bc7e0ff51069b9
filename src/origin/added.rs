//! What this program adds to a person's sheet when it hands rows back, and knows again when they return.

use std::borrow::Cow;

/// The beginning of each header.
const BEGINNING: &[u8] = b"shipsheet ";

/// A column that is added to a person's own ones. No field takes any of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Added {
    /// The sheet that the row came from, where several are in one file.
    File,
    /// What became of the row's order.
    Status,
    /// The order's AWB.
    Awb,
    /// The carrier that took it.
    Carrier,
    /// The service level.
    Service,
    /// Why it is not booked.
    Error,
    /// What is wrong with the row.
    Reason,
    /// Which cell is meant.
    Cell,
    /// What to do about it.
    Suggestion,
}

impl Added {
    /// Every added column.
    pub const ALL: [Self; 9] = [
        Self::File,
        Self::Status,
        Self::Awb,
        Self::Carrier,
        Self::Service,
        Self::Error,
        Self::Reason,
        Self::Cell,
        Self::Suggestion,
    ];

    /// The status of a row that could not be read whole: it counts as damaged until a person clears the cell.
    pub const DAMAGED: &'static str = "damaged";

    /// The status of a whole row that stood below a title: nobody knows whether it is to go until a person clears the cell.
    pub const BELOW_TITLE: &'static str = "below a title";

    /// The status of a whole row that was coloured, hidden or struck through: nobody has said yet whether it is to go.
    pub const MARKED: &'static str = "marked in the sheet";

    /// Its header.
    #[must_use]
    pub const fn header(self) -> &'static str {
        match self {
            Self::File => "shipsheet file",
            Self::Status => "shipsheet status",
            Self::Awb => "shipsheet AWB",
            Self::Carrier => "shipsheet carrier",
            Self::Service => "shipsheet service",
            Self::Error => "shipsheet error",
            Self::Reason => "shipsheet reason",
            Self::Cell => "shipsheet cell",
            Self::Suggestion => "shipsheet suggestion",
        }
    }

    /// The added column that a header names.
    #[must_use]
    pub fn of(header: &str) -> Option<Self> {
        let header = header.trim();
        // Each cell of a sheet is asked about.
        let begins = header.as_bytes().get(..BEGINNING.len()).is_some_and(|own| own.eq_ignore_ascii_case(BEGINNING));
        if !begins {
            return None;
        }
        Self::ALL.into_iter().find(|added| added.header().eq_ignore_ascii_case(header))
    }
}

/// Whether a column was added by this program.
#[must_use]
pub fn is_added(header: &str) -> bool {
    Added::of(header).is_some()
}

/// Stands before, or in place of, a value that the sheet itself has lost, so that it is not taken for sound later.
pub const LOST: &str = "#LOST!";

/// Spreadsheet programs run what begins with one of these.
const FORMULA_STARTS: [char; 6] = ['=', '+', '-', '@', '\t', '\r'];

/// Text that no spreadsheet program runs as a formula: an apostrophe stands before what would be one.
///
/// With `in_text_cell` it goes into a cell that is text by its type, where nothing is ever run; then only a text that
/// already looks guarded gets another apostrophe, so that [`unguarded`] always gives back what was there.
#[must_use]
pub fn guarded(text: &str, in_text_cell: bool) -> Cow<'_, str> {
    let bare = text.trim_start_matches('\'');
    let apostrophes = text.len() - bare.len();
    if bare.starts_with(FORMULA_STARTS) && (apostrophes > 0 || !in_text_cell) {
        Cow::Owned(format!("'{text}"))
    } else {
        Cow::Borrowed(text)
    }
}

/// The text that [`guarded`] was given.
#[must_use]
pub fn unguarded(text: &str) -> &str {
    let bare = text.trim_start_matches('\'');
    if bare.len() < text.len() && bare.starts_with(FORMULA_STARTS) { &text[1..] } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guards_stop_formulas_and_come_off_again() {
        let cases = [
            ("=1+1", "'=1+1", "=1+1"),
            ("+919876543210", "'+919876543210", "+919876543210"),
            ("'=1", "''=1", "''=1"),
            ("''-", "'''-", "'''-"),
            ("'85003", "'85003", "'85003"),
            ("O'Neil", "O'Neil", "O'Neil"),
            ("", "", ""),
        ];
        for (text, in_csv, in_workbook) in cases {
            assert_eq!(guarded(text, false), in_csv);
            assert_eq!(guarded(text, true), in_workbook);
            assert_eq!((unguarded(in_csv), unguarded(in_workbook)), (text, text));
        }
    }

    #[test]
    fn added_columns_are_known_by_their_headers() {
        for added in Added::ALL {
            assert_eq!(Added::of(&added.header().to_uppercase()), Some(added));
        }
        assert!(!is_added("Status"));
    }
}
