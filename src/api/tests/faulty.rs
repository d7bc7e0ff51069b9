//! A server that does one thing wrong, with and without TLS, and counts what reached it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use rustls::ServerConfig;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;

use crate::api::Endpoint;

/// The certificate authority of the tests, which nobody else trusts.
pub(super) const AUTHORITY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/api/tests/tls/authority.pem");

/// How much of the request is read before anything is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Read {
    Nothing,
    Head,
    All,
}

/// What follows after what is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    Close,
    Reset,
    Stay,
    /// A piece every 20 ms without end.
    Drip(&'static str),
    /// As much as the other side takes.
    Flood,
    /// The next request of the same connection is answered alike.
    Again,
}

/// What the server does with each connection.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fault {
    /// What is said before anything is read.
    pub(super) first: &'static str,
    pub(super) read: Read,
    pub(super) say: &'static str,
    pub(super) end: End,
}

/// Which certificate the server shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Over {
    Plain,
    Tls,
    /// A certificate of another host.
    WrongHost,
}

/// How often each order was read to its end.
pub(super) type Posts = Arc<Mutex<HashMap<String, u32>>>;

pub(super) struct Server {
    pub(super) endpoint: Endpoint,
    pub(super) seen: Posts,
}

pub(super) async fn serve(fault: Fault, over: Over) -> Server {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let scheme = if over == Over::Plain { "http" } else { "https" };
    let endpoint = Endpoint::parse(&format!("{scheme}://{}", listener.local_addr().unwrap())).unwrap();
    let seen = Posts::default();
    let counter = Arc::clone(&seen);
    let acceptor = (over != Over::Plain).then(|| acceptor(over));
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(converse(stream, fault, Arc::clone(&counter), acceptor.clone()));
        }
    });
    Server { endpoint, seen }
}

fn acceptor(over: Over) -> TlsAcceptor {
    let name = if over == Over::WrongHost { "elsewhere" } else { "loopback" };
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/api/tests/tls");
    let certificate = CertificateDer::from_pem_file(format!("{folder}/{name}.pem")).unwrap();
    let key = PrivateKeyDer::from_pem_file(format!("{folder}/{name}.key")).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![certificate], key)
        .unwrap();
    TlsAcceptor::from(Arc::new(config))
}

async fn converse(stream: TcpStream, fault: Fault, seen: Posts, acceptor: Option<TlsAcceptor>) {
    let reset = fault.end == End::Reset;
    match acceptor {
        None => {
            let mut stream = stream;
            treat(&mut stream, fault, &seen).await;
            if reset {
                let _ = stream.set_zero_linger();
            }
        }
        Some(acceptor) => {
            let Ok(mut stream) = acceptor.accept(stream).await else { return };
            treat(&mut stream, fault, &seen).await;
            if reset {
                let _ = stream.get_ref().0.set_zero_linger();
            }
        }
    }
}

async fn treat<S: AsyncRead + AsyncWrite + Unpin>(stream: &mut S, fault: Fault, seen: &Posts) {
    if !fault.first.is_empty()
        && (stream.write_all(fault.first.as_bytes()).await.is_err() || stream.flush().await.is_err())
    {
        return;
    }
    loop {
        if !read(stream, fault.read, seen).await {
            return;
        }
        if !fault.say.is_empty() && stream.write_all(fault.say.as_bytes()).await.is_err() {
            return;
        }
        let _ = stream.flush().await;
        match fault.end {
            End::Close | End::Reset => return,
            End::Stay => tokio::time::sleep(Duration::from_mins(1)).await,
            End::Drip(piece) => {
                while stream.write_all(piece.as_bytes()).await.is_ok() && stream.flush().await.is_ok() {
                    tokio::time::sleep(Duration::from_millis(20)).await;
                }
                return;
            }
            End::Flood => {
                while stream.write_all(&vec![b' '; 65_536]).await.is_ok() {}
                return;
            }
            End::Again => {}
        }
    }
}

/// Reads as much of a request as wanted; `false` where the client went away.
async fn read<S: AsyncRead + Unpin>(stream: &mut S, wanted: Read, seen: &Posts) -> bool {
    let mut text = Vec::new();
    let mut buffer = [0; 4_096];
    let over = |text: &[u8]| match wanted {
        Read::Nothing => true,
        Read::Head => text.windows(4).any(|part| part == b"\r\n\r\n"),
        Read::All => text.ends_with(b"\"end\"}"),
    };
    while !over(&text) {
        match stream.read(&mut buffer).await {
            Ok(0) | Err(_) => return false,
            Ok(length) => text.extend_from_slice(&buffer[..length]),
        }
    }
    if wanted == Read::All {
        let text = String::from_utf8(text).unwrap();
        let number = text.split("\"orderNumber\":\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
        *seen.lock().unwrap().entry(number.to_owned()).or_default() += 1;
    }
    true
}
