//! Two columns for one field: where they say two things, nothing says which of them is meant.

use rust_decimal::Decimal;

use crate::column::Trait;
use crate::field::{AmountRole, Field, Id, in_base_units, normalised};
use crate::finding::Remedy;
use crate::finding::column::duplicate_header;

use super::differ::shown;
use super::draft::Slot;
use super::reader::{Reader, Spot};
use super::types::{Line, Order};

impl Reader<'_> {
    /// Compares the columns that were left out for a better one with what that one says.
    pub(super) fn check_rivals(&mut self, order: &Order) {
        let draft = self.draft;
        for (index, slot) in &draft.amounts {
            let role = self.claim(*index, slot).map(|claim| claim.role);
            let Some(AmountRole::Same(id)) = role else { continue };
            if !matches!(id, Id::Price | Id::Quantity | Id::Weight | Id::Length | Id::Width | Id::Height) {
                continue;
            }
            // That none is left to be sent is said with a zero.
            let says = |given: &Decimal| id == Id::Quantity || !given.is_zero();
            let Some(given) = self.readings(slot).first().copied().filter(says) else { continue };
            let taken = match id {
                Id::Price => self.of_row(order, slot, |line| line.price),
                Id::Quantity => self.of_row(order, slot, |line| line.quantity),
                id => self.measure_as(id, order, slot),
            };
            if let Some(taken) = taken.filter(|taken| (*taken - given).abs() > Decimal::new(5, 3)) {
                self.say_rival(order, id.field(), slot, given, taken);
            }
        }
        self.check_receivers(order);
    }

    /// Compares the columns of a second name or address with those that were taken: a sheet may have whose bill it is
    /// beside who gets the parcel.
    fn check_receivers(&mut self, order: &Order) {
        let draft = self.draft;
        let mut others: Vec<(Id, Slot)> = Vec::new();
        for (index, slot) in &draft.amounts {
            let Some(AmountRole::Same(id)) = self.claim(*index, slot).map(|claim| claim.role) else { continue };
            let own = match id {
                Id::ReceiverFirstName | Id::ReceiverLastName => {
                    format!("{} {}", order.receiver.first_name, order.receiver.last_name)
                }
                // Many people have two phones; a second one of the receiver is named so.
                Id::ReceiverPhone if self.column(slot).is(Trait::Receiver) => order.receiver.phone.to_string(),
                Id::DestinationLine1 | Id::DestinationLine2 => {
                    format!("{} {}", order.destination.line1, order.destination.line2)
                }
                Id::DestinationCity => order.destination.city.to_string(),
                Id::DestinationPinCode => order.destination.pin_code.to_string(),
                _ => continue,
            };
            if differ(&own, draft.text(slot)) && !others.iter().any(|(_, other)| other.column == slot.column) {
                others.push((id, *slot));
            }
        }
        self.say_receivers(&others);
    }

    /// Says of an order that its sheet names two receivers, or two places.
    fn say_receivers(&mut self, others: &[(Id, Slot)]) {
        let Some((id, first)) = others.first() else { return };
        let columns = self.sheets.of(first.at.sheet);
        let second: Vec<&str> = others.iter().map(|(_, slot)| columns.header(slot.column)).collect();
        let taken = others.iter().filter_map(|(id, _)| Some(columns.header(self.cell(*id)?.column)));
        let mut taken: Vec<&str> = taken.collect();
        taken.dedup();
        let is_line_alone = others.iter().all(|(id, _)| *id == Id::DestinationLine1);
        let held = duplicate_header::two_receivers(
            id.field().header,
            &taken,
            &second,
            is_line_alone,
            Remedy::ignore_all(&taken),
            Remedy::ignore_all(&second),
        );
        self.say(held.found(self.draft.text(first)), *id, Spot::of(first));
    }

    /// A number of the one product in a row.
    fn of_row(&self, order: &Order, slot: &Slot, number: impl Fn(&Line) -> Decimal) -> Option<Decimal> {
        let mut lines = self.draft.lines.iter().zip(&order.lines).filter(|(draft, _)| draft.at == slot.at);
        let number = lines.next().map(|(_, line)| number(line)).filter(|number| !number.is_zero());
        number.filter(|_| lines.next().is_none())
    }

    /// The parcel's weight, or a side of it, in the unit of another column's header. What stands in for a blank cell is no
    /// rival.
    fn measure_as(&self, id: Id, order: &Order, slot: &Slot) -> Option<Decimal> {
        let parcel = &order.parcel;
        let (number, unit) = match id {
            Id::Weight => (parcel.weight, &parcel.weight_unit),
            Id::Length => (parcel.length, &parcel.dimension_unit),
            Id::Width => (parcel.width, &parcel.dimension_unit),
            _ => (parcel.height, &parcel.dimension_unit),
        };
        let own = in_base_units(unit)?;
        let unit = self.column(slot).unit.map_or(Some(own), in_base_units)?;
        Some((number * own / unit).normalize()).filter(|number| !number.is_zero() && self.is_given(id))
    }

    fn say_rival(&mut self, order: &Order, field: &'static Field, slot: &Slot, given: Decimal, taken: Decimal) {
        let columns = self.sheets.of(slot.at.sheet);
        let header = columns.header(slot.column);
        let other = columns.column(field.id).map_or(field.header, |column| columns.header(column));
        let show = |number: Decimal| if field.id == Id::Price { shown(number) } else { number.normalize() };
        let ignore = Remedy::ignore(other);
        let held = duplicate_header::two_figures(field.header, other, show(taken), header, show(given), ignore);
        // Of a prepaid order only the worth would be wrong.
        let is_worth = field.id == Id::Price && order.order_type != "COD";
        let held = if is_worth { held.warn() } else { held };
        self.say(held.found(self.draft.text(slot)), field.id, Spot::of(slot));
    }
}

/// Whether two texts say two things: neither is a part of the other. Of figures, the last ten count.
fn differ(own: &str, other: &str) -> bool {
    let (own, other) = (normalised(own), normalised(other));
    if own.is_empty() || other.is_empty() {
        return false;
    }
    let is_figures = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if is_figures(&own) && is_figures(&other) {
        let end = |text: &str| text[text.len().saturating_sub(10)..].to_owned();
        return end(&own) != end(&other);
    }
    !own.contains(&other) && !other.contains(&own)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_one_text_do_not_differ() {
        for (own, other, expected) in [
            ("Asha Rao", "ASHA", false),
            ("14 MG Road", "14, M.G. Road, Pune", false),
            ("14 MG Road", "22 Park Street", true),
            ("9876543210", "+91 98765 43210", false),
            ("560001", "700016", true),
            ("Pune", "", false),
        ] {
            assert_eq!(differ(own, other), expected, "{own} {other}");
        }
    }
}
