//! A worksheet's part with other texts in some of its cells: everything else stays as it is, byte for byte.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use quick_xml::Reader;
use quick_xml::escape::escape;
use quick_xml::events::{BytesStart, Event};

use crate::origin::letters;
use crate::sheet::overlay::Overlay;

/// A cell holds no more characters.
const CELL_CHARACTERS_MAX: usize = 32_767;

/// What became of a part.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Patched {
    pub(super) xml: String,
    /// Whether a cell with a formula was typed over.
    pub(super) formulas: bool,
    /// Formulas that were part of one that was typed over, and are values now.
    pub(super) values: u64,
}

/// A cell as it stands in the part.
#[derive(Debug)]
struct Cell {
    column: u32,
    place: Range<usize>,
    style: Option<String>,
    /// Whether a number stands there, or nothing.
    may_be_number: bool,
    /// Its formula, and where it is shared by others, the number of that.
    formula: Option<(Range<usize>, Option<String>)>,
}

/// A row as it stands in the part.
#[derive(Debug)]
struct Row {
    number: u32,
    /// Its tag, and the end of the last cell.
    tag: Range<usize>,
    cells: Vec<Cell>,
}

/// Puts the texts into a worksheet's part. `takes` says whether a number that is typed into a cell of a style is shown as it
/// was typed.
pub(super) fn patch(xml: &str, overlay: &Overlay, takes: &dyn Fn(usize, &str) -> bool) -> Result<Patched, String> {
    let mut patch = Patch {
        xml,
        overlay,
        takes,
        edits: Vec::new(),
        shared: Vec::new(),
        typed_over: BTreeSet::new(),
        numbers: BTreeSet::new(),
        left: 0,
        formulas: false,
    };
    patch.read()?;
    let values = patch.part_shared();
    let Patch { mut edits, formulas, .. } = patch;
    edits.sort_by_key(|(place, _)| (place.start, place.end));
    let mut out = String::with_capacity(xml.len() + 64 * 1024);
    let mut copied = 0;
    for (place, text) in edits {
        out.push_str(xml.get(copied..place.start).unwrap_or_default());
        out.push_str(&text);
        copied = place.end;
    }
    out.push_str(&xml[copied..]);
    Ok(Patched { xml: out, formulas, values })
}

struct Patch<'x> {
    xml: &'x str,
    overlay: &'x Overlay,
    takes: &'x dyn Fn(usize, &str) -> bool,
    edits: Vec<(Range<usize>, String)>,
    /// Formulas that several cells share, by their numbers, with their rows and columns.
    shared: Vec<(String, Range<usize>, (u32, u32))>,
    /// The numbers of those whose first cell was typed over.
    typed_over: BTreeSet<String>,
    /// Columns in which a number stands above.
    numbers: BTreeSet<u32>,
    /// The first row that may still be missing in the part.
    left: u32,
    formulas: bool,
}

impl Patch<'_> {
    fn read(&mut self) -> Result<(), String> {
        let mut reader = Reader::from_str(self.xml);
        let position = |reader: &Reader<&[u8]>| usize::try_from(reader.buffer_position()).unwrap_or(usize::MAX);
        let (mut row, mut cell, mut last): (Option<Row>, Option<Cell>, u32) = (None, None, 0);
        loop {
            let start = position(&reader);
            let event = reader.read_event().map_err(|error| error.to_string())?;
            let place = start..position(&reader);
            match event {
                Event::Start(tag) if tag.local_name().as_ref() == "row" => {
                    last = row_number(&tag, last);
                    self.missing_before(last, start);
                    row = Some(Row { number: last, tag: place, cells: Vec::new() });
                }
                Event::Empty(tag) if tag.local_name().as_ref() == "row" => {
                    last = row_number(&tag, last);
                    self.missing_before(last, start);
                    self.empty_row(last, place);
                }
                Event::End(tag) if tag.local_name().as_ref() == "row" => {
                    if let Some(row) = row.take() {
                        self.row(&row, start);
                    }
                }
                Event::Start(tag) if tag.local_name().as_ref() == "c" && row.is_some() => {
                    cell = row.as_ref().map(|row| begun(&tag, row, place));
                }
                Event::Empty(tag) if tag.local_name().as_ref() == "c" => {
                    if let Some(row) = &mut row {
                        let cell = begun(&tag, row, place);
                        row.cells.push(cell);
                    }
                }
                Event::End(tag) if tag.local_name().as_ref() == "c" => {
                    if let Some((row, cell)) = row.as_mut().zip(cell.take()) {
                        let place = cell.place.start..place.end;
                        self.note_shared(row.number, &cell);
                        row.cells.push(Cell { place, ..cell });
                    }
                }
                Event::Start(tag) | Event::Empty(tag) if tag.local_name().as_ref() == "f" => {
                    if let Some(cell) = &mut cell {
                        cell.formula = Some((place, shared_number(&tag)));
                    }
                }
                Event::End(tag) if tag.local_name().as_ref() == "f" => {
                    if let Some((whole, _)) = cell.as_mut().and_then(|cell| cell.formula.as_mut()) {
                        whole.end = place.end;
                    }
                }
                Event::Empty(tag) if tag.local_name().as_ref() == "sheetData" => {
                    let rows: String = self.rows_from(0, u32::MAX);
                    self.edits.push((place, format!("<sheetData>{rows}</sheetData>")));
                }
                Event::End(tag) if tag.local_name().as_ref() == "sheetData" => self.missing_before(u32::MAX, start),
                Event::Empty(tag) if tag.local_name().as_ref() == "dimension" => self.dimension(&tag, place),
                Event::Eof => return Ok(()),
                _ => {}
            }
        }
    }

    /// Adds the rows that the part does not have above this one.
    fn missing_before(&mut self, number: u32, at: usize) {
        let rows = self.rows_from(self.left, number);
        self.left = self.left.max(number.saturating_add(1));
        if !rows.is_empty() {
            self.edits.push((at..at, rows));
        }
    }

    fn rows_from(&self, from: u32, before: u32) -> String {
        let rows = self.overlay.rows().filter(|(number, _)| (from..before).contains(number));
        let rows = rows.map(|(number, cells)| format!("<row r=\"{number}\">{}</row>", self.cells_of(number, cells)));
        rows.collect::<Vec<_>>().concat()
    }

    fn cells_of(&self, number: u32, cells: &BTreeMap<u32, String>) -> String {
        cells.iter().map(|(column, text)| self.cell(number, *column, text, None)).collect()
    }

    fn empty_row(&mut self, number: u32, place: Range<usize>) {
        let Some(cells) = self.overlay.row(number) else { return };
        let tag = self.xml[place.clone()].trim_end_matches("/>").to_owned();
        let cells = self.cells_of(number, cells);
        self.edits.push((place, format!("{}>{cells}</row>", without_spans(&tag))));
    }

    /// Types into a row that the part has; `end` is where its last cell ends.
    fn row(&mut self, row: &Row, end: usize) {
        self.numbers.extend(row.cells.iter().filter(|cell| cell.may_be_number).map(|cell| cell.column));
        let Some(cells) = self.overlay.row(row.number) else { return };
        let tag = &self.xml[row.tag.clone()];
        self.edits.push((row.tag.clone(), without_spans(tag)));
        for (column, text) in cells {
            let Some(cell) = row.cells.iter().find(|cell| cell.column == *column) else {
                let next = row.cells.iter().find(|cell| cell.column > *column);
                let at = next.map_or(end, |cell| cell.place.start);
                self.edits.push((at..at, self.cell(row.number, *column, text, None)));
                continue;
            };
            if let Some((_, shared)) = &cell.formula {
                self.formulas = true;
                self.typed_over.extend(shared.clone());
            }
            self.edits.push((cell.place.clone(), self.cell(row.number, *column, text, Some(cell))));
        }
    }

    /// A cell with a text, as a number where the cell before it was one, or those above where there was none, and shows it as it
    /// was typed.
    fn cell(&self, row: u32, column: u32, text: &str, before: Option<&Cell>) -> String {
        let at = format!("{}{row}", letters(column));
        let style = before.and_then(|cell| cell.style.as_deref());
        let index = style.map_or(Some(0), |style| style.parse().ok());
        let style = style.map_or_else(String::new, |style| format!(" s=\"{}\"", escape(style)));
        if text.is_empty() {
            return format!("<c r=\"{at}\"{style}/>");
        }
        let may_be_number = before.map_or_else(|| self.numbers.contains(&column), |cell| cell.may_be_number);
        let may_be_number = may_be_number && is_plain_number(text);
        if may_be_number && index.is_some_and(|index| (self.takes)(index, text)) {
            return format!("<c r=\"{at}\"{style}><v>{text}</v></c>");
        }
        let text = escape(written(text)).into_owned();
        format!("<c r=\"{at}\"{style} t=\"inlineStr\"><is><t xml:space=\"preserve\">{text}</t></is></c>")
    }

    fn note_shared(&mut self, row: u32, cell: &Cell) {
        if let Some((place, Some(number))) = &cell.formula {
            self.shared.push((number.clone(), place.clone(), (row, cell.column)));
        }
    }

    /// Leaves the values of cells whose formula stood in a cell that was typed over. Gives how many these are.
    fn part_shared(&mut self) -> u64 {
        let mut values = 0;
        for (number, place, (row, column)) in std::mem::take(&mut self.shared) {
            if self.typed_over.contains(&number) && self.overlay.get(row, column).is_none() {
                self.edits.push((place, String::new()));
                values += 1;
            }
        }
        values
    }

    /// Widens what the part says of its size, where something was typed beyond.
    fn dimension(&mut self, tag: &BytesStart<'_>, place: Range<usize>) {
        let Some(area) = attribute(tag, "ref") else { return };
        let (first, last) = area.split_once(':').unwrap_or((&area, &area));
        let Some((row, column)) = position_of(last) else { return };
        let typed = self.overlay.rows().flat_map(|(row, cells)| cells.keys().map(move |column| (row, *column)));
        let (rows, columns): (Vec<u32>, Vec<u32>) = typed.unzip();
        let rows = rows.into_iter().max().unwrap_or_default().max(row);
        let columns = columns.into_iter().max().unwrap_or_default().max(column);
        if (rows, columns) != (row, column) {
            self.edits.push((place, format!("<dimension ref=\"{}:{}{rows}\"/>", escape(first), letters(columns))));
        }
    }
}

/// The number of a row; where its tag names none, it is the next one.
fn row_number(tag: &BytesStart<'_>, last: u32) -> u32 {
    attribute(tag, "r").and_then(|number| number.parse().ok()).unwrap_or(last.saturating_add(1))
}

fn begun(tag: &BytesStart<'_>, row: &Row, place: Range<usize>) -> Cell {
    let next = row.cells.last().map_or(0, |cell| cell.column + 1);
    let column = attribute(tag, "r").and_then(|at| position_of(&at)).map_or(next, |(_, column)| column);
    let may_be_number = attribute(tag, "t").is_none_or(|kind| kind == "n");
    Cell { column, place, style: attribute(tag, "s"), may_be_number, formula: None }
}

fn shared_number(tag: &BytesStart<'_>) -> Option<String> {
    attribute(tag, "si").filter(|_| attribute(tag, "t").as_deref() == Some("shared"))
}

/// Row and column of `F27`.
fn position_of(at: &str) -> Option<(u32, u32)> {
    let digits = at.find(|c: char| c.is_ascii_digit())?;
    let (column, row) = at.split_at(digits);
    let column = column.bytes().try_fold(0_u32, |column, letter| {
        let letter = letter.is_ascii_alphabetic().then(|| u32::from(letter.to_ascii_uppercase() - b'A') + 1)?;
        column.checked_mul(26)?.checked_add(letter)
    });
    Some((row.parse().ok()?, column?.checked_sub(1)?))
}

/// A row's tag without the columns between which its cells stood.
fn without_spans(tag: &str) -> String {
    let Some(start) = tag.find(" spans=\"") else { return tag.to_owned() };
    let behind = &tag[start + " spans=\"".len()..];
    let rest = behind.find('"').map_or("", |end| &behind[end + 1..]);
    format!("{}{rest}", &tag[..start])
}

/// A number of few enough digits to be kept whole, and that is written as numbers are.
fn is_plain_number(text: &str) -> bool {
    let (whole, decimals) = text.split_once('.').unwrap_or((text, "0"));
    let is_digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    is_digits(whole) && is_digits(decimals) && (whole == "0" || !whole.starts_with('0')) && text.len() <= 15
}

/// A text as a worksheet can hold it: without control characters, and what looks like one that is written out kept as text.
fn written(text: &str) -> String {
    let is_shown = |c: &char| !c.is_control() || matches!(c, '\n' | '\t');
    let text: String = text.replace("\r\n", "\n").chars().filter(is_shown).take(CELL_CHARACTERS_MAX).collect();
    let mut out = String::with_capacity(text.len());
    for (at, c) in text.char_indices() {
        let rest = text.as_bytes().get(at..at + 7).unwrap_or_default();
        let is_code = rest.starts_with(b"_x") && rest[6..] == *b"_" && rest[2..6].iter().all(u8::is_ascii_hexdigit);
        out.push_str(if is_code { "_x005F" } else { "" });
        out.push(c);
    }
    out
}

fn attribute(tag: &BytesStart<'_>, name: &str) -> Option<String> {
    let found = tag.attributes().flatten().find(|attribute| attribute.key.local_name().as_ref() == name)?;
    Some(quick_xml::escape::unescape(&found.value).ok()?.into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn patched(rows: &str, cells: &[(u32, u32, &str)]) -> Patched {
        let mut overlay = Overlay::default();
        for (row, column, text) in cells {
            overlay.set(*row, *column, *text);
        }
        patch(&format!("<worksheet><sheetData>{rows}</sheetData></worksheet>"), &overlay, &|style, _| style != 7)
            .unwrap()
    }

    fn xml(rows: &str, cells: &[(u32, u32, &str)]) -> String {
        let xml = patched(rows, cells).xml;
        xml.trim_start_matches("<worksheet><sheetData>").trim_end_matches("</sheetData></worksheet>").to_owned()
    }

    #[test]
    fn only_what_is_typed_changes() {
        let rows = "<row r=\"1\" ht=\"30\"><c r=\"A1\" t=\"s\"><v>0</v></c></row>\n <row r=\"3\" spans=\"1:2\"><c r=\"A3\" \
                    s=\"4\"><v>5</v></c><c r=\"C3\" t=\"s\"><v>9</v></c></row>";
        assert_eq!(xml(rows, &[]), rows);
        let typed = [(3, 0, "56"), (3, 1, "a <b>"), (3, 2, ""), (3, 3, "new")];
        let expected = "<row r=\"1\" ht=\"30\"><c r=\"A1\" t=\"s\"><v>0</v></c></row>\n <row r=\"3\"><c r=\"A3\" \
                        s=\"4\"><v>56</v></c><c r=\"B3\" t=\"inlineStr\"><is><t xml:space=\"preserve\">a &lt;b&gt;</t></is></c>\
                        <c r=\"C3\"/><c r=\"D3\" t=\"inlineStr\"><is><t xml:space=\"preserve\">new</t></is></c></row>";
        assert_eq!(xml(rows, &typed), expected);
    }

    #[test]
    fn numbers_stay_numbers_where_they_are_shown_as_typed() {
        let rows = "<row r=\"1\"><c r=\"A1\" s=\"4\"><v>5</v></c><c r=\"B1\" s=\"7\"><v>5</v></c><c r=\"C1\" t=\"s\"><v>5</v></c></row>";
        let is_number = |column: u32, text: &str| xml(rows, &[(1, column, text)]).contains(&format!("<v>{text}</v>"));
        assert!(is_number(0, "560034") && is_number(0, "4.50"));
        for (column, text) in [(0, "0560034"), (0, "1,200"), (0, "1234567890123456"), (1, "6"), (2, "6"), (3, "6")] {
            assert!(!is_number(column, text), "{column} {text}");
        }
        // A cell that the row lacks is as those above it.
        let rows = format!("{rows}<row r=\"2\"></row>");
        let made = xml(&rows, &[(2, 0, "6"), (2, 2, "6")]);
        assert!(made.contains("<c r=\"A2\"><v>6</v></c>") && made.contains("<c r=\"C2\" t=\"inlineStr\">"), "{made}");
    }

    #[test]
    fn rows_that_were_not_there_come_in_order() {
        let rows = "<row r=\"2\"/><row r=\"5\"><c r=\"A5\"><v>1</v></c></row>";
        let made = xml(rows, &[(1, 0, "a"), (2, 1, "b"), (3, 0, "c"), (9, 0, "d")]);
        let places: Vec<usize> = ["A1", "B2", "A3", "A5", "A9"].map(|at| made.find(at).unwrap()).to_vec();
        assert!(places.is_sorted(), "{made}");
        assert!(made.contains("<row r=\"2\"><c r=\"B2\""), "{made}");
        let overlay = {
            let mut all = Overlay::default();
            all.set(1, 0, "x");
            all
        };
        let made = patch("<worksheet><sheetData/></worksheet>", &overlay, &|_, _| true).unwrap().xml;
        assert!(
            made.starts_with("<worksheet><sheetData><row r=\"1\"><c r=\"A1\"")
                && made.ends_with("</row></sheetData></worksheet>")
        );
    }

    #[test]
    fn what_shares_the_formula_of_a_cell_that_was_typed_over_keeps_its_value() {
        let rows = "<row r=\"1\"><c r=\"A1\"><f t=\"shared\" ref=\"A1:A3\" si=\"0\">B1*2</f><v>2</v></c></row><row r=\"2\"><c \
                    r=\"A2\"><f t=\"shared\" si=\"0\"/><v>4</v></c></row><row r=\"3\"><c r=\"A3\"><f>B3</f><v>6</v></c></row>";
        let made = patched(rows, &[(1, 0, "7")]);
        assert_eq!((made.formulas, made.values), (true, 1));
        assert!(made.xml.contains("<c r=\"A2\"><v>4</v></c>") && made.xml.contains("<f>B3</f>"), "{}", made.xml);
        assert_eq!(patched(rows, &[(1, 1, "7")]).values, 0);
    }

    #[test]
    fn the_size_grows_with_what_is_typed_beyond() {
        let mut overlay = Overlay::default();
        overlay.set(2, 27, "x");
        let xml = "<worksheet><dimension ref=\"A1:C9\"/><sheetData><row r=\"2\"></row></sheetData></worksheet>";
        assert!(patch(xml, &overlay, &|_, _| true).unwrap().xml.contains("<dimension ref=\"A1:AB9\"/>"));
    }

    #[test]
    fn texts_are_what_was_typed() {
        assert_eq!(written("a\r\nb\u{1}c _x000D_ _x12"), "a\nbc _x005F_x000D_ _x12");
        assert_eq!((position_of("F27"), position_of("AA1"), position_of("7")), (Some((27, 5)), Some((1, 26)), None));
    }
}
