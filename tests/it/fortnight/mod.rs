//! A fortnight of nights of a watched folder: every order is booked once, and what each night says is true.
//! `cargo run --example fortnight` shows it.
//!
//! - `bench`: the folder, the service, whoever is told, and what is looked at after a night
//! - `first_week`, `second_week`: the nights one by one

mod bench;
mod first_week;
mod second_week;

use std::fmt;

pub(crate) use bench::Fortnight;

/// Fewer orders in a sheet leave too few for what happens in the middle of it.
pub(crate) const ORDERS_MIN: usize = 10;

/// What a fortnight came to.
#[derive(Debug, Default)]
pub(crate) struct Said {
    /// How many things were looked at.
    looked_at: u32,
    /// What was not as it should be.
    pub(crate) wrong: Vec<String>,
    /// Nights that this machine lacks something for.
    skipped: Vec<String>,
}

impl fmt::Display for Said {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { looked_at, wrong, skipped } = self;
        skipped.iter().try_for_each(|night| writeln!(formatter, "skipped: {night}"))?;
        wrong.iter().try_for_each(|wrong| writeln!(formatter, "wrong: {wrong}"))?;
        write!(formatter, "{looked_at} things were looked at; {} of them were wrong", wrong.len())
    }
}

/// Promise 4: over a fortnight of troubled nights each order is booked once, and every message, alert and report is
/// true.
#[test]
fn whatever_a_fortnight_brings_every_order_is_booked_once_and_every_word_is_true() {
    let mut walk = String::new();
    let said = Fortnight::of(ORDERS_MIN, &mut |line| {
        walk.push_str(line);
        walk.push('\n');
    })
    .said();
    assert!(said.wrong.is_empty() && said.looked_at > 300, "{walk}\n{said}");
}
