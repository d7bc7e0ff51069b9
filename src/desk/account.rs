//! Settings of the account or token: what is in use, whether its login works, and another one in its place.

use std::sync::Arc;

use maud::{Markup, html};
use serde::Deserialize;

use crate::app::{self, App, LoggedIn, TokenFrom};
use crate::config::{Edit, NewCommand, Secret, Service};
use crate::text::shortened;

use super::answer::{Nothing, Result};
use super::page::{self, Tone};
use super::state::Desk;
use super::trouble::Trouble;
use super::{rules, words};

/// The account or token in use, what came of trying it, and where another one is entered.
pub(super) fn account(desk: &Desk) -> Result<Markup> {
    let app = desk.app();
    let named = |secret| app.config().name_secret(secret).map_err(app::Error::from);
    let account = named(Secret::Account { email: "what you enter", password: "" })?;
    let token = named(Secret::Token(""))?;
    Ok(html! {
        section aria-labelledby="account" {
            h2 #account { "Account" }
            @match app.config().login_named() {
                Some(login) => p { "In use: " b { (login) } "." },
                None => (page::notice(Tone::Warn, &html! { p { "None is known yet. Nothing can be booked without one." } })),
            }
            @if app.config().login_named().is_some() { (tries(desk, &app)) }
            @let commands = app.config().login_commands();
            @if let Some(file) = app.config().file().filter(|_| !commands.is_empty()) {
                (page::notice(Tone::Warn, &html! {
                    @for command in &commands { p { "Each login runs a command of " (file.display()) ": " code { (shortened(command, 200)) } } }
                    @let new = app.new_commands(&commands);
                    @if !new.is_empty() {
                        p { "Nothing is sent before you allow it. If you do not know it, ask whoever looks after this computer." }
                        (page::form(desk, "command", &html! { input type="hidden" name="mark" value=(marks(&new)); button { "Let it run" } }))
                    }
                }))
            }
            p.soft { "What you enter goes into a file that only you can read. It is never shown again." }
            @if let Some(name) = app.config().token_before_login().filter(|name| name.starts_with("SHIPSHEET")) {
                (page::notice(Tone::Warn, &html! { p { "The token of " code { (name) } " is used before anything that you enter here." } }))
            }
            (page::form(desk, "account", &html! {
                div.fields {
                    label { "E-mail" input type="email" name="email" required autocomplete="off"; }
                    label { "Password" input type="password" name="password" required autocomplete="new-password"; }
                    button { "Keep the account" }
                }
                (rules::as_seen(&account))
                (written(&account))
            }))
            details {
                summary { "I have a token instead" }
                (page::form(desk, "account", &html! {
                    div.fields {
                        label { "Token" input type="password" name="token" required autocomplete="off"; }
                        button { "Keep the token" }
                    }
                    (rules::as_seen(&token))
                    (written(&token))
                }))
            }
        }
    })
}

/// Whether the login works, as far as that was tried, and the button that tries it.
fn tries(desk: &Desk, app: &App) -> Markup {
    let has_address = app.config().service_key().is_ok();
    html! {
        @match desk.login_worked(app) {
            Some(Ok(())) => p { "The login works." },
            Some(Err(why)) => (page::notice(Tone::Bad, &html! { p { "The login did not work: " (why) } })),
            None if has_address => p.soft { "Not tried yet since the desk was started." },
            None => p.soft { "Not tried yet: the address of the service comes first." },
        }
        @if has_address { (page::form(desk, "login", &html! { button { "Try the login" } })) }
    }
}

/// The change of the settings file beside the file of the secret.
fn written(edit: &Edit) -> Markup {
    html! {
        details {
            summary { "What is written into the settings" }
            @if edit.is_new() { (rules::change(edit)) } @else { p.soft { "Nothing new: they name that file already." } }
        }
    }
}

pub(super) fn try_login(desk: &Arc<Desk>, _: &Nothing) -> Result<String> {
    let app = desk.app();
    app.forget_warehouses();
    match app.log_in() {
        Ok(Some(found)) => {
            desk.note_login(&app, Ok(()));
            Ok(desk.say("settings", &told(found)))
        }
        Ok(None) => Ok(desk.say("settings", "The practice service needs no login.")),
        Err(error) => {
            let trouble = Trouble::from(error);
            desk.note_login(&app, Err(trouble.sentence()));
            Err(trouble)
        }
    }
}

/// The answer of the service to the login.
fn told(LoggedIn { service, from, life, tried, .. }: LoggedIn) -> String {
    let who = match from {
        TokenFrom::Account(email) => format!("the account {email}"),
        TokenFrom::Environment | TokenFrom::Configured | TokenFrom::Typed => "the token".to_owned(),
    };
    let unsure = tried.and_then(|(_, said)| said).map(|said| format!(" It answered: {said}.")).unwrap_or_default();
    let life = life.map(|life| format!(" It lasts {}.", words::about(life))).unwrap_or_default();
    format!("{service} takes {who}.{life}{unsure}")
}

/// The form of the account, as it was sent.
#[derive(Deserialize)]
pub(super) struct Entered {
    #[serde(default)]
    seen: String,
    #[serde(default)]
    email: String,
    #[serde(default)]
    password: String,
    #[serde(default)]
    token: String,
}

pub(super) fn keep_account(desk: &Arc<Desk>, entered: &Entered) -> Result<String> {
    let Entered { seen, email, password, token } = entered;
    if desk.is_practice() {
        return Err(Trouble::Typed("The practice service needs no account".to_owned()));
    }
    let secret = match (email.trim(), password.trim(), token.trim()) {
        ("", "", token) if !token.is_empty() => Secret::Token(token),
        (email, password, "") if !email.is_empty() && !password.is_empty() => Secret::Account { email, password },
        _ => return Err(Trouble::Typed("The account needs an e-mail address and a password".to_owned())),
    };
    if [email, password, token].iter().any(|text| text.trim().contains(char::is_control)) {
        return Err(Trouble::Typed("This has more than one line".to_owned()));
    }
    let app = desk.app();
    rules::is_as_seen(desk, &app.config().name_secret(secret).map_err(app::Error::from)?, seen)?;
    desk.configure(|config| config.keep_secret(secret))?;
    Ok(tried_as_entered(desk, secret))
}

/// Tries what was entered, once it is kept, and gives the page that says what came of it.
fn tried_as_entered(desk: &Desk, secret: Secret<'_>) -> String {
    let app = desk.app();
    app.forget_warehouses();
    let Service::At(Some(endpoint)) = app.config().service() else {
        return desk.warn("settings", "It is kept, and not tried yet: the address of the service comes first.");
    };
    if app.new_host().is_some() {
        return desk.warn("settings", "It is kept, and not tried yet: allow the address first, then try the login.");
    }
    match app.first_login(endpoint, secret) {
        Ok(found) => {
            desk.note_login(&app, Ok(()));
            desk.say("settings", &format!("It is kept. {}", told(found.logged_in)))
        }
        Err(error) => {
            let why = Trouble::from(error).sentence();
            desk.note_login(&app, Err(why.clone()));
            desk.warn("settings", &format!("It is kept. The login did not work: {why}"))
        }
    }
}

/// A command that a person allows.
#[derive(Deserialize)]
pub(super) struct Command {
    mark: String,
}

pub(super) fn allow_command(desk: &Arc<Desk>, allowed: &Command) -> Result<String> {
    let app = desk.app();
    let new = app.new_commands(&app.config().login_commands());
    if !new.is_empty() && marks(&new) != allowed.mark {
        return Err(Trouble::Changed("The command has changed".to_owned()));
    }
    new.iter().try_for_each(|command| app.allow_command(command))?;
    Ok("settings".to_owned())
}

/// The marks of these commands, by which a yes names them.
fn marks(commands: &[NewCommand]) -> String {
    commands.iter().map(|own| own.mark.as_str()).collect::<Vec<_>>().join(" ")
}
