//! Books a sheet from a program of one's own, on the stand-in service that comes with the library.
//!
//! ```sh
//! cargo run --example embed -- examples/quickstart/orders.csv rejects.csv results.csv
//! ```

#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use shipsheet::app::{App, CourierOptions, Exit, NoSteps, PlanOptions, why_in_doubt};
use shipsheet::book::StopSignal;
use shipsheet::config::{BookingOptions, Config, Overrides, Sheets};
use shipsheet::event::Stream;
use shipsheet::finding::english::{message, plain_words};

fn main() -> Result<ExitCode> {
    let mut named = std::env::args_os().skip(1).map(PathBuf::from);
    let sheet = named.next().context("name a sheet, and a file for rejects and one for results if you like")?;
    let (rejects, results) = (named.next(), named.next());
    // A folder of its own, so that nothing is left behind; without it the user's own configuration and ledger are used.
    let folder = tempfile::tempdir()?;
    let overrides = Overrides { sandbox: true, folder: Some(folder.path().to_owned()), ..Overrides::default() };
    let app = App::open(Config::open(overrides)?);
    let exit = import(&app, &sheet, rejects.as_deref(), results.as_deref(), &mut |line| println!("{line}"))?;
    Ok(exit.into())
}

/// Books what a sheet holds and tells what came of it, line by line.
pub(crate) fn import(
    app: &App,
    sheet: &Path,
    rejects: Option<&Path>,
    results: Option<&Path>,
    tell: &mut dyn FnMut(String),
) -> Result<Exit> {
    // One stream from the first row to the last answer: a listener in place of nobody could draw a page from it.
    let (mut events, stop) = (Stream::silent(), StopSignal::default());
    let reading = app.read(&Sheets::of([sheet]), &mut events)?;
    let booking = app.config().booking(&BookingOptions::default());
    // One writer at a time: the ledger's lock is held until the run is over, and ends with this process.
    let (mut session, mut connection, mut couriers) = (app.session("embed")?, None, None);
    if let Some(question) = app.couriers_before(&CourierOptions::default(), &booking)? {
        let asked = session.ask_couriers(question, &reading, &mut connection, &stop, &mut NoSteps, &mut events)?;
        asked.1.warnings.iter().for_each(|warning| tell(message(warning)));
        couriers = Some(asked.0);
    }
    // Bad input is data: each problem has an id, a place and remedies, and the good orders go on.
    let options = PlanOptions { rejects, results, couriers: couriers.as_ref() };
    let plan = session.plan(&reading, options, &mut |problem| tell(message(problem)), &mut events)?;
    if let Some(caution) = plan.cautions().first() {
        bail!("nothing was sent, for a person has to look first: {caution}");
    }
    // Whatever can fail fails before the run is recorded; from then on what is not sent is outstanding.
    let connection = connection.map_or_else(|| app.connect(&booking), Ok)?;
    let staged = plan.stage(&mut events)?;
    // Every answer is in the ledger before anyone hears of it.
    let (mut ended, _) = session.book(staged, &booking, Some(connection), stop, events)?;
    ended.write_results(&plain_words())?;
    ended.write_rejects(&plain_words())?;
    ended.each_order(&mut |order| {
        let number = order.order_number.as_deref().unwrap_or("(no number)");
        let what = order.awb.as_deref().or(order.error.as_deref()).unwrap_or_default();
        tell(format!("{number}: {} {what}", order.state));
    })?;
    let o = ended.orders;
    let (failed, open) = (o.invalid + o.rejected + o.refused, o.outstanding + o.in_doubt);
    tell(format!(
        "run {}: {} of {} booked, {failed} failed, {open} open",
        ended.run,
        o.booked + o.already_booked,
        o.total
    ));
    if let Some((_, why)) = &ended.stopped {
        tell(format!("it was stopped before its end: {why}"));
    }
    for doubt in app.doubts()? {
        tell(format!("look order {} up in the courier's portal: {}", doubt.number, why_in_doubt(&doubt)));
    }
    ended.balance()?;
    Ok(ended.exit())
}
