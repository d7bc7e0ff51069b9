//! Answers that nobody asked for: from a proxy that has lost count, and on connections that are kept open.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures::StreamExt;
use shipsheet::api::outcome::{Doubt, Outcome, Sent, judge};
use shipsheet::api::{Client, ClientOptions, Endpoint, Token};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use crate::histories::service::Service;
use crate::rig::by_hand::{listen, open_answer, order_number};
use crate::rig::size::{seed, times};
use crate::rig::{Rig, sheet_of};

const ORDERS: usize = 1_000;
const IN_FLIGHT: usize = 32;
/// One answer in twelve is duplicated, delayed, out of order, injected, cut or somebody else's.
const TROUBLE: u64 = 8;
const TRIES_MAX: u32 = 20;

/// Sends an order as the engine does: once more only where the outcome says that it may be.
async fn settle(client: Client, number: String) -> (String, Outcome) {
    let token = Token::new("token-of-the-test").unwrap();
    let mut outcome = Outcome::InDoubt { doubt: Doubt::Kept("never tried".to_owned()) };
    for _ in 0..TRIES_MAX {
        let body = format!("{{\"orderNumber\":\"{number}\",\"last\":\"end\"}}");
        let observed = client.forward_shipment(&token, body.clone().into_bytes()).await;
        let (at_ms, order_created_ms) = (1_763_700_000_000, 1_763_600_000_000);
        let sent = Sent { order_number: &number, body: body.as_bytes(), at_ms, order_created_ms };
        outcome = judge(&observed, &sent).outcome;
        if !matches!(outcome, Outcome::Waiting { .. }) {
            break;
        }
    }
    (number, outcome)
}

/// Promise 8: a proxy that has lost count costs doubts, and gives no order the AWB of another.
#[test]
fn a_proxy_that_has_lost_count_costs_doubts_and_nothing_else() {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let (seed, orders) = (seed(7), times(ORDERS));
    let service = runtime.block_on(Service::start(seed));
    service.begin(TROUBLE, None);
    let endpoint = Endpoint::parse(&service.url).unwrap();
    let client = Client::new(ClientOptions {
        connect_timeout: Duration::from_secs(5),
        request_timeout: Duration::from_secs(30),
        ..ClientOptions::new(endpoint)
    })
    .unwrap();
    let sent = futures::stream::iter((0..orders).map(|n| settle(client.clone(), format!("ORD-{n}"))));
    let settled: HashMap<String, Outcome> = runtime.block_on(sent.buffer_unordered(IN_FLIGHT).collect());
    // What was put off by the service is booked now, and counts.
    service.begin(0, None);
    let mut theirs: HashMap<String, Vec<String>> = HashMap::new();
    for (number, awb) in service.pages().bookings.clone() {
        theirs.entry(number).or_default().push(awb);
    }
    let (mut doubts, mut booked) = (0, 0);
    for (number, outcome) in &settled {
        let awbs = theirs.get(number).map_or(&[][..], Vec::as_slice);
        assert!(awbs.len() <= 1, "seed {seed}: {number} was booked twice: {awbs:?}");
        match outcome {
            Outcome::Booked(booking) => {
                booked += 1;
                assert_eq!(awbs, [booking.awb.as_str()], "seed {seed}: {number} has a foreign AWB");
            }
            Outcome::InDoubt { .. } => doubts += 1,
            other => assert!(awbs.is_empty(), "seed {seed}: {number} is booked as {awbs:?} and called {other:?}"),
        }
    }
    assert!(booked > orders * 3 / 4 && doubts > orders / 50, "{booked} booked, {doubts} in doubt");
}

/// What a service has booked: order number and AWB.
type Booked = Arc<Mutex<Vec<(String, String)>>>;

/// A service that answers by hand until it is dropped.
struct ByHand {
    url: String,
    booked: Booked,
    _runtime: tokio::runtime::Runtime,
}

/// Half a millisecond after each answer it says this, and keeps the connection open or closes it.
fn by_hand(stray: &'static str, stays_open: bool) -> ByHand {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let booked = Booked::default();
    let book = Arc::clone(&booked);
    let (url, _) = runtime.block_on(listen(move |mut stream| {
        let book = Arc::clone(&book);
        async move { while serve(&mut stream, &book, stray).await.is_some() && stays_open {} }
    }));
    ByHand { url, booked, _runtime: runtime }
}

async fn serve(stream: &mut TcpStream, book: &Booked, stray: &str) -> Option<()> {
    let number = order_number(stream).await.ok()??;
    let awb = {
        let mut book = book.lock().unwrap();
        let awb = format!("AWB{:04}", book.len());
        book.push((number, awb.clone()));
        awb
    };
    let answer = open_answer("201 Created", &format!("{{\"awb\":\"{awb}\",\"shipmentPurchaseError\":null}}"));
    stream.write_all(answer.as_bytes()).await.ok()?;
    tokio::time::sleep(Duration::from_micros(500)).await;
    stream.write_all(stray.as_bytes()).await.ok()
}

/// Promise 8: an answer that no request asked for is no order's answer.
#[test]
fn what_is_said_on_an_idle_connection_is_no_orders_answer() {
    let strays = [
        "HTTP/1.1 429 Too Many Requests\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 400 Bad Request\r\nContent-Length: 2\r\n\r\n{}",
        "HTTP/1.1 401 Unauthorized\r\nContent-Length: 2\r\n\r\n{}",
        "HTTP/1.1 201 Created\r\nContent-Length: 45\r\n\r\n{\"awb\":\"FOREIGN\",\"shipmentPurchaseError\":null}",
    ];
    // All at once: each waits for what else comes on its connections.
    std::thread::scope(|scope| {
        for (stray, concurrency) in strays.into_iter().flat_map(|stray| [(stray, "1"), (stray, "8")]) {
            scope.spawn(move || strays_into(stray, concurrency));
        }
    });
}

/// A run whose connections say this while nothing is asked on them.
fn strays_into(stray: &'static str, concurrency: &str) {
    let service = by_hand(stray, true);
    let rig = Rig::beside(&service.url).patient_for("0.1");
    rig.file("orders.csv", &sheet_of(10));
    let ran = rig.run(&["import", "orders.csv", "--yes", "--concurrency", concurrency, "--max-wait", "1"]);
    let booked = service.booked.lock().unwrap().clone();
    let mut numbers: Vec<&String> = booked.iter().map(|(number, _)| number).collect();
    numbers.sort();
    numbers.dedup();
    assert_eq!(numbers.len(), booked.len(), "{stray}: booked twice: {ran:?}");
    for row in rig.results(&["--all"]) {
        let number = row["order_number"].as_str().unwrap();
        let theirs = booked.iter().find(|(booked, _)| booked == number);
        match row["state"].as_str().unwrap() {
            "booked" => assert_eq!(row["awb"], theirs.unwrap().1, "{stray}: {ran:?}"),
            "in_doubt" => {}
            state => assert!(theirs.is_none(), "{stray}: {number} is booked and called {state}: {ran:?}"),
        }
    }
}

#[test]
fn a_service_that_closes_after_each_answer_without_saying_so_costs_no_doubt() {
    let service = by_hand("", false);
    let rig = Rig::beside(&service.url);
    rig.file("orders.csv", &sheet_of(200));
    rig.run(&["import", "orders.csv", "--yes", "--concurrency", "16"]).exits(0);
    assert_eq!(service.booked.lock().unwrap().len(), 200);
}
