//! Which state of India a PIN code lies in, and of some the city.

use std::collections::HashMap;
use std::sync::LazyLock;

/// The list, as `templates/places/india-pins.csv` has it.
const LIST: &str = include_str!("../../templates/places/india-pins.csv");

/// The digits of a PIN code.
const DIGITS: usize = 6;

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
        let in_region = |(prefix, place): (&String, &Self)| {
            place.states().any(|known| known == state) && self.regions().any(|region| prefix.starts_with(region))
        };
        if PLACES.iter().any(in_region) { PinFits::Near(own) } else { PinFits::Far(own) }
    }

    fn states(&self) -> impl Iterator<Item = &'static str> {
        self.state.into_iter().chain(self.also.iter().copied())
    }

    /// The first digits of the PIN codes of its states.
    fn regions(&self) -> impl Iterator<Item = char> {
        let own = self.states().next();
        let of_own = PLACES.iter().filter(move |(_, place)| own.is_some() && place.state == own);
        of_own.filter_map(|(prefix, _)| prefix.chars().next())
    }
}

/// Where a PIN code of India lies; nothing where the list does not have it.
#[must_use]
pub fn pin_place(pin: &str) -> Option<&'static PinPlace> {
    if pin.len() != DIGITS || !pin.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    (3..DIGITS).rev().find_map(|length| PLACES.get(&pin[..length]))
}

/// By first digits.
static PLACES: LazyLock<HashMap<String, PinPlace>> = LazyLock::new(|| {
    let lines = LIST.lines().filter(|line| !line.starts_with('#')).skip(1);
    let mut places = HashMap::new();
    for line in lines {
        let mut cells = line.split(',');
        let mut next = || cells.next().unwrap_or_default();
        let (prefixes, state, also, city) = (next(), next(), next(), next());
        let named = |text: &'static str| Some(text).filter(|text| !text.is_empty());
        let place =
            PinPlace { state: named(state), city: named(city), also: also.split(';').filter_map(named).collect() };
        for prefix in range(prefixes) {
            places.insert(prefix, place.clone());
        }
    }
    places
});

/// `121-136` written out; `110` is itself.
fn range(text: &str) -> impl Iterator<Item = String> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let number = |text: &str| text.parse::<u32>().unwrap_or_default();
    (number(first)..=number(last)).map(|prefix| prefix.to_string())
}
