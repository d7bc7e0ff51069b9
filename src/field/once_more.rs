//! What charges and discounts are for, by their headers: two columns alike may hold one and the same amount.

use super::header_words::Words;
use super::listed::among;

/// What says no more than that it is an amount, and of what.
const AROUND: &str = "charge charges chg chgs fee fees cost price amount amt value val sum total net order invoice \
    inv bill customer buyer item items product line of the on for in rupees";

/// Words that mean the same charge or discount, each family on a line of its own.
const FAMILIES: [&str; 6] = [
    "shipping ship delivery dlvry courier freight postage postal transport transportation cartage carriage",
    "discount discounts disc",
    "cod cash",
    "packing packaging package pkg",
    "other others misc miscellaneous extra extras additional addl",
    "tax taxes gst vat",
];

/// The words of a header that say what an amount is for, each by the first one of its family: those of `Shipping` and
/// `Freight Charges` are alike, and not those of `Shipping` and `COD Charges`, or of `Discount` and `Coupon Discount`.
#[must_use]
pub fn charge_kinds(header: &str) -> Vec<String> {
    let family = |word: &str| FAMILIES.into_iter().find(|family| among(family, word));
    let first = |word: &str| family(word).and_then(|family| family.split(' ').next()).unwrap_or(word).to_owned();
    let mut kinds: Vec<String> = Words::of(header).without(AROUND).map(first).collect();
    kinds.sort_unstable();
    kinds.dedup();
    kinds
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_charge_has_many_names_and_two_charges_are_two() {
        for (one, other) in [
            ("Shipping", "Freight"),
            ("Shipping Charges", "Delivery Fee (Rs)"),
            ("Discount", "Discount Amount"),
            ("Order Discount", "Total Disc"),
            ("COD Charges", "COD Fee"),
        ] {
            assert_eq!(charge_kinds(one), charge_kinds(other), "{one}, {other}");
        }
        for (one, other) in [
            ("Shipping", "COD Charges"),
            ("Freight", "Packing & Forwarding"),
            ("Shipping", "Shipping Insurance"),
            ("Discount", "Coupon"),
            ("Discount", "Coupon Discount"),
            ("Discount", "Loyalty Discount"),
            ("Shipping", "Adjustment"),
            ("Shipping", "Express Shipping"),
            ("Amount", "Total"),
        ] {
            let (one, other) = (charge_kinds(one), charge_kinds(other));
            assert!(one.is_empty() || one != other, "{one:?}, {other:?}");
        }
    }
}
