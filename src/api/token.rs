//! Bearer tokens: what they look like and where they come from.

use std::fmt;
use std::time::Duration;

pub use jiff::Timestamp;
use memchr::memmem;
use secrecy::{ExposeSecret, SecretString};
use serde::Deserialize;

use super::login::Login;
use super::outcome::{Lost, Observed};
use super::secret::{SecretError, SecretSource};

/// The age at which a token from a login is renewed at the earliest, where the token itself says less.
const AGE_MIN: Duration = Duration::from_secs(10);

/// What stands for a secret that an answer repeats.
const CONCEALED: &str = "(concealed)";

/// Takes a secret out of what a service has answered.
pub(super) fn conceal(secret: &str, body: &mut Vec<u8>) {
    if secret.is_empty() || memmem::find(body, secret.as_bytes()).is_none() {
        return;
    }
    let mut rest = body.as_slice();
    let mut concealed = Vec::with_capacity(rest.len());
    while let Some(at) = memmem::find(rest, secret.as_bytes()) {
        concealed.extend_from_slice(&rest[..at]);
        concealed.extend_from_slice(CONCEALED.as_bytes());
        rest = &rest[at + secret.len()..];
    }
    concealed.extend_from_slice(rest);
    *body = concealed;
}

/// A bearer token; nothing prints it.
#[derive(Clone)]
pub struct Token(SecretString);

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(…)")
    }
}

impl Token {
    /// A token from its text; white space around it is not part of it.
    pub fn new(text: impl AsRef<str>) -> Result<Self, TokenError> {
        let text = text.as_ref().trim();
        if text.is_empty() {
            return Err(TokenError::Empty);
        }
        if !text.chars().all(|c| c.is_ascii_graphic()) {
            return Err(TokenError::Malformed);
        }
        Ok(Self(SecretString::from(text.to_owned())))
    }

    pub(super) fn bearer(&self) -> String {
        format!("Bearer {}", self.0.expose_secret())
    }

    /// Takes the token out of an answer that repeats it: answers are shown and kept.
    pub(super) fn conceal_in(&self, observed: &mut Observed) {
        /// A shorter token may well be part of something else, such as an AWB.
        const SHORTEST: usize = 8;
        let secret = self.0.expose_secret();
        if secret.len() < SHORTEST {
            return;
        }
        match observed {
            Observed::Reply(reply) => {
                conceal(secret, &mut reply.body);
                if let Some(location) = reply.location.as_mut().filter(|location| location.contains(secret)) {
                    *location = location.replace(secret, CONCEALED);
                }
            }
            Observed::Lost(Lost::Partial { body, .. } | Lost::Unbelievable { body, .. }) => conceal(secret, body),
            Observed::Lost(_) | Observed::NotSent(_) => {}
        }
    }

    pub(super) fn is_same(&self, other: &Self) -> bool {
        self.0.expose_secret() == other.0.expose_secret()
    }

    /// How long it lives from now on, where it is a JWT that says so.
    ///
    /// Where it names its birth as well, its own clock decides and not ours.
    #[must_use]
    pub fn life(&self, now: Timestamp) -> Option<Duration> {
        #[derive(Deserialize)]
        struct Claims {
            exp: f64,
            iat: Option<f64>,
        }
        let mut parts = self.0.expose_secret().split('.');
        let (_, claims, _) = (parts.next()?, parts.next()?, parts.next()?);
        let claims: Claims = serde_json::from_slice(&base64_url(claims)?).ok()?;
        #[expect(clippy::cast_precision_loss, reason = "seconds of this millennium fit into a float")]
        let now = now.as_second() as f64;
        Duration::try_from_secs_f64((claims.exp - claims.iat.unwrap_or(now)).max(0.0)).ok()
    }
}

/// Base64 as JWTs have it.
fn base64_url(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len());
    let (mut bits, mut held) = (0_u32, 0);
    for letter in text.trim_end_matches('=').bytes() {
        let six = match letter {
            b'A'..=b'Z' => letter - b'A',
            b'a'..=b'z' => letter - b'a' + 26,
            b'0'..=b'9' => letter - b'0' + 52,
            b'-' | b'+' => 62,
            b'_' | b'/' => 63,
            _ => return None,
        };
        bits = (bits << 6 | u32::from(six)) & 0xff_ffff;
        held += 6;
        if held >= 8 {
            held -= 8;
            bytes.push(u8::try_from(bits >> held & 0xff).ok()?);
        }
    }
    Some(bytes)
}

/// Why there is no token.
#[derive(Debug, thiserror::Error)]
pub enum TokenError {
    /// Nothing in it.
    #[error("the token is empty")]
    Empty,
    /// White space or other signs inside.
    #[error("the token holds white space or signs that no token has: give the token alone, without \"Bearer\"")]
    Malformed,
    /// Its source failed.
    #[error("the token cannot be read: {0}")]
    Source(#[from] SecretError),
    /// The login failed.
    #[error("login failed: {0}")]
    Login(String),
    /// The service did not take e-mail address and password, or answered as it does then.
    #[error("login failed: {0}")]
    Account(String),
    /// The login got no answer: nothing was reached.
    #[error("login failed: the service could not be reached: {0}")]
    Unreachable(String),
    /// Somebody else has tried at the same time, and this is what came of it.
    #[error("{0}")]
    Failed(String),
    /// It is what it is.
    #[error("it cannot be renewed: set a new SHIPSHEET_TOKEN, then resume")]
    Fixed,
    /// The same again.
    #[error("its source still gives the same one: renew it there, then resume")]
    Unchanged,
}

/// Where a token comes from.
#[derive(Debug, Clone)]
pub enum TokenSource {
    /// Given once.
    Fixed(Token),
    /// A private file or a command.
    Secret(SecretSource),
    /// The service, for an e-mail address and a password.
    Login(Box<Login>),
}

impl TokenSource {
    /// Gets the token.
    pub async fn get(&self) -> Result<Token, TokenError> {
        match self {
            Self::Fixed(token) => Ok(token.clone()),
            Self::Secret(secret) => Token::new(secret.get().await?.expose_secret()),
            Self::Login(login) => login.token().await,
        }
    }

    /// How long a token of this source is used before the next is asked for.
    pub(super) fn renew_after(&self, token: &Token) -> Option<Duration> {
        // A fifth of its life is left for requests that are on their way.
        let by_its_word = token.life(Timestamp::now()).map(|life| life.mul_f64(0.8));
        match self {
            Self::Fixed(_) => None,
            Self::Secret(_) => by_its_word,
            // Where our clock is ahead of the service's, each new token seems to have ended already: without a least age
            // every request would log in anew.
            Self::Login(login) => by_its_word.map_or(Some(login.renew_after), |after| Some(after.max(AGE_MIN))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_jwt_tells_its_life() {
        // {"alg":"none"} and {"exp":1800000300,"iat":1800000000}, {"exp":1800000300}
        let with_birth = Token::new("eyJhbGciOiJub25lIn0.eyJleHAiOjE4MDAwMDAzMDAsImlhdCI6MTgwMDAwMDAwMH0.x").unwrap();
        let without = Token::new("eyJhbGciOiJub25lIn0.eyJleHAiOjE4MDAwMDAzMDB9.x").unwrap();
        let now = Timestamp::from_second(1_800_000_100).unwrap();
        assert_eq!(with_birth.life(now), Some(Duration::from_mins(5)));
        assert_eq!(without.life(now), Some(Duration::from_secs(200)));
        assert_eq!(without.life(Timestamp::from_second(1_900_000_000).unwrap()), Some(Duration::ZERO));
        for opaque in ["abc", "a.b.c", "a.!.c", "eyJhbGciOiJub25lIn0.e30.x"] {
            assert_eq!(Token::new(opaque).unwrap().life(now), None, "{opaque}");
        }
    }

    #[test]
    fn a_clock_that_is_ahead_makes_no_storm_of_logins() {
        let endpoint = crate::api::Endpoint::parse("http://127.0.0.1:1").unwrap();
        let client = crate::api::Client::new(crate::api::ClientOptions::new(endpoint)).unwrap();
        let password = SecretSource::Given("p".to_owned().into());
        let login = Login { client, email: "e".to_owned(), password, renew_after: Login::RENEW_AFTER };
        let source = TokenSource::Login(Box::new(login));
        // {"exp":1}, and one that says nothing.
        assert_eq!(source.renew_after(&Token::new("h.eyJleHAiOjF9.s").unwrap()), Some(AGE_MIN));
        assert_eq!(source.renew_after(&Token::new("opaque").unwrap()), Some(Login::RENEW_AFTER));
    }

    #[test]
    fn base64_of_every_length() {
        for (text, bytes) in [("", ""), ("Zg", "f"), ("Zm8=", "fo"), ("Zm9v", "foo"), ("Zm9vYmFy", "foobar")] {
            assert_eq!(base64_url(text).unwrap(), bytes.as_bytes());
        }
        assert_eq!(base64_url("-_-_").unwrap(), [0xfb, 0xff, 0xbf]);
    }
}
