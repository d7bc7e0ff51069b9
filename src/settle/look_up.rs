//! A look-up by our own order number: it may show a booking, and never denies one.
//!
//! A service that answers "not found" may have booked the order all the same: its index lags behind, it shows only what is
//! recent or active, the configured path is wrong, or it is half down. So a person is told what it said, and decides.

use crate::api::answer::{NotUnderstood, Told, told};
use crate::api::operation::{Entry, Method, OperationError};
use crate::api::outcome::{Lost, NotSent, Observed};
use crate::api::{Call, Client, Json, Token, TokenError, TokenKeeper};
use crate::ledger::Upon;
use crate::text::{bare_awb, shortened};

use super::word::believable_awb;

/// Asks the service for one order at a time.
#[derive(Debug)]
pub(crate) struct Finder {
    client: Client,
    tokens: TokenKeeper,
    entry: Entry,
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
    /// Anything else, and why it shows nothing.
    Unclear(String),
}

impl Finder {
    /// A finder, if the configuration says how.
    pub(crate) fn new(client: Client, tokens: TokenKeeper, entry: Entry) -> Result<Self, LookUpError> {
        if entry.method != Method::Get {
            return Err(LookUpError::NotAGet(entry.method.as_str()));
        }
        call(&entry, "x")?;
        Ok(Self { client, tokens, entry })
    }

    /// Looks orders up, one after the other. `known` are booked orders with their AWBs: a service that names another AWB for
    /// one of them is misread, and shows nothing of the others.
    pub(crate) async fn find(
        &self,
        known: &[(String, String)],
        doubts: Vec<Upon>,
    ) -> Result<Vec<(Upon, Finding)>, LookUpError> {
        for (order, ours) in known {
            if let Answer::Shipment(theirs) = self.ask(order).await?
                && bare_awb(&theirs) != bare_awb(ours)
            {
                return Err(LookUpError::Contradicts { order: order.clone(), ours: ours.clone(), theirs });
            }
        }
        let mut findings = Vec::with_capacity(doubts.len());
        for doubt in doubts {
            let finding = match self.ask(&doubt.number).await? {
                Answer::Shipment(awb) => {
                    let because = format!("the look-up find_order names the order with AWB {awb}");
                    Finding::Booked { awb, because }
                }
                Answer::Unclear(why) => Finding::Unclear { why },
            };
            findings.push((doubt, finding));
        }
        Ok(findings)
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
    let not_shown = || {
        let said = match shortened(text.trim(), 120) {
            said if said.is_empty() => format!("HTTP {}", reply.status),
            said => format!("HTTP {}, {said}", reply.status),
        };
        Answer::Unclear(format!("the service does not show it, which proves nothing ({said})"))
    };
    if reply.status == 404 || reply.status == 204 {
        return not_shown();
    }
    if reply.status != 200 {
        return Answer::Unclear(format!("it answered HTTP {}: {}", reply.status, shortened(text.trim(), 120)));
    }
    let Some(json) = Json::parse(&reply.body) else {
        return Answer::Unclear(NotUnderstood::of(entry, "it is not JSON", &reply.body, None).to_string());
    };
    let objects = match told(entry, &json, &["order_number", "awb"]) {
        Ok(objects) => objects,
        Err(misread) => return Answer::Unclear(misread.to_string()),
    };
    let told = match objects.as_slice() {
        [] => return not_shown(),
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

    /// Promise 6: a look-up that does not show an order proves nothing.
    #[test]
    fn what_the_service_does_not_show_stays_in_doubt() {
        let entry = Operations::default().of(&FIND_ORDER);
        for (status, body) in [(404, ""), (404, r#"{"message":"no order A-1"}"#), (204, ""), (200, "[]"), (200, "{}")] {
            let Answer::Unclear(why) = read(&entry, "A-1", &answered(status, body)) else { panic!("{status} {body}") };
            assert!(!why.is_empty(), "{status} {body}");
        }
        let Answer::Unclear(why) = read(&entry, "A-1", &answered(404, "no such order")) else { panic!() };
        assert_eq!(why, "the service does not show it, which proves nothing (HTTP 404, no such order)");
    }
}
