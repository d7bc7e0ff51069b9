//! Products that stand side by side in a row, by the numbers in their headers.

use super::plan::{NUMBER, PRODUCTS_MAX};
use super::recipe::Recipe;
use crate::field::normalised;

/// The products, counted from 0, for which a sheet may have a recipe's columns; the first one where they are not numbered.
///
/// A number may be left out: `Product 5` is the fifth one even where there is no `Product 4`.
pub(super) fn products_of(recipe: &Recipe, header: &[String]) -> Vec<u16> {
    let patterns: Vec<(String, String)> = recipe
        .columns
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
