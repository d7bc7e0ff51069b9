//! Columns that decide whether and how an order goes: what is done, what is an address, how it is paid.

use crate::column::Claim;
use crate::field::{AFTER_LINES, AmountRole, Field, Id, Sign, Trait, UNCLEAR_PART};
use crate::finding::Finding;
use crate::origin::{Added, Column, is_added};
use crate::profile::{Part, Profile, Recipe};
use crate::words::{Topic, Vocabulary};

use super::plan::{Header, Plan};
use super::told::joined_parts;

/// Columns right of the last header that are looked at, in which a text file has none.
const BESIDE: u32 = 3;

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
            if matches!(role, AmountRole::Address(place) if place != UNCLEAR_PART)
                && !self.may_be_of_goods(column.index)
            {
                parts.push(column);
            }
            found.push(Claim { role, column: column.index, each_line: false, by_header: false });
        }
        let first = self.first_line_of(&found);
        parts.retain(|part| Some(part.index) != first);
        problems.extend(joined_parts(&parts, header));
        found.retain(|sign| Some(sign.column) != first);
        if let Some(column) = first {
            self.take(Id::DestinationLine1, column, None);
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
        /// The place of streets, and where those of sectors and areas begin and end, one of several parts included.
        const STREET: u8 = 120;
        const AREA: u8 = 130;
        const AREA_LAST: u8 = 141;
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
            self.claim(AmountRole::Sign(Sign::Payment), state.column, false);
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
                // What it holds that says nothing of a payment.
                let modes = Vocabulary::built_in().words_of(Topic::Values, "shipping_mode");
                let by_road = modes.map(|mode| (mode.to_owned(), String::new())).collect();
                (column, Recipe { map: by_road, ..Recipe::default() })
            }
            (None, None) => return,
        };
        let step = self.step(&recipe, column);
        self.take(Id::OrderType, column, Some(step));
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

    /// Whether the type of payment is made of what is to be collected.
    #[must_use]
    pub fn is_collected(&self) -> bool {
        let step = self.feed(Id::OrderType).and_then(|feed| feed.step);
        step.and_then(|step| self.mapper.recipe(step)).is_some_and(|recipe| recipe.collects)
    }

    /// Takes a column for the type of payment, whatever it was taken for before, as it stands or by a recipe.
    pub(super) fn take_payment(&mut self, column: u32, recipe: Option<&Recipe>) {
        self.feeds.retain(|feed| feed.column != column && feed.field.id != Id::OrderType);
        self.amounts.retain(|amount| amount.column != column);
        let step = recipe.map(|recipe| self.step(recipe, column));
        self.take(Id::OrderType, column, step);
    }

    /// Whether a column `Unit` may say what goods are counted in, so that its cells tell whether it is a part of the address.
    pub(super) fn may_be_of_goods(&self, column: u32) -> bool {
        self.reading(column).is(Trait::Unit) && self.feed(Id::Quantity).is_some()
    }

    /// Makes a field of a part of a column's cells.
    pub(super) fn take_part(&mut self, id: Id, column: u32, part: Part) {
        let step = self.step(&Recipe { part: Some(part), ..Recipe::default() }, column);
        self.feeds.retain(|feed| feed.field.id != id);
        self.take(id, column, Some(step));
    }

    /// Whether one of two headers of a tax says percent, and the other one says the tax alone.
    pub(super) fn rates(&self, one: u32, other: u32) -> bool {
        let percent = |column: u32| self.reading(column).is(Trait::Percent);
        let bare = |column: u32| self.reading(column).is(Trait::BareTax) && !percent(column);
        (percent(one) && bare(other)) || (percent(other) && bare(one))
    }
}

/// Whether a second column of a field counts beside the one that is taken: of who gets it and where, it stands in where that
/// one is blank; and two that say two things may make two shipments, as those of how many pieces do.
pub(super) fn is_of_shipment(field: &Field) -> bool {
    field.is_receivers() || field.id == Id::Quantity
}
