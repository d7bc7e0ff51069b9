//! A place in a sheet: file, worksheet, row, column.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// What a sheet is called when a place in it is shown.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Source {
    /// The file's name, with folders only where two files have one name; or `standard input`.
    pub file: String,
    /// The worksheet, where the file is a workbook.
    pub worksheet: Option<String>,
    /// Whether other sheets are read beside it, so that a worksheet's name alone does not tell which file is meant.
    pub among_several: bool,
}

impl Source {
    /// A text file's name.
    #[must_use]
    pub fn text(file: impl Into<String>) -> Arc<Self> {
        Arc::new(Self { file: file.into(), worksheet: None, among_several: false })
    }

    /// A worksheet of a workbook.
    #[must_use]
    pub fn worksheet(file: impl Into<String>, worksheet: impl Into<String>) -> Arc<Self> {
        Arc::new(Self { file: file.into(), worksheet: Some(worksheet.into()), among_several: false })
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.worksheet {
            Some(worksheet) => write!(f, "{} [{worksheet}]", self.file),
            None => f.write_str(&self.file),
        }
    }
}

/// A column as the person sees it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Column {
    /// Counted from 0.
    pub index: u32,
    /// The text of its header cell.
    pub header: String,
}

/// A row of a sheet, or one cell of it, or the first of several.
///
/// Shown as `Orders!F27` (a workbook's cell), `Orders row 27`, `Orders!F27:F29`, `Orders!27:29`, `orders.csv:27 "Pincode"` (a text file's cell) or
/// `orders.csv:27`; among several sheets a workbook is named too: `monday.xlsx Orders!F27`. Rows are counted from 1, as spreadsheets and editors show them.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Place {
    /// The sheet.
    #[serde(with = "shared")]
    pub source: Arc<Source>,
    /// The row, or the physical line on which a text file's record starts; counted from 1, and 0 for the header of a sheet
    /// that has none.
    pub row: u32,
    /// The column, where one cell is meant.
    pub column: Option<Column>,
    /// The last row, and the last column counted from 0, where a worksheet's rows or cells are meant together.
    to: Option<(u32, u32)>,
}

/// A sheet that many places share, in each of them as it is kept.
mod shared {
    use std::sync::Arc;

    use serde::{Deserialize as _, Deserializer, Serialize as _, Serializer};

    use super::Source;

    pub(super) fn serialize<S: Serializer>(source: &Arc<Source>, serializer: S) -> Result<S::Ok, S::Error> {
        source.as_ref().serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Arc<Source>, D::Error> {
        Source::deserialize(deserializer).map(Arc::new)
    }
}

impl Place {
    /// Rows of a worksheet, from the first to the last.
    #[must_use]
    pub fn rows(source: &Arc<Source>, first: u32, last: u32) -> Self {
        Self { to: (first < last).then_some((last, 0)), ..Self::row(source, first) }
    }

    /// Cells of a worksheet, from the first row to the last, counted from 1, and in each from the first column to the
    /// last, counted from 0.
    #[must_use]
    pub fn area(source: &Arc<Source>, rows: (u32, u32), columns: (u32, u32)) -> Self {
        Self { to: Some((rows.1, columns.1)), ..Self::cell(source, rows.0, columns.0, "") }
    }

    /// A whole row.
    #[must_use]
    pub fn row(source: &Arc<Source>, row: u32) -> Self {
        Self { source: Arc::clone(source), row, column: None, to: None }
    }

    /// One cell.
    #[must_use]
    pub fn cell(source: &Arc<Source>, row: u32, index: u32, header: impl Into<String>) -> Self {
        Self { source: Arc::clone(source), row, column: Some(Column { index, header: header.into() }), to: None }
    }
}

impl Place {
    /// The same cell in another row.
    #[must_use]
    pub fn in_row(&self, row: u32) -> Self {
        Self { row, to: None, ..self.clone() }
    }

    /// The place as a text, to which more rows of the sheet may be added.
    #[must_use]
    pub fn first_of(&self, several: bool) -> String {
        match (&self.source.worksheet, &self.column, several) {
            (Some(worksheet), None, true) if self.to.is_none() => {
                format!("{}{worksheet} rows {}", self.file(), self.row)
            }
            _ => self.to_string(),
        }
    }

    /// The file's name where the worksheet's does not tell it.
    fn file(&self) -> String {
        let needed = self.source.among_several && self.source.worksheet.is_some();
        if needed { format!("{} ", self.source.file) } else { String::new() }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file())?;
        let sheet = self.source.worksheet.as_ref().unwrap_or(&self.source.file);
        match (&self.source.worksheet, &self.column) {
            // A sheet whose first row is an order has no row for its headers.
            (_, Some(column)) if self.row == 0 => write!(f, "{sheet} column {}", letters(column.index)),
            (_, None) if self.row == 0 => f.write_str(sheet),
            (Some(worksheet), Some(column)) => {
                write!(f, "{worksheet}!{}{}", letters(column.index), self.row)?;
                self.to.map_or(Ok(()), |(row, column)| write!(f, ":{}{row}", letters(column)))
            }
            (Some(worksheet), None) if self.to.is_some() => {
                write!(f, "{worksheet}!{}:{}", self.row, self.to.map_or(self.row, |(row, _)| row))
            }
            (Some(worksheet), None) => write!(f, "{worksheet} row {}", self.row),
            (None, Some(column)) if column.header.is_empty() => {
                write!(f, "{}:{} column {}", self.source.file, self.row, letters(column.index))
            }
            (None, Some(column)) => write!(f, "{}:{} \"{}\"", self.source.file, self.row, column.header),
            (None, None) => write!(f, "{}:{}", self.source.file, self.row),
        }
    }
}

/// A column's letters as spreadsheets show them: 0 is `A`, 26 is `AA`.
#[must_use]
pub fn letters(index: u32) -> String {
    let mut rest = index;
    let mut reversed = Vec::new();
    loop {
        reversed.push(char::from(b'A' + u8::try_from(rest % 26).unwrap_or(0)));
        match (rest / 26).checked_sub(1) {
            Some(next) => rest = next,
            None => return reversed.iter().rev().collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_as_spreadsheets_count() {
        let cases =
            [(0, "A"), (25, "Z"), (26, "AA"), (51, "AZ"), (52, "BA"), (701, "ZZ"), (702, "AAA"), (16_383, "XFD")];
        for (index, text) in cases {
            assert_eq!(letters(index), text);
        }
    }

    #[test]
    fn places_as_people_see_them() {
        let orders = Source::worksheet("monday.xlsx", "Orders");
        assert_eq!(Place::cell(&orders, 27, 5, "Pincode").to_string(), "Orders!F27");
        assert_eq!(Place::row(&orders, 27).to_string(), "Orders row 27");
        assert_eq!(Place::row(&orders, 2).first_of(true) + "-3, 9", "Orders rows 2-3, 9");
        assert_eq!(Place::row(&orders, 2).first_of(false), "Orders row 2");
        assert_eq!(Place::rows(&orders, 12, 15).to_string(), "Orders!12:15");
        assert_eq!(Place::rows(&orders, 12, 15).first_of(true), "Orders!12:15");
        assert_eq!(Place::rows(&orders, 12, 12).to_string(), "Orders row 12");
        assert_eq!(Place::area(&orders, (2, 3), (1, 1)).to_string(), "Orders!B2:B3");
        let among_several = Source { among_several: true, ..Source::clone(&orders) };
        let among_several = Arc::new(among_several);
        assert_eq!(Place::cell(&among_several, 27, 5, "").to_string(), "monday.xlsx Orders!F27");
        assert_eq!(Place::row(&among_several, 2).first_of(true), "monday.xlsx Orders rows 2");
        let csv = Source::text("orders.csv");
        assert_eq!(Place::cell(&csv, 27, 5, "Pincode").to_string(), "orders.csv:27 \"Pincode\"");
        assert_eq!(Place::row(&csv, 27).to_string(), "orders.csv:27");
        assert_eq!(Place::row(&csv, 27).first_of(true), "orders.csv:27");
        assert_eq!(Place::cell(&orders, 0, 5, "Column F").to_string(), "Orders column F");
        assert_eq!(Place::row(&csv, 0).to_string(), "orders.csv");
    }
}
