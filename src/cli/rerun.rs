//! `resume` and `retry`: from the ledger alone, without the sheet.

use anyhow::{Result, bail};

use crate::ledger::{Adopted, RunFacts, RunId, RunKind, Staging};
use crate::report::{Document, Orders, Told, write_summary};
use crate::stage::Totals;
use crate::text::{count, list};

use super::Usage;
use super::args::{Booking, Format, Resume, Retry};
use super::console::{note, print, print_json};
use super::exit::Exit;
use super::session::{Answer, Line, Session, ask, runtime, seconds, to_send};
use super::settings::{Settings, Verbosity};

/// What a rerun takes up.
struct TakenUp {
    totals: Totals,
    notes: Vec<String>,
}

pub(super) fn resume(settings: &Settings, arguments: &Resume) -> Result<Exit> {
    rerun(settings, &arguments.booking, RunKind::Resume, |staging| {
        let adopted = staging.adopt_outstanding(arguments.run.map(RunId::from_number))?;
        Ok(TakenUp { totals: totals(&adopted), notes: Vec::new() })
    })
}

pub(super) fn retry(settings: &Settings, arguments: &Retry) -> Result<Exit> {
    rerun(settings, &arguments.booking, RunKind::Retry, |staging| {
        let (run, numbers) = meant(staging, arguments)?;
        let adopted = staging.adopt_failed(run, &numbers)?;
        let mut notes = Vec::new();
        if !adopted.in_doubt.is_empty() {
            notes.push(format!(
                "left alone, in doubt: {} (settle them with `doubt list`)",
                list(&adopted.in_doubt, "and")
            ));
        }
        if !adopted.unknown.is_empty() {
            notes.push(format!("not in the ledger: {}", list(&adopted.unknown, "and")));
        }
        if !adopted.not_failed.is_empty() {
            notes.push(format!("left alone, not failed: {}", list(&adopted.not_failed, "and")));
        }
        Ok(TakenUp { totals: totals(&adopted.adopted), notes })
    })
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

fn rerun(
    settings: &Settings,
    typed: &Booking,
    kind: RunKind,
    take_up: impl FnOnce(&mut Staging<'_>) -> Result<TakenUp>,
) -> Result<Exit> {
    let booking = settings.booking(typed);
    let mut session = Session::open(settings, kind.as_str())?;
    let runtime = runtime()?;
    let new_run = session.new_run(kind);
    let mut staging = session.ledger.stage(new_run)?;
    let taken = take_up(&mut staging)?;
    taken.notes.iter().for_each(note);
    if taken.totals.orders == 0 {
        drop(staging);
        note(format!("nothing to {}", kind.as_str()));
        if settings.format == Format::Json {
            print_json(&Document::default())?;
        }
        return Ok(Exit::Done);
    }
    if settings.verbosity != Verbosity::Quiet {
        note(format!("to send: {}", to_send(&taken.totals)));
    }
    let line = Line::open(settings, &booking, &runtime)?;
    match ask(settings, &booking, &taken.totals) {
        Answer::Yes => {}
        Answer::No => {
            note("nothing was sent and nothing was changed");
            return Ok(Exit::CouldNotRun);
        }
        Answer::NobodyToAsk => {
            let orders = count(taken.totals.orders, "order");
            bail!(Usage(format!("this books {orders} for real, and nobody can be asked here: add --yes")))
        }
    }
    let run = staging.commit(&RunFacts { lines: taken.totals.lines, ..RunFacts::default() })?;
    let started = session.started;
    let (ended, _) = session.book(run, settings, &booking, &runtime, line)?;
    let orders = Orders::from(ended.tally);
    let exit = Exit::of(&orders, ended.requests == 0);
    let document = Document {
        run: Some(run.number()),
        orders,
        lines: taken.totals.lines,
        requests: ended.requests,
        seconds: seconds(started),
        stopped_by: ended.stopped.as_ref().map(|(by, _)| by.clone()),
        exit: exit.code(),
        ..Document::default()
    };
    if settings.format == Format::Json {
        print_json(&document)?;
    } else if settings.verbosity != Verbosity::Quiet {
        let mut text = Vec::new();
        let why = ended.stopped.as_ref().map(|(_, why)| why.as_str());
        let told = Told { command: &settings.command, already: &[], highlights: Some(&ended.highlights), why };
        write_summary(&mut text, &document, told)?;
        print(&text)?;
    }
    Ok(exit)
}
