//! Columns that no header tells: by what they hold.

use rust_decimal::Decimal;

use crate::field::{
    AmountRole, Field, Id, Payment, Says, Sign, TotalOf, Trait, UNIT, Unit, is_unit, is_unit_beside_quantity,
    payment_type, payment_word, says, sides, speaks_of_cash,
};
use crate::finding::column::sheet_notice;
use crate::finding::{self, Finding, Remedy};
use crate::origin::{Column, Place};
use crate::profile::{Part, Profile, Recipe};
use crate::sheet::{Sheet, SheetError};

use super::plan::Plan;
use super::sample::{LazySample, Sample, Seen};
use crate::column::HeaderUnit;

/// What a column `Paid` holds where an order is paid, and where it is not.
const PAID: [&str; 3] = ["yes", "y", "true"];
const NOT_PAID: [&str; 3] = ["no", "n", "false"];

/// A sheet with its plan, and what its first rows hold, which is read where it is needed.
struct Cells<'a> {
    sheet: &'a Sheet,
    sample: &'a LazySample,
    plan: &'a mut Plan,
    said: Vec<Finding>,
}

/// Takes the columns that hold types of payment, and the three sides of a parcel, for what they are, where neither a header
/// nor the profile says which ones do.
///
/// Where only some cells of other columns speak of payments, that is noted: one payment for all orders would be wrong. What
/// was told before of a second column of payments is taken back where that one is the better one.
pub(super) fn by_cells(
    sheet: &Sheet,
    sample: &LazySample,
    plan: &mut Plan,
    profile: Option<&Profile>,
    told_before: &mut Vec<Finding>,
) -> Result<Vec<Finding>, SheetError> {
    let built_in = profile.is_some_and(|profile| profile.built_in);
    let told = |id: Id| built_in || profile.is_some_and(|profile| profile.defaults.contains_key(&id));
    let named = |id: Id| built_in || profile.is_some_and(|profile| profile.columns.contains_key(&id));
    // A column of types says more than what is to be collected.
    let is_paid = |plan: &Plan| told(Id::OrderType) || (plan.column(Id::OrderType).is_some() && !plan.is_collected());
    let (was_paid, was_collected) = (is_paid(plan), plan.is_collected());
    let mut cells = Cells { sheet, sample, plan, said: Vec::new() };
    cells.tell_of_unit()?;
    if !told(Id::Price) {
        cells.price_of_total()?;
    }
    if !told(Id::OrderType) && !named(Id::OrderType) && cells.take_rival_payment()? {
        let of_second = |own: &Finding| own.id == finding::Id::DuplicateHeader && own.is_on(Id::OrderType.field().path);
        told_before.retain(|own| !of_second(own));
    }
    if !named(Id::Carrier) {
        cells.take_charges()?;
    }
    let flags = if was_paid || was_collected { Vec::new() } else { cells.possible_flags() };
    if !was_paid {
        cells.take_payment_column()?;
    }
    cells.take_flag(&flags)?;
    if !told(Id::Length) {
        cells.take_size()?;
    }
    Ok(cells.said)
}

/// Whether a cell speaks of a payment of any kind; figures alone are no words of payment.
fn speaks(text: &str) -> bool {
    text.contains(char::is_alphabetic) && (payment_type(text).is_some() || payment_word(text).is_some())
}

/// The figure of a cell that may be an amount of money.
fn figure(text: &str) -> Option<Decimal> {
    let bare = text.trim_start_matches("Rs").trim_start_matches(['.', '₹', ' ']).trim_end_matches("/-");
    bare.replace(',', "").parse().ok()
}

/// Whether half of the cells that are filled are so, and at least one.
fn is_most(seen: &Seen, is: impl Fn(&str) -> bool) -> bool {
    let count = seen.count(is);
    count > 0 && count * 2 >= seen.filled
}

impl Cells<'_> {
    fn sample(&self) -> Result<&Sample, SheetError> {
        self.sample.of(self.sheet)
    }

    fn seen(&self, column: u32) -> Result<&Seen, SheetError> {
        Ok(self.sample()?.column(column))
    }

    fn say(&mut self, notice: Finding, column: u32, field: &Field) {
        let header = self.plan.header(column).to_owned();
        let place = Place::cell(self.sheet.source(), self.sheet.header().row, column, header);
        self.said.push(notice.at(place).on_field(field.path));
    }

    /// Tells of a column `Unit` that goes into the address, where it holds more than what goods are counted in.
    fn tell_of_unit(&mut self) -> Result<(), SheetError> {
        let mut parts = self.plan.amounts.iter().filter(|own| own.role == AmountRole::Address(UNIT));
        let column = parts.find(|own| self.plan.may_be_of_goods(own.column)).map(|own| own.column);
        let Some(column) = column else { return Ok(()) };
        if self.seen(column)?.count(|text| !is_unit(text) && !is_unit_beside_quantity(text)) > 0 {
            let header = self.plan.header(column);
            let joined = sheet_notice::unit_joined(header, Remedy::ignore(header));
            self.say(joined, column, Id::DestinationLine1.field());
        }
        Ok(())
    }

    /// Reckons the price from what each order comes to, where no column has the price and each order is one row. A header that
    /// does not say so is only believed where each order is one piece, or where what is to be collected is the same.
    fn price_of_total(&mut self) -> Result<(), SheetError> {
        let plan = &*self.plan;
        let is_total = |role: AmountRole| matches!(role, AmountRole::Order | AmountRole::Total);
        let mut totals = plan.amounts.iter().filter(|own| own.by_header && is_total(own.role)).map(|own| own.column);
        let (Some(column), None) = (totals.next(), totals.next()) else { return Ok(()) };
        let fed = (plan.column(Id::OrderNumber), plan.column(Id::Quantity), plan.column(Id::Price));
        let (Some(number), Some(pieces), None) = fed else { return Ok(()) };
        let sample = self.sample()?;
        let (numbers, pieces) = (sample.column(number), sample.column(pieces));
        let is_alone = numbers.filled > 0 && numbers.values.iter().all(|(_, cells)| *cells == 1);
        let is_of_order = plan.reading(column).total_of == TotalOf::Order;
        let is_one = || pieces.filled > 0 && pieces.texts().all(|text| text.parse::<Decimal>() == Ok(Decimal::ONE));
        let mut collected = plan.amounts.iter().filter(|own| own.role == AmountRole::Collect).map(|own| own.column);
        let mut is_collected = || collected.any(|own| are_among(sample.column(own), sample.column(column)));
        if is_alone && (is_of_order || is_one() || is_collected()) {
            self.plan.take(Id::Price, column, None);
            self.plan.line_total = true;
            let add = Remedy::add_column(Id::Price.field().header);
            let taken = sheet_notice::price_of_total(self.plan.header(column), add);
            self.say(taken, column, Id::Price.field());
        }
        Ok(())
    }

    /// Takes the column of payments that says them, where the one that was taken by its better name says nothing of any.
    fn take_rival_payment(&mut self) -> Result<bool, SheetError> {
        let Some(taken) = self.plan.feed(Id::OrderType).filter(|feed| feed.step.is_none()) else { return Ok(false) };
        let is_rival = |own: &&Column| {
            let reading = self.plan.reading(own.index);
            reading.names(Id::OrderType) && !reading.is(Trait::PaymentState)
        };
        let rivals: Vec<Column> = self.plan.unknown.iter().filter(is_rival).cloned().collect();
        if rivals.is_empty() || self.seen(taken.column)?.filled == 0 || self.seen(taken.column)?.count(speaks) > 0 {
            return Ok(false);
        }
        let sample = self.sample()?;
        let Some(better) = rivals.iter().find(|own| is_most(sample.column(own.index), speaks)) else {
            return Ok(false);
        };
        let header = self.plan.header(taken.column).to_owned();
        let sign = if self.plan.reading(taken.column).is(Trait::Kind) { Sign::Kind } else { Sign::Note };
        self.plan.unknown.push(Column { index: taken.column, header });
        self.plan.take_payment(better.index, None);
        self.plan.claim(AmountRole::Sign(sign), taken.column, false);
        Ok(true)
    }

    /// Takes columns for charges that no field carries, whose headers may mean what carries the parcel or whether it goes, and
    /// just as well what that costs.
    fn take_charges(&mut self) -> Result<(), SheetError> {
        let carrier = self.plan.feed(Id::Carrier).filter(|feed| feed.step.is_none()).map(|feed| feed.column);
        let ready = self.plan.amounts.iter().filter(|own| matches!(own.role, AmountRole::Sign(Sign::Ready(_))));
        let columns = carrier.into_iter().chain(ready.map(|own| own.column));
        let columns: Vec<u32> = columns.filter(|own| self.plan.reading(*own).is(Trait::BareAmount)).collect();
        for column in columns {
            let seen = self.seen(column)?;
            let is_sum = seen.texts().any(|text| figure(text).is_some_and(|sum| sum >= Decimal::TEN));
            if is_sum && seen.count(|text| figure(text).is_some()) == seen.filled {
                self.plan.feeds.retain(|feed| feed.column != column);
                self.plan.amounts.retain(|own| own.column != column);
                self.plan.claim(AmountRole::Beside, column, true);
                let taken = sheet_notice::taken_for_charge(self.plan.header(column));
                self.say(taken, column, Id::ShippingCharges.field());
            }
        }
        Ok(())
    }

    /// Takes the column that says how orders are paid by what it holds: one that no field takes, or a note.
    fn take_payment_column(&mut self) -> Result<(), SheetError> {
        let plan = &*self.plan;
        let notes = [Id::ShipmentType, Id::Service, Id::Tags, Id::SellerNote, Id::ChannelId];
        let notes = notes.into_iter().filter_map(|id| plan.feed(id)).filter(|feed| feed.step.is_none());
        // `Paid/To Pay` names two types of payment, and no amount.
        let paid = plan.amounts.iter().filter(|own| own.role.speaks_of_payment() && own.by_header);
        let unknown = plan.unknown.iter().map(|own| own.index).filter(|own| !plan.refused.contains(own));
        let columns: Vec<u32> =
            unknown.chain(notes.map(|feed| feed.column)).chain(paid.map(|own| own.column)).collect();
        if columns.is_empty() {
            return Ok(());
        }
        let sample = self.sample()?;
        // Where what is to be collected tells as well, a column that says nothing of some orders would tell less.
        let is_collected = self.plan.is_collected();
        let is_payment = |seen: &Seen| {
            is_most(seen, speaks)
                && seen.count(|text| payment_type(text).is_some()) > 0
                && (!is_collected || seen.filled == sample.rows)
        };
        let is_cod = |text: &str| {
            payment_type(text) == Some(Payment::Cod) || (text.contains(char::is_alphabetic) && speaks_of_cash(text))
        };
        let field = Id::OrderType.field();
        if let Some(column) = columns.iter().copied().find(|own| is_payment(sample.column(*own))) {
            self.plan.take_payment(column, None);
            let header = self.plan.header(column);
            let rename = Remedy::rename(header, field.header);
            let taken = sheet_notice::taken_for_payment(header, field.header).remedy(rename);
            self.say(taken, column, field);
        } else if let Some(column) = columns.into_iter().find(|own| sample.column(*own).count(is_cod) > 0) {
            self.plan.payment_in_cells = Some(column);
        }
        Ok(())
    }

    /// Columns that may say yes where an order is paid.
    fn possible_flags(&self) -> Vec<u32> {
        let plan = &*self.plan;
        let paid = plan.amounts.iter().filter(|own| own.role == AmountRole::Paid && own.by_header);
        let columns = paid.map(|own| own.column).chain(plan.unknown.iter().map(|own| own.index));
        columns.filter(|own| !plan.refused.contains(own) && plan.reading(*own).is(Trait::PaidFlag)).collect()
    }

    /// Takes a column that says yes where an order is paid for the type of payment. What is not paid is not yet to be
    /// collected: only `Prepaid` says so.
    fn take_flag(&mut self, flags: &[u32]) -> Result<(), SheetError> {
        let is_flag = |text: &str| text.len() < 6 && matches!(says(text), Says::Yes | Says::No);
        for column in flags {
            let seen = self.seen(*column)?;
            if seen.filled == 0 || seen.count(is_flag) != seen.filled {
                continue;
            }
            let words = |list: [&str; 3], payment: &str| list.map(|word| (word.to_owned(), payment.to_owned()));
            let is_type = self.plan.reading(*column).is(Trait::Prepaid);
            let not_paid = words(NOT_PAID, "COD").into_iter().filter(|_| is_type);
            let map = words(PAID, "PREPAID").into_iter().chain(not_paid).collect();
            self.plan.take_payment(*column, Some(&Recipe { map, ..Recipe::default() }));
            break;
        }
        Ok(())
    }

    /// Takes a column that holds length, width and height in one cell, where none of them has a column of its own.
    fn take_size(&mut self) -> Result<(), SheetError> {
        const SIDES: [Id; 3] = [Id::Length, Id::Width, Id::Height];
        if SIDES.into_iter().any(|id| self.plan.feed(id).is_some()) {
            return Ok(());
        }
        let sizes = self.plan.unknown.iter().map(|own| own.index);
        let sizes: Vec<u32> = sizes.filter(|own| self.plan.reading(*own).is(Trait::Size)).collect();
        for column in sizes {
            if !is_most(self.seen(column)?, |text| sides(text).is_some()) {
                continue;
            }
            self.plan.amounts.retain(|amount| amount.column != column);
            for (side, id) in SIDES.into_iter().enumerate() {
                self.plan.take_part(id, column, Part::Side(side));
            }
            let unit = self.plan.reading(column).unit(Id::Length.field());
            if let Some(Unit::Measure(word)) = unit
                && !self.plan.units.iter().any(|unit| unit.id == Id::DimensionUnit)
            {
                self.plan.units.push(HeaderUnit { id: Id::DimensionUnit, words: vec![word], column });
            }
            let taken = sheet_notice::sides_in_one(self.plan.header(column));
            self.say(taken, column, Id::Length.field());
            break;
        }
        Ok(())
    }
}

/// Whether all amounts of one column, but for zero, are amounts of another one as well.
fn are_among(some: &Seen, all: &Seen) -> bool {
    /// Fewer may be so by chance.
    const AMOUNTS_MIN: usize = 3;
    let amounts = |seen: &Seen| -> Vec<Decimal> {
        let read = seen.texts().filter_map(|text| text.replace(',', "").parse::<Decimal>().ok());
        read.filter(|amount| !amount.is_zero()).collect()
    };
    let (some, all) = (amounts(some), amounts(all));
    some.len() >= AMOUNTS_MIN && some.iter().all(|amount| all.contains(amount))
}
