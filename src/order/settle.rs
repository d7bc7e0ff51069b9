//! What an order comes to: charges, deductions, discounts and taxes beside its fields, by the totals of the sheet.
//!
//! Where a total of the sheet is not what the order comes to, each way is tried in which the sheet may mean its amounts. The
//! one by which the order comes to that total is taken and said; where there is none, the order goes as its fields have it,
//! and the checks say what differs.

use crate::column::Trait;
use crate::field::{AmountRole, Id, Says, says};
use crate::finding::Finding;
use crate::finding::money::total_differs;
use crate::words::{Topic, Vocabulary};
use rust_decimal::Decimal;

use super::claims::{Equals, Given, ROUNDING, claims_of, rounding_of, same, shown};
use super::discounts::{Discounts, Open, is_in_percent};
use super::draft::Slot;
use super::read::Reader;
use super::rows::{Rows, Spot};
use super::types::Order;

/// What an order comes to, beside what the sheet says of that.
pub(crate) struct Settled {
    /// All amounts beside the fields.
    pub(crate) given: Vec<Given>,
    /// Those that the order is compared with.
    pub(crate) compared: Vec<Given>,
    /// What the products come to.
    pub(crate) sums: Sums,
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

/// What is added to the amounts of an order.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Change {
    pub(super) shipping: Decimal,
    pub(super) other: Decimal,
    pub(super) discount: Decimal,
    /// Whether the prices have the discount in them already, so that the total may be that of the products.
    pub(super) is_in_price: bool,
    /// Whether the tax comes on top, by the rates of the lines.
    pub(super) is_taxed: bool,
}

impl Change {
    /// So much more is taken off.
    pub(super) fn off(discount: Decimal) -> Self {
        Self { discount, ..Self::default() }
    }

    fn and(self, more: Self) -> Self {
        Self {
            shipping: self.shipping + more.shipping,
            other: self.other + more.other,
            discount: self.discount + more.discount,
            is_in_price: self.is_in_price || more.is_in_price,
            is_taxed: self.is_taxed || more.is_taxed,
        }
    }

    /// The same with the tax on what is left of the products.
    fn taxed(mut self, order: &Order) -> Self {
        if self.is_taxed {
            self.other += tax_on_top_of(order, order.discount + self.discount).unwrap_or_default();
        }
        self
    }

    fn is_none(&self) -> bool {
        (self.shipping, self.other, self.discount, self.is_in_price) == <(Decimal, Decimal, Decimal, bool)>::default()
    }

    fn apply(&self, order: &mut Order) {
        let other = order.other_charges + self.other;
        order.shipping_charges += self.shipping;
        order.other_charges = other.max(Decimal::ZERO);
        order.discount += self.discount - other.min(Decimal::ZERO);
        if self.is_in_price {
            order.discount = Decimal::ZERO;
            order.lines.iter_mut().for_each(|line| line.discount = Decimal::ZERO);
        }
    }
}

/// Settles what the sheet's own totals tell: discounts, charges and taxes that are in the order's amounts or not.
pub(super) fn settle(reader: &mut Reader<'_>, order: &mut Order) -> Settled {
    let collected = order.order_type == "COD";
    let given = claims_of(reader, order);
    let of = |role: AmountRole| given.iter().filter(move |given| given.role == role && !given.is_word);
    // What is to be collected of a prepaid order is nothing, whatever it is worth.
    let due = of(AmountRole::Collect).chain(of(AmountRole::Open)).filter(|_| collected);
    let compared: Vec<Given> = due.chain(of(AmountRole::Order)).chain(of(AmountRole::Total)).copied().collect();
    let mut sums = Sums::of(order, reader.rows.left_over);
    let is_explicit = has_explicit_discount(&reader.rows);
    let discounts = Discounts::of(&reader.rows, order, &sums);
    let found = solve(&reader.rows, order, (&given, &compared), sums.discounts, (&discounts, is_explicit));
    if let Some(change) = found {
        change.apply(order);
        sums = Sums::of(order, reader.rows.left_over);
        say_settled(reader, order, change, &compared);
    }
    let rounding = rounding_of(order);
    let is_told = compared.iter().any(|given| given.equals == Equals::Other);
    let is_confirmed = |order: &Order| compared.iter().any(|given| given.confirms(order.total(), rounding));
    let open = discounts.open(&reader.rows, order, (is_explicit, is_told, is_confirmed(order)));
    if let Some(Open { slot, finding, taken }) = open.filter(|_| found.is_none()) {
        order.discount += taken;
        let agrees = compared.iter().any(|given| given.is(order.total(), rounding));
        if let Some(finding) = finding.filter(|_| taken.is_zero() || !agrees) {
            reader.say(finding.found(reader.rows.text(&slot)), Id::Discount, Spot::of(&slot));
        }
    }
    if collected && !compared.iter().any(|given| given.is(order.total(), rounding)) {
        say_once(reader, order);
    }
    let due_agrees = compared.iter().any(|given| given.is_due() && given.is(order.total(), rounding));
    let carried = found.is_some_and(|change| !change.is_in_price);
    Settled { given, compared, sums, carried, due_agrees }
}

/// Whether a column that is called as the discount of the order has its amount of money: that is sent as it stands.
fn has_explicit_discount(rows: &Rows<'_>) -> bool {
    let Some(slot) = rows.cell(Id::Discount) else { return false };
    let is_amount = || rows.readings(&slot).first().is_some_and(|amount| !amount.is_zero());
    rows.column(&slot).is(Trait::Canonical) && !is_in_percent(rows, &slot) && is_amount()
}

/// The way to read the sheet's amounts by which the order comes to one of its totals, where it does not as it stands: one
/// change, or two of different kinds; to the cent before a whole amount.
fn solve(
    rows: &Rows<'_>,
    order: &Order,
    (given, compared): (&[Given], &[Given]),
    own: Decimal,
    (discounts, is_explicit): (&Discounts, bool),
) -> Option<Change> {
    let (total, rounding) = (order.total(), rounding_of(order));
    let is_to_the_cent = |amount: Decimal| compared.iter().any(|given| given.is_to_the_cent(amount, rounding));
    // What the products come to says nothing where another total has more in it.
    let more = compared.iter().any(|given| given.equals == Equals::Other && !given.is(total, rounding));
    let is_sent = compared.iter().any(|given| given.confirms(total, rounding) || (!more && given.is(total, rounding)));
    let kinds = if is_sent {
        // What is rounded off is all that lies between a sum and its total.
        let small: Vec<&Given> = beside(rows, given, order).into_iter().filter(|given| given.is_small()).collect();
        vec![discounts.in_price.into_iter().collect(), ways(rows, &[small])]
    } else {
        let rows_more = Decimal::from(rows.draft.rows.len().saturating_sub(1));
        let (shipping, other) = (order.shipping_charges * rows_more, order.other_charges * rows_more);
        let zero = Decimal::ZERO;
        let of_rows = [(shipping, zero), (zero, other), (shipping, other)];
        let of_rows = of_rows.map(|(shipping, other)| Change { shipping, other, ..Change::default() }).to_vec();
        let mut off: Vec<Change> = if is_explicit { Vec::new() } else { discounts.ways.clone() };
        off.push(Change::off(order.discount * rows_more));
        vec![off, of_rows, ways(rows, &choices(rows, given, order, own)), taxes(rows, given, order)]
    };
    if compared.is_empty() || (is_sent && is_to_the_cent(total) && discounts.in_price.is_none()) {
        return None;
    }
    let is_allowed = |change: &Change| {
        let takes_off = !change.discount.is_zero() || order.other_charges + change.other < Decimal::ZERO;
        !(change.is_none() || takes_off && is_explicit)
    };
    let singles = kinds.iter().flatten().copied();
    let pairs = (1..).zip(&kinds).flat_map(|(next, one)| {
        let others = kinds.iter().skip(next).flatten();
        others.flat_map(move |other| one.iter().map(move |first| first.and(*other)))
    });
    let all = singles.chain(pairs).map(|change| change.taxed(order));
    let all: Vec<Change> = all.filter(is_allowed).collect();
    let fits = |change: &Change, is: &dyn Fn(&Given, Decimal) -> bool| {
        let sum = total + change.shipping + change.other - change.discount;
        let counts = |given: &&Given| is_sent || change.is_in_price || given.equals == Equals::Other;
        compared.iter().filter(counts).any(|given| is(given, sum))
    };
    let exact = |given: &Given, sum: Decimal| given.is_to_the_cent(sum, rounding);
    let whole = |given: &Given, sum: Decimal| !is_sent && given.is(sum, rounding);
    all.iter().find(|change| fits(change, &exact)).or_else(|| all.iter().find(|change| fits(change, &whole))).copied()
}

/// Charges and deductions that no field has a column for.
fn beside<'g>(rows: &Rows<'_>, given: &'g [Given], order: &Order) -> Vec<&'g Given> {
    let collected = order.order_type == "COD";
    // What is paid by other means changes nothing in what a prepaid order is worth.
    let counts = |given: &&Given| {
        given.role == AmountRole::Beside
            && given.by_header
            && given.is_beside()
            && !given.is_word
            && (collected || !rows.column(&given.slot).is(Trait::OtherMeans))
    };
    given.iter().filter(counts).collect()
}

/// Which of them a total may have in it: what has the same figure as a field may be that field once more.
fn choices<'g>(rows: &Rows<'_>, given: &'g [Given], order: &Order, own: Decimal) -> Vec<Vec<&'g Given>> {
    let beside = beside(rows, given, order);
    let sent = [order.discount, order.shipping_charges, order.other_charges];
    let of = |is: &dyn Fn(&Given) -> bool| beside.iter().filter(|given| is(given)).copied().collect();
    vec![
        of(&|_| true),
        of(&Given::is_small),
        of(&|given| !is_once_more(rows, given, order, own)),
        of(&|given| !sent.contains(&given.amount)),
    ]
}

/// What charges come to and what is taken off, of each choice of them: once for the order, and then by rows.
fn ways(rows: &Rows<'_>, chosen: &[Vec<&Given>]) -> Vec<Change> {
    // One figure on every row may be that of each row.
    let of_rows = [false, true].into_iter().flat_map(|of_rows| chosen.iter().map(move |given| (given, of_rows)));
    let sums = of_rows.map(|(given, of_rows)| {
        let amount = |given: &&Given| if of_rows { given.otherwise() } else { given.amount };
        let (off, on): (Vec<&Given>, Vec<&Given>) =
            given.iter().partition(|given| rows.column(&given.slot).is(Trait::TakenOff));
        let (other, discount) = (on.iter().map(amount).sum(), off.iter().map(amount).sum());
        Change { other, discount, ..Change::default() }
    });
    sums.collect()
}

/// The tax that may come on top: as the sheet names it, or by its rate where it names none.
fn taxes(rows: &Rows<'_>, given: &[Given], order: &Order) -> Vec<Change> {
    if order.order_type != "COD" {
        return Vec::new();
    }
    let is_tax = |given: &Given| given.role == AmountRole::Tax && given.by_header;
    let named = tax_of(given, |given| given.amount).filter(|_| given.iter().any(is_tax));
    match named {
        Some(other) => vec![Change { other, ..Change::default() }],
        None if rows.says_taxed() => Vec::new(),
        None => vec![Change { is_taxed: true, ..Change::default() }],
    }
}

/// Says what is sent by the sheet's own total.
fn say_settled(reader: &mut Reader<'_>, order: &Order, change: Change, compared: &[Given]) {
    let rounding = rounding_of(order);
    let Some(total) = compared.iter().find(|given| given.is(order.total(), rounding)) else { return };
    let is_less = order.other_charges.is_zero() && change.other < Decimal::ZERO;
    let parts = [
        (
            !change.discount.is_zero() || change.is_in_price || is_less,
            total_differs::discount_of(shown(order.discount)),
        ),
        (!change.shipping.is_zero(), total_differs::shipping_of(shown(order.shipping_charges))),
        (!change.other.is_zero() && !is_less, total_differs::charges_of(shown(order.other_charges))),
    ];
    let parts: Vec<Finding> = parts.into_iter().filter(|(is_changed, _)| *is_changed).map(|(_, part)| part).collect();
    let notice = total_differs::settled(parts, shown(order.total())).found(reader.rows.text(&total.slot));
    reader.say(notice, Id::SubTotal, Spot::of(&total.slot));
}

/// Tells of an amount that stands on each row of an order and counts once, by a header that may mean either.
fn say_once(reader: &mut Reader<'_>, order: &Order) {
    let amounts = [
        (Id::Discount, order.discount),
        (Id::ShippingCharges, order.shipping_charges),
        (Id::OtherCharges, order.other_charges),
    ];
    for (id, amount) in amounts.into_iter().filter(|(_, amount)| !amount.is_zero()) {
        let Some(slot) = reader.rows.cell(id).filter(|_| reader.rows.draft.is_on_each_row(id)) else { continue };
        let columns = reader.rows.sheets.of(slot.at.sheet);
        if reader.rows.column(&slot).is(Trait::Exact) || columns.is_by_program() || columns.in_parts(id) {
            continue;
        }
        let header = reader.rows.header(&slot);
        let notice = total_differs::counts_once(header, shown(amount), shown(order.total()), id.field().header);
        reader.say(notice.found(reader.rows.text(&slot)), id, Spot::of(&slot));
    }
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

fn says_on_top(rows: &Rows<'_>, slot: &Slot) -> bool {
    let text = rows.text(slot).trim_end_matches('%').trim();
    let words = Vocabulary::built_in().text(text);
    let is_word =
        says(text) == Says::Yes || words.has(Topic::Values, "on_top") || words.says(Topic::Values, "not-included");
    is_word || rows.readings_of(slot, text).first().is_some_and(|amount| !amount.is_zero())
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

/// What the tax comes to by the rates of the lines, where their prices have none in them; `off` is what is taken off them.
pub(super) fn tax_on_top_of(order: &Order, off: Decimal) -> Option<Decimal> {
    let products: Decimal = order.lines.iter().map(|line| line.price * line.quantity).sum();
    let taxes = order.lines.iter().map(|line| line.price * line.quantity * line.tax_rate);
    let tax = taxes.sum::<Decimal>() * (products - off).checked_div(products)? / Decimal::ONE_HUNDRED;
    (tax > Decimal::ZERO).then(|| tax.round_dp(2))
}
