//! A sandbox in a process of its own: what kills the program leaves the service alone, and the other way round.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

use serde_json::Value;

/// A running sandbox. Dropped, it is killed.
#[derive(Debug)]
pub(crate) struct Apart {
    child: Child,
    address: String,
}

/// What its book says.
#[derive(Debug)]
pub(crate) struct Book {
    pub(crate) requests: u64,
    /// Order number and AWB, as often as it was booked.
    pub(crate) bookings: Vec<(String, String)>,
    posts: BTreeMap<String, u64>,
}

impl Book {
    /// How many requests for an order came.
    pub(crate) fn posts(&self, number: &str) -> u64 {
        self.posts.get(number).copied().unwrap_or(0)
    }
}

impl Apart {
    /// Starts one on a free port.
    pub(crate) fn start(faults: &str) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_shipsheet"))
            .args(["sandbox", "--port", "0", "--faults", faults])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("listening on ").unwrap_or_else(|| panic!("{line}")).to_owned();
        Self { child, address }
    }

    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    /// Requests and bookings so far.
    pub(crate) fn counts(&self) -> (u64, usize) {
        let counts = self.get("/sandbox/counts");
        (counts["requests"].as_u64().unwrap(), usize::try_from(counts["bookings"].as_u64().unwrap()).unwrap())
    }

    pub(crate) fn book(&self) -> Book {
        let book = self.get("/sandbox/book");
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let bookings = book["bookings"].as_array().unwrap().iter();
        let posts = book["posts"].as_object().unwrap().iter();
        Book {
            requests: book["requests"].as_u64().unwrap(),
            bookings: bookings.map(|booking| (text(&booking["orderNumber"]), text(&booking["awb"]))).collect(),
            posts: posts.map(|(number, count)| (number.clone(), count.as_u64().unwrap())).collect(),
        }
    }

    fn get(&self, path: &str) -> Value {
        let host = self.address.strip_prefix("http://").unwrap();
        let mut stream = TcpStream::connect(host).unwrap();
        write!(stream, "GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (_, body) = answer.split_once("\r\n\r\n").unwrap();
        serde_json::from_str(body).unwrap()
    }
}

impl Drop for Apart {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
