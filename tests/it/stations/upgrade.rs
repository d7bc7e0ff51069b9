//! A database of an earlier layout: refused, and upgraded once nobody works with it.

use std::time::Duration;

use shipsheet::sandbox::Answer;

use crate::rig::postgres::Database;
use crate::rig::{Rig, sheet_of, wait_until};
use crate::upgrade::{TABLES_BEFORE, bound_before};

use super::{LEASES_ARE_OVER, address, with_database};

/// A ledger of the layout before, in which nearly everything has happened.
const STORED: &str = include_str!("../../ledgers/server_layout_9.sql");

/// Gives a database the layout that it would have if an earlier program had made it, which sent these orders and no more.
fn older(station: &Rig, database: &Database, numbers: &[&str]) {
    let bound = bound_before(station, numbers, |hash| format!("decode('{hash}', 'hex')"));
    let off = "ALTER TABLE attempts DISABLE TRIGGER USER; ALTER TABLE decisions DISABLE TRIGGER USER;
        ALTER TABLE decisions DROP COLUMN statement_id";
    database
        .script(&format!("SET search_path = shipsheet; {off}; {TABLES_BEFORE} {bound} UPDATE layouts SET number = 9"));
}

fn layout(database: &Database) -> String {
    database.sql("SELECT max(number) FROM layouts")
}

#[test]
fn a_database_of_the_layout_before_is_refused_and_upgraded_by_a_yes() {
    let Some((service, database)) = with_database() else { return };
    let station = database.station(&address(&service));
    station.file("orders.csv", &sheet_of(3));
    station.run(&["import", "orders.csv", "--yes"]).exits(0);
    older(&station, &database, &["ORD-0001", "ORD-0002", "ORD-0003"]);
    for arguments in [
        &["status"][..],
        &["report"],
        &["ledger", "check"],
        &["import", "orders.csv", "--yes"],
        &["resume", "--yes"],
        &["watch", ".", "--once"],
    ] {
        station.run(arguments).exits(1).says("(layout 9, this one writes 21)").says("ledger upgrade` brings it");
    }
    assert_eq!(layout(&database), "9", "nothing was changed");
    station.run(&["ledger", "upgrade"]).exits(2).says("have it dumped (pg_dump) first");
    assert_eq!(layout(&database), "9");
    let upgraded = station.run(&["ledger", "upgrade", "--yes"]);
    upgraded.exits(0).says("has layout 21 now, and had layout 9: 3 orders, 3 attempts").says("roles.sql");
    station.run(&["ledger", "upgrade", "--yes"]).exits(0).says("there is nothing to do");
    station.run(&["import", "orders.csv", "--yes"]).exits(0).says("3 booked already and unchanged");
    database.sql("UPDATE layouts SET number = 7");
    for arguments in [&["status"][..], &["import", "orders.csv", "--yes"], &["ledger", "upgrade", "--yes"]] {
        station.run(arguments).exits(1).says("that is too old (layout 7, this one upgrades from 9 on)");
    }
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
    let other = database.station(&address(&service));
    older(&other, &database, &["ORD-0001", "ORD-0002"]);
    other.run(&["ledger", "upgrade", "--yes"]).exits(1).says("works just now: end it there first");
    assert_eq!(layout(&database), "9");
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
        let aside = database.sql("SELECT count(*) FROM pg_namespace WHERE nspname = 'shipsheet_before'");
        assert_eq!((layout(&database), aside), ("9".into(), "0".into()));
    }
    other.run(&["ledger", "upgrade", "--yes"]).exits(0).says("2 orders, 2 attempts");
    other.run(&["ledger", "check"]).exits(0);
}

#[test]
fn what_an_upgrade_would_drop_is_named_first() {
    let Some((service, database)) = with_database() else { return };
    let station = database.station(&address(&service));
    station.file("orders.csv", &sheet_of(1));
    station.run(&["import", "orders.csv", "--yes"]).exits(0);
    older(&station, &database, &["ORD-0001"]);
    for (made, named, dropped) in [
        ("CREATE TABLE notes (text text)", "the table notes", "DROP TABLE notes"),
        ("CREATE VIEW public.mine AS SELECT number FROM orders", "the view public.mine", "DROP VIEW public.mine"),
        ("CREATE SCHEMA shipsheet_before", "the schema shipsheet_before", "DROP SCHEMA shipsheet_before"),
    ] {
        database.sql(made);
        station.run(&["ledger", "upgrade", "--yes"]).exits(1).says(named).says("nothing was changed");
        assert_eq!(layout(&database), "9");
        database.sql(dropped);
    }
    station.run(&["ledger", "upgrade", "--yes"]).exits(0);
}

#[test]
fn a_stored_database_is_upgraded_with_every_row_and_link() {
    let Some((service, database)) = with_database() else { return };
    database.script(&format!("DROP SCHEMA IF EXISTS shipsheet CASCADE; {STORED}"));
    let station = database.station(&address(&service));
    let upgraded = station.run(&["ledger", "upgrade", "--yes"]);
    upgraded.exits(0).says("has layout 21 now, and had layout 9: 25 orders, 19 attempts");
    station.run(&["ledger", "check"]).exits(0).prints("every count, request and link of evidence holds (27 links)");
}
