//! `import`: check, stage and book.

use anyhow::Result;
use jiff::Timestamp;
use tokio::runtime::Runtime;

use crate::check::Rules;
use crate::finding::Finding;
use crate::finding::service::cancelled_before;
use crate::finding::sheet::notice;
use crate::ledger::{Ledger, RunFacts, RunKind};
use crate::origin::{Place, is_added};
use crate::report::{Causes, Document, Orders, ProblemEntry, RowCounts, SheetEntry, write_causes};
use crate::stage::{Dry, Gate, Gathered, Opened, Planned, Recorder, Totals};
use crate::text::{count, thousands};

use super::address;
use super::args::{Check, Format, Import, SheetArguments};
use super::caution::{allowed, caution, usual};
use super::conclude::{Conclusion, conclude};
use super::console::{note, print, print_json};
use super::exit::Exit;
use super::home::Home;
use super::profile::{joined, open_sheets};
use super::remedy::words;
use super::room::runtime;
use super::served::{Asked, Memory, Question};
use super::session::{Line, Session, agreed, seconds, to_send};
use super::settings::{Settings, Verbosity};
use super::status::when;

/// What staging came to.
#[derive(Default)]
struct Staged {
    gathered: Gathered,
    to_send: Totals,
    corrected: u64,
    left_over: u64,
    changed_after_booking: u64,
    already_booked: Vec<(String, String)>,
    /// Booked orders of this sheet whose cancellation was asked for.
    cancelled: Vec<String>,
    already_booked_count: u64,
    booked_before: u64,
    noted_since: u64,
    left_alone: u64,
    abandoned: u64,
    in_doubt: u64,
}

impl Staged {
    fn recorded(gathered: Gathered, recorder: &Recorder<'_, '_>) -> Self {
        Self {
            gathered,
            to_send: recorder.to_send,
            corrected: recorder.corrected,
            left_over: recorder.left_over,
            changed_after_booking: recorder.changed_after_booking,
            already_booked: recorder.already_booked.iter().map(|b| (b.number.clone(), b.awb.clone())).collect(),
            already_booked_count: recorder.already_booked_count,
            booked_before: recorder.booked_before,
            noted_since: recorder.noted_since,
            left_alone: recorder.left_alone,
            abandoned: recorder.abandoned,
            in_doubt: recorder.in_doubt,
            cancelled: recorder.cancelled.clone(),
        }
    }
}

pub(super) fn import(settings: &Settings, arguments: &Import) -> Result<Exit> {
    let now = Timestamp::now();
    let rules = settings.rules(now, arguments.sheet.api)?;
    settings.service_key()?;
    let Some(opened) = open_sheets(settings, &arguments.sheet, &rules)? else { return Ok(Exit::SheetProblems) };
    announce(settings, &opened);
    if opened.is_unusable() {
        return unusable(settings, &arguments.sheet, &opened);
    }
    let (rejects, results) = (arguments.rejects.as_deref(), arguments.results.as_deref());
    let mut home = Home::prepare(settings, &arguments.sheet, (&opened, &rules), rejects, results)?;
    let booking = settings.booking(&arguments.booking);
    let question = arguments.beforehand.of_import(settings, &booking)?;
    let mut session = Session::open(settings, "import")?;
    let mut causes = causes(settings);
    let usual = usual(settings, &session.ledger, &session.service)?;
    let (runtime, mut line) = (runtime()?, None);
    let memory = Memory::Kept(&mut session.ledger);
    let asked = asked(question, settings, (&opened, &rules), memory, (&runtime, &mut line), &mut causes)?;
    let new_run = session.new_run(RunKind::Import);
    let asked_to_cancel = session.ledger.asked_to_cancel(&session.service)?;
    let mut staging = session.ledger.stage(new_run)?;
    let recorder = Recorder::new(&mut staging, now.as_millisecond()).gated(gate(asked.as_ref()));
    let mut recorder = recorder.knowing(asked_to_cancel);
    let gathered = home.gather(&mut recorder, &mut |problem| causes.add(problem))?;
    warn_of_no_orders(&opened, &gathered, &mut causes);
    let staged = Staged::recorded(gathered, &recorder);
    let elsewhere = staging.elsewhere()?;
    say_plan(settings, &staged, &causes);
    let unusual = caution(settings, &staged.to_send, &usual);
    let held = arguments.all_or_nothing && staged.gathered.orders_invalid + staged.gathered.rows_without_order > 0;
    if held {
        note("nothing is sent: --all-or-nothing was given and not every order is valid");
    }
    if held || arguments.dry_run {
        address::tell(settings, &elsewhere);
        drop(staging);
        say_cancelled(settings, &session.ledger, &staged, &mut causes);
        let exit = not_sent(settings, &opened, &staged, causes, session.started, held);
        home.nothing_sent();
        return exit;
    }
    if staged.to_send.orders > 0 {
        let answers = address::ask(settings, &elsewhere)?;
        if !answers.is_empty() {
            drop(staging);
            address::keep(settings, &mut session.ledger, &answers)?;
            drop((session, home));
            return import(settings, arguments);
        }
        allowed(&booking, &unusual)?;
        line = Some(line.map_or_else(|| Line::open(settings, &booking, &runtime), Ok)?);
        let listening = asked.as_ref().map(|asked| (&asked.stop, &runtime));
        if !agreed(settings, &booking, &staged.to_send, listening)? {
            note("nothing was sent and nothing was recorded");
            home.nothing_sent();
            return Ok(Exit::CouldNotRun);
        }
    }
    let run = staging.commit(&facts(&opened, &staged))?;
    session.rows_without_order = staged.gathered.rows_without_order;
    let started = session.started;
    let (ended, ledger) = session.book(run, settings, &booking, &runtime, line)?;
    say_cancelled(settings, &ledger, &staged, &mut causes);
    let document = document(run.number(), &opened, &staged, causes);
    let exit = conclude(settings, conclusion(document, &staged, rejects.is_some(), started), &ended);
    home.sent(&ledger, run);
    exit
}

/// `check`: everything short of booking.
pub(super) fn check(settings: &Settings, arguments: &Check) -> Result<Exit> {
    let started = std::time::Instant::now();
    let rules = settings.rules(Timestamp::now(), arguments.sheet.api)?;
    let Some(opened) = open_sheets(settings, &arguments.sheet, &rules)? else { return Ok(Exit::SheetProblems) };
    announce(settings, &opened);
    if opened.is_unusable() {
        return unusable(settings, &arguments.sheet, &opened);
    }
    let mut home = Home::prepare(settings, &arguments.sheet, (&opened, &rules), arguments.rejects.as_deref(), None)?;
    let mut causes = causes(settings);
    let question = arguments.beforehand.of_check(settings, arguments.rate.or(settings.config.booking.rate))?;
    let asked = match question {
        None => None,
        // What is known already is read; nothing is written.
        some => {
            let ledger = Ledger::open_read_only(&settings.ledger).ok();
            let memory = Memory::ReadOnly(ledger.as_ref());
            asked(some, settings, (&opened, &rules), memory, (&runtime()?, &mut None), &mut causes)?
        }
    };
    let mut dry = Dry { gate: gate(asked.as_ref()), ..Dry::default() };
    let gathered = home.gather(&mut dry, &mut |problem| causes.add(problem))?;
    warn_of_no_orders(&opened, &gathered, &mut causes);
    let staged = Staged { gathered, to_send: dry.totals, ..Staged::default() };
    say_plan(settings, &staged, &causes);
    let exit = not_sent(settings, &opened, &staged, causes, started, false);
    home.nothing_sent();
    exit
}

fn conclusion(document: Document, staged: &Staged, handed_back: bool, started: std::time::Instant) -> Conclusion<'_> {
    Conclusion {
        document,
        already: &staged.already_booked,
        rows_without_order: staged.gathered.rows_without_order,
        doubts_besides: 0,
        handed_back,
        started,
    }
}

/// What is reported of a run, beside how its orders ended.
fn document(run: i64, opened: &Opened, staged: &Staged, causes: Causes) -> Document {
    Document {
        run: Some(run),
        sheets: sheet_entries(opened),
        rows: row_counts(&staged.gathered),
        lines: staged.gathered.good.lines,
        problems: causes.into_all(),
        ..Document::default()
    }
}

/// What was cancelled is not sent again either, and somebody may expect that it is.
fn say_cancelled(settings: &Settings, ledger: &Ledger, staged: &Staged, causes: &mut Causes) {
    let Ok(service) = settings.service_key() else { return };
    let mut own = Causes::new(words(&settings.command));
    for number in &staged.cancelled {
        let Ok(Some(shipment)) = ledger.shipped(&service, number) else { continue };
        let problem = match (shipment.cancelled_ms, shipment.cancel_unclear_ms) {
            (Some(at_ms), _) => cancelled_before::cancelled(&when(at_ms)),
            (None, Some(at_ms)) => cancelled_before::asked_without_answer(&when(at_ms)),
            (None, None) => continue,
        };
        let problem = problem.of_order(number.clone()).found(shipment.awb);
        own.add(&problem);
        causes.add(&problem);
    }
    let mut text = Vec::new();
    // Writing into memory cannot fail.
    let _ = write_causes(&mut text, &own);
    if !text.is_empty() && settings.verbosity != Verbosity::Quiet {
        note(String::from_utf8_lossy(&text).trim_end());
    }
}

/// Asks whether couriers go where the orders go, if that was asked for, and says what could not be found out.
fn asked(
    question: Option<Question>,
    settings: &Settings,
    sheets: (&Opened, &Rules),
    memory: Memory<'_>,
    (runtime, line): (&Runtime, &mut Option<Line>),
    causes: &mut Causes,
) -> Result<Option<Asked>> {
    let Some(question) = question else { return Ok(None) };
    let asked = question.ask(settings, sheets, memory, runtime, line)?;
    asked.warnings.iter().for_each(|warning| causes.add(warning));
    Ok(Some(asked))
}

fn gate(asked: Option<&Asked>) -> Option<&dyn Gate> {
    asked.map(|asked| &asked.verdicts as &dyn Gate)
}

/// An export that came out empty is worth a word, above all where nobody watches.
fn warn_of_no_orders(opened: &Opened, gathered: &Gathered, causes: &mut Causes) {
    if gathered.orders + gathered.orders_over + gathered.rows_without_order == 0 {
        let place = opened.sheets.first().map(|Planned { sheet, .. }| Place::row(sheet.source(), sheet.header().row));
        causes.add(&Finding { place, ..notice::no_order_rows() });
    }
}

fn causes(settings: &Settings) -> Causes {
    let words = words(&settings.command);
    if settings.format == Format::Json { Causes::keeping_all(words) } else { Causes::new(words) }
}

fn announce(settings: &Settings, opened: &Opened) {
    if settings.verbosity == Verbosity::Quiet {
        return;
    }
    for planned in &opened.sheets {
        let header = planned.sheet.header();
        note(format!(
            "reading {} ({}, header in row {}, {}{} of {} used)",
            planned.sheet.source(),
            planned.sheet.format(),
            header.row,
            planned.plan.profile().map_or_else(String::new, |profile| format!("profile {profile}, ")),
            planned.plan.columns_used(),
            count(header.cells.len() as u64, "column"),
        ));
        let added = header.cells.iter().filter(|header| is_added(header)).count();
        if added > 0 {
            note(format!("  {} that shipsheet wrote beside your own: passed over", count(added as u64, "column")));
        }
    }
}

/// What will be sent, what will be left out and why: said before anything is spent.
fn say_plan(settings: &Settings, staged: &Staged, causes: &Causes) {
    if settings.verbosity == Verbosity::Quiet {
        return;
    }
    let mut text = Vec::new();
    // Writing into memory cannot fail.
    let _ = write_causes(&mut text, causes);
    if !text.is_empty() {
        note(String::from_utf8_lossy(&text).trim_end());
    }
    note(format!("to send: {}", to_send(&staged.to_send)));
    let new = staged.to_send.orders - staged.corrected - staged.left_over;
    let sent =
        [(new, "new"), (staged.corrected, "corrected since they failed"), (staged.left_over, "left by an earlier run")];
    let known = staged.corrected + staged.left_over + staged.already_booked_count + staged.left_alone;
    if staged.to_send.orders > 0 && known > 0 {
        note(format!("{} will be sent{}", thousands(&staged.to_send.orders.to_string()), counted(": ", &sent)));
    }
    let retry = format!("failed before and unchanged (`{} retry` sends them again)", settings.command);
    let abandoned = format!("abandoned (`{} doubt not-booked` lets one be sent after all)", settings.command);
    let doubt = format!("in doubt (`{} doubt list`)", settings.command);
    let left = [
        (staged.gathered.orders_invalid - staged.changed_after_booking, "invalid"),
        (staged.changed_after_booking, "changed after they were booked"),
        (staged.already_booked_count - staged.booked_before - staged.noted_since, "booked already and unchanged"),
        (staged.noted_since, "booked already, and noted otherwise in this sheet"),
        (staged.booked_before, "booked already, and wrong in this sheet"),
        (staged.gathered.orders_over, "over by their own status"),
        (staged.left_alone, retry.as_str()),
        (staged.abandoned, abandoned.as_str()),
        (staged.in_doubt, doubt.as_str()),
    ];
    let left = counted("left out: ", &left);
    if !left.is_empty() {
        note(left);
    }
}

/// The counts that are not zero, each with its words; nothing where there is none.
fn counted(before: &str, counts: &[(u64, &str)]) -> String {
    let shown = counts.iter().filter(|(number, _)| *number > 0);
    let shown: Vec<String> = shown.map(|(number, why)| format!("{} {why}", thousands(&number.to_string()))).collect();
    if shown.is_empty() { shown.concat() } else { format!("{before}{}", shown.join(", ")) }
}

fn sheet_entries(opened: &Opened) -> Vec<SheetEntry> {
    let entry = |planned: &crate::stage::Planned| SheetEntry {
        file: planned.sheet.source().file.clone(),
        worksheet: planned.sheet.source().worksheet.clone(),
        format: planned.sheet.format().to_string(),
        header_row: planned.sheet.header().row,
        unknown_columns: planned.plan.unknown().iter().map(|column| column.header.clone()).collect(),
    };
    opened.sheets.iter().map(entry).collect()
}

fn row_counts(gathered: &Gathered) -> RowCounts {
    let rows = gathered.rows;
    RowCounts {
        read: rows.read,
        blank: rows.blank,
        skipped: rows.skipped,
        in_orders: rows.in_orders,
        invalid: rows.invalid,
    }
}

fn facts(opened: &Opened, staged: &Staged) -> RunFacts {
    RunFacts {
        sheets: opened.sheets.iter().map(|planned| planned.sheet.source().to_string()).collect(),
        rows_read: staged.gathered.rows.read,
        rows_blank: staged.gathered.rows.blank,
        rows_skipped: staged.gathered.rows.skipped,
        rows_in_orders: staged.gathered.rows.in_orders,
        rows_invalid: staged.gathered.rows.invalid,
        lines: staged.gathered.good.lines,
    }
}

/// A sheet whose columns cannot be used: nothing was read.
fn unusable(settings: &Settings, arguments: &SheetArguments, opened: &Opened) -> Result<Exit> {
    let words = words(&settings.command);
    let mut shown = Causes::new(words.clone());
    for problem in &joined(settings, arguments, opened) {
        shown.add(problem);
    }
    let mut text = Vec::new();
    write_causes(&mut text, &shown)?;
    note(String::from_utf8_lossy(&text).trim_end());
    note("nothing was sent");
    if settings.format == Format::Json {
        let exit = Exit::SheetProblems.code();
        print_json(&Document {
            sheets: sheet_entries(opened),
            problems: opened.problems.iter().map(|finding| ProblemEntry::of(finding, &words)).collect(),
            exit,
            ..Document::default()
        })?;
    }
    Ok(Exit::SheetProblems)
}

/// The end of a command that sends nothing.
fn not_sent(
    settings: &Settings,
    opened: &Opened,
    staged: &Staged,
    causes: Causes,
    started: std::time::Instant,
    held: bool,
) -> Result<Exit> {
    let gathered = &staged.gathered;
    let bad = gathered.orders_invalid + gathered.rows_without_order > 0;
    let exit = if bad || held { Exit::SheetProblems } else { Exit::Done };
    let orders = Orders {
        total: gathered.orders,
        invalid: gathered.orders_invalid,
        already_booked: staged.already_booked_count,
        in_doubt: staged.in_doubt,
        // Everything else would be sent, or failed before and would stay as it is.
        outstanding: gathered.orders - gathered.orders_invalid - staged.already_booked_count - staged.in_doubt,
        ..Orders::default()
    };
    let document = Document {
        run: None,
        sheets: sheet_entries(opened),
        rows: row_counts(gathered),
        orders,
        lines: gathered.good.lines,
        seconds: seconds(started),
        problems: causes.into_all(),
        exit: exit.code(),
        ..Document::default()
    };
    if settings.format == Format::Json {
        print_json(&document)?;
    } else {
        let good = gathered.orders - gathered.orders_invalid;
        let rows = document.rows;
        print(
            format!(
                "{} read: {} in orders, {} invalid, {} blank, {} skipped\n{} good, {} invalid; nothing was sent\n",
                count(rows.read, "row"),
                rows.in_orders,
                rows.invalid,
                rows.blank,
                rows.skipped,
                count(good, "order"),
                gathered.orders_invalid
            )
            .as_bytes(),
        )?;
    }
    Ok(exit)
}
