//! Listens on loopback and serves each connection.

use std::collections::{HashMap, VecDeque};
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::book::Book;
use super::faults::{Answer, Faults};
use super::identity::Identities;
use super::operations::Memory;
use super::service::{Service, lock};

/// The token that the sandbox accepts; it guards nothing.
pub const DEFAULT_TOKEN: &str = "sandbox-token";
/// The account that a login takes.
pub const DEFAULT_EMAIL: &str = "sandbox@example.com";
/// Its password, which guards nothing either.
pub const DEFAULT_PASSWORD: &str = "sandbox";

/// How to serve.
#[derive(Debug, Clone)]
pub struct Options {
    /// Loopback only; port 0 takes a free one.
    pub address: SocketAddr,
    /// The token that is accepted.
    pub token: String,
    /// How to misbehave.
    pub faults: Faults,
    /// Where to keep the book as well, a line for each booking.
    pub book_file: Option<PathBuf>,
    /// Whether the book keeps the bodies of requests; they take most of its memory.
    pub keep_bodies: bool,
    /// How long a shipment stays at each step of its way.
    pub tracking_step: Duration,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            address: SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 0),
            token: DEFAULT_TOKEN.to_owned(),
            faults: Faults::default(),
            book_file: None,
            keep_bodies: true,
            tracking_step: Duration::from_secs(20),
        }
    }
}

/// A running sandbox. Dropped, it stops listening.
#[derive(Debug)]
pub struct Sandbox {
    address: SocketAddr,
    service: Arc<Service>,
    stop: CancellationToken,
    connections: TaskTracker,
    listener: JoinHandle<()>,
}

impl Sandbox {
    /// Starts serving in the current runtime.
    pub async fn start(options: Options) -> io::Result<Self> {
        if !options.address.ip().is_loopback() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "the sandbox listens on loopback only"));
        }
        let listener = TcpListener::bind(options.address).await?;
        let book = match &options.book_file {
            Some(path) => Book::kept_in(path)?,
            None => Book::default(),
        };
        let service = Arc::new(Service {
            book,
            faults: options.faults,
            token: options.token,
            script: Mutex::new(VecDeque::new()),
            scripts: Mutex::new(HashMap::new()),
            identities: Identities::new(),
            memory: Memory::default(),
            tracking_step: options.tracking_step,
            keep_bodies: options.keep_bodies,
            held_after: watch::Sender::new(u64::MAX),
        });
        let stop = CancellationToken::new();
        let connections = TaskTracker::new();
        let address = listener.local_addr()?;
        let accepting = accept(listener, Arc::clone(&service), stop.clone(), connections.clone());
        Ok(Self { address, service, stop, connections, listener: tokio::spawn(accepting) })
    }

    /// Where it listens.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// What it booked.
    #[must_use]
    pub fn book(&self) -> Book {
        self.service.book.clone()
    }

    /// Answers for the next forward shipments, in the order of their arrival.
    pub fn script(&self, answers: impl IntoIterator<Item = Answer>) {
        lock(&self.service.script).extend(answers);
    }

    /// Answers for the next forward shipments of one order.
    pub fn script_order(&self, order_number: &str, answers: impl IntoIterator<Item = Answer>) {
        lock(&self.service.scripts).entry(order_number.to_owned()).or_default().extend(answers);
    }

    /// Answers for the next requests of any other operation, by their path.
    pub fn script_path(&self, path: &str, answers: impl IntoIterator<Item = Answer>) {
        self.script_order(path, answers);
    }

    /// Lets forward shipments wait that arrive after this many requests, until [`Sandbox::go_on`].
    pub fn hold_after(&self, requests: u64) {
        self.service.held_after.send_replace(requests);
    }

    /// Answers what waits, and what comes.
    pub fn go_on(&self) {
        self.hold_after(u64::MAX);
    }

    /// Its base URL.
    #[must_use]
    pub fn base_url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Stops listening and drops every connection.
    pub async fn shutdown(mut self) {
        self.stop.cancel();
        let _ = (&mut self.listener).await;
        self.connections.close();
        self.connections.wait().await;
    }
}

impl Drop for Sandbox {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

async fn accept(listener: TcpListener, service: Arc<Service>, stop: CancellationToken, connections: TaskTracker) {
    loop {
        tokio::select! {
            () = stop.cancelled() => return,
            accepted = listener.accept() => {
                // A connection that failed while it was made is its client's matter.
                let Ok((stream, _)) = accepted else { continue };
                connections.spawn(serve(stream, Arc::clone(&service), stop.clone()));
            }
        }
    }
}

async fn serve(stream: TcpStream, service: Arc<Service>, stop: CancellationToken) {
    // Without it each answer would wait for the client's acknowledgement of the one before.
    let _ = stream.set_nodelay(true);
    let answer = service_fn(move |request| {
        let service = Arc::clone(&service);
        async move { service.answer(request).await }
    });
    let connection = http1::Builder::new().serve_connection(TokioIo::new(stream), answer);
    tokio::select! {
        () = stop.cancelled() => {}
        // An error here is a cut that was asked for, or a client that went away.
        _ = connection => {}
    }
}
