//! All judged sheets of a folder, counted by set and by rule.

use std::collections::BTreeMap;
use std::fmt::{self, Write as _};
use std::path::Path;

use anyhow::{Context, Result};

use super::case::{Case, Judgement};
use super::reading::{Outcome, Outcomes, Said};
use super::verdict::{Verdict, came, expected, verdict};

/// An order with its verdict.
#[derive(Debug)]
pub(crate) struct Judged {
    set: String,
    sheet: String,
    number: String,
    verdict: Verdict,
    expected: String,
    came: String,
    /// What held it, or had it left out.
    rules: Vec<String>,
}

impl fmt::Display for Judged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { set, sheet, number, expected, came, .. } = self;
        let what = match &self.verdict {
            Verdict::Right => "right".to_owned(),
            Verdict::StoppedForNothing => "STOPPED FOR NOTHING".to_owned(),
            Verdict::Gone => "GONE".to_owned(),
            Verdict::WrongValue(wrong) => format!("WRONG VALUE: {wrong}"),
            Verdict::OtherwiseKept => "kept otherwise".to_owned(),
        };
        write!(f, "{set}/{sheet} {number}: {what}\n  expected: {expected}\n  came: {came}")
    }
}

/// How many orders came to what.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Count {
    pub(crate) orders: usize,
    pub(crate) right: usize,
    pub(crate) stopped_for_nothing: usize,
    pub(crate) gone: usize,
    pub(crate) wrong_value: usize,
    pub(crate) otherwise_kept: usize,
}

/// What may go wrong at most.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    /// Of a thousand orders.
    pub(crate) stopped_for_nothing_per_mille: usize,
    pub(crate) gone: usize,
    pub(crate) wrong_value: usize,
    pub(crate) otherwise_kept: usize,
}

impl Count {
    /// What is aimed at.
    pub(crate) const GOAL: Limits =
        Limits { stopped_for_nothing_per_mille: 10, gone: 0, wrong_value: 0, otherwise_kept: 0 };

    /// Whether no more went wrong than may.
    pub(crate) const fn is_within(&self, limits: &Limits) -> bool {
        self.stopped_for_nothing * 1_000 <= limits.stopped_for_nothing_per_mille * self.orders
            && self.gone <= limits.gone
            && self.wrong_value <= limits.wrong_value
            && self.otherwise_kept <= limits.otherwise_kept
    }

    fn add(&mut self, verdict: &Verdict) {
        self.orders += 1;
        *match verdict {
            Verdict::Right => &mut self.right,
            Verdict::StoppedForNothing => &mut self.stopped_for_nothing,
            Verdict::Gone => &mut self.gone,
            Verdict::WrongValue(_) => &mut self.wrong_value,
            Verdict::OtherwiseKept => &mut self.otherwise_kept,
        } += 1;
    }
}

/// All orders of a folder with their verdicts.
#[derive(Debug)]
pub(crate) struct Report {
    orders: Vec<Judged>,
    /// Sheets by set and layout.
    sheets: Vec<(String, String)>,
}

impl Report {
    /// Reads and judges every sheet of a folder.
    pub(crate) fn of(folder: &Path) -> Result<Self> {
        let (mut orders, mut sheets) = (Vec::new(), Vec::new());
        for case in Case::all(folder)? {
            let outcomes = Outcomes::of(&case).with_context(|| format!("{}/{}", case.set, case.name))?;
            orders.extend(judged(&case, outcomes));
            sheets.push((case.set, case.layout));
        }
        Ok(Self { orders, sheets })
    }

    /// Orders of the sets that are meant.
    pub(crate) fn count(&self, is_meant: impl Fn(&str) -> bool) -> Count {
        let mut count = Count::default();
        self.orders.iter().filter(|order| is_meant(&order.set)).for_each(|order| count.add(&order.verdict));
        count
    }

    /// The sets by name.
    pub(crate) fn sets(&self) -> Vec<&str> {
        distinct(self.sheets.iter().map(|(set, _)| set.as_str()))
    }

    /// How many sheets there are.
    #[cfg_attr(not(test), expect(dead_code, reason = "the test holds how many there are at least"))]
    pub(crate) fn sheets(&self) -> usize {
        self.sheets.len()
    }

    /// How many layouts these have.
    #[cfg_attr(not(test), expect(dead_code, reason = "the test holds how many there are at least"))]
    pub(crate) fn layouts(&self) -> usize {
        distinct(self.sheets.iter().map(|(_, layout)| layout.as_str())).len()
    }

    /// Orders that did not come as a careful clerk would have it.
    pub(crate) fn wrong(&self) -> impl Iterator<Item = &Judged> {
        self.orders.iter().filter(|order| order.verdict != Verdict::Right)
    }

    /// A table of the sets.
    pub(crate) fn by_set(&self) -> String {
        let mut table = format!(
            "{:<10}{:>7}{:>9}{:>8}{:>8}{:>21}{:>7}{:>13}{:>16}\n",
            "set",
            "sheets",
            "layouts",
            "orders",
            "right",
            "stopped for nothing",
            "gone",
            "wrong value",
            "kept otherwise"
        );
        let mut row = |name: &str, of: &dyn Fn(&str) -> bool| {
            let sheets: Vec<&str> =
                self.sheets.iter().filter(|(set, _)| of(set)).map(|(_, layout)| layout.as_str()).collect();
            let (count, sheets, layouts) = (self.count(of), sheets.len(), distinct(sheets.into_iter()).len());
            let Count { orders, right, stopped_for_nothing, gone, wrong_value, otherwise_kept } = count;
            _ = writeln!(
                table,
                "{name:<10}{sheets:>7}{layouts:>9}{orders:>8}{right:>8}{stopped_for_nothing:>12}{:>9}{gone:>7}{wrong_value:>13}{otherwise_kept:>16}",
                percent(stopped_for_nothing, orders)
            );
        };
        self.sets().iter().for_each(|name| row(name, &|set| set == *name));
        row("total", &|_| true);
        table
    }

    /// A table of the rules that kept orders, those first that kept most of them for nothing.
    pub(crate) fn by_rule(&self) -> String {
        let mut rules: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
        for order in &self.orders {
            for rule in &order.rules {
                let (rightly, for_nothing) = rules.entry(rule).or_default();
                *if order.verdict == Verdict::StoppedForNothing { for_nothing } else { rightly } += 1;
            }
        }
        let mut rules: Vec<_> = rules.into_iter().collect();
        rules.sort_by_key(|(name, (rightly, for_nothing))| (usize::MAX - for_nothing, usize::MAX - rightly, *name));
        let mut table = format!("{:<52}{:>13}{:>13}\n", "rule", "kept rightly", "for nothing");
        for (rule, (rightly, for_nothing)) in rules {
            _ = writeln!(table, "{rule:<52}{rightly:>13}{for_nothing:>13}");
        }
        table
    }
}

/// Every order of a case, also those of which only the judgement or only the sheet speaks.
fn judged(case: &Case, mut outcomes: Outcomes) -> Vec<Judged> {
    let unexpected = |number: &String| !case.orders.contains_key(number);
    let more: Vec<String> = outcomes.orders.keys().filter(|number| unexpected(number)).cloned().collect();
    let nobody_said = Judgement::Out("the judgement knows no such order".to_owned());
    let all = case.orders.iter().chain(more.iter().map(|number| (number, &nobody_said)));
    all.map(|(number, judgement)| {
        let is_unread = !outcomes.sheet.is_empty();
        let held = is_unread.then(|| Outcome::Held(outcomes.sheet.clone()));
        let outcome = held.or_else(|| outcomes.orders.remove(number));
        // What is left out goes nowhere, for whatever reason the sheet stays unread.
        let outcome = outcome.filter(|_| !(is_unread && matches!(judgement, Judgement::Out(_))));
        let rules = match &outcome {
            Some(Outcome::Held(said) | Outcome::LeftOut(said)) => said.as_slice(),
            None | Some(Outcome::Sent(_)) => &[],
        };
        Judged {
            set: case.set.clone(),
            sheet: case.name.clone(),
            number: number.clone(),
            verdict: verdict(judgement, outcome.as_ref()),
            expected: expected(judgement),
            came: came(outcome.as_ref()),
            rules: rule_names(rules),
        }
    })
    .collect()
}

fn rule_names(said: &[Said]) -> Vec<String> {
    let names = distinct(said.iter().map(|said| said.rule.as_str()));
    names.into_iter().map(str::to_owned).collect()
}

fn distinct<'n>(names: impl Iterator<Item = &'n str>) -> Vec<&'n str> {
    let mut names: Vec<&str> = names.collect();
    names.sort_unstable();
    names.dedup();
    names
}

fn percent(part: usize, of: usize) -> String {
    let per_mille = (part * 1_000).checked_div(of).unwrap_or(0);
    format!("({}.{} %)", per_mille / 10, per_mille % 10)
}
