//! The columns of a sheet, each with what its header says.

use super::feed::{Claim, Column, Feed};
use crate::field::{AmountRole, Field, HeaderReading, Id, Level, Trait, Unit};

/// The columns of a sheet by their headers and what these say, with the units of what they measure.
#[must_use]
pub fn named(headers: &[String], readings: &[HeaderReading], feeds: &[Feed], claims: &[Claim]) -> Vec<Column> {
    let mut measured: Vec<Option<Id>> = vec![None; headers.len()];
    let fed = feeds.iter().map(|feed| (feed.column, feed.id()));
    let claimed = claims.iter().filter_map(|claim| match claim.role {
        AmountRole::Same(id) | AmountRole::Measure(id) => Some((claim.column, id)),
        _ => None,
    });
    for (column, id) in fed.chain(claimed) {
        if let Some(slot) = measured.get_mut(column as usize) {
            *slot = Some(id);
        }
    }
    let columns = headers.iter().zip(readings).zip(measured).map(|((header, reading), id)| Column {
        header: header.clone(),
        traits: reading.traits,
        unit: id.and_then(|id| reading.unit(id.field())).and_then(|unit| match unit {
            Unit::Measure(unit) => Some(unit),
            Unit::Money(_) => None,
        }),
        total_of: reading.total_of,
        charge: reading.charge.clone(),
        about: reading.about,
    });
    columns.collect()
}

/// What charges and discounts are for by the usual headers of their fields.
#[must_use]
pub fn usual_charges() -> Vec<(Id, Vec<String>)> {
    let ids = [Id::Discount, Id::LineDiscount, Id::ShippingCharges, Id::OtherCharges];
    ids.into_iter().map(|id| (id, HeaderReading::of(id.field().header).charge)).collect()
}

/// Whether a second column of a field stands in where the first one is blank: of who gets it and where, but not a whole name
/// for a part of one.
#[must_use]
pub fn stands_in(field: &Field, first: &HeaderReading, second: &HeaderReading) -> bool {
    let is_same = || first.is(Trait::PartOfName) == second.is(Trait::PartOfName);
    field.is_receivers() && (field.id != Id::ReceiverFirstName || is_same())
}

/// The columns of a second name or address that stand in where their first one is blank: not a whole name for a part of one.
#[must_use]
pub fn stand_ins(readings: &[HeaderReading], feeds: &[Feed], claims: &[Claim]) -> Vec<Feed> {
    let found = claims.iter().filter_map(|claim| {
        let AmountRole::Same(id) = claim.role else { return None };
        let is_own = |feed: &&Feed| feed.id() == id && feed.step.is_none() && feed.field.level == Level::Order;
        let own = feeds.iter().find(is_own)?;
        let both = readings.get(own.column as usize).zip(readings.get(claim.column as usize));
        both.filter(|(first, second)| stands_in(id.field(), first, second))
            .map(|_| Feed { column: claim.column, ..*own })
    });
    found.collect()
}
