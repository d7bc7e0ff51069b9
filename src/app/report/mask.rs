//! What is left out of a report for people who need not know who the customers are.

use crate::api::outcome::masked_but_status;

/// Shorter words stand in any sentence.
const CHARACTERS_MIN: usize = 3;

/// What the service said of an order, without what its request says of the receiver, without digits and quoted values.
pub(super) fn without_people(said: &str, personal: &[&str]) -> String {
    let words = personal.iter().flat_map(|text| text.split(|c: char| !c.is_alphanumeric()).chain([*text]));
    let mut personal: Vec<String> =
        words.filter(|word| word.chars().count() >= CHARACTERS_MIN).map(str::to_lowercase).collect();
    personal.sort_by_key(|word| std::cmp::Reverse(word.len()));
    let mut rest = said;
    let mut shown = String::with_capacity(said.len());
    while let Some(first) = rest.chars().next() {
        let is_here = |word: &&String| rest.get(..word.len()).is_some_and(|start| start.to_lowercase() == **word);
        // A name within a longer word is no name.
        let begins = !shown.chars().next_back().is_some_and(char::is_alphanumeric);
        let ends = |word: &&String| !rest[word.len()..].starts_with(char::is_alphanumeric);
        let found = personal.iter().filter(|_| begins).find(|word| is_here(word) && ends(word));
        let length = found.map_or(first.len_utf8(), String::len);
        if found.is_some() {
            shown.push('…');
        } else {
            shown.push(first);
        }
        rest = &rest[length..];
    }
    masked_but_status(&shown)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_of_the_receiver_is_left() {
        let receiver = ["Asha", "Rao Bahadur", "asha.rao@example.com", "", "14 MG Road", "Bengaluru"];
        let said = |text: &str| without_people(text, &receiver);
        assert_eq!(said("ASHA (rao bahadur) of Bengaluru has no phone"), "… (…) of … has no phone");
        assert_eq!(said("write to asha.rao@example.com, 14 MG ROAD"), "write to …, …");
        assert_eq!(said("no (HTTP 422) for 560001"), "no (HTTP 422) for #");
        assert_eq!(said("PIN code 560001 of \"somebody\""), "PIN code # of …");
        assert_eq!(said("a broad way with Ashas"), "a broad way with Ashas");
    }
}
