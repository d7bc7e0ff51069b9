//! `.xlsx` and `.xlsm`: one worksheet as a stream of cells.

use std::fs::File;
use std::io::{BufReader, Seek, Write};
use std::ops::ControlFlow;

use calamine::{DataRef, Reader, SheetType, SheetVisible, XlsxError};

use super::assemble::Assembly;
use super::caught::caught;
use super::choose::{self, Candidate};
use super::dates;
use super::edited;
use super::numbers::{self, NumberStyle};
use super::package::Seen;
use super::relations;
use super::shape::Shape;
use super::whole::failure;
use super::worksheets;
use crate::finding::Finding;
use crate::sheet::cell::CellKind;
use crate::sheet::format::Format;
use crate::sheet::input::Input;
use crate::sheet::overlay::{Edited, Overlay};
use crate::sheet::row::Row;
use crate::sheet::{Limits, Options, SheetError};

type Book = calamine::Xlsx<BufReader<File>>;
type Cells<'b> = calamine::XlsxCellReader<'b, BufReader<File>>;

/// Unreadable cells in a row after which the worksheet as a whole counts as damaged.
const UNREADABLE_MAX: u32 = 10_000;

/// A worksheet has no more rows; a file that says otherwise was not saved by a spreadsheet program.
const ROWS_MAX: u32 = 1 << 20;

/// A worksheet of a workbook that is read as a stream.
#[derive(Debug)]
pub(in crate::sheet) struct Xlsx {
    worksheet: String,
    /// Whether some formula was saved without its value.
    bare_formulas: bool,
    shape: Shape,
}

impl Xlsx {
    /// Chooses the worksheet.
    pub(super) fn open(
        input: &Input,
        options: &Options,
        mut seen: Seen,
    ) -> Result<(Self, Format, Vec<Finding>), SheetError> {
        let mut book = open_book(input)?;
        let sheets = book.sheets_metadata().to_vec();
        let parts = apart(input, sheets.len())?;
        let mut candidates = Vec::new();
        let mut styles = Vec::new();
        for sheet in sheets {
            if sheet.typ != SheetType::WorkSheet {
                continue;
            }
            let visible = sheet.visible == SheetVisible::Visible;
            // What is read as a sheet of its own was looked into before.
            let is_new = visible && !options.besides.contains(&sheet.name);
            let mut candidate = Candidate::new(sheet.name, visible);
            if is_new {
                probe(&mut book, input, &mut candidate, (&options.limits, &mut styles))?;
            }
            candidates.push(candidate);
        }
        let (chosen, notices) = choose::choose(&input.name, &candidates, options)?;
        let mut format = Format::new("XLSX");
        format.other_worksheets = candidates.len() - 1;
        let worksheet = candidates.swap_remove(chosen).name;
        let part = parts.iter().find(|(name, _)| *name == worksheet);
        let shape = part.and_then(|(_, part)| seen.shapes.remove(part)).unwrap_or_default();
        Ok((Self { worksheet, bare_formulas: seen.bare_formulas, shape }, format, notices))
    }

    pub(super) const fn shape(&self) -> &Shape {
        &self.shape
    }

    pub(super) fn worksheet(&self) -> &str {
        &self.worksheet
    }

    /// Writes the workbook with what was typed over its worksheet.
    pub(super) fn write_edited(
        &self,
        input: &Input,
        overlay: &Overlay,
        out: &mut (impl Write + Seek),
    ) -> Result<Edited, SheetError> {
        let mut book = open_book(input)?;
        let reader = guarded(input, || book.worksheet_cells_reader(&self.worksheet))?;
        let formats: Vec<Option<&str>> = reader
            .styles()
            .iter()
            .map(|style| style.number_format.as_ref().map(|format| format.format_code.as_str()))
            .collect();
        let takes =
            |style: usize, typed: &str| shows(formats.get(style).copied().flatten().unwrap_or("General"), typed);
        edited::write(input, &self.worksheet, overlay, &takes, out)
    }

    /// Hands every row of the worksheet to `each`.
    pub(super) fn scan(
        &self,
        input: &Input,
        limits: &Limits,
        each: &mut dyn FnMut(&mut Row) -> ControlFlow<()>,
    ) -> Result<(), SheetError> {
        let mut book = open_book(input)?;
        // Styles and formulas come from different readings of the cells, so that a second one goes along where needed.
        let mut second = if self.bare_formulas { Some(open_book(input)?) } else { None };
        let formulas = match &mut second {
            Some(book) => Some(guarded(input, || book.worksheet_cells_reader(&self.worksheet))?),
            None => None,
        };
        let worksheet = (self.worksheet.as_str(), &mut Vec::new());
        stream(&mut book, formulas, worksheet, &mut Assembly::new(input, limits, &self.shape, each))
    }
}

/// Whether a number in a cell of that format is shown as it was typed, but for the signs around it.
fn shows(format_code: &str, typed: &str) -> bool {
    let mut bare = String::new();
    let mut is_text = false;
    for c in format_code.chars() {
        match c {
            '"' => is_text = !is_text,
            '[' => is_text = true,
            ']' => is_text = false,
            _ if is_text => {}
            _ => bare.extend(c.to_lowercase()),
        }
    }
    let is_of_other_kind = bare != "general" && bare.contains(['d', 'm', 'y', 'h', 's', '@', '%']);
    let Some(number) = typed.parse::<f64>().ok().filter(|_| !is_of_other_kind) else { return false };
    let mut shown = String::new();
    let kind = numbers::write(&mut shown, number, &NumberStyle::of(format_code));
    let figures: String = shown.chars().filter(|c| c.is_ascii_digit() || *c == '.').collect();
    kind == CellKind::Number && figures.parse::<f64>().ok() == Some(number)
}

/// How the cells of each style show a number, and whether they are struck through.
type Styles = Vec<(NumberStyle, bool)>;

/// The sheets with their parts, once it is sure that they are not too many and that no two are one.
fn apart(input: &Input, sheets: usize) -> Result<Vec<(String, String)>, SheetError> {
    /// Where the parts are not known, so few may all be one.
    const UNKNOWN_MAX: usize = 8;
    let refused = |reason: String| failure(input, reason);
    worksheets::too_many(sheets).map_err(refused)?;
    let Some(parts) = relations::parts_of_sheets(BufReader::new(input.file()?)) else {
        if sheets > UNKNOWN_MAX {
            return Err(damaged(input, "its list of worksheets cannot be read".to_owned()));
        }
        return Ok(Vec::new());
    };
    worksheets::not_apart(parts.iter().cloned()).map_err(refused)?;
    Ok(parts)
}

/// A panic in the parser is a damaged file, not the end of the program.
fn guarded<T>(input: &Input, work: impl FnOnce() -> Result<T, XlsxError>) -> Result<T, SheetError> {
    match caught(work) {
        Some(Ok(value)) => Ok(value),
        Some(Err(XlsxError::Password)) => Err(SheetError::PasswordProtected { file: input.name.clone() }),
        Some(Err(error)) => Err(damaged(input, error.to_string())),
        None => Err(damaged(input, "it breaks the rules of its format".to_owned())),
    }
}

fn damaged(input: &Input, reason: String) -> SheetError {
    SheetError::Damaged { file: input.name.clone(), reason }
}

fn open_book(input: &Input) -> Result<Book, SheetError> {
    let file = BufReader::new(input.file()?);
    guarded(input, || Book::new(file))
}

/// Looks at the first rows of a worksheet.
fn probe(
    book: &mut Book,
    input: &Input,
    candidate: &mut Candidate,
    (limits, styles): (&Limits, &mut Styles),
) -> Result<(), SheetError> {
    let worksheet = candidate.name.clone();
    let mut each = |row: &mut Row| {
        row.cells().for_each(|cell| candidate.look(row.number(), cell));
        if candidate.is_known() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    stream(book, None, (&worksheet, styles), &mut Assembly::new(input, limits, &Shape::default(), &mut each))
}

fn stream(
    book: &mut Book,
    mut formulas: Option<Cells<'_>>,
    (worksheet, styles): (&str, &mut Styles),
    assembly: &mut Assembly<'_>,
) -> Result<(), SheetError> {
    let (input, limits) = (assembly.input, assembly.limits);
    let mut reader = guarded(input, || book.worksheet_cells_reader(worksheet))?;
    // They are those of the workbook, and may be many: once is enough for all its worksheets.
    if styles.is_empty() {
        styles.extend(reader.styles().iter().map(|style| {
            let format = style.number_format.as_ref();
            let number = format.map_or(NumberStyle::Plain, |format| NumberStyle::of(&format.format_code));
            (number, style.font.as_ref().is_some_and(|font| font.strikethrough))
        }));
    }
    let mut unreadable = 0;
    loop {
        let next = caught(|| reader.next_cell_with_style_id());
        let bare = formulas.as_mut().is_some_and(|formulas| is_bare_formula(formulas));
        let (cell, style) = match next {
            Some(Ok(Some(cell))) => cell,
            Some(Ok(None)) => break,
            Some(Err(error)) if unreadable < UNREADABLE_MAX && !is_fatal(&error) => {
                unreadable += 1;
                assembly.unreadable();
                continue;
            }
            Some(Err(error)) => return Err(damaged(input, error.to_string())),
            None => return Err(damaged(input, "it breaks the rules of its format".to_owned())),
        };
        let (row, column) = cell.get_position();
        if column >= limits.columns_max {
            let what = format!("row {} has a cell beyond {} columns", row + 1, limits.columns_max);
            return Err(SheetError::TooLarge { file: input.name.clone(), what });
        }
        if row >= ROWS_MAX {
            let what = format!("it has a row beyond the {ROWS_MAX} that a worksheet can have");
            return Err(damaged(input, what));
        }
        let (style, struck) =
            styles.get(style).map_or((&NumberStyle::Plain, false), |(style, struck)| (style, *struck));
        let flow = assembly.cell(row.saturating_add(1), column, |out| {
            if bare { CellKind::FormulaWithoutValue } else { write(out, cell.get_value(), style) }
        });
        if flow.is_break() {
            return assembly.stopped();
        }
        if struck {
            assembly.struck(row.saturating_add(1), column);
        }
    }
    assembly.finish()
}

/// Whether the next cell, an unreadable one included, is a formula without a value.
fn is_bare_formula(formulas: &mut Cells<'_>) -> bool {
    let next = caught(|| formulas.next_cell_with_formula_metadata());
    matches!(next, Some(Ok(Some(cell))) if cell.formula.is_some() && matches!(cell.value, DataRef::Empty))
}

/// After these the rest of the worksheet cannot be found.
const fn is_fatal(error: &XlsxError) -> bool {
    matches!(error, XlsxError::Io(_) | XlsxError::Zip(_) | XlsxError::Xml(_) | XlsxError::XmlEof(_))
}

fn write(out: &mut String, value: &DataRef<'_>, style: &NumberStyle) -> CellKind {
    match value {
        DataRef::Empty => CellKind::Empty,
        DataRef::String(text) => {
            out.push_str(text);
            CellKind::Text
        }
        DataRef::SharedString(text) => {
            out.push_str(text);
            CellKind::Text
        }
        // A whole number of any format with more than 15 digits passes as a float, as Excel has it.
        #[expect(clippy::cast_precision_loss, reason = "lossy numbers are recognised by their size")]
        DataRef::Int(number) => numbers::write(out, *number as f64, style),
        DataRef::Float(number) => numbers::write(out, *number, style),
        DataRef::Bool(flag) => {
            out.push_str(if *flag { "TRUE" } else { "FALSE" });
            CellKind::Flag
        }
        DataRef::DateTime(serial) => dates::write_serial(out, *serial),
        DataRef::DateTimeIso(iso) => dates::write_iso(out, iso),
        DataRef::DurationIso(iso) => dates::write_duration(out, iso),
        DataRef::Error(error) => {
            out.push_str(&error.to_string());
            CellKind::Error
        }
    }
}
