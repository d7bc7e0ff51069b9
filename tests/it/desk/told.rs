//! What the desk says of orders that were cancelled, held or left out, and of those that a person looks for.

use super::money::booked;
use super::{Desk, field};
use crate::rig::{Rig, row, row_with, sheet, wait_until};

/// A desk at which are booked and A-1 was cancelled.
fn with_one_cancelled(rig: &Rig) -> Desk {
    rig.import_text(&sheet([row("A-1"), row_with("A-2", "9812345678", "560002")])).exits(0);
    let desk = Desk::open(rig, &[]);
    let page = desk.page("cancel?order=A-1").body;
    assert!(page.contains("It goes to <b>Asha</b>, Bengaluru 560001."), "{page}");
    let [stamp, account] = ["stamp", "at"].map(|name| field(&page, name));
    desk.posts("cancel", &format!("order=A-1&stamp={stamp}&at={account}"));
    wait_until("it is done", || desk.page("order?number=A-1").body.contains("it is cancelled"));
    desk
}

#[test]
fn a_cancelled_order_is_that_on_check_and_book() {
    let rig = Rig::new();
    let desk = with_one_cancelled(&rig);
    let rows = [row("A-1"), row_with("A-2", "9812345678", "560002"), row_with("A-3", "9823456789", "560003")];
    let id = desk.drop_sheet("orders.csv", &sheet(rows));
    let check = desk.page(&format!("sheet/{id}/check?show=booked")).body;
    assert!(check.contains(">Cancelled</span>") && check.contains(">Booked already</span>"), "{check}");
    assert!(check.contains("This order was cancelled at the service on "), "{check}");
    assert!(!check.contains("says something else by now"), "{check}");
    let book_page = desk.page(&format!("sheet/{id}/book")).body;
    let said = "1 new, 1 booked already, not sent again, 1 booked and cancelled since, not sent again.";
    assert!(book_page.contains(said), "{book_page}");
    // An answer that judges one order anew changes nothing of that.
    desk.posts(&format!("sheet/{id}/answer"), "revision=0&back=check&leave=A-3");
    let check = desk.page(&format!("sheet/{id}/check?show=booked")).body;
    assert_eq!(check.matches("was cancelled at the service").count(), 1, "{check}");
}

#[test]
fn a_cancelled_order_is_that_in_the_sheet_with_awbs_and_counts_once() {
    let rig = Rig::new();
    let desk = Desk::open(&rig, &[]);
    let id = desk.drop_sheet("orders.csv", &sheet([row("A-1"), row_with("A-2", "9812345678", "560002")]));
    booked(&desk, &id);
    let page = desk.page("cancel?order=A-1").body;
    let [stamp, account] = ["stamp", "at"].map(|name| field(&page, name));
    desk.posts("cancel", &format!("order=A-1&stamp={stamp}&at={account}"));
    wait_until("it is done", || desk.page("order?number=A-1").body.contains("it is cancelled"));
    let own = desk.page("download?what=own&run=1").body;
    let status = |number: &str| own.lines().find(|line| line.starts_with(number)).unwrap().contains(",Cancelled,");
    assert!(status("A-1") && !status("A-2"), "{own}");
    let results = desk.page("results?run=1").body;
    for figure in ["<dt>Booked</dt><dd class=\"good\">1</dd>", "<dt>Cancelled</dt><dd class=\"\">1</dd>"] {
        assert!(results.contains(figure), "{figure}: {results}");
    }
}

#[test]
fn orders_are_listed_by_what_became_of_them() {
    let rig = Rig::new();
    let desk = with_one_cancelled(&rig);
    rig.file("more.csv", &sheet([row_with("A-9", "9834567890", "999001")]));
    rig.run(&["import", "more.csv", "--yes"]).exits(4);
    let listed = |state: &str| {
        let page = desk.page(&format!("orders?state={state}")).body;
        ["A-1", "A-2", "A-9"].map(|number| page.contains(&format!(">{number}</a>")))
    };
    assert_eq!(listed(""), [true, true, true]);
    assert_eq!(listed("cancelled"), [true, false, false]);
    assert_eq!(listed("failed"), [false, false, true]);
    let results = desk.page("results?run=1").body;
    assert!(results.contains("<td>Asha <span class=\"soft\">Bengaluru</span></td>"), "{results}");
}

#[test]
fn that_the_state_is_missing_is_not_said_while_the_pin_code_is_wrong() {
    let rig = Rig::new();
    let desk = Desk::open(&rig, &[]);
    let rows = [row("A-1").replace("560001", "56003"), row_with("A-2", "9812345678", "560002")];
    let text = sheet(rows).replace("City,State,", "City,").replace("Bengaluru,Karnataka,", "Bengaluru,");
    let id = desk.drop_sheet("orders.csv", &text);
    for place in ["check", "order?number=A-1"] {
        let page = desk.page(&format!("sheet/{id}/{place}")).body;
        assert!(page.contains("56003") && !page.contains("holds the State"), "{place}: {page}");
        assert!(page.contains("Correct the PIN code first: it may tell the state as well."), "{place}: {page}");
    }
    // Once the PIN code goes as it stands, nothing tells the state.
    let sent = desk.posts(&format!("sheet/{id}/answer"), "revision=0&back=check&send.pin-form=A-1");
    assert!(sent.contains("olds the State"), "{sent}");
}

#[test]
fn an_order_that_was_not_sent_yet_is_found_in_the_sheet_that_is_open() {
    let rig = Rig::new();
    let desk = Desk::open(&rig, &[]);
    let id = desk.drop_sheet("orders.csv", &sheet([row("A-1"), row_with("A-2", "9812345678", "560002")]));
    desk.page(&format!("sheet/{id}/check"));
    desk.posts(&format!("sheet/{id}/answer"), "revision=0&back=check&hold=A-1");
    let found = desk.page("orders?q=A-1").body;
    assert!(found.contains("is on hold in orders.csv."), "{found}");
    assert!(found.contains(&format!("href=\"sheet/{id}/order?number=A-1\"")), "{found}");
    let found = desk.page("orders?q=a-1").body;
    assert!(found.contains("is on hold in orders.csv."), "{found}");
    // What a sheet is not searched for is said, with the way there.
    let nowhere = desk.page("orders?q=Asha").body;
    assert!(nowhere.contains("where it is found by its order number") && nowhere.contains("orders.csv"), "{nowhere}");
    // One that is in the ledger as well hides none in a sheet.
    rig.import_text(&sheet([row_with("A-10", "9834567890", "560004")])).exits(0);
    let both = desk.page("orders?q=A-1").body;
    assert!(both.contains("is on hold in orders.csv.") && both.contains(">A-10</a>"), "{both}");
}

#[test]
fn what_a_person_left_out_is_no_failure_in_the_report() {
    let rig = Rig::new();
    let desk = Desk::open(&rig, &[]);
    let rows = [row("A-1"), row_with("A-2", "9812345678", "56003"), row_with("A-3", "98234", "560003")];
    let id = desk.drop_sheet("orders.csv", &sheet(rows));
    desk.page(&format!("sheet/{id}/check"));
    desk.posts(&format!("sheet/{id}/answer"), "revision=0&back=check&leave=A-2");
    booked(&desk, &id);
    let report = desk.page("report?run=1").body;
    assert!(report.contains("98234") && !report.contains("56003"), "{report}");
    assert!(report.contains("Stayed behind") && report.contains("Left out"), "{report}");
}

#[test]
fn what_is_missing_for_every_order_is_marked_where_a_person_goes_on_without_it() {
    let rig = Rig::new();
    let desk = Desk::open(&rig, &[]);
    let text = sheet([row("A-1")]).replace(",Weight,", ",").replace("30,20,5,0.5,", "30,20,5,");
    let id = desk.drop_sheet("orders.csv", &text);
    let before = desk.page(&format!("sheet/{id}/columns")).body;
    assert!(before.contains("Every order also needs") && !before.contains("class=\"bad\""), "{before}");
    desk.posts(&format!("sheet/{id}/columns"), "revision=0&go=check");
    // Check cannot be shown yet, and leads back.
    assert_eq!(
        desk.page(&format!("sheet/{id}/check")).header("location").map(|to| to.ends_with("missing=yes")),
        Some(true)
    );
    let after = desk.page(&format!("sheet/{id}/columns?missing=yes")).body;
    assert!(after.contains("<div class=\"bad\"><label>Weight"), "{after}");
}
