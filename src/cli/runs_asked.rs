//! Which runs are meant, as typed, and in words.

use clap::Args;

use crate::app::{Covered, RunsMeant};
use crate::text::{count, list};

use super::report::{last, since};

/// Runs that are named one by one; of more, the first and the last.
const NAMED: usize = 5;

#[derive(Debug, Args)]
pub(super) struct RunsAsked {
    /// The run [default: the latest; after a night of `watch`, all runs of that night]
    #[arg(long, value_name = "N")]
    run: Option<i64>,
    /// All runs since that day, instead of one: a date such as 2026-11-20, today or yesterday
    #[arg(long, value_name = "DAY", conflicts_with = "run", value_parser = since)]
    since: Option<i64>,
    /// All runs of that time, instead of one: 7d (today and the six days before), 2w, or 24h up to now
    #[arg(long, value_name = "TIME", conflicts_with_all = ["run", "since"], value_parser = last)]
    last: Option<i64>,
}

impl RunsAsked {
    pub(super) fn meant(&self) -> RunsMeant {
        match (self.since.or(self.last), self.run) {
            (Some(since), _) => RunsMeant::Since(since),
            (None, Some(run)) => RunsMeant::One(run),
            (None, None) => RunsMeant::Latest,
        }
    }
}

/// The runs in words: `run 7`, `runs 5, 6 and 7, the last night`.
pub(super) fn covered(covered: &Covered) -> String {
    let mut runs = covered.runs.clone();
    runs.sort_unstable();
    let named = match runs.as_slice() {
        [] => "no run".to_owned(),
        [run] => format!("run {run}"),
        runs if runs.len() <= NAMED => {
            format!("runs {}", list(&runs.iter().map(i64::to_string).collect::<Vec<_>>(), "and"))
        }
        [first, .., last] => format!("{}, from {first} to {last}", count(runs.len() as u64, "run")),
    };
    let night = if covered.is_night { ", the last night" } else { "" };
    format!("{named}{night}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked_for_is_meant() {
        let asked = |run, since, last| RunsAsked { run, since, last }.meant();
        assert_eq!(asked(None, None, None), RunsMeant::Latest);
        assert_eq!(asked(Some(3), None, None), RunsMeant::One(3));
        assert_eq!(
            (asked(None, Some(5), None), asked(None, None, Some(5))),
            (RunsMeant::Since(5), RunsMeant::Since(5))
        );
    }
}
