//! Rows of an order that name no product: its total, a discount, an advance, a charge.

use crate::check::{Memo, is_no_value};
use crate::field::{Id, NoProduct, no_product};
use crate::finding::money::missing_product;
use crate::finding::{Finding, RuleId};
use rust_decimal::Decimal;

use super::claims::shown;
use super::draft::{LineDraft, Slot};
use super::read::{Doubt, Reader};
use super::rows::{Rows, Spot};
use super::types::Order;

/// A line of an order that names no product.
#[derive(Debug, Clone, Copy)]
pub(super) struct NoGoods {
    /// The cell with its name.
    slot: Slot,
    kind: NoProduct,
    /// Its amount, without a minus.
    amount: Option<Decimal>,
    is_less: bool,
}

/// What such lines come to, as the fields of an order have it.
#[derive(Debug, Default)]
struct Moved {
    shipping: Decimal,
    charges: Decimal,
    discount: Decimal,
    tax: Decimal,
    is_part_paid: bool,
}

/// What a line says of its order, if its name is a word of money and nothing else.
pub(super) fn no_goods(rows: &Rows<'_>, memo: &mut Memo, line: &LineDraft) -> Option<NoGoods> {
    let cells = rows.draft.cells_of(line);
    let of = |id: Id| cells.iter().find(|slot| slot.id == id && !slot.condition.is_fault());
    let (name, sku) = (of(Id::ProductName), of(Id::Sku));
    let slot = *name.or(sku)?;
    let kind = memo.no_product(rows.draft.text(&slot))?;
    // A code of its own is that of a product.
    let is_code = |text: &str| {
        text.contains(char::is_alphanumeric) && !is_no_value(Id::Sku.field(), text) && no_product(text).is_none()
    };
    if sku.is_some_and(|sku| is_code(rows.draft.text(sku))) {
        return None;
    }
    let price = of(Id::Price);
    let text = price.map_or("", |slot| rows.draft.text(slot));
    let plain = text.trim_start_matches(['-', '−', '(', ' ']).trim_end_matches(')');
    let amount = price.and_then(|slot| rows.readings_of(slot, plain).first().copied());
    Some(NoGoods { slot, kind, amount, is_less: plain.len() < text.len() })
}

/// Says once of an order that such a line, which a person lets go, is sent as a product.
pub(super) fn say_sent_as_product(reader: &mut Reader<'_>, own: &NoGoods) {
    let is_said = |doubt: &Doubt| doubt.finding.rule() == Some(RuleId::AmountAsProduct);
    if reader.doubts.iter().any(is_said) {
        return;
    }
    let as_it_is = missing_product::sent_as_product();
    let said = missing_product::amount_as_product(named(&reader.rows, own), meaning(own.kind), as_it_is);
    reader.say(said.found(reader.rows.text(&own.slot)), own.slot.id, Spot::of(&own.slot));
}

/// Holds an order back that has lines which name no product; gives whether it has any.
pub(super) fn say_no_goods(reader: &mut Reader<'_>, order: &Order, rows: &[NoGoods]) -> bool {
    let Some(first) = rows.first().copied() else { return false };
    let way = if rows.len() == reader.rows.draft.lines.len() {
        missing_product::no_other_line()
    } else {
        instead(&reader.rows, order, rows)
    };
    let held = if rows.len() == 1 {
        missing_product::amount_as_product(named(&reader.rows, &first), meaning(first.kind), way)
    } else {
        missing_product::amounts_as_products(rows.iter().map(|own| named(&reader.rows, own)).collect(), way)
    };
    reader.say(held.found(reader.rows.draft.text(&first.slot)), first.slot.id, Spot::of(&first.slot));
    true
}

fn named(rows: &Rows<'_>, own: &NoGoods) -> Finding {
    missing_product::row_of_amount(rows.draft.text(&own.slot), own.amount.map(shown))
}

/// What to do with such lines.
fn instead(context: &Rows<'_>, order: &Order, rows: &[NoGoods]) -> Finding {
    let is_own = |own: &&NoGoods| {
        let in_row = context.draft.lines.iter().filter(|line| line.at == own.slot.at).count();
        in_row == rows.iter().filter(|other| other.slot.at == own.slot.at).count()
    };
    let (alone, beside): (Vec<&NoGoods>, Vec<&NoGoods>) = rows.iter().partition(is_own);
    let names = |rows: &[&NoGoods]| rows.iter().map(|own| context.draft.text(&own.slot).to_owned()).collect();
    let mut steps = match alone.len() {
        0 => Vec::new(),
        1 => vec![missing_product::delete_row()],
        _ => vec![missing_product::delete_rows(names(&alone))],
    };
    if !beside.is_empty() {
        steps.push(missing_product::empty_cells(names(&beside)));
    }
    let collected = order.order_type == "COD";
    let moved = moved(rows, collected);
    let amounts = written(context, order, &moved, rows);
    if !amounts.is_empty() {
        steps.push(missing_product::write_on_another(amounts));
    }
    let with_tax = (!moved.tax.is_zero()).then(|| shown(order.other_charges + moved.charges + moved.tax));
    // Deleted, a sum can no longer tell that something else is wrong.
    let total = order.total() + moved.shipping + moved.charges - moved.discount;
    let fits = |amount: Decimal| {
        let products = order.sub_total;
        [total, products, total + moved.tax, order.total(), total + moved.discount].contains(&amount)
    };
    let is_sum = |own: &&NoGoods| matches!(own.kind, NoProduct::Total | NoProduct::Due);
    let odd = rows.iter().filter(is_sum).find(|own| own.amount.is_some_and(|amount| !fits(amount)));
    let odd = odd.map(|odd| named(context, odd));
    missing_product::instead(odd, shown(total), steps, with_tax, column_for(context, Id::OtherCharges))
}

/// Where the amounts of such lines are to be written, all that the order has of the kind together.
fn written(context: &Rows<'_>, order: &Order, moved: &Moved, rows: &[NoGoods]) -> Vec<Finding> {
    let into = |id: Id, before: Decimal, more: Decimal| {
        (!more.is_zero()).then(|| missing_product::amount_into(shown(before + more), column_for(context, id)))
    };
    let mut written: Vec<Finding> = [
        into(Id::ShippingCharges, order.shipping_charges, moved.shipping),
        into(Id::OtherCharges, order.other_charges, moved.charges),
        into(Id::Discount, order.discount, moved.discount),
    ]
    .into_iter()
    .flatten()
    .collect();
    let total = order.total() + moved.shipping + moved.charges - moved.discount;
    if moved.is_part_paid && moved.tax.is_zero() {
        written.push(missing_product::amount_into(shown(total), "COD Amount"));
    }
    let adds = |own: &NoGoods| !matches!(own.kind, NoProduct::Total | NoProduct::Due);
    if rows.iter().any(|own| adds(own) && own.amount.is_none()) {
        written.push(missing_product::each_into(
            column_for(context, Id::ShippingCharges),
            column_for(context, Id::OtherCharges),
            column_for(context, Id::Discount),
        ));
    }
    written
}

fn column_for<'a>(rows: &Rows<'a>, id: Id) -> &'a str {
    rows.sheets.of(rows.first.sheet()).header_of(id)
}

fn moved(rows: &[NoGoods], collected: bool) -> Moved {
    let mut moved = Moved::default();
    for own in rows {
        let amount = own.amount.unwrap_or_default();
        match own.kind {
            NoProduct::Total | NoProduct::Due => {}
            NoProduct::Paid => {
                // Of what is paid as a whole nothing is taken off for a part.
                if collected {
                    moved.discount += amount;
                    moved.is_part_paid = !amount.is_zero();
                }
            }
            NoProduct::Off => moved.discount += amount,
            _ if own.is_less => moved.discount += amount,
            NoProduct::Shipping => moved.shipping += amount,
            NoProduct::Charge | NoProduct::Rounding => moved.charges += amount,
            NoProduct::Tax => moved.tax += amount,
        }
    }
    moved
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
