//! Figures that are well formed and hardly meant: by what their header says, or by what the order would come to.

use rust_decimal::Decimal;

use crate::check::NoRates;
use crate::field::{Id, Kind, normalised, says_rate};
use crate::problem::{Code, Problem, Severity};

use super::build::{Reader, Spot};
use super::draft::Slot;
use super::types::Order;

impl Reader<'_> {
    /// Why a figure cannot be taken as its field's, by the header that it stands under.
    pub(super) fn header_doubt(&self, slot: &Slot, number: Decimal) -> Option<Problem> {
        let layout = self.layouts.of(slot.at.sheet);
        let (field, header) = (slot.id.field(), layout.header(slot.column));
        match field.kind {
            Kind::Money | Kind::MoneyText if layout.in_percent(slot.column) => {
                let message =
                    format!("the header \"{header}\" says percent, but the {} is an amount of money", field.header);
                let hint = format!(
                    "write the amount into a column \"{}\" and delete this one; where this is money already, take the \
                     percent out of its header",
                    field.header
                );
                Some(Problem::error(Code::BadUnit, message).hint(hint))
            }
            Kind::Rate if !says_rate(header) => {
                let shown = layout.habit(slot.id).no_rates.max(NoRates::of(number));
                let bare = normalised(header);
                let gst = self.currency == "INR" || bare.contains("gst");
                let money = ["amount", "amt", "value"].iter().any(|word| bare.ends_with(word));
                if !(money || shown == NoRates::TooHigh || (gst && shown == NoRates::NotOfGst)) {
                    return None;
                }
                let message = if money {
                    format!("the header \"{header}\" says an amount, but the {} is in percent", field.header)
                } else {
                    format!(
                        "the header \"{header}\" does not say whether this is percent or money, and its column holds \
                         figures that no rate of tax has"
                    )
                };
                let hint = format!(
                    "give the column the header \"{}\" if it is percent, or \"Tax Amount\" if it is money: that is not \
                     sent",
                    field.header
                );
                Some(Problem::error(Code::AmbiguousNumber, message).hint(hint))
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
        let problem = if order.order_type == "COD" && order.to_collect().is_zero() {
            let message = "a COD order that comes to 0: nothing would be collected at the door";
            let hint = "correct the prices or the discount; if nothing is to be collected, make its payment PREPAID";
            Problem::error(Code::NotPositive, message).hint(hint)
        } else if order.lines.iter().all(|line| line.price.is_zero()) && order.sub_total.is_zero() {
            let message = "all prices of this order are 0: the shipment is declared as worth nothing";
            let hint = "write what the products are worth; a gift or a sample has a value too";
            Problem::warning(Code::UnusualValue, message).hint(hint)
        } else {
            return;
        };
        let price = self.line_slot(Id::Price);
        let spot = price.map_or(self.first, |slot| Spot::of(&slot));
        let found = price.map_or_else(String::new, |slot| self.draft.text(&slot).to_owned());
        self.say(problem.found(found), Id::Price, spot);
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

    fn has_failed(&self) -> bool {
        self.problems.iter().any(|problem| problem.level == Severity::Hold)
    }
}
