//! What a file was recognised as.

use std::fmt;

/// What a file was recognised as: `CSV, comma, UTF-8` or `XLSX`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Format {
    text: String,
    /// How many other worksheets the workbook has.
    pub other_worksheets: usize,
}

impl Format {
    pub(super) fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), other_worksheets: 0 }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
