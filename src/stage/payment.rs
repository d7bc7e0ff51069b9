//! The column that says how orders are paid, where no header tells: by what it holds.

use std::ops::ControlFlow;

use crate::field::{Id, Payment, payment_type, payment_word};
use crate::origin::Place;
use crate::problem::{Code, Problem};
use crate::profile::{Plan, Profile};
use crate::sheet::{Sheet, SheetError};

/// Rows that are looked at.
const ROWS: u32 = 2_000;

/// What the cells of a column hold.
#[derive(Debug, Clone, Copy, Default)]
struct Held {
    filled: u32,
    /// Words of payment of any kind.
    words: u32,
    /// `COD` and `PREPAID`, by whatever spelling.
    types: u32,
    cod: bool,
}

impl Held {
    /// Whether the column says how orders are paid: most of its cells do, and in the words of a type.
    const fn is_payment(self) -> bool {
        self.types > 0 && self.words * 2 >= self.filled
    }
}

/// Takes the column that holds types of payment for it, where neither a header nor the profile says which one does.
///
/// Where only some cells of other columns speak of it, that is noted: one payment for all orders would be wrong.
pub(super) fn by_values(
    sheet: &Sheet,
    plan: &mut Plan,
    profile: Option<&Profile>,
) -> Result<Option<Problem>, SheetError> {
    let told = profile.is_some_and(|profile| profile.built_in || profile.defaults.contains_key(&Id::OrderType));
    let columns = plan.possible_payments();
    if told || plan.column(Id::OrderType).is_some() || columns.is_empty() {
        return Ok(None);
    }
    let mut held = vec![Held::default(); columns.len()];
    let mut rows = 0;
    sheet.read(&mut |row| {
        if row.is_blank() || row.skip().is_some() {
            return ControlFlow::Continue(());
        }
        for (column, held) in columns.iter().zip(&mut held) {
            let text = row.cell(column.index as usize).text;
            let kind = payment_type(text);
            held.filled += u32::from(!text.is_empty());
            held.words += u32::from(kind.is_some() || payment_word(text).is_some());
            held.types += u32::from(kind.is_some());
            held.cod |= kind == Some(Payment::Cod);
        }
        rows += 1;
        if rows < ROWS { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    })?;
    let Some((column, _)) = columns.iter().zip(&held).find(|(_, held)| held.is_payment()) else {
        if held.iter().any(|held| held.cod) {
            plan.note_payment_in_cells();
        }
        return Ok(None);
    };
    plan.take_payment(column.index);
    let field = Id::OrderType.field();
    let message = format!("\"{}\" holds types of payment: it is taken for the {}", column.header, field.header);
    let place = Place::cell(sheet.source(), sheet.header().row, column.index, column.header.clone());
    let hint = format!("give it the header \"{}\" to be rid of this notice", field.header);
    Ok(Some(Problem::warning(Code::SheetNotice, message).at(place).on_field(field.path).hint(hint)))
}
