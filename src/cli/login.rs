//! `login`: tries the configured account or token, and never shows a token.

use std::fmt::Write;
use std::time::Duration;

use anyhow::{Result, bail};
use jiff::Timestamp;
use serde_json::json;

use crate::api::operation::{LIST_COURIERS, LIST_WAREHOUSES, Method, SHIPMENT_DETAILS};
use crate::api::{CallError, Caller, Client, Token, TokenKeeper, TokenSource};
use crate::text::duration;

use super::args::Format;
use super::console::{print, print_json};
use super::exit::Exit;
use super::room::runtime;
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
    // What a login gives is the service's own; what was given to us may be anything.
    let tried = match &source {
        TokenSource::Login(_) => None,
        TokenSource::Fixed(_) | TokenSource::Secret(_) => Some(tried(&client, &token)?),
    };
    let goes_before = matches!(source, TokenSource::Login(_)).then(|| settings.token_before_login()).flatten();
    if settings.format == Format::Json {
        let seconds = |time: Option<Duration>| time.map(|time| time.as_secs());
        print_json(&json!({"service": endpoint.origin(), "from": from, "token": true, "life_seconds": seconds(life),
            "renewed_after_seconds": seconds(renewed_every), "tried": tried.map(|(name, _)| name),
            "used_instead": goes_before}))?;
    } else {
        let mut text = told(endpoint.origin(), &from, life, renewed_every);
        if let Some((name, said)) = tried {
            let _ = writeln!(text, "tried with {name}, which changes nothing: {said}");
        }
        if let Some(source) = goes_before {
            let _ =
                writeln!(text, "but {source} is set as well and goes before this account: all commands use that token");
        }
        print(text.as_bytes())?;
    }
    Ok(Exit::Done)
}

/// Whether the service takes the token, by a call that changes nothing. A word other than a no to the token is said as it
/// is: nobody knows whether the service looks at the token first.
fn tried(client: &Client, token: &Token) -> Result<(&'static str, String)> {
    let operations = client.operations();
    let known = [&LIST_WAREHOUSES, &LIST_COURIERS].map(|operation| operations.of(operation));
    let entry = known.into_iter().find(|entry| entry.address(&[]).is_ok() && entry.method == Method::Get);
    let (entry, parameters) = match entry {
        Some(entry) => (entry, Vec::new()),
        None => (operations.of(&SHIPMENT_DETAILS), vec![("orderIds".to_owned(), "0".to_owned())]),
    };
    let name = entry.operation.name;
    let tokens = TokenKeeper::new(TokenSource::Fixed(token.clone()));
    let caller = Caller::new(client.clone(), tokens);
    match runtime()?.block_on(caller.plain(&entry, &parameters, None)) {
        Ok(_) => Ok((name, "the service takes the token".to_owned())),
        Err(CallError::Unauthorized | CallError::Token(_) | CallError::Refused { status: 403, .. }) => {
            bail!("the service does not take the token (tried with {name}): set a new one")
        }
        Err(error @ CallError::Refused { .. }) => Ok((name, format!("the token is not refused, but: {error}"))),
        Err(error) => bail!("the token could not be tried: {error}"),
    }
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
