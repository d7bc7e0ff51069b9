//! Questions about an order that comes otherwise or once more: what waits for an answer, and what an answer lets go.

use crate::rig::{Rig, row, row_with, sheet};
use crate::superseded::{k_2_waits, numbers, other, stated};

#[test]
fn an_order_that_a_question_holds_is_told_with_its_reason_and_released_by_its_own_answer() {
    let rig = k_2_waits();
    let second = other("K-2").replace("Asha", "Vikram").replace("9812345670", "9898989898");
    rig.file("shop.csv", &sheet([second]));
    rig.import(&["shop.csv"]).only("held-back");
    let (exit, status) = rig.json(&["status", "--run", "1"]);
    assert_eq!(
        (exit, &status["orders"]["held"], &status["orders"]["outstanding"]),
        (4, &1.into(), &0.into()),
        "{status}"
    );
    rig.run(&["show", "K-2"]).exits(0).prints("held in shop.csv:2 (other-receiver)");
    let rows = rig.results(&["--run", "1"]);
    assert!(rows.iter().any(|row| row["order_number"] == "K-2" && row["state"] == "held"), "{rows:?}");
    rig.run(&["resume", "--yes"]).exits(0);
    rig.run(&["retry", "K-2", "--yes"]).says("held: see `shipsheet show K-2`");
    // Another rule's answer is none, and an old sheet answers nothing.
    rig.run(&["accept", "fewer-products", "--order", "K-2", "--because", "no"]).exits(1);
    rig.run(&["resume", "--yes"]);
    assert_eq!(numbers(&rig), ["K-1"]);
    let accept = ["accept", "other-receiver", "--order", "K-2", "--because", "a present"];
    rig.run(&accept).exits(0).says("next: `shipsheet resume` sends K-2");
    rig.run(&["resume", "--yes"]).exits(0);
    assert_eq!(rig.body_of("K-2")["receiver"]["phoneNumber"], "9898989898");
    rig.run(&["ledger", "check"]).exits(0);
}

#[test]
fn a_cancellation_stands_until_somebody_answers_whatever_comes_after_it() {
    let rig = k_2_waits();
    rig.file("b.csv", &stated(&[(other("K-2"), "Cancelled", "")]));
    rig.run(&["import", "b.csv", "--yes"]);
    rig.import(&["a.csv"]).only("held-back");
    rig.file("c.csv", &sheet([row_with("K-2", "9812345670", "")]));
    rig.run(&["import", "c.csv", "--yes"]).exits(3);
    rig.file("d.csv", &sheet([row_with("K-2", "9812345679", "560002")]));
    rig.import(&["d.csv"]).only("held-back").holds().says("cancelled in b.csv:2");
    rig.run(&["resume", "--yes"]);
    assert_eq!(numbers(&rig), ["K-1"]);
    // What a newer sheet says once more ends the question, so that no answer to it lets the order go.
    rig.file("e.csv", &stated(&[(other("K-2"), "", "do not ship")]));
    rig.run(&["import", "e.csv", "--yes"]);
    rig.run(&["show", "K-2"]).exits(0).prints("left_out\n  error: cancelled in b.csv:2");
    rig.run(&["accept", "old-sheet", "--order", "K-2", "--because", "it is wanted"]);
    rig.run(&["resume", "--yes"]);
    assert_eq!(numbers(&rig), ["K-1"]);
}

#[test]
fn an_old_sheet_displaces_no_question_and_another_receiver_is_always_named() {
    let rig = k_2_waits();
    let second = other("K-2").replace("Asha", "Vikram").replace("9812345670", "9898989898");
    rig.file("shop.csv", &sheet([second]));
    for _ in 0..2 {
        assert_eq!(rig.import(&["shop.csv"]).only("held-back").case, "other_receiver");
        assert_eq!(rig.import(&["a.csv"]).errors().len(), 1);
    }
    rig.run(&["show", "K-2"]).exits(0).prints("held in shop.csv:2 (other-receiver)");
    let kept = "SELECT count(*) FROM requests q JOIN orders o ON o.id = q.order_id WHERE o.number = 'K-2'";
    assert_eq!(rig.database().query_row(kept, [], |row| row.get::<_, i64>(0)).unwrap(), 2);
    rig.run(&["accept", "other-receiver", "--order", "K-2", "--because", "a present"]).exits(0);
    rig.run(&["resume", "--yes"]).exits(0);
    assert_eq!(rig.body_of("K-2")["receiver"]["phoneNumber"], "9898989898");
}

#[test]
fn an_answer_is_for_the_content_that_was_shown() {
    let rig = Rig::new();
    let product = |name: &str| other("K-2").replace("Kurta,K-1", name);
    rig.file("a.csv", &sheet([row("K-1"), other("K-2"), product("Mug,M-1"), product("Cap,C-1")]));
    rig.run(&["import", "a.csv", "--yes", "--max-orders", "1"]).exits(5);
    rig.file("b.csv", &sheet([other("K-2"), product("Mug,M-1")]));
    rig.run(&["import", "b.csv", "--yes"]).exits(3);
    rig.file("c.csv", &sheet([other("K-2")]));
    rig.run(&["import", "c.csv", "--yes", "--all-or-nothing"]).exits(3);
    let accept = ["accept", "fewer-products", "--order", "K-2", "--because", "one is out of stock"];
    rig.run(&accept).exits(0).says("import SHEET").says_nothing_of("resume");
    rig.run(&["resume", "--yes"]);
    assert_eq!(numbers(&rig), ["K-1"]);
}

#[test]
fn a_question_of_a_sheet_that_was_refused_as_a_whole_is_answered_as_well() {
    let rig = k_2_waits();
    let second = other("K-2").replace("Asha", "Vikram").replace("9812345670", "9898989898");
    rig.file("shop.csv", &sheet([second, row_with("K-3", "9812345671", "")]));
    rig.run(&["import", "shop.csv", "--yes", "--all-or-nothing"]).exits(3);
    let accept = ["accept", "other-receiver", "--order", "K-2", "--because", "a present"];
    rig.run(&accept).exits(0).says("next: `shipsheet resume` sends K-2");
    rig.run(&["resume", "--yes"]).exits(0);
    assert_eq!(rig.body_of("K-2")["receiver"]["phoneNumber"], "9898989898");
    rig.run(&["ledger", "check"]).exits(0);
}

#[test]
fn a_parcel_that_an_answer_released_is_known_when_it_comes_under_another_number() {
    let rig = Rig::new();
    let two = [other("K-2"), other("K-2").replace("Kurta,K-1", "Mug,M-1")];
    rig.file("a.csv", &sheet([row("K-1")].into_iter().chain(two)));
    rig.run(&["import", "a.csv", "--yes", "--max-orders", "1"]).exits(5);
    rig.file("b.csv", &sheet([other("K-2")]));
    rig.import(&["b.csv"]).only("held-back");
    rig.run(&["accept", "fewer-products", "--order", "K-2", "--because", "one is out of stock"]).exits(0);
    rig.run(&["resume", "--yes"]).exits(0);
    let came = rig.check_text(&sheet([other("K-9")]));
    assert!(came.problems.iter().any(|problem| problem.code == "same-shipment"), "{came:?}");
}

#[test]
fn a_question_about_an_order_without_a_date_of_its_own_is_kept() {
    let rig = Rig::new();
    let undated = |text: String| {
        let line = |line: &str| {
            line.split(',').enumerate().filter(|(at, _)| *at != 1).map(|(_, cell)| cell).collect::<Vec<_>>().join(",")
        };
        text.lines().map(line).collect::<Vec<_>>().join("\n")
    };
    let two = [other("K-2"), other("K-2").replace("Kurta,K-1", "Mug,M-1")];
    rig.file("a.csv", &undated(sheet([row("K-1")].into_iter().chain(two))));
    rig.run(&["import", "a.csv", "--yes", "--max-orders", "1"]).exits(5);
    rig.file("b.csv", &undated(sheet([other("K-2")])));
    rig.run(&["import", "b.csv", "--yes"]).exits(3);
    rig.run(&["accept", "fewer-products", "--order", "K-2", "--because", "one is out of stock"]).exits(0);
    rig.run(&["resume", "--yes"]).exits(0);
    assert_eq!(rig.body_of("K-2")["productRequestsList"].as_array().unwrap().len(), 1);
}
