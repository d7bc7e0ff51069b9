//! PostgreSQL servers that tests start themselves, with the programs that are installed.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use shipsheet::ledger::{Address, Ledger, Site};

use super::started::Started;
use super::{Ran, Rig, ran};

/// Databases that were made, each for one ledger.
static MADE: AtomicU32 = AtomicU32::new(0);

/// The database that new ones are copies of, at the server of all tests.
const EMPTY: &str = "empty";

/// A server that ends with this process, or when it is dropped.
pub(crate) struct Postgres {
    started: Started,
    /// Whether it has a ledger in which nothing has happened yet, to be copied.
    is_copied: bool,
}

/// A database for one ledger.
pub(crate) struct Database {
    pub(crate) address: String,
    name: String,
    folder: PathBuf,
    programs: PathBuf,
}

/// A name for a database.
fn name() -> String {
    format!("ledger_{}", MADE.fetch_add(1, Ordering::Relaxed))
}

impl Postgres {
    /// The server of all tests that leave it alone; none, said plainly, where PostgreSQL is not installed.
    pub(crate) fn shared() -> Option<&'static Self> {
        static SERVER: OnceLock<Option<Postgres>> = OnceLock::new();
        SERVER.get_or_init(|| Self::own().map(Self::with_copies)).as_ref()
    }

    /// Sets up the ledger that all others are copies of.
    fn with_copies(self) -> Self {
        let database = self.copied(EMPTY, "template1");
        let address = Address::parse(&database.address, None).unwrap();
        drop(Ledger::open_at(&Site::Server { address, beside: self.started.folder.join(EMPTY) }).unwrap());
        Self { is_copied: true, ..self }
    }

    /// A server of a test's own.
    pub(crate) fn own() -> Option<Self> {
        Self::with("")
    }

    /// The same with settings of its own, as arguments of the server.
    pub(crate) fn with(settings: &str) -> Option<Self> {
        Some(Self { started: Started::with(settings)?, is_copied: false })
    }

    /// A database for one ledger whose tables lie on this disk.
    pub(crate) fn database_on(&self, disk: &Path) -> Database {
        let database = self.database();
        database.sql_in("postgres", &format!("CREATE TABLESPACE small LOCATION '{}'", disk.display()));
        database.sql_in("postgres", &format!("ALTER DATABASE {} SET TABLESPACE small", database.name));
        database
    }

    /// A database for one ledger. At the server of all tests that ledger is set up, with an identity of its own.
    pub(crate) fn database(&self) -> Database {
        if !self.is_copied {
            return self.bare_database();
        }
        let database = self.copied(&name(), EMPTY);
        // The guard of identities is for those that know one already.
        let own = "SET session_replication_role = replica;
            UPDATE identity SET id = replace(gen_random_uuid()::text, '-', '')";
        database.sql(own);
        database
    }

    /// A database without a ledger.
    pub(crate) fn bare_database(&self) -> Database {
        self.copied(&name(), "template1")
    }

    /// A copy of a database.
    fn copied(&self, name: &str, of: &str) -> Database {
        let (folder, programs) = (self.started.folder.clone(), self.started.programs.clone());
        let database = Database { address: self.started.address(name), name: name.to_owned(), folder, programs };
        database.sql_in("postgres", &format!("CREATE DATABASE {name} TEMPLATE {of}"));
        database
    }

    /// The address of one of its databases, for a login.
    pub(crate) fn address(&self, database: &str, login: &str) -> String {
        self.started.address(database).replace("ledger@", &format!("{login}@"))
    }

    /// What the server's administrator types into a shell.
    pub(crate) fn administers(&self, script: &str) -> Ran {
        let path = std::env::join_paths([self.started.programs.clone(), "/usr/bin".into(), "/bin".into()]).unwrap();
        let mut shell = Command::new("sh");
        shell.args(["-ec", script]).current_dir(env!("CARGO_MANIFEST_DIR"));
        shell.env("PATH", path).env("PGHOST", &self.started.folder).env("PGUSER", "ledger");
        ran(shell)
    }

    /// Ends the server as `kill -9` does, with all that it has started.
    pub(crate) fn kill(&self) {
        let pid = std::fs::read_to_string(self.started.folder.join("data/postmaster.pid")).unwrap();
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
        self.started.asks(what);
    }
}

impl Database {
    /// What statements print.
    pub(crate) fn sql(&self, sql: &str) -> String {
        self.sql_in(&self.name, &format!("SET search_path = shipsheet; {sql}"))
    }

    /// Waits until a condition holds, which the server itself looks at again and again, for a minute at most.
    #[track_caller]
    pub(crate) fn wait_until(&self, what: &str, condition: &str) {
        self.sql(&format!(
            "DO $$ BEGIN
                FOR i IN 1..6000 LOOP EXIT WHEN {condition}; PERFORM pg_sleep(0.01); END LOOP;
                ASSERT {condition}, 'waited in vain: {what}';
            END $$"
        ));
    }

    /// Runs what is too long for an argument.
    pub(crate) fn script(&self, sql: &str) {
        let mut script = tempfile::NamedTempFile::new().unwrap();
        script.write_all(sql.as_bytes()).unwrap();
        let mut psql = Command::new(self.programs.join("psql"));
        psql.args(["-XAtq", "-v", "ON_ERROR_STOP=1", "-U", "ledger", "-d", &self.name, "-h"]).arg(&self.folder);
        let ran = psql.arg("-f").arg(script.path()).output().unwrap();
        assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
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
