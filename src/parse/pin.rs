//! Which state of India a PIN code lies in, and of some the city.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use crate::field::{PIN_DIGITS, is_digits};
use crate::text::ascii_digits;

/// The list, as `templates/places/india-pins.csv` has it.
const LIST: &str = include_str!("../../templates/places/india-pins.csv");

/// Where the PIN codes with some first digits lie.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PinPlace {
    /// The state, where the digits tell.
    pub state: Option<&'static str>,
    /// The city, where all of them are one city's.
    pub city: Option<&'static str>,
    /// Other states that they may be said to lie in.
    also: Vec<&'static str>,
}

/// What a PIN code says of a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PinFits {
    /// It lies there, or may be said to.
    There,
    /// It lies in another state of the same region.
    Near(&'static str),
    /// It lies in another region.
    Far(&'static str),
}

impl PinPlace {
    /// Whether its PIN codes lie in a state, by its usual name.
    #[must_use]
    pub fn fits(&self, state: &str) -> PinFits {
        let Some(own) = self.states().next().filter(|_| self.states().all(|known| known != state)) else {
            return PinFits::There;
        };
        let regions = |of: &str| -> Vec<char> {
            let of_state = PLACES.iter().filter(|(_, place)| place.states().any(|known| known == of));
            of_state.filter_map(|(prefix, _)| prefix.to_string().chars().next()).collect()
        };
        let own_regions = regions(own);
        if regions(state).iter().any(|region| own_regions.contains(region)) {
            PinFits::Near(own)
        } else {
            PinFits::Far(own)
        }
    }

    fn states(&self) -> impl Iterator<Item = &'static str> {
        self.state.into_iter().chain(self.also.iter().copied())
    }
}

/// Where a PIN code of India lies; nothing where the list does not have it.
#[must_use]
pub fn pin_place(pin: &str) -> Option<&'static PinPlace> {
    let is_whole = pin.len() == PIN_DIGITS && is_digits(pin);
    (3..PIN_DIGITS).rev().filter(|_| is_whole).find_map(|length| PLACES.get(&pin[..length].parse().ok()?))
}

/// Where a PIN code lies as people write it: in two parts, or in the digits of another script.
#[must_use]
pub fn written_pin_place(text: &str) -> Option<&'static PinPlace> {
    if text.bytes().all(|byte| byte.is_ascii_digit()) {
        return pin_place(text);
    }
    let plain: String = ascii_digits(text).chars().filter(|c| !matches!(c, ' ' | '-')).collect();
    pin_place(&plain)
}

/// By first digits.
static PLACES: LazyLock<BTreeMap<u32, PinPlace>> = LazyLock::new(|| {
    let mut places = BTreeMap::new();
    for line in LIST.lines().filter(|line| !line.starts_with('#')).skip(1) {
        let mut cells = line.split(',');
        let mut next = || cells.next().unwrap_or_default();
        let (prefixes, state, also, city) = (next(), next(), next(), next());
        let named = |text: &'static str| Some(text).filter(|text| !text.is_empty());
        let (state, city, also) = (named(state), named(city), also.split(';').filter_map(named).collect());
        let place = PinPlace { state, city, also };
        // `121-136` is all of them; `110` is itself.
        let (first, last) = prefixes.split_once('-').unwrap_or((prefixes, prefixes));
        let number = |text: &str| text.parse::<u32>().unwrap_or_default();
        places.extend((number(first)..=number(last)).map(|prefix| (prefix, place.clone())));
    }
    places
});
