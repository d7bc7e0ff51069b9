//! Mail, by a server of the test: with TLS from the first byte, after STARTTLS, and where the server says no.

use std::sync::{Arc, PoisonError};

use rustls::ServerConfig;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;

use super::{Heard, heard, night, own_bench};
use crate::rig::{Rig, row, sheet};

const TLS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/api/tests/tls");

/// A mail server, as far as a client needs one.
struct Post {
    port: u16,
    mails: Heard,
    _runtime: tokio::runtime::Runtime,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Plain,
    Starttls,
    Implicit,
    /// Says no to the account.
    NoAccount,
    /// Offers no STARTTLS.
    NoStarttls,
}

impl Post {
    fn new(way: Way) -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let mails = Heard::default();
        let (all, listener) = (Arc::clone(&mails), runtime.block_on(TcpListener::bind("127.0.0.1:0")).unwrap());
        let port = listener.local_addr().unwrap().port();
        runtime.spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, way, Arc::clone(&all)));
            }
        });
        Self { port, mails, _runtime: runtime }
    }
}

fn acceptor() -> TlsAcceptor {
    let certificate = CertificateDer::from_pem_file(format!("{TLS}/loopback.pem")).unwrap();
    let key = PrivateKeyDer::from_pem_file(format!("{TLS}/loopback.key")).unwrap();
    let config = ServerConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![certificate], key)
        .unwrap();
    TlsAcceptor::from(Arc::new(config))
}

async fn serve(stream: TcpStream, way: Way, mails: Heard) {
    if way == Way::Implicit {
        let Ok(stream) = acceptor().accept(stream).await else { return };
        talk(stream, way, &mails, true).await;
    } else if let Some(stream) = talk(stream, way, &mails, true).await
        && let Ok(stream) = acceptor().accept(stream).await
    {
        talk(stream, way, &mails, false).await;
    }
}

/// Talks until the client leaves; gives the stream back where TLS begins.
async fn talk<S: AsyncRead + AsyncWrite + Unpin>(stream: S, way: Way, mails: &Heard, greets: bool) -> Option<S> {
    let mut stream = BufReader::new(stream);
    if greets {
        stream.write_all(b"220 post\r\n").await.ok()?;
    }
    let mut mail: Option<String> = None;
    let mut line = String::new();
    loop {
        line.clear();
        if stream.read_line(&mut line).await.ok()? == 0 {
            return None;
        }
        if let Some(text) = &mut mail {
            if line == ".\r\n" {
                mails.lock().unwrap_or_else(PoisonError::into_inner).push(std::mem::take(text));
                mail = None;
                stream.write_all(b"250 taken\r\n").await.ok()?;
            } else {
                text.push_str(&line);
            }
            continue;
        }
        let word = line.split_whitespace().next().unwrap_or_default().to_uppercase();
        let answer: &[u8] = match word.as_str() {
            "EHLO" if greets && way == Way::Starttls => b"250-post\r\n250 STARTTLS\r\n",
            "EHLO" => b"250-post\r\n250 AUTH PLAIN\r\n",
            "STARTTLS" => {
                stream.write_all(b"220 go on\r\n").await.ok()?;
                return Some(stream.into_inner());
            }
            "AUTH" if way == Way::NoAccount => b"535 asha@example.com is not known here\r\n",
            "AUTH" => b"235 welcome\r\n",
            "DATA" => {
                mail = Some(String::new());
                b"354 begin\r\n"
            }
            _ => b"250 ok\r\n",
        };
        stream.write_all(answer).await.ok()?;
    }
}

fn mailing(post: &Post, tls: &str, more: &str) -> Rig {
    own_bench(&format!(
        "ca_file = \"{TLS}/authority.pem\"\n[mail]\nserver = \"127.0.0.1\"\nport = {}\ntls = \"{tls}\"\n\
         from = \"Shipsheet <night@example.com>\"\n{more}\
         [notify.owner]\nto = [\"owner@example.com\", \"second@example.com\"]\nwhen = \"always\"\n",
        post.port
    ))
}

/// A rig whose mail server wants an account.
fn with_account(post: &Post, tls: &str) -> Rig {
    let rig = mailing(post, tls, "user = \"night\"\npassword_command = \"echo a-long-password\"\n");
    rig.file("in/a.csv", &sheet([row("A-1")]));
    rig
}

#[test]
fn a_mail_carries_the_report_over_tls_of_both_kinds() {
    for (way, tls) in [(Way::Starttls, "starttls"), (Way::Implicit, "implicit"), (Way::Plain, "none")] {
        let post = Post::new(way);
        let rig = with_account(&post, tls);
        let ended = night(&rig);
        ended.exits(0).says_nothing_of("warning");
        let mails = heard(&post.mails);
        let [mail] = mails.as_slice() else { panic!("{tls}: {mails:?}") };
        for part in [
            "Subject: shipsheet: 1 order booked",
            "Auto-Submitted: auto-generated\r\n",
            "From: ",
            "owner@example.com",
            "filename=\"report.html\"",
            "Content-Type: text/html",
        ] {
            assert!(mail.contains(part), "{tls}: {part}: {mail}");
        }
        assert!(!mail.contains("a-long-password") && !ended.stderr.contains("a-long-password"));
    }
}

#[test]
fn a_server_that_says_no_is_told_without_names_and_no_secret() {
    let post = Post::new(Way::NoAccount);
    let ended = night(&with_account(&post, "none"));
    ended.exits(0).says("[notify.owner] was not told: the mail server said 535");
    assert!(!ended.stderr.contains("asha") && !ended.stderr.contains("a-long-password"), "{ended:?}");
    assert!(heard(&post.mails).is_empty());
}

#[test]
fn no_mail_leaves_without_the_tls_that_was_asked_for() {
    let post = Post::new(Way::NoStarttls);
    let ended = night(&with_account(&post, "starttls").patient_for("0.1"));
    ended.exits(0).says("[notify.owner] was not told");
    assert!(heard(&post.mails).is_empty());
}
