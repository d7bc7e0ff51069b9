//! The tables and links of the README and its pages: what they list is what the program has, and each link leads somewhere.

use std::path::{Component, Path, PathBuf};

use serde_json::Value;
use shipsheet::api::operation::{ALL, FORWARD_SHIPMENT};
use shipsheet::overview::stopped;

use crate::documents::{document, project, with_examples};
use crate::readme::{Page, pages};
use crate::rig::Rig;

const README_MAX: u64 = 10 * 1024;
const PICTURE_MAX: u64 = 200 * 1024;

/// The rows of all tables below a heading, each as its cells.
fn rows(page: &str, heading: &str) -> Vec<Vec<String>> {
    let text = document(page);
    let (_, section) = text.split_once(&format!("\n## {heading}\n")).unwrap();
    let section = section.split("\n## ").next().unwrap();
    let cells = |row: &str| -> Vec<String> {
        let inner = row.strip_prefix('|').and_then(|row| row.trim_end().strip_suffix('|')).unwrap();
        // A bar within a cell is written with a backslash.
        inner.replace("\\|", "\0").split('|').map(|cell| cell.trim().replace('\0', "|")).collect()
    };
    let tables = section.split("\n|---").skip(1).filter_map(|table| table.split_once('\n'));
    tables.flat_map(|(_, table)| table.lines().take_while(|line| line.starts_with('|')).map(cells)).collect()
}

/// What stands between backticks in a cell.
fn marked(cell: &str) -> Vec<&str> {
    cell.split('`').skip(1).step_by(2).collect()
}

#[test]
fn exit_codes_are_those_of_the_help() {
    let help = Rig::alone().run(&["--help"]).stdout;
    let codes = help.split_once("Exit codes:\n").unwrap().1;
    let of_help: Vec<Vec<String>> =
        codes.lines().map(|line| line.trim().splitn(2, "  ").map(str::to_owned).collect()).collect();
    assert_eq!(of_help.len(), 7);
    assert_eq!(rows("docs/commands-and-exit-codes.md", "Exit codes"), of_help);
}

#[test]
fn commands_are_those_of_the_help() {
    let of_page = rows("docs/commands-and-exit-codes.md", "Commands").into_iter().map(|cells| {
        let words = cells[0].trim_matches('`').split(' ').map(str::to_owned);
        words.take_while(|word| word.starts_with(|c: char| c.is_ascii_lowercase())).collect::<Vec<_>>().join(" ")
    });
    let (of_page, of_help): (Vec<String>, Vec<String>) = (of_page.collect(), leaves(&Rig::alone(), ""));
    let differs = of_page.iter().zip(&of_help).find(|(own, help)| own != help);
    assert_eq!(differs, None, "docs/commands-and-exit-codes.md and the help: the first commands that differ");
    assert_eq!(of_page.len(), of_help.len(), "docs/commands-and-exit-codes.md and the help");
}

/// The commands below one that do something, in the order of the help.
fn leaves(rig: &Rig, of: &str) -> Vec<String> {
    let words: Vec<&str> = of.split_whitespace().collect();
    let below = subcommands(rig, &words);
    if below.is_empty() {
        return vec![of.to_owned()];
    }
    below.iter().flat_map(|name| leaves(rig, format!("{of} {name}").trim_start())).collect()
}

/// The subcommands that a command's help lists; those of the program itself stand in groups.
pub(crate) fn subcommands(rig: &Rig, of: &[&str]) -> Vec<String> {
    let help = rig.run(&[of, &["--help"]].concat()).stdout;
    let list = if of.is_empty() {
        let (_, groups) = help.split_once("\nUsage:").unwrap();
        groups.split_once("\nOptions:").unwrap().0
    } else {
        let Some((_, list)) = help.split_once("\nCommands:\n") else { return Vec::new() };
        list.split("\n\n").next().unwrap()
    };
    let names = list.lines().filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    names.filter_map(|line| line.split_whitespace().next()).filter(|name| *name != "help").map(str::to_owned).collect()
}

#[test]
fn the_json_document_is_explained_to_its_last_word() {
    let rig = with_examples();
    let (_, json) = rig.json(&["check", "examples/tour/monday.csv"]);
    let page = document("docs/json.md");
    let mut words = Vec::new();
    gather_words(&json, &mut words);
    assert!(words.len() > 30, "{words:?}");
    for word in words {
        let is_there = page.contains(&format!("`{word}`")) || page.contains(&format!("\"{word}\":"));
        assert!(is_there, "docs/json.md does not tell of \"{word}\"");
    }
}

fn gather_words(json: &Value, words: &mut Vec<String>) {
    match json {
        Value::Object(object) => {
            for (word, value) in object {
                words.push(word.clone());
                // What is in these differs from case to case; their schema says it.
                if !["parameters", "remedies"].contains(&word.as_str()) {
                    gather_words(value, words);
                }
            }
        }
        Value::Array(array) => array.iter().for_each(|value| gather_words(value, words)),
        _ => {}
    }
}

#[test]
fn what_the_help_advises_works() {
    let rig = Rig::alone();
    let help = rig.run(&["--help"]).stdout;
    let advice = help.split_once("Try it without an account:\n").unwrap().1.split_once("\n\n").unwrap().0;
    let commands: Vec<&str> = advice.lines().filter_map(|line| line.trim().strip_prefix("shipsheet ")).collect();
    assert_eq!(commands.len(), 2, "{advice}");
    for command in commands {
        rig.run(&command.split(' ').collect::<Vec<_>>()).exits(0);
    }
}

/// The names of a table of the library.
fn known<T>(names: &[(&'static str, T)]) -> Vec<&'static str> {
    names.iter().map(|(name, _)| *name).collect()
}

#[test]
fn the_table_of_operations_names_all_that_can_be_adapted() {
    let rows = rows("docs/service.md", "Operations");
    for operation in ALL {
        let row = rows.iter().find(|cells| marked(&cells[0]).contains(&operation.name));
        let cells = row.unwrap_or_else(|| panic!("docs/service.md has no row of `{}`", operation.name));
        let fields = if cells[3] == "the same" { known(FORWARD_SHIPMENT.fields) } else { marked(&cells[3]) };
        let is = (fields, marked(&cells[4]));
        assert_eq!(is, (known(operation.fields), known(operation.request)), "{}", operation.name);
        assert!(cells[1].contains(operation.standing.as_str()), "{}: {}", operation.name, cells[1]);
    }
}

#[test]
fn the_table_of_brakes_has_each_of_them() {
    let rows = rows("docs/night.md", "Brakes");
    let brakes: Vec<&str> = rows.iter().flat_map(|cells| marked(&cells[0])).collect();
    let schema: Value = serde_json::from_str(&document("docs/schema/run.json")).unwrap();
    let description = schema["properties"]["stopped_by"]["description"].as_str().unwrap();
    assert_eq!(brakes, marked(description));
    assert!(brakes.iter().all(|brake| stopped(brake).is_some()), "{brakes:?}");
}

#[test]
fn the_program_of_the_page_on_embedding_compiles() {
    let (_, program) = include_str!("twenty_lines.rs").split_once("\n\n").unwrap();
    assert!(document("docs/embedding.md").contains(&format!("```rust\n{program}```")), "tests/it/twenty_lines.rs");
}

#[test]
fn the_readme_and_its_picture_are_small() {
    let size = |name: &str| project().join(name).metadata().unwrap().len();
    let (readme, picture) = (size("README.md"), size("docs/desk.png"));
    assert!(readme <= README_MAX, "README.md has {readme} bytes, at most {README_MAX}");
    assert!(picture < PICTURE_MAX, "docs/desk.png has {picture} bytes, below {PICTURE_MAX}");
}

#[test]
fn links_lead_somewhere() {
    let others = ["ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "docs/rules.md"];
    let pages: Vec<Page> = pages().into_iter().chain(others.map(str::to_owned).map(Page::open)).collect();
    let mut wrong = Vec::new();
    for page in &pages {
        let text = page.prose().join("\n");
        for target in text.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(target, _)| target) {
            if target.starts_with("http") || target.starts_with("mailto:") {
                continue;
            }
            let (file, head) = target.split_once('#').map_or((target, None), |(file, head)| (file, Some(head)));
            let name = if file.is_empty() { page.name.clone() } else { resolved(&page.name, file) };
            let is_there = match head {
                None => project().join(&name).exists(),
                Some(head) => {
                    pages.iter().any(|other| other.name == name && heads(other).iter().any(|own| own == head))
                }
            };
            if !is_there {
                wrong.push(format!("{}: {target}", page.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// A file's name from the project's folder, as a page there calls it.
fn resolved(page: &str, file: &str) -> String {
    let mut whole = PathBuf::new();
    for part in Path::new(page).parent().unwrap().join(file).components() {
        match part {
            Component::ParentDir => assert!(whole.pop(), "{page}: {file}"),
            part => whole.push(part),
        }
    }
    whole.to_str().unwrap().replace('\\', "/")
}

/// The headings of a page, as links name them.
fn heads(page: &Page) -> Vec<String> {
    let prose = page.prose();
    let heads = prose.iter().filter(|line| line.starts_with('#')).map(|line| line.trim_start_matches('#').trim());
    heads.map(anchor).collect()
}

fn anchor(heading: &str) -> String {
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c.to_ascii_lowercase() }).collect()
}
