//! What is asked of texts: whether a remark stops an order, a kind is that of a parcel that comes back, a name is marked.

use super::{Hit, PhraseHits, Text, Topic, Vocabulary};

/// A longer cell is a letter, or a page of a website.
const BYTES_MAX: usize = 4000;

/// A remark beside an order, or any other cell that may be one, taken apart once for all that is asked of it.
#[derive(Debug)]
pub struct Remark<'v> {
    text: Option<Text<'v>>,
    /// What it says, without what a person calls harmless.
    said: PhraseHits<'v>,
    has_own: bool,
}

impl<'v> Remark<'v> {
    /// A remark as it is written.
    #[must_use]
    pub fn new(words: &'v Vocabulary, text: &str) -> Self {
        let text = may_speak(text).then(|| words.text(text));
        let mut said = text.as_ref().map(|text| text.read(Topic::Remarks)).unwrap_or_default();
        let has_own = said.says(HARMLESS) || said.says(REMOVED);
        if has_own {
            let own: Vec<Hit<'_>> =
                said.hits.iter().filter(|hit| [HARMLESS, REMOVED].contains(&hit.sense)).copied().collect();
            said.hits.retain(|hit| !own.iter().any(|own| is_covered(hit, own)));
        }
        Self { text, said, has_own }
    }

    /// Whether it says that its order is not to go, or is gone. Under a header that speaks of bills or sizes (`of_others`), or
    /// of who picks parcels up (`of_pickup`), it may not.
    #[must_use]
    pub fn stops(&self, of_pickup: bool, of_others: bool) -> bool {
        if self.said.says("own-hold") || (self.says(Topic::Fetched, "fetched") && !of_pickup) {
            return true;
        }
        let stops = |hit: &Hit<'_>| !matches!(hit.sense, "harmless" | HARMLESS | REMOVED);
        self.said.hits.iter().any(stops) && !self.said.says("goes") && !of_others
    }

    /// The text of it; nothing of one that says nothing in words.
    #[must_use]
    pub const fn text(&self) -> Option<&Text<'v>> {
        self.text.as_ref()
    }

    /// Whether it says something, and no word in it is known.
    #[must_use]
    pub fn is_unread(&self) -> bool {
        self.text.is_some() && !self.has_own && self.said.hits.is_empty() && !self.says(Topic::Payment, "unpaid")
    }

    /// Whether it says something as a whole that nobody calls harmless.
    #[must_use]
    pub fn says(&self, topic: Topic, sense: &str) -> bool {
        !self.has_own && self.text.as_ref().is_some_and(|text| text.says(topic, sense))
    }
}

/// What a person calls harmless, and words that a person has removed.
const HARMLESS: &str = "own-harmless";
const REMOVED: &str = "own-removed";

/// Whether a person's own word takes a hit out: one within what is harmless, or the removed word itself.
fn is_covered(hit: &Hit<'_>, own: &Hit<'_>) -> bool {
    match own.sense {
        REMOVED => hit.span == own.span && hit.sense != HARMLESS,
        _ => hit.span.0 >= own.span.0 && hit.span.1 <= own.span.1 && hit.sense != "own-hold",
    }
}

/// Whether a cell has letters, and is no letter.
#[must_use]
pub fn may_speak(text: &str) -> bool {
    (1..=BYTES_MAX).contains(&text.len()) && text.chars().any(char::is_alphabetic)
}

/// Whether a product, or else a name, an address or an order number, is marked as not to go.
#[must_use]
pub fn is_marked(text: &str, of_product: bool) -> bool {
    Vocabulary::built_in().marks(text, ["marked", if of_product { "marked-product" } else { "marked-name" }])
}
