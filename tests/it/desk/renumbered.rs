//! A row that was sent under one number goes under no other one unasked: whoever sent it, and whoever sends next.

use shipsheet::sandbox::Answer as Script;

use super::money::{booked, refusal, says, state};
use super::{Desk, field};
use crate::rig::{HEADER, Ran, Rig, row, row_with, sheet, wait_until};

const IN_ANOTHER_NUMBER: &str = "This row stands for order";

/// Two orders, of two people.
fn two() -> String {
    sheet([row("A-1"), row_with("A-2", "9812345678", "560002")])
}

/// A night in which this file lies in the folder of the watcher.
fn night(rig: &Rig, file: Option<&str>, more: &[&str]) -> Ran {
    std::fs::create_dir_all(rig.path("in")).unwrap();
    if let Some(name) = file {
        rig.file(&format!("in/{name}"), &two());
    }
    rig.run(&[&["watch", "in", "--once", "--rest", "0"], more].concat())
}

/// How many times each of these numbers was posted.
fn posts<const N: usize>(rig: &Rig, numbers: [&str; N]) -> [u64; N] {
    numbers.map(|number| rig.sandbox().book().posts(number))
}

fn check(desk: &Desk, id: &str) -> String {
    desk.page(&format!("sheet/{id}/check")).body
}

/// Books both orders at the desk, the first one under a number that is typed there.
fn send_first_as_another(rig: &Rig) {
    let desk = Desk::open(rig, &[]);
    let id = desk.drop_sheet("orders.csv", &two());
    desk.read_sheet(&id);
    says(&desk, &id, "cell.0.2.0=A-1B");
    booked(&desk, &id);
}

#[track_caller]
fn books_nothing(desk: &Desk, id: &str) {
    let page = desk.page(&format!("sheet/{id}/book")).body;
    assert!(page.contains("Nothing is ready to be booked."), "{page}");
}

/// Says on Columns that a column is not sent and that the one beside it holds what it held.
fn takes_the_next_column(desk: &Desk, id: &str, column: u32) {
    let page = desk.page(&format!("sheet/{id}/columns")).body;
    let select = page.split_once(&format!("name=\"col.0.{column}\"")).unwrap().1.split("</select>").next().unwrap();
    let chosen = select.split("<option").find(|option| option.contains("selected")).unwrap();
    let value = chosen.split("value=\"").nth(1).unwrap().split('"').next().unwrap();
    let revision = field(&page, "revision");
    let form = format!("revision={revision}&go=check&col.0.{column}=-&col.0.{}={value}", column + 1);
    desk.posts(&format!("sheet/{id}/columns"), &form);
}

#[test]
fn another_number_column_sends_no_booked_row_again() {
    let rig = Rig::new();
    let with_reference = |text: &str, reference: &str| text.replacen(',', &format!(",{reference},"), 1);
    let rows = [row("A-1"), row_with("A-2", "9812345678", "560002")];
    let rows = rows.iter().zip(["INV-71", "INV-72"]).map(|(row, own)| with_reference(row, own));
    let text = format!("{}\n{}\n", with_reference(HEADER, "Ref"), rows.collect::<Vec<_>>().join("\n"));
    rig.import_text(&text).exits(0);
    let desk = Desk::open(&rig, &[]);
    // Under whatever name: it is the same file.
    let id = desk.drop_sheet("monday.csv", &text);
    desk.read_sheet(&id);
    takes_the_next_column(&desk, &id, 0);
    let page = check(&desk, &id);
    for part in ["INV-71", "INV-72", IN_ANOTHER_NUMBER] {
        assert!(page.contains(part), "{part}: {page}");
    }
    books_nothing(&desk, &id);
    // A person may still know better.
    assert!(says(&desk, &id, "send.same-order=INV-71").contains("INV-71 is ready."));
    booked(&desk, &id);
    assert_eq!(posts(&rig, ["A-1", "A-2", "INV-71", "INV-72"]), [1, 1, 1, 0]);
}

#[test]
fn what_a_terminal_left_outstanding_or_saw_refused_goes_under_one_number_only() {
    let rig = Rig::new();
    rig.sandbox().script_order("A-1", [refusal()]);
    rig.file("orders.csv", &two());
    rig.run(&["import", "orders.csv", "--yes", "--max-orders", "1"]);
    assert_eq!(["A-1", "A-2"].map(|number| state(&rig, number)), ["refused", "staged"]);
    let desk = Desk::open(&rig, &[]);
    let id = desk.drop_sheet("orders.csv", &two());
    desk.read_sheet(&id);
    says(&desk, &id, "cell.0.2.0=A-1B");
    says(&desk, &id, "cell.0.3.0=A-2B");
    // What was refused goes under the new one; of what is still to be sent a person says that the new one is meant.
    let page = check(&desk, &id);
    assert!(page.contains("This row stands for order A-2, outstanding"), "{page}");
    booked(&desk, &id);
    let left_alone = || {
        for what in ["failed", "outstanding"] {
            let page = desk.page(&format!("again?what={what}")).body;
            assert!(page.contains("There is nothing to send."), "{page}");
        }
        rig.run(&["retry", "--yes"]);
        rig.run(&["resume", "--yes"]);
        posts(&rig, ["A-1", "A-1B", "A-2"])
    };
    assert_eq!(left_alone(), [1, 1, 0]);
    assert!(says(&desk, &id, "send.same-order=A-2B").contains("A-2B is ready."));
    booked(&desk, &id);
    assert_eq!(left_alone(), [1, 1, 0]);
    assert_eq!(["A-1", "A-2", "A-2B"].map(|number| state(&rig, number)), ["abandoned", "abandoned", "booked"]);
}

#[test]
fn a_night_sends_no_row_that_the_desk_sent_under_another_number() {
    let rig = Rig::new();
    night(&rig, Some("orders.csv"), &["--max-orders", "1"]);
    let desk = Desk::open(&rig, &[]);
    let id = desk.drop_sheet("orders.csv", &two());
    desk.read_sheet(&id);
    says(&desk, &id, "cell.0.3.0=A-2B");
    books_nothing(&desk, &id);
    // The clerk knows that it is another parcel in the end; the next night leaves the first number alone.
    assert!(says(&desk, &id, "send.same-order=A-2B").contains("A-2B is ready."));
    booked(&desk, &id);
    night(&rig, None, &[]);
    assert_eq!(posts(&rig, ["A-1", "A-2", "A-2B"]), [1, 0, 1]);
}

#[test]
fn a_night_holds_the_rows_of_a_file_that_the_desk_sent_under_another_number() {
    let rig = Rig::new();
    send_first_as_another(&rig);
    night(&rig, Some("another name.csv"), &[]).exits(4);
    assert_eq!(posts(&rig, ["A-1", "A-1B", "A-2"]), [0, 1, 1]);
    // Nor does an import, before somebody says that two parcels are meant.
    rig.import_text(&two()).exits(4);
    assert_eq!(posts(&rig, ["A-1"]), [0]);
    rig.import(&["orders.csv", "--accept", "same-order:A-1", "--because", "two parcels"]).exits(0);
    assert_eq!(posts(&rig, ["A-1"]), [1]);
}

#[test]
fn a_number_that_was_typed_before_the_night_goes_by_that_sheet() {
    let rig = Rig::new();
    let desk = Desk::open(&rig, &[]);
    let id = desk.drop_sheet("orders.csv", &two());
    desk.read_sheet(&id);
    assert!(says(&desk, &id, "cell.0.2.0=A-1B").contains("A-1B is ready."));
    night(&rig, Some("orders.csv"), &[]).exits(4);
    assert_eq!(posts(&rig, ["A-1", "A-1B", "A-2"]), [0, 0, 1]);
    booked(&desk, &id);
    assert_eq!(posts(&rig, ["A-1", "A-1B", "A-2"]), [0, 1, 1]);
}

#[test]
fn an_order_keeps_its_number_whatever_its_rows_lack_or_hold() {
    let rig = Rig::new();
    rig.sandbox().script_order("A-2", [Script::CutAfter]);
    rig.import_text(&two()).exits(6);
    let desk = Desk::open(&rig, &[]);
    // Of another file: one order has a fault there, and a row that is held gets the number of the other.
    let text = sheet([row("A-1"), row_with("A-2", "9812345678", "56002"), row_with("A-3", "9812345679", "560003")]);
    let id = desk.drop_sheet("later.csv", &text);
    desk.read_sheet(&id);
    let answer = says(&desk, &id, "cell.0.3.0=A-2B");
    assert!(answer.contains("Order A-2 is in doubt, so its number stays: settle it first."), "{answer}");
    says(&desk, &id, "hold=A-3");
    says(&desk, &id, "cell.0.4.0=A-1");
    let answer = says(&desk, &id, "cell.0.2.0=A-1B");
    assert!(answer.contains("Order A-1 is booked, so its number stays."), "{answer}");
    books_nothing(&desk, &id);
    assert_eq!(posts(&rig, ["A-1", "A-2"]), [1, 1]);
}

#[test]
fn a_row_whose_number_was_typed_is_known_as_it_came_as_well() {
    let rig = Rig::new();
    send_first_as_another(&rig);
    assert_eq!(posts(&rig, ["A-1", "A-1B", "A-2"]), [0, 1, 1]);
    // The clerk's own file comes again, one row longer.
    let longer = sheet([row("A-1"), row_with("A-2", "9812345678", "560002"), row_with("A-3", "9812345679", "560003")]);
    rig.file("longer.csv", &longer);
    rig.run(&["import", "longer.csv", "--yes"]).says("A-1B");
    assert_eq!(posts(&rig, ["A-1", "A-1B", "A-2", "A-3"]), [0, 1, 1, 1]);
}

#[test]
fn a_row_whose_number_was_typed_is_known_though_a_spreadsheet_saved_its_file_since() {
    let rig = Rig::new();
    send_first_as_another(&rig);
    // As a spreadsheet writes the price, with a cell that somebody filled.
    let saved = two().replace("499.90", "499.9").replacen("14 MG Road", "14  MG Road", 1);
    rig.file("saved.csv", &saved);
    rig.run(&["import", "saved.csv", "--yes"]).says("this row stands for order A-1B");
    assert_eq!(posts(&rig, ["A-1", "A-1B", "A-2"]), [0, 1, 1]);
    // Whatever else was typed: that another parcel has the first number, a person says once.
    let other = sheet([row_with("A-1", "9812345670", "560005")]);
    rig.file("other.csv", &other);
    rig.run(&["import", "other.csv", "--yes"]).says("this row stands for order A-1B");
    assert_eq!(posts(&rig, ["A-1"]), [0]);
    let accepted = ["--accept", "same-order:A-1", "--because", "another parcel"];
    rig.run(&[&["import", "other.csv", "--yes"], &accepted[..]].concat()).exits(0);
    assert_eq!(posts(&rig, ["A-1"]), [1]);
}

#[test]
fn a_former_number_is_seen_in_a_column_of_free_text() {
    for field in ["tags", "sellerNote", "channelId"] {
        let rig = Rig::new();
        let with_reference = |text: &str, reference: &str| text.replacen(',', &format!(",{reference},"), 1);
        let text = format!("{}\n{}\n", with_reference(HEADER, "Ref"), with_reference(&row("A-1"), "INV-71"));
        rig.import_text(&text).exits(0);
        let profile = format!("name = \"ref\"\n[columns]\norderNumber = \"Ref\"\n{field} = \"Order Number\"\n");
        rig.file("ref.toml", &profile);
        rig.file("saved.csv", &text.replace("499.90", "499.9"));
        rig.run(&["import", "saved.csv", "--yes", "--profile", "ref.toml"])
            .exits(3)
            .says("this row stands for order A-1");
        assert_eq!(posts(&rig, ["A-1", "INV-71"]), [1, 0], "{field}");
    }
}

#[test]
fn a_number_that_was_typed_with_the_phone_or_the_address_is_known_as_it_came() {
    for (cell, text) in [(3, "9811111111"), (4, "9 Other Street")] {
        let rig = Rig::new();
        let desk = Desk::open(&rig, &[]);
        let id = desk.drop_sheet("orders.csv", &two());
        desk.read_sheet(&id);
        says(&desk, &id, &format!("cell.0.2.0=A-1B&cell.0.2.{cell}={}", text.replace(' ', "+")));
        booked(&desk, &id);
        assert_eq!(posts(&rig, ["A-1", "A-1B", "A-2"]), [0, 1, 1], "{text}");
        rig.file("saved.csv", &two().replace("499.90", "499.9"));
        rig.run(&["import", "saved.csv", "--yes"]).says("this row stands for order A-1B");
        assert_eq!(posts(&rig, ["A-1", "A-1B", "A-2"]), [0, 1, 1], "{text}");
    }
}

#[test]
fn a_number_that_was_typed_over_is_asked_about_once_its_order_went_under_it() {
    let rig = Rig::new();
    let desk = Desk::open(&rig, &[]);
    let id = desk.drop_sheet("orders.csv", &two());
    desk.read_sheet(&id);
    assert!(says(&desk, &id, "cell.0.2.0=A-1B&cell.0.2.3=9811111111").contains("A-1B is ready."));
    // In a file whose rows are not known, by somebody who let it go.
    rig.file("saved.csv", &two().replace("499.90", "499.9"));
    let let_go = ["--accept", "held-back:A-1", "--because", "it is urgent"];
    rig.run(&[&["import", "saved.csv", "--yes"], &let_go[..]].concat()).exits(0);
    let page = check(&desk, &id);
    assert!(page.contains("This row stands for order A-1, booked"), "{page}");
    books_nothing(&desk, &id);
    assert_eq!(posts(&rig, ["A-1", "A-1B", "A-2"]), [1, 0, 1]);
}

#[test]
fn a_retry_sends_no_number_that_was_typed_once_the_first_one_is_booked() {
    let rig = Rig::new();
    rig.sandbox().script_order("A-1B", [refusal()]);
    let desk = Desk::open(&rig, &[]);
    let id = desk.drop_sheet("orders.csv", &two());
    desk.read_sheet(&id);
    says(&desk, &id, "cell.0.2.0=A-1B&cell.0.2.3=9811111111");
    booked(&desk, &id);
    let asked = desk.page(&format!("sheet/{id}/discard")).body;
    desk.posts(&format!("sheet/{id}/discard"), &format!("revision={}", field(&asked, "revision")));
    rig.file("saved.csv", &two().replace("499.90", "499.9"));
    rig.run(&["import", "saved.csv", "--yes"]).exits(0);
    rig.run(&["retry", "--yes"]);
    assert_eq!(posts(&rig, ["A-1", "A-1B", "A-2"]), [1, 1, 1]);
}

#[test]
fn what_was_typed_at_the_desk_and_refused_goes_no_more_as_the_shop_has_it() {
    let rig = Rig::new();
    rig.sandbox().script_order("A-1", [refusal()]);
    let desk = Desk::open(&rig, &[]);
    let id = desk.drop_sheet("orders.csv", &two());
    desk.read_sheet(&id);
    says(&desk, &id, "cell.0.2.4=9+Other+Street");
    booked(&desk, &id);
    night(&rig, Some("orders.csv"), &[]).exits(4);
    assert_eq!(posts(&rig, ["A-1", "A-2"]), [1, 1]);
    // As it was typed it goes, whoever asks.
    rig.run(&["retry", "--yes"]).exits(0);
    assert_eq!(posts(&rig, ["A-1", "A-2"]), [2, 1]);
}

#[test]
fn a_number_that_was_typed_over_hides_no_order_from_the_couriers_list() {
    let rig = Rig::new();
    let desk = Desk::open(&rig, &[]);
    assert_eq!(desk.drop_file("statement", "list.csv", "Order Number,AWB,Status\nA-1,77889900,Booked\n").status, 303);
    let id = desk.drop_sheet("orders.csv", &two());
    desk.read_sheet(&id);
    let after = says(&desk, &id, "cell.0.2.0=A-1B");
    assert!(after.contains("The courier's list list.csv has this order already"), "{after}");
    booked(&desk, &id);
    assert_eq!(posts(&rig, ["A-1", "A-1B", "A-2"]), [0, 0, 1]);
}

/// Has the service refuse A-1B, which was typed over A-1, and gives the desk with its sheet.
fn refused_as_another(rig: &Rig) -> (Desk, String) {
    rig.sandbox().script_order("A-1B", [refusal()]);
    let desk = Desk::open(rig, &[]);
    let id = desk.drop_sheet("orders.csv", &two());
    desk.read_sheet(&id);
    says(&desk, &id, "cell.0.2.0=A-1B");
    booked(&desk, &id);
    assert_eq!(state(rig, "A-1B"), "refused");
    (desk, id)
}

#[test]
fn what_is_taken_up_is_asked_about_under_the_number_that_it_came_with() {
    for keeps in ["list", "sheet", "nothing"] {
        let rig = Rig::new();
        let (desk, _) = refused_as_another(&rig);
        match keeps {
            "list" => drop(desk.drop_file("statement", "list.csv", "Order Number,AWB\nA-1,77889900\n")),
            "sheet" => {
                let other = desk.drop_sheet("other.csv", &two().replace("Kurta", "Saree"));
                desk.read_sheet(&other);
                says(&desk, &other, "hold=A-1");
            }
            _ => {}
        }
        let sent = if keeps == "nothing" { 2 } else { 1 };
        if sent == 1 {
            let page = desk.page("again?what=failed").body;
            assert!(page.contains("There is nothing to send."), "{page}");
        }
        rig.run(&["retry", "--yes"]);
        assert_eq!(posts(&rig, ["A-1", "A-1B"]), [0, sent], "{keeps}");
    }
}

#[test]
fn an_import_asks_the_couriers_lists_by_all_numbers_of_an_order() {
    for (list, file) in [("A-1", "A-1B"), ("A-1B", "A-1")] {
        let rig = Rig::new();
        let (desk, id) = refused_as_another(&rig);
        let asked = desk.page(&format!("sheet/{id}/discard")).body;
        desk.posts(&format!("sheet/{id}/discard"), &format!("revision={}", field(&asked, "revision")));
        let content = format!("Order Number,AWB\n{list},77889900\n");
        assert_eq!(desk.drop_file("statement", "list.csv", &content).status, 303);
        rig.file("saved.csv", &sheet([row_with(file, "9812345679", "560001")]));
        rig.run(&["import", "saved.csv", "--yes"]).says("the courier's list list.csv has this order already");
        assert_eq!(posts(&rig, ["A-1", "A-1B"]), [0, 1], "{file}");
    }
}

#[test]
fn marks_around_a_former_number_and_a_second_one_hide_nothing() {
    let rig = Rig::new();
    let desk = Desk::open(&rig, &[]);
    desk.drop_file("statement", "list.csv", "Order Number,AWB\n1001,77889900\n1003,77889911\n");
    let rows = [
        row("'1001"),
        row_with("1002", "9812345678", "560002"),
        row_with("1003", "9812345678", "560002").replace("Kurta", "Saree"),
    ];
    let id = desk.drop_sheet("orders.csv", &sheet(rows));
    desk.read_sheet(&id);
    says(&desk, &id, "cell.0.2.0=1001B");
    says(&desk, &id, "cell.0.3.0=1002B");
    says(&desk, &id, "cell.0.4.0=1002B");
    let page = desk.page(&format!("sheet/{id}/book")).body;
    assert!(page.contains("Nothing is ready to be booked."), "{page}");
    // The page that books names the list as well.
    assert!(page.contains("The courier has 2 orders of these already: ") && page.contains("1001B and 1002B"), "{page}");
}

#[test]
fn a_number_that_is_made_of_cells_is_known_as_it_came_and_stays_once_it_is_booked() {
    let rig = Rig::new();
    std::fs::create_dir_all(rig.path(".config/shipsheet/profiles")).unwrap();
    rig.file(
        ".config/shipsheet/profiles/joined.toml",
        "name = \"joined\"\nrecognised_by = [\"Shop\", \"Order Number\"]\n[columns]\norderNumber = { join = [\"Shop\", \"Order Number\"], with = \"-\" }\n",
    );
    let with_shop = |text: &str, shop: &str| format!("{shop},{text}");
    let text =
        [with_shop(HEADER, "Shop"), with_shop(&row("1"), "A"), with_shop(&row_with("2", "9812345678", "560002"), "A")];
    let desk = Desk::open(&rig, &[]);
    desk.drop_file("statement", "list.csv", "Order Number,AWB\nA-1,77889900\n");
    let id = desk.drop_sheet("orders.csv", &(text.join("\n") + "\n"));
    desk.read_sheet(&id);
    let page = desk.page(&format!("sheet/{id}/columns")).body;
    let form = format!("revision={}&profile=joined", field(&page, "revision"));
    desk.posts(&format!("sheet/{id}/columns"), &form);
    let after = says(&desk, &id, "cell.0.2.1=1B");
    assert!(after.contains("The courier's list list.csv has this order already"), "{after}");
    booked(&desk, &id);
    assert_eq!(posts(&rig, ["A-1", "A-1B", "A-2"]), [0, 0, 1]);
    // Typed into one of its cells, the whole number would make another one.
    let answer = says(&desk, &id, "cell.0.3.1=A-2");
    assert!(answer.contains("Order A-2 is booked, so its number stays."), "{answer}");
}

#[test]
fn what_another_station_corrected_since_the_page_was_shown_is_not_replaced() {
    let rig = Rig::new();
    rig.sandbox().script_order("A-1", [refusal()]);
    let desk = Desk::open(&rig, &[]);
    let id = desk.drop_sheet("orders.csv", &two());
    desk.read_sheet(&id);
    let page = desk.page(&format!("sheet/{id}/book")).body;
    rig.import_text(&sheet([row("A-1").replace("14 MG Road", "9 Other Street")]));
    assert_eq!(state(&rig, "A-1"), "refused");
    desk.posts(&format!("sheet/{id}/book"), &super::plain::agreed(&page));
    wait_until("it is done", || desk.page("progress").status == 303);
    assert_eq!(posts(&rig, ["A-1", "A-2"]), [1, 0]);
    // Once it was looked at it goes.
    booked(&desk, &id);
    assert_eq!(posts(&rig, ["A-1", "A-2"]), [2, 1]);
}
