//! What a column says beside the fields of the request: amounts, states and parts of addresses.

use super::table::Id;

/// What an amount beside the fields says of its order or line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AmountRole {
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
    Sign(Sign),
    /// A part of the receiver's address, by its place among such parts.
    Address(u8),
}

impl AmountRole {
    /// Whether it is an amount of money.
    #[must_use]
    pub const fn is_money(self) -> bool {
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
    #[must_use]
    pub const fn speaks_of_payment(self) -> bool {
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

/// What a column says of whether its orders go, and which words of it say so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sign {
    /// How far the order is: `Status`.
    State,
    /// How far one task within the house is, which may be done: `Packing Status`, `Call Status`.
    Task,
    /// Whether it is sent, as a word or a day: `Dispatch`, `Shipment Status`. `plain` where yes says all: `Shipped`.
    Sent {
        /// Whether the header is what a yes says.
        plain: bool,
    },
    /// What is filled once it is sent: `AWB`.
    Number,
    /// The day on which it is sent, be it planned or past: `Despatch Date`.
    Day,
    /// That it is not to go: `Cancelled`, `Hold`. `over` where yes says that nothing is left to do.
    Stop {
        /// Whether the header is what a yes says, and ends the order.
        over: bool,
    },
    /// That it is to go: `Confirmed`, `To Ship`, `In Stock`.
    Ready(Ready),
    /// How far its payment is: `Payment Status`.
    Payment,
    /// Which way it goes: `Type`, `Direction`, `Reverse Pickup`. Else it is a note.
    Kind,
    /// Who carries it, among other words: the number of a shipment counts. Else it is a note.
    Courier,
    /// Anything at all: only words that nobody mistakes count.
    Note,
}

/// What has to be so before an order goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ready {
    /// The customer, or whoever decides, says so: `Confirmed`.
    Confirmed,
    /// It is to go now: `Ship?`, `Include`.
    Go,
    /// It is there: `Stock`, where figures are pieces.
    Stock,
}
