//! The sources keep to the architecture: who imports whom, where each library lives, how long things may be.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::source::{block, code_of, line_of, without_tests, words};

/// Which modules each module may import, in the order of `lib.rs`; `cli` may import all, and nothing imports `cli`.
pub(crate) const IMPORTS: &[(&str, &[&str])] = &[
    ("env", &[]),
    ("origin", &[]),
    ("text", &[]),
    ("spool", &[]),
    ("memo", &["text"]),
    ("words", &["memo"]),
    ("finding", &["origin", "text"]),
    ("rule", &["finding", "text"]),
    ("field", &["text", "words"]),
    ("sheet", &["finding", "origin", "text", "words"]),
    ("parse", &["field", "origin", "finding", "rule", "text", "words"]),
    ("profile", &["parse", "field", "origin", "finding", "rule", "sheet", "text", "words"]),
    ("column", &["parse", "field", "finding", "origin", "profile", "rule", "sheet", "text", "words"]),
    (
        "order",
        &[
            "parse", "column", "field", "origin", "finding", "memo", "profile", "rule", "sheet", "spool", "text",
            "words",
        ],
    ),
    ("checks", &["parse", "column", "field", "finding", "order", "origin", "profile", "rule", "text", "words"]),
    ("api", &["env", "text", "words"]),
    ("ledger", &["api", "env", "finding", "origin", "text"]),
    ("event", &["api"]),
    (
        "stage",
        &[
            "env", "origin", "text", "spool", "memo", "words", "finding", "rule", "field", "sheet", "parse", "column",
            "profile", "order", "checks", "api", "ledger", "event",
        ],
    ),
    ("log", &["api", "event"]),
    ("book", &["api", "env", "event", "ledger", "text"]),
    ("settle", &["api", "parse", "event", "field", "ledger", "origin", "finding", "sheet", "text", "words"]),
    ("after", &["api", "book", "env", "ledger", "text"]),
    ("report", &["api", "ledger", "origin", "finding", "text"]),
    ("sandbox", &["api"]),
    ("selftest", &["api", "env", "ledger", "sandbox", "text"]),
    (
        "config",
        &[
            "api", "book", "env", "parse", "field", "finding", "ledger", "log", "profile", "rule", "sandbox", "sheet",
            "stage", "text", "words",
        ],
    ),
    (
        "app",
        &[
            "env", "origin", "text", "spool", "memo", "words", "finding", "rule", "field", "sheet", "parse", "column",
            "profile", "order", "checks", "api", "ledger", "event", "log", "stage", "book", "settle", "after",
            "report", "sandbox", "config",
        ],
    ),
    ("overview", &["app", "origin", "report", "text"]),
    (
        "desk",
        &[
            "after", "api", "app", "book", "config", "env", "event", "field", "finding", "ledger", "overview",
            "report", "rule", "settle", "sheet", "stage", "text",
        ],
    ),
    ("watch", &["app", "book", "config", "event", "finding", "ledger", "log", "overview", "report", "stage", "text"]),
    ("notify", &["api", "app", "config", "finding", "ledger", "log", "overview", "report", "text", "watch"]),
    ("doctor", &["api", "app", "config", "env", "finding", "ledger", "log", "notify", "report", "text", "watch"]),
    ("cli", EVERYTHING),
];

const EVERYTHING: &[&str] = &[
    "env", "origin", "text", "spool", "memo", "words", "finding", "rule", "field", "sheet", "parse", "column",
    "profile", "order", "checks", "api", "ledger", "event", "log", "stage", "book", "settle", "after", "report",
    "sandbox", "selftest", "config", "app", "overview", "desk", "watch", "notify", "doctor",
];

/// The only places of libraries that the rest must not know.
const HOMES: &[(&str, &[&str])] = &[
    ("rusqlite", &["src/ledger/db/", "src/ledger/sqlite/"]),
    ("tokio_postgres", &["src/ledger/db/"]),
    ("reqwest", &["src/api/"]),
    ("rustls", &["src/api/"]),
    ("tokio_rustls", &["src/ledger/db/"]),
    ("calamine", &["src/sheet/"]),
    // Its own arithmetic panics where a number is too large.
    ("rust_decimal", &["src/text/decimal.rs"]),
    // A text that was read in a wrong encoding before it came into its sheet is repaired in `parse`.
    ("encoding_rs", &["src/sheet/", "src/parse/damage.rs"]),
    ("zip", &["src/sheet/"]),
    ("quick_xml", &["src/sheet/"]),
    // Sheets are read in one place; what is written is results in `report`.
    ("csv", &["src/sheet/", "src/report/results.rs", "src/report/own_sheet.rs"]),
    // Workbooks are written in four: results, sheets that come home, reports, and the starter sheet; and for the judged sheets.
    (
        "rust_xlsxwriter",
        &[
            "src/report/results.rs",
            "src/report/own_sheet.rs",
            "src/overview/",
            "src/cli/template.rs",
            "examples/judge/judging/workbook.rs",
        ],
    ),
    ("clap", &["src/cli/"]),
    ("clap_complete", &["src/cli/completions.rs"]),
    ("clap_mangen", &["src/cli/completions.rs"]),
    ("indicatif", &["src/cli/screen/"]),
    ("lopdf", &["src/after/"]),
    ("hyper", &["src/api/", "src/sandbox/", "src/after/receiver.rs", "src/desk/"]),
    ("hyper_rustls", &["src/api/"]),
    ("hyper_util", &["src/api/", "src/sandbox/", "src/after/receiver.rs", "src/desk/connections.rs"]),
    ("axum", &["src/desk/"]),
    ("maud", &["src/desk/", "src/overview/"]),
    ("toml_edit", &["src/config/edit.rs", "src/profile/edit.rs"]),
    ("lettre", &["src/notify/"]),
    ("rustls", &["src/api/"]),
    ("rustls_platform_verifier", &["src/api/"]),
];

const LINES_MAX: usize = 500;
const FUNCTION_LINES_MAX: usize = 70;

/// What ends the process where an error should have been told.
const PANICS: &[&str] = &[".unwrap()", ".expect(", "panic!", "unreachable!", "todo!", "unimplemented!"];

/// Where it is right all the same, and why.
const PANICS_ALLOWED: &[(&str, &str, &str)] =
    &[("src/api/wire.rs", ".expect(", "strings and decimals always have a JSON form")];

/// What writes to a terminal, or could: only one place may, where every text is made harmless first.
const TERMINAL: &[(&str, &str)] = &[
    ("stdout", "()"),
    ("stderr", "()"),
    ("println", "!"),
    ("eprintln", "!"),
    ("print", "!"),
    ("eprint", "!"),
    ("dbg", "!"),
    ("print", "()"),
    ("anstream", "::"),
];

/// Where it is right all the same, and why.
const TERMINAL_ALLOWED: &[(&str, &str)] = &[
    ("src/cli/screen/terminal.rs", "this is the one place"),
    ("src/cli/keyboard.rs", "on Windows what reads a password is called by the screen; it writes the end of a line"),
    ("src/sheet/workbook/isolate.rs", "both are pipes to the process that started the helper"),
];

/// A source file of the project.
pub(crate) struct Source {
    /// From the project's root, with `/`.
    pub(crate) name: String,
    pub(crate) text: String,
    /// Without comments and the insides of strings.
    code: String,
    /// The same without tests; nothing where the whole file is one.
    pub(crate) product: String,
}

impl Source {
    pub(crate) fn new(name: &str, text: &str) -> Self {
        let code = code_of(text);
        let is_test = name.starts_with("tests/")
            || name.contains("/tests/")
            || name.ends_with("tests.rs")
            || name.starts_with("benches/");
        let product = if is_test { String::new() } else { without_tests(&code) };
        Self { name: name.to_owned(), text: text.to_owned(), code, product }
    }

    /// The module and how deep the file lies in it: `src/api/client.rs` is `api`, 2.
    fn module(&self) -> Option<(&str, usize)> {
        let path = self.name.strip_prefix("src/")?.strip_suffix(".rs")?;
        let path = path.strip_suffix("/mod").unwrap_or(path);
        let module = path.split('/').next()?;
        (!matches!(module, "lib" | "main")).then(|| (module, path.split('/').count()))
    }

    /// Modules of this package that the code names, with their lines.
    fn imports(&self) -> Vec<(String, usize)> {
        let code = &self.product;
        let mut found = Vec::new();
        for at in words(code, "crate") {
            let Some(path) = code[at + "crate".len()..].strip_prefix("::") else { continue };
            found.extend(heads(path).into_iter().map(|head| (head, line_of(code, at))));
        }
        let depth = self.module().map_or(usize::MAX, |(_, depth)| depth);
        let chain = "super::";
        for at in words(code, "super").filter(|at| !code[..*at].ends_with("super::")) {
            let climbs = code.as_bytes()[at..].chunks(chain.len()).take_while(|c| *c == chain.as_bytes()).count();
            if climbs >= depth {
                let path = &code[at + depth * chain.len()..];
                found.extend(heads(path).into_iter().map(|head| (head, line_of(code, at))));
            }
        }
        found
    }
}

/// The first names of a path: `a::b` gives `a`, `{a::b, c}` gives `a` and `c`.
fn heads(path: &str) -> Vec<String> {
    let name = |text: &str| text.trim().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>();
    if !path.starts_with('{') {
        return vec![name(path)];
    }
    let group = &path[1..block(path) - 1];
    let mut depth = 0;
    let parts = group.split(|c| {
        depth += i32::from(c == '{') - i32::from(c == '}');
        c == ',' && depth == 0
    });
    parts.map(name).filter(|name| !name.is_empty()).collect()
}

fn wrong_imports(source: &Source) -> Vec<String> {
    let Some((module, _)) = source.module() else { return Vec::new() };
    let Some((_, allowed)) = IMPORTS.iter().find(|(name, _)| *name == module) else {
        return vec![format!("{}: the module `{module}` is not in the table", source.name)];
    };
    let known = |name: &str| IMPORTS.iter().any(|(module, _)| *module == name);
    let wrong = |(name, line): (String, usize)| {
        let right = name == module || !known(&name) || allowed.contains(&name.as_str());
        (!right).then(|| format!("{}:{line}: `{module}` may not import `{name}`", source.name))
    };
    source.imports().into_iter().filter_map(wrong).collect()
}

fn wrong_homes(source: &Source) -> Vec<String> {
    let mut found = Vec::new();
    for (library, homes) in HOMES {
        if homes.iter().any(|home| source.name.starts_with(home)) {
            continue;
        }
        for at in words(&source.product, library) {
            let used = source.product[at + library.len()..].starts_with("::");
            if used && !source.product[..at].ends_with("::") {
                found.push(format!("{}:{}: `{library}` lives in {homes:?}", source.name, line_of(&source.product, at)));
            }
        }
    }
    found
}

fn wrong_lengths(source: &Source) -> Vec<String> {
    let mut found = Vec::new();
    let caption = source.text.lines().next().unwrap_or_default();
    if !caption.starts_with("//! ") || caption.len() < 12 {
        found.push(format!("{}:1: no caption", source.name));
    }
    let lines = source.text.lines().count();
    if lines > LINES_MAX {
        found.push(format!("{}: {lines} lines, at most {LINES_MAX}", source.name));
    }
    for at in words(&source.code, "fn") {
        let rest = &source.code[at..];
        let Some(open) = rest.find(['{', ';']).filter(|open| rest[*open..].starts_with('{')) else { continue };
        let body = &rest[open..open + block(&rest[open..])];
        let long = body.lines().filter(|line| !line.trim().is_empty()).count().saturating_sub(2);
        if long > FUNCTION_LINES_MAX {
            let line = line_of(&source.code, at);
            found.push(format!("{}:{line}: a function of {long} lines, at most {FUNCTION_LINES_MAX}", source.name));
        }
    }
    found
}

fn wrong_panics(source: &Source) -> Vec<String> {
    let mut found = Vec::new();
    for panic in PANICS {
        if PANICS_ALLOWED.iter().any(|(name, what, _)| *name == source.name && what == panic) {
            continue;
        }
        for (at, _) in source.product.match_indices(panic) {
            found.push(format!("{}:{}: {panic} outside tests", source.name, line_of(&source.product, at)));
        }
    }
    found
}

/// Windows syncs no file that was opened to be read.
fn wrong_syncs(source: &Source) -> Vec<String> {
    let statements = source.product.split_inclusive(';').filter(|_| source.name != "src/ledger/place.rs");
    let wrong = statements.filter(|statement| statement.contains("File::open(") && statement.contains(".sync_"));
    wrong.map(|statement| format!("{}: {} fails on Windows", source.name, statement.trim())).collect()
}

fn wrong_writers(source: &Source) -> Vec<String> {
    let is_ours = source.name.starts_with("src/");
    if !is_ours || TERMINAL_ALLOWED.iter().any(|(name, _)| *name == source.name) {
        return Vec::new();
    }
    let code = &source.product;
    let of = |(name, behind): &(&str, &str)| -> Vec<String> {
        let found = words(code, name).filter(|at| code[at + name.len()..].starts_with(behind));
        found
            .map(|at| format!("{}:{}: {name}{behind} writes past the one place", source.name, line_of(code, at)))
            .collect()
    };
    TERMINAL.iter().flat_map(of).collect()
}

/// Places of one machine, which mean nothing to anybody else. Written in halves: this file is searched too.
fn wrong_places(name: &str, text: &str) -> Vec<String> {
    let places = [["/wo", "rk/"], ["/tmp/", "wt"], ["/ro", "ot/"], ["issues ", "show"]].map(|halves| halves.concat());
    let lines = text.lines().zip(1..);
    lines
        .filter(|(line, _)| places.iter().any(|place| line.contains(place.as_str())))
        .map(|(_, number)| format!("{name}:{number}: names a place of one machine"))
        .collect()
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The project's own files under a folder, by their names from the root.
fn files(folder: &Path, found: &mut Vec<(String, PathBuf)>) {
    for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let path = entry.path();
        let name = path.strip_prefix(root()).unwrap().to_str().unwrap().replace('\\', "/");
        if path.is_dir() {
            // What a build or a user of this clone leaves at the root is not the project's.
            let ours = [".ci", "benches", "docs", "examples", "src", "templates", "tests"];
            if folder != root() || ours.contains(&name.as_str()) {
                files(&path, found);
            }
        } else if folder != root() || path.extension().is_some_and(|end| end == "md") || name == "Cargo.toml" {
            found.push((name, path));
        }
    }
}

fn project() -> Vec<(String, PathBuf)> {
    let mut found = Vec::new();
    files(root(), &mut found);
    found.sort();
    found
}

pub(crate) fn sources() -> Vec<Source> {
    let project = project().into_iter().filter(|(name, _)| Path::new(name).extension().is_some_and(|end| end == "rs"));
    project.map(|(name, path)| Source::new(&name, &std::fs::read_to_string(path).unwrap())).collect()
}

pub(crate) fn hold(check: impl Fn(&Source) -> Vec<String>) {
    let sources = sources();
    assert!(sources.iter().any(|source| source.name == "src/api/client.rs"), "the sources are not where they were");
    let found: Vec<String> = sources.iter().flat_map(check).collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn imports_keep_to_the_table() {
    hold(wrong_imports);
}

#[test]
fn the_table_is_that_of_the_library_and_points_one_way() {
    let library = std::fs::read_to_string(root().join("src/lib.rs")).unwrap();
    let order: Vec<&str> = library
        .lines()
        .filter_map(|line| {
            line.rsplit_once("pub mod ").or_else(|| line.rsplit_once("pub(crate) mod "))?.1.strip_suffix(';')
        })
        .collect();
    let table: Vec<&str> = IMPORTS.iter().map(|(module, _)| *module).collect();
    assert_eq!(order, table, "lib.rs lists the modules in the order of the table");
    for (position, (module, allowed)) in IMPORTS.iter().enumerate() {
        let above: BTreeSet<&str> = table[..position].iter().copied().collect();
        assert!(allowed.iter().all(|name| above.contains(name)), "{module} imports what stands below it");
    }
}

#[test]
fn libraries_stay_at_home() {
    hold(wrong_homes);
}

#[test]
fn captions_files_and_functions() {
    hold(wrong_lengths);
}

#[test]
fn nothing_panics_outside_tests() {
    hold(wrong_panics);
    for (name, what, why) in PANICS_ALLOWED {
        let source = std::fs::read_to_string(root().join(name)).unwrap();
        assert!(source.contains(what), "{name} no longer needs to be allowed `{what}` ({why})");
    }
}

#[test]
fn files_are_synced_by_handles_that_may_write() {
    hold(wrong_syncs);
    let backup = "fn f() { make(); std::fs::File::open(to).and_then(|file| file.sync_all()).map_err(g) }";
    assert_eq!(wrong_syncs(&Source::new("src/ledger/check.rs", backup)).len(), 1);
    let own = "fn f() { File::open(x); file.sync_all() }";
    assert!(wrong_syncs(&Source::new("src/app/aside.rs", own)).is_empty());
}

#[test]
fn one_place_writes_to_the_terminal() {
    hold(wrong_writers);
    for (name, why) in TERMINAL_ALLOWED {
        let source = std::fs::read_to_string(root().join(name)).unwrap();
        assert!(
            TERMINAL.iter().any(|(writer, _)| source.contains(writer)),
            "{name} no longer needs to be allowed ({why})"
        );
    }
}

#[test]
fn no_text_names_a_place_of_one_machine() {
    let mut found = Vec::new();
    for (name, path) in project() {
        if let Ok(text) = std::fs::read_to_string(path) {
            found.extend(wrong_places(&name, &text));
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn a_wrong_import_is_found_in_every_spelling() {
    let spellings = [
        "use crate::sheet::Row;",
        "use crate::{origin::Place, sheet::{Row, book}};",
        "fn f() { crate::sheet::open(); }",
        "use super::super::sheet::Row;",
        "use super::super::{origin, sheet};",
    ];
    for spelling in spellings {
        let source = Source::new("src/parse/value.rs", &format!("//! Made up for a test.\n{spelling}\n"));
        assert_eq!(wrong_imports(&source), ["src/parse/value.rs:2: `parse` may not import `sheet`"], "{spelling}");
    }
    let harmless = "// crate::sheet\nuse super::sheet_like; use crate::field::Id;\n#[cfg(test)]\nmod tests { use crate::sheet::Row; }";
    assert!(wrong_imports(&Source::new("src/parse/value.rs", harmless)).is_empty());
    assert_eq!(wrong_imports(&Source::new("src/text.rs", "use super::sheet::Row;")).len(), 1);
    assert_eq!(wrong_imports(&Source::new("src/report/mod.rs", "use super::cli::Exit;")).len(), 1);
    assert_eq!(wrong_imports(&Source::new("src/news/mod.rs", "")).len(), 1, "an unknown module");
}

#[test]
fn a_library_away_from_home_is_found() {
    let away = Source::new("src/book/plan.rs", "use rusqlite::Connection;\nfn f() { csv::Reader::from_path(p); }");
    assert_eq!(wrong_homes(&away).len(), 2);
    let home = Source::new("src/ledger/sqlite/open.rs", "use rusqlite::Connection;");
    assert!(wrong_homes(&home).is_empty());
    let other = Source::new("src/book/plan.rs", "use crate::text::csv::Thing; // rusqlite::Connection");
    assert!(wrong_homes(&other).is_empty());
}

#[test]
fn a_long_file_a_long_function_and_a_missing_caption_are_found() {
    let of = |lines: usize| format!("//! Made up for a test.\nfn f() {{\n{}}}\n", "    g();\n".repeat(lines));
    assert!(wrong_lengths(&Source::new("src/a.rs", &of(70))).is_empty());
    assert_eq!(wrong_lengths(&Source::new("src/a.rs", &of(71))), ["src/a.rs:2: a function of 71 lines, at most 70"]);
    assert_eq!(wrong_lengths(&Source::new("src/a.rs", "fn f() {}\n")), ["src/a.rs:1: no caption"]);
    let long = format!("//! Made up for a test.\n{}", "// more\n".repeat(500));
    assert_eq!(wrong_lengths(&Source::new("src/a.rs", &long)), ["src/a.rs: 501 lines, at most 500"]);
}

#[test]
fn a_panic_outside_tests_is_found() {
    let source =
        Source::new("src/a.rs", "fn f() { g().unwrap(); }\n#[cfg(test)]\nmod tests { fn f() { g().unwrap() } }");
    assert_eq!(wrong_panics(&source), ["src/a.rs:1: .unwrap() outside tests"]);
    assert!(wrong_panics(&Source::new("src/a.rs", "let s = \"panic!\"; g().unwrap_or_default()")).is_empty());
    assert!(wrong_panics(&Source::new("tests/it/rig.rs", "g().unwrap()")).is_empty());
}

#[test]
fn a_second_writer_is_found() {
    for line in ["eprintln!(\"x\")", "std::io::stderr().lock()", "io::stdout()", "anstream::stderr()", "error.print()"]
    {
        let source = Source::new("src/a.rs", &format!("fn f() {{ {line}; }}"));
        assert!(!wrong_writers(&source).is_empty(), "{line}");
    }
    assert!(wrong_writers(&Source::new("src/a.rs", "fn f() { print_json(&x); command.stderr(pipe); }")).is_empty());
}

#[test]
fn a_place_of_one_machine_is_found() {
    let text = format!("fine\nsee {}{} for more\n", "/wo", "rk/notes");
    assert_eq!(wrong_places("README.md", &text), ["README.md:2: names a place of one machine"]);
}
