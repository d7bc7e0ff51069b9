//! Books a sheet from a program of one's own, on the stand-in service that comes with the library.
//!
//! ```sh
//! cargo run --example embed -- examples/quickstart/orders.csv rejects.csv results.csv
//! ```

#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use shipsheet::app::english::caution;
use shipsheet::app::{App, Exit, ImportEnd, ImportOptions, Why};
use shipsheet::book::StopSignal;
use shipsheet::config::{Config, Overrides, Sheets};
use shipsheet::event::Stream;
use shipsheet::finding::english::message;

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
    let mut events = Stream::silent();
    let mut reading = app.read(&Sheets::of([sheet]), &mut events)?;
    let options = ImportOptions { rejects, results, ..ImportOptions::default() };
    // Bad input is data: each problem has an id, a place and remedies, and the good orders go on.
    let mut say = |problem: &_| tell(message(problem));
    let (imported, _) = app.import(&mut reading, &options, StopSignal::default(), &mut say, events)?;
    imported.written.unwritten.iter().for_each(|file| tell(format!("a file was not written: {file:?}")));
    match &imported.end {
        ImportEnd::Booked(ended) => {
            ended.each_order(&mut |order| {
                let number = order.order_number.as_deref().unwrap_or("(no number)");
                let what = order.awb.as_deref().or(order.error.as_deref()).unwrap_or_default();
                tell(format!("{number}: {} {what}", order.state));
            })?;
            let o = ended.orders;
            ended.balance()?;
            tell(format!("run {}: {} of {} booked", ended.run, o.booked + o.already_booked, o.total));
        }
        ImportEnd::Left { why: Why::Cautions(cautions), .. } => cautions.iter().for_each(|it| tell(caution(it))),
        ImportEnd::Left { .. } => tell("nothing was sent: not every order is valid".to_owned()),
    }
    Ok(imported.exit())
}
