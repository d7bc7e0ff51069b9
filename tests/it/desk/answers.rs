//! Answers at Check that reach further than one cell, and what cannot be kept.

use shipsheet::sandbox::Answer as Script;

use super::Desk;
use super::browser::Browser;
use super::money::says;
use super::sheets::{at_check, count};
use crate::rig::{HEADER, Rig, row, row_of_own, row_with, sheet, two_at, wait_until};

const ENTER: &str = "\u{E007}";
const TAB: &str = "\u{E004}";

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
    browser.see("A-1 needs fixing.");
    let saved = browser.download(&browser.address().split('?').next().unwrap().replace("/check", "/save"));
    assert_eq!(saved.matches("98765,").count(), 2, "{saved}");
}

#[test]
fn a_phone_that_is_written_in_two_ways_is_mended_once_for_all_of_its_rows() {
    let rig = Rig::new();
    let desk = Desk::open(&rig, &[]);
    let rows = [row_with("A-1", "98765 4321", "560001"), row_with("A-1", "+91 987654321", "560001")];
    let id = desk.drop_sheet("a.csv", &sheet(rows));
    desk.read_sheet(&id);
    desk.posts(&format!("sheet/{id}/answer"), "revision=0&back=check&save=yes&cell.0.2.3=9876543210");
    let saved = desk.page(&format!("sheet/{id}/save")).body;
    assert_eq!(saved.matches("9876543210").count(), 2, "{saved}");
}

#[test]
fn an_order_with_a_fault_is_held_beside_its_cell() {
    let rig = Rig::new();
    let desk = Desk::open(&rig, &[]);
    let id = desk.drop_sheet("a.csv", &sheet(["A-1", "A-2"].map(|number| row_with(number, "98765", "560001"))));
    desk.read_sheet(&id);
    let check = desk.page(&format!("sheet/{id}/check")).body;
    for part in ["aria-label=\"Hold: A-1\"", "aria-label=\"Leave it out: A-1\"", "Hold all 2"] {
        assert!(check.contains(part), "{part}: {check}");
    }
    let said = desk.posts(&format!("sheet/{id}/answer"), "revision=0&back=check&hold=A-1");
    assert!(said.contains("A-1 is on hold."), "{said}");
    let said = desk.posts(&format!("sheet/{id}/answer"), "revision=1&back=check&hold=A-2");
    assert!(said.contains("A-2 is on hold.") && !said.contains("To answer"), "what is held is answered: {said}");
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
fn a_row_that_names_no_order_is_given_its_number_or_taken_out() {
    let Some(browser) = Browser::start() else { return };
    let rig = Rig::new();
    let without = |name: &str| row_with("", "9812345678", "560002").replace("Asha", name);
    let rows = [row("A-1"), without("Ravi"), without("Meena"), without("Kiran"), row("A-2")];
    let _desk = at_check(&browser, &rig, &sheet(rows));
    browser.see("Rows that name no order 3 rows");
    browser.see("Meena");
    browser.look("sheet-strays");
    browser.fill("Row 3 Order Number", &format!("A-3{ENTER}"));
    browser.see("Rows that name no order 2 rows");
    browser.click("button", "Take this row out: row 4");
    browser.see("Rows that name no order 1 row");
    browser.click("button", "Undo taking out row 4");
    browser.see("Rows that name no order 2 rows");
    browser.click("button", "Take all 2 out");
    wait_until("none is left", || !browser.text().contains("name no order"));
    browser.click("button", "Book 3 orders");
    browser.click("button", "Book 3 now");
    browser.at("Results");
    let mut booked: Vec<String> = rig.bookings().into_iter().map(|(number, _)| number).collect();
    booked.sort();
    assert_eq!(booked, ["A-1", "A-2", "A-3"]);
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
    browser.see("A-3 waits for your answer.");
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
    assert!(after.contains("A-0 needs fixing."), "{after}");
    let after = desk.posts(&format!("sheet/{id}/answer"), "revision=1&back=check&save=yes&long.0.2.3=9876543210");
    assert!(after.contains("A-0 is ready."), "{after}");
}

#[test]
fn what_cannot_be_kept_is_said_and_changes_nothing() {
    let Some(browser) = Browser::start() else { return };
    let rig = Rig::new();
    // The sheet has room; the first answer has none.
    let desk = Desk::closed_by(&rig, &["env", "SHIPSHEET_FAIL_AT=draft:2"], &[]);
    browser.open(&desk.url);
    browser.write("Order sheet", rig.file("a.csv", &two_rows("98765")).to_str().unwrap());
    browser.at("Check");
    browser.fill("A-1 Receiver Phone", &format!("9876543210{ENTER}"));
    browser.at("That did not work");
    browser.see("The disk is full.");
    browser.see("Make room on it, then try again. What you did last is not kept.");
    browser.go("");
    browser.click("button", "Go on");
    browser.at("Check");
    assert_eq!(browser.value("A-1 Receiver Phone"), "98765");
    browser.go("");
    browser.write("Order sheet", rig.file("b.csv", &two_rows("98764")).to_str().unwrap());
    browser.at("That did not work");
    browser.see("The disk is full.");
    browser.go("");
    browser.at("Open sheets");
    assert!(!browser.text().contains("b.csv"), "nothing is left of it");
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
    let Some(browser) = Browser::start() else { return };
    let rig = Rig::new();
    let numbers: Vec<String> = (1..=8).map(|number| format!("A-{number}")).collect();
    rig.import_text(&sheet(numbers.iter().map(|number| row(number)))).exits(0);
    let changed = numbers.iter().map(|number| match number.as_str() {
        "A-1" => row(number).replace("14 MG Road", "99 Hill Road"),
        "A-8" => row(number),
        _ => row(number).replace("499.90", "599.90"),
    });
    let _desk = at_check(&browser, &rig, &sheet(changed));
    browser.see("7 orders are booked already, and this sheet says something else by now.");
    browser.see("A-1: Address Line 1 14 MG Road → 99 Hill Road.");
    browser.see("A-2: Price 499.90 → 599.90");
    browser.look("sheet-changed");
    browser.click("link", "All 7");
    for number in &numbers[..7] {
        assert!(browser.has("link", number), "{number}: {}", browser.text());
    }
    assert!(!browser.has("link", "A-8"));
}

/// Two orders that are booked, and a sheet in which the first one is another one by now.
fn changed_since_booked(rig: &Rig) -> String {
    let text = sheet([row("A-1"), row_of_own("A-2")]);
    rig.import_text(&text).exits(0);
    text.replacen("9876543210", "9811111111", 1).replacen("499.90", "599.90", 1)
}

#[test]
fn a_fault_that_was_answered_at_booking_is_no_change() {
    let rig = Rig::new();
    let cod = |number: &str| format!("{},50\n", row(number).trim_end().replace("PREPAID", "COD"));
    let both = format!("{HEADER},COD Charges\n{}{}", cod("A-1"), cod("A-2"));
    rig.file("monday.csv", &both);
    rig.import(&["monday.csv", "--accept", "total-differs"]).books(0, 2);
    let desk = Desk::open(&rig, &[]);
    let page = |name: &str, text: &str| {
        let id = desk.drop_sheet(name, text);
        desk.read_sheet(&id);
        desk.page(&format!("sheet/{id}/check")).body
    };
    let same = page("tuesday.csv", &format!("{both}{}", cod("A-3")));
    assert!(!same.contains("something else by now") && !same.contains("Cancel the booked order"), "{same}");
    // A real change is told beside it, and no amount that only the answer of then explains.
    let other = page("wednesday.csv", &both.replacen("499.90", "599.90", 1));
    assert!(other.contains("1 order is booked already, and this sheet says something else by now."), "{other}");
    assert!(other.contains("599.90") && !other.contains("Subtotal"), "{other}");
}

#[test]
fn an_order_that_changed_since_it_was_booked_is_cancelled_and_then_booked_anew() {
    let Some(browser) = Browser::start() else { return };
    let rig = Rig::new();
    let text = changed_since_booked(&rig);
    let _desk = at_check(&browser, &rig, &text);
    browser.see("A-1: Price 499.90 → 599.90; Receiver Phone 9876543210 → 9811111111; Subtotal 999.80 → 1199.80");
    browser.click("link", "Cancel the booked order: A-1");
    browser.at("Cancel A-1?");
    browser.see("Declared value ₹999.80, no cash to collect.");
    browser.click("link", "Keep it");
    browser.click("link", "Cancel the booked order: A-1");
    browser.click("button", "Cancel this shipment");
    browser.see("The courier service has cancelled it.");
    // Cancelled as it is, nothing books it under its number.
    rig.file("again.csv", &text);
    for command in [&["import", "again.csv", "--yes"][..], &["resume", "--yes"], &["retry", "--yes"]] {
        rig.run(command);
    }
    std::fs::create_dir_all(rig.path("in")).unwrap();
    rig.file("in/night.csv", &text);
    rig.run(&["watch", "in", "--once", "--rest", "0"]);
    assert_eq!(rig.bookings().len(), 2);
    browser.click("link", "Back to Check");
    browser.see("It is cancelled.");
    browser.look("sheet-cancelled");
    browser.click("button", "Book it anew under another number: A-1");
    browser.see("A-1-2 needs fixing.");
    browser.see("and cancelled");
    assert!(!browser.has("button", "Book 1 order"), "it waits for another yes");
    browser.click("button", "Send it as it is: A-1-2");
    browser.see("A-1-2 is ready.");
    browser.click("button", "Book 1 order");
    browser.click("button", "Book 1 now");
    browser.at("Results");
    assert_eq!(["A-1", "A-1-2", "A-2"].map(|number| rig.sandbox().book().posts(number)), [1, 1, 1]);
    assert_eq!(rig.body_of("A-1-2")["receiver"]["phoneNumber"], "9811111111");
    rig.run(&["import", "again.csv", "--yes"]);
    rig.run(&["resume", "--yes"]);
    assert_eq!(rig.bookings().len(), 3);
}

#[test]
fn nothing_is_booked_anew_before_the_service_says_that_it_is_cancelled() {
    let rig = Rig::new();
    let text = changed_since_booked(&rig);
    let desk = Desk::open(&rig, &[]);
    let id = desk.drop_sheet("orders.csv", &text);
    desk.read_sheet(&id);
    let is_offered = || desk.page(&format!("sheet/{id}/check")).body.contains("Book it anew");
    assert!(says(&desk, &id, "anew=A-1").contains("Order A-1 is not cancelled: cancel it first."));
    let path = format!("/v1/external/shipments/{}/cancel", rig.order_id("A-1"));
    let no = Script::Status(422, r#"{"message": "left the hub"}"#.to_owned());
    for answer in [no, Script::Status(503, String::new()), Script::CutAfter] {
        rig.sandbox().script_path(&path, [answer]);
        let asked = rig.run(&["cancel", "A-1", "--yes"]);
        assert!(!is_offered(), "{asked:?}");
        assert!(says(&desk, &id, "anew=A-1").contains("Order A-1 is not cancelled: cancel it first."));
    }
    rig.run(&["cancel", "A-1", "--yes"]).exits(0);
    assert!(is_offered());
    assert!(says(&desk, &id, "cell.0.3.0=A-1B").contains("Order A-2 is booked, so its number stays."));
}

#[test]
fn what_is_on_hold_is_listed_and_send_it_takes_it_back_in() {
    let rig = Rig::new();
    let desk = Desk::open(&rig, &[]);
    let with_remark = |text: &str, remark: &str| format!("{text},{remark}");
    let rows =
        [with_remark(&row("A-1"), "hold till Monday"), with_remark(&row_with("A-2", "9812345678", "560002"), "")];
    let text = format!("{}\n{}\n", with_remark(HEADER, "Remarks"), rows.join("\n"));
    let id = desk.drop_sheet("orders.csv", &text);
    desk.read_sheet(&id);
    for order in ["A-1", "A-2"] {
        assert!(says(&desk, &id, &format!("hold={order}")).contains(&format!("{order} is on hold.")));
    }
    let page = desk.page(&format!("sheet/{id}/check?show=hold")).body;
    for order in ["A-1", "A-2"] {
        assert!(page.contains(&format!("aria-label=\"Take it back in: {order}\"")), "{page}");
    }
    // On the page of an order that a rule holds as well one button is enough.
    let page = desk.page(&format!("sheet/{id}/order?number=A-1")).body;
    let name = page.split("name=\"").find(|part| part.starts_with("send.")).unwrap().split('"').next().unwrap();
    assert!(says(&desk, &id, &format!("{name}=A-1")).contains("A-1 is ready."), "{name}");
    assert!(says(&desk, &id, "release=A-2").contains("A-2 is ready."));
}

#[test]
fn a_button_sends_an_order_past_one_case_of_a_rule() {
    let rig = Rig::new();
    let desk = Desk::open(&rig, &[]);
    let text = two_at("499", "PREPAID", "Payment Status,Remarks", "Unpaid,collect COD 998");
    let id = desk.drop_sheet("orders.csv", &text);
    desk.read_sheet(&id);
    assert!(!says(&desk, &id, "send.payment-differs=A-1").contains("A-1 is ready."));
    assert!(says(&desk, &id, "send.payment-differs=A-1").contains("A-1 is ready."));
}

#[test]
fn after_a_button_the_focus_is_on_the_question_that_stands_there_now() {
    let Some(browser) = Browser::start() else { return };
    let rig = Rig::new();
    let rows = ["A-1", "A-2", "A-3"].map(|number| row_with(number, "98765", "560001"));
    let _desk = at_check(&browser, &rig, &sheet(rows));
    let mut tabs = 0;
    while browser.focus() != "Skip to the first problem" {
        browser.press(TAB);
        tabs += 1;
        assert!(tabs < 15, "{}", browser.focus());
    }
    browser.press(ENTER);
    assert_eq!(browser.focus(), "A-1 Receiver Phone");
    browser.click("button", "Hold: A-2");
    browser.see("A-2 is on hold.");
    wait_until("the next question has the focus", || browser.focus() == "A-3 Receiver Phone");
    // After the last one comes the first again.
    browser.click("button", "Hold: A-3");
    browser.see("A-3 is on hold.");
    wait_until("the first question has the focus", || browser.focus() == "A-1 Receiver Phone");
}

#[test]
fn each_problem_is_said_once_above_narrow_rows_that_name_the_customer() {
    let Some(browser) = Browser::start() else { return };
    let rig = Rig::new();
    let rows = (1..=12).map(|number| row_with(&format!("A-{number}"), "98765", "560001"));
    let _desk = at_check(&browser, &rig, &sheet(rows.chain([row("A-13")])));
    let text = browser.text();
    assert_eq!(text.matches("5 digits").count(), 1, "{text}");
    assert_eq!(text.matches("Asha, 98765").count(), 12, "{text}");
    browser.size(1_280, 900);
    let heights =
        browser.script("return [...document.querySelectorAll('.mend tbody tr')].map(row => row.offsetHeight)", &[]);
    let heights: Vec<u64> = heights.as_array().unwrap().iter().filter_map(serde_json::Value::as_u64).collect();
    assert!(heights.len() == 12 && heights.iter().all(|height| *height <= 46), "{heights:?}");
    // However long the page is, it can be booked from where one looks.
    let place =
        "const own = [...document.querySelectorAll('button')].find(own => own.textContent.startsWith('Book 1 order'));
        return own.getBoundingClientRect().bottom <= innerHeight";
    assert_eq!(browser.script(place, &[]), true);
}
