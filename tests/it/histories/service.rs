//! The service of a history, behind a proxy that has lost count: what it does with a request follows from the seed, the order
//! number and how often that was asked for, never from the moment.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use fastrand::Rng;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use crate::rig::by_hand::{answer, listen, number_in, open_answer, request};

/// Longer than the client waits.
const TOO_LONG: Duration = Duration::from_millis(900);
/// Between an answer and what nobody asked for.
const MOMENT: Duration = Duration::from_micros(500);

/// What becomes of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fate {
    Plain,
    /// The answer names the order.
    NamesOrder,
    Rejected,
    Refused,
    TooMany,
    Unauthorized,
    BusyUnbooked,
    BusyBooked,
    CutUnbooked,
    CutBooked,
    HalfAnswer,
    Garbage,
    Empty,
    /// A refusal that carries the AWB of the booking.
    RefusedWithAwb,
    /// A refusal, and then the true answer, on one connection.
    StrayBefore,
    /// The true answer, and then a refusal.
    StrayAfter,
    /// The true answer twice.
    Twice,
    /// The answer of another order, by name.
    Swapped,
    /// The answer of an order that was booked in an earlier session.
    Replayed,
    /// Booked and never answered in time.
    Silent,
    /// Neither answered nor booked in time, and booked later.
    BooksLater,
    /// The connection stays open behind the answer.
    KeptOpen,
}

const FAULTS: [Fate; 20] = [
    Fate::Rejected,
    Fate::Refused,
    Fate::TooMany,
    Fate::Unauthorized,
    Fate::BusyUnbooked,
    Fate::BusyBooked,
    Fate::CutUnbooked,
    Fate::CutBooked,
    Fate::HalfAnswer,
    Fate::Garbage,
    Fate::Empty,
    Fate::RefusedWithAwb,
    Fate::StrayBefore,
    Fate::StrayAfter,
    Fate::Twice,
    Fate::Swapped,
    Fate::Replayed,
    Fate::TooMany,
    Fate::StrayBefore,
    Fate::StrayAfter,
];
/// What takes time is rare.
const SLOW: [Fate; 3] = [Fate::Silent, Fate::BooksLater, Fate::KeptOpen];

/// What a stray answer says.
const STRAYS: [&str; 6] = [
    "429 Too Many Requests",
    "400 Bad Request",
    "401 Unauthorized",
    "422 Unprocessable Content",
    "503 Unavailable",
    "201 Created",
];

/// What happens when the service has taken so many requests.
pub(crate) type Trigger = (u64, Box<dyn FnOnce() + Send>);

#[derive(Default)]
pub(crate) struct Pages {
    /// Order number and AWB, in the order in which they were booked.
    pub(crate) bookings: Vec<(String, String)>,
    /// AWBs that the client is known to have on disk.
    pub(crate) known: Vec<String>,
    /// Every request: the token that came with it, and its body.
    pub(crate) sent: Vec<(String, String)>,
    posts: HashMap<String, u64>,
    later: Vec<String>,
    requests: u64,
    connections: u64,
    /// How far the service's clock is from ours.
    pub(crate) clock_minutes: i64,
    /// How much goes wrong, in hundredths.
    trouble: u64,
    trigger: Option<Trigger>,
}

/// A service that runs; dropped, it is gone.
pub(crate) struct Service {
    pages: Arc<Mutex<Pages>>,
    pub(crate) url: String,
    /// The same service under another address.
    pub(crate) other_url: String,
    tasks: [tokio::task::JoinHandle<()>; 2],
}

impl Service {
    pub(crate) async fn start(seed: u64) -> Self {
        let pages = Arc::<Mutex<Pages>>::default();
        let serving = || {
            let pages = Arc::clone(&pages);
            listen(move |stream| {
                let pages = Arc::clone(&pages);
                async move { drop(serve(stream, &pages, seed).await) }
            })
        };
        let ((url, task), (other_url, other_task)) = (serving().await, serving().await);
        Self { pages, url, other_url, tasks: [task, other_task] }
    }

    pub(crate) fn pages(&self) -> MutexGuard<'_, Pages> {
        self.pages.lock().unwrap()
    }

    /// From here on so much goes wrong, and this happens after so many requests.
    pub(crate) fn begin(&self, trouble: u64, trigger: Option<Trigger>) {
        let mut pages = self.pages();
        for number in std::mem::take(&mut pages.later) {
            book(&mut pages, &number);
        }
        let requests = pages.requests;
        pages.trouble = trouble;
        pages.trigger = trigger.map(|(after, act)| (requests + after, act));
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        self.tasks.iter().for_each(tokio::task::JoinHandle::abort);
    }
}

fn book(pages: &mut Pages, number: &str) -> String {
    let awb = format!("AWB{:05}", pages.bookings.len() + 1);
    pages.bookings.push((number.to_owned(), awb.clone()));
    awb
}

fn shipment(pages: &Pages, awb: &str) -> String {
    let created = jiff::Timestamp::now().as_millisecond() + pages.clock_minutes * 60_000;
    let body = format!(
        "{{\"orderId\":\"id-{awb}\",\"awb\":\"{awb}\",\"cratedAt\":\"{created}\",\"shipmentPurchaseError\":null}}"
    );
    answer("201 Created", &body)
}

fn named(number: &str, awb: &str) -> String {
    answer("200 OK", &format!("{{\"orderNumber\":\"{number}\",\"awb\":\"{awb}\",\"shipmentPurchaseError\":null}}"))
}

/// An answer that belongs to nobody here.
fn stray(rng: &mut Rng) -> String {
    let status = STRAYS[rng.usize(..STRAYS.len())];
    let body = if status.starts_with("201") { "{\"awb\":\"FOREIGN1\",\"shipmentPurchaseError\":null}" } else { "{}" };
    open_answer(status, body)
}

async fn serve(mut stream: TcpStream, shared: &Mutex<Pages>, seed: u64) -> std::io::Result<()> {
    stream.set_nodelay(true)?;
    let (speaks_first, mut rng) = {
        let mut pages = shared.lock().unwrap();
        pages.connections += 1;
        let mut rng = Rng::with_seed(seed ^ (pages.connections << 32));
        (rng.u64(..100) < pages.trouble / 8, rng)
    };
    if speaks_first {
        stream.write_all(stray(&mut rng).as_bytes()).await?;
    }
    let Some((head, body)) = request(&mut stream).await? else { return Ok(()) };
    let token =
        head.lines().find_map(|line| line.to_lowercase().strip_prefix("authorization: bearer ").map(str::to_owned));
    let number = number_in(&body).unwrap_or_default().to_owned();
    shared.lock().unwrap().sent.push((token.unwrap_or_default(), body));
    let (fate, text, wait) = judged(shared, seed, &number, speaks_first);
    let mut parts = text.into_iter();
    if fate == Fate::StrayBefore {
        stream.write_all(stray(&mut rng).as_bytes()).await?;
    }
    tokio::time::sleep(wait).await;
    if let Some(first) = parts.next() {
        stream.write_all(first.as_bytes()).await?;
    }
    if fate == Fate::StrayAfter {
        tokio::time::sleep(MOMENT).await;
        stream.write_all(stray(&mut rng).as_bytes()).await?;
    }
    for part in parts {
        stream.write_all(part.as_bytes()).await?;
    }
    if fate == Fate::KeptOpen {
        tokio::time::sleep(TOO_LONG).await;
    }
    stream.shutdown().await
}

/// Decides on a request: whether it is booked, what is answered, and when.
fn judged(shared: &Mutex<Pages>, seed: u64, number: &str, spoke_first: bool) -> (Fate, Vec<String>, Duration) {
    let mut pages = shared.lock().unwrap();
    pages.requests += 1;
    let posts = pages.posts.entry(number.to_owned()).or_default();
    *posts += 1;
    let salt = number.bytes().fold(*posts, |salt, byte| salt.wrapping_mul(31).wrapping_add(u64::from(byte)));
    let mut rng = Rng::with_seed(seed.wrapping_add(salt << 20));
    let dice = rng.u64(..10_000);
    let fate = if dice < pages.trouble {
        SLOW[rng.usize(..SLOW.len())]
    } else if dice < pages.trouble * 100 {
        FAULTS[rng.usize(..FAULTS.len())]
    } else {
        [Fate::Plain, Fate::NamesOrder][rng.usize(..2)]
    };
    let fate = match fate {
        // A stray answer that comes just after the request has left, and that no other follows soon, cannot be told from a true one.
        Fate::CutBooked | Fate::CutUnbooked | Fate::Silent | Fate::BooksLater if spoke_first => Fate::Plain,
        fate => fate,
    };
    let result = resolved(&mut pages, fate, number, &mut rng);
    let requests = pages.requests;
    let due = pages.trigger.take_if(|(after, _)| *after <= requests);
    drop(pages);
    if let Some((_, act)) = due {
        act();
    }
    result
}

fn resolved(pages: &mut Pages, fate: Fate, number: &str, rng: &mut Rng) -> (Fate, Vec<String>, Duration) {
    let one = |text: String| vec![text];
    let is_late = matches!(fate, Fate::Silent | Fate::BooksLater);
    let wait = if is_late { TOO_LONG } else { Duration::from_micros(rng.u64(..400)) };
    let texts = match fate {
        Fate::Plain | Fate::StrayBefore | Fate::StrayAfter | Fate::KeptOpen | Fate::Silent => {
            let awb = book(pages, number);
            one(shipment(pages, &awb))
        }
        Fate::NamesOrder => one(named(number, &book(pages, number))),
        Fate::Twice => {
            let awb = book(pages, number);
            let text = shipment(pages, &awb);
            vec![text.clone(), text]
        }
        Fate::Rejected => one(answer("200 OK", "{\"awb\":null,\"shipmentPurchaseError\":\"PIN not served\"}")),
        Fate::Refused => one(answer("400 Bad Request", "{\"message\":[\"pinCode must be a string\"]}")),
        Fate::TooMany => one(answer("429 Too Many Requests", "{\"message\":\"too many requests\"}")),
        Fate::Unauthorized => one(answer("401 Unauthorized", "{\"message\":\"the token has expired\"}")),
        Fate::BusyUnbooked => one(answer("503 Unavailable", "busy")),
        Fate::BusyBooked => {
            book(pages, number);
            one(answer("502 Bad Gateway", "<html>bad</html>"))
        }
        Fate::CutUnbooked => vec![],
        Fate::CutBooked => {
            book(pages, number);
            vec![]
        }
        Fate::HalfAnswer => {
            let awb = book(pages, number);
            let text = shipment(pages, &awb);
            one(text[..text.len() - rng.usize(1..40)].to_owned())
        }
        Fate::Garbage => {
            book(pages, number);
            one("\u{1}\u{2}garbage\r\n\r\n".to_owned())
        }
        Fate::Empty => {
            book(pages, number);
            one(answer("200 OK", "{\"awb\":\"\",\"shipmentPurchaseError\":null}"))
        }
        Fate::RefusedWithAwb => {
            let awb = book(pages, number);
            one(answer(
                "422 Unprocessable",
                &format!("{{\"message\":\"no\",\"existing\":{{\"awb_number\":\"{awb}\"}}}}"),
            ))
        }
        Fate::Swapped => {
            book(pages, number);
            one(named("SOMEBODY-ELSE", "AWB99999"))
        }
        Fate::Replayed => {
            let own = book(pages, number);
            let replayed =
                if pages.known.is_empty() { own } else { pages.known[rng.usize(..pages.known.len())].clone() };
            one(shipment(pages, &replayed))
        }
        Fate::BooksLater => {
            pages.later.push(number.to_owned());
            vec![]
        }
    };
    (fate, texts, wait)
}
