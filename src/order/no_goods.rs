//! Rows of an order that name no product: its total, a discount, an advance, a charge.

use rust_decimal::Decimal;

use crate::check::is_no_value;
use crate::field::{Id, NoProduct, no_product};
use crate::finding::Finding;
use crate::finding::money::missing_product;

use super::differ::shown;
use super::draft::{LineDraft, Slot};
use super::reader::{Reader, Spot};
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

impl Reader<'_> {
    /// What a line says of its order, if its name is a word of money and nothing else.
    pub(super) fn no_goods(&self, line: &LineDraft) -> Option<NoGoods> {
        let cells = self.draft.cells_of(line);
        let of = |id: Id| cells.iter().find(|slot| slot.id == id && !slot.condition.is_fault());
        let (name, sku) = (of(Id::ProductName), of(Id::Sku));
        let slot = *name.or(sku)?;
        let kind = no_product(self.draft.text(&slot))?;
        // A code of its own is that of a product.
        let is_code = |text: &str| {
            text.contains(char::is_alphanumeric) && !is_no_value(Id::Sku.field(), text) && no_product(text).is_none()
        };
        if sku.is_some_and(|sku| is_code(self.draft.text(sku))) {
            return None;
        }
        let price = of(Id::Price);
        let text = price.map_or("", |slot| self.draft.text(slot));
        let plain = text.trim_start_matches(['-', '−', '(', ' ']).trim_end_matches(')');
        let amount = price.and_then(|slot| self.readings_of(slot, plain).first().copied());
        Some(NoGoods { slot, kind, amount, is_less: plain.len() < text.len() })
    }

    /// Holds an order back that has lines which name no product; gives whether it has any.
    pub(super) fn say_no_goods(&mut self, order: &Order, rows: &[NoGoods]) -> bool {
        let Some(first) = rows.first().copied() else { return false };
        let way = if rows.len() == self.draft.lines.len() {
            missing_product::no_other_line()
        } else {
            self.instead(order, rows)
        };
        let held = if rows.len() == 1 {
            missing_product::amount_as_product(self.named(&first), meaning(first.kind), way)
        } else {
            missing_product::amounts_as_products(rows.iter().map(|own| self.named(own)).collect(), way)
        };
        self.say(held.found(self.draft.text(&first.slot)), first.slot.id, Spot::of(&first.slot));
        true
    }

    fn named(&self, own: &NoGoods) -> Finding {
        missing_product::row_of_amount(self.draft.text(&own.slot), own.amount.map(shown))
    }

    /// What to do with such lines.
    fn instead(&self, order: &Order, rows: &[NoGoods]) -> Finding {
        let is_own = |own: &&NoGoods| {
            let in_row = self.draft.lines.iter().filter(|line| line.at == own.slot.at).count();
            in_row == rows.iter().filter(|other| other.slot.at == own.slot.at).count()
        };
        let (alone, beside): (Vec<&NoGoods>, Vec<&NoGoods>) = rows.iter().partition(is_own);
        let names = |rows: &[&NoGoods]| rows.iter().map(|own| self.draft.text(&own.slot).to_owned()).collect();
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
        let amounts = self.written(order, &moved, rows);
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
        let odd = odd.map(|odd| self.named(odd));
        missing_product::instead(odd, shown(total), steps, with_tax, self.column_for(Id::OtherCharges))
    }

    /// Where the amounts of such lines are to be written, all that the order has of the kind together.
    fn written(&self, order: &Order, moved: &Moved, rows: &[NoGoods]) -> Vec<Finding> {
        let into = |id: Id, before: Decimal, more: Decimal| {
            (!more.is_zero()).then(|| missing_product::amount_into(shown(before + more), self.column_for(id)))
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
                self.column_for(Id::ShippingCharges),
                self.column_for(Id::OtherCharges),
                self.column_for(Id::Discount),
            ));
        }
        written
    }

    fn column_for(&self, id: Id) -> &str {
        self.sheets.of(self.first.sheet()).header_of(id)
    }
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
