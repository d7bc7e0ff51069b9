//! Totals from event to event, with moments that the tests choose.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::{Event, Listener, Moment, Pass, Phase, Reach, Stream, Totals};
use crate::api::outcome::{Booking, Doubt, Outcome};

/// Keeps what it hears, as JSON.
#[derive(Default)]
struct Heard(Vec<(Value, Totals)>);

impl Listener for Heard {
    fn event(&mut self, event: &Event<'_>, totals: &Totals) {
        self.0.push((serde_json::to_value(event).unwrap(), totals.clone()));
    }
}

/// A stream whose time stands still until it is moved on.
struct Told {
    stream: Stream<Heard>,
    now: Moment,
}

impl Told {
    fn new() -> Self {
        Self { stream: Stream::new(Heard::default()), now: Moment { at: Instant::now(), epoch_ms: 1_000_000 } }
    }

    fn after(&mut self, ms: u64) -> &mut Self {
        self.now.at += Duration::from_millis(ms);
        self.now.epoch_ms += i64::try_from(ms).unwrap();
        self
    }

    fn tell(&mut self, event: &Event<'_>) -> &Totals {
        self.stream.tell_at(event, self.now);
        self.stream.totals()
    }

    /// Sends an order and settles it at once.
    fn order(&mut self, outcome: &Outcome, reach: Reach) -> &Totals {
        if reach != Reach::KeptBack {
            self.tell(&Event::Sent { order: "A", attempt: 1 });
        }
        self.tell(&Event::Settled { order: "A", outcome, attempts: 1, reach })
    }

    fn start(&mut self, orders: u64) {
        self.tell(&Event::Started { run: 7, orders, concurrency: 2 });
    }
}

fn booked() -> Outcome {
    Outcome::Booked(Booking { awb: "AWB".to_owned(), ..Booking::default() })
}

fn refused() -> Outcome {
    Outcome::Refused { message: "canary".to_owned() }
}

fn rejected() -> Outcome {
    Outcome::Rejected { order_id: None, error: "\"canary\"".to_owned() }
}

fn in_doubt() -> Outcome {
    Outcome::InDoubt { doubt: Doubt::Kept("canary".to_owned()) }
}

fn waiting() -> Outcome {
    Outcome::Waiting { reason: "canary".to_owned() }
}

fn reading(pass: Pass, rows: u64, orders: u64, orders_invalid: u64) -> Event<'static> {
    Event::Reading { pass, rows, orders, orders_invalid }
}

#[test]
fn totals_from_the_first_sheet_to_the_last_answer() {
    let mut told = Told::new();
    told.tell(&Event::Opened { sheets: 1 });
    assert_eq!((told.tell(&Event::Opened { sheets: 2 }).sheets, told.stream.totals().phase), (2, Phase::Opening));
    told.tell(&reading(Pass::Counting, 0, 0, 0));
    let totals = told.tell(&reading(Pass::Counting, 30, 0, 0));
    assert_eq!((totals.phase, totals.rows_counted, totals.rows, totals.rows_read), (Phase::Reading, 30, None, 0));
    let totals = told.tell(&reading(Pass::Checking, 10, 4, 1));
    assert_eq!((totals.rows, totals.rows_read, totals.orders_found, totals.orders_invalid), (Some(30), 10, 4, 1));
    let totals = told.tell(&Event::Read { rows: 30, orders: 9, orders_invalid: 2 });
    assert_eq!((totals.phase, totals.rows_read, totals.orders_found, totals.orders_invalid), (Phase::Read, 30, 9, 2));
    let totals = told.tell(&Event::Planned { orders: 6 });
    assert_eq!((totals.phase, totals.planned, totals.staged, totals.outstanding), (Phase::Planned, 6, 0, 6));
    let totals = told.tell(&Event::Staged { run: 7, orders: 6 });
    assert_eq!((totals.phase, totals.run, totals.staged), (Phase::Staged, Some(7), 6));
    told.start(6);
    let totals = told.tell(&Event::Sent { order: "A", attempt: 1 });
    assert_eq!((totals.phase, totals.sent, totals.in_flight), (Phase::Booking, 1, 1));
    told.tell(&Event::Settled { order: "A", outcome: &booked(), attempts: 1, reach: Reach::Sent });
    told.order(&rejected(), Reach::Sent);
    told.order(&refused(), Reach::Sent);
    told.order(&in_doubt(), Reach::Sent);
    let totals = told.order(&waiting(), Reach::Sent);
    assert_eq!((totals.booked, totals.failed, totals.in_doubt, totals.outstanding), (1, 2, 1, 2));
    assert_eq!((totals.sent, totals.in_flight, totals.settled()), (5, 0, 4));
    let totals = told.tell(&Event::Stopping { by: "signal", reason: "you asked it to stop", in_flight: 0 });
    assert_eq!((totals.stopping, totals.stopped_by), (true, Some("signal")));
    let totals = told.tell(&Event::Finished);
    assert_eq!((totals.phase, totals.outstanding, totals.sheets, totals.rows), (Phase::Finished, 2, 2, Some(30)));
}

#[test]
fn sheets_that_are_read_again_are_counted_again() {
    let mut told = Told::new();
    told.tell(&reading(Pass::Counting, 30, 0, 0));
    told.tell(&reading(Pass::Checking, 30, 9, 2));
    told.tell(&Event::Read { rows: 30, orders: 9, orders_invalid: 2 });
    let totals = told.after(500).tell(&reading(Pass::Counting, 0, 0, 0));
    assert_eq!((totals.rows, totals.rows_counted, totals.rows_read), (None, 0, 0));
    assert_eq!((totals.orders_found, totals.orders_invalid, totals.elapsed), (0, 0, Duration::ZERO));
    told.tell(&reading(Pass::Counting, 20, 0, 0));
    let totals = told.after(70).tell(&reading(Pass::Checking, 5, 1, 0));
    assert_eq!((totals.rows, totals.rows_read, totals.elapsed), (Some(20), 5, Duration::from_millis(70)));
}

#[test]
fn only_what_may_have_reached_the_service_counts_as_sent() {
    let mut told = Told::new();
    told.start(3);
    told.tell(&Event::Sent { order: "A", attempt: 1 });
    assert_eq!((told.stream.totals().sent, told.stream.totals().in_flight), (1, 1));
    told.tell(&Event::Settled { order: "A", outcome: &waiting(), attempts: 1, reach: Reach::Unsent });
    assert_eq!((told.stream.totals().sent, told.stream.totals().in_flight), (0, 0));
    told.tell(&Event::Sent { order: "B", attempt: 1 });
    let totals = told.order(&waiting(), Reach::KeptBack);
    assert_eq!((totals.sent, totals.in_flight, totals.outstanding), (1, 1, 3), "B is still under way");
}

#[test]
fn rate_and_time_left_are_those_of_the_last_ten_seconds() {
    let near = |value: Option<f64>, wanted: f64| value.is_some_and(|value| (value - wanted).abs() < 0.3);
    let mut told = Told::new();
    told.start(1_000);
    assert_eq!((told.stream.totals().rate, told.stream.totals().left), (None, None));
    let first = told.after(10).order(&booked(), Reach::Sent);
    assert_eq!(first.rate, None, "ten milliseconds say nothing");
    // Twenty a second for twenty seconds, then five a second: the change shows within ten.
    for _ in 0..399 {
        told.after(50).order(&booked(), Reach::Sent);
    }
    assert!(near(told.stream.totals().rate, 20.0), "{:?}", told.stream.totals());
    assert!(near(told.stream.totals().left.map(|left| left.as_secs_f64()), 30.0), "{:?}", told.stream.totals());
    for _ in 0..55 {
        told.after(200).order(&refused(), Reach::Sent);
    }
    assert!(near(told.stream.totals().rate, 5.0), "{:?}", told.stream.totals());
    // What is only put off has not come to an end.
    told.after(20_000).order(&waiting(), Reach::Sent);
    let totals = told.after(20_000).order(&waiting(), Reach::Sent);
    assert_eq!((totals.rate, totals.left), (Some(0.0), None));
    told.after(100).order(&booked(), Reach::Sent);
    assert!(told.stream.totals().left.is_some());
    let totals = told.tell(&Event::Stopping { by: "limit", reason: "", in_flight: 0 });
    assert_eq!(totals.left, None, "what is outstanding is not sent any more");
}

#[test]
fn a_pause_lasts_until_its_latest_end() {
    let mut told = Told::new();
    told.start(5);
    let pause = |seconds| Event::Paused { by: "too-many", reason: "", wait: Duration::from_secs(seconds) };
    let totals = told.tell(&pause(10));
    assert_eq!((totals.paused_until_ms, totals.paused_by), (Some(1_010_000), Some("too-many")));
    assert_eq!(told.after(1_000).tell(&pause(2)).paused_until_ms, Some(1_010_000), "never shortened");
    let longer = Event::PauseLengthened { wait: Duration::from_secs(30) };
    assert_eq!(told.tell(&longer).paused_until_ms, Some(1_031_000));
    let totals = told.tell(&Event::Resumed);
    assert_eq!((totals.paused_until_ms, totals.paused_by), (None, None));
    assert_eq!(told.tell(&longer).paused_until_ms, None, "there is no pause to lengthen");
    told.tell(&pause(10));
    assert_eq!(told.tell(&Event::Finished).paused_until_ms, None);
}

#[test]
fn as_json_events_and_totals_say_nothing_personal() {
    let mut told = Told::new();
    told.tell(&reading(Pass::Counting, 3, 0, 0));
    told.start(5);
    for outcome in [booked(), rejected(), refused(), waiting(), in_doubt()] {
        told.order(&outcome, Reach::Sent);
    }
    told.tell(&Event::Paused { by: "too-many", reason: "canary", wait: Duration::from_secs(2) });
    told.tell(&Event::PauseLengthened { wait: Duration::from_millis(1) });
    told.tell(&Event::Stopping { by: "refusals", reason: "canary", in_flight: 3 });
    let heard = told.stream.into_listener().0;
    let words: Vec<&str> = heard.iter().filter_map(|(event, _)| event["outcome"].as_str()).collect();
    assert_eq!(words, ["booked", "rejected", "refused", "waiting", "in-doubt"]);
    let events: Vec<&Value> = heard.iter().map(|(event, _)| event).collect();
    assert_eq!(
        *events[0],
        json!({"event": "reading", "pass": "counting", "rows": 3, "orders": 0, "orders_invalid": 0})
    );
    assert_eq!(*events[2], json!({"event": "sent", "order": "A", "attempt": 1}));
    assert_eq!(
        *events[3],
        json!({"event": "settled", "order": "A", "outcome": "booked", "attempts": 1, "reach": "sent"})
    );
    assert_eq!(*events[12], json!({"event": "paused", "by": "too-many", "wait_ms": 2_000}));
    assert_eq!(*events[13], json!({"event": "pause-lengthened", "wait_ms": 1}));
    assert_eq!(*events[14], json!({"event": "stopping", "by": "refusals", "in_flight": 3}));
    for (event, totals) in &heard {
        let totals = serde_json::to_string(totals).unwrap();
        assert!(!format!("{event}{totals}").contains("canary"), "{event} {totals}");
    }
    let last = serde_json::to_value(&heard[14].1).unwrap();
    let shown = ["phase", "elapsed_ms", "run", "booked", "failed", "in_doubt", "left_ms", "stopped_by"];
    assert_eq!(
        shown.map(|name| last[name].clone()),
        [json!("booking"), json!(0), json!(7), json!(1), json!(2), json!(1), Value::Null, json!("refusals")]
    );
}
