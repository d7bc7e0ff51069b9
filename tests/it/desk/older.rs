//! Pages that are older than what they are about: what they say is refused.

use shipsheet::sandbox::Answer as Script;

use super::money::book;
use super::{Desk, field};
use crate::rig::{Rig, row, row_with, sheet, wait_until};

#[test]
fn what_is_said_of_a_group_is_refused_once_it_is_said_of_other_orders() {
    let rig = Rig::new();
    let desk = Desk::open(&rig, &[]);
    let id = desk.drop_sheet("orders.csv", &sheet(["A-1", "A-2"].map(|number| row(number).replace("560001", "56003"))));
    let at = format!("sheet/{id}/check");
    let check = desk.page(&at).body;
    let start = check.find("name=\"all-leave\" value=\"").unwrap() + "name=\"all-leave\" value=\"".len();
    let group = check[start..].split('"').next().unwrap().to_owned();
    let answer =
        |value: &str| desk.posts(&format!("sheet/{id}/answer"), &format!("revision=0&back=check&all-leave={value}"));
    let other = answer(&format!("{}.1", group.split('.').next().unwrap()));
    assert!(other.contains("These are other orders by now."), "{other}");
    let said = answer(&group);
    assert!(said.contains("A-1 is left out. A-2 is left out."), "{said}");
}

#[test]
fn a_shipment_is_cancelled_as_it_was_seen() {
    let rig = Rig::new();
    rig.import_text(&sheet([row("A-1")])).exits(0);
    let desk = Desk::open(&rig, &[]);
    let page = desk.page("cancel?order=A-1").body;
    let [stamp, account] = ["stamp", "at"].map(|name| field(&page, name));
    let cancel = |stamp: &str, account: &str| desk.posts("cancel", &format!("order=A-1&stamp={stamp}&at={account}"));
    assert!(cancel(&stamp, "another").contains("The courier service or the account is another one by now."));
    cancel("77889900", &account);
    let other = "Other shipments than those you saw would be cancelled by now";
    wait_until("it is refused", || desk.page("progress").body.contains(other));
    cancel(&stamp, &account);
    wait_until("it is done", || desk.page("order?number=A-1").body.contains("it is cancelled"));
}

#[test]
fn two_desks_show_and_book_what_was_said_at_either() {
    let rig = Rig::new();
    let [one, other] = [Desk::open(&rig, &[]), Desk::open(&rig, &[])];
    let id = one.drop_sheet("orders.csv", &sheet([row("A-1"), row_with("A-2", "9812345678", "560002")]));
    let at = |screen: &str| format!("sheet/{id}/{screen}");
    let older = super::plain::agreed(&one.page(&at("book")).body);
    other.page(&at("check"));
    other.posts(&at("answer"), "revision=0&back=check&leave=A-1");
    let book_now = one.page(&at("book")).body;
    assert!(book_now.contains("Book 1 now") && !older.is_empty(), "{book_now}");
    one.posts(&at("book"), &older);
    assert_eq!(rig.sandbox().book().posts("A-1"), 0);
    book(&one, &id);
    wait_until("it is done", || one.page("progress").status == 303);
    assert_eq!(["A-1", "A-2"].map(|number| rig.sandbox().book().posts(number)), [0, 1]);
}

#[test]
fn an_order_is_retried_though_a_run_has_its_number() {
    let rig = Rig::new();
    rig.sandbox().script_order("1", [Script::Status(422, r#"{"message":["try again"]}"#.to_owned())]);
    rig.import_text(&sheet([row("1")])).exits(4);
    let desk = Desk::open(&rig, &[]);
    super::money::again(&desk, "what=failed&order=1");
    assert_eq!(rig.sandbox().book().posts("1"), 2);
}

#[test]
fn a_couriers_list_keeps_orders_back_before_there_is_a_ledger() {
    let rig = Rig::new();
    let desk = Desk::open(&rig, &[]);
    let id = desk.drop_sheet("orders.csv", &sheet([row("A-1"), row_with("A-2", "9812345678", "560002")]));
    desk.drop_file("statement", "list.csv", "Order Number,AWB\nA-1,77889900\n");
    let page = desk.page(&format!("sheet/{id}/book")).body;
    assert!(page.contains("The courier has 1 order of these already: ") && !page.contains("Book 2 now"), "{page}");
}
