//! Stations over a PostgreSQL server, whose commits are as durable as those of a file: one of them against a file, three
//! together, and a database that holds many orders already.
//!
//! Rates are those of the ledger: from the first intent to the last answer, without what comes before and after.

use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};

use crate::processes::{Service, program, run};
use crate::sheets::Rows;
use crate::{Bench, line, ratio};

#[path = "../../tests/it/rig/started.rs"]
#[expect(dead_code, reason = "tests ask more of a server")]
#[expect(clippy::unwrap_used, reason = "a server that does not start is the end of it")]
mod started;

use started::Started;

/// A server that is measured keeps its data on a disk.
fn spacious() -> std::path::PathBuf {
    std::env::temp_dir()
}

/// Statistics of statements, and room for millions of rows.
const SETTINGS: &str =
    "-c shared_preload_libraries=pg_stat_statements -c max_wal_size=2GB -c wal_level=minimal -c max_wal_senders=0";
/// The statement with which a turn of a run begins.
const LOOKS: &str = "%FROM turn_looks(%";
/// What a station waits for.
const LATENCY_MS: u32 = 50;
const RATE: &str = "SELECT min(intent_ms), max(answered_ms), count(*) FROM attempts WHERE outcome = 'booked'";
/// When the last of them began to send.
const ALL_SEND: &str =
    "SELECT max(since) FROM (SELECT min(intent_ms) AS since FROM shipsheet.attempts GROUP BY epoch) AS each";
/// Orders of a ledger of some years, and those of a day of it.
const MANY: usize = 5_000_000;
const A_DAY: usize = 5_000;

/// The server with its statistics of statements.
struct Server(Started);

/// A database for one ledger.
struct Database<'a> {
    server: &'a Server,
    name: String,
}

pub(crate) fn all(bench: &Bench) -> Result<()> {
    let Some(started) = Started::with(SETTINGS) else {
        return Ok(());
    };
    let server = Server(started);
    one(bench, &server)?;
    together(bench, &server)?;
    many(bench, &server)
}

/// One station against the same with a file.
fn one(bench: &Bench, server: &Server) -> Result<()> {
    for concurrency in [32, 64] {
        // In turns, so that a machine that becomes slower does so for both.
        let (mut files, mut databases) = (Vec::new(), Vec::new());
        for round in 0..3 {
            files.push(of_file(bench, concurrency)?);
            let database = server.database(&format!("one_{concurrency}_{round}"))?;
            let address = database.address();
            booked(bench, &Service::start(&latency())?, &address, 6_000, concurrency)?;
            databases.push(database.rate(RATE)?);
        }
        let (file, database) = (median(files), median(databases));
        let what = format!("one station, 50 ms, C = {concurrency}, of a file");
        line(&what, "0.90", &ratio(database / file), &format!("{database:.0}/s of {file:.0}/s; medians of three"));
    }
    Ok(())
}

/// Three stations that book one run.
fn together(bench: &Bench, server: &Server) -> Result<()> {
    let (orders, all) = (24_000, 96);
    let alone = of_file(bench, all)?;
    let database = server.database("together")?;
    let service = Service::start(&latency())?;
    let sheet = bench.csv(orders, Rows::Adjacent)?;
    let width = all.to_string();
    let import = ["import", &sheet, "--yes", "-q", "--concurrency", &width];
    let resume = ["resume", "--yes", "-q", "--concurrency", &width];
    let mut stations = vec![station(bench, (1, &service, &database.address()), &import)?];
    let sent = "SELECT count(*) FROM shipsheet.attempts";
    while database.sql(sent).map_or(true, |sent| sent == "0") {
        ensure!(stations[0].try_wait()?.is_none(), "the first station has ended");
        thread::sleep(Duration::from_millis(10));
    }
    for number in [2, 3] {
        stations.push(station(bench, (number, &service, &database.address()), &resume)?);
    }
    for mut station in stations {
        let ended = station.wait()?;
        // Another one may send the last orders still.
        ensure!(matches!(ended.code(), Some(0 | 5)), "a station ended with {ended}");
    }
    // Whoever comes waits until what is outstanding is its own as well, and for what the others give back.
    let from: f64 = database.sql(ALL_SEND)?.parse()?;
    let since = format!("SELECT {from}, max(answered_ms), count(*) FROM attempts WHERE answered_ms > {from}");
    let (booked, whole) = (database.rate(&since)?, database.rate(RATE)?);
    let ideal = f64::from(all) * 1_000.0 / f64::from(LATENCY_MS);
    let shares = database.sql(
        "SELECT string_agg(n::text, ', ' ORDER BY epoch) FROM (
            SELECT epoch, count(*) AS n FROM shipsheet.attempts GROUP BY epoch) AS sent",
    )?;
    let how = format!("{booked:.0}/s of {ideal:.0}/s once all three send, {whole:.0}/s over all; they sent {shares}");
    line("three stations, 50 ms, C = 96, of ideal", "0.90", &ratio(booked / ideal), &how);
    let how = format!("a file with C = 96: {alone:.0}/s");
    line("  the same, of one process with a file", "-", &ratio(booked / alone), &how);
    Ok(())
}

/// A station that begins an order and looks at the ledger, beside many orders.
fn many(bench: &Bench, server: &Server) -> Result<()> {
    let database = server.database("many")?;
    let address = database.address();
    let service = Service::start(&latency())?;
    booked(bench, &service, &address, A_DAY, 64)?;
    let begun = Instant::now();
    database.sql(&FILL.replace("DAYS", &(MANY / A_DAY - 1).to_string()))?;
    database.sql("VACUUM ANALYZE")?;
    ensure!(
        database.sql("SELECT count(*) FROM shipsheet.orders")? == MANY.to_string(),
        "other orders than were copied"
    );
    let filled = begun.elapsed();
    let looks = (0..3).map(|_| status(bench, &address)).collect::<Result<Vec<_>>>()?;
    let status = median(looks.iter().map(Duration::as_secs_f64).collect());
    let how = format!("{MANY} orders, filled in {:.0} s; median of three", filled.as_secs_f64());
    line("status beside 5,000,000 orders", "0.2 s", &format!("{status:.3} s"), &how);
    database.sql("SELECT pg_stat_statements_reset()")?;
    booked(bench, &service, &address, 2 * A_DAY, 32)?;
    let [looks, writes, page] =
        [LOOKS, "SELECT turn_writes(%", "SELECT o.id, r.seq, o.number, o.attempts%"].map(|like| database.mean(like));
    let (looks, writes, page) = (looks?, writes?, page?);
    let how = format!("looked up {looks:.2} ms, written with answers {writes:.2} ms, pages of orders {page:.2} ms");
    line("  claim of the next batch", "5 ms", &format!("{:.2} ms", looks + writes + page), &how);
    Ok(())
}

fn latency() -> String {
    format!("latency={LATENCY_MS}ms")
}

/// Books a sheet with a ledger in a file; its rate.
fn of_file(bench: &Bench, concurrency: u32) -> Result<f64> {
    bench.forget_ledger("station.sqlite");
    booked(bench, &Service::start(&latency())?, "station.sqlite", 6_000, concurrency)?;
    let ledger = rusqlite::Connection::open(bench.path().join("station.sqlite"))?;
    let (from, to, orders): (f64, f64, f64) =
        ledger.query_row(RATE, (), |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
    Ok(orders * 1_000.0 / (to - from))
}

fn booked(bench: &Bench, service: &Service, ledger: &str, orders: usize, concurrency: u32) -> Result<()> {
    let sheet = bench.csv(orders, Rows::Adjacent)?;
    let concurrency = concurrency.to_string();
    let import = ["import", &sheet, "--yes", "-q", "--concurrency", &concurrency, "--ledger", ledger];
    run(program(bench.path(), &service.url, &import)).map(drop)
}

/// Starts a station with a home of its own.
fn station(bench: &Bench, (number, service, address): (u32, &Service, &str), arguments: &[&str]) -> Result<Child> {
    let home: PathBuf = bench.path().join(format!("station-{number}"));
    std::fs::create_dir_all(&home)?;
    let mut command = program(bench.path(), &service.url, &[arguments, &["--ledger", address]].concat());
    Ok(command.env("HOME", home).stdout(std::process::Stdio::null()).spawn()?)
}

fn status(bench: &Bench, address: &str) -> Result<Duration> {
    let mut command = program(bench.path(), "http://127.0.0.1:1", &["status", "--ledger", address]);
    let begun = Instant::now();
    let ended = command.stdout(std::process::Stdio::null()).status()?;
    ensure!(ended.success(), "status ended with {ended}");
    Ok(begun.elapsed())
}

fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}

/// Copies the orders of the first run, each time as those of a day before, past all guards. What a service answered is not copied.
const FILL: &str = "SET search_path = shipsheet; SET session_replication_role = replica; SET synchronous_commit = off;
    INSERT INTO runs (id, kind, service_id, started_ms, finished_ms, version, \"user\", host, sheets, rows_read, rows_in_orders,
            lines, requests, exit_code)
        SELECT id + day, kind, service_id, started_ms - day * 86400000, finished_ms - day * 86400000, version, \"user\", host,
            sheets, rows_read, rows_in_orders, lines, requests, exit_code FROM runs, generate_series(1::bigint, DAYS) AS day;
    INSERT INTO run_tallies (run_id, booked) SELECT run_id + day, booked FROM run_tallies, generate_series(1::bigint, DAYS) AS day;
    INSERT INTO run_ends (run_id, booked, already_booked, invalid, rejected, refused, in_doubt, outstanding, abandoned)
        SELECT run_id + day, booked, 0, 0, 0, 0, 0, 0, 0 FROM run_ends, generate_series(1::bigint, DAYS) AS day;
    INSERT INTO orders (id, service_id, number, state, request_id, created_ms, attempts, awb, order_id, carrier, service_level)
        SELECT id + day * 5000, service_id, number || '-' || day, state, request_id + day * 5000, created_ms - day * 86400000,
            attempts, awb || lpad(day::text, 4, '0'), order_id || day, carrier, service_level
        FROM orders, generate_series(1::bigint, DAYS) AS day;
    INSERT INTO requests (id, order_id, sha256, staged_ms, created_ms, lines, value, cod, rows, body)
        SELECT id + day * 5000, order_id + day * 5000, sha256, staged_ms - day * 86400000, created_ms - day * 86400000, lines,
            value, cod, rows, body FROM requests, generate_series(1::bigint, DAYS) AS day;
    INSERT INTO run_orders (run_id, seq, order_id, already)
        SELECT run_id + day, seq, order_id + day * 5000, already FROM run_orders, generate_series(1::bigint, DAYS) AS day;
    INSERT INTO sheet_rows (sheet_id, row, order_id)
        SELECT sheet_id, row, order_id + day * 5000 FROM sheet_rows, generate_series(1::bigint, DAYS) AS day;
    INSERT INTO evidence (n, attempt_id, hash)
        SELECT n + day * 5000, attempt_id + day * 5000, hash FROM evidence, generate_series(1::bigint, DAYS) AS day;
    INSERT INTO attempts (id, order_id, n, request_id, run_id, intent_ms, answered_ms, outcome, status, awb, service_order_id,
            answer_bytes, evidence_n, epoch, closed_by)
        SELECT id + day * 5000, order_id + day * 5000, n, request_id + day * 5000, run_id + day, intent_ms - day * 86400000,
            answered_ms - day * 86400000, outcome, status, awb || lpad(day::text, 4, '0'), service_order_id || day, answer_bytes,
            evidence_n + day * 5000, epoch, closed_by FROM attempts, generate_series(1::bigint, DAYS) AS day;
    SELECT setval(pg_get_serial_sequence('orders', 'id'), (SELECT max(id) FROM orders)),
        setval(pg_get_serial_sequence('requests', 'id'), (SELECT max(id) FROM requests)),
        setval(pg_get_serial_sequence('attempts', 'id'), (SELECT max(id) FROM attempts))";

impl Server {
    fn database(&self, name: &str) -> Result<Database<'_>> {
        let database = Database { server: self, name: name.to_owned() };
        database.sql_in("postgres", &format!("CREATE DATABASE {name}"))?;
        database.sql("CREATE EXTENSION pg_stat_statements")?;
        Ok(database)
    }
}

impl Database<'_> {
    fn address(&self) -> String {
        self.server.0.address(&self.name)
    }

    /// What statements print.
    fn sql(&self, sql: &str) -> Result<String> {
        self.sql_in(&self.name, sql)
    }

    fn sql_in(&self, database: &str, sql: &str) -> Result<String> {
        let Started { folder, programs, .. } = &self.server.0;
        let mut psql = Command::new(Path::new(programs).join("psql"));
        psql.args(["-XAtq", "-v", "ON_ERROR_STOP=1", "-U", "ledger", "-d", database, "-h"]).arg(folder);
        let ran = psql.args(["-c", sql]).output()?;
        ensure!(ran.status.success(), "{sql}: {}", String::from_utf8_lossy(&ran.stderr));
        Ok(String::from_utf8(ran.stdout)?.trim().to_owned())
    }

    /// Orders a second.
    fn rate(&self, sql: &str) -> Result<f64> {
        let found = self.sql(&format!("SET search_path = shipsheet; {sql}"))?;
        let figures: Vec<f64> = found.split('|').map(str::parse).collect::<Result<_, _>>()?;
        let [from, to, orders] = figures[..] else { anyhow::bail!("no rate in {found}") };
        Ok(orders * 1_000.0 / (to - from))
    }

    /// How long a statement took for each turn of a run, in milliseconds.
    fn mean(&self, like: &str) -> Result<f64> {
        let found = self.sql(&format!(
            "SELECT sum(total_exec_time) FILTER (WHERE query LIKE '{like}') / sum(calls) FILTER (WHERE query LIKE '{LOOKS}')
             FROM pg_stat_statements WHERE dbid = (SELECT oid FROM pg_database WHERE datname = current_database())"
        ))?;
        found.parse().with_context(|| format!("no time in {found}"))
    }
}
