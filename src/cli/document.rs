//! What standard output carries under `--format json`: one document of a named kind and version, or a line of it each time.
//!
//! Nothing else in the program prints JSON, so no document is without its kind. Each kind has its schema in `docs/schema`.

use std::cell::Cell;

use anyhow::Result;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::value::RawValue;

use crate::cli::screen::terminal;
use crate::report::{Orders, ProblemEntry, RowCounts, SheetEntry};

use super::console::ignore_closed;

/// What a document is about: mostly the command that prints it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Accept,
    Cancel,
    Completions,
    Config,
    CouldNotRun,
    Desk,
    Dismiss,
    Doctor,
    DoctorBundle,
    DoubtList,
    DoubtLookUp,
    DoubtMatch,
    DoubtSettled,
    DoubtShow,
    DoubtsSettled,
    Explain,
    Export,
    Fields,
    Label,
    LedgerAccept,
    LedgerBackup,
    LedgerCheck,
    LedgerMove,
    LedgerPurge,
    LedgerStations,
    LedgerUpgrade,
    NightInstall,
    ProfileCheck,
    ProfileGuess,
    ProfileList,
    ProfileShow,
    Rejects,
    Report,
    Rules,
    Run,
    Runs,
    Sandbox,
    Selftest,
    ServiceAddresses,
    ServiceCall,
    ServiceCouriers,
    ServiceDetails,
    ServiceInvoice,
    ServiceLogin,
    ServiceNdr,
    ServiceOperations,
    ServiceProbe,
    ServiceQuote,
    ServiceServiceability,
    ServiceWarehouse,
    ServiceWarehouseImport,
    ServiceWarehousePlan,
    ServiceWebhookEvent,
    ServiceWebhookList,
    ServiceWebhookRegister,
    ServiceWord,
    Show,
    ShowEvidence,
    Template,
    Track,
    TrackSummary,
    Watch,
}

impl Kind {
    /// Its name, which is also that of its schema, and its version. The version rises when a key goes or changes its
    /// meaning; a key that is added is no new version.
    pub(super) const fn named(self) -> (&'static str, u32) {
        match self {
            Self::Accept => ("accept", 1),
            Self::Cancel => ("cancel", 1),
            Self::Completions => ("completions", 1),
            Self::Config => ("config", 1),
            Self::CouldNotRun => ("could-not-run", 1),
            Self::Desk => ("desk", 1),
            Self::Dismiss => ("dismiss", 1),
            Self::Doctor => ("doctor", 1),
            Self::DoctorBundle => ("doctor-bundle", 1),
            Self::DoubtList => ("doubt-list", 1),
            Self::DoubtLookUp => ("doubt-look-up", 1),
            Self::DoubtMatch => ("doubt-match", 1),
            Self::DoubtSettled => ("doubt-settled", 1),
            Self::DoubtShow => ("doubt-show", 1),
            Self::DoubtsSettled => ("doubts-settled", 1),
            Self::Explain => ("explain", 1),
            Self::Export => ("export", 1),
            Self::Fields => ("fields", 1),
            Self::Label => ("label", 1),
            Self::LedgerAccept => ("ledger-accept", 1),
            Self::LedgerBackup => ("ledger-backup", 1),
            Self::LedgerCheck => ("ledger-check", 1),
            Self::LedgerMove => ("ledger-move", 1),
            Self::LedgerPurge => ("ledger-purge", 1),
            Self::LedgerStations => ("ledger-stations", 1),
            Self::LedgerUpgrade => ("ledger-upgrade", 1),
            Self::NightInstall => ("night-install", 1),
            Self::ProfileCheck => ("profile-check", 1),
            Self::ProfileGuess => ("profile-guess", 1),
            Self::ProfileList => ("profile-list", 1),
            Self::ProfileShow => ("profile-show", 1),
            Self::Rejects => ("rejects", 1),
            Self::Report => ("report", 1),
            Self::Rules => ("rules", 1),
            Self::Run => ("run", 1),
            Self::Runs => ("runs", 1),
            Self::Sandbox => ("sandbox", 1),
            Self::Selftest => ("selftest", 1),
            Self::ServiceAddresses => ("service-addresses", 1),
            Self::ServiceCall => ("service-call", 1),
            Self::ServiceCouriers => ("service-couriers", 1),
            Self::ServiceDetails => ("service-details", 1),
            Self::ServiceInvoice => ("service-invoice", 1),
            Self::ServiceLogin => ("service-login", 1),
            Self::ServiceNdr => ("service-ndr", 1),
            Self::ServiceOperations => ("service-operations", 1),
            Self::ServiceProbe => ("service-probe", 1),
            Self::ServiceQuote => ("service-quote", 1),
            Self::ServiceServiceability => ("service-serviceability", 1),
            Self::ServiceWarehouse => ("service-warehouse", 1),
            Self::ServiceWarehouseImport => ("service-warehouse-import", 1),
            Self::ServiceWarehousePlan => ("service-warehouse-plan", 1),
            Self::ServiceWebhookEvent => ("service-webhook-event", 1),
            Self::ServiceWebhookList => ("service-webhook-list", 1),
            Self::ServiceWebhookRegister => ("service-webhook-register", 1),
            Self::ServiceWord => ("service-word", 1),
            Self::Show => ("show", 1),
            Self::ShowEvidence => ("show-evidence", 1),
            Self::Template => ("template", 1),
            Self::Track => ("track", 1),
            Self::TrackSummary => ("track-summary", 1),
            Self::Watch => ("watch", 1),
        }
    }
}

/// What a command has to say, with its kind and version before it.
#[derive(Serialize)]
struct Documented<'b, T> {
    document: &'static str,
    version: u32,
    #[serde(flatten)]
    body: &'b T,
}

impl<'b, T: Serialize> Documented<'b, T> {
    const fn of(kind: Kind, body: &'b T) -> Self {
        let (document, version) = kind.named();
        Self { document, version, body }
    }
}

thread_local! {
    /// Whether the command of this thread has printed its document.
    static IS_OUT: Cell<bool> = const { Cell::new(false) };
}

/// A command begins, whose document is still to come.
pub(super) fn begin() {
    IS_OUT.set(false);
}

/// A document as text; `body` is an object.
pub(super) fn text<T: Serialize>(kind: Kind, body: &T) -> Result<String> {
    Ok(serde_json::to_string_pretty(&Documented::of(kind, body))?)
}

/// Prints the one document of a command; `body` is an object.
pub(super) fn print_document<T: Serialize>(kind: Kind, body: &T) -> Result<()> {
    let json = text(kind, body)?;
    IS_OUT.set(true);
    write(&json)
}

/// The document of any command that could not do its work, instead of its own: `problems` says why. A wrong command
/// line ends with 2. The keys of a run are there as well; nothing was sent, so they are null, zero and empty.
#[derive(Serialize, JsonSchema, Default)]
#[schemars(title = "A command that failed")]
pub(super) struct Failure {
    /// The run's number, always null.
    run: Option<i64>,
    /// Sheets, always none.
    sheets: Vec<SheetEntry>,
    /// Rows, all zero.
    rows: RowCounts,
    /// Orders, all zero.
    orders: Orders,
    /// Product lines, always zero.
    lines: u64,
    /// Requests that were sent to book orders, always zero.
    requests: u64,
    /// Seconds, always zero.
    #[schemars(range(min = 0))]
    seconds: f64,
    /// A brake, always null.
    stopped_by: Option<String>,
    /// The error that ended the command; of a sheet of warehouses, all that is wrong with it.
    #[schemars(schema_with = "ProblemEntry::list")]
    problems: Vec<ProblemEntry>,
    /// The exit code of the command: 1 could not run, 2 wrong command line, 3 a sheet with problems.
    #[schemars(extend("enum" = [1, 2, 3]))]
    exit: u8,
}

impl Failure {
    pub(super) fn of(problems: Vec<ProblemEntry>, exit: u8) -> Self {
        Self { problems, exit, ..Self::default() }
    }
}

/// Prints the document of a failure, unless the command's own document is out: whoever reads it expects no second one.
pub(super) fn print_failure(body: &Failure) -> Result<()> {
    if IS_OUT.get() { Ok(()) } else { print_document(Kind::CouldNotRun, body) }
}

/// Prints one object on one line, for commands that print a line each time something happens.
pub(super) fn print_line<T: Serialize>(kind: Kind, body: &T) -> Result<()> {
    write(&serde_json::to_string(&Documented::of(kind, body))?)
}

/// Prints an answer of the service for people, who get it as it is.
pub(super) fn print_answer(answer: &RawValue) -> Result<()> {
    write(&serde_json::to_string_pretty(answer)?)
}

fn write(json: &str) -> Result<()> {
    Ok(terminal::write_json(json).or_else(ignore_closed)?)
}
