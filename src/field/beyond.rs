//! Headers that speak of money's surroundings: what a discount is in, the number of a payment, and what is no money at all.

use super::header_words::Words;
use super::listed::among;
use super::money::{ELSE, METHODS, OFF};

impl Words {
    /// Whether they ask what a discount is in: `Discount Type`, `Disc Unit`, `Discount In`.
    pub(super) fn is_unit_of_discount(&self) -> bool {
        const ASKS: &str = "type unit units in kind mode basis calculation applied as";
        let discount = self.has("discount discounts disc off less markdown");
        let asks = self.0.last().is_some_and(|last| among(ASKS, last));
        discount && asks && self.all(&[OFF, ASKS, "order item line product the of by is"])
    }

    /// Whether they are the number that a bank gives a payment: `UTR No`, `UPI Ref`.
    pub(super) fn is_number_of_payment(&self) -> bool {
        const NUMBER: &str = "utr ref reference txn transaction rrn";
        let by_means = self.has("upi gpay phonepe razorpay paytm neft imps bank") && self.has(NUMBER);
        (by_means || self.has("utr"))
            && self.all(&[METHODS, NUMBER, "no num number id payment customer rtgs of code and or"])
    }

    /// Whether they speak of something that no customer pays: a weight, a commission, a number.
    pub(super) fn is_of_others(&self) -> bool {
        const MEASURE: &str = "length width height breadth size volume volumetric cbm rating latitude longitude lat \
            long margin profit stock kg gm gms grams cm mm ratio score version";
        self.has(ELSE) || self.has(MEASURE)
    }

    /// Whether they speak of anything but money.
    pub(super) fn is_no_money(&self) -> bool {
        const PLACE: &str = "floor flat room door house sector ward block plot shop table bay bin rack shelf slot row \
            aisle location zone route area pin pincode zip std locker warehouse store branch";
        const SIZE: &str = "age chest waist bust hip hips shoulder sleeve sleeves collar shoe inch inches ft feet mm \
            ml ltr litre litres km distance blouse neck inseam ring bangle watt watts voltage amp amps gsm dpi karat \
            carat ct purity power";
        const COUNT: &str = "box boxes bag bags carton cartons bundle lot batch roll rolls page pages pack packs set \
            sets pair pairs dozen packet packets parcel parcels year years month months week hours hrs hour mins \
            minute minutes members people guests moq min max available inventory opening closing sold orders \
            customers visits seats nag nags bale";
        const NUMBER: &str = "serial sr sl seq sequence queue rank priority level grade marks scan barcode ean upc \
            isbn hs model design art article style shade colour color ext extension otp pass passcode validity expiry \
            warranty guarantee registration roll form folio ledger customer client party reg awb docket lr track \
            tracking bill invoice receipt challan voucher order";
        const PRICE: &str = "price prices rate rates cost costs mrp each dealer wholesale purchase buying landing";
        self.is_of_others()
            || self.0.is_empty()
            || [PLACE, SIZE, COUNT, NUMBER, PRICE].iter().any(|list| self.has(list))
    }
}
