//! A last row that holds nothing but the sums of columns above, without a word that says so.

use std::ops::ControlFlow;

use rust_decimal::Decimal;

use crate::sheet::{CellKind, Row, Sheet, SheetError};

/// More filled cells than this are no row of sums.
const CELLS_MAX: usize = 6;

/// So many rows of one run are looked into at most: a sheet has one such row, and each look reads the sheet once more.
const LOOKS_MAX: u32 = 4;

/// Whether a row without an order number is the last of its sheet and holds the sums of its columns, and nothing else. Only
/// a few rows are looked into, which `looks` counts.
pub(super) fn is_of_sums(sheet: &Sheet, row: &Row, looks: &mut u32) -> Result<bool, SheetError> {
    let Some(wanted) = figures(row).filter(|_| *looks < LOOKS_MAX) else { return Ok(false) };
    *looks += 1;
    let mut sums = vec![Decimal::ZERO; wanted.len()];
    let mut rows = 0_u32;
    let mut is_last = true;
    sheet.read(&mut |other| {
        if other.is_blank() || other.skip().is_some() || other.number() == row.number() {
            return ControlFlow::Continue(());
        }
        if other.number() > row.number() {
            is_last = false;
            return ControlFlow::Break(());
        }
        rows += 1;
        for ((column, _), sum) in wanted.iter().zip(&mut sums) {
            // Where a cell is no figure the sum is another one, or none at all.
            *sum += figure(other.cell(*column).text).unwrap_or_default();
        }
        ControlFlow::Continue(())
    })?;
    Ok(is_last && rows > 1 && wanted.iter().zip(sums).all(|((_, figure), sum)| *figure == sum))
}

/// The columns of a row with their figures, where it holds nothing but a few of them.
fn figures(row: &Row) -> Option<Vec<(usize, Decimal)>> {
    let filled = row.cells().enumerate().filter(|(_, cell)| cell.kind != CellKind::Empty);
    let figures: Option<Vec<(usize, Decimal)>> =
        filled.take(CELLS_MAX + 1).map(|(column, cell)| Some((column, figure(cell.text)?))).collect();
    figures.filter(|figures| (1..=CELLS_MAX).contains(&figures.len()) && figures.iter().all(|(_, sum)| !sum.is_zero()))
}

/// An amount or a count, with the sign of its currency and its thousands: `₹ 2,547.00`.
fn figure(text: &str) -> Option<Decimal> {
    let sign = ["Rs", "INR", "₹", "$", "€", "£"].iter().find_map(|sign| text.strip_prefix(sign)).unwrap_or(text);
    let bare = sign.trim_start_matches(['.', ' ']).trim_end();
    let is_decimal_comma = !bare.contains('.') && bare.rsplit_once(',').is_some_and(|(_, part)| part.len() < 3);
    let plain = if is_decimal_comma { bare.replace(',', ".") } else { bare.replace([',', ' '], "") };
    Decimal::from_str_exact(plain.trim_end_matches("/-")).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_have_signs_and_thousands() {
        for (text, expected) in [
            ("2547", Some("2547")),
            ("₹ 2,547.50", Some("2547.5")),
            ("Rs. 1,02,547", Some("102547")),
            ("12,5", Some("12.5")),
            ("499/-", Some("499")),
            ("2 pcs", None),
            ("A-1", None),
            ("", None),
        ] {
            assert_eq!(figure(text), expected.map(|sum| sum.parse().unwrap()), "{text}");
        }
    }
}
