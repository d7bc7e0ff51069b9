//! Serves the desk from its port to its end.

use std::io::{self, Write as _};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, REFERRER_POLICY, SET_COOKIE, X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Request, Response, StatusCode};
use jiff::Timestamp;
use maud::{DOCTYPE, Markup, html};
use tokio::net::TcpListener;
use tower_service::Service as _;

use crate::app::{self, App, FILES_PER_REQUEST, RoomError, create_private, make_room, runtime};
use crate::book::{Stop, StopSignal};
use crate::config::Overrides;
use crate::env;
use crate::ledger::{desk_folder, open_own_to_read};

use super::answer;
use super::connections::{self, CONNECTIONS_MAX, Peer};
use super::files;
use super::guard::{Guard, Verdict};
use super::routes::routes;
use super::sheet::dropped;
use super::state::Desk;

/// How to serve.
#[derive(Debug, Clone, Default)]
pub(crate) struct Options {
    /// The port on 127.0.0.1; 0 takes that of the last time while it is free, else any free one.
    pub port: u16,
    /// What the configuration was opened with: it is opened so again once a setting is changed on the page.
    pub overrides: Overrides,
    /// Whether a page is wanted that leads to the address, for a browser's arguments: all users of a machine can read those.
    pub wants_page: bool,
}

/// How to get in.
#[derive(Debug)]
pub(crate) struct Entry {
    /// The address that opens the desk once.
    pub url: String,
    /// A page that leads there, for its owner alone, where one is wanted and could be written.
    pub page: Option<PathBuf>,
}

/// Why there is no desk.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// Nothing can be listened to.
    #[error("cannot listen on {address}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// Why.
        source: std::io::Error,
    },
    /// The system refuses what is needed.
    #[error(transparent)]
    Room(#[from] RoomError),
    /// The desk's own folder cannot be used.
    #[error("the desk cannot keep its files")]
    Folder(#[source] std::io::Error),
    /// The system gives no random numbers, so that there are no secrets.
    #[error("the system gives no random numbers: {0}")]
    Random(getrandom::Error),
}

/// What a browser may do with the pages: nothing from elsewhere, and no script or style in the page itself.
const POLICY: &str =
    "default-src 'self'; object-src 'none'; base-uri 'self'; form-action 'self'; frame-ancestors 'none'";

/// Headers of every answer.
const HEADERS: [(HeaderName, &str); 8] = [
    (CONTENT_SECURITY_POLICY, POLICY),
    (CACHE_CONTROL, "no-store"),
    (REFERRER_POLICY, "no-referrer"),
    (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (X_FRAME_OPTIONS, "DENY"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("permissions-policy"), "camera=(), microphone=(), geolocation=()"),
];

/// By what a page knows an answer as one of its own desk, or of another desk that has not let it in. Whatever else answers on
/// the port is not the desk.
const MARK: HeaderName = HeaderName::from_static("x-shipsheet-desk");
const CLOSED: &str = "closed";

/// Serves until `stop` says so, then lets a run that is under way come to its end. `listening` hears the address that opens
/// the desk once.
pub(crate) fn serve(
    app: App,
    options: &Options,
    stop: &StopSignal,
    listening: impl FnOnce(&Entry),
) -> Result<(), ServeError> {
    // Each connection is one file.
    make_room(CONNECTIONS_MAX.div_ceil(FILES_PER_REQUEST))?;
    let runtime = runtime()?;
    let folder = desk_folder(app.config().ledger());
    files::prepare(&folder).map_err(ServeError::Folder)?;
    let address = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), options.port);
    let cannot = |source| ServeError::Listen { address, source };
    let listener = runtime.block_on(listen(address, &folder)).map_err(cannot)?;
    let guard = Guard::new(listener.local_addr().map_err(cannot)?).map_err(ServeError::Random)?;
    let desk = Arc::new(Desk::new(app, options.overrides.clone(), guard));
    prepare(&desk);
    let url = desk.guard.entry_address();
    let page = options.wants_page.then(|| EntryPage::write(&desk, &url).ok()).flatten().map(Arc::new);
    listening(&Entry { url, page: page.as_ref().map(|page| page.0.clone()) });
    let router = routes(Arc::clone(&desk));
    let own = Arc::clone(&desk);
    // The application has a runtime of its own, which must not end inside this one.
    let _last = Arc::clone(&desk);
    runtime.block_on(async move {
        let answer = move |peer: Arc<Peer>, request: Request<hyper::body::Incoming>| {
            answered(Arc::clone(&own), router.clone(), peer, request.map(Body::new), page.clone())
        };
        let (mut asked, asking) = (stop.watch(), stop.clone());
        let stopped = async {
            while *asked.borrow_and_update() == Stop::No && asked.changed().await.is_ok() {}
            // The page goes on showing how the last run ends.
            let _ = tokio::task::spawn_blocking(move || desk.work.finish(&asking)).await;
        };
        tokio::select! {
            () = connections::serve(listener, answer) => {}
            () = stopped => {}
        }
    });
    drop(runtime);
    Ok(())
}

/// Listens at an address. Where any port will do, it is the last one of this ledger as long as it is free, so that pages
/// which are still open hear that the desk was started again. Its secrets are new: they let nobody in.
async fn listen(address: SocketAddr, folder: &Path) -> io::Result<TcpListener> {
    if address.port() != 0 {
        return TcpListener::bind(address).await;
    }
    let port = folder.join(PORT);
    let last =
        open_own_to_read(&port).and_then(io::read_to_string).ok().and_then(|text| text.trim().parse::<u16>().ok());
    if let Some(last) = last.filter(|last| *last >= FREE_PORTS_FROM)
        && let Ok(listener) = TcpListener::bind(SocketAddr::new(address.ip(), last)).await
    {
        return Ok(listener);
    }
    let listener = TcpListener::bind(address).await?;
    // Where it cannot be kept, the next desk is at another one.
    let _ = files::write(&port, &listener.local_addr()?.port().to_string());
    Ok(listener)
}

/// The file with the last port, in the desk's folder.
const PORT: &str = "port";
/// Below, ports belong to services of the system.
const FREE_PORTS_FROM: u16 = 1024;

/// How the name of such a page begins.
const ENTRY: &str = "shipsheet-desk-";
/// No browser takes so long to open it.
const ENTRY_KEPT: Duration = Duration::from_hours(1);

/// A page in a file that leads a browser to the address that opens the desk once.
#[derive(Debug)]
struct EntryPage(PathBuf);

impl EntryPage {
    fn write(desk: &Desk, url: &str) -> io::Result<Self> {
        // Some browsers may read no folder that is hidden.
        let is_hidden = |path: &Path| path.iter().any(|part| part.as_encoded_bytes().starts_with(b"."));
        let folder = Some(desk.folder()).filter(|folder| !is_hidden(folder)).or_else(env::home);
        let folder = folder.unwrap_or_else(|| desk.folder());
        clear_entries(&folder);
        let path = folder.join(format!("{ENTRY}{:016x}.html", fastrand::u64(..)));
        let page = opening(url).into_string();
        create_private(&path)?.write_all(page.as_bytes())?;
        Ok(Self(path))
    }

    fn remove(&self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

impl Drop for EntryPage {
    fn drop(&mut self) {
        self.remove();
    }
}

/// Removes the pages that desks left behind which were killed: what they lead to is gone.
fn clear_entries(folder: &Path) {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    for entry in entries.filter(|entry| is_entry(&entry.file_name().to_string_lossy())) {
        let modified = entry.metadata().and_then(|metadata| metadata.modified());
        if modified.is_ok_and(|at| at.elapsed().is_ok_and(|age| age > ENTRY_KEPT)) {
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

/// Whether a file has a name that only a desk gives: others may lie in the same folder.
fn is_entry(name: &str) -> bool {
    let number = name.strip_prefix(ENTRY).and_then(|rest| rest.strip_suffix(".html"));
    number.is_some_and(|own| own.len() == 16 && own.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f')))
}

/// What is done once, before anybody comes. Where it fails, the page says so when it matters.
fn prepare(desk: &Desk) {
    dropped::clear_old(desk, Timestamp::now().as_millisecond());
    // What a crash left on its way is in doubt from now on.
    if let Ok(session) = desk.app().settling() {
        drop(session);
    }
}

/// Judges a request before anything of it is read, and answers it.
async fn answered(
    desk: Arc<Desk>,
    mut router: axum::Router,
    peer: Arc<Peer>,
    request: Request<Body>,
    page: Option<Arc<EntryPage>>,
) -> Response<Body> {
    let mut response = match desk.guard.judge(&request) {
        Verdict::Go => {
            peer.begin();
            let mut response = router.call(request).await.unwrap_or_else(|never| match never {});
            peer.end();
            if let Ok(mark) = HeaderValue::from_str(desk.guard.mark()) {
                response.headers_mut().insert(MARK, mark);
            }
            response
        }
        Verdict::Enter { is_linked } => {
            if let Some(page) = page {
                page.remove();
            }
            // A link of another page would not carry the cookie on; a page of our own does.
            let base = desk.guard.base();
            let mut response = if is_linked { answer::html(StatusCode::OK, opening(base)) } else { answer::see(base) };
            if let Ok(cookie) = HeaderValue::from_str(&desk.guard.set_cookie()) {
                response.headers_mut().insert(SET_COOKIE, cookie);
            }
            response
        }
        Verdict::Stranger => {
            let mut response = answer::html(StatusCode::FORBIDDEN, stranger());
            response.headers_mut().insert(MARK, HeaderValue::from_static(CLOSED));
            response
        }
        Verdict::Refused(status) => {
            let mut response = Response::new(Body::empty());
            *response.status_mut() = status;
            response
        }
    };
    harden(response.headers_mut());
    response
}

fn harden(headers: &mut HeaderMap) {
    for (name, value) in HEADERS {
        headers.insert(name, HeaderValue::from_static(value));
    }
}

fn opening(base: &str) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en-IN" {
            head { meta charset="utf-8"; title { "shipsheet desk" } meta http-equiv="refresh" content={ "0; url=" (base) }; }
            body { p { a href=(base) { "Open the desk" } } }
        }
    }
}

/// What somebody sees who is not let in. It says nothing of the desk's inside.
fn stranger() -> Markup {
    html! {
        (DOCTYPE)
        html lang="en-IN" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { "This desk is closed" }
            }
            body {
                main {
                    h1 { "This desk is closed here" }
                    p { "The address works once, in one browser. If the desk is open in another window, go on there." }
                    p { "Otherwise close shipsheet desk and start it again. Do so as well if it was not you who opened it." }
                }
            }
        }
    }
}

impl From<ServeError> for app::Error {
    fn from(error: ServeError) -> Self {
        match error {
            ServeError::Listen { address, source } => Self::Listen { address, source },
            ServeError::Room(error) => Self::Room(error),
            ServeError::Folder(source) => Self::Refused(format!("the desk cannot keep its files: {source}")),
            random @ ServeError::Random(_) => Self::Refused(random.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_pages_of_desks_are_cleared() {
        let folder = tempfile::tempdir().unwrap();
        let own = format!("{ENTRY}0123456789abcdef.html");
        let names = [own.as_str(), "shipsheet-desk-notes.txt", "shipsheet-desk-AWBs-november.html"];
        for name in names {
            let file = std::fs::File::create(folder.path().join(name)).unwrap();
            file.set_modified(std::time::SystemTime::now() - 2 * ENTRY_KEPT).unwrap();
        }
        clear_entries(folder.path());
        assert_eq!(names.map(|name| folder.path().join(name).exists()), [false, true, true]);
    }
}
