//! `.xls`, `.xlsb` and `.ods`: formats that are read as a whole, into a spool of rows.

use std::fs::File;
use std::io::BufReader;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use calamine::{Data, Ods, Range, Reader, SheetType, SheetVisible, Xls, Xlsb};

use super::assemble::Assembly;
use super::choose::{self, Candidate};
use super::dates;
use super::numbers::{self, NumberStyle};
use crate::origin::Source;
use crate::problem::Problem;
use crate::sheet::input::Input;
use crate::sheet::open::Format;
use crate::sheet::row::{CellKind, Row};
use crate::sheet::{Limits, Options, SheetError};

/// Which of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WholeFormat {
    Xls,
    Xlsb,
    Ods,
}

/// A worksheet in memory.
pub(in crate::sheet) struct Whole {
    worksheet: String,
    range: Range<Data>,
}

impl std::fmt::Debug for Whole {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Whole").field("worksheet", &self.worksheet).finish_non_exhaustive()
    }
}

impl Whole {
    /// Reads the workbook and chooses the worksheet.
    pub(super) fn open(
        input: &Input,
        format: WholeFormat,
        options: &Options,
    ) -> Result<(Self, Format, Vec<Problem>), SheetError> {
        if input.bytes > options.limits.whole_file_bytes_max {
            let what = format!("{} bytes, of which {} are accepted", input.bytes, options.limits.whole_file_bytes_max);
            return Err(SheetError::TooLarge { file: input.name.clone(), what });
        }
        let file = BufReader::new(input.file()?);
        let damaged = |reason: String| {
            // The reader's three error types share no trait that tells a password from damage.
            if reason.to_lowercase().contains("password") {
                SheetError::PasswordProtected { file: input.name.clone() }
            } else if reason.contains("limit exceeded") {
                SheetError::TooLarge { file: input.name.clone(), what: reason }
            } else if reason.contains('{') {
                // The innards of the parser, which help nobody.
                let reason = "its content is not built as its format has it".to_owned();
                SheetError::Damaged { file: input.name.clone(), reason }
            } else {
                SheetError::Damaged { file: input.name.clone(), reason }
            }
        };
        let read = catch_unwind(AssertUnwindSafe(|| match format {
            WholeFormat::Xls => read_all(Xls::<BufReader<File>>::new(file)),
            WholeFormat::Xlsb => read_all(Xlsb::<BufReader<File>>::new(file)),
            WholeFormat::Ods => read_all(Ods::<BufReader<File>>::new(file)),
        }));
        let mut worksheets = match read {
            Ok(Ok(worksheets)) => worksheets,
            Ok(Err(reason)) => return Err(damaged(reason)),
            Err(_) => return Err(damaged("it breaks the rules of its format".to_owned())),
        };
        let candidates: Vec<Candidate> = worksheets.iter().map(|(candidate, _)| candidate.clone()).collect();
        let (chosen, notices) = choose::choose(&input.name, &candidates, options.worksheet.as_deref())?;
        let mut shown = Format::new(match format {
            WholeFormat::Xls => "XLS",
            WholeFormat::Xlsb => "XLSB",
            WholeFormat::Ods => "ODS",
        });
        shown.other_worksheets = worksheets.len() - 1;
        let (candidate, range) = worksheets.swap_remove(chosen);
        Ok((Self { worksheet: candidate.name, range }, shown, notices))
    }

    pub(super) fn worksheet(&self) -> &str {
        &self.worksheet
    }

    /// Hands every row of the worksheet to `each`.
    pub(super) fn scan(
        &self,
        source: &Arc<Source>,
        limits: &Limits,
        each: &mut dyn FnMut(&mut Row) -> ControlFlow<()>,
    ) -> Result<(), SheetError> {
        let mut assembly = Assembly::new(source, each);
        let (first_row, first_column) = self.range.start().unwrap_or((0, 0));
        for (row, column, value) in self.range.used_cells() {
            let position = (u32::try_from(row), u32::try_from(column));
            let (Ok(row), Ok(column)) = position else { continue };
            let column = first_column.saturating_add(column);
            if column >= limits.columns_max {
                let what = format!("a cell stands beyond {} columns", limits.columns_max);
                return Err(SheetError::TooLarge { file: source.file.clone(), what });
            }
            let number = first_row.saturating_add(row).saturating_add(1);
            if assembly.cell(number, column, |out| write(out, value)).is_break() {
                return Ok(());
            }
        }
        // Whoever breaks off after the last row has had all of it.
        let _ = assembly.finish();
        Ok(())
    }
}

type Worksheets = Vec<(Candidate, Range<Data>)>;

fn read_all<R: Reader<BufReader<File>>>(book: Result<R, R::Error>) -> Result<Worksheets, String>
where
    R::Error: std::fmt::Display,
{
    let mut book = book.map_err(|error| error.to_string())?;
    let mut worksheets = Vec::new();
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
        worksheets.push((Candidate { name: sheet.name, visible, rows, widest }, range));
    }
    Ok(worksheets)
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
