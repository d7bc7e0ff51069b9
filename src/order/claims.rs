//! What a sheet says of its orders' amounts beside the fields, as far as it can be read.

use crate::check::Condition;
use crate::column::{Claim, Columns, Feed};
use crate::field::Trait;
use crate::field::{AmountRole, Id, Sign, TotalOf};
use crate::finding::money::total_differs;
use crate::origin::Place;
use crate::words::may_speak;
use rust_decimal::Decimal;

use super::draft::{Draft, LineDraft, Slot};
use super::read::Reader;
use super::row::{Cells, Row};
use super::rows::{Rows, Spot};
use super::types::{Line, Order};

/// What two sums may differ by for each line: each of them may have been rounded.
pub(crate) const ROUNDING: Decimal = Decimal::from_parts(1, 0, 0, false, 2);

/// What two sums of an order may differ by.
pub(crate) fn rounding_of(order: &Order) -> Decimal {
    ROUNDING * Decimal::from(order.lines.len())
}

impl Draft {
    /// Keeps what the row says of the order's amounts beside the fields.
    pub(super) fn keep_amounts<C: Cells>(&mut self, row: &Row<'_, C>, columns: &Columns) {
        for (index, amount) in columns.claims().iter().enumerate() {
            let is_note = amount.role == AmountRole::Sign(Sign::Note);
            let fed = Feed::cell(Id::SubTotal, amount.column);
            let (text, condition) = row.cells.cell(fed);
            if condition == Condition::NoValue && decides(amount.role) {
                self.say_without_value(columns.cell(row.at.row, amount.column));
            }
            // Of notes only what may decide something is kept.
            let speaks = !is_note || may_speak(text);
            if !text.is_empty() && speaks {
                let slot = self.keep(fed, text, condition, row.at);
                self.amounts.push((index, slot));
            }
        }
    }

    /// A cell that may hold an order back, or change what is collected, is no blank one because nobody has calculated it.
    fn say_without_value(&mut self, place: Place) {
        let Some(fault) = Condition::NoValue.fault() else { return };
        self.problems.push(fault.at(place).of_order(self.number.clone()));
    }
}

/// Whether an order may hang on a cell beside the fields.
const fn decides(role: AmountRole) -> bool {
    !matches!(role, AmountRole::Sign(Sign::Note) | AmountRole::Perhaps | AmountRole::ListPrice)
}

/// What a total is equal to, whatever it is the total of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Equals {
    /// Nothing but the order, if anything.
    Other,
    /// What the products come to, with nothing on top and nothing taken off.
    Products,
    /// Of each row, its own products, as an order of several rows shows.
    Rows,
}

/// An amount of the sheet that was read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Given {
    pub(crate) role: AmountRole,
    pub(crate) slot: Slot,
    /// What the sheet says: one figure, or the sum of its parts.
    pub(crate) amount: Decimal,
    /// What else it may say: the sum where every row repeats one figure, or another reading of its separators.
    other: Option<Decimal>,
    /// What it is equal to beside the order as a whole.
    pub(crate) equals: Equals,
    /// What its header says that it is the total of.
    pub(crate) named: TotalOf,
    /// Whether it only says yes.
    pub(crate) is_word: bool,
    /// Whether its header alone says what it is, and no profile.
    pub(crate) by_header: bool,
}

impl Given {
    pub(crate) fn is(&self, amount: Decimal, rounding: Decimal) -> bool {
        [Some(self.amount), self.other].into_iter().flatten().any(|given| same(given, amount, rounding))
    }

    /// Whether it is this amount, and not only that without its cents.
    pub(super) fn is_to_the_cent(&self, amount: Decimal, rounding: Decimal) -> bool {
        [Some(self.amount), self.other].into_iter().flatten().any(|given| (given - amount).abs() <= rounding)
    }

    /// The sum where every row has the same figure, or what its separators may mean else; the amount where it has none.
    pub(crate) fn otherwise(&self) -> Decimal {
        self.other.unwrap_or(self.amount)
    }

    /// Whether it says beyond doubt that this is what the order comes to, and not its products alone.
    pub(crate) fn confirms(&self, total: Decimal, rounding: Decimal) -> bool {
        self.is(total, rounding) && (self.equals == Equals::Other || self.named == TotalOf::Order)
    }

    /// Whether it is what is still to be paid.
    pub(crate) const fn is_due(&self) -> bool {
        matches!(self.role, AmountRole::Collect | AmountRole::Open)
    }

    /// Whether it is an amount that no field carries.
    pub(crate) fn is_beside(&self) -> bool {
        matches!(self.role, AmountRole::Beside | AmountRole::Tax) && !self.amount.is_zero()
    }
}

/// Whether a total that can be nothing but the order's has this amount.
pub(crate) fn is_total(compared: &[Given], amount: Decimal, rounding: Decimal) -> bool {
    compared.iter().any(|given| given.equals == Equals::Other && given.is(amount, rounding))
}

/// Whether two sums are one but for rounding, to the cent on each line or to a whole amount at the end.
pub(crate) fn same(given: Decimal, computed: Decimal, rounding: Decimal) -> bool {
    let difference = (given - computed).abs();
    difference <= rounding || (given.fract().is_zero() && difference < Decimal::ONE)
}

/// The sheet's amounts; one that cannot be read holds back what is collected by it.
pub(super) fn claims_of(reader: &mut Reader<'_>, order: &Order) -> Vec<Given> {
    let draft = reader.rows.draft;
    let mut given: Vec<Given> = Vec::new();
    let mut seen: Vec<(u16, usize)> = Vec::new();
    for (index, slot) in &draft.amounts {
        let sheet = slot.at.sheet;
        let Some(claim) = reader.rows.claim(*index, slot) else { continue };
        if !claim.role.is_money() || seen.contains(&(sheet, *index)) {
            continue;
        }
        seen.push((sheet, *index));
        let alike = |(other, slot): &&(usize, Slot)| other == index && slot.at.sheet == sheet;
        let slots: Vec<Slot> = draft.amounts.iter().filter(alike).map(|(_, slot)| *slot).collect();
        given.extend(total_of(reader, claim, &slots, order));
    }
    given
}

/// What the cells of one column say of the order.
pub(crate) fn total_of(reader: &mut Reader<'_>, claim: Claim, slots: &[Slot], order: &Order) -> Option<Given> {
    let draft = reader.rows.draft;
    let first = *slots.first()?;
    let Claim { role, each_line, by_header, .. } = claim;
    let mut read: Vec<Vec<Decimal>> = Vec::new();
    let mut words = 0;
    // `Is COD` may be 1 or 0; nobody collects one rupee.
    let column = reader.rows.column(&first);
    let (is_flag, is_off) = (column.is(Trait::CodFlag), column.is(Trait::TakenOff));
    for slot in slots {
        let text = draft.text(slot);
        let said = if is_flag && text == "1" { Some(Word::Yes) } else { word(role, text) };
        let readings = match said {
            Some(Word::Nothing) => vec![Decimal::ZERO],
            Some(Word::Yes) => {
                words += 1;
                vec![Decimal::ONE]
            }
            None if matches!(role, AmountRole::Beside | AmountRole::Tax) => {
                // What is taken off may be written with its minus, and any other charge is taken off by it.
                let plain = text.trim_start_matches(['-', '−', ' ']);
                let is_less = text.starts_with(['-', '−']) && role == AmountRole::Beside && !is_off;
                let read = reader.rows.readings_of(slot, plain);
                if is_less { read.into_iter().map(|amount| -amount).collect() } else { read }
            }
            None => reader.rows.readings(slot),
        };
        if readings.is_empty() {
            say_unreadable(reader, role, slot, order);
            return None;
        }
        read.push(readings);
    }
    let repeated = read.iter().all(|readings| *readings == read[0]);
    let sum: Decimal = read.iter().map(|readings| readings[0]).sum();
    let shown = if repeated { read[0][0] } else { sum };
    // What is to be collected for one row that stands there twice is no sum.
    let of_each = each_line && (role != AmountRole::Collect || !has_doubles(order));
    let other = if repeated && of_each && sum != shown { Some(sum) } else { read[0].get(1).copied() };
    let is_word = words == slots.len();
    let text = draft.text(&first);
    let is_number = column.is(Trait::Bill);
    if by_header && column.is(Trait::WeakTotal) && !is_money_like(is_number, text, shown, order.total()) {
        return None;
    }
    // A word that may mean other things is hardly an amount above all that the order comes to.
    if by_header && role == AmountRole::Beside && column.is(Trait::BareAmount) && shown > order.total() {
        return None;
    }
    let named = if role == AmountRole::Total { column.total_of } else { TotalOf::Order };
    let given = Given { role, slot: first, amount: shown, other, equals: Equals::Other, named, is_word, by_header };
    let equals =
        if role == AmountRole::Total { equals(&reader.rows, &given, slots, &read, order) } else { Equals::Other };
    Some(Given { equals, ..given })
}

fn say_unreadable(reader: &mut Reader<'_>, role: AmountRole, slot: &Slot, order: &Order) {
    let text = reader.rows.draft.text(slot);
    let telling = match role {
        AmountRole::Order | AmountRole::Collect | AmountRole::Open | AmountRole::Paid => true,
        AmountRole::Total => slot.condition.is_fault() || text.contains(|c: char| c.is_ascii_digit()),
        _ => false,
    };
    if order.order_type != "COD" || !telling {
        return;
    }
    reader.say(total_differs::unreadable().found(text), Id::SubTotal, Spot::of(slot));
}

/// Whether a total is that of all products, or each row's figure that of the row's own ones.
fn equals(rows: &Rows<'_>, given: &Given, slots: &[Slot], read: &[Vec<Decimal>], order: &Order) -> Equals {
    let rounding = rounding_of(order);
    let worth = |own: &dyn Fn(&LineDraft) -> bool| {
        let lines = rows.draft.lines.iter().zip(&order.lines).filter(|(draft, _)| own(draft));
        let (gross, less) = lines.fold((Decimal::ZERO, Decimal::ZERO), |(gross, less), (_, line)| {
            (gross + line.price * line.quantity, less + line.discount)
        });
        [gross, gross - less]
    };
    let own_of_each = slots.iter().zip(read).all(|(slot, readings)| {
        // The figure of a row whose product is left out is not of what goes.
        let has_line = rows.draft.lines.iter().any(|line| line.at == slot.at);
        let own = worth(&|line| line.at == slot.at);
        !has_line || own.into_iter().any(|sum| readings.iter().any(|given| same(*given, sum, ROUNDING)))
    });
    let rows = rows.draft.rows.len();
    if own_of_each && rows > 1 {
        Equals::Rows
    } else if own_of_each || worth(&|_| true).into_iter().any(|sum| given.is(sum, rounding)) {
        Equals::Products
    } else {
        Equals::Other
    }
}

/// Whether a line stands there twice.
fn has_doubles(order: &Order) -> bool {
    let same = |one: &Line, other: &Line| {
        one.product_name == other.product_name && one.sku == other.sku && one.description == other.description
    };
    has_two(&order.lines, same)
}

/// Whether two lines are the same by some measure.
pub(crate) fn has_two(lines: &[Line], same: impl Fn(&Line, &Line) -> bool) -> bool {
    (1..).zip(lines).any(|(next, line)| lines.iter().skip(next).any(|other| same(line, other)))
}

/// Whether a figure under a header that may mean other things is money: by its sign or its decimals, or else by its size.
fn is_money_like(may_be_number: bool, text: &str, amount: Decimal, total: Decimal) -> bool {
    let figures = text.trim_matches(|c: char| !c.is_ascii_digit());
    let has_cents = figures.rsplit_once(['.', ',']).is_some_and(|(_, cents)| cents.len() == 2);
    let has_sign = figures.len() < text.len();
    let is_sized = || amount >= total / Decimal::TEN && amount <= total * Decimal::TEN;
    // A number hardly lies a round sum beside what the order comes to.
    let is_beside = || {
        let difference = (amount - total).abs();
        (difference % Decimal::TEN).is_zero() && difference * Decimal::TWO <= total
    };
    has_sign || (if may_be_number { has_cents || is_beside() } else { is_sized() })
}

/// What a cell says that is no amount.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Word {
    Nothing,
    Yes,
}

/// A cell of what is paid or to be collected may say no more than yes or no.
fn word(role: AmountRole, text: &str) -> Option<Word> {
    let is = |words: &[&str]| words.iter().any(|word| word.eq_ignore_ascii_case(text));
    let nothing: &[&str] = match role {
        AmountRole::Paid => &["unpaid", "not paid", "pending", "due", "cod", "cash on delivery"],
        AmountRole::Collect => &["prepaid", "paid", "online"],
        _ => &[],
    };
    if is(&["no", "n", "false", "-", "na", "n/a", "none", "nil"]) || is(nothing) {
        return Some(Word::Nothing);
    }
    let yes: &[&str] = match role {
        AmountRole::Paid => &["yes", "y", "true", "partial"],
        AmountRole::Collect => &["yes", "y", "true", "cod", "cash on delivery"],
        _ => return None,
    };
    is(yes).then_some(Word::Yes)
}

/// An amount as people write it.
pub(crate) fn shown(amount: Decimal) -> Decimal {
    let mut amount = amount.normalize();
    if amount.scale() < 2 {
        amount.rescale(2);
    }
    amount
}
