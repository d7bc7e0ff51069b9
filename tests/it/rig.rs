//! One rig for all tests: files in, arguments, then output, exit code, ledger and the sandbox's book out.

use std::fs::File;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use shipsheet::sandbox::{Options, Sandbox};
use tempfile::TempDir;

/// A folder, a ledger and, where one is wanted, a sandbox of its own.
///
/// Dropped, it asserts that no order was booked twice.
pub(crate) struct Rig {
    folder: TempDir,
    sandbox: Option<Sandbox>,
    /// A service in a process of its own.
    apart: Option<String>,
    token: String,
    runtime: tokio::runtime::Runtime,
}

/// What a command came to.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Rig {
    /// Without a service.
    pub(crate) fn alone() -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        Self { folder: tempfile::tempdir().unwrap(), sandbox: None, apart: None, token: String::new(), runtime }
    }

    /// With a well-behaved service.
    pub(crate) fn new() -> Self {
        Self::faulty("")
    }

    /// With a service that misbehaves as specified.
    pub(crate) fn faulty(faults: &str) -> Self {
        Self::serving(Options { faults: faults.parse().unwrap(), ..Options::default() })
    }

    /// With a service that runs elsewhere, at this address.
    pub(crate) fn beside(address: &str) -> Self {
        let mut rig = Self::alone();
        shipsheet::sandbox::DEFAULT_TOKEN.clone_into(&mut rig.token);
        rig.apart = Some(address.to_owned());
        rig
    }

    /// A rig with so many booked orders, from a service with these faults.
    pub(crate) fn booked(faults: &str, orders: usize) -> Self {
        let rig = Self::faulty(faults);
        rig.file("orders.csv", &sheet_of(orders));
        let ran = rig.run(&["import", "orders.csv", "--yes", "--concurrency", "16"]);
        assert_eq!(ran.code, 0, "{ran:?}");
        rig
    }

    /// With a service as described.
    pub(crate) fn serving(options: Options) -> Self {
        let mut rig = Self::alone();
        rig.token.clone_from(&options.token);
        rig.sandbox = Some(rig.runtime.block_on(Sandbox::start(options)).unwrap());
        rig
    }

    pub(crate) fn sandbox(&self) -> &Sandbox {
        self.sandbox.as_ref().unwrap()
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path(name);
        std::fs::write(&path, text).unwrap();
        path
    }

    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    /// The program, with nothing of this machine around it.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        self.command_by(&[env!("CARGO_BIN_EXE_shipsheet")], arguments)
    }

    /// The same, started by the first of these words: it becomes the program that the last one names.
    pub(crate) fn command_by(&self, starters: &[&str], arguments: &[&str]) -> Command {
        let mut command = Command::new(starters[0]);
        command
            .args(&starters[1..])
            .args(arguments)
            .current_dir(self.folder.path())
            .env_clear()
            .env("HOME", self.folder.path())
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("TZ", "UTC")
            .env("NO_COLOR", "1")
            .env("USER", "tester")
            .stdin(Stdio::null());
        let here = || self.sandbox.as_ref().map(|sandbox| format!("http://{}", sandbox.address()));
        if let Some(address) = self.apart.clone().or_else(here) {
            command.env("SHIPSHEET_BASE_URL", address);
            command.env("SHIPSHEET_TOKEN", &self.token);
            command.env("SHIPSHEET_LEDGER", self.path("ledger.sqlite"));
        }
        command
    }

    /// Runs a command to its end.
    pub(crate) fn run(&self, arguments: &[&str]) -> Ran {
        ran(self.command(arguments))
    }

    /// Runs a command in a folder of its own choice.
    pub(crate) fn run_in(&self, folder: &std::path::Path, arguments: &[&str]) -> Ran {
        let mut command = self.command(arguments);
        command.current_dir(folder);
        ran(command)
    }

    /// Runs a command and parses the JSON that it prints.
    pub(crate) fn json(&self, arguments: &[&str]) -> (i32, Value) {
        let ran = self.run(&[arguments, &["--format", "json"]].concat());
        let value = serde_json::from_str(&ran.stdout).unwrap_or_else(|error| panic!("{error}: {ran:?}"));
        (ran.code, value)
    }

    /// Every order of the latest run, as `export` writes it.
    pub(crate) fn results(&self, more: &[&str]) -> Vec<Value> {
        let name = "results.jsonl";
        let ran = self.run(&[&["export", "--to", name], more].concat());
        assert_eq!(ran.code, 0, "{ran:?}");
        self.read(name).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// Starts a command whose output can be read while it runs; `name` names its files.
    pub(crate) fn live(&self, name: &str, arguments: &[&str]) -> Live {
        self.live_by(&[], name, arguments)
    }

    /// The same, by a program that sets the stage and then becomes it, such as `nohup`.
    pub(crate) fn live_by(&self, starters: &[&str], name: &str, arguments: &[&str]) -> Live {
        let (stdout, stderr) = (self.path(&format!("{name}.stdout")), self.path(&format!("{name}.stderr")));
        let mut command = self.command_by(&[starters, &[env!("CARGO_BIN_EXE_shipsheet")]].concat(), arguments);
        command.stdout(File::create(&stdout).unwrap()).stderr(File::create(&stderr).unwrap());
        Live { child: command.spawn().unwrap(), stdout, stderr }
    }

    /// The ledger as a database, to look into behind the program's back.
    pub(crate) fn database(&self) -> rusqlite::Connection {
        rusqlite::Connection::open(self.path("ledger.sqlite")).unwrap()
    }

    /// The service's id of a booked order.
    pub(crate) fn order_id(&self, number: &str) -> String {
        let bookings = self.sandbox().book().bookings();
        bookings.into_iter().find(|booking| booking.order_number == number).unwrap().order_id
    }

    /// The requests that the service took, by order number.
    pub(crate) fn bodies(&self) -> Vec<(String, Value)> {
        let bookings = self.sandbox().book().bookings().into_iter();
        let mut bodies: Vec<(String, Value)> =
            bookings.map(|booking| (booking.order_number, serde_json::from_slice(&booking.body).unwrap())).collect();
        bodies.sort_by(|one, other| one.0.cmp(&other.0));
        bodies
    }

    /// Bookings of the service as (order number, AWB).
    pub(crate) fn bookings(&self) -> Vec<(String, String)> {
        self.sandbox().book().bookings().into_iter().map(|booking| (booking.order_number, booking.awb)).collect()
    }
}

/// A command that runs. Dropped, it is killed.
#[derive(Debug)]
pub(crate) struct Live {
    child: Child,
    stdout: PathBuf,
    stderr: PathBuf,
}

impl Live {
    pub(crate) fn signal(&self, signal: rustix::process::Signal) {
        let process = rustix::process::Pid::from_child(&self.child);
        rustix::process::kill_process(process, signal).unwrap();
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    pub(crate) fn runs(&mut self) -> bool {
        self.child.try_wait().unwrap().is_none()
    }

    /// Waits until it has said something on standard error.
    pub(crate) fn said(&self, what: &str) {
        wait_until(what, || std::fs::read_to_string(&self.stderr).unwrap().contains(what));
    }

    /// Waits for its end.
    pub(crate) fn end(mut self) -> Ran {
        wait_until("the program ends", || self.child.try_wait().unwrap().is_some());
        let code = self.child.wait().unwrap().code().unwrap_or(-1);
        let read = |path: &PathBuf| std::fs::read_to_string(path).unwrap();
        Ran { code, stdout: read(&self.stdout), stderr: read(&self.stderr) }
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Rig {
    fn drop(&mut self) {
        if let Some(sandbox) = self.sandbox.take() {
            let twice = sandbox.book().booked_twice();
            self.runtime.block_on(sandbox.shutdown());
            if !std::thread::panicking() {
                assert!(twice.is_empty(), "booked twice: {twice:?}");
            }
        }
    }
}

/// Waits until a condition holds; it is looked at again and again, for a minute at most.
pub(crate) fn wait_until(what: &str, mut condition: impl FnMut() -> bool) {
    let started = Instant::now();
    while !condition() {
        assert!(started.elapsed() < Duration::from_mins(1), "waited in vain: {what}");
        std::thread::sleep(Duration::from_micros(200));
    }
}

pub(crate) fn ran(mut command: Command) -> Ran {
    let output = command.output().unwrap();
    Ran {
        code: output.status.code().unwrap_or(-1),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// The columns of [`row`].
pub(crate) const HEADER: &str = "Order Number,Order Date,Receiver First Name,Receiver Phone,Address Line 1,City,State,Country Code,PIN Code,Warehouse,Length,Width,Height,Weight,Payment Type,Product Name,SKU,Price,Quantity";

/// A good one-line order.
pub(crate) fn row(number: &str) -> String {
    row_with(number, "9876543210", "560001")
}

/// A one-line order with this phone and PIN code.
pub(crate) fn row_with(number: &str, phone: &str, pin: &str) -> String {
    format!(
        "{number},2026-11-20,Asha,{phone},14 MG Road,Bengaluru,Karnataka,IN,{pin},WH-1,30,20,5,0.5,PREPAID,Kurta,K-1,499.90,2"
    )
}

/// A sheet of rows.
pub(crate) fn sheet(rows: impl IntoIterator<Item = String>) -> String {
    let rows: Vec<String> = rows.into_iter().collect();
    format!("{HEADER}\n{}\n", rows.join("\n"))
}

/// A sheet of so many good orders.
pub(crate) fn sheet_of(orders: usize) -> String {
    sheet((1..=orders).map(|number| row(&format!("ORD-{number:04}"))))
}
