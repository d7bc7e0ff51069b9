//! `import` and `check`: read, plan and book.

use std::time::Instant;

use anyhow::Result;

use crate::app::{
    Answer, Caution, Drive, Ended, Error, Exit, Left, LeftAlone, OrdersFrom, Plan, PlanCounts, PlanOptions, Preview,
    Reading, SheetOrders, Why,
};
use crate::book::StopSignal;
use crate::cli::screen::{Causes, Highlights};
use crate::config::PaceOptions;
use crate::event::Events;
use crate::field::Version;
use crate::finding::Finding;
use crate::notify::Of;
use crate::report::{Document, ProblemEntry, SheetEntry};
use crate::stage::Gathered;
use crate::text::count;

use super::accept;
use super::address;
use super::args::{Check, Import, SheetArguments};
use super::conclude::{Conclusion, conclude, declined, events, print_run, seconds};
use super::console::{note, print};
use super::couriers::{Counted, say_unkept};
use super::face::{Account, Terminal};
use super::global::Format;
use super::notify;
use super::own::sent;
use super::plan::{
    announce, causes, orders, plan_entry, row_counts, say_cancelled, say_causes, say_plan, say_unusual, sheet_entries,
};
use super::profile::{LAYOUT_LEFT, joined, read_sheets};
use super::remedy::words;
use super::session::{go_on, open};
use super::settings::Settings;

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
    let results = arguments.results.as_deref();
    reading.check_files(None, results)?;
    let booking = settings.config().booking(&arguments.booking.pace.options());
    let couriers = settings.app.couriers_before(&arguments.beforehand.options(), &booking)?;
    let session = open(settings, "import")?;
    let orders = OrdersFrom::Sheets(SheetOrders {
        reading: &mut reading,
        rejects: None,
        results,
        all_or_nothing: arguments.all_or_nothing,
        together: None,
        taken: None,
    });
    // Where nothing is sent, nobody has agreed to anything.
    let is_agreed = arguments.booking.yes && !arguments.dry_run;
    let drive = Drive { orders, couriers, booking: &booking, stop: StopSignal::default() };
    Terminal::new(settings, OfSheets::new(settings, arguments), is_agreed, run).drive(session, drive, events)
}

/// Orders of sheets, as the terminal shows them.
struct OfSheets<'s> {
    settings: &'s Settings,
    arguments: &'s Import,
    /// Warnings of questions to couriers that had no answer.
    warnings: Vec<Finding>,
    /// These, and the findings of the last plan.
    causes: Causes,
    /// Those of them that were not told before.
    new: Causes,
    asked: accept::Asked,
}

impl<'s> OfSheets<'s> {
    fn new(settings: &'s Settings, arguments: &'s Import) -> Self {
        let (causes, new) = (causes(settings), causes(settings));
        Self { settings, arguments, warnings: Vec::new(), causes, new, asked: accept::Asked::default() }
    }
}

impl Account for OfSheets<'_> {
    fn warn(&mut self, warnings: Vec<Finding>) {
        self.warnings = warnings;
    }

    fn plans(&mut self) {
        (self.causes, self.new) = (causes(self.settings), causes(self.settings));
        for warning in std::mem::take(&mut self.warnings) {
            self.finding(&warning);
            self.warnings.push(warning);
        }
    }

    fn finding(&mut self, finding: &Finding) {
        self.causes.add(finding);
        if self.asked.is_new(finding) {
            self.new.add(finding);
        }
    }

    fn show(&mut self, plan: &Plan<'_, '_>, _: &LeftAlone) -> Result<bool> {
        say_plan(self.settings, plan.counts(), &self.new);
        accept::say_unused(&plan.counts().unused);
        say_unusual(plan.cautions());
        if self.is_held(plan.counts()) {
            note("nothing is sent: --all-or-nothing was given and not every order is valid");
        }
        Ok(!self.arguments.dry_run)
    }

    fn ask(&mut self, counts: &PlanCounts, listening: Option<&StopSignal>) -> Option<Answer> {
        accept::ask(self.settings, &counts.held, &mut self.asked, listening)
    }

    fn ended(&mut self, mut ended: Ended<'_>, highlights: &Highlights) -> Result<Exit> {
        let settings = self.settings;
        say_cancelled(settings, &ended.cancelled, &mut self.causes);
        let document = Document {
            sheets: ended.reading().map(|reading| sheet_entries(settings, reading)).unwrap_or_default(),
            rows: row_counts(&ended.counts.gathered),
            lines: ended.counts.gathered.good.lines,
            problems: std::mem::replace(&mut self.causes, causes(settings)).into_all(),
            ..Document::default()
        };
        let how_read = self.arguments.sheet.how.flags();
        let exit = conclude(settings, Conclusion { document, how_read, ..Conclusion::default() }, &ended, highlights);
        sent(settings, &mut ended, self.arguments.results.as_deref());
        exit
    }

    fn left(&mut self, left: Left<'_>) -> Result<Exit> {
        let Left { why, counts, cautions, cancelled, files, started, .. } = left;
        let causes = std::mem::replace(&mut self.causes, causes(self.settings));
        let sheets = files.map(|files| sheet_entries(self.settings, files.reading())).unwrap_or_default();
        let unsent = Unsent { sheets, counts: &counts, cautions: &cautions, cancelled: &cancelled, started };
        match why {
            Why::Cautions(cautions) => Err(Error::unaccepted(cautions).into()),
            Why::Declined => {
                let left = "nothing was sent and nothing was recorded";
                note(left);
                declined(self.settings, left, Document { problems: causes.into_all(), ..unsent.document() })
            }
            Why::Nothing | Why::Shown | Why::Invalid => {
                let is_held = self.is_held(&counts);
                not_sent(self.settings, unsent, is_held, causes)
            }
        }
    }
}

impl OfSheets<'_> {
    /// Whether good orders stay because others are not.
    const fn is_held(&self, counts: &PlanCounts) -> bool {
        self.arguments.all_or_nothing && !counts.is_good()
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
            let (mut steps, connection) = (Counted::new(settings), &mut None);
            let stop = &steps.stop();
            let (answers, asked) =
                settings.app.ask_couriers(question, &reading, connection, stop, &mut steps, &mut events)?;
            say_unkept(&asked);
            asked.warnings.iter().for_each(|warning| causes.add(warning));
            (Some(answers), steps.listening().cloned())
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
    let sheets = sheet_entries(settings, &reading);
    let unsent = Unsent { sheets, counts: &counts, cautions: &cautions, cancelled: &cancelled, started };
    not_sent(settings, unsent, false, causes)
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
            let document = Document { problems: vec![problem], ..Document::default() };
            print_run(&document, None, Exit::SheetProblems)?;
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
            ..Document::default()
        };
        print_run(&document, None, Exit::SheetProblems)?;
    }
    Ok(Exit::SheetProblems)
}

/// What sheets come to of which nothing is sent.
struct Unsent<'a> {
    sheets: Vec<SheetEntry>,
    counts: &'a PlanCounts,
    cautions: &'a [Caution],
    /// What there is to say of booked orders whose cancellation was asked for.
    cancelled: &'a [Finding],
    started: Instant,
}

impl Unsent<'_> {
    fn document(self) -> Document {
        let counts = self.counts;
        Document {
            sheets: self.sheets,
            rows: row_counts(&counts.gathered),
            orders: orders(counts),
            plan: Some(plan_entry(counts)),
            lines: counts.gathered.good.lines,
            seconds: seconds(self.started),
            ..Document::default()
        }
    }
}

/// The end of a command that sends nothing; good orders may be held because others are not.
fn not_sent(settings: &Settings, unsent: Unsent<'_>, is_held: bool, mut causes: Causes) -> Result<Exit> {
    let Unsent { counts, cautions, cancelled, .. } = unsent;
    address::tell(settings, &Caution::elsewhere(cautions));
    say_cancelled(settings, cancelled, &mut causes);
    let exit = if counts.is_good() && !is_held { Exit::Done } else { Exit::SheetProblems };
    let document = Document { problems: causes.into_all(), ..unsent.document() };
    print_unsent(settings, &document, exit, &counts.gathered).map(|()| exit)
}

fn print_unsent(settings: &Settings, document: &Document, exit: Exit, gathered: &Gathered) -> Result<()> {
    if settings.format == Format::Json {
        return print_run(document, None, exit);
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
