//! One PDF as it came: opened within bounds, mended where its table of contents is wrong, refused where a part is missing.

use std::cell::Cell;
use std::collections::HashSet;

use lopdf::xref::XrefRecovery;
use lopdf::{DecompressError, Document, LoadOptions, Object, ObjectId};

/// More pages than a label or an invoice has.
const PAGES_MAX: usize = 200;
/// More than the content of all pages of one document unpacks to.
const CONTENT_BYTES_MAX: usize = 64 << 20;
/// More than its packed objects unpack to. An object in memory is some sixty times as large as its text.
const OBJECT_BYTES_MAX: usize = 4 << 20;
/// How deep the tree of pages may be.
const DEPTH_MAX: usize = 32;
/// A document that was made for the web says its length among its first bytes.
const HEAD_BYTES: usize = 1024;
/// Its end stands there.
const END: &[u8] = b"%%EOF";

/// Why a PDF cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum PdfError {
    /// It cannot be read or written.
    #[error("it is not a PDF that can be read ({0})")]
    Unreadable(String),
    /// It ends before its end, or holds less than it names.
    #[error("it is cut short: {0}")]
    Cut(String),
    /// It asks for a password.
    #[error("it is encrypted")]
    Encrypted,
    /// It has no page, or far too many.
    #[error("it has {0} pages")]
    Pages(usize),
    /// It takes far more memory than any label.
    #[error("it unpacks to far more than any label needs")]
    Bomb,
}

impl From<lopdf::Error> for PdfError {
    fn from(error: lopdf::Error) -> Self {
        match error {
            lopdf::Error::Decompress(DecompressError::MemoryLimitExceeded { .. }) => Self::Bomb,
            error => Self::Unreadable(error.to_string()),
        }
    }
}

/// How many pages a PDF has, where it is whole and can be used.
pub(super) fn pages(pdf: &[u8]) -> Result<usize, PdfError> {
    Ok(opened(pdf)?.page_iter().count())
}

/// A PDF that is whole and can be used.
pub(super) fn opened(pdf: &[u8]) -> Result<Document, PdfError> {
    let mut document = read(pdf, false)?;
    if document.is_encrypted() {
        return Err(PdfError::Encrypted);
    }
    refuse_cut(pdf)?;
    if !is_complete(&document) {
        // As readers do: the objects are there, but the table leads elsewhere.
        document = read(pdf, true).ok().filter(is_complete).unwrap_or(document);
    }
    match document.page_iter().count() {
        1..=PAGES_MAX => {}
        count => return Err(PdfError::Pages(count)),
    }
    refuse_hollow(&document)?;
    if document.xref_recovery == Some(XrefRecovery::Reconstructed) && !is_complete(&document) {
        return Err(PdfError::Cut("its table of contents is wrong, and parts of a page are missing".to_owned()));
    }
    let mut left = CONTENT_BYTES_MAX;
    for page in document.page_iter() {
        left -= content(&document, page, left)?.len();
    }
    Ok(document)
}

/// The parts that draw a page of an opened document.
pub(super) fn page_content(document: &Document, page: ObjectId) -> Result<Vec<u8>, PdfError> {
    content(document, page, CONTENT_BYTES_MAX)
}

fn content(document: &Document, page: ObjectId, bytes_max: usize) -> Result<Vec<u8>, PdfError> {
    let content = document.get_page_content_with_limit(page, bytes_max)?;
    // A line end more stands behind each part.
    if content.len() > bytes_max { Err(PdfError::Bomb) } else { Ok(content) }
}

thread_local! {
    /// The bytes that the document on this thread may still unpack: of packed objects, and of streams.
    static LEFT: Cell<Option<(usize, usize)>> = const { Cell::new(None) };
}

/// Reads a document, by its table of contents or by a search for its objects.
fn read(pdf: &[u8], is_searched: bool) -> Result<Document, PdfError> {
    // A table may name a stream twice, but not without end.
    LEFT.set(Some((OBJECT_BYTES_MAX, 2 * pdf.len())));
    let options = LoadOptions {
        filter: Some(within_bounds),
        max_decompressed_size: Some(OBJECT_BYTES_MAX),
        force_reconstruct: is_searched,
        ..LoadOptions::default()
    };
    let mut document = Document::load_mem_with_options(pdf, options)?;
    LEFT.get().ok_or(PdfError::Bomb)?;
    // Unpacked by now, and not unpacked once more.
    document.objects.retain(|_, object| !is_packed_objects(object));
    Ok(document)
}

fn is_packed_objects(object: &Object) -> bool {
    object.as_stream().is_ok_and(|stream| stream.dict.has_type(b"ObjStm"))
}

/// Counts each stream before its objects are unpacked: the reader bounds one at a time, and reads one as often as it is named.
fn within_bounds(id: ObjectId, object: &mut Object) -> Option<(ObjectId, Object)> {
    let Ok(stream) = object.as_stream() else { return Some((id, object.clone())) };
    let (objects, streams) = LEFT.get()?;
    let unpacked = if is_packed_objects(object) {
        match stream.get_plain_content_with_limit(objects) {
            Ok(content) => Some(content.len()),
            Err(lopdf::Error::Decompress(DecompressError::MemoryLimitExceeded { .. })) => None,
            Err(_) => Some(0),
        }
    } else {
        Some(0)
    };
    LEFT.set(unpacked.and_then(|unpacked| Some((objects - unpacked, streams.checked_sub(stream.content.len())?))));
    // The reader keeps the stream itself, and only asks whether to.
    LEFT.get().map(|_| (id, Object::Null))
}

/// The page or the nearest node above it that says something of it.
pub(super) fn said_by(document: &Document, page: ObjectId, key: &[u8]) -> Option<ObjectId> {
    let mut id = page;
    for _ in 0..DEPTH_MAX {
        let node = document.get_dictionary(id).ok()?;
        if node.has(key) {
            return Some(id);
        }
        id = node.get(b"Parent").ok()?.as_reference().ok()?;
    }
    None
}

/// Whether there are pages, and all that draws them is there.
fn is_complete(document: &Document) -> bool {
    let mut open: Vec<&Object> = Vec::new();
    let mut pages = 0;
    for page in document.page_iter() {
        pages += 1;
        let said = |key: &[u8]| document.get_dictionary(said_by(document, page, key)?).ok()?.get(key).ok();
        open.extend([b"Contents".as_slice(), b"Resources"].into_iter().filter_map(said));
    }
    let mut seen = HashSet::new();
    while let Some(object) = open.pop() {
        let dictionary = match object {
            Object::Reference(id) if seen.insert(*id) => {
                let Some(object) = document.objects.get(id) else { return false };
                open.push(object);
                continue;
            }
            Object::Array(list) => {
                open.extend(list);
                continue;
            }
            Object::Dictionary(dictionary) => dictionary,
            Object::Stream(stream) => &stream.dict,
            _ => continue,
        };
        open.extend(dictionary.iter().map(|(_, value)| value));
    }
    pages > 0
}

/// Fails where the file ends before its end: a reader would mend it and show what came through.
fn refuse_cut(pdf: &[u8]) -> Result<(), PdfError> {
    let cut = |what: &str| Err(PdfError::Cut(what.to_owned()));
    // Some writers put other bytes before it, and count them or not.
    let (bytes, pdf) = (pdf.len(), &pdf[memchr::memmem::find(pdf, b"%PDF-").unwrap_or(0)..]);
    let Some(end) = rfind(pdf, END) else { return cut("its end mark %%EOF is missing") };
    if has_object(&pdf[end..]) {
        return cut("it goes on behind its end mark %%EOF, and has no other");
    }
    if let Some(start) = rfind(&pdf[..end], b"startxref") {
        let digits = String::from_utf8_lossy(&pdf[start + b"startxref".len()..end]);
        if digits.trim().parse::<usize>().is_ok_and(|place| place >= bytes) {
            return cut("its table of contents lies behind its end");
        }
    }
    if declared_length(pdf).is_some_and(|declared| pdf.len() < declared) {
        return cut("it is shorter than it says itself");
    }
    Ok(())
}

/// Whether an object begins in these bytes: `7 0 obj`.
fn has_object(bytes: &[u8]) -> bool {
    memchr::memmem::find_iter(bytes, b" obj").any(|place| {
        place.checked_sub(1).is_some_and(|before| bytes[before].is_ascii_digit())
            && !bytes.get(place + 4).is_some_and(u8::is_ascii_alphabetic)
    })
}

/// Fails where a page's own content is named and not there.
fn refuse_hollow(document: &Document) -> Result<(), PdfError> {
    for (number, page) in (1..).zip(document.page_iter()) {
        let is_there = |id| document.get_object(id).is_ok_and(|object| !matches!(object, Object::Null));
        let contents = document.get_dictionary(page)?.get(b"Contents").ok();
        let whole = match contents {
            Some(Object::Reference(id)) => is_there(*id),
            Some(Object::Array(parts)) => parts.iter().all(|part| part.as_reference().map_or(true, is_there)),
            _ => true,
        };
        if !whole {
            return Err(PdfError::Cut(format!("the content of page {number} is missing")));
        }
    }
    Ok(())
}

/// The length that a linearized document declares.
fn declared_length(pdf: &[u8]) -> Option<usize> {
    let head = &pdf[..pdf.len().min(HEAD_BYTES)];
    let dictionary = &head[rfind(head, b"/Linearized")?..];
    let end = dictionary.windows(2).position(|two| two == b">>").unwrap_or(dictionary.len());
    let dictionary = &dictionary[..end];
    let is_key = |three: &[u8]| three.starts_with(b"/L") && !three[2].is_ascii_alphabetic();
    let from = dictionary.windows(3).position(is_key)?;
    let digits: String = dictionary[from + 2..]
        .iter()
        .map(|byte| char::from(*byte))
        .skip_while(char::is_ascii_whitespace)
        .take_while(char::is_ascii_digit)
        .collect();
    digits.parse().ok()
}

fn rfind(bytes: &[u8], what: &[u8]) -> Option<usize> {
    memchr::memmem::rfind(bytes, what)
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;
    use std::io::Write as _;

    use super::*;

    /// A document of these objects, counted from 1, of which the first is the catalog.
    fn of(objects: &[String]) -> String {
        let (mut pdf, mut table) = ("%PDF-1.5\n".to_owned(), "0000000000 65535 f \n".to_owned());
        for (number, object) in (1..).zip(objects) {
            writeln!(table, "{:010} 00000 n ", pdf.len()).unwrap();
            writeln!(pdf, "{number} 0 obj\n{object}\nendobj").unwrap();
        }
        let (size, start) = (objects.len() + 1, pdf.len());
        pdf + &format!("xref\n0 {size}\n{table}trailer\n<< /Size {size} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n")
    }

    fn stream(entries: &str, content: &str) -> String {
        format!("<< {entries} /Length {} >>\nstream\n{content}\nendstream", content.len())
    }

    /// A stream of this content, packed so many times.
    fn packed(entries: &str, content: &[u8], times: usize) -> String {
        let mut content = content.to_vec();
        for _ in 0..times {
            let mut packer = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
            packer.write_all(&content).unwrap();
            content = packer.finish().unwrap();
        }
        let hex = content.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().concat();
        let filters = "/FlateDecode ".repeat(times);
        stream(&format!("{entries} /Filter [/ASCIIHexDecode {filters}]"), &format!("{hex}>"))
    }

    /// A label of one page with these contents, and more objects from number 6 on.
    fn label(contents: &str, content: String, more: &[String]) -> String {
        let page = format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 288 432] /Contents {contents} /Resources << /Font << /F1 5 0 R >> >> >>"
        );
        let font = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>".to_owned();
        let tree = "<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_owned();
        let mut objects = vec!["<< /Type /Catalog /Pages 2 0 R >>".to_owned(), tree, page, content, font];
        objects.extend_from_slice(more);
        of(&objects)
    }

    fn usual() -> String {
        label("4 0 R", stream("", "BT /F1 9 Tf (AWB 7) Tj ET"), &[])
    }

    fn refusal(pdf: &str) -> String {
        opened(pdf.as_bytes()).map(|_| ()).unwrap_err().to_string()
    }

    #[test]
    fn a_wrong_or_missing_table_of_contents_is_mended_as_readers_do() {
        let usual = usual();
        assert!(opened(usual.as_bytes()).unwrap().xref_recovery.is_none());
        let (table, start) = (usual.find("xref").unwrap(), usual.find("startxref").unwrap());
        let trailer = usual.find("trailer").unwrap();
        let of_content = format!("{:010} 00000 n", usual.find("4 0 obj").unwrap());
        let mended = [
            ("no startxref", format!("{}%%EOF\n", &usual[..start])),
            ("no table", format!("{}{}", &usual[..table], &usual[trailer..])),
            ("neither table nor trailer", format!("{}%%EOF\n", &usual[..table])),
            ("a table of nonsense", usual.replace("00000 n", "00000 x")),
            ("a table that is wrong throughout", usual.replace(" 00000 n", "7 00000 n").replace("\n00000", "\n0000")),
            ("a table that leads to another object", usual.replace(&of_content, "0000000009 00000 n")),
            ("a font elsewhere", usual.replace(&format!("{:010}", usual.find("5 0 obj").unwrap()), "0000000011")),
            ("startxref within an object", usual.replace(&format!("startxref\n{table}"), "startxref\n40")),
            ("startxref without a number", usual.replace(&format!("startxref\n{table}"), "startxref\n")),
            ("bytes before it", format!("HTTP/1.1 200 OK\r\nContent-Type: application/pdf\r\n\r\n{usual}")),
            ("more bytes before it", format!("{}\n{usual}", "x".repeat(3000))),
            ("bytes behind it", format!("{usual}{}", "<p>thank you, object 7</p>\n".repeat(200))),
            ("zeros behind it", format!("{usual}{}", "\0".repeat(5000))),
            ("line ends of another system", usual.replace("endobj\n", "endobj\r\n")),
        ];
        for (what, pdf) in mended {
            let document = opened(pdf.as_bytes()).unwrap_or_else(|error| panic!("{what}: {error}"));
            let page = document.page_iter().next().unwrap();
            assert_eq!(page_content(&document, page).unwrap(), b"BT /F1 9 Tf (AWB 7) Tj ET\n", "{what}");
            assert!(is_complete(&document), "{what}");
        }
    }

    #[test]
    fn what_lost_a_part_is_not_mended() {
        let usual = usual();
        let (content, font, table) =
            (usual.find("4 0 obj").unwrap(), usual.find("5 0 obj").unwrap(), usual.find("xref").unwrap());
        let start = usual.find("startxref").unwrap();
        for (what, pdf) in [
            ("its content", format!("{}{}%%EOF\n", &usual[..content], &usual[font..start])),
            ("its font", format!("{}{}%%EOF\n", &usual[..font], &usual[table..start])),
            ("what a later version added", format!("{usual}4 0 obj\n<< /Length 40 >>\nstream\nBT")),
        ] {
            let refusal = refusal(&pdf);
            assert!(refusal.contains("it is cut short"), "{what}: {refusal}");
        }
        for (end, _) in usual.char_indices().filter(|(end, _)| *end < usual.rfind("%%EOF").unwrap() + 5) {
            assert!(opened(&usual.as_bytes()[..end]).is_err(), "{end} of {} bytes", usual.len());
        }
    }

    #[test]
    fn what_unpacks_without_end_is_refused() {
        let bomb = "it unpacks to far more than any label needs";
        let spaces = vec![b' '; CONTENT_BYTES_MAX];
        assert_eq!(refusal(&label("4 0 R", packed("", &[spaces.clone(), b"  ".to_vec()].concat(), 2), &[])), bomb);
        // Named again and again, by one page and by many.
        let some = packed("", &spaces[..1 << 20], 2);
        assert!(opened(label("4 0 R", some.clone(), &[]).as_bytes()).is_ok());
        assert_eq!(refusal(&label(&format!("[{}]", "4 0 R ".repeat(64)), some.clone(), &[])), bomb);
        let more: Vec<String> =
            (0..70).map(|_| "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R >>".to_owned()).collect();
        let kids = (6..76).map(|number| format!("{number} 0 R")).collect::<Vec<_>>().join(" ");
        let pages = label("4 0 R", some, &more).replace("/Kids [3 0 R]", &format!("/Kids [3 0 R {kids}]"));
        assert_eq!(refusal(&pages), bomb);
        // Packed objects: one that is large, many, and one that the table names many times.
        let objects = |bytes: usize| {
            let text = format!("7 0 8 5 null [{}]", "1 ".repeat(bytes / 2));
            packed("/Type /ObjStm /N 2 /First 8", text.as_bytes(), 2)
        };
        let content = || stream("", "BT ET");
        assert_eq!(refusal(&label("4 0 R", content(), &[objects(OBJECT_BYTES_MAX)])), bomb);
        let third = objects(OBJECT_BYTES_MAX / 3);
        assert!(opened(label("4 0 R", content(), std::slice::from_ref(&third)).as_bytes()).is_ok());
        assert_eq!(refusal(&label("4 0 R", content(), &vec![third.clone(); 3])), bomb);
        let twice = label("4 0 R", content(), &[third.clone(), third.clone(), third]);
        let place = |number: usize| format!("{:010} 00000 n", twice.find(&format!("\n{number} 0 obj")).unwrap() + 1);
        let one_place = twice.replace(&place(7), &place(6)).replace(&place(8), &place(6));
        assert_eq!(refusal(&one_place), bomb);
    }

    fn is_whole(pdf: &[u8]) -> bool {
        refuse_cut(pdf).is_ok()
    }

    #[test]
    fn the_end_must_be_there_and_lead_somewhere() {
        assert!(is_whole(b"%PDF-1.4\nxref\ntrailer\nstartxref\n9\n%%EOF\n"));
        assert!(is_whole(b"%PDF-1.4\nxref\ntrailer\nstartxref\r\n9\r\n%%EOF\r\n\0\0\0"));
        for cut in ["", "%PDF-1.4\n", "%PDF-1.4\nxref\ntrailer\nstartxref\n9\n", "startxref\n99\n%%EOF"] {
            assert!(!is_whole(cut.as_bytes()), "{cut}");
        }
    }

    #[test]
    fn a_document_for_the_web_is_as_long_as_it_says() {
        let of =
            |length: usize| format!("%PDF-1.4\n1 0 obj << /Linearized 1 /L {length} /H [1 2] >>\nstartxref\n9\n%%EOF");
        let right = of(10).len();
        assert_eq!(declared_length(of(123).as_bytes()), Some(123));
        assert!(is_whole(of(right).as_bytes()) && is_whole(of(10).as_bytes()));
        assert!(!is_whole(of(1000).as_bytes()));
        assert_eq!(declared_length(b"<< /L 7 >>"), None);
    }
}
