//! Where a ledger lives: noted in the ledger itself, so that a copy knows that it is one.
//!
//! A ledger is at home where its file is the one that was noted last, or where its path and machine are (a restored
//! backup: what it lacks is a matter for the high-water mark). Anywhere else it is a copy. A file is known by its number and
//! its birth, whatever its name is now; where no birth is told, by its number and its path.

use std::fs;
use std::io;
use std::path::Path;
use std::time::UNIX_EPOCH;

use schemars::JsonSchema;
use serde::Serialize;

use super::db::{Connection, OptionalExtension, params};
use super::error::LedgerError;

/// A place of a ledger.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Home {
    /// The machine's name.
    pub host: String,
    /// The ledger's path there.
    pub path: String,
    /// The file's number; 0 where the system does not tell.
    #[serde(skip)]
    inode: i64,
    /// When the file was made, in nanoseconds; 0 where the file system does not tell.
    #[serde(skip)]
    born_ns: i64,
}

/// How a place was found to be a ledger's home.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Standing {
    /// It is noted already.
    AtHome,
    /// The first home, or the same one by another name.
    ToBeNoted,
    /// A copy of the ledger that lives there.
    CopyOf(Home),
}

/// Who notes a home, and when.
#[derive(Debug, Clone, Copy)]
pub(super) struct Noting<'a> {
    pub(super) user: &'a str,
    pub(super) host: &'a str,
    pub(super) at_ms: i64,
}

impl Home {
    /// The place of this file.
    pub(super) fn of(path: &Path, host: &str) -> io::Result<Self> {
        let metadata = fs::metadata(path)?;
        let born = metadata.created().ok().and_then(|at| at.duration_since(UNIX_EPOCH).ok());
        Ok(Self {
            host: host.to_owned(),
            path: path.to_string_lossy().into_owned(),
            inode: inode(&metadata),
            born_ns: born.and_then(|born| i64::try_from(born.as_nanos()).ok()).unwrap_or(0),
        })
    }

    /// The database of a server: which server, on which line of its history, and which tables in it. A dump that was restored, a
    /// copy of the server and a standby that took over are other ones.
    pub(super) fn of_database(connection: &Connection) -> Result<Self, LedgerError> {
        let sql = "SELECT current_database()::text, (SELECT system_identifier FROM pg_control_system())::bigint,
            CASE WHEN pg_is_in_recovery() THEN (SELECT timeline_id FROM pg_control_checkpoint())::bigint
                ELSE ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::bigint END,
            (SELECT oid FROM pg_database WHERE datname = current_database())::bigint,
            'shipsheet.attempts'::regclass::oid::bigint";
        Ok(connection.query_row(sql, (), |row| {
            let (name, system, timeline): (String, i64, i64) = (row.get(0)?, row.get(1)?, row.get(2)?);
            let (database, table): (i64, i64) = (row.get(3)?, row.get(4)?);
            Ok(Self {
                host: format!("PostgreSQL {system}"),
                path: format!("{name} (timeline {timeline}, {database}.{table})"),
                inode: system,
                born_ns: (timeline << 48) ^ (database << 24) ^ table,
            })
        })?)
    }

    /// What tells a file from its copies, as a text.
    #[cfg(feature = "postgres")]
    pub(super) fn mark(&self) -> String {
        format!("{} {} {} {}", self.inode, self.born_ns, self.host, self.path)
    }

    /// The same file under another name.
    pub(super) fn at(&self, path: &Path) -> Self {
        Self { path: path.to_string_lossy().into_owned(), ..self.clone() }
    }

    /// The one that was noted last.
    pub(super) fn newest(connection: &Connection) -> Result<Option<Self>, LedgerError> {
        let mut statement =
            connection.prepare_cached("SELECT host, path, inode, born_ns FROM homes ORDER BY id DESC LIMIT 1")?;
        let newest = statement.query_row((), |row| {
            Ok(Self { host: row.get(0)?, path: row.get(1)?, inode: row.get(2)?, born_ns: row.get(3)? })
        });
        Ok(newest.optional()?)
    }

    /// How a ledger that says this of itself stands at this place.
    pub(super) fn standing(&self, noted: Option<Self>) -> Standing {
        let Some(noted) = noted else { return Standing::ToBeNoted };
        let same_number = self.inode != 0 && (self.inode, self.born_ns) == (noted.inode, noted.born_ns);
        // A number alone may be that of another file: on another disk, or on this one after the first was deleted.
        let same_file = same_number && (self.born_ns != 0 || self.path == noted.path);
        let same_place = (&self.host, &self.path) == (&noted.host, &noted.path);
        match (same_file, same_place) {
            (true, true) => Standing::AtHome,
            (false, false) => Standing::CopyOf(noted),
            _ => Standing::ToBeNoted,
        }
    }

    /// Notes this home, with what made it one.
    pub(super) fn note(
        &self,
        connection: &Connection,
        by: Noting<'_>,
        acceptance: Option<i64>,
        answers: Option<i64>,
    ) -> Result<(), LedgerError> {
        connection.execute(
            "INSERT INTO homes (at_ms, user, host, path, inode, born_ns, acceptance_id, move_id)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
            params![by.at_ms, by.user, self.host, self.path, self.inode, self.born_ns, acceptance, answers],
        )?;
        Ok(())
    }
}

#[cfg(unix)]
fn inode(metadata: &fs::Metadata) -> i64 {
    std::os::unix::fs::MetadataExt::ino(metadata).cast_signed()
}

#[cfg(not(unix))]
fn inode(_: &fs::Metadata) -> i64 {
    0
}

/// A move that no home answers: its id, and where the ledger went.
pub(super) fn moved_away(connection: &Connection) -> Result<Option<(i64, String)>, LedgerError> {
    let mut statement = connection.prepare_cached(
        "SELECT id, path FROM moves m WHERE NOT EXISTS (SELECT 1 FROM homes h WHERE h.move_id = m.id)",
    )?;
    Ok(statement.query_row((), |row| Ok((row.get(0)?, row.get(1)?))).optional()?)
}

/// Refuses a file from which the ledger was moved away.
pub(super) fn refuse_moved(connection: &Connection, path: &Path) -> Result<(), LedgerError> {
    match moved_away(connection)? {
        Some((_, to)) => Err(LedgerError::Moved { path: path.to_owned(), to }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn home(host: &str, path: &str, inode: i64, born_ns: i64) -> Home {
        Home { host: host.to_owned(), path: path.to_owned(), inode, born_ns }
    }

    #[test]
    fn a_ledger_is_at_home_by_its_file_or_by_its_path_and_machine() {
        let noted = home("desk", "/srv/a.sqlite", 7, 70);
        let cases = [
            (home("desk", "/srv/a.sqlite", 7, 70), Standing::AtHome),
            // Renamed, or seen by a container.
            (home("desk", "/srv/b.sqlite", 7, 70), Standing::ToBeNoted),
            (home("c0ffee", "/data/a.sqlite", 7, 70), Standing::ToBeNoted),
            // Restored from a backup.
            (home("desk", "/srv/a.sqlite", 8, 80), Standing::ToBeNoted),
            // Copied; the number may be given to another file later.
            (home("desk", "/srv/b.sqlite", 8, 80), Standing::CopyOf(noted.clone())),
            (home("desk", "/srv/b.sqlite", 7, 71), Standing::CopyOf(noted.clone())),
            (home("till", "/srv/a.sqlite", 8, 80), Standing::CopyOf(noted.clone())),
        ];
        for (here, expected) in cases {
            assert_eq!(here.standing(Some(noted.clone())), expected, "{here:?}");
            assert_eq!(here.standing(None), Standing::ToBeNoted);
        }
        let unborn = home("desk", "/srv/a.sqlite", 7, 0);
        assert_eq!(
            home("desk", "/srv/b.sqlite", 7, 0).standing(Some(unborn.clone())),
            Standing::CopyOf(unborn.clone())
        );
        // A container has another name each time.
        assert_eq!(home("c0ffee", "/srv/a.sqlite", 7, 0).standing(Some(unborn)), Standing::ToBeNoted);
        let unknown = home("desk", "/srv/a.sqlite", 0, 0);
        assert_eq!(home("desk", "/srv/b.sqlite", 0, 0).standing(Some(unknown.clone())), Standing::CopyOf(unknown));
    }
}
