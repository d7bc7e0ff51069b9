//! What each column of a sheet is: which feeds which field, and what the others say beside the fields.

use std::collections::BTreeSet;
use std::sync::{Arc, LazyLock};

use crate::text::Decimal;

use crate::field::{ExtraRole, HeaderReading, Id, Need, StateRole, Version, is_named, normalised};
use crate::origin::{Column, Place, Source};
use crate::parse::{ColumnFormat, Dates};
use crate::profile::{ColumnValues, Mapper, Meaning, NUMBER, Part, Profile, Recipe, When};
use crate::rule::Levels;
use crate::sheet::{Row, RowEnds};
use crate::words::Vocabulary;

use super::feed::{Candidate, Extra, Feed, HeaderUnit};
use super::look::{Days, Look};

/// One sheet's columns: what each of them is, in one place. They are decided by `decide`, and nothing changes them later but
/// what all of their cells show.
#[derive(Debug, Clone, Default)]
pub struct Columns {
    /// Where they stand.
    pub source: Arc<Source>,
    /// The row of the headers.
    pub(super) row: u32,
    pub(super) headers: Arc<[HeaderReading]>,
    pub(super) feeds: Vec<Feed>,
    pub(super) unknown: Vec<u32>,
    /// What columns say beside the fields.
    pub claims: Vec<Extra>,
    /// Units in headers, one for each unit's field.
    pub units: Vec<HeaderUnit>,
    /// What makes the values that are not simply a cell.
    pub mapper: Mapper,
    /// The profile that it follows.
    pub(super) profile: Option<Arc<Profile>>,
    /// The columns that header and cells together made sure.
    pub taken: Vec<Candidate>,
    /// The columns that may be fields which nothing feeds, the likeliest first.
    pub likely: Vec<Candidate>,
    /// Columns that are not what their headers say.
    pub(super) refused: Vec<u32>,
    /// Columns that are products.
    pub(super) as_products: Vec<u32>,
    /// The column whose cells say how orders are paid, though it is not taken for it.
    pub(super) payment_in_cells: Option<u32>,
    /// Whether the price is for all pieces of a line.
    pub line_total: bool,
    /// Columns of totals of which each row of an order has its own, that of its pieces.
    pub row_totals: Vec<u32>,
    /// Where payments count as paid.
    pub paid_where: Option<When>,
    /// Columns whose headers nobody here has a word for, and whose texts may say whether orders go.
    pub(super) unread: Vec<u32>,
    /// A person's answers on values, by their columns.
    pub(super) values: Vec<(u32, ColumnValues)>,
    /// Whether its profile says that the discount of a product is for one piece.
    pub per_piece: bool,
    /// Whether every row is one product that stands in no column, as in a list of addresses.
    pub has_constant_product: bool,
    pub(super) words: Option<Arc<Vocabulary>>,
    /// The levels of rules for what it holds.
    pub levels: Levels,
    /// Where the order number is.
    pub order_number: Option<Feed>,
    /// Fields of the order, without the order number.
    pub order_fields: Vec<Feed>,
    /// Fields of the lines, for each product that a row holds.
    pub products: Vec<Vec<Feed>>,
    /// The runs of columns of the order's own fields and of second ones, where each is its cell and the same on every row.
    pub order_runs: Vec<(u32, u32)>,
    /// What numbers are multiplied with to be in the unit that is sent.
    pub(super) scales: Vec<(Id, Decimal)>,
    /// Fields of the order of which each row holds a part.
    pub(super) parts: Vec<Id>,
    pub(super) habits: Vec<ColumnFormat>,
    /// The columns in which some orders have a yes, so that a blank cell says something as well.
    pub consents: Vec<u32>,
    pub(super) days: Vec<(u32, Days)>,
    /// How its rows end.
    pub ends: RowEnds,
}

impl Columns {
    /// The words that its remarks are read by.
    #[must_use]
    pub fn vocabulary(&self) -> &Vocabulary {
        self.words.as_deref().unwrap_or_else(|| Vocabulary::built_in())
    }

    /// The column of a field; of its first product where several stand side by side.
    #[must_use]
    pub fn column(&self, id: Id) -> Option<u32> {
        self.feed(id).map(|feed| feed.column)
    }

    /// What feeds a field; its first product where several stand side by side.
    pub(crate) fn feed(&self, id: Id) -> Option<Feed> {
        self.fed().find(|feed| feed.id() == id)
    }

    /// The column of a field that is the cell as it stands.
    #[must_use]
    pub fn plain(&self, id: Id) -> Option<u32> {
        self.feed(id).filter(|own| own.step.is_none()).map(|own| own.column)
    }

    /// Every fed field with its column, in the order of the table of fields.
    pub fn fed(&self) -> impl Iterator<Item = Feed> + '_ {
        self.feeds.iter().copied()
    }

    /// The columns in which another number of the order may stand: those that feed no field, or free text only.
    pub fn beside_the_number(&self) -> impl Iterator<Item = u32> + '_ {
        let is_free = |id| matches!(id, Id::SellerNote | Id::Tags | Id::ChannelId);
        let fed = self.fed().filter(|feed| !is_free(feed.id()));
        let fed: BTreeSet<u32> = fed.flat_map(|feed| self.sources(feed)).collect();
        (0..).take(self.headers.len()).filter(move |column| !fed.contains(column))
    }

    /// How many columns feed a field of that version's request; one that feeds several counts once.
    pub(crate) fn columns_used(&self, version: Version) -> usize {
        let sent = self.fed().filter(|feed| feed.field.need(version) != Need::Absent);
        sent.flat_map(|feed| self.sources(feed)).collect::<BTreeSet<u32>>().len()
    }

    /// The columns that a field is made of.
    #[must_use]
    pub fn sources(&self, feed: Feed) -> Vec<u32> {
        feed.step.map_or_else(|| vec![feed.column], |step| self.mapper.sources(step).to_vec())
    }

    /// The second columns of a field: of names, a whole one is none for a part of one.
    pub fn seconds_of(&self, fed: Feed) -> impl Iterator<Item = u32> {
        let is_part = |column: u32| self.get(column).says("part-of-name");
        let seconds = self.claims.iter().filter(move |own| own.role == ExtraRole::Same(fed.id()));
        seconds.map(|own| own.column).filter(move |column| is_part(*column) == is_part(fed.column))
    }

    /// The columns with a header that no field takes.
    #[must_use]
    pub fn unknown(&self) -> Vec<Column> {
        self.unknown.iter().map(|index| self.named(*index)).collect()
    }

    /// A column with its header.
    pub(super) fn named(&self, index: u32) -> Column {
        Column { index, header: self.header(index).to_owned() }
    }

    /// Whether the receiver's names stand in one column, and nobody has said how they are parted: the last word of a whole name
    /// is the last name.
    pub(crate) fn whole_names(&self) -> bool {
        let is_name = |feed: &Feed| feed.step.is_none() || self.phone_in_name();
        let name = self.feed(Id::ReceiverFirstName).filter(is_name);
        self.column(Id::ReceiverLastName).is_none()
            && name.is_some_and(|feed| !self.get(feed.column).says("part-of-name"))
    }

    /// Whether the cells of the receiver's name end with the phone number.
    pub(super) fn phone_in_name(&self) -> bool {
        let step = self.feed(Id::ReceiverFirstName).and_then(|feed| feed.step);
        step.and_then(|step| self.mapper.recipe(step)).is_some_and(|own| own.part == Some(Part::Name))
    }

    /// What the profile puts before each order number.
    pub(crate) fn prefix(&self) -> &str {
        self.profile.as_deref().map_or("", |profile| profile.prefix.as_str())
    }

    /// The profile that it follows.
    pub(crate) fn own_profile(&self) -> Option<&Profile> {
        self.profile.as_deref()
    }

    /// The name of the profile that it is read by.
    #[must_use]
    pub fn profile(&self) -> Option<&str> {
        self.profile.as_deref().map(|profile| profile.name.as_str())
    }

    /// Whether a person made that profile.
    pub(crate) fn is_own(&self) -> bool {
        self.profile.as_deref().is_some_and(|profile| !profile.built_in)
    }

    /// Whether the sheet is read by a profile that comes with the program.
    pub(crate) fn is_by_program(&self) -> bool {
        self.profile.as_deref().is_some_and(|profile| profile.built_in)
    }

    /// How a profile makes a field, where it is fed so, and not by another column that means it.
    pub(crate) fn recipe(&self, id: Id) -> Option<&Recipe> {
        let recipe = self.profile.as_ref()?.columns.get(&id)?;
        let Feed { column, product, step, .. } = self.feed(id)?;
        let is_it = |own: &String| is_named(&[own.replace(NUMBER, &(product + 1).to_string())], self.header(column));
        (step.is_some() || recipe.columns().iter().any(is_it)).then_some(recipe)
    }

    /// Whether a payment is one that the profile never counts as paid.
    pub(crate) fn never_paid(&self, text: &str) -> bool {
        let bare = normalised(text);
        let is_never = |recipe: &Recipe| recipe.unless.iter().any(|word| bare.contains(word.as_str()));
        self.recipe(Id::OrderType).is_some_and(is_never)
    }

    /// The meaning of a value of a column by a person's answer.
    #[must_use]
    pub fn meaning(&self, column: u32, text: &str) -> Option<Meaning> {
        self.values.iter().filter(|(of, _)| *of == column).filter_map(|(_, values)| values.meaning(text)).max()
    }

    /// Whether a column says how much of an order is paid in advance, or still due, and a person has the courier collect the rest: by
    /// an answer on its amounts, or by taking what is due for how orders are paid.
    pub(crate) fn collects_rest(&self, column: u32) -> bool {
        let is_due = || self.is_own() && self.is_collected() && self.column(Id::OrderType) == Some(column);
        self.values.iter().any(|(of, values)| *of == column && values.collects_rest()) || is_due()
    }

    /// All that a person says of the values of a column.
    pub fn meanings(&self, column: u32) -> impl Iterator<Item = (Meaning, &String)> {
        self.values.iter().filter(move |(of, _)| *of == column).flat_map(|(_, values)| values.all())
    }

    /// Whether the type of payment is made of what is to be collected.
    #[must_use]
    pub fn is_collected(&self) -> bool {
        let step = self.feed(Id::OrderType).and_then(|feed| feed.step);
        step.and_then(|step| self.mapper.recipe(step)).is_some_and(|recipe| recipe.collects)
    }

    /// The header of the column that says what is to be collected, where nothing else says how orders are paid.
    pub(crate) fn collecting(&self) -> Option<&str> {
        self.column(Id::OrderType).filter(|_| self.is_collected()).map(|column| self.header(column))
    }

    /// Whether anything in the sheet says how orders are paid: then one payment for all orders would be wrong.
    pub(crate) fn speaks_of_payment(&self) -> bool {
        self.is_collected() || self.speaker_of_payment().is_some()
    }

    /// The header of a column that says how orders are paid, though none is taken for their types of payment.
    pub(crate) fn speaker_of_payment(&self) -> Option<&str> {
        let claims = || self.claims.iter().find(|claim| claim.role.speaks_of_payment()).map(|claim| claim.column);
        self.payment_in_cells.or_else(claims).map(|column| self.header(column))
    }

    /// Whether a means of payment is one that was used. The profiles of the program say themselves when orders are paid.
    pub(crate) fn means_are_paid(&self) -> bool {
        self.paid_where.is_none() && !self.is_by_program()
    }

    /// The header of a column that may be what all pieces of a row come to, where no column has the price of one.
    pub(crate) fn possible_line_total(&self) -> Option<&str> {
        let is_total = |claim: &&Extra| claim.by_header && claim.role == ExtraRole::Total;
        self.claims.iter().find(is_total).filter(|_| self.feed(Id::Price).is_none()).map(|own| self.header(own.column))
    }

    /// This sheet's constant for a field.
    #[must_use]
    pub fn default(&self, id: Id) -> Option<&str> {
        self.profile.as_ref()?.defaults.get(&id).map(String::as_str)
    }

    /// The unit that a header names for a unit's field.
    #[must_use]
    pub fn unit(&self, id: Id) -> Option<&HeaderUnit> {
        self.units.iter().find(|unit| unit.id == id)
    }

    /// How the sheet's profile says that dates are written.
    #[must_use]
    pub fn dates(&self) -> Option<&Dates> {
        self.profile.as_deref().map(|profile| &profile.dates)
    }

    /// Whether a header or a profile says what weights are in.
    pub(crate) fn says_weight_unit(&self) -> bool {
        self.unit(Id::WeightUnit).is_some()
            || self.scale(Id::Weight).is_some()
            || self.default(Id::WeightUnit).is_some()
    }

    /// What a field's number is multiplied with.
    pub(crate) fn scale(&self, id: Id) -> Option<Decimal> {
        self.scales.iter().find(|(of, _)| *of == id).map(|(_, factor)| *factor)
    }

    /// Whether each row of an order holds a part of this field of it.
    pub(crate) fn in_parts(&self, id: Id) -> bool {
        self.parts.contains(&id)
    }

    /// How the column of a field writes numbers and dates.
    #[must_use]
    pub fn habit(&self, id: Id) -> ColumnFormat {
        self.habits[id as usize]
    }

    /// The same, once all of its cells are seen.
    #[must_use]
    pub fn seen(mut self, look: Look) -> Self {
        for (id, shown) in look.habits {
            self.habits[id as usize].add(shown);
        }
        self.consents = look.consents.iter().filter(|(_, is_there)| *is_there).map(|(column, _)| *column).collect();
        self.days = look.days;
        self.ends = look.ends;
        self
    }

    /// What there is to look at in the cells, before anything is shown: beside the columns of these fields, those that say
    /// something as a whole.
    pub(crate) fn blank_look(&self, judged: impl Iterator<Item = Id>) -> Look {
        fn each<K, V: Default>(columns: impl Iterator<Item = K>) -> Vec<(K, V)> {
            columns.map(|column| (column, V::default())).collect()
        }
        let is_consent = |own: &Extra| matches!(own.role, ExtraRole::Sign(StateRole::Confirmed | StateRole::Go));
        Look {
            habits: each(judged),
            consents: each(self.claimed(is_consent)),
            days: each(self.claimed(|own| own.role == ExtraRole::Sign(StateRole::Day))),
            ends: RowEnds::default(),
        }
    }

    /// The columns with such a claim.
    pub(super) fn claimed<'c>(
        &'c self,
        is_meant: impl Fn(&Extra) -> bool + Clone + 'c,
    ) -> impl Iterator<Item = u32> + Clone + 'c {
        self.claims.iter().filter(move |claim| is_meant(claim)).map(|claim| claim.column)
    }

    /// Writes what a row holds in each run of columns of the order's own fields, which most sheets repeat on every row of an
    /// order; nothing where that is not all that they say.
    pub fn lead(&self, row: &Row, lead: &mut String) {
        lead.clear();
        for (first, last) in &self.order_runs {
            let Some(run) = row.stretch(*first as usize, *last as usize) else { return lead.clear() };
            // No line of a sheet has the end of one in it.
            lead.extend([run, "\n"]);
        }
    }

    /// Whether a row says in these columns just what another one said there.
    pub(crate) fn has_lead(&self, row: &Row, lead: &str) -> bool {
        let mut runs = self.order_runs.iter();
        let left = runs.try_fold(lead, |left, (first, last)| {
            left.strip_prefix(row.stretch(*first as usize, *last as usize)?)?.strip_prefix('\n')
        });
        left == Some("") && !lead.is_empty()
    }

    /// What a column of days shows.
    #[must_use]
    pub fn days(&self, column: u32) -> Option<&Days> {
        self.days.iter().find(|(of, _)| *of == column).map(|(_, days)| days)
    }

    /// What the header of a column says; nothing beyond the last of them.
    #[must_use]
    pub fn get(&self, column: u32) -> &HeaderReading {
        static BEYOND: LazyLock<HeaderReading> = LazyLock::new(HeaderReading::default);
        self.headers.get(column as usize).unwrap_or(&BEYOND)
    }

    /// A column's header.
    #[must_use]
    pub fn header(&self, column: u32) -> &str {
        &self.get(column).header
    }

    /// The header of a field's column, or of one that it would have.
    pub(crate) fn header_of(&self, id: Id) -> &str {
        self.column(id).map_or(id.field().header, |own| self.header(own))
    }

    /// A row's place, or its cell's where the field has a column.
    #[must_use]
    pub fn place(&self, row: u32, id: Option<Id>) -> Place {
        let column = id.and_then(|id| self.column(id));
        column.map_or_else(|| Place::row(&self.source, row), |column| self.cell(row, column))
    }

    /// A cell's place.
    #[must_use]
    pub fn cell(&self, row: u32, column: u32) -> Place {
        Place::cell(&self.source, row, column, self.header(column).to_owned())
    }
}
