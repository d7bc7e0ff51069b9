//! Where a sheet says two things of one order, a button says which of them is sent.

use rustix::process::Signal;

use super::Desk;
use super::browser::Browser;
use super::money::{booked, says};
use super::sheets::{at_check, count, drop_sheet};
use crate::rig::{HEADER, Rig, collected, row, row_of_own, sheet, wait_until};

const ENTER: &str = "\u{E007}";

/// Orders of two pieces at 499, 998 in all, each with its payment and what its sheet says under this header.
fn with_amounts(header: &str, orders: &[(&str, &str, &str)]) -> String {
    let rows = orders.iter().map(|(number, payment, amount)| {
        let row = row_of_own(number).replace("499.90", "499").replace("PREPAID", payment);
        format!("{row},{amount}\n")
    });
    format!("{HEADER},{header}\n{}", rows.collect::<String>())
}

/// The same beside good ones, by which the column is what its header says.
fn with_totals(orders: &[(&str, &str, &str)]) -> String {
    let good = ["G-1", "G-2", "G-3"].map(|number| (number, "COD", "998"));
    with_amounts("Order Total", &[orders, &good].concat())
}

/// Books all that is ready.
fn book(browser: &Browser) {
    browser.click("button", "Book ");
    browser.at("Book");
    browser.click("button", "Book ");
    browser.at("Results");
}

#[test]
fn a_button_says_which_amount_is_collected() {
    let Some(browser) = Browser::start() else { return };
    let rig = Rig::new();
    let orders = [("A-1", "COD", "1704"), ("A-2", "COD", "900"), ("A-3", "COD", "900")];
    let desk = at_check(&browser, &rig, &with_totals(&orders));
    browser.look("sheet-amounts");
    assert!(!browser.has("button", "Send it"), "{}", browser.text());
    browser.click("button", "Collect ₹1,704 (sheet): A-1");
    browser.see("A-1 is ready.");
    browser.click("button", "Collect ₹900 (sheet): A-2");
    browser.see("A-2 is ready.");
    browser.click("button", "Undo the amount: A-2");
    browser.see("A-2 needs fixing.");
    browser.click("button", "Collect ₹998 (products): A-2");
    browser.see("A-2 is ready.");
    browser.click("button", "Collect ₹900 (sheet): A-3");
    browser.see("A-3 is ready.");
    // It is kept with the sheet, whatever becomes of the desk.
    desk.live.signal(Signal::KILL);
    drop(desk);
    let again = Desk::closed(&rig, &[]);
    browser.open(&again.url);
    browser.click("button", "Go on");
    browser.at("Check");
    assert_eq!(count(&browser, "Ready"), "6");
    book(&browser);
    let amounts = ["A-1", "A-2", "A-3", "G-1"].map(|number| collected(&rig.body_of(number)));
    assert_eq!(amounts, ["1704.00", "998.00", "900.00", "998.00"]);
    let body = &rig.body_of("A-1")["shippingProperties"];
    assert_eq!((body["subTotal"].as_f64(), body["otherCharges"].as_f64()), (Some(998.0), Some(706.0)));
}

#[test]
fn a_chosen_amount_is_asked_about_again_where_the_sheet_says_another_one() {
    let Some(browser) = Browser::start() else { return };
    let rig = Rig::new();
    let _desk = at_check(&browser, &rig, &with_totals(&[("A-1", "COD", "1704"), ("A-2", "COD", "1500")]));
    browser.click("button", "Sheet's amount in all 2");
    browser.see("A-1 is ready. A-2 is ready.");
    browser.click("link", "All");
    browser.click("link", "A-1");
    browser.see("1704.00 was chosen for this order: it goes with other charges of 706.00.");
    browser.fill("A-1 Order Total", &format!("1750{ENTER}"));
    browser.see("A-1 needs fixing.");
    browser.click("button", "Collect ₹1,750 (sheet)");
    browser.see("A-1 is ready.");
    browser.click("button", "Choose again");
    browser.see("A-1 needs fixing.");
    browser.click("button", "Collect ₹998 (products)");
    browser.see("A-1 is ready.");
    browser.click("link", "Back to Check");
    book(&browser);
    assert_eq!(["A-1", "A-2"].map(|number| collected(&rig.body_of(number))), ["998.00", "1500.00"]);
}

#[test]
fn of_a_paid_order_the_total_can_be_chosen_too() {
    let Some(browser) = Browser::start() else { return };
    let rig = Rig::new();
    let _desk = at_check(&browser, &rig, &with_totals(&[("A-1", "PREPAID", "1704")]));
    assert_eq!(count(&browser, "Ready"), "4", "nothing would be collected, so it is only said");
    browser.click("link", "The total of the sheet is not what the order comes to");
    browser.click("button", "Order total ₹1,704 (sheet): A-1");
    browser.see("A-1 is ready.");
    book(&browser);
    assert_eq!(collected(&rig.body_of("A-1")), "1704.00");
}

#[test]
fn of_an_order_that_is_paid_in_part_the_rest_is_collected_or_all_of_it() {
    let Some(browser) = Browser::start() else { return };
    let rig = Rig::new();
    let orders = [("A-1", "COD", "200"), ("A-2", "COD", "300"), ("A-3", "COD", "0")];
    let file = rig.file("packing.csv", &with_amounts("Amount Paid", &orders));
    let desk = Desk::closed(&rig, &[]);
    browser.open(&desk.url);
    drop_sheet(&browser, &file);
    // The question for the whole sheet is left open.
    browser.at("Columns");
    browser.click("button", "Check");
    browser.at("Check");
    browser.click("button", "Collect ₹798 (the rest): A-1");
    browser.see("A-1 is ready.");
    browser.click("button", "Collect ₹998 (all of it): A-2");
    browser.see("A-2 is ready.");
    book(&browser);
    let amounts = ["A-1", "A-2", "A-3"].map(|number| collected(&rig.body_of(number)));
    assert_eq!(amounts, ["798.00", "998.00", "998.00"]);
}

#[test]
fn cells_of_several_rows_with_amounts_are_shown_together() {
    let Some(browser) = Browser::start() else { return };
    let rig = Rig::new();
    let of_row = |amount: &str, product: &str| {
        let row = row("A-1").replace("499.90", "499").replace("PREPAID", "COD").replace("Kurta,K-1", product);
        format!("{row},{amount}\n")
    };
    let text = with_totals(&[]) + &of_row("1704", "Kurta,K-1") + &of_row("1704", "Shirt,S-1");
    let _desk = at_check(&browser, &rig, &text);
    browser.see("row 5: 1704");
    browser.see("row 6: 1704");
    browser.look("sheet-amounts-rows");
    browser.fill("A-1 Order Total row 6", &format!("292{ENTER}"));
    browser.see("A-1 is ready.");
}

/// Two rows with one number: another name and phone on the second.
fn two_receivers() -> String {
    let first = row("A-1").replace("Asha", "Lata Nair");
    let second = first.replace("Lata Nair", "Other Person").replace("Kurta,K-1", "Shirt,S-1");
    let second = second.replace("9876543210", "9812345678").replace("14 MG Road", "7 Hill Road");
    sheet([first, second, row("A-2")])
}

#[test]
fn where_rows_of_an_order_disagree_each_value_is_a_button() {
    let Some(browser) = Browser::start() else { return };
    let rig = Rig::new();
    let _desk = at_check(&browser, &rig, &two_receivers());
    browser.look("sheet-rows-disagree");
    assert!(!browser.has("button", "Send it"), "{}", browser.text());
    browser.click("button", "Other Person: A-1");
    browser.see("A-1 needs fixing.");
    browser.click("button", "9812345678: A-1");
    browser.see("A-1 needs fixing.");
    browser.click("button", "14 MG Road: A-1");
    browser.see("A-1 is ready.");
    book(&browser);
    let receiver = &rig.body_of("A-1")["receiver"];
    assert_eq!(
        (receiver["firstName"].as_str(), receiver["phoneNumber"].as_str()),
        (Some("Other Person"), Some("9812345678"))
    );
    assert_eq!(rig.body_of("A-1")["destination"]["addressLine1"], "14 MG Road");
    assert_eq!(rig.bookings().len(), 2);
}

#[test]
fn rows_for_two_people_become_two_orders() {
    let Some(browser) = Browser::start() else { return };
    let rig = Rig::new();
    // The number that comes next is that of another order.
    let text = two_receivers() + &row_of_own("A-1-2") + "\n";
    let _desk = at_check(&browser, &rig, &text);
    browser.click("button", "Two orders: A-1");
    browser.see("A-1-3 is ready.");
    browser.reload();
    wait_until("it is kept", || count(&browser, "Ready") == "4");
    book(&browser);
    let names = ["A-1", "A-1-3"].map(|number| rig.body_of(number)["receiver"]["firstName"].clone());
    assert_eq!(names, ["Lata Nair", "Other Person"]);
}

#[test]
fn an_amount_that_no_field_takes_is_collected_or_not() {
    for (header, cell, with, collects) in [
        ("Insurance", "25", "Collect ₹1,023 (with Insurance)", "1023.00"),
        ("Coupon Amount", "98", "Collect ₹900 (with Coupon Amount)", "900.00"),
        ("Sub Total", "950", "Collect ₹998 (products)", "998.00"),
    ] {
        let rig = Rig::new();
        let desk = Desk::open(&rig, &[]);
        let id = desk.drop_sheet("orders.csv", &with_amounts(header, &[("A-1", "COD", cell)]));
        desk.read_sheet(&id);
        let page = desk.page(&format!("sheet/{id}/check")).body;
        assert!(page.contains(with), "{header}: {page}");
        let name = page.split("name=\"").find(|part| part.starts_with("amount.")).unwrap().split('"').next().unwrap();
        let said = says(&desk, &id, &format!("{name}=A-1"));
        assert!(said.contains("A-1 is ready."), "{header}: {said}");
        booked(&desk, &id);
        assert_eq!(collected(&rig.body_of("A-1")), collects, "{header}");
    }
}
