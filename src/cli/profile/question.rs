//! What a person is asked about one field, in the words of a packing table.

use crate::field::{Field, HeaderReading, Id};
use crate::profile::Guess;

/// One question about a layout.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Question {
    /// Which column holds the field.
    Column(&'static Field),
    /// Which unit its numbers are in, for lengths once for all three.
    Unit(&'static Field),
    /// Which of several currencies the amounts are in.
    Currency,
    /// Whether each column is in the unit that its own header names.
    OwnUnits,
    /// Which other columns belong to a name or an address.
    More(&'static Field),
}

/// Units in the order in which they are offered; the first one is sent.
const WEIGHTS: [&str; 4] = ["kg", "g", "lb", "oz"];
const LENGTHS: [&str; 5] = ["cm", "mm", "m", "in", "ft"];

impl Question {
    /// Every question that the missing fields lead to.
    pub(super) fn of(missing: &[&'static Field]) -> Vec<Self> {
        let mut questions = Vec::new();
        for field in missing {
            questions.push(Self::Column(field));
            let last_length = missing.iter().rfind(|field| field.unit_field() == Some(Id::DimensionUnit));
            let is_last = last_length.is_some_and(|last| last.id == field.id);
            if field.id == Id::Weight || is_last {
                questions.push(Self::Unit(field));
            }
        }
        questions
    }

    /// Whether it has to be asked, as things stand.
    pub(super) fn matters(self, guess: &Guess) -> bool {
        let Self::Unit(field) = self else { return true };
        let named = field.unit_field().is_some_and(|unit| guess.feeds(unit));
        let bare = |id: &Id| {
            let column = guess.column_of(*id);
            column.is_some_and(|guessed| HeaderReading::of(&guessed.column.header).unit(id.field()).is_none())
        };
        !named && measured(field).iter().any(bare)
    }
}

/// The fields that share a unit with this one.
pub(super) fn measured(field: &Field) -> &'static [Id] {
    if field.id == Id::Weight { &[Id::Weight] } else { &[Id::Length, Id::Width, Id::Height] }
}

/// The units that are offered for a field.
pub(super) fn units(field: &Field) -> &'static [&'static str] {
    if field.id == Id::Weight { &WEIGHTS } else { &LENGTHS }
}

/// What a field is, as one would ask for it.
pub(super) fn words(field: &Field) -> String {
    let words = match field.id {
        Id::OrderNumber => "the order number, which tells each order from all others",
        Id::WarehouseId => "the warehouse that the parcel leaves from",
        Id::ReceiverFirstName => "the name of the person who gets the parcel",
        Id::ReceiverPhone => "the phone number of the person who gets the parcel",
        Id::ReceiverEmail => "the e-mail address of the person who gets the parcel",
        Id::DestinationLine1 => "the address: house and street",
        Id::DestinationCity => "the city",
        Id::DestinationState => "the state",
        Id::DestinationCountryCode => "the country",
        Id::DestinationPinCode => "the PIN code",
        Id::Length => "the length of the parcel",
        Id::Width => "the width of the parcel",
        Id::Height => "the height of the parcel",
        Id::Weight => "the weight of the whole parcel",
        Id::ProductName => "what is in the parcel",
        Id::Price => "the price: of one piece, or of all pieces of the row",
        Id::Quantity => "the number of pieces",
        Id::OrderType => "the kind of payment: prepaid, or cash on delivery",
        _ => return format!("the {} ({})", field.header, lower_first(field.meaning)),
    };
    words.to_owned()
}

fn lower_first(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}

/// The places of several things that a person chooses by their numbers; nothing where one of them is no number of these.
pub(super) fn numbers(answer: &str, most: usize) -> Option<Vec<usize>> {
    let words = answer.split(|c: char| c.is_whitespace() || matches!(c, ',' | '+')).filter(|word| !word.is_empty());
    let place = |word: &str| word.parse::<usize>().ok()?.checked_sub(1).filter(|place| *place < most);
    words.map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::FIELDS;

    #[test]
    fn units_are_asked_for_once_and_only_where_no_header_names_them() {
        let fields = [Id::Length, Id::Width, Id::Weight].map(Id::field);
        let questions = Question::of(&fields);
        let units: Vec<_> = questions.iter().filter(|question| matches!(question, Question::Unit(_))).collect();
        assert_eq!(units, [&Question::Unit(Id::Width.field()), &Question::Unit(Id::Weight.field())]);
        let mut guess = crate::column::decide::proposed("Heft,Breadth in\n1,2\n").0;
        assert!(!Question::Unit(Id::Weight.field()).matters(&guess), "no column, no unit");
        guess.take(Id::Weight.field(), 0);
        assert!(Question::Unit(Id::Weight.field()).matters(&guess));
        guess.take(Id::Width.field(), 1);
        assert!(!Question::Unit(Id::Width.field()).matters(&guess), "the header says inches");
    }

    #[test]
    fn headers_that_contradict_each_other_are_asked_about() {
        use super::super::{talk::Talk, walk::Walk};
        let (guess, sample) = crate::column::decide::proposed("Rate (Rs),Length (in),Width (mm)\n1,2,3\n");
        let rules = crate::parse::ReadingSettings::new(jiff::Timestamp::UNIX_EPOCH);
        let (currencies, units) = (vec!["INR", "NPR"], vec![(1, "in"), (2, "mm")]);
        let (sheet, missing, base) = ("odd.csv".into(), Vec::new(), None);
        let only = Vec::new();
        let walk = Walk { sheet, sample: &sample, guess, missing, only, base, rules: &rules, currencies, units };
        let mut said = Vec::new();
        let answered = walk.through(&mut Talk::new("2\n\ny\n".as_bytes(), &mut said)).unwrap().unwrap();
        assert_eq!(answered.constants[&Id::CurrencyCode], "NPR");
        let unit = |id: Id| answered.column_of(id).and_then(|guessed| guessed.unit);
        assert_eq!((unit(Id::Length), unit(Id::Width)), (Some("in"), Some("mm")));
        assert!(String::from_utf8(said).unwrap().contains("(2 questions)"));
    }

    #[test]
    fn every_field_can_be_asked_for() {
        for field in FIELDS {
            let words = words(field);
            assert!(words.len() > 7 && !words.contains('.') && !words.ends_with(' '), "{words}");
        }
    }
}
