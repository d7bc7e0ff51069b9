//! Orders whose outcome nobody knows: listed, explained, and settled by a person, a statement or the service.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::Path;

use jiff::Timestamp;
use sha2::{Digest, Sha256};

use crate::api::operation::FIND_ORDER;
use crate::api::{Client, TokenKeeper};
use crate::config::Service;
use crate::ledger::{
    Decimal, Freight, KnownOrder, Ledger, LedgerError, NewCarriers, NewFreights, OrderHistory, RunId, State, Upon,
};
use crate::settle::{
    self, Agreed, Comparison, Entry, Finder, Finding, Proven, SettleError, Span, Statement, StatementOptions, Waybill,
    Word,
};
use crate::text::moment;

use super::clues::odd_awb;
use super::connect::App;
use super::error::{Error, Result};
use super::session::Session;
use super::who::{host, user};

/// Booked orders that a look-up is tried with: it must not name other AWBs for them.
const TRIED: usize = 3;
/// Rows that cannot be read and that a note names.
const UNREADABLE_NAMED: usize = 3;

/// The ledger beside a statement of the courier.
#[derive(Debug)]
pub struct Reconciled {
    /// The statement as it was read.
    pub statement: Statement,
    /// On what both agree, and on what not.
    pub comparison: Comparison,
    /// Whether the ledger knows none of the statement's numbers: most likely another column holds them.
    pub is_strange: bool,
    /// Whether its dates lie in the future, so that nothing can be told from them.
    pub is_ahead: bool,
    /// What the statement charges for shipments of the ledger.
    pub freights: Vec<Freight>,
    /// The orders that a yes would settle, as they stood when they were compared: it holds for nothing newer.
    upon: HashMap<String, Upon>,
}

impl Reconciled {
    /// What tells all that a yes would settle from anything else: whoever agreed to it names it.
    #[must_use]
    pub fn stamp(&self) -> String {
        let Self { statement, comparison, .. } = self;
        let mut hasher = Sha256::new();
        hasher.update(&statement.sha256);
        for own in comparison.to_record() {
            hasher.update(format!("\n{} {:?}", own.awb, own.order));
        }
        for own in comparison.to_give_up() {
            hasher.update(format!("\n{:?}", own.order));
        }
        hasher.finalize().iter().fold(String::new(), |text, byte| text + &format!("{byte:02x}"))
    }
}

impl Reconciled {
    fn upon(&self, order: &str, service: &str) -> Result<Upon, SettleError> {
        let unknown = || LedgerError::UnknownOrder { order: order.to_owned(), service: service.to_owned() };
        Ok(self.upon.get(order).cloned().ok_or_else(unknown)?)
    }
}

/// What became of the orders that a statement settles.
#[derive(Debug, Default)]
pub struct Listed {
    /// Recorded as booked.
    pub booked: Vec<Agreed>,
    /// Given up, so that they are not sent as well.
    pub given_up: Vec<String>,
    /// What the ledger did not take.
    pub failed: Vec<(String, SettleError)>,
}

/// Which orders to compare.
#[derive(Debug, Clone, Copy, Default)]
pub struct CompareOptions {
    /// Only those of this run.
    pub run: Option<i64>,
    /// Only those sent since then, epoch milliseconds.
    pub since_ms: Option<i64>,
    /// Only those sent before then, epoch milliseconds: the statement is complete until then.
    pub until_ms: Option<i64>,
}

impl App {
    /// A session in a ledger that is there already, to settle what is in doubt. What a killed run left on its way is in
    /// doubt from then on.
    ///
    /// # Errors
    /// There is no ledger; another process holds it; it is not to be trusted.
    pub fn settling(&self) -> Result<Session<'_>> {
        self.session_there("doubt")
    }

    /// The orders in doubt, of all services.
    ///
    /// # Errors
    /// There is no ledger, or it cannot be read.
    pub fn doubts(&self) -> Result<Vec<OrderHistory>> {
        Ok(self.read_ledger()?.doubts()?)
    }

    /// Reads a courier's statement. Worksheets and columns are as `options` name them, else found by their headers.
    ///
    /// # Errors
    /// The file cannot be read, or has no columns of order number and AWB.
    pub fn read_statement(&self, path: &Path, mut options: StatementOptions) -> Result<Statement> {
        options.sheet = self.config.reading(&options.sheet);
        let rules = self.config.rules(Timestamp::now(), None)?;
        Ok(Statement::read(path, &options, &rules)?)
    }

    /// Holds the ledger against a statement. It is read where `session` is missing, as while a run goes on; before the first
    /// booking it knows nothing.
    ///
    /// # Errors
    /// No such run, or a ledger that cannot be read.
    pub fn compare(
        &self,
        session: Option<&Session<'_>>,
        statement: Statement,
        options: CompareOptions,
    ) -> Result<Reconciled> {
        let known = match session {
            Some(session) => known(&session.ledger, &self.config.service_key()?, options)?,
            None => match self.read_ledger() {
                // Nothing was sent from here yet: all of it was booked by somebody else.
                Err(Error::Ledger(LedgerError::Missing(_))) if options.run.is_none() => Vec::new(),
                ledger => known(&ledger?, &self.config.service_key()?, options)?,
            },
        };
        let now_ms = Timestamp::now().as_millisecond();
        let is_ahead = statement.span.is_some_and(|span| span.is_ahead(now_ms));
        let span = Span::told(statement.span, options.since_ms, options.until_ms, now_ms);
        let statement = Statement { span, ..statement };
        let mut comparison = settle::compare(&known, &statement.entries, span);
        if !statement.unreadable.is_empty() {
            let rows =
                statement.unreadable.iter().take(UNREADABLE_NAMED).map(String::as_str).collect::<Vec<_>>().join(", ");
            comparison.withdraw_absent(&format!(
                "but what cannot be read of it may be this order ({rows}): look for it in the courier's portal"
            ));
        }
        let numbers: HashSet<&str> = known.iter().map(|order| order.number.as_str()).collect();
        let has_match = statement.entries.iter().any(|entry| numbers.contains(entry.order.as_str()));
        let is_strange = !has_match && !statement.entries.is_empty() && !known.is_empty();
        // What the statement proves is ours as well, once that is recorded.
        let proven = comparison.proven.iter().map(|proven| proven.awb.as_str());
        let ours: HashSet<&str> = known.iter().filter_map(|order| order.awb.as_deref()).chain(proven).collect();
        let freights = freights(&statement, &ours);
        let upon = session.map(|session| upon(session, &comparison)).transpose()?.unwrap_or_default();
        Ok(Reconciled { statement, comparison, is_strange, is_ahead, freights, upon })
    }

    fn finder(&self) -> Result<Finder> {
        if *self.config.service() == Service::Sandbox {
            return Err(Error::SandboxForgets);
        }
        let entry = self.config.operations()?.of(&FIND_ORDER);
        let client: Client = self.client(self.config.endpoint()?.clone(), 1)?;
        let tokens = TokenKeeper::new(self.token_source(&client)?);
        Ok(Finder::new(client, tokens, entry)?)
    }
}

impl Session<'_> {
    /// An order of this service as it stands now; where several of its addresses know it, the one that is in doubt.
    ///
    /// # Errors
    /// No such order; a ledger that cannot be read.
    pub fn upon(&self, order: &str) -> Result<Upon, SettleError> {
        Ok(self.known(order)?.upon())
    }

    /// All that is known of that order.
    ///
    /// # Errors
    /// No such order; a ledger that cannot be read.
    pub fn known(&self, order: &str) -> Result<OrderHistory, SettleError> {
        let mut known = Vec::new();
        for history in self.ledger.order(order)? {
            if self.ledger.is_same_service(&self.service, &history.service)? {
                known.push(history);
            }
        }
        let is = |own: &OrderHistory, states: &[State]| states.iter().any(|state| state.as_str() == own.state);
        let is_over = |own: &OrderHistory| is(own, &[State::Booked, State::Abandoned]);
        known.sort_by_key(|own| (!is(own, &[State::InDoubt]), is_over(own), own.service != self.service));
        let unknown = || LedgerError::UnknownOrder { order: order.to_owned(), service: self.service.clone() };
        Ok(known.into_iter().next().ok_or_else(unknown)?)
    }

    /// The courier's portal shows the order: its AWB is recorded, and it is never sent again. An AWB that is
    /// [odd](odd_awb) is recorded only where a person is `sure` of it.
    ///
    /// # Errors
    /// No reason; no AWB, or an odd one; an order that is not in doubt, not as it was seen, or at another service; a ledger
    /// that fails.
    pub fn settle_booked(&mut self, upon: &Upon, awb: &str, because: &str, sure: bool) -> Result<(), SettleError> {
        self.is_here(upon)?;
        if because.trim().is_empty() {
            return Err(SettleError::NoReason);
        }
        if !sure && let Some(odd) = odd_awb(&self.ledger, upon, awb)? {
            return Err(odd.into());
        }
        settle::booked(&mut self.ledger, upon, awb, &word(because))
    }

    /// The courier's portal does not show these orders: they may be sent again, once.
    ///
    /// # Errors
    /// No reason; an order that is not in doubt, not as it was seen, or at another service; a ledger that fails. Nothing is
    /// recorded then.
    pub fn settle_not_booked(&mut self, orders: &[Upon], because: &str) -> Result<(), SettleError> {
        orders.iter().try_for_each(|upon| self.is_here(upon))?;
        settle::not_booked(&mut self.ledger, orders, &word(because))
    }

    /// Gives an order up: nothing sends it again, whatever the next sheet says.
    ///
    /// # Errors
    /// No reason; an order that is booked, not as it was seen, or at another service; a ledger that fails.
    pub fn abandon(&mut self, upon: &Upon, because: &str) -> Result<(), SettleError> {
        self.is_here(upon)?;
        settle::abandon(&mut self.ledger, upon, &word(because))
    }

    /// Whoever settles an order has this service's portal before them.
    fn is_here(&self, upon: &Upon) -> Result<(), SettleError> {
        if self.ledger.is_same_service(&self.service, &upon.service)? {
            return Ok(());
        }
        Err(SettleError::OtherService { order: upon.number.clone(), service: upon.service.clone() })
    }

    /// Records what a statement shows: the AWBs of orders that it proves to be booked, and that what it has otherwise is not
    /// sent from here as well.
    pub fn settle_listed(&mut self, reconciled: &mut Reconciled) -> Listed {
        let Reconciled { statement, comparison, .. } = &*reconciled;
        let mut listed = Listed::default();
        let of = format!("{}, SHA-256 {}", statement.name, statement.sha256);
        for Proven { order, awb, row } in comparison.to_record() {
            let because = format!("{of}, row {row}");
            match reconciled.upon(order, &self.service).and_then(|upon| self.settle_booked(&upon, awb, &because, true))
            {
                Ok(()) => listed.booked.push(Agreed { order: order.clone(), awb: awb.clone(), cancelled: false }),
                Err(error) => listed.failed.push((order.clone(), error)),
            }
        }
        for difference in comparison.to_give_up() {
            let Some(order) = &difference.order else { continue };
            let awb = difference.statement_awbs.join(", ");
            let because = format!("booked with AWB {awb} in {of}");
            let booked_elsewhere =
                |upon: Upon| settle::booked_elsewhere(&mut self.ledger, &upon, &awb, &word(&because));
            match reconciled.upon(order, &self.service).and_then(booked_elsewhere) {
                Ok(()) => listed.given_up.push(order.clone()),
                Err(error) => listed.failed.push((order.clone(), error)),
            }
        }
        if let Err(error) = self.keep_carriers(statement) {
            listed.failed.push((statement.name.clone(), error.into()));
        }
        let comparison = &mut reconciled.comparison;
        let is_open = |order: &str| !listed.booked.iter().any(|agreed| agreed.order == order);
        comparison.proven.retain(|proven| is_open(&proven.order));
        comparison.only_theirs.retain(|own| own.order.as_deref().is_none_or(is_open));
        comparison.agree.extend(listed.booked.iter().cloned());
        listed
    }

    /// Records what is [absent](settle::Comparison::absent) as not booked: these orders may be sent again, once. All of them
    /// or none.
    ///
    /// # Errors
    /// The ledger does not take it.
    pub fn settle_absent(&mut self, reconciled: &mut Reconciled) -> Result<Vec<String>, SettleError> {
        let Reconciled { statement, comparison, .. } = &*reconciled;
        let Some(Span { from_ms, until_ms }) = statement.span else { return Ok(Vec::new()) };
        let because = format!(
            "{}, SHA-256 {}, has no such booking between {} and {}",
            statement.name,
            statement.sha256,
            moment(from_ms),
            moment(until_ms)
        );
        let upon = |order: &String| reconciled.upon(order, &self.service);
        let orders = comparison.absent.iter().map(upon).collect::<Result<Vec<Upon>, _>>()?;
        settle::not_booked(&mut self.ledger, &orders, &word(&because))?;
        let comparison = &mut reconciled.comparison;
        comparison.only_ours.retain(|ours| !ours.order.as_ref().is_some_and(|order| comparison.absent.contains(order)));
        Ok(std::mem::take(&mut comparison.absent))
    }

    /// Keeps the carriers that a statement names of shipments that were booked without an answer that names one.
    fn keep_carriers(&mut self, statement: &Statement) -> Result<(), LedgerError> {
        let named = statement.entries.iter().filter(|entry| !entry.carrier.is_empty());
        let carriers: Vec<(String, String)> = named
            .filter_map(|entry| match &entry.awb {
                Waybill::Is(awb) => Some((awb.clone(), entry.carrier.clone())),
                Waybill::Blank | Waybill::Unbelievable(_) => None,
            })
            .collect();
        if carriers.is_empty() {
            return Ok(());
        }
        self.ledger.keep_carriers(&NewCarriers {
            service: &self.service,
            statement: &statement.name,
            sha256: statement.digest,
            carriers: &carriers,
            user: user(),
            host: host(),
            at_ms: Timestamp::now().as_millisecond(),
        })
    }

    /// Keeps what a statement charges for shipments of this ledger. Gives for how many it was not kept before.
    ///
    /// # Errors
    /// The ledger does not take it.
    pub fn keep_freights(&mut self, reconciled: &Reconciled) -> Result<u64> {
        let Reconciled { statement, .. } = reconciled;
        Ok(self.ledger.keep_freights(&NewFreights {
            service: &self.service,
            statement: &statement.name,
            sha256: statement.digest,
            freights: &reconciled.freights,
            user: user(),
            host: host(),
            at_ms: Timestamp::now().as_millisecond(),
        })?)
    }

    /// Asks the service for orders in doubt by their numbers: these, or all. Nothing is recorded.
    ///
    /// # Errors
    /// The configuration does not say how to ask; an order that is not in doubt; the service cannot be asked.
    pub fn look_up(&self, orders: &[String]) -> Result<Vec<(Upon, Finding)>> {
        let finder = self.app.finder()?;
        let doubts = self.doubtful(orders)?;
        if doubts.is_empty() {
            return Ok(Vec::new());
        }
        let known = self.ledger.latest_booked(&self.service, TRIED)?;
        Ok(self.app.runtime()?.block_on(finder.find(&known, doubts))?)
    }

    /// Keeps what a look-up found of an order. Gives whether it is settled now.
    ///
    /// # Errors
    /// The ledger does not take it: the order stays in doubt.
    pub fn settle_finding(&mut self, upon: &Upon, finding: &Finding) -> Result<bool, SettleError> {
        match finding {
            Finding::Booked { awb, because } => self.settle_booked(upon, awb, because, false).map(|()| true),
            Finding::Unclear { .. } => Ok(false),
        }
    }

    /// The named orders in doubt at this service, or all.
    fn doubtful(&self, orders: &[String]) -> Result<Vec<Upon>> {
        let mut histories = self.ledger.doubts()?;
        let mut is_ours = HashMap::new();
        for history in &histories {
            if !is_ours.contains_key(&history.service) {
                let same = self.ledger.is_same_service(&self.service, &history.service)?;
                is_ours.insert(history.service.clone(), same);
            }
        }
        histories.retain(|history| is_ours[&history.service]);
        let mut doubts: Vec<Upon> = histories.iter().map(OrderHistory::upon).collect();
        if orders.is_empty() {
            return Ok(doubts);
        }
        let is_known = |order: &&String| doubts.iter().any(|doubt| doubt.number == **order);
        let not_in_doubt: Vec<String> = orders.iter().filter(|order| !is_known(order)).cloned().collect();
        if !not_in_doubt.is_empty() {
            return Err(Error::NotInDoubt(not_in_doubt));
        }
        doubts.retain(|doubt| orders.contains(&doubt.number));
        Ok(doubts)
    }
}

/// The orders that a yes would settle, as they stand now.
fn upon(session: &Session<'_>, comparison: &Comparison) -> Result<HashMap<String, Upon>, SettleError> {
    let record = comparison.to_record().map(|proven| &proven.order);
    let give_up = comparison.to_give_up().filter_map(|difference| difference.order.as_ref());
    let orders = record.chain(give_up).chain(&comparison.absent);
    orders.map(|order| Ok((order.clone(), session.upon(order)?))).collect()
}

fn known(ledger: &Ledger, service: &str, options: CompareOptions) -> Result<Vec<KnownOrder>> {
    let run = options.run.map(RunId::from_number);
    if let Some(run) = run
        && ledger.find_run(Some(run))?.is_none()
    {
        return Err(Error::NoRun(run.number()));
    }
    let mut known = ledger.known_orders(service, run, options.since_ms)?;
    if let Some(until_ms) = options.until_ms {
        for order in &mut known {
            order.in_scope &= order.sent_ms.is_some_and(|sent_ms| sent_ms < until_ms);
        }
    }
    Ok(known)
}

/// What a statement charges for each of these AWBs, all its rows together.
fn freights(statement: &Statement, ours: &HashSet<&str>) -> Vec<Freight> {
    let mut freights: BTreeMap<&str, Freight> = BTreeMap::new();
    for Entry { awb, freight, row, .. } in &statement.entries {
        let (Waybill::Is(awb), Some(amount)) = (awb, freight) else { continue };
        if ours.contains(awb.as_str()) {
            let none = || Freight { awb: awb.clone(), amount: Decimal::ZERO, row: *row };
            freights.entry(awb).or_insert_with(none).amount += *amount;
        }
    }
    freights.into_values().collect()
}

/// A person's word, said now.
fn word(because: &str) -> Word {
    Word { user: user(), host: host(), because: because.to_owned(), at_ms: Timestamp::now().as_millisecond() }
}
