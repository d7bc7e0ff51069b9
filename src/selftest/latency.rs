//! How long a commit takes on this disk: one answer and one intent, as a run at concurrency 1 commits them.

use std::path::Path;
use std::time::{Duration, Instant};

use crate::text::Decimal;
use sha2::{Digest, Sha256};

use crate::api::outcome::{Booking, Outcome};
use crate::ledger::{Change, Ledger, LedgerError, NewRun, Part, RunFacts, RunKind, StagedOrder};

use super::Report;

/// Commits at most.
const COMMITS: i64 = 300;

/// A disk that is slower than this is known well enough by then.
const TIME_MAX: Duration = Duration::from_secs(6);

pub(super) fn measure(folder: &Path, report: &mut Report) -> Result<(), LedgerError> {
    let mut ledger = Ledger::open(&folder.join("latency.sqlite"))?;
    let run = {
        let mut staging = ledger.stage(NewRun {
            kind: RunKind::Import,
            service: "https://selftest.invalid".to_owned(),
            started_ms: 1,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            user: "selftest".to_owned(),
            host: "selftest".to_owned(),
        })?;
        let body = [b' '; 1_000];
        for position in 0..COMMITS {
            staging.put(&StagedOrder {
                number: &format!("L-{position}"),
                sha256: Sha256::digest(body).into(),
                body: &body,
                packed: None,
                created_ms: 1,
                lines: 1,
                value: Decimal::ONE,
                cod: Decimal::ZERO,
                rows: "selftest",
                position,
            })?;
        }
        staging.commit(&RunFacts::default())?
    };
    let pending = ledger.outstanding(run, (-1, usize::try_from(COMMITS).unwrap_or(usize::MAX)), Part::WHOLE)?;
    let began = Instant::now();
    let mut before = None;
    let mut times = Vec::with_capacity(pending.len());
    for (index, (order, request)) in pending.iter().map(|pending| (pending.order, pending.request)).enumerate() {
        let mut changes = vec![Change::Intent { order, request, run }];
        changes.extend(before.map(|order| Change::Answer {
            order,
            outcome: booked(index),
            status: Some(201),
            raw: None,
        }));
        let started = Instant::now();
        ledger.commit(&changes, 2)?;
        times.push(u64::try_from(started.elapsed().as_micros()).unwrap_or(u64::MAX));
        before = Some(order);
        if began.elapsed() > TIME_MAX {
            break;
        }
    }
    times.sort_unstable();
    report.commits = u32::try_from(times.len()).unwrap_or(u32::MAX);
    report.commit_p50_us = quantile(&times, 50);
    report.commit_p99_us = quantile(&times, 99);
    Ok(())
}

fn booked(index: usize) -> Outcome {
    Outcome::Booked(Booking { awb: format!("L{index}"), order_id: Some(format!("L{index}")), ..Booking::default() })
}

/// The value below which so many of a hundred lie; `sorted` is.
fn quantile(sorted: &[u64], of_hundred: usize) -> u64 {
    let index = (sorted.len() * of_hundred / 100).min(sorted.len().saturating_sub(1));
    sorted.get(index).copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::quantile;

    #[test]
    fn quantiles() {
        let times: Vec<u64> = (1..=200).collect();
        assert_eq!((quantile(&times, 50), quantile(&times, 99)), (101, 199));
        assert_eq!((quantile(&[7], 99), quantile(&[], 50)), (7, 0));
    }
}
