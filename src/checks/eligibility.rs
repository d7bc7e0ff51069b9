//! Whether an order is eligible: what its own sheet says of that, by the program's rules for columns of any sheet.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::column::{Extra, RowRef};
use crate::field::{ExtraRole, Id, StateRole, Status, has_shipment_number, says};
use crate::finding::order::{held_back, row_left_out, unread_remark};
use crate::finding::{self, Finding, Remedy, RuleId};
use crate::order::{CellRef, RawCell, Text};
use crate::profile::{Filter, Meaning, Section, Shows, common_filters};
use crate::rule::{Rule, RuleLevel};
use crate::words::{Topic, is_marked};

use super::payment::{check_paid, check_payment_note, check_payment_state, is_unpaid};
use super::state_cell::StateCell;
use super::view::{Eligibility, Findings, View};

/// The rules by what cells say, by what they call the columns, in the order in which they are asked.
static RULES: LazyLock<HashMap<StateRole, Vec<&'static Filter>>> = LazyLock::new(|| {
    let mut rules: HashMap<StateRole, Vec<&'static Filter>> = HashMap::new();
    for section in [Section::Skip, Section::Go, Section::Hold] {
        for rule in common_filters().filter(|rule| rule.section == section) {
            rule.role.iter().for_each(|role| rules.entry(*role).or_default().push(rule));
        }
    }
    rules
});

/// Headers that say what `Dispatch` may mean.
const EITHER_WAY: [&str; 2] = ["Dispatched", "Ready to Dispatch"];

/// A cell that a rule is for.
#[derive(Clone, Copy)]
struct Found {
    slot: RawCell,
    sign: StateRole,
    rule: &'static Filter,
}

/// Holds back an order of which its sheet does not say that it is ready, and tells of one that is over.
pub(crate) fn check(view: &View<'_>, told: &mut Findings<'_>) {
    told.eligibility = eligibility(view, told);
}

fn eligibility(view: &View<'_>, told: &mut Findings<'_>) -> Eligibility {
    let draft = view.rows.draft;
    let order_type: &str = &view.order.order_type;
    let mut over: Option<Found> = None;
    let mut asked: Vec<Found> = Vec::new();
    for (claim, slot) in view.rows.claimed() {
        let sign = match claim.role {
            ExtraRole::Sign(sign) => sign,
            // `Paid` may say no, beside amounts.
            ExtraRole::Paid if order_type == "PREPAID" => {
                check_paid(view, told, slot);
                continue;
            }
            _ => continue,
        };
        // What every row repeats is read once.
        let text = view.rows.text(slot);
        let is_same = |other: &RawCell| {
            (other.at.sheet, other.column) == (slot.at.sheet, slot.column) && view.rows.text(other) == text
        };
        if sign.is_note() && draft.amounts.iter().map(|(_, own)| own).take_while(|own| own.at != slot.at).any(is_same) {
            continue;
        }
        // What is said of an invoice may be how far its payment is: `Unpaid`, `Overdue`.
        let is_invoice = sign == StateRole::Task && view.rows.column(slot).says("invoice");
        // A person has said that it speaks of the payment, wherever it stands.
        let meaning = view.rows.sheets.of(slot.at.sheet).meaning(slot.column, text);
        let is_payment = meaning.is_some_and(|meaning| Meaning::OF_PAYMENT.contains(&meaning));
        if sign == StateRole::Payment || is_payment || (is_invoice && says(text) == Status::Unclear && is_unpaid(text))
        {
            check_payment_state(view, told, slot);
            continue;
        }
        let Some(rule) = rule_of(view, told, sign, slot) else { continue };
        let found = Found { slot: *slot, sign, rule };
        match rule.section {
            Section::Go => {}
            // Of an order some of whose rows are over, the others may still have to go.
            Section::Skip if is_over_on_all_rows(view, told, claim, &found) => drop(over.get_or_insert(found)),
            Section::Skip | Section::Hold => asked.push(found),
        }
    }
    // Rows of two orders under one number are not over because those of one are.
    let clash = || draft.problems.iter().any(|problem| problem.id == finding::Id::OrderClash);
    let in_part = asked.first().is_some_and(|found| found.rule.section == Section::Skip);
    if let Some(found) = over.filter(|_| !in_part && !clash()) {
        // What else may be wrong with it is nobody's work any more.
        told.problems = vec![left_out(view, &found)];
        let is_cancelled = found.rule.shows == Some(Shows::Cancelled);
        return if is_cancelled { Eligibility::Cancelled } else { Eligibility::Over };
    }
    // One question is enough to hold an order; behind one whose rule lets it go, the next may hold it.
    if let Some(found) = asked.into_iter().find(|found| ask(view, told, found)) {
        let is_sent = found.rule.section == Section::Hold && found.rule.shows == Some(Shows::Sent);
        return if is_sent { Eligibility::Sent } else { Eligibility::Yes };
    }
    if !check_marks(view, told) {
        check_consent(view, told, order_type);
    }
    Eligibility::Yes
}

/// The rule that is for a cell. What a remark says of the payment must be what is sent.
fn rule_of(view: &View<'_>, told: &mut Findings<'_>, sign: StateRole, slot: &RawCell) -> Option<&'static Filter> {
    let text = view.rows.draft.text(slot);
    let (silent, about) = (&view.rows.recurring.silent, (slot.at.sheet, slot.column, sign));
    if sign.is_note() && silent.find(slot.column, &about, text).is_some() {
        return None;
    }
    let cell = StateCell::new(view.rows, slot, sign);
    let mut rules = RULES.get(&sign).into_iter().flatten().filter(|_| !cell.is_blank());
    let found = rules.find(|rule| rule.takes(text, false, |sense| cell.shows(sense))).copied();
    if sign.is_note() && found.is_none() {
        let columns = view.rows.sheets.of(slot.at.sheet);
        if columns.is_on_payment(slot.column, text, cell.remark()) {
            check_payment_note(view, told, slot, cell.remark());
        } else if sign == StateRole::Note && columns.is_unread(slot.column, text, cell.remark()) {
            take_unread(view, told, slot);
        } else if !(sign == StateRole::Courier && has_shipment_number(text, false, "")) {
            silent.keep(slot.column, about, text, ());
        }
    }
    found
}

/// Holds back an order that somebody has marked in a cell of its name, address or product.
fn check_marks(view: &View<'_>, told: &mut Findings<'_>) -> bool {
    let order = view.order;
    let (receiver, to) = (&order.receiver, &order.destination);
    let name: Text = [receiver.first_name.as_str(), " ", &receiver.last_name].into_iter().collect();
    let texts = [
        (Id::OrderNumber, order.number.as_str()),
        (Id::ReceiverFirstName, name.trim()),
        (Id::DestinationLine1, &to.line1),
        (Id::DestinationLine2, &to.line2),
        (Id::DestinationCity, &to.city),
    ];
    let products = order.lines.iter().map(|line| (Id::ProductName, line.product_name.as_str()));
    let marked = texts.into_iter().chain(products).find(|(id, text)| {
        let of_product = *id == Id::ProductName;
        view.rows.recurring.marked.ask(*id as u32, of_product, text, |text| is_marked(text, of_product))
    });
    let Some((id, text)) = marked else { return false };
    let cell = if id == Id::ProductName { view.rows.line_slot(id) } else { view.rows.cell(id) };
    let spot = cell.map_or(view.rows.first, |cell| CellRef::of(&cell));
    let marked = if id == Id::ProductName { held_back::marked_product } else { held_back::marked };
    told.say(marked(id.field().header, text).found(text), id, spot)
}

/// Holds back an order that is blank where others have a yes that lets them go.
fn check_consent(view: &View<'_>, told: &mut Findings<'_>, order_type: &str) {
    let draft = view.rows.draft;
    for at in draft.rows.iter().filter(|at| !draft.bare.contains(at)) {
        let columns = view.rows.sheets.of(at.sheet);
        let filled = |column: u32| draft.amounts.iter().any(|(_, slot)| slot.at == *at && slot.column == column);
        // Nobody asks for what is paid already whether it is to be collected.
        let concerns = |column: u32| order_type != "PREPAID" || !columns.get(column).says("cod");
        let blank = columns.consents.iter().copied().find(|column| !filled(*column) && concerns(*column));
        let Some(column) = blank else { continue };
        let header = columns.header(column);
        let held = held_back::not_confirmed(header, Remedy::ignore(header)).remedy(Remedy::edit("yes"));
        if told.say(held, Id::OrderNumber, CellRef::cell(*at, column)) {
            return;
        }
    }
}

/// Whether all rows of an order say in one column that it is over. A row that repeats nothing of the order says nothing
/// of its state either.
fn is_over_on_all_rows(view: &View<'_>, told: &mut Findings<'_>, claim: Extra, found: &Found) -> bool {
    let (draft, slot) = (view.rows.draft, found.slot);
    let here = |(other, own): &(Extra, &RawCell)| *other == claim && own.at.sheet == slot.at.sheet;
    let cells: Vec<RawCell> = view.rows.claimed().filter(here).map(|(_, slot)| *slot).collect();
    let mut is_over =
        |own: &RawCell| rule_of(view, told, found.sign, own).is_some_and(|rule| rule.section == Section::Skip);
    if !cells.iter().all(&mut is_over) {
        return false;
    }
    let repeats = |at: &RowRef| !draft.bare.contains(at);
    let filled = |at: &RowRef| cells.iter().any(|own| own.at == *at);
    let once = cells.iter().all(|own| repeats(&own.at));
    draft.rows.iter().all(|at| at.sheet != slot.at.sheet || filled(at) || (once && !repeats(at)))
}

/// What becomes of an order with a remark that nobody could read: it is counted for its sheet, unless its rule holds.
fn take_unread(view: &View<'_>, told: &mut Findings<'_>, slot: &RawCell) {
    let levels = &view.rows.sheets.of(slot.at.sheet).levels;
    match levels.of(Rule::of(RuleId::UnreadRemarks)).0 {
        Some(RuleLevel::Hold) => {
            let text = view.rows.draft.text(slot);
            told.say(unread_remark::in_order(text).found(text), Id::OrderNumber, CellRef::of(slot));
        }
        Some(RuleLevel::Warn) => told.unread.push(*slot),
        _ => {}
    }
}

/// What is said of an order that is over by its sheet's own word.
fn left_out(view: &View<'_>, found: &Found) -> Finding {
    let Found { slot, sign, .. } = found;
    let notice = row_left_out::over(view.rows.header(slot), sign.is_state(), sign.is_yes()).remedy(to_let_go(*sign));
    let notice = notice.found(view.rows.draft.text(slot)).at(view.rows.place(CellRef::of(slot)));
    notice.of_order(view.rows.draft.number.clone())
}

/// Asks whether an order is to go that a cell speaks against. Gives whether that holds it.
fn ask(view: &View<'_>, told: &mut Findings<'_>, found: &Found) -> bool {
    let Found { slot, sign, rule } = found;
    let sign = *sign;
    let (header, text) = (view.rows.header(slot), view.rows.draft.text(slot));
    // A note that is sent would be lost with its column.
    let is_sent = sign.is_note() && view.rows.sheets.of(slot.at.sheet).fed().any(|feed| feed.column == slot.column);
    let passing = || (!header.is_empty() && !is_sent).then(|| Remedy::ignore(header));
    // Nobody lets all orders go that are sent or over.
    let always = match sign {
        _ if !sign.is_state() => passing(),
        _ if Topic::States.says(text, "end") => None,
        _ => Some(Remedy::listed("check", "ready", text)),
    };
    let is_word = sign.is_state() && always.is_some();
    let column = view.rows.column(slot);
    let counts_pieces = column.says("pieces-gone") || column.says("pieces-to-go");
    let of_pieces = counts_pieces && text.bytes().all(|byte| byte.is_ascii_digit());
    let cell = StateCell::new(view.rows, slot, sign);
    let is_either_way = cell.shows("either-way");
    let is_answered = cell.meaning() == Some(Meaning::Hold);
    let held = match sign {
        // Some of the products are over and others are not, as far as the sheet says.
        _ if rule.section == Section::Skip => held_back::over_in_part(header, text, sign.is_state(), sign.is_yes()),
        _ if is_answered && sign.is_note() => held_back::note_as_answered(header, text),
        _ if is_answered => held_back::state_as_answered(header, text),
        _ if rule.shows == Some(Shows::Returned) => held_back::comes_back(header, text),
        _ if of_pieces => held_back::pieces_in_question(header, text, is_word),
        _ if sign.is_note() => held_back::note_in_question(header, text),
        _ if is_either_way => {
            let [done, to_do] = EITHER_WAY.map(|to| Remedy::rename(header, to));
            held_back::either_way(header, text, done, to_do)
        }
        StateRole::Number | StateRole::Day | StateRole::Sent | StateRole::Shipped => {
            held_back::shipped_in_question(header, text)
        }
        _ => held_back::in_question(header, text, sign.is_state(), sign.is_yes(), is_word),
    };
    let held = match (rule.section, rule.shows) {
        (Section::Skip, _) => held.remedy(to_let_go(sign)),
        (_, Some(Shows::Returned)) => held.remedy(Remedy::edit("Forward")).remedies(passing()),
        _ if is_either_way || is_sent => held,
        _ if is_answered => held.remedy(to_let_go(sign)),
        _ => held.remedy(to_let_go(sign)).remedies(always),
    };
    told.say(held.found(text), Id::OrderNumber, CellRef::of(slot))
}

/// What to write into the cell of an order that is to go.
fn to_let_go(sign: StateRole) -> Remedy {
    Remedy::edit(match sign {
        _ if sign.is_state() => "ready",
        _ if sign.is_yes() => "yes",
        _ => "",
    })
}
