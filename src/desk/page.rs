//! What all pages share: head, navigation, search, and the small pieces that screens are made of.

use maud::{DOCTYPE, Markup, html};

use crate::app::user;
use crate::book::StoppedBy;
use crate::env;
use crate::ledger::Upon;

pub(super) use super::answers::Tone;
use super::said::Named;
use super::state::Desk;
use super::trouble::{Result, TOKEN_REFUSED, Trouble};
use super::words;

/// One page.
pub(super) struct Page {
    /// Its title, which is its heading as well.
    pub(super) title: String,
    /// The part of the navigation that it belongs to.
    pub(super) part: Part,
    /// What stands on it.
    pub(super) body: Markup,
}

/// Parts of the navigation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Home,
    Orders,
    Doubts,
    Runs,
    Rules,
    Settings,
}

/// The parts with their addresses and names.
const PARTS: [(Part, &str, &str); 6] = [
    (Part::Home, "", "Home"),
    (Part::Orders, "orders", "Orders"),
    (Part::Doubts, "doubts", "In doubt"),
    (Part::Runs, "runs", "Runs"),
    (Part::Rules, "rules", "Rules"),
    (Part::Settings, "settings", "Settings"),
];

/// The title of the page that shows what is under way.
pub(super) const PROGRESS: &str = "Progress";

/// The title of the page that waits for another one, which says what was done.
pub(super) const WAITING: &str = "One moment";

/// A page from its head to its end.
pub(super) fn whole(desk: &Desk, page: &Page, named: &Named) -> Markup {
    framed(desk, &page.title, Some(page.part), &page.body, named)
}

/// The page of something that could not be done.
pub(super) fn of_trouble(desk: &Desk, trouble: &Trouble) -> Markup {
    let body = html! {
        section {
            h1 { "That did not work" }
            (notice(Tone::Bad, &html! { p { b { (trouble.sentence()) } } p { (trouble.advice()) } }))
            div.row { a.button href="" data-back { "Go back" } a.button href="" { "Home" } @if trouble.advice().contains("Settings") { a.button href="settings" { "Settings" } } }
        }
    };
    framed(desk, "That did not work", None, &body, &Named::default())
}

fn framed(desk: &Desk, title: &str, part: Option<Part>, body: &Markup, named: &Named) -> Markup {
    let base = desk.guard.base();
    html! {
        (DOCTYPE)
        html lang="en-IN" data-desk=(desk.guard.mark()) {
            head {
                meta charset="utf-8";
                base href=(base);
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) " · shipsheet desk" }
                link rel="icon" href="icon.svg" type="image/svg+xml";
                link rel="stylesheet" href="desk.css";
                link rel="stylesheet" href="report.css";
                script type="module" src="desk.js" {}
            }
            body {
                a.skip href="#main" data-skip { "Skip to the page" }
                (header(desk, part))
                div #lost .lost role="alert" hidden {}
                main #main tabindex="-1" {
                    @if title != PROGRESS { (under_way(desk)) }
                    div #said role="status" {
                        @if title != WAITING && let Some((tone, done)) = desk.said(named) { (notice(tone, &html! { p { (done) } })) }
                    }
                    div #body { (body) }
                }
                @if !body.0.contains("data-drop") { (dropped_anywhere(desk)) }
                (whose(desk))
            }
        }
    }
}

fn header(desk: &Desk, part: Option<Part>) -> Markup {
    html! {
        header.top {
            a.brand href="" { "shipsheet" }
            nav aria-label="Main" {
                @for (own, place, name) in PARTS {
                    a href=(place) aria-current=[(part == Some(own)).then_some("page")] { (name) }
                }
            }
            form.find role="search" action="orders" {
                label.unseen for="find" { "Find an order" }
                input #find type="search" name="q" placeholder="order, AWB, phone, name" autocomplete="off";
                button type="submit" { "Find" }
            }
            @if desk.is_practice() { span.pill { "Practice service" } }
        }
    }
}

/// Who works here, and with which ledger, at the end of each page.
fn whose(desk: &Desk) -> Markup {
    html! { footer { p.whose { "Working as " (user()) ", orders in " (ledger(desk)) } } }
}

/// The ledger's place, from the user's own folder on.
fn ledger(desk: &Desk) -> String {
    let app = desk.app();
    let site = app.config().site();
    if site.is_shared() {
        return site.named();
    }
    let path = site.path();
    let own = env::home().and_then(|home| Some(path.strip_prefix(home).ok()?.to_owned()));
    own.map_or_else(|| path.display().to_string(), |own| format!("~/{}", own.display()))
}

/// What is under way, at the top of every page but its own: here, or in another program with the same ledger.
fn under_way(desk: &Desk) -> Markup {
    let job = desk.work.running();
    let holder = if job.is_some() { None } else { desk.app().holder() };
    html! {
        @if let Some(job) = job {
            p.underway { span.dot {} (words::capital(job.kind.words())) ". " a href="progress" { "Show progress" } }
        }
        @if let Some(holder) = holder {
            p.underway { span.dot {} "Another program works with these orders just now. " span.soft { (words::capital(&holder)) ". Nothing can be booked here before it ends." } }
        }
    }
}

/// A notice, in a box of its own.
pub(super) fn notice(tone: Tone, said: &Markup) -> Markup {
    let (class, word) = match tone {
        Tone::Good => ("box good", "Done"),
        Tone::Warn => ("box warn", "Note"),
        Tone::Bad => ("box bad", "Problem"),
    };
    html! { div class=(class) { span.unseen { (word) ": " } (said) } }
}

/// Why something stopped before its end, by the word for what stopped it; a token that is refused is mended under Settings.
pub(super) fn stopped(by: &str, why: &str) -> Markup {
    if by != StoppedBy::Authentication.as_str() {
        return notice(Tone::Warn, &html! { p { (why) } });
    }
    notice(
        Tone::Bad,
        &html! {
            p { b { (TOKEN_REFUSED) } " Enter it again, then go on here." }
            p { a.button href="settings" { "Settings" } }
        },
    )
}

/// Where an order stands: a word with its colour.
pub(super) fn state(state: &str) -> Markup {
    let (word, tone) = words::state(state);
    html! { span class={ "state " (tone) } { (word) } }
}

/// A figure with what it counts.
pub(super) fn figure(amount: &str, tone: &str, what: &str) -> Markup {
    // Nothing is neither good nor bad.
    let tone = if amount == "0" { "soft" } else { tone };
    html! { div { dt { (what) } dd class=(tone) { (amount) } } }
}

/// A form that does something, with the token of the pages.
pub(super) fn form(desk: &Desk, action: &str, body: &Markup) -> Markup {
    html! {
        form method="post" action=(action) {
            input type="hidden" name="page" value=(desk.guard.page_token());
            (body)
        }
    }
}

/// Which order a form is upon, as this page shows it.
pub(super) fn upon(upon: &Upon) -> Markup {
    html! { input type="hidden" name="upon" value=(serde_json::to_string(upon).unwrap_or_default()); }
}

/// The order that a form was upon.
pub(super) fn read_upon(text: &str) -> Result<Upon> {
    serde_json::from_str(text).map_err(|_| Trouble::NotOurs)
}

/// A form to which a file is dropped. The token goes first: nothing of the file is kept before it is seen.
pub(super) fn upload(desk: &Desk, action: &str, body: &Markup) -> Markup {
    html! {
        form.drop method="post" action=(action) enctype="multipart/form-data" data-drop {
            input type="hidden" name="page" value=(desk.guard.page_token());
            (body)
        }
    }
}

/// Takes an order sheet that is dropped on a page without a place of its own for files.
fn dropped_anywhere(desk: &Desk) -> Markup {
    let body = html! { p { "Drop the order sheet here." } input type="file" name="file" multiple hidden aria-label="Order sheet"; };
    html! { div.anywhere { (upload(desk, "sheets", &body)) } }
}

/// A text of which a button puts a copy onto the clipboard.
pub(super) fn copied(text: &str, what: &str) -> Markup {
    html! {
        span.copied { code { (text) } button.small type="button" data-copy=(text) aria-label={ "Copy " (what) " " (text) } { "Copy" } }
    }
}

/// Says, where stations share the ledger, that what keeps orders back here is known to none of the others.
pub(super) fn at_this_station(desk: &Desk, what: &str) -> Markup {
    html! {
        @if desk.app().config().site().is_shared() {
            p.soft { (what) " at this station only. The other stations do not know it, and may send these orders." }
        }
    }
}

/// A link to an order's page.
pub(super) fn order_link(number: &str) -> Markup {
    html! { a href={ "order?number=" (encoded(number)) } { (number) } }
}

/// A text inside an address.
pub(super) fn encoded(text: &str) -> String {
    use std::fmt::Write as _;

    text.bytes().fold(String::with_capacity(text.len()), |mut encoded, byte| {
        if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            // Writing into text cannot fail.
            let _ = write!(encoded, "%{byte:02X}");
        }
        encoded
    })
}
