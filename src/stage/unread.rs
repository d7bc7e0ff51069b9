//! Remarks that nobody could read, counted for each sheet.

use std::collections::{BTreeMap, HashMap};

use crate::column::{RowRef, Sheets};
use crate::finding::Finding;
use crate::finding::order::unread_remark;
use crate::text::Text;

/// So many texts of a sheet are kept apart; of more only their number is told.
const TEXTS_MAX: usize = 1_000;

/// So many texts are named: whoever books has to see each of them once.
const NAMED_MAX: usize = 200;

/// The remarks of orders that go, by sheet.
#[derive(Debug, Default)]
pub(super) struct Unread(BTreeMap<u16, OfSheet>);

#[derive(Debug)]
struct OfSheet {
    /// Where the first one stands.
    first: (RowRef, u32),
    /// How often each text is there.
    texts: HashMap<Text, u32>,
    /// How many remarks there are, with those of other texts.
    count: u32,
}

impl Unread {
    /// Counts the remarks of an order, whose rows these are.
    pub(super) fn take(&mut self, remarks: Box<[(u16, u32, Text)]>, rows: &[RowRef]) {
        // A column that feeds two fields holds its remark once.
        let mut remarks = remarks.into_vec();
        remarks.dedup();
        for (sheet, column, text) in remarks {
            let row = rows.iter().find(|row| row.sheet == sheet).copied().unwrap_or(RowRef { sheet, row: 0 });
            let new = || OfSheet { first: (row, column), texts: HashMap::new(), count: 0 };
            let own = self.0.entry(sheet).or_insert_with(new);
            own.count += 1;
            if own.texts.len() < TEXTS_MAX || own.texts.contains_key(&text) {
                *own.texts.entry(text).or_default() += 1;
            }
        }
    }

    /// What is said of each sheet.
    pub(super) fn findings(self, sheets: &Sheets) -> impl Iterator<Item = Finding> {
        self.0.into_values().map(|own| {
            let (row, column) = own.first;
            let place = sheets.of(row.sheet).cell(row.row, column);
            let mut texts: Vec<(Text, u32)> = own.texts.into_iter().collect();
            texts.sort_unstable_by(|(one, count), (other, of_other)| of_other.cmp(count).then_with(|| one.cmp(other)));
            let named = texts.iter().take(NAMED_MAX).map(|(text, count)| format!("{count} × \"{text}\""));
            let named: Vec<String> = named.collect();
            let rest = own.count - texts.iter().take(NAMED_MAX).map(|(_, count)| count).sum::<u32>();
            let first = texts.first().map_or("", |(text, _)| text.as_str()).to_owned();
            unread_remark::in_sheet(own.count, named, (rest > 0).then_some(rest)).at(place).found(first)
        })
    }
}
