//! What is asked of texts: whether a remark stops an order, a kind is that of a parcel that comes back, a name is marked.

use super::Vocabulary;

/// A longer cell is a letter, or a page of a website.
const BYTES_MAX: usize = 4000;

/// Whether a remark says that its order is not to go, or is gone. Under a header that speaks of bills or sizes it does not.
#[must_use]
pub fn says_stop(text: &str, header: &str) -> bool {
    if !may_speak(text) {
        return false;
    }
    let words = Vocabulary::built_in();
    let about = || words.read("headers", header);
    let [fetched, said] = words.read_both(["fetched", "remarks"], text);
    if fetched.says("fetched") && !about().says("about-pickup") {
        return true;
    }
    !said.hits.is_empty() && !said.says("goes") && !about().says("about-others")
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

/// Whether words under a header say nothing of which way the parcel goes: what the goods, the customers and the offers are.
#[must_use]
pub fn is_of_goods(header: &str) -> bool {
    Vocabulary::built_in().read("headers", header).says("about-goods")
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
