//! An order that waits to be sent, and what newer and older sheets say of it: the newest one decides, and what it cannot decide is
//! held for a person.

use crate::rig::{HEADER, Rig, ran, row, row_with, sheet};
#[cfg(unix)]
use crate::terminal::Terminal;
use shipsheet::sandbox::Answer;

/// A sheet with two more columns: what state an order is in, and a note.
pub(crate) fn stated(rows: &[(String, &str, &str)]) -> String {
    let rows: Vec<String> = rows.iter().map(|(row, status, note)| format!("{row},{status},{note}")).collect();
    format!("{HEADER},Order Status,Remarks\n{}\n", rows.join("\n"))
}

/// `a.csv` with K-1 and K-2, of which K-1 alone is sent.
pub(crate) fn k_2_waits() -> Rig {
    let rig = Rig::new();
    rig.file("a.csv", &sheet([row("K-1"), other("K-2")]));
    rig.run(&["import", "a.csv", "--yes", "--max-orders", "1"]).exits(5);
    rig
}

/// Orders of one parcel each.
pub(crate) fn other(number: &str) -> String {
    row_with(number, "9812345670", "560002")
}

pub(crate) fn numbers(rig: &Rig) -> Vec<String> {
    let mut numbers: Vec<String> = rig.bookings().into_iter().map(|(number, _)| number).collect();
    numbers.sort();
    numbers
}

/// Sheets of tomorrow that say of K-2 that it does not go, with the exit code of their import.
fn refusals() -> Vec<(&'static str, String, i32)> {
    let third = || (row_with("K-3", "9812345671", "560003"), "Confirmed", "");
    vec![
        ("cancelled", stated(&[third(), (other("K-2"), "Cancelled", "")]), 0),
        ("refunded", stated(&[third(), (other("K-2"), "Refunded", "")]), 0),
        ("a note", stated(&[third(), (other("K-2"), "Confirmed", "do not ship")]), 4),
        ("no PIN code", sheet([row_with("K-3", "9812345671", "560003"), row_with("K-2", "9812345670", "")]), 4),
        ("nothing else in the sheet", stated(&[(other("K-2"), "Confirmed", "do not ship")]), 3),
        ("all cancelled", stated(&[(other("K-2"), "Cancelled", "")]), 0),
    ]
}

/// Promise 7: an order that a newer sheet refuses goes again only by a newer sheet or a person.
#[test]
fn what_a_newer_sheet_refuses_is_sent_by_no_resume_and_no_older_sheet() {
    for (what, text, exit) in refusals() {
        let rig = k_2_waits();
        rig.file("b.csv", &text);
        let came = rig.import(&["b.csv"]);
        assert_eq!(came.exit, exit, "{what}: {came:?}");
        assert!(came.problems.iter().any(|own| own.case == "taken_back" && own.order == "K-2"), "{what}: {came:?}");
        rig.run(&["resume", "--yes"]).exits(0);
        // The older sheet comes again, as it was and saved under another name.
        for name in ["a.csv", "copy.csv"] {
            rig.file(name, &rig.read("a.csv"));
            let held = rig.import(&[name]).only("held-back");
            held.holds().says("b.csv:");
            assert!(held.case == "taken_back_since", "{what}: {held:?}");
        }
        rig.run(&["resume", "--yes"]);
        assert!(!numbers(&rig).contains(&"K-2".to_owned()), "{what}: {:?}", numbers(&rig));
        rig.run(&["ledger", "check"]).exits(0);
        // A person lets it go.
        rig.run(&["accept", "old-sheet", "--order", "K-2", "--because", "the customer wants it"]).exits(0);
        rig.run(&["import", "a.csv", "--yes"]).exits(0);
        assert_eq!(numbers(&rig).iter().filter(|number| *number == "K-2").count(), 1, "{what}");
        rig.run(&["ledger", "check"]).exits(0);
    }
}

#[test]
fn what_a_newer_sheet_refuses_is_not_retried() {
    for (what, text, _) in refusals() {
        let rig = Rig::new();
        rig.file("a.csv", &sheet([row("K-1"), other("K-2")]));
        rig.sandbox().script_order("K-2", [Answer::Status(422, r#"{"message":"PIN code not served"}"#.to_owned())]);
        rig.run(&["import", "a.csv", "--yes"]).exits(4);
        rig.file("b.csv", &text);
        rig.import(&["b.csv"]);
        rig.run(&["retry", "--yes"]);
        let named = rig.run(&["retry", "K-2", "--yes"]);
        assert!(["held: see", "left out: see"].iter().any(|said| named.stderr.contains(said)), "{what}: {named:?}");
        assert!(!numbers(&rig).contains(&"K-2".to_owned()), "{what}");
    }
}

#[test]
fn a_sheet_that_is_refused_as_a_whole_takes_orders_back_too() {
    let rig = k_2_waits();
    rig.file("b.csv", &stated(&[(other("K-3"), "Confirmed", ""), (other("K-2"), "Confirmed", "do not ship")]));
    rig.run(&["import", "b.csv", "--yes", "--all-or-nothing"]).exits(3);
    rig.run(&["resume", "--yes"]).exits(0);
    assert_eq!(numbers(&rig), ["K-1"]);
    let shown = rig.run(&["show", "K-2"]).exits(0).stdout.clone();
    assert!(shown.contains("held in b.csv:3 (cancelled-note)"), "{shown}");
}

#[test]
fn what_is_only_looked_at_takes_nothing_back() {
    let rig = k_2_waits();
    rig.file("b.csv", &stated(&[(other("K-2"), "Cancelled", "")]));
    assert!(rig.check(&["b.csv"]).problems.iter().any(|own| own.case == "taken_back"));
    rig.run(&["import", "b.csv", "--dry-run"]);
    rig.run(&["resume", "--yes"]).exits(0);
    assert_eq!(numbers(&rig), ["K-1", "K-2"]);
}

#[test]
fn rows_that_a_profile_leaves_out_take_their_order_back() {
    let rig = k_2_waits();
    rig.file("own.toml", "[[skip]]\ncolumn = \"Stage\"\nis = [\"dropped\"]\nbecause = \"the order is dropped\"\n");
    let text = format!("{HEADER},Stage\n{},open\n{},dropped\n", row_with("K-3", "9812345671", "560003"), other("K-2"));
    rig.file("b.csv", &text);
    rig.import(&["b.csv", "--profile", "own.toml"]).books(0, 2);
    rig.run(&["resume", "--yes"]).exits(0);
    assert_eq!(numbers(&rig), ["K-1", "K-3"]);
}

#[test]
fn an_order_that_comes_corrected_goes_unless_it_was_cancelled() {
    // Without a PIN code first, and with another phone then.
    let rig = k_2_waits();
    rig.file("b.csv", &sheet([row_with("K-2", "9812345670", "")]));
    rig.run(&["import", "b.csv", "--yes"]).exits(3);
    rig.file("c.csv", &sheet([row_with("K-2", "9812345679", "560002")]));
    rig.run(&["import", "c.csv", "--yes"]).exits(0);
    assert_eq!(numbers(&rig), ["K-1", "K-2"]);
    // Cancelled, and back with other values: an old sheet may have those as well.
    let rig = k_2_waits();
    rig.file("b.csv", &stated(&[(other("K-2"), "Cancelled", "")]));
    rig.run(&["import", "b.csv", "--yes"]);
    let held = rig.import_text(&sheet([row_with("K-2", "9812345679", "560002")])).only("held-back");
    held.holds().says("cancelled in b.csv:2");
    assert_eq!(numbers(&rig), ["K-1"]);
}

#[test]
fn content_that_was_replaced_is_held_when_it_comes_again() {
    let rig = k_2_waits();
    rig.file("b.csv", &sheet([row_with("K-3", "9812345671", "560003"), row_with("K-2", "9812345679", "560002")]));
    rig.run(&["import", "b.csv", "--yes", "--max-orders", "1"]).exits(5);
    let mut copy = sheet([other("K-2")]);
    copy.push('\n');
    let held = rig.import_text(&copy).only("held-back");
    held.holds();
    assert_eq!(held.case, "changed_since");
    rig.run(&["resume", "--yes"]).exits(0);
    assert_eq!(rig.body_of("K-2")["receiver"]["phoneNumber"], "9812345679");
}

#[test]
fn a_sheet_that_is_imported_again_is_not_newer() {
    // The sheet that refuses came first; what came after it goes.
    let rig = Rig::new();
    let refused = stated(&[(row("K-1"), "Confirmed", ""), (other("K-2"), "Confirmed", "do not ship")]);
    rig.file("first.csv", &refused);
    rig.run(&["import", "first.csv", "--yes"]).exits(4);
    rig.file("second.csv", &sheet([row_with("K-3", "9812345671", "560003"), other("K-2")]));
    rig.run(&["import", "second.csv", "--yes", "--max-orders", "1"]).exits(5);
    rig.run(&["import", "first.csv", "--yes"]);
    rig.run(&["resume", "--yes"]).exits(0);
    assert_eq!(numbers(&rig), ["K-1", "K-2", "K-3"]);
}

#[test]
fn a_sheet_that_came_before_is_held_beside_a_newer_order_and_takes_nothing_back() {
    let rig = Rig::new();
    let refused = stated(&[(row("K-1"), "Confirmed", ""), (other("K-2"), "Confirmed", "do not ship")]);
    rig.file("first.csv", &refused);
    rig.run(&["import", "first.csv", "--yes"]).exits(4);
    let more = other("K-2").replace("Kurta,K-1", "Mug,M-1");
    rig.file("second.csv", &sheet([row_with("K-3", "9812345671", "560003"), other("K-2"), more]));
    rig.run(&["import", "second.csv", "--yes", "--max-orders", "1"]).exits(5);
    rig.run(&["accept", "cancelled-note", "--order", "K-2", "--because", "asked the customer"]).exits(0);
    let held = rig.import(&["first.csv"]);
    assert!(held.problems.iter().any(|own| own.case == "fewer_products"), "{held:?}");
    rig.run(&["resume", "--yes"]).exits(0);
    assert_eq!(rig.body_of("K-2")["productRequestsList"].as_array().unwrap().len(), 2);
}

#[test]
fn a_sheet_that_came_before_is_no_answer_to_what_a_newer_one_asks() {
    let rig = k_2_waits();
    rig.file("b.csv", &stated(&[(other("K-2"), "Confirmed", "do not ship")]));
    rig.run(&["import", "b.csv", "--yes"]).exits(3);
    rig.run(&["accept", "cancelled-note", "--order", "K-2", "--because", "asked the customer"]).exits(0);
    // The same as in the first sheet, with another order beside it: is it an old one?
    rig.file("c.csv", &sheet([row_with("K-3", "9812345671", "560003"), other("K-2")]));
    rig.run(&["import", "c.csv", "--yes"]).exits(4);
    let held = rig.import(&["b.csv"]);
    assert!(held.problems.iter().any(|own| own.case == "taken_back_since"), "{held:?}");
    rig.run(&["resume", "--yes"]);
    assert_eq!(numbers(&rig), ["K-1", "K-3"]);
    rig.run(&["accept", "old-sheet", "--order", "K-2", "--because", "asked the customer"]).exits(0);
    rig.run(&["resume", "--yes"]).exits(0);
    assert_eq!(numbers(&rig), ["K-1", "K-2", "K-3"]);
}

#[test]
fn a_sheet_whose_order_was_let_go_since_is_no_old_sheet() {
    // With the note the request is another one, with the state it is the same.
    for (state, note, rule) in [("Confirmed", "do not ship", "cancelled-note"), ("On hold", "", "order-state")] {
        let rig = k_2_waits();
        rig.file("b.csv", &stated(&[(other("K-2"), state, note)]));
        rig.run(&["import", "b.csv", "--yes"]).exits(3);
        rig.run(&["accept", rule, "--order", "K-2", "--because", "asked the customer"]).exits(0);
        rig.run(&["import", "b.csv", "--yes"]).exits(0);
        assert_eq!(numbers(&rig), ["K-1", "K-2"], "{rule}");
    }
}

#[test]
fn a_person_lets_a_cancelled_order_go_as_it_was() {
    for abandoned in [false, true] {
        let rig = k_2_waits();
        rig.file("b.csv", &stated(&[(other("K-2"), "Cancelled", "")]));
        rig.run(&["import", "b.csv", "--yes"]);
        rig.run(&["show", "K-2"]).exits(0).prints("cancelled in b.csv:2");
        if abandoned {
            rig.run(&["doubt", "abandon", "K-2", "--because", "the customer cancelled"]).exits(0);
        }
        rig.run(&["doubt", "not-booked", "K-2", "--because", "the customer wants it after all"]).exits(0);
        rig.run(&["resume", "--yes"]).exits(0);
        assert_eq!(numbers(&rig), ["K-1", "K-2"], "{abandoned}");
        rig.run(&["ledger", "check"]).exits(0);
    }
}

#[test]
fn a_cancellation_of_an_order_in_doubt_holds_once_it_proves_unsent() {
    let rig = Rig::new();
    rig.sandbox().script_order("K-2", [Answer::CutBefore]);
    rig.file("a.csv", &sheet([row("K-1"), other("K-2")]));
    rig.run(&["import", "a.csv", "--yes"]).exits(6);
    rig.file("b.csv", &stated(&[(other("K-2"), "Cancelled", "")]));
    rig.run(&["import", "b.csv", "--yes"]);
    let settled = rig.run(&["doubt", "not-booked", "K-2", "--because", "not in the portal"]);
    settled.exits(0).says("does not go: cancelled in b.csv:2");
    rig.run(&["resume", "--yes"]);
    assert_eq!(numbers(&rig), ["K-1"]);
    rig.run(&["doubt", "not-booked", "K-2", "--because", "it is wanted"]).exits(0).says("may be sent again");
    rig.run(&["resume", "--yes"]).exits(0);
    assert_eq!(numbers(&rig), ["K-1", "K-2"]);
}

#[test]
fn an_order_in_doubt_that_a_newer_sheet_corrects_goes_so_once_it_proves_unsent() {
    let rig = Rig::new();
    rig.sandbox().script_order("K-2", [Answer::CutBefore]);
    rig.file("a.csv", &sheet([row("K-1"), other("K-2")]));
    rig.run(&["import", "a.csv", "--yes"]).exits(6);
    rig.file("b.csv", &sheet([row_with("K-2", "9812345679", "560002")]));
    for _ in 0..2 {
        rig.run(&["import", "b.csv", "--yes"]);
    }
    rig.run(&["doubt", "not-booked", "K-2", "--because", "not in the portal"]).exits(0);
    rig.run(&["resume", "--yes"]).exits(0);
    assert_eq!(rig.body_of("K-2")["receiver"]["phoneNumber"], "9812345679");
    rig.run(&["ledger", "check"]).exits(0);
}

/// Promise 7: two receivers under one number are both held.
#[test]
fn two_receivers_under_one_number_are_both_held() {
    let rig = k_2_waits();
    let second =
        other("K-2").replace("Asha", "Vikram").replace("9812345670", "9898989898").replace("Kurta,K-1", "Mug,M-1");
    rig.file("shop.csv", &sheet([second.clone()]));
    let held = rig.import(&["shop.csv"]).only("held-back");
    held.holds().says("a.csv:3").advises("prefix = \"A-\"");
    assert_eq!(held.case, "other_receiver");
    rig.run(&["resume", "--yes"]).exits(0);
    // However often the first shop's sheet comes again, nobody has said which of the two is meant.
    for blank_lines in ["", "\n", "\n\n"] {
        rig.file("again.csv", &(rig.read("a.csv") + blank_lines));
        rig.import(&["again.csv"]).only("held-back").holds();
        rig.run(&["resume", "--yes"]).exits(0);
    }
    assert_eq!(numbers(&rig), ["K-1"]);
    // One shop gets a prefix; the other one's order is let go.
    rig.file("shop.toml", "prefix = \"A-\"\n");
    rig.run(&["import", "shop.csv", "--profile", "shop.toml", "--yes"]).exits(0);
    rig.run(&["import", "a.csv", "--yes", "--accept", "old-sheet:K-2", "--because", "another shop's"]).exits(0);
    assert_eq!(numbers(&rig), ["A-K-2", "K-1", "K-2"]);
    // One of the two alone is a correction.
    for corrected in [other("K-2").replace("9812345670", "9898989898"), other("K-2").replace("Asha", "Vikram")] {
        let rig = k_2_waits();
        rig.file("b.csv", &sheet([corrected]));
        rig.import(&["b.csv"]).books(0, 2);
    }
}

/// Promise 7: an unsent order that comes with fewer products is held.
#[test]
fn fewer_products_than_the_order_that_waits_are_held() {
    let rig = Rig::new();
    let two = [other("K-2"), other("K-2").replace("Kurta,K-1", "Mug,M-1")];
    rig.file("a.csv", &sheet([row("K-1")].into_iter().chain(two)));
    rig.run(&["import", "a.csv", "--yes", "--max-orders", "1"]).exits(5);
    rig.file("b.csv", &sheet([other("K-2")]));
    let held = rig.import(&["b.csv"]).only("held-back");
    held.holds().says("with 2 products, and has 1 here");
    rig.run(&["resume", "--yes"]).exits(0);
    assert_eq!(numbers(&rig), ["K-1"]);
    // What the answer is for goes: the order as the sheet has it that was asked about.
    let accept = ["accept", "fewer-products", "--order", "K-2", "--because", "one is out of stock"];
    rig.run(&accept).exits(0).says("next: `shipsheet resume` sends K-2");
    rig.run(&["resume", "--yes"]).exits(0);
    assert_eq!(rig.body_of("K-2")["productRequestsList"].as_array().unwrap().len(), 1);
}

#[cfg(unix)]
#[test]
fn at_a_terminal_another_shops_numbers_get_a_prefix() {
    let rig = k_2_waits();
    let second =
        other("K-2").replace("Asha", "Vikram").replace("9812345670", "9898989898").replace("Kurta,K-1", "Mug,M-1");
    rig.file("shop.csv", &sheet([second]));
    let mut terminal = Terminal::start(rig.command(&["import", "shop.csv"]));
    terminal.answer("a [p]refix", "p\n");
    terminal.answer("what should stand before the numbers", "A-\n");
    terminal.answer("the name of this shop", "shop\n");
    terminal.answer("Book 1 order for real?", "y\n");
    let (code, screen) = terminal.end();
    assert_eq!((code, numbers(&rig)), (Some(0), vec!["A-K-2".to_owned(), "K-1".to_owned()]), "{screen}");
    // The first shop's order is as it was, and the profile holds from now on.
    rig.run(&["resume", "--yes"]).exits(0);
    rig.run(&["import", "shop.csv", "--profile", "shop", "--yes"]).exits(0);
    assert_eq!(numbers(&rig), ["A-K-2", "K-1", "K-2"]);
}

#[test]
fn a_prefix_hides_nothing_of_what_is_wrong_with_a_number_and_takes_marks_off_first() {
    let rig = Rig::new();
    rig.file("shop.toml", "prefix = \"A-\"\n");
    let import = |text: &str| {
        rig.file("orders.csv", text);
        rig.import(&["orders.csv", "--profile", "shop.toml"])
    };
    import(&sheet([row("1001")])).books(0, 1);
    for same in ["1001.00", "1001.0", "'1001", "\"=\"\"1001\"\"\"", "1001."] {
        import(&sheet([row(same)]));
        assert_eq!(numbers(&rig), ["A-1001"], "{same}");
    }
    for wrong in ["4.50E+12", "NULL", "#N/A"] {
        let came = import(&sheet([row(wrong)]));
        assert!(!came.errors().is_empty() && numbers(&rig) == ["A-1001"], "{wrong}: {came:?}");
    }
}

#[test]
fn a_correction_that_something_else_holds_takes_the_first_form_back() {
    // K-2 waits; K-9 is in doubt, and the corrected K-2 looks like its parcel.
    let rig = Rig::new();
    let parcel = |number: &str, pin: &str| row_with(number, "9812345670", pin);
    rig.sandbox().script_order("K-9", [Answer::CutAfter]);
    rig.file("doubt.csv", &sheet([parcel("K-9", "560002")]));
    rig.run(&["import", "doubt.csv", "--yes"]).exits(6);
    rig.file("a.csv", &sheet([row("K-1"), row_with("K-2", "9898989898", "560009")]));
    rig.run(&["import", "a.csv", "--yes", "--max-orders", "1"]);
    rig.file("b.csv", &sheet([parcel("K-2", "560002")]));
    let came = rig.import(&["b.csv"]);
    assert!(came.problems.iter().any(|own| own.case == "taken_back"), "{came:?}");
    rig.run(&["resume", "--yes"]);
    assert!(!numbers(&rig).contains(&"K-2".to_owned()));
}

#[test]
fn a_row_that_is_left_out_takes_no_order_back_whose_other_rows_go() {
    let rig = Rig::new();
    rig.file("own.toml", "[[skip]]\ncolumn = \"Stage\"\nis = [\"dropped\"]\nbecause = \"the row is dropped\"\n");
    let text = |more: &str| {
        format!("{HEADER},Stage\n{},\n{},dropped\n{more}", row("K-1"), row("K-1").replace("Kurta,K-1", "Box,B-1"))
    };
    rig.sandbox().script_order("K-1", [Answer::Status(422, r#"{"message":"no"}"#.to_owned())]);
    for more in ["", "\n", "\n\n"] {
        rig.file("a.csv", &text(more));
        let came = rig.import(&["a.csv", "--profile", "own.toml"]);
        assert!(!came.problems.iter().any(|own| own.case == "taken_back"), "{came:?}");
    }
    // What the service refused goes again because a person asks, and not by itself.
    assert_eq!(rig.sandbox().book().requests(), 1);
}

#[test]
fn a_sheet_that_cannot_be_sent_takes_orders_back_too() {
    let rig = k_2_waits();
    let third = || (row_with("K-3", "9812345671", "560003"), "Confirmed", "");
    rig.file("b.csv", &stated(&[third(), (other("K-2"), "Cancelled", "")]));
    let mut without_token = rig.command(&["import", "b.csv", "--yes"]);
    without_token.env_remove("SHIPSHEET_TOKEN");
    ran(without_token).exits(1).says("SHIPSHEET_TOKEN");
    rig.run(&["resume", "--yes"]).exits(0);
    assert_eq!(numbers(&rig), ["K-1"]);
}
