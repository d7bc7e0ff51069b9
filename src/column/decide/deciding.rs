//! What is known of a sheet beforehand, and its columns while they are decided.

use std::cell::OnceCell;
use std::sync::{Arc, LazyLock};

use crate::column::{Columns, Extra, Feed};
use crate::field::{ExtraRole, FIELDS, HeaderReading, Id, Level, Match, Rank, StateRole, is_named, normalised};
use crate::origin::{Place, Source};
use crate::parse::{ColumnFormat, ReadingSettings};
use crate::profile::{ColumnValues, Mapper, Profile, Recipe, Step};
use crate::sheet::{Sheet, SheetError};

use super::sample::{LazySample, Sample, Seen};

/// No sheet for people has more columns; comparing the words of more takes seconds and finds nothing.
pub(super) const COMPARED_MAX: usize = 1_000;

/// What is known of a sheet beforehand.
#[derive(Debug, Clone, Copy, Default)]
pub struct Known<'a> {
    /// How it is read.
    pub profile: Option<&'a Profile>,
    /// Headers that are passed over.
    pub ignored: &'a [String],
    /// What is needed, and what stands in where a sheet has no column.
    pub rules: Option<&'a ReadingSettings>,
}

impl Known<'_> {
    /// One value for all orders.
    pub(super) fn constant(&self, id: Id) -> Option<&str> {
        let of_profile = self.profile.and_then(|profile| profile.defaults.get(&id)).map(String::as_str);
        of_profile.or_else(|| self.rules.and_then(|rules| rules.configured(id)))
    }

    /// Whether the profile gives one value for all orders.
    pub(super) fn has_default(&self, id: Id) -> bool {
        self.profile.is_some_and(|profile| profile.defaults.contains_key(&id))
    }

    /// Whether the profile names the columns of a field.
    pub(super) fn names(&self, id: Id) -> bool {
        let says_payments =
            |profile: &Profile| id == Id::OrderType && profile.values.values().any(ColumnValues::are_payments);
        self.profile.is_some_and(|profile| profile.columns.contains_key(&id) || says_payments(profile))
    }

    /// Whether the profile comes with the program, and knows all there is to know.
    pub(super) fn is_by_program(&self) -> bool {
        self.profile.is_some_and(|profile| profile.built_in)
    }

    /// Whether a person wants a column passed over.
    pub(super) fn ignores(&self, header: &str) -> bool {
        is_named(self.profile.map_or(self.ignored, |profile| &profile.ignored), header)
    }

    /// Whether the profile says what values of a column mean.
    pub(super) fn answers(&self, header: &str) -> bool {
        let bare = normalised(header);
        self.profile.is_some_and(|profile| profile.values.keys().any(|own| normalised(own) == bare))
    }

    /// Whether the profile says that a column is not sent.
    pub(super) fn leaves_out(&self, header: &str) -> bool {
        self.profile.is_some_and(|profile| is_named(&profile.left_out, header))
    }
}

/// A sheet whose columns are being decided.
pub(super) struct Deciding<'a> {
    pub(super) columns: Columns,
    pub(super) known: &'a Known<'a>,
    sheet: &'a Sheet,
    sample: &'a LazySample,
    failure: OnceCell<SheetError>,
}

impl<'a> Deciding<'a> {
    pub(super) const fn new(sheet: &'a Sheet, sample: &'a LazySample, known: &'a Known<'a>, columns: Columns) -> Self {
        Self { columns, known, sheet, sample, failure: OnceCell::new() }
    }

    /// What the first rows hold, which are read where somebody asks for them. Of a sheet that cannot be read that is nothing,
    /// and nothing is decided in the end.
    pub(super) fn sample(&self) -> &'a Sample {
        static NOTHING: LazyLock<Sample> = LazyLock::new(Sample::default);
        // It would fail again, and take as long.
        if self.failure.get().is_some() {
            return &NOTHING;
        }
        self.sample.of(self.sheet).unwrap_or_else(|error| {
            let _ = self.failure.set(error);
            &NOTHING
        })
    }

    /// What was seen of a column.
    pub(super) fn seen(&self, column: u32) -> &'a Seen {
        self.sample().column(column)
    }

    /// The columns, once all is decided.
    pub(super) fn decided(self) -> Result<Columns, SheetError> {
        self.failure.into_inner().map_or(Ok(self.columns), Err)
    }
}

/// What cells say of columns against or beside their headers.
#[derive(Debug, Clone, Default)]
pub(super) struct Meanings {
    /// Columns that are fields, whatever their headers say.
    pub(super) taken: Vec<(u32, Id)>,
    /// Columns that are not what their headers say.
    pub(super) refused: Vec<u32>,
    /// Columns that are products.
    pub(super) products: Vec<u32>,
}

impl Meanings {
    /// Whether the cells of a column say what it is, or that it is not what its header says.
    pub(super) fn are_of(&self, column: u32) -> bool {
        self.refused.contains(&column) || self.taken.iter().any(|(own, _)| *own == column)
    }

    /// The field that a column is by its cells, or else by its header.
    pub(super) fn matched(&self, column: u32, reading: &HeaderReading) -> Option<Match> {
        let taken = self.taken.iter().find(|(own, _)| *own == column);
        let by_cells = taken.map(|(_, id)| Match { field: id.field(), rank: Rank::Cells });
        by_cells.or_else(|| reading.field.filter(|_| !self.are_of(column)))
    }
}

impl Columns {
    /// Columns of which nothing is decided yet.
    pub(super) fn new(
        (source, row): (&Arc<Source>, u32),
        headers: &Arc<[HeaderReading]>,
        profile: Option<Arc<Profile>>,
    ) -> Self {
        let mut columns = Self {
            source: Arc::clone(source),
            row,
            headers: Arc::clone(headers),
            habits: vec![ColumnFormat::default(); FIELDS.len()],
            profile,
            ..<Self as Default>::default()
        };
        columns.mapper = Mapper::new(columns.profile.as_deref(), |wanted| columns.find(wanted));
        columns
    }

    /// The column with that header, by its very text or else whatever its case, spaces and punctuation.
    pub(super) fn find(&self, wanted: &str) -> Option<u32> {
        let exact = self.headers.iter().position(|own| own.header == wanted);
        let bare = normalised(wanted);
        let found = exact.or_else(|| self.headers.iter().position(|own| !bare.is_empty() && own.bare == bare));
        found.and_then(|index| u32::try_from(index).ok())
    }

    /// The place of a column's header.
    pub(super) fn header_place(&self, column: u32) -> Place {
        self.cell(self.row, column)
    }

    /// Feeds a field from a column, which nothing else takes.
    pub(super) fn take(&mut self, id: Id, column: u32, recipe: Option<&Recipe>) {
        let step = recipe
            .map(|recipe| self.mapper.add(Step { recipe: recipe.clone(), sources: vec![column], ..Step::default() }));
        self.unknown.retain(|own| *own != column);
        self.feeds.push(Feed::of(id, column, step));
        self.sort();
    }

    /// Brings what feeds fields into the order of the table.
    pub(super) fn sort(&mut self) {
        self.feeds.sort_by_key(|feed| (feed.id(), feed.product));
    }

    /// The columns that no field takes, and those whose amounts are only compared.
    pub(super) fn free_columns(&self) -> Vec<u32> {
        let is_free = |own: &Extra| {
            let role = matches!(own.role, ExtraRole::Same(_) | ExtraRole::Total | ExtraRole::Beside) && own.by_header
                || own.role == ExtraRole::Sign(StateRole::Payment);
            let is_open = role || self.is_spare(own.role);
            is_open && !self.feeds.iter().any(|feed| feed.column == own.column)
        };
        let mut free: Vec<u32> = self.unknown.iter().copied().chain(self.claimed(is_free)).collect();
        free.sort_unstable();
        free.dedup();
        free
    }

    /// What a column says that may feed a field all the same where that has no other: a part of the address its city or its
    /// first line, and a number that the courier gives, or else the shop, the order's.
    pub(super) fn spare_role(&self, column: u32) -> Option<ExtraRole> {
        self.claims.iter().filter(|own| own.column == column).map(|own| own.role).find(|role| self.is_spare(*role))
    }

    fn is_spare(&self, role: ExtraRole) -> bool {
        let is_open = |id: Id| self.column(id).is_none();
        match role {
            ExtraRole::Address(_) => is_open(Id::DestinationCity) || is_open(Id::DestinationLine1),
            ExtraRole::Sign(StateRole::Number) => is_open(Id::OrderNumber),
            _ => false,
        }
    }

    /// Takes in what else the profile and the configuration say, and what follows from all of it.
    pub(super) fn completed(mut self, known: &Known<'_>) -> Self {
        let Known { profile, rules, .. } = *known;
        self.words = rules.and_then(|rules| rules.words.vocabulary().unwrap_or_default());
        let product = self.column(Id::ProductName).is_none().then(|| known.constant(Id::ProductName)).flatten();
        self.has_constant_product = product.is_some_and(|name| !name.is_empty());
        let payment = profile.and_then(|profile| profile.columns.get(&Id::OrderType));
        self.paid_where = payment.filter(|recipe| recipe.otherwise.is_some()).and_then(|recipe| recipe.when.clone());
        if let Some(column) = self.paid_where.as_ref().and_then(|paid| self.find(&paid.column)) {
            self.claims.push(Extra::of(ExtraRole::Sign(StateRole::Payment), column));
        }
        let values = profile.map(|profile| &profile.values).into_iter().flatten();
        let values = values.filter_map(|(header, values)| Some((self.find(header)?, values.clone()))).collect();
        self.values = values;
        self.line_total |= self.recipe(Id::Price).is_some_and(Recipe::is_line_total);
        self.per_piece = self.recipe(Id::LineDiscount).is_some_and(|recipe| recipe.per_piece);
        let recipes = || FIELDS.iter().filter_map(|field| Some((field.id, self.recipe(field.id)?)));
        let scales = recipes().filter_map(|(id, recipe)| Some((id, recipe.scale?))).collect();
        let parts = recipes().filter(|(_, recipe)| recipe.is_in_parts()).map(|(id, _)| id).collect();
        (self.scales, self.parts) = (scales, parts);
        for feed in &self.feeds {
            match feed.field.level {
                _ if feed.id() == Id::OrderNumber => self.order_number = Some(*feed),
                Level::Order => self.order_fields.push(*feed),
                Level::Line => {
                    let product = usize::from(feed.product);
                    self.products.resize(self.products.len().max(product + 1), Vec::new());
                    self.products[product].push(*feed);
                }
            }
        }
        let is_cell = |feed: &Feed| feed.step.is_none() && !self.in_parts(feed.id());
        let seconds = self.claimed(|own| matches!(own.role, ExtraRole::Same(id) if id.field().is_receivers()));
        let mut own: Vec<u32> = self.order_fields.iter().map(|feed| feed.column).chain(seconds).collect();
        own.sort_unstable();
        let runs = own.chunk_by(|one, next| next - one < 2).filter(|_| self.order_fields.iter().all(is_cell));
        self.order_runs = runs.map(|run| (run[0], run[run.len() - 1])).collect();
        self
    }
}
