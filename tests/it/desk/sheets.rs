//! A sheet at the desk, from the drop to its labels, used as a person uses it, in a real browser.

use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

use rust_xlsxwriter::Workbook;
use rustix::process::Signal;
use shipsheet::sandbox::Answer;

use super::browser::Browser;
use super::{Desk, printed};
use crate::rig::{Rig, row, row_with, sheet, wait_until};

const TAB: &str = "\u{E004}";
const ENTER: &str = "\u{E007}";

/// Headers of a shop: most are no name of a field.
const HEADER: &str =
    "Bill No,Customer,Cell No,Full Address,Town,Province,Pin,Part,Boxes,Rate (Rs.),Mode,Remark,Weight (gm)\n";

/// What no column of that shop holds.
pub(super) const LACKING: [(&str, &str); 4] =
    [("Warehouse", "WH-1"), ("Length", "20"), ("Width", "15"), ("Height", "10")];

const PLACES: [(&str, &str, &str); 4] = [
    ("Pune", "Maharashtra", "411001"),
    ("Jaipur", "Rajasthan", "302001"),
    ("Kochi", "Kerala", "682001"),
    ("Lucknow", "Uttar Pradesh", "226001"),
];

/// Twelve orders with eight troubles: headers, what is lacking, two phones, a PIN code, a state, a cancelled order, one
/// that is to wait, and a row that was pasted twice.
pub(super) fn shop() -> String {
    let mut text = HEADER.to_owned();
    for order in 0..12_usize {
        let (town, province, pin) = PLACES[order % 4];
        let phone = match order {
            2 => "98765".to_owned(),
            5 => "9.8765E+09".to_owned(),
            _ => format!("98{order:02}5432{}", order + 10),
        };
        let pin = if order == 3 { "22600" } else { pin };
        let province = if order == 6 { "" } else { province };
        let remark = ["CXL by customer", "mat bhejna abhi"].get(order.wrapping_sub(7)).copied().unwrap_or_default();
        let (mode, boxes, rate) = (["Prepaid", "COD"][order % 2], order % 3 + 1, 199 + order);
        let row = format!(
            "B-{},Asha Rao,{phone},{} MG Road,{town},{province},{pin},Cup,{boxes},{rate},{mode},{remark},400\n",
            order + 101,
            order + 1
        );
        text.push_str(&row.repeat(1 + usize::from(order == 9)));
    }
    text
}

/// A sheet of our own headers with four good orders, three short phones and a bad PIN code.
pub(crate) fn short_phones() -> String {
    let good = ["A-1", "A-2", "A-3", "A-4"].map(row);
    let bad = ["A-5", "A-6", "A-7"].map(|number| row_with(number, "98765", "560001"));
    sheet(good.into_iter().chain(bad).chain([row_with("A-8", "9876543210", "5600")]))
}

/// Writes `two.xlsx`, with orders of Delhi and of Pune on a worksheet each.
pub(super) fn two_worksheets(rig: &Rig) {
    let mut workbook = Workbook::new();
    for (name, numbers) in [("Delhi", ["D-1", "D-2"]), ("Pune", ["P-1", "P-2"])] {
        let worksheet = workbook.add_worksheet().set_name(name).unwrap();
        for (place, line) in (0..).zip(sheet(numbers.map(row)).lines()) {
            for (column, cell) in (0..).zip(line.split(',')) {
                worksheet.write(place, column, cell).unwrap();
            }
        }
    }
    workbook.save(rig.path("two.xlsx")).unwrap();
}

pub(super) fn drop_sheet(browser: &Browser, file: &Path) {
    browser.write("Order sheet", file.to_str().unwrap());
}

/// A desk at whose Check a sheet of our own headers stands.
pub(super) fn at_check(browser: &Browser, rig: &Rig, text: &str) -> Desk {
    let file = rig.file("packing.csv", text);
    let desk = Desk::closed(rig, &[]);
    browser.open(&desk.url);
    drop_sheet(browser, &file);
    browser.at("Check");
    desk
}

/// The number beside the word for where orders stand.
pub(super) fn count(browser: &Browser, state: &str) -> String {
    let text = browser.text();
    let lines: Vec<&str> = text.lines().collect();
    let beside =
        lines.windows(2).find(|pair| pair[0].trim() == state && pair[1].starts_with(|c: char| c.is_ascii_digit()));
    beside.unwrap_or_else(|| panic!("no count of {state}:\n{text}"))[1].trim().to_owned()
}

#[test]
fn a_clerk_goes_from_a_dropped_sheet_to_labels() {
    let Some(browser) = Browser::whole() else { return };
    let rig = Rig::new();
    let file = rig.file("packing.csv", &shop());
    let desk = Desk::closed(&rig, &[]);
    browser.open(&desk.url);
    drop_sheet(&browser, &file);
    browser.at("Columns");
    for (label, value) in LACKING {
        browser.fill(label, value);
    }
    browser.click("button", "Check");
    browser.at("Check");
    browser.see("12 orders in 13 rows");
    browser.fill("B-103 Cell No", &format!("9802543212{ENTER}"));
    browser.see("B-103 is ready.");
    browser.fill("B-106 Cell No", &format!("98055432{ENTER}"));
    browser.see("B-106 needs fixing.");
    browser.fill("B-106 Cell No", &format!("9805543215{ENTER}"));
    browser.see("B-106 is ready.");
    browser.fill("B-104 Pin", &format!("226001{ENTER}"));
    browser.see("B-104 is ready.");
    browser.click("button", "Leave it out: B-108");
    browser.see("B-108 is left out.");
    browser.click("button", "Send it: B-109");
    browser.see("B-109 is ready.");
    browser.click("button", "Send it as it is: B-110");
    browser.see("B-110 is ready.");
    assert_eq!(rig.bookings(), [], "nothing is sent before the button");
    let corrected = browser.download(&format!("{}/save", browser.address().split("/check").next().unwrap()));
    assert!(corrected.contains("B-103,Asha Rao,9802543212,") && corrected.contains("B-108,"), "{corrected}");

    browser.click("button", "Book 11 orders · COD");
    browser.at("Book");
    browser.see("11 new.");
    browser.see("1 left out: it stays behind.");
    browser.click("button", "Book 11 now · COD");
    browser.at("Results");
    browser.see("Print 11 labels");
    let mut booked: Vec<String> = rig.bookings().into_iter().map(|(number, _)| number).collect();
    booked.sort();
    let all: Vec<String> = (101..=112).filter(|number| *number != 108).map(|number| format!("B-{number}")).collect();
    assert_eq!(booked, all);
    assert_eq!(rig.body_of("B-103")["receiver"]["phoneNumber"], "9802543212");
    let own = browser.download("download?what=own&run=1");
    for (number, awb) in rig.bookings() {
        let line = own.lines().find(|line| line.starts_with(&format!("{number},"))).unwrap();
        assert!(line.contains(&awb), "{line}");
    }
    browser.click("button", "Print 11 labels");
    wait_until("the labels are shown", || printed(&rig) == 11);
    assert!(std::fs::read(rig.file_of_run(1, "labels.pdf")).unwrap().starts_with(b"%PDF"));
    browser.click("link", "Home");
    browser.at("Latest runs");
    assert!(browser.text().contains("1 finished sheet"), "nothing but this sheet knows that B-108 is not to go");
}

#[test]
fn an_answer_can_be_undone_and_given_for_all_alike() {
    let Some(browser) = Browser::start() else { return };
    let rig = Rig::new();
    let _desk = at_check(&browser, &rig, &short_phones());
    assert_eq!((count(&browser, "Ready"), count(&browser, "Fix")), ("4".into(), "4".into()));
    browser.click("button", "Leave it out: A-5");
    browser.see("A-5 is left out.");
    browser.click("button", "Undo");
    browser.see("A-5 needs fixing.");
    browser.click("link", "Ready");
    browser.click("link", "A-1");
    browser.click("button", "Hold: A-1");
    browser.see("A-1 is on hold.");
    browser.click("button", "Take it back in: A-1");
    browser.see("A-1 is ready.");
    browser.click("link", "Back to Check");
    browser.click("link", "A-6");
    browser.at("Order A-6");
    browser.fill("A-6 City", &format!("Mysuru{ENTER}"));
    browser.see("A-6 needs fixing.");
    browser.click("link", "Back to Check");
    browser.reload();
    browser.click("link", "A-6");
    assert_eq!(browser.value("A-6 City"), "Mysuru", "it is kept over a reload");
    browser.click("button", "Undo");
    browser.see("A-6 needs fixing.");
    browser.back();
    browser.at("Check");
    browser.click("button", "Send all 3");
    browser.see("A-5 is ready. A-6 is ready. A-7 is ready.");
    browser.click("button", "Undo");
    browser.see("A-7 needs fixing.");
    browser.click("summary", "One value for all 3");
    browser.fill("One value for all 3", &format!("9876543211{ENTER}"));
    browser.see("A-5 is ready. A-6 is ready. A-7 is ready.");
    assert_eq!((count(&browser, "Ready"), count(&browser, "Fix")), ("7".into(), "1".into()));
}

/// Promise 6: a page that is out of date books nothing and overwrites nothing.
#[test]
fn windows_of_one_sheet_never_overwrite_each_other_and_nothing_unseen_is_booked() {
    let Some(browser) = Browser::whole() else { return };
    let rig = Rig::new();
    let _desk = at_check(&browser, &rig, &short_phones());
    let first = browser.windows().remove(0);
    browser.click("button", "Book 4 orders");
    browser.at("Book");
    browser.second_window();
    browser.at("Book");
    browser.click("link", "Check");
    browser.fill("A-5 Receiver Phone", &format!("9876543211{ENTER}"));
    browser.see("A-5 is ready.");
    let second = browser.windows().into_iter().find(|window| *window != first).unwrap();
    browser.switch(&first);
    browser.click("button", "Book 4 now");
    browser.see("This is no longer what you saw.");
    assert_eq!(rig.bookings(), []);
    browser.go("");
    browser.click("button", "Go on");
    browser.at("Check");
    browser.fill("A-6 Receiver Phone", &format!("9876543212{ENTER}"));
    browser.see("A-6 is ready.");
    browser.switch(&second);
    browser.fill("A-7 Receiver Phone", &format!("9876543213{ENTER}"));
    browser.see("changed in another window meanwhile");
    assert_eq!(browser.value("A-7 Receiver Phone"), "98765");
    browser.fill("A-7 Receiver Phone", &format!("9876543213{ENTER}"));
    browser.see("A-7 is ready.");
    assert_eq!(count(&browser, "Ready"), "7");
}

#[test]
fn a_sheet_outlives_the_desk_at_every_screen_and_no_order_goes_twice() {
    let Some(browser) = Browser::start() else { return };
    let rig = Rig::new();
    rig.file("shipsheet.toml", "[booking]\nconcurrency = 2\n");
    // These two are never answered: once both are on their way nothing else goes.
    let stuck = ["C-101", "C-102"];
    for order in stuck {
        rig.sandbox().script_order(order, [Answer::Silent(Duration::from_mins(10))]);
    }
    let many: String = shop()
        + &shop().lines().skip(1).fold(String::new(), |mut more, line| {
            writeln!(more, "C{}", line.trim_start_matches('B')).unwrap();
            more
        });
    let file = rig.file("packing.csv", &many);
    let begin = |desk: Desk| {
        desk.live.signal(Signal::KILL);
        drop(desk);
        let desk = Desk::closed(&rig, &[]);
        browser.open(&desk.url);
        browser.click("button", "Go on");
        desk
    };
    let desk = Desk::closed(&rig, &[]);
    browser.open(&desk.url);
    drop_sheet(&browser, &file);
    browser.at("Columns");
    let desk = begin(desk);
    browser.at("Columns");
    for (label, value) in LACKING {
        browser.fill(label, value);
    }
    browser.click("button", "Check");
    browser.at("Check");
    browser.fill("B-103 Cell No", &format!("9802543212{ENTER}"));
    browser.see("B-103 is ready.");
    let desk = begin(desk);
    browser.at("Check");
    let ready = count(&browser, "Ready");
    assert_eq!(ready, "13", "what was typed is there again");
    browser.click("button", "Book 13 orders");
    browser.at("Book");
    let desk = begin(desk);
    browser.click("button", "Book 13 orders");
    browser.click("button", "Book 13 now");
    browser.at("Progress");
    wait_until("two are on their way", || stuck.iter().all(|order| rig.sandbox().book().posts(order) == 1));
    assert!((3..=10).contains(&rig.bookings().len()), "{:?}", rig.bookings());
    let desk = begin(desk);
    browser.at("Check");
    assert_eq!(count(&browser, "In doubt"), "2", "those that were on their way");
    browser.click("button", "Book ");
    browser.see("left by an earlier run");
    browser.click("button", "Book ");
    browser.at("Results");
    wait_until("the rest is booked", || rig.bookings().len() == 11);
    browser.go("results?run=1");
    browser.click("button", "Go on with the sheet");
    browser.at("Check");
    drop(desk);
    // The rig makes sure at its end that nothing was booked twice.
}

#[test]
fn a_sheet_can_be_booked_by_keys_alone() {
    let Some(browser) = Browser::start() else { return };
    let rig = Rig::new();
    let _desk = at_check(&browser, &rig, &short_phones());
    let to = |name: &str| {
        let reached = (0..90).any(|_| {
            browser.focus().starts_with(name) || {
                browser.press(TAB);
                false
            }
        });
        assert!(reached, "no way by keys to {name}");
    };
    to("A-5 Receiver Phone");
    for (digit, next) in [(1, "A-6 Receiver Phone"), (2, "A-7 Receiver Phone")] {
        browser.press(&format!("\u{E009}a\u{E000}987654321{digit}{ENTER}"));
        wait_until("the next cell has the focus", || browser.focus() == next);
        std::thread::sleep(Duration::from_millis(600));
        assert_eq!(browser.focus(), next, "it stays there when the answer comes");
    }
    browser.see("A-6 is ready.");
    to("Book 6 orders");
    browser.press(ENTER);
    browser.at("Book");
    to("Book 6 now");
    browser.press(ENTER);
    browser.at("Results");
    assert_eq!(rig.bookings().len(), 6);
}

#[test]
fn screens_of_a_sheet_are_sound_in_both_themes_and_at_every_width() {
    let Some(browser) = Browser::start() else { return };
    let rig = Rig::new();
    let file = rig.file("packing.csv", &shop());
    let desk = Desk::closed(&rig, &[]);
    browser.open(&desk.url);
    drop_sheet(&browser, &file);
    browser.at("Columns");
    let look = |name: &str| browser.look(&format!("sheet-{name}"));
    look("columns");
    for (label, value) in LACKING {
        browser.fill(label, value);
    }
    browser.click("button", "Check");
    browser.at("Check");
    look("check");
    browser.click("link", "Ready");
    browser.see("To collect");
    look("ready");
    browser.click("link", "To answer");
    browser.click("link", "B-103");
    browser.at("Order B-103");
    look("whole");
    browser.click("link", "Back to Check");
    browser.click("button", "Book");
    browser.at("Book");
    look("book");
    browser.go("");
    browser.at("Open sheets");
    look("home");
}

#[test]
fn what_is_no_order_sheet_is_said_in_words_and_not_kept() {
    let Some(browser) = Browser::start() else { return };
    let rig = Rig::new();
    rig.bytes("photo.png", b"\x89PNG\r\n\x1a\n0000IHDR");
    rig.bytes("list.pdf", b"%PDF-1.7 nothing");
    rig.bytes("broken.xlsx", b"PK\x03\x04 and no more");
    rig.bytes("empty.csv", b"");
    let good = rig.file("good.csv", &sheet(["A-1"].map(row)));
    let desk = Desk::closed(&rig, &[]);
    browser.open(&desk.url);
    for (name, said) in [
        ("photo.png", "photo.png is a picture, not a sheet."),
        ("list.pdf", "list.pdf is a PDF"),
        ("broken.xlsx", "broken.xlsx is damaged"),
        ("empty.csv", "empty.csv has no rows"),
    ] {
        browser.go("");
        drop_sheet(&browser, &rig.path(name));
        browser.at("That did not work");
        browser.see(said);
    }
    browser.go("");
    let both = format!("{}\n{}", good.display(), rig.path("list.pdf").display());
    browser.write("Order sheet", &both);
    browser.at("Open sheets");
    browser.see("list.pdf is a PDF");
    browser.see("good.csv");
    let drafts: i64 = rig.database().query_row("SELECT count(*) FROM drafts", [], |row| row.get(0)).unwrap();
    let copies = std::fs::read_dir(rig.path("ledger.sqlite.desk/sheets")).unwrap().count();
    assert_eq!((drafts, copies), (1, 1), "only the sheet is kept");
    browser.write("Order sheet", good.to_str().unwrap());
    browser.see("good.csv was open already. Here it is as you left it.");
    browser.click("link", "Ready");
    browser.click("link", "A-1");
    browser.click("button", "Hold: A-1");
    browser.see("A-1 is on hold.");
    browser.go("");
    browser.click("button", "Discard good.csv");
    browser.see("1 change that you made here would be lost.");
    browser.click("button", "Discard it");
    browser.see("Your own file is not changed.");
    assert!(good.exists());
}

#[test]
fn what_no_courier_takes_stays_behind_where_that_is_asked_first() {
    let Some(browser) = Browser::start() else { return };
    let rig = Rig::new();
    rig.file("shipsheet.toml", "[serviceability]\npickup_pin = \"560001\"\n");
    let rows = ["A-1", "A-2"].map(row).into_iter().chain([row_with("A-3", "9876543210", "999001")]);
    let _desk = at_check(&browser, &rig, &sheet(rows));
    browser.click("button", "Book 3 orders");
    browser.click("field", "First ask whether couriers deliver there");
    browser.click("button", "Book 3 now");
    browser.at("Results");
    browser.see("A-3");
    assert_eq!(rig.bookings().len(), 2);
    // Back on Check it is known, until the PIN code is another one.
    browser.click("button", "Go on with the sheet");
    browser.see("No courier goes from 560001 to 999001.");
    assert_eq!((count(&browser, "Ready"), count(&browser, "Fix")), ("0".into(), "1".into()));
    browser.fill("A-3 PIN Code", "560001\u{E007}");
    browser.see("A-3 is ready.");
}

#[test]
fn remarks_that_nobody_could_read_are_told_what_they_mean() {
    let Some(browser) = Browser::start() else { return };
    let rig = Rig::new();
    let mut text = String::new();
    for (line, remark) in
        sheet(["A-1", "A-2", "A-3"].map(row)).lines().zip(["Remarks", "zxcv brown", "zxcv brown", "vuiq lorem"])
    {
        writeln!(text, "{line},{remark}").unwrap();
    }
    let file = rig.file("packing.csv", &text);
    let desk = Desk::closed(&rig, &[]);
    browser.open(&desk.url);
    drop_sheet(&browser, &file);
    browser.at("Columns");
    browser.see("What do these remarks in “Remarks” mean?");
    browser.write("vuiq lorem means", "hold the order");
    browser.click("button", "Check");
    browser.at("Check");
    assert_eq!((count(&browser, "Ready"), count(&browser, "Hold")), ("2".into(), "1".into()));
    // What was left open goes, and is to be read before.
    browser.see("Remarks that could not be understood");
    browser.see("2 × \"zxcv brown\"");
    browser.click("link", "Columns");
    browser.write("zxcv brown means", "send the order");
    browser.click("button", "Check");
    browser.at("Check");
    assert!(!browser.text().contains("zxcv brown"), "{}", browser.text());
    browser.click("button", "Undo what the words mean");
    browser.see("2 × \"zxcv brown\"");
    browser.click("button", "Undo what the words mean");
    browser.see("3 ready.");
}

#[test]
fn a_ledger_that_another_program_holds_is_said_and_the_sheet_stays_ready() {
    let Some(browser) = Browser::start() else { return };
    let rig = Rig::new();
    let _desk = at_check(&browser, &rig, &short_phones());
    rig.file(
        "long.csv",
        &sheet(
            (1..=40)
                .map(|number| row(&format!("L-{number}")).replace("Asha", "Ravi").replace("9876543210", "9812345678")),
        ),
    );
    rig.sandbox().hold_after(0);
    let other = rig.live("import", &["import", "long.csv", "--yes", "--concurrency", "1"]);
    wait_until("it books", || rig.sandbox().book().requests() > 0);
    browser.click("button", "Book 4 orders");
    browser.click("button", "Book 4 now");
    browser.see("Another program books just now.");
    other.signal(Signal::INT);
    other.said("stopping (signal)");
    rig.sandbox().go_on();
    other.end();
    browser.go("");
    browser.click("button", "Go on");
    browser.click("button", "Book 4 orders");
    browser.click("button", "Book 4 now");
    browser.at("Results");
    assert!(["A-1", "A-2", "A-3", "A-4"].iter().all(|own| rig.bookings().iter().any(|(number, _)| number == own)));
}
