//! Currencies by their ISO 4217 codes.

use std::sync::LazyLock;

use super::fault::Fault;
use crate::field::money_sign;
use crate::finding::cell;
use crate::text::Text;

/// The codes of money that is in use, in order.
static CODES: LazyLock<Vec<&str>> = LazyLock::new(|| {
    let lines = include_str!("../../templates/places/currencies.txt").lines();
    lines.filter(|line| !line.starts_with('#')).flat_map(|line| line.split(' ')).collect()
});

/// A currency's code in capitals.
pub(super) fn currency(text: &str) -> Result<Text, Fault> {
    let code = text.to_ascii_uppercase();
    let is_known = CODES.binary_search(&code.as_str()).is_ok();
    if is_known { Ok(code.into()) } else { Err(cell::bad_currency::unknown(nearest(text, &code)).into()) }
}

/// The code that is most likely meant: by a sign such as `Rs`, or one slip away, the commonest first.
fn nearest(text: &str, code: &str) -> Option<&'static str> {
    const COMMON: [&str; 5] = ["INR", "USD", "EUR", "GBP", "AED"];
    let is_slip = |own: &&str| (3..=4).contains(&code.len()) && strsim::osa_distance(code, own) == 1;
    let by_sign = money_sign(text).and_then(|codes| codes.first().copied());
    by_sign.or_else(|| COMMON.into_iter().chain(CODES.iter().copied()).find(is_slip))
}
