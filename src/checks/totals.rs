//! The sheet's own totals against what an order comes to: nobody is asked for the wrong amount at the door.

use crate::column::Trait;
use crate::field::{AmountRole, Id, TotalOf};
use crate::finding::money::{partly_paid, subtotal_differs, total_differs};
use crate::finding::order::rows_twice;
use crate::finding::{Finding, RuleId};
use crate::order::{Equals, Given, Settled, Spot, Sums, has_two, rounding_of, same, shown, tax_on_top};
use rust_decimal::Decimal;

use super::amount_beside::{Agreed, say_beside, say_once, say_perhaps, say_received};
use super::payment::{check_paid_amounts, for_a_part, has_receipt};
use super::total_differs::{say_total, way_out};
use super::view::{Told, View};

/// Compares the order with what its sheet says it comes to.
///
/// What is collected at the door must be what the sheet says; of a prepaid order only the worth would be wrong.
pub(crate) fn check(view: &View<'_>, told: &mut Told<'_>) {
    let order = view.order;
    let Some(Settled { given, compared, sums, unsure, carried, percent_unclear, .. }) = &view.built.settled else {
        return;
    };
    let (collected, rounding) = (order.order_type == "COD", rounding_of(order));
    let is_asked = |problem: &Finding| problem.holds() && problem.rule() == Some(RuleId::SingleForSeveral);
    if told.problems.iter().any(is_asked) {
        return;
    }
    // What a person lets go is compared all the same.
    if (*percent_unclear || has_pasted(view, told, compared)) && told.has_failed() {
        return;
    }
    let total = order.total();
    let agreed = compared.iter().any(|given| given.is(total, rounding));
    let confirmed = compared.iter().any(|given| given.confirms(total, rounding));
    check_sub_total(view, told, sums, confirmed);
    let is_told = collected && paid_in_part(view, told, given, compared, sums.tax) && told.has_failed();
    if is_told || (collected && has_receipt(view, told) && told.has_failed()) {
        return;
    }
    if !collected {
        check_wanted(view, told, given);
    }
    // Where charges or a discount change the sum and only the products' is confirmed, the prices may have them in.
    let fits = |given: &&Given| {
        let of_products = || !collected || agreed || given.named == TotalOf::Products;
        // Nothing is payable for what is paid.
        given.is(total, rounding)
            || (!collected && given.role == AmountRole::Order && given.amount.is_zero())
            // A part payment that is taken off is in the order's discount, and not in the total of the sheet.
            || (collected && view.due_agrees() && !given.is_due() && given.is(total + order.discount, rounding))
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
        let is_worth = view.due_agrees() && other.role != AmountRole::Collect;
        say_total(view, told, other, given, sums.tax, collected && !is_worth);
    } else if let Some(other) = unsure_ones.first() {
        say_total(view, told, other, given, sums.tax, collected && !confirmed);
    } else if *carried || say_received(view, told, given, sums.discounts) {
        // All of it is told, or sent.
    } else if confirmed {
        say_sold(view, told, given, sums, compared);
    } else if !say_beside(view, told, given, sums, if agreed { Agreed::Unclear } else { Agreed::Nothing }) && collected
    {
        say_tax(view, told, sums);
        if !agreed {
            say_off_list(view, told);
        }
        if let Some(own) = unsure.filter(|_| !agreed) {
            say_discounts(view, told, sums, own);
        }
        if !agreed {
            say_perhaps(view, told, given);
            say_once(view, told);
        }
    }
}

/// Of charges and deductions that no field carries, what the products come to says nothing, whatever it is called.
fn say_sold(view: &View<'_>, told: &mut Told<'_>, given: &[Given], sums: &Sums, compared: &[Given]) {
    let order = view.order;
    let rounding = rounding_of(order);
    let whole = |given: &Given| given.is(order.total(), rounding) && given.equals != Equals::Products;
    if order.order_type == "COD" && !compared.iter().any(whole) {
        say_beside(view, told, given, sums, Agreed::Sold);
    }
}

/// Holds an order back of which one row stands there twice and has on each of them what one of them comes to, by a header
/// of a total: the order's, and then the row was pasted, or that of each row.
fn has_pasted(view: &View<'_>, told: &mut Told<'_>, compared: &[Given]) -> bool {
    let order = view.order;
    let is_of_one = |own: &&Given| {
        own.by_header
            && own.equals == Equals::Rows
            && own.named != TotalOf::Products
            && own.otherwise() != own.amount
            && view.rows.column(&own.slot).is(Trait::Total)
    };
    let Some(total) = compared.iter().find(is_of_one).copied() else { return false };
    if view.rows.draft.rows.len() != order.lines.len() || !has_two(&order.lines, |one, other| one == other) {
        return false;
    }
    let header = view.rows.header(&total.slot);
    let held = rows_twice::pasted(shown(total.amount), header);
    told.say(held.found(view.rows.draft.text(&total.slot)), Id::SubTotal, Spot::of(&total.slot));
    true
}

/// A given subtotal goes out as it is; where it disagrees with the lines, both are named.
fn check_sub_total(view: &View<'_>, told: &mut Told<'_>, sums: &Sums, confirmed: bool) {
    let order = view.order;
    let (given, computed) = (order.sub_total, sums.gross);
    if given == computed || order.lines.is_empty() {
        return;
    }
    let rounding = rounding_of(order);
    let known = confirmed || same(given, computed, rounding) || same(given, computed - sums.discounts, rounding);
    let is_collected = order.order_type == "COD" && !known;
    let differs = if is_collected { subtotal_differs::collected } else { subtotal_differs::sent };
    told.say(differs(given, computed).found(given.to_string()), Id::SubTotal, view.rows.spot_of(Id::SubTotal));
}

/// Looks for what an order that goes as paid still has to bring in.
fn check_wanted(view: &View<'_>, told: &mut Told<'_>, given: &[Given]) {
    let order = view.order;
    let (total, rounding) = (order.total(), rounding_of(order));
    // What is authorised is open as a whole until it is taken; of a part nobody knows how it is paid.
    let contradicts = |given: &&Given| match given.role {
        AmountRole::Collect => !given.amount.is_zero(),
        AmountRole::Open => !given.amount.is_zero() && !given.is(total, rounding),
        _ => false,
    };
    match given.iter().find(contradicts) {
        Some(wanted) => say_wanted(view, told, wanted),
        None => check_paid_amounts(view, told, given),
    }
}

/// Says of an order that goes as paid that its sheet wants money for it.
fn say_wanted(view: &View<'_>, told: &mut Told<'_>, wanted: &Given) {
    let order = view.order;
    // Of a payment that is missing or wrong there is an error of its own.
    if order.order_type.is_empty() {
        return;
    }
    let header = view.rows.header(&wanted.slot);
    let text = view.rows.draft.text(&wanted.slot).to_owned();
    let what = if wanted.is_word { text.clone() } else { shown(wanted.amount).to_string() };
    let held = total_differs::wanted(header, &what, &order.order_type).remedies(way_out(view, wanted));
    told.say(held.found(text), Id::OrderType, Spot::of(&wanted.slot));
}

/// An order of which a part is paid: the request can only collect all of it.
fn paid_in_part(view: &View<'_>, told: &mut Told<'_>, given: &[Given], compared: &[Given], tax: Decimal) -> bool {
    let order = view.order;
    let paid = |given: &&Given| given.role == AmountRole::Paid && !given.amount.is_zero();
    // Beside a yes, the figure says what to do.
    let figure = given.iter().filter(paid).find(|own| !own.is_word);
    let Some(paid) = figure.or_else(|| given.iter().find(paid)).copied() else { return false };
    // It is taken off already, and what is due says so.
    if view.due_agrees() && !paid.is_word && order.discount >= paid.amount {
        return false;
    }
    let found = view.rows.draft.text(&paid.slot).to_owned();
    let columns = view.rows.sheets.of(paid.slot.at.sheet);
    let discount = columns.header_of(Id::Discount);
    let due = order.total() - paid.amount;
    let rounding = rounding_of(order);
    let is_whole = |own: &&Given| !own.is_due() && !own.is_word;
    let other = compared.iter().filter(is_whole).find(|own| !own.is(order.total(), rounding)).copied();
    let other = other.filter(|_| !compared.iter().filter(is_whole).any(|own| own.confirms(order.total(), rounding)));
    // What is left of the order may be said as well.
    let is_left = |own: &&Given| own.is_due() && !own.is_word && !own.amount.is_zero();
    let left = compared.iter().find(is_left).filter(|own| !own.is(order.total(), rounding)).copied();
    let other = other.or_else(|| left.filter(|left| !paid.is_word && !left.is(due, rounding)));
    let way = if let Some(other) = other {
        // Before the whole is right, no part of it is.
        say_total(view, told, &other, given, tax, true);
        partly_paid::total_first()
    } else if paid.is_word {
        partly_paid::add_to_discount(discount)
    } else if due <= Decimal::ZERO {
        partly_paid::all_paid()
    } else {
        for_what_is_paid(view, &paid, given)
    };
    let spot = Spot::of(&paid.slot);
    let held = partly_paid::part_paid(&view.rows.place(spot), shown(order.total()), way);
    told.say(held.remedies(way_out(view, &paid)).found(found), Id::OrderType, spot);
    true
}

/// What to do with an amount that is paid already, whatever cells speak of it, and whether or not it is taken off.
fn for_what_is_paid(view: &View<'_>, paid: &Given, given: &[Given]) -> Finding {
    let order = view.order;
    let speaks = |own: &&Given| own.role == AmountRole::Paid && own.is_word && !own.amount.is_zero();
    let empty = partly_paid::empty_this(
        given.iter().filter(speaks).map(|own| view.rows.header(&own.slot).to_owned()).collect(),
    );
    let part = for_a_part(view, order.total() - paid.amount, empty.clone());
    if order.discount.is_zero() || !same(order.discount, paid.amount, rounding_of(order)) {
        return partly_paid::no_field(part);
    }
    partly_paid::perhaps_discount(empty, shown(order.total()), part)
}

/// Says of an order whose prices have no tax in them that none would be collected.
fn say_tax(view: &View<'_>, told: &mut Told<'_>, sums: &Sums) {
    let order = view.order;
    let rounding = rounding_of(order);
    let on_top = tax_on_top(view.rows);
    if sums.tax.is_zero() && (on_top.is_none() || !order.other_charges.is_zero())
        || !sums.tax.is_zero() && same(order.other_charges, sums.tax, rounding)
    {
        return;
    }
    let tax = (!sums.tax.is_zero()).then(|| shown(sums.tax.round_dp(2)));
    let (included, charges) = (Id::TaxesIncluded.field().header, Id::OtherCharges.field().header);
    let spot = view.rows.line_slot(Id::TaxesIncluded).or(on_top).map_or(view.rows.first, |slot| Spot::of(&slot));
    let held = total_differs::without_tax(shown(order.total()), tax, included, charges);
    told.say(held, Id::TaxesIncluded, spot);
}

/// Says whether the products' own discounts are taken off, or that nobody can tell whether the order's has them in it.
fn say_discounts(view: &View<'_>, told: &mut Told<'_>, sums: &Sums, own: Decimal) {
    let order = view.order;
    let by_lines = shown(sums.discounts);
    let spot = view.rows.line_slot(Id::LineDiscount).map_or(view.rows.first, |slot| Spot::of(&slot));
    let (total, field) = (shown(order.total()), Id::Discount.field().header);
    let said = if order.discount != own {
        total_differs::discounts_taken_off(by_lines, total)
    } else if own < sums.discounts {
        total_differs::discounts_not_taken_off(by_lines, shown(own), total, field)
    } else {
        total_differs::two_discounts(by_lines, shown(own), field)
    };
    told.say(said, Id::LineDiscount, spot);
}

/// Says of several pieces at their list prices that nobody can tell whether the discount is that of one of them.
fn say_off_list(view: &View<'_>, told: &mut Told<'_>) {
    let order = view.order;
    let Some(slot) = view.rows.cell(Id::Discount).filter(|_| !order.discount.is_zero()) else { return };
    let at_list = view.rows.line_slot(Id::Price).is_some_and(|price| view.rows.column(&price).is(Trait::ListPrice));
    let several = order.lines.iter().any(|line| line.quantity > Decimal::ONE);
    if !at_list || !several || !view.rows.column(&slot).is(Trait::BareDiscount) {
        return;
    }
    let held = total_differs::discount_off_list(shown(order.discount), shown(order.total()));
    told.say(held.found(view.rows.draft.text(&slot)), Id::Discount, Spot::of(&slot));
}
