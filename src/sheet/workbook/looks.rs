//! What the records of an `.xls` say beside the values of its cells: number formats, hidden rows, merged cells.

use std::collections::{BTreeMap, HashMap};

use super::container::{u16_at, u32_at};
use super::numbers::NumberStyle;
use super::shape::{Area, Shape};

/// The look of one worksheet.
#[derive(Debug, Default)]
pub(super) struct Look {
    pub(super) shape: Shape,
    /// The formats of cells by row and column, counted from 0, where they are not plain.
    formats: HashMap<(u32, u32), NumberStyle>,
    hidden: Vec<u32>,
    filled: Vec<u32>,
    /// The colours of the filled cells of each row, where any cell has one.
    colours: BTreeMap<u32, Vec<u16>>,
}

impl Look {
    /// The look of a worksheet of which nothing could be read.
    pub(super) fn unknown() -> Self {
        let mut look = Self::default();
        look.shape.formats_unknown = true;
        look
    }

    /// The format of a cell.
    pub(super) fn format(&self, row: u32, column: u32) -> &NumberStyle {
        self.formats.get(&(row, column)).unwrap_or(&NumberStyle::Plain)
    }

    pub(super) fn take_format(&mut self, row: u32, column: u32, style: &NumberStyle) {
        self.fill(row);
        if *style != NumberStyle::Plain {
            self.formats.insert((row, column), style.clone());
        }
    }

    /// A row with this number, counted from 0, holds something.
    pub(super) fn fill(&mut self, row: u32) {
        if self.filled.last() != Some(&row) {
            self.filled.push(row);
        }
    }

    /// A filled cell of a row has this colour, or none.
    fn paint(&mut self, row: u32, colour: u16) {
        self.colours.entry(row).or_default().push(colour);
    }

    /// A row with this number, counted from 0, is hidden.
    pub(super) fn hide(&mut self, row: u32) {
        self.hidden.push(row);
    }

    /// What is known when all records were seen: rows may be told of after their cells.
    pub(super) fn done(mut self) -> Self {
        self.hidden.sort_unstable();
        self.filled.sort_unstable();
        for row in std::mem::take(&mut self.hidden) {
            if self.filled.binary_search(&row).is_ok() {
                self.shape.hide(row.saturating_add(1), row.saturating_add(1));
            }
        }
        self.filled = Vec::new();
        for (row, mut colours) in std::mem::take(&mut self.colours) {
            self.shape.colour_by_cells(row.saturating_add(1), &mut colours);
        }
        self
    }
}

/// Where the sheets of an `.xls` begin.
pub(super) fn starts_in_xls(stream: &[u8]) -> Option<Vec<usize>> {
    let globals = (Records { rest: stream }).take_while(|(kind, _)| *kind != 0x000a);
    globals.filter(|(kind, _)| *kind == 0x0085).map(|(_, record)| Some(u32_at(record, 0)? as usize)).collect()
}

/// The looks of all sheets of an `.xls`, in their order; nothing where its records break the rules.
pub(super) fn of_xls(stream: &[u8]) -> Option<Vec<Look>> {
    let mut styles = Styles::default();
    let mut sheets = Vec::new();
    let mut is_new = true;
    for (kind, record) in (Records { rest: stream }) {
        match kind {
            0x0809 => is_new = u16_at(record, 0)? >= 0x0600,
            0x041e => styles.add_format(record, is_new),
            0x00e0 => {
                styles.numbers.push(u16_at(record, 2)?);
                styles.colours.push(if is_new { colour_of(record) } else { 0 });
            }
            0x0085 => sheets.push(u32_at(record, 0)? as usize),
            0x000a => break,
            _ => {}
        }
    }
    let colours = Some(std::mem::take(&mut styles.colours)).filter(|all| all.iter().any(|colour| *colour > 0));
    let (styles, colours) = (styles.by_number(), colours.unwrap_or_default());
    sheets.into_iter().map(|start| worksheet(stream.get(start..)?, &styles, &colours)).collect()
}

/// The colour that a style fills its cells with, by its number in the palette; 0 where nobody sees one.
fn colour_of(record: &[u8]) -> u16 {
    /// White, and what the system has for windows.
    const UNSEEN: [u16; 4] = [1, 9, 64, 65];
    const SOLID: u16 = 1;
    let pattern = u16_at(record, 16).map_or(0, |bits| bits >> 10);
    let colour = u16_at(record, 18).map_or(0, |bits| bits & 0x7f);
    if pattern < SOLID || UNSEEN.contains(&colour) { 0 } else { colour }
}

fn worksheet(stream: &[u8], styles: &[NumberStyle], colours: &[u16]) -> Option<Look> {
    let mut look = Look::default();
    let mut depth = 0;
    for (kind, record) in (Records { rest: stream }) {
        let cell = || Some((u32::from(u16_at(record, 0)?), u32::from(u16_at(record, 2)?)));
        let style = |at: usize| Some(styles.get(usize::from(u16_at(record, at)?)).unwrap_or(&NumberStyle::Plain));
        // Numbers, formulas and texts; each of several short numbers has its own.
        if depth == 1 && !colours.is_empty() && matches!(kind, 0x0203 | 0x027e | 0x0006 | 0x00fd | 0x0204 | 0x00d6) {
            look.paint(cell()?.0, colours.get(usize::from(u16_at(record, 4)?)).copied().unwrap_or_default());
        }
        match kind {
            0x0809 => depth += 1,
            // Charts stand within the worksheet.
            0x000a => {
                depth -= 1;
                if depth == 0 {
                    break;
                }
            }
            _ if depth != 1 => {}
            // A number, a short number, a formula.
            0x0203 | 0x027e | 0x0006 => {
                let (row, column) = cell()?;
                look.take_format(row, column, style(4)?);
            }
            // Several short numbers.
            0x00bd => {
                let (row, first) = cell()?;
                let count = record.len().saturating_sub(6) / 6;
                for (index, column) in (0..count).zip(first..) {
                    look.take_format(row, column, style(4 + 6 * index)?);
                }
            }
            // Texts.
            0x00fd | 0x0204 | 0x00d6 => look.fill(cell()?.0),
            0x0208 if record.get(12)? & 0x20 != 0 => look.hide(u32::from(u16_at(record, 0)?)),
            0x00e5 => {
                for area in record.get(2..)?.chunks_exact(8) {
                    let number = |at: usize| u16_at(area, at).map(u32::from);
                    let rows = (number(0)?.saturating_add(1), number(2)?.saturating_add(1));
                    if !look.shape.merge(Area { rows, columns: (number(4)?, number(6)?) }) {
                        return None;
                    }
                }
            }
            _ => {}
        }
    }
    Some(look.done())
}

/// Number formats and what refers to them.
#[derive(Debug, Default)]
pub(super) struct Styles {
    pub(super) formats: HashMap<u16, NumberStyle>,
    /// The number of the format of each style.
    pub(super) numbers: Vec<u16>,
    /// The colour of each style.
    colours: Vec<u16>,
}

impl Styles {
    /// The format of each style.
    pub(super) fn by_number(&self) -> Vec<NumberStyle> {
        let own = |number: &u16| self.formats.get(number).cloned();
        self.numbers.iter().map(|number| own(number).unwrap_or_else(|| NumberStyle::built_in(*number))).collect()
    }

    /// A format that cannot be read is as if it were not there.
    fn add_format(&mut self, record: &[u8], is_new: bool) {
        let Some(number) = u16_at(record, 0) else { return };
        let code = match (is_new, record) {
            (false, [_, _, length, text @ ..]) => text.get(..usize::from(*length)).map(latin),
            (true, [_, _, low, high, flags, text @ ..]) => {
                let length = usize::from(u16::from_le_bytes([*low, *high]));
                if flags & 1 == 0 { text.get(..length).map(latin) } else { text.get(..2 * length).map(utf_16) }
            }
            _ => None,
        };
        if let Some(code) = code {
            self.formats.insert(number, NumberStyle::of(&code));
        }
    }
}

fn latin(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| char::from(*byte)).collect()
}

/// Text of two bytes for each character.
pub(super) fn utf_16(bytes: &[u8]) -> String {
    let units: Vec<u16> = bytes.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect();
    String::from_utf16_lossy(&units)
}

/// Records, each with its kind.
struct Records<'s> {
    rest: &'s [u8],
}

impl<'s> Iterator for Records<'s> {
    type Item = (u16, &'s [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        let kind = u16_at(self.rest, 0)?;
        let length = usize::from(u16_at(self.rest, 2)?);
        let record = self.rest.get(4..4 + length)?;
        self.rest = &self.rest[4 + length..];
        Some((kind, record))
    }
}
