//! Findings are data with one catalogue of words; what is typed at a terminal is the command line's own matter.

use std::collections::BTreeSet;

use shipsheet::finding;

use crate::architecture::{Source, hold, sources};
use crate::source::{strings_of, words};

/// Where flags and commands are named all the same, and why.
const COMMANDS_ALLOWED: &[(&str, &str)] = &[
    ("src/ledger/error.rs", "errors of the ledger are one sentence with their way out"),
    ("src/book/brake.rs", "what a brake says is told as it stands"),
    ("src/book/limits.rs", "what a brake says is told as it stands"),
    ("src/settle/statement.rs", "an error that is one sentence with its way out"),
    ("src/selftest/program.rs", "it starts the program itself, with arguments"),
    ("src/api/operation.rs", "errors that are one sentence with their way out"),
];

/// Flags and command lines in strings: what is typed is the command line's own matter.
fn wrong_commands(source: &Source) -> Vec<String> {
    let is_allowed = COMMANDS_ALLOWED.iter().any(|(name, _)| *name == source.name);
    if !source.name.starts_with("src/") || source.name.starts_with("src/cli/") || is_allowed {
        return Vec::new();
    }
    commands_in(source)
}

fn commands_in(source: &Source) -> Vec<String> {
    let lines: Vec<&str> = source.product.lines().collect();
    let is_product = |line: usize| lines.get(line - 1).is_some_and(|line| !line.trim().is_empty());
    let strings = strings_of(&source.text).into_iter().filter(|(line, _)| is_product(*line));
    let is_flag = |text: &str| {
        let after = text.match_indices("--").filter(|(at, _)| *at == 0 || text[..*at].ends_with([' ', '`', '(']));
        after.into_iter().any(|(at, _)| text[at + 2..].starts_with(|c: char| c.is_ascii_lowercase()))
    };
    let wrong = strings.filter(|(_, text)| is_flag(text) || text.contains("`shipsheet "));
    wrong.map(|(line, _)| format!("{}:{line}: names a flag or a command", source.name)).collect()
}

#[test]
fn what_is_typed_is_named_in_the_command_line_alone() {
    hold(wrong_commands);
    let sources = sources();
    for (name, why) in COMMANDS_ALLOWED {
        let source = sources.iter().find(|source| source.name == *name).unwrap();
        assert!(!commands_in(source).is_empty(), "{name} no longer needs to be allowed ({why})");
    }
}

#[test]
fn a_flag_or_a_command_outside_the_command_line_is_found() {
    for line in [
        "\"name it with --worksheet NAME\"",
        "\"`shipsheet resume` goes on\"",
        "\"--ledger {path}\"",
        "r#\"with --x\"#",
    ] {
        let source = Source::new("src/sheet/a.rs", &format!("//! A.\nfn f() {{ g({line}); }}"));
        assert_eq!(wrong_commands(&source), ["src/sheet/a.rs:2: names a flag or a command"], "{line}");
    }
    for line in ["\"a - b -- c\"", "1 // with --worksheet", "\"shipsheet.toml\""] {
        assert!(
            wrong_commands(&Source::new("src/sheet/a.rs", &format!("fn f() {{ g({line}); }}"))).is_empty(),
            "{line}"
        );
    }
    assert!(wrong_commands(&Source::new("src/cli/a.rs", "fn f() { g(\"--ledger\"); }")).is_empty());
}

#[test]
fn every_sentence_of_the_catalogue_is_used_and_has_a_name_of_its_own() {
    let sources = sources();
    let is_product = |source: &&Source| source.name.starts_with("src/") && !source.name.starts_with("src/finding/");
    let code: Vec<&str> = sources.iter().filter(is_product).map(|source| source.product.as_str()).collect();
    let mut seen = BTreeSet::new();
    for entry in finding::entries() {
        let name = (entry.id.as_str(), entry.case);
        assert!(seen.insert(name), "{name:?} is declared twice");
        assert!(code.iter().any(|code| words(code, entry.case).next().is_some()), "{name:?} is never said");
        assert!(
            entry.like.is_empty() || finding::entries().any(|other| (other.id, other.case) == (entry.id, entry.like)),
            "{name:?} is like no case"
        );
    }
}
