//! The ledger: its guards attacked, its verbs against an oracle.

mod addresses;
mod book;
mod draft_holds;
mod drafts;
mod dry;
mod evidence;
mod failing;
mod files;
mod five_years;
mod guards;
mod late;
mod lock;
mod moving;
mod oracle;
#[path = "../../../tests/it/rig/room.rs"]
mod room;
mod rows;
mod runs;
#[cfg(all(unix, feature = "postgres"))]
mod server;
#[cfg(all(unix, feature = "postgres"))]
mod stations;
mod statements;
mod taken;
mod upgrade;
mod watched;

use std::cell::Cell;
use std::path::{Path, PathBuf};

use crate::text::Decimal;
use sha2::{Digest, Sha256};

use super::packed::Packer;
use super::{
    Change, DecisionVerb, Disposition, FrozenRequest, Ledger, LedgerError, NewDecision, NewDismissal, NewRevision,
    NewRun, OrderId, Part, RunFacts, RunId, RunKind, RunLock, StagedOrder, State, Tally, Unsendable, Upon, Verdict,
    Watch,
};
use crate::api::outcome::{Booking, Doubt, Outcome};
use crate::finding::{self, Finding, RuleId};

/// Opens a ledger for booking, as a command does.
fn open_watched(path: &Path, watch: &Watch) -> Result<Ledger, LedgerError> {
    Ledger::refuse_place(path, watch)?;
    Ledger::open_watched(RunLock::acquire(path, "test")?, watch)
}

/// A watch with marks in this folder.
fn watch(marks: &Path) -> Watch {
    Watch { marks: Some(marks.to_owned()), allow_network: false, user: "asha".to_owned(), host: "desk".to_owned() }
}

const SERVICE: &str = "https://api.example.com";

/// A ledger in a folder of its own.
struct Bench {
    folder: tempfile::TempDir,
    ledger: Ledger,
    /// The database, where the ledger is on a server.
    address: Option<String>,
}

/// Makes the ledger of a bench, whose folder this is; gives the address of its database as well.
type Maker = fn(&Path) -> (Ledger, String);

thread_local! {
    /// For a bench whose ledger is not to lie in a file.
    static ELSEWHERE: Cell<Option<Maker>> = const { Cell::new(None) };
}

/// An order goes with the request that it has.
fn intent(ledger: &Ledger, run: RunId, order: OrderId) -> Change {
    let request = "SELECT request_id FROM orders WHERE id = ?1";
    let request = ledger.connection.query_row(request, [order.0], |row| row.get(0)).unwrap();
    Change::Intent { order, request, run }
}

/// Nothing is wrong with a ledger, and each run counts its orders as they are.
fn assert_sound(bench: &Bench) {
    bench.assert_tallies();
    assert_eq!(bench.ledger.check().unwrap().faults, Vec::<String>::new());
}

impl Bench {
    fn new() -> Self {
        let folder = room::folder();
        if let Some(made) = ELSEWHERE.get() {
            let (ledger, address) = made(folder.path());
            return Self { folder, ledger, address: Some(address) };
        }
        let ledger = Ledger::open(&folder.path().join("ledger.sqlite")).unwrap();
        Self { folder, ledger, address: None }
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("ledger.sqlite")
    }

    /// The same ledger, opened once more.
    fn again(&self) -> Ledger {
        #[cfg(all(unix, feature = "postgres"))]
        if let Some(address) = &self.address {
            return server::opened(address, server::STATION, self.folder.path());
        }
        Ledger::open(&self.path()).unwrap()
    }

    /// The same ledger, opened to be read.
    fn reader(&self) -> Ledger {
        #[cfg(all(unix, feature = "postgres"))]
        if let Some(address) = &self.address {
            return Ledger::open_server(&server::parsed(address), &self.folder.path().join("reader")).unwrap();
        }
        Ledger::open_read_only(&self.path()).unwrap()
    }

    /// Tries statements on the database, past all code of ours; gives what it says.
    fn attack(&self, sql: &str) -> Result<(), String> {
        #[cfg(all(unix, feature = "postgres"))]
        if let Some(address) = &self.address {
            return server::attack(address, sql);
        }
        let connection = rusqlite::Connection::open(self.path()).unwrap();
        connection.execute_batch(sql).map_err(|error| error.to_string())
    }

    /// Stages orders, each with a body, as one run.
    fn stage(&mut self, orders: &[(&str, &str)]) -> (RunId, Vec<Disposition>) {
        let mut staging = self.ledger.stage(new_run(RunKind::Import)).unwrap();
        let dispositions = (0_i64..)
            .zip(orders)
            .map(|(position, (number, body))| staging.put(&staged(number, body, position)).unwrap())
            .collect();
        (staging.commit(&RunFacts::default()).unwrap(), dispositions)
    }

    fn pending(&self, run: RunId) -> Vec<OrderId> {
        self.ledger
            .outstanding(run, (-1, 1_000), Part::WHOLE)
            .unwrap()
            .into_iter()
            .map(|pending| pending.order)
            .collect()
    }

    fn intend(&mut self, run: RunId, order: OrderId) {
        let intent = intent(&self.ledger, run, order);
        self.ledger.commit(&[intent], 2_000).unwrap();
    }

    /// Stages one order and sends it, with this outcome.
    fn settle(&mut self, number: &str, outcome: Outcome) -> RunId {
        let (run, _) = self.stage(&[(number, "{}")]);
        let order = self.pending(run)[0];
        self.intend(run, order);
        self.ledger.commit(&[answer(order, outcome)], 3_000).unwrap();
        run
    }

    /// One new order, brought to `state`; beside it the run has an invalid one with its problem.
    fn bring(&mut self, number: &str, state: State) -> (RunId, OrderId) {
        if matches!(state, State::Invalid | State::Dismissed) {
            return self.bring_unsendable(number, state == State::Dismissed);
        }
        let mut staging = self.ledger.stage(new_run(RunKind::Import)).unwrap();
        staging.put(&staged(number, "{}", 0)).unwrap();
        let place = staging.place_kept_back(&unsendable(Some("bad"), "orders.csv:9", 1)).unwrap();
        staging.problem(&problem(5, Some("bad")), Some(place)).unwrap();
        let run = staging.commit(&RunFacts::default()).unwrap();
        let order = self.pending(run)[0];
        let outcome = match state {
            State::Staged => return (run, order),
            State::Abandoned => {
                self.decide(number, DecisionVerb::Abandoned).unwrap();
                return (run, order);
            }
            State::Held | State::LeftOut => {
                let verdict = if state == State::Held { Verdict::Held } else { Verdict::LeftOut };
                assert_eq!(self.ledger.revise(SERVICE, ("u", "h", 2), &[revision(number, verdict)]).unwrap(), [number]);
                return (run, order);
            }
            State::Sending | State::Invalid | State::Dismissed => None,
            State::Booked => Some(booked(&format!("AWB-{number}"))),
            State::Rejected => Some(rejected()),
            State::Refused => Some(refused()),
            State::Waiting => Some(Outcome::Waiting { reason: "429".into() }),
            State::InDoubt => Some(doubtful()),
        };
        self.intend(run, order);
        if let Some(outcome) = outcome {
            self.ledger.commit(&[answer(order, outcome)], 3_000).unwrap();
        }
        (run, order)
    }

    /// One new order that no sheet lets go.
    fn bring_unsendable(&mut self, number: &str, is_dismissed: bool) -> (RunId, OrderId) {
        let mut staging = self.ledger.stage(new_run(RunKind::Import)).unwrap();
        staging.place_kept_back(&unsendable(Some(number), "orders.csv:2", 0)).unwrap();
        let run = staging.commit(&RunFacts::default()).unwrap();
        if is_dismissed {
            self.dismiss(number).unwrap();
        }
        let id = "SELECT id FROM orders WHERE number = ?1";
        (run, OrderId(self.ledger.connection.query_row(id, [number], |row| row.get(0)).unwrap()))
    }

    fn dismiss(&mut self, number: &str) -> Result<(), LedgerError> {
        let (service, numbers) = (SERVICE.to_owned(), vec![number.to_owned()]);
        let (user, host, because) = ("asha".to_owned(), "desk".to_owned(), "not needed".to_owned());
        self.ledger.dismiss(&NewDismissal { service, numbers, user, host, because, at_ms: 5_000 })
    }

    fn decide(&mut self, number: &str, verb: DecisionVerb) -> Result<(), LedgerError> {
        let (user, host, because) = ("asha".to_owned(), "desk".to_owned(), "seen in the portal".to_owned());
        let unknown = || LedgerError::UnknownOrder { order: number.to_owned(), service: SERVICE.into() };
        let upon = self.ledger.order(number)?.first().ok_or_else(unknown)?.upon();
        self.ledger.decide(&NewDecision { upon, verb, user, host, because, at_ms: 4_000 })
    }

    /// Every run's counters against a count of its orders.
    fn assert_tallies(&self) {
        for run in self.ledger.runs(1_000).unwrap() {
            let tally = self.ledger.tally(run.id).unwrap();
            let sql = "SELECT class, count(*) FROM run_classes WHERE run_id = ?1 AND class <> 'rows_without_order' GROUP BY 1";
            let mut counted = Tally::default();
            let mut statement = self.ledger.connection.prepare(sql).unwrap();
            let mut rows = statement.query([run.id.0]).unwrap();
            while let Some(row) = &rows.next().unwrap() {
                let (class, count): (String, u64) = (row.get(0).unwrap(), row.get(1).unwrap());
                *match class.as_str() {
                    "invalid" => &mut counted.invalid,
                    "dismissed" => &mut counted.dismissed,
                    "already_booked" => &mut counted.already_booked,
                    "booked" => &mut counted.booked,
                    "rejected" => &mut counted.rejected,
                    "refused" => &mut counted.refused,
                    "in_doubt" => &mut counted.in_doubt,
                    "held" => &mut counted.held,
                    "left_out" => &mut counted.left_out,
                    "abandoned" => &mut counted.abandoned,
                    _ => &mut counted.outstanding,
                } += count;
                counted.total += count;
            }
            assert_eq!(tally, counted, "run {}", run.id.0);
        }
    }

    /// How far an order is with the service.
    fn state(&self, number: &str) -> String {
        let sql = "SELECT state FROM orders WHERE number = ?1";
        self.ledger.connection.query_row(sql, [number], |row| row.get(0)).unwrap()
    }

    /// Where an order stands for readers.
    fn standing(&self, number: &str) -> String {
        self.ledger.order(number).unwrap()[0].state.clone()
    }
}

/// A sheet does not let an order go.
fn revision(number: &str, verdict: Verdict) -> NewRevision {
    NewRevision {
        number: number.to_owned(),
        verdict,
        hold: None,
        request: None,
        rows: "b.csv:2".to_owned(),
        rule: String::new(),
        sheet: Some([7; 32]),
    }
}

/// A sheet asks a person about an order, which would go with this request.
fn asking(number: &str, rule: RuleId, body: &str) -> NewRevision {
    let request = FrozenRequest {
        packed: Packer::default().pack(body.as_bytes()),
        sha256: Sha256::digest(body).into(),
        created_ms: 1_000,
        lines: 2,
        value: Decimal::new(99_980, 2),
        cod: Decimal::ZERO,
    };
    NewRevision { hold: Some(rule), request: Some(request), ..revision(number, Verdict::Go) }
}

fn staged<'a>(number: &'a str, body: &'a str, position: i64) -> StagedOrder<'a> {
    StagedOrder {
        number,
        body: body.as_bytes(),
        packed: None,
        sha256: Sha256::digest(body).into(),
        created_ms: 1_000,
        lines: 2,
        value: Decimal::new(99_980, 2),
        cod: Decimal::ZERO,
        rows: "orders.csv:2-3",
        position,
    }
}

/// An order or row that its sheet has wrong.
fn unsendable<'b>(number: Option<&'b str>, rows: &'b str, position: i64) -> Unsendable<'b> {
    Unsendable { number, rows, position, cells: None, verdict: Verdict::Invalid, rule: "bad-phone", sheet: None }
}

fn problem(digits: usize, order: Option<&str>) -> Finding {
    let finding = finding::cell::bad_phone::wrong_length(digits, "ten digits").found("12345");
    Finding { order: order.map(str::to_owned), ..finding }
}

fn new_run(kind: RunKind) -> NewRun {
    NewRun {
        kind,
        service: SERVICE.into(),
        started_ms: 1_000,
        version: "0".into(),
        user: "asha".into(),
        host: "desk".into(),
    }
}

fn answer(order: OrderId, outcome: Outcome) -> Change {
    Change::Answer { order, outcome, status: Some(200), raw: Some(b"{}".to_vec()) }
}

fn booked(awb: &str) -> Outcome {
    Outcome::Booked(Booking { awb: awb.into(), order_id: Some(format!("id-{awb}")), ..Booking::default() })
}

fn rejected() -> Outcome {
    Outcome::Rejected { order_id: None, error: "\"no\"".into() }
}

fn refused() -> Outcome {
    Outcome::Refused { message: "no".into() }
}

fn doubtful() -> Outcome {
    Outcome::InDoubt { doubt: Doubt::Kept("no answer".into()) }
}

#[test]
fn every_state_has_its_word() {
    for state in State::ALL {
        assert_eq!(State::from_word(state.as_str()), Some(state));
    }
}
