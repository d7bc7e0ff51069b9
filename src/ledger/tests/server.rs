//! The same tests over a ledger in PostgreSQL. The server is the one that is installed; where none is, they say that they are
//! skipped, and `SHIPSHEET_POSTGRES=required` makes that a failure.

use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use super::*;
use crate::ledger::Address;
use crate::ledger::db::{Connection, Server};
use crate::ledger::postgres::Station;

#[path = "../../../tests/it/rig/started.rs"]
#[expect(dead_code, reason = "tests of the whole program ask more of a server")]
mod started;

use room::spacious;
use started::Started;

/// Databases that were made, each for one ledger.
static MADE: AtomicU32 = AtomicU32::new(0);

/// The server of all these tests.
fn started() -> Option<&'static Running> {
    static SERVER: OnceLock<Option<Running>> = OnceLock::new();
    SERVER.get_or_init(|| Some(Running::new(Started::with("")?))).as_ref()
}

/// A server with an empty ledger, of which each test has a copy.
struct Running(Started);

impl Running {
    fn new(started: Started) -> Self {
        let running = Self(started);
        running.create("empty", "template1");
        let beside = running.0.folder.join("empty");
        drop(Ledger::open_server(&parsed(&running.0.address("empty")), &beside).unwrap());
        running
    }

    /// Makes a database, as a copy of another one once nobody is in that any more.
    fn create(&self, name: &str, of: &str) {
        let server = Server::connect(&parsed(&self.0.address("postgres"))).unwrap();
        while let Err(error) = server.batch(&format!("CREATE DATABASE {name} TEMPLATE {of}")) {
            assert!(error.to_string().contains("being accessed by other users"), "{error}");
            std::thread::yield_now();
        }
    }
}

/// A ledger in a database of its own, which is a copy of an empty one.
fn made(folder: &Path) -> (Ledger, String) {
    let running = started().expect("asked before");
    let name = format!("ledger_{}", MADE.fetch_add(1, Ordering::Relaxed));
    running.create(&name, "empty");
    let address = running.0.address(&name);
    (opened(&address, STATION, folder), address)
}

/// The station that a bench is, unless it says otherwise.
pub(super) const STATION: &str = "bench";

pub(super) fn parsed(address: &str) -> Address {
    Address::parse(address, None).unwrap()
}

/// A ledger that is open for booking, as a station with this folder.
pub(super) fn opened(address: &str, station: &str, folder: &Path) -> Ledger {
    let address = &parsed(address);
    let mut ledger = Ledger::open_server(address, &folder.join("ledger")).unwrap();
    let station = Station { id: station.to_owned(), user: "asha".to_owned(), host: format!("host of {station}") };
    ledger.begin_session(address, &station).unwrap();
    ledger
}

/// Runs a test over ledgers on the server.
pub(super) fn over_server(test: fn()) {
    if started().is_none() {
        return;
    }
    ELSEWHERE.set(Some(made));
    test();
}

/// Tries statements on the database, past all code of ours; gives what it says.
pub(super) fn attack(address: &str, sql: &str) -> Result<(), String> {
    let sql = sql.replace("= x'", "= '\\x");
    let connection = Connection::to_server(Server::connect(&parsed(address)).unwrap());
    // As a program of ours that went wrong: with the session that it has.
    let session = "SELECT set_config('shipsheet.epoch', (SELECT max(epoch)::text FROM stations), false)";
    connection.execute_batch(session).unwrap();
    connection.execute_batch(&sql).map_err(|error| error.to_string())
}

/// Tests of the ledger that hold on a server as they do in a file.
macro_rules! conform {
    ($($module:ident: $($test:ident)*;)*) => {
        $(mod $module {
            $(
                #[test]
                fn $test() {
                    super::over_server(crate::ledger::tests::$module::$test);
                }
            )*
        })*
    };
}

conform! {
    addresses:
        nothing_is_the_same_until_somebody_says_so_and_then_for_good
        a_service_that_is_said_to_be_another_is_not_asked_about_again
        of_two_addresses_that_know_a_number_what_forbids_sending_counts
        the_database_itself_sends_no_number_that_the_service_has_at_another_address
        an_awb_that_another_address_has_is_an_old_answer
        words_on_addresses_are_final_and_bound_into_the_evidence
        an_awb_is_one_shipment_wherever_the_service_may_answer;
    statements:
        what_a_statement_names_is_held_wherever_it_could_be_sent_and_goes_once_that_is_forgotten
        an_order_on_its_way_is_held_once_it_proves_unsent
        a_statement_says_nothing_of_what_is_over_or_does_not_go_anyway
        an_order_that_two_statements_name_goes_once_both_are_forgotten
        a_statement_that_comes_again_holds_what_came_since_and_is_one
        a_person_lets_one_order_of_a_statement_go
        what_was_booked_meanwhile_keeps_no_statement_from_being_forgotten
        what_was_corrected_while_a_statement_held_it_goes_as_it_is_then
        the_evidence_has_what_a_statement_says;
    book:
        an_order_that_does_not_go_is_not_sent_even_by_sql
        only_a_newer_revision_of_its_own_moves_an_order_even_by_sql
        a_correction_of_an_awb_says_nothing_else_of_its_order
        only_an_answer_to_what_is_asked_lets_an_order_go_with_the_request_that_was_asked_about
        a_cancellation_of_an_order_in_doubt_holds_once_it_proves_unsent
        orders_that_are_held_are_not_outstanding
        resume_and_retry_take_nothing_up_beside_others_that_does_not_go
        a_run_sends_nothing_that_it_keeps_back_and_counts_it_by_what_becomes_of_it
        an_order_that_no_source_has_let_go_has_a_row_and_goes_with_its_first_request
        a_dismissal_holds_wherever_the_order_has_the_same_cells;
    draft_holds:
        what_an_open_sheet_keeps_back_is_held_wherever_it_could_be_sent_until_the_sheet_lets_it_go
        an_order_that_two_sheets_keep_back_goes_once_both_have_let_it_go
        what_sources_and_statements_say_stands_beside_an_open_sheet
        only_a_word_is_heeded_however_the_number_is_spelled
        a_run_of_the_sheet_lifts_what_it_books_and_only_that
        what_is_sent_from_elsewhere_stays_let_go_until_the_sheet_says_something_new
        a_resume_or_retry_takes_up_nothing_that_an_open_sheet_keeps_back
        a_run_that_goes_on_sends_nothing_that_is_held_meanwhile
        each_new_hold_is_a_link_and_lets_no_other_sheet_be_checked_again
        a_sheet_that_cannot_be_checked_holds_what_it_held_and_more
        a_run_of_the_sheet_holds_on_to_what_it_does_not_send
        what_is_sent_at_one_address_stays_held_at_another
        a_person_sends_after_all_what_an_open_sheet_keeps_back;
    drafts:
        a_sheet_is_there_again_as_it_came_with_all_that_was_said_of_it
        nothing_that_was_said_elsewhere_is_overwritten
        nothing_is_said_of_an_order_that_a_run_is_sending
        of_two_that_answer_at_once_nobody_is_told_what_is_not_kept
        a_run_is_noted_with_its_sheet_or_not_recorded
        what_becomes_of_an_order_is_seen_and_what_is_said_of_a_sheet_is_not
        orders_that_were_sent_or_answered_are_told_as_long_as_nothing_else_happened
        a_note_never_changes_and_a_sheet_that_is_cleared_leaves_nothing;
    dry:
        every_state_becomes_the_same_staged_and_looked_at
        other_addresses_are_named_the_same_staged_and_looked_at;
    evidence:
        every_link_can_be_computed_again_by_hand
        what_is_altered_behind_our_back_is_found;
    guards:
        what_raw_sql_cannot_do
        no_two_orders_share_a_shipment_even_by_sql
        a_word_on_one_attempt_does_not_settle_the_next
        a_word_holds_for_the_order_as_it_was_seen_and_for_no_other
        what_was_sent_and_is_there_after_all_is_booked_by_a_word_and_never_sent_again
        an_awb_that_a_person_gave_is_corrected_until_something_was_done_with_it
        decisions_are_for_good;
    late:
        a_late_answer_settles_its_own_attempt_whatever_it_says
        an_answer_that_came_with_the_crash_is_taken_before_its_order_is_in_doubt
        what_says_nothing_new_moves_nothing
        a_late_booking_overrules_what_was_decided_short_of_a_booking
        two_bookings_of_one_order_are_shown_and_none_is_lost
        a_late_answer_with_the_orders_own_awb_written_otherwise_is_no_second_booking
        a_late_booking_with_another_orders_shipment_books_nothing
        a_late_answer_that_may_be_a_booking_keeps_its_order_from_being_sent
        raw_sql_opens_no_way_without_a_late_answer;
    oracle:
        the_ledger_and_the_model_agree;
    rows:
        a_row_is_known_by_its_file_and_worksheet
        an_order_that_comes_again_is_told_with_the_sheet_of_its_run
        what_stands_for_another_order_by_now_is_taken_up_by_nothing
        rows_of_a_run_that_is_not_staged_are_forgotten_with_it
        a_row_is_known_by_what_stands_in_it_in_any_file
        a_row_that_comes_again_and_again_stays_known_by_what_stands_in_it
        former_numbers_are_told_of_what_is_unsent_and_never_change
        what_was_booked_under_a_number_that_was_typed_is_not_retried_under_the_first_one
        what_was_booked_under_the_first_number_is_not_retried_under_one_that_was_typed
        a_number_that_was_typed_twice_is_known_by_the_first_one
        what_a_person_called_another_parcel_is_taken_up
        orders_that_came_together_are_asked_about_once_either_comes_otherwise
        a_split_order_that_comes_whole_again_is_not_sent_in_parts_as_well
        both_parts_of_an_order_that_was_whole_before_are_taken_up;
    runs:
        staging_again_follows_the_state
        a_dropped_staging_leaves_nothing
        a_shipment_that_another_order_has_is_a_contradiction
        one_awb_written_in_two_ways_is_a_contradiction
        a_crash_leaves_doubt_and_only_doubt
        retry_takes_what_failed_and_nothing_in_doubt
        each_cause_stands_with_its_own_row
        a_request_carries_its_own_time_and_the_order_keeps_its_first
        a_run_knows_the_one_it_went_on_with
        an_abandoned_order_waits_for_a_persons_word
        what_a_run_came_to_stays_whatever_becomes_of_its_orders
        what_is_open_is_told_over_all_runs_and_since_when
        parts_of_stations_come_to_the_whole
        many_orders_are_taken_up_in_their_order
        what_was_read_before_it_was_corrected_is_not_sent
        an_order_that_a_newer_sheet_refuses_goes_by_a_sheet_or_a_person
        a_cancellation_of_an_order_on_its_way_holds_once_it_proves_unsent
        a_yes_is_for_these_requests_in_the_place_of_those_as_they_stand;
    taken:
        the_database_files_no_sheet_as_done_of_which_an_order_is_not_booked
        own_leftovers_are_those_that_nobody_else_took_up_since
        sheets_are_found_by_what_is_in_them_and_until_they_are_filed;
}

/// Makes the two roles of a ledger, as its owner does.
fn with_roles(address: &str) -> Server {
    let server = Server::connect(&parsed(address)).unwrap();
    server.batch(include_str!("../../../templates/ledger/roles.sql")).unwrap();
    server
}

#[test]
fn a_station_books_and_changes_no_guard_and_a_reader_only_reads() {
    over_server(|| {
        let mut bench = Bench::new();
        let (run, order) = bench.bring("A-1", State::Staged);
        let address = bench.address.clone().unwrap();
        let server = with_roles(&address);
        let forbidden = [
            "DELETE FROM orders",
            "TRUNCATE routes",
            "UPDATE evidence SET hash = hash",
            "INSERT INTO identity VALUES (2, 'x')",
            "ALTER TABLE orders DISABLE TRIGGER ALL",
            "DROP TRIGGER orders_step ON orders",
            "CREATE OR REPLACE FUNCTION refuse_now(what text) RETURNS void LANGUAGE sql AS 'SELECT'",
            "SET session_replication_role = replica",
        ];
        for role in ["shipsheet_station", "shipsheet_reader"] {
            server.batch(&format!("SET ROLE {role}")).unwrap();
            for sql in forbidden {
                let said = server.batch(sql).expect_err(sql).to_string();
                assert!(said.contains("permission denied") || said.contains("must be owner"), "{role}: {sql}: {said}");
            }
        }
        let said = server.batch("UPDATE orders SET error = error").unwrap_err().to_string();
        assert!(said.contains("permission denied"), "{said}");
        server.batch("RESET ROLE").unwrap();
        // The whole way of an order with no right but a station's.
        let station = bench.ledger.connection.server().unwrap();
        station.batch("SET ROLE shipsheet_station").unwrap();
        bench.intend(run, order);
        bench.ledger.commit(&[answer(order, booked("A1"))], 5).unwrap();
        bench.settle("A-2", doubtful());
        bench.decide("A-2", DecisionVerb::NotBooked).unwrap();
        assert_eq!(bench.ledger.check().unwrap().faults, Vec::<String>::new());
        // And nothing but reading with a reader's.
        let reader = bench.ledger.connection.server().unwrap();
        reader.batch("SET ROLE shipsheet_reader").unwrap();
        assert_eq!(bench.state("A-1"), "booked");
        assert!(matches!(bench.ledger.stage(new_run(RunKind::Import)), Err(LedgerError::Forbidden(_))));
    });
}

#[test]
fn what_a_statement_failed_in_is_never_taken_for_committed() {
    over_server(|| {
        let mut bench = Bench::new();
        bench.stage(&[("A-1", "{}")]);
        let transaction = bench.ledger.begin().unwrap();
        transaction.execute("UPDATE runs SET stopped_why = 'x'", ()).unwrap();
        transaction.execute("DELETE FROM orders", ()).unwrap_err();
        // The server answers such a COMMIT with a silent ROLLBACK.
        transaction.commit().unwrap_err();
        assert_eq!(bench.ledger.runs(1).unwrap()[0].stopped_why, None);
        assert_eq!(bench.state("A-1"), "staged");
    });
}

#[test]
fn a_turn_waits_for_a_station_that_stages_for_long() {
    over_server(|| {
        let mut bench = Bench::new();
        let (run, _) = bench.stage(&[("A-1", "{}")]);
        let order = bench.pending(run)[0];
        bench.ledger.connection.server().unwrap().batch("SET lock_timeout = '50ms'").unwrap();
        let mut stages = Connection::to_server(Server::connect(&parsed(bench.address.as_ref().unwrap())).unwrap());
        let staging = stages.begin().unwrap();
        std::thread::scope(|threads| {
            let turn = threads.spawn(move || {
                bench.intend(run, order);
                bench.state("A-1")
            });
            // Each time that it waits anew is another transaction of it.
            let begun = "SELECT coalesce(max(extract(epoch FROM xact_start))::text, '') FROM pg_stat_activity
                WHERE datname = current_database() AND wait_event = 'advisory'";
            let mut seen = std::collections::HashSet::new();
            while seen.len() < 3 && !turn.is_finished() {
                staging.execute("SELECT pg_stat_clear_snapshot()", ()).unwrap();
                let one: String = staging.query_row(begun, (), |row| row.get(0)).unwrap();
                if !one.is_empty() {
                    seen.insert(one);
                }
            }
            drop(staging);
            assert_eq!(turn.join().unwrap(), "sending");
        });
    });
}

#[test]
fn whoever_waited_sees_what_was_written_meanwhile_whatever_the_database_is_set_to() {
    over_server(|| {
        let mut bench = Bench::new();
        let (run, _) = bench.stage(&[("A-1", "{}"), ("A-2", "{}")]);
        let pending = bench.pending(run);
        let own = "DO $$ BEGIN EXECUTE format(
            'ALTER DATABASE %I SET default_transaction_isolation = ''repeatable read''', current_database()); END $$";
        bench.ledger.connection.server().unwrap().batch(own).unwrap();
        bench.ledger = bench.again();
        let mut other = Connection::to_server(Server::connect(&parsed(bench.address.as_ref().unwrap())).unwrap());
        let writes = other.begin().unwrap();
        std::thread::scope(|threads| {
            let turn = threads.spawn(move || {
                bench.intend(run, pending[0]);
                (bench.state("A-1"), bench.state("A-2"))
            });
            let waits = "SELECT count(*) > 0 FROM pg_stat_activity
                WHERE datname = current_database() AND wait_event = 'advisory'";
            while !turn.is_finished() && !writes.query_row(waits, (), |row| row.get::<bool>(0)).unwrap() {
                writes.execute("SELECT pg_stat_clear_snapshot()", ()).unwrap();
            }
            // The run that is counted for is another row from now on.
            writes.execute("UPDATE runs SET stopped_why = 'x'", ()).unwrap();
            writes.commit().unwrap();
            assert_eq!(turn.join().unwrap(), ("sending".to_owned(), "staged".to_owned()));
        });
    });
}

#[test]
fn a_turn_asks_for_awbs_written_otherwise_as_all_others_do() {
    let without_blanks = |text: &str| text.split_whitespace().collect::<String>();
    let turns = without_blanks(include_str!("../../../templates/ledger/turns.sql"));
    assert_eq!(turns.matches(&without_blanks(crate::ledger::sql::bare_awb_of!("p.awb"))).count(), 2);
}

#[test]
fn a_turn_is_four_statements_however_much_it_writes() {
    over_server(|| {
        let mut bench = Bench::new();
        let numbers: Vec<String> = (0..60).map(|n| format!("order-{n}")).collect();
        let orders: Vec<(&str, &str)> = numbers.iter().map(|number| (number.as_str(), "{}")).collect();
        let (run, _) = bench.stage(&orders);
        let pending = bench.pending(run);
        let process =
            bench.ledger.connection.query_row("SELECT pg_backend_pid()::bigint", (), |row| row.get(0)).unwrap();
        bench.ledger.connection.execute_batch("SET log_statement = 'all'").unwrap();
        let mut turn = |answered: &[OrderId], sent: &[OrderId]| {
            let answers = answered.iter().map(|order| answer(*order, booked(&format!("AWB-{}", order.0))));
            let intents = sent.iter().map(|order| intent(&bench.ledger, run, *order));
            let changes: Vec<Change> = answers.chain(intents).collect();
            let before = (bench.ledger.connection.server().unwrap().flights(), statements(process).len());
            bench.ledger.commit(&changes, 5).unwrap();
            let flights = bench.ledger.connection.server().unwrap().flights() - before.0;
            (flights, statements(process).split_off(before.1))
        };
        // The first one prepares the statements.
        turn(&[], &pending[..20]);
        let kinds = ["BEGIN", "SELECT what", "SELECT turn_writes", "COMMIT"];
        let turns =
            [turn(&pending[..20], &pending[20..40]), turn(&pending[20..40], &pending[40..]), turn(&pending[40..], &[])];
        for (flights, statements) in turns {
            assert_eq!(flights, 2);
            assert_eq!(statements.len(), kinds.len(), "{statements:?}");
            assert!(statements.iter().zip(kinds).all(|(one, kind)| one.contains(kind)), "{statements:?}");
        }
        assert_eq!(bench.ledger.tally(run).unwrap().booked, 60);
    });
}

/// The statements of a connection that the server wrote down so far.
fn statements(process: i64) -> Vec<String> {
    let log = std::fs::read_to_string(started().unwrap().0.folder.join("log")).unwrap();
    let own = format!("[{process}] LOG:  ");
    log.lines().filter(|line| line.contains(&own)).map(str::to_owned).collect()
}

#[test]
fn a_server_that_goes_is_an_error_in_words_and_answers_are_kept() {
    over_server(|| {
        let mut bench = Bench::new();
        let (run, _) = bench.stage(&[("A-1", "{}")]);
        let order = bench.pending(run)[0];
        bench.intend(run, order);
        let address = bench.address.clone().unwrap();
        let other = Server::connect(&parsed(&address)).unwrap();
        let others = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE datname = current_database() AND pid <> pg_backend_pid()";
        other.batch(others).unwrap();
        let kept = bench.ledger.commit(&[answer(order, booked("A1"))], 5);
        assert!(matches!(kept, Err(LedgerError::Spooled { answers: 1, .. })), "{kept:?}");
        bench.ledger = bench.again();
        assert_eq!(bench.ledger.recover(9).unwrap().answered, ["A-1"]);
        assert_eq!(bench.state("A-1"), "booked");
    });
}
