//! What the columns of a sheet are, decided once: the profile goes first, then the headers as they stand, then headers and
//! cells together.
//!
//! What header and cells together make sure is taken, and said. What is only likely is asked.

mod address;
mod amounts;
mod candidate;
mod cells;
mod fits;
mod held;
mod measured;
mod numbered;
mod plan;
mod planning;
mod proposal;
mod sample;
mod signs;
mod told;
mod whose;

#[cfg(test)]
mod tests;

#[cfg(test)]
pub(crate) use tests::proposed;

use std::sync::Arc;

use crate::check::Rules;
use crate::field::{ALIKE, FIELDS, Field, HeaderReading, Id, Kind, Trait, is_named};
use crate::finding::column::sheet_notice;
use crate::finding::{Finding, Remedy};
use crate::origin::Place;
use crate::profile::Profile;
use crate::sheet::{Sheet, SheetError};
use address::find_parts;
pub use candidate::{Candidate, LIKELY, candidates};
use candidate::{candidate, is_needed, is_told_by_cells, told_apart};
use cells::by_cells;
use fits::is_of_other_kind;
pub use held::{Held, has_drifted, looks_like_date};
pub use plan::{Meanings, Plan};
pub use proposal::proposal;
pub use sample::{LazySample, Sample, Seen};

/// So many different values of which none fits say that a header is wrong.
const STRANGE_MIN: usize = 3;

/// So many words where figures should be say that a header is wrong, however alike they are.
const CELLS_MIN: u32 = 3;

/// No sheet for people has more columns; comparing the words of more takes seconds and finds nothing.
const COMPARED_MAX: usize = 1_000;

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
    /// What is needed, and what stands in where a sheet has no column.
    pub rules: Option<&'a Rules>,
}

impl Known<'_> {
    /// One value for all orders.
    fn constant(&self, id: Id) -> Option<&str> {
        let of_profile = self.profile.and_then(|profile| profile.defaults.get(&id)).map(String::as_str);
        of_profile.or_else(|| self.rules.and_then(|rules| rules.configured(id)))
    }
}

/// Decides what the columns of a sheet are.
///
/// # Errors
/// The sheet cannot be read.
pub fn decide(sheet: &Sheet, sample: &LazySample, known: &Known<'_>) -> Result<Decided, SheetError> {
    let Known { profile, ignored, .. } = *known;
    let header = sheet.header();
    let readings: Arc<[HeaderReading]> = header.cells.iter().map(|cell| HeaderReading::of(cell)).collect();
    let plan = |meanings: &Meanings| {
        Plan::passing_over(sheet.source(), header.row, (&header.cells, &readings), profile, (ignored, meanings))
    };
    let mut meanings = Meanings::default();
    let (mut planned, mut problems) = plan(&meanings);
    let (mut taken, mut likely) = (Vec::new(), Vec::new());
    if profile.is_none_or(|profile| !profile.built_in) {
        meanings.refused = strangers(sheet, &planned, profile, sample)?;
        if !meanings.refused.is_empty() {
            (planned, problems) = plan(&meanings);
        }
        let candidates = candidates_of(sheet, &planned, known, sample)?;
        (taken, likely) = told_apart(candidates);
        meanings.taken = taken.iter().map(|own| (own.column.index, own.field.id)).collect();
        if !taken.is_empty() {
            (planned, problems) = plan(&meanings);
        }
    }
    let by_cells = by_cells(sheet, sample, &mut planned, profile, &mut problems)?;
    problems.extend(by_cells);
    if profile.is_none_or(|profile| !profile.built_in) {
        problems.extend(find_parts(sheet, sample, &mut planned, known.constant(Id::DestinationCountryCode))?);
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
    let had = |header: &str| profile.is_some_and(|own| own.kinds.contains_key(header));
    let mut strangers = Vec::new();
    let telling = |field: &Field| match field.id {
        Id::OrderNumber | Id::OrderType | Id::WarehouseId => false,
        Id::ReceiverEmail | Id::ShippingCharges | Id::OtherCharges => true,
        _ => is_needed(field),
    };
    for feed in plan.fed().filter(|feed| feed.step.is_none() && telling(feed.field) && !named(feed.field.id)) {
        let header = sheet.header().cells[feed.column as usize].as_str();
        // Nobody means anything else by a field's path.
        if had(header) || header == feed.field.path {
            continue;
        }
        let seen = sample.of(sheet)?.column(feed.column);
        let none_fits = || seen.texts().all(|text| is_of_other_kind(feed.field, text));
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
    known: &Known<'_>,
    sample: &LazySample,
) -> Result<Vec<Candidate>, SheetError> {
    let Known { profile, ignored, .. } = *known;
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
    let counted: Vec<String> = plan.readings().iter().flat_map(|own| own.counted.iter().cloned()).collect();
    // Where a constant would be booked in its stead, a figure that may be that of the parcel is asked about by its order.
    let is_watched = |id: Id, column: u32| known.constant(id).is_some() && plan.watches(id, column);
    let mut candidates = Vec::new();
    for column in plan.free_columns().into_iter().filter(|column| !is_known(&column.header)).take(COMPARED_MAX) {
        let reading = plan.reading(column.index);
        for field in open.iter().filter(|field| !(field.is_receivers() && reading.is(Trait::Others))) {
            let likeness = reading.likeness(field.id, &counted);
            if (likeness < ALIKE && !is_told_by_cells(field)) || is_watched(field.id, column.index) {
                continue;
            }
            candidates.extend(candidate(&column, field, likeness, sample.of(sheet)?.column(column.index)));
        }
    }
    Ok(candidates)
}

/// Whether a field is an amount of money.
const fn is_figure(field: &Field) -> bool {
    matches!(field.kind, Kind::Money | Kind::MoneyText)
}

/// Tells which columns were taken by header and cells together.
fn inferred(sheet: &Sheet, taken: &[Candidate]) -> Option<Finding> {
    let first = taken.first()?;
    let columns = taken.iter().map(|own| sheet_notice::taken(&own.column.header, own.field.header)).collect();
    let place = Place::cell(sheet.source(), sheet.header().row, first.column.index, first.column.header.clone());
    Some(sheet_notice::inferred(columns, Remedy::ignore(&first.column.header)).at(place))
}
