//! How a total that is another one than the order's is told, and what the difference most likely comes from.

use std::fmt::Write as _;

use rust_decimal::Decimal;

use crate::field::{AmountRole, Id, TotalOf};
use crate::problem::{Code, Problem};
use crate::text::{list, passing_over};

use super::amounts::{Equals, Given, rounding_of, same};
use super::build::{Reader, Spot};
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
        let what = match total.role {
            AmountRole::Collect | AmountRole::Open => "is to be collected".to_owned(),
            AmountRole::Total => format!("is its \"{}\"", self.header(total)),
            _ => "is the order's total".to_owned(),
        };
        let message = format!(
            "the sheet says that {} {what}, but what would be sent comes to {} ({})",
            shown(total.amount),
            shown(order.total()),
            sums(order)
        );
        let collects = matches!(total.role, AmountRole::Collect | AmountRole::Open);
        let hint = if collected && collects && total.amount.is_zero() {
            "if it is paid already, make its payment PREPAID; otherwise write what is to be collected".to_owned()
        } else if total.equals == Equals::Products && difference != Decimal::ZERO {
            self.of_products(order, total)
        } else {
            let cause = self.cause(order, difference, beside, taxed);
            let part = if collected && collects { self.if_paid_in_part(order, difference) } else { String::new() };
            // Passed over, it would be collected less than the order comes to by its own name, and without a word.
            let is_less = collected && difference > Decimal::ZERO && total.named == TotalOf::Order;
            let way_out = if is_less { String::new() } else { self.way_out(total) };
            format!("{cause}{part}{way_out}")
        };
        let problem = if holds {
            Problem::error(Code::TotalDiffers, message)
        } else {
            Problem::warning(Code::TotalDiffers, message)
        };
        let found = self.draft.text(&total.slot).to_owned();
        self.say(problem.found(found).hint(hint), Id::SubTotal, Spot::of(&total.slot));
    }

    /// What to do where a total is what the products come to, and something is added to them or taken off.
    fn of_products(&self, order: &Order, total: &Given) -> String {
        let layout = self.layouts.of(total.slot.at.sheet);
        let by_lines = order.lines.iter().any(|line| !line.discount.is_zero());
        let own = if by_lines && layout.column(Id::Discount).is_none() { Id::LineDiscount } else { Id::Discount };
        let parts = [
            ("discount", own, order.discount),
            ("shipping", Id::ShippingCharges, order.shipping_charges),
            ("other charges", Id::OtherCharges, order.other_charges),
        ];
        let (mut names, mut headers) = (Vec::new(), Vec::new());
        for (name, id, amount) in parts.into_iter().filter(|(_, _, amount)| !amount.is_zero()) {
            names.push(format!("{name} of {}", shown(amount)));
            headers.push(layout.header_of(id));
        }
        let headers: Vec<String> = headers.into_iter().map(|header| format!("\"{header}\"")).collect();
        let header = self.header(total);
        format!(
            "\"{header}\" is what the products come to: if the prices have the {} in them already, empty {}; if not, \
             write {} into a column \"COD Amount\"; if \"{header}\" is always that of the products alone, give the column \
             the header \"Line Total\", or pass it over {}",
            list(&names, "and the"),
            list(&headers, "and"),
            shown(order.total()),
            passing_over(&header)
        )
    }

    /// What a difference most likely comes from, and what to do.
    fn cause(&self, order: &Order, difference: Decimal, beside: Option<Given>, taxed: bool) -> String {
        let is = |amount: Decimal, part: Decimal| !part.is_zero() && amount == part;
        if let Some(beside) = beside {
            let header = self.header(&beside);
            let base = self.layouts.of(beside.slot.at.sheet).based_on();
            return format!(
                "the difference is what \"{header}\" says: if that comes on top, send it along by a profile with {base}\
                 [columns] \"{}\" = \"{header}\"",
                Id::OtherCharges.field().path
            );
        }
        if taxed {
            return format!(
                "the difference is the tax, which the prices do not have in them: write the prices with it and yes as \
                 \"{}\", or the tax as \"{}\"",
                Id::TaxesIncluded.field().header,
                Id::OtherCharges.field().header
            );
        }
        if is(difference, order.discount) {
            return format!(
                "the difference is the discount of {}: if the prices have it taken off already, leave the discount empty",
                shown(order.discount)
            );
        }
        if let Some((name, charge)) = [("shipping", order.shipping_charges), ("other", order.other_charges)]
            .into_iter()
            .find(|(_, charge)| is(-difference, *charge))
        {
            return format!(
                "the difference is the {name} charges of {}: if the prices or the total have them in already, leave \
                 them empty",
                shown(charge)
            );
        }
        if self.draft.lines_left_out > 0 {
            let rest = "products of this order are left out: make the total that of the rest";
            if difference <= Decimal::ZERO {
                return rest.to_owned();
            }
            return format!(
                "{rest} if they are sent and paid already; if they are a fee that is still to be paid, write {} into a column \
                 \"{}\"",
                shown(order.other_charges + difference),
                Id::OtherCharges.field().header
            );
        }
        "correct prices, quantities, charges, discount or the total, so that they agree".to_owned()
    }

    /// What to do where less is to be collected because a part is paid.
    fn if_paid_in_part(&self, order: &Order, difference: Decimal) -> String {
        if difference >= Decimal::ZERO {
            return String::new();
        }
        let layout = self.layouts.of(self.first.sheet());
        let discount = layout.header_of(Id::Discount);
        format!(
            "; if {} is paid already, write {} into a column \"{discount}\" and leave this cell as it is",
            shown(-difference),
            shown(order.discount - difference)
        )
    }

    /// The header of an amount.
    pub(super) fn header(&self, given: &Given) -> String {
        self.place(Spot::of(&given.slot)).column.map_or_else(String::new, |column| column.header)
    }

    /// What to do where an amount is none of the order's at all, though its header speaks of money.
    pub(super) fn way_out(&self, given: &Given) -> String {
        if !given.by_header {
            return String::new();
        }
        format!("; if it means something else, pass the column over {}", passing_over(&self.header(given)))
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

/// What an order's total is made of.
fn sums(order: &Order) -> String {
    let parts = [
        ("+ shipping", order.shipping_charges),
        ("+ other charges", order.other_charges),
        ("− discount", order.discount),
    ];
    let mut text = format!("products {}", shown(order.sub_total));
    for (name, amount) in parts.into_iter().filter(|(_, amount)| !amount.is_zero()) {
        // Writing into text cannot fail.
        let _ = write!(text, " {name} {}", shown(amount));
    }
    text
}
