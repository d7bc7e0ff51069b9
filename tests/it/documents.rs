//! What people read is true: the examples, the help texts, the lists of codes (the README and its pages: `readme`, `tables`).

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use shipsheet::app::{App, Exit};
use shipsheet::config::{Config, Overrides};
use shipsheet::finding::Id;

use crate::architecture::{IMPORTS, Source, sources};
use crate::rig::{Ran, Rig, row, row_with, sheet};
use crate::tables::subcommands;

#[expect(dead_code, reason = "its `main` is for people; the test calls what it calls")]
#[path = "../../examples/embed.rs"]
mod embed;

#[expect(dead_code, reason = "its `main` is for people; the test calls what it calls")]
#[path = "../../examples/client.rs"]
mod client;

/// The project's folder.
pub(crate) fn project() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

pub(crate) fn document(name: &str) -> String {
    fs::read_to_string(project().join(name)).unwrap()
}

/// A rig that has the examples where the reader of the README has them.
pub(crate) fn with_examples() -> Rig {
    let rig = Rig::alone();
    copy(&project().join("examples"), &rig.path("examples"));
    rig
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// Problems that no sheet of `examples/problems` can show, and why.
const NOT_IN_EXAMPLES: &[(Id, &str)] = &[
    (Id::NotServiceable, "needs a service to ask"),
    (Id::PaymentNotServiceable, "needs a service to ask"),
    (Id::ServiceabilityUnknown, "needs a service to ask"),
    (Id::BookedBefore, "needs a ledger in which the order is booked"),
    (Id::CancelledBefore, "needs a ledger in which the order is booked and cancelled"),
    (Id::ChangedAfterBooking, "needs a ledger in which the order is booked"),
    (Id::HiddenRows, "only a workbook hides rows"),
    (Id::ColouredRow, "only a workbook has colours"),
    (Id::UnreadableSheet, "needs a file that is no sheet, beside others"),
    (Id::MergedCells, "only a workbook merges cells"),
    (Id::SecondHeader, "needs two sheets, one below the other"),
    (Id::BelowTitle, "needs two tables under one header, one below the other"),
    (Id::RowLeftOut, "needs a profile with a filter"),
    (Id::AmbiguousLayout, "needs two profiles that fit one sheet"),
    (Id::LayoutChanged, "needs a profile whose columns have changed"),
    (Id::TooManyLines, "needs more than a thousand rows"),
    (Id::ErrorCell, "only a workbook has error cells"),
    (Id::FormulaWithoutValue, "only a workbook has formulas"),
    (Id::UnreadableCell, "only a workbook has cells that cannot be read"),
    (Id::HeldBack, "needs a profile that holds orders back"),
    (Id::PartlyPaid, "needs a profile that says which column tells what is paid"),
    (Id::RowLeftOut, "needs a profile that leaves rows out"),
    (Id::AmbiguousLayout, "needs two saved profiles that fit alike"),
    (Id::LayoutChanged, "needs a saved profile whose sheet has changed"),
    (Id::InDoubt, "needs an order in doubt"),
    (Id::AnswerNotSaved, "needs a disk that fails"),
    (Id::UnclosedQuote, "ends the reading of the whole sheet, as an error"),
];

#[test]
fn the_sheets_of_problems_show_every_kind_with_the_expected_words() {
    let rig = with_examples();
    let folder = rig.path("examples/problems");
    let expected = document("examples/problems/expected.txt");
    let mut shown = String::new();
    let mut seen: Vec<String> = Vec::new();
    for line in expected.lines().filter_map(|line| line.strip_prefix("$ shipsheet ")) {
        let arguments: Vec<&str> = line.split(' ').collect();
        let Ran { exit, stdout, stderr, .. } = rig.run_in(&folder, &arguments);
        write!(shown, "$ shipsheet {line}\n{stderr}{stdout}exit code {exit}\n\n").unwrap();
        let json = rig.run_in(&folder, &[&arguments[..], &["--format", "json"]].concat());
        let document: serde_json::Value = serde_json::from_str(&json.stdout).unwrap();
        let problems = document["problems"].as_array().unwrap();
        seen.extend(problems.iter().map(|problem| problem["code"].as_str().unwrap().to_owned()));
    }
    if std::env::var_os("SHIPSHEET_BLESS").is_some() {
        fs::write(project().join("examples/problems/expected.txt"), shown.trim_end().to_owned() + "\n").unwrap();
    } else {
        let differs = shown.lines().zip(expected.lines()).find(|(shown, expected)| shown != expected);
        assert_eq!(differs, None, "shown and expected; SHIPSHEET_BLESS=1 corrects examples/problems/expected.txt");
        assert_eq!(shown.trim_end().lines().count(), expected.trim_end().lines().count());
    }
    let is_excused = |code: &Id| NOT_IN_EXAMPLES.iter().any(|(excused, _)| excused == code);
    let is_seen = |code: &Id| seen.iter().any(|seen| seen == code.as_str());
    let wrong: Vec<&Id> = Id::ALL.iter().filter(|code| is_seen(code) == is_excused(code)).collect();
    assert!(wrong.is_empty(), "shown and excused, or neither: {wrong:?}");
}

#[test]
fn both_forms_of_the_quickstart_become_the_same_requests() {
    let bodies = |sheet: &str| {
        let rig = Rig::new();
        copy(&project().join("examples"), &rig.path("examples"));
        rig.run(&["import", sheet, "--yes"]).exits(0);
        let mut bodies: Vec<Vec<u8>> = rig.sandbox().book().bookings().into_iter().map(|b| b.body).collect();
        bodies.sort();
        bodies
    };
    let csv = bodies("examples/quickstart/orders.csv");
    assert_eq!(csv.len(), 5);
    assert_eq!(csv, bodies("examples/quickstart/orders.xlsx"));
}

/// What the library example tells of a sheet, and how it ends; everything of the user's own is in the rig's folder.
fn embedded(rig: &Rig, configuration: &str, sheet: &str, files: Option<[&str; 2]>) -> (Vec<String>, Exit) {
    let (folder, file) = (Some(rig.path("own")), Some(rig.file("shipsheet.toml", configuration)));
    let app = App::open(Config::open(Overrides { sandbox: true, folder, file, ..Overrides::default() }).unwrap());
    let files = files.map(|names| names.map(|name| rig.path(name)));
    let [rejects, results] = [0, 1].map(|at| files.as_ref().map(|files| files[at].as_path()));
    let mut told = Vec::new();
    let exit = embed::import(&app, &rig.path(sheet), rejects, results, &mut |line| told.push(line)).unwrap();
    (told, exit)
}

#[test]
fn the_library_example_books_the_quickstart_once() {
    let rig = with_examples();
    let book = || embedded(&rig, "", "examples/quickstart/orders.csv", None);
    let (first, exit) = book();
    let (orders, rest) = first.split_at(5);
    assert!(orders.iter().all(|line| line.contains(": booked SBX")), "{first:?}");
    assert_eq!((rest, exit), (&["run 1: 5 of 5 booked".to_owned()][..], Exit::Done));
    let (again, exit) = book();
    assert_eq!(again[..5], *orders, "the second time shows the AWBs of the first");
    assert_eq!((&*again[5], exit), ("run 2: 5 of 5 booked", Exit::Done));
}

#[test]
fn the_library_example_hands_back_what_is_invalid_and_what_was_rejected() {
    let rig = Rig::alone();
    let rows = [row("E-1"), row_with("E-2", "12", "560001"), row_with("E-3", "9876543210", "999001")];
    rig.file("orders.csv", &sheet(rows));
    let (told, exit) = embedded(&rig, "", "orders.csv", Some(["rejects.csv", "results.csv"]));
    assert_eq!((&*told[told.len() - 1], exit), ("run 1: 1 of 3 booked", Exit::SomeFailed));
    assert!(told[0].contains("digits"), "the problem is told first: {told:?}");
    let rejects = rig.read("rejects.csv");
    let numbers: Vec<&str> = rejects.lines().skip(1).filter_map(|line| line.split(',').next()).collect();
    assert_eq!(numbers, ["E-2", "E-3"], "{rejects}");
    let results = rig.read("results.csv");
    let of = |number: &str| results.lines().find(|line| line.starts_with(number)).unwrap();
    assert!(of("E-1").contains("booked") && of("E-1").contains("SBX"), "{results}");
    assert!(of("E-2").contains("invalid") && of("E-3").contains("rejected"), "{results}");
}

#[test]
fn the_library_example_asks_couriers_where_that_is_configured() {
    let rig = Rig::alone();
    rig.file("orders.csv", &sheet([row("E-1"), row_with("E-3", "9876543210", "999001")]));
    let asks = "[serviceability]\nbefore_import = true\npickup_pin = \"560048\"\n";
    let (told, exit) = embedded(&rig, asks, "orders.csv", None);
    assert!(told.iter().any(|line| line.starts_with("E-3: invalid")), "no courier goes there: {told:?}");
    assert_eq!((&*told[told.len() - 1], exit), ("run 1: 1 of 2 booked", Exit::SomeFailed));
}

#[test]
fn the_client_example_takes_a_shipment_through_its_life() {
    let told = tokio::runtime::Runtime::new().unwrap().block_on(client::tour()).unwrap().join("\n");
    for step in ["2 couriers go", "Delhivery asks 54.20", "booked: AWB SBX", "a PDF: true", "cancelled: REFUND"] {
        assert!(told.contains(step), "{told}");
    }
}

#[test]
fn the_starter_configuration_works() {
    let rig = with_examples();
    rig.run(&["template", "shipsheet.toml"]).exits(0);
    let starter = rig.read("shipsheet.toml");
    assert_eq!(starter, document("templates/shipsheet.toml"));
    assert_eq!(rig.run(&["check", "examples/quickstart/orders.csv"]).exit, 0, "as it is written");
    assert_eq!(rig.run(&["template", "shipsheet.toml"]).exit, 1, "an existing file stays");

    let used: Vec<String> = starter.lines().map(|line| setting(line).unwrap_or(line).to_owned()).collect();
    let used: Vec<&str> = used.iter().map(String::as_str).filter(|line| !line.contains("_command = ")).collect();
    rig.file("shipsheet.toml", &used.join("\n"));
    let ran = rig.run(&["check", "examples/quickstart/orders.csv"]);
    assert_eq!(ran.exit, 3, "its example demands an e-mail address that one order lacks: {ran:?}");
    ran.says("missing-value");
}

/// A setting, or a section, that is commented out.
fn setting(line: &str) -> Option<&str> {
    let bare = line.strip_prefix("# ")?;
    if bare.starts_with('[') {
        return Some(bare);
    }
    let key = bare.split_once(" = ")?.0;
    let is_word = |c: char| c.is_ascii_alphabetic() || matches!(c, '_' | '.');
    let is_key = key.starts_with('"') || key.chars().all(is_word);
    is_key.then_some(bare)
}

#[test]
fn every_help_text_is_as_it_was_agreed() {
    let rig = Rig::alone();
    let mut texts = rig.run(&["--help"]).stdout;
    let mut queue: Vec<Vec<String>> = subcommands(&rig, &[]).into_iter().map(|name| vec![name]).collect();
    while !queue.is_empty() {
        let words = queue.remove(0);
        let names: Vec<&str> = words.iter().map(String::as_str).collect();
        let below = subcommands(&rig, &names).into_iter().map(|name| [&words[..], &[name]].concat());
        queue.extend(below);
        // The options of every command stand in the first text.
        let help = rig.run(&[&names[..], &["--help"]].concat()).stdout;
        let own = help.split("Options of every command:").next().unwrap();
        write!(texts, "\n$ shipsheet {} --help\n{}\n", words.join(" "), own.trim_end()).unwrap();
    }
    insta::assert_snapshot!("help", texts);
}

/// The lines of a section of `ARCHITECTURE.md` that begin so.
fn lines_of(section: &str, begin: &str) -> Vec<String> {
    let architecture = document("ARCHITECTURE.md");
    let (_, section) = architecture.split_once(&format!("\n## {section}\n")).unwrap();
    let lines = section.split("\n## ").next().unwrap().lines();
    lines.filter(|line| line.starts_with(begin)).map(str::to_owned).collect()
}

/// The texts that a line has in code.
fn in_code(line: &str) -> impl Iterator<Item = &str> {
    line.split('`').skip(1).step_by(2)
}

#[test]
fn the_modules_stand_in_the_order_in_which_they_import() {
    let written: Vec<String> =
        lines_of("Modules", "| `").iter().map(|row| in_code(row).next().unwrap().to_owned()).collect();
    let held: Vec<&str> = IMPORTS.iter().map(|(name, _)| *name).collect();
    assert_eq!(written, held);
}

#[test]
fn the_files_and_functions_that_the_documents_for_developers_name_are_there() {
    /// Beginnings of what is no file of the project.
    const ELSEWHERE: [&str; 4] = ["target/", "/usr/", "//!", "3/7"];
    let documents = ["ARCHITECTURE.md", "CONTRIBUTING.md"].map(document).concat();
    let (mut files, mut functions) = (0, 0);
    for line in documents.lines() {
        // A function is one of the file that stands before it on its line.
        let mut source = String::new();
        for name in in_code(line) {
            if let Some(function) = name.strip_suffix("()") {
                functions += 1;
                let is_there = ['(', '<'].iter().any(|behind| source.contains(&format!("fn {function}{behind}")));
                assert!(is_there, "{name}: {line}");
            } else if name.contains('/') && !name.contains(' ') && !ELSEWHERE.iter().any(|own| name.starts_with(own)) {
                files += 1;
                let mut paths = [project().join(name), project().join("src").join(name)].into_iter();
                let path = paths.find(|path| path.exists()).unwrap_or_else(|| panic!("{name}: {line}"));
                // Of a folder there is no text.
                source = fs::read_to_string(path).unwrap_or_default();
            }
        }
    }
    assert!(files > 80 && functions > 40, "{files} files, {functions} functions");
}

/// The promises of `docs/promises.md`, by the bold beginning of each.
fn promises() -> Vec<String> {
    let page = document("docs/promises.md");
    let list = page.split("\n## ").next().unwrap().lines();
    let heads = list.filter_map(|line| line.split_once(". **")?.1.split("**").next());
    heads.map(|head| head.trim_end_matches('.').to_owned()).collect()
}

/// A comment on a test that says which promise it holds: `Promise 2: a late answer settles its own attempt.`
struct Mark {
    promise: usize,
    says: String,
    test: String,
}

/// The marks of a source, each up to the end of its comment.
fn marks(source: &Source) -> Vec<Mark> {
    let lines: Vec<&str> = source.text.lines().map(str::trim).collect();
    let mark = |at: usize| {
        let place = format!("{}:{}", source.name, at + 1);
        let comment: Vec<&str> = lines[at..].iter().map_while(|line| line.strip_prefix("/// ")).collect();
        let mut below = lines[at + comment.len()..].iter();
        let attributes = below.by_ref().take_while(|line| !line.contains("fn ")).collect::<Vec<_>>();
        let is_test = attributes.iter().any(|line| line.starts_with("#[test]") || line.starts_with("#[tokio::test"));
        assert!(is_test, "{place}: a promise is held by a test, and this is none");
        let function = lines[at + comment.len() + attributes.len()].split_once("fn ").unwrap().1;
        let comment = comment.join(" ");
        let said = comment["Promise ".len()..].split_once(": ");
        let said = said.and_then(|(promise, says)| Some((promise.parse().ok()?, says.to_owned())));
        let (promise, says) = said.unwrap_or_else(|| panic!("{place}: a mark is written `/// Promise N: …`"));
        Mark { promise, says, test: format!("`{}` `{}()`", source.name, function.split('(').next().unwrap()) }
    };
    (0..lines.len()).filter(|at| lines[*at].starts_with("/// Promise ")).map(mark).collect()
}

/// The page of invariants, as it is written into `docs/invariants.md`.
fn invariants() -> String {
    let mut text = String::from(
        "# Invariants and their tests\n\n\
         For developers: what each of the [promises](promises.md) means in detail, with the tests that fail where it does not hold.\n\n\
         This page is made from the marks on the tests, `/// Promise 2: …` (`SHIPSHEET_BLESS=1 cargo test documents`).\n",
    );
    let (whole, parts): (Vec<Source>, Vec<Source>) =
        sources().into_iter().partition(|source| source.name.starts_with("tests/"));
    let marks: Vec<Mark> = whole.iter().chain(&parts).flat_map(marks).collect();
    let promises = promises();
    for Mark { promise, test, .. } in &marks {
        assert!((1..=promises.len()).contains(promise), "{test}: docs/promises.md has no promise {promise}");
    }
    for (number, promise) in (1..).zip(promises) {
        let mut own: Vec<&Mark> = marks.iter().filter(|mark| mark.promise == number).collect();
        assert!(!own.is_empty(), "{promise}: no test says that it holds this, with `/// Promise {number}: …`");
        write!(text, "\n## {number}. {promise}\n\n").unwrap();
        while let Some(Mark { says, .. }) = own.first().copied() {
            let (same, others): (Vec<&Mark>, Vec<&Mark>) = own.into_iter().partition(|mark| mark.says == *says);
            let tests: Vec<&str> = same.iter().map(|mark| mark.test.as_str()).collect();
            let (initial, rest) = says.split_at(1);
            writeln!(text, "- {}{rest}\n  {}", initial.to_uppercase(), tests.join(",\n  ")).unwrap();
            own = others;
        }
    }
    text
}

#[test]
fn every_promise_has_its_invariants_and_their_tests() {
    let page = invariants();
    if std::env::var_os("SHIPSHEET_BLESS").is_some() {
        fs::write(project().join("docs/invariants.md"), &page).unwrap();
    }
    let is_written = document("docs/invariants.md") == page;
    assert!(is_written, "docs/invariants.md: `SHIPSHEET_BLESS=1 cargo test documents` writes it anew");
}

#[test]
fn the_changelog_has_this_version_in_a_dozen_lines() {
    let changelog = document("CHANGELOG.md");
    let (_, entry) = changelog.split_once(&format!("\n## {}", env!("CARGO_PKG_VERSION"))).unwrap();
    let changes = entry.split("\n## ").next().unwrap().matches("\n- ").count();
    assert!((1..=12).contains(&changes), "{changes} changes");
}
