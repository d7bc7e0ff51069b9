//! This program as a child, with nothing of the user's configuration around it.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Stdio;

use tokio::process::{Child, Command};

use super::{SelftestError, failed};
use crate::env;

/// How to start it.
#[derive(Debug)]
pub(super) struct Program {
    executable: PathBuf,
    folder: PathBuf,
    base_url: String,
    token: &'static str,
    ledger: PathBuf,
    password_command: Option<String>,
}

const HEADER: &str = "orderNumber,receiver.firstName,receiver.phoneNumber,destination.addressLine1,destination.city,\
destination.state,destination.countryCode,destination.pinCode,warehouseId,parcelAttributes.dimension.length,\
parcelAttributes.dimension.width,parcelAttributes.dimension.height,parcelAttributes.weight.weight,\
shippingProperties.orderType,productRequestsList.productName,productRequestsList.price,productRequestsList.quantity";

impl Program {
    pub(super) fn new(executable: PathBuf, folder: &Path, base_url: String, token: &'static str) -> Self {
        let ledger = folder.join("ledger.sqlite");
        Self { executable, folder: folder.to_owned(), base_url, token, ledger, password_command: None }
    }

    /// Books with a ledger that others have as well.
    pub(super) fn share(&mut self, ledger: PathBuf, password_command: Option<&str>) {
        self.ledger = ledger;
        self.password_command = password_command.map(str::to_owned);
    }

    /// The ledger on which it books.
    pub(super) fn ledger(&self) -> &Path {
        &self.ledger
    }

    /// What it said last.
    pub(super) fn said(&self) -> String {
        let text = fs::read_to_string(self.folder.join("said.txt")).unwrap_or_default();
        let lines: Vec<&str> = text.lines().collect();
        lines[lines.len().saturating_sub(3)..].join(" / ")
    }

    /// A sheet of one-line orders.
    pub(super) fn sheet(&self, numbers: &[String]) -> Result<PathBuf, SelftestError> {
        let mut text = format!("{HEADER}\n");
        for number in numbers {
            // Each of a person of its own. Writing into a string cannot fail.
            let letter = |c: char| c.to_digit(10).and_then(|digit| char::from_digit(digit + 10, 36)).unwrap_or('x');
            let name: String = number.chars().map(letter).collect();
            let phone =
                number.bytes().fold(7, |sum: u64, byte| (sum * 31 + u64::from(byte)) % 99_999_989) + 9_800_000_001;
            let _ = writeln!(
                text,
                "{number},Selftest {name},{phone},1 Test Road,Bengaluru,Karnataka,IN,560001,WH-1,10,10,10,0.5,PREPAID,Test {number},1.00,1"
            );
        }
        let path = self.folder.join("orders.csv");
        fs::write(&path, text).map_err(|source| failed("write a sheet beside the ledger", source))?;
        Ok(path)
    }

    /// Starts a command that books.
    pub(super) fn start(&self, words: &[&str], concurrency: u32) -> Result<Child, SelftestError> {
        let said = File::create(self.folder.join("said.txt")).map_err(|s| failed("write beside the ledger", s))?;
        let configuration = self.folder.join("shipsheet.toml");
        let mut booking = format!("[booking]\nmax_wait_seconds = 10\nconcurrency = {concurrency}\n");
        if let Some(password) = &self.password_command {
            // What it holds is written as JSON writes it, which TOML reads as well.
            let _ = writeln!(booking, "[ledger]\npassword_command = {}", serde_json::Value::from(password.as_str()));
        }
        fs::write(&configuration, booking).map_err(|s| failed("write beside the ledger", s))?;
        let mut command = Command::new(&self.executable);
        for name in env::names() {
            let word = name.to_string_lossy();
            if word.starts_with("SHIPSHEET_") || word.starts_with("XDG_") {
                command.env_remove(name);
            }
        }
        command
            .args(words)
            .arg("-y")
            .env("SHIPSHEET_CONFIG", &configuration)
            .env("SHIPSHEET_LEDGER", self.ledger())
            .env("SHIPSHEET_BASE_URL", &self.base_url)
            .env("SHIPSHEET_TOKEN", self.token)
            .envs([("HOME", &self.folder), ("APPDATA", &self.folder), ("LOCALAPPDATA", &self.folder)])
            .current_dir(&self.folder)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(said)
            .kill_on_drop(true);
        // A child has another home, and the passwords of databases lie in the user's own.
        for (variable, name) in [("PGPASSFILE", ".pgpass"), ("PGSERVICEFILE", ".pg_service.conf")] {
            if let (None, Some(home)) = (env::variable_os(variable), env::variable_os("HOME"))
                && Path::new(&home).join(name).exists()
            {
                command.env(variable, Path::new(&home).join(name));
            }
        }
        command.spawn().map_err(|source| failed("start this program as a child", source))
    }
}
