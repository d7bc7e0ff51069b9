//! Shipments for the people at the packing table: the pieces of each product, and the products of each parcel.

use std::collections::BTreeMap;

use crate::ledger::{Ledger, Shipped};
use crate::text::Decimal;

use super::connect::App;
use super::error::Result;
use super::sent::{Sent, SentProduct};

/// A product of some shipments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PickLine {
    /// Its name.
    pub name: String,
    /// The seller's own code of it; may be empty.
    pub sku: String,
    /// Pieces in all.
    pub pieces: Decimal,
    /// The orders that it goes into, in the order of the shipments, each with its pieces.
    pub orders: Vec<(String, Decimal)>,
}

impl App {
    /// The contents of each of these shipments of a service, as their requests say it. A request that was purged says nothing.
    ///
    /// # Errors
    /// A ledger that cannot be read.
    pub fn packed(&self, ledger: &Ledger, service: &str, shipments: Vec<Shipped>) -> Result<Vec<(Shipped, Sent)>> {
        let sent = |shipment: Shipped| {
            let sent = self.sent(ledger, (&shipment.order_number, service))?.unwrap_or_default();
            Ok((shipment, sent))
        };
        shipments.into_iter().map(sent).collect()
    }
}

/// The products of shipments, sorted by name and code, each once.
#[must_use]
pub fn pick_list(packed: &[(Shipped, Sent)]) -> Vec<PickLine> {
    let mut lines: BTreeMap<(String, &str, &str), PickLine> = BTreeMap::new();
    for (shipment, sent) in packed {
        for SentProduct { name, sku, quantity, .. } in &sent.products {
            let line = lines.entry((name.to_lowercase(), name, sku)).or_insert_with(|| PickLine {
                name: name.clone(),
                sku: sku.clone(),
                pieces: Decimal::ZERO,
                orders: Vec::new(),
            });
            line.pieces += *quantity;
            match line.orders.last_mut() {
                Some((order, pieces)) if *order == shipment.order_number => *pieces += *quantity,
                _ => line.orders.push((shipment.order_number.clone(), *quantity)),
            }
        }
    }
    lines.into_values().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packed(number: &str, products: &[(&str, &str, i64)]) -> (Shipped, Sent) {
        let shipment = Shipped {
            order_number: number.to_owned(),
            awb: String::new(),
            order_id: None,
            carrier: None,
            rows: String::new(),
            cancelled_ms: None,
            cancel_unclear_ms: None,
            printed_ms: None,
        };
        let product = |(name, sku, quantity): &(&str, &str, i64)| SentProduct {
            name: (*name).to_owned(),
            sku: (*sku).to_owned(),
            quantity: (*quantity).into(),
            ..SentProduct::default()
        };
        (shipment, Sent { products: products.iter().map(product).collect(), ..Sent::default() })
    }

    #[test]
    fn pieces_of_a_product_are_added_and_its_orders_named_once() {
        let all = [
            packed("A-2", &[("kurta", "K-1", 2), ("Cup", "", 1), ("kurta", "K-1", 1)]),
            packed("A-1", &[("kurta", "K-1", 4), ("kurta", "K-2", 1), ("Apron", "", 1)]),
        ];
        let lines = pick_list(&all);
        let told = lines.iter().map(|line| {
            let orders = line.orders.iter().map(|(order, pieces)| format!("{order} {pieces}"));
            let orders = orders.collect::<Vec<_>>().join(", ");
            format!("{} {} × {}: {orders}", line.name, line.sku, line.pieces)
        });
        assert_eq!(
            told.collect::<Vec<_>>(),
            ["Apron  × 1: A-1 1", "Cup  × 1: A-2 1", "kurta K-1 × 7: A-2 3, A-1 4", "kurta K-2 × 1: A-1 1"]
        );
    }
}
