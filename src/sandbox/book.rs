//! What the sandbox has booked.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use jiff::Timestamp;
use serde_json::{Value, json};

/// One booked shipment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Booking {
    /// The order number that was sent.
    pub order_number: String,
    /// The AWB that was given.
    pub awb: String,
    /// The service's own id.
    pub order_id: String,
    /// The request as it came.
    pub body: Vec<u8>,
    /// When, epoch milliseconds.
    pub at_ms: i64,
}

/// Everything that was booked and how often each order was asked for. Clones share it.
#[derive(Debug, Clone, Default)]
pub struct Book(Arc<Mutex<Pages>>);

#[derive(Debug, Default)]
struct Pages {
    bookings: Vec<Booking>,
    posts: HashMap<String, u64>,
    requests: u64,
    logins: u64,
    unauthorized: u64,
    under_way: u64,
    at_once_max: u64,
    file: Option<File>,
}

/// A request to book that is being answered, for as long as it lives.
pub(super) struct UnderWay(Book);

impl Drop for UnderWay {
    fn drop(&mut self) {
        self.0.pages().under_way -= 1;
    }
}

impl Book {
    /// A book that is also written to a file, a line for each booking, before the booking is answered. What stands there
    /// already was booked by an earlier process.
    pub(super) fn kept_in(path: &Path) -> io::Result<Self> {
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(error),
        };
        let mut options = File::options();
        options.create(true).append(true);
        // Its lines tell who is sent what.
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(path)?;
        // A line that a kill has torn was never answered.
        if !text.is_empty() && !text.ends_with('\n') {
            file.write_all(b"\n")?;
        }
        let bookings = text.lines().filter_map(earlier).collect();
        Ok(Self(Arc::new(Mutex::new(Pages { bookings, file: Some(file), ..Pages::default() }))))
    }

    /// The booking with that order id.
    pub(super) fn by_order_id(&self, order_id: &str) -> Option<Booking> {
        self.pages().bookings.iter().find(|booking| booking.order_id == order_id).cloned()
    }

    /// Every booking, in order.
    #[must_use]
    pub fn bookings(&self) -> Vec<Booking> {
        self.pages().bookings.clone()
    }

    /// Requests of any kind that reached the service.
    #[must_use]
    pub fn requests(&self) -> u64 {
        self.pages().requests
    }

    /// The most requests to book that were ever under way at once.
    #[must_use]
    pub fn at_once_max(&self) -> u64 {
        self.pages().at_once_max
    }

    pub(super) fn under_way(&self) -> UnderWay {
        let mut pages = self.pages();
        pages.under_way += 1;
        pages.at_once_max = pages.at_once_max.max(pages.under_way);
        UnderWay(self.clone())
    }

    /// Logins that gave a token.
    #[must_use]
    pub fn logins(&self) -> u64 {
        self.pages().logins
    }

    /// Requests that were turned away for their token.
    #[must_use]
    pub fn unauthorized(&self) -> u64 {
        self.pages().unauthorized
    }

    /// How often an order was posted.
    #[must_use]
    pub fn posts(&self, order_number: &str) -> u64 {
        self.pages().posts.get(order_number).copied().unwrap_or(0)
    }

    /// Order numbers with more than one booking.
    #[must_use]
    pub fn booked_twice(&self) -> Vec<String> {
        let pages = self.pages();
        let mut counts: HashMap<&str, u32> = HashMap::new();
        for booking in &pages.bookings {
            *counts.entry(&booking.order_number).or_default() += 1;
        }
        let mut twice: Vec<String> =
            counts.into_iter().filter(|(_, count)| *count > 1).map(|(number, _)| number.to_owned()).collect();
        twice.sort_unstable();
        twice
    }

    pub(super) fn request(&self) -> u64 {
        let mut pages = self.pages();
        pages.requests += 1;
        pages.requests
    }

    pub(super) fn login(&self) {
        self.pages().logins += 1;
    }

    pub(super) fn turn_away(&self) {
        self.pages().unauthorized += 1;
    }

    pub(super) fn post(&self, order_number: &str) {
        *self.pages().posts.entry(order_number.to_owned()).or_default() += 1;
    }

    pub(super) fn enter(&self, mut booking: Booking) {
        booking.at_ms = Timestamp::now().as_millisecond();
        let mut pages = self.pages();
        if let Some(file) = &mut pages.file {
            let line = json!({"orderNumber": booking.order_number, "awb": booking.awb, "orderId": booking.order_id});
            // The sandbox has nobody to tell of a full disk; the test that reads the file will notice.
            let _ = writeln!(file, "{line}");
        }
        pages.bookings.push(booking);
    }

    /// How much is in the book.
    pub(super) fn counts(&self) -> Value {
        let pages = self.pages();
        json!({"requests": pages.requests, "bookings": pages.bookings.len()})
    }

    pub(super) fn to_json(&self) -> Value {
        let pages = self.pages();
        let bookings: Vec<Value> = pages
            .bookings
            .iter()
            .map(|booking| {
                json!({
                    "orderNumber": booking.order_number,
                    "awb": booking.awb,
                    "orderId": booking.order_id,
                    "body": String::from_utf8_lossy(&booking.body),
                    "at": booking.at_ms,
                })
            })
            .collect();
        json!({"requests": pages.requests, "logins": pages.logins, "unauthorized": pages.unauthorized, "posts": pages.posts, "bookings": bookings})
    }

    fn pages(&self) -> MutexGuard<'_, Pages> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A booking of an earlier process; its body was not kept.
fn earlier(line: &str) -> Option<Booking> {
    let line: Value = serde_json::from_str(line).ok()?;
    let text = |name: &str| line[name].as_str().map(str::to_owned);
    Some(Booking {
        order_number: text("orderNumber")?,
        awb: text("awb")?,
        order_id: text("orderId")?,
        body: Vec::new(),
        at_ms: 0,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_book_outlives_its_process_and_a_torn_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("book.jsonl");
        let booking = |number: &str| Booking {
            order_number: number.to_owned(),
            awb: format!("AWB-{number}"),
            order_id: format!("SB-{number}"),
            body: b"{}".to_vec(),
            at_ms: 0,
        };
        Book::kept_in(&path).unwrap().enter(booking("A"));
        let torn = std::fs::read_to_string(&path).unwrap() + "{\"orderNu";
        std::fs::write(&path, torn).unwrap();
        let book = Book::kept_in(&path).unwrap();
        book.enter(booking("B"));
        book.enter(booking("A"));
        let book = Book::kept_in(&path).unwrap();
        assert_eq!((book.bookings().len(), book.booked_twice()), (3, vec!["A".to_owned()]));
        assert_eq!(book.by_order_id("SB-B").unwrap().awb, "AWB-B");
    }
}
