//! Two columns for one field, or two currencies in one order: where they say two things, nothing says which is meant.

use crate::field::{ExtraRole, Field, Id, in_base_units, is_digits, normalised};
use crate::finding::Remedy;
use crate::finding::column::duplicate_header;
use crate::finding::money::currency_clash;
use crate::order::{CellRef, Line, RawCell, RawLine, shown};
use crate::text::Decimal;

use super::view::{Findings, View};

/// Compares the columns that were left out for a better one with what that one says.
pub(crate) fn check(view: &View<'_>, told: &mut Findings<'_>) {
    for (claim, slot) in view.rows.claimed() {
        let ExtraRole::Same(id) = claim.role else { continue };
        if !matches!(id, Id::Price | Id::Quantity | Id::Weight | Id::Length | Id::Width | Id::Height) {
            continue;
        }
        // That none is left to be sent is said with a zero.
        let says = |given: &Decimal| id == Id::Quantity || !given.is_zero();
        let Some(given) = view.rows.readings(slot).first().copied().filter(says) else { continue };
        let taken = match id {
            Id::Price => of_row(view, slot, |line| line.price),
            Id::Quantity => of_row(view, slot, |line| line.quantity),
            id => measure_as(view, id, slot),
        };
        if let Some(taken) = taken.filter(|taken| (*taken - given).abs() > Decimal::new(5, 3)) {
            say_conflict(view, told, id.field(), slot, given, taken);
        }
    }
    check_receivers(view, told);
}

/// Compares the columns of a second name or address with those that were taken: a sheet may have whose bill it is
/// beside who gets the parcel.
fn check_receivers(view: &View<'_>, told: &mut Findings<'_>) {
    let (receiver, to) = (&view.order.receiver, &view.order.destination);
    let mut others: Vec<(Id, RawCell)> = Vec::new();
    for (claim, slot) in view.rows.claimed() {
        let ExtraRole::Same(id) = claim.role else { continue };
        let own = match id {
            Id::ReceiverFirstName | Id::ReceiverLastName => format!("{} {}", receiver.first_name, receiver.last_name),
            // Many people have two phones; a second one of the receiver is named so.
            Id::ReceiverPhone if view.rows.column(slot).says("receiver") => receiver.phone.to_string(),
            Id::DestinationLine1 | Id::DestinationLine2 => format!("{} {}", to.line1, to.line2),
            Id::DestinationCity => to.city.to_string(),
            Id::DestinationPinCode => to.pin_code.to_string(),
            _ => continue,
        };
        if differ(&own, view.rows.text(slot)) && !others.iter().any(|(_, other)| other.column == slot.column) {
            others.push((id, *slot));
        }
    }
    let Some((id, first)) = others.first() else { return };
    let second: Vec<&str> = others.iter().map(|(_, slot)| view.rows.header(slot)).collect();
    let taken = others.iter().filter_map(|(id, _)| Some(view.rows.header(&view.rows.cell(*id)?)));
    let mut taken: Vec<&str> = taken.collect();
    taken.dedup();
    let (ignore, ignore_others) = (Remedy::ignore_all(&taken), Remedy::ignore_all(&second));
    let held = duplicate_header::two_receivers(id.field().header, &taken, &second, ignore, ignore_others);
    told.say(held.found(view.rows.text(first)), *id, CellRef::of(first));
}

/// A number of the one product in a row.
pub(crate) fn of_row(view: &View<'_>, slot: &RawCell, number: impl Fn(&Line) -> Decimal) -> Option<Decimal> {
    let mut lines = view.rows.draft.lines.iter().zip(&view.order.lines).filter(|(draft, _)| draft.at == slot.at);
    let number = lines.next().map(|(_, line)| number(line)).filter(|number| !number.is_zero());
    number.filter(|_| lines.next().is_none())
}

/// The weight of the parcel, or a side of it, in the unit of the other header. What stands in for a blank cell does not
/// conflict.
fn measure_as(view: &View<'_>, id: Id, slot: &RawCell) -> Option<Decimal> {
    let parcel = &view.order.parcel;
    let (number, unit) = match id {
        Id::Weight => (parcel.weight, &parcel.weight_unit),
        Id::Length => (parcel.length, &parcel.dimension_unit),
        Id::Width => (parcel.width, &parcel.dimension_unit),
        _ => (parcel.height, &parcel.dimension_unit),
    };
    let own = in_base_units(unit)?;
    let unit = view.rows.column(slot).measure_unit(id).map_or(Some(own), in_base_units)?;
    Some((number * own / unit).normalize()).filter(|number| !number.is_zero() && view.rows.is_given(id))
}

fn say_conflict(
    view: &View<'_>,
    told: &mut Findings<'_>,
    field: &'static Field,
    slot: &RawCell,
    given: Decimal,
    taken: Decimal,
) {
    let columns = view.rows.sheets.of(slot.at.sheet);
    let header = columns.header(slot.column);
    let other = columns.column(field.id).map_or(field.header, |column| columns.header(column));
    let show = |number: Decimal| if field.id == Id::Price { shown(number) } else { number.normalize() };
    let ignore = Remedy::ignore(other);
    let held = duplicate_header::two_figures(field.header, other, show(taken), header, show(given), ignore);
    // Of a prepaid order only the worth would be wrong.
    let is_worth = field.id == Id::Price && view.order.order_type != "COD";
    let held = if is_worth { held.warn() } else { held };
    told.say(held.found(view.rows.draft.text(slot)), field.id, CellRef::of(slot));
}

/// Whether two texts say two things: neither is a part of the other. Of figures, the last ten count.
fn differ(own: &str, other: &str) -> bool {
    let (own, other) = (normalised(own), normalised(other));
    if own.is_empty() || other.is_empty() {
        return false;
    }
    if is_digits(&own) && is_digits(&other) {
        let end = |text: &str| text[text.len().saturating_sub(10)..].to_owned();
        return end(&own) != end(&other);
    }
    !own.contains(&other) && !other.contains(&own)
}

/// Holds an order back whose lines are in two currencies.
pub(crate) fn check_currency(view: &View<'_>, told: &mut Findings<'_>) {
    let mut lines = view.rows.draft.lines.iter().zip(view.order.lines.iter().map(|line| &line.currency_code));
    let Some((first, before)) = lines.next().filter(|(_, code)| !code.is_empty()) else { return };
    let Some((other, currency)) = lines.find(|(_, code)| !code.is_empty() && *code != before) else { return };
    let spot = |draft: &RawLine| {
        view.rows.draft.cell_of(draft, Id::CurrencyCode).map_or(CellRef::row(draft.at), |slot| CellRef::of(&slot))
    };
    let (here, there) = (spot(other), spot(first));
    let clash = currency_clash::in_order(before, &view.rows.place(there), currency, &view.rows.place(here));
    told.say(clash.found(currency.clone()), Id::CurrencyCode, here);
}
