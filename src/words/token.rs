//! Texts as words.

use std::collections::HashMap;

use strsim::osa_distance;

/// A word of the vocabulary, by its number; what the vocabulary does not have is [`WordId::UNKNOWN`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct WordId(u16);

impl WordId {
    pub(super) const UNKNOWN: Self = Self(0);
    /// What stands for any figure in a list of words.
    pub(super) const FIGURE: Self = Self(u16::MAX);
}

/// Words with fewer letters are never taken for a misspelt one: `held` is no `hold`.
const SLIP_LETTERS_MIN: usize = 6;

/// So short a word before a full stop may be a short form: `Cr. Note`, `Ord. cancelled`.
const SHORT_FORM_LETTERS_MAX: usize = 3;

/// One word of a text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Token {
    pub(super) word: WordId,
    /// How many digits it has, where it begins with one.
    pub(super) digits: u8,
    /// Whether a clause ends behind it.
    pub(super) ends_clause: bool,
    /// Which clause it is in, counted from 0.
    pub(super) clause: u16,
    pub(super) start: u32,
    pub(super) end: u32,
}

/// A text, taken apart.
#[derive(Debug, Default)]
pub(super) struct Tokens {
    pub(super) all: Vec<Token>,
    /// Whether brackets, dashes or stars set its clauses off from each other.
    pub(super) set_off: bool,
    /// Whether the text ends with, or has, a question mark.
    pub(super) asks: bool,
}

/// Every word of the vocabulary, with its number.
#[derive(Debug, Default)]
pub(super) struct Lexicon {
    words: HashMap<Box<str>, WordId>,
    /// Longer words, by their first letter and their length: what a misspelt word may be meant as.
    long: HashMap<(u8, usize), Vec<Long>>,
}

/// A longer word.
#[derive(Debug)]
struct Long {
    word: Box<str>,
    letters: u32,
    id: WordId,
}

impl Lexicon {
    /// The number of a word, which is new to the vocabulary or not.
    pub(super) fn add(&mut self, word: &str) -> WordId {
        if let Some(id) = self.words.get(word) {
            return *id;
        }
        let id = WordId(u16::try_from(self.words.len() + 1).unwrap_or(u16::MAX));
        self.words.insert(word.into(), id);
        if word.len() >= SLIP_LETTERS_MIN && word.bytes().all(|byte| byte.is_ascii_lowercase()) {
            let long = Long { word: word.into(), letters: letters(word), id };
            self.long.entry((word.as_bytes()[0], word.len())).or_default().push(long);
        }
        id
    }

    /// The word that is meant, also where one letter is missing, spare, wrong or swapped with its neighbour. The first letter
    /// is hardly ever wrong.
    fn find(&self, word: &str) -> WordId {
        if let Some(id) = self.words.get(word) {
            return *id;
        }
        if word.len() + 1 < SLIP_LETTERS_MIN || !word.bytes().all(|byte| byte.is_ascii_lowercase()) {
            return WordId::UNKNOWN;
        }
        let own = letters(word);
        // A letter is left out more often than one too many is typed.
        let lengths = (word.len() - 1..=word.len() + 1).rev();
        let mut near = lengths.filter_map(|length| self.long.get(&(word.as_bytes()[0], length))).flatten();
        // One slip changes at most two letters of those that a word is made of.
        let meant = near.find(|long| (own ^ long.letters).count_ones() <= 2 && osa_distance(word, &long.word) <= 1);
        meant.map_or(WordId::UNKNOWN, |long| long.id)
    }

    /// Takes a text apart into words: letters and digits of any script, without case and apostrophes.
    pub(super) fn tokens(&self, text: &str) -> Tokens {
        let mut tokens = Tokens::default();
        let mut word = String::new();
        let (mut start, mut clause, mut before) = (0, 0_u16, ' ');
        let mut chars = text.char_indices().chain(std::iter::once((text.len(), '\n'))).peekable();
        while let Some((at, c)) = chars.next() {
            let (previous, next) = (std::mem::replace(&mut before, c), chars.peek().map_or(' ', |(_, next)| *next));
            if is_of_word(c) {
                // `COD998` and `AWB149081234567` are two words each.
                if !word.is_empty() && previous.is_ascii_digit() != c.is_ascii_digit() {
                    tokens.all.push(self.token(&word, (start, at), clause));
                    word.clear();
                }
                if word.is_empty() {
                    start = at;
                }
                word.extend(c.to_lowercase());
                continue;
            }
            if text.get(at..).is_some_and(|rest| rest.starts_with("(s)")) {
                // `2 record(s)`.
                chars.by_ref().take(2).for_each(drop);
                before = ' ';
                if !word.is_empty() {
                    tokens.all.push(self.token(&word, (start, at), clause));
                    word.clear();
                }
                continue;
            }
            if is_apostrophe(c) && !word.is_empty() {
                continue;
            }
            let letters = word.chars().count();
            if !word.is_empty() {
                tokens.all.push(self.token(&word, (start, at), clause));
                word.clear();
            }
            if matches!(c, '&' | '+' | '/') && !tokens.all.is_empty() {
                tokens.all.push(self.token("and", (at, at + c.len_utf8()), clause));
            }
            let within_word = is_of_word(previous) && is_of_word(next);
            tokens.asks |= c == '?';
            tokens.set_off |= sets_off(c) && !within_word;
            let is_abbreviation = c == '.' && (1..=SHORT_FORM_LETTERS_MAX).contains(&letters);
            if ends_clause(c) && !within_word && !is_abbreviation {
                if let Some(last) = tokens.all.last_mut().filter(|last| last.clause == clause) {
                    last.ends_clause = true;
                    clause = clause.saturating_add(1);
                }
            }
        }
        tokens
    }

    fn token(&self, word: &str, (start, end): (usize, usize), clause: u16) -> Token {
        let place = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        Token {
            word: self.find(word),
            digits: digits(word),
            ends_clause: false,
            clause,
            start: place(start),
            end: place(end),
        }
    }
}

/// How many digits a figure has; none where a word does not begin with one.
fn digits(word: &str) -> u8 {
    let is_figure = word.starts_with(|c: char| c.is_numeric());
    let count = if is_figure { word.chars().filter(|c| c.is_numeric()).count() } else { 0 };
    u8::try_from(count).unwrap_or(u8::MAX)
}

/// Which letters a word is made of, a bit each.
fn letters(word: &str) -> u32 {
    word.bytes().fold(0, |letters, byte| letters | 1 << (byte.wrapping_sub(b'a') & 31))
}

/// Vowel signs of Indian scripts are parts of words as well.
fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '\u{300}'..='\u{36f}' | '\u{900}'..='\u{963}' | '\u{966}'..='\u{dff}')
}

const fn is_apostrophe(c: char) -> bool {
    matches!(c, '\'' | '’' | '`')
}

/// Whether a text has signs that may set parts of it off.
pub(super) fn may_set_off(text: &str) -> bool {
    text.contains(sets_off)
}

const fn sets_off(c: char) -> bool {
    matches!(c, '(' | ')' | '[' | ']' | '*' | '-' | '–' | '—')
}

const fn ends_clause(c: char) -> bool {
    sets_off(c) || matches!(c, '.' | ',' | '=' | ';' | ':' | '!' | '?' | '\n' | '\r' | '|' | '।')
}
