//! Names of products that are none: what an order comes to, or what is added to it or taken off, as a row of its own.

use super::normalised::is_digits;
use crate::words::Topic;

/// Whether a name is made of words of money and of nothing else.
#[must_use]
pub fn is_amount_name(name: &str) -> bool {
    const LONGEST: usize = 60;
    const MONEY: [&str; 9] = ["total", "due", "paid", "less", "off", "shipping", "charge", "tax", "rounding"];
    // Two words that are money only together: `Bill amount`.
    const PAIRS: [(&str, &str); 3] = [("to", "to_collect"), ("round", "off_or_up"), ("amount", "of_order")];
    // What begins like a formula is somebody's name for goods.
    if name.len() > LONGEST || name.starts_with('=') {
        return false;
    }
    let listed = |class: &str, word: &str| Topic::Products.lists(class, word);
    let known = |word: &str| MONEY.into_iter().chain(["beside"]).any(|class| listed(class, word));
    let all = || name.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    // Nearly every name ends with its first word.
    let Some(first) = all().next().filter(|first| is_digits(first) || known(first)) else { return false };
    let has = |class: &str| all().any(|word| listed(class, word));
    // `Coupon SAVE10`, `Discount code DIWALI`: which one it is.
    let mut is_code = false;
    let of_code = has("off");
    let all_known = all().filter(|word| !is_digits(word)).all(|word| {
        let fits = known(word) || is_code || (of_code && word.bytes().any(|byte| byte.is_ascii_digit()));
        is_code = of_code && listed("code", word);
        fits
    });
    // One word that may be goods, and a total of so many (`Total 12`), need another word beside them.
    let second = all().nth(1);
    let is_alone = second.is_none() && listed("goods", first);
    let is_numbered = listed("total", first) && second.is_some_and(is_digits) && all().count() == 2;
    let is_money = || MONEY.into_iter().any(has) || PAIRS.into_iter().any(|(one, other)| has(one) && has(other));
    all_known && !is_alone && !is_numbered && is_money()
}
