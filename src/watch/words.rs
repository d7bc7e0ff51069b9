//! What is said of a sheet: in one line, and on the page beside it.

use std::fmt::Write;
use std::path::Path;

use crate::app::{Caution, Ended, Trouble, Unwritten, english as cautions_in_english};
use crate::finding::english::{self, Words};
use crate::finding::{Command, Finding, Remedy};
use crate::ledger::{TakenSheet, Tray};
use crate::overview::{Foreword, moment};
use crate::report::Orders;
use crate::text::{count, error_chain, shell_quoted, shortened};

/// Problems that a page names; the rows to fix have all of them.
const NAMED: usize = 100;
/// Characters of what is said of one of them.
const CHARACTERS: usize = 400;

/// What shows where a run stands.
pub(super) fn to_show(run: i64, words: &Words) -> String {
    words(&Remedy::run(Command::ShowRun { number: run }))
}

/// What the page beside a sheet says, beyond the report of its run.
#[derive(Debug, Default)]
pub(super) struct Report {
    lines: Vec<String>,
    next: Vec<String>,
    problems: Vec<String>,
    unnamed: usize,
}

impl Report {
    /// A line that is always there.
    pub(super) fn line(&mut self, text: impl Into<String>) {
        self.lines.push(text.into());
    }

    /// What a person does now.
    pub(super) fn next(&mut self, text: impl Into<String>) {
        self.next.push(text.into());
    }

    /// What is wrong with a cell, row, order or sheet, and what to do about it.
    pub(super) fn finding(&mut self, finding: &Finding, words: &Words) {
        let place = finding.place.as_ref().map(|place| format!("{place}: ")).unwrap_or_default();
        let order = finding.order.as_ref().map(|order| format!("order {order}: ")).unwrap_or_default();
        let advice = english::advice(finding, &**words);
        let advice = if advice.is_empty() { advice } else { format!("; {advice}") };
        if self.problems.len() < NAMED {
            let said = format!("{place}{order}{}{advice}", english::message(finding));
            self.problems.push(said);
        } else {
            self.unnamed += 1;
        }
    }

    /// Why nothing goes before a person has looked, in one line.
    pub(super) fn cautions(&mut self, cautions: &[Caution]) -> String {
        self.next(
            "where that is right, import this file by hand, or raise `max_orders` or `max_value` and put it into the folder again",
        );
        let why: Vec<String> = cautions.iter().map(cautions_in_english::caution).collect();
        format!("nothing was sent, a person has to look first: {}", why.join("; "))
    }

    /// What became of the orders of a run.
    pub(super) fn ended(&mut self, ended: &Ended<'_>, command: &str) {
        let orders = ended.orders;
        if let Some((by, why)) = &ended.stopped {
            self.line(format!("stopped ({by}): {why}"));
        }
        for trouble in &ended.troubles {
            self.line(match trouble {
                Trouble::Uncounted(error) => {
                    format!("the ledger could not be read, so the counts are only what this process saw: {error}")
                }
                Trouble::Unrecorded(error) => format!("the end of the run could not be recorded: {error}"),
            });
        }
        if orders.outstanding > 0 {
            self.next(format!("the next start of the watcher goes on with what is outstanding, or `{command} resume`"));
        }
        if orders.invalid + orders.held + ended.counts.gathered.rows_without_order > 0 {
            self.next("correct the rows in the file of rows to fix, and put that file into the folder");
        }
    }

    /// A file that could not be written.
    pub(super) fn unwritten(&mut self, unwritten: &Unwritten) {
        self.line(match unwritten {
            Unwritten::Rejects(error) => format!("the rows to fix could not be written: {}", error_chain(error)),
            Unwritten::Results(error) => format!("the results could not be written: {}", error_chain(error)),
        });
    }

    /// Names the place where the sheet lies at the end, where something named the one where it was worked on.
    pub(super) fn lies_at(&mut self, worked_on: &Path, at: &Path) {
        let plain = |path: &Path| path.display().to_string();
        // In a command it may stand in quotation marks, which a plain name needs less of.
        let places = [(shell_quoted(&plain(worked_on)), shell_quoted(&plain(at))), (plain(worked_on), plain(at))];
        for text in self.lines.iter_mut().chain(&mut self.next).chain(&mut self.problems) {
            for (from, to) in &places {
                *text = text.replace(from, to);
            }
        }
    }

    /// All of it, for the page.
    pub(super) fn foreword(self, sheet: &TakenSheet, station: &str, said: &str, tray: Tray) -> Foreword {
        let mut problems: Vec<String> = self.problems.iter().map(|said| shortened(said, CHARACTERS)).collect();
        if self.unnamed > 0 {
            problems.push(format!("and {} more", self.unnamed));
        }
        Foreword {
            title: sheet.name.clone(),
            about: vec![format!("Taken {} on {station}", moment(sheet.at_ms))],
            said: said.to_owned(),
            is_done: tray == Tray::Done,
            lines: self.lines,
            next: self.next,
            problems,
        }
    }
}

/// How the orders of a sheet stand, in one line.
pub(super) fn counts(orders: &Orders) -> String {
    let Orders {
        total,
        booked,
        already_booked,
        invalid,
        rejected,
        refused,
        in_doubt,
        outstanding,
        held,
        left_out,
        abandoned,
        dismissed,
    } = *orders;
    let mut said = format!("{} of {} booked", booked + already_booked, count(total, "order"));
    if already_booked > 0 {
        let _ = write!(said, " ({already_booked} before)");
    }
    let others = [
        (invalid, "invalid"),
        (rejected, "rejected"),
        (refused, "refused"),
        (in_doubt, "in doubt"),
        (outstanding, "outstanding"),
        (held, "held"),
        (left_out, "left out"),
        (abandoned, "given up"),
        (dismissed, "dismissed"),
    ];
    for (number, word) in others.into_iter().filter(|(number, _)| *number > 0) {
        let _ = write!(said, ", {number} {word}");
    }
    said
}

/// What is said of a sheet that came before.
pub(super) fn came_before(earlier: &TakenSheet) -> String {
    let filed = match &earlier.filed {
        Some(filed) if matches!(filed.tray, Tray::Done | Tray::Attention | Tray::Failed) => {
            format!(", filed as {}/{}", filed.tray.as_str(), filed.name)
        }
        _ => String::new(),
    };
    let run = earlier.run.map(|run| format!(", run {}", run.number())).unwrap_or_default();
    format!("this sheet was taken on {} as {}{run}{filed}; nothing was sent", moment(earlier.at_ms), earlier.name)
}
