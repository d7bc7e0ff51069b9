//! Takes a text apart into records and cells, and knows the physical line on which each record starts.
//!
//! A line without quotes is a record: its end and its cells are found by searching, not by stepping. A line with a quote
//! goes through a machine of a few states, which also finds the quotes that would swallow the rows after them.

use std::io::{self, Read};

use memchr::{memchr_iter, memchr3};

use crate::sheet::Limits;
use crate::sheet::row::Row;

/// How many cells of the greatest length a record may have; it is held as a whole.
const RECORD_CELLS: usize = 16;

/// Bytes that are read at once.
const BUFFER_BYTES: usize = 128 * 1024;

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
    CellStart,
    InCell,
    InQuotes,
    QuoteInQuotes,
    AfterQuotes,
}

/// The records of a text.
pub(super) struct Lines<R> {
    inner: R,
    buffer: Vec<u8>,
    next: usize,
    filled: usize,
    ended: bool,
    delimiter: u8,
    /// Whether the last byte was a `\r`, whose `\n` may follow.
    after_return: bool,
    /// The line of the next byte.
    line: u32,
    columns_max: usize,
    cell_bytes_max: usize,
    cell_lines_max: u32,
    quoted: Quoted,
    trouble: Option<Trouble>,
}

/// A record with quotes, while it is taken apart.
struct Quoted {
    state: State,
    record_line: u32,
    quote_line: u32,
    cell_bytes: usize,
    text: Vec<u8>,
    /// Where each cell ends in the text.
    ends: Vec<usize>,
}

impl<R: Read> Lines<R> {
    /// `line` is the number of the first line that `inner` gives.
    pub(super) fn new(inner: R, delimiter: u8, line: u32, limits: &Limits) -> Self {
        let quoted = Quoted {
            state: State::CellStart,
            record_line: line,
            quote_line: line,
            cell_bytes: 0,
            text: Vec::new(),
            ends: Vec::new(),
        };
        Self {
            inner,
            buffer: vec![0; BUFFER_BYTES],
            next: 0,
            filled: 0,
            ended: false,
            delimiter,
            after_return: false,
            line,
            columns_max: limits.columns_max as usize,
            cell_bytes_max: limits.cell_bytes_max,
            cell_lines_max: limits.cell_lines_max,
            quoted,
            trouble: None,
        }
    }

    /// Why reading failed, where it was not the file's fault.
    pub(super) const fn trouble(&self) -> Option<&Trouble> {
        self.trouble.as_ref()
    }

    /// Reads the next record, or blank line, into the row. `false` where there is none.
    pub(super) fn read(&mut self, row: &mut Row) -> io::Result<bool> {
        let mut searched = 0;
        loop {
            if self.after_return && self.next < self.filled {
                self.after_return = false;
                self.next += usize::from(self.buffer[self.next] == b'\n');
            }
            let rest = &self.buffer[self.next..self.filled];
            let found = rest.get(searched..).and_then(|rest| memchr3(b'\n', b'\r', b'"', rest));
            match found.map(|at| at + searched) {
                Some(at) if rest[at] == b'"' => return self.read_quoted(row),
                Some(at) => {
                    let (start, end) = (self.next, self.next + at);
                    self.after_return = rest[at] == b'\r';
                    self.next = end + 1;
                    self.plain(row, start, end)?;
                    self.line = self.line.saturating_add(1);
                    return Ok(true);
                }
                None if self.ended => {
                    let (start, end) = (self.next, self.filled);
                    self.next = end;
                    let is_blank = self.buffer[start..end].iter().all(|byte| self.is_space(*byte));
                    return if is_blank { Ok(false) } else { self.plain(row, start, end).map(|()| true) };
                }
                None => {
                    searched = rest.len();
                    if searched > self.record_bytes_max() {
                        return Err(self.refuse(Trouble::LongRecord(self.line)));
                    }
                    self.fill()?;
                }
            }
        }
    }

    /// A line without quotes.
    fn plain(&mut self, row: &mut Row, start: usize, end: usize) -> io::Result<()> {
        row.restart(self.line);
        let line = &self.buffer[start..end];
        if line.iter().all(|byte| self.is_space(*byte)) {
            return Ok(());
        }
        if line.len() > self.record_bytes_max() {
            return Err(self.refuse(Trouble::LongRecord(self.line)));
        }
        let text = std::str::from_utf8(line).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))?;
        row.push_raw(text, memchr_iter(self.delimiter, line));
        if row.longest_raw() > self.cell_bytes_max {
            return Err(self.refuse(Trouble::LongCell(self.line)));
        }
        if row.len() > self.columns_max {
            return Err(self.refuse(Trouble::LongRecord(self.line)));
        }
        Ok(())
    }

    /// A record with a quote somewhere on its first line.
    fn read_quoted(&mut self, row: &mut Row) -> io::Result<bool> {
        self.quoted.state = State::CellStart;
        self.quoted.record_line = self.line;
        self.quoted.cell_bytes = 0;
        self.quoted.text.clear();
        self.quoted.ends.clear();
        loop {
            if self.next == self.filled {
                if !self.ended {
                    self.fill()?;
                    continue;
                }
                if self.quoted.state == State::InQuotes {
                    return Err(self.refuse_quote("is never closed".to_owned()));
                }
                break;
            }
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
            if self.quoted.text.len() > self.record_bytes_max() {
                return Err(self.refuse(Trouble::LongRecord(self.quoted.record_line)));
            }
            if self.step(byte)? {
                break;
            }
        }
        self.line = self.line.saturating_add(1);
        self.end_cell()?;
        let text = std::str::from_utf8(&self.quoted.text);
        let text = text.map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))?;
        row.restart(self.quoted.record_line);
        let mut start = 0;
        for end in &self.quoted.ends {
            row.push_text(&text[start..*end]);
            start = *end;
        }
        Ok(true)
    }

    /// Moves on by one byte and says whether the record ends with it.
    fn step(&mut self, byte: u8) -> io::Result<bool> {
        match self.quoted.state {
            State::CellStart => match byte {
                byte if byte == self.delimiter => self.end_cell()?,
                // Cells are trimmed anyway, and a quote after a space still quotes.
                b' ' | b'\t' => {}
                b'\n' => return Ok(true),
                b'"' => {
                    self.quoted.quote_line = self.line;
                    self.quoted.state = State::InQuotes;
                }
                _ => {
                    self.quoted.state = State::InCell;
                    self.quoted.text.push(byte);
                }
            },
            State::InCell => match byte {
                byte if byte == self.delimiter => self.end_cell()?,
                b'\n' => return Ok(true),
                _ => {
                    self.quoted.cell_bytes += 1;
                    if self.quoted.cell_bytes > self.cell_bytes_max {
                        return Err(self.refuse(Trouble::LongCell(self.quoted.record_line)));
                    }
                    self.quoted.text.push(byte);
                }
            },
            State::InQuotes => self.step_in_quotes(byte)?,
            State::QuoteInQuotes | State::AfterQuotes => match byte {
                b'"' if self.quoted.state == State::QuoteInQuotes => {
                    self.quoted.state = State::InQuotes;
                    self.quoted.text.push(byte);
                }
                byte if byte == self.delimiter => self.end_cell()?,
                b'\n' => return Ok(true),
                b' ' | b'\t' => {
                    self.quoted.state = State::AfterQuotes;
                    self.quoted.text.push(byte);
                }
                _ if self.line > self.quoted.quote_line => {
                    return Err(self.refuse_quote(format!("meets its next quote amid text on line {}", self.line)));
                }
                _ => {
                    self.quoted.state = State::InCell;
                    self.quoted.text.push(byte);
                }
            },
        }
        Ok(false)
    }

    fn step_in_quotes(&mut self, byte: u8) -> io::Result<()> {
        match byte {
            b'"' => {
                self.quoted.state = State::QuoteInQuotes;
                return Ok(());
            }
            b'\n' => {
                self.line = self.line.saturating_add(1);
                if self.line - self.quoted.quote_line > self.cell_lines_max {
                    return Err(self.refuse_quote(format!("is not closed within {} lines", self.cell_lines_max)));
                }
            }
            _ => {
                self.quoted.cell_bytes += 1;
                if self.quoted.cell_bytes > self.cell_bytes_max {
                    return Err(self.refuse_quote(format!("is not closed within {} bytes", self.cell_bytes_max)));
                }
            }
        }
        self.quoted.text.push(byte);
        Ok(())
    }

    fn end_cell(&mut self) -> io::Result<()> {
        self.quoted.ends.push(self.quoted.text.len());
        self.quoted.state = State::CellStart;
        self.quoted.cell_bytes = 0;
        if self.quoted.ends.len() <= self.columns_max {
            return Ok(());
        }
        Err(self.refuse(Trouble::LongRecord(self.quoted.record_line)))
    }

    /// Reads more behind what is not used yet.
    fn fill(&mut self) -> io::Result<()> {
        self.buffer.copy_within(self.next..self.filled, 0);
        self.filled -= self.next;
        self.next = 0;
        if self.filled == self.buffer.len() {
            self.buffer.resize(self.buffer.len() * 2, 0);
        }
        let count = self.inner.read(&mut self.buffer[self.filled..])?;
        self.filled += count;
        self.ended = count == 0;
        Ok(())
    }

    const fn record_bytes_max(&self) -> usize {
        self.cell_bytes_max * RECORD_CELLS
    }

    const fn is_space(&self, byte: u8) -> bool {
        matches!(byte, b' ' | b'\t') && byte != self.delimiter
    }

    fn refuse(&mut self, trouble: Trouble) -> io::Error {
        self.trouble = Some(trouble);
        io::Error::other("the text cannot be taken apart")
    }

    fn refuse_quote(&mut self, ends: String) -> io::Error {
        self.refuse(Trouble::Quote { line: self.quoted.quote_line, ends })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Records = Vec<(u32, Vec<String>)>;

    /// Filled records with their lines; `None` where a quote is refused.
    fn records(text: &[u8], by_machine: bool) -> Option<Records> {
        let mut lines = Lines::new(text, b',', 1, &Limits::default());
        let (mut row, mut records) = (Row::default(), Vec::new());
        loop {
            let more = if by_machine {
                lines.fill().unwrap();
                let at_end = lines.next == lines.filled;
                lines.read_quoted(&mut row).map(|_| !at_end)
            } else {
                lines.read(&mut row)
            };
            match more {
                Ok(true) if row.is_empty() || row.is_blank() && row.len() == 1 => {}
                Ok(true) => records.push((row.number(), row.cells().map(|cell| cell.text.to_owned()).collect())),
                Ok(false) => return Some(records),
                Err(_) => return None,
            }
        }
    }

    fn texts<const N: usize>(alphabet: [u8; N], length: u32) -> impl Iterator<Item = Vec<u8>> {
        (0..N.pow(length)).map(move |number| (0..length).map(|place| alphabet[number / N.pow(place) % N]).collect())
    }

    /// Every text of six characters: the cells must be those that the csv crate finds.
    #[test]
    fn cells_are_those_of_the_csv_crate() {
        let mut refused = 0;
        for text in texts(*b"a,\"\n\r", 6) {
            let Some(found) = records(&text, false) else {
                refused += 1;
                continue;
            };
            let mut reader = csv::ReaderBuilder::new().flexible(true).has_headers(false).from_reader(text.as_slice());
            let wanted: Vec<Vec<String>> = reader
                .byte_records()
                .map(|record| {
                    let cell = |cell: &[u8]| String::from_utf8_lossy(cell).replace("\r\n", "\n").replace('\r', "\n");
                    record.unwrap().iter().map(|bytes| cell(bytes).trim().to_owned()).collect()
                })
                .filter(|cells: &Vec<String>| cells.len() > 1 || !cells[0].is_empty())
                .collect();
            let cells: Vec<Vec<String>> = found.iter().map(|(_, cells)| cells.clone()).collect();
            assert_eq!(cells, wanted, "{:?}", String::from_utf8_lossy(&text));
            assert!(found.is_sorted_by(|a, b| a.0 < b.0), "{:?}", String::from_utf8_lossy(&text));
        }
        assert!((500..8_000).contains(&refused), "{refused}");
    }

    /// Searching and stepping must find the same cells on the same lines.
    #[test]
    fn both_ways_agree() {
        for text in texts(*b"a, \t\n\r", 5) {
            assert_eq!(records(&text, false), records(&text, true), "{:?}", String::from_utf8_lossy(&text));
        }
    }

    #[test]
    fn a_record_longer_than_the_buffer_is_read_whole() {
        let long = "x".repeat(BUFFER_BYTES);
        let text = format!("a,{long}\nb,{long},c\n");
        let found = records(text.as_bytes(), false).unwrap();
        let lengths: Vec<Vec<usize>> = found.iter().map(|(_, cells)| cells.iter().map(String::len).collect()).collect();
        assert_eq!(lengths, [vec![1, BUFFER_BYTES], vec![1, BUFFER_BYTES, 1]]);
    }
}
