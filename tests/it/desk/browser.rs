//! A real browser, used as a person uses it: things are found by the names that are read or heard.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::rig::PATIENCE;
use crate::rig::size::is_long;

use super::driver::{Session, light, whole};

/// Set to `required`, tests fail where there is no browser, and are not skipped.
const WANTED: &str = "SHIPSHEET_BROWSER";
/// The name under which the driver hands out elements.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";
/// What may have a role.
const ROLES: [(&str, &str); 5] = [
    ("button", "button, a.button"),
    ("link", "a"),
    ("field", "input, select, textarea"),
    ("heading", "h1, h2, h3"),
    ("summary", "summary"),
];

/// A browser with one window.
pub(crate) struct Browser {
    session: Session,
}

impl Browser {
    /// A browser; nothing where there is none, which is said.
    pub(crate) fn start() -> Option<Self> {
        Self::of(light())
    }

    /// One that has windows beside and behind each other and shows PDFs, for tests of what they do.
    pub(crate) fn whole() -> Option<Self> {
        Self::of(whole())
    }

    fn of(browser: Option<&'static Path>) -> Option<Self> {
        if browser.is_none() {
            assert!(!is_required(), "chromium and chromedriver are not here: apt-get install chromium chromium-driver");
            skipped("there is no browser here (apt-get install chromium chromium-driver)");
            return None;
        }
        browser.map(|browser| Self { session: Session::begin(browser) })
    }

    /// Makes it what the next test finds.
    pub(crate) fn empty(&self) {
        self.session.empty().unwrap();
    }

    /// Asks something of the window.
    fn ask(&self, method: &str, path: &str, body: &Value) -> Result<Value, String> {
        self.session.ask(method, path, body)
    }

    pub(crate) fn script(&self, script: &str, arguments: &[Value]) -> Value {
        self.ask("POST", "/execute/sync", &json!({"script": script, "args": arguments})).unwrap()
    }

    fn protocol(&self, command: &str, parameters: &Value) {
        self.session.protocol(command, parameters).unwrap();
    }

    /// Goes to an address.
    pub(crate) fn open(&self, url: &str) {
        self.ask("POST", "/url", &json!({"url": url})).unwrap();
    }

    /// Goes to a page of the desk by its address.
    pub(crate) fn go(&self, place: &str) {
        let base = self.script("return document.baseURI", &[]);
        self.open(&format!("{}{place}", base.as_str().unwrap()));
    }

    pub(crate) fn address(&self) -> String {
        self.ask("GET", "/url", &Value::Null).unwrap().as_str().unwrap().to_owned()
    }

    pub(crate) fn reload(&self) {
        self.ask("POST", "/refresh", &json!({})).unwrap();
    }

    pub(crate) fn back(&self) {
        self.ask("POST", "/back", &json!({})).unwrap();
    }

    /// All text of the page.
    pub(crate) fn text(&self) -> String {
        self.script("return document.body ? document.body.innerText : ''", &[]).as_str().unwrap().to_owned()
    }

    /// Waits until the page says this.
    #[track_caller]
    pub(crate) fn see(&self, text: &str) {
        let seen = at_last(|| self.text().contains(text).then_some(()));
        seen.unwrap_or_else(|| panic!("{text:?} is not on {}:\n{}", self.address(), self.text()));
    }

    /// Everything visible of a role whose name begins so. Only what holds the name's first word anywhere is asked for its name,
    /// because each question takes a while.
    fn named(&self, role: &str, name: &str) -> impl Iterator<Item = Value> {
        let selector = ROLES.iter().find(|(own, _)| *own == role).unwrap().1;
        let likely = "const [selector, word] = arguments;
            const parts = e => [e, ...e.querySelectorAll('*'), ...(e.labels ?? []),
              ...(e.getAttribute('aria-labelledby') ?? '').split(' ').map(id => document.getElementById(id) ?? {})];
            const told = e => parts(e).map(one =>
              [one.textContent, one.value, one.ariaLabel, one.title, one.placeholder, one.alt].join(' ')).join(' ');
            return [...document.querySelectorAll(selector)].filter(e =>
              (e.type == 'file' || e.checkVisibility()) && told(e).toLowerCase().includes(word))";
        let word = name.split(' ').next().unwrap_or_default().to_lowercase();
        let elements = self.script(likely, &[json!(selector), json!(word)]);
        let of = move |element: &Value| {
            let path = format!("/element/{}/computedlabel", element[ELEMENT].as_str().unwrap());
            self.ask("GET", &path, &Value::Null)
                .is_ok_and(|label| label.as_str().is_some_and(|own| own.starts_with(name)))
        };
        elements.as_array().cloned().unwrap().into_iter().filter(of)
    }

    /// Waits for the first thing of a role whose name begins so.
    #[track_caller]
    pub(crate) fn find(&self, role: &str, name: &str) -> String {
        let found = at_last(|| self.named(role, name).next());
        let found = found.unwrap_or_else(|| panic!("no {role} {name:?} on {}:\n{}", self.address(), self.text()));
        format!("/element/{}", found[ELEMENT].as_str().unwrap())
    }

    /// Whether there is a thing of a role whose name begins so.
    pub(crate) fn has(&self, role: &str, name: &str) -> bool {
        self.named(role, name).next().is_some()
    }

    /// Waits for a heading of this name.
    #[track_caller]
    pub(crate) fn at(&self, heading: &str) {
        self.find("heading", heading);
    }

    #[track_caller]
    pub(crate) fn click(&self, role: &str, name: &str) {
        self.does((role, name), "click", &json!({}));
    }

    /// Does something with a thing of a role; once more where the page was drawn anew just then.
    #[track_caller]
    fn does(&self, (role, name): (&str, &str), what: &str, with: &Value) {
        loop {
            let element = self.find(role, name);
            // As a person scrolls: from under what stays at the edge of the window.
            let id = element.rsplit('/').next().unwrap_or_default();
            let _ = self.ask(
                "POST",
                "/execute/sync",
                &json!({"script": "arguments[0].scrollIntoView({block: 'nearest'})", "args": [{ELEMENT: id}]}),
            );
            match self.ask("POST", &format!("{element}/{what}"), with) {
                // Chromium says it in two ways: before it looks at the element, and while it does.
                Err(error)
                    if error.contains("stale element reference")
                        || error.contains("does not belong to the document") => {}
                done => return drop(done.unwrap()),
            }
        }
    }

    /// Ticks what has to be looked at before orders are sent again.
    #[track_caller]
    pub(crate) fn tick_all(&self) {
        self.at("Book");
        self.script(
            "document.querySelectorAll('input[type=checkbox][required]').forEach(box => box.checked = true)",
            &[],
        );
    }

    /// Types into a field, or chooses a file for it.
    #[track_caller]
    pub(crate) fn write(&self, label: &str, text: &str) {
        self.does(("field", label), "value", &json!({"text": text}));
    }

    /// Types into a field in the place of what stands there.
    #[track_caller]
    pub(crate) fn fill(&self, label: &str, text: &str) {
        // Control and A choose all of it.
        self.write(label, &format!("\u{E009}a\u{E000}{text}"));
    }

    /// Drops a file onto the page with the mouse.
    pub(crate) fn drop_file(&self, name: &str, text: &str) {
        let script = "const data = new DataTransfer();
            data.items.add(new File([arguments[1]], arguments[0], {type: 'text/csv'}));
            const under = document.elementFromPoint(40, 200) ?? document.body;
            for (const kind of ['dragenter', 'dragover', 'drop'])
              under.dispatchEvent(new DragEvent(kind, {dataTransfer: data, bubbles: true, cancelable: true}));";
        self.script(script, &[json!(name), json!(text)]);
    }

    /// What stands in a field.
    #[track_caller]
    pub(crate) fn value(&self, label: &str) -> String {
        let element = self.find("field", label);
        let id = element.rsplit('/').next().unwrap();
        self.script("return arguments[0].value", &[json!({ELEMENT: id})]).as_str().unwrap().to_owned()
    }

    /// What a link or a button of downloads leads to, as text.
    pub(crate) fn download(&self, place: &str) -> String {
        let script =
            "const done = arguments[1]; fetch(arguments[0]).then(a => a.text()).then(done, e => done(String(e)))";
        let got = self.ask("POST", "/execute/async", &json!({"script": script, "args": [place]})).unwrap();
        got.as_str().unwrap().to_owned()
    }

    /// The same of a file of bytes.
    pub(crate) fn file(&self, place: &str) -> Vec<u8> {
        let script = "const done = arguments[1]; fetch(arguments[0]).then(a => a.arrayBuffer()).then(b => done([...new Uint8Array(b)]))";
        let got = self.ask("POST", "/execute/async", &json!({"script": script, "args": [place]})).unwrap();
        serde_json::from_value(got).unwrap()
    }

    /// Presses keys where the focus is.
    pub(crate) fn press(&self, keys: &str) {
        let active = self.ask("GET", "/element/active", &Value::Null).unwrap();
        let path = format!("/element/{}/value", active[ELEMENT].as_str().unwrap());
        self.ask("POST", &path, &json!({"text": keys})).unwrap();
    }

    /// The name of what has the focus.
    pub(crate) fn focus(&self) -> String {
        let active = self.ask("GET", "/element/active", &Value::Null).unwrap();
        let path = format!("/element/{}/computedlabel", active[ELEMENT].as_str().unwrap());
        self.ask("GET", &path, &Value::Null).unwrap().as_str().unwrap().to_owned()
    }

    /// The windows of the browser.
    pub(crate) fn windows(&self) -> Vec<String> {
        let handles = self.ask("GET", "/window/handles", &Value::Null).unwrap();
        handles.as_array().unwrap().iter().map(|handle| handle.as_str().unwrap().to_owned()).collect()
    }

    /// Opens a second window on the same page, and works in it.
    pub(crate) fn second_window(&self) {
        let address = self.address();
        let new = self.ask("POST", "/window/new", &json!({"type": "tab"})).unwrap();
        self.switch(new["handle"].as_str().unwrap());
        self.open(&address);
    }

    pub(crate) fn switch(&self, window: &str) {
        self.ask("POST", "/window", &json!({"handle": window})).unwrap();
    }

    /// Sets the theme and the width of the window.
    pub(crate) fn dress(&self, theme: &str, width: u32) {
        let features = json!([{"name": "prefers-color-scheme", "value": theme}]);
        self.protocol("Emulation.setEmulatedMedia", &json!({"features": features}));
        self.size(width, 900);
    }

    pub(super) fn size(&self, width: u32, height: u64) {
        let size = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false});
        self.protocol("Emulation.setDeviceMetricsOverride", &size);
    }

    /// How far the page is wider than its window.
    pub(crate) fn too_wide(&self) -> i64 {
        let over = "return document.documentElement.scrollWidth - document.documentElement.clientWidth";
        self.script(over, &[]).as_i64().unwrap()
    }

    /// Looks at the page in both themes and at every width: it fits its window, axe-core finds nothing, and a long run keeps
    /// pictures of it.
    #[track_caller]
    pub(crate) fn look(&self, name: &str) {
        for theme in ["light", "dark"] {
            for width in [390, 1_200, 1_600] {
                self.dress(theme, width);
                assert_eq!(self.too_wide(), 0, "{name} at {width}");
                self.picture(&format!("{name}-{theme}-{width}"), width);
            }
            assert_eq!(self.axe(), Vec::<String>::new(), "{name}, {theme}");
        }
        self.dress("light", 1_200);
    }

    /// In a long run, keeps a picture of the page, as it is dressed, where a person can look at it.
    pub(crate) fn picture(&self, name: &str, width: u32) {
        let height = self.script("return document.documentElement.scrollHeight", &[]).as_u64().unwrap();
        self.size(width, height.clamp(300, 8_000));
        if !is_long() {
            return;
        }
        let folder = target().join("desk-screens");
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join(format!("{name}.png")), self.screenshot()).unwrap();
    }

    /// A picture of the page as it is dressed.
    pub(crate) fn screenshot(&self) -> Vec<u8> {
        let picture = self.ask("GET", "/screenshot", &Value::Null).unwrap();
        decoded(picture.as_str().unwrap())
    }

    /// The printed page as a PDF.
    pub(crate) fn printed(&self) -> Vec<u8> {
        let pdf = self.ask("POST", "/print", &json!({})).unwrap();
        decoded(pdf.as_str().unwrap())
    }

    /// What axe-core finds wrong; nothing where axe-core is not here, which is said.
    pub(crate) fn axe(&self) -> Vec<String> {
        let file = target().join("axe/package/axe.min.js");
        let Ok(axe) = std::fs::read_to_string(&file) else {
            assert!(!is_required(), "axe-core is not in {}", file.display());
            skipped("axe-core is not here (.ci/run fetches it)");
            return Vec::new();
        };
        if self.script("return typeof axe", &[]) == "undefined" {
            self.script(&axe, &[]);
        }
        let run = "const done = arguments[0]; axe.run({resultTypes: ['violations']}).then(found => \
            done(found.violations.map(v => v.id + ': ' + v.nodes.map(n => n.html).join(' '))), e => done([String(e)]))";
        let found = self.ask("POST", "/execute/async", &json!({"script": run, "args": []})).unwrap();
        found.as_array().unwrap().iter().map(|found| found.as_str().unwrap().to_owned()).collect()
    }
}

/// Looks again and again, soon at first and then less often.
fn at_last<T>(mut look: impl FnMut() -> Option<T>) -> Option<T> {
    let started = Instant::now();
    let mut pause = Duration::from_millis(2);
    loop {
        let found = look();
        if found.is_some() || started.elapsed() > PATIENCE {
            return found;
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(50));
    }
}

/// Says why nothing was tried.
#[expect(clippy::print_stderr, reason = "whoever runs the tests should know")]
fn skipped(why: &str) {
    eprintln!("skipped: {why}");
}

fn is_required() -> bool {
    std::env::var(WANTED).is_ok_and(|word| word == "required")
}

/// The folder for what tests leave to be looked at.
fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("target"), PathBuf::from)
}

/// Base64, as the driver sends pictures.
fn decoded(text: &str) -> Vec<u8> {
    const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut values = [None; 256];
    for (value, letter) in (0_u32..).zip(LETTERS) {
        values[usize::from(*letter)] = Some(value);
    }
    let (mut bytes, mut bits, mut held) = (Vec::with_capacity(text.len() * 3 / 4), 0_u32, 0);
    for value in text.bytes().filter_map(|letter| values[usize::from(letter)]) {
        (bits, held) = (bits << 6 | value, held + 6);
        if held >= 8 {
            held -= 8;
            bytes.push(u8::try_from(bits >> held & 0xff).unwrap());
        }
    }
    bytes
}
