//! The courier's statements, by which what the courier has already is not sent: in the ledger what one of them names is held; what
//! comes later is asked about.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use jiff::Timestamp;
use sha2::{Digest as _, Sha256};

use crate::app::connect::App;
use crate::app::error::Result;
use crate::app::session::Session;
use crate::app::who::{host, user};
use crate::config::Sheets;
use crate::finding::{Basis, RuleId};
use crate::ledger::{KnownOrder, Ledger, LedgerError, NewForgetting, NewStatement, StatementRecord, TakenStatement};
use crate::rule::{Acceptances, Subject};
use crate::settle::{self, Statement, is_shortened};
use crate::text::{hex, may_have_become, spellings};

/// A list with the orders that it has and that were not sent from here.
#[derive(Debug)]
pub(in crate::app) struct CouriersList {
    pub(in crate::app) id: i64,
    pub(in crate::app) name: String,
    has: Has,
}

/// An order in a list, with what that says of it: what a person accepts is this and nothing else.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::app) struct Listing {
    pub(in crate::app) list: String,
    on: String,
}

/// What a list has, with what it says of each.
#[derive(Debug, Default)]
struct Has {
    /// By their numbers, however they are spelled.
    orders: HashMap<String, String>,
    /// By what a spreadsheet may have made of their numbers.
    spoiled: Vec<(String, String)>,
    /// Hashes of the texts in rows that cannot be read, however they are spelled: each may be a number.
    unreadable: HashSet<String>,
    /// The SHA-256 of the list.
    sha256: String,
}

impl CouriersList {
    /// The orders of a statement that these of the ledger do not know as sent.
    fn of(id: i64, statement: &Statement, known: &[KnownOrder]) -> Self {
        let there = settle::compare(known, &statement.entries, None).there;
        let has = Has::of(there, &statement.in_unreadable, statement.sha256.clone());
        Self { id, name: statement.name.clone(), has }
    }

    /// Its words on an order, if it has it, however its number is spelled there.
    pub(in crate::app) fn listing(&self, number: &str) -> Option<Listing> {
        let Has { orders, spoiled, unreadable, sha256, .. } = &self.has;
        let says = || spellings(number).find_map(|own| orders.get(&own).cloned());
        let spoiled = || spoiled.iter().find(|(own, _)| may_have_become(own, number)).map(|(_, says)| says.clone());
        let is_unreadable =
            || !unreadable.is_empty() && spellings(number).any(|own| unreadable.contains(&hidden(&own)));
        let unreadable = || is_unreadable().then(|| sha256.clone());
        let on = says().or_else(spoiled).or_else(unreadable)?;
        Some(Listing { list: self.name.clone(), on })
    }

    /// Whether it has an order, however its number is spelled there.
    pub(in crate::app) fn has_order(&self, number: &str) -> bool {
        self.listing(number).is_some()
    }
}

impl Listing {
    /// The basis on which a person lets the order go.
    pub(in crate::app) fn basis(&self, number: &str) -> Basis {
        Basis::of([("", number), (self.list.as_str(), self.on.as_str())])
    }

    /// Whether a person has let that order go.
    pub(in crate::app) fn is_accepted(&self, number: &str, accepted: &Acceptances) -> bool {
        accepted.has_kept(RuleId::InCouriersList, &Subject::Order(number.to_owned()), &self.basis(number))
    }
}

/// The hash that is kept in place of a text which nobody is to read.
fn hidden(text: &str) -> String {
    hex(&Sha256::digest(text).into())
}

impl Has {
    fn of(there: BTreeMap<String, String>, in_unreadable: &[String], sha256: String) -> Self {
        let mut has = Self { sha256, ..Self::default() };
        for (number, says) in there {
            // A cell may have several of them.
            let parts = number.split(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | '|' | '&' | '+'));
            let parts = parts.filter(|part| part.chars().any(char::is_numeric) && *part != number);
            let all: BTreeSet<String> = std::iter::once(number.as_str()).chain(parts).flat_map(spellings).collect();
            for own in all {
                let all = has.orders.entry(own).or_default();
                *all = format!("{all}{number}\n{says}\n");
            }
            if is_shortened(&number) {
                has.spoiled.push((number, says));
            }
        }
        has.unreadable = in_unreadable.iter().cloned().collect();
        has
    }
}

impl App {
    /// Takes a courier's statement in: what it names is held at once, whoever was to send it, and what comes later as well, until a
    /// person says that it goes or forgets the statement.
    ///
    /// # Errors
    /// No service is configured; a ledger that cannot be written.
    pub fn take_statement(&self, statement: &Statement) -> Result<TakenStatement> {
        self.take(&mut self.beside_runs()?, statement, true)
    }

    /// The same where it is only compared, also while a run goes on: it is kept as long as it names an order that could be sent.
    ///
    /// # Errors
    /// As [`take_statement`](Self::take_statement); there is no ledger.
    pub fn take_compared(&self, session: Option<&mut Session<'_>>, statement: &Statement) -> Result<TakenStatement> {
        match session {
            Some(session) => self.take(&mut session.ledger, statement, false),
            None => self.take(&mut self.beside_runs()?, statement, false),
        }
    }

    /// Takes a statement into a ledger. Texts of rows that cannot be read are kept as hashes: they may be names and phones.
    fn take(&self, ledger: &mut Ledger, statement: &Statement, holds_what_comes: bool) -> Result<TakenStatement> {
        let spelled = statement.in_unreadable.iter().flat_map(|text| spellings(text)).filter(|own| !own.is_empty());
        let in_unreadable: BTreeSet<String> = spelled.map(|own| hidden(&own)).collect();
        let kept = Statement { in_unreadable: in_unreadable.into_iter().collect(), ..statement.clone() };
        let content = serde_json::to_string(&kept).map_err(|error| LedgerError::Damaged(error.to_string()))?;
        let (service, user, host) = (self.config.service_key()?, user(), host());
        let new = NewStatement {
            service: &service,
            name: &kept.name,
            sha256: kept.digest,
            content: &content,
            holds_what_comes,
            user: &user,
            host: &host,
            at_ms: Timestamp::now().as_millisecond(),
        };
        let (list, accepted) = (CouriersList::of(0, &kept, &[]), self.acceptances(&Sheets::default()));
        let has = |number: &str| list.listing(number).is_some_and(|own| !own.is_accepted(number, &accepted));
        Ok(ledger.take_statement(&new, &has)?)
    }

    /// The courier's statements that nobody has forgotten, by their ids and names.
    ///
    /// # Errors
    /// A ledger that cannot be read.
    pub fn statements(&self) -> Result<Vec<(i64, String)>> {
        Ok(self.kept_statements()?.into_iter().map(|(id, statement)| (id, statement.name)).collect())
    }

    /// One of them.
    ///
    /// # Errors
    /// It was forgotten; a ledger that cannot be read.
    pub fn statement(&self, id: i64) -> Result<Statement> {
        let found = self.kept_statements()?.into_iter().find(|(own, _)| *own == id);
        Ok(found.map(|(_, statement)| statement).ok_or(LedgerError::NoStatement)?)
    }

    /// Forgets a courier's statement: what it holds goes again, unless another one names it. Gives these orders.
    ///
    /// # Errors
    /// It was forgotten before; a ledger that cannot be written.
    pub fn forget_statement(&self, id: i64, because: &str) -> Result<Vec<String>> {
        let others = self.kept_statements()?.into_iter().filter(|(own, _)| *own != id);
        let others: Vec<CouriersList> =
            others.map(|(other, statement)| CouriersList::of(other, &statement, &[])).collect();
        let (user, host) = (user(), host());
        let new = NewForgetting { id, user: &user, host: &host, because, at_ms: Timestamp::now().as_millisecond() };
        let still = |number: &str| others.iter().any(|list| list.has_order(number));
        Ok(self.beside_runs()?.forget_statement(&new, &still)?)
    }

    /// The statements as they hold back what comes: what the ledger knows as sent is none of it.
    pub(in crate::app) fn couriers_lists(&self) -> Result<Vec<CouriersList>> {
        let kept = self.kept_statements()?;
        if kept.is_empty() {
            return Ok(Vec::new());
        }
        let (ledger, service) = (self.read_ledger()?, self.config.service_key()?);
        let list = |(id, statement): (i64, Statement)| {
            // However large the ledger is, nothing of it matters but what the statement has.
            let numbers: BTreeSet<&str> = statement.entries.iter().map(|entry| entry.order.as_str()).collect();
            Ok(CouriersList::of(id, &statement, &ledger.known_among(&service, numbers)?))
        };
        kept.into_iter().map(list).collect()
    }

    /// Of these orders of the ledger those that a statement has, under any of the numbers by which each is known, and that no person has
    /// let go all the same: each with why it is left alone.
    pub(in crate::app) fn listed<'n>(
        &self,
        numbers: impl Iterator<Item = &'n String>,
        others: &BTreeMap<String, Vec<String>>,
    ) -> Result<Vec<(String, String)>> {
        let lists = self.couriers_lists()?;
        if lists.is_empty() {
            return Ok(Vec::new());
        }
        let accepted = self.acceptances(&Sheets::default());
        let listed = numbers.filter_map(|number| {
            let all = std::iter::once(number).chain(others.get(number).into_iter().flatten());
            let mut all = all.flat_map(|own| lists.iter().filter_map(|list| list.listing(own)));
            let own = all.find(|own| !own.is_accepted(number, &accepted))?;
            Some((number.clone(), format!("is in {} (in-couriers-list)", own.list)))
        });
        Ok(listed.collect())
    }

    fn kept_statements(&self) -> Result<Vec<(i64, Statement)>> {
        // Without a service nothing is sent.
        let Ok(service) = self.config.service_key() else { return Ok(Vec::new()) };
        let Some(ledger) = self.ledger_there()? else { return Ok(Vec::new()) };
        let read = |record: StatementRecord| {
            let statement = serde_json::from_str(&record.content);
            Ok((record.id, statement.map_err(|error| LedgerError::Damaged(error.to_string()))?))
        };
        ledger.statements(&service)?.into_iter().map(read).collect()
    }

    /// A ledger to write to, also while a run of this machine goes on.
    fn beside_runs(&self) -> Result<Ledger> {
        match self.session("doubt") {
            Ok(session) => Ok(session.ledger),
            Err(error) if error.is_locked() => Ok(Ledger::open_at(self.config.site())?),
            Err(error) => Err(error),
        }
    }
}
