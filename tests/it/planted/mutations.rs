//! Small changes of the code that reads, records and sends, drawn from a seed: how many of them do the tests notice?
//!
//! A long run: `SHIPSHEET_MUTATIONS=20 cargo test --test it mutations -- --nocapture` tries so many, from `SHIPSHEET_SEED`. All are
//! compiled at once into a copy of the project, each behind a switch, so that for each only tests are run anew. It prints a line
//! for each; one that nobody notices is looked at by a person: it changes nothing that matters, or a test is missing.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use fastrand::Rng;

use super::{command, copied, failed, root, sources};
use crate::rig::size::{SEED, seed};

/// Where changes are made.
const MODULES: [&str; 4] = ["ledger", "book", "stage", "settle"];

/// The tests that are asked, of the library and of the whole program.
const TESTS: &str = "ledger:: book:: stage:: settle:: api:: doubts:: stop:: brakes:: import:: duplicates:: grouping:: places:: \
                     superseded:: addresses:: locks:: usual:: planning:: second_face:: kills::every one_call:: accept:: rejects::";

/// Further tests for what serves a ledger on a server, by a part of its path.
const OF_A_SERVER: [&str; 4] = ["/postgres", "ledger/stations", "ledger/transfer", "ledger/fence"];
const SERVER_TESTS: &str = "stations::shared stations::faults stations::moved";

/// Seconds after which a change that makes a test wait for ever counts as noticed.
const SECONDS_MAX: u32 = 400;

/// The switch, in the copy: a file names the one change that is on.
const SWITCH: &str = r#"//! Which change is on.

pub(crate) fn on(number: usize) -> bool {
    static ON: std::sync::OnceLock<Option<usize>> = std::sync::OnceLock::new();
    let read = || std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/mutation")).ok()?.parse().ok();
    *ON.get_or_init(read) == Some(number)
}
"#;

/// A change of one line.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Mutation {
    file: PathBuf,
    /// From 0.
    line: usize,
    /// The code that stands there, and the code that would: a condition or a statement.
    old: String,
    new: String,
}

impl Mutation {
    /// The line with both, and a switch between them.
    fn switched(&self, line: &str, number: usize) -> String {
        let Self { old, new, .. } = self;
        let both = match new.as_str() {
            "" => format!("if !crate::mutation::on({number}) {{ {old} }}"),
            new => format!("(if crate::mutation::on({number}) {{ {new} }} else {{ {old} }})"),
        };
        line.replacen(old.as_str(), &both, 1)
    }
}

/// Whether brackets close in it, so that it is whole.
fn is_whole(text: &str) -> bool {
    let mut open = 0;
    for c in text.chars() {
        open += i32::from(matches!(c, '(' | '[' | '{')) - i32::from(matches!(c, ')' | ']' | '}'));
        if open < 0 {
            return false;
        }
    }
    open == 0 && text.matches('"').count().is_multiple_of(2)
}

/// The condition of an `if` on a line of its own, otherwise.
fn conditions(line: &str) -> Option<(&str, Vec<String>)> {
    let rest = line.trim().trim_start_matches("} else ").strip_prefix("if ")?;
    let condition = rest.strip_suffix(" {")?;
    if !is_whole(condition) || condition.contains("let ") {
        return None;
    }
    let pairs =
        [(" && ", " || "), (" || ", " && "), (" < ", " <= "), (" > ", " >= "), (" <= ", " < "), (" >= ", " > ")];
    let mut others: Vec<String> = pairs
        .iter()
        .filter(|(from, _)| condition.contains(from))
        .map(|(from, to)| condition.replacen(from, to, 1))
        .collect();
    others.push(format!("!({condition})"));
    Some((condition, others))
}

/// A call that stands for itself, which may be left out.
fn statement<'a>(line: &'a str, before: &str) -> Option<&'a str> {
    let (call, before) = (line.trim(), before.trim());
    let is_call = call.ends_with(");") || call.ends_with(")?;");
    let begins = before.ends_with(';') || before.ends_with('{') || before.ends_with('}');
    let name = call.split('(').next()?;
    let is_plain = name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | ':'));
    (is_call && begins && is_plain && is_whole(call)).then_some(call)
}

/// All changes of a file.
fn mutations(file: &Path, text: &str) -> Vec<Mutation> {
    let text = text.split("#[cfg(test)]").next().unwrap_or_default();
    let (mut all, mut before, mut is_const) = (Vec::new(), "", false);
    for (line, now) in text.lines().enumerate() {
        if now.contains("fn ") {
            is_const = now.contains("const fn ");
        }
        let mutation = |old: &str, new: String| Mutation { file: file.to_owned(), line, old: old.to_owned(), new };
        if !is_const {
            if let Some((old, others)) = conditions(now) {
                all.extend(others.into_iter().map(|new| mutation(old, new)));
            }
            all.extend(statement(now, before).map(|old| mutation(old, String::new())));
        }
        before = now;
    }
    all
}

/// So many changes from a seed, of different lines.
fn drawn(seed: u64, some: usize) -> Vec<Mutation> {
    let folders = MODULES.iter().map(|module| root().join("src").join(module));
    let mut files: Vec<PathBuf> = folders.flat_map(|folder| sources(&folder)).collect();
    files.sort();
    let is_test = |file: &&PathBuf| file.to_string_lossy().contains("tests");
    let all = files
        .iter()
        .filter(|file| !is_test(file))
        .flat_map(|file| mutations(file.strip_prefix(root()).unwrap(), &std::fs::read_to_string(file).unwrap()));
    let mut all: Vec<Mutation> = all.collect();
    Rng::with_seed(seed).shuffle(&mut all);
    let mut lines = BTreeSet::new();
    all.retain(|one| lines.insert((one.file.clone(), one.line)));
    all.truncate(some);
    all
}

/// Writes all changes into the copy, each behind its switch.
fn write(sound: &Path, folder: &Path, drawn: &[Mutation]) {
    copied(sound, folder);
    for (number, one) in drawn.iter().enumerate() {
        let path = folder.join(&one.file);
        let text = std::fs::read_to_string(&path).unwrap();
        let lines = text.split_inclusive('\n').enumerate();
        let line =
            |(at, line): (usize, &str)| if at == one.line { one.switched(line, number) } else { line.to_owned() };
        std::fs::write(&path, lines.map(line).collect::<String>()).unwrap();
    }
    let library = std::fs::read_to_string(folder.join("src/lib.rs")).unwrap();
    std::fs::write(folder.join("src/lib.rs"), library + "mod mutation;\n").unwrap();
    std::fs::write(folder.join("src/mutation.rs"), SWITCH).unwrap();
}

/// Leaves out what does not compile; the compiler names file and line.
fn compiled(sound: &Path, folder: &Path, mut drawn: Vec<Mutation>) -> Vec<Mutation> {
    loop {
        write(sound, folder, &drawn);
        let output = command(folder, 1200)
            .args(["--no-run", "--lib", "--test", "it", "--message-format", "short"])
            .output()
            .unwrap();
        if output.status.success() {
            return drawn;
        }
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        let before = drawn.len();
        let place = |one: &Mutation| format!("{}:{}:", one.file.display(), one.line + 1);
        drawn.retain(|one| !said.lines().any(|line| line.starts_with(&place(one)) && line.contains(" error")));
        assert!(drawn.len() < before, "the copy does not compile:\n{said}");
    }
}

/// The tests that fail with one change, or what else became of them; none where nobody noticed.
fn noticed(folder: &Path, change: Option<(usize, &Path)>) -> Option<String> {
    std::fs::write(folder.join("mutation"), change.map_or_else(String::new, |(number, _)| number.to_string())).unwrap();
    let is_of_a_server =
        |(_, file): (usize, &Path)| OF_A_SERVER.iter().any(|part| file.to_string_lossy().contains(part));
    let more = if change.is_some_and(is_of_a_server) { SERVER_TESTS } else { "" };
    let mut command = command(folder, SECONDS_MAX);
    let tests = TESTS.split_whitespace().chain(more.split_whitespace());
    let output = command.args(["--lib", "--test", "it", "--"]).args(tests).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let failed = failed(&text);
    match (output.status.success(), failed.first()) {
        (true, _) => None,
        (false, Some(first)) => Some(format!("{first} and {} others", failed.len() - 1)),
        (false, None) => Some(format!("{}", output.status)),
    }
}

#[test]
fn most_small_changes_are_noticed() {
    let Some(some) = std::env::var("SHIPSHEET_MUTATIONS").ok() else { return };
    // The copy in which bugs are planted: in a second one, cargo would take either for the other and build nothing anew.
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("planted");
    let sound = folder.with_file_name("planted-sound");
    let _ = std::fs::remove_dir_all(&sound);
    copied(root(), &sound);
    let drawn = compiled(&sound, &folder, drawn(seed(SEED), some.parse().unwrap()));
    assert_eq!(noticed(&folder, None), None, "without a change all must pass");
    let mut unnoticed = 0;
    for (number, one) in drawn.iter().enumerate() {
        let started = Instant::now();
        let by = noticed(&folder, Some((number, &one.file)));
        unnoticed += usize::from(by.is_none());
        let said = by.map_or_else(|| "unnoticed".to_owned(), |by| format!("noticed by {by}"));
        let (place, seconds) = (format!("{}:{}", one.file.display(), one.line + 1), started.elapsed().as_secs());
        let _ = writeln!(std::io::stderr(), "{said}: {place}: {} -> {} ({seconds} s)", one.old, one.new);
    }
    assert!(unnoticed * 2 < drawn.len(), "{unnoticed} of {} changes were noticed by nobody", drawn.len());
}

#[test]
fn changes_are_whole_conditions_and_calls() {
    let text = "fn f() {\n    if a < b && c {\n        self.g(x);\n    }\n    let y = h();\n    if let Some(z) = y {\n}\n\
                const fn k() {\n    if a {\n    }\n}\n";
    let all = mutations(Path::new("a.rs"), text);
    let news: Vec<&str> = all.iter().map(|one| one.new.as_str()).collect();
    assert_eq!(news, ["a < b || c", "a <= b && c", "!(a < b && c)", ""]);
    let switched = |at: usize, line: usize| all[at].switched(text.lines().nth(line).unwrap(), 7);
    assert_eq!(switched(0, 1), "    if (if crate::mutation::on(7) { a < b || c } else { a < b && c }) {");
    assert_eq!(switched(3, 2), "        if !crate::mutation::on(7) { self.g(x); }");
    assert!(drawn(SEED, 40).len() == 40 && drawn(1, 40) != drawn(2, 40) && drawn(1, 40) == drawn(1, 40));
}
