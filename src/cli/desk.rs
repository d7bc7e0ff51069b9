//! `desk`: the page on this machine, and the browser that shows it.

use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::Result;
use clap::Args;
use schemars::JsonSchema;
use serde::Serialize;

use crate::api::without_secrets;
use crate::app::{self, App, Exit};
use crate::config::Config;
use crate::desk::{Entry, Options, serve};

use super::console::{listen_for_signals, note, print};
use super::document::{Kind, print_line};
use super::global::{Format, Global};
use super::settings::overrides;

/// How to serve the desk.
#[derive(Debug, Args)]
pub(super) struct Desk {
    /// The port on 127.0.0.1; 0 takes that of the last time while it is free, else any free one
    #[arg(long, default_value_t = 0)]
    pub(super) port: u16,
    /// Do not open the browser; with --format json it is not opened either
    #[arg(long)]
    pub(super) no_open: bool,
}

/// The document of `desk`: one such object on a line, once it listens.
#[derive(Serialize, JsonSchema)]
#[schemars(title = "The desk")]
pub(super) struct Document<'a> {
    /// The address that opens the desk in one browser, once.
    url: &'a str,
}

/// Serves until Ctrl-C, SIGTERM or the end of its terminal.
pub(super) fn desk(global: &Global, arguments: &Desk) -> Result<Exit> {
    let overrides = overrides(global);
    let app = App::open(Config::open(overrides.clone()).map_err(app::Error::from)?);
    app.refuse_outdated()?;
    let stop = listen_for_signals()?;
    let (is_json, is_opened) = (global.format == Format::Json, !arguments.no_open && global.format == Format::Human);
    let options = Options { port: arguments.port, overrides, wants_page: is_opened };
    let mut unsaid = Ok(());
    let listening = |Entry { url, page }: &Entry| {
        unsaid =
            if is_json { print_line(Kind::Desk, &Document { url }) } else { print(format!("open {url}\n").as_bytes()) };
        if is_opened && !page.as_deref().is_some_and(opened) {
            note("no browser could be opened: copy this address into one");
        }
        note("the address works once; Ctrl-C closes the desk");
    };
    serve(app, &options, &stop, listening).map_err(app::Error::from)?;
    unsaid?;
    Ok(Exit::Done)
}

/// Opens a page in the user's browser, which goes on by itself.
fn opened(page: &Path) -> bool {
    let (program, arguments): (&str, &[&str]) = match std::env::consts::OS {
        "macos" => ("open", &[]),
        "windows" => ("rundll32", &["url.dll,FileProtocolHandler"]),
        _ => ("xdg-open", &[]),
    };
    let quiet = || Stdio::null();
    let mut command = Command::new(program);
    without_secrets(&mut command);
    command.args(arguments).arg(page).stdin(quiet()).stdout(quiet()).stderr(quiet()).spawn().is_ok()
}
