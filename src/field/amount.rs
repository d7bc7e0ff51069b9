//! What a sheet says beside the fields of the request: amounts, states and parts of addresses.

use super::header::match_header;
use super::header_words::Words;
use super::normalised::normalised;
use super::role::{AmountRole, TotalOf};
use super::table::Id;
use super::units::money_sign;

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
