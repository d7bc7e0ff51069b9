//! Progress while sheets are read and a run books: a bar on a terminal, a plain line now and then elsewhere.

use std::time::Duration;

use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressStyle as BarStyle};

use crate::api::outcome::Outcome;
use crate::event::{Event, Listener, Totals};
use crate::text::{count, duration, shortened, thousands};

use super::highlights::Highlights;
use super::terminal::Console;

/// How progress is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ProgressStyle {
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
/// Sheets that are read sooner than this show no bar.
const READING_SHOWN_AFTER: Duration = Duration::from_secs(1);

/// Shows what happens on standard error. All that it counts are the totals of the events.
pub(crate) struct Progress {
    style: ProgressStyle,
    verbose: bool,
    /// Events come on threads of their own.
    console: Console,
    bar: ProgressBar,
    drawn: Drawn,
    /// When the last plain line was written, by the time of the phase.
    last_line: Duration,
    highlights: Highlights,
}

/// What the bar shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Drawn {
    Nothing,
    /// Rows counted, while nobody knows how many there are.
    Counting,
    /// Rows read, of all.
    Rows,
    /// Orders that came to an end, of all.
    Orders,
}

impl Progress {
    /// A listener; `verbose` adds a line for each order.
    #[must_use]
    pub(crate) fn new(style: ProgressStyle, verbose: bool) -> Self {
        Self {
            style,
            verbose,
            console: Console::here(),
            bar: ProgressBar::hidden(),
            drawn: Drawn::Nothing,
            last_line: Duration::ZERO,
            highlights: Highlights::default(),
        }
    }

    /// What is worth naming of the run.
    #[must_use]
    pub(crate) fn into_highlights(self) -> Highlights {
        self.highlights
    }

    /// Puts up a bar, where there is none of its kind.
    fn draw(&mut self, drawn: Drawn, length: Option<u64>, template: &str) {
        if self.drawn == drawn {
            return;
        }
        self.clear();
        self.drawn = drawn;
        let bar = ProgressBar::with_draw_target(length, ProgressDrawTarget::stderr_with_hz(REDRAWS));
        if let Ok(style) = BarStyle::with_template(template) {
            bar.set_style(style.progress_chars("━╸ "));
        }
        self.bar = bar;
    }

    /// Takes the bar away.
    fn clear(&mut self) {
        self.bar.finish_and_clear();
        self.drawn = Drawn::Nothing;
        self.last_line = Duration::ZERO;
    }

    /// Whether the next plain line is due; then the time runs anew.
    fn is_line_due(&mut self, totals: &Totals) -> bool {
        let due = self.style == ProgressStyle::Lines && totals.elapsed.saturating_sub(self.last_line) >= LINE_EVERY;
        if due {
            self.last_line = totals.elapsed;
        }
        due
    }

    fn reading(&mut self, totals: &Totals) {
        if self.style == ProgressStyle::Bar && totals.elapsed >= READING_SHOWN_AFTER {
            match totals.rows {
                None => {
                    self.draw(Drawn::Counting, None, "{msg}");
                    self.bar.set_message(reading_line(totals));
                }
                Some(rows) => {
                    self.draw(Drawn::Rows, Some(rows), "{wide_bar:.green} {pos}/{len} rows");
                    self.bar.set_position(totals.rows_read);
                }
            }
        }
        if self.is_line_due(totals) {
            self.say(&reading_line(totals));
        }
    }

    fn settled(&mut self, totals: &Totals) {
        if self.style == ProgressStyle::Bar {
            self.draw_orders(totals);
            let Totals { booked, failed, in_doubt, .. } = totals;
            // A bar without a rate shows zeros.
            let (rate, left) = (totals.rate.unwrap_or_default(), HumanDuration(totals.left.unwrap_or_default()));
            self.bar.set_message(format!(
                "{booked} booked · {failed} failed · {in_doubt} in doubt  {rate:.0}/s  {left:#} left"
            ));
            self.bar.set_position(totals.settled());
        }
        if self.is_line_due(totals) {
            self.say(&booking_line(totals));
        }
    }

    fn draw_orders(&mut self, totals: &Totals) {
        self.draw(Drawn::Orders, Some(totals.planned), "{wide_bar:.green} {pos}/{len}  {msg}");
    }

    /// Writes a line without tearing the bar. Nobody may be listening, and that must not end a run.
    fn say(&self, line: &str) {
        self.bar.suspend(|| self.console.write_line(line));
    }
}

impl Listener for Progress {
    fn event(&mut self, event: &Event<'_>, totals: &Totals) {
        match event {
            Event::Reading { .. } => self.reading(totals),
            Event::Read { .. } | Event::Finished => self.clear(),
            Event::Started { orders, concurrency, .. } => {
                self.clear();
                match self.style {
                    ProgressStyle::Bar => self.draw_orders(totals),
                    ProgressStyle::Lines => {
                        self.say(&format!("booking {}, up to {concurrency} at a time", count(*orders, "order")));
                    }
                    ProgressStyle::Quiet => {}
                }
            }
            Event::Settled { order, outcome, attempts, .. } => {
                self.highlights.note(order, outcome);
                if !matches!(outcome, Outcome::Waiting { .. }) {
                    self.settled(totals);
                }
                if self.verbose {
                    self.say(&format!("{}: {} (attempt {attempts})", shortened(order, 60), word(outcome)));
                }
            }
            Event::Held { order } => {
                let order = shortened(order, 60);
                self.say(&format!(
                    "{order} was not sent: a newer sheet holds it or leaves it out; `show {order}` says why"
                ));
            }
            Event::Paused { reason, wait, .. } => self.say(&format!("waiting {}: {reason}", duration(*wait))),
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
            Event::Opened { .. }
            | Event::Planned { .. }
            | Event::Staged { .. }
            | Event::Sent { .. }
            | Event::PauseLengthened { .. }
            | Event::Resumed => {}
        }
    }
}

/// How far the reading is.
fn reading_line(totals: &Totals) -> String {
    match totals.rows {
        None => format!("reading: {} counted", count(totals.rows_counted, "row")),
        Some(rows) => format!("reading: {} of {}", thousands(&totals.rows_read.to_string()), count(rows, "row")),
    }
}

/// How far the booking is.
fn booking_line(totals: &Totals) -> String {
    let Totals { booked, failed, in_doubt, planned, .. } = totals;
    let (rate, left) = (totals.rate.unwrap_or_default(), duration(totals.left.unwrap_or_default()));
    let settled = totals.settled();
    format!("{settled} of {planned}: {booked} booked, {failed} failed, {in_doubt} in doubt, {rate:.1}/s, {left} left")
}

/// An outcome in a few words, without anything personal.
fn word(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Booked(booking) => format!("booked, AWB {}", booking.awb),
        Outcome::Rejected { .. } => "rejected".to_owned(),
        Outcome::Refused { .. } => "refused".to_owned(),
        Outcome::Waiting { reason } => format!("to be tried again: {reason}"),
        Outcome::InDoubt { doubt } => format!("in doubt: {doubt}"),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;
    use crate::event::{Moment, Pass, Stream};

    /// A listener that is asked what it shows, and a time that is moved on.
    struct Watched {
        events: Stream<Progress>,
        now: Moment,
    }

    impl Watched {
        fn new(style: ProgressStyle) -> Self {
            let now = Moment { at: Instant::now(), epoch_ms: 0 };
            Self { events: Stream::new(Progress::new(style, false)), now }
        }

        fn after(&mut self, ms: u64, event: &Event<'_>) -> Drawn {
            self.now.at += Duration::from_millis(ms);
            self.events.tell_at(event, self.now);
            self.events.listener().drawn
        }
    }

    const fn reading(pass: Pass, rows: u64) -> Event<'static> {
        Event::Reading { pass, rows, orders: 0, orders_invalid: 0 }
    }

    const READ: Event<'_> = Event::Read { rows: 9_000, orders: 9, orders_invalid: 0 };

    #[test]
    fn a_sheet_shows_a_bar_after_the_first_second() {
        let mut watched = Watched::new(ProgressStyle::Bar);
        assert_eq!(watched.after(0, &reading(Pass::Counting, 0)), Drawn::Nothing);
        assert_eq!(watched.after(500, &reading(Pass::Counting, 4_000)), Drawn::Nothing);
        assert_eq!(watched.after(499, &reading(Pass::Checking, 4_000)), Drawn::Nothing, "both passes count as one");
        assert_eq!(watched.after(1, &reading(Pass::Checking, 9_000)), Drawn::Rows);
        assert_eq!(watched.after(9, &READ), Drawn::Nothing);
        // The next reading has a second of its own.
        assert_eq!(watched.after(9_000, &reading(Pass::Counting, 0)), Drawn::Nothing);
        assert_eq!(watched.after(1_000, &reading(Pass::Counting, 9_000)), Drawn::Counting);
        assert_eq!(watched.after(1, &READ), Drawn::Nothing);
        assert_eq!(watched.after(1, &Event::Started { run: 1, orders: 9, concurrency: 2 }), Drawn::Orders);
        assert_eq!(watched.after(1, &Event::Finished), Drawn::Nothing);
    }

    #[test]
    fn where_nobody_watches_a_line_is_due_every_five_seconds() {
        for style in [ProgressStyle::Lines, ProgressStyle::Quiet] {
            let mut progress = Progress::new(style, false);
            let due = [0, 4_999, 5_000, 9_999, 10_000, 10_001].map(|ms| {
                let elapsed = Duration::from_millis(ms);
                progress.is_line_due(&Totals { elapsed, ..Totals::default() })
            });
            let wanted = [false, false, true, false, true, false];
            assert_eq!(due, wanted.map(|due| due && style == ProgressStyle::Lines), "{style:?}");
        }
    }

    #[test]
    fn lines_say_what_the_totals_say() {
        let counting = Totals { rows_counted: 1_234, ..Totals::default() };
        assert_eq!(reading_line(&counting), "reading: 1,234 rows counted");
        let checking = Totals { rows: Some(20_000), rows_read: 4_321, ..counting };
        assert_eq!(reading_line(&checking), "reading: 4,321 of 20,000 rows");
        let booking = Totals { planned: 28, booked: 5, failed: 2, in_doubt: 1, ..Totals::default() };
        assert_eq!(
            booking_line(&Totals { rate: Some(0.8), left: Some(Duration::from_secs(25)), ..booking }),
            "8 of 28: 5 booked, 2 failed, 1 in doubt, 0.8/s, 25 s left"
        );
    }
}
