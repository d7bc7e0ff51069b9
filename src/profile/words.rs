//! How alike a header and the names of a field are: word by word, with the short forms and slips of people who type.

use std::sync::LazyLock;

use crate::field::{FIELDS, Field, Id, normalised, says_percent};

/// Short forms and other words for the words of names. What stands first is what the others mean.
const MEANINGS: &[(&str, &[&str])] = &[
    ("number", &["no", "nos", "nr", "num", "nbr", "numbers", "#"]),
    ("order", &["ord", "ordr", "orders", "ordered", "so"]),
    (
        "customer",
        &["cust", "client", "buyer", "consignee", "receiver", "recipient", "party", "reciever", "kunde", "person"],
    ),
    ("phone", &["ph", "phn", "mob", "mobile", "cell", "tel", "telephone", "telefon", "handy", "contact", "whatsapp"]),
    ("address", &["addr", "add", "adress", "adresse", "addresse"]),
    ("quantity", &["qty", "qnty", "quantities", "pcs", "pieces", "piece", "units", "pkts", "count", "menge"]),
    ("weight", &["wt", "wgt", "gewicht", "peso", "poids"]),
    ("length", &["len", "lgth"]),
    ("width", &["wid", "breadth"]),
    ("height", &["ht", "hgt"]),
    ("pincode", &["pin", "zip", "zipcode", "postcode", "postalcode", "plz"]),
    ("product", &["prod", "item", "items", "article", "goods", "material", "products", "artikel"]),
    ("payment", &["pay", "pymt", "pmt", "pymnt", "paid"]),
    ("price", &["rate", "mrp"]),
    ("amount", &["amt", "value", "val"]),
    ("date", &["dt", "datum", "dated"]),
    ("mode", &["method", "terms", "mod"]),
    ("email", &["mail", "emailid", "mailid"]),
    ("city", &["town", "ort", "stadt", "ville", "ciudad"]),
    ("state", &["province", "bundesland", "estado"]),
    ("country", &["land", "pays", "pais", "país"]),
    ("code", &["cd"]),
    ("description", &["desc", "details"]),
    ("warehouse", &["whse", "godown", "wh"]),
];

/// Words that say nothing.
const FILLERS: &[&str] =
    &["of", "the", "for", "a", "an", "and", "to", "in", "your", "our", "full", "complete", "please"];

/// Words of those who send, bill or take back: with one of them a header says nothing of the receiver.
const OTHERS: &[&str] = &[
    "consignor",
    "consigner",
    "sender",
    "senders",
    "shipper",
    "seller",
    "sellers",
    "vendor",
    "supplier",
    "merchant",
    "from",
    "pickup",
    "pick",
    "origin",
    "return",
    "returns",
    "rto",
    "billing",
    "bill",
    "invoice",
];

/// Names that only people use, and that are no headers to go by without asking whether the values fit.
const SPOKEN: &[(Id, &[&str])] = &[
    (
        Id::OrderNumber,
        &["bill number", "invoice number", "voucher number", "reference", "ref number", "job number", "sale number"],
    ),
    (
        Id::OrderCreatedAt,
        &["booking date", "bill date", "invoice date", "order day", "order on", "placed on", "created on"],
    ),
    (Id::ReceiverFirstName, &["contact person", "name customer", "deliver", "ship customer", "ship name", "whom"]),
    (Id::ReceiverPhone, &["phone number customer", "calling number", "whats app", "whats app number"]),
    (Id::ReceiverEmail, &["email customer"]),
    (Id::DestinationLine1, &["house street", "address customer", "postal address", "location address"]),
    (Id::DestinationCity, &["place", "district", "city name", "dist"]),
    (Id::DestinationState, &["state name"]),
    (Id::DestinationPinCode, &["area pincode", "pincode number", "pincode code", "postal pincode"]),
    (Id::ProductName, &["particulars", "contents", "product description", "product details", "name product"]),
    (Id::Price, &["price piece", "unit cost", "amount piece", "sale price", "price unit"]),
    (Id::Quantity, &["number pieces", "number quantity", "total quantity", "order quantity"]),
    (Id::Weight, &["gross weight", "net weight", "weight parcel", "actual weight", "gms", "kgs", "gm", "kg", "grams"]),
    (Id::OrderType, &["cod prepaid", "payment mode", "payment", "zahlungsart", "cod", "mode"]),
    (Id::WarehouseId, &["pickup point", "ship from", "dispatch from", "warehouse code", "warehouse name"]),
];

/// From here on a name is taken, where the values do not speak against it.
pub const TAKEN: u8 = 80;

/// From here on a name is worth a question.
pub const ASKED: u8 = 50;

/// A name of a field, word by word.
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
    means: String,
}

static NAMES: LazyLock<Vec<Name>> = LazyLock::new(|| {
    let of_fields = FIELDS.iter().flat_map(|field| {
        [field.header].into_iter().chain(field.aliases.iter().copied()).map(move |name| (field, name, false))
    });
    let spoken = SPOKEN.iter().flat_map(|(id, names)| names.iter().map(|name| (id.field(), *name, true)));
    let names = of_fields.chain(spoken).map(|(field, name, spoken)| Name {
        field,
        words: words(name),
        whole: normalised(name),
        spoken,
    });
    // `Nos` alone are pieces, and `No` is anything but that: only as a whole.
    names.filter(|name| name.words.iter().any(|word| word.means != "number")).collect()
});

/// The fields that a header may mean, each with how likely that is, in percent below 100; from [`ASKED`] on.
pub(super) fn likely(header: &str) -> Vec<(&'static Field, u8)> {
    compared(header, None)
}

/// How likely a header means a field, in percent below 100; 0 below [`ASKED`].
#[must_use]
pub fn likeness(field: &'static Field, header: &str) -> u8 {
    compared(header, Some(field.id)).first().map_or(0, |(_, likeness)| *likeness)
}

/// Whether a field is the receiver's and a header speaks of those who send, bill or take back.
#[must_use]
pub fn is_of_others(field: &Field, header: &str) -> bool {
    field.is_receivers() && speaks_of_others(&words(header))
}

fn speaks_of_others(words: &[Word]) -> bool {
    words.iter().any(|word| OTHERS.contains(&word.typed.as_str()))
}

fn compared(header: &str, wanted: Option<Id>) -> Vec<(&'static Field, u8)> {
    /// A header for people has no more.
    const BYTES_MAX: usize = 80;
    let header = header.trim();
    if header.len() > BYTES_MAX {
        return Vec::new();
    }
    let (split, whole) = (words(header), normalised(header));
    let mut best = vec![0.0_f64; FIELDS.len()];
    let of_others = speaks_of_others(&split);
    let in_percent = says_percent(header);
    let is_other = |field: &Field| {
        (of_others && field.is_receivers()) || (in_percent && matches!(field.id, Id::Discount | Id::LineDiscount))
    };
    let fits = |name: &&Name| wanted.is_none_or(|id| id == name.field.id) && !is_other(name.field);
    for name in NAMES.iter().filter(fits) {
        let likeness = &mut best[name.field.id as usize];
        *likeness = likeness.max(by_words(&split, name));
        if split.len() == 1 {
            *likeness = likeness.max(by_spelling(&whole, name));
        }
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0 and 99")]
    let percent = best.into_iter().map(|likeness| (likeness * 100.0).clamp(0.0, 99.0) as u8);
    FIELDS.iter().zip(percent).filter(|(_, percent)| *percent >= ASKED).collect()
}

/// A header takes each word of a name; words that are left over on either side make it doubtful.
fn by_words(header: &[Word], name: &Name) -> f64 {
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
    left.retain(|typed| !name.words.iter().any(|word| word.means == typed.means));
    likeness * 0.75_f64.powi(i32::try_from(left.len()).unwrap_or(8))
}

/// How alike two words are: the same, in meaning, short for the other, or a slip apart.
fn alike(typed: &Word, name: &Word) -> f64 {
    if typed.typed == name.typed {
        1.0
    } else if typed.means == name.means {
        0.96
    } else if name.typed.len() >= 5 && typed.typed.len() >= 3 && name.typed.starts_with(&typed.typed) {
        0.92
    } else if is_slip(&typed.typed, &name.typed) {
        0.93
    } else {
        0.0
    }
}

/// A name that is written in one with a slip or two. Of several words one may be another: `Product Cost` is no
/// `Product Code`.
fn by_spelling(whole: &str, name: &Name) -> f64 {
    if name.spoken || name.whole.len() < 6 || !is_slip(whole, &name.whole) { 0.0 } else { 0.92 }
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

/// The words of a header in their meanings, without those that say nothing.
fn words(header: &str) -> Vec<Word> {
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
    // `E-mail` and `PIN Code` are one.
    let joined = |first: &str, second: &str| {
        matches!(
            (first, second),
            ("e", "mail") | ("pin" | "zip" | "post" | "postal", "code") | ("email" | "mail", "id")
        )
    };
    let mut whole: Vec<String> = Vec::new();
    for word in words {
        match whole.last_mut().filter(|last| joined(last, &word)) {
            Some(last) => last.push_str(&word),
            None => whole.push(word),
        }
    }
    whole.retain(|word| !FILLERS.contains(&word.as_str()));
    whole.into_iter().map(|typed| Word { means: meaning(&typed).to_owned(), typed }).collect()
}

fn meaning(word: &str) -> &str {
    MEANINGS.iter().find(|(_, others)| others.contains(&word)).map_or(word, |(meaning, _)| meaning)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn likeliest(header: &str) -> Option<(Id, bool)> {
        let best = likely(header).into_iter().rev().max_by_key(|(_, likeness)| *likeness);
        best.map(|(field, likeness)| (field.id, likeness >= TAKEN))
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
            let likely = likely(header);
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
