//! Every file of a folder of real sheets is read and guessed within limits: `SHIPSHEET_CORPUS=DIR cargo test`.

use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::rig::Rig;

/// How long one file may take on a busy machine.
const DEADLINE: Duration = Duration::from_secs(20);

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let path = entry.path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_none_or(|extension| extension != "md") {
            found.push(path);
        }
    }
}

/// Waits for a child to its end; none where it takes too long.
fn ended(child: &mut Child) -> Option<i32> {
    let started = Instant::now();
    while started.elapsed() < DEADLINE {
        if let Some(status) = child.try_wait().unwrap() {
            return Some(status.code().unwrap_or(-1));
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    None
}

/// Runs a command on a file; what is wrong with how it ended.
fn tried(rig: &Rig, arguments: &[&str]) -> Result<(i32, String, String), String> {
    let (out, err) = (rig.path("out.txt"), rig.path("err.txt"));
    let file = |path: &Path| Stdio::from(std::fs::File::create(path).unwrap());
    let mut child = rig.command(arguments).stdout(file(&out)).stderr(file(&err)).spawn().unwrap();
    let code = ended(&mut child);
    let text = |path: &Path| String::from_utf8_lossy(&std::fs::read(path).unwrap()).into_owned();
    let (stdout, stderr) = (text(&out), text(&err));
    match code {
        None => Err(format!("took more than {DEADLINE:?}")),
        Some(0 | 1 | 3) if !stderr.contains("panicked") => Ok((code.unwrap_or(-1), stdout, stderr)),
        Some(code) => Err(format!("ended with {code}: {stderr}")),
    }
}

/// What is wrong with the document of a check.
fn judged(code: i32, document: &Value) -> Vec<String> {
    let mut wrong = Vec::new();
    let rows = &document["rows"];
    let count = |name: &str| rows[name].as_u64().unwrap_or(0);
    if count("read") != count("blank") + count("skipped") + count("in_orders") + count("invalid") {
        wrong.push(format!("the rows do not balance: {rows}"));
    }
    for problem in document["problems"].as_array().into_iter().flatten() {
        if problem["severity"] != "error" {
            continue;
        }
        // A file that cannot be opened has no place inside it; its message names the file.
        let placed = problem["place"].is_string() || code == 1;
        if !placed || problem["hint"].as_str().is_none_or(str::is_empty) {
            wrong.push(format!("an error without place or fix: {problem}"));
        }
    }
    wrong
}

#[test]
fn every_file_of_the_corpus_is_read_or_refused_in_words() {
    let Some(folder) = std::env::var_os("SHIPSHEET_CORPUS") else { return };
    let mut paths = Vec::new();
    files(Path::new(&folder), &mut paths);
    assert!(!paths.is_empty(), "no files in {}", Path::new(&folder).display());
    let rig = Rig::alone();
    let mut wrong = Vec::new();
    for path in &paths {
        let name = path.display().to_string();
        match tried(&rig, &["check", &name, "--format", "json"]) {
            Err(what) => wrong.push(format!("{name}: check {what}")),
            Ok((code, stdout, _)) => {
                let document: Value = serde_json::from_str(&stdout).unwrap_or_default();
                wrong.extend(judged(code, &document).into_iter().map(|what| format!("{name}: {what}")));
            }
        }
        match tried(&rig, &["profile", "guess", &name]) {
            Err(what) => wrong.push(format!("{name}: guess {what}")),
            Ok((1, _, stderr)) if !stderr.contains("hint:") => {
                wrong.push(format!("{name}: guess fails without a way out: {stderr}"));
            }
            Ok(_) => {}
        }
    }
    assert!(wrong.is_empty(), "{} of {} files:\n{}", wrong.len(), paths.len(), wrong.join("\n"));
}

#[test]
fn a_document_that_does_not_balance_is_found() {
    let good = serde_json::json!({"rows": {"read": 2, "blank": 1, "skipped": 0, "in_orders": 1, "invalid": 0}});
    assert!(judged(0, &good).is_empty());
    let lost = serde_json::json!({"rows": {"read": 2, "blank": 0, "skipped": 0, "in_orders": 1, "invalid": 0},
        "problems": [{"severity": "error", "place": null, "hint": "so"}]});
    assert_eq!(judged(3, &lost).len(), 2);
}
