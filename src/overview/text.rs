//! A report as text for a terminal.

use std::fmt::Write;

use crate::text::visible;

use super::layout::{Block, Cell, Figure, Layout, Table};

/// Characters to which a column is padded at most.
const WIDTH_MAX: usize = 40;

/// The whole report.
pub(super) fn text(layout: &Layout) -> String {
    let about = layout.about.iter().map(|about| format!("{}\n", line(about)));
    let sections = layout.sections.iter().map(|section| {
        let blocks = section.blocks.iter().map(|block| format!("\n{}", of_block(block, section.has_tables())));
        let heading = line(&section.heading);
        format!("\n{heading}\n{}\n{}", "-".repeat(heading.chars().count()), blocks.collect::<Vec<_>>().concat())
    });
    let title = format!("{}\n", line(&layout.title));
    std::iter::once(title).chain(about).chain(sections).collect::<Vec<_>>().concat()
}

fn of_block(block: &Block, is_named: bool) -> String {
    match block {
        Block::Note(_, text) | Block::Text(text) => format!("{}\n", line(text)),
        Block::Figures(figures) => {
            let figure = |own: &Figure| format!("  {}: {}\n", line(&own.what), line(&own.amount));
            figures.iter().map(figure).collect::<Vec<_>>().concat()
        }
        // What a picture shows, in words.
        Block::Chart(chart) => format!("{}: {}\n", line(&chart.title), line(&chart.alternative)),
        Block::Table(own) => table(own, is_named),
    }
}

fn table(table: &Table, is_named: bool) -> String {
    let head: Vec<String> = table.columns.iter().map(|name| line(name)).collect();
    let shown = |cells: &Vec<Cell>| cells.iter().map(|cell| line(&cell.shown())).collect();
    let rows: Vec<Vec<String>> = table.rows.iter().chain(&table.total).map(shown).collect();
    let width = |column: usize| {
        let cells = rows.iter().chain([&head]).filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0).min(WIDTH_MAX)
    };
    let widths: Vec<usize> = (0..head.len()).map(width).collect();
    let is_number = |column: usize| table.rows.iter().all(|row| row.get(column).is_some_and(Cell::is_number));
    let mut text = if is_named { format!("{}:\n", line(&table.name)) } else { String::new() };
    for row in [&head].into_iter().chain(&rows) {
        let mut padded = String::new();
        for (column, (cell, &width)) in row.iter().zip(&widths).enumerate() {
            // Writing into text cannot fail.
            let _ =
                if is_number(column) { write!(padded, "  {cell:>width$}") } else { write!(padded, "  {cell:<width$}") };
        }
        text.push_str(padded.trim_end());
        text.push('\n');
    }
    if let Some(below) = &table.below {
        let _ = writeln!(text, "{}", line(below));
    }
    text
}

/// A text on one line, with nothing hidden in it.
fn line(text: &str) -> String {
    visible(text).replace(['\n', '\r', '\t'], " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_stand_below_each_other_and_numbers_at_the_right() {
        let own = Table {
            name: "By carrier".to_owned(),
            columns: vec!["Carrier".to_owned(), "Orders".to_owned()],
            rows: vec![vec![Cell::text("Delhivery"), Cell::Number(12)], vec![Cell::text("a\nb"), Cell::Number(3)]],
            total: None,
            below: Some("Two carriers.".to_owned()),
        };
        assert_eq!(
            table(&own, false),
            "  Carrier    Orders\n  Delhivery      12\n  a b             3\nTwo carriers.\n"
        );
    }
}
