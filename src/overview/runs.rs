//! The part of a report on how it went: the runs, how fast the service answered, and whether everything adds up.

use std::time::Duration;

use crate::app::{Balance, Balanced, Latency, Report, RunLine, Speed, StationLine, WholeLedger};
use crate::text::{self, indian, list};

use super::layout::{Block, Cell, Chart, Figure, Section, Series, Shape, Table, Tone};
use super::said::{capital, count, moment, stayed_behind, told, unsent};

/// The runs, and those before a single one.
pub(super) fn runs(report: &Report) -> Option<Section> {
    let all: Vec<&RunLine> = report.runs.iter().chain(&report.runs_before).collect();
    if all.is_empty() {
        return None;
    }
    let row = |run: &&RunLine| {
        let state = match (run.state, &run.stopped_by) {
            ("going_on", _) => "goes on".to_owned(),
            ("killed", _) => "killed".to_owned(),
            (_, Some(by)) => format!("stopped: {by}"),
            _ => "finished".to_owned(),
        };
        let what = if run.sheets.is_empty() { run.kind.to_owned() } else { run.sheets.join(", ") };
        vec![
            Cell::Text(run.run.to_string()),
            Cell::Text(moment(run.started_ms)),
            Cell::Text(what),
            Cell::Number(run.rows),
            Cell::Number(run.orders.total),
            Cell::Number(run.orders.booked + run.orders.already_booked),
            Cell::Number(stayed_behind(&run.orders)),
            Cell::Number(run.orders.in_doubt),
            Cell::Number(run.orders.outstanding),
            Cell::Text(text::duration(Duration::try_from_secs_f64(run.seconds).unwrap_or_default())),
            Cell::Text(state),
        ]
    };
    let names =
        ["Run", "Began", "Sheets", "Rows", "Orders", "Booked", "Stayed behind", "In doubt", "Not sent", "Took", "End"];
    let more = report.runs_unlisted;
    let table = Table {
        name: "Runs".to_owned(),
        columns: names.map(str::to_owned).into(),
        rows: all.iter().map(row).collect(),
        total: None,
        below: (more > 0).then(|| format!("And {}.", count(more, "earlier run"))),
    };
    let mut blocks = Vec::new();
    if !report.runs_before.is_empty() {
        blocks.push(Block::Chart(against(&all)));
    }
    blocks.push(Block::Table(table));
    let heading = if report.runs_before.is_empty() { "Runs" } else { "This run and the imports before it" };
    Some(Section { heading: heading.to_owned(), blocks })
}

/// Who shares the ledger just now.
pub(super) fn stations(report: &Report) -> Option<Section> {
    let row = |station: &StationLine| {
        vec![
            Cell::Text(station.number.to_string()),
            Cell::Text(station.by.clone().unwrap_or_default()),
            Cell::Text(moment(station.heard_ms)),
            Cell::Text(capital(station.stands())),
            Cell::Number(station.in_flight),
            Cell::Number(station.in_doubt),
        ]
    };
    let table = Table {
        name: "Stations".to_owned(),
        columns: ["Station", "Who", "Heard", "State", "In flight", "In doubt"].map(str::to_owned).into(),
        rows: report.stations.iter().map(row).collect(),
        total: None,
        below: None,
    };
    let heading = || "Stations".to_owned();
    (!report.stations.is_empty()).then(|| Section { heading: heading(), blocks: vec![Block::Table(table)] })
}

/// A run beside those before it, the oldest first.
fn against(runs: &[&RunLine]) -> Chart {
    let of = |name, class, value: fn(&RunLine) -> u64| Series {
        name,
        class,
        values: runs.iter().rev().map(|run| value(run)).collect(),
    };
    let before: Vec<u64> = runs.iter().skip(1).map(|run| run.orders.total).collect();
    let usual = before.iter().sum::<u64>() / before.len().max(1) as u64;
    let now = runs.first().map_or(0, |run| run.orders.total);
    Chart {
        title: "Orders of this run and of the imports before it".to_owned(),
        alternative: format!("{} now; on average {} before.", count(now, "order"), indian(&usual.to_string())),
        shape: Shape::Bars,
        labels: runs.iter().rev().map(|run| format!("Run {}", run.run)).collect(),
        series: vec![
            of("Booked", "one", |run| run.orders.booked + run.orders.already_booked),
            of("Stayed behind", "two", |run| stayed_behind(&run.orders) + unsent(&run.orders)),
            of("In doubt or not sent", "three", |run| run.orders.in_doubt + run.orders.outstanding),
        ],
    }
}

/// How fast the service answered.
pub(super) fn speed(report: &Report) -> Option<Section> {
    let speed = report.speed.as_ref()?;
    let seconds: f64 = report.runs.iter().map(|run| run.seconds).sum();
    let figure = |what: &str, amount: String| Figure { what: what.to_owned(), amount, tone: Tone::Plain };
    let mut figures = vec![figure("Requests", indian(&speed.attempts.to_string()))];
    if speed.latencies.iter().any(|own| own.answers > 0) {
        figures.extend([
            figure("Half answered within", milliseconds(speed.median_ms)),
            figure("95 of 100 within", milliseconds(speed.p95_ms)),
            figure("Slowest answer", milliseconds(speed.slowest_ms)),
        ]);
    }
    if seconds > 0.0 && report.runs_unlisted == 0 {
        #[expect(clippy::cast_precision_loss, reason = "a rate is shown with one decimal")]
        let rate = speed.answered as f64 / seconds;
        figures.push(figure("Answers a second, while runs went on", format!("{rate:.1}")));
    }
    let statuses = speed.statuses.iter().map(|own| match own.status {
        Some(status) => format!("HTTP {status}: {}", indian(&own.answers.to_string())),
        None => format!("no whole answer: {}", indian(&own.answers.to_string())),
    });
    let text = format!(
        "From the moment at which a request was about to leave to its answer. {}.",
        capital(&statuses.collect::<Vec<_>>().join("; "))
    );
    let mut blocks = vec![Block::Figures(figures), Block::Text(text)];
    // One point shows nothing that the figures do not.
    if speed.stretches.len() > 1 {
        blocks.push(Block::Chart(through_time(speed)));
    }
    if speed.latencies.iter().filter(|own| own.answers > 0).count() > 1 {
        blocks.push(Block::Chart(latencies(speed)));
    }
    Some(Section { heading: "How fast the service answered".to_owned(), blocks })
}

fn through_time(speed: &Speed) -> Chart {
    let stretch = stretch(speed.stretch_ms);
    let most = speed.stretches.iter().copied().max().unwrap_or_default();
    let form = match (speed.stretch_ms, speed.last_ms - speed.first_ms) {
        (..60_000, _) => "%-I:%M:%S %P",
        (_, ..43_200_000) => "%-I:%M %P",
        _ => "%-d %b, %-I %P",
    };
    let place = |n: usize| speed.first_ms + speed.stretch_ms * i64::try_from(n).unwrap_or(0);
    Chart {
        title: format!("Answers in each {stretch}"),
        alternative: format!("At most {}.", indian(&most.to_string())),
        shape: Shape::Line,
        labels: (0..speed.stretches.len()).map(|n| told(place(n), form)).collect(),
        series: vec![Series { name: "Answers", class: "one", values: speed.stretches.clone() }],
    }
}

fn latencies(speed: &Speed) -> Chart {
    let last = speed.latencies.iter().rposition(|own| own.answers > 0).unwrap_or(0);
    let shown = &speed.latencies[..speed.latencies.len().min(last + 1)];
    let label =
        |own: &Latency| own.up_to_ms.map_or_else(|| "longer".to_owned(), |ms| format!("≤ {}", milliseconds(ms)));
    Chart {
        title: "Answers by how long they took".to_owned(),
        alternative: format!(
            "Half took up to {}, the slowest {}.",
            milliseconds(speed.median_ms),
            milliseconds(speed.slowest_ms)
        ),
        shape: Shape::Bars,
        labels: shown.iter().map(label).collect(),
        series: vec![Series { name: "Answers", class: "one", values: shown.iter().map(|own| own.answers).collect() }],
    }
}

/// A length of time by its largest unit: `second`, `15 minutes`.
fn stretch(ms: i64) -> String {
    let units = [(86_400_000, "day"), (3_600_000, "hour"), (60_000, "minute"), (1_000, "second")];
    let (unit, name) = units.into_iter().find(|(unit, _)| ms >= *unit).unwrap_or((1, "millisecond"));
    if ms == unit { name.to_owned() } else { count(u64::try_from(ms / unit).unwrap_or(0), name) }
}

/// A short time: `80 ms`, `2.5 s`, `1 min 5 s`.
fn milliseconds(ms: i64) -> String {
    let ms = u64::try_from(ms).unwrap_or(0);
    if ms < 1_000 { format!("{ms} ms") } else { text::duration(Duration::from_millis(ms)) }
}

/// Whether everything adds up, what the whole ledger has open, and the end of the evidence.
pub(super) fn adds_up(report: &Report) -> Section {
    let row = |balance: &Balance| {
        let (what, how) = match balance.of {
            Balanced::Rows => ("Rows", "in orders, invalid, blank and left out; read"),
            Balanced::Orders => ("Orders", "one by one in each run; the ledger's count of each run"),
            Balanced::Booked => ("Booked orders", "one by one in each run; the ledger's count of each run"),
            Balanced::Value => ("Declared value", "as the ledger notes it; as the requests say"),
            Balanced::Shipments => ("Shipments", "in the tables; in all"),
            Balanced::Cod => ("COD to collect", "in the tables; in all"),
        };
        let amount = |amount| Cell::Money(amount, String::new());
        let adds_up = if balance.holds() { "yes" } else { "NO" };
        vec![Cell::text(what), Cell::text(how), amount(balance.reported), amount(balance.kept), Cell::text(adds_up)]
    };
    let table = Table {
        name: "Sums".to_owned(),
        columns: ["What", "Counted in two ways", "One", "The other", "The same"].map(str::to_owned).into(),
        rows: report.balances.iter().map(row).collect(),
        total: None,
        below: None,
    };
    let said = if report.is_balanced() {
        Block::Note(Tone::Good, "Rows, orders and money add up to what the ledger has.".to_owned())
    } else {
        Block::Note(Tone::Bad, "Not everything adds up to what the ledger has. Please report this.".to_owned())
    };
    let again = match report.came_again {
        0 => String::new(),
        again => {
            format!("Every order counts once, as it stands now; {} came again in later runs.", count(again, "order"))
        }
    };
    let evidence = format!(
        "Evidence: {}, the newest {}. Whoever alters an earlier record changes it; a check of the ledger proves it.",
        count(u64::try_from(report.evidence.links).unwrap_or(0), "link"),
        report.evidence.hash
    );
    let texts = [again, whole(&report.ledger), evidence];
    let texts = texts.into_iter().filter(|text| !text.is_empty()).map(Block::Text);
    let blocks = [said, Block::Table(table)].into_iter().chain(texts).collect();
    Section { heading: "Does it add up?".to_owned(), blocks }
}

fn whole(ledger: &WholeLedger) -> String {
    let since = |ms: Option<i64>| ms.map(|ms| format!(" since {}", moment(ms))).unwrap_or_default();
    let mut open = Vec::new();
    if ledger.in_doubt > 0 {
        open.push(format!("{} in doubt{}", indian(&ledger.in_doubt.to_string()), since(ledger.in_doubt_since_ms)));
    }
    if ledger.outstanding > 0 {
        open.push(format!(
            "{} not sent{}",
            indian(&ledger.outstanding.to_string()),
            since(ledger.outstanding_since_ms)
        ));
    }
    if ledger.failed > 0 {
        open.push(format!("{} rejected or refused", indian(&ledger.failed.to_string())));
    }
    for (orders, how) in [(ledger.to_fix - ledger.to_answer, "to fix"), (ledger.to_answer, "on hold")] {
        if orders > 0 {
            open.push(format!("{} {how}", indian(&orders.to_string())));
        }
    }
    if open.is_empty() {
        "In the whole ledger, over all runs, nothing is open.".to_owned()
    } else {
        format!("Open in the whole ledger, over all runs: {}.", list(&open, "and"))
    }
}
