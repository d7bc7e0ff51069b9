//! How fast the service answered: from the moment at which a request was about to leave to its answer.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use crate::app::error::Result;
use crate::ledger::{Ledger, RunSpan, State};

/// Answers that took no longer than these, in milliseconds, are counted together.
const LATENCIES_MS: [i64; 9] = [100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000, 60_000];
/// Stretches of time that are told apart, at most; each is as long as one of these, in milliseconds.
const STRETCHES_MAX: i64 = 60;
const STRETCHES_MS: [i64; 13] = [
    1_000,
    5_000,
    10_000,
    30_000,
    60_000,
    300_000,
    900_000,
    3_600_000,
    10_800_000,
    21_600_000,
    86_400_000,
    604_800_000,
    2_592_000_000,
];

/// How fast the service answered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Speed {
    /// Attempts that began.
    pub attempts: u64,
    /// Those of them that are at their end.
    pub answered: u64,
    /// When the first began, in milliseconds since 1970-01-01 UTC.
    pub first_ms: i64,
    /// When the last answer came, in milliseconds since 1970-01-01 UTC; where none came, when the first attempt began.
    pub last_ms: i64,
    /// Half of the answers took no longer, in milliseconds.
    #[schemars(range(min = 0))]
    pub median_ms: i64,
    /// 95 of 100 answers took no longer, in milliseconds.
    #[schemars(range(min = 0))]
    pub p95_ms: i64,
    /// The slowest answer, in milliseconds.
    #[schemars(range(min = 0))]
    pub slowest_ms: i64,
    /// How long all answers took together, in milliseconds.
    #[serde(skip)]
    pub sum_ms: i64,
    /// Attempts by the state that their answers led to, and those without one.
    #[serde(skip)]
    pub outcomes: BTreeMap<&'static str, u64>,
    /// Answers by how long they took.
    pub latencies: Vec<Latency>,
    /// How long each stretch of time is, in milliseconds.
    #[schemars(range(min = 0))]
    pub stretch_ms: i64,
    /// Answers in each stretch of time, from the first attempt on.
    pub stretches: Vec<u64>,
    /// Answers by their HTTP status.
    pub statuses: Vec<Status>,
}

/// Answers that took about as long.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Latency {
    /// No longer than this, in milliseconds; null where they took longer than all others.
    pub up_to_ms: Option<i64>,
    /// How many.
    pub answers: u64,
}

/// Answers with one HTTP status.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Status {
    /// The status; null where no whole answer came.
    pub status: Option<u16>,
    /// How many.
    pub answers: u64,
}

impl Speed {
    /// Of the attempts of these runs; nothing where there was none.
    pub(super) fn of(ledger: &Ledger, span: RunSpan) -> Result<Option<Self>> {
        let (mut times, mut ends, mut first_ms) = (Vec::new(), Vec::new(), i64::MAX);
        let (mut attempts, mut ended) = (0, 0);
        let (mut statuses, mut outcomes) = (BTreeMap::<Option<u16>, u64>::new(), BTreeMap::new());
        ledger.for_each_attempt_of(span, &mut |attempt| {
            attempts += 1;
            *outcomes.entry(attempt.outcome.map_or("none", State::as_str)).or_default() += 1;
            first_ms = first_ms.min(attempt.intent_ms);
            if let Some(answered_ms) = attempt.answered_ms {
                ended += 1;
                // What no answer ended was ended by a timeout, or by the next start after a crash.
                if attempt.status.is_some() {
                    // Clocks may be set back.
                    times.push(answered_ms.saturating_sub(attempt.intent_ms).max(0));
                    ends.push(answered_ms);
                }
                *statuses.entry(attempt.status).or_default() += 1;
            }
        })?;
        if attempts == 0 {
            return Ok(None);
        }
        times.sort_unstable();
        let last_ms = ends.iter().copied().max().unwrap_or(first_ms).max(first_ms);
        let is_short = |stretch: &&i64| (last_ms - first_ms) / **stretch < STRETCHES_MAX;
        let stretch_ms = *STRETCHES_MS.iter().find(is_short).unwrap_or(&STRETCHES_MS[STRETCHES_MS.len() - 1]);
        let place = |ms: i64| usize::try_from((ms - first_ms).max(0) / stretch_ms).unwrap_or(0);
        let mut stretches = vec![0; place(last_ms) + 1];
        for end in &ends {
            stretches[place(*end)] += 1;
        }
        Ok(Some(Self {
            attempts,
            answered: ended,
            first_ms,
            last_ms,
            median_ms: share(&times, 50),
            p95_ms: share(&times, 95),
            slowest_ms: share(&times, 100),
            sum_ms: times.iter().sum(),
            outcomes,
            latencies: latencies(&times),
            stretch_ms,
            stretches,
            statuses: statuses.into_iter().map(|(status, answers)| Status { status, answers }).collect(),
        }))
    }
}

/// What so many of a hundred did not exceed; the times are in order.
fn share(times: &[i64], of_hundred: usize) -> i64 {
    let place = (times.len() * of_hundred).div_ceil(100);
    times.get(place.saturating_sub(1)).copied().unwrap_or_default()
}

fn latencies(times: &[i64]) -> Vec<Latency> {
    let mut before = 0;
    let mut between = |up_to: usize| {
        let answers = (up_to - before) as u64;
        before = up_to;
        answers
    };
    let limits = LATENCIES_MS.iter().map(|limit| (Some(*limit), times.partition_point(|time| time <= limit)));
    let all = limits.chain([(None, times.len())]);
    all.map(|(up_to_ms, up_to)| Latency { up_to_ms, answers: between(up_to) }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_told_by_their_share() {
        let times: Vec<i64> = (1..=100).map(|n| n * 10).collect();
        assert_eq!((share(&times, 50), share(&times, 95), share(&times, 100)), (500, 950, 1_000));
        assert_eq!((share(&[7], 50), share(&[], 95)), (7, 0));
        let found: Vec<u64> = latencies(&times).iter().map(|latency| latency.answers).collect();
        assert_eq!(found, [10, 15, 25, 50, 0, 0, 0, 0, 0, 0]);
    }
}
