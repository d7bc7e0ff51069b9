//! Two columns for one field: where they say two things, nothing says which of them is meant.

use rust_decimal::Decimal;

use crate::field::{AmountRole, Field, Id, Unit, header_unit, in_base_units};
use crate::problem::{Code, Problem};
use crate::text::passing_over;

use super::build::{Reader, Spot};
use super::differ::shown;
use super::draft::Slot;
use super::types::{Line, Order};

impl Reader<'_> {
    /// Compares the columns that were left out for a better one with what that one says.
    pub(super) fn check_rivals(&mut self, order: &Order) {
        let draft = self.draft;
        for (index, slot) in &draft.amounts {
            let role = self.layouts.of(slot.at.sheet).amounts().get(*index).map(|amount| amount.role);
            let Some(AmountRole::Same(id)) = role else { continue };
            // That none is left to be sent is said with a zero.
            let says = |given: &Decimal| id == Id::Quantity || !given.is_zero();
            let Some(given) = self.readings(slot).first().copied().filter(says) else { continue };
            let taken = match id {
                Id::Price => self.of_row(order, slot, |line| line.price),
                Id::Quantity => self.of_row(order, slot, |line| line.quantity),
                _ => self.weight_as(order, slot),
            };
            if let Some(taken) = taken.filter(|taken| (*taken - given).abs() > Decimal::new(5, 3)) {
                self.say_rival(order, id.field(), slot, given, taken);
            }
        }
    }

    /// A number of the one product in a row.
    fn of_row(&self, order: &Order, slot: &Slot, number: impl Fn(&Line) -> Decimal) -> Option<Decimal> {
        let mut lines = self.draft.lines.iter().zip(&order.lines).filter(|(draft, _)| draft.at == slot.at);
        let number = lines.next().map(|(_, line)| number(line)).filter(|number| !number.is_zero());
        number.filter(|_| lines.next().is_none())
    }

    /// The parcel's weight in the unit of another column's header.
    fn weight_as(&self, order: &Order, slot: &Slot) -> Option<Decimal> {
        let header = self.layouts.of(slot.at.sheet).header(slot.column);
        let own = in_base_units(&order.parcel.weight_unit)?;
        let unit = match header_unit(Id::Weight.field(), header) {
            Some(Unit::Measure(unit)) => in_base_units(unit)?,
            _ => own,
        };
        Some((order.parcel.weight * own / unit).normalize()).filter(|weight| !weight.is_zero())
    }

    fn say_rival(&mut self, order: &Order, field: &'static Field, slot: &Slot, given: Decimal, taken: Decimal) {
        let layout = self.layouts.of(slot.at.sheet);
        let header = layout.header(slot.column).to_owned();
        let other = layout.column(field.id).map_or(field.header, |column| layout.header(column)).to_owned();
        let show = |number: Decimal| if field.id == Id::Price { shown(number) } else { number.normalize() };
        let message = format!(
            "two columns may be the {}, and they differ: \"{other}\" says {} and \"{header}\" says {}",
            field.header,
            show(taken),
            show(given)
        );
        let hint = format!(
            "delete the one that is not meant; or pass it over in all sheets, {}, or the other way round",
            passing_over(&other)
        );
        // Of a prepaid order only the worth would be wrong.
        let problem = if field.id == Id::Price && order.order_type != "COD" {
            Problem::warning(Code::DuplicateHeader, message)
        } else {
            Problem::error(Code::DuplicateHeader, message)
        };
        let found = self.draft.text(slot).to_owned();
        self.say(problem.found(found).hint(hint), field.id, Spot::of(slot));
    }
}
