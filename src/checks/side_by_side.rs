//! Products side by side: what stands once beside several of them counts for each, which may not be what is meant.

use crate::text::Decimal;

use crate::field::Id;
use crate::finding::column::missing_column;
use crate::order::{CellRef, RawCell, shown};

use super::view::{Findings, View};

/// Asks about a quantity, a price or a discount that stands once beside several products of a row.
pub(crate) fn check(view: &View<'_>, told: &mut Findings<'_>) {
    let rows = view.rows;
    let Some((slots, products)) = singles(view).filter(|_| view.built.settled.is_some()) else { return };
    let Some(first) = slots.first() else { return };
    let last = rows.sheets.of(first.at.sheet).products.len();
    let named = |slot: &RawCell| (2..=last).map(|number| format!("{} {number}", slot.id.field().header)).collect();
    let own = slots.iter().flat_map(|slot| -> Vec<String> { named(slot) }).collect();
    let cells = slots.iter().map(|slot| missing_column::cell(rows.header(slot), rows.text(slot))).collect();
    let held = missing_column::once_for_which(cells, products, shown(view.order.total()), own);
    told.say(held.found(rows.text(first)), first.id, CellRef::of(first));
}

/// The cells that stand once beside several products of the first row with such cells, and how many products those are. A
/// quantity of one piece and a price of nothing are no question.
fn singles(view: &View<'_>) -> Option<(Vec<RawCell>, usize)> {
    let (rows, drafts) = (view.rows, &view.rows.draft.lines);
    let mut lines = drafts.iter().zip(&view.order.lines).filter(|_| drafts.len() == view.order.lines.len());
    lines.find_map(|(draft, line)| {
        let fed = rows.sheets.of(draft.at.sheet).products.get(usize::from(draft.product))?;
        let counts = [
            (Id::Quantity, line.quantity > Decimal::ONE),
            (Id::Price, !line.price.is_zero()),
            (Id::LineDiscount, !line.discount.is_zero()),
        ];
        let is_single = |id: Id| fed.iter().any(|fed| fed.id() == id && fed.shared);
        let ids = counts.into_iter().filter(|(id, counts)| *counts && is_single(*id));
        let slots: Vec<RawCell> = ids.filter_map(|(id, _)| rows.draft.cell_of(draft, id)).collect();
        let products = || drafts.iter().filter(|other| other.at == draft.at).count();
        (!slots.is_empty()).then(products).filter(|products| *products > 1).map(|products| (slots, products))
    })
}
