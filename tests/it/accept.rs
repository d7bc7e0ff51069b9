//! Accepting what a rule holds: once, for good, and only as long as the cells stay as they are.

use serde_json::{Value, json};

use crate::rig::{Came, HEADER, Rig, row, row_with, sheet, two_at};
#[cfg(unix)]
use crate::terminal::Terminal;

/// A COD order whose total is another one than it comes to.
fn other_total() -> String {
    two_at("499", "COD", "Order Total", "1200")
}

fn rules_of(came: &Came) -> Vec<String> {
    let problems = came.document["problems"].as_array().unwrap();
    problems.iter().map(|problem| format!("{} {}", problem["rule"], problem["level"]).replace('"', "")).collect()
}

fn accepted(rig: &Rig) -> Vec<(String, Option<String>, String)> {
    let database = rig.database();
    let mut statement =
        database.prepare("SELECT rule, number, because FROM decisions WHERE rule IS NOT NULL ORDER BY id").unwrap();
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).unwrap();
    rows.map(Result::unwrap).collect()
}

/// Nothing in the ledger was altered, and every link of the evidence holds.
#[track_caller]
fn is_sound(rig: &Rig, links: u64) {
    let (exit, document) = rig.json(&["ledger", "check"]);
    assert_eq!((exit, &document["evidence"]), (0, &json!(links)), "{document:#}");
}

#[test]
fn an_order_that_is_accepted_goes_with_the_import_and_the_ledger_keeps_who_and_why() {
    let rig = Rig::new();
    let held = rig.import_text(&other_total());
    held.held("total-differs");
    let remedies = held.document["problems"][0]["remedies"].as_array().unwrap();
    let accept = json!({"do": "accept", "rule": "total-differs", "order": "A-1", "sheet": null});
    assert!(remedies.contains(&accept), "{remedies:?}");
    rig.run(&["check", "orders.csv"]).says("or: add `--accept total-differs:A-1` to send it as it is");
    let came = rig.import(&["orders.csv", "--accept", "total-differs:A-1", "--because", "rounded by hand"]);
    let warned = came.collects("998.00").warned("total-differs");
    warned.says("; accepted by ");
    let word = &came.document["problems"][0]["accepted"];
    assert_eq!((&word["because"], word["at_ms"].is_i64()), (&json!("rounded by hand"), true), "{word}");
    assert_eq!(accepted(&rig), [("total-differs".into(), Some("A-1".into()), "rounded by hand".into())]);
    is_sound(&rig, 4);
    let (_, evidence) = rig.json(&["show", "A-1", "--evidence"]);
    let evidence = evidence.to_string();
    assert!(evidence.contains("accepted finding") && evidence.contains("rounded by hand"), "{evidence}");
    // What is kept of the cells tells them from others, and no more.
    let basis = "SELECT basis FROM decisions WHERE rule IS NOT NULL";
    let basis: String = rig.database().query_row(basis, [], |row| row.get(0)).unwrap();
    assert!(basis.contains("Order Total") && !basis.contains("1200"), "{basis}");
}

/// Promise 6: an accepted finding stays accepted until its cells change.
#[test]
fn what_is_accepted_before_the_import_holds_until_the_cells_change() {
    let rig = Rig::new();
    rig.import_text(&other_total()).held("total-differs");
    let ran = rig.run(&["accept", "total-differs", "--order", "A-1", "--because", "the customer knows"]);
    ran.exits(0).says("total-differs is accepted for order A-1").says("as long as the cells stay as they are");
    is_sound(&rig, 2);
    // A row above, or another note, changes nothing of it.
    let (header, order) =
        (other_total().lines().next().unwrap().to_owned(), other_total().lines().nth(1).unwrap().to_owned());
    let above = format!("{header}\n{},998\n{order}\n", row("A-0").replace("499.90", "499"));
    let came = rig.check_text(&above);
    assert!(came.errors().is_empty() && rules_of(&came).contains(&"total-differs warn".to_owned()), "{came:?}");
    // Another price is another matter.
    let changed = rig.import_text(&other_total().replace("499", "450"));
    changed.held("total-differs").says(", and \"Price\" changed since");
    // The second word is for the new cells; the first one still is for the old.
    rig.run(&["accept", "total-differs", "--order", "A-1", "--because", "again"]).exits(0);
    assert_eq!(rules_of(&rig.check_text(&other_total().replace("499", "450"))), ["total-differs warn"]);
    let came = rig.import_text(&other_total());
    came.collects("998.00");
    assert_eq!(rules_of(&came), ["total-differs warn"]);
    is_sound(&rig, 6);
}

#[test]
fn a_rule_alone_is_accepted_of_all_that_it_holds() {
    let rig = Rig::new();
    rig.file("orders.csv", &sheet([row_with("A-1", "12345", "560001"), row_with("A-2", "54321", "56"), row("A-3")]));
    let came = rig.import(&["orders.csv", "--accept", "phone-form"]);
    assert_eq!(came.booked(), ["A-1", "A-3"], "{came:?}");
    assert_eq!(came.request_of("A-1")["receiver"]["phoneNumber"], "12345");
    assert_eq!(came.errors().iter().map(|own| own.code.as_str()).collect::<Vec<_>>(), ["bad-pin-code"]);
    // What was accepted of the order that stayed is kept as well.
    assert_eq!(accepted(&rig).len(), 2);
    let came = rig.import(&["orders.csv", "--accept", "pin-form:A-2"]);
    assert_eq!(came.request_of("A-2")["receiver"]["phoneNumber"], "54321", "{came:?}");
}

#[test]
fn nothing_is_recorded_where_nothing_is_imported() {
    let rig = Rig::new();
    rig.import_text(&other_total()).held("total-differs");
    for arguments in [&["check", "orders.csv"][..], &["import", "orders.csv", "--dry-run"]] {
        let came = rig.came(&[arguments, &["--accept", "total-differs"]].concat());
        assert_eq!((came.exit, rules_of(&came)), (0, vec!["total-differs warn".to_owned()]), "{came:?}");
    }
    assert!(accepted(&rig).is_empty());
    rig.check(&["orders.csv"]).held("total-differs");
}

#[test]
fn what_cannot_be_accepted_is_refused_and_says_why() {
    let rig = Rig::new();
    rig.file("orders.csv", &other_total());
    for (word, says) in [
        ("total-difers", "`total-difers` is no rule; did you mean `total-differs`?"),
        ("unreadable-cell", "`unreadable-cell` cannot be accepted: it is a fault"),
        ("order-known", "`order-known` cannot be accepted: the ledger says so"),
        ("in-doubt", "`in-doubt` cannot be accepted: the ledger says so"),
        ("left-out", "`left-out` cannot be accepted: it holds nothing back"),
        ("total-differs:", "name orders behind the colon"),
    ] {
        rig.run(&["import", "orders.csv", "--yes", "--accept", word]).exits(2).says(says);
        let rule = word.trim_end_matches(':');
        if rule == word {
            rig.run(&["accept", rule, "--order", "A-1", "--because", "so"]).exits(2).says(says);
        }
    }
    let accept =
        |order: &str, because: &str| rig.run(&["accept", "phone-form", "--order", order, "--because", because]);
    accept("A-1", "so").exits(1).says("no import recorded it as held").says("--accept phone-form:A-1");
    rig.import(&["orders.csv"]).held("total-differs");
    accept("A-1", " ").exits(2).says("no reason was given");
    accept("A-1", "so").exits(1).says("order A-1 is not held by phone-form, but by total-differs");
    accept("A-11", "so").exits(1).says("no import recorded it as held; did you mean A-1?");
    rig.import_text(&format!("{HEADER}\n{}\n", row("A-1").replace("499.90", "four"))).held("bad-number");
    accept("A-1", "so").exits(1).says("but by value-form (cannot be accepted)");
    assert!(accepted(&rig).is_empty());
    rig.file("orders.csv", &other_total());
    let ran = rig.run(&["check", "orders.csv", "--accept", "total-differs:A-11", "--accept", "phone-form"]);
    ran.exits(3)
        .says("--accept total-differs:A-11 changes nothing: total-differs does not hold this order; did you mean A-1?");
    ran.says("--accept phone-form changes nothing: phone-form holds no order here");
}

#[test]
fn the_history_of_an_order_says_what_was_accepted_of_it() {
    let rig = Rig::new();
    rig.file("orders.csv", &other_total());
    rig.import(&["orders.csv"]).held("total-differs");
    rig.run(&["accept", "total-differs", "--order", "A-1", "--because", "a rebate"]).exits(0);
    rig.import(&["orders.csv"]).exits(0);
    rig.run(&["show", "A-1"]).exits(0).prints("total-differs accepted by").prints(", because: a rebate");
}

#[test]
fn nothing_that_may_be_booked_already_is_accepted_away() {
    let rig = Rig::new();
    rig.import_text(&sheet([row("ORD-01")])).books(0, 1);
    let changed = sheet([row("ORD-01").replace("14 MG Road", "22 Park Street")]);
    rig.file("orders.csv", &changed);
    let all: Vec<String> = shipsheet::rule::RULES
        .iter()
        .filter(|rule| matches!(rule.kind, shipsheet::rule::RuleKind::Rule(_)))
        .flat_map(|rule| ["--accept".to_owned(), rule.id.to_string()])
        .collect();
    let all: Vec<&str> = std::iter::once("orders.csv").chain(all.iter().map(String::as_str)).collect();
    let came = rig.import(&all);
    assert_eq!(came.errors()[0].code, "changed-after-booking", "{came:?}");
    let remedies: Vec<&Value> =
        came.document["problems"].as_array().unwrap().iter().map(|own| &own["remedies"]).collect();
    assert!(remedies.iter().all(|own| !own.to_string().contains("\"accept\"")), "{remedies:?}");
    rig.file("orders.csv", &sheet([row("ord 1")]));
    assert_eq!(rig.import(&all).errors()[0].code, "same-shipment");
    assert_eq!(rig.bookings().len(), 1);
}

#[test]
fn neighbours_couriers_and_whole_sheets_are_accepted_as_well() {
    let rig = Rig::new();
    rig.file("orders.csv", &sheet([row("A-1"), row("a 1").replace("14 MG Road", "22 Park Street")]));
    rig.file("shipsheet.toml", "[rules]\nsame-line = \"hold\"\nsame-shipment = \"hold\"\n");
    let came = rig.import(&["orders.csv", "--accept", "same-shipment"]);
    assert_eq!(came.booked().len(), 2, "{came:?}");

    let rig = Rig::new();
    rig.file("orders.csv", &sheet([row_with("A-1", "9876543210", "560009").replace("PREPAID", "COD")]));
    let ask = ["orders.csv", "--check-serviceability", "--pickup-pin", "560048"];
    rig.import(&ask).held("payment-not-serviceable");
    rig.run(&["accept", "not-serviceable", "--order", "A-1", "--because", "asked the courier"]).exits(0);
    rig.import(&ask).warned("payment-not-serviceable").says("; accepted by ");

    let rig = Rig::new();
    let own = "[columns]\norderNumber = \"Order Number\"\n[[hold]]\ncolumn = \"Shop State\"\nis = [\"review\"]\nbecause = \"so\"\n";
    rig.file("own.toml", own);
    rig.file("orders.csv", &sheet([row("A-1")]));
    let named = ["orders.csv", "--profile", "own.toml"];
    rig.check(&named).held("layout-changed");
    rig.import(&[&named[..], &["--accept", "layout-changed"]].concat()).warned("layout-changed");
    // From then on this sheet is read so, and no other one.
    rig.check(&named).exits(0);
    rig.file("others.csv", &sheet([row("A-2")]));
    let other = rig.check(&["others.csv", "--profile", "own.toml"]);
    other.exits(3).only("layout-changed").holds();
}

/// An order of whose rate two things are wrong: the second is said once the first is answered.
fn with_a_rate_of_two_cases() -> Rig {
    let rig = Rig::new();
    rig.file("own.toml", "[columns]\n\"productRequestsList.taxRate\" = \"GST Amount\"\n");
    rig.file("orders.csv", &two_at("499", "PREPAID", "GST Amount", "180"));
    rig
}

#[test]
fn what_comes_up_behind_an_accepted_case_of_its_rule_is_held() {
    let named = ["orders.csv", "--profile", "own.toml"];
    let rig = with_a_rate_of_two_cases();
    rig.import(&named).held("bad-number").says("not between 0 and 100");
    let accepting = [&named[..], &["--accept", "tax-unclear:A-1"]].concat();
    rig.import(&accepting).held("ambiguous-number").says("says an amount");
    rig.import(&accepting).books(0, 1);
    // Beforehand, what the last import held is accepted.
    let rig = with_a_rate_of_two_cases();
    for code in ["bad-number", "ambiguous-number"] {
        rig.import(&named).held(code);
        rig.run(&["accept", "tax-unclear", "--order", "A-1", "--because", "so"]).exits(0);
    }
    rig.import(&named).books(0, 1);
}

#[cfg(unix)]
#[test]
fn at_a_terminal_what_comes_up_behind_an_answer_is_asked_about() {
    let rig = with_a_rate_of_two_cases();
    let mut terminal = Terminal::start(rig.command(&["import", "orders.csv", "--profile", "own.toml"]));
    terminal.answer("1 order is held by `tax-unclear`", "s\n");
    terminal.shows("says an amount");
    terminal.answer("1 order is held by `tax-unclear`", "s\n");
    terminal.answer("Book 1 order for real?", "y\n");
    let (code, screen) = terminal.end();
    assert_eq!((code, rig.bookings().len(), accepted(&rig).len()), (Some(0), 1, 2), "{screen}");
}

#[cfg(unix)]
#[test]
fn at_a_terminal_each_rule_is_asked_about() {
    let rig = Rig::new();
    let rows =
        [row_with("A-1", "12345", "560001"), row_with("A-2", "54321", "56"), row_with("A-3", "9876543210", "57")];
    rig.file("orders.csv", &sheet(rows));
    let start = || Terminal::start(rig.command(&["import", "orders.csv"]));
    let mut terminal = start();
    terminal.answer("2 orders are held by `phone-form`", "l\n");
    terminal.answer("1 order is held by `pin-form`", "\n");
    let (code, screen) = terminal.end();
    assert_eq!((code, rig.bookings().len()), (Some(3), 0), "{screen}");
    let mut terminal = start();
    let question = "[s]end them as they are / [l]eave them / [sh]ow them, or type the order numbers to send only these, such as A-1?";
    terminal.answer(question, "sh\n");
    terminal.shows("found \"54321\"");
    terminal.answer(question, "s\n");
    terminal.answer("2 orders are held by `pin-form`", "s\n");
    terminal.answer("Book 3 orders for real?", "y\n");
    let (code, screen) = terminal.end();
    assert_eq!((code, rig.bookings().len()), (Some(0), 3), "{screen}");
    assert_eq!(accepted(&rig).len(), 4, "{screen}");
    assert!(accepted(&rig).iter().all(|(_, _, because)| because == "answered when asked before sending"));
    // Each thing is told once, however often the sheet is planned anew.
    assert_eq!(screen.matches("error[phone-form]").count(), 2, "at first, and as shown: {screen}");
    // Of several orders, some may be named.
    let numbers = ["B-1", "B-2", "B 3", "B-4"];
    rig.file("more.csv", &sheet(numbers.map(|number| row_with(number, "12345", "560001"))));
    for (answer, booked) in [("b-2 b-4", 2), ("B 3, B-1", 2)] {
        let mut terminal = Terminal::start(rig.command(&["import", "more.csv"]));
        terminal.answer("or type the order numbers to send only these, such as B-1?", &format!("{answer}\n"));
        terminal.answer(&format!("Book {booked} orders for real?"), "y\n");
        terminal.end();
    }
    assert_eq!(rig.bookings().len(), 7);
}
