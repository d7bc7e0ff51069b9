//! Sizes and weights in the unit that their order is sent in.

use rust_decimal::Decimal;

use crate::check::Value;
use crate::field::{
    AmountRole, Id, Unit, header_unit, in_base_units, length_unit, measured_by, unit_behind, weight_unit,
};
use crate::problem::{Code, Problem};
use crate::text::{list, passing_all_over};

use super::build::{Reader, Spot};
use super::draft::Slot;
use super::types::Order;

impl Reader<'_> {
    /// A size or weight in the order's unit. What stands in for a blank cell is in the unit of its own source: a column in
    /// inches does not make inches of a default in centimetres.
    pub(super) fn measure(&mut self, id: Id, unit_id: Id, unit: &str) -> Decimal {
        if let Some(measured) = self.with_own_unit(id, unit) {
            return measured;
        }
        let number = self.number(id, None);
        if number.is_zero() || self.is_given(id) {
            return number;
        }
        let layout = self.layouts.of(self.first.sheet());
        let by_sheet = layout.default(id).and_then(|_| layout.default(unit_id));
        let own = by_sheet.or_else(|| self.rules.default(unit_id)).and_then(|own| match unit_id {
            Id::WeightUnit => weight_unit(own),
            _ => length_unit(own),
        });
        let (Some(from), Some(to)) = (own.and_then(in_base_units), in_base_units(unit)) else { return number };
        if from == to { number } else { (number * from / to).round_dp(4).normalize() }
    }

    /// A size or weight whose cell has its unit behind its figure, in the order's unit.
    fn with_own_unit(&mut self, id: Id, unit: &str) -> Option<Decimal> {
        let slot = self.cell(id)?;
        let (figure, own) = self.unit_in(&slot)?;
        let layout = self.layouts.of(slot.at.sheet);
        let (scale, in_parts) = (layout.scale(id), layout.in_parts(id));
        let (from, to) = (in_base_units(own)?, in_base_units(unit)?);
        if in_parts {
            return None;
        }
        let bare = Slot { end: slot.start + figure, ..slot };
        let Some(Value::Number(number)) = self.read_cell(id, Some(bare), self.first, None) else {
            return Some(Decimal::ZERO);
        };
        // The unit of a profile is for figures that have none.
        let number = scale.filter(|scale| !scale.is_zero()).map_or(number, |scale| number / scale);
        Some((number * from / to).round_dp(4).normalize())
    }

    /// The unit behind the figure of a cell, and where that figure ends.
    fn unit_in(&self, slot: &Slot) -> Option<(u32, &'static str)> {
        let (end, unit) = unit_behind(self.draft.text(slot), slot.id == Id::Weight)?;
        Some((u32::try_from(end).ok()?, unit))
    }

    /// Whether the cell of the weight says its unit itself.
    pub(super) fn is_unit_in_weight(&self) -> bool {
        self.cell(Id::Weight).is_some_and(|slot| self.unit_in(&slot).is_some())
    }

    /// Asks of weights and sizes that may be those of the parcel: of a piece, where an order has several, and in columns
    /// that nothing takes, where a constant would be booked in their stead.
    pub(super) fn check_measured(&mut self, order: &Order) {
        let draft = self.draft;
        let pieces: Decimal = order.lines.iter().map(|line| line.quantity).sum();
        let mut of_items: Vec<(Id, Slot)> = Vec::new();
        let mut unused: Vec<(Id, Slot)> = Vec::new();
        for (index, slot) in &draft.amounts {
            let layout = self.layouts.of(slot.at.sheet);
            let Some(AmountRole::Measure(id)) = layout.amounts().get(*index).map(|amount| amount.role) else {
                continue;
            };
            let known = |asked: &[(Id, Slot)]| asked.iter().any(|(_, other)| other.column == slot.column);
            let header = layout.header(slot.column);
            if layout.column(id) == Some(slot.column) {
                if pieces > Decimal::ONE && !known(&of_items) {
                    of_items.push((id, *slot));
                }
            } else if is_measure(draft.text(slot), measured_by(header).is_none()) && !known(&unused) {
                unused.push((id, *slot));
            }
        }
        unused.retain(|(id, slot)| !self.is_given(*id) && self.stands_in(*id, slot));
        if !of_items.is_empty() {
            self.say_of_items(&of_items);
        }
        if !unused.is_empty() {
            self.say_unused(&unused);
        }
    }

    /// Whether a constant stands in for a field that has no cell.
    fn stands_in(&self, id: Id, slot: &Slot) -> bool {
        self.layouts.of(slot.at.sheet).default(id).or_else(|| self.rules.default(id)).is_some()
    }

    fn say_of_items(&mut self, asked: &[(Id, Slot)]) {
        let Some((id, first)) = asked.first() else { return };
        let (names, are) = (self.quoted(asked), if asked.len() == 1 { "is" } else { "are" });
        let message = format!(
            "{names} {are} of one piece by the header, and this order has several: what is sent is of the parcel"
        );
        let parcel = self.parcel_headers(asked);
        let fields: Vec<String> = asked.iter().map(|(id, _)| format!("\"{}\"", id.field().header)).collect();
        let layout = self.layouts.of(first.at.sheet);
        let headers: Vec<&str> = asked.iter().map(|(_, slot)| layout.header(slot.column)).collect();
        let constant = if asked.iter().all(|(id, slot)| self.stands_in(*id, slot)) {
            let them = if asked.len() == 1 { "it" } else { "them" };
            format!("; or book what the configuration says: pass {them} over {}", passing_all_over(&headers))
        } else {
            String::new()
        };
        let hint = format!(
            "if {names} {are} of the whole parcel, give {parcel}; if not, add {} with what each parcel has in all{constant}",
            if fields.len() == 1 {
                format!("a column {}", fields[0])
            } else {
                format!("columns {}", list(&fields, "and"))
            }
        );
        let found = self.draft.text(first).to_owned();
        self.say(Problem::error(Code::UnusualValue, message).found(found).hint(hint), *id, Spot::of(first));
    }

    fn say_unused(&mut self, asked: &[(Id, Slot)]) {
        let Some((id, first)) = asked.first() else { return };
        let layout = self.layouts.of(first.at.sheet);
        let headers: Vec<&str> = asked.iter().map(|(_, slot)| layout.header(slot.column)).collect();
        let (names, it) = (self.quoted(asked), if asked.len() == 1 { "it" } else { "them" });
        let mut fields: Vec<String> = asked.iter().map(|(id, _)| id.field().header.to_lowercase()).collect();
        fields.dedup();
        let quoted_header = |column: u32| format!("\"{}\"", layout.header(column));
        let in_one = headers.iter().all(|header| measured_by(header).is_none());
        let fields = if in_one { "size".to_owned() } else { list(&fields, "and") };
        let message = format!(
            "{names} may say the {fields} of this parcel, and no field takes {it}: what the configuration says would be booked \
             instead"
        );
        let way = if in_one {
            "write it as 20x15x10, or part it into columns \"Length\", \"Width\" and \"Height\"".to_owned()
        } else {
            let are = if asked.len() == 1 { "it is" } else { "they are" };
            let mut blank: Vec<String> =
                asked.iter().filter_map(|(id, _)| layout.column(*id)).map(quoted_header).collect();
            blank.dedup();
            match blank.as_slice() {
                [] => format!("if {are} the parcel's, give {}", self.parcel_headers(asked)),
                blank => format!("write what this parcel has into {}", list(blank, "and")),
            }
        };
        let hint = format!("{way}; to book what the configuration says, pass {it} over {}", passing_all_over(&headers));
        let found = self.draft.text(first).to_owned();
        self.say(Problem::error(Code::UnusualValue, message).found(found).hint(hint), *id, Spot::of(first));
    }

    fn quoted(&self, asked: &[(Id, Slot)]) -> String {
        let header = |slot: &Slot| self.layouts.of(slot.at.sheet).header(slot.column);
        let quoted: Vec<String> = asked.iter().map(|(_, slot)| format!("\"{}\"", header(slot))).collect();
        list(&quoted, "and")
    }

    /// The headers under which these columns are those of the parcel, with the units that they name.
    fn parcel_headers(&self, asked: &[(Id, Slot)]) -> String {
        let new = |(id, slot): &(Id, Slot)| {
            let (field, old) = (id.field(), self.layouts.of(slot.at.sheet).header(slot.column));
            match header_unit(field, old) {
                Some(Unit::Measure(unit)) => format!("\"{} ({unit})\"", field.header),
                _ if *id == Id::Weight => "\"Weight (kg)\" or \"Weight (g)\", whichever it is in".to_owned(),
                _ => format!("\"{}\"", field.header),
            }
        };
        let is_twice = |(id, _): &&(Id, Slot)| asked.iter().filter(|(other, _)| other == id).count() > 1;
        if let Some(twice) = asked.iter().find(is_twice) {
            let what = twice.0.field().header.to_lowercase();
            return format!("the one column that is its {what} the header {}", new(twice));
        }
        let header = |own: &(Id, Slot)| {
            let old = self.layouts.of(own.1.at.sheet).header(own.1.column);
            format!("\"{old}\" the header {}", new(own))
        };
        list(&asked.iter().map(header).collect::<Vec<_>>(), "and")
    }
}

/// Whether a cell holds a weight or a side, which is a figure with or without its unit; or, `in_one`, several sides.
fn is_measure(text: &str, in_one: bool) -> bool {
    let is_positive =
        |figure: &str| figure.replace(',', ".").parse::<Decimal>().is_ok_and(|figure| figure > Decimal::ZERO);
    if in_one {
        let figures = text.split(|c: char| !c.is_ascii_digit() && c != '.').filter(|figure| is_positive(figure));
        return figures.count() > 1;
    }
    let end = unit_behind(text, true).or_else(|| unit_behind(text, false)).map_or(text.len(), |(end, _)| end);
    is_positive(&text[..end])
}
