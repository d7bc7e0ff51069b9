//! Bugs that were planted on purpose, each of which the suite must catch: a proof that the tests bite.
//!
//! A long run, because each bug is compiled anew in a copy of the project:
//! `SHIPSHEET_PLANTED=all cargo test --test it planted -- --nocapture`
//! (`SHIPSHEET_PLANTED=words,others` for those whose name holds one of these, `SHIPSHEET_PLANTED=3/7` for the third of seven
//! shares). It prints one line for each bug.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

mod doors;
mod mutations;
mod orders;
mod records;
mod sending;

/// A change: the module (or a file of it), a mark, which is code that stands in it just once, however it is formatted, and what is
/// put in its place.
type Edit = (&'static str, &'static str, &'static str);

/// A bug and the tests that are asked whether they see it.
struct Bug {
    name: &'static str,
    edits: &'static [Edit],
    /// Arguments of `cargo test`: what is built, and what the names of tests hold.
    tests: &'static str,
}

impl Bug {
    /// The target that holds its tests, as arguments of `cargo test`.
    fn target(&self) -> &'static str {
        self.tests.rsplit_once(' ').unwrap().0
    }

    /// The names of the tests, or what they hold.
    fn names(&self) -> &'static str {
        self.tests.rsplit_once(' ').unwrap().1
    }
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The characters that tell code apart, with where they stand: neither blanks, nor lines of comment, nor commas before closing brackets.
fn telling(text: &str) -> Vec<(usize, char)> {
    let mut told: Vec<(usize, char)> = Vec::new();
    let mut from = 0;
    for line in text.split_inclusive('\n') {
        let of_line = line.char_indices().filter(|(_, c)| !c.is_whitespace() && !line.trim_start().starts_with("//"));
        for (at, c) in of_line {
            if matches!(c, ')' | ']' | '}') {
                told.pop_if(|(_, last)| *last == ',');
            }
            told.push((from + at, c));
        }
        from += line.len();
    }
    told
}

/// Where a mark stands in a text.
fn found(text: &str, mark: &str) -> Vec<Range<usize>> {
    let (text, mark) = (telling(text), telling(mark));
    let is_here = |window: &&[(usize, char)]| window.iter().map(|(_, c)| c).eq(mark.iter().map(|(_, c)| c));
    let here = text.windows(mark.len()).filter(is_here).filter_map(|here| here.first().zip(here.last()));
    here.map(|((first, _), (last, c))| *first..last + c.len_utf8()).collect()
}

/// The one file and place in a module where a mark stands.
fn place(project: &Path, (module, mark, _): &Edit) -> Result<(PathBuf, Range<usize>), String> {
    let path = project.join("src").join(module);
    let files = if path.is_dir() { sources(&path) } else { vec![path] };
    // However the code is formatted, its words are whole; most files have not the longest of them.
    let words = mark.split(|c: char| !c.is_alphanumeric() && c != '_');
    let longest = words.max_by_key(|word| word.len()).unwrap_or_default();
    let of_file = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).unwrap();
        let ranges = if text.contains(longest) { found(&text, mark) } else { Vec::new() };
        ranges.into_iter().map(move |range| (path.clone(), range))
    };
    let mut places: Vec<_> = files.into_iter().flat_map(of_file).collect();
    match places.len() {
        1 => Ok(places.remove(0)),
        0 => Err(format!("no longer in src/{module}: {mark}")),
        _ => Err(format!("more than once in src/{module}: {mark}: {places:?}")),
    }
}

/// All files of code in a folder.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let all = entries.flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] });
    all.filter(|path| path.extension().is_some_and(|extension| extension == "rs")).collect()
}

/// Copies the project, without what a build or a repository leaves. What an earlier copy had and this has not, goes.
fn copied(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(to).unwrap().map(Result::unwrap) {
        let path = entry.path();
        match (from.join(entry.file_name()).exists(), path.is_dir()) {
            (true, _) => {}
            (false, true) => std::fs::remove_dir_all(path).unwrap(),
            (false, false) => std::fs::remove_file(path).unwrap(),
        }
    }
    for entry in std::fs::read_dir(from).unwrap().map(Result::unwrap) {
        let (path, target) = (entry.path(), to.join(entry.file_name()));
        if entry.file_name() == "target" || entry.file_name() == ".git" {
            continue;
        }
        if path.is_dir() {
            copied(&path, &target);
        } else {
            let text = std::fs::read(&path).unwrap();
            // What has not changed keeps its time, so that little is compiled again.
            if std::fs::read(&target).ok().as_ref() != Some(&text) {
                std::fs::write(&target, text).unwrap();
            }
        }
    }
}

/// `cargo test` in a copy of the project, for so many seconds at most, as it may never end there. It finds what this one was built
/// with, and puts its own programs elsewhere.
fn command(folder: &Path, seconds: u32) -> Command {
    let mut command = Command::new("timeout");
    command.args([&seconds.to_string(), "cargo", "test"]).current_dir(folder);
    command.env("CARGO_TARGET_DIR", folder.with_file_name("planted-target"));
    command.env("CARGO_BUILD_BUILD_DIR", Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap());
    // Nobody debugs here, and half the time of a build goes into it.
    command.env("CARGO_PROFILE_DEV_DEBUG", "false").env("CARGO_PROFILE_TEST_DEBUG", "false");
    // Bugs are no matter of lints, and must be seen without tonight's seed and length.
    for variable in
        ["SHIPSHEET_PLANTED", "SHIPSHEET_MUTATIONS", "SHIPSHEET_SEED", "SHIPSHEET_LONG", "RUSTC_WORKSPACE_WRAPPER"]
    {
        command.env_remove(variable);
    }
    // What cargo says of this package to its tests would make packages whose build looks at it be built again.
    let is_of_package = |name: &str| ["CARGO_PKG_", "CARGO_MANIFEST_"].iter().any(|start| name.starts_with(start));
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_str().is_some_and(is_of_package)) {
        command.env_remove(name);
    }
    command
}

/// The output of tests in the copy, and whether they passed; nothing where they could not be run to their end.
fn tested(folder: &Path, target: &str, names: &BTreeSet<&str>) -> Result<(bool, String), String> {
    let output = command(folder, 900).args(target.split(' ')).arg("--").args(names).output().unwrap();
    let text = [output.stdout, output.stderr].map(|part| String::from_utf8_lossy(&part).into_owned()).concat();
    if text.contains("test result: ") { Ok((output.status.success(), text)) } else { Err(text) }
}

/// The tests that failed.
fn failed(text: &str) -> Vec<&str> {
    text.lines().filter_map(|line| line.strip_prefix("test ")?.strip_suffix(" ... FAILED")).collect()
}

/// Every bug, by where it would do its harm.
fn all() -> impl Iterator<Item = &'static Bug> {
    [sending::BUGS, records::BUGS, orders::BUGS, doors::BUGS].into_iter().flatten()
}

#[test]
fn every_bug_can_be_planted() {
    for bug in all() {
        for edit in bug.edits {
            if let Err(gone) = place(root(), edit) {
                panic!("\"{}\" can no longer be planted; its mark is {gone}", bug.name);
            }
        }
    }
}

#[test]
fn a_mark_is_found_however_the_code_is_formatted() {
    let text = "fn f() {\n    // Why: g(a, b).\n    g(\n        a,\n        \u{e9},\n    );\n}\n";
    let ranges = found(text, "g(a, \u{e9})");
    assert_eq!(
        ranges.iter().map(|range| &text[range.clone()]).collect::<Vec<_>>(),
        ["g(\n        a,\n        \u{e9},\n    )"]
    );
    assert!(found(text, "g(a, b)").is_empty() && found(text, "g(\u{e9})").is_empty());
    assert_eq!(found("a; a; b", "a;").len(), 2);
}

/// The bugs that are asked for: all, those of a share, or those whose names hold one of some words.
fn wanted(text: &str) -> Vec<&'static Bug> {
    let share = text.split_once('/').and_then(|(part, of)| Some((part.parse::<usize>().ok()?, of.parse().ok()?)));
    let bugs: Vec<&Bug> = match share {
        Some((part, of)) => all().skip(part - 1).step_by(of).collect(),
        None if text == "all" => all().collect(),
        None => all().filter(|bug| text.split(',').any(|words| bug.name.contains(words))).collect(),
    };
    assert!(!bugs.is_empty(), "no bug is called {text}");
    bugs
}

#[test]
fn shares_have_every_bug_once() {
    let shares: Vec<&str> = (1..=7).flat_map(|part| wanted(&format!("{part}/7"))).map(|bug| bug.name).collect();
    assert_eq!((shares.len(), shares.iter().collect::<BTreeSet<_>>().len()), (all().count(), all().count()));
}

#[test]
fn planted_bugs_are_caught() {
    let Ok(asked) = std::env::var("SHIPSHEET_PLANTED") else { return };
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("planted");
    // What is worked on meanwhile does not matter.
    let sound = folder.with_file_name("planted-sound");
    let _ = std::fs::remove_dir_all(&sound);
    copied(root(), &sound);
    let bugs = wanted(&asked);
    copied(&sound, &folder);
    let mut targets: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for bug in &bugs {
        targets.entry(bug.target()).or_default().insert(bug.names());
    }
    for (target, names) in targets {
        let came = tested(&folder, target, &names);
        let (Ok((_, text)) | Err(text)) = &came;
        assert!(matches!(came, Ok((true, _))), "without a bug all must pass:\n{text}");
    }
    let mut missed = Vec::new();
    for bug in bugs {
        let started = Instant::now();
        copied(&sound, &folder);
        for edit in bug.edits {
            let (file, range) = place(&folder, edit).unwrap();
            let mut text = std::fs::read_to_string(&file).unwrap();
            text.replace_range(range, edit.2);
            std::fs::write(file, text).unwrap();
        }
        let (is_caught, by) = match tested(&folder, bug.target(), &BTreeSet::from([bug.names()])) {
            Ok((false, text)) => (true, failed(&text).join(", ")),
            Ok((true, _)) => (false, format!("nothing in `{}`", bug.tests)),
            Err(text) => (false, format!("nobody, as the tests did not come to their end:\n{text}")),
        };
        let word = if is_caught { "caught" } else { "MISSED" };
        let seconds = started.elapsed().as_secs();
        let _ = writeln!(std::io::stderr(), "{word}: {} (in {seconds} s, by {by})", bug.name);
        if !is_caught {
            missed.push(bug.name);
        }
    }
    copied(&sound, &folder);
    assert!(missed.is_empty(), "not caught: {missed:?}");
}
