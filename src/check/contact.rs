//! Postal codes and e-mail addresses.

use email_address::{EmailAddress, Options};

use super::fault::Fault;
use super::places::is_without_postal_code;
use crate::finding::cell;

/// A postal code in its country's form.
///
/// A zero that a spreadsheet took from its front is written again where the country's rule proves it.
pub(super) fn pin_code(text: &str, country: Option<&str>) -> Result<(String, Option<Fault>), Fault> {
    let mut bare: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    if country == Some("IN") {
        bare = indian_digits(&bare).unwrap_or(bare);
    }
    let mut note = None;
    if let Some(whole) = zero_length(country).filter(|whole| digits_only(&bare, whole - 1) && !bare.starts_with('0')) {
        bare.insert(0, '0');
        note = Some(cell::zero_restored::postal_code(country.unwrap_or_default(), whole, &bare).into());
    }
    let valid = match country {
        Some("IN") => digits_only(&bare, 6) && !bare.starts_with('0'),
        Some("US") => {
            let extended = bare.split_once('-').is_some_and(|(zip, more)| digits_only(zip, 5) && digits_only(more, 4));
            digits_only(&bare, 5) || extended
        }
        Some("SG" | "CN") => digits_only(&bare, 6),
        Some("DE" | "FR" | "IT" | "ES") => digits_only(&bare, 5),
        Some("AU") => digits_only(&bare, 4),
        _ => {
            // Where there are no codes, forms that ask for one get a zero.
            let least = if country.is_some_and(is_without_postal_code) { 1 } else { 2 };
            let length = (least..=10).contains(&bare.len());
            length && bare.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
        }
    };
    let accepted = postal_code_form(country);
    if !valid {
        return Err(cell::bad_pin_code::form(country, accepted).into());
    }
    // Outside the all-digit systems the space is part of the code: `SW1A 1AA`.
    Ok((if bare.bytes().all(|byte| byte.is_ascii_digit()) { bare } else { text.to_owned() }, note))
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
    match country {
        Some("IN") => "six digits, the first not 0",
        Some("US") => "five digits, or five and four with a hyphen",
        Some("SG" | "CN") => "six digits",
        Some("DE" | "FR" | "IT" | "ES") => "five digits",
        Some("AU") => "four digits",
        _ => "2 to 10 letters and digits",
    }
}

/// How many digits a country's codes have, where some of them begin with a zero.
fn zero_length(country: Option<&str>) -> Option<usize> {
    match country? {
        "US" | "DE" | "FR" | "IT" | "ES" => Some(5),
        "SG" => Some(6),
        "AU" => Some(4),
        _ => None,
    }
}

fn digits_only(text: &str, length: usize) -> bool {
    text.len() == length && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// An address with a domain that has a dot.
pub(super) fn email(text: &str) -> Result<String, Fault> {
    let options = Options::default().with_required_tld().without_display_text().without_domain_literal();
    match EmailAddress::parse_with_options(text, options) {
        Ok(_) => Ok(text.to_owned()),
        Err(_) => Err(cell::bad_email::form().into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding;

    #[test]
    fn postal_codes_by_country() {
        let good = [("560001", "IN", "560001"), ("560 001", "IN", "560001"), ("02134", "US", "02134")];
        for (text, country, code) in good {
            assert_eq!(pin_code(text, Some(country)).unwrap(), (code.to_owned(), None));
        }
        assert_eq!(pin_code("SW1A 1AA", Some("GB")).unwrap().0, "SW1A 1AA");
        let (code, note) = pin_code("2134", Some("US")).unwrap();
        assert_eq!((code.as_str(), note.map(|note| note.id)), ("02134", Some(finding::Id::ZeroRestored)));
        for text in ["560-001", "560 - 001", "PIN 560001", "Pin-560001", "Pincode: 560001", "560001."] {
            assert_eq!(pin_code(text, Some("IN")).unwrap(), ("560001".to_owned(), None), "{text}");
        }
        for (text, country) in [
            ("56001", "IN"),
            ("560.001", "IN"),
            ("5600-01-1", "US"),
            ("x560001", "IN"),
            ("060001", "IN"),
            ("213", "US"),
            ("60001", "IN"),
            ("!", "GB"),
            ("5600O1", "IN"),
        ] {
            assert_eq!(pin_code(text, Some(country)).unwrap_err().id, finding::Id::BadPinCode, "{text}");
        }
    }

    #[test]
    fn email_forms() {
        assert!(email("asha@example.com").is_ok());
        for text in ["asha", "a@b", "Asha <a@b.in>", "a@[127.0.0.1]", "a b@c.in"] {
            assert_eq!(email(text).unwrap_err().id, finding::Id::BadEmail, "{text}");
        }
    }
}
