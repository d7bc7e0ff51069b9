//! Files of a folder of real sheets are read and guessed within limits: one in ten with `SHIPSHEET_CORPUS=DIR cargo test`, and
//! every one in a long run (`SHIPSHEET_LONG=10`).

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::Value;
use shipsheet::sheet::{Options, Sheet};

use crate::count::filled_rows;
use crate::measure::measured;
use crate::rig::size::one_of;
use crate::rig::{PATIENCE, Ran, Rig};

/// Processor time that one file may take whatever the machine, though a release takes far less of it than the debug build
/// that is tried here.
const PROCESSOR_MAX: Duration = Duration::from_secs(4);

/// How many times the processor time of an ordinary sheet of 2,000 orders one file may take on a slow machine.
const ORDINARY_SHEETS_MAX: u32 = 14;

/// Memory that one file may take, its helper process included.
const MEMORY_MAX: u64 = 512 << 20;

/// What an order sheet of a shop does not say, so that its rows are read at all.
pub(crate) const DEFAULTS: &str = r#"
[defaults]
"warehouseId" = "WH-1"
"parcelAttributes.dimension.length" = "30"
"parcelAttributes.dimension.width" = "20"
"parcelAttributes.dimension.height" = "5"
"parcelAttributes.weight.weight" = "0.5"
"shippingProperties.orderType" = "PREPAID"
"destination.countryCode" = "IN"
"productRequestsList.productName" = "Goods"
"productRequestsList.price" = "1"
"productRequestsList.quantity" = "1"
[check]
optional = [
    "receiver.firstName", "receiver.phoneNumber", "destination.addressLine1", "destination.city", "destination.state",
    "destination.pinCode",
]
"#;

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

/// Runs a command on a file; what is wrong with how it ended.
pub(crate) fn tried(rig: &Rig, arguments: &[&str]) -> Result<Ran, String> {
    // Waiting without working is a hang as well; a busy machine is none.
    let measured = measured(rig.command(arguments), &rig.path(""), PATIENCE);
    let Ran { exit, stderr, .. } = &measured.ran;
    if measured.hung {
        Err(format!("hangs: took more than {PATIENCE:?}"))
    } else if !matches!(exit, 0 | 1 | 3) || stderr.contains("panicked") {
        Err(format!("ended with {exit}: {stderr}"))
    } else if measured.processor > PROCESSOR_MAX && measured.processor > ordinary() * ORDINARY_SHEETS_MAX {
        Err(format!("took {:?} of processor time", measured.processor))
    } else if measured.memory > MEMORY_MAX {
        Err(format!("took {} MiB", measured.memory >> 20))
    } else {
        Ok(measured.ran)
    }
}

/// Processor time that an ordinary sheet of 2,000 orders takes now.
fn ordinary() -> Duration {
    let rig = Rig::alone();
    rig.file("shipsheet.toml", DEFAULTS);
    let row = |order: u32| {
        let (quantity, price) = (1 + order % 3, 100 + order);
        format!(
            "A-{order},2026-11-20,Asha Rao,98{order:07}1,{order} MG Road,Bengaluru,Karnataka,560001,K-{order},Kurta,\
             {quantity},{price}.00,COD,0.5,30,20,5,WH-1"
        )
    };
    let header = "Order No,Date,Customer Name,Phone,Address,City,State,Pincode,SKU,Product,Qty,Price,Payment,Weight,\
                  Length,Width,Height,Warehouse";
    let rows: Vec<String> = std::iter::once(header.to_owned()).chain((1..=2_000).map(row)).collect();
    rig.file("ordinary.csv", &rows.join("\n"));
    let measured = measured(rig.command(&["check", "ordinary.csv", "--format", "json"]), &rig.path(""), PATIENCE);
    assert_eq!(measured.ran.exit, 0, "{:?}", measured.ran);
    measured.processor
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

/// What is wrong with how `check` and `profile guess` take a file, beside rows that may be `lost`.
pub(crate) fn checked(rig: &Rig, path: &Path, lost: impl FnOnce(&Path, &Value) -> Option<String>) -> Vec<String> {
    let name = path.display().to_string();
    let mut wrong = Vec::new();
    match tried(rig, &["check", &name, "--format", "json"]) {
        Err(what) => wrong.push(format!("check {what}")),
        Ok(ran) => match serde_json::from_str::<Value>(&ran.stdout) {
            Ok(document) => {
                wrong.extend(judged(ran.exit, &document));
                wrong.extend(lost(path, &document));
            }
            Err(error) => wrong.push(format!("check prints no document ({error}): {}", ran.stderr)),
        },
    }
    match tried(rig, &["profile", "guess", &name]) {
        Err(what) => wrong.push(format!("guess {what}")),
        Ok(ran) if ran.exit == 1 && !ran.stderr.contains("hint:") => {
            wrong.push(format!("guess fails without a way out: {}", ran.stderr));
        }
        Ok(_) => {}
    }
    wrong
}

/// Rows that the reader or the program passes over in silence, by another count of the file's rows.
fn lost(path: &Path, document: &Value) -> Option<String> {
    // Whatever cannot be opened has been refused in words by the program, within limits.
    document["sheets"].as_array().filter(|sheets| !sheets.is_empty())?;
    let options = Options { helper: Some(env!("CARGO_BIN_EXE_shipsheet").into()), ..Options::default() };
    let sheet = Sheet::open(path, &options).ok()?;
    let end = sheet.read(&mut |_| ControlFlow::Continue(())).ok()?;
    let (filled, counted) = (end.rows - end.blank, filled_rows(path, &sheet));
    if filled != counted {
        return Some(format!("{counted} filled rows below the header, of which {filled} are handed out"));
    }
    let count = |name: &str| document["rows"][name].as_u64().unwrap();
    let read = count("read") - count("blank");
    (count("read") > 0 && read != u64::from(counted))
        .then(|| format!("{counted} filled rows, of which {read} are read"))
}

#[test]
fn every_file_of_the_corpus_is_read_or_refused_in_words() {
    let Some(folder) = std::env::var_os("SHIPSHEET_CORPUS") else { return };
    let mut paths = Vec::new();
    files(Path::new(&folder), &mut paths);
    paths.sort();
    let paths: Vec<_> = paths.into_iter().step_by(one_of(10) as usize).collect();
    assert!(!paths.is_empty(), "no files in {}", Path::new(&folder).display());
    let rig = Rig::alone();
    rig.file("shipsheet.toml", DEFAULTS);
    let mut wrong = Vec::new();
    for path in &paths {
        wrong.extend(checked(&rig, path, lost).into_iter().map(|what| format!("{}: {what}", path.display())));
    }
    assert!(wrong.is_empty(), "{} of {} files:\n{}", wrong.len(), paths.len(), wrong.join("\n"));
    let ledgers = rig.path(".local/share/shipsheet");
    assert!(!ledgers.exists(), "reading sheets has written to {}", ledgers.display());
}

#[test]
fn a_document_that_does_not_balance_is_found() {
    let good = serde_json::json!({"rows": {"read": 2, "blank": 1, "skipped": 0, "in_orders": 1, "invalid": 0}});
    assert!(judged(0, &good).is_empty());
    let lost = serde_json::json!({"rows": {"read": 2, "blank": 0, "skipped": 0, "in_orders": 1, "invalid": 0},
        "problems": [{"severity": "error", "place": null, "hint": "so"}]});
    assert_eq!(judged(3, &lost).len(), 2);
}
