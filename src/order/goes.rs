//! Whether an order goes: what its own sheet says of that, where no profile has a rule for it.

use crate::check::{DayOrder, Habit, Input, Value, value};
use crate::field::{AmountRole, Id, Says, Sign, normalised, says_stop};
use crate::problem::{Code, Problem};
use crate::text::{passing_over, toml_quoted};

use super::build::{Reader, Spot};
use super::draft::Slot;
use super::types::Order;

/// What the sheet says of whether an order goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Goes {
    /// Nothing against it.
    #[default]
    Yes,
    /// It was sent, or has a number of a shipment: a person is asked whether it is to go again.
    Sent,
    /// It is over, which is said plainly: it is left out.
    Over,
    /// It is cancelled, which is said plainly: it is left out.
    Cancelled,
    /// Something else keeps it back.
    Held,
}

impl Goes {
    /// Whether the order is left out.
    #[must_use]
    pub const fn is_over(self) -> bool {
        matches!(self, Self::Over | Self::Cancelled)
    }
}

/// What one cell says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    /// Nothing.
    Silent,
    /// That the order goes.
    Goes,
    /// That it may be sent already.
    Sent,
    /// That it is sent.
    Over,
    /// That it is cancelled.
    Cancelled,
    /// What nobody can tell, or that it does not go.
    Asked,
}

impl Reader<'_> {
    /// Holds back an order of which its sheet does not say that it is ready, and tells of one that is over.
    pub(super) fn check_goes(&mut self, order: &Order) -> Goes {
        let draft = self.draft;
        let order_type: &str = &order.order_type;
        let mut over: Option<(Slot, Verdict)> = None;
        let mut asked: Option<(Slot, Sign, Verdict)> = None;
        for (index, slot) in &draft.amounts {
            let layout = self.layouts.of(slot.at.sheet);
            let sign = match layout.amounts().get(*index).map(|amount| amount.role) {
                Some(AmountRole::Sign(sign)) => sign,
                // `Paid` may say no, beside amounts.
                Some(AmountRole::Paid) if order_type == "PREPAID" => {
                    self.check_paid(slot, order);
                    continue;
                }
                _ => continue,
            };
            if sign == Sign::Note {
                if self.check_note(slot, order) {
                    asked.get_or_insert((*slot, sign, Verdict::Asked));
                }
                continue;
            }
            if sign == Sign::Payment {
                self.check_payment_state(slot, order);
                continue;
            }
            match self.verdict(sign, draft.text(slot)) {
                Verdict::Silent => {}
                Verdict::Goes => {
                    // Of an order some of whose rows are sent, a part may still have to go.
                    let same =
                        |(other, _): &(Slot, Verdict)| other.column == slot.column && other.at.sheet == slot.at.sheet;
                    if over.as_ref().is_some_and(same) {
                        asked.get_or_insert((*slot, sign, Verdict::Asked));
                        over = None;
                    }
                }
                verdict @ (Verdict::Over | Verdict::Cancelled) => {
                    let rows = draft.amounts.iter().filter(|(other, _)| other == index).map(|(_, other)| other);
                    let mut others = rows.filter(|other| self.verdict(sign, draft.text(other)) == Verdict::Goes);
                    match others.next() {
                        Some(_) => drop(asked.get_or_insert((*slot, sign, Verdict::Asked))),
                        None => drop(over.get_or_insert((*slot, verdict))),
                    }
                }
                verdict => drop(asked.get_or_insert((*slot, sign, verdict))),
            }
        }
        // Rows of two orders under one number are not over because those of one are.
        let clash = || draft.problems.iter().any(|problem| problem.code == Code::OrderClash);
        if let Some((slot, verdict)) = over.filter(|_| !clash()) {
            // What else may be wrong with it is nobody's work any more.
            self.problems = vec![self.left_out(&slot)];
            return if verdict == Verdict::Cancelled { Goes::Cancelled } else { Goes::Over };
        }
        let Some((slot, sign, verdict)) = asked else { return Goes::Yes };
        self.ask(&slot, sign);
        if verdict == Verdict::Sent { Goes::Sent } else { Goes::Held }
    }

    /// What one cell says of whether its order goes.
    fn verdict(&mut self, sign: Sign, text: &str) -> Verdict {
        let bare = || Some(normalised(text)).filter(|bare| !bare.is_empty());
        let named = |word: &String| bare().is_some_and(|bare| normalised(word) == bare);
        let means = if self.rules.ready_words.iter().any(named) { Says::Ready } else { self.memo.says(text) };
        if means == Says::Nothing {
            return Verdict::Silent;
        }
        match sign {
            Sign::Note | Sign::Payment => Verdict::Silent,
            Sign::Stop { over } => stopped(over, means, text),
            Sign::Ready => ready(means, text),
            Sign::Sent { plain } => sent(plain, means, text),
            Sign::Number => numbered(means, text),
            Sign::Day => match means {
                Says::Unclear if !self.is_past(text) => Verdict::Silent,
                _ => sent(false, means, text),
            },
            Sign::State | Sign::Task => match means {
                Says::Cancelled => Verdict::Cancelled,
                Says::Sent => Verdict::Over,
                Says::Ready | Says::Yes => Verdict::Goes,
                Says::Done if sign == Sign::Task => Verdict::Goes,
                Says::Unclear if sign == Sign::Task && is_task_done(text) => Verdict::Goes,
                _ => Verdict::Asked,
            },
        }
    }

    /// Whether a day is long over, as far as anybody can tell: yesterday's may be one of what is late.
    fn is_past(&self, text: &str) -> bool {
        let habit = Habit { day_order: DayOrder::DayFirst, ..Habit::default() };
        let input = Input { habit, ..Input::new(Id::OrderCreatedAt.field(), text) };
        let Ok(reading) = value(input, self.rules) else { return false };
        let today = self.rules.now.to_zoned(self.rules.time_zone.clone());
        let yesterday = today.yesterday().and_then(|yesterday| yesterday.start_of_day());
        match (reading.value, yesterday) {
            (Value::Instant(milliseconds), Ok(yesterday)) => milliseconds < yesterday.timestamp().as_millisecond(),
            _ => false,
        }
    }

    /// Whether a note, or a cell of an unknown column, says that the order does not go. What it says of the payment must be
    /// what is sent.
    fn check_note(&mut self, slot: &Slot, order: &Order) -> bool {
        let text = self.draft.text(slot);
        let layout = self.layouts.of(slot.at.sheet);
        let header = layout.header(slot.column);
        if says_stop(text, header) {
            return true;
        }
        if layout.means_are_paid() {
            self.check_note_of_payment(slot, order);
        }
        false
    }

    /// What is said of an order that is over by its sheet's own word.
    fn left_out(&self, slot: &Slot) -> Problem {
        let header = self.layouts.of(slot.at.sheet).header(slot.column);
        let text = self.draft.text(slot);
        let message = format!("\"{header}\" says that this order is over; it is left out");
        let hint = "write \"ready\" there, and empty what else says so, if it is to be shipped all the same";
        let problem = Problem::warning(Code::RowLeftOut, message).hint(hint).found(text);
        problem.at(self.place(Spot::of(slot))).of_order(self.draft.number.clone())
    }

    fn ask(&mut self, slot: &Slot, sign: Sign) {
        let header = self.layouts.of(slot.at.sheet).header(slot.column);
        let text = self.draft.text(slot);
        let message = format!("\"{header}\" says \"{text}\": is this order still to be shipped?");
        let passed = format!("; to pass the column over always, {}", passing_over(header));
        let (go, always) = match sign {
            // Nobody lets all orders go that are sent or over.
            Sign::State | Sign::Task if speaks_of_the_end(text) => ("write \"ready\" there", String::new()),
            Sign::State | Sign::Task => {
                let word = toml_quoted(text);
                let always =
                    format!("; if orders with this word always go, in shipsheet.toml: [check] ready = [{word}]");
                ("write \"ready\" there", always)
            }
            Sign::Ready => ("write yes there", passed),
            _ => ("empty the cell", passed),
        };
        let hint = format!("delete its rows if it is not, {go} if it is{always}");
        let problem = Problem::error(Code::HeldBack, message).hint(hint).found(text);
        self.say(problem, Id::OrderNumber, Spot::of(slot));
    }
}

/// Whether a word of a status speaks of orders that are not to go again, in part at least.
fn speaks_of_the_end(word: &str) -> bool {
    const ENDS: [&str; 17] = [
        "cancel", "cnl", "return", "rto", "refund", "deliver", "void", "reject", "hold", "donot", "fraud", "ship",
        "sent", "patch", "book", "manifest", "transit",
    ];
    let bare = normalised(word);
    ENDS.iter().any(|end| bare.contains(end))
}

/// A cell that says whether an order is not to go.
fn stopped(over: bool, means: Says, text: &str) -> Verdict {
    match means {
        Says::No => Verdict::Silent,
        Says::Unclear if is_harmless(text) => Verdict::Silent,
        Says::Cancelled => Verdict::Cancelled,
        Says::Yes | Says::Sent if over => Verdict::Cancelled,
        Says::Unclear if over && is_dated(text) => Verdict::Cancelled,
        Says::Sent => Verdict::Over,
        _ => Verdict::Asked,
    }
}

/// A cell that says whether an order is to go.
fn ready(means: Says, text: &str) -> Verdict {
    match means {
        Says::Cancelled => Verdict::Cancelled,
        Says::Sent => Verdict::Over,
        Says::No => Verdict::Asked,
        // `Pending` is ready to be packed, and not confirmed.
        Says::Unclear | Says::Ready if is_refusal(text) => Verdict::Asked,
        _ => Verdict::Goes,
    }
}

/// A cell that says whether an order is sent.
fn sent(plain: bool, means: Says, text: &str) -> Verdict {
    match means {
        Says::Cancelled => Verdict::Cancelled,
        Says::Sent => Verdict::Over,
        Says::Ready | Says::No => Verdict::Goes,
        Says::Yes | Says::Done if plain => Verdict::Over,
        Says::Unclear if plain && is_dated(text) => Verdict::Over,
        _ => Verdict::Sent,
    }
}

/// A cell of the numbers that shipments have.
fn numbered(means: Says, text: &str) -> Verdict {
    if means == Says::Unclear && is_awaited(text) { Verdict::Goes } else { sent(false, means, text) }
}

/// Whether a cell begins like a day.
fn is_dated(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit()) && text.len() > 1
}

/// Whether a word says that a number is still to come.
fn is_awaited(text: &str) -> bool {
    const WORDS: [&str; 6] = ["awaited", "awaiting", "waiting", "not assigned", "unassigned", "later"];
    WORDS.iter().any(|word| word.eq_ignore_ascii_case(text.trim()))
}

/// Whether a word about a task in the house says that it is done.
fn is_task_done(text: &str) -> bool {
    const WORDS: [&str; 12] = [
        "picked",
        "answered",
        "connected",
        "spoke",
        "talked",
        "reached",
        "received",
        "generated",
        "sent",
        "made",
        "passed",
        "finished",
    ];
    WORDS.iter().any(|word| word.eq_ignore_ascii_case(text.trim()))
}

/// Whether a word about a column that stops orders says that it does not.
fn is_harmless(text: &str) -> bool {
    const WORDS: [&str; 8] = ["low", "safe", "clear", "cleared", "released", "not applicable", "no risk", "ok"];
    WORDS.iter().any(|word| word.eq_ignore_ascii_case(text.trim()))
}

/// Whether a word in a column that says that orders go says that this one does not.
fn is_refusal(text: &str) -> bool {
    const WORDS: &str = "no not non nt un out pending awaiting waiting wait hold cancel cancelled canceled reject rejected fail \
        failed decline declined refuse refused dnp rnr unreachable unconfirmed unverified busy switched later never dont nil zero \
        unavailable inactive oos soldout sold stop don";
    let lower = text.to_lowercase();
    let mut words = lower.split(|c: char| !c.is_alphanumeric());
    words.any(|word| WORDS.split_ascii_whitespace().any(|listed| listed == word))
}
