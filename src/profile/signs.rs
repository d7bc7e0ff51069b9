//! Columns that decide whether and how an order goes: what is done, what is an address, how it is paid.

use crate::column::{Claim, Feed, HeaderUnit, Reading, Trait, Unit};
use crate::field::{AFTER_LINES, AmountRole, Field, Id, Sign, UNCLEAR_PART, UNIT};
use crate::finding::Finding;
use crate::origin::{Added, Column, is_added};

use super::file::Profile;
use super::plan::{Header, Plan};
use super::recipe::{Part, Recipe};
use super::told::joined_parts;

/// Columns right of the last header that are looked at, in which a text file has none.
const BESIDE: u32 = 3;

/// What a column `Mode` holds that says nothing of a payment.
const SHIPPING_MODES: &str = "surface air express standard road rail ground economy priority";

impl Plan {
    /// Columns without a field that say whether an order goes, or more of its address.
    pub(super) fn find_signs(&mut self, header: &Header<'_>, problems: &mut Vec<Finding>) {
        let mut parts: Vec<&Column> = Vec::new();
        let mut found = Vec::new();
        // A sheet of results may come to a ledger that does not know what was booked.
        if let Some(column) = header.cells.iter().position(|cell| Added::of(cell) == Some(Added::Awb)) {
            let column = u32::try_from(column).unwrap_or_default();
            let role = AmountRole::Sign(Sign::Number);
            found.push(Claim { role, column, each_line: false, by_header: false });
        }
        for column in &self.unknown {
            let reading = self.reading(column.index);
            let Some(role) = reading.sign_or_part() else { continue };
            // Without a first line to compare it with, it is a column that is left out.
            if role == AmountRole::Address(UNCLEAR_PART) && self.feed(Id::DestinationLine1).is_none() {
                continue;
            }
            // Without a date of the order, the day on which it was booked is that.
            let is_sent = role == AmountRole::Sign(Sign::Sent { plain: false });
            if is_sent && reading.is(Trait::BookedDay) && self.feed(Id::OrderCreatedAt).is_none() {
                continue;
            }
            // What goods are counted in is told by the cells.
            if matches!(role, AmountRole::Address(place) if place != UNCLEAR_PART) && !self.may_be_of_goods(column) {
                parts.push(column);
            }
            found.push(Claim { role, column: column.index, each_line: false, by_header: false });
        }
        let first = self.first_line_of(&found);
        parts.retain(|part| Some(part.index) != first);
        problems.extend(joined_parts(&parts, header));
        found.retain(|sign| Some(sign.column) != first);
        if let Some(column) = first {
            self.unknown.retain(|unknown| unknown.index != column);
            let field = Id::DestinationLine1.field();
            self.feeds.push(Feed { field, column, product: 0, step: None, shared: false });
            self.feeds.sort_by_key(|feed| (feed.field.id, feed.product));
        }
        // Where shipments have numbers of their own beside those of the courier, they have them from the beginning.
        let is_number = |sign: &&Claim| sign.role == AmountRole::Sign(Sign::Number);
        let numbers = found.iter().filter(is_number).filter(|sign| !is_added(self.header(sign.column))).count();
        found.retain(|sign| numbers < 2 || !self.reading(sign.column).is(Trait::Shipment));
        self.unknown.retain(|column| !found.iter().any(|sign| sign.column == column.index));
        self.amounts.extend(found);
    }

    /// The part of an address that is its first line where nothing else is: the street, or an area beside a house.
    fn first_line_of(&self, found: &[Claim]) -> Option<u32> {
        /// The place of streets, and where those of sectors and areas begin and end.
        const STREET: u8 = 120;
        const AREA: u8 = 130;
        const AREA_LAST: u8 = 140;
        if self.feed(Id::DestinationLine1).is_some() {
            return None;
        }
        let parts = || {
            found.iter().filter_map(|sign| match sign.role {
                AmountRole::Address(place) => Some((place, sign.column)),
                _ => None,
            })
        };
        let has_house = parts().any(|(place, _)| place < AFTER_LINES);
        let street = parts().filter(|(place, _)| (STREET..=AREA_LAST).contains(place)).min();
        street.filter(|(place, _)| *place < AREA || has_house).map(|(_, column)| column)
    }

    /// Columns of notes, and those that nothing takes: what they say in words that nobody mistakes counts all the same.
    pub(super) fn find_notes(&mut self, header: &Header<'_>) {
        let notes = [Id::SellerNote, Id::Tags, Id::Carrier, Id::Service, Id::ShipmentType, Id::Category];
        let fed = notes.into_iter().filter_map(|id| self.feed(id)).filter(|feed| feed.step.is_none());
        // People write beside a row that it is cancelled, where no header is.
        let nameless = (0_u32..).zip(header.cells).filter(|(_, name)| name.is_empty()).map(|(column, _)| column);
        let width = u32::try_from(header.cells.len()).unwrap_or_default();
        let beside = if header.source.worksheet.is_some() { width..width + BESIDE } else { width..width };
        let named = fed.map(|feed| feed.column).chain(self.unknown.iter().map(|own| own.index));
        let columns: Vec<u32> = named.chain(nameless).chain(beside).collect();
        // What a profile of the program has no rule for is none of its layout's states.
        let own = self.profile().is_none() || self.is_own();
        // `Transport` may be what that costs, and who does it.
        let is_transport = |column: u32| {
            let charge = |amount: &Claim| amount.column == column && amount.role == AmountRole::Beside;
            own && self.amounts.iter().any(charge) && self.reading(column).is(Trait::Courier)
        };
        let taken = |column: u32| self.amounts.iter().any(|amount| amount.column == column);
        let notes: Vec<Claim> = columns
            .into_iter()
            .filter(|column| !taken(*column) || self.reading(*column).is(Trait::Kind) || is_transport(*column))
            .map(|column| {
                let sign = match self.reading(column) {
                    reading if reading.is(Trait::Kind) => Sign::Kind,
                    reading if own && reading.is(Trait::Courier) => Sign::Courier,
                    _ => Sign::Note,
                };
                Claim { role: AmountRole::Sign(sign), column, each_line: false, by_header: false }
            })
            .collect();
        self.amounts.extend(notes);
    }

    /// How orders are paid, where only a column of what is to be collected says so, or one that is called `Mode`.
    pub(super) fn find_payment(&mut self, profile: Option<&Profile>) {
        let defaults = profile.is_some_and(|profile| profile.defaults.contains_key(&Id::OrderType));
        let flagged = self.amounts.iter().any(|amount| self.reading(amount.column).is(Trait::CodFlag));
        let by_state = self.feed(Id::OrderType).filter(|feed| self.reading(feed.column).is(Trait::PaymentState));
        if let Some(state) = by_state.filter(|state| flagged && state.step.is_none()) {
            // How far the payment is says less than whether it is collected.
            self.feeds.retain(|feed| feed.column != state.column);
            let role = AmountRole::Sign(Sign::Payment);
            self.amounts.push(Claim { role, column: state.column, each_line: false, by_header: false });
        }
        if defaults || self.feed(Id::OrderType).is_some() {
            return;
        }
        let collects = self.amounts.iter().filter(|amount| amount.role == AmountRole::Collect && amount.by_header);
        let named = |amount: &&Claim| {
            let reading = self.reading(amount.column);
            reading.is(Trait::CodFlag) || reading.is(Trait::Collected)
        };
        let collects = collects.filter(named).map(|amount| amount.column);
        // The word says more than the amount, and is there for every order.
        let flag = collects
            .clone()
            .find(|column| self.reading(*column).is(Trait::CodFlag))
            .or_else(|| collects.clone().next());
        let mode =
            self.unknown.iter().find(|column| self.reading(column.index).is(Trait::Mode)).map(|column| column.index);
        let (column, recipe) = match (flag, mode) {
            (Some(column), _) => (column, Recipe { collects: true, ..Recipe::default() }),
            (None, Some(column)) => {
                let by_road = SHIPPING_MODES.split(' ').map(|mode| (mode.to_owned(), String::new())).collect();
                (column, Recipe { map: by_road, ..Recipe::default() })
            }
            (None, None) => return,
        };
        self.unknown.retain(|unknown| unknown.index != column);
        let step = self.mapper.add(&recipe, vec![column], Vec::new(), None, Vec::new(), None);
        self.feeds.push(Feed { field: Id::OrderType.field(), column, product: 0, step: Some(step), shared: false });
        self.feeds.sort_by_key(|feed| (feed.field.id, feed.product));
    }

    /// Whether the sheet says what is to be collected or paid already: then one payment for all orders would be wrong.
    #[must_use]
    pub fn speaks_of_payment(&self) -> bool {
        self.speaker_of_payment().is_some()
    }

    /// The header of a column that says how orders are paid, though none is taken for their types of payment.
    #[must_use]
    pub fn speaker_of_payment(&self) -> Option<&str> {
        let amount = || self.amounts.iter().find(|amount| amount.role.speaks_of_payment()).map(|amount| amount.column);
        self.payment_in_cells.or_else(amount).map(|column| self.header(column))
    }

    /// The column that is taken for types of payment by its header, and then those that were left out for it; nothing where
    /// there are none of these.
    #[must_use]
    pub fn rival_payments(&self) -> Vec<Column> {
        let is_payment = |own: &Reading| own.names(Id::OrderType) && !own.is(Trait::PaymentState);
        let taken = self.feed(Id::OrderType).filter(|feed| feed.step.is_none());
        let Some(taken) = taken else { return Vec::new() };
        let left = self.unknown.iter().filter(|own| is_payment(self.reading(own.index)));
        let taken = Column { index: taken.column, header: self.header(taken.column).to_owned() };
        let all: Vec<Column> = std::iter::once(taken).chain(left.cloned()).collect();
        if all.len() > 1 { all } else { Vec::new() }
    }

    /// Takes another column for the type of payment: the one that was taken for it says nothing of any, and is left out.
    pub fn take_payment_instead(&mut self, column: u32) {
        if let Some(before) = self.feed(Id::OrderType).map(|feed| feed.column) {
            self.unknown.push(Column { index: before, header: self.header(before).to_owned() });
            let sign = if self.reading(before).is(Trait::Kind) { Sign::Kind } else { Sign::Note };
            let role = AmountRole::Sign(sign);
            self.amounts.push(Claim { role, column: before, each_line: false, by_header: false });
        }
        self.take_payment(column);
    }

    /// Columns that may say yes where an order is paid.
    #[must_use]
    pub fn possible_payment_flags(&self) -> Vec<Column> {
        let paid = self.amounts.iter().filter(|own| own.role == AmountRole::Paid && own.by_header);
        let columns = paid.map(|own| own.column).chain(self.unknown.iter().map(|own| own.index));
        let columns = columns.filter(|column| !self.refused.contains(column));
        let columns = columns.map(|index| Column { index, header: self.header(index).to_owned() });
        columns.filter(|column| self.reading(column.index).is(Trait::PaidFlag)).collect()
    }

    /// Takes a column that says yes where an order is paid for the type of payment. What is not paid is not yet to be
    /// collected: only `Prepaid` says so.
    pub fn take_payment_flag(&mut self, column: u32) {
        let is_type = self.reading(column).is(Trait::Prepaid);
        let words = |list: &str, payment: &str| -> Vec<(String, String)> {
            list.split(' ').map(|word| (word.to_owned(), payment.to_owned())).collect()
        };
        let mut map = words("yes y true", "PREPAID");
        if is_type {
            map.extend(words("no n false", "COD"));
        }
        self.take_payment(column);
        let recipe = Recipe { map: map.into_iter().collect(), ..Recipe::default() };
        let step = self.mapper.add(&recipe, vec![column], Vec::new(), None, Vec::new(), None);
        for feed in self.feeds.iter_mut().filter(|feed| feed.column == column) {
            feed.step = Some(step);
        }
    }

    /// Columns that may say how orders are paid, by what they hold: those that no field takes, then notes and the like.
    #[must_use]
    pub fn possible_payments(&self) -> Vec<Column> {
        let notes = [Id::ShipmentType, Id::Service, Id::Tags, Id::SellerNote, Id::ChannelId];
        let fed = notes.into_iter().filter_map(|id| self.feed(id)).filter(|feed| feed.step.is_none());
        let fed = fed.map(|feed| Column { index: feed.column, header: self.header(feed.column).to_owned() });
        let unknown = self.unknown.iter().filter(|own| !self.refused.contains(&own.index)).cloned();
        // `Paid/To Pay` names two types of payment, and no amount.
        let paid = self.amounts.iter().filter(|own| own.role.speaks_of_payment() && own.by_header);
        let paid = paid.map(|own| Column { index: own.column, header: self.header(own.column).to_owned() });
        unknown.chain(fed).chain(paid).collect()
    }

    /// Whether the type of payment is made of what is to be collected.
    #[must_use]
    pub fn is_collected(&self) -> bool {
        self.feed(Id::OrderType).and_then(|feed| feed.step).is_some_and(|step| self.mapper.is_collected(step))
    }

    /// Takes a column for the type of payment, whatever it was taken for before.
    pub fn take_payment(&mut self, column: u32) {
        self.unknown.retain(|unknown| unknown.index != column);
        self.feeds.retain(|feed| feed.column != column && feed.field.id != Id::OrderType);
        self.amounts.retain(|amount| amount.column != column);
        self.feeds.push(Feed { field: Id::OrderType.field(), column, product: 0, step: None, shared: false });
        self.feeds.sort_by_key(|feed| (feed.field.id, feed.product));
    }

    /// Whether a column `Unit` may say what goods are counted in, so that its cells tell whether it is a part of the address.
    fn may_be_of_goods(&self, column: &Column) -> bool {
        self.reading(column.index).is(Trait::Unit) && self.feed(Id::Quantity).is_some()
    }

    /// The column `Unit` that may be a part of the address, beside one of quantities.
    #[must_use]
    pub fn possible_unit(&self) -> Option<Column> {
        let parts = self.amounts.iter().filter(|own| own.role == AmountRole::Address(UNIT)).map(|own| own.column);
        let mut columns = parts.map(|index| Column { index, header: self.header(index).to_owned() });
        columns.find(|column| self.may_be_of_goods(column))
    }

    /// Columns that may hold length, width and height in one cell, where none of them has a column of its own.
    #[must_use]
    pub fn possible_sizes(&self) -> Vec<Column> {
        if [Id::Length, Id::Width, Id::Height].into_iter().any(|id| self.feed(id).is_some()) {
            return Vec::new();
        }
        self.unknown.iter().filter(|column| self.reading(column.index).is(Trait::Size)).cloned().collect()
    }

    /// Takes a column for length, width and height, in this order.
    pub fn take_size(&mut self, column: u32) {
        self.unknown.retain(|unknown| unknown.index != column);
        self.amounts.retain(|amount| amount.column != column);
        for (side, id) in [Id::Length, Id::Width, Id::Height].into_iter().enumerate() {
            let recipe = Recipe { part: Some(Part::Side(side)), ..Recipe::default() };
            let step = self.mapper.add(&recipe, vec![column], Vec::new(), None, Vec::new(), None);
            self.feeds.push(Feed { field: id.field(), column, product: 0, step: Some(step), shared: false });
        }
        self.feeds.sort_by_key(|feed| (feed.field.id, feed.product));
        let unit = self.reading(column).unit(Id::Length.field());
        if let Some(Unit::Measure(word)) = unit
            && !self.units.iter().any(|unit| unit.id == Id::DimensionUnit)
        {
            self.units.push(HeaderUnit { id: Id::DimensionUnit, words: vec![word], column });
        }
    }

    /// Makes a field of a part of a column's cells.
    pub fn take_part(&mut self, id: Id, column: u32, part: Part) {
        let recipe = Recipe { part: Some(part), ..Recipe::default() };
        let step = self.mapper.add(&recipe, vec![column], Vec::new(), None, Vec::new(), None);
        self.feeds.retain(|feed| feed.field.id != id);
        self.feeds.push(Feed { field: id.field(), column, product: 0, step: Some(step), shared: false });
        self.feeds.sort_by_key(|feed| (feed.field.id, feed.product));
    }

    /// Columns whose headers may mean what carries the parcel or whether it goes, and just as well what that costs.
    #[must_use]
    pub fn possible_charges(&self) -> Vec<Column> {
        let carrier = self.feed(Id::Carrier).filter(|feed| feed.step.is_none()).map(|feed| feed.column);
        let ready = self.amounts.iter().filter(|amount| matches!(amount.role, AmountRole::Sign(Sign::Ready(_))));
        let columns = carrier.into_iter().chain(ready.map(|amount| amount.column));
        let named = columns.map(|index| Column { index, header: self.header(index).to_owned() });
        named.filter(|column| self.reading(column.index).is(Trait::BareAmount)).collect()
    }

    /// Takes a column for a charge that no field carries.
    pub fn take_charge(&mut self, column: u32) {
        self.feeds.retain(|feed| feed.column != column);
        self.amounts.retain(|amount| amount.column != column);
        self.amounts.push(Claim { role: AmountRole::Beside, column, each_line: false, by_header: true });
    }

    /// Whether one of two headers of a tax says percent, and the other one says the tax alone.
    pub(super) fn rates(&self, one: u32, other: u32) -> bool {
        let percent = |column: u32| self.reading(column).is(Trait::Percent);
        let bare = |column: u32| self.reading(column).is(Trait::BareTax) && !percent(column);
        (percent(one) && bare(other)) || (percent(other) && bare(one))
    }

    /// Notes that cells say how orders are paid, in columns that are not taken for it.
    pub const fn note_payment_in_cells(&mut self, column: u32) {
        self.payment_in_cells = Some(column);
    }
}

/// Whether a second column of a field counts beside the one that is taken: of who gets it and where, it stands in where that
/// one is blank; and two that say two things may make two shipments, as those of how many pieces do.
pub(super) fn is_of_shipment(field: &Field) -> bool {
    field.is_receivers() || field.id == Id::Quantity
}
