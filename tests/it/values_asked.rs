//! Words of payments and states that the program does not know: asked once, kept in a profile, and no guess before that.

use serde_json::json;
use shipsheet::app::draft::DraftAnswer;
use shipsheet::app::{AmountUse, Feeding, LayoutAnswer, LayoutChange};
use shipsheet::config::Sheets;
use shipsheet::event::Stream;

use crate::drafts::{self, Desk, answer, dropped, states};
use crate::rig::{Rig, collected, row_of_own, sheet};
#[cfg(unix)]
use crate::terminal::Terminal;

/// Orders of a shop in two languages: how each is paid, and how far it is.
const ORDERS: [(&str, &str, &str); 6] = [
    ("A-1", "Rechnung", "Freigegeben"),
    ("A-2", "Nachnahme", "Freigegeben"),
    ("A-3", "Rechnung", "Storniert"),
    ("A-4", "Rechnung", "Freigegeben"),
    ("A-5", "auf Ziel", "Freigegeben"),
    ("A-6", "Rechnung", "In Prüfung"),
];

pub(crate) fn orders(prefix: &str) -> String {
    let text = sheet(ORDERS.map(|(number, ..)| row_of_own(number)));
    let (header, rows) = text.split_once('\n').unwrap();
    let header = header.replace("Payment Type", "Zahlungsart");
    let rows = rows.lines().zip(ORDERS).map(|(row, (number, payment, state))| {
        let row = row.replace("PREPAID", payment).replacen(number, &number.replace("A-", prefix), 1);
        format!("{row},{state}\n")
    });
    format!("{header},Auftragsstatus\n{}", rows.collect::<String>())
}

fn shop() -> Rig {
    let rig = Rig::new();
    // One payment for all orders is none for those of which the sheet says something.
    rig.file("shipsheet.toml", "[defaults]\n\"shippingProperties.orderType\" = \"PREPAID\"\n");
    rig.file("laden.csv", &orders("A-"));
    rig
}

#[test]
fn a_word_that_is_not_known_holds_its_orders_and_is_told_as_a_question() {
    let rig = shop();
    let came = rig.import(&["laden.csv"]);
    came.books(3, 0);
    assert!(!came.first("bad-payment").hint.contains("--accept"), "{came:?}");
    assert_eq!(
        came.document["sheets"][0]["questions"],
        json!([
            {"column": "Zahlungsart", "choices": ["paid", "collect", "unpaid", "on-credit"], "values": [
                {"value": "Rechnung", "rows": 4}, {"value": "Nachnahme", "rows": 1}, {"value": "auf Ziel", "rows": 1}]},
            {"column": "Auftragsstatus", "choices": ["go", "hold", "cancelled", "sent"], "values": [
                {"value": "Freigegeben", "rows": 4}, {"value": "Storniert", "rows": 1}, {"value": "In Prüfung", "rows": 1}]},
        ])
    );
    // Nobody sends what no request can say.
    let refused = rig.run(&["import", "laden.csv", "--yes", "--accept", "payment-unknown"]);
    refused.exits(2);
}

#[cfg(unix)]
#[test]
fn answers_at_a_terminal_are_kept_and_asked_no_more() {
    let rig = shop();
    let mut terminal = Terminal::start(rig.command(&["import", "laden.csv"]));
    terminal.shows("\"Zahlungsart\" says how orders are paid. What do 3 values mean?");
    terminal.answer("\"Rechnung\" × 4:", "p\n");
    terminal.answer("\"Nachnahme\" × 1:", "c\n");
    terminal.answer("\"auf Ziel\" × 1:", "u\n");
    terminal.answer("name, or n to use it this once [laden]:", "\n");
    terminal.shows("kept as laden");
    terminal.shows("\"Auftragsstatus\" says whether orders go.");
    terminal.answer("\"Freigegeben\" × 4:", "g\n");
    terminal.answer("\"Storniert\" × 1:", "x\n");
    terminal.answer("\"In Prüfung\" × 1:", "\n");
    // An answer is not asked for again: an order that is not paid stays.
    terminal.shows("\"auf Ziel\", which means by your answer that the order is not paid yet");
    terminal.answer("is held by `order-state`", "l\n");
    terminal.answer("Book 3 orders for real?", "y\n");
    let (code, screen) = terminal.end();
    assert_eq!(code, Some(4), "{screen}");
    let paid = |number: &str| rig.body_of(number)["shippingProperties"]["orderType"].clone();
    assert_eq!((paid("A-1"), paid("A-2"), paid("A-4")), (json!("PREPAID"), json!("COD"), json!("PREPAID")), "{screen}");
    let profile = rig.read(".config/shipsheet/profiles/laden.toml");
    for kept in
        ["[values.Zahlungsart]", "collect = [\"Nachnahme\"]", "[values.Auftragsstatus]", "cancelled = [\"Storniert\"]"]
    {
        assert!(profile.contains(kept), "{profile}");
    }
    // The next sheet of the shop asks only about what was left open, and nobody is needed for it.
    rig.file("laden.csv", &orders("B-"));
    let came = rig.import(&["laden.csv"]);
    assert_eq!(came.document["sheets"][0]["questions"][0]["values"], json!([{"value": "In Prüfung", "rows": 1}]));
    came.books(4, 6);
    let explained = rig.run(&["explain", "laden.csv", "B-2"]);
    explained.prints("\"Nachnahme\" means collect").prints("you said so (profile laden)");
}

/// Orders of a shop with amounts under headers that say nothing: charges, a discount, and what each order comes to.
pub(crate) fn with_amounts(prefix: &str) -> String {
    let text = sheet([1, 2, 3].map(|number| row_of_own(&format!("{prefix}-{number}"))));
    let (header, rows) = text.split_once('\n').unwrap();
    let amounts = ["Nachnahme,60,30,,1089.80", "Vorkasse,60,,,1059.80", "Nachnahme,60,30,100,989.80"];
    let rows = rows.lines().zip(amounts).map(|(row, amounts)| {
        let (payment, amounts) = amounts.split_once(',').unwrap();
        format!("{},{amounts}\n", row.replace("PREPAID", payment))
    });
    let header = header.replace("Payment Type", "Zahlungsart");
    format!("{header},Versandkosten,Zuschlag,Abzug,Gesamtsumme\n{}", rows.collect::<String>())
}

#[cfg(unix)]
#[test]
fn amounts_that_no_header_explains_are_asked_about_once_and_never_passed_over() {
    let rig = Rig::new();
    rig.file("laden.csv", &with_amounts("A"));
    // Without a person such orders stay, and a program is told the questions.
    let came = rig.check(&["laden.csv"]);
    let asked = came.document["sheets"][0]["questions"].as_array().unwrap().clone();
    let headers: Vec<&str> = asked.iter().filter_map(|own| own["column"].as_str()).collect();
    assert_eq!(headers, ["Zahlungsart", "Versandkosten", "Zuschlag", "Abzug", "Gesamtsumme"]);
    let mut terminal = Terminal::start(rig.command(&["import", "laden.csv"]));
    terminal.answer("\"Nachnahme\" × 2:", "c\n");
    terminal.answer("\"Vorkasse\" × 1:", "p\n");
    terminal.answer("name, or n to use it this once [laden]:", "\n");
    // The layout that is kept for the payments leaves no amount out that nobody was asked about.
    terminal.shows("4 columns hold amounts that may change what is collected. What is each for?");
    terminal.answer("\"Versandkosten\" 60:", "1\n");
    terminal.answer("\"Zuschlag\" 30:", "2\n");
    terminal.answer("\"Abzug\" 100:", "3\n");
    terminal.answer("\"Gesamtsumme\" 1089.80", "6\n");
    terminal.answer("Book 3 orders for real?", "y\n");
    let (code, screen) = terminal.end();
    assert_eq!(code, Some(0), "{screen}");
    assert_eq!(["A-1", "A-3"].map(|number| collected(&rig.body_of(number))), ["1089.80", "989.80"], "{screen}");
    rig.file("laden.csv", &with_amounts("B"));
    let came = rig.import(&["laden.csv"]);
    assert_eq!(came.document["sheets"][0]["questions"], json!([]));
    came.books(0, 6);
    // An order that no longer adds up is held.
    rig.file("laden.csv", &with_amounts("C").replace("1089.80", "1080"));
    rig.import(&["laden.csv"]).books(4, 8);
}

#[test]
fn two_amounts_that_cannot_be_one_thing_and_columns_of_one_header_are_no_answer() {
    let desk = Desk::new();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("laden.csv");
    std::fs::write(&file, with_amounts("A")).unwrap();
    let app = desk.app();
    let mut reading = app.read(&Sheets::of([file.clone()]), &mut Stream::silent()).unwrap();
    let columns: Vec<u32> =
        reading.amount_questions().unwrap()[0].iter().flat_map(|own| &own.columns).map(|own| own.0.index).collect();
    let change =
        |used: AmountUse| LayoutChange::Amounts { uses: columns.iter().map(|column| (*column, used)).collect() };
    for used in [AmountUse::Shipping, AmountUse::Order, AmountUse::Collect] {
        let answer = LayoutAnswer::Change { number: 0, change: change(used), keep_as: None };
        let refused = reading.answer(answer, &mut Stream::silent()).unwrap_err().to_string();
        assert!(refused.contains("Versandkosten and Zuschlag cannot both be"), "{refused}");
    }
    let answer = LayoutAnswer::Change { number: 0, change: change(AmountUse::Paid), keep_as: None };
    reading.answer(answer, &mut Stream::silent()).unwrap();
    // A profile knows columns by their headers: of two that share one, no answer can be kept.
    std::fs::write(&file, with_amounts("A").replace("Zuschlag", "Versandkosten")).unwrap();
    let reading = app.read(&Sheets::of([file]), &mut Stream::silent()).unwrap();
    let asked = reading.amount_questions().unwrap().remove(0).unwrap();
    let headers: Vec<&str> = asked.columns.iter().map(|own| own.0.header.as_str()).collect();
    assert_eq!(headers, ["Abzug", "Gesamtsumme"]);
}

#[cfg(unix)]
#[test]
fn amounts_may_be_left_open_and_their_orders_stay() {
    let rig = Rig::new();
    rig.file("laden.csv", &with_amounts("A"));
    let mut terminal = Terminal::start(rig.command(&["check", "laden.csv"]));
    terminal.answer("\"Nachnahme\" × 2:", "c\n");
    terminal.answer("\"Vorkasse\" × 1:", "p\n");
    terminal.answer("name, or n to use it this once [laden]:", "\n");
    for header in ["Versandkosten", "Zuschlag", "Abzug", "Gesamtsumme"] {
        terminal.answer(&format!("\"{header}\" "), "\n");
    }
    let (code, screen) = terminal.end();
    assert_eq!(code, Some(3), "{screen}");
    let came = rig.import(&["laden.csv"]);
    came.books(4, 1);
    let asked = came.document["sheets"][0]["questions"].as_array().unwrap().clone();
    let headers: Vec<&str> = asked.iter().filter_map(|own| own["column"].as_str()).collect();
    assert_eq!(headers, ["Versandkosten", "Zuschlag", "Abzug", "Gesamtsumme"]);
    assert_eq!((&asked[0]["choices"][0], &asked[0]["choices"][6]), (&json!("shipping"), &json!("nothing")));
}

#[cfg(unix)]
#[test]
fn what_is_answered_of_values_is_kept_in_the_layout_that_was_just_kept() {
    let rig = shop();
    let strange = |prefix: &str| orders(prefix).replacen("Product Name", "Xyzzy", 1);
    rig.file("laden.csv", &strange("A-"));
    let mut terminal = Terminal::start(rig.command(&["check", "laden.csv"]));
    terminal.answer("Which column has what is in the parcel?", "1\n");
    terminal.answer("right? [y]:", "y\n");
    terminal.answer("name, or n to use it this once [laden]:", "\n");
    for (value, meaning) in [("Rechnung", "p"), ("Nachnahme", "c"), ("auf Ziel", "u")] {
        terminal.answer(&format!("\"{value}\" × "), &format!("{meaning}\n"));
    }
    for (value, meaning) in [("Freigegeben", "g"), ("Storniert", "x"), ("In Prüfung", "h")] {
        terminal.answer(&format!("\"{value}\" × "), &format!("{meaning}\n"));
    }
    let (_, screen) = terminal.end();
    let profile = rig.read(".config/shipsheet/profiles/laden.toml");
    assert!(
        profile.contains("[values.Zahlungsart]") && profile.contains("[values.Auftragsstatus]"),
        "{screen}\n{profile}"
    );
    rig.file("laden.csv", &strange("B-"));
    assert_eq!(rig.check(&["laden.csv"]).document["sheets"][0]["questions"], json!([]));
}

#[cfg(unix)]
#[test]
fn a_part_payment_is_asked_about_once_for_its_column() {
    let rig = Rig::new();
    let orders = |prefix: &str| {
        let rows =
            [("1", "COD", "300,600"), ("2", "PREPAID", ",0"), ("3", "COD", ",999.80"), ("4", "COD", "100,899.80")];
        let rows = rows.map(|(number, payment, paid)| {
            let row = row_of_own(&format!("{prefix}-{number}")).replace("PREPAID", payment);
            format!("{},{paid}", row.trim_end())
        });
        let text = sheet(rows);
        text.replacen('\n', ",Adv Recd,Balance\n", 1)
    };
    rig.file("orders.csv", &orders("A"));
    let question = json!([{"column": "Adv Recd", "choices": ["rest"], "values": [{"value": "*", "rows": 2}]}]);
    assert_eq!(rig.check(&["orders.csv"]).document["sheets"][0]["questions"], question);
    let mut terminal = Terminal::start(rig.command(&["import", "orders.csv"]));
    terminal.shows(
        "\"Adv Recd\" says how much of an order is paid already, or still due. Shall the courier collect the rest?",
    );
    terminal.answer("on 2 rows of orders paid in part:", "r\n");
    terminal.answer("name, or n to use it this once [orders]:", "\n");
    terminal.answer("is held by `", "l\n");
    terminal.answer("Book 3 orders for real?", "y\n");
    let (_, screen) = terminal.end();
    assert_eq!(collected(&rig.body_of("A-4")), "899.80", "{screen}");
    rig.file("orders.csv", &orders("B"));
    let came = rig.import(&["orders.csv"]);
    assert_eq!(came.document["sheets"][0]["questions"], json!([]));
    came.books(4, 6);
    // The amounts of the first one do not agree, and nobody asked whether the second is collected.
    assert_eq!(
        (collected(&rig.body_of("B-3")), collected(&rig.body_of("B-4"))),
        ("999.80".to_owned(), "899.80".to_owned())
    );
}

#[cfg(unix)]
#[test]
fn a_column_that_is_not_about_payment_is_passed_over_from_then_on() {
    let rig = shop();
    let text = orders("A-").replace("Zahlungsart", "Payment Type").replace("Rechnung", "COD");
    let text = text.replace("Nachnahme", "COD").replace("auf Ziel", "COD");
    rig.file("laden.csv", &text);
    let mut terminal = Terminal::start(rig.command(&["check", "laden.csv"]));
    terminal.answer("\"Freigegeben\" × 4:", "n\n");
    terminal.answer("name, or n to use it this once [laden]:", "\n");
    let (code, screen) = terminal.end();
    assert_eq!(code, Some(0), "{screen}");
    let again = rig.check(&["laden.csv"]);
    assert_eq!((again.exit, &again.document["sheets"][0]["questions"]), (0, &json!([])), "{again:?}");
}

#[test]
fn a_value_that_a_profile_knows_means_that_whatever_the_program_knows_of_it() {
    let rig = shop();
    let profile = "recognised_by = [\"Zahlungsart\"]\n[values.\"Zahlungsart\"]\npaid = [\"Rechnung\", \"auf Ziel\"]\n\
        collect = [\"Nachnahme\"]\n[values.\"Auftragsstatus\"]\ngo = [\"freigegeben\", \"IN PRÜFUNG\"]\ncancelled = [\"Storniert\"]\n";
    rig.file("laden.toml", profile);
    let came = rig.import(&["laden.csv", "--profile", "laden.toml"]);
    came.books(0, 5);
    assert_eq!(came.payments(), ["PREPAID", "COD", "PREPAID", "PREPAID", "PREPAID"]);
    assert_eq!(came.booked(), ["A-1", "A-2", "A-4", "A-5", "A-6"], "{came:?}");
    // A word that the program would let go is held where a person says so.
    let rig = Rig::new();
    rig.file("own.toml", "[values.\"Status\"]\nhold = [\"Ready\"]\n");
    let text = sheet([row_of_own("A-1"), row_of_own("A-2")]);
    let (header, rows) = text.split_once('\n').unwrap();
    let rows: String = rows.lines().flat_map(|row| [row, ",Ready\n"]).collect();
    rig.file("own.csv", &format!("{header},Status\n{rows}"));
    rig.import(&["own.csv", "--profile", "own.toml"]).books(3, 0);
}

#[cfg(unix)]
#[test]
fn rows_without_a_number_are_asked_about_once() {
    let rig = Rig::new();
    let text = sheet([row_of_own("A-1"), row_of_own("A-2")]);
    let lines: Vec<&str> = text.lines().collect();
    let below = ",,,,,,,,,,,,,,,Scarf,S-1,99,1";
    rig.file("erp.csv", &format!("{}\n{}\n{below}\n{}\n", lines[0], lines[1], lines[2]));
    rig.check(&["erp.csv"]).held("missing-order-number");
    let mut terminal = Terminal::start(rig.command(&["import", "erp.csv"]));
    terminal.shows("erp.csv:3");
    terminal.answer("are such rows more products of the order above? [y/n]:", "y\n");
    terminal.answer("name, or n to use it this once [erp]:", "\n");
    terminal.answer("Book 2 orders for real?", "y\n");
    let (code, screen) = terminal.end();
    assert_eq!(code, Some(0), "{screen}");
    assert_eq!(rig.body_of("A-1")["productRequestsList"].as_array().unwrap().len(), 2);
    assert!(rig.read(".config/shipsheet/profiles/erp.toml").contains("fill_down = true"));
    assert!(rig.check(&["erp.csv"]).errors().is_empty(), "the second sheet asks nothing");
}

#[cfg(unix)]
#[test]
fn a_sheet_without_quantities_has_one_for_all_of_its_rows() {
    let rig = Rig::new();
    let text = sheet([row_of_own("A-1"), row_of_own("A-2")]);
    let lines: Vec<&str> = text.lines().filter_map(|line| Some(line.rsplit_once(',')?.0)).collect();
    rig.file("pieces.csv", &format!("{}\n", lines.join("\n")));
    let mut terminal = Terminal::start(rig.command(&["import", "pieces.csv"]));
    terminal.shows("Quantity");
    terminal.answer("the same for all orders, for instance", "1\n");
    terminal.answer("right? [y]:", "\n");
    terminal.answer("name, or n to use it this once [pieces]:", "\n");
    terminal.answer("Book 2 orders for real?", "y\n");
    let (code, screen) = terminal.end();
    assert_eq!(code, Some(0), "{screen}");
    assert_eq!(rig.body_of("A-1")["productRequestsList"][0]["quantity"], json!(1));
}

#[test]
fn an_answer_on_one_worksheet_says_nothing_of_another_with_other_columns() {
    let desk = Desk::new();
    let app = desk.app();
    // Rows that were handed back: those of each sheet in a worksheet of its own.
    let mut workbook = rust_xlsxwriter::Workbook::new();
    let fair = drafts::sheet(3, |_, cells| cells[0] = cells[0].replace("SB", "FAIR"));
    let fair = fair.replacen("PIN Code", "Kiez", 1).replacen("Receiver Phone", "Mobile", 1);
    for (name, text) in [("shop", drafts::sheet(3, |_, _| {})), ("fair", fair)] {
        let worksheet = workbook.add_worksheet().set_name(name).unwrap();
        for (row, line) in (0..).zip(text.lines()) {
            let ours = if row == 0 { "shipsheet error" } else { "" };
            for (column, cell) in (0..).zip(line.split(',').chain([ours])) {
                worksheet.write_string(row, column, cell).unwrap();
            }
        }
    }
    let mut draft = dropped(&app, "to-fix.xlsx", &workbook.save_to_buffer().unwrap());
    let names: Vec<String> =
        draft.columns(&app, &mut Stream::silent()).unwrap().into_iter().map(|sheet| sheet.name).collect();
    assert_eq!(names, ["to-fix.xlsx [shop]", "to-fix.xlsx [fair]"]);
    let change = LayoutChange::Column { column: 8, field: Some("destination.pinCode".into()), how: Feeding::Alone };
    answer(&app, &mut draft, DraftAnswer::Layout { sheet: 1, change });
    assert_eq!(states(&draft), [("ready", 6)].into());
    let change = LayoutChange::Column { column: 19, field: None, how: Feeding::Alone };
    answer(&app, &mut draft, DraftAnswer::Layout { sheet: 0, change });
    assert_eq!(states(&draft), [("ready", 6)].into());
}

/// A shop's sheet in a language of which no word is known: each order's number, its state and its remark.
fn tamil(rows: &[(&str, &str, &str)]) -> String {
    let text = sheet(rows.iter().map(|(number, ..)| row_of_own(number)));
    let (header, lines) = text.split_once('\n').unwrap();
    let lines = lines.lines().zip(rows).map(|(line, (_, state, remark))| format!("{line},{state},{remark}\n"));
    format!("{header},நிலை,குறிப்பு\n{}", lines.collect::<String>())
}

#[cfg(unix)]
#[test]
fn columns_in_a_language_without_words_are_asked_and_told() {
    let rig = Rig::new();
    let rows = [("T-1", "புதியது", ""), ("T-2", "ரத்து", ""), ("T-3", "புதியது", "அவசரம்"), ("T-4", "அனுப்பப்பட்டது", "")];
    let rows = [&rows[..], &[("T-5", "புதியது", "நிறுத்து"), ("T-6", "புதியது", "திரும்பியது")]].concat();
    rig.file("week.csv", &tamil(&rows));
    // Where nobody answers, the orders go with a word, each value with its count.
    let alone = rig.check(&["week.csv"]);
    assert_eq!(alone.document["sheets"][0]["questions"].as_array().map(Vec::len), Some(2), "{alone:?}");
    assert!(alone.has("unread-remark"), "{alone:?}");
    let mut terminal = Terminal::start(rig.command(&["import", "week.csv"]));
    terminal.shows("\"குறிப்பு\" may say whether orders go. What do 3 values mean?");
    for (value, meaning) in [("அவசரம்", "g"), ("நிறுத்து", "h"), ("திரும்பியது", "s")]
    {
        terminal.answer(&format!("\"{value}\" × 1:"), &format!("{meaning}\n"));
    }
    terminal.answer("name, or n to use it this once [week]:", "\n");
    terminal.shows("\"நிலை\" may say whether orders go. What do 3 values mean?");
    for (value, meaning) in [("புதியது", "g"), ("ரத்து", "x"), ("அனுப்பப்பட்டது", "s")]
    {
        terminal.answer(&format!("\"{value}\" × "), &format!("{meaning}\n"));
    }
    terminal.answer("Book 2 orders for real?", "y\n");
    let (_, screen) = terminal.end();
    assert_eq!(rig.bookings().len(), 2, "{screen}");
    assert!(rig.body_of("T-1").is_object() && rig.body_of("T-3").is_object(), "{screen}");
    // In the next sheet a state that was never answered holds its order, and a new remark is told.
    let rows = [
        ("U-1", "புதியது", ""),
        ("U-2", "புதியது", "மாலை"),
        ("U-3", "வேறு", ""),
        ("U-4", "புதியது", ""),
        ("U-5", "ரத்து", ""),
    ];
    rig.file("week.csv", &tamil(&rows));
    let came = rig.import(&["week.csv"]);
    assert_eq!(came.booked().join(" "), "T-1 T-3 U-1 U-2 U-4", "{came:?}");
    assert!(came.has("unread-remark"), "{came:?}");
}

#[test]
fn a_remark_that_says_paid_keeps_the_courier_from_collecting() {
    let rig = Rig::new();
    let text = sheet(["A-1", "A-2", "A-3"].map(row_of_own));
    let mut lines =
        text.lines().zip(["Kaifiyat", "تم الدفع", "تم الدفع", ""]).map(|(row, note)| format!("{row},{note}\n"));
    let cod = |line: String| if line.starts_with("A-1") { line.replace("PREPAID", "COD") } else { line };
    rig.file("book.csv", &lines.by_ref().map(cod).collect::<String>());
    rig.file("book.toml", "[values.Kaifiyat]\npaid = [\"تم الدفع\"]\ngo = [\"جاهز\"]\n");
    let came = rig.import(&["book.csv", "--profile", "book.toml"]);
    came.books(0, 3);
    assert_eq!(rig.body_of("A-1")["shippingProperties"]["orderType"], "PREPAID", "{came:?}");
    // A column that is filled throughout says how far orders are: the COD order contradicts it.
    let full = rig.read("book.csv").replace(",2,\n", ",2,جاهز\n").replace("A-", "B-");
    rig.file("full.csv", &full);
    rig.import(&["full.csv", "--profile", "book.toml"]).books(4, 5);
}
