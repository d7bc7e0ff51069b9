//! Commands within the process of another program: each has its own environment, and is what it is in a process of its own.

use crate::architecture::{Source, hold};
use crate::rig::{Ran, Rig, ran, row, sheet};
use crate::source::line_of;

/// A command may be given an environment of its own, which only `env` knows.
fn wrong_askers(source: &Source) -> Vec<String> {
    const ASKED: [&str; 7] = ["var", "var_os", "vars", "vars_os", "home_dir", "current_exe", "temp_dir"];
    if !source.name.starts_with("src/") || source.name == "src/env.rs" {
        return Vec::new();
    }
    let code = &source.product;
    let of = |name: &&str| -> Vec<String> {
        let question = format!("env::{name}(");
        let asked = code.match_indices(&question).map(|(at, _)| at);
        asked
            .map(|at| format!("{}:{}: env::{name} is asked past the one place", source.name, line_of(code, at)))
            .collect()
    };
    ASKED.iter().flat_map(of).collect()
}

#[test]
fn one_place_asks_the_environment() {
    hold(wrong_askers);
}

#[test]
fn a_second_asker_is_found() {
    for line in ["std::env::var(\"HOME\")", "env::vars_os()", "std::env::home_dir()", "std::env::current_exe()"] {
        let source = Source::new("src/a.rs", &format!("fn f() {{ {line}; }}"));
        assert!(!wrong_askers(&source).is_empty(), "{line}");
    }
    assert!(wrong_askers(&Source::new("src/a.rs", "fn f() { env::consts::OS; env::home(); }")).is_empty());
}

#[test]
fn a_command_says_and_does_here_what_it_does_in_a_process() {
    let told = |apart: bool| {
        let rig = Rig::new();
        rig.file("orders.csv", &sheet([row("A-1"), row("A-2").replace("9876543210", "98765"), row("A-3")]));
        rig.file("broken.toml", "[booking]\nrate = \"fast\"\n");
        let run = |arguments: &[&str]| -> Ran { if apart { ran(rig.command(arguments)) } else { rig.run(arguments) } };
        let lines: &[&[&str]] = &[
            &["check", "orders.csv"],
            &["import", "orders.csv", "--yes", "--verbose", "--concurrency", "1"],
            &["import", "orders.csv", "--yes", "--format", "json"],
            &["show", "A-3"],
            &["status", "--no-such-flag", "--format", "json"],
            &["--config", "broken.toml", "runs", "--format", "json"],
            &["export", "--to", "results.csv"],
            &["label", "no-such-order"],
        ];
        let said = lines.iter().map(|line| {
            let Ran { exit, stdout, stderr, .. } = run(line);
            // Times, AWBs and ids of the service differ from run to run.
            let steady = |text: String| -> Vec<String> {
                let word = |word: &str| -> Option<String> {
                    (!word.contains("SB")).then(|| word.chars().filter(|c| !c.is_ascii_digit()).collect())
                };
                text.lines().map(|line| line.split_whitespace().filter_map(word).collect()).collect()
            };
            (exit, steady(stdout), steady(stderr))
        });
        let said: Vec<_> = said.collect();
        (said, rig.bookings().len(), std::fs::metadata(rig.path("results.csv")).is_ok())
    };
    assert_eq!(told(false), told(true));
}
