//! Arguments of the commands that use the service beside booking.

use std::path::PathBuf;

use clap::Args;

#[derive(Debug, Args)]
pub(super) struct Call {
    /// The operation; `shipsheet operations` lists them
    #[arg(value_name = "NAME")]
    pub(super) name: String,
    /// A parameter of its path or query; may be repeated
    #[arg(long, value_name = "NAME=VALUE", value_parser = parameter)]
    pub(super) param: Vec<(String, String)>,
    /// The JSON body; `-` is standard input
    #[arg(long, value_name = "FILE")]
    pub(super) body: Option<PathBuf>,
    /// Do not ask before calling what changes something
    #[arg(long, short)]
    pub(super) yes: bool,
}

fn parameter(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() => Ok((name.trim().to_owned(), value.to_owned())),
        _ => Err("write NAME=VALUE, for instance orderId=123".to_owned()),
    }
}
