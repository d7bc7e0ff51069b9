//! What the columns of a sheet are, decided once: the profile goes first, then the headers as they stand, then headers and
//! cells together.
//!
//! What header and cells together make sure is taken, and said. What is only likely is asked.

mod address;
mod cells;
mod fits;
mod likeness;
mod proposal;
mod sample;

#[cfg(test)]
mod tests;

use std::cmp::Reverse;

use crate::field::{FIELDS, Field, Id, Kind, Need, Version, is_named};
use crate::finding::column::sheet_notice;
use crate::finding::{Finding, Remedy};
use crate::origin::{Column, Place};
use crate::profile::{Meanings, Plan, Profile};
use crate::sheet::{Sheet, SheetError};
use address::find_parts;
use cells::by_cells;
use fits::{Shares, shares};
use likeness::{ALIKE, is_of_others, likely};
pub use proposal::proposal;
#[cfg(test)]
pub use proposal::proposed;
pub use sample::{LazySample, Sample, Seen};

/// From so many points on a column is taken, where nothing else comes near.
const SURE: f64 = 90.0;

/// So many points it must be ahead of what else it may be, and of other columns.
const AHEAD: f64 = 25.0;

/// From so many points on a person is asked whether a column is meant, and it is what is proposed.
pub const LIKELY: u8 = 55;

/// So many different values of which none fits say that a header is wrong.
const STRANGE_MIN: usize = 3;

/// So many words where figures should be say that a header is wrong, however alike they are.
const CELLS_MIN: u32 = 3;

/// No sheet for people has more columns; comparing the words of more takes seconds and finds nothing.
const COMPARED_MAX: usize = 1_000;

/// A column that may be a field, and what speaks for it.
#[derive(Debug, Clone)]
pub struct Candidate {
    /// The column.
    pub column: Column,
    /// The field.
    pub field: &'static Field,
    /// How much speaks for it, in points; from 100 on nothing is left to ask.
    pub points: u8,
    /// How alike its header and the names of the field are, in percent.
    likeness: u8,
    /// The share of its cells that look like values of the field.
    share: f64,
}

/// What the columns of one sheet are.
#[derive(Debug)]
pub struct Decided {
    /// Which column feeds which field.
    pub plan: Plan,
    /// What there is to be said of it.
    pub problems: Vec<Finding>,
    /// The columns that header and cells together made sure.
    pub taken: Vec<Candidate>,
    /// The columns that may be fields which nothing feeds, the likeliest first.
    pub likely: Vec<Candidate>,
}

/// What is known of a sheet beforehand.
#[derive(Debug, Clone, Copy, Default)]
pub struct Known<'a> {
    /// How it is read.
    pub profile: Option<&'a Profile>,
    /// Headers that are passed over.
    pub ignored: &'a [String],
    /// The country of all orders.
    pub country: Option<&'a str>,
}

/// Decides what the columns of a sheet are.
///
/// # Errors
/// The sheet cannot be read.
pub fn decide(sheet: &Sheet, sample: &LazySample, known: &Known<'_>) -> Result<Decided, SheetError> {
    let Known { profile, ignored, country } = *known;
    let header = sheet.header();
    let plan = |meanings: &Meanings| {
        Plan::passing_over(sheet.source(), header.row, &header.cells, profile, (ignored, meanings))
    };
    let mut meanings = Meanings::default();
    let (mut planned, mut problems) = plan(&meanings);
    let (mut taken, mut likely) = (Vec::new(), Vec::new());
    if profile.is_none_or(|profile| !profile.built_in) {
        meanings.refused = strangers(sheet, &planned, profile, sample)?;
        if !meanings.refused.is_empty() {
            (planned, problems) = plan(&meanings);
        }
        let candidates = candidates_of(sheet, &planned, profile, ignored, sample)?;
        (taken, likely) = told_apart(candidates);
        meanings.taken = taken.iter().map(|own| (own.column.index, own.field.id)).collect();
        if !taken.is_empty() {
            (planned, problems) = plan(&meanings);
        }
    }
    let by_cells = by_cells(sheet, sample, &mut planned, profile, &mut problems)?;
    problems.extend(by_cells);
    if profile.is_none_or(|profile| !profile.built_in) {
        problems.extend(find_parts(sheet, sample, &mut planned, country)?);
    }
    problems.extend(inferred(sheet, &taken));
    likely.retain(|own| planned.column(own.field.id).is_none());
    Ok(Decided { plan: planned, problems, taken, likely })
}

/// Columns that their headers alone name as fields of which no cell can be a value: so it is with names below `Phone`.
fn strangers(
    sheet: &Sheet,
    plan: &Plan,
    profile: Option<&Profile>,
    sample: &LazySample,
) -> Result<Vec<u32>, SheetError> {
    // What a profile names is meant.
    let named = |id: Id| profile.is_some_and(|own| own.columns.contains_key(&id));
    let mut strangers = Vec::new();
    let telling = |field: &Field| match field.id {
        Id::OrderNumber | Id::OrderType | Id::WarehouseId => false,
        Id::ReceiverEmail | Id::ShippingCharges | Id::OtherCharges => true,
        _ => is_needed(field),
    };
    for feed in plan.fed().filter(|feed| feed.step.is_none() && telling(feed.field) && !named(feed.field.id)) {
        let seen = sample.of(sheet)?.column(feed.column);
        let none_fits = || shares(feed.field, seen).is_some_and(|shares| shares.is + shares.may == 0.0);
        let is_wordy = || !seen.texts().any(|text| text.contains(|c: char| c.is_ascii_digit()));
        let is_telling =
            seen.values.len() >= STRANGE_MIN || (seen.filled >= CELLS_MIN && is_figure(feed.field) && is_wordy());
        if is_telling && none_fits() {
            strangers.push(feed.column);
        }
    }
    Ok(strangers)
}

/// What the columns that nothing takes may be, of the fields that nothing feeds.
fn candidates_of(
    sheet: &Sheet,
    plan: &Plan,
    profile: Option<&Profile>,
    ignored: &[String],
    sample: &LazySample,
) -> Result<Vec<Candidate>, SheetError> {
    let told = |id: Id| profile.is_some_and(|own| own.defaults.contains_key(&id) || own.columns.contains_key(&id));
    let is_open = |id: Id| plan.column(id).is_none() && !told(id);
    // A person's own profile knows best which further fields are sent.
    let open: Vec<&'static Field> =
        FIELDS.iter().filter(|own| is_open(own.id) && (profile.is_none() || is_needed(own))).collect();
    let is_known = |header: &str| {
        is_named(ignored, header)
            || profile.is_some_and(|own| own.names().any(|name| is_named(std::slice::from_ref(name), header)))
            || profile.is_some_and(|own| is_named(&own.left_out, header) || is_named(&own.ignored, header))
    };
    let mut candidates = Vec::new();
    for column in plan.free_columns().into_iter().filter(|column| !is_known(&column.header)).take(COMPARED_MAX) {
        let alike = likely(&column.header);
        let alike =
            |field: &Field| alike.iter().find(|(own, _)| own.id == field.id).map_or(0, |(_, likeness)| *likeness);
        for field in open.iter().filter(|field| !is_of_others(field, &column.header)) {
            let likeness = alike(field);
            if likeness < ALIKE && !is_told_by_cells(field) {
                continue;
            }
            candidates.extend(candidate(&column, field, likeness, sample.of(sheet)?.column(column.index)));
        }
    }
    Ok(candidates)
}

/// Whether a field is needed of every order.
fn is_needed(field: &Field) -> bool {
    field.need(Version::V2) == Need::Required
}

/// Whether a field is an amount of money.
const fn is_figure(field: &Field) -> bool {
    matches!(field.kind, Kind::Money | Kind::MoneyText)
}

/// Whether the cells of a field are like those of hardly any other.
fn is_told_by_cells(field: &Field) -> bool {
    matches!(
        field.id,
        Id::OrderNumber | Id::ReceiverPhone | Id::ReceiverEmail | Id::DestinationPinCode | Id::CurrencyCode
    )
}

/// Whether a text is a number with its sign: `#1001`.
fn is_numbered(text: &str) -> bool {
    text.strip_prefix('#').is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
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
        // A shop's own numbers have a sign before them.
        Id::OrderNumber if seen.filled > 0 && seen.texts().all(is_numbered) => 95.0 * (1.0 - seen.repeated()),
        Id::OrderNumber => 35.0 * (is - 2.0 * seen.repeated()),
        Id::DestinationState => 35.0 * is - 20.0 * may,
        Id::DestinationLine1 => 25.0 * is - 20.0 * may,
        Id::ReceiverFirstName | Id::DestinationCity | Id::ProductName => 12.0 * is - 20.0 * may,
        Id::CurrencyCode => 95.0 * is,
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
fn told_apart(mut all: Vec<Candidate>) -> (Vec<Candidate>, Vec<Candidate>) {
    // Of equals the needed field, and then the first column.
    all.sort_by_key(|own| (Reverse(own.points), !is_needed(own.field), own.column.index, own.field.id));
    let (mut taken, mut likely): (Vec<Candidate>, Vec<Candidate>) = (Vec::new(), Vec::new());
    for own in &all {
        let is_used = |other: &Candidate| other.column.index == own.column.index || other.field.id == own.field.id;
        if taken.iter().any(is_used) {
            continue;
        }
        let is_rival = |other: &Candidate| {
            let same_column = other.column.index == own.column.index && other.field.id != own.field.id;
            let same_field = other.field.id == own.field.id && other.column.index != own.column.index;
            let near = f64::from(own.points) < f64::from(other.points) + AHEAD;
            // A column that is another field's before all is no rival, nor a field that orders need not have.
            let is_its_best = || {
                let better =
                    |third: &Candidate| third.column.index == other.column.index && third.points > other.points;
                !all.iter().any(better)
            };
            near && ((same_column && (is_needed(other.field) || !is_needed(own.field)))
                || (same_field && is_its_best()))
        };
        let by_cells = f64::from(own.points) >= SURE + f64::from(own.likeness);
        let is_said = by_cells || own.likeness >= likeness_needed(own.field);
        let is_sure = f64::from(own.points) >= SURE && is_said && own.share >= 0.5;
        let rival = all.iter().filter(|other| !taken.iter().any(|used| used.column.index == other.column.index));
        if is_sure && !rival.into_iter().any(is_rival) {
            taken.push(own.clone());
        } else if own.points >= LIKELY {
            likely.push(own.clone());
        }
    }
    likely
        .retain(|own| !taken.iter().any(|used| used.column.index == own.column.index || used.field.id == own.field.id));
    (taken, likely)
}

/// Every free column for a field, the likeliest first; those that a person has given to other fields are not offered.
#[must_use]
pub fn candidates(field: &'static Field, columns: &[Column], sample: &Sample) -> Vec<Candidate> {
    let alike = |header: &str| likely(header).into_iter().find(|(own, _)| own.id == field.id).map_or(0, |(_, own)| own);
    let mut found: Vec<Candidate> = columns
        .iter()
        .map(|column| {
            let likeness = if is_of_others(field, &column.header) { 0 } else { alike(&column.header) };
            let none = || Candidate { column: column.clone(), field, points: 0, likeness, share: 0.0 };
            let is_other = is_of_others(field, &column.header);
            let fits = candidate(column, field, likeness, sample.column(column.index)).filter(|_| !is_other);
            fits.unwrap_or_else(none)
        })
        .collect();
    found.sort_by_key(|own| (Reverse(own.points), own.column.index));
    found
}

impl Candidate {
    /// How sure it is, in percent below 100.
    #[must_use]
    pub fn confidence(&self) -> u8 {
        self.points.min(99)
    }
}

/// Tells which columns were taken by header and cells together.
fn inferred(sheet: &Sheet, taken: &[Candidate]) -> Option<Finding> {
    let first = taken.first()?;
    let columns = taken.iter().map(|own| sheet_notice::taken(&own.column.header, own.field.header)).collect();
    let place = Place::cell(sheet.source(), sheet.header().row, first.column.index, first.column.header.clone());
    Some(sheet_notice::inferred(columns, Remedy::ignore(&first.column.header)).at(place))
}
