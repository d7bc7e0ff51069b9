//! From the button to the labels: what is counted as what, what is printed, and a service that is slow or fails.

use std::fmt::Write as _;

use shipsheet::sandbox::Answer as Script;

use super::browser::Browser;
use super::money::book;
use super::sheets::{at_check, count, short_phones};
use super::{Answer, Desk, printed};
use crate::rig::{Rig, row, row_with, sheet, wait_until};

const ENTER: &str = "\u{E007}";

#[test]
fn a_saved_sheet_ends_as_what_it_is_whatever_it_was_called() {
    let rig = Rig::new();
    let desk = Desk::open(&rig, &[]);
    for (at, name) in (1..).zip(["orders.xls", "orders.html", "orders.txt"]) {
        let text = sheet([row_with(&format!("A-{at}"), &format!("987654321{at}"), &format!("56000{at}"))]);
        let id = desk.drop_sheet(name, &text);
        desk.read_sheet(&id);
        let ending = if name.ends_with("txt") { "txt" } else { "csv" };
        let named = |page: &Answer| page.header("content-disposition").unwrap().to_owned();
        let saved = desk.page(&format!("sheet/{id}/save"));
        assert!(named(&saved).contains(&format!("\"orders corrected.{ending}\"")), "{name}: {saved:?}");
        assert_eq!(saved.header("content-type"), Some("text/csv; charset=utf-8"));
        book(&desk, &id);
        let mut own = None;
        // The page waits as long as the sheet is read once more.
        wait_until("it is booked", || {
            let page = desk.page(&format!("download?what=own&run={at}"));
            own = page.header("content-disposition").is_some().then_some(page);
            own.is_some()
        });
        let own = own.unwrap();
        assert!(named(&own).contains(&format!("\"orders with AWBs.{ending}\"")), "{name}: {own:?}");
    }
}

#[test]
fn what_the_clerk_left_out_or_held_is_counted_as_that() {
    let Some(browser) = Browser::start() else { return };
    let rig = Rig::new();
    let _desk = at_check(&browser, &rig, &short_phones());
    browser.click("button", "Leave it out: A-5");
    browser.see("A-5 is left out.");
    browser.click("link", "Ready");
    browser.click("link", "A-1");
    browser.click("button", "Hold: A-1");
    browser.see("A-1 is on hold.");
    browser.click("link", "Back to Check");
    browser.click("button", "Book 3 orders");
    browser.click("button", "Book 3 now");
    browser.at("Results");
    for (state, orders) in [("Booked", "3"), ("Fix", "3"), ("Hold", "1"), ("Left out", "1")] {
        browser.see(&format!("{state}\n{orders}"));
    }
    browser.click("link", "Left out 1");
    browser.see("A-5");
    let own = browser.download("download?what=own&run=1");
    let line = own.lines().find(|line| line.starts_with("A-5,")).unwrap();
    assert!(line.contains("Left out"), "{line}");
    // What is handed back to be corrected is what Results counts as that.
    rig.bytes("to-fix.xlsx", browser.file("download?what=fix&run=1"));
    rig.run(&["check", "to-fix.xlsx"]).exits(3).prints("3 rows read: 0 in orders, 3 invalid,");
    let report = browser.download("report?run=1");
    for said in
        ["3 orders were not booked and must be corrected", "1 order was held", "1 order was left out by a person"]
    {
        assert!(report.contains(said), "{said}: {report}");
    }
    assert!(!report.contains("shipsheet.toml") && !report.contains("by_clerk"), "{report}");
    browser.click("link", "A-5");
    browser.at("Order A-5 Left out");
    browser.go("runs");
    let text = browser.text();
    assert!(text.contains("Sheet\tBooked\tFix\tHold\tLeft out\n"), "{text}");
    assert!(text.contains("packing.csv\t3\t3\t1\t1"), "{text}");
}

#[test]
fn labels_come_on_each_paper_and_what_was_printed_is_kept() {
    let Some(browser) = Browser::whole() else { return };
    let rig = Rig::new();
    rig.sandbox().script_order("A-3", [Script::Status(422, "{\"message\":\"later\"}".to_owned())]);
    let _desk = at_check(&browser, &rig, &sheet(["A-1", "A-2", "A-3"].map(row)));
    browser.click("button", "Book 3 orders");
    browser.click("button", "Book 3 now");
    browser.at("Results");
    let own = browser.windows().remove(0);
    let of_run = |name: &str| rig.file_of_run(1, name);
    let print = |button: &str, paper: &str, labels: u32| {
        let (before, printed_before) = (std::fs::read(of_run("labels.pdf")).unwrap_or_default(), printed(&rig));
        browser.switch(&own);
        browser.go("results?run=1");
        browser.write("Paper", paper);
        browser.click("button", button);
        wait_until("other labels are there", || std::fs::read(of_run("labels.pdf")).is_ok_and(|now| now != before));
        wait_until("they are shown", || printed(&rig) == printed_before + labels);
        assert!(std::fs::read(of_run("labels.pdf")).unwrap().starts_with(b"%PDF"));
    };
    let sheets = || {
        let pdf = lopdf::Document::load(of_run("labels.pdf")).unwrap();
        let width =
            |page| pdf.get_dictionary(page).unwrap().get(b"MediaBox").unwrap().as_array().unwrap()[2].as_float();
        pdf.page_iter().map(|page| width(page).unwrap().round()).collect::<Vec<_>>()
    };
    print("Print 2 labels", "4×6", 2);
    assert_eq!(sheets(), [288.0, 288.0], "a sheet each, and no list");
    browser.switch(&own);
    browser.see("All were opened for printing.");
    print("Print 2 labels", "4 on A4", 2);
    browser.switch(&own);
    browser.go("results?run=1");
    assert_eq!(browser.value("Paper"), "a4", "the paper of the last time");
    browser.see("All were opened for printing.");
    // What is booked later is the only one that was not printed yet.
    browser.click("button", "Retry 1");
    browser.tick_all();
    browser.click("button", "Book 1 order");
    browser.at("Results");
    print("Print 1 label not printed yet", "A6", 1);
    browser.switch(&own);
    browser.go("order?number=A-2");
    browser.see("2 × Kurta at ₹499.90, ₹999.80, paid already");
    browser.click("button", "Print its label");
    wait_until("one label is shown", || printed(&rig) == 6);
}

#[test]
fn a_label_that_was_printed_in_one_run_is_not_offered_as_new_in_the_next() {
    let rig = Rig::new();
    let desk = Desk::open(&rig, &[]);
    let id = desk.drop_sheet("a.csv", &sheet([row("A-1"), row_with("A-2", "9812345678", "999001")]));
    book(&desk, &id);
    wait_until("it is booked", || desk.page("progress").status == 303);
    desk.posts("labels", "run=1&which=new&paper=a6");
    wait_until("the label is fetched", || desk.page("progress").status == 303);
    assert!(desk.page("labels.pdf?run=1").body.starts_with("%PDF"));
    desk.page("labels.pdf?run=1");
    assert_eq!(printed(&rig), 1, "one that is loaded again was not printed again");
    let after = desk.posts(&format!("sheet/{id}/answer"), "revision=1&back=check&save=yes&cell.0.3.8=560001");
    assert!(after.contains("A-2 is ready."), "{after}");
    book(&desk, &id);
    wait_until("the rest is booked", || desk.page("progress").status == 303);
    let results = desk.page("results?run=2").body;
    assert!(results.contains("Print 1 label not printed yet"), "{results}");
    assert!(results.contains("1 label opened for printing before."), "{results}");
}

#[test]
fn what_is_booked_is_called_so_though_its_sheet_says_something_else() {
    let rig = Rig::new();
    rig.import_text(&sheet(["A-1", "A-2"].map(row))).exits(0);
    rig.run(&["cancel", "A-2", "--yes"]).exits(0);
    let desk = Desk::open(&rig, &[]);
    let rows = [row("A-1").replace("499.90", "599.90"), row("A-3"), row_with("A-4", "12", "560001")];
    let id = desk.drop_sheet("tuesday.csv", &sheet(rows));
    desk.read_sheet(&id);
    let held = desk.posts(&format!("sheet/{id}/answer"), "revision=0&back=check&hold=A-4");
    assert!(held.contains("A-4 is on hold."), "{held}");
    book(&desk, &id);
    wait_until("it is booked", || desk.page("progress").status == 303);
    let page = desk.page("results?run=2").body;
    let badges = ["Booked, differs", "Booked", "Hold"].map(|own| page.matches(&format!(">{own}</span>")).count());
    assert_eq!(badges, [1, 1, 1], "{page}");
    let narrowed = desk.page("results?run=2&state=differs").body;
    assert!(narrowed.contains("Booked, differs <b>1</b>") && narrowed.contains("Hold <b>1</b>"), "{narrowed}");
    assert!(narrowed.contains(">A-1</a>") && !narrowed.contains(">A-4</a>"), "{narrowed}");
    let file = rig.path("all.csv");
    rig.run(&["export", "--run", "2", "--to", "all.csv"]).exits(0);
    assert!(std::fs::read_to_string(file).unwrap().contains("A-1,held,"), "programs read the ledger's word");
    // Home and Runs count alike, and what is on hold has nothing to be fixed.
    let home = desk.page("").body;
    assert!(home.contains("1 order on hold.") && !home.contains("to fix."), "{home}");
    for page in [home, desk.page("runs").body] {
        let counts = |name: &str| -> Vec<String> {
            let begin = format!("<td class=\"num\" data-name=\"{name}\">");
            page.split(&begin).skip(1).map(|cell| cell.split('<').next().unwrap().to_owned()).collect()
        };
        assert_eq!(counts("Booked"), ["1", "1"], "{page}");
        assert_eq!(counts("Booked, differs"), ["1", "0"], "{page}");
        assert_eq!(counts("Cancelled"), ["0", "1"], "{page}");
        assert_eq!(counts("Hold"), ["1", "0"], "{page}");
        assert!(counts("Fix").is_empty(), "{page}");
    }
    let report = desk.page("report").body;
    assert!(report.contains("over all runs: 1 on hold."), "{report}");
    let order = desk.page("order?number=A-3").body;
    assert!(order.contains("Order Date</dt><dd>2026-11-"), "people read dates: {order}");
    let list = desk.page("orders?state=held").body;
    assert!(list.contains("A-4") && !desk.page("orders?state=invalid").body.contains("A-4"), "{list}");
}

#[test]
fn a_cancelled_order_is_called_that_wherever_its_state_stands() {
    let rig = Rig::new();
    rig.import_text(&sheet([row("A-1"), row_with("A-2", "9812345678", "560002")])).exits(0);
    rig.run(&["cancel", "A-1", "--yes"]).exits(0);
    let desk = Desk::open(&rig, &[]);
    let badge = "<span class=\"state soft\">Cancelled</span>";
    for place in ["order?number=A-1", "orders", "results?run=1", "results?run=1&state=cancelled"] {
        let page = desk.page(place).body;
        assert_eq!(page.matches(badge).count(), 1, "{place}: {page}");
    }
    let page = desk.page("results?run=1&state=booked").body;
    assert!(!page.contains(badge) && page.contains("A-2"), "{page}");
    assert!(page.contains("Booked <b>1</b>") && page.contains("Cancelled <b>1</b>"), "{page}");
}

#[test]
fn each_cause_is_tried_again_by_itself() {
    let Some(browser) = Browser::start() else { return };
    let rig = Rig::new();
    let bad = [("A-2", "999001"), ("A-3", "999002")].map(|(number, pin)| row_with(number, "9876543210", pin));
    for _ in 0..2 {
        rig.sandbox().script_order("A-4", [Script::Status(422, "{\"message\":\"weight is missing\"}".to_owned())]);
    }
    let _desk = at_check(&browser, &rig, &sheet([row("A-1")].into_iter().chain(bad).chain([row("A-4")])));
    browser.click("button", "Book 4 orders");
    browser.click("button", "Book 4 now");
    browser.at("Results");
    browser.see("2 orders: for instance, PIN code 99900");
    browser.click("button", "Retry 1");
    browser.tick_all();
    browser.click("button", "Book 1 order");
    browser.at("Results");
    wait_until("only that one was sent", || rig.sandbox().book().requests() == 5);
}

#[test]
fn far_more_than_usual_needs_a_tick() {
    let Some(browser) = Browser::start() else { return };
    let rig = Rig::new();
    for name in ["A", "B", "C"] {
        rig.import_text(&sheet((1..=5).map(|number| row(&format!("{name}-{number}"))))).exits(0);
    }
    let _desk = at_check(&browser, &rig, &sheet((1..=60).map(|number| row(&format!("X-{number}")))));
    browser.click("button", "Book 60 orders");
    browser.see("This is far more than usual");
    browser.click("button", "Book 60 now");
    assert!(!rig.bookings().iter().any(|(number, _)| number.starts_with('X')), "the tick is missing");
    browser.at("Book");
    browser.tick_all();
    browser.click("button", "Book 60 now");
    browser.at("Results");
    assert_eq!(rig.bookings().len(), 75);
}

#[test]
fn a_sheet_is_dropped_with_the_mouse_and_a_large_one_says_that_it_is_read() {
    let Some(browser) = Browser::start() else { return };
    let rig = Rig::new();
    let desk = Desk::closed(&rig, &[]);
    browser.open(&desk.url);
    browser.drop_file("packing.csv", &short_phones());
    browser.at("Check");
    assert_eq!((count(&browser, "Ready"), count(&browser, "Fix")), ("4".into(), "4".into()));
    browser.go("");
    let mut large = sheet([row("L-00000")]);
    for number in 1..20_000 {
        writeln!(large, "{}", row(&format!("L-{number:05}"))).unwrap();
    }
    browser.drop_file("large.csv", &large);
    browser.see("Reading … A large sheet takes some seconds.");
    browser.see("20,000 orders in 20,000 rows");
    // On any other page a sheet is taken as well.
    browser.go("rules");
    browser.drop_file("later.csv", &short_phones().replace("A-", "B-"));
    browser.at("Check");
}

fn left_in_doubt(rig: &Rig) -> Vec<String> {
    let database = rig.database();
    let mut statement = database.prepare("SELECT number FROM orders WHERE state = 'in_doubt' ORDER BY id").unwrap();
    let rows = statement.query_map([], |row| row.get(0)).unwrap();
    rows.map(Result::unwrap).collect()
}

/// Waits until a run has come to its end, pauses included. What stands in an open sheet is booked from there.
fn ended(browser: &Browser) {
    wait_until("the run has come to its end", || {
        if browser.has("heading", "Book") && browser.has("button", "Book ") {
            browser.click("button", "Book ");
        }
        browser.has("heading", "Results")
    });
}

#[test]
fn a_slow_service_with_faults_loses_nothing_and_books_nothing_twice() {
    let Some(browser) = Browser::start() else { return };
    let rig = Rig::faulty(
        "latency=50ms,429=0.1,retry-after=0,5xx-before=0.05,cut-before=0.02,cut-after=0.05,5xx-after=0.05,seed=7",
    )
    .patient_for("0.1");
    // Each to somebody else, so that no order may be the parcel of another one.
    let order = |n: u64| row_with(&format!("F-{n:03}"), &(9_812_345_013 + n * 37).to_string(), "560001");
    let desk = at_check(&browser, &rig, &sheet((1..=80).map(order)));
    browser.click("button", "Book 80 orders");
    browser.click("button", "Book 80 now");
    for _ in 0..20 {
        ended(&browser);
        if !browser.has("button", "Resume") {
            break;
        }
        browser.click("button", "Resume");
        browser.click("button", "Book");
    }
    browser.go("doubts");
    let doubts = |browser: &Browser| browser.text().matches("Look in the courier's portal for").count();
    assert!(doubts(&browser) > 0, "the faults hit some");
    let list = rig
        .bookings()
        .iter()
        .fold("Order Number,AWB\n".to_owned(), |text, (number, awb)| format!("{text}{number},{awb}\n"));
    browser.write("Courier's list", rig.file("list.csv", &list).to_str().unwrap());
    browser.click("button", "Record");
    browser.see("settled by list.csv");
    for number in left_in_doubt(&rig) {
        browser.write(&format!("How you know that {number} is not there"), &format!("not in the portal{ENTER}"));
        browser.see(&format!("{number} is settled."));
    }
    for _ in 0..20 {
        browser.go("");
        browser.at("Latest runs");
        let Some(next) = ["Resume", "Retry"].into_iter().find(|button| browser.has("button", button)) else { break };
        browser.click("button", next);
        browser.click("button", "Book");
        ended(&browser);
    }
    let booked: std::collections::BTreeSet<String> = rig.bookings().into_iter().map(|(number, _)| number).collect();
    assert!(booked.len() >= 78, "{} of 80", booked.len());
    drop(desk);
    // The rig makes sure at its end that nothing was booked twice.
}
