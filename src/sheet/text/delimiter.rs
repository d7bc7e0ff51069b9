//! Which byte stands between the cells: the one that cuts the sample into rows of the same length.

use std::collections::HashMap;
use std::ops::ControlFlow;

use super::cut::Cut;
use super::lines::Lines;
use crate::sheet::Limits;
use crate::sheet::portion::Portion;
use crate::sheet::row::Row;

const CANDIDATES: [u8; 4] = [b',', b';', b'\t', b'|'];

/// The delimiter of a sample; a comma where nothing speaks for another one.
pub(super) fn detect(sample: &[u8]) -> u8 {
    let mut best = (b',', 0.0);
    for candidate in CANDIDATES {
        let score = score(sample, candidate);
        if score > best.1 {
            best = (candidate, score);
        }
    }
    best.0
}

/// The delimiter that an Excel `sep=;` line names.
pub(super) fn named(first_line: &[u8]) -> Option<u8> {
    match first_line.trim_ascii_end() {
        [b'"', inner @ .., b'"'] => named(inner),
        [s, e, p, b'=', delimiter] if [s, e, p].map(u8::to_ascii_lowercase) == *b"sep" => Some(*delimiter),
        // The trailing tab of `sep=<tab>` was trimmed as white space.
        [s, e, p, b'='] if [s, e, p].map(u8::to_ascii_lowercase) == *b"sep" && first_line.contains(&b'\t') => {
            Some(b'\t')
        }
        _ => None,
    }
}

/// What the delimiter is called in front of people.
pub(super) const fn name(delimiter: u8) -> &'static str {
    match delimiter {
        b',' => "comma",
        b';' => "semicolon",
        b'\t' => "tab",
        b'|' => "pipe",
        _ => "own delimiter",
    }
}

/// The share of rows with the commonest number of cells, weighed by that number; zero for a single column.
fn score(sample: &[u8], delimiter: u8) -> f64 {
    const ROWS: usize = 200;
    let mut lengths = Vec::new();
    each_row(sample, delimiter, &mut |row| {
        if !row.is_blank() {
            lengths.push(row.len());
        }
        if lengths.len() < ROWS { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    let mut counts: HashMap<usize, u32> = HashMap::new();
    for length in &lengths {
        *counts.entry(*length).or_default() += 1;
    }
    let Some((length, count)) = counts.into_iter().max_by_key(|(length, count)| (*count, *length)) else { return 0.0 };
    if length < 2 {
        // Only the header may be cut, as where every row stands in quotes as a whole.
        return lengths.first().map_or(0.0, |first| if *first > 1 { 0.1 } else { 0.0 });
    }
    let rows = u32::try_from(lengths.len()).unwrap_or(u32::MAX);
    let share = f64::from(count) / f64::from(rows);
    let header_agrees = if lengths.first() == Some(&length) { 1.5 } else { 1.0 };
    share * header_agrees * f64::from(u32::try_from(length).unwrap_or(u32::MAX)).sqrt()
}

/// Hands the rows of a sample to `each`, up to where it cannot be read: there the sample was cut, or the reading itself
/// will say what is wrong.
pub(super) fn each_row(sample: &[u8], delimiter: u8, each: &mut dyn FnMut(&Row) -> ControlFlow<()>) {
    let limits = Limits::default();
    let (mut portion, mut row) = (Portion::of(sample.len()), Row::default());
    let _ = Lines::new(sample, sample.len(), delimiter, 1, &limits).fill(&mut portion, &mut row, |_| {});
    let cut = Cut::new(delimiter, &limits);
    for stretch in portion.stretches() {
        let read = cut.rows(&stretch, &mut row, &mut |row| each(row));
        if !matches!(read, Ok(ControlFlow::Continue(()))) {
            break;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delimiters_of_small_samples() {
        let cases: [(&str, u8); 12] = [
            ("a,b,c\n1,2,3\n", b','),
            ("a;b\n1,5;2,5\n3,5;4,5\n", b';'),
            ("a;b;c\n\"x,y\";2;3\n", b';'),
            ("a\tb\n1,2\t3\n", b'\t'),
            ("a|b|c\n1|2|3\n", b'|'),
            ("only\none\n", b','),
            ("Order;Address;City\n1;12, Main St, Flat 3;Pune\n2;4, Hill Rd, Flat 9;Goa\n", b';'),
            ("a,b\n\"x\ny;z;w\",2\n", b','),
            ("a,b,c\n", b','),
            ("", b','),
            ("Report of Monday\n\na,b,c\n1,2,3\n4,5,6\n", b','),
            ("a,b\r1,2\r", b','),
        ];
        for (sample, expected) in cases {
            assert_eq!(char::from(detect(sample.as_bytes())), char::from(expected), "{sample:?}");
        }
    }

    #[test]
    fn sep_lines() {
        assert_eq!(named(b"sep=;\r"), Some(b';'));
        assert_eq!(named(b"SEP=,"), Some(b','));
        assert_eq!(named(b"sep=\t"), Some(b'\t'));
        assert_eq!(named(b"\"sep=|\""), Some(b'|'));
        assert_eq!(named(b"separator,b"), None);
    }
}
