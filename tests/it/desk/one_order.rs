//! The page of one order: all that was sent, where it came from, whom to call, and where it is.

use shipsheet::sandbox::Answer as Script;

use super::Desk;
use super::browser::Browser;
use super::ends::ended;
use super::sheets::at_check;
use crate::rig::{Rig, row, row_of_own, sheet};

#[test]
fn an_orders_page_has_all_that_was_sent_and_where_it_came_from() {
    let Some(browser) = Browser::start() else { return };
    let rig = Rig::new();
    let second = row("A-1").replace("Kurta,K-1", "Shirt,S-1");
    let _desk = at_check(&browser, &rig, &sheet([row("A-1"), second, row_of_own("A-2")]));
    browser.click("button", "Book 2 orders");
    browser.click("button", "Book 2 now");
    browser.at("Results");
    browser.click("link", "A-1");
    browser.at("Order A-1");
    for said in [
        "PIN Code\n560001",
        "Receiver First Name\nAsha",
        "Weight\n0.5",
        "Payment Type\nPREPAID",
        "Product 2\n",
        "Product Name\nShirt",
        "packing.csv, rows 2-3",
        "Came in from packing.csv, rows 2-3.",
    ] {
        browser.see(said);
    }
    assert!(!browser.text().contains("destination."), "{}", browser.text());
    let called = "return document.querySelector('a[href^=tel]').getAttribute('href')";
    assert_eq!(browser.script(called, &[]), "tel:9876543210");
    browser.look("order-whole");
    browser.click("link", "Show it in the sheet");
    browser.see("What happened to it");
}

#[test]
fn the_status_that_a_courier_told_last_is_kept_and_shown() {
    let rig = Rig::new();
    rig.import_text(&sheet(["A-1", "A-2"].map(row_of_own))).exits(0);
    let desk = Desk::open(&rig, &[]);
    assert!(!desk.page("order?number=A-1").body.contains("Last status"));
    let said = r#"{"status": {"subStatus": "OUT_FOR_DELIVERY"}, "checkpoints": []}"#;
    rig.sandbox().script_path("/v1/external/shipments/track", [Script::Status(200, said.to_owned())]);
    let page = ended(&desk, "track", "order=A-1");
    assert!(page.contains("OUT FOR DELIVERY"), "{page}");
    drop(desk);
    let desk = Desk::open(&rig, &[]);
    let page = desk.page("order?number=A-1").body;
    assert!(
        page.contains("Last status") && page.contains("OUT FOR DELIVERY") && page.contains("told today at"),
        "{page}"
    );
    assert!(!desk.page("order?number=A-2").body.contains("Last status"));
}

#[test]
fn what_happened_to_an_order_is_told_in_words() {
    let rig = Rig::new();
    rig.sandbox().script_order("A-1", [Script::CutBefore]);
    rig.import_text(&sheet([row("A-1")])).exits(6);
    rig.run(&["doubt", "not-booked", "A-1", "--because", "not in the portal"]).exits(0);
    let desk = Desk::open(&rig, &[]);
    let page = desk.page("order?number=A-1").body;
    assert!(page.contains("tester said that the courier does not have it, because: not in the portal."), "{page}");
}
