//! `operations`: the table of the service's operations.

use std::io::Write;

use anyhow::Result;
use serde_json::json;

use crate::api::operation::NDR;

use super::console::print;
use super::document::{Kind, print_document};
use super::global::Format;
use super::settings::Settings;
use crate::app::Exit;

pub(super) fn operations(settings: &Settings) -> Result<Exit> {
    let operations = settings.operations()?;
    if settings.format == Format::Json {
        let list: Vec<_> = operations
            .iter()
            .map(|entry| {
                json!({"name": entry.operation.name, "about": entry.operation.about, "method": entry.method.as_str(),
                    "path": entry.path, "standing": entry.operation.standing.as_str(), "configured": entry.configured,
                    "fields": entry.pointers()})
            })
            .collect();
        print_document(Kind::Operations, &json!({"operations": list, "exit": Exit::Done.code()}))?;
        return Ok(Exit::Done);
    }
    let mut text = Vec::new();
    for entry in operations.iter() {
        let standing = if entry.configured { "configured" } else { entry.operation.standing.as_str() };
        let path = entry.path.as_deref().unwrap_or("(not known)");
        writeln!(text, "{:<20} {standing:<11} {:<6} {path}", entry.operation.name, entry.method.as_str())?;
        writeln!(text, "    {}", entry.operation.about)?;
    }
    writeln!(
        text,
        "\ndocumented: by the service's contract; vendor: by its public reference; seen: in public integrations, a \
         working default; unknown: only by configuration.\nTo change or set one, in shipsheet.toml:\n  \
         [operations.ndr]\n  method = \"PUT\"\n  path = \"{}\"",
        NDR.example
    )?;
    print(&text)?;
    Ok(Exit::Done)
}
