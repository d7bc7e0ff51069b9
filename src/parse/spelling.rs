//! Writes a value so that it means by itself what its column made it mean: rows that are handed back to a person come
//! in a sheet of their own, where the rest of their column is not there to tell.

use crate::text::Decimal;
use jiff::civil::Time;

use super::column_format::ColumnFormat;
use super::moment::{DayOrder, triple, written};
use super::number::{Numeral, around_figure, decimal};
use super::settings::Decimals;
use crate::field::Kind;

/// Stands behind a value that means nothing certain, and that a person has to write anew.
const UNCERTAIN: &str = " ?";

/// The value as it has to be written to stay what it is without its column; none where it can stay as it stands.
///
/// `native` is for numbers of the sheet itself, which come with a decimal point whatever their column's texts have.
#[must_use]
pub fn alone(kind: Kind, habit: ColumnFormat, native: bool, text: &str) -> Option<String> {
    match kind {
        Kind::Instant if !native => date(text, habit.order_of_days()),
        Kind::Money | Kind::MoneyText | Kind::Measure | Kind::Rate => number(text, habit.decimals, native),
        _ => None,
    }
}

fn number(text: &str, decimals: Decimals, native: bool) -> Option<String> {
    let (before, figure, behind) = around_figure(text).filter(|(_, figure, _)| figure.contains([',', '.']))?;
    let decimals = if native { Decimals::Point } else { decimals };
    let (number, doubt) = decimal(figure, Numeral { decimals, ..Numeral::default() }).ok()?;
    if doubt.is_some() {
        return (decimals == Decimals::Mixed).then(|| format!("{text}{UNCERTAIN}"));
    }
    // One more zero behind three decimals shows that they are no thousands.
    let spelled = if number.scale() == 3 && number >= Decimal::ONE { format!("{number}0") } else { number.to_string() };
    (spelled != figure).then(|| format!("{before}{spelled}{behind}"))
}

fn date(text: &str, order: DayOrder) -> Option<String> {
    let (first, second, _) = triple(text)?;
    if first == second || first > 12 || second > 12 {
        return None;
    }
    if order == DayOrder::Mixed {
        return Some(format!("{text}{UNCERTAIN}"));
    }
    let date = written(text, order)?;
    Some(if date.time() == Time::midnight() { date.date().to_string() } else { date.to_string() })
}
