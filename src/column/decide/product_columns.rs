//! Products as columns: each has its name and its price in the header, and its cells say how many pieces of it an order has.

use std::collections::BTreeMap;

use crate::column::{Columns, Feed};
use crate::field::{Id, Priced, normalised};
use crate::finding::Finding;
use crate::finding::column::sheet_notice;
use crate::profile::{PRODUCTS_MAX, Recipe, Step};
use crate::text::Decimal;

use super::deciding::Deciding;
use super::sample::Seen;

/// Texts of cells that say of a product that an order has none of it, without spaces and punctuation: dashes, `0`, `0.00`.
const NONE: [&str; 4] = ["", "0", "00", "000"];

/// The columns that are products, where no other column names the products or their price.
///
/// Their headers name a price, and the cells of one of them at least are figures: those of the others are numbers of pieces as well,
/// and what is none there is refused in its order.
pub(super) fn product_columns(own: &Deciding<'_>) -> Vec<u32> {
    let Deciding { columns, known, .. } = own;
    let of_products = [Id::ProductName, Id::Sku, Id::Price];
    let is_told = |id: Id| columns.feed(id).is_some() || known.names(id);
    if of_products.into_iter().any(is_told) || known.has_default(Id::Price) {
        return Vec::new();
    }
    let is_product = |column: &u32| {
        let (reading, header) = (columns.get(*column), columns.header(*column));
        reading.priced.is_some() && !known.leaves_out(header)
    };
    let all: Vec<u32> = columns.unknown.iter().copied().filter(is_product).take(usize::from(PRODUCTS_MAX)).collect();
    if all.iter().any(|column| are_pieces(own.seen(*column))) { all } else { Vec::new() }
}

/// Whether the cells of a column are numbers of pieces.
fn are_pieces(seen: &Seen) -> bool {
    let is_none = |text: &str| NONE.contains(&normalised(text).as_str());
    let is_number = |text: &str| text.parse::<Decimal>().is_ok();
    seen.texts().all(|text| is_none(text) || is_number(text)) && seen.count(is_number) > 0
}

impl Columns {
    /// Takes columns for products, one beside the other. A column of pieces in all counts them once more, and is sent no more.
    pub(super) fn take_products(&mut self, columns: &[u32]) {
        let counted = self.plain(Id::Quantity).filter(|_| !columns.is_empty());
        if let Some(column) = counted {
            self.feeds.retain(|feed| feed.id() != Id::Quantity);
            self.unknown.push(column);
            self.unknown.sort_unstable();
        }
        for (product, column) in (0..).zip(columns) {
            let Some(Priced { name, price }) = self.get(*column).priced.clone() else { continue };
            let values = [(Id::ProductName, Some(name)), (Id::Price, Some(price)), (Id::Quantity, None)];
            for (id, otherwise) in values {
                let map: BTreeMap<String, String> = NONE.map(|none| (none.to_owned(), String::new())).into();
                let recipe = Recipe { map, otherwise, ..Recipe::default() };
                let sources = vec![*column];
                let step = self.mapper.add(Step { recipe, sources, kind: Some(id.field().kind), ..Step::default() });
                self.feeds.push(Feed { product, ..Feed::of(id, *column, Some(step)) });
            }
        }
        self.unknown.retain(|own| !columns.contains(own));
        self.sort();
        self.as_products = columns.to_vec();
    }

    /// What there is to be said of products that are columns.
    pub(super) fn products_in_headers(&self) -> Option<Finding> {
        let first = self.as_products.first()?;
        let headers = self.as_products.iter().map(|column| self.header(*column).to_owned()).collect();
        Some(sheet_notice::products_in_headers(headers).at(self.header_place(*first)))
    }
}
