//! Which column of a sheet feeds which field, as far as grouping and building need it.

use std::sync::Arc;

use rust_decimal::Decimal;

use crate::check::{Dates, Habit};
use crate::field::{
    AmountRole, FIELDS, Id, Level, Sign, is_bare_tax, is_no_money, is_of_others, says_per_piece, says_percent,
    says_rate, says_whole_name, says_without_tax,
};
use crate::origin::{Place, Source};

use super::draft::RowRef;
use super::paid::SaidOfPayment;
use super::rivals::stand_ins;
use super::shown::Shown;

/// A column that feeds a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fed {
    /// The field.
    pub id: Id,
    /// The column that is shown as the value's place, counted from 0.
    pub column: u32,
    /// Which of the products that stand side by side in a row; 0 where there is one.
    pub product: u16,
    /// The step that makes the value; none where it is the cell as it stands.
    pub step: Option<u16>,
    /// Whether the column serves all products side by side, so that it does not make one by itself.
    pub shared: bool,
}

/// A unit that a header names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeaderUnit {
    /// The unit's field: of weight, of dimensions or of money.
    pub id: Id,
    /// What it may be; more than one only for signs of money such as `$`.
    pub words: Vec<&'static str>,
    /// The column whose header names it.
    pub column: u32,
}

/// A column with an amount of the order beside the fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Amount {
    /// What it says.
    pub role: AmountRole,
    /// The column, counted from 0.
    pub column: u32,
    /// Whether each row holds, or may hold, the part of its own line.
    pub each_line: bool,
    /// Whether its header alone says so, and no profile.
    pub by_header: bool,
}

/// Where a payment of any name counts as paid, by another cell of the row.
#[derive(Debug, Clone)]
pub struct PaidWhere {
    /// The header of that column.
    pub column: String,
    /// What stands there where it is paid.
    pub is: Vec<String>,
    /// Words, without case, spaces and punctuation, of payments that never count as paid.
    pub unless: Vec<String>,
}

/// What a sheet says beside its cells.
#[derive(Debug, Clone, Default)]
pub struct Facts {
    /// Constants where the sheet has no value.
    pub defaults: Vec<(Id, String)>,
    /// Units in headers.
    pub units: Vec<HeaderUnit>,
    /// How its profile says that dates are written.
    pub dates: Option<Dates>,
    /// What numbers are multiplied with to be in the unit that is sent.
    pub scales: Vec<(Id, Decimal)>,
    /// Whether the price is for all pieces of a line.
    pub line_total: bool,
    /// Whether its profile says that the discount of a product is for one piece.
    pub per_piece: bool,
    /// Amounts of the order beside the fields.
    pub amounts: Vec<Amount>,
    /// Fields of the order of which each row holds a part.
    pub parts: Vec<Id>,
    /// The column in which the sheet says what was wrong with a row when it was handed back.
    pub reasons: Option<u32>,
    /// The profile, where the sheet follows one.
    pub profile: Option<String>,
    /// Where its payments count as paid, if it says that.
    pub paid_where: Option<PaidWhere>,
    /// Whether a person made that profile.
    pub own_profile: bool,
    /// What says how orders are paid, beside a column of types of payment.
    pub payment: SaidOfPayment,
}

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
    pub(super) shown: Shown,
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
            shown: Shown::default(),
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
