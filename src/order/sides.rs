//! Products side by side: what stands once beside several of them is that of each only where nothing else can be meant.

use rust_decimal::Decimal;

use crate::field::{AmountRole, Id};
use crate::problem::{Code, Problem};
use crate::text::list;

use super::amounts::{Given, rounding_of};
use super::beside::tax_on_top_of;
use super::build::{Reader, Spot};
use super::differ::shown;
use super::draft::Slot;
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
                let message = format!(
                    "\"{}\" is taken for all {} products of this row together, by the total of the sheet: one piece of each \
                     is sent",
                    self.layouts.of(single.slot.at.sheet).header(single.slot.column),
                    single.products
                );
                let hint = format!("to be rid of this notice, {}", self.own_columns(&singles));
                let found = self.draft.text(&single.slot).to_owned();
                let problem = Problem::warning(Code::MissingColumn, message).found(found).hint(hint);
                self.say(problem, Id::Quantity, Spot::of(&single.slot));
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
                let fed = self.layouts.of(draft.at.sheet).products().get(usize::from(draft.product));
                let is_single = fed.is_some_and(|fed| fed.iter().any(|fed| fed.id == id && fed.shared));
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
        if has(Id::Quantity) && self.draft.lines.iter().any(|line| self.layouts.of(line.at.sheet).line_total()) {
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
        let in_row: Vec<String> = singles
            .iter()
            .filter(|own| own.slot.at == first.slot.at)
            .map(|own| format!("\"{}\" ({})", self.header_of(own), self.draft.text(&own.slot)))
            .collect();
        let stand = if in_row.len() == 1 { "stands" } else { "stand" };
        let message = format!(
            "{} {stand} once beside {} products of this row: nobody can tell whether that is meant for each of them, for the \
             first one or for all together; for each, the order would come to {}, and no total of the sheet says so",
            list(&in_row, "and"),
            first.products,
            shown(order.total())
        );
        let hint = format!("{}; what is meant for each product is to be repeated there", self.own_columns(singles));
        let found = self.draft.text(&first.slot).to_owned();
        let problem = Problem::error(Code::MissingColumn, message).found(found).hint(hint);
        self.say(problem, first.slot.id, Spot::of(&first.slot));
    }

    /// What to do so that each product has what it needs, in complete words.
    fn own_columns(&self, singles: &[Single]) -> String {
        let layout = self.layouts.of(singles[0].slot.at.sheet);
        let last = layout.products().len();
        let ids = IN_DOUBT.into_iter().filter(|id| singles.iter().any(|own| own.slot.id == *id));
        let (mut fields, mut columns, mut first) = (Vec::new(), Vec::new(), Vec::new());
        for id in ids {
            let name = id.field().header;
            fields.push(match id {
                Id::Quantity => "a quantity",
                Id::Price => "a price",
                _ => "a discount",
            });
            columns.push(if last > 2 { format!("\"{name} 2\" to \"{name} {last}\"") } else { format!("\"{name} 2\"") });
            first.push(format!("\"{}\"", layout.header_of(id)));
        }
        let (columns_word, are) = (
            if columns.len() + last > 3 { "columns" } else { "column" },
            if first.len() > 1 { "are those" } else { "is that" },
        );
        format!(
            "give each product {} of its own: add the {columns_word} {} and fill in what belongs to \
             the further products; {} {are} of the first product then",
            list(&fields, "and"),
            list(&columns, "and"),
            list(&first, "and")
        )
    }

    fn header_of(&self, own: &Single) -> &str {
        self.layouts.of(own.slot.at.sheet).header(own.slot.column)
    }
}
