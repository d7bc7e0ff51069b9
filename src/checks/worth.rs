//! Orders that come to nothing, or to less.

use crate::field::Id;
use crate::finding::money::{bad_number, not_positive, unusual_value};
use crate::order::Spot;
use rust_decimal::Decimal;

use super::view::{Told, View};

/// Holds back an order for which nothing would be collected at the door, and points out one that is worth nothing.
pub(super) fn check_value(view: &View<'_>, told: &mut Told<'_>) {
    let order = view.order;
    if told.has_failed() || order.lines.is_empty() {
        return;
    }
    let said = if order.order_type == "COD" && order.to_collect().is_zero() {
        not_positive::nothing_to_collect()
    } else if order.lines.iter().all(|line| line.price.is_zero()) && order.sub_total.is_zero() {
        unusual_value::worth_nothing()
    } else {
        return;
    };
    let price = view.rows.line_slot(Id::Price);
    let spot = price.map_or(view.rows.first, |slot| Spot::of(&slot));
    let found = price.map_or_else(String::new, |slot| view.rows.draft.text(&slot).to_owned());
    told.say(said.found(found), Id::Price, spot);
}

pub(super) fn check_total(view: &View<'_>, told: &mut Told<'_>) {
    let order = view.order;
    if order.total() < Decimal::ZERO {
        let found = bad_number::discount_above_total(order.discount).found(order.discount.to_string());
        told.say(found, Id::Discount, view.rows.spot_of(Id::Discount));
    }
}
