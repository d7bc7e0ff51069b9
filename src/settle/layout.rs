//! Which columns of a courier portal's own export say order number, AWB, status, date of booking, charge and carrier.

use crate::field::{Id, normalised};
use crate::origin::letters;
use crate::sheet::{Header, Options, SheetError};
use crate::text::{list, nearest};
use crate::words::Headers;

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

/// What portals call the time of booking. The date of the order says nothing of it.
const DATE_NAMES: &[&str] = &[
    "Booking Date",
    "Booking Time",
    "Booked On",
    "Booked At",
    "Date of Booking",
    "AWB Date",
    "AWB Assigned Date",
    "AWB Assigned At",
    "AWB Generated At",
    "Shipment Created At",
    "Shipment Created On",
    "Shipment Created Date",
    "Shipment Creation Date",
    "Shipment Date",
    "Created At",
    "Created On",
    "Created Date",
    "Creation Date",
];

/// What portals call what they charge for a shipment, all of it first.
const FREIGHT_NAMES: &[&str] = &[
    "Total Freight",
    "Total Charges",
    "Total Charge",
    "Total Courier Charges",
    "Total Shipping Charges",
    "Charged Amount",
    "Billed Amount",
    "Freight Total",
    "Freight Charges",
    "Freight Charge",
    "Freight Amount",
    "Freight",
    "Courier Charges",
    "Courier Charge",
    "Shipping Charges",
    "Shipping Charge",
    "Shipment Charges",
    "Shipment Charge",
];

/// What portals call the company that carries a shipment.
const CARRIER_NAMES: &[&str] = &[
    "Courier Name",
    "Courier Company",
    "Courier Company Name",
    "Courier Partner",
    "Courier",
    "Carrier Name",
    "Carrier",
    "Logistics Partner",
    "Shipping Partner",
    "Delivery Partner",
];

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
    /// The column of the time of booking.
    pub date_column: Option<String>,
    /// The column of what is charged.
    pub freight_column: Option<String>,
    /// The column of the carrier's name.
    pub carrier_column: Option<String>,
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
    /// When it was booked.
    Date,
    /// What is charged for it.
    Freight,
    /// Who carries it.
    Carrier,
}

impl std::fmt::Display for StatementColumn {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::OrderNumber => "order number",
            Self::Awb => "AWB",
            Self::Status => "status",
            Self::Date => "date of booking",
            Self::Freight => "courier's charge",
            Self::Carrier => "carrier",
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

/// The columns in use, counted from 0.
pub(super) struct Columns {
    pub(super) order: usize,
    pub(super) awb: usize,
    pub(super) status: Option<usize>,
    pub(super) date: Option<usize>,
    pub(super) freight: Option<usize>,
    pub(super) carrier: Option<usize>,
}

/// One thing that is looked for.
struct Wanted<'a> {
    column: StatementColumn,
    named: Option<String>,
    names: &'a [&'a str],
}

pub(super) fn columns(header: &Header, file: &str, options: &StatementOptions) -> Result<Columns, StatementError> {
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
    // A statement without these is complete; only one that was named must be there.
    let optional = |wanted: &Wanted<'_>| match column(header, file, wanted) {
        Ok(column) => Ok(Some(column)),
        Err(StatementError::NoColumn { .. }) => Ok(None),
        Err(error) => Err(error),
    };
    let date = wanted(StatementColumn::Date, &options.date_column, DATE_NAMES);
    let freight = wanted(StatementColumn::Freight, &options.freight_column, FREIGHT_NAMES);
    let carrier = wanted(StatementColumn::Carrier, &options.carrier_column, CARRIER_NAMES);
    // Where several may be it, none is, unless one was named.
    let sole = |wanted: &Wanted<'_>| match optional(wanted) {
        Err(StatementError::Ambiguous { .. }) if wanted.named.is_none() => Ok(None),
        found => found,
    };
    let (status, date, freight) = (optional(&status)?, sole(&date)?, sole(&freight)?);
    Ok(Columns { order, awb, status, date, freight, carrier: sole(&carrier)? })
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
