//! Headers that speak of money in words of their own: a rule for those that no list of names can hold.

use super::amount::AmountRole;
use super::matching::says_percent;
use super::table::Id;
use super::units::money_sign;

/// A header's words in lower case, without signs of money.
pub(super) struct Words(Vec<String>);

/// Of what no amount is: with one of these a header speaks of something else.
const ELSE: &str = "date time day days no number num nos id code codes name type method mode status qty quantity \
    count pieces pcs units weight wt sku reason remark remarks note notes by via at on gateway ref reference txn utr \
    address email phone currency percent percentage hsn description slip point points signature person agent account \
    bank commission settlement payout tds tcs marketplace platform supplier seller vendor penalty processing \
    transaction cost history verified before without excl excluding exclusive taxable reward title details label";

const AMOUNT: &str = "amount amt value val sum";

/// What comes on top or is taken off.
const BESIDE: &str = "charge charges chg chgs fee fees discount discounts disc coupon promo promotion voucher rebate \
    wallet cashback packing handling surcharge tip tips refund refunded deduction adjustment roundoff rounding \
    giftcard postage freight";

const COLLECT: &str = "collect collectable collectible collected collection receivable outstanding";

/// Words beside which an amount is still that of a balance or of a payment.
const AROUND: &str = "amount amt value val sum total net cash cod to be pay payment payable of the customer order \
    online money in full from delivery upfront already";

const DUE: &str = "due balance bal outstanding remaining pending left";

const PAID: &str = "advance adv deposit deposited prepaid paid partial part token received recd";

/// All that a total is called by.
const TOTAL: &str = "total grand net final gross amount amt value val sum payable order invoice inv bill billed \
    billing sale sales cart declared to pay be price line row all overall incl inclusive including with inc of the \
    sub shipment parcel package consignment goods product item";

const INCLUDED: &str = "incl inclusive including with inc";

const TAX: &str = "tax taxes gst vat igst cgst sgst cess";

impl Words {
    /// The words of a header; `CODAmount` has two.
    pub(super) fn of(header: &str) -> Self {
        let mut words: Vec<String> = vec![String::new()];
        let letters: Vec<char> = header.chars().collect();
        for (index, letter) in letters.iter().copied().enumerate() {
            let before = index.checked_sub(1).and_then(|before| letters.get(before)).copied();
            let after = letters.get(index + 1).copied();
            let after_small = letter.is_uppercase() && before.is_some_and(char::is_lowercase);
            let before_small = letter.is_uppercase()
                && before.is_some_and(char::is_uppercase)
                && after.is_some_and(char::is_lowercase);
            if after_small || before_small || !letter.is_alphanumeric() {
                words.push(String::new());
            }
            if letter.is_alphanumeric()
                && let Some(word) = words.last_mut()
            {
                word.extend(letter.to_lowercase());
            }
        }
        Self(words.into_iter().filter(|word| !word.is_empty() && money_sign(word).is_none()).collect())
    }

    /// All of them in one.
    pub(super) fn joined(&self) -> String {
        self.0.concat()
    }

    /// Those that are not in a list.
    pub(super) fn without<'a>(&'a self, list: &'a str) -> impl Iterator<Item = &'a str> {
        let listed = |word: &str| list.split_ascii_whitespace().any(|listed| listed == word);
        self.0.iter().map(String::as_str).filter(move |word| !listed(word))
    }

    /// Whether one of them is in a list.
    fn has(&self, list: &str) -> bool {
        self.0.iter().any(|word| list.split(' ').any(|listed| listed == word))
    }

    /// Whether all of them are of these lists.
    fn all(&self, lists: &[&str]) -> bool {
        self.0.iter().all(|word| lists.iter().any(|list| list.split(' ').any(|listed| listed == word)))
    }

    /// Whether they say that an amount is for one piece.
    pub(super) fn is_per_piece(&self) -> bool {
        (self.has("per each") && self.has("unit piece pc pcs item each qty quantity"))
            || self.joined() == "unitdiscount"
    }

    /// Whether they may be the price that is paid, and no price of another kind.
    fn is_price(&self) -> bool {
        const OTHER: &str = "mrp cost purchase buying buy list original compare regular market retail wholesale actual old was \
            base basic total line shipping gift transfer landing range tax delivery freight";
        (self.has("price prices") || self.joined() == "sp") && !self.has(OTHER)
    }

    /// What they say of the order's money.
    pub(super) fn role(&self, header: &str) -> Option<AmountRole> {
        if self.is_cod_flag() {
            return Some(AmountRole::Collect);
        }
        if self.0.is_empty() || self.has(ELSE) || says_percent(header) {
            return None;
        }
        if self.is_price() {
            return Some(AmountRole::Same(Id::Price));
        }
        let taxed = self.has(TAX);
        let included = taxed && self.has(INCLUDED);
        if taxed && !included {
            return None;
        }
        let is_gift = self.has("gift store") && self.has("card cards credit credits");
        let is_bare = matches!(self.joined().as_str(), "received" | "recd" | "cash");
        if self.has(BESIDE) || is_gift || is_bare || (self.has("round") && self.has("off")) {
            return Some(AmountRole::Beside);
        }
        let is_cod = self.has("cod") && self.all(&[AROUND, COLLECT, DUE]);
        if is_cod || (self.has(COLLECT) && self.all(&[AROUND, COLLECT, DUE, "remittance"])) {
            return Some(AmountRole::Collect);
        }
        let is_amount = self.has(AMOUNT) || self.has("payment cash money");
        let is_due = self.has("due balance bal outstanding") || (self.has(DUE) && is_amount);
        if is_due && self.all(&[AROUND, DUE]) {
            return Some(AmountRole::Collect);
        }
        let received = self.has("received recd part token");
        if self.has(PAID) && self.all(&[AROUND, PAID]) && (is_amount || !received || self.has("paid")) {
            return Some(AmountRole::Paid);
        }
        self.total()
    }

    /// Whether they say no more than cash on delivery: `COD`, `Is COD`, `COD (Yes/No)`.
    pub(super) fn is_cod_flag(&self) -> bool {
        let joined = self.joined();
        let bare = joined.strip_prefix("is").unwrap_or(&joined);
        let bare = ["yesno", "yn", "flag"].iter().find_map(|end| bare.strip_suffix(end)).unwrap_or(bare);
        matches!(bare, "cod" | "codorder" | "cashondelivery")
    }

    /// A total, if they are one's.
    fn total(&self) -> Option<AmountRole> {
        const SURE: &str = "payable grand final pay";
        if !self.all(&[TOTAL, TAX]) {
            return None;
        }
        // `Total Parcel` is a number of them, and `Product Value` that of one piece.
        let of_things = self.has("shipment parcel package consignment goods declared");
        let of_products = self.has("product item");
        let is_total = match () {
            () if self.has("price") || of_products => self.has("total") && self.0.len() > 1,
            () if of_things => self.has(AMOUNT),
            () => self.has("total payable") || self.has(AMOUNT),
        };
        let role = if self.has(SURE) { AmountRole::Order } else { AmountRole::Total };
        is_total.then_some(role)
    }
}

#[cfg(test)]
mod tests {
    use crate::field::{AmountRole, Id, known_amount};

    #[test]
    fn words_speak_of_money() {
        const CASES: &[(AmountRole, &str)] = &[
            (AmountRole::Total, "Total/Amount/Total Amount/Order Value/Invoice Value/Bill Amount/Total Price (Rs)"),
            (AmountRole::Total, "Total (incl. GST)/Declared Value/Net Amount/Line Total/OrderAmount/Value"),
            (AmountRole::Order, "Net Payable/Payable/Amount Payable/Final Amount/Grand Total (₹)"),
            (AmountRole::Collect, "COD/COD Amt (Rs)/COD Value Rs/Balance (Rs)/Balance Amount (INR)/To be collected"),
            (AmountRole::Collect, "Cash to be collected/Due/Due Amount/Collectable Value/Amount to be paid/codAmount"),
            (AmountRole::Collect, "Pending Payment/Is COD/COD (Y-N)/Cash on Delivery"),
            (AmountRole::Paid, "Advance Paid (Rs)/Advance Rs/Amount Received/Part Paid/Deposit/Prepaid Amount/Paid"),
            (AmountRole::Paid, "Paid Online/Advance Amount (₹)"),
            (AmountRole::Beside, "COD Charges/Packing Charges/Delivery Fee/Coupon Discount/Wallet/Store Credit"),
            (AmountRole::Beside, "Cash/Received/Gift Card/Round Off/Refunded/Disc/Unit Discount"),
        ];
        for header in ["Price", "Festival Price", "SP", "Price (incl. GST)"] {
            assert_eq!(known_amount(header), Some(AmountRole::Same(Id::Price)), "{header}");
        }
        for (role, headers) in CASES {
            for header in headers.split('/') {
                assert_eq!(known_amount(header), Some(*role), "{header}");
            }
        }
    }

    #[test]
    fn words_of_other_things_do_not() {
        const HEADERS: &str = "Total Qty/Total Items/Volumetric Weight/Total Parcels/Paid At/Paid by/Discount Code/Due Date/ \
    Balance Qty/Discount %/Refund Status/Deposit Slip No/COD Verified/Invoice No/ Cost Price/List Price/Product \
    Value/Taxable Value/Amount excl. GST/Shelf/Order/Bill/ Credit Card/Commission Fee/Collection \
    Date/Mode/Payment";
        for header in HEADERS.split('/') {
            let role = known_amount(header).filter(|role| role.is_money());
            assert!(role.is_none(), "{header}: {role:?}");
        }
    }
}
