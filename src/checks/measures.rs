//! Weights and numbers of pieces that hardly any parcel has, and weights and sizes that may be those of the parcel in columns that nothing takes.

use crate::field::{ExtraRole, Id, MAY_BE_GRAMS, in_base_units, is_same_measure, measured};
use crate::finding::column::{bad_unit, unusual_value};
use crate::finding::{Finding, Remedy, Value};
use crate::order::{CellRef, RawCell};
use crate::text::Decimal;

use super::view::{Findings, View};

/// Asks of weights and sizes that may be those of the parcel, in columns that nothing takes: where a constant would be booked
/// in their stead.
pub(crate) fn check(view: &View<'_>, told: &mut Findings<'_>) {
    let mut unused: Vec<(Id, RawCell)> = Vec::new();
    for (claim, slot) in view.rows.claimed() {
        let ExtraRole::Measure(id) = claim.role else { continue };
        let is_known = unused.iter().any(|(_, other)| other.column == slot.column);
        let in_one = view.rows.column(slot).measure.is_none();
        if !is_known && is_measure(view.rows.text(slot), in_one) {
            unused.push((id, *slot));
        }
    }
    let is_constant = |id: Id, slot: &RawCell| {
        view.rows.sheets.of(slot.at.sheet).default(id).or_else(|| view.rows.rules.default(id)).is_some()
    };
    unused.retain(|(id, slot)| !view.rows.is_given(*id) && is_constant(*id, slot) && !is_as_sent(view, *id, slot));
    let Some((id, first)) = unused.first() else { return };
    let headers: Vec<&str> = unused.iter().map(|(_, slot)| view.rows.header(slot)).collect();
    let in_one = unused.iter().all(|(_, slot)| view.rows.column(slot).measure.is_none());
    let fields = if in_one { Vec::new() } else { fields_of(view, &unused) };
    let held = unusual_value::unused(&headers, fields, Remedy::ignore_all(&headers));
    told.say(held.found(view.rows.text(first)), *id, CellRef::of(first));
}

/// Whether a figure is what is sent in its stead all the same, in whatever unit.
fn is_as_sent(view: &View<'_>, id: Id, slot: &RawCell) -> bool {
    let parcel = &view.order.parcel;
    let (sent, unit) = match id {
        Id::Weight => (parcel.weight, &parcel.weight_unit),
        Id::Length => (parcel.length, &parcel.dimension_unit),
        Id::Width => (parcel.width, &parcel.dimension_unit),
        Id::Height => (parcel.height, &parcel.dimension_unit),
        _ => return false,
    };
    let named = view.rows.column(slot).measure_unit(id);
    measured(view.rows.text(slot))
        .is_some_and(|(figure, own)| is_same_measure((figure, own.or(named).unwrap_or(unit)), (sent, unit)))
}

/// The headers under which these columns are those of the parcel, with the units that they name.
fn fields_of(view: &View<'_>, asked: &[(Id, RawCell)]) -> Vec<String> {
    let header = |(id, slot): &(Id, RawCell)| match view.rows.column(slot).measure_unit(*id) {
        Some(unit) => format!("{} ({unit})", id.field().header),
        None => id.field().header.to_owned(),
    };
    let mut fields: Vec<String> = asked.iter().map(header).collect();
    fields.dedup();
    fields
}

/// Whether a cell holds a weight or a side, which is a figure with or without its unit; or, `in_one`, several sides.
fn is_measure(text: &str, in_one: bool) -> bool {
    if in_one {
        let figures = text.split(|c: char| !c.is_ascii_digit() && c != '.').filter(|figure| measured(figure).is_some());
        return figures.count() > 1;
    }
    measured(text).is_some()
}

/// Doubts the weight of the parcel.
pub(crate) fn check_weight(view: &View<'_>, told: &mut Findings<'_>) {
    let (rows, parcel) = (view.rows, &view.order.parcel);
    let said = rows.is_weight_unit_said();
    let Some(problem) = doubt(parcel.weight, &parcel.weight_unit, said, rows.rules.heaviest_kg) else { return };
    let found = rows.cell(Id::Weight).map(|slot| rows.text(&slot).to_owned());
    let found = found.unwrap_or_else(|| parcel.weight.normalize().to_string());
    told.say(problem.found(found), Id::Weight, rows.spot_of(Id::Weight));
}

/// Doubts a number of pieces that may have a digit too many, once for an order: other orders of its sheet have few, and its parcel
/// is as light as theirs.
pub(crate) fn check_pieces(view: &View<'_>, told: &mut Findings<'_>) {
    let (rows, parcel) = (view.rows, &view.order.parcel);
    let kilograms = in_base_units(&parcel.weight_unit).map(|factor| parcel.weight * factor);
    let own = kilograms.filter(|_| rows.is_given(Id::Weight)).unwrap_or_default();
    let lines = rows.draft.lines.iter().zip(&view.order.lines);
    let many = lines.filter(|(_, line)| line.quantity >= MANY && own < line.quantity * PIECE);
    let mut slots = many.filter_map(|(draft, line)| Some((rows.draft.cell_of(draft, Id::Quantity)?, line.quantity)));
    let is_alone = |slot: &RawCell| rows.sheets.of(slot.at.sheet).habit(Id::Quantity).pieces.are_few();
    let Some((slot, pieces)) = slots.find(|(slot, _)| is_alone(slot)) else { return };
    let held = unusual_value::many_pieces(pieces.normalize());
    told.say(held.found(rows.text(&slot)), Id::Quantity, CellRef::of(&slot));
}

/// Pieces of one product from which on their number is doubted.
const MANY: Decimal = Decimal::ONE_HUNDRED;

/// Kilograms that each of them weighs at least in a parcel that was weighed: 10 g.
const PIECE: Decimal = Decimal::from_parts(10, 0, 0, false, 3);

/// Kilograms below which nothing is packed at all: 2 g.
const LIGHT: Decimal = Decimal::from_parts(2, 0, 0, false, 3);

/// Why a weight cannot be meant in its unit: it may be grams where nobody has said the unit, or no parcel has it.
///
/// `heaviest` is in kilograms, and what is heavier is refused.
pub(crate) fn doubt(weight: Decimal, unit: &str, said: bool, heaviest: Decimal) -> Option<Finding> {
    if !said && weight >= MAY_BE_GRAMS {
        return Some(bad_unit::weight_without_unit(unit, MAY_BE_GRAMS));
    }
    let kilograms = weight * in_base_units(unit)?;
    let heavy = kilograms > heaviest;
    if weight.is_zero() || !(heavy || kilograms < LIGHT) {
        return None;
    }
    let shown = weight.normalize();
    let setting = || {
        let limit = kilograms.ceil().to_i64().map(Value::Number);
        Remedy::setting("check", "heaviest_kg", limit)
    };
    Some(match (unit, heavy) {
        ("g", false) => unusual_value::light_in_grams(shown, unit),
        ("g", true) => unusual_value::heavy_in_grams(shown, unit, setting()),
        (_, true) => unusual_value::heavy_weight(shown, unit, setting()),
        (_, false) => unusual_value::light_weight(shown, unit),
    })
}
