//! What one cell says of whether its order goes.

use crate::field::{Ready, Says, day_at_end, says};
use crate::words::{Topic, Vocabulary};

/// What one cell says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// Nothing.
    Silent,
    /// That the order goes.
    Goes,
    /// That it may be sent already.
    Sent,
    /// That it is sent.
    Over,
    /// That it is cancelled.
    Cancelled,
    /// What nobody can tell, or that it does not go.
    Asked,
}

/// When a day is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum When {
    /// No day is named.
    Never,
    /// Before yesterday.
    Past,
    /// Yesterday or today.
    Now,
    /// Still to come.
    Ahead,
}

impl When {
    const fn has_come(self) -> bool {
        matches!(self, Self::Past | Self::Now)
    }
}

/// A cell that says whether an order is not to go.
pub(crate) fn stopped(over: bool, means: Says, text: &str, day: When) -> Verdict {
    match means {
        // A cross may cross out the order, or deny it.
        Says::No if !text.contains(char::is_alphanumeric) => Verdict::Asked,
        Says::No => Verdict::Silent,
        Says::Unclear if has_sense(text, "harmless") => Verdict::Silent,
        Says::Cancelled => Verdict::Cancelled,
        Says::Yes | Says::Sent if over => Verdict::Cancelled,
        Says::Unclear if over && day.has_come() && is_day(text) => Verdict::Cancelled,
        Says::Sent => Verdict::Over,
        _ => Verdict::Asked,
    }
}

/// A cell that says whether an order is to go: what nobody can tell is asked.
pub(crate) fn ready(of: Ready, means: Says, text: &str, day: When) -> Verdict {
    // `Pending` is ready to be packed, and not confirmed.
    let consents = !has_sense(text, "refusal")
        && match of {
            _ if means == Says::Ready => true,
            Ready::Stock => is_in_stock(text),
            Ready::Confirmed if day.has_come() => {
                is_day(text) || day_at_end(text).is_some_and(|(before, _)| has_sense(before, "consent"))
            }
            Ready::Confirmed | Ready::Go => has_sense(text, "consent"),
        };
    match means {
        Says::Cancelled => Verdict::Cancelled,
        Says::Sent => Verdict::Over,
        Says::Booked => Verdict::Sent,
        Says::Yes | Says::Done | Says::Nothing => Verdict::Goes,
        Says::No | Says::Ready | Says::Unclear => {
            if consents && means != Says::No {
                Verdict::Goes
            } else {
                Verdict::Asked
            }
        }
    }
}

/// A cell that says whether an order is sent.
pub(crate) fn sent(plain: bool, means: Says, text: &str, day: When) -> Verdict {
    match means {
        Says::Cancelled => Verdict::Cancelled,
        Says::Sent => Verdict::Over,
        // `Dispatched: ok` is how it is said that it is.
        Says::Ready if has_sense(text, "assent") || (plain && has_sense(text, "accepted")) => Verdict::Sent,
        Says::Ready | Says::No => Verdict::Goes,
        Says::Yes | Says::Done if plain => Verdict::Over,
        Says::Unclear if plain && day.has_come() && is_day(text) => Verdict::Over,
        // By what way it goes, or who sends it, is not whether it is sent.
        Says::Unclear if !plain && has_sense(text, "way") => Verdict::Silent,
        _ => Verdict::Sent,
    }
}

/// A cell of the numbers that shipments have.
pub(crate) fn numbered(means: Says, text: &str) -> Verdict {
    /// What the numbers of the built-in sandbox begin with, which books nothing.
    const TRIED: &str = "SBX";
    if means == Says::Unclear && (has_sense(text, "awaited") || text.starts_with(TRIED)) {
        return Verdict::Goes;
    }
    sent(false, means, if has_sense(text, "assent") { text } else { "" }, When::Never)
}

/// Whether a cell is a day and nothing else.
fn is_day(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit()) || day_at_end(text).is_some_and(|(before, _)| before.is_empty())
}

/// Whether a cell says something of a sense that words of states have.
fn has_sense(text: &str, sense: &str) -> bool {
    Vocabulary::built_in().text(text).says(Topic::States, sense)
}

/// Whether a cell of a stock says that there is some: pieces, or where they lie.
fn is_in_stock(text: &str) -> bool {
    let text = text.trim();
    let words = Vocabulary::built_in().text(text);
    let said = |sense: &str| words.says(Topic::States, sense);
    let parts = || text.split(|c: char| !c.is_alphanumeric()).filter(|part| !part.is_empty());
    let some = parts().next().is_some_and(|first| first.bytes().any(|byte| (b'1'..=b'9').contains(&byte)));
    let counted = some && text.starts_with(|c: char| c.is_ascii_digit()) && !text.contains(['/', ':']);
    let is_short = parts().count() <= 3 && parts().skip(1).all(|part| part.len() <= 4);
    (counted && said("counted")) || (is_short && said("place")) || (said("some") && said("all-some"))
}

/// Whether a word about a task in the house says that it is done.
pub(super) fn is_task_done(text: &str) -> bool {
    has_sense(text, "task-done")
}

/// Whether a cell says plainly that its order goes: where some do, a blank one says that it does not, or not yet.
#[must_use]
pub fn consents(text: &str) -> bool {
    matches!(says(text), Says::Yes) || (has_sense(text, "consent") && !has_sense(text, "refusal"))
}
