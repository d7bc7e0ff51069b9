//! What tells a request from any other that may be made of an order.

use crate::order::Order;
use crate::stage::Request;

/// What a request is made of, whenever it is made.
pub(in crate::app) fn digest(order: &Order) -> [u8; 32] {
    Request::new(order, order.created_ms.unwrap_or_default(), None).sha256
}
