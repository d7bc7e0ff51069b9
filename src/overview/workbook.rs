//! A report as a workbook: what is in short on the first worksheet, and each table on its own, with figures that add up.

use rust_xlsxwriter::{Color, Format, Workbook, Worksheet, XlsxError};

use crate::origin::guarded;
use crate::text::Decimal;

use super::layout::{Block, Cell, Layout, Table};

/// What a cell can hold.
const CHARACTERS_MAX: usize = 32_767;
/// How wide columns are: of figures, of texts.
const WIDTHS: (f64, f64) = (14.0, 32.0);

/// The whole report.
pub(super) fn bytes(layout: &Layout) -> Result<Vec<u8>, XlsxError> {
    let mut workbook = Workbook::new();
    in_short(workbook.add_worksheet(), layout)?;
    for block in layout.sections.iter().flat_map(|section| &section.blocks) {
        if let Block::Table(own) = block {
            table(workbook.add_worksheet(), own)?;
        }
    }
    workbook.save_to_buffer()
}

/// Everything that is no table, from top to bottom.
fn in_short(sheet: &mut Worksheet, layout: &Layout) -> Result<(), XlsxError> {
    let bold = Format::new().set_bold();
    let plain = Format::new();
    sheet.set_name("Report")?.set_column_width(0, 44)?.set_column_width(1, 24)?;
    let mut row = 0;
    let mut line = |cells: &[&str], format: &Format| -> Result<(), XlsxError> {
        for (column, text) in (0_u16..).zip(cells) {
            write_text(sheet, row, column, text, format)?;
        }
        row += 1;
        Ok(())
    };
    line(&[&layout.title], &bold)?;
    for about in &layout.about {
        line(&[about], &plain)?;
    }
    for section in &layout.sections {
        line(&[], &plain)?;
        line(&[&section.heading], &bold)?;
        for block in &section.blocks {
            match block {
                Block::Note(_, text) => line(&[text], &plain)?,
                Block::Text(text) => line(&[&text.replace('`', "")], &plain)?,
                Block::Figures(figures) => {
                    for figure in figures {
                        line(&[&figure.what, &figure.amount], &plain)?;
                    }
                }
                Block::Chart(chart) => line(&[&chart.title, &chart.alternative], &plain)?,
                Block::Table(table) => line(&["See the worksheet", &table.name], &plain)?,
            }
        }
    }
    Ok(())
}

fn table(sheet: &mut Worksheet, table: &Table) -> Result<(), XlsxError> {
    let head = Format::new().set_bold().set_background_color(Color::RGB(0x00DD_DDDD));
    sheet.set_name(&table.name)?.set_freeze_panes(1, 0)?;
    for (column, name) in (0_u16..).zip(&table.columns) {
        let is_text = table.rows.iter().any(|row| row.get(usize::from(column)).is_some_and(|cell| !cell.is_number()));
        sheet.set_column_width(column, if is_text { WIDTHS.1 } else { WIDTHS.0 })?;
        write_text(sheet, 0, column, name, &head)?;
    }
    for (row, cells) in (1..).zip(&table.rows) {
        write_row(sheet, row, cells, &Format::new())?;
    }
    let below = u32::try_from(table.rows.len()).unwrap_or(u32::MAX).saturating_add(1);
    if let Some(total) = &table.total {
        write_row(sheet, below, total, &Format::new().set_bold())?;
    }
    if let Some(text) = &table.below {
        write_text(sheet, below.saturating_add(2), 0, text, &Format::new())?;
    }
    Ok(())
}

fn write_row(sheet: &mut Worksheet, row: u32, cells: &[Cell], style: &Format) -> Result<(), XlsxError> {
    for (column, cell) in (0_u16..).zip(cells) {
        match cell {
            Cell::Text(text) => write_text(sheet, row, column, text, &style.clone().set_num_format("@"))?,
            Cell::Number(number) => {
                let style = style.clone().set_num_format("#,##0");
                sheet.write_number_with_format(
                    row,
                    column,
                    Decimal::from(*number).to_f64().unwrap_or_default(),
                    &style,
                )?;
            }
            // A cell holds a float, which has every paisa of any sum below a hundred thousand crores.
            Cell::Money(amount, currency) | Cell::Change(amount, currency) => {
                let form = match currency.as_str() {
                    "INR" => "[$₹-4009]#,##0.00".to_owned(),
                    "" => "#,##0.##".to_owned(),
                    other => format!("\"{}\" #,##0.00", other.replace('"', "")),
                };
                let style = style.clone().set_num_format(form);
                sheet.write_number_with_format(row, column, amount.to_f64().unwrap_or_default(), &style)?;
            }
        }
    }
    Ok(())
}

/// Writes a text that runs no formula, whatever stands in it.
fn write_text(sheet: &mut Worksheet, row: u32, column: u16, text: &str, style: &Format) -> Result<(), XlsxError> {
    let text: String = guarded(text, true).chars().take(CHARACTERS_MAX).collect();
    sheet.write_string_with_format(row, column, text, style).map(drop)
}
