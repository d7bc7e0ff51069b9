//! Signs of life: a dead-man's switch that is pinged, and metrics for Prometheus' textfile collector.

use std::fmt::Write;
use std::io;

use jiff::Timestamp;

use crate::api::Web;
use crate::app::{Report, WholeLedger};
use crate::config::NightOptions;

use super::state::{Kept, put};

/// Whoever collects metrics is another user as a rule.
const READABLE: u32 = 0o644;

/// Pings the switch with a path behind its address, once.
pub(super) async fn ping(web: Web, address: String, path: String) -> Result<(), String> {
    web.ping(&address, &path).await.map_err(|error| error.to_string())
}

/// What there is to measure.
pub(super) struct Measured<'m> {
    pub(super) kept: &'m Kept,
    pub(super) open: Option<WholeLedger>,
    /// The report of the last night or run.
    pub(super) report: Option<&'m Report>,
    pub(super) now: Timestamp,
}

/// Writes the metrics.
pub(super) fn measure(options: &NightOptions, measured: &Measured<'_>) -> io::Result<()> {
    let Some(path) = &options.metrics_file else { return Ok(()) };
    put(path, metrics(measured).as_bytes(), READABLE)
}

/// Metrics in the format of Prometheus.
#[derive(Default)]
struct Page(String);

impl Page {
    fn head(&mut self, name: &str, kind: &str, help: &str) {
        let _ = writeln!(self.0, "# HELP shipsheet_{name} {help}\n# TYPE shipsheet_{name} {kind}");
    }

    fn value(&mut self, name: &str, labels: &str, value: impl std::fmt::Display) {
        let _ = writeln!(self.0, "shipsheet_{name}{labels} {value}");
    }

    fn gauge(&mut self, name: &str, help: &str, value: Option<impl std::fmt::Display>) {
        let Some(value) = value else { return };
        self.head(name, "gauge", help);
        self.value(name, "", value);
    }
}

fn metrics(measured: &Measured<'_>) -> String {
    let Measured { kept, open, report, now } = measured;
    let mut page = Page::default();
    let seconds = |ms: i64| ms.div_euclid(1_000);
    let age = |since_ms: i64| seconds(now.as_millisecond().saturating_sub(since_ms).max(0));
    page.gauge("written_timestamp_seconds", "When these metrics were written.", Some(now.as_second()));
    page.gauge("last_end_timestamp_seconds", "When the last night ended.", kept.ended_ms.map(seconds));
    page.gauge(
        "last_success_timestamp_seconds",
        "When a night last ended with exit code 0.",
        kept.succeeded_ms.map(seconds),
    );
    page.gauge("last_exit_code", "The exit code of the last night.", kept.exit);
    if let Some(open) = open {
        page.head("orders", "gauge", "Open orders of the whole ledger, by state.");
        let states = [
            ("in_doubt", open.in_doubt),
            ("outstanding", open.outstanding),
            ("failed", open.failed),
            ("to_fix", open.to_fix),
        ];
        for (state, orders) in states {
            page.value("orders", &format!("{{state=\"{state}\"}}"), orders);
        }
        let oldest = |since: Option<i64>| Some(since.map_or(0, age));
        page.gauge(
            "oldest_outstanding_seconds",
            "Age of the oldest outstanding order.",
            oldest(open.outstanding_since_ms),
        );
        page.gauge("oldest_in_doubt_seconds", "Age of the oldest order in doubt.", oldest(open.in_doubt_since_ms));
    }
    if let Some(report) = report {
        last_runs(&mut page, report);
    }
    page.0
}

/// What the runs of the last night came to.
fn last_runs(page: &mut Page, report: &Report) {
    let orders = &report.orders;
    page.head("last_orders", "gauge", "Orders of the last night, by where they stand.");
    for (state, number) in [
        ("booked", orders.booked),
        ("already_booked", orders.already_booked),
        ("invalid", orders.invalid),
        ("rejected", orders.rejected),
        ("refused", orders.refused),
        ("in_doubt", orders.in_doubt),
        ("outstanding", orders.outstanding),
        ("held", orders.held),
        ("left_out", orders.left_out),
        ("abandoned", orders.abandoned),
        ("dismissed", orders.dismissed),
    ] {
        page.value("last_orders", &format!("{{state=\"{state}\"}}"), number);
    }
    let Some(speed) = &report.speed else { return };
    page.head("last_requests", "gauge", "Requests of the last night, by their outcome.");
    for (outcome, number) in &speed.outcomes {
        page.value("last_requests", &format!("{{outcome=\"{outcome}\"}}"), number);
    }
    page.head("last_request_duration_seconds", "histogram", "How long requests of the last night took.");
    let mut answers = 0;
    for latency in &speed.latencies {
        answers += latency.answers;
        let limit = latency.up_to_ms.map_or_else(|| "+Inf".to_owned(), in_seconds);
        page.value("last_request_duration_seconds_bucket", &format!("{{le=\"{limit}\"}}"), answers);
    }
    page.value("last_request_duration_seconds_sum", "", in_seconds(speed.sum_ms));
    page.value("last_request_duration_seconds_count", "", answers);
}

/// Milliseconds as seconds, every digit of them.
fn in_seconds(ms: i64) -> String {
    let text = format!("{}.{:03}", ms / 1_000, ms % 1_000);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metrics_are_written_as_a_whole_and_in_the_format() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("shipsheet.prom");
        let options = NightOptions { metrics_file: Some(path.clone()), ..NightOptions::default() };
        let kept = Kept { ended_ms: Some(1_000_000), exit: Some(5), ..Kept::default() };
        let open = WholeLedger {
            in_doubt: 1,
            in_doubt_since_ms: Some(1_000_000),
            outstanding: 2,
            outstanding_since_ms: Some(1_050_500),
            failed: 0,
            to_fix: 3,
            to_answer: 1,
        };
        let now = Timestamp::from_second(1_100).unwrap();
        measure(&options, &Measured { kept: &kept, open: Some(open), report: None, now }).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        for line in [
            "# TYPE shipsheet_orders gauge",
            "shipsheet_orders{state=\"in_doubt\"} 1",
            "shipsheet_orders{state=\"to_fix\"} 3",
            "shipsheet_oldest_outstanding_seconds 49",
            "shipsheet_oldest_in_doubt_seconds 100",
            "shipsheet_last_end_timestamp_seconds 1000",
            "shipsheet_last_exit_code 5",
        ] {
            assert!(text.lines().any(|own| own == line), "{line}: {text}");
        }
        assert!(!text.contains("last_success"), "there was none");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "nothing else is left");
        assert_eq!(
            (in_seconds(1_000), in_seconds(250), in_seconds(12_345)),
            ("1".into(), "0.25".into(), "12.345".into())
        );
    }
}
