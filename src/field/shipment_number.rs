//! Numbers of shipments in columns that are not called so, by their look.

use super::normalised::{is_digits, words};
use crate::words::{Topic, Vocabulary};

/// Whether a cell of a column of couriers has the number of a shipment in it: `DTDC D30998871`, `149081233`, `EK123456789IN`. Numbers
/// of phones and days are none, nor is that of the order itself. Of articles at the post only those of the post count.
#[must_use]
pub fn has_shipment_number(text: &str, of_articles: bool, order: &str) -> bool {
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    if digits < 6 || text.len() > 120 {
        return false;
    }
    let named =
        Vocabulary::built_in().text(text).has(Topic::States, "carrier_name") || text.to_lowercase().contains("post");
    // `EK 123 456 789 IN`
    let joined: String = text.chars().filter(char::is_ascii_alphanumeric).collect();
    let of_order = |token: &str| order.to_lowercase().contains(token);
    is_of_post(&joined)
        || words(text).any(|token| {
            let digits = token.bytes().filter(u8::is_ascii_digit).count();
            let is_number = token.len() >= 8 && token.is_ascii() && digits >= 6;
            is_of_post(&token)
                || (!of_articles && is_number && (named || !is_other_number(&token)) && !of_order(&token))
        })
}

/// Whether letters and figures are a number as the post gives them.
fn is_of_post(token: &str) -> bool {
    let bytes = token.as_bytes();
    bytes.len() == 13
        && bytes[..2].iter().all(u8::is_ascii_alphabetic)
        && bytes[2..11].iter().all(u8::is_ascii_digit)
        && bytes[11..].iter().all(u8::is_ascii_alphabetic)
}

/// Whether figures may be a telephone number, with or without the code of its country.
fn is_other_number(token: &str) -> bool {
    let bare = if token.len() == 12 { token.strip_prefix("91") } else { token.strip_prefix('0') };
    let bare = bare.unwrap_or(token);
    is_digits(token) && bare.len() == 10 && bare.starts_with(['6', '7', '8', '9'])
}
