//! Why a use case could not be done.

use std::net::SocketAddr;
use std::path::PathBuf;

use crate::after::pdf::PdfError;
use crate::api::operation::OperationError;
use crate::api::{CallError, ClientError, EndpointError, TokenError};
use crate::book::BookError;
use crate::config::{ConfigError, NamedBy};
use crate::finding::RuleId;
use crate::ledger::{Elsewhere, LedgerError, LockError};
use crate::profile::ProfileError;
use crate::report::ResultsError;
use crate::settle::{LookUpError, SettleError, StatementError};
use crate::sheet::SheetError;
use crate::stage::StageError;
use crate::text::{count, list};

use super::caution::Caution;
use super::english::{caution, elsewhere};
use super::room::RoomError;

/// A result of a use case.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why a use case could not be done. Nothing was sent unless the variant says otherwise.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The configuration cannot be used.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// What was asked for cannot be meant.
    #[error(transparent)]
    Misuse(#[from] Misuse),
    /// What was given together does not belong together.
    #[error(transparent)]
    Mismatch(#[from] Mismatch),
    /// What a person should look at first, and has not accepted.
    #[error("nothing was sent, for a person has to look first: {}", cautions(.0))]
    Unaccepted(Vec<Caution>),
    /// A sheet cannot be read, or staged.
    #[error(transparent)]
    Stage(#[from] StageError),
    /// A profile that is not valid.
    #[error(transparent)]
    Profile(#[from] ProfileError),
    /// The ledger failed, or was refused.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    /// A file of results cannot be made.
    #[error(transparent)]
    Results(#[from] ResultsError),
    /// The system refuses what is needed.
    #[error(transparent)]
    Room(#[from] RoomError),
    /// There is no client.
    #[error(transparent)]
    Client(#[from] ClientError),
    /// The service's address is none.
    #[error(transparent)]
    Endpoint(#[from] EndpointError),
    /// No token could be had.
    #[error("no token could be had")]
    Token(#[source] TokenError),
    /// The token would go to a host that never had one from this user, and nobody has said that it may.
    #[error("the token would go to {}, where this user never sent one", .0.origin)]
    NewHost(NewHost),
    /// The working folder's configuration has a command that nobody has allowed here.
    #[error("shipsheet.toml in this folder has a command that this user never let run")]
    NewCommand,
    /// Nothing gave a token.
    #[error(transparent)]
    NoTokenGot(TokenError),
    /// What was done at the service could not be kept.
    #[error("{what}, but that could not be kept")]
    Unkept {
        /// What was done.
        what: String,
        /// Why it could not be kept.
        source: LedgerError,
    },
    /// A file that a command would replace, and that somebody else made or changed.
    #[error("{} is there already, and it is not what this command wrote", path.display())]
    NotOwnFile {
        /// The file.
        path: PathBuf,
        /// The command.
        command: &'static str,
    },
    /// Labels or lists that cannot become a PDF.
    #[error("no PDF can be made of them")]
    Labels(#[from] PdfError),
    /// The service did not take the token.
    #[error("the service does not take the token (tried with {operation}): set a new one")]
    TokenRefused {
        /// The operation that it was tried with.
        operation: &'static str,
    },
    /// The token could not be tried.
    #[error("the token could not be tried")]
    TokenUntried(#[source] CallError),
    /// The stand-in service could not be started.
    #[error("the stand-in service could not be started")]
    Sandbox(#[source] std::io::Error),
    /// An operation that does not exist, or whose path nobody knows.
    #[error(transparent)]
    Operation(#[from] OperationError),
    /// A plain call that lacks a parameter of its path.
    #[error(transparent)]
    CallParameter(OperationError),
    /// The service said no, or could not be asked.
    #[error(transparent)]
    Call(#[from] CallError),
    /// The numbers of these orders are known at another address of which nobody has said whether it is the same service.
    #[error("{}", elsewhere(.0))]
    Elsewhere(Box<Elsewhere>),
    /// Booking could not begin or go on.
    #[error(transparent)]
    Book(#[from] BookError),
    /// A doubt cannot be settled so.
    #[error(transparent)]
    Settle(#[from] SettleError),
    /// A statement cannot be read.
    #[error(transparent)]
    Statement(#[from] StatementError),
    /// The service cannot be asked for orders.
    #[error(transparent)]
    LookUp(#[from] LookUpError),
    /// The sandbox inside this program has nothing to be asked for.
    #[error("the sandbox inside this program forgets its bookings when it ends: there is nothing to ask")]
    SandboxForgets,
    /// A copy of the ledger is not what the ledger should be.
    #[error("the copy of the ledger is not sound ({0}): look through the ledger itself. Earlier backups are kept")]
    UnsoundCopy(String),
    /// No such run.
    #[error("no run {0} in this ledger")]
    NoRun(i64),
    /// No run at all.
    #[error("no run yet in this ledger")]
    NoRunYet,
    /// None began in that time.
    #[error("no run began in that time")]
    NoRunSince,
    /// No such order.
    #[error("no order {number} in this ledger")]
    NoOrder {
        /// The order number.
        number: String,
    },
    /// The order was invalid whenever it came, and never sent.
    #[error("order {number} was never sent: in run {run} it was invalid ({rows})")]
    NeverSent {
        /// The order number.
        number: String,
        /// The run that it was last in.
        run: i64,
        /// Its rows there.
        rows: String,
    },
    /// Orders that are to be retried and are not there.
    #[error("no order {} of {service} in this ledger", list(numbers, "and"))]
    NoOrders {
        /// Their numbers.
        numbers: Vec<String>,
        /// The service.
        service: String,
    },
    /// Orders that are to be looked up and are not in doubt.
    #[error("not in doubt: {}", list(.0, "and"))]
    NotInDoubt(Vec<String>),
    /// A run of another service.
    #[error("run {run} booked at {service}, and this is {own}")]
    OtherService {
        /// The run.
        run: i64,
        /// Where it booked.
        service: String,
        /// The configured service.
        own: String,
    },
    /// None of the orders that are meant has an AWB.
    #[error("none of these orders has an AWB here: nothing to ask the service for")]
    NoShipments,
    /// All shipments that are meant are cancelled, or may be.
    #[error("all of these orders are cancelled, or may be: there is nothing left to do for them")]
    AllCancelled,
    /// A sheet that cannot be used, by the first thing that is wrong with it.
    #[error("this sheet cannot be used: {0}")]
    Unusable(String),
    /// A sheet whose orders do not say where they go.
    #[error("no order of this sheet says from where to where it goes: there is nothing to ask for")]
    NoRoutes,
    /// The person interrupted what went on before anything was sent; what came of it so far is kept.
    #[error("interrupted: nothing was sent; answers are kept for a day")]
    Interrupted,
    /// A face that cannot tell when to stop; nothing was sent.
    #[error("the system does not let this program listen to its signals; nothing was sent")]
    Unstoppable(#[source] std::io::Error),
    /// A sheet of warehouses in which no column is called a name.
    #[error("no column is named \"name\" among {}", list(.0, "and"))]
    NoNameColumn(Vec<String>),
    /// A sheet that is not the one that was read.
    #[error("{0} has changed since it was read")]
    Changed(String),
    /// A profile of that name is there already.
    #[error("cannot write the profile {}: there is one of that name", .0.display())]
    ProfileThere(PathBuf),
    /// Nothing can be listened to on this address of the machine itself.
    #[error("cannot listen on {address}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// Why.
        source: std::io::Error,
    },
    /// A file or folder cannot be read, made or written.
    #[error("{what}")]
    File {
        /// What was to be done with which file.
        what: String,
        /// Why it could not be done.
        source: std::io::Error,
    },
    /// No draft of that id, or none any more.
    #[error("there is no such draft: it was booked and cleared, or cleared because nobody touched it for days")]
    NoDraft,
    /// A sheet has no such order.
    #[error("no order {number} in this sheet{}", near.as_ref().map_or_else(String::new, |near| format!("; did you mean {near}?")))]
    NotInSheet {
        /// The order number.
        number: String,
        /// An order of the sheet that may be meant.
        near: Option<String>,
    },
    /// What is to be accepted of an order is not held by that rule.
    #[error("order {order} is not held by {rule}{}", held_by(by, near.as_deref()))]
    NotHeld {
        /// The rule.
        rule: RuleId,
        /// The order number.
        order: String,
        /// The rules that hold it; none where it was never held.
        by: Vec<String>,
        /// An order that was held and may be meant.
        near: Option<String>,
    },
    /// No reason was given for a word on the whole ledger, which keeps it for good.
    #[error(
        "no reason was given: write how you know, for instance which backup was restored and who looked up the rest"
    )]
    NoReason,
    /// Something was said of a sheet after what would be sent was shown.
    #[error("this sheet was changed in another window: nothing was sent, look at it again")]
    DraftChanged,
    /// What was asked for does not go, in words that say why and what to do.
    #[error("{0}")]
    Refused(String),
    /// The counts of a run do not add up.
    #[error("the counts of run {run} do not add up ({counts}): this is a fault of the program, please report it")]
    Unbalanced {
        /// The run.
        run: i64,
        /// The counts.
        counts: String,
    },
}

/// What was asked for cannot be meant: the face was told wrongly.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Misuse {
    /// A file of results would take the place of a sheet that is read.
    #[error("{} would be written over the sheet that is read: name another file", .0.display())]
    OverTheSheet(PathBuf),
    /// A scheduled backup, and no word on where it goes.
    #[error("no folder for backups is set: write `folder = \"…\"` under [backup] in shipsheet.toml")]
    NoBackupFolder,
    /// What is personal would be removed from orders that may still be asked about.
    #[error("orders of the last {least} days stay as they are: name a longer time, such as 90d")]
    TooYoung {
        /// Days.
        least: i64,
    },
    /// Rejects and results would be one file.
    #[error("rejects and results name the same file: give each its own")]
    SameFile,
    /// A file of results whose ending says no known format.
    #[error("{0}")]
    Format(String),
    /// Sheets with different columns in one text file.
    #[error(
        "{}: the sheets have different columns, which one .csv file cannot keep apart: name an .xlsx file", .0.display()
    )]
    DifferentColumns(PathBuf),
    /// A state that does not exist.
    #[error("{state} is no state{}", near.map(|near| format!("; did you mean {near}?")).unwrap_or_default())]
    NoState {
        /// What was named.
        state: String,
        /// One whose name is like it.
        near: Option<&'static str>,
    },
    /// A profile that does not say what its shop takes back.
    #[error("the profile {0} does not say what its shop takes back: write a [back] section with its columns")]
    NoShop(String),
    /// An address that has to be another one than the configured.
    #[error("{0} is the configured address itself: name the other one")]
    OwnAddress(String),
    /// The sandbox, where a service is meant.
    #[error("{0}")]
    NotForTheSandbox(&'static str),
    /// No reason was given where one is kept for good.
    #[error("no reason was given: write how you know{0}")]
    NoReason(&'static str),
    /// A name that no profile can have.
    #[error("{0}")]
    ProfileName(String),
    /// No shipment was named.
    #[error("no order was named")]
    NoOrderNamed,
    /// The answer of a login is a secret.
    #[error("the answer of a login is a secret, and is never shown")]
    LoginIsSecret,
    /// A booking outside the ledger.
    #[error("a booking by a plain call would be in no ledger, and nothing would keep it from being made twice")]
    BookingIsKept,
    /// A value for the query that the path has a place for.
    #[error("the path of \"{operation}\" has a place for {{{name}}}")]
    QueryIsParameter {
        /// The operation.
        operation: &'static str,
        /// The name.
        name: String,
    },
    /// A registration outside the ledger.
    #[error("registering an address checks it first, and keeps what came of it")]
    WebhookIsKept,
    /// A cancellation outside the ledger.
    #[error("this shipment is order {number} of this ledger, which keeps its cancellation")]
    CancellationIsKept {
        /// The order number.
        number: String,
    },
    /// An address that cannot be registered for events.
    #[error("{0}")]
    Webhook(String),
    /// A secret that is easily guessed.
    #[error("the secret needs at least 16 letters, digits, - or _")]
    WeakSecret,
    /// A range of labels that begins behind the last one.
    #[error("the range begins at {from}, and the run or list has {}", count(*there as u64, "label"))]
    BeyondTheLabels {
        /// Where it begins.
        from: usize,
        /// How many labels there are.
        there: usize,
    },
    /// A range of labels that is none.
    #[error("{from} to {to} is no range: labels count from 1, and the first number is not the greater one")]
    NoRange {
        /// Where it would begin.
        from: usize,
        /// Where it would end.
        to: usize,
    },
    /// An answer about a sheet that was not read.
    #[error("there is no sheet {number} among {}", count(*there as u64, "sheet"))]
    NoSheet {
        /// The number, counted from 1.
        number: usize,
        /// How many sheets there are.
        there: usize,
    },
    /// A column that the sheet does not have.
    #[error("{name}: there is no such column; there are {}", list(there, "and"))]
    NoColumn {
        /// What was named.
        name: String,
        /// The columns that there are.
        there: Vec<String>,
    },
}

/// What was given together does not belong together: a fault of the face. Nothing was sent, and what was staged is
/// outstanding.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Mismatch {
    /// A run of another session.
    #[error("run {run} was staged for {staged}, in a ledger of its own, and this session is another one's ({own})")]
    OtherSession {
        /// The run.
        run: i64,
        /// The service that it was staged for.
        staged: String,
        /// The session's own service.
        own: String,
    },
    /// A connection to another service than that of the orders.
    #[error("the connection leads to {connected}, and the orders are those of {own}")]
    OtherConnection {
        /// Where it leads.
        connected: String,
        /// The service of the orders.
        own: String,
    },
    /// No connection, and something to send.
    #[error("run {run} has {} to send, and there is no connection", count(*orders, "order"))]
    NoConnection {
        /// The run.
        run: i64,
        /// How many orders wait.
        orders: u64,
    },
}

/// A host that the token would go to, and that never had one from this user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewHost {
    /// Its origin.
    pub origin: String,
    /// Who named it.
    pub named_by: NamedBy,
}

fn cautions(open: &[Caution]) -> String {
    open.iter().map(caution).collect::<Vec<_>>().join("; ")
}

impl From<SheetError> for Error {
    fn from(error: SheetError) -> Self {
        Self::Stage(error.into())
    }
}

impl From<LockError> for Error {
    fn from(error: LockError) -> Self {
        Self::Ledger(error.into())
    }
}

impl Error {
    /// Cautions that nobody accepted. Of another address it has to be said first what it is.
    #[must_use]
    pub fn unaccepted(cautions: Vec<Caution>) -> Self {
        match Caution::elsewhere(&cautions).into_iter().next() {
            Some(elsewhere) => Self::Elsewhere(Box::new(elsewhere)),
            None => Self::Unaccepted(cautions),
        }
    }

    /// What failed with a file.
    pub(super) fn file(what: impl Into<String>) -> impl FnOnce(std::io::Error) -> Self {
        let what = what.into();
        move |source| Self::File { what, source }
    }

    /// Whether another process holds the ledger.
    #[must_use]
    pub const fn is_locked(&self) -> bool {
        matches!(self, Self::Ledger(LedgerError::Lock(LockError::Held { .. })))
    }
}

/// What holds an order that is not held by the rule that was named.
fn held_by(by: &[String], near: Option<&str>) -> String {
    match near {
        _ if !by.is_empty() => format!(", but by {}", list(by, "and")),
        Some(near) => format!(": no import recorded it as held; did you mean {near}?"),
        None => ": no import recorded it as held".to_owned(),
    }
}
