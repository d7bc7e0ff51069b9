//! Headers that speak of money in words of their own: a rule for those that no list of names can hold.

use super::header_words::Words;
use super::listed::among;
use super::role::{AmountRole, Sign, TotalOf};
use super::table::Id;
use super::units::{money_sign, says_percent};

/// Of what no amount is: with one of these a header speaks of something else.
pub(super) const ELSE: &str = "date time day days no number num nos id code codes name type method mode status qty \
    quantity count pieces pcs units weight wt sku reason remark remarks note notes by via at on gateway ref reference \
    txn utr address email phone currency percent percentage hsn description slip point points signature person agent \
    account bank commission settlement payout tds tcs marketplace platform supplier seller vendor penalty processing \
    transaction cost history verified before without excl excluding exclusive taxable reward title details label";

/// Amounts on top or off whose names alone say no more: one that cannot be read as an amount is passed over.
const BARE: &str = "received recd rcvd token cash insurance transport transportation cartage octroi extra extras less \
    offer credit credits misc miscellaneous delivery giftwrap giftwrapping customisation customization engraving \
    personalisation personalization addon addons sh concession scheme redeemed exchange gpay phonepe paytm upi online \
    googlepay razorpay difference diff pending flatoff points point expressdelivery ship courier pf pnf pkg postal \
    stitching tailoring alteration alterations embroidery framing polishing fitting installation assembly fallpico \
    giftpack giftpacking giftpackaging giftbox giftbag giftmessage loading unloading hamali mathadi toll urgent \
    express";

/// How money reaches the seller without the courier.
pub(super) const METHODS: &str =
    "upi gpay google googlepay phonepe paytm razorpay card bank neft imps netbanking wallet";

/// Pieces.
const QTY: &str = "qty quantity pcs pieces units";

/// What is one less to pay.
const OFF_PAYMENT: &str = "discount discounts disc coupon promo promotion voucher rebate cashback deduction offer less \
    concession scheme";

/// What is paid by other means, or given back.
const PAYMENT: &str = "wallet giftcard received recd rcvd token cash credit credits refund refunded redeemed exchange \
    gpay phonepe paytm upi online googlepay razorpay pending";

/// What carries the parcel, and what it costs.
const FREIGHT: &str = "ship shipping delivery dlvry courier freight postal postage transport transportation express \
    handling forwarding packaging stitching tailoring alteration embroidery printing engraving framing wrapping wrap \
    gift fitting installation assembly giftwrap personalisation personalization customisation customization";

/// What says that a tax is not in the price.
const ON_TOP: &str = "extra excl excluding exclusive excluded exclude plus additional separate without ex";

/// What else a header of a tax's amount may have.
const AROUND_TAX: &str = "amount amt value val sum total order goods service services sales state central integrated \
    output and charge charges input rupees";

const AMOUNT: &str = "amount amt value val sum";

/// What comes on top or is taken off.
const BESIDE: &str = "charge charges chg chgs fee fees discount discounts disc coupon promo promotion voucher rebate \
    wallet cashback packing handling surcharge tip tips refund refunded deduction adjustment roundoff rounding \
    giftcard postage freight";

/// What is taken off, in percent where a header says so.
pub(super) const OFF: &str = "discount discounts disc off offer promo promotion coupon rebate less markdown";

const COLLECT: &str = "collect collectable collectible collected collection receivable outstanding";

/// Words beside which an amount is still that of a balance or of a payment.
const AROUND: &str = "amount amt value val sum total net cash cod to be pay payment payable of the customer order \
    online money in full from delivery upfront already";

const DUE: &str = "due balance bal baki baaki bakaya udhar udhaar udhari outstanding remaining pending left";

const PAID: &str = "advance adv deposit deposited prepaid paid partial part token received recd rcvd booking jama";

/// Who pays.
const CUSTOMER: &str = "customer cust buyer receiver consignee";

/// All that a total is called by.
const TOTAL: &str = "total tot grand net final gross amount amt value val sum payable order invoice inv bill billed \
    billing sale sales cart declared to pay be price line row all overall incl inclusive including with inc of the \
    sub shipment parcel package consignment goods product item";

const INCLUDED: &str = "incl inclusive including with inc";

const TAX: &str = "tax taxes gst vat igst cgst sgst utgst ugst cess";

impl Words {
    /// Whether they may be the price that is paid, and no price of another kind.
    fn is_price(&self) -> bool {
        const OTHER: &str = "mrp cost purchase buying buy list original compare regular market retail wholesale \
            actual old was base basic total line shipping gift transfer landing range tax delivery freight";
        let is_named = matches!(self.joined().as_str(), "sp" | "discounted" | "special" | "deal");
        (self.has("price prices") || is_named) && !self.has(OTHER)
    }

    /// Whether they are the price before a discount.
    pub(super) fn is_list_price(&self) -> bool {
        self.has("price rate") && self.has("list original regular actual old was market retail compare maximum")
    }

    /// What they say of the order's money.
    pub(super) fn role(&self, header: &str) -> Option<AmountRole> {
        if self.is_cod_flag() {
            return Some(AmountRole::Collect);
        }
        if says_percent(header) {
            return (self.has(OFF) && !self.has(TAX)).then_some(AmountRole::PercentOff);
        }
        if self.is_tax_on_top(header) {
            return Some(AmountRole::TaxOnTop);
        }
        if self.is_unit_of_discount() {
            return Some(AmountRole::DiscountIn);
        }
        if self.is_number_of_payment() {
            return Some(AmountRole::Receipt);
        }
        let early = self.pieces().or_else(|| self.beyond_doubt(header));
        let early = early.or_else(|| self.is_charge_of_way().then_some(AmountRole::Beside));
        if early.is_some() || self.0.is_empty() || self.has(ELSE) {
            return early;
        }
        if self.is_price() {
            return Some(AmountRole::Same(Id::Price));
        }
        if self.has(TAX) && !self.has(INCLUDED) {
            return self.all_but_numbers(&[TAX, AROUND_TAX]).then_some(AmountRole::Tax);
        }
        let is_gift = self.has("gift store") && self.has("card cards credit credits");
        let is_freight = self.has("shipping delivery freight courier") && self.has("paid");
        if self.has(BESIDE) || is_gift || is_freight || (self.has("round") && self.has("off")) {
            return Some(AmountRole::Beside);
        }
        let is_cod = self.has("cod") && self.all(&[AROUND, COLLECT, DUE]);
        if is_cod || (self.has(COLLECT) && self.all(&[AROUND, COLLECT, DUE, "remittance"])) {
            return Some(AmountRole::Collect);
        }
        let is_amount = self.has(AMOUNT) || self.has("payment cash money");
        let is_due = self.has("due balance bal baki baaki bakaya udhar udhaar udhari outstanding remaining")
            || (self.has(DUE) && is_amount);
        if is_due && self.all(&[AROUND, DUE]) {
            return Some(AmountRole::Collect);
        }
        let received = self.has("received recd rcvd part token booking");
        let is_paid = self.all(&[AROUND, PAID]) || (self.has("paid") && self.all(&[AROUND, PAID, TAX, INCLUDED]));
        if self.has(PAID) && is_paid && (is_amount || !received || self.has("paid")) {
            return Some(AmountRole::Paid);
        }
        self.total()
    }

    /// What they say as a whole, whatever their words say elsewhere: `at` and `by` are words of other things.
    fn beyond_doubt(&self, header: &str) -> Option<AmountRole> {
        let names_money = header.split(|c: char| !c.is_alphanumeric()).any(|word| money_sign(word).is_some());
        if self.is_price_beside_list() {
            return Some(AmountRole::Same(Id::Price));
        }
        let is_platform = self.has("platform convenience") && self.has("fee fees charge charges") && self.0.len() == 2;
        if self.is_bare() || is_platform || (self.has("redeemed") && names_money) {
            return Some(AmountRole::Beside);
        }
        let pays = self.has("pay pays payable due collect collected") || (self.has("paid") && self.has("be"));
        let is_door = self.has("delivery door doorstep") || self.has(CUSTOMER);
        let is_due = (pays && is_door && (self.has("be") || !self.has("paid")))
            || (self.has("pay") && self.has("to left") && !self.has(AMOUNT))
            || (self.has("cash") && self.has("take"));
        if is_due
            && self.all(&[AROUND, COLLECT, DUE, CUSTOMER, "at on by from door doorstep pays payable paid collect take"])
        {
            return Some(AmountRole::Collect);
        }
        let left = self.has("paid") && self.has("be") && self.all(&[AROUND, COLLECT, DUE, CUSTOMER, "paid"]);
        if left || (self.has(CUSTOMER) && self.has("pay pays") && self.0.len() == 2) {
            return Some(AmountRole::Collect);
        }
        let by_means = self.has(METHODS) && self.has("paid received recd rcvd amount amt") && !self.has("cod");
        let less = self.has("less minus") && self.has(PAID) && self.all(&[PAID, AROUND, "less minus"]);
        if less || (by_means && self.all(&[PAID, METHODS, AROUND, "via through by using"])) {
            return Some(AmountRole::Paid);
        }
        const ON_IT: &str = "shipping delivery freight charges charge cod handling";
        // `Total shipping tax incl` is the shipping, with its tax.
        let said: Vec<&str> = self.without("of the all").collect();
        let beside = |one: &str, other: &str| among(INCLUDED, one) && among(ON_IT, other);
        let included = said.windows(2).any(|pair| beside(pair[0], pair[1]) || beside(pair[1], pair[0]));
        let with = included || self.has("plus and") || header.contains(['+', '&']);
        let is_whole = self.has("total amount amt value") && self.has(ON_IT) && with;
        if is_whole && self.all(&[TOTAL, TAX, ON_IT, "plus and"]) {
            return Some(AmountRole::Order);
        }
        self.is_on_top_or_off().then_some(AmountRole::Beside)
    }

    /// Whether they are what the way to the customer costs, or how it is paid, whatever else they say of that: `Shipping Method
    /// Cost`, `Payment method fee`, `Shipping Cost (inc tax)`, `Order Shipping`.
    fn is_charge_of_way(&self) -> bool {
        const WAY: &str = "shipping shipment delivery dlvry courier freight postage handling wrapping packing payment cod \
            gateway customs duty p";
        const SUM: &str = "cost costs fee fees charge charges rate amount amt price total";
        const BESIDE_IT: &str =
            "method mode type service line order processing gateway inc incl including tax the of item";
        let is_of_order = matches!(self.joined().as_str(), "ordershipping" | "orderdelivery");
        let is_sum = self.has(SUM) && (!self.has("payment cod") || self.has("fee fees charge charges cost costs"));
        is_of_order || (self.has(WAY) && is_sum && self.all(&[WAY, SUM, BESIDE_IT]))
    }

    /// Whether they are charges, a difference or a deduction by families of words: `Delivery Cost`, `Extra Amount`, `Flat Off`.
    fn is_on_top_or_off(&self) -> bool {
        const SUM: &str = "amount amt value cost price charge charges rs";
        let freight = self.has(FREIGHT) && self.has("amount amt cost price charge charges total");
        let more = self.has("difference diff extra extras additional addl");
        let off = self.has("off") && self.has("flat instant festive festival special");
        let points = self.has("points coins") && self.has("loyalty reward rewards redeemed used applied");
        (freight && self.all(&[FREIGHT, SUM, TAX, INCLUDED, "total customer extra and of the"]))
            || (more
                && self.all(&["difference diff extra extras additional addl exchange to pay payable collect of", SUM]))
            || (off && self.all(&["off flat instant festive festival special extra sale", SUM]))
            || (points && self.all(&["points coins loyalty reward rewards redeemed used applied discount", SUM]))
    }

    /// What they say of the pieces of a line beside its quantity: that some of them are not to be sent, or how many are.
    pub(super) fn pieces(&self) -> Option<AmountRole> {
        const GONE: &str = "cancel cancelled canceled return returned refunded rejected rto short shipped dispatched \
            despatched delivered fulfilled sent";
        const TO_GO: &str = "ship dispatch despatch send deliver pending open";
        if !self.has(QTY) {
            return None;
        }
        if self.has(GONE) && !self.has("be") {
            return Some(AmountRole::Sign(Sign::Stop { over: false }));
        }
        let is_to_go = self.has(TO_GO) || (self.has("be") && self.has(GONE));
        (is_to_go && self.all(&[QTY, TO_GO, GONE, "to be of the"])).then_some(AmountRole::Same(Id::Quantity))
    }

    /// Whether they are an amount on top or off by a name that may mean other things as well.
    pub(super) fn is_bare(&self) -> bool {
        among(BARE, &self.joined()) || (self.has("credit credits") && self.all(&[BARE, "used applied"]))
    }

    /// Whether they ask whether tax comes on top, or what kind of price it is: `GST Extra`, `Price excl GST?`, `Tax Type`.
    fn is_tax_on_top(&self, header: &str) -> bool {
        let taxed = self.has(TAX);
        let says = taxed && self.has(ON_TOP) && !self.has(AMOUNT) && !self.has("price prices rate total mrp");
        let asks = taxed && self.has(ON_TOP) && header.trim_end().ends_with('?');
        let is_kind = taxed && self.has("type mode treatment basis") && self.0.len() == 2;
        says || asks || is_kind || matches!(self.joined().as_str(), "pricetype" | "pricebasis" | "pricemode")
    }

    /// Whether all of them are of these lists, but for figures: `GST 18%`.
    fn all_but_numbers(&self, lists: &[&str]) -> bool {
        let is_number = |word: &String| word.bytes().all(|byte| byte.is_ascii_digit());
        let rest: Vec<String> = self.0.iter().filter(|word| !is_number(word)).cloned().collect();
        Self(rest).all(lists)
    }

    /// Whether they say no more than cash on delivery: `COD`, `Is COD`, `COD (Yes/No)`.
    pub(super) fn is_cod_flag(&self) -> bool {
        let joined = self.joined();
        let bare = joined.strip_prefix("is").unwrap_or(&joined);
        let bare = ["yesno", "yn", "flag"].iter().find_map(|end| bare.strip_suffix(end)).unwrap_or(bare);
        matches!(bare, "cod" | "codorder" | "cashondelivery")
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether they are one less to pay.
    pub(super) fn is_taken_off(&self) -> bool {
        let off = (self.has("off") && !self.has("round")) || self.joined() == "flatoff";
        off || self.has("points point coins") || self.has(OFF_PAYMENT) || self.is_payment()
    }

    /// Whether they are paid by other means, or given back.
    pub(super) fn is_payment(&self) -> bool {
        let is_charge = self.has("charge charges chg chgs fee fees handling");
        let is_gift = self.has("gift store") && self.has("card cards credit credits");
        let whole = self.joined();
        let is_one = among(PAYMENT, &whole);
        (is_gift || is_one || self.has(PAYMENT)) && !is_charge
    }

    pub(super) fn is_bare_tax(&self) -> bool {
        !self.0.is_empty()
            && self.all_but_numbers(&[TAX, "output input state central integrated"])
            && self.has(TAX)
            && !self.has("taxes")
    }

    /// Whether they may be a total, and a weight or a number just as well.
    pub(super) fn is_weak_total(&self) -> bool {
        matches!(self.joined().as_str(), "net" | "gross" | "bill" | "final" | "grand")
    }

    /// Whether they name a price without tax: `Price (excl. GST)`.
    pub(super) fn is_without_tax(&self) -> bool {
        self.has(TAX) && self.has(ON_TOP) || self.has("before") && self.has(TAX)
    }

    /// Whether they may be the price that is paid, where another one is printed on the product.
    pub(super) fn is_price_beside_list(&self) -> bool {
        const NAMES: [&str; 7] = ["cost", "unitcost", "costperpiece", "costperunit", "each", "perpiece", "perunit"];
        NAMES.contains(&self.joined().as_str())
    }

    /// Whether they are what all pieces of one product come to.
    pub(super) fn is_line_total(&self) -> bool {
        let of_row = self.has("line row") && self.has("total amount amt");
        (of_row || self.has("item product") && self.has("total")) && self.all(&[TOTAL, TAX])
    }

    /// What a total by these words is of.
    pub(super) fn total_of(&self) -> TotalOf {
        const OF_ORDER: &str = "invoice inv bill billed billing net order cart sale sales grand final payable overall";
        if self.has("line row item items product products goods sub subtotal") {
            TotalOf::Products
        } else if self.has(OF_ORDER) || (self.has("total") && self.has("amount amt")) {
            TotalOf::Order
        } else {
            TotalOf::Unclear
        }
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
            () => self.has("total tot payable") || self.has(AMOUNT) || self.is_weak_total(),
        };
        let role = if self.has(SURE) { AmountRole::Order } else { AmountRole::Total };
        is_total.then_some(role)
    }
}

#[cfg(test)]
mod tests;
