//! Amounts that no field carries and that no total of the sheet settles.

use crate::field::Trait;
use crate::field::{AmountRole, Id};
use crate::finding::money::total_differs;
use crate::finding::{Finding, Remedy};
use crate::order::{Given, Order, ROUNDING, Spot, Sums, is_once_more, is_small, shown, tax_of};
use rust_decimal::Decimal;

use super::total_differs::way_out;
use super::view::{Told, View};

/// Rates of India's tax on goods, for sheets that name only its amount.
const RATES: [i64; 6] = [3, 5, 12, 18, 28, 40];

/// What a total of the sheet says of what an order comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Agreed {
    /// There is none, or it is another one.
    Nothing,
    /// It is the same, and may be that of the products.
    Unclear,
    /// It is what the products come to, by a name that says the order: taxes are in it, and charges may not be.
    Sold,
}

/// Says of an order for which something was received already, or is refunded, that no column says what is still due.
pub(super) fn say_received(view: &View<'_>, told: &mut Told<'_>, given: &[Given], own: Decimal) -> bool {
    let order = view.order;
    if order.order_type != "COD" || view.due_agrees() {
        return false;
    }
    let received = |given: &&Given| {
        given.role == AmountRole::Beside
            && given.by_header
            && given.amount >= Decimal::ONE
            && !is_once_more(view.rows, given, order, own)
            && view.rows.column(&given.slot).is(Trait::OtherMeans)
    };
    let Some(received) = given.iter().find(received).copied() else { return false };
    let held = total_differs::received(shown(received.amount), shown(order.total()));
    say_amount(view, told, held, &received);
    true
}

/// Says of an order that no total confirms what may change the amount that it comes to.
pub(super) fn say_beside(view: &View<'_>, told: &mut Told<'_>, given: &[Given], sums: &Sums, agreed: Agreed) -> bool {
    let order = view.order;
    if given.is_empty() {
        return false;
    }
    let collected = order.order_type == "COD";
    // A tax that is in the prices is no other amount, and of what is paid it is left out in words of its own.
    let taxed = order.lines.iter().all(|line| line.taxes_included) && view.rows.says_taxed()
        || tax_is_inside(order, given, agreed != Agreed::Nothing);
    let taxed = taxed || agreed == Agreed::Sold;
    let matters = |given: &Given| given.role != AmountRole::Tax || (collected && !taxed);
    // `Insurance` with all that the order is worth is what is insured.
    let is_worth = |given: &Given| {
        let column = view.rows.column(&given.slot);
        column.is(Trait::BareAmount) && !column.is(Trait::TakenOff) && given.amount == order.total()
    };
    let is_said = |given: &&Given| {
        given.is_beside()
            && !is_worth(given)
            && !is_small(given)
            && matters(given)
            && !is_once_more(view.rows, given, order, sums.discounts)
            && (collected || given.by_header)
    };
    let Some(beside) = given.iter().find(is_said).copied() else { return false };
    if collected {
        let way = way_for(view, &beside);
        let held = total_differs::unconfirmed(shown(beside.amount), shown(order.total()), way);
        say_amount(view, told, held, &beside);
        return true;
    }
    let notice = total_differs::beside(shown(beside.amount), shown(order.total()), total_differs::work_in());
    say_amount(view, told, notice, &beside);
    true
}

/// Says something of an amount that no field carries, whose column may be ignored.
fn say_amount(view: &View<'_>, told: &mut Told<'_>, said: Finding, beside: &Given) {
    let said = said.remedies(way_out(view, beside)).found(view.rows.draft.text(&beside.slot));
    told.say(said, Id::OtherCharges, Spot::of(&beside.slot));
}

/// What to do with an amount that may change what is collected.
fn way_for(view: &View<'_>, beside: &Given) -> Finding {
    if beside.role == AmountRole::Tax {
        total_differs::way_of_tax()
    } else if view.rows.column(&beside.slot).is(Trait::OtherMeans) {
        total_differs::write_due()
    } else {
        by_header(view, beside)
    }
}

/// Tells of an amount that stands on each row of an order and counts once, by a header that may mean either.
pub(super) fn say_once(view: &View<'_>, told: &mut Told<'_>) {
    let order = view.order;
    let amounts = [
        (Id::Discount, order.discount),
        (Id::ShippingCharges, order.shipping_charges),
        (Id::OtherCharges, order.other_charges),
    ];
    for (id, amount) in amounts.into_iter().filter(|(_, amount)| !amount.is_zero()) {
        let Some(slot) = view.rows.cell(id).filter(|_| view.rows.draft.is_on_each_row(id)) else { continue };
        let columns = view.rows.sheets.of(slot.at.sheet);
        let (field, header) = (id.field(), columns.header(slot.column));
        if view.rows.column(&slot).is(Trait::Exact) || columns.is_by_program() || columns.in_parts(id) {
            continue;
        }
        let once = if id == Id::Discount { total_differs::discount_once } else { total_differs::charge_once };
        let notice = once(header, shown(amount), shown(order.total()), field.header);
        told.say(notice.found(view.rows.draft.text(&slot)), id, Spot::of(&slot));
    }
}

/// How an amount on top or off is sent along: by the header of its column, where no other column feeds that field.
fn by_header(view: &View<'_>, beside: &Given) -> Finding {
    let columns = view.rows.sheets.of(beside.slot.at.sheet);
    // A column of charges that may be negative has both.
    if beside.amount < Decimal::ZERO {
        return total_differs::write_collected();
    }
    let is_off = view.rows.column(&beside.slot).is(Trait::TakenOff);
    let id = if is_off { Id::Discount } else { Id::OtherCharges };
    if columns.column(id).is_some() || !beside.by_header {
        return total_differs::work_in();
    }
    let way = if is_off { total_differs::if_taken_off } else { total_differs::if_on_top };
    way(id.field().header)
}

/// Asks of columns of figures that may be money, where no total of the sheet says what is collected.
pub(super) fn say_perhaps(view: &View<'_>, told: &mut Told<'_>, given: &[Given]) {
    let order = view.order;
    /// A fiftieth of the order is no charge any more.
    const PART_MIN: Decimal = Decimal::from_parts(50, 0, 0, false, 0);
    let total = order.total();
    let is_sized = |amount: Decimal| amount * PART_MIN >= total && amount <= total * Decimal::TWO;
    let asked = |own: &&Given| own.role == AmountRole::Perhaps && is_sized(own.amount) && own.amount != total;
    let asked: Vec<Given> = given.iter().filter(asked).copied().collect();
    let Some(first) = asked.first() else { return };
    let headers: Vec<String> = asked.iter().map(|own| view.rows.header(&own.slot).to_owned()).collect();
    let held = total_differs::may_be_money(
        &headers,
        shown(first.amount),
        shown(total),
        Id::OtherCharges.field().header,
        Id::Discount.field().header,
        Remedy::ignore_all(&headers),
    );
    told.say(held.found(view.rows.draft.text(&first.slot)), Id::OtherCharges, Spot::of(&first.slot));
}

/// Whether the tax is what the price has in it, by the rate: it is another figure where it comes on top.
fn tax_is_inside(order: &Order, given: &[Given], agreed: bool) -> bool {
    let Some(tax) = tax_of(given, |given| given.amount) else { return false };
    // One figure on every row may be that of each row.
    let each = tax_of(given, Given::otherwise).unwrap_or(tax);
    let cents = ROUNDING * Decimal::from(order.lines.len() + 1);
    let is = |amount: Decimal| {
        [tax, each].into_iter().any(|tax| {
            let difference = (tax - amount).abs();
            difference <= cents || (tax.fract().is_zero() && difference <= Decimal::new(5, 1))
        })
    };
    let hundred = Decimal::ONE_HUNDRED;
    let products: Decimal = order.lines.iter().map(|line| line.price * line.quantity).sum();
    if products.is_zero() {
        return false;
    }
    let worths = [order.total(), products - order.discount, products];
    if order.lines.iter().any(|line| !line.tax_rate.is_zero()) {
        let each = |of: &dyn Fn(Decimal) -> Decimal| -> Decimal {
            order.lines.iter().map(|line| line.price * line.quantity * of(line.tax_rate)).sum()
        };
        let (inside, on_top) = (each(&|rate| rate / (hundred + rate)), each(&|rate| rate / hundred));
        let any = |part: Decimal| worths.iter().any(|worth| is(part * *worth / products));
        return any(inside) && !any(on_top);
    }
    let any = |of: &dyn Fn(Decimal) -> Decimal| {
        worths.iter().any(|worth| RATES.iter().any(|rate| is(*worth * of(Decimal::from(*rate)))))
    };
    agreed && any(&|rate| rate / (hundred + rate)) && !any(&|rate| rate / hundred)
}
