//! A profile's recipes and rules at work on the rows of one sheet.

use std::collections::BTreeMap;

use crate::field::Id;
use crate::finding::Finding;
use crate::finding::order::held_back;
use crate::sheet::{CellKind, Row};
use crate::words::Topic;

use super::file::Profile;
use super::filter::{BoundFilter, LeftOut};
use super::recipe::{Part, Recipe, lines};
use super::step::{Step, value_of};

/// Makes the values that are not simply a cell, and decides which rows are left out.
#[derive(Debug, Clone, Default)]
pub struct Mapper {
    steps: Vec<Step>,
    rules: Vec<BoundFilter>,
    /// The name of the profile that they come from.
    profile: String,
    order_number: Option<OrderNumber>,
    /// How many lines of a column's cells are taken, where it is taken apart by lines and by nothing else.
    lines_taken: BTreeMap<u32, Option<usize>>,
}

/// Where the order number comes from.
#[derive(Debug, Clone)]
struct OrderNumber {
    step: Option<u16>,
    column: u32,
    fill_down: bool,
    /// The columns that name products.
    names: Vec<u32>,
}

/// What was made of the present row; one for each pass over a sheet.
#[derive(Debug, Clone, Default)]
pub struct Mapped {
    text: String,
    cells: Vec<(usize, usize, CellKind)>,
    /// The order number of the row before, and the rule by which its order is left out.
    carried: String,
    left_out: Option<usize>,
    same_order: bool,
    filled_down: bool,
}

impl Mapper {
    pub(crate) fn new(profile: Option<&Profile>, find: impl Fn(&str) -> Option<u32>) -> Self {
        let Some(Profile { filters, name, .. }) = profile else { return Self::default() };
        let rules = filters.iter().flat_map(|filter| BoundFilter::all(filter, &find)).collect();
        Self { rules, profile: name.clone(), ..Self::default() }
    }

    /// Adds a value that is made; gives its place.
    pub(crate) fn add(&mut self, step: Step) -> u16 {
        let taken = if let Some(Part::Line(line)) = step.recipe.part { Some(line + 1) } else { None };
        for source in &step.sources {
            let all = self.lines_taken.entry(*source).or_insert(taken);
            *all = all.zip(taken).map(|(one, other)| one.max(other));
        }
        self.steps.push(step);
        u16::try_from(self.steps.len() - 1).unwrap_or(u16::MAX)
    }

    /// Puts a prefix before what a step makes, or before the cells of a column; gives the step.
    pub(crate) fn prefix(&mut self, step: Option<u16>, column: u32, prefix: &str) -> u16 {
        if let Some((step, own)) = step.and_then(|step| Some((step, self.steps.get_mut(usize::from(step))?))) {
            prefix.clone_into(&mut own.recipe.prefix);
            return step;
        }
        let recipe = Recipe { prefix: prefix.to_owned(), ..Recipe::default() };
        self.add(Step { recipe, sources: vec![column], ..Step::default() })
    }

    pub(crate) fn order_number(&mut self, column: u32, step: Option<u16>, fill_down: bool, names: Vec<u32>) {
        self.order_number = Some(OrderNumber { step, column, fill_down, names });
    }

    /// What a step makes of its columns.
    #[must_use]
    pub fn recipe(&self, step: u16) -> Option<&Recipe> {
        self.steps.get(usize::from(step)).map(|step| &step.recipe)
    }

    /// The text behind the first of several columns of a step in a row, and whether it is taken because that one is blank.
    #[must_use]
    pub fn fallback<'r>(&self, step: u16, row: &'r Row) -> Option<(&'r str, bool)> {
        let step = self.steps.get(usize::from(step)).filter(|step| !step.recipe.first.is_empty())?;
        let (first, others) = step.sources.split_first()?;
        let mut filled = others.iter().map(|column| row.cell(*column as usize).text).filter(|text| !text.is_empty());
        Some((filled.next()?, row.cell(*first as usize).kind == CellKind::Empty))
    }

    /// The columns of a step.
    #[must_use]
    pub fn sources(&self, step: u16) -> &[u32] {
        self.steps.get(usize::from(step)).map_or(&[], |step| step.sources.as_slice())
    }

    /// Whether every value is a cell as it stands and no row is left out.
    pub(crate) fn is_identity(&self) -> bool {
        self.steps.is_empty()
            && self.rules.is_empty()
            && self.order_number.as_ref().is_none_or(|number| !number.fill_down)
    }

    /// Makes the values of a row. A row that is left out gives the reason.
    pub fn map<'a>(&'a self, row: &Row, mapped: &mut Mapped) -> Option<LeftOut<'a>> {
        if self.is_identity() {
            return None;
        }
        mapped.text.clear();
        mapped.cells.clear();
        for step in &self.steps {
            let start = mapped.text.len();
            let kind = step.make(row, &mut mapped.text);
            mapped.cells.push((start, mapped.text.len(), kind));
        }
        if let Some(column) = self.totals(row, mapped) {
            mapped.filled_down = false;
            return Some(LeftOut { because: None, column, is_summary: false });
        }
        mapped.same_order = self.carry(row, mapped);
        let mut of_rows = self.rules.iter().enumerate().filter(|(_, rule)| rule.filter.leaves_out_rows());
        let decided = of_rows.clone().find(|(_, rule)| rule.takes(row, mapped.same_order)).map(|(index, _)| index);
        // Later rows of an order often leave its status blank.
        let mut undecided = || mapped.same_order && of_rows.all(|(_, rule)| rule.cell(row).is_empty());
        mapped.left_out = decided.or_else(|| mapped.left_out.filter(|_| undecided()));
        mapped.left_out.and_then(|index| self.rules.get(index)).map(BoundFilter::left_out)
    }

    /// Why the product of the row that was mapped last is left out, where only that is.
    pub(crate) fn line_left_out(&self, row: &Row, mapped: &Mapped) -> Option<LeftOut<'_>> {
        let of_lines = self.rules.iter().filter(|rule| rule.filter.line);
        of_lines.into_iter().find(|rule| rule.takes(row, mapped.same_order)).map(BoundFilter::left_out)
    }

    /// Why the order of the row that was mapped last is held back: all that has to be settled, of each column once. Each
    /// comes with its column. What the rule that leaves out the row's product has settled is not asked about.
    #[must_use]
    pub fn held(&self, row: &Row, mapped: &Mapped, line: Option<LeftOut<'_>>) -> Vec<(u32, Finding)> {
        let lost = self.lines_taken.iter().filter_map(|(column, taken)| {
            let (found, taken) = (lines(row.cell(*column as usize).text).count(), (*taken)?);
            (found > taken).then(|| (*column, held_back::lines_lost(found, &self.profile, taken)))
        });
        let mut told: Vec<(u32, Finding)> = lost.collect();
        let settled = line.map(|line| line.column);
        for rule in self.rules.iter().filter(|rule| rule.holds(settled) && rule.takes(row, mapped.same_order)) {
            if !told.iter().any(|(column, _)| *column == rule.column) {
                told.push((rule.column, rule.held(row)));
            }
        }
        told
    }

    /// The column that makes a row without an order number one of totals, where such rows belong to the order above.
    fn totals(&self, row: &Row, mapped: &Mapped) -> Option<u32> {
        let number = self.order_number.as_ref().filter(|number| number.fill_down)?;
        if !number.own(row, mapped).is_empty() || number.has_product(row) {
            return None;
        }
        let mut cells = (0_u32..).zip(row.cells());
        cells
            .find(|(_, cell)| cell.kind != CellKind::Empty && Topic::Rows.says(cell.text, "total"))
            .map(|(column, _)| column)
    }

    /// Remembers the order number; `true` where the row belongs to the order above it.
    fn carry(&self, row: &Row, mapped: &mut Mapped) -> bool {
        let Some(number) = &self.order_number else { return false };
        let own = number.own(row, mapped);
        let fills_down = own.is_empty() && number.fill_down && !mapped.carried.is_empty() && number.has_product(row);
        let is_same = fills_down || own == mapped.carried;
        let own = if is_same { None } else { Some(own.to_owned()) };
        mapped.filled_down = fills_down;
        mapped.carried = own.unwrap_or_else(|| std::mem::take(&mut mapped.carried));
        is_same
    }
}

impl OrderNumber {
    /// What the row itself says.
    fn own<'r>(&self, row: &'r Row, mapped: &'r Mapped) -> &'r str {
        mapped.made(self.step).map_or_else(|| row.cell(self.column as usize).text, |(text, _)| text)
    }

    /// Whether a row without a number reads on like a line of the order above: it names a product, and no total.
    fn has_product(&self, row: &Row) -> bool {
        let is_named = |column: &u32| {
            let cell = row.cell(*column as usize);
            cell.kind != CellKind::Empty && !Topic::Rows.says(cell.text, "total")
        };
        self.names.is_empty() || self.names.iter().any(is_named)
    }
}

impl Mapped {
    /// What a step made.
    fn made(&self, step: Option<u16>) -> Option<(&str, CellKind)> {
        let (start, end, kind) = self.cells.get(usize::from(step?))?;
        Some((&self.text[*start..*end], *kind))
    }

    /// The text of a field, and what its cell was: made by a step, or the row's own.
    #[must_use]
    pub fn cell<'r>(&'r self, row: &'r Row, id: Id, column: u32, step: Option<u16>) -> (&'r str, CellKind) {
        if id == Id::OrderNumber && self.filled_down {
            return (&self.carried, CellKind::Text);
        }
        self.made(step).unwrap_or_else(|| {
            let cell = row.cell(column as usize);
            (value_of(&cell, id.field().kind), cell.kind)
        })
    }
}
