//! Resume and retry: plans from the ledger alone, without the sheet.

use std::collections::{BTreeSet, HashSet};

use jiff::Timestamp;

use crate::config::Sheets;
use crate::event::{Event, Events};
use crate::finding::Finding;
use crate::ledger::{
    Adopted, DraftHeld, Ledger, LedgerError, RunId, RunKind, SentAs, Shipped, Staging, State, WaitingElsewhere,
};
use crate::rule::LevelPlan;
use crate::stage::{Totals, said_of_taken_up};

use super::connect::App;
use super::error::{Error, Result};
use super::kept::KeptBack;
use super::plan::Plan;
use super::session::Session;

/// What to take up.
#[derive(Debug, Clone)]
pub enum TakeUp {
    /// What is outstanding: of this run, or all of it.
    Outstanding {
        /// The run's number.
        run: Option<i64>,
    },
    /// What watchers on this machine left outstanding, and nobody else has taken up since.
    Own {
        /// But for these orders.
        but: HashSet<String>,
    },
    /// What was rejected or refused: of this run, these orders, or all of it.
    Failed {
        /// Order numbers; all that failed where there are none.
        named: Vec<String>,
        /// The run.
        run: Option<i64>,
    },
}

impl TakeUp {
    /// The states of the orders that are meant.
    const fn states(&self) -> [State; 2] {
        match self {
            Self::Outstanding { .. } | Self::Own { .. } => [State::Staged, State::Waiting],
            Self::Failed { .. } => [State::Rejected, State::Refused],
        }
    }

    /// Whether nobody is there to be told.
    const fn is_own(&self) -> bool {
        matches!(self, Self::Own { .. })
    }

    /// Orders that are not meant, whatever else is.
    fn left_to_others(&self) -> impl Iterator<Item = &String> {
        let but = if let Self::Own { but } = self { Some(but) } else { None };
        but.into_iter().flatten()
    }

    /// Whether an order that was in these runs is meant.
    fn means(&self, number: &str, runs: &[RunId]) -> bool {
        let is_of = |run: Option<i64>| run.is_none_or(|run| runs.contains(&RunId::from_number(run)));
        match self {
            Self::Outstanding { run } => is_of(*run),
            Self::Own { but } => !but.contains(number),
            Self::Failed { named, run } => is_of(*run) && (named.is_empty() || named.iter().any(|own| own == number)),
        }
    }
}

/// What there is beside what is taken up.
#[derive(Debug, Clone, Default)]
pub struct LeftAlone {
    /// Orders in doubt that were asked for, and that no rerun touches.
    pub in_doubt: u64,
    /// Those of them that were named.
    pub doubts_named: Vec<String>,
    /// Orders that the service has at another of its addresses.
    pub set_aside: Vec<String>,
    /// Orders that were named and have not failed, with where they stand.
    pub not_failed: Vec<(String, NotFailed)>,
    /// Orders of which a row was sent under another number by now, each with that order.
    pub sent_otherwise: Vec<(String, SentAs)>,
    /// Orders that an open sheet keeps back.
    pub kept_back: Vec<KeptBack>,
    /// Orders that are held until a person answers or a newer source says otherwise, each with the reason.
    pub held: Vec<(String, String)>,
    /// What waits for another address, where nothing is to be resumed here.
    pub waiting_elsewhere: Vec<WaitingElsewhere>,
    /// The run that was asked for.
    pub run: Option<i64>,
    /// Orders that other stations are sending, each with the station's machine, where nothing is to be resumed here.
    pub sent_by_others: Vec<(String, String)>,
}

/// Where an order stands that is not to be retried.
#[derive(Debug, Clone)]
pub enum NotFailed {
    /// Booked, with what is known of its shipment.
    Booked(Box<Shipped>),
    /// In another state.
    State(State),
    /// Not in the ledger.
    Unknown,
}

impl Session<'_> {
    /// Takes up what is outstanding or failed, but for what an open sheet keeps back. The plan is missing where nothing is to be sent.
    ///
    /// # Errors
    /// A run or order that is not there; a ledger that fails.
    pub fn take_up(
        &mut self,
        what: &TakeUp,
        events: &mut Events<'_>,
    ) -> Result<(Option<Plan<'_, 'static>>, LeftAlone)> {
        let kind = match what {
            TakeUp::Outstanding { .. } | TakeUp::Own { .. } => RunKind::Resume,
            TakeUp::Failed { .. } => RunKind::Retry,
        };
        let reader = self.app.read_ledger()?;
        let (new_run, service, target) = (self.new_run(kind), self.service.clone(), self.target());
        let mut wanted = reader.in_runs(&service, what.states())?;
        wanted.retain(|number, runs| what.means(number, runs));
        let numbers: BTreeSet<String> = wanted.into_keys().collect();
        let others = reader.other_numbers(&service)?;
        let mut staging = self.ledger.stage(new_run)?;
        // From here on nobody else says anything of a sheet, or takes a statement in.
        let kept_back = self.app.kept_back(what, &service)?;
        // Orders that a statement has are held, unless they came to go by another word.
        let listed = self.app.listed(numbers.iter(), &others)?;
        let left = kept_back.iter().flat_map(|own| &own.orders).chain(listed.iter().map(|(number, _)| number));
        staging.leave(what.left_to_others().chain(left).cloned().collect());
        let (totals, mut left) = adopt(&mut staging, &reader, (&service, what))?;
        // What another station gave back since then was not looked at.
        let came_as = staging.other_numbers_of_unsent()?;
        let since: Vec<String> = staging.outgoing()?.into_iter().filter(|order| !numbers.contains(order)).collect();
        if let Some((order, why)) = self.app.listed(since.iter(), &came_as)?.into_iter().next() {
            return Err(Error::Refused(format!("nothing was sent: order {order} {why}")));
        }
        left.kept_back = kept_back;
        if !what.is_own() {
            left.held = reader.held_orders(&service)?;
            if let TakeUp::Failed { named, .. } = what {
                left.held.retain(|(number, _)| named.is_empty() || named.contains(number));
            }
            left.held.extend(listed);
        }
        left.set_aside = staging.set_aside().to_vec();
        left.sent_otherwise = staging.sent_otherwise().to_vec();
        events.tell(&Event::Planned { orders: totals.orders });
        if totals.orders > 0 {
            let twice = likely_duplicates(self.app, what, &staging)?;
            return Ok((Some(Plan::of_ledger(staging, target, (totals, twice))?), left));
        }
        drop(staging);
        if kind == RunKind::Resume {
            left.waiting_elsewhere = reader.waiting_elsewhere(&service)?;
            left.waiting_elsewhere.retain(|waiting| left.run.is_none_or(|run| run == waiting.run.number()));
            left.sent_by_others = reader.sent_by_others(&service, left.run.map(RunId::from_number))?;
        }
        Ok((None, left))
    }
}

impl App {
    /// The orders that are meant and that open sheets keep back.
    fn kept_back(&self, what: &TakeUp, service: &str) -> Result<Vec<KeptBack>> {
        let Some(ledger) = self.ledger_there()? else { return Ok(Vec::new()) };
        let mut all = Vec::new();
        for DraftHeld { number, state, draft, file, runs } in ledger.draft_held(service)? {
            if what.states().contains(&state) && what.means(&number, &runs) {
                KeptBack::add(&mut all, (&draft, &file), &number);
            }
        }
        Ok(all)
    }
}

/// Takes up what is meant, with what there is beside it.
fn adopt(staging: &mut Staging<'_>, reader: &Ledger, (service, what): (&str, &TakeUp)) -> Result<(Totals, LeftAlone)> {
    Ok(match what {
        TakeUp::Outstanding { run } => {
            let run = known_run(staging, *run)?;
            let adopted = staging.adopt_outstanding(run)?;
            let in_doubt = staging.in_doubt(run)?;
            let run = run.map(RunId::number);
            (totals(&adopted), LeftAlone { in_doubt, run, ..LeftAlone::default() })
        }
        TakeUp::Own { .. } => (totals(&staging.adopt_own()?), LeftAlone::default()),
        TakeUp::Failed { named, run } => {
            let run = known_run(staging, *run)?;
            let adopted = staging.adopt_failed(run, named)?;
            if let Some(number) = adopted.unknown.first() {
                if let Some(left) = reader.left_invalid(number)? {
                    return Err(Error::NeverSent { number: number.clone(), run: left.run.number(), rows: left.rows });
                }
                return Err(Error::NoOrders { numbers: adopted.unknown, service: service.to_owned() });
            }
            let shipped = |number: &str| reader.shipped(service, number);
            let standing = |number: &String| Ok((number.clone(), standing(staging, shipped, number)?));
            let left = LeftAlone {
                in_doubt: adopted.in_doubt.len() as u64,
                not_failed: adopted.not_failed.iter().map(standing).collect::<Result<_>>()?,
                doubts_named: adopted.in_doubt,
                run: run.map(RunId::number),
                ..LeftAlone::default()
            };
            (totals(&adopted.adopted), left)
        }
    })
}

/// What was taken up and may have been sent before under another number.
fn likely_duplicates(app: &App, what: &TakeUp, staging: &Staging<'_>) -> Result<Vec<Finding>> {
    // Where nobody is there to be told, what an import let go is let go.
    if what.is_own() {
        return Ok(Vec::new());
    }
    let sheets = Sheets::default();
    let plan = LevelPlan { accepted: app.acceptances(&sheets), ..app.config.levels(&sheets) };
    Ok(said_of_taken_up(staging, Timestamp::now().as_millisecond(), &plan.levels(None))?)
}

/// An order that is not to be retried, with where it stands.
fn standing(
    staging: &Staging<'_>,
    shipped: impl Fn(&str) -> Result<Option<Shipped>, LedgerError>,
    number: &str,
) -> Result<NotFailed> {
    let Some(known) = staging.known(number)? else { return Ok(NotFailed::Unknown) };
    let shipped = if known.state == State::Booked { shipped(number)? } else { None };
    Ok(shipped.map_or(NotFailed::State(known.state), |shipped| NotFailed::Booked(Box::new(shipped))))
}

fn known_run(staging: &Staging<'_>, run: Option<i64>) -> Result<Option<RunId>> {
    let Some(number) = run else { return Ok(None) };
    let run = RunId::from_number(number);
    if staging.has_run(run)? { Ok(Some(run)) } else { Err(Error::NoRun(number)) }
}

const fn totals(adopted: &Adopted) -> Totals {
    Totals { orders: adopted.orders, lines: adopted.lines, value: adopted.value, to_collect: adopted.cod }
}
