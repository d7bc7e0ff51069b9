//! Cells as people write them, and what they come to: every case of `tests/values`, through the library's own door.

use jiff::Timestamp;
use jiff::civil::date;
use serde::Deserialize;

use shipsheet::field::{
    Field, HeaderReading, Id, as_part, day_at_end, ends_with_pin, has_shipment_number, in_base_units, indian_state,
    is_amount_name, money_sign, owed, parted, payment_and_figure, payment_type, payment_word, sides, unit_of,
};
use shipsheet::finding::english::{advice, message};
use shipsheet::parse::{
    ColumnFormat, Dates, Decimals, Fault, Input, ParsedValue, ReadingSettings, TimeZone, Value, alone, country_name,
    is_no_value, pin_place, tariff_fault, unmarked, value, wrong_date_format,
};
use shipsheet::text::unspelled;
use shipsheet::words::{Remark, Topic, Vocabulary, is_marked};

const FILES: [&str; 8] = [
    include_str!("../values/cells.toml"),
    include_str!("../values/remarks.toml"),
    include_str!("../values/phones.toml"),
    include_str!("../values/numbers.toml"),
    include_str!("../values/dates.toml"),
    include_str!("../values/texts.toml"),
    include_str!("../values/codes.toml"),
    include_str!("../values/words.toml"),
];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    case: Vec<Case>,
}

/// Texts that come to the same.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Case {
    /// What is asked of them: the value, unless it says another thing.
    ask: String,
    /// The field's API path.
    field: String,
    country: Option<String>,
    currency: Option<String>,
    /// Other texts of the column, and cells of it that are dates or numbers of the sheet itself.
    column: Vec<String>,
    natives: Vec<String>,
    /// Whether the text itself is one, or is marked as text.
    native: bool,
    marked: bool,
    /// Whether a profile says when its orders are paid.
    paid_elsewhere: bool,
    /// What the sheet's profile says of dates.
    formats: Vec<String>,
    zone: Option<String>,
    /// What the configuration says: `decimals`, one more type of payment, a warehouse by name.
    decimals: Option<String>,
    payment: Option<String>,
    warehouse: Option<String>,
    /// What the question is asked of beside the text.
    of: String,
    texts: Vec<String>,
    /// The answer, or the value that is sent: `=` for the text as it stands. Left out where the value does not matter.
    is: Option<String>,
    /// `hold` or `warn`, and the id of what is said.
    said: Option<String>,
    /// Words of the message or its advice.
    words: String,
}

impl Case {
    fn field(&self) -> &'static Field {
        Field::by_path(&self.field).unwrap_or(Id::OrderNumber.field())
    }

    fn rules(&self) -> ReadingSettings {
        let mut rules = ReadingSettings::new("2026-11-21T00:00:00Z".parse().unwrap());
        if self.decimals.is_some() {
            rules.decimals = Decimals::Point;
        }
        rules.payment_types.extend(self.payment.clone());
        rules.warehouses.extend(self.warehouse.clone().map(|name| (name, "9f2".to_owned())));
        rules
    }

    fn habit(&self) -> ColumnFormat {
        let mut habit = ColumnFormat::default();
        self.column.iter().for_each(|text| habit.learn(self.field().kind, text));
        self.natives.iter().for_each(|text| habit.learn_number(self.field().kind, text));
        habit
    }

    fn reading(&self, text: &str) -> ParsedValue {
        let zone = self.zone.as_deref().map(|zone| TimeZone::get(zone).unwrap());
        let dates = Dates { formats: self.formats.clone(), time_zone: zone };
        let input = Input {
            native: self.native,
            marked: self.marked,
            country: self.country.as_deref(),
            currency: self.currency.as_deref(),
            habit: self.habit(),
            dates: Some(&dates),
            means_paid: !self.paid_elsewhere,
            ..Input::new(self.field(), text)
        };
        value(input, &self.rules())
    }

    fn answer(&self, text: &str) -> String {
        let named = |found: Option<String>| found.unwrap_or_else(|| "none".to_owned());
        let yes = |is: bool| if is { "yes" } else { "no" }.to_owned();
        match self.ask.as_str() {
            "decimals" => format!("{:?}", self.habit().decimals),
            "day-order" => format!("{:?}", self.habit().day_order),
            "nothing" => yes(is_no_value(self.field(), text)),
            "unmarked" => unmarked(self.field(), text).to_owned(),
            "spelling" => unspelled(text),
            "format" => named(wrong_date_format(text).map(|_| "wrong".to_owned())),
            "tariff" => named(tariff_fault(text).map(|fault| fault.case.to_string())),
            "alone" => alone(self.field().kind, self.habit(), self.native, text).unwrap_or_else(|| text.to_owned()),
            "need" => format!("{:?}", self.rules().need_in(self.field().id, Some(text))),
            "state" => named(indian_state(text).map(str::to_owned)),
            "pin" => {
                named(pin_place(text).map(|at| format!("{}, {}", at.state.unwrap_or("?"), at.city.unwrap_or("?"))))
            }
            "pin-fits" => named(pin_place(text).map(|at| format!("{:?}", at.fits(&self.of)))),
            "parted" => named(ends_with_pin(text).map(|_| {
                let at = parted(text);
                [at.street, at.city.unwrap_or("?"), at.state.unwrap_or("?"), at.pin].join(" | ")
            })),
            "day-at-end" => named(
                day_at_end(text).map(|(before, day)| format!("{before} | {}", day.near(date(2026, 11, 21)).unwrap())),
            ),
            "payment" => named(payment_word(text).map(|word| format!("{word:?}"))),
            "payment-and-figure" => named(payment_and_figure(text).map(|(word, figure)| format!("{word:?} {figure}"))),
            "owed" => named(owed(text).map(|owed| format!("{owed:?}"))),
            "no-product" => yes(is_amount_name(text)),
            "payment-type" => named(payment_type(text).map(|word| format!("{word:?}"))),
            "shipment-number" => yes(has_shipment_number(text, false, &self.of)),
            "article-number" => yes(has_shipment_number(text, true, &self.of)),
            "part" => named(as_part(self.of.parse().unwrap(), text).map(std::borrow::Cow::into_owned)),
            "sides" => named(sides(text).map(|_| "three".to_owned())),
            "weight-unit" => named(unit_of(Id::WeightUnit, text).map(str::to_owned)),
            "length-unit" => named(unit_of(Id::DimensionUnit, text).map(str::to_owned)),
            "base-units" => named(in_base_units(text).map(|factor| factor.to_string())),
            "money" => named(money_sign(text).map(|codes| codes.join(" "))),
            _ => yes(self.is_so(text)),
        }
    }

    fn is_so(&self, text: &str) -> bool {
        let remark = Remark::new(Vocabulary::built_in(), text);
        match self.ask.as_str() {
            "stops" => {
                let header = HeaderReading::of(&self.of);
                remark.stops(header.says("about-pickup"), header.says("about-others"))
            }
            "unread" => remark.is_unread(),
            "return" => remark.says(Topic::Kinds, "comes-back"),
            "backwards" => ["comes-back", "backwards"].into_iter().any(|sense| Topic::Kinds.says(text, sense)),
            "fetched" => Topic::Fetched.says(text, "fetched"),
            "marked" => is_marked(text, false),
            "marked-product" => is_marked(text, true),
            other => panic!("`{other}` is no question"),
        }
    }

    /// What is wrong with one text's answer.
    fn fault(&self, text: &str) -> Option<String> {
        let expected = self.is.as_deref().map(|is| if is == "=" { text } else { is });
        if !self.ask.is_empty() {
            let answer = self.answer(text);
            return (Some(answer.as_str()) != expected).then_some(answer);
        }
        let reading = self.reading(text);
        let value = reading.value.as_ref().map(shown);
        let level = |fault: &Fault| if fault.holds() { "hold" } else { "warn" };
        let said = reading.said.as_ref().map(|fault| format!("{} {}", level(fault), fault.id.as_str()));
        let has_words = reading.said.as_ref().is_none_or(|fault| {
            format!("{} {}", message(fault), advice(fault, &|remedy| format!("{remedy:?}"))).contains(&self.words)
        });
        let is_as_expected = (expected.is_none() && said.is_some()) || value.as_deref() == expected;
        (!is_as_expected || said != self.said || !has_words).then(|| format!("{reading:?}"))
    }
}

/// A value as the cases write it.
fn shown(value: &Value) -> String {
    match value {
        Value::Text(text) => text.to_string(),
        Value::Number(number) => number.to_string(),
        Value::Instant(at) => Timestamp::from_millisecond(*at).unwrap().to_string(),
        Value::Flag(flag) => if *flag { "yes" } else { "no" }.to_owned(),
    }
}

/// Promise 11: cells come to the values that a careful clerk reads in them.
#[test]
fn texts_come_to_what_the_cases_say() {
    let cases = FILES.iter().flat_map(|file| toml::from_str::<File>(file).unwrap().case);
    let mut wrong = Vec::new();
    for case in cases {
        assert!(!case.texts.is_empty() && (case.is.is_some() || case.said.is_some()), "{case:?} asks nothing");
        let faults = case.texts.iter().filter_map(|text| Some(format!("{text:?}: {}", case.fault(text)?)));
        wrong.extend(
            faults.map(|fault| format!("{fault}\n    by {} {} {:?} {:?}", case.ask, case.field, case.is, case.said)),
        );
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn every_example_in_the_table_is_accepted() {
    for field in shipsheet::field::FIELDS {
        let input = Input { country: Some("IN"), currency: Some("INR"), ..Input::new(field, field.example) };
        let found = value(input, &ReadingSettings::new("2026-11-21T00:00:00Z".parse().unwrap()));
        assert!(found.value.is_some() && found.said.is_none(), "{}: {found:?}", field.path);
    }
}

#[test]
fn lists_of_places_are_whole() {
    let rows =
        |list: &'static str| list.lines().filter(|line| !line.starts_with('#')).skip(1).map(|line| line.split(','));
    let codes = rows(include_str!("../../templates/places/countries.csv")).filter_map(|mut cells| cells.next());
    let codes: Vec<&str> = codes.collect();
    assert!(codes.is_sorted() && codes.iter().all(|code| country_name(code).is_some()), "{codes:?}");
    let codes: Vec<&str> =
        rows(include_str!("../../templates/places/iso-3166.csv")).filter_map(|mut cells| cells.next()).collect();
    assert!(codes.is_sorted() && codes.iter().all(|code| country_name(code).is_some()), "{codes:?}");
    let plans = rows(include_str!("../../templates/places/phones.csv")).map(Iterator::collect::<Vec<&str>>);
    let plans: Vec<[&str; 6]> = plans.map(|cells| cells.try_into().unwrap()).collect();
    for [region, code, trunk, .., numbers] in &plans {
        let figures = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit() || b" -:;x".contains(&byte));
        let has_numbers = |[_, other, .., numbers]: &[&str; 6]| other == code && !numbers.is_empty();
        assert_eq!(
            plans.iter().filter(|plan| has_numbers(plan)).count(),
            1,
            "{region}: one list of numbers for {code}"
        );
        assert!(!code.is_empty() && figures(trunk) && figures(numbers), "{region}");
        let mut ranges = numbers.split([';', ' ', ':']).filter_map(|range| range.split_once('-'));
        let is_range = |(first, last): (&str, &str)| {
            let alone = |text: &str| text.split_at(text.len() - 1).0.to_owned();
            first < last && alone(first) == alone(last) || first.parse::<u8>().is_ok_and(|n| n < 10) && last.len() == 2
        };
        assert!(ranges.all(is_range), "{region}: {numbers}");
    }
    for cells in rows(include_str!("../../templates/places/india-pins.csv")) {
        let [prefix, state, also, city] = cells.collect::<Vec<&str>>()[..] else { panic!("a row of four cells") };
        let states: Vec<&str> = also.split(';').chain([state]).filter(|state| !state.is_empty()).collect();
        assert!(!states.is_empty() && states.iter().all(|state| indian_state(state) == Some(state)), "{prefix}");
        assert!(city.is_empty() || !state.is_empty(), "{prefix}");
    }
}

/// What is written to mean by itself what its column made it mean is read so.
#[test]
fn numbers_mean_alone_what_they_meant_in_their_column() {
    let field = Id::Weight.field();
    let read = |text: &str, habit| value(Input { habit, ..Input::new(field, text) }, &Case::default().rules()).sure();
    for decimals in [Decimals::Point, Decimals::Comma, Decimals::Unknown] {
        for figure in ["1,124", "1.124", "0.125", "0,125", "2.50", "2,50", "17", "1,24,000", "1.124,50", "12,34"] {
            let habit = ColumnFormat { decimals, ..ColumnFormat::default() };
            let Some(meant) = read(figure, habit) else { continue };
            let spelled = alone(field.kind, habit, false, figure).unwrap_or_else(|| figure.to_owned());
            let mut own = ColumnFormat::default();
            own.learn(field.kind, &spelled);
            assert_eq!(read(&spelled, own), Some(meant), "{figure} as {spelled} in {decimals:?}");
        }
    }
}
