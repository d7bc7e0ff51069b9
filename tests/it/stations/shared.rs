//! What stations have together: the concurrency and the rate of their service, and brakes that stop all of them.

use std::time::Duration;

use shipsheet::sandbox::Answer;

use crate::desk::Desk;
use crate::rig::postgres::{Database, Postgres};
use crate::rig::{Live, Rig, sheet_of, wait_until};

use super::{address, assert_nothing_lost, have_come, let_each_send};

/// Stations at a service that takes a while over each order.
fn stations<const N: usize>(latency: &str) -> Option<(Rig, Database, [Rig; N])> {
    let postgres = Postgres::shared()?;
    let (service, database) = (Rig::faulty(&format!("latency={latency}")), postgres.database());
    let stations = [(); N].map(|()| database.station(&address(&service)));
    Some((service, database, stations))
}

/// Starts one with a sheet, and the others with what it has outstanding; nothing is answered yet.
fn started(service: &Rig, stations: &[Rig], orders: usize, how: &[&str]) -> Vec<Live> {
    service.sandbox().hold_after(0);
    stations[0].file("orders.csv", &sheet_of(orders));
    let mut live = vec![stations[0].live("import", &[&["import", "orders.csv", "--yes"], how].concat())];
    wait_until("the first station sends", || service.sandbox().book().requests() >= 1);
    live.extend(stations[1..].iter().map(|station| station.live("resume", &[&["resume", "--yes"], how].concat())));
    live
}

fn assert_ended(live: Vec<Live>) {
    for station in live {
        let ran = station.end();
        // Another one may send the last orders still.
        assert!(matches!(ran.exit, 0 | 5), "{ran:?}");
    }
}

/// Promise 5: several stations have no more in flight than one of them would, and one pace together.
#[test]
fn three_stations_have_no_more_in_flight_than_one_of_them_would() {
    let Some((service, database, stations)) = stations::<3>("120ms") else { return };
    let live = started(&service, &stations, 120, &["--concurrency", "6"]);
    let_each_send(&service, &database, 3);
    assert_ended(live);
    stations[0].run(&["resume", "--yes"]).exits(0);
    assert_eq!(assert_nothing_lost(&service, &database, 120), 0);
    // A machine that does much else may not have all of it under way at once.
    let at_once = service.sandbox().book().at_once_max();
    assert!((3..=6).contains(&at_once), "{at_once}: more than the share of one, and not more than one would have");
}

#[test]
fn the_smallest_that_one_declares_holds_for_all() {
    let Some((service, database, stations)) = stations::<2>("20ms") else { return };
    stations[0].file("orders.csv", &sheet_of(60));
    service.sandbox().hold_after(0);
    let first = stations[0].live("import", &["import", "orders.csv", "--yes", "--concurrency", "1"]);
    wait_until("the first station sends", || service.sandbox().book().requests() >= 1);
    // All that may be in flight is the first one's, which is killed: its share is free once its lease has run out.
    let mut second = stations[1].command(&["resume", "--yes", "--concurrency", "32"]);
    second.env("SHIPSHEET_LEASE_SECONDS", "2");
    let second = Live::start(second, stations[1].path("resume.stdout"), stations[1].path("resume.stderr"));
    database.wait_until("the second station waits", "(SELECT count(*) FROM shares WHERE width = 0) = 1");
    drop(first);
    service.sandbox().go_on();
    database.sql(
        "SELECT set_config('shipsheet.epoch', (SELECT min(epoch)::text FROM stations), false);
        UPDATE stations SET lease_until = clock_timestamp() WHERE epoch = own_epoch()",
    );
    let ran = second.end();
    assert!(matches!(ran.exit, 0 | 5 | 6), "{ran:?}");
    ran.says("the other stations use all that may be sent to this service at once");
    let last = stations[0].run(&["resume", "--yes", "--concurrency", "1"]);
    assert!(matches!(last.exit, 0 | 6), "{last:?}");
    assert!(assert_nothing_lost(&service, &database, 60) <= 1);
}

/// Promise 5: several stations have no more in flight than one of them would, and one pace together.
#[test]
fn two_stations_send_no_more_in_a_second_than_one_of_them_would() {
    let Some((service, database, stations)) = stations::<2>("5ms") else { return };
    let live = started(&service, &stations, 120, &["--concurrency", "8", "--rate", "20"]);
    let_each_send(&service, &database, 2);
    assert_ended(live);
    assert_eq!(assert_nothing_lost(&service, &database, 120), 0);
    let times: Vec<i64> = service.sandbox().book().bookings().iter().map(|booking| booking.at_ms).collect();
    // 60 leave in three seconds, and 120 if each had the rate for itself; on a machine that has much to do some arrive late.
    let within = |from: i64| from..from + 3_000;
    let most = times.iter().map(|from| times.iter().filter(|at| within(*from).contains(*at)).count()).max();
    assert!(most <= Some(90), "{most:?} in three seconds");
}

/// Promise 5: a brake that one station pulls stops all stations of its service.
#[test]
fn a_brake_that_one_station_pulls_stops_the_others_until_somebody_starts_anew() {
    let Some((service, database, stations)) = stations::<3>("60ms") else { return };
    let empty = || Answer::Status(402, r#"{"message": "wallet balance is too low"}"#.to_owned());
    service.sandbox().script_order("ORD-0040", [empty()]);
    let live = started(&service, &stations, 200, &["--concurrency", "6"]);
    database.wait_until("each has come", &have_come(3));
    service.sandbox().go_on();
    let ended: Vec<_> = live.into_iter().map(Live::end).collect();
    let told = |station: &&crate::rig::Ran| station.stderr.contains("stopped all stations of this service");
    for station in &ended {
        station.exits(5).says("stopping (funds)").says("the account cannot pay");
    }
    assert_eq!(ended.iter().filter(told).count(), 2, "one has pulled it: {ended:?}");
    let sent = service.sandbox().book().requests();
    assert!(sent < 120, "{sent}");
    assert_eq!(database.sql("SELECT count(*) FROM brakes"), "1");
    assert_eq!(database.sql("SELECT count(*) FROM runs WHERE stopped_by = 'funds'"), "3");
    // A person who goes on has seen to it; nothing but that lifts it.
    let resumed = stations[1].run(&["resume", "--yes"]);
    assert!(matches!(resumed.exit, 0 | 4), "{resumed:?}");
    let retried = stations[1].run(&["retry", "--yes"]);
    assert!(matches!(retried.exit, 0), "{retried:?}");
    assert_eq!(assert_nothing_lost(&service, &database, 200), 0);
    stations[1].run(&["ledger", "check"]).exits(0);
}

#[test]
fn what_one_person_asked_of_one_station_stops_no_other() {
    let Some((service, database, stations)) = stations::<2>("60ms") else { return };
    stations[0].file("orders.csv", &sheet_of(40));
    let import = ["import", "orders.csv", "--yes", "--concurrency", "2", "--max-orders", "6"];
    let first = stations[0].live("import", &import);
    wait_until("the first station sends", || service.sandbox().book().requests() >= 2);
    stations[1].run(&["resume", "--yes", "--concurrency", "2"]).exits(0);
    first.end().exits(5).says("limit of orders");
    assert_eq!(database.sql("SELECT count(*) FROM brakes"), "0");
    assert_eq!(assert_nothing_lost(&service, &database, 40), 0);
}

#[test]
fn status_report_and_documents_show_the_stations_with_what_each_has_on_its_way() {
    let Some((service, database, stations)) = stations::<2>("60ms") else { return };
    stations[0].file("orders.csv", &sheet_of(3));
    service.sandbox().script_order("ORD-0001", [Answer::BookedSilent(Duration::from_mins(5))]);
    let live = stations[0].live("import", &["import", "orders.csv", "--yes", "--concurrency", "1"]);
    wait_until("an order is on its way", || service.sandbox().book().requests() >= 1);
    let other = &stations[1];
    other
        .run(&["status"])
        .exits(5)
        .prints("station 1 (tester on")
        .prints("works, heard at")
        .prints("1 order in flight");
    other.run(&["report"]).exits(0).prints("Stations").prints("Works");
    let (_, report) = other.json(&["report"]);
    let station = &report["stations"][0];
    assert_eq!((&station["standing"], &station["in_flight"]), (&"works".into(), &1.into()), "{station}");
    let (_, masked) = other.json(&["report", "--mask"]);
    assert_eq!(masked["stations"][0]["by"], serde_json::Value::Null);
    let home = Desk::open(other, &[]).page("").body;
    assert!(home.contains("Stations") && home.contains("tester on"), "{home}");
    assert!(home.contains("1 order on the way"), "{home}");
    drop(live);
    database
        .sql("SELECT set_config('shipsheet.epoch', '1', false); UPDATE stations SET lease_until = clock_timestamp() WHERE epoch = 1");
    let (_, report) = other.json(&["report"]);
    assert_eq!(report["stations"][0]["standing"], "silent");
    other.run(&["resume", "--yes"]);
    other.run(&["report"]).prints("Fenced").prints("1");
    other.run(&["ledger", "station-off", "1", "--because", "its disk burnt"]).exits(0);
    other.run(&["report"]).prints("Switched off");
}
