//! An order and its lines.

use rust_decimal::Decimal;

/// A person or company.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Contact {
    /// First name, or the whole name.
    pub first_name: String,
    /// Last name; may be empty.
    pub last_name: String,
    /// E-mail address; may be empty.
    pub email: String,
    /// Phone number in its country's form.
    pub phone: String,
    /// Company; may be empty.
    pub company: String,
}

/// Where something goes or comes from.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Address {
    /// First line.
    pub line1: String,
    /// Second line; may be empty.
    pub line2: String,
    /// City.
    pub city: String,
    /// State.
    pub state: String,
    /// Country by name.
    pub country: String,
    /// Country by ISO 3166 alpha-2 code.
    pub country_code: String,
    /// Postal code in its country's form.
    pub pin_code: String,
    /// Kind of address.
    pub kind: String,
}

/// Size and weight, each above zero.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Parcel {
    /// Length in `dimension_unit`.
    pub length: Decimal,
    /// Width in `dimension_unit`.
    pub width: Decimal,
    /// Height in `dimension_unit`.
    pub height: Decimal,
    /// Unit of length.
    pub dimension_unit: String,
    /// Weight in `weight_unit`.
    pub weight: Decimal,
    /// Unit of weight.
    pub weight_unit: String,
}

/// One product of an order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Line {
    /// What it is.
    pub product_name: String,
    /// Price of one piece.
    pub price: Decimal,
    /// Pieces, whole and above zero.
    pub quantity: Decimal,
    /// Category.
    pub category: Option<String>,
    /// ISO 4217 code.
    pub currency_code: String,
    /// The seller's code; may be empty.
    pub sku: String,
    /// Percent.
    pub tax_rate: Decimal,
    /// Discount on the line.
    pub discount: Decimal,
    /// Whether the price includes taxes.
    pub taxes_included: bool,
    /// Description.
    pub description: Option<String>,
    /// Customs tariff code.
    pub hs_code: Option<String>,
}

/// Where the shipment leaves from, by version of the request.
#[expect(clippy::large_enum_variant, reason = "one order at a time is held, and version 1 is rare")]
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Placement {
    /// Version 1: written out.
    Written {
        /// Who sends it.
        sender: Contact,
        /// Where it is picked up.
        origin: Address,
        /// Where it comes back to.
        return_address: Address,
    },
    /// Version 2: known to the service.
    Warehouse {
        /// Where it is picked up.
        warehouse_id: String,
        /// Where it comes back to; may be empty.
        return_address_id: String,
    },
}

/// An order with at least one line and every needed field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Order {
    /// What tells it from all others.
    pub number: String,
    /// When it was made, epoch milliseconds; the time of first staging where the sheet has none.
    pub created_ms: Option<i64>,
    /// Where it came from.
    pub channel_id: String,
    /// Type of shipment.
    pub shipment_type: String,
    /// Note of the seller; may be empty.
    pub seller_note: String,
    /// Tags; may be empty.
    pub tags: String,
    /// Wanted carrier; may be empty.
    pub carrier: String,
    /// Wanted service level; may be empty.
    pub service: String,
    /// Who gets it.
    pub receiver: Contact,
    /// Where it goes.
    pub destination: Address,
    /// Where it leaves from.
    pub placement: Placement,
    /// Size and weight.
    pub parcel: Parcel,
    /// Its products, in sheet order; never empty.
    pub lines: Vec<Line>,
    /// Type of payment.
    pub order_type: String,
    /// Price × quantity over all lines, or what the sheet says.
    pub sub_total: Decimal,
    /// What the customer pays for shipping.
    pub shipping_charges: Decimal,
    /// Further charges.
    pub other_charges: Decimal,
    /// Discount on the whole order.
    pub discount: Decimal,
}

impl Order {
    /// What the customer pays in all.
    #[must_use]
    pub fn total(&self) -> Decimal {
        self.sub_total + self.shipping_charges + self.other_charges - self.discount
    }

    /// What the courier collects at the door.
    #[must_use]
    pub fn to_collect(&self) -> Decimal {
        if self.order_type == "COD" { self.total() } else { Decimal::ZERO }
    }
}
