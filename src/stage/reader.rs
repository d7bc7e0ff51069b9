//! The second pass: reads the sheets, gathers rows into orders, and lets each order go as soon as its last row is in.

use std::ops::ControlFlow;

use crate::column::{Feed, RowRef, Sheets};
use crate::field::{Id, Kind, Level};
use crate::finding::column::merged_cells;
use crate::finding::money::total_differs;
use crate::finding::order::{row_left_out, row_skipped};
use crate::finding::sheet::{ragged_row, second_table};
use crate::finding::{self, Finding};
use crate::ledger::alias;
use crate::order::{Census, Grouper, RawOrder, Row, Taken, is_example, key};
use crate::parse::unmarked;
use crate::profile::Mapped;
use crate::sheet;

use super::error::StageError;
use super::lanes::Outlet;
use super::opened::Opened;
use super::summary_row::SummaryRow;
use super::survey::{Part, places_in};
use super::tally::Rows;

/// So many things are judged together: few enough that they wait in little memory, and many enough to be worth a lane's turn.
const BATCH: usize = 64;

/// Something that was read; `O` is an order, as it was read or judged.
pub(super) enum Piece<O> {
    Order(O),
    /// A filled row that names no order, and why.
    Stray(RowRef, Vec<Finding>),
    /// Something to be said that leaves nothing behind.
    Said(Box<Finding>),
    /// An order all of whose rows are left out, with one of them.
    LeftOut(String, RowRef),
}

/// What was read one after the other, with the rows that were read so far.
pub(super) struct Batch<O> {
    pub(super) pieces: Vec<Piece<O>>,
    pub(super) rows: u64,
}

/// Reads on from row to row.
pub(super) struct Reader<'a> {
    opened: &'a Opened,
    sheets: &'a Sheets,
    census: &'a Census,
    grouper: Grouper<'a>,
    sheet: u16,
    mapped: Mapped,
    /// The same of the row before somebody typed in it.
    came: Mapped,
    read: Rows,
    /// The order number of the row above, where cells of the sheet are merged.
    before: String,
    /// Whether somebody keeps which rows stood for which order.
    keeps_rows: bool,
    /// The columns that feed no field, where that matters.
    numbers: Vec<u32>,
    /// What tells the numbers in those cells of a row from others.
    beside: Vec<i64>,
    /// How often rows were looked at for sums.
    looks: u32,
    out: Vec<Piece<RawOrder>>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(opened: &'a Opened, census: &'a Census, sheets: &'a Sheets, keeps_rows: bool) -> Self {
        let (mapped, came, read, before, numbers, beside, looks, out) = Default::default();
        let grouper = Grouper::new(census);
        Self {
            opened,
            sheets,
            census,
            grouper,
            sheet: 0,
            mapped,
            came,
            read,
            before,
            keeps_rows,
            numbers,
            beside,
            looks,
            out,
        }
    }

    /// Reads all sheets, or a part of them, and puts what comes out of them into the outlet until nobody takes it any more.
    /// Gives the rows that become part of nothing, and whether every row has come that was counted.
    pub(super) fn run(
        mut self,
        part: Option<&Part>,
        outlet: &mut Outlet<Batch<RawOrder>>,
    ) -> Result<(Rows, bool), StageError> {
        for (number, planned) in (0_u16..).zip(&self.opened.sheets) {
            (self.sheet, self.mapped, self.before) = (number, Mapped::default(), String::new());
            self.came = Mapped::default();
            if self.keeps_rows {
                self.numbers = self.sheets.of(number).beside_the_number().collect();
            }
            let places = part.map(|part| places_in(part, number));
            let read = planned.sheet.read_part(places.as_ref(), &mut |row| {
                self.read.read += 1;
                if row.is_blank() {
                    self.read.blank += 1;
                    return ControlFlow::Continue(());
                }
                self.row(row);
                if self.out.len() < BATCH { ControlFlow::Continue(()) } else { self.put(outlet) }
            })?;
            if read.stopped {
                return Ok((self.read, false));
            }
        }
        let is_whole = self.grouper.has_all_rows();
        // Orders whose last row was not recognised as such.
        let last = self.grouper.finish().map_err(StageError::Spool)?;
        self.orders(last);
        let _ = self.put(outlet);
        Ok((self.read, is_whole))
    }

    fn put(&mut self, outlet: &mut Outlet<Batch<RawOrder>>) -> ControlFlow<()> {
        let pieces = std::mem::replace(&mut self.out, Vec::with_capacity(BATCH));
        outlet.put(Batch { pieces, rows: self.read.read })
    }

    fn row(&mut self, row: &sheet::Row) {
        let at = RowRef { sheet: self.sheet, row: row.number() };
        if let Some(reason) = row.skip() {
            if reason == sheet::ROW_OF_TABLE {
                let complete = self.grouper.interrupt();
                self.read.skipped += 1;
                return self.orders(complete);
            }
            let is_table = reason == sheet::HEADER_OF_TABLE;
            let _ = !is_table && self.is_summary_row(row);
            let notice = if is_table { second_table::of_something_else() } else { row_skipped::no_order_row(reason) };
            return self.skip(notice.at(self.sheets.place(at, None)).found(first_text(row)));
        }
        let opened = self.opened;
        let planned = &opened.sheets[usize::from(self.sheet)];
        let mapper = &opened.columns.of(self.sheet).mapper;
        let came_as = self.number_as_it_came(row);
        if let Some(left_out) = mapper.map(row, &mut self.mapped) {
            let notice = left_out.because.map_or_else(row_left_out::totals, row_left_out::by_rule);
            self.is_summary_row(row);
            let number = unmarked(Id::OrderNumber.field(), self.number(row));
            let has_rows = || self.census.rows(key(number)).is_some_and(|rows| rows > 0);
            let has_no_other = left_out.because.is_some() && !number.is_empty() && !has_rows();
            let over = has_no_other.then(|| Piece::LeftOut(number.to_owned(), at));
            self.skip(self.left_out(row, left_out.column, notice));
            self.out.extend(over);
            return;
        }
        let line = mapper.line_left_out(row, &self.mapped);
        if let Some(left_out) = line {
            let notice = row_left_out::product_by_rule(left_out.because.unwrap_or_default());
            self.out.push(Piece::Said(Box::new(self.left_out(row, left_out.column, notice))));
        }
        // In front of sums a word for them may stand under the order number.
        if !self.number(row).contains(char::is_numeric) && self.is_summary_row(row) {
            self.grouper.pass_over();
            return self.skip(row_skipped::sums().at(self.sheets.place(at, None)).found(first_text(row)));
        }
        let at_cell = |(column, finding): (u32, Finding)| {
            let place = self.sheets.of(self.sheet).cell(row.number(), column);
            finding.at(place).found(row.cell(column as usize).text)
        };
        // What rules of the profile hold is said after all else.
        let mut more: Vec<Finding> = Vec::new();
        if planned.sheet.merges_cells() {
            more.extend(self.merged(row).into_iter().map(at_cell));
        }
        more.extend(mapper.held(row, &self.mapped, line).into_iter().map(at_cell));
        more.extend(self.cut_off(row));
        let all = (!more.is_empty()).then(|| [row.notices(), &more].concat());
        if planned.sheet.merges_cells() {
            self.before = self.number(row).to_owned();
        }
        let problems = all.as_deref().unwrap_or_else(|| row.notices());
        let number = self.sheets.of(self.sheet).order_number.map(|fed| fed.column as usize);
        let own = number.map_or("", |column| row.cell(column).text);
        let is_kept = self.keeps_rows && !own.is_empty();
        let contents = if is_kept { row.contents(&planned.sheet.header().cells) } else { [None; 2] };
        let texts = self.numbers.iter().map(|column| row.cell(*column as usize).text);
        self.beside.clear();
        self.beside.extend(texts.filter(|text| text.contains(|c: char| c.is_numeric())).map(alias));
        // A number that something is put to may have been one without it.
        self.beside.extend(Some(own).filter(|own| !own.is_empty() && *own != self.number(row)).map(alias));
        let (came_as, beside) = (came_as.as_deref(), self.beside.as_slice());
        let of_row = Row { at, row, mapped: &self.mapped, line, problems, contents, came_as, beside };
        match self.grouper.take(&of_row, self.sheets) {
            Taken::InOrder(complete) => self.orders(complete),
            Taken::Invalid(problems, complete) => {
                self.orders(complete);
                self.out.push(Piece::Stray(at, problems));
            }
        }
    }

    /// What is open about the row in which its file ends, which may have been cut there.
    fn cut_off(&self, row: &sheet::Row) -> Option<Finding> {
        let columns = self.sheets.of(self.sheet);
        if row.notices().iter().any(|notice| notice.id == finding::Id::RaggedRow) {
            return None;
        }
        if let Some(usual) = columns.ends.lacks_cells(row) {
            return Some(ragged_row::ends_early(row.len(), usual).at(columns.place(row.number(), None)));
        }
        let last = row.len().saturating_sub(1);
        let place = columns.cell(row.number(), u32::try_from(last).ok()?);
        columns.ends.is_cut(row).then(|| ragged_row::ends_in_cell().at(place).found(row.cell(last).text))
    }

    /// The order number of a row.
    fn number<'r>(&'r self, row: &'r sheet::Row) -> &'r str {
        let number = self.sheets.of(self.sheet).order_number;
        number.map_or("", |fed| self.mapped.cell(row, fed.id(), fed.column, fed.step).0)
    }

    /// The order number that a row had before somebody typed in it, made as any other; numbers are filled down as they came.
    fn number_as_it_came(&mut self, row: &sheet::Row) -> Option<String> {
        let opened = self.opened;
        if opened.sheets[usize::from(self.sheet)].sheet.overlay().is_empty() {
            return None;
        }
        let columns = opened.columns.of(self.sheet);
        let fed = columns.order_number?;
        let before = row.as_it_came();
        let _ = columns.mapper.map(before.as_ref().unwrap_or(row), &mut self.came);
        let (text, _) = self.came.cell(before.as_ref()?, fed.id(), fed.column, fed.step);
        let number = unmarked(fed.id().field(), text);
        (!number.is_empty()).then(|| number.to_owned())
    }

    /// What is to be said of a row, or of its product, that a rule leaves out.
    fn left_out(&self, row: &sheet::Row, column: u32, notice: Finding) -> Finding {
        let columns = self.sheets.of(self.sheet);
        let notice = notice.at(columns.cell(row.number(), column)).found(row.cell(column as usize).text);
        let number = self.number(row);
        if number.is_empty() { notice } else { notice.of_order(number) }
    }

    /// What is open about values that a row has of a row above, by their columns. An order's own values hold for all its
    /// rows; but a quantity over two products, or a weight over two orders, may be meant for each or for both together.
    fn merged(&self, row: &sheet::Row) -> Vec<(u32, Finding)> {
        let columns = self.sheets.of(self.sheet);
        let is_another = || self.number(row) != self.before;
        let merged = columns.fed().filter(|feed| row.is_merged(feed.column as usize));
        let open = merged.filter_map(|Feed { field, column, .. }| {
            let adds_up = matches!(field.kind, Kind::Money | Kind::MoneyText | Kind::Measure);
            let question = match field.level {
                Level::Line => merged_cells::over_products,
                Level::Order if adds_up && is_another() => merged_cells::over_orders,
                Level::Order => return None,
            };
            Some((column, question(field.header).on_field(field.path)))
        });
        open.collect()
    }

    /// Whether a row holds the sums of the sheet and nothing else. Says it where the price of one piece is added up.
    fn is_summary_row(&mut self, row: &sheet::Row) -> bool {
        let columns = self.sheets.of(self.sheet);
        let sheet = &self.opened.sheets[usize::from(self.sheet)].sheet;
        let Some(sums) = SummaryRow::above(row, sheet, columns, &mut self.looks) else { return false };
        if let Some((price, sum, with_pieces)) = sums.price {
            let finding = total_differs::price_summed(columns.header(price), sum, with_pieces);
            let finding = finding.at(columns.cell(row.number(), price)).on_field(Id::Price.field().path);
            self.out.push(Piece::Said(Box::new(finding.found(row.cell(price as usize).text))));
        }
        sums.are_of_sheet
    }

    fn skip(&mut self, problem: Finding) {
        let complete = self.grouper.interrupt();
        self.skipped(problem, complete);
    }

    /// Says why a row is left out, behind the order that is complete above it.
    fn skipped(&mut self, problem: Finding, complete: Option<RawOrder>) {
        self.read.skipped += 1;
        self.orders(complete);
        self.out.push(Piece::Said(Box::new(problem)));
    }

    fn orders(&mut self, complete: impl IntoIterator<Item = RawOrder>) {
        for draft in complete {
            let is_example = is_example(&draft);
            // Rows of an order of which nothing is left to send are left out with their products.
            if !is_example && !draft.is_left_out() {
                self.out.push(Piece::Order(draft));
                continue;
            }
            self.read.skipped += draft.rows.len() as u64;
            if !is_example && let Some(first) = draft.rows.first() {
                self.out.push(Piece::LeftOut(draft.number.clone(), *first));
            }
            if is_example {
                let place = draft.rows.first().map(|first| self.sheets.place(*first, Some(Id::OrderNumber)));
                let notice = row_left_out::example().found(draft.number.clone()).of_order(draft.number);
                self.out.push(Piece::Said(Box::new(Finding { place, ..notice })));
            }
        }
    }
}

/// What stands first in a row.
fn first_text(row: &sheet::Row) -> &str {
    row.cells().find(|cell| !cell.text.is_empty()).map_or("", |cell| cell.text)
}
