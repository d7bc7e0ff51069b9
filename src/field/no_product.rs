//! Names of products that are none: what an order comes to, or what is added to it or taken off, as a row of its own.

use std::collections::HashSet;
use std::sync::LazyLock;

use super::listed::{among, words};

/// What a row that names no product says of its order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoProduct {
    /// What it comes to, as a whole or in part.
    Total,
    /// What is still to be paid.
    Due,
    /// What is paid already.
    Paid,
    /// What is taken off.
    Off,
    /// What is paid for shipping.
    Shipping,
    /// Any other charge.
    Charge,
    /// A tax, which may be in the prices already.
    Tax,
    /// What is rounded off, either way.
    Rounding,
}

const TOTAL: &str = "total totals subtotal subtotals grandtotal sum";
const DUE: &str = "balance payable due outstanding collectable collectible cod";
const PAID: &str = "advance adv paid prepayment received deposit";
const LESS: &str = "less minus deduct deduction deductions";
const OFF: &str = "discount discounts disc coupon coupons voucher promo rebate concession cashback";
const SHIPPING: &str = "shipping delivery freight courier postage transport transportation cartage forwarding";
const CHARGE: &str = "charge charges chg chgs fee fees surcharge surcharges";
const TAX: &str = "gst cgst sgst igst utgst vat tax taxes cess tcs tds";
const ROUNDING: &str = "roundoff rounding roundup adjustment";
/// What may stand beside them, and says nothing by itself.
const BESIDE: &str = "grand g sub net gross amount amt value price cost order orders bill invoice to be collected collect \
    collection pay payment of the on in by for at rs inr qty quantity nos pcs pieces items item products product add plus \
    extra other final all overall incl incl including included inclusive excl excluding exclusive with without and cash code \
    applied online upi already handling packing packaging wrapping convenience platform service processing gateway \
    insurance round off up customer special prepaid security booking token part partial remaining per as";
/// Words that may be a product by themselves.
const GOODS: &str = "disc deposit adjustment collectible token transport courier";

/// All of these words: nearly every name ends with its first one.
static KNOWN: LazyLock<HashSet<&'static str>> = LazyLock::new(|| {
    let lists = [TOTAL, DUE, PAID, LESS, OFF, SHIPPING, CHARGE, TAX, ROUNDING, BESIDE];
    lists.into_iter().flat_map(str::split_ascii_whitespace).collect()
});

/// What a name says that is made of words of money and of nothing else; nothing for that of a product.
#[must_use]
pub fn no_product(name: &str) -> Option<NoProduct> {
    const LONGEST: usize = 60;
    let is_figure = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
    let known = |word: &str| KNOWN.contains(word);
    // What begins like a formula is somebody's name for goods.
    let first = words(name).next()?;
    if name.len() > LONGEST || name.starts_with('=') || !(known(&first) || is_figure(&first)) {
        return None;
    }
    let all = || words(name).filter(|word| !is_figure(word));
    let has = |list: &str| all().any(|word| among(list, &word));
    // `Coupon SAVE10`, `Discount code DIWALI`: which one it is.
    let mut is_code = false;
    let of_code = has(OFF);
    let all_known = all().all(|word| {
        let fits = known(&word) || is_code || (of_code && word.bytes().any(|byte| byte.is_ascii_digit()));
        is_code = of_code && word == "code";
        fits
    });
    if !all_known {
        return None;
    }
    let kind = if has(LESS) {
        if has(PAID) { NoProduct::Paid } else { NoProduct::Off }
    } else if has(OFF) {
        NoProduct::Off
    } else if has(SHIPPING) {
        NoProduct::Shipping
    } else if has("paid") && has("to") {
        NoProduct::Due
    } else if has(PAID) {
        NoProduct::Paid
    } else if has(ROUNDING) || (has("round") && has("off up")) {
        NoProduct::Rounding
    } else if has(CHARGE) {
        NoProduct::Charge
    } else if has(TAX) && !has("incl including included inclusive with payable due") {
        NoProduct::Tax
    } else if has(DUE) || (has("to") && has("collect collected pay")) {
        NoProduct::Due
    } else if has(TOTAL) || (has("amount amt value") && has("order bill invoice net gross grand")) {
        NoProduct::Total
    } else {
        return None;
    };
    // One word that may be goods, and a total of so many (`Total 12`), need another word beside them.
    let mut rest = words(name);
    let first = rest.next()?;
    let second = rest.next();
    let is_alone = second.is_none() && among(GOODS, &first);
    let is_numbered = kind == NoProduct::Total && second.is_some_and(|word| is_figure(&word)) && rest.next().is_none();
    (!is_alone && !is_numbered).then_some(kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_money_alone_are_no_product() {
        use NoProduct::{Charge, Due, Off, Paid, Rounding, Shipping, Tax, Total};
        let cases = [
            (
                Total,
                "Total|TOTAL:|Grand Total|G.Total (Rs)|Sub Total|Sub-total|Order total|Total Amount|Net Total|Total (3 items)|\
                 Bill amount|Total incl. GST|Invoice value",
            ),
            (
                Due,
                "Balance|Balance due|Amount payable|Net payable|COD|COD amount|To collect|Amount to be paid|Balance COD",
            ),
            (Paid, "Advance|Less advance|Less: Advance paid|Advance 200|Paid|Amount received|Paid online|Adv. paid"),
            (
                Off,
                "Discount|Less: discount|Discount 10%|Coupon|Coupon SAVE10|Discount code DIWALI|Prepaid discount|\
                 Shipping discount|Less|Special Discount|Total discount",
            ),
            (
                Shipping,
                "Shipping|Shipping charges|Delivery Charge|Freight|Courier charges|Postage|Transport cost|Shipping & handling",
            ),
            (Charge, "COD charges|COD fee|Packing charges|Handling fee|Convenience fee|Extra charges|Charges"),
            (Tax, "GST|GST 5%|CGST @ 2.5%|Tax|IGST amount|Total tax"),
            (Rounding, "Round off|Roundoff|Rounding|Round-off"),
        ];
        for (kind, names) in cases {
            for name in names.split('|') {
                assert_eq!(no_product(name), Some(kind), "{name}");
            }
        }
    }

    #[test]
    fn what_has_another_word_is_a_product() {
        let names = "Discount card|Colgate Total|Total 12|New Balance shoes|Balance bike|Gift voucher|Delivery box|Shipping bag|\
            Coupon book|Tax guide|Disc|Courier bag|Packing tape|COD fish|Net|Service|Item|Order|Product|Packing|Bill book|\
            Rounder|Dim sum|Gift wrap|Charger|Charge cable|Advance battery|Less sugar tea|Cash box|Kurta||-|123|Price|\
            Insurance|Part|Token|Fee book|Add on|Online|Total Care Shampoo|Round neck t-shirt|Plus";
        for name in names.split('|') {
            assert_eq!(no_product(name), None, "{name}");
        }
    }
}
