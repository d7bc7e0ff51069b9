//! Which column of a sheet feeds which field, as far as grouping and building need it.

use std::sync::Arc;

use rust_decimal::Decimal;

use crate::check::{Dates, Habit};
use crate::field::{
    AmountRole, FIELDS, Id, Level, Ready, Sign, is_bare_tax, is_no_money, is_of_others, says_per_piece, says_percent,
    says_rate, says_whole_name, says_without_tax, stands_in,
};
use crate::finding::Finding;
use crate::origin::{Place, Source};
use crate::rule::Levels;
use crate::words::Vocabulary;

use super::days::Days;
use super::facts::{Amount, Facts, Fed, HeaderUnit, PaidWhere, SaidOfPayment};
use super::row::RowRef;

/// One sheet's columns.
#[derive(Debug, Clone)]
pub struct Layout {
    source: Arc<Source>,
    header: Vec<String>,
    columns: Vec<Option<u32>>,
    order_number: Option<Fed>,
    order_fields: Vec<Fed>,
    order_columns: Option<(u32, u32)>,
    products: Vec<Vec<Fed>>,
    facts: Facts,
    habits: Vec<Habit>,
    /// Columns whose headers say that they are in percent.
    percent: Vec<u32>,
    /// Columns whose headers say that their amounts are for one piece.
    per_piece: Vec<u32>,
    /// Columns whose headers say that there is no tax in their amounts.
    without_tax: Vec<u32>,
    /// Other columns for fields of the receiver, which stand in where theirs are blank.
    stand_ins: Vec<Fed>,
    /// Whether the receiver's names stand in one column, and nobody has said how they are parted.
    whole_names: bool,
    amounts_of_tax: Option<u32>,
    money_left_out: Vec<u32>,
    /// The columns in which some orders have a yes.
    consents: Vec<u32>,
    /// What columns of days show.
    days: Vec<(u32, Days)>,
}

impl Layout {
    /// A sheet's layout, from the columns that feed fields and what it says beside them.
    #[must_use]
    pub fn new(source: Arc<Source>, header: Vec<String>, fed: &[Fed], facts: Facts) -> Self {
        let mut columns = vec![None; FIELDS.len()];
        let mut order_number = None;
        let mut order_fields = Vec::new();
        let mut products: Vec<Vec<Fed>> = Vec::new();
        for feed in fed {
            let first: &mut Option<u32> = &mut columns[feed.id as usize];
            *first = first.or(Some(feed.column));
            match feed.id.field().level {
                _ if feed.id == Id::OrderNumber => order_number = Some(*feed),
                Level::Order => order_fields.push(*feed),
                Level::Line => {
                    let product = usize::from(feed.product);
                    products.resize(products.len().max(product + 1), Vec::new());
                    products[product].push(*feed);
                }
            }
        }
        let is_cell = |fed: &Fed| fed.step.is_none() && !facts.parts.contains(&fed.id);
        let first = order_fields.iter().map(|fed| fed.column).min();
        let last = order_fields.iter().map(|fed| fed.column).max();
        let order_columns = first.zip(last).filter(|_| order_fields.iter().all(is_cell));
        let column_of = |id: Id| order_fields.iter().find(|fed| fed.id == id);
        let whole_names = column_of(Id::ReceiverLastName).is_none()
            && column_of(Id::ReceiverFirstName)
                .filter(|fed| fed.step.is_none())
                .and_then(|fed| header.get(fed.column as usize))
                .is_some_and(|header| says_whole_name(header));
        let saying = |says: fn(&str) -> bool| -> Vec<u32> {
            (0..).zip(&header).filter(|(_, header)| says(header)).map(|(column, _)| column).collect()
        };
        Self {
            stand_ins: stand_ins(&order_fields, &facts.amounts, &header),
            whole_names,
            amounts_of_tax: None,
            money_left_out: Vec::new(),
            consents: Vec::new(),
            days: Vec::new(),
            percent: saying(says_percent),
            per_piece: saying(says_per_piece),
            without_tax: saying(says_without_tax),
            source,
            header,
            columns,
            order_number,
            order_fields,
            order_columns,
            products,
            facts,
            habits: vec![Habit::default(); FIELDS.len()],
        }
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
        self.columns[id as usize]
    }

    /// Where the order number is.
    #[must_use]
    pub const fn order_number(&self) -> Option<Fed> {
        self.order_number
    }

    /// Fields of the order, without the order number.
    #[must_use]
    pub fn order_fields(&self) -> &[Fed] {
        &self.order_fields
    }

    /// Other columns for a field of the receiver, which stand in where its own is blank.
    pub fn stand_ins(&self, id: Id) -> impl Iterator<Item = &Fed> {
        self.stand_ins.iter().filter(move |fed| fed.id == id)
    }

    /// The first and the last column of the order's own fields, where each is its cell and the same on every row.
    #[must_use]
    pub const fn order_columns(&self) -> Option<(u32, u32)> {
        self.order_columns
    }

    /// Fields of the lines, for each product that a row holds.
    #[must_use]
    pub fn products(&self) -> &[Vec<Fed>] {
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
        self.facts.per_piece || self.per_piece.contains(&column)
    }

    /// Whether a column's header says that there is no tax in its amounts.
    #[must_use]
    pub fn is_without_tax(&self, column: u32) -> bool {
        self.without_tax.contains(&column)
    }

    /// Amounts of the order beside the fields.
    #[must_use]
    pub fn amounts(&self) -> &[Amount] {
        &self.facts.amounts
    }

    /// Whether each row of an order holds a part of this field of it.
    #[must_use]
    pub fn in_parts(&self, id: Id) -> bool {
        self.facts.parts.contains(&id)
    }

    /// The column in which the sheet says what was wrong with a row when it was handed back.
    #[must_use]
    pub const fn reasons(&self) -> Option<u32> {
        self.facts.reasons
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

    /// Learns from one more text how the column of a field writes numbers and dates.
    pub fn learn(&mut self, id: Id, text: &str) {
        self.habits[id as usize].learn(id.field().kind, text);
    }

    /// Adds what another part of a field's column has shown.
    pub fn add_habit(&mut self, id: Id, shown: Habit) {
        self.habits[id as usize].add(shown);
    }

    /// Whether a column's header says that it is in percent.
    #[must_use]
    pub fn in_percent(&self, column: u32) -> bool {
        self.percent.contains(&column)
    }

    /// Keeps which columns hold money that no field takes.
    pub fn add_money_left_out(&mut self, columns: Vec<u32>) {
        self.money_left_out = columns;
    }

    /// Asks of columns that no field takes what they are, where no header says so and all of their figures may be money.
    pub fn ask_of_money(&mut self, columns: &[u32]) {
        let may_be = |column: &u32| !self.is_by_program() && !is_no_money(self.header(*column));
        let asked: Vec<u32> = columns.iter().copied().filter(may_be).collect();
        let is_note = |role: AmountRole| matches!(role, AmountRole::Sign(Sign::Note | Sign::Courier));
        let notes = self.facts.amounts.iter_mut().filter(|amount| is_note(amount.role));
        notes.filter(|note| asked.contains(&note.column)).for_each(|note| {
            *note = Amount { role: AmountRole::Perhaps, each_line: true, by_header: true, ..*note };
        });
    }

    /// Whether a column holds money that no field takes and that customers may pay, as far as its header says.
    #[must_use]
    pub fn is_money_left_out(&self, column: u32) -> bool {
        // What a cell may say of whether its order goes is no comparison of money.
        let is_money = |amount: &&Amount| !matches!(amount.role, AmountRole::Sign(_) | AmountRole::Perhaps);
        let compared = || self.facts.amounts.iter().filter(is_money).any(|amount| amount.column == column);
        self.money_left_out.contains(&column)
            && !self.is_by_program()
            && !compared()
            && !is_of_others(self.header(column))
    }

    /// The columns that a tax gives its name and that may hold its rates or its amounts.
    pub fn unclear_taxes(&self) -> impl Iterator<Item = u32> {
        let unclear = |amount: &&Amount| {
            amount.role == AmountRole::Tax && amount.by_header && is_bare_tax(self.header(amount.column))
        };
        self.facts.amounts.iter().filter(unclear).map(|amount| amount.column)
    }

    /// Takes columns of taxes for what they hold, once all of their cells are seen: rates, or amounts of money.
    pub fn settle_taxes(&mut self, shown: &[(u32, Habit)]) {
        let rates = |column: u32| shown.iter().any(|(of, habit)| *of == column && !habit.is_money());
        self.facts.amounts.retain(|amount| amount.role != AmountRole::Tax || !rates(amount.column));
        let Some(column) = self.column(Id::TaxRate) else { return };
        let by_name = self.facts.profile.is_none() && !says_rate(self.header(column));
        if by_name && self.habit(Id::TaxRate).is_money() {
            self.products.iter_mut().for_each(|product| product.retain(|fed| fed.id != Id::TaxRate));
            self.columns[Id::TaxRate as usize] = None;
            self.facts.amounts.push(Amount { role: AmountRole::Tax, column, each_line: true, by_header: true });
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
        self.amounts().iter().filter(move |amount| is_meant(amount.role)).map(|amount| amount.column)
    }

    /// Adds columns in which some orders have a yes.
    pub fn add_consents(&mut self, columns: impl Iterator<Item = u32>) {
        self.consents.extend(columns);
    }

    /// The columns in which some orders have a yes, so that a blank cell says something as well.
    #[must_use]
    pub fn consents(&self) -> &[u32] {
        &self.consents
    }

    /// Adds what a part of a column of days has shown.
    pub fn add_days(&mut self, column: u32, shown: Days) {
        match self.days.iter_mut().find(|(of, _)| *of == column) {
            Some((_, days)) => days.add(shown),
            None => self.days.push((column, shown)),
        }
    }

    /// What a column of days shows.
    pub(super) fn days(&self, column: u32) -> Option<&Days> {
        self.days.iter().find(|(of, _)| *of == column).map(|(_, days)| days)
    }

    /// A column's header.
    #[must_use]
    pub fn header(&self, column: u32) -> &str {
        self.header.get(column as usize).map_or("", String::as_str)
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

    /// A cell's place.
    #[must_use]
    pub fn cell(&self, row: u32, column: u32) -> Place {
        let header = self.header.get(column as usize).cloned().unwrap_or_default();
        Place::cell(&self.source, row, column, header)
    }
}

/// The columns of a second name or address that stand in where their first one is blank: not a whole name for a part of one.
fn stand_ins(order_fields: &[Fed], amounts: &[Amount], header: &[String]) -> Vec<Fed> {
    let name = |column: u32| header.get(column as usize).map_or("", String::as_str);
    let found = amounts.iter().filter_map(|amount| {
        let AmountRole::Same(id) = amount.role else { return None };
        let own = order_fields.iter().find(|fed| fed.id == id && fed.step.is_none())?;
        let fits = stands_in(id.field(), name(own.column), name(amount.column));
        fits.then_some(Fed { column: amount.column, ..*own })
    });
    found.collect()
}

/// The layouts of one run's sheets, by their number.
#[derive(Debug, Clone, Default)]
pub struct Layouts(Vec<Layout>);

impl Layouts {
    /// Adds a sheet and gives its number.
    pub fn add(&mut self, layout: Layout) -> u16 {
        self.0.push(layout);
        u16::try_from(self.0.len() - 1).unwrap_or(u16::MAX)
    }

    /// A sheet's layout.
    #[must_use]
    pub fn of(&self, sheet: u16) -> &Layout {
        &self.0[usize::from(sheet)]
    }

    /// A sheet's layout, to learn from its cells.
    pub fn of_mut(&mut self, sheet: u16) -> &mut Layout {
        &mut self.0[usize::from(sheet)]
    }

    /// All sheets' layouts.
    pub fn iter(&self) -> impl Iterator<Item = &Layout> {
        self.0.iter()
    }

    /// A finding with the weight that its rule has in its sheet, see [`Levels::settle`]; by the first sheet where it has no
    /// place.
    #[must_use]
    pub fn settle(&self, finding: Finding) -> Option<Finding> {
        let is_of = |layout: &&Layout| finding.place.as_ref().is_some_and(|place| place.source == layout.source);
        match self.0.iter().find(is_of).or_else(|| self.0.first()) {
            Some(layout) => layout.levels().settle(finding),
            None => Some(finding),
        }
    }

    /// The place of a row, or of one field's cell in it.
    #[must_use]
    pub fn place(&self, at: RowRef, id: Option<Id>) -> Place {
        self.of(at.sheet).place(at.row, id)
    }

    /// Rows as people write them: `orders.csv:2-4, 9`, `Orders rows 2-4, 9`.
    #[must_use]
    pub fn rows(&self, rows: &[RowRef]) -> String {
        let mut parts: Vec<String> = Vec::new();
        let mut sheet_before = None;
        let mut index = 0;
        while index < rows.len() {
            let first = rows[index];
            let mut last = first;
            while let Some(next) = rows.get(index + 1) {
                if next.sheet != first.sheet || next.row != last.row + 1 {
                    break;
                }
                last = *next;
                index += 1;
            }
            index += 1;
            let span = if first.row == last.row { String::new() } else { format!("-{}", last.row) };
            if sheet_before == Some(first.sheet) {
                parts.push(format!("{}{span}", first.row));
            } else {
                let several = rows.iter().filter(|row| row.sheet == first.sheet).count() > 1;
                parts.push(format!("{}{span}", self.place(first, None).first_of(several)));
            }
            sheet_before = Some(first.sheet);
        }
        parts.join(", ")
    }
}
