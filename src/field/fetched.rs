//! Words for parcels that no courier takes: their customers fetch them.

use super::listed::{among, among_any, words};

/// Whether a text says, as a whole, that the customer fetches the parcel: `Local pickup`, `self collect`, `by hand`.
#[must_use]
pub fn says_fetched(text: &str) -> bool {
    const FETCH: &str = "pickup pick picked collect collected collection collects takeaway";
    const BY_WHOM: &str =
        "self local store shop instore customer cust client buyer hand counter curbside click himself herself takeaway";
    const AROUND: &str = "up in at from the by will be to our own and delivery delivered only";
    let may_be = |window: &[u8]| {
        let stem = [window[0], window[1], window[2], window[3]].map(|byte| byte.to_ascii_lowercase());
        matches!(&stem, b"pick" | b"coll" | b"hand" | b"take")
    };
    if text.len() > 40 || !text.as_bytes().windows(4).any(may_be) {
        return false;
    }
    let words: Vec<String> = words(text).collect();
    let has = |list: &str| words.iter().any(|word| among(list, word));
    let all = words.iter().all(|word| among_any(&[FETCH, BY_WHOM, AROUND], word));
    let by_hand = has("hand") && has("by delivery delivered");
    all && (by_hand || (has(FETCH) && has(BY_WHOM)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parcels_that_customers_fetch() {
        const FETCHED: &str = "Local pickup|Store Pickup|Self pickup|In-store pickup|Pick up in store|self collect|By \
            hand|Takeaway|Customer will collect|Hand delivery|Click and collect|collected by \
            customer|Self-Collection|Will be picked up by customer";
        for text in FETCHED.split('|') {
            assert!(says_fetched(text), "{text}");
        }
        const SENT: &str = "Pickup|Local delivery|Self Pickup Point, MG Road|Standard|Handloom House|Store|Collector \
            Office|customer will collect the old one|pick|Hand bag|Shop 4, Hand Mill Road|Doorstep pickup|Take care";
        for text in SENT.split('|') {
            assert!(!says_fetched(text), "{text}");
        }
    }
}
