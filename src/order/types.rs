//! An order and its lines.

use std::sync::Arc;

pub use crate::text::Decimal;

use crate::field::Id;

pub use crate::text::Text;

/// A person or company.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Contact {
    /// First name, or the whole name.
    pub first_name: Text,
    /// Last name; may be empty.
    pub last_name: Text,
    /// E-mail address; may be empty.
    pub email: Text,
    /// Phone number in its country's form.
    pub phone: Text,
    /// Company; may be empty.
    pub company: Text,
}

/// Where something goes or comes from.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Address {
    /// First line.
    pub line1: Text,
    /// Second line; may be empty.
    pub line2: Text,
    /// City.
    pub city: Text,
    /// State.
    pub state: Text,
    /// Country by name.
    pub country: Text,
    /// Country by ISO 3166 alpha-2 code.
    pub country_code: Text,
    /// Postal code in its country's form.
    pub pin_code: Text,
    /// Kind of address.
    pub kind: Text,
}

/// Size and weight of the parcel, each above zero.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Parcel {
    /// Length in `dimension_unit`.
    pub length: Decimal,
    /// Width in `dimension_unit`.
    pub width: Decimal,
    /// Height in `dimension_unit`.
    pub height: Decimal,
    /// Unit of length, width and height: `cm`, unless the sheet or the configuration says otherwise.
    pub dimension_unit: Text,
    /// Weight in `weight_unit`.
    pub weight: Decimal,
    /// Unit of `weight`: `kg`, unless the sheet or the configuration says otherwise.
    pub weight_unit: Text,
}

/// One product of an order. Amounts of money are in `currency_code`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Line {
    /// What it is.
    pub product_name: Text,
    /// Price of one piece.
    pub price: Decimal,
    /// Pieces, whole and above zero.
    pub quantity: Decimal,
    /// Category.
    pub category: Option<Text>,
    /// ISO 4217 code of what `price` and `discount` are in.
    pub currency_code: Text,
    /// The seller's code; may be empty.
    pub sku: Text,
    /// In per cent: 18 is 18 %.
    pub tax_rate: Decimal,
    /// Discount on the line, all its pieces together.
    pub discount: Decimal,
    /// Whether the price includes taxes.
    pub taxes_included: bool,
    /// Description.
    pub description: Option<Text>,
    /// Customs tariff code.
    pub hs_code: Option<Text>,
}

/// Where the shipment leaves from, by version of the request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ShipFrom {
    /// Version 1: written out.
    Addresses(Box<ShipFromAddresses>),
    /// Version 2: known to the service.
    Warehouse {
        /// Where it is picked up.
        warehouse_id: Text,
        /// Where it comes back to; may be empty.
        return_address_id: Text,
    },
}

/// The places of version 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShipFromAddresses {
    /// Who sends it.
    pub sender: Contact,
    /// Where it is picked up.
    pub origin: Address,
    /// Where it comes back to.
    pub return_address: Address,
}

/// An order with at least one line and every needed field. Amounts of money are in the currency of its lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Order {
    /// What tells it from all others.
    pub number: Text,
    /// When it was made, epoch milliseconds; the time of first staging where the sheet has none.
    pub created_ms: Option<i64>,
    /// Where it came from.
    pub channel_id: Text,
    /// Type of shipment.
    pub shipment_type: Text,
    /// Note of the seller; may be empty.
    pub seller_note: Text,
    /// Tags; may be empty.
    pub tags: Text,
    /// Wanted carrier; may be empty.
    pub carrier: Text,
    /// Wanted service level; may be empty.
    pub service: Text,
    /// Who gets it.
    pub receiver: Contact,
    /// Where it goes.
    pub destination: Address,
    /// Where it leaves from.
    pub placement: ShipFrom,
    /// Size and weight.
    pub parcel: Parcel,
    /// Its products, in sheet order; never empty.
    pub lines: Vec<Line>,
    /// Type of payment: `PREPAID`, `COD` or what the sheet says.
    pub order_type: Text,
    /// The goods, before charges and discount: price × quantity over all lines, or what the sheet says.
    pub sub_total: Decimal,
    /// What the customer pays for shipping.
    pub shipping_charges: Decimal,
    /// What else the customer pays.
    pub other_charges: Decimal,
    /// Discount on the whole order.
    pub discount: Decimal,
    /// What is sent as the sheet writes it, and not in the usual spelling.
    pub as_written: Vec<(Id, Text)>,
    /// Fields that are left out of the request where they are empty.
    pub omit_empty: Arc<[Id]>,
}

impl Order {
    /// What the customer pays in all, in the currency of the lines.
    #[must_use]
    pub fn total(&self) -> Decimal {
        self.sub_total + self.shipping_charges + self.other_charges - self.discount
    }

    /// What the courier collects at the door, in the currency of the lines; zero unless it is `COD`.
    pub(crate) fn to_collect(&self) -> Decimal {
        if self.order_type == "COD" { self.total() } else { Decimal::ZERO }
    }
}
