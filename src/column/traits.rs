//! One column with what its header says beside its role.

use crate::field::TotalOf;
use crate::words::About;

/// What a header says of its column beside the column's role.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Trait {
    /// Its figures are in percent.
    Percent,
    /// Its amounts are for one piece.
    PerPiece,
    /// Its amounts have no tax in them.
    WithoutTax,
    /// Its names are whole ones: first and last name in one cell.
    WholeName,
    /// The price that is printed on the product: `MRP`.
    ListPrice,
    /// It says that it is a rate: `GST %`.
    Rate,
    /// It says that it is an amount: `GST Amount`.
    Amount,
    /// It names India's tax on goods.
    Gst,
    /// It names a tax and nothing else, so that its figures may be rates or amounts.
    BareTax,
    /// It is called by the field's path or usual header, or means no field at all.
    Exact,
    /// It is called by the field's path or usual header: what stands below it is meant as it stands.
    Canonical,
    /// `Discount`, with nothing that says of what.
    BareDiscount,
    /// It has the word total or bill.
    Total,
    /// It may name a total, and a weight or a number just as well: `Net`.
    WeakTotal,
    /// `Bill`: an amount, or the number of a bill.
    Bill,
    /// An amount in a word that may mean other things as well: `Delivery`.
    BareAmount,
    /// Its amounts are taken off.
    TakenOff,
    /// Its amounts are paid by other means, or given back.
    OtherMeans,
    /// It asks only whether an order is paid on delivery: `Is COD`.
    CodFlag,
    /// It speaks of a part that is paid in advance.
    PartPayment,
    /// `Pending`.
    Pending,
    /// It holds types of payment, though another column is taken for them.
    PaymentType,
    /// It speaks of money that is paid to somebody else, or for something else.
    OthersPayment,
    /// It speaks of transactions.
    Transaction,
    /// It has the word COD.
    Cod,
    /// It speaks of an invoice or a bill.
    Invoice,
    /// Its yes means that a parcel comes back from the customer.
    Backwards,
    /// It holds numbers of articles at the post.
    PostArticle,
    /// It counts pieces of a line.
    Pieces,
    /// It names who gets the parcel.
    Receiver,
    /// It names the weight or the side that it measures.
    Measure,
    /// `Unit`: of a building, or of the goods.
    Unit,
    /// Its figures are no money of the order.
    NoMoney,
    /// It speaks of something that no customer pays.
    NotPaid,
    /// It names the payment's state: `Payment Status`.
    PaymentState,
    /// It names a part of a name: `First Name`.
    PartOfName,
    /// `Name`.
    BareName,
    /// It speaks of those who send, bill or take back.
    Others,
    /// The phone of whoever pays: `Billing Phone`, `Phone (Billing)`.
    BillingPhone,
    /// Length, width and height in one cell.
    Size,
    /// It says which way orders go: `Type`, `Reverse Pickup`.
    Kind,
    /// It speaks of who carries the parcel.
    Courier,
    /// It asks whether an order is paid, and nothing else.
    PaidFlag,
    /// It has the word prepaid.
    Prepaid,
    /// It says that the courier collects: `COD Amount`.
    Collected,
    /// `Mode`.
    Mode,
    /// The day on which an order was booked: by its customer, or at a courier.
    BookedDay,
    /// It begins with the word shipment.
    Shipment,
    /// What all pieces of one product come to: `Line Total`.
    LineTotal,
    /// It names a price from which a discount is reckoned.
    BeforeDiscount,
    /// It may be the price that is paid only beside one that is printed on the product: `Cost`.
    BesideList,
}

/// What senses of headers say.
pub(super) const TRAITS: &[(&str, Trait)] = &[
    ("in-percent", Trait::Percent),
    ("per-piece", Trait::PerPiece),
    ("without-tax", Trait::WithoutTax),
    ("mrp", Trait::ListPrice),
    ("in-percent", Trait::Rate),
    ("rate", Trait::Rate),
    ("names-amount", Trait::Amount),
    ("gst", Trait::Gst),
    ("bare-tax", Trait::BareTax),
    ("bare-discount", Trait::BareDiscount),
    ("says-total", Trait::Total),
    ("weak-total", Trait::WeakTotal),
    ("bill", Trait::Bill),
    ("bare-amount", Trait::BareAmount),
    ("taken-off", Trait::TakenOff),
    ("other-means", Trait::OtherMeans),
    ("cod-flag", Trait::CodFlag),
    ("part-payment", Trait::PartPayment),
    ("pending", Trait::Pending),
    ("of-others-payment", Trait::OthersPayment),
    ("transaction", Trait::Transaction),
    ("cod", Trait::Cod),
    ("invoice", Trait::Invoice),
    ("article", Trait::PostArticle),
    ("pieces-gone", Trait::Pieces),
    ("pieces-to-go", Trait::Pieces),
    ("receiver", Trait::Receiver),
    ("unit", Trait::Unit),
    ("no-money", Trait::NoMoney),
    ("not-paid", Trait::NotPaid),
    ("sign-payment", Trait::PaymentState),
    ("part-of-name", Trait::PartOfName),
    ("bare-name", Trait::BareName),
    ("of-others", Trait::Others),
    ("billing-phone", Trait::BillingPhone),
    ("size", Trait::Size),
    ("kind", Trait::Kind),
    ("courier", Trait::Courier),
    ("paid-flag", Trait::PaidFlag),
    ("says-prepaid", Trait::Prepaid),
    ("says-collected", Trait::Collected),
    ("mode", Trait::Mode),
    ("booked-day", Trait::BookedDay),
    ("own-shipment", Trait::Shipment),
    ("line-total", Trait::LineTotal),
    ("mrp", Trait::BeforeDiscount),
    ("list-price", Trait::BeforeDiscount),
    ("price-beside-list", Trait::BesideList),
];

/// A set of traits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Traits(u64);

impl Traits {
    /// With one more.
    #[must_use]
    pub const fn with(self, own: Trait) -> Self {
        Self(self.0 | (1 << own as u8))
    }

    /// With one more where that is so.
    #[must_use]
    pub const fn and(self, own: Trait, is_so: bool) -> Self {
        if is_so { self.with(own) } else { self }
    }

    /// Whether a trait is among them.
    #[must_use]
    pub const fn has(self, own: Trait) -> bool {
        self.0 & (1 << own as u8) != 0
    }
}

impl FromIterator<Trait> for Traits {
    fn from_iter<T: IntoIterator<Item = Trait>>(traits: T) -> Self {
        traits.into_iter().fold(Self::default(), Self::with)
    }
}

/// A column, as orders are built from it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// Its header, which is only shown.
    pub header: String,
    /// What the header says.
    pub traits: Traits,
    /// The unit of its weights or sides, where the header names one.
    pub unit: Option<&'static str>,
    /// What a total under the header is of.
    pub total_of: TotalOf,
    /// What a charge or a discount under the header is for, by family: two columns alike may hold one amount.
    pub charge: Vec<String>,
    /// What remarks under the header are about.
    pub about: About,
}

/// A column without a header.
pub(super) const NAMELESS: Column = Column {
    header: String::new(),
    traits: Traits(0),
    unit: None,
    total_of: TotalOf::Unclear,
    charge: Vec::new(),
    about: About { pickup: false, others: false, goods: false, remarks: false },
};

impl Column {
    /// A column of which its header says nothing.
    #[must_use]
    pub fn plain(header: &str) -> Self {
        Self { header: header.to_owned(), ..NAMELESS }
    }

    /// Whether its header says so.
    #[must_use]
    pub const fn is(&self, own: Trait) -> bool {
        self.traits.has(own)
    }

    /// Whether it and another one may hold one and the same charge or discount.
    #[must_use]
    pub fn may_be_same_charge(&self, other: &[String]) -> bool {
        !self.charge.is_empty() && self.charge == other
    }
}
