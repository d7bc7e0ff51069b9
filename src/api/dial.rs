//! How a connection to the service is made: name, address, proxy, TLS.

use std::error::Error;
use std::io;

use hyper::Uri;
use hyper::rt::{Read, Write};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::client::legacy::connect::proxy::Tunnel;
use hyper_util::client::proxy::matcher::Matcher;
use rustls::ClientConfig;
use tower_service::Service;

use super::connection::root_cause;

/// A connection that nothing was sent on yet.
pub(super) trait Stream: Read + Write + Send + Unpin {}

impl<S: Read + Write + Send + Unpin> Stream for S {}

/// Connects to the service, by the proxy of the environment where that is wanted.
#[derive(Debug, Clone)]
pub(super) struct Dialer {
    address: Uri,
    way: Way,
}

#[derive(Debug, Clone)]
enum Way {
    Straight(HttpsConnector<HttpConnector>),
    ByProxy(Box<HttpsConnector<Tunnel<HttpsConnector<HttpConnector>>>>),
}

/// Why there is no connection.
pub(super) struct DialError {
    pub(super) why: String,
    pub(super) is_tls: bool,
}

impl Dialer {
    /// `address` has a scheme and a host. A proxy is asked for by the environment's usual variables, and is never used for
    /// plain HTTP, which does not leave this machine.
    pub(super) fn new(address: Uri, tls: &ClientConfig, environment_proxy: bool) -> Result<Self, String> {
        let mut tcp = HttpConnector::new();
        tcp.enforce_http(false);
        tcp.set_nodelay(true);
        let https = || HttpsConnectorBuilder::new().with_tls_config(tls.clone()).https_or_http().enable_http1();
        let proxy = (environment_proxy && address.scheme_str() == Some("https"))
            .then(|| Matcher::from_env().intercept(&address))
            .flatten();
        let way = match proxy {
            None => Way::Straight(https().wrap_connector(tcp)),
            Some(proxy) if matches!(proxy.uri().scheme_str(), Some("http" | "https")) => {
                let mut tunnel = Tunnel::new(proxy.uri().clone(), https().wrap_connector(tcp));
                if let Some(account) = proxy.basic_auth() {
                    tunnel = tunnel.with_auth(account.clone());
                }
                Way::ByProxy(Box::new(https().wrap_connector(tunnel)))
            }
            Some(proxy) => {
                let kind = proxy.uri().scheme_str().unwrap_or_default().to_owned();
                return Err(format!("the environment names a proxy of a kind that is not known here ({kind})"));
            }
        };
        Ok(Self { address, way })
    }

    /// Makes a connection.
    pub(super) async fn dial(&self) -> Result<Box<dyn Stream>, DialError> {
        match &self.way {
            Way::Straight(connector) => connected(connector.clone(), self.address.clone()).await,
            Way::ByProxy(connector) => connected((**connector).clone(), self.address.clone()).await,
        }
    }
}

async fn connected<C>(mut connector: C, address: Uri) -> Result<Box<dyn Stream>, DialError>
where
    C: Service<Uri, Response: Stream + 'static, Error = Box<dyn Error + Send + Sync>>,
{
    let failed = |error: Box<dyn Error + Send + Sync>| DialError { why: root_cause(&*error), is_tls: is_tls(&*error) };
    std::future::poll_fn(|context| connector.poll_ready(context)).await.map_err(failed)?;
    Ok(Box::new(connector.call(address).await.map_err(failed)?))
}

/// Whether TLS is the reason.
pub(super) fn is_tls(error: &(dyn Error + 'static)) -> bool {
    let mut next = Some(error);
    while let Some(error) = next {
        if error.is::<rustls::Error>() {
            return true;
        }
        // An input/output error keeps what it wraps where `source` does not look.
        next = match error.downcast_ref::<io::Error>().and_then(io::Error::get_ref) {
            Some(wrapped) => Some(wrapped),
            None => error.source(),
        };
    }
    false
}
