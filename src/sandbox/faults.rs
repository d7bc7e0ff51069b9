//! Faults that the sandbox makes on purpose, from a seed.

use std::str::FromStr;
use std::time::Duration;

/// How the sandbox misbehaves. Which request is hit follows from seed and arrival alone, so that runs repeat.
#[derive(Debug, Clone, PartialEq)]
pub struct Faults {
    /// Two runs with one seed misbehave alike.
    pub seed: u64,
    /// Before each answer.
    pub latency: Duration,
    /// Up to this much more, by chance.
    pub jitter: Duration,
    /// How long a token from a login lives.
    pub token_life: Duration,
    /// Share of requests that are refused for now with 429.
    pub too_many: f64,
    /// The `Retry-After` of those, in seconds.
    pub retry_after: u64,
    /// Share answered 503 without a booking.
    pub error_before: f64,
    /// Share booked and then answered 502.
    pub error_after: f64,
    /// Share whose connection is cut without a booking.
    pub cut_before: f64,
    /// Share booked and then cut.
    pub cut_after: f64,
    /// Share booked and answered with something unreadable.
    pub unreadable: f64,
    /// Share answered 200 with neither AWB nor error.
    pub empty_awb: f64,
    /// Requests after which the token is no longer accepted.
    pub unauthorized_after: Option<u64>,
    /// Requests after which no more faults happen.
    pub limit: Option<u64>,
}

impl Default for Faults {
    fn default() -> Self {
        Self {
            seed: 0,
            latency: Duration::ZERO,
            jitter: Duration::ZERO,
            token_life: Duration::from_mins(5),
            too_many: 0.0,
            retry_after: 1,
            error_before: 0.0,
            error_after: 0.0,
            cut_before: 0.0,
            cut_after: 0.0,
            unreadable: 0.0,
            empty_awb: 0.0,
            unauthorized_after: None,
            limit: None,
        }
    }
}

/// What a request gets instead of an ordinary answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// Refused for now, with the seconds of `Retry-After`.
    TooMany(u64),
    /// A status and a body, without a booking.
    Status(u16, String),
    /// A status, headers and a body, without a booking.
    Full(u16, Vec<(String, String)>, String),
    /// Booked, then this status and body.
    BookedThen(u16, String),
    /// The connection is cut without a booking.
    CutBefore,
    /// Booked, then cut.
    CutAfter,
    /// Booked, then not answered for this long, then cut.
    BookedSilent(Duration),
    /// The ordinary answer, whatever the faults are.
    Plain,
    /// Neither booked nor answered for this long, then cut.
    Silent(Duration),
}

/// Why a specification is not taken.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error(
    "`{0}` is not understood: write for instance latency=50ms,jitter=20ms,token-life=60s,429=0.05,5xx-before=0.01,5xx-after=0.01,cut-before=0.01,cut-after=0.01,unreadable=0.01,empty-awb=0.01,retry-after=1,unauthorized-after=100,limit=500,seed=7"
)]
pub struct FaultsError(String);

impl FromStr for Faults {
    type Err = FaultsError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut faults = Self::default();
        for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
            let wrong = || FaultsError(part.to_owned());
            let (name, value) = part.split_once('=').ok_or_else(wrong)?;
            let share = || value.parse::<f64>().ok().filter(|share| (0.0..=1.0).contains(share)).ok_or_else(wrong);
            let number = || value.parse::<u64>().map_err(|_| wrong());
            match name {
                "seed" => faults.seed = number()?,
                "latency" => faults.latency = time(value).ok_or_else(wrong)?,
                "jitter" => faults.jitter = time(value).ok_or_else(wrong)?,
                "token-life" => faults.token_life = time(value).ok_or_else(wrong)?,
                "429" => faults.too_many = share()?,
                "retry-after" => faults.retry_after = number()?,
                "5xx-before" => faults.error_before = share()?,
                "5xx-after" => faults.error_after = share()?,
                "cut-before" => faults.cut_before = share()?,
                "cut-after" => faults.cut_after = share()?,
                "unreadable" => faults.unreadable = share()?,
                "empty-awb" => faults.empty_awb = share()?,
                "unauthorized-after" => faults.unauthorized_after = Some(number()?),
                "limit" => faults.limit = Some(number()?),
                _ => return Err(wrong()),
            }
        }
        Ok(faults)
    }
}

/// Milliseconds, or seconds where they are called so.
fn time(text: &str) -> Option<Duration> {
    let milliseconds = |text: &str| text.parse().ok().map(Duration::from_millis);
    match text.strip_suffix("ms") {
        Some(number) => milliseconds(number),
        None => match text.strip_suffix('s') {
            Some(number) => number.parse().ok().map(Duration::from_secs),
            None => milliseconds(text),
        },
    }
}

impl Faults {
    /// How late the `arrival`-th answer is.
    #[must_use]
    pub fn delay(&self, arrival: u64) -> Duration {
        let mut chance = fastrand::Rng::with_seed(self.seed.wrapping_add(arrival).wrapping_mul(0x9E37_79B9_7F4A_7C15));
        self.latency + self.jitter.mul_f64(chance.f64())
    }

    /// What the `arrival`-th request (counted from 1) gets, if anything but the ordinary.
    #[must_use]
    pub fn draw(&self, arrival: u64) -> Option<Answer> {
        if self.unauthorized_after.is_some_and(|after| arrival > after) {
            return Some(Answer::Status(401, r#"{"message":"Unauthorized"}"#.to_owned()));
        }
        if self.limit.is_some_and(|limit| arrival > limit) {
            return None;
        }
        let mut drawn = fastrand::Rng::with_seed(self.seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ arrival).f64();
        let shares = [
            (self.too_many, Answer::TooMany(self.retry_after)),
            (self.error_before, Answer::Status(503, "<html><h1>Service Unavailable</h1></html>".to_owned())),
            (self.error_after, Answer::BookedThen(502, "<html><h1>Bad Gateway</h1></html>".to_owned())),
            (self.cut_before, Answer::CutBefore),
            (self.cut_after, Answer::CutAfter),
            (self.unreadable, Answer::BookedThen(201, "{\"orderId\":\"SB".to_owned())),
            (
                self.empty_awb,
                Answer::Status(200, r#"{"orderId":null,"awb":"","shipmentPurchaseError":null}"#.to_owned()),
            ),
        ];
        for (share, answer) in shares {
            if drawn < share {
                return Some(answer);
            }
            drawn -= share;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_specification_is_read_or_named() {
        let faults: Faults = "latency=50ms, 429=0.05,seed=7,limit=10".parse().unwrap();
        assert_eq!((faults.latency, faults.seed, faults.limit), (Duration::from_millis(50), 7, Some(10)));
        let faults: Faults = "jitter=20,token-life=2s".parse().unwrap();
        assert_eq!((faults.jitter, faults.token_life), (Duration::from_millis(20), Duration::from_secs(2)));
        assert!((1..100).all(|arrival| faults.delay(arrival) <= faults.jitter));
        for wrong in ["latency", "429=2", "colour=1", "seed=x"] {
            assert_eq!(wrong.parse::<Faults>(), Err(FaultsError(wrong.to_owned())));
        }
    }

    #[test]
    fn one_seed_gives_one_sequence_at_about_the_given_share() {
        let faults: Faults = "cut-after=0.2,seed=3".parse().unwrap();
        let hits: Vec<u64> = (1..=2_000).filter(|arrival| faults.draw(*arrival).is_some()).collect();
        let again: Vec<u64> = (1..=2_000).filter(|arrival| faults.draw(*arrival).is_some()).collect();
        assert_eq!(hits, again);
        assert!((300..500).contains(&hits.len()), "{}", hits.len());
        let other: Faults = "cut-after=0.2,seed=4".parse().unwrap();
        assert_ne!(hits, (1..=2_000).filter(|arrival| other.draw(*arrival).is_some()).collect::<Vec<_>>());
    }
}
