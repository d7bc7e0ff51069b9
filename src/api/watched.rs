//! A connection on which is seen how much of the request has left, and whether anything came before the whole of it had.

use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};

use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use super::dial::Stream;

/// What is kept of bytes that nobody asked for; enough for the head of an answer and an AWB.
pub(super) const UNASKED_BYTES_MAX: usize = 8 * 1024;

/// The end of a request's head.
const HEAD_END: &[u8] = b"\r\n\r\n";

/// Asked just before the first byte of a request leaves: whether it still may.
#[derive(Clone)]
pub(super) struct LastLook(pub(super) Arc<dyn Fn() -> bool + Send + Sync>);

impl std::fmt::Debug for LastLook {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("LastLook")
    }
}

/// What was seen on a connection; outlives it.
#[derive(Debug, Default)]
pub(super) struct Wire(Mutex<Seen>);

#[derive(Debug, Default)]
struct Seen {
    /// Whether any byte of the request was handed to the network, or may have been.
    touched: bool,
    /// The request's head, as far as it was written; then only its length counts.
    head: Vec<u8>,
    head_is_whole: bool,
    /// Whether any byte is known to have been taken.
    began: bool,
    /// Bytes of the body that were written.
    body: usize,
    unasked: Option<Vec<u8>>,
}

impl Seen {
    fn wrote(&mut self, bytes: &[u8]) {
        self.began |= !bytes.is_empty();
        if self.head_is_whole {
            self.body += bytes.len();
            return;
        }
        self.head.extend_from_slice(bytes);
        if let Some(end) = memchr::memmem::find(&self.head, HEAD_END) {
            self.head_is_whole = true;
            self.body = self.head.len() - end - HEAD_END.len();
            self.head.clear();
        }
    }
}

impl Wire {
    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether any byte of the request was handed to the network, or may have been.
    pub(super) fn is_touched(&self) -> bool {
        self.seen().touched
    }

    /// What came before the request had left.
    pub(super) fn unasked(&self) -> Option<Vec<u8>> {
        self.seen().unasked.take()
    }
}

/// Nothing is read from it before the whole request has left: whatever comes sooner ends it. Before each write it listens;
/// where something has come in nothing more is written, so that the request is never whole.
pub(super) struct Watched {
    pub(super) stream: TokioIo<Box<dyn Stream>>,
    wire: Arc<Wire>,
    /// How long the request's body is.
    body: usize,
    last_look: Option<LastLook>,
}

impl Watched {
    pub(super) fn new(
        stream: TokioIo<Box<dyn Stream>>,
        wire: Arc<Wire>,
        body: usize,
        last_look: Option<LastLook>,
    ) -> Self {
        Self { stream, wire, body, last_look }
    }

    /// Looks once more before the first byte.
    fn look(&self) -> io::Result<()> {
        match &self.last_look {
            Some(LastLook(may_leave)) if !self.wire.seen().began && !may_leave() => {
                Err(io::Error::other("its time to leave had passed"))
            }
            _ => Ok(()),
        }
    }

    fn has_all_left(&self) -> bool {
        let seen = self.wire.seen();
        seen.head_is_whole && seen.body >= self.body
    }

    /// Whether the other side is silent, as it has to be until the whole request has left.
    fn listen(&mut self, context: &mut Context<'_>) -> io::Result<()> {
        // Nearly always there is nothing: what there is gets more room below.
        let mut bytes = [0; 64];
        let mut buffer = ReadBuf::new(&mut bytes);
        match Pin::new(&mut self.stream).poll_read(context, &mut buffer) {
            Poll::Pending => return Ok(()),
            Poll::Ready(read) => read?,
        }
        if buffer.filled().is_empty() {
            return Err(io::ErrorKind::ConnectionAborted.into());
        }
        let mut unasked = buffer.filled().to_vec();
        let mut rest = vec![0; UNASKED_BYTES_MAX - unasked.len()];
        let mut buffer = ReadBuf::new(&mut rest);
        if let Poll::Ready(Ok(())) = Pin::new(&mut self.stream).poll_read(context, &mut buffer) {
            unasked.extend_from_slice(buffer.filled());
        }
        self.wire.seen().unasked = Some(unasked);
        Err(io::Error::other("the service spoke before it was asked"))
    }
}

impl AsyncRead for Watched {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.has_all_left() {
            return Pin::new(&mut self.stream).poll_read(context, buffer);
        }
        self.listen(context)?;
        Poll::Pending
    }
}

impl AsyncWrite for Watched {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.listen(context)?;
        self.look()?;
        // From here on some of it may have left, whatever comes of the call.
        self.wire.seen().touched = true;
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        if let Poll::Ready(Ok(length)) = &written {
            self.wire.seen().wrote(&bytes[..*length]);
        }
        written
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
