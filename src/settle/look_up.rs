//! A look-up by our own order number: it may confirm a booking, and deny one only after calibration.
//!
//! A service that answers "not found" may mean that it never heard of the order, that its index lags behind, that the
//! configured path is wrong, or that it is half down. So nothing is believed to be missing before, in this very session,
//! three orders that are known to be booked came back with our AWBs, three numbers that were never sent gave one same
//! answer, the order in question gave that answer too, and enough time has passed since it was sent.

use std::time::Duration;

use crate::api::answer::{NotUnderstood, Told, told};
use crate::api::operation::{Entry, Method, OperationError, encode};
use crate::api::outcome::{Lost, NotSent, Observed};
use crate::api::{Call, Client, Json, Token, TokenError, TokenKeeper};
use crate::text::{duration, shortened};

use super::word::believable_awb;

/// Orders known to be booked, and numbers never sent, that a denial needs.
pub const CALIBRATION: usize = 3;

/// Asks the service for one order at a time.
#[derive(Debug)]
pub struct Finder {
    client: Client,
    tokens: TokenKeeper,
    entry: Entry,
}

/// An order in doubt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Doubtful {
    /// The order number.
    pub number: String,
    /// When its last attempt began, epoch milliseconds.
    pub sent_ms: i64,
}

/// What the look-up says of an order in doubt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Finding {
    /// It is booked.
    Booked {
        /// Its AWB.
        awb: String,
        /// The evidence.
        because: String,
    },
    /// It is not booked.
    NotBooked {
        /// The evidence.
        because: String,
    },
    /// It stays in doubt.
    Unclear {
        /// Why.
        why: String,
    },
}

/// Why nothing can be looked up.
#[derive(Debug, thiserror::Error)]
pub enum LookUpError {
    /// The configuration names none.
    #[error(transparent)]
    Operation(#[from] OperationError),
    /// A look-up that could change something.
    #[error("[operations.find_order] method = \"{0}\": a look-up must be a GET, which changes nothing")]
    NotAGet(&'static str),
    /// There is no token.
    #[error("no token could be had")]
    Token(#[from] TokenError),
    /// The configured fields, or the service's books, are not what they seem.
    #[error(
        "order {order} is booked with AWB {ours}, and the look-up says {theirs}: nothing it says can be used; check \
         [operations.find_order.fields] awb in shipsheet.toml"
    )]
    Contradicts {
        /// The order.
        order: String,
        /// Our AWB.
        ours: String,
        /// What came back.
        theirs: String,
    },
}

/// What one question came to.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Answer {
    /// The order, with this AWB.
    Shipment(String),
    /// No such order, as it seems.
    Nothing {
        /// Two answers are alike if these are equal.
        said: String,
        /// Why it could not be read, where it may say something all the same.
        unread: Option<String>,
    },
    /// Anything else.
    Unclear(String),
}

/// What the first questions of a session came to.
#[derive(Debug)]
enum Calibration {
    /// This is how the service says that it does not know an order.
    Nothing(String),
    /// A denial cannot be believed.
    Missing(String),
}

impl Finder {
    /// A finder, if the configuration says how.
    pub fn new(client: Client, tokens: TokenKeeper, entry: Entry) -> Result<Self, LookUpError> {
        if entry.method != Method::Get {
            return Err(LookUpError::NotAGet(entry.method.as_str()));
        }
        call(&entry, "x")?;
        Ok(Self { client, tokens, entry })
    }

    /// Looks orders up, one after the other. `known` are orders booked lately with their AWBs, latest first; `settling`
    /// is how long the service may take to show a booking.
    pub async fn find(
        &self,
        known: &[(String, String)],
        doubts: &[Doubtful],
        settling: Duration,
        now_ms: i64,
    ) -> Result<Vec<(String, Finding)>, LookUpError> {
        let calibration = self.calibrate(known, doubts).await?;
        let mut findings = Vec::with_capacity(doubts.len());
        for doubt in doubts {
            let answer = self.ask(&doubt.number).await?;
            let waited = Duration::from_millis(u64::try_from(now_ms - doubt.sent_ms).unwrap_or(0));
            findings.push((doubt.number.clone(), judge(answer, &calibration, waited, settling)));
        }
        let denies = findings.iter().any(|(_, finding)| matches!(finding, Finding::NotBooked { .. }));
        if denies && let Some(why) = self.gone(known).await? {
            for (_, finding) in &mut findings {
                if matches!(finding, Finding::NotBooked { .. }) {
                    *finding = Finding::Unclear { why: why.clone() };
                }
            }
        }
        Ok(findings)
    }

    async fn calibrate(&self, known: &[(String, String)], doubts: &[Doubtful]) -> Result<Calibration, LookUpError> {
        let mut agreeing = 0;
        let mut missing = None;
        for (number, ours) in known.iter().take(CALIBRATION) {
            match self.ask(number).await? {
                Answer::Shipment(theirs) if theirs == *ours => agreeing += 1,
                Answer::Shipment(theirs) => {
                    let (order, ours) = (number.clone(), ours.clone());
                    return Err(LookUpError::Contradicts { order, ours, theirs });
                }
                Answer::Nothing { unread: None, .. } => {
                    missing = Some(format!("it does not find order {number}, which is booked"));
                }
                Answer::Nothing { unread: Some(why), .. } | Answer::Unclear(why) => {
                    missing = Some(format!("asked for order {number}, which is booked: {why}"));
                }
            }
        }
        if let Some(why) = missing {
            return Ok(Calibration::Missing(why));
        }
        if agreeing < CALIBRATION {
            let why =
                format!("the ledger has only {agreeing} booked orders to test it with, and {CALIBRATION} are needed");
            return Ok(Calibration::Missing(why));
        }
        let like = doubts.first().map_or("ORDER", |doubt| doubt.number.as_str());
        let mut nothing: Option<String> = None;
        for _ in 0..CALIBRATION {
            let number = never_sent(like);
            match (self.ask(&number).await?, &nothing) {
                (Answer::Nothing { said, .. }, None) => nothing = Some(said),
                (Answer::Nothing { said, .. }, Some(before)) if said == *before => {}
                (Answer::Nothing { .. }, Some(_)) => {
                    return Ok(Calibration::Missing(
                        "it answers differently to numbers that were never sent".to_owned(),
                    ));
                }
                (Answer::Shipment(awb), _) => {
                    return Ok(Calibration::Missing(format!("it has AWB {awb} for a number that was never sent")));
                }
                (Answer::Unclear(why), _) => {
                    return Ok(Calibration::Missing(format!("asked for a number that was never sent: {why}")));
                }
            }
        }
        Ok(Calibration::Nothing(nothing.unwrap_or_default()))
    }

    /// Whether the service still finds at the end what it found at the beginning.
    async fn gone(&self, known: &[(String, String)]) -> Result<Option<String>, LookUpError> {
        let Some((number, ours)) = known.first() else { return Ok(Some("nothing to test it with".to_owned())) };
        Ok(match self.ask(number).await? {
            Answer::Shipment(theirs) if theirs == *ours => None,
            _ => Some(format!("it found order {number} at first and no longer does")),
        })
    }

    async fn ask(&self, number: &str) -> Result<Answer, LookUpError> {
        let (token, generation) = self.tokens.current().await?;
        let mut observed = self.send(&token, number).await?;
        if matches!(&observed, Observed::Reply(reply) if reply.status == 401) {
            // A token that cannot be renewed leaves the 401 as the answer, which is unclear.
            if let Ok((token, _)) = self.tokens.renew(generation).await {
                observed = self.send(&token, number).await?;
            }
        }
        Ok(read(&self.entry, number, &observed))
    }

    async fn send(&self, token: &Token, number: &str) -> Result<Observed, LookUpError> {
        Ok(self.client.send(Some(token), call(&self.entry, number)?).await)
    }
}

/// The question for one order; where the path has no place for its number, the number goes into the query.
fn call(entry: &Entry, number: &str) -> Result<Call, OperationError> {
    let names = ["orderNumber", "order_number"].map(|name| (name.to_owned(), number.to_owned()));
    let placed = entry.placed(&names);
    let keyed = vec![(entry.key("order_number").to_owned(), number.to_owned())];
    Call::new(entry, if placed.is_empty() { &keyed } else { &placed }, None)
}

/// What an answer says of an order number.
fn read(entry: &Entry, number: &str, observed: &Observed) -> Answer {
    let reply = match observed {
        Observed::Reply(reply) => reply,
        Observed::NotSent(NotSent::Tls(why) | NotSent::Unreachable(why)) => {
            return Answer::Unclear(format!("the service could not be reached: {why}"));
        }
        Observed::Lost(Lost::TimedOut) => return Answer::Unclear("no answer came in time".to_owned()),
        Observed::Lost(Lost::Broken(why) | Lost::Partial { why, .. } | Lost::Unbelievable { why, .. }) => {
            return Answer::Unclear(format!("the answer was lost: {why}"));
        }
    };
    let text = String::from_utf8_lossy(&reply.body);
    let nothing = |unread| Answer::Nothing { said: format!("{} {}", reply.status, without(&text, number)), unread };
    if reply.status == 404 || reply.status == 204 {
        return nothing(None);
    }
    if reply.status != 200 {
        return Answer::Unclear(format!("it answered HTTP {}: {}", reply.status, shortened(text.trim(), 120)));
    }
    let Some(json) = Json::parse(&reply.body) else {
        return Answer::Unclear(NotUnderstood::of(entry, "it is not JSON", &reply.body, None).to_string());
    };
    // An answer that says no, or names neither, is like that to a number that was never sent, or proves nothing.
    let objects = match told(entry, &json, &["order_number", "awb"]) {
        Ok(objects) => objects,
        Err(misread) => return nothing(Some(misread.to_string())),
    };
    let told = match objects.as_slice() {
        [] => return nothing(None),
        [one] => one,
        _ => return Answer::Unclear("it answered with several shipments".to_owned()),
    };
    match (told.name("order_number"), told.name("awb")) {
        (Some(order), Some(awb)) if order == number => match believable_awb(&awb) {
            Some(awb) => Answer::Shipment(awb),
            None => Answer::Unclear(
                "it knows the order, and what stands at [operations.find_order.fields] awb is no AWB".to_owned(),
            ),
        },
        (Some(order), None) if order == number => {
            Answer::Unclear(told.unread("it knows the order, and names no AWB", &["awb"]).to_string())
        }
        _ => Answer::Unclear(without_number(entry, number, told)),
    }
}

/// What is said of an answer that does not name the order where it should; the place where its number stands is the setting.
fn without_number(entry: &Entry, number: &str, told: &Told<'_>) -> String {
    let what = "it does not name the order";
    let mut place = None;
    told.json().each(&mut |pointer, json| {
        if place.is_none() && json.text() == Some(number) {
            place = Some(format!("[operations.find_order.fields] order_number = \"{pointer}\""));
        }
    });
    match place {
        Some(setting) => NotUnderstood::of(entry, what, told.json().to_string().as_bytes(), Some(setting)).to_string(),
        None => told.unread(what, &["order_number"]).to_string(),
    }
}

/// What the same answer would be for any other number.
fn without(text: &str, number: &str) -> String {
    text.replace(number, "…").replace(&encode(number), "…").trim().to_owned()
}

fn judge(answer: Answer, calibration: &Calibration, waited: Duration, settling: Duration) -> Finding {
    let said = match answer {
        Answer::Shipment(awb) => {
            let because = format!("the look-up find_order names the order with AWB {awb}");
            return Finding::Booked { awb, because };
        }
        Answer::Unclear(why) => return Finding::Unclear { why },
        Answer::Nothing { said, .. } => said,
    };
    let why = match calibration {
        Calibration::Missing(why) => format!("not found, which proves nothing: {why}"),
        Calibration::Nothing(usual) if *usual != said => {
            "not found, but with another answer than for numbers that were never sent".to_owned()
        }
        Calibration::Nothing(_) if waited < settling => format!(
            "not found, {} after it was sent; the service is given {} to show a booking: look again later",
            duration(waited),
            duration(settling)
        ),
        Calibration::Nothing(_) => {
            let because = format!(
                "the look-up find_order does not know it {} after it was sent; in the same session it gave our AWBs for \
                 {CALIBRATION} booked orders and this same answer for {CALIBRATION} numbers never sent",
                duration(waited)
            );
            return Finding::NotBooked { because };
        }
    };
    Finding::Unclear { why }
}

/// A number of the same kind that nobody has sent.
fn never_sent(like: &str) -> String {
    format!("{like}X{:08}", fastrand::u32(..100_000_000))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::operation::{FIND_ORDER, Operations};
    use crate::api::outcome::Reply;

    fn answered(status: u16, body: &str) -> Observed {
        Observed::Reply(Reply { status, body: body.as_bytes().to_vec(), ..Reply::default() })
    }

    #[test]
    fn answers_are_read_by_the_configured_fields() {
        let entry = Operations::default().of(&FIND_ORDER);
        let said = |status, body: &str| read(&entry, "A-1", &answered(status, body));
        let shipment = |awb: &str| Answer::Shipment(awb.to_owned());
        assert_eq!(
            said(200, r#"{"orderNumber":"A-1","trackingCode":"AWB 1 "}"#),
            Answer::Unclear(
                "it knows the order, and what stands at [operations.find_order.fields] awb is no AWB".to_owned()
            )
        );
        assert_eq!(said(200, r#"{"orderNumber":"A-1","trackingCode":"W123"}"#), shipment("W123"));
        assert_eq!(said(200, r#"{"orderNumber":"A-1","trackingCode":14134010123456}"#), shipment("14134010123456"));
        for unclear in [
            r#"{"orderNumber":"A-2","trackingCode":"W1"}"#,
            r#"{"orderNumber":"A-1","trackingCode":null}"#,
            r#"{"orderNumber":"A-1","trackingCode":1.5e20}"#,
            r#"{"trackingCode":"W1"}"#,
            "<html>",
        ] {
            assert!(matches!(said(200, unclear), Answer::Unclear(_)), "{unclear}");
        }
        for status in [201, 301, 400, 401, 403, 429, 500, 503] {
            assert!(matches!(said(status, "{}"), Answer::Unclear(_)), "{status}");
        }
        assert!(matches!(read(&entry, "A-1", &Observed::Lost(Lost::TimedOut)), Answer::Unclear(_)));
    }

    #[test]
    fn two_answers_of_nothing_differ_in_the_number_only() {
        let entry = Operations::default().of(&FIND_ORDER);
        let said = |number: &str, status, body: &str| read(&entry, number, &answered(status, body));
        let one = said("A 1", 404, r#"{"message":"no order A 1 (A%201)"}"#);
        assert_eq!(one, said("B-2", 404, r#"{"message":"no order B-2 (B-2)"}"#));
        assert_ne!(one, said("B-2", 404, r#"{"message":"no such tenant"}"#));
        assert_eq!(said("A", 200, "[]"), said("B", 200, "[]"));
        assert_ne!(said("A", 200, "[]"), said("B", 404, "[]"));
    }

    #[test]
    fn a_denial_needs_calibration_the_same_answer_and_time() {
        let usual = Calibration::Nothing("404 x".to_owned());
        let (minute, hour) = (Duration::from_mins(1), Duration::from_hours(1));
        let nothing = |said: &str| Answer::Nothing { said: said.to_owned(), unread: None };
        let denied = |finding: &Finding| matches!(finding, Finding::NotBooked { .. });
        assert!(denied(&judge(nothing("404 x"), &usual, hour, minute)));
        assert!(!denied(&judge(nothing("404 x"), &usual, minute, hour)));
        assert!(!denied(&judge(nothing("404 y"), &usual, hour, minute)));
        assert!(!denied(&judge(nothing("404 x"), &Calibration::Missing("x".to_owned()), hour, minute)));
        assert!(!denied(&judge(Answer::Unclear("x".to_owned()), &usual, hour, minute)));
        let missing = Calibration::Missing("x".to_owned());
        let booked = judge(Answer::Shipment("W1".to_owned()), &missing, minute, hour);
        assert!(matches!(booked, Finding::Booked { awb, .. } if awb == "W1"));
    }
}
