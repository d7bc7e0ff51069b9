//! Makes every line end a `\n` and follows the quotes, so that each record knows its physical line.
//!
//! It stands between the decoder and the CSV parser and keeps the same few states as the parser does. It knows what the
//! parser cannot tell: blank lines, lines ended by `\r`, and quotes that swallow the rows after them.

use std::collections::VecDeque;
use std::io::{self, Read};

use crate::sheet::Limits;

/// How many cells of the greatest length a record may have; the parser holds a record as a whole.
const RECORD_CELLS: usize = 16;

/// What comes next in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mark {
    /// A blank line.
    Blank(u32),
    /// A record that starts on this line.
    Record(u32),
}

/// Why the text cannot be taken apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Trouble {
    /// A quote that opens on `line`.
    Quote {
        /// Counted from 1.
        line: u32,
        /// What becomes of it.
        ends: String,
    },
    /// A cell of the record that starts on this line is too long.
    LongCell(u32),
    /// The record that starts on this line has too many cells or bytes.
    LongRecord(u32),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    RecordStart,
    CellStart,
    InCell,
    InQuotes,
    QuoteInQuotes,
    AfterQuotes,
}

/// The reader.
pub(super) struct Lines<R> {
    inner: R,
    buffer: Vec<u8>,
    next: usize,
    filled: usize,
    ended: bool,
    delimiter: u8,
    state: State,
    after_return: bool,
    line: u32,
    record_line: u32,
    quote_line: u32,
    cell_bytes: usize,
    record_bytes: usize,
    cells: u32,
    columns_max: u32,
    cell_bytes_max: usize,
    cell_lines_max: u32,
    /// Marks, and how many lines in succession each stands for: a file may consist of blank lines.
    marks: VecDeque<(Mark, u32)>,
    trouble: Option<Trouble>,
}

impl<R: Read> Lines<R> {
    /// `line` is the number of the first line that `inner` gives.
    pub(super) fn new(inner: R, delimiter: u8, line: u32, limits: &Limits) -> Self {
        Self {
            inner,
            buffer: vec![0; 64 * 1024],
            next: 0,
            filled: 0,
            ended: false,
            delimiter,
            state: State::RecordStart,
            after_return: false,
            line,
            record_line: line,
            quote_line: line,
            cell_bytes: 0,
            record_bytes: 0,
            cells: 0,
            columns_max: limits.columns_max,
            cell_bytes_max: limits.cell_bytes_max,
            cell_lines_max: limits.cell_lines_max,
            marks: VecDeque::new(),
            trouble: None,
        }
    }

    /// The next blank line or record; there is one for every record that the parser has returned.
    pub(super) fn take_mark(&mut self) -> Option<Mark> {
        let (mark, count) = self.marks.front_mut()?;
        let next = *mark;
        *count -= 1;
        if *count == 0 {
            self.marks.pop_front();
        } else if let Mark::Blank(line) = mark {
            *line += 1;
        }
        Some(next)
    }

    /// Why reading failed, where it was not the file's fault.
    pub(super) const fn trouble(&self) -> Option<&Trouble> {
        self.trouble.as_ref()
    }

    fn refuse(&mut self, trouble: Trouble) -> io::Error {
        self.trouble = Some(trouble);
        io::Error::other("the text cannot be taken apart")
    }

    fn refuse_quote(&mut self, ends: String) -> io::Error {
        self.refuse(Trouble::Quote { line: self.quote_line, ends })
    }

    fn end_record(&mut self) {
        self.marks.push_back((Mark::Record(self.record_line), 1));
        self.state = State::RecordStart;
        self.line = self.line.saturating_add(1);
    }

    fn start_cell(&mut self, state: State) {
        self.state = state;
        self.cell_bytes = 0;
    }

    /// Moves on by one byte and says whether the parser should see it.
    fn step(&mut self, byte: u8) -> io::Result<bool> {
        if self.state == State::RecordStart {
            if byte == b'\n' {
                match self.marks.back_mut() {
                    Some((Mark::Blank(_), count)) => *count += 1,
                    _ => self.marks.push_back((Mark::Blank(self.line), 1)),
                }
                self.line = self.line.saturating_add(1);
                return Ok(false);
            }
            self.record_line = self.line;
            self.record_bytes = 0;
            self.cells = 0;
        }
        self.record_bytes += 1;
        if self.record_bytes > self.cell_bytes_max * RECORD_CELLS {
            return Err(self.refuse(Trouble::LongRecord(self.record_line)));
        }
        match self.state {
            State::RecordStart | State::CellStart => match byte {
                byte if byte == self.delimiter => self.next_cell()?,
                // Cells are trimmed anyway, and a quote after a space still quotes.
                b' ' | b'\t' => return Ok(false),
                b'\n' => self.end_record(),
                b'"' => {
                    self.quote_line = self.line;
                    self.start_cell(State::InQuotes);
                }
                _ => self.start_cell(State::InCell),
            },
            State::InCell => match byte {
                byte if byte == self.delimiter => self.next_cell()?,
                b'\n' => self.end_record(),
                _ => {
                    self.cell_bytes += 1;
                    if self.cell_bytes > self.cell_bytes_max {
                        return Err(self.refuse(Trouble::LongCell(self.record_line)));
                    }
                }
            },
            State::InQuotes => self.step_in_quotes(byte)?,
            State::QuoteInQuotes | State::AfterQuotes => match byte {
                b'"' if self.state == State::QuoteInQuotes => self.state = State::InQuotes,
                byte if byte == self.delimiter => self.next_cell()?,
                b'\n' => self.end_record(),
                b' ' | b'\t' => self.state = State::AfterQuotes,
                _ if self.line > self.quote_line => {
                    return Err(self.refuse_quote(format!("meets its next quote amid text on line {}", self.line)));
                }
                _ => self.state = State::InCell,
            },
        }
        Ok(true)
    }

    fn step_in_quotes(&mut self, byte: u8) -> io::Result<()> {
        match byte {
            b'"' => self.state = State::QuoteInQuotes,
            b'\n' => {
                self.line = self.line.saturating_add(1);
                if self.line - self.quote_line > self.cell_lines_max {
                    return Err(self.refuse_quote(format!("is not closed within {} lines", self.cell_lines_max)));
                }
            }
            _ => {
                self.cell_bytes += 1;
                if self.cell_bytes > self.cell_bytes_max {
                    return Err(self.refuse_quote(format!("is not closed within {} bytes", self.cell_bytes_max)));
                }
            }
        }
        Ok(())
    }

    fn next_cell(&mut self) -> io::Result<()> {
        self.cells += 1;
        self.start_cell(State::CellStart);
        if self.cells < self.columns_max {
            return Ok(());
        }
        Err(self.refuse(Trouble::LongRecord(self.record_line)))
    }

    /// The end of the file: closes the last record, which may lack its line end.
    fn finish(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.state == State::InQuotes {
            return Err(self.refuse_quote("is never closed".to_owned()));
        }
        if self.state == State::RecordStart {
            return Ok(0);
        }
        self.end_record();
        out[0] = b'\n';
        Ok(1)
    }
}

impl<R: Read> Read for Lines<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let mut written = 0;
        while written == 0 && !out.is_empty() {
            if self.next == self.filled && !self.ended {
                self.filled = self.inner.read(&mut self.buffer)?;
                self.next = 0;
                self.ended = self.filled == 0;
            }
            if self.ended {
                return self.finish(out);
            }
            while self.next < self.filled && written < out.len() {
                let mut byte = self.buffer[self.next];
                self.next += 1;
                let second_half = byte == b'\n' && self.after_return;
                self.after_return = byte == b'\r';
                if second_half {
                    continue;
                }
                if byte == b'\r' {
                    byte = b'\n';
                }
                if self.step(byte)? {
                    out[written] = byte;
                    written += 1;
                }
            }
        }
        Ok(written)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every text of six characters: the parser must find exactly the records that are marked.
    #[test]
    fn the_parser_and_the_marks_agree() {
        const ALPHABET: [u8; 6] = *b"a,\"\n\r ";
        let limits = Limits::default();
        let mut quotes = 0;
        for number in 0..6_usize.pow(6) {
            let text: Vec<u8> = (0..6).map(|place| ALPHABET[number / 6_usize.pow(place) % 6]).collect();
            let lines = Lines::new(text.as_slice(), b',', 1, &limits);
            let mut builder = csv::ReaderBuilder::new();
            let mut reader = builder.flexible(true).has_headers(false).buffer_capacity(64).from_reader(lines);
            let mut record = csv::ByteRecord::new();
            let (mut records, mut marks, mut last) = (0, 0, 0);
            let failed = loop {
                match reader.read_byte_record(&mut record) {
                    Ok(true) => records += 1,
                    Ok(false) => break false,
                    Err(_) => break true,
                }
            };
            while let Some(mark) = reader.get_mut().take_mark() {
                let (Mark::Blank(line) | Mark::Record(line)) = mark;
                marks += u32::from(matches!(mark, Mark::Record(_)));
                assert!(line > last, "{:?}", String::from_utf8_lossy(&text));
                last = line;
            }
            quotes += u32::from(failed);
            assert!(failed || marks == records, "{:?}: {marks} {records}", String::from_utf8_lossy(&text));
        }
        assert!(quotes > 1_000, "{quotes}");
    }
}
