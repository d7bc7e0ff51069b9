//! What a header says of its column beside the role that it has.

/// Declares the traits and the senses that say them together.
macro_rules! traits {
    ($(#[doc = $doc:literal] $own:ident = [$($sense:literal),*];)*) => {
        /// What a header says of its column beside the column's role.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[repr(u8)]
        pub enum Trait { $(#[doc = $doc] $own,)* }

        /// The senses of headers that say them.
        pub(super) const TRAITS: &[(&str, Trait)] = &[$($(($sense, Trait::$own),)*)*];
    };
}

traits! {
    /// Its figures are in percent.
    Percent = ["in-percent"];
    /// Its amounts are for one piece.
    PerPiece = ["per-piece"];
    /// Its amounts have no tax in them.
    WithoutTax = ["without-tax"];
    /// The price that is printed on the product: `MRP`.
    ListPrice = ["mrp"];
    /// It says that it is a rate: `GST %`.
    Rate = ["in-percent", "rate"];
    /// It says that it is an amount: `GST Amount`.
    Amount = ["names-amount"];
    /// It names India's tax on goods.
    Gst = ["gst"];
    /// It names a tax and nothing else, so that its figures may be rates or amounts.
    BareTax = ["bare-tax"];
    /// It is called by the field's path or usual header: what stands below it is meant as it stands.
    Canonical = [];
    /// It may name a total, and a weight or a number just as well: `Net`.
    WeakTotal = ["weak-total"];
    /// `Bill`: an amount, or the number of a bill.
    Bill = ["bill"];
    /// `Invoice`: the number of one, or what it comes to.
    Paper = ["paper"];
    /// An amount in a word that may mean other things as well: `Delivery`.
    BareAmount = ["bare-amount"];
    /// Its amounts are taken off.
    TakenOff = ["taken-off"];
    /// Its amounts are paid by other means, or given back.
    OtherMeans = ["other-means"];
    /// It asks only whether an order is paid on delivery: `Is COD`.
    CodFlag = ["cod-flag"];
    /// It speaks of a part that is paid in advance.
    PartPayment = ["part-payment"];
    /// `Pending`.
    Pending = ["pending"];
    /// It holds types of payment, though another column is taken for them.
    PaymentType = [];
    /// It speaks of money that is paid to somebody else, or for something else.
    OthersPayment = ["of-others-payment"];
    /// It speaks of transactions.
    Transaction = ["transaction"];
    /// It has the word COD.
    Cod = ["cod"];
    /// It speaks of an invoice or a bill.
    Invoice = ["invoice"];
    /// Its yes means that a parcel comes back from the customer.
    Backwards = [];
    /// It holds numbers of articles at the post.
    PostArticle = ["article"];
    /// It counts pieces of a line.
    Pieces = ["pieces-gone", "pieces-to-go"];
    /// It names who gets the parcel.
    Receiver = ["receiver"];
    /// It names the weight or the side that it measures.
    Measure = [];
    /// `Unit`: of a building, or of the goods.
    Unit = ["unit"];
    /// Its figures are no money of the order.
    NoMoney = ["no-money"];
    /// It names the payment's state: `Payment Status`.
    PaymentState = ["sign-payment"];
    /// It names a part of a name: `First Name`.
    PartOfName = ["part-of-name"];
    /// `Name`.
    BareName = ["bare-name"];
    /// It speaks of those who send, bill or take back.
    Others = ["of-others"];
    /// Length, width and height in one cell.
    Size = ["size"];
    /// It names states that are cities as well: `Emirate`.
    CityState = ["city-state"];
    /// It may name what is done and what is to be done: `Dispatch`.
    EitherWay = ["either-way"];
    /// It says which way orders go: `Type`, `Reverse Pickup`.
    Kind = ["kind"];
    /// It speaks of who carries the parcel.
    Courier = ["courier"];
    /// It asks whether an order is paid, and nothing else.
    PaidFlag = ["paid-flag"];
    /// It has the word prepaid.
    Prepaid = ["says-prepaid"];
    /// It says that the courier collects: `COD Amount`.
    Collected = ["says-collected"];
    /// The day on which an order was booked: by its customer, or at a courier.
    BookedDay = ["booked-day"];
    /// It begins with the word shipment.
    Shipment = ["own-shipment"];
    /// What all pieces of one product come to: `Line Total`.
    LineTotal = ["line-total"];
    /// It names a price from which a discount is reckoned.
    BeforeDiscount = ["mrp", "list-price"];
    /// It may be the price that is paid only beside one that is printed on the product: `Cost`.
    BesideList = ["price-beside-list"];
    /// Remarks under it are about who picks parcels up.
    AboutPickup = ["about-pickup"];
    /// They are about bills, sizes and other things that are no remarks on the order.
    AboutOthers = ["about-others"];
    /// They are about the goods, the customers and the offers: which way the parcel goes is not said there.
    AboutGoods = ["about-goods"];
    /// They are whatever somebody has to say.
    Remarks = ["remarks"];
}
