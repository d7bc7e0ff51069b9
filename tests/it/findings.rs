//! Findings are data with one catalogue of words; what is typed at a terminal is the command line's own matter.

use std::collections::{BTreeMap, BTreeSet};

use shipsheet::finding;

use crate::architecture::{Source, hold, sources};
use crate::rig::Rig;
use crate::source::{strings_of, words};
use crate::tables::subcommands;

/// Flags and command lines outside the command line's own module. No module is exempt: what can be done is data, a
/// remedy or a kind of error, and `cli::remedy` and `cli::errors` have the words for a terminal.
fn wrong_commands(source: &Source) -> Vec<String> {
    if !source.name.starts_with("src/") || source.name.starts_with("src/cli/") {
        return Vec::new();
    }
    commands_in(source)
}

/// What only somebody at a terminal can do.
const TERMINAL: &[&str] = &["same command", "command again", "give the command", "command line", "ulimit", "chmod"];

/// Commands of the program, as sentences quote them.
const COMMANDS: &[&str] = &[
    "check",
    "import",
    "resume",
    "retry",
    "watch",
    "desk",
    "status",
    "runs",
    "show",
    "report",
    "export",
    "rejects",
    "accept",
    "doubt",
    "dismiss",
    "label",
    "track",
    "cancel",
    "template",
    "profile",
    "rules",
    "explain",
    "fields",
    "service",
    "ledger",
    "night",
    "doctor",
    "sandbox",
    "selftest",
    "completions",
    "config",
];

/// Whether a text quotes a command in backticks: `doubt list`, but not a setting: `check = true`.
fn quotes_a_command(text: &str) -> bool {
    text.split('`').skip(1).step_by(2).any(|quoted| {
        let quoted = quoted.strip_prefix("shipsheet ").unwrap_or(quoted);
        let (first, rest) = quoted.split_once(' ').unwrap_or((quoted, ""));
        COMMANDS.contains(&first) && !rest.starts_with('=')
    })
}

/// Strings of the product that name a flag or a command line.
fn commands_in(source: &Source) -> Vec<String> {
    let lines: Vec<&str> = source.product.lines().collect();
    let is_product = |line: usize| lines.get(line - 1).is_some_and(|line| !line.trim().is_empty());
    let strings = strings_of(&source.text).into_iter().filter(|(line, _)| is_product(*line));
    let is_flag = |text: &str| {
        let mut dashes = text.match_indices("--");
        dashes.any(|(at, _)| text[at + 2..].starts_with(|c: char| c.is_ascii_alphabetic()))
    };
    let is_typed = |text: &str| TERMINAL.iter().any(|words| text.contains(words)) || quotes_a_command(text);
    let wrong = strings.filter(|(_, text)| is_flag(text) || text.contains("`shipsheet ") || is_typed(text));
    wrong.map(|(line, _)| format!("{}:{line}: names a flag or a command", source.name)).collect()
}

#[test]
fn what_is_typed_is_named_in_the_command_line_alone() {
    hold(wrong_commands);
    let sources = sources();
    let remedies = sources.iter().find(|source| source.name == "src/cli/remedy.rs").unwrap();
    assert!(!commands_in(remedies).is_empty(), "the words of the terminal are not seen");
    let mut known = COMMANDS.to_vec();
    known.sort_unstable();
    let mut commands = subcommands(&Rig::alone(), &[]);
    commands.sort_unstable();
    assert_eq!(known, commands, "the list above is that of the program");
}

#[test]
fn a_flag_or_a_command_outside_the_command_line_is_found() {
    for line in [
        "\"name it with --worksheet NAME\"",
        "\"`shipsheet resume` goes on\"",
        "\"--ledger {path}\"",
        "\"(--Sandbox)\"",
        "\"a long one, \\\n with/--x\"",
        "r#\"with --x\"#",
        "\"the same command goes on\"",
        "\"close other programs and run the command again\"",
        "\"The command line is wrong\"",
        "\"raise it with ulimit -n\"",
        "\"moved with `ledger move`\"",
        "\"`resume` sends it\"",
    ] {
        for name in ["src/sheet/a.rs", "src/app/a.rs", "src/config/a.rs", "src/ledger/a.rs"] {
            let source = Source::new(name, &format!("//! A.\nfn f() {{ g({line}); }}"));
            assert_eq!(wrong_commands(&source), [format!("{name}:2: names a flag or a command")], "{line}");
        }
    }
    for line in [
        "\"a - b -- c\"",
        "1 // with --worksheet",
        "\"shipsheet.toml\"",
        "\"shipsheet status\"",
        "\"`check = true` is wrong\"",
        "\"the command {0}\"",
    ] {
        let source = Source::new("src/sheet/a.rs", &format!("fn f() {{ g({line}); }}"));
        assert_eq!(wrong_commands(&source), Vec::<String>::new(), "{line}");
    }
    assert!(wrong_commands(&Source::new("src/cli/a.rs", "fn f() { g(\"--ledger\"); }")).is_empty());
}

/// The words of the command lines that a text quotes: `shipsheet ledger check`, or `{command} resume --run {run}`.
fn advised(text: &str) -> Vec<Vec<&str>> {
    let starts = ["shipsheet ", "{command} ", "{} "];
    let quoted = text.split('`').skip(1).step_by(2);
    let lines = quoted.filter_map(|quoted| starts.iter().find_map(|start| quoted.strip_prefix(start)));
    let is_name = |word: &&str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-');
    let names = lines.map(|line| line.split_whitespace().take_while(is_name).collect::<Vec<_>>());
    names.filter(|names| names.first().is_some_and(|name| !name.starts_with('-'))).collect()
}

#[test]
fn every_command_that_is_advised_is_there() {
    let rig = Rig::alone();
    let below = |name: String| (name.clone(), subcommands(&rig, &[&name]));
    let known: BTreeMap<String, Vec<String>> = subcommands(&rig, &[]).into_iter().map(below).collect();
    let mut seen = 0;
    for source in sources().iter().filter(|source| source.name.starts_with("src/")) {
        for (line, text) in strings_of(&source.text) {
            for names in advised(&text) {
                seen += 1;
                let below = known.get(names[0]);
                let is_there = below.is_some_and(|below| {
                    below.is_empty() || names.get(1).is_none_or(|name| below.iter().any(|own| own == name))
                });
                assert!(is_there, "{}:{line}: there is no command {}", source.name, names.join(" "));
            }
        }
    }
    assert!(seen > 60, "{seen}");
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
