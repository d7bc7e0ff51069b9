//! The stream of events, from the first row read to the last answer, of a whole import through the library.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::Value;
use shipsheet::api::{Client, ClientOptions, Endpoint, Token, TokenKeeper, TokenSource};
use shipsheet::book::{Booked, BrakeOptions, Concurrency, Job, Limits, RetryPolicy, StopSignal, book};
use shipsheet::event::{Event, Listener, Phase, Stream, Totals};
use shipsheet::ledger::{Ledger, NewRun, RunFacts, RunKind};
use shipsheet::parse::{ReadingSettings, Timestamp};
use shipsheet::sandbox::{Answer, DEFAULT_TOKEN, Options, Sandbox};
use shipsheet::sheet;
use shipsheet::stage::{OpenOptions, Recorder, gather, open};

use crate::rig::{row, row_with, sheet};

type Told = Vec<(Value, Totals)>;

/// Keeps everything that it hears.
#[derive(Clone, Default)]
struct Keeper(Arc<Mutex<Told>>);

impl Listener for Keeper {
    fn event(&mut self, event: &Event<'_>, totals: &Totals) {
        self.0.lock().unwrap().push((serde_json::to_value(event).unwrap(), totals.clone()));
    }
}

/// Imports a sheet at an address: what was told, and what came of it.
async fn import(text: &str, url: &str, width: usize, portion_bytes: usize) -> (Told, Booked) {
    let folder = crate::rig::folder();
    let path = folder.path().join("orders.csv");
    std::fs::write(&path, text).unwrap();
    let keeper = Keeper::default();
    let mut events = Stream::new(keeper.clone());
    let rules = ReadingSettings::new(Timestamp::now());
    let sheet = sheet::Options { portion_bytes: Some(portion_bytes), ..sheet::Options::default() };
    let options = OpenOptions {
        paths: vec![path],
        sheet,
        profile: None,
        answered: BTreeMap::new(),
        saved: Vec::new(),
        rules: rules.clone(),
    };
    let opened = open(&options, &mut events).unwrap();
    let mut ledger = Ledger::open(&folder.path().join("ledger.sqlite")).unwrap();
    let mut staging = ledger
        .stage(NewRun {
            kind: RunKind::Import,
            service: "test".to_owned(),
            started_ms: 0,
            version: String::new(),
            user: String::new(),
            host: String::new(),
        })
        .unwrap();
    let mut recorder = Recorder::new(&mut staging, &opened.columns, Timestamp::now().as_millisecond());
    gather(&opened, &rules, &mut recorder, &mut |_| {}, &mut events).unwrap();
    let orders = recorder.counts.to_send.orders;
    events.tell(&Event::Planned { orders });
    let run = staging.commit(&RunFacts::default()).unwrap();
    events.tell(&Event::Staged { run: run.number(), orders });
    let job = Job {
        ledger,
        run,
        orders,
        client: Client::new(ClientOptions::new(Endpoint::parse(url).unwrap())).unwrap(),
        tokens: TokenKeeper::new(TokenSource::Fixed(Token::new(DEFAULT_TOKEN).unwrap())),
        brake: BrakeOptions {
            concurrency: Concurrency::Fixed(width),
            wait_max: Duration::from_secs(3),
            retry: RetryPolicy { first: Duration::from_millis(10), ..RetryPolicy::default() },
            probe_wait: BrakeOptions::PROBE_WAIT,
        },
        rate: None,
        limits: Limits::default(),
        stop: StopSignal::default(),
    };
    let (booked, events) = book(job, events).await.unwrap();
    assert_eq!(events.totals(), &keeper.0.lock().unwrap().last().unwrap().1);
    let told = std::mem::take(&mut *keeper.0.lock().unwrap());
    (told, booked)
}

fn words(told: &Told) -> Vec<&str> {
    let mut words: Vec<&str> = told.iter().map(|(event, _)| event["event"].as_str().unwrap()).collect();
    words.dedup();
    words
}

#[tokio::test]
async fn every_step_of_an_import_is_told_with_its_totals() {
    let sandbox = Sandbox::start(Options::default()).await.unwrap();
    sandbox.script_order("ORD-0002", [Answer::TooMany(1)]);
    sandbox.script_order("ORD-0003", [Answer::Status(400, "{\"message\": \"canary\"}".to_owned())]);
    sandbox.script_order("ORD-0004", [Answer::CutAfter]);
    let bad = row_with("ORD-0006", "12", "560001");
    let rows = (1..=5).map(|number| row(&format!("ORD-{number:04}"))).chain([bad]);
    let (told, booked) = import(&sheet(rows), &sandbox.base_url(), 1, 1 << 17).await;
    let before = ["opened", "reading", "read", "planned", "staged", "started", "sent", "settled", "sent"];
    assert!(words(&told).starts_with(&before), "{:?}", words(&told));
    let after = words(&told).split_off(before.len());
    // The pause is told when its answer comes, and that answer once it is on disk.
    assert_eq!(after[..5], ["paused", "settled", "resumed", "sent", "settled"], "{after:?}");
    assert_eq!(after.last(), Some(&"finished"), "{after:?}");

    let (_, last) = told.last().unwrap();
    assert_eq!((last.phase, last.sheets, last.rows, last.rows_read), (Phase::Finished, 1, Some(6), 6));
    assert_eq!((last.orders_found, last.orders_invalid, last.planned, last.staged), (6, 1, 5, 5));
    assert_eq!((last.booked, last.failed, last.in_doubt, last.outstanding), (3, 1, 1, 0));
    assert_eq!((last.sent, last.in_flight, last.stopping), (6, 0, false), "one order was put off once");
    assert_eq!((last.sent, last.run), (booked.requests, Some(1)));
    let paused = told.iter().filter(|(_, totals)| totals.paused_until_ms.is_some()).count();
    assert!(told.iter().any(|(event, totals)| event["by"] == "too-many" && totals.paused_by == Some("too-many")));
    assert_eq!(paused, 2, "with the pause and with its answer, and not when it is over");
    assert!(told.iter().all(|(event, _)| !event.to_string().contains("canary")));
}

/// Promise 4: totals add up at every event of a run.
#[tokio::test]
async fn totals_add_up_at_every_event() {
    let faults = "latency=2ms,429=0.03,retry-after=0,cut-before=0.01,seed=5,limit=250";
    let options = Options { faults: faults.parse().unwrap(), ..Options::default() };
    let sandbox = Sandbox::start(options).await.unwrap();
    let rows = (1..=200).map(|number| row(&format!("ORD-{number:04}")));
    let (told, booked) = import(&sheet(rows), &sandbox.base_url(), 8, 1 << 12).await;
    let (mut under_way, mut before) = (HashMap::<String, u32>::new(), Totals::default());
    for (event, totals) in &told {
        let order = || event["order"].as_str().unwrap().to_owned();
        match event["event"].as_str().unwrap() {
            "sent" => assert_eq!(under_way.insert(order(), 1), None, "{event}: sent while it is under way"),
            "settled" if event["reach"] != "kept-back" => assert_eq!(under_way.remove(&order()), Some(1), "{event}"),
            "settled" => assert!(!under_way.contains_key(&order()), "{event}"),
            _ => {}
        }
        assert_eq!(totals.in_flight, under_way.len() as u64, "{event}");
        assert_eq!(totals.outstanding + totals.settled(), totals.planned, "{event}");
        assert!(totals.in_flight <= 8 + 8 && totals.sent >= totals.settled(), "{event} {totals:?}");
        assert!(before.rows_counted <= totals.rows_counted && before.rows_read <= totals.rows_read, "{event}");
        assert!(totals.rows.is_none_or(|rows| totals.rows_read <= rows), "{event}");
        before = totals.clone();
    }
    let readings = told.iter().filter(|(event, _)| event["event"] == "reading").count();
    assert!((10..40).contains(&readings), "{readings}: one for each portion of each pass, and not one for each row");
    assert_eq!((before.rows_read, before.orders_found, before.planned), (200, 200, 200));
    assert_eq!(before.sent, booked.requests);
    assert_eq!(before.booked, sandbox.book().bookings().len() as u64);
}

#[tokio::test]
async fn what_never_reached_the_service_does_not_count_as_sent() {
    // Nothing listens there any more.
    let address = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    let rows = (1..=3).map(|number| row(&format!("ORD-{number:04}")));
    let (told, booked) = import(&sheet(rows), &format!("http://{address}"), 4, 1 << 17).await;
    let (_, last) = told.last().unwrap();
    assert!(told.iter().any(|(event, totals)| event["reach"] == "unsent" && totals.sent == 0));
    assert_eq!((last.sent, last.in_flight, last.outstanding, booked.requests), (0, 0, 3, 0));
    assert_eq!((last.stopping, last.stopped_by, last.left), (true, Some("unreachable"), None));
}
