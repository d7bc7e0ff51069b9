//! Remarks that no word of the program covers: answered once, kept in a profile, and a firm's own words for them.

use serde_json::json;
use shipsheet::app::draft::{Draft, DraftAnswer};
use shipsheet::app::{LayoutChange, Meaning, ValueKind};
use shipsheet::event::Stream;

use crate::drafts::{self, Desk, answer, dropped, states};
use crate::rig::{HEADER, Rig, Table, row};
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
    unread.advises("import the sheet at a terminal or on the desk to say once what they mean");
    assert_eq!(
        came.document["sheets"][0]["questions"],
        json!([{"column": "Remarks", "choices": ["go", "hold", "cancelled", "sent", "paid"], "values": [
            {"value": "ask Ravi", "rows": 2}, {"value": "stitch the blue one", "rows": 1}]}])
    );
}

#[test]
fn a_night_may_hold_them() {
    let came = rig("[rules.unattended]\nunread-remarks = \"hold\"\n").import(&["orders.csv"]);
    assert_eq!(came.booked(), ["A-4", "A-6"]);
    let held = came.all("unread-remark");
    assert_eq!(held.len(), 3, "{held:?}");
    held[0].holds().says("\"stitch the blue one\"").advises("to say once what it means");
    let came = rig("[rules]\nunread-remarks = \"off\"\n").import(&["orders.csv"]);
    assert!(!came.has("unread-remark") && came.booked().len() == 5);
    assert_eq!(came.document["sheets"][0]["questions"], json!([]), "nobody is asked where nothing depends on it");
}

#[test]
fn words_of_the_configuration_are_read_in_all_sheets_and_answers_of_a_profile_in_its_own() {
    let came = rig("[words]\nharmless = [\"mat bhejna\", \"Stitch the blue one!\"]\nhold = [\"ravi\"]\n")
        .import(&["orders.csv"]);
    assert_eq!(came.booked(), ["A-1", "A-4", "A-5", "A-6"]);
    assert!(!came.has("unread-remark"));
    let came = rig("[words]\nremove = [\"mat bhejna\"]\n").import(&["orders.csv"]);
    assert_eq!(came.booked().len(), 6, "{came:?}");
    let by = |values: &str| {
        let rig = rig("");
        rig.file("own.toml", &format!("[columns]\norderNumber = \"Order Number\"\n[values.Remarks]\n{values}\n"));
        let came = rig.import(&["orders.csv", "--profile", "own.toml"]);
        assert!(!came.has("unread-remark"), "{came:?}");
        came.booked().join(" ")
    };
    assert_eq!(by("hold = [\"Stitch the blue one\"]\ngo = [\"ask ravi\"]"), "A-2 A-3 A-4 A-6");
    // What the program would hold goes where a person says so of this very remark.
    assert_eq!(by("hold = [\"Stitch the blue one\"]\ngo = [\"ask ravi\", \"mat bhejna\"]"), "A-2 A-3 A-4 A-5 A-6");
    assert_eq!(by("go = [\"*\"]\nhold = [\"gift wrap\"]"), "A-1 A-2 A-3 A-5 A-6");
    let rig = rig("");
    rig.file("shipsheet.toml", "[words]\nhold = [\"?!\"]\n");
    rig.run(&["check", "orders.csv"]).exits(1).says("[words] \"?!\" has no word in it");
}

#[test]
fn at_a_terminal_each_is_asked_about_before_the_plan_and_the_answer_is_kept() {
    let rig = rig("");
    let mut terminal = Terminal::start(rig.command(&["import", "orders.csv"]));
    terminal.shows("\"Remarks\" may say whether orders go. What do 2 values mean?");
    terminal.shows("Enter leave it open, send its orders");
    terminal.answer("\"ask Ravi\" × 2:", "u\n");
    terminal.answer("Type one of the letters above", "h\n");
    terminal.answer("\"stitch the blue one\" × 1:", "g\n");
    terminal.answer("name, or n to use it this once [orders]:", "counter\n");
    terminal.shows("kept as counter");
    // The program knows `mat bhejna`; remarks that were answered are not asked about again.
    terminal.answer("1 order is held by `cancelled-note`", "l\n");
    terminal.answer("Book 3 orders for real?", "y\n");
    let (code, screen) = terminal.end();
    assert_eq!((code, rig.bookings().len()), (Some(4), 3), "{screen}");
    let profile = rig.read(".config/shipsheet/profiles/counter.toml");
    for kept in ["[values.Remarks]", "hold = [\"ask Ravi\"]", "go = [\"stitch the blue one\"]"] {
        assert!(profile.contains(kept), "{profile}");
    }
    assert_eq!(rig.read("shipsheet.toml"), "");
    // The next sheet is read by them, and nobody is asked again.
    rig.file("orders.csv", &remarks(&["", "", "", "", "", "", "ask ravi", "stitch the blue one"]));
    rig.run(&["explain", "orders.csv", "A-7"])
        .prints("\"ask Ravi\" means hold")
        .prints("you said that it means hold")
        .prints("you said so (profile counter)");
    let came = rig.import(&["orders.csv"]);
    assert!(
        !came.has("unread-remark") && came.booked().contains(&"A-8") && !came.booked().contains(&"A-7"),
        "{came:?}"
    );
}

#[test]
fn at_a_terminal_the_rest_of_many_gets_one_answer_or_the_column_is_not_about_shipping() {
    let texts: Vec<String> = (0..23_u8).map(|own| format!("zx{} lorem", char::from(b'a' + own))).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let rig = Rig::new();
    rig.file("orders.csv", &remarks(&texts));
    rig.file("shipsheet.toml", "");
    let mut terminal = Terminal::start(rig.command(&["check", "orders.csv"]));
    for number in 1..=20 {
        terminal.answer(&format!("{number:>2} of 20 "), "\n");
    }
    terminal.answer("the other 3 values, all of them:", "h\n");
    terminal.answer("name, or n to use it this once [orders]:", "n\n");
    let (code, screen) = terminal.end();
    assert!(code == Some(3) && screen.contains("20 orders good, 3 invalid"), "{screen}");
    // Such a column goes on being sent as a note of the seller.
    let mut terminal = Terminal::start(rig.command(&["import", "orders.csv"]));
    terminal.answer(" 1 of 20 ", "n\n");
    terminal.answer("name, or n to use it this once [orders]:", "counter\n");
    terminal.answer("Book 23 orders for real?", "y\n");
    let (code, screen) = terminal.end();
    assert_eq!(code, Some(0), "{screen}");
    assert_eq!(rig.body_of("A-1")["sellerNote"], "zxa lorem");
    let profile = rig.read(".config/shipsheet/profiles/counter.toml");
    assert!(profile.contains("[values.Remarks]\ngo = [\"*\"]"), "{profile}");
    assert_eq!(rig.check(&["orders.csv"]).document["sheets"][0]["questions"], json!([]));
}

#[test]
fn remarks_of_a_layout_that_the_program_knows_are_answered_in_a_profile_on_top_of_it() {
    let rig = Rig::of_a_shop();
    let shop = Table::of(&[
        ("Name", &["#1", "#2"]),
        ("Financial Status", &["paid", "paid"]),
        ("Fulfillment Status", &["unfulfilled", "unfulfilled"]),
        ("Cancelled at", &["", ""]),
        ("Currency", &["INR", "INR"]),
        ("Lineitem quantity", &["1", "2"]),
        ("Lineitem name", &["Kurta", "Scarf"]),
        ("Lineitem price", &["600.00", "99.00"]),
        ("Shipping Name", &["Emily Rao", "Mike Das"]),
        ("Shipping Address1", &["14 MG Road", "2 Ring Road"]),
        ("Shipping City", &["Bengaluru", "Surat"]),
        ("Shipping Zip", &["560001", "395001"]),
        ("Shipping Province", &["KA", "GJ"]),
        ("Shipping Country", &["IN", "IN"]),
        ("Shipping Phone", &["9876543210", "9876543211"]),
        ("Payment Method", &["Razorpay", "Razorpay"]),
        ("Notes", &["zxcv brown", "vuiq lorem"]),
    ]);
    rig.file("shop.csv", &shop.text());
    let mut terminal = Terminal::start(rig.command(&["import", "shop.csv"]));
    terminal.answer("\"zxcv brown\" × 1:", "h\n");
    terminal.answer("\"vuiq lorem\" × 1:", "g\n");
    terminal.answer("name, or n to use it this once [shop]:", "\n");
    terminal.shows("\"zxcv brown\", which holds its order by your answer");
    terminal.answer("Book 1 order for real?", "y\n");
    let (code, screen) = terminal.end();
    assert_eq!(code, Some(4), "{screen}");
    assert_eq!(rig.body_of("#2")["sellerNote"], "vuiq lorem");
    let profile = rig.read(".config/shipsheet/profiles/shop.toml");
    assert!(profile.contains("based_on = \"shopify\"") && profile.contains("[values.Notes]"), "{profile}");
    let came = rig.check(&["shop.csv"]);
    assert_eq!(came.document["sheets"][0]["questions"], json!([]), "{came:?}");
}

#[test]
fn remarks_are_answered_like_other_values_and_kept_with_the_layout() {
    let desk = Desk::new();
    let app = desk.app();
    let text = drafts::sheet(6, |order, cells| {
        cells[drafts::REMARKS as usize] = ["zxcv brown", "vuiq", ""][order % 3].to_owned();
    });
    let mut draft = dropped(&app, "packing.csv", text.as_bytes());
    let asked = |draft: &mut Draft| draft.columns(&app, &mut Stream::silent()).unwrap()[0].values.clone();
    let [question] = &asked(&mut draft)[..] else { panic!("one question: {:?}", asked(&mut draft)) };
    assert_eq!((question.kind, question.holds), (ValueKind::Remark, false));
    assert_eq!(question.unknown, [("zxcv brown".to_owned(), 3), ("vuiq".to_owned(), 2)]);
    let means = |all: &[(&str, Meaning)]| {
        let means = all.iter().map(|(text, meaning)| ((*text).to_owned(), *meaning)).collect();
        DraftAnswer::Layout { sheet: 0, change: LayoutChange::Values { column: drafts::REMARKS, means: Some(means) } }
    };
    assert!(answer(&app, &mut draft, means(&[("Zxcv brown.", Meaning::Hold)])).full);
    assert_eq!(states(&draft), [("hold", 2), ("ready", 4)].into());
    assert_eq!(asked(&mut draft)[0].unknown, [("vuiq".to_owned(), 2)]);
    answer(&app, &mut draft, means(&[("vuiq", Meaning::Go)]));
    assert!(asked(&mut draft).is_empty());
    draft.keep_profile(&app, "counter", false, &mut Stream::silent()).unwrap();
    let mut again = dropped(&app, "tomorrow.csv", text.as_bytes());
    assert_eq!(states(&again), [("hold", 2), ("ready", 4)].into());
    assert!(asked(&mut again).is_empty());
    // Passed over, the column would not be sent as a note any more.
    let about_else = LayoutChange::Values { column: drafts::REMARKS, means: None };
    answer(&app, &mut again, DraftAnswer::Layout { sheet: 0, change: about_else });
    assert_eq!(states(&again), [("ready", 6)].into());
    let is = &again.columns(&app, &mut Stream::silent()).unwrap()[0].columns[drafts::REMARKS as usize].is;
    assert!(format!("{is:?}").contains("sellerNote"), "{is:?}");
}
