//! A workbook whose worksheet is chosen.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufReader, Read, Seek, Write};
use std::ops::ControlFlow;
use std::sync::Arc;

use memchr::memmem;

use super::package::{self, Package};
use super::render::WholeFormat;
use super::shape::Shape;
use super::whole::Whole;
use super::xlsx::Xlsx;
use crate::finding::Finding;
use crate::origin::Source;
use crate::sheet::format::Format;
use crate::sheet::input::{Container, Input};
use crate::sheet::overlay::{Edited, Overlay};
use crate::sheet::row::Row;
use crate::sheet::{Limits, Options, SheetError};

/// A workbook whose worksheet is chosen.
#[derive(Debug)]
pub(in crate::sheet) enum Workbook {
    Streamed(Xlsx),
    Whole(Whole),
}

impl Workbook {
    /// Recognises the workbook by its content and chooses the worksheet.
    pub(in crate::sheet) fn open(input: &Input, options: &Options) -> Result<(Self, Format, Vec<Finding>), SheetError> {
        if input.container() == Container::Ole {
            Whole::fits(input, &options.limits)?;
        }
        let format = match input.container() {
            Container::Ole if is_encrypted(input)? => {
                return Err(SheetError::PasswordProtected { file: input.name.clone() });
            }
            Container::Ole => WholeFormat::Xls,
            _ => match package::examine(input, &options.limits)? {
                (Package::Xlsx, seen) => {
                    let (xlsx, format, notices) = Xlsx::open(input, options, seen)?;
                    return Ok((Self::Streamed(xlsx), format, notices));
                }
                (Package::Xlsb, _) => WholeFormat::Xlsb,
                (Package::Ods, _) => WholeFormat::Ods,
            },
        };
        let (whole, format, notices) = Whole::open(input, format, options)?;
        Ok((Self::Whole(whole), format, notices))
    }

    /// What the worksheet hides and merges below its header.
    pub(in crate::sheet) fn shape_notices(&self, source: &Arc<Source>, header_row: u32) -> Vec<Finding> {
        self.shape().notices(source, header_row)
    }

    /// What is to be asked about rows below the header, by their numbers.
    pub(in crate::sheet) fn row_questions(&self, source: &Arc<Source>, header_row: u32) -> HashMap<u32, Vec<Finding>> {
        self.shape().questions(source, header_row)
    }

    /// Whether any cell is merged over several rows.
    pub(in crate::sheet) const fn merges_cells(&self) -> bool {
        !self.shape().merged().is_empty()
    }

    const fn shape(&self) -> &Shape {
        match self {
            Self::Streamed(xlsx) => xlsx.shape(),
            Self::Whole(whole) => whole.shape(),
        }
    }

    /// The name of the chosen worksheet.
    pub(in crate::sheet) fn worksheet(&self) -> &str {
        match self {
            Self::Streamed(xlsx) => xlsx.worksheet(),
            Self::Whole(whole) => whole.worksheet(),
        }
    }

    /// Writes the workbook with what was typed over its worksheet. Nothing where its format cannot be written.
    pub(in crate::sheet) fn write_edited(
        &self,
        input: &Input,
        overlay: &Overlay,
        out: &mut (impl Write + Seek),
    ) -> Result<Option<Edited>, SheetError> {
        match self {
            Self::Streamed(xlsx) => xlsx.write_edited(input, overlay, out).map(Some),
            Self::Whole(_) => Ok(None),
        }
    }

    /// Hands every row of the worksheet to `each`, gaps as blank rows.
    pub(in crate::sheet) fn scan(
        &self,
        input: &Input,
        limits: &Limits,
        each: &mut dyn FnMut(&mut Row) -> ControlFlow<()>,
    ) -> Result<(), SheetError> {
        match self {
            Self::Streamed(xlsx) => xlsx.scan(input, limits, each),
            Self::Whole(whole) => whole.scan(input, limits, each),
        }
    }
}

/// An encrypted `.xlsx` is an OLE container with a stream of this name.
fn is_encrypted(input: &Input) -> Result<bool, SheetError> {
    let name: Vec<u8> = "EncryptedPackage".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let mut file = BufReader::new(input.file()?);
    contains(&mut file, &name).map_err(|error| input.failed(error))
}

fn contains(file: &mut BufReader<File>, needle: &[u8]) -> std::io::Result<bool> {
    let mut window = Vec::new();
    loop {
        let kept = window.len();
        file.by_ref().take(1 << 20).read_to_end(&mut window)?;
        if window.len() == kept {
            return Ok(false);
        }
        if memmem::find(&window, needle).is_some() {
            return Ok(true);
        }
        window.drain(..window.len().saturating_sub(needle.len()));
    }
}
