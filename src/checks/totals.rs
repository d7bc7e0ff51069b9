//! What the sheet says of an order's money beside what is sent: nobody is asked for the wrong amount at the door.

use crate::field::{ExtraRole, Id, TotalOf};
use crate::finding::money::{bad_number, not_positive, subtotal_differs, total_differs, unusual_value};
use crate::finding::{AmountOf, Finding, RuleId};
use crate::order::{
    CellRef, ComputedAmounts, Equals, Line, Order, ROUNDING, RawCell, SheetAmount, choice, rounding_of, same, shown,
    tax_of, tax_on_top,
};
use crate::text::Decimal;

use super::payment::{has_receipt, is_paid_in_part, is_short_of_paid, way_out};
use super::view::{Findings, View};

/// Rates of India's tax on goods, for sheets that name only its amount.
const RATES: [i64; 6] = [3, 5, 12, 18, 28, 40];

/// Compares the order with what its sheet says it comes to.
///
/// What is collected at the door must be what the sheet says; of a prepaid order only the worth would be wrong.
pub(crate) fn check(view: &View<'_>, told: &mut Findings<'_>) {
    let order = view.order;
    let Some(ComputedAmounts { given, compared, sums, carried, advance, .. }) = &view.built.settled else { return };
    // Before these are answered, nobody knows what the order comes to.
    let is_open = |rule: Option<RuleId>| matches!(rule, Some(RuleId::SingleForSeveral | RuleId::DiscountUnclear));
    if told.problems.iter().any(|problem| problem.holds() && is_open(problem.rule())) {
        return;
    }
    let (collected, rounding, total) = (order.order_type == "COD", rounding_of(order), order.total());
    // A total has what is paid in advance in it, and an amount that is due has not.
    let sought = |given: &SheetAmount| if given.is_due() { total } else { total + *advance };
    let agreed = compared.iter().any(|given| given.is(sought(given), rounding));
    let confirmed = compared.iter().any(|given| given.confirms(sought(given), rounding));
    check_sub_total(view, told, confirmed);
    if collected {
        if (is_paid_in_part(view, told, given) || has_receipt(view, told)) && told.has_failed() {
            return;
        }
    } else {
        is_short_of_paid(view, told, given);
    }
    let other = compared
        .iter()
        .filter(|given| !given.is(sought(given), rounding) && !fits(view, given, agreed))
        .min_by_key(|given| given.named != TotalOf::Order);
    if let Some(other) = other {
        // Beside what is to be collected, or by a name that leaves it open, a total says no more than what it is worth.
        let is_worth = view.due_agrees() && other.role != ExtraRole::Collect;
        let is_weak = other.named != TotalOf::Order && confirmed;
        say_total(view, told, other, given, collected && !is_worth && !is_weak);
        return;
    }
    // What the products come to says nothing of charges that no field carries, whatever it is called.
    let is_whole = |given: &SheetAmount| given.is(sought(given), rounding) && given.equals != Equals::Products;
    let is_settled = confirmed && (!collected || compared.iter().any(is_whole)) || is_sum_of_totals(view, *advance);
    if *carried {
        return;
    }
    let taxed = order.lines.iter().all(|line| line.taxes_included) && view.rows.says_taxed();
    let taxed = taxed || confirmed || tax_is_inside(order, given, agreed);
    // The total of an order may have in it what was paid of it by other means.
    let is_paid = |own: &SheetAmount| collected && own.by_header && view.rows.column(&own.slot).says("other-means");
    let matters = |own: &&SheetAmount| {
        (own.role != ExtraRole::Perhaps || !agreed) && (!is_settled || is_paid(own)) && is_unsettled(view, own, taxed)
    };
    if let Some(own) = given.iter().find(matters) {
        say_beside(view, told, own);
    } else if collected && !confirmed {
        say_tax(view, told, sums.tax);
    }
}

/// Whether an order is the sum of amounts that are all the customer owes by their header, with nothing added or taken off: what else
/// the sheet says is in them.
fn is_sum_of_totals(view: &View<'_>, advance: Decimal) -> bool {
    let is_total = |slot: RawCell| {
        let column = view.rows.column(&slot);
        column.amount.is_some() && column.total_of == TotalOf::Order
    };
    let columns = view.rows.sheets.of(view.rows.first.at.sheet);
    columns.line_total
        && view.order.total() + advance == view.order.sub_total
        && view.rows.line_slot(Id::Price).is_some_and(is_total)
}

/// Whether what is sent agrees with a total of the sheet, or is not told by it.
fn fits(view: &View<'_>, given: &SheetAmount, agreed: bool) -> bool {
    let order = view.order;
    let (collected, total, rounding) = (order.order_type == "COD", order.total(), rounding_of(order));
    given.is(total, rounding)
        // Nothing is payable for what is paid.
        || (!collected && given.role == ExtraRole::Order && given.amount.is_zero())
        // A part payment that is taken off is in the order's discount, and not in the total of the sheet.
        || (collected && view.due_agrees() && !given.is_due() && given.is(total + order.discount, rounding))
        // The due is rounded to a whole amount.
        || (collected && view.due_agrees() && !given.is_due() && (given.amount - total).abs() < Decimal::ONE)
        || match given.equals {
            Equals::Other => false,
            // Where charges or a discount change the sum and only the products' is there, the prices may have them in.
            Equals::Products => !collected || agreed || given.named == TotalOf::Products,
            Equals::Rows => true,
        }
}

/// Says that a total of the sheet is another one than the order's, and which amount the difference is.
fn say_total(view: &View<'_>, told: &mut Findings<'_>, total: &SheetAmount, given: &[SheetAmount], holds: bool) {
    let (order, rows) = (view.order, view.rows);
    let collected = order.order_type == "COD";
    let difference = total.amount - order.total();
    let tax = view.built.settled.as_ref().map_or(Decimal::ZERO, |settled| settled.sums.tax);
    let charged = given.iter().find(|own| own.is_beside() && own.is(difference, rounding_of(order)));
    let taxed = !tax.is_zero() && same(difference, tax, rounding_of(order));
    // A tax on top, or what is shipped already, changes what a prepaid order is worth and nothing else.
    if !collected && (charged.is_some() || taxed || rows.draft.lines_left_out > 0) {
        return;
    }
    let columns = rows.sheets.of(total.slot.at.sheet);
    let fields = [
        (Id::TaxesIncluded, difference, if taxed { difference } else { Decimal::ZERO }),
        (Id::Discount, difference, order.discount),
        (Id::ShippingCharges, -difference, order.shipping_charges),
        (Id::OtherCharges, -difference, order.other_charges),
    ];
    let field = fields.into_iter().find(|(_, difference, amount)| !amount.is_zero() && difference == amount);
    let cause = charged.map(|own| rows.header(&own.slot)).or_else(|| field.map(|(id, ..)| columns.header_of(id)));
    let of_products = total.equals == Equals::Products && !(total.is_due() && total.amount.is_zero());
    // Passed over, it would be collected less than the order comes to by its own name, and without a word.
    let is_less = collected && difference > Decimal::ZERO && total.named == TotalOf::Order;
    let less = (total.is_due() && collected && difference < Decimal::ZERO).then(|| {
        let off = shown(order.discount - difference);
        match total.amount {
            amount if amount.is_zero() => total_differs::paid_already(),
            amount => total_differs::less(shown(amount), off, columns.header_of(Id::Discount)),
        }
    });
    let role = match total.role {
        ExtraRole::Collect | ExtraRole::Open => total_differs::is_collected(),
        ExtraRole::Total => total_differs::is_its(rows.header(&total.slot)),
        _ => total_differs::is_total(),
    };
    let (given, sent) = (shown(total.amount), shown(order.total()));
    let found = total_differs::other_total(given, role, sent, sums(order), cause, less, of_products);
    let ignore = way_out(view, total).filter(|_| !is_less || of_products);
    let found = if holds { found.hold() } else { found.warn() }.remedies(ignore);
    let found = found.choosing(choice(order, AmountOf::Products, Some((total.amount, AmountOf::Sheet))));
    told.say(found.found(rows.text(&total.slot)), Id::SubTotal, CellRef::of(&total.slot));
}

/// What an order's total is made of.
fn sums(order: &Order) -> Finding {
    let part = |amount: Decimal| Some(amount).filter(|amount| !amount.is_zero()).map(shown);
    let (shipping, other) = (part(order.shipping_charges), part(order.other_charges));
    total_differs::sums(shown(order.sub_total), shipping, other, part(order.discount))
}

/// Whether an amount that no field carries may change what the order comes to, and nothing settles it; `taxed` says that the
/// prices have their tax in them.
fn is_unsettled(view: &View<'_>, given: &SheetAmount, taxed: bool) -> bool {
    let order = view.order;
    let (collected, total) = (order.order_type == "COD", order.total());
    let column = view.rows.column(&given.slot);
    if given.role == ExtraRole::Perhaps {
        /// A fiftieth of the order is no charge any more.
        const PART_MIN: Decimal = Decimal::from_parts(50, 0, 0, false, 0);
        let is_sized = given.amount * PART_MIN >= total && given.amount <= total * Decimal::TWO;
        return collected && is_sized && given.amount != total;
    }
    // `Insurance` with all that the order is worth is what is insured.
    let is_worth = column.says("bare-amount") && !column.says("taken-off") && given.amount == total;
    // What was received already says nothing of what is still due, but for that.
    let is_received = collected && column.says("other-means") && view.due_agrees();
    given.is_beside()
        // Less than one is a rounding, and is told by nobody at the door.
        && !(is_worth || is_received || given.amount.abs() < Decimal::ONE)
        && (given.role != ExtraRole::Tax || (collected && !taxed))
        // A tax that is written as other charges is sent.
        && (given.role != ExtraRole::Tax || given.amount != order.other_charges)
        && (collected || given.by_header)
}

/// Says of an amount that no field carries that nothing in the sheet tells whether it changes what is sent.
fn say_beside(view: &View<'_>, told: &mut Findings<'_>, given: &SheetAmount) {
    let (order, column) = (view.order, view.rows.column(&given.slot));
    let id = if column.says("taken-off") { Id::Discount } else { Id::OtherCharges };
    let is_free = view.rows.sheets.of(given.slot.at.sheet).column(id).is_none() && given.amount > Decimal::ZERO;
    let (amount, total) = (shown(given.amount), shown(order.total()));
    let said = if order.order_type != "COD" {
        total_differs::beside(amount, total)
    } else if given.role == ExtraRole::Tax {
        total_differs::tax_beside(amount, total)
    } else {
        let is_renamed = is_free && given.by_header && !column.says("other-means");
        total_differs::unconfirmed(amount, total, is_renamed.then_some(id.field().header))
    };
    let said = said.remedies(way_out(view, given)).found(view.rows.text(&given.slot));
    let said = if order.order_type == "COD" {
        let header = view.rows.header(&given.slot);
        let more = if column.says("taken-off") { -given.amount } else { given.amount };
        let other = (order.total() + more, AmountOf::With(header.to_owned()));
        said.choosing(choice(order, AmountOf::Without(header.to_owned()), Some(other)))
    } else {
        said
    };
    told.say(said, Id::OtherCharges, CellRef::of(&given.slot));
}

/// Says of an order whose prices have no tax in them that none would be collected.
fn say_tax(view: &View<'_>, told: &mut Findings<'_>, tax: Decimal) {
    let order = view.order;
    let on_top = tax_on_top(view.rows);
    let is_charged = if tax.is_zero() {
        on_top.is_none() || !order.other_charges.is_zero()
    } else {
        same(order.other_charges, tax, rounding_of(order))
    };
    if !is_charged {
        let spot = view.rows.line_slot(Id::TaxesIncluded).or(on_top).map_or(view.rows.first, |slot| CellRef::of(&slot));
        let named = (!tax.is_zero()).then(|| shown(tax.round_dp(2)));
        let (included, charges) = (Id::TaxesIncluded.field().header, Id::OtherCharges.field().header);
        let held = total_differs::without_tax(shown(order.total()), named, included, charges);
        let with = named.map(|tax| (order.total() + tax, AmountOf::With("tax".to_owned())));
        told.say(held.choosing(choice(order, AmountOf::Without("tax".to_owned()), with)), Id::TaxesIncluded, spot);
    }
}

/// Whether the tax is what the prices have in them, by the rates of the lines, or by one of India's where a total agrees: it
/// is another figure where it comes on top.
fn tax_is_inside(order: &Order, given: &[SheetAmount], agreed: bool) -> bool {
    let Some(tax) = tax_of(given, |given| given.amount) else { return false };
    // One figure on every row may be that of each row.
    let each = tax_of(given, SheetAmount::otherwise).unwrap_or(tax);
    let near = if tax.fract().is_zero() { Decimal::new(5, 1) } else { ROUNDING * Decimal::from(order.lines.len() + 1) };
    let is_rated = order.lines.iter().any(|line| !line.tax_rate.is_zero());
    let is = |base: fn(Decimal) -> Decimal, one: Option<i64>| {
        let of = |rate: Decimal| rate / base(rate);
        let parts =
            order.lines.iter().map(|line| line.price * line.quantity * of(one.map_or(line.tax_rate, Decimal::from)));
        let sum: Decimal = parts.sum();
        (tax - sum).abs() <= near || (each - sum).abs() <= near
    };
    let rates = if is_rated { vec![None] } else { RATES.map(Some).to_vec() };
    let any = |base: fn(Decimal) -> Decimal| rates.iter().any(|rate| is(base, *rate));
    (is_rated || agreed) && any(|rate| Decimal::ONE_HUNDRED + rate) && !any(|_| Decimal::ONE_HUNDRED)
}

/// A given subtotal goes out as it is; where it disagrees with the lines, both are named.
fn check_sub_total(view: &View<'_>, told: &mut Findings<'_>, confirmed: bool) {
    let (order, Some(settled)) = (view.order, &view.built.settled) else { return };
    let (given, computed) = (order.sub_total, settled.sums.gross);
    if given == computed || order.lines.is_empty() {
        return;
    }
    let is_near = |sum: Decimal| same(given, sum, rounding_of(order));
    let known = confirmed || is_near(computed) || is_near(computed - settled.sums.discounts);
    let is_collected = order.order_type == "COD" && !known;
    let differs = if is_collected {
        let by_products = (order.total() - given + computed, AmountOf::Products);
        let amounts = choice(order, AmountOf::Sheet, Some(by_products));
        subtotal_differs::collected(given, computed).choosing(amounts)
    } else {
        subtotal_differs::sent(given, computed)
    };
    told.say(differs.found(given.to_string()), Id::SubTotal, view.rows.spot_of(Id::SubTotal));
}

/// Orders that come to nothing, or to less.
pub(super) fn check_worth(view: &View<'_>, told: &mut Findings<'_>) {
    let (order, total) = (view.order, view.order.total());
    if total < Decimal::ZERO {
        say_below_zero(view, told);
    }
    if told.has_failed() || order.lines.is_empty() {
        return;
    }
    let said = if order.order_type == "COD" && total.is_zero() {
        not_positive::nothing_to_collect()
    } else if order.lines.iter().all(|line| line.price.is_zero()) && order.sub_total.is_zero() {
        unusual_value::worth_nothing()
    } else {
        return;
    };
    let price = view.rows.line_slot(Id::Price);
    let spot = price.map_or(view.rows.first, |slot| CellRef::of(&slot));
    told.say(said.found(price.map_or("", |slot| view.rows.text(&slot))), Id::Price, spot);
}

/// Says of an order that comes to less than nothing what takes it there: the discounts of its products, its own, or another
/// amount below zero.
fn say_below_zero(view: &View<'_>, told: &mut Findings<'_>) {
    let (order, rows) = (view.order, view.rows);
    let own = rows.cell(Id::Discount).and_then(|slot| rows.readings(&slot).first().copied()).unwrap_or_default();
    let by_lines = view.built.settled.as_ref().map_or(Decimal::ZERO, |settled| settled.sums.discounts);
    let (id, said) = if order.discount <= Decimal::ZERO {
        let amounts =
            [(Id::ShippingCharges, order.shipping_charges), (Id::OtherCharges, order.other_charges)].into_iter();
        let below = amounts.filter(|(_, amount)| *amount < Decimal::ZERO).map(|(id, _)| id).next();
        let given = || if rows.is_given(Id::SubTotal) { Id::SubTotal } else { Id::Price };
        (below.unwrap_or_else(given), bad_number::total_below_zero(shown(order.total())))
    } else if own < by_lines && own < order.discount {
        (Id::LineDiscount, bad_number::discounts_above_total(order.discount))
    } else {
        (Id::Discount, bad_number::discount_above_total(order.discount))
    };
    // Of several products the one whose own discount is too large.
    let mut lines = rows.draft.lines.iter().zip(&order.lines);
    let is_above = |(_, line): &(_, &Line)| line.discount > line.price * line.quantity;
    let of_line = lines.find(is_above).and_then(|(line, _)| rows.draft.cell_of(line, id));
    let slot = rows.cell(id).or(of_line).or_else(|| rows.line_slot(id));
    let found = slot.map_or_else(|| order.discount.to_string(), |slot| rows.text(&slot).to_owned());
    told.say(said.found(found), id, slot.map_or(rows.first, |slot| CellRef::of(&slot)));
}
