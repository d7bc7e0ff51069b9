//! An order that the ledger has and that could be sent, and what a later sheet says of it: it takes its place, or does not go any
//! more, or a person is asked which of the two is meant.

use crate::field::Id;
use crate::finding::order::{held_back, row_left_out};
use crate::finding::{Basis, Finding, RuleId};
use crate::ledger::{
    FrozenRequest, Incoming, Known, LedgerError, NewRevision, Packer, Question, Revision, State, Successor, Verdict,
    question,
};
use crate::order::{Order, RawOrder};

use super::changed::successor;
use super::freeze::Request;
use super::order_rows::{OrderRows, kept_rows};
use super::sink::{Frozen, Recorder};

/// A verdict as a sheet gives it.
struct Ruling<'r> {
    verdict: Verdict,
    hold: Option<RuleId>,
    rule: &'r str,
    request: Option<FrozenRequest>,
}

impl Recorder<'_> {
    /// Findings on an order that could be sent, or does not go, and comes otherwise or once more.
    pub(super) fn superseded(
        &mut self,
        frozen: &Frozen<'_>,
        known: Option<&Known>,
        request: &Request,
    ) -> Result<Vec<Finding>, LedgerError> {
        let Some(known) = known.filter(|known| !known.is_over()) else { return Ok(Vec::new()) };
        let sheet = frozen.of.at.first().map(|first| self.intake.sheet(first.sheet)).unwrap_or_default();
        // A sheet that came before is no answer to what was asked since.
        let is_asked_otherwise =
            |now: &Revision| now.hold.is_some() && now.request.is_some() && now.request != Some(request.sha256);
        let is_older = sheet.came_before && !self.is_draft && known.revision.as_ref().is_some_and(is_asked_otherwise);
        let was_before =
            is_older || known.sha256 != Some(request.sha256) && self.intake.had_before(known, &request.sha256)?;
        let before = self.intake.request_of(known)?;
        let cells = frozen.raw.filter(|_| known.state == State::Dismissed).map(RawOrder::fingerprint);
        let is_dismissed = cells.is_some() && self.intake.is_dismissed(&known.number, cells)?;
        let comes = Incoming { sha256: request.sha256, was_before, sheet: sheet.file, is_dismissed };
        let asked = question(known, &comes, || before.as_ref().map(|before| successor(&before.body, &request.body)));
        let rows = before.as_ref().map_or("an earlier sheet", |before| before.rows.as_str());
        let because = known.revision.as_ref().map_or("", |revision| revision.because.as_str());
        let said = match asked {
            None => return Ok(Vec::new()),
            Some(Question::OldSheet) => held_back::taken_back_since(because),
            Some(Question::Replaced) => held_back::changed_since(rows),
            Some(Question::OtherReceiver) => held_back::other_receiver(rows),
            Some(Question::FewerProducts { was, is }) => held_back::fewer_products(rows, was, is),
        };
        let number = &frozen.order.number;
        let said = said.of_order(number.clone());
        let said = match frozen.of.at.first() {
            Some(first) => said.at(self.sheets.place(*first, Some(Id::OrderNumber))),
            None => said,
        };
        let (facts, content) = (said.detail(), request.sha256.map(|byte| format!("{byte:02x}")).concat());
        let basis = |_: &Finding| Some(Basis::of([("", number.as_str()), ("", &*content), ("", &*facts)]));
        let mut said: Vec<Finding> = self.sheets.apply_on(said, basis).into_iter().collect();
        // Replaced content is older than the order's: it is held where it stands. A sheet that came before says nothing new, but
        // that it comes again; a question that waits already is not displaced by it.
        let waits = match asked {
            Some(Question::Replaced) | None => false,
            Some(Question::OldSheet) => {
                let is_asked = known.revision.as_ref().is_some_and(|revision| revision.hold.is_some());
                !sheet.came_before || self.is_draft || !is_asked
            }
            Some(Question::OtherReceiver | Question::FewerProducts { .. }) => !sheet.came_before || self.is_draft,
        };
        if let Some(held) = said.first().filter(|held| waits && held.holds()) {
            // A question leaves the order's verdict as it is.
            let (verdict, hold) = (Verdict::Go, held.rule());
            let ruling = Ruling { verdict, hold, rule: "", request: Some(asking(frozen.order, request)) };
            if self.revise(known, ruling, (frozen.of.rows, sheet.file))? {
                // The rows of another receiver are those of another order.
                if asked != Some(Question::OtherReceiver) && self.intake.records() {
                    self.intake.keep_rows(&kept_rows(&frozen.of))?;
                    self.intake.keep_former(frozen.of.came_as)?;
                }
                if known.is_unsent() {
                    said.push(row_left_out::taken_back(rows).of_order(number.clone()));
                }
            }
        }
        Ok(said)
    }

    /// Records the content that a newer sheet has of an order in doubt, which goes so once that proves unsent, or of one that a courier's
    /// statement holds, which goes so once a person lets it go. Older content and content that would be asked about changes nothing.
    pub(super) fn corrected(
        &mut self,
        frozen: &Frozen<'_>,
        known: &Known,
        request: &Request,
    ) -> Result<(), LedgerError> {
        let sheet = frozen.of.at.first().map(|first| self.intake.sheet(first.sheet)).unwrap_or_default();
        let is_newer = (!sheet.came_before || self.is_draft) && self.intake.records();
        if known.sha256 == Some(request.sha256) || !is_newer || self.intake.had_before(known, &request.sha256)? {
            return Ok(());
        }
        let before = self.intake.request_of(known)?;
        if before.is_some_and(|before| successor(&before.body, &request.body) == Successor::Same) {
            let request = Some(asking(frozen.order, request));
            // The courier has it, whatever is in it.
            let hold = known.is_listed().then_some(RuleId::InCouriersList);
            let ruling = Ruling { verdict: Verdict::Go, hold, rule: "", request };
            self.revise(known, ruling, (frozen.of.rows, sheet.file))?;
        }
        Ok(())
    }

    /// Records that an order does not go whose first form could be sent, where something beside its sheet holds it and the sheet has
    /// it with other values by now.
    pub(super) fn take_back_other(
        &mut self,
        frozen: &Frozen<'_>,
        rule: RuleId,
    ) -> Result<Option<Finding>, LedgerError> {
        let number = &frozen.order.number;
        let is_listed = |known: &Known| rule == RuleId::InCouriersList && known.is_listed();
        let could_go = |known: &Known| known.is_unsent() || is_listed(known);
        let Some(known) = self.known(number)?.filter(could_go) else { return Ok(None) };
        if self.is_draft || rule == RuleId::OldSheet {
            return Ok(None);
        }
        let request = self.request(frozen, Some(&known));
        if Some(request.sha256) == known.sha256 {
            return Ok(None);
        }
        if is_listed(&known) {
            self.corrected(frozen, &known, &request)?;
            return Ok(None);
        }
        self.take_back(number, (Verdict::Held, rule.as_str()), &frozen.of)
    }

    /// Records a revision; whether that changed anything.
    fn revise(
        &mut self,
        known: &Known,
        Ruling { verdict, hold, rule, request }: Ruling<'_>,
        (rows, sheet): (&str, Option<[u8; 32]>),
    ) -> Result<bool, LedgerError> {
        let sha256 = request.as_ref().map(|request| request.sha256);
        if !known.is_changed_by(verdict, hold.map(RuleId::as_str), sha256) {
            return Ok(false);
        }
        let (number, rows, rule) = (known.number.clone(), rows.to_owned(), rule.to_owned());
        let new = NewRevision { number, verdict, hold, request, rows, rule, sheet };
        let is_recorded = !self.intake.records() || self.intake.revise(known, &new)?;
        if is_recorded {
            self.counts.revisions.push(new);
        }
        Ok(is_recorded)
    }

    /// Records that an order does not go by a sheet; gives what there is to say of it. A sheet that came before says nothing new: it
    /// may have been corrected at the desk since.
    pub(super) fn take_back(
        &mut self,
        number: &str,
        (verdict, rule): (Verdict, &str),
        of: &OrderRows<'_>,
    ) -> Result<Option<Finding>, LedgerError> {
        let sheet = of.at.first().map(|first| self.intake.sheet(first.sheet)).unwrap_or_default();
        if sheet.came_before && !self.is_draft {
            return Ok(None);
        }
        let rows = of.rows;
        let Some(known) = self.known(number)? else {
            if verdict == Verdict::Cancelled {
                self.cancelled_unseen(number, rule, (rows, sheet.file))?;
            }
            return Ok(None);
        };
        let can_be_dismissed = matches!(verdict, Verdict::Held | Verdict::Invalid);
        let is_dismissed = can_be_dismissed && self.intake.is_dismissed(number, of.cells)?;
        let verdict = if is_dismissed { Verdict::Dismissed } else { verdict };
        let before = self.intake.request_of(&known)?.map_or_else(String::new, |before| before.rows);
        let ruling = Ruling { verdict, hold: None, rule, request: None };
        if !self.revise(&known, ruling, (rows, sheet.file))? {
            return Ok(None);
        }
        Ok(match known.state {
            State::Sending | State::InDoubt => Some(row_left_out::too_late().of_order(number)),
            _ => known.is_unsent().then(|| row_left_out::taken_back(&before).of_order(number)),
        })
    }

    /// Records that an order is cancelled which the ledger has never seen: an older sheet may bring it.
    fn cancelled_unseen(
        &mut self,
        number: &str,
        rule: &str,
        (rows, sheet): (&str, Option<[u8; 32]>),
    ) -> Result<(), LedgerError> {
        let (number, rows, rule) = (number.to_owned(), rows.to_owned(), rule.to_owned());
        let new = NewRevision { number, verdict: Verdict::Cancelled, hold: None, request: None, rows, rule, sheet };
        if self.intake.records() {
            self.intake.begin(&new)?;
        }
        self.counts.revisions.push(new);
        Ok(())
    }
}

/// The request that a person is asked about, as the ledger keeps it.
fn asking(order: &Order, request: &Request) -> FrozenRequest {
    let Request { created_ms, body, packed, sha256 } = request;
    FrozenRequest {
        packed: packed.clone().unwrap_or_else(|| Packer::default().pack(body)),
        sha256: *sha256,
        created_ms: *created_ms,
        lines: u32::try_from(order.lines.len()).unwrap_or(u32::MAX),
        value: order.sub_total,
        cod: order.to_collect(),
    }
}
