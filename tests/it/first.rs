//! The first steps at a terminal: asked, tried against a service, shown, and written after a yes.

use std::os::unix::fs::PermissionsExt;

use shipsheet::sandbox::{DEFAULT_EMAIL, DEFAULT_PASSWORD};

use crate::rig::Rig;
use crate::terminal::Terminal;

const OWN: &str = ".config/shipsheet/shipsheet.toml";

/// The questions after the login, each left out.
const REST: [(&str, &str); 5] = [
    ("leave from", "\n"),
    ("The usual parcel", "\n"),
    ("The country", "\n"),
    ("The currency", "\n"),
    ("at night", "\n"),
];

fn begin(rig: &Rig) -> Terminal {
    Terminal::start(rig.command(&["service", "init"]))
}

fn answer_all(terminal: &mut Terminal, answers: &[(&str, &str)]) {
    for (question, answer) in answers {
        terminal.answer(question, answer);
    }
}

/// The address of a service that a rig without one is set up for.
fn line(address: &str) -> String {
    format!("{address}\n")
}

#[test]
fn an_account_is_set_up_and_everything_after_it_works() {
    let service = Rig::new();
    let rig = Rig::alone();
    let mut terminal = begin(&rig);
    terminal.answer("The service's address", "api.example.com\n");
    terminal.answer("The service's address", &line(&service.sandbox().base_url()));
    terminal.answer("E-mail address", "sandbox\n");
    terminal.shows("that is no e-mail address");
    terminal.answer("E-mail address", &line(DEFAULT_EMAIL));
    terminal.answer("The password:", "mist4ken\n");
    terminal.shows("that did not work");
    terminal.answer("Enter: log in again", "\n");
    terminal.answer("E-mail address", &line(DEFAULT_EMAIL));
    terminal.answer("The password:", "sandbux\u{7f}\u{7f}ox\n");
    terminal.shows(&format!("got a token from a login as {DEFAULT_EMAIL}"));
    terminal.shows("which changes nothing");
    terminal.answer("The id of the warehouse", "WH-1\n");
    terminal.shows("book one order alone first");
    terminal.answer("The usual parcel", "20 x 15 x 10\n");
    terminal.shows("4 numbers are needed");
    terminal.answer("The usual parcel", "20 15 10 heavy\n");
    terminal.shows("cannot be the Weight");
    terminal.answer("The usual parcel", "20 15 10 0.5\n");
    terminal.answer("The country that parcels go to, such as IN (Enter: each sheet says it)", "in\n");
    terminal.answer("The currency of prices [INR]", "\n");
    terminal.answer("at night", "inbox\n");
    terminal.shows("# Where to book");
    terminal.shows("[defaults]");
    assert!(!rig.path(".config").exists(), "it is only shown");
    terminal.answer("Write it? [Y/n]", "\n");
    terminal.shows("is written");
    terminal.shows("--max-orders 1");
    terminal.shows("night install");
    let (code, screen) = terminal.end();
    assert_eq!(code, Some(0), "{screen}");
    assert!(
        !screen.contains(DEFAULT_PASSWORD_TYPED) && !screen.contains("mist4ken"),
        "nothing is shown of it: {screen}"
    );
    let written = rig.read(OWN);
    assert!(written.contains("[auth]\nemail = ") && written.contains("warehouseId = \"WH-1\""), "{written}");
    let kept = rig.path(".config/shipsheet/password");
    assert_eq!(std::fs::read_to_string(&kept).unwrap(), DEFAULT_PASSWORD);
    assert_eq!(kept.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    assert!(rig.path("inbox").is_dir());
    rig.run(&["config", "show"]).exits(0);
    rig.run(&["service", "login"]).exits(0).says_nothing_of("never sent one");
}

/// Of the password no more than its beginning would show, were it echoed.
const DEFAULT_PASSWORD_TYPED: &str = "sandbux";

#[test]
fn a_warehouse_is_chosen_from_the_accounts_list_and_a_file_that_is_there_stays() {
    let service = Rig::new();
    let rig = Rig::alone();
    std::fs::create_dir_all(rig.path(".config/shipsheet")).unwrap();
    let before = "# ours\n[operations.list_warehouses] # as their page has it\npath = \"/sandbox/warehouses\"\n";
    rig.file(OWN, before);
    let mut terminal = begin(&rig);
    terminal.answer("The service's address", &line(&service.sandbox().base_url()));
    terminal.answer("E-mail address", "t\n");
    terminal.answer("The token:", "sandbox-token\n");
    terminal.shows("tried with list_warehouses");
    terminal.shows("1  Bengaluru (WH-1)");
    terminal.answer("by its number", "7\n");
    terminal.shows("is none of them");
    terminal.answer("by its number", "1\n");
    answer_all(&mut terminal, &REST[1..]);
    terminal.shows("+ warehouseId = \"WH-1\"");
    terminal.answer("Write it? [Y/n]", "maybe\n");
    terminal.shows("type y or n");
    terminal.answer("Write it? [Y/n]", "y\n");
    let (code, screen) = terminal.end();
    assert_eq!(code, Some(0), "{screen}");
    assert!(!screen.contains("one order alone") && !screen.contains("sandbox-token"), "{screen}");
    let written = rig.read(OWN);
    assert!(written.contains(before) && written.contains("warehouseId = \"WH-1\""), "{written}");
    assert_eq!(rig.read(".config/shipsheet/token"), "sandbox-token");
    let mut again = begin(&rig);
    again.answer("The service's address", "\n");
    again.answer("Keep it? [Y/n]", "\n");
    again.shows("the service takes the token");
    again.answer("by its number [WH-1]", "\n");
    answer_all(&mut again, &REST[1..]);
    again.shows("says all of this already");
    assert_eq!((again.end().0, rig.read(OWN)), (Some(0), written));
}

#[test]
fn nothing_is_written_where_somebody_stops_in_the_middle() {
    let service = Rig::new();
    let rig = Rig::alone();
    let mut terminal = begin(&rig);
    terminal.answer("The service's address", &line(&service.sandbox().base_url()));
    terminal.answer("E-mail address", &line(DEFAULT_EMAIL));
    terminal.answer("The password:", "sand\u{3}");
    let (code, screen) = terminal.end();
    assert_eq!(code, Some(1), "{screen}");
    assert!(screen.contains("nothing was written"), "{screen}");
    let mut terminal = begin(&rig);
    terminal.answer("The service's address", &line(&service.sandbox().base_url()));
    terminal.answer("E-mail address", "\n");
    terminal.shows("without one nothing can be booked");
    terminal.shows("leave from");
    terminal.interrupt();
    assert_eq!(terminal.end().0, None, "the signal ends it");
    let mut terminal = begin(&rig);
    terminal.answer("The service's address", &line(&service.sandbox().base_url()));
    terminal.answer("E-mail address", "\n");
    answer_all(&mut terminal, &REST);
    terminal.answer("Write it? [Y/n]", "n\n");
    assert_eq!(terminal.end().0, Some(0));
    assert!(!rig.path(".config").exists());
}

#[test]
fn an_address_where_nobody_answers_is_asked_for_again() {
    let service = Rig::new();
    let rig = Rig::alone().patient_for("0");
    let nobody = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let mut terminal = begin(&rig);
    terminal.answer("The service's address", &line(&format!("http://{nobody}")));
    terminal.answer("E-mail address", &line(DEFAULT_EMAIL));
    terminal.answer("The password:", &line(DEFAULT_PASSWORD));
    terminal.shows("that did not work");
    terminal.answer("a: another address", "x\n");
    terminal.shows("is none of these");
    terminal.answer("a: another address", "a\n");
    terminal.answer("The service's address", &line(&service.sandbox().base_url()));
    terminal.answer("E-mail address", &line(DEFAULT_EMAIL));
    terminal.answer("The password:", &line(DEFAULT_PASSWORD));
    terminal.shows("got a token");
    answer_all(&mut terminal, &REST);
    terminal.answer("Write it? [Y/n]", "y\n");
    let (code, screen) = terminal.end();
    assert_eq!(code, Some(0), "{screen}");
    assert!(rig.read(OWN).contains(&service.sandbox().base_url()));
}

#[test]
fn without_a_terminal_it_says_what_to_do_instead() {
    let rig = Rig::alone();
    rig.run(&["service", "init"]).exits(1).says("shipsheet template shipsheet.toml");
    rig.run(&["service", "init", "--sandbox"]).exits(2).says("needs no setup");
    rig.run(&["service", "init", "--format", "json"]).exits(2);
}
