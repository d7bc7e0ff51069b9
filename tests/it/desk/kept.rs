//! What an open sheet or the courier's list keeps back is sent in no other way either.

use std::time::Duration;

use shipsheet::sandbox::Answer as Script;

use super::money::{booked, is_open, says, state};
use super::{Desk, field};
use crate::rig::{Rig, row, row_with, sheet, wait_until};

/// An answer that is about no single order: the meaning of a value, `later`, of the first column.
const OF_ALL: &str = "answer=%7B%22do%22%3A%22layout%22%2C%22sheet%22%3A0%2C%22change%22%3A%7B%22of%22%3A%22values%22%2C\
    %22column%22%3A0%2C%22means%22%3A%5B%5B%22later%22%2C%22go%22%5D%5D%7D%7D";

/// Two orders in the ledger of which one is booked; gives the number of the other.
pub(super) fn half_sent(rig: &Rig, name: &str) -> (String, String) {
    let text = sheet([row("A-1"), row_with("A-2", "9812345678", "560002")]);
    rig.file(name, &text);
    rig.run(&["import", name, "--yes", "--max-orders", "1"]);
    let left = ["A-1", "A-2"].into_iter().find(|number| state(rig, number) == "staged").unwrap();
    (text, left.to_owned())
}

/// The answer that the page of a sheet offers to take back.
pub(super) fn undoes(desk: &Desk, id: &str) -> String {
    let page = desk.page(&format!("sheet/{id}/check")).body;
    page.split("name=\"undo\" value=\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap().to_owned()
}

pub(super) fn posts(rig: &Rig, number: &str) -> u64 {
    rig.sandbox().book().posts(number)
}

#[test]
#[cfg(unix)]
fn an_open_sheet_is_found_by_every_path_to_its_ledger() {
    for moves in [false, true] {
        let rig = Rig::new();
        let (text, left) = half_sent(&rig, "orders.csv");
        let desk = Desk::open(&rig, &[]);
        let id = desk.drop_sheet("orders.csv", &text);
        says(&desk, &id, &format!("leave={left}"));
        drop(desk);
        std::fs::create_dir(rig.path("other")).unwrap();
        let other = rig.path("other/l.sqlite");
        let other = other.to_str().unwrap();
        if moves {
            rig.run(&["ledger", "move", other]).exits(0);
            assert!(!rig.path("ledger.sqlite.desk").exists(), "nothing of a person stays behind");
        } else {
            std::os::unix::fs::symlink(rig.path("ledger.sqlite"), other).unwrap();
        }
        let ran = rig.run(&["resume", "--yes", "--ledger", other]);
        ran.exits(5).says("left alone, 1 order: orders.csv, which is open on the local page, has it otherwise");
        assert_eq!(posts(&rig, &left), 0, "moved: {moves}");
    }
}

/// Promise 7: an order that an open sheet holds, leaves out or changes is sent by no resume, no night and no run
/// under way.
#[test]
fn a_watcher_leaves_alone_what_an_open_sheet_or_the_couriers_list_keeps() {
    let rig = Rig::new();
    std::fs::create_dir(rig.path("in")).unwrap();
    let rows = ["9812345671", "9812345672", "9812345673", "9812345674"];
    let rows = (1..).zip(rows).map(|(at, phone)| row_with(&format!("W-{at}"), phone, "560002"));
    let text = sheet(rows);
    rig.file("in/orders.csv", &text);
    let night = |more: &[&str]| rig.run(&[&["watch", "in", "--once", "--rest", "0"], more].concat());
    night(&["--max-orders", "1"]);
    let open: Vec<String> = (1..=4).map(|at| format!("W-{at}")).filter(|own| state(&rig, own) == "staged").collect();
    let [left_out, held, listed] = &open[..] else { panic!("{open:?}") };
    let desk = Desk::open(&rig, &[]);
    let id = desk.drop_sheet("orders.csv", &text);
    says(&desk, &id, &format!("leave={left_out}"));
    says(&desk, &id, &format!("hold={held}"));
    desk.drop_file("statement", "list.csv", &format!("Order Number,AWB\n{listed},77889900\n"));
    let ran = night(&[]);
    ran.exits(5).says("which is open on the local page");
    rig.run(&["resume", "--yes"]).exits(5).says("list.csv (in-couriers-list)");
    assert_eq!([left_out, held, listed].map(|number| posts(&rig, number)), [0, 0, 0]);
}

#[test]
fn a_list_keeps_back_what_it_spells_otherwise_and_an_import_asks_it_too() {
    let rig = Rig::new();
    let desk = Desk::open(&rig, &[]);
    let text = sheet([row("1001"), row_with("A-1", "9812345678", "560002"), row_with("B-1", "9812345679", "560003")]);
    let id = desk.drop_sheet("orders.csv", &text);
    desk.drop_file("statement", "first.csv", "Order Number,AWB\n#1001,77889900\n");
    // Another list frees nothing that the first one keeps.
    desk.drop_file("statement", "second.csv", "Order Number,AWB\na 1,77889911\n");
    wait_until("the sheet is read", || desk.page(&format!("sheet/{id}/check")).status == 200);
    let page = desk.page(&format!("sheet/{id}/book")).body;
    assert!(page.contains("The courier has 1 order of these already: ") && page.contains("Book 1 now"), "{page}");
    rig.file("orders.csv", &text);
    rig.run(&["import", "orders.csv", "--yes"]).exits(4).says("the courier's list first.csv has this order already");
    assert_eq!(["1001", "A-1", "B-1"].map(|number| posts(&rig, number)), [0, 0, 1]);
    // A person may know better, order by order.
    let accepted = ["--accept", "in-couriers-list:1001", "--because", "another parcel"];
    rig.run(&[&["import", "orders.csv", "--yes"], &accepted[..]].concat()).exits(4);
    assert_eq!((posts(&rig, "1001"), posts(&rig, "A-1")), (1, 0));
}

#[test]
fn the_same_bytes_are_one_sheet_under_any_name() {
    let rig = Rig::new();
    let desk = Desk::open(&rig, &[]);
    let text = sheet([row("A-1"), row_with("A-2", "9812345678", "560002")]);
    let id = desk.drop_sheet("orders.csv", &text);
    says(&desk, &id, "leave=A-1");
    assert_eq!(desk.drop_sheet("orders (1).csv", &text), id);
    // Nor does another sheet, or an import, send what is left out in this one.
    let other = desk.drop_sheet("other.csv", &text.replace("Kurta", "Saree"));
    let page = desk.page(&format!("sheet/{other}/check")).body;
    assert!(page.contains("Orders.csv, which is open on the local page, holds this order or leaves it out"), "{page}");
    rig.file("other.csv", &text.replace("Kurta", "Shirt"));
    rig.run(&["import", "other.csv", "--yes"]).exits(4).says("orders.csv, which is open on the local page");
    assert_eq!((posts(&rig, "A-1"), posts(&rig, "A-2")), (0, 1));
}

#[test]
fn a_sheet_that_cannot_be_read_any_more_holds_what_it_held() {
    for spoiled in [
        "UPDATE draft_notes SET said = replace(said, 'leave-out', 'leave-later')",
        "UPDATE drafts SET name = '../../../orders.csv'",
    ] {
        let rig = Rig::new();
        let (text, left) = half_sent(&rig, "orders.csv");
        let desk = Desk::open(&rig, &[]);
        let id = desk.drop_sheet("orders.csv", &text);
        says(&desk, &id, &format!("leave={left}"));
        let tampered = format!("DROP TRIGGER draft_notes_frozen; DROP TRIGGER drafts_frozen; {spoiled}");
        rig.database().execute_batch(&tampered).unwrap();
        assert!(desk.page("").body.contains("orders.csv, which is open, cannot be read: "), "{}", desk.page("").body);
        rig.file("orders.csv", "mine");
        rig.run(&["resume", "--yes"]).exits(5).says("orders.csv, which is open on the local page, has it otherwise");
        assert_eq!((posts(&rig, &left), rig.read("orders.csv").as_str()), (0, "mine"));
        let discard = format!("sheet/{id}/discard");
        assert!(desk.posts(&discard, "").contains("it was not discarded"), "unasked");
        let asked = desk.page(&discard).body;
        assert!(asked.contains(&format!("1 order held by it: </b>{left}. Once it is discarded")), "{asked}");
        let word = format!("revision={}", field(&asked, "revision"));
        assert!(desk.posts(&discard, &word).contains("could not be read is discarded"));
        rig.run(&["resume", "--yes"]).exits(0);
        assert_eq!(posts(&rig, &left), 1);
    }
}

#[test]
fn a_sheet_with_a_word_on_an_order_in_doubt_is_not_discarded() {
    let rig = Rig::new();
    rig.sandbox().script_order("A-1", [Script::CutBefore]);
    let desk = Desk::open(&rig, &[]);
    let id = desk.drop_sheet("orders.csv", &sheet([row("A-1"), row_with("A-2", "9812345678", "560002")]));
    says(&desk, &id, "hold=A-2");
    booked(&desk, &id);
    says(&desk, &id, "leave=A-1");
    let page = desk.page(&format!("sheet/{id}/discard")).body;
    assert!(page.contains("holds or leaves out A-1, still in doubt. Settle that under Doubts first"), "{page}");
    let upon = field(&desk.page("doubts").body, "upon");
    desk.posts("doubts", &format!("upon={upon}&verdict=not&because=not+there"));
    assert!(desk.page("again?what=outstanding").body.contains("There is nothing to send."));
    assert_eq!(posts(&rig, "A-1"), 1);
}

#[test]
fn a_word_holds_though_the_sheet_is_read_otherwise_since() {
    let rig = Rig::new();
    let (text, left) = half_sent(&rig, "orders.csv");
    let line = 2 + u32::from(left == "A-2");
    let desk = Desk::open(&rig, &[]);
    let id = desk.drop_sheet("orders.csv", &text);
    says(&desk, &id, &format!("hold={left}"));
    says(&desk, &id, &format!("cell.0.{line}.0={left}B"));
    assert!(desk.page("again?what=outstanding").body.contains("There is nothing to send."));
    rig.run(&["resume", "--yes"]).exits(5);
    assert_eq!(posts(&rig, &left), 0);
}

#[test]
fn what_an_answer_about_the_whole_sheet_changes_is_left_to_its_sheet() {
    let rig = Rig::new();
    let (text, left) = half_sent(&rig, "orders.csv");
    let desk = Desk::open(&rig, &[]);
    let id = desk.drop_sheet("packing.csv", &text);
    desk.read_sheet(&id);
    desk.posts(&format!("sheet/{id}/columns"), "revision=0&go=check&col.0.16=-");
    rig.run(&["resume", "--yes"]).exits(5).says("packing.csv, which is open on the local page");
    says(&desk, &id, &format!("undo={}", undoes(&desk, &id)));
    rig.run(&["resume", "--yes"]).exits(0);
    assert_eq!(posts(&rig, &left), 1);
}

#[test]
fn undo_takes_back_all_that_an_answer_held() {
    let rig = Rig::new();
    let (text, left) = half_sent(&rig, "orders.csv");
    let line = 2 + u32::from(left == "A-2");
    let desk = Desk::open(&rig, &[]);
    let id = desk.drop_sheet("orders.csv", &text);
    says(&desk, &id, &format!("hold={left}"));
    says(&desk, &id, &format!("cell.0.{line}.0={left}B"));
    for _ in 0..2 {
        says(&desk, &id, &format!("undo={}", undoes(&desk, &id)));
    }
    let held = "SELECT count(*) FROM draft_holds";
    assert_eq!(rig.database().query_row(held, [], |row| row.get::<_, i64>(0)).unwrap(), 0);
    rig.run(&["resume", "--yes"]).exits(0);
    assert_eq!(posts(&rig, &left), 1);
}

#[test]
fn what_one_sheet_holds_is_held_by_no_other_that_has_it_as_it_was_staged() {
    let rig = Rig::new();
    let (text, left) = half_sent(&rig, "orders.csv");
    let desk = Desk::open(&rig, &[]);
    let [one, other] = [&text, &text.replace('\n', "\r\n")].map(|text| desk.drop_sheet("orders.csv", text));
    says(&desk, &other, &format!("hold={left}"));
    says(&desk, &one, OF_ALL);
    rig.run(&["resume", "--yes"]).exits(5);
    says(&desk, &other, &format!("release={left}"));
    rig.run(&["resume", "--yes"]).exits(0);
    assert_eq!(posts(&rig, &left), 1);
}

#[test]
fn what_is_held_where_no_service_is_configured_is_held() {
    let rig = Rig::new();
    let desk = Desk::open_by(&rig, &["env", "-u", "SHIPSHEET_BASE_URL"], &[]);
    let text = sheet([row("A-1"), row_with("A-2", "9812345678", "560002")]);
    let id = desk.drop_sheet("orders.csv", &text);
    says(&desk, &id, "hold=A-1");
    drop(desk);
    rig.file("other.csv", &text.replace("Kurta", "Shirt"));
    rig.run(&["import", "other.csv", "--yes"]).exits(4).says("orders.csv, which is open on the local page");
    assert_eq!((posts(&rig, "A-1"), posts(&rig, "A-2")), (0, 1));
}

#[test]
fn an_old_page_discards_nothing_and_undo_takes_back_what_it_names() {
    let rig = Rig::new();
    let desk = Desk::open(&rig, &[]);
    let id = desk.drop_sheet("orders.csv", &sheet([row("A-1"), row_with("A-2", "9812345678", "56002")]));
    let home = field(&desk.page("").body, "revision");
    says(&desk, &id, "hold=A-1");
    let page = desk.posts(&format!("sheet/{id}/discard"), &format!("revision={home}"));
    assert!(
        page.contains("Orders.csv was changed since you looked") || page.contains("orders.csv was changed"),
        "{page}"
    );
    let named = undoes(&desk, &id);
    let said = says(&desk, &id, &format!("cell.0.3.8=560002&undo={named}"));
    assert!(said.contains("A-2 is ready."), "{said}");
    let page = desk.page(&format!("sheet/{id}/book")).body;
    assert!(page.contains("Book 2 now"), "the hold is gone, what was typed stays: {page}");
    assert!(says(&desk, &id, &format!("undo={named}")).contains("Undo would take back something else"));
    assert!(is_open(&desk, "orders.csv"));
}

#[test]
fn what_was_typed_over_or_taken_out_is_left_to_its_sheet() {
    for said in ["cell.0.{line}.0=B-7", "drop-row.0.{line}={number}"] {
        let rig = Rig::new();
        let (text, left) = half_sent(&rig, "orders.csv");
        let line = 2 + u32::from(left == "A-2");
        let desk = Desk::open(&rig, &[]);
        let id = desk.drop_sheet("orders.csv", &text);
        says(&desk, &id, &said.replace("{line}", &line.to_string()).replace("{number}", &left));
        assert!(desk.page("again?what=outstanding").body.contains("There is nothing to send."), "{said}");
        rig.run(&["resume", "--yes"]).exits(5);
        let page = desk.page(&format!("sheet/{id}/discard")).body;
        assert!(page.contains(&format!("1 order would be given up with it: </b>{left}.")), "{page}");
        assert_eq!(posts(&rig, &left), 0);
    }
}

#[test]
fn nothing_is_said_of_orders_that_a_run_is_sending() {
    let rig = Rig::new();
    rig.sandbox().script_order("A-1", [Script::Silent(Duration::from_secs(30))]);
    let [one, other] = [0; 2].map(|_| Desk::open(&rig, &[]));
    let id = one.drop_sheet("orders.csv", &sheet([row("A-1")]));
    other.page(&format!("sheet/{id}/check"));
    super::money::book(&one, &id);
    wait_until("it is sent", || posts(&rig, "A-1") == 1);
    for said in ["leave=A-1", "hold=A-1", "cell.0.2.4=9+Hill+Road"] {
        let page = says(&other, &id, said);
        assert!(page.contains("Order A-1 is being booked just now: stop that run first"), "{page}");
    }
}

/// Promise 7: an order that an open sheet holds, leaves out or changes is sent by no resume, no night and no run
/// under way.
#[test]
fn what_is_held_or_typed_over_while_its_run_goes_on_is_not_sent_by_it() {
    for said in ["hold=A-3", "leave=A-3", "cell.0.4.4=9+Hill+Road"] {
        let rig = Rig::new();
        let rows = [row("A-1"), row_with("A-2", "9812345678", "560002"), row_with("A-3", "9812345679", "560003")];
        rig.file("orders.csv", &sheet(rows.clone()));
        let desk = Desk::open(&rig, &[]);
        let id = desk.drop_sheet("packing.csv", &sheet(rows));
        desk.read_sheet(&id);
        rig.sandbox().hold_after(0);
        let live = rig.live("import", &["import", "orders.csv", "--yes", "--concurrency", "1"]);
        wait_until("the first one is sent", || rig.sandbox().book().requests() == 1);
        let page = says(&desk, &id, said);
        assert!(!page.contains("is being booked just now"), "{page}");
        rig.sandbox().go_on();
        live.end().exits(4);
        assert_eq!(["A-1", "A-2", "A-3"].map(|number| posts(&rig, number)), [1, 1, 0], "{said}");
        let standing = "SELECT standing FROM orders WHERE number = 'A-3'";
        assert_eq!(rig.database().query_row(standing, [], |row| row.get::<_, String>(0)).unwrap(), "held", "{said}");
        says(&desk, &id, &format!("undo={}", undoes(&desk, &id)));
        rig.run(&["resume", "--yes"]).exits(0);
        assert_eq!(posts(&rig, "A-3"), 1, "{said}");
    }
}

#[test]
fn a_list_that_comes_while_its_order_is_on_the_way_keeps_it_from_being_sent_again() {
    let rig = Rig::new();
    rig.sandbox().hold_after(0);
    rig.sandbox().script_order("A-1", [Script::TooMany(1)]);
    let desk = Desk::open(&rig, &[]);
    let id = desk.drop_sheet("orders.csv", &sheet([row("A-1")]));
    desk.read_sheet(&id);
    super::money::book(&desk, &id);
    wait_until("it is sent", || rig.sandbox().book().requests() == 1);
    desk.drop_file("statement", "list.csv", "Order Number,AWB\nA-1,77889900\n");
    rig.sandbox().go_on();
    wait_until("the run is over", || desk.page("progress").status == 303);
    rig.run(&["resume", "--yes"]);
    rig.run(&["status"]).prints("A-1");
    assert_eq!((posts(&rig, "A-1"), state(&rig, "A-1")), (1, "waiting".to_owned()));
}

#[test]
fn a_restored_backup_keeps_back_what_the_ledger_kept_back() {
    for scheduled in [false, true] {
        let rig = Rig::new();
        let people = ["9812345671", "9812345672", "9812345673"];
        let rows = (1..).zip(people).map(|(at, phone)| row_with(&format!("A-{at}"), phone, &format!("56000{at}")));
        let text = sheet(rows);
        rig.file("orders.csv", &text);
        rig.run(&["import", "orders.csv", "--yes", "--max-orders", "1"]);
        let open: Vec<String> =
            (1..=3).map(|at| format!("A-{at}")).filter(|own| state(&rig, own) == "staged").collect();
        let [held, listed] = &open[..] else { panic!("{open:?}") };
        let desk = Desk::open(&rig, &[]);
        let id = desk.drop_sheet("orders.csv", &text);
        says(&desk, &id, &format!("hold={held}"));
        desk.drop_file("statement", "list.csv", &format!("Order Number,AWB\n{listed},77889901\n"));
        drop(desk);
        let copy = if scheduled {
            rig.file("shipsheet.toml", "[backup]\nfolder = \"copies\"\n");
            rig.json(&["ledger", "backup", "--scheduled"]).1["file"].as_str().unwrap().to_owned()
        } else {
            rig.run(&["ledger", "backup", "copy.sqlite"]).exits(0);
            "copy.sqlite".to_owned()
        };
        // The disk is lost, and the copy takes the ledger's place.
        std::fs::remove_dir_all(rig.path("ledger.sqlite.desk")).unwrap();
        puts_back(&rig, &copy);
        rig.run(&["resume", "--yes"]).exits(5).says("orders.csv, which is open on the local page");
        assert_eq!((posts(&rig, held), posts(&rig, listed)), (0, 0));
        let desk = Desk::open(&rig, &[]);
        assert!(
            desk.page(&format!("sheet/{id}/check")).body.contains(&format!("{held} is on hold"))
                || says(&desk, &id, &format!("release={held}")).contains("is ready")
        );
    }
}

/// Puts a copy in the place of the ledger.
fn puts_back(rig: &Rig, copy: &str) {
    for ending in ["", "-wal", "-shm"] {
        let _ = std::fs::remove_file(rig.path(&format!("ledger.sqlite{ending}")));
    }
    std::fs::copy(rig.path(copy), rig.path("ledger.sqlite")).unwrap();
}

#[test]
fn nothing_that_is_about_every_order_is_said_while_a_run_sends_one_of_them() {
    let rig = Rig::new();
    rig.sandbox().script_order("A-1", [Script::Silent(Duration::from_secs(30))]);
    let text = sheet([row("A-1"), row_with("A-9", "9812345678", "560002")]);
    let desk = Desk::open(&rig, &[]);
    let id = desk.drop_sheet("orders.csv", &text);
    says(&desk, &id, "hold=A-9");
    says(&desk, &id, "release=A-9");
    rig.file("orders.csv", &text);
    let _import = rig.live("import", &["import", "orders.csv", "--yes", "--concurrency", "1"]);
    wait_until("it is sent", || posts(&rig, "A-1") == 1);
    let column = || desk.posts(&format!("sheet/{id}/columns"), "revision=2&go=check&col.0.16=-");
    for page in [says(&desk, &id, OF_ALL), column()] {
        assert!(page.contains("is being booked just now: stop that run first"), "{page}");
    }
    assert!(!desk.page(&format!("sheet/{id}/check")).body.contains("is on hold"));
}

#[test]
fn a_word_that_two_orders_are_two_parcels_holds_wherever_they_stand() {
    let rig = Rig::new();
    rig.sandbox().script_order("A-1", [Script::CutAfter]);
    rig.import_text(&sheet([row("A-1")])).exits(6);
    let desk = Desk::open(&rig, &[]);
    let id = desk.drop_sheet("second.csv", &sheet([row("A-1B")]));
    assert!(says(&desk, &id, "send.same-order=A-1B").contains("A-1B is ready."));
    let older = super::plain::agreed(&desk.page(&format!("sheet/{id}/book")).body);
    let upon = field(&desk.page("doubts").body, "upon");
    desk.posts("doubts", &format!("upon={upon}&verdict=there&awb=AWB-4711&because=seen"));
    let page = desk.posts(&format!("sheet/{id}/book"), &older);
    assert!(page.contains("This is no longer what you saw"), "{page}");
    let page = desk.page(&format!("sheet/{id}/book")).body;
    assert!(page.contains("Book 1 now"), "{page}");
}

#[test]
fn an_old_page_books_nothing_of_which_more_is_said_by_now() {
    let rig = Rig::new();
    let desk = Desk::open(&rig, &[]);
    let id = desk.drop_sheet("second.csv", &sheet([row("B-1")]));
    desk.read_sheet(&id);
    let older = super::plain::agreed(&desk.page(&format!("sheet/{id}/book")).body);
    rig.import_text(&sheet([row("A-1")])).exits(0);
    let page = desk.posts(&format!("sheet/{id}/book"), &older);
    assert!(page.contains("This is no longer what you saw"), "{page}");
    assert_eq!(posts(&rig, "B-1"), 0);
}

#[test]
fn who_asks_for_a_head_alone_gets_no_page_that_notes_anything() {
    let rig = Rig::new();
    let desk = Desk::open(&rig, &[]);
    let answer = desk.ask("HEAD", &desk.at("labels.pdf?run=1"), &[("Cookie", &desk.cookie)], "");
    assert_eq!(answer.status, 405, "{answer:?}");
}

#[test]
fn a_sheet_that_is_understood_no_more_stays_open_with_what_it_keeps() {
    let rig = Rig::new();
    let text = sheet([row("A-1"), row_with("A-2", "9812345678", "560002")]).replacen("Order Number", "Zq", 1);
    rig.file("orders.csv", &text);
    rig.run(&["profile", "guess", "orders.csv", "--save", "mine"]).exits(0);
    let profile = ".config/shipsheet/profiles/mine.toml";
    let is_number = |line: &&str| line.contains("the column with the Order Number");
    let guessed = rig.read(profile);
    let asked = guessed.lines().find(is_number).unwrap_or_else(|| panic!("{guessed}"));
    let key = asked.trim_start_matches("# ").split(" = ").next().unwrap();
    rig.file(profile, &guessed.replace(asked, &format!("{key} = \"Zq\"")));
    rig.sandbox().script_order("A-1", [Script::Silent(Duration::from_secs(2))]);
    let desk = Desk::open(&rig, &[]);
    let id = desk.drop_sheet("orders.csv", &text);
    says(&desk, &id, "leave=A-2");
    super::money::book(&desk, &id);
    wait_until("it is sent", || posts(&rig, "A-1") == 1);
    std::fs::remove_file(rig.path(profile)).unwrap();
    wait_until("it is done", || desk.page("progress").status == 303);
    assert!(is_open(&desk, "orders.csv"));
}

#[test]
fn files_of_runs_of_another_ledger_are_none_of_this_one() {
    let rig = Rig::new();
    let desk = Desk::open(&rig, &[]);
    let text = sheet([row("A-1"), row_with("A-2", "9812345678", "56000")]);
    let id = desk.drop_sheet("old.csv", &text);
    booked(&desk, &id);
    assert!(is_open(&desk, "old.csv"));
    assert!(super::ends::ended(&desk, "labels", "run=1&which=all&paper=a6").starts_with("%PDF"));
    assert_eq!(desk.page("labels.pdf?run=1").status, 200);
    drop(desk);
    for end in ["", "-wal", "-shm", ".spool", ".lock"] {
        let _ = std::fs::remove_file(rig.path(&format!("ledger.sqlite{end}")));
    }
    std::fs::remove_dir_all(rig.path(".local")).unwrap();
    rig.import_text(&sheet([row("B-1")])).exits(0);
    let desk = Desk::open(&rig, &[]);
    assert!(!is_open(&desk, "old.csv"));
    assert_eq!(desk.page("labels.pdf?run=1").status, 404);
}
