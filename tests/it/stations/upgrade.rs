//! A database of an earlier layout: read, refused to write, and upgraded once nobody works with it.

use std::time::Duration;

use shipsheet::sandbox::Answer;

use crate::rig::postgres::Database;
use crate::rig::{sheet_of, wait_until};

use super::{LEASES_ARE_OVER, address, with_database};

/// Gives a database the layout that it would have if an earlier program had made it.
fn older(database: &Database) {
    database.sql("DROP TABLE withdrawals; DELETE FROM layouts WHERE number = 9");
}

fn layout(database: &Database) -> String {
    database.sql("SELECT max(number) FROM layouts")
}

#[test]
fn a_database_of_the_layout_before_is_read_and_upgraded_by_a_yes() {
    let Some((service, database)) = with_database() else { return };
    let station = database.station(&address(&service));
    station.file("orders.csv", &sheet_of(3));
    station.run(&["import", "orders.csv", "--yes"]).exits(0);
    older(&database);
    let reads: [&[&str]; 5] = [&["status"], &["runs"], &["show", "ORD-0001"], &["report"], &["ledger", "check"]];
    for arguments in reads {
        station.run(arguments).exits(0);
    }
    station.run(&["check", "orders.csv"]).exits(0).says("3 booked already and unchanged");
    for arguments in [&["import", "orders.csv", "--yes"][..], &["resume", "--yes"], &["watch", ".", "--once"]] {
        station.run(arguments).exits(1).says("(layout 8, this one writes 9)").says("ledger upgrade` brings it");
    }
    assert_eq!(layout(&database), "8", "nothing was changed");
    station.run(&["ledger", "upgrade"]).exits(2).says("have it dumped (pg_dump) first");
    assert_eq!(layout(&database), "8");
    let upgraded = station.run(&["ledger", "upgrade", "--yes"]);
    upgraded.exits(0).says("has layout 9 now, and had layout 8: 3 orders, 3 attempts").says("roles.sql");
    station.run(&["ledger", "upgrade", "--yes"]).exits(0).says("there is nothing to do");
    station.run(&["import", "orders.csv", "--yes"]).exits(0).says("3 booked already and unchanged");
    database.sql("DROP TABLE withdrawals, former_numbers; DELETE FROM layouts WHERE number >= 8");
    for arguments in [&["status"][..], &["import", "orders.csv", "--yes"]] {
        station.run(arguments).exits(1).says("(layout 7, this one writes 9)");
    }
    station.run(&["ledger", "upgrade", "--yes"]).exits(0).says("had layout 7");
    assert_eq!(service.bookings().len(), 3, "nothing was booked again");
}

#[test]
fn a_database_is_not_upgraded_while_a_station_works_and_not_by_halves() {
    let Some((service, database)) = with_database() else { return };
    let works = database.station(&address(&service));
    works.file("orders.csv", &sheet_of(2));
    service.sandbox().script_order("ORD-0002", [Answer::Silent(Duration::from_hours(1))]);
    let live = works.live("first", &["import", "orders.csv", "--yes", "--concurrency", "1"]);
    wait_until("the import is in the middle", || service.sandbox().book().requests() == 2);
    older(&database);
    let other = database.station(&address(&service));
    other.run(&["ledger", "upgrade", "--yes"]).exits(1).says("works just now: end it there first");
    assert_eq!(layout(&database), "8");
    drop(live);
    database.sql(
        "SELECT set_config('shipsheet.epoch', max(epoch)::text, false) FROM stations;
         UPDATE stations SET lease_until = clock_timestamp() WHERE epoch = own_epoch()",
    );
    database.wait_until("the lease is over", LEASES_ARE_OVER);
    for variable in ["SHIPSHEET_FAIL_AT", "SHIPSHEET_CRASH_AT"] {
        let mut command = other.command(&["ledger", "upgrade", "--yes"]);
        command.env(variable, "upgrade:1");
        assert_ne!(crate::rig::ran(command).exit, 0, "{variable}");
        assert_eq!((layout(&database), database.sql("SELECT to_regclass('withdrawals')")), ("8".into(), String::new()));
    }
    other.run(&["ledger", "upgrade", "--yes"]).exits(0).says("2 orders, 2 attempts");
    other.run(&["ledger", "check"]).exits(0);
}
