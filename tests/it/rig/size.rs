//! How long the loops of tests are, and where their seeds begin: short in every run of the suite, and so many times as long
//! where `SHIPSHEET_LONG=10` says so. `SHIPSHEET_SEED=N` begins elsewhere, as a failure says.

use std::ops::Mul;

use proptest::test_runner::{Config, RngSeed};

/// Where loops begin that have no seed of their own.
pub(crate) const SEED: u64 = 20_261_121;

fn number(variable: &str) -> Option<u64> {
    let text = std::env::var(variable).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{variable}={text} is no number")))
}

/// How many times as long as in the suite a loop is.
fn factor() -> u16 {
    number("SHIPSHEET_LONG").map_or(1, |factor| factor.try_into().expect("SHIPSHEET_LONG is too long"))
}

/// Whether loops are long: what is rare must happen then.
pub(crate) fn is_long() -> bool {
    factor() >= 10
}

/// So many rounds in the suite, and more in a long run.
pub(crate) fn times<N: Mul<Output = N> + From<u16>>(short: N) -> N {
    short * N::from(factor())
}

/// One of so many in the suite, and all the more in a long run.
pub(crate) fn one_of(short: u32) -> u32 {
    (short / u32::from(factor())).max(1)
}

/// The first seed of a loop; beside a failure stands how it is repeated.
#[expect(clippy::print_stdout, reason = "it is shown with failures alone")]
pub(crate) fn seed(usual: u64) -> u64 {
    let seed = number("SHIPSHEET_SEED").unwrap_or(usual);
    let thread = std::thread::current();
    let test = thread.name().unwrap_or_default();
    println!("SHIPSHEET_SEED={seed} SHIPSHEET_LONG={} cargo test {test} runs this again", factor());
    seed
}

/// So many cases of a property, from a seed.
pub(crate) fn cases(short: u32) -> Config {
    Config { cases: times(short), rng_seed: RngSeed::Fixed(seed(SEED)), failure_persistence: None, ..Config::default() }
}
