//! `fields`: the field reference, from the one table.

use std::io::Write;

use anyhow::Result;
use schemars::JsonSchema;
use serde::Serialize;

use crate::field::{FIELDS, Field, Level, Need, Version};

use super::console::print;
use super::document::{Kind, print_document};
use super::global::Format;
use crate::app::Exit;
use crate::words::Headers;

/// The document of `fields`.
#[derive(Serialize, JsonSchema)]
#[schemars(title = "The reference of fields")]
pub(super) struct Document {
    /// Every field.
    fields: Vec<Entry>,
    exit: Exit,
}

/// One field.
#[derive(Serialize, JsonSchema)]
struct Entry {
    /// Its path in the request.
    path: &'static str,
    /// Its header in the starter sheet.
    header: &'static str,
    /// Other headers that it is known by.
    aliases: Vec<&'static str>,
    /// Whether an order has it once, or each of its lines.
    level: Level,
    /// The values that are accepted, in English.
    accepted: &'static str,
    /// Whether version 1 of the request needs it; `-` where it does not have it.
    v1: Need,
    /// The same for version 2.
    v2: Need,
    /// A value.
    example: &'static str,
    /// Its meaning, in English.
    meaning: &'static str,
}

fn entry(field: &Field) -> Entry {
    Entry {
        path: field.path,
        header: field.header,
        aliases: Headers::built_in().names(field.path).collect(),
        level: field.level,
        accepted: field.kind.accepted(),
        v1: field.need(Version::V1),
        v2: field.need(Version::V2),
        example: field.example,
        meaning: field.meaning,
    }
}

/// Prints the reference.
pub(super) fn fields(format: Format) -> Result<Exit> {
    let entries: Vec<Entry> = FIELDS.iter().map(entry).collect();
    if format == Format::Json {
        print_document(Kind::Fields, &Document { fields: entries, exit: Exit::Done })?;
        return Ok(Exit::Done);
    }
    let mut text = Vec::new();
    for entry in &entries {
        writeln!(text, "{}", entry.path)?;
        writeln!(text, "    {}. Accepted: {}. Example: {}", entry.meaning, entry.accepted, entry.example)?;
        writeln!(text, "    {} level; v2 {}, v1 {}", entry.level.as_str(), entry.v2.as_str(), entry.v1.as_str())?;
        let mut headers = vec![entry.header];
        headers.extend(&entry.aliases);
        writeln!(text, "    headers: {}", headers.join(", "))?;
    }
    print(&text)?;
    Ok(Exit::Done)
}
