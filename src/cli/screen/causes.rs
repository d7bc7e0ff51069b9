//! Problems on screen: grouped by cause, a few places each.

use std::borrow::Cow;
use std::collections::HashMap;
use std::io::{self, Write};

use crate::finding::english::{self, Words};
use crate::finding::{Finding, Id, Level, Remedy, Value, cause};
use crate::text::{count, shortened};

use super::terminal::Paint;
use crate::report::ProblemEntry;

/// Places shown of one cause.
const PLACES_SHOWN: usize = 4;
/// Different finds that are told with their counts; more of them are no words of one kind.
const FINDS_TOLD: usize = 12;
/// Causes shown in all.
const CAUSES_SHOWN: usize = 20;

/// Gathers problems by cause, in the order in which the causes first appear.
///
/// Memory stays bounded: of each cause only the first places are kept, unless everything is asked for.
pub(crate) struct Causes {
    words: Words,
    grouped: Vec<Cause>,
    index: HashMap<Key, usize>,
    all: Option<Vec<ProblemEntry>>,
    /// Places that are shown of each.
    places: usize,
}

/// What makes two problems one cause. Facts and places differ from row to row; the case, the field and the level do not,
/// nor do those facts that the case names as telling causes apart.
type Key = (Id, Option<Cow<'static, str>>, Level, (&'static str, Vec<Value>));

fn key(finding: &Finding) -> Key {
    (finding.id, finding.field.clone(), finding.level, cause(finding))
}

#[derive(Debug)]
struct Cause {
    first: Finding,
    count: u64,
    shown: Vec<Shown>,
    /// How often each text was found; one more than are told stands for too many.
    finds: Vec<(String, u64)>,
}

#[derive(Debug)]
struct Shown {
    place: String,
    found: Option<String>,
    order: Option<String>,
    /// What is wrong here, where the first place's words do not say it.
    otherwise: Option<String>,
}

impl Causes {
    /// An empty collection, with the words of the face for remedies.
    #[must_use]
    pub(crate) fn new(words: Words) -> Self {
        Self { words, grouped: Vec::new(), index: HashMap::new(), all: None, places: PLACES_SHOWN }
    }

    /// A collection that shows every place, for a person who asks for that.
    #[must_use]
    pub(crate) fn showing_all(words: Words) -> Self {
        Self { places: usize::MAX, ..Self::new(words) }
    }

    /// A collection that also keeps every problem, for the JSON document.
    #[must_use]
    pub(crate) fn keeping_all(words: Words) -> Self {
        Self { all: Some(Vec::new()), ..Self::new(words) }
    }

    /// Takes a problem.
    pub(crate) fn add(&mut self, problem: &Finding) {
        if let Some(all) = &mut self.all {
            all.push(ProblemEntry::of(problem, &self.words));
        }
        let index = *self.index.entry(key(problem)).or_insert_with(|| {
            self.grouped.push(Cause { first: problem.clone(), count: 0, shown: Vec::new(), finds: Vec::new() });
            self.grouped.len() - 1
        });
        let cause = &mut self.grouped[index];
        cause.count += 1;
        cause.note(problem.found.as_deref().unwrap_or_default());
        if cause.shown.len() < self.places {
            cause.shown.push(Shown {
                place: problem.place.as_ref().map(ToString::to_string).unwrap_or_default(),
                found: problem.found.clone(),
                order: problem.order.clone(),
                otherwise: differs(problem, &cause.first).then(|| english::wrong(problem)),
            });
        }
    }

    /// Keeps what no finding says, where everything is kept; it is told elsewhere.
    pub(crate) fn note(&mut self, entry: ProblemEntry) {
        if let Some(all) = &mut self.all {
            all.push(entry);
        }
    }

    /// Every problem, where all were kept.
    #[must_use]
    pub(crate) fn into_all(self) -> Vec<ProblemEntry> {
        self.all.unwrap_or_default()
    }
}

impl Cause {
    /// Counts what was found.
    fn note(&mut self, found: &str) {
        /// A longer text is no word that others have too.
        const BYTES_MAX: usize = 40;
        if self.finds.len() > FINDS_TOLD {
            return;
        }
        match self.finds.iter_mut().find(|(other, _)| other == found) {
            Some((_, count)) => *count += 1,
            None if found.is_empty() || found.len() > BYTES_MAX => {}
            None => self.finds.push((found.to_owned(), 1)),
        }
    }

    /// What was found where, in all places together: said where the places that are shown leave some of it out.
    fn finds(&self) -> Option<String> {
        let counted: u64 = self.finds.iter().map(|(_, count)| count).sum();
        let few = (2..=FINDS_TOLD).contains(&self.finds.len()) && counted == self.count;
        // Figures that are all different are values, and no words.
        let words = || self.finds.iter().all(|(found, _)| !found.contains(|c: char| c.is_ascii_digit()));
        if !few || self.count <= self.shown.len() as u64 || (self.finds.len() as u64 == self.count && !words()) {
            return None;
        }
        let mut finds: Vec<&(String, u64)> = self.finds.iter().collect();
        finds.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        let told = |(found, count): &(String, u64)| match count {
            1 => format!("\"{found}\""),
            _ => format!("\"{found}\" {count}×"),
        };
        let finds: Vec<String> = finds.into_iter().map(told).collect();
        Some(finds.join(", "))
    }
}

/// Writes each cause with its count, places, finds and fix. Errors come before warnings.
pub(crate) fn write_causes(out: &mut dyn Write, causes: &Causes) -> io::Result<()> {
    let mut sorted: Vec<&Cause> = causes.grouped.iter().collect();
    sorted.sort_by_key(|cause| std::cmp::Reverse(cause.first.level));
    for cause in sorted.iter().take(CAUSES_SHOWN) {
        let is_like = |own: &&&Cause| own.first.holds() && own.first.rule() == cause.first.rule();
        let is_only = sorted.iter().filter(is_like).count() < 2;
        write_cause(out, (cause, is_only), &causes.words)?;
    }
    let rest = sorted.len().saturating_sub(CAUSES_SHOWN);
    if rest > 0 {
        let kinds = if rest == 1 { "kind" } else { "kinds" };
        let all = (causes.words)(&Remedy::PrintJson);
        writeln!(out, "… and {rest} more {kinds} of problem; {all} has all of them")?;
    }
    Ok(())
}

fn write_cause(out: &mut dyn Write, (cause, is_only): (&Cause, bool), words: &Words) -> io::Result<()> {
    let style = if cause.first.holds() { Paint::Red } else { Paint::Yellow };
    let word = cause.first.level.as_str();
    let times = if cause.count > 1 { format!(" ({})", count(cause.count, "time")) } else { String::new() };
    let rule = cause.first.rule().map_or_else(|| cause.first.id.to_string(), |rule| rule.to_string());
    writeln!(out, "{style}{word}{style:#}[{rule}]: {}{times}", english::message(&cause.first))?;
    for line in aligned(&cause.shown) {
        writeln!(out, "  --> {line}")?;
    }
    let more = cause.count - cause.shown.len() as u64;
    if more > 0 {
        writeln!(out, "  … and {more} more {}", if more == 1 { "place" } else { "places" })?;
    }
    if let Some(finds) = cause.finds() {
        writeln!(out, "  found: {finds}")?;
    }
    let advice = english::advice(&cause.first, &**words);
    // What was accepted needs nothing done.
    if !advice.is_empty() && cause.first.accepted.is_none() {
        writeln!(out, "  hint: {advice}")?;
    }
    if let Some(accept) = accept(cause, is_only, words) {
        writeln!(out, "  or: {accept}")?;
    }
    Ok(())
}

/// How to let go what a rule holds, as it stands; `is_only`: whether that is all it holds.
fn accept(cause: &Cause, is_only: bool, words: &Words) -> Option<String> {
    let first = cause.first.remedies.iter().find(|remedy| matches!(remedy, Remedy::Accept { .. }))?;
    let Remedy::Accept { rule, .. } = first else { return None };
    let one = words(first);
    if cause.count == 1 {
        return Some(format!("add `{one}` to send it as it is"));
    }
    let all = words(&Remedy::Accept { rule: rule.clone(), order: None, sheet: None });
    let these = if is_only { "send them as they are".to_owned() } else { format!("send all that `{rule}` holds") };
    if one == all {
        Some(format!("add `{all}` to {these}"))
    } else {
        Some(format!("add `{all}` to {these}, or `{one}` for one of them"))
    }
}

/// Whether other words are said of a place than of the first one.
fn differs(finding: &Finding, first: &Finding) -> bool {
    (&finding.parameters, &finding.also) != (&first.parameters, &first.also)
        && english::message(finding) != english::message(first)
}

/// The places with their orders and finds, one below the other.
fn aligned(shown: &[Shown]) -> Vec<String> {
    /// A wider place does not push the others away.
    const WIDTH_MAX: usize = 60;
    let rows = shown.iter().map(|shown| {
        let order = shown.order.as_ref().map(|order| format!("order {}", shortened(order, 40))).unwrap_or_default();
        let found = shown.found.as_ref().filter(|found| !found.is_empty());
        let found = found.map(|found| format!("found \"{}\"", shortened(found, 60))).unwrap_or_default();
        let otherwise = shown.otherwise.as_ref().map(|text| shortened(text, 160)).unwrap_or_default();
        [shown.place.clone(), order, found, otherwise]
    });
    let rows: Vec<[String; 4]> = rows.filter(|row| row.iter().any(|cell| !cell.is_empty())).collect();
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0).min(WIDTH_MAX);
    let widths = [width(0), width(1), width(2), width(3)];
    let line = |row: &[String; 4]| {
        let cells = row.iter().zip(widths).filter(|(_, width)| *width > 0);
        let cells: Vec<String> = cells.map(|(cell, width)| format!("{cell:<width$}")).collect();
        cells.join("  ").trim_end().to_owned()
    };
    rows.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::screen::terminal::plain;
    use crate::finding::{cell, sheet};
    use crate::origin::{Place, Source};

    fn words() -> Words {
        std::sync::Arc::new(|remedy| match remedy {
            Remedy::Accept { rule, .. } if rule.is_empty() => "accept this".to_owned(),
            other => format!("{other:?}"),
        })
    }

    #[test]
    fn equal_causes_are_one_entry_with_a_few_places() {
        let source = Source::text("orders.csv");
        let mut causes = Causes::keeping_all(words());
        let too_short = |digits| cell::bad_phone::wrong_length(digits, "ten digits");
        for row in 2..12 {
            let place = Place::cell(&source, row, 1, "Phone");
            causes.add(&too_short(5).at(place).on_field("receiver.phoneNumber").found("12345"));
        }
        causes.add(&sheet::notice::no_worksheets());
        // Cases with one way out are one cause, and others are not.
        for (finding, order) in [
            (sheet::bad_encoding::zero_byte(), "A"),
            (cell::mojibake::letter_lost("\u{fffd}"), "B"),
            (cell::mojibake::letters_lost(), "C"),
            (cell::mojibake::wrong_encoding(), "D"),
        ] {
            causes.add(&finding.of_order(order));
        }
        let mut out = Vec::new();
        write_causes(&mut out, &causes).unwrap();
        let text = plain(&out);
        let phones = "error[phone-form]: has 5 digits; it should be ten digits (10 times)\n\
                      \x20 --> orders.csv:2 \"Phone\"  found \"12345\"\n";
        assert!(text.starts_with(phones), "{text}");
        let hint = "hint: accept this if it is right; otherwise ask for the number and type it as text\n";
        assert!(text.contains(&format!("  … and 6 more places\n  {hint}")), "{text}");
        assert!(text.contains("\nwarning[sheet-notice]: a text file has no worksheets"), "{text}");
        let lost = "error[value-damaged]: holds \u{fffd}: a letter was lost before it came into this sheet (2 times)\n  \
                    --> order B\n  --> order C  holds question marks for letters: a letter was lost before it came into \
                    this sheet\n  hint: type the text again\n\
                    error[value-damaged]: was read in a wrong encoding before it came into this sheet\n  --> order D\n";
        assert!(text.contains(lost), "{text}");
        assert_eq!(causes.into_all().len(), 15);
    }

    #[test]
    fn words_that_are_found_often_are_counted() {
        let mut causes = Causes::new(words());
        for word in ["Khata", "Exchange", "Khata", "Udhar", "Khata", "Exchange"] {
            causes.add(&cell::bad_payment::unknown(word, &["COD".to_owned()]).found(word));
        }
        let mut out = Vec::new();
        write_causes(&mut out, &causes).unwrap();
        let text = plain(&out);
        assert!(text.contains("\n  found: \"Khata\" 3×, \"Exchange\" 2×, \"Udhar\"\n"), "{text}");
    }

    #[test]
    fn places_stand_below_each_other_and_say_what_differs() {
        let source = Source::text("orders.csv");
        let mut causes = Causes::new(words());
        for (row, order, found) in [(9, "A-1", "12345"), (10, "B-100", "12"), (11, "C-1", "54321")] {
            let place = Place::cell(&source, row, 1, "Phone");
            let wrong = cell::bad_phone::wrong_length(found.len(), "ten");
            causes.add(&wrong.at(place).of_order(order).found(found));
        }
        let mut out = Vec::new();
        write_causes(&mut out, &causes).unwrap();
        let text = plain(&out);
        let expected = "error[phone-form]: has 5 digits; it should be ten (3 times)
  --> orders.csv:9 \"Phone\"   order A-1    found \"12345\"
  --> orders.csv:10 \"Phone\"  order B-100  found \"12\"     has 2 digits
  --> orders.csv:11 \"Phone\"  order C-1    found \"54321\"
  hint: accept this if it is right; otherwise ask for the number and type it as text
";
        assert_eq!(text, expected);
    }
}
