//! From what was seen of one POST to what it means.

use jiff::Timestamp;
use jiff::fmt::rfc2822::DateTimeParser;

use super::answer::setting;
use super::doubt::Doubt;
use super::evidence::{AWB_CHARACTERS_MAX, Evidence, Search, awb_text, is_blank, says_nothing};
use super::json::Json;
use super::operation::{Entry, FORWARD_SHIPMENT, Operations};
use super::outcome::{Booking, Lost, NotSent, Observed, Outcome, Reply, Sent, Signal, Verdict, purchase_error_message};
use super::said::{is_error, is_unprintable, said, shown, without_tags};

/// A shipment older than our request by more than this was made by an earlier one.
const OLD_ANSWER_MS: i64 = 10 * 60 * 1000;
/// The longest pause that is believed, in seconds.
const RETRY_AFTER_SECONDS_MAX: u64 = 24 * 60 * 60;
/// What of a message is shown.
const MESSAGE_CHARACTERS_MAX: usize = 300;

/// What an observation means for its order and for its run, read as the contract has it. Total: every observation has a
/// meaning, and none panics.
#[must_use]
pub fn judge(observed: &Observed, sent: &Sent<'_>) -> Verdict {
    judge_by(&Operations::default().of(&FORWARD_SHIPMENT), observed, sent)
}

/// The same where the configuration may say that values stand elsewhere as well. Nothing that the contract's own places say
/// counts less for it.
#[must_use]
pub fn judge_by(entry: &Entry, observed: &Observed, sent: &Sent<'_>) -> Verdict {
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
        Observed::Reply(reply) => answered(entry, reply, sent),
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
fn answered(entry: &Entry, reply: &Reply, sent: &Sent<'_>) -> Verdict {
    let plain = by_status(entry, reply, sent);
    if let Some(other) = other_order(entry, reply, sent) {
        let doubt = Doubt::OtherOrder { status: reply.status, other };
        return verdict(Outcome::InDoubt { doubt }, Signal::Contradiction);
    }
    let Some(doubt) = doubted(entry, reply, sent, &plain.outcome) else { return plain };
    // What stops or slows the run holds for the run all the same.
    let signal = match plain.signal {
        Signal::Refusal { .. } | Signal::Address | Signal::Clear => Signal::Doubt,
        other => other,
    };
    verdict(Outcome::InDoubt { doubt }, signal)
}

fn by_status(entry: &Entry, reply: &Reply, sent: &Sent<'_>) -> Verdict {
    let said = || message(reply);
    match reply.status {
        200 | 201 => shipment(entry, reply, sent),
        301 | 307 | 308 => verdict(refused(reply), Signal::Redirect { location: reply.location.clone() }),
        300..=399 => verdict(
            Outcome::InDoubt { doubt: Doubt::Redirect(said()) },
            Signal::Redirect { location: reply.location.clone() },
        ),
        401 => verdict(waiting(format!("the token is not accepted: {}", said())), Signal::Unauthorized),
        402 => verdict(refused(reply), Signal::Funds),
        403 => verdict(refused(reply), Signal::Forbidden),
        // Successes that are no booking by the contract; time limits, locks, lost connections and dependencies of the service
        // or of a proxy before it.
        202..=299 | 408 | 413 | 420 | 423 | 424 | 425 | 444 | 449 | 460 | 499 => doubt(Doubt::PerhapsBooked(said())),
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

/// The answer's fields: those of the contract, and those that the configuration names.
struct Shipment<'a> {
    entry: &'a Entry,
    json: &'a Json,
    /// Where the configuration has the shipment within it.
    inner: Option<&'a Json>,
}

impl<'a> Shipment<'a> {
    fn of(entry: &'a Entry, json: &'a Json) -> Self {
        let inner = entry.configured_at(entry.whole()).and_then(|pointer| json.at(pointer));
        let inner = inner.map(|inner| match inner {
            Json::List(items) if items.len() == 1 => &items[0],
            other => other,
        });
        Self { entry, json, inner }
    }

    /// Every value of a field. None of them counts where nobody knows which is meant.
    fn values(&self, field: &str) -> Result<Vec<&'a Json>, Ambiguous> {
        let pointers = self.entry.known_at(field).iter().copied().chain(self.entry.configured_at(field));
        let wrap = self.entry.configured_at(self.entry.whole());
        let mut values: Vec<&Json> = Vec::new();
        for pointer in pointers {
            for json in [Some(self.json), self.inner].into_iter().flatten() {
                if json.is_ambiguous(pointer) || wrap.is_some_and(|wrap| self.json.is_ambiguous(wrap)) {
                    return Err(Ambiguous);
                }
                values.extend(json.at(pointer));
            }
        }
        Ok(values)
    }

    /// Whether what surrounds the AWB denies it, where the configuration found it.
    fn is_denied(&self) -> bool {
        let is_own = self.json.at("/awb").is_some_and(|json| matches!(awb_text(json), Ok(Some(_))));
        let pointers = [self.entry.whole(), "awb"].into_iter().filter_map(|field| self.entry.configured_at(field));
        let mut around = pointers.flat_map(|pointer| pointer.match_indices('/').map(|(end, _)| &pointer[..end]));
        let denies = |json: Option<&Json>| json.is_some_and(is_error);
        !is_own && (denies(self.inner) || around.any(|pointer| denies(self.json.at(pointer))))
    }

    /// The settings that would read the shipment: where its AWB is, and the service's id where one stands beside it.
    fn setting(&self) -> String {
        let awb = setting(self.entry, &["awb"], self.json);
        let beside = awb.split('"').nth(1).and_then(|pointer| pointer.rsplit_once('/')).map_or("", |(outer, _)| outer);
        let ids = ["orderId", "order_id", "id"].map(|name| format!("{beside}/{name}"));
        let id = ids.iter().find(|id| self.json.at(id).and_then(Json::text).is_some());
        let is_known = self.json.at("/orderId").is_some();
        match id.filter(|_| !is_known && !awb.contains('…')) {
            Some(id) => format!("{awb} and [operations.{}.fields] order_id = \"{id}\"", self.entry.operation.name),
            None => awb,
        }
    }

    /// The first text or number of a field that says something.
    fn text(&self, field: &str) -> Result<Option<String>, Ambiguous> {
        Ok(self.values(field)?.iter().find_map(|json| json.text()).map(str::to_owned))
    }
}

/// Nobody knows which of several values is meant.
struct Ambiguous;

/// 200 or 201: a success only with an AWB and without an error.
fn shipment(entry: &Entry, reply: &Reply, sent: &Sent<'_>) -> Verdict {
    let unreadable = || {
        let doubt = Doubt::Unreadable { status: reply.status, answer: shown(&reply.body) };
        verdict(Outcome::InDoubt { doubt }, Signal::NotUnderstood)
    };
    let Some(json) = Json::parse(&reply.body) else { return unreadable() };
    taken(&Shipment::of(entry, &json), reply, sent).unwrap_or_else(|Ambiguous| unreadable())
}

fn taken(shipment: &Shipment<'_>, reply: &Reply, sent: &Sent<'_>) -> Result<Verdict, Ambiguous> {
    let (awbs, errors) = (shipment.values("awb")?, shipment.values("error")?);
    let error = errors.iter().find(|error| !says_nothing(error)).map(ToString::to_string);
    let order_id = shipment.text("order_id")?.filter(|id| !is_blank(id));
    let contradiction = |doubt| Ok(verdict(Outcome::InDoubt { doubt }, Signal::Contradiction));
    let mut awb = None;
    for value in &awbs {
        match awb_text(value) {
            Err(what) => return contradiction(Doubt::StrangeAwb(what)),
            Ok(Some(own)) if awb.as_ref().is_some_and(|awb| *awb != own) => {
                return contradiction(Doubt::StrangeAwb("another one stands elsewhere in the answer"));
            }
            Ok(own) => awb = own.or(awb),
        }
    }
    Ok(match (awb, error) {
        (Some(awb), Some(_)) => return contradiction(Doubt::AwbAndError(awb)),
        (Some(_), None) if shipment.is_denied() => return contradiction(Doubt::NoWithAwb(reply.status)),
        (None, Some(error)) => verdict(Outcome::Rejected { order_id, error }, Signal::Clear),
        (None, None) if awbs.is_empty() => {
            let setting = shipment.setting();
            let doubt = Doubt::NotUnderstood { status: reply.status, answer: shown(&reply.body), setting };
            verdict(Outcome::InDoubt { doubt }, Signal::NotUnderstood)
        }
        (None, None) => doubt(Doubt::Neither),
        (Some(awb), None) => {
            let created_ms = shipment.text("created")?.and_then(|text| text.parse().ok());
            let booking = Booking {
                awb,
                order_id,
                carrier: shipment.text("carrier")?,
                service: shipment.text("service")?,
                created_ms,
                old_answer: created_ms.is_some_and(|created| is_old(created, reply, sent)),
            };
            verdict(Outcome::Booked(booking), Signal::Clear)
        }
    })
}

/// Judged by the answer's own clock where it has one.
fn is_old(created_ms: i64, reply: &Reply, sent: &Sent<'_>) -> bool {
    let theirs = reply.date.as_deref().and_then(http_date).unwrap_or(sent.at_ms);
    created_ms < theirs.saturating_sub(OLD_ANSWER_MS) && created_ms != sent.order_created_ms
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

/// Evidence against a no: an answer that names a shipment, or says that the order is there, may be about our own booking.
fn doubted(entry: &Entry, reply: &Reply, sent: &Sent<'_>, outcome: &Outcome) -> Option<Doubt> {
    let rejection = match outcome {
        Outcome::Refused { .. } | Outcome::Waiting { .. } => None,
        Outcome::Rejected { error, .. } => Some(error),
        Outcome::Booked(_) | Outcome::InDoubt { .. } => return None,
    };
    let search = Search::new(sent, rejection.is_none());
    let json = Json::parse(&reply.body);
    let at_its_place = |json: &Json| match Shipment::of(entry, json).values("awb") {
        Ok(own) => own.iter().any(|json| search.is_awb(json)),
        Err(Ambiguous) => true,
    };
    let found = match (&json, rejection) {
        (Some(json), _) if at_its_place(json) => Some(Evidence::Awb),
        // An answer of the contract tells how the order is in other places as well: that it was made counts in an error only,
        // that it was there already counts everywhere.
        (Some(json), Some(_)) => {
            let errors = Shipment::of(entry, json).values("error").unwrap_or_default();
            let in_errors = || errors.iter().find_map(|error| search.in_json(error));
            let found = search.named_in(json).or_else(in_errors);
            found.or_else(|| search.is_there_already(json).then_some(Evidence::Said))
        }
        _ => search.in_body(&reply.body).or_else(|| search.in_address(reply.location.as_deref()?)),
    };
    let why = || match rejection {
        Some(error) => {
            let error = purchase_error_message(error);
            let beside = json.as_ref().and_then(said).filter(|beside| *beside != error);
            let beside = beside.map(|beside| format!("; {beside}")).unwrap_or_default();
            format!("{error}{beside} (HTTP {})", reply.status)
        }
        None => message(reply),
    };
    Some(match found? {
        Evidence::Awb => Doubt::NoWithAwb(reply.status),
        Evidence::Named(what) => Doubt::Duplicate(format!("it names {what}; {}", why())),
        Evidence::Said => Doubt::Duplicate(why()),
    })
}

/// The order number that an answer names, where it is another one than was sent.
fn other_order(entry: &Entry, reply: &Reply, sent: &Sent<'_>) -> Option<String> {
    // Most answers name none, and need not be taken apart to know it.
    memchr::memmem::find(&reply.body, b"\"orderNumber\"").filter(|_| !sent.order_number.is_empty())?;
    let json = Json::parse(&reply.body)?;
    let beside = entry.configured_at("awb").and_then(|pointer| json.at(pointer.rsplit_once('/')?.0));
    let usual = ["", "/data", "/result", "/shipment"].iter().map(|place| json.at(place));
    let mut places = [beside, Shipment::of(entry, &json).inner].into_iter().chain(usual).flatten();
    let sent = sent.order_number.trim();
    let is_another = |named: &&str| {
        // A validator may say under a field's name what is wrong with it.
        let is_a_text = named.contains(char::is_whitespace) && !sent.contains(char::is_whitespace);
        !is_a_text && named.to_lowercase() != sent.to_lowercase()
    };
    let other = places.find_map(|place| place.get("orderNumber")?.text()).filter(is_another)?;
    Some(other.chars().filter(|c| !is_unprintable(*c)).take(AWB_CHARACTERS_MAX).collect())
}

/// What the service has to say, for people: its message, else its text, else its status.
pub(super) fn message(reply: &Reply) -> String {
    let status = format!("HTTP {}", reply.status);
    let text = Json::parse(&reply.body).and_then(|json| said(&json)).unwrap_or_else(|| {
        let text =
            String::from_utf8_lossy(&reply.body[..reply.body.len().min(4 * MESSAGE_CHARACTERS_MAX)]).into_owned();
        without_tags(&text)
    });
    let text: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let text: String = text.chars().filter(|c| !is_unprintable(*c)).take(MESSAGE_CHARACTERS_MAX).collect();
    if text.is_empty() { status } else { format!("{text} ({status})") }
}

/// A message without what differs from order to order: digits and quoted values.
#[must_use]
pub fn masked(message: &str) -> String {
    masking(message, false)
}

/// The same for people: what says most of it stays, which is the status of an answer, the system's code of an error, which of
/// the lines of an address it is, and how many more there are.
#[must_use]
pub fn masked_but_status(message: &str) -> String {
    masking(message, true)
}

/// How many digits stand here that tell nothing about anybody: few enough, and between words that say what they are.
fn digits_that_stay(before: &str, rest: &str) -> usize {
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let stays = match digits {
        1 if before.ends_with("Address Line ") => true,
        1..=3 if before.ends_with("and ") => rest[digits..].starts_with(" more"),
        3 if before.ends_with("HTTP ") => true,
        1..=5 => before.ends_with("(os error ") && rest[digits..].starts_with(')'),
        _ => false,
    };
    if stays { digits } else { 0 }
}

fn masking(message: &str, keeps_status: bool) -> String {
    let mut stay_end = 0;
    let mut masked = String::with_capacity(message.len());
    let mut quote: Option<char> = None;
    let mut before = ' ';
    for (at, c) in message.char_indices() {
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
                if keeps_status && at >= stay_end {
                    stay_end = at + digits_that_stay(&message[..at], &message[at..]);
                }
                if at < stay_end {
                    masked.push(c);
                } else if !masked.ends_with('#') {
                    masked.push('#');
                }
            }
            None => masked.push(c),
        }
    }
    masked
}
