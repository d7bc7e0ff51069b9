//! What an order comes to: charges, deductions, discounts and taxes beside its fields, by the totals of the sheet.
//!
//! Where a total of the sheet is not what the order comes to, the ways are tried in which the sheet may mean its amounts. The
//! first one that leads to the total is taken and said; where there is none, the order goes as its fields have it, and the
//! checks say what differs.

use crate::field::{ExtraRole, Id, Status, TotalOf, says};
use crate::finding::Finding;
use crate::finding::money::{partly_paid, total_differs};
use crate::text::Decimal;
use crate::words::{Topic, Vocabulary};

use super::discounts::{has_explicit_discount, open_discount, percent_off};
use super::paid::settle_paid;
use super::raw_order::RawCell;
use super::read::ValueReader;
use super::rows::{CellRef, Rows};
use super::sheet_amounts::{Equals, ROUNDING, SheetAmount, collects_rest, rounding_of, same, sheet_amounts, shown};
use super::types::{Line, Order};

/// What an order comes to, beside what the sheet says of that.
pub(crate) struct ComputedAmounts {
    /// All amounts beside the fields.
    pub(crate) given: Vec<SheetAmount>,
    /// Those that the order is compared with.
    pub(crate) compared: Vec<SheetAmount>,
    /// What the products come to.
    pub(crate) sums: Sums,
    /// The part that is paid in advance, which is in its discount: the courier collects the rest.
    pub(crate) advance: Decimal,
    /// Whether a total of the sheet has charges or deductions in it that no field carries: they are sent.
    pub(crate) carried: bool,
    /// Whether the sheet says beside its fields that just this is to be collected.
    pub(crate) due_agrees: bool,
}

/// What the products of an order come to.
pub(crate) struct Sums {
    /// Price × quantity over all lines.
    pub(crate) gross: Decimal,
    /// Their own discounts.
    pub(crate) discounts: Decimal,
    /// The tax on those whose price has none in it.
    pub(crate) tax: Decimal,
}

impl Sums {
    fn of(order: &Order, left_over: Decimal) -> Self {
        let mut sums = Self { gross: left_over, discounts: Decimal::ZERO, tax: Decimal::ZERO };
        for line in &order.lines {
            let worth = line.price * line.quantity;
            sums.gross += worth;
            sums.discounts += line.discount;
            if !line.taxes_included && !line.tax_rate.is_zero() {
                sums.tax += (worth - line.discount) * line.tax_rate / Decimal::ONE_HUNDRED;
            }
        }
        sums
    }
}

/// What is added to an order's other charges and to its discount.
#[derive(Debug, Clone, Copy, Default)]
struct Change {
    other: Decimal,
    discount: Decimal,
}

/// Settles what the sheet's own totals tell: discounts, charges and taxes that are in the order's amounts or not.
pub(super) fn compute_amounts(reader: &mut ValueReader<'_>, order: &mut Order) -> ComputedAmounts {
    let mut given = sheet_amounts(reader, order);
    settle_paid(reader, order, &mut given);
    let (collected, rounding) = (order.order_type == "COD", rounding_of(order));
    let of = |role: ExtraRole| given.iter().filter(move |given| given.role == role && !given.is_word);
    // What is to be collected of a prepaid order is nothing, whatever it is worth.
    let due = of(ExtraRole::Collect).chain(of(ExtraRole::Open)).filter(|_| collected);
    let (rest, due): (Vec<&SheetAmount>, Vec<&SheetAmount>) = due.partition(|own| collects_rest(&reader.rows, own));
    let totals = of(ExtraRole::Order).chain(of(ExtraRole::Total));
    let mut compared: Vec<SheetAmount> = due.into_iter().chain(totals).copied().collect();
    let sums = Sums::of(order, reader.rows.left_over);
    // The discounts of the products may be in that of the order, or in its subtotal.
    let in_subtotal = order.sub_total != sums.gross && same(order.sub_total, sums.gross - sums.discounts, rounding);
    let is_taken_off = (order.discount - sums.discounts).abs() <= rounding || in_subtotal;
    if let Some(total) = reader.rows.total {
        come_to(order, total, sums.gross);
        let due_agrees = says_due(&compared, order);
        return ComputedAmounts { given, compared, sums, advance: Decimal::ZERO, carried: true, due_agrees };
    }
    let by_lines = if is_taken_off { Decimal::ZERO } else { sums.discounts };
    let whole = with_advance(&reader.rows, &given, &compared, &rest);
    let found = solve(&reader.rows, order, (&given, &whole), by_lines);
    if let Some(change) = found {
        let other = order.other_charges + change.other;
        order.other_charges = other.max(Decimal::ZERO);
        order.discount += change.discount - other.min(Decimal::ZERO);
        if collected {
            round_as_sheet(order, &whole, Decimal::ZERO);
        }
        say_settled(reader, order, change, &whole);
    } else {
        let is_told = compared.iter().any(|given| given.equals == Equals::Other);
        let is_confirmed = compared.iter().any(|given| given.confirms(order.total(), rounding));
        open_discount(reader, order, by_lines, (is_told, is_confirmed), &compared);
    }
    if collected && !compared.iter().any(|given| given.is(order.total(), rounding)) {
        say_once(reader, order);
    }
    let rest: Vec<SheetAmount> = rest.into_iter().copied().collect();
    let advance = if collected { take_off_advance(reader, order, &given, rest.first()) } else { Decimal::ZERO };
    compared.splice(0..0, rest);
    let rounded = if collected { round_as_sheet(order, &compared, advance) } else { None };
    if let Some(given) = rounded {
        say_rounded(reader, order, given);
    }
    let due_agrees = says_due(&compared, order);
    ComputedAmounts { given, compared, sums, advance, carried: found.is_some(), due_agrees }
}

/// Whether the sheet says beside its fields that just what the order comes to is to be collected.
fn says_due(compared: &[SheetAmount], order: &Order) -> bool {
    compared.iter().any(|given| given.is_due() && given.is(order.total(), rounding_of(order)))
}

/// Has an order come to what a person chose: by its products where just their sum is doubted, else by a charge or a discount.
fn come_to(order: &mut Order, total: Decimal, products: Decimal) {
    if order.total() - order.sub_total + products == total {
        order.sub_total = products;
    } else {
        add(order, total - order.total());
    }
}

/// Adds an amount to an order as a charge, or takes it off as a discount.
fn add(order: &mut Order, more: Decimal) {
    if order.other_charges + more > Decimal::ZERO {
        order.other_charges += more;
    } else {
        order.discount -= more;
    }
}

/// The amounts that an order is compared with, where what is due lacks a part that is paid already: with it they say what the order
/// comes to.
fn with_advance(
    rows: &Rows<'_>,
    given: &[SheetAmount],
    compared: &[SheetAmount],
    rest: &[&SheetAmount],
) -> Vec<SheetAmount> {
    let is_taken_off = |own: &&SheetAmount| {
        own.role == ExtraRole::Paid && !own.is_word && (!rest.is_empty() || collects_rest(rows, own))
    };
    let paid: Decimal = given.iter().filter(is_taken_off).map(|own| own.amount).sum();
    if paid.is_zero() {
        return compared.to_vec();
    }
    let whole = |own: &SheetAmount| if own.is_due() { own.plus(paid) } else { *own };
    compared.iter().chain(rest.iter().copied()).map(whole).collect()
}

/// Adds to the discount of an order what is paid of it in advance, as far as the amounts agree on that.
fn take_off_advance(
    reader: &mut ValueReader<'_>,
    order: &mut Order,
    given: &[SheetAmount],
    due: Option<&SheetAmount>,
) -> Decimal {
    // Whatever is paid has to agree with what is due, be it asked about or not.
    let is_paid = |own: &&SheetAmount| {
        let counts = due.is_some() || collects_rest(&reader.rows, own);
        own.role == ExtraRole::Paid && !own.is_word && counts
    };
    let paid: Vec<&SheetAmount> = given.iter().filter(is_paid).collect();
    let (total, sum) = (order.total(), paid.iter().map(|own| own.amount).sum::<Decimal>());
    let open = match due {
        Some(due) if sum.is_zero() || due.is(total - sum, rounding_of(order)) => due.amount,
        Some(_) => return Decimal::ZERO,
        None => total - sum,
    };
    let advance = total - open;
    // All of it, or nothing, is no part, and neither is what is rounded off.
    let is_part = open > Decimal::ZERO && advance > Decimal::ZERO && !same(open, total, rounding_of(order));
    let Some(told) = due.or(paid.first().copied()).filter(|_| is_part) else {
        return Decimal::ZERO;
    };
    order.discount += advance;
    let notice = partly_paid::rest_collected(shown(advance), shown(open)).found(reader.rows.text(&told.slot));
    reader.say(notice, Id::Discount, CellRef::of(&told.slot));
    advance
}

/// Collects the whole amount that the sheet says, where the order comes to less than one more or less: what rounds it is sent as a
/// charge or a discount. What is due goes before what the order comes to.
fn round_as_sheet<'g>(order: &mut Order, compared: &'g [SheetAmount], advance: Decimal) -> Option<&'g SheetAmount> {
    let (total, rounding) = (order.total(), rounding_of(order));
    let sought = |given: &SheetAmount| if given.is_due() { total } else { total + advance };
    let has_due = compared.iter().any(|given| given.is_due() && !given.amount.is_zero());
    let is_total = |given: &SheetAmount| given.named == TotalOf::Order && given.equals == Equals::Other;
    let says_all = |given: &&SheetAmount| if has_due { given.is_due() } else { is_total(given) };
    let mut telling = compared.iter().filter(says_all);
    if telling.clone().any(|given| given.is_to_the_cent(sought(given), rounding)) {
        return None;
    }
    let is_near = |given: &&SheetAmount| {
        let is_whole = given.amount > Decimal::ZERO && given.amount.fract().is_zero();
        is_whole && (given.amount - sought(given)).abs() < Decimal::ONE
    };
    let given = telling.find(is_near)?;
    add(order, given.amount - sought(given));
    Some(given)
}

/// Says what rounds an order.
fn say_rounded(reader: &mut ValueReader<'_>, order: &Order, given: &SheetAmount) {
    let notice = total_differs::settled(added(order), shown(order.total())).found(reader.rows.text(&given.slot));
    reader.say(notice, Id::SubTotal, CellRef::of(&given.slot));
}

/// Tells what an order goes with that comes to what a person chose.
pub(crate) fn chosen_amount(order: &Order) -> Finding {
    let parts = Some(added(order)).filter(|parts| !parts.is_empty());
    total_differs::chosen_amount(shown(order.total()), parts)
}

/// The amounts of an order beside its products and its shipping.
fn added(order: &Order) -> Vec<Finding> {
    let parts = [
        (order.other_charges, total_differs::charges_of(shown(order.other_charges))),
        (order.discount, total_differs::discount_of(shown(order.discount))),
    ];
    parts.into_iter().filter(|(amount, _)| !amount.is_zero()).map(|(_, part)| part).collect()
}

/// The way to read the sheet's amounts by which the order comes to a total that can be nothing but its own: charges and
/// deductions that no field carries, taxes, both, and discounts that the prices do not have taken off.
fn solve(
    rows: &Rows<'_>,
    order: &Order,
    (given, compared): (&[SheetAmount], &[SheetAmount]),
    by_lines: Decimal,
) -> Option<Change> {
    let (total, rounding) = (order.total(), rounding_of(order));
    let totals: Vec<&SheetAmount> = compared.iter().filter(|given| given.equals == Equals::Other).collect();
    if totals.is_empty() || totals.iter().any(|given| given.is_to_the_cent(total, rounding)) {
        return None;
    }
    let is_tax = |given: &SheetAmount| given.role == ExtraRole::Tax && given.by_header;
    let tax = if given.iter().any(is_tax) { tax_of(given, |given| given.amount) } else { tax_by_rates(rows, order) };
    let tax = tax.filter(|_| order.order_type == "COD").unwrap_or_default();
    let off = |discount: Decimal| Change { discount, ..Change::default() };
    let Change { other, discount } = beside(rows, given, order);
    let percent = percent_off(rows, order).map_or(Decimal::ZERO, |(_, off)| off);
    let mut ways = vec![
        Change { other, discount },
        Change { other: tax, ..Change::default() },
        Change { other: other + tax, discount },
        off(by_lines),
        off(percent),
    ];
    let is_explicit = has_explicit_discount(rows);
    ways.retain(|way| {
        let takes_off = !way.discount.is_zero() || order.other_charges + way.other < Decimal::ZERO;
        let is_nothing = way.other.is_zero() && way.discount.is_zero();
        !(is_nothing || takes_off && is_explicit)
    });
    let sum = |way: &Change| total + way.other - way.discount;
    let exact = |way: &&Change| totals.iter().any(|given| given.is_to_the_cent(sum(way), rounding));
    let is_near = totals.iter().any(|given| given.is(total, rounding));
    let whole = |way: &&Change| !is_near && totals.iter().any(|given| given.is(sum(way), rounding));
    ways.iter().find(exact).or_else(|| ways.iter().find(whole)).copied()
}

/// The tax by the rates of the products, where it is on top of the prices; nothing where the sheet says that it is in them.
fn tax_by_rates(rows: &Rows<'_>, order: &Order) -> Option<Decimal> {
    let of_line = |line: &Line| (line.price * line.quantity - line.discount) * line.tax_rate / Decimal::ONE_HUNDRED;
    (!rows.says_taxed()).then(|| order.lines.iter().map(of_line).sum())
}

/// Charges and deductions that no field has a column for.
fn beside(rows: &Rows<'_>, given: &[SheetAmount], order: &Order) -> Change {
    let mut change = Change::default();
    for own in given.iter().filter(|own| own.role == ExtraRole::Beside && own.by_header && !own.is_word) {
        let column = rows.column(&own.slot);
        // What is paid by other means changes nothing in what a prepaid order is worth.
        if order.order_type != "COD" && column.says("other-means") {
            continue;
        }
        *(if column.says("taken-off") { &mut change.discount } else { &mut change.other }) += own.amount;
    }
    change
}

/// Says what is sent by the sheet's own total.
fn say_settled(reader: &mut ValueReader<'_>, order: &Order, change: Change, compared: &[SheetAmount]) {
    let rounding = rounding_of(order);
    let Some(total) = compared.iter().find(|given| given.is(order.total(), rounding)) else { return };
    let is_charged = !change.other.is_zero() && !order.other_charges.is_zero();
    let mut parts: Vec<Finding> = Vec::new();
    if !change.discount.is_zero() || !is_charged {
        parts.push(total_differs::discount_of(shown(order.discount)));
    }
    if is_charged {
        parts.push(total_differs::charges_of(shown(order.other_charges)));
    }
    let notice = total_differs::settled(parts, shown(order.total())).found(reader.rows.text(&total.slot));
    reader.say(notice, Id::SubTotal, CellRef::of(&total.slot));
}

/// Tells of an amount that stands on several rows of an order and counts once, by a header that may mean either.
fn say_once(reader: &mut ValueReader<'_>, order: &Order) {
    let amounts = [
        (Id::Discount, order.discount),
        (Id::ShippingCharges, order.shipping_charges),
        (Id::OtherCharges, order.other_charges),
    ];
    for (id, amount) in amounts.into_iter().filter(|(_, amount)| !amount.is_zero()) {
        let is_repeated = reader.rows.draft.lines.len() > 1 && reader.rows.draft.again.contains(&id);
        let Some(slot) = reader.rows.cell(id).filter(|_| is_repeated) else { continue };
        let columns = reader.rows.sheets.of(slot.at.sheet);
        if reader.rows.column(&slot).is_canonical() || columns.is_by_program() || columns.in_parts(id) {
            continue;
        }
        let header = reader.rows.header(&slot);
        let notice = total_differs::counts_once(header, shown(amount), shown(order.total()), id.field().header);
        reader.say(notice.found(reader.rows.text(&slot)), id, CellRef::of(&slot));
    }
}

/// The cell that says that tax comes on top of the price, or the price under a header that says so; nothing where the
/// sheet says of every line itself whether taxes are in its price.
pub(crate) fn tax_on_top(rows: &Rows<'_>) -> Option<RawCell> {
    let told = rows.claimed_as(ExtraRole::TaxOnTop).find(|slot| says_on_top(rows, slot)).copied();
    let of_price = |slot: &RawCell| rows.column(slot).says("without-tax");
    told.or_else(|| rows.line_slot(Id::Price).filter(of_price)).filter(|_| !rows.says_taxed())
}

fn says_on_top(rows: &Rows<'_>, slot: &RawCell) -> bool {
    let text = rows.text(slot).trim_end_matches('%').trim();
    let words = Vocabulary::built_in().text(text);
    let is_word =
        says(text) == Status::Yes || words.has(Topic::Values, "on_top") || words.says(Topic::Values, "not-included");
    is_word || rows.readings_of(slot, text).first().is_some_and(|amount| !amount.is_zero())
}

/// All the tax that a sheet names for the order: its parts, or their sum beside them.
pub(crate) fn tax_of(given: &[SheetAmount], amount: impl Fn(&SheetAmount) -> Decimal) -> Option<Decimal> {
    let taxes = given.iter().filter(|given| given.role == ExtraRole::Tax && given.is_beside());
    let amounts: Vec<Decimal> = taxes.map(amount).collect();
    let sum: Decimal = amounts.iter().sum();
    let whole = amounts.iter().find(|amount| amounts.len() > 2 && same(**amount * Decimal::TWO, sum, ROUNDING));
    (!amounts.is_empty()).then(|| whole.copied().unwrap_or(sum))
}
