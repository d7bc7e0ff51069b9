//! Headers of columns, taken apart: what they say of their columns, word by word.
//!
//! They are read by phrases of their own (`templates/words/headers.toml`) and the one matcher. Unlike cells they are written in
//! one word by programs: `shippingAddress1`, `customername`.

use std::sync::LazyLock;

use super::matcher::named;
use super::phrase::Phrases;
use super::token::{Lexicon, Token, Tokens, WordId};
use super::{VocabularyError, file, phrase};

/// Longer headers are for no people.
const BYTES_MAX: usize = 120;

/// A longer word is taken apart where nobody knows it, into so many words with so many letters at least.
const JOINED_BYTES_MIN: usize = 6;
const PART_BYTES_MIN: usize = 2;

/// The phrases of headers.
#[derive(Debug, Default)]
pub struct Headers {
    lexicon: Lexicon,
    phrases: Phrases,
}

static OURS: LazyLock<Headers> =
    LazyLock::new(|| Headers::parse(include_str!("../../templates/words/headers.toml")).unwrap_or_default());

/// What a header says, with how sure that is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Said<'v> {
    /// What its phrase means.
    pub sense: &'v str,
    /// Which of all phrases it is, in their order.
    pub phrase: usize,
    /// How many words stand beside it that may.
    pub beside: usize,
    /// The words that make it doubtful, in small letters.
    pub spare: Vec<String>,
    /// Whether the cells have to fit as well.
    pub by_cells: bool,
}

/// A header, taken apart.
#[derive(Debug)]
pub struct Header<'v, 't> {
    words: &'v Headers,
    text: &'t str,
    tokens: Tokens,
}

impl Headers {
    /// The phrases that come with the program.
    #[must_use]
    pub fn built_in() -> &'static Self {
        &OURS
    }

    /// Reads phrases in TOML.
    fn parse(text: &str) -> Result<Self, VocabularyError> {
        let mut lexicon = Lexicon::default();
        let phrases = file::parse("headers", text, None, false, &mut lexicon)?;
        Ok(Self { lexicon, phrases })
    }

    /// Takes a header apart.
    #[must_use]
    pub fn header<'v, 't>(&'v self, text: &'t str) -> Header<'v, 't> {
        let all = if text.len() > BYTES_MAX { Vec::new() } else { self.tokens(text) };
        Header { words: self, text, tokens: Tokens { all, ..Tokens::default() } }
    }

    /// The words of a header. Only a comma ends a clause, and signs that say something are words.
    fn tokens(&self, text: &str) -> Vec<Token> {
        let raw = self.lexicon.tokens(text).all;
        let mut all = Vec::with_capacity(raw.len());
        let mut from = 0;
        for token in &raw {
            let (start, end) = (token.start as usize, token.end as usize);
            self.add_signs(text, (from, start), &mut all);
            self.add_word(text, token, &mut all);
            from = end;
        }
        self.add_signs(text, (from, text.len()), &mut all);
        all
    }

    fn add_signs(&self, text: &str, (from, to): (usize, usize), all: &mut Vec<Token>) {
        for (at, sign) in text.get(from..to).unwrap_or_default().char_indices() {
            let is_counted = || all.last().is_some_and(|last: &Token| last.digits > 0) && at == 0;
            let word = match sign {
                // `Price (5% GST)` is no percentage.
                '%' if !is_counted() => "percent",
                '#' => "number",
                '?' => "questionmark",
                ',' => {
                    all.last_mut().into_iter().for_each(|last| last.ends_clause = true);
                    continue;
                }
                _ => continue,
            };
            all.push(token(self.lexicon.exact(word), (from + at, from + at + 1)));
        }
    }

    /// A word as it is known, or else the words that are written in one there.
    fn add_word(&self, text: &str, own: &Token, all: &mut Vec<Token>) {
        let (start, end) = (own.start as usize, own.end as usize);
        let written = &text[start..end];
        let exact = self.lexicon.exact(written);
        let is_word = written.contains(char::is_alphabetic);
        if own.digits > 0 || exact != WordId::UNKNOWN || !is_word {
            let word = if exact == WordId::UNKNOWN { own.word } else { exact };
            all.push(Token { ends_clause: false, word, ..*own });
            return;
        }
        let humps = humps(written);
        for (at, hump) in &humps {
            let place = |from: usize, to: usize| (start + at + from, start + at + to);
            let lower = hump.to_lowercase();
            let known = self.lexicon.exact(hump);
            match self.joined(lower.as_bytes()) {
                _ if known != WordId::UNKNOWN => all.push(token(known, place(0, hump.len()))),
                Some(parts) if lower.len() == hump.len() => {
                    all.extend(parts.into_iter().map(|(word, from, to)| token(word, place(from, to))));
                }
                // It may be misspelt.
                _ if humps.len() == 1 => all.push(token(own.word, place(0, hump.len()))),
                _ => {
                    let word = self.lexicon.tokens(hump).all.first().map_or(WordId::UNKNOWN, |own| own.word);
                    all.push(token(word, place(0, hump.len())));
                }
            }
        }
    }

    /// The fewest known words that a word is made of.
    fn joined(&self, word: &[u8]) -> Option<Vec<(WordId, usize, usize)>> {
        if word.len() < JOINED_BYTES_MIN || !word.is_ascii() {
            return None;
        }
        // How many words lead to each place, and the last of them.
        let mut best: Vec<Option<(usize, WordId, usize)>> = vec![None; word.len() + 1];
        best[0] = Some((0, WordId::UNKNOWN, 0));
        for from in 0..word.len() {
            let Some((count, ..)) = best[from] else { continue };
            for to in from + PART_BYTES_MIN..=word.len() {
                let is_better = best[to].is_none_or(|(other, ..)| other > count + 1);
                let known = if is_better { self.lexicon.known(&word[from..to]) } else { WordId::UNKNOWN };
                if known != WordId::UNKNOWN {
                    best[to] = Some((count + 1, known, from));
                }
            }
        }
        let (mut parts, mut to) = (Vec::new(), word.len());
        while to > 0 {
            let (_, known, from) = best[to]?;
            parts.push((known, from, to));
            to = from;
        }
        parts.reverse();
        Some(parts)
    }

    /// Whether a word is in a class.
    #[must_use]
    pub fn lists(&self, class: &str, word: &str) -> bool {
        phrase::has(self.phrases.class(class), self.lexicon.exact(word))
    }

    /// The names of a field that need no look at the cells, as people write them.
    pub fn names(&self, path: &str) -> impl Iterator<Item = &str> {
        let named = self.phrases.plain(path).filter(|(_, guard)| !guard.by_cells && guard.with.is_empty());
        named.map(|(name, _)| name)
    }
}

/// A word at its place.
fn token(word: WordId, (start, end): (usize, usize)) -> Token {
    let place = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    Token { word, digits: 0, ends_clause: false, clause: 0, start: place(start), end: place(end) }
}

/// Words that are set off by capitals, with their places: `CODAmount` has two.
fn humps(word: &str) -> Vec<(usize, &str)> {
    let letters: Vec<(usize, char)> = word.char_indices().collect();
    let mut starts = vec![0];
    for (index, (at, letter)) in letters.iter().enumerate().skip(1) {
        let before = letters[index - 1].1;
        let ends_name = before.is_uppercase() && letters.get(index + 1).is_some_and(|(_, next)| next.is_lowercase());
        if letter.is_uppercase() && (before.is_lowercase() || ends_name) {
            starts.push(*at);
        }
    }
    let ends = starts.iter().skip(1).copied().chain([word.len()]);
    starts.iter().zip(ends).map(|(start, end)| (*start, &word[*start..end])).collect()
}

impl<'v, 't> Header<'v, 't> {
    /// What it says, by the order of the phrases.
    #[must_use]
    pub fn said(&self) -> Vec<Said<'v>> {
        let phrases = &self.words.phrases;
        let found = named(phrases, &self.tokens).map(|(pattern, beside, spare)| Said {
            sense: phrases.sense(pattern.sense),
            phrase: pattern.phrase,
            beside,
            spare: spare.iter().map(|index| self.written(*index).to_lowercase()).collect(),
            by_cells: phrases.guard(pattern.guard).by_cells,
        });
        let mut said: Vec<Said<'v>> = found.collect();
        said.sort_by_key(|own| own.phrase);
        said
    }

    /// Its words as they are written.
    #[must_use]
    pub fn words(&self) -> impl DoubleEndedIterator<Item = &'t str> {
        (0..self.tokens.all.len()).map(|index| self.written(index))
    }

    fn written(&self, index: usize) -> &'t str {
        let token = &self.tokens.all[index];
        &self.text[token.start as usize..token.end as usize]
    }

    /// Its words that are in a class, in small letters.
    pub fn of_class(&self, class: &str) -> impl Iterator<Item = String> {
        let class = self.words.phrases.class(class);
        let found = self.tokens.all.iter().enumerate().filter(|(_, token)| phrase::has(class, token.word));
        found.map(|(index, _)| self.written(index).to_lowercase())
    }
}
