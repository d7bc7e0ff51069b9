//! The courier portal's own export: which of its columns say order number, AWB and status, and what its rows say.

use std::ops::ControlFlow;
use std::path::Path;

use crate::field::{Id, normalised};
use crate::origin::{Place, letters};
use crate::sheet::{CellKind, Header, Options, Row, Sheet, SheetError};
use crate::text::{list, nearest};
use crate::words::Headers;

use super::word::{bare, believable_awb};

/// What portals call the number that we gave them, surest first. Behind these come the names that order sheets use.
const ORDER_NAMES: &[&str] = &[
    "Client Order ID",
    "Client Order Number",
    "Client Order No",
    "Customer Order ID",
    "Customer Order Number",
    "Seller Order ID",
    "Merchant Order ID",
    "Channel Order ID",
    "orderNumber",
    "Order Number",
    "Order No",
    "Client Reference",
    "Customer Reference",
    "Reference Number",
    "Reference No",
    "Reference",
    "Ref No",
];

/// What portals call an AWB, surest first.
const AWB_NAMES: &[&str] = &[
    "AWB",
    "AWB No",
    "AWB Number",
    "AWB Code",
    "Air Waybill",
    "Air Waybill No",
    "Air Waybill Number",
    "Airway Bill",
    "Airway Bill No",
    "Airway Bill Number",
    "Waybill",
    "Waybill No",
    "Waybill Number",
    "Tracking Number",
    "Tracking No",
    "Tracking ID",
    "Tracking Code",
    "Tracking",
    "Consignment Number",
    "Consignment No",
    "CN Number",
    "Docket Number",
    "Docket No",
];

/// What portals call the state of a shipment.
const STATUS_NAMES: &[&str] =
    &["Shipment Status", "Status", "Current Status", "Order Status", "Delivery Status", "Tracking Status"];

/// What a person knows better than the header shows.
#[derive(Debug, Clone, Default)]
pub struct StatementOptions {
    /// How to open the sheet.
    pub sheet: Options,
    /// The column of the order number: its header, or its letter.
    pub order_column: Option<String>,
    /// The column of the AWB.
    pub awb_column: Option<String>,
    /// The column of the status.
    pub status_column: Option<String>,
}

/// A column that a statement has, or may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StatementColumn {
    /// Our own order number.
    OrderNumber,
    /// The AWB.
    Awb,
    /// The shipment's status.
    Status,
}

impl std::fmt::Display for StatementColumn {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::OrderNumber => "order number",
            Self::Awb => "AWB",
            Self::Status => "status",
        })
    }
}

/// Why a statement cannot be compared.
#[derive(Debug, thiserror::Error)]
pub enum StatementError {
    /// The sheet as such.
    #[error(transparent)]
    Sheet(#[from] SheetError),
    /// No column holds what is needed.
    #[error("{file} has no column of the {column}; it has {has}")]
    NoColumn {
        /// The file.
        file: String,
        /// What was looked for.
        column: StatementColumn,
        /// The columns that are there.
        has: String,
    },
    /// A column that was named is not there.
    #[error("{file} has no column \"{named}\" for the {column}{suggestion}; it has {has}")]
    NoSuchColumn {
        /// The file.
        file: String,
        /// What was named.
        named: String,
        /// What it was to hold.
        column: StatementColumn,
        /// What may be meant.
        suggestion: String,
        /// The columns that are there.
        has: String,
    },
    /// More than one column of that name.
    #[error("{file} has {count} columns \"{header}\" for the {column}: name one by its letter, {letters}")]
    Ambiguous {
        /// The file.
        file: String,
        /// How many.
        count: usize,
        /// Their header.
        header: String,
        /// What was looked for.
        column: StatementColumn,
        /// Their letters.
        letters: String,
    },
    /// One column cannot be both.
    #[error("{file}: order number and AWB would be the same column \"{header}\"")]
    SameColumn {
        /// The file.
        file: String,
        /// Its header.
        header: String,
    },
}

/// The AWB cell of a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Waybill {
    /// An AWB.
    Is(String),
    /// Nothing, or a text that says nothing.
    Blank,
    /// Something that cannot be an AWB, as it was found.
    Unbelievable(String),
}

/// One row of a statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The order number; empty where the row has none.
    pub order: String,
    /// Its AWB.
    pub awb: Waybill,
    /// What the portal says of it; empty where it says nothing.
    pub status: String,
    /// The row as the person sees it, counted from 1.
    pub row: u32,
}

impl Entry {
    /// Whether the portal calls the shipment cancelled: booked once, and no longer.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        let status = self.status.to_lowercase();
        status.contains("cancel") || status.contains("void")
    }
}

/// A statement as it was read.
#[derive(Debug, Clone)]
pub struct Statement {
    /// The file's name, with its worksheet.
    pub name: String,
    /// The SHA-256 of the file, in hexadecimal.
    pub sha256: String,
    /// The headers of the columns that were used: order number, AWB, and status where there is one.
    pub columns: (String, String, Option<String>),
    /// Its rows that say anything.
    pub entries: Vec<Entry>,
    /// Rows that could not be read, as people write their places: a booking may stand in one of them.
    pub unreadable: Vec<String>,
}

/// The columns in use, counted from 0.
struct Columns {
    order: usize,
    awb: usize,
    status: Option<usize>,
}

/// One thing that is looked for.
struct Wanted<'a> {
    column: StatementColumn,
    named: Option<String>,
    names: &'a [&'a str],
}

impl Statement {
    /// Reads a statement.
    pub fn read(path: &Path, options: &StatementOptions) -> Result<Self, StatementError> {
        let sheet = Sheet::open(path, &options.sheet)?;
        let header = sheet.header();
        let file = sheet.source().to_string();
        let columns = columns(header, &file, options)?;
        let (mut entries, mut unreadable) = (Vec::new(), Vec::new());
        sheet.read(&mut |row| {
            if row.is_blank() || row.skip().is_some() {
                return ControlFlow::Continue(());
            }
            if row.notices().iter().any(crate::finding::Finding::holds) {
                unreadable.push(Place::row(sheet.source(), row.number()).to_string());
                return ControlFlow::Continue(());
            }
            entries.extend(entry(row, &columns));
            ControlFlow::Continue(())
        })?;
        let title = |index: usize| header.cells[index].clone();
        Ok(Self {
            name: file,
            sha256: hexadecimal(&sheet.sha256()?),
            columns: (title(columns.order), title(columns.awb), columns.status.map(title)),
            entries,
            unreadable,
        })
    }
}

fn columns(header: &Header, file: &str, options: &StatementOptions) -> Result<Columns, StatementError> {
    let field = Id::OrderNumber.field();
    let names: Vec<&str> = ORDER_NAMES
        .iter()
        .copied()
        .chain([field.path, field.header])
        .chain(Headers::built_in().names(field.path))
        .collect();
    let wanted = |column, named: &'_ Option<String>, names| Wanted { column, named: named.clone(), names };
    let order = wanted(StatementColumn::OrderNumber, &options.order_column, &names[..]);
    let awb = wanted(StatementColumn::Awb, &options.awb_column, AWB_NAMES);
    let status = wanted(StatementColumn::Status, &options.status_column, STATUS_NAMES);
    let order = column(header, file, &order)?;
    let awb = column(header, file, &awb)?;
    if order == awb {
        return Err(StatementError::SameColumn { file: file.to_owned(), header: header.cells[order].clone() });
    }
    // A statement without a status is complete; only a status that was named must be there.
    let status = match column(header, file, &status) {
        Ok(column) => Some(column),
        Err(StatementError::NoColumn { .. }) => None,
        Err(error) => return Err(error),
    };
    Ok(Columns { order, awb, status })
}

fn column(header: &Header, file: &str, wanted: &Wanted<'_>) -> Result<usize, StatementError> {
    let of_name = |name: &str| -> Vec<usize> {
        let name = normalised(name);
        let cells = header.cells.iter().enumerate();
        cells.filter(|(_, cell)| !name.is_empty() && normalised(cell) == name).map(|(index, _)| index).collect()
    };
    let file = file.to_owned();
    let found = match wanted.named.as_deref() {
        Some(named) => match of_name(named) {
            none if none.is_empty() => by_letter(header, named).into_iter().collect(),
            found => found,
        },
        None => wanted.names.iter().map(|name| of_name(name)).find(|found| !found.is_empty()).unwrap_or_default(),
    };
    match (found.as_slice(), wanted.named.as_deref()) {
        ([index], _) => Ok(*index),
        ([], None) => Err(StatementError::NoColumn { file, column: wanted.column, has: titles(header) }),
        ([], Some(named)) => {
            let near = nearest(named, header.cells.iter().map(String::as_str));
            Err(StatementError::NoSuchColumn {
                file,
                named: named.to_owned(),
                column: wanted.column,
                suggestion: near.map(|near| format!("; did you mean \"{near}\"?")).unwrap_or_default(),
                has: titles(header),
            })
        }
        ([first, ..], _) => {
            let named: Vec<String> =
                found.iter().map(|index| letters(u32::try_from(*index).unwrap_or(u32::MAX))).collect();
            Err(StatementError::Ambiguous {
                file,
                count: found.len(),
                header: header.cells[*first].clone(),
                column: wanted.column,
                letters: list(&named, "or"),
            })
        }
    }
}

/// The column that spreadsheets call so: `A`, `AB`.
fn by_letter(header: &Header, named: &str) -> Option<usize> {
    let named = named.trim().to_ascii_uppercase();
    (0..header.cells.len()).find(|index| u32::try_from(*index).is_ok_and(|index| letters(index) == named))
}

fn titles(header: &Header) -> String {
    let titles: Vec<String> =
        header.cells.iter().filter(|cell| !cell.is_empty()).map(|cell| format!("\"{cell}\"")).collect();
    list(&titles, "and")
}

/// What a row says; nothing where it says nothing.
fn entry(row: &Row, columns: &Columns) -> Option<Entry> {
    let order = row.cell(columns.order);
    let awb_cell = row.cell(columns.awb);
    let awb = match awb_cell.kind {
        CellKind::Text | CellKind::Number => {
            let text = awb_cell.text;
            match believable_awb(text) {
                Some(awb) => Waybill::Is(awb.to_owned()),
                None if bare(text).is_empty() || !text.contains(|c: char| c.is_ascii_digit()) || bare(text) == "0" => {
                    Waybill::Blank
                }
                None => Waybill::Unbelievable(text.to_owned()),
            }
        }
        CellKind::Empty => Waybill::Blank,
        _ => Waybill::Unbelievable(awb_cell.text.to_owned()),
    };
    // Digits that are lost name no order.
    let known = matches!(order.kind, CellKind::Text | CellKind::Number | CellKind::Date | CellKind::Flag);
    let order = if known { bare(order.text).to_owned() } else { String::new() };
    if order.is_empty() && awb == Waybill::Blank {
        return None;
    }
    let status = columns.status.map(|index| row.cell(index).text.to_owned()).unwrap_or_default();
    Some(Entry { order, awb, status, row: row.number() })
}

fn hexadecimal(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut text, byte| {
        // Writing into a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(csv: &str, options: &StatementOptions) -> Result<Statement, StatementError> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("portal.csv");
        std::fs::write(&path, csv).unwrap();
        Statement::read(&path, options)
    }

    #[test]
    fn columns_are_found_by_any_of_their_names() {
        for (order, awb) in [
            ("Order Number", "AWB"),
            ("Client order id", "Tracking Number"),
            ("REFERENCE", "Airway Bill No."),
            ("Order ID", "way-bill"),
            ("orderNumber", "trackingCode"),
        ] {
            let csv = format!("Date,{order},{awb},Status\nx,A-1,=\"00123\",Booked\n");
            let statement = read(&csv, &StatementOptions::default()).unwrap();
            let expected = Entry {
                order: "A-1".to_owned(),
                awb: Waybill::Is("00123".to_owned()),
                status: "Booked".to_owned(),
                row: 2,
            };
            assert_eq!(statement.entries, [expected], "{order}");
        }
    }

    #[test]
    fn the_surer_name_wins_and_a_person_knows_better() {
        let csv = "Order ID,Client Order ID,AWB\nSB-1,A-1,123456\n";
        assert_eq!(read(csv, &StatementOptions::default()).unwrap().entries[0].order, "A-1");
        for named in ["order id", "a"] {
            let options = StatementOptions { order_column: Some(named.to_owned()), ..StatementOptions::default() };
            assert_eq!(read(csv, &options).unwrap().entries[0].order, "SB-1");
        }
    }

    #[test]
    fn columns_that_are_missing_or_doubled_are_named() {
        let told = |csv: &str, options: &StatementOptions| read(csv, options).unwrap_err().to_string();
        let none = StatementOptions::default();
        let text = told("Order Number,Courier\nA-1,x\n", &none);
        assert!(text.contains("no column of the AWB; it has \"Order Number\" and \"Courier\""), "{text}");
        let text = told("Order Number,AWB,AWB\nA-1,1,2\n", &none);
        assert!(text.contains("for the AWB: name one by its letter, B or C"), "{text}");
        let named = StatementOptions { awb_column: Some("Trackng".to_owned()), ..none };
        let text = told("Order Number,Tracking\nA-1,1\n", &named);
        assert!(text.contains("did you mean \"Tracking\"?"), "{text}");
    }

    #[test]
    fn what_cannot_be_an_awb_is_told_from_nothing() {
        let csv = "Order Number,AWB\nA-1,1.23457E+11\nA-2,NA\nA-3,\nA-4,pending\n,\n,77777\n";
        let awbs: Vec<Waybill> =
            read(csv, &StatementOptions::default()).unwrap().entries.into_iter().map(|entry| entry.awb).collect();
        let blank = Waybill::Blank;
        let lost = Waybill::Unbelievable("1.23457E+11".to_owned());
        assert_eq!(awbs, [lost, blank.clone(), blank.clone(), blank, Waybill::Is("77777".to_owned())]);
    }
}
