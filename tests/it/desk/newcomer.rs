//! What a newcomer brings and meets: files that are no sheets, an address in one cell, a desk that was started again.

use super::browser::Browser;
use super::sheets::{at_check, drop_sheet};
use super::{Answer, Desk, field, sent};
use crate::rig::{Rig, row, row_with, sheet, wait_until};

#[test]
fn a_file_that_is_no_sheet_gets_one_sentence_and_is_not_kept() {
    let rig = Rig::new();
    let desk = Desk::open(&rig, &[]);
    let files = [
        ("bill.pdf", "%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\nendobj\n"),
        ("photo.png", "\u{89}PNG\r\n\u{1a}\n not really"),
        ("letter.txt", "Dear Asha\nthank you for your order\nwe will send it tomorrow\nRavi\n"),
        (
            "letter.csv",
            "Thank you for your order, which came to us today, and which we like very much\nWe will send it tomorrow, \
             if the courier comes, and write to you again\nPlease call our shop, if it is late, before noon on Friday\n",
        ),
    ];
    for (name, text) in files {
        let answer = desk.drop_file("sheets", name, text);
        let place = answer.header("location").map(|to| to.strip_prefix(&desk.base).unwrap().to_owned());
        let page = place.map_or(answer.body, |place| desk.page(&place).body);
        assert!(page.contains("not a sheet"), "{name}: {page}");
        assert!(page.contains("Drop the Excel or CSV file with your orders."), "{name}: {page}");
        assert!(!desk.page("").body.contains(&format!("<b>{name}</b>")), "{name}");
    }
}

/// An order whose city, state and PIN code stand in its address line.
fn in_one_cell(number: &str, address: &str) -> String {
    row_with(number, "9876543210", "").replace("14 MG Road", address).replace("Bengaluru,Karnataka,IN,", ",,IN,")
}

#[test]
fn an_address_in_one_cell_is_one_remark_with_what_is_read_from_it() {
    let Some(browser) = Browser::start() else { return };
    let rig = Rig::new();
    let rows = [in_one_cell("A-1", "\"4 Hill Road, Nashik, Maharashtra 422001\""), row("A-2")];
    let _desk = at_check(&browser, &rig, &sheet(rows));
    browser.see("The whole address is in one cell");
    browser.see("422001");
    assert!(!browser.text().contains("blank"), "{}", browser.text());
    browser.look("one-cell");
    browser.click("button", "Use these: A-1");
    browser.see("A-1 is ready.");
    let saved = browser.download(&browser.address().split('?').next().unwrap().replace("/check", "/save"));
    assert!(saved.contains("422001") && saved.contains("Maharashtra"), "{saved}");
}

#[test]
fn a_column_that_nobody_told_is_chosen_from_a_menu() {
    let Some(browser) = Browser::start() else { return };
    let rig = Rig::new();
    let file = rig.file("own.csv", &sheet(["A-1", "A-2"].map(row)).replace("Receiver First Name", "Field 3"));
    let desk = Desk::closed(&rig, &[]);
    browser.open(&desk.url);
    drop_sheet(&browser, &file);
    browser.see("Which column has it?");
    let page = browser.text();
    assert!(!page.contains("profile") && !page.contains("header \""), "{page}");
    browser.look("columns-to-choose");
    browser.write("Receiver First Name", "Field 3");
    browser.click("button", "Check");
    browser.at("Check");
    browser.see("Ready");
}

#[test]
fn a_desk_that_is_started_again_is_found_by_the_page_that_is_open() {
    let rig = Rig::new();
    let first = Desk::open(&rig, &[]);
    let (host, icon, cookie) = (first.host.clone(), first.at("icon.svg"), first.cookie.clone());
    first.live.signal(rustix::process::Signal::KILL);
    drop(first);
    let again = Desk::open(&rig, &[]);
    assert_eq!(again.host, host, "the same port");
    // The page that was open before is told, and let in nowhere.
    let head = format!("GET {icon} HTTP/1.1\r\nHost: {host}\r\nCookie: {cookie}\r\nConnection: close\r\n\r\n");
    assert_eq!(sent(&host, head.as_bytes()).status, 403);
    // A second desk beside it has another one.
    assert_ne!(Desk::open(&rig, &[]).host, host);
}

#[test]
fn large_files_that_come_at_once_are_not_held_in_memory() {
    let rig = Rig::new();
    let desk = Desk::open(&rig, &[]);
    let peak = || -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", desk.live.id())).unwrap();
        let line = status.lines().find(|line| line.starts_with("VmHWM")).unwrap();
        line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() / 1024
    };
    // Files that are known for no sheet as soon as they are here.
    let text = format!("%PDF-1.7\n{}", "x".repeat(40 << 20));
    let before = peak();
    std::thread::scope(|scope| {
        for number in 0..5 {
            let (desk, text) = (&desk, &text);
            scope.spawn(move || -> Answer { desk.drop_file("sheets", &format!("large-{number}.pdf"), text) });
        }
    });
    let grown = peak() - before;
    assert!(grown < 60, "{grown} MB for five files of 40 MB");
}

#[test]
fn what_is_missing_on_the_page_is_said_without_words_of_a_terminal() {
    let rig = Rig::alone();
    let desk = Desk::open(&rig, &[]);
    let id = desk.drop_sheet("a.csv", &sheet([row("A-1")]));
    desk.read_sheet(&id);
    wait_until("the sheet is read", || desk.page(&format!("sheet/{id}/check")).status == 200);
    for place in ["", "settings", &format!("sheet/{id}/book"), &format!("sheet/{id}/check")] {
        let page = desk.page(place).body;
        for word in ["base-url", "base_url in", "SHIPSHEET_"] {
            assert!(!page.contains(word), "{word} on {place}: {page}");
        }
    }
    assert!(desk.page("").body.contains("href=\"settings\""));
}

#[test]
fn every_value_for_all_orders_is_entered_on_settings() {
    let rig = Rig::new();
    let desk = Desk::open(&rig, &[]);
    let page = desk.page("settings").body;
    for name in [
        "warehouseId",
        "shippingProperties.orderType",
        "productRequestsList.currencyCode",
        "parcelAttributes.weight.weight",
        "destination.countryCode",
    ] {
        assert!(page.contains(&format!("name=\"defaults.{name}\"")), "{name}: {page}");
    }
    let change = desk.page("setting?defaults.productRequestsList.currencyCode=INR").body;
    assert!(change.contains("currency") && change.contains("Write the change"), "{change}");
    let form = format!("defaults.productRequestsList.currencyCode=INR&seen={}", field(&change, "seen"));
    desk.posts("setting", &form);
    assert!(desk.page("settings").body.contains("name=\"defaults.productRequestsList.currencyCode\" value=\"INR\""));
}

/// Orders with whole addresses in one cell, a number on each row, and nothing that says the country.
fn by_chat() -> String {
    let row = |(number, city, pin): (u32, &str, &str)| {
        format!(
            "{number},C-{number},Asha Rao,987654321{number},\"{number} Hill Road, {city}, Maharashtra {pin}\",Kurta,1,499\n"
        )
    };
    let rows =
        [(1, "Nashik", "422001"), (2, "Pune", "411001"), (3, "Mumbai", "400050"), (4, "Thane", "400601")].map(row);
    format!("Sl,Order No,Customer Name,Phone,Address,Product,Qty,Price\n{}", rows.concat())
}

#[test]
fn a_column_of_whole_addresses_is_taken_apart_before_anything_is_asked() {
    let rig = Rig::new();
    let desk = Desk::open(&rig, &[]);
    let id = desk.drop_sheet("chat.csv", &by_chat());
    desk.read_sheet(&id);
    let page = desk.page(&format!("sheet/{id}/columns")).body;
    assert!(page.contains("City: Nashik · State: Maharashtra · PIN Code: 422001"), "{page}");
    for word in ["No column holds the City", "profile", "shipsheet.toml"] {
        assert!(!page.contains(word), "{word}: {page}");
    }
    // Figures that number the rows say nothing of their orders.
    let of_rows = page.split("<b>Sl</b>").nth(1).unwrap().split("</tr>").next().unwrap();
    assert!(!of_rows.contains("words") && of_rows.contains("not sent"), "{of_rows}");
}

#[test]
fn a_value_for_all_orders_that_cannot_be_meant_stays_with_what_else_was_typed() {
    let rig = Rig::new();
    let desk = Desk::open(&rig, &[]);
    let id = desk.drop_sheet("chat.csv", &by_chat());
    desk.read_sheet(&id);
    let columns = format!("sheet/{id}/columns");
    let typed = "revision=0&go=check&default.warehouseId=Main&default.parcelAttributes.weight.weight";
    let page = desk.posts(&columns, &format!("{typed}=heavy"));
    for said in ["value=\"Main\"", "value=\"heavy\"", "cannot be the Weight"] {
        assert!(page.contains(said), "{said}: {page}");
    }
    // A weight may have its unit.
    desk.posts(&columns, &format!("{typed}=500+g"));
    let page = desk.page(&columns).body;
    assert!(page.contains("value=\"Main\"") && page.contains("value=\"0.5\""), "{page}");
}

#[test]
fn a_sheet_whose_every_order_is_booked_or_left_out_is_finished() {
    let rig = Rig::new();
    let desk = Desk::open(&rig, &[]);
    let id = desk.drop_sheet("a.csv", &sheet([row("A-1"), row_with("A-2", "9812345678", "560002")]));
    super::money::says(&desk, &id, "leave=A-2");
    let home = desk.page("").body;
    assert!(home.contains("1 sheet is open.") && home.contains("Open sheets"), "{home}");
    super::money::booked(&desk, &id);
    wait_until("it is finished", || desk.page("").body.contains("1 finished sheet"));
    let home = desk.page("").body;
    assert!(home.contains("Nothing is waiting.") && !home.contains("Open sheets"), "{home}");
    // Whoever takes the order back in has something to do.
    super::money::says(&desk, &id, "release=A-2");
    assert!(desk.page("").body.contains("Open sheets"));
    super::money::says(&desk, &id, &format!("undo={}", super::kept::undoes(&desk, &id)));
    let home = desk.page("").body;
    assert!(home.contains("1 finished sheet") && !home.contains("Open sheets"), "{home}");
}
