//! What became of one row.

use std::collections::HashSet;

use crate::api::outcome::purchase_error_message;
use crate::app::error::Result;
use crate::field::Id;
use crate::finding::english::{self, Words};
use crate::finding::{self, Command, Finding, Remedy};
use crate::ledger::{Ledger, ProblemRecord, ResultRow, RunId, Said, State};
use crate::origin::{Added, Place};
use crate::report::{Complaint, Rejection, quoted_cells};
use crate::sheet::Row;
use crate::stage::{Opened, RowOutcome, Trace};

/// What stands beside a row.
pub(super) struct Verdict {
    rejection: Rejection,
    rejected: bool,
    awb: String,
    carrier: String,
    service: String,
}

impl Verdict {
    fn plain(status: impl Into<String>) -> Self {
        let rejection = Rejection { status: status.into(), complaints: Vec::new() };
        let (awb, carrier, service) = (String::new(), String::new(), String::new());
        Self { rejection, rejected: false, awb, carrier, service }
    }

    fn rejected(status: impl Into<String>, complaints: Vec<Complaint>) -> Self {
        Self { rejected: true, rejection: Rejection { status: status.into(), complaints }, ..Self::plain("") }
    }

    /// Whether the row has to be corrected.
    pub(super) const fn is_rejected(&self) -> bool {
        self.rejected
    }

    pub(super) const fn rejection(&self) -> &Rejection {
        &self.rejection
    }

    /// Status, AWB, carrier, service and error.
    pub(super) fn results(&self) -> [String; 5] {
        let error = self.rejection.reasons();
        [self.rejection.status.clone(), self.awb.clone(), self.carrier.clone(), self.service.clone(), error]
    }
}

/// Finds out what became of each row.
pub(super) struct Judge<'a> {
    opened: &'a Opened,
    trace: &'a mut Trace,
    run: Option<(&'a Ledger, RunId)>,
    words: &'a Words,
    /// The order of the row before: most orders' rows stand together.
    last: Option<(u64, Option<ResultRow>)>,
    /// The orders that are still to be fixed, where not all are that stay behind.
    wanted: Option<&'a HashSet<String>>,
    /// Those of them that a row was judged of.
    pub(super) seen: HashSet<String>,
}

impl<'a> Judge<'a> {
    pub(super) fn new(
        opened: &'a Opened,
        trace: &'a mut Trace,
        run: Option<(&'a Ledger, RunId)>,
        words: &'a Words,
        wanted: Option<&'a HashSet<String>>,
    ) -> Self {
        Self { opened, trace, run, words, last: None, wanted, seen: HashSet::new() }
    }

    /// Whether the order that these are said of is still to be fixed; a row that names none always is.
    fn is_wanted(&mut self, number: Option<&str>) -> bool {
        let (Some(wanted), Some(number)) = (self.wanted, number) else { return true };
        let is_wanted = wanted.contains(number);
        if is_wanted && !self.seen.contains(number) {
            self.seen.insert(number.to_owned());
        }
        is_wanted
    }

    /// The verdict on a row; none on a blank one. `cells` are the sheet's own columns with their columns in the file.
    pub(super) fn judge(&mut self, sheet: usize, row: &Row, cells: &[(usize, usize)]) -> Result<Option<Verdict>> {
        if row.is_blank() {
            return Ok(None);
        }
        if let Some(why) = row.skip() {
            return Ok(Some(Verdict::plain(format!("left out: {why}"))));
        }
        let verdict = match self.trace.row(sheet, row.number())? {
            RowOutcome::Apart => Verdict::plain("left out"),
            RowOutcome::Unclear => {
                let message = "the sheet has several rows of this number, and they are of different orders";
                let hint = "open the sheet in a spreadsheet program, save it again, and import it";
                Verdict::rejected("unclear", vec![self.complaint(sheet, row, message, hint)])
            }
            RowOutcome::Behind(reasons) => {
                let booked =
                    reasons.iter().find(|reason| is_of_booked(reason)).and_then(|reason| reason.order.as_deref());
                let awb = booked.map(|number| self.awb_of(number)).transpose()?.flatten().unwrap_or_default();
                if self.is_over(&reasons)? {
                    return Ok(Some(Verdict { awb, ..Verdict::plain("dismissed") }));
                }
                if !self.is_wanted(reasons.iter().find_map(|reason| reason.order.as_deref())) {
                    return Ok(Some(Verdict { awb, ..Verdict::plain("left out: corrected since") }));
                }
                Verdict { awb, ..self.behind(sheet, row, cells, &reasons) }
            }
            RowOutcome::Order(position) => match self.order(position)? {
                None => Verdict::plain("good"),
                // Other reasons than its sheet's may be over by now.
                Some(order) if order.is_kept_back => self.kept_back(&order),
                Some(order) => {
                    self.is_wanted(order.order_number.as_deref());
                    self.answered(sheet, row, cells, &order)
                }
            },
        };
        Ok(Some(verdict))
    }

    fn behind(&self, sheet: usize, row: &Row, cells: &[(usize, usize)], reasons: &[Finding]) -> Verdict {
        let source = self.opened.sheets[sheet].sheet.source();
        let is_here = |place: &Place| place.source == *source && place.row == row.number();
        let own = reasons.iter().filter(|reason| reason.place.as_ref().is_none_or(is_here));
        let place = |reason: &Finding| reason.place.as_ref().map(ToString::to_string).unwrap_or_default();
        let column = |reason: &Finding| Some(reason.place.as_ref()?.column.as_ref()?.index as usize);
        let of_row = row.notices().iter().filter_map(|finding| self.opened.columns.apply(finding.clone()));
        let of_row: Vec<Finding> = of_row.filter(Finding::holds).collect();
        let advice = |finding: &Finding| {
            let advice = english::advice(finding, &**self.words);
            let own = of_row.iter().any(|own| own.is(finding.id, &finding.case));
            if own { once_handed_back(finding, advice) } else { advice }
        };
        let mut complaints: Vec<Complaint> = own
            .map(|reason| Complaint {
                message: english::message(reason),
                found: reason.found.clone(),
                hint: advice(reason),
                cell: column(reason).and_then(|column| self.cell(sheet, column, cells)),
                place: place(reason),
            })
            .collect();
        if complaints.is_empty() {
            let message = match reasons.first() {
                Some(reason) => format!("nothing is wrong with this row; its order waits for {}", place(reason)),
                None => "its order stays behind".to_owned(),
            };
            complaints.push(self.complaint(sheet, row, &message, "leave it as it is and correct the other row"));
        }
        let status = match of_row.as_slice() {
            [] if reasons.iter().any(is_of_booked) => State::Held.as_str(),
            [] => State::Invalid.as_str(),
            errors if !errors.iter().all(is_asked) => Added::DAMAGED,
            errors if errors.iter().any(is_marked) => Added::MARKED,
            _ => Added::BELOW_TITLE,
        };
        Verdict::rejected(status, complaints)
    }

    /// The verdict on an order that its run kept back, with the reasons that were given then.
    fn kept_back(&mut self, order: &ResultRow) -> Verdict {
        let awb = order.awb.clone().unwrap_or_default();
        let said = match &*order.standing {
            "dismissed" => Verdict::plain("dismissed"),
            _ if self.is_wanted(order.order_number.as_deref()) => {
                Verdict { rejected: true, rejection: rejection(order, self.words), ..Verdict::plain("") }
            }
            _ => Verdict::plain("left out: corrected since"),
        };
        Verdict { awb, ..said }
    }

    /// Whether a person dismissed the order that these are said of.
    fn is_over(&self, reasons: &[Finding]) -> Result<bool> {
        let number = reasons.iter().find_map(|reason| reason.order.as_deref());
        let Some(((ledger, run), number)) = self.run.zip(number) else { return Ok(false) };
        Ok(ledger.is_dismissed_in(run, number)?)
    }

    /// The AWB of an order that this run did not book.
    fn awb_of(&self, number: &str) -> Result<Option<String>> {
        let Some((ledger, run)) = self.run else { return Ok(None) };
        let Some(run) = ledger.find_run(Some(run))? else { return Ok(None) };
        Ok(ledger.shipped(&run.service, number)?.map(|shipment| shipment.awb))
    }

    /// What the service said.
    fn answered(&self, sheet: usize, row: &Row, cells: &[(usize, usize)], order: &ResultRow) -> Verdict {
        let text = |value: &Option<String>| value.clone().unwrap_or_default();
        let status = order.standing.replace('_', " ");
        let number = text(&order.order_number);
        let error = text(&order.error);
        let rejected = matches!(order.state.as_str(), "rejected" | "refused");
        let hint = if rejected { after_refusal(&number, "this file", self.words) } else { String::new() };
        let mut complaint = self.complaint(sheet, row, &error, &hint);
        if rejected {
            let number_column = self.opened.columns.of(u16::try_from(sheet).unwrap_or(0)).column(Id::OrderNumber);
            let others = cells.iter().filter(|(column, _)| u32::try_from(*column).ok() != number_column);
            let quoted = quoted_cells(&error, others.map(|(column, _)| (*column, row.cell(*column).text)));
            complaint.cell = quoted.first().and_then(|column| self.cell(sheet, *column, cells));
        }
        let complaints = if error.is_empty() && !rejected { Vec::new() } else { vec![complaint] };
        Verdict {
            rejection: Rejection { status, complaints },
            rejected,
            awb: text(&order.awb),
            carrier: text(&order.carrier),
            service: text(&order.service),
        }
    }

    fn complaint(&self, sheet: usize, row: &Row, message: &str, hint: &str) -> Complaint {
        let place = Place::row(self.opened.sheets[sheet].sheet.source(), row.number()).to_string();
        Complaint { message: message.to_owned(), hint: hint.to_owned(), place, ..Complaint::default() }
    }

    /// A sheet's column as the file has it, with its header.
    fn cell(&self, sheet: usize, column: usize, cells: &[(usize, usize)]) -> Option<(usize, String)> {
        let (_, target) = cells.iter().find(|(source, _)| *source == column)?;
        let header = self.opened.sheets[sheet].sheet.header().cells.get(column).cloned().unwrap_or_default();
        Some((*target, header))
    }

    fn order(&mut self, position: u64) -> Result<Option<ResultRow>> {
        let Some((ledger, run)) = self.run else { return Ok(None) };
        if self.last.as_ref().is_none_or(|(last, _)| *last != position) {
            let found = ledger.result_at(run, i64::try_from(position).unwrap_or(i64::MAX))?;
            self.last = Some((position, found));
        }
        Ok(self.last.as_ref().and_then(|(_, found)| found.clone()))
    }
}

/// The faults of an order, each with advice.
pub(in crate::app) fn rejection(row: &ResultRow, words: &Words) -> Rejection {
    let status = row.state.clone();
    let complaints = match &row.error {
        Some(error) => {
            let number = row.order_number.as_deref().unwrap_or_default();
            let is_rejected = row.state == State::Rejected.as_str();
            vec![Complaint {
                message: if is_rejected { purchase_error_message(error) } else { error.clone() },
                hint: after_refusal(number, "the sheet", words),
                ..Complaint::default()
            }]
        }
        None => row.wrong.iter().map(|wrong| complaint(wrong, words)).collect(),
    };
    Rejection { status, complaints }
}

/// Advice on an order that the service refused; `corrected` is imported once it is mended.
fn after_refusal(number: &str, corrected: &str, words: &Words) -> String {
    let retry = words(&Remedy::run(Command::Retry { order: number.to_owned() }));
    format!("correct what the service objects to and import {corrected}; or, once the cause is gone, `{retry}`")
}

fn complaint(problem: &ProblemRecord, words: &Words) -> Complaint {
    let (message, hint) = match &problem.said {
        Said::Data(finding) => (english::message(finding), english::advice(finding, &**words)),
        Said::Words { message, hint } => (message.clone(), hint.clone()),
    };
    let (found, place) = (problem.found.clone(), problem.place.clone().unwrap_or_default());
    Complaint { message, found, hint, cell: None, place }
}

/// Whether a sheet says something else of an order that is booked.
fn is_of_booked(finding: &Finding) -> bool {
    finding.id == finding::Id::ChangedAfterBooking
}

/// Whether nothing is wrong with a row but that nobody has said whether it is to go.
fn is_asked(finding: &Finding) -> bool {
    finding.id == finding::Id::BelowTitle || is_marked(finding)
}

/// Whether that is because of how it looks in the workbook, or looked in the one that it came from.
fn is_marked(finding: &Finding) -> bool {
    matches!(finding.id, finding::Id::ColouredRow | finding::Id::HiddenRows)
        || finding.is(finding::Id::HeldBack, "struck_through")
        || matches!(finding.parameters.get("marked"), Some(finding::Value::Flag(true)))
}

/// What to do about a row as a whole in the file that hands it back: other rows stand around it there, and none is a
/// title or a header of the sheet.
fn once_handed_back(finding: &Finding, advice: String) -> String {
    let header = Added::Status.header();
    let clear = format!("clear its \"{header}\" cell");
    match finding.id {
        _ if is_asked(finding) => format!("{clear} if its order should be shipped; if not, delete the row"),
        finding::Id::SecondHeader | finding::Id::RaggedRow => {
            format!("bring its cells under the right headers, and {clear}")
        }
        // It says so itself.
        finding::Id::UnreadableCell if finding.case == "handed_back" => advice,
        _ => format!("{advice}; then {clear}"),
    }
}
