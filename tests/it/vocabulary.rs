//! Words that people write are data: no list of them stands in Rust, and every sense that is asked for is there.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use shipsheet::field::Status;
use shipsheet::words::{Language, OwnWords, Remark, Vocabulary};

use crate::documents::project;
use crate::source::without_tests;

/// So many words in a row are a list.
const LIST_MIN: usize = 6;

/// The modules that read what people write: there three words, or signs that stand for words, are a list.
const READING: [&str; 9] = ["check", "checks", "column", "field", "order", "profile", "settle", "stage", "words"];
const READING_MIN: usize = 3;

/// The lists that may stand in Rust, by the beginning of their file's name, each with its reason.
const ALLOWED: &[(&str, &str)] = &[
    ("src/api/cancel.rs", "what the service answers: matched as parts of a body, and money hangs on it"),
    ("src/app/warehouses/sheet.rs", "names of columns of the program's own sheet of warehouses"),
    ("src/cli/groups.rs", "names of the program's own commands"),
    ("src/cli/profile/", "answers to the program's own questions, and commands"),
    ("src/field/amount_name.rs", "names of classes of words"),
    ("src/field/address_part.rs", "how addresses of pages begin"),
    ("src/ledger/db/address.rs", "names of the settings of a connection, as every client of PostgreSQL has them"),
    ("src/ledger/network.rs", "names of file systems and of their folders"),
    ("src/profile/back.rs", "names of places in the program's own profiles"),
    ("src/profile/totals.rs", "names of the lines of a profile's table"),
    ("src/stage/changed.rs", "names of parts of a request"),
    ("src/profile/file.rs", "names of the program's own profiles"),
    ("src/report/results.rs", "names of the program's own columns"),
    ("src/sheet/workbook/numbers.rs", "units within number formats: a table of measures"),
    ("src/sheet/workbook/render.rs", "what spreadsheets write for an error"),
];

/// A string of a source that is made of small words alone.
struct Words<'s> {
    text: &'s str,
    begins: usize,
    ends: usize,
}

/// The strings of a source, but for those in comments.
fn strings(source: &str) -> Vec<(usize, usize)> {
    let (mut found, mut at) = (Vec::new(), 0);
    while let Some(c) = source[at..].chars().next() {
        let rest = &source[at..];
        let length = match c {
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '\'' if rest[1..].starts_with('\\') => rest[2..].find('\'').map_or(1, |end| end + 3),
            '\'' if rest[1..].chars().nth(1) == Some('\'') => 2 + rest[1..].chars().next().map_or(0, char::len_utf8),
            '"' => {
                let mut escaped = false;
                let end = rest[1..].char_indices().find(|(_, c)| {
                    let ends = *c == '"' && !escaped;
                    escaped = *c == '\\' && !escaped;
                    ends
                });
                let length = end.map_or(rest.len(), |(end, _)| end + 2);
                found.push((at, at + length));
                length
            }
            _ => c.len_utf8(),
        };
        at += length;
    }
    found
}

/// Whether a word has nothing but small letters, and signs where these may stand for words as well: `n/a`.
fn is_small(word: &str, has_signs: bool) -> bool {
    let is_part = |byte: u8| byte.is_ascii_lowercase() || (has_signs && b"/.#()<>-?".contains(&byte));
    !word.is_empty() && word.bytes().all(is_part)
}

/// The lists of words in a source: strings of small words one after the other, as in a slice or a pattern, and constants of
/// many of them.
fn lists(source: &str, least: usize) -> Vec<String> {
    let code = without_tests(source);
    let small = |(begins, ends): (usize, usize)| {
        let text = &code[begins + 1..ends - 1];
        let is_small = |word| is_small(word, least == READING_MIN);
        text.replace('\\', " ").split_whitespace().all(is_small).then_some(Words { text, begins, ends })
    };
    let mut found = Vec::new();
    let mut row: Vec<Words<'_>> = Vec::new();
    for (begins, ends) in strings(&code) {
        let joins = row.last().is_some_and(|last| matches!(code[last.ends..begins].trim(), "," | "|"));
        if !joins {
            found.extend(told(&row, least));
            row.clear();
        }
        let next = small((begins, ends));
        if next.is_none() {
            found.extend(told(&row, least));
            row.clear();
        }
        if let Some(next) = &next {
            let count = next.text.replace('\\', " ").split_whitespace().count();
            let before = code[..next.begins].trim_end();
            let is_constant = before.ends_with('=') && before.trim_end_matches('=').trim_end().ends_with("&str");
            let is_asked = ["has(", "among(", "has_word("].iter().any(|call| before.ends_with(call));
            if count >= LIST_MIN && (is_constant || is_asked) {
                found.push(next.text.chars().take(40).collect());
            }
        }
        row.extend(next);
    }
    found.extend(told(&row, least));
    found
}

fn told(row: &[Words<'_>], least: usize) -> Option<String> {
    // Signs alone are no words.
    let says = row.iter().any(|own| own.text.contains(|c: char| c.is_ascii_lowercase()));
    (row.len() >= least && says).then(|| row.iter().map(|own| own.text).take(4).collect::<Vec<_>>().join(", "))
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|end| end == "rs") {
            found.push(path);
        }
    }
}

/// The product's sources, by their names from the root.
fn product() -> Vec<(String, String)> {
    let mut paths = Vec::new();
    sources(&project().join("src"), &mut paths);
    let named = paths.into_iter().map(|path| {
        let name = path.strip_prefix(project()).unwrap().to_str().unwrap().replace('\\', "/");
        let text = fs::read_to_string(&path).unwrap();
        (name, text)
    });
    named.filter(|(name, _)| !name.contains("/tests") && !name.ends_with("_tests.rs")).collect()
}

#[test]
fn no_list_of_words_in_rust() {
    let mut used = Vec::new();
    let mut wrong = Vec::new();
    for (name, text) in product() {
        let reads = READING.iter().any(|own| name.starts_with(&format!("src/{own}/")));
        let lists = lists(&text, if reads { READING_MIN } else { LIST_MIN });
        match ALLOWED.iter().find(|(file, _)| name.starts_with(file)) {
            Some((file, _)) if !lists.is_empty() => used.push(*file),
            Some(_) => {}
            None => wrong.extend(lists.into_iter().map(|list| format!("{name}: {list}"))),
        }
    }
    assert!(wrong.is_empty(), "words belong into templates/words: {wrong:#?}");
    let idle: Vec<&str> = ALLOWED.iter().map(|(file, _)| *file).filter(|file| !used.contains(file)).collect();
    assert!(idle.is_empty(), "no list is left there, so it need not be allowed: {idle:?}");
}

#[test]
fn lists_of_words_are_seen_in_every_form() {
    assert_eq!(lists(r#"["yes", "y", "true"].map(f); &["n/a", "-", "(null)"]"#, READING_MIN).len(), 2);
    assert_eq!(lists(r#"["yes", "y"].map(f); [("a", 1), ("b", 2), ("c", 3)]"#, READING_MIN).len(), 0);
    let lists = |code: &str| lists(code, LIST_MIN).len();
    assert_eq!(lists(r#"const A: &[&str] = &["a", "b", "c", "d", "e", "f"];"#), 1);
    assert_eq!(lists(r#"matches!(x, "a" | "b" | "c" | "d e" | "f" | "g")"#), 1);
    assert_eq!(lists("const A: &str = \"a b c d e \\\n    f\";"), 1);
    assert_eq!(lists(r#"has("a b c d e f")"#), 1);
    assert_eq!(lists(r#"say("a b c d e f"); f(&["a", "b"]); const B: &str = "a b";"#), 0);
    assert_eq!(lists(r#"let a = ["receiver.name", "b", "c", "d", "e", "f"];"#), 0);
    assert_eq!(lists("#[cfg(test)]\nmod tests { const A: &str = \"a b c d e f\"; }"), 0);
}

/// Every sense and class that a source names: with its topic, or in a call that stands for a question about its only topic.
fn asked(source: &str) -> Vec<(String, String)> {
    let code = without_tests(source);
    let text = |rest: &str| rest.trim_start().strip_prefix('"')?.split('"').next().map(str::to_owned);
    let named = |rest: &str| rest.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default().to_lowercase();
    let topics: Vec<String> = code.split("Topic::").skip(1).map(named).collect();
    let with_topic =
        code.split("Topic::").skip(1).filter_map(|rest| Some((named(rest), text(rest.split_once(',')?.1)?)));
    let of_topic = code.split("Topic::").skip(1).filter_map(|rest| Some((named(rest), rest.split_once(".lists(")?)));
    let of_topic = of_topic.filter(|(topic, (before, _))| topic.len() == before.len());
    let mut asked: Vec<(String, String)> = with_topic.collect();
    asked.extend(of_topic.filter_map(|(topic, (_, rest))| Some((topic, text(rest)?))));
    if let Some(only) = topics.first().filter(|first| topics.iter().all(|topic| topic == *first)) {
        for call in ["said(", "lists(", "listed("] {
            // What is called by another type's name asks no vocabulary, and a method has its topic before it.
            let calls = code.match_indices(call).filter(|(at, _)| !code[..*at].ends_with([':', '.']));
            asked.extend(calls.filter_map(|(at, call)| Some((only.clone(), text(&code[at + call.len()..])?))));
        }
    }
    let of_states = code.split("is_said(").skip(1).filter_map(|rest| text(rest.split_once(',')?.1));
    asked.extend(of_states.map(|sense| ("states".to_owned(), sense)));
    asked
}

/// The senses of headers that a source asks for.
fn asked_of_headers(source: &str) -> Vec<(String, String)> {
    let code = without_tests(source);
    let named = code.split(".says(\"").skip(1).filter_map(|rest| rest.split('"').next());
    named.map(|sense| ("headers".to_owned(), sense.to_owned())).collect()
}

/// The senses that the rules by what cells say name, but for those that are told by more than words.
fn asked_by_rules() -> Vec<(String, String)> {
    let read = |path: &str| fs::read_to_string(project().join(path)).unwrap();
    let profile: toml::Table = read("templates/profiles/shipsheet.toml").parse().unwrap();
    let known = read("src/checks/state_cell.rs");
    let is_word = |sense: &&str| Status::of_name(sense).is_none() && !known.contains(&format!("\"{sense}\" =>"));
    let rules = ["skip", "go", "hold"].into_iter().flat_map(|section| profile[section].as_array().unwrap());
    let senses = rules.flat_map(|rule| ["says", "with", "unless"].into_iter().filter_map(|key| rule.get(key)));
    let senses = senses.flat_map(|senses| senses.as_array().unwrap()).map(|sense| sense.as_str().unwrap());
    senses.filter(is_word).map(|sense| ("states".to_owned(), sense.to_owned())).collect()
}

#[test]
fn every_sense_and_class_that_is_asked_for_is_there() {
    // The list of topics names their files.
    let sources = product().into_iter().filter(|(name, _)| name != "src/words/mod.rs");
    let sources: Vec<(String, String)> = sources.collect();
    let mut asked: Vec<(String, String)> = sources.iter().flat_map(|(_, text)| asked(text)).collect();
    // The matcher's own files, and those that read titles, ask their readings and not headers.
    let asks = |name: &str| !["src/words/", "src/sheet/"].iter().any(|own| name.starts_with(own));
    let others = sources.iter().filter(|(name, _)| asks(name));
    let of_headers: Vec<(String, String)> = others.flat_map(|(_, text)| asked_of_headers(text)).collect();
    assert!(of_headers.len() > 70, "{of_headers:?}");
    asked.extend(of_headers);
    asked.extend(asked_by_rules());
    assert!(asked.len() > 55, "{asked:?}");
    for (topic, name) in asked {
        let file = fs::read_to_string(project().join(format!("templates/words/{topic}.toml"))).unwrap();
        let is_there = file.contains(&format!("sense = \"{name}\"")) || file.contains(&format!("\n{name} = "));
        assert!(is_there, "templates/words/{topic}.toml has no {name}");
    }
}

fn stops(words: &Vocabulary, text: &str) -> bool {
    Remark::new(words, text).stops(false, false)
}

#[test]
fn own_words_stop_pass_and_are_removed() {
    let list = |text: &str| text.split('|').map(str::to_owned).collect();
    let own = OwnWords {
        hold: list("godown band|Sharma ji"),
        harmless: list("hold the bag|mat-print|take away"),
        remove: list("oos"),
        languages: None,
    };
    let words = own.vocabulary().unwrap().unwrap();
    let own_stops = |text| stops(&words, text);
    let stops = |text| stops(Vocabulary::built_in(), text);
    assert!(own_stops("godown band hai") && own_stops("ask SHARMA JI first") && own_stops("cancelled, mat print"));
    assert!(!own_stops("hold the bag") && !own_stops("OOS") && !own_stops("take away"));
    assert!(own_stops("hold") && stops("OOS") && stops("take away"));
    let is_unread = |text| Remark::new(&words, text).is_unread();
    assert!(
        !is_unread("mat print") && is_unread("blue thread please") && !is_unread("hold") && !is_unread("godown band")
    );
    let own = |hold: &str| OwnWords { hold: vec![hold.to_owned()], ..OwnWords::default() };
    assert_eq!((own("?!").wordless(), own("wait").wordless()), (Some("?!"), None));
    assert!(OwnWords::default().vocabulary().unwrap().is_none());
}

#[test]
fn every_language_of_a_phrase_is_one_that_the_settings_name() {
    let files = fs::read_dir(project().join("templates/words")).unwrap().map(|file| file.unwrap().path());
    let texts: Vec<String> = files.map(|path| fs::read_to_string(path).unwrap()).collect();
    let also = texts.iter().flat_map(|text| text.split("\nalso.").skip(1)).filter_map(|rest| rest.get(..2));
    for file in ["docs/configuration.md", "templates/shipsheet.toml"] {
        let page = fs::read_to_string(project().join(file)).unwrap();
        let line = page.lines().find(|line| line.contains("languages") && line.contains("English")).unwrap();
        let named = |code: &str| line.split(|c: char| !c.is_ascii_alphanumeric()).any(|word| word == code);
        let missing: BTreeSet<&str> = also.clone().filter(|code| !named(code)).collect();
        assert!(missing.is_empty(), "{file} does not name {missing:?}: {line}");
    }
}

#[test]
fn a_language_that_is_not_named_does_not_count() {
    let own = |languages: &[Language]| OwnWords { languages: Some(languages.to_vec()), ..OwnWords::default() };
    let stopping = |languages: &[Language]| {
        let words = own(languages).vocabulary().unwrap().unwrap();
        ["cancel this order", "mat bhejna", "रद्द", "storniert"].map(|text| stops(&words, text))
    };
    assert_eq!(stopping(&[Language::Hi]), [true, true, true, false]);
    assert_eq!(stopping(&[Language::De]), [true, false, false, true]);
    assert_eq!(stopping(&[]), [true, false, false, false]);
}
