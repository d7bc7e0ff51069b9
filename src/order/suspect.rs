//! Figures that are well formed and hardly meant: by what their header says, or by what the order would come to.

use rust_decimal::Decimal;

use crate::check::NoRates;
use crate::field::{Id, Kind, normalised, says_rate};
use crate::finding::Finding;
use crate::finding::column::{ambiguous_number, bad_unit};
use crate::finding::money::{not_positive, unusual_value};

use super::draft::Slot;
use super::reader::{Reader, Spot};
use super::types::Order;

impl Reader<'_> {
    /// Why a figure cannot be taken as its field's, by the header that it stands under.
    pub(super) fn header_doubt(&self, slot: &Slot, number: Decimal) -> Option<Finding> {
        let layout = self.layouts.of(slot.at.sheet);
        let (field, header) = (slot.id.field(), layout.header(slot.column));
        match field.kind {
            Kind::Money | Kind::MoneyText if layout.in_percent(slot.column) => {
                Some(bad_unit::percent_in_header(header, field.header))
            }
            Kind::Rate if !says_rate(header) => {
                let shown = layout.habit(slot.id).no_rates.max(NoRates::of(number));
                let bare = normalised(header);
                let gst = self.currency == "INR" || bare.contains("gst");
                let money = ["amount", "amt", "value"].iter().any(|word| bare.ends_with(word));
                if !(money || shown == NoRates::TooHigh || (gst && shown == NoRates::NotOfGst)) {
                    return None;
                }
                let doubt = if money { ambiguous_number::amount_in_header } else { ambiguous_number::rate_or_money };
                Some(doubt(header, field.header))
            }
            _ => None,
        }
    }

    /// The first cell of a field among the order's products.
    pub(super) fn line_slot(&self, id: Id) -> Option<Slot> {
        self.draft.lines.iter().flat_map(|line| self.draft.cells_of(line)).find(|slot| slot.id == id).copied()
    }

    /// Holds back an order for which nothing would be collected at the door, and points out one that is worth nothing.
    pub(super) fn check_worth(&mut self, order: &Order) {
        if self.has_failed() || order.lines.is_empty() {
            return;
        }
        let said = if order.order_type == "COD" && order.to_collect().is_zero() {
            not_positive::nothing_to_collect()
        } else if order.lines.iter().all(|line| line.price.is_zero()) && order.sub_total.is_zero() {
            unusual_value::worth_nothing()
        } else {
            return;
        };
        let price = self.line_slot(Id::Price);
        let spot = price.map_or(self.first, |slot| Spot::of(&slot));
        let found = price.map_or_else(String::new, |slot| self.draft.text(&slot).to_owned());
        self.say(said.found(found), Id::Price, spot);
    }

    /// Whether anybody has said what weights are in: a header, a cell, a profile or the configuration.
    pub(super) fn is_weight_unit_said(&self) -> bool {
        let layout = self.layouts.of(self.first.sheet());
        let by_sheet = layout.unit(Id::WeightUnit).is_some()
            || layout.scale(Id::Weight).is_some()
            || layout.default(Id::WeightUnit).is_some()
            || self.rules.configured(Id::WeightUnit).is_some();
        // What the configuration says of the weight itself is in its own unit.
        by_sheet || self.is_given(Id::WeightUnit) || !self.is_given(Id::Weight) || self.is_unit_in_weight()
    }
}
