//! The program of `docs/embedding.md`.

use std::process::ExitCode;

use shipsheet::app::{App, ImportEnd, ImportOptions};
use shipsheet::book::StopSignal;
use shipsheet::config::{Config, Overrides, Sheets};
use shipsheet::event::Stream;
use shipsheet::finding::english::message;

fn main() -> anyhow::Result<ExitCode> {
    // The stand-in service; `Overrides::default()` takes the user's own configuration and ledger.
    let app = App::open(Config::open(Overrides { sandbox: true, ..Overrides::default() })?);
    let mut events = Stream::silent();
    let mut reading = app.read(&Sheets::of(["orders.csv"]), &mut events)?;
    let mut say = |problem: &_| println!("{}", message(problem));
    let (imported, _) = app.import(&mut reading, &ImportOptions::default(), StopSignal::default(), &mut say, events)?;
    if let ImportEnd::Booked(ended) = &imported.end {
        ended.each_order(&mut |order| println!("{:?}: {} {:?}", order.order_number, order.state, order.awb))?;
    }
    Ok(imported.exit().into())
}
