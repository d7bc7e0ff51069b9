//! Which column of a sheet feeds which field, as far as grouping and building need it.

use std::sync::Arc;

use crate::field::{FIELDS, Id, Level};
use crate::origin::{Place, Source};

use super::draft::RowRef;

/// One sheet's columns.
#[derive(Debug, Clone)]
pub struct Layout {
    source: Arc<Source>,
    header: Vec<String>,
    columns: Vec<Option<u32>>,
    order_fields: Vec<(Id, u32)>,
    line_fields: Vec<(Id, u32)>,
    defaults: Vec<(Id, String)>,
}

impl Layout {
    /// A sheet's layout, from the columns that feed fields and the constants that stand in for others.
    #[must_use]
    pub fn new(source: Arc<Source>, header: Vec<String>, fed: &[(Id, u32)], defaults: Vec<(Id, String)>) -> Self {
        let mut columns = vec![None; FIELDS.len()];
        for (id, column) in fed {
            columns[*id as usize] = Some(*column);
        }
        let of = |level: Level| {
            let of_level = fed.iter().filter(|(id, _)| *id != Id::OrderNumber && id.field().level == level);
            of_level.copied().collect()
        };
        Self { source, header, columns, order_fields: of(Level::Order), line_fields: of(Level::Line), defaults }
    }

    /// The column of a field.
    #[must_use]
    pub fn column(&self, id: Id) -> Option<u32> {
        self.columns[id as usize]
    }

    /// Fields of the order and their columns, without the order number.
    #[must_use]
    pub fn order_fields(&self) -> &[(Id, u32)] {
        &self.order_fields
    }

    /// Fields of the lines and their columns.
    #[must_use]
    pub fn line_fields(&self) -> &[(Id, u32)] {
        &self.line_fields
    }

    /// This sheet's constant for a field.
    #[must_use]
    pub fn default(&self, id: Id) -> Option<&str> {
        self.defaults.iter().find(|(of, _)| *of == id).map(|(_, text)| text.as_str())
    }

    /// A row's place, or its cell's where the field has a column.
    #[must_use]
    pub fn place(&self, row: u32, id: Option<Id>) -> Place {
        match id.and_then(|id| self.column(id)) {
            Some(column) => {
                let header = self.header.get(column as usize).cloned().unwrap_or_default();
                Place::cell(&self.source, row, column, header)
            }
            None => Place::row(&self.source, row),
        }
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

    /// The place of a row, or of one field's cell in it.
    #[must_use]
    pub fn place(&self, at: RowRef, id: Option<Id>) -> Place {
        self.of(at.sheet).place(at.row, id)
    }

    /// Rows as people write them: `orders.csv:2-4, 9`.
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
                parts.push(format!("{}{span}", self.place(first, None)));
            }
            sheet_before = Some(first.sheet);
        }
        parts.join(", ")
    }
}
