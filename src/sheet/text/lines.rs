//! Makes every line end a `\n` and follows the quotes, so that each record knows its physical line.
//!
//! It stands between the decoder and the CSV parser and keeps the same few states as the parser does. It knows what the
//! parser cannot tell: blank lines, lines ended by `\r`, and quotes that swallow the rows after them.

use std::collections::VecDeque;
use std::io::{self, Read};

use crate::sheet::Limits;

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
    /// A cell that begins on this line is too long.
    LongCell(u32),
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
    cell_bytes_max: usize,
    cell_lines_max: u32,
    marks: VecDeque<Mark>,
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
            cell_bytes_max: limits.cell_bytes_max,
            cell_lines_max: limits.cell_lines_max,
            marks: VecDeque::new(),
            trouble: None,
        }
    }

    /// The next blank line or record; there is one for every record that the parser has returned.
    pub(super) fn take_mark(&mut self) -> Option<Mark> {
        self.marks.pop_front()
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
        self.marks.push_back(Mark::Record(self.record_line));
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
                self.marks.push_back(Mark::Blank(self.line));
                self.line = self.line.saturating_add(1);
                return Ok(false);
            }
            self.record_line = self.line;
        }
        match self.state {
            State::RecordStart | State::CellStart => match byte {
                byte if byte == self.delimiter => self.start_cell(State::CellStart),
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
                byte if byte == self.delimiter => self.start_cell(State::CellStart),
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
                byte if byte == self.delimiter => self.start_cell(State::CellStart),
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
