//! Each stage alone, so that a regression has an address.

use std::hint::black_box;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use jiff::Timestamp;
use shipsheet::column::decide::by_headers;
use shipsheet::event::Stream;
use shipsheet::field::FIELDS;
use shipsheet::ledger::{Change, Ledger, NewRun, Part, RunFacts, RunKind};
use shipsheet::parse::{Input, ReadingSettings, value};
use shipsheet::stage::{Dry, Recorder, gather};

use super::sheets::{self, Rows};
use super::{line, per_second, references};

const ORDERS: usize = 40_000;

pub(crate) fn all(folder: &Path) -> Result<()> {
    let sheet = folder.join("stages.csv");
    sheets::csv(&sheet, ORDERS, Rows::Adjacent)?;
    let rules = ReadingSettings::new(Timestamp::now());
    let opened = references::opened(&sheet, &rules)?;
    let planned = opened.sheets.first().context("no sheet")?;

    let mut rows = 0;
    let taken = timed(|| {
        planned.sheet.read(&mut |row| {
            rows += 1;
            black_box(row);
            ControlFlow::Continue(())
        })
    })?;
    say("read", rows, "rows", taken);

    let header = planned.sheet.header();
    let taken = timed(|| {
        for _ in 0..1_000 {
            black_box(by_headers((planned.sheet.source(), header.row), &header.cells, None));
        }
        anyhow::Ok(())
    })?;
    say("map", 1_000, "headers", taken);

    let taken = timed(|| {
        for _ in 0..10_000 {
            for field in FIELDS {
                let _ = black_box(value(Input::new(field, field.example), &rules));
            }
        }
        anyhow::Ok(())
    })?;
    say("check", 10_000 * FIELDS.len(), "values", taken);

    let taken = timed(|| gather(&opened, &rules, &mut Dry::default(), &mut |_| {}, &mut Stream::silent()))?;
    say("read, group, check and build", ORDERS, "orders", taken);

    let mut bodies = 0;
    let taken = timed(|| {
        bodies = references::bodies(&sheet)?.len();
        anyhow::Ok(())
    })?;
    say("the same and freeze", bodies, "orders", taken);
    ledger(folder, &rules, &opened)
}

fn ledger(folder: &Path, rules: &ReadingSettings, opened: &shipsheet::stage::Opened) -> Result<()> {
    let mut ledger = Ledger::open(&folder.join("stages.sqlite"))?;
    let now_ms = Timestamp::now().as_millisecond();
    let new = NewRun {
        kind: RunKind::Import,
        service: "bench".to_owned(),
        started_ms: now_ms,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        user: "bench".to_owned(),
        host: "bench".to_owned(),
    };
    let started = Instant::now();
    let mut staging = ledger.stage(new)?;
    gather(
        opened,
        rules,
        &mut Recorder::new(&mut staging, &opened.columns, now_ms),
        &mut |_| {},
        &mut Stream::silent(),
    )?;
    let run = staging.commit(&RunFacts::default())?;
    say("the same and stage", ORDERS, "orders", started.elapsed());

    let pending = ledger.outstanding(run, (i64::MIN, 64 * 100), Part::WHOLE)?;
    let started = Instant::now();
    for batch in pending.chunks(64) {
        let intents: Vec<Change> =
            batch.iter().map(|order| Change::Intent { order: order.order, request: order.request, run }).collect();
        ledger.commit(&intents, now_ms)?;
    }
    say("commit, 64 intents each", pending.len(), "intents", started.elapsed());
    Ok(())
}

fn timed<T, E: Into<anyhow::Error>>(work: impl FnOnce() -> Result<T, E>) -> Result<Duration> {
    let started = Instant::now();
    black_box(work().map_err(Into::into)?);
    Ok(started.elapsed())
}

fn say(stage: &str, count: usize, things: &str, taken: Duration) {
    line(&format!("stage: {stage}"), "-", &format!("{:.0}/s", per_second(count, taken)), things);
}
