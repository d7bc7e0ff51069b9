//! Causes for which the courier said no: each once, in the words of the sheet's own columns, corrected once for all with a value.

use shipsheet::sandbox::Answer as Script;

use super::browser::Browser;
use super::money::{booked, says};
use super::sheets::at_check;
use super::{Desk, field};
use crate::rig::{Rig, row, row_of_own, sheet};

/// Two good orders, three with one bad PIN code and one with another, and two that the courier refuses for their phones, under
/// headers of our own.
fn failing(rig: &Rig) -> String {
    for number in ["M-1", "M-2"] {
        let said = r#"{"message": ["receiver.phoneNumber must be a mobile number"]}"#;
        rig.sandbox().script_order(number, [Script::Status(422, said.to_owned())]);
    }
    let with_pin = |number: &str, pin: &str| row_of_own(number).replace("560001", pin);
    let bad = ["R-1", "R-2", "R-3"].map(|number| with_pin(number, "999001"));
    let rows = ["A-1", "A-2", "M-1", "M-2"].map(row_of_own).into_iter().chain(bad).chain([with_pin("R-4", "999002")]);
    sheet(rows).replace("PIN Code", "Pincode").replace("Receiver Phone", "Mobile")
}

#[test]
fn each_cause_is_said_once_and_mended_once_for_all_orders_with_its_value() {
    let Some(browser) = Browser::start() else { return };
    let rig = Rig::new();
    let _desk = at_check(&browser, &rig, &failing(&rig));
    browser.click("button", "Book 8 orders");
    browser.click("button", "Book 8 now");
    browser.at("Results");
    browser.see("2 orders: “Mobile” must be a mobile number");
    assert_eq!(browser.text().matches("4 orders: for instance, PIN code 99900").count(), 1, "{}", browser.text());
    browser.click("button", "Correct 4");
    browser.at("Check");
    let text = browser.text();
    assert_eq!(text.matches("is not serviceable").count(), 1, "{text}");
    assert_eq!(text.matches("must be a mobile number").count(), 1, "{text}");
    assert!(!text.contains("receiver.") && text.contains("3 orders: R-1, R-2, R-3"), "{text}");
    browser.look("sheet-refused");
    browser.fill("Pincode 999001 of 3 orders", "560001");
    browser.click("button", "Save: Pincode 999001 of 3 orders");
    browser.see("R-1 is ready. R-2 is ready. R-3 is ready.");
    browser.fill("R-4 Pincode", "560002\u{E007}");
    browser.see("R-4 is ready.");
    // One that is not mended goes as it is, or stays.
    browser.click("button", "Leave it out: M-2");
    browser.see("M-2 is left out.");
    browser.fill("M-1 Mobile", "9812345678\u{E007}");
    browser.see("M-1 is ready.");
    browser.click("button", "Book 5 orders");
    browser.see("5 corrected since they failed");
    browser.click("button", "Book 5 now");
    browser.at("Results");
    let posts = ["A-1", "M-1", "M-2", "R-1", "R-3", "R-4"].map(|number| rig.sandbox().book().posts(number));
    assert_eq!(posts, [1, 2, 1, 2, 2, 2]);
    assert_eq!(rig.body_of("R-3")["destination"]["pinCode"], "560001");
}

#[test]
fn a_cause_is_retried_held_or_left_out_as_a_whole() {
    let rig = Rig::new();
    let desk = Desk::open(&rig, &[]);
    let id = desk.drop_sheet("orders.csv", &failing(&rig));
    booked(&desk, &id);
    let check = || desk.page(&format!("sheet/{id}/check")).body;
    let again = || {
        let own = check().split("href=\"again?").nth(1).unwrap().split('"').next().unwrap().replace("&amp;", "&");
        desk.page(&format!("again?{own}")).body
    };
    let said = "“Mobile” must be a mobile number";
    assert!(again().contains("Book 2 orders") && again().contains(said), "{}", again());
    assert!(check().contains("Retry all 2 as they are") && check().contains("Retry all 4 as they are"), "{}", check());
    // Also after another run of the sheet.
    assert!(says(&desk, &id, "alike.0.9.8=560002").contains("R-4 is ready."));
    booked(&desk, &id);
    assert_eq!(rig.sandbox().book().posts("R-4"), 2);
    assert!(again().contains("Book 2 orders") && again().contains(said), "{}", again());
    let group = |verb: &str, all: u64| {
        let (check, start) = (check(), format!("name=\"{verb}\" value=\""));
        let buttons = check.split(&start).skip(1);
        let own = buttons.filter(|own| own.contains(&format!(" {all}"))).map(|own| own.split('"').next().unwrap());
        own.last().unwrap().to_owned()
    };
    says(&desk, &id, &format!("all-hold={}", group("all-hold", 3)));
    let held = desk.page(&format!("sheet/{id}/check?show=hold")).body;
    assert!(["R-1", "R-2", "R-3"].iter().all(|number| held.contains(number)), "{held}");
    // A form without a script sends what was not typed as well, and that changes nothing.
    let check = check();
    let at = check.split("name=\"alike.").nth(1).unwrap().split('"').next().unwrap();
    let own = check.split("name=\"alike.").nth(1).unwrap();
    let value = own.split_once("value=\"").unwrap().1.split('"').next().unwrap();
    let revision = field(&check, "revision");
    let after = desk
        .posts(&format!("sheet/{id}/answer"), &format!("revision={revision}&back=check&save=yes&alike.{at}={value}"));
    assert_eq!(field(&after, "revision"), revision, "{after}");
}

#[test]
fn a_sheet_without_a_draft_has_the_plain_names_of_fields() {
    let rig = Rig::new();
    let said = r#"{"message": ["receiver.pincode is not served"]}"#;
    rig.sandbox().script_order("A-1", [Script::Status(422, said.to_owned())]);
    rig.import_text(&sheet([row("A-1")])).exits(4);
    let desk = Desk::open(&rig, &[]);
    for place in ["", "results?run=1"] {
        let page = desk.page(place).body;
        assert!(page.contains("“PIN Code” is not served") && !page.contains("receiver.pincode is"), "{place}: {page}");
    }
}
