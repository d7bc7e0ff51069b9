//! Each address of the desk with the function behind it: GET shows, POST does and then sends the browser to a GET.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::rejection::RawPathParamsRejection;
use axum::extract::{DefaultBodyLimit, FromRequest, Multipart, RawPathParams, RawQuery, Request, State};
use axum::http::{HeaderValue, Response};
use axum::http::{StatusCode, header::CONTENT_TYPE};
use axum::routing::{MethodRouter, get, post};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::answer::{self, Nothing, Result, Shown};
use super::said::Named;
use super::sheet::{book, check, columns, dropped, mend, saved, whole};
use super::state::Desk;
use super::trouble::Trouble;
use super::upload::{self, BYTES_MAX, Uploaded};
use super::{
    account, agree, cancel, doubts, home, labels, layouts, order, orders, packing, page, progress, report, rerun,
    results, rules, settings, sheet, shipments, statement,
};

/// What a route's own address names.
type PathParams = std::result::Result<RawPathParams, RawPathParamsRejection>;

/// A form is never larger.
const FORM_BYTES_MAX: usize = 64 * 1024;
/// Nor is one of cells or ticks: without a script, a page sends each of them.
const CELLS_BYTES_MAX: usize = 512 * 1024;
/// A form arrives within this time.
const FORM_TIME_MAX: Duration = Duration::from_secs(10);

const STYLE: &str = include_str!("assets/desk.css");
const REPORT_STYLE: &str = crate::overview::STYLE;
const SCRIPT: &str = include_str!("assets/desk.js");
const ICON: &str = include_str!("assets/icon.svg");

/// Everything that is under the desk's own folder.
pub(super) fn routes(desk: Arc<Desk>) -> Router {
    let pages = Router::new()
        .route("/", shown(home::home))
        .route("/orders", shown(orders::orders))
        .route("/order", shown(order::order))
        .route("/runs", shown(results::runs))
        .route("/results", shown(results::results))
        .route("/download", shown(results::download))
        .route("/report", shown(report::report))
        .route("/report/page", shown(report::download))
        .route("/pick-list", shown(packing::pick))
        .route("/pick-list.pdf", shown(packing::pick_pdf))
        .route("/packing-slips", shown(packing::slips))
        .route("/packing-slips.pdf", shown(packing::slips_pdf))
        .route("/labels.pdf", shown(labels::pdf))
        .route("/labels", done_within(CELLS_BYTES_MAX, labels::fetch))
        .route("/service", done(agree::say_of_service))
        .route("/again", shown(rerun::offer).merge(done(rerun::book)))
        .route("/again/found", done(rerun::take_stock))
        .route("/cancel", shown(cancel::offer).merge(done_within(CELLS_BYTES_MAX, cancel::cancel)))
        .route("/cancel/ticked", done_within(CELLS_BYTES_MAX, cancel::ask))
        .route("/track", done_within(CELLS_BYTES_MAX, shipments::track))
        .route("/answers", shown(|desk, _: &Nothing| Ok(shipments::answers(desk))))
        .route("/progress", shown(|desk, _: &Nothing| Ok(progress::progress(desk))))
        .route("/progress/part", shown(|desk, _: &Nothing| Ok(progress::part(desk))))
        .route("/stop", done(|desk, _: &Nothing| Ok(progress::stop(desk))))
        .route("/doubts", shown(doubts::doubts).merge(done(doubts::settle)))
        .route("/doubts/found", done(doubts::take_stock))
        .route("/awb", shown(doubts::look_again))
        .route("/give-up", done(doubts::give_up))
        .route("/bring-back", done(doubts::bring_back))
        .route("/release", done(doubts::release))
        .route("/statement", shown(statement::compared).merge(uploaded(statement::take)))
        .route("/statement/settle", done(statement::settle))
        .route("/sheets", uploaded(dropped::take))
        .route("/sheet/{id}/begin", shown(columns::begin))
        .route("/sheet/{id}/wait", shown(|desk, asked| Ok(sheet::part(desk, asked))))
        .route("/sheet/{id}/columns", shown(columns::columns).merge(done(columns::choose)))
        .route("/sheet/{id}/check", shown(check::check))
        .route("/sheet/{id}/order", shown(whole::order))
        .route("/sheet/{id}/answer", done_within(CELLS_BYTES_MAX, mend::answer))
        .route("/sheet/{id}/save", shown(saved::corrected))
        .route("/sheet/{id}/book", shown(book::book).merge(done(book::agreed)))
        .route("/sheet/{id}/discard", shown(dropped::offer_discard).merge(done(dropped::discard)))
        .route("/rules", shown(rules::rules))
        .route("/rule", shown(rules::rule).merge(done(rules::change_level)))
        .route("/settings", shown(settings::settings))
        .route("/setting", shown(settings::offer).merge(done(settings::change)))
        .route("/forget-layout", done(layouts::forget))
        .route("/login", done(account::try_login))
        .route("/account", done(account::keep_account))
        .route("/host", done(settings::allow_host))
        .route("/command", done(account::allow_command));
    let assets = Router::new()
        .route("/desk.css", asset(STYLE, "text/css; charset=utf-8"))
        .route("/report.css", asset(REPORT_STYLE, "text/css; charset=utf-8"))
        .route("/desk.js", asset(SCRIPT, "text/javascript; charset=utf-8"))
        .route("/icon.svg", asset(ICON, "image/svg+xml"));
    let base = desk.guard.base().to_owned();
    let all = pages.merge(assets).with_state(Arc::clone(&desk));
    Router::new().nest(&base, all).fallback(move || {
        let desk = Arc::clone(&desk);
        async move { failed(&desk, &Trouble::NoPage) }
    })
}

/// A file for the browser, without its indentation and the comments that have a line of their own.
fn asset(text: &'static str, kind: &'static str) -> MethodRouter<Arc<Desk>> {
    let lines = text.lines().map(str::trim_start).filter(|line| !line.is_empty() && !line.starts_with("//"));
    let text = Bytes::from(lines.collect::<Vec<_>>().join("\n"));
    get(move || async move {
        let mut response = Response::new(Body::from(text));
        response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(kind));
        response
    })
}

/// What is asked for, as a text that forms have: which sheet an address names comes first.
fn asked(named: &PathParams, rest: &str) -> String {
    let mut text = String::new();
    for (name, value) in named.iter().flat_map(RawPathParams::iter) {
        text = text + name + "=" + &page::encoded(value) + "&";
    }
    text + rest
}

/// A GET: `show` gets what the address names and what stands behind the question mark. Showing may note that something was
/// shown, so whoever wants nothing but headers gets none.
fn shown<Q, S>(show: fn(&Desk, &Q) -> Result<S>) -> MethodRouter<Arc<Desk>>
where
    Q: DeserializeOwned + Send + 'static,
    S: Into<Shown> + 'static,
{
    get(move |State(desk): State<Arc<Desk>>, named: PathParams, RawQuery(query): RawQuery| async move {
        let query = query.unwrap_or_default();
        let (query, note) = (asked(&named, &query), Named::of(&query));
        let Ok(asked): std::result::Result<Q, _> = serde_urlencoded::from_str(&query) else {
            return failed(&desk, &Trouble::NoPage);
        };
        work(desk, move |desk| Ok(show(desk, &asked)?.into().into_response(desk, &note))).await
    })
    .head(|| async { StatusCode::METHOD_NOT_ALLOWED })
}

/// The token that each form of the desk carries.
#[derive(Deserialize)]
struct Signed {
    page: String,
}

/// A POST of a form: `act` does it, and gives the page to go to.
fn done<F>(act: fn(&Arc<Desk>, &F) -> Result<String>) -> MethodRouter<Arc<Desk>>
where
    F: DeserializeOwned + Send + 'static,
{
    done_within(FORM_BYTES_MAX, act)
}

/// The same of a form that is larger than others.
fn done_within<F>(bytes_max: usize, act: fn(&Arc<Desk>, &F) -> Result<String>) -> MethodRouter<Arc<Desk>>
where
    F: DeserializeOwned + Send + 'static,
{
    let handler = move |State(desk): State<Arc<Desk>>, named: PathParams, request: Request| async move {
        let body = tokio::time::timeout(FORM_TIME_MAX, Bytes::from_request(request, &())).await;
        let form = body.ok().and_then(std::result::Result::ok).and_then(|body| {
            let signed: Signed = serde_urlencoded::from_bytes(&body).ok()?;
            desk.guard.is_page_token(&signed.page).then_some(body)
        });
        let form = form.and_then(|body| String::from_utf8(body.into()).ok()).map(|body| asked(&named, &body));
        let Some(form) = form.and_then(|body| serde_urlencoded::from_str::<F>(&body).ok()) else {
            return failed(&desk, &Trouble::NotOurs);
        };
        work(desk, move |desk| Ok(answer::to(desk, &act(desk, &form)?))).await
    };
    post(handler).layer(DefaultBodyLimit::max(bytes_max))
}

/// A POST of files: `take` gets them once they are on disk, and gives the page to go to.
fn uploaded(take: fn(&Arc<Desk>, &Uploaded) -> Result<String>) -> MethodRouter<Arc<Desk>> {
    let handler = move |State(desk): State<Arc<Desk>>, request: Request| async move {
        let received = match Multipart::from_request(upload::step_by_step(request), &()).await {
            Ok(form) => upload::receive(&desk, form).await,
            Err(_) => Err(Trouble::NotOurs),
        };
        match received {
            Ok(files) => work(desk, move |desk| Ok(answer::to(desk, &take(desk, &files)?))).await,
            Err(trouble) => failed(&desk, &trouble),
        }
    };
    post(handler).layer(DefaultBodyLimit::max(BYTES_MAX))
}

/// Use cases block: each call has a thread to itself.
async fn work<F>(desk: Arc<Desk>, work: F) -> Response<Body>
where
    F: FnOnce(&Arc<Desk>) -> Result<Response<Body>> + Send + 'static,
{
    let own = Arc::clone(&desk);
    let ended = tokio::task::spawn_blocking(move || work(&own).unwrap_or_else(|trouble| failed(&own, &trouble))).await;
    ended.unwrap_or_else(|_| failed(&desk, &Trouble::Failed))
}

/// The page of something that could not be done.
fn failed(desk: &Desk, trouble: &Trouble) -> Response<Body> {
    answer::html(trouble.status(), page::of_trouble(desk, trouble))
}
