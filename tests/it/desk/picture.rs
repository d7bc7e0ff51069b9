//! The picture of the desk in the README. `SHIPSHEET_BLESS=1 cargo test picture` takes it anew.

use super::Desk;
use super::browser::Browser;
use super::sheets::drop_sheet;
use crate::documents::{project, with_examples};

const WIDTH: u32 = 1_200;

#[test]
fn the_picture_of_the_desk_has_the_quickstart_ready_to_book() {
    let Some(browser) = Browser::start() else { return };
    let rig = with_examples();
    let desk = Desk::closed(&rig, &["--sandbox"]);
    browser.open(&desk.url);
    drop_sheet(&browser, &rig.path("examples/quickstart/orders.xlsx"));
    browser.at("Check");
    browser.see("Book 5 orders");
    browser.dress("light", WIDTH);
    // Lower than the page, so that the picture ends with it.
    browser.size(WIDTH, 300);
    browser.picture("readme", WIDTH);
    if std::env::var_os("SHIPSHEET_BLESS").is_some() {
        std::fs::write(project().join("docs/desk.png"), browser.screenshot()).unwrap();
    }
}
