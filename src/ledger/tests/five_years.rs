//! A ledger of five years, 5,000 orders a day, and how quick it is.
//!
//! The first day is imported by the program, from the stand-in service at a port of its own: whatever is asked of a ledger of a real
//! service is asked here as well. Every other day is a copy of it with numbers, AWBs and times of its own, set by set, each
//! row through all guards of the database and with its own link of evidence, so that `shipsheet ledger check` finds it sound.
//! One order in five hundred is rejected and stays so, one a quarter is in doubt.
//!
//! ```sh
//! cargo build --release --bin shipsheet
//! FIVE_YEARS=FOLDER FIVE_YEARS_OF=target/release/shipsheet cargo test --release --lib five_years -- --nocapture
//! ```
//!
//! The folder needs room for 15 GB; a ledger that is there is measured again.

#![expect(clippy::print_stdout, reason = "what was measured is to be read")]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use rusqlite::{Connection, params};
use serde_json::json;
use sha2::{Digest, Sha256};

const A_DAY: i64 = 5_000;
const DAYS: i64 = 1_800;
const DAY_MS: i64 = 24 * 3_600_000;
/// Where the stand-in service is, which is a part of what an order is known by.
const PORT: &str = "47110";
/// Imports whose times are compared, of each ledger.
const IMPORTS: usize = 5;

#[test]
fn a_ledger_of_five_years_is_as_quick_as_a_new_one() {
    // It takes an hour and 15 GB, and says something of a release only.
    match std::env::var_os("FIVE_YEARS") {
        Some(folder) => five_years(Path::new(&folder)).unwrap(),
        None => println!("skipped: FIVE_YEARS names no folder for the ledger"),
    }
}

fn five_years(folder: &Path) -> Result<()> {
    let program = std::env::var_os("FIVE_YEARS_OF").map(PathBuf::from).context("set FIVE_YEARS_OF")?;
    std::fs::create_dir_all(folder)?;
    let bench = Bench { program: program.canonicalize()?, folder: folder.canonicalize()? };
    let full = bench.folder.join("five-years.sqlite");
    let service = bench.service(0)?;
    if !full.exists() {
        bench.import(&full, "D0")?;
        let begun = Instant::now();
        grow(&full, DAYS)?;
        println!("{} orders in {:.0} s", DAYS * A_DAY, begun.elapsed().as_secs_f64());
    }
    println!("{} MB", std::fs::metadata(&full)?.len() / 1_000_000);
    let quick = bench.reads(&full)?;
    let at_once = bench.imports(&full, 0)?;
    drop(service);
    let _service = bench.service(50)?;
    let after_50_ms = bench.imports(&full, 50)?;
    ensure!(quick && at_once <= 10.0 && after_50_ms <= 10.0, "too slow: {at_once:+.1} and {after_50_ms:+.1} %");
    Ok(())
}

struct Bench {
    program: PathBuf,
    folder: PathBuf,
}

/// The stand-in service; ended when it is dropped.
struct Service(Child);

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Bench {
    /// Starts the service, which takes so many milliseconds for an answer.
    fn service(&self, latency: u32) -> Result<Service> {
        let mut command = Command::new(&self.program);
        command.args(["sandbox", "--port", PORT, "--faults", &format!("latency={latency}ms")]);
        let service = Service(command.stdout(Stdio::null()).stderr(Stdio::null()).spawn()?);
        // Its port is open by then.
        std::thread::sleep(Duration::from_secs(2));
        Ok(service)
    }

    fn run(&self, ledger: &Path, arguments: &[&str]) -> Result<Duration> {
        let mut command = Command::new(&self.program);
        command.current_dir(&self.folder).env("HOME", &self.folder).env("SHIPSHEET_TOKEN", "sandbox-token");
        command.env("SHIPSHEET_BASE_URL", format!("http://127.0.0.1:{PORT}")).args(arguments).arg("--ledger");
        let begun = Instant::now();
        let output = command.arg(ledger).output()?;
        let took = begun.elapsed();
        let code = output.status.code().unwrap_or(-1);
        ensure!(
            [0, 4, 6].contains(&code),
            "{arguments:?} ended with {code}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        Ok(took)
    }

    /// Imports the orders of a day.
    fn import(&self, ledger: &Path, name: &str) -> Result<Duration> {
        let sheet = self.folder.join(format!("{name}.csv"));
        let mut text = String::from(
            "Order Number,Order Date,Receiver First Name,Receiver Phone,Address Line 1,City,State,Country Code,PIN Code,\
             Warehouse,Length,Width,Height,Weight,Payment Type,Product Name,SKU,Price,Quantity\n",
        );
        // Each day has customers of its own: the same ones with the same products would be told as likely duplicates.
        let of_day = name.bytes().fold(7, |sum: i64, byte| (sum * 31 + i64::from(byte)) % 900_000_000);
        for n in 0..A_DAY {
            let pin = 560_001 + n % 90;
            // No zeros at the end, which a spreadsheet might have left.
            let phone = (900_000_000 + (n * 7_919 + of_day) % 90_000_000) * 10 + 1 + n % 9;
            writeln!(
                text,
                "{name}-{n:05},2026-11-20,Asha {n},{phone},{n} MG Road,Bengaluru,Karnataka,IN,{pin},WH-1,30,20,5,0.5,\
                 PREPAID,Kurta {},K-{},{}.50,1",
                n % 300,
                n % 300,
                100 + n % 900
            )?;
        }
        std::fs::write(&sheet, text)?;
        self.run(ledger, &["import", &sheet.display().to_string(), "--yes", "--quiet"])
    }

    /// Measures what is read of the whole ledger; gives whether that is quick enough.
    fn reads(&self, full: &Path) -> Result<bool> {
        let best = |arguments: &[&str]| -> Result<Duration> {
            let all: Result<Vec<Duration>> = (0..5).map(|_| self.run(full, arguments)).collect();
            Ok(all?.into_iter().min().unwrap_or_default())
        };
        let (status, report) = (best(&["status"])?, best(&["report", "--last", "7d"])?);
        println!("status            {:>8.3} s", status.as_secs_f64());
        println!("report, a week    {:>8.3} s", report.as_secs_f64());
        Ok(status <= Duration::from_millis(200) && report <= Duration::from_secs(2))
    }

    /// Imports mornings into the full ledger and into new ones, at a service of this latency; gives by how much longer the best
    /// of the former took, in hundredths.
    fn imports(&self, full: &Path, latency: u32) -> Result<f64> {
        let (mut young, mut old) = (Duration::MAX, Duration::MAX);
        // In turns: what else the machine does meets both.
        for n in 0..IMPORTS {
            let name = format!("E{}-{latency}-{n}", std::process::id());
            young = young.min(self.import(&self.folder.join(format!("{name}.sqlite")), &name)?);
            let name = format!("F{}-{latency}-{n}", std::process::id());
            old = old.min(self.import(full, &name)?);
        }
        let more = old.as_secs_f64() / young.as_secs_f64() * 100.0 - 100.0;
        println!("import, empty     {:>8.3} s, at {latency} ms", young.as_secs_f64());
        println!("import, full      {:>8.3} s, {more:+.1} %", old.as_secs_f64());
        Ok(more)
    }
}

/// Copies the first day until there are so many.
fn grow(path: &Path, days: i64) -> Result<()> {
    let mut ledger = Connection::open(path)?;
    ledger.pragma_update(None, "foreign_keys", true)?;
    ledger.pragma_update(None, "synchronous", "off")?;
    ledger.pragma_update(None, "cache_size", -400_000)?;
    ledger.pragma_update(None, "temp_store", "memory")?;
    let (mut n, mut hash): (i64, [u8; 32]) =
        ledger.query_row("SELECT n, hash FROM evidence ORDER BY n DESC LIMIT 1", [], |row| {
            Ok((row.get(0)?, row.get(1)?))
        })?;
    for day in 1..days {
        let transaction = ledger.transaction()?;
        // The oldest first: the last copy is of yesterday.
        for sql in DAY {
            transaction.execute(sql, params![day, (days - day) * DAY_MS, A_DAY])?;
        }
        bind(&transaction, day, (&mut n, &mut hash))?;
        for sql in END_OF_DAY {
            transaction.execute(sql, params![day, (days - day) * DAY_MS, A_DAY])?;
        }
        transaction.commit()?;
        if day % 100 == 0 {
            println!("{day} days");
        }
    }
    ledger.execute_batch("PRAGMA optimize; PRAGMA wal_checkpoint(TRUNCATE)")?;
    Ok(())
}

/// What becomes of the `n`th order of a day.
macro_rules! outcome {
    () => {
        "CASE WHEN o.id % 500 = 7 THEN 'rejected' WHEN o.id % 5000 = 9 AND ?1 % 90 = 0 THEN 'in_doubt' ELSE 'booked' END"
    };
}

/// A day up to its answers. `?1` is the day, `?2` how long it is ago, `?3` how many orders it has; the first run and the first
/// orders are those that are copied.
const DAY: [&str; 7] = [
    "INSERT INTO runs (id, kind, service_id, started_ms, finished_ms, version, user, host, sheets, rows_read, rows_in_orders,
        lines, requests, exit_code)
     SELECT ?1 + 1, kind, service_id, started_ms - ?2, finished_ms - ?2, version, user, host, '[\"D' || ?1 || '.csv\"]',
        rows_read, rows_in_orders, lines, requests, exit_code FROM runs WHERE id = 1 AND ?3 > 0",
    "INSERT INTO run_tallies (run_id, outstanding) SELECT ?1 + 1, ?3 WHERE ?2 > 0",
    "INSERT INTO orders (id, service_id, number, state, request_id, created_ms)
     SELECT o.id + ?1 * ?3, o.service_id, 'D' || ?1 || substr(o.number, 3), 'staged', o.id + ?1 * ?3, o.created_ms - ?2
     FROM orders o WHERE o.id <= ?3",
    "INSERT INTO requests (id, order_id, sha256, staged_ms, created_ms, lines, value, cod, rows, body)
     SELECT q.id + ?1 * ?3, q.id + ?1 * ?3, q.sha256, q.staged_ms - ?2, q.created_ms - ?2, q.lines, q.value, q.cod, q.rows,
        q.body FROM requests q WHERE q.id <= ?3",
    "INSERT INTO run_orders (run_id, seq, order_id, already)
     SELECT ?1 + 1, r.seq, r.order_id + ?1 * ?3, 0 FROM run_orders r WHERE r.run_id = 1 AND ?2 > 0",
    "UPDATE orders SET state = 'sending', attempts = 1 WHERE id > ?1 * ?3 AND id <= ?1 * ?3 + ?3 AND ?2 > 0",
    "INSERT INTO attempts (id, order_id, n, request_id, run_id, intent_ms)
     SELECT a.id + ?1 * ?3, a.order_id + ?1 * ?3, 1, a.order_id + ?1 * ?3, ?1 + 1, a.intent_ms - ?2
     FROM attempts a WHERE a.id <= ?3",
];

/// The answers of a day, with what they lead to; what was in doubt has no AWB in its answer.
const END_OF_DAY: [&str; 6] = [
    concat!(
        "UPDATE orders AS o SET state = ",
        outcome!(),
        ", awb = a.awb, order_id = a.service_order_id, carrier = iif(a.awb IS NULL, NULL, 'Sandbox Express'),
            error = a.reason FROM attempts a
         WHERE a.order_id = o.id AND o.id > ?1 * ?3 AND o.id <= ?1 * ?3 + ?3 AND ?2 > 0"
    ),
    "INSERT INTO run_ends
        (run_id, booked, already_booked, invalid, rejected, refused, in_doubt, outstanding, abandoned, dismissed)
     SELECT run_id, booked, already_booked, invalid, rejected, refused, in_doubt, outstanding, abandoned, dismissed
     FROM run_tallies WHERE run_id = ?1 + 1 AND ?2 > 0 AND ?3 > 0",
    "INSERT INTO row_sheets (sha256, worksheet) SELECT randomblob(32), 'D' || ?1 WHERE ?2 > 0 AND ?3 > 0",
    "INSERT INTO sheet_rows (sheet_id, row, order_id)
     SELECT d.id, r.row, r.order_id + ?1 * ?3 FROM sheet_rows r
     CROSS JOIN row_sheets f ON f.id = r.sheet_id AND f.sha256 <> zeroblob(32)
     CROSS JOIN row_sheets d ON d.worksheet = 'D' || ?1
     WHERE r.order_id <= ?3 AND ?2 > 0",
    // What stands in a row is another text each day; those of ten days lie together.
    "INSERT INTO row_sheets (sha256, worksheet)
     SELECT zeroblob(32), printf('%06d', (started_ms / 86400000) / 10) FROM runs WHERE id = ?1 + 1 AND ?2 > 0 AND ?3 > 0
     ON CONFLICT DO NOTHING",
    "INSERT INTO sheet_rows (sheet_id, row, order_id)
     SELECT m.id, abs(random() / 2) + 1, r.order_id + ?1 * ?3 FROM runs u
     CROSS JOIN row_sheets m ON m.sha256 = zeroblob(32) AND m.worksheet = printf('%06d', (u.started_ms / 86400000) / 10)
     CROSS JOIN sheet_rows r CROSS JOIN row_sheets f ON f.id = r.sheet_id AND f.sha256 = zeroblob(32)
     WHERE u.id = ?1 + 1 AND r.order_id <= ?3 AND ?2 > 0",
];

/// Answers each attempt of a day and binds it into the evidence.
fn bind(ledger: &Connection, day: i64, (n, hash): (&mut i64, &mut [u8; 32])) -> Result<()> {
    let mut attempts = ledger.prepare_cached(concat!(
        "SELECT s.origin, o.number, q.sha256, a.id, a.run_id, a.intent_ms, f.answered_ms - f.intent_ms, f.answer, ",
        outcome!(),
        " FROM attempts a JOIN orders o ON o.id = a.order_id JOIN services s ON s.id = o.service_id
         JOIN requests q ON q.id = a.request_id JOIN attempts f ON f.id = a.id - ?1 * ?2
         WHERE a.id > ?1 * ?2 AND a.id <= ?1 * ?2 + ?2 ORDER BY a.id"
    ))?;
    let mut answer = ledger.prepare_cached(
        "UPDATE attempts SET answered_ms = ?2, outcome = ?3, status = 201, awb = ?4, service_order_id = ?5, reason = ?6,
            answer = ?7, answer_bytes = length(?7), evidence_n = ?8 WHERE id = ?1",
    )?;
    let mut link =
        ledger.prepare_cached("INSERT INTO evidence (n, kind, subject, hash) VALUES (?1, 'attempt', ?2, ?3)")?;
    let mut rows = attempts.query(params![day, A_DAY])?;
    while let Some(row) = rows.next()? {
        let (origin, number): (String, String) = (row.get(0)?, row.get(1)?);
        let (id, run, intent_ms, took): (i64, i64, i64, i64) = (row.get(3)?, row.get(4)?, row.get(5)?, row.get(6)?);
        let (raw, outcome): (Vec<u8>, String) = (row.get(7)?, row.get(8)?);
        let is_booked = outcome == "booked";
        // As if at random, as those of couriers.
        let mixed = id.wrapping_mul(6_364_136_223_846_793_005).cast_unsigned();
        let awb = is_booked.then(|| format!("{:010}{:07}", mixed % 10_000_000_000, id));
        let order_id = is_booked.then(|| format!("{mixed:016x}{id}"));
        let reason = (!is_booked).then(|| "the PIN code is not serviceable by this courier".to_owned());
        *n += 1;
        let text = json!([
            "attempt",
            origin,
            number,
            1,
            hex(&row.get::<_, [u8; 32]>(2)?),
            run,
            intent_ms,
            intent_ms + took,
            outcome,
            201,
            awb,
            order_id,
            reason,
            raw.len(),
            hex(&Sha256::digest(&raw).into())
        ]);
        *hash = Sha256::digest(format!("{}\n{text}", hex(hash))).into();
        answer.execute(params![id, intent_ms + took, outcome, awb, order_id, reason, raw, *n])?;
        link.execute(params![*n, id, *hash])?;
    }
    Ok(())
}

fn hex(bytes: &[u8; 32]) -> String {
    bytes.iter().fold(String::with_capacity(64), |mut digits, byte| {
        // Writing into text cannot fail.
        let _ = write!(digits, "{byte:02x}");
        digits
    })
}
