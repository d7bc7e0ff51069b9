//! An order that waits to be sent from an earlier sheet, and what a later one says of it: it takes its place, or takes it back, or is
//! an old sheet itself.

use crate::field::Id;
use crate::finding::order::{held_back, row_left_out};
use crate::finding::{Basis, Finding, RuleId};
use crate::ledger::{Known, LedgerError, NewWithdrawal, Verdict, Withdrawal};

use super::changed::{Successor, successor};
use super::freeze::Request;
use super::sink::{Frozen, Recorder};

impl Recorder<'_> {
    /// Findings on an order that waits to be sent, or was taken back, and comes otherwise or once more.
    pub(super) fn superseded(
        &mut self,
        frozen: &Frozen<'_>,
        known: Option<&Known>,
        request: &Request,
    ) -> Result<Vec<Finding>, LedgerError> {
        let Some(known) = known.filter(|known| !known.is_over()) else { return Ok(Vec::new()) };
        let is_same = known.sha256 == request.sha256;
        let sheet = frozen.of.at.first().map(|first| self.intake.sheet(first.sheet)).unwrap_or_default();
        let own = sheet.file;
        // The sheet that took it back has been let go by a person's word since, or by another configuration. What failed as well
        // goes again because a person asks.
        let is_own = |since: &&Withdrawal| since.sheet.is_some() && since.sheet == own && known.attempts == 0;
        let since = known.withdrawn.as_ref().filter(|since| !is_own(since));
        if is_same && since.is_none() {
            return Ok(Vec::new());
        }
        let is_old = is_same || self.intake.had_before(known, &request.sha256)?;
        let before = self.intake.request_of(known)?;
        let rows = before.as_ref().map_or("an earlier sheet", |before| before.rows.as_str());
        let (said, holds_both) = match since {
            Some(since) if is_old || since.verdict == Verdict::Cancelled => {
                (held_back::taken_back_since(&since.because), false)
            }
            _ if is_old => (held_back::changed_since(rows), false),
            _ => match before.as_ref().map(|before| successor(&before.body, &request.body)) {
                None | Some(Successor::Same) => return Ok(Vec::new()),
                Some(Successor::OtherReceiver) => (held_back::other_receiver(rows), true),
                Some(Successor::FewerProducts(was, is)) => (held_back::fewer_products(rows, was, is), true),
            },
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
        // A sheet that came before is no newer word.
        let is_newer = !sheet.came_before || self.is_draft;
        if let Some(held) = said.first().filter(|held| holds_both && is_newer && held.holds()) {
            let rule = held.rule().map_or("", RuleId::as_str);
            if self.withdraw(known, (Verdict::Held, rule), frozen.of.rows, own)? {
                said.push(row_left_out::taken_back(rows).of_order(number.clone()));
            }
        }
        Ok(said)
    }

    /// Takes back what waits to be sent of an order that something beside its sheet holds, where the sheet has it with other values
    /// by now.
    pub(super) fn take_back_other(
        &mut self,
        frozen: &Frozen<'_>,
        rule: RuleId,
    ) -> Result<Option<Finding>, LedgerError> {
        let number = &frozen.order.number;
        let Some(known) = self.known(number)?.filter(Known::is_unsent) else { return Ok(None) };
        let Some(first) = frozen.of.at.first().filter(|_| !self.is_draft && rule != RuleId::OldSheet) else {
            return Ok(None);
        };
        if self.request(frozen, Some(&known)).sha256 == known.sha256 {
            return Ok(None);
        }
        self.take_back(number, (Verdict::Held, rule.as_str()), (first.sheet, frozen.of.rows))
    }

    /// Takes an order back that waits to be sent.
    fn withdraw(
        &mut self,
        known: &Known,
        (verdict, rule): (Verdict, &str),
        rows: &str,
        sheet: Option<[u8; 32]>,
    ) -> Result<bool, LedgerError> {
        let said = match verdict {
            Verdict::Cancelled => "cancelled",
            Verdict::LeftOut => "left out",
            Verdict::Held => "held",
            Verdict::Invalid => "not valid",
        };
        let because = if rule.is_empty() { format!("{said} in {rows}") } else { format!("{said} in {rows} ({rule})") };
        let new = NewWithdrawal { number: known.number.clone(), verdict, because, sheet };
        let is_withdrawn = known.is_unsent() && (!self.intake.records() || self.intake.withdraw(known, &new)?);
        if is_withdrawn {
            self.counts.withdrawn.push(new);
        }
        Ok(is_withdrawn)
    }

    /// Takes back what waits to be sent of an order of which a sheet says that it does not go; gives what there is to say of it. A
    /// sheet that came before is no newer word: it may have been corrected at the desk since.
    pub(super) fn take_back(
        &mut self,
        number: &str,
        said: (Verdict, &str),
        (sheet, rows): (u16, &str),
    ) -> Result<Option<Finding>, LedgerError> {
        let sheet = self.intake.sheet(sheet);
        if sheet.came_before && !self.is_draft {
            return Ok(None);
        }
        let Some(known) = self.known(number)?.filter(Known::is_unsent) else { return Ok(None) };
        let before = self.intake.request_of(&known)?.map_or_else(String::new, |before| before.rows);
        let is_withdrawn = self.withdraw(&known, said, rows, sheet.file)?;
        Ok(is_withdrawn.then(|| row_left_out::taken_back(&before).of_order(number)))
    }
}
