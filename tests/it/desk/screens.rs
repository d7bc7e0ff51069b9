//! The screens of the desk, used as a person uses them, in a real browser.

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use rustix::process::Signal;
use shipsheet::sandbox::Answer as Script;

use super::browser::Browser;
use super::{Desk, printed};
use crate::rig::size::times;
use crate::rig::{Rig, row, row_with, sheet, wait_until};

const TAB: &str = "\u{E004}";
const ENTER: &str = "\u{E007}";

/// A ledger with everything in it: booked, rejected, in doubt, not sent.
fn morning_after() -> Rig {
    let rig = Rig::new();
    rig.sandbox().script_order("A-2", [Script::CutAfter]);
    rig.sandbox().script_order("A-3", [Script::CutBefore]);
    let bad = row_with("A-4", "9876543210", "999001");
    rig.file("mon.csv", &sheet(["A-1", "A-2", "A-3"].map(row).into_iter().chain([bad])));
    rig.run(&["import", "mon.csv", "--yes"]).exits(6);
    // Other people than those whose orders are in doubt.
    let other =
        |number: u32| row_with(&format!("A-{number}"), &format!("981234567{number}"), "560001").replace("Asha", "Ravi");
    rig.file("tue.csv", &sheet((5..=7).map(other)));
    rig.run(&["import", "tue.csv", "--yes", "--max-orders", "1"]).exits(5);
    rig
}

fn states(rig: &Rig) -> Vec<(String, String)> {
    let database = rig.database();
    let mut statement = database.prepare("SELECT number, state FROM orders ORDER BY number").unwrap();
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
    rows.map(Result::unwrap).collect()
}

fn state(rig: &Rig, number: &str) -> String {
    states(rig).into_iter().find(|(own, _)| own == number).unwrap().1
}

/// The AWB that the courier's portal shows for an order.
fn portal(rig: &Rig, number: &str) -> Option<String> {
    rig.bookings().into_iter().find(|(own, _)| own == number).map(|(_, awb)| awb)
}

#[test]
fn what_is_open_is_sent_printed_and_settled() {
    let Some(browser) = Browser::whole() else { return };
    let rig = morning_after();
    let desk = Desk::closed(&rig, &[]);
    browser.open(&desk.url);
    browser.at("Open");
    for open in ["2 orders may or may not be booked.", "2 orders not sent yet.", "1 order rejected:"] {
        browser.see(open);
    }

    browser.click("button", "Resume 2");
    browser.at("Book");
    browser.see("2 orders in doubt stay where they are.");
    browser.back();
    browser.at("Open");
    browser.click("button", "Resume 2");
    browser.click("button", "Book 2 orders");
    browser.at("Results");
    browser.see("Every order of this run is booked.");
    assert_eq!((state(&rig, "A-6"), state(&rig, "A-7")), ("booked".into(), "booked".into()));
    browser.back();
    assert!(!browser.text().contains("That did not work"), "Back shows a page and does nothing");

    browser.go("results?run=1");
    browser.see("None is printed yet.");
    browser.click("button", "Print 1 label");
    wait_until("the label is shown", || printed(&rig) == 1);
    let pdf = std::fs::read(rig.file_of_run(1, "labels.pdf")).unwrap();
    assert!(pdf.starts_with(b"%PDF"));
    browser.reload();
    browser.see("All were opened for printing.");

    browser.click("link", "In doubt");
    browser.at("Orders in doubt");
    let awb = portal(&rig, "A-2").unwrap();
    browser.write("AWB of A-2", "no awb");
    let field = "How you know that A-2 is there";
    browser.write(field, "seen in the portal");
    browser.click("button", "Record the AWB of A-2");
    browser.see("\"no awb\" is no AWB: copy it from the courier's portal.");
    assert_eq!([browser.value("AWB of A-2"), browser.value(field)], ["no awb", "seen in the portal"]);
    browser.fill("AWB of A-2", &awb);
    browser.click("button", "Record the AWB of A-2");
    browser.see("A-2 is settled.");
    assert_eq!((state(&rig, "A-2"), state(&rig, "A-3")), ("booked".into(), "in_doubt".into()));
    browser.write("How you know that A-3 is not there", "not in the portal");
    browser.click("button", "It is not there: A-3");
    browser.see("No order is in doubt.");
    assert_eq!(state(&rig, "A-3"), "staged", "it may be sent again, once");
    browser.go("results?run=1");
    browser.see("1 label must be printed in the courier's portal, because a person settled the order: A-2.");
}

#[test]
fn an_order_is_found_by_what_a_person_knows_of_it() {
    let Some(browser) = Browser::start() else { return };
    let rig = morning_after();
    let desk = Desk::closed(&rig, &[]);
    browser.open(&desk.url);
    browser.write("Find an order", "A-1");
    browser.press(ENTER);
    browser.at("Order A-1");
    browser.see("Sent in run 1: booked");
    let awb = portal(&rig, "A-1").unwrap();
    browser.write("Find an order", &awb);
    browser.press(ENTER);
    browser.at("Order A-1");
    browser.write("Find an order", "3210");
    browser.press(ENTER);
    browser.at("Orders with “3210”");
    browser.click("link", "A-4");
    browser.at("Order A-4 Rejected");
    browser.click("button", "Retry");
    browser.tick_all();
    browser.click("button", "Book 1 order");
    browser.at("Results");
    browser.see("1 order: ");
    browser.go("order?number=A-1");
    browser.click("button", "Cancel this shipment");
    browser.at("Cancel A-1?");
    browser.click("button", "Cancel this shipment");
    browser.see("The courier service has cancelled it.");
    browser.go("order?number=A-1");
    browser.see("asked to cancel it; it is cancelled.");
    browser.click("button", "Track");
    browser.at("Where shipments are");
}

#[test]
fn the_couriers_list_settles_what_it_proves_with_a_yes() {
    let Some(browser) = Browser::start() else { return };
    let rig = morning_after();
    let awb = portal(&rig, "A-2").unwrap();
    let list = rig.file("courier list.csv", &format!("Order Number,AWB\nA-2,{awb}\nX-9,77777777\n"));
    let desk = Desk::closed(&rig, &[]);
    browser.open(&desk.url);
    browser.click("button", "Settle 2");
    browser.write("Courier's list", list.to_str().unwrap());
    browser.at("The courier's list");
    browser.see("It would record 1 order as booked:");
    browser.see("Only in the list: 1");
    assert_eq!(state(&rig, "A-2"), "in_doubt", "nothing has changed yet");
    browser.click("button", "Record 1 AWB");
    browser.see("1 order settled by courier list.csv");
    assert_eq!((state(&rig, "A-2"), state(&rig, "A-3")), ("booked".into(), "in_doubt".into()));
}

#[test]
fn a_level_is_changed_once_the_change_was_seen() {
    let Some(browser) = Browser::start() else { return };
    let rig = Rig::new();
    let file = rig.file("shipsheet.toml", "# ours\n[rules]\npin-differs = \"warn\" # agreed\n");
    let desk = Desk::closed(&rig, &[]);
    browser.open(&desk.url);
    browser.click("link", "Rules");
    browser.click("summary", "Orders as a whole");
    browser.click("link", "The PIN code does not fit the address");
    browser.click("button", "Set to Off");
    browser.see("− pin-differs = \"warn\" # agreed");
    browser.see("+ pin-differs = \"off\" # agreed");
    assert!(std::fs::read_to_string(&file).unwrap().contains("\"warn\""), "it is only shown");
    browser.click("button", "Write the change");
    browser.see("The change is written.");
    let written = std::fs::read_to_string(&file).unwrap();
    assert_eq!(written, "# ours\n[rules]\npin-differs = \"off\" # agreed\n");
    rig.run(&["rules", "pin-differs"]).exits(0).prints("off");
}

/// A run of so many orders that waits for the service after six, at its Progress.
fn under_way(browser: &Browser, orders: usize) -> (Rig, Desk) {
    let rig = Rig::new();
    rig.file("long.csv", &sheet((1..=orders).map(|number| row(&format!("L-{number:03}")))));
    rig.run(&["import", "long.csv", "--yes", "--max-orders", "1"]).exits(5);
    rig.file("shipsheet.toml", "[booking]\nconcurrency = 2\n");
    rig.sandbox().hold_after(6);
    let desk = Desk::closed(&rig, &[]);
    browser.open(&desk.url);
    browser.click("button", "Resume");
    browser.tick_all();
    browser.click("button", "Book");
    browser.at("Progress");
    (rig, desk)
}

#[test]
fn progress_goes_on_whoever_looks_and_stops_when_asked() {
    let Some(browser) = Browser::whole() else { return };
    let (rig, _desk) = under_way(&browser, 120);
    browser.see("of 119 orders sent");
    for (theme, width) in [("light", 1_200), ("dark", 390)] {
        browser.dress(theme, width);
        assert_eq!(browser.axe(), Vec::<String>::new(), "progress, {theme}");
        browser.picture(&format!("progress-{theme}-{width}"), width);
    }
    let first = browser.windows().remove(0);
    browser.reload();
    browser.see("of 119 orders sent");
    for _ in 0..7 {
        browser.second_window();
        browser.at("Progress");
    }
    browser.go("");
    browser.see("Orders are being booked.");
    browser.go("again?what=outstanding");
    browser.see("The desk is busy: orders are being booked.");
    browser.switch(&first);
    browser.click("button", "Stop");
    browser.see("Stopping: waiting for what is on its way.");
    rig.sandbox().go_on();
    browser.at("Results");
    browser.see("It stopped early");
    let left = states(&rig).iter().filter(|(_, state)| state == "staged").count();
    assert!(left > 0 && states(&rig).iter().all(|(_, state)| state != "sending" && state != "in_doubt"), "{left}");
}

#[test]
fn a_desk_that_is_killed_is_missed_and_what_it_left_is_found() {
    let Some(browser) = Browser::start() else { return };
    let (rig, desk) = under_way(&browser, 40);
    browser.see("of 39 orders sent");
    wait_until("some are booked", || rig.bookings().len() > 4);
    desk.live.signal(Signal::KILL);
    browser.see("The desk does not answer.");
    rig.sandbox().go_on();
    let port = desk.host.rsplit(':').next().unwrap().to_owned();
    drop(desk);
    // Nobody waits for the rest as long.
    rig.file("shipsheet.toml", "[booking]\nconcurrency = 16\n");
    let again = Desk::closed(&rig, &["--port", &port]);
    browser.see("The desk was started again. Go on in the window that it opened.");
    browser.open(&again.url);
    browser.at("Open");
    let doubts = states(&rig).iter().filter(|(_, state)| state == "in_doubt").count();
    assert!((1..=6).contains(&doubts), "{doubts}: those that were on their way");
    browser.see("may or may not be booked.");
    browser.click("button", "Resume");
    browser.tick_all();
    browser.click("button", "Book");
    browser.at("Results");
    wait_until("all the rest is booked", || !states(&rig).iter().any(|(_, state)| state == "staged"));
    // The rig makes sure at its end that nothing was booked twice.
}

#[test]
fn everything_can_be_done_by_keys() {
    let Some(browser) = Browser::start() else { return };
    let rig = morning_after();
    let desk = Desk::closed(&rig, &[]);
    browser.open(&desk.url);
    browser.at("Open");
    browser.press(TAB);
    assert_eq!(browser.focus(), "Skip to the page");
    let to = |name: &str| {
        let reached = (0..60).any(|_| {
            browser.focus().starts_with(name) || {
                browser.press(TAB);
                false
            }
        });
        assert!(reached, "no way by keys to {name}");
    };
    to("Resume 2");
    browser.press(ENTER);
    browser.at("Book");
    to("Book 2 orders");
    browser.press(ENTER);
    browser.at("Results");
    to("In doubt");
    browser.press(ENTER);
    browser.at("Orders in doubt");
    to("AWB of A-2");
    browser.press(&portal(&rig, "A-2").unwrap());
    to("How you know that A-2 is there");
    browser.press("seen in the portal");
    browser.press(ENTER);
    browser.see("A-2 is settled.");
}

#[test]
fn every_screen_is_sound_in_both_themes_and_at_every_width() {
    let Some(browser) = Browser::start() else { return };
    let rig = morning_after();
    let desk = Desk::closed(&rig, &[]);
    browser.open(&desk.url);
    for (name, place) in [
        ("home", ""),
        ("orders", "orders"),
        ("order", "order?number=A-1"),
        ("book", "again?what=outstanding"),
        ("runs", "runs"),
        ("results", "results?run=1"),
        ("doubts", "doubts"),
        ("cancel", "cancel?order=A-1"),
        ("rules", "rules"),
        ("rule", "rule?id=pin-differs"),
        ("rule-change", "rule?id=pin-differs&level=off"),
        ("settings", "settings"),
        ("setting-change", "setting?defaults.warehouseId=WH-1"),
        ("report", "report?run=1"),
        ("awb", "awb?order=A-2&attempt=1&verdict=there&awb=12&because=seen"),
        ("trouble", "order?number=nobody"),
    ] {
        browser.go(place);
        browser.look(name);
        assert!(browser.has("link", "Home"));
    }
}

#[test]
fn a_page_shows_a_hundred_of_twenty_thousand_orders() {
    let rig = Rig::new();
    let orders: u32 = times(2_000);
    rig.file("many.csv", &sheet((1..=orders).map(|number| row(&format!("M-{number:05}")))));
    rig.run(&["import", "many.csv", "--yes", "--max-orders", "1"]).exits(5);
    let desk = Desk::open(&rig, &[]);
    let last = format!("orders?q=M-{orders:05}");
    for place in ["", "orders", "results?run=1", &last, "orders?q=3210", "doubts", "runs"] {
        let page = desk.page(place);
        assert!(matches!(page.status, 200 | 303), "{place}: {page:?}");
        assert!(page.body.matches("<tr>").count() <= 102, "{place}");
        assert!(page.body.len() < 150_000, "{place}: {} bytes", page.body.len());
    }
}

#[test]
fn a_report_is_on_the_desk_and_can_be_saved() {
    let rig = morning_after();
    let desk = Desk::open(&rig, &[]);
    let page = desk.page("report?run=1").body;
    for said in ["Report of run 1", "2 orders are in doubt", "All of them: carrier ", "Does it add up?"] {
        assert!(page.contains(said), "{said} in {page}");
    }
    assert!(desk.page("results?run=1").body.contains("report?run=1"));
    let saved = desk.page("report/page?run=1&mask=true");
    assert!(saved.body.starts_with("<!DOCTYPE html>") && !saved.body.contains("Asha"), "{saved:?}");
}

#[test]
fn the_owner_gets_the_report_of_the_last_month() {
    let Some(browser) = Browser::start() else { return };
    let rig = Rig::new();
    rig.import_text(&sheet([row("A-1"), row_with("A-2", "9812345678", "560002")])).exits(0);
    let today = Timestamp::now().to_zoned_datetime(TimeZone::UTC).date();
    let last = today.first_of_month().yesterday().unwrap();
    let noon = last.at(12, 0, 0, 0).to_zoned_datetime(TimeZone::UTC).unwrap().timestamp().as_millisecond();
    rig.database().execute("UPDATE runs SET started_ms = ?1", [noon]).unwrap();
    let desk = Desk::closed(&rig, &[]);
    browser.open(&desk.url);
    browser.click("link", "Runs");
    browser.click("link", "Last month");
    let said = |day: Date| day.strftime("%-d %b %Y").to_string();
    browser.see(&format!("Report of {} to {}", said(last.first_of_month()), said(last)));
    browser.see("Booked\n2");
    browser.look("report-of-days");
    browser.click("link", "This month");
    browser.see("No order came.");
    let typed = |day: Date| day.strftime("%m%d%Y").to_string();
    browser.write("From", &typed(last));
    browser.write("To", &typed(last));
    browser.click("button", "Show report");
    browser.see(&format!("Report of {}", said(last)));
    browser.see("Booked\n2");
    let saved = browser.download(&format!("report/page?since={last}&until={last}&mask=true"));
    assert!(saved.contains("Declared value of shipments") && !saved.contains("Asha"), "{saved}");
    browser.write("From", &typed(today));
    browser.click("button", "Show report");
    browser.see("The last day of the report is before its first day.");
}
