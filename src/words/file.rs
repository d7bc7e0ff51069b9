//! The form of a vocabulary's file.

use std::collections::BTreeMap;
use std::rc::Rc;

use serde::Deserialize;
use thiserror::Error;

use super::phrase::{Fillers, Guard, Item, Phrases, Where, Word};
use super::token::{ByWord, Lexicon, WordId};

/// Why a text is no vocabulary: it is no TOML, has keys that a vocabulary has not, or names a class that it has not.
#[derive(Debug, Error)]
#[error("the words of {topic} cannot be read: {reason}")]
pub struct VocabularyError {
    topic: &'static str,
    reason: String,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct File {
    /// Words that stand for each other in phrases, which name them by `@class`; parted by blanks, or by `|` where one has more
    /// than one word.
    class: BTreeMap<String, String>,
    /// Short forms of words, by the word that they stand for wherever it stands.
    short: BTreeMap<String, String>,
    /// So many words before a phrase a negation may stand, up to a conjunction.
    negation_reach: Option<usize>,
    phrase: Vec<Group>,
}

/// A language of phrases beside English, by its code of ISO 639-1. Hindi counts in either script.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "codes of ISO 639-1")]
pub enum Language {
    De,
    Es,
    Fr,
    Hi,
    It,
    Ne,
    Nl,
    Pl,
}

/// Phrases of one sense with the same guards.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Group {
    sense: String,
    /// Each a phrase in English: words, `@class`, `one|other`, `#` for a figure, `#6` for one of six digits or more, `_` for any word that
    /// is no figure and not in the class `no_name`, `word?` for one that may be missing.
    say: Vec<String>,
    /// The same in other languages.
    also: BTreeMap<Language, Vec<String>>,
    /// Where in a text they count.
    #[serde(rename = "where")]
    place: Where,
    /// What must not stand directly behind them.
    not_before: Vec<String>,
    /// If a word stands directly behind them, it must be one of these; any word where there is none.
    only_before: Vec<String>,
    /// What must not stand directly before them.
    not_after: Vec<String>,
    /// Words that must be somewhere else in the text, one of each list.
    with: Vec<String>,
    /// Words that must not be anywhere else in the text.
    without: Vec<String>,
    /// Words that may stand beside them where their clause or text must be nothing else, in place of the topic's fillers.
    beside: Option<Vec<String>>,
    /// Whether the sense holds in a text with a question mark, which it does where nothing is said.
    asked: Option<bool>,
    /// Whether the sense holds where the text says it of a condition, or denies it.
    always: bool,
    /// Whether a header is named by it only where the cells fit as well.
    by_cells: bool,
}

/// Phrases as they are written, taken apart.
struct Compiler<'c> {
    topic: &'static str,
    classes: &'c BTreeMap<String, String>,
    lexicon: &'c mut Lexicon,
    /// Whether phrases count as well where they are written in one word.
    joins: bool,
    /// The words of each class that was taken apart, in order: phrase after phrase names the same ones.
    words: ByWord<String, Box<[WordId]>>,
    /// The ways of each part of a phrase that was taken apart.
    parts: ByWord<String, Rc<[Vec<Item>]>>,
}

/// Reads the file of a topic, with the phrases of English and of these languages, or of all. Where phrases `join`, they count as
/// well where they are written in one word.
pub(super) fn parse(
    topic: &'static str,
    text: &str,
    languages: Option<&[Language]>,
    joins: bool,
    lexicon: &mut Lexicon,
) -> Result<Phrases, VocabularyError> {
    let file: File = toml::from_str(text).map_err(|error| VocabularyError { topic, reason: error.to_string() })?;
    let (words, parts) = (ByWord::default(), ByWord::default());
    let mut compiler = Compiler { topic, classes: &file.class, lexicon, joins, words, parts };
    let mut phrases = Phrases::default();
    phrases.negation_reach = file.negation_reach;
    for (word, forms) in &file.short {
        let word = compiler.word(word);
        forms.split_whitespace().for_each(|form| compiler.lexicon.add_form(form, word));
    }
    for (name, members) in &file.class {
        compiler.class(name, members);
    }
    for group in &file.phrase {
        phrases.guards.push(Guard {
            place: group.place,
            not_before: compiler.singles(&group.not_before)?,
            only_before: compiler.singles(&group.only_before)?,
            not_after: compiler.singles(&group.not_after)?,
            with: group
                .with
                .iter()
                .map(|list| compiler.singles(std::slice::from_ref(list)))
                .collect::<Result<_, _>>()?,
            without: compiler.singles(&group.without)?,
            beside: group.beside.as_ref().map(|lists| compiler.beside(lists)).transpose()?,
            is_always: group.always,
            is_asked: group.asked.unwrap_or(true),
            by_cells: group.by_cells,
        });
        let counts = |language: &Language| languages.is_none_or(|those| those.contains(language));
        let also = group.also.iter().filter(|(language, _)| counts(language)).flat_map(|(_, say)| say);
        for phrase in group.say.iter().chain(also) {
            let plain = compiler.plain(phrase);
            phrases.add(&group.sense, (compiler.patterns(phrase)?, plain));
        }
    }
    phrases.classes = compiler.words;
    phrases.index();
    Ok(phrases)
}

impl Compiler<'_> {
    /// Takes a class apart into single words.
    fn class(&mut self, name: &str, members: &str) {
        let members = members.split([' ', '|', '\n']).filter(|word| !word.is_empty());
        let mut words: Vec<WordId> = members.map(|word| self.word(word)).collect();
        words.sort_unstable();
        self.words.insert(name.to_owned(), words.into());
    }

    /// A word of a list, or any figure.
    fn word(&mut self, word: &str) -> WordId {
        if word == "#" { WordId::FIGURE } else { self.lexicon.add(word) }
    }

    /// Single words and classes of them, as one list.
    fn singles(&mut self, lists: &[String]) -> Result<Box<[WordId]>, VocabularyError> {
        let mut words = Vec::new();
        for word in lists.iter().flat_map(|list| list.split_whitespace()) {
            match word.strip_prefix('@') {
                Some(class) => {
                    words.extend_from_slice(self.words.get(class).ok_or_else(|| self.no_class(class, word))?);
                }
                None => words.push(self.word(word)),
            }
        }
        words.sort_unstable();
        Ok(words.into())
    }

    /// What may stand beside a phrase: words, and phrases of several.
    fn beside(&mut self, lists: &[String]) -> Result<Fillers, VocabularyError> {
        let (mut words, mut phrases) = (Vec::new(), Vec::new());
        for pattern in lists.iter().map(|list| self.patterns(list)).collect::<Result<Vec<_>, _>>()?.concat() {
            match pattern.as_slice() {
                [Item { word: Word::Of(own), .. }] => words.extend_from_slice(own),
                _ => phrases.push(pattern),
            }
        }
        words.sort_unstable();
        Ok(Fillers { words: words.into(), phrases })
    }

    /// How a phrase reads: by the first word of each class, and without what may be missing.
    fn plain(&self, phrase: &str) -> String {
        let parts = phrase.split_whitespace().filter(|part| !part.ends_with('?'));
        let first = |part: &'_ str| -> String {
            let one = part.split('|').next().unwrap_or_default();
            let class = one.strip_prefix('@').and_then(|class| self.classes.get(class));
            let word = class.and_then(|members| members.split(['|', ' ', '\n']).find(|word| !word.is_empty()));
            word.unwrap_or(one).to_owned()
        };
        parts.map(first).collect::<Vec<_>>().join(" ")
    }

    fn no_class(&self, class: &str, phrase: &str) -> VocabularyError {
        VocabularyError { topic: self.topic, reason: format!("no class @{class}, which \"{phrase}\" names") }
    }

    /// What a phrase may look like: several patterns where a class has members of more than one word.
    fn patterns(&mut self, phrase: &str) -> Result<Vec<Vec<Item>>, VocabularyError> {
        let mut patterns: Vec<Vec<Item>> = vec![Vec::new()];
        let is_plain = self.joins && !phrase.contains(['@', '|', '?', '#', '_']) && phrase.contains(' ');
        for part in phrase.split_whitespace() {
            let (part, is_optional) = part.strip_suffix('?').map_or((part, false), |part| (part, true));
            let ways = self.ways(part, phrase)?;
            let one = |item: &Item| Item { is_optional, ..item.clone() };
            if let [way] = &*ways {
                for pattern in &mut patterns {
                    pattern.extend(way.iter().map(one));
                }
                continue;
            }
            let mut longer = Vec::new();
            for pattern in &patterns {
                for way in ways.iter() {
                    longer.push(pattern.iter().cloned().chain(way.iter().map(one)).collect());
                }
            }
            patterns = longer;
        }
        if is_plain {
            // Written as one word it means the same: `donotship`, `outofstock`.
            let joined = self.lexicon.add(&phrase.replace(' ', ""));
            patterns.push(vec![Item::of([joined].into())]);
        }
        Ok(patterns)
    }

    /// The ways in which one part of a phrase may be written: each a list of words, of which each is one of several.
    fn ways(&mut self, part: &str, phrase: &str) -> Result<Rc<[Vec<Item>]>, VocabularyError> {
        if let Some(known) = self.parts.get(part) {
            return Ok(Rc::clone(known));
        }
        let ways: Rc<[_]> = self.ways_anew(part, phrase)?.into();
        self.parts.insert(part.to_owned(), Rc::clone(&ways));
        Ok(ways)
    }

    fn ways_anew(&mut self, part: &str, phrase: &str) -> Result<Vec<Vec<Item>>, VocabularyError> {
        if let Some(digits) = part.strip_prefix('#') {
            return Ok(vec![vec![Item { word: Word::Figure(digits.parse().unwrap_or(1)), is_optional: false }]]);
        }
        if part == "_" {
            let names = self.words.get("no_name").cloned().unwrap_or_default();
            return Ok(vec![vec![Item { word: Word::Other(names), is_optional: false }]]);
        }
        let (mut singles, mut longer) = (Vec::new(), Vec::new());
        for one in part.split('|') {
            let Some(class) = one.strip_prefix('@') else {
                singles.push(self.lexicon.add(one));
                continue;
            };
            let members = self.classes.get(class).ok_or_else(|| self.no_class(class, phrase))?;
            let has_longer = members.contains('|');
            let members = members.split(|c: char| if has_longer { c == '|' } else { c.is_whitespace() });
            for member in members.map(str::trim).filter(|member| !member.is_empty()) {
                let words: Vec<WordId> = member.split_whitespace().map(|word| self.word(word)).collect();
                match words.as_slice() {
                    [word] => singles.push(*word),
                    words => longer.push(words.iter().map(|word| Item::of([*word].into())).collect()),
                }
            }
        }
        singles.sort_unstable();
        if !singles.is_empty() {
            longer.push(vec![Item::of(singles.into())]);
        }
        Ok(longer)
    }
}
