//! What the columns of a sheet are, decided once: the profile goes first, then the headers as they stand, then headers and
//! cells together.
//!
//! What header and cells together make sure is taken, and said. What is only likely is asked.

mod address;
mod amounts;
mod candidate;
mod cells;
mod fits;
mod cell_kinds;
mod planning;
mod product_columns;
mod proposal;
mod sample;
mod extra_columns;
mod deciding;
mod header_findings;
mod values;

#[cfg(test)]
mod tests;

#[cfg(test)]
pub(crate) use tests::proposed;

use std::sync::Arc;

use crate::column::{Candidate, Columns, Extra, Feed};
use crate::field::{ALIKE, ExtraRole, FIELDS, Field, HeaderReading, Id, Kind, Status, is_digits, is_named, says};
use crate::finding::column::sheet_notice;
use crate::finding::{Finding, Remedy};
use crate::origin::Source;
use crate::parse::{ColumnFormat, is_near_letters};
use crate::profile::Profile;
use crate::sheet::{Sheet, SheetError};
pub use address::{address_parts, hold_names_and_phones, is_nearly_all};
use address::{find_parts, join_area_code, take_further_lines, take_name_and_phone};
pub use amounts::amounts_to_ask;
pub use candidate::{LIKELY, candidates, fields_for, only_column, states_by_pin_codes};
use candidate::{candidate, countries, is_needed, is_told_by_cells, told_apart};
pub use cell_kinds::{CellKinds, has_drifted};
pub use cells::paid_by_flag;
use cells::{are_states, by_cells, is_most, is_throughout, speaks};
pub use deciding::Known;
use deciding::{COMPARED_MAX, Deciding, Meanings};
use fits::{Fit, SHARE, fit, is_of_other_kind, shares};
use planning::planned;
use product_columns::product_columns;
pub use proposal::{further_columns, proposal};
pub use sample::{LazySample, Sample, Seen};
pub use values::{QUESTIONS_MAX, ValueKind, ValueQuestion, may_be_paid_in_part, value_questions};

/// So many different values of which none fits say that a header is wrong.
const STRANGE_MIN: usize = 3;

/// So many words where figures should be say that a header is wrong, however alike they are.
const CELLS_MIN: u32 = 3;

/// A header that names a number of the courier is so much like one of the order's, in percent, at the most.
const NUMBER_ALIKE: u8 = 55;

/// Decides what the columns of a sheet are, and what there is to be said of that.
///
/// # Errors
/// The sheet cannot be read.
pub fn decide(sheet: &Sheet, sample: &LazySample, known: &Known<'_>) -> Result<(Columns, Vec<Finding>), SheetError> {
    let headers: Arc<[HeaderReading]> = sheet.header().cells.iter().map(|cell| HeaderReading::of(cell)).collect();
    let profile = known.profile.cloned().map(Arc::new);
    let plan = |meanings: &Meanings| {
        let header = (sheet.source(), sheet.header().row);
        planned(Columns::new(header, &headers, profile.clone()), known, meanings)
    };
    let mut meanings = Meanings::default();
    let (columns, mut problems) = plan(&meanings);
    let mut own = Deciding::new(sheet, sample, known, columns);
    if !known.is_by_program() {
        meanings.refused = strangers(&own);
        if !meanings.refused.is_empty() {
            (own.columns, problems) = plan(&meanings);
        }
        meanings.products = product_columns(&own);
        if !meanings.products.is_empty() {
            (own.columns, problems) = plan(&meanings);
            problems.extend(own.columns.products_in_headers());
        }
        let (taken, likely) = told_apart(candidates_of(&own));
        meanings.taken = taken.iter().map(|own| (own.column.index, own.field.id)).collect();
        if !taken.is_empty() {
            (own.columns, problems) = plan(&meanings);
            problems.extend(own.columns.products_in_headers());
        }
        (own.columns.taken, own.columns.likely) = (taken, likely);
        let left = left_over(&own);
        own.columns.likely.extend(left);
        name_by_description(&mut own);
        take_further_lines(&mut own);
        join_area_code(&mut own);
        feed_city_and_state(&mut own.columns, known);
        leave_rates(&mut own);
        problems.extend(by_cells(&mut own));
        problems.extend(take_name_and_phone(&mut own));
        problems.extend(find_parts(&mut own));
        note_letters(&mut own);
    }
    let mut columns = own.decided()?;
    problems.extend(inferred(&columns));
    let fed: Vec<Id> = columns.fed().map(|feed| feed.id()).collect();
    columns.likely.retain(|own| !fed.contains(&own.field.id));
    Ok((columns.completed(known), problems))
}

/// Notes where countries stand by the letters of old addresses: `D` is Germany beside `Austria`, and nothing beside `India`.
fn note_letters(own: &mut Deciding<'_>) {
    for id in [Id::DestinationCountry, Id::DestinationCountryCode] {
        let Some(column) = own.columns.plain(id) else { continue };
        own.columns.habits[id as usize].letters = own.seen(column).texts().any(is_near_letters);
    }
}

/// A tax whose header leaves it open is compared only where its cells hold amounts.
fn leave_rates(own: &mut Deciding<'_>) {
    let columns = &own.columns;
    let is_open = |own: &Extra| own.role == ExtraRole::Tax && own.by_header && columns.get(own.column).says("bare-tax");
    let is_left = |claim: &Extra| is_open(claim) && !holds_money(own.seen(claim.column));
    let claims = columns.claims.iter().filter(|claim| !is_left(claim)).copied().collect();
    own.columns.claims = claims;
}

/// What the columns of a sheet are by its profile and its headers alone.
#[must_use]
pub fn by_headers(header: (&Arc<Source>, u32), cells: &[String], profile: Option<&Profile>) -> (Columns, Vec<Finding>) {
    let headers = cells.iter().map(|cell| HeaderReading::of(cell)).collect();
    let known = Known { profile, ..Known::default() };
    let (columns, problems) =
        planned(Columns::new(header, &headers, profile.cloned().map(Arc::new)), &known, &Meanings::default());
    (columns.completed(&known), problems)
}

/// Columns that their headers alone name as fields of which no cell can be a value: so it is with names below `Phone`.
fn strangers(own: &Deciding<'_>) -> Vec<u32> {
    let Deciding { columns, known, .. } = own;
    let had = |header: &str| known.profile.is_some_and(|own| own.kinds.contains_key(header));
    let mut strangers = Vec::new();
    let telling = |field: &Field| match field.id {
        Id::OrderNumber | Id::WarehouseId => false,
        Id::ReceiverFirstName => columns.column(Id::ReceiverLastName).is_none(), // A whole name is no first name.
        Id::TaxRate | Id::ReceiverEmail | Id::ShippingCharges | Id::OtherCharges | Id::Carrier => true,
        _ => is_needed(field),
    };
    // What a profile names is meant.
    for feed in columns.fed().filter(|feed| feed.step.is_none() && telling(feed.field) && !known.names(feed.id())) {
        let header = columns.header(feed.column);
        // Nobody means anything else by a field's path.
        if had(header) || header == feed.field.path {
            continue;
        }
        let seen = own.seen(feed.column);
        let is_wordy = || !seen.texts().any(|text| text.contains(|c: char| c.is_ascii_digit()));
        // `Delivery` may name who carries the parcel, and just as well what that costs.
        let is_telling = seen.values.len() >= STRANGE_MIN
            || (seen.filled > 0 && feed.id() == Id::Carrier)
            || (seen.filled >= CELLS_MIN && matches!(feed.field.kind, Kind::Money | Kind::MoneyText) && is_wordy());
        let mut others = columns.unknown.iter().copied().filter(|other| columns.get(*other).names(feed.id()));
        let is_strange = match feed.id() {
            // Of two columns the one that says something is taken, and of two of payments the one that says them.
            _ if seen.filled == 0 => others.any(|other| own.seen(other).filled > 0),
            Id::DestinationState => holds_order_states(own, feed.column),
            Id::OrderType => seen.count(speaks) == 0 && others.any(|other| is_most(own.seen(other), speaks)),
            Id::TaxRate => !columns.get(feed.column).is_rate() && holds_money(seen),
            Id::Quantity if is_telling && seen.texts().all(is_code) => true,
            _ => is_telling && seen.texts().all(|text| is_of_other_kind(feed.field, text)),
        };
        if is_strange {
            strangers.push(feed.column);
        }
    }
    strangers
}

/// Whether a column that is named as the state of the address says how far orders are, as `Estado` may: in a few words that recur and
/// are no known state, of which one says that an order is over, or beside another column that may be the state.
fn holds_order_states(own: &Deciding<'_>, column: u32) -> bool {
    let (field, seen) = (Id::DestinationState.field(), own.seen(column));
    // Nothing says yet which rows begin an order: it is compared with columns that are filled as often.
    let rows = seen.filled;
    if !are_states(seen, rows) || seen.texts().any(|text| fit(field, text) == Fit::Is) {
        return false;
    }
    let is_over = |text: &str| matches!(says(text), Status::Cancelled | Status::Sent);
    let is_other = |other: &u32| {
        let (reading, seen) = (own.columns.get(*other), own.seen(*other));
        reading.likeness(field.id, &[]) >= ALIKE && is_throughout(seen, rows) && !are_states(seen, rows)
    };
    seen.texts().any(is_over) || own.columns.unknown.iter().any(is_other)
}

/// Whether a text is a code of digits: nobody sends so many pieces.
fn is_code(text: &str) -> bool {
    const DIGITS_MIN: usize = 5;
    text.len() >= DIGITS_MIN && is_digits(text)
}

/// Whether a column of a tax holds amounts of money, and no rates.
fn holds_money(seen: &Seen) -> bool {
    let mut habit = ColumnFormat::default();
    seen.texts().for_each(|text| habit.learn_number(Kind::Rate, text));
    habit.is_money()
}

/// What the columns that nothing takes may be, of the fields that nothing feeds.
fn candidates_of(own: &Deciding<'_>) -> Vec<Candidate> {
    let Deciding { columns, known, .. } = own;
    let is_open = |id: Id| columns.column(id).is_none() && !known.has_default(id) && !known.names(id);
    let open: Vec<&'static Field> = FIELDS.iter().filter(|own| is_open(own.id)).collect();
    let is_known = |header: &str| {
        is_named(known.ignored, header)
            || known.ignores(header)
            || known.leaves_out(header)
            || known.profile.is_some_and(|own| own.settles(header))
    };
    let counted: Vec<String> = columns.headers.iter().flat_map(|own| own.counted.iter().cloned()).collect();
    // Where a constant would be booked in its stead, a figure that may be that of the parcel is asked about by its order.
    let is_watched = |id: Id, column: u32| {
        known.constant(id).is_some()
            && columns.claims.iter().any(|own| own.role == ExtraRole::Measure(id) && own.column == column)
    };
    let mut candidates = Vec::new();
    let free = columns.free_columns().into_iter().filter(|column| !is_known(columns.header(*column)));
    for column in free.take(COMPARED_MAX) {
        let (reading, spare) = (columns.get(column), columns.spare_role(column));
        let is_unclear = |seen: &Seen| reading.says("paper") && seen.texts().all(is_digits);
        for field in open.iter().filter(|field| !reading.is_of_others(field)) {
            let likeness = match (spare, field.id) {
                (None, _) | (Some(ExtraRole::Address(_)), Id::DestinationCity | Id::DestinationLine1) => {
                    reading.likeness(field.id, &counted)
                }
                // A number that may be the courier's is never surely the order's.
                (Some(ExtraRole::Sign(_)), Id::OrderNumber) => reading.likeness(field.id, &counted).min(NUMBER_ALIKE),
                _ => 0,
            };
            let is_refused = field.id == Id::TaxRate && columns.refused.contains(&column);
            let is_told = spare.is_none() && is_told_by_cells(field) && may_be_unit(columns, field.id, column);
            if (likeness < ALIKE && !is_told) || is_watched(field.id, column) || is_refused {
                continue;
            }
            let seen = own.seen(column);
            // Figures below `Invoice` may be amounts.
            let is_number = field.id == Id::OrderNumber && is_unclear(seen);
            let likeness = if is_number { likeness.min(NUMBER_ALIKE) } else { likeness };
            candidates.extend(candidate(&columns.named(column), field, likeness, seen));
        }
    }
    candidates.extend(countries(own));
    name_the_family(columns, &mut candidates);
    // Of several parts of an address the largest is its city: the district, and not the suburb.
    let part_of = |own: &Candidate| match columns.spare_role(own.column.index) {
        Some(ExtraRole::Address(place)) if own.field.id == Id::DestinationCity => Some(place),
        _ => None,
    };
    let largest = candidates.iter().filter_map(part_of).max();
    candidates.retain(|own| part_of(own).is_none() || part_of(own) == largest);
    candidates
}

/// Beside a column of first names, one of names is that of last names: `Prénom`, `Nom`.
fn name_the_family(columns: &Columns, candidates: &mut [Candidate]) {
    let is_first =
        |own: &Candidate| own.field.id == Id::ReceiverFirstName && columns.get(own.column.index).says("part-of-name");
    if !candidates.iter().any(is_first) || columns.column(Id::ReceiverLastName).is_some() {
        return;
    }
    let is_whole =
        |own: &&mut Candidate| own.field.id == Id::ReceiverFirstName && columns.get(own.column.index).says("bare-name");
    for own in candidates.iter_mut().filter(is_whole) {
        own.field = Id::ReceiverLastName.field();
    }
}

/// The one column for a needed field that nothing feeds, among those of which nothing is known, where its cells look like
/// that field's and like those of no other that is open: it is what a person is asked about first.
fn left_over(own: &Deciding<'_>) -> Vec<Candidate> {
    let Deciding { columns, .. } = own;
    let is_open = |field: &&&Field| {
        let id = field.id;
        let is_likely = || columns.likely.iter().any(|own| own.field.id == id);
        is_needed(field) && !field.may_be_constant() && columns.column(id).is_none() && !is_likely()
    };
    let open: Vec<&'static Field> = FIELDS.iter().filter(|own| is_open(&own)).collect();
    if open.is_empty() {
        return Vec::new();
    }
    let is_likely = |column: u32| columns.likely.iter().any(|own| own.column.index == column);
    let says_nothing = |column: &u32| columns.get(*column).says_nothing() && !is_likely(*column);
    let free: Vec<u32> = columns.unknown.iter().copied().filter(says_nothing).take(COMPARED_MAX).collect();
    let fits = |field: &'static Field, column: u32| looks_like(field, own.seen(column));
    let only = |field: &&'static Field| {
        let mut all = free.iter().copied().filter(|column| fits(field, *column));
        let column = all.next().filter(|_| all.next().is_none())?;
        let is_alone = open.iter().filter(|other| fits(other, column)).count() == 1;
        is_alone.then(|| Candidate::perhaps(columns.named(column), field, LIKELY))
    };
    open.iter().filter_map(only).collect()
}

/// Whether the cells of a column that no header names look like a field's.
fn looks_like(field: &'static Field, own: &Seen) -> bool {
    shares(field, own).is_some_and(|shares| shares.is >= SHARE)
}

/// Whether a column may be that of a unit by its cells: right behind a weight or a side whose header names none, since goods are
/// counted in units as well. True of any other field.
fn may_be_unit(columns: &Columns, id: Id, column: u32) -> bool {
    let is_measured = |feed: &Feed| feed.field.unit_field() == Some(id) && feed.column + 1 == column;
    !matches!(id, Id::WeightUnit | Id::DimensionUnit)
        || columns.unit(id).is_none() && columns.fed().any(|feed| is_measured(&feed))
}

/// Where a state is a city as well, such as Dubai, its column feeds both where there is none for the other.
fn feed_city_and_state(columns: &mut Columns, known: &Known<'_>) {
    const BOTH: [(Id, Id); 2] =
        [(Id::DestinationCity, Id::DestinationState), (Id::DestinationState, Id::DestinationCity)];
    for (open, fed) in BOTH {
        let column = columns.plain(fed).filter(|column| columns.get(*column).says("city-state"));
        if columns.column(open).is_some() || known.names(open) || known.has_default(open) {
            continue;
        }
        if let Some(column) = column {
            columns.take(open, column, None);
            columns.taken.push(Candidate::sure(columns.named(column), open.field()));
        }
    }
}

/// A description is the name of the product where no other column can be.
fn name_by_description(own: &mut Deciding<'_>) {
    let Deciding { columns, known, .. } = &*own;
    let name = Id::ProductName.field();
    let is_likely = columns.likely.iter().any(|own| own.field.id == name.id);
    let is_open = columns.column(name.id).is_none() && known.constant(name.id).is_none() && !known.names(name.id);
    let described = columns.plain(Id::Description).filter(|_| !known.names(Id::Description));
    let Some(column) = described.filter(|_| is_open && !is_likely) else { return };
    let may_be_name = |column: u32| looks_like(name, own.seen(column));
    let is_rival = |own: &u32| columns.get(*own).says_nothing() && may_be_name(*own);
    if may_be_name(column) && !columns.unknown.iter().any(is_rival) {
        own.columns.feeds.retain(|feed| feed.column != column);
        own.columns.take(name.id, column, None);
        own.columns.taken.push(Candidate::sure(own.columns.named(column), name));
    }
}

/// Tells which columns were taken by header and cells together.
fn inferred(columns: &Columns) -> Option<Finding> {
    let first = &columns.taken.first()?.column;
    let taken = columns.taken.iter().map(|own| sheet_notice::taken(&own.column.header, own.field.header)).collect();
    let notice = sheet_notice::inferred(taken, Remedy::ignore(&first.header));
    Some(notice.at(columns.header_place(first.index)))
}
