//! Many PDFs as one: an index first, then each document in the order given.

use lopdf::{Document, Object, ObjectId};

use super::paper::{Paper, arranged};
use super::pdf::{PdfError, opened, said_by};
use super::text::{Placed, saved, text_pages};

/// Rows of an index page.
const ROWS: usize = 44;
/// Characters of a line across a page.
const LINE: usize = 110;
/// What a page may take over from the pages above it.
const INHERITED: [&[u8]; 4] = [b"Resources", b"MediaBox", b"CropBox", b"Rotate"];

/// One row of the index with its document.
#[derive(Debug, Clone)]
pub(crate) struct Part {
    /// What the row says: the order number and so on, a cell for each column.
    pub cells: [String; 3],
    /// The document, or why it is missing.
    pub pdf: Result<Vec<u8>, String>,
}

/// The merged file.
#[derive(Debug)]
pub struct Merged {
    /// Its bytes.
    pub pdf: Vec<u8>,
    /// All its pages, the index among them.
    pub pages: usize,
    /// For each part the first of its pages, counted from 1.
    pub places: Vec<Option<usize>>,
}

/// Merges documents: behind an index, which says on each of its pages what is left out, or on a paper without one. A document
/// that cannot be used is said in the index instead of `Err`.
pub(crate) fn merge(
    title: &str,
    left_out: Option<&str>,
    columns: [&str; 3],
    parts: Vec<Part>,
    paper: Paper,
) -> Result<Merged, PdfError> {
    let mut document = Document::with_version("1.7");
    let tree = document.new_object_id();
    let mut kids: Vec<ObjectId> = Vec::new();
    let mut rows = Vec::with_capacity(parts.len());
    let mut firsts = Vec::with_capacity(parts.len());
    for part in parts {
        let first = kids.len();
        let added = part.pdf.and_then(|pdf| add(&mut document, tree, &pdf).map_err(|error| error.to_string()));
        let why = added.map(|pages| kids.extend(pages)).err();
        firsts.push(why.is_none().then_some(first));
        rows.push((part.cells, why));
    }
    // With no label there is the index, which says why.
    if paper != Paper::AsTheyAre && !kids.is_empty() {
        let sheets = arranged(&mut document, tree, &kids, paper)?;
        let places = firsts.into_iter().map(|first| first.map(|first| first / paper.labels() + 1)).collect();
        return finished(document, tree, sheets, places);
    }
    let index_pages = rows.len().div_ceil(ROWS).max(1);
    let places: Vec<Option<usize>> =
        firsts.into_iter().map(|first| first.map(|first| index_pages + first + 1)).collect();
    let rows: Vec<_> = rows
        .into_iter()
        .zip(&places)
        .map(|((cells, why), place)| {
            let place = place.unwrap_or_default();
            (cells, why.map_or_else(|| place.to_string(), |why| format!("missing: {why}")))
        })
        .collect();
    let chunks: Vec<&[_]> = if rows.is_empty() { vec![&[]] } else { rows.chunks(ROWS).collect() };
    let page = |(n, chunk): (usize, &&[_])| {
        let heading = format!("{title}  -  index {} of {}", n + 1, chunks.len());
        index([&heading, left_out.unwrap_or_default()], columns, chunk, n * ROWS)
    };
    let pages: Vec<Vec<Placed>> = chunks.iter().enumerate().map(page).collect();
    let mut all = text_pages(&mut document, tree, &pages)?;
    all.extend(kids.into_iter().map(Object::from));
    finished(document, tree, all, places)
}

fn finished(
    document: Document,
    tree: ObjectId,
    pages: Vec<Object>,
    places: Vec<Option<usize>>,
) -> Result<Merged, PdfError> {
    let count = pages.len();
    Ok(Merged { pdf: saved(document, tree, pages)?, pages: count, places })
}

/// Takes a document's objects over and gives its pages, in order. What can fail fails before anything is taken over.
fn add(into: &mut Document, tree: ObjectId, pdf: &[u8]) -> Result<Vec<ObjectId>, PdfError> {
    let mut from = opened(pdf)?;
    from.renumber_objects_with(into.max_id + 1);
    let kids: Vec<ObjectId> = from.page_iter().collect();
    for id in &kids {
        for key in INHERITED {
            if let Some(node) = said_by(&from, *id, key).filter(|node| node != id) {
                let value = shared(&mut from, node, key)?;
                from.get_dictionary_mut(*id)?.set(key, value);
            }
        }
        let page = from.get_dictionary_mut(*id)?;
        page.set("Parent", tree);
        // What leads out of the page leads to objects that are not taken over.
        for key in [b"StructParents".as_slice(), b"B"] {
            page.remove(key);
        }
    }
    into.max_id = from.max_id;
    into.objects.append(&mut from.objects);
    Ok(kids)
}

/// A value of a node above pages, as each of them can have it: a large one as an object of its own, or it would be there once
/// for each page.
fn shared(document: &mut Document, node: ObjectId, key: &[u8]) -> Result<Object, PdfError> {
    let value = document.get_dictionary(node)?.get(key)?;
    let is_box = |sides: &[Object]| sides.len() == 4 && sides.iter().all(|side| side.as_float().is_ok());
    match value {
        Object::Reference(_) | Object::Integer(_) => return Ok(value.clone()),
        Object::Array(sides) if is_box(sides) => return Ok(value.clone()),
        _ => {}
    }
    let value = document.get_dictionary_mut(node)?.remove(key).unwrap_or(Object::Null);
    let shared = Object::Reference(document.add_object(value));
    document.get_dictionary_mut(node)?.set(key, shared.clone());
    Ok(shared)
}

/// One page of the index.
fn index(
    [heading, left_out]: [&str; 2],
    columns: [&str; 3],
    rows: &[([String; 3], String)],
    before: usize,
) -> Vec<Placed> {
    const COLUMNS: [i64; 5] = [40, 80, 230, 400, 500];
    let mut texts = Vec::new();
    let mut line = |y: i64, size: i64, cells: [&str; 5]| {
        let cells = COLUMNS.into_iter().zip(cells).filter(|(_, text)| !text.is_empty());
        texts.extend(cells.map(|(x, text)| Placed { x, y, size, text: text.to_owned() }));
    };
    line(804, 13, [heading, "", "", "", ""]);
    line(789, 9, [&cut(left_out, LINE), "", "", "", ""]);
    line(776, 9, ["no.", columns[0], columns[1], columns[2], "page"]);
    for (n, (cells, said)) in (before + 1..).zip(rows) {
        let y = 760 - 16 * i64::try_from(n - before - 1).unwrap_or(0);
        let number = n.to_string();
        // What is missing says why, in the room of the last two columns.
        let is_missing = said.starts_with("missing");
        let third = if is_missing { cut(said, 36) } else { cut(&cells[2], 17) };
        let last = if is_missing { "" } else { said };
        line(y, 9, [&number, &cut(&cells[0], 26), &cut(&cells[1], 30), &third, last]);
    }
    texts
}

fn cut(text: &str, characters: usize) -> String {
    crate::text::shortened(text, characters)
}

#[cfg(test)]
mod tests {
    use lopdf::{Stream, dictionary};

    use super::*;

    /// A document of so many pages whose size and rotation stand above them, as some writers have it.
    fn with_inherited_size(pages: i64) -> Vec<u8> {
        let mut document = Document::with_version("1.4");
        let tree = document.new_object_id();
        let kids: Vec<Object> = (0..pages)
            .map(|_| {
                let content = document.add_object(Stream::new(dictionary! {}, b"0 0 m 9 9 l S".to_vec()));
                document.add_object(dictionary! { "Type" => "Page", "Parent" => tree, "Contents" => content }).into()
            })
            .collect();
        let size: Vec<Object> = [0, 0, 288, 432].map(Object::Integer).to_vec();
        document.objects.insert(
            tree,
            dictionary! { "Type" => "Pages", "Kids" => kids, "Count" => pages, "MediaBox" => size, "Rotate" => 90,
            "Resources" => dictionary! {} }
            .into(),
        );
        let catalog = document.add_object(dictionary! { "Type" => "Catalog", "Pages" => tree });
        document.trailer.set("Root", catalog);
        let mut bytes = Vec::new();
        document.save_to(&mut bytes).unwrap();
        bytes
    }

    fn part(name: &str, pdf: Result<Vec<u8>, String>) -> Part {
        Part { cells: [name.to_owned(), String::new(), String::new()], pdf }
    }

    #[test]
    fn pages_keep_their_order_and_what_they_had_from_above() {
        let parts = vec![
            part("one", Ok(with_inherited_size(2))),
            part("missing", Err("nothing lies there".to_owned())),
            part("garbage", Ok(b"%PDF-1.4 garbage".to_vec())),
            part("two", Ok(with_inherited_size(1))),
        ];
        let merged = merge("Labels", None, ["order", "AWB", "carrier"], parts, Paper::AsTheyAre).unwrap();
        assert_eq!((merged.pages, &merged.places), (4, &vec![Some(2), None, None, Some(4)]));
        let document = Document::load_mem(&merged.pdf).unwrap();
        assert_eq!(document.get_pages().len(), 4);
        for number in [2, 3, 4] {
            let page = document.get_dictionary(document.get_pages()[&number]).unwrap();
            assert_eq!(page.get(b"Rotate").unwrap().as_i64().unwrap(), 90);
            assert_eq!(page.get(b"MediaBox").unwrap().as_array().unwrap()[3].as_i64().unwrap(), 432);
        }
        let text = document.extract_text(&[1]).unwrap();
        for said in ["one", "missing: nothing lies there", "missing: it is not a PDF that can b", "two"] {
            assert!(text.contains(said), "{text}");
        }
    }

    #[test]
    fn a_long_index_takes_more_pages_and_an_empty_one_takes_one() {
        let parts: Vec<Part> = (0..100).map(|n| part(&n.to_string(), Ok(with_inherited_size(1)))).collect();
        let merged = merge("Labels", None, ["order", "AWB", "carrier"], parts, Paper::AsTheyAre).unwrap();
        assert_eq!((merged.pages, merged.places[0], merged.places[99]), (103, Some(4), Some(103)));
        assert_eq!(merge("Labels", None, ["", "", ""], Vec::new(), Paper::AsTheyAre).unwrap().pages, 1);
    }

    #[test]
    fn what_stands_above_many_pages_is_there_once() {
        let mut document = Document::load_mem(&with_inherited_size(9)).unwrap();
        let page = document.page_iter().next().unwrap();
        let tree = document.get_dictionary(page).unwrap().get(b"Parent").unwrap().as_reference().unwrap();
        let font = dictionary! { "F1" => Object::Array(vec![1.into(); 1000]) };
        document.get_dictionary_mut(tree).unwrap().set("Resources", dictionary! { "Font" => font });
        let mut bytes = Vec::new();
        document.save_to(&mut bytes).unwrap();
        let merged = merge("Labels", None, ["", "", ""], vec![part("", Ok(bytes))], Paper::AsTheyAre).unwrap();
        assert_eq!(merged.pages, 10);
        assert!(merged.pdf.len() < 6_000, "{}", merged.pdf.len());
        let merged = Document::load_mem(&merged.pdf).unwrap();
        for page in merged.page_iter().skip(1) {
            let resources = merged.get_dictionary(page).unwrap().get_deref(b"Resources", &merged).unwrap();
            assert!(resources.as_dict().unwrap().has(b"Font"));
        }
    }

    #[test]
    fn what_is_no_pdf_is_named() {
        let pages = super::super::pdf::pages;
        assert!(matches!(pages(b""), Err(PdfError::Unreadable(_))));
        assert!(matches!(pages(b"<html>"), Err(PdfError::Unreadable(_))));
        assert!(matches!(pages(&with_inherited_size(0)), Err(PdfError::Pages(0))));
        assert_eq!(pages(&with_inherited_size(3)).unwrap(), 3);
        let whole = with_inherited_size(2);
        let end = memchr::memmem::rfind(&whole, b"%%EOF").unwrap() + 5;
        for end in 0..end {
            assert!(pages(&whole[..end]).is_err(), "{end} of {} bytes", whole.len());
        }
    }
}
