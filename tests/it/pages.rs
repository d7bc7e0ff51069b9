//! The page of each profile that comes with the program is true: its columns, its profiles, its commands.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use shipsheet::profile::{built_in, built_in_text};
use toml::Value;

use crate::documents::{document, project};
use crate::rig::Rig;

/// A page with what it is about.
struct Page {
    name: &'static str,
    text: String,
    profile: toml::Table,
}

fn pages() -> Vec<Page> {
    let of = |name: &'static str| Page {
        name,
        text: document(&format!("templates/profiles/{name}.md")),
        profile: built_in_text(name).unwrap().parse().unwrap(),
    };
    built_in().iter().map(|profile| of(profile.name.as_str())).collect()
}

impl Page {
    /// The fenced blocks of a language.
    fn blocks(&self, language: &str) -> Vec<&str> {
        let fence = format!("\n```{language}\n");
        let opened = self.text.split(fence.as_str()).skip(1);
        opened.map(|rest| rest.split_once("\n```").unwrap().0).collect()
    }

    /// Everything in backticks outside the fenced blocks.
    fn words(&self) -> BTreeSet<String> {
        let prose: String = self.text.split("\n```").step_by(2).collect();
        prose.split('`').skip(1).step_by(2).map(|word| word.replace('\n', " ")).collect()
    }

    /// What stands in backticks in the first cells of the tables.
    fn columns(&self) -> BTreeSet<String> {
        let rows = self.text.lines().filter_map(|line| line.strip_prefix("| "));
        let cells = rows.map(|row| row.split(" | ").next().unwrap());
        cells.flat_map(|cell| cell.split('`').skip(1).step_by(2)).map(str::to_owned).collect()
    }

    /// What a person types.
    fn commands(&self) -> Vec<String> {
        let blocks = self.blocks("sh").into_iter().flat_map(str::lines).map(str::to_owned);
        let all = blocks.chain(self.words());
        all.filter_map(|line| line.strip_prefix("shipsheet ").map(str::to_owned)).collect()
    }
}

/// The headers that a profile reads, wherever its file names them.
fn read_by(profile: &toml::Table) -> BTreeSet<String> {
    const KEYS: [&str; 10] =
        ["column", "first", "join", "add", "by", "less", "line_total", "beside", "without", "instead"];
    let mut headers = BTreeSet::new();
    let texts = |value: &Value, headers: &mut BTreeSet<String>| match value {
        Value::String(text) => drop(headers.insert(text.clone())),
        Value::Array(items) => headers.extend(items.iter().filter_map(Value::as_str).map(str::to_owned)),
        _ => {}
    };
    let of_table = |table: &toml::Table, headers: &mut BTreeSet<String>| {
        let when = table.get("when").and_then(|when| when.get("column"));
        KEYS.iter().filter_map(|key| table.get(*key)).chain(when).for_each(|value| texts(value, headers));
    };
    for recipe in profile.get("columns").and_then(Value::as_table).into_iter().flatten().map(|(_, recipe)| recipe) {
        match recipe.as_table() {
            Some(table) => of_table(table, &mut headers),
            None => texts(recipe, &mut headers),
        }
    }
    let rules = ["skip", "hold", "go"].into_iter().filter_map(|section| profile.get(section)?.as_array());
    rules.flatten().filter_map(Value::as_table).for_each(|rule| of_table(rule, &mut headers));
    profile.get("totals").and_then(Value::as_table).into_iter().flatten().for_each(|(_, v)| texts(v, &mut headers));
    profile.get("recognised_by").into_iter().for_each(|value| texts(value, &mut headers));
    headers
}

/// A sheet of these columns, without a row.
fn header_line(headers: &BTreeSet<String>) -> String {
    let mut line = String::new();
    for header in headers {
        write!(line, "{}\"{}\"", if line.is_empty() { "" } else { "," }, header.replace("{n}", "1")).unwrap();
    }
    line + "\n"
}

#[test]
fn every_page_names_the_columns_that_its_profile_reads_and_no_others() {
    let pages = pages();
    for page in pages.iter().filter(|page| page.name != "shipsheet") {
        let read = read_by(&page.profile);
        assert!(read.len() > 12, "{}: {read:?}", page.name);
        let words = page.words();
        let untold: Vec<&String> = read.iter().filter(|header| !words.contains(*header)).collect();
        assert!(untold.is_empty(), "{}.md does not tell of {untold:?}", page.name);
        let profile = built_in().iter().find(|profile| profile.name == page.name).unwrap();
        let invented: Vec<String> = page.columns().into_iter().filter(|header| !profile.knows(header)).collect();
        assert!(invented.is_empty(), "{}.md has columns that {}.toml has not: {invented:?}", page.name, page.name);
    }
}

#[test]
fn the_page_of_plain_headers_names_all_that_is_needed() {
    let pages = pages();
    let page = pages.iter().find(|page| page.name == "shipsheet").unwrap();
    let rig = Rig::alone();
    rig.file("orders.csv", &header_line(&page.columns()));
    let came = rig.check(&["orders.csv"]);
    assert_eq!(came.exits(0).codes(), ["sheet-notice"], "none is unknown, none is missing: {came:?}");
}

#[test]
fn the_profiles_on_the_pages_are_recognised_and_complete_the_sheet() {
    for page in pages() {
        let blocks = page.blocks("toml");
        assert!(!blocks.is_empty(), "{}.md shows no profile of one's own", page.name);
        for text in blocks {
            let own: toml::Table = text.parse().unwrap();
            assert_eq!(own["based_on"].as_str(), Some(page.name));
            let name = own["name"].as_str().unwrap();
            let mut headers = read_by(&page.profile);
            headers.extend(read_by(&own));
            if page.name == "shipsheet" {
                headers.extend(
                    ["City", "State", "PIN Code", "Address Line 1", "Item", "Price", "Quantity"].map(str::to_owned),
                );
            }
            let rig = Rig::alone();
            let folder = rig.path(".config/shipsheet/profiles");
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(folder.join(format!("{name}.toml")), text).unwrap();
            rig.file("orders.csv", &header_line(&headers));
            for arguments in [&["profile", "check", name][..], &["profile", "check", name, "orders.csv"]] {
                let ran = rig.run(arguments);
                assert_eq!(ran.exit, 0, "{}.md: {arguments:?}: {ran:?}", page.name);
            }
            let ran = rig.run(&["check", "orders.csv"]);
            assert!(ran.exit == 0 && ran.stderr.contains(&format!("profile {name}, ")), "{}.md: {ran:?}", page.name);
        }
    }
}

#[test]
fn the_commands_on_the_pages_can_be_typed() {
    for page in pages() {
        let rig = Rig::alone();
        let commands = page.commands();
        let sheet = header_line(&if page.name == "shipsheet" { page.columns() } else { read_by(&page.profile) });
        for name in ["check ", "import "] {
            assert!(commands.iter().any(|command| command.starts_with(name)), "{}.md: {commands:?}", page.name);
        }
        for command in commands {
            let words: Vec<&str> = command.split(' ').collect();
            for word in words.iter().filter(|word| word.starts_with("orders.") && words[0] != "template") {
                rig.file(word, &sheet);
            }
            let ran = rig.run(&words);
            let parses = ran.exit != 2 && !ran.stderr.contains("--help");
            assert!(parses, "{}.md: shipsheet {command}: {ran:?}", page.name);
            if words[0] == "check" && page.name != "shipsheet" {
                assert!(ran.stderr.contains(&format!("profile {}, ", page.name)), "{}.md: {ran:?}", page.name);
            }
        }
    }
}

#[test]
fn the_pages_are_found_from_the_index_and_their_links_lead_somewhere() {
    let index = document("templates/profiles/README.md");
    let row = |page: &Page| format!("| [{0}]({0}.md) | {1} |", page.name, page.profile["title"].as_str().unwrap());
    let (docs, mut files) = (document("docs/sheets-and-profiles.md"), BTreeSet::new());
    for page in pages() {
        assert!(index.contains(&row(&page)), "templates/profiles/README.md lacks {}", row(&page));
        let link = format!("](../templates/profiles/{}.md)", page.name);
        assert!(docs.contains(&link), "docs/sheets-and-profiles.md lacks {link}");
        files.extend([format!("{}.toml", page.name), format!("{}.md", page.name)]);
        for target in page.text.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(target, _)| target) {
            assert!(project().join("templates/profiles").join(target).exists(), "{}.md: {target}", page.name);
        }
    }
    assert!(document("README.md").contains("(templates/profiles/README.md)"));
    let there = std::fs::read_dir(project().join("templates/profiles")).unwrap();
    let mut there: BTreeSet<String> = there.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    there.remove("README.md");
    assert_eq!(there, files, "the files of templates/profiles, and those of `built_in!` in src/profile/file.rs");
}

#[test]
fn a_profile_begun_for_a_known_layout_asks_for_what_neither_sheet_nor_profile_has() {
    let rig = Rig::alone();
    let pages = pages();
    let meesho = pages.iter().find(|page| page.name == "meesho").unwrap();
    let headers = read_by(&meesho.profile);
    let cells: Vec<&str> = headers.iter().map(|header| if header == "Sub Order No" { "4471234" } else { "" }).collect();
    rig.file("orders.csv", &format!("{}{}\n", header_line(&headers), cells.join(",")));
    let ran = rig.run(&["profile", "guess", "orders.csv"]);
    let (_, open) = ran.stderr.split_once("needed and not found: ").unwrap();
    let open = open.lines().next().unwrap();
    ran.exits(0);
    assert!(open.contains("PIN Code, Length") && !open.contains("Country Code"), "{ran:?}");
    ran.prints("warehouseId").prints_nothing_of("countryCode");
}
