//! Bugs that were planted on purpose, each of which the suite must catch: a proof that the tests bite.
//!
//! A long run, because each bug is compiled anew in a copy of the project:
//! `SHIPSHEET_PLANTED=all cargo test --test it planted -- --nocapture`
//! (or `SHIPSHEET_PLANTED=words,others` for those whose name holds one of these). It prints one line for each bug.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

mod doors;
mod records;
mod sending;

/// A change of one file: what stands there once, and what is put in its place.
type Edit = (&'static str, &'static str, &'static str);

/// A bug and the tests that are asked whether they see it.
struct Bug {
    name: &'static str,
    edits: &'static [Edit],
    /// Arguments of `cargo test`, as words.
    tests: &'static str,
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Copies the project, without what a build or a repository leaves. What an earlier copy had and this has not, goes.
fn copy(from: &Path, to: &Path) {
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
            copy(&path, &target);
        } else {
            let text = std::fs::read(&path).unwrap();
            // What has not changed keeps its time, so that little is compiled again.
            if std::fs::read(&target).ok().as_ref() != Some(&text) {
                std::fs::write(&target, text).unwrap();
            }
        }
    }
}

/// What came of tests in the copy.
fn tested(folder: &Path, tests: &str) -> (bool, String) {
    let mut command = Command::new("cargo");
    command.arg("test").args(tests.split_whitespace()).current_dir(folder);
    command.env("CARGO_TARGET_DIR", folder.with_file_name("planted-target")).env_remove("SHIPSHEET_PLANTED");
    // Nobody debugs here, and half the time of a build goes into it.
    command.env("CARGO_PROFILE_DEV_DEBUG", "false").env("CARGO_PROFILE_TEST_DEBUG", "false");
    let output = command.output().unwrap();
    let text = [output.stdout, output.stderr].map(|part| String::from_utf8_lossy(&part).into_owned()).concat();
    assert!(text.contains("test result: "), "the tests could not be run:\n{text}");
    (output.status.success(), text)
}

/// Every bug, by where it would do its harm.
fn all() -> impl Iterator<Item = &'static Bug> {
    [sending::BUGS, records::BUGS, doors::BUGS].into_iter().flatten()
}

#[test]
fn every_bug_can_be_planted() {
    for bug in all() {
        for (file, old, _) in bug.edits {
            let text = std::fs::read_to_string(root().join(file)).unwrap();
            assert_eq!(text.matches(old).count(), 1, "\"{}\" can no longer be planted in {file}: {old}", bug.name);
        }
    }
}

#[test]
fn planted_bugs_are_caught() {
    let Ok(wanted) = std::env::var("SHIPSHEET_PLANTED") else { return };
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("planted");
    // What is worked on meanwhile does not matter.
    let sound = folder.with_file_name("planted-sound");
    let _ = std::fs::remove_dir_all(&sound);
    copy(root(), &sound);
    let bugs: Vec<&Bug> =
        all().filter(|bug| wanted == "all" || wanted.split(',').any(|words| bug.name.contains(words))).collect();
    assert!(!bugs.is_empty(), "no bug is called {wanted}");
    copy(&sound, &folder);
    for tests in bugs.iter().map(|bug| bug.tests).collect::<BTreeSet<_>>() {
        let (sound, text) = tested(&folder, tests);
        assert!(sound, "without a bug `{tests}` must pass:\n{text}");
    }
    let mut missed = Vec::new();
    for bug in bugs {
        let started = Instant::now();
        copy(&sound, &folder);
        for (file, old, new) in bug.edits {
            let text = std::fs::read_to_string(folder.join(file)).unwrap();
            std::fs::write(folder.join(file), text.replace(old, new)).unwrap();
        }
        let (passed, text) = tested(&folder, bug.tests);
        let by = text.lines().filter_map(|line| line.strip_prefix("test ")?.strip_suffix(" ... FAILED"));
        let by = if passed { format!("nothing in `{}`", bug.tests) } else { by.collect::<Vec<_>>().join(", ") };
        let word = if passed { "MISSED" } else { "caught" };
        let seconds = started.elapsed().as_secs();
        let _ = writeln!(std::io::stderr(), "{word}: {} (by {by}; {seconds} s)", bug.name);
        if passed {
            missed.push(bug.name);
        }
    }
    copy(&sound, &folder);
    assert!(missed.is_empty(), "not caught: {missed:?}");
}
