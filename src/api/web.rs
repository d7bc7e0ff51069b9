//! Addresses beside the service, for alerts and signs of life. No token goes there, and no error names an address: who
//! knows one may post to it.

use std::path::Path;
use std::time::Duration;

use reqwest::header::{CONTENT_TYPE, DATE};
use reqwest::{Method, redirect, retry};

use super::client::{AGENT, ClientError};
use super::connection::root_cause;
use super::endpoint::Endpoint;
use super::tls;
use super::token::Timestamp;

/// A client for such addresses.
#[derive(Debug, Clone)]
pub struct Web(reqwest::Client);

/// Why an address did not take what it was sent.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WebError {
    /// It is no address.
    #[error("the address is none, or plain http to another machine: it must be https")]
    Address,
    /// It said no.
    #[error("{host} answered with status {status}")]
    Status {
        /// The host.
        host: String,
        /// The status.
        status: u16,
    },
    /// It could not be reached, or did not answer.
    #[error("{host} could not be reached: {why}")]
    Unreachable {
        /// The host.
        host: String,
        /// Why.
        why: String,
    },
}

impl WebError {
    /// Whether the same may go well a little later.
    #[must_use]
    pub const fn is_passing(&self) -> bool {
        match self {
            Self::Address => false,
            Self::Status { status, .. } => matches!(status, 408 | 425 | 429) || *status >= 500,
            Self::Unreachable { .. } => true,
        }
    }
}

impl Web {
    /// A client that gives up after this time, and follows no redirect.
    pub fn new(ca_file: Option<&Path>, environment_proxy: bool, time_max: Duration) -> Result<Self, ClientError> {
        let mut builder = reqwest::Client::builder()
            .user_agent(AGENT)
            .redirect(redirect::Policy::none())
            .retry(retry::never())
            .referer(false)
            .timeout(time_max)
            .tls_backend_preconfigured(tls::config(ca_file, false)?);
        if !environment_proxy {
            builder = builder.no_proxy();
        }
        builder.build().map(Self).map_err(|error| ClientError::Unready(root_cause(&error)))
    }

    /// Posts JSON.
    pub async fn post(&self, address: &str, json: Vec<u8>) -> Result<(), WebError> {
        let url = secure(address)?.url().clone();
        self.send(self.0.post(url.clone()).header(CONTENT_TYPE, "application/json").body(json), &url).await
    }

    /// Asks for an address, with a path behind it.
    pub async fn ping(&self, address: &str, path: &str) -> Result<(), WebError> {
        let url = secure(address)?.join(path);
        self.send(self.0.request(Method::GET, url.clone()), &url).await
    }

    /// The clock of whatever answers at an address, whatever it says; nothing where its answer has no date.
    pub async fn clock(&self, endpoint: &Endpoint) -> Result<Option<Timestamp>, WebError> {
        let url = endpoint.join("/");
        let answer = self.0.head(url.clone()).send().await.map_err(|error| unreachable(&url, &error))?;
        let date = answer.headers().get(DATE).and_then(|date| date.to_str().ok());
        Ok(date.and_then(|date| jiff::fmt::rfc2822::parse(date).ok()).map(|date| date.timestamp()))
    }

    async fn send(&self, request: reqwest::RequestBuilder, url: &reqwest::Url) -> Result<(), WebError> {
        let answer = request.send().await.map_err(|error| unreachable(url, &error))?;
        let status = answer.status();
        if status.is_success() { Ok(()) } else { Err(WebError::Status { host: host(url), status: status.as_u16() }) }
    }
}

/// Plain HTTP only where nobody else listens: on this machine, or within a private network.
fn secure(address: &str) -> Result<Endpoint, WebError> {
    let endpoint = Endpoint::for_events(address).map_err(|_| WebError::Address)?;
    if endpoint.is_plain() && !endpoint.is_private() { Err(WebError::Address) } else { Ok(endpoint) }
}

fn host(url: &reqwest::Url) -> String {
    url.host_str().unwrap_or_default().to_owned()
}

fn unreachable(url: &reqwest::Url, error: &reqwest::Error) -> WebError {
    let why = if error.is_timeout() { "it did not answer in time".to_owned() } else { root_cause(error) };
    WebError::Unreachable { host: host(url), why }
}
