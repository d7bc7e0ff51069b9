//! The desk: who gets in, what nobody can do to it, and its screens as a person uses them.

mod answers;
pub(crate) mod browser;
mod choices;
mod columns;
pub(crate) mod crashes;
mod driver;
mod ends;
mod kept;
mod layouts;
mod lists;
pub(crate) mod money;
mod newcomer;
mod older;
mod one_order;
mod packing;
mod picture;
pub(crate) mod plain;
mod refused;
mod renumbered;
mod results;
mod safety;
mod screens;
mod settings;
mod sheets;
mod starts;
mod ticked;
mod told;
mod twice;
mod typed;
mod whole;
mod windows;

use std::io::{Read, Write};
use std::net::TcpStream;

use serde_json::Value;

use crate::rig::{Live, PATIENCE, Rig, wait_until};

/// A desk that is served, with what its browser has.
pub(crate) struct Desk {
    pub(crate) live: Live,
    /// The address that opens it once.
    pub(crate) url: String,
    /// `127.0.0.1:PORT`.
    pub(crate) host: String,
    /// The folder under which everything is, once it is open.
    base: String,
    cookie: String,
}

impl Desk {
    /// Starts a desk that nobody has opened yet.
    pub(crate) fn closed(rig: &Rig, arguments: &[&str]) -> Self {
        Self::closed_by(rig, &[], arguments)
    }

    /// The same, by a program that sets the stage and then becomes the desk.
    fn closed_by(rig: &Rig, starters: &[&str], arguments: &[&str]) -> Self {
        let arguments = [&["desk", "--format", "json"], arguments].concat();
        let live = rig.live_by(starters, "desk", &arguments);
        wait_until("the desk listens", || rig.read("desk.stdout").ends_with('\n'));
        let said: Value = serde_json::from_str(&rig.read("desk.stdout")).unwrap();
        let url = said["url"].as_str().unwrap().to_owned();
        let host = url.strip_prefix("http://").unwrap().split('/').next().unwrap().to_owned();
        Self { live, url, host, base: String::new(), cookie: String::new() }
    }

    /// Starts a desk, and opens it as a browser does.
    pub(crate) fn open(rig: &Rig, arguments: &[&str]) -> Self {
        Self::open_by(rig, &[], arguments)
    }

    fn open_by(rig: &Rig, starters: &[&str], arguments: &[&str]) -> Self {
        let mut desk = Self::closed_by(rig, starters, arguments);
        let entry = desk.url.strip_prefix(&format!("http://{}", desk.host)).unwrap().to_owned();
        let answer = desk.ask("GET", &entry, &[], "");
        assert_eq!(answer.status, 303, "{answer:?}");
        answer.header("location").unwrap().clone_into(&mut desk.base);
        answer.header("set-cookie").unwrap().split(';').next().unwrap().clone_into(&mut desk.cookie);
        desk
    }

    /// Sends a request with these headers and the right host, unless another one is among them.
    fn ask(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Answer {
        let own = [("Connection", "close"), ("Host", &self.host), ("Content-Length", &body.len().to_string())];
        let is_given = |name: &str| {
            headers.iter().any(|(given, _)| *given == name) || (name == "Content-Length" && body.is_empty())
        };
        let all = own.into_iter().filter(|(name, _)| !is_given(name)).chain(headers.iter().copied());
        let lines: Vec<String> = all.map(|(name, value)| format!("{name}: {value}\r\n")).collect();
        let head = format!("{method} {path} HTTP/1.1\r\n{}", lines.concat());
        sent(&self.host, format!("{head}\r\n{body}").as_bytes())
    }

    /// A page, as the desk's own browser gets it: the one that is waited for, where a sheet is being read.
    pub(crate) fn page(&self, place: &str) -> Answer {
        let mut page = None;
        wait_until("the sheet is read", || {
            let answer = self.ask("GET", &self.at(place), &[("Cookie", &self.cookie)], "");
            page = Some(answer).filter(|answer| !answer.body.contains("<h1>One moment</h1>"));
            page.is_some()
        });
        page.unwrap()
    }

    /// Drops a sheet, and gives the id of its draft.
    pub(crate) fn drop_sheet(&self, name: &str, text: &str) -> String {
        let answer = self.drop_file("sheets", name, text);
        assert_eq!(answer.status, 303, "{answer:?}");
        answer.header("location").unwrap().split('/').rev().nth(1).unwrap().to_owned()
    }

    /// Drops a file where this takes it.
    pub(crate) fn drop_file(&self, place: &str, name: &str, text: &str) -> Answer {
        self.drop_from(&self.token(), place, name, text)
    }

    /// The same from a page that was shown before, with its token.
    pub(crate) fn drop_from(&self, token: &str, place: &str, name: &str, text: &str) -> Answer {
        let body = format!(
            "--X\r\nContent-Disposition: form-data; name=\"page\"\r\n\r\n{token}\r\n--X\r\nContent-Disposition: form-data; \
             name=\"file\"; filename=\"{name}\"\r\nContent-Type: text/csv\r\n\r\n{text}\r\n--X--\r\n"
        );
        let kind = ("Content-Type", "multipart/form-data; boundary=X");
        let own = [("Cookie", self.cookie.as_str()), ("Sec-Fetch-Site", "same-origin"), kind];
        self.ask("POST", &self.at(place), &own, &body)
    }

    /// Waits until a sheet is read and checked.
    pub(crate) fn read_sheet(&self, id: &str) {
        wait_until("the sheet is read", || {
            let page = self.page(&format!("sheet/{id}/begin"));
            page.status == 303 || !page.body.contains("data-poll")
        });
    }

    /// Posts a form, and gives the page that comes of it.
    pub(crate) fn posts(&self, place: &str, form: &str) -> String {
        let own = [("Cookie", self.cookie.as_str()), ("Sec-Fetch-Site", "same-origin"), FORM];
        let answer = self.ask("POST", &self.at(place), &own, &format!("page={}&{form}", self.token()));
        match answer.header("location") {
            Some(to) => self.page(to.strip_prefix(&self.base).unwrap()).body,
            None => answer.body,
        }
    }

    fn at(&self, place: &str) -> String {
        format!("{}{place}", self.base)
    }

    /// The token that the desk's forms carry.
    pub(crate) fn token(&self) -> String {
        let page = self.page("").body;
        let token = page.split("name=\"page\" value=\"").nth(1);
        token.map_or_else(String::new, |rest| rest.split('"').next().unwrap().to_owned())
    }
}

/// How many labels were handed out to be printed so far; those that came out again count again.
fn printed(rig: &Rig) -> u32 {
    rig.database().query_row("SELECT count(*) FROM label_prints", [], |row| row.get(0)).unwrap()
}

/// The value of a form's field on a page, as a form sends it.
pub(crate) fn field(page: &str, name: &str) -> String {
    let start = format!("name=\"{name}\" value=\"");
    let value = page.split_once(&start).unwrap_or_else(|| panic!("no {name}: {page}")).1;
    let value = value.split('"').next().unwrap().replace("&quot;", "\"").replace("&amp;", "&");
    value.bytes().flat_map(|byte| format!("%{byte:02X}").into_bytes()).map(char::from).collect()
}

const FORM: (&str, &str) = ("Content-Type", "application/x-www-form-urlencoded");

/// An answer of the desk.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    head: String,
    pub(crate) body: String,
}

impl Answer {
    fn of(text: &str) -> Self {
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((text, ""));
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
        Self { status, head: head.to_owned(), body: body.to_owned() }
    }

    fn header(&self, name: &str) -> Option<&str> {
        let lines = self.head.lines().filter_map(|line| line.split_once(": "));
        lines.into_iter().find(|(own, _)| own.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }
}

/// Sends bytes on a connection of their own, and gives what comes back until it is closed.
fn sent(host: &str, bytes: &[u8]) -> Answer {
    // One that has died answers nothing.
    let Ok(mut stream) = TcpStream::connect(host) else { return Answer::of("") };
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    // Whoever is refused may find the connection closed before all is written.
    let _ = stream.write_all(bytes);
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    Answer::of(&String::from_utf8_lossy(&answer))
}
