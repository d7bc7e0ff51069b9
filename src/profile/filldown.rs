//! Rows without an order number under an order: what reads on, and what is a row of totals.

use crate::sheet::{Cell, CellKind, Row};
use crate::words::{Topic, Vocabulary};

/// What a row without an order number is, where such rows belong to the order above.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Below {
    /// One more line of the order.
    Line,
    /// A row of totals, by the cell of that column.
    Totals(u32),
    /// Neither: figures without a product.
    Stray,
}

/// Looks at a row by the columns that name products.
pub(super) fn below(row: &Row, names: &[u32]) -> Below {
    let is_named = |column: &u32| {
        let cell = row.cell(*column as usize);
        is_filled(&cell) && !is_total(cell.text)
    };
    if names.is_empty() || names.iter().any(is_named) {
        return Below::Line;
    }
    let label = (0_u32..).zip(row.cells()).find(|(_, cell)| is_filled(cell) && is_total(cell.text));
    label.map_or(Below::Stray, |(column, _)| Below::Totals(column))
}

fn is_filled(cell: &Cell<'_>) -> bool {
    cell.kind != CellKind::Empty
}

/// Words that stand beside sums.
fn is_total(text: &str) -> bool {
    Vocabulary::built_in().text(text).says(Topic::Rows, "total")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_for_totals() {
        for text in ["Total", "TOTAL:", "grand total", "Sub-Total "] {
            assert!(is_total(text), "{text}");
        }
        for text in ["Total care shampoo", "Colgate Total", "T", ""] {
            assert!(!is_total(text), "{text}");
        }
    }
}
