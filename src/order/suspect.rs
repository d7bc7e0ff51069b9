//! Figures that are well formed and hardly meant: by what their header says, or by what the order would come to.

use rust_decimal::Decimal;

use crate::check::NoRates;
use crate::column::Trait;
use crate::field::{Id, Kind};
use crate::finding::Finding;
use crate::finding::column::{ambiguous_number, bad_unit};
use crate::finding::money::{not_positive, unusual_value};

use super::draft::Slot;
use super::reader::{Reader, Spot};
use super::types::Order;

impl Reader<'_> {
    /// Why a figure cannot be taken as its field's, by the header that it stands under.
    pub(super) fn header_doubt(&self, slot: &Slot, number: Decimal) -> Option<Finding> {
        let column = self.column(slot);
        let (field, header) = (slot.id.field(), column.header.as_str());
        match field.kind {
            Kind::Money | Kind::MoneyText if column.is(Trait::Percent) => {
                Some(bad_unit::percent_in_header(header, field.header))
            }
            Kind::Rate if !column.is(Trait::Rate) => {
                let shown = self.sheets.of(slot.at.sheet).habit(slot.id).no_rates.max(NoRates::of(number));
                let gst = self.currency == "INR" || column.is(Trait::Gst);
                let money = column.is(Trait::Amount);
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
        let columns = self.sheets.of(self.first.sheet());
        let by_sheet = columns.unit(Id::WeightUnit).is_some()
            || columns.scale(Id::Weight).is_some()
            || columns.default(Id::WeightUnit).is_some()
            || self.rules.configured(Id::WeightUnit).is_some();
        // What the configuration says of the weight itself is in its own unit.
        by_sheet || self.is_given(Id::WeightUnit) || !self.is_given(Id::Weight) || self.is_unit_in_weight()
    }
}
