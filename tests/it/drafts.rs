//! Drafts: sheets that a clerk dropped, mended in place, checked again answer by answer, and booked as they were shown.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use shipsheet::app::draft::{self, Answered, CellEdit, Draft, DraftAnswer, DraftOrder, DraftState, Filter, GroupId};
use shipsheet::app::{App, Feeding, LayoutChange, PlanOptions};
use shipsheet::book::StopSignal;
use shipsheet::config::{BookingOptions, Config, Overrides};
use shipsheet::event::Stream;
use shipsheet::finding::{Finding, Id};
use shipsheet::sandbox::{Answer, DEFAULT_TOKEN, Options, Sandbox};
use tempfile::TempDir;

use crate::rig::size::{seed, times};

const HEADER: &str = "Order Number,Order Date,Receiver First Name,Receiver Phone,Address Line 1,City,State,Country Code,\
                      PIN Code,Warehouse,Length,Width,Height,Weight,Payment Type,Product Name,SKU,Price,Quantity,Remarks\n";

/// The columns that tests type into.
const NUMBER: u32 = 0;
const DATE: u32 = 1;
pub(crate) const PHONE: u32 = 3;
pub(crate) const ADDRESS: u32 = 4;
pub(crate) const PIN: u32 = 8;
const SKU: u32 = 16;
pub(crate) const PRICE: u32 = 17;
pub(crate) const REMARKS: u32 = 19;

/// A folder for everything that is the user's own.
pub(crate) struct Desk {
    pub(crate) folder: TempDir,
}

impl Desk {
    pub(crate) fn new() -> Self {
        Self { folder: crate::rig::folder() }
    }

    pub(crate) fn app(&self) -> App {
        let folder = Some(self.folder.path().to_owned());
        App::open(Config::open(Overrides { folder, sandbox: true, ..Overrides::default() }).unwrap())
    }

    /// The same with a setting, for a service that listens there.
    pub(crate) fn app_of(&self, service: &Sandbox, setting: &str) -> App {
        let file = self.folder.path().join("shipsheet.toml");
        std::fs::write(&file, format!("token_command = \"echo {DEFAULT_TOKEN}\"\n{setting}")).unwrap();
        let ledger = Some(self.folder.path().join("ledger.sqlite"));
        let (base_url, folder) = (Some(service.base_url()), Some(self.folder.path().to_owned()));
        let overrides = Overrides { file: Some(file), ledger, base_url, folder, ..Overrides::default() };
        App::open(Config::open(overrides).unwrap())
    }
}

/// Books what a draft shows as ready. Gives what was said of orders that stayed behind.
pub(crate) fn booked(app: &App, draft: &mut Draft) -> Vec<(String, Id)> {
    let mut said = Vec::new();
    let booking = app.config().booking(&BookingOptions::default());
    let mut session = app.session("desk").unwrap();
    let say = &mut |finding: &Finding| said.push(finding.clone());
    let plan = draft.plan(&mut session, PlanOptions::default(), say, &mut Stream::silent()).unwrap();
    let connection = app.connect(&booking).unwrap();
    let staged = plan.stage(&[], &mut Stream::silent()).unwrap();
    let (ended, _) = session.book(staged, &booking, Some(connection), StopSignal::default(), Stream::silent()).unwrap();
    ended.balance().unwrap();
    drop(ended);
    *draft = app.draft(draft.id()).unwrap();
    draft.check(app, &mut Stream::silent()).unwrap();
    let held = said.into_iter().filter(Finding::holds);
    held.filter_map(|finding| Some((finding.order.clone()?, finding.id))).collect()
}

/// Orders with so many rows together: good ones but for what `change` makes of each row.
pub(crate) fn sheet(orders: usize, change: impl Fn(usize, &mut Vec<String>)) -> String {
    let mut text = HEADER.to_owned();
    for order in 0..orders {
        for line in 0..=usize::from(order % 4 == 3) {
            let mut cells: Vec<String> = [
                format!("SB-{order}"),
                "2026-11-20".to_owned(),
                format!("Asha{order}"),
                (9_812_345_000_u64 + order as u64).to_string(),
                format!("{order} MG Road"),
                "Bengaluru".to_owned(),
                "Karnataka".to_owned(),
                "IN".to_owned(),
                (560_001 + order % 90).to_string(),
                if order % 5 == 0 { "WH-2" } else { "WH-1" }.to_owned(),
            ]
            .into();
            let payment = if order % 3 == 0 { "COD" } else { "PREPAID" };
            let parcel = ["30", "20", "5", "0.5", payment, "Kurta", "K-1"].map(str::to_owned);
            cells.extend(parcel);
            cells.extend([format!("499.{:02}", line + 10), "2".to_owned(), String::new()]);
            cells[15] = format!("Kurta {line}");
            change(order, &mut cells);
            writeln!(text, "{}", cells.join(",")).unwrap();
        }
    }
    text
}

pub(crate) fn dropped(app: &App, name: &str, bytes: &[u8]) -> Draft {
    let mut draft = app.new_draft(name, &mut &*bytes).unwrap();
    draft.check(app, &mut Stream::silent()).unwrap();
    draft
}

pub(crate) fn answer(app: &App, draft: &mut Draft, answer: DraftAnswer) -> Answered {
    draft.answer(app, answer, &mut Stream::silent()).unwrap()
}

pub(crate) fn edit(row: u32, column: u32, text: &str) -> DraftAnswer {
    DraftAnswer::Edit { cells: vec![CellEdit { sheet: 0, row, column, text: text.to_owned() }] }
}

/// A column feeds a field, or nothing.
fn feeds(column: u32, path: Option<&str>) -> DraftAnswer {
    let change = LayoutChange::Column { column, field: path.map(str::to_owned), how: Feeding::Alone };
    DraftAnswer::Layout { sheet: 0, change }
}

fn orders(draft: &Draft) -> Vec<DraftOrder> {
    let mut all = Vec::new();
    loop {
        let page = draft.page(&Filter::All, all.len(), 100).unwrap();
        if page.is_empty() {
            return all;
        }
        all.extend(page);
    }
}

pub(crate) fn states(draft: &Draft) -> BTreeMap<&'static str, u64> {
    let checked = draft.checked().unwrap();
    let count = |state: DraftState| Some((state.as_str(), checked.count(state))).filter(|(_, count)| *count > 0);
    DraftState::ALL.into_iter().filter_map(count).collect()
}

/// Everything that a draft shows.
fn shown(draft: &Draft) -> Vec<String> {
    let checked = draft.checked().unwrap();
    let mut all: Vec<String> = orders(draft).iter().map(|order| format!("{order:?}")).collect();
    let groups = checked.groups().into_iter();
    let mut groups: Vec<(GroupId, u64, u64)> = groups.map(|own| (own.group, own.orders, own.cells)).collect();
    groups.sort();
    all.extend(groups.iter().map(|group| format!("{group:?}")));
    let (rows, by) = (checked.rows(), checked.by());
    all.push(format!("{:?} {rows:?} {:?} {by:?} {:?}", states(draft), checked.to_book(), checked.parts()));
    all.extend(checked.sheet_findings().iter().map(|finding| format!("{finding:?}")));
    all.extend(draft.strays(1_000).unwrap().iter().map(|stray| format!("{stray:?}")));
    all
}

#[test]
fn a_sheet_is_mended_in_place_and_is_there_again_as_it_was_left() {
    let desk = Desk::new();
    let app = desk.app();
    let text = sheet(12, |order, cells| match order {
        4 => cells[PHONE as usize] = "98765".to_owned(),
        5 => cells[PIN as usize] = "56003".to_owned(),
        6 => cells[REMARKS as usize] = "hold till Monday".to_owned(),
        _ => {}
    });
    let mut draft = dropped(&app, "C:\\fakepath\\packing.csv", text.as_bytes());
    assert_eq!(states(&draft), [("fix", 2), ("hold", 1), ("ready", 9)].into());
    assert!(draft.checked().unwrap().rows().balanced());
    let fix = draft.page(&Filter::State(DraftState::Fix), 0, 100).unwrap();
    let cells: Vec<_> = fix.iter().flat_map(|order| &order.cells).collect();
    let seen: Vec<_> = cells.iter().map(|cell| (cell.header.as_str(), cell.text.as_str(), cell.edited)).collect();
    assert_eq!(seen, [("Receiver Phone", "98765", false), ("PIN Code", "56003", false)]);
    let (phone, pin) = (cells[0].row, cells[1].row);

    let done = answer(&app, &mut draft, edit(phone, PHONE, "9876543210"));
    assert_eq!((done.full, done.orders), (false, vec!["SB-4".to_owned()]));
    answer(&app, &mut draft, edit(pin, PIN, "560034"));
    assert_eq!(states(&draft), [("hold", 1), ("ready", 11)].into());
    let whole = draft.order("SB-4").unwrap().unwrap();
    let phone_cell = &whole.rows[0].cells[PHONE as usize];
    assert_eq!((phone_cell.text.as_str(), phone_cell.edited), ("9876543210", true));

    let asked = &orders(&draft)[6].cells[0];
    assert_eq!((asked.header.as_str(), asked.text.as_str()), ("Remarks", "hold till Monday"));
    let rule = asked.findings[0].rule().unwrap().to_string();
    answer(&app, &mut draft, DraftAnswer::Accept { rule, orders: vec![], group: None, because: "it is Monday".into() });
    assert_eq!(states(&draft), [("ready", 12)].into(), "{:?}", orders(&draft)[6]);
    answer(&app, &mut draft, DraftAnswer::Hold { orders: vec!["SB-0".into(), "SB-1".into()] });
    answer(&app, &mut draft, DraftAnswer::LeaveOut { orders: vec!["SB-1".into()] });
    assert_eq!(states(&draft), [("hold", 1), ("left-out", 1), ("ready", 10)].into());
    assert!(orders(&draft)[0].by_clerk);
    let (id, before) = (draft.id().to_owned(), shown(&draft));
    drop(draft);

    // Whatever ends the program, the draft is as it was.
    let app = desk.app();
    let [entry] = &draft::all(&app.read_ledger().unwrap()).unwrap().entries[..] else { panic!("one draft") };
    assert_eq!((entry.file.as_str(), entry.steps, &entry.id), ("packing.csv", 5, &id));
    let mut draft = app.draft(&id).unwrap();
    draft.check(&app, &mut Stream::silent()).unwrap();
    assert_eq!(shown(&draft), before);
    for left in [[("hold", 2), ("ready", 10)].as_slice(), &[("ready", 12)], &[("hold", 1), ("ready", 11)]] {
        draft.undo(&app, &mut Stream::silent()).unwrap().unwrap();
        assert_eq!(states(&draft), left.iter().copied().collect());
    }
    while draft.undo(&app, &mut Stream::silent()).unwrap().is_some() {}
    assert_eq!(states(&draft), [("fix", 2), ("hold", 1), ("ready", 9)].into());
    app.clear_draft(&id, None).unwrap();
    assert!(draft::all(&app.read_ledger().unwrap()).unwrap().entries.is_empty() && app.draft(&id).is_err());
}

/// What is typed at random: right and wrong values, those of other rows, and words that change more than their own cell.
fn typed(random: &mut fastrand::Rng, rows: u32) -> CellEdit {
    let pool: &[(u32, &[&str])] = &[
        (NUMBER, &["SB-1", "sb-2", "NEW-7", "", "#SB-3"]),
        (DATE, &["2026-11-21", "13/02/2026", "02/03/2026", "", "soon"]),
        (PHONE, &["9876543210", "98765", "9812345001", "+91 98765 43210", ""]),
        (ADDRESS, &["1 MG Road", "CANCELLED", "", "Plot 560034"]),
        (PIN, &["560001", "56003", "110001", "5 60 001"]),
        (14, &["COD", "PREPAID", "Paid", ""]),
        (15, &["Kurta 0", "", "Total"]),
        (PRICE, &["499.10", "1.234,50", "abc", "0", "1,499"]),
        (18, &["1", "2", "0", "two"]),
        (REMARKS, &["hold till Monday", "cancelled", "call first zxcv", "", "Total"]),
        (20, &["beyond"]),
    ];
    let (column, texts) = pool[random.usize(..pool.len())];
    let text = texts[random.usize(..texts.len())].to_owned();
    CellEdit { sheet: 0, row: random.u32(2..rows + 2), column, text }
}

fn edits_at_random(text: &str, seed: u64, edits: usize) -> (usize, usize) {
    let desk = Desk::new();
    let app = desk.app();
    let mut random = fastrand::Rng::with_seed(seed);
    let rows = u32::try_from(text.lines().count()).unwrap() - 1;
    let mut draft = dropped(&app, "orders.csv", text.as_bytes());
    let mut full = 0;
    for number in 0..edits {
        let done = match random.u8(..10) {
            0 => draft.undo(&app, &mut Stream::silent()).unwrap(),
            1 => {
                let order = vec![format!("SB-{}", random.u32(..10))];
                let word = [DraftAnswer::Hold { orders: order.clone() }, DraftAnswer::Release { orders: order }];
                Some(answer(&app, &mut draft, word[random.usize(..2)].clone()))
            }
            _ => {
                let cells = (0..=random.usize(..2)).map(|_| typed(&mut random, rows)).collect();
                Some(answer(&app, &mut draft, DraftAnswer::Edit { cells }))
            }
        };
        full += usize::from(done.is_some_and(|done| done.full));
        let mut other = app.draft(draft.id()).unwrap();
        other.check(&app, &mut Stream::silent()).unwrap();
        let (again, anew) = (shown(&draft), shown(&other));
        assert!(other.checked().unwrap().rows().balanced(), "seed {seed}, answer {number}");
        for (again, anew) in again.iter().zip(&anew) {
            assert_eq!(again, anew, "seed {seed}, answer {number}: {:?}", draft.can_undo());
        }
        assert_eq!(again.len(), anew.len());
    }
    // The saved sheet is the draft, as a sheet.
    let saved = desk.folder.path().join("saved.csv");
    assert_eq!(draft.save(&app, &saved, &mut Stream::silent()).unwrap().notes, Vec::<String>::new());
    while let Some(undone) = draft.undo(&app, &mut Stream::silent()).unwrap() {
        assert!(undone.revision > 0);
    }
    draft.save(&app, &desk.folder.path().join("orders.csv"), &mut Stream::silent()).unwrap();
    assert_eq!(std::fs::read_to_string(desk.folder.path().join("orders.csv")).unwrap(), text, "nothing typed is left");
    (full, edits)
}

#[test]
fn after_an_answer_every_order_is_as_if_all_were_checked_anew() {
    let mut partly = 0;
    let first = seed(0);
    for seed in first..first + times(1) {
        let (full, all) = edits_at_random(&sheet(14, |_, _| {}), seed, 16);
        partly += all - full;
    }
    assert!(partly > times(3), "{partly}");
    // Scattered orders, a title, a total, and rows without a number.
    let mut lines: Vec<String> = sheet(12, |_, _| {}).lines().map(str::to_owned).collect();
    lines.swap(3, 9);
    lines.insert(7, ",,,,,,,,,,,,,,,Extra,K-9,10.00,1,".to_owned());
    lines.insert(5, "Second day,,,,,,,,,,,,,,,,,,,".to_owned());
    lines.push("Total,,,,,,,,,,,,,,,,,7499.00,30,".to_owned());
    for seed in first..first + times(1) {
        edits_at_random(&(lines.join("\n") + "\n"), seed, 16);
    }
}

#[test]
fn in_a_sheet_of_many_portions_only_what_is_touched_is_read_again() {
    let (full, all) = edits_at_random(&sheet(2_000, |_, _| {}), seed(77), times(2));
    assert!(full < all);
}

#[test]
fn an_order_with_a_remark_that_nobody_could_read_is_judged_alone_while_the_remark_stays() {
    let desk = Desk::new();
    let app = desk.app();
    let text = sheet(12, |order, cells| {
        if order < 3 {
            cells[REMARKS as usize] = "zxcv brown".to_owned();
        }
    });
    let mut draft = dropped(&app, "packing.csv", text.as_bytes());
    let row = draft.order("SB-1").unwrap().unwrap().rows[0].row;
    let done = answer(&app, &mut draft, edit(row, PHONE, "9876543299"));
    assert_eq!((done.full, done.orders), (false, vec!["SB-1".to_owned()]));
    let counted = |draft: &Draft| {
        let said = draft.checked().unwrap().sheet_findings().iter().map(|finding| format!("{finding:?}"));
        said.filter(|said| said.contains("zxcv brown")).collect::<String>()
    };
    assert!(counted(&draft).contains("3 ×"), "{}", counted(&draft));
    // An order that no longer goes takes its remark along, and another remark is another count.
    assert!(answer(&app, &mut draft, edit(row, PHONE, "98765")).full);
    assert!(counted(&draft).contains("2 ×"), "{}", counted(&draft));
    assert!(answer(&app, &mut draft, edit(row, REMARKS, "vuiq")).orders.contains(&"SB-1".to_owned()));
    assert!(answer(&app, &mut draft, edit(row, PHONE, "9876543299")).full);
    assert!(counted(&draft).contains("2 ×"), "{}", counted(&draft));
}

#[test]
fn what_is_booked_is_what_was_shown() {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let service = runtime.block_on(Sandbox::start(Options::default())).unwrap();
    let desk = Desk::new();
    let app = desk.app_of(&service, "");
    let text = sheet(8, |order, cells| {
        if order == 2 {
            cells[PHONE as usize] = "98765".to_owned();
        }
        if order == 5 {
            cells[DATE as usize] = String::new();
        }
    });
    let mut draft = dropped(&app, "packing.csv", text.as_bytes());
    let row = |draft: &Draft, number: &str| draft.order(number).unwrap().unwrap().rows[0].row;
    let phone = row(&draft, "SB-2");
    answer(&app, &mut draft, edit(phone, PHONE, "9876543210"));
    answer(&app, &mut draft, DraftAnswer::Hold { orders: vec!["SB-3".into()] });
    answer(&app, &mut draft, DraftAnswer::LeaveOut { orders: vec!["SB-4".into()] });
    let to_book = draft.checked().unwrap().to_book();
    assert_eq!(booked(&app, &mut draft), [("SB-3".to_owned(), Id::HeldBack), ("SB-4".to_owned(), Id::HeldBack)]);
    let bookings = service.book().bookings();
    let numbers: Vec<&str> = bookings.iter().map(|booking| booking.order_number.as_str()).collect();
    assert_eq!(numbers.len() as u64, to_book.orders);
    assert!(!numbers.contains(&"SB-3") && !numbers.contains(&"SB-4") && numbers.contains(&"SB-2"), "{numbers:?}");
    let mended = bookings.iter().find(|booking| booking.order_number == "SB-2").unwrap();
    assert!(String::from_utf8_lossy(&mended.body).contains("\"9876543210\""), "the request has what was typed");
    assert_eq!(draft::of_run(&app.read_ledger().unwrap(), 1).unwrap().unwrap().id, draft.id());

    let with_results = desk.folder.path().join(draft.name_with(&app, "with AWBs", &mut Stream::silent()).unwrap());
    draft.save_results(&app, &with_results, &mut Stream::silent()).unwrap();
    let lines: Vec<String> = std::fs::read_to_string(with_results).unwrap().lines().map(str::to_owned).collect();
    let original: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with(original[0]) && lines[0].ends_with(",shipsheet error"), "{}", lines[0]);
    let of = |number: &str| lines.iter().find(|line| line.starts_with(&format!("{number},"))).unwrap();
    let awb = &bookings.iter().find(|booking| booking.order_number == "SB-2").unwrap().awb;
    assert!(of("SB-2").contains(",9876543210,") && of("SB-2").contains(&format!(",Booked,{awb},")), "{}", of("SB-2"));
    assert!(!of("SB-3").to_lowercase().contains("booked"), "{}", of("SB-3"));

    draft.recheck(&app, &mut Stream::silent()).unwrap();
    assert_eq!(states(&draft), [("booked", 6), ("hold", 1), ("left-out", 1)].into());
    let whole = draft.order("SB-0").unwrap().unwrap();
    assert!(whole.order.awb.is_some_and(|awb| bookings.iter().any(|booking| booking.awb == awb)));

    // Released, but shown before the configuration changed what would be sent.
    answer(&app, &mut draft, DraftAnswer::Release { orders: vec!["SB-3".into(), "SB-4".into()] });
    assert_eq!(draft.checked().unwrap().count(DraftState::Ready), 2);
    let id = draft.id().to_owned();
    let mut other = app.draft(&id).unwrap();
    other.check(&app, &mut Stream::silent()).unwrap();
    let sheets = app.config().ledger().with_file_name("ledger.sqlite.desk").join("sheets");
    let path = sheets.join(&id).join("packing.csv");
    let changed = std::fs::read_to_string(&path).unwrap().replace("4 MG Road", "44 MG Road");
    std::fs::write(&path, changed).unwrap();
    assert_eq!(booked(&app, &mut other), [("SB-4".to_owned(), Id::HeldBack)]);
    assert_eq!(service.book().posts("SB-4"), 0);
    assert_eq!(service.book().posts("SB-3"), 1);

    // Nothing goes that was not checked since something was said.
    let mut unchecked = app.draft(&id).unwrap();
    let mut session = app.session("desk").unwrap();
    let refused = unchecked.plan(&mut session, PlanOptions::default(), &mut |_| {}, &mut Stream::silent());
    assert!(refused.is_err());
    drop(refused);
    drop(session);
    unchecked.undo(&app, &mut Stream::silent()).unwrap();
    assert_eq!(service.book().booked_twice(), Vec::<String>::new());
    runtime.block_on(service.shutdown());
}

#[test]
fn what_was_sent_held_or_left_out_stays_so_under_the_numbers_of_another_column() {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let service = runtime.block_on(Sandbox::start(Options::default())).unwrap();
    service.script_order("SB-4", [Answer::Status(422, r#"{"message":["try again"]}"#.to_owned())]);
    let desk = Desk::new();
    let app = desk.app_of(&service, "");
    let text = sheet(6, |order, cells| cells[SKU as usize] = format!("K-{order}"));
    let mut draft = dropped(&app, "orders.csv", text.as_bytes());
    answer(&app, &mut draft, DraftAnswer::Hold { orders: vec!["SB-1".into()] });
    answer(&app, &mut draft, DraftAnswer::LeaveOut { orders: vec!["SB-2".into()] });
    booked(&app, &mut draft);
    draft.recheck(&app, &mut Stream::silent()).unwrap();
    assert_eq!(draft.can_undo(), None);
    assert!(draft.undo(&app, &mut Stream::silent()).unwrap().is_none());

    let answers = vec![feeds(NUMBER, None), feeds(SKU, Some("orderNumber"))];
    draft.answer_all(&app, answers, &mut Stream::silent()).unwrap();
    let states: Vec<(String, DraftState)> = orders(&draft).into_iter().map(|own| (own.number, own.state)).collect();
    let is = |number: &str| states.iter().find(|(own, _)| own == number).unwrap().1;
    assert_eq!(["K-1", "K-2"].map(is), [DraftState::Hold, DraftState::LeftOut]);
    assert!(["K-0", "K-3", "K-5"].iter().all(|sent| is(sent) != DraftState::Ready), "{states:?}");
    let held = draft.order("K-0").unwrap().unwrap().order;
    let said: Vec<&Finding> = held.findings.iter().chain(held.cells.iter().flat_map(|cell| &cell.findings)).collect();
    assert!(said.iter().any(|finding| finding.case == "second_number" && finding.holds()), "{said:?}");
    // What the service said no to is no parcel: it may go under another number.
    assert_eq!(is("K-4"), DraftState::Ready);
    // As long as one of its orders is unsent, nothing takes its word away.
    assert_eq!(app.clear_drafts(i64::MAX).unwrap(), 0);
    app.give_up(&["SB-4".to_owned()], "no longer wanted").unwrap();
    assert_eq!(app.clear_drafts(i64::MAX).unwrap(), 0, "what is held or left out is that however long ago");
    answer(&app, &mut draft, DraftAnswer::Release { orders: vec!["K-1".into(), "K-2".into()] });
    assert_eq!(app.clear_drafts(i64::MAX).unwrap(), 1, "a word goes with its rows, whatever number they had");
    runtime.block_on(service.shutdown());
}

#[test]
fn what_is_held_or_left_out_stays_so_over_an_answer_on_the_worksheet() {
    let desk = Desk::new();
    let app = desk.app();
    let mut book = rust_xlsxwriter::Workbook::new();
    for (name, start) in [("Packing", "SB"), ("Copy", "SB"), ("Others", "OT")] {
        let worksheet = book.add_worksheet().set_name(name).unwrap();
        for (row, line) in (0..).zip(sheet(4, |_, _| {}).replace("SB-", &format!("{start}-")).lines()) {
            for (column, cell) in (0..).zip(line.split(',')) {
                worksheet.write_string(row, column, cell).unwrap();
            }
        }
    }
    let mut draft = app.new_draft("packing.xlsx", &mut &*book.save_to_buffer().unwrap()).unwrap();
    let worksheet = |name: &str| DraftAnswer::Worksheet { name: name.to_owned() };
    answer(&app, &mut draft, worksheet("Packing"));
    answer(&app, &mut draft, DraftAnswer::Hold { orders: vec!["SB-1".into()] });
    answer(&app, &mut draft, DraftAnswer::LeaveOut { orders: vec!["SB-2".into()] });
    let kept = [("hold", 1), ("left-out", 1), ("ready", 2)];
    // The same orders of another worksheet are the same orders; other orders in the same rows are not.
    for (name, expected) in [("Copy", kept.into()), ("Others", [("ready", 4)].into()), ("Packing", kept.into())] {
        answer(&app, &mut draft, worksheet(name));
        assert_eq!(states(&draft), expected, "{name}");
    }
}

#[test]
fn columns_are_told_and_changed_and_remembered() {
    let desk = Desk::new();
    let app = desk.app();
    let text = sheet(6, |_, _| {}).replacen("PIN Code", "Kiez", 1).replacen("Warehouse", "Depot", 1);
    let mut draft = dropped(&app, "orders.csv", text.as_bytes());
    assert!(!draft.checked().unwrap().is_usable());
    let sheets = draft.columns(&app, &mut Stream::silent()).unwrap();
    let missing: Vec<&str> = sheets[0].missing.iter().map(|field| field.path).collect();
    assert_eq!(missing, ["warehouseId", "destination.pinCode"]);
    assert_eq!(sheets[0].columns[8].values, ["560001", "560002", "560003", "560004", "560005"]);
    let asked: Vec<&str> = sheets[0].defaults.iter().map(|asked| asked.field.path).collect();
    assert_eq!(asked, ["warehouseId"]);

    assert!(answer(&app, &mut draft, feeds(8, Some("destination.pinCode"))).full);
    let warehouse = |value: &str| DraftAnswer::Default { field: "warehouseId".into(), value: value.into() };
    answer(&app, &mut draft, warehouse("WH-9"));
    assert_eq!(states(&draft), [("ready", 6)].into());
    let [share, _] = &draft.checked().unwrap().by()[..] else { panic!("COD and PREPAID") };
    assert_eq!((share.warehouse.as_str(), share.payment.as_str(), share.totals.orders), ("WH-9", "COD", 2));
    answer(&app, &mut draft, feeds(9, Some("warehouseId")));
    assert_eq!(draft.checked().unwrap().by().len(), 4, "WH-1 and WH-2, of which each row says one");
    draft.undo(&app, &mut Stream::silent()).unwrap();

    let kept = draft.keep_profile(&app, "counter", false, &mut Stream::silent()).unwrap();
    assert!(kept.path.is_file());
    let mut again = dropped(&app, "tomorrow.csv", text.as_bytes());
    assert_eq!(states(&again), [("ready", 6)].into());
    answer(&app, &mut again, warehouse("WH-4"));
    let is_said = again.checked().unwrap().by().iter().all(|share| share.warehouse == "WH-4");
    assert!(is_said, "what is said of a sheet goes before what was remembered of others");
    let heavy = DraftAnswer::Default { field: "parcelAttributes.weight.weight".into(), value: "heavy".into() };
    assert!(again.answer(&app, heavy, &mut Stream::silent()).unwrap_err().to_string().contains("cannot be the Weight"));
    assert!(draft.answer(&app, feeds(99, None), &mut Stream::silent()).is_err());
    assert!(draft.answer(&app, edit(999, PHONE, "1"), &mut Stream::silent()).is_err());
    assert_eq!(draft.revision(), 4);
}
