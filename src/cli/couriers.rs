//! What is asked of couriers, in words: before an import, and how far it is.

use std::sync::Arc;

use anyhow::Result;
use clap::Args;

use crate::after::bulk::News;
use crate::app::{
    App, Asked, Connection, CourierAnswers, CourierOptions, CourierQuestion, Reading, RoutesFound, Session, Steps, pin,
};
use crate::book::StopSignal;
use crate::cli::screen::Counter;
use crate::event::Events;
use crate::finding::Finding;
use crate::text::{count, duration};

use super::connect::settle_host;
use super::console::{note, progress_style};
use super::settings::Settings;

#[derive(Debug, Args)]
pub(super) struct Beforehand {
    /// Ask the service first, once for each pair of PIN codes, whether couriers go there; orders that none takes stay
    /// behind. Without an answer an order is sent all the same
    #[arg(long)]
    check_serviceability: bool,
    /// The same, and orders for which no answer could be had stay behind as well
    #[arg(long)]
    require_serviceability: bool,
    /// PIN code of the pickup, for warehouses of which the configuration says none
    #[arg(long, value_name = "PIN", value_parser = pin)]
    pickup_pin: Option<String>,
}

impl Beforehand {
    pub(super) fn options(&self) -> CourierOptions {
        CourierOptions {
            check: self.check_serviceability,
            require: self.require_serviceability,
            pickup_pin: self.pickup_pin.clone(),
        }
    }
}

/// Who asks: an import, which keeps the answers, or a check, which does not.
pub(super) enum Asker<'a, 's> {
    Import(&'a mut Session<'s>),
    Check(&'a App),
}

/// What to ask, and what is asked with.
pub(super) struct Asking<'a> {
    pub(super) question: CourierQuestion,
    pub(super) reading: &'a Reading,
    /// Made where it is needed, and there for what comes after.
    pub(super) connection: &'a mut Option<Connection>,
    pub(super) stop: &'a StopSignal,
}

/// Asks whether couriers go where the orders go, and says what could not be found out.
pub(super) fn ask(
    settings: &Settings,
    asker: Asker<'_, '_>,
    asking: Asking<'_>,
    said: &mut Vec<Finding>,
    events: &mut Events<'_>,
) -> Result<CourierAnswers> {
    settle_host(settings)?;
    let Asking { question, reading, connection, stop } = asking;
    let mut steps = Counted::new(settings);
    let (answers, Asked { warnings, unkept }) = match asker {
        Asker::Import(session) => session.ask_couriers(question, reading, connection, stop, &mut steps, events)?,
        Asker::Check(app) => app.ask_couriers(question, reading, connection, stop, &mut steps, events)?,
    };
    if let Some(error) = unkept {
        note(format!("warning: answers could not be kept, and will be asked for again: {error}"));
    }
    said.extend(warnings);
    Ok(answers)
}

/// How far a call over many is, on standard error.
pub(super) struct Counted<'s> {
    settings: &'s Settings,
    counter: Option<Counter>,
}

impl<'s> Counted<'s> {
    pub(super) const fn new(settings: &'s Settings) -> Self {
        Self { settings, counter: None }
    }
}

impl Steps for Counted<'_> {
    fn routes(&mut self, found: RoutesFound) {
        if !self.settings.is_quiet() {
            let RoutesFound { pairs, known } = found;
            let open = pairs - known;
            let pairs = count(pairs as u64, "pair");
            note(format!("serviceability: {pairs} of PIN codes, {known} known, {open} to ask for"));
        }
    }

    fn begin(&mut self, total: usize) {
        self.counter = Some(Counter::new(progress_style(self.settings.verbosity), total));
    }

    fn step(&mut self) {
        if let Some(counter) = &mut self.counter {
            counter.step();
        }
    }

    fn finish(&mut self) {
        if let Some(counter) = self.counter.take() {
            counter.finish();
        }
    }

    fn news(&self) -> Arc<dyn Fn(&News<'_>) + Send + Sync> {
        match &self.counter {
            Some(counter) => {
                let line = counter.line();
                Arc::new(move |news| line(&told(news)))
            }
            None => Arc::new(|news| note(told(news))),
        }
    }
}

fn told(news: &News<'_>) -> String {
    match news {
        News::Waiting { why, time } => format!("waiting {}: {why}", duration(*time)),
        News::Stopping { at_once: true, .. } | News::Stopping { in_flight: 0, .. } => "stopping".to_owned(),
        News::Stopping { in_flight, at_once: false } => {
            let calls = count(*in_flight as u64, "call");
            format!("stopping: waiting for {calls} on the way (Ctrl-C again leaves at once)")
        }
    }
}
