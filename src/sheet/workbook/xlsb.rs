//! What the parts of an `.xlsb` say beside the values of its cells: number formats, hidden rows, merged cells.

use std::collections::HashMap;
use std::io::{Read, Seek};

use zip::ZipArchive;

use super::container::{u16_at, u32_at};
use super::looks::{Look, Styles, utf_16};
use super::numbers::NumberStyle;
use super::relations;
use super::shape::Area;

/// Bytes of one part; it is held as a whole.
const PART_BYTES_MAX: u64 = 256 << 20;

/// The sheets with their parts, in small letters; nothing where a part breaks its rules.
pub(super) fn worksheets(file: impl Read + Seek) -> Option<Vec<(String, String)>> {
    let mut archive = ZipArchive::new(file).ok()?;
    let relations = String::from_utf8(part(&mut archive, "xl/_rels/workbook.bin.rels")?).ok()?;
    let targets = relations::targets(&relations)?;
    let part_of = |(name, relation): (String, String)| {
        Some((name, relations::folded(&relations::part_name(targets.get(&relation)?))))
    };
    sheets(&part(&mut archive, "xl/workbook.bin")?)?.into_iter().map(part_of).collect()
}

/// The looks of all sheets, by their names; nothing where a part breaks its rules.
pub(super) fn looks(file: impl Read + Seek) -> Option<HashMap<String, Look>> {
    let mut archive = ZipArchive::new(file).ok()?;
    let styles = match part(&mut archive, "xl/styles.bin") {
        Some(bytes) => styles(&bytes)?.by_number(),
        None => Vec::new(),
    };
    let relations = String::from_utf8(part(&mut archive, "xl/_rels/workbook.bin.rels")?).ok()?;
    let targets = relations::targets(&relations)?;
    let mut looks = HashMap::new();
    for (name, relation) in sheets(&part(&mut archive, "xl/workbook.bin")?)? {
        let Some(target) = targets.get(&relation) else { continue };
        let bytes = part(&mut archive, &relations::part_name(target))?;
        looks.insert(name, worksheet(&bytes, &styles)?);
    }
    Some(looks)
}

fn part<R: Read + Seek>(archive: &mut ZipArchive<R>, name: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    archive.by_name(name).ok()?.take(PART_BYTES_MAX).read_to_end(&mut bytes).ok()?;
    // What is cut would pass for plain.
    ((bytes.len() as u64) < PART_BYTES_MAX).then_some(bytes)
}

fn styles(bytes: &[u8]) -> Option<Styles> {
    let mut styles = Styles::default();
    let mut in_cell_styles = false;
    for (kind, record) in (Records { rest: bytes }) {
        match kind {
            44 => {
                let (code, _) = text(record.get(2..)?)?;
                styles.formats.insert(u16_at(record, 0)?, NumberStyle::of(&code));
            }
            617 => in_cell_styles = true,
            618 => in_cell_styles = false,
            47 if in_cell_styles => styles.numbers.push(u16_at(record, 2)?),
            _ => {}
        }
    }
    Some(styles)
}

/// The sheets with the names of their relations.
fn sheets(bytes: &[u8]) -> Option<Vec<(String, String)>> {
    let mut sheets = Vec::new();
    for (_, record) in (Records { rest: bytes }).filter(|(kind, _)| *kind == 156) {
        let (relation, rest) = text(record.get(8..)?)?;
        sheets.push((text(rest)?.0, relation));
    }
    Some(sheets)
}

fn worksheet(bytes: &[u8], styles: &[NumberStyle]) -> Option<Look> {
    let mut look = Look::default();
    let mut row = 0;
    for (kind, record) in (Records { rest: bytes }) {
        match kind {
            0 => {
                row = u32_at(record, 0)?;
                if record.get(11)? & 0x10 != 0 {
                    look.hide(row);
                }
            }
            // A short number, a number, a formula's number.
            2 | 5 | 9 => {
                let style = (u32_at(record, 4)? & 0x00ff_ffff) as usize;
                look.take_format(row, u32_at(record, 0)?, styles.get(style).unwrap_or(&NumberStyle::Plain));
            }
            // Errors, flags and texts.
            3 | 4 | 6..=8 | 10 | 11 => look.fill(row),
            176 => {
                let number = |at: usize| u32_at(record, at);
                let rows = (number(0)?.saturating_add(1), number(4)?.saturating_add(1));
                if !look.shape.merge(Area { rows, columns: (number(8)?, number(12)?) }) {
                    return None;
                }
            }
            _ => {}
        }
    }
    Some(look.done())
}

/// A text with its length before it, and what comes after it.
fn text(bytes: &[u8]) -> Option<(String, &[u8])> {
    let length = match u32_at(bytes, 0)? {
        // There is none.
        u32::MAX => 0,
        length => (length as usize).checked_mul(2)?,
    };
    let end = length.checked_add(4)?;
    Some((utf_16(bytes.get(4..end)?), &bytes[end..]))
}

/// Records, each with its kind.
struct Records<'s> {
    rest: &'s [u8],
}

impl Records<'_> {
    /// A number of up to so many bytes of seven bits.
    fn number(&mut self, bytes_max: usize) -> Option<usize> {
        let mut number = 0;
        for index in 0..bytes_max {
            let (byte, rest) = self.rest.split_first()?;
            self.rest = rest;
            number |= usize::from(byte & 0x7f) << (7 * index);
            if byte & 0x80 == 0 {
                break;
            }
        }
        Some(number)
    }
}

impl<'s> Iterator for Records<'s> {
    type Item = (usize, &'s [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        let kind = self.number(2)?;
        let length = self.number(4)?;
        let record = self.rest.get(..length)?;
        self.rest = &self.rest[length..];
        Some((kind, record))
    }
}
