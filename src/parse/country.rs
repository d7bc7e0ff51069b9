//! Countries by ISO 3166, with their postal codes and what else an address there needs.

use std::sync::LazyLock;

use super::fault::Parsed;
use crate::field::{Id, is_digits, normalised};
use crate::finding::cell;
use crate::words::Topic;

/// All countries, as `templates/places/iso-3166.csv` has them in order: both codes, and the name.
static ALL: LazyLock<Vec<[&str; 3]>> = LazyLock::new(|| {
    let list = include_str!("../../templates/places/iso-3166.csv");
    let cells = |line: &'static str| line.splitn(3, ',').collect::<Vec<_>>().try_into().ok();
    list.lines().filter(|line| !line.starts_with('#')).skip(1).filter_map(cells).collect()
});

/// The countries that are not as most are, as `templates/places/countries.csv` has them: code, other names, whether an address
/// needs its state, the digits of postal codes, and whether these may begin with a zero.
static COUNTRIES: LazyLock<Vec<[&str; 5]>> = LazyLock::new(|| {
    let list = include_str!("../../templates/places/countries.csv");
    let cells = |line: &'static str| line.split(',').collect::<Vec<_>>().try_into().ok();
    let mut countries: Vec<[&str; 5]> = list.lines().filter(|line| !line.starts_with('#')).filter_map(cells).collect();
    countries.sort_unstable();
    countries
});

/// What the list says of a country.
fn known(code: &str) -> Option<&'static [&'static str; 5]> {
    let place = COUNTRIES.binary_search_by_key(&code, |[own, ..]| *own).ok()?;
    COUNTRIES.get(place)
}

/// The alpha-2 code of a country by its code, its English name or another usual spelling.
#[must_use]
pub fn code_of(text: &str) -> Option<&'static str> {
    if text.is_empty() {
        return None;
    }
    let by_word = || ALL.iter().find(|[_, words @ ..]| words.iter().any(|word| word.eq_ignore_ascii_case(text)));
    of_alpha2(&text.to_ascii_uppercase()).or_else(by_word).map(|[alpha2, ..]| *alpha2).or_else(|| {
        let bare = normalised(text);
        // `N.Z.` is a code; the one point of `No.` ends a word.
        let is_dotted = text.trim_end_matches('.').contains('.');
        let by_code = || of_alpha2(&bare.to_ascii_uppercase()).filter(|_| is_dotted).map(|[alpha2, ..]| *alpha2);
        if bare.len() > 1 { named(&bare).or_else(by_code) } else { None }
    })
}

/// The same, where the column has shown that the letters of old addresses stand for countries as well.
#[must_use]
pub fn code_in_column(text: &str, letters: bool) -> Option<&'static str> {
    let by_letter = || Some(normalised(text)).filter(|bare| letters && bare.len() == 1).and_then(|bare| named(&bare));
    code_of(text).or_else(by_letter)
}

/// Whether a country is one in whose sheets such letters are usual.
#[must_use]
pub fn is_near_letters(text: &str) -> bool {
    code_of(text).is_some_and(|code| Topic::Values.lists("near_letters", code))
}

/// The code of a country by one of its other names.
fn named(bare: &str) -> Option<&'static str> {
    COUNTRIES.iter().find(|[_, names, ..]| names.split(';').any(|name| name == bare)).map(|[code, ..]| *code)
}

/// A country's English name, from its alpha-2 code.
#[must_use]
pub fn name_of(alpha2: &str) -> Option<&'static str> {
    of_alpha2(alpha2).map(|[.., name]| *name)
}

fn of_alpha2(code: &str) -> Option<&'static [&'static str; 3]> {
    ALL.get(ALL.binary_search_by_key(&code, |[alpha2, ..]| *alpha2).ok()?)
}

/// Whether addresses of a country need that part, as far as the country is known.
#[must_use]
pub fn addresses_have(id: Id, country: Option<&str>) -> bool {
    let Some(country) = country else { return true };
    match id {
        Id::DestinationState | Id::OriginState | Id::ReturnState => {
            known(country).is_some_and(|[_, _, state, ..]| *state == "yes")
        }
        Id::DestinationPinCode | Id::OriginPinCode | Id::ReturnPinCode => digits_of(country) != Some(0),
        _ => true,
    }
}

/// How many digits a country's postal codes have, 0 where there are none; nothing where letters belong to them.
fn digits_of(country: &str) -> Option<usize> {
    known(country)?[3].parse().ok()
}

/// A postal code in its country's form.
///
/// A zero that a spreadsheet took from its front is written again where the country's rule proves it, unless other codes of its
/// column still have theirs. Of the United States the state tells.
pub(super) fn pin_code(text: &str, country: Option<&str>, keeps_zeros: bool) -> Parsed<String> {
    let mut bare: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    if country == Some("IN") {
        bare = indian_digits(&bare).unwrap_or(bare);
    }
    let digits = country.and_then(digits_of).filter(|digits| *digits > 0);
    let zero = country.and_then(known).map_or("", |own| own[4]);
    let mut note = None;
    if let (Some(whole), Some(code)) = (digits.filter(|_| zero == "may"), country)
        // Those of Puerto Rico begin with two zeros; the lowest is 00501.
        && (bare.len() == whole - 1 || code == "US" && bare.len() == whole - 2 && bare.as_str() > "500")
        && is_digits(&bare)
        && !bare.starts_with('0')
        && (!keeps_zeros || code == "US")
    {
        bare = format!("{bare:0>whole$}");
        note = Some(cell::zero_restored::postal_code(code, whole, &bare).into());
    }
    let is_valid = match (country, digits) {
        (Some("US"), Some(_)) if bare.len() == 10 => {
            bare.split_once('-').is_some_and(|(zip, more)| zip.len() == 5 && is_digits(zip) && is_digits(more))
        }
        (_, Some(digits)) => bare.len() == digits && is_digits(&bare) && !(zero == "never" && bare.starts_with('0')),
        _ => {
            // Where there are no codes, forms that ask for one get a zero.
            let least = if country.and_then(digits_of) == Some(0) { 1 } else { 2 };
            (least..=10).contains(&bare.len()) && bare.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
        }
    };
    if !is_valid {
        let (name, digits) =
            (country.map(|code| name_of(code).unwrap_or(code)), is_digits(&bare).then_some(bare.len()));
        return Err(cell::bad_pin_code::form(text, digits, name, postal_code_form(country)).into());
    }
    // Outside the all-digit systems the space is part of the code: `SW1A 1AA`.
    Ok((if is_digits(&bare) { bare } else { text.to_owned() }, note))
}

/// What people write of a PIN code without what is none of it: `560-001`, `PIN: 560001`.
fn indian_digits(text: &str) -> Option<String> {
    let lower = text.to_ascii_lowercase();
    let bare = ["pincode", "pin"].iter().find_map(|word| lower.strip_prefix(word)).unwrap_or(&lower);
    let digits: String = bare.chars().filter(char::is_ascii_digit).collect();
    let is_plain = bare.chars().all(|c| c.is_ascii_digit() || matches!(c, '-' | ':' | '.'));
    // A point between figures may be one of decimals.
    let has_point = bare.trim_matches(|c: char| !c.is_ascii_digit()).contains('.');
    (is_plain && !has_point && digits.len() == 6).then_some(digits)
}

/// Whether postal codes of a country are told by their digits.
#[must_use]
pub fn tells_postal_codes(country: &str) -> bool {
    digits_of(country).is_some_and(|digits| digits > 0)
}

/// The form of a country's postal codes, for people.
#[must_use]
pub fn postal_code_form(country: Option<&str>) -> &'static str {
    match (country, country.and_then(digits_of)) {
        (Some("IN"), _) => "six digits, the first not 0",
        (Some("US"), _) => "five digits, or five and four with a hyphen",
        (_, Some(6)) => "six digits",
        (_, Some(5)) => "five digits",
        (_, Some(4)) => "four digits",
        _ => "2 to 10 letters and digits",
    }
}
