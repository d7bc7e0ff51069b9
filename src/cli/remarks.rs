//! The questions of `import` about remarks that nobody could read: what a person says of one is kept as a word of theirs.

use std::collections::HashSet;

use crate::book::StopSignal;
use crate::finding::{self, Finding, Value};
use crate::text::count;
use crate::words::OwnWords;

use super::console::{asked_unless, note, somebody_is_here};
use super::settings::Settings;

/// So many remarks are asked about one by one; of more, all others can be called harmless together.
const ASKED_MAX: usize = 5;

/// Remarks that nobody could read, each with how often it is there, and what a person was asked of them.
#[derive(Default)]
pub(super) struct Remarks {
    open: Vec<(u32, String)>,
    asked: HashSet<String>,
}

impl Remarks {
    /// Takes what a finding says of such remarks, where it is about them.
    pub(super) fn take(&mut self, finding: &Finding) {
        if finding.id != finding::Id::UnreadRemark {
            return;
        }
        // Of a whole sheet they are named as `3 × "its text"`.
        let counted = |named: &String| {
            let (count, text) = named.split_once(" × ")?;
            Some((count.parse().ok()?, text.trim_matches('"').to_owned()))
        };
        match finding.parameters.get("named") {
            Some(Value::List(named)) => self.add(named.iter().filter_map(counted)),
            _ => self.add(finding.found.iter().map(|text| (1, text.clone()))),
        }
    }

    fn add(&mut self, remarks: impl Iterator<Item = (u32, String)>) {
        for (count, text) in remarks.filter(|(_, text)| !self.asked.contains(text)).collect::<Vec<_>>() {
            match self.open.iter_mut().find(|(_, known)| *known == text) {
                Some((known, _)) => *known += count,
                None => self.open.push((count, text)),
            }
        }
    }

    /// Asks about those that nobody was asked about yet, the most frequent first, and gives what a person said of them.
    pub(super) fn ask(&mut self, settings: &Settings, listening: Option<&StopSignal>) -> OwnWords {
        let mut open = std::mem::take(&mut self.open);
        let mut words = OwnWords::default();
        if open.is_empty() || !somebody_is_here() || settings.is_quiet() {
            return words;
        }
        open.sort_by(|(one, text), (other, of_other)| other.cmp(one).then_with(|| text.cmp(of_other)));
        self.asked.extend(open.iter().map(|(_, text)| text.clone()));
        note(format!(
            "{} that could not be understood; what you say is kept under [words]:",
            count(open.len() as u64, "remark")
        ));
        let mut left = open.iter().enumerate();
        while let Some((at, (times, text))) = left.next().filter(|(at, _)| *at < ASKED_MAX) {
            match answer(&format!("{times} × \"{text}\""), open.len() - at, listening) {
                Answer::Harmless => words.harmless.push(text.clone()),
                Answer::Hold => words.hold.push(text.clone()),
                Answer::AllHarmless => {
                    words.harmless.extend(open.iter().skip(at).map(|(_, text)| text.clone()));
                    return words;
                }
                Answer::Open => {}
                Answer::AllOpen => break,
            }
        }
        words
    }
}

/// What a person says of a remark.
enum Answer {
    Harmless,
    Hold,
    AllHarmless,
    Open,
    AllOpen,
}

fn answer(remark: &str, left: usize, listening: Option<&StopSignal>) -> Answer {
    let all = if left > 1 { format!(" / [a]ll {left} are harmless / [n]o more questions") } else { String::new() };
    let question = format!("{remark}: [h]armless / hol[d] its orders{all} / Enter: leave it open");
    loop {
        match asked_unless(&question, listening).unwrap_or_default().as_str() {
            "" => return Answer::Open,
            "h" | "harmless" => return Answer::Harmless,
            "d" | "hold" => return Answer::Hold,
            "a" | "all" if left > 1 => return Answer::AllHarmless,
            "n" | "no" if left > 1 => return Answer::AllOpen,
            other => note(format!("\"{other}\" is no answer; type h or d, or press Enter")),
        }
    }
}

/// Keeps what a person said of remarks in the configuration, for later sheets as well.
pub(super) fn keep(settings: &Settings, words: &OwnWords) {
    let edit = settings.config().edit_words(words);
    let kept = edit.and_then(|edit| edit.write().map(|()| edit.path().display().to_string()));
    note(match kept {
        Ok(path) => format!("kept under [words] in {path}"),
        Err(error) => format!("warning: this holds for this import only, because it cannot be kept: {error}"),
    });
}
