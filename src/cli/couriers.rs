//! What is asked of couriers, in words: before an import, and how far it is.

use std::io;
use std::sync::Arc;

use clap::Args;

use crate::after::bulk::News;
use crate::app::{self, Asked, CourierOptions, RoutesFound, Steps, pin};
use crate::book::StopSignal;
use crate::cli::screen::Counter;
use crate::text::{count, duration};

use super::connect::settle_service;
use super::console::{note, progress_style, stop_on_signals};
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

/// Says where answers could not be kept.
pub(super) fn say_unkept(asked: &Asked) {
    if let Some(error) = &asked.unkept {
        note(format!("warning: answers could not be kept, and will be asked for again: {error}"));
    }
}

/// How far a call over many is, on standard error; signals end the program at once before the first call, and ask to stop
/// from then on.
pub(super) struct Counted<'s> {
    settings: &'s Settings,
    counter: Option<Counter>,
    stop: StopSignal,
    is_listening: bool,
}

impl<'s> Counted<'s> {
    pub(super) fn new(settings: &'s Settings) -> Self {
        Self { settings, counter: None, stop: StopSignal::default(), is_listening: false }
    }

    /// What ends the calls.
    pub(super) fn stop(&self) -> StopSignal {
        self.stop.clone()
    }

    /// The same where signals are listened to by now.
    pub(super) fn listening(&self) -> Option<&StopSignal> {
        self.is_listening.then_some(&self.stop)
    }
}

impl Steps for Counted<'_> {
    fn routes(&mut self, found: RoutesFound) -> app::Result<()> {
        let RoutesFound { pairs, known } = found;
        let open = pairs - known;
        if !self.settings.is_quiet() {
            let pairs = count(pairs as u64, "pair");
            note(format!("serviceability: {pairs} of PIN codes, {known} known, {open} to ask for"));
        }
        if open > 0 { settle_service(self.settings) } else { Ok(()) }
    }

    fn begin(&mut self, total: usize) {
        self.counter = Some(Counter::new(progress_style(self.settings.verbosity), total));
    }

    fn first_call(&mut self) -> io::Result<()> {
        if !self.is_listening {
            stop_on_signals(&self.stop)?;
            self.is_listening = true;
        }
        Ok(())
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
