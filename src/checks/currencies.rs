//! One order has one currency.

use crate::field::Id;
use crate::finding::money::currency_clash;
use crate::order::{LineDraft, Spot};

use super::view::{Told, View};

/// Holds an order back whose lines are in two currencies.
pub(crate) fn check(view: &View<'_>, told: &mut Told<'_>) {
    let mut lines = view.rows.draft.lines.iter().zip(view.order.lines.iter().map(|line| &line.currency_code));
    let Some((first, before)) = lines.next().filter(|(_, code)| !code.is_empty()) else { return };
    let Some((other, currency)) = lines.find(|(_, code)| !code.is_empty() && *code != before) else { return };
    let spot = |draft: &LineDraft| {
        view.rows.draft.cell_of(draft, Id::CurrencyCode).map_or(Spot::row(draft.at), |slot| Spot::of(&slot))
    };
    let (here, there) = (spot(other), spot(first));
    let clash = currency_clash::in_order(before, &view.rows.place(there), currency, &view.rows.place(here));
    told.say(clash.found(currency.clone()), Id::CurrencyCode, here);
}
