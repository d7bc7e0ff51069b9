//! Values that every order of a sheet has because no column feeds them: judged once, not once an order.

use crate::check::{Input, Payments, Reading, Rules, Value, value};
use crate::column::{Columns, Sheets};
use crate::field::{FIELDS, Field, Id, Kind, Need};

/// What stands in for the fields that no column of a sheet feeds.
#[derive(Debug, Clone)]
pub struct Standing {
    stands: Vec<Vec<Stand>>,
}

/// What stands in for a field.
#[derive(Debug, Clone, Default)]
enum Stand {
    /// Nothing that is the same for all orders: it has to be judged each time.
    #[default]
    Judged,
    /// This, or nothing at all, and there is nothing to be said of it.
    Same(Option<Value>),
}

impl Standing {
    /// Judges what stands in, by the sheets and rules of the run.
    #[must_use]
    pub fn new(sheets: &Sheets, rules: &Rules) -> Self {
        let of_sheet = |columns: &Columns| FIELDS.iter().map(|field| stand(field, columns, rules)).collect();
        Self { stands: sheets.iter().map(of_sheet).collect() }
    }

    /// The value that stands in for a field without a cell; none where it has to be judged.
    pub(crate) fn same(&self, sheet: u16, id: Id) -> Option<&Option<Value>> {
        match self.stands.get(usize::from(sheet))?.get(id as usize)? {
            Stand::Same(value) => Some(value),
            Stand::Judged => None,
        }
    }
}

fn stand(field: &'static Field, columns: &Columns, rules: &Rules) -> Stand {
    let Some(text) = stand_in(field.id, columns, rules) else {
        return if rules.need(field.id) == Need::Required { Stand::Judged } else { Stand::Same(None) };
    };
    // What hangs on the country or the currency of its order is not the same for all.
    let bare = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let hangs = match field.kind {
        Kind::Phone | Kind::PinCode => true,
        Kind::Money | Kind::MoneyText => !bare,
        _ => false,
    };
    let agrees = columns.unit(field.id).is_none();
    let (habit, dates) = (columns.habit(field.id), columns.dates());
    let input = Input { habit, dates, means_paid: columns.means_are_paid(), ..Input::new(field, text) };
    match value(input, rules) {
        Reading { value, said: None } if !hangs && agrees => Stand::Same(value),
        _ => Stand::Judged,
    }
}

/// The text that stands in for a blank cell: from a header's unit, the sheet's constant or the configuration.
pub(super) fn stand_in<'a>(id: Id, columns: &'a Columns, rules: &'a Rules) -> Option<&'a str> {
    let in_header = columns.unit(id).filter(|unit| unit.words.len() == 1).map(|unit| unit.words[0]);
    // Where the cells that are filled say cash on delivery, and none of them says anything else, the others are paid.
    let collects = || id == Id::OrderType && columns.collecting().is_some();
    let uncollected = || (collects() && columns.habit(id).payments == Payments::Cod).then_some("PREPAID");
    let text = in_header.or_else(|| columns.default(id)).or_else(|| rules.default(id)).or_else(uncollected);
    text.filter(|text| !text.is_empty())
}
