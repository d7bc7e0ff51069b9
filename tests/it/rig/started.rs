//! A PostgreSQL server that a test starts, with the programs that are installed. The ledger's own tests take this file as it is.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::PathBuf;
use std::process::{ChildStdin, ChildStdout, Command, Stdio};

/// Starts a server in a folder and says so, does what it is asked for until nobody writes to it any more, and removes all of it.
/// An interrupt at the terminal of the tests reaches this as well, which has to tidy up all the same.
const SCRIPT: &str = r#"set -e
trap '' HUP INT TERM
"$1/initdb" -D "$2/data" -U ledger -A trust -E UTF8 --locale=C --no-sync >/dev/null
begin() { "$1/pg_ctl" -D "$2/$3" -l "$2/log" -o "-k $2 -h '' -c max_connections=200 $SETTINGS" -w start >/dev/null; }
start() { begin "$1" "$2" data; }
standby() { "$1/pg_basebackup" -h "$2" -U ledger -D "$2/standby" -R -c fast --no-sync >/dev/null; }
promote() { rm -f "$2"/.s.PGSQL.5432*; begin "$1" "$2" standby; "$1/pg_ctl" -D "$2/standby" -w promote >/dev/null; }
start "$1" "$2"
echo ready
while read -r word; do "$word" "$1" "$2"; echo ready; done
for data in data standby; do "$1/pg_ctl" -D "$2/$data" -m immediate stop >/dev/null 2>&1 || true; done
rm -rf "$2"
"#;

/// Features that a server of tests can do without, because it is removed with all that it holds.
const SETTINGS: &str = "-c fsync=off -c full_page_writes=off -c autovacuum=off -c shared_buffers=16MB \
    -c max_wal_size=64MB -c min_wal_size=32MB -c dynamic_shared_memory_type=mmap";
/// A server that ends with this process, or when it is dropped.
pub(crate) struct Started {
    pub(crate) folder: PathBuf,
    pub(crate) programs: PathBuf,
    /// Closed when this process ends, however it ends.
    asked: ChildStdin,
    said: BufReader<ChildStdout>,
}

/// Where the newest installed server has its programs.
fn programs() -> Option<PathBuf> {
    let versions = std::fs::read_dir("/usr/lib/postgresql").ok()?.flatten().map(|entry| entry.path().join("bin"));
    versions.filter(|folder| folder.join("initdb").exists()).max()
}

impl Started {
    /// With settings of its own, as arguments of the server; none, said plainly, where PostgreSQL is not installed.
    pub(crate) fn with(settings: &str) -> Option<Self> {
        let Some(programs) = programs() else {
            assert!(std::env::var_os("SHIPSHEET_POSTGRES").is_none(), "no PostgreSQL is installed");
            // Past the test harness, which keeps the output of what passes.
            let _ = writeln!(std::io::stderr(), "skipped: no PostgreSQL is installed");
            return None;
        };
        let folder = tempfile::Builder::new().prefix("shipsheet-pg-").tempdir_in(super::spacious()).unwrap().keep();
        // A server does not run for root.
        let is_root = rustix::process::geteuid().is_root();
        let mut command = Command::new(if is_root { "setpriv" } else { "sh" });
        if is_root {
            std::os::unix::fs::chown(&folder, Some(65534), Some(65534)).unwrap();
            command.args(["--reuid=65534", "--regid=65534", "--clear-groups", "sh"]);
        }
        command
            .args(["-c", SCRIPT, "sh"])
            .arg(&programs)
            .arg(&folder)
            .env("SETTINGS", format!("{SETTINGS} {settings}"));
        #[expect(clippy::zombie_processes, reason = "it outlives this value by a moment, to tidy up")]
        let mut child =
            command.current_dir("/").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("a shell is there");
        let (asked, said) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        let mut started = Self { folder, programs, asked, said };
        started.is_ready();
        Some(started)
    }

    fn is_ready(&mut self) {
        let mut said = String::new();
        self.said.read_line(&mut said).unwrap();
        let log = || std::fs::read_to_string(self.folder.join("log")).unwrap_or_default();
        assert_eq!(said.trim(), "ready", "{}", log());
    }

    /// Asks for `start`, for a `standby` that knows what the server knows by now, or for its promotion (`promote`) in the place of
    /// a server that was killed.
    pub(crate) fn asks(&mut self, what: &str) {
        writeln!(self.asked, "{what}").unwrap();
        self.is_ready();
    }

    /// The address of one of its databases.
    pub(crate) fn address(&self, database: &str) -> String {
        format!("postgres://ledger@/{database}?host={}", self.folder.display())
    }
}
