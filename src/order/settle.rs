//! What an order comes to: charges, deductions and taxes beside the fields, by the totals of the sheet.

use crate::field::Trait;
use crate::field::{AmountRole, Id};
use crate::finding::Finding;
use crate::finding::money::total_differs;
use rust_decimal::Decimal;

use super::claims::{Equals, Given, ROUNDING, claims_of, is_total, rounding_of, same, shown};
use super::discounts::{is_in_percent, leave_discount, take_each, take_percent, take_rows};
use super::draft::Slot;
use super::read::Reader;
use super::rows::{Rows, Spot};
use super::sums::{Sums, tax_on_top_of};
use super::types::Order;

/// What an order comes to, beside what the sheet says of that.
pub(crate) struct Settled {
    /// All amounts beside the fields.
    pub(crate) given: Vec<Given>,
    /// Those that the order is compared with.
    pub(crate) compared: Vec<Given>,
    /// What the products come to.
    pub(crate) sums: Sums,
    /// The order's own discount, where nothing says whether it has those of the products in it.
    pub(crate) unsure: Option<Decimal>,
    /// Whether charges or deductions that no field carries are sent.
    pub(crate) carried: bool,
    /// Whether nothing tells what a discount in percent comes to.
    pub(crate) percent_unclear: bool,
    /// Whether the sheet says beside its fields that just this is to be collected.
    pub(crate) due_agrees: bool,
}

/// Settles what the sheet's own totals tell: discounts, charges and taxes that are in the order's amounts or not.
pub(crate) fn settle(reader: &mut Reader<'_>, order: &mut Order) -> Settled {
    let collected = order.order_type == "COD";
    let mut sums = Sums::of(order, reader.rows.left_over);
    let given = claims_of(reader, order);
    let of = |role: AmountRole| given.iter().filter(move |given| given.role == role && !given.is_word);
    // What is to be collected of a prepaid order is nothing, whatever it is worth.
    let compared: Vec<Given> = of(AmountRole::Collect)
        .chain(of(AmountRole::Open))
        .filter(|_| collected)
        .chain(of(AmountRole::Order))
        .chain(of(AmountRole::Total))
        .copied()
        .collect();
    let is_explicit = has_explicit_discount(&reader.rows);
    let mut steps = Steps(Vec::new());
    let percent_unclear = steps.of(order, |order| take_percent(reader, order, &compared));
    leave_discount(reader, order, &mut sums, &compared, is_explicit);
    if !is_explicit {
        steps.of(order, |order| take_each(order, &compared));
    }
    let unsure = take_off(order, &sums, &compared, is_explicit, &mut steps);
    let carried = steps.of(order, |order| carry(reader, order, &given, &compared, (sums.discounts, is_explicit)));
    let rows = reader.rows.draft.rows.len();
    steps.of(order, |order| take_rows(order, rows, &compared, is_explicit));
    steps.say(reader, order, &compared);
    let (total, rounding) = (order.total(), rounding_of(order));
    let due_agrees = compared.iter().any(|given| given.is_due() && given.is(total, rounding));
    Settled { given, compared, sums, unsure, carried, percent_unclear, due_agrees }
}

/// Whether a column that is called as the discount of the order has its amount of money: that is sent as it stands.
fn has_explicit_discount(rows: &Rows<'_>) -> bool {
    let Some(slot) = rows.cell(Id::Discount) else { return false };
    let is_amount = || rows.readings(&slot).first().is_some_and(|amount| !amount.is_zero());
    rows.column(&slot).is(Trait::Canonical) && !is_in_percent(rows, &slot) && is_amount()
}

/// The amounts of the order that are reckoned, and not as they stand in their cells.
struct Steps(Vec<Id>);

impl Steps {
    /// Notes which amounts one step changes.
    fn of<T>(&mut self, order: &mut Order, step: impl FnOnce(&mut Order) -> T) -> T {
        let amounts = |order: &Order| [order.discount, order.shipping_charges, order.other_charges];
        let before = amounts(order);
        let done = step(order);
        let ids = [Id::Discount, Id::ShippingCharges, Id::OtherCharges];
        for (id, (before, after)) in ids.into_iter().zip(before.into_iter().zip(amounts(order))) {
            if before != after && !self.0.contains(&id) {
                self.0.push(id);
            }
        }
        done
    }

    /// Says what is sent by the sheet's own total, where nothing has said it yet.
    fn say(mut self, reader: &mut Reader<'_>, order: &Order, compared: &[Given]) {
        let told = |id: &Id| reader.doubts.iter().any(|doubt| doubt.finding.is_on(id.field().path));
        self.0.retain(|id| !told(id));
        let rounding = rounding_of(order);
        let Some(total) = compared.iter().find(|given| given.is(order.total(), rounding)) else { return };
        let parts: Vec<Finding> = self
            .0
            .iter()
            .map(|id| match id {
                Id::Discount => total_differs::discount_of(shown(order.discount)),
                Id::ShippingCharges => total_differs::shipping_of(shown(order.shipping_charges)),
                _ => total_differs::charges_of(shown(order.other_charges)),
            })
            .collect();
        if !parts.is_empty() {
            let notice = total_differs::settled(parts, shown(order.total())).found(reader.rows.text(&total.slot));
            reader.say(notice, Id::SubTotal, Spot::of(&total.slot));
        }
    }
}

/// Takes the products' own discounts off what the order comes to, where its own discount or its subtotal does not have
/// them; gives the order's own one where nothing says which it is.
fn take_off(
    order: &mut Order,
    sums: &Sums,
    compared: &[Given],
    is_explicit: bool,
    steps: &mut Steps,
) -> Option<Decimal> {
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
        if !is_explicit && telling.any(|given| given.is(total - by_lines, rounding)) {
            steps.of(order, |order| order.discount += by_lines);
        }
        return None;
    }
    // A smaller one of the order cannot have them in it; one that stands under its own header is sent as it stands.
    if own < by_lines && !is_explicit {
        order.discount += by_lines;
    }
    Some(own)
}

/// Sends charges and deductions along that no field has a column for, where a total of the sheet has them in it; gives
/// whether it has.
pub(crate) fn carry(
    reader: &mut Reader<'_>,
    order: &mut Order,
    given: &[Given],
    compared: &[Given],
    (own, is_explicit): (Decimal, bool),
) -> bool {
    if compared.is_empty() {
        return false;
    }
    let rounding = rounding_of(order);
    let total = order.total();
    let collected = order.order_type == "COD";
    let may_be = |given: &&Given| given.role == AmountRole::Beside && given.by_header && given.is_beside();
    // What is paid by other means changes nothing in what a prepaid order is worth.
    let counts =
        |given: &&Given| !given.is_word && (collected || !reader.rows.column(&given.slot).is(Trait::OtherMeans));
    let beside: Vec<&Given> = given.iter().filter(may_be).filter(counts).collect();
    let is_to_the_cent = |amount: Decimal| compared.iter().any(|given| given.is_to_the_cent(amount, rounding));
    // What the products come to says nothing where another total has more in it.
    let more = compared.iter().any(|given| given.equals == Equals::Other && !given.is(total, rounding));
    let is_sent = compared.iter().any(|given| given.confirms(total, rounding) || (!more && given.is(total, rounding)));
    // What is rounded off is all that lies between a sum and its total.
    if is_sent && (is_to_the_cent(total) || !beside.iter().any(|given| is_small(given))) {
        return false;
    }
    let is_tax = |given: &Given| given.role == AmountRole::Tax && given.by_header;
    let named = tax_of(given, |given| given.amount).filter(|_| given.iter().any(is_tax));
    // Where only its rate stands in the sheet, the sum settles whether it comes on top.
    let by_rate = named.is_none().then(|| tax_on_top_of(order, order.discount)).flatten();
    let by_rate = by_rate.filter(|tax| is_to_the_cent(total + *tax) && !reader.rows.says_taxed());
    let taxes = named.or(by_rate).filter(|_| collected && !is_sent);
    let sent = [order.discount, order.shipping_charges, order.other_charges];
    // What has the same figure as a field may be that field once more.
    let is_figure = |given: &&Given| !sent.contains(&given.amount);
    let is_other = |given: &&Given| !is_once_more(&reader.rows, given, order, own);
    let chosen: Vec<Vec<&Given>> = if is_sent {
        vec![beside.into_iter().filter(|given| is_small(given)).collect()]
    } else {
        vec![
            beside.clone(),
            beside.iter().filter(|given| is_small(given)).copied().collect(),
            beside.iter().filter(|given| is_other(given)).copied().collect(),
            beside.iter().filter(|given| is_figure(given)).copied().collect(),
        ]
    };
    let whole = |amount: Decimal| !is_sent && is_total(compared, amount, rounding);
    let exact = |amount: Decimal| is_to_the_cent(amount) && (is_sent || is_total(compared, amount, rounding));
    let found = [&exact as &dyn Fn(Decimal) -> bool, &whole].into_iter().find_map(|is| {
        ways(&reader.rows, &chosen).into_iter().find_map(|(on, off)| {
            let taxes = [Some(Decimal::ZERO), taxes].into_iter().flatten();
            let fits = |tax: &Decimal| {
                let is_any = !(on + tax).is_zero() || !off.is_zero();
                let takes_off = !off.is_zero() || order.other_charges + on + tax < Decimal::ZERO;
                is_any && !(takes_off && is_explicit) && is(total + on + tax - off)
            };
            taxes.into_iter().find(fits).map(|tax| (on, off, tax))
        })
    });
    let Some((on, off, tax)) = found else { return false };
    let other = order.other_charges + on + tax;
    order.other_charges = other.max(Decimal::ZERO);
    order.discount += off - other.min(Decimal::ZERO);
    if !tax.is_zero() {
        say_taxed(reader, given, tax);
    }
    true
}

/// What charges come to and what is taken off, of each choice of them: once for the order, and then by rows.
pub(crate) fn ways(rows: &Rows<'_>, chosen: &[Vec<&Given>]) -> Vec<(Decimal, Decimal)> {
    // One figure on every row may be that of each row.
    let of_rows = [false, true].into_iter().flat_map(|of_rows| chosen.iter().map(move |given| (given, of_rows)));
    let sums = of_rows.map(|(given, of_rows)| {
        let amount = |given: &&Given| if of_rows { given.otherwise() } else { given.amount };
        let (off, on): (Vec<&Given>, Vec<&Given>) =
            given.iter().partition(|given| rows.column(&given.slot).is(Trait::TakenOff));
        (on.iter().map(amount).sum(), off.iter().map(amount).sum())
    });
    sums.collect()
}

/// Whether an amount may be one that is sent already: the same figure, of the same sign, by a header that may mean that
/// very charge or discount. `own` is what the products' own discounts come to.
pub(crate) fn is_once_more(rows: &Rows<'_>, given: &Given, order: &Order, own: Decimal) -> bool {
    let fields = [
        (Id::Discount, order.discount),
        (Id::LineDiscount, own),
        (Id::ShippingCharges, order.shipping_charges),
        (Id::OtherCharges, order.other_charges),
    ];
    let column = rows.column(&given.slot);
    // A tax that is written as other charges is sent.
    let is_tax = |id: Id| given.role == AmountRole::Tax && id == Id::OtherCharges;
    let is_same = |(id, amount): &(Id, Decimal)| {
        let slot = rows.cell(*id).or_else(|| rows.line_slot(*id));
        let charge = rows.sheets.of(given.slot.at.sheet).charge_of(*id, slot.map(|slot| slot.column));
        *amount == given.amount && (is_tax(*id) || column.may_be_same_charge(charge))
    };
    given.is_beside() && fields.iter().any(is_same)
}

/// Says of a tax that it comes on top by the sheet's own total.
fn say_taxed(reader: &mut Reader<'_>, given: &[Given], tax: Decimal) {
    let named = given.iter().find(|given| given.role == AmountRole::Tax && given.is_beside());
    let named = named.map(|named| named.slot).or_else(|| reader.rows.line_slot(Id::TaxRate));
    let Some(cell) = named else { return };
    let notice = total_differs::tax_on_top(shown(tax), Id::OtherCharges.field().header);
    reader.say(notice.found(reader.rows.draft.text(&cell)), Id::OtherCharges, Spot::of(&cell));
}

/// The cell that says that tax comes on top of the price, or the price under a header that says so; nothing where the
/// sheet says of every line itself whether taxes are in its price.
pub(crate) fn tax_on_top(rows: &Rows<'_>) -> Option<Slot> {
    let says_so = |(index, slot): &&(usize, Slot)| {
        rows.claim(*index, slot).is_some_and(|claim| claim.role == AmountRole::TaxOnTop) && says_on_top(rows, slot)
    };
    let told = rows.draft.amounts.iter().find(says_so).map(|(_, slot)| *slot);
    let of_price = |slot: &Slot| rows.column(slot).is(Trait::WithoutTax);
    told.or_else(|| rows.line_slot(Id::Price).filter(of_price)).filter(|_| !rows.says_taxed())
}

pub(crate) fn says_on_top(rows: &Rows<'_>, slot: &Slot) -> bool {
    const YES: [&str; 4] = ["yes", "y", "true", "1"];
    const ON_TOP: [&str; 8] = ["excl", "extra", "plus", "on top", "ontop", "not incl", "without", "ex "];
    let text = rows.draft.text(slot).trim_end_matches('%').trim().to_ascii_lowercase();
    let is_figure = rows.readings(slot).first().is_some_and(|amount| !amount.is_zero());
    let is_word = YES.contains(&text.as_str()) || ON_TOP.iter().any(|word| text.starts_with(word));
    is_figure || is_word || is_rate(&text)
}

/// Less than one is a rounding, and is told by nobody at the door.
pub(crate) fn is_small(given: &Given) -> bool {
    given.amount.abs() < Decimal::ONE
}

/// All the tax that a sheet names for the order: its parts, or their sum beside them.
pub(crate) fn tax_of(given: &[Given], amount: impl Fn(&Given) -> Decimal) -> Option<Decimal> {
    let taxes = given.iter().filter(|given| given.role == AmountRole::Tax && given.is_beside());
    let amounts: Vec<Decimal> = taxes.map(amount).collect();
    let sum: Decimal = amounts.iter().sum();
    let whole = amounts.iter().find(|amount| amounts.len() > 1 && same(**amount * Decimal::TWO, sum, ROUNDING));
    // Halves of one tax are alike, and neither of them is all of it.
    let halves = amounts.len() == 2;
    if amounts.is_empty() { None } else { Some(whole.filter(|_| !halves).copied().unwrap_or(sum)) }
}

fn is_rate(text: &str) -> bool {
    text.parse::<Decimal>().is_ok_and(|rate| !rate.is_zero())
}
