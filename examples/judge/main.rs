//! Shows how the program reads the judged sheets: what a careful clerk would do with each order, beside what becomes of it.
//!
//! ```sh
//! cargo run --example judge                             # everything in tests/judged
//! cargo run --example judge -- --list tests/judged/traps
//! ```
//!
//! It ends with 0 where the goals are met, with 1 where they are not, and with 2 where a case cannot be read.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "an example shows what it does")]

mod judging;

use std::path::PathBuf;
use std::process::ExitCode;

use judging::{Count, Report};

fn main() -> ExitCode {
    let (flags, named): (Vec<_>, Vec<_>) =
        std::env::args_os().skip(1).partition(|argument| argument.to_string_lossy().starts_with("--"));
    let lists = flags.iter().any(|flag| flag == "--list");
    if named.len() > 1 || flags.iter().any(|flag| flag != "--list") {
        eprintln!("usage: judge [--list] [FOLDER]");
        return ExitCode::from(2);
    }
    let folder = named.first().map_or_else(|| PathBuf::from("tests/judged"), PathBuf::from);
    match Report::of(&folder) {
        Ok(report) => {
            if lists {
                report.wrong().for_each(|order| println!("{order}"));
                println!();
            }
            println!("{}", report.by_set());
            println!("{}", report.by_rule());
            let met = report.count(|_| true).is_within(&Count::GOAL);
            println!(
                "goal: none gone, none with a wrong value, none kept otherwise, at most 1 % stopped for nothing: {}",
                verdict(met)
            );
            ExitCode::from(u8::from(!met))
        }
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(2)
        }
    }
}

const fn verdict(met: bool) -> &'static str {
    if met { "met" } else { "not met" }
}
