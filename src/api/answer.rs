//! The one reader of answers: every operation's answer is unwrapped alike, and its values are found by the table's pointers
//! or by those of the configuration. What cannot be read is an error that shows the answer and names the setting.

use super::evidence::names_an_awb;
use super::json::Json;
use super::keys::RequestKeys;
use super::operation::Entry;
use super::said::{is_error, is_flag, plain, said, says_no, shown};

/// Names that services wrap their answers in.
const WRAPS: [&str; 5] = ["/data", "/result", "/results", "/response", "/payload"];
/// What the place of an answer is called that is no list.
const SINGLE: &str = "answer";
/// How often an answer is unwrapped.
const WRAPS_MAX: usize = 6;

/// Why an answer tells nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Misread {
    /// It says no.
    #[error("{operation}: {message}{}", keys.as_ref().map(ToString::to_string).unwrap_or_default())]
    No {
        /// The operation.
        operation: &'static str,
        /// What it says.
        message: String,
        /// The keys of the request, where it speaks of one.
        keys: Option<Box<RequestKeys>>,
    },
    /// It is not understood.
    #[error(transparent)]
    NotUnderstood(#[from] NotUnderstood),
}

/// An answer that is not understood.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{operation}: the answer is not understood: {what}{}; it was: {answer}{}",
    setting.as_ref().map(|setting| format!("; if it says so elsewhere, set {setting} in shipsheet.toml")).unwrap_or_default(),
    if *changes { "; it may have been done all the same: look before you repeat it" } else { "" }
)]
pub struct NotUnderstood {
    /// The operation.
    pub operation: &'static str,
    /// What is wrong with it.
    pub what: String,
    /// The answer, as people are shown it: not too long, and without secrets.
    pub answer: String,
    /// The setting that would read it, where one could.
    pub setting: Option<String>,
    /// Whether the operation changes something.
    pub changes: bool,
}

impl NotUnderstood {
    /// An answer of an operation, with what is wrong with it.
    #[must_use]
    pub fn of(entry: &Entry, what: &str, body: &[u8], setting: Option<String>) -> Self {
        let (operation, changes) = (entry.operation.name, !entry.only_reads());
        Self { operation, what: what.to_owned(), answer: shown(body), setting, changes }
    }
}

impl Misread {
    pub(super) fn no(entry: &Entry, said: Option<String>, answer: &Json) -> Self {
        let said = said.unwrap_or_else(|| format!("the service says no: {}", shown(answer.to_string().as_bytes())));
        let keys = RequestKeys::named(entry, &said);
        Self::No { operation: entry.operation.name, message: format!("{said} (HTTP 200)"), keys }
    }
}

/// Which shipment is meant, by the names that it has; an empty name is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ShipmentRef<'a> {
    /// The service's own id of the order.
    pub order_id: Option<&'a str>,
    /// Our number of the order.
    pub order_number: &'a str,
    /// The AWB.
    pub awb: &'a str,
}

impl<'a> From<&'a str> for ShipmentRef<'a> {
    fn from(order_id: &'a str) -> Self {
        Self { order_id: Some(order_id), ..Self::default() }
    }
}

impl<'a> From<&'a String> for ShipmentRef<'a> {
    fn from(order_id: &'a String) -> Self {
        Self::from(order_id.as_str())
    }
}

impl ShipmentRef<'_> {
    /// Its names as paths call them.
    pub(super) fn names(&self) -> Vec<(String, String)> {
        let order_id = self.order_id.unwrap_or_default();
        let names = [
            ("orderId", order_id),
            ("order_id", order_id),
            ("id", order_id),
            ("orderIds", order_id),
            ("orderNumber", self.order_number),
            ("order_number", self.order_number),
            ("awb", self.awb),
        ];
        let given = names.into_iter().filter(|(_, value)| !value.is_empty());
        given.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
    }
}

/// An object of an answer, with the pointers that find its values.
#[derive(Debug, Clone, Copy)]
pub struct Told<'a> {
    entry: &'a Entry,
    json: &'a Json,
    /// The whole answer, where this is all that it tells.
    root: Option<&'a Json>,
}

/// The objects of an answer: those of a list, else the one that it is. Each has at least one of `needs`.
///
/// # Errors
/// The answer says no, or is not understood.
pub fn told<'a>(entry: &'a Entry, answer: &'a Json, needs: &[&str]) -> Result<Vec<Told<'a>>, Misread> {
    let levels = levels(entry, answer, needs);
    let Some((inner, outer)) = levels.split_last() else { return Ok(Vec::new()) };
    let items = match inner {
        Json::List(items) => items.iter().collect(),
        one => vec![*one],
    };
    let is_list = matches!(inner, Json::List(_));
    let objects: Vec<Told<'_>> =
        items.iter().map(|json| Told { entry, json, root: (!is_list).then_some(answer) }).collect();
    let unknown = objects.iter().find(|object| !object.has_any(needs));
    let no = match unknown {
        Some(_) => levels.iter().rev().find(|level| says_no(level)),
        None => outer.iter().find(|level| is_error(level)),
    };
    if let Some(no) = no {
        return Err(Misread::no(entry, said(no).or_else(|| said(answer)), answer));
    }
    let Some(unknown) = unknown else { return Ok(objects) };
    // Where a list is wanted and none is found, it may stand elsewhere.
    let list = Some(entry.whole()).filter(|whole| !is_list && *whole != SINGLE);
    let fields: Vec<&str> = list.into_iter().chain(needs.iter().copied()).collect();
    Err(unknown.unread(&format!("it tells no {}", fields.join(" and no ")), &fields))
}

/// What an answer says where it is an error, though its status is that of a success.
#[must_use]
pub fn error_in(entry: &Entry, answer: &Json) -> Option<String> {
    let level = parts(entry, answer, &[]).into_iter().find(|level| is_error(level))?;
    Some(said(level).unwrap_or_else(|| "the service says no".to_owned()))
}

/// The one object of an answer; of several the one that is about the shipment.
///
/// # Errors
/// The answer says no, is about another shipment, or is not understood.
pub fn told_of<'a>(
    entry: &'a Entry,
    answer: &'a Json,
    needs: &[&str],
    shipment: &ShipmentRef<'_>,
) -> Result<Told<'a>, Misread> {
    let objects = told(entry, answer, needs)?;
    let whole = || Told { entry, json: answer, root: None };
    let names = ["awb", "order_id", "order_number"];
    match objects.as_slice() {
        [] => Err(Misread::no(entry, Some("the service does not know this shipment".to_owned()), answer)),
        [one] if one.is_about(shipment) == Some(false) => Err(one.unread("it is about another shipment", &names)),
        [one] => Ok(*one),
        many => {
            let mut ours = many.iter().filter(|one| one.is_about(shipment) == Some(true));
            let one = ours.next().filter(|_| ours.next().is_none());
            one.copied().ok_or_else(|| whole().unread("of its objects not one is about this shipment alone", &names))
        }
    }
}

/// From the whole answer inwards to the object, or the list, that holds the values.
fn levels<'a>(entry: &'a Entry, answer: &'a Json, needs: &[&str]) -> Vec<&'a Json> {
    let mut levels = vec![answer];
    let whole = entry.whole();
    if let Some(inner) = entry.configured_at(whole).and_then(|pointer| answer.at(pointer)) {
        levels.push(inner);
    }
    while let Some(level) = levels.last().copied().filter(|_| levels.len() < WRAPS_MAX) {
        let is_told = |json| Told { entry, json, root: Some(answer) }.is_told_plainly(needs);
        let inner = match level {
            Json::List(items) => match items.as_slice() {
                [one] if !is_told(one) => inside(entry, one).map(|_| one),
                _ => None,
            },
            one if is_told(one) => None,
            one => inside(entry, one),
        };
        let Some(inner) = inner else { break };
        levels.push(inner);
    }
    levels
}

/// The same for an answer that is about one thing: a list of one is what is in it.
pub(super) fn parts<'a>(entry: &'a Entry, answer: &'a Json, needs: &[&str]) -> Vec<&'a Json> {
    let mut parts = levels(entry, answer, needs);
    if let Some(Json::List(items)) = parts.last()
        && let [one] = items.as_slice()
    {
        parts.push(one);
    }
    parts
}

/// What an object wraps: an object or a list under one of the usual names.
fn inside<'a>(entry: &Entry, json: &'a Json) -> Option<&'a Json> {
    let own = entry.known_at(entry.whole()).iter().filter(|pointer| !pointer.is_empty());
    let is_inside = |json: &&Json| matches!(json, Json::Object(_) | Json::List(_));
    own.chain(&WRAPS).find_map(|pointer| json.at(pointer).filter(is_inside))
}

impl<'a> Told<'a> {
    /// An object of which nothing is needed.
    #[must_use]
    pub const fn of(entry: &'a Entry, json: &'a Json) -> Self {
        Self { entry, json, root: Some(json) }
    }

    /// The object itself.
    #[must_use]
    pub const fn json(&self) -> &'a Json {
        self.json
    }

    /// The value of a field.
    #[must_use]
    pub fn value(&self, field: &str) -> Option<&'a Json> {
        self.first(field, |json| is_leaf(json))
    }

    fn first(&self, field: &str, is_kind: impl Fn(&&Json) -> bool) -> Option<&'a Json> {
        match self.entry.configured_at(field) {
            Some(pointer) => {
                let inner = self.json.at(pointer).filter(&is_kind);
                inner.or_else(|| self.root?.at(pointer).filter(&is_kind))
            }
            None => self.entry.known_at(field).iter().find_map(|pointer| self.json.at(pointer).filter(&is_kind)),
        }
    }

    /// A text or a number, digit for digit; none where it is blank.
    #[must_use]
    pub fn text(&self, field: &str) -> Option<String> {
        self.value(field).and_then(Json::text).map(str::to_owned)
    }

    /// A name that somebody gave: a text, or a number of digits alone.
    #[must_use]
    pub fn name(&self, field: &str) -> Option<String> {
        let is_name = |json: &&Json| match json {
            Json::Number(digits) => digits.bytes().all(|byte| byte.is_ascii_digit()),
            _ => true,
        };
        self.value(field).filter(is_name).and_then(Json::text).map(str::to_owned)
    }

    /// A yes or a no, in a flag, a number or a word; none where nothing stands there.
    ///
    /// # Errors
    /// What stands there is neither.
    pub fn flag(&self, field: &str) -> Result<Option<bool>, Misread> {
        const YES: &[&str] = &["true", "yes", "y", "1", "active", "available", "enabled"];
        const NO: &[&str] = &["false", "no", "n", "0", "inactive", "unavailable", "disabled"];
        let Some(value) = self.value(field).filter(|value| **value != Json::Null) else { return Ok(None) };
        let word = value.text().unwrap_or_default().to_lowercase();
        match () {
            () if is_flag(value, true) || YES.contains(&word.as_str()) => Ok(Some(true)),
            () if is_flag(value, false) || NO.contains(&word.as_str()) => Ok(Some(false)),
            () => Err(self.unread(&format!("its {field} says neither yes nor no"), &[field])),
        }
    }

    /// The objects of a list; one object is a list of one.
    #[must_use]
    pub fn list(&self, field: &str) -> Vec<Self> {
        let of = |json| Self { json, root: None, ..*self };
        match self.first(field, |json| !is_leaf(json)) {
            Some(Json::List(items)) => items.iter().map(of).collect(),
            Some(json @ Json::Object(_)) => vec![of(json)],
            _ => Vec::new(),
        }
    }

    /// All of the object, as it came but for numbers of more digits than a machine's own hold.
    #[must_use]
    pub fn answer(&self) -> serde_json::Value {
        serde_json::from_str(&self.json.to_string()).unwrap_or_default()
    }

    /// An error that shows the answer and names the setting that would read one of `fields`.
    #[must_use]
    pub fn unread(&self, what: &str, fields: &[&str]) -> Misread {
        let (json, whole) = (self.json, self.root.unwrap_or(self.json));
        let setting = setting(self.entry, fields, if self.root.is_some() { whole } else { json });
        NotUnderstood::of(self.entry, what, whole.to_string().as_bytes(), Some(setting)).into()
    }

    fn has(&self, field: &str) -> bool {
        self.value(field).is_some() || !self.list(field).is_empty()
    }

    fn has_any(&self, fields: &[&str]) -> bool {
        fields.is_empty() || fields.iter().any(|field| self.has(field))
    }

    /// Whether a value stands where the configuration has it, or by the name that is known for it.
    fn is_told_plainly(&self, fields: &[&str]) -> bool {
        let is_there = |field: &&str| {
            if self.entry.configured_at(field).is_some() {
                self.has(field)
            } else {
                let known = self.entry.known_at(field).iter().find(|pointer| !pointer.is_empty());
                known.is_some_and(|pointer| self.json.at(pointer).is_some_and(|json| is_leaf(json) || json.is_list()))
            }
        };
        fields.iter().any(is_there)
    }

    /// Whether it names this shipment; none where it names none.
    fn is_about(&self, shipment: &ShipmentRef<'_>) -> Option<bool> {
        let ours = [
            ("awb", shipment.awb),
            ("order_id", shipment.order_id.unwrap_or_default()),
            ("order_number", shipment.order_number),
        ];
        let named = |(field, own): &(&str, &str)| Some(self.name(field)? == *own).filter(|_| !own.is_empty());
        let named: Vec<bool> = ours.iter().filter_map(named).collect();
        (!named.is_empty()).then(|| named.contains(&true))
    }
}

const fn is_leaf(json: &Json) -> bool {
    !matches!(json, Json::Object(_) | Json::List(_))
}

/// The setting that would read one of `fields`, with the pointer of what has such a name in the answer.
pub(super) fn setting(entry: &Entry, fields: &[&str], answer: &Json) -> String {
    let found = fields.iter().find_map(|field| Some((*field, like(entry, field, answer)?)));
    let (field, pointer) = found.unwrap_or((fields.first().copied().unwrap_or_default(), "/…".to_owned()));
    format!("[operations.{}.fields] {field} = \"{pointer}\"", entry.operation.name)
}

/// The pointer of a value whose name is like that of a field.
fn like(entry: &Entry, field: &str, answer: &Json) -> Option<String> {
    let last = |pointer: &&&str| plain(pointer.rsplit('/').next().unwrap_or_default());
    let mut names: Vec<String> = entry.known_at(field).iter().map(|pointer| last(&pointer)).collect();
    names.push(plain(field));
    names.retain(|name| name.len() >= 3);
    let is_whole = field == entry.whole();
    let (mut same, mut alike) = (None, None);
    answer.each(&mut |pointer, json| {
        let own = pointer.rsplit('/').next().unwrap_or_default();
        let is_kind = if is_whole { json.is_list() } else { json.text().is_some() || matches!(json, Json::Flag(_)) };
        if !is_kind || own.is_empty() {
            return;
        }
        let own_plain = plain(own);
        let is_awb = field == "awb" && names_an_awb(own);
        if same.is_none() && (is_awb || names.contains(&own_plain)) {
            same = Some(pointer.to_owned());
        }
        let is_like =
            |name: &String| own_plain.contains(name.as_str()) || (own_plain.len() >= 3 && name.contains(&own_plain));
        if alike.is_none() && (is_whole || names.iter().any(is_like)) {
            alike = Some(pointer.to_owned());
        }
    });
    same.or(alike)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::api::operation::{Operations, Override, QUOTE, SHIPMENT_DETAILS, TRACK};

    fn entry(operation: &'static crate::api::operation::Operation, fields: &[(&str, &str)]) -> Entry {
        let mut operations = Operations::default();
        let fields = fields.iter().map(|(field, pointer)| ((*field).to_owned(), (*pointer).to_owned())).collect();
        let with = Override { fields, request: BTreeMap::new(), ..Override::default() };
        operations.set(operation.name, with).unwrap();
        operations.of(operation)
    }

    fn json(text: &str) -> Json {
        Json::parse(text.as_bytes()).unwrap()
    }

    #[test]
    fn an_answer_is_read_however_it_is_wrapped() {
        let entry = entry(&SHIPMENT_DETAILS, &[]);
        for body in [
            r#"[{"orderId":"7","trackingCode":"A"}]"#,
            r#"{"orderId":7,"trackingCode":"A"}"#,
            r#"{"data":{"orderId":"7","awb":"A"}}"#,
            r#"{"status":"success","result":[{"orderId":"7","awbNumber":"A"}]}"#,
            r#"[{"data":[{"orderId":"7","trackingCode":"A"}]}]"#,
            r#"{"data":{"shipments":[{"orderId":"7","trackingCode":"A"}]},"error":null}"#,
            r#"[{"orderId":"8","trackingCode":"B"},{"orderId":"7","trackingCode":"A"}]"#,
        ] {
            let answer = json(body);
            let told = told_of(&entry, &answer, &["order_id", "awb"], &"7".into()).unwrap();
            assert_eq!(
                (told.text("order_id"), told.text("awb")),
                (Some("7".to_owned()), Some("A".to_owned())),
                "{body}"
            );
        }
    }

    #[test]
    fn what_is_not_understood_shows_the_answer_and_the_setting() {
        let (details, track, quote) = (entry(&SHIPMENT_DETAILS, &[]), entry(&TRACK, &[]), entry(&QUOTE, &[]));
        let seven = ShipmentRef { order_id: Some("7"), order_number: "N", awb: "A" };
        let wrong = |entry: &Entry, needs: &[&str], body: &str| {
            told_of(entry, &json(body), needs, &seven).map(|_| ()).unwrap_err().to_string()
        };
        for (body, says) in [
            ("{}", "[operations.track.fields] status = \"/…\""),
            (r#"{"shipment_state":{"current_status":"moving"}}"#, "status = \"/shipment_state/current_status\""),
            (r#"{"error":"shipment not found"}"#, "track: shipment not found"),
            (r#"{"message":"No such order"}"#, "No such order"),
            (r#"{"success":false,"data":{"status":"x"}}"#, "the service says no"),
            (r#"{"status":"success","data":{}}"#, "not understood"),
            ("null", "was: null"),
            ("[]", "does not know this shipment"),
            (r#"{"status":"x","awb":"B"}"#, "about another shipment"),
            (r#"[{"status":"x"},{"status":"y"}]"#, "not one is about this shipment alone"),
        ] {
            let said = wrong(&track, &["status", "checkpoints"], body);
            assert!(said.contains(says), "{body}: {said}");
        }
        let said = wrong(&details, &["order_id", "awb"], r#"{"waybill_no":"A"}"#);
        assert!(said.contains("[operations.shipment_details.fields] awb = \"/waybill_no\""), "{said}");
        let said = told(&quote, &json(r#"{"offers":[{"amount":5}]}"#), &["rate"]).unwrap_err().to_string();
        assert!(said.contains("[operations.quote.fields] rates = \"/offers\""), "{said}");
        let offers = entry(&QUOTE, &[("rates", "offers")]);
        let said = told(&offers, &json(r#"{"offers":[{"amount_rate":5}]}"#), &["rate"]).unwrap_err().to_string();
        assert!(said.contains("rate = \"/amount_rate\""), "{said}");
        let all = entry(&QUOTE, &[("rates", "offers"), ("rate", "amount.total")]);
        let answer = json(r#"{"offers":{"amount":{"total":"54.20"}}}"#);
        assert_eq!(told(&all, &answer, &["rate"]).unwrap()[0].text("rate").as_deref(), Some("54.20"));
    }
}
