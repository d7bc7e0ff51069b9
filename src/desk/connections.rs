//! Connections: few at a time, none that is slow, and those of the clerk's own browser stay.

use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Duration;

use axum::body::Body;
use axum::http::{Request, Response};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::TcpListener;
use tokio::task::AbortHandle;

/// Connections that are open at a time.
pub(super) const CONNECTIONS_MAX: usize = 256;
/// A request's headers come within this time, and the next request of a connection as well.
const HEADER_TIME_MAX: Duration = Duration::from_secs(15);
/// Until the next try, where the system has no room for another connection.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// What is known of whoever is at the other end.
#[derive(Debug, Default)]
pub(super) struct Peer(AtomicU8);

impl Peer {
    const STRANGER: u8 = 0;
    const IDLE: u8 = 1;
    const BUSY: u8 = 2;

    /// A request of the desk's own pages is being answered.
    pub(super) fn begin(&self) {
        self.0.store(Self::BUSY, Ordering::Relaxed);
    }

    /// It is answered.
    pub(super) fn end(&self) {
        self.0.store(Self::IDLE, Ordering::Relaxed);
    }

    fn standing(&self) -> u8 {
        self.0.load(Ordering::Relaxed)
    }
}

struct Open {
    peer: Arc<Peer>,
    task: AbortHandle,
}

/// Serves connections for as long as it is polled.
pub(super) async fn serve<F, A>(listener: TcpListener, answer: F)
where
    F: Fn(Arc<Peer>, Request<hyper::body::Incoming>) -> A + Clone + Send + 'static,
    A: Future<Output = Response<Body>> + Send + 'static,
{
    let mut open: Vec<Open> = Vec::new();
    loop {
        let accepted = listener.accept().await;
        open.retain(|connection| !connection.task.is_finished());
        let is_room = open.len() < CONNECTIONS_MAX || close_one(&mut open);
        let Ok((stream, _)) = accepted else {
            // The system has no room: one connection less may help.
            close_one(&mut open);
            tokio::time::sleep(ACCEPT_PAUSE).await;
            continue;
        };
        if !is_room {
            continue;
        }
        let peer = Arc::new(Peer::default());
        let (answer, asked) = (answer.clone(), Arc::clone(&peer));
        let connection = tokio::spawn(async move {
            let service = service_fn(move |request| {
                let answered = answer(Arc::clone(&asked), request);
                async move { Ok::<_, Infallible>(answered.await) }
            });
            // How a connection ends is the browser's matter.
            let _ = http1::Builder::new()
                .timer(TokioTimer::new())
                .header_read_timeout(HEADER_TIME_MAX)
                .serve_connection(TokioIo::new(stream), service)
                .await;
        });
        open.push(Open { peer, task: connection.abort_handle() });
    }
}

/// Closes the oldest connection that never showed the cookie, else the oldest on which nothing is asked just now.
fn close_one(open: &mut Vec<Open>) -> bool {
    let oldest = |standing| open.iter().position(|connection| connection.peer.standing() == standing);
    let Some(place) = oldest(Peer::STRANGER).or_else(|| oldest(Peer::IDLE)) else { return false };
    open.remove(place).task.abort();
    true
}
