//! Columns that decide whether and how an order goes: what is done, what is an address, how it is paid.

use crate::column::{Columns, Extra};
use crate::field::{AFTER_LINES, ExtraRole, Field, Id, StateRole, UNCLEAR_PART};
use crate::finding::Finding;
use crate::origin::{Added, is_added};
use crate::profile::Recipe;

use super::deciding::Known;
use super::header_findings::joined_parts;

/// Columns right of the last header that are looked at, in which a text file has none.
const BESIDE: u32 = 3;

/// Columns without a field that say whether an order goes, or more of its address; those of the payer are none of that.
pub(super) fn find_extra_columns(columns: &mut Columns, payers: &[bool]) -> Option<Finding> {
    // A sheet of results may come to a ledger that does not know what was booked.
    let booked = (0_u32..).zip(&*columns.headers).find(|(_, own)| Added::of(&own.header) == Some(Added::Awb));
    let mut found = Vec::from_iter(booked.map(|(column, _)| Extra::of(ExtraRole::Sign(StateRole::Number), column)));
    for column in columns.unknown.iter().copied() {
        let reading = columns.get(column);
        let Some(role) = reading.sign_or_part() else { continue };
        if matches!(role, ExtraRole::Address(_)) && payers[column as usize] {
            continue;
        }
        // Without a first line to compare it with, it is a column that is left out.
        if role == ExtraRole::Address(UNCLEAR_PART) && columns.feed(Id::DestinationLine1).is_none() {
            continue;
        }
        // Without a date of the order, the day on which it was booked is that.
        let is_sent = role == ExtraRole::Sign(StateRole::Sent);
        if is_sent && reading.says("booked-day") && columns.feed(Id::OrderCreatedAt).is_none() {
            continue;
        }
        found.push(Extra::of(role, column));
    }
    let first = first_line_of(columns, &found);
    found.retain(|sign| Some(sign.column) != first);
    // What goods are counted in is told by the cells.
    let may_be_of_goods = |column: u32| columns.get(column).says("unit") && columns.feed(Id::Quantity).is_some();
    let is_joined = |claim: &&Extra| {
        matches!(claim.role, ExtraRole::Address(place) if place != UNCLEAR_PART) && !may_be_of_goods(claim.column)
    };
    let joined = found.iter().filter(is_joined);
    let joined = joined_parts(&joined.map(|own| own.column).collect::<Vec<u32>>(), columns);
    if let Some(column) = first {
        columns.take(Id::DestinationLine1, column, None);
    }
    // Where shipments have numbers of their own beside those of the courier, they have them from the beginning.
    let is_number =
        |sign: &&Extra| sign.role == ExtraRole::Sign(StateRole::Number) && !is_added(columns.header(sign.column));
    let several = found.iter().filter(is_number).count() > 1;
    found.retain(|sign| !(several && columns.get(sign.column).says("own-shipment")));
    columns.unknown.retain(|column| !found.iter().any(|sign| sign.column == *column));
    columns.claims.extend(found);
    joined
}

/// The part of an address that is its first line where nothing else is: the street, or an area beside a house.
fn first_line_of(columns: &Columns, found: &[Extra]) -> Option<u32> {
    /// The place of streets, and where those of sectors and areas begin and end, one of several parts included.
    const STREET: u8 = 120;
    const AREA: u8 = 130;
    const AREA_LAST: u8 = 141;
    let part = |own: &Extra| {
        if let ExtraRole::Address(place) = own.role { Some((place, own.column)) } else { None }
    };
    let parts: Vec<(u8, u32)> = found.iter().filter_map(part).collect();
    let has_house = parts.iter().any(|(place, _)| *place < AFTER_LINES);
    let street = parts.into_iter().filter(|(place, _)| (STREET..=AREA_LAST).contains(place)).min();
    let (_, column) = street.filter(|(place, _)| *place < AREA || has_house)?;
    columns.feed(Id::DestinationLine1).is_none().then_some(column)
}

/// Columns of notes, and those that nothing takes: what they say in words that nobody mistakes counts all the same.
pub(super) fn find_notes(columns: &mut Columns) {
    let notes = [Id::SellerNote, Id::Tags, Id::Carrier, Id::Service, Id::ShipmentType, Id::Category];
    let fed = notes.into_iter().filter_map(|id| columns.plain(id));
    // People write beside a row that it is cancelled, where no header is.
    let nameless = (0_u32..).zip(&*columns.headers).filter(|(_, own)| own.header.is_empty()).map(|(column, _)| column);
    let width = u32::try_from(columns.headers.len()).unwrap_or_default();
    let beside = if columns.source.worksheet.is_some() { width..width + BESIDE } else { width..width };
    // What a profile of the program has no rule for is none of its layout's states.
    let own = !columns.is_by_program();
    let claims = |column: u32| columns.claims.iter().filter(move |claim| claim.column == column);
    // `Transport` may be what that costs, and who does it.
    let is_transport = |column: u32| {
        own && columns.get(column).says("courier") && claims(column).any(|claim| claim.role == ExtraRole::Beside)
    };
    let may_say =
        |column: &u32| claims(*column).next().is_none() || columns.get(*column).says("kind") || is_transport(*column);
    let all = fed.chain(columns.unknown.iter().copied()).chain(nameless).chain(beside).filter(may_say);
    let notes = all.map(|column| {
        let sign = match columns.get(column) {
            reading if reading.says("kind") => StateRole::Kind,
            reading if own && reading.says("courier") => StateRole::Courier,
            _ => StateRole::Note,
        };
        Extra::of(ExtraRole::Sign(sign), column)
    });
    let notes: Vec<Extra> = notes.collect();
    columns.claims.extend(notes);
}

/// How orders are paid, where only a column of what is to be collected says so.
pub(super) fn find_payment(columns: &mut Columns, known: &Known<'_>) {
    let is_flag = |columns: &Columns, column: u32| columns.get(column).says("cod-flag");
    let flagged = columns.claims.iter().any(|claim| is_flag(columns, claim.column));
    let state = columns.plain(Id::OrderType).filter(|state| columns.get(*state).says("sign-payment"));
    if let Some(state) = state.filter(|_| flagged) {
        // How far the payment is says less than whether it is collected.
        columns.feeds.retain(|feed| feed.column != state);
        columns.claims.push(Extra::of(ExtraRole::Sign(StateRole::Payment), state));
    }
    if known.has_default(Id::OrderType) || columns.feed(Id::OrderType).is_some() {
        return;
    }
    let is_collected = |claim: &Extra| {
        let is_named = is_flag(columns, claim.column) || columns.get(claim.column).says("says-collected");
        claim.role == ExtraRole::Collect && claim.by_header && is_named
    };
    // The word says more than the amount, and is there for every order.
    let column = columns.claimed(is_collected).min_by_key(|column| !is_flag(columns, *column));
    if let Some(column) = column {
        columns.take(Id::OrderType, column, Some(&Recipe { collects: true, ..Recipe::default() }));
    }
}

/// Takes a column for the type of payment, whatever it was taken for before, as it stands or by a recipe.
pub(super) fn take_payment(columns: &mut Columns, column: u32, recipe: Option<&Recipe>) {
    columns.feeds.retain(|feed| feed.column != column && feed.id() != Id::OrderType);
    columns.claims.retain(|claim| claim.column != column);
    columns.take(Id::OrderType, column, recipe);
}

/// Whether a second column of a field counts beside the one that is taken: of who gets it and where, it stands in where that
/// one is blank; and two that say two things may make two shipments, as those of how many pieces do.
pub(super) fn is_of_shipment(field: &Field) -> bool {
    field.is_receivers() || field.id == Id::Quantity
}

/// The sides of a parcel.
const SIDES: [Id; 3] = [Id::Length, Id::Width, Id::Height];

/// Watches columns that nothing takes and that may say the weight or the size of the parcel: where a constant would be
/// booked in their stead, that is asked.
pub(super) fn watch_measures(columns: &mut Columns, known: &Known<'_>) {
    let measured = columns.unknown.iter().filter_map(|column| {
        let reading = columns.get(*column);
        Some((reading.measure.filter(|_| !known.leaves_out(&reading.header))?, *column))
    });
    let all: Vec<(Id, u32)> = measured.collect();
    // Goods have a length, and seldom all three sides.
    let all_sides = SIDES.iter().all(|id| columns.feed(*id).is_some() || all.iter().any(|(of, _)| of == id));
    let asked =
        all.into_iter().filter(|(id, column)| *id == Id::Weight || all_sides || columns.get(*column).names(*id));
    let is_size = |column: &u32| {
        let reading = columns.get(*column);
        reading.says("size") && reading.measure.is_none() && !known.leaves_out(&reading.header)
    };
    let sizes = columns.unknown.iter().filter(|_| columns.feed(Id::Length).is_none());
    let sizes = sizes.copied().filter(is_size).map(|column| (Id::Length, column));
    let claim = |(id, column)| Extra { by_header: true, ..Extra::of(ExtraRole::Measure(id), column) };
    let claims: Vec<Extra> = asked.chain(sizes).map(claim).collect();
    columns.claims.extend(claims);
}
