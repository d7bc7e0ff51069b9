//! PostgreSQL servers that tests start themselves, with the programs that are installed.

use std::io::{BufRead, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{ChildStdin, Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use super::Rig;

/// Starts a server in a folder and says so, then waits until nobody writes to it any more, and removes all of it.
const SCRIPT: &str = r#"set -e
[ -d "$2/data" ] || "$1/initdb" -D "$2/data" -U ledger -A trust -E UTF8 --locale=C --no-sync >/dev/null
start() { "$1/pg_ctl" -D "$2/data" -l "$2/log" -o "-k $2 -h '' -c fsync=off -c max_connections=60" -w start >/dev/null; }
start "$1" "$2"
echo ready
while read -r word; do start "$1" "$2"; echo ready; done
"$1/pg_ctl" -D "$2/data" -m immediate stop >/dev/null || true
rm -rf "$2"
"#;

/// Databases that were made, each for one ledger.
static MADE: AtomicU32 = AtomicU32::new(0);

/// A server that ends with this process, or when it is dropped.
pub(crate) struct Postgres {
    folder: PathBuf,
    programs: PathBuf,
    /// Closed when this process ends, however it ends.
    asked: ChildStdin,
    said: BufReader<std::process::ChildStdout>,
}

/// A database for one ledger.
pub(crate) struct Database {
    pub(crate) address: String,
    name: String,
    folder: PathBuf,
    programs: PathBuf,
}

/// Where the newest installed server has its programs.
fn programs() -> Option<PathBuf> {
    let versions = std::fs::read_dir("/usr/lib/postgresql").ok()?.flatten().map(|entry| entry.path().join("bin"));
    versions.filter(|folder| folder.join("initdb").exists()).max()
}

impl Postgres {
    /// The server of all tests that leave it alone; none, said plainly, where PostgreSQL is not installed.
    pub(crate) fn shared() -> Option<&'static Self> {
        static SERVER: OnceLock<Option<Postgres>> = OnceLock::new();
        SERVER.get_or_init(Self::own).as_ref()
    }

    /// A server of a test's own.
    pub(crate) fn own() -> Option<Self> {
        let Some(programs) = programs() else {
            assert!(std::env::var_os("SHIPSHEET_POSTGRES").is_none(), "no PostgreSQL is installed");
            // Past the test harness, which keeps the output of what passes.
            let _ = writeln!(std::io::stderr(), "skipped: no PostgreSQL is installed");
            return None;
        };
        Some(Self::start(programs))
    }

    fn start(programs: PathBuf) -> Self {
        let folder = tempfile::Builder::new().prefix("shipsheet-pg-").tempdir().unwrap().keep();
        // A server does not run for root.
        let is_root = rustix::process::geteuid().is_root();
        let mut command = Command::new(if is_root { "setpriv" } else { "sh" });
        if is_root {
            std::os::unix::fs::chown(&folder, Some(65534), Some(65534)).unwrap();
            command.args(["--reuid=65534", "--regid=65534", "--clear-groups", "sh"]);
        }
        command.args(["-c", SCRIPT, "sh"]).arg(&programs).arg(&folder);
        #[expect(clippy::zombie_processes, reason = "it outlives this value by a moment, to tidy up")]
        let mut child =
            command.current_dir("/").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("a shell is there");
        let (asked, said) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        let mut postgres = Self { folder, programs, asked, said };
        postgres.is_ready();
        postgres
    }

    fn is_ready(&mut self) {
        let mut said = String::new();
        self.said.read_line(&mut said).unwrap();
        let log = || std::fs::read_to_string(self.folder.join("log")).unwrap_or_default();
        assert_eq!(said.trim(), "ready", "{}", log());
    }

    /// A database for one ledger.
    pub(crate) fn database(&self) -> Database {
        let name = format!("ledger_{}", MADE.fetch_add(1, Ordering::Relaxed));
        let address = format!("postgres://ledger@/{name}?host={}", self.folder.display());
        let (folder, programs) = (self.folder.clone(), self.programs.clone());
        let database = Database { address, name, folder, programs };
        database.sql_in("postgres", &format!("CREATE DATABASE {}", database.name));
        database
    }

    /// Ends the server as `kill -9` does, with all that it has started.
    pub(crate) fn kill(&self) {
        let pid = std::fs::read_to_string(self.folder.join("data/postmaster.pid")).unwrap();
        let pid: i32 = pid.lines().next().unwrap().parse().unwrap();
        let children = Command::new("pgrep").args(["-P", &pid.to_string()]).output().unwrap().stdout;
        let children = String::from_utf8(children).unwrap();
        for pid in std::iter::once(pid).chain(children.lines().map(|line| line.parse().unwrap())) {
            let pid = rustix::process::Pid::from_raw(pid).unwrap();
            // One that has ended meanwhile needs no end.
            let _ = rustix::process::kill_process(pid, rustix::process::Signal::KILL);
        }
    }

    /// Starts it again, with what it had kept.
    pub(crate) fn start_again(&mut self) {
        writeln!(self.asked, "start").unwrap();
        self.is_ready();
    }
}

impl Database {
    /// What statements print.
    pub(crate) fn sql(&self, sql: &str) -> String {
        self.sql_in(&self.name, &format!("SET search_path = shipsheet; {sql}"))
    }

    fn sql_in(&self, name: &str, sql: &str) -> String {
        let mut psql = Command::new(self.programs.join("psql"));
        psql.args(["-XAtq", "-v", "ON_ERROR_STOP=1", "-U", "ledger", "-d", name, "-h"]).arg(&self.folder);
        let ran = psql.args(["-c", sql]).output().unwrap();
        assert!(ran.status.success(), "{sql}: {}", String::from_utf8_lossy(&ran.stderr));
        String::from_utf8(ran.stdout).unwrap().trim().to_owned()
    }

    /// All of it, as `pg_dump` writes it.
    pub(crate) fn dump(&self) -> String {
        let mut dump = Command::new(self.programs.join("pg_dump"));
        dump.args(["-U", "ledger", "-n", "shipsheet", "-h"]).arg(&self.folder).arg(&self.name);
        let ran = dump.output().unwrap();
        assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
        String::from_utf8(ran.stdout).unwrap()
    }

    /// Puts a dump in its place.
    pub(crate) fn restore(&self, dump: &str) {
        self.sql_in(&self.name, "DROP SCHEMA shipsheet CASCADE");
        let mut psql = Command::new(self.programs.join("psql"));
        psql.args(["-Xq", "-v", "ON_ERROR_STOP=1", "-U", "ledger", "-d", &self.name, "-h"]).arg(&self.folder);
        let mut child = psql.stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(dump.as_bytes()).unwrap();
        assert!(child.wait().unwrap().success());
    }

    /// Where the server listens.
    pub(crate) fn socket(&self) -> PathBuf {
        self.folder.join(".s.PGSQL.5432")
    }

    /// The same ledger by a port of this machine.
    pub(crate) fn by_port(&self, port: u16) -> String {
        format!("postgres://ledger@127.0.0.1:{port}/{}", self.name)
    }

    /// A station of its own with this ledger, for the service of a rig.
    pub(crate) fn station(&self, service: &str) -> Rig {
        Rig::with_ledger(service, &self.address)
    }
}

/// The folder in which a station keeps what lies beside its ledger.
pub(crate) fn beside(rig: &Rig) -> PathBuf {
    let stations = rig.path(".local/share/shipsheet/stations");
    let mut folders = std::fs::read_dir(&stations).unwrap().map(|entry| entry.unwrap().path());
    let folder = folders.next().unwrap();
    assert!(folders.next().is_none(), "{}", stations.display());
    Path::new(&folder).join("ledger")
}
