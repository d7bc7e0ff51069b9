//! What the program is compared with, measured in the same run.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use calamine::{Reader, Xlsx, open_workbook};
use jiff::Timestamp;
use shipsheet::api::outcome::Observed;
use shipsheet::api::{Client, ClientOptions, Endpoint, Token};
use shipsheet::event::Stream;
use shipsheet::finding::Finding;
use shipsheet::ledger::LedgerError;
use shipsheet::parse::ReadingSettings;
use shipsheet::sheet;
use shipsheet::stage::{Frozen, OpenOptions, Opened, Sink, gather, open};
use tokio::task::JoinSet;

/// Keeps every request.
#[derive(Default)]
struct Bodies(Vec<Vec<u8>>);

impl Sink for Bodies {
    fn wants_requests(&self) -> Option<i64> {
        Some(0)
    }

    fn keeps_requests(&self) -> bool {
        false
    }

    fn order(&mut self, frozen: &Frozen<'_>) -> Result<Vec<Finding>, LedgerError> {
        self.0.extend(frozen.request.map(|request| request.body.clone()));
        Ok(Vec::new())
    }
}

pub(crate) fn opened(sheet: &Path, rules: &ReadingSettings) -> Result<Opened> {
    let sheet_options = sheet::Options::default();
    let options = OpenOptions {
        paths: vec![sheet.to_owned()],
        sheet: sheet_options,
        profile: None,
        answered: std::collections::BTreeMap::new(),
        saved: Vec::new(),
        rules: rules.clone(),
    };
    Ok(open(&options, &mut Stream::silent())?)
}

/// The requests that the program sends for a sheet.
pub(crate) fn bodies(sheet: &Path) -> Result<Vec<Vec<u8>>> {
    let rules = ReadingSettings::new(Timestamp::now());
    let mut bodies = Bodies::default();
    gather(&opened(sheet, &rules)?, &rules, &mut bodies, &mut |_| {}, &mut Stream::silent())?;
    Ok(bodies.0)
}

fn client(url: &str) -> Result<(Client, Token)> {
    Ok((Client::new(ClientOptions::new(Endpoint::parse(url)?))?, Token::new("sandbox-token")?))
}

/// *raw*: the same client posts the same bodies, with no sheet and no ledger.
pub(crate) fn raw(url: &str, bodies: Vec<Vec<u8>>, concurrency: usize) -> Result<Duration> {
    let (client, token) = client(url)?;
    let (bodies, next) = (Arc::new(bodies), Arc::new(AtomicUsize::new(0)));
    tokio::runtime::Builder::new_multi_thread().enable_all().build()?.block_on(async {
        let started = Instant::now();
        let mut workers = JoinSet::new();
        for _ in 0..concurrency {
            let (client, token, bodies, next) = (client.clone(), token.clone(), Arc::clone(&bodies), Arc::clone(&next));
            workers.spawn(async move {
                while let Some(body) = bodies.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let observed = client.forward_shipment(&token, body.clone()).await;
                    ensure!(matches!(&observed, Observed::Reply(reply) if reply.status < 300), "{observed:?}");
                }
                Ok(())
            });
        }
        while let Some(ended) = workers.join_next().await {
            ended??;
        }
        Ok(started.elapsed())
    })
}

/// *script*: what a team would write: one order after the other, and a durable commit for each.
pub(crate) fn script(url: &str, bodies: &[Vec<u8>], ledger: &Path) -> Result<Duration> {
    let (client, token) = client(url)?;
    let connection = rusqlite::Connection::open(ledger)?;
    connection.execute_batch(
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE booked (body BLOB, answer BLOB);",
    )?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let started = Instant::now();
    for body in bodies {
        let Observed::Reply(reply) = runtime.block_on(client.forward_shipment(&token, body.clone())) else {
            anyhow::bail!("no answer")
        };
        connection.execute("INSERT INTO booked VALUES (?, ?)", (body, reply.body))?;
    }
    Ok(started.elapsed())
}

/// *reader*: the bare csv crate over the file.
pub(crate) fn csv(sheet: &Path) -> Result<Duration> {
    let started = Instant::now();
    let mut reader = csv::Reader::from_path(sheet)?;
    let mut record = csv::ByteRecord::new();
    let mut bytes = 0;
    while reader.read_byte_record(&mut record)? {
        bytes += record.as_slice().len();
    }
    ensure!(bytes > 0, "nothing was read");
    Ok(started.elapsed())
}

/// *reader*: calamine's bare stream of cells.
pub(crate) fn xlsx(sheet: &Path) -> Result<Duration> {
    let started = Instant::now();
    let mut book: Xlsx<_> = open_workbook(sheet)?;
    let name = book.sheet_names().first().context("no worksheet")?.clone();
    let mut cells = book.worksheet_cells_reader(&name)?;
    let mut count = 0_u64;
    while cells.next_cell()?.is_some() {
        count += 1;
    }
    ensure!(count > 0, "nothing was read");
    Ok(started.elapsed())
}
