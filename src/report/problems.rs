//! Problems on screen: grouped by cause, a few places each.

use std::collections::HashMap;
use std::io::{self, Write};

use anstyle::{AnsiColor, Style};

use crate::problem::{Problem, Severity};
use crate::text::{count, shortened};

use super::document::ProblemEntry;

/// Places shown of one cause.
const PLACES_SHOWN: usize = 4;
/// Causes shown in all.
const CAUSES_SHOWN: usize = 20;

/// Gathers problems by cause, in the order in which the causes first appear.
///
/// Memory stays bounded: of each cause only the first places are kept, unless everything is asked for.
#[derive(Debug, Default)]
pub struct Causes {
    grouped: Vec<Cause>,
    index: HashMap<Key, usize>,
    all: Option<Vec<ProblemEntry>>,
    errors: u64,
    warnings: u64,
}

/// What makes two problems one cause. Message and place differ from row to row; code, field and severity do not.
type Key = (&'static str, Option<&'static str>, Severity);

#[derive(Debug)]
struct Cause {
    first: Problem,
    count: u64,
    shown: Vec<Shown>,
}

#[derive(Debug)]
struct Shown {
    place: String,
    found: Option<String>,
    order: Option<String>,
}

impl Causes {
    /// A collection that also keeps every problem, for the JSON document.
    #[must_use]
    pub fn keeping_all() -> Self {
        Self { all: Some(Vec::new()), ..Self::default() }
    }

    /// Takes a problem.
    pub fn add(&mut self, problem: &Problem) {
        match problem.severity {
            Severity::Error => self.errors += 1,
            Severity::Warning => self.warnings += 1,
        }
        if let Some(all) = &mut self.all {
            all.push(problem.into());
        }
        let key = (problem.code.as_str(), problem.field, problem.severity);
        let index = *self.index.entry(key).or_insert_with(|| {
            self.grouped.push(Cause { first: problem.clone(), count: 0, shown: Vec::new() });
            self.grouped.len() - 1
        });
        let cause = &mut self.grouped[index];
        cause.count += 1;
        if cause.shown.len() < PLACES_SHOWN {
            cause.shown.push(Shown {
                place: problem.place.as_ref().map(ToString::to_string).unwrap_or_default(),
                found: problem.found.clone(),
                order: problem.order.clone(),
            });
        }
    }

    /// Problems that keep something back.
    #[must_use]
    pub const fn errors(&self) -> u64 {
        self.errors
    }

    /// Every problem, where all were kept.
    #[must_use]
    pub fn into_all(self) -> Vec<ProblemEntry> {
        self.all.unwrap_or_default()
    }
}

/// Writes each cause with its count, places, finds and fix. Errors come before warnings.
pub fn write_causes(out: &mut dyn Write, causes: &Causes) -> io::Result<()> {
    let mut sorted: Vec<&Cause> = causes.grouped.iter().collect();
    sorted.sort_by_key(|cause| std::cmp::Reverse(cause.first.severity));
    for cause in sorted.iter().take(CAUSES_SHOWN) {
        write_cause(out, cause)?;
    }
    let rest = sorted.len().saturating_sub(CAUSES_SHOWN);
    if rest > 0 {
        let kinds = if rest == 1 { "kind" } else { "kinds" };
        writeln!(out, "… and {rest} more {kinds} of problem; --format json has all of them")?;
    }
    Ok(())
}

fn write_cause(out: &mut dyn Write, cause: &Cause) -> io::Result<()> {
    let colour = if cause.first.severity == Severity::Error { AnsiColor::Red } else { AnsiColor::Yellow };
    let style = Style::new().fg_color(Some(colour.into())).bold();
    let word = cause.first.severity.as_str();
    let times = if cause.count > 1 { format!(" ({})", count(cause.count, "time")) } else { String::new() };
    writeln!(out, "{style}{word}{style:#}[{}]: {}{times}", cause.first.code, cause.first.message)?;
    for shown in &cause.shown {
        let found = match &shown.found {
            Some(found) if found.is_empty() => String::new(),
            Some(found) => format!("  found \"{}\"", shortened(found, 60)),
            None => String::new(),
        };
        let order = shown.order.as_ref().map(|order| format!("  order {}", shortened(order, 40))).unwrap_or_default();
        if !(shown.place.is_empty() && order.is_empty() && found.is_empty()) {
            writeln!(out, "  --> {}{order}{found}", shown.place)?;
        }
    }
    let more = cause.count - cause.shown.len() as u64;
    if more > 0 {
        writeln!(out, "  … and {more} more {}", if more == 1 { "place" } else { "places" })?;
    }
    if !cause.first.hint.is_empty() {
        writeln!(out, "  hint: {}", cause.first.hint)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::origin::{Place, Source};
    use crate::problem::Code;

    #[test]
    fn equal_causes_are_one_entry_with_a_few_places() {
        let source = Source::text("orders.csv");
        let mut causes = Causes::keeping_all();
        for row in 2..12 {
            causes.add(
                &Problem::error(Code::BadPhone, "has 5 digits")
                    .at(Place::cell(&source, row, 1, "Phone"))
                    .on_field("receiver.phoneNumber")
                    .found("12345")
                    .hint("ask"),
            );
        }
        causes.add(&Problem::warning(Code::UnknownColumn, "left out"));
        let mut out = Vec::new();
        write_causes(&mut out, &causes).unwrap();
        let text = anstream::adapter::strip_bytes(&out).into_vec();
        let text = String::from_utf8(text).unwrap();
        assert!(
            text.starts_with(
                "error[bad-phone]: has 5 digits (10 times)\n  --> orders.csv:2 \"Phone\"  found \"12345\"\n"
            )
        );
        assert!(text.contains("  … and 6 more places\n  hint: ask\nwarning[unknown-column]: left out\n"), "{text}");
        assert_eq!((causes.errors(), causes.into_all().len()), (10, 11));
    }
}
