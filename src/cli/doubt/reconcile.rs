//! `doubt match`: the ledger beside the courier portal's own export.

use std::io::Write;

use anyhow::{Result, bail};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use schemars::JsonSchema;
use serde::Serialize;

use crate::app::{CompareOptions, Exit, Listed, Reconciled, Session};
use crate::cli::Usage;
use crate::cli::console::{confirm, note, print};
use crate::cli::document::{Kind, print_document};
use crate::cli::global::Format;
use crate::cli::own::remember;
use crate::cli::session::tell_opening;
use crate::cli::settings::Settings;
use crate::ledger::{State, TakenStatement};
use crate::settle::{Comparison, Difference, Span, Statement, StatementColumns, StatementOptions, end_of_day};
use crate::sheet;
use crate::text::{count, list, moment, shortened};

use super::arguments::Match;

/// By this name files that it wrote are remembered.
const MATCH: &str = "doubt match";
/// Characters of the numbers that are named in a line.
const NAMED_CHARACTERS_MAX: usize = 200;
/// Differences that are shown of each list; `--format json` has them all.
const SHOWN_MAX: usize = 50;

/// The document of `doubt match`. Every order and every booking stands in one list at most.
#[derive(Serialize, JsonSchema)]
#[schemars(title = "The ledger beside the courier portal's statement")]
pub(in crate::cli) struct Document<'c> {
    /// The file's name.
    statement: &'c str,
    /// The hash of the file, in hexadecimal digits.
    sha256: &'c str,
    /// The headers of the columns with order number, air waybill number and status; null where there is none.
    columns: [Option<&'c str>; 3],
    /// The header of the column with the date of booking; null where there is none.
    date_column: Option<&'c str>,
    /// The header of the column with what the courier charges; null where there is none.
    freight_column: Option<&'c str>,
    /// The header of the column of the carrier's name; null where there is none.
    carrier_column: Option<&'c str>,
    /// The time of which the statement has every booking, by its dates or by a person's word; null where nobody knows.
    span: Option<Span>,
    /// Rows of the statement that could be read.
    rows: usize,
    /// Places of the rows that could not be read.
    unreadable: &'c [String],
    #[serde(flatten)]
    comparison: &'c Comparison,
    /// Numbers of the orders that the statement names and that are held since just now, until a person says that they go.
    held: &'c [String],
    /// Numbers of the orders that were recorded as booked just now.
    settled: Vec<&'c str>,
    /// Numbers of the orders that were given up just now: the courier has them, so they are not sent from here as well.
    given_up: &'c [String],
    /// Numbers of the orders that were recorded as not booked just now.
    not_booked: &'c [String],
    /// Shipments whose charge was kept just now.
    freights_kept: u64,
    /// Where the findings were written; null where nobody asked for that.
    file: Option<String>,
    /// Orders that are in doubt after this.
    in_doubt: usize,
    exit: Exit,
}

/// What was recorded just now.
#[derive(Default)]
struct Recorded {
    listed: Listed,
    not_booked: Vec<String>,
    freights_kept: u64,
}

pub(super) fn reconcile(settings: &Settings, arguments: &Match) -> Result<Exit> {
    settings.service_key()?;
    if let (Some(to), false) = (&arguments.to, arguments.force) {
        settings.app.may_write(MATCH, to)?;
    }
    let statement = settings.app.read_statement(&arguments.statement, options(arguments))?;
    let mut session = opened(settings)?;
    let taken = settings.app.take_compared(session.as_mut(), &statement)?;
    // Days are those of the statement's dates.
    let zone = settings.config().rules(Timestamp::now(), None)?.time_zone;
    let since_ms = since_ms(arguments, zone.clone())?;
    let which = CompareOptions { run: arguments.run, since_ms, until_ms: until_ms(arguments, zone)? };
    let mut reconciled = settings.app.compare(session.as_ref(), statement, which)?;
    if reconciled.is_strange {
        note(format!(
            "warning: the ledger knows none of the order numbers in column \"{}\": if another column holds ours, \
             name it with --order-column",
            reconciled.statement.columns.order
        ));
    }
    if reconciled.is_ahead {
        note(format!(
            "warning: column \"{}\" has dates of the future, so they do not show which orders are missing: name the date of \
             booking with --date-column",
            reconciled.statement.columns.date.as_deref().unwrap_or_default()
        ));
    }
    if let Some(to) = &arguments.to {
        reconciled.write(to)?;
        remember(settings, MATCH, to);
        note(format!("what was found is written to {}", to.display()));
    }
    if settings.format == Format::Human {
        print(&described(&reconciled.comparison, &reconciled.statement, settings)?)?;
    }
    let recorded = match &mut session {
        Some(session) => record(settings, arguments, session, &mut reconciled)?,
        None => Recorded::default(),
    };
    let held = still_held(settings, taken, &recorded)?;
    told(settings, arguments, &reconciled, (&held, &recorded))
}

/// The orders that the statement names and that are still held by it; where it settled all that it names, it is forgotten.
fn still_held(settings: &Settings, taken: TakenStatement, recorded: &Recorded) -> Result<Vec<String>> {
    let TakenStatement { id, is_new, named, mut held } = taken;
    let is_whole = held.len() == named;
    let Listed { booked, given_up, .. } = &recorded.listed;
    held.retain(|order| !given_up.contains(order) && !booked.iter().any(|agreed| agreed.order == *order));
    match (id, held.first()) {
        (Some(id), None) if is_new && is_whole => {
            settings.app.forget_statement(id, "it settled all that it names")?;
        }
        (_, Some(first)) => {
            let (orders, named) =
                (count(held.len() as u64, "order"), shortened(&list(&held, "and"), NAMED_CHARACTERS_MAX));
            let accept = format!("`{} accept in-couriers-list --order {first} --because …`", settings.command);
            note(format!("{orders} that the statement names held: {named}; if it is another parcel, {accept}"));
        }
        _ => {}
    }
    Ok(held)
}

/// A session in which something can be settled. A run that goes on is no reason not to compare.
fn opened(settings: &Settings) -> Result<Option<Session<'_>>> {
    match settings.app.settling() {
        Ok(session) => {
            tell_opening(settings, &session);
            Ok(Some(session))
        }
        Err(error) if error.is_locked() => {
            note(format!("warning: {error}; nothing is recorded this time"));
            Ok(None)
        }
        Err(error) => Err(error.into()),
    }
}

/// Records what the statement proves, what it charges and, where that was asked for, what it lacks.
fn record(
    settings: &Settings,
    arguments: &Match,
    session: &mut Session<'_>,
    reconciled: &mut Reconciled,
) -> Result<Recorded> {
    let listed = settle_listed(settings, arguments.yes, session, reconciled);
    let freights_kept = keep_freights(arguments.yes, session, reconciled)?;
    let not_booked =
        if arguments.not_booked { settle_absent(settings, arguments.yes, session, reconciled)? } else { Vec::new() };
    Ok(Recorded { listed, not_booked, freights_kept })
}

/// How it ends, and for scripts all of it.
fn told(
    settings: &Settings,
    arguments: &Match,
    reconciled: &Reconciled,
    (held, recorded): (&[String], &Recorded),
) -> Result<Exit> {
    let Reconciled { statement, comparison, .. } = reconciled;
    let doubts = comparison.only_ours.iter().chain(&comparison.twice);
    let in_doubt = comparison.proven.len() + doubts.filter(|item| item.state == Some(State::InDoubt.as_str())).count();
    let exit = match in_doubt {
        0 if comparison.is_clean() && statement.unreadable.is_empty() => Exit::Done,
        0 => Exit::SomeFailed,
        _ => Exit::InDoubt,
    };
    if settings.format == Format::Human {
        return Ok(exit);
    }
    let StatementColumns { order, awb, status, date, freight, carrier } = &statement.columns;
    let document = Document {
        statement: &statement.name,
        sha256: &statement.sha256,
        columns: [Some(order), Some(awb), status.as_deref()],
        date_column: date.as_deref(),
        freight_column: freight.as_deref(),
        carrier_column: carrier.as_deref(),
        span: statement.span,
        rows: statement.entries.len(),
        unreadable: &statement.unreadable,
        comparison,
        held,
        settled: recorded.listed.booked.iter().map(|agreed| agreed.order.as_str()).collect(),
        given_up: &recorded.listed.given_up,
        not_booked: &recorded.not_booked,
        freights_kept: recorded.freights_kept,
        file: arguments.to.as_ref().map(|to| to.display().to_string()),
        in_doubt,
        exit,
    };
    print_document(Kind::DoubtMatch, &document)?;
    Ok(exit)
}

fn options(arguments: &Match) -> StatementOptions {
    StatementOptions {
        sheet: sheet::Options { worksheet: arguments.worksheet.clone(), ..sheet::Options::default() },
        order_column: arguments.order_column.clone(),
        awb_column: arguments.awb_column.clone(),
        status_column: arguments.status_column.clone(),
        date_column: arguments.date_column.clone(),
        freight_column: arguments.freight_column.clone(),
        carrier_column: arguments.carrier_column.clone(),
    }
}

/// The first moment of the day that was named.
fn since_ms(arguments: &Match, zone: TimeZone) -> Result<Option<i64>> {
    let Some(day) = arguments.since else { return Ok(None) };
    match day.to_zoned_datetime(zone) {
        Ok(moment) => Ok(Some(moment.timestamp().as_millisecond())),
        Err(_) => bail!(Usage(format!("--since {day} is beyond all calendars"))),
    }
}

/// The last moment of the day that was named.
fn until_ms(arguments: &Match, zone: TimeZone) -> Result<Option<i64>> {
    let Some(day) = arguments.until else { return Ok(None) };
    if day > Timestamp::now().to_zoned_datetime(zone.clone()).date() {
        bail!(Usage(format!(
            "--until {day} is yet to come: name the last day of which the statement has every booking"
        )));
    }
    match end_of_day(day, zone) {
        Some(until_ms) => Ok(Some(until_ms)),
        None => bail!(Usage(format!("--until {day} is beyond all calendars"))),
    }
}

/// Keeps what the statement charges, after a yes.
fn keep_freights(yes: bool, session: &mut Session<'_>, reconciled: &Reconciled) -> Result<u64> {
    let shipments = count(reconciled.freights.len() as u64, "shipment");
    if reconciled.freights.is_empty() {
        return Ok(0);
    }
    if !(yes || confirm(&format!("Keep what the courier charges for {shipments}?")) == Some(true)) {
        note(format!("the charges of {shipments} were not kept; add --yes to keep them"));
        return Ok(0);
    }
    let kept = session.keep_freights(reconciled)?;
    note(format!("kept what the courier charges for {}", count(kept, "shipment")));
    Ok(kept)
}

/// Records what is absent as not booked, after a yes.
fn settle_absent(
    settings: &Settings,
    yes: bool,
    session: &mut Session<'_>,
    reconciled: &mut Reconciled,
) -> Result<Vec<String>> {
    let absent = &reconciled.comparison.absent;
    let orders = count(absent.len() as u64, "order");
    if absent.is_empty() {
        note("no order in doubt is surely missing in the statement, as is said of each: nothing was changed");
        return Ok(Vec::new());
    }
    let question = format!("Take {orders} for not booked ({}), and let each be sent again, once?", list(absent, "and"));
    if !(yes || confirm(&question) == Some(true)) {
        note(format!("{orders} could be sent again and nothing was changed; add --yes to record that"));
        return Ok(Vec::new());
    }
    let settled = session.settle_absent(reconciled)?;
    note(format!("{orders} may be sent again, once each; next: `{} resume`", settings.command));
    Ok(settled)
}

/// Records what the statement shows, after a yes; an order that cannot be recorded is said and stays as it is.
fn settle_listed(settings: &Settings, yes: bool, session: &mut Session<'_>, reconciled: &mut Reconciled) -> Listed {
    let comparison = &reconciled.comparison;
    let (records, stops) = (comparison.to_record().count() as u64, comparison.to_give_up().count() as u64);
    let record = (records > 0).then(|| format!("record {} as booked", count(records, "order")));
    let stop = (stops > 0).then(|| format!("give up {} that must not be sent as well", count(stops, "order")));
    let what: Vec<String> = record.into_iter().chain(stop).collect();
    if what.is_empty() {
        return Listed::default();
    }
    let what = list(&what, "and");
    if !yes && confirm(&format!("As the statement shows, {what}?")) != Some(true) {
        note(format!("nothing was changed; add --yes to {what}"));
        return Listed::default();
    }
    let listed = session.settle_listed(reconciled);
    for (order, error) in &listed.failed {
        note(format!("warning: order {order} stays as it is: {error}"));
    }
    if !settings.is_quiet() {
        for (orders, what) in [(listed.booked.len(), "settled as booked"), (listed.given_up.len(), "given up")] {
            if orders > 0 {
                note(format!("{} {what}", count(orders as u64, "order")));
            }
        }
    }
    listed
}

fn described(comparison: &Comparison, statement: &Statement, settings: &Settings) -> Result<Vec<u8>> {
    let mut text = Vec::new();
    let StatementColumns { order, awb, status, date, freight, carrier } = &statement.columns;
    let also = [("status", status), ("date of booking", date), ("courier's charge", freight), ("carrier", carrier)];
    let also = also.iter().filter_map(|(what, column)| Some(format!(", {what} in \"{}\"", column.as_ref()?)));
    let also: String = also.collect();
    let rows = count(statement.entries.len() as u64, "row");
    writeln!(text, "{}: {rows}; order number in \"{order}\", AWB in \"{awb}\"{also}", statement.name)?;
    if let Some(Span { from_ms, until_ms }) = statement.span {
        writeln!(text, "its bookings: from {} to {}", moment(from_ms), moment(until_ms))?;
    }
    let cancelled = comparison.agree.iter().filter(|agreed| agreed.cancelled).count();
    let cancelled = if cancelled > 0 { format!(", {cancelled} of them cancelled since") } else { String::new() };
    writeln!(text, "agree: {}{cancelled}", comparison.agree.len())?;
    let lists = [
        ("only ours", &comparison.only_ours),
        ("only theirs", &comparison.only_theirs),
        ("the same order twice", &comparison.twice),
    ];
    for (title, items) in lists {
        writeln!(text, "{title}: {}", items.len())?;
        for item in items.iter().take(SHOWN_MAX) {
            write_difference(&mut text, item)?;
        }
        if items.len() > SHOWN_MAX {
            writeln!(text, "  … and {} more; --format json has them all", items.len() - SHOWN_MAX)?;
        }
    }
    if !statement.unreadable.is_empty() {
        let shown: Vec<&str> = statement.unreadable.iter().take(10).map(String::as_str).collect();
        let rows = count(statement.unreadable.len() as u64, "row");
        writeln!(text, "not readable: {rows}, {}: compare them by hand", shown.join(", "))?;
    }
    if comparison.outside > 0 {
        writeln!(text, "not compared, sent at another time: {}", comparison.outside)?;
    }
    if !comparison.absent.is_empty() {
        writeln!(text, "in doubt, and surely missing there: {}", list(&comparison.absent, "and"))?;
    }
    if !comparison.proven.is_empty() {
        writeln!(text, "in doubt, and proven by the statement: {}", comparison.proven.len())?;
    }
    for proven in comparison.proven.iter().take(SHOWN_MAX) {
        writeln!(text, "  order {}: AWB {}, row {}", proven.order, proven.awb, proven.row)?;
    }
    if comparison.only_ours.iter().any(|item| item.state == Some(State::InDoubt.as_str())) {
        writeln!(text, "what stays in doubt: {} doubt list", settings.command)?;
    }
    Ok(text)
}

fn write_difference(out: &mut Vec<u8>, item: &Difference) -> Result<()> {
    let order = item.order.as_deref().unwrap_or("without a number");
    let state = item.state.map(|state| format!(" ({})", state.replace('_', " "))).unwrap_or_default();
    let ours = item.awb.as_ref().map(|awb| format!(", AWB {awb}")).unwrap_or_default();
    let theirs = match item.statement_awbs.as_slice() {
        [] => String::new(),
        awbs => format!(", theirs {}", awbs.join(", ")),
    };
    let rows: Vec<String> = item.rows.iter().take(10).map(ToString::to_string).collect();
    let rows = if rows.is_empty() { String::new() } else { format!(", row {}", rows.join(", ")) };
    writeln!(out, "  order {order}{state}{ours}{theirs}{rows}: {}", item.note)?;
    Ok(())
}
