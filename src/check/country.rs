//! Countries by ISO 3166, with their postal codes and what else an address there needs.

use std::sync::LazyLock;

use super::fault::Parsed;
use super::rules::Rules;
use crate::field::{Id, Need, normalised};
use crate::finding::cell;

/// The countries that are not as most are, as `templates/places/countries.csv` has them.
const LIST: &str = include_str!("../../templates/places/countries.csv");

/// What is known of a country beside what the standard says.
struct Country {
    code: &'static str,
    /// Other spellings of its name, without case, spaces and punctuation.
    names: Vec<&'static str>,
    /// Whether an address without its state is not complete.
    has_state: bool,
    /// The digits of its postal codes, 0 where there are none; nothing where letters belong to them.
    digits: Option<usize>,
    /// Whether a postal code `may` begin with a zero, which spreadsheets take off, or `never` does.
    zero: &'static str,
}

static COUNTRIES: LazyLock<Vec<Country>> = LazyLock::new(|| {
    let lines = LIST.lines().filter(|line| !line.starts_with('#')).skip(1);
    let country = |line: &'static str| {
        let mut cells = line.split(',');
        let mut next = || cells.next().unwrap_or_default();
        let (code, names, state, digits, zero) = (next(), next(), next(), next(), next());
        Country {
            code,
            names: names.split(';').filter(|name| !name.is_empty()).collect(),
            has_state: state == "yes",
            digits: digits.parse().ok(),
            zero,
        }
    };
    lines.map(country).collect()
});

/// What is known of a country by its alpha-2 code; the list is sorted by it.
fn known(code: &str) -> Option<&'static Country> {
    COUNTRIES.binary_search_by(|country| country.code.cmp(code)).ok().and_then(|at| COUNTRIES.get(at))
}

/// The alpha-2 code of a country by its code, its English name or another usual spelling.
#[must_use]
pub fn code_of(text: &str) -> Option<&'static str> {
    let by_code = match text.len() {
        0 => return None,
        2 => rust_iso3166::from_alpha2(&text.to_ascii_uppercase()),
        3 => rust_iso3166::from_alpha3(&text.to_ascii_uppercase()),
        _ => None,
    };
    let by_name = || rust_iso3166::ALL.iter().copied().find(|country| country.name.eq_ignore_ascii_case(text));
    by_code.or_else(by_name).map(|country| country.alpha2).or_else(|| {
        let bare = normalised(text);
        COUNTRIES.iter().find(|country| country.names.contains(&bare.as_str())).map(|country| country.code)
    })
}

/// A country's English name, from its alpha-2 code.
#[must_use]
pub fn name_of(alpha2: &str) -> Option<&'static str> {
    rust_iso3166::from_alpha2(alpha2).map(|country| country.name)
}

impl Rules {
    /// How much a field is needed in an address of that country, unless the configuration demands it everywhere. Elsewhere
    /// than in some countries, mail finds its way by postal code and city.
    #[must_use]
    pub fn need_in(&self, id: Id, country: Option<&str>) -> Need {
        let need = self.need(id);
        let Some(country) = country.filter(|_| need == Need::Required && !self.is_configured_need(id)) else {
            return need;
        };
        let has = match id {
            Id::DestinationState | Id::OriginState | Id::ReturnState => known(country).is_some_and(|own| own.has_state),
            Id::DestinationPinCode | Id::OriginPinCode | Id::ReturnPinCode => !is_without_postal_code(country),
            _ => true,
        };
        if has { need } else { Need::Optional }
    }
}

fn is_without_postal_code(country: &str) -> bool {
    known(country).is_some_and(|own| own.digits == Some(0))
}

/// A postal code in its country's form.
///
/// A zero that a spreadsheet took from its front is written again where the country's rule proves it.
pub(super) fn pin_code(text: &str, country: Option<&str>) -> Parsed<String> {
    let mut bare: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    if country == Some("IN") {
        bare = indian_digits(&bare).unwrap_or(bare);
    }
    let own = country.and_then(known);
    let digits = own.and_then(|own| own.digits).filter(|digits| *digits > 0);
    let is_figures = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let mut note = None;
    if let (Some(whole), Some(code)) = (digits.filter(|_| own.is_some_and(|own| own.zero == "may")), country)
        && bare.len() == whole - 1
        && is_figures(&bare)
        && !bare.starts_with('0')
    {
        bare.insert(0, '0');
        note = Some(cell::zero_restored::postal_code(code, whole, &bare).into());
    }
    let is_valid = match (country, digits) {
        (Some("US"), Some(_)) if bare.len() == 10 => {
            bare.split_once('-').is_some_and(|(zip, more)| zip.len() == 5 && is_figures(zip) && is_figures(more))
        }
        (_, Some(digits)) => {
            let may_begin = !bare.starts_with('0') || own.is_none_or(|own| own.zero != "never");
            bare.len() == digits && is_figures(&bare) && may_begin
        }
        _ => {
            // Where there are no codes, forms that ask for one get a zero.
            let least = if country.is_some_and(is_without_postal_code) { 1 } else { 2 };
            (least..=10).contains(&bare.len()) && bare.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
        }
    };
    if !is_valid {
        return Err(cell::bad_pin_code::form(country, postal_code_form(country)).into());
    }
    // Outside the all-digit systems the space is part of the code: `SW1A 1AA`.
    Ok((if is_figures(&bare) { bare } else { text.to_owned() }, note))
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

/// The form of a country's postal codes, for people.
#[must_use]
pub fn postal_code_form(country: Option<&str>) -> &'static str {
    match (country, country.and_then(known).and_then(|own| own.digits)) {
        (Some("IN"), _) => "six digits, the first not 0",
        (Some("US"), _) => "five digits, or five and four with a hyphen",
        (_, Some(6)) => "six digits",
        (_, Some(5)) => "five digits",
        (_, Some(4)) => "four digits",
        _ => "2 to 10 letters and digits",
    }
}
