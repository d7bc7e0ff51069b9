//! What people do at two stations with one ledger: the desk, labels, and a second try.

use shipsheet::sandbox::Answer;

use crate::desk::crashes::{Next, Scene, dies};
use crate::desk::money::says;
use crate::desk::plain::agreed;
use crate::desk::{Desk, field};
use crate::rig::{Rig, row, row_with, sheet, wait_until};

use super::{address, assert_nothing_lost, with_database};

/// Three orders of different people.
fn three() -> String {
    let others = [("A-2", "9876543211", "560002"), ("A-3", "9876543212", "560003")];
    let others = others.map(|(number, phone, pin)| row_with(number, phone, pin));
    sheet([row("A-1")].into_iter().chain(others))
}

/// Drops a sheet at a desk, and says yes to what it shows.
fn booked_at(desk: &Desk, name: &str, text: &str) -> String {
    let id = desk.drop_sheet(name, text);
    let book = format!("sheet/{id}/book");
    wait_until("the sheet is read", || desk.page(&book).body.contains("name=\"stamp\""));
    desk.posts(&book, &agreed(&desk.page(&book).body));
    wait_until("it is booked", || desk.page("progress").status == 303);
    id
}

#[test]
fn a_sheet_that_one_desk_books_stands_at_the_other_ones_desk_and_is_booked_there_no_more() {
    let Some((service, database)) = with_database() else { return };
    let [one, two] = [(); 2].map(|()| database.station(&address(&service)));
    let (here, there) = (Desk::open(&one, &[]), Desk::open(&two, &[]));
    booked_at(&here, "packing.csv", &three());
    assert_eq!(assert_nothing_lost(&service, &database, 3), 0);
    let runs = there.page("runs").body;
    assert!(runs.contains("packing.csv"), "{runs}");
    let results = there.page("results?run=1").body;
    for (number, awb) in service.bookings() {
        let order = there.page(&format!("order?number={number}")).body;
        assert!(order.contains(&awb), "{number} {awb}: {order}");
    }
    assert!(results.contains("Booked"), "{results}");
    wait_until("it is finished at both desks", || there.page("").body.contains("1 finished sheet"));
    let own = there.page("download?what=own&run=1").body;
    assert!(service.bookings().iter().all(|(_, awb)| own.contains(awb)), "{own}");
    // The same sheet, dropped at the other desk: nothing of it goes again.
    let id = there.drop_sheet("copy.csv", &three());
    wait_until("the sheet is read", || there.page(&format!("sheet/{id}/book")).body.contains("Nothing is ready"));
    // And a sheet of which one order is new: that one goes.
    booked_at(&there, "more.csv", &format!("{}{}", three(), row_with("A-4", "9876543213", "560004") + "\n"));
    assert_eq!(assert_nothing_lost(&service, &database, 4), 0);
    assert_eq!(service.sandbox().book().requests(), 4);
    let by = "SELECT count(DISTINCT s.station) FROM attempts a JOIN stations s ON s.epoch = a.epoch";
    assert_eq!(database.sql(by), "2", "both desks have sent");
}

#[test]
fn labels_of_what_one_station_booked_come_at_the_other_one() {
    let Some((service, database)) = with_database() else { return };
    let [one, two] = [(); 2].map(|()| database.station(&address(&service)));
    one.file("orders.csv", &three());
    one.run(&["import", "orders.csv", "--yes"]).exits(0);
    let label = ["label", "--run", "1", "--to", "l.pdf"];
    let files = |station: &Rig| {
        let files = std::fs::read_dir(station.path("l-labels")).unwrap();
        let mut files: Vec<String> = files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
        files.sort();
        files
    };
    for station in [&two, &one] {
        station.run(&label).exits(0).prints("3 labels").prints("3 fetched");
        assert!(std::fs::read(station.path("l.pdf")).unwrap().starts_with(b"%PDF"));
    }
    assert_eq!(files(&two), files(&one));
    let mut awbs: Vec<String> = service.bookings().into_iter().map(|(_, awb)| format!("{awb}.pdf")).collect();
    awbs.sort();
    assert_eq!(files(&two), awbs);
    assert_eq!(assert_nothing_lost(&service, &database, 3), 0);
}

#[test]
fn what_was_refused_at_one_station_is_tried_again_at_another_one_and_once() {
    let Some((service, database)) = with_database() else { return };
    let [one, two] = [(); 2].map(|()| database.station(&address(&service)));
    one.file("orders.csv", &three());
    service.sandbox().script_order("A-2", [Answer::Status(422, r#"{"message":["try again"]}"#.to_owned())]);
    one.run(&["import", "orders.csv", "--yes"]).exits(4);
    // Both try it at once.
    let live: Vec<_> = [&one, &two].map(|station| station.live("retry", &["retry", "--yes"])).into();
    for retry in live {
        let ran = retry.end();
        assert!(matches!(ran.exit, 0 | 5), "{ran:?}");
    }
    assert_eq!(service.sandbox().book().posts("A-2"), 2, "the first time, and once more");
    assert_eq!(assert_nothing_lost(&service, &database, 3), 0);
    for station in [&one, &two] {
        station.run(&["status"]).exits(0).prints("booked");
        station.run(&["show", "A-2"]).exits(0).prints("booked");
    }
}

#[test]
fn a_statement_at_one_station_holds_orders_of_a_run_that_goes_on_at_another() {
    let Some((service, database)) = with_database() else { return };
    let [one, two] = [(); 2].map(|()| database.station(&address(&service)));
    one.file("orders.csv", &three());
    service.sandbox().hold_after(0);
    let live = one.live("import", &["import", "orders.csv", "--yes", "--concurrency", "1"]);
    wait_until("the first one is sent", || service.sandbox().book().requests() == 1);
    two.file("list.csv", "Order Number,AWB\nA-3,77889900\n");
    two.run(&["doubt", "match", "list.csv"]).says("1 order that the statement names held: A-3");
    service.sandbox().go_on();
    live.end().exits(4);
    let book = service.sandbox().book();
    assert_eq!(["A-1", "A-2", "A-3"].map(|number| book.posts(number)), [1, 1, 0]);
    for station in [&one, &two] {
        station.run(&["resume", "--yes"]).says("A-3 held in list.csv (in-couriers-list)");
    }
    two.run(&["accept", "in-couriers-list", "--order", "A-3", "--because", "another parcel"]).exits(0);
    one.run(&["resume", "--yes"]).exits(0);
    assert_eq!(assert_nothing_lost(&service, &database, 3), 0);
}

/// Promise 7: a sheet that is open at one station holds its orders at all of them.
#[test]
fn a_sheet_that_is_open_at_one_desk_is_open_at_all_and_keeps_its_orders_back_everywhere() {
    let Some((service, database)) = with_database() else { return };
    let [one, two] = [(); 2].map(|()| database.station(&address(&service)));
    one.file("orders.csv", &three());
    one.run(&["import", "orders.csv", "--yes", "--max-orders", "1"]).exits(5);
    let sent = service.bookings()[0].0.clone();
    let [held, left] = ["A-1", "A-2", "A-3"].into_iter().filter(|own| *own != sent).collect::<Vec<_>>()[..] else {
        panic!("two are left")
    };
    let (here, there) = (Desk::open(&one, &[]), Desk::open(&two, &[]));
    let id = here.drop_sheet("packing.csv", &three());
    says(&here, &id, &format!("hold={held}"));
    // The other one has it without a copy of the sheet, and is told what was said meanwhile.
    assert!(there.page("").body.contains("packing.csv"));
    there.read_sheet(&id);
    let older = field(&there.page(&format!("sheet/{id}/check")).body, "revision");
    says(&here, &id, &format!("leave={left}"));
    let told = there.posts(&format!("sheet/{id}/answer"), &format!("revision={older}&back=check&release={held}"));
    assert!(told.contains("was changed"), "{told}");
    for station in [&two, &one] {
        station.run(&["resume", "--yes"]).exits(5).says("packing.csv, which is open on the local page");
    }
    says(&there, &id, &format!("release={held}"));
    two.run(&["resume", "--yes"]).exits(0).says("packing.csv, which is open on the local page");
    let book = service.sandbox().book();
    assert_eq!([held, left].map(|number| book.posts(number)), [1, 0]);
    // A sheet that one discards is gone for the other.
    let discard = format!("sheet/{id}/discard");
    let asked = there.page(&discard).body;
    let said = there.posts(&discard, &format!("revision={}&kept={}", field(&asked, "revision"), field(&asked, "kept")));
    assert!(said.contains("is discarded"), "{said}");
    assert!(!here.page("").body.contains("packing.csv, which is open"));
    assert!(here.page(&format!("sheet/{id}/check")).body.contains("Drop the sheet again on Home"));
    assert_eq!(database.sql(&format!("SELECT state FROM orders WHERE number = '{left}'")), "abandoned");
    assert_eq!(service.sandbox().book().booked_twice(), Vec::<String>::new());
}

#[test]
fn a_desk_that_dies_at_any_step_at_one_station_leaves_the_other_what_it_held() {
    let steps = ["answer:1", "answer:2", "stage:1", "after-intent:1", "clear:2"]
        .into_iter()
        .zip([Next::Resume, Next::Night].into_iter().cycle());
    for (step, next) in steps {
        let Some((service, database)) = with_database() else { return };
        let [doomed, other] = [(); 2].map(|()| database.station(&address(&service)));
        let sql = |query: &str| database.sql(query);
        dies(next, step, &Scene { doomed: &doomed, other: &other, service: &service, sql: &sql });
    }
}
