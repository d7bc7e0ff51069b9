//! Columns are decided once: what builds orders and judges them asks no header anything.

use crate::architecture::{Source, hold};
use crate::source::{line_of, words};

/// What reads a header: columns are decided before orders are built, and no later step asks a header anything.
const HEADER_READERS: &str = "HeaderReading Headers";

/// Orders are built from decided columns: no reader of headers is imported, and a header's text is only shown.
fn wrong_readers(source: &Source) -> Vec<String> {
    if !["src/order/", "src/checks/"].iter().any(|home| source.name.starts_with(home)) {
        return Vec::new();
    }
    let code = &source.product;
    let imported = HEADER_READERS.split_whitespace().flat_map(|reader| {
        let used = words(code, reader)
            .filter(|at| matches!(code[at + reader.len()..].bytes().next(), Some(b',' | b'}' | b';')));
        used.map(|at| format!("{}:{}: `{reader}` reads headers", source.name, line_of(code, at))).collect::<Vec<_>>()
    });
    let asked = [
        "Column::of(",
        "header.contains",
        "header.to_lowercase",
        "header.starts_with",
        "header.ends_with",
        "normalised(header",
        "normalised(&header",
        "has_word(header",
        "words(header",
    ];
    let read = asked.iter().flat_map(|asked| {
        code.match_indices(asked)
            .filter(|(at, _)| !code[..*at].ends_with("field()."))
            .map(move |(at, _)| format!("{}:{}: {asked} reads a header", source.name, line_of(code, at)))
    });
    imported.chain(read).collect()
}

#[test]
fn orders_are_built_from_decided_columns() {
    hold(wrong_readers);
}

#[test]
fn a_reader_of_headers_is_found() {
    let of = |code: &str| {
        wrong_readers(&Source::new("src/order/group.rs", &format!("//! Made up for a test.\n{code}\n"))).len()
    };
    assert_eq!(of("use crate::field::{Id, HeaderReading};"), 1);
    assert_eq!(of("fn f() { header.contains(word); normalised(header); }"), 2);
    assert_eq!(of("use crate::field::Id; fn f(total_of: u8) { say(header, column.total_of); }"), 0);
}
