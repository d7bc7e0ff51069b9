//! Likely duplicates: whatever way orders go out, what may be booked already is said before the yes.

use shipsheet::sandbox::Answer as Script;

use super::{Desk, field};
use crate::rig::{Rig, row, row_with, sheet, wait_until};

fn refusal() -> Script {
    Script::Status(422, r#"{"message":["try again"]}"#.to_owned())
}

/// A ledger with A-1 and A-2, which were refused, and the parcel of A-1 booked under another number of another sheet.
fn booked_twice() -> Rig {
    let rig = Rig::new();
    rig.file("shipsheet.toml", "[rules]\nsame-order = \"warn\"\n");
    for number in ["A-1", "A-2"] {
        rig.sandbox().script_order(number, [refusal()]);
    }
    rig.import_text(&sheet([row("A-1"), row_with("A-2", "9812345678", "560002")])).exits(4);
    rig.file("other.csv", &sheet([row("B-7")]));
    rig.run(&["import", "other.csv", "--yes"]).exits(0);
    rig
}

const SAID: &str = "The same products to the same person as order B-7, booked";

#[test]
fn a_retry_of_what_may_be_booked_under_another_number_needs_a_tick() {
    let rig = booked_twice();
    let desk = Desk::open(&rig, &[]);
    let page = desk.page("again?what=failed").body;
    assert!(page.contains("1 order may be booked already, under another number.") && page.contains(SAID), "{page}");
    let form = ["sums", "stamp"].map(|name| format!("&{name}={}", field(&page, name))).concat();
    let posts = || rig.sandbox().book().posts("A-1");
    for tick in ["", "&twice=yes"] {
        desk.posts("again", &format!("what=failed{form}{tick}"));
        wait_until("it is refused", || {
            desk.page("progress").body.contains("Some of these orders may be booked already")
        });
        assert_eq!(posts(), 1);
    }
    desk.posts("again", &format!("what=failed{form}&twice={}", field(&page, "twice")));
    wait_until("it is done", || desk.page("progress").status == 303);
    assert_eq!(posts(), 2);
    // Nothing is said of an order that is like no other.
    let rig = booked_twice();
    let desk = Desk::open(&rig, &[]);
    let page = desk.page("again?what=failed&order=A-2").body;
    assert!(page.contains("Book 1 order") && !page.contains("name=\"twice\""), "{page}");
}

#[test]
fn a_resume_says_which_of_its_own_orders_and_of_those_in_doubt_may_be_one_parcel() {
    let rig = Rig::new();
    rig.file("shipsheet.toml", "[rules]\nsame-order = \"warn\"\n");
    rig.sandbox().script_order("D-1", [Script::CutAfter]);
    rig.import_text(&sheet([row("D-1")])).exits(6);
    // Two sheets that know nothing of each other, of which nothing went yet.
    for (file, number) in [("one.csv", "E-1"), ("two.csv", "E-2")] {
        rig.file(
            file,
            &sheet([row_with("F-1", "9812345678", "560002"), row(number)]).replace("F-1", &format!("F{number}")),
        );
        rig.run(&["import", file, "--yes", "--max-orders", "1"]);
    }
    let desk = Desk::open(&rig, &[]);
    let page = desk.page("again?what=outstanding").body;
    assert!(page.contains("may be booked already, under another number."), "{page}");
    assert!(page.contains("order D-1, which is in doubt"), "{page}");
    // At a terminal it is said as well.
    let ran = rig.run(&["resume", "--yes"]);
    ran.says("the same products to the same person as order D-1, which is in doubt");
}

#[test]
fn book_names_what_may_be_booked_already_and_what_was_answered_no_more() {
    let rig = booked_twice();
    let desk = Desk::open(&rig, &[]);
    let id = desk.drop_sheet("third.csv", &sheet([row("C-1"), row_with("C-2", "9812345679", "560003")]));
    let book = format!("sheet/{id}/book");
    wait_until("the sheet is read", || desk.page(&book).body.contains("name=\"stamp\""));
    let page = desk.page(&book).body;
    assert!(page.contains("1 order may be booked already, under another number."), "{page}");
    assert!(page.contains("order A-1, not booked by the courier so far"), "{page}");
    assert!(page.contains(&format!("sheet/{id}/order?number=C-1")), "{page}");
    // Nothing is booked before somebody says that it was looked at.
    let form = super::plain::agreed(&page);
    let (without, _) = form.split_once("&twice=").expect("the tick");
    assert!(desk.posts(&book, without).contains("Some of these orders may be booked already"));
    assert_eq!(rig.sandbox().book().posts("C-1"), 0);
    desk.posts(&format!("sheet/{id}/answer"), "revision=0&back=check&leave=C-1");
    assert!(!desk.page(&book).body.contains("may be booked already"));
}
