//! What a sheet says beside the fields of the request: amounts, states and parts of addresses.

use super::matching::{match_header, normalised};
use super::money::Words;
use super::sign::Sign;
use super::table::Id;
use super::units::money_sign;

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
        !matches!(
            self,
            Self::Same(_)
                | Self::Measure(_)
                | Self::PercentOff
                | Self::DiscountIn
                | Self::Receipt
                | Self::TaxOnTop
                | Self::ListPrice
                | Self::Pieces
                | Self::Sign(_)
                | Self::Address(_)
        )
    }

    /// Whether it says how an order is paid: what is to be collected, or paid already.
    #[must_use]
    pub const fn speaks_of_payment(self) -> bool {
        matches!(self, Self::Collect | Self::Paid)
    }
}

/// What a total is of, as far as its header says that.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TotalOf {
    /// Of all that the customer owes: `Invoice Value`, `Net Amount`.
    Order,
    /// Of either: `Total`, `Amount`.
    Unclear,
    /// Of the products, or of the row's own one: `Line Total`.
    Products,
}

/// Headers that mean a total on every sheet, by their text without case, spaces and punctuation.
const KNOWN: &[(&str, AmountRole)] = &[
    ("ordertotal", AmountRole::Order),
    ("grandtotal", AmountRole::Order),
    ("ordertotalamount", AmountRole::Order),
    ("totalorderamount", AmountRole::Order),
    ("totalordervalue", AmountRole::Order),
    ("codamount", AmountRole::Collect),
    ("codvalue", AmountRole::Collect),
    ("amounttocollect", AmountRole::Collect),
    ("amounttobecollected", AmountRole::Collect),
    ("collectableamount", AmountRole::Collect),
    ("collectibleamount", AmountRole::Collect),
    ("collectableamountcod", AmountRole::Collect),
    ("codcollectableamount", AmountRole::Collect),
    ("codcollectibleamount", AmountRole::Collect),
    ("cashtocollect", AmountRole::Collect),
    ("codamt", AmountRole::Collect),
    ("codamountrs", AmountRole::Collect),
    ("tocollect", AmountRole::Collect),
    ("collectamount", AmountRole::Collect),
    ("amounttobepaid", AmountRole::Collect),
    ("amountdue", AmountRole::Collect),
    ("balance", AmountRole::Collect),
    ("balanceamount", AmountRole::Collect),
    ("balanceamt", AmountRole::Collect),
    ("balancedue", AmountRole::Collect),
    ("balancetocollect", AmountRole::Collect),
    ("balancepayment", AmountRole::Collect),
    ("pendingamount", AmountRole::Collect),
    ("outstandingbalance", AmountRole::Collect),
    ("advance", AmountRole::Paid),
    ("advanceamount", AmountRole::Paid),
    ("advanceamt", AmountRole::Paid),
    ("advancepaid", AmountRole::Paid),
    ("advancepayment", AmountRole::Paid),
    ("advancereceived", AmountRole::Paid),
    ("amountpaid", AmountRole::Paid),
    ("paidamount", AmountRole::Paid),
    ("paidamt", AmountRole::Paid),
    ("partialpayment", AmountRole::Paid),
    ("partpayment", AmountRole::Paid),
    ("tokenamount", AmountRole::Paid),
    ("taxamount", AmountRole::Tax),
    ("taxamt", AmountRole::Tax),
    ("taxvalue", AmountRole::Tax),
    ("totaltax", AmountRole::Tax),
    ("totaltaxes", AmountRole::Tax),
    ("totaltaxamount", AmountRole::Tax),
    ("ordertax", AmountRole::Tax),
    ("taxes", AmountRole::Tax),
    ("gstamount", AmountRole::Tax),
    ("gstamt", AmountRole::Tax),
    ("gstvalue", AmountRole::Tax),
    ("totalgst", AmountRole::Tax),
    ("igstamount", AmountRole::Tax),
    ("cgstamount", AmountRole::Tax),
    ("sgstamount", AmountRole::Tax),
    ("vat", AmountRole::Tax),
    ("vatamount", AmountRole::Tax),
    ("salestax", AmountRole::Tax),
];

/// What a header says of the order's money on every sheet: by its name, with or without its unit, or else by its words.
#[must_use]
pub fn known_amount(header: &str) -> Option<AmountRole> {
    let named = |bare: &str| KNOWN.iter().find(|(name, _)| *name == bare).map(|(_, role)| *role);
    let words = Words::of(header);
    let again = || match match_header(header)?.field.id {
        // A list price is none that anybody pays where there is another one.
        Id::Price => (!is_list_price(header)).then_some(AmountRole::Same(Id::Price)),
        id @ (Id::Weight | Id::Length | Id::Width | Id::Height) => Some(AmountRole::Same(id)),
        _ => None,
    };
    let named = named(&normalised(header)).or_else(|| named(&words.joined()));
    if words.is_empty() && money_sign(header).is_some() {
        return Some(AmountRole::Total);
    }
    named.or_else(again).or_else(|| words.role(header))
}

/// Whether a header names the price that is printed on the product, which is hardly the one that is paid.
#[must_use]
pub fn is_list_price(header: &str) -> bool {
    normalised(header).contains("mrp")
}

/// Whether a header names a price from which a discount is reckoned: `MRP`, `Original Price`.
#[must_use]
pub fn says_list_price(header: &str) -> bool {
    is_list_price(header) || Words::of(header).is_list_price()
}

/// Whether a header counts pieces of a line: those that are cancelled, shipped already, or still to go.
#[must_use]
pub fn counts_pieces(header: &str) -> bool {
    Words::of(header).pieces().is_some()
}

/// Whether an amount beside the fields is one less to pay, by its header.
#[must_use]
pub fn is_taken_off(header: &str) -> bool {
    Words::of(header).is_taken_off()
}

/// Whether an amount beside the fields is paid already by other means, or given back, by its header: a total that is the
/// order's may have it in it.
#[must_use]
pub fn is_payment(header: &str) -> bool {
    Words::of(header).is_payment()
}

/// Whether a header names a tax and nothing else, so that its column may hold rates as well as amounts.
#[must_use]
pub fn is_bare_tax(header: &str) -> bool {
    let words = Words::of(header);
    words.is_bare_tax() && words.joined() == normalised(header)
}

/// Whether a header names an amount on top or off in a word that may mean other things as well: `Delivery`, `Exchange`.
#[must_use]
pub fn is_bare_amount(header: &str) -> bool {
    Words::of(header).is_bare()
}

/// Whether a header speaks of something that no customer pays: a weight, a commission, a number.
#[must_use]
pub fn is_of_others(header: &str) -> bool {
    Words::of(header).is_of_others()
}

/// Whether a header says that its figures are no money of the order: a size, a place, a count, a number.
#[must_use]
pub fn is_no_money(header: &str) -> bool {
    Words::of(header).is_no_money()
}

/// Whether a header may name a total, and a weight or a number just as well: `Net`, `Bill`.
#[must_use]
pub fn is_weak_total(header: &str) -> bool {
    Words::of(header).is_weak_total()
}

/// Whether the header of a price says that there is no tax in it.
#[must_use]
pub fn says_without_tax(header: &str) -> bool {
    Words::of(header).is_without_tax()
}

/// Whether a header may be the price that is paid only beside one that is printed on the product: `Cost`.
#[must_use]
pub fn is_price_beside_list(header: &str) -> bool {
    Words::of(header).is_price_beside_list()
}

/// Whether a header says that it is what all pieces of one product come to: `Line Total`, `Item Amount`.
#[must_use]
pub fn says_line_total(header: &str) -> bool {
    Words::of(header).is_line_total()
}

/// What a header of a total says that it is of.
#[must_use]
pub fn total_of(header: &str) -> TotalOf {
    Words::of(header).total_of()
}

/// Whether a header says no more than that an order is to be paid on delivery: `COD`, `Is COD`, `COD (Yes/No)`.
#[must_use]
pub fn is_cod_flag(header: &str) -> bool {
    Words::of(header).is_cod_flag()
}

/// Whether a header says that its amount is for one piece.
#[must_use]
pub fn says_per_piece(header: &str) -> bool {
    Words::of(header).is_per_piece()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::match_header;

    #[test]
    fn headers_of_totals_mean_no_field() {
        assert_eq!(known_amount("COD Amount"), Some(AmountRole::Collect));
        assert_eq!(known_amount("order_total"), Some(AmountRole::Order));
        for (name, _) in KNOWN {
            assert!(match_header(name).is_none(), "{name}");
        }
    }
}
