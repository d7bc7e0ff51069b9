//! A sheet at the desk as a browser without a script sees it, one page after the other.

use std::time::Duration;

use super::Desk;
use super::sheets::short_phones;
use crate::rig::size::is_long;
use crate::rig::{Rig, row, row_with, sheet, wait_until};

/// What a page posts that shows what would be sent.
pub(crate) fn agreed(page: &str) -> String {
    let value = |name: &str| page.split_once(&format!("name=\"{name}\" value=\""))?.1.split('"').next();
    let names = ["what", "cause", "order", "revision", "stamp", "sums", "at", "twice"];
    let fields = names.iter().filter_map(|name| {
        let encoded = value(name)?.replace(':', "%3A").replace('/', "%2F").replace(' ', "+").replace('@', "%40");
        Some(format!("{name}={encoded}"))
    });
    fields.collect::<Vec<_>>().join("&")
}

#[test]
fn everything_works_without_a_script() {
    let rig = Rig::new();
    let desk = Desk::open(&rig, &[]);
    let id = desk.drop_sheet("packing.csv", &short_phones());
    let at = |screen: &str| format!("sheet/{id}/{screen}");
    assert_eq!(desk.page(&at("begin")).status, 303);
    let page = desk.page(&at("check")).body;
    let cells = page.split("name=\"cell.").skip(1).map(|cell| {
        let (name, rest) = cell.split_once('"').unwrap();
        let value = rest.split_once("value=\"").unwrap().1.split('"').next().unwrap();
        format!("&cell.{name}={}", if value == "5600" { "560001" } else { value })
    });
    let typed: String = cells.collect();
    let after = desk.posts(&at("answer"), &format!("revision=0&back=check&save=yes{typed}"));
    assert!(after.contains("A-8 is ready."), "{after}");
    let send = super::money::pressed(&desk.page(&at("check")).body, "send.phone-form=A-5");
    let after = desk.posts(&at("answer"), &format!("revision=1&back=check&{send}"));
    assert!(after.contains("A-5 is ready."), "{after}");
    let late = desk.posts(&at("answer"), "revision=1&back=check&leave=A-6");
    assert!(late.contains("changed in another window") && late.contains("A-6"), "{late}");
    let form = agreed(&desk.page(&at("book")).body);
    for (name, wrong) in [("revision=2", "revision=1"), ("stamp=", "stamp=0"), ("sums=6", "sums=7")] {
        let refused = desk.posts(&at("book"), &form.replace(name, wrong));
        assert!(refused.contains("This is no longer what you saw."), "{name}: {refused}");
    }
    assert_eq!(rig.bookings(), []);
    desk.posts(&at("book"), &form);
    wait_until("all are booked", || desk.page("progress").status == 303);
    assert_eq!(rig.bookings().len(), 6);
}

#[test]
fn what_a_dropped_sheet_says_is_text() {
    let rig = Rig::new();
    let desk = Desk::open(&rig, &[]);
    let evil = "<script>alert(1)</script><img src=x onerror=alert(2)>";
    let text = sheet([row(&format!("A{evil}")), row_with("A-2", evil, evil)]) + &format!("{evil},{evil},{evil}\n");
    let id = desk.drop_sheet(&format!("{evil}.csv"), &text.replace(",SKU", &format!(",SKU {evil}")));
    let number = "A%3Cscript%3Ealert(1)%3C%2Fscript%3E%3Cimg%20src%3Dx%20onerror%3Dalert(2)%3E";
    for place in ["begin", "columns", "check", "check?show=all", "book", &format!("order?number={number}")] {
        let page = desk.page(&format!("sheet/{id}/{place}"));
        assert!(matches!(page.status, 200 | 303), "{place}: {page:?}");
        assert!(!page.body.contains("<script>") && !page.body.contains("<img"), "{place}: {}", page.body);
    }
    let home = desk.page("").body;
    assert!(home.contains("Go on") && !home.contains("<script>") && !home.contains("<img"), "{home}");
}

#[test]
fn ten_thousand_orders_of_a_sheet_hang_no_window() {
    let rig = Rig::new();
    // A hundred of them are to be fixed.
    let orders = if is_long() { 10_000 } else { 2_000 };
    let rows = (1..=orders).map(|number| {
        row_with(&format!("M-{number:05}"), if number % (orders / 100) == 0 { "98765" } else { "9876543210" }, "560001")
    });
    let desk = Desk::open(&rig, &[]);
    let id = desk.drop_sheet("many.csv", &sheet(rows));
    let patient = |place: &str| loop {
        let page = desk.page(place);
        match page.status {
            200 if !page.body.contains("data-poll") => return page.body,
            200 => std::thread::sleep(Duration::from_millis(200)),
            303 => return String::new(),
            _ => panic!("{place}: {page:?}"),
        }
    };
    patient(&format!("sheet/{id}/begin"));
    let check = patient(&format!("sheet/{id}/check"));
    assert!(
        check.contains("Fix")
            && check.contains("100 orders")
            && check.contains(&format!("M-{orders:05} Receiver Phone"))
    );
    assert_eq!(check.matches("class=\"cell\"").count(), 100, "a page has a hundred rows");
    let assets = desk.page("desk.css").body.len() + desk.page("desk.js").body.len();
    assert!(check.len() + assets < 100_000, "{} and {assets} bytes", check.len());
    let ready = patient(&format!("sheet/{id}/check?show=ready&from={}", orders - 200));
    assert!(ready.contains(&format!("M-{:05}", orders - 1)) && ready.len() + assets < 100_000, "{}", ready.len());
    let book = patient(&format!("sheet/{id}/book"));
    assert!(book.contains(if is_long() { "Book 9,900 now" } else { "Book 1,900 now" }), "{book}");
    // An answer is kept also where the whole sheet has to be read again first, which takes longer than a page waits.
    rig.import_text(&sheet([row("other")])).exits(0);
    desk.posts(&format!("sheet/{id}/answer"), "revision=0&back=check&hold=M-00001");
    let held = patient(&format!("sheet/{id}/check?show=hold"));
    assert!(held.contains("M-00001"), "{held}");
}
