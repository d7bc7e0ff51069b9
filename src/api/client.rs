//! The HTTP client: one call is one POST on the wire.

use std::error::Error as _;
use std::path::PathBuf;
use std::sync::Once;
use std::time::Duration;

use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use reqwest::{Certificate, Method, redirect, retry};

use super::endpoint::Endpoint;
use super::operation::{FORWARD_SHIPMENT, Operation, REGISTER_WEBHOOK};
use super::outcome::{Lost, NotSent, Observed, Reply};
use super::token::Token;
use super::wire::WebhookRequest;

/// Answers longer than this are not read to their end.
const ANSWER_BYTES_MAX: usize = 1 << 20;

/// Kept-alive connections are dropped well before a server does it: a request sent on a closing one ends in doubt.
const POOL_IDLE: Duration = Duration::from_secs(15);

/// How to reach the service.
#[derive(Debug, Clone)]
pub struct ClientOptions {
    /// Where it is.
    pub endpoint: Endpoint,
    /// Up to the connection; below `request_timeout`, so that running into it proves that nothing was sent.
    pub connect_timeout: Duration,
    /// From the start to the last byte of the answer.
    pub request_timeout: Duration,
    /// A further certificate authority, PEM.
    pub ca_file: Option<PathBuf>,
    /// Whether the proxy that the environment names is used.
    pub environment_proxy: bool,
    /// Idle connections that are kept.
    pub connections_max: usize,
}

/// Why there is no client.
#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    /// The certificate file.
    #[error("cannot use ca_file {}: {reason}", path.display())]
    CaFile {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// Anything else, most likely a machine without certificates.
    #[error("cannot prepare secure connections: {0}; install this system's CA certificates, or name a ca_file")]
    Unready(String),
}

/// Talks to the service. Clones share their connections.
#[derive(Debug, Clone)]
pub struct Client {
    http: reqwest::Client,
    endpoint: Endpoint,
}

impl Client {
    /// A client without redirects, automatic retries, cookies or HTTP/2: each would send more than was asked for.
    pub fn new(options: ClientOptions) -> Result<Self, ClientError> {
        static PROVIDER: Once = Once::new();
        PROVIDER.call_once(|| {
            // Whoever embeds this library may have installed one already; that one serves as well.
            let _ = rustls::crypto::ring::default_provider().install_default();
        });
        let mut builder = reqwest::Client::builder()
            .user_agent(concat!("shipsheet/", env!("CARGO_PKG_VERSION")))
            .http1_only()
            .redirect(redirect::Policy::none())
            .retry(retry::never())
            .referer(false)
            .connect_timeout(options.connect_timeout)
            .timeout(options.request_timeout)
            .pool_idle_timeout(POOL_IDLE)
            .pool_max_idle_per_host(options.connections_max)
            .tcp_nodelay(true);
        if !options.environment_proxy {
            builder = builder.no_proxy();
        }
        if let Some(path) = &options.ca_file {
            let failed = |reason: String| ClientError::CaFile { path: path.clone(), reason };
            let pem = std::fs::read(path).map_err(|error| failed(error.to_string()))?;
            let certificates = Certificate::from_pem_bundle(&pem).map_err(|error| failed(error.to_string()))?;
            if certificates.is_empty() {
                return Err(failed("it holds no certificate".to_owned()));
            }
            builder = builder.tls_certs_merge(certificates);
        } else if options.endpoint.is_plain() {
            // Loopback needs no certificates, and there may be none on this machine.
            builder = builder.tls_certs_only([]);
        }
        let http = builder.build().map_err(|error| ClientError::Unready(root_cause(&error)))?;
        Ok(Self { http, endpoint: options.endpoint })
    }

    /// Books one forward shipment, version 2. Makes at most one POST, whatever happens.
    pub async fn forward_shipment(&self, token: &Token, body: Vec<u8>) -> Observed {
        self.post(FORWARD_SHIPMENT, token, body).await
    }

    /// Registers an endpoint for tracking events.
    pub async fn register_webhook(&self, token: &Token, request: &WebhookRequest) -> Observed {
        match serde_json::to_vec(request) {
            Ok(body) => self.post(REGISTER_WEBHOOK, token, body).await,
            Err(error) => Observed::NotSent(NotSent::Unreachable(error.to_string())),
        }
    }

    async fn post(&self, operation: Operation, token: &Token, body: Vec<u8>) -> Observed {
        let Some(path) = operation.path else {
            return Observed::NotSent(NotSent::Unreachable(format!("{} has no known path", operation.name)));
        };
        let Ok(mut bearer) = HeaderValue::from_str(&token.bearer()) else {
            return Observed::NotSent(NotSent::Unreachable("the token does not fit into a header".to_owned()));
        };
        bearer.set_sensitive(true);
        let request = self
            .http
            .request(Method::POST, self.endpoint.join(path))
            .header(reqwest::header::AUTHORIZATION, bearer)
            .header(CONTENT_TYPE, "application/json")
            .body(body);
        match request.send().await {
            Ok(response) => read(response).await,
            Err(error) => unanswered(&error),
        }
    }
}

/// Reads an answer up to the cap.
async fn read(mut response: reqwest::Response) -> Observed {
    let status = response.status().as_u16();
    let headers = std::mem::take(response.headers_mut());
    let mut body = Vec::new();
    loop {
        let why = match response.chunk().await {
            Ok(Some(chunk)) if body.len() + chunk.len() <= ANSWER_BYTES_MAX => {
                body.extend_from_slice(&chunk);
                continue;
            }
            Ok(None) => break,
            Ok(Some(_)) => "the answer is longer than 1 MiB".to_owned(),
            Err(error) if error.is_timeout() => "the answer did not end in time".to_owned(),
            Err(error) => format!("the answer was cut off: {}", root_cause(&error)),
        };
        return Observed::Lost(Lost::Partial { status, body, why });
    }
    let text = |name: HeaderName| header(&headers, &name);
    Observed::Reply(Reply {
        status,
        date: text(reqwest::header::DATE),
        retry_after: text(reqwest::header::RETRY_AFTER),
        location: text(reqwest::header::LOCATION),
        body,
    })
}

fn header(headers: &HeaderMap, name: &HeaderName) -> Option<String> {
    headers.get(name).and_then(|value| value.to_str().ok()).map(str::to_owned)
}

/// Only a connection that never came to be proves that nothing was sent.
fn unanswered(error: &reqwest::Error) -> Observed {
    if error.is_connect() {
        let cause = root_cause(error);
        return Observed::NotSent(if is_tls(error) { NotSent::Tls(cause) } else { NotSent::Unreachable(cause) });
    }
    if error.is_builder() {
        return Observed::NotSent(NotSent::Unreachable(root_cause(error)));
    }
    Observed::Lost(if error.is_timeout() { Lost::TimedOut } else { Lost::Broken(root_cause(error)) })
}

fn is_tls(error: &reqwest::Error) -> bool {
    let mut cause = error.source();
    while let Some(inner) = cause {
        if inner.is::<rustls::Error>() {
            return true;
        }
        // An input/output error keeps what it wraps where `source` does not look.
        if let Some(wrapped) = inner.downcast_ref::<std::io::Error>().and_then(std::io::Error::get_ref)
            && (wrapped.is::<rustls::Error>()
                || wrapped.source().is_some_and(<dyn std::error::Error>::is::<rustls::Error>))
        {
            return true;
        }
        cause = inner.source();
    }
    false
}

/// The innermost reason, which is the one that people can act on.
fn root_cause(error: &reqwest::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        text = inner.to_string();
        cause = inner.source();
    }
    text
}
