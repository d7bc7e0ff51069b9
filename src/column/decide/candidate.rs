//! Columns that may be fields, with what speaks for them in header and cells, and which of them are sure.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use super::cells::{is_most, is_throughout, speaks};
use super::deciding::{COMPARED_MAX, Deciding};
use super::fits::{Fit, RULES, SHARE, Shares, fit, is_amount, is_none_of, shares};
use super::sample::{Sample, Seen};
use crate::column::Candidate;
use crate::field::{Field, HeaderReading, Id, Kind, Need, Version, is_digits};
use crate::origin::Column;
use crate::parse::{Input, country_code, tells_postal_codes, value, written_pin_place};

/// From so many points on a column is taken, where nothing else comes near.
const SURE: f64 = 90.0;

/// So many points it must be ahead of what else it may be, and of other columns.
const AHEAD: f64 = 25.0;

/// From so many points on a person is asked whether a column is meant, and it is what is proposed.
pub const LIKELY: u8 = 55;

/// Whether a field is needed of every order.
pub(super) fn is_needed(field: &Field) -> bool {
    field.need(Version::V2) == Need::Required
}

/// Whether the cells of a field are like those of hardly any other.
pub(super) fn is_told_by_cells(field: &Field) -> bool {
    matches!(
        field.id,
        Id::OrderNumber
            | Id::ReceiverPhone
            | Id::ReceiverEmail
            | Id::DestinationPinCode
            | Id::CurrencyCode
            | Id::WeightUnit
            | Id::DimensionUnit
    )
}

/// What speaks for a column; nothing where its cells speak against it.
pub(super) fn candidate(column: &Column, field: &'static Field, likeness: u8, seen: &Seen) -> Option<Candidate> {
    let found = |points: f64, share: f64| {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0 and 200")]
        let points = points.clamp(0.0, 200.0) as u8;
        Candidate { column: column.clone(), field, points, likeness, share }
    };
    let name = f64::from(likeness);
    let Some(Shares { is, may }) = shares(field, seen) else { return Some(found(name * 0.9, 0.0)) };
    let cells = match field.id {
        // A shop's own numbers have a sign before them: `#1001`.
        Id::OrderNumber
            if seen.filled > 0 && seen.texts().all(|text| text.strip_prefix('#').is_some_and(is_digits)) =>
        {
            95.0 * (1.0 - seen.repeated())
        }
        // Orders that come to the same amount would be one.
        Id::OrderNumber if is_most(seen, is_amount) => return None,
        // A count of the rows begins anew in the next sheet, and counts no pieces and no money; what looks like a phone number may be one.
        Id::OrderNumber | Id::Quantity | Id::Price if seen.counts_rows() => -name / 2.0,
        Id::OrderNumber if shares(Id::ReceiverPhone.field(), seen).is_some_and(|phones| phones.is >= 0.8) => 10.0 * is,
        Id::OrderNumber => 35.0 * (is - 2.0 * seen.repeated()),
        Id::DestinationState => 35.0 * is - 20.0 * may,
        Id::DestinationLine1 => 25.0 * is - 20.0 * may,
        Id::ReceiverFirstName | Id::DestinationCity | Id::ProductName => 12.0 * is - 20.0 * may,
        Id::CurrencyCode | Id::WeightUnit | Id::DimensionUnit => 95.0 * is,
        _ if matches!(field.kind, Kind::Phone | Kind::PinCode | Kind::CountryCode | Kind::Payment | Kind::Email) => {
            60.0 * is
        }
        _ if matches!(field.kind, Kind::Text | Kind::NullableText | Kind::Warehouse) => 12.0 * is,
        _ => 15.0 * is,
    };
    (is + may >= 0.5).then(|| found(name + cells, is))
}

/// How much the header has to say before a field is taken unasked.
fn likeness_needed(field: &Field) -> u8 {
    match field.kind {
        Kind::Phone | Kind::PinCode | Kind::CountryCode | Kind::Payment | Kind::Email => 50,
        _ if matches!(field.id, Id::OrderNumber | Id::DestinationLine1 | Id::DestinationState) => 60,
        _ if is_needed(field) => 75,
        _ => 85,
    }
}

/// Parts those that are sure from those that are only likely. Each column feeds one field, and each field has one column.
pub(super) fn told_apart(mut all: Vec<Candidate>) -> (Vec<Candidate>, Vec<Candidate>) {
    // Of equals the needed field, and then the first column.
    all.sort_by_key(|own| (Reverse(own.points), !is_needed(own.field), own.column.index, own.field.id));
    let (mut taken, mut likely): (Vec<Candidate>, Vec<Candidate>) = (Vec::new(), Vec::new());
    for own in &all {
        let is_beside = |other: &Candidate| other.column.index == own.column.index || other.field.id == own.field.id;
        if taken.iter().any(is_beside) {
            continue;
        }
        let competes = |other: &Candidate| {
            let is_other = (other.column.index, other.field.id) != (own.column.index, own.field.id);
            // A field that orders need not have does not compete with one that they need.
            let may_matter = is_needed(other.field) || !is_needed(own.field);
            let is_free = || !taken.iter().any(|used| used.column.index == other.column.index);
            let is_near = f64::from(own.points) < f64::from(other.points) + AHEAD;
            is_other && is_beside(other) && may_matter && is_near && is_free()
        };
        let by_cells = f64::from(own.points) >= SURE + f64::from(own.likeness);
        let is_said = by_cells || own.likeness >= likeness_needed(own.field);
        let is_sure = f64::from(own.points) >= SURE && is_said && own.share >= 0.5;
        if is_sure && !all.iter().any(competes) {
            taken.push(own.clone());
        } else if own.points >= LIKELY {
            likely.push(own.clone());
        }
    }
    likely
        .retain(|own| !taken.iter().any(|used| used.column.index == own.column.index || used.field.id == own.field.id));
    (taken, likely)
}

/// Every free column that may hold a field, the likeliest first; those that a person has given to other fields are not offered,
/// nor are those of which no cell can be its value.
#[must_use]
pub fn candidates(field: &'static Field, columns: &[Column], sample: &Sample) -> Vec<Candidate> {
    let mut found: Vec<Candidate> = columns
        .iter()
        .filter(|column| !is_none_of(field, sample.column(column.index)))
        .map(|column| {
            let reading = HeaderReading::of(&column.header);
            let is_other = reading.is_of_others(field) || (reading.says_whether_sent() && field.kind != Kind::Payment);
            let likeness = if is_other { 0 } else { reading.likeness(field.id, &[]) };
            let none = || Candidate { column: column.clone(), field, points: 0, likeness, share: 0.0 };
            let fits = candidate(column, field, likeness, sample.column(column.index)).filter(|_| !is_other);
            fits.unwrap_or_else(none)
        })
        .collect();
    // A few words that recur throughout are sooner those of payments than many different ones.
    let different = |own: &Candidate| match field.kind {
        Kind::Payment => {
            (sample.rows - sample.column(own.column.index).filled, sample.column(own.column.index).values.len())
        }
        _ => (0, 0),
    };
    // A column with a word of payment among others is sooner that of payments than one of amounts: `Bal. by COD`.
    let says_payment = |own: &Candidate| {
        let has_word = |text: &str| text.split_whitespace().any(speaks);
        field.kind == Kind::Payment && sample.column(own.column.index).texts().any(has_word)
    };
    // A due says it, too: more than nothing is collected.
    let is_due = |own: &Candidate| field.kind == Kind::Payment && HeaderReading::of(&own.column.header).is_due();
    let more = |own: &Candidate| match () {
        () if says_payment(own) => LIKELY / 2,
        () if is_due(own) => LIKELY / 4,
        () => 0,
    };
    let points = |own: &Candidate| u16::from(own.points) + u16::from(more(own));
    found.sort_by_cached_key(|own| (Reverse(points(own)), different(own), own.column.index));
    found
}

/// The only free column that can hold a field, by what it holds: nothing where another comes near, or where many fields look so.
#[must_use]
pub fn only_column(field: &'static Field, columns: &[Column], sample: &Sample) -> Option<Candidate> {
    if field.id == Id::OrderType {
        return only_payments(columns, sample);
    }
    // Numbers of orders have letters, where they are like nothing else and no header speaks for them.
    let is_told = |own: &Candidate| match field.id {
        Id::OrderNumber => {
            let has_letters = |text: &str| text.contains(char::is_alphabetic);
            own.points >= LIKELY || sample.column(own.column.index).texts().all(has_letters)
        }
        Id::ReceiverPhone | Id::DestinationPinCode | Id::DestinationState | Id::Quantity => true,
        _ => false,
    };
    let all = candidates(field, columns, sample);
    // Numbers that go up from row to row are those of orders.
    let is_series = |own: &Candidate| field.id == Id::DestinationPinCode && goes_up(sample.column(own.column.index));
    let first = all.first().filter(|own| !is_series(own));
    let first = first.filter(|own| own.share >= SHARE && is_told(own))?;
    // A number of an order is no amount by its header.
    let is_amount =
        |own: &Candidate| field.id == Id::OrderNumber && HeaderReading::of(&own.column.header).amount.is_some();
    let is_near = |other: &Candidate| {
        other.share >= SHARE / 2.0 && u32::from(other.points) * 2 > u32::from(first.points) && !is_amount(other)
    };
    let is_only = first.points > 0 && !all.iter().skip(1).any(is_near);
    is_only.then(|| first.clone())
}

/// Whether the figures of a column go up from one value to the next.
fn goes_up(seen: &Seen) -> bool {
    const VALUES_MIN: usize = 5;
    let figure = |text: &str| text.chars().filter(char::is_ascii_digit).collect::<String>().parse::<u64>().ok();
    let figures: Vec<u64> = seen.texts().filter_map(figure).collect();
    figures.len() >= VALUES_MIN && figures.is_sorted()
}

/// The only free column with a few words that recur throughout, of which one is a known way to pay.
fn only_payments(columns: &[Column], sample: &Sample) -> Option<Candidate> {
    /// A shop has no more ways to pay.
    const VALUES_MAX: usize = 12;
    let field = Id::OrderType.field();
    let are_payments = |own: &&Column| {
        let seen = sample.column(own.index);
        seen.values.len() <= VALUES_MAX
            && is_throughout(seen, sample.rows)
            && seen.texts().any(|text| fit(field, text) == Fit::Is)
    };
    let mut all = columns.iter().filter(are_payments);
    let column = all.next().filter(|_| all.next().is_none())?;
    candidates(field, columns, sample).into_iter().find(|own| own.column.index == column.index)
}

/// The only free column that parts orders as the states of their PIN codes in India do, in whatever script it names them.
#[must_use]
pub fn states_by_pin_codes(columns: &[Column], pin_codes: u32, sample: &Sample) -> Option<u32> {
    let places = |column: &Column| {
        let beside = sample.column(column.index).beside(sample.column(pin_codes));
        let state = |pin: &str| written_pin_place(pin)?.state;
        beside.filter_map(|(text, pin)| Some((text, state(pin)?))).collect::<BTreeSet<_>>()
    };
    let is_state = |column: &&Column| {
        let seen = sample.column(column.index);
        let pairs = places(column);
        let names = pairs.iter().map(|(name, _)| name).collect::<BTreeSet<_>>().len();
        let states = pairs.iter().map(|(_, state)| state).collect::<BTreeSet<_>>().len();
        let recur = seen.values.len() < seen.filled as usize;
        recur && states > 1 && names == pairs.len() && states == pairs.len() && is_throughout(seen, sample.rows)
    };
    let mut all = columns.iter().filter(is_state);
    all.next().filter(|_| all.next().is_none()).map(|column| column.index)
}

/// The only free column that names several countries, where no other says them: to one for all orders it is the truer one. Goods
/// come from several countries as well, to one in which all postal codes lie.
pub(super) fn countries(own: &Deciding<'_>) -> Option<Candidate> {
    let (columns, field) = (&own.columns, Id::DestinationCountryCode.field());
    let is_known = |id: Id| columns.column(id).is_some() || own.known.names(id);
    if [Id::DestinationCountry, Id::DestinationCountryCode].into_iter().any(is_known) {
        return None;
    }
    let pin_codes = columns.column(Id::DestinationPinCode)?;
    let home = own.known.constant(Id::DestinationCountryCode).and_then(country_code);
    let are_several = |column: &u32| {
        let (seen, reading) = (own.seen(*column), columns.get(*column));
        let codes: Option<BTreeSet<&str>> = seen.texts().map(country_code).collect();
        let is_named = seen.texts().any(|text| text.len() > CODE_LETTERS_MAX);
        let fits = |country: &str, pin: &str| {
            let input = Input { country: Some(country), ..Input::new(Id::DestinationPinCode.field(), pin) };
            value(input, &RULES).sure().is_some()
        };
        let pairs = || seen.beside(own.seen(pin_codes));
        let fitting = pairs().filter(|(text, pin)| country_code(text).is_some_and(|code| fits(code, pin))).count();
        let is_at_home = home.is_some_and(|home| tells_postal_codes(home) && pairs().all(|(_, pin)| fits(home, pin)));
        is_named
            && codes.is_some_and(|codes| codes.len() > 1)
            && !reading.is_of_others(field)
            && is_throughout(seen, own.sample().rows)
            && fitting * 5 >= pairs().count() * 4
            && !is_at_home
    };
    let mut all = columns.free_columns().into_iter().take(COMPARED_MAX).filter(are_several);
    let column = all.next().filter(|_| all.next().is_none())?;
    let likeness = columns.get(column).likeness(field.id, &[]);
    Some(Candidate { column: columns.named(column), field, points: 200, likeness, share: 1.0 })
}

/// Longer texts are no codes of countries, which states and currencies have as well.
const CODE_LETTERS_MAX: usize = 3;

/// The fields that a column may hold, the likeliest by its header and its cells first.
#[must_use]
pub fn fields_for(column: &Column, open: &[&'static Field], sample: &Sample) -> Vec<&'static Field> {
    let (seen, reading) = (sample.column(column.index), HeaderReading::of(&column.header));
    let fitting = open.iter().filter_map(|field| candidate(column, field, reading.likeness(field.id, &[]), seen));
    let mut all: Vec<Candidate> = fitting.collect();
    all.sort_by_key(|own| (Reverse(own.points), own.field.id));
    all.into_iter().map(|own| own.field).collect()
}
