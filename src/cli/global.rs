//! Options that every command takes.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// Options that every command takes, before or after its name.
#[derive(Debug, Args)]
#[expect(clippy::doc_markdown, reason = "these comments are the help texts, which have no markup")]
#[command(next_help_heading = "Options of every command")]
pub(super) struct Global {
    /// The configuration file [default: shipsheet.toml here, else in the user's configuration folder] [env: SHIPSHEET_CONFIG]
    #[arg(long, global = true, value_name = "FILE")]
    pub(super) config: Option<PathBuf>,
    /// The ledger [default: in the user's data folder; the sandbox has its own] [env: SHIPSHEET_LEDGER]
    #[arg(long, global = true, value_name = "FILE")]
    pub(super) ledger: Option<PathBuf>,
    /// The shipping service's address [env: SHIPSHEET_BASE_URL]
    #[arg(long, global = true, value_name = "URL")]
    pub(super) base_url: Option<String>,
    /// Use the built-in stand-in service and its own ledger: no account, no network, no money
    #[arg(long, global = true)]
    pub(super) sandbox: bool,
    /// Say more: a line for each order
    #[arg(long, short, global = true, conflicts_with = "quiet")]
    pub(super) verbose: bool,
    /// Say less: no progress, no summary
    #[arg(long, short, global = true)]
    pub(super) quiet: bool,
    /// What standard output carries
    #[arg(long, global = true, value_enum, default_value_t = Format::Human)]
    pub(super) format: Format,
}

/// What standard output carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// Text for people
    Human,
    /// One JSON document; of `desk`, `sandbox`, `service webhook listen` and `watch` without `--once`, one JSON object on each line
    Json,
}

/// How much is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verbosity {
    Quiet,
    Normal,
    Verbose,
}
