//! A person's own sheet, written again with more columns: as a workbook of text cells, or as text that runs no formula.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use rust_xlsxwriter::{Color, Format, Workbook, Worksheet, XlsxError};

use crate::origin::{guarded, is_added};

use super::part_file::PartFile;
use super::results::{CELL_CHARACTERS_MAX, ResultFormat, ResultsError};

/// Rows of a worksheet, its header included.
const WORKSHEET_ROWS_MAX: u32 = 1_048_576;

/// A place for a person's sheet, made sure of before anything is sent.
#[derive(Debug)]
pub(crate) struct OwnFile {
    part: PartFile,
    format: ResultFormat,
}

impl OwnFile {
    /// Makes sure that the file can be written; its name says its form.
    pub(crate) fn prepare(path: &Path) -> Result<Self, ResultsError> {
        match ResultFormat::of(path) {
            Ok(format @ (ResultFormat::Csv | ResultFormat::Xlsx)) => {
                Ok(Self { part: PartFile::prepare(path)?, format })
            }
            _ => Err(ResultsError::UnknownSheetFormat(path.to_owned())),
        }
    }

    /// Where it will be.
    pub(crate) fn path(&self) -> &Path {
        self.part.path()
    }

    /// Whether it takes several sheets apart, each with columns of its own.
    pub(crate) fn is_workbook(&self) -> bool {
        self.format == ResultFormat::Xlsx
    }

    /// Begins to write; text has this byte between its cells.
    pub(crate) fn begin(mut self, delimiter: u8) -> Result<OwnWriter, ResultsError> {
        let file = self.part.take()?;
        let target = if self.is_workbook() {
            Target::Workbook(Box::new(Book::new(file)))
        } else {
            let mut file = BufWriter::new(file);
            // Without it spreadsheet programs take the text for another encoding.
            file.write_all("\u{feff}".as_bytes()).map_err(|source| self.part.unwritable(source))?;
            let writer = csv::WriterBuilder::new().delimiter(delimiter).flexible(true).from_writer(file);
            Target::Text(Box::new(writer))
        };
        Ok(OwnWriter { part: self.part, target, row: 0 })
    }
}

/// Writes one table, or in a workbook several, row after row.
pub(crate) struct OwnWriter {
    part: PartFile,
    target: Target,
    row: u32,
}

enum Target {
    Text(Box<csv::Writer<BufWriter<File>>>),
    Workbook(Box<Book>),
}

impl OwnWriter {
    /// Begins a table with its header.
    pub(crate) fn table(&mut self, name: &str, columns: &[String]) -> Result<(), ResultsError> {
        match &mut self.target {
            Target::Text(writer) => {
                let written = writer.write_record(columns.iter().map(|text| guarded(text, false).into_owned()));
                written.map_err(|error| self.part.unwritable(error.into()))?;
                self.row += 1;
            }
            Target::Workbook(book) => {
                book.table(name, columns).map_err(|source| failed(&self.part, source))?;
                self.row = 1;
            }
        }
        Ok(())
    }

    /// The number that the next row will have in the file, counted from 1.
    pub(crate) const fn next_row(&self) -> u32 {
        if self.row >= WORKSHEET_ROWS_MAX && matches!(self.target, Target::Workbook(_)) { 2 } else { self.row + 1 }
    }

    /// Writes a row; the cells of `marked` columns stand out.
    pub(crate) fn row(&mut self, cells: &[String], marked: &[usize]) -> Result<(), ResultsError> {
        let number = self.next_row();
        match &mut self.target {
            Target::Text(writer) => {
                let written = writer.write_record(cells.iter().map(|text| guarded(text, false).into_owned()));
                written.map_err(|error| self.part.unwritable(error.into()))?;
            }
            Target::Workbook(book) => {
                let full = self.row >= WORKSHEET_ROWS_MAX;
                let room = if full { book.worksheet() } else { Ok(()) };
                room.and_then(|()| book.row(number, cells, marked)).map_err(|source| failed(&self.part, source))?;
            }
        }
        self.row = number;
        Ok(())
    }

    /// Puts the file in its place.
    pub(crate) fn finish(self) -> Result<(), ResultsError> {
        match self.target {
            Target::Text(mut writer) => writer.flush().map_err(|source| self.part.unwritable(source))?,
            Target::Workbook(mut book) => {
                book.workbook.save_to_writer(book.file).map_err(|source| failed(&self.part, source))?;
            }
        }
        self.part.complete()
    }
}

fn failed(part: &PartFile, source: XlsxError) -> ResultsError {
    ResultsError::Workbook { path: part.path().to_owned(), source }
}

/// A workbook in the making; its rows go to disk as they come.
struct Book {
    file: File,
    workbook: Workbook,
    /// The names of its worksheets.
    names: Vec<String>,
    /// Name and header of the present table, for its next worksheet.
    name: String,
    columns: Vec<String>,
    text: Format,
    marked: Format,
}

impl Book {
    fn new(file: File) -> Self {
        let text = Format::new().set_num_format("@");
        let marked = text.clone().set_background_color(Color::RGB(0x00FF_C7CE));
        let (name, columns, names) = (String::new(), Vec::new(), Vec::new());
        Self { file, workbook: Workbook::new(), names, name, columns, text, marked }
    }

    fn table(&mut self, name: &str, columns: &[String]) -> Result<(), XlsxError> {
        name.clone_into(&mut self.name);
        self.columns = columns.to_vec();
        self.worksheet()
    }

    fn worksheet(&mut self) -> Result<(), XlsxError> {
        let name = worksheet_name(&self.name, &self.names);
        let sheet = self.workbook.add_worksheet_with_constant_memory()?;
        sheet.set_name(&name)?.set_freeze_panes(1, 0)?;
        self.names.push(name);
        let bold = self.text.clone().set_bold();
        let added = bold.clone().set_background_color(Color::RGB(0x00DD_DDDD));
        for (column, header) in (0_u16..).zip(&self.columns) {
            let widest = if is_added(header) { 60 } else { 30 };
            let width = u8::try_from(header.chars().count()).unwrap_or(u8::MAX).clamp(12, widest);
            let width = if is_added(header) { width.max(24) } else { width };
            // Cells that are filled in later are text as well.
            sheet.set_column_format(column, &self.text)?;
            sheet.set_column_width(column, width)?;
            let style = if is_added(header) { &added } else { &bold };
            write_text(sheet, 0, column, header, style)?;
        }
        Ok(())
    }

    fn row(&mut self, number: u32, cells: &[String], marked: &[usize]) -> Result<(), XlsxError> {
        let last = self.names.len().saturating_sub(1);
        let sheet = self.workbook.worksheet_from_index(last)?;
        for (column, (index, text)) in (0_u16..).zip(cells.iter().enumerate()) {
            let style = if marked.contains(&index) { &self.marked } else { &self.text };
            write_text(sheet, number - 1, column, text, style)?;
        }
        Ok(())
    }
}

/// Writes a cell that is text, whatever stands in it; a cell holds no more than so many characters.
fn write_text(sheet: &mut Worksheet, row: u32, column: u16, text: &str, style: &Format) -> Result<(), XlsxError> {
    if text.is_empty() {
        sheet.write_blank(row, column, style)?;
    } else {
        let text: String = guarded(text, true).chars().take(CELL_CHARACTERS_MAX).collect();
        sheet.write_string_with_format(row, column, text, style)?;
    }
    Ok(())
}

/// A name that a worksheet may have and that no other has.
fn worksheet_name(wanted: &str, taken: &[String]) -> String {
    const CHARACTERS_MAX: usize = 31;
    let clean: String =
        wanted.chars().map(|c| if "[]:*?/\\".contains(c) || c.is_control() { ' ' } else { c }).collect();
    let clean = clean.trim_matches(['\'', ' ']);
    let clean = if clean.is_empty() { "Orders" } else { clean };
    let cut = |end: &str| -> String {
        let room = CHARACTERS_MAX - end.len();
        format!("{}{end}", clean.chars().take(room).collect::<String>().trim_end_matches(['\'', ' ']))
    };
    let is_free = |name: &String| !taken.iter().any(|other| other.to_lowercase() == name.to_lowercase());
    let numbered = (2..).map(|number| cut(&format!(" ({number})")));
    std::iter::once(cut("")).chain(numbered).find(is_free).unwrap_or_default()
}
