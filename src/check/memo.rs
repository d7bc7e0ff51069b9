//! What texts came to before: the cells of most columns repeat themselves, and reading them again costs more than looking.

use super::value::Value;
use crate::field::{Field, Id, Kind, NoProduct, indian_state, no_product};
use crate::text::Text;

/// Places for the answers to one question; a power of two.
const PLACES: usize = 1024;

/// Longer texts hardly come twice.
const TEXT_BYTES_MAX: usize = 64;

/// What texts came to, by what is asked of them.
#[derive(Debug, Default)]
pub struct Memo {
    /// Values of which nothing had to be said.
    values: Recent<Value>,
    states: Recent<Option<&'static str>>,
    no_products: Recent<Option<NoProduct>>,
    /// What cells said of whether their orders go, by sheet and column: the number of the rule that is for each.
    said: Recent<u8>,
}

/// The last answers about texts, each in one of two places that its key and text give it: the newer ones stay.
#[derive(Debug)]
struct Recent<T>(Vec<Option<(u128, Text, T)>>);

impl<T: Clone> Default for Recent<T> {
    fn default() -> Self {
        Self(vec![None; PLACES])
    }
}

impl<T: Clone> Recent<T> {
    fn known(&self, key: u128, text: &str) -> Option<&T> {
        // Two cells of the same row may have the same place, and would drive each other out row by row.
        let first = place(key, text);
        let found = [first, first ^ 1].into_iter().filter_map(|place| self.0[place].as_ref());
        found.filter(|(own, known, _)| *own == key && known == text).map(|(_, _, answer)| answer).next()
    }

    fn keep(&mut self, key: u128, text: &str, answer: T) {
        if text.len() <= TEXT_BYTES_MAX {
            let place = place(key, text);
            self.0.swap(place, place ^ 1);
            self.0[place] = Some((key, text.into(), answer));
        }
    }

    /// What `ask` says of a text, or said before.
    fn of(&mut self, text: &str, ask: impl FnOnce(&str) -> T) -> T {
        if let Some(known) = self.known(0, text) {
            return known.clone();
        }
        let answer = ask(text);
        self.keep(0, text, answer.clone());
        answer
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
    /// All but the text in one number; nothing where the cell is not remembered.
    fn key(&self) -> Option<u128> {
        /// What a code of letters comes to, where it is short enough for its place.
        fn code(text: &str, bytes_max: usize) -> Option<u128> {
            let code = text.bytes().fold(0, |code, byte| code << 8 | u128::from(byte));
            (text.len() <= bytes_max).then_some(code)
        }
        if !repeats(self.id.field()) || self.text.len() > TEXT_BYTES_MAX {
            return None;
        }
        let (country, currency) = (code(self.country.unwrap_or_default(), 2)?, code(self.currency, 3)?);
        let cell = u128::from(self.sheet) << 41 | u128::from(self.column) << 9 | u128::from(self.id as u8) << 1;
        Some(country << 81 | currency << 57 | cell | u128::from(self.native))
    }
}

impl Memo {
    /// The value that was kept of a cell like this one.
    #[must_use]
    pub fn known(&self, asked: &Asked<'_>) -> Option<&Value> {
        self.values.known(asked.key()?, asked.text)
    }

    /// Keeps the value of a cell of which nothing had to be said.
    pub fn keep(&mut self, asked: &Asked<'_>, value: &Value) {
        if let Some(key) = asked.key() {
            self.values.keep(key, asked.text, value.clone());
        }
    }

    /// As [`indian_state`].
    pub fn indian_state(&mut self, text: &str) -> Option<&'static str> {
        self.states.of(text, indian_state)
    }

    /// As [`no_product`].
    pub fn no_product(&mut self, text: &str) -> Option<NoProduct> {
        self.no_products.of(text, no_product)
    }

    /// The rule that was found for a cell with this text in this column of this sheet, in the numbers of who [kept] it.
    ///
    /// [kept]: Memo::keep_said
    #[must_use]
    pub fn said(&self, (sheet, column): (u16, u32), text: &str) -> Option<u8> {
        self.said.known(u128::from(sheet) << 32 | u128::from(column), text).copied()
    }

    /// Keeps which rule is for a cell, whatever its order is.
    pub fn keep_said(&mut self, (sheet, column): (u16, u32), text: &str, rule: u8) {
        self.said.keep(u128::from(sheet) << 32 | u128::from(column), text, rule);
    }
}

fn place(key: u128, text: &str) -> usize {
    // Nothing hangs on it but speed, so that the quickest hash is good enough.
    let mix = |hash: u64, part: u64| (hash ^ part).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
    let (words, rest) = text.as_bytes().as_chunks::<8>();
    #[expect(clippy::cast_possible_truncation, reason = "the rest of the key tells apart what meets in one place")]
    let hash = words.iter().fold(key as u64, |hash, word| mix(hash, u64::from_le_bytes(*word)));
    let hash = rest.iter().fold(hash, |hash, byte| mix(hash, u64::from(*byte)));
    usize::try_from(hash >> 40).unwrap_or_default() % PLACES
}

/// Whether a field's cells take few values.
const fn repeats(field: &Field) -> bool {
    match field.kind {
        Kind::Text | Kind::NullableText => matches!(
            field.id,
            Id::DestinationCity
                | Id::DestinationState
                | Id::DestinationCountry
                | Id::ProductName
                | Id::Sku
                | Id::Category
        ),
        Kind::OrderNumber | Kind::Phone | Kind::Email => false,
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
            Asked { country: Some("Indya"), ..asked },
        ];
        for other in others {
            assert_eq!(memo.known(&other), None, "{other:?}");
        }
        let texts: Vec<String> = (0..4000).map(|number| format!("5{number:05}")).collect();
        let value_of = |text: &String| Value::Text(text.as_str().into());
        for text in &texts {
            memo.keep(&Asked { text, ..asked }, &value_of(text));
        }
        let known = texts.iter().filter_map(|text| Some((text, memo.known(&Asked { text, ..asked })?)));
        let known: Vec<(&String, &Value)> = known.collect();
        assert!(known.len() > 500 && known.into_iter().all(|(text, known)| *known == value_of(text)));
    }
}
