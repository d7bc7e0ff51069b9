//! Phone numbers, as their country writes them.
//!
//! India's rule is our own, and quick; numbers of other countries are judged by the metadata of libphonenumber, which is
//! loaded when the first of them is met.

use phonenumber::PhoneNumber;
use phonenumber::country::Id as Region;
use phonenumber::metadata::DATABASE;

use super::fault::Fault;
use crate::finding::{Finding, Id, cell};

/// A phone number as the request carries it: its national digits, without the zero that is dialled before them at home.
/// A number of another country than the parcel's keeps its `+` and code.
pub(super) fn phone(text: &str, country: Option<&str>) -> Result<String, Fault> {
    if let Some(fault) = formula(text, country) {
        return Err(fault);
    }
    // `=+919876543210` is a formula that was kept as it was typed: nothing is lost.
    let text = text.strip_prefix('=').unwrap_or(text);
    // Some shops write the country's code as `(+91)`.
    let text = if text.starts_with("(+") { &text[1..] } else { text };
    // `+44 (0)20 …`: the zero in brackets is dialled at home only.
    let shown = text.replacen("(0)", "", usize::from(text.starts_with('+')));
    let digits: String = shown.chars().filter(char::is_ascii_digit).collect();
    let separator = |c: char| matches!(c, '+' | '-' | ' ' | '(' | ')' | '.' | '/' | '\u{a0}');
    let separator = |c: char| separator(c) && (c != '/' || matches!(country, Some("DE" | "AT" | "CH")));
    let plus = shown.starts_with('+');
    if shown.chars().any(|c| !c.is_ascii_digit() && !separator(c)) || shown.chars().skip(1).any(|c| c == '+') {
        return Err(cell::bad_phone::other_characters(&accepted(country)).into());
    }
    match country {
        Some("IN") => indian(&digits, plus),
        Some(code) => match code.parse() {
            Ok(region) => elsewhere(&digits, plus, region),
            Err(_) => unplaced(&digits, plus),
        },
        None => unplaced(&digits, plus),
    }
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

/// A phone number, and a word about what is not sent of it, or about its being assigned to nobody.
pub(super) fn noted(text: &str, country: Option<&str>) -> Result<(String, Option<Fault>), Fault> {
    let Some((number, extension)) = extended(text) else {
        let otherwise = |fault: Fault| {
            if fault.id != Id::BadPhone {
                return Err(fault);
            }
            let found = several(text, country).or_else(|| landline(text, country));
            found.unwrap_or(Err(fault))
        };
        return doubted(text, country).or_else(otherwise);
    };
    let (digits, doubt) = doubted(number, country)?;
    let doubt = doubt.unwrap_or_else(|| cell::bad_phone::extension(extension, &digits).into());
    Ok((digits, Some(doubt)))
}

/// What a cell with more than one number comes to; nothing where it has only one.
fn several(text: &str, country: Option<&str>) -> Option<Result<(String, Option<Fault>), Fault>> {
    const DIGITS_MIN: usize = 7;
    let is_number = |part: &&str| part.bytes().filter(u8::is_ascii_digit).count() >= DIGITS_MIN;
    let parts = |apart: fn(char) -> bool| text.split(apart).map(str::trim).filter(is_number).collect::<Vec<&str>>();
    let by_sign = parts(|c| matches!(c, '/' | ',' | ';' | '|' | '&' | '\\') || c.is_alphabetic());
    let parts = if by_sign.len() > 1 { by_sign } else { parts(char::is_whitespace) };
    if parts.len() < 2 {
        return None;
    }
    let read = |part: &str| doubted(part, country).ok().or_else(|| landline(part, country)?.ok());
    let mut numbers: Vec<(String, Option<Fault>)> = parts.iter().filter_map(|part| read(part)).collect();
    let all = numbers.len() == parts.len();
    numbers.dedup_by(|one, other| one.0 == other.0);
    match numbers.as_slice() {
        [] => None,
        [_] if all => numbers.pop().map(Ok),
        _ => {
            let numbers: Vec<&str> = numbers.iter().map(|(digits, _)| digits.as_str()).collect();
            Some(Err(cell::bad_phone::several(&numbers).into()))
        }
    }
}

/// A landline of India: with its zero, its country's code or its area code apart it is sent; ten bare digits are as likely
/// a mobile number with a wrong digit.
fn landline(text: &str, country: Option<&str>) -> Option<Result<(String, Option<Fault>), Fault>> {
    let is_other = |c: char| !c.is_ascii_digit() && !matches!(c, '+' | '-' | ' ' | '(' | ')' | '.' | '\u{a0}');
    if country != Some("IN") || text.contains(is_other) || text.starts_with('-') {
        return None;
    }
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    let national = match digits.len() {
        12 => digits.strip_prefix("91"),
        11 => digits.strip_prefix('0'),
        10 => Some(digits.as_str()),
        _ => None,
    }?;
    // Eight digits follow the area codes of the largest cities; of the others the metadata knows which there are.
    let is_stopgap = national == "1234567890";
    let is_city = ["11", "20", "22", "33", "40", "44", "79", "80"].iter().any(|code| national.starts_with(code));
    if !is_city {
        read(national, false, Region::IN).filter(|number| number.country().code() == 91 && !is_stopgap)?;
    }
    let national = national.to_owned();
    let area = text.trim_start_matches('(').bytes().take_while(u8::is_ascii_digit).count();
    if digits.len() == 10 && !(2..=4).contains(&area) {
        if !is_city && national.starts_with('1') {
            return None;
        }
        return Some(Err(cell::bad_phone::landline_or_wrong(&national).into()));
    }
    let note = cell::bad_phone::landline(&national);
    Some(Ok((national, Some(note.into()))))
}

/// A number and its extension, where it has one: `+1 206 555 0100 ext. 12345`, `555-0132 x9`.
fn extended(text: &str) -> Option<(&str, &str)> {
    const WORDS: [&str; 6] = ["extension", "extn", "ext", "x", "#", ";ext="];
    const NUMBER_DIGITS_MIN: usize = 7;
    const EXTENSION_DIGITS_MAX: usize = 7;
    let before = text.trim_end().trim_end_matches(|c: char| c.is_ascii_digit());
    let extension =
        text.trim_end().get(before.len()..).filter(|digits| (1..=EXTENSION_DIGITS_MAX).contains(&digits.len()))?;
    let before = before.trim_end_matches(|c: char| c.is_whitespace() || matches!(c, '.' | ':' | '-'));
    let without = |word: &&str| {
        let (number, end) = before.split_at_checked(before.len().checked_sub(word.len())?)?;
        end.eq_ignore_ascii_case(word).then_some(number)
    };
    let number = WORDS.iter().find_map(without)?;
    let number = number.trim_end_matches(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | '(' | '-'));
    let digits = number.bytes().filter(u8::is_ascii_digit).count();
    (digits >= NUMBER_DIGITS_MIN).then_some((number, extension))
}

/// A phone number, and a word of doubt about one that is well formed in North America and assigned to nobody.
fn doubted(text: &str, country: Option<&str>) -> Result<(String, Option<Fault>), Fault> {
    let fault = match phone(text, country) {
        Ok(digits) => return Ok((digits, None)),
        Err(fault) => fault,
    };
    let Some((code, digits)) = country.and_then(|code| Some((code, well_formed(text, code)?))) else {
        return Err(fault);
    };
    let doubt = cell::bad_phone::of_nobody(code, &digits);
    Ok((digits, Some(doubt.into())))
}

/// The national digits of a number that has the length and area code of the North American plan.
fn well_formed(text: &str, country: &str) -> Option<String> {
    const NORTH_AMERICA: u16 = 1;
    let region: Region = country.parse().ok()?;
    if calling_code(region)? != NORTH_AMERICA || text.starts_with('-') {
        return None;
    }
    let separator = |c: char| matches!(c, '+' | '-' | ' ' | '(' | ')' | '.' | '\u{a0}');
    if text.chars().any(|c| !c.is_ascii_digit() && !separator(c)) || text.chars().skip(1).any(|c| c == '+') {
        return None;
    }
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    let national = match digits.len() {
        10 if !text.starts_with('+') => digits.as_str(),
        11 => digits.strip_prefix('1')?,
        _ => return None,
    };
    let metadata = DATABASE.by_id(region.as_ref())?;
    metadata.descriptors().general().is_match(national).then(|| national.to_owned())
}

/// `+91-9876543210` typed into a cell is a sum to a spreadsheet: it leaves `-9876543119`.
fn formula(text: &str, country: Option<&str>) -> Option<Fault> {
    let difference: i64 = text.strip_prefix('-')?.parse().ok()?;
    let code = match country {
        None | Some("IN") => 91,
        Some(other) => calling_code(other.parse().ok()?)?,
    };
    let typed = difference.checked_add(i64::from(code))?;
    let is_number = phone(&format!("+{code}{typed}"), country.or(Some("IN"))).is_ok();
    Some(cell::phone_formula::sum(code, is_number.then_some(typed)).into())
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
        Some(national) if national.len() == 10 => Err(cell::bad_phone::starts_wrong(&accepted(Some("IN"))).into()),
        _ => Err(cell::bad_phone::wrong_length(digits.len(), &accepted(Some("IN"))).into()),
    }
}

/// A number of a country with metadata of its own.
fn elsewhere(digits: &str, plus: bool, region: Region) -> Result<String, Fault> {
    let country = region.as_ref().to_owned();
    let code = calling_code(region);
    let own = |number: &PhoneNumber| code == Some(number.country().code());
    // The ways in which people write one: with the plus, as at home, with `00`, and with the country's code alone.
    let international = digits.strip_prefix("00").unwrap_or(digits);
    let tried = [(plus, digits), (false, digits), (true, international)];
    let tried = tried.iter().filter(|(with_plus, _)| *with_plus || !plus);
    let numbers: Vec<PhoneNumber> = tried.filter_map(|(plus, digits)| read(digits, *plus, region)).collect();
    if let Some(number) = numbers.iter().find(|number| own(number)) {
        return Ok(number.national().to_string());
    }
    // Only a plus or `00` says that a number is of another country.
    if plus || digits.starts_with("00") {
        if let Some(other) = numbers.first() {
            return Ok(format!("+{}{}", other.country().code(), other.national()));
        }
        return Err(cell::bad_phone::of_no_country(&accepted(Some(&country))).into());
    }
    Err(cell::bad_phone::not_of_country(digits.len(), &country, &accepted(Some(&country))).into())
}

/// A valid number, or none.
fn read(digits: &str, plus: bool, region: Region) -> Option<PhoneNumber> {
    let number =
        if plus { phonenumber::parse(None, format!("+{digits}")) } else { phonenumber::parse(Some(region), digits) };
    number.ok().filter(PhoneNumber::is_valid)
}

/// Where the country is not known, the length alone can be wrong.
fn unplaced(digits: &str, plus: bool) -> Result<String, Fault> {
    match digits.len() {
        7..=15 if plus => Ok(format!("+{digits}")),
        7..=15 => Ok(digits.to_owned()),
        length => Err(cell::bad_phone::wrong_length(length, &accepted(None)).into()),
    }
}

fn calling_code(region: Region) -> Option<u16> {
    DATABASE.by_id(region.as_ref()).map(phonenumber::Metadata::country_code)
}

/// What is accepted, for people.
fn accepted(country: Option<&str>) -> String {
    match country {
        Some("IN") => "ten digits that start with 6, 7, 8 or 9, with or without +91".to_owned(),
        Some(code) => {
            example(code).unwrap_or_else(|| format!("a number of {code}, with or without its country's code"))
        }
        None => "7 to 15 digits, with or without + and country code".to_owned(),
    }
}

/// A number of that country, for people.
fn example(country: &str) -> Option<String> {
    let metadata = DATABASE.by_id(country)?;
    let descriptors = metadata.descriptors();
    let digits =
        descriptors.mobile().and_then(|mobile| mobile.example()).or_else(|| descriptors.fixed_line()?.example());
    let code = metadata.country_code();
    Some(format!("a number of {country} such as +{code} {}, with or without +{code}", digits?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::english::{message, plain_advice};

    /// Each country's numbers as people write them, and the digits that are sent.
    const GOOD: &[(&str, &str, &[&str])] = &[
        (
            "IN",
            "9876543210",
            &[
                "9876543210",
                "+91 98765 43210",
                "09876543210",
                "91-9876543210",
                "+91 (98765) 43210",
                "(+91)9876543210",
                "0091 9876543210",
                "=+919876543210",
            ],
        ),
        (
            "US",
            "4155550132",
            &["(415) 555-0132", "415.555.0132", "+1 415 555 0132", "1-415-555-0132", "4155550132", "001 415 555 0132"],
        ),
        (
            "GB",
            "2079460958",
            &[
                "020 7946 0958",
                "+44 20 7946 0958",
                "+44 (0)20 7946 0958",
                "0044 20 7946 0958",
                "442079460958",
                "2079460958",
            ],
        ),
        ("GB", "7400123456", &["07400 123456", "+447400123456", "(+44) 7400-123456", "7400123456"]),
        ("DE", "15123456789", &["0151 23456789", "+49 151 23456789", "0049 151/23456789", "4915123456789"]),
        ("DE", "30123456", &["030 123456", "030/123456", "+49 (0)30 123456"]),
        ("AE", "501234567", &["050 123 4567", "+971 50 123 4567", "00971501234567", "971501234567", "501234567"]),
        ("AU", "412345678", &["0412 345 678", "+61 412 345 678", "61412345678", "412345678"]),
        ("SG", "81234567", &["8123 4567", "+65 8123 4567", "6581234567", "0065 81234567"]),
        ("US", "+919876543210", &["+91 98765 43210", "0091 9876543210"]),
        ("GB", "+33612345678", &["+33 6 12 34 56 78"]),
    ];

    #[test]
    fn numbers_become_their_countrys_digits() {
        for (country, digits, spellings) in GOOD {
            for text in *spellings {
                assert_eq!(phone(text, Some(country)).as_deref(), Ok(*digits), "{text} in {country}");
            }
        }
    }

    #[test]
    fn wrong_numbers_are_refused_with_an_example() {
        let wrong: &[(&str, &[&str])] = &[
            (
                "IN",
                &[
                    "12345",
                    "1234567890",
                    "98765432101",
                    "+1 9876543210",
                    "98765x3210",
                    "9876543210/11",
                    "",
                    "+9876543210",
                ],
            ),
            ("US", &["555-0132", "0155550132", "41555501321", "call me"]),
            ("GB", &["020 7946", "12345", "07400 1234567890", "9876543210"]),
            ("DE", &["0", "123", "+49 1"]),
            ("AE", &["123456", "0501234"]),
            ("AU", &["0912 345", "12345"]),
            ("SG", &["1234567", "2123 4567", "812345678"]),
        ];
        for (country, texts) in wrong {
            for text in *texts {
                let fault = phone(text, Some(country)).unwrap_err();
                assert_eq!(fault.id, Id::BadPhone, "{text} in {country}");
                assert!(message(&fault).contains("accepted is"), "{}", message(&fault));
            }
        }
        let fault = phone("12345", Some("GB")).unwrap_err();
        assert!(
            message(&fault).contains("no number of GB; accepted is a number of GB such as +44 7"),
            "{}",
            message(&fault)
        );
    }

    #[test]
    fn well_formed_numbers_of_nobody_are_doubted_in_north_america_alone() {
        for text in ["555-123-4567", "(555) 123-4567", "+1 555 123 4567", "1-555-123-4567"] {
            let (digits, doubt) = noted(text, Some("US")).unwrap();
            assert_eq!((digits.as_str(), doubt.map(|doubt| doubt.id)), ("5551234567", Some(Id::BadPhone)), "{text}");
        }
        assert_eq!(noted("415-555-0132", Some("US")), Ok(("4155550132".to_owned(), None)));
        for (text, country) in [
            ("055-123-4567", "US"),
            ("155-123-4567", "US"),
            ("55-123-4567", "US"),
            ("+1 55 123 4567", "US"),
            ("555-123-4567 y9", "US"),
            ("1234567890", "IN"),
            ("9876543210", "GB"),
        ] {
            assert_eq!(noted(text, Some(country)).unwrap_err().id, Id::BadPhone, "{text}");
        }
    }

    #[test]
    fn of_several_numbers_a_person_keeps_one() {
        let two = [
            "9876543210 / 9876500000",
            "9876543210, +91 98765 00000",
            "9876543210 or 98765-00000",
            "9876543210 9876500000",
        ];
        for text in two {
            let fault = noted(text, Some("IN")).unwrap_err();
            assert_eq!(
                plain_advice(&fault),
                "write the one that the courier is to call: 9876543210 or 9876500000",
                "{text}"
            );
        }
        for text in ["9876543210/9876543210", "98765 43210; +91 9876543210", "9876543210 & 9876543210"] {
            assert_eq!(noted(text, Some("IN")), Ok(("9876543210".to_owned(), None)), "{text}");
        }
        assert_eq!(
            plain_advice(&noted("9876543210 / 1234567", Some("IN")).unwrap_err()),
            "write the one that the courier is to call: 9876543210"
        );
    }

    #[test]
    fn landlines_are_sent_with_a_word() {
        for (text, digits) in [
            ("02212345678", "2212345678"),
            ("022-12345678", "2212345678"),
            ("22-12345678", "2212345678"),
            ("+91 22 2345 6789", "2223456789"),
            ("(011) 2345 6789", "1123456789"),
            ("0124 4567890", "1244567890"),
        ] {
            let (sent, note) = noted(text, Some("IN")).unwrap_or_else(|fault| panic!("{text}: {fault:?}"));
            assert_eq!((sent.as_str(), note.is_some()), (digits, true), "{text}");
        }
        let fault = noted("2223456789", Some("IN")).unwrap_err();
        assert!(plain_advice(&fault).contains("write it with its zero: 02223456789"), "{fault:?}");
        assert!(noted("02223456789", Some("IN")).is_ok(), "as the hint says");
        for text in ["0221234567", "022-1234", "1234567890", "01234567890"] {
            assert!(noted(text, Some("IN")).is_err(), "{text}");
        }
    }

    #[test]
    fn extensions_are_taken_off_and_said() {
        for (text, country, digits, extension) in [
            ("+1 206 555 0100 ext. 12345", "US", "2065550100", "12345"),
            ("206-555-0100 x123", "US", "2065550100", "123"),
            ("(415) 555-0132 Extn: 7", "US", "4155550132", "7"),
            ("+91 98765 43210 #12", "IN", "9876543210", "12"),
            ("020 7946 0958, extension 44", "GB", "2079460958", "44"),
        ] {
            let (sent, note) = noted(text, Some(country)).unwrap();
            let message = note.map(|note| message(&note)).unwrap_or_default();
            assert_eq!(sent, digits, "{text}");
            assert!(message.contains(&format!("extension {extension};")), "{text}: {message}");
        }
        for text in ["98765x3210", "9876543210 ext", "9876543210 ext 12345678", "x123"] {
            assert!(noted(text, Some("IN")).is_err(), "{text}");
        }
    }

    #[test]
    fn a_sum_is_no_number_and_what_it_was_is_proposed() {
        for (text, country, meant) in [
            ("-9876543119", "IN", "+91-9876543210"),
            ("-7400123412", "GB", "+44-7400123456"),
            ("-4155550131", "US", "+1-4155550132"),
            ("-501233596", "AE", "+971-501234567"),
        ] {
            let fault = phone(text, Some(country)).unwrap_err();
            assert!(fault.id == Id::PhoneFormula && message(&fault).ends_with(meant), "{fault:?}");
        }
        let fault = phone("-12", Some("GB")).unwrap_err();
        assert!(fault.id == Id::PhoneFormula && !message(&fault).contains("may have been"), "{fault:?}");
    }

    #[test]
    fn without_a_country_the_length_alone_is_judged() {
        assert_eq!(phone("+44 20 7946 0000", None).as_deref(), Ok("+442079460000"));
        assert_eq!(phone("0207946000", None).as_deref(), Ok("0207946000"));
        assert_eq!(phone("12345", None).unwrap_err().id, Id::BadPhone);
    }
}
