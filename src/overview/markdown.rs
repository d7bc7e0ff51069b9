//! A report as Markdown, which is read as well as it stands.

use crate::text::visible;

use super::layout::{Block, Cell, Layout, Table};

/// The whole report.
pub(super) fn text(layout: &Layout) -> String {
    let mut text = format!("# {}\n", line(&layout.title));
    for about in &layout.about {
        text.push_str(&format!("\n{}\n", line(about)));
    }
    for section in &layout.sections {
        text.push_str(&format!("\n## {}\n", line(&section.heading)));
        for block in &section.blocks {
            text.push('\n');
            text.push_str(&of_block(block, section.has_tables()));
        }
    }
    text
}

fn of_block(block: &Block, is_named: bool) -> String {
    match block {
        Block::Note(_, note) => format!("**{}**\n", line(note)),
        Block::Text(text) => {
            let part = |(n, part): (usize, &str)| if n % 2 == 0 { line(part) } else { format!("`{}`", visible(part)) };
            format!("{}\n", text.split('`').enumerate().map(part).collect::<String>())
        }
        Block::Figures(figures) => {
            figures.iter().map(|own| format!("- {}: {}\n", line(&own.what), line(&own.amount))).collect()
        }
        // What a picture shows, in words.
        Block::Chart(chart) => format!("{}: {}\n", line(&chart.title), line(&chart.alternative)),
        Block::Table(own) => table(own, is_named),
    }
}

fn table(table: &Table, is_named: bool) -> String {
    let row = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let shown = |cells: &[Cell]| row(cells.iter().map(|cell| line(&cell.shown())).collect());
    let rule = (0..table.columns.len()).map(|column| {
        let is_number = table.rows.iter().all(|row| row.get(column).is_some_and(Cell::is_number));
        if is_number { "---:" } else { "---" }.to_owned()
    });
    let mut text = if is_named { format!("{}:\n\n", line(&table.name)) } else { String::new() };
    text.push_str(&row(table.columns.iter().map(|name| line(name)).collect()));
    text.push_str(&row(rule.collect()));
    for cells in table.rows.iter().chain(&table.total) {
        text.push_str(&shown(cells));
    }
    if let Some(below) = &table.below {
        text.push_str(&format!("\n{}\n", line(below)));
    }
    text
}

/// A text that means itself: on one line, and with nothing in it that Markdown or HTML obeys.
fn line(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in visible(text).chars() {
        match c {
            '\n' | '\r' | '\t' => shown.push(' '),
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '#' | '~' => shown.extend(['\\', c]),
            '&' => shown.push_str("&amp;"),
            '<' => shown.push_str("&lt;"),
            '>' => shown.push_str("&gt;"),
            other => shown.push(other),
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_breaks_out_of_its_cell() {
        assert_eq!(line("a|b\n<img src=x> *c* &amp; [d](e)"), r"a\|b &lt;img src=x&gt; \*c\* &amp;amp; \[d\](e)");
    }
}
