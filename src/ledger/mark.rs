//! The high-water mark: how far a ledger had come, noted outside its folder.
//!
//! A ledger that was restored from a backup, or replaced, looks sound and knows nothing of what was booked since: every
//! later order would be booked a second time. The mark in the user's state folder says what the ledger must know. It is
//! written after each commit and never before, so that it can lag behind the ledger but never run ahead of it.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use rusqlite::{Connection, OptionalExtension};
use sha2::{Digest, Sha256};

use super::chain::{Chain, hex};
use super::error::LedgerError;
use super::place;

const FORM: &str = "shipsheet high-water mark 1";

/// A mark that is kept up to date.
#[derive(Debug)]
pub(super) struct Mark {
    file: File,
    noted: Noted,
}

/// What the mark says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Noted {
    /// Which ledger it is.
    ledger: String,
    /// The newest attempt.
    attempts: i64,
    /// The newest link of evidence, with its hash.
    evidence: i64,
    hash: String,
}

impl Noted {
    /// The newest attempt.
    pub(super) const fn attempts(&self) -> i64 {
        self.attempts
    }

    /// What a ledger says of itself.
    fn of(connection: &Connection) -> Result<Self, LedgerError> {
        let Chain { n, hash } = Chain::read(connection)?;
        let ledger = connection.prepare_cached("SELECT id FROM identity")?.query_row([], |row| row.get(0))?;
        let attempts =
            connection.prepare_cached("SELECT coalesce(max(id), 0) FROM attempts")?.query_row([], |row| row.get(0))?;
        Ok(Self { ledger, attempts, evidence: n, hash: hex(&hash) })
    }

    fn parse(text: &str) -> Option<Self> {
        let mut lines = text.lines();
        let mut value =
            |name: &str| lines.next()?.strip_prefix(name)?.strip_prefix(' ').map(|text| text.trim().to_owned());
        value("shipsheet").filter(|form| FORM.ends_with(form.as_str()))?;
        Some(Self {
            ledger: value("ledger")?,
            attempts: value("attempts")?.parse().ok()?,
            evidence: value("evidence")?.parse().ok()?,
            hash: value("hash")?,
        })
    }

    /// As text of one length, so that a new one covers the old.
    fn text(&self) -> String {
        let Self { ledger, attempts, evidence, hash } = self;
        format!("{FORM}\nledger {ledger:>32}\nattempts {attempts:>20}\nevidence {evidence:>20}\nhash {hash:>64}\n")
    }
}

/// Where the mark of a ledger stands: named after the ledger's place, so that another file there is noticed.
fn path_of(folder: &Path, ledger: &Path) -> PathBuf {
    let name = hex(&Sha256::digest(ledger.as_os_str().as_encoded_bytes()).into());
    folder.join(format!("{}.mark", &name[..24]))
}

/// What was noted of the ledger at this place. A mark that cannot be read proves nothing.
pub(super) fn noted(folder: &Path, ledger: &Path) -> Option<Noted> {
    Noted::parse(&fs::read_to_string(path_of(folder, ledger)).ok()?)
}

/// Refuses a place where a ledger is expected and none is.
pub(super) fn refuse_missing(noted: Option<&Noted>, ledger: &Path) -> Result<(), LedgerError> {
    let there = fs::metadata(ledger).is_ok_and(|metadata| metadata.len() > 0);
    match noted {
        Some(noted) if !there && noted.attempts > 0 => {
            Err(LedgerError::Gone { path: ledger.to_owned(), attempts: noted.attempts })
        }
        _ => Ok(()),
    }
}

/// Refuses a ledger that is not the one that was noted, or that knows less.
pub(super) fn refuse_older(noted: Option<&Noted>, connection: &Connection, path: &Path) -> Result<(), LedgerError> {
    let Some(noted) = noted.filter(|noted| noted.attempts > 0) else { return Ok(()) };
    let found = Noted::of(connection)?;
    if found.ledger != noted.ledger {
        return Err(LedgerError::Foreign { path: path.to_owned() });
    }
    let missing = noted.attempts - found.attempts;
    let older = || LedgerError::Older { path: path.to_owned(), missing: missing.max(1) };
    if missing > 0 || noted.evidence > found.evidence {
        return Err(older());
    }
    let hash = connection
        .query_row("SELECT hash FROM evidence WHERE n = ?1", [noted.evidence], |row| row.get::<_, [u8; 32]>(0))
        .optional()?;
    // As long, but with another history: a copy went its own way from before the mark.
    if noted.evidence > 0 && hash.is_none_or(|hash| hex(&hash) != noted.hash) { Err(older()) } else { Ok(()) }
}

impl Mark {
    /// Takes up the mark of a ledger that was found good.
    pub(super) fn open(folder: &Path, ledger: &Path, connection: &Connection) -> Result<Self, LedgerError> {
        let path = path_of(folder, ledger);
        let unmakeable = |source| LedgerError::Unmakeable { path: path.clone(), source };
        place::create_private(&path).map_err(unmakeable)?;
        let file = OpenOptions::new().write(true).open(&path).map_err(unmakeable)?;
        let mut mark = Self { file, noted: Noted::of(connection)? };
        mark.write().map_err(unmakeable)?;
        Ok(mark)
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

    fn write(&mut self) -> io::Result<()> {
        self.file.seek(SeekFrom::Start(0))?;
        self.file.write_all(self.noted.text().as_bytes())
    }
}
