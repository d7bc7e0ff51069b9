//! What texts came to before: the cells of most columns repeat themselves, and reading them again costs more than looking.

use super::fault::Fault;
use super::rules::Rules;
use super::state::indian_state;
use super::value::{Input, Reading, Value, value};
use crate::field::{Field, Id, Kind, Says, says, says_backwards};

/// Places for readings; a power of two.
const PLACES: usize = 512;

/// Longer texts hardly come twice.
const TEXT_BYTES_MAX: usize = 40;

/// Readings without a note, each in one of two places that its field and text give it: the newer ones stay.
#[derive(Debug)]
pub struct Memo {
    readings: Vec<Option<Remembered>>,
    states: Vec<Option<(String, Option<&'static str>)>>,
    /// The last word of a status, and what it says.
    said: (String, Says),
    /// The last kind of shipment, and whether it comes back.
    kind: (String, bool),
}

/// A reading, and all that it hung on beside the run's rules.
#[derive(Debug)]
struct Remembered {
    id: Id,
    sheet: u16,
    native: bool,
    marked: bool,
    text: String,
    country: Option<String>,
    value: Value,
}

impl Remembered {
    fn is_of(&self, sheet: u16, input: &Input<'_>) -> bool {
        self.id == input.field.id
            && self.text == input.text
            && self.sheet == sheet
            && self.native == input.native
            && self.marked == input.marked
            && self.country.as_deref() == input.country
    }
}

impl Default for Memo {
    fn default() -> Self {
        let readings = std::iter::repeat_with(|| None).take(PLACES).collect();
        let states = vec![None; PLACES / 8];
        Self { readings, states, said: (String::new(), Says::Nothing), kind: (String::new(), false) }
    }
}

impl Memo {
    /// As [`value`], for a cell of the sheet with this number, with the same rules and habits as ever before.
    pub fn value(&mut self, sheet: u16, input: Input<'_>, rules: &Rules) -> Result<Reading, Fault> {
        let Input { field, text, native, marked, country, .. } = input;
        if !repeats(field) || text.len() > TEXT_BYTES_MAX {
            return value(input, rules);
        }
        // Two cells of the same row may have the same place, and would drive each other out row by row.
        let first = Self::place(field.id, text) % PLACES;
        let second = first ^ 1;
        for place in [first, second] {
            if let Some(known) = self.readings[place].as_ref().filter(|known| known.is_of(sheet, &input)) {
                return Ok(Reading { value: known.value.clone(), note: None });
            }
        }
        let reading = value(input, rules)?;
        if reading.note.is_none() {
            self.readings.swap(first, second);
            let (text, country) = (text.to_owned(), country.map(str::to_owned));
            let value = reading.value.clone();
            self.readings[first] = Some(Remembered { id: field.id, sheet, native, marked, text, country, value });
        }
        Ok(reading)
    }

    /// As [`indian_state`].
    pub fn indian_state(&mut self, text: &str) -> Option<&'static str> {
        let place = Self::place(Id::DestinationState, text) % self.states.len();
        if let Some((known, state)) = &self.states[place]
            && known == text
        {
            return *state;
        }
        let state = indian_state(text);
        self.states[place] = Some((text.to_owned(), state));
        state
    }

    /// As [`says`]: most orders of a sheet have one status.
    pub fn says(&mut self, text: &str) -> Says {
        if self.said.0 != text {
            text.clone_into(&mut self.said.0);
            self.said.1 = says(text);
        }
        self.said.1
    }

    /// As [`says_backwards`]: most orders of a sheet are of one kind.
    pub fn says_backwards(&mut self, text: &str) -> bool {
        if self.kind.0 != text {
            text.clone_into(&mut self.kind.0);
            self.kind.1 = says_backwards(text);
        }
        self.kind.1
    }

    fn place(id: Id, text: &str) -> usize {
        // Nothing hangs on it but speed, so that the quickest hash is good enough.
        let mix = |hash: u64, part: u64| (hash ^ part).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
        let (words, rest) = text.as_bytes().as_chunks::<8>();
        let hash = words.iter().fold(id as u64, |hash, word| mix(hash, u64::from_le_bytes(*word)));
        let hash = rest.iter().fold(hash, |hash, byte| mix(hash, u64::from(*byte)));
        usize::try_from(hash >> 40).unwrap_or_default()
    }
}

/// Whether a field's cells take few values. Amounts do not: they hang on the order's currency, and are quickly read.
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
    fn what_is_remembered_is_what_is_read() {
        let rules = Rules::new("2026-11-21T00:00:00Z".parse().unwrap());
        let mut memo = Memo::default();
        let texts =
            ["560001", "2134", "IN", "India", "12.5", "7", "COD", "kg", "2026-11-20", "", "?", "WH-1", "yes", "3-Apr"];
        for _ in 0..2 {
            for field in FIELDS {
                for text in texts.iter().chain([&field.example]).filter(|text| !text.is_empty()) {
                    let countries = [None, Some("IN"), Some("US")];
                    for (country, marked) in countries.into_iter().flat_map(|one| [(one, false), (one, true)]) {
                        let input = Input { marked, country, ..Input::new(field, text) };
                        let found = memo.value(0, input, &rules);
                        assert_eq!(found, value(input, &rules), "{} {text} {marked}", field.path);
                    }
                }
            }
            for text in ["KA", "ka", "Goa", "California", ""] {
                assert_eq!(memo.indian_state(text), indian_state(text));
            }
        }
    }
}
