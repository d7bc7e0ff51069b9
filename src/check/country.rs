//! Countries by ISO 3166.

use rust_iso3166::CountryCode;

use super::fault::Fault;
use crate::problem::Code;

/// The alpha-2 code that a cell means: by code, or by the country's English name.
pub(super) fn code(text: &str) -> Result<String, Fault> {
    let upper = text.to_ascii_uppercase();
    let found = match upper.len() {
        2 => rust_iso3166::from_alpha2(&upper),
        3 => rust_iso3166::from_alpha3(&upper),
        _ => by_name(text),
    };
    found.map(|country| country.alpha2.to_owned()).ok_or_else(|| {
        Fault::new(
            Code::BadCountry,
            "not a country code; accepted is a two-letter ISO 3166 code such as IN",
            "write the two letters, for instance IN for India",
        )
    })
}

fn by_name(text: &str) -> Option<CountryCode> {
    rust_iso3166::ALL.iter().find(|country| country.name.eq_ignore_ascii_case(text)).copied()
}

/// A country's English name, from its alpha-2 code.
#[must_use]
pub fn name_of(alpha2: &str) -> Option<&'static str> {
    rust_iso3166::from_alpha2(alpha2).map(|country| country.name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_and_names() {
        for text in ["IN", "in", "IND", "India", "INDIA"] {
            assert_eq!(code(text).unwrap(), "IN", "{text}");
        }
        for text in ["XX", "Indya", "I", "91"] {
            assert_eq!(code(text).unwrap_err().code, Code::BadCountry, "{text}");
        }
        assert_eq!(name_of("IN"), Some("India"));
    }
}
