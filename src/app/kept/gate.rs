//! The gate of what is kept back: an order of a sheet stays behind where something else keeps it, until a person accepts it.

use crate::finding::order::held_back;
use crate::finding::{Basis, Finding};
use crate::ledger::{DraftHoldKind, DraftHoldRecord, LedgerError};
use crate::stage::{Frozen, Gate, Opened, OrderRows};

use super::{Keepers, Listing, digest};
use crate::app::waiting::WaitingSheets;

/// What keeps orders of sheets back beyond these sheets.
#[derive(Debug)]
pub(in crate::app) struct KeptGate<'g> {
    pub(in crate::app) keepers: &'g Keepers,
    pub(in crate::app) opened: &'g Opened,
    /// The sheets that wait together with this one, of this file.
    pub(in crate::app) together: Option<(&'g WaitingSheets, Option<[u8; 32]>)>,
    /// What has a say after it.
    pub(in crate::app) next: Option<&'g dyn Gate>,
}

impl Gate for KeptGate<'_> {
    fn says(&self, frozen: &Frozen<'_>) -> Result<Vec<Finding>, LedgerError> {
        let mut said = self.kept(frozen);
        said.extend(self.together.and_then(|(sheets, file)| self.differs(frozen, sheets, file)));
        if !said.iter().any(Finding::holds) {
            said.extend(self.next.map_or(Ok(Vec::new()), |next| next.says(frozen))?);
        }
        Ok(said)
    }

    fn says_of(&self, of: &OrderRows<'_>) -> Option<Finding> {
        self.next.and_then(|next| next.says_of(of))
    }
}

impl KeptGate<'_> {
    /// The finding on an order on which sheets that wait together disagree.
    fn differs(&self, frozen: &Frozen<'_>, sheets: &WaitingSheets, file: Option<[u8; 32]>) -> Option<Finding> {
        let columns = &self.opened.columns;
        let (said, compared) = sheets.differs(&frozen.order.number, || digest(frozen.order), file)?;
        let said = match frozen.of.at.first() {
            Some(row) => said.at(columns.place(*row, None)),
            None => said,
        };
        columns.apply_on(said, |_| Some(Basis::of([("", frozen.order.number.as_str()), ("", &*compared)])))
    }

    /// What there is to say of all that keeps an order back: it goes once each of them is settled.
    pub(in crate::app) fn kept(&self, frozen: &Frozen<'_>) -> Vec<Finding> {
        let number = &frozen.order.number;
        // What a sheet has just so, it would send as well.
        let mut all = self.keepers.all(number, Some(frozen.order));
        let mut listed: Vec<Listing> = self.keepers.listed(number).collect();
        // A number that was typed over hides nothing from what keeps the order back by another one of its numbers.
        for former in frozen.of.came_as {
            all.extend(self.keepers.all(former, None).into_iter().filter(|own| !all.contains(own)).collect::<Vec<_>>());
            listed.extend(self.keepers.listed(former).filter(|own| !listed.contains(own)).collect::<Vec<_>>());
        }
        let kept = all.iter().filter_map(|DraftHoldRecord { file, kind, basis, .. }| {
            let said = match kind {
                DraftHoldKind::Word => held_back::in_sheet(file),
                DraftHoldKind::Typed | DraftHoldKind::Changed => held_back::otherwise_in_sheet(file),
            };
            self.said(frozen, said, Basis::of([("", number.as_str()), (file.as_str(), basis.as_str())]))
        });
        let listed =
            listed.iter().filter_map(|own| self.said(frozen, held_back::in_list(&own.list), own.basis(number)));
        kept.chain(listed).collect()
    }

    fn said(&self, frozen: &Frozen<'_>, said: Finding, basis: Basis) -> Option<Finding> {
        let said = said.of_order(frozen.order.number.clone());
        let said = match frozen.of.at.first() {
            Some(row) => said.at(self.opened.columns.place(*row, None)),
            None => said,
        };
        self.opened.columns.apply_on(said, |_| Some(basis))
    }
}
