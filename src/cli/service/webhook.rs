//! `service webhook`: registers addresses for tracking events, and receives the events.

use std::io::Write;

use anyhow::Result;
use clap::Subcommand;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, to_value};

use crate::api::service::Registration;
use crate::api::wire::WebhookRequest;
use crate::app::{Exit, Received, Registered};
use crate::cli::connect::settle_service;
use crate::cli::console::{listen_for_signals, note, print};
use crate::cli::document::{Kind, print_document, print_line};
use crate::cli::global::Format;
use crate::cli::session::agreed_to;
use crate::cli::settings::Settings;
use crate::ledger;
use crate::text::moment;

#[derive(Debug, Subcommand)]
pub(in crate::cli) enum Webhook {
    /// Register an address for tracking events
    ///
    /// Shows the address and asks first. What the service answers is kept in the ledger.
    Register {
        /// The absolute address that receives the events; over plain http anybody on the way could read them
        #[arg(long)]
        url: String,
        /// Register it without switching it on
        #[arg(long)]
        disabled: bool,
        /// The content type of the events
        #[arg(long, value_name = "TYPE", default_value = "application/json")]
        content_type: String,
        /// Do not ask before registering
        #[arg(long, short)]
        yes: bool,
    },
    /// List the addresses that were registered from here
    List,
    /// Receive tracking events on this machine
    ///
    /// Each event is kept in the ledger as it came, before it is answered; a repeat is answered and dropped. An event is
    /// a hint: it never changes an order. A proxy with TLS in front of it makes it reachable for the service. The last part
    /// of the path is secret: it is what `SHIPSHEET_WEBHOOK_SECRET` holds, else a new one each time.
    Listen {
        /// The port on 127.0.0.1; 0 takes a free one
        #[arg(long, default_value_t = 8081)]
        port: u16,
    },
}

/// The document of `service webhook register`: the service's answer, which may have more keys than these.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[expect(clippy::option_option, reason = "null and left out differ")]
#[schemars(title = "An address that was registered", extend("additionalProperties" = true))]
pub(in crate::cli) struct RegisterDocument {
    /// True; null where nobody knows whether it is registered.
    #[schemars(extend("enum" = [true, null]))]
    registered: Option<bool>,
    /// The service's own id of it; null where it gave none, left out where nobody knows.
    #[serde(skip_serializing_if = "Option::is_none")]
    endpoint_id: Option<Option<String>>,
    /// Where events are delivered.
    url: String,
    /// Whether events are delivered.
    enabled: bool,
    /// The content type of the events.
    content_type: String,
    /// When it was registered: milliseconds since 1970-01-01 UTC, in digits.
    #[serde(skip_serializing_if = "Option::is_none")]
    created_at: Option<Option<String>>,
    /// When it was changed last: milliseconds since 1970-01-01 UTC, in digits.
    #[serde(skip_serializing_if = "Option::is_none")]
    updated_at: Option<Option<String>>,
    /// Why nobody knows whether it is registered; null where it is.
    error: Option<String>,
    exit: Exit,
}

/// The document of `service webhook list`.
#[derive(Serialize, JsonSchema)]
#[schemars(title = "Addresses for tracking events")]
pub(in crate::cli) struct ListDocument {
    /// The addresses that were registered from here.
    webhooks: Vec<ledger::Webhook>,
    exit: Exit,
}

/// The document of `service webhook listen`: one such object on a line for each event, as it comes. An event is a hint and changes no order.
#[derive(Serialize, JsonSchema)]
#[schemars(title = "A tracking event")]
pub(in crate::cli) struct Event<'e> {
    /// The order that it is about; null where it is about none of the ledger.
    order_number: Option<&'e str>,
    /// The status that it names; null where it names none.
    status: Option<&'e str>,
    /// Its length in bytes.
    bytes: usize,
}

pub(super) fn webhook(settings: &Settings, command: &Webhook) -> Result<Exit> {
    match command {
        Webhook::Register { url, disabled, content_type, yes } => {
            let request = WebhookRequest { url: url.clone(), enabled: !disabled, content_type: content_type.clone() };
            register(settings, &request, *yes)
        }
        Webhook::List => list(settings),
        Webhook::Listen { port } => listen(settings, *port),
    }
}

fn register(settings: &Settings, request: &WebhookRequest, yes: bool) -> Result<Exit> {
    if let Some(warning) = settings.app.check_webhook(&request.url)? {
        note(format!("warning: {warning}"));
    }
    let service = settings.service_key()?;
    let state = if request.enabled { "" } else { ", switched off" };
    note(format!("register {} for {}{state} at {service}", request.url, request.content_type));
    agreed_to(settings, yes, "Register this address?")?;
    settle_service(settings)?;
    match settings.app.register_webhook(request)? {
        Registered::Unclear(error) => {
            note(format!("nobody knows whether it is registered: {error}"));
            note("ask the service before you register it again: every event would come twice");
            if settings.format == Format::Json {
                let WebhookRequest { url, enabled, content_type } = request;
                let (url, content_type, error) = (url.clone(), content_type.clone(), Some(error.to_string()));
                let document = RegisterDocument {
                    registered: None,
                    endpoint_id: None,
                    url,
                    enabled: *enabled,
                    content_type,
                    created_at: None,
                    updated_at: None,
                    error,
                    exit: Exit::InDoubt,
                };
                print_document(Kind::ServiceWebhookRegister, &document)?;
            }
            Ok(Exit::InDoubt)
        }
        Registered::Now(endpoint) => {
            if settings.format == Format::Json {
                print_document(Kind::ServiceWebhookRegister, &registered(endpoint, request)?)?;
            } else {
                let id = endpoint.id.as_deref().unwrap_or("(the service gave no id)");
                print(format!("registered as {id}\n").as_bytes())?;
            }
            Ok(Exit::Done)
        }
    }
}

/// The service's answer with what came of it; where both have a key of one name, it is ours.
fn registered(endpoint: Registration, request: &WebhookRequest) -> Result<Value> {
    let own = RegisterDocument {
        registered: Some(true),
        endpoint_id: Some(endpoint.id),
        url: endpoint.url.unwrap_or_else(|| request.url.clone()),
        enabled: endpoint.enabled.unwrap_or(request.enabled),
        content_type: endpoint.content_type.unwrap_or_else(|| request.content_type.clone()),
        created_at: Some(endpoint.created),
        updated_at: Some(endpoint.updated),
        error: None,
        exit: Exit::Done,
    };
    let (mut document, own) = (endpoint.answer.as_object().cloned().unwrap_or_default(), to_value(&own)?);
    document.retain(|key, _| !["document", "version"].contains(&key.as_str()));
    document.extend(own.as_object().cloned().unwrap_or_default());
    Ok(document.into())
}

fn list(settings: &Settings) -> Result<Exit> {
    let service = settings.service_key()?;
    let records = settings.read_ledger()?.webhooks(&service)?;
    if settings.format == Format::Json {
        print_document(Kind::ServiceWebhookList, &ListDocument { webhooks: records, exit: Exit::Done })?;
        return Ok(Exit::Done);
    }
    if records.is_empty() {
        note("no address was registered from here");
    }
    let mut text = Vec::new();
    for record in &records {
        let state = if record.enabled { "on " } else { "off" };
        let id = if record.endpoint_id.is_empty() { "(answer unknown)" } else { &record.endpoint_id };
        writeln!(text, "{}  {state}  {id}  {}", moment(record.registered_ms), record.url)?;
    }
    print(&text)?;
    Ok(Exit::Done)
}

fn listen(settings: &Settings, port: u16) -> Result<Exit> {
    let as_json = settings.format == Format::Json;
    let stop = listen_for_signals()?;
    let secret = settings.config().webhook_secret();
    let is_known = secret.is_some();
    settings.app.receive_events(port, secret, &stop, move |received| match received {
        Received::Listening(url) => {
            // What is read from the environment is told to nobody.
            let host = url.rsplit_once('/').map(|(host, _)| host).filter(|_| is_known);
            let url = host.map_or_else(|| url.clone(), |host| format!("{host}/<SHIPSHEET_WEBHOOK_SECRET>"));
            note(format!("listening on {url}; an event is a hint and changes no order"));
        }
        Received::Unkept(error) => {
            note(format!("warning: an event could not be kept, and the service may send it again: {error}"));
        }
        Received::Kept(order, event) => {
            // What is printed is what the event says, and no more than that.
            let _ = shown(as_json, order, event.status.as_deref(), event.body.len());
        }
    })?;
    Ok(Exit::Done)
}

fn shown(as_json: bool, order: Option<&str>, status: Option<&str>, bytes: usize) -> Result<()> {
    if as_json {
        return print_line(Kind::ServiceWebhookEvent, &Event { order_number: order, status, bytes });
    }
    let about = order.map_or_else(|| "no order of this ledger".to_owned(), |order| format!("order {order}"));
    let said = status.unwrap_or("an event without a status");
    print(format!("{about}: {said}\n").as_bytes())
}
