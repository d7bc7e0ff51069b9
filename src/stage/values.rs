//! Columns that no header tells: by what they hold.

use std::collections::HashMap;

use rust_decimal::Decimal;

use crate::field::{
    Field, Id, Payment, Says, is_unit, is_unit_beside_quantity, payment_type, payment_word, says, sides, speaks_of_cash,
};
use crate::finding::column::sheet_notice;
use crate::finding::{self, Finding, Remedy};
use crate::origin::{Column, Place};
use crate::profile::{Plan, Profile};
use crate::sheet::{Sheet, SheetError};
use crate::text::Text;

/// Rows that are looked at.
const ROWS: usize = 2_000;

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
            rows: 1,
            filled: u32::from(!text.is_empty()),
            words: u32::from(speaks && (kind.is_some() || payment_word(text).is_some())),
            types: u32::from(kind.is_some()),
            cod: kind == Some(Payment::Cod) || (speaks && speaks_of_cash(text)),
            sides: u32::from(sides(text).is_some()),
            figures: u32::from(figure.is_some()),
            sum: figure.is_some_and(|figure| figure >= Decimal::TEN),
            flags: u32::from(text.len() < 6 && matches!(says(text), Says::Yes | Says::No)),
            parts: u32::from(!text.is_empty() && !is_unit(text) && !is_unit_beside_quantity(text)),
        }
    }

    fn add(&mut self, other: Self) {
        self.rows += other.rows;
        self.filled += other.filled;
        self.words += other.words;
        self.types += other.types;
        self.cod |= other.cod;
        self.sides += other.sides;
        self.figures += other.figures;
        self.sum |= other.sum;
        self.flags += other.flags;
        self.parts += other.parts;
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

/// What feeds what in a sheet, by its headers and the profile, and by its cells where those leave it open; with all that
/// there is to say of it. Columns with an ignored header are passed over.
pub fn plan_of(
    sheet: &Sheet,
    profile: Option<&Profile>,
    ignored: &[String],
) -> Result<(Plan, Vec<Finding>), SheetError> {
    let header = sheet.header();
    let (mut plan, mut problems) = Plan::passing_over(sheet.source(), header.row, &header.cells, profile, ignored);
    let by_values = by_values(sheet, &mut plan, profile, &mut problems)?;
    problems.extend(by_values);
    problems.extend(unit_notice(sheet, &plan)?);
    Ok((plan, problems))
}

/// Takes the columns that hold types of payment, and the three sides of a parcel, for what they are, where neither a header
/// nor the profile says which ones do.
///
/// Where only some cells of other columns speak of payments, that is noted: one payment for all orders would be wrong. What
/// was told before of a second column of payments is taken back where that one is the better one.
fn by_values(
    sheet: &Sheet,
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
    let mut problems = Vec::new();
    if [&payments, &sizes, &charges, &rivals, &flags].iter().all(|columns| columns.is_empty()) {
        return Ok(problems);
    }
    let all = payments.iter().chain(&sizes).chain(&charges).chain(&flags).chain(&rivals);
    let held = held(sheet, all)?;
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

/// Tells of a column `Unit` that goes into the address, where it holds more than what goods are counted in.
fn unit_notice(sheet: &Sheet, plan: &Plan) -> Result<Option<Finding>, SheetError> {
    let Some(column) = plan.possible_unit() else { return Ok(None) };
    let held = held(sheet, std::iter::once(&column))?;
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
fn held<'c>(sheet: &Sheet, columns: impl Iterator<Item = &'c Column>) -> Result<Vec<Held>, SheetError> {
    let columns: Vec<usize> = columns.map(|column| column.index as usize).collect();
    let mut held = vec![Held::default(); columns.len()];
    // Most cells say what others have said.
    let mut known: HashMap<Text, Held> = HashMap::new();
    sheet.first_rows(ROWS, &mut |_, row| {
        for (column, held) in columns.iter().zip(&mut held) {
            let text = row.cell(*column).text;
            held.add(match known.get(text) {
                Some(one) => *one,
                None => *known.entry(text.into()).or_insert(Held::of(text)),
            });
        }
    })?;
    Ok(held)
}

fn at_header(notice: Finding, sheet: &Sheet, column: &Column, field: &Field) -> Finding {
    let place = Place::cell(sheet.source(), sheet.header().row, column.index, column.header.clone());
    notice.at(place).on_field(field.path)
}
