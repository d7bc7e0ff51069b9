//! Rows of an order that name no product: its total, a discount, an advance, a charge.

use crate::check::is_no_value;
use crate::field::{Id, NoProduct, no_product};
use crate::finding::money::missing_product;
use crate::finding::{Finding, RuleId};

use super::claims::shown;
use super::draft::{LineDraft, Slot};
use super::read::{Doubt, Reader};
use super::rows::{Rows, Spot};

/// The cell with the name of a line that is a word of money and nothing else, and what it means.
pub(super) fn no_goods(rows: &Rows<'_>, line: &LineDraft) -> Option<(Slot, NoProduct)> {
    let of = |id: Id| rows.draft.cell_of(line, id).filter(|slot| !slot.condition.is_fault());
    let (name, sku) = (of(Id::ProductName), of(Id::Sku));
    let slot = name.or(sku)?;
    let kind = no_product(rows.text(&slot))?;
    // A code of its own is that of a product.
    let is_code = |text: &str| {
        text.contains(char::is_alphanumeric) && !is_no_value(Id::Sku.field(), text) && no_product(text).is_none()
    };
    (!sku.is_some_and(|sku| is_code(rows.text(&sku)))).then_some((slot, kind))
}

/// Says once of an order that it has lines which name no product. Where a person lets them go, they are products.
pub(super) fn say_no_goods(reader: &mut Reader<'_>, line: &LineDraft, (slot, kind): (Slot, NoProduct)) {
    let is_said = |doubt: &Doubt| doubt.finding.rule() == Some(RuleId::AmountAsProduct);
    if reader.doubts.iter().any(is_said) {
        return;
    }
    let price = reader.rows.draft.cell_of(line, Id::Price);
    let amount = price.and_then(|slot| {
        let text = reader.rows.text(&slot).trim_start_matches(['-', '−', '(', ' ']).trim_end_matches(')');
        reader.rows.readings_of(&slot, text).first().copied()
    });
    let columns = reader.rows.sheets.of(line.at.sheet);
    let [shipping, charges, discount] =
        [Id::ShippingCharges, Id::OtherCharges, Id::Discount].map(|id| columns.header_of(id));
    let text = reader.rows.text(&slot);
    let held = missing_product::amount_as_product(text, amount.map(shown), meaning(kind), shipping, charges, discount);
    reader.say(held.found(text), slot.id, Spot::of(&slot));
}

fn meaning(kind: NoProduct) -> Finding {
    match kind {
        NoProduct::Total => missing_product::total(),
        NoProduct::Due => missing_product::due(),
        NoProduct::Paid => missing_product::paid(),
        NoProduct::Off => missing_product::off(),
        NoProduct::Shipping => missing_product::shipping(),
        NoProduct::Charge => missing_product::charge(),
        NoProduct::Tax => missing_product::tax(),
        NoProduct::Rounding => missing_product::rounding(),
    }
}
