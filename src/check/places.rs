//! Which countries' addresses have a state, and which have no postal code.

use super::rules::Rules;
use crate::field::{Id, Need};

/// Sorted: countries where an address without its state, province, region or prefecture is not complete. Elsewhere mail finds its
/// way by postal code and city.
const WITH_STATE: &[&str] =
    &["AU", "BR", "CA", "CN", "CO", "ES", "ID", "IN", "IT", "JP", "KR", "MX", "MY", "RU", "TW", "UA", "US", "VE"];

/// Sorted: countries and territories without postal codes.
const WITHOUT_POSTAL_CODE: &[&str] = &[
    "AE", "AG", "AO", "AW", "BF", "BI", "BJ", "BO", "BQ", "BS", "BW", "BZ", "CD", "CF", "CG", "CI", "CK", "CM", "CW",
    "DJ", "DM", "ER", "FJ", "GA", "GD", "GM", "GQ", "GY", "HK", "KI", "KM", "KN", "KP", "LC", "LY", "ML", "MO", "MR",
    "MW", "NR", "NU", "QA", "RW", "SB", "SC", "SL", "SR", "ST", "SX", "SY", "TD", "TG", "TK", "TL", "TO", "TV", "UG",
    "VU", "YE", "ZW",
];

/// Whether a country's postal codes are none at all.
pub(super) fn is_without_postal_code(country: &str) -> bool {
    WITHOUT_POSTAL_CODE.binary_search(&country).is_ok()
}

impl Rules {
    /// How much a field is needed in an address of that country, unless the configuration demands it everywhere.
    #[must_use]
    pub fn need_in(&self, id: Id, country: Option<&str>) -> Need {
        let need = self.need(id);
        let Some(country) = country.filter(|_| !self.is_configured_need(id)) else { return need };
        let has = match id {
            Id::DestinationState | Id::OriginState | Id::ReturnState => WITH_STATE.binary_search(&country).is_ok(),
            Id::DestinationPinCode | Id::OriginPinCode | Id::ReturnPinCode => !is_without_postal_code(country),
            _ => true,
        };
        if need == Need::Required && !has { Need::Optional } else { need }
    }
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;

    use super::*;
    use crate::check::country_name;

    #[test]
    fn needs_follow_the_country() {
        let mut rules = Rules::new(Timestamp::UNIX_EPOCH);
        for country in ["GB", "DE", "SG", "AE", "HK", "FR", "NL"] {
            assert_eq!(rules.need_in(Id::DestinationState, Some(country)), Need::Optional, "{country}");
        }
        for country in WITH_STATE {
            assert_eq!(rules.need_in(Id::DestinationState, Some(country)), Need::Required, "{country}");
        }
        for country in ["AE", "HK"] {
            assert_eq!(rules.need_in(Id::DestinationPinCode, Some(country)), Need::Optional, "{country}");
        }
        assert_eq!(rules.need_in(Id::DestinationPinCode, Some("GB")), Need::Required);
        assert_eq!(rules.need_in(Id::DestinationState, None), Need::Required);
        rules.require("destination.state").unwrap();
        assert_eq!(rules.need_in(Id::DestinationState, Some("GB")), Need::Required);
        assert!(WITH_STATE.is_sorted() && WITHOUT_POSTAL_CODE.is_sorted());
        assert!(WITH_STATE.iter().chain(WITHOUT_POSTAL_CODE).all(|code| country_name(code).is_some()));
    }
}
