//! A text file as rows.

use std::cell::Cell;
use std::io::{self, BufRead, BufReader, Read};
use std::ops::ControlFlow;
use std::sync::Arc;

use encoding_rs::UTF_8;
use memchr::memmem;

use super::cut::{Cut, Trouble};
use super::edited::{Dialect, edited};
use super::encoding::{self, Fit, Found};
use super::lines::Lines;
use super::{delimiter, dos};
use crate::finding::sheet::{bad_encoding, unclosed_quote};
use crate::finding::{Finding, Remedy};
use crate::origin::{Place, Source};
use crate::sheet::cell::CellKind;
use crate::sheet::format::Format;
use crate::sheet::input::Input;
use crate::sheet::overlay::{Edited, Overlay};
use crate::sheet::portion::{Form, Portion};
use crate::sheet::row::Row;
use crate::sheet::{Limits, Options, SheetError};

/// A text file whose encoding and delimiter are known.
#[derive(Debug)]
pub(in crate::sheet) struct TextFile {
    fit: Fit,
    delimiter: u8,
    /// Whether the first line only names the delimiter.
    sep_line: bool,
    /// Whether rows stand in quotes as a whole: a text file that was pasted into one column and saved again.
    wrapped: bool,
}

impl TextFile {
    /// Looks at the whole file for its encoding and at its beginning for the delimiter.
    pub(in crate::sheet) fn open(input: &Input, options: &Options) -> Result<(Self, Format), SheetError> {
        let fit = find_encoding(input, options)?;
        let mut sample = Vec::new();
        let decoded = encoding::decode(bytes_of_text(input, &options.limits, &fit)?, fit.encoding, fit.clean);
        decoded.take(128 * 1024).read_to_end(&mut sample).map_err(|error| input.failed(error))?;
        let first_line = sample.split(|byte| matches!(byte, b'\n' | b'\r')).next().unwrap_or_default();
        let named = delimiter::named(first_line);
        let body = if named.is_some() { &sample[first_line.len()..] } else { &sample[..] };
        let delimiter = options.delimiter.or(named).unwrap_or_else(|| delimiter::detect(body));
        let wrapped = is_wrapped(body, delimiter);
        let guess = if fit.guess.is_none() { "" } else { " (a guess)" };
        let kind = if delimiter == b'\t' { "TSV" } else { "CSV" };
        let quoted = if wrapped { ", rows in quotes" } else { "" };
        let encoding = fit.name();
        let format = Format::new(format!("{kind}, {}, {encoding}{guess}{quoted}", delimiter::name(delimiter)));
        Ok((Self { fit, delimiter, sep_line: named.is_some(), wrapped }, format))
    }

    /// The byte between its cells.
    pub(in crate::sheet) const fn delimiter(&self) -> u8 {
        self.delimiter
    }

    /// What a guessed encoding makes of the first place that shows it.
    pub(in crate::sheet) fn notice(&self, source: &Arc<Source>) -> Option<Finding> {
        let glimpse = self.fit.guess.as_ref()?;
        let place = Place::row(source, u32::try_from(glimpse.line).unwrap_or(u32::MAX));
        let guessed = bad_encoding::guessed(self.fit.encoding.name(), named("windows-1252"));
        Some(guessed.at(place).found(&glimpse.text))
    }

    /// The file with what was typed over it, in its own dialect and encoding; in UTF-8 where that has no letters for it.
    pub(in crate::sheet) fn edited(
        &self,
        input: &Input,
        limits: &Limits,
        overlay: &Overlay,
    ) -> Result<(Vec<u8>, Edited), SheetError> {
        let (dialect, encoding) = (Dialect { delimiter: self.delimiter, wrapped: self.wrapped }, self.fit.encoding);
        let in_utf_8 = |text: &str| text.as_bytes().to_vec();
        let failed = |error| input.failed(error);
        let mut bytes = Vec::new();
        let is_as_it_is = self.fit.page.is_none() && (encoding == UTF_8 || encoding.is_single_byte());
        let mut typed = overlay.rows().flat_map(|(_, cells)| cells.values());
        if is_as_it_is && typed.all(|text| !encoding.encode(text).2) {
            bytes_of_text(input, limits, &self.fit)?.read_to_end(&mut bytes).map_err(failed)?;
            let out = edited(&bytes, dialect, overlay, &|text| encoding.encode(text).0.into_owned());
            return Ok((out, Edited::default()));
        }
        let text = bytes_of_text(input, limits, &self.fit)?;
        encoding::decode(text, encoding, self.fit.clean).read_to_end(&mut bytes).map_err(failed)?;
        let out = edited(&bytes, dialect, overlay, &in_utf_8);
        let text = String::from_utf8_lossy(&out);
        if let Some(bytes) = encoding::encoded(&text, encoding).filter(|_| self.fit.page.is_none()) {
            return Ok((bytes, Edited::default()));
        }
        let marked = ["\u{feff}", text.trim_start_matches('\u{feff}')].concat();
        Ok((marked.into_bytes(), Edited { in_utf_8: true, ..Edited::default() }))
    }

    /// Hands out all of the file, portion by portion.
    pub(in crate::sheet) fn portions(
        &self,
        input: &Input,
        options: &Options,
        each: &mut dyn FnMut(&mut Portion) -> ControlFlow<()>,
    ) -> Result<(), SheetError> {
        let decoded =
            encoding::decode(bytes_of_text(input, &options.limits, &self.fit)?, self.fit.encoding, self.fit.clean);
        let mut text = BufReader::with_capacity(64 * 1024, decoded);
        if self.sep_line {
            skip_line(&mut text).map_err(|error| input.failed(error))?;
        }
        let first_line = if self.sep_line { 2 } else { 1 };
        let mut lines = Lines::new(text, options.portion(), self.delimiter, first_line, &options.limits);
        if self.wrapped {
            lines = lines.of_wrapped_rows();
        }
        let mut row = Row::default();
        let width = Cell::new(0);
        let mut portion = Portion::default();
        loop {
            portion.restart(options.portion());
            portion.width = width.get();
            let shape = |row: &mut Row| {
                if self.wrapped && row.len() == 1 {
                    self.unwrap(row);
                }
                width.set(width.get().max(row.len()));
            };
            let more =
                lines.fill(&mut portion, &mut row, shape).map_err(|error| failure(input, lines.trouble(), error))?;
            width.set(width.get().max(portion.first_width(self.delimiter)));
            if (!portion.is_empty() && each(&mut portion).is_break()) || !more {
                return Ok(());
            }
        }
    }

    /// Hands every row of a portion, blank ones too, to `each`.
    pub(in crate::sheet) fn rows(
        &self,
        portion: &Portion,
        input: &Input,
        source: &Arc<Source>,
        limits: &Limits,
        each: &mut dyn FnMut(&mut Row) -> ControlFlow<()>,
    ) -> Result<(), SheetError> {
        let cut = Cut::new(self.delimiter, limits);
        let mut row = Row::default();
        let mut width = portion.width;
        for stretch in portion.stretches() {
            let lost = memmem::find(stretch.bytes, "\u{fffd}".as_bytes()).is_some();
            let read = cut.rows(&stretch, &mut row, &mut |row| {
                if stretch.form == Form::Packed && row.whole_text().contains('\n') {
                    self.report_swallowed(row, width, source);
                }
                width = width.max(row.len());
                if lost && row.whole_text().contains('\u{fffd}') {
                    self.report_undecodable(row, source);
                }
                if self.fit.zeros && row.whole_text().contains('\0') {
                    report_zeros(row, source);
                }
                each(row)
            });
            match read {
                Ok(ControlFlow::Continue(())) => {}
                Ok(ControlFlow::Break(())) => return Ok(()),
                Err(trouble) => return Err(failure(input, Some(&trouble), trouble.clone().into())),
            }
        }
        Ok(())
    }

    /// Takes a row apart that stood in quotes as a whole.
    fn unwrap(&self, row: &mut Row) {
        let line = row.cell(0).text.to_owned();
        if !line.contains(char::from(self.delimiter)) {
            return;
        }
        row.restart(row.number());
        let mut builder = csv::ReaderBuilder::new();
        builder.flexible(true).has_headers(false).delimiter(self.delimiter).buffer_capacity(line.len());
        let mut reader = builder.from_reader(line.as_bytes());
        let mut record = csv::StringRecord::new();
        // Reading from memory text that is one line: nothing can fail.
        while reader.read_record(&mut record).unwrap_or(false) {
            record.iter().for_each(|cell| row.push(cell, CellKind::Text));
        }
    }

    /// A quote that was never closed ends at the next one, rows later: then a cell holds lines that are rows.
    fn report_swallowed(&self, row: &mut Row, width: usize, source: &Arc<Source>) {
        /// A list in prose has as many commas; a space follows them.
        const FEWEST: usize = 3;
        let delimiter = char::from(self.delimiter);
        let closes = |line: &str| {
            let mut cells = line.split(delimiter);
            cells.next();
            cells.filter(|cell| !cell.starts_with(' ')).count()
        };
        let is_row = |line: &str| (FEWEST.max(width / 2)..=FEWEST.max(width)).contains(&closes(line));
        let holds_rows = |text: &str| text.contains('\n') && text.lines().any(is_row);
        let Some(index) = (0..row.len()).find(|index| holds_rows(row.cell(*index).text)) else { return };
        let text = row.cell(index).text;
        let lines = text.lines().count();
        let found: String = text.chars().take(80).collect();
        let place = Place::cell(source, row.number(), u32::try_from(index).unwrap_or(u32::MAX), "");
        row.notice(unclosed_quote::swallows_rows(lines).at(place).found(found));
    }

    /// The replacement character stands where bytes were lost: now, or in a file that is clean, before it was saved.
    fn report_undecodable(&self, row: &mut Row, source: &Arc<Source>) {
        let Some(index) = (0..row.len()).find(|index| row.cell(*index).text.contains('\u{fffd}')) else { return };
        let place = Place::cell(source, row.number(), u32::try_from(index).unwrap_or(u32::MAX), "");
        let found = row.cell(index).text.to_owned();
        let encoding = self.fit.encoding.name();
        let lost = if self.fit.clean {
            bad_encoding::lost_before()
        } else if self.fit.looks_dos {
            bad_encoding::looks_like_dos(encoding, named("cp850"))
        } else {
            bad_encoding::undecodable(encoding, named("windows-1252"))
        };
        row.notice(lost.at(place).found(found));
    }
}

/// Zeros at the end of a cell fill it up, as old programs do; elsewhere they stand for something that is lost.
fn report_zeros(row: &mut Row, source: &Arc<Source>) {
    row.rewrite(&mut |_, text, kind| (text.trim_end_matches(['\0', ' ']), kind));
    let Some(index) = (0..row.len()).find(|index| row.cell(*index).text.contains('\0')) else { return };
    let place = Place::cell(source, row.number(), u32::try_from(index).unwrap_or(u32::MAX), "");
    let found = row.cell(index).text.replace('\0', "\u{2400}");
    row.notice(bad_encoding::zero_byte().at(place).found(found));
}

/// The encoding that a sheet may have.
fn named(example: &str) -> Remedy {
    Remedy::NameEncoding { example: example.to_owned() }
}

/// Whether the first filled row is one cell that holds a row.
fn is_wrapped(sample: &[u8], delimiter: u8) -> bool {
    let mut wrapped = false;
    delimiter::each_row(sample, delimiter, &mut |row| {
        if row.is_blank() {
            return ControlFlow::Continue(());
        }
        wrapped = row.len() == 1 && row.cell(0).text.split(char::from(delimiter)).count() >= 3;
        ControlFlow::Break(())
    });
    wrapped
}

fn find_encoding(input: &Input, options: &Options) -> Result<Fit, SheetError> {
    let file = &input.name;
    let open = || input.reader(&options.limits).map_err(io::Error::other);
    let found = encoding::detect(open).map_err(|error| input.failed(error))?;
    let not_a_sheet = |what: String| SheetError::not_a_sheet(file, what);
    if let Some(label) = &options.encoding {
        let label = encoding::labelled(label).ok_or_else(|| SheetError::UnknownEncoding { label: label.clone() })?;
        let named = Fit::named(label);
        return Ok(match found {
            Found::Encoding(fit) => {
                let clean = fit.encoding == named.encoding && fit.clean;
                Fit { clean, zeros: fit.zeros, text_bytes: fit.text_bytes, ..named }
            }
            Found::Utf32 | Found::Binary(_) => named,
        });
    }
    match found {
        Found::Encoding(fit) => Ok(Fit { clean: fit.clean && fit.encoding == UTF_8, ..fit }),
        Found::Utf32 => Err(not_a_sheet("text in UTF-32".to_owned())),
        Found::Binary(line) => Err(not_a_sheet(format!("a binary file (zero bytes from line {line} on)"))),
    }
}

/// The file's bytes without zeros that fill up its end.
fn bytes_of_text(input: &Input, limits: &Limits, fit: &Fit) -> Result<Box<dyn Read>, SheetError> {
    let bytes = input.reader(limits)?.take(fit.text_bytes.unwrap_or(u64::MAX));
    Ok(match fit.page {
        Some(page) => Box::new(dos::Decoded::new(bytes, page)),
        None => Box::new(bytes),
    })
}

fn skip_line(text: &mut impl BufRead) -> io::Result<()> {
    loop {
        let buffer = text.fill_buf()?;
        if buffer.is_empty() {
            return Ok(());
        }
        let Some(end) = buffer.iter().position(|byte| matches!(byte, b'\n' | b'\r')) else {
            let length = buffer.len();
            text.consume(length);
            continue;
        };
        let carriage_return = buffer[end] == b'\r';
        text.consume(end + 1);
        if carriage_return && text.fill_buf()?.first() == Some(&b'\n') {
            text.consume(1);
        }
        return Ok(());
    }
}

fn failure(input: &Input, trouble: Option<&Trouble>, error: io::Error) -> SheetError {
    let file = input.name.clone();
    match trouble {
        Some(Trouble::Quote { line, ends }) => SheetError::UnclosedQuote { file, line: *line, ends: ends.clone() },
        Some(Trouble::LongCell(line)) => {
            SheetError::TooLarge { file, what: format!("a cell of the row that starts on line {line}") }
        }
        Some(Trouble::LongRecord(line)) => {
            SheetError::TooLarge { file, what: format!("the row that starts on line {line} has too many cells") }
        }
        Some(Trouble::Undecoded(line)) => {
            SheetError::Damaged { file, reason: format!("line {line} holds bytes that are no text") }
        }
        None => input.failed(error),
    }
}
