//! `watch` through every kind of night: how it ends, what it says, where each sheet lies in the morning, and that each order is
//! booked once.

mod crashes;
mod folder;
mod nights;

use std::collections::BTreeMap;
use std::process::Command;

use shipsheet::app::host;

use crate::rig::{Ran, Rig, ran, row};

/// A folder `in` that is watched, and a service.
fn bench() -> Rig {
    bench_of(Rig::new())
}

fn bench_of(rig: Rig) -> Rig {
    std::fs::create_dir(rig.path("in")).unwrap();
    // Whoever waits for the service waits a moment only.
    rig.file("shipsheet.toml", "[booking]\nmax_wait_seconds = 1\n");
    rig
}

/// The command of a night, which takes what two looks find the same.
fn command(rig: &Rig, more: &[&str]) -> Command {
    rig.command(&[&["watch", "in", "--once", "--rest", "0"], more].concat())
}

/// One night.
fn night(rig: &Rig) -> Ran {
    ran(command(rig, &[]))
}

/// What lies in a tray of the folder, without time, station and run in front of the names.
fn lies(rig: &Rig, tray: &str) -> Vec<String> {
    let station: String = host().chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    let Ok(entries) = std::fs::read_dir(rig.path("in").join(tray)) else { return Vec::new() };
    let entries = entries.map(Result::unwrap).filter(|entry| entry.file_type().unwrap().is_file());
    let names = entries.map(|entry| entry.file_name().into_string().unwrap());
    let mut names: Vec<String> = names.filter(|name| tray != "working" || !name.starts_with('.')).collect();
    for name in &mut names {
        let rest = name.get(16..).and_then(|rest| rest.strip_prefix(&format!("{station}-")));
        let Some(rest) = rest.map(str::to_owned) else { continue };
        let run = rest.strip_prefix("run").and_then(|rest| rest.split_once('-'));
        *name = run.filter(|(run, _)| run.parse::<u32>().is_ok()).map_or(rest.clone(), |(_, name)| name.to_owned());
    }
    // Two of one name within a second.
    let mut names: Vec<String> = names.into_iter().map(|name| name.replace(".2.", ".")).collect();
    names.sort();
    names
}

/// The sheets in each tray, without what lies beside them.
fn sheets(rig: &Rig) -> BTreeMap<&'static str, Vec<String>> {
    let beside = [".report.html", ".results.csv", ".results.xlsx", ".to-fix.xlsx"];
    let own = |name: &String| !beside.iter().any(|ending| name.ends_with(ending));
    let trays =
        [("in", ""), ("working", "working"), ("done", "done"), ("attention", "attention"), ("failed", "failed")];
    let trays = trays.into_iter().map(|(name, tray)| (name, lies(rig, tray).into_iter().filter(own).collect()));
    trays.filter(|(_, names): &(_, Vec<String>)| !names.is_empty()).collect()
}

#[track_caller]
fn holds(rig: &Rig, trays: &[(&'static str, &[&str])]) {
    let wanted: BTreeMap<&str, Vec<String>> =
        trays.iter().map(|(tray, names)| (*tray, names.iter().map(|name| (*name).to_owned()).collect())).collect();
    assert_eq!(sheets(rig), wanted);
}

/// The only report whose name ends so.
#[track_caller]
fn report(rig: &Rig, tray: &str, sheet: &str) -> String {
    let entries = std::fs::read_dir(rig.path("in").join(tray)).unwrap().map(|entry| entry.unwrap().path());
    let ending = format!("-{sheet}.report.html");
    let found: Vec<_> = entries.filter(|path| path.to_str().unwrap().ends_with(&ending)).collect();
    let [path] = found.as_slice() else { panic!("{ending}: {found:?}") };
    // Without its marks, as a person reads it.
    let page = std::fs::read_to_string(path).unwrap();
    let (_, page) = page.split_once("</style>").unwrap();
    page.split('<').map(|part| part.split_once('>').map_or(part, |(_, text)| text)).collect()
}

/// The numbers that the service has, each as often as it has it.
fn numbers(rig: &Rig) -> Vec<String> {
    let mut numbers: Vec<String> = rig.bookings().into_iter().map(|(number, _)| number).collect();
    numbers.sort();
    numbers
}

fn bad(number: &str) -> String {
    row(number).replace("9876543210", "12")
}

/// The ledger looks through itself and finds nothing wrong.
#[track_caller]
fn is_sound(rig: &Rig) {
    rig.run(&["ledger", "check"]).exits(0);
}
