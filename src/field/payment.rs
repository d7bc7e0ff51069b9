//! Words of payment: headers of columns that say how an order is paid, and what their cells mean.

use super::matching::normalised;

/// What a word says of an order's payment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Payment {
    /// The courier collects it at the door.
    Cod,
    /// It is paid: `Prepaid`, `Paid online`.
    Prepaid,
    /// By means that take the money at once, and nothing says that they have: `UPI`, `Card`.
    Means,
}

/// What is left of a header's words says nothing more than these.
const AROUND: &str = "order orders mode method type terms term via by option options through category kind of the is \
    yes no y n how customer";

/// Means that take the money when the order is made.
const MEANS: &str = "upi gpay googlepay google phonepe phonepay paytm online razorpay bank banktransfer bankdeposit neft \
    imps rtgs card cards creditcard debitcard visa mastercard rupay amex wallet wallets netbanking paypal stripe payu \
    payumoney cashfree ccavenue instamojo billdesk easebuzz juspay bhim bhimupi amazonpay applepay mobikwik freecharge \
    emi gpayupi upigpay paytmupi upiqr qr qrcode giftcard";

const PAID: &str = "prepaid paid prepay pp paidonline onlinepaid fullpaid fullypaid";

/// Words beside which means of payment and `paid` mean the same.
const BESIDE: &str = "full fully payment payments pay transfer deposit credit debit net banking by via through with in done \
    received success successful successfully completed order customer the code app scan mode method pre gift already \
    100 transaction and g";

/// Words beside which cash on delivery means the same.
const AT_THE_DOOR: &str = "cod cash on at upon delivery door doorstep pay payment collect by via with order mode method \
    customer only confirmed verified upi gpay phonepe paytm qr card gokwik shiprocket c o d the";

fn words(text: &str) -> impl Iterator<Item = String> + Clone {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase)
}

fn among(list: &str, word: &str) -> bool {
    list.split_ascii_whitespace().any(|listed| listed == word)
}

/// What a cell says of the payment, in words that nobody mistakes; nothing where it says anything else beside.
#[must_use]
pub fn payment_word(text: &str) -> Option<Payment> {
    /// A longer text is a note.
    const BYTES_MAX: usize = 48;
    if text.len() > BYTES_MAX || text.contains('?') {
        return None;
    }
    if let Some(known) = payment_type(text) {
        return Some(known);
    }
    let words = words(text);
    let has = |wanted: &str| words.clone().any(|word| word == wanted);
    let all = |lists: &[&str]| words.clone().all(|word| lists.iter().any(|list| among(list, &word)));
    let any = |list: &str| words.clone().any(|word| among(list, &word));
    let at_the_door = has("cod") || (has("delivery") && ["on", "at", "upon"].iter().any(|word| has(word)));
    if at_the_door {
        // Beside something else it is only a part of the payment.
        let whole = all(&[AT_THE_DOOR]) && !text.contains(['+', '&', '/']);
        return whole.then_some(Payment::Cod);
    }
    if !all(&[MEANS, PAID, BESIDE]) {
        return None;
    }
    let received = any("payment") && any("received done success successful completed full");
    match () {
        () if any(PAID) || received => Some(Payment::Prepaid),
        () => (any(MEANS) || (has("net") && has("banking"))).then_some(Payment::Means),
    }
}

/// Whether a cell says no more than one of the two types of payment: `COD`, `Cash on Delivery`, `Prepaid`, `PP`.
#[must_use]
pub fn payment_type(text: &str) -> Option<Payment> {
    /// The longest of these, with its punctuation.
    const BYTES_MAX: usize = 32;
    let suspect = text.bytes().find(u8::is_ascii_alphanumeric).is_some_and(|byte| b"cpCP".contains(&byte));
    if text.len() > BYTES_MAX || !suspect || text.contains('?') {
        return None;
    }
    match normalised(text).as_str() {
        "cod" | "codorder" | "cashondelivery" | "cashondeliverycod" | "codcashondelivery" | "payondelivery" => {
            Some(Payment::Cod)
        }
        "prepaid" | "prepaidorder" | "prepay" | "pp" => Some(Payment::Prepaid),
        _ => None,
    }
}

/// Whether a header says how an order is paid, beyond what is listed in the table of fields: `COD/PP`, `Payment Via`.
#[must_use]
pub fn names_payment(header: &str) -> bool {
    const TYPES: &str = "cod pp prepaid prepay cash on delivery or and";
    let words = words(header);
    let has = |list: &str| words.clone().any(|word| among(list, &word));
    let all = |lists: &[&str]| words.clone().all(|word| lists.iter().any(|list| among(list, &word)));
    let paid = has("pp prepaid prepay") || (has("pre") && has("paid")) || has("online");
    let both = has("cod delivery") && paid && all(&[TYPES, AROUND, "pre paid online payment"]);
    let pays = has("payment pay paymt pymt pmt paid paying")
        && has("mode method type terms term via by option options through category kind how");
    both || (pays && all(&["payment pay paymt pymt pmt paid paying cod prepaid", AROUND]))
}

/// Whether a header says how far the payment is: `Payment Status`, `Financial Status`.
#[must_use]
pub fn names_payment_state(header: &str) -> bool {
    let words = words(header);
    let has = |list: &str| words.clone().any(|word| among(list, &word));
    const STATES: &str = "status state confirmed confirmation verified verification cleared check";
    has("payment pay paid financial")
        && has(STATES)
        && words.clone().all(|word| {
            among("payment pay paid financial order current of the y n yes no", &word) || among(STATES, &word)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_payment() {
        let cases: &[(Option<Payment>, &str)] = &[
            (
                Some(Payment::Cod),
                "COD/C.O.D./cash on delivery/Cash On Delivery (COD)/GoKwik Cash on Delivery/UPI on delivery/Pay on \
                 Delivery/pay on delivery by UPI/COD - confirmed",
            ),
            (
                Some(Payment::Prepaid),
                "Prepaid/PP/pre-paid/Paid/Paid online/Full paid/FULLY PAID/Prepaid (UPI)/Paid via GPay/UPI - paid/Payment \
                 received/100% paid",
            ),
            (
                Some(Payment::Means),
                "UPI/GPay/G-Pay UPI/Google Pay/PhonePe/Paytm/Online/Razorpay/Bank Transfer/NEFT/Card/Credit \
                 Card/Debit card/Wallet/Net banking/Netbanking/Online payment",
            ),
            (
                None,
                "COD or Prepaid/UPI pending/Unpaid/Not paid/Half paid/50% paid/Advance/Advance paid/Credit/Cash/To be \
                 paid/Paid?/COD + Gift Card/UPI + COD/No COD/499/Khata/Pay later/Partial",
            ),
        ];
        for (means, texts) in cases {
            for text in texts.split('/') {
                assert_eq!(payment_word(text), *means, "{text}");
            }
        }
        assert_eq!((payment_type("Paid"), payment_type("UPI")), (None, None));
    }

    #[test]
    fn headers_of_payment() {
        const YES: &str = "COD/PP|PP/COD|COD or Prepaid|Prepaid / COD|Payment Terms|Payment Via|Pay Type|Paid By|Payment \
            Option|COD / Online|Type of Payment|Cash on Delivery or Prepaid|Payment type (COD/Prepaid)";
        for header in YES.split('|') {
            assert!(names_payment(header), "{header}");
        }
        const NO: &str = "COD|COD Amount|Prepaid Amount|Payment Date|Payment ID|Payment Status|Paid|Payment|Delivery \
            Type|Terms|Pay|Payment Reference|Delivery Mode";
        for header in NO.split('|') {
            assert!(!names_payment(header), "{header}");
        }
        assert!(names_payment_state("Payment Status") && names_payment_state("Financial status"));
        assert!(
            names_payment_state("Payment Confirmed?")
                && !names_payment_state("Order Status")
                && !names_payment_state("Payment Status Date")
        );
    }
}
