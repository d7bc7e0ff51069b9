//! What goes wrong with clocks, wires and servers: no order goes twice, none is lost, and what is unknown is a doubt.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use shipsheet::sandbox::Answer;

use crate::rig::postgres::Postgres;
use crate::rig::{Live, PATIENCE, Rig, preloaded, sheet_of, wait_until};

use super::away::{MEANWHILE, over_wire};
use super::{LEASES_ARE_OVER, address, assert_nothing_lost, let_each_send, with_database};

/// Goes on with what is left, which must come to its end.
#[track_caller]
fn resumes(station: &Rig) {
    let resumed = station.run(&["resume", "--yes"]);
    assert!(matches!(resumed.exit, 0 | 6), "{resumed:?}");
}

#[test]
fn clocks_that_are_an_hour_wrong_fence_nobody_and_book_nothing_twice() {
    let Some(postgres) = Postgres::shared() else { return };
    let (service, database) = (Rig::faulty("latency=60ms"), postgres.database());
    let stations = [(); 3].map(|()| database.station(&address(&service)));
    stations[0].file("orders.csv", &sheet_of(90));
    let clock = preloaded("clock");
    let start = |station: usize, arguments: &[&str], off: &str| {
        let mut command = stations[station].command(&[arguments, &["--yes", "--concurrency", "3"]].concat());
        command.env("LD_PRELOAD", &clock).env("CLOCK_OFF", off);
        Live::start(command, stations[station].path("stdout"), stations[station].path("stderr"))
    };
    service.sandbox().hold_after(0);
    let mut live = vec![start(0, &["import", "orders.csv"], "-3600")];
    wait_until("the first station sends", || service.sandbox().book().requests() >= 1);
    live.push(start(1, &["resume"], "3600"));
    live.push(start(2, &["resume"], "0"));
    let_each_send(&service, &database, 3);
    assert_eq!(database.sql("SELECT count(*) FROM stations WHERE fenced IS NOT NULL"), "0");
    for station in live {
        let ran = station.end();
        assert!(matches!(ran.exit, 0 | 5), "{ran:?}");
    }
    resumes(&stations[0]);
    assert_eq!(assert_nothing_lost(&service, &database, 90), 0);
    let apart = "SELECT (max(intent_ms) - min(intent_ms)) > 7000000 FROM attempts";
    assert_eq!(database.sql(apart), "t", "the clocks were wrong");
    stations[0].run(&["ledger", "check"]).exits(0);
}

#[test]
fn a_wire_that_passes_one_way_stops_the_run_and_loses_nothing() {
    let Some(postgres) = Postgres::shared() else { return };
    // Both at once: each waits for as long as a server is waited for that says nothing.
    let ways = ["nothing gets there", "nothing comes back"].map(|way| {
        let (service, database) = (Rig::new(), postgres.database());
        let (station, wire) = over_wire(&service, &database);
        station.file("orders.csv", &sheet_of(12));
        service.sandbox().script_order("ORD-0003", [Answer::BookedSilent(MEANWHILE)]);
        let mut command = station.command(&["import", "orders.csv", "--yes", "--concurrency", "2"]);
        command.env("SHIPSHEET_LEASE_SECONDS", "2").env("SHIPSHEET_PATIENCE_SECONDS", "4");
        let live = Live::start(command, station.path("stdout"), station.path("stderr"));
        wait_until("some are sent", || service.sandbox().book().requests() >= 3);
        let cut = if way == "nothing gets there" { &wire.is_mute } else { &wire.is_deaf };
        cut.store(true, Ordering::SeqCst);
        (service, database, station, wire, live)
    });
    for (service, database, station, wire, mut live) in ways {
        database.wait_until("its lease runs out", LEASES_ARE_OVER);
        wire.is_mute.store(false, Ordering::SeqCst);
        wire.is_deaf.store(false, Ordering::SeqCst);
        // What was swallowed is waited for, as long as a server is that says nothing.
        let begun = Instant::now();
        while live.runs() {
            assert!(begun.elapsed() < PATIENCE, "the program ends");
            std::thread::sleep(Duration::from_millis(20));
        }
        let ran = live.end();
        assert!(matches!(ran.exit, 1 | 5 | 6), "{ran:?}");
        resumes(&station);
        assert!(assert_nothing_lost(&service, &database, 12) <= 2);
    }
}

#[test]
fn a_server_without_connections_left_stops_the_run_and_loses_nothing() {
    let Some(postgres) = Postgres::shared() else { return };
    let (service, database) = (Rig::new(), postgres.database());
    let owner = database.station(&address(&service));
    owner.file("first.csv", &sheet_of(1));
    owner.run(&["import", "first.csv", "--yes"]).exits(0);
    // A station with no more rights than one has.
    database.sql(include_str!("../../../templates/ledger/roles.sql"));
    database.sql("CREATE ROLE packing LOGIN; GRANT shipsheet_station TO packing");
    let station = Rig::with_ledger(&address(&service), &database.address.replace("ledger@", "packing@"));
    station.file("orders.csv", &sheet_of(30));
    let live =
        station.live("import", &["import", "orders.csv", "--yes", "--concurrency", "2", "--accept", "same-order"]);
    wait_until("some are sent", || service.sandbox().book().requests() >= 5);
    database.sql(
        "ALTER ROLE packing CONNECTION LIMIT 0;
         SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE usename = 'packing'",
    );
    let ran = live.end();
    assert!(matches!(ran.exit, 5 | 6), "{ran:?}");
    let requests = service.sandbox().book().requests();
    station.run(&["resume", "--yes"]).exits(1);
    assert_eq!(service.sandbox().book().requests(), requests, "nothing new is sent");
    database.sql("ALTER ROLE packing CONNECTION LIMIT -1");
    resumes(&station);
    assert!(assert_nothing_lost(&service, &database, 30) <= 2);
}

/// A small disk that is there as long as this value.
struct SmallDisk(PathBuf);

impl SmallDisk {
    /// None, said plainly, where this user may mount nothing.
    fn mounted(folder: &Path) -> Option<Self> {
        std::fs::create_dir(folder).unwrap();
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", "size=32m,uid=65534,gid=65534,mode=0700", "tmpfs"]).arg(folder);
        if mount.output().is_ok_and(|ran| ran.status.success()) {
            return Some(Self(folder.to_owned()));
        }
        let _ = writeln!(std::io::stderr(), "skipped: no small disk can be mounted here");
        None
    }

    /// Fills it.
    fn fill(&self) -> PathBuf {
        let path = self.0.join("filler");
        let mut file = std::fs::File::create(&path).unwrap();
        while file.write_all(&[0; 4_096]).is_ok() {}
        path
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        // Lazily: the server still has files there, and ends after this.
        let _ = Command::new("umount").arg("-l").arg(&self.0).output();
    }
}

#[test]
fn a_full_disk_of_the_server_stops_the_run_and_loses_nothing() {
    let Some(postgres) = Postgres::own() else { return };
    let folder = tempfile::tempdir().unwrap();
    std::fs::set_permissions(folder.path(), std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let Some(disk) = SmallDisk::mounted(&folder.path().join("disk")) else { return };
    let (service, database) = (Rig::new(), postgres.database_on(&disk.0));
    let station = database.station(&address(&service));
    let orders = 400;
    station.file("orders.csv", &sheet_of(orders));
    let live = station.live("import", &["import", "orders.csv", "--yes", "--concurrency", "4"]);
    wait_until("some are sent", || service.sandbox().book().requests() >= 20);
    let filler = disk.fill();
    let ran = live.end();
    assert!(matches!(ran.exit, 5 | 6), "{ran:?}");
    let requests = service.sandbox().book().requests();
    station.run(&["resume", "--yes"]);
    assert!(service.sandbox().book().requests() <= requests + 100, "it stops again");
    std::fs::remove_file(filler).unwrap();
    resumes(&station);
    resumes(&station);
    assert!(assert_nothing_lost(&service, &database, orders) <= 10);
    station.run(&["ledger", "check"]).exits(0);
}

#[test]
fn a_standby_that_lags_behind_is_refused_when_it_takes_over() {
    let Some(mut postgres) = Postgres::own() else { return };
    let (service, database) = (Rig::new(), postgres.database());
    let station = database.station(&address(&service));
    station.file("orders.csv", &sheet_of(2));
    station.run(&["import", "orders.csv", "--yes"]).exits(0);
    postgres.asks("standby");
    station.file("more.csv", &sheet_of(5));
    station.run(&["import", "more.csv", "--yes"]).exits(0);
    postgres.kill();
    postgres.asks("promote");
    assert_eq!(database.sql("SELECT count(*) FROM orders"), "2", "it lacks what was booked since");
    let requests = service.sandbox().book().requests();
    for command in [&["import", "more.csv", "--yes"][..], &["resume", "--yes"]] {
        station.run(command).exits(1).says("ledger accept");
    }
    let other = database.station(&address(&service));
    other.file("more.csv", &sheet_of(5));
    other.run(&["import", "more.csv", "--yes"]).exits(1).says("is not the one that it was in");
    assert_eq!(service.sandbox().book().requests(), requests, "nothing is sent again");
}

#[test]
fn a_selftest_of_stations_wants_an_empty_database() {
    let Some((service, database)) = with_database() else { return };
    let station = database.station(&address(&service));
    station.run(&["selftest", "--stations", "--ledger", "ledger.sqlite"]).exits(2).says("name an empty database");
    station.file("orders.csv", &sheet_of(1));
    station.run(&["import", "orders.csv", "--yes"]).exits(0);
    let refused = station.run(&["selftest", "--stations"]);
    refused.exits(1).says("a ledger is in it already");
}

#[test]
fn a_selftest_of_stations_passes_on_an_empty_database() {
    let Some(postgres) = Postgres::shared() else { return };
    let (service, database) = (Rig::new(), postgres.bare_database());
    let station = database.station(&address(&service));
    let (exit, report) = station.json(&["selftest", "--stations", "--seed", "7", "--kills", "2", "--pauses", "0"]);
    assert_eq!((exit, &report["passed"], &report["stations"]), (0, &true.into(), &3.into()), "{report}");
    assert_eq!((&report["kills"], &report["pauses"]), (&2.into(), &0.into()), "{report}");
    assert_eq!((&report["booked_twice"], &report["lost"]), (&0.into(), &0.into()), "{report}");
    assert!(report["links"].as_u64() > Some(0), "{report}");
    assert_eq!(service.sandbox().book().requests(), 0, "it has a service of its own");
}
