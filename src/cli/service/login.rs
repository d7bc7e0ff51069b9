//! `service login`: tries the configured account or token, and never shows a token.

use std::fmt::Write;
use std::time::Duration;

use anyhow::Result;
use schemars::JsonSchema;
use serde::Serialize;

use crate::app::{Exit, LoggedIn, TokenFrom};
use crate::cli::connect::{settle_commands, settle_service};
use crate::cli::console::print;
use crate::cli::document::{Kind, print_document};
use crate::cli::global::Format;
use crate::cli::settings::Settings;
use crate::text::duration;

/// The document of `service login`.
#[derive(Default, Serialize, JsonSchema)]
#[schemars(title = "The account or token that was tried")]
pub(in crate::cli) struct Document {
    /// The service's address, or `sandbox`.
    service: String,
    /// Where the token is from, in English.
    from: String,
    /// Whether a token was got.
    #[schemars(extend("const" = true))]
    token: bool,
    /// How long the token lives, in seconds; null where it does not say.
    life_seconds: Option<u64>,
    /// The age at which it is renewed, in seconds; null where it is not.
    renewed_after_seconds: Option<u64>,
    /// The operation that it was tried with; null where it was not tried.
    tried: Option<&'static str>,
    /// The setting that goes before this account; null where there is none.
    used_instead: Option<&'static str>,
    exit: Exit,
}

pub(super) fn login(settings: &Settings) -> Result<Exit> {
    settle_service(settings)?;
    // Here all of them are asked about, so that a night finds none of which nobody has said anything.
    let config = settings.config();
    settle_commands(settings, &[config.login_commands(), config.alert_commands()].concat())?;
    let as_json = settings.format == Format::Json;
    let Some(login) = settings.app.log_in()? else {
        if as_json {
            let (service, from) = ("sandbox".to_owned(), "the sandbox".to_owned());
            print_document(Kind::ServiceLogin, &Document { service, from, token: true, ..Document::default() })?;
        } else {
            print(b"the sandbox takes its own token: nothing to log in to\n")?;
        }
        return Ok(Exit::Done);
    };
    if as_json {
        let document = Document {
            from: from(&login),
            service: login.service,
            token: true,
            life_seconds: login.life.as_ref().map(Duration::as_secs),
            renewed_after_seconds: login.renewed_every.as_ref().map(Duration::as_secs),
            tried: login.tried.map(|(name, _)| name),
            used_instead: login.used_instead,
            exit: Exit::Done,
        };
        print_document(Kind::ServiceLogin, &document)?;
    } else {
        print(told(&login).as_bytes())?;
    }
    Ok(Exit::Done)
}

fn from(login: &LoggedIn) -> String {
    match &login.from {
        TokenFrom::Account(email) => format!("a login as {email}"),
        TokenFrom::Environment => "SHIPSHEET_TOKEN".to_owned(),
        TokenFrom::Configured => "the configured file or command".to_owned(),
        TokenFrom::Typed => "what you typed".to_owned(),
    }
}

/// What came of it.
pub(super) fn told(login: &LoggedIn) -> String {
    let from = from(login);
    let lives = match (login.life, login.renewed_every) {
        (Some(life), _) => format!("it lives {} and is renewed before that, once for all requests", duration(life)),
        (None, Some(every)) => {
            format!("it is renewed when it is {} old, and when the service refuses it", duration(every))
        }
        (None, None) => "it does not say how long it lives".to_owned(),
    };
    let mut text = format!("{}: got a token from {from}; {lives}\n", login.service);
    if let Some((name, said)) = &login.tried {
        let said = match said {
            None => "the service takes the token".to_owned(),
            Some(error) => format!("the token is not refused, but: {error}"),
        };
        let _ = writeln!(text, "tried with {name}, which changes nothing: {said}");
    }
    if let Some(source) = login.used_instead {
        let _ = writeln!(text, "but {source} is set as well and goes before this account: all commands use that token");
    }
    text
}
