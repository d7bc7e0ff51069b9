//! Phone numbers, as their country writes them.
//!
//! India's rule is our own, and quick; numbers of other countries are judged by their numbering plans.

use std::sync::LazyLock;

use regex::Regex;

use super::fault::Parsed;
use super::numbering::Plan;
use crate::field::is_digits;
use crate::finding::{Finding, Id, Remedy, cell};
use crate::words::Topic;

/// A phone number as the request carries it, and a word about what is not sent of it, or about whose it is.
pub(super) fn phone(text: &str, country: Option<&str>) -> Parsed<String> {
    // Nearly every number of India ends here.
    if text.len() == 10 && country == Some("IN") && text.starts_with(['6', '7', '8', '9']) && is_digits(text) {
        return Ok((text.to_owned(), None));
    }
    let text = without_label(text);
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

/// A number without the word before it that says what it is, and without a remark in brackets behind it: `Mob: 98765 43210 (shop)`.
fn without_label(text: &str) -> &str {
    let label = text.find(|c: char| !c.is_alphabetic()).unwrap_or_default();
    let is_label = label > 0 && Topic::Values.lists("phone", &text[..label]);
    let text = if is_label { text[label..].trim_start_matches([':', '.', '-', ' ', '#']) } else { text };
    let remark = text.strip_suffix(')').and_then(|inner| inner.rfind('('));
    let is_remark = |at: &usize| !text[*at..].contains(|c: char| c.is_numeric());
    remark.filter(is_remark).map_or(text, |at| text[..at].trim_end())
}

/// The name and the phone number of a cell that ends with one, or with several: `Ramesh Patel, Mob: 98250 12345`. Nothing where
/// it does not.
#[must_use]
pub fn name_with_phone(text: &str) -> Option<(&str, &str)> {
    const DIGITS_MIN: usize = 10;
    let is_of_number = |c: char| c.is_numeric() || c.is_whitespace() || "+-./()&,;:#".contains(c);
    let (name, number) = text.split_at(text.trim_end_matches(is_of_number).len());
    let number = number.trim_start_matches(|c: char| !c.is_numeric() && c != '+');
    let number = number.trim_end_matches(|c: char| !c.is_numeric());
    let (before, last) = name.rsplit_once(|c: char| !c.is_alphanumeric()).unwrap_or(("", name));
    // `Ramesh M 98250 12345` has an initial, and `Ramesh M: 98250 12345` a word for the number.
    let is_label = last.len() > 1 || text[name.len()..].starts_with(':');
    let name = if is_label && Topic::Values.lists("phone", last) { before } else { name };
    let name = name.trim_end_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '.' | ')'));
    let is_number = number.chars().filter(|c| c.is_numeric()).count() >= DIGITS_MIN;
    (is_number && name.contains(char::is_alphabetic)).then_some((name, number))
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
    match country.map(|code| (code, Plan::of(code))) {
        Some(("IN", _)) => indian(text, &digits, plus),
        Some((country, Some(plan))) => elsewhere(&digits, plus, country, plan),
        // Where the country is not known, the length alone can be wrong.
        _ if (7..=15).contains(&digits.len()) => Ok((if plus { format!("+{digits}") } else { digits }, None)),
        _ => Err(cell::bad_phone::wrong_length(digits.len(), &accepted(None)).into()),
    }
}

/// What a cell with more than one number comes to; nothing where it has only one.
fn several(text: &str, country: Option<&str>) -> Option<Parsed<String>> {
    const DIGITS_MIN: usize = 7;
    let is_number = |part: &&str| part.bytes().filter(u8::is_ascii_digit).count() >= DIGITS_MIN;
    // A label is parted from its number like one number from the next: `M: 98250 12345`.
    let parts = |apart: fn(char) -> bool| {
        text.split(apart)
            .map(|part| part.trim_matches([' ', '\u{a0}', ':', '.']))
            .filter(is_number)
            .collect::<Vec<&str>>()
    };
    let by_sign = parts(|c| matches!(c, '/' | ',' | ';' | '|' | '&' | '\\') || c.is_alphabetic());
    let parts = if by_sign.len() > 1 { by_sign } else { parts(char::is_whitespace) };
    if parts.len() < 2 {
        return None;
    }
    let mut numbers: Vec<_> = parts.iter().filter_map(|part| one(part, country).ok()).collect();
    let all = numbers.len() == parts.len();
    numbers.dedup_by(|one, other| one.0 == other.0);
    let mobile = || mobile_beside_landlines(&parts, country);
    match numbers.as_slice() {
        [] => None,
        [_] if all => numbers.pop().map(Ok),
        _ if let Some(mobile) = mobile() => {
            let doubt = cell::bad_phone::mobile_beside_landline(&mobile);
            Some(Ok((mobile, Some(doubt.into()))))
        }
        _ => {
            let numbers: Vec<&str> = numbers.iter().map(|(digits, _)| digits.as_str()).collect();
            Some(Err(cell::bad_phone::several(&numbers).remedies(numbers.iter().map(|own| Remedy::edit(*own))).into()))
        }
    }
}

/// The one mobile number of India in a cell whose others are landlines: the courier calls and writes to it.
fn mobile_beside_landlines(parts: &[&str], country: Option<&str>) -> Option<String> {
    let mut mobiles = parts.iter().filter_map(|part| match one(part, country) {
        Ok((digits, None)) => Some(digits),
        _ => None,
    });
    let mobile = mobiles.next().filter(|_| country == Some("IN"))?;
    let others = parts.len() - 1;
    (mobiles.next().is_none() && parts.iter().filter(|part| is_landline(part)).count() == others).then_some(mobile)
}

/// Whether a number of India is surely that of a landline: with its area code, or as it is dialled in its own city.
fn is_landline(text: &str) -> bool {
    const LOCAL_DIGITS: std::ops::RangeInclusive<usize> = 7..=8;
    let digits = text.bytes().filter(u8::is_ascii_digit);
    let is_local =
        LOCAL_DIGITS.contains(&digits.clone().count()) && digits.take(1).all(|digit| (b'2'..=b'5').contains(&digit));
    match one(text, Some("IN")) {
        Ok((_, doubt)) => doubt.is_some(),
        Err(_) => is_local && !text.contains('+'),
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
    let wrong_length = || {
        // Behind a plus the country's code is none of the number's own digits.
        let own = digits.strip_prefix("91").filter(|_| plus).unwrap_or(digits);
        Err(cell::bad_phone::wrong_length(own.len(), &accepted(Some("IN"))).into())
    };
    let prefix = match digits.len() {
        12 => "91",
        13 if !plus => "091",
        14 if !plus => "0091",
        11 if !plus => "0",
        10 if !plus => "",
        _ => return wrong_length(),
    };
    let Some(national) = digits.strip_prefix(prefix) else { return wrong_length() };
    if national.starts_with(['6', '7', '8', '9']) {
        let doubt = (prefix == "0" && has_area(text)).then(|| cell::bad_phone::landline(national).into());
        return Ok((national.to_owned(), doubt));
    }
    // Eight digits follow the area codes of the largest cities; of the others the numbering plan knows which there are.
    let is_city = ["11", "20", "22", "33", "40", "44"].iter().any(|code| national.starts_with(code));
    let is_stopgap = national == "1234567890";
    let is_landline = is_city || (!is_stopgap && Plan::of("IN").is_some_and(|plan| plan.has(national)));
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

/// Whether a number that begins with its zero sets an area code apart, as no mobile number has: `079-2658 1234`, `(0712) 2345678`.
/// Local numbers begin with 2 to 6.
fn has_area(text: &str) -> bool {
    let text = text.trim_start_matches('(');
    let area = text.bytes().take_while(u8::is_ascii_digit).count();
    let behind = &text[area..];
    let is_local = behind.trim_start_matches(|c: char| !c.is_ascii_digit()).starts_with(['2', '3', '4', '5', '6']);
    // Ahmedabad and Bengaluru. Blanks part the digits of mobile numbers as well.
    let is_city = matches!(&text[..area], "079" | "080");
    is_local && (is_city || (matches!(area, 4 | 5) && behind.starts_with(['-', ')'])))
}

/// A number of a country whose numbering plan is known.
fn elsewhere(digits: &str, plus: bool, country: &str, plan: &Plan) -> Parsed<String> {
    const NORTH_AMERICA: &str = "1";
    // The ways in which people write one: with plus, `00` or nothing before the country's code, and as at home.
    let international = digits.strip_prefix("00").unwrap_or(digits);
    let ways = [plan.behind_code(international), plan.behind_code(digits), Some(digits)];
    let own = || ways.into_iter().take(if plus { 1 } else { 3 }).flatten();
    if let Some(number) = own().find_map(|dialled| plan.national(dialled)) {
        return Ok((number, None));
    }
    // One that has the length and area code of the North American plan is well formed, though nobody may have it.
    if plan.code == NORTH_AMERICA {
        let is_formed = |number: &String| number.len() == 10 && !number.starts_with(['0', '1']);
        if let Some(number) = own().flat_map(|dialled| plan.readings(dialled)).find(is_formed) {
            let doubt = cell::bad_phone::of_nobody(country, &number);
            return Ok((number, Some(doubt.into())));
        }
    }
    // Only a plus or `00` says that a number is of another country.
    if plus || digits.starts_with("00") {
        let other =
            Plan::of_code(international).and_then(|(other, dialled)| Some((other.code, other.national(dialled)?)));
        let number = other.map(|(code, national)| (format!("+{code}{national}"), None));
        return number.ok_or_else(|| cell::bad_phone::of_no_country(&accepted(Some(country))).into());
    }
    Err(cell::bad_phone::not_of_country(digits.len(), country, &accepted(Some(country))).into())
}

/// What is accepted, for people.
fn accepted(country: Option<&str>) -> String {
    match country {
        Some("IN") => "ten digits that start with 6, 7, 8 or 9, with or without +91".to_owned(),
        Some(country) => match Plan::of(country) {
            Some(plan) => format!("a number of {country}, with or without +{}", plan.code),
            None => format!("a number of {country}, with or without its country's code"),
        },
        None => "7 to 15 digits, with or without + and country code".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_countrys_code_is_none_of_the_digits_that_a_number_has() {
        for (text, digits) in [("+91 98765 4321", "9"), ("+91 98765 43210 1", "11"), ("98765 4321", "9")] {
            let refused = one(text, Some("IN")).unwrap_err();
            let said = crate::finding::english::message(&refused);
            assert!(said.starts_with(&format!("has {digits} digits")), "{text}: {said}");
        }
    }
}
