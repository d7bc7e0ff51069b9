//! TLS to a database server, as the connections to the service have it: one provider, and certificates that are verified.

use std::error::Error as Failed;
use std::future::Future;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_postgres::tls::{ChannelBinding, MakeTlsConnect, TlsConnect, TlsStream};
use tokio_rustls::TlsConnector;

/// Makes a connection verified, by the name of its host.
#[derive(Clone)]
pub(super) struct Verified(pub(super) TlsConnector);

/// The same for one host.
pub(super) struct ToHost {
    connector: TlsConnector,
    host: String,
}

/// A connection that is verified and encrypted.
pub(super) struct Wire<S>(tokio_rustls::client::TlsStream<S>);

type Opening<S> = Pin<Box<dyn Future<Output = Result<Wire<S>, Box<dyn Failed + Send + Sync>>> + Send>>;

impl<S: AsyncRead + AsyncWrite + Unpin + Send + 'static> MakeTlsConnect<S> for Verified {
    type Stream = Wire<S>;
    type TlsConnect = ToHost;
    type Error = io::Error;

    fn make_tls_connect(&mut self, host: &str) -> Result<ToHost, io::Error> {
        Ok(ToHost { connector: self.0.clone(), host: host.to_owned() })
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin + Send + 'static> TlsConnect<S> for ToHost {
    type Stream = Wire<S>;
    type Error = Box<dyn Failed + Send + Sync>;
    type Future = Opening<S>;

    fn connect(self, stream: S) -> Self::Future {
        Box::pin(async move { Ok(Wire(self.connector.connect(self.host.try_into()?, stream).await?)) })
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> TlsStream for Wire<S> {
    fn channel_binding(&self) -> ChannelBinding {
        ChannelBinding::none()
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncRead for Wire<S> {
    fn poll_read(mut self: Pin<&mut Self>, on: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_read(on, into)
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for Wire<S> {
    fn poll_write(mut self: Pin<&mut Self>, on: &mut Context<'_>, from: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(on, from)
    }

    fn poll_flush(mut self: Pin<&mut Self>, on: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(on)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, on: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(on)
    }
}
