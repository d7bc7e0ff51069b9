//! What the courier's list has is not sent from here, whatever it makes of the number, the AWB and the row; and each word is of
//! what was shown.

use shipsheet::sandbox::Answer as Script;

use super::kept::{half_sent, posts};
use super::money::{book, booked, is_open, pressed, refusal, says, state};
use super::{Desk, field};
use crate::rig::postgres::Postgres;
use crate::rig::{Rig, row_of_own, row_with, sheet, wait_until};

/// Drops a list, and gives the place where it is shown.
fn list(desk: &Desk, rows: &str) -> String {
    let dropped = desk.drop_file("statement", "list.csv", &format!("Order Number,AWB,Status\n{rows}"));
    assert_eq!(dropped.status, 303);
    dropped.header("location").unwrap().strip_prefix(&desk.base).unwrap().to_owned()
}

/// Forgets the list of a page.
fn forget(desk: &Desk, place: &str) -> String {
    let page = desk.page(place).body;
    desk.posts("statement/settle", &format!("id={}&what=forget&stamp={}", field(&page, "id"), field(&page, "stamp")))
}

/// Orders with goods of their own for people of their own.
fn orders(numbers: &[&str]) -> String {
    sheet(numbers.iter().map(|number| row_of_own(number)))
}

fn refused(rig: &Rig, numbers: &[&str]) {
    for number in numbers {
        rig.sandbox().script_order(number, [refusal()]);
    }
    rig.import_text(&orders(numbers)).exits(4);
}

/// Promise 7: an order that a courier's statement names is not sent, even if the statement comes during the run.
#[test]
fn an_order_that_the_list_has_is_not_sent_whatever_became_of_its_awb() {
    for awb in ["1.23457E+11", "", "77889900"] {
        let rig = Rig::new();
        refused(&rig, &["A-1", "A-2"]);
        let desk = Desk::open(&rig, &[]);
        let place = list(&desk, &format!("A-1,{awb},Booked\nA-2,{awb},Cancelled\n"));
        rig.run(&["retry", "--yes"]).says("list.csv (in-couriers-list)");
        assert_eq!(
            (posts(&rig, "A-1"), posts(&rig, "A-2")),
            (1, 2),
            "\"{awb}\": what was cancelled there is no matter"
        );
        let page = desk.page(&place).body;
        assert!(
            page.contains("A-1") && page.contains("Nothing sends these orders as long as the list is here."),
            "{page}"
        );
    }
}

#[test]
fn the_list_has_an_order_however_it_spells_or_spoils_its_number() {
    let rig = Rig::new();
    let numbers = ["1001", "1002", "SB-1004", "123456789012", "A-4", "A-5", "A-6", "A-7"];
    refused(&rig, &numbers[..4]);
    refused(&rig, &numbers[4..]);
    let desk = Desk::open(&rig, &[]);
    let spelled = "No. 1001,77889901,\n\u{967}\u{966}\u{966}\u{968},77889902,\n\u{ff33}\u{ff22}\u{ff0d}\u{ff11}\u{ff10}\u{ff10}\u{ff14},77889903,\n";
    list(&desk, &format!("{spelled}1.23457E+11,77889904,\n\"A-4, A-5\",77889905,\nA-6\u{fffd},7,\n"));
    rig.run(&["retry", "--yes"]);
    let sent: Vec<&str> = numbers.into_iter().filter(|number| posts(&rig, number) == 2).collect();
    assert_eq!(sent, ["A-7"], "what stands in a row that cannot be read is kept as well");
}

#[test]
fn a_list_that_comes_before_the_first_booking_is_shown_and_can_be_forgotten() {
    let rig = Rig::new();
    let desk = Desk::open(&rig, &[]);
    let place = list(&desk, "A-1,77889901,\n");
    let page = desk.page(&place);
    assert!(page.status == 200 && page.body.contains("It settles no order in doubt."), "{page:?}");
    assert!(forget(&desk, &place).contains("list.csv is forgotten."));
    assert!(!desk.page("doubts").body.contains("Orders in it count as booked"));
    assert!(desk.page(&place).body.contains("This list is no longer here"));
    rig.import_text(&orders(&["A-1"])).exits(0);
}

#[test]
fn where_stations_share_a_ledger_pages_say_that_holds_count_at_this_one() {
    const SAID: &str = "at this station only";
    let Some(postgres) = Postgres::shared() else { return };
    let (service, database) = (Rig::new(), postgres.database());
    let station = database.station(&format!("http://{}", service.sandbox().address()));
    for (rig, is_shared) in [(&station, true), (&service, false)] {
        let desk = Desk::open(rig, &[]);
        let id = desk.drop_sheet("orders.csv", &orders(&["A-1", "A-2"]));
        assert!(!desk.page(&format!("sheet/{id}/check")).body.contains(SAID), "nothing is kept back yet");
        assert_eq!(says(&desk, &id, "hold=A-1").contains(SAID), is_shared);
        list(&desk, "A-2,77889901,\n");
        assert!(!desk.page("doubts").body.contains(SAID), "a list counts at all of them");
    }
    station.file("orders.csv", &orders(&["A-1", "A-2"]));
    let other = database.station(&format!("http://{}", service.sandbox().address()));
    other.file("orders.csv", &orders(&["A-2"]));
    other.run(&["import", "orders.csv", "--yes"]).says("the courier's list list.csv has this order already");
}

#[test]
fn an_old_page_forgets_no_other_list() {
    let rig = Rig::new();
    refused(&rig, &["A-1"]);
    let desk = Desk::open(&rig, &[]);
    let place = list(&desk, "Z-1,77889901,\n");
    let old = desk.page(&place).body;
    assert!(forget(&desk, &place).contains("list.csv is forgotten."));
    list(&desk, "A-1,77889902,\n");
    let again = format!("id={}&what=forget&stamp={}", field(&old, "id"), field(&old, "stamp"));
    assert!(desk.posts("statement/settle", &again).contains("This list is no longer here"));
    rig.run(&["retry", "--yes"]);
    assert_eq!(posts(&rig, "A-1"), 1);
    // Dropped together, each of them counts.
    let page = desk.page("doubts").body;
    assert!(page.contains("aria-label=\"Courier's list\" multiple"), "also where no order is in doubt: {page}");
}

#[test]
fn each_keeper_is_asked_and_a_word_is_of_what_it_was_given_for() {
    let rig = Rig::new();
    let desk = Desk::open(&rig, &[]);
    let id = desk.drop_sheet("orders.csv", &orders(&["A-1", "A-2"]));
    says(&desk, &id, "hold=A-1");
    let place = list(&desk, "A-1,77889901,Booked\n");
    rig.file("other.csv", &orders(&["A-1"]).replace("Kurta", "Saree"));
    let import = |accepted: &[&str]| {
        let because: &[&str] = if accepted.is_empty() { &[] } else { &["--because", "they said so"] };
        let accepted = accepted.iter().flat_map(|own| ["--accept", *own]).chain(because.iter().copied());
        let arguments: Vec<&str> = ["import", "other.csv", "--yes"].into_iter().chain(accepted).collect();
        rig.run(&arguments)
    };
    let said = import(&["held-back:A-1"]);
    said.exits(3).says("the courier's list list.csv has this order already");
    assert_eq!(posts(&rig, "A-1"), 0, "who lets the sheet's word go says nothing of the list");
    rig.sandbox().script_order("A-1", [refusal(), refusal(), refusal()]);
    import(&["held-back:A-1", "in-couriers-list:A-1"]).exits(4);
    assert_eq!(posts(&rig, "A-1"), 1);
    // What was accepted holds as long as it is the same.
    rig.file("other.csv", &orders(&["A-1"]).replace("Kurta", "Shawl"));
    import(&[]);
    assert_eq!(posts(&rig, "A-1"), 2);
    rig.file("other.csv", &orders(&["A-1"]).replace("Kurta", "Belt"));
    // Held once more, it is held; so it is by a list that says something else.
    says(&desk, &id, "release=A-1");
    says(&desk, &id, "hold=A-1");
    import(&[]).exits(3).says("holds this order or leaves it out");
    says(&desk, &id, "release=A-1");
    forget(&desk, &place);
    list(&desk, "A-1,77889999,Booked\n");
    import(&[]).exits(3).says("the courier's list list.csv has this order already");
    assert_eq!(posts(&rig, "A-1"), 2);
}

#[test]
fn a_held_row_is_held_under_every_number_that_it_has() {
    let rig = Rig::new();
    let desk = Desk::open(&rig, &[]);
    let text = orders(&["A-1", "A-2"]);
    let id = desk.drop_sheet("orders.csv", &text);
    says(&desk, &id, "hold=A-1");
    assert!(says(&desk, &id, "cell.0.2.0=A-1B").contains("A-1B is on hold"));
    rig.file("saved.csv", &text.replace("A-1,", "A-1B,"));
    rig.run(&["import", "saved.csv", "--yes"]).exits(4).says("orders.csv, which is open on the local page, holds");
    assert_eq!(posts(&rig, "A-1B"), 0);
    // Who takes it back in under its new number takes the row back in.
    says(&desk, &id, "release=A-1B");
    rig.run(&["import", "saved.csv", "--yes"]).exits(0);
    assert_eq!(posts(&rig, "A-1B"), 1);
}

#[test]
fn an_order_in_which_somebody_typed_goes_by_that_sheet() {
    let rig = Rig::new();
    let desk = Desk::open(&rig, &[]);
    let text = orders(&["A-1", "A-2"]);
    let id = desk.drop_sheet("orders.csv", &text);
    let page = desk.page(&format!("sheet/{id}/order?number=A-1")).body;
    let (place, _) = page.split_once(" Address Line 1\"").unwrap_or_else(|| panic!("{page}"));
    let cell = place.rsplit_once("name=\"cell.").unwrap().1.split('"').next().unwrap();
    says(&desk, &id, &format!("cell.{cell}=15+New+Road"));
    rig.file("orders.csv", &text);
    rig.run(&["import", "orders.csv", "--yes"]).exits(4).says("stands otherwise in orders.csv");
    assert_eq!((posts(&rig, "A-1"), posts(&rig, "A-2")), (0, 1));
    // A later copy in which nobody typed changes nothing about that.
    desk.drop_sheet("copy.csv", &text.replace("Kurta", "Saree"));
    rig.run(&["import", "orders.csv", "--yes"]).exits(4);
    assert_eq!(posts(&rig, "A-1"), 0);
    booked(&desk, &id);
    assert_eq!(posts(&rig, "A-1"), 1);
}

#[test]
fn a_sheet_of_which_an_order_was_left_out_stays_open_for_it() {
    let rig = Rig::new();
    let desk = Desk::open(&rig, &[]);
    let text = orders(&["A-1", "A-2"]);
    let id = desk.drop_sheet("orders.csv", &text);
    says(&desk, &id, "leave=A-2");
    booked(&desk, &id);
    assert!(is_open(&desk, "orders.csv"));
    rig.file("orders.csv", &text);
    rig.run(&["import", "orders.csv", "--yes"]).exits(4).says("holds this order or leaves it out");
    assert_eq!((posts(&rig, "A-1"), posts(&rig, "A-2")), (1, 0));
}

/// Promise 7: an order that a courier's statement names is not sent, even if the statement comes during the run.
#[test]
fn a_run_sends_no_order_that_a_list_has_which_comes_meanwhile() {
    let rig = Rig::new();
    rig.sandbox().hold_after(0);
    rig.file("shipsheet.toml", "[booking]\nconcurrency = 1\n");
    let desk = Desk::open(&rig, &[]);
    let id = desk.drop_sheet("orders.csv", &orders(&["A-1", "A-2", "A-3", "A-4"]));
    book(&desk, &id);
    wait_until("the first one is sent", || rig.sandbox().book().requests() == 1);
    list(&desk, "A-3,77889901,Booked\n");
    rig.sandbox().go_on();
    wait_until("it is done", || desk.page("progress").status == 303);
    assert_eq!(["A-1", "A-2", "A-3", "A-4"].map(|number| posts(&rig, number)), [1, 1, 0, 1]);
    rig.run(&["resume", "--yes"]);
    rig.run(&["show", "A-3"]).prints("list.csv (in-couriers-list)");
    assert_eq!(posts(&rig, "A-3"), 0);
    // A person knows better.
    rig.run(&["accept", "in-couriers-list", "--order", "A-3", "--because", "another parcel"]).exits(0);
    rig.run(&["resume", "--yes"]).exits(0);
    assert_eq!(posts(&rig, "A-3"), 1);
}

#[test]
fn what_is_open_goes_with_its_ledger_whatever_that_is_called() {
    let rig = Rig::new();
    let (text, left) = half_sent(&rig, "orders.csv");
    let desk = Desk::open(&rig, &[]);
    let id = desk.drop_sheet("orders.csv", &text);
    says(&desk, &id, &format!("hold={left}"));
    drop(desk);
    for ending in ["", "-wal", "-shm", ".spool"] {
        let _ =
            std::fs::rename(rig.path(&format!("ledger.sqlite{ending}")), rig.path(&format!("other.sqlite{ending}")));
    }
    let other = rig.path("other.sqlite");
    let resume = ["resume", "--yes", "--ledger", other.to_str().unwrap()];
    rig.run(&resume)
        .exits(5)
        .says("left alone, 1 order: orders.csv, which is open on the local page, has it otherwise");
    assert_eq!(posts(&rig, &left), 0);
}

#[test]
fn what_was_open_in_an_earlier_version_lets_nothing_go() {
    for folder in ["drafts/0199-1", "statement/list"] {
        let rig = Rig::new();
        let (_, left) = half_sent(&rig, "orders.csv");
        let open = rig.path("ledger.sqlite.desk").join(folder);
        std::fs::create_dir_all(&open).unwrap();
        rig.run(&["resume", "--yes"]).exits(1).says("what was open at the desk of an earlier version lies in");
        assert_eq!(posts(&rig, &left), 0);
        // Its files are dropped anew, and the folder is moved away.
        Desk::open(&rig, &[]).drop_sheet("more.csv", &sheet([row_with("Z-1", "9812345670", "560009")]));
        std::fs::remove_dir_all(open.parent().unwrap()).unwrap();
        rig.run(&["resume", "--yes"]).exits(0);
        assert_eq!(posts(&rig, &left), 1);
    }
}

#[test]
fn a_finding_is_let_go_as_it_was_shown_and_not_another_one_of_its_rule() {
    let rig = Rig::new();
    let desk = Desk::open(&rig, &[]);
    let place = list(&desk, "A-1,77889901,Booked\n");
    let id = desk.drop_sheet("orders.csv", &orders(&["A-1", "A-2"]));
    let page = desk.page(&format!("sheet/{id}/check")).body;
    let form =
        format!("revision={}&back=check&{}", field(&page, "revision"), pressed(&page, "send.in-couriers-list=A-1"));
    forget(&desk, &place);
    list(&desk, "A-1,77889901,Booked\nA-1,77889902,Booked\n");
    let said = desk.posts(&format!("sheet/{id}/answer"), &form);
    assert!(said.contains("A-1 has another problem by now"), "{said}");
}

#[test]
fn a_word_of_before_is_not_taken_after_another_one() {
    let rig = Rig::new();
    refused(&rig, &["A-1"]);
    let desk = Desk::open(&rig, &[]);
    let upon = |desk: &Desk| field(&desk.page("order?number=A-1").body, "upon");
    desk.posts("give-up", &format!("upon={}&because=customer+rang", upon(&desk)));
    let old = upon(&desk);
    desk.posts("bring-back", &format!("upon={old}&because=wanted+after+all"));
    desk.posts("give-up", &format!("upon={}&because=booked+there", upon(&desk)));
    let said = desk.posts("bring-back", &format!("upon={old}&because=wanted+after+all"));
    assert_eq!(state(&rig, "A-1"), "abandoned", "{said}");
}

#[test]
fn a_phone_that_was_typed_as_an_awb_is_asked_about_and_corrected_by_the_list() {
    let rig = Rig::new();
    rig.sandbox().script_order("D-1", [Script::CutAfter]);
    rig.import_text(&sheet([row_with("D-1", "9920011122", "560001")])).exits(6);
    let desk = Desk::open(&rig, &[]);
    let upon = field(&desk.page("doubts").body, "upon");
    for phone in ["9920011122", "919920011122", "99200-11122"] {
        let verdict = format!("upon={upon}&verdict=there&awb={phone}&because=portal");
        let asked = desk.posts("doubts", &verdict);
        assert!(asked.contains("is the phone number of the order, not its AWB."), "{asked}");
        assert_eq!(state(&rig, "D-1"), "in_doubt");
    }
    let sure = format!("upon={upon}&verdict=there&awb=9920011122&because=portal&sure=yes");
    desk.posts("doubts", &sure);
    assert_eq!(state(&rig, "D-1"), "booked");
    let place = list(&desk, "D-1,77889901,Booked\n");
    let page = desk.page(&place).body;
    assert!(page.contains("Somebody typed <b>9920011122</b>; the list has <b>77889901</b>."), "{page}");
    assert!(!page.contains("booked twice") && page.contains("order?number=D-1"), "{page}");
    let form = page.split("Somebody typed").nth(1).unwrap();
    let (upon, because) = (field(form, "upon"), field(form, "because"));
    desk.posts("doubts", &format!("upon={upon}&verdict=there&awb={}&because={because}", field(form, "awb")));
    let awb: String =
        rig.database().query_row("SELECT awb FROM orders WHERE number = 'D-1'", [], |row| row.get(0)).unwrap();
    assert_eq!(awb, "77889901");
    let page = desk.page(&place).body;
    assert!(!page.contains("Somebody typed"), "{page}");
}

#[test]
fn what_a_person_brings_back_is_left_alone_as_long_as_a_list_has_it() {
    let rig = Rig::new();
    refused(&rig, &["A-1"]);
    rig.run(&["doubt", "abandon", "A-1", "--because", "customer rang"]).exits(0);
    let desk = Desk::open(&rig, &[]);
    let place = list(&desk, "A-1,77889900,Booked\n");
    rig.run(&["doubt", "not-booked", "A-1", "--because", "wanted after all"]).exits(0);
    rig.run(&["resume", "--yes"]).says("A-1 is in list.csv (in-couriers-list)");
    assert_eq!(posts(&rig, "A-1"), 1);
    forget(&desk, &place);
    rig.run(&["resume", "--yes"]).exits(0);
    assert_eq!(posts(&rig, "A-1"), 2);
}

#[test]
fn an_order_of_a_list_goes_as_its_sheet_has_it_by_then() {
    let rig = Rig::new();
    refused(&rig, &["A-1", "A-2"]);
    let desk = Desk::open(&rig, &[]);
    let place = list(&desk, "A-1,77889900,Booked\nA-2,77889901,Booked\n");
    rig.file("later.csv", &orders(&["A-1", "A-2"]).replace("MG Road", "Lake View Road"));
    rig.run(&["import", "later.csv", "--yes"]).exits(3).says("the courier's list list.csv has this order already");
    let accept = ["accept", "in-couriers-list", "--order", "A-2", "--because", "another parcel"];
    rig.run(&accept).exits(0).says("next: `shipsheet resume` sends A-2");
    rig.run(&["show", "A-1"])
        .prints("next: `shipsheet accept in-couriers-list --order A-1 --because TEXT` lets it go\n");
    assert!(forget(&desk, &place).contains("1 order may be sent again."));
    rig.run(&["resume", "--yes"]).exits(0);
    assert_eq!(["A-1", "A-2"].map(|number| posts(&rig, number)), [2, 2]);
    let bodies = rig.sandbox().book().bookings();
    let is_new = |body: &[u8]| String::from_utf8_lossy(body).contains("Lake View Road");
    assert!(bodies.iter().all(|booking| is_new(&booking.body)), "{bodies:?}");
}

#[test]
fn a_statement_that_settles_all_that_it_names_stays_nowhere() {
    let rig = Rig::new();
    rig.sandbox().script_order("D-1", [Script::CutAfter]);
    rig.import_text(&orders(&["D-1"])).exits(6);
    let awb = rig.bookings().remove(0).1;
    rig.file("portal.csv", &format!("Order Number,AWB,Status\nD-1,{awb},Booked\n"));
    let (_, matched) = rig.json(&["doubt", "match", "portal.csv", "--yes"]);
    assert_eq!((&matched["settled"], &matched["held"]), (&serde_json::json!(["D-1"]), &serde_json::json!([])));
    let desk = Desk::open(&rig, &[]);
    assert!(!desk.page("doubts").body.contains("Orders in it count as booked"));
    rig.run(&["ledger", "check"]).exits(0);
}

#[test]
fn a_correction_of_an_order_in_doubt_does_not_let_it_go_that_a_list_has() {
    let rig = Rig::new();
    rig.sandbox().script_order("D-1", [Script::CutBefore]);
    rig.import_text(&orders(&["D-1"])).exits(6);
    let desk = Desk::open(&rig, &[]);
    list(&desk, "D-1,,Booked\n");
    rig.file("later.csv", &orders(&["D-1"]).replace("MG Road", "Lake View Road"));
    rig.run(&["import", "later.csv", "--yes"]);
    rig.run(&["doubt", "not-booked", "D-1", "--because", "not seen"]).exits(0);
    rig.run(&["show", "D-1"]).prints("order D-1").prints(": held").prints("(in-couriers-list)");
    rig.run(&["resume", "--yes"]).says("D-1 held in");
    assert_eq!(posts(&rig, "D-1"), 1);
}

#[test]
fn a_list_brings_nobody_elses_order_under_its_number() {
    let rig = Rig::new();
    refused(&rig, &["A-1"]);
    let desk = Desk::open(&rig, &[]);
    let place = list(&desk, "A-1,77889900,Booked\n");
    rig.file("other.csv", &sheet([row_with("A-1", "9812345678", "560002")]));
    rig.run(&["import", "other.csv", "--yes"]).exits(3);
    forget(&desk, &place);
    rig.run(&["resume", "--yes"]);
    rig.run(&["retry", "--yes"]);
    let bodies = rig.sandbox().book().bookings();
    let is_other = |body: &[u8]| String::from_utf8_lossy(body).contains("9812345678");
    assert!(bodies.len() == 1 && !is_other(&bodies[0].body), "{bodies:?}");
}
