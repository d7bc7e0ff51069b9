//! How a total that is another one than the order's is told, and what the difference most likely comes from.

use rust_decimal::Decimal;

use crate::field::{AmountRole, Id, TotalOf};
use crate::finding::money::total_differs;
use crate::finding::{Finding, Remedy};

use super::amounts::{Equals, Given, rounding_of, same};
use super::reader::{Reader, Spot};
use super::types::Order;

impl Reader<'_> {
    /// Says that a total of the sheet is another one than the order's.
    pub(super) fn say_total(&mut self, order: &Order, total: &Given, given: &[Given], tax: Decimal, holds: bool) {
        let collected = order.order_type == "COD";
        let rounding = rounding_of(order);
        let difference = total.amount - order.total();
        let beside = |given: &&Given| given.is_beside() && given.is(difference, rounding);
        let beside = given.iter().find(beside).copied();
        let taxed = !tax.is_zero() && same(difference, tax, rounding);
        // A tax on top, or what is shipped already, changes what a prepaid order is worth and nothing else.
        if !collected && (beside.is_some() || taxed || self.draft.lines_left_out > 0) {
            return;
        }
        let collects = total.is_due();
        let is_paid = collected && collects && total.amount.is_zero();
        let of_products = !is_paid && total.equals == Equals::Products && difference != Decimal::ZERO;
        let (way, way_out) = if is_paid {
            (total_differs::paid_already(), None)
        } else if of_products {
            (self.of_products(order, total), Some(Remedy::ignore(self.header(total))))
        } else {
            let cause = self.cause(order, difference, beside, taxed);
            let in_part = collected && collects && difference < Decimal::ZERO;
            let way = if in_part { self.or_paid_in_part(cause, order, difference) } else { cause };
            // Passed over, it would be collected less than the order comes to by its own name, and without a word.
            let is_less = collected && difference > Decimal::ZERO && total.named == TotalOf::Order;
            (way, self.way_out(total).filter(|_| !is_less))
        };
        let given = shown(total.amount);
        let role = role_of(total, &self.header(total));
        let found = total_differs::other_total(given, role, shown(order.total()), sums(order), way, of_products);
        let found = if holds { found.hold() } else { found.warn() }.remedies(way_out);
        self.say(found.found(self.draft.text(&total.slot)), Id::SubTotal, Spot::of(&total.slot));
    }

    /// What to do where a total is what the products come to, and something is added to them or taken off.
    fn of_products(&self, order: &Order, total: &Given) -> Finding {
        let columns = self.sheets.of(total.slot.at.sheet);
        let by_lines = order.lines.iter().any(|line| !line.discount.is_zero());
        let own = if by_lines && columns.column(Id::Discount).is_none() { Id::LineDiscount } else { Id::Discount };
        let amounts = [
            (own, order.discount, total_differs::discount_of(shown(order.discount))),
            (Id::ShippingCharges, order.shipping_charges, total_differs::shipping_of(shown(order.shipping_charges))),
            (Id::OtherCharges, order.other_charges, total_differs::charges_of(shown(order.other_charges))),
        ];
        let added = amounts.into_iter().filter(|(_, amount, _)| !amount.is_zero());
        let (headers, parts) = added.map(|(id, _, part)| (columns.header_of(id).to_owned(), part)).unzip();
        total_differs::is_of_products(&self.header(total), parts, headers, shown(order.total()))
    }

    /// What a difference most likely comes from, and what to do.
    fn cause(&self, order: &Order, difference: Decimal, beside: Option<Given>, taxed: bool) -> Finding {
        let is = |amount: Decimal, part: Decimal| !part.is_zero() && amount == part;
        let charges = Id::OtherCharges.field();
        if let Some(beside) = beside {
            let base = self.sheets.of(beside.slot.at.sheet).based_on();
            return total_differs::is_of_column(&self.header(&beside), base, charges.path);
        }
        if taxed {
            return total_differs::is_tax(Id::TaxesIncluded.field().header, charges.header);
        }
        if is(difference, order.discount) {
            return total_differs::is_discount(shown(order.discount));
        }
        if is(-difference, order.shipping_charges) {
            return total_differs::is_shipping(shown(order.shipping_charges));
        }
        if is(-difference, order.other_charges) {
            return total_differs::is_charges(shown(order.other_charges));
        }
        if self.draft.lines_left_out > 0 {
            let fee = (difference > Decimal::ZERO).then(|| shown(order.other_charges + difference));
            return total_differs::is_left_out(fee, charges.header);
        }
        total_differs::unknown()
    }

    /// What to do where less is to be collected, perhaps because a part is paid.
    fn or_paid_in_part(&self, cause: Finding, order: &Order, difference: Decimal) -> Finding {
        let discount = self.sheets.of(self.first.sheet()).header_of(Id::Discount);
        total_differs::or_paid_in_part(cause, shown(-difference), shown(order.discount - difference), discount)
    }

    /// The header of an amount.
    pub(super) fn header(&self, given: &Given) -> String {
        self.place(Spot::of(&given.slot)).column.map_or_else(String::new, |column| column.header)
    }

    /// What to do where an amount is none of the order's at all, though its header speaks of money.
    pub(super) fn way_out(&self, given: &Given) -> Option<Remedy> {
        given.by_header.then(|| Remedy::ignore(self.header(given)))
    }
}

/// An amount as people write it.
pub(super) fn shown(amount: Decimal) -> Decimal {
    let mut amount = amount.normalize();
    if amount.scale() < 2 {
        amount.rescale(2);
    }
    amount
}

/// What a sheet says that a total is.
fn role_of(total: &Given, header: &str) -> Finding {
    match total.role {
        AmountRole::Collect | AmountRole::Open => total_differs::is_collected(),
        AmountRole::Total => total_differs::is_its(header),
        _ => total_differs::is_total(),
    }
}

/// What an order's total is made of.
fn sums(order: &Order) -> Finding {
    let part = |amount: Decimal| Some(amount).filter(|amount| !amount.is_zero()).map(shown);
    total_differs::sums(
        shown(order.sub_total),
        part(order.shipping_charges),
        part(order.other_charges),
        part(order.discount),
    )
}
