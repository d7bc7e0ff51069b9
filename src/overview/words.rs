//! A report in words: what is open first, then the money, then how it went and whether it adds up.

use crate::app::{FailedOrders, Money, OpenLine, Report, RunLine, UnsentLine};
use crate::text::{indian, shortened};

use super::layout::{Block, Cell, Figure, Layout, Section, Table, Tone, money};
use super::said::{age, capital, count, date, day, moment, period, stayed_behind, zone};
use super::{amounts, runs};

/// What to do about what is open, in the words of a face; commands stand between backticks.
#[derive(Debug, Clone, Default)]
pub struct Advice {
    /// About orders in doubt.
    pub in_doubt: String,
    /// About orders that failed in one run, for whose number `{run}` stands.
    pub failed_in_run: String,
    /// About orders that failed since a day, for which `{day}` stands.
    pub failed_since: String,
    /// About orders that were not sent yet.
    pub outstanding: String,
}

/// What became of one sheet, before the report of its run.
#[derive(Debug, Default)]
pub struct Foreword {
    /// The sheet.
    pub title: String,
    /// When and where it was taken.
    pub about: Vec<String>,
    /// What became of it, in one line.
    pub said: String,
    /// Whether every order of it is booked.
    pub is_done: bool,
    /// What else there is to say of it.
    pub lines: Vec<String>,
    /// What to do, with commands between backticks.
    pub next: Vec<String>,
    /// What was said of its cells, rows and orders.
    pub problems: Vec<String>,
}

/// Characters of a long text that are shown.
const TEXT_MAX: usize = 300;

/// Runs that are named in short; the table of runs has all.
const RUNS_NOTED: usize = 3;

/// The whole report.
pub(super) fn layout(report: &Report, advice: &Advice) -> Layout {
    let sections = [
        Some(summary(report)),
        unsent(report),
        in_doubt(report, advice),
        failed(report, advice),
        outstanding(report, advice),
        amounts::days(report),
        amounts::shipments(report),
        amounts::since_the_end(report),
        amounts::compared(report),
        runs::runs(report),
        runs::stations(report),
        runs::speed(report),
        Some(runs::adds_up(report)),
    ];
    Layout { title: title(report), about: about(report), sections: sections.into_iter().flatten().collect() }
}

/// What became of one sheet, then the report of its run, then what was said of its cells.
pub(super) fn of_sheet(sheet: &Foreword, report: Option<&Report>, advice: &Advice) -> Layout {
    let Foreword { title, about, said, is_done, lines, next, problems } = sheet;
    let tone =
        if *is_done && lines.is_empty() && next.is_empty() && problems.is_empty() { Tone::Good } else { Tone::Warn };
    let mut blocks = vec![Block::Note(tone, capital(said))];
    blocks.extend(lines.iter().map(|line| Block::Note(Tone::Warn, capital(line))));
    blocks.extend(next.iter().map(|next| Block::Text(format!("Next: {next}"))));
    let mut sections = vec![Section { heading: title.clone(), blocks }];
    sections.extend(report.into_iter().flat_map(|report| layout(report, advice).sections));
    if !problems.is_empty() {
        let heading = "Problems of the sheet".to_owned();
        let (columns, rows) = (vec!["Problem".to_owned()], problems.iter().map(|own| vec![Cell::text(own)]).collect());
        let table = Table { name: heading.clone(), columns, rows, total: None, below: None };
        sections.push(Section { heading, blocks: vec![Block::Table(table)] });
    }
    Layout { title: title.clone(), about: about.clone(), sections }
}

fn title(report: &Report) -> String {
    match (report.run, report.until_ms) {
        (Some(run), _) => format!("Report of run {run}"),
        (None, Some(until_ms)) => format!("Report of {}", period(report.from_ms, until_ms)),
        (None, None) => format!("Report since {}", day(report.from_ms)),
    }
}

fn about(report: &Report) -> Vec<String> {
    let mut about = Vec::new();
    let runs = || count(report.runs.len() as u64 + report.runs_unlisted, "run");
    if let (Some(_), Some(run)) = (report.run, report.runs.first()) {
        let RunLine { kind, started_ms, by, sheets, service, orders, orders_at_end, .. } = run;
        let by = by.as_ref().map(|by| format!(" by {by}")).unwrap_or_default();
        about.push(format!("{} of {}{by}, booked at {service}", capital(kind), moment(*started_ms)));
        if !sheets.is_empty() {
            about.push(format!("Sheets: {}", sheets.join(", ")));
        }
        if orders_at_end.is_some_and(|at_end| at_end == *orders) {
            about.push("No order has changed since the run ended".to_owned());
        }
    } else if report.until_ms.is_some() {
        about.push(format!("{} that began in these days; every order as it stands now", runs()));
    } else {
        about.push(runs());
    }
    let masked = if report.is_masked { "; names, phones and addresses are left out" } else { "" };
    about.push(format!("Made on {} {}{masked}", moment(report.made_ms), zone(report.made_ms)));
    about
}

fn summary(report: &Report) -> Section {
    let mut blocks = notes(report);
    let orders = &report.orders;
    let fixing = stayed_behind(orders).saturating_sub(report.held + report.left_out);
    let figure = |what: &str, amount: u64, tone| Figure {
        what: what.to_owned(),
        amount: indian(&amount.to_string()),
        tone: if amount == 0 { Tone::Plain } else { tone },
    };
    let mut figures = vec![
        figure("Orders came in", orders.total, Tone::Plain),
        figure("Booked", orders.booked, Tone::Good),
        figure("To fix", fixing, Tone::Bad),
        figure("In doubt", orders.in_doubt, Tone::Warn),
        figure("Not sent yet", orders.outstanding, Tone::Warn),
    ];
    for (what, amount) in [
        ("Held", report.held + orders.held),
        ("Left out", report.left_out + orders.left_out),
        ("Booked before", orders.already_booked),
        ("Given up", orders.abandoned),
        ("Dismissed", orders.dismissed),
    ] {
        if amount > 0 {
            figures.push(figure(what, amount, Tone::Plain));
        }
    }
    blocks.push(Block::Figures(figures));
    let worth = |what: &str, amount: String| Figure { what: what.to_owned(), amount, tone: Tone::Plain };
    let of_money = |own: &Money| {
        let Money { currency, shipments, .. } = own;
        let charged = match shipments.charged {
            0 => None,
            all if all == shipments.orders => Some("Courier's charge".to_owned()),
            some => Some(format!("Courier's charge for {some} of {}", shipments.orders)),
        };
        let mut figures = vec![
            worth("Declared value of shipments", money(shipments.value, currency)),
            worth("COD to collect", money(shipments.cod, currency)),
        ];
        figures.extend(charged.map(|what| worth(&what, money(shipments.freight, currency))));
        figures
    };
    let figures: Vec<Figure> = report.money.iter().filter(|own| own.shipments.orders > 0).flat_map(of_money).collect();
    if !figures.is_empty() {
        blocks.push(Block::Figures(figures));
    }
    Section { heading: "In short".to_owned(), blocks }
}

/// What should be seen first.
fn notes(report: &Report) -> Vec<Block> {
    let orders = &report.orders;
    let mut notes = Vec::new();
    let mut note = |tone, text: String| notes.push(Block::Note(tone, text));
    if !report.is_balanced() {
        note(Tone::Bad, "These figures do not add up. The last section says which. Please report this.".to_owned());
    }
    let odd = report.runs.iter().filter(|run| run.state != "finished" || run.stopped_by.is_some());
    for run in odd.take(RUNS_NOTED) {
        match (run.state, &run.stopped_by) {
            ("going_on", _) => {
                note(Tone::Warn, format!("Run {} goes on just now: these figures still change.", run.run));
            }
            ("killed", _) => note(Tone::Warn, format!("Run {} ended without a word: it was killed.", run.run)),
            (_, Some(by)) => {
                let what = stopped(by).map_or(by.as_str(), |(what, _)| what);
                let why = run.stopped_why.as_ref().map(|why| format!(" ({})", shortened(why, TEXT_MAX)));
                note(Tone::Warn, format!("Run {} stopped early: {what}{}.", run.run, why.unwrap_or_default()));
            }
            _ => {}
        }
    }
    if !report.unsent_sheets.is_empty() {
        let sheets = report.unsent_sheets.len() as u64;
        note(Tone::Warn, format!("Nothing was sent of {}: a person has to look.", count(sheets, "sheet")));
    }
    if orders.in_doubt > 0 {
        note(
            Tone::Warn,
            match orders.in_doubt {
                1 => "1 order is in doubt: nobody knows whether the courier has it. Settle it first.".to_owned(),
                more => format!(
                    "{} are in doubt: nobody knows whether the courier has them. Settle these first.",
                    count(more, "order")
                ),
            },
        );
    }
    let fixing = stayed_behind(orders).saturating_sub(report.held + report.left_out);
    let were = |orders: u64| if orders == 1 { "was" } else { "were" };
    if fixing > 0 {
        let was = were(fixing);
        note(Tone::Bad, format!("{} {was} not booked and must be corrected or tried again.", count(fixing, "order")));
    }
    if report.held > 0 {
        let text = format!("{} {} held: somebody has to decide.", count(report.held, "order"), were(report.held));
        note(Tone::Warn, text);
    }
    if report.left_out > 0 {
        let text = format!("{} {} left out by a person.", count(report.left_out, "order"), were(report.left_out));
        note(Tone::Plain, text);
    }
    if orders.outstanding > 0 {
        let was = if orders.outstanding == 1 { "was" } else { "were" };
        note(Tone::Warn, format!("{} {was} not sent yet.", count(orders.outstanding, "order")));
    }
    if report.cancel_unclear > 0 {
        let text = "Of {} nobody knows whether the cancellation was done: look in the courier's portal.";
        note(Tone::Warn, text.replace("{}", &count(report.cancel_unclear, "shipment")));
    }
    if orders.total == 0 {
        note(Tone::Plain, "No order came.".to_owned());
    } else if notes.is_empty() {
        notes.push(Block::Note(Tone::Good, "Every order that came is booked.".to_owned()));
    }
    notes
}

/// Sheets of which nothing was sent, with their causes and where they lie.
fn unsent(report: &Report) -> Option<Section> {
    if report.unsent_sheets.is_empty() {
        return None;
    }
    let row = |sheet: &UnsentLine| {
        let lies = match sheet.is_there {
            Some(true) => sheet.path.clone(),
            Some(false) => "it was taken away since".to_owned(),
            None => format!("{} on {}", sheet.path, sheet.host),
        };
        let why = sheet.why.as_deref().unwrap_or("see the report beside it");
        vec![
            Cell::text(&sheet.name),
            Cell::text(moment(sheet.at_ms)),
            Cell::text(capital(&shortened(why, TEXT_MAX))),
            Cell::text(lies),
        ]
    };
    let table = Table {
        name: "Sheets not sent".to_owned(),
        columns: ["Sheet", "Taken", "Why", "Where it lies"].map(str::to_owned).into(),
        rows: report.unsent_sheets.iter().map(row).collect(),
        total: None,
        below: None,
    };
    let text = "Nothing was sent of these sheets. The report beside each says what to do.".to_owned();
    Some(Section { heading: "Sheets not sent".to_owned(), blocks: vec![Block::Text(text), Block::Table(table)] })
}

fn in_doubt(report: &Report, advice: &Advice) -> Option<Section> {
    let text = format!("They were sent, and no clear answer came. None is sent again by itself. {}", advice.in_doubt);
    let has_receivers = !report.is_masked;
    open(report, ("In doubt", text), (&report.in_doubt, report.orders.in_doubt), has_receivers)
}

fn outstanding(report: &Report, advice: &Advice) -> Option<Section> {
    let heading = ("Not sent yet", advice.outstanding.clone());
    open(report, heading, (&report.outstanding, report.orders.outstanding), false)
}

/// Orders that are not at their end, with how long they wait; with their receivers where these help to find them.
fn open(
    report: &Report,
    (heading, text): (&str, String),
    (lines, all): (&[OpenLine], u64),
    has_receivers: bool,
) -> Option<Section> {
    if lines.is_empty() {
        return None;
    }
    let mut columns = vec!["Order", "Since", "For", "What was said", "Rows"];
    if has_receivers {
        columns.push("Receiver");
    }
    let row = |line: &OpenLine| {
        let said = line.said.as_deref().unwrap_or_default();
        let mut cells = vec![
            Cell::text(&line.order),
            Cell::text(moment(line.since_ms)),
            Cell::text(age(report.made_ms - line.since_ms)),
            Cell::text(shortened(said, TEXT_MAX)),
            Cell::text(&line.rows),
        ];
        if let Some(receiver) = line.receiver.as_ref().filter(|_| has_receivers) {
            let parts = [&receiver.name, &receiver.city, &receiver.pin_code, &receiver.phone];
            let parts: Vec<&str> = parts.into_iter().map(String::as_str).filter(|part| !part.is_empty()).collect();
            cells.push(Cell::text(parts.join(", ")));
        }
        cells
    };
    let more = all.saturating_sub(lines.len() as u64);
    let table = Table {
        name: heading.to_owned(),
        columns: columns.into_iter().map(str::to_owned).collect(),
        rows: lines.iter().map(row).collect(),
        total: None,
        below: (more > 0).then(|| format!("And {} more.", indian(&more.to_string()))),
    };
    Some(Section { heading: heading.to_owned(), blocks: vec![Block::Text(text), Block::Table(table)] })
}

fn failed(report: &Report, advice: &Advice) -> Option<Section> {
    if report.failed.is_empty() {
        return None;
    }
    let row = |cause: &FailedOrders| {
        let what = match cause.state {
            "invalid" => "Not sent",
            "rejected" => "Rejected",
            _ => "Refused",
        };
        let rule = cause.rule.as_ref().map(|rule| format!(" [{rule}]")).unwrap_or_default();
        let hint = match (cause.state, cause.hint.as_str()) {
            ("invalid", "") => "Correct the cells, and import the sheet again.",
            ("invalid", hint) => hint,
            _ => "Correct what the service objects to, and import the sheet again; or retry, once the cause is gone.",
        };
        vec![
            Cell::Number(cause.orders),
            Cell::text(what),
            Cell::text(format!("{}{rule}", shortened(&cause.said, TEXT_MAX))),
            Cell::text(capital(&shortened(hint, TEXT_MAX))),
            Cell::text(places(cause)),
        ]
    };
    let below = report.failed_otherwise;
    let table = Table {
        name: "Failed".to_owned(),
        columns: ["Orders", "What happened", "Why", "What to do", "Where"].map(str::to_owned).into(),
        rows: report.failed.iter().map(row).collect(),
        total: None,
        below: (below > 0).then(|| format!("And {} for other causes.", count(below, "problem"))),
    };
    let advice = match report.run {
        Some(run) => advice.failed_in_run.replace("{run}", &run.to_string()),
        None => advice.failed_since.replace("{day}", &date(report.from_ms)),
    };
    let text = format!("An order with several problems is in several lines. {advice}");
    Some(Section { heading: "Why orders failed".to_owned(), blocks: vec![Block::Text(text), Block::Table(table)] })
}

fn places(cause: &FailedOrders) -> String {
    let shown: Vec<String> = cause
        .places
        .iter()
        .map(|seen| {
            let order = seen.order.as_ref().map(|order| format!(" (order {order})")).unwrap_or_default();
            let found = seen.found.as_ref().filter(|found| !found.is_empty());
            let found = found.map(|found| format!(": {}", shortened(found, 60))).unwrap_or_default();
            format!("{}{order}{found}", seen.place)
        })
        .collect();
    let more = cause.orders.saturating_sub(shown.len() as u64);
    let more = if more > 0 { format!("; and {} more", indian(&more.to_string())) } else { String::new() };
    shown.join("; ") + &more
}

/// The meaning of a brake by its stable word, and the remedy: two fragments. Nothing for a word that is none.
#[must_use]
pub fn stopped(by: &str) -> Option<(&'static str, &'static str)> {
    Some(match by {
        "authentication" => ("the service does not accept the token", "log in again"),
        "address" => ("nothing answers at the service's address", "correct the address in the configuration"),
        "tls" => ("there is no secure connection to the service", "check this machine's clock and the address"),
        "redirect" => ("the service sends requests to another address", "ask the courier for its new address"),
        "funds" => ("the account cannot pay", "add funds to it, then send what is outstanding"),
        "refusals" => ("the service refused many orders for the same cause", "correct the cause, then retry"),
        "doubts" => ("too many answers were lost", "look in the courier's portal for the orders in doubt"),
        "contradiction" => ("an answer contradicts the ledger", "look in the courier's portal before more is sent"),
        "answer" => ("an answer was not understood", "look in the courier's portal, then see the report of the run"),
        "ledger" => {
            ("the ledger could not be written", "mend its disk or its database server, then send what is outstanding")
        }
        "unreachable" => ("the service could not be reached", "check the network, then send what is outstanding"),
        "limit" => ("a limit of orders, amount or time was reached", "send what is outstanding when that is right"),
        "signal" => ("somebody stopped it, or the machine was shut down", "send what is outstanding"),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use crate::book::StoppedBy;

    use super::*;

    #[test]
    fn every_brake_has_words() {
        use StoppedBy::{
            Address, Answer, Authentication, Contradiction, Doubts, Funds, Ledger, Limit, OwnLimit, Redirect, Refusals,
            Signal, Tls, Unreachable,
        };
        let all = [
            Authentication,
            Address,
            Tls,
            Redirect,
            Funds,
            Refusals,
            Doubts,
            Contradiction,
            Answer,
            Ledger,
            Unreachable,
            Limit,
            OwnLimit,
            Signal,
        ];
        for by in all {
            assert!(stopped(by.as_str()).is_some(), "{by}");
        }
        assert_eq!(stopped("something"), None);
    }
}
