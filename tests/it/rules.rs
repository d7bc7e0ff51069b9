//! Every rule is documented, its examples do what they say, and levels come from where a person set them.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use shipsheet::app::{App, ImportOptions, PlanOptions, WarehouseColumns};
use shipsheet::book::StopSignal;
use shipsheet::config::{Config, Overrides, Sheets};
use shipsheet::event::Stream;
use shipsheet::field::{FIELDS, HeaderReading};
use shipsheet::finding::{self, Finding, Level, RuleId};
use shipsheet::rule::{RULES, Rule, RuleKind, RuleLevel};

use crate::documents::{document, project};
use crate::judged::judging::workbook;
use crate::rig::GOOD;

/// Rules that no sheet can show: couriers and answers of the service, and damage to a file.
const IN_WORDS: [&str; 12] = [
    "answer-not-saved",
    "couriers-not-asked",
    "fewer-products",
    "held-back",
    "in-couriers-list",
    "in-doubt",
    "not-serviceable",
    "old-sheet",
    "other-receiver",
    "serviceability-unknown",
    "sources-differ",
    "unreadable-cell",
];

/// A case of a rule: what it has something to say of, and what it has nothing to say of.
struct Case {
    name: &'static str,
    fires: Example,
    silent: Example,
}

/// Sheets, or words where no sheet can show it.
#[derive(Default)]
struct Example {
    /// How each sheet is saved, and its text: `csv`, `csv booked`, `csv ENCODING`, or `sheet` for that of a workbook.
    sheets: Vec<(String, String)>,
    configuration: String,
    profile: String,
    /// Saved profiles.
    saved: Vec<String>,
    words: String,
}

impl Case {
    /// Every case of a rule, each below a heading; where there are several, it has a name.
    fn all(rule: &Rule) -> Vec<Self> {
        let read = |text: &'static str| {
            let (name, examples) = text.split_once('\n').unwrap();
            let (fires, silent) = examples.split_once("## It stays silent\n").unwrap();
            let name = name.strip_prefix(": ").unwrap_or(name);
            Self { name, fires: Example::read(fires), silent: Example::read(silent) }
        };
        rule.examples().split("## It fires").skip(1).map(read).collect()
    }
}

impl Example {
    fn read(text: &str) -> Self {
        let mut example = Self::default();
        let mut lines = text.lines();
        while let Some(line) = lines.next() {
            let Some(kind) = line.strip_prefix("```") else {
                example.words.push_str(line);
                continue;
            };
            let block: String =
                lines.by_ref().take_while(|line| *line != "```").flat_map(|line| [line, "\n"]).collect();
            match kind {
                "toml" => example.configuration.push_str(&block),
                "toml profile" => example.profile = block,
                "toml saved" => example.saved.push(block),
                how => example.sheets.push((how.to_owned(), block)),
            }
        }
        example
    }
}

/// Writes a sheet of an example into a folder.
fn write(folder: &Path, number: usize, how: &str, text: &str) -> PathBuf {
    let path = folder.join(format!("sheet-{number}.{}", how.split(' ').next().unwrap().replace("sheet", "xlsx")));
    match how {
        "sheet" => workbook::write(text, &path).unwrap(),
        // `\x07` is a byte that no page can show.
        "csv bytes" => {
            let mut parts = text.split("\\x");
            let mut bytes = parts.next().unwrap().as_bytes().to_vec();
            for part in parts {
                bytes.push(u8::from_str_radix(&part[..2], 16).unwrap());
                bytes.extend_from_slice(&part.as_bytes()[2..]);
            }
            std::fs::write(&path, bytes).unwrap();
        }
        _ => std::fs::write(&path, filled(text)).unwrap(),
    }
    path
}

/// A sheet whose line `…` stands for all lines between the one above and the one below, by the number in which they differ.
fn filled(text: &str) -> String {
    let Some((above, below)) = text.split_once("…\n") else { return text.to_owned() };
    let lines = (above.lines().last().unwrap(), below.lines().next().unwrap());
    let cells = lines.0.split([',', ' ']).zip(lines.1.split([',', ' ']));
    let (first, last) = cells.into_iter().find(|(one, other)| one != other).unwrap();
    let between = first.parse::<usize>().unwrap() + 1..last.parse().unwrap();
    let between: String =
        between.map(|number| lines.1.replacen(&format!(" {last},"), &format!(" {number},"), 1) + "\n").collect();
    format!("{above}{between}{below}")
}

/// What the program says of an example.
fn said(id: &str, example: &Example) -> Vec<Finding> {
    let folder = crate::rig::folder();
    let path = |name: &str| folder.path().join(name);
    let of = |(number, (how, text)): (usize, &(String, String))| write(folder.path(), number, how, text);
    let mut paths: Vec<PathBuf> = example.sheets.iter().enumerate().map(of).collect();
    let header = |(how, text): &(String, String)| -> Vec<String> {
        let parted = text.lines().next().unwrap().split(if how == "sheet" { '|' } else { ',' });
        parted.map(|header| header.trim().to_owned()).collect()
    };
    let headers: Vec<String> = example.sheets.iter().flat_map(header).collect();
    let has = |path: &str| {
        let fed = |header: &String| HeaderReading::of(header).field.is_some_and(|found| found.field.path == path);
        // What is to be collected says how an order is paid.
        let says_payment =
            || path == "shippingProperties.orderType" && headers.iter().any(|header| header == "COD Amount");
        headers.iter().any(fed) || says_payment()
    };
    // What examples leave out: the rest of a good order, for all orders.
    let is_left_out = |path: &str| !(path.starts_with("productRequestsList.") || path == "orderCreatedAt" || has(path));
    let rest = GOOD.iter().filter(|(path, _)| is_left_out(path));
    let defaults = rest.fold(String::new(), |text, (path, value)| text + &format!("\"{path}\" = \"{value}\"\n"));
    let profiles = path("profiles");
    std::fs::create_dir(&profiles).unwrap();
    for (name, saved) in ('a'..).zip(&example.saved) {
        std::fs::write(profiles.join(format!("{name}.toml")), saved).unwrap();
    }
    std::fs::write(path("shipsheet.toml"), format!("[defaults]\n{defaults}\n{}", example.configuration)).unwrap();
    let config = Overrides { folder: Some(folder.path().to_owned()), sandbox: true, ..Overrides::default() };
    let app = App::open(Config::open(config).unwrap());
    let profile = (!example.profile.is_empty()).then(|| {
        std::fs::write(path("own.toml"), &example.profile).unwrap();
        path("own.toml").display().to_string()
    });
    let mut events = Stream::silent();
    match example.sheets[0].0.as_str() {
        "csv warehouses" => {
            return app.plan_warehouses(&paths[0], &WarehouseColumns::default(), &[]).unwrap().problems;
        }
        "csv booked" => {
            let mut reading = app.read(&Sheets::of([paths.remove(0)]), &mut events).unwrap();
            let stop = StopSignal::default();
            app.import(&mut reading, &ImportOptions::default(), stop, &mut |_| {}, Stream::silent()).unwrap();
        }
        _ => {}
    }
    let reading = app.read(&Sheets { profile, ..Sheets::of(paths) }, &mut events);
    let reading = reading.unwrap_or_else(|error| panic!("{id}: {error}"));
    let mut said = Vec::new();
    if reading.is_unusable() {
        return reading.problems().to_vec();
    }
    app.preview(&reading, PlanOptions::default(), &mut |finding| said.push(finding.clone()), &mut events).unwrap();
    said
}

fn told(said: &[Finding]) -> String {
    let one = |finding: &Finding| {
        let rule = finding.rule().map_or("no rule", RuleId::as_str);
        format!("{rule} ({}): {}", finding.level.as_str(), finding::english::message(finding))
    };
    said.iter().map(one).collect::<Vec<_>>().join("\n  ")
}

#[test]
fn every_example_does_what_it_says() {
    let mut wrong = Vec::new();
    let mut in_words = BTreeSet::new();
    let cases = RULES.iter().flat_map(|rule| Case::all(rule).into_iter().map(move |case| (rule, case)));
    for (rule, Case { name, fires, silent }) in cases {
        let id = rule.id.as_str();
        if fires.sheets.is_empty() {
            in_words.insert(id);
            continue;
        }
        let fires = said(id, &fires);
        let own: Vec<&Finding> = fires.iter().filter(|finding| finding.rule() == Some(rule.id)).collect();
        let is_held = own.iter().any(|finding| finding.holds());
        let holds = match rule.kind {
            RuleKind::Ledger => is_held,
            kind => matches!(kind, RuleKind::Fault | RuleKind::Rule(RuleLevel::Hold)),
        };
        if own.is_empty() || is_held != holds {
            wrong.push(format!("{id} ({name}) does not fire:\n  {}", told(&fires)));
        }
        let silent = said(id, &silent);
        let loud = |finding: &Finding| finding.rule() == Some(rule.id) || finding.holds();
        if silent.iter().any(loud) {
            wrong.push(format!("{id} ({name}) is not silent:\n  {}", told(&silent)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(in_words, IN_WORDS.into_iter().collect());
}

#[test]
fn every_rule_is_documented_in_few_words() {
    for (place, rule) in RULES.iter().enumerate() {
        let (id, cases) = (rule.id.as_str(), Case::all(rule));
        let text = std::fs::read_to_string(project().join(format!("templates/rules/{id}.md"))).unwrap();
        let words: Vec<&str> = text.lines().next().unwrap().split(' ').collect();
        let ["<!--", kind, scope, looks @ .., "-->"] = words.as_slice() else { panic!("{id}: {words:?}") };
        assert!(["hold", "warn", "notice", "fault", "word", "ledger"].contains(kind), "{id}: {kind}");
        assert!(["cell", "row", "order", "sheet", "run"].contains(scope), "{id}: {scope}");
        let is_known =
            |own: &&str| ["all", "*"].contains(own) || FIELDS.iter().any(|field| field.path.starts_with(*own));
        assert!(looks.iter().all(is_known), "{id}: {looks:?}");
        assert_eq!((Rule::of(rule.id).id, rule.id as usize), (rule.id, place));
        let (title, about) = (rule.title(), rule.about());
        assert!((8..=80).contains(&title.len()) && !title.ends_with('.'), "{id}: {title}");
        assert!((60..=500).contains(&about.len()) && about.ends_with('.'), "{id}: {about}");
        let names: BTreeSet<&str> = cases.iter().map(|case| case.name).collect();
        assert_eq!((names.len(), names.contains("")), (cases.len(), cases.len() == 1), "{id}: {names:?}");
        for Case { name, fires, silent } in &cases {
            assert!(name.is_empty() || (4..=45).contains(&name.len()), "{id}: {name}");
            for example in [fires, silent] {
                assert_eq!(
                    example.sheets.is_empty(),
                    !example.words.is_empty(),
                    "{id}: a sheet, or words instead of one"
                );
            }
            assert_eq!(fires.sheets.is_empty(), silent.sheets.is_empty(), "{id} ({name})");
        }
    }
    let files = std::fs::read_dir(project().join("templates/rules")).unwrap();
    let files: BTreeSet<String> =
        files.map(|file| file.unwrap().path().file_stem().unwrap().to_str().unwrap().to_owned()).collect();
    assert_eq!(files, RULES.iter().map(|rule| rule.id.to_string()).collect());
}

#[test]
fn every_finding_falls_under_a_rule_and_every_rule_has_one() {
    let used: BTreeSet<RuleId> = finding::entries().filter_map(|entry| entry.rule).collect();
    assert_eq!(used, RuleId::ALL.iter().copied().collect());
    // A rule that is only said by default has no case that holds, and one that holds has one.
    for rule in RULES.iter() {
        let level = |level: Level| {
            finding::entries().filter(|entry| entry.rule == Some(rule.id)).any(|entry| entry.level == Some(level))
        };
        match rule.kind {
            RuleKind::Rule(RuleLevel::Hold) | RuleKind::Fault => assert!(level(Level::Hold), "{}", rule.id),
            RuleKind::Rule(_) | RuleKind::Notice => assert!(!level(Level::Hold), "{}", rule.id),
            RuleKind::Word => assert!(!level(Level::Warn), "{}", rule.id),
            RuleKind::Ledger => {}
        }
    }
}

/// The book of rules, as it is written into `docs/rules.md`.
fn book() -> String {
    let mut text = String::from(
        "# Rules\n\n\
         What shipsheet may say of your orders, in the order in which a sheet meets it. A **rule** is a doubt: you set its level.\n\
         At `hold` the order stays until you answer, at `warn` it goes and you are told, at `off` nothing is said. A **notice**\n\
         tells of what is left out or done already: `warn` or `off`. A **fault** has no level, because no request can be formed\n\
         from what stands there. Neither has what the **ledger** says: nothing is sent against its word. Nor has a person's **word**\n\
         on single orders, which is let go order by order.\n\n\
         The level here is the one by default, for all cases of a rule; at `hold`, milder ones may only warn. `shipsheet rules` shows the levels\n\
         that you have set. The examples show only the columns that matter: everything else is a good order.\n\n\
         This page is made from `templates/rules` (`SHIPSHEET_BLESS=1 cargo test rules::`).\n\n\
         | rule | level | about |\n|---|---|---|\n",
    );
    let level = |rule: &Rule| rule.default_level().map_or(rule.kind.as_str(), RuleLevel::as_str);
    for rule in RULES.iter() {
        let _ = writeln!(text, "| [`{0}`](#{0}) | {1} | {2} |", rule.id, level(rule), rule.title());
    }
    for rule in RULES.iter() {
        let page = rule.text.split_once('\n').map_or("", |(_, page)| page);
        let page =
            page.replace("## It", "### It").replace("```toml profile", "```toml").replace("```toml saved", "```toml");
        let page = page
            .replace("```csv bytes", "```csv")
            .replace("```csv booked", "```csv")
            .replace("```csv warehouses", "```csv");
        let _ = write!(text, "\n## {}\n\n{} ({}, `{}`).\n{page}", rule.id, rule.title(), rule.scope, level(rule));
    }
    text
}

#[test]
fn the_book_of_rules_is_what_the_registry_has() {
    let path = project().join("docs/rules.md");
    if std::env::var_os("SHIPSHEET_BLESS").is_some() {
        std::fs::write(&path, book()).unwrap();
    }
    assert!(
        document("docs/rules.md") == book(),
        "docs/rules.md: `SHIPSHEET_BLESS=1 cargo test rules::` writes it anew"
    );
}
