//! What a helper may read of a text: words that say nothing of anybody, and masks for the rest.
//!
//! Names cannot be told from other words. So a text keeps the words that the program and services use, and all others are
//! masked; so are numbers as long as a phone or a PIN code. What is to be followed (orders, files, people) gets a name of its own,
//! the same one everywhere.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;
use std::sync::LazyLock;

/// Stands for what is masked.
const MASK: &str = "…";
/// Stands for a number that is masked.
const NUMBER: &str = "#";
/// A number with so many digits may be a PIN code or a phone.
const DIGITS_MASKED: usize = 5;
/// Signs between the digits of one number.
const BETWEEN_DIGITS: &str = " -.()/+";
/// Signs after which a sentence, or a text within one, begins.
const BEFORE_A_TEXT: &str = ".:;!?\"'`([{";
/// What may stand behind a short number: times, sizes, ordinals.
const UNITS: [&str; 4] = ["ms", "st", "nd", "th"];

static WORDS: LazyLock<HashSet<&str>> =
    LazyLock::new(|| include_str!("../../../templates/bundle/words.txt").lines().collect());
static AS_WRITTEN: LazyLock<HashSet<&str>> =
    LazyLock::new(|| include_str!("../../../templates/bundle/as_written.txt").lines().collect());
static PLACES: LazyLock<HashSet<&str>> =
    LazyLock::new(|| include_str!("../../../templates/bundle/places.txt").lines().collect());

/// Masks texts, and remembers which name it gave to what.
#[derive(Debug, Default)]
pub(super) struct Mask {
    home: Option<String>,
    /// Hosts that are told: the service's own.
    hosts: HashSet<String>,
    names: BTreeMap<String, String>,
    given: BTreeMap<&'static str, u32>,
}

impl Mask {
    /// A mask for a user with this home folder.
    pub(super) fn new(home: Option<&Path>) -> Self {
        let home = home.map(|home| home.to_string_lossy().trim_end_matches(['/', '\\']).to_owned());
        Self { home: home.filter(|home| !home.is_empty()), ..Self::default() }
    }

    /// Has the host of an address be told.
    pub(super) fn tell_host_of(&mut self, address: &str) {
        self.hosts.extend(host_of(address).map(str::to_owned));
    }

    /// The name of something that is followed by it: `order-3`.
    pub(super) fn named(&mut self, kind: &'static str, text: &str) -> String {
        if let Some(name) = self.names.get(text) {
            return name.clone();
        }
        let number = self.given.entry(kind).or_default();
        *number += 1;
        let name = format!("{kind}-{number}");
        self.names.insert(text.to_owned(), name.clone());
        name
    }

    /// A text as it is where all its words are plain, and otherwise a name for it.
    pub(super) fn plain_or_named(&mut self, kind: &'static str, text: &str) -> String {
        if !text.is_empty() && words_of(text) == text { text.to_owned() } else { self.named(kind, text) }
    }

    /// A free text, on one line.
    pub(super) fn text(&mut self, text: &str) -> String {
        let mut parts: Vec<(String, bool)> = Vec::new();
        let mut before = "";
        for token in text.split_whitespace() {
            let told = self.whole(token, before);
            before = token;
            match (told, parts.last_mut()) {
                (Some(told), _) => parts.push((told, true)),
                // Numbers may go on over blanks.
                (None, Some((part, false))) => {
                    part.push(' ');
                    part.push_str(token);
                }
                (None, _) => parts.push((token.to_owned(), false)),
            }
        }
        let mut masked = String::new();
        for (part, is_told) in parts {
            let part = if is_told { part } else { words_after(&masked, &numbers_masked(&part)) };
            masked.push_str(if masked.is_empty() { "" } else { " " });
            masked.push_str(&part);
        }
        joined(masked.split(' '))
    }

    /// A word that is told or masked as a whole: one with a name, an order's number, an address, a path; nothing for all others.
    fn whole(&mut self, token: &str, before: &str) -> Option<String> {
        let core = token.trim_matches(|sign: char| !sign.is_alphanumeric());
        let is_order = before.trim_end_matches(':').ends_with("order") && core.contains(char::is_numeric);
        if is_order {
            self.named("order", core);
        }
        if let Some(name) = self.names.get(core).filter(|_| !core.is_empty()) {
            return Some(token.replacen(core, name, 1));
        }
        let core = token.trim_matches(|sign: char| "\"'`()[]{},;:".contains(sign));
        let is_foreign = |sign: char| !sign.is_ascii() && sign.is_alphanumeric();
        if core.contains("://") {
            Some(token.replacen(core, &self.address(core), 1))
        } else if core.contains('@') || core.contains(is_foreign) {
            Some(MASK.to_owned())
        } else if core.contains(['/', '\\']) || core.starts_with('~') {
            Some(token.replacen(core, &self.path(Path::new(core)), 1))
        } else {
            None
        }
    }

    /// An address: how it is reached, and its host where that is told.
    pub(super) fn address(&self, address: &str) -> String {
        let scheme = address.split_once("://").map_or("", |(scheme, _)| scheme);
        let scheme = if WORDS.contains(scheme) { scheme } else { MASK };
        let host = host_of(address).filter(|host| self.hosts.contains(*host)).unwrap_or(MASK);
        let rest = address.split_once("://").map_or("", |(_, rest)| rest);
        let has_more = rest.split_once(['/', '?', '#']).is_some_and(|(_, more)| !more.is_empty());
        format!("{scheme}://{host}{}", if has_more { "/…" } else { "" })
    }

    /// A path: folders and files of the program and of systems, and names for all others.
    pub(super) fn path(&mut self, path: &Path) -> String {
        let text = path.to_string_lossy().into_owned();
        let below_home = self.home.as_deref().and_then(|home| text.strip_prefix(home)).map(str::to_owned);
        let text = match below_home {
            Some(rest) if rest.is_empty() || rest.starts_with(['/', '\\']) => format!("~{rest}"),
            _ => text,
        };
        let parts: Vec<String> = text.split(['/', '\\']).map(|part| self.part_of_path(part)).collect();
        parts.join("/")
    }

    fn part_of_path(&mut self, part: &str) -> String {
        let is_plain = |word: &str| {
            let lower = word.to_lowercase();
            WORDS.contains(lower.as_str()) || PLACES.contains(lower.as_str()) || is_short_number(word)
        };
        let mut words = part.split(|sign: char| !sign.is_alphanumeric()).filter(|word| !word.is_empty());
        // The letter of a disk.
        if words.all(is_plain) || (part.len() == 2 && part.ends_with(':')) {
            return part.to_owned();
        }
        let ending = part.rsplit_once('.').map(|(_, ending)| ending).filter(|ending| PLACES.contains(*ending));
        let mut name = self.named("name", part);
        if let Some(ending) = ending.filter(|_| !name.contains('.')) {
            name = format!("{name}.{ending}");
            self.names.insert(part.to_owned(), name.clone());
        }
        name
    }
}

/// The host of an address, without who logs in there.
fn host_of(address: &str) -> Option<&str> {
    let (_, rest) = address.split_once("://")?;
    let authority = rest.split(['/', '?', '#']).next()?;
    Some(authority.rsplit_once('@').map_or(authority, |(_, host)| host)).filter(|host| !host.is_empty())
}

/// A text of plain words with masks for all others; numbers that are long are masked.
pub(super) fn words_of(text: &str) -> String {
    let numbers = numbers_masked(text);
    words_after("", &numbers)
}

/// A header of a sheet: its words are told, its numbers are not.
pub(super) fn header(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let told = numbers_masked(&text);
    let shown: String = told.chars().filter(|sign| !sign.is_control()).take(60).collect();
    if shown.len() < told.len() { format!("{shown}…") } else { shown }
}

/// Whether a row names no columns, but holds somebody's order.
pub(super) fn is_order(cells: &[String]) -> bool {
    cells.iter().any(|cell| cell.contains('@') || numbers_masked(cell) != *cell)
}

/// Masks the words of a text; `before` is what stands before it.
fn words_after(before: &str, text: &str) -> String {
    let mut masked = String::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let is_word = char::is_alphanumeric;
        let length = if is_word(first) {
            rest.find(|sign: char| !is_word(sign)).unwrap_or(rest.len())
        } else {
            masked.push(if first.is_control() { ' ' } else { first });
            rest = &rest[first.len_utf8()..];
            continue;
        };
        let word = &rest[..length];
        let last = masked.trim_end().chars().next_back().or_else(|| before.trim_end().chars().next_back());
        let begins = last.is_none_or(|last| BEFORE_A_TEXT.contains(last));
        masked.push_str(if is_plain(word, begins) { word } else { MASK });
        rest = &rest[length..];
    }
    masked
}

/// Whether a word says nothing of anybody. One with a capital is a name, unless a text begins with it.
fn is_plain(word: &str, begins: bool) -> bool {
    // An initial tells nobody.
    let is_letter = word.len() == 1 && word.starts_with(|sign: char| sign.is_ascii_alphabetic());
    if is_letter || AS_WRITTEN.contains(word) || is_short_number(word) || has_unit(word) {
        return true;
    }
    if word.chars().all(|sign| sign.is_ascii_lowercase()) {
        return WORDS.contains(word);
    }
    let starts_small = word.starts_with(|sign: char| sign.is_ascii_lowercase());
    if !word.is_ascii() || !(begins || starts_small) {
        return false;
    }
    // `phoneNumber` is two words.
    let parts = word.char_indices().filter(|(at, sign)| *at > 0 && sign.is_ascii_uppercase()).map(|(at, _)| at);
    let ends: Vec<usize> = parts.chain([word.len()]).collect();
    let starts = std::iter::once(0).chain(ends.iter().copied());
    starts.zip(&ends).all(|(start, end)| WORDS.contains(word[start..*end].to_ascii_lowercase().as_str()))
}

fn is_short_number(word: &str) -> bool {
    !word.is_empty() && word.len() < DIGITS_MASKED && word.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a word is a short number with its unit: `30s`, `5ms`, `2h`.
fn has_unit(word: &str) -> bool {
    let unit = word.trim_start_matches(|sign: char| sign.is_ascii_digit());
    let is_unit = UNITS.contains(&unit) || (unit.len() == 1 && "smhd".contains(unit));
    is_unit && is_short_number(&word[..word.len() - unit.len()])
}

/// Masks numbers that may be those of somebody: phones, PIN codes, tracking numbers. Days stay.
fn numbers_masked(text: &str) -> String {
    let signs: Vec<char> = text.chars().collect();
    let mut masked = String::new();
    let mut at = 0;
    while at < signs.len() {
        let is_within_word = at > 0 && signs[at - 1].is_alphabetic();
        if !signs[at].is_numeric() || is_within_word {
            masked.push(signs[at]);
            at += 1;
        } else if is_day(&signs[at..]) {
            masked.extend(&signs[at..at + 10]);
            at += 10;
        } else {
            let (end, digits) = number_at(&signs, at);
            if digits < DIGITS_MASKED {
                masked.extend(&signs[at..end]);
            } else {
                masked.push_str(NUMBER);
            }
            at = end;
        }
    }
    masked
}

/// Where the number that begins here ends, and how many digits it has.
fn number_at(signs: &[char], begin: usize) -> (usize, usize) {
    let (mut at, mut end, mut digits) = (begin, begin, 0);
    while at < signs.len() {
        if is_day(&signs[at..]) && at > begin {
            break;
        }
        if signs[at].is_numeric() {
            digits += 1;
            end = at + 1;
        } else if !BETWEEN_DIGITS.contains(signs[at]) || at - end >= 3 {
            break;
        }
        at += 1;
    }
    (end, digits)
}

/// Whether a day begins here, as the program writes it: 2026-11-29.
fn is_day(signs: &[char]) -> bool {
    let is_sign = |(at, sign): (usize, &char)| if [4, 7].contains(&at) { *sign == '-' } else { sign.is_ascii_digit() };
    let is_over = signs.get(10).is_none_or(|sign| !sign.is_numeric() && *sign != '-');
    signs.len() >= 10 && (signs[0] == '1' || signs[0] == '2') && signs[..10].iter().enumerate().all(is_sign) && is_over
}

/// Several masks in a row are one.
fn joined<'t>(tokens: impl Iterator<Item = &'t str>) -> String {
    let mut kept: Vec<&str> = Vec::new();
    for token in tokens {
        if !(token == MASK && kept.last() == Some(&MASK)) {
            kept.push(token);
        }
    }
    kept.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_the_program_stay_and_those_of_people_go() {
        let mut mask = Mask::new(Some(Path::new("/home/asha")));
        mask.tell_host_of("https://api.example.com/v1");
        assert_eq!(mask.named("order", "SO-1041"), "order-1");
        let cases = [
            ("carrier is unknown", "carrier is unknown"),
            ("Asha Rao refused: wrong address", "… refused: wrong address"),
            ("deliver to Grace Rose, 14 Hope Street, Pune 411001", "deliver to … …, 14 … …, … #"),
            ("call 98765 43210 or +91-98765-43210", "call # or +#"),
            ("9876 543 210 is no phone", "# is no phone"),
            ("order SO-1041 is in doubt; \"SO-1041\" again", "order order-1 is in doubt; \"order-1\" again"),
            (
                "{\"message\":[\"receiver.phoneNumber must be valid\"],\"name\":\"asha\"}",
                "{\"message\":[\"receiver.phoneNumber must be valid\"],\"name\":\"…\"}",
            ),
            ("mail to asha@example.com failed", "mail to … failed"),
            ("https://api.example.com/v1?token=abc said HTTP 502", "https://api.example.com/… said HTTP 502"),
            ("https://asha:geheim@hooks.example.org/T0/B0", "https://…/…"),
            ("the file /home/asha/Asha Rao.csv cannot be read", "the file ~/name-1 ….csv cannot be read"),
            (
                "in /srv/rao/orders/ledger.sqlite since 2026-11-29 02:15",
                "in /srv/name-2/orders/ledger.sqlite since 2026-11-29 02:15",
            ),
            ("token canary-token-5d1f0a7c93", "token …-token-…"),
            ("order 1041 exists, as does order: B-7", "order order-2 exists, as does order: order-3"),
            ("http://10.0.0.12:8080 answers", "http://… answers"),
            ("waited 30s, took 5ms", "waited 30s, took 5ms"),
            ("अर्जुन भेजो", "…"),
        ];
        for (text, told) in cases {
            assert_eq!(mask.text(text), told, "{text}");
        }
        assert_eq!(mask.plain_or_named("profile", "counter orders"), "profile-1");
        assert_eq!(mask.plain_or_named("profile", "shop orders"), "shop orders");
    }

    #[test]
    fn a_first_row_with_an_order_in_it_names_no_columns() {
        let row = |cells: &[&str]| cells.iter().map(|cell| (*cell).to_owned()).collect::<Vec<_>>();
        assert!(!is_order(&row(&["Order No.", "Receiver Name", "Line 1", "Qty (2)"])));
        assert!(is_order(&row(&["A-1", "Asha Rao", "9876543210"])));
        assert!(is_order(&row(&["A-1", "asha@example.com"])));
        assert_eq!(header("Phone\n(10 digits)"), "Phone (10 digits)");
    }
}
