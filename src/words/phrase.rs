//! Phrases, ready to be looked for.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::token::{ByWord, Token, WordId};

/// Where in a text a phrase counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Where {
    /// Wherever it stands.
    #[default]
    Anywhere,
    /// Where its clause begins with it, but for fillers.
    Begins,
    /// Where the text begins with it.
    Starts,
    /// Where the text ends with it.
    Last,
    /// Where the text begins with it, and its first clause is nothing else, but for figures.
    First,
    /// Where its clause is nothing else, but for fillers.
    Clause,
    /// Where the text is nothing else, but for fillers.
    Text,
    /// Where its clause is nothing else and is set off from others by brackets, dashes or stars.
    SetOff,
}

/// A word of a pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Item {
    pub(super) word: Word,
    pub(super) is_optional: bool,
}

/// What a word of a pattern may be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Word {
    /// One of these, which are in order.
    Of(Box<[WordId]>),
    /// A figure of so many digits at least.
    Figure(u8),
    /// Any that is no figure, and none of these.
    Other(Box<[WordId]>),
}

impl Item {
    pub(super) const fn of(words: Box<[WordId]>) -> Self {
        Self { word: Word::Of(words), is_optional: false }
    }
}

/// What a phrase needs and what it does not stand.
#[derive(Debug)]
pub(super) struct Guard {
    pub(super) place: Where,
    pub(super) not_before: Box<[WordId]>,
    pub(super) only_before: Box<[WordId]>,
    pub(super) not_after: Box<[WordId]>,
    /// Of each of these a word must be there.
    pub(super) with: Vec<Box<[WordId]>>,
    pub(super) without: Box<[WordId]>,
    /// What counts as a filler beside it; the topic's fillers where there is none.
    pub(super) beside: Option<Fillers>,
    pub(super) is_always: bool,
    /// Whether it counts in a question as well.
    pub(super) is_asked: bool,
    /// Whether it names a column only where the cells fit.
    pub(super) by_cells: bool,
}

/// What may stand beside a phrase where its clause or text must be nothing else.
#[derive(Debug, Default)]
pub(super) struct Fillers {
    pub(super) words: Box<[WordId]>,
    pub(super) phrases: Vec<Vec<Item>>,
}

/// A phrase: the number of its sense, its words, and the number of its guard.
#[derive(Debug)]
pub(super) struct Pattern {
    pub(super) sense: usize,
    pub(super) items: Vec<Item>,
    pub(super) guard: usize,
    /// The number of the phrase that it is a form of.
    pub(super) phrase: usize,
}

/// All phrases of a topic.
#[derive(Debug, Default)]
pub(super) struct Phrases {
    senses: Vec<String>,
    patterns: Vec<Pattern>,
    pub(super) guards: Vec<Guard>,
    /// The patterns that may begin with a word, by its number.
    by_first: Vec<Box<[u16]>>,
    /// Those that may begin with a figure.
    by_figure: Vec<u16>,
    /// The classes of single words, by their names.
    pub(super) classes: ByWord<String, Box<[WordId]>>,
    pub(super) negation: Box<[WordId]>,
    pub(super) negation_behind: Box<[WordId]>,
    /// How far a negation reaches, where the topic says so, and what ends it.
    pub(super) negation_reach: Option<usize>,
    pub(super) conjunction: Box<[WordId]>,
    pub(super) condition: Box<[WordId]>,
    pub(super) filler: Box<[WordId]>,
    /// What may stand within a phrase.
    pub(super) skipped: Box<[WordId]>,
    /// The words that each phrase is made of.
    own: Vec<Box<[WordId]>>,
    /// How each phrase reads, with the number of its sense and its guard.
    plain: Vec<(usize, usize, String)>,
}

impl Phrases {
    /// The words of a class; none where there is no such class.
    pub(super) fn class(&self, name: &str) -> &[WordId] {
        self.classes.get(name).map_or(&[], |words| words)
    }

    /// Adds a phrase with the guard that came last, in all of its forms, and how it reads in the plainest one.
    pub(super) fn add(&mut self, sense: &str, (forms, plain): (Vec<Vec<Item>>, String)) {
        let guard = self.guards.len() - 1;
        let sense = self.sense_number(sense).unwrap_or_else(|| {
            self.senses.push(sense.to_owned());
            self.senses.len() - 1
        });
        let of = |item: &Item| if let Word::Of(words) = &item.word { words.to_vec() } else { Vec::new() };
        let mut own: Vec<WordId> = forms.iter().flatten().flat_map(of).collect();
        own.sort_unstable();
        self.own.push(own.into());
        self.plain.push((sense, guard, plain));
        let phrase = self.own.len() - 1;
        self.patterns.extend(forms.into_iter().map(|items| Pattern { sense, items, guard, phrase }));
    }

    /// The words that a phrase is made of, in all of its forms.
    pub(super) fn own(&self, phrase: usize) -> &[WordId] {
        &self.own[phrase]
    }

    /// Makes the lists of what may begin with which word, once all are there.
    pub(super) fn index(&mut self) {
        let class = |name: &str| -> Box<[WordId]> { self.class(name).into() };
        let (negation, negation_behind) = (class("negation"), class("negation_behind"));
        let (condition, filler, skipped) = (class("condition"), class("filler"), class("skipped"));
        let conjunction = class("conjunction");
        (self.negation, self.negation_behind) = (negation, negation_behind);
        self.conjunction = conjunction;
        (self.condition, self.filler, self.skipped) = (condition, filler, skipped);
        let mut by_first: BTreeMap<WordId, Vec<u16>> = BTreeMap::new();
        for (number, pattern) in (0_u16..).zip(&self.patterns) {
            // What may be missing at the beginning leaves the next one to begin with.
            for item in &pattern.items {
                match &item.word {
                    Word::Of(words) => words.iter().for_each(|word| by_first.entry(*word).or_default().push(number)),
                    Word::Figure(_) => self.by_figure.push(number),
                    // A phrase begins with a word that is known.
                    Word::Other(_) => {}
                }
                if !item.is_optional {
                    break;
                }
            }
        }
        let last = by_first.last_key_value().map_or(0, |(word, _)| word.index());
        self.by_first.resize_with(last + 1, Box::default);
        for (word, numbers) in by_first {
            self.by_first[word.index()] = numbers.into();
        }
    }

    /// Whether one may begin with this word, or with a figure.
    pub(super) fn may_begin(&self, word: WordId, is_figure: bool) -> bool {
        self.by_first.get(word.index()).is_some_and(|numbers| !numbers.is_empty())
            || (is_figure && !self.by_figure.is_empty())
    }

    /// The patterns that may begin with this word.
    pub(super) fn beginning(&self, word: WordId, is_figure: bool) -> impl Iterator<Item = &Pattern> {
        let by_word = self.by_first.get(word.index()).map_or(&[][..], |numbers| numbers);
        let by_figure = if is_figure { self.by_figure.as_slice() } else { &[] };
        by_word.iter().chain(by_figure).map(|number| &self.patterns[usize::from(*number)])
    }

    /// The number of a sense; none where no phrase has it.
    pub(super) fn sense_number(&self, sense: &str) -> Option<usize> {
        self.senses.iter().position(|known| known == sense)
    }

    pub(super) fn sense(&self, number: usize) -> &str {
        &self.senses[number]
    }

    /// How the phrases of a sense read, each with its guard.
    pub(super) fn plain(&self, sense: &str) -> impl Iterator<Item = (&str, &Guard)> {
        let number = self.sense_number(sense);
        let of_sense = self.plain.iter().filter(move |(own, ..)| Some(*own) == number);
        of_sense.map(|(_, guard, plain)| (plain.as_str(), self.guard(*guard)))
    }

    pub(super) fn guard(&self, number: usize) -> &Guard {
        &self.guards[number]
    }
}

/// Whether a sorted list has a word.
pub(super) fn has(list: &[WordId], word: WordId) -> bool {
    list.binary_search(&word).is_ok()
}

/// Whether a sorted list has a word of a text, be it as any figure.
pub(super) fn lists(list: &[WordId], token: &Token) -> bool {
    has(list, token.word) || (token.digits > 0 && list.last() == Some(&WordId::FIGURE))
}
