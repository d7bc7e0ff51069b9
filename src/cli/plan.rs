//! A plan in words: what will be sent, what is left out and why, and what a person should know before the yes.

use crate::app::english::far_more;
use crate::app::{AmountQuestion, Caution, PlanCounts, Reading};
use crate::cli::screen::{Causes, write_causes};
use crate::column::Columns;
use crate::column::decide::ValueQuestion;
use crate::finding::Finding;
use crate::origin::{Column, is_added};
use crate::report::{Orders, PlanEntry, QuestionEntry, RowCounts, SheetEntry, ValueEntry};
use crate::stage::{Gathered, OpenedSheet};
use crate::text::{count, thousands};

use super::console::note;
use super::global::Format;
use super::remedy::words;
use super::session::to_send;
use super::settings::Settings;

/// A collection of problems, with all of them where a document is printed.
pub(super) fn causes(settings: &Settings) -> Causes {
    let words = words(&settings.command);
    if settings.format == Format::Json { Causes::keeping_all(words) } else { Causes::new(words) }
}

/// Says problems by their causes.
pub(super) fn say_causes(causes: &Causes) {
    let mut text = Vec::new();
    // Writing into memory cannot fail.
    let _ = write_causes(&mut text, causes);
    if !text.is_empty() {
        note(String::from_utf8_lossy(&text).trim_end());
    }
}

/// Says which sheets are read, and how.
pub(super) fn announce(settings: &Settings, reading: &Reading) {
    if settings.is_quiet() {
        return;
    }
    for (OpenedSheet { sheet, .. }, columns) in reading.opened().sheets.iter().zip(reading.opened().columns.iter()) {
        let header = sheet.header();
        note(format!(
            "reading {} ({}, header in row {}, {}{} of {} used)",
            sheet.source(),
            sheet.format(),
            header.row,
            columns.profile().map_or_else(String::new, |profile| format!("profile {profile}, ")),
            columns.columns_used(reading.rules().version),
            count(header.cells.len() as u64, "column"),
        ));
        let added = header.cells.iter().filter(|header| is_added(header)).count();
        if added > 0 {
            note(format!("  {} that shipsheet wrote beside your own: ignored", count(added as u64, "column")));
        }
    }
}

/// What will be sent, what will be left out and why: said before anything is spent.
pub(super) fn say_plan(settings: &Settings, counts: &PlanCounts, causes: &Causes) {
    if settings.is_quiet() {
        return;
    }
    say_causes(causes);
    note(format!("to send: {}", to_send(&counts.ledger.to_send)));
    let new = counts.ledger.to_send.orders - counts.ledger.corrected - counts.ledger.left_over;
    let sent = [
        (new, "new"),
        (counts.ledger.corrected, "corrected since they failed"),
        (counts.ledger.left_over, "left by an earlier run"),
    ];
    let known = counts.ledger.corrected
        + counts.ledger.left_over
        + counts.ledger.already_booked_count
        + counts.ledger.left_alone;
    if counts.ledger.to_send.orders > 0 && known > 0 {
        note(format!("{} will be sent{}", thousands(&counts.ledger.to_send.orders.to_string()), counted(": ", &sent)));
    }
    let retry = format!("failed before and unchanged (`{} retry` sends them again)", settings.command);
    let abandoned = format!("abandoned (`{} doubt not-booked` lets one be sent after all)", settings.command);
    let doubt = format!("in doubt (`{} doubt list`)", settings.command);
    let left = [
        (counts.gathered.orders_invalid - counts.ledger.changed_after_booking, "invalid"),
        (counts.ledger.changed_after_booking, "changed after they were booked"),
        (
            counts.ledger.already_booked_count - counts.ledger.booked_before - counts.ledger.noted_since,
            "booked already and unchanged",
        ),
        (counts.ledger.noted_since, "booked already, and noted otherwise in this sheet"),
        (counts.ledger.booked_before, "booked already, and wrong in this sheet"),
        (counts.gathered.orders_over, "cancelled or sent already, as the sheet says"),
        (counts.ledger.left_alone, retry.as_str()),
        (counts.ledger.abandoned, abandoned.as_str()),
        (counts.ledger.sending, "on their way just now, by another process"),
        (counts.ledger.in_doubt, doubt.as_str()),
    ];
    let left = counted("left out: ", &left);
    if !left.is_empty() {
        note(left);
    }
}

/// The counts that are not zero, each with its words; nothing where there is none.
fn counted(before: &str, counts: &[(u64, &str)]) -> String {
    let shown = counts.iter().filter(|(number, _)| *number > 0);
    let shown: Vec<String> = shown.map(|(number, why)| format!("{} {why}", thousands(&number.to_string()))).collect();
    if shown.is_empty() { shown.concat() } else { format!("{before}{}", shown.join(", ")) }
}

/// What is far more than usual, said on standard error.
pub(super) fn say_unusual(cautions: &[Caution]) {
    for far in Caution::far_more(cautions) {
        note(format!("warning: this is far more than usual: {}", far_more(&far)));
    }
}

/// Says what was cancelled and is not sent again, and keeps it for the document.
pub(super) fn say_cancelled(settings: &Settings, cancelled: &[Finding], causes: &mut Causes) {
    let mut own = Causes::new(words(&settings.command));
    for problem in cancelled {
        own.add(problem);
        causes.add(problem);
    }
    if !settings.is_quiet() {
        say_causes(&own);
    }
}

/// The sheets for the document; nothing where none is asked for, since their questions may need another look at all rows.
pub(super) fn sheet_entries(settings: &Settings, reading: &Reading) -> Vec<SheetEntry> {
    if settings.format != Format::Json {
        return Vec::new();
    }
    // A sheet that cannot be read again has said so where it was read.
    let mut questions = reading.value_questions(false).unwrap_or_default().into_iter();
    let mut amounts = reading.amount_questions().unwrap_or_default().into_iter();
    let mut entry = |(OpenedSheet { sheet, .. }, columns): (&OpenedSheet, &Columns)| SheetEntry {
        file: sheet.source().file.clone(),
        worksheet: sheet.source().worksheet.clone(),
        format: sheet.format().to_string(),
        header_row: sheet.header().row,
        unknown_columns: columns.unknown().into_iter().map(|column| column.header).collect(),
        questions: {
            let of_values = questions.next().unwrap_or_default().into_iter().map(question_entry);
            of_values.chain(amounts.next().flatten().into_iter().flat_map(amount_entries)).collect()
        },
    };
    reading.opened().sheets.iter().zip(reading.opened().columns.iter()).map(&mut entry).collect()
}

fn question_entry(question: ValueQuestion) -> QuestionEntry {
    let choices = question.choices().iter().map(|meaning| meaning.as_str()).collect();
    let values = question.unknown.into_iter().map(|(value, rows)| ValueEntry { value, rows }).collect();
    QuestionEntry { column: question.column.header, values, choices }
}

fn amount_entries(question: AmountQuestion) -> Vec<QuestionEntry> {
    let AmountQuestion { columns, choices } = question;
    let entry = |(column, values): (Column, Vec<(String, u32)>)| {
        let values = values.into_iter().map(|(value, rows)| ValueEntry { value, rows }).collect();
        let choices = choices.iter().map(|used| used.as_str()).collect();
        QuestionEntry { column: column.header, values, choices }
    };
    columns.into_iter().map(entry).collect()
}

pub(super) fn row_counts(gathered: &Gathered) -> RowCounts {
    let rows = gathered.rows;
    RowCounts {
        read: rows.read,
        blank: rows.blank,
        skipped: rows.skipped,
        in_orders: rows.in_orders,
        invalid: rows.invalid,
    }
}

/// What would become of the orders of a plan.
pub(super) const fn plan_entry(counts: &PlanCounts) -> PlanEntry {
    PlanEntry {
        new: counts.ledger.to_send.orders - counts.ledger.corrected - counts.ledger.left_over,
        corrected: counts.ledger.corrected,
        left_over: counts.ledger.left_over,
        changed_after_booking: counts.ledger.changed_after_booking,
        sending: counts.ledger.sending,
    }
}

/// Where the orders of a plan stand of which nothing is sent.
pub(super) fn orders(counts: &PlanCounts) -> Orders {
    let gathered = &counts.gathered;
    // Booked orders that the sheet changes, as far as their rule holds them.
    let (changed, invalid) = (counts.ledger.changed_after_booking, gathered.orders_invalid);
    let held = if changed < invalid { changed } else { invalid };
    Orders {
        total: gathered.orders,
        invalid: invalid - held,
        held,
        already_booked: counts.ledger.already_booked_count,
        in_doubt: counts.ledger.in_doubt,
        rejected: counts.ledger.rejected,
        refused: counts.ledger.left_alone - counts.ledger.rejected,
        abandoned: counts.ledger.abandoned,
        // Everything else would be sent, or is being sent.
        outstanding: gathered.orders
            - gathered.orders_invalid
            - counts.ledger.already_booked_count
            - counts.ledger.in_doubt
            - counts.ledger.left_alone
            - counts.ledger.abandoned,
        ..Orders::default()
    }
}
