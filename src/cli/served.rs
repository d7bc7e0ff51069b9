//! `--check-serviceability`: whether couriers go where a sheet's orders go, asked before money is spent.

use std::collections::HashMap;

use anyhow::{Result, bail};
use clap::Args;
use jiff::Timestamp;

use crate::after::bulk::{Bulk, Done};
use crate::after::routes::{Answer, Route, Served, Way, ask};
use crate::api::CallError;
use crate::api::service::Courier;
use crate::book::{Stop, StopSignal};
use crate::check::Rules;
use crate::field::Id;
use crate::finding::service::{not_serviceable, payment_not_serviceable, serviceability_unknown};
use crate::finding::{Finding, Remedy};
use crate::ledger::{Ledger, RouteRecord};
use crate::order::Order;
use crate::report::Counter;
use crate::stage::{Gate, Opened, gather};
use crate::text::count;

use super::bulk::bulk;
use super::console::{listen_for_signals, note, progress_style};
use super::service_args::pin;
use super::session::Line;
use super::settings::{BookingSettings, CONCURRENCY, Settings, Verbosity, beside_bookings};
use super::survey::{Pickups, Survey, is_domestic, no_pickup, route_of};

/// For how long an answer is believed, in milliseconds.
const BELIEVED_MS: i64 = 24 * 60 * 60 * 1000;
/// Answers that are kept at a time.
const KEPT_TOGETHER: usize = 100;

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
    pub(super) pickup_pin: Option<String>,
}

/// How to ask.
pub(super) struct Question {
    pickups: Pickups,
    is_required: bool,
    rate: Option<f64>,
    /// Questions in flight at most.
    concurrency: usize,
    /// Connections that are kept for what comes after.
    connections: usize,
}

/// What is known of each route; the gate before the ledger.
#[derive(Debug)]
pub(super) struct Verdicts {
    pickups: Pickups,
    answers: HashMap<Route, Result<Way, Unanswered>>,
    is_required: bool,
}

/// What asking came to, with what signals are listened to from now on.
pub(super) struct Asked {
    pub(super) verdicts: Verdicts,
    pub(super) stop: StopSignal,
    /// What there is to say beyond single orders.
    pub(super) warnings: Vec<Finding>,
}

/// Where answers are kept.
pub(super) enum Memory<'l> {
    Kept(&'l mut Ledger),
    /// Looked up where there is something, and never written.
    ReadOnly(Option<&'l Ledger>),
}

impl Memory<'_> {
    fn ledger(&self) -> Option<&Ledger> {
        match self {
            Self::Kept(ledger) => Some(ledger),
            Self::ReadOnly(ledger) => *ledger,
        }
    }

    fn keep(&mut self, service: &str, routes: &[RouteRecord], now_ms: i64) {
        let Self::Kept(ledger) = self else { return };
        if let Err(error) = ledger.keep_routes(service, routes, now_ms - BELIEVED_MS) {
            note(format!("warning: answers could not be kept, and will be asked for again: {error}"));
        }
    }
}

impl Beforehand {
    /// What `import` was told to ask, by its options or by the configuration.
    pub(super) fn of_import(&self, settings: &Settings, booking: &BookingSettings) -> Result<Option<Question>> {
        let config = &settings.config.serviceability;
        let is_wanted = self.check_serviceability || self.require_serviceability || config.before_import;
        if !is_wanted {
            return Ok(None);
        }
        let is_required = self.require_serviceability || config.required;
        let concurrency = beside_bookings(booking.brake.concurrency);
        let connections = booking.brake.concurrency.ceiling().max(CONCURRENCY);
        Ok(Some(Question { concurrency, connections, ..self.question(settings, is_required, booking.rate)? }))
    }

    /// What `check` was told to ask, by its options alone: it asks nobody anything unless it is told to.
    pub(super) fn of_check(&self, settings: &Settings, rate: Option<f64>) -> Result<Option<Question>> {
        let is_wanted = self.check_serviceability || self.require_serviceability;
        is_wanted.then(|| self.question(settings, self.require_serviceability, rate)).transpose()
    }

    fn question(&self, settings: &Settings, is_required: bool, rate: Option<f64>) -> Result<Question> {
        Ok(Question {
            pickups: Pickups::of(settings, self.pickup_pin.as_deref())?,
            is_required,
            rate,
            concurrency: beside_bookings(settings.config.booking.concurrency.unwrap_or_default()),
            connections: CONCURRENCY,
        })
    }
}

impl Gate for Verdicts {
    fn bars(&self, order: &Order) -> Option<Finding> {
        let is_cod = order.order_type == "COD";
        let to = order.destination.pin_code.as_str();
        let of_route = |finding: Finding| {
            finding.of_order(order.number.clone()).on_field(Id::DestinationPinCode.field().path).found(to)
        };
        let unknown = |why: Finding| {
            let not_required = Remedy::RequireServiceability { on: false };
            of_route(serviceability_unknown::unanswered(to, why, not_required))
        };
        let Some(route) = route_of(&self.pickups, order) else {
            let is_unknown = self.is_required && is_domestic(order);
            let pickup = || serviceability_unknown::pickup_unknown(to, no_pickup(order), Remedy::NamePickup);
            return is_unknown.then(|| of_route(pickup()));
        };
        let from = &route.from;
        let way = match self.answers.get(&route) {
            Some(Ok(way)) => way,
            Some(Err(why)) => return self.is_required.then(|| unknown(why.why())),
            None => return self.is_required.then(|| unknown(serviceability_unknown::not_asked())),
        };
        let carrier = order.carrier.trim();
        match (way.by_any(), way.by(&order.carrier)) {
            (Served { prepaid: false, cod: false }, _) => Some(of_route(not_serviceable::no_courier(from, to))),
            (_, None | Some(Served { prepaid: false, cod: false })) => {
                let other = not_serviceable::not_this_courier(carrier, from, to, &way.names());
                let other = other.of_order(order.number.clone()).on_field(Id::Carrier.field().path);
                Some(other.found(order.carrier.clone()))
            }
            (_, Some(Served { cod: false, .. })) if is_cod => {
                Some(of_route(payment_not_serviceable::prepaid_only(carrier, from, to)))
            }
            (_, Some(Served { prepaid: false, .. })) if !is_cod => {
                Some(of_route(payment_not_serviceable::cod_only(carrier, from, to)))
            }
            (_, Some(_)) => None,
        }
    }
}

/// Why there is no answer about a pair of PIN codes.
#[derive(Debug)]
pub(super) enum Unanswered {
    /// Failures in a row ended the asking.
    GivenUp,
    /// What went wrong.
    Failed(String),
}

impl Unanswered {
    fn why(&self) -> Finding {
        match self {
            Self::GivenUp => serviceability_unknown::given_up(),
            Self::Failed(error) => serviceability_unknown::failed(error.clone()),
        }
    }
}

impl Question {
    /// Asks for every pair of PIN codes in the sheets that is not known since less than a day.
    pub(super) fn ask(
        self,
        settings: &Settings,
        (opened, rules): (&Opened, &Rules),
        mut memory: Memory<'_>,
        runtime: &tokio::runtime::Runtime,
        line: &mut Option<Line>,
    ) -> Result<Asked> {
        let service = settings.service_key()?;
        let now_ms = Timestamp::now().as_millisecond();
        let booked = memory.ledger().map(|ledger| (ledger, service.as_str()));
        let mut survey = Survey::new(&self.pickups, booked);
        gather(opened, rules, &mut survey, &mut |_| {})?;
        let mut warnings = survey.warnings();
        let routes = survey.routes;
        let pairs = routes.len() as u64;
        let mut answers: HashMap<Route, Result<Way, Unanswered>> = HashMap::new();
        let mut open = Vec::new();
        for route in routes.into_keys() {
            let pair = (route.from.as_str(), route.to.as_str());
            let known = memory.ledger().map(|ledger| ledger.route(&service, pair, now_ms - BELIEVED_MS, now_ms));
            // What cannot be read any more is asked for again.
            match known.transpose()?.flatten().and_then(|known| serde_json::from_str(&known.couriers).ok()) {
                Some(way) => drop(answers.insert(route, Ok(way))),
                None => open.push(route),
            }
        }
        let stop = StopSignal::default();
        let (pairs, known) = (count(pairs, "pair"), answers.len());
        let is_quiet = settings.verbosity == Verbosity::Quiet;
        if !is_quiet {
            note(format!("serviceability: {pairs} of PIN codes, {known} known, {} to ask for", open.len()));
        }
        if !open.is_empty() {
            let line = match line {
                Some(line) => line,
                None => line.insert(Line::connect(settings, self.connections, runtime)?),
            };
            let mut counter = Counter::new(progress_style(settings.verbosity), open.len());
            let bulk = Bulk { stop: stop.clone(), ..bulk(self.concurrency, self.rate, counter.line()) };
            let mut fresh = Vec::new();
            let keep = |route: &Route, answer: &Result<Vec<Courier>, CallError>| {
                counter.step();
                let Ok(couriers) = answer else { return };
                fresh.push(record(route, couriers, now_ms));
                if fresh.len() >= KEPT_TOGETHER {
                    memory.keep(&service, &std::mem::take(&mut fresh), now_ms);
                }
            };
            let asked = runtime.block_on(async {
                listen_for_signals(stop.clone());
                ask(&bulk, &line.caller().paced(bulk.pace.clone()), &open, keep).await
            });
            counter.finish();
            memory.keep(&service, &fresh, now_ms);
            if stop.now() != Stop::No {
                bail!(
                    "interrupted: nothing was sent; answers are kept for a day, so the same command goes on from here"
                );
            }
            warnings.extend(taken(asked, open, &mut answers));
        }
        let verdicts = Verdicts { pickups: self.pickups, answers, is_required: self.is_required };
        Ok(Asked { verdicts, stop, warnings })
    }
}

fn record(route: &Route, couriers: &[Courier], asked_ms: i64) -> RouteRecord {
    let couriers = serde_json::to_string(&Way::of(couriers)).unwrap_or_default();
    RouteRecord { origin: route.from.clone(), destination: route.to.clone(), couriers, asked_ms }
}

/// Takes the answers up, and gives one warning for all that are missing.
fn taken(
    asked: Done<Answer>,
    open: Vec<Route>,
    answers: &mut HashMap<Route, Result<Way, Unanswered>>,
) -> Option<Finding> {
    let (mut failed, mut first) = (0, None);
    for (route, answer) in open.into_iter().zip(asked.results) {
        let answer = match answer {
            Some(Ok(couriers)) => Ok(Way::of(&couriers)),
            None | Some(Err(CallError::Stopped)) => Err(Unanswered::GivenUp),
            Some(Err(error)) => Err(Unanswered::Failed(error.to_string())),
        };
        if let Err(why) = &answer {
            failed += 1;
            first.get_or_insert_with(|| (route.clone(), why.why()));
        }
        answers.insert(route, answer);
    }
    let (Route { from, to }, why) = first?;
    let given_up = asked.stopped.map(|(_, why)| why);
    let require = Remedy::RequireServiceability { on: true };
    Some(serviceability_unknown::pairs_unanswered(failed, &from, &to, why, given_up, require))
}
