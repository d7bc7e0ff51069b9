//! An AWB that a person types, and a token that is refused: each is told where it is mended.

use shipsheet::sandbox::Answer as Script;

use super::browser::Browser;
use super::ends::ended;
use super::money::state;
use super::{Desk, field};
use crate::rig::{Rig, row, row_of_own, sheet};

/// The description of the field with the focus.
const DESCRIBED: &str =
    "return document.getElementById(document.activeElement.getAttribute('aria-describedby'))?.textContent ?? ''";

#[test]
fn a_wrong_awb_is_told_at_its_field_where_it_stays() {
    let Some(browser) = Browser::start() else { return };
    let rig = Rig::new();
    rig.sandbox().script_order("A-1", [Script::CutAfter]);
    rig.import_text(&sheet(["A-1", "A-2"].map(row_of_own))).exits(6);
    let portal = |number: &str| rig.bookings().into_iter().find(|(own, _)| own == number).unwrap().1;
    let desk = Desk::closed(&rig, &[]);
    browser.open(&desk.url);
    browser.go("doubts");
    let other = portal("A-2");
    browser.fill("AWB of A-1", &other);
    browser.write("How you know that A-1 is there", "seen");
    browser.click("button", "Record the AWB of A-1");
    let wrong = format!("AWB {other} belongs to order A-2 already: look again in the courier's portal.");
    browser.see(&wrong);
    assert_eq!(browser.script(DESCRIBED, &[]), wrong.as_str());
    assert_eq!([browser.value("AWB of A-1"), browser.value("How you know that A-1 is there")], [&*other, "seen"]);
    browser.look("doubt-wrong");
    assert_eq!(state(&rig, "A-1"), "in_doubt");
    // One that is unlike the others is asked about, and whoever goes back finds it in the field.
    browser.fill("AWB of A-1", "77889900");
    browser.click("button", "Record the AWB of A-1");
    browser.click("button", "No, go back");
    browser.see("77889900 does not look like this courier's AWBs");
    assert_eq!(browser.value("AWB of A-1"), "77889900");
    browser.click("button", "Record the AWB of A-1");
    browser.click("button", "Yes, record 77889900");
    browser.see("A-1 is settled.");
    // The same where it is corrected.
    browser.go("order?number=A-1");
    browser.click("summary", "The AWB is wrong");
    browser.fill("AWB", "no awb");
    browser.write("How you know", "typed wrongly");
    browser.click("button", "Record the AWB");
    browser.see("\"no awb\" is no AWB: copy it from the courier's portal.");
    assert_eq!([browser.value("AWB"), browser.value("How you know")], ["no awb", "typed wrongly"]);
    browser.fill("AWB", &portal("A-1"));
    browser.click("button", "Record the AWB");
    browser.see("A-1 is settled.");
    browser.see(&portal("A-1"));
}

#[test]
fn the_awb_that_an_unclear_answer_named_is_filled_in() {
    let rig = Rig::new();
    let said = r#"{"orderNumber": "A-1", "awb": "778899001122", "shipmentPurchaseError": "timeout"}"#;
    rig.sandbox().script_order("A-1", [Script::Status(200, said.to_owned())]);
    rig.import_text(&sheet([row("A-1")])).exits(6);
    let desk = Desk::open(&rig, &[]);
    let page = desk.page("doubts").body;
    assert!(page.contains("AWB <b>778899001122</b>, which the answer named"), "{page}");
    assert_eq!(field(&page, "awb").replace('%', "").len(), 24, "it is in the field: {page}");
    let form = format!("upon={}&verdict=there&because=seen&awb={}", field(&page, "upon"), field(&page, "awb"));
    assert!(desk.posts("doubts", &form).contains("A-1 is settled."));
    assert_eq!(state(&rig, "A-1"), "booked");
}

#[test]
fn a_refused_token_leads_to_settings_wherever_it_stopped_something() {
    let rig = Rig::new();
    let no = || Script::Status(401, r#"{"message": "Unauthorized"}"#.to_owned());
    rig.import_text(&sheet([row_of_own("A-1")])).exits(0);
    for number in ["B-1", "B-2"] {
        rig.sandbox().script_order(number, [no(), no(), no()]);
    }
    rig.file("b.csv", &sheet(["B-1", "B-2"].map(row_of_own)));
    rig.run(&["import", "b.csv", "--yes"]).exits(5);
    let desk = Desk::open(&rig, &[]);
    let leads = |page: &str, place: &str| {
        assert!(
            page.contains("Token refused. The courier service does not take your login any more."),
            "{place}: {page}"
        );
        assert!(page.contains("class=\"button\" href=\"settings\">Settings</a>"), "{place}: {page}");
    };
    for place in ["", "results?run=2"] {
        leads(&desk.page(place).body, place);
    }
    assert!(!desk.page("results?run=1").body.contains("Token refused"));
    rig.sandbox().script_path("/v1/external/shipments/track", [no(), no(), no()]);
    leads(&ended(&desk, "track", "run=1"), "track");
}
