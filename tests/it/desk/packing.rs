//! The pick list of a run and its packing slips: what they count, and what comes out of the printer.

use shipsheet::ledger::{Ledger, NewPurge};

use super::Desk;
use super::browser::Browser;
use crate::rig::{Rig, row, row_of_own, sheet};

/// A row of an order: a product with its code and pieces.
fn product(number: &str, name: &str, sku: &str, pieces: u32) -> String {
    row_of_own(number).replace(",Kurta,K-1,499.90,2", &format!(",{name},{sku},100,{pieces}"))
}

/// Three booked orders, of which the second is cash on delivery, one that was rejected and one that was cancelled since.
fn packed() -> Rig {
    let rig = Rig::new();
    let rows = [
        product("P-2", "Tea <b>mug</b>", "M-1", 2),
        product("P-2", "Apron", "", 1),
        product("P-1", "Tea <b>mug</b>", "M-1", 3).replace("PREPAID", "COD"),
        product("P-3", "कुर्ता", "K-9", 1),
        product("R-1", "Apron", "", 50).replace("560001", "999001"),
        product("C-1", "Apron", "", 70),
    ];
    rig.file("orders.csv", &sheet(rows));
    rig.run(&["import", "orders.csv", "--yes"]).exits(4);
    rig.run(&["cancel", "C-1", "--yes"]).exits(0);
    rig
}

#[test]
fn a_packer_prints_the_pick_list_and_a_slip_for_each_order() {
    let Some(browser) = Browser::start() else { return };
    let rig = packed();
    let desk = Desk::closed(&rig, &[]);
    browser.open(&desk.url);
    browser.go("results?run=1");
    browser.click("link", "Pick list");
    browser.at("Pick list of run 1");
    browser.see("3 orders, booked and not cancelled.");
    let lines = "return [...document.querySelectorAll('tbody tr')].map(r => [...r.cells].map(c => c.innerText).join('|')).join('\\n')";
    let table = || browser.script(lines, &[]).as_str().unwrap().to_owned();
    assert_eq!(table(), "Apron||1|P-2\nTea <b>mug</b>|M-1|5|P-2 × 2, P-1 × 3\nकुर्ता|K-9|1|P-3");
    browser.look("pick-list");
    // Our PDF has no such letters: they are never printed as others.
    browser.see("Some names here are in letters that our PDF lacks. Print can save this page as PDF.");
    assert!(!browser.has("link", "Open as PDF"));
    for pdf in ["pick-list.pdf?run=1", "packing-slips.pdf?run=1"] {
        assert!(browser.download(pdf).contains("There is no such page."), "{pdf}");
    }
    browser.script("window.print = () => { document.title = 'printed' }", &[]);
    browser.click("button", "Print");
    assert_eq!(browser.script("return document.title", &[]), "printed");

    browser.click("link", "Results");
    browser.click("link", "Packing slips");
    browser.at("Order P-2");
    let awb = rig.bookings().into_iter().find(|(number, _)| number == "P-1").unwrap().1;
    let own = "return [...document.querySelectorAll('.slip')].map(slip => slip.innerText).find(text => text.includes(arguments[0]))";
    let slip = browser.script(own, &["Order P-1".into()]).as_str().unwrap().to_owned();
    for said in [&*awb, "Bengaluru, 560001", "COD to collect\n₹300", "Tea <b>mug</b>\tM-1\t3"] {
        assert!(slip.contains(said), "{said}: {slip}");
    }
    assert!(!slip.contains("Apron"), "{slip}");
    browser.look("packing-slips");
    let paper = lopdf::Document::load_mem(&browser.printed()).unwrap();
    assert_eq!(paper.page_iter().count(), 3, "a page for each order");
    // Whenever it is asked for again, it is the same.
    browser.reload();
    assert_eq!(browser.script(own, &["Order P-1".into()]), slip);
}

#[test]
fn where_all_names_are_western_there_is_a_pdf_of_each_list() {
    let Some(browser) = Browser::start() else { return };
    let rig = Rig::new();
    let rows = [
        product("P-1", "Crème brûlée", "M-1", 3).replace("PREPAID", "COD"),
        product("P-2", "Crème brûlée", "M-1", 2),
        product("P-2", "Apron", "", 1),
    ];
    rig.import_text(&sheet(rows)).exits(0);
    let desk = Desk::closed(&rig, &[]);
    browser.open(&desk.url);
    browser.go("packing-slips?run=1");
    assert!(browser.has("link", "Open as PDF"));
    let text = |place: &str| -> Vec<String> {
        let pdf = lopdf::Document::load_mem(&browser.file(place)).unwrap();
        pdf.get_pages().keys().map(|page| pdf.extract_text(&[*page]).unwrap()).collect()
    };
    let [first, second] = &text("packing-slips.pdf?run=1")[..] else { panic!("a page for each order") };
    for (page, said) in [
        (first, ["Order P-1", "Bengaluru, 560001", "COD to collect: Rs 300", "Crème brûlée"]),
        (second, ["Order P-2", "AWB: SBX", "COD to collect: nothing", "Apron"]),
    ] {
        assert!(said.iter().all(|said| page.contains(said)), "{said:?}: {page}");
    }
    assert!(!first.contains("Apron"), "{first}");
    let [list] = &text("pick-list.pdf?run=1")[..] else { panic!("one page") };
    for said in ["Pick list of run 1", "2 orders, booked and not cancelled.", "P-1 × 3, P-2 × 2", "Apron"] {
        assert!(list.contains(said), "{said}: {list}");
    }
}

#[test]
fn a_slip_says_so_where_what_was_in_it_is_purged() {
    let rig = Rig::new();
    rig.import_text(&sheet([row("A-1")])).exits(0);
    let new = NewPurge { before_ms: i64::MAX, user: "asha".into(), host: "desk".into(), at_ms: 1_800_000_000_000 };
    assert_eq!(Ledger::open(&rig.path("ledger.sqlite")).unwrap().purge(&new).unwrap().orders, 1);
    let desk = Desk::open(&rig, &[]);
    for place in ["pick-list?run=1", "packing-slips?run=1"] {
        let page = desk.page(place).body;
        assert!(page.contains("The products of 1 order are no longer kept here."), "{page}");
    }
    let slip = desk.page("packing-slips?run=1").body;
    assert!(slip.contains("Its products are no longer kept here.") && slip.contains("<b>not known</b>"), "{slip}");
    assert_eq!(desk.page("pick-list?run=7").status, 404);
}
