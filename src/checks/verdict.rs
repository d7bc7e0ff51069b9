//! What one cell says of whether its order goes.

use crate::field::{Ready, Says, among, day_at_end, has_word, normalised, says, words};

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
        Says::Unclear if is_harmless(text) => Verdict::Silent,
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
    let consents = !is_refusal(text)
        && match of {
            _ if means == Says::Ready => true,
            Ready::Stock => is_in_stock(text),
            Ready::Confirmed if day.has_come() => {
                is_day(text) || day_at_end(text).is_some_and(|(before, _)| is_consent(before))
            }
            Ready::Confirmed | Ready::Go => is_consent(text),
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
        Says::Ready if is_assent(text) || (plain && is_accepted(text)) => Verdict::Sent,
        Says::Ready | Says::No => Verdict::Goes,
        Says::Yes | Says::Done if plain => Verdict::Over,
        Says::Unclear if plain && day.has_come() && is_day(text) => Verdict::Over,
        // By what way it goes, or who sends it, is not whether it is sent.
        Says::Unclear if !plain && is_way(text) => Verdict::Silent,
        _ => Verdict::Sent,
    }
}

/// A cell of the numbers that shipments have.
pub(crate) fn numbered(means: Says, text: &str) -> Verdict {
    /// What the numbers of the built-in sandbox begin with, which books nothing.
    const TRIED: &str = "SBX";
    if means == Says::Unclear && (is_awaited(text) || text.starts_with(TRIED)) {
        return Verdict::Goes;
    }
    sent(false, means, if is_assent(text) { text } else { "" }, When::Never)
}

/// Whether a cell is a day and nothing else.
fn is_day(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit()) || day_at_end(text).is_some_and(|(before, _)| before.is_empty())
}

/// Whether all words of a cell are in a list, and there are some.
fn all_words(text: &str, list: &str) -> bool {
    let mut words = words(text).peekable();
    words.peek().is_some() && !text.contains('?') && words.all(|word| among(list, &word))
}

/// Whether words say that somebody has said yes: `on call`, `yes, by WhatsApp`.
fn is_consent(text: &str) -> bool {
    const WORDS: &str = "yes y yep yeah haan ha ji sure ok okay done confirmed confirm conf cnf cnfm verified approved agree agreed today now please pls asap urgent on by over \
        via call phone whatsapp wa sms ivr email mail auto customer cust client self manual manually order prepaid paid pressed \
        press 1 it the is has repeat regular";
    const ALONE: [&str; 12] =
        ["call", "phone", "customer", "cust", "client", "order", "press", "manual", "callnow", "calltoday", "by", "on"];
    all_words(text, WORDS) && !ALONE.contains(&normalised(text).as_str())
}

/// Whether a cell says yes in words that are no more.
fn is_assent(text: &str) -> bool {
    all_words(text, "ok okay done good fine verified yes y ho gaya")
}

/// The same, where another column of states would mean that the order is to go.
fn is_accepted(text: &str) -> bool {
    const WORDS: &str = "ok okay done good fine verified yes y ho gaya confirmed confirm conf approved accepted success \
        successful paid printed today all complete completed";
    all_words(text, WORDS)
}

/// Whether a cell of a stock says that there is some: pieces, or where they lie.
fn is_in_stock(text: &str) -> bool {
    const BESIDE: &str =
        "pcs pc nos no units unit left available avail in stock only pieces piece qty hand more approx";
    const PLACES: &str = "rack shelf bin bay row godown warehouse shop store";
    const SOME: &str =
        "available avail in hand enough plenty low limited few left full good sufficient stock yes ready";
    let words: Vec<String> = words(text).collect();
    let figure = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
    let Some((first, rest)) = words.split_first().filter(|_| !text.contains('?')) else { return false };
    let counted =
        !text.starts_with('-') && figure(first) && rest.iter().all(|word| among(BESIDE, word) || figure(word));
    let some = first.bytes().any(|byte| (b'1'..=b'9').contains(&byte));
    let lies = among(PLACES, first) && rest.len() <= 2 && rest.iter().all(|word| word.len() <= 4);
    let named = among(SOME, first) && words.iter().all(|word| among(SOME, word) || (figure(word) && word != "0"));
    (counted && some && !text.contains(['/', ':'])) || lies || named
}

/// Whether a cell says by what way an order goes, or who took or sends it.
fn is_way(text: &str) -> bool {
    const WORDS: &str = "surface air road normal standard express regular economy priority self seller merchant manual vendor us own \
        online offline phone call whatsapp instagram insta facebook website web app email store shop walkin walk in counter by on \
        via";
    all_words(text, WORDS)
}

/// Whether a word says that a number is still to come.
fn is_awaited(text: &str) -> bool {
    const WORDS: [&str; 6] = ["awaited", "awaiting", "waiting", "not assigned", "unassigned", "later"];
    WORDS.iter().any(|word| word.eq_ignore_ascii_case(text.trim()))
}

/// Whether a word about a task in the house says that it is done.
pub(super) fn is_task_done(text: &str) -> bool {
    const WORDS: [&str; 12] = [
        "picked",
        "answered",
        "connected",
        "spoke",
        "talked",
        "reached",
        "received",
        "generated",
        "sent",
        "made",
        "passed",
        "finished",
    ];
    WORDS.iter().any(|word| word.eq_ignore_ascii_case(text.trim()))
}

/// Whether a word about a column that stops orders says that it does not.
fn is_harmless(text: &str) -> bool {
    const WORDS: [&str; 8] = ["low", "safe", "clear", "cleared", "released", "not applicable", "no risk", "ok"];
    WORDS.iter().any(|word| word.eq_ignore_ascii_case(text.trim()))
}

/// Whether a word in a column that says that orders go says that this one does not.
fn is_refusal(text: &str) -> bool {
    const WORDS: &str = "no not non nt un out pending awaiting waiting wait hold cancel cancelled canceled reject rejected fail \
        failed decline declined refuse refused dnp rnr unreachable unconfirmed unverified busy switched later never dont nil zero \
        unavailable inactive oos soldout sold stop don";
    has_word(text, WORDS)
}

/// Whether a cell says plainly that its order goes: where some do, a blank one says that it does not, or not yet.
#[must_use]
pub fn consents(text: &str) -> bool {
    matches!(says(text), Says::Yes) || (is_consent(text) && !is_refusal(text))
}
