//! While the database is away nothing new is sent, and no answer is lost; and a database that knows less is noticed.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use shipsheet::sandbox::Answer;

use crate::rig::postgres::{Database, Postgres};
use crate::rig::{Rig, row, sheet, sheet_of, wait_until};

use super::{address, assert_nothing_lost, with_database};

/// Long enough for what happens while an order is on its way.
pub(super) const MEANWHILE: Duration = Duration::from_secs(2);

#[test]
fn answers_that_come_while_the_server_is_killed_are_kept_and_taken_up() {
    let Some(mut postgres) = Postgres::own() else { return };
    let (service, database) = (Rig::new(), postgres.database());
    let station = database.station(&address(&service));
    station.file("orders.csv", &sheet_of(8));
    service.sandbox().script_order("ORD-0002", [Answer::BookedSilent(MEANWHILE)]);
    let import = station.live("import", &["import", "orders.csv", "--yes", "--concurrency", "2"]);
    wait_until("the second order is on its way", || service.sandbox().book().requests() >= 2);
    postgres.kill();
    let ran = import.end();
    assert!(matches!(ran.exit, 5 | 6), "{ran:?}");
    ran.says("cannot be reached");
    let requests = service.sandbox().book().requests();
    station.run(&["resume", "--yes"]).exits(1).says("cannot be reached");
    assert_eq!(service.sandbox().book().requests(), requests, "nothing new is sent");
    postgres.start_again();
    let resumed = station.run(&["resume", "--yes"]);
    assert!(matches!(resumed.exit, 0 | 6), "{resumed:?}");
    // One for each order that was on its way.
    assert!(assert_nothing_lost(&service, &database, 8) <= 2);
}

#[test]
fn a_run_that_lost_its_server_counts_what_it_saw() {
    let Some(mut postgres) = Postgres::own() else { return };
    let (service, database) = (Rig::new(), postgres.database());
    let station = database.station(&address(&service));
    station.file("orders.csv", &sheet_of(8));
    service.sandbox().script_order("ORD-0002", [Answer::BookedSilent(MEANWHILE)]);
    let how = ["import", "orders.csv", "--yes", "--concurrency", "2", "--format", "json"];
    let import = station.live("import", &how);
    let booked = || database.sql("SELECT count(*) FROM orders WHERE state = 'booked'").parse::<u64>().unwrap();
    wait_until("the second order is on its way", || service.sandbox().book().requests() >= 2);
    database.wait_until("others are booked meanwhile", "(SELECT count(*) FROM orders WHERE state = 'booked') >= 3");
    postgres.kill();
    let ran = import.end();
    ran.says("only what this process saw").says_nothing_of("make room").exits(6);
    let document: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    let of = |state: &str| document["orders"][state].as_u64().unwrap();
    assert!(of("booked") >= 3 && of("in_doubt") >= 1, "{document:#}");
    assert_eq!(of("booked") + of("in_doubt") + of("outstanding"), of("total"), "{document:#}");
    postgres.start_again();
    assert_eq!(of("booked"), booked(), "the ledger knows no more and no less");
}

#[test]
fn connections_that_the_server_ends_cost_no_order() {
    let Some((service, database)) = with_database() else { return };
    let station = database.station(&address(&service));
    station.file("orders.csv", &sheet_of(30));
    for round in 0..4 {
        let begun = service.sandbox().book().requests();
        let arguments: &[&str] = if round == 0 { &["import", "orders.csv"] } else { &["resume"] };
        let live = station.live("run", &[arguments, &["--yes", "--concurrency", "2"]].concat());
        wait_until("some are sent", || service.sandbox().book().requests() >= (begun + 4).min(30));
        database.sql(
            "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
                WHERE datname = current_database() AND pid <> pg_backend_pid()",
        );
        let ran = live.end();
        assert!(matches!(ran.exit, 0 | 1 | 5 | 6), "{ran:?}");
    }
    let last = station.run(&["resume", "--yes"]);
    assert!(matches!(last.exit, 0 | 6), "{last:?}");
    assert!(assert_nothing_lost(&service, &database, 30) <= 8);
    station.run(&["ledger", "check"]).exits(0);
}

/// A wire between a station and its server that can be cut.
pub(super) struct Wire {
    pub(super) port: u16,
    is_cut: Arc<AtomicBool>,
    /// Nothing gets to the server any more.
    pub(super) is_mute: Arc<AtomicBool>,
    /// Nothing comes from the server any more.
    pub(super) is_deaf: Arc<AtomicBool>,
}

impl Wire {
    /// To whatever is reached so.
    pub(super) fn to<S: Ends>(reach: impl Fn() -> std::io::Result<S> + Send + 'static) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        let [is_cut, is_mute, is_deaf] = [(); 3].map(|()| Arc::<AtomicBool>::default());
        let (cut, mute, deaf) = (Arc::clone(&is_cut), Arc::clone(&is_mute), Arc::clone(&is_deaf));
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                if cut.load(Ordering::SeqCst) {
                    continue;
                }
                let Ok(server) = reach() else { continue };
                let (from, to) = (client.again(), server.again());
                let (there, back) = ((Arc::clone(&cut), Arc::clone(&mute)), (Arc::clone(&cut), Arc::clone(&deaf)));
                thread::spawn(move || pass(from, to, &there));
                thread::spawn(move || pass(server, client, &back));
            }
        });
        Self { port, is_cut, is_mute, is_deaf }
    }
}

pub(super) trait Ends: Read + Write + Send + 'static {
    fn end(&self);
    /// The same once more.
    fn again(&self) -> Self;
}

impl Ends for TcpStream {
    fn end(&self) {
        let _ = self.shutdown(Shutdown::Both);
    }

    fn again(&self) -> Self {
        self.try_clone().unwrap()
    }
}

impl Ends for UnixStream {
    fn end(&self) {
        let _ = self.shutdown(Shutdown::Both);
    }

    fn again(&self) -> Self {
        self.try_clone().unwrap()
    }
}

/// Passes on what comes until the wire is cut; what comes while it swallows everything is gone.
fn pass(mut from: impl Ends, mut to: impl Ends, (is_cut, swallows): &(Arc<AtomicBool>, Arc<AtomicBool>)) {
    let mut buffer = vec![0; 65_536];
    while let Ok(length @ 1..) = from.read(&mut buffer) {
        if is_cut.load(Ordering::SeqCst) {
            break;
        }
        if !swallows.load(Ordering::SeqCst) && to.write_all(&buffer[..length]).is_err() {
            break;
        }
    }
    from.end();
    to.end();
}

pub(super) fn over_wire(service: &Rig, database: &Database) -> (Rig, Wire) {
    let socket = database.socket();
    let wire = Wire::to(move || UnixStream::connect(&socket));
    (Rig::with_ledger(&address(service), &database.by_port(wire.port)), wire)
}

#[test]
fn a_wire_that_is_cut_stops_the_run_and_loses_nothing() {
    let Some((service, database)) = with_database() else { return };
    let (station, wire) = over_wire(&service, &database);
    station.file("orders.csv", &sheet_of(12));
    service.sandbox().script_order("ORD-0003", [Answer::BookedSilent(MEANWHILE)]);
    let live = station.live("import", &["import", "orders.csv", "--yes", "--concurrency", "2"]);
    wait_until("some are sent", || service.sandbox().book().requests() >= 3);
    wire.is_cut.store(true, Ordering::SeqCst);
    let ran = live.end();
    assert!(matches!(ran.exit, 5 | 6), "{ran:?}");
    wire.is_cut.store(false, Ordering::SeqCst);
    let resumed = station.run(&["resume", "--yes"]);
    assert!(matches!(resumed.exit, 0 | 6), "{resumed:?}");
    assert!(assert_nothing_lost(&service, &database, 12) <= 2);
}

/// Promise 10: a restored backup books nothing before a person accepts it.
#[test]
fn an_older_database_is_refused_until_a_person_accepts_it() {
    let Some((service, database)) = with_database() else { return };
    let station = database.station(&address(&service));
    station.file("orders.csv", &sheet_of(2));
    station.run(&["import", "orders.csv", "--yes"]).exits(0);
    // What was booked since is gone, as with a dump that was restored over it.
    let earlier = database.dump();
    station.file("more.csv", &sheet_of(4));
    station.run(&["import", "more.csv", "--yes"]).exits(0);
    database.restore(&earlier);
    let requests = service.sandbox().book().requests();
    for command in [&["import", "more.csv", "--yes"][..], &["resume", "--yes"]] {
        station.run(command).exits(1).says("is older than it was").says("ledger accept");
    }
    assert_eq!(service.sandbox().book().requests(), requests, "nothing is sent again");
    // Another station, which remembers nothing of it, sees that these are other tables.
    let other = database.station(&address(&service));
    other.file("more.csv", &sheet_of(4));
    other.run(&["import", "more.csv", "--yes"]).exits(1).says("is not the one that it was in");
    assert_eq!(service.sandbox().book().requests(), requests, "nothing is sent again");
    station.run(&["ledger", "accept", "--because", "the rest was looked up in the portal", "--yes"]).exits(0);
    station.run(&["status"]).exits(0);
}

/// A station, with a sheet of so many orders.
fn station_with(service: &Rig, database: &Database, orders: usize) -> Rig {
    let station = database.station(&address(service));
    station.file("orders.csv", &sheet_of(orders));
    station
}

#[test]
fn a_restored_database_is_accepted_once_for_the_stations_that_knew_no_more_of_it() {
    let Some((service, database)) = with_database() else { return };
    let import = ["import", "orders.csv", "--yes"];
    let [first, second, third] = [4, 6, 8].map(|orders| station_with(&service, &database, orders));
    station_with(&service, &database, 2).run(&import).exits(0);
    let earlier = database.dump();
    for station in [&first, &second, &third] {
        station.run(&import).exits(0);
    }
    database.restore(&earlier);
    let sent = || service.bookings().len();
    let before = sent();
    for (station, missing) in [(&first, "at least 2 of"), (&second, "at least 4 of"), (&third, "at least 6 of")] {
        station.run(&import).exits(1).says(missing);
        station
            .run(&["status"])
            .exits(0)
            .says("nothing can be booked with this ledger")
            .says(missing)
            .says("ledger accept");
    }
    second.run(&["ledger", "accept", "--because", "4 were looked up", "--yes"]).exits(0);
    // The first station knew of fewer attempts than were accepted as lost, the third one of more.
    let word = "accepted by tester on ";
    first.run(&["status"]).exits(0).says(word).says("4 were looked up").says_nothing_of("nothing can be booked");
    third.run(&["status"]).exits(0).says("nothing can be booked").says("knew more of them").says(word);
    third.run(&["doctor"]).prints("at least 6 of");
    third.run(&import).exits(1).says("at least 6 of").says("knew more of them").says(word);
    assert_eq!(sent(), before, "nothing is sent again");
    first.file("new.csv", &sheet([row("N-1")]));
    first.run(&["import", "new.csv", "--yes"]).exits(0).says(word).says("may be missing");
    first.file("newer.csv", &sheet([row("N-2")]));
    first.run(&["import", "newer.csv", "--yes"]).exits(0).says_nothing_of(word);
    third.run(&["ledger", "accept", "--because", "6 were looked up", "--yes"]).exits(0);
    third.run(&["status"]).says_nothing_of("nothing can be booked");

    // Restored once more, to a time after both words: these speak of no later loss.
    let later = database.dump();
    first.file("last.csv", &sheet([row("N-3")]));
    first.run(&["import", "last.csv", "--yes"]).exits(0);
    let before = sent();
    database.restore(&later);
    first.run(&["import", "last.csv", "--yes"]).exits(1).says("at least 1 of").says_nothing_of(word);
    assert_eq!(sent(), before);
}
