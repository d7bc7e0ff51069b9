//! The sheet's own totals against what an order comes to: nobody is asked for the wrong amount at the door.

use rust_decimal::Decimal;

use crate::column::Trait;
use crate::field::{AmountRole, Id, TotalOf};
use crate::finding::Finding;
use crate::finding::money::{partly_paid, subtotal_differs, total_differs};
use crate::finding::order::rows_twice;

use super::amounts::{Equals, Given, has_two, rounding_of, same};
use super::beside::Agreed;
use super::differ::shown;
use super::reader::{Reader, Spot};
use super::reduced::{take_each, take_rows};
use super::sums::Sums;
use super::types::Order;

impl Reader<'_> {
    /// Compares the order with what its sheet says it comes to, and takes the products' own discounts off.
    ///
    /// What is collected at the door must be what the sheet says; of a prepaid order only the worth would be wrong.
    pub(super) fn check_totals(&mut self, order: &mut Order) {
        let collected = order.order_type == "COD";
        let mut sums = Sums::of(order, self.left_over);
        let given = self.given(order);
        let rounding = rounding_of(order);
        let of = |role: AmountRole| given.iter().filter(move |given| given.role == role && !given.is_word);
        // What is to be collected of a prepaid order is nothing, whatever it is worth.
        let compared: Vec<Given> = of(AmountRole::Collect)
            .chain(of(AmountRole::Open))
            .filter(|_| collected)
            .chain(of(AmountRole::Order))
            .chain(of(AmountRole::Total))
            .copied()
            .collect();
        // What a person lets go is compared all the same.
        let is_told = self.take_percent(order, &compared) || self.has_pasted(order, &compared);
        if is_told && self.has_failed() {
            return;
        }
        self.leave_discount(order, &mut sums, &compared);
        take_each(order, &compared);
        let unsure = take_off(order, &sums, &compared);
        let carried = self.carry(order, &given, &compared, sums.discounts);
        take_rows(order, self.draft.rows.len(), &compared);
        let total = order.total();
        let agreed = compared.iter().any(|given| given.is(total, rounding));
        let confirmed = compared.iter().any(|given| given.confirms(total, rounding));
        self.due_agrees = compared.iter().any(|given| given.is_due() && given.is(total, rounding));
        self.check_sub_total(order, &sums, confirmed);
        let is_told = collected && self.paid_in_part(&given, order, &compared, sums.tax) && self.has_failed();
        if is_told || (collected && self.has_receipt() && self.has_failed()) {
            return;
        }
        if !collected {
            self.check_wanted(order, &given);
        }
        // Where charges or a discount change the sum and only the products' is confirmed, the prices may have them in.
        let fits = |given: &&Given| {
            let of_products = || !collected || agreed || given.named == TotalOf::Products;
            // Nothing is payable for what is paid.
            given.is(total, rounding)
                || (!collected && given.role == AmountRole::Order && given.amount.is_zero())
                // A part payment that is taken off is in the order's discount, and not in the total of the sheet.
                || (collected && self.due_agrees && !given.is_due() && given.is(total + order.discount, rounding))
                || match given.equals {
                    Equals::Other => false,
                    Equals::Products => of_products(),
                    Equals::Rows => true,
                }
        };
        let (sure, unsure_ones): (Vec<&Given>, Vec<&Given>) =
            compared.iter().filter(|given| !fits(given)).partition(|given| given.named == TotalOf::Order);
        if let Some(other) = sure.first() {
            // Beside what is to be collected, a total says no more than what the order is worth.
            let is_worth = self.due_agrees && other.role != AmountRole::Collect;
            self.say_total(order, other, &given, sums.tax, collected && !is_worth);
        } else if let Some(other) = unsure_ones.first() {
            self.say_total(order, other, &given, sums.tax, collected && !confirmed);
        } else if carried || self.say_received(order, &given, sums.discounts) {
            // All of it is told, or sent.
        } else if confirmed {
            self.say_sold(order, &given, &sums, &compared);
        } else if !self.say_beside(order, &given, &sums, if agreed { Agreed::Unclear } else { Agreed::Nothing })
            && collected
        {
            self.say_tax(order, &sums);
            if !agreed {
                self.say_off_list(order);
            }
            if let Some(own) = unsure.filter(|_| !agreed) {
                self.say_discounts(order, &sums, own);
            }
            if !agreed {
                self.say_perhaps(order, &given);
                self.say_once(order);
            }
        }
    }

    /// Of charges and deductions that no field carries, what the products come to says nothing, whatever it is called.
    fn say_sold(&mut self, order: &Order, given: &[Given], sums: &Sums, compared: &[Given]) {
        let rounding = rounding_of(order);
        let whole = |given: &Given| given.is(order.total(), rounding) && given.equals != Equals::Products;
        if order.order_type == "COD" && !compared.iter().any(whole) {
            self.say_beside(order, given, sums, Agreed::Sold);
        }
    }

    /// Holds an order back of which one row stands there twice and has on each of them what one of them comes to, by a header
    /// of a total: the order's, and then the row was pasted, or that of each row.
    fn has_pasted(&mut self, order: &Order, compared: &[Given]) -> bool {
        let is_of_one = |own: &&Given| {
            own.by_header
                && own.equals == Equals::Rows
                && own.named != TotalOf::Products
                && own.otherwise() != own.amount
                && self.column(&own.slot).is(Trait::Total)
        };
        let Some(total) = compared.iter().find(is_of_one).copied() else { return false };
        if self.draft.rows.len() != order.lines.len() || !has_two(&order.lines, |one, other| one == other) {
            return false;
        }
        let header = self.header(&total);
        let held = rows_twice::pasted(shown(total.amount), &header);
        self.say(held.found(self.draft.text(&total.slot)), Id::SubTotal, Spot::of(&total.slot));
        true
    }

    /// A given subtotal goes out as it is; where it disagrees with the lines, both are named.
    fn check_sub_total(&mut self, order: &Order, sums: &Sums, confirmed: bool) {
        let (given, computed) = (order.sub_total, sums.gross);
        if given == computed || order.lines.is_empty() {
            return;
        }
        let rounding = rounding_of(order);
        let known = confirmed || same(given, computed, rounding) || same(given, computed - sums.discounts, rounding);
        let is_collected = order.order_type == "COD" && !known;
        let differs = if is_collected { subtotal_differs::collected } else { subtotal_differs::sent };
        self.say(differs(given, computed).found(given.to_string()), Id::SubTotal, self.spot_of(Id::SubTotal));
    }

    /// Looks for what an order that goes as paid still has to bring in.
    fn check_wanted(&mut self, order: &Order, given: &[Given]) {
        let (total, rounding) = (order.total(), rounding_of(order));
        // What is authorised is open as a whole until it is taken; of a part nobody knows how it is paid.
        let contradicts = |given: &&Given| match given.role {
            AmountRole::Collect => !given.amount.is_zero(),
            AmountRole::Open => !given.amount.is_zero() && !given.is(total, rounding),
            _ => false,
        };
        match given.iter().find(contradicts) {
            Some(wanted) => self.say_wanted(order, wanted),
            None => self.check_paid_amounts(given, order),
        }
    }

    /// Says of an order that goes as paid that its sheet wants money for it.
    fn say_wanted(&mut self, order: &Order, wanted: &Given) {
        // Of a payment that is missing or wrong there is an error of its own.
        if order.order_type.is_empty() {
            return;
        }
        let header = self.header(wanted);
        let text = self.draft.text(&wanted.slot).to_owned();
        let what = if wanted.is_word { text.clone() } else { shown(wanted.amount).to_string() };
        let held = total_differs::wanted(&header, &what, &order.order_type).remedies(self.way_out(wanted));
        self.say(held.found(text), Id::OrderType, Spot::of(&wanted.slot));
    }

    /// An order of which a part is paid: the request can only collect all of it.
    fn paid_in_part(&mut self, given: &[Given], order: &Order, compared: &[Given], tax: Decimal) -> bool {
        let paid = |given: &&Given| given.role == AmountRole::Paid && !given.amount.is_zero();
        // Beside a yes, the figure says what to do.
        let figure = given.iter().filter(paid).find(|own| !own.is_word);
        let Some(paid) = figure.or_else(|| given.iter().find(paid)).copied() else { return false };
        // It is taken off already, and what is due says so.
        if self.due_agrees && !paid.is_word && order.discount >= paid.amount {
            return false;
        }
        let found = self.draft.text(&paid.slot).to_owned();
        let columns = self.sheets.of(paid.slot.at.sheet);
        let discount = columns.header_of(Id::Discount);
        let due = order.total() - paid.amount;
        let rounding = rounding_of(order);
        let is_whole = |own: &&Given| !own.is_due() && !own.is_word;
        let other = compared.iter().filter(is_whole).find(|own| !own.is(order.total(), rounding)).copied();
        let other =
            other.filter(|_| !compared.iter().filter(is_whole).any(|own| own.confirms(order.total(), rounding)));
        // What is left of the order may be said as well.
        let is_left = |own: &&Given| own.is_due() && !own.is_word && !own.amount.is_zero();
        let left = compared.iter().find(is_left).filter(|own| !own.is(order.total(), rounding)).copied();
        let other = other.or_else(|| left.filter(|left| !paid.is_word && !left.is(due, rounding)));
        let way = if let Some(other) = other {
            // Before the whole is right, no part of it is.
            self.say_total(order, &other, given, tax, true);
            partly_paid::total_first()
        } else if paid.is_word {
            partly_paid::add_to_discount(discount)
        } else if due <= Decimal::ZERO {
            partly_paid::all_paid()
        } else {
            self.for_what_is_paid(order, &paid, given)
        };
        let spot = Spot::of(&paid.slot);
        let held = partly_paid::part_paid(&self.place(spot), shown(order.total()), way);
        self.say(held.remedies(self.way_out(&paid)).found(found), Id::OrderType, spot);
        true
    }

    /// What to do with an amount that is paid already, whatever cells speak of it, and whether or not it is taken off.
    fn for_what_is_paid(&self, order: &Order, paid: &Given, given: &[Given]) -> Finding {
        let speaks = |own: &&Given| own.role == AmountRole::Paid && own.is_word && !own.amount.is_zero();
        let empty = partly_paid::empty_this(given.iter().filter(speaks).map(|own| self.header(own)).collect());
        let part = self.for_a_part(order, order.total() - paid.amount, empty.clone());
        if order.discount.is_zero() || !same(order.discount, paid.amount, rounding_of(order)) {
            return partly_paid::no_field(part);
        }
        partly_paid::perhaps_discount(empty, shown(order.total()), part)
    }

    /// Says of an order whose prices have no tax in them that none would be collected.
    fn say_tax(&mut self, order: &Order, sums: &Sums) {
        let rounding = rounding_of(order);
        let on_top = self.tax_on_top();
        if sums.tax.is_zero() && (on_top.is_none() || !order.other_charges.is_zero())
            || !sums.tax.is_zero() && same(order.other_charges, sums.tax, rounding)
        {
            return;
        }
        let tax = (!sums.tax.is_zero()).then(|| shown(sums.tax.round_dp(2)));
        let (included, charges) = (Id::TaxesIncluded.field().header, Id::OtherCharges.field().header);
        let spot = self.line_slot(Id::TaxesIncluded).or(on_top).map_or(self.first, |slot| Spot::of(&slot));
        let held = total_differs::without_tax(shown(order.total()), tax, included, charges);
        self.say(held, Id::TaxesIncluded, spot);
    }

    /// Says that the products' own discounts are taken off, or that nobody can tell whether the order's has them in it.
    fn say_discounts(&mut self, order: &Order, sums: &Sums, own: Decimal) {
        let by_lines = shown(sums.discounts);
        let spot = self.line_slot(Id::LineDiscount).map_or(self.first, |slot| Spot::of(&slot));
        let said = if own < sums.discounts {
            total_differs::discounts_taken_off(by_lines, shown(order.total()))
        } else {
            total_differs::two_discounts(by_lines, shown(own), Id::Discount.field().header)
        };
        self.say(said, Id::LineDiscount, spot);
    }
}

/// Takes the products' own discounts off what the order comes to, where its own discount or its subtotal does not have
/// them; gives the order's own one where nothing says which it is.
fn take_off(order: &mut Order, sums: &Sums, compared: &[Given]) -> Option<Decimal> {
    let (own, by_lines) = (order.discount, sums.discounts);
    let rounding = rounding_of(order);
    let in_subtotal = order.sub_total != sums.gross && same(order.sub_total, sums.gross - by_lines, rounding);
    let taken = (own - by_lines).abs() <= rounding || in_subtotal;
    if by_lines.is_zero() || taken {
        return None;
    }
    let total = order.total();
    let mut telling = compared.iter().filter(|given| given.equals == Equals::Other).peekable();
    if telling.peek().is_some() {
        if telling.any(|given| given.is(total - by_lines, rounding)) {
            order.discount += by_lines;
        }
        return None;
    }
    // A smaller one of the order cannot have them in it.
    if own < by_lines {
        order.discount += by_lines;
    }
    Some(own)
}
