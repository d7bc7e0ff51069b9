//! Takes a text apart into records and cells, and knows the physical line on which each record starts.
//!
//! A line whose quotes stand around whole cells is a record: its end and its cells are found by searching, not by stepping.
//! Such lines are handed on as they stand, many at once, for whoever has the time to take them apart. A line with any other
//! quote goes through a machine of a few states, which also finds the quotes that would swallow the rows after them.

use std::io::{self, Read};

use memchr::{memchr, memchr_iter, memchr2, memrchr2};

use super::cut::{Cut, Trouble};
use crate::sheet::Limits;
use crate::sheet::portion::Portion;
use crate::sheet::row::Row;

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
    /// Whether the last byte was a `\r`, whose `\n` may follow.
    after_return: bool,
    /// The line of the next byte.
    line: u32,
    cut: Cut,
    cell_lines_max: u32,
    /// Whether quotes stand around whole rows, which are to be taken out of them one by one.
    has_wrapped_rows: bool,
    quoted: Quoted,
    trouble: Option<Trouble>,
}

/// What a text has next.
enum Next {
    /// Whole lines, whose quotes stand around whole cells, in the buffer.
    Lines {
        start: usize,
        end: usize,
        /// The number of the first.
        line: u32,
    },
    /// A record with another quote somewhere on its first line.
    Quoted,
    /// Nothing but white space.
    End,
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
    /// Reads so many bytes at once; `line` is the number of the first line that `inner` gives.
    pub(super) fn new(inner: R, buffer_bytes: usize, delimiter: u8, line: u32, limits: &Limits) -> Self {
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
            buffer: vec![0; buffer_bytes.max(1)],
            next: 0,
            filled: 0,
            ended: false,
            after_return: false,
            line,
            cut: Cut::new(delimiter, limits),
            cell_lines_max: limits.cell_lines_max,
            has_wrapped_rows: false,
            quoted,
            trouble: None,
        }
    }

    /// The same of a text whose rows stand in quotes as a whole.
    pub(super) fn of_wrapped_rows(self) -> Self {
        Self { has_wrapped_rows: true, ..self }
    }

    /// Why reading failed, where it was not the file's fault.
    pub(super) const fn trouble(&self) -> Option<&Trouble> {
        self.trouble.as_ref()
    }

    /// Reads on until the portion is full or the text ends; whether there is more to come. `row` is where records with
    /// quotes are taken apart, and `shape` has its say on each.
    pub(super) fn fill(&mut self, portion: &mut Portion, row: &mut Row, shape: impl Fn(&mut Row)) -> io::Result<bool> {
        while !portion.is_full() {
            match self.next()? {
                Next::Lines { start, end, line } => portion.push_lines(&self.buffer[start..end], line),
                Next::Quoted => {
                    self.read_quoted(row)?;
                    shape(row);
                    portion.push_row(row);
                }
                Next::End => return Ok(false),
            }
        }
        Ok(true)
    }

    /// As many lines as are at hand whose quotes stand around whole cells, or what else comes next.
    fn next(&mut self) -> io::Result<Next> {
        loop {
            if self.after_return && self.next < self.filled {
                self.after_return = false;
                self.next += usize::from(self.buffer[self.next] == b'\n');
            }
            let rest = &self.buffer[self.next..self.filled];
            let (lines, is_quoted) = self.simple_lines(rest);
            if let Some(last) = lines.last() {
                let (start, end, line) = (self.next, self.next + lines.len(), self.line);
                self.after_return = *last == b'\r';
                self.line = line.saturating_add(count_ends(lines));
                self.next = end;
                return Ok(Next::Lines { start, end, line });
            }
            if is_quoted {
                return Ok(Next::Quoted);
            }
            if self.ended {
                let (start, end, line) = (self.next, self.filled, self.line);
                let is_blank = rest.iter().all(|byte| self.cut.is_space(*byte));
                self.next = end;
                return Ok(if is_blank { Next::End } else { Next::Lines { start, end, line } });
            }
            if rest.len() > self.cut.record_bytes_max() {
                return Err(self.refuse(Trouble::LongRecord(self.line)));
            }
            self.read_more()?;
        }
    }

    /// The whole lines at the beginning of a text whose quotes stand around whole cells, and whether a record with another
    /// quote follows them.
    fn simple_lines<'t>(&self, text: &'t [u8]) -> (&'t [u8], bool) {
        let mut simple = 0;
        loop {
            let quote = memchr(b'"', &text[simple..]).map(|at| simple + at);
            let plain = &text[simple..quote.unwrap_or(text.len())];
            simple += memrchr2(b'\n', b'\r', plain).map_or(0, |last| last + 1);
            let Some(quote) = quote else { return (&text[..simple], false) };
            let Some(end) = memchr2(b'\n', b'\r', &text[quote..]).map(|at| quote + at) else {
                // More of the line may follow, unless it is longer than any.
                let is_long = text.len() - simple > self.cut.record_bytes_max();
                return (&text[..simple], self.ended || is_long);
            };
            if !self.is_simple(&text[simple..end], quote - simple) {
                return (&text[..simple], true);
            }
            simple = end + if text[end..].starts_with(b"\r\n") { 2 } else { 1 };
        }
    }

    /// Whether the quotes of a line, of which this is the first, stand around whole cells.
    fn is_simple(&self, line: &[u8], mut quote: usize) -> bool {
        let is_edge = |beside: Option<&u8>| beside.is_none_or(|byte| *byte == self.cut.delimiter);
        loop {
            let before = quote.checked_sub(1).and_then(|before| line.get(before));
            let Some(closed) = memchr(b'"', &line[quote + 1..]).map(|at| quote + 1 + at) else { return false };
            if self.has_wrapped_rows || !is_edge(before) || !is_edge(line.get(closed + 1)) {
                return false;
            }
            let Some(next) = memchr(b'"', &line[closed + 1..]) else { return true };
            quote = closed + 1 + next;
        }
    }

    /// A record with a quote somewhere on its first line.
    fn read_quoted(&mut self, row: &mut Row) -> io::Result<()> {
        self.quoted.state = State::CellStart;
        self.quoted.record_line = self.line;
        self.quoted.cell_bytes = 0;
        self.quoted.text.clear();
        self.quoted.ends.clear();
        let mut is_open = false;
        loop {
            if self.next == self.filled {
                if !self.ended {
                    self.read_more()?;
                    continue;
                }
                if self.quoted.state == State::InQuotes && !self.cut_off() {
                    return Err(self.refuse_quote("is never closed".to_owned()));
                }
                is_open = matches!(self.quoted.state, State::CellStart | State::InCell);
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
            if self.quoted.text.len() > self.cut.record_bytes_max() {
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
        if is_open {
            row.mark_open();
        }
        Ok(())
    }

    /// Whether the text ends within a cell on its last line. What is there of that cell is no value: without it the row is
    /// shorter than the header, which holds its order. Where nothing else stands in the row it is kept, so that the row is seen.
    fn cut_off(&mut self) -> bool {
        let Quoted { text, ends, .. } = &mut self.quoted;
        let start = ends.last().copied().unwrap_or_default();
        let (before, cell) = text.split_at(start);
        if cell.len() > self.cut.cell_bytes_max || cell.trim_ascii_end().contains(&b'\n') {
            return false;
        }
        if !before.trim_ascii().is_empty() {
            text.truncate(start);
            ends.pop();
        }
        true
    }

    /// Moves on by one byte and says whether the record ends with it.
    fn step(&mut self, byte: u8) -> io::Result<bool> {
        match self.quoted.state {
            State::CellStart => match byte {
                byte if byte == self.cut.delimiter => self.end_cell()?,
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
                byte if byte == self.cut.delimiter => self.end_cell()?,
                b'\n' => return Ok(true),
                _ => {
                    self.quoted.cell_bytes += 1;
                    if self.quoted.cell_bytes > self.cut.cell_bytes_max {
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
                byte if byte == self.cut.delimiter => self.end_cell()?,
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
                if self.quoted.cell_bytes > self.cut.cell_bytes_max {
                    return Err(self.refuse_quote(format!("is not closed within {} bytes", self.cut.cell_bytes_max)));
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
        if self.quoted.ends.len() <= self.cut.columns_max {
            return Ok(());
        }
        Err(self.refuse(Trouble::LongRecord(self.quoted.record_line)))
    }

    /// Reads more behind what is not used yet.
    fn read_more(&mut self) -> io::Result<()> {
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

    fn refuse(&mut self, trouble: Trouble) -> io::Error {
        self.trouble = Some(trouble);
        io::Error::other("the text cannot be taken apart")
    }

    fn refuse_quote(&mut self, ends: String) -> io::Error {
        self.refuse(Trouble::Quote { line: self.quoted.quote_line, ends })
    }
}

/// How many lines end in a text. A `\r` and the `\n` behind it are one end.
fn count_ends(lines: &[u8]) -> u32 {
    let returns = memchr_iter(b'\r', lines).filter(|at| lines.get(at + 1) != Some(&b'\n')).count();
    u32::try_from(memchr_iter(b'\n', lines).count() + returns).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use super::*;

    const BUFFER_BYTES: usize = 5;
    /// So that whole lines are at hand.
    const LONG_BUFFER_BYTES: usize = 64;

    type Records = Vec<(u32, Vec<String>)>;

    /// Filled records with their lines; `None` where a quote is refused.
    fn records(text: &[u8], by_machine: bool) -> Option<Records> {
        records_by(text, by_machine, BUFFER_BYTES)
    }

    fn records_by(text: &[u8], by_machine: bool, buffer_bytes: usize) -> Option<Records> {
        let mut lines = Lines::new(text, buffer_bytes, b',', 1, &Limits::default());
        let (mut row, mut records) = (Row::default(), Vec::new());
        let mut keep = |row: &Row| {
            if !(row.is_empty() || row.is_blank() && row.len() == 1) {
                records.push((row.number(), row.cells().map(|cell| cell.text.to_owned()).collect()));
            }
        };
        if by_machine {
            loop {
                lines.read_more().unwrap();
                if lines.next == lines.filled {
                    return Some(records);
                }
                lines.read_quoted(&mut row).ok()?;
                keep(&row);
            }
        }
        loop {
            let mut portion = Portion::of(1);
            let more = lines.fill(&mut portion, &mut row, |_| {}).ok()?;
            let cut = lines.cut;
            for stretch in portion.stretches() {
                let kept = cut.rows(&stretch, &mut row, &mut |row| {
                    keep(row);
                    ControlFlow::Continue(())
                });
                assert_eq!(kept, Ok(ControlFlow::Continue(())));
            }
            if !more {
                return Some(records);
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
            let found = records(&text, false);
            let shown = String::from_utf8_lossy(&text);
            assert_eq!(records_by(&text, false, LONG_BUFFER_BYTES), found, "{shown:?}");
            let Some(found) = found else {
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
            if cells != wanted {
                // A cell in which the text ends is none; with its quote closed it is the crate's.
                let mut cut = wanted.clone();
                drop(cut.last_mut().and_then(Vec::pop));
                assert_eq!(cells, cut, "{shown:?}");
                let closed = records(&[&text, b"\"".as_slice()].concat(), false).unwrap_or_default();
                assert!(closed.into_iter().map(|(_, cells)| cells).eq(wanted), "{shown:?}");
            }
            assert!(found.is_sorted_by(|a, b| a.0 < b.0), "{shown:?}");
        }
        assert!((500..8_000).contains(&refused), "{refused}");
    }

    /// Searching and stepping must find the same cells on the same lines.
    #[test]
    fn both_ways_agree() {
        let plain = texts(*b"a, \t\n\r", 5);
        // The first line is whole, and in quotes or not.
        let quoted = texts(*b"a,\"\n", 6).map(|mut text| {
            text.splice(..0, *b"a,\"b,c\"\n\"");
            text
        });
        for text in plain.chain(quoted) {
            let shown = String::from_utf8_lossy(&text);
            assert_eq!(records_by(&text, false, LONG_BUFFER_BYTES), records(&text, true), "{shown:?}");
        }
    }

    #[test]
    fn a_record_longer_than_the_buffer_is_read_whole() {
        let long = "x".repeat(BUFFER_BYTES * 9);
        let text = format!("a,{long}\nb,{long},c\n");
        let found = records(text.as_bytes(), false).unwrap();
        let lengths: Vec<Vec<usize>> = found.iter().map(|(_, cells)| cells.iter().map(String::len).collect()).collect();
        assert_eq!(lengths, [vec![1, BUFFER_BYTES * 9], vec![1, BUFFER_BYTES * 9, 1]]);
    }
}
