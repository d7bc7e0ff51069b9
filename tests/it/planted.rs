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

/// A change of one file: what stands there once, and what is put in its place.
type Edit = (&'static str, &'static str, &'static str);

/// A bug and the tests that are asked whether they see it.
struct Bug {
    name: &'static str,
    edits: &'static [Edit],
    /// Arguments of `cargo test`, as words.
    tests: &'static str,
}

const BUGS: &[Bug] = &[
    Bug {
        name: "requests leave before their intents are on disk",
        edits: &[
            (
                "src/book/dispatcher.rs",
                "        self.desk.write(",
                "        for queued in intents.clone() {\n            self.go(queued);\n        }\n        self.desk.write(",
            ),
            (
                "src/book/dispatcher.rs",
                "                self.ready.extend(batch.intents);\n",
                "                drop(batch.intents);\n",
            ),
        ],
        tests: "--test it kills::",
    },
    Bug {
        name: "more intents run ahead than is promised",
        edits: &[("src/book/ahead.rs", "        wanted.min(most)\n", "        wanted.max(most).max(2 * width)\n")],
        tests: "--test it kills::",
    },
    Bug {
        name: "an answer that never came is sent again",
        edits: &[
            (
                "src/api/judge.rs",
                "Observed::Lost(lost) => doubt(match lost {",
                "Observed::Lost(lost) => resend(match lost {",
            ),
            RESEND,
        ],
        tests: "--test it brakes::an_outage",
    },
    Bug {
        name: "what a crash left is sent again at the next start",
        edits: &[(
            "src/ledger/recover.rs",
            "let outcome = Outcome::InDoubt { reason: CRASHED.to_owned() };",
            "let outcome = Outcome::Waiting { reason: CRASHED.to_owned() };",
        )],
        tests: "--test it kills::",
    },
    Bug {
        name: "5xx is sent again",
        edits: &[
            (
                "src/api/judge.rs",
                "_ => doubt(format!(\"the service failed: {}\", said())),",
                "_ => resend(format!(\"the service failed: {}\", said())),",
            ),
            RESEND,
        ],
        tests: "--test it brakes::an_outage",
    },
    Bug {
        name: "the HTTP client as it comes, with redirects and retries",
        edits: &[
            (
                "src/api/client.rs",
                "            .redirect(redirect::Policy::none())\n",
                "            .redirect(redirect::Policy::default())\n",
            ),
            ("src/api/client.rs", "            .retry(retry::never())\n", ""),
            ("src/api/client.rs", "use reqwest::{redirect, retry};", "use reqwest::redirect;"),
            ("src/api/client.rs", "if call.method == Method::Get {", "if !call.path.is_empty() {"),
        ],
        tests: "--test it brakes::what_is_wrong",
    },
    Bug {
        name: "bookings go over connections that are kept",
        edits: &[("src/api/client.rs", "if call.method == Method::Get {", "if !call.path.is_empty() {")],
        tests: "--test it strays::",
    },
    Bug {
        name: "what came before the request is taken for its answer",
        edits: &[("src/api/watched.rs", "        self.listen(context)?;\n", "")],
        tests: "--lib api::tests::transport",
    },
    Bug {
        name: "a no of a status that may be our own booking is believed",
        edits: &[("src/api/judge.rs", "408 | 413 | 420 | 423 | 424 | 425 | 444 | 449 | 460 | 499", "408 | 424 | 499")],
        tests: "--lib api::tests::outcomes",
    },
    Bug {
        name: "an AWB passes through a float",
        edits: &[(
            "src/api/judge.rs",
            "    let text = text.trim();\n    if is_blank(text) {\n        return Ok(None);\n    }\n    if text.chars().count() > AWB",
            "    let text = if is_text { text } else { text.parse::<f64>().unwrap_or_default().to_string() };\n    let text = text.trim();\n    if is_blank(text) {\n        return Ok(None);\n    }\n    if text.chars().count() > AWB",
        )],
        tests: "--lib api::tests::outcomes",
    },
    Bug {
        name: "bookings are told of before they are on disk",
        edits: &[(
            "src/book/dispatcher.rs",
            "        self.desk.write(",
            "        for answer in &self.answers {\n            let order = &answer.queued.order.number;\n            self.reporter.event(&Event::Settled { order, outcome: &answer.verdict.outcome, attempts: 1 });\n        }\n        self.desk.write(",
        )],
        tests: "--test it kills::every_crash_point",
    },
    Bug {
        name: "commits are not synced",
        edits: &[("src/ledger/open.rs", "\"synchronous\", \"FULL\"", "\"synchronous\", \"NORMAL\"")],
        tests: "--test it kills::power_cuts",
    },
    Bug {
        name: "answers that the disk did not take are forgotten",
        edits: &[(
            "src/ledger/commit.rs",
            "        if answers == 0 || spool.keep(entries).is_err() {",
            "        drop(entries);\n        if answers == 0 {",
        )],
        tests: "--test it ledger::a_write_that_fails",
    },
    Bug {
        name: "an answer to an attempt that is in doubt already is dropped",
        edits: &[(
            "src/ledger/recover.rs",
            "                Taken::Late => late.push(entry),\n",
            "                Taken::Late => drop(entry),\n",
        )],
        tests: "--lib ledger::tests::late",
    },
    Bug {
        name: "a restored backup is taken for the ledger",
        edits: &[(
            "src/ledger/open.rs",
            "        found.refuse_older(&self.connection, path)?;\n        found.refuse_behind(&self.connection, path)?;\n",
            "        let _ = found;\n",
        )],
        tests: "--test it ledger::a_restored",
    },
    Bug {
        name: "two runs at a time",
        edits: &[
            (
                "src/ledger/lock.rs",
                "            Ok(()) => {}\n            Err(TryLockError::WouldBlock) => return Err(LockError::Held { holder: named_in(&mut file) }),\n",
                "            Ok(()) | Err(TryLockError::WouldBlock) => {}\n",
            ),
            ("src/ledger/lock.rs", "    handle::try_lock(ledger)\n", "    Ok(Some(InodeLock::nothing()))\n"),
            (
                "src/ledger/mark.rs",
                "Err(TryLockError::WouldBlock) => Err(MarkError::InUse),",
                "Err(TryLockError::WouldBlock) => Ok(file),",
            ),
        ],
        tests: "--test it locks::",
    },
    Bug {
        name: "the lock is the file beside the ledger alone",
        edits: &[("src/ledger/lock.rs", "    handle::try_lock(ledger)\n", "    Ok(Some(InodeLock::nothing()))\n")],
        tests: "--test it places::the_lock_holds",
    },
    Bug {
        name: "a ledger may be mounted without its folder",
        edits: &[(
            "src/ledger/network.rs",
            "    if is_mounted(&mounts(), ledger) {",
            "    if is_mounted(\"\", ledger) {",
        )],
        tests: "--test it places::a_mounted",
    },
    Bug {
        name: "a mount point is never recognised",
        edits: &[(
            "src/ledger/network.rs",
            ".any(|(point, _)| point == path)",
            ".any(|(point, _)| point == path && point.is_relative())",
        )],
        tests: "--lib ledger::network",
    },
    Bug {
        name: "a copy is taken for the ledger",
        edits: &[(
            "src/ledger/home.rs",
            "(false, false) => Standing::CopyOf(noted),",
            "(false, false) => Standing::ToBeNoted,",
        )],
        tests: "--test it places::a_copy",
    },
    Bug {
        name: "a ledger goes on although its accepted copy has gone on",
        edits: &[("src/ledger/open.rs", "        found.refuse_behind(&self.connection, path)?;\n", "")],
        tests: "--test it places::an_accepted_copy",
    },
    Bug {
        name: "two copies book at a time",
        edits: &[(
            "src/ledger/mark.rs",
            "        Err(TryLockError::WouldBlock) => Err(MarkError::InUse),\n        // Where the file system has no locks, the ledger's own are left.\n        Ok(()) | Err(TryLockError::Error(_)) => Ok(file),",
            "        Ok(()) | Err(TryLockError::WouldBlock | TryLockError::Error(_)) => Ok(file),",
        )],
        tests: "--lib ledger::tests::moving",
    },
    Bug {
        name: "a file that a ledger was moved from still books",
        edits: &[(
            "src/ledger/home.rs",
            "        Some((_, to)) => Err(LedgerError::Moved { path: path.to_owned(), to }),",
            "        Some(_) if path.as_os_str().is_empty() => Err(LedgerError::Missing(path.to_owned())),\n        Some(_) => Ok(()),",
        )],
        tests: "--test it places::",
    },
    Bug {
        name: "links beside the ledger are followed",
        edits: &[
            ("src/ledger/place.rs", "    if metadata.is_symlink() {", "    if false {"),
            ("src/ledger/place.rs", "OFlags::NOFOLLOW | OFlags::NONBLOCK", "OFlags::NONBLOCK"),
        ],
        tests: "--test it places::what_is_planted",
    },
    Bug {
        name: "nobody is told that no mark is kept",
        edits: &[(
            "src/cli/ledger.rs",
            "    if let Some(why) = ledger.unmarked() {",
            "    if let Some(why) = ledger.unmarked().filter(|_| false) {",
        )],
        tests: "--test it places::a_booking_without",
    },
    Bug {
        name: "brakes that stop nothing",
        edits: &[(
            "src/book/dispatcher.rs",
            "Ruling::Stop { by, reason } => self.stop_for(by, reason),",
            "Ruling::Stop { by, reason } => drop((by, reason)),",
        )],
        tests: "--test it brakes::what_is_wrong",
    },
    Bug {
        name: "what a second Ctrl-C cuts counts as unsent",
        edits: &[(
            "src/book/dispatcher.rs",
            "Verdict { outcome: Outcome::InDoubt { reason: reason.to_owned() }, signal: Signal::Doubt };",
            "Verdict { outcome: Outcome::Waiting { reason: reason.to_owned() }, signal: Signal::Doubt };",
        )],
        tests: "--test it stop::",
    },
    Bug {
        name: "retry takes orders in doubt",
        edits: &[
            ("src/ledger/adopt.rs", "\"'rejected', 'refused'\"", "\"'rejected', 'refused', 'in_doubt'\""),
            (
                "src/ledger/adopt.rs",
                "state IN ('rejected', 'refused')\",",
                "state IN ('rejected', 'refused', 'in_doubt')\",",
            ),
        ],
        tests: "--test it doubts::retry",
    },
    Bug {
        name: "money passes through a float",
        edits: &[(
            "src/api/amount.rs",
            "serde_json::from_str::<&RawValue>(text)",
            "serde_json::from_str::<&RawValue>(&text.parse::<f64>().unwrap_or_default().to_string())",
        )],
        tests: "--lib api::amount",
    },
    Bug {
        name: "the token is shown with an error of the configuration",
        edits: &[("src/cli/config.rs", "anyhow!(without_secrets(&error.to_string()))", "anyhow!(error.to_string())")],
        tests: "--test it secrets::",
    },
    Bug {
        name: "orders of another address are not asked about",
        edits: &[("src/ledger/address.rs", "if self.new.service == SANDBOX {", "if !self.new.service.is_empty() {")],
        tests: "--test it addresses::",
    },
    Bug {
        name: "only one address of a service is looked at",
        edits: &[(
            "src/ledger/staging.rs",
            "for service in &self.addresses {",
            "for service in &self.addresses[..1] {",
        )],
        tests: "--lib ledger::tests::addresses",
    },
    Bug {
        name: "what a crash let through is usual",
        edits: &[(
            "src/ledger/reconcile.rs",
            "AND r.already = 0 AND o.state <> 'abandoned'",
            "AND r.already = 0 AND o.state = 'booked'",
        )],
        tests: "--test it usual::",
    },
    Bug {
        name: "zeros in front make another order number",
        edits: &[(
            "src/stage/spelling.rs",
            "self.zeros = c == '0' && (self.zeros || begins);",
            "self.zeros &= begins;",
        )],
        tests: "--test it near::",
    },
    Bug {
        name: "an order under a respelled number is sent",
        edits: &[("src/stage/gather.rs", "let order = order.filter(|_| spelled.is_none());\n", "")],
        tests: "--test it grouping::a_number",
    },
    Bug {
        name: "a night files an unsent sheet as done",
        edits: &[(
            "examples/night.sh",
            "nothing of it was sent, filed in look\" && put \"$1\" look",
            "nothing of it was sent, filed in look\" && put \"$1\" done",
        )],
        tests: "--test it night::",
    },
    Bug {
        name: "orders that were corrected have no label",
        edits: &[(
            "src/ledger/after.rs",
            "WHERE i.run_id = ?1 AND o.awb IS NOT NULL\n",
            "WHERE i.run_id = ?1 AND o.awb IS NULL\n",
        )],
        tests: "--test it labels::whatever",
    },
    Bug {
        name: "open files are not tried out before anything begins",
        edits: &[(
            "src/cli/run.rs",
            "    let ready = make_room(0).and_then(|()| let_large_writes_fail());",
            "    let ready = let_large_writes_fail();",
        )],
        tests: "--test it limits::few_open_files",
    },
    Bug {
        name: "a limit on the size of files kills",
        edits: &[("src/cli/room.rs", "from_raw(Signal::XFSZ.as_raw())", "from_raw(Signal::USR1.as_raw())")],
        tests: "--test it limits::a_limit_on_the_size_of_files",
    },
    Bug {
        name: "hidden characters reach the terminal",
        edits: &[("src/report/terminal.rs", "    shown.push_str(&visible(rest));\n", "    shown.push_str(rest);\n")],
        tests: "--test it hidden::",
    },
    Bug {
        name: "many worksheets may be one part",
        edits: &[(
            "src/sheet/workbook/xlsx.rs",
            "    worksheets::not_apart(parts.iter().cloned()).map_err(refused)?;\n",
            "",
        )],
        tests: "--test it hostile::many_worksheets",
    },
    Bug {
        name: "what all parts of a workbook unpack to is not bounded by the file",
        edits: &[(
            "src/sheet/workbook/package.rs",
            "allow_unpacking(self.file_bytes, total)",
            "allow_unpacking(self.file_bytes, total % self.file_bytes)",
        )],
        tests: "--test it hostile::many_worksheets",
    },
    Bug {
        name: "a named pipe is waited for",
        edits: &[(
            "src/sheet/input.rs",
            "        if !is_handed_over(path) {",
            "        if is_handed_over(path) && limits.rows_max == 0 {",
        )],
        tests: "--test it pipes::",
    },
    Bug {
        name: "a ledger on a read-only file system is not read",
        edits: &[("src/ledger/open.rs", "if sealed::is_sealed(path) =>", "if path.is_dir() =>")],
        tests: "--test it ledger::a_ledger_on",
    },
    Bug {
        name: "a ledger is read without what its log holds",
        edits: &[("src/ledger/sealed.rs", "    if log > 0 {", "    if log > u64::MAX / 2 {")],
        tests: "--lib ledger::tests::files",
    },
    Bug {
        name: "folders for labels are open to all",
        edits: &[(
            "src/after/labels.rs",
            "        create_private_folder(path)?;\n",
            "        std::fs::create_dir_all(path)?;\n",
        )],
        tests: "--test it private::",
    },
    Bug {
        name: "a link in the folder is taken for a label",
        edits: &[("src/after/labels.rs", "let is_file = path.symlink_metadata()", "let is_file = path.metadata()")],
        tests: "--test it private::",
    },
    Bug {
        name: "a configuration that others may write to is used",
        edits: &[(
            "src/cli/trust.rs",
            "const WRITABLE_BY_OTHERS: u32 = 0o002;",
            "const WRITABLE_BY_OTHERS: u32 = 0o000;",
        )],
        tests: "--test it trust::",
    },
    Bug {
        name: "the token goes to a new host unasked",
        edits: &[(
            "src/cli/trust.rs",
            "if endpoint.is_this_machine() ||",
            "if !endpoint.is_plain() || endpoint.is_this_machine() ||",
        )],
        tests: "--test it trust::",
    },
    Bug {
        name: "slow connections keep their places",
        edits: &[(
            "src/after/receiver.rs",
            "            open.pop_front().inspect(AbortHandle::abort);",
            "            tokio::time::sleep(HEADER_TIME_MAX).await;",
        )],
        tests: "--test it services::an_event_gets_through",
    },
];

/// A verdict that lets an order be sent again.
const RESEND: Edit = (
    "src/api/judge.rs",
    "fn waiting(reason: impl Into<String>) -> Outcome {",
    "fn resend(reason: impl Into<String>) -> Verdict {\n    verdict(waiting(reason), Signal::Unreachable)\n}\n\nfn waiting(reason: impl Into<String>) -> Outcome {",
);

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

#[test]
fn every_bug_can_be_planted() {
    for bug in BUGS {
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
        BUGS.iter().filter(|bug| wanted == "all" || wanted.split(',').any(|words| bug.name.contains(words))).collect();
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
