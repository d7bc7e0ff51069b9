//! `watch` through every kind of night: how it ends, what it says, where each sheet lies in the morning, and that each order is
//! booked once.

#[cfg(unix)]
mod aside;
mod crashes;
mod folder;
mod nights;
mod together;

use std::collections::BTreeMap;
use std::process::Command;

use crate::rig::{Ran, Rig, lies, ran, row, row_with, sheets};

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

/// The order of somebody else.
fn another(number: &str) -> String {
    row_with(number, "9812345678", "560001")
}

fn bad(number: &str) -> String {
    row(number).replace("9876543210", "12")
}

/// The ledger looks through itself and finds nothing wrong.
#[track_caller]
fn is_sound(rig: &Rig) {
    rig.run(&["ledger", "check"]).exits(0);
}
