//! Whether couriers go where orders go: asked for a sheet before money is spent, for routes, or for a price.

mod gate;
mod survey;

use std::collections::{HashMap, HashSet};

use jiff::Timestamp;

use crate::after::bulk::Done;
use crate::after::routes::{Answer, Route, Way, ask};
use crate::api::CallError;
use crate::api::service::{Courier, Parcel, Rate};
use crate::book::{Stop, StopSignal, StoppedBy};
use crate::config::{Booking, Pace, Sheets};
use crate::event::Events;
use crate::finding::service::serviceability_unknown;
use crate::finding::{Finding, Remedy};
use crate::ledger::{Ledger, LedgerError, RouteRecord};
use crate::stage::gather;

pub use gate::CourierAnswers;
pub use survey::{Demand, Pickups, pin};

use super::bulk::{RoutesFound, Steps, bulk};
use super::connect::{App, Connection};
use super::error::{Error, Result};
use super::reading::Reading;
use super::session::Session;
use gate::Unanswered;
use survey::Survey;

/// For how long an answer is believed, in milliseconds.
const BELIEVED_MS: i64 = 24 * 60 * 60 * 1000;
/// Answers that are kept at a time.
const KEPT_TOGETHER: usize = 100;

/// What to ask of couriers before an import.
#[derive(Debug)]
pub struct CourierQuestion {
    /// Where parcels are picked up.
    pub pickups: Pickups,
    /// The orders that go, by their numbers, where that is known; nobody is asked about any other.
    pub orders: Option<HashSet<String>>,
    /// Whether orders without an answer stay behind as well.
    pub is_required: bool,
    /// How fast to ask.
    pub pace: Pace,
    /// Connections that are kept, for what comes after as well.
    pub connections: usize,
}

/// What a face was told to ask of couriers.
#[derive(Debug, Clone, Default)]
pub struct CourierOptions {
    /// Ask; orders that no courier takes stay behind.
    pub check: bool,
    /// Ask; orders without an answer stay behind as well.
    pub require: bool,
    /// PIN code of the pickup, for warehouses of which the configuration says none.
    pub pickup_pin: Option<String>,
}

/// How asking went, beside what the couriers said.
#[derive(Debug, Default)]
pub struct Asked {
    /// What there is to say beyond single orders.
    pub warnings: Vec<Finding>,
    /// Answers that could not be kept, and will be asked for again.
    pub unkept: Option<LedgerError>,
}

/// What is asked, and where answers are kept.
struct Asking<'l> {
    question: CourierQuestion,
    memory: Memory<'l>,
}

/// Where answers are kept.
enum Memory<'l> {
    Kept(&'l mut Ledger),
    /// Looked up where there is something, and never written.
    ReadOnly(Option<Box<Ledger>>),
}

/// What came of one pair; an error also where it was not reached.
pub type RouteEnd = Result<Vec<Courier>, String>;

/// What was asked for a list of routes, or for those of a sheet.
#[derive(Debug)]
pub struct RoutesAsked {
    /// Each pair with the orders that need it, and with what came of it.
    pub pairs: Vec<(Route, Demand, RouteEnd)>,
    /// Pairs that were not asked for.
    pub left: usize,
    /// What stopped it before its end, where pairs are left.
    pub stopped: Option<(StoppedBy, String)>,
}

/// The routes of a sheet, before anything is asked for.
#[derive(Debug)]
pub struct SheetRoutes {
    /// Each pair with the orders that need it.
    pub pairs: Vec<(Route, Demand)>,
    /// Orders that are not asked about, for they are invalid.
    pub invalid: u64,
    /// Orders whose way is not known.
    pub warnings: Vec<Finding>,
}

impl App {
    /// What an import asks of couriers: what a face was told, or else the configuration. Nothing where neither asks.
    ///
    /// # Errors
    /// A PIN code in the configuration that is none.
    pub fn couriers_before(&self, options: &CourierOptions, booking: &Booking) -> Result<Option<CourierQuestion>> {
        let own = self.config.serviceability();
        if !(options.check || options.require || own.before_import) {
            return Ok(None);
        }
        Ok(Some(CourierQuestion {
            pickups: Pickups::of(&self.config, options.pickup_pin.as_deref())?,
            orders: None,
            is_required: options.require || own.required,
            pace: Pace::beside(booking),
            connections: booking.width().max(crate::config::CALLS_IN_FLIGHT),
        }))
    }

    /// What a check asks of couriers: only what a face was told.
    ///
    /// # Errors
    /// A PIN code in the configuration that is none.
    pub fn couriers_of_check(&self, options: &CourierOptions, pace: Pace) -> Result<Option<CourierQuestion>> {
        if !(options.check || options.require) {
            return Ok(None);
        }
        Ok(Some(CourierQuestion {
            pickups: Pickups::of(&self.config, options.pickup_pin.as_deref())?,
            orders: None,
            is_required: options.require,
            pace,
            connections: crate::config::CALLS_IN_FLIGHT,
        }))
    }

    /// Asks for every pair of PIN codes in the sheets that the ledger does not know; nothing is written. The connection is
    /// made where it is needed, and is there for what comes after.
    ///
    /// # Errors
    /// The person interrupted it; no connection could be had.
    pub fn ask_couriers(
        &self,
        question: CourierQuestion,
        reading: &Reading,
        connection: &mut Option<Connection>,
        stop: &StopSignal,
        steps: &mut dyn Steps,
        events: &mut Events<'_>,
    ) -> Result<(CourierAnswers, Asked)> {
        let memory = Memory::ReadOnly(self.read_ledger().ok().map(Box::new));
        self.ask_for_sheet(Asking { question, memory }, reading, connection, stop, steps, events)
    }

    fn ask_for_sheet(
        &self,
        Asking { question, mut memory }: Asking<'_>,
        reading: &Reading,
        connection: &mut Option<Connection>,
        stop: &StopSignal,
        steps: &mut dyn Steps,
        events: &mut Events<'_>,
    ) -> Result<(CourierAnswers, Asked)> {
        let service = self.config.service_key()?;
        if let Some(connection) = connection {
            connection.leads_to(&service)?;
        }
        let now_ms = Timestamp::now().as_millisecond();
        let booked = memory.ledger().map(|ledger| (ledger, service.as_str()));
        let mut survey = Survey::new(&question.pickups, booked).of(question.orders.as_ref());
        gather(&reading.opened, &reading.rules, &mut survey, &mut |_| {}, events)?;
        if stop.now() != Stop::No {
            return Err(Error::Interrupted);
        }
        let mut asked = Asked { warnings: survey.warnings(), unkept: None };
        let (mut answers, mut open) = (HashMap::new(), Vec::new());
        for route in survey.routes.into_keys() {
            let pair = (route.from.as_str(), route.to.as_str());
            let known = memory.ledger().map(|ledger| ledger.route(&service, pair, now_ms - BELIEVED_MS, now_ms));
            // What cannot be read any more is asked for again.
            match known.transpose()?.flatten().and_then(|known| serde_json::from_str(&known.couriers).ok()) {
                Some(way) => drop(answers.insert(route, Ok(way))),
                None => open.push(route),
            }
        }
        steps.routes(RoutesFound { pairs: answers.len() + open.len(), known: answers.len() })?;
        if !open.is_empty() {
            let connection = match connection {
                Some(connection) => connection,
                None => connection.insert(self.connection(question.connections)?),
            };
            steps.begin(open.len());
            let bulk = bulk(question.pace, stop.clone(), steps)?;
            let mut fresh = Vec::new();
            let keep = |route: &Route, answer: &Answer| {
                steps.step();
                let Ok(couriers) = answer else { return };
                fresh.push(record(route, couriers, now_ms));
                if fresh.len() >= KEPT_TOGETHER {
                    asked.unkept = memory.keep(&service, &std::mem::take(&mut fresh), now_ms).or(asked.unkept.take());
                }
            };
            let caller = connection.caller().paced(bulk.pace.clone());
            let done = self.runtime()?.block_on(ask(&bulk, &caller, &open, keep));
            steps.finish();
            asked.unkept = memory.keep(&service, &fresh, now_ms).or(asked.unkept.take());
            if stop.now() != Stop::No {
                return Err(Error::Interrupted);
            }
            asked.warnings.extend(taken(done, open, &mut answers));
        }
        let levels = reading.rules.levels.levels(None);
        asked.warnings = asked.warnings.into_iter().filter_map(|warning| levels.apply(warning, |_| None)).collect();
        Ok((CourierAnswers::new(question.pickups, answers, question.is_required, levels), asked))
    }

    /// What couriers said lately of the ways of a sheet's orders, as far as it is still believed. Nobody is asked.
    ///
    /// # Errors
    /// A PIN code in the configuration that is none; a ledger that fails.
    pub fn couriers_said(&self, ledger: &Ledger, reading: &Reading) -> Result<CourierAnswers> {
        let (service, now_ms) = (self.config.service_key()?, Timestamp::now().as_millisecond());
        let known = ledger.routes_since(&service, now_ms - BELIEVED_MS, now_ms)?;
        let answer = |RouteRecord { origin, destination, couriers, .. }| {
            let way: Way = serde_json::from_str(&couriers).ok()?;
            Some((Route { from: origin, to: destination }, Ok(way)))
        };
        let answers = known.into_iter().filter_map(answer).collect();
        let levels = reading.rules.levels.levels(None);
        Ok(CourierAnswers::new(Pickups::of(&self.config, None)?, answers, false, levels))
    }

    /// The routes of a sheet's orders; `from` is one pickup for all of them.
    ///
    /// # Errors
    /// A sheet that cannot be read or used, or whose orders do not say where they go.
    pub fn routes_of(&self, sheets: &Sheets, from: Option<String>, events: &mut Events<'_>) -> Result<SheetRoutes> {
        self.config.service_key()?;
        let reading = self.read(sheets, events)?;
        reading.usable()?;
        let pickups = match from {
            Some(from) => Pickups::all_from(from),
            None => Pickups::of(&self.config, None)?,
        };
        let mut survey = Survey::new(&pickups, None);
        let gathered = gather(&reading.opened, &reading.rules, &mut survey, &mut |_| {}, events)?;
        let warnings = survey.warnings();
        let pairs: Vec<_> = survey.routes.into_iter().collect();
        Ok(SheetRoutes { pairs, invalid: gathered.orders_invalid, warnings })
    }

    /// Which couriers go these ways.
    ///
    /// # Errors
    /// No connection could be had.
    pub fn ask_routes(
        &self,
        pairs: Vec<(Route, Demand)>,
        pace: Pace,
        stop: &StopSignal,
        steps: &mut dyn Steps,
    ) -> Result<RoutesAsked> {
        let connection = self.connection(pace.concurrency)?;
        let routes: Vec<Route> = pairs.iter().map(|(route, _)| route.clone()).collect();
        steps.begin(routes.len());
        let bulk = bulk(pace, stop.clone(), steps)?;
        let caller = connection.caller().paced(bulk.pace.clone());
        let answers = self.runtime()?.block_on(ask(&bulk, &caller, &routes, |_, _| steps.step()));
        steps.finish();
        let is_left = |answer: &&Option<Answer>| matches!(answer, None | Some(Err(CallError::Stopped)));
        let left = answers.results.iter().filter(is_left).count();
        let end = |answer: Option<Answer>| match answer {
            None | Some(Err(CallError::Stopped)) => Err("not asked for".to_owned()),
            Some(answer) => answer.map_err(|error| error.to_string()),
        };
        let pairs =
            pairs.into_iter().zip(answers.results).map(|((route, demand), answer)| (route, demand, end(answer)));
        Ok(RoutesAsked { pairs: pairs.collect(), left, stopped: answers.stopped.filter(|_| left > 0) })
    }

    /// What couriers ask for a parcel.
    ///
    /// # Errors
    /// The service said no, or could not be asked.
    pub fn quote(&self, parcel: &Parcel) -> Result<Vec<Rate>> {
        let connection = self.connection(1)?;
        Ok(self.runtime()?.block_on(connection.caller().quote(parcel))?)
    }
}

impl Session<'_> {
    /// Asks for every pair of PIN codes in the sheets that is not known since less than a day, and keeps the answers. The
    /// connection is made where it is needed, and is there for what comes after.
    ///
    /// # Errors
    /// The person interrupted it; no connection could be had.
    pub fn ask_couriers(
        &mut self,
        question: CourierQuestion,
        reading: &Reading,
        connection: &mut Option<Connection>,
        stop: &StopSignal,
        steps: &mut dyn Steps,
        events: &mut Events<'_>,
    ) -> Result<(CourierAnswers, Asked)> {
        let memory = Memory::Kept(&mut self.ledger);
        self.app.ask_for_sheet(Asking { question, memory }, reading, connection, stop, steps, events)
    }
}

impl Memory<'_> {
    fn ledger(&self) -> Option<&Ledger> {
        match self {
            Self::Kept(ledger) => Some(ledger),
            Self::ReadOnly(ledger) => ledger.as_deref(),
        }
    }

    /// Keeps answers; what fails is only asked for again.
    fn keep(&mut self, service: &str, routes: &[RouteRecord], now_ms: i64) -> Option<LedgerError> {
        let Self::Kept(ledger) = self else { return None };
        ledger.keep_routes(service, routes, now_ms - BELIEVED_MS).err()
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
