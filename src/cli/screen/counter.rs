//! How far a call over many is: a bar on a terminal, a plain line now and then elsewhere.

use std::time::Instant;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle as BarStyle};

use super::progress::{LINE_EVERY, ProgressStyle, REDRAWS};
use super::terminal::Console;

/// So many lines at most where they come faster than that.
const LINES_MAX: usize = 10;

/// Counts what is done, on standard error. Clones of its [`Counter::line`] write between.
#[derive(Debug)]
pub(crate) struct Counter {
    style: ProgressStyle,
    bar: ProgressBar,
    total: usize,
    done: usize,
    told: usize,
    last_line: Instant,
}

impl Counter {
    /// Counts up to `total`.
    #[must_use]
    pub(crate) fn new(style: ProgressStyle, total: usize) -> Self {
        let bar = match style {
            ProgressStyle::Bar => {
                let target = ProgressDrawTarget::stderr_with_hz(REDRAWS);
                let bar = ProgressBar::with_draw_target(Some(total as u64), target);
                if let Ok(style) = BarStyle::with_template("{wide_bar:.green} {pos}/{len}  {eta} left") {
                    bar.set_style(style.progress_chars("━╸ "));
                }
                bar
            }
            ProgressStyle::Lines | ProgressStyle::Quiet => ProgressBar::hidden(),
        };
        Self { style, bar, total, done: 0, told: 0, last_line: Instant::now() }
    }

    /// One more is done.
    pub(crate) fn step(&mut self) {
        self.done += 1;
        self.bar.set_position(self.done as u64);
        let each = (self.total / LINES_MAX).max(25);
        let is_due = self.done - self.told >= each || self.last_line.elapsed() >= LINE_EVERY;
        if self.style == ProgressStyle::Lines && is_due && self.done < self.total {
            (self.told, self.last_line) = (self.done, Instant::now());
            self.line()(&format!("{} of {}", self.done, self.total));
        }
    }

    /// Writes a line without tearing the bar; nobody may be listening.
    pub(crate) fn line(&self) -> impl Fn(&str) + Send + Sync + 'static {
        let (bar, console) = (self.bar.clone(), Console::here());
        move |line| {
            bar.suspend(|| console.write_line(line));
        }
    }

    /// Takes the bar away.
    pub(crate) fn finish(self) {
        self.bar.finish_and_clear();
    }
}
