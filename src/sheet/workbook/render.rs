//! Reads `.xls`, `.xlsb` and `.ods` as a whole and writes the cells of all their worksheets.

use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Seek, SeekFrom, Write};

use calamine::{Data, Range, Reader, SheetType, SheetVisible, Xls, Xlsb};

use super::caught::caught;
use super::looks::{self, Look};
use super::numbers::{self, NumberStyle};
use super::worksheets::{self, LIMIT};
use super::{container, dates, ods, spool, xlsb};
use crate::sheet::cell::CellKind;

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

/// Reads a workbook and writes the cells of all its worksheets, up to so many bytes.
pub(super) fn render(file: File, format: WholeFormat, (out, bytes_max): (impl Write, u64)) -> Result<(), String> {
    let mut file = BufReader::new(file);
    let mut out = BufWriter::with_capacity(64 * 1024, Bounded { out, left: bytes_max });
    let work = || match format {
        WholeFormat::Xls => {
            let looks = looks_of_xls(&mut file)?;
            let mut looks = looks.map(Vec::into_iter);
            let next = |_: &str| looks.as_mut().map_or_else(|| Some(Look::unknown()), Iterator::next);
            render_book(Xls::<BufReader<File>>::new(file), next, &mut out)
        }
        WholeFormat::Xlsb => {
            worksheets::not_apart(caught(|| xlsb::worksheets(&mut file)).flatten().unwrap_or_default())?;
            file.seek(SeekFrom::Start(0)).map_err(|error| error.to_string())?;
            let mut looks = caught(|| xlsb::looks(&mut file)).flatten();
            file.seek(SeekFrom::Start(0)).map_err(|error| error.to_string())?;
            let of = |name: &str| looks.as_mut().map_or_else(|| Some(Look::unknown()), |looks| looks.remove(name));
            render_book(Xlsb::<BufReader<File>>::new(file), of, &mut out)
        }
        WholeFormat::Ods => ods::render(file, &mut out),
    };
    caught(work).unwrap_or_else(|| Err("it breaks the rules of its format".to_owned()))?;
    spool::write_done(&mut out).and_then(|()| out.flush()).map_err(|error| error.to_string())
}

/// The looks of all sheets in their order, where the file tells them, which is then at its start again.
fn looks_of_xls(file: &mut BufReader<File>) -> Result<Option<Vec<Look>>, String> {
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).and_then(|_| file.seek(SeekFrom::Start(0))).map_err(|error| error.to_string())?;
    let Some(stream) = caught(|| container::workbook_stream(&bytes)).flatten() else { return Ok(None) };
    let starts = caught(|| looks::starts_in_xls(&stream)).flatten().unwrap_or_default();
    worksheets::too_many(starts.len())?;
    worksheets::not_apart((1..).zip(starts).map(|(number, start): (u32, usize)| (number.to_string(), start)))?;
    Ok(caught(|| looks::of_xls(&stream)).flatten())
}

/// `look` gives the look of each sheet in turn, or nothing where there are fewer of them.
fn render_book<R: Reader<BufReader<File>>>(
    book: Result<R, R::Error>,
    mut look: impl FnMut(&str) -> Option<Look>,
    out: &mut impl Write,
) -> Result<(), String>
where
    R::Error: std::fmt::Display,
{
    let mut book = book.map_err(|error| error.to_string())?;
    worksheets::too_many(book.sheets_metadata().len())?;
    for sheet in book.sheets_metadata().to_vec() {
        let look = look(&sheet.name).unwrap_or_else(Look::unknown);
        if sheet.typ != SheetType::WorkSheet {
            continue;
        }
        let range = book.worksheet_range(&sheet.name).map_err(|error| error.to_string())?;
        let visible = sheet.visible == SheetVisible::Visible;
        spool::write_worksheet(out, &sheet.name, visible)
            .and_then(|()| render_range(&range, &look, out))
            .and_then(|()| spool::write_shape(out, &look.shape))
            .map_err(|error| error.to_string())?;
    }
    Ok(())
}

fn render_range(range: &Range<Data>, look: &Look, out: &mut impl Write) -> std::io::Result<()> {
    let (first_row, first_column) = range.start().unwrap_or((0, 0));
    let mut text = String::new();
    for (row, column, value) in range.used_cells() {
        let (Ok(row), Ok(column)) = (u32::try_from(row), u32::try_from(column)) else { continue };
        let (row, column) = (first_row.saturating_add(row), first_column.saturating_add(column));
        text.clear();
        let kind = write(&mut text, value, look.format(row, column));
        spool::write_cell(out, row.saturating_add(1), column, kind, &text)?;
    }
    Ok(())
}

fn write(out: &mut String, value: &Data, style: &NumberStyle) -> CellKind {
    match value {
        Data::Empty => CellKind::Empty,
        Data::String(text) => {
            out.push_str(text);
            CellKind::Text
        }
        // A whole number of more than 15 digits passes as a float, as Excel has it.
        #[expect(clippy::cast_precision_loss, reason = "lossy numbers are recognised by their size")]
        Data::Int(number) => numbers::write(out, *number as f64, style),
        Data::Float(number) => numbers::write(out, *number, style),
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

/// Passes on no more than so many bytes: a few bytes of a workbook can name many cells, and each may have a long text.
struct Bounded<O> {
    out: O,
    left: u64,
}

impl<O: Write> Write for Bounded<O> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.left = self.left.checked_sub(bytes.len() as u64).ok_or_else(|| {
            let text = format!("{LIMIT}the cells of its worksheets become far more than the file holds");
            std::io::Error::new(std::io::ErrorKind::FileTooLarge, text)
        })?;
        self.out.write_all(bytes)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_that_become_too_many_bytes_are_a_limit_in_words() {
        let mut out = Bounded { out: Vec::new(), left: 10 };
        assert!(out.write_all(b"ten bytes.").is_ok());
        let error = out.write_all(b"x").unwrap_err();
        assert!(error.to_string().starts_with(LIMIT), "{error}");
        assert_eq!(out.out, b"ten bytes.");
    }
}
