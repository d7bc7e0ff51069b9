//! The words of a header.

use super::listed::{among, among_any};
use super::units::money_sign;

/// A header's words in lower case, without signs of money.
pub(super) struct Words(pub(super) Vec<String>);

impl Words {
    /// The words of a header; `CODAmount` has two.
    pub(super) fn of(header: &str) -> Self {
        let mut words: Vec<String> = vec![String::new()];
        // Names that have capitals in the middle are one word.
        let brands = [("GPay", "Gpay"), ("PhonePe", "Phonepe"), ("RazorPay", "Razorpay"), ("PayTM", "Paytm")];
        let header = brands.into_iter().fold(header.to_owned(), |header, (name, word)| header.replace(name, word));
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
        self.0.iter().map(String::as_str).filter(move |word| !among(list, word))
    }

    /// Whether one of them is in a list.
    pub(super) fn has(&self, list: &str) -> bool {
        self.0.iter().any(|word| among(list, word))
    }

    /// Whether all of them are of these lists.
    pub(super) fn all(&self, lists: &[&str]) -> bool {
        self.0.iter().all(|word| among_any(lists, word))
    }

    /// Whether they say that an amount is for one piece.
    pub(super) fn is_per_piece(&self) -> bool {
        (self.has("per each") && self.has("unit piece pc pcs item each qty quantity"))
            || self.joined() == "unitdiscount"
    }
}
