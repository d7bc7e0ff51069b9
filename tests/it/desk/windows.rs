//! Several windows, and other programs: what was done is said where it was done, and looking changes nothing.

use std::time::Duration;

use rustix::process::Signal;

use super::browser::Browser;
use super::sheets::{at_check, drop_sheet, two_worksheets};
use super::{Desk, field, sent};
use crate::rig::{Rig, row, sheet, wait_until};

/// Posts a form, and gives the address that its window goes to.
fn goes_to(desk: &Desk, place: &str, form: &str) -> String {
    let own = [("Cookie", desk.cookie.as_str()), ("Sec-Fetch-Site", "same-origin"), super::FORM];
    let answer = desk.ask("POST", &desk.at(place), &own, &format!("page={}&{form}", desk.token()));
    answer.header("location").unwrap().strip_prefix(&desk.base).unwrap().to_owned()
}

const CHANGE: &str = "defaults.productRequestsList.currencyCode=INR";

#[test]
fn what_was_done_is_said_once_and_to_the_window_that_did_it() {
    let rig = Rig::new();
    let desk = Desk::open(&rig, &[]);
    let seen = field(&desk.page(&format!("setting?{CHANGE}")).body, "seen");
    let to = goes_to(&desk, "setting", &format!("{CHANGE}&seen={seen}"));
    for other in ["", "settings", "settings?said=0123456789abcdef"] {
        assert!(!desk.page(other).body.contains("The change is written."), "{other}");
    }
    assert!(desk.page(&to).body.contains("The change is written."), "{to}");
    assert!(!desk.page(&to).body.contains("The change is written."), "{to}");
}

#[test]
fn what_was_done_with_a_sheet_is_said_behind_the_page_that_waits() {
    let rig = Rig::new();
    let desk = Desk::open(&rig, &[]);
    let id = desk.drop_sheet("a.csv", &sheet(["A-1", "A-2"].map(row)));
    desk.read_sheet(&id);
    let to = goes_to(&desk, &format!("sheet/{id}/answer"), "revision=0&back=check&hold=A-1");
    assert!(!desk.page(&format!("sheet/{id}/check")).body.contains("A-1 is on hold."));
    assert!(desk.page(&to).body.contains("A-1 is on hold."));
}

#[test]
fn a_change_of_the_settings_is_written_as_it_was_shown_or_not_at_all() {
    let rig = Rig::new();
    let file = rig.file("shipsheet.toml", "# ours\n");
    let desk = Desk::open(&rig, &[]);
    let page = desk.page(&format!("setting?{CHANGE}")).body;
    let rule = desk.page("rule?id=pin-differs&level=off").body;
    std::fs::write(&file, "# ours\n[booking]\nconcurrency = 3\n").unwrap();
    for (place, form) in [
        ("setting", format!("{CHANGE}&seen={}", field(&page, "seen"))),
        ("setting", CHANGE.to_owned()),
        ("rule", format!("id=pin-differs&level=off&seen={}", field(&rule, "seen"))),
    ] {
        let refused = desk.posts(place, &form);
        assert!(refused.contains("Somebody changed the settings since this page was shown"), "{place}: {refused}");
    }
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "# ours\n[booking]\nconcurrency = 3\n");
}

#[test]
fn pages_name_user_and_ledger_and_know_their_own_desk() {
    let rig = Rig::new();
    let desk = Desk::open(&rig, &[]);
    let page = desk.page("");
    assert!(
        page.body.contains("Working as tester, orders in ") && page.body.contains("ledger.sqlite"),
        "{}",
        page.body
    );
    let mark = page.header("x-shipsheet-desk").unwrap().to_owned();
    assert!(page.body.contains(&format!("data-desk=\"{mark}\"")));
    assert_eq!(desk.page("icon.svg").header("x-shipsheet-desk"), Some(&*mark));
    let stranger = format!("GET {} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", desk.at("icon.svg"), desk.host);
    let stranger = sent(&desk.host, stranger.as_bytes());
    assert_eq!((stranger.status, stranger.header("x-shipsheet-desk")), (403, Some("closed")));
    assert!(!stranger.body.contains(&mark) && !stranger.head.contains(&mark));
}

#[test]
fn another_program_on_the_port_is_not_the_desk() {
    let Some(browser) = Browser::start() else { return };
    let rig = Rig::new();
    let mut desk = Desk::closed(&rig, &[]);
    browser.open(&desk.url);
    browser.see("Nothing is waiting.");
    desk.live.signal(Signal::KILL);
    wait_until("it is gone", || !desk.live.runs());
    let other = std::net::TcpListener::bind(&desk.host).unwrap();
    std::thread::spawn(move || {
        for stream in other.incoming().flatten() {
            use std::io::{Read, Write};
            let mut stream = stream;
            let _ = stream.set_read_timeout(Some(Duration::from_secs(5)));
            let _ = stream.read(&mut [0; 4096]);
            let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok");
        }
    });
    browser.see("The desk does not answer.");
}

/// What the ledger knows of A-1.
fn state(rig: &Rig) -> Option<String> {
    let ledger = rig.path("ledger.sqlite").exists().then(|| rig.database())?;
    ledger.query_row("SELECT state FROM orders WHERE number = 'A-1'", [], |row| row.get(0)).ok()
}

#[test]
fn looking_at_what_goes_again_changes_nothing() {
    let rig = Rig::faulty("latency=30s");
    let desk = Desk::open(&rig, &[]);
    rig.file("a.csv", &sheet([row("A-1")]));
    let mut import = rig.live("import", &["import", "a.csv", "--yes"]);
    wait_until("it is on its way", || state(&rig).as_deref() == Some("sending"));
    import.signal(Signal::KILL);
    wait_until("it is gone", || !import.runs());
    let page = desk.page("again?what=outstanding").body;
    assert!(page.contains("1 order more was on the way when a program ended."), "{page}");
    assert_eq!(state(&rig).as_deref(), Some("sending"));
    let page = desk.posts("again/found", "what=outstanding");
    assert!(page.contains("There is nothing to send.") && !page.contains("was on the way"), "{page}");
    assert_eq!(state(&rig).as_deref(), Some("in_doubt"));
}

#[test]
fn looking_at_the_doubts_changes_nothing_and_takes_no_lock() {
    let rig = Rig::faulty("latency=30s");
    let desk = Desk::open(&rig, &[]);
    rig.file("a.csv", &sheet([row("A-1")]));
    let mut import = rig.live("import", &["import", "a.csv", "--yes"]);
    let state = || state(&rig);
    wait_until("it is on its way", || state().as_deref() == Some("sending"));
    assert!(desk.page("doubts").body.contains("Another program works with these orders just now."));
    import.signal(Signal::KILL);
    wait_until("it is gone", || !import.runs());
    let page = desk.page("doubts").body;
    assert!(page.contains("1 order more was on the way when a program ended."), "{page}");
    assert_eq!(state().as_deref(), Some("sending"));
    let page = desk.posts("doubts/found", "");
    assert!(page.contains("Record the AWB of A-1"), "{page}");
    assert_eq!(state().as_deref(), Some("in_doubt"));
}

#[test]
fn a_workbook_stays_open_until_its_other_worksheet_is_booked_or_given_up() {
    let Some(browser) = Browser::start() else { return };
    let rig = Rig::new();
    two_worksheets(&rig);
    let desk = Desk::closed(&rig, &[]);
    browser.open(&desk.url);
    drop_sheet(&browser, &rig.path("two.xlsx"));
    browser.click("button", "Delhi");
    for _ in 0..2 {
        browser.click("button", "Check 2 orders");
        browser.click("button", "Book 2 orders");
        browser.tick_all();
        browser.click("button", "Book 2 now");
        browser.at("Results");
        browser.see("Every order of this run is booked.");
        if browser.has("button", "Read “Pune”") {
            browser.click("button", "Read “Pune”");
        }
    }
    assert_eq!(rig.bookings().len(), 4);
    assert!(!browser.has("button", "Read “"), "{}", browser.text());
    for run in [1, 2] {
        browser.go(&format!("results?run={run}"));
        assert!(browser.has("button", "Print 2 labels") && browser.has("button", "My sheet with AWBs"), "{run}");
    }
    let own = |run: u32| browser.download(&format!("download?what=own&run={run}"));
    let before = [1, 2].map(own);
    assert_ne!(before[0], before[1]);
    // What is cancelled since stands in the sheet that was kept of its worksheet, and in no other.
    rig.run(&["cancel", "D-1", "--yes"]).exits(0);
    let after = [1, 2].map(own);
    assert!(after[0].starts_with("PK") && after[0] != before[0]);
    assert_eq!(after[1], before[1]);
    browser.click("link", "Home");
    browser.see("Nothing is waiting.");
    assert!(!browser.text().contains("two.xlsx, "), "{}", browser.text());
}

#[test]
fn what_was_typed_last_comes_in_before_its_page_is_left() {
    let Some(browser) = Browser::start() else { return };
    let rig = Rig::new();
    let _desk = at_check(&browser, &rig, &sheet((1..=4_000).map(|number| row(&format!("A-{number:04}")))));
    browser.click("link", "A-0001");
    browser.fill("A-0001 Receiver Phone", "9812345670");
    browser.fill("A-0001 Address Line 1", "99 New Road");
    browser.click("link", "Back to Check");
    browser.at("Check");
    let saved = browser.download(&browser.address().split('?').next().unwrap().replace("/check", "/save"));
    assert!(saved.contains("9812345670") && saved.contains("99 New Road"), "{}", &saved[..400]);
}
