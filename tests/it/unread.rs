//! Remarks that no word of the program covers, and a person's own words for them.

use crate::rig::{HEADER, Rig, row};
use crate::terminal::Terminal;

/// Orders with these remarks.
fn remarks(texts: &[&str]) -> String {
    let rows = texts.iter().zip(1..).map(|(text, number)| format!("{},{text}", row(&format!("A-{number}"))));
    format!("{HEADER},Remarks\n{}\n", rows.collect::<Vec<_>>().join("\n"))
}

fn rig(settings: &str) -> Rig {
    let rig = Rig::new();
    rig.file("orders.csv", &remarks(&["stitch the blue one", "ask Ravi", "ask Ravi", "gift wrap", "mat bhejna", ""]));
    rig.file("shipsheet.toml", settings);
    rig
}

#[test]
fn remarks_that_nobody_could_read_are_listed_with_their_counts_and_go() {
    let came = rig("").import(&["orders.csv"]);
    assert_eq!(came.booked(), ["A-1", "A-2", "A-3", "A-4", "A-6"]);
    let unread = came.only("unread-remark");
    unread.is_warning().says("3 remarks of orders that go").says("2 × \"ask Ravi\", 1 × \"stitch the blue one\"");
    unread.advises("[words] harmless = [\"ask Ravi\"]").advises("[words] hold = [\"ask Ravi\"]");
}

#[test]
fn a_night_may_hold_them() {
    let came = rig("[rules.unattended]\nunread-remarks = \"hold\"\n").import(&["orders.csv"]);
    assert_eq!(came.booked(), ["A-4", "A-6"]);
    let held = came.all("unread-remark");
    assert_eq!(held.len(), 3, "{held:?}");
    held[0].holds().says("\"stitch the blue one\"").advises("[words] harmless = [\"stitch the blue one\"]");
    let came = rig("[rules]\nunread-remarks = \"off\"\n").import(&["orders.csv"]);
    assert!(!came.has("unread-remark") && came.booked().len() == 5);
}

#[test]
fn own_words_of_the_configuration_and_of_a_profile_are_read() {
    let came = rig("[words]\nharmless = [\"mat bhejna\", \"Stitch the blue one!\"]\nhold = [\"ravi\"]\n")
        .import(&["orders.csv"]);
    assert_eq!(came.booked(), ["A-1", "A-4", "A-5", "A-6"]);
    assert!(!came.has("unread-remark"));
    let rig = rig("[words]\nremove = [\"mat bhejna\"]\n");
    let own = "[columns]\norderNumber = \"Order Number\"\n[words]\nhold = [\"blue one\"]\nharmless = [\"ask ravi\"]\n";
    rig.file("own.toml", own);
    let came = rig.import(&["orders.csv", "--profile", "own.toml"]);
    assert_eq!(came.booked(), ["A-2", "A-3", "A-4", "A-5", "A-6"]);
    rig.file("shipsheet.toml", "[words]\nhold = [\"?!\"]\n");
    rig.run(&["check", "orders.csv"]).exits(1).says("[words] \"?!\" has no word in it");
}

#[test]
fn at_a_terminal_each_is_asked_about_and_the_answer_is_kept() {
    let rig = rig("");
    let mut terminal = Terminal::start(rig.command(&["import", "orders.csv"]));
    terminal.answer("2 × \"ask Ravi\": [h]armless / hol[d] its orders", "x\n");
    terminal.answer("\"x\" is no answer", "d\n");
    terminal.answer("1 × \"stitch the blue one\": [h]armless", "h\n");
    // What `mat bhejna` means, the program knows.
    terminal.answer("1 order is held by `cancelled-note`", "l\n");
    terminal.answer("Book 3 orders for real?", "y\n");
    let (code, screen) = terminal.end();
    assert_eq!((code, rig.bookings().len()), (Some(4), 3), "{screen}");
    assert!(screen.contains("kept under [words]"), "{screen}");
    let settings = std::fs::read_to_string(rig.path("shipsheet.toml")).unwrap();
    assert!(settings.contains("hold = [\"ask Ravi\"]") && settings.contains("harmless = [\"stitch the blue one\"]"));
    // The next sheet is read by them, and nobody is asked again.
    rig.file("orders.csv", &remarks(&["", "", "", "", "", "", "ask ravi", "stitch the blue one"]));
    let came = rig.import(&["orders.csv"]);
    assert!(
        !came.has("unread-remark") && came.booked().contains(&"A-8") && !came.booked().contains(&"A-7"),
        "{came:?}"
    );
}

#[test]
fn at_a_terminal_all_can_be_called_harmless_at_once() {
    let rig = Rig::new();
    let texts = ["blue thread", "ask Ravi", "godown band", "two of each", "like mum had", "see mail", "top shelf"];
    rig.file("orders.csv", &remarks(&texts));
    rig.file("shipsheet.toml", "");
    let mut terminal = Terminal::start(rig.command(&["import", "orders.csv"]));
    terminal.answer("1 × \"ask Ravi\": [h]armless / hol[d] its orders / [a]ll 7 are harmless", "\n");
    terminal.answer("[a]ll 6 are harmless", "a\n");
    terminal.answer("Book 7 orders for real?", "y\n");
    let (code, screen) = terminal.end();
    assert_eq!((code, rig.bookings().len()), (Some(0), 7), "{screen}");
    let settings = std::fs::read_to_string(rig.path("shipsheet.toml")).unwrap();
    assert!(settings.contains("\"two of each\"") && !settings.contains("ask Ravi"), "{settings}");
}
