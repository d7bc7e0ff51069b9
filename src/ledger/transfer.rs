//! A whole ledger from one engine to the other: every row of every table as it is, then each compared with the one that it was
//! copied from.
//!
//! The guards let nobody write what was done elsewhere. So they are taken off for the transaction that copies, and stand again
//! when it is committed.

use std::path::Path;

use super::db::{Connection, Row, ToValue, Value};
use super::error::LedgerError;
use super::postgres::layout as layout_of_server;
use super::sqlite::{self, layout};

/// Rows that go in one statement, and that are compared at a time.
const ROWS: usize = 200;

/// A reader sees one moment of the whole ledger.
const BEGIN_READING: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";

/// A table, as both engines have it.
struct Table {
    name: String,
    columns: Vec<String>,
    /// What tells its rows apart, and whether that is a text.
    key: Vec<(usize, bool)>,
}

/// A value of a row, kept.
#[derive(Debug, Clone, PartialEq)]
enum Kept {
    Null,
    Int(i64),
    Real(f64),
    Text(String),
    Blob(Vec<u8>),
}

impl ToValue for Kept {
    fn to_value(&self) -> Value<'_> {
        match self {
            Self::Null => Value::Null,
            Self::Int(number) => Value::Int(*number),
            Self::Real(number) => Value::Real(*number),
            Self::Text(text) => Value::Text(text),
            Self::Blob(bytes) => Value::Blob(bytes),
        }
    }
}

impl From<Value<'_>> for Kept {
    fn from(value: Value<'_>) -> Self {
        match value {
            Value::Null => Self::Null,
            Value::Int(number) => Self::Int(number),
            Value::Real(number) => Self::Real(number),
            Value::Text(text) => Self::Text(text.to_owned()),
            Value::Blob(bytes) => Self::Blob(bytes.to_vec()),
        }
    }
}

/// Rows of a table in the order of its key, some at a time.
struct Rows<'c> {
    connection: &'c Connection,
    first: String,
    next: String,
    columns: usize,
    key: Vec<usize>,
    after: Option<Vec<Kept>>,
}

impl<'c> Rows<'c> {
    fn of(connection: &'c Connection, table: &Table) -> Self {
        let columns = table.columns.join(", ");
        // Bytes decide in both, whatever the server's language is.
        let sorted = |(at, is_text): &(usize, bool)| {
            let collated = if *is_text && !connection.has_file() { " COLLATE \"C\"" } else { "" };
            format!("{}{collated}", table.columns[*at])
        };
        let order = table.key.iter().map(sorted).collect::<Vec<_>>().join(", ");
        let marks = vec!["?"; table.key.len()].join(", ");
        let read = format!("SELECT {columns} FROM {}", table.name);
        Self {
            connection,
            first: format!("{read} ORDER BY {order} LIMIT {ROWS}"),
            next: format!("{read} WHERE ({order}) > ({marks}) ORDER BY {order} LIMIT {ROWS}"),
            columns: table.columns.len(),
            key: table.key.iter().map(|(at, _)| *at).collect(),
            after: None,
        }
    }

    /// The next ones; none where there are no more.
    fn some(&mut self) -> Result<Vec<Vec<Kept>>, LedgerError> {
        let kept = |row: &Row<'_>| (0..self.columns).map(|at| row.get_ref(at).map(Kept::from)).collect();
        let rows: Vec<Vec<Kept>> = match &self.after {
            None => self.connection.prepare_cached(&self.first)?.query_map((), kept)?.collect::<Result<_, _>>()?,
            Some(after) => {
                let after: Vec<Value<'_>> = after.iter().map(ToValue::to_value).collect();
                let mut statement = self.connection.prepare_cached(&self.next)?;
                statement.query_map(after.as_slice(), kept)?.collect::<Result<_, _>>()?
            }
        };
        if let Some(last) = rows.last() {
            self.after = Some(self.key.iter().map(|at| last[*at].clone()).collect());
        }
        Ok(rows)
    }
}

/// The tables of a ledger in an order in which each comes behind those that it points to, from a file and a server that have
/// the same.
fn tables(file: &Connection, server: &Connection) -> Result<Vec<Table>, LedgerError> {
    let mut tables = Vec::new();
    for name in layout_of_server::tables(server)? {
        let sql = "SELECT name, type, pk FROM pragma_table_info(?1)";
        let columns: Vec<(String, String, i64)> = file
            .prepare(sql)?
            .query_map([&name], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?
            .collect::<Result<_, _>>()?;
        // What only a server has is of its stations, which stay there.
        if columns.is_empty() {
            continue;
        }
        let mut key: Vec<(i64, usize, bool)> = columns
            .iter()
            .enumerate()
            .filter(|(_, (_, _, place))| *place > 0)
            .map(|(at, (_, kind, place))| (*place, at, kind == "TEXT"))
            .collect();
        key.sort_unstable();
        let key = key.into_iter().map(|(_, at, is_text)| (at, is_text)).collect();
        tables.push(Table { name, columns: columns.into_iter().map(|(name, ..)| name).collect(), key });
    }
    Ok(tables)
}

fn copy(from: &Connection, to: &Connection, tables: &[Table]) -> Result<(), LedgerError> {
    for table in tables {
        let columns = table.columns.join(", ");
        let marks = format!("({})", vec!["?"; table.columns.len()].join(", "));
        let mut rows = Rows::of(from, table);
        loop {
            let some = rows.some()?;
            if some.is_empty() {
                break;
            }
            let all = vec![marks.as_str(); some.len()].join(", ");
            let values: Vec<Value<'_>> = some.iter().flatten().map(ToValue::to_value).collect();
            let sql = format!("INSERT INTO {} ({columns}) VALUES {all}", table.name);
            to.prepare_cached(&sql)?.execute(values.as_slice())?;
        }
    }
    Ok(())
}

/// Compares row by row; says in the error which row of which table is another one.
fn compare(from: &Connection, to: &Connection, tables: &[Table]) -> Result<(), LedgerError> {
    for table in tables {
        let (mut here, mut there) = (Rows::of(from, table), Rows::of(to, table));
        loop {
            let (original, copied) = (here.some()?, there.some()?);
            if original != copied {
                let at = original.iter().zip(&copied).take_while(|(one, other)| one == other).count();
                let row = original.get(at).or_else(|| copied.get(at)).map(|row| &row[table.key[0].0]);
                return Err(LedgerError::NotTheSame {
                    table: table.name.clone(),
                    row: row.map(shown).unwrap_or_default(),
                });
            }
            if original.is_empty() {
                break;
            }
        }
    }
    Ok(())
}

fn shown(value: &Kept) -> String {
    match value {
        Kept::Int(number) => number.to_string(),
        Kept::Text(text) => text.clone(),
        _ => String::new(),
    }
}

/// Makes a file with all that a ledger on a server holds at this moment. Nothing may be there yet.
pub(super) fn to_file(server: &Connection, file: &Path) -> Result<(), LedgerError> {
    let mut copy_of = sqlite::connect_to(file)?;
    layout::make(&mut copy_of, file)?;
    copy_of.execute_batch("PRAGMA foreign_keys = OFF")?;
    let reading = server.begin_with(BEGIN_READING)?;
    let tables = tables(&copy_of, &reading)?;
    let writing = copy_of.begin()?;
    let sql = "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'";
    let guards: Vec<(String, String)> =
        writing.prepare(sql)?.query_map((), |row| Ok((row.get(0)?, row.get(1)?)))?.collect::<Result<_, _>>()?;
    for (name, _) in &guards {
        writing.execute_batch(&format!("DROP TRIGGER {name}"))?;
    }
    writing.execute("DELETE FROM identity", ())?;
    copy(&reading, &writing, &tables)?;
    for (_, guard) in &guards {
        writing.execute_batch(guard)?;
    }
    compare(&reading, &writing, &tables)?;
    writing.commit()?;
    reading.roll_back()?;
    match sqlite::structure(&copy_of)?.first() {
        Some(fault) => Err(LedgerError::Damaged(fault.clone())),
        None => Ok(()),
    }
}

/// Puts all that a file holds into a server's tables, in a transaction of that server; what was there before is no more.
pub(super) fn to_server(file: &Connection, server: &Connection) -> Result<(), LedgerError> {
    let tables = tables(file, server)?;
    let all = layout_of_server::tables(server)?;
    layout_of_server::guarded(server, &all, "DISABLE")?;
    server.execute_batch(&format!("TRUNCATE {}", all.join(", ")))?;
    copy(file, server, &tables)?;
    layout_of_server::count_on(server)?;
    // Whatever waits to be looked at is looked at now: a table whose guards are changed may wait for nothing.
    server.execute_batch("SET CONSTRAINTS ALL IMMEDIATE")?;
    layout_of_server::guarded(server, &all, "ENABLE")?;
    compare(file, server, &tables)
}

/// Compares a file with what was made of it.
pub(super) fn verify(file: &Connection, server: &Connection) -> Result<(), LedgerError> {
    compare(file, server, &tables(file, server)?)
}
