//! Which column of a sheet feeds which field, as far as grouping and building need it.

use std::sync::Arc;

use rust_decimal::Decimal;

use crate::check::{Dates, Habit};
use crate::field::{AmountRole, FIELDS, Id, Level, Ready, Sign, Trait};
use crate::origin::{Place, Source};
use crate::rule::Levels;
use crate::words::Vocabulary;

use super::days::Days;
use super::facts::{Facts, PaidWhere, SaidOfPayment};
use super::feed::{Claim, Column, Feed, HeaderUnit, NAMELESS};
use super::look::Look;

/// Beyond the last header.
static BEYOND: Column = NAMELESS;

/// One sheet's columns: what each of them is, in one place.
#[derive(Debug, Clone)]
pub struct Columns {
    source: Arc<Source>,
    all: Vec<Column>,
    by_field: Vec<Option<u32>>,
    order_number: Option<Feed>,
    order_fields: Vec<Feed>,
    order_stretch: Option<(u32, u32)>,
    products: Vec<Vec<Feed>>,
    facts: Facts,
    habits: Vec<Habit>,
    /// Whether the receiver's names stand in one column, and nobody has said how they are parted.
    whole_names: bool,
    amounts_of_tax: Option<u32>,
    money_left_out: Vec<u32>,
    /// The columns in which some orders have a yes.
    consents: Vec<u32>,
    /// What columns of days show.
    days: Vec<(u32, Days)>,
}

impl Columns {
    /// A sheet's columns, from those that feed fields and what it says beside them.
    #[must_use]
    pub fn new(source: Arc<Source>, all: Vec<Column>, feeds: &[Feed], facts: Facts) -> Self {
        let mut by_field = vec![None; FIELDS.len()];
        let mut order_number = None;
        let mut order_fields = Vec::new();
        let mut products: Vec<Vec<Feed>> = Vec::new();
        for feed in feeds {
            let first: &mut Option<u32> = &mut by_field[feed.id() as usize];
            *first = first.or(Some(feed.column));
            match feed.field.level {
                _ if feed.id() == Id::OrderNumber => order_number = Some(*feed),
                Level::Order => order_fields.push(*feed),
                Level::Line => {
                    let product = usize::from(feed.product);
                    products.resize(products.len().max(product + 1), Vec::new());
                    products[product].push(*feed);
                }
            }
        }
        let is_cell = |feed: &Feed| feed.step.is_none() && !facts.parts.contains(&feed.id());
        let first = order_fields.iter().map(|feed| feed.column).min();
        let last = order_fields.iter().map(|feed| feed.column).max();
        let order_stretch = first.zip(last).filter(|_| order_fields.iter().all(is_cell));
        let column_of = |id: Id| order_fields.iter().find(|feed| feed.id() == id);
        let whole_names = column_of(Id::ReceiverLastName).is_none()
            && column_of(Id::ReceiverFirstName)
                .filter(|feed| feed.step.is_none())
                .and_then(|feed| all.get(feed.column as usize))
                .is_some_and(|column| !column.is(Trait::PartOfName));
        Self {
            whole_names,
            amounts_of_tax: None,
            money_left_out: Vec::new(),
            consents: Vec::new(),
            days: Vec::new(),
            source,
            all,
            by_field,
            order_number,
            order_fields,
            order_stretch,
            products,
            facts,
            habits: vec![Habit::default(); FIELDS.len()],
        }
    }

    /// Where they stand.
    #[must_use]
    pub const fn source(&self) -> &Arc<Source> {
        &self.source
    }

    /// Whether every row is one product that stands in no column.
    #[must_use]
    pub const fn has_constant_product(&self) -> bool {
        self.facts.constant_product
    }

    /// The words that its remarks are read by.
    #[must_use]
    pub fn vocabulary(&self) -> &Vocabulary {
        self.facts.words.as_deref().unwrap_or_else(|| Vocabulary::built_in())
    }

    /// The levels of rules for what it holds.
    #[must_use]
    pub const fn levels(&self) -> &Levels {
        &self.facts.levels
    }

    /// The column of a field; of its first product where several stand side by side.
    #[must_use]
    pub fn column(&self, id: Id) -> Option<u32> {
        self.by_field[id as usize]
    }

    /// Where the order number is.
    #[must_use]
    pub const fn order_number(&self) -> Option<Feed> {
        self.order_number
    }

    /// Fields of the order, without the order number.
    #[must_use]
    pub fn order_fields(&self) -> &[Feed] {
        &self.order_fields
    }

    /// Other columns for a field of the receiver, which stand in where its own is blank.
    pub fn stand_ins(&self, id: Id) -> impl Iterator<Item = &Feed> {
        self.facts.stand_ins.iter().filter(move |feed| feed.id() == id)
    }

    /// The first and the last column of the order's own fields, where each is its cell and the same on every row.
    #[must_use]
    pub const fn order_stretch(&self) -> Option<(u32, u32)> {
        self.order_stretch
    }

    /// Fields of the lines, for each product that a row holds.
    #[must_use]
    pub fn products(&self) -> &[Vec<Feed>] {
        &self.products
    }

    /// Whether the receiver's first name is a whole one, whose last word is the last name.
    #[must_use]
    pub const fn whole_names(&self) -> bool {
        self.whole_names
    }

    /// Where payments count as paid.
    #[must_use]
    pub const fn paid_where(&self) -> Option<&PaidWhere> {
        self.facts.paid_where.as_ref()
    }

    /// The header of the column that says what is to be collected, where nothing else says how orders are paid.
    #[must_use]
    pub fn collecting(&self) -> Option<&str> {
        self.column(Id::OrderType)
            .filter(|_| self.facts.payment == SaidOfPayment::Collected)
            .map(|column| self.header(column))
    }

    /// Whether the sheet is read by a profile that comes with the program.
    #[must_use]
    pub const fn is_by_program(&self) -> bool {
        self.facts.profile.is_some() && !self.facts.own_profile
    }

    /// Whether anything in the sheet says how orders are paid: then one payment for all would be wrong.
    #[must_use]
    pub fn speaks_of_payment(&self) -> bool {
        self.facts.payment != SaidOfPayment::Nothing
    }

    /// Whether a means of payment is one that was used. The profiles of the program say themselves when orders are paid.
    #[must_use]
    pub const fn means_are_paid(&self) -> bool {
        self.facts.paid_where.is_none() && !self.is_by_program()
    }

    /// This sheet's constant for a field.
    #[must_use]
    pub fn default(&self, id: Id) -> Option<&str> {
        self.facts.defaults.iter().find(|(of, _)| *of == id).map(|(_, text)| text.as_str())
    }

    /// The unit that a header names for a unit's field.
    #[must_use]
    pub fn unit(&self, id: Id) -> Option<&HeaderUnit> {
        self.facts.units.iter().find(|unit| unit.id == id)
    }

    /// How the sheet's profile says that dates are written.
    #[must_use]
    pub const fn dates(&self) -> Option<&Dates> {
        self.facts.dates.as_ref()
    }

    /// What a field's number is multiplied with.
    #[must_use]
    pub fn scale(&self, id: Id) -> Option<Decimal> {
        self.facts.scales.iter().find(|(of, _)| *of == id).map(|(_, factor)| *factor)
    }

    /// Whether the price is for all pieces of a line.
    #[must_use]
    pub const fn line_total(&self) -> bool {
        self.facts.line_total
    }

    /// Whether the discount in a column is for one piece of a line: by the profile, or by its header.
    #[must_use]
    pub fn is_per_piece(&self, column: u32) -> bool {
        self.facts.per_piece || self.get(column).is(Trait::PerPiece)
    }

    /// What columns say beside the fields.
    #[must_use]
    pub fn claims(&self) -> &[Claim] {
        &self.facts.claims
    }

    /// Whether each row of an order holds a part of this field of it.
    #[must_use]
    pub fn in_parts(&self, id: Id) -> bool {
        self.facts.parts.contains(&id)
    }

    /// The profile of the program that this sheet follows: one that changes how it is read is based on that.
    #[must_use]
    pub fn based_on(&self) -> Option<&str> {
        self.facts.profile.as_deref().filter(|_| !self.facts.own_profile)
    }

    /// How the column of a field writes numbers and dates.
    #[must_use]
    pub fn habit(&self, id: Id) -> Habit {
        self.habits[id as usize]
    }

    /// The same, once all of its cells are seen.
    #[must_use]
    pub fn seen(mut self, look: Look) -> Self {
        for (id, shown) in look.habits {
            self.habits[id as usize].add(shown);
        }
        self.settle_taxes(&look.taxes);
        self.ask_of_money(&look.may_be_money);
        (self.money_left_out, self.consents, self.days) = (look.money, look.consents, look.days);
        self
    }

    /// Asks of columns that no field takes what they are, where no header says so and all of their figures may be money.
    fn ask_of_money(&mut self, columns: &[u32]) {
        let may_be = |column: &u32| !self.is_by_program() && !self.get(*column).is(Trait::NoMoney);
        let asked: Vec<u32> = columns.iter().copied().filter(may_be).collect();
        let is_note = |role: AmountRole| matches!(role, AmountRole::Sign(Sign::Note | Sign::Courier));
        let notes = self.facts.claims.iter_mut().filter(|claim| is_note(claim.role));
        notes.filter(|note| asked.contains(&note.column)).for_each(|note| {
            *note = Claim { role: AmountRole::Perhaps, each_line: true, by_header: true, ..*note };
        });
    }

    /// Whether a column holds money that no field takes and that customers may pay, as far as its header says.
    #[must_use]
    pub fn is_money_left_out(&self, column: u32) -> bool {
        // What a cell may say of whether its order goes is no comparison of money.
        let is_money = |claim: &&Claim| !matches!(claim.role, AmountRole::Sign(_) | AmountRole::Perhaps);
        let compared = || self.facts.claims.iter().filter(is_money).any(|claim| claim.column == column);
        self.money_left_out.contains(&column)
            && !self.is_by_program()
            && !compared()
            && !self.get(column).is(Trait::NotPaid)
    }

    /// The columns that a tax gives its name and that may hold its rates or its amounts.
    pub fn unclear_taxes(&self) -> impl Iterator<Item = u32> {
        let unclear = |claim: &&Claim| {
            claim.role == AmountRole::Tax && claim.by_header && self.get(claim.column).is(Trait::BareTax)
        };
        self.facts.claims.iter().filter(unclear).map(|claim| claim.column)
    }

    /// Takes columns of taxes for what they hold, once all of their cells are seen: rates, or amounts of money.
    fn settle_taxes(&mut self, shown: &[(u32, Habit)]) {
        let rates = |column: u32| shown.iter().any(|(of, habit)| *of == column && !habit.is_money());
        self.facts.claims.retain(|claim| claim.role != AmountRole::Tax || !rates(claim.column));
        let Some(column) = self.column(Id::TaxRate) else { return };
        let by_name = self.facts.profile.is_none() && !self.get(column).is(Trait::Rate);
        if by_name && self.habit(Id::TaxRate).is_money() {
            self.products.iter_mut().for_each(|product| product.retain(|feed| feed.id() != Id::TaxRate));
            self.by_field[Id::TaxRate as usize] = None;
            self.facts.claims.push(Claim { role: AmountRole::Tax, column, each_line: true, by_header: true });
            self.amounts_of_tax = Some(column);
        }
    }

    /// The column that was taken for rates of a tax by its header, and holds amounts that are not sent.
    #[must_use]
    pub const fn amounts_of_tax(&self) -> Option<u32> {
        self.amounts_of_tax
    }

    /// The columns in which a yes lets an order go.
    pub fn columns_of_consent(&self) -> impl Iterator<Item = u32> {
        self.columns_of(|sign| matches!(sign, Sign::Ready(Ready::Confirmed | Ready::Go)))
    }

    /// The columns of the day on which an order is sent, be it planned or past.
    pub fn columns_of_days(&self) -> impl Iterator<Item = u32> {
        self.columns_of(|sign| sign == Sign::Day)
    }

    fn columns_of(&self, is_meant: fn(Sign) -> bool) -> impl Iterator<Item = u32> {
        let is_meant = move |role: AmountRole| matches!(role, AmountRole::Sign(sign) if is_meant(sign));
        self.claims().iter().filter(move |claim| is_meant(claim.role)).map(|claim| claim.column)
    }

    /// The columns in which some orders have a yes, so that a blank cell says something as well.
    #[must_use]
    pub fn consents(&self) -> &[u32] {
        &self.consents
    }

    /// What a column of days shows.
    #[must_use]
    pub fn days(&self, column: u32) -> Option<&Days> {
        self.days.iter().find(|(of, _)| *of == column).map(|(_, days)| days)
    }

    /// A column's header.
    #[must_use]
    pub fn header(&self, column: u32) -> &str {
        &self.get(column).header
    }

    /// What the charge of a field is for, by the header of its column or else by its own.
    #[must_use]
    pub fn charge_of(&self, id: Id, column: Option<u32>) -> &[String] {
        match column {
            Some(column) => &self.get(column).charge,
            None => self.facts.charges.iter().find(|(of, _)| *of == id).map_or(&[], |(_, kinds)| kinds),
        }
    }

    /// A column; one without a header beyond the last of them.
    #[must_use]
    pub fn get(&self, column: u32) -> &Column {
        self.all.get(column as usize).unwrap_or(&BEYOND)
    }

    /// The header of a field's column, or of one that it would have.
    #[must_use]
    pub fn header_of(&self, id: Id) -> &str {
        self.column(id).map_or(id.field().header, |column| self.header(column))
    }

    /// A row's place, or its cell's where the field has a column.
    #[must_use]
    pub fn place(&self, row: u32, id: Option<Id>) -> Place {
        match id.and_then(|id| self.column(id)) {
            Some(column) => self.cell(row, column),
            None => Place::row(&self.source, row),
        }
    }

    /// Changes the levels of rules for what it holds.
    pub(super) fn set_levels(&mut self, change: impl Fn(Levels) -> Levels) {
        self.facts.levels = change(std::mem::take(&mut self.facts.levels));
    }

    /// A cell's place.
    #[must_use]
    pub fn cell(&self, row: u32, column: u32) -> Place {
        Place::cell(&self.source, row, column, self.header(column).to_owned())
    }
}
