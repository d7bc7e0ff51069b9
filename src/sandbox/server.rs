//! Listens on loopback and serves each connection.

use std::collections::{HashMap, VecDeque};
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex};

use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use jiff::Timestamp;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::book::Book;
use super::faults::{Answer, Faults};
use super::service::{Service, lock};

/// The token that the sandbox accepts; it guards nothing.
pub const DEFAULT_TOKEN: &str = "sandbox-token";

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
}

impl Default for Options {
    fn default() -> Self {
        Self {
            address: SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 0),
            token: DEFAULT_TOKEN.to_owned(),
            faults: Faults::default(),
            book_file: None,
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
            epoch: base_36(Timestamp::now().as_microsecond()),
            counter: AtomicU64::new(1),
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

fn base_36(number: i64) -> String {
    let mut rest = number.unsigned_abs();
    let mut digits = Vec::new();
    while rest > 0 {
        digits.push(b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[usize::try_from(rest % 36).unwrap_or(0)]);
        rest /= 36;
    }
    digits.iter().rev().map(|digit| char::from(*digit)).collect()
}
