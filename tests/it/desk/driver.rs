//! The one program that drives browsers for all tests of a process, and the browsers that it has open.
//!
//! A browser takes a second to start. One that a test is done with is emptied of all that the test left in it, and waits
//! for the next test; one that a test failed with is closed. No two tests have the same browser at a time.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::{LazyLock, Mutex, OnceLock};

use serde_json::{Value, json};

use super::Desk;
use super::browser::Browser;
use crate::rig::size::is_long;
use crate::rig::{PATIENCE, Rig, spacious};

/// Runs the driver, says where it listens, and ends it with its browsers once nobody holds our input any more. All of them
/// are in one group of processes, which is not the one that a person interrupts at a terminal; none of them writes any
/// more when the folder goes.
const SCRIPT: &str = r#"export HOME="$1" TMPDIR="$1"
chromedriver --port=0 2>/dev/null &
cat >/dev/null
pkill -KILL -g $$ chrom
wait
for _ in 1 2 3 4 5 6 7 8 9 10; do
  pgrep -g $$ chrom >/dev/null || break
  sleep 0.1
done
rm -rf "$1"
"#;
const ARGUMENTS: [&str; 5] =
    ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--lang=en-IN"];

/// The whole browser, where it is installed with its driver.
pub(super) fn whole() -> Option<&'static Path> {
    static WHOLE: LazyLock<Option<PathBuf>> =
        LazyLock::new(|| installed("chromedriver").and_then(|_| installed("chromium")));
    WHOLE.as_deref()
}

/// The same without windows of its own, where it is installed as well: it shows a page with the same engine in half the processor
/// time, but no page is ever behind another one, and no PDF is shown. A long run takes the whole one for everything.
pub(super) fn light() -> Option<&'static Path> {
    static LIGHT: LazyLock<Option<PathBuf>> = LazyLock::new(|| installed("chromium-headless-shell"));
    whole().map(|whole| LIGHT.as_deref().filter(|_| !is_long()).unwrap_or(whole))
}

/// Where a program is that can be started by its name.
fn installed(program: &str) -> Option<PathBuf> {
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders).map(|folder| folder.join(program)).find(|path| path.is_file())
}

/// The program that drives browsers, as long as this process is there.
struct Driver {
    port: u16,
    /// Browsers that no test has at the moment, with what they are.
    idle: Mutex<Vec<(&'static Path, String)>>,
    /// Its input ends with this process, however that ends; its output is held, so that it may always write.
    _script: (Child, BufReader<ChildStdout>),
}

impl Driver {
    fn start() -> Self {
        let home = tempfile::Builder::new().prefix("shipsheet-browser-").tempdir_in(spacious()).unwrap().keep();
        let mut command = Command::new("sh");
        command
            .process_group(0)
            .args(["-c", SCRIPT, "sh"])
            .arg(&home)
            // The browser without windows saves files where it was started.
            .current_dir(&home)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        let mut script = command.spawn().unwrap();
        let mut said = BufReader::new(script.stdout.take().unwrap());
        let mut line = String::new();
        let port = loop {
            line.clear();
            assert!(said.read_line(&mut line).unwrap() > 0, "the driver listens nowhere");
            let port = line.split_once("successfully on port ").map(|(_, rest)| rest.trim().trim_end_matches('.'));
            if let Some(port) = port {
                break port.parse().unwrap();
            }
        };
        Self { port, idle: Mutex::default(), _script: (script, said) }
    }

    /// Asks something of the driver. That it is gone is an answer: who gives a window back while another panic goes on may not add one.
    fn call(&self, method: &str, path: &str, body: &Value) -> Result<Value, String> {
        let body = if method == "POST" { body.to_string() } else { String::new() };
        let gone = |error: std::io::Error| format!("the driver is gone: {error}");
        let (head, body) = self.answer(method, path, &body).map_err(gone)?;
        let value: Value = serde_json::from_str(&body).map_err(|error| format!("{error}: {body}"))?;
        if head.contains(" 200 ") { Ok(value["value"].clone()) } else { Err(value["value"].to_string()) }
    }

    /// The head and the body of its answer.
    fn answer(&self, method: &str, path: &str, body: &str) -> std::io::Result<(String, String)> {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port))?;
        stream.set_read_timeout(Some(PATIENCE))?;
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nContent-Type: application/json\r\nConnection: close\r\n\
             Content-Length: {}\r\n\r\n",
            self.port,
            body.len()
        );
        stream.write_all(format!("{head}{body}").as_bytes())?;
        let mut answer = BufReader::new(stream);
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            if answer.read_line(&mut head)? == 0 {
                return Err(std::io::ErrorKind::UnexpectedEof.into());
            }
        }
        let length =
            head.lines().find_map(|line| line.to_lowercase().strip_prefix("content-length:")?.trim().parse().ok());
        let mut body = vec![0; length.unwrap_or(0)];
        answer.read_exact(&mut body)?;
        Ok((head, String::from_utf8_lossy(&body).into_owned()))
    }
}

/// A browser with one window, in which nobody has been.
pub(super) struct Session {
    driver: &'static Driver,
    browser: &'static Path,
    path: String,
}

impl Session {
    pub(super) fn begin(browser: &'static Path) -> Self {
        static DRIVER: OnceLock<Driver> = OnceLock::new();
        let driver = DRIVER.get_or_init(Driver::start);
        let mut idle = driver.idle.lock().unwrap();
        let found = idle.iter().position(|(own, _)| *own == browser).map(|place| idle.swap_remove(place).1);
        drop(idle);
        let path = found.unwrap_or_else(|| {
            let options = json!({"args": ARGUMENTS, "binary": browser});
            let wanted = json!({"browserName": "chrome", "goog:chromeOptions": options});
            let begun = driver.call("POST", "/session", &json!({"capabilities": {"alwaysMatch": wanted}})).unwrap();
            format!("/session/{}", begun["sessionId"].as_str().unwrap())
        });
        Self { driver, browser, path }
    }

    /// Asks something of the browser.
    pub(super) fn ask(&self, method: &str, path: &str, body: &Value) -> Result<Value, String> {
        self.driver.call(method, &format!("{}{path}", self.path), body)
    }

    /// Asks for something that only this kind of browser does.
    pub(super) fn protocol(&self, command: &str, parameters: &Value) -> Result<(), String> {
        self.ask("POST", "/goog/cdp/execute", &json!({"cmd": command, "params": parameters})).map(drop)
    }

    /// Makes it a browser with one window, in which nobody has been.
    pub(super) fn empty(&self) -> Result<(), String> {
        let windows = self.ask("GET", "/window/handles", &Value::Null)?;
        let new = self.ask("POST", "/window/new", &json!({"type": "tab"}))?;
        for window in windows.as_array().into_iter().flatten() {
            self.ask("POST", "/window", &json!({"handle": window}))?;
            self.ask("DELETE", "/window", &Value::Null)?;
        }
        self.ask("POST", "/window", &json!({"handle": new["handle"]}))?;
        self.protocol("Network.clearBrowserCookies", &json!({}))?;
        self.protocol("Network.clearBrowserCache", &json!({}))?;
        self.protocol("Storage.clearDataForOrigin", &json!({"origin": "*", "storageTypes": "all"}))?;
        self.protocol("Browser.resetPermissions", &json!({}))
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        if !std::thread::panicking() && self.empty().is_ok() {
            self.driver.idle.lock().unwrap().push((self.browser, std::mem::take(&mut self.path)));
        } else {
            let _ = self.ask("DELETE", "", &Value::Null);
        }
    }
}

#[test]
fn a_browser_that_is_handed_on_knows_nothing_of_who_had_it() {
    for browser in [Browser::start(), Browser::whole()].into_iter().flatten() {
        knows_nothing_afterwards(&browser);
    }
}

fn knows_nothing_afterwards(browser: &Browser) {
    let rig = Rig::new();
    let desk = Desk::closed(&rig, &[]);
    browser.open(&desk.url);
    browser.see("Nothing is waiting.");
    let leaves = "document.cookie = 'left=1; path=/'; localStorage.left = sessionStorage.left = 1";
    browser.script(leaves, &[]);
    browser.dress("dark", 390);
    let address = browser.address();
    browser.second_window();
    browser.empty();
    assert_eq!(browser.windows().len(), 1);
    browser.open(&address);
    let found = "return [document.cookie, localStorage.left ?? '', sessionStorage.left ?? '', history.length,
        matchMedia('(prefers-color-scheme: dark)').matches, innerWidth > 390]";
    assert_eq!(browser.script(found, &[]), json!(["", "", "", 2, false, true]));
    assert!(!browser.text().contains("Nothing is waiting."), "the desk is shut to it: {}", browser.text());
}
