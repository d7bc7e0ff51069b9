//! Sizes and weights in the unit that their order is sent in.

use rust_decimal::Decimal;

use crate::check::Value;
use crate::column::Trait;
use crate::field::{AmountRole, Id, in_base_units, length_unit, unit_behind, weight_unit};
use crate::finding::column::unusual_value;
use crate::finding::{Finding, Remedy};

use super::draft::Slot;
use super::reader::{Reader, Spot};
use super::types::Order;

impl<'a> Reader<'a> {
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
        let columns = self.sheets.of(self.first.sheet());
        let by_sheet = columns.default(id).and_then(|_| columns.default(unit_id));
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
        let columns = self.sheets.of(slot.at.sheet);
        let (scale, in_parts) = (columns.scale(id), columns.in_parts(id));
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
            let Some(AmountRole::Measure(id)) = self.claim(*index, slot).map(|claim| claim.role) else { continue };
            let columns = self.sheets.of(slot.at.sheet);
            let known = |asked: &[(Id, Slot)]| asked.iter().any(|(_, other)| other.column == slot.column);
            if columns.column(id) == Some(slot.column) {
                if pieces > Decimal::ONE && !known(&of_items) {
                    of_items.push((id, *slot));
                }
            } else if is_measure(draft.text(slot), !self.column(slot).is(Trait::Measure)) && !known(&unused) {
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
        self.sheets.of(slot.at.sheet).default(id).or_else(|| self.rules.default(id)).is_some()
    }

    fn say_of_items(&mut self, asked: &[(Id, Slot)]) {
        let Some((id, first)) = asked.first() else { return };
        let headers = self.headers_of(asked);
        let fields: Vec<String> = asked.iter().map(|(id, _)| id.field().header.to_owned()).collect();
        let is_constant = asked.iter().all(|(id, slot)| self.stands_in(*id, slot));
        let held = unusual_value::of_pieces(&headers, self.parcel_headers(asked), fields)
            .remedies(is_constant.then(|| Remedy::ignore_all(&headers)));
        self.say(held.found(self.draft.text(first)), *id, Spot::of(first));
    }

    fn say_unused(&mut self, asked: &[(Id, Slot)]) {
        let Some((id, first)) = asked.first() else { return };
        let columns = self.sheets.of(first.at.sheet);
        let headers = self.headers_of(asked);
        let mut fields: Vec<String> = asked.iter().map(|(id, _)| id.field().header.to_lowercase()).collect();
        fields.dedup();
        let in_one = asked.iter().all(|(_, slot)| !self.column(slot).is(Trait::Measure));
        let fields = if in_one { vec!["size".to_owned()] } else { fields };
        let own_column = |(id, _): &(Id, Slot)| Some(columns.header(columns.column(*id)?).to_owned());
        let mut blank: Vec<String> = asked.iter().filter_map(own_column).collect();
        blank.dedup();
        let way = if in_one {
            unusual_value::write_sides()
        } else if blank.is_empty() {
            unusual_value::give_headers(&headers, self.parcel_headers(asked))
        } else {
            unusual_value::write_into(blank)
        };
        let held = unusual_value::unused(&headers, fields, way, Remedy::ignore_all(&headers));
        self.say(held.found(self.draft.text(first)), *id, Spot::of(first));
    }

    fn headers_of(&self, asked: &[(Id, Slot)]) -> Vec<&'a str> {
        asked.iter().map(|(_, slot)| self.column(slot).header.as_str()).collect()
    }

    /// The headers under which these columns are those of the parcel, with the units that they name.
    fn parcel_headers(&self, asked: &[(Id, Slot)]) -> Finding {
        let new = |(id, slot): &(Id, Slot)| {
            let field = id.field();
            match self.column(slot).unit {
                Some(unit) => unusual_value::header_with_unit(field.header, unit),
                _ if *id == Id::Weight => unusual_value::header_of_weight(),
                _ => unusual_value::header(field.header),
            }
        };
        let is_twice = |(id, _): &&(Id, Slot)| asked.iter().filter(|(other, _)| other == id).count() > 1;
        if let Some(twice) = asked.iter().find(is_twice) {
            return unusual_value::one_of_columns(&twice.0.field().header.to_lowercase(), new(twice));
        }
        let renamed = |own: &(Id, Slot)| unusual_value::rename(&self.column(&own.1).header, new(own));
        unusual_value::headers(asked.iter().map(renamed).collect())
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
