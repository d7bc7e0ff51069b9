//! What spreadsheets and wrong encodings do to text: repaired where nothing is lost, refused where something is.

use std::borrow::Cow;

use encoding_rs::WINDOWS_1252;

use super::fault::{Fault, Parsed};
use super::number::{looks_scientific, restored};
use crate::field::{Field, Id, Kind};
use crate::finding::{Remedy, cell};

/// Numbers of more digits than this lose their last ones in a spreadsheet.
const SPREADSHEET_DIGITS: usize = 15;

/// What spreadsheets write into a text file where a formula failed.
const ERROR_VALUES: &[&str] =
    &["#N/A", "#REF!", "#VALUE!", "#NAME?", "#DIV/0!", "#NUM!", "#NULL!", "#SPILL!", "#CALC!"];

/// The mark of a lost letter in UTF-8, read as Windows-1252.
const LOST_LETTER: &str = "ï¿½";

/// A text without what does not belong into it, or what is lost.
pub(super) fn clean(kind: Kind, text: &str) -> Parsed<Cow<'_, str>> {
    let free = matches!(kind, Kind::Text | Kind::NullableText | Kind::OrderNumber | Kind::Warehouse);
    let is_ascii = text.is_ascii();
    if !is_ascii && (text.contains('\u{fffd}') || text.contains(LOST_LETTER)) {
        return Err(cell::mojibake::letter_lost("\u{fffd}").into());
    }
    if text.starts_with('#') && ERROR_VALUES.iter().any(|value| value.eq_ignore_ascii_case(text)) {
        return Err(cell::error_cell::formula_had_failed().into());
    }
    // The quote before the first backslash ended the quoted part of a text file, and is gone.
    if text.ends_with('"') && text.contains("\\\"") {
        return Err(cell::mojibake::quotes_lost().into());
    }
    let (mut cleaned, mut note) = if is_ascii { (text.into(), None) } else { visible(text, kind)? };
    // A mark of inches or feet stands behind a figure (`10"`, `5'`), and quotes on both sides.
    let is_quote = |c: char| matches!(c, '\'' | '"' | '‘' | '’' | '“' | '”' | '„' | '‚' | '`' | '´');
    let inches = kind == Kind::Measure && cleaned.ends_with(is_quote) && !cleaned.starts_with(is_quote);
    if !(free || inches) || (kind == Kind::OrderNumber && !is_ascii) {
        strip_quotes(&mut cleaned, &mut note);
    }
    shortened(kind, free, &mut cleaned, &mut note)?;
    if kind == Kind::OrderNumber && cleaned != text {
        let fault = note.map_or_else(cell::bad_text::not_what_it_seems, |note| *note);
        return Err(fault.remedy(Remedy::edit(cleaned)).hold().into());
    }
    Ok((cleaned, note))
}

/// The fault of a text of which question marks have taken the place of letters, as in sheets that were saved in an
/// encoding without them.
pub(super) fn lost(field: &Field, text: &str) -> Option<Fault> {
    if !matches!(field.kind, Kind::Text | Kind::NullableText) || !text.as_bytes().contains(&b'?') {
        return None;
    }
    let marks = text.bytes().filter(|byte| *byte == b'?').count();
    let all = marks >= 2 && !text.contains(char::is_alphanumeric);
    // Words for people may ask a question; of a name or an address, nobody asks one.
    let is_within = |three: &[u8]| three[1] == b'?' && three[0].is_ascii_alphabetic() && three[2].is_ascii_alphabetic();
    let within = || text.as_bytes().windows(3).any(is_within);
    // Behind the last word of an address they ask whether it is right: `Near SBI ATM??`. A name may end in a lost letter.
    let asks = text.trim_end_matches('?');
    let asks = field.path.starts_with("destination.address")
        && !asks.contains("??")
        && asks.ends_with(|c: char| c.is_ascii_alphanumeric() || c == ' ');
    (all || (field.is_receivers() && ((text.contains("??") && !asks) || within())))
        .then(|| cell::mojibake::letters_lost().into())
}

/// Takes out what cannot be seen and undoes a wrong encoding.
fn visible(text: &str, kind: Kind) -> Parsed<Cow<'_, str>> {
    if let Some(repaired) = unscrambled(text) {
        if repaired.contains(LOST_LETTER) || repaired.contains('\u{fffd}') {
            return Err(cell::mojibake::letter_lost("\u{fffd}").into());
        }
        let note = cell::mojibake::repaired(&repaired);
        return Ok((repaired.into(), Some(note.into())));
    }
    if text.contains("Ã") && text.contains("â€") {
        return Err(cell::mojibake::wrong_encoding().into());
    }
    if !text.contains(|c| is_invisible(c) || is_odd_space(c)) {
        return Ok((text.into(), None));
    }
    let seen: String =
        text.chars().filter(|c| !is_invisible(*c)).map(|c| if is_odd_space(c) { ' ' } else { c }).collect();
    // A hard space between the groups of a phone number or an amount is how many programs write them.
    let usual =
        !text.contains(is_invisible) && matches!(kind, Kind::Phone | Kind::Money | Kind::MoneyText | Kind::PinCode);
    let note = (!usual).then(|| Fault::new(cell::invisible_characters::taken_out()));
    Ok((seen.trim().to_owned().into(), note))
}

/// Characters without a shape. The joiners of Indian scripts are none of them: they shape the letters beside them.
const fn is_invisible(c: char) -> bool {
    matches!(c, '\u{200b}' | '\u{feff}' | '\u{2060}' | '\u{ad}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

const fn is_odd_space(c: char) -> bool {
    matches!(c, '\u{a0}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}')
}

/// The text as it was before its UTF-8 was read as Windows-1252; none where that never happened.
fn unscrambled(text: &str) -> Option<String> {
    if !text.contains(['Ã', 'Â', 'â', 'à', 'Å', 'Ä', 'Ð', 'Ñ']) {
        return None;
    }
    let (bytes, _, is_lossy) = WINDOWS_1252.encode(text);
    // Text that was never scrambled is next to never valid UTF-8 by accident.
    String::from_utf8(bytes.into_owned()).ok().filter(|repaired| repaired != text && !is_lossy)
}

/// Quotes around a typed value: a spreadsheet's mark of text, or typography.
fn strip_quotes(text: &mut Cow<'_, str>, note: &mut Option<Fault>) {
    let plain = |c: char| c == '\'' || c == '"';
    let smart = |c: char| matches!(c, '‘' | '’' | '“' | '”' | '„' | '‚' | '`' | '´');
    let bare = text.trim_matches(|c| plain(c) || smart(c)).trim();
    if bare.len() == text.len() || bare.is_empty() {
        return;
    }
    if text.contains(smart) && note.is_none() {
        *note = Some(cell::smart_quotes::around_value().into());
    }
    *text = bare.to_owned().into();
}

/// `9.19877E+11` and what it was.
fn shortened(kind: Kind, free: bool, text: &mut Cow<'_, str>, note: &mut Option<Fault>) -> Result<(), Fault> {
    if !text.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
        return Ok(());
    }
    let concerned = match kind {
        Kind::Phone | Kind::PinCode => looks_scientific(text),
        // `12E5` may be a code; `1.2E+05` and `1E+05` are a spreadsheet's doing.
        _ if free => looks_scientific(text) && text.to_ascii_uppercase().contains("E+"),
        _ => return Ok(()),
    };
    if concerned {
        let Some(digits) = restored(text) else {
            return Err(cell::digits_lost::shortened().into());
        };
        *note = Some(cell::digits_restored::restored(&digits).into());
        *text = digits.into();
    } else if free && text.len() > SPREADSHEET_DIGITS && text.bytes().all(|byte| byte.is_ascii_digit()) {
        let (_, tail) = text.split_at(SPREADSHEET_DIGITS);
        if tail.len() > 1 && tail.bytes().all(|byte| byte == b'0') {
            *note = Some(cell::digits_lost::ends_in_zeros().into());
        }
    }
    Ok(())
}

/// Line breaks and tabs within a value, which have no place on a label.
const BREAKS: [char; 5] = ['\n', '\r', '\t', '\u{2028}', '\u{2029}'];

/// The value on one line: the lines of an address are joined by commas, all else by spaces. Prose keeps its lines, and a
/// code that has several is no one code.
pub(super) fn one_line<'t>(field: &Field, text: Cow<'t, str>, note: &mut Option<Fault>) -> Result<Cow<'t, str>, Fault> {
    if is_prose(field) || !text.contains(BREAKS) {
        return Ok(text);
    }
    if matches!(field.kind, Kind::OrderNumber | Kind::Warehouse) || field.id == Id::Sku {
        return Err(cell::line_breaks::within_code().into());
    }
    // The lines of an address are parted by commas.
    let is_place = ["destination.", "origin."].iter().any(|part| field.path.starts_with(part));
    let between = if is_place || field.path.contains("ddress") { ", " } else { " " };
    let parts = text.split(BREAKS).map(|part| part.trim().trim_end_matches(',')).filter(|part| !part.is_empty());
    let joined = parts.collect::<Vec<&str>>().join(between);
    cell::line_breaks::joined(&joined).add_to(note);
    Ok(joined.into())
}

/// Whether the value is read as prose, where lines have a meaning; numbers and words of a list are read by their own rules.
const fn is_prose(field: &Field) -> bool {
    match field.kind {
        Kind::OrderNumber | Kind::Warehouse | Kind::Phone => false,
        Kind::Text | Kind::NullableText => matches!(field.id, Id::SellerNote | Id::Description),
        _ => true,
    }
}
