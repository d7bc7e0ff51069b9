//! Ledgers on a PostgreSQL server, through the whole program: one station, several of them, and what goes wrong between.

mod away;
mod faults;
mod logins;
mod moved;
mod people;
mod places;
mod shared;
mod together;
mod trouble;
mod upgrade;

use crate::rig::Rig;
use crate::rig::postgres::{Database, Postgres};

/// Whether no station may send any more.
const LEASES_ARE_OVER: &str =
    "NOT EXISTS (SELECT 1 FROM stations WHERE ended IS NULL AND lease_until > clock_timestamp())";

/// A service, and a database for one ledger; nothing where no server is installed.
fn with_database() -> Option<(Rig, Database)> {
    let database = Postgres::shared()?.database();
    Some((Rig::new(), database))
}

fn address(service: &Rig) -> String {
    format!("http://{}", service.sandbox().address())
}

/// Whether so many stations book, or wait for a share of what may be booked at once.
fn have_come(stations: usize) -> String {
    format!("(SELECT count(*) FROM shares) = {stations}")
}

/// Whether so many stations have sent anything.
fn have_sent(stations: usize) -> String {
    format!("(SELECT count(DISTINCT s.station) FROM attempts a JOIN stations s ON s.epoch = a.epoch) = {stations}")
}

/// Answers what is in flight, and what follows it, until so many stations have sent; then all of it. Others than the first have
/// a place once it has given back what is above its share, and each exchanges its share about once a second.
#[track_caller]
fn let_each_send(service: &Rig, database: &Database, stations: usize) {
    database.wait_until("each has come", &have_come(stations));
    while database.sql(&format!("SELECT {}", have_sent(stations))) != "t" {
        let rows = database.sql("SELECT string_agg(quote_literal(xmin::text), ', ') FROM shares");
        let are_exchanged = format!("NOT EXISTS (SELECT 1 FROM shares WHERE xmin::text IN ({rows}))");
        database.wait_until("each has exchanged its share", &are_exchanged);
        service.sandbox().hold_after(service.sandbox().book().requests());
    }
    service.sandbox().go_on();
}

/// Every order once at the service, and each that it has known to the ledger with its AWB, or in doubt; what is in doubt.
#[track_caller]
fn assert_nothing_lost(service: &Rig, database: &Database, orders: usize) -> usize {
    let book = service.sandbox().book();
    assert_eq!(book.booked_twice(), Vec::<String>::new(), "booked twice");
    let sendable = "SELECT number || ' ' || state || ' ' || coalesce(awb, '-') FROM orders WHERE request_id IS NOT NULL ORDER BY 1";
    let rows = database.sql(sendable);
    let known: std::collections::BTreeMap<&str, (&str, &str)> = rows
        .lines()
        .map(|row| {
            let words: Vec<&str> = row.split(' ').collect();
            (words[0], (words[1], words[2]))
        })
        .collect();
    assert_eq!(known.len(), orders);
    for (number, awb) in service.bookings() {
        let (state, known) = known[number.as_str()];
        assert!((state, known) == ("booked", awb.as_str()) || state == "in_doubt", "{number} {awb}: {state} {known}");
    }
    let in_doubt = known.values().filter(|(state, _)| *state == "in_doubt").count();
    let booked = known.values().filter(|(state, _)| *state == "booked").count();
    assert_eq!(booked + in_doubt, orders, "{known:?}");
    in_doubt
}
