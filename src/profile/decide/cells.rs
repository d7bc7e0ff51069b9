//! Columns that no header tells: by what they hold.

use rust_decimal::Decimal;

use crate::field::{
    Field, Id, Payment, Says, is_unit, is_unit_beside_quantity, payment_type, payment_word, says, sides, speaks_of_cash,
};
use crate::finding::column::sheet_notice;
use crate::finding::{self, Finding, Remedy};
use crate::origin::{Column, Place};
use crate::profile::{Plan, Profile};
use crate::sheet::{Sheet, SheetError};

use super::sample::{LazySample, Sample, Seen};

/// What the cells of a column hold.
#[derive(Debug, Clone, Copy, Default)]
struct Held {
    rows: u32,
    filled: u32,
    /// Words of payment of any kind.
    words: u32,
    /// `COD` and `PREPAID`, by whatever spelling.
    types: u32,
    cod: bool,
    /// Three sides of a parcel.
    sides: u32,
    /// Amounts of money or zero, with or without their sign.
    figures: u32,
    /// Whether one of them is more than a yes.
    sum: bool,
    /// Yes or no.
    flags: u32,
    /// What may be a part of an address.
    parts: u32,
}

impl Held {
    /// What one cell holds.
    fn of(text: &str) -> Self {
        let kind = payment_type(text);
        // Figures alone are no words of payment.
        let speaks = text.contains(char::is_alphabetic);
        let bare =
            text.trim_start_matches("Rs").trim_start_matches(['.', '₹', ' ']).trim_end_matches("/-").replace(',', "");
        let figure = bare.parse::<Decimal>().ok();
        Self {
            rows: 0,
            filled: 1,
            words: u32::from(speaks && (kind.is_some() || payment_word(text).is_some())),
            types: u32::from(kind.is_some()),
            cod: kind == Some(Payment::Cod) || (speaks && speaks_of_cash(text)),
            sides: u32::from(sides(text).is_some()),
            figures: u32::from(figure.is_some()),
            sum: figure.is_some_and(|figure| figure >= Decimal::TEN),
            flags: u32::from(text.len() < 6 && matches!(says(text), Says::Yes | Says::No)),
            parts: u32::from(!is_unit(text) && !is_unit_beside_quantity(text)),
        }
    }

    /// Adds what so many cells hold.
    fn add(&mut self, one: Self, cells: u32) {
        for (all, own) in [
            (&mut self.filled, one.filled),
            (&mut self.words, one.words),
            (&mut self.types, one.types),
            (&mut self.sides, one.sides),
            (&mut self.figures, one.figures),
            (&mut self.flags, one.flags),
            (&mut self.parts, one.parts),
        ] {
            *all += own * cells;
        }
        self.cod |= one.cod;
        self.sum |= one.sum;
    }

    /// Whether the column says how orders are paid: most of its cells do, and in the words of a type.
    const fn is_payment(self) -> bool {
        self.types > 0 && self.words * 2 >= self.filled
    }

    /// Whether the column holds sums of money and nothing else.
    const fn is_charge(self) -> bool {
        self.sum && self.figures == self.filled
    }

    /// Whether the column says yes or no and nothing else.
    const fn is_flag(self) -> bool {
        self.flags > 0 && self.flags == self.filled
    }

    const fn is_size(self) -> bool {
        self.sides > 0 && self.sides * 2 >= self.filled
    }
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
    // A column of types says more than what is to be collected.
    let paid = told(Id::OrderType) || (plan.column(Id::OrderType).is_some() && !plan.is_collected());
    let payments = if paid { Vec::new() } else { plan.possible_payments() };
    let sizes = if told(Id::Length) { Vec::new() } else { plan.possible_sizes() };
    let says = |profile: &Profile| profile.built_in || profile.columns.contains_key(&Id::Carrier);
    let charges = if profile.is_some_and(says) { Vec::new() } else { plan.possible_charges() };
    let by_profile = profile.is_some_and(|profile| profile.columns.contains_key(&Id::OrderType));
    let rivals = if told(Id::OrderType) || by_profile { Vec::new() } else { plan.rival_payments() };
    let flags = if paid || plan.is_collected() { Vec::new() } else { plan.possible_payment_flags() };
    let mut problems: Vec<Finding> = unit_notice(sheet, sample, plan)?.into_iter().collect();
    if !told(Id::Price) {
        problems.extend(price_of_total(sheet, sample, plan)?);
    }
    if [&payments, &sizes, &charges, &rivals, &flags].iter().all(|columns| columns.is_empty()) {
        return Ok(problems);
    }
    let all = payments.iter().chain(&sizes).chain(&charges).chain(&flags).chain(&rivals);
    let held = held(sample.of(sheet)?, all);
    let (of_payments, others) = held.split_at(payments.len());
    let (of_sizes, others) = others.split_at(sizes.len());
    let (of_charges, others) = others.split_at(charges.len());
    let (of_flags, of_rivals) = others.split_at(flags.len());
    if let Some(column) = taken_instead(&rivals, of_rivals) {
        let of_second = |own: &Finding| own.id == finding::Id::DuplicateHeader && own.is_on(Id::OrderType.field().path);
        told_before.retain(|own| !of_second(own));
        plan.take_payment_instead(column.index);
    }
    for (column, _) in charges.iter().zip(of_charges).filter(|(_, held)| held.is_charge()) {
        plan.take_charge(column.index);
        let taken = sheet_notice::taken_for_charge(&column.header);
        problems.push(at_header(taken, sheet, column, Id::ShippingCharges.field()));
    }
    // Where what is to be collected tells as well, a column that says nothing of some orders would tell less.
    let all = |held: &Held| !plan.is_collected() || held.filled == held.rows;
    match payments.iter().zip(of_payments).find(|(_, held)| held.is_payment() && all(held)) {
        Some((column, _)) => {
            plan.take_payment(column.index);
            let field = Id::OrderType.field();
            let taken = sheet_notice::taken_for_payment(&column.header, field.header)
                .remedy(Remedy::rename(&column.header, field.header));
            problems.push(at_header(taken, sheet, column, field));
        }
        None => {
            if let Some((column, _)) = payments.iter().zip(of_payments).find(|(_, held)| held.cod) {
                plan.note_payment_in_cells(column.index);
            }
        }
    }
    for (column, _) in flags.iter().zip(of_flags).filter(|(_, held)| held.is_flag()).take(1) {
        plan.take_payment_flag(column.index);
    }
    if let Some((column, _)) = sizes.iter().zip(of_sizes).find(|(_, held)| held.is_size()) {
        plan.take_size(column.index);
        let taken = sheet_notice::sides_in_one(&column.header);
        problems.push(at_header(taken, sheet, column, Id::Length.field()));
    }
    Ok(problems)
}

/// Reckons the price from what each order comes to, where no column has the price and each order is one row. A header that
/// does not say so is only believed where each order is one piece, or where what is to be collected is the same.
fn price_of_total(sheet: &Sheet, sample: &LazySample, plan: &mut Plan) -> Result<Option<Finding>, SheetError> {
    let totals = plan.possible_totals();
    let [(column, is_of_order)] = totals[..] else { return Ok(None) };
    let (Some(number), Some(pieces)) = (plan.column(Id::OrderNumber), plan.column(Id::Quantity)) else {
        return Ok(None);
    };
    let sample = sample.of(sheet)?;
    let (numbers, pieces) = (sample.column(number), sample.column(pieces));
    let is_alone = numbers.filled > 0 && numbers.values.iter().all(|(_, cells)| *cells == 1);
    let is_one = || pieces.filled > 0 && pieces.texts().all(|text| text.parse::<Decimal>() == Ok(Decimal::ONE));
    let is_collected = || plan.collected_amounts().any(|own| are_among(sample.column(own), sample.column(column)));
    if !is_alone || !(is_of_order || is_one() || is_collected()) {
        return Ok(None);
    }
    plan.take_total(column);
    let header = sheet.header().cells[column as usize].clone();
    let taken = sheet_notice::price_of_total(&header, Remedy::add_column(Id::Price.field().header));
    Ok(Some(at_header(taken, sheet, &Column { index: column, header }, Id::Price.field())))
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

/// Tells of a column `Unit` that goes into the address, where it holds more than what goods are counted in.
fn unit_notice(sheet: &Sheet, sample: &LazySample, plan: &Plan) -> Result<Option<Finding>, SheetError> {
    let Some(column) = plan.possible_unit() else { return Ok(None) };
    let held = held(sample.of(sheet)?, std::iter::once(&column));
    Ok(held.first().filter(|held| held.parts > 0).map(|_| {
        let joined = sheet_notice::unit_joined(&column.header, Remedy::ignore(&column.header));
        at_header(joined, sheet, &column, Id::DestinationLine1.field())
    }))
}

/// The column of payments that says them, where the one that was taken for it by its better name says nothing of any.
fn taken_instead<'c>(rivals: &'c [Column], held: &[Held]) -> Option<&'c Column> {
    let (taken, _) = held.split_first()?;
    if taken.words > 0 || taken.filled == 0 {
        return None;
    }
    let says = |held: &Held| held.words > 0 && held.words * 2 >= held.filled;
    rivals.iter().zip(held).skip(1).find(|(_, held)| says(held)).map(|(column, _)| column)
}

/// What the first rows hold in these columns.
fn held<'c>(sample: &Sample, columns: impl Iterator<Item = &'c Column>) -> Vec<Held> {
    let of_column = |column: &Column| {
        let seen = sample.column(column.index);
        let mut held = Held { rows: sample.rows, ..Held::default() };
        seen.values.iter().for_each(|(text, count)| held.add(Held::of(text), *count));
        held
    };
    columns.map(of_column).collect()
}

fn at_header(notice: Finding, sheet: &Sheet, column: &Column, field: &Field) -> Finding {
    let place = Place::cell(sheet.source(), sheet.header().row, column.index, column.header.clone());
    notice.at(place).on_field(field.path)
}
