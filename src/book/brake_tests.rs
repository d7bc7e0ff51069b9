//! The brake, rule by rule.

use std::time::Duration;

use super::adapt::Concurrency;
use super::brake::{Brake, BrakeOptions, PausedBy, Ruling, StoppedBy};
use super::retry::RetryPolicy;
use crate::api::outcome::{Booking, Doubt, Outcome, Signal};

fn brake(concurrency: usize) -> Brake {
    let wait_max = Duration::from_mins(10);
    let concurrency = Concurrency::Fixed(concurrency);
    let probe_wait = BrakeOptions::PROBE_WAIT;
    Brake::new(BrakeOptions { concurrency, wait_max, retry: RetryPolicy::default(), probe_wait })
}

fn booked() -> Outcome {
    Outcome::Booked(Booking { awb: "A".into(), ..Booking::default() })
}

fn refused(message: &str) -> Outcome {
    Outcome::Refused { message: message.into() }
}

fn doubt() -> Outcome {
    Outcome::InDoubt { doubt: Doubt::TimedOut }
}

fn stopped_by(ruling: &Ruling) -> Option<StoppedBy> {
    match ruling {
        Ruling::Stop { by, .. } => Some(*by),
        _ => None,
    }
}

#[test]
fn one_then_two_then_four() {
    let mut brake = brake(6);
    let mut widths = vec![brake.width()];
    for _ in 0..9 {
        assert_eq!(brake.judge(&booked(), &Signal::Clear, true, 0.5), Ruling::Go);
        widths.push(brake.width());
    }
    assert_eq!(widths, [1, 2, 2, 4, 4, 4, 4, 6, 6, 6]);
}

#[test]
fn damage_is_a_doubt_once_answers_were_understood_and_another_shape_never_is() {
    let damaged = Outcome::InDoubt { doubt: Doubt::Unreadable { status: 201, answer: "{".into() } };
    let (answer, setting) = ("{}".to_owned(), "[operations.forward_shipment.fields] awb".to_owned());
    let strange = Outcome::InDoubt { doubt: Doubt::NotUnderstood { status: 201, answer, setting } };
    for (outcome, stops_later) in [(&damaged, None), (&strange, Some(StoppedBy::Answer))] {
        let mut brake = brake(8);
        assert_eq!(stopped_by(&brake.judge(outcome, &Signal::NotUnderstood, true, 0.5)), Some(StoppedBy::Answer));
        brake.judge(&booked(), &Signal::Clear, true, 0.5);
        let later = brake.judge(outcome, &Signal::NotUnderstood, true, 0.5);
        assert_eq!(stopped_by(&later), stops_later, "{later:?}");
    }
}

#[test]
fn what_stops_at_once() {
    let cases = [
        (Signal::Tls, StoppedBy::Tls),
        (Signal::Redirect { location: None }, StoppedBy::Redirect),
        (Signal::Funds, StoppedBy::Funds),
        (Signal::Address, StoppedBy::Address),
        (Signal::Contradiction, StoppedBy::Contradiction),
        (Signal::NotUnderstood, StoppedBy::Answer),
    ];
    for (signal, by) in cases {
        assert_eq!(stopped_by(&brake(8).judge(&refused("no"), &signal, true, 0.5)), Some(by));
    }
}

#[test]
fn the_same_rejection_over_and_over_stops() {
    let rejected = |text: &str| Outcome::Rejected { order_id: None, error: format!("\"{text}\"") };
    let after = |brake: &mut Brake, texts: &[String]| {
        let rulings = texts.iter().map(|text| brake.judge(&rejected(text), &Signal::Clear, true, 0.5));
        rulings.filter_map(|ruling| stopped_by(&ruling)).count()
    };
    let account = |number: u32| format!("Courier account {number} is suspended");
    let many: Vec<String> = (0..5).map(account).collect();
    assert_eq!(after(&mut brake(8), &many[..4]), 0);
    assert_eq!(after(&mut brake(8), &many), 1);
    let mut worked_before = brake(8);
    assert_eq!(worked_before.judge(&booked(), &Signal::Clear, true, 0.5), Ruling::Go);
    assert_eq!(after(&mut worked_before, &(0..24).map(account).collect::<Vec<_>>()), 0);
    assert_eq!(after(&mut worked_before, &[account(7)]), 1);
    let mut empty = brake(8);
    assert_eq!(empty.judge(&booked(), &Signal::Clear, true, 0.5), Ruling::Go);
    let money = rejected("Insufficient wallet balance");
    let rulings: Vec<Ruling> = (0..5).map(|_| empty.judge(&money, &Signal::Clear, true, 0.5)).collect();
    assert_eq!(rulings.iter().find_map(stopped_by), Some(StoppedBy::Funds));
    let mixed = ["no rider", "PIN code is not served", "no rider", "PIN code is not served", "no rider"];
    assert_eq!(after(&mut brake(8), &mixed.map(str::to_owned)), 0);
}

#[test]
fn a_404_after_a_booking_is_a_refusal_like_others() {
    let mut brake = brake(8);
    brake.judge(&booked(), &Signal::Clear, true, 0.5);
    for _ in 0..4 {
        assert_eq!(brake.judge(&refused("not found"), &Signal::Address, true, 0.5), Ruling::Go);
    }
    assert_eq!(stopped_by(&brake.judge(&refused("not found"), &Signal::Address, true, 0.5)), Some(StoppedBy::Refusals));
}

#[test]
fn only_equal_refusals_in_a_row_stop() {
    let signal = |text: &str| Signal::Refusal { fingerprint: text.into() };
    let mut apart = brake(8);
    for round in 0..20 {
        let text = if round % 2 == 0 { "a" } else { "b" };
        assert_eq!(apart.judge(&refused(text), &signal(text), true, 0.5), Ruling::Go);
    }
    let mut alike = brake(8);
    let rulings: Vec<_> = (0..5).map(|_| stopped_by(&alike.judge(&refused("a"), &signal("a"), true, 0.5))).collect();
    assert_eq!(rulings, [None, None, None, None, Some(StoppedBy::Refusals)]);
}

#[test]
fn a_second_401_stops_and_a_booking_between_forgives() {
    let waiting = Outcome::Waiting { reason: "401".into() };
    let mut brake = brake(8);
    assert_eq!(brake.judge(&waiting, &Signal::Unauthorized, true, 0.5), Ruling::RenewToken);
    brake.token_renewed();
    brake.judge(&booked(), &Signal::Clear, true, 0.5);
    assert_eq!(brake.judge(&waiting, &Signal::Unauthorized, true, 0.5), Ruling::RenewToken);
    brake.token_renewed();
    assert_eq!(stopped_by(&brake.judge(&waiting, &Signal::Unauthorized, true, 0.5)), Some(StoppedBy::Authentication));
}

/// Promise 5: doubts one after the other pause a run, then let one order through alone, then stop it.
#[test]
fn doubts_pause_then_probe_alone_then_stop() {
    let mut brake = brake(8);
    for _ in 0..20 {
        brake.judge(&booked(), &Signal::Clear, true, 0.5);
    }
    assert_eq!(brake.judge(&doubt(), &Signal::Doubt, true, 0.5), Ruling::Go);
    assert_eq!(brake.judge(&doubt(), &Signal::Doubt, true, 0.5), Ruling::Go);
    assert!(matches!(brake.judge(&doubt(), &Signal::Doubt, true, 0.5), Ruling::Pause { .. }));
    assert_eq!(brake.width(), 1);
    assert!(matches!(brake.judge(&doubt(), &Signal::Doubt, true, 0.5), Ruling::Pause { .. }));
    assert!(matches!(brake.judge(&doubt(), &Signal::Doubt, true, 0.5), Ruling::Pause { .. }));
    assert_eq!(stopped_by(&brake.judge(&doubt(), &Signal::Doubt, true, 0.5)), Some(StoppedBy::Doubts));
}

#[test]
fn a_doubt_counts_as_one_whatever_its_answer_asks_for() {
    let mut brake = brake(8);
    for _ in 0..20 {
        brake.judge(&booked(), &Signal::Clear, true, 0.5);
    }
    let signal = Signal::TooMany { retry_after_ms: Some(60_000) };
    let waiting = Outcome::Waiting { reason: "429".into() };
    let paused_by = |ruling: Ruling| match ruling {
        Ruling::Pause { by, wait, .. } => Some((by, wait >= Duration::from_mins(1))),
        _ => None,
    };
    assert_eq!(paused_by(brake.judge(&waiting, &signal, true, 0.5)), Some((PausedBy::TooMany, true)));
    for expected in [PausedBy::TooMany, PausedBy::TooMany, PausedBy::Doubts, PausedBy::Doubts, PausedBy::Doubts] {
        assert_eq!(paused_by(brake.judge(&doubt(), &signal, true, 0.5)), Some((expected, true)));
    }
    assert_eq!(stopped_by(&brake.judge(&doubt(), &signal, true, 0.5)), Some(StoppedBy::Doubts));
}

#[test]
fn a_good_probe_lets_the_run_go_on() {
    let mut brake = brake(8);
    for _ in 0..3 {
        brake.judge(&doubt(), &Signal::Doubt, true, 0.5);
    }
    assert_eq!(brake.judge(&booked(), &Signal::Clear, true, 0.5), Ruling::Go);
    assert_eq!(brake.judge(&doubt(), &Signal::Doubt, true, 0.5), Ruling::Go);
}

#[test]
fn a_429_halves_and_waits_at_least_as_asked() {
    let mut brake = brake(8);
    for _ in 0..20 {
        brake.judge(&booked(), &Signal::Clear, true, 0.5);
    }
    let waiting = Outcome::Waiting { reason: "429".into() };
    let ruling = brake.judge(&waiting, &Signal::TooMany { retry_after_ms: Some(7_000) }, true, 0.5);
    assert!(matches!(ruling, Ruling::Pause { wait, .. } if wait >= Duration::from_secs(7)), "{ruling:?}");
    assert_eq!(brake.width(), 4);
}

#[test]
fn an_unreachable_service_stops_after_the_longest_wait() {
    let mut brake = brake(8);
    let waiting = Outcome::Waiting { reason: "connection refused".into() };
    let mut waited = Duration::ZERO;
    loop {
        match brake.judge(&waiting, &Signal::Unreachable, true, 1.0) {
            Ruling::Pause { wait, .. } => waited += wait,
            Ruling::Stop { by, .. } => break assert_eq!(by, StoppedBy::Unreachable),
            other => panic!("{other:?}"),
        }
        assert!(waited <= Duration::from_mins(10));
    }
}

#[test]
fn empty_wallets_are_recognised_by_their_words() {
    let rejected = |error: &str| Outcome::Rejected { order_id: None, error: error.into() };
    let mut brake = brake(8);
    assert_eq!(brake.judge(&booked(), &Signal::Clear, true, 0.5), Ruling::Go);
    for _ in 0..20 {
        assert_eq!(brake.judge(&rejected("\"PIN code not serviceable\""), &Signal::Clear, true, 0.5), Ruling::Go);
    }
    let last =
        (0..5).map(|_| brake.judge(&rejected("\"Insufficient wallet balance\""), &Signal::Clear, true, 0.5)).last();
    assert_eq!(last.as_ref().and_then(stopped_by), Some(StoppedBy::Funds));
}

#[test]
fn what_was_in_flight_before_a_pause_does_not_lengthen_it() {
    let mut brake = brake(64);
    let waiting = Outcome::Waiting { reason: "connection refused".into() };
    assert!(matches!(brake.judge(&waiting, &Signal::Unreachable, true, 1.0), Ruling::Pause { .. }));
    for _ in 0..63 {
        assert_eq!(brake.judge(&waiting, &Signal::Unreachable, false, 1.0), Ruling::Go);
    }
}
