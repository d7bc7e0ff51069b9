//! Progress while a run books: a bar on a terminal, a plain line now and then elsewhere.

use std::fmt;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle as BarStyle};

use crate::api::outcome::Outcome;
use crate::event::{Event, Reporter};
use crate::text::{count, duration, shortened};

use super::highlights::Highlights;
use super::terminal::write_line;

/// How progress is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProgressStyle {
    /// A bar that redraws itself.
    Bar,
    /// A plain line every few seconds.
    Lines,
    /// Nothing but pauses and stops.
    Quiet,
}

/// Between two plain lines.
pub(super) const LINE_EVERY: Duration = Duration::from_secs(5);
/// Redraws a second at most.
pub(super) const REDRAWS: u8 = 10;

/// Shows a run's events on standard error.
pub struct Progress {
    style: ProgressStyle,
    verbose: bool,
    bar: ProgressBar,
    started: Instant,
    last_line: Instant,
    total: u64,
    booked: u64,
    failed: u64,
    in_doubt: u64,
    highlights: Highlights,
}

impl Progress {
    /// A reporter; `verbose` adds a line for each order.
    #[must_use]
    pub fn new(style: ProgressStyle, verbose: bool) -> Self {
        let now = Instant::now();
        Self {
            style,
            verbose,
            bar: ProgressBar::hidden(),
            started: now,
            last_line: now,
            total: 0,
            booked: 0,
            failed: 0,
            in_doubt: 0,
            highlights: Highlights::default(),
        }
    }

    /// What is worth naming of the run.
    #[must_use]
    pub fn into_highlights(self) -> Highlights {
        self.highlights
    }

    fn settled(&self) -> u64 {
        self.booked + self.failed + self.in_doubt
    }

    fn start(&mut self, total: u64) {
        self.total = total;
        self.started = Instant::now();
        self.last_line = self.started;
        if self.style == ProgressStyle::Bar {
            let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr_with_hz(REDRAWS));
            let template = "{wide_bar:.green} {pos}/{len}  {msg}  {rate}  {eta} left";
            if let Ok(style) = BarStyle::with_template(template) {
                bar.set_style(style.progress_chars("━╸ ").with_key("rate", write_rate));
            }
            self.bar = bar;
        }
    }

    fn note(&mut self, outcome: &Outcome) {
        match outcome {
            Outcome::Booked(_) => self.booked += 1,
            Outcome::Rejected { .. } | Outcome::Refused { .. } => self.failed += 1,
            Outcome::InDoubt { .. } => self.in_doubt += 1,
            Outcome::Waiting { .. } => return,
        }
        match self.style {
            ProgressStyle::Bar => {
                self.bar.set_message(format!(
                    "{} booked · {} failed · {} in doubt",
                    self.booked, self.failed, self.in_doubt
                ));
                self.bar.set_position(self.settled());
            }
            ProgressStyle::Lines if self.last_line.elapsed() >= LINE_EVERY => {
                self.last_line = Instant::now();
                let line = self.line();
                self.say(&line);
            }
            ProgressStyle::Lines | ProgressStyle::Quiet => {}
        }
    }

    #[expect(clippy::cast_precision_loss, reason = "a rate for people")]
    fn line(&self) -> String {
        let settled = self.settled();
        let elapsed = self.started.elapsed().as_secs_f64().max(0.001);
        let rate = settled as f64 / elapsed;
        let left = Duration::from_secs_f64((self.total.saturating_sub(settled)) as f64 / rate.max(0.001));
        format!(
            "{settled} of {}: {} booked, {} failed, {} in doubt, {rate:.1}/s, {} left",
            self.total,
            self.booked,
            self.failed,
            self.in_doubt,
            duration(left)
        )
    }

    /// Writes a line without tearing the bar. Nobody may be listening, and that must not end a run.
    fn say(&self, line: &str) {
        self.bar.suspend(|| write_line(line));
    }
}

impl Reporter for Progress {
    fn event(&mut self, event: &Event<'_>) {
        match event {
            Event::Started { orders, concurrency, .. } => {
                self.start(*orders);
                if self.style == ProgressStyle::Lines {
                    self.say(&format!("booking {}, up to {concurrency} at a time", count(*orders, "order")));
                }
            }
            Event::Settled { order, outcome, attempts } => {
                self.highlights.note(order, outcome);
                self.note(outcome);
                if self.verbose {
                    self.say(&format!("{}: {} (attempt {attempts})", shortened(order, 60), word(outcome)));
                }
            }
            Event::Paused { reason, wait } => self.say(&format!("waiting {}: {reason}", duration(*wait))),
            Event::Stopping { by, reason, in_flight } => {
                let waiting = if *in_flight == 0 {
                    String::new()
                } else {
                    format!(
                        "; waiting for {} on the way (Ctrl-C again leaves at once)",
                        count(*in_flight as u64, "order")
                    )
                };
                self.say(&format!("stopping ({by}): {reason}{waiting}"));
            }
            Event::Finished => self.bar.finish_and_clear(),
        }
    }
}

fn write_rate(state: &ProgressState, out: &mut dyn fmt::Write) {
    // A bar that cannot be drawn must not end a run.
    let _ = write!(out, "{:.0}/s", state.per_sec());
}

/// An outcome in a few words, without anything personal.
fn word(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Booked(booking) => format!("booked, AWB {}", booking.awb),
        Outcome::Rejected { .. } => "rejected".to_owned(),
        Outcome::Refused { .. } => "refused".to_owned(),
        Outcome::Waiting { reason } => format!("to be tried again: {reason}"),
        Outcome::InDoubt { reason } => format!("in doubt: {reason}"),
    }
}
