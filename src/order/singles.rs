//! Products side by side: what stands once beside several of them is that of each only where nothing else can be meant.

use crate::field::{AmountRole, Id};
use crate::finding::column::missing_column;
use rust_decimal::Decimal;

use super::claims::{Given, claims_of, rounding_of, shown};
use super::draft::Slot;
use super::read::Reader;
use super::rows::{Rows, Spot};
use super::types::Order;

/// A cell that stands once beside several products of its row.
#[derive(Debug, Clone, Copy)]
struct Single {
    slot: Slot,
    value: Decimal,
    /// How many products of the row are filled.
    products: usize,
}

/// What stands once and would change what goes or what is collected, if it is not that of each product.
const IN_DOUBT: [Id; 3] = [Id::Quantity, Id::Price, Id::LineDiscount];

/// Settles what a quantity, a price or a discount that stands once beside several products of a row is meant for, by the
/// sheet's own sums. Where nothing settles it, it counts for each of them, and that is asked.
pub(super) fn settle_singles(reader: &mut Reader<'_>, order: &mut Order) {
    let singles = singles(&reader.rows, order);
    let Some(first) = singles.first().copied() else { return };
    let told = reader.doubts.len();
    let given = claims_of(reader, order);
    // What cannot be read of them is told when all of the order is compared.
    reader.doubts.truncate(told);
    let is_of_each = is_confirmed(&reader.rows, order, &given, &singles);
    let of_all = pieces_in_all(&reader.rows, order, &singles)
        .filter(|other| !is_of_each && is_confirmed(&reader.rows, other, &given, &singles));
    let (header, text) = (reader.rows.header(&first.slot), reader.rows.text(&first.slot));
    let said = match of_all {
        Some(other) => {
            *order = other;
            missing_column::once_for_all(header, first.products, own_columns(&reader.rows, &singles))
        }
        None if is_of_each => return,
        None => {
            let cell = |own: &Single| missing_column::cell(reader.rows.header(&own.slot), reader.rows.text(&own.slot));
            let in_row = singles.iter().filter(|own| own.slot.at == first.slot.at).map(cell).collect();
            let own = own_columns(&reader.rows, &singles);
            missing_column::once_for_which(in_row, first.products, shown(order.total()), own)
        }
    };
    reader.say(said.found(text), first.slot.id, Spot::of(&first.slot));
}

/// The cells that stand once beside several products of their row, in the order of the fields; no quantity of one piece.
fn singles(rows: &Rows<'_>, order: &Order) -> Vec<Single> {
    let drafts = &rows.draft.lines;
    if drafts.iter().all(|draft| draft.product == 0) || drafts.len() != order.lines.len() {
        return Vec::new();
    }
    let mut singles = Vec::new();
    for id in IN_DOUBT {
        for (index, (draft, line)) in drafts.iter().zip(&order.lines).enumerate() {
            if index > 0 && drafts[index - 1].at == draft.at {
                continue;
            }
            let products = drafts.iter().filter(|other| other.at == draft.at).count();
            let fed = rows.sheets.of(draft.at.sheet).products().get(usize::from(draft.product));
            let is_single = fed.is_some_and(|fed| fed.iter().any(|fed| fed.id() == id && fed.shared));
            let value = match id {
                Id::Quantity => line.quantity,
                Id::Price => line.price,
                _ => line.discount,
            };
            let is_clear = value.is_zero() || (id == Id::Quantity && value == Decimal::ONE);
            let slot = rows.draft.cells_of(draft).iter().find(|slot| slot.id == id).copied();
            if let Some(slot) = slot.filter(|_| products > 1 && is_single && !is_clear) {
                singles.push(Single { slot, value, products });
            }
        }
    }
    singles
}

/// The order with one piece of each product, where just a count stands once and is that of the products of its row.
fn pieces_in_all(rows: &Rows<'_>, order: &Order, singles: &[Single]) -> Option<Order> {
    let is_count = |own: &Single| own.slot.id == Id::Quantity && own.value == Decimal::from(own.products);
    if !singles.iter().all(is_count) {
        return None;
    }
    let mut other = order.clone();
    for (draft, line) in rows.draft.lines.iter().zip(&mut other.lines) {
        if singles.iter().any(|own| own.slot.at == draft.at) {
            line.quantity = Decimal::ONE;
        }
    }
    if !rows.is_given(Id::SubTotal) {
        other.sub_total = other.lines.iter().map(|line| line.price * line.quantity).sum();
    }
    Some(other)
}

/// Whether a sum of the sheet is what the order comes to, with or without its charges.
fn is_confirmed(rows: &Rows<'_>, order: &Order, given: &[Given], singles: &[Single]) -> bool {
    let has = |id: Id| singles.iter().any(|own| own.slot.id == id);
    // Of what all pieces of a product come to, no sum says how many those are.
    if has(Id::Quantity) && rows.draft.lines.iter().any(|line| rows.sheets.of(line.at.sheet).line_total) {
        return false;
    }
    let gross: Decimal = order.lines.iter().map(|line| line.price * line.quantity).sum();
    let gross = gross + rows.left_over;
    let less: Decimal = order.lines.iter().map(|line| line.discount).sum();
    let charges = order.shipping_charges + order.other_charges - order.discount;
    let rounding = rounding_of(order);
    let is = |sum: Decimal| {
        let telling = |own: &&Given| match own.role {
            AmountRole::Collect | AmountRole::Open => order.order_type == "COD",
            AmountRole::Order | AmountRole::Total => true,
            _ => false,
        };
        given.iter().filter(telling).any(|own| !own.is_word && own.is(sum, rounding))
            || (rows.is_given(Id::SubTotal) && order.sub_total == sum)
    };
    // Where the discount is in doubt, a sum without it says nothing.
    let offs = if has(Id::LineDiscount) { vec![less] } else { vec![Decimal::ZERO, less] };
    let rest = [Decimal::ZERO, charges];
    offs.iter().any(|off| rest.iter().any(|more| is(gross - off + more)))
}

/// The columns by which each product has what it needs.
fn own_columns(rows: &Rows<'_>, singles: &[Single]) -> Vec<String> {
    let last = rows.sheets.of(singles[0].slot.at.sheet).products().len();
    let is_single = |id: &Id| singles.iter().any(|own| own.slot.id == *id);
    let named = |id: Id| (2..=last).map(move |number| format!("{} {number}", id.field().header));
    IN_DOUBT.into_iter().filter(is_single).flat_map(named).collect()
}
