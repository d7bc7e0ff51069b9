//! The orders of a run, a line for each, to be ticked for what is done with several of them.

use std::collections::BTreeMap;

use jiff::Timestamp;
use maud::{Markup, html};
use serde::Deserialize;

use crate::app::draft::DraftEntry;
use crate::app::{FieldNames, Receiver, RunStatus, failed_because};
use crate::finding::english;
use crate::ledger::{Ledger, ProblemRecord, ResultRow, Said};
use crate::text::{Decimal, shortened};

use super::answer::Result;
use super::orders::ROWS;
use super::standings::Standings;
use super::state::Desk;
use super::{labels, page, ticked, words};

/// Reasons that are named of an order that stayed behind.
const WRONG: usize = 2;
/// Causes that are told apart.
const CAUSES_MAX: usize = 12;

/// Which run, and which of its orders.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Asked {
    pub(super) run: Option<i64>,
    #[serde(default)]
    state: String,
    #[serde(default)]
    from: usize,
}

impl Asked {
    /// Whether an order that stands so is asked for.
    fn is_meant(&self, state: &str) -> bool {
        match self.state.as_str() {
            "" => true,
            "failed" => matches!(state, "rejected" | "refused"),
            "booked" => matches!(state, "booked" | "already_booked"),
            own => own == state,
        }
    }
}

/// Orders that failed for one cause.
pub(super) struct Cause {
    pub(super) said: String,
    pub(super) fingerprint: String,
    pub(super) orders: u64,
}

/// The orders of a run that are shown, and what is known of all of them.
pub(super) struct RunList {
    run: i64,
    asked: Asked,
    rows: Vec<ResultRow>,
    /// The receivers of those that the ledger has, by number.
    receivers: BTreeMap<String, Receiver>,
    /// How many there are in the chosen state.
    found: usize,
    pub(super) causes: Vec<Cause>,
    /// The one sheet of the run, whose name its rows need not repeat.
    sheet: Option<String>,
}

impl RunList {
    pub(super) fn of(desk: &Desk, ledger: &Ledger, status: &RunStatus, asked: &Asked) -> Result<Self> {
        let (run, running) = (status.record.id, status.holder.is_some());
        let mut list = Self {
            run: run.number(),
            asked: asked.clone(),
            rows: Vec::new(),
            receivers: BTreeMap::new(),
            found: 0,
            causes: Vec::new(),
            sheet: Some(&status.record.sheets).filter(|all| all.len() == 1).map(|all| format!("{}:", all[0])),
        };
        let mut shown = Vec::new();
        ledger.for_each_in_run(run, running, &mut |own| {
            if matches!(own.state.as_str(), "rejected" | "refused") {
                list.failed(&own.state, own.error.as_deref().unwrap_or_default());
            }
            // A row without an order number is no order; how many there are is told above the list.
            if !own.has_number {
                return;
            }
            let state = own.standing.as_str();
            if asked.is_meant(state) {
                if (asked.from..asked.from.saturating_add(ROWS)).contains(&list.found) {
                    shown.push(own.seq);
                }
                list.found += 1;
            }
        })?;
        list.rows = ledger.results_in(run, shown, running)?;
        for number in list.rows.iter().filter_map(|row| row.order_number.as_ref()) {
            // A name that cannot be read hides no AWB.
            let sent = desk.app().sent(ledger, (number, &status.record.service)).ok().flatten();
            list.receivers.extend(sent.map(|sent| (number.clone(), sent.receiver)));
        }
        Ok(list)
    }

    fn failed(&mut self, state: &str, error: &str) {
        let (said, fingerprint) = failed_because(state, error);
        match self.causes.iter().position(|cause| cause.fingerprint == fingerprint) {
            Some(known) => self.causes[known].orders += 1,
            None if self.causes.len() < CAUSES_MAX => self.causes.push(Cause { said, fingerprint, orders: 1 }),
            None => {}
        }
    }

    fn at(&self, state: &str, from: usize) -> String {
        format!("results?run={}&state={}&from={from}", self.run, page::encoded(state))
    }

    pub(super) fn choices(&self, standings: &Standings) -> Markup {
        let (state, all) = (self.asked.state.as_str(), standings.states());
        html! {
            nav.tabs aria-label="Show" {
                @for (own, name, amount) in all.into_iter().filter(|(own, _, amount)| *amount > 0 || own.is_empty() || *own == state) {
                    a href=(self.at(own, 0)) aria-current=[(own == state).then_some("true")] { (name) " " b { (words::number(amount)) } }
                }
            }
        }
    }

    /// The actions for the orders that are ticked below.
    pub(super) fn ticked(&self, desk: &Desk, is_held: bool) -> Markup {
        html! {
            @if self.rows.iter().any(|row| row.awb.is_some()) {
                form.row.actions id=(ticked::FORM) method="post" action="track" data-ticks {
                    input type="hidden" name="page" value=(desk.guard.page_token());
                    input type="hidden" name="run" value=(self.run);
                    input type="hidden" name="which" value=(ticked::FORM);
                    label.tick hidden data-all { input type="checkbox"; "All shown" }
                    button formaction="labels" formtarget="_blank" { "Print ticked" }
                    (labels::papers(desk, "Paper of the ticked"))
                    button formaction="track" { "Track ticked" }
                    @if !is_held { button.bad formaction="cancel/ticked" { "Cancel ticked" } }
                    span.soft role="status" {}
                }
            }
        }
    }

    pub(super) fn table(&self, draft: Option<&DraftEntry>) -> Markup {
        html! {
            table.cards.lines {
                thead { tr { th.pick { span.unseen { "Tick" } } th { "Order" } th.to { "To" } th.rows { "Rows" } th.stands { "Status" } th.num { "To collect" } th.awb { "AWB" } th { "Courier" } } }
                tbody {
                    @for (place, row) in self.rows.iter().enumerate() { (self.line((place, row), draft)) }
                }
            }
        }
    }

    /// An order of a run. One that was never sent is in its sheet, as long as that is open.
    fn line(&self, (place, row): (usize, &ResultRow), draft: Option<&DraftEntry>) -> Markup {
        let number = row.order_number.as_deref().unwrap_or_default();
        let to = self.receivers.get(number);
        let rows = self.sheet.as_ref().and_then(|sheet| row.rows.strip_prefix(sheet)).unwrap_or(&row.rows);
        let to_collect = row.cod.as_deref().and_then(|own| own.parse().ok()).filter(|own: &Decimal| !own.is_zero());
        html! {
            tr {
                td.pick { @if row.awb.is_some() { (ticked::tick((place, number))) } }
                td {
                    b {
                        @match (row.state.as_str(), draft) {
                            ("invalid", Some(draft)) => a href={ "sheet/" (draft.id) "/order?number=" (page::encoded(number)) } { (number) },
                            _ => (page::order_link(number)),
                        }
                    }
                }
                td { @if let Some(to) = to { (shortened(&to.name, 60)) " " span.soft { (shortened(&to.city, 60)) } } }
                td.soft title=(row.rows) { (rows) }
                td { (page::state(&row.standing)) }
                td.num data-name="To collect" { @if let Some(amount) = to_collect { (words::rupees(amount)) } }
                @let why = draft.map_or(&FieldNames::default(), |draft| &draft.rest.headers).in_words(&why_not(row));
                @match &row.awb {
                    Some(awb) => {
                        td { (page::copied(awb, "AWB")) }
                        @let cancelled = row.cancelled.as_deref().map(cancelled_when);
                        td title=(cancelled.as_ref().unwrap_or(&why)) {
                            @if let Some(unclear) = cancelled.filter(|_| !row.is_cancelled()) { span.warn { (unclear) } " " }
                            @if why.is_empty() { (row.carrier.as_deref().unwrap_or_default()) } @else { span.soft { (why) } }
                        }
                    }
                    None => td.soft colspan="2" title=(why) { (why) },
                }
            }
        }
    }

    pub(super) fn pages(&self) -> Markup {
        let (from, state) = (self.asked.from, self.asked.state.as_str());
        let to = from + self.rows.len();
        html! {
            @if self.found > ROWS {
                p.row.end {
                    span.soft.grow { "Orders " (words::number(from as u64 + 1)) " to " (words::number(to as u64)) " of " (words::number(self.found as u64)) }
                    @if from > 0 { a.button href=(self.at(state, from.saturating_sub(ROWS))) { "Earlier" } }
                    @if to < self.found { a.button href=(self.at(state, to)) { "Next" } }
                }
            }
        }
    }
}

/// Why an order was not sent, or not booked, in one line.
fn why_not(row: &ResultRow) -> String {
    if let Some(error) = &row.error {
        return shortened(&failed_because(&row.state, error).0, 200);
    }
    let one = |wrong: &ProblemRecord| {
        let place = wrong.place.as_ref().map(|place| format!(" ({place})")).unwrap_or_default();
        format!("{}{place}", shortened(&why(&wrong.said), 200))
    };
    row.wrong.iter().take(WRONG).map(one).collect::<Vec<_>>().join(" ")
}

/// When a shipment was cancelled; where nobody knows whether it is, since when.
fn cancelled_when(said: &str) -> String {
    let moment = |text: &str| text.parse().map(|at: Timestamp| words::moment(at.as_millisecond()));
    match (moment(said), said.strip_prefix("unknown since ").map(moment)) {
        (Ok(at), _) => format!("cancelled {at}"),
        (_, Some(Ok(since))) => format!("perhaps cancelled, asked {since}"),
        _ => format!("cancelled: {said}"),
    }
}

/// Why an order stayed behind.
pub(super) fn why(said: &Said) -> String {
    words::capital(&match said {
        Said::Data(finding) => english::message(finding),
        Said::Words { message, .. } => message.clone(),
    })
}
