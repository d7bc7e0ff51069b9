//! What sheets and services bring.

use std::path::PathBuf;
use std::time::Duration;

#[cfg(unix)]
use rustix::process::Signal;
use shipsheet::sandbox::Answer;

use super::{another, bad, bench, bench_of, command, holds, is_sound, lies, night, numbers, report, sheets};
use crate::rig::{Live, Rig, ran, row_of_own as row, sheet, wait_until};

fn status(code: u16) -> Answer {
    Answer::Status(code, "{}".to_owned())
}

#[test]
fn all_is_booked_and_the_next_night_nothing_came() {
    let rig = bench();
    rig.file("in/a sheet.csv", &sheet([row("A-1")]));
    rig.workbook("in/b.xlsx", &[row("B-1"), row("B-2")], |_| {});
    let ended = night(&rig);
    ended.exits(0).prints("a sheet.csv: 1 of 1 order booked -> done/").prints("b.xlsx: 2 of 2 orders booked");
    holds(&rig, &[("done", &["a sheet.csv", "b.xlsx"])]);
    let beside = ["a sheet.csv", "a sheet.report.html", "a sheet.results.csv"];
    assert_eq!(lies(&rig, "done"), [&beside[..], &["b.report.html", "b.results.xlsx", "b.xlsx"]].concat());
    assert!(lies(&rig, "working").is_empty(), "{:?}", lies(&rig, "working"));
    assert_eq!(numbers(&rig), ["A-1", "B-1", "B-2"]);
    let nothing = night(&rig);
    assert_eq!((nothing.exit, nothing.stdout.as_str(), nothing.stderr.as_str()), (0, "", ""));
    is_sound(&rig);
}

#[test]
fn a_sheet_that_came_before_is_told_and_not_sent_whatever_its_name() {
    let rig = bench();
    let text = sheet([row("A-1"), bad("A-2")]);
    for name in ["a.csv", "a.csv", "renamed.csv"] {
        rig.file(&format!("in/{name}"), &text);
        night(&rig);
    }
    holds(&rig, &[("attention", &["a.csv", "a.csv", "renamed.csv"])]);
    assert_eq!((numbers(&rig).len(), rig.sandbox().book().requests()), (1, 1));
    let told = report(&rig, "attention", "renamed");
    assert!(
        told.contains("This sheet was taken on") && told.contains("as a.csv, run 1, filed as attention/"),
        "{told}"
    );
    assert!(told.contains("nothing was sent"), "{told}");
    // The corrected sheet is another one.
    rig.file("in/a.csv", &sheet([row("A-1"), row("A-2")]));
    night(&rig).exits(0).prints("2 of 2 orders booked (1 before) -> done/");
    assert_eq!(numbers(&rig), ["A-1", "A-2"]);
    is_sound(&rig);
}

#[test]
fn a_sheet_that_nothing_was_sent_of_may_come_again() {
    let rig = bench();
    let strange = "x,y,z,a,b,c\n1,2,3,4,5,6\n";
    rig.file("in/a.csv", strange);
    night(&rig).exits(3);
    rig.file("in/a.csv", strange);
    night(&rig).exits(3).prints_nothing_of("was taken on");
    holds(&rig, &[("failed", &["a.csv", "a.csv"])]);
}

/// Promise 4: a night books the good orders of a sheet and hands the wrong rows back.
#[test]
fn rows_that_are_wrong_come_back_and_the_others_go() {
    let rig = bench();
    let rows = (0..10).map(|n| if n % 3 == 0 { bad(&format!("A-{n}")) } else { row(&format!("A-{n}")) });
    rig.file("in/a.csv", &sheet(rows));
    rig.file("in/b.csv", &sheet([bad("B-1")]));
    rig.file("in/c.csv", &sheet([row("C-1")]));
    let ended = night(&rig);
    ended.exits(4).prints("a.csv: 6 of 10 orders booked, 4 invalid -> attention/").prints("c.csv: 1 of 1 order booked");
    holds(&rig, &[("attention", &["a.csv"]), ("done", &["c.csv"]), ("failed", &["b.csv"])]);
    let beside = ["a.csv", "a.report.html", "a.results.csv", "a.to-fix.xlsx"];
    assert_eq!(lies(&rig, "attention"), beside);
    let told = report(&rig, "attention", "a");
    assert!(told.contains("order A-0: has 2 digits") && told.contains("Next: correct the rows"), "{told}");
    assert_eq!(numbers(&rig), ["A-1", "A-2", "A-4", "A-5", "A-7", "A-8", "C-1"]);
}

#[test]
fn strange_files_cost_only_themselves() {
    let rig = bench();
    rig.file("in/a.xlsx", "PK\u{3}\u{4} this is no workbook");
    rig.file("in/b.csv", &sheet([row("B-1")]));
    rig.file("in/c.pdf", "%PDF-1.4 a label that somebody dropped here");
    rig.file("in/d.csv", &sheet([]));
    for passed in ["in/~$b.xlsx", "in/e.csv.part", "in/.hidden.csv"] {
        rig.file(passed, "no sheet");
    }
    std::fs::create_dir(rig.path("in/older")).unwrap();
    night(&rig).exits(3);
    let left = ["in", ".hidden.csv", "e.csv.part", "~$b.xlsx"];
    holds(
        &rig,
        &[("attention", &["d.csv"]), ("done", &["b.csv"]), ("failed", &["a.xlsx", "c.pdf"]), ("in", &left[1..])],
    );
    let page = report(&rig, "failed", "a");
    assert!(page.contains("damaged") && !page.contains("working"), "{page}");
    assert!(report(&rig, "attention", "d").contains("no order is in it"));
}

#[test]
fn a_report_names_the_sheet_where_it_lies_in_the_morning() {
    let rig = bench();
    rig.file("in/it's strange.csv", "x,y,z,a,b,c\n1,2,3,4,5,6\n");
    night(&rig).exits(3);
    let page = report(&rig, "failed", "it's strange");
    let (_, command) = page.split_once("profile guess ").unwrap_or_else(|| panic!("{page}"));
    assert!(command.contains("/in/failed/2") && !page.contains("working"), "{page}");
}

#[test]
fn what_the_service_was_away_for_goes_on_and_is_filed_anew() {
    let rig = bench();
    rig.file("in/a.csv", &sheet([row("A-1"), row("A-2")]));
    rig.file("in/b.csv", &sheet([row("B-1")]));
    rig.sandbox().script([Answer::TooMany(3_600)]);
    let ended = night(&rig);
    ended.exits(5).prints("a.csv: 0 of 2 orders booked, 2 outstanding -> attention/");
    ended.says("b.csv: not sent, stays where it is");
    holds(&rig, &[("attention", &["a.csv"]), ("in", &["b.csv"])]);
    let ended = night(&rig);
    ended
        .exits(0)
        .says("went on with what earlier passes had left: 2 of 2 booked")
        .prints("2 of 2 orders booked (2 before)");
    holds(&rig, &[("done", &["a.csv", "b.csv"])]);
    assert_eq!(lies(&rig, "attention"), Vec::<String>::new(), "what lay beside it is not there any more");
    let results = lies(&rig, "done").into_iter().filter(|name| name == "a.results.csv").count();
    assert_eq!(results, 2, "those of the first night came along");
    assert_eq!(numbers(&rig), ["A-1", "A-2", "B-1"]);
    is_sound(&rig);
}

#[test]
fn what_a_person_took_up_and_stopped_is_left_to_that_person() {
    let rig = bench();
    rig.file("in/a.csv", &sheet([row("A-1"), row("A-2")]));
    rig.sandbox().script([Answer::TooMany(3_600)]);
    night(&rig).exits(5);
    // A person goes on by day, and stops it.
    rig.run(&["resume", "--yes", "--max-orders", "1", "--concurrency", "1"]).exits(5);
    let booked = numbers(&rig).len();
    night(&rig).exits(5);
    assert_eq!(numbers(&rig).len(), booked, "nothing of it is sent at night");
    holds(&rig, &[("attention", &["a.csv"])]);
    rig.run(&["resume", "--yes"]).exits(0);
    // Now that nothing is outstanding the folder tells the truth again.
    night(&rig).exits(0);
    holds(&rig, &[("done", &["a.csv"])]);
}

#[test]
fn an_outage_of_every_kind_stops_the_night_after_one_sheet_and_loses_nothing() {
    for (answer, by) in [(status(402), "pay"), (status(401), "token")] {
        let rig = bench();
        rig.file("in/a.csv", &sheet((0..5).map(|n| row(&format!("A-{n}")))));
        rig.file("in/b.csv", &sheet([row("B-1")]));
        rig.sandbox().script(vec![answer; 40]);
        let ended = night(&rig);
        assert!(ended.exit >= 4, "{by}: {ended:?}");
        assert_eq!(sheets(&rig)["in"], ["b.csv"], "{by}: {ended:?}");
        assert_eq!((sheets(&rig)["attention"].len(), numbers(&rig).len()), (1, 0), "{by}");
        let told = report(&rig, "attention", "a");
        assert!(told.contains("Stopped ("), "{by}: {told}");
        is_sound(&rig);
    }
}

#[test]
fn an_order_in_doubt_is_in_every_nights_exit_code_until_it_is_settled() {
    let rig = bench();
    rig.file("in/a.csv", &sheet([row("A-1"), row("A-2")]));
    rig.sandbox().script_order("A-2", [Answer::CutAfter]);
    night(&rig).exits(6).prints("1 of 2 orders booked, 1 in doubt -> attention/");
    assert!(report(&rig, "attention", "a").contains("doubt list"));
    rig.file("in/b.csv", &sheet([another("B-1")]));
    night(&rig).exits(6).prints("b.csv: 1 of 1 order booked -> done/");
    assert_eq!(numbers(&rig), ["A-1", "A-2", "B-1"]);
}

#[test]
fn a_sheet_whose_orders_are_settled_by_hand_is_filed_as_done() {
    let rig = bench();
    rig.file("in/a.csv", &sheet([row("A-1"), row("A-2"), row("A-3")]));
    rig.sandbox().script_order("A-2", [Answer::CutBefore]);
    rig.sandbox().script_order("A-3", [status(422)]);
    night(&rig).exits(6).prints("1 of 3 orders booked, 1 refused, 1 in doubt -> attention/");
    rig.run(&["doubt", "booked", "A-2", "--awb", "SBX9990000000000001", "--because", "seen in the portal"]).exits(0);
    night(&rig).exits(0);
    holds(&rig, &[("attention", &["a.csv"])]);
    rig.run(&["retry", "--yes"]).exits(0);
    night(&rig).exits(0).prints("a.csv: 3 of 3 orders booked (3 before) -> done/");
    holds(&rig, &[("done", &["a.csv"])]);
    let nothing = night(&rig);
    assert_eq!((nothing.exit, nothing.stdout.as_str()), (0, ""), "it is filed once");
    is_sound(&rig);
}

#[test]
fn a_sheet_that_comes_while_a_night_is_at_work_is_told_and_left_to_the_next() {
    let rig = bench();
    rig.sandbox().hold_after(0);
    rig.file("in/a.csv", &sheet((0..20).map(|n| row(&format!("A-{n}")))));
    let live = Live::start(command(&rig, &["--concurrency", "1"]), rig.path("out"), rig.path("error"));
    wait_until("it books", || rig.sandbox().book().requests() > 0);
    rig.file("in/late.csv", &sheet([row("L-1")]));
    rig.sandbox().go_on();
    live.end().exits(5).says("late.csv: not sent, stays where it is: it came after the night had begun");
    holds(&rig, &[("done", &["a.csv"]), ("in", &["late.csv"])]);
    night(&rig).exits(0).prints("late.csv: 1 of 1 order booked");
}

#[test]
fn far_more_than_usual_holds_that_sheet_alone() {
    let rig = bench();
    for name in ["A", "B", "C"] {
        rig.file(&format!("in/{name}.csv"), &sheet([row(&format!("{name}-1"))]));
        night(&rig).exits(0);
    }
    let giant = sheet((0..60).map(|n| row(&format!("G-{n:02}"))));
    rig.file("in/giant.csv", &giant);
    rig.file("in/small.csv", &sheet([row("S-1")]));
    night(&rig).exits(1).prints("giant.csv: nothing was sent, a person has to look first");
    assert_eq!(sheets(&rig)["attention"], ["giant.csv"]);
    assert!(report(&rig, "attention", "giant").contains("far more than usual"));
    assert_eq!(numbers(&rig), ["A-1", "B-1", "C-1", "S-1"]);
    // It may come again once a person has said how many may go.
    let held = std::fs::read_dir(rig.path("in/attention")).unwrap().map(|entry| entry.unwrap().path());
    let [held]: [PathBuf; 1] =
        held.filter(|path| path.extension().unwrap() == "csv").collect::<Vec<_>>().try_into().unwrap();
    rig.run(&["status"]).exits(4).prints("nothing was sent of 1 sheet").prints(&*held.to_string_lossy());
    rig.run(&["doctor"]).prints("nothing was sent of ");
    std::fs::rename(held, rig.path("in/giant.csv")).unwrap();
    ran(command(&rig, &["--max-orders", "100"])).exits(0);
    holds(&rig, &[("done", &["A.csv", "B.csv", "C.csv", "giant.csv", "small.csv"])]);
    rig.run(&["status"]).exits(0).prints_nothing_of("nothing was sent of");
    assert_eq!(numbers(&rig).len(), 64);
}

#[test]
fn a_page_is_green_only_where_every_order_is_booked() {
    let rig = bench();
    rig.sandbox().script_order("A-2", [Answer::Status(422, r#"{"message": "no"}"#.to_owned())]);
    rig.file("in/a.csv", &sheet([row("A-1"), row("A-2")]));
    rig.file("in/b.csv", &sheet([another("B-1")]));
    night(&rig).exits(4);
    for (tray, tone) in [("attention", "warn"), ("done", "good")] {
        let entries = std::fs::read_dir(rig.path("in").join(tray)).unwrap().map(|entry| entry.unwrap().path());
        let [page]: [PathBuf; 1] =
            entries.filter(|path| path.extension().unwrap() == "html").collect::<Vec<_>>().try_into().unwrap();
        let page = std::fs::read_to_string(page).unwrap();
        let first = page.split("class=\"box ").nth(1).unwrap();
        assert!(first.starts_with(tone), "{tray}: {first}");
    }
}

#[test]
fn where_nothing_can_run_no_sheet_is_taken() {
    let rig = bench();
    rig.file("in/a.csv", &sheet([another("A-1")]));
    rig.file("slow.csv", &sheet([row("S-1")]));
    rig.sandbox().script_order("S-1", [Answer::Silent(Duration::from_hours(1))]);
    let live = rig.live("slow", &["import", "slow.csv", "--yes"]);
    wait_until("the run holds the ledger", || rig.sandbox().book().posts("S-1") == 1);
    night(&rig).exits(1).says("in use by another shipsheet");
    holds(&rig, &[("in", &["a.csv"])]);
    drop(live);
    // The killed run was a person's: its doubt stays, and the sheet is booked.
    night(&rig).exits(6);
    holds(&rig, &[("done", &["a.csv"])]);
    let mut command = command(&rig, &[]);
    let no_token = ran({
        rig.file("in/b.csv", &sheet([row("B-1").replace("Asha", "Ravi")]));
        command.env_remove("SHIPSHEET_TOKEN");
        command
    });
    no_token.exits(1).says("token");
    assert_eq!(sheets(&rig)["in"], ["b.csv"]);
}

#[test]
fn a_limit_and_a_deadline_leave_the_rest_outstanding() {
    let rig = bench();
    rig.file("in/a.csv", &sheet((0..4).map(|n| row(&format!("A-{n}")))));
    rig.file("in/b.csv", &sheet([row("B-1")]));
    ran(command(&rig, &["--max-orders", "2", "--concurrency", "1"]))
        .exits(5)
        .prints("2 of 4 orders booked, 2 outstanding");
    assert_eq!(sheets(&rig)["done"], ["b.csv"], "a limit is each sheet's own");
    rig.file("in/c.csv", &sheet([row("C-1")]));
    ran(command(&rig, &["--deadline", "0s"])).exits(5).says("c.csv: not sent, stays where it is");
    assert_eq!((sheets(&rig)["in"].len(), numbers(&rig).len()), (1, 3));
    rig.run(&["watch", "in", "--deadline", "1h"]).exits(2).says("--once");
}

#[cfg(unix)]
#[test]
fn a_signal_drains_files_and_leaves_the_rest_in_the_folder() {
    for signal in [Signal::TERM, Signal::INT] {
        let rig = bench_of(Rig::faulty("latency=20ms"));
        rig.file("in/a.csv", &sheet((0..80).map(|n| row(&format!("A-{n}")))));
        rig.file("in/b.csv", &sheet([row("B-1")]));
        let (out, error) = (rig.path("out"), rig.path("error"));
        let live = Live::start(command(&rig, &["--concurrency", "1"]), out, error);
        wait_until("it books", || rig.sandbox().book().requests() > 2);
        live.signal(signal);
        let ended = live.end();
        ended.exits(5);
        let booked = numbers(&rig).len();
        assert!(booked < 80, "{ended:?}");
        holds(&rig, &[("attention", &["a.csv"]), ("in", &["b.csv"])]);
        night(&rig).exits(0);
        holds(&rig, &[("done", &["a.csv", "b.csv"])]);
        assert_eq!(numbers(&rig).len(), 81);
    }
}

#[test]
fn an_empty_sheet_is_filed_as_failed_once_it_rests_and_a_report_of_days_names_what_was_not_sent() {
    let rig = bench();
    for name in ["A", "B", "C"] {
        rig.file(&format!("in/{name}.csv"), &sheet([row(&format!("{name}-1"))]));
        night(&rig).exits(0);
    }
    rig.file("in/empty.csv", "");
    rig.file("in/giant.csv", &sheet((0..60).map(|n| row(&format!("G-{n:02}")))));
    rig.file("in/strange.csv", "x,y,z,a,b,c\n1,2,3,4,5,6\n");
    let ended = night(&rig);
    ended.exits(1).prints("empty.csv: nothing was sent, the file is empty (0 bytes) -> failed/");
    holds(
        &rig,
        &[
            ("attention", &["giant.csv"]),
            ("done", &["A.csv", "B.csv", "C.csv"]),
            ("failed", &["empty.csv", "strange.csv"]),
        ],
    );
    assert!(report(&rig, "failed", "empty").contains("Next: copy the sheet into the folder again"));
    let unsent = || rig.json(&["report", "--last", "2d"]).1["unsent_sheets"].clone();
    let named: Vec<(String, String)> = unsent()
        .as_array()
        .unwrap()
        .iter()
        .map(|sheet| (sheet["name"].as_str().unwrap().to_owned(), sheet["why"].as_str().unwrap().to_owned()))
        .collect();
    let [strange, giant, empty] = named.as_slice() else { panic!("{named:?}") };
    assert_eq!((strange.0.as_str(), giant.0.as_str(), empty.0.as_str()), ("strange.csv", "giant.csv", "empty.csv"));
    let begins = "nothing was sent: no column holds the order number; no column holds ";
    assert!(strange.1.starts_with(begins) && strange.1.ends_with(" more"), "{strange:?}");
    assert!(giant.1.contains("far more than usual: 60 orders"), "{giant:?}");
    assert_eq!(empty.1, "nothing was sent, the file is empty (0 bytes)");
    let told = rig.run(&["report", "--since", "today"]);
    told.exits(0).prints("Sheets not sent").prints("Nothing was sent of 3 sheets").prints("/in/failed/");
    // What a person took away, or what came again, is no longer asked for.
    let path = PathBuf::from(unsent()[2]["path"].as_str().unwrap());
    std::fs::remove_file(path).unwrap();
    rig.run(&["report", "--since", "today"]).prints("it was taken away since");
    let path = PathBuf::from(unsent()[1]["path"].as_str().unwrap());
    std::fs::rename(path, rig.path("in/giant.csv")).unwrap();
    ran(command(&rig, &["--max-orders", "100"])).exits(0);
    assert_eq!(unsent().as_array().unwrap().len(), 2);
}

#[test]
fn a_sheet_whose_rows_came_corrected_in_another_sheet_goes_to_those_that_are_done() {
    let rig = bench();
    rig.file("in/a.csv", &sheet([row("A-1"), bad("A-2"), bad("A-3")]));
    night(&rig).exits(4).prints("1 of 3 orders booked, 2 invalid -> attention/");
    rig.file("in/some.csv", &sheet([row("A-2")]));
    night(&rig).exits(0).prints_nothing_of("a.csv: every order");
    rig.run(&["status", "--run", "1"]).prints("next: `shipsheet rejects --run 1 --to fix.xlsx` writes the rows");
    rig.file("in/others.csv", &sheet([row("A-3")]));
    let ended = night(&rig);
    ended
        .exits(0)
        .prints("a.csv: every order of it is booked by now, those that were corrected with another sheet -> done/");
    holds(&rig, &[("done", &["a.csv", "others.csv", "some.csv"])]);
    assert!(report(&rig, "done", "a").contains("Every order of it is booked by now"));
    assert!(lies(&rig, "done").iter().any(|name| name.ends_with("a.to-fix.xlsx")), "{:?}", lies(&rig, "done"));
    assert!(lies(&rig, "attention").is_empty(), "{:?}", lies(&rig, "attention"));
    let nothing = night(&rig);
    assert_eq!((nothing.exit, nothing.stdout.as_str()), (0, ""), "it is put there once");
    rig.file("in/again.csv", &sheet([row("A-1"), bad("A-2"), bad("A-3")]));
    night(&rig).exits(3).prints("again.csv: this sheet was taken on ");
    assert_eq!(numbers(&rig), ["A-1", "A-2", "A-3"]);
    is_sound(&rig);
}
