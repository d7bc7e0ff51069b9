//! Settings at the desk: entered once, the change shown before it is written, secrets never shown again.

use std::os::unix::fs::PermissionsExt;

use super::browser::Browser;
use super::{Desk, field};
use crate::rig::{Rig, row, sheet};

const ENTER: &str = "\u{E007}";
/// What opens the lines of the file under a change that is said in people's words.
const WRITTEN: &str = "What is written into the file";

#[test]
fn address_account_and_values_are_entered_and_tried() {
    let Some(browser) = Browser::start() else { return };
    let service = Rig::new();
    let address = service.sandbox().base_url();
    let rig = Rig::alone();
    let desk = Desk::closed(&rig, &[]);
    browser.open(&desk.url);
    browser.see("Nothing can be booked yet.");
    browser.click("button", "Enter them");
    browser.write("Address of the service", "nonsense");
    browser.press(ENTER);
    browser.see("\"nonsense\"");
    assert_eq!(browser.value("Address of the service"), "nonsense", "it is typed anew where it stands");
    browser.fill("Address of the service", &format!("{address}{ENTER}"));
    browser.at("Change the settings?");
    browser.see(&format!("Address of the courier service\n{address}"));
    browser.click("summary", WRITTEN);
    browser.see(&format!("+ base_url = \"{address}\""));
    assert!(!rig.path(".config/shipsheet/shipsheet.toml").exists(), "it is only shown");
    browser.click("button", "Write the change");
    browser.see("The change is written.");
    assert_eq!(browser.value("Address of the service"), address);
    browser.see("None is known yet.");
    browser.click("summary", "I have a token instead");
    browser.write("Token", "a-very-secret-token");
    browser.press(ENTER);
    browser.see("It is kept.");
    browser.see("In use: the token of token_file.");
    let written = std::fs::read_to_string(rig.path(".config/shipsheet/shipsheet.toml")).unwrap();
    assert!(written.contains("token_file = ") && !written.contains("secret"), "{written}");
    let mode = rig.path(".config/shipsheet/token").metadata().unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    browser.write("E-mail", "asha@shop.example");
    browser.write("Password", "another-secret");
    browser.click("button", "Keep the account");
    browser.see("In use: account asha@shop.example.");
    let written = std::fs::read_to_string(rig.path(".config/shipsheet/shipsheet.toml")).unwrap();
    assert!(!written.contains("token_file"), "of two ways in only the one that was entered last is left: {written}");
    browser.fill("Warehouse", "WH-1");
    browser.fill("Weight", "0.5");
    browser.click("button", "Save these values");
    browser.see("Warehouse\nWH-1");
    browser.see("Weight\n0.5");
    browser.click("summary", WRITTEN);
    browser.see("+ warehouseId = \"WH-1\"");
    browser.click("button", "Write the change");
    assert_eq!(browser.value("Warehouse"), "WH-1");
    browser.fill("Weight", "\u{E017}");
    browser.click("button", "Save these values");
    browser.see("Weight\nnothing");
    browser.click("summary", WRITTEN);
    browser.see("− \"parcelAttributes.weight.weight\" = \"0.5\"");
    browser.click("button", "Write the change");
    browser.write("Name in your sheets", "Pune shop");
    browser.write("Id at the courier service", "WH-7");
    browser.click("button", "Name a warehouse");
    browser.see("Warehouse Pune shop\nWH-7");
    browser.click("summary", WRITTEN);
    browser.see("+ \"Pune shop\" = \"WH-7\"");
    browser.click("button", "Write the change");
    browser.see("Pune shop");
    browser.click("button", "Try the login");
    assert!(!browser.text().contains("secret"), "{}", browser.text());
    let all = browser.download("settings");
    assert!(!all.contains("another-secret") && !all.contains("a-very-secret-token"), "{all}");
}

#[test]
fn what_cannot_be_meant_stays_on_settings_with_what_else_was_typed() {
    let rig = Rig::new();
    let desk = Desk::open(&rig, &[]);
    let place = "setting?defaults.warehouseId=Main&defaults.parcelAttributes.weight.weight=heavy";
    let to = desk.page(place).header("location").unwrap().strip_prefix(&desk.base).unwrap().to_owned();
    let page = desk.page(&to).body;
    for said in ["value=\"Main\"", "value=\"heavy\"", "cannot be the Weight"] {
        assert!(page.contains(said), "{said}: {page}");
    }
    let to = desk.page("setting?serviceability.pickup_pin=4520").header("location").unwrap().to_owned();
    let page = desk.page(to.strip_prefix(&desk.base).unwrap()).body;
    assert!(page.contains("value=\"4520\"") && page.contains("A PIN code has six digits."), "{page}");
    assert!(!rig.path("shipsheet.toml").exists());
}

#[test]
fn an_old_page_books_nothing_with_another_account() {
    let rig = Rig::new();
    let desk = Desk::open(&rig, &[]);
    let id = desk.drop_sheet("a.csv", &sheet(["A-1"].map(row)));
    desk.read_sheet(&id);
    let book = desk.page(&format!("sheet/{id}/book")).body;
    let field =
        |name: &str| book.split_once(&format!("name=\"{name}\" value=\"")).unwrap().1.split('"').next().unwrap();
    let form = |at: &str| {
        let (stamp, sums) = (field("stamp"), field("sums").replace(' ', "+"));
        format!("revision=0&stamp={stamp}&sums={sums}&at={at}")
    };
    let at = field("at").replace(':', "%3A").replace('/', "%2F").replace(' ', "+").replace('@', "%40");
    let refused = desk.posts(&format!("sheet/{id}/book"), &form(&at.replace("127", "128")));
    assert!(refused.contains("The courier service or the account is another one by now."), "{refused}");
    assert_eq!(rig.bookings(), []);
    desk.posts(&format!("sheet/{id}/book"), &form(&at));
    crate::rig::wait_until("it is booked", || rig.bookings().len() == 1);
}

#[test]
fn nothing_is_configured_under_a_run_and_its_sheet_stays() {
    let rig = Rig::new();
    rig.sandbox().hold_after(1);
    rig.file("shipsheet.toml", "[booking]\nconcurrency = 1\n");
    let desk = Desk::open(&rig, &[]);
    let id = desk.drop_sheet("a.csv", &sheet((1..=12).map(|number| row(&format!("A-{number}")))));
    desk.read_sheet(&id);
    let book = desk.page(&format!("sheet/{id}/book")).body;
    desk.posts(&format!("sheet/{id}/book"), &super::plain::agreed(&book));
    crate::rig::wait_until("it is under way", || !rig.bookings().is_empty());
    for (place, form) in [
        ("rule", "id=pin-differs&level=off"),
        ("account", "token=another"),
        ("forget-layout", "name=own"),
        (&*format!("sheet/{id}/discard"), ""),
    ] {
        let said = desk.posts(place, form);
        assert!(said.contains("The desk is busy"), "{place}: {said}");
    }
    rig.sandbox().go_on();
    crate::rig::wait_until("it has ended", || rig.bookings().len() == 12);
}

#[test]
fn a_command_that_gives_the_password_is_asked_about_as_well() {
    let rig = Rig::alone().patient_for("0");
    let account = "[auth]\nemail = \"a@b.example\"\npassword_command = \"touch ran; echo x\"\n";
    rig.file("shipsheet.toml", &format!("base_url = \"http://127.0.0.1:9\"\n{account}"));
    let desk = Desk::open(&rig, &[]);
    assert!(desk.posts("login", "").contains("there you can allow this address once"));
    desk.posts("host", "host=http://127.0.0.1:9");
    let page = desk.page("settings").body;
    assert!(page.contains("Each login runs a command of ") && page.contains("touch ran; echo x"), "{page}");
    let refused = desk.posts("login", "");
    assert!(refused.contains("there you can allow this command once") && !rig.path("ran").exists(), "{refused}");
    desk.posts("command", &format!("mark={}", field(&page, "mark")));
    desk.posts("login", "");
    assert!(rig.path("ran").exists());
}

#[test]
fn the_command_of_an_account_is_asked_about_though_a_token_comes_before_it() {
    let rig = Rig::alone();
    let account = "[auth]\nemail = \"a@b.example\"\npassword_command = \"touch ran; echo x\"\n";
    rig.file("token", "a-token");
    rig.file("shipsheet.toml", &format!("base_url = \"http://127.0.0.1:9\"\ntoken_file = \"token\"\n{account}"));
    let desk = Desk::open(&rig, &[]);
    desk.posts("host", "host=http://127.0.0.1:9");
    let refused = desk.posts("login", "");
    assert!(refused.contains("there you can allow this command once") && !rig.path("ran").exists(), "{refused}");
    assert!(desk.page("settings").body.contains("touch ran; echo x"));
}

#[test]
fn rules_are_found_by_a_word_by_what_was_changed_and_by_what_was_said() {
    let rig = Rig::new();
    rig.file("shipsheet.toml", "[rules]\npin-differs = \"warn\"\n");
    let desk = Desk::open(&rig, &[]);
    let all = desk.page("rules").body;
    assert!(all.contains("What stands in one cell") && all.contains("Orders as a whole"), "{all}");
    for (place, there, not_there) in
        [("rules?q=Phone", ">phone-form<", ">pin-differs<"), ("rules?show=changed", ">pin-differs<", ">phone-form<")]
    {
        let page = desk.page(place).body;
        assert!(page.contains(there) && !page.contains(not_there), "{place}: {page}");
    }
    assert!(desk.page("rules?show=said").body.contains("No rule here."));
}

#[test]
fn a_command_that_gives_the_token_is_named_with_its_file() {
    let rig = Rig::alone();
    rig.file("shipsheet.toml", "base_url = \"http://127.0.0.1:9\"\ntoken_command = \"touch ran; echo token\"\n");
    let desk = Desk::open(&rig, &[]);
    assert!(desk.posts("login", "").contains("there you can allow this address once"));
    desk.posts("host", "host=http://127.0.0.1:9");
    let page = desk.page("settings").body;
    assert!(page.contains("Each login runs a command of ") && page.contains("touch ran; echo token"), "{page}");
    assert!(!rig.path("ran").exists(), "nothing runs by looking");
    let refused = desk.posts("login", "");
    assert!(refused.contains("there you can allow this command once") && !rig.path("ran").exists(), "{refused}");
    let changed = desk.posts("command", "mark=another");
    assert!(changed.contains("The command has changed") && !rig.path("ran").exists(), "{changed}");
    let mark = field(&page, "mark");
    assert!(!desk.posts("command", &format!("mark={mark}")).contains("Let it run"));
    desk.posts("login", "");
    assert!(rig.path("ran").exists());
    // It is remembered, until it is another one.
    assert!(!Desk::open(&rig, &[]).page("settings").body.contains("Let it run"));
    rig.file("shipsheet.toml", "base_url = \"http://127.0.0.1:9\"\ntoken_command = \"echo other\"\n");
    assert!(Desk::open(&rig, &[]).page("settings").body.contains("Let it run"));
}

#[test]
fn the_warehouse_is_chosen_where_the_account_lists_them() {
    let Some(browser) = Browser::start() else { return };
    let rig = Rig::new();
    rig.file("shipsheet.toml", "[operations.list_warehouses]\npath = \"/sandbox/warehouses\"\n");
    let desk = Desk::closed(&rig, &[]);
    browser.open(&desk.url);
    browser.go("settings");
    browser.see("Still to say before the first order:\n\nthe warehouse that parcels leave from");
    browser.see("The courier service knows these warehouses of your account:\n\nBengaluru\nWH-1");
    browser.write("Warehouse", "Bengaluru");
    assert_eq!(browser.value("Warehouse"), "WH-1");
    browser.click("button", "Save these values");
    browser.see("Warehouse\nWH-1");
    browser.click("button", "Write the change");
    assert_eq!(browser.value("Warehouse"), "WH-1");
    assert!(!browser.text().contains("the warehouse that parcels leave from"), "it is said: {}", browser.text());
    assert!(!browser.text().contains("one order alone"), "{}", browser.text());
}

#[test]
fn a_warehouse_that_nobody_can_look_up_is_to_be_tried_with_one_order() {
    let rig = Rig::new();
    let desk = Desk::open(&rig, &[]);
    let page = desk.page("settings").body;
    assert!(page.contains("<input name=\"defaults.warehouseId\"") && page.contains("one order alone first"), "{page}");
    let practice = Desk::open(&rig, &["--sandbox"]).page("settings").body;
    assert!(!practice.contains("one order alone") && !practice.contains("Still to say"), "{practice}");
    // A service that lists none at the path that was named is as one that lists none.
    rig.file("shipsheet.toml", "[operations.list_warehouses]\npath = \"/nowhere\"\n");
    let page = Desk::open(&rig, &[]).page("settings").body;
    assert!(page.contains("<input name=\"defaults.warehouseId\"") && page.contains("one order alone first"), "{page}");
}

#[test]
fn an_account_is_tried_as_soon_as_it_is_kept_and_what_came_of_it_stands_beside_it() {
    let service = Rig::new();
    let address = service.sandbox().base_url();
    let rig = Rig::alone().patient_for("0");
    let desk = Desk::open(&rig, &[]);
    let page = desk.page("settings").body;
    assert!(!page.contains("does not list its warehouses") && !page.contains("Try the login"), "{page}");
    let keep = |password: &str| {
        let page = desk.page("settings").body;
        let seen = field(page.split_once("id=\"account\"").unwrap().1, "seen");
        let account = format!("email=sandbox%40example.com&password={password}");
        desk.posts("account", &format!("seen={seen}&{account}"))
    };
    let page = keep("sandbox");
    assert!(page.contains("not tried yet: the address of the service comes first."), "{page}");
    let entered = format!("base_url={}", address.replace(':', "%3A").replace('/', "%2F"));
    let seen = field(&desk.page(&format!("setting?{entered}")).body, "seen");
    let page = desk.posts("setting", &format!("seen={seen}&{entered}"));
    assert!(page.contains("The change is written.") && page.contains("Not tried yet"), "{page}");
    let (before, account) = page.split_once("id=\"account\"").unwrap();
    assert!(account.contains("Try the login") && !before.contains("Try the login"), "{page}");
    let page = keep("wrong");
    assert!(page.contains("It is kept. The login did not work: E-mail or password is not right."), "{page}");
    assert!(page.contains("an account with which the login works") && !page.contains("wrong"), "{page}");
    let page = keep("sandbox");
    assert!(page.contains(&format!("It is kept. {address} takes the account sandbox@example.com.")), "{page}");
    assert!(page.contains("The login works.") && !page.contains("an account with which"), "{page}");
}

#[test]
fn the_page_before_a_booking_names_the_service_beside_its_button_unless_it_is_practice() {
    let rig = Rig::new();
    let shown = |arguments: &[&str]| {
        let desk = Desk::open(&rig, arguments);
        let id = desk.drop_sheet("a.csv", &sheet([row("A-1")]));
        desk.read_sheet(&id);
        desk.page(&format!("sheet/{id}/book")).body
    };
    let page = shown(&[]);
    let (_, form) = page.split_once("name=\"sums\"").unwrap_or_else(|| panic!("{page}"));
    let named = format!("This books for real, at <b>{}, the token of SHIPSHEET_TOKEN</b>", rig.sandbox().base_url());
    assert!(form.split_once("Book 1 now").unwrap().0.contains(&named), "{page}");
    let practice = shown(&["--sandbox"]);
    assert!(practice.contains("Book 1 now") && !practice.contains("for real"), "{practice}");
}
