//! Rows of an order that name no product: its total, a discount, an advance, a charge.

use rust_decimal::Decimal;

use crate::check::is_no_value;
use crate::field::{Id, NoProduct, no_product};
use crate::problem::{Code, Problem};
use crate::text::list;

use super::build::{Reader, Spot};
use super::differ::shown;
use super::draft::{LineDraft, Slot};
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
        let named: Vec<String> = rows.iter().map(|own| self.named(own)).collect();
        let message = if rows.len() == 1 {
            format!(
                "{} is no product but {}: as a product it would be added to the order",
                named[0],
                meaning(first.kind)
            )
        } else {
            format!(
                "{} are no products but amounts of the order: as products they would be added to it",
                list(&named, "and")
            )
        };
        let hint = if rows.len() == self.draft.lines.len() {
            "this order has no other line: write the product's full name, or add the row of its product and delete this one"
                .to_owned()
        } else {
            format!("{}; if it is a product all the same, write its full name", self.instead(order, rows))
        };
        let found = self.draft.text(&first.slot).to_owned();
        let problem = Problem::error(Code::MissingProduct, message).found(found).hint(hint);
        self.say(problem, first.slot.id, Spot::of(&first.slot));
        true
    }

    fn named(&self, own: &NoGoods) -> String {
        let name = self.draft.text(&own.slot);
        own.amount.map_or_else(|| format!("\"{name}\""), |amount| format!("\"{name}\" ({})", shown(amount)))
    }

    /// What to do with such lines, in complete words.
    fn instead(&self, order: &Order, rows: &[NoGoods]) -> String {
        let is_own = |own: &&NoGoods| {
            let in_row = self.draft.lines.iter().filter(|line| line.at == own.slot.at).count();
            in_row == rows.iter().filter(|other| other.slot.at == own.slot.at).count()
        };
        let (alone, beside): (Vec<&NoGoods>, Vec<&NoGoods>) = rows.iter().partition(is_own);
        let mut steps = Vec::new();
        match alone.len() {
            0 => {}
            1 => steps.push("delete this row".to_owned()),
            _ => {
                let names: Vec<String> =
                    alone.iter().map(|own| format!("\"{}\"", self.draft.text(&own.slot))).collect();
                steps.push(format!("delete the order's rows of {}", list(&names, "and")));
            }
        }
        if !beside.is_empty() {
            let names: Vec<String> = beside.iter().map(|own| format!("\"{}\"", self.draft.text(&own.slot))).collect();
            steps.push(format!("empty the cells of {} and of its amount", list(&names, "and")));
        }
        let collected = order.order_type == "COD";
        let moved = moved(rows, collected);
        steps.extend(self.written(order, &moved, rows));
        let mut told = steps.join(", ");
        if !moved.tax.is_zero() {
            told = format!(
                "{told}; only if the tax comes on top of the prices, write {} into a column \"{}\"",
                shown(order.other_charges + moved.charges + moved.tax),
                self.column_for(Id::OtherCharges)
            );
        }
        // Deleted, a sum can no longer tell that something else is wrong.
        let total = order.total() + moved.shipping + moved.charges - moved.discount;
        let fits = |amount: Decimal| {
            let products = order.sub_total;
            [total, products, total + moved.tax, order.total(), total + moved.discount].contains(&amount)
        };
        let is_sum = |own: &&NoGoods| matches!(own.kind, NoProduct::Total | NoProduct::Due);
        let other = rows.iter().filter(is_sum).find(|own| own.amount.is_some_and(|amount| !fits(amount)));
        if let Some(other) = other {
            told = format!(
                "first see why {} is not the {} that the order would come to without such rows; then {told}",
                self.named(other),
                shown(total)
            );
        }
        told
    }

    /// Where the amounts of such lines are to be written, all that the order has of the kind together.
    fn written(&self, order: &Order, moved: &Moved, rows: &[NoGoods]) -> Vec<String> {
        let into = |id: Id, before: Decimal, more: Decimal| {
            (!more.is_zero()).then(|| format!("{} into a column \"{}\"", shown(before + more), self.column_for(id)))
        };
        let mut written: Vec<String> = [
            into(Id::ShippingCharges, order.shipping_charges, moved.shipping),
            into(Id::OtherCharges, order.other_charges, moved.charges),
            into(Id::Discount, order.discount, moved.discount),
        ]
        .into_iter()
        .flatten()
        .collect();
        let total = order.total() + moved.shipping + moved.charges - moved.discount;
        if moved.is_part_paid && moved.tax.is_zero() {
            written.push(format!("{} into a column \"COD Amount\"", shown(total)));
        }
        let adds = |own: &NoGoods| !matches!(own.kind, NoProduct::Total | NoProduct::Due);
        if rows.iter().any(|own| adds(own) && own.amount.is_none()) {
            written.push(format!(
                "each amount into the column of its kind (\"{}\", \"{}\", \"{}\")",
                self.column_for(Id::ShippingCharges),
                self.column_for(Id::OtherCharges),
                self.column_for(Id::Discount)
            ));
        }
        if written.is_empty() {
            return Vec::new();
        }
        vec![format!("write {} on another row of the order", list(&written, "and"))]
    }

    fn column_for(&self, id: Id) -> &str {
        self.layouts.of(self.first.sheet()).header_of(id)
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

const fn meaning(kind: NoProduct) -> &'static str {
    match kind {
        NoProduct::Total => "what the order comes to",
        NoProduct::Due => "what is still to be paid",
        NoProduct::Paid => "what is paid already",
        NoProduct::Off => "what is taken off",
        NoProduct::Shipping => "what is paid for shipping",
        NoProduct::Charge => "a charge",
        NoProduct::Tax => "a tax",
        NoProduct::Rounding => "what is rounded off",
    }
}
