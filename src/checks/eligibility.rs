//! Whether an order is eligible: what its own sheet says of that, where no profile has a rule for it.

use crate::check::{DayOrder, Habit, Input, Rules, Value, value};
use crate::column::RowRef;
use crate::field::Trait;
use crate::field::{AmountRole, Id, Says, Sign, day_at_end, has_shipment_number, normalised, says};
use crate::finding::order::{held_back, row_left_out, unread_remark};
use crate::finding::{self, Finding, Remedy, RuleId, Value as Setting};
use crate::order::{Slot, Spot};
use crate::rule::{Rule, RuleLevel};
use crate::words::{Remark, Topic, Vocabulary, is_marked, is_marked_product};
use jiff::Timestamp;
use jiff::civil::Date;

use super::payment::{check_paid, check_payment_state, is_silent_on_payment, is_unpaid};
use super::verdict::{Verdict, When, is_task_done, numbered, ready, sent, stopped};
use super::view::{Eligibility, Told, View};

/// Holds back an order of which its sheet does not say that it is ready, and tells of one that is over.
pub(crate) fn check(view: &View<'_>, told: &mut Told<'_>) {
    told.eligibility = eligibility(view, told);
}

fn eligibility(view: &View<'_>, told: &mut Told<'_>) -> Eligibility {
    let order = view.order;
    let draft = view.rows.draft;
    let order_type: &str = &order.order_type;
    let mut over: Option<(Slot, Sign, Verdict)> = None;
    let mut asked: Vec<(Slot, Sign, Verdict)> = Vec::new();
    for (index, slot) in &draft.amounts {
        let sign = match view.rows.claim(*index, slot).map(|claim| claim.role) {
            Some(AmountRole::Sign(sign)) => sign,
            // `Paid` may say no, beside amounts.
            Some(AmountRole::Paid) if order_type == "PREPAID" => {
                check_paid(view, told, slot);
                continue;
            }
            _ => continue,
        };
        if matches!(sign, Sign::Note | Sign::Kind | Sign::Courier) {
            if sign == Sign::Kind && is_forward(draft.text(slot)) {
                continue;
            }
            asked.extend(ask_of_words(view, told, slot, sign).map(|(sign, verdict)| (*slot, sign, verdict)));
            continue;
        }
        if sign == Sign::Payment || (sign == Sign::Task && is_of_payment(view, slot)) {
            check_payment_state(view, told, slot);
            continue;
        }
        let means = if is_day_of_going(view, told, slot, sign) {
            Verdict::Sent
        } else {
            verdict_of(view, told, sign, draft.text(slot))
        };
        match means {
            Verdict::Silent | Verdict::Goes => {}
            // Of an order some of whose rows are over, the others may still have to go.
            Verdict::Over | Verdict::Cancelled if !is_over_on_all_rows(view, told, *index, sign, slot) => {
                asked.push((*slot, sign, Verdict::Over));
            }
            verdict @ (Verdict::Over | Verdict::Cancelled) => drop(over.get_or_insert((*slot, sign, verdict))),
            verdict => asked.push((*slot, sign, verdict)),
        }
    }
    // Rows of two orders under one number are not over because those of one are.
    let clash = || draft.problems.iter().any(|problem| problem.id == finding::Id::OrderClash);
    let in_part = asked.first().is_some_and(|(.., verdict)| *verdict == Verdict::Over);
    if let Some((slot, sign, verdict)) = over.filter(|_| !in_part && !clash()) {
        // What else may be wrong with it is nobody's work any more.
        told.problems = vec![left_out(view, &slot, sign)];
        return if verdict == Verdict::Cancelled { Eligibility::Cancelled } else { Eligibility::Over };
    }
    // One question is enough to hold an order; behind one whose rule lets it go, the next may hold it.
    for (slot, sign, verdict) in asked {
        let holds = match sign {
            Sign::Kind => ask_of_way(view, told, &slot),
            _ if verdict == Verdict::Over => ask_of_rest(view, told, &slot, sign),
            _ => ask(view, told, &slot, sign),
        };
        if holds {
            return if verdict == Verdict::Sent { Eligibility::Sent } else { Eligibility::Held };
        }
    }
    if check_marks(view, told) { Eligibility::Held } else { check_consent(view, told, order_type) }
}

/// Holds back an order that somebody has marked in a cell of its name, address or product.
fn check_marks(view: &View<'_>, told: &mut Told<'_>) -> bool {
    let order = view.order;
    let (receiver, to) = (&order.receiver, &order.destination);
    let name = format!("{} {}", receiver.first_name, receiver.last_name);
    let texts = [
        (Id::OrderNumber, order.number.as_str()),
        (Id::ReceiverFirstName, name.trim()),
        (Id::DestinationLine1, &to.line1),
        (Id::DestinationLine2, &to.line2),
        (Id::DestinationCity, &to.city),
    ];
    let product = || order.lines.iter().map(|line| line.product_name.as_str()).find(|name| is_marked_product(name));
    let marked = texts.into_iter().find(|(_, text)| is_marked(text));
    let Some((id, text)) = marked.or_else(|| product().map(|text| (Id::ProductName, text))) else { return false };
    let cell = if id == Id::ProductName { view.rows.line_slot(id) } else { view.rows.cell(id) };
    let spot = cell.map_or(view.rows.first, |cell| Spot::of(&cell));
    let marked = if id == Id::ProductName { held_back::marked_product } else { held_back::marked };
    told.say(marked(id.field().header, text).found(text), id, spot)
}

/// Holds back an order that is blank where others have a yes that lets them go.
fn check_consent(view: &View<'_>, told: &mut Told<'_>, order_type: &str) -> Eligibility {
    let draft = view.rows.draft;
    for at in draft.rows.iter().filter(|at| !draft.bare.contains(at)) {
        let columns = view.rows.sheets.of(at.sheet);
        let filled = |column: u32| draft.amounts.iter().any(|(_, slot)| slot.at == *at && slot.column == column);
        // Nobody asks for what is paid already whether it is to be collected.
        let concerns = |column: u32| order_type != "PREPAID" || !columns.get(column).is(Trait::Cod);
        let blank = columns.consents().iter().copied().find(|column| !filled(*column) && concerns(*column));
        let Some(column) = blank else { continue };
        let header = columns.header(column);
        let held = held_back::not_confirmed(header, Remedy::ignore(header)).remedy(Remedy::edit("yes"));
        if told.say(held, Id::OrderNumber, Spot::cell(*at, column)) {
            return Eligibility::Held;
        }
    }
    Eligibility::Yes
}

/// Whether all rows of an order say in one column that it is over. A row that repeats nothing of the order says nothing
/// of its state either.
fn is_over_on_all_rows(view: &View<'_>, told: &mut Told<'_>, index: usize, sign: Sign, slot: &Slot) -> bool {
    let draft = view.rows.draft;
    let here = |other: &&(usize, Slot)| other.0 == index && other.1.at.sheet == slot.at.sheet;
    let cells: Vec<Slot> = draft.amounts.iter().filter(here).map(|(_, slot)| *slot).collect();
    let is_over =
        |own: &Slot| matches!(verdict_of(view, told, sign, draft.text(own)), Verdict::Over | Verdict::Cancelled);
    if !cells.iter().all(is_over) {
        return false;
    }
    let repeats = |at: &RowRef| !draft.bare.contains(at);
    let filled = |at: &RowRef| cells.iter().any(|own| own.at == *at);
    let once = cells.iter().all(|own| repeats(&own.at));
    draft.rows.iter().all(|at| at.sheet != slot.at.sheet || filled(at) || (once && !repeats(at)))
}

/// What one cell says of whether its order goes.
fn verdict_of(view: &View<'_>, told: &mut Told<'_>, sign: Sign, text: &str) -> Verdict {
    let bare = || Some(normalised(text)).filter(|bare| !bare.is_empty());
    let named = |word: &String| bare().is_some_and(|bare| normalised(word) == bare);
    let is_ready = view.rows.rules.ready_words.iter().any(named);
    let means = if is_ready { Says::Ready } else { told.memo.says(text) };
    if means == Says::Nothing {
        return Verdict::Silent;
    }
    let day = if sign == Sign::Number { When::Never } else { when(view, told, text) };
    // What is to be delivered on a day is not delivered.
    if day == When::Ahead && matches!(means, Says::Sent | Says::Cancelled | Says::Ready | Says::Booked | Says::Done) {
        return Verdict::Asked;
    }
    match sign {
        Sign::Note | Sign::Kind | Sign::Courier | Sign::Payment => Verdict::Silent,
        Sign::Stop { over } => stopped(over, means, text, day),
        Sign::Ready(of) => ready(of, means, text, day),
        Sign::Sent { plain } => sent(plain, means, text, day),
        Sign::Number => numbered(means, text),
        Sign::Day => match means {
            Says::Unclear if day != When::Past => Verdict::Silent,
            _ => sent(false, means, text, day),
        },
        Sign::State => match means {
            Says::Cancelled => Verdict::Cancelled,
            Says::Sent => Verdict::Over,
            Says::Booked => Verdict::Sent,
            Says::Ready | Says::Yes => Verdict::Goes,
            // `Order State` may be where it goes.
            _ if told.memo.indian_state(text).is_some() => Verdict::Silent,
            _ => Verdict::Asked,
        },
        // An invoice that is sent, or cancelled, is no parcel.
        Sign::Task => match means {
            Says::Ready | Says::Yes | Says::Done => Verdict::Goes,
            Says::Booked => Verdict::Sent,
            Says::Sent | Says::Unclear if is_task_done(text) => Verdict::Goes,
            _ => Verdict::Asked,
        },
    }
}

/// Whether a day on which an order is sent was yesterday, or is today in a column that is filled as the orders go: what
/// left last evening has no number of a shipment yet.
fn is_day_of_going(view: &View<'_>, told: &mut Told<'_>, slot: &Slot, sign: Sign) -> bool {
    let text = view.rows.draft.text(slot);
    if sign != Sign::Day || when(view, told, text) != When::Now || told.memo.says(text) != Says::Unclear {
        return false;
    }
    let (today, rules) = (view.rows.rules.today(), view.rows.rules);
    let mut is_over = |text: &str| told.memo.day(text, |text| day_of(text, rules)).is_some_and(|day| day < today);
    let days = view.rows.sheets.of(slot.at.sheet).days(slot.column);
    is_over(text) || days.is_some_and(|days| days.is_register(is_over))
}

/// When the day is that a cell ends with: yesterday's may be one of what is late.
pub(crate) fn when(view: &View<'_>, told: &mut Told<'_>, text: &str) -> When {
    let (today, rules) = (view.rows.rules.today(), view.rows.rules);
    match told.memo.day(text, |text| day_of(text, rules)) {
        None => When::Never,
        Some(day) if day > today => When::Ahead,
        Some(day) if day.tomorrow().is_ok_and(|next| next < today) => When::Past,
        Some(_) => When::Now,
    }
}

/// What a note, or a cell of an unknown column, says of whether the order goes. What it says of the payment must be what is
/// sent.
fn ask_of_words(view: &View<'_>, told: &mut Told<'_>, slot: &Slot, sign: Sign) -> Option<(Sign, Verdict)> {
    let text = view.rows.draft.text(slot);
    let known = told.memo.is_silent(slot.at.sheet, slot.column, text);
    let columns = view.rows.sheets.of(slot.at.sheet);
    let remark = Remark::new(columns.vocabulary(), if known.is_some() { "" } else { text });
    if comes_back(view, told, slot, sign, &remark) {
        return Some((Sign::Kind, Verdict::Asked));
    }
    if sign == Sign::Courier && names_shipment(view, slot) {
        return Some((sign, Verdict::Sent));
    }
    let column = view.rows.column(slot);
    if remark.stops(column.about) {
        return Some((Sign::Note, Verdict::Asked));
    }
    if known.is_none() && columns.means_are_paid() && !is_silent_on_payment(view, told, slot, &remark) {
        return None;
    }
    let is_unread = known.unwrap_or_else(|| sign == Sign::Note && remark.is_unread() && column.about.remarks);
    told.memo.keep_silent((slot.at.sheet, slot.column), text, is_unread);
    if is_unread {
        take_unread(view, told, slot);
    }
    None
}

/// What becomes of an order with a remark that nobody could read: it is counted for its sheet, unless its rule holds.
fn take_unread(view: &View<'_>, told: &mut Told<'_>, slot: &Slot) {
    let levels = view.rows.sheets.of(slot.at.sheet).levels();
    match levels.of(Rule::of(RuleId::UnreadRemarks)).0 {
        Some(RuleLevel::Hold) => {
            let text = view.rows.draft.text(slot);
            let held = unread_remark::in_order(text, own_word("harmless", text), own_word("hold", text));
            told.say(held.found(text), Id::OrderNumber, Spot::of(slot));
        }
        Some(RuleLevel::Warn) => told.unread.push(*slot),
        _ => {}
    }
}

/// Whether a kind of shipment, or a yes under one, is that of a parcel that the customer hands over. Of any other column
/// the whole cell must say so.
fn comes_back(view: &View<'_>, told: &mut Told<'_>, slot: &Slot, sign: Sign, remark: &Remark<'_>) -> bool {
    let text = view.rows.draft.text(slot);
    let column = view.rows.column(slot);
    if sign != Sign::Kind {
        return remark.is_return() && !column.about.goods;
    }
    told.memo.says_backwards(text) || (told.memo.says(text) == Says::Yes && column.is(Trait::Backwards))
}

/// Whether a cell about the courier has the number of a shipment in it.
fn names_shipment(view: &View<'_>, slot: &Slot) -> bool {
    let of_articles = view.rows.column(slot).is(Trait::PostArticle);
    has_shipment_number(view.rows.draft.text(slot), of_articles, &view.rows.draft.number)
}

/// Whether what is said of an invoice is how far its payment is: `Unpaid`, `Overdue`.
fn is_of_payment(view: &View<'_>, slot: &Slot) -> bool {
    let text = view.rows.draft.text(slot);
    view.rows.column(slot).is(Trait::Invoice) && says(text) == Says::Unclear && is_unpaid(text)
}

/// What is said of an order that is over by its sheet's own word.
pub(crate) fn left_out(view: &View<'_>, slot: &Slot, sign: Sign) -> Finding {
    let header = view.rows.sheets.of(slot.at.sheet).header(slot.column);
    let notice = row_left_out::over(header, is_state(sign), is_yes(sign)).remedy(to_let_go(sign));
    let notice = notice.found(view.rows.draft.text(slot)).at(view.rows.place(Spot::of(slot)));
    notice.of_order(view.rows.draft.number.clone())
}

/// Asks of an order some of whose products are over and others are not, as far as the sheet says.
fn ask_of_rest(view: &View<'_>, told: &mut Told<'_>, slot: &Slot, sign: Sign) -> bool {
    let header = view.rows.sheets.of(slot.at.sheet).header(slot.column);
    let text = view.rows.draft.text(slot);
    let held = held_back::over_in_part(header, text, is_state(sign), is_yes(sign)).remedy(to_let_go(sign));
    told.say(held.found(text), Id::OrderNumber, Spot::of(slot))
}

/// Asks of a parcel that may come back from the customer.
fn ask_of_way(view: &View<'_>, told: &mut Told<'_>, slot: &Slot) -> bool {
    let header = view.rows.sheets.of(slot.at.sheet).header(slot.column);
    let text = view.rows.draft.text(slot);
    let held = held_back::comes_back(header, text).remedy(Remedy::edit("Forward")).remedies(passing_always(header));
    told.say(held.found(text), Id::OrderNumber, Spot::of(slot))
}

pub(crate) fn ask(view: &View<'_>, told: &mut Told<'_>, slot: &Slot, sign: Sign) -> bool {
    let header = view.rows.sheets.of(slot.at.sheet).header(slot.column);
    let text = view.rows.draft.text(slot);
    // Nobody lets all orders go that are sent or over.
    let always = match sign {
        Sign::State | Sign::Task if speaks_of_the_end(text) => None,
        Sign::State | Sign::Task => Some(Remedy::setting("check", "ready", Some(Setting::List(vec![text.to_owned()])))),
        _ => passing_always(header),
    };
    let is_word = is_state(sign) && always.is_some();
    let held = if view.rows.column(slot).is(Trait::Pieces) && text.bytes().all(|byte| byte.is_ascii_digit()) {
        held_back::pieces_in_question(header, text, is_word)
    } else {
        match sign {
            Sign::Note => held_back::note_in_question(header, text),
            Sign::Number | Sign::Courier | Sign::Day | Sign::Sent { .. } => {
                held_back::shipped_in_question(header, text)
            }
            _ => held_back::in_question(header, text, is_state(sign), is_yes(sign), is_word),
        }
    };
    told.say(held.remedy(to_let_go(sign)).remedies(always).found(text), Id::OrderNumber, Spot::of(slot))
}

/// The day that a cell ends with, or is.
fn day_of(text: &str, rules: &Rules) -> Option<Date> {
    day_at_end(text).and_then(|(_, day)| day.near(rules.today())).or_else(|| written_day(text, rules))
}

/// The day of a cell that is a date and nothing else, in any form that dates of orders may have.
fn written_day(text: &str, rules: &Rules) -> Option<Date> {
    if !text.starts_with(|c: char| c.is_ascii_digit()) || text.len() < 6 {
        return None;
    }
    let habit = Habit { day_order: DayOrder::DayFirst, ..Habit::default() };
    let input = Input { habit, ..Input::new(Id::OrderCreatedAt.field(), text) };
    let Ok(Value::Instant(milliseconds)) = value(input, rules).map(|reading| reading.value) else {
        return None;
    };
    let moment = Timestamp::from_millisecond(milliseconds).ok()?;
    Some(moment.to_zoned(rules.time_zone.clone()).date())
}

/// A text as one of a person's own words.
fn own_word(list: &str, text: &str) -> Remedy {
    Remedy::setting("words", list, Some(Setting::List(vec![text.to_owned()])))
}

/// How a column is passed over for good; one under no header has no name for that.
fn passing_always(header: &str) -> Option<Remedy> {
    (!header.is_empty()).then(|| Remedy::ignore(header))
}

/// Whether a kind of shipment is the usual one, as most cells of such a column are.
fn is_forward(text: &str) -> bool {
    Vocabulary::built_in().text(text).says(Topic::Kinds, "forward")
}

/// Whether the word `ready` in its column lets an order go.
const fn is_state(sign: Sign) -> bool {
    matches!(sign, Sign::State | Sign::Task)
}

/// Whether a yes in its column lets an order go.
const fn is_yes(sign: Sign) -> bool {
    matches!(sign, Sign::Ready(_))
}

/// What to write into the cell of an order that is to go.
fn to_let_go(sign: Sign) -> Remedy {
    Remedy::edit(match sign {
        Sign::State | Sign::Task => "ready",
        Sign::Ready(_) => "yes",
        _ => "",
    })
}

/// Whether a word of a status speaks of orders that are not to go again, in part at least.
fn speaks_of_the_end(word: &str) -> bool {
    Vocabulary::built_in().text(word).says(Topic::States, "end")
}
