//! What a text says: the phrases in it that count.

use super::phrase::{Fillers, Guard, Item, Pattern, Phrases, Where, Word, has, lists};
use super::token::{Token, Tokens, WordId};

/// So many words before it a negation may stand: `not yet cancelled`.
const NEGATION_REACH: usize = 2;

/// A phrase that was found and counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hit<'v> {
    /// What it means.
    pub sense: &'v str,
    /// Where it begins and ends in the text, in bytes.
    pub span: (usize, usize),
}

/// What a text says on a topic.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PhraseHits<'v> {
    /// In the order of the text.
    pub hits: Vec<Hit<'v>>,
}

impl PhraseHits<'_> {
    /// Whether it says something of this sense.
    #[must_use]
    pub fn says(&self, sense: &str) -> bool {
        self.hits.iter().any(|hit| hit.sense == sense)
    }
}

/// Finds the phrases of a topic in a text.
pub(super) fn read<'v>(phrases: &'v Phrases, tokens: &Tokens) -> PhraseHits<'v> {
    let mut reading = PhraseHits::default();
    for (pattern, first, after) in found(phrases, tokens, |_| true) {
        let span = (tokens.all[first].start as usize, tokens.all[after - 1].end as usize);
        let hit = Hit { sense: phrases.sense(pattern.sense), span };
        if !reading.hits.contains(&hit) {
            reading.hits.push(hit);
        }
    }
    reading
}

/// Whether a text says something of a sense.
pub(super) fn says(phrases: &Phrases, tokens: &Tokens, sense: &str) -> bool {
    phrases.sense_number(sense).is_some_and(|number| found(phrases, tokens, |sense| sense == number).next().is_some())
}

/// The phrases that may begin somewhere in a text, each with the word that it begins with.
fn begun<'f>(phrases: &'f Phrases, tokens: &'f Tokens) -> impl Iterator<Item = (&'f Pattern, usize)> {
    tokens
        .all
        .iter()
        .enumerate()
        .flat_map(|(first, token)| phrases.beginning(token.word, token.digits > 0).map(move |pattern| (pattern, first)))
}

/// The phrases of some senses that a text has, each with the words that it begins with and ends before.
fn found<'f>(
    phrases: &'f Phrases,
    tokens: &'f Tokens,
    is_wanted: impl Fn(usize) -> bool + 'f,
) -> impl Iterator<Item = (&'f Pattern, usize, usize)> {
    let wanted = begun(phrases, tokens).filter(move |(pattern, _)| is_wanted(pattern.sense));
    wanted.filter_map(|(pattern, first)| {
        let after = first + length(&pattern.items, &tokens.all[first..], &[])?;
        let found = Found { phrases, tokens, first, after };
        found.counts(phrases.guard(pattern.guard)).then_some((pattern, first, after))
    })
}

/// How many words a pattern takes of those at hand, the most where some may be missing; some words may stand in between.
pub(super) fn length(items: &[Item], tokens: &[Token], skipped: &[WordId]) -> Option<usize> {
    let Some((item, rest)) = items.split_first() else { return Some(0) };
    let fits = |token: &&Token| match &item.word {
        Word::Of(words) => has(words, token.word),
        Word::Figure(digits) => token.digits >= *digits,
        Word::Other(names) => token.digits == 0 && !has(names, token.word),
    };
    let taken = tokens.first().filter(fits).and_then(|token| {
        // A phrase does not go on beyond its clause.
        let is_last = rest.iter().all(|item| item.is_optional);
        if token.ends_clause && !is_last {
            return None;
        }
        let behind = if token.ends_clause { &[] } else { &tokens[1..] };
        let between = behind.iter().take_while(|token| has(skipped, token.word)).count();
        let taken = length(rest, behind, skipped).map(|length| length + 1);
        let beyond = || length(rest, &behind[between..], skipped).filter(|length| *length > 0);
        taken.or_else(|| if between > 0 { beyond().map(|length| length + between + 1) } else { None })
    });
    taken.or_else(|| if item.is_optional { length(rest, tokens, skipped) } else { None })
}

/// The phrases that a header has, whatever else stands there: each with the number of words beside it that may stand there,
/// and those that make it doubtful whether the header is named by it.
pub(super) fn named<'f>(
    phrases: &'f Phrases,
    tokens: &'f Tokens,
) -> impl Iterator<Item = (&'f Pattern, usize, Vec<usize>)> {
    begun(phrases, tokens).filter_map(|(pattern, first)| {
        let after = first + length(&pattern.items, &tokens.all[first..], &phrases.skipped)?;
        let found = Found { phrases, tokens, first, after };
        let guard = phrases.guard(pattern.guard);
        if !found.has_neighbours(guard) {
            return None;
        }
        if guard.place != Where::Text {
            return found.stands(guard).then_some((pattern, 0, Vec::new()));
        }
        let (beside, spare) = found.others(guard, phrases.own(pattern.phrase));
        Some((pattern, beside, spare))
    })
}

/// A phrase that was found.
struct Found<'f> {
    phrases: &'f Phrases,
    tokens: &'f Tokens,
    first: usize,
    /// The word behind it.
    after: usize,
}

impl Found<'_> {
    fn counts(&self, guard: &Guard) -> bool {
        self.stands(guard)
            && (guard.is_asked || !self.tokens.asks)
            && self.has_neighbours(guard)
            && (guard.is_always || !self.is_denied())
    }

    /// Whether the words around it are those that it needs, and none that it does not stand.
    fn has_neighbours(&self, guard: &Guard) -> bool {
        !self.behind().is_some_and(|next| lists(&guard.not_before, next))
            && !self.is_counted(guard)
            && (guard.only_before.is_empty() || self.behind().is_none_or(|next| lists(&guard.only_before, next)))
            && !self.before().is_some_and(|last| lists(&guard.not_after, last))
            && guard.with.iter().all(|words| self.elsewhere().any(|token| lists(words, token)))
            && !self.elsewhere().any(|token| lists(&guard.without, token))
    }

    /// How many of the other words may stand beside it, and which may not.
    fn others(&self, guard: &Guard, own: &[WordId]) -> (usize, Vec<usize>) {
        let all = &self.tokens.all;
        let (mut beside, mut spare, mut at) = (0, Vec::new(), 0);
        while at < all.len() {
            at += match all[at] {
                _ if at == self.first => self.after - self.first,
                token if has(&self.phrases.filler, token.word) || has(own, token.word) => 1,
                _ => {
                    let passed = |beside| passed(beside, &all[at..], &self.phrases.skipped);
                    let length = guard.beside.as_ref().map_or(0, passed);
                    if length == 0 {
                        spare.push(at);
                    } else {
                        beside += length;
                    }
                    length.max(1)
                }
            };
        }
        (beside, spare)
    }

    /// The word behind it, within its clause.
    fn behind(&self) -> Option<&Token> {
        let ends = self.tokens.all[self.after - 1].ends_clause;
        self.tokens.all.get(self.after).filter(|_| !ends)
    }

    /// Whether a figure must not stand behind it, and does, be it behind a colon: `Cancelled: 2`.
    fn is_counted(&self, guard: &Guard) -> bool {
        let next = self.tokens.all.get(self.after);
        has(&guard.not_before, WordId::FIGURE) && next.is_some_and(|next| next.digits > 0)
    }

    /// The word before it, within its clause.
    fn before(&self) -> Option<&Token> {
        self.tokens.all[..self.first].last().filter(|last| !last.ends_clause)
    }

    fn elsewhere(&self) -> impl Iterator<Item = &Token> {
        self.tokens.all[..self.first].iter().chain(&self.tokens.all[self.after..])
    }

    fn stands(&self, guard: &Guard) -> bool {
        let all = &self.tokens.all;
        let clause = all[self.first].clause;
        let passes = |tokens: &[Token]| match &guard.beside {
            Some(beside) => is_beside(beside, tokens),
            None => tokens.iter().all(|token| lists(&self.phrases.filler, token)),
        };
        let start = all[..self.first].iter().rposition(|token| token.clause != clause).map_or(0, |last| last + 1);
        let rest = &all[self.after..];
        let end = rest.iter().position(|token| token.clause != clause).unwrap_or(rest.len());
        let begins = || passes(&all[start..self.first]);
        let ends = || passes(&rest[..end]);
        match guard.place {
            Where::Anywhere => true,
            Where::Begins => begins(),
            Where::Starts => self.first == 0,
            Where::Last => rest.is_empty(),
            Where::First => {
                let behind = all[self.after..].iter().take_while(|token| token.clause == clause);
                self.first == 0 && behind.into_iter().all(|token| token.digits > 0)
            }
            Where::Clause => begins() && ends(),
            Where::Text => passes(&all[..self.first]) && passes(rest),
            Where::SetOff => {
                let has_others = all.last().is_some_and(|last| last.clause > 0);
                self.tokens.set_off && has_others && begins() && ends()
            }
        }
    }

    /// Whether a word before it, or in some languages behind it, denies it, or it hangs on something else: `If not home cancel
    /// order`, `cancel if not reachable`.
    fn is_denied(&self) -> bool {
        let Phrases { negation, negation_behind, negation_reach, conjunction, condition, .. } = self.phrases;
        let (before, behind) = (&self.tokens.all[..self.first], &self.tokens.all[self.after..]);
        let clause = self.tokens.all[self.first].clause;
        let near = |token: &&Token| token.clause == clause;
        let reached = before.iter().rev().take(negation_reach.unwrap_or(NEGATION_REACH)).take_while(near);
        reached.take_while(|token| !has(conjunction, token.word)).any(|token| has(negation, token.word))
            || behind.iter().take(NEGATION_REACH).take_while(near).any(|token| has(negation_behind, token.word))
            || before.iter().chain(behind.iter().take_while(near)).any(|token| has(condition, token.word))
    }
}

/// How many of the words at hand may stand beside a phrase: the longest of those that belong together.
fn passed(beside: &Fillers, tokens: &[Token], skipped: &[WordId]) -> usize {
    let longest = beside.phrases.iter().filter_map(|items| length(items, tokens, skipped)).max();
    let is_single = || tokens.first().is_some_and(|first| lists(&beside.words, first));
    longest.filter(|length| *length > 0).unwrap_or_else(|| usize::from(is_single()))
}

/// Whether words are nothing but what may stand beside a phrase.
fn is_beside(beside: &Fillers, tokens: &[Token]) -> bool {
    match passed(beside, tokens, &[]) {
        0 => tokens.is_empty(),
        taken => is_beside(beside, &tokens[taken..]),
    }
}
