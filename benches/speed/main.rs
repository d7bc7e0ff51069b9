//! How fast, in how little memory: the program against what it is made of, measured in one run.
//!
//! `cargo bench` prints a table; `cargo bench -- --full` also books a million orders, and `cargo bench -- WORD` runs the
//! groups whose name holds that word. `benches/README.md` says how to read it.

#![expect(clippy::print_stdout, reason = "a benchmark prints what it measures")]

mod connections;
mod processes;
mod references;
mod sheets;
mod stages;
#[cfg(unix)]
mod stations;

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result};
use processes::{Service, Taken, program, run, until_first_request};
use sheets::Rows;
use tempfile::TempDir;

/// One line of the table.
pub(crate) fn line(what: &str, floor: &str, reached: &str, how: &str) {
    println!("{what:<58} {floor:>14} {reached:>14}   {how}");
}

struct Bench {
    folder: TempDir,
    full: bool,
    words: Vec<String>,
}

type Group = fn(&Bench) -> Result<()>;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words = arguments.iter().filter(|argument| !argument.starts_with("--")).cloned().collect();
    // Beside the program: a folder in memory would make every fsync free.
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR"))?;
    let bench = Bench { folder, full: arguments.iter().any(|argument| argument == "--full"), words };
    line("what", "floor", "reached", "how");
    let groups: &[(&str, Group)] = &[
        ("stages", |bench| stages::all(bench.folder.path())),
        ("connections", |_| connections::all()),
        ("booking", Bench::booking),
        ("csv", Bench::check_csv),
        ("xlsx", Bench::check_xlsx),
        ("start", Bench::start),
        #[cfg(unix)]
        ("stations", stations::all),
        ("million", Bench::million),
    ];
    for (name, group) in groups {
        if bench.words.is_empty() || bench.words.iter().any(|word| name.contains(word.as_str())) {
            group(&bench).with_context(|| format!("group {name}"))?;
        }
    }
    Ok(())
}

#[expect(clippy::cast_precision_loss, reason = "figures for people")]
fn per_second(count: usize, taken: Duration) -> f64 {
    count as f64 / taken.as_secs_f64()
}

fn ratio(value: f64) -> String {
    format!("{value:.2}")
}

fn megabytes(taken: &Taken) -> String {
    taken.peak.map_or_else(|| "-".to_owned(), |peak| format!("{peak:.0} MB"))
}

impl Bench {
    fn path(&self) -> &Path {
        self.folder.path()
    }

    fn csv(&self, orders: usize, rows: Rows) -> Result<String> {
        let name = format!("{orders}-{rows:?}.csv");
        if !self.path().join(&name).exists() {
            sheets::csv(&self.path().join(&name), orders, rows)?;
        }
        Ok(name)
    }

    fn forget_ledger(&self, ledger: &str) {
        // Most of them are not there. The program remembers its ledgers in the user's state folder.
        for end in ["", "-wal", "-shm", ".lock", ".spool"] {
            let _ = fs::remove_file(self.path().join(format!("{ledger}{end}")));
        }
        let _ = fs::remove_dir_all(self.path().join(".local"));
    }

    /// Books a sheet from its reading to its report, in a fresh ledger.
    fn book(&self, orders: usize, faults: &str, concurrency: &str, shim: Option<&Path>) -> Result<Taken> {
        let service = Service::start(faults)?;
        self.book_at(&service, orders, concurrency, shim)
    }

    fn book_at(&self, service: &Service, orders: usize, concurrency: &str, shim: Option<&Path>) -> Result<Taken> {
        let sheet = self.csv(orders, Rows::Adjacent)?;
        self.forget_ledger("ledger.sqlite");
        let arguments = ["import", &sheet, "--yes", "-q", "--concurrency", concurrency, "--ledger", "ledger.sqlite"];
        let mut command = program(self.path(), &service.url, &arguments);
        if let Some(shim) = shim {
            command.env("LD_PRELOAD", shim);
        }
        run(command)
    }

    fn booking(&self) -> Result<()> {
        let bodies = references::bodies(&self.path().join(self.csv(10_000, Rows::Adjacent)?))?;
        let script_orders = &bodies[..1_500];
        let script = references::script(&Service::start("")?.url, script_orders, &self.path().join("script.sqlite"))?;
        let script = per_second(script_orders.len(), script);
        let raw = per_second(10_000, references::raw(&Service::start("")?.url, bodies, 64)?);
        let taken = self.book(10_000, "", "64", None)?;
        let booked = per_second(10_000, taken.wall);
        let how = format!("{booked:.0}/s; raw {raw:.0}/s, script {script:.0}/s; sheet to report");
        line("booking, 0 ms, C = 64, 10,000 orders, of raw", "0.40", &ratio(booked / raw), &how);
        line("  the same, of script", "10", &format!("{:.1}", booked / script), &how);
        if let Some(processor) = taken.processor {
            let how = format!("{:.2} s for 10,000 orders", processor.as_secs_f64());
            let each = format!("{:.3} s", processor.as_secs_f64() / 10.0);
            line("processor time per 1,000 orders", "0.08 s", &each, &how);
        }
        let small = self.book(1_000, "", "64", None)?;
        let grown = (taken.wall.as_secs_f64() / 10.0) / small.wall.as_secs_f64();
        line("cost per order, 10,000 to 1,000 orders", "1.20", &ratio(grown), "wall time");
        let auto = per_second(10_000, self.book(10_000, "", "auto", None)?.wall);
        line("booking, 0 ms, auto, of C = 64", "-", &ratio(auto / booked), &format!("{auto:.0}/s"));
        self.of_ideal("booking, 20 ms, C = 64, of ideal", "0.85", 20_000, 20, 64, None)?;
        if let Some(shim) = self.slow_fsync() {
            self.of_ideal("  the same, fsync 2 ms slower", "0.80", 20_000, 20, 64, Some(&shim))?;
        }
        self.of_ideal("booking, 200 ms, C = 64, of ideal", "0.97", 16_000, 200, 64, None)?;
        self.of_ideal("booking, 200 ms, C = 16, of ideal", "0.97", 3_200, 200, 16, None)
    }

    fn of_ideal(
        &self,
        what: &str,
        floor: &str,
        orders: usize,
        latency: u32,
        concurrency: u32,
        shim: Option<&Path>,
    ) -> Result<()> {
        let ideal = f64::from(concurrency) * 1000.0 / f64::from(latency);
        let taken = self.book(orders, &format!("latency={latency}ms"), &concurrency.to_string(), shim)?;
        let booked = per_second(orders, taken.wall);
        line(what, floor, &ratio(booked / ideal), &format!("{booked:.0}/s of {ideal:.0}/s; {orders} orders"));
        Ok(())
    }

    /// A library that makes fsync slow; none where there is no C compiler.
    fn slow_fsync(&self) -> Option<std::path::PathBuf> {
        let (source, shim) = (self.path().join("slow_fsync.c"), self.path().join("slow_fsync.so"));
        fs::write(&source, include_str!("slow_fsync.c")).ok()?;
        let built = Command::new("cc").args(["-shared", "-fPIC", "-o"]).arg(&shim).arg(&source).arg("-ldl").status();
        built.is_ok_and(|status| status.success()).then_some(shim)
    }

    fn check(&self, sheet: &str) -> Result<Taken> {
        run(program(self.path(), "http://127.0.0.1:1", &["check", sheet, "-q"]))
    }

    fn check_csv(&self) -> Result<()> {
        let sheet = self.csv(1_000_000, Rows::Adjacent)?;
        // The first reading warms the system's cache for all.
        references::csv(&self.path().join(&sheet))?;
        let reader = references::csv(&self.path().join(&sheet))?;
        let taken = self.check(&sheet)?;
        let speed = reader.as_secs_f64() / taken.wall.as_secs_f64();
        let how = format!("{:.2} s, csv crate {:.2} s; 2,500,000 rows", taken.wall.as_secs_f64(), reader.as_secs_f64());
        line("check, CSV, 1,000,000 orders, of the csv crate", "0.35", &ratio(speed), &how);
        line("  peak memory", "64 MB", &megabytes(&taken), "adjacent rows");
        let scattered = self.csv(1_000_000, Rows::Scattered)?;
        let taken = self.check(&scattered)?;
        let how = format!("all first rows, then all second ones …; {:.2} s", taken.wall.as_secs_f64());
        line("  peak memory, rows scattered", "256 MB", &megabytes(&taken), &how);
        fs::remove_file(self.path().join(scattered))?;
        let arguments = ["import", &sheet, "--dry-run", "-q", "--ledger", "staging.sqlite"];
        let taken = run(program(self.path(), "http://127.0.0.1:1", &arguments))?;
        let rate = per_second(1_000_000, taken.wall);
        line("staging, 1,000,000 orders", "64 MB", &megabytes(&taken), &format!("{rate:.0} orders/s, taken back"));
        self.forget_ledger("staging.sqlite");
        Ok(())
    }

    fn check_xlsx(&self) -> Result<()> {
        let sheet = self.path().join("orders.xlsx");
        sheets::xlsx(&sheet, 100_000)?;
        let reader = references::xlsx(&sheet)?;
        let taken = self.check("orders.xlsx")?;
        let speed = reader.as_secs_f64() / taken.wall.as_secs_f64();
        let how = format!("{:.2} s, calamine {:.2} s; 250,000 rows", taken.wall.as_secs_f64(), reader.as_secs_f64());
        line("check, XLSX, 100,000 orders, of calamine's stream", "0.75", &ratio(speed), &how);
        line("  peak memory", "128 MB", &megabytes(&taken), "");
        Ok(())
    }

    fn start(&self) -> Result<()> {
        let sheet = self.csv(1_000, Rows::Adjacent)?;
        let first = until_first_request(self.path(), &sheet)?;
        line("1,000 orders, start to first request", "0.3 s", &format!("{:.3} s", first.as_secs_f64()), "");
        let help = run(program(self.path(), "http://127.0.0.1:1", &["--help"]))?;
        line("--help", "20 ms", &format!("{} ms", help.wall.as_millis()), "");
        Ok(())
    }

    /// Books a million orders, and imports them again.
    fn million(&self) -> Result<()> {
        if !self.full {
            return Ok(());
        }
        // An order is known at the service where it was booked, and nowhere else.
        let service = Service::start("")?;
        let first = self.book_at(&service, 1_000_000, "64", None)?;
        let rate = per_second(1_000_000, first.wall);
        line("booking, 1,000,000 orders, peak memory", "64 MB", &megabytes(&first), &format!("{rate:.0}/s"));
        let sheet = self.csv(1_000_000, Rows::Adjacent)?;
        let url = &service.url;
        let staging = ["import", &sheet, "--dry-run", "-q", "--ledger", "staging.sqlite"];
        let staging = run(program(self.path(), url, &staging))?;
        let again = ["import", &sheet, "--yes", "-q", "--ledger", "ledger.sqlite"];
        let again = run(program(self.path(), url, &again))?;
        let of_first = again.wall.as_secs_f64() / staging.wall.as_secs_f64();
        line("importing them again, of the first staging's time", "0.50", &ratio(of_first), "nothing is sent");
        let status = run(program(self.path(), url, &["status", "--ledger", "ledger.sqlite"]))?;
        line("status, ledger of 1,000,000 orders", "100 ms", &format!("{} ms", status.wall.as_millis()), "");
        Ok(())
    }
}
