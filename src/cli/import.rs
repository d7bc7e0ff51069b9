//! `import` and `check`: read, plan and book.

use std::time::Instant;

use anyhow::Result;

use crate::app::{
    Caution, Connection, CourierAnswers, Error, Exit, Plan, PlanCounts, PlanOptions, Preview, Reading, ServiceWord,
    Session, Staged,
};
use crate::book::StopSignal;
use crate::cli::screen::Causes;
use crate::config::{Booking, PaceOptions};
use crate::event::{Events, Stream};
use crate::field::Version;
use crate::finding::Finding;
use crate::notify::Of;
use crate::report::{Document, ProblemEntry};
use crate::stage::Gathered;
use crate::text::count;

use super::accept::{self, Answered};
use super::address;
use super::args::{Check, Import, SheetArguments};
use super::conclude::{Conclusion, conclude, declined, events, seconds};
use super::connect::connect;
use super::console::{listen_for_signals, note, print, somebody_is_here};
use super::couriers::{Asker, Asking, ask};
use super::document::{Kind, print_document};
use super::global::Format;
use super::notify;
use super::own::sent;
use super::plan::{
    accepted_cautions, announce, as_shown, causes, let_go, orders, plan_entry, row_counts, say_cancelled, say_causes,
    say_plan, say_unusual, sheet_entries,
};
use super::profile::{LAYOUT_LEFT, joined, read_sheets};
use super::remedy::words;
use super::session::{agreed, go_on, open};
use super::settings::Settings;

/// What planning came to.
enum Planned<'r> {
    /// A question was answered that changes what is sent: it is to be planned anew, with this accepted.
    Again(Vec<Finding>),
    /// The same, with a prefix before the order numbers, and the name of the profile that keeps it.
    Prefixed(String, Option<String>),
    /// Nothing is sent.
    Ended(Exit),
    /// The run is recorded.
    Staged(Box<(Staged<'r>, Option<Connection>)>),
}

/// The answers and the connection that a plan is staged with.
enum Prepared {
    /// The cautions that are accepted, and a connection.
    Ready(Vec<Caution>, Box<Connection>),
    /// Other addresses were answered about first.
    Told(Vec<ServiceWord>),
}

/// Imports sheets; whoever is to hear of it is told what came of that.
pub(super) fn import(settings: &Settings, arguments: &Import) -> Result<Exit> {
    let notifier = notify::of_run(settings, arguments.booking.notify && !arguments.dry_run)?;
    let mut run = None;
    let ended = imported(settings, arguments, &mut run).map(|exit| (run, exit));
    notify::tell(settings, notifier, Of::Import, &ended);
    ended.map(|(_, exit)| exit)
}

/// Gives how it ended, and the number of the run once there is one.
fn imported(settings: &Settings, arguments: &Import, run: &mut Option<i64>) -> Result<Exit> {
    settings.service_key()?;
    let mut events = events(settings);
    let mut reading = match read(settings, &arguments.sheet, arguments.booking.yes, &mut events)? {
        Ok(reading) => reading,
        Err(exit) => return Ok(exit),
    };
    reading.check_files(None, arguments.results.as_deref())?;
    let booking = settings.config().booking(&arguments.booking.pace.options());
    let question = settings.app.couriers_before(&arguments.beforehand.options(), &booking)?;
    let mut session = open(settings, "import")?;
    let (mut connection, mut listening) = (None, None);
    let (mut warnings, mut couriers) = (Vec::new(), None);
    if let Some(question) = question {
        let asker = Asker::Import(&mut session);
        let asking = Asking { question, reading: &reading, connection: &mut connection };
        let (answers, stop) = ask(settings, asker, asking, &mut warnings, &mut events)?;
        (couriers, listening) = (Some(answers), stop);
    }
    let mut asked = accept::Asked::default();
    let (staged, mut causes) = loop {
        let mut causes = causes(settings);
        let (couriers_said, booking) = (couriers.as_ref(), &booking);
        let import =
            Planning { settings, arguments, reading: &reading, booking, couriers: couriers_said, warnings: &warnings };
        let said = (&mut causes, &mut asked);
        let asks_nobody = arguments.booking.yes && !arguments.dry_run;
        let is_ahead = connection.is_none() && asks_nobody && settings.config().waits_for_token();
        let ahead = match () {
            () if !is_ahead => None,
            () if somebody_is_here() => settings.app.connect_ahead(booking),
            () => Some(connect(settings, booking)),
        };
        match import.plan(&mut session, connection.take().map(Ok).or(ahead), listening.as_ref(), said, &mut events)? {
            Planned::Again(accepted) => {
                reading.accept(&accepted, "answered when asked before sending");
                if let Some(couriers) = &mut couriers {
                    couriers.accept(&reading);
                }
            }
            Planned::Prefixed(prefix, keep_as) => {
                let kept = reading.prefix(&prefix, keep_as.as_deref(), &mut events)?;
                accept::say_prefix(settings, &prefix, kept.as_ref());
            }
            Planned::Ended(exit) => return Ok(exit),
            Planned::Staged(ready) => {
                let (staged, connected) = *ready;
                connection = connected;
                break (staged, causes);
            }
        }
    };
    *run = Some(staged.run());
    let stop = listening.map_or_else(listen_for_signals, Ok)?;
    let (mut ended, events) = session.book(staged, &booking, connection, stop, events)?;
    say_cancelled(settings, &ended.cancelled, &mut causes);
    let document = Document {
        sheets: sheet_entries(settings, &reading),
        rows: row_counts(&ended.counts.gathered),
        lines: ended.counts.gathered.good.lines,
        problems: causes.into_all(),
        ..Document::default()
    };
    let conclusion = Conclusion { document, how_read: arguments.sheet.how.flags(), ..Conclusion::default() };
    let exit = conclude(settings, conclusion, &ended, &events.into_listener().into_highlights());
    sent(settings, &mut ended, arguments.results.as_deref());
    exit
}

/// What an import is planned with.
struct Planning<'a> {
    settings: &'a Settings,
    arguments: &'a Import,
    reading: &'a Reading,
    booking: &'a Booking,
    couriers: Option<&'a CourierAnswers>,
    /// What there is to say of the couriers.
    warnings: &'a [Finding],
}

impl<'a> Planning<'a> {
    /// Asks about orders that rules hold; nothing where that changes nothing.
    fn ask(
        &self,
        counts: &PlanCounts,
        asked: &mut accept::Asked,
        listening: Option<&StopSignal>,
    ) -> Option<Planned<'a>> {
        if self.arguments.booking.yes {
            return None;
        }
        match accept::ask(self.settings, &counts.held, asked, listening) {
            Answered::Prefix(prefix, keep_as) => Some(Planned::Prefixed(prefix, keep_as)),
            Answered::Accepted(accepted) => (!accepted.is_empty()).then_some(Planned::Again(accepted)),
        }
    }

    /// What is accepted of the plan, and a connection; or what was answered about other addresses first.
    fn prepare(
        &self,
        plan: &Plan<'_, '_>,
        connection: Option<Result<Connection, Error>>,
        listening: Option<&StopSignal>,
    ) -> Result<Prepared> {
        let answers = address::ask(self.settings, &plan.elsewhere(), listening)?;
        if !answers.is_empty() {
            return Ok(Prepared::Told(answers));
        }
        let accepted = accepted_cautions(self.booking, plan)?;
        let connection = connection.unwrap_or_else(|| connect(self.settings, self.booking))?;
        Ok(Prepared::Ready(accepted, Box::new(connection)))
    }

    /// Ends with an error. Where nobody is asked, what the sheet holds or cancels is sent by no other command all the same.
    fn refused(&self, session: &mut Session<'_>, counts: &PlanCounts, error: anyhow::Error) -> Result<Planned<'a>> {
        if self.arguments.booking.yes {
            session.revise(&counts.ledger.revisions)?;
        }
        Err(error)
    }

    /// Plans, says what would be sent, and asks; after the yes the run is recorded.
    fn plan(
        &self,
        session: &mut Session<'_>,
        connection: Option<Result<Connection, Error>>,
        listening: Option<&StopSignal>,
        (causes, asked): (&mut Causes, &mut accept::Asked),
        events: &mut Events<'_>,
    ) -> Result<Planned<'a>> {
        let Self { settings, arguments, reading, couriers, warnings, .. } = *self;
        let results = arguments.results.as_deref();
        let options = PlanOptions { results, couriers, ..PlanOptions::default() };
        let mut new = self::causes(settings);
        let say = &mut |problem: &Finding| {
            causes.add(problem);
            if asked.is_new(problem) {
                new.add(problem);
            }
        };
        warnings.iter().for_each(&mut *say);
        let mut plan = session.plan(reading, options, say, events)?;
        go_on(listening)?;
        say_plan(settings, plan.counts(), &new);
        accept::say_unused(&plan.counts().unused);
        let (cautions, totals) = (plan.cautions().to_vec(), plan.counts().ledger.to_send);
        say_unusual(&cautions);
        let held = arguments.all_or_nothing && !plan.counts().is_good();
        if held {
            note("nothing is sent: --all-or-nothing was given and not every order is valid");
        }
        if held || arguments.dry_run {
            let (counts, _) = plan.decline();
            if !arguments.dry_run {
                session.revise(&counts.ledger.revisions)?;
            }
            let cancelled = session.cancelled(&counts);
            let unsent = Unsent { counts: &counts, cautions: &cautions, cancelled: &cancelled, held };
            let causes = std::mem::replace(causes, self::causes(settings));
            return not_sent(settings, reading, &unsent, causes, session.started()).map(Planned::Ended);
        }
        let shown = let_go(settings, arguments.booking.yes, &mut plan)?;
        if let Some(answered) = self.ask(plan.counts(), asked, listening) {
            return Ok(answered);
        }
        let (mut accepted, mut to_send) = (Vec::new(), None);
        if totals.orders > 0 {
            match self.prepare(&plan, connection, listening) {
                Ok(Prepared::Ready(cautions, connected)) => (accepted, to_send) = (cautions, Some(*connected)),
                Ok(Prepared::Told(answers)) => {
                    drop(plan);
                    address::keep(settings, session, &answers)?;
                    return Ok(Planned::Again(Vec::new()));
                }
                Err(error) => {
                    let (counts, _) = plan.decline();
                    return self.refused(session, &counts, error);
                }
            }
            if !agreed(settings, arguments.booking.yes, (&totals, &self.booking.limits), listening)? {
                let left = "nothing was sent and nothing was recorded";
                note(left);
                let (counts, _) = plan.decline();
                let problems = std::mem::replace(causes, self::causes(settings)).into_all();
                let document = Document { problems, ..unsent(settings, reading, &counts, session.started()) };
                return declined(settings, left, document).map(Planned::Ended);
            }
        }
        if let Some(shown) = shown {
            drop(plan);
            let again = session.plan(reading, options, &mut |_| {}, &mut Stream::silent())?;
            let Some(same) = as_shown(again, &shown)? else { return Ok(Planned::Again(Vec::new())) };
            plan = same;
        }
        Ok(Planned::Staged(Box::new((plan.stage(&accepted, events)?, to_send))))
    }
}

/// `check`: everything short of booking.
pub(super) fn check(settings: &Settings, arguments: &Check) -> Result<Exit> {
    let (started, mut events) = (Instant::now(), events(settings));
    let reading = match read(settings, &arguments.sheet, false, &mut events)? {
        Ok(reading) => reading,
        Err(exit) => return Ok(exit),
    };
    let mut causes = causes(settings);
    let pace = settings.config().pace(PaceOptions { rate: arguments.rate, ..PaceOptions::default() });
    let (couriers, listening) = match settings.app.couriers_of_check(&arguments.beforehand.options(), pace)? {
        None => (None, None),
        Some(question) => {
            let (asker, mut warnings) = (Asker::Check(&settings.app), Vec::new());
            let asking = Asking { question, reading: &reading, connection: &mut None };
            let (answers, listening) = ask(settings, asker, asking, &mut warnings, &mut events)?;
            for warning in &warnings {
                causes.add(warning);
            }
            (Some(answers), listening)
        }
    };
    let options = PlanOptions { couriers: couriers.as_ref(), ..PlanOptions::default() };
    let preview = settings.app.preview(&reading, options, &mut |problem| causes.add(problem), &mut events)?;
    go_on(listening.as_ref())?;
    let Preview { counts, cautions, cancelled, unread, .. } = preview;
    say_plan(settings, &counts, &causes);
    accept::say_unused(&counts.unused);
    say_unusual(&cautions);
    if let Some(error) = unread {
        let error = anyhow::Error::from(error);
        let said = format!("checked without the ledger, so what is booked already counts as new: {error:#}");
        note(format!("warning: {said}"));
        causes.note(ProblemEntry::warning("ledger-not-read", said));
    }
    let unsent = Unsent { counts: &counts, cautions: &cautions, cancelled: &cancelled, held: false };
    not_sent(settings, &reading, &unsent, causes, started)
}

/// Reads the sheets; `is_agreed` says that nobody is asked before they are booked. Ends with an exit code where a person
/// left, or where the sheets cannot be used.
fn read(
    settings: &Settings,
    arguments: &SheetArguments,
    is_agreed: bool,
    events: &mut Events<'_>,
) -> Result<Result<Reading, Exit>> {
    let version = settings.config().version(arguments.how.api.map(Into::into));
    if version == Version::V1 {
        note("warning: version 1 of the request is deprecated by the service; version 2 names a warehouse instead");
    }
    let Some(mut reading) = read_sheets(settings, arguments, is_agreed, events)? else {
        if settings.format == Format::Json {
            let problem = ProblemEntry::error("could-not-run", None, LAYOUT_LEFT.to_owned(), String::new());
            let exit = Exit::SheetProblems.code();
            print_document(Kind::Run, &Document { problems: vec![problem], exit, ..Document::default() })?;
        }
        return Ok(Err(Exit::SheetProblems));
    };
    reading.set_aside(events)?;
    announce(settings, &reading);
    if reading.is_unusable() {
        return unusable(settings, arguments, &reading).map(Err);
    }
    Ok(Ok(reading))
}

/// A sheet whose columns cannot be used: nothing was read.
fn unusable(settings: &Settings, arguments: &SheetArguments, reading: &Reading) -> Result<Exit> {
    let words = words(&settings.command);
    let mut shown = Causes::new(words.clone());
    let aside = || reading.opened().aside.iter().flat_map(|aside| &aside.problems);
    let problems = joined(settings, arguments, reading.opened());
    for problem in problems.iter().chain(aside()) {
        shown.add(problem);
    }
    say_causes(&shown);
    note("nothing was sent");
    if settings.format == Format::Json {
        let document = Document {
            sheets: sheet_entries(settings, reading),
            problems: reading.problems().iter().chain(aside()).map(|own| ProblemEntry::of(own, &words)).collect(),
            exit: Exit::SheetProblems.code(),
            ..Document::default()
        };
        print_document(Kind::Run, &document)?;
    }
    Ok(Exit::SheetProblems)
}

/// What is told of sheets of which nothing is sent.
fn unsent(settings: &Settings, reading: &Reading, counts: &PlanCounts, started: Instant) -> Document {
    Document {
        sheets: sheet_entries(settings, reading),
        rows: row_counts(&counts.gathered),
        orders: orders(counts),
        plan: Some(plan_entry(counts)),
        lines: counts.gathered.good.lines,
        seconds: seconds(started),
        ..Document::default()
    }
}

/// What sheets come to of which nothing is sent.
#[derive(Clone, Copy)]
struct Unsent<'a> {
    counts: &'a PlanCounts,
    cautions: &'a [Caution],
    /// What there is to say of booked orders whose cancellation was asked for.
    cancelled: &'a [Finding],
    /// Whether good orders are held back because others are not.
    held: bool,
}

/// The end of a command that sends nothing.
fn not_sent(
    settings: &Settings,
    reading: &Reading,
    unsent: &Unsent<'_>,
    mut causes: Causes,
    started: Instant,
) -> Result<Exit> {
    let &Unsent { counts, cautions, cancelled, held } = unsent;
    address::tell(settings, &Caution::elsewhere(cautions));
    say_cancelled(settings, cancelled, &mut causes);
    let exit = if counts.is_good() && !held { Exit::Done } else { Exit::SheetProblems };
    let document =
        Document { problems: causes.into_all(), exit: exit.code(), ..self::unsent(settings, reading, counts, started) };
    print_unsent(settings, &document, &counts.gathered).map(|()| exit)
}

fn print_unsent(settings: &Settings, document: &Document, gathered: &Gathered) -> Result<()> {
    if settings.format == Format::Json {
        return print_document(Kind::Run, document);
    }
    let rows = document.rows;
    print(
        format!(
            "{} read: {} in orders, {} invalid, {} blank, {} skipped\n{} good, {} invalid; nothing was sent\n",
            count(rows.read, "row"),
            rows.in_orders,
            rows.invalid,
            rows.blank,
            rows.skipped,
            count(gathered.orders - gathered.orders_invalid, "order"),
            gathered.orders_invalid
        )
        .as_bytes(),
    )?;
    Ok(())
}
