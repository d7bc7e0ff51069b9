//! What a run came to, for people: counts that add up.

use std::io::{self, Write};
use std::time::Duration;

use crate::text::{count, duration};

use super::highlights::Highlights;
use super::terminal::Paint;
use crate::report::Document;

/// Already booked orders that are named with their AWB.
const SHOWN: usize = 10;

/// What a summary tells beside the counts.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Told<'a> {
    /// Orders that were booked before, with their AWBs.
    pub(crate) already: &'a [(String, String)],
    /// Filled rows that name no order.
    pub(crate) rows_without_order: u64,
    /// What is worth naming of this run.
    pub(crate) highlights: Option<&'a Highlights>,
    /// What the brake that stopped the run has to say.
    pub(crate) why: Option<&'a str>,
    /// Whether a process is still booking this run.
    pub(crate) running: bool,
    /// Orders in doubt that are not among the run's own.
    pub(crate) doubts_besides: u64,
    /// The flags that read the run's sheets.
    pub(crate) how_read: &'a str,
}

/// Writes the summary of a run.
pub(crate) fn write_summary(out: &mut dyn Write, document: &Document, told: Told<'_>) -> io::Result<()> {
    let already = told.already;
    let orders = document.orders;
    let bold = Paint::Bold;
    let run = document.run.map(|run| format!("run {run}: ")).unwrap_or_default();
    if document.requests == 0 && orders.already_booked > 0 && orders.already_booked == orders.total {
        let all = count(orders.total, "order");
        writeln!(out, "{bold}{run}nothing was sent{bold:#}: {all} booked already")?;
    } else {
        writeln!(
            out,
            "{bold}{run}{} of {} booked{bold:#} in {}, {}",
            orders.booked + orders.already_booked,
            count(orders.total, "order"),
            duration(Duration::from_secs_f64(document.seconds)),
            count(document.requests, "request"),
        )?;
    }
    let rows = document.rows;
    if rows.read > 0 {
        writeln!(
            out,
            "  rows    {:>7} read      = {} in orders + {} invalid + {} blank + {} skipped",
            rows.read, rows.in_orders, rows.invalid, rows.blank, rows.skipped
        )?;
    }
    writeln!(
        out,
        "  orders  {:>7} in all    = {} booked + {} already booked + {} invalid + {} rejected + {} refused + {} in doubt + {} outstanding{}",
        orders.total,
        orders.booked,
        orders.already_booked,
        orders.invalid,
        orders.rejected,
        orders.refused,
        orders.in_doubt,
        orders.outstanding,
        [
            (orders.held, "held"),
            (orders.left_out, "left out"),
            (orders.abandoned, "abandoned"),
            (orders.dismissed, "dismissed"),
        ]
        .map(|(number, word)| if number > 0 { format!(" + {number} {word}") } else { String::new() })
        .concat(),
    )?;
    for (number, awb) in already.iter().take(SHOWN) {
        writeln!(out, "  already booked: order {number}, AWB {awb}")?;
    }
    if orders.already_booked > SHOWN as u64 && !already.is_empty() {
        let more = orders.already_booked - already.len().min(SHOWN) as u64;
        writeln!(out, "  … and {more} more that were booked already")?;
    }
    if let Some(highlights) = told.highlights {
        highlights.write(out)?;
    }
    if let (Some(by), Some(why)) = (&document.stopped_by, told.why) {
        let red = Paint::Red;
        writeln!(out, "{red}stopped{red:#} ({by}): {why}")?;
    }
    Ok(())
}
