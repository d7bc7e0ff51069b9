//! What can be said of a field: its level, its kind of value, its need.

use schemars::JsonSchema;
use serde::Serialize;

/// Whether a field belongs to the order or to each of its lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Level {
    /// One value for the whole order.
    Order,
    /// One value for each product line.
    Line,
}

/// The kind of value a field takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Free text; `""` where there is none.
    Text,
    /// Free text; `null` where there is none.
    NullableText,
    /// An order number: text that names the order.
    OrderNumber,
    /// A point in time, sent as epoch milliseconds in a string.
    Instant,
    /// A phone number.
    Phone,
    /// An e-mail address.
    Email,
    /// A country's ISO 3166 alpha-2 code.
    CountryCode,
    /// A postal code.
    PinCode,
    /// An amount of money of zero or more.
    Money,
    /// An amount of money, sent as a string.
    MoneyText,
    /// A length or weight above zero.
    Measure,
    /// A unit of length.
    LengthUnit,
    /// A unit of weight.
    WeightUnit,
    /// A whole number above zero.
    Quantity,
    /// A rate in percent, sent as a string.
    Rate,
    /// Yes or no.
    Flag,
    /// The type of payment, `PREPAID` or `COD`.
    Payment,
    /// A warehouse by its id, or by the name that the configuration gives it.
    Warehouse,
    /// An ISO 4217 currency code.
    Currency,
}

impl Kind {
    /// What is accepted, for people.
    #[must_use]
    pub const fn accepted(self) -> &'static str {
        match self {
            Self::Text | Self::NullableText => "text",
            Self::OrderNumber => "text or a number that no other order has",
            Self::Instant => {
                "a date such as 2026-11-20, with a time such as 2026-11-20T14:30, or epoch seconds or milliseconds"
            }
            Self::Phone => "a phone number such as 9876543210 or +91 98765 43210",
            Self::Email => "an e-mail address such as name@example.com",
            Self::CountryCode => "a two-letter country code such as IN",
            Self::PinCode => "a postal code; six digits for India",
            Self::Money | Self::MoneyText => "an amount such as 499.90",
            Self::Measure => "a number above zero such as 12.5",
            Self::LengthUnit => "cm, mm, m, in or ft",
            Self::WeightUnit => "kg, g, lb or oz",
            Self::Quantity => "a whole number above zero",
            Self::Rate => "a percentage such as 18",
            Self::Flag => "yes or no",
            Self::Payment => "PREPAID or COD",
            Self::Warehouse => "a warehouse's id, or its name in the settings",
            Self::Currency => "a three-letter currency code such as INR",
        }
    }
}

/// How much a forward shipment needs a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Need {
    /// A booking cannot do without it.
    Required,
    /// May be left out.
    Optional,
    /// Not part of this version's request.
    #[serde(rename = "-")]
    Absent,
}

impl Level {
    /// `order` or `line`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Order => "order",
            Self::Line => "line",
        }
    }
}

impl Need {
    /// `required`, `optional` or `-`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Required => "required",
            Self::Optional => "optional",
            Self::Absent => "-",
        }
    }
}

/// The version of the forward shipment request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Version {
    /// With sender, origin and return address; deprecated by the service.
    V1,
    /// With a warehouse.
    #[default]
    V2,
}
