//! Values that are made of several cells of a row.

use std::fmt::Write as _;

use rust_decimal::Decimal;

use super::mapper::is_broken;
use crate::sheet::{Cell, CellKind, Row};

/// The column of the first block whose own column is filled, which may have none; of the first one where none is.
pub(super) fn block(blocks: &[(Option<u32>, Option<u32>)], row: &Row) -> Option<u32> {
    let filled = |by: Option<u32>| by.is_some_and(|column| row.cell(column as usize).kind != CellKind::Empty);
    let chosen = blocks.iter().find(|(by, _)| filled(*by)).or_else(|| blocks.first());
    chosen.and_then(|(_, column)| *column)
}

/// Appends the sum of amounts, or all of them where one cannot be read: then the sum is refused as it stands.
pub(super) fn sum<'r>(cells: impl Iterator<Item = Cell<'r>>, out: &mut String) -> CellKind {
    let cells: Vec<Cell<'r>> = cells.collect();
    if let Some(broken) = cells.iter().find(|cell| is_broken(cell.kind)) {
        out.push_str(broken.text);
        return broken.kind;
    }
    match cells.as_slice() {
        [] => CellKind::Empty,
        [only] => {
            out.push_str(only.text);
            only.kind
        }
        several => {
            let sum: Option<Decimal> = several.iter().map(|cell| amount(cell.text)).sum();
            if let Some(sum) = sum {
                // Writing into text cannot fail.
                let _ = write!(out, "{sum}");
                return CellKind::Number;
            }
            for (index, cell) in several.iter().enumerate() {
                out.push_str(if index == 0 { "" } else { " + " });
                out.push_str(cell.text);
            }
            CellKind::Text
        }
    }
}

/// Makes a type of payment of what a cell says is to be collected: an amount above zero or yes is COD, zero or no is not.
/// Anything else stays as it stands, and is refused.
pub(super) fn collected(start: usize, out: &mut String) {
    let text = out[start..].trim();
    let bare: String = text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    let figures = bare.strip_prefix("rs").or_else(|| bare.strip_prefix("inr")).unwrap_or(&bare);
    let is_amount = !figures.is_empty() && figures.bytes().all(|byte| byte.is_ascii_digit()) && !text.contains('-');
    let paid = matches!(bare.as_str(), "no" | "n" | "false" | "na" | "none" | "nil" | "prepaid" | "paid" | "online");
    let payment = match bare.as_str() {
        "yes" | "y" | "true" | "cod" | "cashondelivery" => "COD",
        _ if paid || text == "-" => "PREPAID",
        _ if is_amount && figures.bytes().all(|digit| digit == b'0') => "PREPAID",
        _ if is_amount => "COD",
        _ => return,
    };
    out.truncate(start);
    out.push_str(payment);
}

/// An amount beyond doubt: digits, with a point before two decimals or with other than three of them.
fn amount(text: &str) -> Option<Decimal> {
    let (whole, decimals) = text.split_once('.').unwrap_or((text, ""));
    let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let plain = !whole.is_empty() && digits(whole) && digits(decimals) && !text.ends_with('.');
    (plain && decimals.len() != 3).then(|| Decimal::from_str_exact(text).ok())?
}

/// What is left of a number less others, never below zero; nothing where one cannot be read. Blank ones are zero.
pub(super) fn left<'t>(whole: &str, used: impl Iterator<Item = &'t str>) -> Option<Decimal> {
    let used: Option<Decimal> = used.filter(|text| !text.is_empty()).map(amount).sum();
    Some((amount(whole)? - used?).max(Decimal::ZERO).normalize())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn added(texts: &[&str]) -> (String, CellKind) {
        let mut out = String::new();
        let kind = sum(texts.iter().map(|text| Cell { text, kind: CellKind::Text }), &mut out);
        (out, kind)
    }

    #[test]
    fn what_is_collected_says_how_an_order_is_paid() {
        for (text, payment) in [
            ("1000", "COD"),
            ("Rs. 1,000.50", "COD"),
            ("Yes", "COD"),
            ("0", "PREPAID"),
            ("0.00", "PREPAID"),
            ("no", "PREPAID"),
            ("-", "PREPAID"),
            ("-100", "-100"),
            ("later", "later"),
        ] {
            let mut out = format!("before{text}");
            collected("before".len(), &mut out);
            assert_eq!(out, format!("before{payment}"), "{text}");
        }
    }

    #[test]
    fn amounts_are_added_or_shown_as_they_stand() {
        assert_eq!(added(&["1", "3.42"]), ("4.42".to_owned(), CellKind::Number));
        assert_eq!(added(&["1,5"]), ("1,5".to_owned(), CellKind::Text));
        assert_eq!(added(&[]), (String::new(), CellKind::Empty));
        for unsure in [["1", "3,42"], ["1", "1.250"], ["1", "n/a"], ["1", "5."], ["1", ".5"]] {
            assert_eq!(added(&unsure), (unsure.join(" + "), CellKind::Text));
        }
    }
}
