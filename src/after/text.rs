//! Pages of text in the font that every PDF reader has. It has western letters only; a question mark stands for any other.

use lopdf::content::{Content, Operation};
use lopdf::{Document, Object, ObjectId, Stream, dictionary};

use super::pdf::PdfError;

/// A4, in points.
const PAGE: [i64; 4] = [0, 0, 595, 842];
/// Where the columns of a section begin, in points, and the characters of a line in each.
const COLUMNS: [(i64, usize); 4] = [(40, 44), (290, 16), (385, 8), (430, 24)];
/// Characters of a line across the page.
const LINE: usize = 90;
/// The first line of a section and its last, in points from below, and how far lines are apart.
const TOP: i64 = 800;
const BOTTOM: i64 = 40;
const STEP: i64 = 14;

/// A text at its place, in points from the left and from below.
pub(super) struct Placed {
    pub(super) x: i64,
    pub(super) y: i64,
    pub(super) size: i64,
    pub(super) text: String,
}

/// A part that begins on a page of its own: a title, lines, and a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Section {
    /// Its title.
    pub title: String,
    /// The lines above the table.
    pub lines: Vec<String>,
    /// The heads of the columns; one that is not needed is empty.
    pub columns: [&'static str; 4],
    /// The rows of the table.
    pub rows: Vec<[String; 4]>,
}

impl Section {
    /// Whether the font has all of its letters.
    pub(crate) fn can_be_written(&self) -> bool {
        let texts = std::iter::once(&self.title).chain(&self.lines).chain(self.rows.iter().flatten());
        texts.flat_map(|text| text.chars()).all(|c| byte(c).is_some())
    }

    /// Its pages, each with the title, the lines and the heads.
    fn pages(&self) -> Vec<Vec<Placed>> {
        let above: Vec<String> = self.lines.iter().flat_map(|line| wrapped(line, LINE)).collect();
        let body: Vec<[String; 4]> = self.rows.iter().flat_map(lines).collect();
        let all = usize::try_from((TOP - BOTTOM) / STEP).unwrap_or(1);
        let chunks: Vec<&[[String; 4]]> = match body.as_slice() {
            [] => vec![&[]],
            body => body.chunks(all.saturating_sub(above.len() + 2).max(1)).collect(),
        };
        let heads = self.columns.map(str::to_owned);
        let page = |(n, chunk): (usize, &&[[String; 4]])| {
            let number = format!("  -  page {} of {}", n + 1, chunks.len());
            let title = if chunks.len() == 1 { self.title.clone() } else { self.title.clone() + &number };
            let mut texts = vec![Placed { x: COLUMNS[0].0, y: TOP, size: 13, text: title }];
            let mut y = TOP - STEP / 2;
            for text in &above {
                y -= STEP;
                texts.push(Placed { x: COLUMNS[0].0, y, size: 10, text: text.clone() });
            }
            y -= STEP / 2;
            for cells in std::iter::once(&heads).chain(*chunk) {
                y -= STEP;
                let cell = |(text, (x, _)): (&String, (i64, usize))| Placed { x, y, size: 9, text: text.clone() };
                texts.extend(cells.iter().zip(COLUMNS).filter(|(text, _)| !text.is_empty()).map(cell));
            }
            texts
        };
        chunks.iter().enumerate().map(page).collect()
    }
}

/// The bytes of a PDF of these sections.
pub(crate) fn written(sections: &[Section]) -> Result<Vec<u8>, PdfError> {
    let mut document = Document::with_version("1.7");
    let tree = document.new_object_id();
    let pages: Vec<Vec<Placed>> = sections.iter().flat_map(Section::pages).collect();
    let pages = text_pages(&mut document, tree, &pages)?;
    saved(document, tree, pages)
}

/// Pages of A4 with these texts on them.
pub(super) fn text_pages(
    document: &mut Document,
    tree: ObjectId,
    pages: &[Vec<Placed>],
) -> Result<Vec<Object>, PdfError> {
    let font = dictionary! {
        "Type" => "Font", "Subtype" => "Type1", "BaseFont" => "Helvetica", "Encoding" => "WinAnsiEncoding",
    };
    let font = document.add_object(font);
    let resources = document.add_object(dictionary! { "Font" => dictionary! { "F1" => font } });
    let mut all = Vec::with_capacity(pages.len());
    for texts in pages {
        let operations: Vec<Operation> = texts.iter().flat_map(operations).collect();
        let content = document.add_object(Stream::new(dictionary! {}, Content { operations }.encode()?));
        let media_box: Vec<Object> = PAGE.iter().map(|side| Object::Integer(*side)).collect();
        let page = dictionary! {
            "Type" => "Page", "Parent" => tree, "MediaBox" => media_box, "Resources" => resources, "Contents" => content,
        };
        all.push(document.add_object(page).into());
    }
    Ok(all)
}

/// The bytes of a document with these pages, and with nothing else.
pub(super) fn saved(mut document: Document, tree: ObjectId, pages: Vec<Object>) -> Result<Vec<u8>, PdfError> {
    let count = i64::try_from(pages.len()).unwrap_or(i64::MAX);
    document.objects.insert(tree, dictionary! { "Type" => "Pages", "Kids" => pages, "Count" => count }.into());
    let catalog = document.add_object(dictionary! { "Type" => "Catalog", "Pages" => tree });
    document.trailer.set("Root", catalog);
    document.prune_objects();
    document.renumber_objects();
    let mut pdf = Vec::new();
    document.save_to(&mut pdf).map_err(|error| PdfError::Unreadable(error.to_string()))?;
    Ok(pdf)
}

fn operations(placed: &Placed) -> [Operation; 5] {
    let Placed { x, y, size, text } = placed;
    let bytes: Vec<u8> = text.chars().map(|c| byte(c).unwrap_or(b'?')).collect();
    [
        Operation::new("BT", vec![]),
        Operation::new("Tf", vec!["F1".into(), (*size).into()]),
        Operation::new("Td", vec![(*x).into(), (*y).into()]),
        Operation::new("Tj", vec![Object::string_literal(bytes)]),
        Operation::new("ET", vec![]),
    ]
}

/// A letter in the font's encoding, which is that of Windows in the west; nothing where the font lacks it.
fn byte(c: char) -> Option<u8> {
    const OTHERS: [(char, u8); 10] = [
        ('€', 0x80),
        ('…', 0x85),
        ('‘', 0x91),
        ('’', 0x92),
        ('“', 0x93),
        ('”', 0x94),
        ('•', 0x95),
        ('–', 0x96),
        ('—', 0x97),
        ('™', 0x99),
    ];
    match c {
        ' '..='~' | '\u{a0}'..='\u{ff}' => u8::try_from(u32::from(c)).ok(),
        _ => OTHERS.iter().find(|(own, _)| *own == c).map(|(_, byte)| *byte),
    }
}

/// The lines of a row, each with what its cells have there.
fn lines(row: &[String; 4]) -> Vec<[String; 4]> {
    let cells: Vec<Vec<String>> = row.iter().zip(COLUMNS).map(|(text, (_, most))| wrapped(text, most)).collect();
    let count = cells.iter().map(Vec::len).max().unwrap_or_default();
    let line = |n: usize| std::array::from_fn(|column| cells[column].get(n).cloned().unwrap_or_default());
    (0..count).map(line).collect()
}

/// A text in lines of so many characters, between its words where that can be.
fn wrapped(text: &str, most: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        let letters: Vec<char> = word.chars().collect();
        for (n, part) in letters.chunks(most).enumerate() {
            let part: String = part.iter().collect();
            match lines.last_mut() {
                Some(line) if n == 0 && line.chars().count() + 1 + part.chars().count() <= most => {
                    line.push(' ');
                    line.push_str(&part);
                }
                _ => lines.push(part),
            }
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn section(rows: Vec<[String; 4]>) -> Section {
        let lines = vec!["To: Zoë d’Arc".to_owned()];
        Section { title: "Order A-1".to_owned(), lines, columns: ["Product", "SKU", "Pieces", "Orders"], rows }
    }

    #[test]
    fn western_letters_are_written_and_others_are_known_to_be_none() {
        let cells = |name: &str| [name.to_owned(), "K-1".to_owned(), "2".to_owned(), "A-1 × 2".to_owned()];
        let own = section(vec![cells("Crème brûlée – 6 cups")]);
        assert!(own.can_be_written());
        let pdf = written(std::slice::from_ref(&own)).unwrap();
        let text = Document::load_mem(&pdf).unwrap().extract_text(&[1]).unwrap();
        for said in ["Order A-1", "To: Zoë d’Arc", "Pieces", "Crème brûlée – 6 cups", "A-1 × 2"] {
            assert!(text.contains(said), "{said}: {text}");
        }
        for name in ["कुर्ता", "₹ 20", "\u{202e}A", "tab\there"] {
            assert!(!section(vec![cells(name)]).can_be_written(), "{name}");
        }
    }

    #[test]
    fn long_cells_go_on_below_and_long_tables_on_another_page() {
        let orders: Vec<String> = (0..400).map(|n| format!("ORD-{n:04}")).collect();
        let long = ["word ".repeat(30), "S".repeat(40), "7".to_owned(), orders.join(", ")];
        let pdf = written(&[section(vec![long]), section(Vec::new())]).unwrap();
        let document = Document::load_mem(&pdf).unwrap();
        let pages = document.get_pages().len();
        assert_eq!(pages, 5, "four of a table of 200 lines, and one without a row");
        let numbers: Vec<u32> = (1..=5).collect();
        let text = document.extract_text(&numbers).unwrap();
        assert!(orders.iter().all(|order| text.contains(order.as_str())), "{text}");
        assert_eq!((text.matches("word").count(), text.matches('S').count() - 5), (30, 40), "{text}");
        assert!(text.contains("Order A-1  -  page 4 of 4"), "{text}");
    }

    #[test]
    fn words_are_cut_only_where_one_is_longer_than_a_line() {
        assert_eq!(wrapped("one two  three", 7), ["one two", "three"]);
        assert_eq!(wrapped("abcdefghij k", 4), ["abcd", "efgh", "ij k"]);
        assert!(wrapped(" ", 4).is_empty());
    }
}
