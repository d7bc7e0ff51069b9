//! Drafts as sheets again: the clerk's own layout, dialect and encoding, with what was typed and nothing else.

use std::collections::BTreeMap;
use std::io::Read as _;
use std::path::Path;
use std::process::Command;

use rust_xlsxwriter::{Format, Formula, Workbook};
use shipsheet::app::draft::{DraftAnswer, DraftState, WholeOrder};
use shipsheet::event::Stream;

use crate::drafts::{self, ADDRESS, Desk, PHONE, PIN, PRICE, REMARKS, answer, dropped, edit, sheet, states};

/// A workbook in a layout of its own: titles above the header, a merged cell, formats, a formula, another worksheet.
fn workbook(orders: usize) -> Vec<u8> {
    let mut book = Workbook::new();
    book.add_worksheet().set_name("Notes").unwrap().write_string(0, 0, "Prices hold until May").unwrap();
    let (bold, money) = (Format::new().set_bold(), Format::new().set_num_format("#,##0.00"));
    let sheet = book.add_worksheet();
    sheet.set_name("Packing").unwrap().set_column_width(3, 30).unwrap();
    sheet.merge_range(0, 0, 0, 6, "Packing list of the day", &bold).unwrap();
    let text = drafts::sheet(orders, |_, _| {});
    for (row, line) in (2_u32..).zip(text.lines()) {
        for (column, cell) in (0_u16..).zip(line.split(',')) {
            match (row, u32::from(column)) {
                (3.., PIN) => sheet.write_number(row, column, cell.parse::<f64>().unwrap()),
                (3.., PRICE) => sheet.write_number_with_format(row, column, cell.parse::<f64>().unwrap(), &money),
                _ => sheet.write_string(row, column, cell),
            }
            .unwrap();
        }
        if row > 2 {
            let product = Formula::new(format!("R{0}*S{0}", row + 1)).set_result("1");
            sheet.write_formula(row, 22, product).unwrap();
        }
    }
    book.save_to_buffer().unwrap()
}

fn parts(path: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut archive = zip::ZipArchive::new(std::fs::File::open(path).unwrap()).unwrap();
    let mut parts = BTreeMap::new();
    for index in 0..archive.len() {
        let mut bytes = Vec::new();
        let mut part = archive.by_index(index).unwrap();
        part.read_to_end(&mut bytes).unwrap();
        parts.insert(String::from_utf8_lossy(part.name_raw()).into_owned(), bytes);
    }
    parts
}

#[test]
fn a_saved_workbook_is_the_clerks_own_with_what_was_typed() {
    let desk = Desk::new();
    let app = desk.app();
    let bytes = workbook(5);
    let own = desk.folder.path().join("own.xlsx");
    std::fs::write(&own, &bytes).unwrap();
    let mut draft = app.new_draft("packing.xlsx", &mut &*bytes).unwrap();
    draft.check(&app, &mut Stream::silent()).unwrap();
    if !draft.checked().unwrap().is_usable() {
        answer(&app, &mut draft, DraftAnswer::Worksheet { name: "Packing".into() });
    }
    assert_eq!(states(&draft), [("ready", 5)].into(), "{:?}", draft.checked().unwrap().sheet_findings());
    let row = draft.order("SB-1").unwrap().unwrap().rows[0].row;
    assert_eq!(row, 5);
    answer(&app, &mut draft, edit(row, PHONE, "98765 <&> 43210"));
    answer(&app, &mut draft, edit(row, PIN, "560099"));
    answer(&app, &mut draft, edit(row, PRICE, "1250.50"));
    answer(&app, &mut draft, edit(row, REMARKS, "=call first"));
    let before = draft.order("SB-1").unwrap().unwrap();
    let saved = desk.folder.path().join(draft.name_with(&app, "corrected", &mut Stream::silent()).unwrap());
    assert!(saved.ends_with("packing corrected.xlsx"));
    let told = draft.save(&app, &saved, &mut Stream::silent()).unwrap();
    assert_eq!((told.format, told.notes), ("xlsx", Vec::new()));

    let (was, is) = (parts(&own), parts(&saved));
    let changed: Vec<&str> = was.iter().filter(|(name, part)| is[*name] != **part).map(|(name, _)| &**name).collect();
    assert_eq!(changed, ["xl/worksheets/sheet2.xml"]);
    assert!(was.keys().eq(is.keys()));
    let sheet = String::from_utf8_lossy(&is["xl/worksheets/sheet2.xml"]).into_owned();
    for kept in
        ["<mergeCell ref=\"A1:G1\"", "<f>R5*S5</f>", "<v>560099</v>", "<v>1250.50</v>", "98765 &lt;&amp;&gt; 43210"]
    {
        assert!(sheet.contains(kept), "{kept}");
    }
    let again = std::fs::read(&saved).unwrap();
    let mut again = app.new_draft("packing.xlsx", &mut &*again).unwrap();
    again.check(&app, &mut Stream::silent()).unwrap();
    let after = again.order("SB-1").unwrap().unwrap();
    let texts = |order: &WholeOrder| order.rows[0].cells.iter().map(|cell| cell.text.clone()).collect::<Vec<_>>();
    assert_eq!((texts(&after), states(&again)), (texts(&before), states(&draft)));
    in_libreoffice(&saved, "98765 <&> 43210");
}

/// Has `LibreOffice` read a workbook, where there is one.
#[expect(clippy::print_stderr, reason = "whoever runs the tests should know")]
fn in_libreoffice(path: &Path, wanted: &str) {
    let folder = path.parent().unwrap();
    let profile = format!("-env:UserInstallation=file://{}/office", folder.display());
    let csv = "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,false,false,false,2";
    let arguments = [&profile, "--headless", "--convert-to", csv, "--outdir"];
    match Command::new("soffice").args(arguments).arg(folder).arg(path).output() {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            eprintln!("skipped: LibreOffice is not here, and what it reads was not looked at");
        }
        output => {
            let output = output.unwrap();
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            let made = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
            let mut made = made.filter(|path| path.extension().is_some_and(|ending| ending == "csv"));
            let read = std::fs::read_to_string(made.next().unwrap()).unwrap();
            assert!(read.contains(wanted) && read.contains("560099"), "{read}");
        }
    }
}

#[test]
fn a_saved_text_file_keeps_its_dialect_and_encoding() {
    let desk = Desk::new();
    let app = desk.app();
    let text = sheet(4, |_, _| {}).replace(',', ";").replace('\n', "\r\n").replace("1 MG Road", "1 Caf\u{e9} Road");
    let bytes: Vec<u8> = text.chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect();
    let mut draft = dropped(&app, "orders.csv", &bytes);
    let row = draft.order("SB-1").unwrap().unwrap().rows[0].row;
    answer(&app, &mut draft, edit(row, ADDRESS, "1 Caf\u{e9} \"Noir\"; Road"));
    let saved = desk.folder.path().join("saved.csv");
    assert!(draft.save(&app, &saved, &mut Stream::silent()).unwrap().notes.is_empty());
    let expected = text.replace("1 Caf\u{e9} Road", "\"1 Caf\u{e9} \"\"Noir\"\"; Road\"");
    let expected: Vec<u8> = expected.chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect();
    assert_eq!(std::fs::read(&saved).unwrap(), expected);
    answer(&app, &mut draft, edit(row, ADDRESS, "\u{907}\u{92e}"));
    let told = draft.save(&app, &saved, &mut Stream::silent()).unwrap();
    assert!(told.notes[0].contains("UTF-8"));
    assert!(String::from_utf8(std::fs::read(&saved).unwrap()).unwrap().contains("\u{907}\u{92e}"));
}

#[test]
fn a_sheet_is_read_as_it_came_whatever_became_of_its_copy() {
    let desk = Desk::new();
    let app = desk.app();
    let id = dropped(&app, "packing.csv", sheet(2, |_, _| {}).as_bytes()).id().to_owned();
    let copy = shipsheet::ledger::desk_folder(app.config().ledger()).join("sheets").join(&id).join("packing.csv");
    let whole = std::fs::read(&copy).unwrap();
    let other = String::from_utf8(whole.clone()).unwrap().replace("MG Road", "NG Road");
    let spoils: [&dyn Fn(); 3] =
        [&|| std::fs::write(&copy, &other).unwrap(), &|| std::fs::write(&copy, "").unwrap(), &|| {
            std::fs::remove_dir_all(copy.parent().unwrap().parent().unwrap()).unwrap();
        }];
    for spoil in spoils {
        spoil();
        let mut draft = app.draft(&id).unwrap();
        assert_eq!(draft.check(&app, &mut Stream::silent()).unwrap().count(DraftState::Ready), 2);
        assert_eq!(std::fs::read(&copy).unwrap(), whole);
    }
    // Copies go with their draft, also where another station cleared it, but not while one is being made.
    let left = copy.parent().unwrap().with_file_name("000000000001-00000001");
    std::fs::create_dir(&left).unwrap();
    let young =
        copy.parent().unwrap().with_file_name(format!("{:012x}-00000001", jiff::Timestamp::now().as_millisecond()));
    std::fs::create_dir(&young).unwrap();
    assert_eq!(app.clear_drafts(i64::MAX).unwrap(), 1);
    assert!(!copy.parent().unwrap().exists() && !left.exists() && young.exists());
    assert!(matches!(app.draft(&id), Err(shipsheet::app::Error::NoDraft)));
}

#[test]
fn an_answer_that_is_refused_takes_nothing_back() {
    let desk = Desk::new();
    let app = desk.app();
    let mut draft = dropped(&app, "orders.csv", sheet(2, |_, _| {}).as_bytes());
    answer(&app, &mut draft, DraftAnswer::Hold { orders: vec!["SB-0".into()] });
    let refused = DraftAnswer::Default { field: "no.such.field".into(), value: "1".into() };
    assert!(draft.answer_all(&app, vec![refused], &mut Stream::silent()).is_err());
    let mut again = app.draft(draft.id()).unwrap();
    again.check(&app, &mut Stream::silent()).unwrap();
    assert_eq!((again.revision(), states(&again)), (1, [("hold", 1), ("ready", 1)].into()));
}
