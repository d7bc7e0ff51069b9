//! From what was seen of one POST to what it means.

use jiff::Timestamp;
use jiff::fmt::rfc2822::DateTimeParser;
use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::doubt::Doubt;
use super::outcome::{Booking, Lost, NotSent, Observed, Outcome, Reply, Sent, Signal, Verdict};

/// A shipment older than our request by more than this was made by an earlier one.
const OLD_ANSWER_MS: i64 = 10 * 60 * 1000;
/// The longest pause that is believed, in seconds.
const RETRY_AFTER_SECONDS_MAX: u64 = 24 * 60 * 60;
/// No AWB is longer.
const AWB_CHARACTERS_MAX: usize = 64;
/// What of a message is shown.
const MESSAGE_CHARACTERS_MAX: usize = 300;
/// How often an answer is looked for inside a text of an answer.
const WRAPS_MAX: u8 = 3;
/// Other names of an AWB, as they are without signs and capitals.
const TRACKING: &[&str] = &["trackingcode", "trackingno", "trackingnumber"];
/// What a refusal says of an order that is there already.
const THERE_ALREADY: &[&str] = &[
    "duplicate",
    "already exist",
    "already in use",
    "already being",
    "already booked",
    "already placed",
    "already processed",
    "already taken",
    "already used",
    "being processed",
    "exists already",
    "must be unique",
    "not unique",
    "number exists",
    "order exists",
];
/// What people and programs write where there is no AWB.
const NO_AWB: &[&str] = &["null", "na", "n/a", "none", "nil", "undefined", "0", "-", "--"];

/// What an observation means for its order and for its run. Total: every observation has a meaning, and none panics.
#[must_use]
pub fn judge(observed: &Observed, sent: &Sent<'_>) -> Verdict {
    match observed {
        Observed::NotSent(NotSent::Unreachable(why)) => {
            verdict(waiting(format!("the service could not be reached: {why}")), Signal::Unreachable)
        }
        Observed::NotSent(NotSent::Tls(why)) => {
            verdict(waiting(format!("no secure connection could be made: {why}")), Signal::Tls)
        }
        Observed::Lost(lost) => doubt(match lost {
            Lost::TimedOut => Doubt::TimedOut,
            Lost::Broken(why) => Doubt::Broken(why.clone()),
            Lost::Partial { status, why, .. } => Doubt::Partial { status: *status, why: why.clone() },
            Lost::Unbelievable { status, why, .. } => Doubt::Unbelievable { status: *status, why: why.clone() },
        }),
        Observed::Reply(reply) => answered(reply, sent),
    }
}

fn verdict(outcome: Outcome, signal: Signal) -> Verdict {
    Verdict { outcome, signal }
}

fn doubt(doubt: Doubt) -> Verdict {
    verdict(Outcome::InDoubt { doubt }, Signal::Doubt)
}

fn waiting(reason: impl Into<String>) -> Outcome {
    Outcome::Waiting { reason: reason.into() }
}

fn refused(reply: &Reply) -> Outcome {
    Outcome::Refused { message: message(reply) }
}

/// An answer that names another order is that one's. A refusal that speaks of an order or a shipment that is there already
/// may be about ours: then it is no refusal.
fn answered(reply: &Reply, sent: &Sent<'_>) -> Verdict {
    let plain = by_status(reply, sent);
    if let Some(other) = other_order(reply, sent) {
        let doubt = Doubt::OtherOrder { status: reply.status, other };
        return verdict(Outcome::InDoubt { doubt }, Signal::Contradiction);
    }
    let says_no = matches!(plain.outcome, Outcome::Refused { .. } | Outcome::Waiting { .. } | Outcome::Rejected { .. });
    let doubt = if says_no && holds_an_awb(reply) {
        Doubt::NoWithAwb(reply.status)
    } else if says_no && !matches!(plain.outcome, Outcome::Rejected { .. }) && speaks_of_a_duplicate(reply) {
        Doubt::Duplicate(message(reply))
    } else {
        return plain;
    };
    // What stops or slows the run holds for the run all the same.
    let signal = match plain.signal {
        Signal::Refusal { .. } | Signal::Address | Signal::Clear => Signal::Doubt,
        other => other,
    };
    verdict(Outcome::InDoubt { doubt }, signal)
}

fn by_status(reply: &Reply, sent: &Sent<'_>) -> Verdict {
    let said = || message(reply);
    match reply.status {
        200 | 201 => shipment(reply, sent),
        301 | 307 | 308 => verdict(refused(reply), Signal::Redirect { location: reply.location.clone() }),
        300..=399 => verdict(
            Outcome::InDoubt { doubt: Doubt::Redirect(said()) },
            Signal::Redirect { location: reply.location.clone() },
        ),
        401 => verdict(waiting(format!("the token is not accepted: {}", said())), Signal::Unauthorized),
        402 => verdict(refused(reply), Signal::Funds),
        403 => verdict(refused(reply), Signal::Forbidden),
        // Time limits, locks, lost connections and dependencies of the service or of a proxy before it.
        408 | 413 | 420 | 423 | 424 | 425 | 444 | 449 | 460 | 499 => doubt(Doubt::PerhapsBooked(said())),
        409 => doubt(Doubt::Duplicate(said())),
        429 => verdict(
            waiting(format!("the service asks for a pause: {}", said())),
            Signal::TooMany { retry_after_ms: retry_after(reply, sent) },
        ),
        404 | 405 | 406 | 410 | 415 => verdict(refused(reply), Signal::Address),
        400..=499 => {
            let fingerprint = masked(&said());
            verdict(refused(reply), Signal::Refusal { fingerprint })
        }
        _ => doubt(Doubt::Failed(said())),
    }
}

/// The answer's fields, each as it stands in the JSON.
#[derive(Default)]
struct Shipment {
    order_id: Option<String>,
    awb: Option<String>,
    created: Option<String>,
    carrier: Option<String>,
    service: Option<String>,
    error: Option<String>,
}

/// 200 or 201: a success only with an AWB and without an error.
fn shipment(reply: &Reply, sent: &Sent<'_>) -> Verdict {
    let Some(answer) = parsed(&reply.body) else {
        return doubt(Doubt::Unreadable(reply.status));
    };
    let error = answer.error.as_deref().filter(|error| !is_empty_json(error));
    let order_id = answer.order_id.as_deref().and_then(plain_text).filter(|id| !is_blank(id));
    let awb = match answer.awb.as_deref().map(awb_text) {
        Some(Err(what)) => {
            return verdict(Outcome::InDoubt { doubt: Doubt::StrangeAwb(what) }, Signal::Contradiction);
        }
        Some(Ok(awb)) => awb,
        None => None,
    };
    match (awb, error) {
        (Some(awb), Some(_)) => verdict(Outcome::InDoubt { doubt: Doubt::AwbAndError(awb) }, Signal::Contradiction),
        (None, Some(error)) => verdict(Outcome::Rejected { order_id, error: error.to_owned() }, Signal::Clear),
        (None, None) => doubt(Doubt::Neither),
        (Some(awb), None) => {
            let created_ms = answer.created.as_deref().and_then(plain_text).and_then(|text| text.trim().parse().ok());
            let booking = Booking {
                awb,
                order_id,
                carrier: answer.carrier.as_deref().and_then(plain_text),
                service: answer.service.as_deref().and_then(plain_text),
                created_ms,
                old_answer: created_ms.is_some_and(|created| is_old(created, reply, sent)),
            };
            verdict(Outcome::Booked(booking), Signal::Clear)
        }
    }
}

/// Judged by the answer's own clock where it has one.
fn is_old(created_ms: i64, reply: &Reply, sent: &Sent<'_>) -> bool {
    let theirs = reply.date.as_deref().and_then(http_date).unwrap_or(sent.at_ms);
    created_ms < theirs.saturating_sub(OLD_ANSWER_MS) && created_ms != sent.order_created_ms
}

/// The answer's object. A name that stands twice makes it worthless: nobody knows which is meant.
fn parsed(body: &[u8]) -> Option<Shipment> {
    struct Fields;
    impl<'de> Visitor<'de> for Fields {
        type Value = Option<Shipment>;

        fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("an object")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut shipment = Shipment::default();
            let mut twice = false;
            while let Some(name) = map.next_key::<String>()? {
                let slot = match name.as_str() {
                    "orderId" => &mut shipment.order_id,
                    "awb" => &mut shipment.awb,
                    "cratedAt" | "createdAt" if shipment.created.is_none() => &mut shipment.created,
                    "carrier" => &mut shipment.carrier,
                    "service" => &mut shipment.service,
                    "shipmentPurchaseError" => &mut shipment.error,
                    _ => {
                        map.next_value::<IgnoredAny>()?;
                        continue;
                    }
                };
                let value: Box<RawValue> = map.next_value()?;
                twice |= slot.is_some();
                *slot = Some(value.get().to_owned());
            }
            Ok(if twice { None } else { Some(shipment) })
        }
    }
    let mut deserializer = serde_json::Deserializer::from_slice(body);
    let shipment = deserializer.deserialize_map(Fields).ok()?;
    deserializer.end().ok()?;
    shipment
}

/// Text or a number, digit for digit.
fn plain_text(json: &str) -> Option<String> {
    if json.starts_with('"') {
        return serde_json::from_str(json).ok();
    }
    json.starts_with(|c: char| c.is_ascii_digit() || c == '-').then(|| json.to_owned())
}

/// The AWB of an answer: none where it is blank, an error where it is something that no AWB can be.
fn awb_text(json: &str) -> Result<Option<String>, &'static str> {
    if json == "null" {
        return Ok(None);
    }
    let is_text = json.starts_with('"');
    let Some(text) = plain_text(json) else { return Err("it is neither text nor a number") };
    if !is_text && !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err("it is a number with a sign, a point or an exponent");
    }
    let text = text.trim();
    if is_blank(text) {
        return Ok(None);
    }
    if text.chars().count() > AWB_CHARACTERS_MAX {
        return Err("it is too long");
    }
    if text.chars().any(|c| is_unprintable(c) || (c.is_whitespace() && c != ' ')) {
        return Err("it holds signs that cannot be seen");
    }
    if text.contains(['<', '>', '&', '"', '\'', '`', '\\', '{', '}']) {
        return Err("it holds markup");
    }
    Ok(Some(text.to_owned()))
}

/// Controls, what has no width, what turns the direction of writing, and what stands for no sign at all.
fn is_unprintable(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{ad}'
                | '\u{34f}'
                | '\u{61c}'
                | '\u{115f}'
                | '\u{1160}'
                | '\u{17b4}'
                | '\u{17b5}'
                | '\u{180b}'..='\u{180f}'
                | '\u{200b}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{3164}'
                | '\u{e000}'..='\u{f8ff}'
                | '\u{fe00}'..='\u{fe0f}'
                | '\u{feff}'
                | '\u{ffa0}'
                | '\u{fff0}'..='\u{ffff}'
                | '\u{e0000}'..='\u{10ffff}'
        )
}

fn is_blank(text: &str) -> bool {
    let text = text.trim();
    text.is_empty() || NO_AWB.contains(&text.to_lowercase().as_str())
}

/// JSON that says nothing: an error of that kind is no error.
fn is_empty_json(json: &str) -> bool {
    let bare: String = json.chars().filter(|c| !c.is_whitespace()).collect();
    matches!(bare.as_str(), "null" | "\"\"" | "{}" | "[]" | "false")
}

/// `Retry-After` in milliseconds: seconds, or a date by the answer's own clock where it has one.
fn retry_after(reply: &Reply, sent: &Sent<'_>) -> Option<u64> {
    let text = reply.retry_after.as_deref()?.trim();
    let seconds = if text.bytes().all(|byte| byte.is_ascii_digit()) && !text.is_empty() {
        text.parse::<u64>().unwrap_or(RETRY_AFTER_SECONDS_MAX)
    } else {
        let now = reply.date.as_deref().and_then(http_date).unwrap_or(sent.at_ms);
        u64::try_from(http_date(text)?.saturating_sub(now)).unwrap_or(0).div_ceil(1000)
    };
    Some(seconds.min(RETRY_AFTER_SECONDS_MAX) * 1000)
}

/// Epoch milliseconds of an HTTP date.
fn http_date(text: &str) -> Option<i64> {
    static PARSER: DateTimeParser = DateTimeParser::new();
    // HTTP writes GMT where mail writes an offset.
    let text = text.trim().strip_suffix("GMT").map_or_else(|| text.to_owned(), |rest| format!("{rest}+0000"));
    PARSER.parse_timestamp(&text).map(Timestamp::as_millisecond).ok()
}

fn speaks_of_a_duplicate(reply: &Reply) -> bool {
    let text = String::from_utf8_lossy(&reply.body).to_lowercase();
    let says = |words: &[&str]| words.iter().any(|words| text.contains(words));
    // A token that "has already been revoked" is no order that is there already.
    let about_orders = !matches!(reply.status, 401 | 429);
    says(THERE_ALREADY) || (about_orders && says(&["already been", "already created"]))
}

/// Whether an AWB stands anywhere in the answer, however it is wrapped.
fn holds_an_awb(reply: &Reply) -> bool {
    serde_json::from_slice(&reply.body).is_ok_and(|json| has_awb(&json, WRAPS_MAX))
        || parsed(&reply.body).and_then(|answer| answer.awb).is_some_and(|awb| !matches!(awb_text(&awb), Ok(None)))
}

fn has_awb(json: &serde_json::Value, wraps: u8) -> bool {
    use serde_json::Value;
    match json {
        Value::Object(fields) => {
            fields.iter().any(|(name, value)| (names_an_awb(name) && says_something(value)) || has_awb(value, wraps))
        }
        Value::Array(items) => items.iter().any(|item| has_awb(item, wraps)),
        // The carrier's own answer, as text.
        Value::String(text) if wraps > 0 && text.trim_start().starts_with(['{', '[']) => {
            serde_json::from_str(text).is_ok_and(|json| has_awb(&json, wraps - 1))
        }
        _ => false,
    }
}

/// Whether a field is called for an AWB: one of the words of its name begins or ends with `awb`, or it is a waybill.
fn names_an_awb(name: &str) -> bool {
    let mut words = vec![String::new()];
    let mut before = ' ';
    for c in name.chars() {
        if (c.is_ascii_uppercase() && before.is_ascii_lowercase()) || !c.is_ascii_alphanumeric() {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| c.is_ascii_alphanumeric()) {
            word.push(c.to_ascii_lowercase());
        }
        before = c;
    }
    let whole = words.concat();
    words.iter().any(|word| word.starts_with("awb") || word.ends_with("awb"))
        || whole.contains("waybill")
        || TRACKING.contains(&whole.as_str())
}

fn says_something(value: &serde_json::Value) -> bool {
    !matches!(value, serde_json::Value::Object(_) | serde_json::Value::Array(_))
        && !matches!(awb_text(&value.to_string()), Ok(None))
        && !matches!(value, serde_json::Value::Bool(false))
}

/// The order number that an answer names, where it is another one than was sent.
fn other_order(reply: &Reply, sent: &Sent<'_>) -> Option<String> {
    // Most answers name none, and need not be taken apart to know it.
    memchr::memmem::find(&reply.body, b"\"orderNumber\"").filter(|_| !sent.order_number.is_empty())?;
    let json: serde_json::Value = serde_json::from_slice(&reply.body).ok()?;
    let named = |json: &serde_json::Value| match json.get("orderNumber")? {
        serde_json::Value::String(text) => Some(text.trim().to_owned()),
        serde_json::Value::Number(number) => Some(number.to_string()),
        _ => None,
    };
    let wrapped = ["data", "result", "shipment"].iter().find_map(|name| named(json.get(name)?));
    let sent = sent.order_number.trim();
    let is_another = |named: &String| {
        // A validator may say under a field's name what is wrong with it.
        let is_a_text = named.contains(char::is_whitespace) && !sent.contains(char::is_whitespace);
        !named.is_empty() && !is_a_text && named.to_lowercase() != sent.to_lowercase()
    };
    let other = named(&json).or(wrapped).filter(is_another)?;
    Some(other.chars().filter(|c| !is_unprintable(*c)).take(AWB_CHARACTERS_MAX).collect())
}

/// What the service has to say, for people: its message, else its text, else its status.
pub(super) fn message(reply: &Reply) -> String {
    let status = format!("HTTP {}", reply.status);
    let said = serde_json::from_slice::<serde_json::Value>(&reply.body).ok().and_then(|json| told(&json));
    let text = said.unwrap_or_else(|| {
        let text =
            String::from_utf8_lossy(&reply.body[..reply.body.len().min(4 * MESSAGE_CHARACTERS_MAX)]).into_owned();
        without_tags(&text)
    });
    let text: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let text: String = text.chars().filter(|c| !c.is_control()).take(MESSAGE_CHARACTERS_MAX).collect();
    if text.is_empty() { status } else { format!("{text} ({status})") }
}

/// `message`, `error` or `errors`: a text, or an array of them, or an object with one of them.
pub(super) fn told(json: &serde_json::Value) -> Option<String> {
    use serde_json::Value;
    match json {
        Value::String(text) => Some(text.clone()).filter(|text| !text.trim().is_empty()),
        Value::Array(items) => {
            let mut texts: Vec<String> = Vec::new();
            for text in items.iter().filter_map(told) {
                if !texts.contains(&text) {
                    texts.push(text);
                }
            }
            (!texts.is_empty()).then(|| texts.join("; "))
        }
        Value::Object(fields) => {
            ["message", "error", "errors", "detail"].iter().find_map(|name| told(fields.get(*name)?))
        }
        _ => None,
    }
}

fn without_tags(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut inside = false;
    for c in text.chars() {
        match c {
            '<' => inside = true,
            '>' if inside => {
                inside = false;
                plain.push(' ');
            }
            _ if !inside => plain.push(c),
            _ => {}
        }
    }
    plain
}

/// A message without what differs from order to order: digits and quoted values.
#[must_use]
pub fn masked(message: &str) -> String {
    let mut masked = String::with_capacity(message.len());
    let mut quote: Option<char> = None;
    let mut before = ' ';
    for c in message.chars() {
        let opens = matches!(c, '"' | '`') || (c == '\'' && !before.is_alphanumeric());
        before = c;
        match quote {
            Some(open) if c == open => quote = None,
            Some(_) => {}
            None if opens => {
                quote = Some(c);
                masked.push('…');
            }
            None if c.is_ascii_digit() => {
                if !masked.ends_with('#') {
                    masked.push('#');
                }
            }
            None => masked.push(c),
        }
    }
    masked
}
