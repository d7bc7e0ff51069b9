//! Remarks that no word of the program covers, and a person's own words for them.

use crate::rig::{HEADER, Rig, row};

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
