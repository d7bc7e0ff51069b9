//! What is asked of texts: whether a remark stops an order, a kind is that of a parcel that comes back, a name is marked.

use super::{Text, Topic, Vocabulary};

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
    let header = Vocabulary::built_in().text(header);
    let says = |sense| header.says(Topic::Headers, sense);
    About { pickup: says("about-pickup"), others: says("about-others"), goods: says("about-goods") }
}

/// A remark beside an order, or any other cell that may be one, taken apart once for all that is asked of it.
#[derive(Debug)]
pub struct Remark(Option<Text<'static>>);

impl Remark {
    /// A remark as it is written.
    #[must_use]
    pub fn new(text: &str) -> Self {
        Self(may_speak(text).then(|| Vocabulary::built_in().text(text)))
    }

    /// Whether it says that its order is not to go, or is gone. Under a header that speaks of bills or sizes it does not.
    #[must_use]
    pub fn stops(&self, about: About) -> bool {
        let Some(text) = &self.0 else { return false };
        if text.says(Topic::Fetched, "fetched") && !about.pickup {
            return true;
        }
        let said = text.read(Topic::Remarks);
        !said.hits.is_empty() && !said.says("goes") && !about.others
    }

    /// Whether it says that nobody has paid yet.
    #[must_use]
    pub fn says_unpaid(&self) -> bool {
        self.says(Topic::Payment, "unpaid")
    }

    /// Whether it says nothing but that a parcel comes back, whatever its column is called.
    #[must_use]
    pub fn is_return(&self) -> bool {
        self.says(Topic::Kinds, "comes-back")
    }

    fn says(&self, topic: Topic, sense: &str) -> bool {
        self.0.as_ref().is_some_and(|text| text.says(topic, sense))
    }
}

/// Whether a cell has letters, and is no letter.
#[must_use]
pub fn may_speak(text: &str) -> bool {
    (2..=BYTES_MAX).contains(&text.len()) && text.chars().any(char::is_alphabetic)
}

/// Whether a text says, as a whole, that the customer fetches the parcel.
#[must_use]
pub fn says_fetched(text: &str) -> bool {
    Vocabulary::built_in().text(text).says(Topic::Fetched, "fetched")
}

/// Whether words of a kind of shipment say that it comes back from the customer, be it in exchange.
#[must_use]
pub fn says_backwards(text: &str) -> bool {
    let text = Vocabulary::built_in().text(text);
    text.says(Topic::Kinds, "comes-back") || text.says(Topic::Kinds, "backwards")
}

/// Whether a name, an address or an order number is marked as not to go.
#[must_use]
pub fn is_marked(text: &str) -> bool {
    Vocabulary::built_in().marks(text, ["marked", "marked-name"])
}

/// Whether a product is marked as not to go.
#[must_use]
pub fn is_marked_product(text: &str) -> bool {
    Vocabulary::built_in().marks(text, ["marked", "marked-product"])
}
