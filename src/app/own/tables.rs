//! Which columns the files have, and where each sheet's cells go in them.

use std::collections::HashMap;
use std::ops::ControlFlow;

use crate::column::Columns;
use crate::event::Stream;
use crate::field;
use crate::parse::{ColumnFormat, ReadingSettings, alone};

use crate::origin::{Added, LOST, is_added};
use crate::report::{OwnFile, OwnWriter, Rejection, ResultsError};
use crate::sheet::{Cell, CellKind, Row, Sheet, SheetError};
use crate::stage::{Opened, OpenedSheet, StageError, survey};

use super::verdict::Verdict;
use crate::app::error::{Misuse, Result};

/// Which rows, and what stands beside them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// What must be corrected, with reasons.
    Rejects,
    /// Every row, with its order's AWB.
    Results,
}

/// The columns of results beside the person's own.
const RESULT_COLUMNS: [Added; 5] = [Added::Status, Added::Awb, Added::Carrier, Added::Service, Added::Error];

/// Every table of one file.
pub(super) struct Tables {
    kind: Kind,
    all: Vec<Table>,
    sheets: Vec<SheetCells>,
}

struct Table {
    name: String,
    /// The person's own columns.
    columns: Vec<String>,
    /// Whether each row says which sheet it came from.
    names_sheets: bool,
}

struct SheetCells {
    table: usize,
    shown: String,
    /// Columns of the sheet with their columns in the table.
    cells: Vec<(usize, usize)>,
    /// How the columns write numbers and dates, where they are taken as they stand.
    habits: Vec<Option<(field::Kind, ColumnFormat)>>,
    /// Columns in which a date is a code that a spreadsheet took for one.
    dateless: Vec<usize>,
}

/// Refuses what cannot become one table, before anything is sent.
pub(super) fn check(opened: &Opened, rejects: &OwnFile) -> Result<()> {
    let headers = opened.sheets.iter().map(|planned| own_headers(&planned.sheet));
    let headers: Vec<Vec<&String>> = headers.collect();
    if !rejects.is_workbook() && headers.iter().any(|header| *header != headers[0]) {
        return Err(Misuse::DifferentColumns(rejects.path().to_owned()).into());
    }
    Ok(())
}

fn own_headers(sheet: &Sheet) -> Vec<&String> {
    sheet.header().cells.iter().filter(|header| !is_added(header)).collect()
}

impl Tables {
    /// Looks how wide the rows are and lays the columns out.
    pub(super) fn of(
        opened: &Opened,
        rules: &ReadingSettings,
        kind: Kind,
        in_workbook: bool,
    ) -> Result<Self, StageError> {
        let one_table = kind == Kind::Results && !in_workbook && opened.sheets.len() > 1;
        let mut made = Self { kind, all: Vec::new(), sheets: Vec::new() };
        // Only rows that leave their sheet lose what the rest of their columns told.
        let seen = if kind == Kind::Rejects { Some(survey(opened, false, &mut Stream::silent())?) } else { None };
        for (number, planned) in (0_u16..).zip(&opened.sheets) {
            let sheet = &planned.sheet;
            let habits = seen.as_ref().map(|own| habits(planned, own.sheets().of(number), rules)).unwrap_or_default();
            let (sources, columns) = own_columns(sheet)?;
            let shared = made.all.iter().position(|table| match kind {
                Kind::Results => one_table,
                Kind::Rejects => table.columns == columns,
            });
            let table = shared.unwrap_or_else(|| {
                let (name, columns) = (table_name(sheet), Vec::new());
                made.all.push(Table { name, columns, names_sheets: one_table });
                made.all.len() - 1
            });
            let targets = made.all[table].take_in(&columns);
            let cells = sources.into_iter().zip(targets).collect();
            let coded = opened.columns.of(number).fed().filter(|feed| !feed.field.may_be_date());
            let dateless = coded.map(|feed| feed.column as usize).collect();
            made.sheets.push(SheetCells { table, shown: sheet.source().to_string(), cells, habits, dateless });
        }
        Ok(made)
    }

    /// The sheets, those of one table together.
    pub(super) fn order(&self) -> Vec<usize> {
        let mut sheets: Vec<usize> = (0..self.sheets.len()).collect();
        sheets.sort_by_key(|sheet| self.sheets[*sheet].table);
        sheets
    }

    /// A sheet's own columns with their columns in its table.
    pub(super) fn cells_of(&self, sheet: usize) -> &[(usize, usize)] {
        &self.sheets[sheet].cells
    }

    pub(super) const fn begin(&self, writer: OwnWriter) -> TablesWriter<'_> {
        TablesWriter { tables: self, writer, begun: None, rows: 0 }
    }

    /// The whole header of a table.
    fn header(&self, table: &Table) -> Vec<String> {
        let added: &[Added] = match self.kind {
            Kind::Rejects => &Rejection::COLUMNS,
            Kind::Results => &RESULT_COLUMNS,
        };
        let file = table.names_sheets.then(|| Added::File.header().to_owned());
        let added = added.iter().map(|column| column.header().to_owned());
        file.into_iter().chain(table.columns.iter().cloned()).chain(added).collect()
    }
}

impl Table {
    /// Makes room for a sheet's columns and gives their places; a header that stands twice is two columns.
    fn take_in(&mut self, columns: &[String]) -> Vec<usize> {
        let mut seen: HashMap<&str, usize> = HashMap::new();
        let mut places = Vec::with_capacity(columns.len());
        for header in columns {
            let before = seen.entry(header).or_default();
            let known = self.columns.iter().enumerate().filter(|(_, known)| *known == header).nth(*before);
            *before += 1;
            places.push(known.map_or(self.columns.len(), |(index, _)| index));
            if known.is_none() {
                self.columns.push(header.clone());
            }
        }
        places
    }
}

/// How each column that feeds a field as it stands writes its numbers and dates.
fn habits(planned: &OpenedSheet, known: &Columns, rules: &ReadingSettings) -> Vec<Option<(field::Kind, ColumnFormat)>> {
    let formats = known.dates().is_some_and(|dates| !dates.formats.is_empty()) || !rules.date_formats.is_empty();
    let mut habits = vec![None; planned.sheet.header().cells.len()];
    for feed in known.fed().filter(|feed| feed.step.is_none() && ColumnFormat::matters(feed.field.kind)) {
        let by_format = formats && feed.field.kind == field::Kind::Instant;
        if let Some(slot) = habits.get_mut(feed.column as usize).filter(|_| !by_format) {
            *slot = Some((feed.field.kind, known.habit(feed.field.id)));
        }
    }
    habits
}

/// A sheet's columns without those that this program has added before; rows may be wider than the header.
fn own_columns(sheet: &Sheet) -> Result<(Vec<usize>, Vec<String>), SheetError> {
    let header = &sheet.header().cells;
    let mut width = header.len();
    sheet.read(&mut |row| {
        if row.len() > width {
            let filled = (width..row.len()).rev().find(|index| !row.cell(*index).text.is_empty());
            width = filled.map_or(width, |last| last + 1);
        }
        ControlFlow::Continue(())
    })?;
    let own = (0..width).filter(|index| !header.get(*index).is_some_and(|text| is_added(text)));
    let sources: Vec<usize> = own.collect();
    let columns = sources.iter().map(|index| header.get(*index).cloned().unwrap_or_default()).collect();
    Ok((sources, columns))
}

fn table_name(sheet: &Sheet) -> String {
    let source = sheet.source();
    let stem = || source.file.rsplit_once('.').map_or(source.file.as_str(), |(stem, _)| stem).to_owned();
    source.worksheet.clone().unwrap_or_else(stem)
}

/// Writes the tables of one file, sheet after sheet.
pub(super) struct TablesWriter<'t> {
    tables: &'t Tables,
    writer: OwnWriter,
    begun: Option<usize>,
    rows: u64,
}

impl TablesWriter<'_> {
    /// Writes a row, if rows with this verdict are wanted. No verdict is for blank rows.
    pub(super) fn row(&mut self, sheet: usize, row: &Row, verdict: Option<&Verdict>) -> Result<(), ResultsError> {
        let wanted = match self.tables.kind {
            Kind::Rejects => verdict.is_some_and(Verdict::is_rejected),
            Kind::Results => true,
        };
        if !wanted {
            return Ok(());
        }
        let from = &self.tables.sheets[sheet];
        let table = &self.tables.all[from.table];
        self.begin(from.table)?;
        let first = usize::from(table.names_sheets);
        let mut cells = vec![String::new(); first + table.columns.len()];
        if table.names_sheets && verdict.is_some() {
            cells[0].clone_from(&from.shown);
        }
        for (source, target) in &from.cells {
            let cell = row.cell(*source);
            let lost = cell.kind == CellKind::Date && from.dateless.contains(source);
            cells[first + target] = handed_back(cell, lost, from.habits.get(*source).copied().flatten());
        }
        let mut marked = Vec::new();
        if let Some(verdict) = verdict {
            match self.tables.kind {
                Kind::Rejects => {
                    let rejection = verdict.rejection();
                    cells.extend(rejection.texts(self.writer.next_row()));
                    marked = rejection.marked();
                }
                Kind::Results => cells.extend(verdict.results()),
            }
            self.rows += 1;
        }
        self.writer.row(&cells, &marked)
    }

    /// Puts the file in its place and gives the number of rows with a verdict.
    pub(super) fn finish(mut self) -> Result<u64, ResultsError> {
        if self.begun.is_none() {
            self.begin(0)?;
        }
        self.writer.finish()?;
        Ok(self.rows)
    }

    fn begin(&mut self, table: usize) -> Result<(), ResultsError> {
        if self.begun != Some(table) {
            self.begun = Some(table);
            let table = &self.tables.all[table];
            self.writer.table(&table.name, &self.tables.header(table))?;
        }
        Ok(())
    }
}

/// A cell as it is handed back: what the sheet has lost stays marked as lost.
///
/// What only its column could tell, such as whether day or month comes first, is written out.
fn handed_back(cell: Cell<'_>, lost: bool, habit: Option<(field::Kind, ColumnFormat)>) -> String {
    let native = matches!(cell.kind, CellKind::Number | CellKind::Date);
    match cell.kind {
        kind if lost || kind == CellKind::LossyNumber => format!("{LOST} {}", cell.text),
        CellKind::FormulaWithoutValue => LOST.to_owned(),
        _ => habit
            .and_then(|(kind, habit)| alone(kind, habit, native, cell.text))
            .unwrap_or_else(|| cell.text.to_owned()),
    }
}
