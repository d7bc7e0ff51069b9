//! Rows of sums below the orders.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use crate::text::Decimal;

use crate::column::Columns;
use crate::field::Id;
use crate::sheet::{CellKind, Row, Sheet};

/// A row with more filled cells holds no sums alone.
const CELLS_MAX: usize = 6;

/// So many rows of a run are looked at: a sheet has one row of sums, and each look reads the sheet once more.
const LOOKS_MAX: u32 = 4;

/// What a row of figures has to do with the rows above it.
pub(super) struct SummaryRow {
    /// Whether it is the last row and holds the sums of its columns, and nothing else but a word before two of them or more.
    pub(super) are_of_sheet: bool,
    /// The column with the price of one piece where its plain sum stands, that sum, and the sum with the pieces of each row.
    /// Amounts of whole rows are added up, prices of one piece are not.
    pub(super) price: Option<(u32, Decimal, Decimal)>,
}

impl SummaryRow {
    pub(super) fn above(row: &Row, sheet: &Sheet, columns: &Columns, looks: &mut u32) -> Option<Self> {
        let filled: Vec<_> = row.cells().enumerate().filter(|(_, cell)| cell.kind != CellKind::Empty).collect();
        let figures: BTreeMap<usize, Decimal> =
            filled.iter().filter_map(|(column, cell)| Some((*column, figure(cell.number())?))).collect();
        if figures.is_empty() || *looks >= LOOKS_MAX {
            return None;
        }
        *looks += 1;
        let price = columns.column(Id::Price).filter(|_| !columns.line_total);
        // The cells of a column that is a product are pieces, and its price is in the header.
        let price = price.zip(columns.column(Id::Quantity)).filter(|(price, pieces)| price != pieces);
        let mut sums: BTreeMap<usize, Decimal> = figures.keys().map(|column| (*column, Decimal::ZERO)).collect();
        let mut with_pieces = Decimal::ZERO;
        let (mut rows, mut is_last) = (0_u32, true);
        let mut add = |other: &Row| {
            if other.is_blank() || other.skip().is_some() || other.number() == row.number() {
                return ControlFlow::Continue(());
            }
            if other.number() > row.number() {
                is_last = false;
                return ControlFlow::Break(());
            }
            rows += 1;
            let own = |column: usize| figure(other.cell(column).number());
            for (column, sum) in &mut sums {
                // Where a cell is no figure the sum is another one, or none at all.
                *sum += own(*column).unwrap_or_default();
            }
            if let Some((price, pieces)) = price {
                let pieces = own(pieces as usize).unwrap_or(Decimal::ONE);
                with_pieces += own(price as usize).unwrap_or_default() * pieces;
            }
            ControlFlow::Continue(())
        };
        sheet.read(&mut add).ok().filter(|_| rows > 1)?;
        let mut texts = filled.iter().filter(|(column, _)| !figures.contains_key(column)).map(|(_, cell)| cell.text);
        let is_label = |text: &str| figures.len() > 1 && !text.contains(char::is_numeric);
        let are_alone =
            texts.next().is_none_or(is_label) && texts.next().is_none() && filled.len() <= CELLS_MAX && is_last;
        let price = price.map(|(price, _)| price).and_then(|price| Some((price, *sums.get(&(price as usize))?)));
        let is_summed =
            |(price, sum): &(u32, Decimal)| figures.get(&(*price as usize)) == Some(sum) && *sum != with_pieces;
        Some(Self {
            are_of_sheet: are_alone && figures == sums && figures.values().all(|sum| !sum.is_zero()),
            price: price.filter(is_summed).map(|(price, sum)| (price, sum.normalize(), with_pieces.normalize())),
        })
    }
}

/// An amount or a count, with the sign of its currency and its thousands: `₹ 2,547.00`.
fn figure(text: &str) -> Option<Decimal> {
    let sign = ["Rs", "INR", "₹", "$", "€", "£"].iter().find_map(|sign| text.strip_prefix(sign)).unwrap_or(text);
    let bare = sign.trim_start_matches(['.', ' ']).trim_end();
    let is_decimal_comma = !bare.contains('.') && bare.rsplit_once(',').is_some_and(|(_, part)| part.len() < 3);
    let plain = if is_decimal_comma { bare.replace(',', ".") } else { bare.replace([',', ' '], "") };
    Decimal::from_str_exact(plain.trim_end_matches("/-")).ok()
}
