//! One service under several addresses: asked about before anything is sent twice.

use shipsheet::sandbox::Answer;

use crate::rig::{Ran, Rig, row, sheet, sheet_of};
use crate::terminal::Terminal;

/// The address of the rig's service under another name.
fn elsewhere(rig: &Rig) -> String {
    format!("http://localhost:{}", rig.sandbox().address().port())
}

/// Its address as the rig has it.
fn here(rig: &Rig) -> String {
    format!("http://{}", rig.sandbox().address())
}

/// Runs a command at that address.
fn at(rig: &Rig, address: &str, arguments: &[&str]) -> Ran {
    rig.run(&[&["--base-url", address], arguments].concat())
}

/// Promise 9: orders that are known at one address are not sent to another unattended.
#[test]
fn a_sheet_that_is_booked_under_another_address_is_not_sent_unattended() {
    let rig = Rig::booked("", 6);
    let other = elsewhere(&rig);
    let ran = at(&rig, &other, &["import", "orders.csv", "--yes"]);
    assert_eq!((ran.exit, rig.bookings().len()), (1, 6), "{ran:?}");
    let known = format!("the numbers of 6 orders are known at {} already: 6 booked", here(&rig));
    for part in [
        "nothing was sent",
        known.as_str(),
        "(ORD-0001, ORD-0002, ORD-0003 and 3 more)",
        &format!("--base-url {other} service same {} --because", here(&rig)),
        &format!("service different {} --because", here(&rig)),
    ] {
        ran.says(part);
    }
    let dry = at(&rig, &other, &["import", "orders.csv", "--dry-run"]);
    dry.exits(0).says(&known);
    let came = rig.came(&["--base-url", &other, "import", "orders.csv", "--yes"]);
    came.exits(1).tells_first("could-not-run").says("service same");
    // New numbers are nobody's business.
    rig.file("new.csv", &sheet([row("NEW-1")]));
    at(&rig, &other, &["import", "new.csv", "--yes"]).exits(0);
    assert_eq!(rig.bookings().len(), 7);
}

#[test]
fn once_two_addresses_are_the_same_every_command_finds_the_orders_of_both() {
    let rig = Rig::booked("", 6);
    let other = elsewhere(&rig);
    let said = at(&rig, &other, &["service", "same", &here(&rig), "--because", "told by the vendor"]);
    said.exits(0).says("are one service from now on");
    let ran = at(&rig, &other, &["import", "orders.csv", "--yes"]);
    assert_eq!((ran.exit, rig.bookings().len()), (0, 6), "{ran:?}");
    ran.says("6 booked already and unchanged");
    for command in [
        &["label", "--run", "1", "--to", "labels.pdf"][..],
        &["track", "ORD-0001"],
        &["track", "--run", "1"],
        &["cancel", "ORD-0006", "--yes"],
        &["ledger", "check"],
    ] {
        let ran = at(&rig, &other, command);
        ran.exits(0);
    }
    let listed = rig.run(&["service", "same"]);
    let line = format!("{} is the same service as {other}: said ", here(&rig));
    listed.prints(&line).prints("because: told by the vendor").prints(format!("{}: 6 orders, configured", here(&rig)));
    for (wrong, code) in [
        (["same", &other, "--because", "x"], 2),
        (["same", &here(&rig), "--because", " "], 2),
        (["same", "nowhere", "--because", "x"], 1),
    ] {
        let ran = at(&rig, &other, &[&["service"], &wrong[..]].concat());
        ran.exits(code);
    }
}

#[test]
fn what_is_in_doubt_under_one_address_is_in_doubt_under_the_other() {
    let rig = Rig::new();
    rig.file("orders.csv", &sheet([row("ORD-0001").replace("Asha", "Ravi"), row("ORD-0002")]));
    rig.sandbox().script_order("ORD-0002", [Answer::CutAfter]);
    rig.run(&["import", "orders.csv", "--yes"]).exits(6);
    let other = elsewhere(&rig);
    let ran = at(&rig, &other, &["import", "orders.csv", "--yes"]);
    ran.exits(1).says("1 booked and 1 in doubt (ORD-0001, ORD-0002)");
    at(&rig, &other, &["service", "same", &here(&rig), "--because", "it is"]).exits(0);
    let ran = at(&rig, &other, &["import", "orders.csv", "--yes"]);
    assert_eq!((ran.exit, rig.bookings().len()), (6, 2), "{ran:?}");
    let awb = rig.bookings().into_iter().find(|(number, _)| number == "ORD-0002").unwrap().1;
    let word = at(&rig, &other, &["doubt", "booked", "ORD-0002", "--awb", &awb, "--because", "seen"]);
    word.exits(0);
    rig.run(&["import", "orders.csv", "--yes"]).exits(0);
}

#[test]
fn another_service_books_its_own_orders_once_it_is_said_to_be_another() {
    let (rig, second) = (Rig::booked("", 2), Rig::new());
    let there = here(&second);
    let ran = at(&rig, &there, &["import", "orders.csv", "--yes"]);
    assert_eq!((ran.exit, second.bookings().len()), (1, 0), "{ran:?}");
    let said = at(&rig, &there, &["service", "different", &here(&rig), "--because", "another account"]);
    said.exits(0).says("are two services from now on");
    let ran = at(&rig, &there, &["import", "orders.csv", "--yes"]);
    assert_eq!((ran.exit, rig.bookings().len(), second.bookings().len()), (0, 2, 2), "{ran:?}");
}

#[test]
fn at_a_terminal_each_address_is_asked_about_once() {
    let rig = Rig::booked("", 2);
    let other = elsewhere(&rig);
    let arguments = ["--base-url", &other, "import", "orders.csv", "--yes"];
    let question = format!("Is {} the same service as {other}?", here(&rig));
    for answer in ["\n", "perhaps\n"] {
        let mut terminal = Terminal::start(rig.command(&arguments));
        terminal.answer(&question, answer);
        let (code, screen) = terminal.end();
        assert_eq!(code, Some(1), "{screen}");
        assert!(screen.contains("nothing was sent and nothing was recorded"), "{screen}");
    }
    let mut terminal = Terminal::start(rig.command(&arguments));
    terminal.answer(&question, "y\n");
    let (code, screen) = terminal.end();
    assert_eq!((code, rig.bookings().len()), (Some(0), 2), "{screen}");
    let (code, screen) = Terminal::start(rig.command(&arguments)).end();
    assert!(code == Some(0) && !screen.contains("same service as"), "{screen}");

    // A no is remembered as well.
    let second = Rig::new();
    let there = here(&second);
    let arguments = ["--base-url", &there, "import", "orders.csv", "--yes"];
    let mut terminal = Terminal::start(rig.command(&arguments));
    terminal.answer(" the same service as ", "n\n");
    let (code, screen) = terminal.end();
    assert_eq!((code, second.bookings().len(), rig.bookings().len()), (Some(0), 2, 2), "{screen}");
    assert_eq!(screen.matches("anything else sends nothing").count(), 1, "one question for both addresses: {screen}");
}

#[test]
fn resume_and_retry_ask_as_well_and_leave_alone_what_the_service_has() {
    let rig = Rig::new();
    let other = elsewhere(&rig);
    rig.file("orders.csv", &sheet_of(3));
    // One refused and two outstanding at the other address; then all are booked here.
    rig.sandbox().script_order("ORD-0001", [Answer::Status(422, r#"{"message": "no"}"#.to_owned())]);
    at(&rig, &other, &["import", "orders.csv", "--yes", "--max-orders", "1"]).exits(5);
    rig.run(&["import", "orders.csv", "--yes"]).exits(0);
    for command in [["resume", "--yes"], ["retry", "--yes"]] {
        let ran = at(&rig, &other, &command);
        ran.exits(1).says("service same");
    }
    at(&rig, &other, &["service", "same", &here(&rig), "--because", "it is"]).exits(0);
    for (command, left) in [(["resume", "--yes"], "2 orders"), (["retry", "--yes"], "1 order")] {
        let ran = at(&rig, &other, &command);
        let said = format!("left alone, {left} that this service has at another address");
        ran.exits(0).says(&said);
    }
    assert_eq!(rig.bookings().len(), 3);
}

#[test]
fn practice_never_stands_in_the_way() {
    let rig = Rig::new();
    rig.file("orders.csv", &sheet_of(2));
    let ledger = rig.path("ledger.sqlite").display().to_string();
    let practise = ["--sandbox", "--ledger", &ledger, "import", "orders.csv", "--yes"];
    rig.run(&practise).exits(0);
    rig.run(&["import", "orders.csv", "--yes"]).exits(0);
    assert_eq!(rig.bookings().len(), 2);
    rig.file("more.csv", &sheet([row("M-1")]));
    rig.run(&["import", "more.csv", "--yes"]).exits(0);
    let practise = ["--sandbox", "--ledger", &ledger, "import", "more.csv", "--yes"];
    rig.run(&practise).exits(0);
    rig.run(&["--sandbox", "--ledger", &ledger, "service", "same", &here(&rig), "--because", "x"]).exits(2);
}
