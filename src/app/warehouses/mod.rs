//! The service's warehouses: listed, created, changed; and those of a sheet created, each once.

mod sheet;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;

use jiff::Timestamp;

use crate::after::labels::write_whole;
use crate::api::answer::{NotUnderstood, Told, told};
use crate::api::operation::{CREATE_WAREHOUSE, Entry, GET_WAREHOUSE, LIST_WAREHOUSES, Operation, UPDATE_WAREHOUSE};
use crate::api::service::body_of;
use crate::api::{CallError, Caller, Json};
use crate::book::{StopSignal, StoppedBy};
use crate::config::{Pace, PaceOptions, is_configuration};
use crate::finding::Finding;
use crate::ledger::{Ledger, NewWarehouse, WarehouseState};

pub use sheet::{Warehouse, WarehouseColumns};

use super::bulk::{Steps, bulk};
use super::connect::App;
use super::error::{Error, Result};
use super::service::PlainAnswer;
use super::who::{host, user};

/// What to do with one of the service's warehouses, or all.
#[derive(Debug, Clone)]
pub enum WarehouseCall {
    /// List them.
    List,
    /// One, by its id.
    Get(String),
    /// Create one; its fields as JSON.
    Create(Vec<u8>),
    /// Change one, by its id; its fields as JSON.
    Update(String, Vec<u8>),
}

/// What became of a warehouse.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WarehouseOutcome {
    /// It has an id already.
    Known(String),
    /// It was created now.
    Created(String),
    /// The service said no.
    Refused(String),
    /// Nobody knows whether it exists now.
    Unclear(String),
    /// Nobody knows since an earlier time whether it exists.
    UnclearBefore,
    /// The service gave it an id that another one has: a person has to say whether the two are one.
    SameId {
        /// The id.
        id: String,
        /// The name of the other.
        other: String,
    },
    /// It was not sent.
    Unsent(String),
}

impl WarehouseOutcome {
    /// A stable word for it.
    #[must_use]
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Known(_) => "known",
            Self::Created(_) => "created",
            Self::Refused(_) => "refused",
            Self::Unclear(_) | Self::UnclearBefore | Self::SameId { .. } => "unclear",
            Self::Unsent(_) => "not sent",
        }
    }

    /// Its id, where it is known.
    #[must_use]
    pub fn id(&self) -> Option<&str> {
        match self {
            Self::Known(id) | Self::Created(id) => Some(id),
            _ => None,
        }
    }
}

/// The warehouses of a sheet, with what is known of each before anything is sent.
#[derive(Debug)]
pub struct WarehousePlan {
    /// In the sheet's order.
    pub warehouses: Vec<Warehouse>,
    /// What is known of each; none where it is to be created.
    pub known: Vec<Option<WarehouseOutcome>>,
    /// What is wrong with the sheet; then nothing is created.
    pub problems: Vec<Finding>,
}

impl WarehousePlan {
    /// Whether something is wrong with the sheet.
    #[must_use]
    pub fn is_unusable(&self) -> bool {
        self.problems.iter().any(Finding::holds)
    }

    /// The warehouses that are to be created.
    #[must_use]
    pub fn open(&self) -> Vec<&Warehouse> {
        self.warehouses.iter().zip(&self.known).filter(|(_, known)| known.is_none()).map(|(own, _)| own).collect()
    }
}

impl App {
    /// Whether a call of the service's warehouses can be made: fails where the configuration does not say how.
    ///
    /// # Errors
    /// The operation has no path.
    pub fn can_call_warehouses(&self, call: &WarehouseCall) -> Result<()> {
        let (operation, parameters, _) = call.parts();
        let entry = self.config.operations()?.of(operation);
        entry.address(&WarehouseCall::placed(&entry, parameters))?;
        Ok(())
    }

    /// Makes a call of the service's warehouses and gives the answer as it came.
    ///
    /// # Errors
    /// The service said no, or could not be asked.
    pub fn call_warehouses(&self, call: &WarehouseCall) -> Result<PlainAnswer> {
        self.can_call_warehouses(call)?;
        let (operation, parameters, body) = call.parts();
        let entry = self.config.operations()?.of(operation);
        let plain = self.plain_answer(&entry, &WarehouseCall::placed(&entry, parameters), body.map(<[u8]>::to_vec))?;
        match Json::parse(plain.answer.get().as_bytes()) {
            Some(Json::Object(_) | Json::List(_)) => Ok(plain),
            _ => Err(CallError::from(NotUnderstood::of(
                &entry,
                "it is about no warehouse",
                &body_of(&plain.answer),
                None,
            ))
            .into()),
        }
    }

    /// Reads a sheet of warehouses and finds out what is known of each; `again` are names that are created once more
    /// though their first creation had no clear answer. Nothing is written.
    ///
    /// # Errors
    /// The configuration does not say how warehouses are created; a sheet that cannot be used; a ledger that fails.
    pub fn plan_warehouses(&self, path: &Path, columns: &WarehouseColumns, again: &[String]) -> Result<WarehousePlan> {
        // Fails at once where nobody has said how the service takes it.
        self.can_call_warehouses(&WarehouseCall::Create(Vec::new()))?;
        let columns = WarehouseColumns { sheet: self.config.reading(&columns.sheet), ..columns.clone() };
        let (warehouses, problems) = sheet::read(path, &columns)?;
        let service = self.config.service_key()?;
        let ledger = if self.config.site().may_have_ledger() { Some(self.read_ledger()?) } else { None };
        let known = warehouses.iter().map(|own| self.known(ledger.as_ref(), &service, own, again));
        let known = known.collect::<Result<_>>()?;
        Ok(WarehousePlan { warehouses, known, problems })
    }

    /// What is to be said of a warehouse before anything is sent; none where it is to be created.
    fn known(
        &self,
        ledger: Option<&Ledger>,
        service: &str,
        warehouse: &Warehouse,
        again: &[String],
    ) -> Result<Option<WarehouseOutcome>> {
        let name = &warehouse.name;
        if let Some(id) = self.config.warehouses().get(name) {
            return Ok(Some(WarehouseOutcome::Known(id.clone())));
        }
        Ok(match ledger.map(|ledger| ledger.warehouse(service, name)).transpose()?.flatten() {
            Some(WarehouseState::Created(id)) => Some(WarehouseOutcome::Known(id)),
            Some(WarehouseState::Sending) if !again.contains(name) => Some(WarehouseOutcome::UnclearBefore),
            Some(WarehouseState::Sending | WarehouseState::Refused) | None => None,
        })
    }

    /// Creates what a plan leaves open, one after the other, so that one at most is unclear; what is unclear ends it.
    /// `told` hears each end. Gives what became of every warehouse of the plan.
    ///
    /// # Errors
    /// Another process holds the ledger; no connection could be had.
    pub fn create_warehouses(
        &self,
        plan: &WarehousePlan,
        again: &[String],
        rate: Option<f64>,
        stop: &StopSignal,
        steps: &mut dyn Steps,
        told: &mut dyn FnMut(usize, &Warehouse, &WarehouseOutcome),
    ) -> Result<Vec<WarehouseOutcome>> {
        let service = self.config.service_key()?;
        let entry = self.config.operations()?.of(&CREATE_WAREHOUSE);
        let ledger = Ledger::open_locked(self.lock_ledger("service warehouse import")?, &self.watch())?;
        // Somebody else may have created them since the plan.
        let known = plan.warehouses.iter().map(|own| self.known(Some(&ledger), &service, own, again));
        let mut outcomes: Vec<Option<WarehouseOutcome>> = known.collect::<Result<_>>()?;
        let open: Vec<&Warehouse> = plan
            .warehouses
            .iter()
            .zip(&outcomes)
            .filter(|(_, outcome)| outcome.is_none())
            .map(|(own, _)| own)
            .collect();
        if !open.is_empty() {
            let connection = self.connection(1)?;
            let rate = self.config.pace(PaceOptions { rate, ..PaceOptions::default() }).rate;
            let bulk = bulk(Pace { concurrency: 1, rate }, stop.clone(), steps)?;
            let caller = connection.caller().paced(bulk.pace.clone());
            let named = self.config.warehouses();
            let creating = Creating { service: &service, entry: &entry, ledger: RefCell::new(ledger), caller, named };
            let done = |place: usize, outcome: &WarehouseOutcome| {
                told(place, open[place], outcome);
                let is_clear = matches!(outcome, WarehouseOutcome::Created(_) | WarehouseOutcome::Refused(_));
                (!is_clear).then(|| (StoppedBy::Doubts, outcome.word().to_owned()))
            };
            let call = |_, warehouse: &Warehouse| creating.create(warehouse.clone());
            let ends = self.runtime()?.block_on(bulk.run(&open, call, done)).results;
            let mut ends = ends.into_iter();
            for outcome in outcomes.iter_mut().filter(|outcome| outcome.is_none()) {
                *outcome = ends.next().flatten();
            }
        }
        let left = || WarehouseOutcome::Unsent("it was not reached; the same import goes on".to_owned());
        Ok(outcomes.into_iter().map(|outcome| outcome.unwrap_or_else(left)).collect())
    }

    /// The lines of `[warehouses]` for those that the configuration does not name yet.
    #[must_use]
    pub fn warehouse_lines(&self, plan: &WarehousePlan, outcomes: &[WarehouseOutcome]) -> Vec<String> {
        let together = plan.warehouses.iter().zip(outcomes);
        let new = together
            .filter_map(|(warehouse, outcome)| Some((warehouse.name.as_str(), outcome.id()?)))
            .filter(|(name, _)| !self.config.warehouses().contains_key(*name));
        new.map(|(name, id)| format!("{} = {}", quoted(name), quoted(id))).collect()
    }

    /// Adds lines to `[warehouses]` of the configuration in use, and leaves all else in it as it is. Gives the file.
    ///
    /// # Errors
    /// The file cannot be read or written, or would not be valid any more.
    pub fn write_warehouses(&self, lines: &[String]) -> Result<String> {
        let path = self.config.warehouse_file();
        let before = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
            Err(source) => return Err(Error::file(format!("cannot read {}", path.display()))(source)),
        };
        let after = with_lines(&before, lines);
        if !is_configuration(&after) {
            return Err(Error::Refused(format!(
                "{} is not written, for it would not be valid any more; add to it:\n{}",
                path.display(),
                lines.join("\n")
            )));
        }
        let cannot = format!("cannot write {}", path.display());
        write_whole(path, after.as_bytes()).map_err(Error::file(cannot))?;
        Ok(path.display().to_string())
    }
}

/// Names of a path's placeholders, each with its value.
type PathParameters = Vec<(String, String)>;

impl WarehouseCall {
    fn parts(&self) -> (&'static Operation, PathParameters, Option<&[u8]>) {
        let id = |id: &String| ["warehouseId", "id"].map(|name| (name.to_owned(), id.clone())).to_vec();
        match self {
            Self::List => (&LIST_WAREHOUSES, Vec::new(), None),
            Self::Get(own) => (&GET_WAREHOUSE, id(own), None),
            Self::Create(body) => (&CREATE_WAREHOUSE, Vec::new(), Some(body)),
            Self::Update(own, body) => (&UPDATE_WAREHOUSE, id(own), Some(body)),
        }
    }

    /// The names of a warehouse that the path has places for; where it has none, the first goes into the query.
    fn placed(entry: &Entry, mut names: PathParameters) -> PathParameters {
        let placed = entry.placed(&names);
        if placed.is_empty() && !entry.path.as_deref().is_some_and(|path| path.contains('{')) {
            names.truncate(1);
            return names;
        }
        if placed.is_empty() { names } else { placed }
    }

    /// The operation's name.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.parts().0.name
    }
}

/// What creates one warehouse after the other.
struct Creating<'a> {
    service: &'a str,
    entry: &'a Entry,
    ledger: RefCell<Ledger>,
    caller: Caller,
    /// Those of the configuration: names and ids.
    named: &'a BTreeMap<String, String>,
}

impl Creating<'_> {
    /// The name of another warehouse that has this id.
    fn other(&self, name: &str, id: &str) -> Option<String> {
        let mut named = self.named.iter().filter(|(other, own)| own.as_str() == id && other.as_str() != name);
        let configured = named.next().map(|(other, _)| other.clone());
        let kept = || self.ledger.borrow().warehouse_with_id(self.service, id).ok().flatten();
        configured.or_else(|| kept().filter(|other| other != name))
    }

    async fn create(&self, warehouse: Warehouse) -> WarehouseOutcome {
        let (name, body) = (warehouse.name, warehouse.body.to_string().into_bytes());
        let (begun_ms, user, host) = (Timestamp::now().as_millisecond(), user(), host());
        let service = self.service;
        let new = NewWarehouse { service, name: &name, body: &body, begun_ms, user: &user, host: &host };
        if let Err(error) = self.ledger.borrow_mut().warehouse_begins(&new) {
            return WarehouseOutcome::Unsent(format!("it cannot be noted in the ledger: {error}"));
        }
        let (outcome, answer) = sent(&self.caller, self.entry, body).await;
        let outcome = match outcome {
            WarehouseOutcome::Created(id) => match self.other(&name, &id) {
                Some(other) => WarehouseOutcome::SameId { id, other },
                None => WarehouseOutcome::Created(id),
            },
            outcome => outcome,
        };
        let kept = match &outcome {
            WarehouseOutcome::Unclear(_) | WarehouseOutcome::SameId { .. } => Ok(()),
            outcome => self.ledger.borrow_mut().warehouse_ends((service, &name), outcome.id(), &answer),
        };
        match (kept, outcome) {
            (Err(error), WarehouseOutcome::Created(id)) => {
                WarehouseOutcome::Unclear(format!("it is created with id {id}, but that could not be kept: {error}"))
            }
            (_, outcome) => outcome,
        }
    }
}

/// Sends one, and gives what is to be kept of the answer.
async fn sent(caller: &Caller, entry: &Entry, body: Vec<u8>) -> (WarehouseOutcome, String) {
    match caller.json(entry, &[], Some(body)).await {
        Ok(answer) => {
            let outcome = id(entry, &answer).map_or_else(|error| failed(&error), WarehouseOutcome::Created);
            (outcome, answer.to_string())
        }
        Err(error) => {
            let said = error.to_string();
            (failed(&error), said)
        }
    }
}

fn id(entry: &Entry, answer: &Json) -> Result<String, CallError> {
    let objects = told(entry, answer, &["id"])?;
    let one = objects.first().filter(|_| objects.len() == 1);
    let id = one.and_then(|told| told.name("id"));
    id.ok_or_else(|| Told::of(entry, answer).unread("it tells no id", &["id"]).into())
}

fn failed(error: &CallError) -> WarehouseOutcome {
    let outcome = match error {
        error if error.may_be_done() => WarehouseOutcome::Unclear,
        CallError::Refused { status, .. } if *status != 429 => WarehouseOutcome::Refused,
        _ => WarehouseOutcome::Unsent,
    };
    outcome(error.to_string())
}

/// A text as TOML writes it.
fn quoted(text: &str) -> String {
    toml::Value::from(text).to_string()
}

fn with_lines(text: &str, lines: &[String]) -> String {
    let added = lines.join("\n");
    let mut all: Vec<&str> = text.lines().collect();
    match all.iter().position(|line| line.split('#').next().is_some_and(|line| line.trim() == "[warehouses]")) {
        Some(section) => all.insert(section + 1, &added),
        None if all.is_empty() => all.extend(["[warehouses]", &added]),
        None => all.extend(["", "[warehouses]", &added]),
    }
    all.join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::with_lines;

    #[test]
    fn lines_go_where_they_belong_and_nothing_else_changes() {
        let line = ["\"A\" = \"1\"".to_owned()];
        assert_eq!(with_lines("", &line), "[warehouses]\n\"A\" = \"1\"\n");
        assert_eq!(with_lines("api = \"v2\" # x\n", &line), "api = \"v2\" # x\n\n[warehouses]\n\"A\" = \"1\"\n");
        let text = "[warehouses]  # ours\n\"B\" = \"2\"\n[check]\n";
        assert_eq!(with_lines(text, &line), "[warehouses]  # ours\n\"A\" = \"1\"\n\"B\" = \"2\"\n[check]\n");
    }
}
