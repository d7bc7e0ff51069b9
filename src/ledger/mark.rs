//! The high-water mark: how far a ledger had come, noted outside its folder.
//!
//! A ledger that was restored from a backup, or replaced, looks sound and knows nothing of what was booked since: every
//! later order would be booked a second time. The marks in the user's state folder say what the ledger must know. One is
//! named after the ledger's path, so that another file there is noticed; one after the ledger's identity, so that a copy
//! elsewhere is. They are written after each commit and never before, so that they can lag behind the ledger but never
//! run ahead of it; and they are locked while a command writes to the ledger, so that two copies never book at a time.

use std::fs::{self, File, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::db::{Connection, OptionalExtension};
use super::error::LedgerError;
use super::place;
use crate::text::{hex, moment};

const FORM: &str = "shipsheet high-water mark 1";

/// A mark is never longer than this.
const BYTES_MAX: u64 = 16 * 1024;

/// Marks of a folder that are looked through at most for a ledger that has none of its own.
const LOOKED_THROUGH_MAX: usize = 10_000;

/// The marks of one ledger that are kept up to date.
#[derive(Debug)]
pub(super) struct Mark {
    /// Named after the path.
    here: File,
    /// Named after the identity.
    itself: File,
    path: String,
    noted: Noted,
    found: Found,
}

/// What the marks of a ledger said before this process wrote them.
#[derive(Debug, Clone, Default)]
pub(super) struct Found {
    /// Of whatever ledger was at its path.
    pub(super) here: Option<Noted>,
    /// Of the ledger, wherever it was.
    pub(super) itself: Option<Seen>,
}

/// What a mark says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Noted {
    /// Which ledger it is.
    ledger: String,
    /// The newest attempt.
    attempts: i64,
    /// The newest link of evidence, with its hash.
    evidence: i64,
    hash: String,
    /// The newest acceptance; of a mark that does not say it, more than there can be.
    acceptances: i64,
}

/// What a ledger lacks of what is noted.
enum Loss {
    Nothing,
    /// It was accepted at another station since, as these words say.
    Accepted(String),
    /// So many attempts at least; a smaller loss may have been accepted.
    Open {
        missing: i64,
        accepted: Option<String>,
    },
}

/// What is noted of a ledger by its identity, and where it was then, as far as that is known.
#[derive(Debug, Clone)]
pub(super) struct Seen {
    pub(super) noted: Noted,
    pub(super) path: Option<String>,
}

/// Why the marks cannot be kept.
#[derive(Debug)]
pub(super) enum MarkError {
    /// Another process books with this ledger, or with a copy of it.
    InUse,
    Io(io::Error),
}

impl From<io::Error> for MarkError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl Noted {
    /// The newest attempt.
    pub(super) const fn attempts(&self) -> i64 {
        self.attempts
    }

    /// Which ledger it is.
    pub(super) fn ledger(&self) -> &str {
        &self.ledger
    }

    /// What a ledger says of itself.
    pub(super) fn of(connection: &Connection) -> Result<Self, LedgerError> {
        let mut statement = connection.prepare_cached(
            "SELECT i.id, (SELECT coalesce(max(id), 0) FROM attempts), coalesce(e.n, 0), coalesce(e.hash, zeroblob(32)),
                (SELECT coalesce(max(id), 0) FROM decisions WHERE verb = 'accept-ledger')
             FROM identity i LEFT JOIN evidence e ON e.n = (SELECT max(n) FROM evidence)",
        )?;
        Ok(statement.query_row((), |row| {
            let hash: [u8; 32] = row.get(3)?;
            let (ledger, attempts, evidence) = (row.get(0)?, row.get(1)?, row.get(2)?);
            Ok(Self { ledger, attempts, evidence, hash: hex(&hash), acceptances: row.get(4)? })
        })?)
    }

    /// How many attempts a ledger lacks of what is noted here, at least; none where it lacks nothing.
    pub(super) fn lacking(&self, connection: &Connection) -> Result<Option<i64>, LedgerError> {
        let found = Self::of(connection)?;
        let missing = (self.attempts - found.attempts).max(1);
        if self.attempts > found.attempts || self.evidence > found.evidence {
            return Ok(Some(missing));
        }
        let hash = connection
            .query_row("SELECT hash FROM evidence WHERE n = ?1", [self.evidence], |row| row.get::<[u8; 32]>(0))
            .optional()?;
        // As long, but with another history: a copy went its own way from before the mark.
        let differs = self.evidence > 0 && hash.is_none_or(|hash| hex(&hash) != self.hash);
        Ok(differs.then_some(missing))
    }

    /// The word by which a loss was accepted since this was noted: how many attempts were known to whoever said it, and the
    /// word itself. Whoever has seen it knows no loss that it could speak of.
    fn accepted_since(&self, connection: &Connection) -> Result<Option<(i64, String)>, LedgerError> {
        let mut statement = connection.prepare_cached(
            "SELECT attempts_noted, at_ms, user, host, because FROM decisions WHERE verb = 'accept-ledger' AND id > ?1
             ORDER BY attempts_noted DESC, id DESC LIMIT 1",
        )?;
        let word = statement.query_row([self.acceptances], |row| {
            let (user, host, because): (String, String, String) = (row.get(2)?, row.get(3)?, row.get(4)?);
            let said = format!("accepted by {user} on {host}, {}: {because}", moment(row.get(1)?));
            Ok((row.get(0)?, said))
        });
        Ok(word.optional()?)
    }

    fn parse(text: &str) -> Option<Seen> {
        let value = |name: &str| {
            let found = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
            found.map(|text| text.trim().to_owned())
        };
        value("shipsheet").filter(|form| FORM.ends_with(form.as_str()))?;
        let noted = Self {
            ledger: value("ledger")?,
            attempts: value("attempts")?.parse().ok()?,
            evidence: value("evidence")?.parse().ok()?,
            hash: value("hash")?,
            acceptances: value("acceptances").and_then(|id| id.parse().ok()).unwrap_or(i64::MAX),
        };
        Some(Seen { noted, path: value("path").and_then(|path| serde_json::from_str(&path).ok()) })
    }

    /// As text of one length, so that a new one covers the old.
    fn text(&self) -> String {
        let Self { ledger, attempts, evidence, hash, acceptances } = self;
        format!(
            "{FORM}\nledger {ledger:>32}\nattempts {attempts:>20}\nevidence {evidence:>20}\nhash {hash:>64}\n\
             acceptances {acceptances:>20}\n"
        )
    }
}

fn file_of(folder: &Path, name: &[u8], ending: &str) -> PathBuf {
    let name = hex(&Sha256::digest(name).into());
    folder.join(format!("{}.{ending}", &name[..24]))
}

/// The mark that is named after a ledger's place.
fn path_of(folder: &Path, ledger: &Path) -> PathBuf {
    file_of(folder, ledger.as_os_str().as_encoded_bytes(), "mark")
}

/// The mark that is named after a ledger's identity, which is not trusted to be a file's name.
fn identity_of(folder: &Path, ledger: &str) -> PathBuf {
    file_of(folder, ledger.as_bytes(), "ledger")
}

/// A mark that cannot be read proves nothing.
fn read(path: &Path) -> Option<Seen> {
    parse(&mut place::open_own_to_read(path).ok()?)
}

fn parse(file: &mut File) -> Option<Seen> {
    let mut text = String::new();
    file.take(BYTES_MAX).read_to_string(&mut text).ok()?;
    Noted::parse(&text)
}

/// What was noted of the ledger at this place.
pub(super) fn noted(folder: &Path, ledger: &Path) -> Option<Noted> {
    Some(read(&path_of(folder, ledger))?.noted)
}

/// What was noted of the ledger with this identity, wherever it was.
fn seen(folder: &Path, identity: &str) -> Option<Seen> {
    read(&identity_of(folder, identity)).or_else(|| seen_by_path(folder, identity))
}

/// The same from the marks that are named after paths: versions before this one had no others.
fn seen_by_path(folder: &Path, identity: &str) -> Option<Seen> {
    let entries = fs::read_dir(folder).ok()?.flatten().take(LOOKED_THROUGH_MAX);
    let marks = entries.map(|entry| entry.path()).filter(|path| path.extension().is_some_and(|end| end == "mark"));
    marks.filter_map(|path| read(&path)).filter(|seen| seen.noted.ledger == identity).max_by_key(|seen| {
        let Noted { attempts, evidence, .. } = seen.noted;
        (attempts, evidence)
    })
}

/// Refuses a place where a ledger is expected and none is.
pub(super) fn refuse_missing(folder: &Path, ledger: &Path) -> Result<(), LedgerError> {
    let Some(Noted { attempts, ledger: identity, .. }) = noted(folder, ledger) else { return Ok(()) };
    if place::is_there(ledger) || attempts == 0 {
        return Ok(());
    }
    let here = ledger.to_string_lossy();
    let now_at = seen(folder, &identity).and_then(|seen| seen.path).filter(|path| *path != here);
    Err(LedgerError::Gone { path: ledger.to_owned(), attempts, now_at })
}

impl Found {
    /// Of a ledger whose marks cannot be taken.
    pub(super) fn read(folder: &Path, ledger: &Path, connection: &Connection) -> Result<Self, LedgerError> {
        let identity = Noted::of(connection)?.ledger;
        Ok(Self { here: noted(folder, ledger), itself: seen(folder, &identity) })
    }

    /// The most attempts that were noted.
    pub(super) fn attempts(&self) -> Option<i64> {
        let itself = self.itself.as_ref().map(|seen| seen.noted.attempts);
        self.here.as_ref().map(|noted| noted.attempts).max(itself)
    }

    /// What a ledger lacks of what is noted here. A database that was restored is accepted once for all its stations: those whose
    /// marks are of the time before, and know of no more attempts than were known where it was accepted.
    fn loss(&self, noted: &Noted, connection: &Connection) -> Result<Loss, LedgerError> {
        let Some(missing) = noted.lacking(connection)? else { return Ok(Loss::Nothing) };
        let is_of_station = || self.here.as_ref().is_some_and(|here| here.ledger == noted.ledger);
        let accepted =
            if connection.has_file() || !is_of_station() { None } else { noted.accepted_since(connection)? };
        Ok(match accepted {
            Some((attempts, by)) if attempts >= noted.attempts => Loss::Accepted(by),
            accepted => Loss::Open { missing, accepted: accepted.map(|(_, by)| by) },
        })
    }

    /// Refuses a ledger that is not the one that was noted at its place, or that knows less. Gives the word by which what it lacks
    /// was accepted.
    pub(super) fn refuse_older(&self, connection: &Connection, path: &Path) -> Result<Option<String>, LedgerError> {
        let Some(noted) = &self.here else { return Ok(None) };
        if Noted::of(connection)?.ledger != noted.ledger {
            // Another one may take the place of a ledger that never sent anything.
            return if noted.attempts > 0 { Err(LedgerError::Foreign { path: path.to_owned() }) } else { Ok(None) };
        }
        match self.loss(noted, connection)? {
            Loss::Nothing => Ok(None),
            Loss::Accepted(by) => Ok(Some(by)),
            Loss::Open { missing, accepted } => Err(LedgerError::Older { path: path.to_owned(), missing, accepted }),
        }
    }

    /// Refuses a ledger that knows less than was noted of it elsewhere.
    pub(super) fn refuse_behind(&self, connection: &Connection, path: &Path) -> Result<(), LedgerError> {
        let Some(seen) = &self.itself else { return Ok(()) };
        match self.loss(&seen.noted, connection)? {
            Loss::Nothing | Loss::Accepted(_) => Ok(()),
            Loss::Open { missing, .. } => Err(LedgerError::Behind {
                path: path.to_owned(),
                missing,
                at: seen.path.clone().unwrap_or_else(|| "another place".to_owned()),
            }),
        }
    }
}

impl Mark {
    /// Takes up the marks of a ledger for as long as this process writes to it: nobody moves them on between what is
    /// found here and [`Mark::write_of`].
    pub(super) fn take(folder: &Path, ledger: &Path, connection: &Connection) -> Result<Self, MarkError> {
        let noted = Noted::of(connection).map_err(|error| io::Error::other(error.to_string()))?;
        let mut here = locked(&path_of(folder, ledger))?;
        let mut itself = locked(&identity_of(folder, &noted.ledger))?;
        // By the handles that hold the locks: some systems let no other one read.
        let found = Found {
            here: parse(&mut here).map(|seen| seen.noted),
            itself: parse(&mut itself).or_else(|| seen_by_path(folder, &noted.ledger)),
        };
        Ok(Self { here, itself, path: ledger.to_string_lossy().into_owned(), noted, found })
    }

    /// What the marks said when they were taken.
    pub(super) const fn found(&self) -> &Found {
        &self.found
    }

    /// Notes how far the ledger is now. Should that fail, the older mark is still true.
    pub(super) fn raise(&mut self, connection: &Connection) {
        if let Ok(now) = Noted::of(connection)
            && now != self.noted
        {
            self.noted = now;
            let _ = self.write();
        }
    }

    /// Notes how far the ledger is now, and says where that fails.
    pub(super) fn write_of(&mut self, connection: &Connection) -> io::Result<()> {
        self.noted = Noted::of(connection).map_err(|error| io::Error::other(error.to_string()))?;
        self.write()
    }

    fn write(&mut self) -> io::Result<()> {
        let text = self.noted.text();
        let path = serde_json::to_string(&self.path)?;
        let both = [cover(&mut self.here, &text), cover(&mut self.itself, &format!("{text}path {path}\n"))];
        both.into_iter().collect()
    }
}

/// Writes over what a mark said; what is left of a longer one goes last.
fn cover(file: &mut File, text: &str) -> io::Result<()> {
    file.seek(SeekFrom::Start(0))?;
    file.write_all(text.as_bytes())?;
    if file.metadata()?.len() > text.len() as u64 { file.set_len(text.len() as u64) } else { Ok(()) }
}

fn locked(path: &Path) -> Result<File, MarkError> {
    let file = place::open_own(path)?;
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Err(MarkError::InUse),
        // Where the file system has no locks, the ledger's own are left.
        Ok(()) | Err(TryLockError::Error(_)) => Ok(file),
    }
}

impl Drop for Mark {
    fn drop(&mut self) {
        // A child that is just being started may still share the open files: closing alone would not let go.
        let _ = (self.here.unlock(), self.itself.unlock());
    }
}
