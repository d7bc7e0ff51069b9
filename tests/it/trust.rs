//! A configuration that others could have written is not used, and no token goes to a new host unsaid.

use std::os::unix::fs::{PermissionsExt, chown};
use std::process::Command;

use crate::rig::{Rig, ran, sheet_of};
use crate::terminal::Terminal;

/// This machine by an address that is not recognised as it, and a port where nobody listens.
const NEW_HOST: &str = "https://0.0.0.0:1";

/// A rig whose configuration leaves a trace where its token command is run.
fn rig(base_url: &str) -> Rig {
    let rig = Rig::alone();
    let settings =
        format!("base_url = \"{base_url}\"\ntoken_command = \"touch trace; echo a-token-of-twenty-signs\"\n");
    rig.file("shipsheet.toml", &settings);
    rig
}

#[test]
fn a_configuration_that_others_could_have_written_is_refused() {
    let rig = rig("http://127.0.0.1:1");
    let file = rig.path("shipsheet.toml");
    let refused = |says: &str| {
        for named in [&["login"][..], &["--config", "shipsheet.toml", "login"], &["check", "none.csv"]] {
            let ran = rig.run(named);
            assert!(ran.exit == 1 && ran.stderr.contains(says), "{named:?}: {ran:?}");
            assert!(!rig.path("trace").exists(), "{named:?}: its command was run");
        }
    };
    for mode in [0o646, 0o666, 0o602] {
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(mode)).unwrap();
        refused("other users may write to shipsheet.toml, and could have a command run");
    }
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o644)).unwrap();
    // Only root can give files away.
    if chown(&file, Some(65_534), None).is_ok() {
        refused("shipsheet.toml belongs to another user (number 65534)");
        chown(&file, Some(0), None).unwrap();
    }
    // A group with others in it: of all groups, those that this user does not own.
    if chown(&file, None, Some(65_534)).is_ok() {
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o664)).unwrap();
        refused("`chmod go-w shipsheet.toml`");
    }
    // What the message says mends it.
    assert!(Command::new("chmod").arg("go-w").arg(&file).status().unwrap().success());
    let ran = rig.run(&["login"]);
    ran.says_nothing_of("other users");
    assert!(rig.path("trace").exists(), "{ran:?}");
}

#[test]
fn unattended_a_new_host_needs_a_word_of_the_user() {
    let rig = rig(NEW_HOST);
    rig.run(&["login"]).exits(1).says("the token would go to https://0.0.0.0:1, where this user never");
    assert!(!rig.path("trace").exists(), "no token was made for it");
    let said = "note: the token goes to https://0.0.0.0:1, where this user never sent one";
    // The environment's word is the user's own.
    let mut command = rig.command(&["login"]);
    command.env("SHIPSHEET_BASE_URL", NEW_HOST);
    let first = ran(command);
    first.says(said);
    assert!(rig.path("trace").exists(), "{first:?}");
    // From then on it is known, whoever names it.
    rig.run(&["login"]).says_nothing_of("never sent one");
    let hosts = rig.path(".local/state/shipsheet/hosts");
    assert_eq!(hosts.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    std::fs::remove_file(hosts).unwrap();
    for arguments in [&["--config", "shipsheet.toml", "login"][..], &["--base-url", "https://0.0.0.0:2", "login"]] {
        rig.run(arguments).says("note: the token goes to");
    }
}

#[test]
fn at_a_terminal_a_new_host_is_asked_about_once() {
    let rig = rig(NEW_HOST);
    let question = "The token goes to https://0.0.0.0:1, where this user never sent one. Go on? [y/N]";
    let mut terminal = Terminal::start(rig.command(&["login"]));
    terminal.answer(question, "n\n");
    let (code, screen) = terminal.end();
    assert!(code == Some(1) && screen.contains("no token was sent"), "{screen}");
    assert!(!rig.path("trace").exists());
    let mut terminal = Terminal::start(rig.command(&["login"]));
    terminal.answer(question, "y\n");
    terminal.end();
    assert!(rig.path("trace").exists());
    let (_, screen) = Terminal::start(rig.command(&["login"])).end();
    assert!(!screen.contains("Go on?"), "{screen}");
}

#[test]
fn ctrl_c_at_the_question_about_a_new_host_ends_the_program() {
    let rig = rig(NEW_HOST);
    rig.file("orders.csv", &sheet_of(1));
    let couriers = ["orders.csv", "--check-serviceability", "--pickup-pin", "560048"];
    let commands = [&["check"][..], &["import"]]
        .map(|command| [command, &couriers].concat())
        .into_iter()
        .chain([vec!["serviceability", "--from", "560048", "--to", "560001"]]);
    for arguments in commands {
        let terminal = Terminal::start(rig.command(&arguments));
        terminal.shows("Go on? [y/N]");
        terminal.interrupt();
        let (code, screen) = terminal.end();
        assert!(code.is_none(), "{arguments:?}: {code:?}, {screen}");
        assert!(!rig.path("trace").exists(), "{arguments:?}: a token was made");
    }
}

#[test]
fn a_new_host_is_asked_about_only_where_something_is_to_be_asked_of_it() {
    let rig = rig(NEW_HOST);
    rig.file("orders.csv", &sheet_of(1));
    let check = ["check", "orders.csv", "--check-serviceability", "--pickup-pin", "560048"];
    rig.run(&[&check[..], &["--ledger", "ledger.sqlite"]].concat())
        .exits(1)
        .says("1 to ask for")
        .says("never sent one");
    // A ledger that knows the answer already.
    let other = Rig::new();
    other.file("orders.csv", &sheet_of(1));
    other.run(&[&["import"], &check[1..], &["--dry-run"]].concat()).exits(0);
    let database = other.database();
    assert_eq!(database.execute("UPDATE routes SET service = ?1", [NEW_HOST]).unwrap(), 1);
    drop(database);
    let ledger = other.path("ledger.sqlite");
    let known = [&check[..], &["--ledger", ledger.to_str().unwrap()]].concat();
    rig.run(&known).exits(0).says("1 known, 0 to ask for").says_nothing_of("never sent one");
    assert!(!rig.path("trace").exists(), "a token was made");
}
