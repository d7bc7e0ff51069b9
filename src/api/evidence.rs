//! Evidence in an answer that says no: a shipment that it names, or words for an order that is there already.

use super::json::{Json, is_zero};
use super::outcome::Sent;
use super::said::{is_flag, is_unprintable, plain, without_tags};
use crate::words::{Text, Topic, Vocabulary};

/// No AWB is longer.
pub(super) const AWB_CHARACTERS_MAX: usize = 64;
/// How often an answer is looked for inside a text of an answer.
const WRAPS_MAX: u8 = 3;
/// A shorter value of our request may stand in an answer by chance, and a shorter word of a text is no identifier.
const IDENTIFIER_CHARACTERS_MIN: usize = 4;
/// So many words may stand between the name of a value and the value.
const BETWEEN_MAX: usize = 3;

/// Evidence of a shipment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Evidence {
    /// An AWB.
    Awb,
    /// An order or a shipment of the service, or an address that leads to one: what names it, and how it is called.
    Named(String),
    /// Words.
    Said,
}

/// The meaning of a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Naming {
    Awb,
    Shipment,
    Address,
}

/// Looks for evidence in one answer. What it repeats of our own request is none.
pub(super) struct Search {
    /// The texts of our request: their names, and what they say.
    own: Vec<(String, String)>,
    order_number: String,
    /// Whether an order of the service counts: an answer without an AWB names one by the contract.
    counts_ids: bool,
}

impl Search {
    pub(super) fn new(sent: &Sent<'_>, counts_ids: bool) -> Self {
        let mut own = Vec::new();
        if let Some(json) = Json::parse(sent.body) {
            json.each(&mut |pointer, value| {
                if let Json::Text(text) = value {
                    own.push((plain(pointer.rsplit('/').next().unwrap_or_default()), text.trim().to_owned()));
                }
            });
        }
        Self { own, order_number: sent.order_number.trim().to_owned(), counts_ids }
    }

    /// Evidence in a whole body, be it JSON, a page or a text.
    pub(super) fn in_body(&self, body: &[u8]) -> Option<Evidence> {
        if let Some(json) = Json::parse(body) {
            return self.in_json(&json);
        }
        // Addresses stand within tags.
        let page = String::from_utf8_lossy(body);
        let text = without_tags(&page);
        let named = self.in_words(&text).or_else(|| self.in_words(&page));
        named.or_else(|| self.says(&text).then_some(Evidence::Said))
    }

    /// Evidence in an address that the answer leads to.
    pub(super) fn in_address(&self, address: &str) -> Option<Evidence> {
        self.is_address(address).then(|| Evidence::Named(shortened(address)))
    }

    /// Evidence in JSON, the names of shipments before words.
    pub(super) fn in_json(&self, json: &Json) -> Option<Evidence> {
        let mut found = Vec::new();
        self.walk("", json, WRAPS_MAX, &mut found);
        let awb = found.iter().position(|one| *one == Evidence::Awb);
        let named = || found.iter().position(|one| matches!(one, Evidence::Named(_)));
        let first = awb.or_else(named).unwrap_or_default();
        (first < found.len()).then(|| found.swap_remove(first))
    }

    /// Whether a JSON says anywhere that the order is there already. That one was made is not asked: an order that no AWB was
    /// bought for was made as well.
    pub(super) fn is_there_already(&self, json: &Json) -> bool {
        let mut is_said = false;
        json.each(&mut |pointer, value| {
            let name = pointer.rsplit('/').next().unwrap_or_default();
            let repeats = |text: &str| self.tells(text, "there-already");
            is_said |= matches!(value, Json::Text(text) if !self.is_echo(name, text) && repeats(text));
            is_said |= self.is_said_by_name(name, value, repeats);
        });
        is_said
    }

    /// The shipments that a JSON names, whatever its words say.
    pub(super) fn named_in(&self, json: &Json) -> Option<Evidence> {
        self.in_json(json).filter(|found| *found != Evidence::Said)
    }

    fn walk(&self, name: &str, json: &Json, wraps: u8, found: &mut Vec<Evidence>) {
        match json {
            Json::Object(pairs) => {
                for (own, value) in pairs {
                    // `order: { id: 5 }` is `orderId: 5`.
                    let is_part = Topic::Answers.lists("part_name", &plain(own));
                    let path = if is_part { format!("{} {own}", name.trim_end_matches('s')) } else { own.clone() };
                    self.walk(&path, value, wraps, found);
                    let is_said = self.is_said_by_name(own, value, |name| self.says(name));
                    found.extend(is_said.then_some(Evidence::Said));
                }
            }
            Json::List(items) => items.iter().for_each(|item| self.walk(name, item, wraps, found)),
            leaf => {
                found.extend(self.named(name, leaf));
                let Json::Text(text) = leaf else { return };
                match Json::parse(text.as_bytes()).filter(|_| text.trim_start().starts_with(['{', '['])) {
                    // The carrier's own answer, as text.
                    Some(json) if wraps > 0 => self.walk(name, &json, wraps - 1, found),
                    _ if self.is_echo(name, text) => {}
                    _ => {
                        found.extend(self.in_words(text));
                        found.extend(self.says(text).then_some(Evidence::Said));
                    }
                }
            }
        }
    }

    /// A shipment that a value names.
    fn named(&self, name: &str, value: &Json) -> Option<Evidence> {
        let text = value.text().unwrap_or_default();
        let is_word = !text.is_empty() && !text.contains(char::is_whitespace);
        let has_digit = text.contains(char::is_numeric);
        match naming(name)? {
            Naming::Awb => self.is_awb(value).then_some(Evidence::Awb),
            _ if self.is_own(text) => None,
            Naming::Shipment if !self.counts_ids || !has_digit => None,
            Naming::Shipment | Naming::Address => {
                let is_number = matches!(value, Json::Number(digits) if !is_zero(digits) && !digits.starts_with('-'));
                let is_text = matches!(value, Json::Text(_)) && !is_blank(text);
                // `shipment` alone may count them.
                let is_long = has_digit && text.chars().count() > IDENTIFIER_CHARACTERS_MIN;
                // A validator may say under a field's name what is wrong with it.
                let is_one = has_digit || text.contains('/');
                let counts = (is_number || is_text) && is_word && is_one && (is_long || !is_bare_shipment(name));
                counts.then(|| Evidence::Named(format!("{} {}", name.trim(), shortened(text))))
            }
        }
    }

    /// Whether what stands where an AWB stands may be one of a shipment. Words without a digit say there what is wrong with it.
    pub(super) fn is_awb(&self, value: &Json) -> bool {
        let text = value.text().map_or_else(|| value.to_string(), str::to_owned);
        text.contains(char::is_numeric) && !self.is_own(&text) && !matches!(awb_text(value), Ok(None))
    }

    /// Whether a name says of its value that there is an order: `alreadyExists: true`, `existingOrder: {…}`.
    fn is_said_by_name(&self, name: &str, value: &Json, says: impl Fn(&str) -> bool) -> bool {
        let is_yes = is_flag(value, true) || matches!(value, Json::Number(digits) if digits == "1");
        let says_more = !value.is_empty() && !is_flag(value, false) && naming(name).is_none();
        let is_own = self.own.iter().any(|(own, _)| *own == plain(name));
        !is_own
            && ((is_yes && says(name)) || (says_more && text_of(&in_words(name)).says(Topic::Answers, "there-already")))
    }

    /// A shipment that a text names: an AWB with its name before it, an order's id likewise, or an address.
    fn in_words(&self, text: &str) -> Option<Evidence> {
        let mut addresses = text.split(|c: char| c.is_whitespace() || "\"'`<>(),;".contains(c));
        if let Some(address) = addresses.find(|word| self.is_address(word)) {
            return Some(Evidence::Named(shortened(address)));
        }
        let cut = |c: char| c.is_whitespace() || ":=#\"'`()[]{}<>,;!?|".contains(c);
        let words: Vec<&str> =
            text.split(cut).map(|word| word.trim_matches('.')).filter(|word| !word.is_empty()).collect();
        let found = words.iter().enumerate().find_map(|(at, word)| Some((self.labelled(&words[..at], word)?, word)));
        let (naming, word) = found?;
        Some(if naming == Naming::Awb { Evidence::Awb } else { Evidence::Named(shortened(word)) })
    }

    /// The meaning of the words before an identifier.
    fn labelled(&self, before: &[&str], word: &str) -> Option<Naming> {
        let has_digit = word.contains(|c: char| c.is_ascii_digit());
        if !has_digit || self.is_own(word) {
            return None;
        }
        if is_glued_awb(word) {
            return Some(Naming::Awb);
        }
        if word.chars().count() < IDENTIFIER_CHARACTERS_MIN {
            return None;
        }
        let is_between = |word: &&&str| Topic::Answers.lists("between", &word.to_lowercase());
        let between = before.iter().rev().take(BETWEEN_MAX).take_while(is_between).count();
        let (labels, between) = before.split_at(before.len() - between);
        let label = labels.last()?;
        if is_bare_shipment(label) && is_amount(word) && !between.iter().any(|word| is_part(word)) {
            return None;
        }
        let own = labels.iter().rev().nth(1).filter(|word| word.eq_ignore_ascii_case("e"));
        let label = &own.map_or_else(|| (*label).to_owned(), |e| format!("{e} {label}"));
        let whole = between.first().map(|first| format!("{label} {first}"));
        let named = naming(label).or_else(|| naming(&whole?))?;
        (named == Naming::Awb || self.counts_ids).then_some(named).filter(|named| *named != Naming::Address)
    }

    /// Whether a word is an address that leads to a shipment: one that speaks of it, and has something like its number.
    fn is_address(&self, word: &str) -> bool {
        let rest = word.split_once("://").map(|(_, rest)| rest).or_else(|| word.strip_prefix("www."));
        let Some(path) = rest.or_else(|| word.starts_with('/').then_some(word)) else { return false };
        let lower = path.to_lowercase();
        let speaks = Topic::Answers.words("address_part").any(|part| lower.contains(part));
        // The host is not looked at: its port is no number of a shipment.
        let mut parts = path.split(['/', '?', '&', '=', '#']).skip(1);
        let is_identifier = |part: &str| {
            part.chars().count() >= IDENTIFIER_CHARACTERS_MIN
                && part.contains(|c: char| c.is_ascii_digit())
                && !self.is_own(part)
        };
        speaks && parts.any(is_identifier)
    }

    /// Whether a text says that there is an order, or that one was made.
    fn says(&self, text: &str) -> bool {
        ["there-already", "done"].iter().any(|sense| self.tells(text, sense))
    }

    fn tells(&self, text: &str, sense: &str) -> bool {
        text_of(&statement(&self.without_own(text), &self.order_number)).says(Topic::Answers, sense)
    }

    /// Whether a value is one of our own request.
    fn is_own(&self, text: &str) -> bool {
        let same = |own: &str| !own.is_empty() && own.to_lowercase() == text.trim().to_lowercase();
        let is_long = |own: &str| own.chars().count() >= IDENTIFIER_CHARACTERS_MIN;
        same(&self.order_number) || self.own.iter().any(|(_, own)| is_long(own) && same(own))
    }

    /// Whether a text repeats what our request has under that name.
    fn is_echo(&self, name: &str, text: &str) -> bool {
        self.own.iter().any(|(own, value)| *own == plain(name) && value == text.trim())
    }

    /// A text without what it quotes of our request.
    fn without_own(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for (_, own) in self.own.iter().filter(|(_, own)| own.chars().count() >= IDENTIFIER_CHARACTERS_MIN) {
            if own.contains(char::is_whitespace) {
                text = text.replace(own.as_str(), " ");
            } else if text.contains(own.as_str()) {
                for quote in ['"', '\'', '`'] {
                    text = text.replace(&format!("{quote}{own}{quote}"), " ");
                }
            }
        }
        text
    }
}

fn text_of(text: &str) -> Text<'static> {
    Vocabulary::of_services().text(text)
}

/// A text as statements are looked for in it: without numbers and identifiers, which stand anywhere; a code in its words.
fn statement(text: &str, order_number: &str) -> String {
    let mut words = text.split_whitespace();
    if let (Some(code), None) = (words.next(), words.next()) {
        return in_words(code);
    }
    let is_name = |word: &&str| {
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
        word.contains(|c: char| c.is_ascii_digit()) || (!bare.is_empty() && bare.eq_ignore_ascii_case(order_number))
    };
    // The line ends are those of its sentences.
    let lines = text.lines().map(|line| {
        let kept = line.split_whitespace().map(|word| if is_name(&word) { ends_of(word) } else { word });
        kept.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// The stop or comma that a name has behind it.
fn ends_of(word: &str) -> &str {
    let end = word.trim_end_matches(['.', ',', ';']).len();
    &word[end..]
}

/// `OrderAlreadyExists` as words.
fn in_words(code: &str) -> String {
    let mut words = String::with_capacity(code.len() + 8);
    let mut before = ' ';
    for c in code.chars() {
        if c.is_uppercase() && before.is_lowercase() {
            words.push(' ');
        }
        words.push(c);
        before = c;
    }
    words
}

fn shortened(text: &str) -> String {
    text.chars().filter(|c| !is_unprintable(*c)).take(AWB_CHARACTERS_MAX).collect()
}

/// The meaning of a field's name.
fn naming(name: &str) -> Option<Naming> {
    let whole = plain(name);
    let whole = whole.strip_suffix('s').unwrap_or(&whole);
    let ends = |class: &str| Topic::Answers.words(class).any(|own| whole.ends_with(own));
    match () {
        () if ends("address_name") => Some(Naming::Address),
        () if names_an_awb(name) => Some(Naming::Awb),
        () if ends("shipment_name") || is_bare_shipment(name) => Some(Naming::Shipment),
        () => None,
    }
}

/// Whether a name is that of a shipment alone, which may stand before an id and before much else.
fn is_bare_shipment(name: &str) -> bool {
    let bare = plain(name);
    Topic::Answers.lists("bare_shipment", bare.strip_suffix('s').unwrap_or(&bare))
}

/// Whether a word tells of which part of a thing the value is: its number, its id.
fn is_part(word: &str) -> bool {
    let word = word.to_lowercase();
    Topic::Answers.lists("part_name", &word) || Topic::Answers.lists("called", &word)
}

/// Whether a word is a number alone, or a weight: `30000g`.
fn is_amount(word: &str) -> bool {
    let unit = word.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.').to_lowercase();
    unit.is_empty() || Topic::Answers.lists("weight_unit", &unit)
}

/// Whether a word is an AWB with its name: `AWB1490812`.
fn is_glued_awb(word: &str) -> bool {
    let lower = word.to_lowercase();
    let number = lower.strip_prefix("awb").map(|rest| rest.trim_start_matches(['-', '_', '/']));
    number.is_some_and(|number| number.starts_with(|c: char| c.is_ascii_digit()))
}

/// Whether a field is called for an AWB: one of the words of its name begins or ends with `awb`, or it is a waybill. The e-way
/// bill is a paper of the tax office.
pub(super) fn names_an_awb(name: &str) -> bool {
    let mut words = vec![String::new()];
    let mut before = ' ';
    for c in name.chars() {
        if (c.is_ascii_uppercase() && before.is_ascii_lowercase()) || !c.is_ascii_alphanumeric() {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| c.is_ascii_alphanumeric()) {
            word.push(c.to_ascii_lowercase());
        }
        before = c;
    }
    let whole = words.concat();
    let is_tax_bill = words.iter().any(|word| word.starts_with("eway"))
        || words.windows(2).any(|pair| pair[0] == "e" && pair[1].starts_with("way"));
    words.iter().any(|word| word.starts_with("awb") || word.ends_with("awb"))
        || (whole.contains("waybill") && !is_tax_bill)
        || Topic::Answers.lists("awb_name", &whole)
}

/// The AWB of an answer: none where it is blank, an error where it is something that no AWB can be.
pub(super) fn awb_text(json: &Json) -> Result<Option<String>, &'static str> {
    let text = match json {
        Json::Null | Json::Flag(_) => return Ok(None),
        Json::List(_) | Json::Object(_) if says_nothing(json) => return Ok(None),
        Json::Number(digits) if digits.bytes().all(|byte| byte.is_ascii_digit()) => digits,
        Json::Number(_) => return Err("it is a number with a sign, a point or an exponent"),
        Json::Text(text) => text,
        Json::List(_) | Json::Object(_) => return Err("it is neither text nor a number"),
    };
    let text = text.trim();
    if is_blank(text) {
        return Ok(None);
    }
    if text.chars().count() > AWB_CHARACTERS_MAX {
        return Err("it is too long");
    }
    if text.chars().any(|c| is_unprintable(c) || (c.is_whitespace() && c != ' ')) {
        return Err("it holds signs that cannot be seen");
    }
    if text.contains(['<', '>', '&', '"', '\'', '`', '\\', '{', '}']) {
        return Err("it holds markup");
    }
    Ok(Some(text.to_owned()))
}

/// Whether nothing within a value says anything, in whatever words services write for nothing.
pub(super) fn says_nothing(json: &Json) -> bool {
    match json {
        Json::Text(text) => text.trim().is_empty() || Topic::Answers.lists("no_error", text.trim()),
        Json::List(items) => items.iter().all(says_nothing),
        Json::Object(pairs) => pairs.iter().all(|(_, value)| says_nothing(value)),
        leaf => leaf.is_empty(),
    }
}

pub(super) fn is_blank(text: &str) -> bool {
    text.is_empty() || Topic::Answers.lists("no_awb", text)
}
