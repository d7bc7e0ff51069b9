//! Tracking events: addresses are registered for them, and they are received.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Mutex;
use std::time::Duration;

use jiff::Timestamp;
use tokio::net::TcpListener;

use crate::after::receiver::{CONNECTIONS_MAX, Event, receive};
use crate::api::service::Registration;
use crate::api::wire::WebhookRequest;
use crate::api::{CallError, Endpoint, EndpointError};
use crate::book::{Stop, StopSignal};
use crate::config::Service;
use crate::ledger::{Delivered, Ledger, LedgerError, NewDelivery, Webhook};

use super::connect::App;
use super::error::{Error, Misuse, Result};
use super::room::{FILES_PER_REQUEST, make_room};
use super::who::{host, user};

/// Another program may hold the ledger for so long while an event waits.
const PATIENCE: Duration = Duration::from_millis(500);
/// Characters of a secret, at least.
const SECRET_MIN: usize = 16;

/// What came of a registration.
#[derive(Debug)]
pub enum Registered {
    /// It is registered, and kept.
    Now(Registration),
    /// Nobody knows whether it is registered; it is kept as unclear.
    Unclear(CallError),
}

/// What happens while events are received.
#[derive(Debug)]
pub enum Received<'e> {
    /// Events can come to this address.
    Listening(String),
    /// An event is kept; it is about this order, where it is one of the ledger.
    Kept(Option<&'e str>, &'e Event),
    /// An event could not be kept, and the service may send it again.
    Unkept(LedgerError),
}

impl App {
    /// Checks an address for events: an absolute address that the whole world can reach, or this machine's own where the
    /// service is on it as well. Gives what a person should know before it is registered.
    ///
    /// # Errors
    /// Why it cannot be registered.
    pub fn check_webhook(&self, url: &str) -> Result<Option<&'static str>> {
        let wrong = |why: String| Err(Misuse::Webhook(why).into());
        let is_local_service = match self.config.service() {
            Service::Sandbox => true,
            Service::At(endpoint) => endpoint.as_ref().is_some_and(Endpoint::is_plain),
        };
        let endpoint = match Endpoint::for_events(url) {
            Ok(endpoint) => endpoint,
            Err(EndpointError::Decorated) => {
                return wrong(
                    "the address has a user name, a password or # in it, and none of these is registered: put what only \
                     the service shall know into the path: https://host/SECRET"
                        .to_owned(),
                );
            }
            Err(error) => return wrong(error.to_string()),
        };
        if endpoint.is_private() && !is_local_service {
            return wrong(format!("{url} is an address of a private network: the service cannot reach it"));
        }
        let is_open = endpoint.is_plain() && !endpoint.is_this_machine();
        Ok(is_open.then_some("over plain http everyone on the way can read and forge the events; https is safer"))
    }

    /// Registers an address for tracking events, and keeps what came of it.
    ///
    /// # Errors
    /// Another process holds the ledger; the service said no; what it said could not be kept.
    pub fn register_webhook(&self, request: &WebhookRequest) -> Result<Registered> {
        let service = self.config.service_key()?;
        let mut ledger = Ledger::open_locked(self.lock_ledger("webhook")?, &self.watch())?;
        let connection = self.connection(1)?;
        let mut record = Webhook {
            service,
            endpoint_id: String::new(),
            url: request.url.clone(),
            enabled: request.enabled,
            content_type: request.content_type.clone(),
            registered_ms: Timestamp::now().as_millisecond(),
            user: user(),
            host: host(),
        };
        let unkept = |what: String| move |source| Error::Unkept { what, source };
        let endpoint = match self.runtime()?.block_on(connection.caller().register(request)) {
            Ok(endpoint) => endpoint,
            Err(error) if error.may_be_done() => {
                ledger.registered(&record).map_err(unkept("it may be registered".to_owned()))?;
                return Ok(Registered::Unclear(error));
            }
            Err(error) => return Err(error.into()),
        };
        // What the service does not say is as it was asked for.
        record.endpoint_id = endpoint.id.clone().unwrap_or_default();
        record.url = endpoint.url.clone().unwrap_or(record.url);
        record.enabled = endpoint.enabled.unwrap_or(record.enabled);
        record.content_type = endpoint.content_type.clone().unwrap_or(record.content_type);
        let registered = format!("it is registered as {}", endpoint.id.as_deref().unwrap_or("(no id was given)"));
        ledger.registered(&record).map_err(unkept(registered))?;
        Ok(Registered::Now(endpoint))
    }

    /// Receives tracking events on this machine until `stop` says so. Each is kept before it is answered; a repeat is
    /// answered and dropped. An event is a hint, and changes no order.
    ///
    /// # Errors
    /// A secret that is too short, a port that is taken, or a ledger that cannot be opened.
    pub fn receive_events(
        &self,
        port: u16,
        secret: Option<String>,
        stop: &StopSignal,
        hear: impl Fn(Received<'_>) + Send + Sync + 'static,
    ) -> Result<()> {
        let service = self.config.service_key()?;
        let secret = secret.unwrap_or_else(|| format!("{:032x}", fastrand::u128(..)));
        if secret.len() < SECRET_MIN || !secret.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_".contains(&b)) {
            return Err(Misuse::WeakSecret.into());
        }
        // Each connection is one file.
        make_room(CONNECTIONS_MAX.div_ceil(FILES_PER_REQUEST))?;
        let ledger = Ledger::open_at(self.config.site())?;
        // A sender that hears soon that its event is not kept comes again; one that waits may give up.
        ledger.wait_at_most(PATIENCE)?;
        let ledger = Mutex::new(ledger);
        let hear = std::sync::Arc::new(hear);
        let told = std::sync::Arc::clone(&hear);
        let keep = move |event: Event| match kept(&ledger, &service, &event) {
            Ok(Delivered::Repeated) => true,
            Ok(Delivered::Kept(order)) => {
                told(Received::Kept(order.as_deref(), &event));
                true
            }
            Err(error) => {
                told(Received::Unkept(error));
                false
            }
        };
        self.runtime()?.block_on(async {
            let address = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), port);
            let cannot = |source| Error::Listen { address, source };
            let listener = TcpListener::bind(address).await.map_err(cannot)?;
            let url = format!("http://{}/{secret}", listener.local_addr().map_err(cannot)?);
            hear(Received::Listening(url));
            let mut watch = stop.watch();
            let stopped = async { while *watch.borrow_and_update() == Stop::No && watch.changed().await.is_ok() {} };
            tokio::select! {
                () = receive(listener, secret, keep) => {}
                () = stopped => {}
            }
            Ok(())
        })
    }
}

fn kept(ledger: &Mutex<Ledger>, service: &str, event: &Event) -> Result<Delivered, LedgerError> {
    let mut ledger = ledger.lock().map_err(|_| LedgerError::Panicked)?;
    let delivery = NewDelivery {
        sha256: event.sha256,
        received_ms: Timestamp::now().as_millisecond(),
        content_type: event.content_type.as_deref(),
        body: &event.body,
        names: &event.names,
    };
    ledger.deliver(service, &delivery)
}
