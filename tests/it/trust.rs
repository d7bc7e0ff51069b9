//! A configuration that others could have written is not used, and no token goes to a new host unsaid.

use std::io::Read as _;
use std::os::unix::fs::{PermissionsExt, chown};
use std::process::Command;

use crate::rig::{Rig, ran, sheet_of};
use crate::terminal::Terminal;

/// This machine by an address that is not recognised as it, and a port where nobody listens.
const NEW_HOST: &str = "https://0.0.0.0:1";

/// A service on this machine, where nobody listens.
const HERE: &str = "http://127.0.0.1:1";

/// A rig whose configuration leaves a trace where its token command is run.
fn rig(base_url: &str) -> Rig {
    let rig = Rig::alone().patient_for("0");
    let settings =
        format!("base_url = \"{base_url}\"\ntoken_command = \"touch trace; echo a-token-of-twenty-signs\"\n");
    rig.file("shipsheet.toml", &settings);
    rig
}

const LET_IT_RUN: &str = "Let it run from now on? [y/N]";

/// The same with a service on this machine that the token may go to.
fn rig_of_known_host() -> Rig {
    let rig = rig(HERE);
    let state = rig.path(".local/state/shipsheet");
    std::fs::create_dir_all(&state).unwrap();
    std::fs::write(state.join("hosts"), format!("{HERE}\n")).unwrap();
    std::fs::set_permissions(state.join("hosts"), std::fs::Permissions::from_mode(0o600)).unwrap();
    rig
}

/// At a terminal this user lets the commands of the folder run.
fn allowed(rig: &Rig) {
    let mut terminal = Terminal::start(rig.command(&["service", "login"]));
    terminal.answer(LET_IT_RUN, "y\n");
    terminal.end();
}

#[test]
fn a_command_of_the_working_folder_runs_once_its_user_let_it() {
    let rig = rig_of_known_host();
    rig.file("orders.csv", &sheet_of(1));
    let runs = |arguments: &[&str]| {
        let ran = rig.run(arguments);
        let runs = rig.path("trace").exists();
        let _ = std::fs::remove_file(rig.path("trace"));
        (ran, runs)
    };
    std::fs::create_dir(rig.path("in")).unwrap();
    for arguments in
        [&["service", "login"][..], &["import", "orders.csv", "--yes"], &["watch", "in", "--once", "--rest", "0"]]
    {
        let (ran, runs) = runs(arguments);
        assert!(ran.exit == 1 && !runs, "{ran:?}");
        ran.says("this user never let run").says("`shipsheet service login` here once");
    }
    let (ran, is_run) = runs(&["doctor"]);
    assert!(!is_run);
    ran.exits(1).prints("this user never let run").prints("login` once by hand");
    assert!(runs(&["--config", "shipsheet.toml", "service", "login"]).1, "whoever names the file trusts it");
    assert!(!runs(&["check", "orders.csv"]).1 && !runs(&["service", "login"]).1, "for that once only");
    // A no is no.
    let mut terminal = Terminal::start(rig.command(&["import", "orders.csv", "--yes"]));
    terminal.answer(LET_IT_RUN, "n\n");
    let (code, screen) = terminal.end();
    assert!(code == Some(1) && screen.contains("touch trace; echo a-token-of-twenty-signs"), "{screen}");
    assert!(screen.contains("nothing of shipsheet.toml was run") && !rig.path("trace").exists(), "{screen}");
    allowed(&rig);
    assert!(runs(&["service", "login"]).1 && runs(&["doctor"]).1, "it was asked about once");
    // Another command is another question; the user's own file is none.
    let other = "base_url = \"http://127.0.0.1:1\"\ntoken_command = \"touch trace; echo another-token\"\n";
    rig.file("shipsheet.toml", other);
    assert!(!runs(&["service", "login"]).1);
    std::fs::create_dir_all(rig.path(".config/shipsheet")).unwrap();
    std::fs::rename(rig.path("shipsheet.toml"), rig.path(".config/shipsheet/shipsheet.toml")).unwrap();
    assert!(runs(&["service", "login"]).1);
}

#[test]
fn the_password_of_an_account_comes_from_no_command_that_nobody_let_run() {
    let rig = Rig::new();
    let account = "[auth]\nemail = \"a@b.example\"\npassword_command = \"touch trace; echo x\"\n";
    rig.file("shipsheet.toml", account);
    rig.file("orders.csv", &sheet_of(1));
    let mut command = rig.command(&["import", "orders.csv", "--yes"]);
    command.env_remove("SHIPSHEET_TOKEN");
    ran(command).exits(1).says("this user never let run");
    rig.run(&["service", "login"]).exits(1).says("this user never let run");
    // Where a token comes before the account, bookings ask for no password.
    rig.run(&["import", "orders.csv", "--yes"]).exits(0).says_nothing_of("never let run");
    assert!(!rig.path("trace").exists());
}

#[test]
fn a_command_that_tells_of_a_night_is_asked_about_as_well() {
    let rig = Rig::new();
    rig.file("orders.csv", &sheet_of(1));
    for command in [
        "[notify.owner]\nwhen = \"always\"\ncommand = \"touch trace\"\n",
        "[notify.owner]\nwhen = \"always\"\nwebhook_command = \"touch trace; echo http://127.0.0.1:1\"\n",
        "[notify.owner]\nwhen = \"always\"\nto = [\"a@b.example\"]\n[mail]\nserver = \"127.0.0.1\"\nport = 1\n\
         tls = \"none\"\nfrom = \"a@b.example\"\nuser = \"a\"\npassword_command = \"touch trace; echo x\"\n",
    ] {
        rig.file("shipsheet.toml", command);
        rig.run(&["import", "orders.csv", "--yes", "--notify"]).exits(1).says("this user never let run");
        rig.run(&["doctor", "--send-test"]).exits(1).prints("bad      notify").prints("this user never let run");
        assert!(!rig.path("trace").exists() && rig.bookings().is_empty(), "{command}");
    }
    rig.file("shipsheet.toml", "[notify.owner]\nwhen = \"always\"\ncommand = \"touch trace\"\n");
    rig.run(&["import", "orders.csv", "--yes"]).exits(0);
    assert!(!rig.path("trace").exists(), "nobody was to be told");
    allowed(&rig);
    rig.run(&["resume", "--yes", "--notify"]).says_nothing_of("never let run");
    assert!(rig.path("trace").exists());
}

#[test]
fn a_configuration_that_others_could_have_written_is_refused() {
    let rig = rig(HERE);
    let file = rig.path("shipsheet.toml");
    let refused = |says: &str| {
        for named in
            [&["service", "login"][..], &["--config", "shipsheet.toml", "service", "login"], &["check", "none.csv"]]
        {
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
    let ran = rig.run(&["--config", "shipsheet.toml", "service", "login"]);
    ran.says_nothing_of("other users");
    assert!(rig.path("trace").exists(), "{ran:?}");
}

#[test]
fn unattended_a_new_host_needs_a_word_of_the_user() {
    let rig = rig_of_known_host();
    allowed(&rig);
    std::fs::remove_file(rig.path("trace")).unwrap();
    rig.file("shipsheet.toml", &rig.read("shipsheet.toml").replace(HERE, NEW_HOST));
    rig.run(&["service", "login"]).exits(1).says("the token would go to https://0.0.0.0:1, where this user never");
    assert!(!rig.path("trace").exists(), "no token was made for it");
    let said = "note: the token goes to https://0.0.0.0:1, where this user never sent one";
    // The environment's word is the user's own.
    let mut command = rig.command(&["service", "login"]);
    command.env("SHIPSHEET_BASE_URL", NEW_HOST);
    let first = ran(command);
    first.says(said);
    assert!(rig.path("trace").exists(), "{first:?}");
    // From then on it is known, whoever names it.
    rig.run(&["service", "login"]).says_nothing_of("never sent one");
    let hosts = rig.path(".local/state/shipsheet/hosts");
    assert_eq!(hosts.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    std::fs::remove_file(hosts).unwrap();
    for arguments in [
        &["--config", "shipsheet.toml", "service", "login"][..],
        &["--base-url", "https://0.0.0.0:2", "service", "login"],
    ] {
        rig.run(arguments).says("note: the token goes to");
    }
}

#[test]
fn a_program_of_this_machine_gets_no_token_because_a_folder_says_so() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let here = format!("http://{}", listener.local_addr().unwrap());
    let own = Rig::alone().patient_for("1");
    own.file("shipsheet.toml", &format!("base_url = \"{here}\"\n"));
    own.file("orders.csv", &sheet_of(1));
    let run = |arguments: &[&str]| {
        let mut command = own.command(arguments);
        command.env("SHIPSHEET_TOKEN", "the-users-real-token");
        ran(command)
    };
    for arguments in [
        &["service", "login"][..],
        &["import", "orders.csv", "--yes"],
        &["service", "serviceability", "--from", "560048", "--to", "560001"],
    ] {
        run(arguments).exits(1);
    }
    run(&["service", "login"]).exits(1).says(format!("the token would go to {here}, where this user never sent one"));
    listener.set_nonblocking(true).unwrap();
    assert!(listener.accept().is_err(), "somebody called there");
    // `doctor` asks whether anybody is there, and says nobody's token.
    run(&["doctor"]).exits(1);
    let (mut asked, _) = listener.accept().unwrap();
    let mut said = String::new();
    let _ = asked.read_to_string(&mut said);
    assert!(said.starts_with("HEAD / ") && !said.to_lowercase().contains("authorization"), "{said}");
    // At a terminal it is asked about as any host is; who names it himself is not asked.
    let mut terminal = Terminal::start(own.command(&["service", "login"]));
    terminal.answer(&format!("The token goes to {here}, where this user never sent one. Go on? [y/N]"), "n\n");
    assert_eq!(terminal.end().0, Some(1));
    drop(listener);
    for own_word in
        [&["--base-url", &here, "service", "login"][..], &["--config", "shipsheet.toml", "service", "login"]]
    {
        run(own_word).says_nothing_of("never sent one");
    }
}

#[test]
fn no_command_inherits_the_secrets_of_the_program() {
    const SECRETS: [&str; 5] =
        ["SHIPSHEET_TOKEN", "SHIPSHEET_PASSWORD", "SHIPSHEET_SMTP_PASSWORD", "SHIPSHEET_WEBHOOK_SECRET", "PGPASSWORD"];
    let service = Rig::new().patient_for("0.1");
    service.file("orders.csv", &sheet_of(1));
    let seen = |name: &str| {
        let text = service.read(name);
        assert!(text.contains("PATH=") && text.contains("VAULT_TOKEN=of-another-program"), "{name}: {text}");
        SECRETS.into_iter().filter(|secret| text.contains(&format!("{secret}="))).collect::<Vec<_>>()
    };
    let run = |file: &str, arguments: &[&str], without: &[&str]| {
        service.file("own.toml", file);
        let mut command = service.command(&[&["--config", "own.toml"][..], arguments].concat());
        command.envs(SECRETS.map(|name| (name, "a-secret-of-twenty-signs"))).env("VAULT_TOKEN", "of-another-program");
        for name in without {
            command.env_remove(name);
        }
        ran(command)
    };
    // What gives the token, and what gives a password, which come in where the variable itself is not set.
    run("token_command = \"env > token; echo sandbox-token\"\n", &["service", "login"], &["SHIPSHEET_TOKEN"]);
    let account = "[auth]\nemail = \"a@b.example\"\npassword_command = \"env > password; echo x\"\n";
    run(account, &["service", "login"], &["SHIPSHEET_TOKEN", "SHIPSHEET_PASSWORD"]);
    let notified = "[notify.owner]\nwhen = \"always\"\ncommand = \"env > notified\"\n";
    run(notified, &["import", "orders.csv", "--yes", "--notify"], &[]);
    let hook = "[notify.owner]\nwhen = \"always\"\nwebhook_command = \"env > hook; echo http://127.0.0.1:1\"\n";
    run(hook, &["resume", "--yes", "--notify"], &[]);
    for name in ["token", "password", "notified", "hook"] {
        assert!(seen(name).is_empty(), "{name}: {:?}", seen(name));
    }
    // The database's own password is for the command that gives it.
    let ledger = "[ledger]\nfile = \"postgres://a@127.0.0.1:1/b\"\npassword_command = \"env > database; echo x\"\n";
    // With all the time that a command has: under load a tenth of a second is not enough for one.
    run(ledger, &["status"], &["SHIPSHEET_LEDGER", "SHIPSHEET_PATIENCE_SECONDS"]).exits(1);
    assert_eq!(seen("database"), ["PGPASSWORD"]);
}

#[test]
fn at_a_terminal_a_new_host_is_asked_about_once() {
    let rig = rig(NEW_HOST);
    let question = "The token goes to https://0.0.0.0:1, where this user never sent one. Go on? [y/N]";
    let mut terminal = Terminal::start(rig.command(&["service", "login"]));
    terminal.answer(question, "n\n");
    let (code, screen) = terminal.end();
    assert!(code == Some(1) && screen.contains("no token was sent"), "{screen}");
    assert!(!rig.path("trace").exists());
    let mut terminal = Terminal::start(rig.command(&["service", "login"]));
    terminal.answer(question, "y\n");
    terminal.answer(LET_IT_RUN, "y\n");
    terminal.end();
    assert!(rig.path("trace").exists());
    let (_, screen) = Terminal::start(rig.command(&["service", "login"])).end();
    assert!(!screen.contains("Go on?") && !screen.contains("Let it run"), "{screen}");
}

#[test]
fn ctrl_c_at_the_question_about_a_new_host_ends_the_program() {
    let rig = rig(NEW_HOST);
    rig.file("orders.csv", &sheet_of(1));
    let couriers = ["orders.csv", "--check-serviceability", "--pickup-pin", "560048"];
    let commands = [&["check"][..], &["import"]]
        .map(|command| [command, &couriers].concat())
        .into_iter()
        .chain([vec!["service", "serviceability", "--from", "560048", "--to", "560001"]]);
    for arguments in commands {
        let mut terminal = Terminal::start(rig.command(&arguments));
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
