//! `doubt list` and `doubt show`: what is in doubt, why, and what to do about it.

use std::io::Write;

use anyhow::{Result, bail};
use schemars::JsonSchema;
use serde::Serialize;

use crate::app::{Clue, Exit, clues, why_in_doubt};
use crate::cli::console::print;
use crate::cli::document::{Kind, print_document};
use crate::cli::global::Format;
use crate::cli::session::tell_opening;
use crate::cli::settings::Settings;
use crate::ledger::{AttemptRecord, OrderHistory};
use crate::text::{count, moment, shell_quoted, shortened};

/// Characters of an answer that are shown; the whole of it is in `show --format json`.
const ANSWER_CHARACTERS_SHOWN: usize = 400;

/// The document of `doubt list`.
#[derive(Serialize, JsonSchema)]
#[schemars(title = "The orders in doubt")]
pub(in crate::cli) struct Document {
    /// Every order in doubt, with its whole history.
    orders: Vec<OrderHistory>,
    exit: Exit,
}

pub(super) fn list(settings: &Settings) -> Result<Exit> {
    // What a killed run left on its way is in doubt from now on; while a run goes on, this is refused and changes nothing.
    if let Ok(session) = settings.app.settling() {
        tell_opening(settings, &session);
    }
    let histories = settings.app.doubts()?;
    let exit = if histories.is_empty() { Exit::Done } else { Exit::InDoubt };
    if settings.format == Format::Json {
        print_document(Kind::DoubtList, &Document { orders: histories, exit })?;
        return Ok(exit);
    }
    let mut text = Vec::new();
    if histories.is_empty() {
        writeln!(text, "no order is in doubt")?;
    } else {
        writeln!(
            text,
            "{}. Look for each in the courier's portal, then say what you found:",
            count(histories.len() as u64, "order in doubt")
        )?;
    }
    for history in &histories {
        let sent = history.attempts.last().map(|attempt| moment(attempt.intent_ms)).unwrap_or_default();
        writeln!(text, "\norder {}, sent {sent}: {}", history.number, why_in_doubt(history))?;
        let commands = Commands::new(settings, history);
        writeln!(text, "  it is there:      {}", commands.booked)?;
        writeln!(text, "  it is not there:  {}", commands.not_booked)?;
    }
    if let Some(first) = histories.first() {
        let (command, number) = (&settings.command, shell_quoted(&first.number));
        writeln!(text, "\nall that is known of one: {command} doubt show {number}")?;
        writeln!(text, "many at once, from the portal's own export: {command} doubt match FILE")?;
    }
    print(&text)?;
    Ok(exit)
}

/// The document of `doubt show`: the order at each service that knows its number, and what to do about it.
#[derive(Serialize, JsonSchema)]
#[schemars(title = "An order in doubt")]
pub(in crate::cli) struct ShowDocument<'h> {
    /// The order, once for each service.
    orders: Vec<Advice<'h>>,
    exit: Exit,
}

/// The exact commands that settle an order.
#[derive(Debug, Serialize, JsonSchema)]
struct Commands {
    /// The portal shows it: record its air waybill number.
    booked: String,
    /// The portal does not show it: let it be sent again, once.
    not_booked: String,
    /// It is not wanted any more.
    abandon: String,
}

impl Commands {
    fn new(settings: &Settings, history: &OrderHistory) -> Self {
        let (command, number) = (settings.command_at(&history.service), shell_quoted(&history.number));
        let of = format!("{number} --attempt {}", history.upon().attempts);
        Self {
            booked: format!("{command} doubt booked {of} --awb AWB --because \"seen in the portal\""),
            not_booked: format!("{command} doubt not-booked {of} --because \"not in the portal\""),
            abandon: format!("{command} doubt abandon {of} --because \"no longer wanted\""),
        }
    }
}

/// An order with its whole history, and what to do about it.
#[derive(Debug, Serialize, JsonSchema)]
struct Advice<'h> {
    #[serde(flatten)]
    history: &'h OrderHistory,
    /// Whether it is in doubt.
    in_doubt: bool,
    /// Why it is in doubt; null where it is not.
    why: Option<String>,
    /// Values to search for in the courier's portal.
    look_for: Vec<String>,
    /// The commands that settle it; null where it is not in doubt.
    commands: Option<Commands>,
}

impl<'h> Advice<'h> {
    fn new(settings: &Settings, history: &'h OrderHistory) -> Self {
        let in_doubt = history.state == "in_doubt";
        Self {
            history,
            in_doubt,
            why: in_doubt.then(|| why_in_doubt(history)),
            look_for: if in_doubt { look_for(history) } else { Vec::new() },
            commands: in_doubt.then(|| Commands::new(settings, history)),
        }
    }
}

pub(super) fn show(settings: &Settings, number: &str) -> Result<Exit> {
    let histories = settings.app.read_ledger()?.order(number)?;
    if histories.is_empty() {
        bail!("no order {number} in this ledger; `{} doubt list` names those in doubt", settings.command);
    }
    let advice: Vec<Advice<'_>> = histories.iter().map(|history| Advice::new(settings, history)).collect();
    let exit = if advice.iter().any(|advice| advice.in_doubt) { Exit::InDoubt } else { Exit::Done };
    if settings.format == Format::Json {
        print_document(Kind::DoubtShow, &ShowDocument { orders: advice, exit })?;
        return Ok(exit);
    }
    let mut text = Vec::new();
    for advice in &advice {
        write_advice(&mut text, settings, advice)?;
    }
    print(&text)?;
    Ok(exit)
}

fn write_advice(out: &mut Vec<u8>, settings: &Settings, advice: &Advice<'_>) -> Result<()> {
    let history = advice.history;
    let number = &history.number;
    if advice.in_doubt {
        writeln!(out, "order {number} at {} is in doubt", history.service)?;
        writeln!(out, "  why: {}", advice.why.as_deref().unwrap_or_default())?;
    } else {
        let awb = history.awb.as_ref().map(|awb| format!(", AWB {awb}")).unwrap_or_default();
        writeln!(out, "order {number} at {} is not in doubt: it is {}{awb}", history.service, history.state)?;
    }
    for attempt in &history.attempts {
        write_attempt(out, attempt)?;
    }
    if let Some(request) = history.requests.last() {
        let lines = count(request.lines.into(), "line");
        let hash = request.sha256.get(..12).unwrap_or(&request.sha256);
        writeln!(out, "  request: {lines} from {} (SHA-256 {hash}…)", request.rows)?;
    }
    for decision in &history.decisions {
        let because = decision.because.as_ref().map(|because| format!(", because: {because}")).unwrap_or_default();
        let (user, host, verb) = (&decision.user, &decision.host, &decision.verb);
        let upon = decision.attempt.map(|n| format!(" upon attempt {n}")).unwrap_or_default();
        writeln!(out, "  {}: {verb}{upon}, said {user} on {host}{because}", moment(decision.at_ms))?;
    }
    let Some(commands) = &advice.commands else { return Ok(()) };
    writeln!(out, "look in the courier's portal for:")?;
    for what in &advice.look_for {
        writeln!(out, "  - {what}")?;
    }
    writeln!(out, "then say what you found:")?;
    writeln!(out, "  it is there:            {}", commands.booked)?;
    writeln!(out, "  it is not there:        {}", commands.not_booked)?;
    writeln!(out, "  it is no longer wanted: {}", commands.abandon)?;
    writeln!(out, "or let the portal's own export say it: {} doubt match FILE", settings.command)?;
    Ok(())
}

fn write_attempt(out: &mut Vec<u8>, attempt: &AttemptRecord) -> Result<()> {
    let outcome = attempt.outcome.as_deref().unwrap_or("sending").replace('_', " ");
    let answered = attempt.answered_ms.map(|ms| format!(", settled {}", moment(ms))).unwrap_or_default();
    writeln!(
        out,
        "  attempt {} in run {}: sent {}{answered}: {outcome}",
        attempt.n,
        attempt.run,
        moment(attempt.intent_ms)
    )?;
    let received = match (attempt.status, attempt.answer.as_deref().map(str::trim)) {
        (None, None | Some("")) => "nothing".to_owned(),
        (status, answer) => {
            let status = status.map_or_else(|| "no status".to_owned(), |status| format!("HTTP {status}"));
            let answer = answer.filter(|answer| !answer.is_empty());
            let text = answer.map_or_else(|| "no text".to_owned(), |text| shortened(text, ANSWER_CHARACTERS_SHOWN));
            format!("{status}, {text}")
        }
    };
    writeln!(out, "    received: {received}")?;
    if let Some(awb) = &attempt.awb {
        writeln!(out, "    AWB in the answer: {awb}")?;
    }
    Ok(())
}

/// What a person can search for.
fn look_for(history: &OrderHistory) -> Vec<String> {
    let said = |clue| match clue {
        Clue::OrderNumber(number) => format!("order number {number}"),
        Clue::MadeBetween { from_ms, to_ms } => format!(
            "a shipment made between {} and {}, should the portal not show order numbers",
            moment(from_ms),
            moment(to_ms)
        ),
        Clue::Awb(awb) => format!("AWB {awb}, which the answer named"),
        Clue::OrderId(id) => format!("the service's own order id {id}"),
    };
    clues(history).into_iter().map(said).collect()
}
