//! Writes a value so that it means by itself what its column made it mean: rows that are handed back to a person come
//! in a sheet of their own, where the rest of their column is not there to tell.

use jiff::civil::Time;

use super::civil::{DayOrder, Written, triple, written};
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
    match (order, written(text, order)) {
        (DayOrder::Mixed, _) => Some(format!("{text}{UNCERTAIN}")),
        (_, Written::Date(date)) if date.time() == Time::midnight() => Some(date.date().to_string()),
        (_, Written::Date(date)) => Some(date.to_string()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::habit::tests::learnt;
    use super::super::number::{Numeral, decimal};
    use super::*;

    #[test]
    fn numbers_mean_alone_what_they_meant_in_their_column() {
        let read = |text: &str, decimals| decimal(text, Numeral { decimals, ..Numeral::default() }).ok();
        let figures = ["1,124", "1.124", "0.125", "0,125", "2.50", "2,50", "17", "1,24,000", "1.124,50", "12,34"];
        for decimals in [Decimals::Point, Decimals::Comma, Decimals::Unknown] {
            for figure in figures {
                let Some(meant) = read(figure, decimals) else { continue };
                let habit = Habit { decimals, ..Habit::default() };
                let spelled = alone(Kind::Measure, habit, false, figure).unwrap_or_else(|| figure.to_owned());
                let own = learnt(Kind::Measure, &[&spelled]).decimals;
                assert_eq!(read(&spelled, own), Some(meant), "{figure} as {spelled} in {decimals:?}");
            }
        }
    }

    #[test]
    fn numbers_of_the_sheet_itself_follow_the_texts_of_their_column() {
        let native = |decimals, text: &str| alone(Kind::Measure, Habit { decimals, ..Habit::default() }, true, text);
        assert_eq!(native(Decimals::Comma, "1.125").as_deref(), Some("1,1250"));
        assert_eq!(native(Decimals::Comma, "0.5").as_deref(), Some("0,5"));
        assert_eq!(native(Decimals::Unknown, "1.125").as_deref(), Some("1.1250"));
        assert_eq!(native(Decimals::Unknown, "0.125"), None);
        assert_eq!(native(Decimals::Point, "2"), None);
    }

    #[test]
    fn what_stands_around_a_figure_stays_and_what_is_uncertain_is_marked() {
        let money = |decimals, text: &str| alone(Kind::Money, Habit { decimals, ..Habit::default() }, false, text);
        assert_eq!(money(Decimals::Point, "₹ 1,124/-").as_deref(), Some("₹ 1124/-"));
        assert_eq!(money(Decimals::Mixed, "1,124").as_deref(), Some("1,124 ?"));
        assert_eq!(money(Decimals::Unknown, "1,124"), None);
        assert_eq!(money(Decimals::Point, "no number"), None);
    }

    #[test]
    fn dates_are_written_out_where_their_column_decided() {
        let date = |day_order, text: &str| alone(Kind::Instant, Habit { day_order, ..Habit::default() }, false, text);
        assert_eq!(date(DayOrder::DayFirst, "03/04/2026").as_deref(), Some("2026-04-03"));
        assert_eq!(date(DayOrder::MonthFirst, "03-04-26 4:02 PM").as_deref(), Some("2026-03-04T16:02:00"));
        assert_eq!(date(DayOrder::Mixed, "03/04/2026").as_deref(), Some("03/04/2026 ?"));
        for (order, text) in [
            (DayOrder::DayFirst, "13/04/2026"),
            (DayOrder::Unknown, "03/04/2026"),
            (DayOrder::DayFirst, "04/04/2026"),
            (DayOrder::DayFirst, "soon"),
        ] {
            assert_eq!(date(order, text), None, "{text}");
        }
    }
}
