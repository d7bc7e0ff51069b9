//! Who may ask: this machine's browser, at this address, with the cookie that the one-time address gave it.
//!
//! Any page that is open in the browser, and any program on this machine, can send requests here. A page under another name
//! that leads here (rebinding) has the wrong `Host`. A page of another site or port is told by `Sec-Fetch-Site` or `Origin`,
//! and has no page token. Another program has no cookie: ports share cookies, so this one is for a folder of its own,
//! which only the pages of this desk know.

use std::net::SocketAddr;
use std::sync::{Mutex, PoisonError};

use axum::http::header::{COOKIE, HOST, ORIGIN};
use axum::http::{HeaderMap, Method, Request, StatusCode};

/// How long a browser may keep the cookie, in seconds: it outlives a closed window, and no desk.
const COOKIE_SECONDS: u32 = 12 * 60 * 60;

/// The secrets of one desk, new at each start.
pub(super) struct Guard {
    host: String,
    origin: String,
    cookie_name: String,
    cookie: String,
    /// The folder under which everything is: `/KEY/`.
    base: String,
    /// What each form carries.
    page_token: String,
    /// What answers are known by as those of this desk; it lets nobody in.
    mark: String,
    /// The token of the one-time address, until it is used.
    entry: Mutex<Option<String>>,
}

/// What a request may do.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// It is one of the desk's own pages.
    Go,
    /// It came with the one-time address, which is spent now; by a link of another page, where `is_linked`.
    Enter { is_linked: bool },
    /// It may be a person who has to open the desk again.
    Stranger,
    /// It is nothing that a person's browser would send.
    Refused(StatusCode),
}

impl Guard {
    pub(super) fn new(address: SocketAddr) -> Result<Self, getrandom::Error> {
        let host = address.to_string();
        Ok(Self {
            origin: format!("http://{host}"),
            cookie_name: format!("shipsheet-desk-{}", address.port()),
            cookie: secret(32)?,
            base: format!("/{}/", secret(10)?),
            page_token: secret(16)?,
            mark: secret(8)?,
            entry: Mutex::new(Some(secret(32)?)),
            host,
        })
    }

    /// The folder under which everything is.
    pub(super) fn base(&self) -> &str {
        &self.base
    }

    /// What each form carries.
    pub(super) fn page_token(&self) -> &str {
        &self.page_token
    }

    /// What the pages know the answers of this desk by: another program on this port does not have it.
    pub(super) fn mark(&self) -> &str {
        &self.mark
    }

    /// The address that opens the desk once.
    pub(super) fn entry_address(&self) -> String {
        let entry = self.entry.lock().unwrap_or_else(PoisonError::into_inner);
        format!("{}/enter/{}", self.origin, entry.as_deref().unwrap_or_default())
    }

    /// The header that gives the browser its cookie.
    pub(super) fn set_cookie(&self) -> String {
        let Self { cookie_name, cookie, base, .. } = self;
        format!("{cookie_name}={cookie}; HttpOnly; SameSite=Strict; Path={base}; Max-Age={COOKIE_SECONDS}")
    }

    /// Whether a form carries the token of the pages.
    pub(super) fn is_page_token(&self, token: &str) -> bool {
        is_same(token, &self.page_token)
    }

    /// Judges a request by its first line and its headers.
    pub(super) fn judge<B>(&self, request: &Request<B>) -> Verdict {
        let (headers, uri) = (request.headers(), request.uri());
        // A target with a name of its own is what proxies get.
        if only(headers, HOST.as_str()) != Some(&self.host) || uri.authority().is_some() {
            return Verdict::Refused(StatusCode::MISDIRECTED_REQUEST);
        }
        let site = match headers.get_all("sec-fetch-site").iter().count() {
            0 => None,
            _ => Some(only(headers, "sec-fetch-site").unwrap_or_default()),
        };
        if request.method() == Method::GET
            && let Some(token) = uri.path().strip_prefix("/enter/")
        {
            let is_linked = site.is_some_and(|site| site != "none");
            return if self.is_spent_by(token) { Verdict::Enter { is_linked } } else { Verdict::Stranger };
        }
        if !uri.path().starts_with(&self.base) || !self.has_cookie(headers) {
            return Verdict::Stranger;
        }
        match *request.method() {
            Method::GET | Method::HEAD if matches!(site, None | Some("same-origin" | "none")) => Verdict::Go,
            Method::POST if self.is_own_write(headers, site) => Verdict::Go,
            Method::GET | Method::HEAD | Method::POST => Verdict::Refused(StatusCode::FORBIDDEN),
            _ => Verdict::Refused(StatusCode::METHOD_NOT_ALLOWED),
        }
    }

    /// Whether one of our own pages sent it: a browser says so, in one of two ways.
    fn is_own_write(&self, headers: &HeaderMap, site: Option<&str>) -> bool {
        let origin = headers.contains_key(ORIGIN).then(|| only(headers, ORIGIN.as_str()).unwrap_or_default());
        match (site, origin) {
            (Some(site), None) => site == "same-origin",
            // Where a page sends no referrer, as ours do, browsers hide the origin of its forms as well.
            (Some(site), Some(origin)) => site == "same-origin" && (origin == self.origin || origin == "null"),
            (None, Some(origin)) => origin == self.origin,
            (None, None) => false,
        }
    }

    fn has_cookie(&self, headers: &HeaderMap) -> bool {
        let cookies = headers.get_all(COOKIE).iter().filter_map(|header| header.to_str().ok());
        let mut pairs = cookies.flat_map(|header| header.split(';')).filter_map(|pair| pair.trim().split_once('='));
        pairs.any(|(name, value)| name == self.cookie_name && is_same(value, &self.cookie))
    }

    /// Takes the one-time token.
    fn is_spent_by(&self, token: &str) -> bool {
        let mut entry = self.entry.lock().unwrap_or_else(PoisonError::into_inner);
        let is_right = entry.as_deref().is_some_and(|right| is_same(token, right));
        if is_right {
            *entry = None;
        }
        is_right
    }
}

/// The value of a header that stands there exactly once.
fn only<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    let mut values = headers.get_all(name).iter();
    let value = values.next()?.to_str().ok()?;
    values.next().is_none().then_some(value)
}

/// Compares without telling by its time how much is right.
fn is_same(one: &str, other: &str) -> bool {
    one.len() == other.len() && one.bytes().zip(other.bytes()).fold(0, |found, (a, b)| found | (a ^ b)) == 0
}

/// So many random bytes, in hexadecimal.
fn secret(bytes: usize) -> Result<String, getrandom::Error> {
    use std::fmt::Write as _;

    let mut random = vec![0; bytes];
    getrandom::fill(&mut random)?;
    Ok(random.iter().fold(String::new(), |mut text, byte| {
        // Writing into text cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    const HERE: &str = "127.0.0.1:4123";

    fn guard() -> Guard {
        Guard::new(HERE.parse().unwrap()).unwrap()
    }

    /// A request with these headers; the cookie is right where nothing else is said of it.
    fn judged(guard: &Guard, method: &str, path: &str, headers: &[(&str, &str)]) -> Verdict {
        let mut request = Request::builder().method(method).uri(path);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        if !headers.iter().any(|(name, _)| *name == "cookie") {
            request = request.header("cookie", format!("a=b; {}={}", guard.cookie_name, guard.cookie));
        }
        guard.judge(&request.body(()).unwrap())
    }

    #[test]
    fn only_this_very_host_is_answered() {
        let guard = guard();
        let at = |hosts: &[&str]| {
            let headers: Vec<(&str, &str)> = hosts.iter().map(|host| ("host", *host)).collect();
            judged(&guard, "GET", guard.base(), &headers)
        };
        assert_eq!(at(&[HERE]), Verdict::Go);
        let refused = Verdict::Refused(StatusCode::MISDIRECTED_REQUEST);
        for host in [
            "127.0.0.1",
            "127.0.0.1:4124",
            "127.0.0.1:04123",
            "localhost:4123",
            "127.0.0.1:4123.evil.example",
            "127.0.0.1.evil.example:4123",
            "evil.example:4123",
            "evil@127.0.0.1:4123",
            "127.1:4123",
            "2130706433:4123",
            "[::1]:4123",
            "",
        ] {
            assert_eq!(at(&[host]), refused, "{host}");
        }
        assert_eq!(at(&[]), refused);
        assert_eq!(at(&[HERE, HERE]), refused);
        let absolute = format!("http://evil.example{}", guard.base());
        assert_eq!(judged(&guard, "GET", &absolute, &[("host", HERE)]), refused);
    }

    #[test]
    fn the_one_time_address_opens_once() {
        let guard = guard();
        let entry = guard.entry_address().strip_prefix("http://127.0.0.1:4123").unwrap().to_owned();
        let open = |path: &str| judged(&guard, "GET", path, &[("host", HERE), ("cookie", "")]);
        assert_eq!(open("/enter/"), Verdict::Stranger);
        assert_eq!(open(&entry[..entry.len() - 1]), Verdict::Stranger);
        assert_eq!(judged(&guard, "POST", &entry, &[("host", HERE)]), Verdict::Stranger);
        assert_eq!(open(&entry), Verdict::Enter { is_linked: false });
        assert_eq!(open(&entry), Verdict::Stranger);
    }

    #[test]
    fn a_page_needs_the_cookie_and_its_folder() {
        let guard = guard();
        let with = |path: &str, cookie: &str| judged(&guard, "GET", path, &[("host", HERE), ("cookie", cookie)]);
        let right = format!("{}={}", guard.cookie_name, guard.cookie);
        assert_eq!(with(guard.base(), &right), Verdict::Go);
        assert_eq!(with("/", &right), Verdict::Stranger);
        for cookie in ["", "shipsheet-desk-4123=", &right[..right.len() - 1], &format!("{right}0"), &guard.cookie] {
            assert_eq!(with(guard.base(), cookie), Verdict::Stranger, "{cookie}");
        }
        assert!(guard.set_cookie().contains(&format!("; HttpOnly; SameSite=Strict; Path={};", guard.base())));
    }

    #[test]
    fn only_its_own_pages_write_and_no_other_page_reads() {
        let guard = guard();
        let at = |method: &str, more: &[(&str, &str)]| {
            let headers: Vec<(&str, &str)> = [("host", HERE)].into_iter().chain(more.iter().copied()).collect();
            judged(&guard, method, guard.base(), &headers)
        };
        let (site, origin) = ("sec-fetch-site", "origin");
        let own = "http://127.0.0.1:4123";
        for good in [
            &[(site, "same-origin")][..],
            &[(origin, own)],
            &[(site, "same-origin"), (origin, own)],
            &[(site, "same-origin"), (origin, "null")],
        ] {
            assert_eq!(at("POST", good), Verdict::Go, "{good:?}");
        }
        let refused = Verdict::Refused(StatusCode::FORBIDDEN);
        for bad in [
            &[][..],
            &[(site, "cross-site")],
            &[(site, "same-site")],
            &[(site, "none")],
            &[(site, "same-origin"), (site, "same-origin")],
            &[(site, "same-origin"), (origin, "http://127.0.0.1:8080")],
            &[(site, "same-site"), (origin, own)],
            &[(origin, "http://127.0.0.1:8080")],
            &[(origin, "http://127.0.0.1:4123.evil.example")],
            &[(origin, "null")],
            &[(site, "same-site"), (origin, "null")],
        ] {
            assert_eq!(at("POST", bad), refused, "{bad:?}");
        }
        for (value, verdict) in [
            ("same-origin", Verdict::Go),
            ("none", Verdict::Go),
            ("same-site", refused),
            ("cross-site", Verdict::Refused(StatusCode::FORBIDDEN)),
        ] {
            assert_eq!(at("GET", &[(site, value)]), verdict, "{value}");
        }
        for method in ["PUT", "DELETE", "OPTIONS", "PATCH", "TRACE"] {
            assert_eq!(at(method, &[(site, "same-origin")]), Verdict::Refused(StatusCode::METHOD_NOT_ALLOWED));
        }
    }

    #[test]
    fn a_page_token_is_right_as_a_whole() {
        let guard = guard();
        let token = guard.page_token().to_owned();
        assert!(guard.is_page_token(&token) && !guard.is_page_token("") && !guard.is_page_token(&token[1..]));
        assert_ne!(token, Guard::new(HERE.parse().unwrap()).unwrap().page_token);
    }
}
