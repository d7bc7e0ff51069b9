//! What a screen gives: a page, a part of one, a file, or where to go next.

use axum::body::Body;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE, LOCATION};
use axum::http::{HeaderValue, Response, StatusCode};
use maud::Markup;
use serde::Deserialize;

use super::page::{self, Page};
use super::said::Named;
use super::state::Desk;
pub(super) use super::trouble::Result;

/// Nothing is asked.
#[derive(Deserialize)]
pub(super) struct Nothing {}

/// What a GET shows.
pub(super) enum Shown {
    /// A whole page.
    Page(Page),
    /// A part of a page, which the page fetches again and again.
    Part(Markup),
    /// Go there instead.
    Instead(String),
    /// A file.
    File(Download),
}

/// A file for the person.
pub(super) struct Download {
    /// What it is to be called.
    pub(super) name: String,
    /// Its type.
    pub(super) kind: &'static str,
    /// Whether it opens in the browser, and is not saved at once.
    pub(super) is_opened: bool,
    /// What is in it.
    pub(super) bytes: Vec<u8>,
}

impl From<Page> for Shown {
    fn from(page: Page) -> Self {
        Self::Page(page)
    }
}

impl Shown {
    /// As an answer to whoever asked for it so.
    pub(super) fn into_response(self, desk: &Desk, named: &Named) -> Response<Body> {
        match self {
            Self::Page(page) => html(StatusCode::OK, page::whole(desk, &page, named)),
            Self::Part(part) => html(StatusCode::OK, part),
            Self::Instead(place) => to(desk, &named.carried_to(&place)),
            Self::File(file) => file.into_response(),
        }
    }
}

impl Download {
    fn into_response(self) -> Response<Body> {
        let mut response = Response::new(Body::from(self.bytes));
        // Every browser reads what is left of the name in plain letters, and most the name itself.
        let is_plain = |c: &char| c.is_ascii_alphanumeric() || "-_. ".contains(*c);
        let name: String = self.name.chars().filter(is_plain).collect();
        let own = page::encoded(&self.name);
        let way = if self.is_opened { "inline" } else { "attachment" };
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(self.kind));
        if let Ok(value) = HeaderValue::from_str(&format!("{way}; filename=\"{name}\"; filename*=UTF-8''{own}")) {
            headers.insert(CONTENT_DISPOSITION, value);
        }
        response
    }
}

/// A page in HTML.
pub(super) fn html(status: StatusCode, markup: Markup) -> Response<Body> {
    let mut response = Response::new(Body::from(markup.into_string()));
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    response
}

/// Sends the browser to a page of the desk, by GET.
pub(super) fn to(desk: &Desk, place: &str) -> Response<Body> {
    see(&format!("{}{place}", desk.guard.base()))
}

/// Sends the browser to an address, by GET.
pub(super) fn see(address: &str) -> Response<Body> {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::SEE_OTHER;
    if let Ok(value) = HeaderValue::from_str(address) {
        response.headers_mut().insert(LOCATION, value);
    }
    response
}
