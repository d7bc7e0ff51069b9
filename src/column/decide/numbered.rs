//! Products that stand side by side in a row, by the numbers in their headers.

use super::state::Known;
use super::told::first_line_lost;
use crate::column::{Columns, Feed};
use crate::field::{Id, normalised};
use crate::finding::Finding;
use crate::profile::{NUMBER, PRODUCTS_MAX, Recipe};

/// Products that stand side by side: `Product 1`, `Qty 1`, `Product 2`, `Qty 2`; the first may have no number.
pub(super) fn match_numbered(columns: &mut Columns) {
    let numbered = columns.unknown.iter().filter_map(|column| {
        let (id, number) = columns.get(*column).numbered.filter(|(_, number)| *number <= PRODUCTS_MAX)?;
        Some(Feed { product: number - 1, ..Feed::of(id, *column, None) })
    });
    let mut found: Vec<Feed> = numbered.collect();
    let names = |product: u16| {
        let is_name = |feed: &Feed| feed.product == product && matches!(feed.id(), Id::ProductName | Id::Sku);
        found.iter().chain(&columns.feeds).any(is_name)
    };
    // Without a second one, or a name for it, a number may mean anything.
    let several = found.iter().any(|feed| feed.product > 0 && names(feed.product)) && names(0);
    let is_named: Vec<bool> = found.iter().map(|feed| several && names(feed.product)).collect();
    let mut is_named = is_named.into_iter();
    found.retain(|_| is_named.next() == Some(true));
    for feed in found {
        if !columns.fed().any(|own| own.id() == feed.id() && own.product == feed.product) {
            columns.unknown.retain(|unknown| *unknown != feed.column);
            columns.feeds.push(feed);
        }
    }
    columns.sort();
}

/// Where the second of two numbered columns is a line of the address, the first one is the line before it. An address
/// never loses its first line: where another column is that, a person is asked.
pub(super) fn find_first_line(columns: &mut Columns, known: &Known<'_>) -> Option<Finding> {
    let (line1, line2) = (Id::DestinationLine1, Id::DestinationLine2);
    let pair = [line2, line1].into_iter().find_map(|id| {
        let second = columns.plain(id)?;
        let name = normalised(columns.header(second));
        let wanted = format!("{}1", name.strip_suffix('2').filter(|base| !base.is_empty())?);
        let is_first = |column: &&u32| {
            let header = columns.header(**column);
            normalised(header) == wanted && !known.ignores(header) && !known.leaves_out(header)
        };
        Some((id, *columns.unknown.iter().find(is_first)?, second))
    });
    let (id, first, second) = pair?;
    if columns.feed(if id == line1 { line2 } else { line1 }).is_some() {
        return Some(first_line_lost(first, second, columns));
    }
    columns.feeds.retain(|feed| feed.id() != line1);
    columns.claims.retain(|own| own.column != first && own.column != second);
    columns.take(line1, first, None);
    if id == line1 {
        columns.take(line2, second, None);
    }
    None
}

/// The products, counted from 0, for which a sheet may have a recipe's columns; the first one where they are not numbered.
///
/// A number may be left out: `Product 5` is the fifth one even where there is no `Product 4`.
pub(super) fn products_of(recipe: &Recipe, columns: &Columns) -> Vec<u16> {
    let patterns: Vec<(String, String)> = recipe
        .columns()
        .iter()
        .filter_map(|column| column.split_once(NUMBER))
        .map(|(before, after)| (normalised(before), normalised(after)))
        .collect();
    if patterns.is_empty() {
        return vec![0];
    }
    let bare: Vec<String> = columns.headers.iter().map(|own| normalised(&own.header)).collect();
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
