//! What was said of each order last, by the rules of the design and not by the program's code: which orders go, and with what.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::plan::{Says, Taking};
use super::sheets::{Content, Entry};

/// The word of the newest source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Word {
    Goes,
    Cancelled,
    LeftOut,
    /// Its sheet holds it.
    Held,
    Invalid,
}

/// Where an order stands at the service, as the ledger has it: that is another part of the audit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Standing {
    /// It could be sent, or sent again.
    Open,
    /// It is in doubt: what is said of it comes too late, unless it proves unsent.
    InDoubt,
    /// It is booked, or a person gave it up.
    Over,
}

/// What the program may take in two ways, neither of them wrong.
#[derive(Debug, Clone, Copy)]
enum Either {
    /// It goes with this, or asks.
    Goes(Content),
    /// It does not go any more, or is as it was.
    Stops(Word),
}

#[derive(Debug, Clone)]
struct Order {
    content: Content,
    /// No source has let it go yet: it has no content of its own.
    is_bare: bool,
    /// Every other content that it went with once.
    had: Vec<Content>,
    /// Every content that a person was asked about.
    asked: Vec<Content>,
    word: Word,
    /// The sheet that gave that word.
    by: usize,
    /// When something was changed of it last.
    said_at: u64,
    /// The content about which a person is asked.
    asks: Option<Content>,
    is_abandoned: bool,
    either: Option<Either>,
    /// Content that came while it was in doubt, and takes its place once it proves unsent.
    correction: Option<Content>,
}

impl Order {
    fn goes(&self) -> bool {
        self.word == Word::Goes && self.asks.is_none() && !self.is_abandoned
    }

    fn take(&mut self, content: Content) {
        let before = std::mem::replace(&mut self.content, content);
        if !std::mem::take(&mut self.is_bare) {
            self.had.push(before);
        }
        (self.word, self.asks) = (Word::Goes, None);
    }

    fn ask(&mut self, content: Content) {
        self.asked.push(content);
        self.asks = Some(content);
    }

    /// Whether a person is asked about this beside what the order has: two receivers, or fewer products.
    const fn is_doubtful(&self, content: Content) -> bool {
        !self.is_bare && (self.content.shop != content.shop || content.is_short && !self.content.is_short)
    }
}

/// A source that is taken in.
#[derive(Clone, Copy)]
struct Source {
    n: usize,
    /// When the very same bytes were taken in first.
    came: Option<u64>,
    is_refused: bool,
}

/// What was said of all orders. It goes back with the ledger where a person accepts a backup.
#[derive(Debug, Clone, Default)]
pub(super) struct Model {
    orders: BTreeMap<usize, Order>,
    /// When each sheet was taken in first, and those that were refused as a whole.
    came: HashMap<usize, u64>,
    refused: HashSet<usize>,
    /// Remarks that a person accepted, by order and sheet.
    accepted: HashSet<(usize, usize)>,
    /// Contents about which a person said once that they go.
    answered: Vec<(usize, Content, u64)>,
    now: u64,
    pub(super) counts: Counts,
}

/// What was said, counted.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Counts {
    /// Sources, and answers of persons.
    pub(super) sources: usize,
    /// Orders of which something else is said since.
    changes: usize,
    pub(super) cancelled: usize,
    pub(super) held: usize,
    pub(super) asked: usize,
    pub(super) old: usize,
    pub(super) released: usize,
}

impl Counts {
    pub(super) fn add(&mut self, more: &Self) {
        self.sources += more.sources;
        self.changes += more.changes;
        self.cancelled += more.cancelled;
        self.held += more.held;
        self.asked += more.asked;
        self.old += more.old;
        self.released += more.released;
    }
}

impl Model {
    /// A sheet was taken in.
    pub(super) fn take(&mut self, n: usize, entries: &[Entry], taking: Taking, standing: &dyn Fn(usize) -> Standing) {
        if taking == Taking::LookedAt {
            return;
        }
        self.now += 1;
        let source = Source { n, came: self.came.get(&n).copied(), is_refused: taking == Taking::Refused };
        let changes = self.counts.changes;
        for entry in entries {
            self.entry(source, *entry, standing(entry.order));
        }
        if source.is_refused {
            self.refused.insert(n);
            self.counts.sources += usize::from(self.counts.changes > changes);
        } else {
            self.came.entry(n).or_insert(self.now);
            self.counts.sources += 1;
        }
    }

    fn entry(&mut self, source: Source, Entry { order, says, content }: Entry, standing: Standing) {
        let word = match says {
            Says::Cancelled => Word::Cancelled,
            Says::Delivered => Word::LeftOut,
            Says::NoPinCode => Word::Invalid,
            Says::DoNotShip if !self.accepted.contains(&(order, source.n)) => Word::Held,
            _ => Word::Goes,
        };
        let is_new = !self.orders.contains_key(&order);
        match word {
            // Of an order that no source has let go, a sheet that is refused as a whole leaves only a cancellation; a run keeps orders
            // to fix as well.
            _ if is_new && (word == Word::Cancelled || word != Word::LeftOut && !source.is_refused) => {
                let (by, said_at, is_bare) = (source.n, self.now, word != Word::Goes);
                let new = Order {
                    content,
                    is_bare,
                    had: Vec::new(),
                    asked: Vec::new(),
                    word,
                    by,
                    said_at,
                    asks: None,
                    is_abandoned: false,
                    either: None,
                    correction: None,
                };
                self.counts.changes += usize::from(is_bare);
                self.orders.insert(order, new);
            }
            _ if is_new || standing == Standing::Over => {}
            Word::Goes if standing == Standing::Open => self.comes(source, order, content),
            Word::Goes => self.comes_too_late(source, order, content),
            word => self.stops(source, order, word),
        }
    }

    /// A source says that an order does not go. A cancellation stands until a person or a source lets it go.
    fn stops(&mut self, source: Source, order: usize, word: Word) {
        let Some(own) = self.orders.get_mut(&order) else { return };
        if source.came.is_some() {
            return;
        }
        if self.refused.contains(&source.n) {
            own.either = Some(Either::Stops(word));
            return;
        }
        let word = if own.word == Word::Cancelled { own.word } else { word };
        if own.word != word || own.asks.is_some() {
            self.counts.changes += 1;
            self.counts.cancelled += usize::from(word == Word::Cancelled);
            self.counts.held += usize::from(word != Word::Cancelled);
        }
        (own.word, own.asks, own.by, own.said_at) = (word, None, source.n, self.now);
        own.correction = None;
    }

    /// A source has an order as one that goes.
    fn comes(&mut self, source: Source, order: usize, content: Content) {
        let Some(own) = self.orders.get_mut(&order) else { return };
        let went_so = (content == own.content && !own.is_bare) || own.had.contains(&content);
        // Something newer than these very bytes said otherwise of it.
        let is_old = source.came.is_some_and(|came| came < own.said_at);
        if own.goes() {
            // Somebody else's order is never an older form of this one.
            if is_old || went_so && own.content.shop == content.shop {
                self.counts.old += usize::from(content != own.content);
                return;
            }
            if own.is_doubtful(content) {
                (self.counts.asked, self.counts.changes) = (self.counts.asked + 1, self.counts.changes + 1);
                own.ask(content);
            } else if source.is_refused {
                return;
            } else {
                own.take(content);
            }
            (own.by, own.said_at) = (source.n, self.now);
            return;
        }
        let is_other = !own.is_bare && own.content.shop != content.shop;
        let is_own = own.word == Word::Held && own.by == source.n && own.asks.is_none();
        let is_answered =
            self.answered.iter().any(|answer| (answer.0, answer.1) == (order, content) && answer.2 > own.said_at);
        // A hold of a sheet ends with the next revision, and what came with it may be what an older sheet had.
        let ends_hold =
            own.word != Word::Cancelled && own.asks.is_none() && content == own.content && !own.is_bare && !is_old;
        if is_own || is_answered || ends_hold {
            own.either = Some(Either::Goes(content));
        } else if (own.is_bare && source.is_refused) || (source.came.is_some() && (own.asks.is_some() || is_other)) {
            // The same sheet once more displaces no question, nor says it anything new of another receiver's order.
            self.counts.old += 1;
        } else if own.word == Word::Cancelled
            || went_so
            || own.asked.contains(&content)
            || is_old
            || own.is_doubtful(content)
        {
            self.counts.old += 1;
            self.counts.asked += 1;
            own.ask(content);
            (own.by, own.said_at) = (source.n, self.now);
        } else if !source.is_refused {
            own.take(content);
            (own.by, own.said_at) = (source.n, self.now);
        }
    }

    /// A source has an order that is in doubt: what it corrects there holds once the order proves unsent. What a person would be asked
    /// about changes nothing before that, and so does whatever comes after a cancellation.
    fn comes_too_late(&mut self, source: Source, order: usize, content: Content) {
        let Some(own) = self.orders.get_mut(&order) else { return };
        let went_so = content == own.content || own.had.contains(&content);
        let is_asked_about = own.word == Word::Cancelled || own.is_doubtful(content);
        if source.is_refused || source.came.is_some() || went_so || is_asked_about {
            return;
        }
        own.had.push(content);
        (own.word, own.asks, own.correction) = (Word::Goes, None, Some(content));
        (own.by, own.said_at) = (source.n, self.now);
    }

    /// Takes what the ledger has where both are right: whether the order goes there.
    pub(super) fn settle(&mut self, goes: &dyn Fn(usize) -> bool) {
        for (order, own) in &mut self.orders {
            match (own.either.take(), goes(*order)) {
                (None, _) | (Some(Either::Stops(_)), true) => continue,
                (Some(Either::Goes(content)), true) if content == own.content => {
                    (own.word, own.asks) = (Word::Goes, None);
                }
                (Some(Either::Goes(content)), true) => own.take(content),
                (Some(Either::Goes(content)), false) => own.ask(content),
                (Some(Either::Stops(word)), false) => {
                    let word = if own.word == Word::Cancelled { own.word } else { word };
                    (own.word, own.asks) = (word, None);
                }
            }
            own.said_at = self.now;
        }
    }

    /// A person accepts what a rule held of an order in a sheet; `is_remark` of the sheet's own remark.
    pub(super) fn accept(&mut self, order: usize, (n, content): (usize, Content), is_remark: bool) {
        self.now += 1;
        self.counts.sources += 1;
        if is_remark {
            self.accepted.insert((order, n));
        } else {
            self.answered.push((order, content, self.now));
        }
    }

    /// The ledger let an order go, by a person's word that this content goes; whether that is what was asked about.
    pub(super) fn answer(&mut self, order: usize, content: Content) -> bool {
        let Some(own) = self.orders.get_mut(&order) else { return false };
        let is_asked = own.asks == Some(content);
        own.take(content);
        own.said_at = self.now;
        self.counts.released += 1;
        is_asked
    }

    /// A person lets an order go as it is.
    pub(super) fn release(&mut self, order: usize, goes: bool) {
        self.now += 1;
        self.counts.sources += 1;
        self.counts.released += 1;
        let Some(own) = self.orders.get_mut(&order) else { return };
        own.is_abandoned = false;
        if goes {
            (own.word, own.asks) = (Word::Goes, None);
        }
        own.said_at = self.now;
    }

    /// A person decided on an order in doubt, or gave an order up.
    pub(super) fn decided(&mut self, order: usize, is_abandoned: bool) {
        self.now += 1;
        self.counts.sources += 1;
        if let Some(own) = self.orders.get_mut(&order) {
            own.is_abandoned = is_abandoned;
            if let Some(content) = own.correction.take().filter(|_| !is_abandoned) {
                own.take(content);
            }
        }
    }

    /// The orders that may be sent now, each with what it has.
    pub(super) fn going(&self) -> HashMap<usize, Content> {
        self.orders.iter().filter(|(_, own)| own.goes()).map(|(order, own)| (*order, own.content)).collect()
    }

    /// All orders that the ledger must have.
    pub(super) fn orders(&self) -> impl Iterator<Item = usize> {
        self.orders.keys().copied()
    }

    /// What is wrong with how an order is shown.
    pub(super) fn disagrees(&self, order: usize, state: &str) -> Option<String> {
        let own = &self.orders[&order];
        let is_right = match state {
            // What left is judged by what left.
            "booked" | "in_doubt" => true,
            "abandoned" => own.is_abandoned,
            "invalid" => own.is_bare && own.asks.is_none() && matches!(own.word, Word::Held | Word::Invalid),
            "held" => own.asks.is_some() || (!own.is_bare && matches!(own.word, Word::Held | Word::Invalid)),
            "left_out" => own.asks.is_none() && matches!(own.word, Word::Cancelled | Word::LeftOut),
            "staged" | "waiting" | "rejected" | "refused" => own.goes(),
            _ => false,
        };
        (!is_right).then(|| format!("A-{order} is shown as {state}, and should not: {own:?}"))
    }
}
