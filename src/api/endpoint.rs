//! Where the service is.

use std::net::{IpAddr, Ipv4Addr};

use reqwest::Url;

/// A base address: HTTPS, or HTTP on this very machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Endpoint {
    url: Url,
    origin: String,
}

/// Why an address is not taken.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum EndpointError {
    /// Not an absolute http or https address.
    #[error("\"{0}\" is no address: write it as https://host, for instance https://api.example.com")]
    NotAnAddress(String),
    /// One with a blank in it.
    #[error("\"{0}\" has a blank in it: take it out, or write %20 for it")]
    Blank(String),
    /// Plain HTTP over a network would show the token to everyone on it.
    #[error("{0} is plain http: only https is accepted, except on this machine (127.0.0.1, localhost)")]
    Plain(String),
    /// A name, a password, a query or a fragment in it.
    #[error("the address must not carry a user name, password, ? or #: set the token apart from it")]
    Decorated,
}

impl Endpoint {
    /// Reads an address.
    pub fn parse(text: &str) -> Result<Self, EndpointError> {
        let text = text.trim();
        let not_an_address = || EndpointError::NotAnAddress(text.chars().take(200).collect());
        let url = Url::parse(text).map_err(|_| not_an_address())?;
        let Some(host) = url.host_str().filter(|_| matches!(url.scheme(), "http" | "https")) else {
            return Err(not_an_address());
        };
        if !url.username().is_empty() || url.password().is_some() || url.query().is_some() || url.fragment().is_some() {
            return Err(EndpointError::Decorated);
        }
        if url.scheme() == "http" && !is_loopback(host) {
            return Err(EndpointError::Plain(text.to_owned()));
        }
        let origin = url.origin().ascii_serialization();
        Ok(Self { url, origin })
    }

    /// Reads an address that the service shall send events to: it may have a query, and be plain HTTP.
    pub fn for_events(text: &str) -> Result<Self, EndpointError> {
        let text = text.trim();
        let not_an_address = || EndpointError::NotAnAddress(text.chars().take(200).collect());
        if text.contains(|c: char| c.is_whitespace() || c.is_control()) {
            return Err(EndpointError::Blank(text.chars().take(200).collect()));
        }
        let url = Url::parse(text).map_err(|_| not_an_address())?;
        if url.host_str().is_none() || !matches!(url.scheme(), "http" | "https") {
            return Err(not_an_address());
        }
        if !url.username().is_empty() || url.password().is_some() || url.fragment().is_some() {
            return Err(EndpointError::Decorated);
        }
        let origin = url.origin().ascii_serialization();
        Ok(Self { url, origin })
    }

    /// Scheme, host and port: what tells this service from another.
    #[must_use]
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// Whether it is plain HTTP, which only loopback may be.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        self.url.scheme() == "http"
    }

    /// Whether it is on this very machine.
    #[must_use]
    pub fn is_this_machine(&self) -> bool {
        self.url.host_str().is_some_and(is_loopback)
    }

    /// Whether it is an address that only a private network, or this machine, can reach.
    #[must_use]
    pub fn is_private(&self) -> bool {
        let host = self.url.host_str().unwrap_or_default().trim_start_matches('[').trim_end_matches(']');
        match host.parse::<IpAddr>() {
            Ok(IpAddr::V4(address)) => is_special(address),
            Ok(IpAddr::V6(address)) => {
                let parts = address.segments();
                let embedded = |high: u16, low: u16| {
                    let ([a, b], [c, d]) = (high.to_be_bytes(), low.to_be_bytes());
                    is_special(Ipv4Addr::new(a, b, c, d))
                };
                address.is_loopback()
                    || address.is_unspecified()
                    || address.is_multicast()
                    || address.is_unique_local()
                    || address.is_unicast_link_local()
                    || address.to_ipv4_mapped().is_some_and(is_special)
                    // Site-local of old, and documentation.
                    || parts[0] & 0xffc0 == 0xfec0
                    || (parts[0] == 0x2001 && parts[1] == 0x0db8)
                    // A translator in one's own network, 64:ff9b::/96 and 64:ff9b:1::/48, leads into that network.
                    || (parts[0] == 0x64 && parts[1] == 0xff9b)
                    || (parts[0] == 0x2002 && embedded(parts[1], parts[2]))
            }
            Err(_) => {
                let host = host.trim_end_matches('.');
                const OWN: [&str; 6] = [".localhost", ".local", ".internal", ".lan", ".home.arpa", ".intranet"];
                host == "localhost" || !host.contains('.') || OWN.iter().any(|end| host.ends_with(end))
            }
        }
    }

    pub(super) const fn url(&self) -> &Url {
        &self.url
    }

    /// The address of a path below this one.
    #[must_use]
    pub fn join(&self, path: &str) -> Url {
        let mut url = self.url.clone();
        let base = self.url.path().trim_end_matches('/');
        url.set_path(&format!("{base}/{}", path.trim_start_matches('/')));
        url
    }
}

/// Addresses that the world cannot reach: private, shared, local, for tests, for documentation, reserved.
fn is_special(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    address.is_private()
        || address.is_loopback()
        || address.is_link_local()
        || address.is_multicast()
        || address.is_documentation()
        || a == 0
        || a >= 240
        || (a == 100 && (64..128).contains(&b))
        || (a == 192 && b == 0 && c == 0)
        || (a == 198 && (18..20).contains(&b))
}

pub(super) fn is_loopback(host: &str) -> bool {
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    host == "localhost" || bare.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn private_addresses() {
        let is_private = |url: &str| Endpoint::parse(url).unwrap().is_private();
        for url in [
            "https://10.1.2.3",
            "https://192.168.0.9",
            "https://127.0.0.1",
            "https://localhost",
            "https://[::1]",
            "https://[fd00::1]",
            "https://169.254.1.1",
            "https://printer",
            "https://nas.local",
            "https://100.64.0.1",
            "https://[::ffff:10.0.0.1]",
            "https://[::ffff:169.254.169.254]",
            "https://foo.localhost",
            "https://foo.localhost.",
            "https://localhost.",
            "https://198.18.0.1",
            "https://198.19.255.255",
            "https://[64:ff9b::808:808]",
            "https://[64:ff9b:1::1]",
            "https://[2002:a00:1::1]",
            "https://[ff02::1]",
            "https://0.1.2.3",
            "https://255.255.255.255",
            "https://192.0.2.7",
        ] {
            assert!(is_private(url), "{url}");
        }
        for url in [
            "https://example.com",
            "https://example.com.",
            "https://8.8.8.8",
            "https://198.20.0.1",
            "https://[2001:4860:4860::8888]",
            "https://[2002:808:808::1]",
        ] {
            assert!(!is_private(url), "{url}");
        }
    }

    #[test]
    fn addresses() {
        let endpoint = Endpoint::parse("HTTPS://API.Example.com:443/base/").unwrap();
        assert_eq!(endpoint.origin(), "https://api.example.com");
        assert_eq!(endpoint.join("/v2/x").as_str(), "https://api.example.com/base/v2/x");
        for local in ["http://127.0.0.1:8080", "http://localhost:1", "http://[::1]:9", "http://127.9.9.9"] {
            assert!(Endpoint::parse(local).is_ok(), "{local}");
        }
        assert!(matches!(Endpoint::parse("http://example.com"), Err(EndpointError::Plain(_))));
        for wrong in ["example.com", "", "ftp://x", "https://"] {
            assert!(matches!(Endpoint::parse(wrong), Err(EndpointError::NotAnAddress(_))), "{wrong}");
        }
        for decorated in ["https://u:p@x.com", "https://x.com?a=b", "https://x.com#a"] {
            assert_eq!(Endpoint::parse(decorated), Err(EndpointError::Decorated), "{decorated}");
        }
    }
}
