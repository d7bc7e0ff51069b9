//! A workbook whose worksheet is chosen.

use std::fs::File;
use std::io::{BufReader, Read};
use std::ops::ControlFlow;

use super::package::{self, Package, Seen};
use super::whole::{Whole, WholeFormat};
use super::xlsx::Xlsx;
use crate::origin::{Place, Source};
use crate::problem::{Code, Problem};
use crate::sheet::input::{Container, Input};
use crate::sheet::open::Format;
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
    pub(in crate::sheet) fn open(input: &Input, options: &Options) -> Result<(Self, Format, Vec<Problem>), SheetError> {
        if input.container() == Container::Ole {
            Whole::fits(input, &options.limits)?;
        }
        let mut seen = Seen::default();
        let format = match input.container() {
            Container::Ole if is_encrypted(input)? => {
                return Err(SheetError::PasswordProtected { file: input.name.clone() });
            }
            Container::Ole => WholeFormat::Xls,
            _ => {
                let (package, found) = package::examine(input, &options.limits)?;
                seen = found;
                match package {
                    Package::Xlsx => {
                        let (xlsx, format, mut notices) = Xlsx::open(input, options, seen.bare_formulas)?;
                        notices.extend(announced(input, xlsx.worksheet(), &seen));
                        return Ok((Self::Streamed(xlsx), format, notices));
                    }
                    Package::Xlsb => WholeFormat::Xlsb,
                    Package::Ods => WholeFormat::Ods,
                }
            }
        };
        let (whole, format, mut notices) = Whole::open(input, format, options)?;
        seen.merged = seen.merged.saturating_add(whole.merged());
        notices.extend(announced(input, whole.worksheet(), &seen));
        Ok((Self::Whole(whole), format, notices))
    }

    /// The name of the chosen worksheet.
    pub(in crate::sheet) fn worksheet(&self) -> &str {
        match self {
            Self::Streamed(xlsx) => xlsx.worksheet(),
            Self::Whole(whole) => whole.worksheet(),
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

/// A filter hides rows and leaves them in the file: whoever saw ten orders should know of the other thirty. A cell
/// that is merged over rows looks as if it held for all of them, and holds for the first.
fn announced(input: &Input, worksheet: &str, seen: &Seen) -> Vec<Problem> {
    let place = || Place::row(&Source::worksheet(&input.name, worksheet), 1);
    let notice = |text: String, hint: &str| Problem::warning(Code::SheetNotice, text).at(place()).hint(hint);
    let hidden = match seen.hidden_rows {
        0 => None,
        1 => Some("1 row of the workbook is hidden, and read like the others".to_owned()),
        rows => Some(format!("{rows} rows of the workbook are hidden, and read like the others")),
    };
    let merged = match seen.merged {
        0 => None,
        1 => Some("1 cell of the workbook is merged over several rows; its value is read for the first".to_owned()),
        cells => Some(format!(
            "{cells} cells of the workbook are merged over several rows; each value is read for its first"
        )),
    };
    let hidden = hidden.map(|text| notice(text, "delete the rows that should not go, or show them all"));
    let merged = merged.map(|text| notice(text, "if the other rows need the value, unmerge the cells and fill it in"));
    hidden.into_iter().chain(merged).collect()
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
        if window.windows(needle.len()).any(|bytes| bytes == needle) {
            return Ok(true);
        }
        window.drain(..window.len().saturating_sub(needle.len()));
    }
}
