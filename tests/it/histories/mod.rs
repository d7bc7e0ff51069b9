//! Whole histories, drawn from a seed: sheets that say something else of orders than those before, crashes, kills, stops, disks that
//! fail or forget, restores, copies, moves, persons who answer, two operators, and a service behind a proxy that has lost count.
//! After each the service's book and the ledger are compared with what was said: nothing twice without a person's word, nothing
//! against what was said last, no order and no answer lost, doubts bounded.
//!
//! The suite goes through 200 histories, a long run through more:
//! `SHIPSHEET_LONG=1000 cargo test --release --test it histories -- --nocapture`
//! A failure prints its seed and the fewest steps that still fail; `SHIPSHEET_SEED=N` begins with it.

mod audit;
mod copies;
mod disk;
mod figures;
mod model;
mod person;
mod plan;
pub(crate) mod service;
mod sheets;
mod staging;
mod world;

use std::io::Write;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use figures::Figures;
use plan::Step;
use world::World;

use crate::rig::size::{is_long, seed, times};

const HISTORIES: u64 = 200;
const SEED: u64 = 1;
/// Histories at a time: most of the time of each is waiting.
const THREADS: usize = 6;

/// What is wrong after these steps, and what happened in them.
fn lived(seed: u64, steps: &[Step], services: &tokio::runtime::Runtime) -> (Vec<String>, Figures) {
    let mut world = World::new(seed, services);
    for step in steps {
        world.step(*step);
    }
    let faults = audit::faults(&mut world);
    (faults, world.figures)
}

/// Leaves out steps for as long as it still fails.
fn fewest(seed: u64, mut steps: Vec<Step>, services: &tokio::runtime::Runtime) -> (Vec<Step>, Vec<String>) {
    let mut faults = lived(seed, &steps, services).0;
    let mut index = 0;
    while index < steps.len() && steps.len() > 1 {
        let mut fewer = steps.clone();
        fewer.remove(index);
        let still = lived(seed, &fewer, services).0;
        if still.is_empty() {
            index += 1;
        } else {
            (steps, faults) = (fewer, still);
        }
    }
    (steps, faults)
}

/// Promise 1: whole histories of crashes, bad disks, copies, proxies and contradicting sheets book nothing twice
/// and lose no answer.
#[test]
fn no_history_books_twice_or_loses_an_answer() {
    let (histories, first) = (times(HISTORIES), seed(SEED));
    let (next, started) = (AtomicU64::new(first), Instant::now());
    let (mut figures, mut failed) = (Figures::default(), Vec::new());
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..THREADS).map(|_| scope.spawn(|| through(&next, first + histories))).collect();
        for thread in threads {
            let (failure, happened) = thread.join().unwrap();
            failed.extend(failure);
            figures.add(&happened);
        }
    });
    let seconds = started.elapsed().as_secs_f64();
    let _ = writeln!(std::io::stderr(), "{histories} histories in {seconds:.1} s: {figures:?}");
    assert!(failed.is_empty(), "{failed:#?}");
    let missing = figures.missing(is_long());
    assert!(missing.is_empty(), "never happened: {missing:?}");
}

/// A history that failed: its seed, the fewest steps that still fail, and what is wrong.
type Failure = (u64, Vec<Step>, Vec<String>);

/// Lives through histories until none is left or one has failed.
fn through(next: &AtomicU64, end: u64) -> (Option<Failure>, Figures) {
    let services = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let mut figures = Figures::default();
    loop {
        let seed = next.fetch_add(1, Ordering::Relaxed);
        if seed >= end {
            return (None, figures);
        }
        let steps = plan::plan(seed);
        let (faults, happened) = lived(seed, &steps, &services);
        figures.add(&happened);
        if !faults.is_empty() {
            // The others need not go on.
            next.store(end, Ordering::Relaxed);
            let (steps, still) = fewest(seed, steps, &services);
            return (Some((seed, steps, if still.is_empty() { faults } else { still })), figures);
        }
    }
}
