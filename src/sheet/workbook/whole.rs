//! `.xls`, `.xlsb` and `.ods`: formats that can only be read as a whole, once, into a spool of cells.

use std::fs::File;
use std::io::{BufReader, BufWriter, Write};
use std::ops::ControlFlow;

use calamine::{Data, Ods, Range, Reader, SheetType, SheetVisible, Xls, Xlsb};
use tempfile::NamedTempFile;

use super::assemble::Assembly;
use super::caught::caught;
use super::choose::{self, Candidate};
use super::numbers::{self, NumberStyle};
use super::spool::{self, Entries, Entry};
use super::{dates, isolate};
use crate::problem::Problem;
use crate::sheet::input::Input;
use crate::sheet::open::Format;
use crate::sheet::row::{CellKind, Row};
use crate::sheet::{Limits, Options, SheetError};

/// What is said when a reader broke off for want of memory or time.
pub(super) const OUT_OF_BOUNDS: &str = "reading it takes more memory or time than is allowed";

/// Which of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WholeFormat {
    Xls,
    Xlsb,
    Ods,
}

impl WholeFormat {
    /// Its name in front of people and helpers.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Xls => "XLS",
            Self::Xlsb => "XLSB",
            Self::Ods => "ODS",
        }
    }

    pub(super) fn named(name: &str) -> Option<Self> {
        [Self::Xls, Self::Xlsb, Self::Ods].into_iter().find(|format| format.name() == name)
    }
}

/// A workbook in a spool.
#[derive(Debug)]
pub(in crate::sheet) struct Whole {
    worksheet: String,
    /// How many of its cells are merged over several rows.
    merged: u32,
    spool: NamedTempFile,
}

impl Whole {
    /// Reads the workbook, in the helper where there is one, and chooses the worksheet.
    pub(super) fn open(
        input: &Input,
        format: WholeFormat,
        options: &Options,
    ) -> Result<(Self, Format, Vec<Problem>), SheetError> {
        let limits = &options.limits;
        Self::fits(input, limits)?;
        let spool = NamedTempFile::with_prefix("shipsheet-").map_err(|error| input.failed(error))?;
        let out = spool.reopen().map_err(|error| input.failed(error))?;
        let read = match &options.helper {
            Some(helper) => isolate::start(helper, format, input, limits, out),
            None => render(input.file()?, format, out),
        };
        read.map_err(|reason| failure(input, reason))?;
        let mut candidates = candidates(&spool, limits).map_err(|error| input.failed(error))?;
        let (chosen, notices) = choose::choose(&input.name, &candidates, options.worksheet.as_deref())?;
        let mut shown = Format::new(format.name());
        shown.other_worksheets = candidates.len() - 1;
        let Candidate { name, merged, .. } = candidates.swap_remove(chosen);
        Ok((Self { worksheet: name, merged: u32::try_from(merged).unwrap_or(u32::MAX), spool }, shown, notices))
    }

    /// How many cells of the worksheet are merged over several rows, as far as the reader tells.
    pub(super) const fn merged(&self) -> u32 {
        self.merged
    }

    /// Refuses a file that is too large to be read as a whole.
    pub(super) fn fits(input: &Input, limits: &Limits) -> Result<(), SheetError> {
        if input.bytes <= limits.whole_file_bytes_max {
            return Ok(());
        }
        let what = format!("{} bytes, of which {} are accepted", input.bytes, limits.whole_file_bytes_max);
        Err(SheetError::TooLarge { file: input.name.clone(), what })
    }

    pub(super) fn worksheet(&self) -> &str {
        &self.worksheet
    }

    /// Hands every row of the worksheet to `each`.
    pub(super) fn scan(
        &self,
        input: &Input,
        limits: &Limits,
        each: &mut dyn FnMut(&mut Row) -> ControlFlow<()>,
    ) -> Result<(), SheetError> {
        let failed = |error| input.failed(error);
        let mut assembly = Assembly::new(each);
        let mut entries = entries(&self.spool, limits).map_err(failed)?;
        let mut wanted = false;
        loop {
            match entries.next().map_err(failed)? {
                Entry::Worksheet(_) if wanted => break,
                Entry::Worksheet(candidate) => wanted = candidate.name == self.worksheet,
                Entry::Cell { row, column, .. } if wanted && column >= limits.columns_max => {
                    let what = format!("row {row} has a cell beyond {} columns", limits.columns_max);
                    return Err(SheetError::TooLarge { file: input.name.clone(), what });
                }
                Entry::Cell { row, column, kind } if wanted => {
                    let text = entries.text().map_err(failed)?;
                    let flow = assembly.cell(row, column, |out| {
                        out.push_str(text);
                        kind
                    });
                    if flow.is_break() {
                        return Ok(());
                    }
                }
                Entry::Cell { .. } => {}
                Entry::Done => break,
            }
        }
        // Whoever breaks off after the last row has had all of it.
        let _ = assembly.finish();
        Ok(())
    }
}

fn entries(spool: &NamedTempFile, limits: &Limits) -> std::io::Result<Entries<BufReader<File>>> {
    Ok(Entries::new(BufReader::with_capacity(64 * 1024, spool.reopen()?), limits.cell_bytes_max))
}

fn candidates(spool: &NamedTempFile, limits: &Limits) -> std::io::Result<Vec<Candidate>> {
    let mut entries = entries(spool, limits)?;
    let mut candidates = Vec::new();
    loop {
        match entries.next()? {
            Entry::Worksheet(candidate) => candidates.push(candidate),
            Entry::Cell { .. } => {}
            Entry::Done => return Ok(candidates),
        }
    }
}

/// The readers' error types share nothing but their words.
fn failure(input: &Input, reason: String) -> SheetError {
    let file = input.name.clone();
    if reason == OUT_OF_BOUNDS {
        SheetError::Refused { file, reason }
    } else if reason.to_lowercase().contains("password") {
        SheetError::PasswordProtected { file }
    } else if reason.contains("limit exceeded") {
        SheetError::TooLarge { file, what: reason }
    } else if reason.contains('{') {
        // The innards of the parser, which help nobody.
        SheetError::Damaged { file, reason: "its content is not built as its format has it".to_owned() }
    } else {
        SheetError::Damaged { file, reason }
    }
}

/// Reads a workbook and writes the cells of all its worksheets.
pub(super) fn render(file: File, format: WholeFormat, out: impl Write) -> Result<(), String> {
    let file = BufReader::new(file);
    let mut out = BufWriter::with_capacity(64 * 1024, out);
    let work = || match format {
        WholeFormat::Xls => render_book(Xls::<BufReader<File>>::new(file), merged, &mut out),
        // These readers do not tell; of the package of an ODS more is known.
        WholeFormat::Xlsb => render_book(Xlsb::<BufReader<File>>::new(file), |_, _| 0, &mut out),
        WholeFormat::Ods => render_book(Ods::<BufReader<File>>::new(file), |_, _| 0, &mut out),
    };
    caught(work).unwrap_or_else(|| Err("it breaks the rules of its format".to_owned()))?;
    spool::write_done(&mut out).and_then(|()| out.flush()).map_err(|error| error.to_string())
}

/// How many cells of a worksheet are merged over several rows.
fn merged(book: &Xls<BufReader<File>>, worksheet: &str) -> usize {
    let areas = book.merge_cells_by_sheet_name(worksheet).unwrap_or_default();
    areas.iter().filter(|area| area.start.0 < area.end.0).count()
}

fn render_book<R: Reader<BufReader<File>>>(
    book: Result<R, R::Error>,
    merged: impl Fn(&R, &str) -> usize,
    out: &mut impl Write,
) -> Result<(), String>
where
    R::Error: std::fmt::Display,
{
    let mut book = book.map_err(|error| error.to_string())?;
    for sheet in book.sheets_metadata().to_vec() {
        if sheet.typ != SheetType::WorkSheet {
            continue;
        }
        let range = book.worksheet_range(&sheet.name).map_err(|error| error.to_string())?;
        let filled = range.rows().map(|row| row.iter().filter(|cell| !matches!(cell, Data::Empty)).count());
        let (mut rows, mut widest) = (0, 0);
        for count in filled.filter(|count| *count > 0).take(30) {
            rows += 1;
            widest = widest.max(count);
        }
        let visible = sheet.visible == SheetVisible::Visible;
        let merged = merged(&book, &sheet.name);
        let candidate = Candidate { name: sheet.name, visible, rows, widest, merged };
        render_range(&candidate, &range, out).map_err(|error| error.to_string())?;
    }
    Ok(())
}

fn render_range(candidate: &Candidate, range: &Range<Data>, out: &mut impl Write) -> std::io::Result<()> {
    spool::write_worksheet(out, candidate)?;
    let (first_row, first_column) = range.start().unwrap_or((0, 0));
    let mut text = String::new();
    for (row, column, value) in range.used_cells() {
        let (Ok(row), Ok(column)) = (u32::try_from(row), u32::try_from(column)) else { continue };
        text.clear();
        let kind = write(&mut text, value);
        let row = first_row.saturating_add(row).saturating_add(1);
        spool::write_cell(out, row, first_column.saturating_add(column), kind, &text)?;
    }
    Ok(())
}

fn write(out: &mut String, value: &Data) -> CellKind {
    match value {
        Data::Empty => CellKind::Empty,
        Data::String(text) => {
            out.push_str(text);
            CellKind::Text
        }
        // A whole number of more than 15 digits passes as a float, as Excel has it.
        #[expect(clippy::cast_precision_loss, reason = "lossy numbers are recognised by their size")]
        Data::Int(number) => numbers::write(out, *number as f64, NumberStyle::Plain),
        Data::Float(number) => numbers::write(out, *number, NumberStyle::Plain),
        Data::Bool(flag) => {
            out.push_str(if *flag { "TRUE" } else { "FALSE" });
            CellKind::Flag
        }
        Data::DateTime(serial) => dates::write_serial(out, *serial),
        Data::DateTimeIso(iso) => dates::write_iso(out, iso),
        Data::DurationIso(iso) => dates::write_duration(out, iso),
        Data::Error(error) => {
            out.push_str(&error.to_string());
            CellKind::Error
        }
    }
}
