//! How a station gets into a server: over a connection that is verified, and with a password that nobody is told.

use std::io::Write as _;
use std::net::TcpStream;
use std::os::unix::fs::{PermissionsExt, chown};
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicU8, Ordering};

use tempfile::TempDir;

use crate::rig::postgres::{Database, Postgres};
use crate::rig::{Ran, Rig, ran, sheet_of};

use super::away::Wire;
use super::{address, assert_nothing_lost};

/// Who may come, and how: the owner by the socket or with TLS, stations with a password.
const COMES: &str = "local all all trust\nhostssl all ledger all trust\nhost all packing all scram-sha-256\n";

/// Servers that were made.
static MADE: AtomicU8 = AtomicU8::new(0);

/// A server that listens at an address of this machine, with TLS.
struct Guarded {
    postgres: Postgres,
    /// What leads there, from a port of its own.
    wire: Wire,
    /// The certificates, and the keys that made them.
    folder: TempDir,
}

fn openssl(folder: &Path, arguments: &str) {
    let mut command = Command::new("openssl");
    command.current_dir(folder).args(arguments.split(' '));
    ran(command).exits(0);
}

/// Makes an authority.
fn authority(folder: &Path, name: &str) {
    let key = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2";
    openssl(folder, &format!("req -x509 {key} -keyout {name}.key -out {name}.pem -subj /CN={name}"));
}

/// Makes the server's certificate.
fn certificate(folder: &Path, authority: &str, host: &str) {
    let key = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes";
    openssl(folder, &format!("req {key} -keyout server.key -out server.csr -subj /CN={host}"));
    std::fs::write(folder.join("hosts"), format!("subjectAltName=DNS:{host}\n")).unwrap();
    let by = format!("-CA {authority}.pem -CAkey {authority}.key -CAcreateserial -days 2 -extfile hosts");
    openssl(folder, &format!("x509 -req -in server.csr {by} -out server.pem"));
}

impl Guarded {
    /// None, said plainly, where there is no PostgreSQL or no openssl.
    fn new() -> Option<Self> {
        if Command::new("openssl").arg("version").output().is_err() {
            let _ = writeln!(std::io::stderr(), "skipped: no openssl is installed");
            return None;
        }
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path();
        authority(path, "own");
        authority(path, "other");
        certificate(path, "own", "localhost");
        std::fs::write(path.join("hba.conf"), COMES).unwrap();
        std::fs::set_permissions(path.join("server.key"), PermissionsExt::from_mode(0o600)).unwrap();
        if rustix::process::geteuid().is_root() {
            // The server does not run for root.
            for file in [path, &path.join("server.key")] {
                chown(file, Some(65534), Some(65534)).unwrap();
            }
        }
        // An address of its own, by this process and the servers that it made: no port has to be found that is free.
        let [low, middle, high, _] = std::process::id().to_le_bytes();
        let of_servers = 1 + high % 64 + 64 * (MADE.fetch_add(1, Ordering::Relaxed) % 3);
        let here = format!("127.{of_servers}.{middle}.{low}");
        let path = path.display();
        let postgres = Postgres::with(&format!(
            "-h {here} -c ssl=on -c ssl_cert_file={path}/server.pem -c ssl_key_file={path}/server.key \
             -c hba_file={path}/hba.conf"
        ))?;
        let wire = Wire::to(move || TcpStream::connect((here.as_str(), 5_432)));
        Some(Self { postgres, wire, folder })
    }

    /// Its ledger, as the host is called.
    fn address(&self, database: &Database, user: &str, host: &str, settings: &str) -> String {
        let address = database.by_port(self.wire.port);
        format!("{}{settings}", address.replace("ledger@127.0.0.1", &format!("{user}@{host}")))
    }

    /// A certificate or a key.
    fn file(&self, name: &str) -> String {
        self.folder.path().join(name).display().to_string()
    }
}

#[test]
fn a_server_is_believed_by_its_authority_and_its_name() {
    let Some(guarded) = Guarded::new() else { return };
    let (service, database) = (Rig::new(), guarded.postgres.database());
    let verified = |host: &str, authority: &str| {
        let settings = format!("?sslmode=verify-full&sslrootcert={}", guarded.file(authority));
        let ledger = guarded.address(&database, "ledger", host, &settings);
        let station = Rig::with_ledger(&address(&service), &ledger);
        station.file("orders.csv", &sheet_of(3));
        station.run(&["import", "orders.csv", "--yes"])
    };
    let refused = |ran: &Ran, why: &str| {
        ran.exits(1).says("cannot be reached").says(why);
        assert_eq!(service.sandbox().book().requests(), 0, "nothing is sent");
        assert_eq!(database.sql("SELECT count(*) FROM pg_namespace WHERE nspname = 'shipsheet'"), "0");
    };
    refused(&verified("localhost", "other.pem"), "certificate");
    refused(&verified("127.0.0.1", "own.pem"), "certificate");
    verified("localhost", "own.pem").exits(0);
    assert_eq!(assert_nothing_lost(&service, &database, 3), 0);
}

#[test]
fn a_password_is_taken_from_a_file_or_a_command_and_told_to_nobody() {
    let Some(guarded) = Guarded::new() else { return };
    let (service, database) = (Rig::new(), guarded.postgres.database());
    let owner = database.station(&address(&service));
    owner.file("first.csv", &sheet_of(1));
    owner.run(&["import", "first.csv", "--yes"]).exits(0);
    database.sql(include_str!("../../../templates/ledger/roles.sql"));
    database.sql("CREATE ROLE packing LOGIN PASSWORD 'geheim-7'; GRANT shipsheet_station TO packing");
    let ledger = guarded.address(&database, "packing", "localhost", "");
    let by_file = |password: &str, orders: usize| {
        let station = Rig::with_ledger(&address(&service), &ledger);
        station.file("orders.csv", &sheet_of(orders));
        station.file("passwords", &format!("localhost:{}:*:packing:{password}\n", guarded.wire.port));
        std::fs::set_permissions(station.path("passwords"), PermissionsExt::from_mode(0o600)).unwrap();
        let mut command = station.command(&["import", "orders.csv", "--yes"]);
        command.env("PGPASSFILE", station.path("passwords"));
        ran(command)
    };
    let by_command = |password: &str, orders: usize| {
        let station = Rig::beside(&address(&service));
        station.file("orders.csv", &sheet_of(orders));
        let text = format!("[ledger]\nfile = \"{ledger}\"\npassword_command = \"echo {password}\"\n");
        station.file("own.toml", &text);
        let mut command = station.command(&["import", "orders.csv", "--yes", "--config", "own.toml"]);
        command.env_remove("SHIPSHEET_LEDGER");
        ran(command)
    };
    let import = |way: &str, password: &str, orders: usize| match way {
        "file" => by_file(password, orders),
        _ => by_command(password, orders),
    };
    for (way, orders) in [("file", 3), ("command", 5)] {
        let requests = service.sandbox().book().requests();
        let refused = import(way, "falsch-8", orders);
        refused.exits(1).says("password authentication failed for user \"packing\"");
        refused.says_nothing_of("falsch-8").prints_nothing_of("falsch-8");
        assert_eq!(service.sandbox().book().requests(), requests, "{way}");
        let booked = import(way, "geheim-7", orders);
        booked.exits(0).says_nothing_of("geheim-7").prints_nothing_of("geheim-7");
        assert_eq!(assert_nothing_lost(&service, &database, orders), 0, "{way}");
    }
    // Without one nobody comes in.
    let station = Rig::with_ledger(&address(&service), &ledger);
    station.run(&["status"]).exits(1).says("asks for the password of the login packing").says("~/.pgpass");
}

/// The commands of a section of the page on stations.
fn documented(section: &str) -> Vec<String> {
    let page = include_str!("../../../docs/stations.md");
    let (_, behind) = page.split_once(&format!("## {section}\n")).unwrap();
    let own = behind.split("\n## ").next().unwrap();
    own.split("```bash\n").skip(1).map(|block| block.split("```").next().unwrap().to_owned()).collect()
}

#[test]
fn owner_station_and_reader_come_as_the_page_says_and_each_is_told_what_right_it_lacks() {
    let Some(postgres) = Postgres::own() else { return };
    let service = Rig::new();
    let by = |login: &str| {
        let station = Rig::with_ledger(&address(&service), &postgres.address("orders", login));
        station.file("orders.csv", &sheet_of(2));
        station
    };
    let import = ["import", "orders.csv", "--yes"];
    let administers = |script: &str| {
        let ran = postgres.administers(script);
        assert_eq!(ran.exit, 0, "{script}: {ran:?}");
    };
    let refused = |login: &str, command: &[&str], why: &str| {
        let before = service.sandbox().book().requests();
        by(login).run(command).exits(1).says(why).says_nothing_of("read-only");
        assert_eq!(service.sandbox().book().requests(), before);
    };
    administers(&documented("Set up in ten minutes")[0]);
    administers("createuser stranger");
    refused("stranger", &import, "only the database's owner may: the login stranger may not: permission denied");
    by("shipsheet_owner").run(&import).exits(0);
    for command in [&import[..], &["status"]] {
        refused("stranger", command, "a right is missing in the ledger's database: the login stranger may not");
        refused("stranger", command, "GRANT shipsheet_station TO that login");
    }
    let roles = documented("Roles");
    for script in &roles {
        administers(script);
    }
    administers("createuser looking; psql -d orders -c 'GRANT shipsheet_reader TO looking'");
    by("packing").run(&import).exits(0).says_nothing_of("error");
    by("looking").run(&["status"]).exits(0).prints("2 already booked");
    refused("looking", &import, "the login looking may not: permission denied for table stations");
    administers("psql -d orders -c 'ALTER ROLE packing SET default_transaction_read_only = on'");
    by("packing").run(&import).exits(1).says("takes no writes").says("it is a standby");
    // Without a role, which an owner cannot make.
    administers("psql -d orders -c 'DROP OWNED BY shipsheet_reader; DROP ROLE shipsheet_reader'");
    let ran = postgres.administers(&roles[0]);
    assert!(ran.exit != 0 && ran.stderr.contains("CREATE ROLE shipsheet_reader NOLOGIN"), "{ran:?}");
}
