//! Writes a value so that it means by itself what its column made it mean: rows that are handed back to a person come
//! in a sheet of their own, where the rest of their column is not there to tell.

use jiff::civil::Time;

use super::civil::{DayOrder, triple, written};
use super::habit::{Decimals, Habit};
use crate::field::Kind;

/// Stands behind a value that means nothing certain, and that a person has to write anew.
const UNCERTAIN: &str = " ?";

/// The value as it has to be written to stay what it is without its column; none where it can stay as it stands.
///
/// `native` is for numbers of the sheet itself, which come with a decimal point whatever their column's texts have.
#[must_use]
pub fn alone(kind: Kind, habit: Habit, native: bool, text: &str) -> Option<String> {
    match kind {
        Kind::Instant if !native => date(text, habit.day_order),
        Kind::Money | Kind::MoneyText | Kind::Measure | Kind::Rate => number(text, habit.decimals, native),
        _ => None,
    }
}

fn number(text: &str, decimals: Decimals, native: bool) -> Option<String> {
    let figures = |c: char| c.is_ascii_digit();
    let (first, last) = (text.find(figures)?, text.rfind(figures)?);
    let figure = &text[first..=last];
    let new = |figure: String| format!("{}{figure}{}", &text[..first], &text[last + 1..]);
    let (commas, points) = (figure.matches(',').count(), figure.matches('.').count());
    let separator = match (commas, points) {
        (0, 1) => '.',
        (1, 0) => ',',
        _ => return None,
    };
    // One more zero behind three decimals shows that they are no thousands.
    let looks_like_thousands = figure.len() - figure.find(separator)? == 4 && !figure.starts_with('0');
    let shown = |figure: String| if looks_like_thousands { figure + "0" } else { figure };
    let without = || figure.replace(separator, "");
    let spelled = match (separator, decimals) {
        ('.', Decimals::Comma) if native => shown(figure.replace('.', ",")),
        ('.', Decimals::Comma) if looks_like_thousands => without(),
        ('.', _) | (',', Decimals::Comma) => shown(figure.to_owned()),
        (_, Decimals::Point) if looks_like_thousands => without(),
        (_, Decimals::Mixed) => return Some(format!("{text}{UNCERTAIN}")),
        _ => return None,
    };
    (spelled != figure).then(|| new(spelled))
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
