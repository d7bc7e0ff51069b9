//! `.xls`, `.xlsb` and `.ods`: formats that can only be read as a whole, once, into a spool of cells.

use std::fs::File;
use std::io::BufReader;
use std::ops::ControlFlow;

use super::assemble::Assembly;
use super::choose::{self, Candidate};
use super::isolate;
use super::render::{OUT_OF_BOUNDS, WholeFormat, render};
use super::shape::Shape;
use super::spool::{Entries, Entry};
use super::worksheets::{LIMIT, REFUSED};
use crate::finding::Finding;
use crate::sheet::cell::Cell;
use crate::sheet::format::Format;
use crate::sheet::input::Input;
use crate::sheet::private::Private;
use crate::sheet::row::Row;
use crate::sheet::{Limits, Options, SheetError};

/// A workbook in a spool.
#[derive(Debug)]
pub(in crate::sheet) struct Whole {
    worksheet: String,
    shape: Shape,
    spool: Private,
}

impl Whole {
    /// Reads the workbook, in the helper where there is one, and chooses the worksheet.
    pub(super) fn open(
        input: &Input,
        format: WholeFormat,
        options: &Options,
    ) -> Result<(Self, Format, Vec<Finding>), SheetError> {
        let limits = &options.limits;
        Self::fits(input, limits)?;
        let spool = Private::new().map_err(|error| input.failed(error))?;
        let out = spool.reopen().map_err(|error| input.failed(error))?;
        let read = match &options.helper {
            Some(helper) => isolate::start(helper, format, input, limits, out),
            None => render(input.file()?, format, (out, limits.cells_bytes(input.bytes))),
        };
        read.map_err(|reason| failure(input, reason))?;
        let (mut candidates, mut shapes) = candidates(&spool, limits).map_err(|error| input.failed(error))?;
        let (chosen, notices) = choose::choose(&input.name, &candidates, options)?;
        let mut shown = Format::new(format.name());
        shown.other_worksheets = candidates.len() - 1;
        let worksheet = candidates.swap_remove(chosen).name;
        Ok((Self { worksheet, shape: shapes.swap_remove(chosen), spool }, shown, notices))
    }

    pub(super) const fn shape(&self) -> &Shape {
        &self.shape
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
        let mut assembly = Assembly::new(input, limits, &self.shape, each);
        let mut entries = entries(&self.spool, limits).map_err(failed)?;
        let mut wanted = false;
        loop {
            match entries.next().map_err(failed)? {
                Entry::Worksheet { .. } if wanted => break,
                Entry::Worksheet { name, .. } => wanted = name == self.worksheet,
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
                        return assembly.stopped();
                    }
                }
                Entry::Cell { .. }
                | Entry::Hidden(..)
                | Entry::Merged(_)
                | Entry::Coloured(..)
                | Entry::FormatsUnknown => {}
                Entry::Done => break,
            }
        }
        assembly.finish()
    }
}

fn entries(spool: &Private, limits: &Limits) -> std::io::Result<Entries<BufReader<File>>> {
    Ok(Entries::new(BufReader::with_capacity(64 * 1024, spool.reopen()?), limits.cell_bytes_max))
}

/// The worksheets with what their first rows look like, and their shapes.
fn candidates(spool: &Private, limits: &Limits) -> std::io::Result<(Vec<Candidate>, Vec<Shape>)> {
    let mut entries = entries(spool, limits)?;
    let mut candidates: Vec<Candidate> = Vec::new();
    let mut shapes: Vec<Shape> = Vec::new();
    loop {
        let entry = entries.next()?;
        match (entry, candidates.last_mut(), shapes.last_mut()) {
            (Entry::Worksheet { name, visible }, ..) => {
                candidates.push(Candidate::new(name, visible));
                shapes.push(Shape::default());
            }
            (Entry::Cell { row, kind, .. }, Some(candidate), Some(shape)) => {
                shape.fill(row);
                candidate.look(row, Cell::new(entries.text()?, kind));
            }
            (Entry::Hidden(first, last), _, Some(shape)) => shape.hide(first, last),
            (Entry::Merged(area), _, Some(shape)) => drop(shape.merge(area)),
            (Entry::Coloured(first, last, colour), _, Some(shape)) => shape.colour_all((first, last), colour),
            (Entry::FormatsUnknown, _, Some(shape)) => shape.formats_unknown = true,
            (Entry::Done, ..) => return Ok((candidates, shapes)),
            (_, None, _) | (_, _, None) => return Err(std::io::ErrorKind::InvalidData.into()),
        }
    }
}

/// The readers' error types share nothing but their words.
pub(super) fn failure(input: &Input, reason: String) -> SheetError {
    let file = input.name.clone();
    if reason == OUT_OF_BOUNDS {
        SheetError::Refused { file, reason }
    } else if reason.to_lowercase().contains("password") {
        SheetError::PasswordProtected { file }
    } else if reason.contains(LIMIT.trim_end_matches(": ")) {
        let what = reason.trim_start_matches(LIMIT).to_owned();
        SheetError::TooLarge { file, what }
    } else if let Some(reason) = reason.strip_prefix(REFUSED) {
        SheetError::Refused { file, reason: reason.to_owned() }
    } else if reason.contains('{') {
        // The innards of the parser, which help nobody.
        SheetError::Damaged { file, reason: "its content is not built as its format has it".to_owned() }
    } else {
        SheetError::Damaged { file, reason }
    }
}
