//! One rig for all tests: files in, arguments, then output, exit code, ledger and the sandbox's book out.
//!
//! A sheet is made in code by `sheet`, imported or checked into a [`Came`], and the services of `by_hand` answer where the
//! sandbox is too well-behaved.

pub(crate) mod by_hand;
mod came;
mod disk;
mod hook;
#[cfg(unix)]
pub(crate) mod postgres;
mod process;
mod room;
mod sheet;
pub(crate) mod size;
#[cfg(unix)]
mod started;
mod trays;
mod within;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use rust_xlsxwriter::Worksheet;
use serde_json::Value;
use shipsheet::sandbox::{Options, Sandbox};
use tempfile::TempDir;

pub(crate) use came::{Came, Problem, collected, has, parcel};
pub(crate) use disk::{library, on_disk, preloaded};
pub(crate) use hook::{Heard, Hook, heard};
pub(crate) use process::{Live, PATIENCE, Ran, ran, wait_until, words_of};
pub(crate) use room::{folder, spacious};
pub(crate) use sheet::{
    Columns, GOOD, HEADER, Table, came_of, cod_998, column_of, imported, imported_by, list, of_998, row, row_of_own,
    row_with, sheet, sheet_of, two_at, workbook, workbook_of_numbers,
};
pub(crate) use trays::{lies, sheets};
pub(crate) use within::ran_here;

/// What the sheets of a shop lack, and a warehouse by its name.
pub(crate) const SHOP: &str = "[defaults]
warehouseId = \"Main\"
\"parcelAttributes.dimension.length\" = 20
\"parcelAttributes.dimension.width\" = 15
\"parcelAttributes.dimension.height\" = 10
\"parcelAttributes.weight.weight\" = 0.5
[warehouses]
\"Main\" = \"wh-77\"
\"Bangalore WH\" = \"wh-78\"
";

/// The built program; of an example it lies one folder above.
pub(crate) fn program() -> String {
    let beside =
        || std::env::current_exe().unwrap().ancestors().nth(2).unwrap().join("shipsheet").display().to_string();
    option_env!("CARGO_BIN_EXE_shipsheet").map_or_else(beside, str::to_owned)
}

/// A folder, a ledger and, where one is wanted, a sandbox of its own.
///
/// Dropped, it asserts that no order was booked twice.
pub(crate) struct Rig {
    folder: TempDir,
    sandbox: Option<Sandbox>,
    /// A service in a process of its own.
    apart: Option<String>,
    /// The ledger, where it is no file of the rig's own.
    ledger: Option<String>,
    token: String,
    /// How long somebody is waited for, or until the next try, in seconds; empty: as long as users wait.
    patience: &'static str,
    runtime: tokio::runtime::Runtime,
}

impl Rig {
    /// Without a service.
    pub(crate) fn alone() -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        Self { folder: folder(), sandbox: None, apart: None, ledger: None, token: String::new(), patience: "", runtime }
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

    /// The same with a ledger that others may have as well.
    pub(crate) fn with_ledger(address: &str, ledger: &str) -> Self {
        let mut rig = Self::beside(address);
        rig.ledger = Some(ledger.to_owned());
        rig
    }

    /// A rig with so many booked orders, from a service with these faults.
    pub(crate) fn booked(faults: &str, orders: usize) -> Self {
        let rig = Self::faulty(faults);
        rig.file("orders.csv", &sheet_of(orders));
        let ran = rig.run(&["import", "orders.csv", "--yes", "--concurrency", "16"]);
        ran.exits(0);
        rig
    }

    /// With a well-behaved service and the configuration of a shop.
    pub(crate) fn of_a_shop() -> Self {
        let rig = Self::new();
        rig.file("shipsheet.toml", SHOP);
        rig
    }

    /// With a service as described.
    pub(crate) fn serving(options: Options) -> Self {
        let mut rig = Self::alone();
        rig.token.clone_from(&options.token);
        rig.sandbox = Some(rig.runtime.block_on(Sandbox::start(options)).unwrap());
        rig
    }

    /// Takes the service away meanwhile: whoever calls it is refused. Its book must be in a file.
    pub(crate) fn without_service<T>(&mut self, options: Options, meanwhile: impl FnOnce(&mut Self) -> T) -> T {
        let sandbox = self.sandbox.take().unwrap();
        let address = sandbox.address();
        self.runtime.block_on(sandbox.shutdown());
        // Nobody else is given the port.
        let held = tokio::net::TcpSocket::new_v4().unwrap();
        held.set_reuseaddr(true).unwrap();
        held.bind(address).unwrap();
        self.apart = Some(format!("http://{address}"));
        let came = meanwhile(self);
        self.apart = None;
        self.sandbox = Some(self.runtime.block_on(Sandbox::start(Options { address, ..options })).unwrap());
        came
    }

    /// Where nobody answers, the program waits for so many seconds before each of its tries, and no longer: for tests that are
    /// about what comes of it.
    pub(crate) fn patient_for(mut self, seconds: &'static str) -> Self {
        self.patience = seconds;
        self
    }

    pub(crate) fn sandbox(&self) -> &Sandbox {
        self.sandbox.as_ref().unwrap()
    }

    /// A file that the desk made of a run.
    pub(crate) fn file_of_run(&self, run: i64, name: &str) -> PathBuf {
        let of_ledger = std::fs::read_dir(self.path("ledger.sqlite.desk/runs")).ok().and_then(|mut own| own.next());
        let of_ledger = of_ledger.map_or_else(|| self.path("nowhere"), |own| own.unwrap().path());
        of_ledger.join(run.to_string()).join(name)
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path(name);
        std::fs::write(&path, text).unwrap();
        path
    }

    /// Writes a file that is no text.
    pub(crate) fn bytes(&self, name: &str, bytes: impl AsRef<[u8]>) {
        std::fs::write(self.path(name), bytes).unwrap();
    }

    /// Writes a workbook of our own headers and these rows, and lets `change` put more into it.
    pub(crate) fn workbook(&self, name: &str, rows: &[String], change: impl FnOnce(&mut Worksheet)) {
        let lines: Vec<&str> = std::iter::once(HEADER).chain(rows.iter().map(String::as_str)).collect();
        workbook(&self.path(name), &lines, change);
    }

    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    /// The program, with nothing of this machine around it.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        self.command_by(&[&program()], arguments)
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
        if !self.patience.is_empty() {
            command.env("SHIPSHEET_PATIENCE_SECONDS", self.patience);
        }
        let here = || self.sandbox.as_ref().map(|sandbox| format!("http://{}", sandbox.address()));
        if let Some(address) = self.apart.clone().or_else(here) {
            command.env("SHIPSHEET_BASE_URL", address);
            command.env("SHIPSHEET_TOKEN", &self.token);
            let own = || self.path("ledger.sqlite").display().to_string();
            command.env("SHIPSHEET_LEDGER", self.ledger.clone().unwrap_or_else(own));
        }
        command
    }

    /// Runs a command to its end, within this process where that does the same.
    pub(crate) fn run(&self, arguments: &[&str]) -> Ran {
        ran_here(self.command(arguments))
    }

    /// Runs a command in a folder of its own choice.
    pub(crate) fn run_in(&self, folder: &Path, arguments: &[&str]) -> Ran {
        let mut command = self.command(arguments);
        command.current_dir(folder);
        ran_here(command)
    }

    /// Runs a command and parses the JSON that it prints.
    #[track_caller]
    pub(crate) fn json(&self, arguments: &[&str]) -> (i32, Value) {
        let ran = self.run(&[arguments, &["--format", "json"]].concat());
        let value = serde_json::from_str(&ran.stdout).unwrap_or_else(|error| panic!("{error}: {ran:?}"));
        (ran.exit, value)
    }

    /// Imports a sheet, with whatever else is named, and says yes.
    #[track_caller]
    pub(crate) fn import(&self, arguments: &[&str]) -> Came {
        self.came(&[&["import"], arguments, &["--yes"]].concat())
    }

    /// Imports a CSV as `orders.csv`.
    #[track_caller]
    pub(crate) fn import_text(&self, text: &str) -> Came {
        self.file("orders.csv", text);
        self.import(&["orders.csv"])
    }

    /// Checks a sheet.
    #[track_caller]
    pub(crate) fn check(&self, arguments: &[&str]) -> Came {
        self.came(&[&["check"], arguments].concat())
    }

    /// Checks a CSV as `orders.csv`.
    #[track_caller]
    pub(crate) fn check_text(&self, text: &str) -> Came {
        self.file("orders.csv", text);
        self.check(&["orders.csv"])
    }

    /// What a command came to that reads a sheet.
    #[track_caller]
    pub(crate) fn came(&self, arguments: &[&str]) -> Came {
        let (exit, document) = self.json(arguments);
        let requests = if self.sandbox.is_some() { self.bodies() } else { Vec::new() };
        let sheet = arguments.iter().find_map(|name| std::fs::read_to_string(self.path(name)).ok());
        let sheet = sheet.filter(|text| text.len() < 4_000).unwrap_or_default();
        Came::new(exit, document, requests, format!("{}\n{sheet}", arguments.join(" ")))
    }

    /// Every order of the latest run, as `export` writes it.
    pub(crate) fn results(&self, more: &[&str]) -> Vec<Value> {
        let name = "results.jsonl";
        let ran = self.run(&[&["export", "--to", name], more].concat());
        ran.exits(0);
        self.read(name).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// Starts a command whose output can be read while it runs; `name` names its files.
    pub(crate) fn live(&self, name: &str, arguments: &[&str]) -> Live {
        self.live_by(&[], name, arguments)
    }

    /// The same, by a program that sets the stage and then becomes it, such as `nohup`.
    pub(crate) fn live_by(&self, starters: &[&str], name: &str, arguments: &[&str]) -> Live {
        let command = self.command_by(&[starters, &[program().as_str()]].concat(), arguments);
        Live::start(command, self.path(&format!("{name}.stdout")), self.path(&format!("{name}.stderr")))
    }

    /// The last night was so many hours earlier than it was.
    pub(crate) fn hours_go_by(&self, hours: i64) {
        let kept = self.path("ledger.sqlite.notify");
        let mut state: Value = serde_json::from_str(&std::fs::read_to_string(&kept).unwrap()).unwrap();
        for key in ["began_ms", "ended_ms"] {
            state[key] = (state[key].as_i64().unwrap() - hours * 3_600_000).into();
        }
        std::fs::write(&kept, state.to_string()).unwrap();
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

    /// The only request that the service took.
    #[track_caller]
    pub(crate) fn body(&self) -> Value {
        let mut bodies = self.bodies();
        assert_eq!(bodies.len(), 1, "{bodies:#?}");
        bodies.remove(0).1
    }

    /// The request of one order.
    #[track_caller]
    pub(crate) fn body_of(&self, number: &str) -> Value {
        let found = self.bodies().into_iter().find(|(of, _)| of == number);
        found.unwrap_or_else(|| panic!("{number} is not booked")).1
    }

    /// Bookings of the service as (order number, AWB).
    pub(crate) fn bookings(&self) -> Vec<(String, String)> {
        self.sandbox().book().bookings().into_iter().map(|booking| (booking.order_number, booking.awb)).collect()
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
