//! Words of columns that say how far an order is: whether it goes, is over, or nobody can tell.

use serde::Deserialize;

use super::day::day_at_end;
use super::payment::{Payment, payment_word};
use super::role::of_name;
use crate::words::{Topic, Vocabulary};

/// What a cell says of whether its order goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Nothing: `-`, `NA`.
    Nothing,
    /// No: what the column is called is not so.
    No,
    /// Yes, and no more.
    Yes,
    /// That it is to go, or that something is still to be done: `Ready to ship`, `AWB pending`.
    Ready,
    /// That something is done, whatever that is: `Done`, `Completed`.
    Done,
    /// That a courier has it, or will fetch it: `Booked`, `Pickup scheduled`, `Label printed`.
    Booked,
    /// That it is sent, all of it, and no more: `Shipped via Delhivery`, `Delivered on 20/11`, `RTO`, `Refunded`.
    Sent,
    /// That it is cancelled, all of it, and no more.
    Cancelled,
    /// Anything else, or that it is not to go.
    Unclear,
}

impl Status {
    /// The one that rules by words call so.
    #[must_use]
    pub fn of_name(name: &str) -> Option<Self> {
        of_name(name)
    }
}

/// A text with more is no word of a status.
const BYTES_MAX: usize = 60;

/// Signs that cross something out, and signs that tick it off.
const CROSSES: [char; 4] = ['❌', '✗', '✘', '☒'];

const TICKS: [char; 6] = ['✓', '✔', '✅', '☑', '👍', '👌'];

/// What a cell of a column of states says.
#[must_use]
pub fn says(text: &str) -> Status {
    if !text.contains(char::is_alphanumeric) {
        return symbols(text);
    }
    let words = Vocabulary::built_in().text(text);
    let said = |sense: &str| words.says(Topic::States, sense);
    let is_minus = text.starts_with('-') && !text.contains(char::is_alphabetic);
    let plain = match () {
        () if text.chars().all(|c| c == '0' || !c.is_alphanumeric()) => Some(Status::No),
        () if is_minus => None,
        () if said("nothing") => Some(Status::Nothing),
        () if said("no") => Some(Status::No),
        () if said("yes") => Some(Status::Yes),
        () => None,
    };
    // `❌ shipped` is not shipped, and figures alone are a day, or nothing that anybody can tell.
    let is_unclear = text.contains('?') || text.contains(CROSSES);
    match plain {
        _ if is_unclear || text.len() > BYTES_MAX => Status::Unclear,
        Some(plain) => plain,
        None if !text.contains(char::is_alphabetic) => Status::Unclear,
        None => state(text),
    }
}

/// Whether a cell of a column of states is written in a sense: one of [`Status`], or else one that words of states have.
#[must_use]
pub fn is_said(text: &str, sense: &str) -> bool {
    Status::of_name(sense).map_or_else(|| Topic::States.says(text, sense), |known| says(text) == known)
}

/// How far an order is by the words of a cell. The day may be one that is still to come, which the reader sees.
fn state(text: &str) -> Status {
    const SENSES: [(&str, Status); 4] = [
        ("cancelled", Status::Cancelled),
        ("sent", Status::Sent),
        ("at-packing", Status::Ready),
        ("booked", Status::Booked),
    ];
    let text = day_at_end(text).map_or(text, |(before, _)| before);
    let words = Vocabulary::built_in().text(text);
    let said = |sense: &str| words.says(Topic::States, sense);
    if let Some((_, says)) = SENSES.iter().find(|(sense, _)| said(sense)) {
        return *says;
    }
    let is_paid = || matches!(payment_word(text), Some(Payment::Prepaid | Payment::Cod));
    match () {
        () if said("done") => Status::Done,
        // A word that is only like one of these may be any other: `Parked` is not packed.
        () if (said("to-go") || is_paid()) && !words.has_slips() => Status::Ready,
        () => Status::Unclear,
    }
}

/// What signs say that are neither letters nor figures: `-` is blank, and what nobody can tell is not.
fn symbols(text: &str) -> Status {
    // Quotes stand for what is written above.
    const BLANK: &str = "-_./\\,:;`~()[]|–—−‐‑―·…=";
    if text == "'" {
        return Status::Nothing;
    }
    match (text.contains(TICKS), text.contains(CROSSES)) {
        (true, false) if !text.contains('?') => Status::Yes,
        (false, true) if !text.contains('?') => Status::No,
        (false, false) if text.chars().all(|c| BLANK.contains(c) || c.is_whitespace()) => Status::Nothing,
        _ => Status::Unclear,
    }
}
