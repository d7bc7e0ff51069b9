//! Codes that a spreadsheet took for something else before the sheet was saved as text: `3-4` that became `3-Apr`,
//! `MAR05` that became `Mar-05`, `1E5`.

use std::sync::LazyLock;

use regex::Regex;

use super::fault::Fault;
use crate::field::{Field, Id, Kind};
use crate::finding::cell;

/// What spreadsheets and programs write for dates, times and powers of ten.
static LOOKS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let day = "(?:0?[1-9]|[12][0-9]|3[01])";
    let month = "(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)";
    let year = "(?:19|20)[0-9]{2}";
    let named = format!("{day}[-/]{month}(?:[-/](?:[0-9]{{2}}|{year}))?|{month}[-/][0-9]{{2}}");
    let figures = format!("{year}[-/]{day}[-/]{day}|{day}[-/]{day}[-/]{year}");
    let time = "[0-9]{1,2}(?::[0-9]{1,2}){1,2}(?:[.][0-9]*)?(?: [AP]M)?";
    let cell = format!("{named}|(?:(?:{named}|{figures})[ T])?{time}");
    let power = "[0-9]+(?<point>[.][0-9]*)?[eE][+-]?[0-9]+";
    Regex::new(&format!("^(?:(?<cell>{cell})|(?<date>{figures})|(?<power>{power}))$")).ok()
});

/// What to say of a code or a name that is most likely not what was typed.
///
/// Where the sheet itself marks a value as text (`="3-Apr"`), nothing was mistaken.
pub(super) fn mistaken(field: &Field, text: &str) -> Option<Fault> {
    let concerned = matches!(field.kind, Kind::OrderNumber | Kind::Text | Kind::NullableText) && !field.may_be_date();
    // Nearly every text ends here: such cells begin with a digit, or with a month and two digits behind a sign.
    let is_suspect = match text.as_bytes() {
        [b'0'..=b'9', ..] => true,
        [_, _, _, b'-' | b'/', _, _, rest @ ..] => matches!(rest, [] | [b' ' | b'T', ..]),
        _ => false,
    };
    if !concerned || !is_suspect || text.len() > "2026-03-05 00:00:00.000000".len() {
        return None;
    }
    let found = LOOKS.as_ref()?.captures(text)?;
    let (is_number, is_sku) = (field.id == Id::OrderNumber, field.id == Id::Sku);
    let fault = if found.name("power").is_some() {
        // `1E5` is many a code; with a point hardly anybody types one.
        match found.name("point") {
            _ if !is_number && !is_sku => return None,
            Some(_) if is_number => cell::digits_lost::number_reads_shortened(text),
            _ => cell::digits_lost::reads_shortened(),
        }
    } else if is_number || (is_sku && found.name("cell").is_some()) {
        // Dates in figures people type as well: `05-03-2026`.
        cell::turned_into_date::reads_as_date(text)
    } else {
        cell::turned_into_date::may_be_date(text)
    };
    Some(fault.into())
}
