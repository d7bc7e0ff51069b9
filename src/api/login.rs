//! A token for an e-mail address and a password.

use std::time::Duration;

use secrecy::ExposeSecret;
use serde_json::json;

use crate::env::patience;

use super::answer::{Misread, setting, told};
use super::client::{Call, Client};
use super::json::Json;
use super::judge::message;
use super::operation::{Entry, LOGIN};
use super::outcome::{NotSent, Observed, Reply};
use super::secret::SecretSource;
use super::token::{Token, TokenError, conceal};

/// Waits between tries while the service cannot be reached; its answers are never asked for twice.
const WAITS: [Duration; 4] =
    [Duration::from_millis(500), Duration::from_secs(2), Duration::from_secs(4), Duration::from_secs(8)];

/// How to log in.
#[derive(Debug, Clone)]
pub struct Login {
    /// The service.
    pub client: Client,
    /// The account.
    pub email: String,
    /// Its password.
    pub password: SecretSource,
    /// How old a token may become that does not say itself when it expires.
    pub renew_after: Duration,
}

impl Login {
    /// How old a token may become: the service's live about five minutes.
    pub const RENEW_AFTER: Duration = Duration::from_secs(230);

    /// Logs in.
    pub async fn token(&self) -> Result<Token, TokenError> {
        let failed = |why: String| TokenError::Login(why);
        let password = self.password.get().await.map_err(|error| failed(format!("the password: {error}")))?;
        let body = json!({"emailAddress": self.email, "password": password.expose_secret()}).to_string();
        let entry = self.client.operations().of(&LOGIN);
        let mut call = Call::new(&entry, &[], Some(body.into_bytes())).map_err(|error| failed(error.to_string()))?;
        call.headers.push(("x-api-version", "1"));
        let mut waits = WAITS.into_iter().map(patience);
        loop {
            let why = match self.client.send(None, call.clone()).await {
                Observed::Reply(mut reply) => {
                    if !matches!(reply.status, 200 | 201) {
                        conceal(password.expose_secret(), &mut reply.body);
                    }
                    return read(&entry, &reply).map_err(|error| without(password.expose_secret(), error));
                }
                Observed::NotSent(NotSent::Tls(why)) => return Err(failed(format!("no secure connection: {why}"))),
                Observed::Lost(_) => return Err(failed("no whole answer came".to_owned())),
                Observed::NotSent(NotSent::Unreachable(why)) => why,
            };
            let Some(wait) = waits.next() else {
                return Err(TokenError::Unreachable(why.clone()));
            };
            tokio::time::sleep(wait).await;
        }
    }
}

/// An error that does not repeat the password, however the service wrote it.
fn without(password: &str, error: TokenError) -> TokenError {
    let concealed = |why: String| {
        let mut why = why.into_bytes();
        conceal(password, &mut why);
        String::from_utf8_lossy(&why).into_owned()
    };
    match error {
        TokenError::Login(why) => TokenError::Login(concealed(why)),
        TokenError::Account(why) => TokenError::Account(concealed(why)),
        error => error,
    }
}

fn read(entry: &Entry, reply: &Reply) -> Result<Token, TokenError> {
    let failed = |why: String| Err(TokenError::Login(why));
    let refused = |why: String| Err(TokenError::Account(why));
    match reply.status {
        200 | 201 => {
            let answer = Json::parse(&reply.body).unwrap_or(Json::Null);
            let objects = match told(entry, &answer, &["token"]) {
                Err(Misread::No { message, .. }) => {
                    return refused(format!("{message}. Check e-mail address and password"));
                }
                objects => objects.unwrap_or_default(),
            };
            match objects.first().and_then(|told| told.text("token")) {
                Some(text) => Token::new(&text),
                // Whatever it is, it may hold a token: only its names are shown.
                None => failed(format!(
                    "the answer holds no token; it has {}; if one of them is the token, set {} in shipsheet.toml",
                    names(&answer),
                    setting(entry, &["token"], &answer)
                )),
            }
        }
        500..=599 => refused(format!(
            "{}. This service answers a wrong e-mail address or password like this as well: check both, and if they \
             are right, try later",
            message(reply)
        )),
        300..=399 => failed("the service answered with a redirect, which is never followed".to_owned()),
        _ => refused(format!("{}. Check e-mail address and password", message(reply))),
    }
}

/// Where values stand in an answer, and not what they are.
fn names(answer: &Json) -> String {
    const SHOWN: usize = 10;
    let mut names = Vec::new();
    answer.each(&mut |pointer, json| {
        if json.text().is_some() && !pointer.is_empty() {
            names.push(pointer.to_owned());
        }
    });
    names.truncate(SHOWN);
    if names.is_empty() { "no text at all".to_owned() } else { names.join(", ") }
}
