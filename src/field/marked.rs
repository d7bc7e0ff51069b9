//! Words that people write into any cell of an order to say that it does not go: `Asha Rao - HOLD`, `Kurta (CANCELLED)`.

use super::listed::{among, words};

/// What stands in brackets, or behind a dash, of a name or an address.
const BESIDE_NAMES: &str = "cancelled canceled cancel cancled cxl hold onhold rto returned refunded sent alreadysent shipped \
    dispatched alreadyshipped alreadydispatched donotship dontship donotsend dontsend donotdispatch duplicate notconfirmed";

/// What stands so beside a product, whose names have some of the words above.
const BESIDE_PRODUCTS: &str = "cancelled canceled cancel cancled cxl rto refunded donotship dontship donotsend dontsend \
    donotdispatch outofstock oos notavailable";

/// Whether a name, an address or an order number is marked as not to go.
#[must_use]
pub fn is_marked(text: &str) -> bool {
    let begins = || words(text).next().is_some_and(|first| among("cancel cancelled canceled cancled", &first));
    has_part(text, BESIDE_NAMES) || (text.starts_with(['c', 'C']) && begins())
}

/// Whether a product is marked as not to go.
#[must_use]
pub fn is_marked_product(text: &str) -> bool {
    has_part(text, BESIDE_PRODUCTS)
}

/// Whether a part of a text that is set off from the rest is one of these.
fn has_part(text: &str, list: &str) -> bool {
    const MARKS: [char; 8] = ['(', ')', '[', ']', '*', '-', '–', '—'];
    /// The longest of such words, with what stands between them.
    const BYTES_MAX: usize = 24;
    // The longer dashes begin with this byte.
    let may_mark = |byte: u8| matches!(byte, b'(' | b')' | b'[' | b']' | b'*' | b'-' | 0xe2);
    if !text.bytes().any(may_mark) {
        return false;
    }
    let parts = || text.split(MARKS).map(str::trim).filter(|part| !part.is_empty());
    let may_say = |part: &&str| part.len() <= BYTES_MAX && !part.bytes().any(|byte| byte.is_ascii_digit());
    parts().nth(1).is_some() && parts().filter(may_say).any(|part| among(list, &words(part).collect::<String>()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_beside_names_and_products() {
        for text in ["A1 (cancelled)", "Asha Rao - HOLD", "CANCEL Vikram Shah", "Meera Nair (sent)", "12 MG Road *RTO*"]
        {
            assert!(is_marked(text), "{text}");
        }
        for text in
            ["Asha Rao", "Hold", "B-204 Sai Towers", "Canceria House", "Plot 7 (old no 3)", "Ship-yard Road", "SO-1"]
        {
            assert!(!is_marked(text), "{text}");
        }
        assert!(is_marked_product("Kurta (CANCELLED)") && is_marked_product("Mug - out of stock"));
        assert!(
            !is_marked_product("Hair gel - Hold")
                && !is_marked_product("Cancel tool")
                && !is_marked_product("Key-ring")
        );
    }
}
