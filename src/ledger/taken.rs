//! Sheets that a watcher took out of its folder, the runs that it made, and where it filed the sheets.

use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::Serialize;

use super::address::take_up;
use super::adopt::{FREE, Free};
use super::db::{self, OptionalExtension, Row, Value, params};
use super::error::LedgerError;
use super::open::Ledger;
use super::record::{Adopted, OrderId, RunId, SheetSource};
use super::sql::int;
use super::staging::Staging;

/// Names a taken sheet of this ledger.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct TakenId(i64);

/// A sheet that is taken now.
#[derive(Debug, Clone)]
#[expect(missing_docs, reason = "the names say it")]
pub struct NewTaken {
    /// When, epoch milliseconds.
    pub at_ms: i64,
    pub user: String,
    pub host: String,
    pub service: String,
    pub folder: String,
    pub name: String,
    pub bytes: u64,
    pub sha256: [u8; 32],
}

/// A sheet that was taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TakenSheet {
    /// It, in this ledger.
    pub id: TakenId,
    /// When it was taken, epoch milliseconds.
    pub at_ms: i64,
    /// What it was called in the folder.
    pub name: String,
    /// The SHA-256 of its bytes.
    pub sha256: [u8; 32],
    /// The latest run of it.
    pub run: Option<RunId>,
    /// Where it was put last; nothing where it lies as it was taken.
    pub filed: Option<Filed>,
}

/// Where a taken sheet was put.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Filed {
    /// When, epoch milliseconds.
    pub at_ms: i64,
    /// Where.
    pub tray: Tray,
    /// What it is called there.
    pub name: String,
    /// Orders of it that were outstanding.
    pub outstanding: u64,
    /// What was said of it, in one line without anything about people.
    pub said: Option<String>,
}

/// A sheet that was filed for a person and of which nothing was sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnsentSheet {
    /// When it was taken, epoch milliseconds.
    pub at_ms: i64,
    /// The machine.
    pub host: String,
    /// What it was called in the folder.
    pub name: String,
    /// Its run, where it came to one.
    pub run: Option<RunId>,
    /// Where it was put.
    pub tray: Tray,
    /// The file, on that machine.
    pub path: PathBuf,
    /// What was said of it.
    pub said: Option<String>,
}

/// Where a taken sheet can lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Tray {
    /// Every order of it is booked.
    Done,
    /// A person has to look at some of it.
    Attention,
    /// Nothing of it was sent.
    Failed,
    /// Back where it came from: it was changed while it was booked.
    Inbox,
    /// Taken up once more; a sheet that is filed does not lie there.
    #[schemars(skip)]
    Working,
    /// Somebody took it away while it was worked on.
    Gone,
}

/// What a run of a watcher is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunOf {
    /// One sheet.
    Sheet(TakenId),
    /// What earlier runs of watchers left outstanding.
    Leftovers,
}

impl TakenSheet {
    /// Whether it lies where it was filed, and not among the claimed ones.
    #[must_use]
    pub fn is_filed(&self) -> bool {
        self.filed.as_ref().is_some_and(|filed| filed.tray != Tray::Working)
    }
}

impl Tray {
    const ALL: [Self; 6] = [Self::Done, Self::Attention, Self::Failed, Self::Inbox, Self::Working, Self::Gone];

    /// The stable word; of those that people look into, the name of the folder.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Attention => "attention",
            Self::Failed => "failed",
            Self::Inbox => "inbox",
            Self::Working => "working",
            Self::Gone => "gone",
        }
    }
}

/// The latest run, and the latest row of where it lies, of each taken sheet `t`.
const TAKEN: &str =
    "SELECT t.id, t.at_ms, t.name, t.sha256, (SELECT max(run_id) FROM taken_runs WHERE sheet_id = t.id),
        f.at_ms, f.tray, f.name, f.outstanding, f.said
    FROM taken_sheets t JOIN services s ON s.id = t.service_id
    LEFT JOIN filed_sheets f ON f.id = (SELECT max(id) FROM filed_sheets WHERE sheet_id = t.id)";

/// Whether every order of the run `y` is booked or dismissed.
macro_rules! is_settled {
    () => {
        "y.in_doubt + y.rejected + y.refused + y.invalid + y.held + y.left_out + y.abandoned + y.outstanding = 0"
    };
}

/// Whether an order that the run `y` kept back came corrected with another sheet.
macro_rules! corrected {
    () => {
        "EXISTS (SELECT 1 FROM run_orders i CROSS JOIN orders o ON o.id = i.order_id
            WHERE i.run_id = y.run_id AND i.behind = 1 AND i.already = 0 AND o.standing = 'booked')"
    };
}

/// Which run asked for an order last: whoever made it answers for what is outstanding of the order.
const LATEST: &str = "(SELECT max(l.run_id) FROM run_orders l WHERE l.order_id = o.id AND l.behind = 0)";

impl Ledger {
    /// Records that a sheet is taken.
    pub fn take_sheet(&mut self, new: &NewTaken) -> Result<TakenSheet, LedgerError> {
        let transaction = self.begin()?;
        let service = take_up(&transaction, &new.service)?;
        let id = transaction.insert(
            "INSERT INTO taken_sheets (at_ms, user, host, service_id, folder, name, bytes, sha256)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
            params![new.at_ms, new.user, new.host, service, new.folder, new.name, int(new.bytes), new.sha256],
        )?;
        let id = TakenId(id);
        transaction.commit()?;
        let NewTaken { at_ms, name, sha256, .. } = new.clone();
        Ok(TakenSheet { id, at_ms, name, sha256, run: None, filed: None })
    }

    /// Records where a sheet is put.
    pub fn file_sheet(&mut self, sheet: TakenId, filed: &Filed) -> Result<(), LedgerError> {
        self.connection.execute(
            "INSERT INTO filed_sheets (sheet_id, at_ms, tray, name, outstanding, said) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            params![sheet.0, filed.at_ms, filed.tray.as_str(), filed.name, int(filed.outstanding), filed.said],
        )?;
        Ok(())
    }

    /// The sheets that were taken out of a folder on a machine and lie in it still, or should, as far as this ledger
    /// knows: not filed yet, or filed for a person with orders outstanding of which none is any more, or with others that
    /// were not booked and are settled by now, all of them.
    pub fn unfinished_sheets(&self, host: &str, folder: &str) -> Result<Vec<TakenSheet>, LedgerError> {
        let wanted = concat!("t.host = ?1 AND t.folder = ?2 AND (f.id IS NULL OR f.tray = 'working'
            OR (f.tray = 'attention' AND f.outstanding > 0 AND NOT EXISTS (SELECT 1 FROM run_tallies y
                WHERE y.run_id = (SELECT max(run_id) FROM taken_runs WHERE sheet_id = t.id) AND y.outstanding > 0))
            OR (f.tray = 'attention' AND EXISTS (SELECT 1 FROM run_ends e JOIN run_tallies y ON y.run_id = e.run_id
                WHERE e.run_id = (SELECT max(run_id) FROM taken_runs WHERE sheet_id = t.id)
                AND e.in_doubt + e.rejected + e.refused + e.invalid + e.held + e.left_out + e.abandoned > 0 AND y.rows_without_order = 0
                AND NOT ", corrected!(), " AND ", is_settled!(), ")))");
        self.taken(wanted, params![host, folder])
    }

    /// The sheets that were filed for a person only because orders of them were invalid, each of which was booked with another
    /// sheet since, or dismissed.
    pub fn settled_elsewhere(&self, host: &str, folder: &str) -> Result<Vec<TakenSheet>, LedgerError> {
        let wanted = concat!(
            "t.host = ?1 AND t.folder = ?2 AND f.tray = 'attention' AND EXISTS (
            SELECT 1 FROM run_tallies y WHERE y.run_id = (SELECT max(run_id) FROM taken_runs WHERE sheet_id = t.id)
                AND y.rows_without_order = 0 AND ",
            corrected!(),
            " AND ",
            is_settled!(),
            ")"
        );
        self.taken(wanted, params![host, folder])
    }

    /// The latest sheet of these very bytes that was taken out of a folder on a machine.
    pub fn taken_in(&self, host: &str, folder: &str, sha256: &[u8; 32]) -> Result<Option<TakenSheet>, LedgerError> {
        Ok(self.taken("t.host = ?1 AND t.folder = ?2 AND t.sha256 = ?3", params![host, folder, sha256])?.pop())
    }

    /// The latest sheet of these very bytes, other than this one, that came to a run at a service.
    pub fn booked_as(&self, service: &str, sheet: &TakenSheet) -> Result<Option<TakenSheet>, LedgerError> {
        let wanted = "t.sha256 = ?2 AND t.id <> ?3 AND t.service_id IN (SELECT id FROM same_service WHERE origin = ?1)
            AND EXISTS (SELECT 1 FROM taken_runs WHERE sheet_id = t.id)";
        Ok(self.taken(wanted, params![service, sheet.sha256, sheet.id.0])?.pop())
    }

    /// Where sheets that were taken on a machine were filed for a person, of which nothing was ever sent and which did not come
    /// again.
    pub fn held_sheets(&self, host: &str) -> Result<Vec<PathBuf>, LedgerError> {
        let mut statement = self.connection.prepare(
            "SELECT t.folder, f.tray, f.name FROM taken_sheets t
             JOIN filed_sheets f ON f.id = (SELECT max(id) FROM filed_sheets WHERE sheet_id = t.id)
             WHERE t.host = ?1 AND f.tray IN ('attention', 'failed')
                AND NOT EXISTS (SELECT 1 FROM taken_sheets l WHERE l.sha256 = t.sha256 AND (l.id > t.id
                    OR EXISTS (SELECT 1 FROM taken_runs r WHERE r.sheet_id = l.id)))
                AND NOT EXISTS (SELECT 1 FROM run_sheets s WHERE s.sha256 = t.sha256) ORDER BY t.id",
        )?;
        let sheets = statement.query_map([host], |row| {
            let text = |index: usize| row.get::<String>(index);
            Ok(Path::new(&text(0)?).join(text(1)?).join(text(2)?))
        })?;
        Ok(sheets.collect::<Result<_, _>>()?)
    }

    /// Sheets that were taken from one moment until before another and lie where they were filed for a person, without anything
    /// sent, and which did not come again since.
    pub fn unsent_sheets(&self, from_ms: i64, until_ms: i64) -> Result<Vec<UnsentSheet>, LedgerError> {
        let mut statement = self.connection.prepare(
            "SELECT t.at_ms, t.host, t.name, (SELECT max(run_id) FROM taken_runs WHERE sheet_id = t.id),
                f.tray, t.folder, f.name, f.said
             FROM taken_sheets t JOIN filed_sheets f ON f.id = (SELECT max(id) FROM filed_sheets WHERE sheet_id = t.id)
             WHERE t.at_ms >= ?1 AND t.at_ms < ?2 AND (f.tray = 'failed' OR (f.tray = 'attention'
                    AND NOT EXISTS (SELECT 1 FROM taken_runs n WHERE n.sheet_id = t.id)))
                AND NOT EXISTS (SELECT 1 FROM taken_sheets l WHERE l.sha256 = t.sha256 AND l.id > t.id)
                AND NOT EXISTS (SELECT 1 FROM run_sheets s JOIN runs r ON r.id = s.run_id
                    WHERE s.sha256 = t.sha256 AND r.started_ms > f.at_ms)
             ORDER BY t.id DESC",
        )?;
        let sheets = statement.query_map([from_ms, until_ms], |row| {
            let text = |index: usize| row.get::<String>(index);
            let tray = text(4)?;
            Ok(UnsentSheet {
                at_ms: row.get(0)?,
                host: row.get(1)?,
                name: row.get(2)?,
                run: row.get::<Option<i64>>(3)?.map(RunId::from_number),
                path: Path::new(&text(5)?).join(&tray).join(text(6)?),
                tray: if tray == Tray::Failed.as_str() { Tray::Failed } else { Tray::Attention },
                said: row.get(7)?,
            })
        })?;
        Ok(sheets.collect::<Result<_, _>>()?)
    }

    /// Outstanding orders of a sheet that somebody else asked for since: they are not the watcher's any more.
    pub fn taken_over(&self, sheet: TakenId) -> Result<u64, LedgerError> {
        let sql = format!(
            "SELECT count(DISTINCT o.id) FROM taken_runs n JOIN run_orders r ON r.run_id = n.run_id AND r.behind = 0
             JOIN orders o ON o.id = r.order_id WHERE n.sheet_id = ?1 AND o.standing IN ('staged', 'waiting')
             AND {LATEST} NOT IN (SELECT run_id FROM taken_runs)"
        );
        Ok(self.connection.query_row(&sql, [sheet.0], |row| row.get(0))?)
    }

    /// The folders that sheets were taken out of.
    pub fn watched_folders(&self) -> Result<Vec<PathBuf>, LedgerError> {
        let mut statement = self.connection.prepare("SELECT DISTINCT folder FROM taken_sheets")?;
        let folders = statement.query_map((), |row| row.get::<String>(0).map(PathBuf::from))?;
        Ok(folders.collect::<Result<_, _>>()?)
    }

    /// Where a watcher made the latest run: the first of its runs since then between which nobody made another one, and when
    /// that began.
    pub fn first_of_night(&self, latest: RunId, since_ms: i64) -> Result<Option<(RunId, i64)>, LedgerError> {
        let mut statement = self.connection.prepare(
            "SELECT r.id, r.started_ms FROM runs r JOIN taken_runs n ON n.run_id = r.id
             WHERE r.id <= ?1 AND r.started_ms >= ?2 AND r.id > coalesce((SELECT max(o.id) FROM runs o
                WHERE o.id <= ?1 AND NOT EXISTS (SELECT 1 FROM taken_runs t WHERE t.run_id = o.id)), 0)
             ORDER BY r.id LIMIT 1",
        )?;
        let first = statement.query_row(params![latest.0, since_ms], |row| Ok((RunId(row.get(0)?), row.get(1)?)));
        Ok(first.optional()?)
    }

    /// Where the sheets of a run lay, and after them where a watcher filed each since; with their hashes.
    pub fn sheets_of(&self, run: RunId) -> Result<Vec<(SheetSource, Option<PathBuf>)>, LedgerError> {
        let mut statement = self.connection.prepare(
            "SELECT s.path, s.sha256, t.folder, f.tray, f.name FROM run_sheets s
             LEFT JOIN taken_runs r ON r.run_id = s.run_id LEFT JOIN taken_sheets t ON t.id = r.sheet_id
             LEFT JOIN filed_sheets f ON f.id = (SELECT max(id) FROM filed_sheets WHERE sheet_id = t.id)
             WHERE s.run_id = ?1 ORDER BY s.n",
        )?;
        let sheets = statement.query_map([run.number()], |row| {
            let text = |index: usize| row.get::<Option<String>>(index);
            let source = SheetSource { path: PathBuf::from(row.get::<String>(0)?), sha256: row.get(1)? };
            let filed = text(2)?.zip(text(3)?).zip(text(4)?);
            Ok((source, filed.map(|((folder, tray), name)| Path::new(&folder).join(tray).join(name))))
        })?;
        Ok(sheets.collect::<Result<_, _>>()?)
    }

    fn taken(&self, wanted: &str, with: &[Value<'_>]) -> Result<Vec<TakenSheet>, LedgerError> {
        let mut statement = self.connection.prepare(&format!("{TAKEN} WHERE {wanted} ORDER BY t.id"))?;
        let sheets = statement.query_map(with, taken_sheet)?;
        Ok(sheets.collect::<Result<_, _>>()?)
    }
}

impl Staging<'_> {
    /// Says that the run is a watcher's, and what it is of.
    pub fn of_watcher(&mut self, of: RunOf) -> Result<(), LedgerError> {
        let sheet = match of {
            RunOf::Sheet(TakenId(id)) => Some(id),
            RunOf::Leftovers => None,
        };
        let untold: Option<i64> = self.transaction.query_row(
            "SELECT min(n.run_id) FROM taken_runs n JOIN runs r ON r.id = n.run_id WHERE n.sheet_id = ?1 AND r.started_ms >=
                coalesce((SELECT max(at_ms) FROM filed_sheets WHERE sheet_id = ?1 AND tray <> 'working'), 0)",
            [sheet],
            |row| row.get(0),
        )?;
        self.untold = sheet.zip(untold.map(RunId));
        self.transaction
            .execute("INSERT INTO taken_runs (run_id, sheet_id) VALUES (?1, ?2)", params![self.run.number(), sheet])?;
        Ok(())
    }

    /// Whether an order was booked by a run that was killed before its sheet was filed, or by one that went on with it: then
    /// nobody was told of it, and it counts as booked by this run.
    pub(super) fn is_untold(&self, order: OrderId) -> Result<bool, LedgerError> {
        let Some((sheet, first)) = self.untold else { return Ok(false) };
        let mut statement = self.transaction.prepare_cached(
            "SELECT 1 FROM run_orders k JOIN taken_runs n ON n.run_id = k.run_id AND (n.sheet_id = ?2 OR n.sheet_id IS NULL)
             WHERE k.order_id = ?1 AND k.run_id >= ?3 AND k.already = 0 AND k.behind = 0",
        )?;
        Ok(statement.exists(params![order.0, sheet, first.0])?)
    }

    /// Takes up what watchers on this machine left outstanding, and nobody else has taken up since.
    pub fn adopt_own(&mut self) -> Result<Adopted, LedgerError> {
        let sql = format!(
            "SELECT {FREE} FROM taken_runs n CROSS JOIN runs r ON r.id = n.run_id
             CROSS JOIN run_tallies t ON t.run_id = r.id AND t.outstanding > 0
             CROSS JOIN run_orders a ON a.run_id = r.id AND a.behind = 0 CROSS JOIN orders o ON o.id = a.order_id
             WHERE r.host = ?1 AND r.service_id IN (SELECT id FROM same_service WHERE origin = ?2)
                AND o.standing IN ('staged', 'waiting') AND r.id = {LATEST} ORDER BY r.id, a.seq"
        );
        let mut statement = self.transaction.prepare(&sql)?;
        let orders = statement.query_map(params![self.new.host, self.new.service], Free::of)?;
        let orders = orders.collect::<Result<Vec<_>, _>>()?;
        drop(statement);
        self.adopt_all(orders)
    }
}

fn taken_sheet(row: &Row<'_>) -> db::Result<TakenSheet> {
    let tray: Option<String> = row.get(6)?;
    let tray = tray.and_then(|word| Tray::ALL.into_iter().find(|tray| tray.as_str() == word));
    let filed = tray.map(|tray| {
        let (at_ms, name, outstanding, said) = (row.get(5)?, row.get(7)?, row.get(8)?, row.get(9)?);
        Ok::<_, db::Error>(Filed { at_ms, tray, name, outstanding, said })
    });
    Ok(TakenSheet {
        id: TakenId(row.get(0)?),
        at_ms: row.get(1)?,
        name: row.get(2)?,
        sha256: row.get(3)?,
        run: row.get::<Option<i64>>(4)?.map(RunId::from_number),
        filed: filed.transpose()?,
    })
}
