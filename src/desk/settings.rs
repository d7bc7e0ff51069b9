//! Settings: the service and its login, what is in use, and what may be entered once.

use std::sync::Arc;

use maud::{Markup, html};
use serde::Deserialize;

use crate::app::{self, LoggedIn, TokenFrom};
use crate::config::{Secret, Service, SetBy};
use crate::text::list;

use super::answer::{Nothing, Result};
use super::page::{self, Page, Part, Tone};
use super::state::Desk;
use super::trouble::Trouble;
use super::words;

pub(super) fn settings(desk: &Desk) -> Page {
    let app = desk.app();
    let config = app.config();
    let body = html! {
        section aria-labelledby="service" {
            h1.unseen { "Settings" }
            h2 #service { "Service" }
            @match config.service() {
                Service::Sandbox => p { b { "Practice service" } ", built in. Nothing is booked for real, and no account is needed." },
                Service::At(Some(endpoint)) => dl.facts { div { dt { "Address" } dd { code { (endpoint.origin()) } " " span.soft { (origin(&config.set_by("base_url"))) } } } },
                Service::At(None) => (page::notice(Tone::Warn, &html! { p { "No address is set yet." } })),
            }
            @if let Some(host) = app.new_host() { (new_host(desk, &host.origin)) }
            @if *config.service() != Service::Sandbox { (page::form(desk, "login", &html! { button { "Try the login" } })) }
        }
        @if *config.service() != Service::Sandbox { (account(desk)) }
        section aria-labelledby="use" {
            h2 #use { "In use" }
            dl.facts {
                div { dt { "Ledger" } dd { code { (config.ledger().display()) } " " span.soft { (origin(&config.set_by("ledger"))) } } }
                div { dt { "Settings file" } dd { @match config.file() { Some(file) => code { (file.display()) }, None => span.soft { "none yet" } } } }
                div { dt { "Warehouses" } dd { (names(&config.warehouse_names())) } }
                div { dt { "What every order gets" } dd { (names(&config.default_values())) } }
            }
        }
    };
    Page { title: "Settings".to_owned(), part: Part::Settings, body }
}

fn names(names: &[String]) -> String {
    if names.is_empty() { "none set".to_owned() } else { list(names, "and") }
}

fn origin(set_by: &SetBy) -> String {
    match set_by {
        SetBy::Given => "given at the start".to_owned(),
        SetBy::Environment(name) => format!("from {name}"),
        SetBy::File(_) => "from your settings".to_owned(),
        SetBy::Default => String::new(),
    }
}

fn new_host(desk: &Desk, host: &str) -> Markup {
    page::notice(
        Tone::Warn,
        &html! {
            p { "Your account would be used at " b { (host) } " for the first time. Is that the address of your courier service?" }
            (page::form(desk, "host", &html! { input type="hidden" name="host" value=(host); button { "Yes, allow it" } }))
        },
    )
}

fn account(desk: &Desk) -> Markup {
    html! {
        section aria-labelledby="account" {
            h2 #account { "Account" }
            p.soft { "What you enter goes into a file that only you can read. It is never shown again." }
            (page::form(desk, "account", &html! {
                div.fields {
                    label { "E-mail" input type="email" name="email" required autocomplete="off"; }
                    label { "Password" input type="password" name="password" required autocomplete="new-password"; }
                    button { "Keep the account" }
                }
            }))
            details {
                summary { "I have a token instead" }
                (page::form(desk, "account", &html! {
                    div.fields {
                        label { "Token" input type="password" name="token" required autocomplete="off"; }
                        button { "Keep the token" }
                    }
                }))
            }
        }
    }
}

pub(super) fn try_login(desk: &Arc<Desk>, _: &Nothing) -> Result<String> {
    desk.say(tried(desk)?);
    Ok("settings".to_owned())
}

/// What the service said to the login.
fn tried(desk: &Desk) -> Result<String> {
    let Some(LoggedIn { service, from, life, tried, .. }) = desk.app().log_in()? else {
        return Ok("The practice service needs no login.".to_owned());
    };
    let who = match from {
        TokenFrom::Account(email) => format!("the account {email}"),
        TokenFrom::Environment | TokenFrom::Configured => "the token".to_owned(),
    };
    let unsure = tried.and_then(|(_, said)| said).map(|said| format!(" It answered: {said}.")).unwrap_or_default();
    let life = life.map(|life| format!(" It lasts {}.", words::about(life))).unwrap_or_default();
    Ok(format!("{service} takes {who}.{life}{unsure}"))
}

/// What a person entered.
#[derive(Deserialize)]
pub(super) struct Entered {
    #[serde(default)]
    email: String,
    #[serde(default)]
    password: String,
    #[serde(default)]
    token: String,
}

pub(super) fn keep_account(desk: &Arc<Desk>, entered: &Entered) -> Result<String> {
    let Entered { email, password, token } = entered;
    let secret = match (email.trim(), password.trim(), token.trim()) {
        ("", "", token) if !token.is_empty() => Secret::Token(token),
        (email, password, "") if !email.is_empty() && !password.is_empty() => Secret::Account { email, password },
        _ => return Err(Trouble::Typed("The account needs an e-mail address and a password".to_owned())),
    };
    let edit = desk.app().config().keep_secret(secret).map_err(app::Error::from)?;
    edit.write().map_err(app::Error::from)?;
    desk.configure_again()?;
    desk.say("It is kept. Try the login now.".to_owned());
    Ok("settings".to_owned())
}

/// A host that a person allows.
#[derive(Deserialize)]
pub(super) struct Allowed {
    host: String,
}

pub(super) fn allow_host(desk: &Arc<Desk>, allowed: &Allowed) -> Result<String> {
    let app = desk.app();
    let Some(host) = app.new_host() else { return Ok("settings".to_owned()) };
    if host.origin != allowed.host {
        return Err(Trouble::Changed("The address has changed".to_owned()));
    }
    app.accept_host(&host)?;
    Ok("settings".to_owned())
}
