//! A profile's recipes at work on the rows of one sheet.

use crate::field::{Id, Payment, normalised, payment_type, payment_word};
use crate::finding::Finding;
use crate::finding::order::held_back;
use crate::sheet::{CellKind, Row};

use super::file::Profile;
use super::filldown::{Below, below};
use super::filter::{Filter, Rule};
use super::made::{self, is_broken};
use super::recipe::{Part, Recipe, lines};

/// Makes the values that are not simply a cell, and decides which rows are left out.
#[derive(Debug, Clone, Default)]
pub struct Mapper {
    steps: Vec<Step>,
    filters: Vec<Rule>,
    /// The name of the profile that they come from.
    profile: String,
    order_number: Option<OrderNumber>,
    /// Columns that are taken apart by lines, each with how many of its lines are taken.
    by_lines: Vec<(u32, usize)>,
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

/// One value that is made.
#[derive(Debug, Clone)]
struct Step {
    sources: Vec<u32>,
    /// The columns of a recipe with `by`: the one that decides, and the one that is then taken.
    blocks: Vec<(Option<u32>, Option<u32>)>,
    /// The column of the recipe's condition, where the sheet has it.
    when: Option<u32>,
    /// The columns of pieces that do not go.
    less: Vec<u32>,
    /// The column of the pieces that the number is multiplied with.
    times: Option<u32>,
    recipe: Recipe,
}

/// What was made of the present row; one for each pass over a sheet.
#[derive(Debug, Clone, Default)]
pub struct Mapped {
    text: String,
    cells: Vec<(usize, usize, CellKind)>,
    /// The order number of the row before, and why its order is left out.
    carried: String,
    left_out: Option<(u32, usize)>,
    /// The filter that leaves out this row's product, and the one that holds its order back.
    line_left_out: Option<usize>,
    is_summary: bool,
    same_order: bool,
    held: Option<usize>,
    /// A cell with more lines than are taken, by its place among such columns.
    lines_over: Option<usize>,
    filled_down: bool,
}

/// Why a row is left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LeftOut<'a> {
    /// The profile's word for it; none for a row of totals.
    pub because: Option<&'a str>,
    /// The column that decided.
    pub column: u32,
}

/// Why an order is held back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeldBack {
    /// What is wrong.
    pub finding: Finding,
    /// The column that decided.
    pub column: u32,
}

impl Mapper {
    pub(super) fn new(profile: Option<&Profile>, find: impl Fn(&str) -> Option<u32>) -> Self {
        let filters = profile.map(|profile| profile.filters.as_slice()).unwrap_or_default();
        let filters = filters.iter().flat_map(|filter| Rule::all(filter, &find)).collect();
        let profile = profile.map(|profile| profile.name.clone()).unwrap_or_default();
        Self { steps: Vec::new(), filters, profile, order_number: None, by_lines: Vec::new() }
    }

    pub(super) fn add(
        &mut self,
        recipe: &Recipe,
        sources: Vec<u32>,
        blocks: Vec<(Option<u32>, Option<u32>)>,
        when: Option<u32>,
        less: Vec<u32>,
        times: Option<u32>,
    ) -> u16 {
        self.steps.push(Step { sources, blocks, when, less, times, recipe: recipe.clone() });
        u16::try_from(self.steps.len() - 1).unwrap_or(u16::MAX)
    }

    pub(super) fn order_number(&mut self, column: u32, step: Option<u16>, fill_down: bool, names: Vec<u32>) {
        self.order_number = Some(OrderNumber { step, column, fill_down, names });
    }

    /// What a step makes of its columns.
    #[must_use]
    pub fn recipe(&self, step: u16) -> Option<&Recipe> {
        self.steps.get(usize::from(step)).map(|step| &step.recipe)
    }

    /// Whether a step says what is to be collected, so that a blank cell means nothing.
    pub(super) fn is_collected(&self, step: u16) -> bool {
        self.recipe(step).is_some_and(|recipe| recipe.collects)
    }

    /// Sees that no line of a cell is lost of which only some are taken.
    pub(super) fn watch_lines(&mut self) {
        let single =
            |step: &Step| matches!(step.recipe.part, Some(Part::Line(_))).then(|| step.sources.first().copied());
        let mut columns: Vec<u32> = self.steps.iter().filter_map(single).flatten().collect();
        columns.sort_unstable();
        columns.dedup();
        for column in columns {
            let own = || self.steps.iter().filter(|step| step.sources.contains(&column));
            let taken = |step: &Step| match step.recipe.part {
                Some(Part::Line(line)) => line + 1,
                _ => 0,
            };
            if own().all(|step| matches!(step.recipe.part, Some(Part::Line(_)))) {
                self.by_lines.push((column, own().map(taken).max().unwrap_or(0)));
            }
        }
    }

    /// The columns of a step.
    #[must_use]
    pub fn sources(&self, step: u16) -> &[u32] {
        self.steps.get(usize::from(step)).map_or(&[], |step| step.sources.as_slice())
    }

    /// Whether every value is a cell as it stands and no row is left out.
    #[must_use]
    pub fn is_identity(&self) -> bool {
        self.steps.is_empty()
            && self.filters.is_empty()
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
            (mapped.line_left_out, mapped.held, mapped.filled_down) = (None, None, false);
            mapped.lines_over = None;
            return Some(LeftOut { because: None, column });
        }
        let same_order = self.carry(row, mapped);
        mapped.same_order = same_order;
        let found = |which: &dyn Fn(&Rule) -> bool| {
            self.filters.iter().position(|rule| which(rule) && rule.takes(row, same_order))
        };
        mapped.line_left_out = found(&|rule| rule.filter.line);
        mapped.is_summary = mapped.line_left_out.is_some_and(|index| self.filters[index].filter.summary);
        let settled = mapped.line_left_out.map(|index| self.filters[index].column);
        let over = |(column, taken): &(u32, usize)| lines(row.cell(*column as usize).text).nth(*taken).is_some();
        mapped.lines_over = self.by_lines.iter().position(over);
        mapped.held = found(&|rule| rule.holds(settled));
        let decided = found(&|rule| rule.filter.leaves_out_rows());
        let mut of_rows = self.filters.iter().filter(|rule| rule.filter.leaves_out_rows());
        let mut undecided = || of_rows.all(|rule| row.cell(rule.column as usize).text.is_empty());
        mapped.left_out = match decided {
            Some(index) => Some((self.filters[index].column, index)),
            // Later rows of an order often leave its status blank.
            None if same_order && undecided() => mapped.left_out,
            None => None,
        };
        mapped.left_out.and_then(|(_, index)| self.reason(Some(index)))
    }

    /// Why the product of the row that was mapped last is left out, where only that is.
    #[must_use]
    pub fn line_left_out(&self, mapped: &Mapped) -> Option<LeftOut<'_>> {
        self.reason(mapped.line_left_out)
    }

    /// Why the order of the row that was mapped last is held back: all that has to be settled, of each column once.
    #[must_use]
    pub fn held(&self, row: &Row, mapped: &Mapped) -> Vec<HeldBack> {
        let mut told: Vec<HeldBack> = self.lines_lost(row, mapped).into_iter().collect();
        let Some(first) = mapped.held else { return told };
        let settled = mapped.line_left_out.map(|index| self.filters[index].column);
        for rule in &self.filters[first..] {
            let holds = rule.holds(settled) && rule.takes(row, mapped.same_order);
            if holds && !told.iter().any(|own| own.column == rule.column) {
                told.push(HeldBack { finding: rule.held(row), column: rule.column });
            }
        }
        told
    }

    /// A cell with more lines than are taken of it.
    fn lines_lost(&self, row: &Row, mapped: &Mapped) -> Option<HeldBack> {
        let (column, taken) = mapped.lines_over.and_then(|place| self.by_lines.get(place))?;
        let found = lines(row.cell(*column as usize).text).count();
        Some(HeldBack { finding: held_back::lines_lost(found, &self.profile, *taken), column: *column })
    }

    fn reason(&self, filter: Option<usize>) -> Option<LeftOut<'_>> {
        let Rule { column, filter: Filter { because, .. }, .. } = self.filters.get(filter?)?;
        Some(LeftOut { because: Some(because.as_str()), column: *column })
    }

    /// The column that makes a row without an order number one of totals, where such rows belong to the order above.
    fn totals(&self, row: &Row, mapped: &Mapped) -> Option<u32> {
        let number = self.order_number.as_ref().filter(|number| number.fill_down)?;
        if !number.own(row, &mapped.text, &mapped.cells).is_empty() {
            return None;
        }
        match below(row, &number.names) {
            Below::Totals(column) => Some(column),
            Below::Line | Below::Stray => None,
        }
    }

    /// Remembers the order number; `true` where the row belongs to the order above it.
    fn carry(&self, row: &Row, mapped: &mut Mapped) -> bool {
        let Some(number) = &self.order_number else { return false };
        let Mapped { text, cells, carried, filled_down, .. } = mapped;
        let own = number.own(row, text, cells);
        let reads_on = || below(row, &number.names) == Below::Line;
        *filled_down = own.is_empty() && number.fill_down && !carried.is_empty() && reads_on();
        if *filled_down || own == carried.as_str() {
            return true;
        }
        carried.clear();
        carried.push_str(own);
        false
    }
}

impl OrderNumber {
    /// What the row itself says.
    fn own<'r>(&self, row: &'r Row, text: &'r str, cells: &[(usize, usize, CellKind)]) -> &'r str {
        match self.step {
            Some(step) => cells.get(usize::from(step)).map_or("", |(start, end, _)| &text[*start..*end]),
            None => row.cell(self.column as usize).text,
        }
    }
}

impl Mapped {
    /// Begins anew, with no row before.
    pub fn forget(&mut self) {
        self.carried.clear();
        self.left_out = None;
        self.filled_down = false;
    }

    /// Whether the row's product is part of its order.
    #[must_use]
    pub const fn has_line(&self) -> bool {
        self.line_left_out.is_none()
    }

    /// Whether the row only says what holds for its order, whose products stand on rows of their own.
    #[must_use]
    pub const fn is_summary(&self) -> bool {
        self.is_summary
    }

    /// Whether a rule has something to say of the row's product or order.
    #[must_use]
    pub const fn is_ruled(&self) -> bool {
        self.line_left_out.is_some() || self.held.is_some() || self.lines_over.is_some()
    }

    /// The text of a field, and what its cell was: made by a step, or the row's own.
    #[must_use]
    pub fn cell<'r>(&'r self, row: &'r Row, id: Id, column: u32, step: Option<u16>) -> (&'r str, CellKind) {
        if id == Id::OrderNumber && self.filled_down {
            return (&self.carried, CellKind::Text);
        }
        if let Some((start, end, kind)) = step.and_then(|step| self.cells.get(usize::from(step))) {
            return (&self.text[*start..*end], *kind);
        }
        let cell = row.cell(column as usize);
        (cell.text, cell.kind)
    }
}

impl Step {
    /// Appends the value and gives its kind: that of its cell where it is one cell's text unchanged.
    fn make(&self, row: &Row, out: &mut String) -> CellKind {
        let recipe = &self.recipe;
        let block;
        let sources = if self.blocks.is_empty() {
            self.sources.as_slice()
        } else {
            block = made::block(&self.blocks, row);
            block.as_slice()
        };
        let filled =
            sources.iter().map(|column| row.cell(*column as usize)).filter(|cell| cell.kind != CellKind::Empty);
        if recipe.add {
            return made::sum(filled, out);
        }
        let start = out.len();
        let mut kind = CellKind::Empty;
        for (index, cell) in filled.take(if recipe.join.is_some() { usize::MAX } else { 1 }).enumerate() {
            // What is broken in one part is broken in the whole.
            kind = match cell.kind {
                CellKind::LossyNumber | CellKind::Error | CellKind::FormulaWithoutValue => cell.kind,
                _ if is_broken(kind) => kind,
                own if index == 0 => own,
                _ => CellKind::Text,
            };
            if index > 0 {
                out.push_str(recipe.join.as_deref().unwrap_or_default());
            }
            let text = stripped(cell.text, &recipe.strip);
            match &recipe.part {
                Some(part) => part.take(text, out),
                None => out.push_str(text),
            }
        }
        if let Some(known) = self.translated(row, &out[start..]) {
            out.truncate(start);
            out.push_str(known);
        }
        if recipe.collects {
            made::collected(start, out);
        }
        if let Some(times) = self.times.filter(|_| out.len() > start) {
            let less = self.less.iter().map(|column| row.cell(*column as usize).text);
            made::multiplied(start, row.cell(times as usize).text, less, out);
            return if out.len() == start || is_broken(kind) { kind } else { CellKind::Number };
        }
        if out.len() > start && !self.less.is_empty() {
            self.take_off(row, start, out);
        }
        if out.len() == start
            && let Some(blank) = recipe.blank.as_ref().filter(|_| self.holds(row))
        {
            out.push_str(blank);
            return CellKind::Text;
        }
        let unchanged = recipe.part.is_none() && recipe.map.is_empty() && !recipe.collects;
        match kind {
            _ if is_broken(kind) => kind,
            _ if out.len() == start => CellKind::Empty,
            _ if unchanged => kind,
            _ => CellKind::Text,
        }
    }
}

impl Step {
    /// Takes the pieces off that do not go. Where they cannot be read, all stands as it is, and is refused.
    fn take_off(&self, row: &Row, start: usize, out: &mut String) {
        let used = || self.less.iter().map(|column| row.cell(*column as usize).text).filter(|text| !text.is_empty());
        match made::left(&out[start..], used()) {
            Some(left) => {
                out.truncate(start);
                out.push_str(&left.to_string());
            }
            None => used().for_each(|text| {
                out.push_str(" - ");
                out.push_str(text);
            }),
        }
    }

    /// What the recipe makes of a text as a whole.
    fn translated(&self, row: &Row, text: &str) -> Option<&str> {
        let Recipe { map, otherwise, unless, when, .. } = &self.recipe;
        if text.is_empty() || (map.is_empty() && otherwise.is_none()) {
            return None;
        }
        let bare = normalised(text);
        if let Some(known) = map.get(&bare) {
            return Some(known);
        }
        let holds = self.holds(row);
        // Cash on delivery is that whatever the others are; by a name of its own, where it is not paid.
        let cod = Some(Payment::Cod);
        let is_cod = || payment_type(text) == cod || (when.is_some() && !holds && payment_word(text) == cod);
        if otherwise.as_deref() == Some("PREPAID") && is_cod() {
            return Some("COD");
        }
        otherwise.as_deref().filter(|_| holds && !unless.iter().any(|word| bare.contains(word.as_str())))
    }

    /// Whether the recipe's condition holds in this row.
    fn holds(&self, row: &Row) -> bool {
        let Some(when) = &self.recipe.when else { return true };
        let found = self.when.map_or("", |column| row.cell(column as usize).text);
        when.is.iter().any(|word| word.eq_ignore_ascii_case(found))
    }
}

fn stripped<'t>(text: &'t str, prefixes: &[String]) -> &'t str {
    prefixes.iter().fold(text, |text, prefix| text.strip_prefix(prefix.as_str()).unwrap_or(text)).trim()
}
