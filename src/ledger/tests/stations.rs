//! Several stations over one ledger: whoever falls silent is fenced, what it was sending is in doubt, and nothing goes twice.

use std::collections::HashSet;
use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::server::{attack, opened, over_server, parsed};
use super::*;
use crate::ledger::db::{Connection, Server};
use crate::ledger::postgres::BEGIN_EXCHANGE;
use crate::ledger::{Allowance, Applied, Share};

impl Bench {
    /// Another station with the same ledger.
    fn beside(&self, station: &str) -> Self {
        let folder = room::folder();
        let address = self.address.clone().unwrap();
        Self { ledger: opened(&address, station, folder.path()), folder, address: Some(address) }
    }

    fn epoch(&self) -> i64 {
        self.ledger.session.as_ref().unwrap().epoch()
    }

    /// Falls silent, as a process that is paused: its lease runs out.
    fn fall_silent(&mut self) {
        self.ledger.session.as_mut().unwrap().pause();
        let run_out = "UPDATE stations SET lease_until = clock_timestamp() - interval '1 second' WHERE epoch = ?1";
        self.ledger.connection.execute(run_out, [self.epoch()]).unwrap();
    }

    fn claim(&mut self, run: RunId, orders: &[OrderId]) -> Result<Vec<Applied>, LedgerError> {
        let intents: Vec<_> = orders.iter().map(|order| intent(&self.ledger, run, *order)).collect();
        self.ledger.commit(&intents, 2_000)
    }

    fn off(&self, epoch: i64) {
        let said =
            "INSERT INTO stations_off (epoch, at_ms, user, host, because) VALUES (?1, 1, 'asha', 'desk', 'burnt')";
        self.ledger.connection.execute(said, [epoch]).unwrap();
    }

    fn assert_whole(&self) {
        assert_eq!(self.ledger.check().unwrap().faults, Vec::<String>::new());
        self.assert_tallies();
    }
}

#[test]
fn an_order_is_claimed_by_one_station_and_the_others_go_on() {
    over_server(|| {
        let mut one = Bench::new();
        let numbers: Vec<String> = (0..120).map(|n| format!("order-{n}")).collect();
        let orders: Vec<(&str, &str)> = numbers.iter().map(|number| (number.as_str(), "{}")).collect();
        let (run, _) = one.stage(&orders);
        let pending = one.pending(run);
        let work = move |mut station: Bench, pending: Vec<OrderId>| {
            let mut sent = Vec::new();
            for some in pending.chunks(7) {
                let applied = station.claim(run, some).unwrap();
                let claimed: Vec<OrderId> = some
                    .iter()
                    .zip(applied)
                    .filter(|(_, became)| *became == Applied::Done)
                    .map(|(order, _)| *order)
                    .collect();
                let answers: Vec<Change> =
                    claimed.iter().map(|order| answer(*order, booked(&format!("AWB-{}", order.0)))).collect();
                station.ledger.commit(&answers, 3_000).unwrap();
                sent.extend(claimed);
            }
            station.ledger.end_session();
            sent
        };
        let stations = ["two", "three", "four"].map(|name| one.beside(name));
        let threads = stations.map(|station| {
            let pending = pending.clone();
            thread::spawn(move || work(station, pending))
        });
        let sent: Vec<OrderId> = threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect();
        let different: HashSet<i64> = sent.iter().map(|order| order.0).collect();
        assert_eq!((sent.len(), different.len()), (120, 120));
        assert_eq!(one.ledger.tally(run).unwrap().booked, 120);
        one.assert_whole();
    });
}

#[test]
fn whoever_falls_silent_is_fenced_and_what_it_sent_is_in_doubt() {
    over_server(|| {
        let mut paused = Bench::new();
        let (run, _) = paused.stage(&[("sent", "{}"), ("not yet", "{}")]);
        let [sent, not_yet] = paused.pending(run)[..] else { panic!() };
        paused.intend(run, sent);
        let mut other = paused.beside("other");
        assert_eq!(other.ledger.recover(9).unwrap().in_doubt, Vec::<String>::new(), "its lease holds");
        paused.fall_silent();
        assert_eq!(other.ledger.recover(9).unwrap().in_doubt, ["sent"]);
        // A fence is for good: it claims nothing more, and the other one does.
        let refused = paused.claim(run, &[not_yet]);
        assert!(matches!(&refused, Err(LedgerError::Fenced)), "{refused:?}");
        assert_eq!(other.claim(run, &[sent, not_yet]).unwrap(), [Applied::Elsewhere, Applied::Done]);
        // Its answer settles its own doubt, however late.
        assert_eq!(paused.ledger.commit(&[answer(sent, booked("A1"))], 9).unwrap(), [Applied::Done]);
        assert_eq!(other.state("sent"), "booked");
        other.assert_whole();
    });
}

#[test]
fn an_order_of_a_station_that_was_not_heard_is_not_sent_again() {
    over_server(|| {
        let not_booked = DecisionVerb::NotBooked;
        let mut paused = Bench::new();
        paused.bring("A-1", State::Sending);
        let mut other = paused.beside("other");
        paused.fall_silent();
        other.ledger.recover(9).unwrap();
        let refused = other.decide("A-1", not_booked.clone());
        assert!(matches!(&refused, Err(LedgerError::Unheard { station: 1, .. })), "{refused:?}");
        assert_eq!(other.state("A-1"), "in_doubt");
        // The database itself refuses it as well, whoever asks.
        let by_hand =
            "BEGIN; INSERT INTO decisions (at_ms, user, host, order_id, attempt_id, verb, because, evidence_n)
            SELECT 1, 'asha', 'desk', order_id, id, 'not-booked', 'x', 9 FROM attempts; ROLLBACK";
        let refused = other.attack(by_hand).unwrap_err();
        assert!(refused.contains("was not heard since"), "{refused}");
        // Once its station has started anew, nothing of the old session is under way, and a person may say so.
        paused.ledger = paused.again();
        paused.ledger.recover(9).unwrap();
        other.attack(by_hand).unwrap();
        other.decide("A-1", not_booked).unwrap();
        assert_eq!(other.state("A-1"), "staged");
        other.assert_whole();
    });
}

#[test]
fn two_bookings_are_shown_where_a_station_was_said_to_be_off() {
    over_server(|| {
        let mut paused = Bench::new();
        let (run, order) = paused.bring("A-1", State::Sending);
        let mut other = paused.beside("other");
        paused.fall_silent();
        other.ledger.recover(9).unwrap();
        other.off(paused.epoch());
        other.decide("A-1", DecisionVerb::NotBooked).unwrap();
        assert_eq!(other.claim(run, &[order]).unwrap(), [Applied::Done]);
        other.ledger.commit(&[answer(order, booked("B1"))], 9).unwrap();
        let applied = paused.ledger.commit(&[answer(order, booked("A1"))], 9).unwrap();
        let [Applied::TwoBookings { awb, against }] = &applied[..] else { panic!("{applied:?}") };
        assert!(awb == "A1" && against.contains("B1"), "{applied:?}");
        assert_eq!(other.ledger.order("A-1").unwrap()[0].awb.as_deref(), Some("B1"));
        other.assert_whole();
    });
}

#[test]
fn a_station_that_starts_anew_ends_its_own_session_of_before() {
    over_server(|| {
        let mut bench = Bench::new();
        bench.bring("A-1", State::Sending);
        // Its lease holds, and yet its process is gone: the new one has its folder.
        bench.ledger = bench.again();
        assert_eq!(bench.ledger.recover(9).unwrap().in_doubt, ["A-1"]);
        bench.decide("A-1", DecisionVerb::NotBooked).unwrap();
        bench.assert_whole();
    });
}

#[test]
fn what_raw_sql_cannot_do_to_sessions() {
    over_server(|| {
        let mut bench = Bench::new();
        bench.bring("A-1", State::Sending);
        bench.stage(&[("A-2", "{}")]);
        let mut silent = bench.beside("silent");
        silent.fall_silent();
        let (own, fenced) = (bench.epoch(), silent.epoch());
        bench.ledger.recover(9).unwrap();
        bench.bring("A-3", State::Sending);
        let address = bench.address.clone().unwrap();
        let attacker = bench.beside("attacker");
        let other = attacker.epoch();
        let begin = "INSERT INTO attempts (order_id, n, request_id, run_id, intent_ms)
            SELECT id, attempts, request_id, 1, 1 FROM orders WHERE number = 'A-2'";
        let sending = "UPDATE orders SET state = 'sending', attempts = attempts + 1 WHERE number = 'A-2'";
        let cases = [
            (
                format!("UPDATE stations SET fenced = NULL, fenced_by = NULL WHERE epoch = {fenced}"),
                "a fence is for good",
            ),
            (
                format!("UPDATE stations SET fenced = now(), fenced_by = {other} WHERE epoch = {own}"),
                "nobody else's to end",
            ),
            (format!("UPDATE stations SET ended = now() WHERE epoch = {own}"), "only a station itself"),
            (format!("UPDATE stations SET acknowledged = now() WHERE epoch = {fenced}"), "only a station itself"),
            (format!("UPDATE stations SET station = 'attacker' WHERE epoch = {fenced}"), "stays whose it is"),
            (
                format!("UPDATE stations SET lease_until = now() + interval '1 day' WHERE epoch = {own}"),
                "a lease is short",
            ),
            (format!("DELETE FROM stations WHERE epoch = {fenced}"), "never deleted"),
            ("TRUNCATE stations CASCADE".to_owned(), "never emptied"),
            (format!("SET shipsheet.epoch = '{fenced}'; BEGIN; {sending}; {begin}"), "session is over"),
            (format!("SET shipsheet.epoch = ''; BEGIN; {sending}; {begin}"), "session is over"),
            (format!("SET synchronous_commit = off; BEGIN; {sending}; {begin}"), "on the disk"),
            (
                "UPDATE attempts SET answered_ms = 9, outcome = 'waiting', reason = 'x', evidence_n = 9
                    WHERE answered_ms IS NULL"
                    .to_owned(),
                "by the session that began it",
            ),
            (format!("UPDATE attempts SET epoch = {other} WHERE answered_ms IS NULL"), "keeps what it was"),
        ];
        for (sql, said) in cases {
            let refused = attack(&address, &sql).expect_err(&sql);
            assert!(refused.contains(said), "{sql}: {refused}");
        }
        bench.assert_whole();
    });
}

/// A wire that is cut as a test wants it.
struct Wire {
    port: u16,
    /// Whether a COMMIT goes through and its answer does not.
    loses_answer: Arc<AtomicBool>,
    /// Whether a COMMIT does not go through.
    loses_commit: Arc<AtomicBool>,
}

impl Wire {
    fn to(socket: PathBuf) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        let (loses_answer, loses_commit) = (Arc::<AtomicBool>::default(), Arc::<AtomicBool>::default());
        let cuts = (Arc::clone(&loses_answer), Arc::clone(&loses_commit));
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let server = UnixStream::connect(&socket).unwrap();
                let (cuts, back) = (cuts.clone(), (server.try_clone().unwrap(), client.try_clone().unwrap()));
                let is_deaf = Arc::<AtomicBool>::default();
                let deaf = Arc::clone(&is_deaf);
                thread::spawn(move || answers(back, &deaf));
                thread::spawn(move || asks(client, server, &cuts, &is_deaf));
            }
        });
        Self { port, loses_answer, loses_commit }
    }
}

fn asks(
    mut client: TcpStream,
    mut server: UnixStream,
    cuts: &(Arc<AtomicBool>, Arc<AtomicBool>),
    is_deaf: &AtomicBool,
) {
    let mut buffer = vec![0; 65_536];
    while let Ok(length @ 1..) = client.read(&mut buffer) {
        let asked = &buffer[..length];
        let commits = asked.windows(7).any(|word| word == b"COMMIT\0");
        if commits && cuts.1.swap(false, Ordering::SeqCst) {
            break;
        }
        if commits && cuts.0.swap(false, Ordering::SeqCst) {
            is_deaf.store(true, Ordering::SeqCst);
        }
        if server.write_all(asked).is_err() {
            break;
        }
    }
    let _ = server.shutdown(Shutdown::Both);
    let _ = client.shutdown(Shutdown::Both);
}

fn answers((mut server, mut client): (UnixStream, TcpStream), is_deaf: &AtomicBool) {
    let mut buffer = vec![0; 65_536];
    while let Ok(length @ 1..) = server.read(&mut buffer) {
        let answered = &buffer[..length];
        if !is_deaf.load(Ordering::SeqCst) {
            if client.write_all(answered).is_err() {
                break;
            }
        } else if answered.windows(7).any(|word| word == b"COMMIT\0") {
            // The server has done it; nobody hears of that.
            break;
        }
    }
    let _ = client.shutdown(Shutdown::Both);
}

/// A station whose wire can be cut, beside the bench.
fn over_wire(bench: &Bench) -> (Bench, Wire) {
    let address = bench.address.clone().unwrap();
    let (database, host) = address.strip_prefix("postgres://ledger@/").unwrap().split_once("?host=").unwrap();
    let wire = Wire::to(Path::new(host).join(".s.PGSQL.5432"));
    let address = format!("postgres://ledger@127.0.0.1:{}/{database}", wire.port);
    let folder = room::folder();
    (Bench { ledger: opened(&address, "far", folder.path()), folder, address: Some(address) }, wire)
}

#[test]
fn a_commit_of_which_nobody_says_whether_it_stands_is_read_again() {
    over_server(|| {
        let mut bench = Bench::new();
        let (run, _) = bench.stage(&[("A-1", "{}"), ("A-2", "{}")]);
        let [first, second] = bench.pending(run)[..] else { panic!() };
        let (mut far, wire) = over_wire(&bench);
        wire.loses_answer.store(true, Ordering::SeqCst);
        assert_eq!(far.claim(run, &[first]).unwrap(), [Applied::Done], "it stands");
        wire.loses_answer.store(true, Ordering::SeqCst);
        assert_eq!(far.ledger.commit(&[answer(first, booked("A1"))], 3).unwrap(), [Applied::Done]);
        assert_eq!(bench.state("A-1"), "booked");
        // What did not get through does not stand, and nothing of it is sent.
        wire.loses_commit.store(true, Ordering::SeqCst);
        let lost = far.claim(run, &[second]);
        assert!(matches!(lost, Err(LedgerError::Away(_))), "{lost:?}");
        assert_eq!(bench.state("A-2"), "staged");
        assert_eq!(far.claim(run, &[second]).unwrap(), [Applied::Done], "over a new connection");
        wire.loses_commit.store(true, Ordering::SeqCst);
        let lost = far.ledger.commit(&[answer(second, booked("A2"))], 3);
        assert!(matches!(lost, Err(LedgerError::Spooled { answers: 1, .. })), "{lost:?}");
        assert_eq!(far.ledger.recover(4).unwrap().answered, ["A-2"], "kept here until the ledger is back");
        bench.assert_whole();
    });
}

#[test]
fn the_deadline_is_this_stations_own_and_a_fence_ends_it() {
    over_server(|| {
        let bench = Bench::new();
        let deadline = bench.ledger.deadline().unwrap();
        assert!(!deadline.has_passed());
        let other = bench.beside("bench");
        assert!(!other.ledger.deadline().unwrap().has_passed());
        other.ledger.session.as_ref().unwrap().fence_others(&other.ledger.connection).unwrap();
        // It hears of its fence with its next renewal.
        while !deadline.has_passed() {
            thread::sleep(Duration::from_millis(10));
        }
    });
}

fn share(bench: &mut Bench, run: RunId, width: usize, rate: Option<f64>) -> Share {
    bench.ledger.share(run, Allowance::new(width, rate)).unwrap().unwrap()
}

#[test]
fn whoever_comes_begins_with_what_is_free_and_gets_its_part_once_it_was_given_back() {
    over_server(|| {
        let mut one = Bench::new();
        let (run, _) = one.stage(&[("A-1", "{}")]);
        let first = share(&mut one, run, 5, None);
        assert_eq!(first.width(), 5, "alone it has all of it");
        let places: Vec<bool> = (0..6).map(|_| first.enter()).collect();
        assert_eq!(places, [true, true, true, true, true, false]);
        let mut two = one.beside("two");
        let second = share(&mut two, run, 9, None);
        assert_eq!(second.width(), 0, "all of it is in flight");
        // The first one gives back more than its part as its orders are answered.
        while first.width() > 3 {
            thread::sleep(Duration::from_millis(10));
        }
        assert!(!second.enter() && !first.enter());
        (0..2).for_each(|_| first.leave());
        while second.width() < 2 {
            thread::sleep(Duration::from_millis(10));
        }
        assert!(second.enter() && second.enter() && !second.enter() && !first.enter());
        // What another one gives up is there for the first again.
        (0..2).for_each(|_| second.leave());
        second.give_up();
        while first.width() < 5 {
            thread::sleep(Duration::from_millis(10));
        }
        one.assert_whole();
    });
}

#[test]
fn a_station_that_is_paused_in_the_middle_of_an_exchange_holds_nobody_up() {
    over_server(|| {
        let mut one = Bench::new();
        let (run, _) = one.stage(&[("A-1", "{}")]);
        let first = share(&mut one, run, 4, None);
        let paused = Connection::to_server(Server::connect(&parsed(one.address.as_ref().unwrap())).unwrap());
        let exchange = paused.begin_with(BEGIN_EXCHANGE).unwrap();
        let begun = Instant::now();
        let mut two = one.beside("two");
        let second = share(&mut two, run, 4, None);
        while (first.width(), second.width()) != (2, 2) {
            assert!(!one.ledger.deadline().unwrap().has_passed() && begun.elapsed() < Duration::from_secs(20));
            thread::sleep(Duration::from_millis(10));
        }
        exchange.commit().unwrap_err();
        one.assert_whole();
    });
}

#[test]
fn what_raw_sql_cannot_do_to_shares_and_brakes() {
    over_server(|| {
        let mut bench = Bench::new();
        let (run, _) = bench.stage(&[("A-1", "{}")]);
        share(&mut bench, run, 5, Some(10.0));
        let attacker = bench.beside("attacker");
        let (own, other) = (bench.epoch(), attacker.epoch());
        bench.ledger.pull_brake(run, "funds", "the account cannot pay").unwrap();
        let address = bench.address.clone().unwrap();
        let takes = |width: &str, pace: &str| {
            format!(
                "INSERT INTO shares (epoch, service_id, width_max, pace_max, width, pace)
                 VALUES ({other}, 1, 9, {pace}, {width}, {pace})"
            )
        };
        let begin = "UPDATE orders SET state = 'sending', attempts = attempts + 1 WHERE number = 'A-1';
            INSERT INTO attempts (order_id, n, request_id, run_id, intent_ms)
            SELECT id, attempts, request_id, 1, 1 FROM orders WHERE number = 'A-1'";
        let cases = [
            (takes("0", "0"), "check constraint"),
            (takes("1", "1"), "share its concurrency"),
            (takes("0", "1"), "share its rate"),
            (takes("0", "NULL"), "share its rate"),
            (format!("UPDATE shares SET width = 1 WHERE epoch = {own}"), "by its own station"),
            ("DELETE FROM shares".to_owned(), "never deleted"),
            ("TRUNCATE shares".to_owned(), "never emptied"),
            ("UPDATE brakes SET why = 'x'".to_owned(), "brakes are final"),
            ("DELETE FROM brakes".to_owned(), "never deleted"),
            (
                format!(
                    "INSERT INTO brakes (epoch, service_id, run_id, stopped_by, why) VALUES ({own}, 1, 1, 'x', 'x')"
                ),
                "by its own station",
            ),
            (format!("BEGIN; {begin}"), "has stopped all stations"),
        ];
        for (sql, said) in cases {
            let refused = attack(&address, &sql).expect_err(&sql);
            assert!(refused.contains(said), "{sql}: {refused}");
        }
        bench.assert_whole();
    });
}

#[test]
fn a_brake_holds_whoever_worked_when_it_was_pulled_and_nobody_who_began_later() {
    over_server(|| {
        let mut one = Bench::new();
        let (run, _) = one.stage(&[("A-1", "{}"), ("A-2", "{}")]);
        let [first, second] = one.pending(run)[..] else { panic!() };
        let mut two = one.beside("two");
        let told = share(&mut two, run, 5, None);
        one.ledger.pull_brake(run, "funds", "the account cannot pay").unwrap();
        let became = two.claim(run, &[first, second]).unwrap();
        let Applied::Braked(brake) = &became[0] else { panic!("{became:?}") };
        assert_eq!((brake.by.as_str(), brake.host.as_str(), brake.station), ("funds", "host of bench", one.epoch()));
        assert_eq!(two.state("A-1"), "staged");
        // One that has nothing to claim hears of it as well.
        while told.brake().is_none() {
            thread::sleep(Duration::from_millis(10));
        }
        assert_eq!(one.claim(run, &[first]).unwrap(), [Applied::Done], "its own run stops by itself");
        let mut later = one.beside("later");
        assert_eq!(later.claim(run, &[second]).unwrap(), [Applied::Done]);
        one.assert_whole();
    });
}
