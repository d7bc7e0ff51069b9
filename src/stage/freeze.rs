//! From an order to the request that is sent, byte for byte.

use std::borrow::Cow;

use sha2::{Digest, Sha256};

use crate::api::wire;
use crate::field::Id;
use crate::ledger::{Packed, Packer};
use crate::order::{Address, Contact, Line, Order, ShipFrom};
use crate::text::{Text, at_least_two_decimals};

/// A request as it is sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// Its `orderCreatedAt`, epoch milliseconds.
    pub created_ms: i64,
    /// The JSON body.
    pub body: Vec<u8>,
    /// The same as the ledger keeps it, where that was asked for.
    pub packed: Option<Packed>,
    /// Its hash.
    pub sha256: [u8; 32],
}

impl Request {
    /// Freezes an order, and packs it where there is a packer.
    #[must_use]
    pub fn new(order: &Order, created_ms: i64, packer: Option<&mut Packer>) -> Self {
        let body = freeze(order, created_ms);
        Self { created_ms, sha256: Sha256::digest(&body).into(), packed: packer.map(|packer| packer.pack(&body)), body }
    }
}

/// The JSON body of an order; `created_ms` is its `orderCreatedAt`.
///
/// Money has two decimals, or as many as it needs, whether the sheet was CSV or a workbook; measures have the digits
/// they need. Equal orders give equal bytes.
#[must_use]
pub fn freeze(order: &Order, created_ms: i64) -> Vec<u8> {
    let common = wire::Common {
        order_number: order.number.as_str().into(),
        order_created_at: created_ms.to_string().into(),
        channel_id: order.channel_id.as_str().into(),
        receiver: receiver(order),
        destination: wire::Address {
            address_line2: optional(order, Id::DestinationLine2, &order.destination.line2),
            ..address(&order.destination)
        },
        shipment_type: order.shipment_type.as_str().into(),
        seller_note: optional(order, Id::SellerNote, &order.seller_note),
        parcel_attributes: wire::Parcel {
            dimension: wire::Dimension {
                length: order.parcel.length.into(),
                width: order.parcel.width.into(),
                height: order.parcel.height.into(),
                unit: spelled(order, Id::DimensionUnit, &order.parcel.dimension_unit),
            },
            weight: wire::Weight {
                weight: order.parcel.weight.into(),
                unit: spelled(order, Id::WeightUnit, &order.parcel.weight_unit),
            },
        },
        tags: optional(order, Id::Tags, &order.tags),
        product_requests_list: order.lines.iter().map(line).collect(),
        shipping_properties: wire::ShippingProperties {
            order_type: spelled(order, Id::OrderType, &order.order_type),
            sub_total: at_least_two_decimals(order.sub_total).into(),
            shipping_charges: at_least_two_decimals(order.shipping_charges).into(),
            other_charges: at_least_two_decimals(order.other_charges).into(),
            discount: at_least_two_decimals(order.discount).into(),
        },
        carrier: optional(order, Id::Carrier, &order.carrier),
        service: optional(order, Id::Service, &order.service),
    };
    match &order.placement {
        ShipFrom::Warehouse { warehouse_id, return_address_id } => wire::ForwardShipment {
            common,
            warehouse_id: warehouse_id.as_str().into(),
            return_address_id: optional(order, Id::ReturnAddressId, return_address_id),
        }
        .to_json(),
        ShipFrom::Addresses(written) => wire::ForwardShipmentV1 {
            common,
            sender: contact(&written.sender),
            origin: address(&written.origin),
            return_address: address(&written.return_address),
        }
        .to_json(),
    }
}

/// A text that an order need not have.
fn optional<'o>(order: &Order, id: Id, text: &'o Text) -> Option<Cow<'o, str>> {
    (!text.is_empty() || !order.omit_empty.contains(&id)).then(|| text.as_str().into())
}

/// A value as its sheet writes it, where that is wanted, else in the usual spelling.
fn spelled<'o>(order: &'o Order, id: Id, usual: &'o Text) -> Cow<'o, str> {
    let written = order.as_written.iter().find(|(of, _)| *of == id);
    written.map_or(usual, |(_, written)| written).as_str().into()
}

fn receiver(order: &Order) -> wire::Contact<'_> {
    let own = &order.receiver;
    wire::Contact {
        last_name: optional(order, Id::ReceiverLastName, &own.last_name),
        email: optional(order, Id::ReceiverEmail, &own.email),
        company_name: optional(order, Id::ReceiverCompany, &own.company),
        phone_number: spelled(order, Id::ReceiverPhone, &own.phone),
        ..contact(own)
    }
}

fn contact(contact: &Contact) -> wire::Contact<'_> {
    wire::Contact {
        first_name: contact.first_name.as_str().into(),
        last_name: Some(contact.last_name.as_str().into()),
        email: Some(contact.email.as_str().into()),
        phone_number: contact.phone.as_str().into(),
        company_name: Some(contact.company.as_str().into()),
    }
}

fn address(address: &Address) -> wire::Address<'_> {
    wire::Address {
        address_line1: address.line1.as_str().into(),
        address_line2: Some(address.line2.as_str().into()),
        city: address.city.as_str().into(),
        state: address.state.as_str().into(),
        country: address.country.as_str().into(),
        country_code: address.country_code.as_str().into(),
        pin_code: address.pin_code.as_str().into(),
        address_type: address.kind.as_str().into(),
    }
}

fn line(line: &Line) -> wire::ProductLine<'_> {
    wire::ProductLine {
        product_name: line.product_name.as_str().into(),
        price: at_least_two_decimals(line.price).into(),
        quantity: line.quantity.normalize().into(),
        category: line.category.as_deref().map(Into::into),
        currency_code: line.currency_code.as_str().into(),
        sku: line.sku.as_str().into(),
        tax_rate: line.tax_rate.to_string().into(),
        discount: at_least_two_decimals(line.discount).to_string().into(),
        taxes_included: line.taxes_included,
        description: line.description.as_deref().map(Into::into),
        hs_code: line.hs_code.as_deref().map(Into::into),
    }
}
