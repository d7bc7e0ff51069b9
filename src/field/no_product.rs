//! Names of products that are none: what an order comes to, or what is added to it or taken off, as a row of its own.

use crate::words::{Topic, Vocabulary};

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

/// What a name says that is made of words of money and of nothing else; nothing for that of a product.
#[must_use]
pub fn no_product(name: &str) -> Option<NoProduct> {
    const LONGEST: usize = 60;
    const KNOWN: [&str; 10] =
        ["total", "due", "paid", "less", "off", "shipping", "charge", "tax", "rounding", "beside"];
    // What begins like a formula is somebody's name for goods.
    if name.len() > LONGEST || name.starts_with('=') {
        return None;
    }
    let vocabulary = Vocabulary::built_in();
    let listed = |class: &str, word: &str| vocabulary.lists(Topic::Products, class, word);
    let known = |word: &str| vocabulary.class_of(Topic::Products, &KNOWN, word).is_some();
    let is_figure = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
    let all = || name.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    // Nearly every name ends with its first word.
    let first = all().next().filter(|first| is_figure(first) || known(first))?;
    let has = |class: &str| all().any(|word| listed(class, word));
    // `Coupon SAVE10`, `Discount code DIWALI`: which one it is.
    let mut is_code = false;
    let of_code = has("off");
    let all_known = all().filter(|word| !is_figure(word)).all(|word| {
        let fits = known(word) || is_code || (of_code && word.bytes().any(|byte| byte.is_ascii_digit()));
        is_code = of_code && listed("code", word);
        fits
    });
    if !all_known {
        return None;
    }
    let kind = match () {
        () if has("less") => {
            if has("paid") {
                NoProduct::Paid
            } else {
                NoProduct::Off
            }
        }
        () if of_code => NoProduct::Off,
        () if has("shipping") => NoProduct::Shipping,
        () if has("paid_word") && has("to") => NoProduct::Due,
        () if has("paid") => NoProduct::Paid,
        () if has("rounding") || (has("round") && has("off_or_up")) => NoProduct::Rounding,
        () if has("charge") => NoProduct::Charge,
        () if has("tax") && !has("in_price") => NoProduct::Tax,
        () if has("due") || (has("to") && has("to_collect")) => NoProduct::Due,
        () if has("total") || (has("amount") && has("of_order")) => NoProduct::Total,
        () => return None,
    };
    // One word that may be goods, and a total of so many (`Total 12`), need another word beside them.
    let second = all().nth(1);
    let is_alone = second.is_none() && listed("goods", first);
    let is_numbered = kind == NoProduct::Total && second.is_some_and(is_figure) && all().count() == 2;
    (!is_alone && !is_numbered).then_some(kind)
}
