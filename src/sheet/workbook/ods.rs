//! `.ods` as a stream: each cell with its value and what is shown of it, in any indentation.

use std::collections::{HashMap, HashSet};
use std::io::{BufRead, BufReader, Read, Seek, Write};

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use zip::ZipArchive;

use super::dates;
use super::numbers::{self, NumberStyle};
use super::shape::{Area, Shape};
use super::spool;
use super::worksheets;
use crate::sheet::cell::CellKind;

/// A worksheet has no more rows, and no more columns.
const ROWS_MAX: u32 = 1 << 20;
const COLUMNS_MAX: u32 = 1 << 14;

/// Bytes that repeated cells may become; what is not repeated is bounded by the file.
const REPEATED_BYTES_MAX: u64 = 64 << 20;

/// Reads a document and writes the cells of all its worksheets.
pub(super) fn render(file: impl Read + Seek, out: &mut impl Write) -> Result<(), String> {
    let mut archive = ZipArchive::new(file).map_err(|error| error.to_string())?;
    let content = archive.by_name("content.xml").map_err(|_| "it has no content.xml".to_owned())?;
    let mut reader = Reader::from_reader(BufReader::new(content));
    reader.config_mut().expand_empty_elements = true;
    let (event, skipped, colours) = (Vec::new(), Vec::new(), HashMap::new());
    Document { reader, event, skipped, out, repeated_bytes: 0, worksheets: 0, colours }.render()
}

struct Document<'o, R, W> {
    reader: Reader<R>,
    event: Vec<u8>,
    skipped: Vec<u8>,
    out: &'o mut W,
    repeated_bytes: u64,
    worksheets: usize,
    /// The colours of cells by their style, told apart by number.
    colours: HashMap<String, u16>,
}

/// A part of the document that matters here.
enum Part {
    Start(Element),
    End(Tag),
    Text(String),
    Eof,
}

/// What a tag is called. Most are cells and paragraphs, whose names are not worth a copy.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Tag {
    Style,
    TableProperties,
    CellProperties,
    Table,
    Row,
    Cell,
    CoveredCell,
    Paragraph,
    Space,
    Tab,
    LineBreak,
    /// A part of a paragraph.
    Span,
    Other(String),
}

/// A tag with the attributes that are looked at.
struct Element {
    tag: Tag,
    attributes: Vec<(&'static str, String)>,
}

const ATTRIBUTES: [&str; 20] = [
    "fo:background-color",
    "office:value-type",
    "office:value",
    "table:number-columns-repeated",
    "table:number-rows-repeated",
    "table:number-columns-spanned",
    "table:number-rows-spanned",
    "table:formula",
    "table:visibility",
    "table:name",
    "table:style-name",
    "table:display",
    "style:name",
    "office:date-value",
    "office:time-value",
    "office:boolean-value",
    "office:string-value",
    "office:currency",
    "calcext:value-type",
    "text:c",
];

/// A filled cell of a row, and how often it stands there.
struct Filled {
    column: u32,
    times: u32,
    kind: CellKind,
    text: String,
    /// Its colour; 0 where it has none.
    colour: u16,
}

impl Tag {
    fn of(name: &str) -> Self {
        match name {
            "style:style" => Self::Style,
            "style:table-properties" => Self::TableProperties,
            "style:table-cell-properties" => Self::CellProperties,
            "table:table" => Self::Table,
            "table:table-row" => Self::Row,
            "table:table-cell" => Self::Cell,
            "table:covered-table-cell" => Self::CoveredCell,
            "text:p" | "text:h" => Self::Paragraph,
            "text:s" => Self::Space,
            "text:tab" => Self::Tab,
            "text:line-break" => Self::LineBreak,
            name if name.starts_with("text:") && name != "text:note" => Self::Span,
            name => Self::Other(name.to_owned()),
        }
    }

    /// Whether its attributes are looked at.
    const fn is_told_more(&self) -> bool {
        !matches!(self, Self::Paragraph | Self::Tab | Self::LineBreak | Self::Span | Self::Other(_))
    }
}

impl Element {
    fn of(tag: &BytesStart<'_>) -> Result<Self, String> {
        let mut element = Self { tag: Tag::of(tag.name().as_ref()), attributes: Vec::new() };
        if element.tag.is_told_more() {
            for attribute in tag.attributes().with_checks(false) {
                let attribute = attribute.map_err(|error| error.to_string())?;
                let Some(name) = ATTRIBUTES.iter().find(|name| **name == attribute.key.as_ref()) else {
                    continue;
                };
                let value = quick_xml::escape::unescape(&attribute.value).map_err(|error| error.to_string())?;
                element.attributes.push((name, value.into_owned()));
            }
        }
        Ok(element)
    }

    fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(key, _)| *key == name).map(|(_, value)| value.as_str())
    }

    /// A count, 1 where it is not given.
    fn count(&self, name: &str) -> u32 {
        // More than fits is more than is accepted, which is told where it matters.
        self.attribute(name)
            .map_or(1, |text| text.trim().parse::<u64>().map_or(1, |n| u32::try_from(n).unwrap_or(u32::MAX)))
    }
}

impl<R: BufRead, W: Write> Document<'_, R, W> {
    fn render(&mut self) -> Result<(), String> {
        let mut style = String::new();
        let mut hidden = HashSet::new();
        let mut known: Vec<String> = Vec::new();
        loop {
            match self.next()? {
                Part::Start(element) => match &element.tag {
                    Tag::Style => element.attribute("style:name").unwrap_or_default().clone_into(&mut style),
                    Tag::TableProperties if element.attribute("table:display") == Some("false") => {
                        hidden.insert(style.clone());
                    }
                    Tag::CellProperties => {
                        let colour = element.attribute("fo:background-color").unwrap_or_default().to_ascii_lowercase();
                        // Nobody sees white.
                        if !matches!(colour.as_str(), "" | "transparent" | "#ffffff") {
                            let number = known.iter().position(|own| *own == colour).unwrap_or(known.len());
                            if number == known.len() {
                                known.push(colour);
                            }
                            self.colours.insert(style.clone(), u16::try_from(number + 1).unwrap_or(u16::MAX));
                        }
                    }
                    Tag::Table => {
                        let is_hidden = element.attribute("table:style-name").is_some_and(|name| hidden.contains(name));
                        self.worksheet(element.attribute("table:name").unwrap_or_default(), !is_hidden)?;
                    }
                    _ => {}
                },
                Part::End(_) | Part::Text(_) => {}
                Part::Eof => return Ok(()),
            }
        }
    }

    fn worksheet(&mut self, name: &str, visible: bool) -> Result<(), String> {
        self.worksheets += 1;
        worksheets::too_many(self.worksheets)?;
        spool::write_worksheet(self.out, name, visible).map_err(|error| error.to_string())?;
        let mut shape = Shape::default();
        let mut next = 1_u32;
        loop {
            match self.next()? {
                Part::Start(element) => match &element.tag {
                    Tag::Row => {
                        let times = element.count("table:number-rows-repeated");
                        let hidden = matches!(element.attribute("table:visibility"), Some("collapse" | "filter"));
                        self.row(next, times, hidden, &mut shape)?;
                        next = next.saturating_add(times);
                    }
                    Tag::Other(name) if ["table:shapes", "office:forms", "table:table-source"].contains(&&**name) => {
                        self.skip(name)?;
                    }
                    _ => {}
                },
                Part::End(Tag::Table) => break,
                Part::End(_) | Part::Text(_) => {}
                Part::Eof => return Err("it breaks off".to_owned()),
            }
        }
        spool::write_shape(self.out, &shape).map_err(|error| error.to_string())
    }

    /// Reads a row and writes it as often as it stands there.
    fn row(&mut self, number: u32, times: u32, hidden: bool, shape: &mut Shape) -> Result<(), String> {
        let mut cells: Vec<Filled> = Vec::new();
        let mut column = 0_u32;
        loop {
            match self.next()? {
                Part::Start(element) => match &element.tag {
                    Tag::Cell => {
                        let repeated = element.count("table:number-columns-repeated");
                        let rows = element.count("table:number-rows-spanned");
                        let columns = element.count("table:number-columns-spanned");
                        let area = Area {
                            rows: (number, number.saturating_add(rows.saturating_sub(1)).min(ROWS_MAX)),
                            columns: (column, column.saturating_add(columns.saturating_sub(1))),
                        };
                        if !shape.merge(area) {
                            return Err("limit exceeded: more merged cells than are accepted".to_owned());
                        }
                        let style = element.attribute("table:style-name");
                        let colour = style.and_then(|style| self.colours.get(style)).copied().unwrap_or_default();
                        let (kind, text) = self.cell(&element)?;
                        if kind != CellKind::Empty {
                            cells.push(Filled { column, times: repeated, kind, text, colour });
                        }
                        column = column.saturating_add(repeated);
                    }
                    // What stands below a merged cell is not shown.
                    Tag::CoveredCell => {
                        column = column.saturating_add(element.count("table:number-columns-repeated"));
                        self.skip("table:covered-table-cell")?;
                    }
                    Tag::Other(name) => self.skip(name)?,
                    _ => {}
                },
                Part::End(Tag::Row) => break,
                Part::End(_) | Part::Text(_) => {}
                Part::Eof => return Err("it breaks off".to_owned()),
            }
        }
        if cells.is_empty() {
            return Ok(());
        }
        if hidden {
            shape.hide(number, number.saturating_add(times - 1));
        }
        let mut colours: Vec<u16> = cells.iter().map(|cell| cell.colour).collect();
        for again in 0..times.max(1) {
            self.write(number.saturating_add(again), &cells, again > 0)?;
            shape.colour_by_cells(number.saturating_add(again), &mut colours);
        }
        Ok(())
    }

    fn write(&mut self, number: u32, cells: &[Filled], is_repeated: bool) -> Result<(), String> {
        /// What a cell takes beside its text.
        const CELL_BYTES: u64 = 14;
        if number > ROWS_MAX {
            return Err(format!("it has a row beyond the {ROWS_MAX} that a worksheet can have"));
        }
        for Filled { column, times, kind, text, .. } in cells {
            if column.saturating_add(*times) > COLUMNS_MAX {
                return Err(format!("limit exceeded: row {number} has a cell beyond {COLUMNS_MAX} columns"));
            }
            for again in 0..*times {
                if is_repeated || again > 0 {
                    self.repeated_bytes += CELL_BYTES + text.len() as u64;
                }
                spool::write_cell(self.out, number, column + again, *kind, text).map_err(|error| error.to_string())?;
            }
            if self.repeated_bytes > REPEATED_BYTES_MAX {
                let mib = REPEATED_BYTES_MAX >> 20;
                return Err(format!("limit exceeded: its repeated cells become more than {mib} MiB"));
            }
        }
        Ok(())
    }

    /// Reads a cell up to its end.
    fn cell(&mut self, element: &Element) -> Result<(CellKind, String), String> {
        let shown = self.shown()?;
        let attribute = |name: &str| element.attribute(name);
        let number = || attribute("office:value").and_then(|text| text.trim().parse::<f64>().ok());
        let mut text = String::new();
        if is_error(element, &shown) {
            return Ok((CellKind::Error, shown));
        }
        let kind = match (attribute("office:value-type"), number()) {
            (Some("float" | "currency"), Some(number)) => {
                let of_currency =
                    attribute("office:currency").and_then(|code| NumberStyle::of_currency(code, number, &shown));
                let style = of_currency.unwrap_or_else(|| NumberStyle::behind(number, &shown));
                numbers::write(&mut text, number, &style)
            }
            (Some("percentage"), Some(number)) => numbers::write(&mut text, number, &NumberStyle::Percent(0)),
            (Some("date"), _) => dates::write_iso(&mut text, attribute("office:date-value").unwrap_or(&shown)),
            (Some("time"), _) => dates::write_duration(&mut text, attribute("office:time-value").unwrap_or(&shown)),
            (Some("boolean"), _) => {
                text.push_str(if attribute("office:boolean-value") == Some("true") { "TRUE" } else { "FALSE" });
                CellKind::Flag
            }
            (Some(_), _) => {
                text.push_str(attribute("office:string-value").filter(|_| shown.is_empty()).unwrap_or(&shown));
                CellKind::Text
            }
            (None, _) if shown.is_empty() && attribute("table:formula").is_some() => CellKind::FormulaWithoutValue,
            (None, _) => {
                text = shown;
                CellKind::Text
            }
        };
        let is_empty = text.trim().is_empty() && kind != CellKind::FormulaWithoutValue;
        Ok((if is_empty { CellKind::Empty } else { kind }, text))
    }

    /// The paragraphs of a cell, without notes and pictures.
    fn shown(&mut self) -> Result<String, String> {
        let mut text = String::new();
        let mut paragraphs = 0;
        let mut depth = 0_usize;
        loop {
            match self.next()? {
                Part::Start(element) => match element.tag {
                    Tag::Paragraph => {
                        if paragraphs > 0 {
                            text.push('\n');
                        }
                        paragraphs += 1;
                        depth += 1;
                    }
                    Tag::Space => {
                        let spaces = element.count("text:c").min(1_000) as usize;
                        text.extend(std::iter::repeat_n(' ', spaces));
                    }
                    Tag::Tab => text.push('\t'),
                    Tag::LineBreak => text.push('\n'),
                    Tag::Table => self.skip("table:table")?,
                    Tag::Other(name) => self.skip(&name)?,
                    _ => {}
                },
                Part::End(Tag::Cell) => return Ok(text.trim().to_owned()),
                Part::End(Tag::Paragraph) => depth = depth.saturating_sub(1),
                Part::Text(piece) if depth > 0 => push_collapsed(&mut text, &piece),
                // Indentation between the elements.
                Part::End(_) | Part::Text(_) => {}
                Part::Eof => return Err("it breaks off".to_owned()),
            }
        }
    }

    fn next(&mut self) -> Result<Part, String> {
        loop {
            self.event.clear();
            let event = self.reader.read_event_into(&mut self.event).map_err(|error| error.to_string())?;
            return Ok(match event {
                Event::Start(tag) | Event::Empty(tag) => Part::Start(Element::of(&tag)?),
                Event::End(tag) => Part::End(Tag::of(tag.name().as_ref())),
                Event::Text(text) => Part::Text(text.xml10_content().into_owned()),
                Event::CData(text) => Part::Text(text.xml10_content().into_owned()),
                Event::GeneralRef(reference) => {
                    let entity = format!("&{};", &*reference);
                    Part::Text(quick_xml::escape::unescape(&entity).map_err(|error| error.to_string())?.into_owned())
                }
                Event::Eof => Part::Eof,
                Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) => continue,
            });
        }
    }

    /// Passes over the rest of an element.
    fn skip(&mut self, name: &str) -> Result<(), String> {
        self.skipped.clear();
        let skipped = self.reader.read_to_end_into(quick_xml::name::QName(name), &mut self.skipped);
        skipped.map(drop).map_err(|error| error.to_string())
    }
}

/// White space in a paragraph is one space, however it is indented.
fn push_collapsed(text: &mut String, piece: &str) {
    for character in piece.chars() {
        let is_space = matches!(character, ' ' | '\t' | '\r' | '\n');
        if !is_space {
            text.push(character);
        } else if !text.ends_with([' ', '\n', '\t']) {
            text.push(' ');
        }
    }
}

/// Whether a cell shows an error instead of a value.
fn is_error(element: &Element, shown: &str) -> bool {
    let computed = element.attribute("table:formula").is_some();
    let looks = ["#N/A", "#REF!", "#VALUE!", "#DIV/0!", "#NAME?", "#NUM!", "#NULL!"].contains(&shown)
        || shown.strip_prefix("Err:").is_some_and(|code| code.bytes().all(|byte| byte.is_ascii_digit()));
    element.attribute("calcext:value-type") == Some("error") || (computed && looks)
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Write as _};

    use zip::write::SimpleFileOptions;

    use super::super::spool::{Entries, Entry};
    use super::*;

    #[test]
    fn a_row_has_the_colour_of_most_of_its_cells() {
        let cell = |style: &str| {
            format!(
                "<table:table-cell table:style-name=\"{style}\" office:value-type=\"string\"><text:p>a</text:p></table:table-cell>"
            )
        };
        let row =
            |style: &str| format!("<table:table-row>{}{}{}</table:table-row>", cell(style), cell(style), cell("plain"));
        let style = |name: &str, colour: &str| {
            format!(
                "<style:style style:name=\"{name}\"><style:table-cell-properties fo:background-color=\"{colour}\"/></style:style>"
            )
        };
        let styles = style("marked", "#FFFF00") + &style("plain", "transparent") + &style("white", "#FFFFFF");
        let rows = ["plain", "marked", "white"].map(row).concat();
        let content = format!(
            "<office:document-content>{styles}<table:table table:name=\"Orders\">{rows}</table:table></office:document-content>"
        );
        let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
        archive.start_file("content.xml", SimpleFileOptions::default()).unwrap();
        archive.write_all(content.as_bytes()).unwrap();
        let mut out = Vec::new();
        render(archive.finish().unwrap(), &mut out).unwrap();
        let (mut entries, mut coloured) = (Entries::new(out.as_slice(), 100), Vec::new());
        while let Ok(entry) = entries.next() {
            if let Entry::Coloured(first, last, _) = entry {
                coloured.push((first, last));
            }
        }
        assert_eq!(coloured, [(2, 2)]);
    }
}
