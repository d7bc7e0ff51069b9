//! A report as Markdown, which is read as well as it stands.

use crate::text::visible;

use super::layout::{Block, Cell, Figure, Layout, Table};

/// The whole report.
pub(super) fn text(layout: &Layout) -> String {
    let about = layout.about.iter().map(|about| format!("\n{}\n", line(about)));
    let sections = layout.sections.iter().map(|section| {
        let blocks = section.blocks.iter().map(|block| format!("\n{}", of_block(block, section.has_tables())));
        format!("\n## {}\n{}", line(&section.heading), blocks.collect::<Vec<_>>().concat())
    });
    let title = format!("# {}\n", line(&layout.title));
    std::iter::once(title).chain(about).chain(sections).collect::<Vec<_>>().concat()
}

fn of_block(block: &Block, is_named: bool) -> String {
    match block {
        Block::Note(_, note) => format!("**{}**\n", line(note)),
        Block::Text(text) => {
            let part = |(n, part): (usize, &str)| if n % 2 == 0 { line(part) } else { format!("`{}`", visible(part)) };
            text.split('`').enumerate().map(part).chain(["\n".to_owned()]).collect::<Vec<_>>().concat()
        }
        Block::Figures(figures) => {
            let figure = |own: &Figure| format!("- {}: {}\n", line(&own.what), line(&own.amount));
            figures.iter().map(figure).collect::<Vec<_>>().concat()
        }
        // What a picture shows, in words.
        Block::Chart(chart) => format!("{}: {}\n", line(&chart.title), line(&chart.alternative)),
        Block::Table(own) => table(own, is_named),
    }
}

fn table(table: &Table, is_named: bool) -> String {
    let row = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let shown = |cells: &Vec<Cell>| row(cells.iter().map(|cell| line(&cell.shown())).collect());
    let rule = (0..table.columns.len()).map(|column| {
        let is_number = table.rows.iter().all(|row| row.get(column).is_some_and(Cell::is_number));
        if is_number { "---:" } else { "---" }.to_owned()
    });
    let name = if is_named { format!("{}:\n\n", line(&table.name)) } else { String::new() };
    let head = row(table.columns.iter().map(|name| line(name)).collect());
    let rows: Vec<String> = table.rows.iter().chain(&table.total).map(shown).collect();
    let below = table.below.as_ref().map(|below| format!("\n{}\n", line(below))).unwrap_or_default();
    [name, head, row(rule.collect()), rows.concat(), below].concat()
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
