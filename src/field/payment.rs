//! Words of payment: what cells say of how an order is paid.

use rust_decimal::Decimal;

use super::listed::words;
use super::units::money_sign;
use crate::words::{Topic, Vocabulary};

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

/// What a cell says of the payment, in words that nobody mistakes; nothing where it says anything else beside.
#[must_use]
pub fn payment_word(text: &str) -> Option<Payment> {
    /// A longer text is a note.
    const BYTES_MAX: usize = 64;
    if text.len() > BYTES_MAX {
        return None;
    }
    // All of it, in percent: any other figure is that of a part.
    let whole = if text.contains('%') { &text.replace("100%", " ").replace("100 %", " ") } else { text };
    let words = Vocabulary::built_in().text(whole);
    let said = |sense: &str| words.says(Topic::Payment, sense);
    match () {
        () if said("type-cod") => Some(Payment::Cod),
        () if said("names-cod") => said("cod").then_some(Payment::Cod),
        () if said("type-prepaid") || said("prepaid") => Some(Payment::Prepaid),
        () => said("means").then_some(Payment::Means),
    }
}

/// What a cell says of the payment beside one figure, and the figure: `COD 998`, `Paid 100 UPI`.
#[must_use]
pub fn payment_and_figure(text: &str) -> Option<(Payment, Decimal)> {
    let (figure, rest) = figure_in(text)?;
    payment_word(&rest).map(|payment| (payment, figure))
}

/// The one figure of a short text that may be money, and what is left of the text: no date, no number of pieces, no
/// reference.
fn figure_in(text: &str) -> Option<(Decimal, String)> {
    /// A longer text speaks of many things.
    const BYTES_MAX: usize = 80;
    /// More digits are a reference.
    const DIGITS_MAX: usize = 6;
    if text.len() > BYTES_MAX {
        return None;
    }
    let start = text.find(|c: char| c.is_ascii_digit())?;
    let length = text[start..].find(|c: char| !c.is_ascii_digit() && !matches!(c, ',' | '.'));
    let end = start + length.unwrap_or(text.len() - start);
    let run = text[start..end].trim_end_matches([',', '.']);
    let behind = text[start + run.len()..].trim_start_matches("/-").trim_start_matches("/=");
    let before = &text[..start];
    let letters = |c: char| c.is_alphanumeric();
    let sign = before.rsplit(|c: char| !letters(c) && c != '₹').next().unwrap_or_default();
    let is_joined = behind.starts_with(letters) || (!sign.is_empty() && !is_money_word(sign));
    let digits = run.replace(',', "");
    let whole = digits.split('.').next().unwrap_or_default().len();
    let other = behind.contains(|c: char| c.is_ascii_digit()) || behind.trim_start().starts_with('%');
    if is_joined && !before.to_lowercase().ends_with("cod") || other || whole > DIGITS_MAX || before.ends_with('#') {
        return None;
    }
    let next = words(behind).find(|word| !is_money_word(word));
    let last = words(before).last();
    let of_others = [next, last].into_iter().flatten().any(|word| lists("counted", &word));
    let rest: Vec<String> = words(before).chain(words(behind)).filter(|word| !is_money_word(word)).collect();
    let figure = digits.parse::<Decimal>().ok().filter(|_| !of_others)?;
    Some((figure, rest.join(" ")))
}

fn is_money_word(word: &str) -> bool {
    money_sign(word).is_some() || lists("rupees", word)
}

/// Whether a word is in a class of words of payment.
fn lists(class: &str, word: &str) -> bool {
    Vocabulary::built_in().lists(Topic::Payment, class, word)
}

/// What a note, or a cell of how far a payment is, says of what is still to be paid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Owed {
    /// It is paid.
    Nothing,
    /// A part of it is paid.
    Part,
    /// This is paid already.
    Less(Decimal),
    /// This is to be collected.
    This(Decimal),
    /// Nothing is to be collected: a replacement, an exchange.
    NotCollected,
}

/// What a short text says of what is still to be paid, in words that nobody mistakes.
#[must_use]
pub fn owed(text: &str) -> Option<Owed> {
    /// More words speak of many things.
    const WORDS_MAX: usize = 9;
    let words = Vocabulary::built_in().text(text);
    let has = |class: &str| words.has(Topic::Payment, class);
    let said = |sense: &str| words.says(Topic::Payment, sense);
    if words.is_asking() || !(1..=WORDS_MAX).contains(&words.len()) {
        return None;
    }
    if said("not-collected") {
        return Some(Owed::NotCollected);
    }
    if said("denied") {
        return None;
    }
    match figure_in(text).map(|(figure, _)| figure) {
        Some(figure) if has("a_part") || (has("was_paid") && !said("names-collecting")) => Some(Owed::Less(figure)),
        Some(figure) if has("to_collect") => Some(Owed::This(figure)),
        Some(_) => None,
        None if has("a_part") && has("was_paid") && !said("names-door") => Some(Owed::Part),
        None => {
            // `UPI received`, `amount received`.
            let word = payment_word(text);
            let received = has("received");
            let is_means = word == Some(Payment::Means) && received;
            let is_sum = received && words.len() == 2 && has("sum");
            (word == Some(Payment::Prepaid) || is_means || is_sum).then_some(Owed::Nothing)
        }
    }
}

/// Whether a note speaks of cash on delivery, or of what is still to be paid: `collect cod 998`.
#[must_use]
pub fn speaks_of_cash(text: &str) -> bool {
    let is_due = || matches!(owed(text), Some(Owed::Part | Owed::Less(_) | Owed::This(_) | Owed::NotCollected));
    words(text).any(|word| word == "cod") || payment_word(text) == Some(Payment::Cod) || is_due()
}

/// Whether a cell says no more than one of the two types of payment: `COD`, `Cash on Delivery`, `Prepaid`, `PP`.
#[must_use]
pub fn payment_type(text: &str) -> Option<Payment> {
    /// The longest of these, with its punctuation.
    const BYTES_MAX: usize = 32;
    if text.len() > BYTES_MAX {
        return None;
    }
    let words = Vocabulary::built_in().text(text);
    let said = |sense: &str| words.says(Topic::Payment, sense);
    match () {
        () if said("type-cod") => Some(Payment::Cod),
        () => said("type-prepaid").then_some(Payment::Prepaid),
    }
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
                 Delivery/pay on delivery by UPI/COD - confirmed/Full COD/100% COD/COD full amount/Cash on del",
            ),
            (
                Some(Payment::Prepaid),
                "Prepaid/PP/PPD/pre-paid/Paid/Paid online/Full paid/FULLY PAID/Prepaid (UPI)/Paid via GPay/UPI - \
                 paid/Payment received/100% paid",
            ),
            (
                Some(Payment::Means),
                "UPI/GPay/G-Pay UPI/Google Pay/PhonePe/Paytm/Online/Razorpay/Bank Transfer/NEFT/Card/Credit \
                 Card/Debit card/Wallet/Net banking/Netbanking/Online payment/PhonePe PG/Razorpay Secure (UPI, Cards, \
                 Int'l Cards, Wallets)",
            ),
            (
                None,
                "COD or Prepaid/UPI pending/Unpaid/Not paid/Half paid/50% paid/Advance/Advance paid/Credit/Cash/To be \
                 paid/Paid?/COD + Gift Card/UPI + COD/No COD/499/Khata/Pay later/Partial/Paid 100/100 paid/UPI 100 \
                 received/COD 998",
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
    fn figures_beside_words_of_payment() {
        let figure = |text: &str| payment_and_figure(text).map(|(payment, figure)| (payment, figure.to_string()));
        let cases = [
            (Payment::Cod, "998", "COD 998|COD-998|Rs 998 COD|COD ₹998|COD Rs.998/-|998 COD|COD998|cod (998)"),
            (Payment::Prepaid, "100", "Paid 100|100 paid|Paid 100 UPI|Paid online 100|Rs.100 paid|Paid ₹100/-"),
            (Payment::Means, "100", "100 UPI|UPI 100|UPI (100)"),
            (Payment::Prepaid, "1499.50", "Paid 1,499.50"),
            (Payment::Prepaid, "100", "UPI 100 received - payment"),
        ];
        for (payment, amount, texts) in cases {
            for text in texts.split('|') {
                assert_eq!(figure(text), Some((payment, amount.to_owned())), "{text}");
            }
        }
        for text in
            "UPI 4532678901|Paid 21/11|50% paid|100% paid|Paid 21 Nov|COD 2 pcs|499|UTR123 paid|Paid #12".split('|')
        {
            assert_eq!(figure(text), None, "{text}");
        }
    }

    #[test]
    fn notes_of_what_is_owed() {
        let cases = [
            (
                Some(Owed::Nothing),
                "Paid|paid online|Payment received|Paid via GPay|full payment done|UPI received|gpay recd|Amount received",
            ),
            (Some(Owed::Part), "Advance paid|advance received|partly paid|half payment received|token given"),
            (
                Some(Owed::Less(200.into())),
                "200 advance paid|advance 200 received|Rs 200 adv|paid 200|200 received|Token 200",
            ),
            (
                Some(Owed::This(798.into())),
                "COD 798 only|collect 798|Collect Rs.798/-|balance 798|798 to collect|Bal 798|please collect only 798|cash 798|bal 798 rs",
            ),
            (
                Some(Owed::NotCollected),
                "Exchange order, dont collect|replacement - no cod|Don't collect|do not collect cash|no COD|nothing \
                 to collect|Replacement|exchange|free replacement|Free of cost|no payment to be collected|Do not take \
                 payment",
            ),
            (
                None,
                "call before delivery|gift|Gift wrap|collect at 5 pm|collect 2 pcs|Collect from gate|advance \
                 booking|COD|cod confirmed|collect by 21 Nov|no advance|payment not received|Leave 2 boxes|balance \
                 stock 5 pcs|Due 21/11|cash ready|exchange only if damaged|Order 1002 paid separately by sister, this \
                 one cash|Exchange within 7 days allowed|not paid|no cash change|paid after delivery|half \
                 sleeves|Blouse 38|deliver before 6|Paid?|COD - no advance|token gift|paid order 1002|UPI at the door",
            ),
        ];
        for (means, texts) in cases {
            for text in texts.split('|') {
                assert_eq!(owed(text), means, "{text}");
            }
        }
    }
}
