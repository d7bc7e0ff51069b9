//! How alike a header and the names of a field are: word by word, with the short forms and slips of people who type.
//!
//! What words mean is `templates/words/columns.toml`.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::LazyLock;

use serde::Deserialize;

use crate::field::{FIELDS, Field, Id, length_unit, money_sign, normalised, says_percent, weight_unit};

/// From here on, in percent, a header may mean a field.
pub(super) const ALIKE: u8 = 50;

/// The vocabulary of headers as its file has it.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    fillers: Vec<String>,
    others: Vec<String>,
    receivers: Vec<String>,
    parts: Vec<String>,
    joined: Vec<(String, String)>,
    means: BTreeMap<String, Vec<String>>,
    names: BTreeMap<String, Vec<String>>,
}

/// The vocabulary of headers, ready to be compared with.
#[derive(Debug, Default)]
struct Vocabulary {
    fillers: HashSet<String>,
    others: HashSet<String>,
    receivers: HashSet<String>,
    parts: HashSet<String>,
    joined: HashSet<(String, String)>,
    /// What a word means; one may mean several things.
    means: HashMap<String, Vec<String>>,
    names: Vec<Name>,
}

/// A name of a field, word by word.
#[derive(Debug)]
struct Name {
    field: &'static Field,
    words: Vec<Word>,
    /// All of it, as headers are compared.
    whole: String,
    /// Whether it is one that only people use.
    spoken: bool,
}

/// A word as it stands, and what it means.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Word {
    typed: String,
    means: Vec<String>,
}

static VOCABULARY: LazyLock<Vocabulary> = LazyLock::new(|| {
    let file = toml::from_str(include_str!("../../../templates/words/columns.toml"));
    Vocabulary::of(file.unwrap_or_default())
});

impl Vocabulary {
    fn of(file: File) -> Self {
        let mut means: HashMap<String, Vec<String>> = HashMap::new();
        for (meaning, words) in file.means {
            for word in words.into_iter().chain([meaning.clone()]) {
                means.entry(word).or_default().push(meaning.clone());
            }
        }
        let mut vocabulary = Self {
            fillers: file.fillers.into_iter().collect(),
            others: file.others.into_iter().collect(),
            receivers: file.receivers.into_iter().collect(),
            parts: file.parts.into_iter().collect(),
            joined: file.joined.into_iter().collect(),
            means,
            names: Vec::new(),
        };
        let of_fields = FIELDS.iter().flat_map(|field| {
            [field.header].into_iter().chain(field.aliases.iter().copied()).map(move |name| (field, name, false))
        });
        let spoken = file.names.iter().filter_map(|(path, names)| Some((Field::by_path(path)?, names)));
        let spoken = spoken.flat_map(|(field, names)| names.iter().map(move |name| (field, name.as_str(), true)));
        let names = of_fields.chain(spoken).map(|(field, name, spoken)| Name {
            field,
            words: vocabulary.words(name),
            whole: normalised(name),
            spoken,
        });
        // `Nos` alone are pieces, and `No` is anything but that: only as a whole.
        let says = |word: &Word| !word.means.iter().any(|means| means == "number");
        vocabulary.names = names.filter(|name| name.words.iter().any(says)).collect();
        vocabulary
    }

    /// The words of a header in their meanings, without those that say nothing.
    fn words(&self, header: &str) -> Vec<Word> {
        let mut words: Vec<String> = Vec::new();
        let mut after_small = false;
        let mut is_open = false;
        for letter in header.chars() {
            // `OrderNo` is two words.
            let begins = letter.is_uppercase() && after_small;
            after_small = letter.is_lowercase();
            if !letter.is_alphanumeric() && letter != '#' {
                is_open = false;
                continue;
            }
            match words.last_mut().filter(|_| is_open && !begins) {
                Some(word) => word.extend(letter.to_lowercase()),
                None => words.push(letter.to_lowercase().collect()),
            }
            is_open = true;
        }
        let mut whole: Vec<String> = Vec::new();
        for word in words {
            match whole.last_mut().filter(|last| self.joined.contains(&((*last).clone(), word.clone()))) {
                Some(last) => last.push_str(&word),
                None => whole.push(word),
            }
        }
        // In which unit a figure is says nothing of what it is.
        let is_unit =
            |word: &str| money_sign(word).is_some() || weight_unit(word).is_some() || length_unit(word).is_some();
        let has_others = whole.iter().any(|word| !self.fillers.contains(word) && !is_unit(word));
        whole.retain(|word| !(self.fillers.contains(word) || (has_others && is_unit(word))));
        let means = |typed: &String| self.means.get(typed).cloned().unwrap_or_else(|| vec![typed.clone()]);
        whole.into_iter().map(|typed| Word { means: means(&typed), typed }).collect()
    }

    fn speaks_of_others(&self, words: &[Word]) -> bool {
        words.iter().any(|word| self.others.contains(&word.typed))
    }

    /// A header takes each word of a name; words that are left over on either side make it doubtful.
    fn by_words(&self, header: &[Word], name: &Name, counted: &[String]) -> f64 {
        if header.is_empty() || name.words.is_empty() || header.len() > 8 {
            return 0.0;
        }
        let mut left: Vec<&Word> = header.iter().collect();
        let mut likeness = if name.spoken { 0.9 } else { 0.98 };
        for word in &name.words {
            let best = left.iter().enumerate().map(|(index, typed)| (alike(typed, word), index));
            match best.max_by(|one, other| one.0.total_cmp(&other.0)).filter(|(alike, _)| *alike > 0.0) {
                Some((alike, index)) => {
                    likeness *= alike;
                    left.remove(index);
                }
                None => likeness *= 0.45,
            }
        }
        // `Qty (pcs)` says one thing twice.
        left.retain(|typed| !name.words.iter().any(|word| share(word, typed)));
        left.iter().map(|word| self.spare(word, name, counted)).product::<f64>() * likeness
    }

    /// What a word that a name has not takes away from its likeness.
    fn spare(&self, word: &Word, name: &Name, counted: &[String]) -> f64 {
        let of_receiver = || word.means.iter().any(|means| self.receivers.contains(means));
        match word.typed.parse::<u32>() {
            // The first of several, and any other one.
            Ok(1) => 0.96,
            Ok(_) => 0.5,
            // The price is for what is counted: `Price per box` beside `Boxes`.
            Err(_) if name.field.id == Id::Price && counted.contains(&word.typed) => 0.98,
            Err(_) if name.field.is_receivers() && of_receiver() => 0.96,
            // A part of who gets it, and where, is no other part.
            Err(_) if word.means.iter().any(|means| self.parts.contains(means)) => 0.45,
            Err(_) => 0.75,
        }
    }
}

/// The fields that a header may mean, each with how likely that is, in percent below 100; from [`ALIKE`] on.
pub(super) fn likely(header: &str, counted: &[String]) -> Vec<(&'static Field, u8)> {
    /// A header for people has no more.
    const BYTES_MAX: usize = 80;
    let header = header.trim();
    if header.len() > BYTES_MAX {
        return Vec::new();
    }
    let own = &*VOCABULARY;
    let (split, whole) = (own.words(header), normalised(header));
    let mut best = vec![0.0_f64; FIELDS.len()];
    let of_others = own.speaks_of_others(&split);
    let in_percent = says_percent(header);
    let is_other = |field: &Field| {
        (of_others && field.is_receivers()) || (in_percent && matches!(field.id, Id::Discount | Id::LineDiscount))
    };
    for name in own.names.iter().filter(|name| !is_other(name.field)) {
        let likeness = &mut best[name.field.id as usize];
        *likeness = likeness.max(own.by_words(&split, name, counted));
        if split.len() == 1 {
            *likeness = likeness.max(by_spelling(&whole, name));
        }
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0 and 99")]
    let percent = best.into_iter().map(|likeness| (likeness * 100.0).clamp(0.0, 99.0) as u8);
    FIELDS.iter().zip(percent).filter(|(_, percent)| *percent >= ALIKE).collect()
}

/// What the quantities of a sheet count, by the headers: `box` for `Boxes`.
pub(super) fn counted(headers: &[String]) -> Vec<String> {
    let words = headers.iter().flat_map(|header| VOCABULARY.words(header));
    let of_pieces = words.filter(|word| word.means.iter().any(|means| means == "quantity")).map(|word| word.typed);
    let each = of_pieces.flat_map(|word| {
        let singular = ["es", "s"].into_iter().filter_map(|end| word.strip_suffix(end)).map(str::to_owned);
        singular.collect::<Vec<_>>()
    });
    each.collect()
}

/// Whether a field is the receiver's and a header speaks of those who send, bill or take back.
pub(super) fn is_of_others(field: &Field, header: &str) -> bool {
    field.is_receivers() && VOCABULARY.speaks_of_others(&VOCABULARY.words(header))
}

fn share(one: &Word, other: &Word) -> bool {
    one.means.iter().any(|means| other.means.contains(means))
}

/// How alike two words are: the same, in meaning, short for the other, or a slip apart.
fn alike(typed: &Word, name: &Word) -> f64 {
    if typed.typed == name.typed {
        1.0
    } else if share(typed, name) {
        0.96
    } else if name.typed.len() >= 5 && typed.typed.len() >= 3 && name.typed.starts_with(&typed.typed) {
        0.92
    } else if is_slip(&typed.typed, &name.typed) {
        0.93
    } else {
        0.0
    }
}

/// A name that is written in one with a slip or two, or short. Of several words one may be another: `Product Cost` is no
/// `Product Code`.
fn by_spelling(whole: &str, name: &Name) -> f64 {
    if !name.spoken && name.whole.len() >= 6 && is_slip(whole, &name.whole) {
        0.92
    } else if !name.spoken && name.words.len() == 1 && is_short_for(whole, &name.whole) {
        0.8
    } else {
        0.0
    }
}

/// Whether one is the other with a letter too many, too few, wrong or swapped; in long words two of these.
fn is_slip(one: &str, other: &str) -> bool {
    let (shorter, longer) = (one.len().min(other.len()), one.len().max(other.len()));
    let slips = match shorter {
        0..4 => return false,
        4..8 => 1,
        _ => 2,
    };
    // The first letter is seldom wrong, and tells `City` from `Pity`.
    longer - shorter <= slips && one.chars().next() == other.chars().next() && strsim::osa_distance(one, other) <= slips
}

/// Whether the letters of one stand in the other in that order, from its first to its last: `Wght` is short for `Weight`.
fn is_short_for(short: &str, long: &str) -> bool {
    let mut letters = long.chars();
    (3..long.len()).contains(&short.len())
        && short.chars().all(|wanted| letters.any(|letter| letter == wanted))
        && short.chars().next() == long.chars().next()
        && short.chars().last() == long.chars().last()
}
#[cfg(test)]
mod tests {
    use super::*;

    fn likeliest(header: &str) -> Option<(Id, bool)> {
        let best = likely(header, &[]).into_iter().rev().max_by_key(|(_, likeness)| *likeness);
        best.map(|(field, likeness)| (field.id, likeness >= 80))
    }

    #[test]
    fn words_are_compared_and_not_letters() {
        let taken = [
            ("Custmer Phone", Id::ReceiverPhone),
            ("Mob No.", Id::ReceiverPhone),
            ("Cust Name", Id::ReceiverFirstName),
            ("Party Name", Id::ReceiverFirstName),
            ("Customer", Id::ReceiverFirstName),
            ("Ordered On", Id::OrderCreatedAt),
            ("Ord. Dt", Id::OrderCreatedAt),
            ("quantitiy", Id::Quantity),
            ("No. of Pcs", Id::Quantity),
            ("Pin no", Id::DestinationPinCode),
            ("Wt.", Id::Weight),
            ("OrderNumbr", Id::OrderNumber),
            ("Item Desc", Id::ProductName),
            ("Zahlungsart", Id::OrderType),
            ("Bill No", Id::OrderNumber),
            ("Mode", Id::OrderType),
            ("Cust", Id::ReceiverFirstName),
            ("Gms", Id::Weight),
            ("Kgs.", Id::Weight),
            ("Land", Id::DestinationCountry),
            ("Landmark", Id::DestinationLine2),
        ];
        for (header, id) in taken {
            assert_eq!(likeliest(header), Some((id, true)), "{header}");
        }
        for header in ["Shipping Code", "Product Cost"] {
            assert!(likeliest(header).is_none_or(|(_, is_taken)| !is_taken), "{header}: {:?}", likeliest(header));
        }
        assert_eq!(likeliest("Pack Qty"), Some((Id::Quantity, false)));
        assert_eq!(likeliest("Qty (pcs)"), Some((Id::Quantity, true)));
        for header in ["Colour", "Favourite pet", "Sl", "", "x".repeat(500).as_str(), "Warranty"] {
            assert_eq!(likeliest(header), None, "{header}");
        }
        for header in
            ["Consignor Pin", "Sender Mobile", "From City", "Pickup Pincode", "Return Pin", "Billing Customer Name"]
        {
            let likely = likely(header, &[]);
            assert!(likely.iter().all(|(field, _)| !field.is_receivers()), "{header}: {likely:?}");
        }
        assert_eq!(likeliest("Dest Pin"), Some((Id::DestinationPinCode, true)));
        assert_eq!(
            likeliest("Customer Rating Phone"),
            Some((Id::ReceiverPhone, false)),
            "a word too many makes it doubtful"
        );
    }
}
