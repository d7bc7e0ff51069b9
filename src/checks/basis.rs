//! The cells of an order that a finding rests on.

use crate::column::Sheets;
use crate::finding::{Basis, Finding};
use crate::order::{Draft, Slot};
use crate::origin::Place;
use crate::rule::{Looks, Rule};

/// A finding on an order with the weight that its rule has in its sheet, see
/// [`Levels::settle`](crate::rule::Levels::settle).
#[must_use]
pub fn settled(draft: &Draft, finding: Finding, sheets: &Sheets) -> Option<Finding> {
    sheets.settle_on(finding, |finding| basis(draft, finding, sheets))
}

/// The cells that a finding rests on: its own, and those that its rule looks at beside it.
fn basis(draft: &Draft, finding: &Finding, sheets: &Sheets) -> Option<Basis> {
    let looks = Rule::of(finding.rule()?).looks;
    let place = finding.place.as_ref();
    let header = place.and_then(|place| place.column.as_ref()).map_or("", |column| column.header.as_str());
    let is_in = |slot: &Slot, own: &Place| own.row == slot.at.row && own.source == sheets.of(slot.at.sheet).source;
    let is_in_row = |slot: &Slot| place.is_some_and(|own| is_in(slot, own));
    let is_looked_at = |slot: &Slot| {
        let path = slot.id.field().path;
        let is_of = |parts: &[&str]| parts.iter().any(|part| path.starts_with(part));
        match looks {
            Looks::Cell => finding.is_on(path),
            Looks::Row => is_in_row(slot),
            Looks::Address => is_of(&["receiver.", "destination."]),
            Looks::Parcel => is_of(&["parcelAttributes.", "productRequestsList.quantity"]),
            Looks::Amounts => is_of(&["shippingProperties.", "productRequestsList."]),
            Looks::Lines | Looks::Order => true,
        }
    };
    let own = |slot: &&Slot| looks != Looks::Lines && is_looked_at(slot);
    // Of a rule on one cell, the cells of other lines are no concern.
    let of_lines = |slot: &&Slot| looks != Looks::Cell && is_looked_at(slot);
    let beside = |slot: &&Slot| match looks {
        Looks::Amounts | Looks::Order => true,
        Looks::Row => is_in_row(slot),
        Looks::Cell | Looks::Address | Looks::Parcel | Looks::Lines => false,
    };
    let slots = draft.cells.iter().filter(own).chain(draft.line_cells.iter().filter(of_lines));
    let slots = slots.chain(draft.amounts.iter().map(|(_, slot)| slot).filter(beside));
    let cells = slots.map(|slot| (sheets.of(slot.at.sheet).header(slot.column), draft.text(slot)));
    Some(Basis::of(cells.chain([(header, finding.found.as_deref().unwrap_or_default())])))
}
