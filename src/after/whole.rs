//! Whether a PDF is whole: readers mend what is cut short, and print what is left of it.

use lopdf::{Document, Object};

use super::merge::PdfError;

/// The end of a PDF stands among its last bytes; some writers put a few others behind it.
const END_BYTES: usize = 1024;
/// A document that was made for the web says its length among its first bytes.
const HEAD_BYTES: usize = 1024;

/// Fails where the file ends before its end: a reader would mend it and show what came through.
pub(super) fn refuse_cut(pdf: &[u8]) -> Result<(), PdfError> {
    let cut = |what: &str| Err(PdfError::Cut(what.to_owned()));
    let tail = &pdf[pdf.len().saturating_sub(END_BYTES)..];
    let Some(end) = rfind(tail, b"%%EOF") else { return cut("its end mark %%EOF is missing") };
    let Some(start) = rfind(&tail[..end], b"startxref") else { return cut("its end names no table of contents") };
    let digits = String::from_utf8_lossy(&tail[start + b"startxref".len()..end]);
    match digits.trim().parse::<usize>() {
        Ok(place) if place < pdf.len() => {}
        _ => return cut("its table of contents lies behind its end"),
    }
    if declared_length(pdf).is_some_and(|declared| pdf.len() < declared) {
        return cut("it is shorter than it says itself");
    }
    Ok(())
}

/// Fails where a page's own content is named and not there.
pub(super) fn refuse_hollow(document: &Document) -> Result<(), PdfError> {
    for (number, page) in document.get_pages() {
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
    use super::*;

    fn is_whole(pdf: &[u8]) -> bool {
        refuse_cut(pdf).is_ok()
    }

    #[test]
    fn the_end_must_be_there_and_lead_somewhere() {
        assert!(is_whole(b"%PDF-1.4\nxref\ntrailer\nstartxref\n9\n%%EOF\n"));
        assert!(is_whole(b"%PDF-1.4\nxref\ntrailer\nstartxref\r\n9\r\n%%EOF\r\n\0\0\0"));
        for cut in
            ["", "%PDF-1.4\n", "%PDF-1.4\nxref\ntrailer\nstartxref\n9\n", "%PDF-1.4\n%%EOF", "startxref\n99\n%%EOF"]
        {
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
