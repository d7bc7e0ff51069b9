//! Results: a line for each order, what is done with those that are ticked, and a run that is cancelled as a whole.

use serde_json::Value;
use shipsheet::sandbox::Answer as Script;

use super::browser::Browser;
use super::ends::ended;
use super::{Desk, field, printed};
use crate::rig::{Rig, row, row_of_own, sheet, wait_until};

/// So many orders of people of their own, every third of them to be paid at the door, and one that is rejected.
fn some(orders: u32) -> String {
    let order = |number: u32| {
        let own = row_of_own(&format!("A-{number}"));
        if number.is_multiple_of(3) { own.replace("PREPAID", "COD") } else { own }
    };
    sheet((1..=orders).map(order).chain([row("R-1").replace("560001", "999001")]))
}

/// A browser at the results of a run of these orders.
fn at_results(browser: &Browser, rig: &Rig, text: &str) -> Desk {
    rig.file("a sheet with quite a long name of its own for Monday.csv", text);
    rig.run(&["import", "a sheet with quite a long name of its own for Monday.csv", "--yes"]).exits(4);
    let desk = Desk::closed(rig, &[]);
    browser.open(&desk.url);
    browser.go("results?run=1");
    desk
}

/// Orders whose cancellation was asked for, once for each request.
fn asked_to_cancel(rig: &Rig) -> Vec<String> {
    let database = rig.database();
    let query = "SELECT o.number FROM cancel_requests c JOIN orders o ON o.id = c.order_id ORDER BY c.id";
    let mut statement = database.prepare(query).unwrap();
    let rows = statement.query_map([], |row| row.get(0)).unwrap();
    rows.map(Result::unwrap).collect()
}

fn script_cancel(rig: &Rig, number: &str, answer: Script) {
    rig.sandbox().script_path(&format!("/v1/external/shipments/{}/cancel", rig.order_id(number)), [answer]);
}

#[test]
fn a_run_has_one_line_for_each_order_and_the_money_to_collect() {
    let Some(browser) = Browser::start() else { return };
    let rig = Rig::new();
    let _desk = at_results(&browser, &rig, &some(12));
    browser.size(1_280, 900);
    let heights =
        browser.script("return [...document.querySelectorAll('.lines tbody tr')].map(row => row.offsetHeight)", &[]);
    let heights: Vec<u64> = heights.as_array().unwrap().iter().filter_map(Value::as_u64).collect();
    assert!(heights.len() == 13 && heights.iter().all(|height| *height <= 44), "{heights:?}");
    let text = browser.text();
    assert_eq!(text.matches("₹999.80").count(), 4, "{text}");
    assert!(text.contains("PIN code 999001 is not serviceable"), "{text}");
    browser.look("results-lines");
}

#[test]
fn ticked_orders_are_printed_tracked_and_cancelled_after_a_yes() {
    let Some(browser) = Browser::whole() else { return };
    let rig = Rig::new();
    let _desk = at_results(&browser, &rig, &some(5));
    let own = browser.windows().remove(0);
    for number in ["A-2", "A-3"] {
        browser.click("field", &format!("Tick {number}"));
    }
    browser.see("2 ticked");
    browser.click("button", "Print ticked");
    wait_until("two labels are shown", || printed(&rig) == 2);
    browser.switch(&own);
    browser.go("results?run=1");
    browser.click("field", "All shown");
    browser.see("5 ticked");
    browser.click("field", "Tick A-5");
    browser.click("button", "Track ticked");
    browser.at("Where shipments are");
    assert!(browser.has("link", "A-4") && !browser.has("link", "A-5"), "{}", browser.text());
    browser.click("button", "Results of run 1");
    for number in ["A-3", "A-4"] {
        browser.click("field", &format!("Tick {number}"));
    }
    script_cancel(&rig, "A-4", Script::Status(422, r#"{"message": "left the hub"}"#.to_owned()));
    browser.click("button", "Cancel ticked");
    browser.at("Cancel 2 shipments?");
    browser.see("₹1,999.60");
    browser.click("button", "Keep them");
    browser.at("Results");
    assert_eq!(asked_to_cancel(&rig), Vec::<String>::new());
    for number in ["A-3", "A-4"] {
        browser.click("field", &format!("Tick {number}"));
    }
    browser.click("button", "Cancel ticked");
    browser.look("cancel-ticked");
    browser.click("button", "Cancel 2 shipments worth ₹1,999.60 · COD ₹999.80");
    browser.at("1 of 2 shipments cancelled");
    browser.see("eft the hub");
    browser.click("button", "Ask again for these");
    browser.click("button", "Cancel this shipment");
    browser.at("Cancelled");
    let mut asked = asked_to_cancel(&rig);
    asked.sort();
    assert_eq!(asked, ["A-3", "A-4", "A-4"]);
}

#[test]
fn without_a_script_ticks_are_sent_as_well_and_nothing_ticked_does_nothing() {
    let rig = Rig::new();
    rig.import_text(&some(3)).exits(4);
    let desk = Desk::open(&rig, &[]);
    let list = desk.page("results?run=1").body;
    assert_eq!(list.matches("type=\"checkbox\" form=\"ticked\"").count(), 3, "{list}");
    for place in ["track", "cancel/ticked"] {
        let page = desk.posts(place, "run=1&which=ticked");
        assert!(page.contains("Tick the orders first."), "{place}: {page}");
    }
    let page = ended(&desk, "labels", "run=1&which=ticked&paper=a6");
    assert!(page.contains("Tick the orders first.") && printed(&rig) == 0, "{page}");
    assert!(ended(&desk, "labels", "run=1&which=ticked&paper=a6&order.0=A-1&order.2=A-3").starts_with("%PDF"));
    assert_eq!(printed(&rig), 2);
    let page = ended(&desk, "track", "run=1&which=ticked&order.1=A-2");
    assert!(page.contains(">A-2</a>") && !page.contains(">A-1</a>"), "{page}");
    let page = desk.posts("cancel/ticked", "run=1&which=ticked&order.0=A-1&order.1=A-2");
    assert!(page.contains("Cancel 2 shipments?") && asked_to_cancel(&rig).is_empty(), "{page}");
}

/// Promise 8: no shipment is cancelled without a person's yes, nor asked for twice by one.
#[test]
fn a_run_is_cancelled_with_a_yes_that_has_its_number_and_money() {
    let Some(browser) = Browser::start() else { return };
    let rig = Rig::new();
    rig.sandbox().script_order("A-2", [Script::CutAfter]);
    // One that an earlier sheet booked stays.
    rig.file("right.csv", &sheet([row_of_own("A-1")]));
    rig.run(&["import", "right.csv", "--yes"]).exits(0);
    rig.file("wrong.csv", &some(6));
    rig.run(&["import", "wrong.csv", "--yes"]).exits(6);
    let desk = Desk::closed(&rig, &[]);
    browser.open(&desk.url);
    browser.go("results?run=2");
    browser.click("button", "Cancel this run");
    browser.at("Cancel run 2?");
    for said in ["Shipments\n4", "Declared value\n₹3,999.20", "Cash to collect\n₹1,999.60"] {
        browser.see(said);
    }
    browser.see("1 shipment of another run: run 1.");
    browser.see("1 order in doubt, perhaps booked.");
    browser.look("cancel-run");
    assert_eq!(asked_to_cancel(&rig), Vec::<String>::new());
    script_cancel(&rig, "A-5", Script::Status(422, r#"{"message": "left the hub"}"#.to_owned()));
    let second = browser.windows().remove(0);
    browser.second_window();
    browser.click("button", "Cancel 4 shipments worth ₹3,999.20 · COD ₹1,999.60");
    browser.at("3 of 4 shipments cancelled");
    browser.look("cancelled-run");
    let text = browser.text();
    let (not, done) = text.split_once("\nCancelled 3 shipments").unwrap_or_else(|| panic!("{text}"));
    assert!(not.contains("Not cancelled 1 shipment") && not.contains("A-5") && not.contains("eft the hub"), "{text}");
    assert!(["A-3", "A-4", "A-6"].iter().all(|number| done.contains(number)), "{text}");
    // A yes on the page that was open all the while is about other shipments by now.
    browser.switch(&second);
    browser.click("button", "Cancel 4 shipments");
    browser.see("Other shipments than those you saw would be cancelled by now.");
    let mut asked = asked_to_cancel(&rig);
    asked.sort();
    assert_eq!(asked, ["A-3", "A-4", "A-5", "A-6"]);
    browser.go("cancel?run=2");
    browser.see("3 shipments cancelled already.");
    browser.click("button", "Cancel 1 shipment worth ₹999.80");
    browser.at("Cancelled");
    browser.go("results?run=2");
    browser.see("Cancelled\n4");
    assert!(!browser.has("button", "Cancel this run"));
}

#[test]
fn a_yes_that_is_sent_twice_cancels_once() {
    let rig = Rig::new();
    rig.import_text(&some(3)).exits(4);
    let desk = Desk::open(&rig, &[]);
    let page = desk.page("cancel?run=1").body;
    let [stamp, at] = ["stamp", "at"].map(|name| field(&page, name));
    let yes = format!("run=1&stamp={stamp}&at={at}");
    let page = ended(&desk, "cancel", &yes);
    assert!(page.contains("<h1>Cancelled</h1>"), "{page}");
    let page = ended(&desk, "cancel", &yes);
    assert!(page.contains("Other shipments than those you saw would be cancelled by now."), "{page}");
    assert_eq!(asked_to_cancel(&rig).len(), 3);
    let page = desk.page("cancel?run=1").body;
    assert!(page.contains("There is nothing to cancel.") && !page.contains("action=\"cancel\""), "{page}");
}
