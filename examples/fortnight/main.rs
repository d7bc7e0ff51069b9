//! A fortnight of nights: sheets are dropped into a watched folder of the stand-in service, and every night something goes
//! wrong. It prints what the program says, and looks whether it is true.
//!
//! ```sh
//! cargo build && cargo run --example fortnight            # sheets of 10 orders
//! cargo build && cargo run --example fortnight -- 200
//! ```
//!
//! It ends with 0 where everything that was said is true, else with 1. The suite does the same with small sheets.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "an example shows what it does")]

#[cfg(unix)]
#[expect(clippy::unwrap_used, reason = "a night that cannot be looked at ends it")]
#[path = "../../tests/it/fortnight/mod.rs"]
mod fortnight;
#[cfg(unix)]
#[expect(
    dead_code,
    unused_imports,
    clippy::unwrap_used,
    reason = "the rig of all tests can do more, and fails its test"
)]
#[path = "../../tests/it/rig/mod.rs"]
mod rig;

use std::process::ExitCode;

#[cfg(unix)]
use fortnight::{Fortnight, ORDERS_MIN};

/// Elsewhere nobody sends the signals of its bad nights.
#[cfg(not(unix))]
fn main() -> ExitCode {
    eprintln!("the fortnight needs Linux or macOS");
    ExitCode::from(2)
}

#[cfg(unix)]
fn main() -> ExitCode {
    let named = std::env::args().nth(1);
    let orders = named.map_or(Ok(ORDERS_MIN), |orders| orders.parse());
    let Ok(orders @ ORDERS_MIN..) = orders else {
        eprintln!("usage: fortnight [ORDERS], with {ORDERS_MIN} orders a sheet or more");
        return ExitCode::from(2);
    };
    let said = Fortnight::of(orders, &mut |line| println!("{line}")).said();
    println!("{said}");
    ExitCode::from(u8::from(!said.wrong.is_empty()))
}
