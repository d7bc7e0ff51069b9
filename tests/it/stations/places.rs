//! How a ledger on a server is named, and that everything works over it as over a file.

use std::os::unix::fs::PermissionsExt;

use crate::rig::postgres::{Postgres, beside};
use crate::rig::{Rig, ran, sheet_of};

use super::{address, assert_nothing_lost, with_database};

#[test]
fn a_sheet_is_booked_over_a_server_and_everything_reads_it() {
    let Some(postgres) = Postgres::shared() else { return };
    let (service, database) = (Rig::new(), postgres.bare_database());
    let station = database.station(&address(&service));
    station.file("orders.csv", &sheet_of(6));
    station.run(&["status"]).exits(0).prints("there is no ledger at postgres://ledger@");
    service.sandbox().script_order("ORD-0002", [shipsheet::sandbox::Answer::CutBefore]);
    let (exit, document) = station.json(&["import", "orders.csv", "--yes", "--concurrency", "2"]);
    assert_eq!((exit, &document["orders"]["booked"], &document["orders"]["in_doubt"]), (6, &5.into(), &1.into()));
    station.run(&["status"]).exits(6).prints("5 booked");
    station.run(&["show", "ORD-0003"]).exits(0).prints("booked");
    station.run(&["doubt", "list"]).exits(6).prints("ORD-0002");
    station.run(&["doubt", "not-booked", "ORD-0002", "--because", "not in the portal"]).exits(0);
    station.run(&["resume", "--yes"]).exits(0);
    station.run(&["report"]).exits(0).prints("6");
    assert_eq!(station.results(&[]).len(), 1, "of the latest run");
    station.run(&["ledger", "check"]).exits(0).prints("sound").prints("postgres://ledger@");
    // The same sheet again sends nothing.
    let requests = service.sandbox().book().requests();
    let (exit, document) = station.json(&["import", "orders.csv", "--yes"]);
    assert_eq!((exit, &document["orders"]["already_booked"]), (0, &6.into()));
    assert_eq!(service.sandbox().book().requests(), requests);
    assert_eq!(assert_nothing_lost(&service, &database, 6), 0);
    assert_eq!(database.sql("SELECT count(*) FROM stations WHERE ended IS NULL"), "0", "each session was ended");
}

#[test]
fn what_lies_beside_a_ledger_lies_in_a_folder_of_the_station_for_its_owner_alone() {
    let Some((service, database)) = with_database() else { return };
    let station = database.station(&address(&service));
    station.file("orders.csv", &sheet_of(1));
    station.run(&["import", "orders.csv", "--yes"]).exits(0);
    let ledger = beside(&station);
    for suffix in [".spool", ".station", ".lock"] {
        let file = format!("{}{suffix}", ledger.display());
        assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600, "{file}");
    }
    let folder = ledger.parent().unwrap().metadata().unwrap().permissions().mode() & 0o777;
    assert_eq!(folder, 0o700);
}

#[test]
fn a_ledger_on_a_server_is_named_by_a_flag_and_by_ones_own_configuration_and_by_no_folder() {
    let Some((service, database)) = with_database() else { return };
    let station = Rig::beside(&address(&service));
    station.file("orders.csv", &sheet_of(1));
    station.run(&["import", "orders.csv", "--yes", "--ledger", &database.address]).exits(0);
    let text = format!("[ledger]\nfile = \"{}\"\npassword_command = \"echo secret\"\n", database.address);
    station.file("own.toml", &text);
    let with = |arguments: &[&str]| {
        let mut command = station.command(arguments);
        command.env_remove("SHIPSHEET_LEDGER");
        ran(command)
    };
    with(&["status", "--config", "own.toml"]).exits(0).prints("1 booked");
    // A file that lay in the folder may have come from anybody.
    station.file("shipsheet.toml", &text);
    let refused = with(&["status"]);
    refused.exits(1).says("names a ledger on a server").says_nothing_of("secret");
}

#[test]
fn no_password_stands_in_an_address_and_none_is_told() {
    let Some((service, database)) = with_database() else { return };
    let station = database.station(&address(&service));
    let with_password = database.address.replace("ledger@", "ledger:geheim@");
    let refused = station.run(&["status", "--ledger", &with_password]);
    refused.exits(1).says("holds a password").says_nothing_of("geheim");
    let refused = station.run(&["doctor", "--ledger", &with_password]);
    refused.exits(1).prints("holds a password").says_nothing_of("geheim").prints_nothing_of("geheim");
    for (ledger, says) in [
        ("mysql://shop@db.example/orders", "begins with mysql://"),
        ("postgres://shop@db.example/orders?sslmode=disable", "verified connection"),
        ("postgres://shop@127.0.0.1:1/orders", "cannot be reached"),
    ] {
        station.run(&["status", "--ledger", ledger]).exits(1).says(says);
    }
}
