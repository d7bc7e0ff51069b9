//! What to do about an error, in the words of a command line.

use anyhow::Error;

use crate::api::SecretError;
use crate::api::operation::OperationError;
use crate::app::english::TOO_OLD;
use crate::app::{self, Misuse, RoomError};
use crate::config::ConfigError;
use crate::ledger::LedgerError;
use crate::parse::ReadingSettingsError;
use crate::profile::ProfileError;
use crate::settle::{LookUpError, SettleError, StatementColumn, StatementError};
use crate::sheet::SheetError;
use crate::stage::StageError;
use crate::text::shell_quoted;

use super::remedy::words;

/// What to do where no reason was given.
const NO_REASON: &str = "write it behind --because";

/// Where an error is in a sheet.
pub(super) fn place(error: &Error) -> Option<String> {
    of_sheet(error)?.place()
}

/// What to do about an error; `command` is this program with the options that lead to the same service and ledger.
pub(super) fn hint(error: &Error, command: &str) -> Option<String> {
    if let Some(sheet) = of_sheet(error) {
        return Some(sheet.hint(&*words("shipsheet"))).filter(|hint| !hint.is_empty());
    }
    if let Some(error) = find::<LedgerError>(error) {
        return of_ledger(error, command);
    }
    if let Some(error) = find::<RoomError>(error) {
        return of_room(error).map(str::to_owned);
    }
    if let Some(error) = find::<StageError>(error) {
        return of_stage(error).map(str::to_owned);
    }
    if let Some(SecretError::Exposed { path }) = find::<SecretError>(error) {
        return Some(format!("`chmod 600 {}`", shell_quoted(&path.display().to_string())));
    }
    if let Some(error) = find::<ConfigError>(error) {
        return of_config(error);
    }
    match find(error) {
        Some(SettleError::NoReason) => return Some(NO_REASON.to_owned()),
        Some(SettleError::Odd(_)) => {
            return Some("copy the AWB from the courier's portal; if the portal shows it so, add --yes".to_owned());
        }
        _ => {}
    }
    match error.downcast_ref::<app::Error>()? {
        app::Error::NoReason => Some(NO_REASON.to_owned()),
        app::Error::Interrupted => Some("the same command goes on from here".to_owned()),
        app::Error::Misuse(misuse) => of_misuse(misuse, command),
        app::Error::NewCommand => Some(
            "run `shipsheet service login` here once and say yes, or name the file with --config shipsheet.toml"
                .to_owned(),
        ),
        app::Error::NoRun(_) => Some(format!("`{command} runs` lists them")),
        app::Error::NoRunSince => Some(format!("`{command} runs` lists them with their times")),
        app::Error::NotHeld { rule, order, by, near: None } if by.is_empty() => Some(format!(
            "a check records nothing: accept it with the import, `{command} import SHEET --accept {rule}:{order}`"
        )),
        app::Error::NoRunYet => Some(format!("begin with `{command} import`")),
        app::Error::NeverSent { run, .. } => Some(format!(
            "`{command} rejects --run {run} --to fix.xlsx` says why: correct the rows there and import that file"
        )),
        app::Error::NoOrders { .. } => {
            Some(format!("nothing was sent; `{command} export --all --to orders.csv` lists every order"))
        }
        app::Error::NotInDoubt(_) => Some(format!("`{command} doubt list` names those that are")),
        app::Error::OtherService { .. } => Some("name that service with --base-url".to_owned()),
        app::Error::ProfileThere(_) => Some("--replace overwrites it, and keeps it beside the new one".to_owned()),
        app::Error::NotOwnFile { .. } => Some("give another name, or replace it with --force".to_owned()),
        app::Error::Unusable(_) => Some(format!("`{command} check` says all that is wrong")),
        app::Error::Unbalanced { run, .. } => {
            Some(format!("each order's own record is right, see `{command} export --run {run} --to results.csv`"))
        }
        app::Error::NoNameColumn(_) => Some("say with --name-column which of them it is".to_owned()),
        app::Error::Listen { .. } => Some("another port: --port 0".to_owned()),
        app::Error::Operation(OperationError::Unknown { .. }) => Some(format!("`{command} service call` lists them")),
        app::Error::CallParameter(OperationError::Parameter { parameter, .. }) => {
            Some(format!("give --param {parameter}=…"))
        }
        app::Error::Statement(error) => of_statement(error),
        _ => None,
    }
}

fn of_config(error: &ConfigError) -> Option<String> {
    let hint = match error {
        ConfigError::NoService | ConfigError::NoToken => "or try it with --sandbox, which needs none",
        ConfigError::NoProfile { .. } => "`shipsheet profile list` names all",
        ConfigError::NoHome => "name the ledger with --ledger",
        ConfigError::Writable { path } => {
            return Some(format!("`chmod go-w {}`", shell_quoted(&path.display().to_string())));
        }
        _ => return None,
    };
    Some(hint.to_owned())
}

const fn of_room(error: &RoomError) -> Option<&'static str> {
    match error {
        RoomError::Files { .. } => {
            Some("raise the limit, for instance with `ulimit -n 1024`, and run the command again")
        }
        RoomError::Threads(_) => {
            Some("close other programs, or raise the limit with `ulimit -u`, and run the command again")
        }
        RoomError::Signals(_) => None,
    }
}

const fn of_stage(error: &StageError) -> Option<&'static str> {
    match error {
        StageError::Threads(_) => Some("close other programs and run the command again"),
        StageError::Changed => Some("run the command again"),
        _ => None,
    }
}

fn of_misuse(misuse: &Misuse, command: &str) -> Option<String> {
    match misuse {
        Misuse::NotForTheSandbox(_) => Some("omit --sandbox".to_owned()),
        Misuse::NoReason(_) => Some(NO_REASON.to_owned()),
        Misuse::NoOrderNamed => Some(format!(
            "say which orders: their numbers, or --run N for all of a run (`{command} runs` lists the runs)"
        )),
        Misuse::NoState { .. } => Some(format!("--state takes {}", app::STATES.join(", "))),
        Misuse::QueryIsParameter { name, .. } => Some(format!("give --param {name}=…")),
        Misuse::LoginIsSecret => Some(format!("`{command} service login` tries it")),
        Misuse::BookingIsKept => Some(format!("use `{command} import`")),
        Misuse::WebhookIsKept => Some(format!("use `{command} service webhook register --url …`")),
        Misuse::CancellationIsKept { number } => Some(format!("use `{command} cancel {}`", shell_quoted(number))),
        _ => None,
    }
}

fn of_ledger(error: &LedgerError, command: &str) -> Option<String> {
    let accept = format!("say so with `{command} ledger accept --because \"…\"`");
    let hint = match error {
        LedgerError::Missing(_) => "begin with an import, or name another with --ledger".to_owned(),
        LedgerError::NotALedger(_) => "name another with --ledger".to_owned(),
        LedgerError::Gone { now_at: Some(_), .. } => {
            format!("name that one with --ledger; if it is really lost, {accept}")
        }
        LedgerError::Gone { now_at: None, .. } => format!("if it is really lost, {accept}"),
        LedgerError::Copy { .. } => format!(
            "use that one with --ledger; only if it is lost, and nothing was booked with it since the copy was made, \
             {accept}"
        ),
        LedgerError::Behind { .. } => format!(
            "use that one with --ledger; only if it is lost, look up in the courier's portal what was booked since, and \
             then {accept}"
        ),
        LedgerError::Replaced { .. } => {
            format!("look up in the courier's portal what was booked since and is missing here; only then {accept}")
        }
        LedgerError::Moved { .. } => "use that one with --ledger".to_owned(),
        LedgerError::Mounted { .. } => "name the file in that folder with --ledger".to_owned(),
        LedgerError::Older { .. } => format!(
            "put the newest one back; if it is lost, look up in the courier's portal what was booked since, and then \
             {accept}"
        ),
        LedgerError::OpenBefore { .. } => format!(
            "drop each of these files at `{command} desk` and say there what does not go; then move that folder away"
        ),
        LedgerError::Foreign { .. } => {
            format!("put that one back, or name the right one with --ledger; if the change is meant, {accept}")
        }
        LedgerError::UnsafePlace { .. } => {
            "name a place on a disk of this machine with --ledger; if you know better, allow it in shipsheet.toml with \
             `allow_network = true` under [ledger]"
                .to_owned()
        }
        LedgerError::Sealed(_) => "name the copy with --ledger".to_owned(),
        LedgerError::Outdated { .. } => format!(
            "`{command} ledger upgrade` brings it up to date, once nothing else uses it; a file is copied before, as it is"
        ),
        LedgerError::TooOld { .. } => format!("{TOO_OLD}; do not begin a new ledger instead"),
        LedgerError::Unsound { .. } => "book nothing with it, and put the last good backup in its place".to_owned(),
        _ => return of_database(error, command),
    };
    Some(hint)
}

/// What to do about a ledger on a server.
fn of_database(error: &LedgerError, command: &str) -> Option<String> {
    let hint = match error {
        LedgerError::NoPassword(_) => {
            "put it into ~/.pgpass (HOST:5432:DATABASE:LOGIN:PASSWORD, which only you may read), into a \
             service file, or name a password_command under [ledger] in shipsheet.toml"
                .to_owned()
        }
        LedgerError::Forbidden(_) => {
            "have the database's owner run roles.sql, then GRANT shipsheet_station TO that login, or \
             shipsheet_reader if it only looks (docs/stations.md, Roles)"
                .to_owned()
        }
        LedgerError::NotOwner(_) => {
            format!(
                "run `{command} ledger upgrade` as the owner, or `{command} resume` where there is no ledger yet, then \
                 roles.sql again (docs/stations.md, Roles)"
            )
        }
        LedgerError::Standby(_) => "name the server that is written to with --ledger".to_owned(),
        LedgerError::Unheard { station, .. } => format!(
            "start shipsheet there once, which settles it (`{command} resume`); if that machine is off for good, say so with \
             `{command} ledger station-off {station} --because \"…\"`"
        ),
        LedgerError::NoStation { .. } | LedgerError::StationWorks { .. } => {
            format!("`{command} ledger stations` lists them")
        }
        LedgerError::Arriving { .. } => {
            format!("give `{command} ledger move` once more, with --ledger and the old file")
        }
        _ => return None,
    };
    Some(hint)
}

fn of_statement(error: &StatementError) -> Option<String> {
    let flag = |column: &StatementColumn| match column {
        StatementColumn::OrderNumber => "--order-column",
        StatementColumn::Awb => "--awb-column",
        StatementColumn::Status => "--status-column",
        StatementColumn::Date => "--date-column",
        StatementColumn::Freight => "--freight-column",
        StatementColumn::Carrier => "--carrier-column",
    };
    match error {
        StatementError::Sheet(_) => None,
        StatementError::NoColumn { column, .. } => {
            Some(format!("name it with {} \"…\" (its header, or its letter)", flag(column)))
        }
        StatementError::NoSuchColumn { column, .. } => Some(format!("correct {}", flag(column))),
        StatementError::Ambiguous { column, letters, .. } => {
            Some(format!("name one by its letter with {} {letters}", flag(column)))
        }
        StatementError::SameColumn { .. } => Some("name them with --order-column and --awb-column".to_owned()),
    }
}

/// What to do about an error whose own words are all there is.
pub(super) fn way_out(error: &Error) -> &'static str {
    if find::<ProfileError>(error).is_some() {
        "correct the profile, and try it with `shipsheet profile check NAME`"
    } else if is_of_configuration(error) {
        "correct that line of shipsheet.toml, or of the file that --config names; `shipsheet template NEW.toml` writes one \
         with every setting explained"
    } else if find::<LedgerError>(error).is_some() {
        "do as the message says, and never go on with a copy or a backup; `shipsheet ledger check` looks through a ledger"
    } else {
        "correct what the message names and run the same command again; what is booked is not sent twice"
    }
}

/// Whether the file of the configuration is what has to be corrected.
fn is_of_configuration(error: &Error) -> bool {
    let is_of_config = |error: &ConfigError| {
        use ConfigError::{Invalid, Operations, Section, Setting, TwoTokens, Unreadable};
        matches!(
            error,
            Unreadable { .. } | Invalid { .. } | TwoTokens { .. } | Setting(_) | Section { .. } | Operations(_)
        )
    };
    find::<ConfigError>(error).is_some_and(is_of_config)
        || find::<ReadingSettingsError>(error).is_some()
        || find::<toml::de::Error>(error).is_some()
        || matches!(find::<LookUpError>(error), Some(LookUpError::NotAGet(_)))
}

/// The first error of a kind in the chain; transparent errors hide what they wrap.
fn find<E: std::error::Error + 'static>(error: &Error) -> Option<&E> {
    error.chain().find_map(|cause| {
        let settled = || match cause.downcast_ref::<SettleError>()? {
            SettleError::Ledger(error) => Some(error as &(dyn std::error::Error + 'static)),
            _ => None,
        };
        let wrapped = cause.downcast_ref::<app::Error>().and_then(inner).or_else(settled);
        cause.downcast_ref().or_else(|| wrapped?.downcast_ref())
    })
}

/// What an error of the application wraps without a word of its own.
fn inner(error: &app::Error) -> Option<&(dyn std::error::Error + 'static)> {
    match error {
        app::Error::Config(ConfigError::Rules(error)) => Some(error),
        app::Error::Config(ConfigError::Profile(error)) | app::Error::Profile(error) => Some(error),
        app::Error::Config(error) => Some(error),
        app::Error::Settle(error @ SettleError::NoReason) => Some(error),
        app::Error::Settle(SettleError::Ledger(error))
        | app::Error::Stage(StageError::Ledger(error))
        | app::Error::Ledger(error) => Some(error),
        app::Error::Stage(StageError::Sheet(error)) | app::Error::Statement(StatementError::Sheet(error)) => {
            Some(error)
        }
        app::Error::Stage(error) => Some(error),
        app::Error::Room(error) => Some(error),
        app::Error::LookUp(error) => Some(error),
        _ => None,
    }
}

fn of_sheet(error: &Error) -> Option<&SheetError> {
    find::<SheetError>(error).or_else(|| match find::<StageError>(error)? {
        StageError::Sheet(error) => Some(error),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::net::{Ipv4Addr, SocketAddr};
    use std::path::PathBuf;

    use super::*;
    use crate::api::TokenError;

    fn hinted(error: impl Into<Error>) -> String {
        hint(&error.into(), "shipsheet").unwrap_or_default()
    }

    fn failed() -> io::Error {
        io::Error::other("no")
    }

    #[test]
    fn what_is_done_at_a_terminal_is_said_here_by_the_kind_of_error() {
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, 80));
        assert_eq!(hinted(app::Error::Listen { address, source: failed() }), "another port: --port 0");
        assert_eq!(hinted(app::Error::Interrupted), "the same command goes on from here");
        let files = || RoomError::Files { files: 80, source: failed() };
        for hint in [hinted(files()), hinted(app::Error::Room(files()))] {
            assert!(hint.contains("`ulimit -n 1024`"), "{hint}");
        }
        assert!(hinted(RoomError::Threads(failed())).contains("`ulimit -u`"));
        assert_eq!(hinted(app::Error::Stage(StageError::Changed)), "run the command again");
        let outdated = LedgerError::Outdated { path: PathBuf::from("ledger.sqlite"), found: 1, known: 2 };
        assert!(hinted(app::Error::Ledger(outdated)).contains("`shipsheet ledger upgrade`"));
        let path = PathBuf::from("a token");
        let exposed = app::Error::Token(TokenError::Source(SecretError::Exposed { path: path.clone() }));
        assert_eq!(hinted(exposed), "`chmod 600 'a token'`");
        let writable = || ConfigError::Writable { path: path.clone() };
        assert_eq!(hinted(writable()), "`chmod go-w 'a token'`");
        assert_eq!(hinted(app::Error::Config(writable())), "`chmod go-w 'a token'`");
    }

    #[test]
    fn the_configuration_is_to_be_corrected_where_it_is_at_fault_and_not_where_a_text_sounds_so() {
        let is_of_file = |error: Error| way_out(&error).starts_with("correct that line of shipsheet.toml");
        let setting = || ConfigError::Setting("rate is none".to_owned());
        assert!(is_of_file(setting().into()) && is_of_file(app::Error::Config(setting()).into()));
        assert!(is_of_file(app::Error::LookUp(LookUpError::NotAGet("POST")).into()));
        let sounds = app::Error::Refused("[a] configuration that nobody made".to_owned());
        assert!(!is_of_file(sounds.into()));
        assert!(!is_of_file(app::Error::Config(ConfigError::NoHome).into()));
    }
}
