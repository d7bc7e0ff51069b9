//! `webhook`: registers addresses for tracking events, and receives the events.

use std::io::Write;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Mutex;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use jiff::Timestamp;
use serde_json::json;
use tokio::net::TcpListener;

use crate::after::receiver::{CONNECTIONS_MAX, Event, receive};
use crate::api::wire::WebhookRequest;
use crate::api::{Endpoint, EndpointError};
use crate::book::{Stop, StopSignal};
use crate::ledger::{Delivered, Ledger, NewDelivery, Webhook as Record};

use super::Usage;
use super::args::Format;
use super::call::agreed;
use super::console::{listen_for_signals, note, print, print_json, print_json_line};
use super::exit::Exit;
use super::ledger::lock_ledger;
use super::room::{FILES_PER_REQUEST, make_room, runtime};
use super::service_args::Webhook;
use super::session::{Line, host, user};
use super::settings::{Service, Settings};
use super::status::when;

/// Another program may hold the ledger for so long while an event waits.
const PATIENCE: Duration = Duration::from_millis(500);

pub(super) fn webhook(settings: &Settings, command: &Webhook) -> Result<Exit> {
    match command {
        Webhook::Register { url, disabled, content_type, yes } => {
            let request = WebhookRequest { url: url.clone(), enabled: !disabled, content_type: content_type.clone() };
            register(settings, &request, *yes)
        }
        Webhook::List => list(settings),
        Webhook::Listen { port, secret } => listen(settings, *port, secret.clone()),
    }
}

/// An absolute https address that the whole world can reach; this machine's own where the service is on it as well.
fn check_url(settings: &Settings, url: &str) -> Result<()> {
    let is_local_service = match &settings.service {
        Service::Sandbox => true,
        Service::At(endpoint) => endpoint.as_ref().is_some_and(Endpoint::is_plain),
    };
    let endpoint = match Endpoint::parse(url) {
        Ok(endpoint) => endpoint,
        Err(EndpointError::Plain(_)) => bail!(Usage(format!("--url {url} is plain http: tracking events need https"))),
        Err(EndpointError::Decorated) => bail!(Usage(
            "--url has a user name, a password, ? or # in it, and none of these is registered: put what only the service \
             shall know into the path, as `webhook listen --secret` takes it: https://host/SECRET"
                .to_owned()
        )),
        Err(error) => bail!(Usage(format!("--url: {error}"))),
    };
    if endpoint.is_private() && !is_local_service {
        bail!(Usage(format!("--url {url} is an address of a private network: the service cannot reach it")));
    }
    Ok(())
}

fn register(settings: &Settings, request: &WebhookRequest, yes: bool) -> Result<Exit> {
    check_url(settings, &request.url)?;
    let service = settings.service_key()?;
    let state = if request.enabled { "" } else { ", switched off" };
    note(format!("register {} for {}{state} at {service}", request.url, request.content_type));
    agreed(settings, yes, "Register this address?")?;
    let mut ledger = Ledger::open_locked(lock_ledger(settings, "webhook")?)?;
    let runtime = runtime()?;
    let line = Line::connect(settings, 1, &runtime)?;
    let mut record = Record {
        service,
        endpoint_id: String::new(),
        url: request.url.clone(),
        enabled: request.enabled,
        content_type: request.content_type.clone(),
        registered_ms: Timestamp::now().as_millisecond(),
        user: user(),
        host: host(),
    };
    let endpoint = match runtime.block_on(line.caller().register(request)) {
        Ok(endpoint) => endpoint,
        Err(error) if error.may_be_done() => {
            ledger.registered(&record).context("it may be registered, but that could not be kept")?;
            note(format!("nobody knows whether it is registered: {error}"));
            note("ask the service before you register it again: every event would come twice");
            return Ok(Exit::InDoubt);
        }
        Err(error) => return Err(error.into()),
    };
    record.endpoint_id.clone_from(&endpoint.endpoint_id);
    record.url.clone_from(&endpoint.url);
    (record.enabled, record.content_type) = (endpoint.enabled, endpoint.content_type.clone());
    let kept = ledger.registered(&record);
    kept.with_context(|| format!("it is registered as {}, but that could not be kept", endpoint.endpoint_id))?;
    if settings.format == Format::Json {
        print_json(&endpoint)?;
    } else {
        print(format!("registered as {}\n", endpoint.endpoint_id).as_bytes())?;
    }
    Ok(Exit::Done)
}

fn list(settings: &Settings) -> Result<Exit> {
    let service = settings.service_key()?;
    let records = settings.read_ledger()?.webhooks(&service)?;
    if settings.format == Format::Json {
        print_json(&records)?;
        return Ok(Exit::Done);
    }
    if records.is_empty() {
        note("no address was registered from here");
    }
    let mut text = Vec::new();
    for record in &records {
        let state = if record.enabled { "on " } else { "off" };
        let id = if record.endpoint_id.is_empty() { "(answer unknown)" } else { &record.endpoint_id };
        writeln!(text, "{}  {state}  {id}  {}", when(record.registered_ms), record.url)?;
    }
    print(&text)?;
    Ok(Exit::Done)
}

fn listen(settings: &Settings, port: u16, secret: Option<String>) -> Result<Exit> {
    let service = settings.service_key()?;
    let secret = secret.unwrap_or_else(|| format!("{:032x}", fastrand::u128(..)));
    if secret.len() < 16 || !secret.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte)) {
        bail!(Usage("the secret needs at least 16 letters, digits, - or _".to_owned()));
    }
    // Each connection is one file.
    make_room(CONNECTIONS_MAX.div_ceil(FILES_PER_REQUEST))?;
    let ledger = Ledger::open(&settings.ledger)?;
    // A sender that hears soon that its event is not kept comes again; one that waits may give up.
    ledger.wait_at_most(PATIENCE)?;
    let ledger = Mutex::new(ledger);
    let as_json = settings.format == Format::Json;
    let keep = move |event: Event| match kept(&ledger, &service, &event) {
        Ok(Delivered::Repeated) => true,
        Ok(Delivered::Kept(order)) => {
            // What is printed is what the event says, and no more than that.
            let _ = shown(as_json, order.as_deref(), &event);
            true
        }
        Err(error) => {
            note(format!("warning: an event could not be kept, and the service may send it again: {error}"));
            false
        }
    };
    runtime()?.block_on(async {
        let address = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), port);
        let listener = TcpListener::bind(address)
            .await
            .with_context(|| format!("cannot listen on {address}; another port: --port 0"))?;
        let url = format!("http://{}/{secret}", listener.local_addr()?);
        note(format!("listening on {url}; an event is a hint and changes no order"));
        let stop = StopSignal::default();
        listen_for_signals(stop.clone());
        let mut watch = stop.watch();
        let stopped = async { while *watch.borrow_and_update() == Stop::No && watch.changed().await.is_ok() {} };
        tokio::select! {
            () = receive(listener, secret, keep) => {}
            () = stopped => {}
        }
        Ok(Exit::Done)
    })
}

fn kept(ledger: &Mutex<Ledger>, service: &str, event: &Event) -> Result<Delivered> {
    let mut ledger = ledger.lock().map_err(|_| anyhow::anyhow!("an earlier event failed"))?;
    let delivery = NewDelivery {
        sha256: event.sha256,
        received_ms: Timestamp::now().as_millisecond(),
        content_type: event.content_type.as_deref(),
        body: &event.body,
        names: &event.names,
    };
    Ok(ledger.deliver(service, &delivery)?)
}

fn shown(as_json: bool, order: Option<&str>, event: &Event) -> Result<()> {
    if as_json {
        let line = json!({"order_number": order, "status": event.status, "bytes": event.body.len()});
        return print_json_line(&line);
    }
    let about = order.map_or_else(|| "no order of this ledger".to_owned(), |order| format!("order {order}"));
    let said = event.status.as_deref().unwrap_or("an event without a status");
    print(format!("{about}: {said}\n").as_bytes())
}
