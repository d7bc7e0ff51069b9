//! One order has one currency.

use crate::field::Id;
use crate::finding::money::currency_clash;
use crate::order::{LineDraft, Spot};

use super::view::{Told, View};

/// Holds an order back whose lines are in two currencies.
pub(crate) fn check(view: &View<'_>, told: &mut Told<'_>) {
    let (drafts, lines) = (&view.rows.draft.lines, &view.order.lines);
    let Some((first, other)) = lines
        .iter()
        .position(|line| line.currency_code != lines[0].currency_code && !line.currency_code.is_empty())
        .and_then(|index| Some((drafts.first()?, drafts.get(index).map(|draft| (index, draft))?)))
        .filter(|_| !lines[0].currency_code.is_empty())
    else {
        return;
    };
    let spot = |draft: &LineDraft| {
        view.rows.draft.cell_of(draft, Id::CurrencyCode).map_or(Spot::row(draft.at), |slot| Spot::of(&slot))
    };
    let (index, other) = other;
    let (here, there) = (spot(other), spot(first));
    let (currency, before) = (&lines[index].currency_code, &lines[0].currency_code);
    let clash = currency_clash::in_order(before, &view.rows.place(there), currency, &view.rows.place(here));
    told.say(clash.found(currency.clone()), Id::CurrencyCode, here);
}
