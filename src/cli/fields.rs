//! `fields`: the field reference, from the one table.

use std::io::Write;

use anyhow::Result;
use serde::Serialize;
use serde_json::json;

use crate::field::{FIELDS, Field, Level, Version};

use super::console::print;
use super::document::{Kind, print_document};
use super::global::Format;
use crate::app::Exit;
use crate::words::Headers;

#[derive(Serialize)]
struct Entry {
    path: &'static str,
    header: &'static str,
    aliases: Vec<&'static str>,
    level: &'static str,
    accepted: &'static str,
    v1: &'static str,
    v2: &'static str,
    example: &'static str,
    meaning: &'static str,
}

fn entry(field: &Field) -> Entry {
    Entry {
        path: field.path,
        header: field.header,
        aliases: Headers::built_in().names(field.path).collect(),
        level: match field.level {
            Level::Order => "order",
            Level::Line => "line",
        },
        accepted: field.kind.accepted(),
        v1: field.need(Version::V1).as_str(),
        v2: field.need(Version::V2).as_str(),
        example: field.example,
        meaning: field.meaning,
    }
}

/// Prints the reference.
pub(super) fn fields(format: Format) -> Result<Exit> {
    let entries: Vec<Entry> = FIELDS.iter().map(entry).collect();
    if format == Format::Json {
        print_document(Kind::Fields, &json!({"fields": entries, "exit": Exit::Done.code()}))?;
        return Ok(Exit::Done);
    }
    let mut text = Vec::new();
    for entry in &entries {
        writeln!(text, "{}", entry.path)?;
        writeln!(text, "    {}. Accepted: {}. Example: {}", entry.meaning, entry.accepted, entry.example)?;
        writeln!(text, "    {} level; v2 {}, v1 {}", entry.level, entry.v2, entry.v1)?;
        let mut headers = vec![entry.header];
        headers.extend(&entry.aliases);
        writeln!(text, "    headers: {}", headers.join(", "))?;
    }
    print(&text)?;
    Ok(Exit::Done)
}
