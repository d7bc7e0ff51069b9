//! Result files: one row or object per order.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use jiff::{Timestamp, tz::TimeZone};
use rust_xlsxwriter::{ExcelDateTime, Format, Workbook, XlsxError};
use serde::Serialize;

use crate::ledger::{Ledger, LedgerError, ResultRow, Wanted};
use crate::origin::guarded;

use super::document::{said, wrong};
use super::part_file::PartFile;

/// The form of a result file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ResultFormat {
    /// Comma-separated text.
    Csv,
    /// A workbook for people: names and AWBs are text, so that they keep every digit; amounts and times are numbers.
    Xlsx,
    /// One JSON object a line.
    JsonLines,
}

impl ResultFormat {
    /// The form that a file's name asks for.
    pub(crate) fn of(path: &Path) -> Result<Self, ResultsError> {
        let extension = path.extension().map(|extension| extension.to_string_lossy().to_lowercase());
        match extension.as_deref() {
            Some("csv") => Ok(Self::Csv),
            Some("xlsx") => Ok(Self::Xlsx),
            Some("jsonl") => Ok(Self::JsonLines),
            _ => Err(ResultsError::UnknownFormat(path.to_owned())),
        }
    }
}

/// Why results could not be written.
#[derive(Debug, thiserror::Error)]
pub enum ResultsError {
    /// The name does not say which form is meant.
    #[error("{}: the name must end in .csv, .xlsx or .jsonl", .0.display())]
    UnknownFormat(PathBuf),
    /// The same, where only sheets can be written.
    #[error("{}: the name must end in .xlsx or .csv", .0.display())]
    UnknownSheetFormat(PathBuf),
    /// The file could not be written.
    #[error("cannot write {}: {source}", path.display())]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The workbook could not be made.
    #[error("cannot write the workbook {}: {source}", path.display())]
    Workbook {
        /// The file.
        path: PathBuf,
        /// Why.
        source: XlsxError,
    },
    /// The ledger could not be read.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
}

/// Where an order stands, in a word for people.
pub(crate) fn state_word(standing: &str) -> &'static str {
    match standing {
        "booked" => "Booked",
        "already_booked" => "Booked already",
        "cancelled" => "Cancelled",
        "differs" => "Booked, differs",
        "rejected" => "Rejected",
        "refused" => "Refused",
        "in_doubt" => "In doubt",
        "invalid" => "Fix",
        "held" => "Hold",
        "left_out" => "Left out",
        "abandoned" => "Given up",
        "dismissed" => "Dismissed",
        "sending" => "On its way",
        _ => "Not sent yet",
    }
}

/// The headers of a workbook of results, which people read; each is a column of [`COLUMNS`].
const HEADERS: [&str; 16] = [
    "Order Number",
    "State",
    "AWB",
    "Order id of the service",
    "Courier",
    "Service",
    "What is wrong",
    "Attempts",
    "Run",
    "Rows",
    "Cancelled",
    "Sent",
    "Booked",
    "Declared value",
    "To collect",
    "Freight",
];

/// The columns of a result file.
const COLUMNS: [&str; 16] = [
    "order_number",
    "state",
    "awb",
    "order_id",
    "carrier",
    "service",
    "error",
    "attempts",
    "run",
    "rows",
    "cancelled",
    "sent",
    "booked",
    "value",
    "cod",
    "freight",
];

#[derive(Serialize)]
struct Record<'a> {
    order_number: Option<&'a str>,
    state: &'a str,
    awb: Option<&'a str>,
    order_id: Option<&'a str>,
    carrier: Option<&'a str>,
    service: Option<&'a str>,
    error: Option<String>,
    attempts: u32,
    run: Option<i64>,
    rows: &'a str,
    cancelled: Option<&'a str>,
    sent: Option<&'a str>,
    booked: Option<&'a str>,
    value: Option<&'a str>,
    cod: Option<&'a str>,
    freight: Option<&'a str>,
}

/// A result file that can be written: its form is known and its place takes files.
///
/// The file appears whole or not at all, and only its owner can read it. Dropped before it is written, nothing is left.
#[derive(Debug)]
pub(crate) struct ResultFile {
    part: PartFile,
    format: ResultFormat,
}

impl ResultFile {
    /// Makes sure that results can be written there, before anything is sent that they would have to tell of.
    pub(crate) fn prepare(path: &Path) -> Result<Self, ResultsError> {
        let format = ResultFormat::of(path)?;
        Ok(Self { part: PartFile::prepare(path)?, format })
    }

    /// Writes the orders that are wanted. Gives how many they were.
    pub(crate) fn write(mut self, ledger: &Ledger, wanted: &Wanted<'_>) -> Result<u64, ResultsError> {
        let file = self.part.take()?;
        let path = self.part.path();
        let count = match self.format {
            ResultFormat::Csv => write_csv(ledger, wanted, file, path),
            ResultFormat::JsonLines => write_json_lines(ledger, wanted, file, path),
            ResultFormat::Xlsx => write_workbook(ledger, wanted, file, path),
        }?;
        self.part.complete()?;
        Ok(count)
    }
}

/// Writes the orders that are wanted to a stream, as text; a workbook needs a file. Gives how many they were.
pub(crate) fn stream_results(
    ledger: &Ledger,
    wanted: &Wanted<'_>,
    is_json: bool,
    out: &mut dyn Write,
) -> Result<u64, ResultsError> {
    let path = Path::new("standard output");
    if is_json { write_json_lines(ledger, wanted, out, path) } else { write_csv(ledger, wanted, out, path) }
}

/// Passes every row to `write`; the first failure ends it.
fn each(
    ledger: &Ledger,
    wanted: &Wanted<'_>,
    write: &mut dyn FnMut(&ResultRow) -> Result<(), ResultsError>,
) -> Result<u64, ResultsError> {
    let mut count = 0;
    let mut failure = None;
    ledger.for_each_result(wanted, &mut |row| {
        if failure.is_none() {
            match write(row) {
                Ok(()) => count += 1,
                Err(error) => failure = Some(error),
            }
        }
    })?;
    failure.map_or(Ok(count), Err)
}

/// What went wrong: what the service said, or what is wrong with an order that is invalid.
fn error(row: &ResultRow) -> Option<String> {
    let wrong: Vec<String> = row.wrong.iter().map(wrong).collect();
    row.error.clone().or_else(|| (!wrong.is_empty()).then(|| wrong.join("; ")))
}

fn record(row: &ResultRow) -> Record<'_> {
    Record {
        order_number: row.order_number.as_deref(),
        state: &row.state,
        awb: row.awb.as_deref(),
        order_id: row.order_id.as_deref(),
        carrier: row.carrier.as_deref(),
        service: row.service.as_deref(),
        error: error(row),
        attempts: row.attempts,
        run: row.run,
        rows: &row.rows,
        cancelled: row.cancelled.as_deref(),
        sent: row.sent.as_deref(),
        booked: row.booked.as_deref(),
        value: row.value.as_deref(),
        cod: row.cod.as_deref(),
        freight: row.freight.as_deref(),
    }
}

fn cells(row: &ResultRow) -> [String; 16] {
    let text = |value: &Option<String>| value.clone().unwrap_or_default();
    [
        text(&row.order_number),
        row.state.clone(),
        text(&row.awb),
        text(&row.order_id),
        text(&row.carrier),
        text(&row.service),
        error(row).unwrap_or_default(),
        row.attempts.to_string(),
        row.run.map(|run| run.to_string()).unwrap_or_default(),
        row.rows.clone(),
        text(&row.cancelled),
        text(&row.sent),
        text(&row.booked),
        text(&row.value),
        text(&row.cod),
        text(&row.freight),
    ]
}

fn write_csv(ledger: &Ledger, wanted: &Wanted<'_>, out: impl Write, path: &Path) -> Result<u64, ResultsError> {
    let unwritable = |error: csv::Error| ResultsError::Unwritable { path: path.to_owned(), source: error.into() };
    let mut writer = csv::Writer::from_writer(BufWriter::new(out));
    writer.write_record(COLUMNS).map_err(unwritable)?;
    let count = each(ledger, wanted, &mut |row| {
        writer.write_record(cells(row).iter().map(|cell| guarded(cell, false).into_owned())).map_err(unwritable)
    })?;
    writer.flush().map_err(|source| ResultsError::Unwritable { path: path.to_owned(), source })?;
    Ok(count)
}

fn write_json_lines(ledger: &Ledger, wanted: &Wanted<'_>, out: impl Write, path: &Path) -> Result<u64, ResultsError> {
    let unwritable = |source: io::Error| ResultsError::Unwritable { path: path.to_owned(), source };
    let mut writer = BufWriter::new(out);
    let count = each(ledger, wanted, &mut |row| {
        serde_json::to_writer(&mut writer, &record(row)).map_err(|error| unwritable(error.into()))?;
        writer.write_all(b"\n").map_err(unwritable)
    })?;
    writer.flush().map_err(unwritable)?;
    Ok(count)
}

fn write_workbook(ledger: &Ledger, wanted: &Wanted<'_>, file: File, path: &Path) -> Result<u64, ResultsError> {
    let failed = |source| ResultsError::Workbook { path: path.to_owned(), source };
    let mut workbook = Workbook::new();
    let sheet = workbook.add_worksheet_with_low_memory().map_err(failed)?;
    let header = Format::new().set_bold();
    let text = Format::new().set_num_format("@");
    let (amount, time) = (Format::new().set_num_format("#,##0.00"), Format::new().set_num_format("dd mmm yyyy hh:mm"));
    sheet.set_name("Results").map_err(failed)?;
    sheet.set_freeze_panes(1, 0).map_err(failed)?;
    for (column, name) in (0_u16..).zip(HEADERS) {
        sheet.set_column_width(column, 18).map_err(failed)?;
        sheet.write_string_with_format(0, column, name, &header).map_err(failed)?;
    }
    let mut line = 0_u32;
    let count = each(ledger, wanted, &mut |row| {
        line += 1;
        for (column, (name, cell)) in (0_u16..).zip(COLUMNS.iter().zip(for_people(row))) {
            let number = cell.parse::<f64>().ok().filter(|_| NUMBERS.contains(name));
            let moment = local(&cell).filter(|_| TIMES.contains(name));
            match (number, moment) {
                (Some(number), _) if WHOLE.contains(name) => sheet.write_number(line, column, number),
                (Some(number), _) => sheet.write_number_with_format(line, column, number, &amount),
                (None, Some(moment)) => sheet.write_datetime_with_format(line, column, &moment, &time),
                (None, None) => {
                    let cell: String = cell.chars().take(CELL_CHARACTERS_MAX).collect();
                    sheet.write_string_with_format(line, column, cell, &text)
                }
            }
            .map_err(failed)?;
        }
        Ok(())
    })?;
    workbook.save_to_writer(file).map_err(failed)?;
    Ok(count)
}

/// Columns whose cells are numbers; the first are whole.
const NUMBERS: [&str; 5] = ["attempts", "run", "value", "cod", "freight"];
const WHOLE: [&str; 2] = ["attempts", "run"];
/// Columns whose cells are moments.
const TIMES: [&str; 3] = ["cancelled", "sent", "booked"];

/// What a workbook says of an order: states and reasons in words.
fn for_people(row: &ResultRow) -> [String; 16] {
    let mut cells = cells(row);
    state_word(&row.standing).clone_into(&mut cells[1]);
    if row.error.is_none() {
        cells[6] = row.wrong.iter().map(said).collect::<Vec<_>>().join("; ");
    }
    cells
}

/// A moment by the clock of this machine, as a workbook has it.
fn local(text: &str) -> Option<ExcelDateTime> {
    let moment = text.parse::<Timestamp>().ok()?.to_zoned_datetime(TimeZone::system());
    let date = u16::try_from(moment.year()).ok()?;
    let (month, day) = (u8::try_from(moment.month()).ok()?, u8::try_from(moment.day()).ok()?);
    let (hour, minute) = (u16::try_from(moment.hour()).ok()?, u8::try_from(moment.minute()).ok()?);
    ExcelDateTime::from_ymd(date, month, day).ok()?.and_hms(hour, minute, f64::from(moment.second())).ok()
}

/// A sheet as text, without a mark of its encoding: a program reads it.
pub(crate) fn sheet_text(delimiter: u8, rows: &[Vec<String>]) -> io::Result<Vec<u8>> {
    let mut writer = csv::WriterBuilder::new().delimiter(delimiter).from_writer(Vec::new());
    for row in rows {
        let cells = row.iter().map(|cell| guarded(cell, false).into_owned());
        writer.write_record(cells)?;
    }
    writer.into_inner().map_err(csv::IntoInnerError::into_error)
}

/// What a workbook's cell can hold.
pub(super) const CELL_CHARACTERS_MAX: usize = 32_767;
