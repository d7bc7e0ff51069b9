//! Products side by side: what stands once beside several of them counts for each, which may not be what is meant.

use crate::field::Id;
use crate::finding::column::missing_column;
use crate::order::{Settled, Slot, Spot, rounding_of, shown};
use rust_decimal::Decimal;

use super::view::{Told, View};

/// What would change what goes or what is collected.
const IN_DOUBT: [Id; 3] = [Id::Quantity, Id::Price, Id::LineDiscount];

/// Asks about a quantity, a price or a discount that stands once beside several products of a row, unless a total of the
/// sheet is what the order comes to.
pub(crate) fn check(view: &View<'_>, told: &mut Told<'_>) {
    let (rows, order) = (view.rows, view.order);
    let singles = singles(view);
    let (Some((first, products)), Some(settled)) = (singles.first().copied(), &view.built.settled) else { return };
    // Of what all pieces of a product come to, no sum says how many those are.
    let is_open = singles.iter().any(|(slot, _)| slot.id == Id::Quantity)
        && rows.draft.lines.iter().any(|line| rows.sheets.of(line.at.sheet).line_total);
    if !is_open && is_confirmed(view, settled) {
        return;
    }
    let in_row = singles.iter().filter(|(slot, _)| slot.at == first.at);
    let cells = in_row.map(|(slot, _)| missing_column::cell(rows.header(slot), rows.text(slot))).collect();
    let last = rows.sheets.of(first.at.sheet).products.len();
    let named = |id: Id| (2..=last).map(move |number| format!("{} {number}", id.field().header));
    let mut ids: Vec<Id> = singles.iter().map(|(slot, _)| slot.id).collect();
    ids.dedup();
    let own = ids.into_iter().flat_map(named).collect();
    let held = missing_column::once_for_which(cells, products, shown(order.total()), own);
    told.say(held.found(rows.text(&first)), first.id, Spot::of(&first));
}

/// The cells that stand once beside several products of their row, by field, each with how many those are; no quantity of
/// one piece.
fn singles(view: &View<'_>) -> Vec<(Slot, usize)> {
    let (rows, order) = (view.rows, view.order);
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
            let fed = rows.sheets.of(draft.at.sheet).products.get(usize::from(draft.product));
            let is_single = fed.is_some_and(|fed| fed.iter().any(|fed| fed.id() == id && fed.shared));
            let is_clear = match id {
                Id::Quantity => line.quantity <= Decimal::ONE,
                Id::Price => line.price.is_zero(),
                _ => line.discount.is_zero(),
            };
            let slot = rows.draft.cell_of(draft, id);
            singles.extend(slot.filter(|_| products > 1 && is_single && !is_clear).map(|slot| (slot, products)));
        }
    }
    singles
}

/// Whether a sum of the sheet is what the order comes to, as its fields have it.
fn is_confirmed(view: &View<'_>, settled: &Settled) -> bool {
    let (order, sums) = (view.order, &settled.sums);
    let is_given = view.rows.is_given(Id::SubTotal) && order.sub_total == sums.gross;
    let rounding = rounding_of(order);
    is_given || (!settled.carried && settled.compared.iter().any(|given| given.is(order.total(), rounding)))
}
