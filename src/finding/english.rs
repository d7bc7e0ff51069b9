//! Findings in English: what is wrong and what is accepted, and what to do about it.

use std::sync::Arc;

use super::catalogue;
use super::data::{Finding, Sentence};
pub use super::plain::plain;
use super::remedy::Remedy;
use super::template::Facts;

/// The words of a face for remedies: a flag, a command, a line of the configuration, the text of a button.
pub type Words = Arc<dyn Fn(&Remedy) -> String + Send + Sync>;

/// The words for a face that has none of its own, see [`plain`].
#[must_use]
pub fn plain_words() -> Words {
    Arc::new(plain)
}

/// What is wrong and what it should be: a lowercase fragment without a full stop.
#[must_use]
pub fn message(finding: &Finding) -> String {
    joined(&finding.sentences(), |words| words)
}

/// What is wrong, without what it should be.
#[must_use]
pub fn wrong(finding: &Finding) -> String {
    joined(&finding.sentences(), |words| words.split_once("; it should be").map_or(words, |(wrong, _)| wrong))
}

/// What to do about it, with its remedies in the words of the face; may be empty.
#[must_use]
pub fn advice(finding: &Finding, remedy: &dyn Fn(&Remedy) -> String) -> String {
    // To accept it goes with whatever else can be done, and has no place in the sentence.
    let named = finding.remedies.iter().filter(|remedy| !matches!(remedy, Remedy::Accept { .. }));
    let remedies: Vec<Remedy> = named.cloned().collect();
    let facts = Facts { parameters: &finding.parameters, remedies: &remedies, words: remedy, said: &said };
    let mut advice =
        catalogue::entry(finding.id, &finding.case).map_or_else(String::new, |entry| facts.fill(entry.advice));
    // A further sentence is one on the value, or one on what to do.
    for entry in finding.also.iter().filter_map(|also| catalogue::entry(also.id, &also.case)) {
        if entry.says.is_empty() {
            advice.push_str("; ");
            advice.push_str(entry.advice);
        }
    }
    advice
}

/// Several sentences as one, each by the part of its words that `part` takes.
fn joined(sentences: &[Sentence], part: fn(&str) -> &str) -> String {
    let texts: Vec<String> =
        sentences.iter().map(|sentence| says(sentence, part)).filter(|text| !text.is_empty()).collect();
    // A question ends its sentence.
    texts.join("; ").replace("?; ", "? ")
}

fn says(sentence: &Sentence, part: fn(&str) -> &str) -> String {
    let Some(entry) = catalogue::entry(sentence.id, &sentence.case) else { return String::new() };
    let no_words = |_: &Remedy| String::new();
    Facts { parameters: &sentence.parameters, remedies: &[], words: &no_words, said: &said }.fill(part(entry.says))
}

fn said(sentence: &Sentence) -> String {
    says(sentence, |words| words)
}
