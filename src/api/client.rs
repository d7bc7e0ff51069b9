//! The HTTP client: one call is one request on the wire.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use http_body_util::Full;
use hyper::body::Bytes;
use hyper::{Request, Uri};
use reqwest::header::{
    ACCEPT, AUTHORIZATION, CONNECTION, CONTENT_TYPE, HOST, HeaderMap, HeaderName, HeaderValue, USER_AGENT,
};
use reqwest::{redirect, retry};

use super::connection::{Answer, Connections, root_cause};
use super::dial::{Dialer, is_tls};
use super::endpoint::Endpoint;
use super::operation::{Entry, FORWARD_SHIPMENT, FORWARD_SHIPMENT_V1, Method, OperationError, Operations, encode};
use super::outcome::{Lost, NotSent, Observed, Reply};
use super::tls;
use super::token::Token;
use super::watched::LastLook;
use super::wire::Version;

/// Answers longer than this are not read to their end.
const ANSWER_BYTES_MAX: usize = 1 << 20;

/// Kept-alive connections are dropped well before a server does it.
const POOL_IDLE: Duration = Duration::from_secs(15);

/// How this program names itself.
pub(super) const AGENT: &str = concat!("shipsheet/", env!("CARGO_PKG_VERSION"));

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
    /// Where the service's operations are.
    pub operations: Operations,
}

impl ClientOptions {
    /// The usual for an address: 10 s for the connection, 150 s for the answer, operations where they are known to be.
    #[must_use]
    pub fn new(endpoint: Endpoint) -> Self {
        Self {
            endpoint,
            connect_timeout: Duration::from_secs(10),
            request_timeout: Duration::from_secs(150),
            ca_file: None,
            environment_proxy: false,
            connections_max: 8,
            operations: Operations::default(),
        }
    }
}

/// One request of any operation.
#[derive(Clone)]
pub struct Call {
    /// The method.
    pub method: Method,
    /// The path below the base address, its values encoded.
    pub path: String,
    /// What goes into the query, not yet encoded.
    pub query: Vec<(String, String)>,
    /// Further headers.
    pub headers: Vec<(&'static str, &'static str)>,
    /// A JSON body.
    pub body: Option<Vec<u8>>,
    /// Answers longer than this are not read to their end.
    pub answer_bytes_max: usize,
}

impl Call {
    /// A call of an operation: parameters fill the path's placeholders, the others go into the query.
    pub fn new(entry: &Entry, parameters: &[(String, String)], body: Option<Vec<u8>>) -> Result<Self, OperationError> {
        let (path, query) = entry.address(parameters)?;
        let (method, headers) = (entry.method, Vec::new());
        Ok(Self { method, path, query, headers, body, answer_bytes_max: ANSWER_BYTES_MAX })
    }
}

/// Leaves out what may be about people: values and body.
impl std::fmt::Debug for Call {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Call").field("method", &self.method.as_str()).finish_non_exhaustive()
    }
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
///
/// What only reads goes over connections that are kept; whatever changes something has a connection of its own.
#[derive(Debug, Clone)]
pub struct Client {
    http: reqwest::Client,
    alone: Connections,
    endpoint: Endpoint,
    operations: Arc<Operations>,
}

impl Client {
    /// A client without redirects, automatic retries, cookies or HTTP/2: each would send more than was asked for.
    pub fn new(options: ClientOptions) -> Result<Self, ClientError> {
        let tls = tls::config(options.ca_file.as_deref(), options.endpoint.is_plain())?;
        let address = uri(&options.endpoint.join("/")).map_err(ClientError::Unready)?;
        let dialer = Dialer::new(address, &tls, options.environment_proxy).map_err(ClientError::Unready)?;
        let alone = Connections::new(dialer, options.connect_timeout, options.request_timeout);
        let mut builder = reqwest::Client::builder()
            .user_agent(AGENT)
            .http1_only()
            .redirect(redirect::Policy::none())
            .retry(retry::never())
            .referer(false)
            .connect_timeout(options.connect_timeout)
            .timeout(options.request_timeout)
            .pool_idle_timeout(POOL_IDLE)
            .pool_max_idle_per_host(options.connections_max)
            .tcp_nodelay(true)
            .tls_backend_preconfigured(tls);
        if !options.environment_proxy {
            builder = builder.no_proxy();
        }
        let http = builder.build().map_err(|error| ClientError::Unready(root_cause(&error)))?;
        Ok(Self { http, alone, endpoint: options.endpoint, operations: Arc::new(options.operations) })
    }

    /// The same client, which looks once more just before the first byte of whatever changes something: where it may not leave
    /// any more, nothing does.
    #[must_use]
    pub fn looking(self, may_leave: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        Self { alone: self.alone.looking(LastLook(Arc::new(may_leave))), ..self }
    }

    /// Where the service's operations are.
    #[must_use]
    pub fn operations(&self) -> &Operations {
        &self.operations
    }

    /// The operation that books a body: in the version that it has.
    pub(super) fn booking(&self, body: &[u8]) -> Entry {
        self.operations.of(match Version::of_body(body) {
            Version::V2 => &FORWARD_SHIPMENT,
            Version::V1 => &FORWARD_SHIPMENT_V1,
        })
    }

    /// Books one forward shipment, in the version that its body has. Makes at most one POST, whatever happens.
    pub async fn forward_shipment(&self, token: &Token, body: Vec<u8>) -> Observed {
        match Call::new(&self.booking(&body), &[], Some(body)) {
            Ok(call) => self.send(Some(token), call).await,
            Err(error) => unsent(error.to_string()),
        }
    }

    /// Sends one request of any operation, once.
    pub async fn send(&self, token: Option<&Token>, call: Call) -> Observed {
        let mut url = self.endpoint.join(&call.path);
        if !call.query.is_empty() {
            let pairs: Vec<String> =
                call.query.iter().map(|(name, value)| format!("{}={}", encode(name), encode(value))).collect();
            url.set_query(Some(&pairs.join("&")));
        }
        let headers = match headers(token, &call) {
            Ok(headers) => headers,
            Err(why) => return unsent(why),
        };
        let mut observed = if call.method == Method::Get {
            let mut request = self.http.request(method(call.method), url).headers(headers);
            if let Some(body) = call.body {
                request = request.body(body);
            }
            answered(request, call.answer_bytes_max).await
        } else {
            match alone(&call, &url, headers) {
                Ok(request) => match self.alone.send(request, call.answer_bytes_max).await {
                    Ok(Answer { status, headers, body }) => reply(status, &headers, body),
                    Err(observed) => observed,
                },
                Err(why) => unsent(why),
            }
        };
        if let Some(token) = token {
            token.conceal_in(&mut observed);
        }
        observed
    }

    /// Fetches a file from an address that the service named: without the token, without following a redirect.
    ///
    /// Plain HTTP is fetched from this machine only, and only where the service is on it as well: no service far away
    /// may lead to what listens here.
    pub async fn fetch(&self, url: &str, bytes_max: usize) -> Observed {
        match self.fetched(url) {
            Some(url) => answered(self.http.get(url), bytes_max).await,
            None => unsent("the service named an address that is not https".to_owned()),
        }
    }

    /// The same with the token, from the service's own host alone.
    pub async fn fetch_own(&self, token: &Token, url: &str, bytes_max: usize) -> Observed {
        let Some(url) = self.fetched(url).filter(|url| self.is_own(url)) else {
            return unsent("the token goes to the service's own host alone".to_owned());
        };
        let bearer = match bearer(token) {
            Ok(bearer) => bearer,
            Err(why) => return unsent(why),
        };
        let mut observed = answered(self.http.get(url).header(AUTHORIZATION, bearer), bytes_max).await;
        token.conceal_in(&mut observed);
        observed
    }

    /// Whether an address is on the service's own host: the same scheme, name and port.
    fn is_own(&self, url: &reqwest::Url) -> bool {
        url.origin().ascii_serialization() == self.endpoint.origin()
    }

    /// Whether a file is fetched from such an address at all.
    #[must_use]
    pub fn fetches(&self, url: &str) -> bool {
        self.fetched(url).is_some()
    }

    /// Whether a file lies on the service's own host, where its token may open it.
    #[must_use]
    pub fn opens(&self, url: &str) -> bool {
        self.fetched(url).is_some_and(|url| self.is_own(&url))
    }

    fn fetched(&self, url: &str) -> Option<reqwest::Url> {
        let url = reqwest::Url::parse(url).ok()?;
        (url.scheme() == "https" || (url.scheme() == "http" && self.is_beside(&url))).then_some(url)
    }

    /// Whether the service and this address are both on this machine.
    fn is_beside(&self, url: &reqwest::Url) -> bool {
        self.endpoint.is_plain() && url.host_str().is_some_and(super::endpoint::is_loopback)
    }
}

fn unsent(why: String) -> Observed {
    Observed::NotSent(NotSent::Unreachable(why))
}

/// The headers of a call, on whichever connection it goes.
fn headers(token: Option<&Token>, call: &Call) -> Result<HeaderMap, String> {
    let mut headers = HeaderMap::new();
    headers.insert(ACCEPT, HeaderValue::from_static("application/json, */*"));
    if let Some(token) = token {
        headers.insert(AUTHORIZATION, bearer(token)?);
    }
    for (name, value) in &call.headers {
        headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    if call.body.is_some() {
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    }
    Ok(headers)
}

fn bearer(token: &Token) -> Result<HeaderValue, String> {
    let bearer = HeaderValue::from_str(&token.bearer());
    let mut bearer = bearer.map_err(|_| "the token does not fit into a header".to_owned())?;
    bearer.set_sensitive(true);
    Ok(bearer)
}

/// A call as a request that has a connection to itself, and asks for it to be closed behind the answer.
fn alone(call: &Call, url: &reqwest::Url, headers: HeaderMap) -> Result<Request<Full<Bytes>>, String> {
    let target = url.query().map_or_else(|| url.path().to_owned(), |query| format!("{}?{query}", url.path()));
    let host = url.host_str().unwrap_or_default();
    let host = url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"));
    let mut request = Request::builder()
        .method(method(call.method))
        .uri(target)
        .header(HOST, host)
        .header(USER_AGENT, AGENT)
        .header(CONNECTION, "close")
        .body(Full::new(Bytes::from(call.body.clone().unwrap_or_default())))
        .map_err(|error| root_cause(&error))?;
    request.headers_mut().extend(headers);
    Ok(request)
}

fn uri(url: &reqwest::Url) -> Result<Uri, String> {
    url.as_str().parse().map_err(|error| root_cause(&error))
}

fn method(method: Method) -> reqwest::Method {
    match method {
        Method::Get => reqwest::Method::GET,
        Method::Post => reqwest::Method::POST,
        Method::Put => reqwest::Method::PUT,
        Method::Patch => reqwest::Method::PATCH,
        Method::Delete => reqwest::Method::DELETE,
    }
}

async fn answered(request: reqwest::RequestBuilder, bytes_max: usize) -> Observed {
    match request.send().await {
        Ok(response) => read(response, bytes_max).await,
        Err(error) => unanswered(error),
    }
}

/// Reads an answer up to the cap.
async fn read(mut response: reqwest::Response, bytes_max: usize) -> Observed {
    let status = response.status().as_u16();
    let headers = std::mem::take(response.headers_mut());
    let mut body = Vec::new();
    loop {
        let why = match response.chunk().await {
            Ok(Some(chunk)) if body.len() + chunk.len() <= bytes_max => {
                body.extend_from_slice(&chunk);
                continue;
            }
            Ok(None) => break,
            Ok(Some(_)) => format!("the answer is longer than {} MiB", bytes_max >> 20),
            Err(error) if error.is_timeout() => "the answer did not end in time".to_owned(),
            Err(error) => format!("the answer was cut off: {}", root_cause(&error)),
        };
        return Observed::Lost(Lost::Partial { status, body, why });
    }
    reply(status, &headers, body)
}

fn reply(status: u16, headers: &HeaderMap, body: Vec<u8>) -> Observed {
    let text = |name: HeaderName| header(headers, &name);
    Observed::Reply(Reply {
        status,
        date: text(reqwest::header::DATE),
        retry_after: text(reqwest::header::RETRY_AFTER),
        location: text(reqwest::header::LOCATION),
        content_type: text(CONTENT_TYPE),
        body,
    })
}

fn header(headers: &HeaderMap, name: &HeaderName) -> Option<String> {
    headers.get(name).and_then(|value| value.to_str().ok()).map(str::to_owned)
}

/// Only a connection that never came to be proves that nothing was sent.
fn unanswered(error: reqwest::Error) -> Observed {
    // An address may hold what is nobody else's business.
    let error = error.without_url();
    if error.is_connect() {
        let cause = root_cause(&error);
        return Observed::NotSent(if is_tls(&error) { NotSent::Tls(cause) } else { NotSent::Unreachable(cause) });
    }
    if error.is_builder() {
        return Observed::NotSent(NotSent::Unreachable(root_cause(&error)));
    }
    Observed::Lost(if error.is_timeout() { Lost::TimedOut } else { Lost::Broken(root_cause(&error)) })
}
