//! The README is run: its commands, in its order, in one folder, against the output that it shows.
//!
//! `SHIPSHEET_BLESS=1 cargo test readme` writes what the commands really print into the README.

use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use shipsheet::api::operation::{ALL, FORWARD_SHIPMENT};

use crate::documents::{document, project, with_examples};
use crate::rig::Rig;

/// One fenced block.
#[derive(Debug)]
struct Block {
    language: String,
    /// What the comment above it says, for instance `exit 4` or `file: shipsheet.toml`.
    remark: String,
    /// The first and the last line between the fences, counted from 0.
    from: usize,
    to: usize,
}

fn blocks(lines: &[&str]) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut open: Option<usize> = None;
    for (index, line) in lines.iter().enumerate() {
        let Some(language) = line.strip_prefix("```") else { continue };
        if let Some(from) = open.take() {
            blocks.last_mut().unwrap().to = index;
            assert!(language.is_empty(), "README.md:{}: a fence in the block that begins at {from}", index + 1);
            continue;
        }
        let above = index.checked_sub(1).map_or("", |above| lines[above]);
        let remark = above.strip_prefix("<!-- ").and_then(|text| text.strip_suffix(" -->")).unwrap_or_default();
        let (language, remark) = (language.to_owned(), remark.to_owned());
        blocks.push(Block { language, remark, from: index + 1, to: index + 1 });
        open = Some(index + 1);
    }
    assert_eq!(open, None, "a block that does not end");
    blocks
}

/// Whoever follows the README: a folder, what was exported, and the stand-in service of the second terminal.
struct Reader {
    rig: Rig,
    environment: Vec<(String, String)>,
    second_terminal: Option<Child>,
    commands: usize,
}

impl Drop for Reader {
    fn drop(&mut self) {
        if let Some(child) = &mut self.second_terminal {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

impl Reader {
    /// Types one line. Gives what appears and the exit code, where it is a command of ours.
    fn types(&mut self, line: &str) -> Option<(String, i32)> {
        if let Some(assignments) = line.strip_prefix("export ") {
            let pairs = assignments.split(' ').filter_map(|pair| pair.split_once('='));
            // The address is the one that the second terminal really got.
            let pairs = pairs.filter(|(name, _)| *name != "SHIPSHEET_BASE_URL");
            self.environment.extend(pairs.map(|(name, value)| (name.to_owned(), value.to_owned())));
            return None;
        }
        if let Some(names) = line.strip_prefix("unset ") {
            self.environment.retain(|(name, _)| !names.split(' ').any(|forgotten| forgotten == name));
            return None;
        }
        let words = line.strip_prefix("cargo run -- ").or_else(|| line.strip_prefix("shipsheet "));
        let words = words_of(words?);
        self.commands += 1;
        if words[0] == "desk" {
            self.opens_desk(&words);
            return None;
        }
        if words[0] == "sandbox" {
            self.opens_second_terminal(&words);
            return None;
        }
        let output = self.rig.path("output");
        let file = File::create(&output).unwrap();
        let status = self.command(&words).stdout(file.try_clone().unwrap()).stderr(file).status().unwrap();
        Some((fs::read_to_string(&output).unwrap(), status.code().unwrap()))
    }

    fn command(&self, words: &[String]) -> Command {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let mut command = self.rig.command(&words);
        command.env("USER", "asha").envs(self.environment.iter().map(|(name, value)| (name, value)));
        command
    }

    /// Opens the desk, without a browser, and closes it again.
    fn opens_desk(&self, words: &[String]) {
        let mut command = self.command(words);
        let arguments = ["--port", "0", "--no-open"];
        let mut child = command.args(arguments).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut first = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut first).unwrap();
        assert!(first.starts_with("open http://127.0.0.1:"), "{first}");
        child.kill().unwrap();
        child.wait().unwrap();
    }

    fn opens_second_terminal(&mut self, words: &[String]) {
        let mut command = self.command(words);
        let mut child = command.args(["--port", "0"]).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut first = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut first).unwrap();
        let url = first.trim().strip_prefix("listening on ").unwrap();
        self.environment.push(("SHIPSHEET_BASE_URL".to_owned(), url.to_owned()));
        self.second_terminal = Some(child);
    }
}

/// Words as a shell sees them, with double quotes around some.
fn words_of(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (index, part) in line.split('"').enumerate() {
        if index % 2 == 1 {
            words.push(part.to_owned());
        } else {
            words.extend(part.split_whitespace().map(str::to_owned));
        }
    }
    words
}

/// Output without what differs from run to run: AWBs, ids, hashes, times, durations, the order of arrivals.
fn normal(output: &str) -> String {
    let mut lines: Vec<String> = output.trim_end().lines().map(normal_line).collect();
    let is_booking = |line: &String| line.starts_with("  booked: order");
    for run in lines.chunk_by_mut(|one, other| is_booking(one) && is_booking(other)) {
        run.sort();
    }
    lines.join("\n")
}

fn normal_line(line: &str) -> String {
    let mut words: Vec<String> = Vec::new();
    for word in line.split(' ') {
        let before = words.last().map_or("", String::as_str);
        let core: String = word.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect();
        let masked = match (before, core.as_str()) {
            (_, core) if core.starts_with("SBX") => "AWB",
            (_, core) if core.starts_with("SB-") => "ID",
            (_, "0000-00-00" | "00:00:00" | "00:00:00:") => "TIME",
            ("(request", _) => "HASH)",
            ("in", "0" | "0.0" | "00.0" | "00") => "N",
            ("\"seconds\":", _) => "N,",
            ("on", _) if line.contains(" by asha on ") => "HOST",
            (_, core) if core.starts_with("http://000.0.0.0:") => "URL",
            _ => word,
        };
        words.push(masked.to_owned());
    }
    words.join(" ")
}

#[test]
fn every_command_of_the_readme_shows_what_the_readme_shows() {
    let readme = document("README.md");
    let lines: Vec<&str> = readme.lines().collect();
    let mut reader = Reader { rig: with_examples(), environment: Vec::new(), second_terminal: None, commands: 0 };
    let mut output = String::new();
    let mut shown: Vec<(Block, String)> = Vec::new();
    for block in blocks(&lines) {
        let text = lines[block.from..block.to].join("\n");
        match block.language.as_str() {
            "toml" => {
                let name = block.remark.strip_prefix("file: ").unwrap();
                reader.rig.file(name, &text);
            }
            "sh" => {
                output.clear();
                let mut last = 0;
                for line in text.lines() {
                    assert_eq!(last, 0, "README.md:{}: the command before `{line}` failed: {output}", block.from);
                    if let Some((appears, code)) = reader.types(line) {
                        output.push_str(&appears);
                        last = code;
                    }
                }
                let expected = block.remark.strip_prefix("exit ").map_or(0, |code| code.parse().unwrap());
                assert_eq!(last, expected, "README.md:{}: {text}\n{output}", block.from);
            }
            "text" => shown.push((block, output.clone())),
            _ => {}
        }
    }
    assert!(reader.commands >= 15 && shown.len() >= 10, "{} commands, {} outputs", reader.commands, shown.len());
    let of_readme = |block: &Block| normal(&lines[block.from..block.to].join("\n"));
    let wrong = shown.iter().find(|(block, output)| of_readme(block) != normal(output));
    match wrong {
        Some(_) if std::env::var_os("SHIPSHEET_BLESS").is_some() => bless(&lines, &shown),
        Some((block, output)) => {
            assert_eq!(of_readme(block), normal(output), "README.md:{}; SHIPSHEET_BLESS=1 corrects it", block.from);
        }
        None => {}
    }
}

/// Writes every output anew, so that an AWB is the same wherever it is shown.
fn bless(lines: &[&str], shown: &[(Block, String)]) {
    let mut lines: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
    for (block, output) in shown.iter().rev() {
        lines.splice(block.from..block.to, output.trim_end().lines().map(elsewhere));
    }
    fs::write(project().join("README.md"), lines.join("\n") + "\n").unwrap();
}

/// A line without the name of this machine.
fn elsewhere(line: &str) -> String {
    let Some((before, after)) = line.split_once(" by asha on ") else { return line.to_owned() };
    let rest = after.split_once(',').map_or_else(String::new, |(_, rest)| format!(",{rest}"));
    format!("{before} by asha on counter-1{rest}")
}

/// The rows of the table below a heading: the first two cells.
fn table(heading: &str) -> Vec<(String, String)> {
    let readme = document("README.md");
    let section = readme.split_once(&format!("\n## {heading}\n")).unwrap().1;
    let section = section.split("\n## ").next().unwrap();
    let rows = section.lines().filter(|line| line.starts_with('|')).skip(2);
    let cells = |row: &str| {
        let mut cells = row.trim_matches('|').split(" | ").map(|cell| cell.trim().to_owned());
        (cells.next().unwrap(), cells.next().unwrap())
    };
    rows.map(cells).collect()
}

#[test]
fn exit_codes_are_those_of_the_help() {
    let help = Rig::alone().run(&["--help"]).stdout;
    let codes = help.split_once("Exit codes:\n").unwrap().1;
    let of_help: Vec<(String, String)> = codes
        .lines()
        .map(|line| line.trim().split_once("  ").unwrap())
        .map(|(code, meaning)| (code.to_owned(), meaning.to_owned()))
        .collect();
    assert_eq!(of_help.len(), 7);
    assert_eq!(table("Exit codes"), of_help);
}

#[test]
fn commands_are_those_of_the_help() {
    let rig = Rig::alone();
    let mut of_help = Vec::new();
    for name in subcommands(&rig, &[]) {
        match subcommands(&rig, &[&name]).as_slice() {
            [] => of_help.push(name),
            below => of_help.extend(below.iter().map(|below| format!("{name} {below}"))),
        }
    }
    let of_readme: Vec<String> = table("Commands")
        .iter()
        .map(|(command, _)| {
            let words = command.trim_matches('`').split(' ');
            let is_name = |word: &&str| word.starts_with(|c: char| c.is_ascii_lowercase());
            words.take_while(is_name).collect::<Vec<_>>().join(" ")
        })
        .collect();
    assert_eq!(of_readme, of_help);
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
    let readme = document("README.md");
    let mut words = Vec::new();
    gather_words(&json, &mut words);
    assert!(words.len() > 30, "{words:?}");
    for word in words {
        let is_there = readme.contains(&format!("`{word}`")) || readme.contains(&format!("\"{word}\":"));
        assert!(is_there, "the README does not tell of \"{word}\"");
    }
}

fn gather_words(json: &serde_json::Value, words: &mut Vec<String>) {
    match json {
        serde_json::Value::Object(object) => {
            for (word, value) in object {
                words.push(word.clone());
                // What is in these differs from case to case; their schema says it.
                if !["parameters", "remedies"].contains(&word.as_str()) {
                    gather_words(value, words);
                }
            }
        }
        serde_json::Value::Array(array) => array.iter().for_each(|value| gather_words(value, words)),
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
fn known<T>(names: &[(&str, T)]) -> Vec<String> {
    names.iter().map(|(name, _)| (*name).to_owned()).collect()
}

#[test]
fn the_table_of_operations_names_all_that_can_be_adapted() {
    let readme = document("README.md");
    let names = |cell: &str| -> Vec<String> { cell.split('`').skip(1).step_by(2).map(str::to_owned).collect() };
    let rows = readme.lines().filter(|line| line.starts_with("| `")).map(|line| line.split('|').collect::<Vec<_>>());
    let rows: Vec<Vec<&str>> = rows.filter(|cells| cells.len() == 7).collect();
    for operation in ALL {
        let row = rows.iter().find(|cells| names(cells[1]).iter().any(|name| name == operation.name));
        let cells = row.unwrap_or_else(|| panic!("{} is not in the table", operation.name));
        let fields = if cells[4].trim() == "the same" { known(FORWARD_SHIPMENT.fields) } else { names(cells[4]) };
        assert_eq!(
            (fields, names(cells[5])),
            (known(operation.fields), known(operation.request)),
            "{}",
            operation.name
        );
        assert!(cells[2].contains(operation.standing.as_str()), "{}: {}", operation.name, cells[2]);
    }
}

#[test]
fn links_lead_somewhere() {
    for name in ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"] {
        let text = document(name);
        let heads: Vec<String> = text.lines().filter_map(|line| line.strip_prefix("## ")).map(anchor).collect();
        for target in text.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(target, _)| target) {
            if let Some(head) = target.strip_prefix('#') {
                assert!(heads.iter().any(|known| known == head), "{name}: no heading for #{head} in {heads:?}");
            } else if !target.starts_with("http") {
                assert!(project().join(target).exists(), "{name}: {target}");
            }
        }
    }
}

fn anchor(heading: &str) -> String {
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-'));
    kept.map(|c| if c == ' ' { '-' } else { c.to_ascii_lowercase() }).collect()
}
