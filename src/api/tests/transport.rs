//! One call is one POST, and only what was never sent is called unsent: on real sockets, with and without TLS.

use std::time::Duration;

use futures::future::join_all;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpListener;

use super::faulty::{AUTHORITY, End, Fault, Over, Read, Server, serve};
use crate::api::connection::surplus;
use crate::api::outcome::{Lost, NotSent, Observed};
use crate::api::{Client, ClientOptions, Endpoint, Token};

/// How often each fault is tried over each transport.
const TIMES: usize = 25;

#[tokio::test]
async fn a_service_far_away_leads_to_nothing_on_this_machine() {
    let here = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/label.pdf", here.local_addr().unwrap());
    let far = Client::new(ClientOptions::new(Endpoint::parse("https://api.example.com").unwrap())).unwrap();
    assert!(matches!(far.fetch(&url, 9).await, Observed::NotSent(NotSent::Unreachable(why)) if why.contains("https")));
    let near = Client::new(ClientOptions::new(Endpoint::parse("http://127.0.0.1:1").unwrap())).unwrap();
    let (fetched, accepted) = tokio::join!(near.fetch(&url, 9), async { drop(here.accept().await.unwrap()) });
    assert!(matches!(fetched, Observed::Lost(_)), "{fetched:?} {accepted:?}");
}

/// What has to be seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Seen {
    Reply(u16),
    /// A reply, or a connection that broke: which of the two is the network's affair.
    ReplyOrLost(u16),
    Broken,
    /// Nothing of the request was read: broken before or after the connection stood.
    BrokenOrUnsent,
    TimedOut,
    Partial(u16),
    /// An answer that may be another request's.
    Unbelievable(u16),
    /// It spoke first: seen before anything was sent, or just after.
    UnsentOrUnbelievable(u16),
    Lost,
}

impl Seen {
    fn fits(self, observed: &Observed) -> bool {
        match (self, observed) {
            (Self::Reply(status) | Self::ReplyOrLost(status), Observed::Reply(reply)) => reply.status == status,
            (Self::Broken | Self::BrokenOrUnsent, Observed::Lost(Lost::Broken(_)))
            | (Self::BrokenOrUnsent, Observed::NotSent(_))
            | (Self::TimedOut, Observed::Lost(Lost::TimedOut))
            | (Self::Lost | Self::ReplyOrLost(_), Observed::Lost(_))
            | (Self::UnsentOrUnbelievable(_), Observed::NotSent(NotSent::Unreachable(_))) => true,
            (Self::Partial(wanted), Observed::Lost(Lost::Partial { status, .. })) => *status == wanted,
            (
                Self::Unbelievable(wanted) | Self::UnsentOrUnbelievable(wanted),
                Observed::Lost(Lost::Unbelievable { status, .. }),
            ) => *status == Some(wanted),
            _ => false,
        }
    }
}

const fn fault(read: Read, say: &'static str, end: End) -> Fault {
    Fault { first: "", read, say, end }
}

const BEGUN: &str = "HTTP/1.1 201 Created\r\nContent-Length: 50\r\n\r\n{\"awb\":\"A\"";
const LONG: &str = "HTTP/1.1 201 Created\r\nContent-Length: 99999\r\n\r\n{\"awb\":\"A\"";
const EARLY: &str = "HTTP/1.1 503 Unavailable\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
const MOVED: &str = "HTTP/1.1 307 Temporary Redirect\r\nLocation: /again\r\nContent-Length: 0\r\n\r\n";
const TWO_LENGTHS: &str = "HTTP/1.1 201 Created\r\nContent-Length: 2\r\nContent-Length: 9\r\n\r\n{}       ";
const SHORT_LENGTH: &str = "HTTP/1.1 201 Created\r\nContent-Length: 4\r\n\r\n{\"awb\":\"A\"}";
const CHUNK_CUT: &str = "HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\n\r\nff\r\n{\"awb\":\"A\"}";
const CHUNK_BAD: &str = "HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{\"awb\":\"A\"}\r\n0\r\n\r\n";
const TWICE: &str = "HTTP/1.1 201 Created\r\nContent-Length: 12\r\n\r\n{\"awb\":\"ONE\"HTTP/1.1 201 Created\r\nContent-Length: 12\r\n\r\n{\"awb\":\"TWO\"";
const NO: &str = "HTTP/1.1 429 Too Many Requests\r\nContent-Length: 0\r\n\r\n";
const NO_AND_YES: &str = "HTTP/1.1 429 Too Many Requests\r\nContent-Length: 0\r\n\r\nHTTP/1.1 201 Created\r\nContent-Length: 12\r\n\r\n{\"awb\":\"ONE\"";
const WHOLE: &str = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}";
const NO_LINE_YES: &str =
    "HTTP/1.1 429 Too Many Requests\r\nContent-Length: 0\r\n\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}";
const EMPTY_LINE: &str = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}\r\n";
const HINT: &str = "HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 201 Created\r\nContent-Length: 2\r\n\r\n{}";

/// Faults after which an answer, or its end, is seen at once.
const PROMPT: &[(&str, Fault, Seen)] = &[
    ("closed before a byte", fault(Read::Nothing, "", End::Close), Seen::BrokenOrUnsent),
    ("reset before a byte", fault(Read::Nothing, "", End::Reset), Seen::BrokenOrUnsent),
    ("closed after the header", fault(Read::Head, "", End::Close), Seen::Broken),
    ("reset after the header", fault(Read::Head, "", End::Reset), Seen::Broken),
    ("closed after the booking", fault(Read::All, "", End::Close), Seen::Broken),
    ("reset after the booking", fault(Read::All, "", End::Reset), Seen::Broken),
    ("half a header", fault(Read::All, "HTTP/1.1 201 Crea", End::Close), Seen::Broken),
    ("half a header line", fault(Read::All, "HTTP/1.1 201 Created\r\nContent-Le", End::Close), Seen::Broken),
    ("cut body", fault(Read::All, BEGUN, End::Close), Seen::Partial(201)),
    ("reset body", fault(Read::All, BEGUN, End::Reset), Seen::Lost),
    ("cut chunk", fault(Read::All, CHUNK_CUT, End::Close), Seen::Partial(201)),
    ("broken chunk", fault(Read::All, CHUNK_BAD, End::Close), Seen::Partial(201)),
    ("length too short", fault(Read::All, SHORT_LENGTH, End::Close), Seen::Unbelievable(201)),
    ("an empty line too many", fault(Read::All, EMPTY_LINE, End::Close), Seen::Reply(200)),
    ("a no, an empty line, and the answer", fault(Read::All, NO_LINE_YES, End::Close), Seen::Unbelievable(429)),
    ("two answers", fault(Read::All, TWICE, End::Close), Seen::Unbelievable(201)),
    ("a no before the answer", fault(Read::All, NO_AND_YES, End::Close), Seen::Unbelievable(429)),
    (
        "a no before the request",
        Fault { first: NO, ..fault(Read::All, WHOLE, End::Close) },
        Seen::UnsentOrUnbelievable(429),
    ),
    ("two lengths", fault(Read::All, TWO_LENGTHS, End::Close), Seen::Broken),
    ("garbage", fault(Read::All, "\u{1}\u{2}garbage\r\n\r\n", End::Close), Seen::Broken),
    ("HTTP/0.9", fault(Read::All, "<html>booked</html>", End::Close), Seen::Broken),
    ("another protocol", fault(Read::All, "SSH-2.0-OpenSSH_9.6\r\n", End::Close), Seen::Broken),
    (
        "endless body",
        fault(Read::All, "HTTP/1.1 200 OK\r\nContent-Length: 99999999\r\n\r\n", End::Flood),
        Seen::Partial(200),
    ),
    ("endless header", fault(Read::All, "HTTP/1.1 200 OK\r\nX: ", End::Flood), Seen::Broken),
    ("early 503", fault(Read::Head, EARLY, End::Close), Seen::ReplyOrLost(503)),
    (
        "408 after the booking",
        fault(Read::All, "HTTP/1.1 408 Timeout\r\nContent-Length: 0\r\n\r\n", End::Close),
        Seen::Reply(408),
    ),
    ("307", fault(Read::All, MOVED, End::Close), Seen::Reply(307)),
    (
        "302",
        fault(Read::All, "HTTP/1.1 302 Found\r\nLocation: /x\r\nContent-Length: 0\r\n\r\n", End::Close),
        Seen::Reply(302),
    ),
    (
        "303",
        fault(Read::All, "HTTP/1.1 303 See\r\nLocation: /x\r\nContent-Length: 0\r\n\r\n", End::Close),
        Seen::Reply(303),
    ),
    ("a hint before the answer", fault(Read::All, HINT, End::Close), Seen::Reply(201)),
];

/// Faults that only a time limit ends.
const SLOW: &[(&str, Fault, Seen)] = &[
    ("silence before", fault(Read::Nothing, "", End::Stay), Seen::TimedOut),
    ("silence after the header", fault(Read::Head, "", End::Stay), Seen::TimedOut),
    ("silence after the booking", fault(Read::All, "", End::Stay), Seen::TimedOut),
    ("silence in the answer's header", fault(Read::All, "HTTP/1.1 201 Cr", End::Stay), Seen::TimedOut),
    ("silence in the body", fault(Read::All, BEGUN, End::Stay), Seen::Lost),
    ("100 and then silence", fault(Read::All, "HTTP/1.1 100 Continue\r\n\r\n", End::Stay), Seen::TimedOut),
    ("dripping header", fault(Read::All, "HTTP/1.1 201 Created\r\nX: ", End::Drip("y")), Seen::TimedOut),
    ("dripping body", fault(Read::All, LONG, End::Drip(" ")), Seen::Lost),
];

fn client(endpoint: Endpoint, patience: Duration) -> Client {
    pooled(endpoint, patience, 8)
}

fn pooled(endpoint: Endpoint, patience: Duration, connections_max: usize) -> Client {
    Client::new(ClientOptions {
        connections_max,
        connect_timeout: Duration::from_secs(20),
        request_timeout: patience,
        ca_file: Some(AUTHORITY.into()),
        ..ClientOptions::new(endpoint)
    })
    .unwrap()
}

async fn post(client: &Client, number: usize) -> Observed {
    let body = format!("{{\"orderNumber\":\"{number}\",\"last\":\"end\"}}");
    client.forward_shipment(&Token::new("t").unwrap(), body.into_bytes()).await
}

/// Each call is seen for what it was, is one POST at most, and is not called unsent where it was read.
async fn check(name: &str, fault: Fault, over: Over, patience: Duration, seen: Seen) {
    let Server { endpoint, seen: read } = serve(fault, over).await;
    // A connection for each call: what a call sees is then the fault and not the end of another call's connection.
    let client = pooled(endpoint, patience, 0);
    let observed = join_all((0..TIMES).map(|number| post(&client, number))).await;
    for observed in &observed {
        assert!(seen.fits(observed), "{name} over {over:?}: {observed:?}");
        let may_be_unsent = fault.read == Read::Nothing || !fault.first.is_empty();
        assert!(may_be_unsent || !matches!(observed, Observed::NotSent(_)));
    }
    let read = read.lock().unwrap();
    assert!(read.values().all(|posts| *posts == 1), "{name} over {over:?}: {read:?}");
    for (number, observed) in observed.iter().enumerate() {
        let unsent = matches!(observed, Observed::NotSent(_));
        assert!(!unsent || !read.contains_key(&number.to_string()), "{name} over {over:?}: {number} was read");
    }
    // On a busy machine a short limit may end a call before it was read.
    if fault.read == Read::All && fault.first.is_empty() && patience >= Duration::from_mins(1) {
        assert_eq!(read.len(), TIMES, "{name} over {over:?}");
    }
}

/// Promise 1: one call is one request, whatever the network does, and a call that is reported as unsent reached no
/// service.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_fault_is_seen_for_what_it_is() {
    for over in [Over::Plain, Over::Tls] {
        for (name, fault, seen) in PROMPT {
            check(name, *fault, over, Duration::from_mins(1), *seen).await;
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn silence_ends_with_the_time_limit_and_in_doubt() {
    // Together, for each of them lasts as long as the limit.
    let patience = Duration::from_secs(8);
    let cases = [Over::Plain, Over::Tls].into_iter().flat_map(|over| SLOW.iter().map(move |case| (over, case)));
    join_all(cases.map(|(over, (name, fault, seen))| check(name, *fault, over, patience, *seen))).await;
}

/// Promise 8: an answer that comes before the whole request has left is not believed.
#[tokio::test]
async fn an_answer_that_comes_before_the_whole_request_has_left_is_never_believed() {
    // The service says no once it has the head, and reads and books the rest all the same.
    let no = Fault { say: NO, ..fault(Read::Head, NO, End::Stay) };
    for over in [Over::Plain, Over::Tls] {
        for fault in [no, fault(Read::Head, EARLY, End::Close)] {
            let Server { endpoint, .. } = serve(fault, over).await;
            let client = client(endpoint, Duration::from_secs(20));
            let body = vec![b' '; 8 << 20];
            for _ in 0..5 {
                let observed = client.forward_shipment(&Token::new("t").unwrap(), body.clone()).await;
                assert!(matches!(observed, Observed::Lost(_)), "{fault:?} over {over:?}: {observed:?}");
            }
        }
    }
}

#[tokio::test]
async fn what_may_not_leave_any_more_is_proven_unsent() {
    for over in [Over::Plain, Over::Tls] {
        let Server { endpoint, seen: read } = serve(fault(Read::All, EARLY, End::Close), over).await;
        let client = client(endpoint, Duration::from_mins(1));
        let late = client.clone().looking(|| false);
        for number in 0..TIMES {
            let observed = post(&late, number).await;
            assert!(matches!(observed, Observed::NotSent(NotSent::Unreachable(_))), "{over:?}: {observed:?}");
        }
        post(&client.looking(|| true), TIMES).await;
        assert_eq!(read.lock().unwrap().keys().collect::<Vec<_>>(), [&TIMES.to_string()], "{over:?}");
    }
}

#[tokio::test]
async fn a_refused_connection_is_proven_unsent() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let endpoint = Endpoint::parse(&format!("https://{}", listener.local_addr().unwrap())).unwrap();
    drop(listener);
    let client = client(endpoint, Duration::from_mins(1));
    for number in 0..TIMES {
        let observed = post(&client, number).await;
        assert!(matches!(observed, Observed::NotSent(NotSent::Unreachable(_))), "{observed:?}");
    }
}

#[tokio::test]
async fn an_untrusted_connection_is_proven_unsent_and_told_from_an_unreachable_one() {
    let answer = fault(Read::All, EARLY, End::Close);
    let unknown = serve(answer, Over::Tls).await;
    let stranger = ClientOptions { ca_file: None, ..ClientOptions::new(unknown.endpoint.clone()) };
    let wrong = serve(answer, Over::WrongHost).await;
    let plain = serve(fault(Read::Nothing, "HTTP/1.1 400 Bad\r\n\r\n", End::Close), Over::Plain).await;
    let plain_endpoint = Endpoint::parse(&plain.endpoint.origin().replace("http:", "https:")).unwrap();
    let clients = [
        Client::new(stranger),
        Ok(client(wrong.endpoint.clone(), Duration::from_mins(1))),
        Ok(client(plain_endpoint, Duration::from_mins(1))),
    ];
    for (client, server) in clients.into_iter().zip([&unknown, &wrong, &plain]) {
        // A machine without certificates of its own cannot even begin.
        let Ok(client) = client else { continue };
        for number in 0..TIMES {
            let observed = post(&client, number).await;
            assert!(matches!(observed, Observed::NotSent(NotSent::Tls(_))), "{observed:?}");
        }
        assert!(server.seen.lock().unwrap().is_empty());
    }
}

/// Promise 8: an answer that no request asked for is no order's answer.
#[tokio::test]
async fn a_second_answer_that_nobody_asked_for_is_nobodys() {
    for over in [Over::Plain, Over::Tls] {
        let Server { endpoint, seen } = serve(fault(Read::All, TWICE, End::Again), over).await;
        let client = client(endpoint, Duration::from_mins(1));
        for number in 0..2 * TIMES {
            let observed = post(&client, number).await;
            assert!(Seen::Unbelievable(201).fits(&observed), "{observed:?}");
        }
        assert!(seen.lock().unwrap().values().all(|posts| *posts == 1));
    }
}

#[tokio::test]
async fn a_server_that_closes_after_each_answer_without_saying_so_costs_nothing() {
    for over in [Over::Plain, Over::Tls] {
        let Server { endpoint, seen } = serve(fault(Read::All, WHOLE, End::Close), over).await;
        let client = client(endpoint, Duration::from_mins(1));
        for number in 0..8 * TIMES {
            let observed = post(&client, number).await;
            assert!(Seen::Reply(200).fits(&observed), "{observed:?}");
        }
        assert_eq!(seen.lock().unwrap().values().sum::<u32>(), 8 * u32::try_from(TIMES).unwrap());
    }
}

#[tokio::test]
async fn an_empty_line_hides_no_second_answer() {
    let (mut here, mut there) = tokio::io::duplex(64);
    let listening = tokio::spawn(async move { surplus(&mut here).await });
    for part in [&b"\r\n"[..], b"\n", b"HTTP/1.1 201"] {
        there.write_all(part).await.unwrap();
        // Each part is read before the next one comes.
        tokio::task::yield_now().await;
    }
    assert_eq!(listening.await.unwrap().trim_ascii_start(), b"HTTP/1.1 201");
}

#[tokio::test]
async fn a_server_that_keeps_connections_open_is_believed() {
    let Server { endpoint, .. } = serve(fault(Read::All, WHOLE, End::Again), Over::Plain).await;
    let client = client(endpoint, Duration::from_mins(1));
    for observed in join_all((0..TIMES).map(|number| post(&client, number))).await {
        assert!(Seen::Reply(200).fits(&observed), "{observed:?}");
    }
}
