//! Columns at the desk: what a sheet leaves open is asked in words, and answered once.

use super::Desk;
use super::browser::Browser;
use super::sheets::{LACKING, at_check, drop_sheet, shop, two_worksheets};
use crate::rig::{Rig, row, sheet};
use crate::values_asked::{orders, with_amounts};

const ENTER: &str = "\u{E007}";

/// Rows of which each has an amount that may be that of one piece or of all.
fn with_amount() -> String {
    let rows = ["A-1", "A-2"].map(|number| row(number).replace("499.90,2", "999.80,2"));
    sheet(rows).replace(",Price,", ",Amount,")
}

#[test]
fn which_worksheet_is_meant_is_asked() {
    let Some(browser) = Browser::start() else { return };
    let rig = Rig::new();
    two_worksheets(&rig);
    let desk = Desk::closed(&rig, &[]);
    browser.open(&desk.url);
    drop_sheet(&browser, &rig.path("two.xlsx"));
    browser.see("Which worksheet has the orders?");
    browser.click("button", "Pune");
    browser.click("button", "Check 2 orders");
    browser.click("link", "Ready");
    browser.see("P-2");
    assert!(!browser.text().contains("D-1"));
}

#[test]
fn a_layout_is_remembered_and_asked_about_where_several_fit() {
    let Some(browser) = Browser::start() else { return };
    let rig = Rig::new();
    let first = rig.file("monday.csv", &shop());
    let second = rig.file("tuesday.csv", &shop().replace("B-", "T-"));
    let desk = Desk::closed(&rig, &[]);
    browser.open(&desk.url);
    for (file, name) in [(&first, "counter"), (&second, "van")] {
        drop_sheet(&browser, file);
        browser.at("Columns");
        for (label, value) in LACKING {
            browser.fill(label, value);
        }
        browser.click("field", "Remember for sheets like this");
        browser.fill("Name of this layout", name);
        browser.click("button", "Check");
        browser.at("Check");
        browser.see(&format!("Sheets with these headers are read as “{name}” from now on."));
        browser.go("");
        if name == "counter" {
            // The next sheet of this kind is read without a question.
            let again = rig.file("again.csv", &shop().replace("B-", "W-"));
            drop_sheet(&browser, &again);
            browser.at("Check");
            browser.see("12 orders in 13 rows");
            std::fs::rename(rig.path(".config/shipsheet/profiles/counter.toml"), rig.path("counter.toml")).unwrap();
            browser.go("");
        }
    }
    std::fs::rename(rig.path("counter.toml"), rig.path(".config/shipsheet/profiles/counter.toml")).unwrap();
    let third = rig.file("wednesday.csv", &shop().replace("B-", "X-"));
    drop_sheet(&browser, &third);
    browser.see("Several layouts fit. Which one is it?");
    browser.click("button", "van");
    browser.click("button", "Check");
    browser.at("Check");
    browser.see("12 orders in 13 rows");
    // What is remembered is seen in Settings, and forgotten there.
    browser.click("link", "Settings");
    browser.see("Every order gets: ");
    browser.click("button", "Forget van");
    browser.see("Sheets are no longer read as “van”.");
    assert!(rig.path(".config/shipsheet/profiles/van.toml.before-1").exists());
    browser.go("");
    drop_sheet(&browser, &rig.file("thursday.csv", &shop().replace("B-", "Y-")));
    browser.at("Check");
    browser.see("12 orders in 13 rows");
}

#[test]
fn what_every_order_still_needs_is_named() {
    let Some(browser) = Browser::start() else { return };
    let rig = Rig::new();
    let file = rig.file("packing.csv", &shop());
    let desk = Desk::closed(&rig, &[]);
    browser.open(&desk.url);
    drop_sheet(&browser, &file);
    browser.at("Columns");
    browser.fill("Warehouse", "WH-1");
    browser.click("button", "Check");
    browser.see("Still needed for every order: Length, Width and Height.");
    assert_eq!(browser.value("Warehouse"), "WH-1");
}

#[test]
fn an_amount_is_the_price_of_one_piece_or_of_all_as_the_clerk_says() {
    let Some(browser) = Browser::start() else { return };
    let rig = Rig::new();
    let file = rig.file("amounts.csv", &with_amount());
    let desk = Desk::closed(&rig, &[]);
    browser.open(&desk.url);
    drop_sheet(&browser, &file);
    browser.see("“Amount” is the price of");
    browser.click("field", "all pieces in the row together");
    browser.click("button", "Check");
    browser.click("button", "Book 2 orders");
    browser.see("₹1,999.60");
    browser.click("link", "Columns");
    browser.write("Amount is", "Price");
    browser.press(ENTER);
    browser.click("button", "Check");
    browser.click("button", "Book 2 orders");
    browser.see("₹3,999.20");
}

#[test]
fn the_menu_of_a_column_has_every_field_and_the_page_stays_small() {
    let Some(browser) = Browser::start() else { return };
    let rig = Rig::new();
    let mut text = String::new();
    for (place, line) in sheet(["A-1", "A-2"].map(row)).lines().enumerate() {
        let more: Vec<String> = (0..400)
            .map(|own| if place == 0 { format!("Own {own} {}", "x".repeat(200)) } else { own.to_string() })
            .collect();
        text = text + line + "," + &more.join(",") + "\n";
    }
    let _desk = at_check(&browser, &rig, &text);
    browser.click("link", "Columns");
    browser.at("Columns");
    browser.see("more columns of this sheet stay as they are.");
    let page = browser.download(&browser.address());
    assert!(page.len() < 80_000, "{} bytes", page.len());
    browser.write("Order Number is", "Tags");
    browser.click("button", "Check 2 orders");
    browser.see("you said so");
}

#[test]
fn nothing_but_what_was_offered_names_a_profile_and_a_bad_answer_is_taken_back() {
    let rig = Rig::new();
    let secret = rig.file("secret.toml", "token=very-secret line\n");
    let desk = Desk::open(&rig, &[]);
    let id = desk.drop_sheet("a.csv", &sheet(["A-1"].map(row)));
    desk.read_sheet(&id);
    let named = secret.display().to_string().replace('/', "%2F");
    let said = desk.posts(&format!("sheet/{id}/columns"), &format!("revision=0&profile={named}"));
    assert!(said.contains("not a form of this desk") && !said.contains("very-secret"), "{said}");
    let json = format!("%7B%22do%22%3A%22profile%22%2C%22name%22%3A%22{named}%22%7D");
    let said = desk.posts(&format!("sheet/{id}/answer"), &format!("revision=0&back=check&answer={json}"));
    assert!(said.contains("not a form of this desk") && !said.contains("very-secret"), "{said}");
    let said = desk.posts(&format!("sheet/{id}/columns"), "revision=0&go=header&header_row=9999");
    assert!(said.contains("That did not work"), "{said}");
    assert_eq!(desk.page(&format!("sheet/{id}/check")).status, 200, "the sheet is as it was");
}

#[test]
fn words_that_are_not_known_are_asked_once_and_remembered() {
    let Some(browser) = Browser::start() else { return };
    let rig = Rig::new();
    let file = rig.file("laden.csv", &orders("A-"));
    let desk = Desk::closed(&rig, &[]);
    browser.open(&desk.url);
    drop_sheet(&browser, &file);
    browser.at("Columns");
    browser.see("What do these words in “Zahlungsart” mean?");
    for (word, meaning) in [
        ("Rechnung", "paid already"),
        ("Nachnahme", "collect cash"),
        ("Freigegeben", "send the order"),
        ("Storniert", "cancelled"),
    ] {
        browser.write(&format!("{word} means"), meaning);
    }
    browser.click("field", "Remember for sheets like this");
    browser.click("button", "Check");
    browser.at("Check");
    // What was left open is asked where its orders are held.
    browser.click("button", "“auf Ziel”: not paid yet: hold");
    browser.see("Checked again:");
    browser.click("link", "Columns");
    assert!(!browser.text().contains("Nachnahme means"), "{}", browser.text());
    browser.see("What do these words in “Auftragsstatus” mean?");
    browser.go("");
    drop_sheet(&browser, &rig.file("morgen.csv", &orders("B-")));
    browser.at("Columns");
    assert!(!browser.has("field", "Rechnung means"), "{}", browser.text());
}

#[test]
fn amounts_that_no_header_explains_are_asked_once_and_remembered() {
    let Some(browser) = Browser::start() else { return };
    let rig = Rig::new();
    let file = rig.file("laden.csv", &with_amounts("A"));
    let desk = Desk::closed(&rig, &[]);
    browser.open(&desk.url);
    drop_sheet(&browser, &file);
    browser.at("Columns");
    browser.see("What are these amounts for?");
    browser.picture("columns-amounts", 1_200);
    browser.write("Nachnahme means", "collect cash");
    browser.write("Vorkasse means", "paid already");
    browser.write("Versandkosten is", "what the customer pays for shipping");
    browser.write("Zuschlag is", "other charges");
    browser.write("Abzug is", "a discount on the whole order");
    browser.write("Gesamtsumme is", "what the whole order comes to");
    browser.click("field", "Remember for sheets like this");
    browser.click("button", "Check");
    browser.at("Check");
    browser.see("Book 3 orders");
    browser.go("");
    drop_sheet(&browser, &rig.file("morgen.csv", &with_amounts("B")));
    browser.at("Check");
}

#[test]
fn a_sheet_that_was_waited_for_begins_where_any_other_does() {
    let rig = Rig::new();
    let desk = Desk::open(&rig, &[]);
    let id = desk.drop_sheet("monday.csv", &shop());
    desk.read_sheet(&id);
    let waited = desk.page(&format!("sheet/{id}/wait?to=begin")).body;
    assert!(waited.contains(&format!("sheet/{id}/begin\"")), "{waited}");
}

#[test]
fn that_headers_say_what_columns_are_stands_there_once() {
    let Some(browser) = Browser::start() else { return };
    let rig = Rig::new();
    let _desk = at_check(&browser, &rig, &sheet([row("A-1")]));
    browser.click("link", "Columns");
    browser.at("Columns");
    browser.see("Their headers say what they are.");
    let text = browser.text();
    assert!(!text.contains("its header says so") && !text.contains("Because"), "{text}");
}

#[test]
fn a_sheet_without_headers_says_so_before_its_columns_are_asked() {
    let Some(browser) = Browser::start() else { return };
    let rig = Rig::new();
    let whole = sheet(["A-1", "A-2", "A-3"].map(row));
    let (_, rows) = whole.split_once('\n').unwrap();
    let desk = Desk::closed(&rig, &[]);
    browser.open(&desk.url);
    drop_sheet(&browser, &rig.file("bare.csv", rows));
    browser.at("Columns");
    browser.see("This sheet has no headers.");
    browser.see("Row 1 is read as the first order");
    browser.see("Column A: A-1");
    let text = browser.text();
    assert!(text.find("has no headers") < text.find("Which column has it?"), "{text}");
    // If a person says that the first row has the headers after all, the way back is a button as well.
    browser.click("button", "Row 1 has the headers");
    browser.see("Row 1 is read as the headers, but it looks like an order.");
    browser.click("button", "Row 1 is an order");
    browser.see("This sheet has no headers.");
    browser.see("Column A: A-1");
    // Of a sheet with headers nothing of this is said.
    browser.go("");
    drop_sheet(&browser, &rig.file("shop.csv", &shop()));
    browser.at("Columns");
    assert!(!browser.text().contains("headers, but") && !browser.text().contains("has no headers"));
}

#[test]
fn weights_of_pieces_or_rows_are_told_once_and_added_up() {
    let Some(browser) = Browser::start() else { return };
    let rig = Rig::new();
    let second = row("A-1").replace("Kurta,K-1", "Saree,S-1").replace(",0.5,", ",0.3,");
    let file = rig.file("weights.csv", &sheet([row("A-1"), second, row("A-2")]));
    let desk = Desk::closed(&rig, &[]);
    browser.open(&desk.url);
    drop_sheet(&browser, &file);
    browser.at("Columns");
    browser.see("“Weight” (0.5 · 0.3) is the weight of");
    browser.click("field", "one piece");
    browser.click("button", "Check");
    browser.at("Check");
    browser.click("link", "Columns");
    browser.at("Columns");
    assert_eq!(browser.value("Weight is"), "weight-of-piece");
    assert!(!browser.text().contains("is the weight of"));
    browser.click("button", "Check");
    browser.click("button", "Book 2 orders");
    browser.click("button", "Book 2 now");
    browser.at("Results");
    assert_eq!(rig.body_of("A-1")["parcelAttributes"]["weight"]["weight"], 1.6);
}

#[test]
fn weights_without_a_unit_are_in_the_one_that_the_clerk_chooses() {
    let Some(browser) = Browser::start() else { return };
    let rig = Rig::new();
    let grams = |number: &str| row(number).replace(",0.5,", ",500,");
    let text = sheet(["A-1", "A-2"].map(grams)).replacen("Warehouse", "Shelf", 1);
    let file = rig.file("grams.csv", &text);
    let desk = Desk::closed(&rig, &[]);
    browser.open(&desk.url);
    drop_sheet(&browser, &file);
    browser.at("Columns");
    // It is asked beside what is missing, and not once that is there.
    browser.see("“Weight” (500) is in");
    browser.fill("Warehouse", "WH-1");
    browser.picture("columns-unit", 1_200);
    browser.click("button", "Check");
    browser.at("Check");
    // As long as it is not said, no button sends them as kilograms.
    assert!(!browser.has("button", "Send all 2"), "{}", browser.text());
    browser.click("button", "All weights are in g");
    browser.see("Checked again: 2 ready.");
    browser.click("button", "Undo weights in g");
    browser.click("link", "Columns");
    browser.click("field", "g");
    browser.click("button", "Check");
    browser.click("button", "Book 2 orders");
    browser.click("button", "Book 2 now");
    browser.at("Results");
    let sent = rig.body_of("A-1")["parcelAttributes"]["weight"].clone();
    assert_eq!((sent["weight"].as_f64(), sent["unit"].as_str()), (Some(500.0), Some("g")));
}
