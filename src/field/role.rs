//! What a column says beside the fields of the request: amounts, states and parts of addresses.

use serde::Deserialize;
use serde::de::{DeserializeOwned, IntoDeserializer as _};

use super::table::Id;

/// What a column beside the fields says of its order or line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExtraRole {
    /// What the order comes to in all: products, shipping and other charges less the discount.
    Order,
    /// A total that does not say whether it is that of the order, of its products, or of the row's own line.
    Total,
    /// What the courier is to collect at the door.
    Collect,
    /// What is not paid yet, be it collected or not: all of an order whose payment is authorised and not taken yet.
    Open,
    /// What is paid already, as an amount or as `yes`.
    Paid,
    /// An amount that no field carries: a tax on top, a tip.
    Beside,
    /// Figures that may be money, under a header that says nothing of it.
    Perhaps,
    /// An amount of tax, which may be in the prices already or come on top.
    Tax,
    /// Whether tax comes on top of the price, as a yes or as its figure.
    TaxOnTop,
    /// A column that may be this field's as well as the one that feeds it.
    Same(Id),
    /// A weight or a side of something, which may be that of the parcel.
    Measure(Id),
    /// What is taken off in percent, or is in the price already.
    PercentOff,
    /// Whether a discount beside it is in percent: `Discount Type`.
    DiscountIn,
    /// The number that a payment has at a bank: `UTR`.
    Receipt,
    /// The price that is printed on the product, where another column holds the one that is paid.
    ListPrice,
    /// The pieces that the price of the line is for, where fewer of them are sent.
    Pieces,
    /// Whether the order goes: a cancelled or shipped one is not shipped again.
    Sign(StateRole),
    /// A part of the receiver's address, by its place among such parts.
    Address(u8),
}

impl ExtraRole {
    /// Whether it is an amount of money.
    pub(crate) const fn is_money(self) -> bool {
        matches!(
            self,
            Self::Order
                | Self::Total
                | Self::Collect
                | Self::Open
                | Self::Paid
                | Self::Beside
                | Self::Perhaps
                | Self::Tax
        )
    }

    /// Whether it says how an order is paid: what is to be collected, or paid already.
    pub(crate) const fn speaks_of_payment(self) -> bool {
        matches!(self, Self::Collect | Self::Paid)
    }
}

/// What a total is of, as far as its header says that.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TotalOf {
    /// Of all that the customer owes: `Invoice Value`, `Net Amount`.
    Order,
    /// Of either: `Total`, `Amount`.
    #[default]
    Unclear,
    /// Of the products, or of the row's own one: `Line Total`.
    Products,
}

/// What a column says of whether its orders go, and which words of it say so. Words of headers and rules by what cells say
/// call it by the same name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum StateRole {
    /// How far the order is: `Status`.
    State,
    /// How far one task within the house is, which may be done: `Packing Status`, `Call Status`.
    Task,
    /// Whether it is sent, as a word or a day: `Dispatch`, `Shipment Status`.
    Sent,
    /// The same, where yes says all: `Shipped`.
    Shipped,
    /// What is filled once it is sent: `AWB`.
    Number,
    /// The day on which it is sent, be it planned or past: `Despatch Date`.
    Day,
    /// That it is not to go: `Cancelled`, `Hold`.
    Stop,
    /// The same, where yes says that nothing is left to do.
    Over,
    /// That the customer, or whoever decides, says so: `Confirmed`.
    Confirmed,
    /// That it is to go now: `Ship?`, `Include`.
    Go,
    /// That it is there: `In Stock`, where figures are pieces.
    Stock,
    /// How far its payment is: `Payment Status`.
    Payment,
    /// Which way it goes: `Type`, `Direction`, `Reverse Pickup`. Else it is a note.
    Kind,
    /// Who carries it, among other words: the number of a shipment counts. Else it is a note.
    Courier,
    /// Anything at all: only words that nobody mistakes count.
    Note,
}

impl StateRole {
    /// Whether only words that nobody mistakes count in its column.
    pub(crate) const fn is_note(self) -> bool {
        matches!(self, Self::Note | Self::Kind | Self::Courier)
    }

    /// Whether the word `ready` in its column lets an order go.
    pub(crate) const fn is_state(self) -> bool {
        matches!(self, Self::State | Self::Task)
    }

    /// Whether a yes in its column lets an order go.
    pub(crate) const fn is_yes(self) -> bool {
        matches!(self, Self::Confirmed | Self::Go | Self::Stock)
    }
}

/// What data call by a name; nothing where there is none of that name.
pub(super) fn of_name<T: DeserializeOwned>(name: &str) -> Option<T> {
    let known: Result<T, serde::de::value::Error> = T::deserialize(name.into_deserializer());
    known.ok()
}
