//! From an order to the request that is sent, byte for byte.

use sha2::{Digest, Sha256};

use crate::api::wire;
use crate::order::{Address, Contact, Line, Order, Placement};
use crate::text::at_least_two_decimals;

/// A request as it is sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// Its `orderCreatedAt`, epoch milliseconds.
    pub created_ms: i64,
    /// The JSON body.
    pub body: Vec<u8>,
    /// Its hash.
    pub sha256: [u8; 32],
}

impl Request {
    /// Freezes an order.
    #[must_use]
    pub fn new(order: &Order, created_ms: i64) -> Self {
        let body = freeze(order, created_ms);
        Self { created_ms, sha256: Sha256::digest(&body).into(), body }
    }
}

/// The JSON body of an order; `created_ms` is its `orderCreatedAt`.
///
/// Money has two decimals, or as many as it needs, whether the sheet was CSV or a workbook; measures have the digits
/// they need. Equal orders give equal bytes.
#[must_use]
pub fn freeze(order: &Order, created_ms: i64) -> Vec<u8> {
    let common = wire::Common {
        order_number: order.number.clone(),
        order_created_at: created_ms.to_string(),
        channel_id: order.channel_id.clone(),
        receiver: contact(&order.receiver),
        destination: address(&order.destination),
        shipment_type: order.shipment_type.clone(),
        seller_note: order.seller_note.clone(),
        parcel_attributes: wire::Parcel {
            dimension: wire::Dimension {
                length: order.parcel.length.into(),
                width: order.parcel.width.into(),
                height: order.parcel.height.into(),
                unit: order.parcel.dimension_unit.clone(),
            },
            weight: wire::Weight { weight: order.parcel.weight.into(), unit: order.parcel.weight_unit.clone() },
        },
        tags: order.tags.clone(),
        product_requests_list: order.lines.iter().map(line).collect(),
        shipping_properties: wire::ShippingProperties {
            order_type: order.order_type.clone(),
            sub_total: at_least_two_decimals(order.sub_total).into(),
            shipping_charges: at_least_two_decimals(order.shipping_charges).into(),
            other_charges: at_least_two_decimals(order.other_charges).into(),
            discount: at_least_two_decimals(order.discount).into(),
        },
        carrier: order.carrier.clone(),
        service: order.service.clone(),
    };
    match &order.placement {
        Placement::Warehouse { warehouse_id, return_address_id } => wire::ForwardShipment {
            common,
            warehouse_id: warehouse_id.clone(),
            return_address_id: return_address_id.clone(),
        }
        .to_json(),
        Placement::Written { sender, origin, return_address } => wire::ForwardShipmentV1 {
            common,
            sender: contact(sender),
            origin: address(origin),
            return_address: address(return_address),
        }
        .to_json(),
    }
}

fn contact(contact: &Contact) -> wire::Contact {
    wire::Contact {
        first_name: contact.first_name.clone(),
        last_name: contact.last_name.clone(),
        email: contact.email.clone(),
        phone_number: contact.phone.clone(),
        company_name: contact.company.clone(),
    }
}

fn address(address: &Address) -> wire::Address {
    wire::Address {
        address_line1: address.line1.clone(),
        address_line2: address.line2.clone(),
        city: address.city.clone(),
        state: address.state.clone(),
        country: address.country.clone(),
        country_code: address.country_code.clone(),
        pin_code: address.pin_code.clone(),
        address_type: address.kind.clone(),
    }
}

fn line(line: &Line) -> wire::ProductLine {
    wire::ProductLine {
        product_name: line.product_name.clone(),
        price: at_least_two_decimals(line.price).into(),
        quantity: line.quantity.normalize().into(),
        category: line.category.clone(),
        currency_code: line.currency_code.clone(),
        sku: line.sku.clone(),
        tax_rate: line.tax_rate.to_string(),
        discount: at_least_two_decimals(line.discount).to_string(),
        taxes_included: line.taxes_included,
        description: line.description.clone(),
        hs_code: line.hs_code.clone(),
    }
}
