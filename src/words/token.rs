//! Texts as words.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use crate::memo::QuickHash;

/// A word of the vocabulary, by its number; what the vocabulary does not have is [`WordId::UNKNOWN`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct WordId(u16);

impl WordId {
    pub(super) const UNKNOWN: Self = Self(0);
    /// What stands for any figure in a list of words.
    pub(super) const FIGURE: Self = Self(u16::MAX);

    pub(super) const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Words with fewer letters are never taken for a misspelt one: `held` is no `hold`.
const SLIP_LETTERS_MIN: usize = 6;

/// So short a word before a full stop may be a short form: `Cr. Note`, `Ord. cancelled`.
const SHORT_FORM_LETTERS_MAX: usize = 3;

/// Longer words are in no vocabulary.
const WORD_BYTES_MAX: usize = 64;

/// So many bytes a word of a text has, with what stands behind it.
const BYTES_A_WORD: usize = 5;

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
    /// Whether it has a question mark.
    pub(super) asks: bool,
    /// Whether a word of it is only taken for the one that it is like.
    pub(super) has_slips: bool,
}

/// Something by a word, or by what stands for one.
pub(super) type ByWord<K, V> = HashMap<K, V, BuildHasherDefault<QuickHash>>;

/// Every word of the vocabulary, with its number.
#[derive(Debug, Default)]
pub(super) struct Lexicon {
    /// By number, from 1.
    words: Vec<Box<str>>,
    numbers: ByWord<Box<[u8]>, WordId>,
    /// Longer words, by their first letter and their length: what a misspelt word may be meant as, with the letters that it is
    /// made of.
    long: ByWord<(u8, usize), Vec<(u32, WordId)>>,
}

impl Lexicon {
    /// The numbers of all words, and of unknown ones before them.
    pub(super) fn numbers(&self) -> impl Iterator<Item = WordId> {
        (0..=u16::try_from(self.words.len()).unwrap_or(u16::MAX)).map(WordId)
    }

    /// The number of a word, which is new to the vocabulary or not.
    pub(super) fn add(&mut self, word: &str) -> WordId {
        let known = self.known(word.as_bytes());
        if known != WordId::UNKNOWN {
            return known;
        }
        self.words.push(word.into());
        let id = WordId(u16::try_from(self.words.len()).unwrap_or(u16::MAX));
        self.numbers.insert(word.as_bytes().into(), id);
        if word.len() >= SLIP_LETTERS_MIN && is_plain(word.as_bytes()) {
            let of_length = self.long.entry((word.as_bytes()[0], word.len())).or_default();
            of_length.push((letters(word.as_bytes()), id));
        }
        id
    }

    /// Takes a new word for another form of one.
    pub(super) fn add_form(&mut self, form: &str, word: WordId) {
        self.numbers.insert(form.as_bytes().into(), word);
    }

    /// From now on every word means itself alone.
    pub(super) fn take_slips_for_nothing(&mut self) {
        self.long.clear();
    }

    /// The number of a word as it is written.
    pub(super) fn known(&self, word: &[u8]) -> WordId {
        self.numbers.get(word).copied().unwrap_or(WordId::UNKNOWN)
    }

    /// The word that is meant, also where one letter is missing, spare, wrong or swapped with its neighbour. The first letter
    /// is hardly ever wrong.
    fn find(&self, word: &[u8]) -> WordId {
        let id = self.known(word);
        if id != WordId::UNKNOWN || word.len() + 1 < SLIP_LETTERS_MIN || !is_plain(word) {
            return id;
        }
        let own = letters(word);
        // A letter is left out more often than one too many is typed.
        let lengths = [word.len() + 1, word.len(), word.len() - 1];
        let mut near = lengths.into_iter().filter_map(|length| self.long.get(&(word[0], length))).flatten();
        // One slip changes at most two letters of those that a word is made of.
        let is_meant = |(long, id): &&(u32, WordId)| {
            (own ^ long).count_ones() <= 2 && is_slip(word, self.words[id.index() - 1].as_bytes())
        };
        near.find(is_meant).map_or(WordId::UNKNOWN, |(_, id)| *id)
    }

    /// A word by its number.
    pub(super) fn word(&self, id: WordId) -> Option<&str> {
        self.words.get(id.index().checked_sub(1)?).map(|word| &**word)
    }

    /// The first word of a text, as it is written.
    pub(super) fn first(&self, text: &str) -> WordId {
        self.exact(text.trim_start().split(|c| !is_of_word(c)).next().unwrap_or_default())
    }

    /// A word as it is written, but for its case.
    pub(super) fn exact(&self, text: &str) -> WordId {
        let mut word = Word::default();
        text.chars().for_each(|c| word.push(c));
        self.known(word.bytes())
    }

    /// Takes a text apart into words: letters and digits of any script, without case and apostrophes.
    pub(super) fn tokens(&self, text: &str) -> Tokens {
        let all = Vec::with_capacity(text.len() / BYTES_A_WORD + 1);
        let mut taker =
            Taker { lexicon: self, tokens: Tokens { all, ..Tokens::default() }, word: Word::default(), clause: 0 };
        let mut before = ' ';
        let mut at = 0;
        while let Some(c) = text[at..].chars().next() {
            let end = at + c.len_utf8();
            let previous = std::mem::replace(&mut before, c);
            if is_of_word(c) {
                // `COD998` and `AWB149081234567` are two words each.
                if taker.word.length > 0 && previous.is_ascii_digit() != c.is_ascii_digit() {
                    taker.end_word(at);
                }
                if taker.word.length == 0 {
                    taker.word.start = at;
                }
                let letters = text.as_bytes()[at..].iter().take_while(|byte| byte.is_ascii_alphabetic());
                at += letters.map(|byte| taker.word.push_letter(*byte)).count();
                if at < end {
                    taker.word.push(c);
                    at = end;
                }
            } else if c == ' ' {
                taker.end_word(at);
                at = end;
            } else if matches!(c, '\'' | '’' | '`') && taker.word.length > 0 {
                at = end;
            } else if text[at..].starts_with("(s)") {
                // `2 record(s)`.
                taker.end_word(at);
                (at, before) = (end + 2, ' ');
            } else {
                let within_word = is_of_word(previous) && text[end..].chars().next().is_some_and(is_of_word);
                taker.sign(c, at, within_word);
                at = end;
            }
        }
        taker.sign('\n', at, false);
        taker.tokens
    }
}

/// A word of a text, as far as it is read.
#[derive(Debug)]
struct Word {
    bytes: [u8; WORD_BYTES_MAX],
    /// In bytes, also of those that are not kept.
    length: usize,
    letters: usize,
    digits: u8,
    start: usize,
}

impl Default for Word {
    fn default() -> Self {
        Self { bytes: [0; WORD_BYTES_MAX], length: 0, letters: 0, digits: 0, start: 0 }
    }
}

impl Word {
    fn push(&mut self, c: char) {
        self.letters += 1;
        if let Some(byte) = u8::try_from(c).ok().filter(u8::is_ascii) {
            // A word with digits begins with one.
            self.digits = self.digits.saturating_add(u8::from(byte.is_ascii_digit()));
            return self.push_byte(byte.to_ascii_lowercase());
        }
        let is_digit = c.is_numeric() && (self.digits > 0 || self.length == 0);
        self.digits = self.digits.saturating_add(u8::from(is_digit));
        let mut buffer = [0; 4];
        for lower in c.to_lowercase() {
            lower.encode_utf8(&mut buffer).bytes().for_each(|byte| self.push_byte(byte));
        }
    }

    fn push_letter(&mut self, letter: u8) {
        self.letters += 1;
        self.push_byte(letter.to_ascii_lowercase());
    }

    fn push_byte(&mut self, byte: u8) {
        if let Some(place) = self.bytes.get_mut(self.length) {
            *place = byte;
        }
        self.length += 1;
    }

    /// A word that is too long is in no vocabulary.
    fn bytes(&self) -> &[u8] {
        self.bytes.get(..self.length).unwrap_or_default()
    }
}

/// Takes a text apart.
struct Taker<'l> {
    lexicon: &'l Lexicon,
    tokens: Tokens,
    word: Word,
    clause: u16,
}

impl Taker<'_> {
    fn end_word(&mut self, end: usize) {
        if self.word.length == 0 {
            return;
        }
        let id = self.lexicon.find(self.word.bytes());
        self.tokens.has_slips |= id != self.lexicon.known(self.word.bytes());
        self.push(id, self.word.digits, (self.word.start, end));
        (self.word.length, self.word.letters, self.word.digits) = (0, 0, 0);
    }

    fn push(&mut self, word: WordId, digits: u8, (start, end): (usize, usize)) {
        let place = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        let (start, end) = (place(start), place(end));
        self.tokens.all.push(Token { word, digits, ends_clause: false, clause: self.clause, start, end });
    }

    /// A sign, which ends a word.
    fn sign(&mut self, c: char, at: usize, within_word: bool) {
        let letters = self.word.letters;
        self.end_word(at);
        if matches!(c, '&' | '+' | '/') && !self.tokens.all.is_empty() {
            let and = self.lexicon.known(b"and");
            self.push(and, 0, (at, at + 1));
        }
        self.tokens.asks |= c == '?';
        self.tokens.set_off |= sets_off(c) && !within_word;
        let is_short_form = c == '.' && (1..=SHORT_FORM_LETTERS_MAX).contains(&letters);
        if ends_clause(c)
            && !within_word
            && !is_short_form
            && let Some(last) = self.tokens.all.last_mut().filter(|last| last.clause == self.clause)
        {
            last.ends_clause = true;
            self.clause = self.clause.saturating_add(1);
        }
    }
}

/// Whether a word is made of small Latin letters alone.
fn is_plain(word: &[u8]) -> bool {
    word.iter().all(u8::is_ascii_lowercase)
}

/// Whether two words differ by one letter that is missing, spare, wrong or swapped with its neighbour.
fn is_slip(one: &[u8], other: &[u8]) -> bool {
    let begin = one.iter().zip(other).take_while(|(a, b)| a == b).count();
    let (one, other) = (&one[begin..], &other[begin..]);
    let end = one.iter().rev().zip(other.iter().rev()).take_while(|(a, b)| a == b).count();
    match (&one[..one.len() - end], &other[..other.len() - end]) {
        ([a, b], [c, d]) => (a, b) == (d, c),
        (one, other) => one.len() <= 1 && other.len() <= 1,
    }
}

/// Which letters a word is made of, a bit each.
fn letters(word: &[u8]) -> u32 {
    word.iter().fold(0, |letters, byte| letters | 1 << (byte.wrapping_sub(b'a') & 31))
}

/// Vowel signs of Indian scripts are parts of words as well.
pub(super) fn is_of_word(c: char) -> bool {
    c.is_ascii_alphanumeric()
        || (!c.is_ascii()
            && (c.is_alphanumeric()
                || matches!(c, '\u{300}'..='\u{36f}' | '\u{900}'..='\u{963}' | '\u{966}'..='\u{dff}')))
}

/// Whether a text has signs that may set parts of it off, as the hyphen of an order number does not.
pub(super) fn may_set_off(text: &str) -> bool {
    const DASHES: u8 = 0xe2;
    let of_word = |at: usize| text.as_bytes().get(at).is_some_and(u8::is_ascii_alphanumeric);
    let is_within = |at: usize| of_word(at.wrapping_sub(1)) && of_word(at + 1);
    text.bytes().enumerate().any(|(at, byte)| byte == DASHES || (sets_off(byte as char) && !is_within(at)))
}

const fn sets_off(c: char) -> bool {
    matches!(c, '(' | ')' | '[' | ']' | '*' | '-' | '–' | '—')
}

const fn ends_clause(c: char) -> bool {
    sets_off(c) || matches!(c, '.' | ',' | '=' | ';' | ':' | '!' | '?' | '\n' | '\r' | '|' | '।')
}
