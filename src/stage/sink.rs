//! Where orders go once they are judged.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use crate::column::Sheets;
use crate::field::Id;
use crate::finding::order::same_shipment;
use crate::finding::{Finding, RuleId};
use crate::ledger::{
    Disposition, Intake, Known, LedgerError, NewRevision, SentAs, SheetRow, StagedOrder, State, Unsendable, Verdict,
};
use crate::order::{Census, Order, RawOrder};

use super::changed::{Change, FieldChange, changed, changes, is_of_notes, values};
use super::freeze::{Request, freeze};
use super::lately::{Lately, standing};
use super::order_rows::{OrderRows, kept_rows, position_of, rows_of, typed_over};
use super::tally::Totals;

/// A good order on its way.
#[derive(Debug)]
pub struct Frozen<'a> {
    /// The order.
    pub order: &'a Order,
    /// Its request, where one was wanted.
    pub request: Option<&'a Request>,
    /// Its place in the sheets.
    pub of: OrderRows<'a>,
    /// Its cells; none where nobody compares them.
    pub raw: Option<&'a RawOrder>,
    /// The hash of the request that the ledger has of it, once that was looked up.
    pub in_ledger: Option<[u8; 32]>,
    /// The numbers of all orders of its sheets.
    pub census: &'a Census,
}

/// A booked order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Booked {
    /// Its AWB.
    pub awb: String,
    /// Whether its cancellation was asked for.
    pub cancelled: bool,
}

/// Takes what comes out of the sheets.
pub trait Sink {
    /// Whether it wants requests with its orders, for freezing them costs time: then the time of staging, epoch
    /// milliseconds, which is in those of orders that do not say when they were made.
    fn wants_requests(&self) -> Option<i64> {
        None
    }
    /// Whether it keeps requests: then they are packed on their way.
    fn keeps_requests(&self) -> bool {
        true
    }
    /// Whether the order of that number is never sent again, where there is somewhere to look.
    fn is_over(&mut self, _: &str) -> Result<bool, LedgerError> {
        Ok(false)
    }
    /// The other number under which rows of an order were sent, or will be, and where that one stands, where there is somewhere
    /// to look.
    fn sent_otherwise(&mut self, _: &OrderRows<'_>) -> Result<Option<(String, Finding)>, LedgerError> {
        Ok(None)
    }
    /// Takes a good order. A finding that holds says why it stays behind after all; a warning does not keep it.
    fn order(&mut self, frozen: &Frozen<'_>) -> Result<Vec<Finding>, LedgerError>;
    /// Takes an order that does not go, where it is booked already: because its sheet says that it is sent or cancelled, or
    /// though it is wrong in this sheet. Nothing where it is not booked.
    fn booked(&mut self, _: &OrderRows<'_>, _is_wrong: bool) -> Result<Option<Booked>, LedgerError> {
        Ok(None)
    }
    /// What the sheet says of a booked order that is not as it was booked, where it is wrong in this sheet: of values that nothing which
    /// holds it is about.
    fn changed_since(
        &mut self,
        _: &OrderRows<'_>,
        _as_held: &Order,
        _problems: &[Finding],
    ) -> Result<Option<Finding>, LedgerError> {
        Ok(None)
    }
    /// Hears that the sheet itself says that an order does not go; gives what there is to say of that.
    fn not_sent(&mut self, _: &OrderRows<'_>, _: Verdict, _rule: &str) -> Result<Option<Finding>, LedgerError> {
        Ok(None)
    }
    /// Hears that a good order is held by something beside its sheet; gives what there is to say of that.
    fn held(&mut self, _: &Frozen<'_>, _: RuleId) -> Result<Option<Finding>, LedgerError> {
        Ok(None)
    }
    /// Takes an order, or a row without one, that stays behind, with all that is wrong with it.
    fn invalid(&mut self, _: &OrderRows<'_>, _: &[Finding]) -> Result<(), LedgerError> {
        Ok(())
    }
    /// Takes a problem that leaves nothing behind.
    fn problem(&mut self, _: &Finding) -> Result<(), LedgerError> {
        Ok(())
    }
}

/// Has a say in whether a good order is sent, beyond what its sheet says.
pub trait Gate: std::fmt::Debug {
    /// All that there is to say of the order, each with the weight that its rule has; it stays behind where any of it holds.
    fn says(&self, frozen: &Frozen<'_>) -> Result<Vec<Finding>, LedgerError>;
    /// What there is to say of an order that stays behind anyway.
    fn says_of(&self, _: &OrderRows<'_>) -> Option<Finding> {
        None
    }
}

/// Takes everything and keeps nothing: what `check` needs where there is no ledger.
#[derive(Debug, Default)]
pub struct Dry<'g> {
    /// What keeps orders behind beyond their sheet.
    pub gate: Option<&'g dyn Gate>,
}

impl Sink for Dry<'_> {
    fn order(&mut self, frozen: &Frozen<'_>) -> Result<Vec<Finding>, LedgerError> {
        self.gate.map_or(Ok(Vec::new()), |gate| gate.says(frozen))
    }
}

/// What a ledger makes of the orders of sheets.
#[derive(Debug, Clone, Default)]
pub struct LedgerCounts {
    /// What the orders that will be sent come to.
    pub to_send: Totals,
    /// Orders to send that failed before and have been changed since.
    pub corrected: u64,
    /// Orders to send that an earlier run left outstanding.
    pub left_over: u64,
    /// Orders that are booked, and of which this sheet says something else.
    pub changed_after_booking: u64,
    /// The first orders that are booked already, with their AWBs.
    pub already_booked: Vec<(String, String)>,
    /// How many orders are booked already.
    pub already_booked_count: u64,
    /// How many of them are wrong in this sheet: they were booked from a corrected one.
    pub booked_before: u64,
    /// How many of them have another note or another carrier here than when they were booked.
    pub noted_since: u64,
    /// Booked orders whose cancellation was asked for.
    pub cancelled: Vec<String>,
    /// Orders that failed before and are left alone, until somebody asks for `retry`.
    pub left_alone: u64,
    /// Of these, orders that were rejected; the others were refused.
    pub rejected: u64,
    /// Orders that a person gave up.
    pub abandoned: u64,
    /// Orders on their way, by a process that works with the ledger or worked with it.
    pub sending: u64,
    /// Orders whose outcome nobody knows.
    pub in_doubt: u64,
    /// Of orders that wait to be sent from an earlier sheet, and do not go by these.
    pub revisions: Vec<NewRevision>,
}

/// Hands everything to the ledger, and counts what became of it.
pub struct Recorder<'s> {
    pub(super) intake: &'s mut dyn Intake,
    pub(super) sheets: &'s Sheets,
    now_ms: i64,
    /// Whether the sheets are a draft's, which keeps back by itself what it holds for as long as it is open.
    pub is_draft: bool,
    /// What keeps orders behind beyond their sheet.
    pub gate: Option<&'s dyn Gate>,
    /// The orders of the ledger whose parcels are compared; read when they are first asked for.
    pub lately: Option<Arc<Lately>>,
    /// The orders whose cancellation was asked for, as [`Ledger::asked_to_cancel`](crate::ledger::Ledger) tells them.
    pub asked_to_cancel: Option<&'s HashMap<String, bool>>,
    /// What became of the orders.
    pub counts: LedgerCounts,
    /// What became of the latest order that reached the ledger.
    pub latest: Option<Disposition>,
    /// The hash of the request that the ledger had of it before.
    pub in_ledger: Option<[u8; 32]>,
    /// Whether that is the very request by which the latest order would go, whatever keeps it back.
    pub is_as_in_ledger: bool,
    /// The values of the latest order that differ in its sheet, where it is booked.
    pub changes: Vec<FieldChange>,
}

/// Already booked orders that are shown by name.
const SHOWN_MAX: usize = 1_000;

impl<'s> Recorder<'s> {
    /// A recorder; `now_ms` becomes the `orderCreatedAt` of new orders that have none.
    pub fn new(intake: &'s mut dyn Intake, sheets: &'s Sheets, now_ms: i64) -> Self {
        let counts = LedgerCounts::default();
        let (is_draft, gate, lately, asked_to_cancel) = (false, None, None, None);
        let (latest, in_ledger, is_as_in_ledger, changes) = (None, None, false, Vec::new());
        Self {
            intake,
            sheets,
            now_ms,
            is_draft,
            gate,
            lately,
            asked_to_cancel,
            counts,
            latest,
            in_ledger,
            is_as_in_ledger,
            changes,
        }
    }

    /// The orders whose parcels are compared.
    pub(super) fn lately(&mut self) -> Result<Arc<Lately>, LedgerError> {
        if let Some(lately) = &self.lately {
            return Ok(Arc::clone(lately));
        }
        let lately = Arc::new(Lately::of(self.intake, self.now_ms)?);
        Ok(Arc::clone(self.lately.insert(lately)))
    }

    /// What the ledger knows of an order.
    pub fn known(&self, number: &str) -> Result<Option<Known>, LedgerError> {
        self.intake.known(number)
    }

    /// Counts a booked order; gives whether its cancellation was asked for.
    fn note_cancelled(&mut self, number: &str) -> bool {
        let is_asked = self.asked_to_cancel.is_some_and(|asked| asked.contains_key(number));
        if is_asked {
            self.counts.cancelled.push(number.to_owned());
        }
        is_asked
    }

    fn note_booked(&mut self, number: &str, awb: String) -> Booked {
        self.counts.already_booked_count += 1;
        if self.counts.already_booked.len() < SHOWN_MAX {
            self.counts.already_booked.push((number.to_owned(), awb.clone()));
        }
        Booked { awb, cancelled: self.note_cancelled(number) }
    }

    /// What a gate says of an order that would be sent; what is never sent again is no concern of it.
    fn said_by_gate(&self, frozen: &Frozen<'_>, known: Option<&Known>) -> Result<Vec<Finding>, LedgerError> {
        let Some(gate) = self.gate.filter(|_| !known.is_some_and(Known::is_over)) else { return Ok(Vec::new()) };
        let others = self.intake.other_numbers(&frozen.order.number, frozen.of.came_as)?;
        let of = OrderRows { came_as: &others, ..frozen.of };
        gate.says(&Frozen { in_ledger: self.in_ledger, of, ..*frozen })
    }

    /// The request of an order as of now.
    pub(super) fn request<'f>(&self, frozen: &Frozen<'f>, known: Option<&Known>) -> Cow<'f, Request> {
        // The time of first staging stands in for a blank `orderCreatedAt`, for good.
        let first_ms = known.and_then(|known| known.created_ms).unwrap_or(self.now_ms);
        let created_ms = frozen.order.created_ms.unwrap_or(first_ms);
        let of_now = frozen.request.filter(|request| request.created_ms == created_ms);
        of_now.map_or_else(|| Cow::Owned(Request::new(frozen.order, created_ms, None)), Cow::Borrowed)
    }

    /// Stages an order; of one that is booked, with what this sheet says otherwise.
    fn stage(
        &mut self,
        frozen: &Frozen<'_>,
        known: Option<Known>,
        request: &Request,
    ) -> Result<(Disposition, Vec<Change>), LedgerError> {
        let order = frozen.order;
        let Request { created_ms, body, packed, sha256 } = request;
        let staged = StagedOrder {
            number: &order.number,
            sha256: *sha256,
            body,
            packed: packed.as_ref(),
            created_ms: *created_ms,
            lines: u32::try_from(order.lines.len()).unwrap_or(u32::MAX),
            value: order.sub_total,
            cod: order.to_collect(),
            rows: frozen.of.rows,
            position: position_of(&frozen.of),
        };
        let booked = known.as_ref().filter(|known| known.state == State::Booked && known.sha256 != Some(*sha256));
        let before = booked.map(|known| self.intake.request_of(known)).transpose()?.flatten();
        let changes = before.and_then(|before| changes(&before.body, body));
        // What is noted of an order since then makes no other one of it, nor does another form of the request.
        let of_notes = changes.as_deref().is_some_and(is_of_notes);
        let differs = changes.unwrap_or_default();
        if of_notes && let Some(awb) = self.intake.booked_before(&order.number, frozen.of.rows, staged.position)? {
            return Ok((Disposition::AlreadyBooked { awb }, differs));
        }
        Ok((self.intake.put_over(&staged, known)?, differs))
    }
}

/// The verdict of a sheet on an order that its problems keep back, and the rule that decides; nothing where none of them holds.
pub(super) fn ruling(problems: &[Finding]) -> Option<(Verdict, &str)> {
    let mut holding = problems.iter().filter(|problem| problem.holds());
    let first = holding.next()?;
    let can_go = first.basis.is_some() && holding.all(|problem| problem.basis.is_some());
    let verdict = if can_go { Verdict::Held } else { Verdict::Invalid };
    Some((verdict, first.rule().map_or(first.id.as_str(), RuleId::as_str)))
}

impl Sink for Recorder<'_> {
    fn wants_requests(&self) -> Option<i64> {
        Some(self.now_ms)
    }

    fn keeps_requests(&self) -> bool {
        self.intake.keeps_requests()
    }

    fn is_over(&mut self, number: &str) -> Result<bool, LedgerError> {
        Ok(self.known(number)?.is_some_and(|known| known.is_over()))
    }

    fn sent_otherwise(&mut self, of: &OrderRows<'_>) -> Result<Option<(String, Finding)>, LedgerError> {
        let own = of.number.unwrap_or_default();
        let rows = [rows_of(of), typed_over(of, own, SheetRow::TypedOver)].concat();
        let other = self.intake.sent_otherwise((own, of.came_as), &rows)?;
        Ok(other.map(|SentAs { number, state, awb }| {
            let is_cancelled = self.asked_to_cancel.is_some_and(|asked| asked.get(&number) == Some(&true));
            let awb = awb.unwrap_or_default();
            let standing = if is_cancelled { same_shipment::cancelled(&awb) } else { standing(state, None, &awb) };
            (number, standing)
        }))
    }

    fn order(&mut self, frozen: &Frozen<'_>) -> Result<Vec<Finding>, LedgerError> {
        let number = &frozen.order.number;
        let known = self.intake.known(number)?;
        self.in_ledger = known.as_ref().and_then(|known| known.sha256);
        let request = self.request(frozen, known.as_ref());
        self.is_as_in_ledger = self.in_ledger == Some(request.sha256);
        let mut said = self.said_by_gate(frozen, known.as_ref())?;
        if said.iter().any(Finding::holds) {
            return Ok(said);
        }
        said.extend(self.alike(frozen, known.as_ref(), &request)?);
        said.extend(self.superseded(frozen, known.as_ref(), &request)?);
        if said.iter().any(Finding::holds) {
            return Ok(said);
        }
        if let Some(known) = known.as_ref().filter(|known| known.state == State::InDoubt) {
            self.corrected(frozen, known, &request)?;
        }
        let (disposition, changes) = self.stage(frozen, known, &request)?;
        self.intake.keep_rows(&kept_rows(&frozen.of))?;
        self.intake.keep_former(frozen.of.came_as)?;
        (self.latest, self.changes) = (Some(disposition.clone()), values(&changes));
        let counts = &mut self.counts;
        match disposition {
            Disposition::New | Disposition::Replaced | Disposition::Outstanding { .. } => {
                counts.corrected += u64::from(matches!(disposition, Disposition::Replaced));
                counts.left_over += u64::from(matches!(disposition, Disposition::Outstanding { .. }));
                counts.to_send.add(frozen.order);
            }
            Disposition::AlreadyBooked { awb } => {
                let problem = (!changes.is_empty()).then(|| changed(number, &awb, &changes));
                counts.noted_since += u64::from(problem.is_some());
                self.note_booked(number, awb);
                return Ok(problem.into_iter().collect());
            }
            Disposition::ChangedAfterBooking { awb } => {
                counts.changed_after_booking += 1;
                self.note_cancelled(number);
                return Ok(vec![changed(number, &awb, &changes)]);
            }
            Disposition::LeftAlone { state: State::Abandoned } => counts.abandoned += 1,
            Disposition::LeftAlone { state } => {
                counts.left_alone += 1;
                counts.rejected += u64::from(state == State::Rejected);
            }
            Disposition::Sending => counts.sending += 1,
            Disposition::InDoubt => counts.in_doubt += 1,
        }
        Ok(said)
    }

    fn booked(&mut self, of: &OrderRows<'_>, is_wrong: bool) -> Result<Option<Booked>, LedgerError> {
        let Some(number) = of.number else { return Ok(None) };
        let Some(awb) = self.intake.booked_before(number, of.rows, position_of(of))? else { return Ok(None) };
        self.intake.keep_rows(&kept_rows(of))?;
        self.intake.keep_former(of.came_as)?;
        self.counts.booked_before += u64::from(is_wrong);
        Ok(Some(self.note_booked(number, awb)))
    }

    fn changed_since(
        &mut self,
        of: &OrderRows<'_>,
        as_held: &Order,
        problems: &[Finding],
    ) -> Result<Option<Finding>, LedgerError> {
        let number = as_held.number.as_str();
        let Some(known) = self.intake.known(number)?.filter(|known| known.state == State::Booked) else {
            return Ok(None);
        };
        let (awb, before) = (known.awb.clone().unwrap_or_default(), self.intake.request_of(&known)?);
        let created_ms = as_held.created_ms.or(known.created_ms).unwrap_or(self.now_ms);
        let body = freeze(as_held, created_ms);
        let mut changes = before.and_then(|before| changes(&before.body, &body)).unwrap_or_default();
        changes.retain(|own| own.is_beside(problems));
        if changes.is_empty() || is_of_notes(&changes) {
            return Ok(None);
        }
        let place = of.at.first().map(|first| self.sheets.place(*first, Some(Id::OrderNumber)));
        Ok(Some(Finding { place, ..changed(number, &awb, &changes) }))
    }

    fn not_sent(&mut self, of: &OrderRows<'_>, verdict: Verdict, rule: &str) -> Result<Option<Finding>, LedgerError> {
        // What a draft holds it keeps back by itself; what its sheet leaves out is over once it is closed.
        let is_over = matches!(verdict, Verdict::Cancelled | Verdict::LeftOut);
        let Some((number, first)) = of.number.zip(of.at.first()).filter(|_| is_over || !self.is_draft) else {
            return Ok(None);
        };
        let place = self.sheets.place(*first, Some(Id::OrderNumber));
        let mut said = self.take_back(number, (verdict, rule), of)?;
        // What somebody typed another number over is meant by the first one.
        for former in self.intake.other_numbers(number, of.came_as)? {
            if said.is_none() {
                said = self.take_back(&former, (verdict, rule), of)?;
            }
        }
        Ok(said.map(|said| said.at(place)))
    }

    fn held(&mut self, frozen: &Frozen<'_>, rule: RuleId) -> Result<Option<Finding>, LedgerError> {
        let place = frozen.of.at.first().map(|first| self.sheets.place(*first, Some(Id::OrderNumber)));
        let said = self.take_back_other(frozen, rule)?;
        Ok(said.map(|said| Finding { place, ..said }))
    }

    fn invalid(&mut self, of: &OrderRows<'_>, problems: &[Finding]) -> Result<(), LedgerError> {
        let said = self.gate.and_then(|gate| gate.says_of(of));
        let is_new = |said: &Finding| !problems.iter().any(|own| own.id == said.id && own.case == said.case);
        let all: Vec<Finding> = said.into_iter().filter(is_new).chain(problems.iter().cloned()).collect();
        let (verdict, rule) = ruling(problems).unwrap_or((Verdict::Invalid, ""));
        let sheet = of.at.first().and_then(|first| self.intake.sheet(first.sheet).file);
        let (position, &OrderRows { number, rows, cells, .. }) = (position_of(of), of);
        self.intake.keep_back(&Unsendable { number, rows, position, cells, verdict, rule, sheet }, &all)
    }

    fn problem(&mut self, problem: &Finding) -> Result<(), LedgerError> {
        self.intake.note(problem)
    }
}
