//! Phones, postal codes and e-mail addresses.

use email_address::{EmailAddress, Options};

use super::fault::Fault;
use crate::problem::Code;

/// A phone number as the request carries it: ten digits for India, digits with their `+` elsewhere.
pub(super) fn phone(text: &str, country: Option<&str>) -> Result<String, Fault> {
    if let Some(fault) = formula(text) {
        return Err(fault);
    }
    // `=+919876543210` is a formula that was kept as it was typed: nothing is lost.
    let text = text.strip_prefix('=').unwrap_or(text);
    // Some shops write the country's code as `(+91)`.
    let text = if text.starts_with("(+") { &text[1..] } else { text };
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    let stray = text.chars().any(|c| !c.is_ascii_digit() && !matches!(c, '+' | '-' | ' ' | '(' | ')' | '.' | '\u{a0}'));
    let plus = text.starts_with('+');
    if stray || text.chars().skip(1).any(|c| c == '+') {
        return Err(bad_phone(country, "holds something that is neither digit nor separator"));
    }
    match country {
        Some("IN") => indian(&digits, plus),
        _ if (7..=15).contains(&digits.len()) => Ok(if plus { format!("+{digits}") } else { digits }),
        _ => Err(bad_phone(country, &format!("has {} digits", digits.len()))),
    }
}

/// `+91-9876543210` typed into a cell is a sum to a spreadsheet: it leaves `-9876543119`.
fn formula(text: &str) -> Option<Fault> {
    let difference: i64 = text.strip_prefix('-')?.parse().ok()?;
    let typed = difference + 91;
    let meant = if (6_000_000_000..=9_999_999_999).contains(&typed) {
        format!("; it may have been +91-{typed}")
    } else {
        String::new()
    };
    Some(Fault::new(
        Code::PhoneFormula,
        format!("a spreadsheet took this phone number for a sum and kept only the result{meant}"),
        "format the column as text and type the number again",
    ))
}

fn indian(digits: &str, plus: bool) -> Result<String, Fault> {
    let national = match digits.len() {
        12 => digits.strip_prefix("91"),
        13 if !plus => digits.strip_prefix("091"),
        14 if !plus => digits.strip_prefix("0091"),
        11 if !plus => digits.strip_prefix('0'),
        10 if !plus => Some(digits),
        _ => None,
    };
    match national {
        Some(national) if national.starts_with(['6', '7', '8', '9']) => Ok(national.to_owned()),
        Some(national) if national.len() == 10 => Err(bad_phone(Some("IN"), "starts with none of 6, 7, 8 and 9")),
        _ => Err(bad_phone(Some("IN"), &format!("has {} digits", digits.len()))),
    }
}

fn bad_phone(country: Option<&str>, what: &str) -> Fault {
    let accepted = match country {
        Some("IN") => "ten digits that start with 6, 7, 8 or 9, with or without +91",
        _ => "7 to 15 digits, with or without + and country code",
    };
    Fault::new(Code::BadPhone, format!("{what}; accepted is {accepted}"), "ask for the number and type it as text")
}

/// A postal code in its country's form.
///
/// A zero that a spreadsheet took from its front is written again where the country's rule proves it.
pub(super) fn pin_code(text: &str, country: Option<&str>) -> Result<(String, Option<Fault>), Fault> {
    let mut bare: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    let mut note = None;
    if let Some(whole) = zero_length(country).filter(|whole| digits_only(&bare, whole - 1) && !bare.starts_with('0')) {
        bare.insert(0, '0');
        let message = format!("a postal code of {} has {whole} digits; taken as {bare}", country.unwrap_or_default());
        note = Some(Fault::new(Code::ZeroRestored, message, "format the column as text, so that no zero is lost"));
    }
    let (valid, accepted) = match country {
        Some("IN") => (digits_only(&bare, 6) && !bare.starts_with('0'), "six digits, the first not 0"),
        Some("US") => {
            let plain = digits_only(&bare, 5);
            let extended = bare.split_once('-').is_some_and(|(zip, more)| digits_only(zip, 5) && digits_only(more, 4));
            (plain || extended, "five digits, or five and four with a hyphen")
        }
        Some("SG" | "CN") => (digits_only(&bare, 6), "six digits"),
        Some("DE" | "FR" | "IT" | "ES") => (digits_only(&bare, 5), "five digits"),
        Some("AU") => (digits_only(&bare, 4), "four digits"),
        _ => {
            let length = (2..=10).contains(&bare.len());
            (length && bare.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-'), "2 to 10 letters and digits")
        }
    };
    if !valid {
        let where_to = country.map_or_else(String::new, |code| format!(" for {code}"));
        return Err(Fault::new(
            Code::BadPinCode,
            format!("not a postal code{where_to}; accepted is {accepted}"),
            "look it up and type it as text, so that no zero is lost",
        ));
    }
    // Outside the all-digit systems the space is part of the code: `SW1A 1AA`.
    Ok((if bare.bytes().all(|byte| byte.is_ascii_digit()) { bare } else { text.to_owned() }, note))
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
        Err(_) => Err(Fault::new(
            Code::BadEmail,
            "not an e-mail address; accepted is one such as name@example.com",
            "correct it or leave the cell empty",
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indian_phones() {
        for text in [
            "9876543210",
            "+91 98765 43210",
            "09876543210",
            "91-9876543210",
            "+91 (98765) 43210",
            "(+91)9876543210",
            "0091 9876543210",
        ] {
            assert_eq!(phone(text, Some("IN")).unwrap(), "9876543210", "{text}");
        }
        for text in
            ["12345", "1234567890", "98765432101", "+1 9876543210", "98765x3210", "9876543210/11", "", "+9876543210"]
        {
            assert_eq!(phone(text, Some("IN")).unwrap_err().code, Code::BadPhone, "{text}");
        }
        assert_eq!(phone("=+919876543210", Some("IN")).unwrap(), "9876543210");
        let fault = phone("-9876543119", Some("IN")).unwrap_err();
        assert!(fault.code == Code::PhoneFormula && fault.message.contains("+91-9876543210"), "{fault:?}");
    }

    #[test]
    fn phones_elsewhere_keep_their_plus() {
        assert_eq!(phone("+44 20 7946 0000", Some("GB")).unwrap(), "+442079460000");
        assert_eq!(phone("(415) 555-0100", Some("US")).unwrap(), "4155550100");
        assert_eq!(phone("12345", Some("US")).unwrap_err().code, Code::BadPhone);
    }

    #[test]
    fn postal_codes_by_country() {
        let good = [("560001", "IN", "560001"), ("560 001", "IN", "560001"), ("02134", "US", "02134")];
        for (text, country, code) in good {
            assert_eq!(pin_code(text, Some(country)).unwrap(), (code.to_owned(), None));
        }
        assert_eq!(pin_code("SW1A 1AA", Some("GB")).unwrap().0, "SW1A 1AA");
        let (code, note) = pin_code("2134", Some("US")).unwrap();
        assert_eq!((code.as_str(), note.map(|note| note.code)), ("02134", Some(Code::ZeroRestored)));
        for (text, country) in
            [("56001", "IN"), ("060001", "IN"), ("213", "US"), ("60001", "IN"), ("!", "GB"), ("5600O1", "IN")]
        {
            assert_eq!(pin_code(text, Some(country)).unwrap_err().code, Code::BadPinCode, "{text}");
        }
    }

    #[test]
    fn email_forms() {
        assert!(email("asha@example.com").is_ok());
        for text in ["asha", "a@b", "Asha <a@b.in>", "a@[127.0.0.1]", "a b@c.in"] {
            assert_eq!(email(text).unwrap_err().code, Code::BadEmail, "{text}");
        }
    }
}
