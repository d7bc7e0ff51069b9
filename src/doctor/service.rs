//! The service: whether it is reached, what its clock says, and whether it takes the token.

use std::time::Duration;

use jiff::Timestamp;

use crate::app::{App, Error, TokenFrom, runtime};
use crate::config::Service;
use crate::env::patience;
use crate::text::{duration, error_chain};

use super::check::Check;

/// How long the service may take to answer.
const TIME_MAX: Duration = Duration::from_secs(15);
/// Clocks that differ by more spoil logs; by far more, tokens and certificates.
const CLOCK_OFF: Duration = Duration::from_secs(30);
const CLOCK_WRONG: Duration = Duration::from_mins(3);

pub(super) fn service(app: &App, command: &str, now: Timestamp) -> Vec<Check> {
    match app.config().service() {
        Service::Sandbox => return vec![Check::skipped("service", "the sandbox needs no account and no network")],
        Service::At(None) => {
            let found = "no service is configured";
            return vec![Check::bad("service", found, "set base_url in shipsheet.toml, or SHIPSHEET_BASE_URL")];
        }
        Service::At(Some(_)) => {}
    }
    let mut checks = reach(app, now);
    checks.push(token(app, command));
    checks
}

/// Whether it answers, and what time it is there.
fn reach(app: &App, now: Timestamp) -> Vec<Check> {
    let asked = app.config().endpoint().map_err(|error| error_chain(&error)).and_then(|endpoint| {
        let web = app.config().web(patience(TIME_MAX)).map_err(|error| error_chain(&error))?;
        let runtime = runtime().map_err(|error| error_chain(&error))?;
        let clock = runtime.block_on(web.clock(endpoint)).map_err(|error| error.to_string())?;
        Ok((endpoint.origin().to_owned(), clock))
    });
    match asked {
        Err(why) => vec![Check::bad("service", why, "look at base_url, the network and ca_file")],
        Ok((origin, clock)) => vec![Check::good("service", format!("{origin} answers")), self::clock(clock, now)],
    }
}

fn clock(theirs: Option<Timestamp>, now: Timestamp) -> Check {
    let Some(theirs) = theirs else { return Check::skipped("clock", "the service does not tell its time") };
    let off = theirs.duration_since(now);
    let (by, way) = (off.unsigned_abs(), if off.is_negative() { "ahead of" } else { "behind" });
    let found = format!("this machine is {} {way} the service", duration(by));
    let mend = "let this machine keep its clock by the network (NTP)";
    match by {
        by if by >= CLOCK_WRONG => Check::bad("clock", found, mend),
        by if by >= CLOCK_OFF => Check::warning("clock", found, mend),
        _ => Check::good("clock", "it agrees with the service's"),
    }
}

/// Whether it takes the token, by a call that changes nothing.
fn token(app: &App, command: &str) -> Check {
    let mend = format!("`{command} service login` tries it again, once it is set anew");
    match app.log_in() {
        Ok(None) => Check::skipped("token", "none is needed"),
        Ok(Some(login)) => {
            let from = match &login.from {
                TokenFrom::Account(_) => "the account",
                TokenFrom::Environment => "SHIPSHEET_TOKEN",
                TokenFrom::Configured => "the configured file or command",
                TokenFrom::Typed => "what was typed",
            };
            let life = login.life.map(|life| format!("; it lives {}", duration(life))).unwrap_or_default();
            match login.tried {
                Some((operation, Some(said))) => Check::warning(
                    "token",
                    format!("{from} gave one; it was not refused, but {operation} said: {said}{life}"),
                    mend,
                ),
                _ => Check::good("token", format!("{from} gave one, and the service takes it{life}")),
            }
        }
        Err(Error::NewHost(host)) => {
            Check::bad("token", format!("{} never had a token from this user", host.origin), by_hand(command))
        }
        Err(error @ Error::NewCommand) => Check::bad("token", error_chain(&error), by_hand(command)),
        Err(error) => Check::bad("token", error_chain(&error), mend),
    }
}

/// What a person has to say once, where the night is.
pub(super) fn by_hand(command: &str) -> String {
    format!("`{command} service login` once by hand, as the user of the night and in its folder")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doctor::check::Level;

    #[test]
    fn a_clock_is_held_against_the_services() {
        let now = Timestamp::now();
        let off = |seconds: i64| clock(now.checked_add(jiff::SignedDuration::from_secs(seconds)).ok(), now);
        let levels = [0, -20, 60, -600].map(|seconds| off(seconds).level);
        assert_eq!(levels, [Level::Good, Level::Good, Level::Warning, Level::Bad]);
        assert!(off(-600).found.contains("10 min 0 s ahead of"), "{:?}", off(-600));
        assert_eq!(clock(None, now).level, Level::Skipped);
    }
}
