//! `resume` and `retry`: from the ledger alone, without the sheet.

use std::collections::BTreeSet;

use anyhow::{Result, bail};

use crate::app::{Drive, Ended, Error, Exit, KeptBack, Left, LeftAlone, NotFailed, OrdersFrom, Plan, TakeUp, Why};
use crate::book::StopSignal;
use crate::cli::screen::Highlights;
use crate::config::BookingOptions;
use crate::finding::service::in_doubt;
use crate::finding::{Command, Finding, Remedy, english};
use crate::ledger::{RunId, Shipped, State, WaitingElsewhere};
use crate::notify::Of;
use crate::report::{Document, ProblemEntry};
use crate::text::{count, list, shell_quoted, shortened};

use super::args::{Booking as BookingArguments, Resume, Retry};
use super::conclude::{Conclusion, conclude, declined, events, print_run};
use super::console::note;
use super::face::{Account, Terminal};
use super::global::Format;
use super::notify;
use super::plan::say_causes;
use super::remedy::words;
use super::screen::Causes;
use super::session::{open, to_send};
use super::settings::Settings;

pub(super) fn resume(settings: &Settings, arguments: &Resume) -> Result<Exit> {
    let what = TakeUp::Outstanding { run: arguments.run };
    told(settings, Of::Resume, &what, &arguments.booking)
}

pub(super) fn retry(settings: &Settings, arguments: &Retry) -> Result<Exit> {
    let named = match &arguments.cause {
        Some(cause) => failed_for(settings, cause)?,
        None => arguments.orders.clone(),
    };
    let what = TakeUp::Failed { named, run: arguments.run };
    told(settings, Of::Retry, &what, &arguments.booking)
}

/// Takes orders up once more; whoever is to hear of it is told what came of that.
fn told(settings: &Settings, of: Of, what: &TakeUp, arguments: &BookingArguments) -> Result<Exit> {
    let notifier = notify::of_run(settings, arguments.notify)?;
    let word = if of == Of::Retry { "retry" } else { "resume" };
    let mut run = None;
    let ended = rerun(settings, word, what, &arguments.pace.options(), arguments.yes, &mut run);
    let ended = ended.map(|exit| (run, exit));
    notify::tell(settings, notifier, of, &ended);
    ended.map(|(_, exit)| exit)
}

/// The orders that failed for a cause.
fn failed_for(settings: &Settings, cause: &str) -> Result<Vec<String>> {
    let named = settings.app.failed_for(&settings.read_ledger()?, cause)?;
    if named.is_empty() {
        bail!(
            "no order has failed for the cause {cause}: `{} status` names each cause that there is",
            settings.command
        );
    }
    Ok(named)
}

/// Gives how it ended, and the number of the run once there is one.
fn rerun(
    settings: &Settings,
    word: &'static str,
    what: &TakeUp,
    options: &BookingOptions,
    yes: bool,
    run: &mut Option<i64>,
) -> Result<Exit> {
    let booking = settings.config().booking(options);
    let (session, events) = (open(settings, word)?, events(settings));
    let orders = OrdersFrom::Ledger { what, watched: None };
    let drive = Drive { orders, couriers: None, booking: &booking, stop: StopSignal::default() };
    let own = OfLedger { settings, word, what, in_doubt: 0 };
    Terminal::new(settings, own, yes, run).drive(session, drive, events)
}

/// Orders of the ledger, as the terminal shows them.
struct OfLedger<'s> {
    settings: &'s Settings,
    word: &'static str,
    what: &'s TakeUp,
    /// Orders in doubt that were asked for.
    in_doubt: u64,
}

impl Account for OfLedger<'_> {
    fn show(&mut self, plan: &Plan<'_, '_>, left: &LeftAlone) -> Result<bool> {
        self.in_doubt = left.in_doubt;
        say_left_alone(self.settings, left);
        if !self.settings.is_quiet() {
            note(format!("to send: {}", to_send(&plan.counts().ledger.to_send)));
        }
        say_likely_duplicates(self.settings, plan.likely_duplicates());
        Ok(true)
    }

    fn ended(&mut self, ended: Ended<'_>, highlights: &Highlights) -> Result<Exit> {
        let settings = self.settings;
        let document = Document {
            lines: ended.counts.ledger.to_send.lines,
            problems: doubts(settings, self.in_doubt),
            ..Document::default()
        };
        let mut conclusion = Conclusion { document, doubts_besides: self.in_doubt, ..Conclusion::default() };
        if let TakeUp::Outstanding { run } = self.what {
            let sent = ended.ledger().sent_by_others(&settings.service_key()?, run.map(RunId::from_number));
            // A ledger that cannot be read says so by itself.
            let sent = sent.unwrap_or_default();
            conclusion.document.problems.extend(say_sent_by_others(settings, &sent));
            conclusion.sent_by_others = !sent.is_empty();
        }
        conclude(settings, conclusion, &ended, highlights)
    }

    fn left(&mut self, left: Left<'_>) -> Result<Exit> {
        match left.why {
            Why::Nothing => {
                say_left_alone(self.settings, &left.beside);
                nothing_to_do(self.settings, self.word, &left.beside)
            }
            Why::Cautions(cautions) => Err(Error::unaccepted(cautions).into()),
            Why::Shown | Why::Declined | Why::Invalid => {
                let said = "nothing was sent and nothing was changed";
                note(said);
                let lines = left.counts.ledger.to_send.lines;
                declined(self.settings, said, Document { lines, ..Document::default() })
            }
        }
    }
}

/// Orders that may be booked already, under another number: said before anything is spent.
fn say_likely_duplicates(settings: &Settings, said: &[Finding]) {
    let mut causes = Causes::new(words(&settings.command));
    for finding in said {
        let mut finding = finding.clone().warn();
        // Here the yes to all that is sent says so.
        finding.remedies.retain(|remedy| !matches!(remedy, Remedy::Accept { .. }));
        causes.add(&finding);
    }
    say_causes(&causes);
}

/// What is said of orders that were asked for and are not sent.
fn say_left_alone(settings: &Settings, left: &LeftAlone) {
    let command = &settings.command;
    if let Some(first) = left.set_aside.first() {
        let (orders, first) = (count(left.set_aside.len() as u64, "order"), shell_quoted(first));
        note(format!(
            "left alone, {orders} that this service has at another address: `{command} show {first}` shows both, and \
             `{command} doubt abandon {first} --because \"…\"` gives the one here up"
        ));
    }
    if let Some((first, other)) = left.sent_otherwise.first() {
        let pairs: Vec<String> =
            left.sent_otherwise.iter().map(|(number, other)| format!("{number} (now {})", other.number)).collect();
        note(format!(
            "left alone, {} whose rows or numbers another order has: {}; `{command} show {}` shows that of the first; \
             import its sheet with `--accept same-order:{}` if it is another parcel, else give it up with \
             `{command} doubt abandon {} --because \"…\"`",
            count(pairs.len() as u64, "order"),
            shortened(&list(&pairs, "and"), 200),
            shell_quoted(&other.number),
            first,
            shell_quoted(first),
        ));
    }
    if let Some((first, _)) = left.held.first() {
        let named: Vec<String> = left.held.iter().map(|(number, because)| format!("{number} {because}")).collect();
        note(format!(
            "left alone, {} that waits for a person: {}; `{command} show {}` says what lets it go",
            count(left.held.len() as u64, "order"),
            shortened(&named.join("; "), 200),
            shell_quoted(first)
        ));
    }
    for KeptBack { file, orders, .. } in &left.kept_back {
        let (number, named) = (count(orders.len() as u64, "order"), shortened(&list(orders, "and"), 200));
        let them = if orders.len() == 1 { "it" } else { "them" };
        note(format!(
            "left alone, {number}: {file}, which is open on the local page, has {them} otherwise, holds {them} or leaves {them} \
             out: {named} (book {them} there with `{command} desk`, or discard that sheet)"
        ));
    }
    if !left.doubts_named.is_empty() {
        let named = list(&left.doubts_named, "and");
        note(format!("left alone, in doubt: {named} (settle them with `{command} doubt list`)"));
    }
    if !left.not_failed.is_empty() {
        let each = left.not_failed.iter().map(|(number, standing)| stands(settings, number, standing));
        note(format!("left alone, not failed: {}", list(&each.collect::<Vec<_>>(), "and")));
    }
}

/// An order that is not to be retried, with where it stands.
fn stands(settings: &Settings, number: &str, standing: &NotFailed) -> String {
    let show = || format!("{} show {}", settings.command, shell_quoted(number));
    let word = match standing {
        NotFailed::Unknown => return number.to_owned(),
        NotFailed::Booked(shipped) => {
            let Shipped { awb, cancelled_ms, cancel_unclear_ms, .. } = &**shipped;
            match (cancelled_ms, cancel_unclear_ms) {
                (Some(_), _) => format!(
                    "booked as {awb} and cancelled; a cancelled order is not booked again under its number: give it a \
                     new one"
                ),
                (None, Some(_)) => format!("booked as {awb}, and perhaps cancelled: see `{}`", show()),
                (None, None) => format!("booked as {awb}"),
            }
        }
        NotFailed::State(State::Abandoned) => format!("given up: see `{}`", show()),
        NotFailed::State(State::Held) => format!("held: see `{}`", show()),
        NotFailed::State(State::LeftOut) => format!("left out: see `{}`", show()),
        NotFailed::State(State::Dismissed) => format!("dismissed: see `{}`", show()),
        NotFailed::State(State::Staged | State::Waiting) => {
            format!("outstanding: `{} resume` sends it", settings.command)
        }
        NotFailed::State(state) => state.as_str().to_owned(),
    };
    format!("{number} ({word})")
}

/// Nothing may be sent; what is in doubt still needs a person, and what waits for another address its own.
fn nothing_to_do(settings: &Settings, word: &str, left: &LeftAlone) -> Result<Exit> {
    note(format!("nothing to {word}"));
    for WaitingElsewhere { run, service, orders } in &left.waiting_elsewhere {
        let (run, waiting) = (run.number(), count(*orders, "order"));
        note(format!(
            "{waiting} of run {run} outstanding at {service}, and not at {}: `{} resume --run {run}` sends them there; if that \
             address was wrong, import the sheet again",
            settings.service_key()?,
            settings.command_at(service)
        ));
    }
    let waits_elsewhere = !left.waiting_elsewhere.is_empty() && left.run.is_some();
    let waits_in_sheet = !left.kept_back.is_empty() && word == "resume";
    let mut problems = doubts(settings, left.in_doubt);
    problems.extend(say_sent_by_others(settings, &left.sent_by_others));
    let exit = match left.in_doubt {
        0 if waits_elsewhere || waits_in_sheet || !left.sent_by_others.is_empty() => Exit::Outstanding,
        0 => Exit::Done,
        _ => Exit::InDoubt,
    };
    if settings.format == Format::Json {
        print_run(&Document { problems, ..Document::default() }, None, exit)?;
    }
    Ok(exit)
}

/// Orders that other stations are sending: said, and kept for the document.
fn say_sent_by_others(settings: &Settings, sent: &[(String, String)]) -> Option<ProblemEntry> {
    if sent.is_empty() {
        return None;
    }
    let numbers: Vec<String> = sent.iter().map(|(number, _)| number.clone()).collect();
    let hosts: BTreeSet<&str> = sent.iter().map(|(_, host)| host.as_str()).collect();
    let hosts: Vec<String> = hosts.into_iter().map(str::to_owned).collect();
    let message = format!(
        "{} still on the way from {}: {}",
        count(sent.len() as u64, "order"),
        shortened(&list(&hosts, "and"), 100),
        shortened(&list(&numbers, "and"), 200)
    );
    let hint = format!("`{} resume` a little later shows what came of them", settings.command);
    note(format!("warning: {message}; {hint}"));
    Some(ProblemEntry::error("sent-by-others", None, message, hint))
}

/// Orders in doubt that were asked for: said, and kept for the document.
fn doubts(settings: &Settings, orders: u64) -> Vec<ProblemEntry> {
    if orders == 0 {
        return Vec::new();
    }
    let left = in_doubt::left_alone(orders, Remedy::run(Command::ListDoubts));
    let words = words(&settings.command);
    note(format!("warning: {}; {}", english::message(&left), english::advice(&left, &*words)));
    vec![ProblemEntry::of(&left, &words)]
}
