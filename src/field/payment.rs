//! Words of payment: what cells say of how an order is paid.

use crate::text::Decimal;

use super::normalised::words;
use super::units::money_sign;
use crate::words::{Text, Topic, Vocabulary};

/// What a word says of an order's payment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Payment {
    /// The courier collects it at the door.
    Cod,
    /// It is paid: `Prepaid`, `Paid online`.
    Prepaid,
    /// By means that take the money at once, and nothing says that they have: `UPI`, `Card`.
    Means,
}

/// What a cell says of the payment, in words that nobody mistakes; nothing where it says anything else beside.
#[must_use]
pub fn payment_word(text: &str) -> Option<Payment> {
    /// A longer text is a note.
    const BYTES_MAX: usize = 64;
    if text.len() > BYTES_MAX {
        return None;
    }
    // All of it, in percent: any other figure is that of a part.
    let whole = if text.contains('%') { &text.replace("100%", " ").replace("100 %", " ") } else { text };
    let words = Vocabulary::built_in().text(whole);
    let said = |sense: &str| words.says(Topic::Payment, sense);
    match () {
        () if said("type-cod") => Some(Payment::Cod),
        () if said("names-cod") => said("cod").then_some(Payment::Cod),
        () if said("type-prepaid") || said("prepaid") => Some(Payment::Prepaid),
        () => said("means").then_some(Payment::Means),
    }
}

/// What a cell says of the payment beside one figure, and the figure: `COD 998`, `Paid 100 UPI`.
#[must_use]
pub fn payment_and_figure(text: &str) -> Option<(Payment, Decimal)> {
    let (figure, rest) = figure_in(text)?;
    payment_word(&rest).map(|payment| (payment, figure))
}

/// The one figure of a short text that may be money, and what is left of the text: no date, no number of pieces, no
/// reference.
fn figure_in(text: &str) -> Option<(Decimal, String)> {
    /// A longer text speaks of many things.
    const BYTES_MAX: usize = 80;
    /// More digits are a reference.
    const DIGITS_MAX: usize = 6;
    if text.len() > BYTES_MAX {
        return None;
    }
    let start = text.find(|c: char| c.is_ascii_digit())?;
    let length = text[start..].find(|c: char| !c.is_ascii_digit() && !matches!(c, ',' | '.'));
    let end = start + length.unwrap_or(text.len() - start);
    let run = text[start..end].trim_end_matches([',', '.']);
    let behind = text[start + run.len()..].trim_start_matches("/-").trim_start_matches("/=");
    let before = &text[..start];
    let letters = |c: char| c.is_alphanumeric();
    let sign = before.rsplit(|c: char| !letters(c) && c != '₹').next().unwrap_or_default();
    let is_joined = behind.starts_with(letters) || (!sign.is_empty() && !is_money_word(sign));
    let digits = run.replace(',', "");
    // `02.11` is a day.
    let is_day = digits.starts_with('0') && digits.as_bytes().get(1).is_some_and(u8::is_ascii_digit);
    let whole = digits.split('.').next().unwrap_or_default().len();
    let other = behind.contains(|c: char| c.is_ascii_digit()) || behind.trim_start().starts_with('%');
    if is_joined && !before.to_lowercase().ends_with("cod")
        || other
        || is_day
        || whole > DIGITS_MAX
        || before.ends_with('#')
    {
        return None;
    }
    let next = words(behind).find(|word| !is_money_word(word));
    let last = words(before).last();
    let of_others = [next, last].into_iter().flatten().any(|word| Topic::Payment.lists("counted", &word));
    let rest: Vec<String> = words(before).chain(words(behind)).filter(|word| !is_money_word(word)).collect();
    let figure = digits.parse::<Decimal>().ok().filter(|_| !of_others)?;
    Some((figure, rest.join(" ")))
}

fn is_money_word(word: &str) -> bool {
    money_sign(word).is_some() || Topic::Payment.lists("rupees", word)
}

/// What a note, or a cell of how far a payment is, says of what is still to be paid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Owed {
    /// It is paid.
    Nothing,
    /// A part of it is paid.
    Part,
    /// This is paid already.
    Less(Decimal),
    /// This is to be collected.
    This(Decimal),
    /// Nothing is to be collected: a replacement, an exchange.
    NotCollected,
}

/// What a short text says of what is still to be paid, in words that nobody mistakes.
#[must_use]
pub fn owed(text: &str) -> Option<Owed> {
    /// More words speak of many things.
    const WORDS_MAX: usize = 9;
    let words = Vocabulary::built_in().text(text);
    let said = |sense: &str| words.says(Topic::Payment, sense);
    if words.is_asking() || !(1..=WORDS_MAX).contains(&words.len()) || !may_speak_of_payment(&words) {
        return None;
    }
    if said("not-collected") {
        return Some(Owed::NotCollected);
    }
    if said("denied") {
        return None;
    }
    // In `500 received, balance COD` the words beside the figure say what it is.
    let beside = sentence_of_figure(text).map(|own| Vocabulary::built_in().text(own));
    let beside = beside.filter(may_speak_of_payment).filter(|own| !own.says(Topic::Payment, "denied"));
    let words = beside.as_ref().unwrap_or(&words);
    let has = |class: &str| words.has(Topic::Payment, class);
    let said = |sense: &str| words.says(Topic::Payment, sense);
    match figure_in(text).map(|(figure, _)| figure) {
        Some(figure) if has("a_part") || (has("was_paid") && !said("names-collecting")) => Some(Owed::Less(figure)),
        Some(figure) if has("to_collect") => Some(Owed::This(figure)),
        Some(_) => None,
        None if has("a_part") && has("was_paid") && !said("names-door") => Some(Owed::Part),
        None => {
            // `UPI received`, `amount received`.
            let word = payment_word(text);
            let received = has("received");
            let is_means = word == Some(Payment::Means) && received;
            let is_sum = received && words.len() == 2 && has("sum");
            (word == Some(Payment::Prepaid) || is_means || is_sum).then_some(Owed::Nothing)
        }
    }
}

/// The part of a text between commas, points and the like that has its first figure, where there are several parts.
fn sentence_of_figure(text: &str) -> Option<&str> {
    let start = text.find(|c: char| c.is_ascii_digit())?;
    let ends = |own: &str| own.match_indices([',', ';', '.']).map(|(at, _)| at).collect::<Vec<usize>>();
    // `Adv.` and `recd.` end with a point of their own.
    let is_short = |at: usize| {
        let word = text[..at].rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
        (1..=4).contains(&word.len()) && !word.eq_ignore_ascii_case("cod")
    };
    let is_end = |at: &usize| text[at + 1..].starts_with(' ') && !(text[*at..].starts_with('.') && is_short(*at));
    let first = ends(&text[..start]).into_iter().rfind(is_end).map_or(0, |at| at + 1);
    let last = ends(&text[start..]).into_iter().map(|at| start + at).find(is_end).unwrap_or(text.len());
    (first > 0 || last < text.len()).then(|| text[first..last].trim())
}

/// How far a payment is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HowFar {
    /// It failed, or was given back.
    Failed,
    /// A part is paid.
    Part,
    /// Nothing is paid yet.
    Open,
    /// All is paid.
    Paid,
    /// All is well with it, as may be said of cash on delivery too.
    Well,
}

/// How far a cell says that a payment is, in words for just that.
#[must_use]
pub fn how_far(text: &str) -> Option<HowFar> {
    const SENSES: [(&str, HowFar); 5] = [
        ("failed", HowFar::Failed),
        ("part", HowFar::Part),
        ("open", HowFar::Open),
        ("paid", HowFar::Paid),
        ("well", HowFar::Well),
    ];
    let words = Vocabulary::built_in().text(text);
    SENSES.iter().find(|(sense, _)| words.says(Topic::Payment, sense)).map(|(_, state)| *state)
}

/// Whether a text may say something of the payment.
#[must_use]
pub fn may_speak_of_payment(text: &Text<'_>) -> bool {
    text.may_say(Topic::Payment, &["a_part", "was_paid", "to_collect", "received"])
}

/// Whether a note speaks of cash on delivery, or of what is still to be paid: `collect cod 998`.
#[must_use]
pub fn speaks_of_cash(text: &str) -> bool {
    let is_due = || matches!(owed(text), Some(Owed::Part | Owed::Less(_) | Owed::This(_) | Owed::NotCollected));
    words(text).any(|word| word == "cod") || payment_word(text) == Some(Payment::Cod) || is_due()
}

/// Whether a cell says no more than one of the two types of payment: `COD`, `Cash on Delivery`, `Prepaid`, `PP`.
#[must_use]
pub fn payment_type(text: &str) -> Option<Payment> {
    /// The longest of these, with its punctuation.
    const BYTES_MAX: usize = 32;
    if text.len() > BYTES_MAX {
        return None;
    }
    let words = Vocabulary::built_in().text(text);
    let said = |sense: &str| words.says(Topic::Payment, sense);
    match () {
        () if said("type-cod") => Some(Payment::Cod),
        () => said("type-prepaid").then_some(Payment::Prepaid),
    }
}
