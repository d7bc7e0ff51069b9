//! `login`: tries the configured account or token, and never shows a token.

use std::time::Duration;

use anyhow::{Result, bail};
use jiff::Timestamp;
use serde_json::json;

use crate::api::{Client, TokenSource};
use crate::text::duration;

use super::args::Format;
use super::console::{print, print_json};
use super::exit::Exit;
use super::session::runtime;
use super::settings::{Service, Settings};

pub(super) fn login(settings: &Settings) -> Result<Exit> {
    settings.service_key()?;
    let Service::At(Some(endpoint)) = &settings.service else {
        if settings.format == Format::Json {
            print_json(&json!({"service": "sandbox", "from": "the sandbox", "token": true, "life_seconds": null,
                "renewed_after_seconds": null}))?;
        } else {
            print(b"the sandbox takes its own token: nothing to log in to\n")?;
        }
        return Ok(Exit::Done);
    };
    let client = Client::new(settings.client(endpoint.clone(), 1)?)?;
    // Where an account is configured it is tried, also where a token goes before it.
    let source = match settings.login(&client)? {
        Some(login) => TokenSource::Login(Box::new(login)),
        None => settings.token_source(&client)?,
    };
    let (from, renewed_every) = match &source {
        TokenSource::Login(login) => (format!("a login as {}", login.email), Some(login.renew_after)),
        TokenSource::Fixed(_) => ("SHIPSHEET_TOKEN".to_owned(), None),
        TokenSource::Secret(_) => ("the configured file or command".to_owned(), None),
    };
    let token = match runtime()?.block_on(source.get()) {
        Ok(token) => token,
        Err(error) => bail!("{error}"),
    };
    let life = token.life(Timestamp::now());
    if settings.format == Format::Json {
        let seconds = |time: Option<Duration>| time.map(|time| time.as_secs());
        print_json(&json!({"service": endpoint.origin(), "from": from, "token": true, "life_seconds": seconds(life),
            "renewed_after_seconds": seconds(renewed_every)}))?;
    } else {
        let text = told(endpoint.origin(), &from, life, renewed_every);
        print(text.as_bytes())?;
    }
    Ok(Exit::Done)
}

fn told(service: &str, from: &str, life: Option<Duration>, renewed_every: Option<Duration>) -> String {
    let lives = match (life, renewed_every) {
        (Some(life), _) => format!("it lives {} and is renewed before that, once for all requests", duration(life)),
        (None, Some(every)) => {
            format!("it is renewed when it is {} old, and when the service refuses it", duration(every))
        }
        (None, None) => "it does not say how long it lives".to_owned(),
    };
    format!("{service}: got a token from {from}; {lives}\n")
}
