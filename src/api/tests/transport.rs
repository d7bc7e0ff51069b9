//! One call is one POST, and only what was never sent is called unsent: on real sockets.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use crate::api::outcome::{Lost, NotSent, Observed};
use crate::api::{Client, ClientOptions, Endpoint, Token};

/// How the server treats a connection.
#[derive(Debug, Clone, Copy)]
enum Act {
    /// Reads the request, then writes this and closes.
    Answer(&'static str),
    /// Closes without reading.
    CloseUnread,
    /// Reads the request, then closes.
    Close,
    /// Reads the request, then resets.
    Reset,
    /// Reads the request, then says nothing.
    Silence,
    /// Reads the request, begins to answer, then says nothing.
    Stall(&'static str),
    /// Answers with a body without end.
    Endless,
}

/// Requests whose header the server has read.
async fn serve(act: Act) -> (Endpoint, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let endpoint = Endpoint::parse(&format!("http://{}", listener.local_addr().unwrap())).unwrap();
    let posts = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&posts);
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(treat(stream, act, Arc::clone(&counter)));
        }
    });
    (endpoint, posts)
}

async fn treat(mut stream: TcpStream, act: Act, posts: Arc<AtomicUsize>) {
    if matches!(act, Act::CloseUnread) {
        return;
    }
    let mut seen = Vec::new();
    let mut buffer = [0; 4096];
    while !seen.ends_with(b"{\"body\":1}") {
        match stream.read(&mut buffer).await {
            Ok(0) | Err(_) => return,
            Ok(length) => seen.extend_from_slice(&buffer[..length]),
        }
    }
    posts.fetch_add(1, Ordering::SeqCst);
    match act {
        Act::Answer(text) => drop(stream.write_all(text.as_bytes()).await),
        Act::Reset => drop(stream.set_zero_linger()),
        Act::Silence => tokio::time::sleep(Duration::from_mins(1)).await,
        Act::Stall(text) => {
            let _ = stream.write_all(text.as_bytes()).await;
            tokio::time::sleep(Duration::from_mins(1)).await;
        }
        Act::Endless => {
            let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 99999999\r\n\r\n").await;
            while stream.write_all(&vec![b' '; 65_536]).await.is_ok() {}
        }
        Act::Close | Act::CloseUnread => {}
    }
}

fn client(endpoint: Endpoint) -> Client {
    Client::new(ClientOptions {
        endpoint,
        connect_timeout: Duration::from_millis(200),
        request_timeout: Duration::from_millis(400),
        ca_file: None,
        environment_proxy: false,
        connections_max: 4,
    })
    .unwrap()
}

async fn post(client: &Client) -> Observed {
    client.forward_shipment(&Token::new("t").unwrap(), b"{\"body\":1}".to_vec()).await
}

/// Each act a few times: what is seen has to be called this, and each call has to be one POST at most.
async fn check(act: Act, times: usize, expected: fn(&Observed) -> bool) {
    let (endpoint, posts) = serve(act).await;
    let client = client(endpoint);
    for _ in 0..times {
        let observed = post(&client).await;
        assert!(expected(&observed), "{act:?}: {observed:?}");
    }
    let expected = if matches!(act, Act::CloseUnread) { 0 } else { times };
    assert_eq!(posts.load(Ordering::SeqCst), expected, "{act:?}");
}

#[tokio::test]
async fn redirects_are_answers_and_nothing_more() {
    let status = |status: u16| move |observed: &Observed| matches!(observed, Observed::Reply(r) if r.status == status);
    const TO: &str = "HTTP/1.1 307 Temporary Redirect\r\nLocation: /again\r\nContent-Length: 0\r\n\r\n";
    check(
        Act::Answer(TO),
        25,
        |observed| matches!(observed, Observed::Reply(r) if r.location.as_deref() == Some("/again")),
    )
    .await;
    let (endpoint, posts) = serve(Act::Answer("HTTP/1.1 302 Found\r\nLocation: /x\r\nContent-Length: 0\r\n\r\n")).await;
    assert!(status(302)(&post(&client(endpoint)).await));
    assert_eq!(posts.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn a_broken_connection_is_never_called_unsent() {
    let broken = |observed: &Observed| matches!(observed, Observed::Lost(Lost::Broken(_)));
    for act in [Act::CloseUnread, Act::Close, Act::Reset, Act::Answer("garbage\r\n\r\n"), Act::Answer("HTTP/1.1 2")] {
        check(act, 25, broken).await;
    }
}

#[tokio::test]
async fn a_slow_answer_is_lost_once() {
    check(Act::Silence, 3, |observed| matches!(observed, Observed::Lost(Lost::TimedOut))).await;
    let partial = |observed: &Observed| matches!(observed, Observed::Lost(Lost::Partial { status: 201, .. }));
    check(Act::Stall("HTTP/1.1 201 Created\r\nContent-Length: 50\r\n\r\n{\"awb\":"), 3, partial).await;
}

#[tokio::test]
async fn a_cut_or_endless_body_is_partial() {
    let partial = |observed: &Observed| matches!(observed, Observed::Lost(Lost::Partial { .. }));
    check(Act::Answer("HTTP/1.1 201 Created\r\nContent-Length: 50\r\n\r\n{\"awb\":\"A\"}"), 25, partial).await;
    check(Act::Endless, 3, |observed| match observed {
        Observed::Lost(Lost::Partial { body, .. }) => body.len() <= 1 << 20,
        _ => false,
    })
    .await;
}

#[tokio::test]
async fn a_refused_connection_is_proven_unsent() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let endpoint = Endpoint::parse(&format!("http://{}", listener.local_addr().unwrap())).unwrap();
    drop(listener);
    for _ in 0..25 {
        let observed = post(&client(endpoint.clone())).await;
        assert!(matches!(observed, Observed::NotSent(NotSent::Unreachable(_))), "{observed:?}");
    }
}

#[tokio::test]
async fn a_connection_dropped_on_reuse_is_not_sent_again() {
    const WHOLE: &str = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}";
    let (endpoint, posts) = serve(Act::Answer(WHOLE)).await;
    let client = client(endpoint);
    // The server closes after each answer without saying so: some calls meet a connection that is going away.
    let mut answered = 0;
    for _ in 0..200 {
        match post(&client).await {
            Observed::Reply(_) => answered += 1,
            Observed::Lost(Lost::Broken(_)) => {}
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(posts.load(Ordering::SeqCst), answered);
}
