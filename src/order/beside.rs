//! Amounts that no field carries: charges and deductions of other names, taxes, and what is paid already by other means.

use rust_decimal::Decimal;

use crate::column::Trait;
use crate::field::{AmountRole, Id};
use crate::finding::money::total_differs;
use crate::finding::{Finding, Remedy};

use super::amounts::{Equals, Given, ROUNDING, is_total, rounding_of, same};
use super::differ::shown;
use super::draft::{LineDraft, Slot};
use super::reader::{Reader, Spot};
use super::sums::Sums;
use super::types::Order;

/// Rates of India's tax on goods, for sheets that name only its amount.
const RATES: [i64; 6] = [3, 5, 12, 18, 28, 40];

/// What a total of the sheet says of what an order comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Agreed {
    /// There is none, or it is another one.
    Nothing,
    /// It is the same, and may be that of the products.
    Unclear,
    /// It is what the products come to, by a name that says the order: taxes are in it, and charges may not be.
    Sold,
}

impl Reader<'_> {
    /// Sends charges and deductions along that no field has a column for, where a total of the sheet has them in it; gives
    /// whether it has.
    pub(super) fn carry(&mut self, order: &mut Order, given: &[Given], compared: &[Given], own: Decimal) -> bool {
        if compared.is_empty() {
            return false;
        }
        let rounding = rounding_of(order);
        let total = order.total();
        let collected = order.order_type == "COD";
        let may_be = |given: &&Given| given.role == AmountRole::Beside && given.by_header && given.is_beside();
        // What is paid by other means changes nothing in what a prepaid order is worth.
        let counts = |given: &&Given| !given.is_word && (collected || !self.column(&given.slot).is(Trait::OtherMeans));
        let beside: Vec<&Given> = given.iter().filter(may_be).filter(counts).collect();
        let is_to_the_cent = |amount: Decimal| compared.iter().any(|given| given.is_to_the_cent(amount, rounding));
        // What the products come to says nothing where another total has more in it.
        let more = compared.iter().any(|given| given.equals == Equals::Other && !given.is(total, rounding));
        let is_sent =
            compared.iter().any(|given| given.confirms(total, rounding) || (!more && given.is(total, rounding)));
        // What is rounded off is all that lies between a sum and its total.
        if is_sent && (is_to_the_cent(total) || !beside.iter().any(|given| is_small(given))) {
            return false;
        }
        let is_tax = |given: &Given| given.role == AmountRole::Tax && given.by_header;
        let named = tax_of(given, |given| given.amount).filter(|_| given.iter().any(is_tax));
        // Where only its rate stands in the sheet, the sum settles whether it comes on top.
        let by_rate = named.is_none().then(|| tax_on_top_of(order, order.discount)).flatten();
        let by_rate = by_rate.filter(|tax| is_to_the_cent(total + *tax) && !self.says_taxed());
        let taxes = named.or(by_rate).filter(|_| collected && !is_sent);
        let sent = [order.discount, order.shipping_charges, order.other_charges];
        // What has the same figure as a field may be that field once more.
        let is_figure = |given: &&Given| !sent.contains(&given.amount);
        let is_other = |given: &&Given| !self.is_once_more(given, order, own);
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
            self.ways(&chosen).into_iter().find_map(|(on, off)| {
                let taxes = [Some(Decimal::ZERO), taxes].into_iter().flatten();
                let fits = |tax: &Decimal| (!(on + tax).is_zero() || !off.is_zero()) && is(total + on + tax - off);
                taxes.into_iter().find(fits).map(|tax| (on, off, tax))
            })
        });
        let Some((on, off, tax)) = found else { return false };
        let other = order.other_charges + on + tax;
        order.other_charges = other.max(Decimal::ZERO);
        order.discount += off - other.min(Decimal::ZERO);
        if !tax.is_zero() {
            self.say_taxed(given, tax);
        }
        true
    }

    /// What charges come to and what is taken off, of each choice of them: once for the order, and then by rows.
    fn ways(&self, chosen: &[Vec<&Given>]) -> Vec<(Decimal, Decimal)> {
        // One figure on every row may be that of each row.
        let of_rows = [false, true].into_iter().flat_map(|of_rows| chosen.iter().map(move |given| (given, of_rows)));
        let sums = of_rows.map(|(given, of_rows)| {
            let amount = |given: &&Given| if of_rows { given.otherwise() } else { given.amount };
            let (off, on): (Vec<&Given>, Vec<&Given>) =
                given.iter().partition(|given| self.column(&given.slot).is(Trait::TakenOff));
            (on.iter().map(amount).sum(), off.iter().map(amount).sum())
        });
        sums.collect()
    }

    /// Whether an amount may be one that is sent already: the same figure, of the same sign, by a header that may mean that
    /// very charge or discount. `own` is what the products' own discounts come to.
    fn is_once_more(&self, given: &Given, order: &Order, own: Decimal) -> bool {
        let fields = [
            (Id::Discount, order.discount),
            (Id::LineDiscount, own),
            (Id::ShippingCharges, order.shipping_charges),
            (Id::OtherCharges, order.other_charges),
        ];
        let column = self.column(&given.slot);
        // A tax that is written as other charges is sent.
        let is_tax = |id: Id| given.role == AmountRole::Tax && id == Id::OtherCharges;
        let is_same = |(id, amount): &(Id, Decimal)| {
            let slot = self.cell(*id).or_else(|| self.line_slot(*id));
            let charge = self.sheets.of(given.slot.at.sheet).charge_of(*id, slot.map(|slot| slot.column));
            *amount == given.amount && (is_tax(*id) || column.may_be_same_charge(charge))
        };
        given.is_beside() && fields.iter().any(is_same)
    }

    /// Says of a tax that it comes on top by the sheet's own total.
    fn say_taxed(&mut self, given: &[Given], tax: Decimal) {
        let named = given.iter().find(|given| given.role == AmountRole::Tax && given.is_beside());
        let named = named.map(|named| named.slot).or_else(|| self.line_slot(Id::TaxRate));
        let Some(cell) = named else { return };
        let notice = total_differs::tax_on_top(shown(tax), Id::OtherCharges.field().header);
        self.say(notice.found(self.draft.text(&cell)), Id::OtherCharges, Spot::of(&cell));
    }

    /// Says of an order for which something was received already, or is refunded, that no column says what is still due.
    pub(super) fn say_received(&mut self, order: &Order, given: &[Given], own: Decimal) -> bool {
        if order.order_type != "COD" || self.due_agrees {
            return false;
        }
        let received = |given: &&Given| {
            given.role == AmountRole::Beside
                && given.by_header
                && given.amount >= Decimal::ONE
                && !self.is_once_more(given, order, own)
                && self.column(&given.slot).is(Trait::OtherMeans)
        };
        let Some(received) = given.iter().find(received).copied() else { return false };
        let held = total_differs::received(shown(received.amount), shown(order.total()));
        self.say_amount(held, &received);
        true
    }

    /// Says of an order that no total confirms what may change the amount that it comes to.
    pub(super) fn say_beside(&mut self, order: &Order, given: &[Given], sums: &Sums, agreed: Agreed) -> bool {
        if given.is_empty() {
            return false;
        }
        let collected = order.order_type == "COD";
        // A tax that is in the prices is no other amount, and of what is paid it is left out in words of its own.
        let taxed = order.lines.iter().all(|line| line.taxes_included) && self.says_taxed()
            || tax_is_inside(order, given, agreed != Agreed::Nothing);
        let taxed = taxed || agreed == Agreed::Sold;
        let matters = |given: &Given| given.role != AmountRole::Tax || (collected && !taxed);
        // `Insurance` with all that the order is worth is what is insured.
        let is_worth = |given: &Given| {
            let column = self.column(&given.slot);
            column.is(Trait::BareAmount) && !column.is(Trait::TakenOff) && given.amount == order.total()
        };
        let told = |given: &&Given| {
            given.is_beside()
                && !is_worth(given)
                && !is_small(given)
                && matters(given)
                && !self.is_once_more(given, order, sums.discounts)
                && (collected || given.by_header)
        };
        let Some(beside) = given.iter().find(told).copied() else { return false };
        if collected {
            let way = self.way_for(&beside);
            let held = total_differs::unconfirmed(shown(beside.amount), shown(order.total()), way);
            self.say_amount(held, &beside);
            return true;
        }
        let notice = total_differs::beside(shown(beside.amount), shown(order.total()), total_differs::work_in());
        self.say_amount(notice, &beside);
        true
    }

    /// Says something of an amount that no field carries, whose column may be ignored.
    fn say_amount(&mut self, said: Finding, beside: &Given) {
        let said = said.remedies(self.way_out(beside)).found(self.draft.text(&beside.slot));
        self.say(said, Id::OtherCharges, Spot::of(&beside.slot));
    }

    /// What to do with an amount that may change what is collected.
    fn way_for(&self, beside: &Given) -> Finding {
        if beside.role == AmountRole::Tax {
            total_differs::way_of_tax()
        } else if self.column(&beside.slot).is(Trait::OtherMeans) {
            total_differs::write_due()
        } else {
            self.by_header(beside)
        }
    }

    /// Tells of an amount that stands on each row of an order and counts once, by a header that may mean either.
    pub(super) fn say_once(&mut self, order: &Order) {
        let amounts = [
            (Id::Discount, order.discount),
            (Id::ShippingCharges, order.shipping_charges),
            (Id::OtherCharges, order.other_charges),
        ];
        for (id, amount) in amounts.into_iter().filter(|(_, amount)| !amount.is_zero()) {
            let Some(slot) = self.cell(id).filter(|_| self.draft.is_on_each_row(id)) else { continue };
            let columns = self.sheets.of(slot.at.sheet);
            let (field, header) = (id.field(), columns.header(slot.column));
            if self.column(&slot).is(Trait::Exact) || columns.is_by_program() || columns.in_parts(id) {
                continue;
            }
            let once = if id == Id::Discount { total_differs::discount_once } else { total_differs::charge_once };
            let notice = once(header, shown(amount), shown(order.total()), field.header);
            self.say(notice.found(self.draft.text(&slot)), id, Spot::of(&slot));
        }
    }

    /// How an amount on top or off is sent along: by the header of its column, where no other column feeds that field.
    fn by_header(&self, beside: &Given) -> Finding {
        let columns = self.sheets.of(beside.slot.at.sheet);
        // A column of charges that may be negative has both.
        if beside.amount < Decimal::ZERO {
            return total_differs::write_collected();
        }
        let is_off = self.column(&beside.slot).is(Trait::TakenOff);
        let id = if is_off { Id::Discount } else { Id::OtherCharges };
        if columns.column(id).is_some() || !beside.by_header {
            return total_differs::work_in();
        }
        let way = if is_off { total_differs::if_taken_off } else { total_differs::if_on_top };
        way(id.field().header)
    }

    /// Asks of columns of figures that may be money, where no total of the sheet says what is collected.
    pub(super) fn say_perhaps(&mut self, order: &Order, given: &[Given]) {
        /// A fiftieth of the order is no charge any more.
        const PART_MIN: Decimal = Decimal::from_parts(50, 0, 0, false, 0);
        let total = order.total();
        let is_sized = |amount: Decimal| amount * PART_MIN >= total && amount <= total * Decimal::TWO;
        let asked = |own: &&Given| own.role == AmountRole::Perhaps && is_sized(own.amount) && own.amount != total;
        let asked: Vec<Given> = given.iter().filter(asked).copied().collect();
        let Some(first) = asked.first() else { return };
        let headers: Vec<String> = asked.iter().map(|own| self.header(own)).collect();
        let held = total_differs::may_be_money(
            &headers,
            shown(first.amount),
            shown(total),
            Id::OtherCharges.field().header,
            Id::Discount.field().header,
            Remedy::ignore_all(&headers),
        );
        self.say(held.found(self.draft.text(&first.slot)), Id::OtherCharges, Spot::of(&first.slot));
    }

    /// Whether the sheet itself, or its profile, says of every line whether taxes are in its price.
    fn says_taxed(&self) -> bool {
        let draft = self.draft;
        let cell = |line: &LineDraft| draft.cells_of(line).iter().any(|slot| slot.id == Id::TaxesIncluded);
        let default = |line: &LineDraft| self.sheets.of(line.at.sheet).default(Id::TaxesIncluded).is_some();
        draft.lines.iter().all(|line| cell(line) || default(line))
    }

    /// The cell that says that tax comes on top of the price, or the price under a header that says so; nothing where the
    /// sheet says of every line itself whether taxes are in its price.
    pub(super) fn tax_on_top(&self) -> Option<Slot> {
        let says_so = |(index, slot): &&(usize, Slot)| {
            self.claim(*index, slot).is_some_and(|claim| claim.role == AmountRole::TaxOnTop) && self.says_on_top(slot)
        };
        let told = self.draft.amounts.iter().find(says_so).map(|(_, slot)| *slot);
        let of_price = |slot: &Slot| self.column(slot).is(Trait::WithoutTax);
        told.or_else(|| self.line_slot(Id::Price).filter(of_price)).filter(|_| !self.says_taxed())
    }

    fn says_on_top(&self, slot: &Slot) -> bool {
        const YES: [&str; 4] = ["yes", "y", "true", "1"];
        const ON_TOP: [&str; 8] = ["excl", "extra", "plus", "on top", "ontop", "not incl", "without", "ex "];
        let text = self.draft.text(slot).trim_end_matches('%').trim().to_ascii_lowercase();
        let is_figure = self.readings(slot).first().is_some_and(|amount| !amount.is_zero());
        let is_word = YES.contains(&text.as_str()) || ON_TOP.iter().any(|word| text.starts_with(word));
        is_figure || is_word || is_rate(&text)
    }
}

/// What the tax comes to by the rates of the lines, where their prices have none in them; `off` is what is taken off them.
pub(super) fn tax_on_top_of(order: &Order, off: Decimal) -> Option<Decimal> {
    let products: Decimal = order.lines.iter().map(|line| line.price * line.quantity).sum();
    let taxes = order.lines.iter().map(|line| line.price * line.quantity * line.tax_rate);
    let tax = taxes.sum::<Decimal>() * (products - off).checked_div(products)? / Decimal::ONE_HUNDRED;
    (tax > Decimal::ZERO).then(|| tax.round_dp(2))
}

/// Less than one is a rounding, and is told by nobody at the door.
fn is_small(given: &Given) -> bool {
    given.amount.abs() < Decimal::ONE
}

/// All the tax that a sheet names for the order: its parts, or their sum beside them.
fn tax_of(given: &[Given], amount: impl Fn(&Given) -> Decimal) -> Option<Decimal> {
    let taxes = given.iter().filter(|given| given.role == AmountRole::Tax && given.is_beside());
    let amounts: Vec<Decimal> = taxes.map(amount).collect();
    let sum: Decimal = amounts.iter().sum();
    let whole = amounts.iter().find(|amount| amounts.len() > 1 && same(**amount * Decimal::TWO, sum, ROUNDING));
    // Halves of one tax are alike, and neither of them is all of it.
    let halves = amounts.len() == 2;
    if amounts.is_empty() { None } else { Some(whole.filter(|_| !halves).copied().unwrap_or(sum)) }
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

fn is_rate(text: &str) -> bool {
    text.parse::<Decimal>().is_ok_and(|rate| !rate.is_zero())
}
