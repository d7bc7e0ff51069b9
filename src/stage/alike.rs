//! An order that comes anew, or otherwise, and may be another one of the ledger.

use crate::field::Id;
use crate::finding::Finding;
use crate::ledger::{Known, LedgerError};
use crate::text::NumberForms;

use super::freeze::Request;
use super::lately::{Own, near};
use super::sink::{Frozen, Recorder};

impl Recorder<'_> {
    /// A finding on an order that comes anew, or otherwise, and may be another one of the ledger.
    pub(super) fn alike(
        &mut self,
        frozen: &Frozen<'_>,
        known: Option<&Known>,
        request: &Request,
    ) -> Result<Option<Finding>, LedgerError> {
        let is_as_before = |known: &Known| known.sha256 == Some(request.sha256) && known.revision.is_none();
        if known.is_some_and(|known| known.is_over() || is_as_before(known)) {
            return Ok(None);
        }
        let number = &*frozen.order.number;
        let (parcel, beside) = (frozen.of.beside.parcel, frozen.of.numbers);
        let former = self.intake.other_numbers(number, frozen.of.came_as)?;
        let own = Own {
            number,
            forms: NumberForms::of(number),
            parcel,
            import: None,
            beside,
            former: &former,
            census: Some(frozen.census),
        };
        let place = frozen.of.at.first().map(|first| self.sheets.place(*first, Some(Id::OrderNumber)));
        let lately = self.lately()?;
        let settle = |said, basis| self.sheets.apply_on(Finding { place: place.clone(), ..said }, |_| Some(basis));
        let near = near(self.intake, number, beside)?;
        lately.said((&own, &near), self.intake, settle)
    }
}
