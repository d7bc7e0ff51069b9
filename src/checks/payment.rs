//! How far orders are paid: what cells beside their type of payment say of that, and figures in the cells of the type.

use crate::field::{
    ExtraRole, HowFar, Id, Owed, Payment, Status, how_far, owed, payment_and_figure, payment_type, payment_word, says,
};
use crate::finding::money::{bad_payment, held_back, partly_paid};
use crate::finding::{AmountChoice, AmountOf, Finding, Remedy};
use crate::order::{CellRef, Order, RawCell, SheetAmount, choice, rounding_of, same, shown};
use crate::profile::Meaning;
use crate::text::Decimal;
use crate::words::{Remark, Topic};

use super::view::{Findings, View};

/// What a cell of the type of payment says beside it: a figure that is not what the order comes to is a part of it.
pub(crate) fn check(view: &View<'_>, told: &mut Findings<'_>) {
    let order = view.order;
    let Some(slot) = view.rows.cell(Id::OrderType) else { return };
    let text = view.rows.text(&slot);
    let Some((payment, figure)) = payment_and_figure(text).filter(|_| !order.order_type.is_empty()) else { return };
    if order.lines.is_empty() || is_order(order, figure) {
        return;
    }
    let total = order.total();
    let due = if payment == Payment::Cod { figure } else { total - figure };
    let held = partly_paid::figure_in_payment(text, &order.order_type, shown(total), part_of(view, due));
    told.say(held.choosing(all_or_rest(view, Some(due))).found(text), Id::OrderType, CellRef::of(&slot));
}

/// What to do where an amount is none of the order's at all, though its header speaks of money.
pub(super) fn way_out(view: &View<'_>, given: &SheetAmount) -> Option<Remedy> {
    given.by_header.then(|| Remedy::ignore(view.rows.header(&given.slot)))
}

/// How a part of an order is collected, which no field of a request says.
fn part_of(view: &View<'_>, due: Decimal) -> Finding {
    let (order, columns) = (view.order, view.rows.sheets.of(view.rows.first.at.sheet));
    let off = order.total() - due;
    let is_part = due > Decimal::ZERO && off > Decimal::ZERO;
    let (due, off) = (shown(due), shown(order.discount + off));
    partly_paid::part(is_part.then_some(due), is_part.then_some(off), columns.header_of(Id::Discount))
}

/// All that an order comes to, or the rest of a COD order of which a part is paid.
fn all_or_rest(view: &View<'_>, due: Option<Decimal>) -> AmountChoice {
    let is_part = |due: &Decimal| view.order.order_type == "COD" && *due < view.order.total();
    choice(view.order, AmountOf::All, due.filter(is_part).map(|due| (due, AmountOf::Rest)))
}

/// The amount of an order that a cell says is open; zero where it is a part of which nobody knows how much.
fn open_of(view: &View<'_>, said: Owed) -> Option<Decimal> {
    match said {
        Owed::This(due) => Some(due),
        Owed::Less(paid) => Some(view.order.total() - paid),
        Owed::Part => Some(Decimal::ZERO),
        Owed::Nothing | Owed::NotCollected => None,
    }
}

/// Compares what a note, or a cell of an unknown column, says of the payment with what would be sent.
pub(super) fn check_payment_note(view: &View<'_>, told: &mut Findings<'_>, slot: &RawCell, own: &Remark<'_>) {
    let order = view.order;
    let text = view.rows.draft.text(slot);
    let column = view.rows.column(slot);
    let header = column.header.as_str();
    let is_type = column.names(Id::OrderType);
    let (kind, said, is_unpaid) = (payment_type(text), owed(text), own.says(Topic::Payment, "unpaid"));
    let is_means = is_type && payment_word(text) == Some(Payment::Means);
    if is_type && kind.is_none() && !is_means && PaymentState::of(text) != PaymentState::Unknown {
        return check_payment_state(view, told, slot);
    }
    let (is_cod, is_prepaid) = (order.order_type == "COD", order.order_type == "PREPAID");
    let other = match kind {
        Some(Payment::Cod) => is_prepaid,
        Some(_) => is_cod,
        None => (is_means && is_cod) || (is_prepaid && is_unpaid),
    };
    let said = said.filter(|_| !other && !column.says("of-others-payment"));
    let matters = match said {
        Some(Owed::Nothing) => is_cod,
        Some(Owed::NotCollected | Owed::Part) => is_cod && !view.advance_is_off(),
        Some(Owed::Less(figure)) => (is_cod && !view.advance_is_off()) || (is_prepaid && !is_order(order, figure)),
        Some(Owed::This(figure)) => (is_cod && !is_order(order, figure)) || (is_prepaid && !figure.is_zero()),
        None => false,
    };
    if !other && !matters {
        return;
    }
    let total = is_cod.then(|| shown(order.total()));
    let due = said.filter(|_| !other).and_then(|said| open_of(view, said));
    let part = due.map(|due| part_of(view, due));
    let held = bad_payment::otherwise(&order.order_type, header, text, total, part, Remedy::ignore(header));
    told.say(held.choosing(all_or_rest(view, due)).found(text), Id::OrderType, CellRef::of(slot));
}

/// Holds back a prepaid order of which a column of what is paid says no, in a word.
pub(super) fn check_paid(view: &View<'_>, told: &mut Findings<'_>, slot: &RawCell) {
    let text = view.rows.draft.text(slot);
    let of_part = view.rows.column(slot).says("part-payment");
    let is_word = text.contains(|c: char| c.is_alphabetic());
    let is_open = matches!(PaymentState::of(text), PaymentState::Unpaid | PaymentState::Part);
    if !of_part && is_word && is_open {
        check_payment_state(view, told, slot);
    }
}

/// Holds back a prepaid order of which the sheet wants money, or says that less is paid than it comes to.
pub(super) fn is_short_of_paid(view: &View<'_>, told: &mut Findings<'_>, given: &[SheetAmount]) {
    let order = view.order;
    let (total, rounding) = (order.total(), rounding_of(order));
    // Of a payment that is missing or wrong there is an error of its own, and what goes on credit is open.
    if order.order_type.is_empty() || order.lines.is_empty() || view.is_on_credit() {
        return;
    }
    let of_means = view.rows.sheets.of(view.rows.first.at.sheet).means_are_paid();
    let nothing_due = given.iter().any(|own| own.is_due() && own.amount.is_zero());
    let is_total = |amount: Decimal| {
        let mut totals = given.iter().filter(|own| matches!(own.role, ExtraRole::Order | ExtraRole::Total));
        amount + rounding >= total || same(amount, total, rounding) || totals.any(|own| own.is(amount, rounding))
    };
    let contradicts = |own: &&SheetAmount| {
        let column = view.rows.column(&own.slot);
        let counts = of_means && !nothing_due;
        match own.role {
            ExtraRole::Collect => !own.amount.is_zero(),
            // What is authorised is open as a whole until it is taken; of a part nobody knows how it is paid.
            ExtraRole::Open => !own.amount.is_zero() && !own.is(total, rounding),
            // A figure of one is a yes, and nothing paid of an advance says nothing of the rest.
            ExtraRole::Paid if own.is_word || own.amount == Decimal::ONE => false,
            ExtraRole::Paid if own.amount.is_zero() => {
                let is_figure = view.rows.text(&own.slot).contains(|c: char| c.is_ascii_digit());
                counts && !column.says("part-payment") && is_figure
            }
            ExtraRole::Paid => counts && !is_total(own.amount) && !is_total(own.otherwise()),
            ExtraRole::Beside => {
                counts && own.by_header && own.amount * Decimal::TEN >= total && column.says("pending")
            }
            _ => false,
        }
    };
    let Some(own) = given.iter().find(contradicts) else { return };
    let (header, text) = (view.rows.header(&own.slot), view.rows.text(&own.slot));
    let says_paid = (own.role == ExtraRole::Paid).then(|| own.amount.max(own.otherwise()));
    let due = says_paid.map_or(own.amount, |paid| total - paid);
    let held = partly_paid::less_paid(header, text, &order.order_type, shown(total), part_of(view, due));
    let held = held.choosing(all_or_rest(view, None)).remedies(way_out(view, own));
    told.say(held.found(text), Id::OrderType, CellRef::of(&own.slot));
}

/// Holds back a COD order of which a part is paid: the request can only collect all of it.
pub(super) fn is_paid_in_part(view: &View<'_>, told: &mut Findings<'_>, given: &[SheetAmount]) -> bool {
    let order = view.order;
    let mut paid = given.iter().filter(|own| own.role == ExtraRole::Paid && !own.amount.is_zero());
    // Beside a yes, the figure says how much.
    let Some(paid) = paid.clone().find(|own| !own.is_word).or_else(|| paid.next()) else { return false };
    // It is taken off already, and what is due says so.
    if view.advance_is_off() && !paid.is_word && order.discount >= paid.amount {
        return false;
    }
    let due = if paid.is_word { Decimal::ZERO } else { order.total() - paid.amount };
    let spot = CellRef::of(&paid.slot);
    let held = partly_paid::part_paid(&view.rows.place(spot), shown(order.total()), part_of(view, due));
    let held = held.choosing(all_or_rest(view, Some(due))).remedies(way_out(view, paid));
    told.say(held.found(view.rows.text(&paid.slot)), Id::OrderType, spot);
    true
}

/// Holds back a COD order with the number of a payment: where one was made, a part at least is paid.
pub(super) fn has_receipt(view: &View<'_>, told: &mut Findings<'_>) -> bool {
    let is_number = |text: &str| {
        let digits = text.bytes().filter(u8::is_ascii_digit).count();
        digits >= 6 && text.len() >= 8 && !text.contains(char::is_whitespace)
    };
    let receipt = view.rows.claimed_as(ExtraRole::Receipt).find(|slot| is_number(view.rows.text(slot)));
    let Some(slot) = receipt.filter(|_| !view.advance_is_off()) else { return false };
    let header = view.rows.header(slot);
    let held = bad_payment::has_receipt(header, part_of(view, Decimal::ZERO), Remedy::ignore(header));
    let held = held.choosing(all_or_rest(view, None));
    told.say(held.found(view.rows.text(slot)), Id::OrderType, CellRef::of(slot));
    true
}

/// Compares how far the payment is with how the order is sent.
pub(super) fn check_payment_state(view: &View<'_>, told: &mut Findings<'_>, slot: &RawCell) {
    let order = view.order;
    let text = view.rows.draft.text(slot);
    let column = view.rows.column(slot);
    let header = column.header.as_str();
    // The sheet's profile says where orders are paid: whatever made this one prepaid, it is not.
    if let Some(paid) = view.rows.sheets.of(slot.at.sheet).paid_where.as_ref().filter(|paid| paid.is_of(header)) {
        if order.order_type == "PREPAID" && !paid.holds(text) {
            let (outcome, ignore) = (held_back::nothing_collected(), Remedy::ignore(header));
            let held = held_back::payment_state("PREPAID", header, text, outcome, None, ignore);
            told.say(held.found(text), Id::OrderType, CellRef::of(slot));
        }
        return;
    }
    let meaning = view.rows.sheets.of(slot.at.sheet).meaning(slot.column, text);
    let said = meaning.and_then(PaymentState::said);
    let state = match (said.unwrap_or_else(|| PaymentState::of(text)), owed(text)) {
        (state, _) if said.is_some() => state,
        // Nobody has a transaction for what is paid at the door.
        (PaymentState::Silent, _)
            if column.says("transaction") && Topic::Payment.says(text, "well") && !view.advance_is_off() =>
        {
            PaymentState::Paid
        }
        (PaymentState::Silent, _) => return,
        (PaymentState::Failed, _) => PaymentState::Failed,
        (_, Some(Owed::Less(figure) | Owed::This(figure))) if !is_order(order, figure) => PaymentState::Part,
        (state, _) => state,
    };
    let (is_cod, is_prepaid) = (order.order_type == "COD", order.order_type == "PREPAID");
    let outcome = match state {
        PaymentState::Paid if is_cod => held_back::collected_again(),
        PaymentState::Unpaid | PaymentState::Part if is_prepaid && view.is_on_credit() => return,
        PaymentState::Unpaid if is_prepaid && meaning == Some(Meaning::Unpaid) => {
            let held = held_back::unpaid_as_answered(header, text);
            told.say(held.found(text), Id::OrderType, CellRef::of(slot));
            return;
        }
        PaymentState::Unpaid if is_prepaid => held_back::nothing_collected(),
        PaymentState::Part if is_prepaid => held_back::rest_not_collected(),
        PaymentState::Part if is_cod && !view.advance_is_off() => held_back::all_collected(),
        PaymentState::Failed | PaymentState::Unknown => held_back::still_to_be_shipped(),
        _ => return,
    };
    let due =
        (state == PaymentState::Part).then(|| owed(text).and_then(|said| open_of(view, said)).unwrap_or_default());
    let part = due.map(|due| part_of(view, due));
    let payment = &order.order_type;
    let held = held_back::payment_state(payment, header, text, outcome, part, Remedy::ignore(header));
    // Of a payment that failed it is asked whether the order goes at all.
    let asks_amount = !matches!(state, PaymentState::Failed | PaymentState::Unknown);
    let held = if asks_amount { held.choosing(all_or_rest(view, due)) } else { held };
    told.say(held.found(text), Id::OrderType, CellRef::of(slot));
}

/// Whether an amount is what the order comes to.
fn is_order(order: &Order, amount: Decimal) -> bool {
    same(amount, order.total(), rounding_of(order))
}

/// How far a payment is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PaymentState {
    Silent,
    Paid,
    Part,
    Unpaid,
    Failed,
    Unknown,
}

/// Whether a word says that a payment, or a part of it, is still open.
pub(super) fn is_unpaid(text: &str) -> bool {
    matches!(PaymentState::of(text), PaymentState::Unpaid | PaymentState::Part)
}

impl PaymentState {
    /// As a person says it.
    const fn said(meaning: Meaning) -> Option<Self> {
        match meaning {
            Meaning::Paid | Meaning::OnCredit => Some(Self::Paid),
            Meaning::Collect | Meaning::Unpaid => Some(Self::Unpaid),
            Meaning::Rest | Meaning::Go | Meaning::Hold | Meaning::Cancelled | Meaning::Sent => None,
        }
    }

    fn of(text: &str) -> Self {
        match says(text) {
            Status::Nothing => return Self::Silent,
            Status::No => return Self::Unpaid,
            Status::Yes => return Self::Paid,
            _ => {}
        }
        match payment_word(text) {
            Some(Payment::Cod) => return Self::Unpaid,
            Some(Payment::Prepaid) => return Self::Paid,
            // It says by what means, and not whether.
            Some(Payment::Means) => return Self::Silent,
            None => {}
        }
        match how_far(text) {
            Some(HowFar::Failed) => Self::Failed,
            Some(HowFar::Part) => Self::Part,
            Some(HowFar::Open) => Self::Unpaid,
            Some(HowFar::Paid) => Self::Paid,
            Some(HowFar::Well) => Self::Silent,
            None => Self::Unknown,
        }
    }
}
