//! Products side by side: what stands once beside several of them is that of each only where nothing else can be meant.

use rust_decimal::Decimal;

use crate::field::{AmountRole, Id};
use crate::finding::Finding;
use crate::finding::column::missing_column;

use super::amounts::{Given, rounding_of};
use super::beside::tax_on_top_of;
use super::differ::shown;
use super::draft::Slot;
use super::reader::{Reader, Spot};
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

impl Reader<'_> {
    /// Settles what a quantity, a price or a discount that stands once beside several products of a row is meant for, by the
    /// sheet's own sums. Gives whether nothing settles it: the order is held back then.
    pub(super) fn settle_singles(&mut self, order: &mut Order) -> bool {
        let singles = self.singles(order);
        if singles.is_empty() {
            return false;
        }
        let told = self.problems.len();
        let given = self.given(order);
        // What cannot be read of them is told when all of the order is compared.
        self.problems.truncate(told);
        let of_each = self.is_confirmed(order, &given, &singles);
        let of_all = self.pieces_in_all(order, &singles).filter(|other| self.is_confirmed(other, &given, &singles));
        match of_all {
            None if of_each => false,
            Some(other) if !of_each => {
                *order = other;
                let single = singles[0];
                let own = self.own_columns(&singles);
                let notice = missing_column::once_for_all(self.header_of(&single), single.products, own);
                self.say(notice.found(self.draft.text(&single.slot)), Id::Quantity, Spot::of(&single.slot));
                false
            }
            _ => {
                self.say_singles(order, &singles);
                true
            }
        }
    }

    /// The cells that stand once beside several products of their row, in the order of the fields; no quantity of one piece.
    fn singles(&self, order: &Order) -> Vec<Single> {
        let drafts = &self.draft.lines;
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
                let fed = self.sheets.of(draft.at.sheet).products().get(usize::from(draft.product));
                let is_single = fed.is_some_and(|fed| fed.iter().any(|fed| fed.id() == id && fed.shared));
                let value = match id {
                    Id::Quantity => line.quantity,
                    Id::Price => line.price,
                    _ => line.discount,
                };
                let is_clear = value.is_zero() || (id == Id::Quantity && value == Decimal::ONE);
                let slot = self.draft.cells_of(draft).iter().find(|slot| slot.id == id).copied();
                if let Some(slot) = slot.filter(|_| products > 1 && is_single && !is_clear) {
                    singles.push(Single { slot, value, products });
                }
            }
        }
        singles
    }

    /// The order with one piece of each product, where just a count stands once and is that of the products of its row.
    fn pieces_in_all(&self, order: &Order, singles: &[Single]) -> Option<Order> {
        let is_count = |own: &Single| own.slot.id == Id::Quantity && own.value == Decimal::from(own.products);
        if !singles.iter().all(is_count) {
            return None;
        }
        let mut other = order.clone();
        for (draft, line) in self.draft.lines.iter().zip(&mut other.lines) {
            if singles.iter().any(|own| own.slot.at == draft.at) {
                line.quantity = Decimal::ONE;
            }
        }
        if !self.is_given(Id::SubTotal) {
            other.sub_total = other.lines.iter().map(|line| line.price * line.quantity).sum();
        }
        Some(other)
    }

    /// Whether a sum of the sheet is what the order comes to, with or without its charges.
    fn is_confirmed(&self, order: &Order, given: &[Given], singles: &[Single]) -> bool {
        let has = |id: Id| singles.iter().any(|own| own.slot.id == id);
        // Of what all pieces of a product come to, no sum says how many those are.
        if has(Id::Quantity) && self.draft.lines.iter().any(|line| self.sheets.of(line.at.sheet).line_total()) {
            return false;
        }
        let gross: Decimal = order.lines.iter().map(|line| line.price * line.quantity).sum();
        let gross = gross + self.left_over;
        let less: Decimal = order.lines.iter().map(|line| line.discount).sum();
        let charges = order.shipping_charges + order.other_charges - order.discount;
        let tax = tax_on_top_of(order, less).unwrap_or_default();
        let rounding = rounding_of(order);
        let is = |sum: Decimal| {
            let telling = |own: &&Given| match own.role {
                AmountRole::Collect | AmountRole::Open => order.order_type == "COD",
                AmountRole::Order | AmountRole::Total => true,
                _ => false,
            };
            given.iter().filter(telling).any(|own| !own.is_word && own.is(sum, rounding))
                || (self.is_given(Id::SubTotal) && order.sub_total == sum)
        };
        // Where the discount is in doubt, a sum without it says nothing.
        let offs = if has(Id::LineDiscount) { vec![less] } else { vec![Decimal::ZERO, less] };
        let rest = [Decimal::ZERO, charges, tax, charges + tax];
        offs.iter().any(|off| rest.iter().any(|more| is(gross - off + more)))
    }

    fn say_singles(&mut self, order: &Order, singles: &[Single]) {
        let first = singles[0];
        let cell = |own: &Single| missing_column::cell(self.header_of(own), self.draft.text(&own.slot));
        let in_row: Vec<Finding> = singles.iter().filter(|own| own.slot.at == first.slot.at).map(cell).collect();
        let (total, own) = (shown(order.total()), self.own_columns(singles));
        let held = missing_column::once_for_which(in_row, first.products, total, own);
        self.say(held.found(self.draft.text(&first.slot)), first.slot.id, Spot::of(&first.slot));
    }

    /// What to do so that each product has what it needs.
    fn own_columns(&self, singles: &[Single]) -> Finding {
        let columns = self.sheets.of(singles[0].slot.at.sheet);
        let last = columns.products().len();
        let ids = IN_DOUBT.into_iter().filter(|id| singles.iter().any(|own| own.slot.id == *id));
        let (mut fields, mut numbered, mut headers) = (Vec::new(), Vec::new(), Vec::new());
        for id in ids {
            fields.push(match id {
                Id::Quantity => missing_column::a_quantity(),
                Id::Price => missing_column::a_price(),
                _ => missing_column::a_discount(),
            });
            numbered.push(missing_column::numbered(id.field().header, Some(last).filter(|last| *last > 2)));
            headers.push(columns.header_of(id).to_owned());
        }
        let is_several = numbered.len() + last > 3;
        missing_column::own_columns(fields, numbered, is_several, headers)
    }

    fn header_of(&self, own: &Single) -> &str {
        self.sheets.of(own.slot.at.sheet).header(own.slot.column)
    }
}
