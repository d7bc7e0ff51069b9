//! What can go wrong with a ledger, and what to do about it.

use std::io::ErrorKind;
use std::path::PathBuf;

use super::db::{self, Failure};
use super::lock::LockError;
use super::state::State;

/// Why the ledger did not do what was asked; nothing was half done.
#[derive(Debug, thiserror::Error)]
pub enum LedgerError {
    /// No ledger is there yet.
    #[error("there is no ledger at {}", .0.display())]
    Missing(PathBuf),
    /// The file or its folder cannot be made.
    #[error("cannot make the ledger {}: {source}", path.display())]
    Unmakeable {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// There is a file, or a folder, where a new one was to be.
    #[error("{} is there already: name another one", .0.display())]
    Taken(PathBuf),
    /// The file is something else.
    #[error("{} is not a ledger of shipsheet", .0.display())]
    NotALedger(PathBuf),
    /// A later version made it.
    #[error("the ledger {} was made by a newer shipsheet (layout {found}, this one knows {known}): use the newer program", path.display())]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its layout.
        found: i64,
        /// The newest layout that this program knows.
        known: i64,
    },
    /// The file has several names: two runs could meet in it unseen.
    #[error(
        "the ledger {0} has {names} names (hard links), so two runs could meet in it unseen: remove the other names, which \
         `find FOLDER -samefile {0}` lists",
        path.display()
    )]
    HardLinked {
        /// The file.
        path: PathBuf,
        /// How many names it has.
        names: u64,
    },
    /// A ledger was here and is no more.
    #[error(
        "the ledger {} is gone: it knew {attempts} attempts, and without it these orders would be booked again. {}",
        path.display(),
        where_it_is(now_at.as_deref())
    )]
    Gone {
        /// The file.
        path: PathBuf,
        /// Attempts that were noted.
        attempts: i64,
        /// Where the same ledger was used last, if that was elsewhere.
        now_at: Option<String>,
    },
    /// It is a copy, and the ledger itself lives elsewhere.
    #[error(
        "the ledger {} is a copy: the ledger itself is {of} on {host}",
        path.display()
    )]
    Copy {
        /// The file.
        path: PathBuf,
        /// Where the ledger itself is.
        of: String,
        /// On which machine.
        host: String,
    },
    /// The same ledger was used elsewhere since, and knows more there.
    #[error(
        "the ledger {} lacks at least {missing} of the attempts that were made with it at {at}",
        path.display()
    )]
    Behind {
        /// The file.
        path: PathBuf,
        /// Attempts that it lacks, at least.
        missing: i64,
        /// Where the ledger knew more.
        at: String,
    },
    /// What a person calls an invalid order is none.
    #[error("order {order} cannot be dismissed: {stands}")]
    NotInvalid {
        /// The order number.
        order: String,
        /// Where it stands, for people.
        stands: String,
    },
    /// Its request was removed with what is personal.
    #[error("order {order} cannot be sent again: its request was purged. Import it under a new number")]
    Emptied {
        /// The order number.
        order: String,
    },
    /// It was moved away from this file.
    #[error("the ledger {} was moved to {to}", path.display())]
    Moved {
        /// The file.
        path: PathBuf,
        /// Where it went.
        to: String,
    },
    /// Another process books with it, or with a copy of it.
    #[error("the ledger {}, or a copy of it, is in use by another shipsheet: wait until it is done", path.display())]
    InUseElsewhere {
        /// The file.
        path: PathBuf,
    },
    /// Only its file is mounted.
    #[error(
        "the ledger {} is mounted by itself, so its lock and its log lie in another folder for everybody else: mount the \
         folder that holds it",
        path.display()
    )]
    Mounted {
        /// The file.
        path: PathBuf,
    },
    /// Something stands where a file of the ledger's own should be.
    #[error("{} cannot be used beside the ledger: {reason}", path.display())]
    NotOurs {
        /// The file.
        path: PathBuf,
        /// What it is.
        reason: String,
    },
    /// There is something already where a ledger was to go.
    #[error("the ledger cannot go to {}: {reason}", path.display())]
    NoPlace {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: &'static str,
    },
    /// What a person accepted cannot be noted outside the ledger.
    #[error("the ledger's high-water mark cannot be written ({0}): make the state folder writable, and accept again")]
    Unmarkable(String),
    /// The lock was not had.
    #[error(transparent)]
    Lock(#[from] LockError),
    /// It is older than it was, most likely restored from a backup.
    #[error(
        "the ledger {} is older than it was: it lacks at least {missing} of the attempts that were made. Orders that \
         were booked since would be booked again{}",
        path.display(),
        less_was(accepted.as_deref())
    )]
    Older {
        /// The file.
        path: PathBuf,
        /// Attempts that it lacks, at least.
        missing: i64,
        /// The word by which a smaller loss was accepted, in a database that several stations share.
        accepted: Option<String>,
    },
    /// Sheets or statements that were open in an earlier version lie beside it.
    #[error("what was open at the desk of an earlier version lies in {}, and may keep orders back", folder.display())]
    OpenBefore {
        /// Where.
        folder: PathBuf,
    },
    /// It is another ledger than the one that was here.
    #[error(
        "the ledger {} is not the one that was here before",
        path.display()
    )]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// A place where a ledger is not safe.
    #[error(
        "the ledger {} is not safe there: {reason}",
        path.display()
    )]
    UnsafePlace {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// An earlier version made it, and only a person has it upgraded.
    #[error(
        "the ledger {} was made by an older shipsheet (layout {found}, this one writes {known}): nothing was changed",
        path.display()
    )]
    Outdated {
        /// The file.
        path: PathBuf,
        /// Its layout.
        found: i64,
        /// The layout of this program.
        known: i64,
    },
    /// A version before the first release made it, which this one knows no more.
    #[error(
        "the ledger {} was made by a shipsheet that is too old (layout {found}, this one upgrades from {oldest} on): nothing was changed",
        path.display()
    )]
    TooOld {
        /// The file.
        path: PathBuf,
        /// Its layout.
        found: i64,
        /// The oldest layout that can be upgraded.
        oldest: i64,
    },
    /// Something is wrong in a ledger that was to be upgraded.
    #[error("the ledger {} is not sound ({faults}), so it was not upgraded: nothing was changed", path.display())]
    Unsound {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        faults: String,
    },
    /// Another process holds it.
    #[error("the ledger is busy: another program is writing to it; try again when it is done")]
    Busy,
    /// No room.
    #[error("the disk is full: make room, then resume")]
    DiskFull,
    /// A mistake of the program's own; what was begun is taken back.
    #[error("writing it failed in a way that was not foreseen: please report this")]
    Panicked,
    /// Nothing can be written beside it, and a part of it is in its log.
    #[error(
        "the ledger {} cannot be read where nothing can be written, because its newest entries are in {}-wal: copy both \
         files to a folder of your own, and use them there",
        .0.display(), .0.display()
    )]
    Sealed(PathBuf),
    /// A database into which a ledger is moving that still is where it was.
    #[error("a move into the database {} did not come to its end", path.display())]
    Arriving {
        /// The database.
        path: PathBuf,
    },
    /// A copy that is not what it was copied from.
    #[error(
        "the copy of the ledger differs from it (table {table}, row {row}): nothing was changed; please report this"
    )]
    NotTheSame {
        /// The table.
        table: String,
        /// What the row is known by.
        row: String,
    },
    /// No right to write.
    #[error("the ledger cannot be written: the file or its folder is read-only")]
    ReadOnly,
    /// The file is damaged.
    #[error(
        "the ledger is damaged ({0}): restore it from a backup and look up in the courier's portal what was booked since"
    )]
    Damaged(String),
    /// An order is not where it would have to be.
    #[error("order {order} is {state}, so it cannot be {wanted}")]
    Illegal {
        /// The order number.
        order: String,
        /// Where it is.
        state: String,
        /// What was asked for.
        wanted: &'static str,
    },
    /// A courier's statement that is not here, or was forgotten.
    #[error("this list is no longer here")]
    NoStatement,
    /// A word on an order that was sent again or settled since a person looked at it.
    #[error("order {order} was sent again or settled since you looked at it: it is {} now", state.as_str().replace('_', " "))]
    NotAsSeen {
        /// The order number.
        order: String,
        /// Where it is.
        state: State,
    },
    /// An AWB for an order that was never sent: a shipment of it is none of ours.
    #[error("order {order} was never sent from here, so it has no AWB: give it up if the courier has it all the same")]
    NeverSent {
        /// The order number.
        order: String,
    },
    /// An AWB that came from the service, or with which something was done.
    #[error(
        "the AWB of order {order} stays: only one that a person gave is corrected, before it is cancelled or tracked"
    )]
    AwbStays {
        /// The order number.
        order: String,
    },
    /// No such order.
    #[error("no order {order} of {service} in this ledger")]
    UnknownOrder {
        /// The order number.
        order: String,
        /// The service.
        service: String,
    },
    /// Another order has the AWB.
    #[error("AWB {awb} belongs to order {other} already: look again in the courier's portal")]
    AwbTaken {
        /// The AWB.
        awb: String,
        /// The order that has it.
        other: String,
    },
    /// Two addresses are the same by way of a third.
    #[error(
        "{one} and {other} are the same service by way of {by_way_of}: say first which of the two {by_way_of} is different from"
    )]
    SameByWayOf {
        /// One address.
        one: String,
        /// The other one.
        other: String,
        /// What joins them.
        by_way_of: String,
    },
    /// The ledger could not take answers; they are kept beside it.
    #[error("{cause}; {answers} answers that came back are kept in {} and taken up at the next start", spool.display())]
    Spooled {
        /// Why the ledger could not take them.
        cause: Box<LedgerError>,
        /// How many.
        answers: u64,
        /// Where they are.
        spool: PathBuf,
    },
    /// The disk or the file system failed.
    #[error(
        "the ledger could not be written or read ({0}): look after the disk (is it full, read-only or broken?), then resume"
    )]
    Io(String),
    /// The server of its database is not there, or broke off.
    #[error(
        "the ledger's database server cannot be reached ({0}): see that it runs and can be reached from here, then resume"
    )]
    Away(String),
    /// The server of its database lets nobody in.
    #[error("the ledger's database server does not let us in ({0}): look after user, password and certificate")]
    Denied(String),
    /// The server asks for a password.
    #[error("the ledger's database server asks for the password of the login {0}, and none is known")]
    NoPassword(String),
    /// The login lacks a right.
    #[error("a right is missing in the ledger's database: {0}")]
    Forbidden(String),
    /// The login is not the owner, who alone makes and changes tables.
    #[error("the tables of the ledger must be made or brought up to date, which only the database's owner may: {0}")]
    NotOwner(String),
    /// The server, or the database, only reads.
    #[error("the ledger's database takes no writes ({0}): it is a standby, or it was set to read only")]
    Standby(String),
    /// The database is another one than the one that it was used in last.
    #[error(
        "the database of the ledger {} is not the one that it was in: it was restored or copied, or another server took over. \
         Orders that were booked since may be missing in it",
        path.display()
    )]
    Replaced {
        /// Where it is.
        path: PathBuf,
    },
    /// This station's session is over.
    #[error(
        "this station was not heard for longer than its lease, so nothing more is sent here: see that this machine stays awake and \
         reaches its database, then resume"
    )]
    Fenced,
    /// A station that began to send it may still do so.
    #[error(
        "order {order} cannot be called not booked yet: station {station} on {host} began to send it and was not heard since, so it \
         may still send it"
    )]
    Unheard {
        /// The order number.
        order: String,
        /// The station.
        station: i64,
        /// Its machine.
        host: String,
    },
    /// No such station.
    #[error("no station {number} is open in this ledger, or left anything")]
    NoStation {
        /// What was named.
        number: i64,
    },
    /// A station that works is not switched off.
    #[error("station {number} on {host} works just now: end it there first")]
    StationWorks {
        /// Its number.
        number: i64,
        /// Its machine.
        host: String,
    },
    /// A ledger that lies in a database has no such thing.
    #[error("a ledger on a database server cannot be {0}")]
    NotOnServer(&'static str),
    /// A guard in the database: a fault of the program.
    #[error(
        "the ledger's guards refused a change ({0}): nothing was written; this is a fault of the program, please report it"
    )]
    Guard(String),
    /// Anything else that the database has to say.
    #[error("the ledger failed: {0}")]
    Sqlite(String),
}

/// What to do about a ledger that is gone. A backup is no way out: it would book what was booked since.
fn where_it_is(now_at: Option<&str>) -> String {
    match now_at {
        Some(path) => format!("It was last used at {path}"),
        None => "Put this very file back, not a backup".to_owned(),
    }
}

/// What was said of an older ledger where fewer of its attempts were known.
fn less_was(accepted: Option<&str>) -> String {
    accepted.map(|by| format!(". This station knew more of them than the one where it was {by}")).unwrap_or_default()
}

impl From<db::Error> for LedgerError {
    fn from(error: db::Error) -> Self {
        match error.failure() {
            Some(Failure::Busy) => Self::Busy,
            Some(Failure::Full) => Self::DiskFull,
            Some(Failure::ReadOnly) => Self::ReadOnly,
            Some(Failure::Damaged | Failure::NotADatabase) => Self::Damaged(error.to_string()),
            Some(Failure::Io) => Self::Io(error.to_string()),
            #[cfg(feature = "postgres")]
            Some(Failure::Away) => Self::Away(error.to_string()),
            #[cfg(feature = "postgres")]
            Some(Failure::Denied) => Self::Denied(error.to_string()),
            #[cfg(feature = "postgres")]
            Some(Failure::NoPassword) => Self::NoPassword(error.to_string()),
            #[cfg(feature = "postgres")]
            Some(Failure::Forbidden) => Self::Forbidden(error.to_string()),
            #[cfg(feature = "postgres")]
            Some(Failure::Standby) => Self::Standby(error.to_string()),
            Some(Failure::Guard) => Self::Guard(error.to_string()),
            Some(Failure::Other) | None => Self::Sqlite(error.to_string()),
        }
    }
}

impl LedgerError {
    /// What kept the spool from being made.
    pub(super) fn of_spool(error: &std::io::Error) -> Self {
        match error.kind() {
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge => Self::DiskFull,
            ErrorKind::ReadOnlyFilesystem | ErrorKind::PermissionDenied => Self::ReadOnly,
            _ => Self::Io(error.to_string()),
        }
    }
}
