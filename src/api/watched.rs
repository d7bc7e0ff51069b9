//! A connection on which is seen whether the request has begun to leave, and whether anything came before it had left.

use std::io;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use super::dial::Stream;

/// What is kept of bytes that nobody asked for; enough for the head of an answer and an AWB.
pub(super) const UNASKED_BYTES_MAX: usize = 8 * 1024;

/// What was seen on a connection; outlives it.
#[derive(Debug, Default)]
pub(super) struct Wire {
    touched: AtomicBool,
    unasked: Mutex<Option<Vec<u8>>>,
}

impl Wire {
    /// Whether any byte of the request was handed to the network, or may have been.
    pub(super) fn is_touched(&self) -> bool {
        self.touched.load(Ordering::Acquire)
    }

    /// What came before the request had left.
    pub(super) fn unasked(&self) -> Option<Vec<u8>> {
        self.unasked.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// Before each write it looks whether anything has come in. If so nothing more is written: the request is never whole.
pub(super) struct Watched {
    pub(super) stream: TokioIo<Box<dyn Stream>>,
    wire: Arc<Wire>,
}

impl Watched {
    pub(super) fn new(stream: TokioIo<Box<dyn Stream>>, wire: Arc<Wire>) -> Self {
        Self { stream, wire }
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
        *self.wire.unasked.lock().unwrap_or_else(PoisonError::into_inner) = Some(unasked);
        Err(io::Error::other("the service spoke before it was asked"))
    }
}

impl AsyncRead for Watched {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for Watched {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.listen(context)?;
        // From here on some of it may have left, whatever comes of the call.
        self.wire.touched.store(true, Ordering::Release);
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
