//! `resume` and `retry`: from the ledger alone, without the sheet.

use anyhow::{Result, bail};

use crate::finding::service::in_doubt;
use crate::finding::{Command, Remedy, english};
use crate::ledger::{Adopted, LedgerError, RunFacts, RunId, RunKind, Shipped, Staging, State, WaitingElsewhere};
use crate::report::{Document, ProblemEntry};
use crate::stage::Totals;
use crate::text::{count, list, shell_quoted};

use super::Usage;
use super::address;
use super::args::{Booking, Format, Resume, Retry};
use super::conclude::{Conclusion, conclude};
use super::console::{note, print_json};
use super::exit::Exit;
use super::remedy::words;
use super::room::runtime;
use super::session::{Line, Session, agreed, to_send};
use super::settings::{Settings, Verbosity};
use super::status::never_sent;

/// What a rerun takes up.
struct TakenUp {
    totals: Totals,
    notes: Vec<String>,
    /// Orders in doubt that were asked for, and that no rerun touches.
    in_doubt: u64,
    /// The run that was asked for.
    run: Option<RunId>,
}

pub(super) fn resume(settings: &Settings, arguments: &Resume) -> Result<Exit> {
    let take_up = |staging: &mut Staging<'_>| {
        let run = arguments.run.map(RunId::from_number);
        must_be_known(settings, staging, run)?;
        let adopted = staging.adopt_outstanding(run)?;
        let notes = set_aside(settings, staging);
        Ok(TakenUp { totals: totals(&adopted), notes, in_doubt: staging.in_doubt(run)?, run })
    };
    match rerun(settings, &arguments.booking, RunKind::Resume, take_up)? {
        Some(exit) => Ok(exit),
        None => resume(settings, arguments),
    }
}

pub(super) fn retry(settings: &Settings, arguments: &Retry) -> Result<Exit> {
    let take_up = |staging: &mut Staging<'_>| {
        let (run, numbers) = meant(staging, arguments)?;
        must_be_known(settings, staging, run)?;
        let adopted = staging.adopt_failed(run, &numbers)?;
        if let Some(number) = adopted.unknown.first() {
            if let Some(left) = settings.read_ledger()?.left_invalid(number)? {
                bail!("{}; nothing was sent", never_sent(settings, number, &left));
            }
            bail!(
                "no order (and no run) {} of {} in this ledger; nothing was sent. `{} export --all --to orders.csv` lists every order",
                list(&adopted.unknown, "and"),
                settings.service_key()?,
                settings.command
            );
        }
        let mut notes = set_aside(settings, staging);
        if !adopted.in_doubt.is_empty() {
            notes.push(format!(
                "left alone, in doubt: {} (settle them with `{} doubt list`)",
                list(&adopted.in_doubt, "and"),
                settings.command
            ));
        }
        if !adopted.not_failed.is_empty() {
            let (ledger, service) = (settings.read_ledger()?, settings.service_key()?);
            let shipped = |number: &str| ledger.shipped(&service, number);
            let each = adopted.not_failed.iter().map(|number| standing(settings, staging, shipped, number));
            let each: Vec<String> = each.collect::<Result<_>>()?;
            notes.push(format!("left alone, not failed: {}", list(&each, "and")));
        }
        Ok(TakenUp { totals: totals(&adopted.adopted), notes, in_doubt: adopted.in_doubt.len() as u64, run })
    };
    match rerun(settings, &arguments.booking, RunKind::Retry, take_up)? {
        Some(exit) => Ok(exit),
        None => retry(settings, arguments),
    }
}

/// What is said of orders that the service has at another of its addresses.
fn set_aside(settings: &Settings, staging: &Staging<'_>) -> Vec<String> {
    let Some(first) = staging.set_aside().first() else { return Vec::new() };
    let orders = count(staging.set_aside().len() as u64, "order");
    let (command, first) = (&settings.command, shell_quoted(first));
    vec![format!(
        "left alone, {orders} that this service has at another address: `{command} show {first}` shows both, and \
         `{command} doubt abandon {first} --because \"…\"` gives the one here up"
    )]
}

/// An order that is not to be retried, with where it stands.
fn standing(
    settings: &Settings,
    staging: &Staging<'_>,
    shipped: impl Fn(&str) -> Result<Option<Shipped>, LedgerError>,
    number: &str,
) -> Result<String> {
    let Some(known) = staging.known(number)? else { return Ok(number.to_owned()) };
    let shipped = if known.state == State::Booked { shipped(number)? } else { None };
    let show = || format!("{} show {}", settings.command, shell_quoted(number));
    let word = match (known.state, shipped) {
        (_, Some(Shipped { cancelled_ms: Some(_), awb, .. })) => format!(
            "booked as {awb} and cancelled; a cancelled order is not booked again under its number: give it a new one"
        ),
        (_, Some(Shipped { cancel_unclear_ms: Some(_), awb, .. })) => {
            format!("booked as {awb}, and perhaps cancelled: see `{}`", show())
        }
        (_, Some(Shipped { awb, .. })) => format!("booked as {awb}"),
        (State::Abandoned, _) => format!("given up: see `{}`", show()),
        (State::Staged | State::Waiting, _) => format!("outstanding: `{} resume` sends it", settings.command),
        (state, _) => state.as_str().to_owned(),
    };
    Ok(format!("{number} ({word})"))
}

fn must_be_known(settings: &Settings, staging: &Staging<'_>, run: Option<RunId>) -> Result<()> {
    if let Some(run) = run
        && !staging.has_run(run)?
    {
        bail!("no run {} in this ledger; `{} runs` lists them", run.number(), settings.command);
    }
    Ok(())
}

/// Whether a number is a run's or an order's.
fn meant(staging: &mut Staging<'_>, arguments: &Retry) -> Result<(Option<RunId>, Vec<String>)> {
    if let Some(run) = arguments.run {
        return Ok((Some(RunId::from_number(run)), arguments.what.clone()));
    }
    let Some((first, rest)) = arguments.what.split_first() else { return Ok((None, Vec::new())) };
    let run = first.parse::<i64>().ok();
    let is_order = staging.known(first)?.is_some();
    let run = match run {
        Some(number) if staging.has_run(RunId::from_number(number))? => Some(number),
        _ => None,
    };
    match (run, is_order) {
        (Some(number), true) => bail!(Usage(format!(
            "{first} is a run and an order: write --run {number} for the run, or name the order with --run of its run"
        ))),
        (Some(number), false) => Ok((Some(RunId::from_number(number)), rest.to_vec())),
        (None, _) => Ok((None, arguments.what.clone())),
    }
}

const fn totals(adopted: &Adopted) -> Totals {
    Totals { orders: adopted.orders, lines: adopted.lines, value: adopted.value, to_collect: adopted.cod }
}

/// Nothing where a question was answered that changes what is taken up: then it begins again.
fn rerun(
    settings: &Settings,
    typed: &Booking,
    kind: RunKind,
    take_up: impl FnOnce(&mut Staging<'_>) -> Result<TakenUp>,
) -> Result<Option<Exit>> {
    let booking = settings.booking(typed);
    let mut session = Session::open(settings, kind.as_str())?;
    let new_run = session.new_run(kind);
    let mut staging = session.ledger.stage(new_run)?;
    let taken = take_up(&mut staging)?;
    taken.notes.iter().for_each(note);
    if taken.totals.orders == 0 {
        drop(staging);
        return nothing_to_do(settings, kind, taken.run, taken.in_doubt).map(Some);
    }
    let answers = address::ask(settings, &staging.elsewhere()?)?;
    if !answers.is_empty() {
        drop(staging);
        address::keep(settings, &mut session.ledger, &answers)?;
        return Ok(None);
    }
    if settings.verbosity != Verbosity::Quiet {
        note(format!("to send: {}", to_send(&taken.totals)));
    }
    let runtime = runtime()?;
    let line = Line::open(settings, &booking, &runtime)?;
    if !agreed(settings, &booking, &taken.totals, None)? {
        note("nothing was sent and nothing was changed");
        return Ok(Some(Exit::CouldNotRun));
    }
    let run = staging.commit(&RunFacts { lines: taken.totals.lines, ..RunFacts::default() })?;
    let started = session.started;
    let (ended, _) = session.book(run, settings, &booking, &runtime, Some(line))?;
    let document = Document {
        run: Some(run.number()),
        lines: taken.totals.lines,
        problems: doubts(settings, taken.in_doubt),
        ..Document::default()
    };
    let conclusion = Conclusion {
        document,
        already: &[],
        rows_without_order: 0,
        doubts_besides: taken.in_doubt,
        handed_back: false,
        started,
    };
    conclude(settings, conclusion, &ended).map(Some)
}

/// Nothing may be sent; what is in doubt still needs a person, and what waits for another address its own.
fn nothing_to_do(settings: &Settings, kind: RunKind, run: Option<RunId>, in_doubt: u64) -> Result<Exit> {
    note(format!("nothing to {}", kind.as_str()));
    let mut elsewhere = if kind == RunKind::Resume {
        settings.read_ledger()?.waiting_elsewhere(&settings.service_key()?)?
    } else {
        Vec::new()
    };
    elsewhere.retain(|waiting| run.is_none_or(|run| run == waiting.run));
    for WaitingElsewhere { run, service, orders } in &elsewhere {
        let (run, waiting) = (run.number(), count(*orders, "order"));
        note(format!(
            "{waiting} of run {run} outstanding at {service}, and not at {}: `{} resume {run}` sends them there; if that \
             address was wrong, import the sheet again",
            settings.service_key()?,
            settings.command_at(service)
        ));
    }
    let exit = match (in_doubt, elsewhere.is_empty() || run.is_none()) {
        (0, true) => Exit::Done,
        (0, false) => Exit::Outstanding,
        _ => Exit::InDoubt,
    };
    let problems = doubts(settings, in_doubt);
    if settings.format == Format::Json {
        print_json(&Document { problems, exit: exit.code(), ..Document::default() })?;
    }
    Ok(exit)
}

/// Orders in doubt that were asked for: said, and kept for the document.
fn doubts(settings: &Settings, in_doubt: u64) -> Vec<ProblemEntry> {
    if in_doubt == 0 {
        return Vec::new();
    }
    let left = in_doubt::left_alone(in_doubt, Remedy::run(Command::ListDoubts));
    let words = words(&settings.command);
    note(format!("warning: {}; {}", english::message(&left), english::advice(&left, &*words)));
    vec![ProblemEntry::of(&left, &words)]
}
