//! The database that knows every order, attempt and answer: a SQLite file, or a database of a PostgreSQL server.
//!
//! The ledger's verbs are few: [`Ledger::stage`] takes orders in ([`Ledger::stage_dry`] only looks), [`Ledger::commit`] carries answers and intents as one
//! transaction, [`Ledger::decide`] keeps a person's word, [`Ledger::recover`] names what a crash left; the rest only
//! reads. No SQL type leaves this module. Guards stand in the database as well as here, so that a fault in this code meets
//! an aborted transaction and not a second POST.
//!
//! A session that writes holds its locks until its [`Ledger`] is dropped; readers need none. Open orders are found by partial
//! indexes, so that no command goes through the orders of past years.
//!
//! Times are epoch milliseconds; the names of their fields end in `_ms`.

mod accept;
mod accepted;
mod address;
mod adopt;
mod after;
mod aliases;
mod book;
mod cancel;
mod chain;
mod check;
mod commit;
mod crash;
mod db;
mod deadline;
mod decide;
mod desk;
mod dismiss;
mod disposition;
mod draft_holds;
mod drafts;
mod dry;
mod elsewhere;
mod error;
mod fence;
mod former;
mod freight;
mod guards;
mod history;
mod home;
mod intake;
mod interrupted;
mod known;
mod late;
mod left;
mod lock;
mod mark;
mod neighbours;
mod network;
mod open;
mod overview;
mod packed;
mod place;
#[cfg(feature = "postgres")]
mod postgres;
mod printed;
mod purge;
mod query;
mod reconcile;
mod record;
mod recover;
mod relocate;
mod results;
mod revision;
mod routes;
mod rows;
mod same;
mod search;
mod share;
mod site;
mod spool;
mod sql;
mod sqlite;
mod staging;
mod standing;
mod state;
mod statements;
mod stations;
mod step;
mod tables;
mod taken;
#[cfg(feature = "postgres")]
mod transfer;
mod upgrade;
mod warehouses;

#[cfg(test)]
mod tests;

pub use accept::{AcceptanceRecord, NewAcceptance};
pub use accepted::AcceptedFinding;
pub use address::{AddressWord, NewAddressWord, SANDBOX};
pub use after::{Delivered, DeliveryRecord, NewDelivery, Shipped, Webhook};
pub use aliases::alias;
pub use book::{Incoming, Question, Successor, question};
pub use cancel::{CancelId, CancelOutcome, CancelRecord, Cancellation, Consignment};
pub use chain::EvidenceRecord;
pub use check::Checked;
pub use commit::{Applied, Change};
pub(crate) use crash::{crash_point, pause_point};
#[cfg(feature = "postgres")]
pub use db::{Address, AddressError};
pub use deadline::Deadline;
pub use decide::{DecisionVerb, NewDecision, Upon};
pub use desk::is_own_folder;
pub use dismiss::NewDismissal;
pub use disposition::Disposition;
pub use draft_holds::{DraftHeld, DraftHold, DraftHoldKind, DraftHoldRecord, Looked, NewDraftHolds};
pub use drafts::{Concerned, DraftKept, DraftNote, DraftNoted, DraftRecord, Progress};
pub use dry::DryStaging;
pub use elsewhere::Elsewhere;
pub use error::LedgerError;
pub use freight::{Freight, NewCarriers, NewFreights};
pub use history::{
    AttemptRecord, DecisionRecord, LateAnswerRecord, OrderHistory, PrintRecord, RefusalRecord, RequestRecord,
};
pub use home::Home;
pub use intake::{Intake, Unsendable};
pub use known::KnownRequest;
pub use late::LateContradiction;
pub use left::{LeftInvalid, ToFix, WaitingElsewhere};
pub use lock::{LockError, RunLock, holder};
pub use neighbours::{Sent, of_each_sent, two_parcels};
pub use open::{Ledger, Watch};
pub use overview::{AttemptSeen, ChainHead, OrderSeen, ProblemSeen, RunSpan};
pub use packed::{Packed, Packer};
pub use place::{create_private_folder, desk_folder, open_own_to_read, sync_folder};
pub(crate) use place::{open_own, without_following};
pub use printed::NewPrint;
pub use purge::{NewPurge, Purged};
pub use reconcile::{EarlierImport, KnownOrder};
pub use record::{
    Adopted, CANCELLED, Called, DIFFERS, Decimal, FrozenRequest, Known, NewRevision, NewRun, OrderId, Pending,
    ProblemRecord, ResultRow, RetryAdopted, Revision, RunEnd, RunFacts, RunId, RunKind, RunRecord, Said, SheetSource,
    StagedOrder, State, Tally, Verdict,
};
pub use recover::Recovered;
pub use relocate::Relocated;
pub use results::Wanted;
pub use routes::RouteRecord;
pub use rows::{KnownSheet, RunSheet, SheetIdentity, SheetRow};
pub use same::SentAs;
pub use search::Listed;
pub use share::{Allowance, BrakeElsewhere, Part, Share};
pub use site::Site;
pub use staging::Staging;
pub use standing::OpenOrder;
pub use statements::{NewForgetting, NewStatement, StatementRecord, TakenStatement};
pub use stations::{NewStationOff, Standing as StationStanding, StationRecord};
pub use taken::{Filed, NewTaken, RunOf, TakenId, TakenSheet, Tray, UnsentSheet};
pub use upgrade::{Upgraded, copies_of_upgrades};
pub use warehouses::{NewWarehouse, WarehouseState};
