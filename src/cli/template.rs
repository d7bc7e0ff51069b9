//! `template`: a starter sheet, made from the table of fields, or a starter configuration.

use std::io::{ErrorKind, Write};
use std::path::Path;

use anyhow::{Context, Result, bail};
use rust_xlsxwriter::{DataValidation, Format, Note, Workbook};
use schemars::JsonSchema;
use serde::Serialize;

use crate::config::STARTER;
use crate::field::{EXAMPLE_LINES, FIELDS, Field, Id, Kind, Need, Version};
use crate::text::count;

use super::Usage;
use super::console::note;
use super::document::{self, print_document};
use super::global::{Format as Output, Global};
use crate::app::Exit;
use crate::app::create_private;

/// Rows that get text format and drop-downs.
const PREPARED_ROWS: u32 = 5_000;

/// The document of `template`.
#[derive(Serialize, JsonSchema)]
#[schemars(title = "A starter file")]
pub(super) struct Document {
    /// The file that was made.
    file: String,
    exit: Exit,
}

/// Writes the starter sheet or configuration.
pub(super) fn template(global: &Global, path: &Path) -> Result<Exit> {
    let extension = path.extension().map(|extension| extension.to_string_lossy().to_lowercase());
    let shown = path.display();
    let columns = count(columns().count() as u64, "column");
    let ready = format!(
        "{shown} is ready: {columns}, and an example in two lines, which is never sent. Write over it, then try it: \
         shipsheet import {shown} --sandbox"
    );
    let (bytes, ready) = match extension.as_deref() {
        Some("xlsx") => (workbook()?, ready),
        Some("csv") => (csv(), ready),
        Some("toml") => (
            STARTER.as_bytes().to_owned(),
            format!("{shown} is ready: every setting with its default. It holds no secret; keep it that way"),
        ),
        _ => bail!(Usage(format!("{shown}: the name must end in .xlsx, .csv or .toml"))),
    };
    write_new(path, &bytes)?;
    note(ready);
    if global.format == Output::Json {
        let document = Document { file: shown.to_string(), exit: Exit::Done };
        print_document(document::Kind::Template, &document)?;
    }
    Ok(Exit::Done)
}

/// Makes a file that is not there yet.
fn write_new(path: &Path, bytes: &[u8]) -> Result<()> {
    let shown = path.display();
    let mut file = match create_private(path) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            bail!("{shown} is there already and is not overwritten: give another name, or move it away first")
        }
        opened => opened.with_context(|| format!("cannot make {shown}"))?,
    };
    file.write_all(bytes).with_context(|| format!("cannot write {shown}"))
}

/// The columns of a version 2 request.
fn columns() -> impl Iterator<Item = &'static Field> {
    FIELDS.iter().filter(|field| field.need(Version::V2) != Need::Absent && field.id != Id::SubTotal)
}

fn csv() -> Vec<u8> {
    let quoted = |text: &str| {
        if text.contains([',', '"']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_owned() }
    };
    let mut lines = vec![columns().map(|field| quoted(field.header)).collect::<Vec<_>>().join(",")];
    for line in 0..EXAMPLE_LINES {
        lines.push(columns().map(|field| quoted(field.example_on(line))).collect::<Vec<_>>().join(","));
    }
    // Spreadsheet programs take a CSV file for their own old encoding unless a mark says otherwise.
    format!("\u{feff}{}\r\n", lines.join("\r\n")).into_bytes()
}

fn workbook() -> Result<Vec<u8>> {
    let mut workbook = Workbook::new();
    let sheet = workbook.add_worksheet();
    sheet.set_name("Orders")?;
    sheet.set_freeze_panes(1, 1)?;
    let required = Format::new().set_bold().set_background_color("#FFE699");
    let optional = Format::new().set_bold();
    let text = Format::new().set_num_format("@");
    for (column, field) in (0_u16..).zip(columns()) {
        let needed = field.need(Version::V2) == Need::Required;
        sheet.write_string_with_format(0, column, field.header, if needed { &required } else { &optional })?;
        let need = if needed { "Required." } else { "Optional." };
        let tip =
            format!("{}. {need}\nAccepted: {}.\nExample: {}", field.meaning, field.kind.accepted(), field.example);
        sheet.insert_note(0, column, &Note::new(tip).set_width(260).set_height(110).add_author_prefix(false))?;
        sheet.set_column_width(column, 16)?;
        // Every column is text: a spreadsheet then keeps zeros, long numbers and dates as they are typed.
        sheet.set_column_format(column, &text)?;
        for (row, line) in (1_u32..).zip(0..EXAMPLE_LINES) {
            let value = field.example_on(line);
            if !value.is_empty() {
                sheet.write_string_with_format(row, column, value, &text)?;
            }
        }
        if let Some(choices) = choices(field.kind) {
            let rule = DataValidation::new().allow_list_strings(choices)?;
            sheet.add_data_validation(1, column, PREPARED_ROWS, column, &rule)?;
        }
    }
    Ok(workbook.save_to_buffer()?)
}

/// The values of a closed set.
fn choices(kind: Kind) -> Option<&'static [&'static str]> {
    match kind {
        Kind::Payment => Some(&["PREPAID", "COD"]),
        Kind::Flag => Some(&["yes", "no"]),
        Kind::LengthUnit => Some(&["cm", "mm", "m", "in", "ft"]),
        Kind::WeightUnit => Some(&["kg", "g", "lb", "oz"]),
        _ => None,
    }
}
