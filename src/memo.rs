//! Answers that were found before, for texts that recur.
//!
//! Most columns of a sheet hold few texts, over and over. What was found out of a text is kept in a table of fixed size, where
//! a newer answer takes the place of an older one. On topics whose texts hardly ever recur nothing is kept.

use std::cell::RefCell;
use std::hash::Hasher;

use crate::text::Text;

/// Answers that are kept, a power of two.
const PLACES: usize = 2_048;

/// Longer texts hardly ever recur.
const BYTES_MAX: usize = 96;

/// Topics that are told apart when it is judged whether their texts recur.
const TOPICS: usize = 128;

/// After so many questions a topic is judged: of every so many texts, one has to have come before.
const TRIED: u32 = 1_024;
const RECURS: u32 = 8;

/// Answers to questions on texts; `K` is all else that an answer hangs on.
#[derive(Debug)]
pub(crate) struct Memo<K, T>(RefCell<Table<K, T>>);

#[derive(Debug)]
struct Table<K, T> {
    /// None until the first answer is kept: many a sheet asks nothing at all of some table.
    places: Vec<Option<Known<K, T>>>,
    topics: [Asked; TOPICS],
}

#[derive(Debug)]
struct Known<K, T> {
    about: K,
    text: Text,
    answer: T,
}

/// How often a topic was asked about, and how often the answer was there.
#[derive(Debug, Clone, Copy, Default)]
struct Asked {
    all: u32,
    known: u32,
}

impl Asked {
    const fn recurs(self) -> bool {
        self.all < TRIED || self.known >= self.all / RECURS
    }
}

impl<K, T> Default for Memo<K, T> {
    fn default() -> Self {
        Self(RefCell::new(Table { places: Vec::new(), topics: [Asked::default(); TOPICS] }))
    }
}

impl<K: Eq, T: Clone> Memo<K, T> {
    /// What was found out of a text.
    pub(crate) fn find(&self, topic: u32, about: &K, text: &str) -> Option<T> {
        let Table { places, topics } = &mut *self.0.borrow_mut();
        let asked = &mut topics[topic as usize % TOPICS];
        if !asked.recurs() || text.len() > BYTES_MAX {
            return None;
        }
        asked.all = asked.all.saturating_add(1);
        let mut known = places_of(topic, text).into_iter().filter_map(|place| places.get(place)?.as_ref());
        let known = known.find(|known| known.about == *about && known.text.as_str() == text)?;
        asked.known += 1;
        Some(known.answer.clone())
    }

    /// Keeps what was found out.
    pub(crate) fn keep(&self, topic: u32, about: K, text: &str, answer: T) {
        let Table { places, topics } = &mut *self.0.borrow_mut();
        if topics[topic as usize % TOPICS].recurs() && text.len() <= BYTES_MAX {
            if places.is_empty() {
                places.resize_with(PLACES, || None);
            }
            let [first, second] = places_of(topic, text);
            places.swap(first, second);
            places[first] = Some(Known { about, text: text.into(), answer });
        }
    }

    /// What was found out of a text, or is now.
    pub(crate) fn ask(&self, topic: u32, about: K, text: &str, find: impl FnOnce(&str) -> T) -> T {
        self.find(topic, &about, text).unwrap_or_else(|| {
            let answer = find(text);
            self.keep(topic, about, text, answer.clone());
            answer
        })
    }
}

/// Where an answer is kept, and where the newest one before it goes: two that meet there would drive each other out for good.
fn places_of(topic: u32, text: &str) -> [usize; 2] {
    let mut hash = QuickHash(topic.into());
    hash.write(text.as_bytes());
    let first = usize::try_from(hash.finish() % PLACES as u64).unwrap_or_default();
    [first, first ^ 1]
}

/// A hash of short texts, which nobody chooses to be slow: eight bytes at a time.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct QuickHash(u64);

impl Hasher for QuickHash {
    fn write(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks::<8>();
        for word in words {
            self.write_u64(u64::from_le_bytes(*word));
        }
        // The end of a longer text, the bytes before it that were read already included, is one word more.
        let last = match bytes.last_chunk::<8>() {
            Some(last) => u64::from_le_bytes(*last),
            None => rest.iter().fold(0, |last, byte| last << 8 | u64::from(*byte)),
        };
        self.write_u64(last ^ (bytes.len() as u64) << 56);
    }

    fn write_u32(&mut self, word: u32) {
        self.write_u64(word.into());
    }

    fn write_u64(&mut self, word: u64) {
        let mixed = (self.0 ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = mixed ^ (mixed >> 32);
    }

    fn write_usize(&mut self, number: usize) {
        self.write_u64(number as u64);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_that_of_its_own_question_or_found_anew() {
        let memo = Memo::default();
        for (number, about) in (0..3_000).flat_map(|number| [0, 0, 1, 0].map(|about| (number, about))) {
            let text = format!("text {number}");
            let own = (about, text.clone());
            assert_eq!(memo.ask(7, about, &text, |_| own.clone()), own);
        }
        assert_eq!(memo.0.borrow().topics[7].known, 6_000, "a text that comes again is known, twice");
    }

    #[test]
    fn nothing_is_kept_where_no_text_recurs() {
        let memo = Memo::default();
        for number in 0..2 * TRIED {
            assert_eq!(memo.ask(1, (), &number.to_string(), |_| number), number);
        }
        memo.keep(1, (), "again", 5);
        assert_eq!(memo.find(1, &(), "again"), None);
        memo.keep(2, (), "again", 5);
        assert_eq!(memo.find(2, &(), "again"), Some(5), "other topics go on");
    }
}
