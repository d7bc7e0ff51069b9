//! Attacks on the desk from other pages, other programs of this machine, and whoever sends too much or too slowly.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt;
use std::time::{Duration, Instant};

use rustix::process::{Resource, Rlimit, Signal, getrlimit, setrlimit};
use shipsheet::sandbox::Answer as Script;

use super::{Desk, FORM, field, sent};
use crate::rig::{PATIENCE, Rig, row, sheet, wait_until};

/// A desk beside a ledger with one order in doubt, so that there is something to change.
fn in_doubt() -> (Rig, Desk) {
    let rig = Rig::new();
    rig.sandbox().script_order("A-1", [Script::CutAfter]);
    rig.import_text(&sheet([row("A-1"), row("A-2")]));
    let desk = Desk::open(&rig, &[]);
    (rig, desk)
}

/// What the page of doubts sends where A-1 is not there.
fn not_there(desk: &Desk) -> String {
    format!("upon={}&verdict=not&because=seen", field(&desk.page("doubts").body, "upon"))
}

fn doubts(rig: &Rig) -> u32 {
    rig.database().query_row("SELECT count(*) FROM orders WHERE state = 'in_doubt'", [], |row| row.get(0)).unwrap()
}

#[test]
fn every_answer_forbids_what_pages_could_be_made_to_do() {
    let rig = Rig::alone();
    let desk = Desk::open(&rig, &["--sandbox"]);
    let pages = [desk.page(""), desk.page("desk.css"), desk.page("nothing"), desk.ask("GET", "/", &[], "")];
    assert_eq!(pages.each_ref().map(|page| page.status), [200, 200, 404, 403]);
    for page in &pages {
        let policy = page.header("content-security-policy").unwrap();
        for rule in ["default-src 'self'", "frame-ancestors 'none'", "base-uri 'self'", "form-action 'self'"] {
            assert!(policy.split("; ").any(|own| own == rule), "{policy}");
        }
        for (name, value) in [
            ("cache-control", "no-store"),
            ("referrer-policy", "no-referrer"),
            ("x-content-type-options", "nosniff"),
            ("cross-origin-resource-policy", "same-origin"),
        ] {
            assert_eq!(page.header(name), Some(value));
        }
        assert!(page.header("access-control-allow-origin").is_none());
        // Scripts and styles are files of their own, and nothing comes from elsewhere.
        let body = page.body.replace("<script type=\"module\" src=\"desk.js\"></script>", "");
        for inline in ["<script", " onclick", " style=", "<style", "src=\"http", "href=\"http"] {
            assert!(!body.contains(inline), "{inline}: {body}");
        }
    }
    let entry = desk.url.rsplit('/').next().unwrap();
    assert_eq!(entry.len(), 64, "nobody guesses 256 bits");
}

/// CVE-2018-5702: a page under a name that is rebound to this machine reached a local server. CVE-2026-42559: a local server
/// did not compare `Host`, or only how it begins.
#[test]
fn another_name_for_this_machine_gets_nothing() {
    let (_rig, desk) = in_doubt();
    let port = desk.host.rsplit(':').next().unwrap();
    for host in [
        "evil.example".to_owned(),
        format!("evil.example:{port}"),
        format!("localhost:{port}"),
        format!("127.0.0.1.evil.example:{port}"),
        format!("127.0.0.1:{port}.evil.example"),
        format!("evil.example#{}", desk.host),
        format!("evil.example@{}", desk.host),
        format!("[::1]:{port}"),
        "127.0.0.1".to_owned(),
        format!("127.0.0.1:0{port}"),
        format!("{} ", desk.host.to_uppercase().replace('.', "\u{ff0e}")),
    ] {
        let answer = desk.ask("GET", &desk.at(""), &[("Host", &host), ("Cookie", &desk.cookie)], "");
        assert!(matches!(answer.status, 400 | 421), "{host}: {answer:?}");
        assert!(!answer.body.contains("A-1"), "{host}");
    }
    let twice = format!(
        "GET {} HTTP/1.1\r\nHost: {}\r\nHost: evil.example\r\nCookie: {}\r\nConnection: close\r\n\r\n",
        desk.at(""),
        desk.host,
        desk.cookie
    );
    assert!(matches!(sent(&desk.host, twice.as_bytes()).status, 400 | 421));
    let absolute = format!("http://evil.example{}", desk.at(""));
    assert_eq!(desk.ask("GET", &absolute, &[("Cookie", &desk.cookie)], "").status, 421);
    // The one-time address is no way in for them either, and is not spent by them.
    let closed = Desk::closed(&Rig::alone(), &["--sandbox"]);
    let entry = closed.url.strip_prefix(&format!("http://{}", closed.host)).unwrap();
    assert_eq!(closed.ask("GET", entry, &[("Host", "evil.example")], "").status, 421);
    assert_eq!(closed.ask("GET", entry, &[], "").status, 303);
}

/// CVE-2025-24010: any page of the web could ask a local server, because it compared no `Origin`.
#[test]
fn other_pages_and_ports_write_nothing() {
    let (rig, desk) = in_doubt();
    let port: u16 = desk.host.rsplit(':').next().unwrap().parse().unwrap();
    let (own, other) = (format!("http://{}", desk.host), format!("http://127.0.0.1:{}", port ^ 1));
    let not_there = not_there(&desk);
    let body = format!("page={}&{not_there}", desk.token());
    let cookie = ("Cookie", desk.cookie.as_str());
    for headers in [
        &[cookie, FORM][..],
        &[cookie, FORM, ("Sec-Fetch-Site", "cross-site"), ("Origin", "https://evil.example")],
        &[cookie, FORM, ("Sec-Fetch-Site", "same-site"), ("Origin", &other)],
        &[cookie, FORM, ("Sec-Fetch-Site", "none")],
        &[cookie, FORM, ("Origin", &other)],
        &[cookie, FORM, ("Origin", "null")],
        &[cookie, FORM, ("Origin", &format!("{own}.evil.example"))],
        &[FORM, ("Sec-Fetch-Site", "same-origin"), ("Origin", &own)],
    ] {
        assert_eq!(desk.ask("POST", &desk.at("doubts"), headers, &body).status, 403, "{headers:?}");
    }
    // A page of our own without its token, or with another desk's.
    let right = [cookie, FORM, ("Sec-Fetch-Site", "same-origin"), ("Origin", own.as_str())];
    for token in ["", "page=&", "page=00000000000000000000000000000000&"] {
        assert_eq!(desk.ask("POST", &desk.at("doubts"), &right, &format!("{token}{not_there}")).status, 403);
    }
    let upload = "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.csv\"\r\n\r\na,b\r\n--x--\r\n";
    let kind = ("Content-Type", "multipart/form-data; boundary=x");
    let headers = [cookie, kind, ("Sec-Fetch-Site", "same-origin")];
    assert_eq!(desk.ask("POST", &desk.at("statement"), &headers, upload).status, 403);
    // Nor are pages read across ports, and nothing is written by a GET.
    for site in ["same-site", "cross-site"] {
        assert_eq!(desk.ask("GET", &desk.at(""), &[cookie, ("Sec-Fetch-Site", site)], "").status, 403);
    }
    assert_eq!(desk.ask("GET", &desk.at(&format!("doubts?{body}")), &[cookie], "").status, 200);
    for method in ["PUT", "DELETE", "PATCH", "OPTIONS"] {
        assert_eq!(desk.ask(method, &desk.at("doubts"), &right, "").status, 405, "{method}");
    }
    assert_eq!(doubts(&rig), 1, "nobody has settled it");
    assert_eq!(desk.ask("POST", &desk.at("doubts"), &right, &body).status, 303, "the page itself can");
    assert_eq!(doubts(&rig), 0);
}

#[test]
fn nobody_guesses_a_way_in() {
    let rig = Rig::alone();
    let closed = Desk::closed(&rig, &["--sandbox"]);
    let entry = closed.url.strip_prefix(&format!("http://{}", closed.host)).unwrap().to_owned();
    for guess in ["/enter/", "/enter/0", &entry[..entry.len() - 1], &format!("{entry}0"), &format!("{entry}/"), "/"] {
        assert_eq!(closed.ask("GET", guess, &[], "").status, 403, "{guess}");
    }
    for number in 0..200 {
        assert_eq!(closed.ask("GET", &format!("/enter/{number:064x}"), &[], "").status, 403);
    }
    let answer = closed.ask("GET", &entry, &[], "");
    assert_eq!(answer.status, 303, "guesses spend nothing");
    assert_eq!(closed.ask("GET", &entry, &[], "").status, 403, "and it opens once");
    let (base, cookie) = (answer.header("location").unwrap(), answer.header("set-cookie").unwrap());
    let port = closed.host.rsplit(':').next().unwrap();
    assert!(cookie.starts_with(&format!("shipsheet-desk-{port}=")), "{cookie}");
    for part in ["; HttpOnly", "; SameSite=Strict", &format!("; Path={base};")] {
        assert!(cookie.contains(part), "{cookie}");
    }
    assert!(base.len() > 20, "no other program's page can name a folder below which the cookie goes: {base}");
    let value = cookie.split(';').next().unwrap();
    for cookie in ["", &value[..value.len() - 1], &value.replace(port, "1"), "shipsheet-desk=x"] {
        assert_eq!(closed.ask("GET", base, &[("Cookie", cookie)], "").status, 403, "{cookie}");
    }
    assert_eq!(closed.ask("GET", base, &[("Cookie", value)], "").status, 200);
    // Another start knows nothing of it.
    closed.live.signal(Signal::INT);
    closed.live.end().exits(0);
    let again = Desk::closed(&rig, &["--sandbox", "--port", port]);
    assert_eq!(again.ask("GET", base, &[("Cookie", value)], "").status, 403);
    assert_eq!(again.ask("GET", &entry, &[], "").status, 403);
}

#[test]
fn what_is_too_large_is_refused_and_leaves_nothing() {
    let (rig, desk) = in_doubt();
    let cookie = ("Cookie", desk.cookie.as_str());
    let site = ("Sec-Fetch-Site", "same-origin");
    let form = format!("page={}&upon=A-1&verdict=not&because={}", desk.token(), "x".repeat(100_000));
    assert_eq!(desk.ask("POST", &desk.at("doubts"), &[cookie, site, FORM], &form).status, 403);
    let long = format!("{}?q={}", desk.at("orders"), "x".repeat(1 << 20));
    assert!(matches!(desk.ask("GET", &long, &[cookie], "").status, 0 | 414 | 431));
    // A file without an end.
    let part = format!(
        "--x\r\nContent-Disposition: form-data; name=\"page\"\r\n\r\n{}\r\n--x\r\nContent-Disposition: form-data; \
         name=\"file\"; filename=\"../../huge.csv\"\r\n\r\n",
        desk.token()
    );
    let head = format!(
        "POST {} HTTP/1.1\r\nHost: {}\r\nCookie: {}\r\nSec-Fetch-Site: same-origin\r\nConnection: close\r\nContent-Type: \
         multipart/form-data; boundary=x\r\nTransfer-Encoding: chunked\r\n\r\n{:x}\r\n{part}\r\n",
        desk.at("statement"),
        desk.host,
        desk.cookie,
        part.len()
    );
    let mut stream = TcpStream::connect(&desk.host).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    stream.write_all(head.as_bytes()).unwrap();
    let chunk = [format!("{:x}\r\n", 1 << 20).into_bytes(), vec![b'x'; 1 << 20], b"\r\n".to_vec()].concat();
    let sent = (0..200).take_while(|_| stream.write_all(&chunk).is_ok()).count();
    assert!((60..200).contains(&sent), "{sent} MB were taken");
    let mut answer = String::new();
    let _ = stream.read_to_string(&mut answer);
    assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 413"), "{answer}");
    let incoming = rig.path("ledger.sqlite.desk/incoming");
    wait_until("the file is gone", || std::fs::read_dir(&incoming).unwrap().next().is_none());
    let mode = rig.path("ledger.sqlite.desk").metadata().unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o700);
    assert_eq!(doubts(&rig), 1);
}

#[test]
fn a_thousand_slow_connections_keep_no_page_out() {
    // The other ends of all connections are in this process.
    let limit = getrlimit(Resource::Nofile);
    let files = limit.maximum.map_or(4_096, |maximum| maximum.min(4_096)).max(limit.current.unwrap_or(4_096));
    setrlimit(Resource::Nofile, Rlimit { current: Some(files), ..limit }).unwrap();
    let (rig, desk) = in_doubt();
    let slow = format!(
        "POST {} HTTP/1.1\r\nHost: {}\r\nCookie: {}\r\nSec-Fetch-Site: same-origin\r\nContent-Length: 90\r\n\r\npage=",
        desk.at("doubts"),
        desk.host,
        desk.cookie
    );
    let begun = Instant::now();
    // The desk's own browser keeps one open meanwhile.
    let mut own = TcpStream::connect(&desk.host).unwrap();
    own.set_read_timeout(Some(PATIENCE)).unwrap();
    let ask = format!("GET {} HTTP/1.1\r\nHost: {}\r\nCookie: {}\r\n\r\n", desk.at("desk.js"), desk.host, desk.cookie);
    let mut buffer = vec![0; 1 << 16];
    own.write_all(ask.as_bytes()).unwrap();
    assert!(own.read(&mut buffer).unwrap() > 0);
    // Nothing, half a head, and half a form of somebody who has the cookie.
    let starts = ["", "GET / HTTP/1.1\r\nHost: ", &slow];
    let connections: Vec<TcpStream> = (0..1_000)
        .map(|number| {
            let mut stream = TcpStream::connect(&desk.host).unwrap();
            // One that was given up for a later one may be closed already.
            let _ = stream.write_all(starts[if number < 20 { 2 } else { number % 2 }].as_bytes());
            stream
        })
        .collect();
    let asked = Instant::now();
    assert_eq!(desk.page("").status, 200);
    assert!(asked.elapsed() < Duration::from_secs(14), "{:?}", asked.elapsed());
    own.write_all(ask.as_bytes()).unwrap();
    assert!(own.read(&mut buffer).unwrap() > 0, "the browser's connection was closed for strangers");
    // Whoever does not go on is not waited for.
    let mut slow = connections.into_iter().next().unwrap();
    slow.set_read_timeout(Some(PATIENCE)).unwrap();
    let mut rest = String::new();
    let _ = slow.read_to_string(&mut rest);
    assert!(begun.elapsed() < PATIENCE, "{:?}: {rest}", begun.elapsed());
    assert_eq!(doubts(&rig), 1);
}

#[test]
fn what_sheets_and_the_service_say_is_text() {
    let rig = Rig::new();
    let evil = "A<script>alert(1)</script>\"'&";
    rig.sandbox().script_order(evil, [Script::CutAfter]);
    rig.import_text(&sheet([
        row("\"A<script>alert(1)</script>\"\"'&\"").replace("Asha", "<img src=x onerror=alert(2)>")
    ]));
    let desk = Desk::open(&rig, &[]);
    let number = "A%3Cscript%3Ealert(1)%3C%2Fscript%3E%22'%26";
    for place in
        ["", "orders", "doubts", "results?run=1", &format!("order?number={number}"), &format!("orders?q={number}")]
    {
        let page = desk.page(place);
        assert!(page.status == 200 || page.status == 303, "{place}: {page:?}");
        assert!(!page.body.contains("<script>") && !page.body.contains("<img"), "{place}: {}", page.body);
        assert!(
            page.status == 303 || place.is_empty() || page.body.contains("&lt;script&gt;"),
            "{place}: {}",
            page.body
        );
        assert!(!page.header("location").unwrap_or_default().contains('<'), "{place}");
    }
}

#[test]
fn all_that_a_browsers_arguments_say_is_a_file_of_the_user() {
    let rig = Rig::alone();
    let stand_in = rig.file(
        "xdg-open",
        "#!/bin/sh\nprintf '%s\\n' \"$@\" > opened.part\nenv >> opened.part\nmv opened.part opened\n",
    );
    std::fs::set_permissions(&stand_in, std::fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("PATH={}:/usr/bin:/bin", rig.path("").display());
    let starters = ["env", &path, "SHIPSHEET_TOKEN=secret-token"];
    let live = rig.live_by(&starters, "desk", &["desk", "--sandbox"]);
    wait_until("the browser is started", || rig.path("opened").exists());
    let opened = rig.read("opened");
    let page = std::path::PathBuf::from(opened.lines().next().unwrap());
    assert!(!opened.contains("enter") && !opened.contains("secret-token"), "{opened}");
    assert_eq!(page.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    let text = std::fs::read_to_string(&page).unwrap();
    let url = rig.read("desk.stdout").trim().trim_start_matches("open ").to_owned();
    assert!(text.contains(&url), "{text}");
    let (host, path) = url.strip_prefix("http://").unwrap().split_once('/').unwrap();
    let ask =
        format!("GET /{path} HTTP/1.1\r\nHost: {host}\r\nSec-Fetch-Site: cross-site\r\nConnection: close\r\n\r\n");
    let answer = sent(host, ask.as_bytes());
    assert!(answer.status == 200 && answer.header("set-cookie").is_some(), "{answer:?}");
    assert!(!page.exists(), "it is spent");
    live.signal(Signal::INT);
    live.end().exits(0);
}

#[test]
fn nothing_is_made_by_looking_and_names_of_files_lead_nowhere() {
    let (rig, desk) = in_doubt();
    for place in ["labels.pdf?run=99999", "labels.pdf?run=-1", "results?run=99999", "download?run=99999&what=own"] {
        assert_eq!(desk.page(place).status, 404, "{place}");
    }
    assert!(!rig.file_of_run(99_999, "").exists());
    let name = format!("{}.csv", "ऑर्डर".repeat(40));
    desk.drop_sheet(&name, &sheet([row("A-9")]));
    assert!(desk.page("").body.contains("र्डर.csv"));
    let token =
        format!("--X\r\nContent-Disposition: form-data; name=\"page\"\r\n\r\n{}\r\n--X--\r\n", "x".repeat(1 << 20));
    let kind = ("Content-Type", "multipart/form-data; boundary=X");
    let own = [("Cookie", desk.cookie.as_str()), ("Sec-Fetch-Site", "same-origin"), kind];
    assert_eq!(desk.ask("POST", &desk.at("sheets"), &own, &token).status, 403);
}

#[test]
fn a_desk_stops_as_it_is_asked_and_a_taken_port_is_said() {
    let rig = Rig::alone();
    let desk = Desk::closed(&rig, &["--sandbox"]);
    let port = desk.host.rsplit(':').next().unwrap();
    let second = rig.run(&["desk", "--sandbox", "--no-open", "--port", port]);
    second.exits(1).says("cannot listen on").says("--port 0");
    desk.live.signal(Signal::TERM);
    desk.live.end().exits(0);
}
