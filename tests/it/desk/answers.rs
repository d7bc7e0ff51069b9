//! Answers at Check that reach further than one cell, and what cannot be kept.

use super::Desk;
use super::browser::Browser;
use super::sheets::{at_check, count};
use crate::rig::{Rig, row, row_with, sheet};

const ENTER: &str = "\u{E007}";

/// An order of two products whose rows both have this phone, and a good one.
fn two_rows(phone: &str) -> String {
    let first = row_with("A-1", phone, "560001");
    sheet([first.clone(), first.replace("Kurta,K-1", "Shirt,S-1"), row("A-2")])
}

#[test]
fn a_value_of_the_whole_order_is_mended_once_for_all_of_its_rows() {
    let Some(browser) = Browser::start() else { return };
    let rig = Rig::new();
    let _desk = at_check(&browser, &rig, &two_rows("98765"));
    browser.fill("A-1 Receiver Phone", &format!("9876543211{ENTER}"));
    browser.see("A-1 is ready.");
    let saved = browser.download(&browser.address().replace("/check", "/save"));
    assert_eq!(saved.matches("9876543211").count(), 2, "{saved}");
    browser.click("button", "Undo");
    browser.see("A-1 is to fix.");
    let saved = browser.download(&browser.address().split('?').next().unwrap().replace("/check", "/save"));
    assert_eq!(saved.matches("98765,").count(), 2, "{saved}");
}

#[test]
fn a_row_that_was_pasted_twice_is_taken_out_with_a_button() {
    let Some(browser) = Browser::start() else { return };
    let rig = Rig::new();
    let _desk = at_check(&browser, &rig, &sheet(["A-1", "A-1", "A-2"].map(row)));
    browser.click("button", "Take this row out");
    browser.see("Checked again: 2 ready.");
    assert_eq!(count(&browser, "Ready"), "2");
    assert!(!browser.text().contains("names no order"), "{}", browser.text());
    browser.click("button", "Book 2 orders");
    browser.see("₹1,999.60");
}

#[test]
fn all_proposals_are_taken_with_one_button() {
    let Some(browser) = Browser::start() else { return };
    let rig = Rig::new();
    let rows = (1..=9).map(|number| row(&format!("A-{number}")) + if number > 3 { ",yes" } else { "," });
    let _desk = at_check(&browser, &rig, &sheet(rows).replacen(",Quantity", ",Quantity,Confirmed", 1));
    browser.click("button", "Use all 3 proposals");
    browser.see("A-1 is ready. A-2 is ready. A-3 is ready.");
    browser.click("button", "Undo typing");
    browser.see("A-3 is on hold.");
}

#[test]
fn a_page_has_its_bounds_however_long_the_texts_are() {
    let rig = Rig::new();
    let long = "9".repeat(30_000);
    let rows = (0..40).map(|number| row_with(&format!("A-{number}"), &long, "5600"));
    let desk = Desk::open(&rig, &[]);
    let id = desk.drop_sheet("long.csv", &sheet(rows).replace("SKU", &format!("SKU {}", "k".repeat(5_000))));
    desk.read_sheet(&id);
    for place in ["check", "check?show=all", "columns", "order?number=A-1", "book"] {
        let page = desk.page(&format!("sheet/{id}/{place}"));
        assert!(page.body.len() < 72_000, "{place}: {} bytes", page.body.len());
    }
    let check = desk.page(&format!("sheet/{id}/check")).body;
    assert!(check.contains("30,000 characters"), "{check}");
    // Without a script all cells of the page are sent, and a long one stays as it is unless it is typed anew.
    let after =
        desk.posts(&format!("sheet/{id}/answer"), "revision=0&back=check&save=yes&long.0.2.3=&cell.0.2.8=560001");
    assert!(after.contains("A-0 is to fix."), "{after}");
    let after = desk.posts(&format!("sheet/{id}/answer"), "revision=1&back=check&save=yes&long.0.2.3=9876543210");
    assert!(after.contains("A-0 is ready."), "{after}");
}

#[test]
fn what_cannot_be_kept_is_said_and_changes_nothing() {
    let rig = Rig::new();
    let preload = format!("LD_PRELOAD={}", crate::rig::library().display());
    // The sheet and its file of answers have room; the first answer has none.
    let full = ["env", &preload, "DISK_FILES=/drafts/", "DISK_FAULT=space", "DISK_FROM=3"];
    let desk = Desk::open_by(&rig, &full, &[]);
    let id = desk.drop_sheet("a.csv", &two_rows("98765"));
    desk.read_sheet(&id);
    let said = desk.posts(&format!("sheet/{id}/answer"), "revision=0&back=check&cell.0.2.3=9876543210&save=yes");
    assert!(said.contains("That did not work") && said.contains("Look whether the disk is full"), "{said}");
    let check = desk.page(&format!("sheet/{id}/check")).body;
    assert!(check.contains("name=\"revision\" value=\"0\"") && check.contains("value=\"98765\""), "{check}");
    let dropped = desk.drop_file("sheets", "b.csv", &two_rows("98765"));
    assert!(dropped.body.contains("Cannot keep the sheet"), "{dropped:?}");
    assert!(!desk.page("").body.contains("b.csv"), "nothing is left of it");
}

#[test]
fn a_workbook_with_a_password_is_refused_in_words() {
    let rig = Rig::new();
    let mut ole = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1".to_vec();
    ole.resize(4096, 0);
    ole.extend("EncryptedPackage".encode_utf16().flat_map(u16::to_le_bytes));
    rig.bytes("locked.xlsx", ole);
    let Some(browser) = Browser::start() else { return };
    let desk = Desk::closed(&rig, &[]);
    browser.open(&desk.url);
    browser.write("Order sheet", rig.path("locked.xlsx").to_str().unwrap());
    browser.at("That did not work");
    browser.see("take the password away");
    browser.go("");
    assert!(!browser.text().contains("locked.xlsx"));
}

#[test]
fn what_changed_since_it_was_booked_is_said() {
    let rig = Rig::new();
    rig.import_text(&sheet(["A-1", "A-2"].map(row))).exits(0);
    let desk = Desk::open(&rig, &[]);
    let id = desk.drop_sheet("again.csv", &sheet([row("A-1").replace("14 MG Road", "99 Hill Road"), row("A-2")]));
    desk.read_sheet(&id);
    let check = desk.page(&format!("sheet/{id}/check")).body;
    assert!(check.contains("1 order") && check.contains("booked otherwise."), "{check}");
}
