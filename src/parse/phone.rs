//! Phone numbers, as their country writes them.
//!
//! India's rule is our own, and quick; numbers of other countries are judged by the metadata of libphonenumber, which is
//! loaded when the first of them is met.

use std::sync::LazyLock;

use phonenumber::PhoneNumber;
use phonenumber::country::Id as Region;
use phonenumber::metadata::DATABASE;
use regex::Regex;

use super::fault::Parsed;
use crate::field::is_digits;
use crate::finding::{Finding, Id, Remedy, cell};

/// A phone number as the request carries it, and a word about what is not sent of it, or about whose it is.
pub(super) fn phone(text: &str, country: Option<&str>) -> Parsed<String> {
    // Nearly every number of India ends here.
    if text.len() == 10 && country == Some("IN") && text.starts_with(['6', '7', '8', '9']) && is_digits(text) {
        return Ok((text.to_owned(), None));
    }
    let Some((number, extension)) = extended(text) else {
        return one(text, country).or_else(|fault| {
            let several = (fault.id == Id::BadPhone).then(|| several(text, country)).flatten();
            several.unwrap_or(Err(fault))
        });
    };
    let (digits, doubt) = one(number, country)?;
    let doubt = doubt.unwrap_or_else(|| cell::bad_phone::extension(extension, &digits).into());
    Ok((digits, Some(doubt)))
}

/// Why the digits of a phone number are hardly anybody's: a long tail of zeros, where a spreadsheet has shortened it, or one
/// digit over and over, where nobody knew it.
#[must_use]
pub fn unlikely_phone(digits: &str) -> Option<Finding> {
    const DIGITS_MIN: usize = 8;
    const ZEROS_MIN: usize = 4;
    if digits.len() < DIGITS_MIN {
        return None;
    }
    let first = digits.chars().next();
    if digits.chars().all(|digit| Some(digit) == first) {
        return Some(cell::digits_lost::phone_of_one_digit());
    }
    (digits.len() - digits.trim_end_matches('0').len() >= ZEROS_MIN).then(cell::digits_lost::phone_of_zeros)
}

/// A single number: its national digits, without the zero that is dialled before them at home. A number of another country
/// than the parcel's keeps its `+` and code.
fn one(text: &str, country: Option<&str>) -> Parsed<String> {
    // `+91-9876543210` typed into a cell is a sum to a spreadsheet: it leaves `-9876543119`.
    if text.strip_prefix('-').is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_digit())) {
        return Err(cell::phone_formula::sum().into());
    }
    // `=+919876543210` is a formula that was kept as it was typed: nothing is lost.
    let text = text.strip_prefix('=').unwrap_or(text);
    // Some shops write the country's code as `(+91)`.
    let text = if text.starts_with("(+") { &text[1..] } else { text };
    let plus = text.starts_with('+');
    // `+44 (0)20 …`: the zero in brackets is dialled at home only.
    let shown = text.replacen("(0)", "", usize::from(plus));
    let is_separator = |c: char| {
        matches!(c, '-' | ' ' | '(' | ')' | '.' | '\u{a0}') || (c == '/' && matches!(country, Some("DE" | "AT" | "CH")))
    };
    if shown[usize::from(plus)..].contains(|c: char| !c.is_ascii_digit() && !is_separator(c)) {
        return Err(cell::bad_phone::other_characters(&accepted(country)).into());
    }
    let digits: String = shown.chars().filter(char::is_ascii_digit).collect();
    match country.map(|code| (code, code.parse::<Region>())) {
        Some(("IN", _)) => indian(text, &digits, plus),
        Some((_, Ok(region))) => elsewhere(&digits, plus, region),
        // Where the country is not known, the length alone can be wrong.
        _ if (7..=15).contains(&digits.len()) => Ok((if plus { format!("+{digits}") } else { digits }, None)),
        _ => Err(cell::bad_phone::wrong_length(digits.len(), &accepted(None)).into()),
    }
}

/// What a cell with more than one number comes to; nothing where it has only one.
fn several(text: &str, country: Option<&str>) -> Option<Parsed<String>> {
    const DIGITS_MIN: usize = 7;
    let is_number = |part: &&str| part.bytes().filter(u8::is_ascii_digit).count() >= DIGITS_MIN;
    let parts = |apart: fn(char) -> bool| text.split(apart).map(str::trim).filter(is_number).collect::<Vec<&str>>();
    let by_sign = parts(|c| matches!(c, '/' | ',' | ';' | '|' | '&' | '\\') || c.is_alphabetic());
    let parts = if by_sign.len() > 1 { by_sign } else { parts(char::is_whitespace) };
    if parts.len() < 2 {
        return None;
    }
    let mut numbers: Vec<_> = parts.iter().filter_map(|part| one(part, country).ok()).collect();
    let all = numbers.len() == parts.len();
    numbers.dedup_by(|one, other| one.0 == other.0);
    match numbers.as_slice() {
        [] => None,
        [_] if all => numbers.pop().map(Ok),
        _ => {
            let numbers: Vec<&str> = numbers.iter().map(|(digits, _)| digits.as_str()).collect();
            Some(Err(cell::bad_phone::several(&numbers).remedies(numbers.iter().map(|own| Remedy::edit(*own))).into()))
        }
    }
}

/// A number and its extension, where it has one: `+1 206 555 0100 ext. 12345`, `555-0132 x9`.
fn extended(text: &str) -> Option<(&str, &str)> {
    const NUMBER_DIGITS_MIN: usize = 7;
    static FORM: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r"(?i)^(.*?)[\s,;(-]*(?:extension|extn|ext|x|#|;ext=)[\s.:-]*([0-9]{1,7})$").ok());
    if !text.contains(|c: char| c == '#' || c.is_alphabetic()) {
        return None;
    }
    let (_, [number, extension]) = FORM.as_ref()?.captures(text.trim_end())?.extract();
    (number.bytes().filter(u8::is_ascii_digit).count() >= NUMBER_DIGITS_MIN).then_some((number, extension))
}

/// A number of India. A landline is sent with its zero, its country's code or its area code apart; ten bare digits are as
/// likely a mobile number with a wrong digit.
fn indian(text: &str, digits: &str, plus: bool) -> Parsed<String> {
    let prefix = match digits.len() {
        12 => "91",
        13 if !plus => "091",
        14 if !plus => "0091",
        11 if !plus => "0",
        10 if !plus => "",
        _ => return Err(cell::bad_phone::wrong_length(digits.len(), &accepted(Some("IN"))).into()),
    };
    let Some(national) = digits.strip_prefix(prefix) else {
        return Err(cell::bad_phone::wrong_length(digits.len(), &accepted(Some("IN"))).into());
    };
    if national.starts_with(['6', '7', '8', '9']) {
        return Ok((national.to_owned(), None));
    }
    // Eight digits follow the area codes of the largest cities; of the others the metadata knows which there are.
    let is_city = ["11", "20", "22", "33", "40", "44"].iter().any(|code| national.starts_with(code));
    let is_stopgap = national == "1234567890";
    let known =
        || read(national, false, Region::IN).is_some_and(|number| number.is_valid() && number.country().code() == 91);
    let is_landline = is_city || (!is_stopgap && known());
    let area = text.trim_start_matches('(').bytes().take_while(u8::is_ascii_digit).count();
    let is_bare = prefix.is_empty() && !(2..=4).contains(&area);
    match (is_landline, is_bare) {
        (true, false) => Ok((national.to_owned(), Some(cell::bad_phone::landline(national).into()))),
        (true, true) if is_city || !national.starts_with('1') => {
            Err(cell::bad_phone::landline_or_wrong(national).into())
        }
        _ => Err(cell::bad_phone::starts_wrong(&accepted(Some("IN"))).into()),
    }
}

/// A number of a country with metadata of its own.
fn elsewhere(digits: &str, plus: bool, region: Region) -> Parsed<String> {
    const NORTH_AMERICA: u16 = 1;
    let country = region.as_ref();
    let code = calling_code(region);
    // The ways in which people write one: with the plus, as at home, with `00`, and with the country's code alone.
    let international = digits.strip_prefix("00").unwrap_or(digits);
    let tried = [(plus, digits), (false, digits), (true, international)];
    let tried = tried.iter().filter(|(with_plus, _)| *with_plus || !plus);
    let numbers: Vec<PhoneNumber> = tried.filter_map(|(plus, digits)| read(digits, *plus, region)).collect();
    let is_own = |number: &&PhoneNumber| code == Some(number.country().code());
    let valid = || numbers.iter().filter(|number| number.is_valid());
    if let Some(number) = valid().find(is_own) {
        return Ok((number.national().to_string(), None));
    }
    // One that has the length and area code of the North American plan is well formed, though nobody may have it.
    if let Some(number) = numbers.iter().find(is_own).filter(|_| code == Some(NORTH_AMERICA)) {
        let national = number.national().to_string();
        let is_formed = |known: &phonenumber::Metadata| known.descriptors().general().is_match(&national);
        if national.len() == 10 && DATABASE.by_id(country).is_some_and(is_formed) {
            let doubt = cell::bad_phone::of_nobody(country, &national);
            return Ok((national, Some(doubt.into())));
        }
    }
    // Only a plus or `00` says that a number is of another country.
    if plus || digits.starts_with("00") {
        let other = valid().next().map(|other| (format!("+{}{}", other.country().code(), other.national()), None));
        return other.ok_or_else(|| cell::bad_phone::of_no_country(&accepted(Some(country))).into());
    }
    Err(cell::bad_phone::not_of_country(digits.len(), country, &accepted(Some(country))).into())
}

fn read(digits: &str, plus: bool, region: Region) -> Option<PhoneNumber> {
    if plus { phonenumber::parse(None, format!("+{digits}")) } else { phonenumber::parse(Some(region), digits) }.ok()
}

fn calling_code(region: Region) -> Option<u16> {
    DATABASE.by_id(region.as_ref()).map(phonenumber::Metadata::country_code)
}

/// What is accepted, for people.
fn accepted(country: Option<&str>) -> String {
    match country {
        Some("IN") => "ten digits that start with 6, 7, 8 or 9, with or without +91".to_owned(),
        Some(country) => match country.parse().ok().and_then(calling_code) {
            Some(code) => format!("a number of {country}, with or without +{code}"),
            None => format!("a number of {country}, with or without its country's code"),
        },
        None => "7 to 15 digits, with or without + and country code".to_owned(),
    }
}
