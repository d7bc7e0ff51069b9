//! Several stations with one ledger.

use std::time::Duration;

use shipsheet::sandbox::Answer;

use crate::rig::postgres::Postgres;
use crate::rig::{Rig, row, row_with, sheet, sheet_of, wait_until};
use crate::terminal::Terminal;

use super::{address, assert_nothing_lost, let_each_send, with_database};

#[test]
fn stations_share_a_run_and_every_order_goes_once() {
    let Some(postgres) = Postgres::shared() else { return };
    let (service, database) = (Rig::faulty("latency=80ms"), postgres.database());
    let [one, two] = [(); 2].map(|()| database.station(&address(&service)));
    one.file("orders.csv", &sheet_of(40));
    service.sandbox().hold_after(0);
    let first = one.live("first", &["import", "orders.csv", "--yes", "--concurrency", "2"]);
    wait_until("the first station sends", || service.sandbox().book().requests() >= 1);
    let second = two.live("second", &["resume", "--yes", "--concurrency", "4"]);
    let_each_send(&service, &database, 2);
    let second = second.end();
    assert!(matches!(second.exit, 0 | 5), "{second:?}");
    let first = first.end();
    // The second one may send the last orders still.
    assert!(matches!(first.exit, 0 | 5), "{first:?}");
    one.run(&["resume", "--yes"]).exits(0);
    assert_eq!(assert_nothing_lost(&service, &database, 40), 0);
    one.run(&["ledger", "check"]).exits(0).prints("sound");
}

#[test]
fn a_resume_names_what_another_station_is_sending() {
    let Some((service, database)) = with_database() else { return };
    let [one, two] = [(); 2].map(|()| database.station(&address(&service)));
    one.file("orders.csv", &sheet_of(6));
    service.sandbox().script_order("ORD-0001", [Answer::Silent(Duration::from_mins(10))]);
    let live = one.live("import", &["import", "orders.csv", "--yes", "--concurrency", "2", "--max-orders", "1"]);
    wait_until("the first order is on its way", || service.sandbox().book().requests() >= 1);
    // The first sends what is left, the second has nothing to send.
    for nothing in [false, true] {
        let resumed = two.run(&["resume", "--yes"]);
        resumed.exits(5).says("still on the way from").says("ORD-0001");
        assert_eq!(resumed.stderr.contains("nothing to resume"), nothing, "{resumed:?}");
    }
    let (code, document) = two.json(&["resume", "--run", "1"]);
    assert_eq!((code, &document["problems"][0]["code"]), (5, &"sent-by-others".into()), "{document:#}");
    drop(live);
    assert_eq!(service.sandbox().book().bookings().len(), 5, "what was left went, each once");
}

#[test]
fn a_sheet_that_two_stations_import_at_once_is_one_set_of_orders() {
    let Some((service, database)) = with_database() else { return };
    let stations = [(); 3].map(|()| database.station(&address(&service)));
    let live: Vec<_> = stations
        .iter()
        .map(|station| {
            station.file("orders.csv", &sheet_of(40));
            let accept = ["--accept", "same-order"];
            station.live("import", &[&["import", "orders.csv", "--yes", "--concurrency", "4"][..], &accept].concat())
        })
        .collect();
    for import in live {
        let ran = import.end();
        assert!(matches!(ran.exit, 0 | 5), "{ran:?}");
    }
    let last = stations[0].run(&["resume", "--yes"]);
    assert!(last.exit == 0, "{last:?}");
    assert_eq!(assert_nothing_lost(&service, &database, 40), 0);
    assert_eq!(database.sql("SELECT count(*) FROM orders"), "40");
}

#[test]
fn while_a_person_is_asked_about_a_rule_the_others_go_on() {
    let Some((service, database)) = with_database() else { return };
    let [one, two] = [(); 2].map(|()| database.station(&address(&service)));
    one.file("orders.csv", &sheet([row("A-1"), row_with("A-2", "9876543211", "56")]));
    two.file("other.csv", &sheet([row_with("B-1", "9876543212", "560003")]));
    for (answer, asked_then, booked) in [("l\n", "Book 1 order for real?", 2), ("s\n", "Book 1 order for real?", 3)] {
        let mut terminal = Terminal::start(one.command(&["import", "orders.csv"]));
        terminal.shows("1 order is held");
        // Another station books meanwhile, and waits for nobody.
        two.run(&["import", "other.csv", "--yes"]).exits(0);
        terminal.answer(" by `pin-form`", answer);
        terminal.answer(asked_then, "y\n");
        let (code, screen) = terminal.end();
        assert_eq!(code, Some(if booked == 2 { 4 } else { 0 }), "{screen}");
        assert_eq!(assert_nothing_lost(&service, &database, booked), 0);
    }
    // Nothing is left to be sent, and that can be recorded as well.
    one.file("again.csv", &sheet([row("A-1"), row_with("A-3", "9876543211", "57")]));
    let mut terminal = Terminal::start(one.command(&["import", "again.csv"]));
    terminal.answer("1 order is held by `pin-form`", "l\n");
    let (code, screen) = terminal.end();
    assert!(matches!(code, Some(3 | 4)), "{screen}");
    assert_eq!(assert_nothing_lost(&service, &database, 3), 0);
}

#[test]
fn while_a_person_is_asked_the_others_go_on_and_what_changed_meanwhile_is_not_sent() {
    let Some((service, database)) = with_database() else { return };
    let [one, two] = [(); 2].map(|()| database.station(&address(&service)));
    one.file("orders.csv", &sheet_of(3));
    let asked = |answer: &str, meanwhile: &dyn Fn()| {
        let mut terminal = Terminal::start(one.command(&["import", "orders.csv"]));
        terminal.shows("Book 3 orders");
        meanwhile();
        terminal.answer(" for real?", answer);
        terminal.end()
    };
    // Another station books another order, and waits for nobody.
    let other = || {
        two.file("other.csv", &sheet_of(1).replace("ORD-0001", "OTHER-1"));
        two.run(&["import", "other.csv", "--yes"]).exits(0);
    };
    let (code, screen) = asked("n\n", &other);
    assert!(code != Some(0) && screen.contains("nothing was sent"), "{screen}");
    let same = || {
        two.file("first.csv", &sheet_of(1));
        two.run(&["import", "first.csv", "--yes", "--accept", "same-order"]).exits(0);
    };
    let mut terminal = Terminal::start(one.command(&["import", "orders.csv"]));
    terminal.shows("Book 3 orders");
    same();
    terminal.answer(" for real?", "y\n");
    terminal.shows("has changed since it was shown");
    terminal.shows("Book 2 orders for real?");
    assert_eq!(service.sandbox().book().requests(), 2, "nothing was sent by a yes to something else");
    terminal.answer("[y/N]", "y\n");
    let (code, screen) = terminal.end();
    assert_eq!(code, Some(0), "{screen}");
    assert_eq!(assert_nothing_lost(&service, &database, 4), 0);
}
