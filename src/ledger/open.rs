//! Opening a ledger: file, rights, settings.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use jiff::Timestamp;

use super::db::{self, Connection, Transaction};
use super::deadline::Deadline;
use super::error::LedgerError;
use super::home::{self, Home, Noting, Standing};
use super::lock::RunLock;
use super::mark::{self, Found, Mark, MarkError, Noted};
use super::record::OrderId;
use super::site::Site;
use super::spool::Spool;
use super::sqlite::{self, layout, sealed};
use super::{desk, network, place};

/// Bytes of a ledger that is looked through before every booking; a larger one only after a run that did not end.
const CHECKED_BYTES_MAX: u64 = 64 * 1024 * 1024;

/// The database that knows every order, attempt and answer.
#[derive(Debug)]
pub struct Ledger {
    pub(super) connection: Connection,
    /// Where answers go that the database does not take; only writers have it.
    pub(super) spool: Option<Spool>,
    pub(super) mark: Option<Mark>,
    /// What this station is to the others, where the ledger is on a server.
    #[cfg(feature = "postgres")]
    pub(super) session: Option<super::postgres::Session>,
    /// Orders that this process is sending, with the number of the attempt.
    pub(super) under_way: HashMap<OrderId, u32>,
    /// Why no mark is kept although one should be, in words.
    unmarked: Option<String>,
    /// The word by which what it lacks was accepted at another station.
    pub(super) accepted: Option<String>,
    /// The last field, so that it is released when the connection is closed already.
    _lock: Option<RunLock>,
}

/// How a ledger is watched over from outside.
#[derive(Debug, Clone)]
pub struct Watch {
    /// A folder of the user's for high-water marks, where there is one; not the ledger's own, which a backup would
    /// bring back with it.
    pub marks: Option<PathBuf>,
    /// Whether it may lie on a network file system or in a synchronised folder.
    pub allow_network: bool,
    /// The user's name.
    pub user: String,
    /// This machine's name.
    pub host: String,
}

impl Watch {
    /// Who notes something now.
    pub(super) fn noting(&self) -> Noting<'_> {
        Noting { user: &self.user, host: &self.host, at_ms: Timestamp::now().as_millisecond() }
    }
}

impl Ledger {
    /// Opens a ledger for writing, and makes it, for its owner alone, where there is none.
    ///
    /// Without a lock, for what only adds beside a run and for what no one else can know of; whoever books or decides
    /// takes [`Ledger::open_locked`] or [`Ledger::open_watched`].
    pub fn open(path: &Path) -> Result<Self, LedgerError> {
        let ledger = Self::open_file(path)?;
        home::refuse_moved(&ledger.connection, path)?;
        Ok(ledger)
    }

    /// The same wherever the ledger is. On a server nothing can be sent so.
    pub fn open_at(site: &Site) -> Result<Self, LedgerError> {
        match site {
            Site::File(path) => Self::open(path),
            #[cfg(feature = "postgres")]
            Site::Server { address, beside } => Self::open_server(address, beside),
        }
    }

    /// Opens the ledger that is locked for writing, and keeps the lock for as long as it is open. On a server `watch` says
    /// who this station is.
    pub fn open_locked(lock: RunLock, watch: &Watch) -> Result<Self, LedgerError> {
        #[cfg(feature = "postgres")]
        if let Some(address) = lock.server() {
            return Ok(Self::open_station(address, lock.ledger(), watch)?.holding(lock));
        }
        let _ = watch;
        Ok(Self::open(lock.ledger())?.holding(lock))
    }

    /// Keeps the lock for as long as the ledger is open.
    pub(super) fn holding(self, lock: RunLock) -> Self {
        Self { _lock: Some(lock), ..self }
    }

    /// The same, also where the ledger was moved away from this file.
    pub(super) fn open_file(path: &Path) -> Result<Self, LedgerError> {
        let unmakeable = |source| LedgerError::Unmakeable { path: path.to_owned(), source };
        let path = &place::resolve(path).map_err(unmakeable)?;
        network::refuse_mounted(path)?;
        place::refuse_planted(path)?;
        place::create_private(path).map_err(unmakeable)?;
        place::refuse_hard_links(path)?;
        let mut connection = sqlite::connect(path)?;
        let found = layout::of(&connection, path)?;
        layout::refuse_outdated(&connection, found, path)?;
        if place::is_wide(path) {
            // Only now it is known that the file is ours; its handles may not be closed beside a connection.
            drop(connection);
            place::narrow(path).map_err(unmakeable)?;
            connection = sqlite::connect(path)?;
        }
        sqlite::prepare_to_write(&connection)?;
        layout::make(&mut connection, path)?;
        let spool = Spool::open(path, identity_of(&connection)?).map_err(|error| LedgerError::of_spool(&error))?;
        Ok(Self { spool: Some(spool), ..Self::of(connection) })
    }

    /// What tells this ledger from every other one, wherever its file lies.
    pub fn identity(&self) -> Result<String, LedgerError> {
        Ok(identity_of(&self.connection)?)
    }

    /// Until when orders may leave; none where nobody can take the ledger over.
    #[cfg(feature = "postgres")]
    #[must_use]
    pub fn deadline(&self) -> Option<Deadline> {
        self.session.as_ref().map(super::postgres::Session::deadline)
    }

    /// Until when orders may leave: nobody can take a file over.
    #[cfg(not(feature = "postgres"))]
    #[must_use]
    pub const fn deadline(&self) -> Option<Deadline> {
        None
    }

    pub(super) fn of(connection: Connection) -> Self {
        Self {
            connection,
            spool: None,
            mark: None,
            #[cfg(feature = "postgres")]
            session: None,
            under_way: HashMap::new(),
            unmarked: None,
            accepted: None,
            _lock: None,
        }
    }

    /// Refuses a place where no ledger is to be booked with: one that is not safe, and one where a ledger is missing.
    /// To be asked before its lock is taken, which would make a file there.
    pub fn refuse_site(site: &Site, watch: &Watch) -> Result<(), LedgerError> {
        match site {
            Site::File(path) => Self::refuse_place(path, watch),
            // The answers that the server cannot take are kept there.
            #[cfg(feature = "postgres")]
            Site::Server { beside, .. } if !watch.allow_network => network::refuse(beside),
            #[cfg(feature = "postgres")]
            Site::Server { .. } => Ok(()),
        }
    }

    /// Refuses a database that holds a ledger already.
    pub fn refuse_used(site: &Site) -> Result<(), LedgerError> {
        match site {
            #[cfg(feature = "postgres")]
            Site::Server { address, .. } => super::postgres::refuse_used(address),
            Site::File(path) => {
                Err(LedgerError::NoPlace { path: path.clone(), reason: "it is no database of a server" })
            }
        }
    }

    /// The same for a file.
    pub fn refuse_place(path: &Path, watch: &Watch) -> Result<(), LedgerError> {
        let path = &place::resolve(path).map_err(|source| LedgerError::Unmakeable { path: path.to_owned(), source })?;
        network::refuse_mounted(path)?;
        if !watch.allow_network {
            network::refuse(path)?;
        }
        watch.marks.as_ref().map_or(Ok(()), |marks| mark::refuse_missing(marks, path))
    }

    /// Opens the ledger that is locked for booking: refuses a place that is not safe, a ledger that is gone, a copy, one
    /// that is older than it was, another one, or a damaged one. From here on its high-water mark is kept.
    pub fn open_watched(lock: RunLock, watch: &Watch) -> Result<Self, LedgerError> {
        let path = lock.ledger().to_owned();
        desk::refuse_before(&path)?;
        #[cfg(feature = "postgres")]
        if let Some(address) = lock.server() {
            return Ok(Self::open_station_watched(address, &path, watch)?.holding(lock));
        }
        Self::refuse_place(&path, watch)?;
        let mut ledger = Self::open_locked(lock, watch)?;
        let here = Self::home_at(&path, watch)?;
        let found = ledger.take_mark(&path, watch)?;
        ledger.refuse_unfit(&path, &here, &found)?;
        ledger.look_through(&path)?;
        let is_new_here = ledger.standing(&here)? == Standing::ToBeNoted;
        if is_new_here {
            here.note(&ledger.connection, watch.noting(), None, None)?;
        }
        // As long as nothing was sent: an earlier command may have ended between the note and this.
        if is_new_here || Noted::of(&ledger.connection)?.attempts() == 0 {
            sqlite::write_back(&ledger.connection)?;
        }
        ledger.keep_marks();
        Ok(ledger)
    }

    /// Notes how far the ledger is, and why that cannot be.
    pub(super) fn keep_marks(&mut self) {
        if let Err(why) = self.write_mark() {
            self.unmarked = Some(why);
        }
    }

    pub(super) fn home_at(path: &Path, watch: &Watch) -> Result<Home, LedgerError> {
        Home::of(path, &watch.host).map_err(|error| LedgerError::Io(error.to_string()))
    }

    pub(super) fn standing(&self, here: &Home) -> Result<Standing, LedgerError> {
        Ok(here.standing(Home::newest(&self.connection)?))
    }

    /// Refuses a ledger that a person would have to accept first. Gives the word by which what it lacks was accepted at another
    /// station.
    pub(super) fn refuse_unfit(&self, path: &Path, here: &Home, found: &Found) -> Result<Option<String>, LedgerError> {
        let accepted = found.refuse_older(&self.connection, path)?;
        found.refuse_behind(&self.connection, path)?;
        match self.standing(here)? {
            Standing::CopyOf(_) if !self.connection.has_file() => Err(LedgerError::Replaced { path: path.to_owned() }),
            Standing::CopyOf(home) => Err(LedgerError::Copy { path: path.to_owned(), of: home.path, host: home.host }),
            Standing::AtHome | Standing::ToBeNoted => Ok(accepted),
        }
    }

    /// Whether this station could book with the ledger, which is open to be read. Gives the word by which what it lacks was
    /// accepted at another station.
    ///
    /// # Errors
    /// It would be refused.
    pub fn refuse_to_book(&self, site: &Site, watch: &Watch) -> Result<Option<String>, LedgerError> {
        let io = |error: std::io::Error| LedgerError::Io(error.to_string());
        let (path, here) = match site {
            Site::File(path) => {
                let path = place::resolve(path).map_err(io)?;
                let here = Self::home_at(&path, watch)?;
                (path, here)
            }
            #[cfg(feature = "postgres")]
            Site::Server { beside, .. } => (place::resolve(beside).map_err(io)?, Home::of_database(&self.connection)?),
        };
        let found = match &watch.marks {
            Some(marks) => Found::read(marks, &path, &self.connection)?,
            None => Found::default(),
        };
        self.refuse_unfit(Path::new(&site.named()), &here, &found)
    }

    /// Takes up the marks, as far as that is possible; what they say.
    pub(super) fn take_mark(&mut self, path: &Path, watch: &Watch) -> Result<Found, LedgerError> {
        let Some(marks) = &watch.marks else {
            self.unmarked = Some("this machine tells no home folder".to_owned());
            return Ok(Found::default());
        };
        match Mark::take(marks, path, &self.connection) {
            Ok(mark) => Ok(self.mark.insert(mark).found().clone()),
            Err(MarkError::InUse) => Err(LedgerError::InUseElsewhere { path: path.to_owned() }),
            Err(MarkError::Io(error)) => {
                self.unmarked = Some(format!("{} cannot be written: {error}", marks.display()));
                Found::read(marks, path, &self.connection)
            }
        }
    }

    /// Notes how far the ledger is in the marks that were taken; why that failed, in words.
    pub(super) fn write_mark(&mut self) -> Result<(), String> {
        let Some(mark) = &mut self.mark else { return self.unmarked.clone().map_or(Ok(()), Err) };
        mark.write_of(&self.connection).map_err(|error| error.to_string())
    }

    /// Why no high-water mark of this ledger can be kept, although it is open for booking.
    #[must_use]
    pub fn unmarked(&self) -> Option<&str> {
        self.unmarked.as_deref()
    }

    /// By which word at another station this one books with a ledger that lacks what it knew.
    #[must_use]
    pub fn accepted(&self) -> Option<&str> {
        self.accepted.as_deref()
    }

    /// Notes outside how far the ledger is.
    pub(super) fn raise_mark(&mut self) {
        if let Some(mark) = &mut self.mark {
            mark.raise(&self.connection);
        }
    }

    fn look_through(&self, path: &Path) -> Result<(), LedgerError> {
        let ended: bool = self.connection.query_row(
            "SELECT NOT EXISTS (SELECT 1 FROM runs WHERE id = (SELECT max(id) FROM runs) AND finished_ms IS NULL)",
            (),
            |row| row.get(0),
        )?;
        let large = std::fs::metadata(path).is_ok_and(|metadata| metadata.len() > CHECKED_BYTES_MAX);
        if large && ended {
            return Ok(());
        }
        sqlite::look_through(&self.connection)
    }

    /// Opens a ledger for reading, wherever it is.
    pub fn read_at(site: &Site) -> Result<Self, LedgerError> {
        match site {
            Site::File(path) => Self::open_read_only(path),
            #[cfg(feature = "postgres")]
            Site::Server { address, .. } => Self::read_server(address),
        }
    }

    /// Opens a ledger for reading, also while a run writes to it.
    pub fn open_read_only(path: &Path) -> Result<Self, LedgerError> {
        let (path, connection, found) = Self::recognised(path)?;
        layout::refuse_outdated(&connection, found, &path)?;
        sqlite::hold_back(&connection)?;
        home::refuse_moved(&connection, &path)?;
        Ok(Self::of(connection))
    }

    /// A connection to the ledger of a file, whatever its layout is: with its real place and its layout. Nothing is changed.
    pub(super) fn recognised(path: &Path) -> Result<(PathBuf, Connection, i64), LedgerError> {
        if !path.exists() {
            return Err(LedgerError::Missing(path.to_owned()));
        }
        let path = &place::resolve(path).map_err(|source| LedgerError::Unmakeable { path: path.to_owned(), source })?;
        // Without the log of whoever writes, a reader would see half of what is there.
        network::refuse_mounted(path)?;
        place::refuse_planted_database(path)?;
        place::refuse_hard_links(path)?;
        let recognised = |connection: Connection| layout::of(&connection, path).map(|found| (connection, found));
        let (connection, found) = match sqlite::connect(path).map_err(LedgerError::from).and_then(recognised) {
            Err(LedgerError::Io(_) | LedgerError::ReadOnly) if sealed::is_sealed(path) => {
                sealed::connect(path).and_then(recognised)?
            }
            opened => opened?,
        };
        if found == 0 { Err(LedgerError::Missing(path.to_owned())) } else { Ok((path.to_owned(), connection, found)) }
    }

    /// Lets a write wait no longer than this for another program's.
    pub fn wait_at_most(&self, time: Duration) -> Result<(), LedgerError> {
        if self.connection.has_file() {
            return Ok(sqlite::wait_at_most(&self.connection, time)?);
        }
        Ok(self.connection.execute_batch(&format!("SET lock_timeout = '{}ms'", time.as_millis().max(1)))?)
    }

    /// A transaction that takes the write lock at once, so that it cannot fail for it half-way.
    pub(super) fn begin(&mut self) -> Result<Transaction<'_>, LedgerError> {
        Ok(self.connection.begin()?)
    }
}

fn identity_of(connection: &Connection) -> db::Result<String> {
    connection.query_row("SELECT id FROM identity", (), |row| row.get(0))
}
