//! Countries by ISO 3166.

use rust_iso3166::CountryCode;

use super::fault::Fault;
use crate::finding::cell;

/// The alpha-2 code that a cell means: by code, or by the country's English name.
pub(super) fn code(text: &str) -> Result<String, Fault> {
    code_of(text).map(str::to_owned).ok_or_else(|| cell::bad_country::unknown().into())
}

/// The alpha-2 code of a country by its code, its English name or another usual spelling.
#[must_use]
pub fn code_of(text: &str) -> Option<&'static str> {
    let by_code = match text.len() {
        2 => rust_iso3166::from_alpha2(&text.to_ascii_uppercase()),
        3 => rust_iso3166::from_alpha3(&text.to_ascii_uppercase()),
        _ => None,
    };
    by_code.map(|country| country.alpha2).or_else(|| by_name(text))
}

/// Usual spellings beside those of the standard, without case, spaces, dots and punctuation.
const SPELLINGS: &[(&str, &str)] = &[
    ("bharat", "IN"),
    ("republicofindia", "IN"),
    ("hindustan", "IN"),
    ("unitedstates", "US"),
    ("unitedstatesofamerica", "US"),
    ("us", "US"),
    ("usa", "US"),
    ("america", "US"),
    ("uk", "GB"),
    ("unitedkingdom", "GB"),
    ("greatbritain", "GB"),
    ("britain", "GB"),
    ("england", "GB"),
    ("scotland", "GB"),
    ("wales", "GB"),
    ("northernireland", "GB"),
    ("uae", "AE"),
    ("emirates", "AE"),
    ("unitedarabemirates", "AE"),
    ("ksa", "SA"),
    ("saudiarabia", "SA"),
    ("southkorea", "KR"),
    ("korea", "KR"),
    ("republicofkorea", "KR"),
    ("northkorea", "KP"),
    ("russia", "RU"),
    ("russianfederation", "RU"),
    ("vietnam", "VN"),
    ("laos", "LA"),
    ("iran", "IR"),
    ("syria", "SY"),
    ("tanzania", "TZ"),
    ("moldova", "MD"),
    ("bolivia", "BO"),
    ("venezuela", "VE"),
    ("taiwan", "TW"),
    ("brunei", "BN"),
    ("czechrepublic", "CZ"),
    ("czechia", "CZ"),
    ("macedonia", "MK"),
    ("holland", "NL"),
    ("netherlands", "NL"),
    ("thenetherlands", "NL"),
    ("turkey", "TR"),
    ("turkiye", "TR"),
    ("türkiye", "TR"),
    ("ivorycoast", "CI"),
    ("capeverde", "CV"),
    ("swaziland", "SZ"),
    ("burma", "MM"),
    ("macau", "MO"),
    ("hongkong", "HK"),
    ("palestine", "PS"),
    ("congo", "CG"),
    ("vatican", "VA"),
    ("deutschland", "DE"),
    ("österreich", "AT"),
    ("schweiz", "CH"),
    ("españa", "ES"),
    ("italia", "IT"),
    ("philippines", "PH"),
    ("bahamas", "BS"),
    ("gambia", "GM"),
    ("maldives", "MV"),
    ("srilanka", "LK"),
    ("ceylon", "LK"),
    ("nepal", "NP"),
    ("bhutan", "BT"),
    ("bangladesh", "BD"),
];

fn by_name(text: &str) -> Option<&'static str> {
    if text.is_empty() {
        return None;
    }
    let bare = crate::field::normalised(text);
    let spelled = || SPELLINGS.iter().find(|(name, _)| *name == bare).map(|(_, code)| *code);
    let exact = rust_iso3166::ALL.iter().find(|country| country.name.eq_ignore_ascii_case(text));
    exact.map(|country: &CountryCode| country.alpha2).or_else(spelled)
}

/// A country's English name, from its alpha-2 code.
#[must_use]
pub fn name_of(alpha2: &str) -> Option<&'static str> {
    rust_iso3166::from_alpha2(alpha2).map(|country| country.name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding;

    #[test]
    fn codes_and_names() {
        for text in ["IN", "in", "IND", "India", "INDIA", "Bharat"] {
            assert_eq!(code(text).unwrap(), "IN", "{text}");
        }
        let spelled =
            [("U.S.A.", "US"), ("United States", "US"), ("UK", "GB"), ("South Korea", "KR"), ("Viet Nam", "VN")];
        for (text, alpha2) in spelled {
            assert_eq!(code_of(text), Some(alpha2), "{text}");
        }
        for (_, alpha2) in SPELLINGS {
            assert!(name_of(alpha2).is_some(), "{alpha2}");
        }
        for text in ["XX", "Indya", "I", "91"] {
            assert_eq!(code(text).unwrap_err().id, finding::Id::BadCountry, "{text}");
        }
        assert_eq!(name_of("IN"), Some("India"));
    }
}
