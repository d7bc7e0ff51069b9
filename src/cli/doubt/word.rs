//! `doubt booked`, `doubt not-booked` and `doubt abandon`: a person's word.

use anyhow::{Result, bail};
use schemars::JsonSchema;
use serde::Serialize;

use crate::app::{Exit, Session};
use crate::cli::Usage;
use crate::cli::console::{confirm, note};
use crate::cli::document::{Kind, print_document};
use crate::cli::global::Format;
use crate::cli::session::tell_opening;
use crate::cli::settings::Settings;
use crate::ledger::{State, Upon};
use crate::settle::SettleError;
use crate::text::{bare_awb, count, shell_quoted};

/// Which order, and of which attempt something was found.
pub(super) struct Of<'a> {
    pub(super) order: &'a str,
    /// The attempt that was looked up; without one, the latest.
    pub(super) attempt: Option<u32>,
    pub(super) because: &'a str,
}

impl Of<'_> {
    /// The order as it was looked up: in doubt, where an attempt was named.
    fn upon(&self, session: &Session<'_>) -> Result<Upon> {
        let now = session.upon(self.order)?;
        Ok(match self.attempt {
            Some(attempts) => Upon { attempts, state: State::InDoubt.as_str().to_owned(), ..now },
            None => now,
        })
    }

    /// The same for an AWB that is to be recorded. One that is recorded already is replaced only where the attempt was named
    /// and a person, or `--yes`, wants it.
    fn upon_for_awb(&self, session: &Session<'_>, awb: &str, yes: bool) -> Result<Upon> {
        let known = session.known(self.order)?;
        let (order, now) = (self.order, known.upon());
        let Some(own) =
            known.awb.as_deref().filter(|own| known.has_correctable_awb() && bare_awb(own) != bare_awb(awb))
        else {
            return self.upon(session);
        };
        let Some(attempts) = self.attempt else {
            bail!(
                "order {order} is booked with AWB {own}: to replace that, name the attempt, --attempt {}",
                now.attempts
            );
        };
        if !yes && confirm(&format!("Order {order} is booked with AWB {own}. Replace it with {awb}?")) != Some(true) {
            bail!("order {order} stays booked with AWB {own}; add --yes to replace that");
        }
        Ok(Upon { attempts, ..now })
    }
}

const NOT_BOOKED: &str = "not-booked";

/// The document of `doubt booked`, `doubt not-booked` and `doubt abandon`.
#[derive(Serialize, JsonSchema)]
#[schemars(title = "An order that a person settled")]
pub(in crate::cli) struct Document<'a> {
    /// The order number.
    order: &'a str,
    /// The decision that was recorded: `booked` is never sent again, `not-booked` may be sent again once, `abandoned` is given up.
    #[schemars(extend("enum" = ["booked", NOT_BOOKED, "abandoned"]))]
    settled: &'static str,
    /// The air waybill number; null where it is not booked.
    awb: Option<&'a str>,
    /// How the person knows.
    because: &'a str,
    exit: Exit,
}

/// The document of `doubt not-booked` of several orders.
#[derive(Serialize, JsonSchema)]
#[schemars(title = "Several orders that a person settled")]
pub(in crate::cli) struct SeveralDocument<'a> {
    /// The order numbers.
    orders: &'a [String],
    /// The decision that was recorded: each may be sent again once.
    #[schemars(extend("const" = NOT_BOOKED))]
    settled: &'static str,
    /// How the person knows.
    because: &'a str,
    exit: Exit,
}

pub(super) fn booked(settings: &Settings, of: &Of<'_>, awb: &str, yes: bool) -> Result<Exit> {
    let mut session = settling(settings)?;
    let upon = of.upon_for_awb(&session, awb, yes)?;
    match session.settle_booked(&upon, awb, of.because, yes) {
        Err(SettleError::Odd(odd)) if confirm(&format!("{odd}. Does the portal show it so?")) == Some(true) => {
            session.settle_booked(&upon, awb, of.because, true)?;
        }
        settled => settled?,
    }
    note(format!("order {} is booked with AWB {}; it is never sent again", of.order, awb.trim()));
    told(settings, of, "booked", Some(awb.trim()))
}

pub(super) fn not_booked(settings: &Settings, orders: &[String], attempt: Option<u32>, because: &str) -> Result<Exit> {
    if attempt.is_some() && orders.len() > 1 {
        bail!(Usage("--attempt is about one order, and several are named".to_owned()));
    }
    let mut session = settling(settings)?;
    let upon = |order: &String| Of { order, attempt, because }.upon(&session);
    let all = orders.iter().map(upon).collect::<Result<Vec<Upon>>>()?;
    session.settle_not_booked(&all, because)?;
    if let [order] = orders {
        let resume = format!("`{} resume`", settings.command);
        let retry = format!("`{} retry {}`", settings.command, shell_quoted(order));
        let upon = all.first().map_or("", |upon| &*upon.service);
        let history = session.ledger().order(order)?;
        let own = history.iter().find(|own| own.service == upon);
        note(match own.map_or("", |own| &*own.state) {
            "held" | "left_out" | "dismissed" => format!(
                "order {order} was not booked, and does not go: {}; `{} doubt not-booked {} --because \"…\"` once more lets it go",
                own.and_then(|own| own.error.as_deref()).unwrap_or_default(),
                settings.command,
                shell_quoted(order)
            ),
            "rejected" | "refused" => format!("order {order} may be sent again; next: {retry}"),
            _ => format!("order {order} may be sent again, once; next: {resume}"),
        });
        return told(settings, &Of { order, attempt, because }, NOT_BOOKED, None);
    }
    let number = count(orders.len() as u64, "order");
    note(format!("{number} may be sent again, once each; next: `{} resume`", settings.command));
    if settings.format == Format::Json {
        let document = SeveralDocument { orders, settled: NOT_BOOKED, because, exit: Exit::Done };
        print_document(Kind::DoubtsSettled, &document)?;
    }
    Ok(Exit::Done)
}

pub(super) fn abandon(settings: &Settings, of: &Of<'_>) -> Result<Exit> {
    let mut session = settling(settings)?;
    let upon = of.upon(&session)?;
    session.abandon(&upon, of.because)?;
    note(format!(
        "order {} is given up and not sent again; should it be sent after all: \
         `{} doubt not-booked {} --because \"…\"`",
        of.order,
        settings.command,
        shell_quoted(of.order)
    ));
    told(settings, of, "abandoned", None)
}

/// What was decided, for scripts.
fn told(settings: &Settings, of: &Of<'_>, settled: &'static str, awb: Option<&str>) -> Result<Exit> {
    if settings.format == Format::Json {
        let Of { order, because, .. } = of;
        print_document(Kind::DoubtSettled, &Document { order, settled, awb, because, exit: Exit::Done })?;
    }
    Ok(Exit::Done)
}

/// The ledger for this process alone, with what a crash left named.
pub(super) fn settling(settings: &Settings) -> Result<Session<'_>> {
    let session = settings.app.settling()?;
    tell_opening(settings, &session);
    Ok(session)
}
