//! Products that stand side by side in a row, by the numbers in their headers.

use super::plan::{Header, Plan};
use super::told::first_line_lost;
use crate::column::Feed;
use crate::field::{Field, Id, is_named, normalised};
use crate::finding::Finding;
use crate::origin::Column;
use crate::profile::{NUMBER, PRODUCTS_MAX, Recipe};

impl Plan {
    /// Products that stand side by side: `Product 1`, `Qty 1`, `Product 2`, `Qty 2`; the first may have no number.
    pub(super) fn match_numbered(&mut self) {
        let found: Vec<(Column, &'static Field, u16)> = self
            .unknown
            .iter()
            .filter_map(|column| {
                let (id, number) = self.reading(column.index).numbered.filter(|(_, number)| *number <= PRODUCTS_MAX)?;
                Some((column.clone(), id.field(), number - 1))
            })
            .collect();
        let names = |product: u16| {
            let named = |id: Id, own: u16| own == product && matches!(id, Id::ProductName | Id::Sku);
            found.iter().any(|(_, field, own)| named(field.id, *own))
                || self.feeds.iter().any(|feed| named(feed.field.id, feed.product))
        };
        // Without a second one, or a name for it, a number may mean anything.
        let several = found.iter().any(|(_, _, product)| *product > 0 && names(*product)) && names(0);
        let of_products: Vec<_> = found.iter().filter(|(_, _, product)| several && names(*product)).cloned().collect();
        for (column, field, product) in of_products {
            let is_fed = self.feeds.iter().any(|feed| feed.field.id == field.id && feed.product == product);
            if !is_fed {
                self.unknown.retain(|unknown| unknown.index != column.index);
                self.feeds.push(Feed { field, column: column.index, product, step: None, shared: false });
            }
        }
        self.feeds.sort_by_key(|feed| (feed.field.id, feed.product));
    }

    /// Whether a field is fed as its recipe in the profile says, and not by another column that means it.
    #[must_use]
    pub fn follows(&self, id: Id, recipe: &Recipe) -> bool {
        self.feed(id).is_some_and(|Feed { column, product, step, .. }| {
            let named =
                |own: &String| is_named(&[own.replace(NUMBER, &(product + 1).to_string())], self.header(column));
            step.is_some() || recipe.columns().iter().any(named)
        })
    }

    /// Where the second of two numbered columns is a line of the address, the first one is the line before it. An address
    /// never loses its first line: where another column is that, a person is asked.
    pub(super) fn find_first_line(&mut self, passed: &[String], header: &Header<'_>) -> Option<Finding> {
        let (line1, line2) = (Id::DestinationLine1, Id::DestinationLine2);
        let plain = |id: Id| self.feed(id).filter(|feed| feed.step.is_none());
        let second = [line2, line1].into_iter().filter_map(plain).find_map(|feed| {
            let base =
                normalised(self.header(feed.column)).strip_suffix('2').filter(|base| !base.is_empty())?.to_owned();
            let is_first =
                |own: &&Column| normalised(&own.header) == format!("{base}1") && !is_named(passed, &own.header);
            self.unknown.iter().find(is_first).map(|first| (first.clone(), feed))
        });
        let (first, second) = second?;
        let is_line1 = second.field.id == line1;
        if (is_line1 && self.feed(line2).is_some()) || (!is_line1 && self.feed(line1).is_some()) {
            return Some(first_line_lost(&first, self.header(second.column), header));
        }
        self.feeds.retain(|feed| !(is_line1 && feed.field.id == line1));
        self.amounts.retain(|own| own.column != first.index && own.column != second.column);
        let both = [(line1, first.index), (line2, second.column)];
        for (id, column) in both.into_iter().filter(|(id, _)| is_line1 || *id == line1) {
            self.take(id, column, None);
        }
        None
    }
}

/// The products, counted from 0, for which a sheet may have a recipe's columns; the first one where they are not numbered.
///
/// A number may be left out: `Product 5` is the fifth one even where there is no `Product 4`.
pub(super) fn products_of(recipe: &Recipe, header: &[String]) -> Vec<u16> {
    let patterns: Vec<(String, String)> = recipe
        .columns()
        .iter()
        .filter_map(|column| column.split_once(NUMBER))
        .map(|(before, after)| (normalised(before), normalised(after)))
        .collect();
    if patterns.is_empty() {
        return vec![0];
    }
    let bare: Vec<String> = header.iter().map(|cell| normalised(cell)).collect();
    let number = |(before, after): &(String, String), cell: &String| {
        let number: u16 = cell.strip_prefix(before.as_str())?.strip_suffix(after.as_str())?.parse().ok()?;
        (1..=PRODUCTS_MAX).contains(&number).then(|| number - 1)
    };
    let mut products: Vec<u16> =
        patterns.iter().flat_map(|pattern| bare.iter().filter_map(|cell| number(pattern, cell))).collect();
    products.sort_unstable();
    products.dedup();
    products
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_may_be_left_out() {
        let header: Vec<String> =
            ["Product 1", "product_2", "Product 5", "Product 500", "Product"].map(str::to_owned).to_vec();
        assert_eq!(products_of(&Recipe::plain("Product {n}"), &header), [0, 1, 4]);
        assert_eq!(products_of(&Recipe::plain("Product"), &header), [0]);
        assert!(products_of(&Recipe::plain("Item {n}"), &header).is_empty());
    }
}
