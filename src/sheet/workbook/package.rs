//! What a zip holds and whether it is safe to read, found out before any of it is parsed.

use std::collections::{BTreeSet, HashMap};
use std::io::{self, Read};

use memchr::{memchr, memchr_iter, memmem};
use zip::ZipArchive;

use super::fills::Fills;
use super::shape::{Area, Shape};
use crate::sheet::foreign::{self, Foreign};
use crate::sheet::input::Input;
use crate::sheet::{Limits, SheetError};

/// Where declarations stand.
const HEAD_BYTES: usize = 64 * 1024;

/// As much of a tag as is looked at.
const TAG_BYTES: usize = 200;

/// A workbook in a zip.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Package {
    Xlsx,
    Xlsb,
    Ods,
}

/// What the parts of a workbook hold.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Seen {
    /// Whether a formula was saved without its value, as tools do that never calculate.
    pub(super) bare_formulas: bool,
    /// The shapes of worksheets by their parts, in small letters.
    pub(super) shapes: HashMap<String, Shape>,
}

/// Tells the kind of workbook by its parts and unpacks every part of text once, to count what really comes out.
pub(super) fn examine(input: &Input, limits: &Limits) -> Result<(Package, Seen), SheetError> {
    let damaged =
        |error: zip::result::ZipError| SheetError::Damaged { file: input.name.clone(), reason: error.to_string() };
    let mut archive = ZipArchive::new(io::BufReader::new(input.file()?)).map_err(damaged)?;
    let Some(package) = recognise(&mut archive) else {
        let names: Vec<String> = archive.file_names().flatten().map(|name| name.to_lowercase()).collect();
        let Foreign { what, hint } = foreign::by_parts(&names);
        return Err(SheetError::NotASheet { file: input.name.clone(), what: what.to_owned(), hint });
    };
    let mut total = 0;
    let mut seen = Seen::default();
    // Which texts are struck through, and which styles have a colour, has to be known before the cells that show them
    // are passed.
    let is_before = |index: &usize| {
        let name = archive.name_for_index(*index).and_then(Result::ok);
        name.is_some_and(|name| is_shared_texts(&name) || is_styles(&name))
    };
    let (before, others): (Vec<usize>, Vec<usize>) = (0..archive.len()).partition(is_before);
    let (mut struck, mut fills) = (BTreeSet::new(), Fills::default());
    for index in before.into_iter().chain(others) {
        let part = archive.by_index(index).map_err(damaged)?;
        let name = part.name().map_or_else(|_| String::new(), std::borrow::Cow::into_owned);
        if !is_text(&name) {
            continue;
        }
        let packed = part.compressed_size();
        // What is claimed may be wrong, and is counted below; but nobody claims more than there is without reason.
        if !limits.allow_unpacking(packed, part.size()) {
            let reason = format!("{name} unpacks {packed} bytes to {}", part.size());
            return Err(SheetError::Refused { file: input.name.clone(), reason });
        }
        let mut look = Look {
            limits,
            packed,
            held: held_bytes_per_tag(&name),
            held_bytes: 0,
            file_bytes: input.bytes,
            total,
            unpacked: 0,
            head: Vec::new(),
            tag: Vec::new(),
            tag_bytes: 0,
            in_formula: false,
            row: 0,
            passed: RowLook::default(),
            bare_formulas: false,
            shape: Shape::default(),
            texts: is_shared_texts(&name).then_some(0),
            struck: &mut struck,
            fills: &mut fills,
            is_styles: is_styles(&name),
            text_of_cell: TextOfCell::Own,
        };
        look.through(part).map_err(|stop| stop.of(input, &name))?;
        look.end_row();
        total += look.unpacked;
        seen.bare_formulas |= look.bare_formulas;
        if look.shape != Shape::default() {
            seen.shapes.insert(name.trim_start_matches('/').to_ascii_lowercase(), look.shape);
        }
        if package == Package::Ods && name == "META-INF/manifest.xml" && contains(&look.head, b"encryption-data") {
            return Err(SheetError::PasswordProtected { file: input.name.clone() });
        }
    }
    Ok((package, seen))
}

fn recognise<R: io::Read + io::Seek>(archive: &mut ZipArchive<R>) -> Option<Package> {
    let names: Vec<String> =
        archive.file_names().flatten().map(|name| name.trim_start_matches('/').to_lowercase()).collect();
    let has = |wanted: &str| names.iter().any(|name| name == wanted);
    if has("xl/workbook.bin") {
        return Some(Package::Xlsb);
    }
    if has("xl/workbook.xml") || has("[content_types].xml") && names.iter().any(|name| name.contains("worksheets/")) {
        return Some(Package::Xlsx);
    }
    let mut kind = String::new();
    archive.by_name("mimetype").ok()?.take(200).read_to_string(&mut kind).ok()?;
    kind.starts_with("application/vnd.oasis.opendocument.spreadsheet").then_some(Package::Ods)
}

fn is_text(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    [".xml", ".rels", ".bin"].iter().any(|end| name.ends_with(end))
}

/// What the reader keeps for each tag of a part that it keeps; none where it streams the part, or passes it over.
fn held_bytes_per_tag(name: &str) -> Option<u64> {
    let name = name.to_ascii_lowercase();
    if is_shared_texts(&name) {
        // `<si><t>text</t></si>` makes one text.
        return Some(24);
    }
    let is_kept = ["styles.xml", "workbook.xml", "[content_types].xml", ".rels"].iter().any(|end| name.ends_with(end));
    is_kept.then_some(512)
}

/// Whether a part has the styles of cells.
fn is_styles(name: &str) -> bool {
    name.to_ascii_lowercase().ends_with("styles.xml")
}

/// Whether a part has the texts of cells.
fn is_shared_texts(name: &str) -> bool {
    name.to_ascii_lowercase().ends_with("sharedstrings.xml")
}

enum Stop {
    Failed(io::Error),
    Refused(String),
}

impl Stop {
    fn of(self, input: &Input, part: &str) -> SheetError {
        let file = input.name.clone();
        match self {
            Self::Failed(error) => SheetError::Damaged { file, reason: format!("{part}: {error}") },
            Self::Refused(reason) => SheetError::Refused { file, reason: format!("{part} {reason}") },
        }
    }
}

/// One part while it is unpacked.
struct Look<'l> {
    limits: &'l Limits,
    packed: u64,
    /// The memory that a tag may take where the reader keeps the whole part.
    held: Option<u64>,
    /// The memory that the part may take so far.
    held_bytes: u64,
    /// Bytes of the file: parts may claim the same ones, so that theirs add up to more.
    file_bytes: u64,
    /// Unpacked bytes of the parts before.
    total: u64,
    unpacked: u64,
    head: Vec<u8>,
    /// The first bytes after the last `<`, where the piece before ended amid its tag.
    tag: Vec<u8>,
    /// How many bytes follow it: a tag and the text behind it.
    tag_bytes: usize,
    in_formula: bool,
    /// The number of the row that is passed.
    row: u32,
    /// What it looks like so far.
    passed: RowLook,
    bare_formulas: bool,
    shape: Shape,
    /// How many texts there were so far, in the part that has those of cells.
    texts: Option<u64>,
    /// The numbers of texts of which a part is struck through.
    struck: &'l mut BTreeSet<u64>,
    /// The colours of styles.
    fills: &'l mut Fills,
    /// Whether this is the part with the styles.
    is_styles: bool,
    /// Where the last cell has its text.
    text_of_cell: TextOfCell,
}

/// What a row looks like.
#[derive(Debug, Default)]
struct RowLook {
    is_hidden: bool,
    /// The colours of its filled cells; 0 is none.
    colours: Vec<u16>,
    /// The colour of the cell that is passed.
    colour: u16,
}

/// Where a cell has its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TextOfCell {
    /// In itself.
    Own,
    /// In the part that has the texts of cells.
    Shared,
}

impl Look<'_> {
    fn through(&mut self, mut part: impl Read) -> Result<(), Stop> {
        let mut buffer = vec![0; 64 * 1024];
        let mut is_xml = false;
        loop {
            let count = part.read(&mut buffer).map_err(Stop::Failed)?;
            if count == 0 {
                return Ok(());
            }
            let piece = &buffer[..count];
            let wanted = HEAD_BYTES.saturating_sub(self.head.len()).min(count);
            if wanted > 0 {
                self.head.extend_from_slice(&piece[..wanted]);
                let first = self.head.trim_ascii_start().first();
                is_xml = first.is_some_and(|byte| matches!(byte, b'<' | 0xef | 0xff | 0xfe));
                self.inspect_head()?;
            }
            self.unpacked += count as u64;
            if !self.limits.allow_unpacking(self.packed, self.unpacked) {
                let text = format!("unpacks {} bytes to more than {}", self.packed, self.unpacked);
                return Err(Stop::Refused(text));
            }
            let total = self.total + self.unpacked;
            if !self.limits.allow_unpacking(self.file_bytes, total) {
                let text = format!("and the parts before it unpack {} bytes to more than {total}", self.file_bytes);
                return Err(Stop::Refused(text));
            }
            if is_xml {
                self.measure_texts(piece)?;
            }
            self.measure_held(piece)?;
        }
    }

    /// Entities and sizes are declared before the first content.
    fn inspect_head(&self) -> Result<(), Stop> {
        if contains(&self.head, b"<!DOCTYPE") || contains(&self.head, b"<!ENTITY") {
            return Err(Stop::Refused("declares a document type, which no workbook needs".to_owned()));
        }
        let head = String::from_utf8_lossy(&self.head[..self.head.len().min(4096)]);
        let declared = head.split_once("uniqueCount=").map(|(_, rest)| {
            let digits: String = rest.chars().skip(1).take_while(char::is_ascii_digit).collect();
            digits.parse::<u64>().unwrap_or(u64::MAX)
        });
        // A text takes at least `<si/>`, so that packed bytes bound how many there can be.
        match declared {
            Some(declared) if declared > 1 << 20 && declared / self.limits.unpack_ratio_max > self.packed => {
                Err(Stop::Refused(format!("claims to hold {declared} texts in {} bytes", self.packed)))
            }
            _ => Ok(()),
        }
    }

    /// Adds up what a part takes that is kept as a whole: its bytes, and what each text or style takes beside them.
    fn measure_held(&mut self, piece: &[u8]) -> Result<(), Stop> {
        let Some(per_tag) = self.held else { return Ok(()) };
        let tags = memchr_iter(b'<', piece).count() as u64;
        self.held_bytes += piece.len() as u64 + tags * per_tag;
        if self.limits.allow_holding(self.packed, self.held_bytes) {
            return Ok(());
        }
        let text = format!("takes more than {} MiB of memory for {} packed bytes", self.held_bytes >> 20, self.packed);
        Err(Stop::Refused(text))
    }

    /// Looks at every tag and the text behind it, from one `<` to the next.
    fn measure_texts(&mut self, piece: &[u8]) -> Result<(), Stop> {
        let mut rest = piece;
        loop {
            let end = memchr(b'<', rest);
            let run = &rest[..end.unwrap_or(rest.len())];
            let whole = self.tag_bytes == 0 && end.is_some();
            self.tag_bytes += run.len();
            if self.tag_bytes > self.limits.cell_bytes_max {
                let text = format!("holds a text of more than {} bytes", self.limits.cell_bytes_max);
                return Err(Stop::Refused(text));
            }
            if whole {
                self.end_tag(&run[..run.len().min(TAG_BYTES)])?;
            } else {
                let wanted = TAG_BYTES.saturating_sub(self.tag.len()).min(run.len());
                self.tag.extend_from_slice(&run[..wanted]);
            }
            let Some(end) = end else { return Ok(()) };
            if !whole {
                let mut tag = std::mem::take(&mut self.tag);
                self.end_tag(&tag)?;
                tag.clear();
                self.tag = tag;
            }
            self.tag_bytes = 0;
            rest = &rest[end + 1..];
        }
    }

    /// Follows `<f>`, `</f>`, `<v>` and `</c>`: a cell that ends after its formula has no value.
    fn end_tag(&mut self, tag: &[u8]) -> Result<(), Stop> {
        if self.is_styles {
            self.fills.take(tag);
            return Ok(());
        }
        match tag {
            [b'f', b'>' | b' ' | b'/', ..] => self.in_formula = true,
            [b'/', b'c', b'>', ..] => {
                self.bare_formulas |= self.in_formula;
                self.in_formula = false;
            }
            [b's', b'i', b'>' | b' ' | b'/', ..] => self.texts = self.texts.map(|texts| texts + 1),
            [b's', b't', b'r', b'i', b'k', b'e', b'/' | b' ' | b'>', attributes @ ..] => self.note_struck(attributes),
            [b'c', attributes @ ..] if attributes.starts_with(b" ") => self.begin_cell(attributes),
            [b'v', b'>' | b' ' | b'/', ..] => {
                if self.text_of_cell == TextOfCell::Shared && is_number_among(tag, self.struck) {
                    self.shape.strike(self.row);
                }
                // `<v/>`, `<v />` and `<v></v>` hold nothing.
                self.bare_formulas |= self.in_formula && matches!(tag, [.., b'>']);
                self.in_formula = false;
                self.note_filled();
            }
            [b'i', b's', b'>' | b' ', ..] => self.note_filled(),
            [b'r', b'o', b'w', b' ' | b'>', attributes @ ..] => {
                self.end_row();
                let number =
                    attribute(attributes, b"r=\"").and_then(|text| std::str::from_utf8(text).ok()?.parse().ok());
                self.row = number.unwrap_or_else(|| self.row.saturating_add(1));
                self.passed.is_hidden =
                    contains(attributes, b"hidden=\"1\"") || contains(attributes, b"hidden=\"true\"");
            }
            _ if tag.starts_with(b"filterColumn") => self.shape.filtered = true,
            [b'm', b'e', b'r', b'g', b'e', b'C', b'e', b'l', b'l', b' ', attributes @ ..] => {
                let area = attribute(attributes, b"ref=\"").and_then(area);
                if !area.is_none_or(|area| self.shape.merge(area)) {
                    return Err(Stop::Refused("merges more cells than are accepted".to_owned()));
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Takes it that what stands here is struck through: a text of cells, or a row that has its own.
    fn note_struck(&mut self, attributes: &[u8]) {
        if attribute(attributes, b"val=\"").is_some_and(|value| matches!(value, b"0" | b"false")) {
            return;
        }
        match self.texts {
            Some(texts) => drop(self.struck.insert(texts)),
            None if self.row > 0 => self.shape.strike(self.row),
            None => {}
        }
    }

    fn begin_cell(&mut self, attributes: &[u8]) {
        if !self.struck.is_empty() {
            let is_shared = contains(attributes, b"t=\"s\"");
            self.text_of_cell = if is_shared { TextOfCell::Shared } else { TextOfCell::Own };
        }
        if self.fills.has_colours() {
            self.passed.colour = self.fills.of_cell(attributes);
        }
    }

    fn note_filled(&mut self) {
        self.passed.colours.push(self.passed.colour);
    }

    /// Takes what is known of the row that was passed. A colour is that of the row where most of its filled cells have it.
    fn end_row(&mut self) {
        let RowLook { is_hidden, colours, .. } = &mut self.passed;
        colours.sort_unstable();
        if let Some(most) = colours.get(colours.len() / 2).copied() {
            self.shape.fill(self.row);
            if *is_hidden {
                self.shape.hide(self.row, self.row);
            }
            if most > 0 {
                self.shape.colour(self.row, most);
            }
        }
        colours.clear();
        (self.passed.is_hidden, self.passed.colour) = (false, 0);
    }
}

/// Whether the number of a tag such as `v>12` is one of these.
fn is_number_among(tag: &[u8], numbers: &BTreeSet<u64>) -> bool {
    let number = tag.split(|byte| *byte == b'>').nth(1).and_then(|text| std::str::from_utf8(text).ok());
    // Texts are counted from 0, and while they pass from 1.
    number.and_then(|text| text.trim().parse::<u64>().ok()).is_some_and(|number| numbers.contains(&(number + 1)))
}

/// An area such as `A2:A4`.
fn area(text: &[u8]) -> Option<Area> {
    let (first, last) = std::str::from_utf8(text).ok()?.split_once(':')?;
    let ((first_row, first_column), (last_row, last_column)) = (corner(first)?, corner(last)?);
    Some(Area { rows: (first_row, last_row), columns: (first_column, last_column) })
}

/// The row, counted from 1, and the column, counted from 0, of a place such as `AB12`.
fn corner(text: &str) -> Option<(u32, u32)> {
    let letters = text.bytes().take_while(u8::is_ascii_uppercase).count();
    let add = |number: u32, letter: u8| number.checked_mul(26)?.checked_add(u32::from(letter - b'A') + 1);
    let column = text.bytes().take(letters).try_fold(0, add)?;
    Some((text[letters..].parse().ok()?, column.checked_sub(1)?))
}

/// What stands between the quotes behind a name.
fn attribute<'t>(tag: &'t [u8], name: &[u8]) -> Option<&'t [u8]> {
    let start = memmem::find(tag, name)? + name.len();
    tag[start..].split(|byte| *byte == b'"').next()
}

fn contains(bytes: &[u8], needle: &[u8]) -> bool {
    memmem::find(bytes, needle).is_some()
}
