//! What is asked of texts: whether a remark stops an order, a kind is that of a parcel that comes back, a name is marked.

use super::Vocabulary;

/// A longer cell is a letter, or a page of a website.
const BYTES_MAX: usize = 4000;

/// What a header says that the remarks under it are about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct About {
    /// Who picks parcels up.
    pub pickup: bool,
    /// Bills, sizes and other things that are no remarks on the order.
    pub others: bool,
    /// The goods, the customers and the offers: which way the parcel goes is not said there.
    pub goods: bool,
}

/// What the remarks under a header are about.
#[must_use]
pub fn about(header: &str) -> About {
    let said = Vocabulary::built_in().read("headers", header);
    About { pickup: said.says("about-pickup"), others: said.says("about-others"), goods: said.says("about-goods") }
}

/// Whether a remark says that its order is not to go, or is gone. Under a header that speaks of bills or sizes it does not.
#[must_use]
pub fn says_stop(text: &str, about: About) -> bool {
    if !may_speak(text) {
        return false;
    }
    let [fetched, said] = Vocabulary::built_in().read_both(["fetched", "remarks"], text);
    (fetched.says("fetched") && !about.pickup) || (!said.hits.is_empty() && !said.says("goes") && !about.others)
}

/// Whether a cell has letters, and is no letter.
#[must_use]
pub fn may_speak(text: &str) -> bool {
    (2..=BYTES_MAX).contains(&text.len()) && text.chars().any(char::is_alphabetic)
}

/// Whether a remark says that nobody has paid yet. A question does not.
#[must_use]
pub fn says_unpaid(text: &str) -> bool {
    may_speak(text) && !text.contains('?') && Vocabulary::built_in().read("payment", text).says("unpaid")
}

/// Whether a text says, as a whole, that the customer fetches the parcel.
#[must_use]
pub fn says_fetched(text: &str) -> bool {
    Vocabulary::built_in().read("fetched", text).says("fetched")
}

/// Whether a cell says nothing but that a parcel comes back, whatever its column is called.
#[must_use]
pub fn is_return(text: &str) -> bool {
    Vocabulary::built_in().read("kinds", text).says("comes-back")
}

/// Whether words of a kind of shipment say that it comes back from the customer, be it in exchange.
#[must_use]
pub fn says_backwards(text: &str) -> bool {
    let said = Vocabulary::built_in().read("kinds", text);
    said.says("comes-back") || said.says("backwards")
}

/// Whether a name, an address or an order number is marked as not to go.
#[must_use]
pub fn is_marked(text: &str) -> bool {
    let said = Vocabulary::built_in().read("marks", text);
    said.says("marked") || said.says("marked-name")
}

/// Whether a product is marked as not to go.
#[must_use]
pub fn is_marked_product(text: &str) -> bool {
    let said = Vocabulary::built_in().read("marks", text);
    said.says("marked") || said.says("marked-product")
}
