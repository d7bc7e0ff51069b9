//! Stations that are killed and paused: no order goes twice, none is lost, and what is unknown is a doubt.
//!
//! In the suite a few kills; `SHIPSHEET_LONG=1000` takes a thousand times as many, from `SHIPSHEET_SEED` where a failure is to be
//! repeated.

use std::io::Write;
use std::process::{Command, Stdio};
use std::time::Duration;

use fastrand::Rng;
use rustix::process::Signal;
use shipsheet::sandbox::Answer;

use crate::rig::postgres::{Database, Postgres};
use crate::rig::size::{seed, times};
use crate::rig::{Live, Rig, sheet_of, wait_until};

use super::{LEASES_ARE_OVER, address, assert_nothing_lost, with_database};

/// Kills of each of three stations in the suite.
const KILLS: u64 = 2;
const SEED: u64 = 20_261_128;
/// Leases of tests, in seconds.
const LEASE: &str = "2";

fn command(station: &Rig, arguments: &[&str]) -> Command {
    let mut command = station.command(arguments);
    command.env("SHIPSHEET_LEASE_SECONDS", LEASE);
    command
}

/// Promise 1: stations that are killed again and again book nothing twice and lose nothing.
#[test]
fn three_stations_that_are_killed_again_and_again_book_nothing_twice_and_lose_nothing() {
    let Some(postgres) = Postgres::shared() else { return };
    let (wanted, mut seed) = (times(KILLS), seed(SEED));
    let (mut kills, mut doubts, mut orders) = (0, 0, 0);
    while kills < wanted * 3 {
        let (service, database) = (Rig::faulty("latency=5ms"), postgres.database());
        let some = 48;
        let stations = [(); 3].map(|()| database.station(&address(&service)));
        for station in &stations {
            station.file("orders.csv", &sheet_of(some));
        }
        stations[0].run(&["import", "orders.csv", "--yes", "--max-orders", "1", "--concurrency", "1"]);
        let mut rng = Rng::with_seed(seed);
        for _ in 0..2 {
            let mut children: Vec<_> = stations
                .iter()
                .map(|station| {
                    let mut resume = command(station, &["resume", "--yes", "--concurrency", "4"]);
                    let begun = service.sandbox().book().requests();
                    let child = resume.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
                    (child, begun + rng.u64(1..12))
                })
                .collect();
            for (child, until) in &mut children {
                wait_until("a moment to kill", || {
                    service.sandbox().book().requests() >= *until || child.try_wait().unwrap().is_some()
                });
                // One that has ended by itself is none that was killed.
                kills += u64::from(child.try_wait().unwrap().is_none());
                let _ = child.kill();
                child.wait().unwrap();
            }
        }
        // Each takes up what it left itself; the last one then finds nothing that nobody knows of.
        for station in stations.iter().chain(&stations) {
            let resumed = station.run(&["resume", "--yes", "--concurrency", "4"]);
            assert!(matches!(resumed.exit, 0 | 5 | 6), "SHIPSHEET_SEED={seed}: {resumed:?}");
        }
        doubts += assert_nothing_lost(&service, &database, some);
        stations[0].run(&["ledger", "check"]).exits(0);
        (orders, seed) = (orders + some, seed + 1);
    }
    let _ = writeln!(std::io::stderr(), "stations: {kills} kills, {orders} orders, {doubts} in doubt, 0 twice, 0 lost");
}

/// A station that pauses at a point with one order, and another one that takes over.
fn paused_at(point: &str) -> Option<(Rig, Database, Rig, Live, Rig)> {
    let (service, database) = with_database()?;
    let [paused, other] = [(); 2].map(|()| database.station(&address(&service)));
    paused.file("orders.csv", &sheet_of(3));
    let mut import = command(&paused, &["import", "orders.csv", "--yes", "--concurrency", "1"]);
    import.env("SHIPSHEET_PAUSE_AT", point);
    let live = Live::start(import, paused.path("import.stdout"), paused.path("import.stderr"));
    wait_until("the station pauses", || {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", live.id())).unwrap();
        stat.rsplit(')').next().unwrap().trim().starts_with('T')
    });
    database.wait_until("its lease runs out", LEASES_ARE_OVER);
    Some((service, database, paused, live, other))
}

/// The other one takes over, and learns that nobody may say of the paused one's order that it is not booked.
#[track_caller]
fn taken_over(other: &Rig) {
    let resumed = other.run(&["resume", "--yes"]);
    resumed.exits(6);
    other.run(&["doubt", "list"]).exits(6).prints("ORD-000");
    let said = other.json(&["doubt", "list"]).1;
    let number = said["orders"][0]["number"].as_str().unwrap().to_owned();
    let refused = other.run(&["doubt", "not-booked", &number, "--because", "not in the portal"]);
    refused.exits(1).says("was not heard since").says("ledger station-off");
}

/// Promise 1: a station that was paused beyond its lease sends nothing more.
#[test]
fn a_station_that_was_paused_after_its_intent_sends_nothing_any_more() {
    let Some((service, database, paused, live, other)) = paused_at("after-intent:2") else { return };
    let before = service.sandbox().book().requests();
    taken_over(&other);
    let by_other = service.sandbox().book().requests();
    assert!(by_other > before, "the other one goes on");
    live.signal(Signal::CONT);
    let ended = live.end();
    assert!(matches!(ended.exit, 1 | 5 | 6), "{ended:?}");
    assert_eq!(service.sandbox().book().requests(), by_other, "its lease is over: nothing leaves");
    // It has said that it sent nothing: the order goes now, once.
    let resumed = paused.run(&["resume", "--yes"]);
    assert!(matches!(resumed.exit, 0 | 6), "{resumed:?}");
    assert_nothing_lost(&service, &database, 3);
}

#[test]
fn a_station_that_was_paused_after_its_last_look_settles_its_own_doubt() {
    let Some((service, database, paused, live, other)) = paused_at("after-look:2") else { return };
    taken_over(&other);
    live.signal(Signal::CONT);
    let ended = live.end();
    assert!(matches!(ended.exit, 0 | 1 | 5 | 6), "{ended:?}");
    let resumed = paused.run(&["resume", "--yes"]);
    assert!(matches!(resumed.exit, 0 | 6), "{resumed:?}");
    assert_eq!(assert_nothing_lost(&service, &database, 3), 0, "its answer was taken, however late");
}

#[test]
fn a_station_that_was_paused_after_the_first_byte_settles_its_own_doubt() {
    let Some((service, database)) = with_database() else { return };
    let [paused, other] = [(); 2].map(|()| database.station(&address(&service)));
    paused.file("orders.csv", &sheet_of(2));
    service.sandbox().script_order("ORD-0001", [Answer::BookedSilent(Duration::from_secs(1))]);
    let import = command(&paused, &["import", "orders.csv", "--yes", "--concurrency", "1"]);
    let live = Live::start(import, paused.path("import.stdout"), paused.path("import.stderr"));
    wait_until("the order is there", || service.sandbox().book().requests() >= 1);
    live.signal(Signal::STOP);
    database.wait_until("its lease runs out", LEASES_ARE_OVER);
    taken_over(&other);
    live.signal(Signal::CONT);
    let ended = live.end();
    assert!(matches!(ended.exit, 0 | 1 | 5 | 6), "{ended:?}");
    paused.run(&["resume", "--yes"]);
    assert!(assert_nothing_lost(&service, &database, 2) <= 1);
}

#[test]
fn a_station_that_is_gone_is_declared_switched_off_by_a_person_for_good() {
    let Some((service, database, _paused, live, other)) = paused_at("after-intent:1") else { return };
    taken_over(&other);
    drop(live);
    let listed = other.run(&["ledger", "stations"]);
    listed.exits(0).prints("not heard since");
    let number = database.sql("SELECT epoch FROM stations ORDER BY epoch LIMIT 1");
    other.run(&["ledger", "station-off", &number, "--because", " "]).exits(2).says("what became of that machine");
    other.run(&["ledger", "station-off", &number, "--because", "its disk burnt"]).exits(0);
    other.run(&["ledger", "stations"]).exits(0).prints("switched off").prints("its disk burnt");
    let number = other.json(&["doubt", "list"]).1["orders"][0]["number"].as_str().unwrap().to_owned();
    other.run(&["doubt", "not-booked", &number, "--because", "not in the portal"]).exits(0);
    other.run(&["resume", "--yes"]).exits(0);
    assert_eq!(assert_nothing_lost(&service, &database, 3), 0);
}
