//! Where we stand: what the whole ledger has open, over all runs.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::api::outcome::{masked, purchase_error_message};
use crate::book::is_for_want_of_money;
use crate::ledger::{Ledger, OpenOrder, State, ToFix};

use super::connect::App;
use super::error::Result;
use super::exit::Exit;

/// Causes that are told apart.
const CAUSES_MAX: usize = 20;
/// Orders named of each.
const NAMED: usize = 4;
/// Stands for every cause that tells of an empty account.
pub const FUNDS: &str = "funds";

/// The open orders of the whole ledger, over all runs.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Standing {
    /// Orders that may still be sent.
    pub outstanding: Open,
    /// Orders whose outcome nobody knows.
    pub in_doubt: Open,
    /// Orders that a newer sheet holds or has wrong, or that a question holds until a person answers it.
    pub held: Open,
    /// Orders that were rejected or refused, and not corrected since, by cause; the most frequent cause first.
    pub failed: Vec<FailedCause>,
    /// Failed orders of causes beyond those that are told apart.
    pub failed_otherwise: u64,
    /// Orders that stayed behind when they came last and wait to be corrected or dismissed, by the run in which they
    /// did.
    pub to_fix: Vec<ToFixIn>,
    /// How many of these wait for no more than an answer.
    #[serde(skip)]
    pub to_answer: u64,
}

/// Orders of one run that wait to be corrected or dismissed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ToFixIn {
    /// The run in which they came last.
    pub run: i64,
    /// The orders.
    #[serde(flatten)]
    pub open: Open,
}

/// Orders that are open in one way.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Open {
    /// How many.
    pub orders: u64,
    /// When the oldest was tried last, or staged, or, of what failed, when the service said no, in milliseconds since
    /// 1970-01-01 UTC; null where there is none.
    pub oldest_ms: Option<i64>,
    /// The first of them, by number.
    pub named: Vec<String>,
    /// The services that they are of: their addresses, or `sandbox`.
    pub services: BTreeSet<String>,
}

/// Orders that failed for one cause.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct FailedCause {
    /// The state of all of them.
    #[schemars(extend("enum" = [State::Rejected, State::Refused]))]
    pub state: &'static str,
    /// The service's words on the first of them.
    pub cause: String,
    /// A short name of the cause: `retry --cause` takes it.
    pub id: String,
    /// The orders.
    #[serde(flatten)]
    pub open: Open,
    /// The same for all of them: the state, and the cause without digits and quoted values.
    #[serde(skip)]
    pub fingerprint: String,
}

impl App {
    /// What the whole ledger has open. What was on its way when a run was killed is in doubt.
    ///
    /// # Errors
    /// A ledger that cannot be read.
    pub fn standing(&self, ledger: &Ledger) -> Result<Standing> {
        let (mut standing, running) = (Standing::default(), self.is_running());
        ledger.for_each_open(&mut |order| standing.take(order, running))?;
        ledger.for_each_to_fix(&mut |order| standing.stays_behind(order))?;
        standing.failed.sort_by_key(|cause| std::cmp::Reverse(cause.open.orders));
        Ok(standing)
    }
}

impl App {
    /// The numbers of all orders that failed for one cause, as [`FailedCause::fingerprint`] or [`FailedCause::id`] names it, or
    /// for want of money ([`FUNDS`]); only those of the configured service.
    ///
    /// # Errors
    /// A ledger that cannot be read.
    pub fn failed_for(&self, ledger: &Ledger, fingerprint: &str) -> Result<Vec<String>> {
        let mut failed = Vec::new();
        ledger.for_each_open(&mut |OpenOrder { number, service, state, error, .. }| {
            if !matches!(state, State::Rejected | State::Refused) {
                return;
            }
            let (said, own) = failed_because(state.as_str(), error.as_deref().unwrap_or_default());
            if own == fingerprint
                || cause_id(&own) == fingerprint
                || (fingerprint == FUNDS && is_for_want_of_money(&said))
            {
                failed.push((number, service));
            }
        })?;
        let (own, mut is_ours) = (self.config.service_key()?, BTreeMap::new());
        for (_, service) in &failed {
            if !is_ours.contains_key(service) {
                is_ours.insert(service.clone(), ledger.is_same_service(&own, service)?);
            }
        }
        Ok(failed.into_iter().filter(|(_, service)| is_ours[service]).map(|(number, _)| number).collect())
    }
}

/// A short name of a cause: the first digits of the SHA-256 of its fingerprint.
fn cause_id(fingerprint: &str) -> String {
    let hash = Sha256::digest(fingerprint);
    hash.iter().take(4).fold(String::new(), |digits, byte| digits + &format!("{byte:02x}"))
}

/// Why an order failed, by its state and what the service said of it, and the fingerprint of all that failed so.
#[must_use]
pub fn failed_because(state: &str, error: &str) -> (String, String) {
    let cause = if state == State::Rejected.as_str() { purchase_error_message(error) } else { error.to_owned() };
    let fingerprint = format!("{state}: {}", masked(&cause));
    (cause, fingerprint)
}

impl Standing {
    fn take(&mut self, order: OpenOrder, running: bool) {
        match order.state {
            State::InDoubt => self.in_doubt.take(order),
            State::Sending if !running => self.in_doubt.take(order),
            State::Rejected | State::Refused => self.failed(order),
            State::Held => self.held.take(order),
            _ => self.outstanding.take(order),
        }
    }

    fn failed(&mut self, order: OpenOrder) {
        let state = order.state.as_str();
        let (cause, fingerprint) = failed_because(state, order.error.as_deref().unwrap_or_default());
        let known = self.failed.iter().position(|known| known.fingerprint == fingerprint);
        match known {
            Some(known) => self.failed[known].open.take(order),
            None if self.failed.len() < CAUSES_MAX => {
                let mut open = Open::default();
                open.take(order);
                let id = cause_id(&fingerprint);
                self.failed.push(FailedCause { state, cause, id, open, fingerprint });
            }
            None => self.failed_otherwise += 1,
        }
    }

    fn stays_behind(&mut self, ToFix { number, service, run, since_ms, is_held }: ToFix) {
        self.to_answer += u64::from(is_held);
        let run = run.number();
        if self.to_fix.last().is_none_or(|known| known.run != run) {
            self.to_fix.push(ToFixIn { run, open: Open::default() });
        }
        if let Some(known) = self.to_fix.last_mut() {
            known.open.add(number, service, since_ms);
        }
    }

    /// Orders that wait to be corrected or dismissed.
    #[must_use]
    pub fn orders_to_fix(&self) -> u64 {
        self.to_fix.iter().map(|of| of.open.orders).sum()
    }

    /// Orders that failed, of whatever cause.
    #[must_use]
    pub fn failed_orders(&self) -> u64 {
        self.failed.iter().map(|cause| cause.open.orders).sum::<u64>() + self.failed_otherwise
    }

    /// How it stands, for scripts: what needs a person or a resume. What failed, or has to be corrected, is told by its run.
    #[must_use]
    pub const fn exit(&self) -> Exit {
        match (self.in_doubt.orders, self.outstanding.orders) {
            (0, 0) => Exit::Done,
            (0, _) => Exit::Outstanding,
            _ => Exit::InDoubt,
        }
    }
}

impl Open {
    fn take(&mut self, OpenOrder { number, service, since_ms, .. }: OpenOrder) {
        self.add(number, service, since_ms);
    }

    fn add(&mut self, number: String, service: String, since_ms: i64) {
        self.orders += 1;
        self.oldest_ms = Some(self.oldest_ms.map_or(since_ms, |oldest| oldest.min(since_ms)));
        if self.named.len() < NAMED {
            self.named.push(number);
        }
        self.services.insert(service);
    }
}
