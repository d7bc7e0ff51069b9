//! The README and the pages of `docs` are run: the commands of each page, in its order and in a folder of its own, against
//! the outputs that it shows.
//!
//! Blocks of `sh` are run. Those of `bash` and `console` are for other machines: the program has to know their commands, like
//! those in the text. `SHIPSHEET_BLESS=1 cargo test readme` writes what commands really print into the pages.

use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use shipsheet::config::{Config, Overrides};

use crate::documents::{document, project, with_examples};
use crate::rig::Rig;
use crate::tables::subcommands;

/// What stands in a block of `sh` and is not run here.
const NOT_RUN: [&str; 1] = ["cargo test"];

/// What people read.
pub(crate) struct Page {
    /// Its name from the project's folder.
    pub(crate) name: String,
    pub(crate) lines: Vec<String>,
}

/// The README and its pages, without the book of rules: that is generated, and its examples have tests of their own.
pub(crate) fn pages() -> Vec<Page> {
    let docs = fs::read_dir(project().join("docs")).unwrap();
    let docs = docs.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let docs = docs.filter(|name| name != "rules.md");
    let docs = docs.filter_map(|name| Some(format!("docs/{}.md", name.strip_suffix(".md")?)));
    let mut names: Vec<String> = ["README.md", "SECURITY.md"].map(str::to_owned).into_iter().chain(docs).collect();
    names.sort();
    names.into_iter().map(Page::open).collect()
}

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

/// A block of output, and what the commands above it print.
struct Shown {
    block: Block,
    output: String,
}

impl Page {
    pub(crate) fn open(name: String) -> Self {
        let lines = document(&name).lines().map(str::to_owned).collect();
        Self { name, lines }
    }

    fn blocks(&self) -> Vec<Block> {
        let mut blocks: Vec<Block> = Vec::new();
        let mut open: Option<usize> = None;
        for (index, line) in self.lines.iter().enumerate() {
            let Some(language) = line.trim_start().strip_prefix("```") else { continue };
            let place = format!("{}:{}", self.name, index + 1);
            assert_eq!(line.len(), language.len() + 3, "{place}: a block begins at the start of its line");
            if let Some(from) = open.take() {
                blocks.last_mut().unwrap().to = index;
                assert!(language.is_empty(), "{place}: a fence in the block that begins at {from}");
                continue;
            }
            let above = index.checked_sub(1).map_or("", |above| self.lines[above].as_str());
            let remark = above.strip_prefix("<!-- ").and_then(|text| text.strip_suffix(" -->")).unwrap_or_default();
            let (language, remark) = (language.to_owned(), remark.to_owned());
            blocks.push(Block { language, remark, from: index + 1, to: index + 1 });
            open = Some(index + 1);
        }
        assert_eq!(open, None, "{}: a block that does not end", self.name);
        blocks
    }

    fn text(&self, block: &Block) -> String {
        self.lines[block.from..block.to].join("\n")
    }

    /// Whether a command that is run names a file; else the file is a configuration, which has to be valid.
    fn has_command_with(&self, file: &str) -> bool {
        self.blocks().iter().any(|block| block.language == "sh" && self.text(block).contains(file))
    }

    /// The lines outside of blocks; a line within one is blank here.
    pub(crate) fn prose(&self) -> Vec<&str> {
        let mut is_block = false;
        let own = self.lines.iter().map(|line| {
            let is_fence = line.trim_start().starts_with("```");
            is_block ^= is_fence;
            if is_block || is_fence { "" } else { line.as_str() }
        });
        own.collect()
    }

    /// Every command of the program that is named on the page: in blocks that are typed, and in the text.
    fn commands(&self, top: &[String]) -> Vec<String> {
        let typed = |block: &Block| ["sh", "bash", "console"].contains(&block.language.as_str());
        let blocks = self.blocks().into_iter().filter(typed);
        let mut commands: Vec<String> = blocks.flat_map(|block| whole_lines(&self.text(&block))).collect();
        commands = commands.iter().flat_map(|line| named(line)).collect();
        let paragraphs = self.prose().split(|line| line.is_empty()).map(|lines| lines.join(" ")).collect::<Vec<_>>();
        let spans = paragraphs.iter().flat_map(|text| text.split('`').skip(1).step_by(2));
        for span in spans {
            let first = span.split(' ').next().unwrap_or_default();
            if span.starts_with("shipsheet ") {
                commands.extend(named(span));
            } else if span.contains(' ') && top.iter().any(|name| name == first) {
                commands.extend(named(&format!("shipsheet {span}")));
            }
        }
        commands
    }
}

/// Lines as a shell takes them: one that ends in a backslash goes on.
fn whole_lines(text: &str) -> Vec<String> {
    text.replace("\\\n", " ").lines().map(|line| line.trim().to_owned()).collect()
}

/// The program's commands in a line, without what is before and behind them.
fn named(line: &str) -> Vec<String> {
    const ENDS: [&str; 9] = [" # ", " | ", " > ", " >> ", " && ", " ;;", ";", "…", "\\"];
    let begins = line.match_indices("shipsheet ").filter(|(at, _)| {
        let before = line[..*at].chars().next_back();
        before.is_none_or(|before| before == ' ') && line[at + 10..].starts_with(|c: char| c == '-' || c.is_lowercase())
    });
    let rests = begins.map(|(at, name)| &line[at + name.len()..]);
    let rests = rests.map(|rest| ENDS.iter().fold(rest, |rest, end| rest.split(end).next().unwrap_or_default()));
    // A short flag alone belongs to another program.
    rests.filter(|rest| rest.starts_with("--") || !rest.starts_with('-')).map(str::to_owned).collect()
}

#[test]
fn the_program_knows_every_command_of_the_readme_and_its_pages() {
    let rig = Rig::alone();
    let top = subcommands(&rig, &[]);
    let mut wrong = Vec::new();
    let mut known = 0;
    for page in pages() {
        for command in page.commands(&top) {
            let words = words_of(&command).into_iter().map(|word| match word.trim_matches(['[', ']']) {
                // What stands for a value of which only some may be typed.
                "N" | "NUMBER" => "7".to_owned(),
                "DAY" => "2026-11-20".to_owned(),
                "SHELL" => "bash".to_owned(),
                "RULE" => "total-differs".to_owned(),
                word => word.to_owned(),
            });
            let words: Vec<String> = words.filter(|word| !word.is_empty()).chain(["--help".to_owned()]).collect();
            let ran = rig.run(&words.iter().map(String::as_str).collect::<Vec<_>>());
            known += usize::from(ran.exit == 0);
            if ran.exit != 0 {
                wrong.push(format!("{}: shipsheet {command}: {}", page.name, ran.stderr.lines().next().unwrap_or("")));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(known > 100, "{known}");
}

/// A reader of a page: a folder, what was exported, and the stand-in service of the second terminal.
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
    fn new() -> Self {
        Self { rig: with_examples(), environment: Vec::new(), second_terminal: None, commands: 0 }
    }

    /// Types all that the page says, and gives what appears, with how many commands that were.
    fn reads(mut self, page: &Page) -> (usize, Vec<Shown>) {
        let mut output = String::new();
        let mut shown: Vec<Shown> = Vec::new();
        for block in page.blocks() {
            let text = page.text(&block);
            let place = format!("{}:{}", page.name, block.from);
            match block.language.as_str() {
                "toml" => {
                    let name =
                        block.remark.strip_prefix("file: ").unwrap_or_else(|| panic!("{place}: which file is it?"));
                    let file = self.rig.file(name, &text);
                    if !page.has_command_with(name) && name != "Cargo.toml" {
                        let own =
                            Overrides { file: Some(file), folder: Some(self.rig.path("own")), ..Overrides::default() };
                        assert_eq!(Config::open(own).err().map(|error| error.to_string()), None, "{place}: {name}");
                    }
                }
                "sh" => {
                    output.clear();
                    let mut last = 0;
                    for line in whole_lines(&text) {
                        assert_eq!(last, 0, "{place}: the command before `{line}` failed: {output}");
                        if let Some((appears, code)) = self.types(&line, &place) {
                            output.push_str(&appears);
                            last = code;
                        }
                    }
                    let expected = block.remark.strip_prefix("exit ").map_or(0, |code| code.parse().unwrap());
                    assert_eq!(last, expected, "{place}: {text}\n{output}");
                }
                "text" => shown.push(Shown { block, output: output.clone() }),
                "bash" | "console" | "json" | "csv" | "rust" | "xml" => {}
                other => panic!("{place}: what is a block of \"{other}\"?"),
            }
        }
        (self.commands, shown)
    }

    /// Types one line. Gives what appears and the exit code, where it is a command of ours.
    fn types(&mut self, line: &str, place: &str) -> Option<(String, i32)> {
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
        let Some(words) = words.map(words_of) else {
            assert!(
                NOT_RUN.contains(&line),
                "{place}: `{line}` is not run: it belongs into a block of bash or console"
            );
            return None;
        };
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
fn every_command_of_the_readme_and_its_pages_shows_what_they_show() {
    let pages = pages();
    let ran: Vec<(usize, Vec<Shown>)> = std::thread::scope(|scope| {
        let readers: Vec<_> = pages.iter().map(|page| scope.spawn(move || Reader::new().reads(page))).collect();
        readers.into_iter().map(|reader| reader.join().unwrap()).collect()
    });
    let (commands, outputs) = ran.iter().fold((0, 0), |sum, (typed, shown)| (sum.0 + typed, sum.1 + shown.len()));
    assert!(commands >= 30 && outputs >= 15, "{commands} commands, {outputs} outputs");
    for (page, (_, shown)) in pages.iter().zip(&ran) {
        let wrong = shown.iter().find(|shown| normal(&page.text(&shown.block)) != normal(&shown.output));
        match wrong {
            Some(_) if std::env::var_os("SHIPSHEET_BLESS").is_some() => bless(page, shown),
            Some(Shown { block, output }) => {
                let place = format!("{}:{}", page.name, block.from);
                assert_eq!(normal(&page.text(block)), normal(output), "{place}; SHIPSHEET_BLESS=1 corrects it");
            }
            None => {}
        }
    }
}

/// Writes every output of a page anew, so that an AWB is the same wherever it is shown.
fn bless(page: &Page, shown: &[Shown]) {
    let mut lines = page.lines.clone();
    for Shown { block, output } in shown.iter().rev() {
        lines.splice(block.from..block.to, output.trim_end().lines().map(elsewhere));
    }
    fs::write(project().join(&page.name), lines.join("\n") + "\n").unwrap();
}

/// A line without the name of this machine.
fn elsewhere(line: &str) -> String {
    let Some((before, after)) = line.split_once(" by asha on ") else { return line.to_owned() };
    let rest = after.split_once(',').map_or_else(String::new, |(_, rest)| format!(",{rest}"));
    format!("{before} by asha on counter-1{rest}")
}

#[test]
fn commands_are_found_in_every_form() {
    let found = |line: &str| named(line).join(" + ");
    assert_eq!(found("$ shipsheet runs --limit 5   # all"), "runs --limit 5  ");
    assert_eq!(found("3|4) shipsheet rejects --to \"$1\" ;;"), "rejects --to \"$1\"");
    assert_eq!(found("docker build -t shipsheet -f Containerfile ."), "");
    assert_eq!(
        found("docker run x shipsheet --sandbox import a.csv && shipsheet status"),
        "--sandbox import a.csv + status"
    );
    assert_eq!(found("shipsheet-night.service, /usr/bin/shipsheet watch x, shipsheet"), "");
    let page =
        "text `shipsheet show ORDER` and `retry\n--run 7` and `status`\n\n```console\n$ shipsheet a \\\n  b\n```";
    let page = Page { name: String::new(), lines: page.lines().map(str::to_owned).collect() };
    let top = ["retry", "status"].map(str::to_owned);
    assert_eq!(page.commands(&top), ["a    b", "show ORDER", "retry --run 7"]);
}
