//! A face that is no terminal: a few lines over the use cases read, answer, plan, book and settle, and nothing goes twice.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::{Arc, Mutex};

use shipsheet::app::{
    App, Caution, CourierOptions, Ended, Error, Exit, LabelOptions, LayoutAnswer, LayoutQuestion, Misuse, NoSteps,
    PlanOptions, Reading, TakeUp, UnknownLayout, Which, english,
};
use shipsheet::book::StopSignal;
use shipsheet::config::{BookingOptions, Config, Overrides, PaceOptions, Sheets};
use shipsheet::event::{Event, Listener, Phase, Stream, Totals};
use shipsheet::finding::{Finding, Id};
use shipsheet::sandbox::{Answer, DEFAULT_TOKEN, Options, Sandbox};
use tempfile::TempDir;

/// Nobody knows what `Kiez` is before somebody says so.
const HEADER: &str = "Order Number,Order Date,Receiver First Name,Receiver Phone,Address Line 1,City,State,Country Code,\
                      Kiez,Warehouse,Length,Width,Height,Weight,Payment Type,Product Name,SKU,Price,Quantity\n";

/// Good, invalid, rejected by the sandbox for its PIN code, cut off once booked, cut off before.
const ORDERS: [(&str, &str, &str); 5] = [
    ("F-1", "9876543210", "560001"),
    ("F-2", "12", "560001"),
    ("F-3", "9876543210", "999001"),
    ("F-4", "9876543210", "560004"),
    ("F-5", "9876543210", "560005"),
];

fn sheet_in(folder: &Path) -> std::path::PathBuf {
    let mut text = HEADER.to_owned();
    for (number, phone, pin) in ORDERS {
        let name = "2026-11-20,Asha";
        let parcel = "WH-1,30,20,5,0.5,PREPAID,Kurta,K-1,499.90,2";
        writeln!(text, "{number},{name},{phone},14 MG Road,Bengaluru,Karnataka,IN,{pin},{parcel}").unwrap();
    }
    let path = folder.join("orders.csv");
    std::fs::write(&path, text).unwrap();
    path
}

/// What a page would draw: every total that it was told.
#[derive(Clone, Default)]
struct Page(Arc<Mutex<Vec<Totals>>>);

impl Listener for Page {
    fn event(&mut self, _: &Event<'_>, totals: &Totals) {
        self.0.lock().unwrap().push(totals.clone());
    }
}

impl Page {
    fn last(&self) -> Totals {
        self.0.lock().unwrap().last().unwrap().clone()
    }
}

/// A service on a port of its own, and a folder for everything that is the user's own.
struct Desk {
    folder: TempDir,
    runtime: tokio::runtime::Runtime,
    service: Sandbox,
    page: Page,
}

impl Desk {
    fn new() -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let service = runtime.block_on(Sandbox::start(Options::default())).unwrap();
        Self { folder: crate::rig::folder(), runtime, service, page: Page::default() }
    }

    fn app(&self, service: &Sandbox) -> App {
        let file = self.folder.path().join("shipsheet.toml");
        std::fs::write(&file, format!("token_command = \"echo {DEFAULT_TOKEN}\"\n")).unwrap();
        let ledger = Some(self.folder.path().join("ledger.sqlite"));
        let (base_url, folder) = (Some(service.base_url()), Some(self.folder.path().to_owned()));
        App::open(
            Config::open(Overrides { file: Some(file), ledger, base_url, folder, ..Overrides::default() }).unwrap(),
        )
    }

    fn events(&self) -> Stream<Page> {
        Stream::new(self.page.clone())
    }

    fn read(&self, app: &App) -> Reading {
        app.read(&Sheets::of([sheet_in(self.folder.path())]), &mut self.events()).unwrap()
    }

    /// The sheet, with its one question answered.
    fn answered(&self, app: &App, keep_as: Option<&str>) -> Reading {
        let mut reading = self.read(app);
        let mut layout = unknown(&reading);
        let pin_code = layout.missing[0];
        let likeliest = layout.candidates(pin_code)[0].column.index;
        layout.guess.take(pin_code, likeliest);
        reading.answer(layout.answer(keep_as), &mut self.events()).unwrap();
        reading
    }

    /// Books a sheet, or what is outstanding where there is none.
    fn book<'r>(&self, app: &App, reading: Option<&'r Reading>) -> (Ended<'r>, Vec<Finding>) {
        let (mut events, mut said) = (self.events(), Vec::new());
        let booking = app.config().booking(&BookingOptions::default());
        let mut session = app.session("desk").unwrap();
        let plan = match reading {
            Some(reading) => {
                let say = &mut |finding: &Finding| said.push(finding.clone());
                session.plan(reading, PlanOptions::default(), say, &mut events).unwrap()
            }
            None => session.take_up(&TakeUp::Outstanding { run: None }, &mut events).unwrap().0.unwrap(),
        };
        assert_eq!(plan.cautions(), []);
        let connection = app.connect(&booking).unwrap();
        let staged = plan.stage(&[], &mut events).unwrap();
        let (ended, _) = session.book(staged, &booking, Some(connection), StopSignal::default(), events).unwrap();
        ended.balance().unwrap();
        (ended, said)
    }

    /// The AWB that the courier's portal shows for an order.
    fn portal(&self, order: &str) -> Option<String> {
        let mut bookings = self.service.book().bookings().into_iter();
        bookings.find(|booking| booking.order_number == order).map(|booking| booking.awb)
    }

    fn end(self) {
        let book = self.service.book();
        self.runtime.block_on(self.service.shutdown());
        assert_eq!(book.booked_twice(), Vec::<String>::new());
    }
}

fn unknown(reading: &Reading) -> UnknownLayout {
    match reading.question().unwrap() {
        Some(LayoutQuestion::Unknown(layout)) => *layout,
        other => panic!("{other:?}"),
    }
}

/// Every order of a run with its state.
fn states(ended: &Ended<'_>) -> Vec<(String, String)> {
    let mut states = Vec::new();
    ended.each_order(&mut |order| states.push((order.order_number.clone().unwrap(), order.state.clone()))).unwrap();
    states
}

fn pairs(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs.iter().map(|(number, state)| ((*number).to_owned(), (*state).to_owned())).collect()
}

#[test]
fn a_layout_is_asked_about_once_and_nothing_is_planned_before() {
    let desk = Desk::new();
    let app = desk.app(&desk.service);
    let mut reading = desk.read(&app);
    let refused = app.preview(&reading, PlanOptions::default(), &mut |_| {}, &mut desk.events());
    assert!(matches!(refused.err(), Some(Error::Unusable(_))), "what cannot be read is not planned either");

    let layout = unknown(&reading);
    let missing: Vec<&str> = layout.missing.iter().map(|field| field.path).collect();
    assert_eq!(missing, ["destination.pinCode"]);
    let named: Vec<(Id, Option<&str>)> = reading
        .problems()
        .iter()
        .filter(|problem| problem.holds())
        .map(|problem| (problem.id, problem.field.as_deref()))
        .collect();
    assert_eq!(named, [(Id::MissingColumn, Some("destination.pinCode"))]);
    let likeliest = layout.candidates(layout.missing[0])[0].column.index;
    assert_eq!(reading.opened().sheets[0].sheet.header().cells[likeliest as usize], "Kiez", "its cells are PIN codes");

    reading = desk.answered(&app, Some("counter"));
    assert!(!reading.is_unusable() && reading.question().unwrap().is_none());
    assert!(desk.folder.path().join("profiles/counter.toml").is_file(), "beside nothing of the user's own");
    let again = desk.read(&app);
    assert_eq!(again.opened().columns.of(0).profile(), Some("counter"), "from now on nobody is asked");
    desk.end();
}

#[test]
fn headers_that_contradict_each_other_cost_one_question_and_no_sheet() {
    let desk = Desk::new();
    let app = desk.app(&desk.service);
    let path = sheet_in(desk.folder.path());
    let text = std::fs::read_to_string(&path).unwrap().replace("Kiez", "PIN Code");
    let text = text.replace("Length,Width", "Length (in),Width (cm)").replace(",Price,", ",Price (Rs),");
    let text = text.replace("Quantity\n", "Quantity,Shipping Charges ($)\n").replace(",2\n", ",2,0\n");
    std::fs::write(&path, text).unwrap();
    let mut reading = app.read(&Sheets::of([path]), &mut desk.events()).unwrap();
    assert!(reading.is_unusable(), "where nobody answers, it is held");
    let mut layout = unknown(&reading);
    assert_eq!((layout.currencies[0], layout.currencies.contains(&"USD"), layout.missing.len()), ("INR", true, 0));
    let units: Vec<&str> = layout.units.iter().map(|(_, unit)| *unit).collect();
    assert_eq!(units, ["in", "cm"]);
    layout.guess.fix(shipsheet::field::Id::CurrencyCode, "INR");
    for (column, unit) in layout.units.clone() {
        let own = layout.guess.columns.iter_mut().filter(|guessed| guessed.column.index == column);
        own.for_each(|guessed| guessed.unit = Some(unit));
    }
    reading.answer(layout.answer(None), &mut desk.events()).unwrap();
    assert!(!reading.is_unusable(), "{:?}", reading.problems());
    desk.end();
}

#[test]
fn a_page_plans_books_and_settles_and_nothing_goes_twice() {
    let desk = Desk::new();
    desk.service.script_order("F-4", [Answer::CutAfter]);
    desk.service.script_order("F-5", [Answer::CutBefore]);
    let app = desk.app(&desk.service);
    let reading = desk.answered(&app, None);
    let (first, said) = desk.book(&app, Some(&reading));

    let found: Vec<(Id, String, Option<&str>)> = said
        .iter()
        .filter(|finding| finding.holds())
        .map(|finding| (finding.id, finding.place.as_ref().unwrap().to_string(), finding.order.as_deref()))
        .collect();
    assert_eq!(found, [(Id::BadPhone, "orders.csv:3 \"Receiver Phone\"".to_owned(), Some("F-2"))]);
    let expected =
        [("F-1", "booked"), ("F-2", "invalid"), ("F-3", "rejected"), ("F-4", "in_doubt"), ("F-5", "in_doubt")];
    assert_eq!(states(&first), pairs(&expected));
    assert_eq!((first.exit(), first.orders.total, first.orders.in_doubt), (Exit::InDoubt, 5, 2));
    let totals = desk.page.last();
    assert_eq!((totals.phase, totals.run, totals.rows, totals.rows_read), (Phase::Finished, Some(1), Some(5), 5));
    assert_eq!((totals.orders_found, totals.orders_invalid, totals.planned, totals.staged), (5, 1, 4, 4));
    assert_eq!((totals.booked, totals.failed, totals.in_doubt, totals.outstanding), (1, 1, 2, 0));
    assert_eq!((totals.sent, totals.in_flight), (first.requests, 0));
    drop(first);

    // Each doubt is looked up in the portal, and a person's word settles it.
    let doubts: Vec<String> = app.doubts().unwrap().into_iter().map(|doubt| doubt.number).collect();
    assert_eq!(doubts, ["F-4", "F-5"]);
    let mut session = app.settling().unwrap();
    for order in &doubts {
        let upon = session.upon(order).unwrap();
        match desk.portal(order) {
            Some(awb) => session.settle_booked(&upon, &awb, "the portal shows it", false).unwrap(),
            None => session.settle_not_booked(&[upon], "the portal does not show it").unwrap(),
        }
    }
    drop(session);
    assert!(app.doubts().unwrap().is_empty());

    let (second, _) = desk.book(&app, None);
    assert_eq!((states(&second), second.exit()), (pairs(&[("F-5", "booked")]), Exit::Done));
    let totals = desk.page.last();
    assert_eq!((totals.run, totals.planned, totals.sent, totals.booked), (Some(2), 1, 1, 1));
    drop(second);

    // The sheet again: what is booked stays as it is, and what failed unchanged is left alone.
    let (third, _) = desk.book(&app, Some(&reading));
    assert_eq!((third.requests, third.orders.already_booked, third.orders.booked), (0, 3, 0));
    drop(third);
    let posts = ORDERS.map(|(number, ..)| desk.service.book().posts(number));
    assert_eq!(posts, [1, 0, 1, 1, 2]);
    desk.end();
}

#[test]
fn a_caution_is_data_and_stages_nothing_before_it_is_answered() {
    let desk = Desk::new();
    let other = desk.runtime.block_on(Sandbox::start(Options::default())).unwrap();
    let reading = desk.answered(&desk.app(&desk.service), None);
    drop(desk.book(&desk.app(&desk.service), Some(&reading)));

    let app = desk.app(&other);
    let (mut events, mut session) = (desk.events(), app.session("desk").unwrap());
    let plan = session.plan(&reading, PlanOptions::default(), &mut |_| {}, &mut events).unwrap();
    let [caution @ Caution::Elsewhere(elsewhere)] = plan.cautions() else { panic!("{:?}", plan.cautions()) };
    // One was rejected there, and one never sent.
    assert_eq!(elsewhere.service, desk.service.base_url());
    let sentence = format!("the numbers of 3 orders are known at {} already", desk.service.base_url());
    assert_eq!(english::caution(caution), sentence);
    let accepted = plan.cautions().to_vec();
    assert!(matches!(plan.stage(&accepted, &mut events), Err(Error::Elsewhere(_))), "it is seen, and not answered");
    assert_eq!(other.book().requests(), 0);
    drop(session);
    desk.runtime.block_on(other.shutdown());
    desk.end();
}

#[test]
fn a_layout_answer_that_cannot_be_taken_changes_nothing() {
    let desk = Desk::new();
    let app = desk.app(&desk.service);
    let mut reading = desk.read(&app);
    let guess = || Box::new(unknown(&reading).guess);
    let columns = |number, keep_as: Option<&str>| LayoutAnswer::Columns {
        number,
        guess: guess(),
        base: None,
        keep_as: keep_as.map(str::to_owned),
    };
    let answers = [columns(7, Some("counter")), columns(usize::MAX, None), columns(0, Some("counter"))];
    let profile = app.profiles().unwrap().remove(0);
    let other = LayoutAnswer::Profile { number: 1, profile: Box::new(profile), keep_as: None };
    // The last one is about the sheet, which is gone meanwhile.
    std::fs::remove_file(desk.folder.path().join("orders.csv")).unwrap();
    let [seventh, furthest, gone] = answers;
    for answer in [seventh, furthest, other] {
        let refused = reading.answer(answer, &mut desk.events()).unwrap_err();
        assert!(matches!(refused, Error::Misuse(Misuse::NoSheet { there: 1, .. })), "{refused}");
    }
    assert!(matches!(reading.answer(gone, &mut desk.events()), Err(Error::Stage(_))));
    assert!(!desk.folder.path().join("profiles").exists(), "a profile was kept for sheets that cannot be read");
    // Nothing was answered, so that the question is still there.
    sheet_in(desk.folder.path());
    let layout = unknown(&reading);
    assert_eq!((layout.number, layout.missing[0].path), (0, "destination.pinCode"));
    desk.end();
}

#[test]
fn a_range_of_labels_that_is_none_is_refused() {
    let desk = Desk::new();
    let app = desk.app(&desk.service);
    drop(desk.book(&app, Some(&desk.answered(&app, None))));
    for (from, to) in [(0, 2), (3, 1), (0, 0), (9, 10)] {
        let mut chosen = app.choose(&app.read_ledger().unwrap(), &Which { run: Some(1), ..Which::default() }).unwrap();
        let options = LabelOptions {
            to: desk.folder.path().join("labels.pdf"),
            range: Some((from, to)),
            ..LabelOptions::default()
        };
        let refused = app.labels(&mut chosen, &options, None, &StopSignal::default(), &mut NoSteps).unwrap_err();
        let is_beyond = matches!(refused, Error::Misuse(Misuse::BeyondTheLabels { from: 9, .. }));
        assert!(is_beyond || matches!(refused, Error::Misuse(Misuse::NoRange { .. })), "{from} to {to}: {refused}");
        assert_eq!(is_beyond, from == 9, "{refused}");
    }
    desk.end();
}

#[test]
fn a_stop_before_couriers_are_asked_is_seen_once_the_sheet_is_read() {
    let desk = Desk::new();
    let app = desk.app(&desk.service);
    let reading = desk.answered(&app, None);
    let options = CourierOptions { check: true, ..CourierOptions::default() };
    let question = app.couriers_of_check(&options, app.config().pace(PaceOptions::default())).unwrap().unwrap();
    let (stop, mut connection) = (StopSignal::default(), None);
    stop.drain();
    let asked = app.ask_couriers(question, &reading, &mut connection, &stop, &mut NoSteps, &mut desk.events());
    assert!(matches!(asked, Err(Error::Interrupted)), "its pickup is not known, so that there is nothing to ask for");
    assert!(connection.is_none());
    desk.end();
}

#[test]
fn files_are_made_sure_of_before_a_session_begins() {
    let desk = Desk::new();
    let app = desk.app(&desk.service);
    let reading = desk.answered(&app, None);
    let file = |name: &str| desk.folder.path().join(name);
    let refused = reading.check_files(Some(&file("rejects.txt")), None).unwrap_err();
    assert!(matches!(refused, Error::Misuse(Misuse::Format(_))), "{refused}");
    let refused = reading.check_files(None, Some(&file("orders.csv"))).unwrap_err();
    assert!(matches!(refused, Error::Misuse(Misuse::OverTheSheet(_))), "{refused}");
    reading.check_files(Some(&file("rejects.csv")), Some(&file("results.jsonl"))).unwrap();
    let left: Vec<_> = std::fs::read_dir(desk.folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(left.iter().all(|name| ["orders.csv", "shipsheet.toml"].iter().any(|known| name == known)), "{left:?}");
    desk.end();
}
