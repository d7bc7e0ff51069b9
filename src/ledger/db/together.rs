//! Statements that go to a server in one flight, with whole columns of values: what one turn of a run reads and writes.

use std::borrow::Cow;
use std::error::Error as Failed;

use futures::TryStreamExt as _;
use futures::future::{join3, try_join_all};
use tokio_postgres::types::private::BytesMut;
use tokio_postgres::types::{IsNull, ToSql, Type, to_sql_checked};

use super::error::Result;
use super::server::Server;
use super::statement::Row;

/// The values of one parameter: one for each row, or one for all of them.
#[derive(Debug)]
pub(in crate::ledger) enum Column<'a> {
    Int(i64),
    Ints(Vec<Option<i64>>),
    Texts(Vec<Option<Cow<'a, str>>>),
    Blobs(Vec<Option<&'a [u8]>>),
}

/// A statement in the server's own dialect with its parameters.
#[derive(Debug)]
pub(in crate::ledger) struct Step<'a> {
    pub(in crate::ledger) sql: &'static str,
    pub(in crate::ledger) columns: Vec<Column<'a>>,
}

/// What stands around the statements of a flight.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::ledger) enum Around {
    /// A transaction begins with it; whoever is to write takes the right to do so with the first statement.
    Begins,
    /// It is in the middle of one.
    Nothing,
    /// The transaction is committed with it, if all of it succeeds.
    Commits,
}

impl ToSql for Column<'_> {
    fn to_sql(&self, of: &Type, out: &mut BytesMut) -> std::result::Result<IsNull, Box<dyn Failed + Sync + Send>> {
        match self {
            Self::Int(value) => value.to_sql(of, out),
            Self::Ints(values) => values.to_sql(of, out),
            Self::Texts(values) => values.to_sql(of, out),
            Self::Blobs(values) => values.to_sql(of, out),
        }
    }

    fn accepts(_: &Type) -> bool {
        true
    }

    to_sql_checked!();
}

impl Server {
    /// Sends all of it at once and waits for all answers; gives the rows of each statement.
    ///
    /// Where one fails, none of the transaction is kept, and it is over.
    pub(in crate::ledger) fn together(&self, around: Around, steps: &[Step<'_>]) -> Result<Vec<Vec<Row<'static>>>> {
        let prepared = steps.iter().map(|step| self.kept_as_it_is(step.sql)).collect::<Result<Vec<_>>>()?;
        let around_it = |when: Around, sql: &'static str| async move {
            if around == when { self.client().batch_execute(sql).await } else { Ok(()) }
        };
        // Each is sent when it is asked for the first time, which is in this order.
        let flight = async {
            let work = try_join_all(prepared.into_iter().zip(steps).map(|(statement, step)| {
                let columns: Vec<&(dyn ToSql + Sync)> =
                    step.columns.iter().map(|column| column as &(dyn ToSql + Sync)).collect();
                async move { self.client().query_raw(&statement, columns).await?.try_collect::<Vec<_>>().await }
            }));
            let begin = around_it(Around::Begins, "BEGIN");
            let (opened, rows, committed) = join3(begin, work, around_it(Around::Commits, "COMMIT")).await;
            opened?;
            let rows = rows?;
            committed.map(|()| rows)
        };
        self.note_transaction(true);
        let rows = self.waited(flight);
        self.note_transaction(around != Around::Commits);
        if rows.is_err() && around != Around::Commits {
            let _ = self.roll_back();
        }
        Ok(rows?.into_iter().map(|rows| rows.into_iter().map(Row::Server).collect()).collect())
    }
}
