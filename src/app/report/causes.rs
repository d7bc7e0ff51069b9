//! Why orders failed: by cause, each with the first places and what to do.

use std::borrow::Cow;
use std::collections::HashMap;

use schemars::JsonSchema;
use serde::Serialize;

use crate::field::Field;
use crate::finding::english::{self, Words};
use crate::finding::{Finding, Remedy, RuleId, Value, cause};
use crate::ledger::{OrderSeen, ProblemRecord, RunId, Said, State};
use crate::rule::Rule;

/// Causes that are told apart.
const CAUSES_MAX: usize = 40;
/// Places named of each.
const PLACES_MAX: usize = 5;

/// Orders that failed for one cause.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct FailedOrders {
    /// The state of the orders.
    #[schemars(extend("enum" = [State::Invalid, State::Rejected, State::Refused]))]
    pub state: &'static str,
    /// The rule that keeps invalid orders back; null of others, and where it is not known.
    pub rule: Option<String>,
    /// The fault; of a service's words, as it said them of the first.
    pub said: String,
    /// The way to settle it; may be empty.
    pub hint: String,
    /// The field that it is about, as its column is called, where `said` ends with it.
    #[serde(skip)]
    pub field: Option<&'static str>,
    /// How many orders, or rows without an order number.
    pub orders: u64,
    /// The first places.
    pub places: Vec<PlaceSeen>,
}

/// Where something failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PlaceSeen {
    /// The order number; null where a row has none.
    pub order: Option<String>,
    /// The cell, or the rows.
    pub place: String,
    /// The text that stood there; null where that is not known, and in a masked report.
    pub found: Option<String>,
}

/// Causes in the making.
pub(super) struct Causes {
    is_masked: bool,
    words: Words,
    index: HashMap<Key, usize>,
    found: Vec<(FailedOrders, Option<Behind>)>,
    otherwise: u64,
}

/// What a problem kept behind: its run, and its number there.
type Behind = (RunId, Option<i64>);

/// What makes two failures one cause: of the service's words, their fingerprint.
#[derive(PartialEq, Eq, Hash)]
enum Key {
    Answer(String),
    Finding(Option<Cow<'static, str>>, &'static str, (&'static str, Vec<Value>)),
    /// Masked, the cases of a rule read the same.
    Rule(Option<Cow<'static, str>>, RuleId),
    Words(String, String),
}

impl Causes {
    pub(super) fn new(is_masked: bool, words: &Words) -> Self {
        Self { is_masked, words: words.clone(), index: HashMap::new(), found: Vec::new(), otherwise: 0 }
    }

    /// An order that the service said no to.
    pub(super) fn answered(&mut self, order: &OrderSeen<'_>, said: String, fingerprint: String) {
        let state = if order.state == State::Rejected { "rejected" } else { "refused" };
        let place = PlaceSeen { order: Some(order.number.clone()), place: order.rows.clone(), found: None };
        let of = (Key::Answer(fingerprint), None);
        self.take(of, place, || FailedOrders { said, ..FailedOrders::of(state) });
    }

    /// A problem that kept an order, or a row without one, behind.
    pub(super) fn found(&mut self, behind: Behind, order: Option<&str>, problem: ProblemRecord) {
        let ProblemRecord { code, place, found, said, .. } = problem;
        let place = PlaceSeen {
            order: order.map(str::to_owned),
            place: place.unwrap_or_default(),
            found: found.filter(|_| !self.is_masked),
        };
        let (is_masked, words) = (self.is_masked, self.words.clone());
        match said {
            Said::Data(finding) => {
                let field = finding.field.clone();
                let key = match finding.rule().filter(|_| is_masked) {
                    Some(rule) => Key::Rule(field, rule),
                    None => Key::Finding(field, finding.id.as_str(), cause(&finding)),
                };
                self.take((key, Some(behind)), place, || invalid(&finding, is_masked, &words));
            }
            Said::Words { message, hint } => {
                let (said, hint) = if is_masked { (code.clone(), String::new()) } else { (message, hint) };
                let key = Key::Words(code, said.clone());
                self.take((key, Some(behind)), place, || FailedOrders { said, hint, ..FailedOrders::of("invalid") });
            }
        }
    }

    fn take(&mut self, (key, behind): (Key, Option<Behind>), place: PlaceSeen, new: impl FnOnce() -> FailedOrders) {
        let index = match self.index.get(&key) {
            Some(index) => *index,
            None if self.found.len() >= CAUSES_MAX => {
                self.otherwise += 1;
                return;
            }
            None => {
                self.index.insert(key, self.found.len());
                self.found.push((new(), None));
                self.found.len() - 1
            }
        };
        let (cause, last) = &mut self.found[index];
        // Several cells of one order are one order.
        if behind.is_none() || *last != behind {
            cause.orders += 1;
            *last = behind;
        }
        if cause.places.len() < PLACES_MAX {
            cause.places.push(place);
        }
    }

    pub(super) const fn otherwise(&self) -> u64 {
        self.otherwise
    }

    pub(super) fn into_sorted(self) -> Vec<FailedOrders> {
        let mut causes: Vec<FailedOrders> = self.found.into_iter().map(|(cause, _)| cause).collect();
        causes.sort_by_key(|cause| std::cmp::Reverse(cause.orders));
        causes
    }
}

impl FailedOrders {
    fn of(state: &'static str) -> Self {
        let (rule, field, said, hint, orders, places) = (None, None, String::new(), String::new(), 0, Vec::new());
        Self { state, rule, said, hint, field, orders, places }
    }
}

/// What keeps an order back. Its facts may be about people: a masked report has the title of the rule alone.
fn invalid(finding: &Finding, is_masked: bool, words: &Words) -> FailedOrders {
    let rule = finding.rule();
    let field = finding.field.as_deref().and_then(Field::by_path).filter(|_| is_masked).map(|field| field.header);
    let (said, hint) = if is_masked {
        let title = rule.as_ref().map(|rule| Rule::of(*rule).title().to_owned());
        let field = field.map(|field| format!(" ({field})")).unwrap_or_default();
        (title.map_or_else(|| finding.id.as_str().to_owned(), |title| title + &field), String::new())
    } else {
        let worded = |remedy: &Remedy| words(remedy);
        (english::message(finding), english::advice(finding, &worded))
    };
    let rule = rule.map(|rule| rule.as_str().to_owned());
    FailedOrders { rule, said, hint, field, ..FailedOrders::of("invalid") }
}
