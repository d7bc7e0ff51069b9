//! PostgreSQL servers that tests start themselves, with the programs that are installed.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use super::started::Started;
use super::{Ran, Rig, ran};

/// Databases that were made, each for one ledger.
static MADE: AtomicU32 = AtomicU32::new(0);

/// A server that ends with this process, or when it is dropped.
pub(crate) struct Postgres(Started);

/// A database for one ledger.
pub(crate) struct Database {
    pub(crate) address: String,
    name: String,
    folder: PathBuf,
    programs: PathBuf,
}

impl Postgres {
    /// The server of all tests that leave it alone; none, said plainly, where PostgreSQL is not installed.
    pub(crate) fn shared() -> Option<&'static Self> {
        static SERVER: OnceLock<Option<Postgres>> = OnceLock::new();
        SERVER.get_or_init(Self::own).as_ref()
    }

    /// A server of a test's own.
    pub(crate) fn own() -> Option<Self> {
        Started::new().map(Self)
    }

    /// The same with settings of its own, as arguments of the server.
    pub(crate) fn with(settings: &str) -> Option<Self> {
        Started::with(&format!("-c fsync=off {settings}")).map(Self)
    }

    /// A database for one ledger whose tables lie on this disk.
    pub(crate) fn database_on(&self, disk: &Path) -> Database {
        let database = self.database();
        database.sql_in("postgres", &format!("CREATE TABLESPACE small LOCATION '{}'", disk.display()));
        database.sql_in("postgres", &format!("ALTER DATABASE {} SET TABLESPACE small", database.name));
        database
    }

    /// A database for one ledger.
    pub(crate) fn database(&self) -> Database {
        let name = format!("ledger_{}", MADE.fetch_add(1, Ordering::Relaxed));
        let address = self.0.address(&name);
        let (folder, programs) = (self.0.folder.clone(), self.0.programs.clone());
        let database = Database { address, name, folder, programs };
        database.sql_in("postgres", &format!("CREATE DATABASE {}", database.name));
        database
    }

    /// The address of one of its databases, for a login.
    pub(crate) fn address(&self, database: &str, login: &str) -> String {
        self.0.address(database).replace("ledger@", &format!("{login}@"))
    }

    /// What the server's administrator types into a shell.
    pub(crate) fn administers(&self, script: &str) -> Ran {
        let path = std::env::join_paths([self.0.programs.clone(), "/usr/bin".into(), "/bin".into()]).unwrap();
        let mut shell = Command::new("sh");
        shell.args(["-ec", script]).current_dir(env!("CARGO_MANIFEST_DIR"));
        shell.env("PATH", path).env("PGHOST", &self.0.folder).env("PGUSER", "ledger");
        ran(shell)
    }

    /// Ends the server as `kill -9` does, with all that it has started.
    pub(crate) fn kill(&self) {
        let pid = std::fs::read_to_string(self.0.folder.join("data/postmaster.pid")).unwrap();
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
        self.asks("start");
    }

    /// Asks for what [`Started::asks`] takes.
    pub(crate) fn asks(&mut self, what: &str) {
        self.0.asks(what);
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
