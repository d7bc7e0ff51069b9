//! The file for somebody who helps: it says how the program stands, and nothing of anybody.

use shipsheet::sandbox::{Answer, Options};

use crate::rig::{Rig, row_with, sheet};

const TOKEN: &str = "canary-token-5d1f0a7c93";
const PASSWORD: &str = "canary-password-88b1e2";

/// What is planted; in small letters, as the text is looked through.
const CANARIES: [&str; 16] = [
    "canar",
    "crescent",
    "jaipur",
    "98765",
    "01234",
    "302017",
    "88b1e2",
    "5d1f0a",
    "rani",
    "zqx",
    "7731",
    "tester",
    "sbx",
    "geheim",
    "hooks.example",
    "wh-4711",
];

const CONFIGURATION: &str = "# Canarina of 77 Canary Crescent, 9876501234
[booking]
max_orders = 500
[defaults]
\"sellerNote\" = \"Canarina Rani\"
[warehouses]
\"Canarina's garage\" = \"wh-4711\"
\"WH-1\" = \"wh-4711\"
[serviceability]
pickup_pin = \"302017\"
[notify.canarina]
webhook = \"https://hooks.example.org/canary-geheim\"
[notify.rani]
command = \"echo canary-geheim | mail canarina@example.org\"
[backup]
folder = \"Canarina backups\"
[log]
file = \"Canarina.log\"
";

/// Orders of Canarina's, of which the service books one, refuses one in her name, and loses one.
fn rig() -> Rig {
    let rig = Rig::serving(Options { token: TOKEN.to_owned(), ..Options::default() }).patient_for("0.01");
    let number = |of: u32| format!("ZQX-7731-{of}");
    let row = |of: u32| {
        row_with(&number(of), "9876501234", "302017")
            .replace("Asha", "Canarina")
            .replace("14 MG Road", "77 Canary Crescent")
            .replace("Bengaluru", "Jaipur")
            .replace("Karnataka", "Rajasthan")
    };
    let invalid = row_with(&number(9), "98765", "302017").replace("Asha", "Canarina");
    rig.file("Canarina orders.csv", &sheet((1..=4).map(row).chain([invalid])));
    let refused = r#"{"message":["wrong address: Canarina, 77 Canary Crescent, Jaipur 302017, 98765 01234, canarina@example.org"]}"#;
    rig.sandbox().script_order(&number(2), [Answer::Status(400, refused.to_owned())]);
    rig.sandbox().script_order(&number(3), [Answer::CutAfter]);
    rig.sandbox().script_order(&number(4), [Answer::BookedThen(502, "<b>Canarina</b> 9876501234".to_owned())]);
    rig.file("shipsheet.toml", CONFIGURATION);
    std::fs::create_dir(rig.path("Canarina backups")).unwrap();
    rig
}

/// A command that knows the configuration and a password.
fn ran(rig: &Rig, arguments: &[&str]) -> crate::rig::Ran {
    let mut command = rig.command(&[arguments, &["--config", "shipsheet.toml"]].concat());
    command.env("SHIPSHEET_PASSWORD", PASSWORD);
    crate::rig::ran(command)
}

/// The file that is written; nothing that was planted is in it.
#[track_caller]
fn bundle(rig: &Rig) -> String {
    let made = ran(rig, &["doctor", "--bundle", "helper.txt", "--folder", "Canarina folder", "--yes"]);
    made.exits(0).says("helper.txt is what a helper needs to see");
    let text = rig.read("helper.txt");
    let lower = text.to_lowercase();
    for canary in CANARIES {
        let line = lower.lines().find(|line| line.contains(canary));
        assert!(line.is_none(), "{canary} is told: {line:?}\n{text}");
    }
    let home = rig.path("");
    assert!(!text.contains(home.to_str().unwrap().trim_end_matches('/')), "the home folder is told\n{text}");
    text
}

#[test]
fn a_bundle_says_how_the_program_stands_and_nothing_of_anybody() {
    let rig = rig();
    std::fs::create_dir(rig.path("Canarina folder")).unwrap();
    rig.file("Canarina folder/Canarina Rani.pdf", "no sheet");
    ran(&rig, &["import", "Canarina orders.csv", "--yes"]).exits(6);
    ran(&rig, &["doubt", "not-booked", "ZQX-7731-3", "--because", "Canarina Rani said so on 9876501234"]).exits(0);
    ran(&rig, &["dismiss", "ZQX-7731-9", "--because", "told by Canarina"]).exits(0);
    let log = rig.read("Canarina.log");
    assert!(log.contains("ZQX-7731-2"), "{log}");
    let planted = "{\"event\":\"note\",\"order\":\"ZQX-7731-2\",\"said\":\"Canarina Rani, 98765 01234\",\"phone\":9876501234}\n\
        Canarina fell over 77 Canary Crescent\n";
    rig.file("Canarina.log", &format!("{log}{planted}"));
    let text = bundle(&rig);
    for told in [
        "== program\nversion ",
        "max_orders = 500",
        "SHIPSHEET_TOKEN",
        "layout 21; this program writes 21",
        "5 orders",
        "sound",
        "in doubt: 1 order (order-",
        "refused ",
        "wrong address: …",
        "1 import ",
        "order=order-",
        "phone-form",
        "Order Number",
        "Receiver First Name",
    ] {
        assert!(text.contains(told), "{told} is missing:\n{text}");
    }
    // An order is the same one in the log and among those that are open.
    let open = text.lines().find(|line| line.starts_with("in doubt: 1 order (")).unwrap();
    let name = open.split(['(', ')']).nth(1).unwrap();
    assert!(text.contains(&format!("order={name} ")) || text.contains(&format!("order={name}\n")), "{name}\n{text}");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = std::fs::metadata(rig.path("helper.txt")).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode, 0o600);
    }
}

#[test]
fn what_cannot_be_read_is_told_without_what_is_in_it() {
    let rig = rig();
    // A sheet without headers, a ledger that is none, profiles and a configuration with mistakes in them.
    ran(&rig, &["import", "Canarina orders.csv", "--yes"]).exits(6);
    rig.file("Canarina orders.csv", "ZQX-7731-1,Canarina Rani,9876501234,77 Canary Crescent\n");
    std::fs::create_dir_all(rig.path(".config/shipsheet/profiles")).unwrap();
    rig.file(".config/shipsheet/profiles/canarina.toml", "recognised_by = [\"Canarina\", \"Zqx\"]\n");
    let text = bundle(&rig);
    assert!(text.contains("the first row looks like an order") || text.contains("== last sheet\n"), "{text}");
    rig.file(".config/shipsheet/profiles/canarina.toml", "canarina = 9876501234\n");
    bundle(&rig);
    std::fs::rename(rig.path("ledger.sqlite"), rig.path("aside.sqlite")).unwrap();
    rig.file("ledger.sqlite", "Canarina Rani, 9876501234");
    let text = bundle(&rig);
    assert!(text.contains("is not a ledger of shipsheet"), "{text}");
    rig.file("shipsheet.toml", "token = \"canary-geheim\"\ncanarina = 9876501234\n");
    let text = bundle(&rig);
    assert!(text.contains("== configuration that cannot be used\n"), "{text}");
}

#[test]
fn a_bundle_is_written_by_a_yes_and_over_its_own_file_alone() {
    let rig = Rig::booked("", 1);
    rig.run(&["doctor", "--bundle", "helper.txt"]).exits(2).says("--yes");
    assert!(!rig.path("helper.txt").exists());
    rig.run(&["doctor", "--bundle", "helper.txt", "--yes"]).exits(0);
    rig.run(&["doctor", "--bundle", "helper.txt", "--yes"]).exits(0);
    rig.file("helper.txt", "somebody's own");
    rig.run(&["doctor", "--bundle", "helper.txt", "--yes"]).exits(1);
    assert_eq!(rig.read("helper.txt"), "somebody's own");
    rig.run(&["doctor", "--bundle", "helper.txt", "--yes", "--force"]).exits(0);
    assert!(rig.read("helper.txt").starts_with("shipsheet: what a helper needs to see\n"));
}

#[cfg(unix)]
#[test]
fn a_terminal_shows_the_bundle_before_it_is_written() {
    use crate::terminal::Terminal;
    let rig = Rig::booked("", 1);
    for (answer, is_written) in [("n\n", false), ("y\n", true)] {
        let mut terminal = Terminal::start(rig.command(&["doctor", "--bundle", "helper.txt"]));
        terminal.shows("== program");
        terminal.shows("== profiles");
        assert!(!rig.path("helper.txt").exists(), "it was not read yet");
        terminal.answer("Write this to helper.txt? [y/N]", answer);
        let (code, screen) = terminal.end();
        assert_eq!((code, rig.path("helper.txt").exists()), (Some(0), is_written), "{screen}");
    }
}
