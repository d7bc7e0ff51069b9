//! An alert in words, and in the forms that commands and webhooks take.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};

use crate::config::WebhookForm;
use crate::overview::stopped;
use crate::report::Orders;
use crate::text::{count, moment, shortened, visible};

use crate::app::WholeLedger;

use super::notice::{Notice, Of, SheetTold, ToldLate};

/// Characters of a line.
const LINE_MAX: usize = 2_000;

/// What the first line of every alert begins with, and with the stand-in service.
const NAME: &str = "shipsheet";
const PRACTICE: &str = " (sandbox)";

/// The first line: what matters most.
pub(super) fn title(notice: &Notice) -> String {
    let late = notice.untold.len() as u64 + notice.untold_unnamed;
    let said = match notice.untold.last() {
        None => said(notice),
        Some(last) if notice.is_late && late == 1 => format!("told late: {}", said_late(last)),
        Some(last) if notice.is_late => {
            format!("told late: {}, and {} before", said_late(last), count(late - 1, "alert"))
        }
        Some(_) => format!("{}; {} told late", said(notice), count(late, "alert")),
    };
    let practice = if notice.service.as_deref() == Some("sandbox") { PRACTICE } else { "" };
    format!("{NAME}{practice}: {said}")
}

/// The first line of one that did not arrive, without whose it is.
fn said_late(late: &ToldLate) -> &str {
    let title = late.title.strip_prefix(NAME).unwrap_or(&late.title);
    title.strip_prefix(PRACTICE).unwrap_or(title).trim_start_matches([':', ' '])
}

fn said(notice: &Notice) -> String {
    let Notice { of, orders, ledger, .. } = notice;
    match notice {
        Notice { of: Of::Test, .. } => "this is a test".to_owned(),
        Notice { is_well_again: true, .. } => "it is well again".to_owned(),
        Notice { of: Of::MissedNight, .. } => "a night is missed".to_owned(),
        Notice { trouble: Some(_), sheets, .. } if sheets.is_empty() => "the night could not run".to_owned(),
        Notice { trouble: Some(_), .. } => "the night could not go on".to_owned(),
        Notice { exit: 1, runs, sheets, .. } if runs.is_empty() && sheets.is_empty() => {
            format!("the {} could not run", what(*of).to_lowercase())
        }
        notice if notice.is_empty() && !notice.is_problem() => "nothing came".to_owned(),
        _ => {
            let open = |number: fn(&WholeLedger) -> u64| ledger.as_ref().map_or(0, number);
            let to_fix = orders.invalid + orders.held + orders.rejected + orders.refused;
            let parts = [
                (open(|ledger| ledger.in_doubt), "in doubt"),
                (to_fix, "to fix"),
                (open(|ledger| ledger.outstanding), "not sent"),
            ];
            let mut said: Vec<String> = parts
                .iter()
                .filter(|(number, _)| *number > 0)
                .map(|(number, what)| format!("{number} {what}"))
                .collect();
            // Where orders are counted, only sheets say more that came to none.
            let is_held = |sheet: &&SheetTold| sheet.exit != 0 && (said.is_empty() || sheet.run.is_none());
            let held = notice.sheets.iter().filter(is_held).count() as u64 + notice.unnamed_held;
            if held > 0 {
                said.push(format!("{} for a person to look at", count(held, "sheet")));
            }
            if !notice.left.is_empty() {
                said.push(format!("{} left in the folder", count(notice.left.len() as u64, "sheet")));
            }
            if notice.backup.is_some() {
                said.push("no backup".to_owned());
            }
            said.push(match orders.total {
                0 => "nothing was sent".to_owned(),
                _ => format!("{} booked", count(orders.booked, "order")),
            });
            said.join(", ")
        }
    }
}

/// All of it, line by line.
pub(super) fn lines(notice: &Notice) -> Vec<String> {
    let Notice { station, service, sheets, left, stopped_by, causes, ledger, trouble, missed, next, backup, .. } =
        notice;
    let at = service.as_deref().map(|service| format!(", booking at {service}")).unwrap_or_default();
    let mut lines = vec![format!("{} of {} on {station}{at}", what(notice.of), moment(notice.at_ms))];
    if let Some(missed) = missed {
        lines.push(format!(
            "The last night ended {}; one is missed after {}.",
            moment(missed.last_ms),
            count(missed.after_hours, "hour")
        ));
    }
    lines.extend(trouble.iter().map(|trouble| match sheets.as_slice() {
        [] => format!("It could not run: {trouble}"),
        _ => format!("It could not go on: {trouble}"),
    }));
    if notice.is_well_again {
        let to_fix = notice.ledger.map_or(0, |ledger| ledger.to_fix);
        lines.push(match to_fix {
            0 => "It ran; no order is in doubt or waits to be sent.".to_owned(),
            _ => format!("It ran; no order is in doubt or waits to be sent. {} to fix.", count(to_fix, "order")),
        });
    }
    if notice.orders.total > 0 {
        lines.push(format!("Orders: {}", counts(&notice.orders)));
    }
    lines.extend(sheets.iter().map(sheet));
    if notice.sheets_unnamed > 0 {
        lines.push(format!("And {}.", count(notice.sheets_unnamed, "more sheet")));
    }
    if !left.is_empty() {
        lines.push(format!("Left in the folder: {}", left.join(", ")));
    }
    lines.extend(stopped_by.iter().map(|by| match stopped(by) {
        Some((what, mend)) => {
            let mend = new_token(by, notice.token_from).unwrap_or_else(|| mend.to_owned());
            format!("A run stopped early: {what}. What to do: {mend}.")
        }
        None => format!("A run stopped early: {by}"),
    }));
    lines.extend(backup.iter().map(|why| format!("The ledger was not backed up: {why}")));
    lines.extend(causes.iter().map(|cause| format!("{} × {}: {}", cause.orders, cause.state, cause.said)));
    if let Some(open) = ledger {
        let open = [
            (open.in_doubt, open.in_doubt_since_ms, "in doubt"),
            (open.outstanding, open.outstanding_since_ms, "not sent yet"),
        ];
        for (number, since, what) in open.into_iter().filter(|(number, ..)| *number > 0) {
            let since = since.map(|since| format!(", the oldest since {}", moment(since))).unwrap_or_default();
            lines.push(format!("In the whole ledger {} {what}{since}", count(number, "order")));
        }
    }
    lines.extend(next.iter().map(|next| format!("Next: {next}")));
    lines.extend(late(notice));
    // A name with a line end in it makes no line of its own.
    lines.iter().map(|line| shortened(&visible(line), LINE_MAX)).collect()
}

/// Advice about a token that is not accepted, where no login gives a new one.
fn new_token(stopped_by: &str, from: Option<&str>) -> Option<String> {
    let from = from.filter(|_| stopped_by == "authentication")?;
    Some(match from {
        "token_file" => "put a new token into the file that token_file names, then send what is outstanding".to_owned(),
        "token_command" => "renew the token that token_command gets, then send what is outstanding".to_owned(),
        variable => format!("set a new {variable} where the night runs, then send what is outstanding"),
    })
}

/// The alerts that did not arrive before, each in its own words.
fn late(notice: &Notice) -> Vec<String> {
    let mut lines = Vec::new();
    if notice.is_late && notice.ledger.is_some_and(|open| open.in_doubt + open.outstanding == 0) {
        lines.push("By now no order is in doubt or waits to be sent.".to_owned());
    }
    if notice.untold_unnamed > 0 {
        lines.push(format!(
            "{} could not be told before, and only the last ones are here.",
            count(notice.untold_unnamed, "older alert")
        ));
    }
    for late in &notice.untold {
        lines.push(format!("This could not be told on {}: {}", moment(late.at_ms), said_late(late)));
        lines.extend(late.lines.iter().map(|line| format!("  {line}")));
    }
    lines
}

fn what(of: Of) -> &'static str {
    match of {
        Of::Night => "Night",
        Of::Import => "Import",
        Of::Resume => "Resume",
        Of::Retry => "Retry",
        Of::MissedNight => "Check",
        Of::Test => "Test",
    }
}

fn sheet(sheet: &SheetTold) -> String {
    let SheetTold { name, filed, said, report, link, .. } = sheet;
    let report = link.as_ref().or(report.as_ref()).map(|report| format!("; report: {report}")).unwrap_or_default();
    format!("{name}: {said} ({filed}){report}")
}

fn counts(orders: &Orders) -> String {
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
    let parts = [
        (total, "in all"),
        (booked, "booked"),
        (already_booked, "booked before"),
        (invalid, "invalid"),
        (rejected, "rejected"),
        (refused, "refused"),
        (in_doubt, "in doubt"),
        (outstanding, "not sent yet"),
        (held, "held"),
        (left_out, "left out"),
        (abandoned, "given up"),
        (dismissed, "dismissed"),
    ];
    let told = parts.iter().filter(|(number, _)| *number > 0).map(|(number, what)| format!("{number} {what}"));
    told.collect::<Vec<_>>().join(", ")
}

/// The document that commands and webhooks of `[notify.NAME]` get: how a night or a run ended, with nothing about
/// people but order counts, names of sheets and masked causes.
#[derive(Serialize, JsonSchema)]
#[schemars(title = "An alert")]
pub struct Alert<'n> {
    #[schemars(skip)]
    document: &'static str,
    #[schemars(skip)]
    version: u32,
    /// The first line.
    title: String,
    /// All of it in words.
    lines: Vec<String>,
    /// Whether it needs a person.
    is_problem: bool,
    /// The report in which nobody is named, as a page, for as long as the command runs; null for a webhook, and where
    /// nothing was sent.
    report_file: Option<&'n str>,
    #[serde(flatten)]
    notice: &'n Notice,
}

impl Alert<'_> {
    /// The kind of the document, and its version.
    pub const NAMED: (&'static str, u32) = ("alert", 1);
}

/// The alert as data; `report_file` is the file of the report, for a command on this machine.
pub(super) fn data(notice: &Notice, report_file: Option<&str>) -> Value {
    let (document, version) = Alert::NAMED;
    let is_problem = notice.is_problem() || notice.untold.iter().any(|late| late.is_problem);
    json!(Alert { document, version, title: title(notice), lines: lines(notice), is_problem, report_file, notice })
}

/// What is posted to a webhook.
pub(super) fn posted(notice: &Notice, form: WebhookForm) -> Value {
    match form {
        WebhookForm::Json => data(notice, None),
        WebhookForm::Slack => {
            let plain = |text: &str| text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
            json!({"text": format!("*{}*\n{}", plain(&title(notice)), plain(&lines(notice).join("\n")))})
        }
        WebhookForm::Teams => {
            let block = |text: &str| json!({"type": "TextBlock", "text": text, "wrap": true});
            let mut head = block(&title(notice));
            head["weight"] = "Bolder".into();
            head["size"] = "Medium".into();
            let body: Vec<Value> =
                std::iter::once(head).chain(lines(notice).iter().map(|line| block(&escaped(line)))).collect();
            json!({"type": "message", "attachments": [{
                "contentType": "application/vnd.microsoft.card.adaptive",
                "contentUrl": null,
                "content": {
                    "$schema": "http://adaptivecards.io/schemas/adaptive-card.json",
                    "type": "AdaptiveCard",
                    "version": "1.4",
                    "body": body,
                },
            }]})
        }
    }
}

/// A line in which a card sees no marks of Markdown.
fn escaped(line: &str) -> String {
    let mut shown = String::with_capacity(line.len());
    for c in line.chars() {
        if matches!(c, '\\' | '*' | '_' | '[' | ']' | '#' | '`' | '~') {
            shown.push('\\');
        }
        shown.push(c);
    }
    shown
}
