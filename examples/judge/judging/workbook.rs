//! Workbooks from a description that a person can read.
//!
//! A line is a row, its cells parted by `|`; a line that begins with `#` says something to people. Words in brackets before
//! the first cell say how the row looks: `[hidden]`, `[struck]`, `[yellow]`, `[red]`, `[green]`, `[grey]`. A cell is text,
//! unless its format stands behind it in braces, as spreadsheets write it: `500 {0 "g"}` is the number 500, shown as 500 g,
//! and `500 {}` is the number alone. A cell `^` is merged with the one above it. A line `=== NAME` begins another worksheet.

use std::path::Path;

use anyhow::{Context, Result, bail};
use rust_xlsxwriter::{Color, Format, Workbook, Worksheet};

/// Writes the workbook that a description means.
pub(crate) fn write(description: &str, to: &Path) -> Result<()> {
    let mut workbook = Workbook::new();
    let mut sheet = workbook.add_worksheet().set_name("Orders")?;
    let (mut row, mut above) = (0, "");
    for line in description.lines().filter(|line| !line.starts_with('#')) {
        if let Some(name) = line.strip_prefix("=== ") {
            sheet = workbook.add_worksheet().set_name(name)?;
            row = 0;
            continue;
        }
        write_row(sheet, row, line).with_context(|| format!("\"{line}\""))?;
        for (column, (cell, upper)) in (0_u16..).zip(line.split('|').zip(above.split('|'))) {
            if cell.trim() == "^" {
                sheet.merge_range(row - 1, column, row, column, "", &Format::new())?;
                write_cell(sheet, (row - 1, column), upper.trim(), &Format::new())?;
            }
        }
        above = line;
        row += 1;
    }
    Ok(workbook.save(to)?)
}

fn write_row(sheet: &mut Worksheet, row: u32, line: &str) -> Result<()> {
    let (mut look, mut rest) = (Format::new(), line.trim_start());
    while let Some((word, behind)) = rest.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        look = match word {
            "hidden" => {
                sheet.set_row_hidden(row)?;
                look
            }
            "struck" => look.set_font_strikethrough(),
            "yellow" => look.set_background_color(Color::Yellow),
            "red" => look.set_background_color(Color::Red),
            "green" => look.set_background_color(Color::Green),
            "grey" => look.set_background_color(Color::Gray),
            _ => bail!("no row looks [{word}]"),
        };
        rest = behind.trim_start();
    }
    for (column, cell) in (0_u16..).zip(rest.split('|').map(str::trim)) {
        write_cell(sheet, (row, column), cell, &look)?;
    }
    Ok(())
}

fn write_cell(sheet: &mut Worksheet, (row, column): (u32, u16), cell: &str, look: &Format) -> Result<()> {
    match cell.strip_suffix('}').and_then(|cell| cell.split_once('{')) {
        Some((number, format)) => {
            let number: f64 = number.trim().parse().with_context(|| format!("\"{cell}\" is no number"))?;
            let shown = if format.is_empty() { look.clone() } else { look.clone().set_num_format(format) };
            sheet.write_number_with_format(row, column, number, &shown)?;
        }
        None if cell.is_empty() || cell == "^" => drop(sheet.write_blank(row, column, look)?),
        None => drop(sheet.write_string_with_format(row, column, cell, look)?),
    }
    Ok(())
}
