//! What texts came to before: the cells of most columns repeat themselves, and reading them again costs more than looking.

use super::value::Value;
use crate::field::{Field, Id, Kind, indian_state};
use crate::text::Text;

/// Places for values; a power of two.
const PLACES: usize = 512;

/// Longer texts hardly come twice.
const TEXT_BYTES_MAX: usize = 64;

/// Values of which nothing had to be said, each in one of two places that its field and text give it: the newer ones stay.
#[derive(Debug)]
pub struct Memo {
    values: Vec<Option<Remembered>>,
    states: Recent<Option<&'static str>>,
    /// What cells said of whether their orders go, by sheet and column.
    said: Vec<Option<Said>>,
}

/// A sheet and its column, a text there, and the number of the rule that is for it.
type Said = ((u16, u32), Text, u8);

/// The last answers about texts, each in a place that its text gives it: the newer one stays.
#[derive(Debug)]
struct Recent<T>(Vec<Option<(Text, T)>>);

impl<T: Copy> Recent<T> {
    /// What `ask` says of a text, or said before.
    fn of(&mut self, text: &str, ask: impl FnOnce(&str) -> T) -> T {
        let index = place(0, text) % self.0.len();
        if let Some((known, answer)) = &self.0[index]
            && known == text
        {
            return *answer;
        }
        let answer = ask(text);
        if text.len() <= TEXT_BYTES_MAX {
            self.0[index] = Some((text.into(), answer));
        }
        answer
    }
}

impl<T: Copy> Default for Recent<T> {
    fn default() -> Self {
        Self(vec![None; PLACES / 8])
    }
}

/// A cell, by all that its value and what is to be said of it hang on beside the run's layouts and rules.
#[derive(Debug, Clone, Copy)]
pub struct Asked<'a> {
    /// The sheet's number.
    pub sheet: u16,
    /// Its column.
    pub column: u32,
    /// The field.
    pub id: Id,
    /// Whether the text is a number or date of the sheet itself.
    pub native: bool,
    /// Its text.
    pub text: &'a str,
    /// The country that the value belongs to, where one is known.
    pub country: Option<&'a str>,
    /// The currency of the order so far; empty where it is not known.
    pub currency: &'a str,
}

impl Asked<'_> {
    fn is_remembered(&self) -> bool {
        repeats(self.id.field()) && self.text.len() <= TEXT_BYTES_MAX
    }

    fn place(&self) -> usize {
        place(self.id as u64, self.text) % PLACES
    }
}

/// A value, and what it was read from.
#[derive(Debug)]
struct Remembered {
    sheet: u16,
    column: u32,
    id: Id,
    native: bool,
    text: Text,
    country: Option<Text>,
    currency: Text,
    value: Value,
}

impl Remembered {
    fn is_of(&self, asked: &Asked<'_>) -> bool {
        self.id == asked.id
            && self.text == asked.text
            && self.column == asked.column
            && self.sheet == asked.sheet
            && self.native == asked.native
            && self.country.as_deref() == asked.country
            && self.currency == asked.currency
    }
}

impl Default for Memo {
    fn default() -> Self {
        let values = std::iter::repeat_with(|| None).take(PLACES).collect();
        Self { values, states: Recent::default(), said: vec![None; PLACES] }
    }
}

impl Memo {
    /// The value that was kept of a cell like this one.
    #[must_use]
    pub fn known(&self, asked: &Asked<'_>) -> Option<&Value> {
        if !asked.is_remembered() {
            return None;
        }
        // Two cells of the same row may have the same place, and would drive each other out row by row.
        let first = asked.place();
        let found = [first, first ^ 1].into_iter().filter_map(|place| self.values[place].as_ref());
        found.filter(|known| known.is_of(asked)).map(|known| &known.value).next()
    }

    /// Keeps the value of a cell of which nothing had to be said.
    pub fn keep(&mut self, asked: &Asked<'_>, value: &Value) {
        if !asked.is_remembered() {
            return;
        }
        let Asked { sheet, column, id, native, text, country, currency } = *asked;
        let (text, country, currency) = (text.into(), country.map(Text::from), currency.into());
        let place = asked.place();
        self.values.swap(place, place ^ 1);
        let value = value.clone();
        self.values[place] = Some(Remembered { sheet, column, id, native, text, country, currency, value });
    }

    /// As [`indian_state`].
    pub fn indian_state(&mut self, text: &str) -> Option<&'static str> {
        self.states.of(text, indian_state)
    }

    /// The rule that was found for a cell with this text in this column of this sheet, in the numbers of who [kept] it.
    ///
    /// [kept]: Memo::keep_said
    #[must_use]
    pub fn said(&self, at: (u16, u32), text: &str) -> Option<u8> {
        let known = self.said[place(u64::from(at.1), text) % PLACES].as_ref();
        known.filter(|known| known.0 == at && known.1 == text).map(|known| known.2)
    }

    /// Keeps which rule is for a cell, whatever its order is.
    pub fn keep_said(&mut self, at: (u16, u32), text: &str, rule: u8) {
        if text.len() <= TEXT_BYTES_MAX {
            self.said[place(u64::from(at.1), text) % PLACES] = Some((at, text.into(), rule));
        }
    }
}

fn place(seed: u64, text: &str) -> usize {
    // Nothing hangs on it but speed, so that the quickest hash is good enough.
    let mix = |hash: u64, part: u64| (hash ^ part).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
    let (words, rest) = text.as_bytes().as_chunks::<8>();
    let hash = words.iter().fold(seed, |hash, word| mix(hash, u64::from_le_bytes(*word)));
    let hash = rest.iter().fold(hash, |hash, byte| mix(hash, u64::from(*byte)));
    usize::try_from(hash >> 40).unwrap_or_default()
}

/// Whether a field's cells take few values.
const fn repeats(field: &Field) -> bool {
    let few = matches!(
        field.id,
        Id::DestinationCity | Id::DestinationState | Id::DestinationCountry | Id::ProductName | Id::Sku | Id::Category
    );
    few || matches!(
        field.kind,
        Kind::Instant
            | Kind::CountryCode
            | Kind::PinCode
            | Kind::Money
            | Kind::MoneyText
            | Kind::Measure
            | Kind::Quantity
            | Kind::Rate
            | Kind::LengthUnit
            | Kind::WeightUnit
            | Kind::Flag
            | Kind::Payment
            | Kind::Currency
            | Kind::Warehouse
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::FIELDS;

    #[test]
    fn a_value_is_known_of_cells_that_are_alike_in_all_and_of_no_others() {
        let mut memo = Memo::default();
        let asked = Asked {
            sheet: 0,
            column: 3,
            id: Id::DestinationPinCode,
            native: false,
            text: "560001",
            country: Some("IN"),
            currency: "INR",
        };
        let value = Value::Text("560001".into());
        assert_eq!(memo.known(&asked), None);
        memo.keep(&asked, &value);
        assert_eq!(memo.known(&asked), Some(&value));
        let others = [
            Asked { sheet: 1, ..asked },
            Asked { column: 4, ..asked },
            Asked { id: Id::OriginPinCode, ..asked },
            Asked { native: true, ..asked },
            Asked { text: "560002", ..asked },
            Asked { country: None, ..asked },
            Asked { currency: "", ..asked },
        ];
        for other in others {
            assert_eq!(memo.known(&other), None, "{other:?}");
        }
    }

    #[test]
    fn of_many_cells_each_has_its_own_value() {
        let mut memo = Memo::default();
        let texts: Vec<String> = (0..PLACES * 2).map(|number| number.to_string()).collect();
        let fields = || FIELDS.iter().filter(|field| repeats(field));
        let asked = |id, text| Asked { sheet: 0, column: 0, id, native: false, text, country: None, currency: "" };
        let mut known = 0;
        for field in fields() {
            for text in &texts {
                memo.keep(&asked(field.id, text), &Value::Text(text.as_str().into()));
                assert!(memo.known(&asked(field.id, text)).is_some());
            }
            for text in &texts {
                let found = memo.known(&asked(field.id, text));
                known += usize::from(found.is_some());
                assert!(found.is_none_or(|value| *value == Value::Text(text.as_str().into())));
            }
        }
        assert!(known >= PLACES / 2 * fields().count(), "{known}");
    }

    #[test]
    fn states_are_what_they_were() {
        let mut memo = Memo::default();
        for _ in 0..2 {
            for text in ["KA", "ka", "Goa", "California", ""] {
                assert_eq!(memo.indian_state(text), indian_state(text));
            }
        }
    }
}
