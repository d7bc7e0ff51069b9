//! Apps beside each other never take what belongs to another one, and one call does all that an import does.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use shipsheet::app::{
    App, Caution, Connection, CourierOptions, Error, Exit, ImportEnd, ImportOptions, Imported, Mismatch, NoSteps,
    PlanOptions, Reading, Session, Staged, TakeUp, Unwritten, Why,
};
use shipsheet::book::{Decimal, FarMore, Quantity, Stop, StopSignal};
use shipsheet::config::{BookingOptions, Config, Overrides, Sheets};
use shipsheet::event::{Event, Listener, Stream, Totals};
use shipsheet::sandbox::{DEFAULT_TOKEN, Options, Sandbox};
use tempfile::TempDir;

const HEADER: &str = "Order Number,Order Date,Receiver First Name,Receiver Phone,Address Line 1,City,State,Country Code,\
                      Receiver Pincode,Warehouse,Length,Width,Height,Weight,Payment Type,Product Name,SKU,Price,Quantity\n";

/// An app with a folder of its own, and the service that it is for.
struct Shop {
    folder: TempDir,
    runtime: tokio::runtime::Runtime,
    service: Option<Sandbox>,
    app: App,
}

impl Shop {
    /// One that books for real, as far as it knows.
    fn real() -> Self {
        let (folder, runtime) = (crate::rig::folder(), runtime());
        let service = runtime.block_on(Sandbox::start(Options::default())).unwrap();
        let file = folder.path().join("shipsheet.toml");
        fs::write(&file, format!("token_command = \"echo {DEFAULT_TOKEN}\"\n")).unwrap();
        let own = Some(folder.path().to_owned());
        let base_url = Some(service.base_url());
        let overrides = Overrides { file: Some(file), base_url, folder: own, ..Overrides::default() };
        let app = App::open(Config::open(overrides).unwrap());
        Self { folder, runtime, service: Some(service), app }
    }

    /// One that practises.
    fn practice() -> Self {
        let folder = crate::rig::folder();
        let overrides = Overrides { sandbox: true, folder: Some(folder.path().to_owned()), ..Overrides::default() };
        let app = App::open(Config::open(overrides).unwrap());
        Self { folder, runtime: runtime(), service: None, app }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// A sheet of orders, each with a phone and a price.
    fn read(&self, orders: &[(&str, &str, u32)]) -> Reading {
        let mut text = HEADER.to_owned();
        for (number, phone, price) in orders {
            let to = "14 MG Road,Bengaluru,Karnataka,IN,560001";
            let row = format!("{number},2026-11-20,Asha,{phone},{to},WH-1,30,20,5,0.5,PREPAID,Kurta,K-1,{price},1");
            writeln!(text, "{row}").unwrap();
        }
        fs::write(self.path("orders.csv"), text).unwrap();
        self.app.read(&Sheets::of([self.path("orders.csv")]), &mut Stream::silent()).unwrap()
    }

    fn connect(&self) -> Connection {
        self.app.connect(&self.app.config().booking(&BookingOptions::default())).unwrap()
    }

    fn stage<'s, 'r>(&'s self, reading: &'r Reading) -> (Session<'s>, Staged<'r>) {
        let (mut session, mut events) = (self.app.session("shop").unwrap(), Stream::silent());
        let plan = session.plan(reading, PlanOptions::default(), &mut |_| {}, &mut events).unwrap();
        let staged = plan.stage(&[], &mut events).unwrap();
        (session, staged)
    }

    /// What keeps a staged run from being booked with this.
    fn refused(&self, session: Session<'_>, staged: Staged<'_>, connection: Option<Connection>) -> Mismatch {
        let booking = self.app.config().booking(&BookingOptions::default());
        match session.book(staged, &booking, connection, StopSignal::default(), Stream::silent()) {
            Err(Error::Mismatch(mismatch)) => mismatch,
            Err(error) => panic!("{error}"),
            Ok((ended, _)) => panic!("it booked {:?}", ended.orders),
        }
    }

    fn import(&self, reading: &mut Reading, options: &ImportOptions<'_>) -> Result<Imported, Error> {
        let (stop, events) = (StopSignal::default(), Stream::silent());
        Ok(self.app.import(reading, options, stop, &mut |_| {}, events)?.0)
    }

    fn key(&self) -> String {
        self.app.config().service_key().unwrap()
    }

    /// POSTs that reached the service.
    fn requests(&self) -> u64 {
        self.service.as_ref().map_or(0, |service| service.book().requests())
    }

    fn end(self) {
        if let Some(service) = self.service {
            let book = service.book();
            self.runtime.block_on(service.shutdown());
            assert_eq!(book.booked_twice(), Vec::<String>::new());
        }
    }
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap()
}

const fn why(imported: &Imported) -> Option<&Why> {
    match &imported.end {
        ImportEnd::Left { why, .. } => Some(why),
        ImportEnd::Booked(_) => None,
    }
}

/// Promise 9: practice orders go to no real service, and real ones to no other than theirs.
#[test]
fn practice_orders_never_go_to_a_real_service_nor_real_ones_to_another() {
    let (real, practice) = (Shop::real(), Shop::practice());
    let reading = practice.read(&[("P-1", "9876543210", 500)]);
    let (session, staged) = practice.stage(&reading);
    let refused = practice.refused(session, staged, Some(real.connect()));
    assert_eq!(refused, Mismatch::OtherConnection { connected: real.key(), own: practice.key() });

    let options = CourierOptions { check: true, pickup_pin: Some("560048".to_owned()), ..CourierOptions::default() };
    let booking = practice.app.config().booking(&BookingOptions::default());
    let question = practice.app.couriers_before(&options, &booking).unwrap().unwrap();
    let (mut connection, stop, steps) = (Some(real.connect()), StopSignal::default(), &mut NoSteps);
    let events = &mut Stream::silent();
    let asked = practice.app.ask_couriers(question, &reading, &mut connection, &stop, steps, events);
    assert!(matches!(asked, Err(Error::Mismatch(Mismatch::OtherConnection { .. }))), "nor are its couriers asked");

    let (session, _) = real.stage(&reading);
    let (own, staged) = practice.stage(&reading);
    drop(own);
    let refused = real.refused(session, staged, Some(real.connect()));
    assert_eq!(refused, Mismatch::OtherSession { run: 2, staged: practice.key(), own: real.key() });
    assert_eq!(real.requests(), 0);
    real.end();
}

#[test]
fn two_ledgers_of_one_service_are_not_taken_for_each_other() {
    let (one, other) = (Shop::practice(), Shop::practice());
    let reading = one.read(&[("P-1", "9876543210", 500)]);
    let (session, _) = one.stage(&reading);
    let (_, staged) = other.stage(&reading);
    let refused = one.refused(session, staged, Some(one.connect()));
    assert_eq!(refused, Mismatch::OtherSession { run: 1, staged: other.key(), own: one.key() });
}

#[test]
fn without_a_connection_a_run_stays_outstanding_and_says_so() {
    let shop = Shop::real();
    let reading = shop.read(&[("P-1", "9876543210", 500), ("P-2", "9876543210", 500)]);
    let (session, staged) = shop.stage(&reading);
    assert_eq!(shop.refused(session, staged, None), Mismatch::NoConnection { run: 1, orders: 2 });
    assert_eq!(shop.requests(), 0);

    let (mut session, mut events) = (shop.app.session("shop").unwrap(), Stream::silent());
    let (plan, _) = session.take_up(&TakeUp::Outstanding { run: None }, &mut events).unwrap();
    let staged = plan.unwrap().stage(&[], &mut events).unwrap();
    let booking = shop.app.config().booking(&BookingOptions::default());
    let connection = Some(shop.connect());
    let (ended, _) = session.book(staged, &booking, connection, StopSignal::default(), events).unwrap();
    assert_eq!((ended.orders.booked, shop.requests()), (2, 2), "and a resume sends it");
    drop(ended);
    shop.end();
}

/// Promise 5: an import that is far larger than usual is sent only once somebody accepts it.
#[test]
fn far_more_than_usual_is_data_and_is_sent_only_once_it_is_accepted() {
    let shop = Shop::real();
    for number in ["U-1", "U-2", "U-3"] {
        let mut reading = shop.read(&[(number, "9876543210", 500)]);
        assert_eq!(shop.import(&mut reading, &ImportOptions::default()).unwrap().exit(), Exit::Done);
    }
    let numbers: Vec<String> = (0..51).map(|n| format!("V-{n:02}")).collect();
    let many = numbers.iter().map(|number| (number.as_str(), "9876543210", 30));
    let mut reading = shop.read(&many.chain([("U-5", "12", 10)]).collect::<Vec<_>>());
    let rejects = shop.path("rejects.csv");
    let options = ImportOptions { rejects: Some(&rejects), ..ImportOptions::default() };
    let imported = shop.import(&mut reading, &options).unwrap();
    let far =
        FarMore { what: Quantity::DeclaredValue, amount: Decimal::from(1530), largest: Decimal::from(500), imports: 3 };
    let orders = FarMore { what: Quantity::Orders, amount: Decimal::from(51), largest: Decimal::from(1), ..far };
    let all = [orders, far].map(Caution::FarMoreThanUsual);
    assert_eq!(why(&imported), Some(&Why::Cautions(all.to_vec())));
    assert_eq!((imported.exit(), shop.requests()), (Exit::CouldNotRun, 3));
    assert_eq!(imported.written.rejects.as_ref().unwrap().rows, 1, "what is invalid is handed back all the same");
    let Some(Why::Cautions(accepted)) = why(&imported).cloned() else { panic!("it was held by cautions") };
    drop(imported);

    // A face that forgets to ask cannot book.
    let (mut session, mut events) = (shop.app.session("shop").unwrap(), Stream::silent());
    let plan = session.plan(&reading, PlanOptions::default(), &mut |_| {}, &mut events).unwrap();
    let other = Caution::FarMoreThanUsual(FarMore { largest: Decimal::from(400), ..far });
    let refused = plan.stage(&[other], &mut events).err().unwrap();
    assert!(matches!(&refused, Error::Unaccepted(open) if *open == all), "{refused}");
    drop(session);

    let imported = shop.import(&mut reading, &ImportOptions { accepted: &accepted, ..options }).unwrap();
    assert_eq!((imported.exit(), shop.requests()), (Exit::SomeFailed, 54));
    drop(imported);

    // Whoever sets a limit has said how many may go.
    let numbers: Vec<String> = (0..154).map(|n| format!("W-{n:03}")).collect();
    let mut reading = shop.read(&numbers.iter().map(|number| (number.as_str(), "9876543210", 30)).collect::<Vec<_>>());
    let booking = BookingOptions { orders_max: Some(500), ..BookingOptions::default() };
    let limited = ImportOptions { booking, ..ImportOptions::default() };
    assert_eq!(shop.import(&mut reading, &limited).unwrap().exit(), Exit::Done);
    shop.end();
}

#[test]
fn all_or_nothing_sends_nothing_while_one_order_is_invalid() {
    let shop = Shop::real();
    let mut reading = shop.read(&[("N-1", "9876543210", 500), ("N-2", "12", 500)]);
    let options = ImportOptions { all_or_nothing: true, ..ImportOptions::default() };
    let imported = shop.import(&mut reading, &options).unwrap();
    assert_eq!((why(&imported), imported.exit()), (Some(&Why::Invalid), Exit::SheetProblems));
    assert_eq!(shop.requests(), 0);
    shop.end();
}

/// Changes the sheet as soon as an order is booked.
struct Meddler(PathBuf);

impl Listener for Meddler {
    fn event(&mut self, event: &Event<'_>, _: &Totals) {
        if let Event::Settled { .. } = event {
            fs::write(&self.0, "Order Number\nX-1\n").unwrap();
        }
    }
}

#[test]
fn a_file_that_fails_never_hides_what_was_booked() {
    let shop = Shop::real();
    let mut reading = shop.read(&[("W-1", "9876543210", 500), ("W-2", "12", 500)]);
    let files = ["rejects.csv", "results.csv"].map(|name| shop.path(name));
    let options = ImportOptions { rejects: Some(&files[0]), results: Some(&files[1]), ..ImportOptions::default() };
    let events = Stream::new(Meddler(shop.path("orders.csv")));
    let (imported, _) = shop.app.import(&mut reading, &options, StopSignal::default(), &mut |_| {}, events).unwrap();
    let [Unwritten::Rejects(Error::Changed(_)), Unwritten::Results(Error::Changed(_))] =
        &imported.written.unwritten[..]
    else {
        panic!("{:?}", imported.written)
    };
    let ImportEnd::Booked(ended) = &imported.end else { panic!("nothing was booked") };
    assert_eq!((ended.orders.booked, ended.orders.invalid, imported.exit()), (1, 1, Exit::SomeFailed));
    drop(imported);
    shop.end();
}

#[test]
fn an_import_that_is_stopped_before_it_sends_records_nothing() {
    let shop = Shop::real();
    let mut reading = shop.read(&[("S-1", "9876543210", 500)]);
    let signal = StopSignal::default();
    assert_eq!(signal.ask(), Stop::Drain);
    let refused = shop.app.import(&mut reading, &ImportOptions::default(), signal, &mut |_| {}, Stream::silent());
    assert!(matches!(refused.err(), Some(Error::Interrupted)));
    let runs = shop.app.runs(&shop.app.read_ledger().unwrap(), 10).unwrap();
    assert_eq!((runs.len(), shop.requests()), (0, 0));
    shop.end();
}

#[test]
fn files_that_cannot_be_used_are_left_aside_as_the_command_does() {
    let shop = Shop::practice();
    fs::write(shop.path("label.csv"), "%PDF-1.4\n").unwrap();
    fs::write(shop.path("stock.csv"), "Shelf,Colour,Left,Right,Middle\nA,red,1,2,3\n").unwrap();
    shop.read(&[("L-1", "9876543210", 500)]);
    let sheets = Sheets::of(["label.csv", "orders.csv", "stock.csv"].map(|name| shop.path(name)));
    let mut reading = shop.app.read(&sheets, &mut Stream::silent()).unwrap();
    assert!(reading.is_unusable());
    let imported = shop.import(&mut reading, &ImportOptions::default()).unwrap();
    let ImportEnd::Booked(ended) = &imported.end else { panic!("nothing was booked") };
    assert_eq!((ended.orders.booked, imported.exit()), (1, Exit::SomeFailed));
    let status = shop.app.run_status(&shop.app.read_ledger().unwrap(), None).unwrap();
    assert_eq!(status.exit(), Exit::SomeFailed, "the run's record knows of them as well");
}
