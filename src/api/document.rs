//! Labels and invoices: a PDF itself, or an address where one lies.

use super::answer::{NotUnderstood, ShipmentRef, Told, told};
use super::caller::{CallError, Caller, naming};
use super::json::Json;
use super::operation::{Entry, INVOICE, LABEL, LABEL_URL};
use super::outcome::{Lost, NotSent, Observed};
use super::service::is_pdf;

/// A label or an invoice longer than this is not read to its end.
const DOCUMENT_BYTES_MAX: usize = 16 << 20;
/// Where a document is that cannot be fetched.
const ELSEWHERE: &str = "take it from the courier's portal";

impl Caller {
    /// A label as PDF, by whichever way the service gives it.
    ///
    /// The address of the label is asked for first; where that is not known here, or what lies there is not for us, the
    /// label itself. Where neither way leads to it, both are told.
    pub async fn label<'s>(&self, shipment: impl Into<ShipmentRef<'s>>) -> Result<Vec<u8>, CallError> {
        let shipment = shipment.into();
        let by_url = match self.document(&self.entry(&LABEL_URL), &shipment).await {
            Err(CallError::Refused {
                operation,
                status: status @ (200 | 401 | 403 | 404 | 405 | 410 | 501),
                message,
                keys,
            }) => Some((operation, status, message, keys)),
            Err(CallError::Operation(_)) => None,
            other => return other,
        };
        let itself = self.document(&self.entry(&LABEL), &shipment).await;
        match (itself, by_url) {
            (Err(error), Some((operation, status, message, keys))) if !stops(&error) => {
                Err(CallError::Refused { operation, status, message: format!("{message}; and {error}"), keys })
            }
            (itself, _) => itself,
        }
    }

    /// An invoice as PDF.
    pub async fn invoice<'s>(&self, shipment: impl Into<ShipmentRef<'s>>) -> Result<Vec<u8>, CallError> {
        self.document(&self.entry(&INVOICE), &shipment.into()).await
    }

    /// A PDF: given itself, or by an address that is fetched.
    async fn document(&self, entry: &Entry, shipment: &ShipmentRef<'_>) -> Result<Vec<u8>, CallError> {
        let reply = self.call(entry, &naming(entry, shipment)?, None, DOCUMENT_BYTES_MAX).await?;
        if is_pdf(&reply.body) {
            return Ok(reply.body);
        }
        let answer = Json::parse(&reply.body).ok_or_else(|| {
            NotUnderstood::of(entry, "it is neither a PDF nor JSON with an address", &reply.body, None)
        })?;
        let objects = told(entry, &answer, &["url"])?;
        let url = objects.first().and_then(|told| told.text("url"));
        let unread = || Told::of(entry, &answer).unread("it names no address", &["url"]);
        self.file(entry, &url.ok_or_else(unread)?).await
    }

    /// What lies at an address: without the token first; with it where the service itself has it and asks for it.
    async fn file(&self, entry: &Entry, url: &str) -> Result<Vec<u8>, CallError> {
        let operation = entry.operation.name;
        let none = |what: String| CallError::NoDocument { operation, what };
        let client = self.client();
        if !client.fetches(url) {
            let why = "the answer names no whole https address, and no other is fetched";
            return Err(none(format!("{why}; {ELSEWHERE}")));
        }
        self.pace().turn().await?;
        let mut observed = client.fetch(url, DOCUMENT_BYTES_MAX).await;
        let asks =
            |observed: &Observed| matches!(observed, Observed::Reply(reply) if matches!(reply.status, 401 | 403));
        if asks(&observed) && client.opens(url) {
            self.pace().turn().await?;
            let (token, _) = self.tokens().fresh().await?;
            observed = client.fetch_own(&token, url, DOCUMENT_BYTES_MAX).await;
        }
        match observed {
            Observed::Reply(reply) if reply.status == 200 && is_pdf(&reply.body) => Ok(reply.body),
            Observed::Reply(reply) if reply.status == 200 => Err(none("what lies at its address is no PDF".to_owned())),
            Observed::Reply(reply) if (300..400).contains(&reply.status) => Err(none(format!(
                "the address leads elsewhere (HTTP {}), and redirects are never followed; {ELSEWHERE}",
                reply.status
            ))),
            Observed::Reply(reply) => {
                let message = format!("nothing is to be had at its address (HTTP {})", reply.status);
                Err(CallError::Refused { operation, status: reply.status, message, keys: None })
            }
            Observed::NotSent(NotSent::Unreachable(why) | NotSent::Tls(why)) => {
                Err(CallError::Unreachable { operation, why })
            }
            Observed::Lost(Lost::TimedOut) => Err(CallError::TimedOut { operation, changes: false }),
            Observed::Lost(Lost::Broken(why) | Lost::Partial { why, .. } | Lost::Unbelievable { why, .. }) => {
                Err(CallError::Lost { operation, why, changes: false })
            }
        }
    }
}

/// Whether an error ends all calls, whatever this one was about.
const fn stops(error: &CallError) -> bool {
    matches!(error, CallError::Stopped | CallError::Unauthorized | CallError::Token(_))
}
