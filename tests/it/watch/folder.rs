//! What happens in the folder while it is watched: sheets that grow, come late or are held, and folders that vanish.

use std::path::{Path, PathBuf};
use std::time::Duration;

#[cfg(unix)]
use rustix::process::Signal;
use shipsheet::app::{App, Exit};
use shipsheet::book::StopSignal;
use shipsheet::config::{BookingOptions, Config, Overrides};
use shipsheet::finding::english::plain_words;
use shipsheet::overview::Advice;
use shipsheet::sandbox::Answer;
use shipsheet::watch::{Around, FolderError, Options, Told, Watcher};

use super::{another, bench, command, holds, night, numbers};
use crate::rig::{Rig, library, ran, row_of_own as row, sheet, wait_until};

/// Time that passes when the watcher waits, and what happens meanwhile.
struct Meanwhile<'m> {
    happens: Box<dyn FnMut(u32) + 'm>,
    waits: u32,
    heard: Vec<String>,
}

impl<'m> Meanwhile<'m> {
    fn new(happens: impl FnMut(u32) + 'm) -> Self {
        Self { happens: Box::new(happens), waits: 0, heard: Vec::new() }
    }
}

impl Around for Meanwhile<'_> {
    fn wait(&mut self, _: Duration) {
        self.waits += 1;
        (self.happens)(self.waits);
    }

    fn tell(&mut self, told: &Told<'_>) {
        self.heard.push(match told {
            Told::Filed(sheet) => format!("{} {}", sheet.name, sheet.tray.as_str()),
            Told::Left(left) => format!("{}: {}", left.name, left.why),
            Told::Trouble(why) => format!("trouble: {why}"),
            Told::Recovered => "recovered".to_owned(),
            Told::Resumed(resumed) => format!("resumed {}", resumed.run),
            Told::BackedUp(made) => format!("backed up: {made:?}"),
        });
    }
}

fn practice(folder: &Path) -> App {
    let overrides = Overrides { sandbox: true, folder: Some(folder.to_owned()), ..Overrides::default() };
    App::open(Config::open(overrides).unwrap())
}

fn options(folder: PathBuf) -> Options {
    let (interval, rest) = (Duration::ZERO, Duration::ZERO);
    Options {
        folder,
        interval,
        rest,
        patience: Duration::from_hours(1),
        booking: BookingOptions::default(),
        command: "shipsheet".to_owned(),
        words: plain_words(),
        advice: Advice::default(),
    }
}

#[test]
fn a_sheet_that_grows_is_taken_once_it_has_come_to_rest() {
    let rig = Rig::alone();
    std::fs::create_dir(rig.path("in")).unwrap();
    let text = sheet([row("A-1"), row("A-2")]);
    let half = &text[..text.len() - 40];
    rig.file("in/a.csv", half);
    let (app, stop) = (practice(&rig.path("")), StopSignal::default());
    let asked = stop.clone();
    let mut around = Meanwhile::new(|waits| match waits {
        1 => drop(rig.file("in/a.csv", &text)),
        2 => drop(rig.file("in/late.csv", &sheet([row("L-1")]))),
        6 => asked.drain(),
        _ => {}
    });
    let mut watcher = Watcher::new(&app, options(rig.path("in")), stop, &mut around).unwrap();
    assert_eq!(watcher.watch(&mut |_| {}), Exit::Done);
    assert_eq!(around.heard, ["a.csv done", "late.csv done"]);
}

#[test]
fn a_sheet_that_does_not_rest_in_a_night_stays_and_is_told() {
    let rig = Rig::alone();
    std::fs::create_dir(rig.path("in")).unwrap();
    let text = sheet([row("A-1")]);
    rig.file("in/a.csv", &text[..text.len() - 20]);
    let app = practice(&rig.path(""));
    let mut around = Meanwhile::new(|_| drop(rig.file("in/a.csv", &text)));
    let night = Watcher::new(&app, options(rig.path("in")), StopSignal::default(), &mut around).unwrap().once();
    assert_eq!((night.exit(), night.filed.len()), (Exit::Outstanding, 0));
    assert_eq!(around.heard, ["a.csv: it is not at rest yet"]);
}

#[test]
fn a_folder_that_vanishes_is_told_once_and_tried_again() {
    let rig = Rig::alone();
    std::fs::create_dir(rig.path("in")).unwrap();
    let (app, stop) = (practice(&rig.path("")), StopSignal::default());
    let asked = stop.clone();
    let mut around = Meanwhile::new(|waits| match waits {
        1 => std::fs::rename(rig.path("in"), rig.path("away")).unwrap(),
        4 => {
            std::fs::rename(rig.path("away"), rig.path("in")).unwrap();
            rig.file("in/a.csv", &sheet([row("A-1")]));
        }
        8 => asked.drain(),
        _ => {}
    });
    let mut watcher = Watcher::new(&app, options(rig.path("in")), stop, &mut around).unwrap();
    watcher.watch(&mut |_| {});
    let heard = &around.heard;
    assert!(
        heard.len() == 3 && heard[0].starts_with("trouble: ") && heard[1..] == ["recovered", "a.csv done"],
        "{heard:?}"
    );
    let nowhere = Watcher::new(&app, options(rig.path("nowhere")), StopSignal::default(), &mut around);
    assert!(matches!(nowhere, Err(FolderError::Io { .. })));
}

#[test]
fn a_sheet_that_somebody_has_open_stays_where_it_is() {
    let rig = bench();
    for (sheet_name, mark) in [("a.csv", "~$a.csv"), ("b.csv", ".~lock.b.csv#"), ("report.csv", "~$port.csv")] {
        rig.file(&format!("in/{sheet_name}"), &sheet([row(sheet_name)]));
        rig.file(&format!("in/{mark}"), "somebody");
        night(&rig).exits(5).says(format!("{sheet_name}: not sent, stays where it is: somebody has it open"));
        std::fs::remove_file(rig.path("in").join(mark)).unwrap();
        night(&rig).exits(0);
    }
    assert_eq!(numbers(&rig).len(), 3);
}

#[test]
fn a_sheet_that_is_written_to_while_it_is_booked_comes_again_as_a_whole() {
    let rig = bench();
    let text = sheet([row("A-1"), another("A-2")]);
    rig.file("in/a.csv", &sheet([row("A-1")]));
    rig.sandbox().script_order("A-1", [Answer::BookedSilent(Duration::from_secs(2))]);
    let live = rig.live("night", &["watch", "in", "--once", "--rest", "0"]);
    wait_until("it books", || rig.sandbox().book().posts("A-1") == 1);
    rig.file("in/working/a.csv", &text);
    live.end().exits(6).prints("it was changed meanwhile, so it goes back into the folder");
    holds(&rig, &[("in", &["a.csv"])]);
    night(&rig).exits(6).prints("1 of 2 orders booked, 1 in doubt -> attention/");
    assert_eq!(numbers(&rig), ["A-1", "A-2"]);
}

#[test]
fn a_second_watcher_is_told_of_the_first_and_takes_nothing() {
    let rig = bench();
    rig.file("in/a.csv", &sheet([row("A-1")]));
    rig.sandbox().script_order("A-1", [Answer::Silent(Duration::from_hours(1))]);
    let live = rig.live("night", &["watch", "in", "--once", "--rest", "0"]);
    wait_until("it books", || rig.sandbox().book().posts("A-1") == 1);
    rig.file("in/b.csv", &sheet([another("B-1")]));
    let mut other = command(&rig, &[]);
    other.env("SHIPSHEET_LEDGER", rig.path("other.sqlite"));
    ran(other).exits(1).says("is watched by another shipsheet already");
    drop(live);
    // What the first one claimed is no business of a watcher with another ledger, also when the first one is dead.
    let mut other = command(&rig, &[]);
    other.env("SHIPSHEET_LEDGER", rig.path("other.sqlite"));
    ran(other).exits(1).says("a watcher with another ledger took");
    holds(&rig, &[("in", &["b.csv"]), ("working", &["a.csv"])]);
    night(&rig).exits(6);
    holds(&rig, &[("attention", &["a.csv"]), ("done", &["b.csv"])]);
    assert_eq!(numbers(&rig), ["B-1"]);
}

#[cfg(unix)]
#[test]
fn a_watcher_goes_on_until_it_is_told_to_stop_and_prints_a_line_for_each_pass() {
    let rig = bench();
    let live = rig.live("watch", &["watch", "in", "--interval", "0", "--rest", "0", "--format", "json"]);
    live.said("watching in; Ctrl-C ends it");
    for name in ["A-1", "B-1"] {
        rig.file(&format!("in/{name}.csv"), &sheet([row(name)]));
        wait_until("it is filed", || super::lies(&rig, "done").contains(&format!("{name}.csv")));
    }
    live.signal(Signal::TERM);
    let ended = live.end();
    ended.exits(0);
    let nights = ended.stdout.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let filed: Vec<String> = nights
        .flat_map(|night| night["sheets"].as_array().unwrap().clone())
        .map(|sheet| format!("{} {}", sheet["name"].as_str().unwrap(), sheet["filed"].as_str().unwrap()))
        .collect();
    assert_eq!(filed, ["A-1.csv done", "B-1.csv done"]);
}

#[test]
fn a_sheet_that_somebody_takes_away_is_told() {
    let rig = bench();
    rig.file("in/a.csv", &sheet([row("A-1")]));
    let mut killed = command(&rig, &[]);
    killed.env("SHIPSHEET_CRASH_AT", "watch-recorded");
    ran(killed);
    std::fs::remove_file(rig.path("in/working/.claimed-a.csv")).unwrap();
    night(&rig).exits(3).prints("a.csv: somebody took it away before it was booked; nothing was sent");
    night(&rig).exits(0);
}

#[cfg(target_os = "linux")]
#[test]
fn a_share_that_answers_no_more_is_told_and_gone_on_with_once_it_answers() {
    let rig = bench();
    rig.file("in/a.csv", &sheet([row("A-1")]));
    rig.file("stalled", "");
    let stuck = |patience: &str| {
        let mut stuck = command(&rig, &["--interval", "0"]);
        stuck.env("SHIPSHEET_PATIENCE_SECONDS", patience);
        stuck.env("LD_PRELOAD", library()).env("DISK_STALLS", "/in").env("DISK_WHILE", rig.path("stalled"));
        ran(stuck)
    };
    let told = stuck("1");
    told.exits(1).says("in has not answered for 1 s: is the share there?").prints_nothing_of("a.csv");
    std::fs::remove_file(rig.path("stalled")).unwrap();
    stuck("60").exits(0).prints("a.csv: 1 of 1 order booked -> done/");
    assert_eq!(numbers(&rig), ["A-1"]);
}
