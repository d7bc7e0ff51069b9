//! Values that are made of several cells of a row.

use std::fmt::Write as _;

use rust_decimal::Decimal;

use crate::field::{Payment, Says, money_sign, normalised, payment_word, says};
use crate::sheet::{Cell, CellKind, Row};

/// The column of the first block whose own column is filled, which may have none; of the first one where none is. Of blocks
/// with one column of their own, the first that is filled.
pub(super) fn block(blocks: &[(Option<u32>, Option<u32>)], row: &Row) -> Option<u32> {
    let filled = |column: Option<u32>| column.is_some_and(|column| row.cell(column as usize).kind != CellKind::Empty);
    let (by, first) = blocks.iter().find(|(by, _)| filled(*by)).or_else(|| blocks.first())?;
    let alike = blocks.iter().find(|(other, column)| other == by && filled(*column));
    alike.map_or(*first, |(_, column)| *column)
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
            let signs: Vec<&str> = several.iter().map(|cell| signed(cell.text).0).collect();
            let alike = signs.iter().all(|sign| *sign == signs[0]);
            let sum: Option<Decimal> = several.iter().map(|cell| amount(signed(cell.text).1)).sum();
            if let Some(sum) = sum.filter(|_| alike) {
                // Writing into text cannot fail.
                let _ = write!(out, "{}{sum}", signs[0]);
                if !signs[0].is_empty() {
                    return CellKind::Text;
                }
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
    if text.is_empty() {
        return;
    }
    let bare = normalised(text);
    let figures = bare.strip_prefix("rs").or_else(|| bare.strip_prefix("inr")).unwrap_or(&bare);
    let is_amount = !figures.is_empty() && figures.bytes().all(|byte| byte.is_ascii_digit()) && !text.contains('-');
    let payment = match (says(text), payment_word(text)) {
        (Says::Yes, _) | (_, Some(Payment::Cod)) => "COD",
        (Says::No | Says::Nothing, _) | (_, Some(_)) => "PREPAID",
        _ if is_amount && figures.bytes().all(|digit| digit == b'0') => "PREPAID",
        _ if is_amount => "COD",
        _ => return,
    };
    out.truncate(start);
    out.push_str(payment);
}

/// Multiplies what is there by the pieces that are left of a quantity; nothing where none are, and all as it stands, to be
/// refused, where one of them cannot be read.
pub(super) fn multiplied<'t>(start: usize, pieces: &str, less: impl Iterator<Item = &'t str>, out: &mut String) {
    let product = amount(&out[start..]).zip(left(pieces, less)).map(|(each, pieces)| (each * pieces).normalize());
    match product {
        Some(product) => {
            out.truncate(start);
            if !product.is_zero() {
                // Writing into text cannot fail.
                let _ = write!(out, "{product}");
            }
        }
        None => out.extend([" × ", pieces]),
    }
}

/// An amount beyond doubt: digits, with a point before two decimals or with other than three of them.
fn amount(text: &str) -> Option<Decimal> {
    let (whole, decimals) = text.split_once('.').unwrap_or((text, ""));
    let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let plain = !whole.is_empty() && digits(whole) && digits(decimals) && !text.ends_with('.');
    (plain && decimals.len() != 3).then(|| Decimal::from_str_exact(text).ok())?
}

/// The sign of money before an amount, and the amount.
fn signed(text: &str) -> (&str, &str) {
    let first = text.find(|c: char| c.is_ascii_digit()).unwrap_or(0);
    let (sign, figures) = text.split_at(first);
    if money_sign(sign.trim()).is_some() { (sign, figures) } else { ("", text) }
}

/// What is left of a number less others, never below zero; nothing where one cannot be read. Blank ones are zero.
pub(super) fn left<'t>(whole: &str, used: impl Iterator<Item = &'t str>) -> Option<Decimal> {
    let used: Option<Decimal> = used.filter(|text| !text.is_empty()).map(amount).sum();
    Some((amount(whole)? - used?).max(Decimal::ZERO).normalize())
}

pub(super) const fn is_broken(kind: CellKind) -> bool {
    matches!(kind, CellKind::LossyNumber | CellKind::Error | CellKind::FormulaWithoutValue)
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
    fn a_weight_counts_for_each_piece() {
        for (weight, pieces, less, of_all) in [
            ("0.4000", "2.0000", ["0", ""], "0.8"),
            ("0.4", "3", ["1", "2"], ""),
            ("0.4", "3", ["1", ""], "0.8"),
            ("0.0000", "2", ["", ""], ""),
            ("0.4", "two", ["", ""], "0.4 × two"),
        ] {
            let mut out = format!("x{weight}");
            multiplied(1, pieces, less.into_iter(), &mut out);
            assert_eq!(out, format!("x{of_all}"));
        }
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
        assert_eq!(added(&["$1.98", "$0.02"]), ("$2.00".to_owned(), CellKind::Text));
        assert_eq!(added(&["$1.98", "€1"]), ("$1.98 + €1".to_owned(), CellKind::Text));
        assert_eq!(added(&["1,5"]), ("1,5".to_owned(), CellKind::Text));
        assert_eq!(added(&[]), (String::new(), CellKind::Empty));
        for unsure in [["1", "3,42"], ["1", "1.250"], ["1", "n/a"], ["1", "5."], ["1", ".5"]] {
            assert_eq!(added(&unsure), (unsure.join(" + "), CellKind::Text));
        }
    }
}
