//! What the desk sends and settles is what a person looked at, and never a later state of it.

use shipsheet::sandbox::Answer as Script;

use super::Desk;
use crate::rig::{Rig, row, sheet, wait_until};

/// The value of a form's field on a page, as a form sends it.
fn field(page: &str, name: &str) -> String {
    let start = format!("name=\"{name}\" value=\"");
    let value = page.split_once(&start).unwrap_or_else(|| panic!("no {name}: {page}")).1;
    let value = value.split('"').next().unwrap().replace("&quot;", "\"").replace("&amp;", "&");
    value.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

/// Where an order stands, by the word of its state.
fn state(rig: &Rig, number: &str) -> String {
    let query = "SELECT state FROM orders WHERE number = ?1";
    rig.database().query_row(query, [number], |row| row.get(0)).unwrap()
}

#[test]
fn a_word_on_an_earlier_attempt_settles_no_later_one() {
    let rig = Rig::new();
    rig.sandbox().script_order("A-1", [Script::CutBefore, Script::CutBefore]);
    rig.import_text(&sheet([row("A-1")])).exits(6);
    let desk = Desk::open(&rig, &[]);
    let upon = field(&desk.page("doubts").body, "upon");
    let not_there = format!("upon={upon}&verdict=not&because=not+in+the+portal");
    assert!(desk.posts("doubts", &not_there).contains("A-1 is settled."));
    again(&desk, "what=outstanding");
    assert_eq!((state(&rig, "A-1").as_str(), rig.sandbox().book().posts("A-1")), ("in_doubt", 2));
    // The page that was open all the while says it of the first attempt.
    for verdict in ["not&because=not+in+the+portal", "there&awb=AWB-4711&because=seen"] {
        let refused = desk.posts("doubts", &format!("upon={upon}&verdict={verdict}"));
        assert!(refused.contains("was sent again or settled since you looked at it"), "{refused}");
    }
    let upon = field(&desk.page("doubts").body, "upon");
    rig.run(&["doubt", "abandon", "A-1", "--because", "no longer wanted"]).exits(0);
    let refused = desk.posts("doubts", &format!("upon={upon}&verdict=not&because=not+in+the+portal"));
    assert!(refused.contains("it is abandoned now"), "{refused}");
    assert_eq!(state(&rig, "A-1"), "abandoned");
    // On its own page it is brought back on purpose.
    let upon = field(&desk.page("order?number=A-1").body, "upon");
    desk.posts("bring-back", &format!("upon={upon}&because=wanted+after+all"));
    assert_eq!(state(&rig, "A-1"), "staged");
}

#[test]
fn a_doubt_of_another_service_is_named_and_not_settled_here() {
    let (rig, other) = (Rig::new(), Rig::new());
    for rig in [&rig, &other] {
        rig.sandbox().script_order("Z-1", [Script::CutAfter]);
    }
    rig.import_text(&sheet([row("Z-1")])).exits(6);
    let address = other.sandbox().base_url();
    rig.run(&["service", "different", &address, "--because", "another courier"]);
    rig.run(&["import", "orders.csv", "--yes", "--base-url", &address]).exits(6);
    let desk = Desk::open(&rig, &[]);
    let page = desk.page("doubts").body;
    assert_eq!(page.matches("article class=\"doubt\"").count(), 2, "{page}");
    assert_eq!(page.matches("It is not there</h3>").count(), 1, "{page}");
    assert!(page.contains(&address) && page.contains("This is another service than the one under Settings."), "{page}");
    let upon = field(&page, "upon");
    desk.posts("doubts", &format!("upon={upon}&verdict=not&because=not+in+the+portal"));
    let states = |at: &str| -> String {
        let query = "SELECT o.state FROM orders o JOIN services s ON s.id = o.service_id WHERE s.origin = ?1";
        rig.database().query_row(query, [at], |row| row.get(0)).unwrap()
    };
    assert_eq!(states(&rig.sandbox().base_url()), "staged");
    assert_eq!(states(&address), "in_doubt");
}

/// Opens the page that sends again, presses its button, and waits for the end.
fn again(desk: &Desk, what: &str) -> String {
    let page = desk.page(&format!("again?{what}")).body;
    let form = ["sums", "stamp", "at"].map(|name| format!("&{name}={}", field(&page, name))).concat();
    desk.posts("again", &format!("{what}{form}"));
    wait_until("it is done", || desk.page("progress").status == 303);
    page
}
