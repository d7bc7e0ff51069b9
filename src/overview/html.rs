//! A report as a page: a whole one, or within another.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::text::visible;

use super::charts::chart;
use super::layout::{Block, Cell, Figure, Layout, Table, Tone};

/// What a browser may fetch for the page: nothing.
const NOTHING_FROM_ANYWHERE: &str = "default-src 'none'; style-src 'unsafe-inline'";

/// The desk's own style, so that both look alike.
const OF_THE_DESK: &str = include_str!("../desk/assets/desk.css");

/// The style of pictures and of paper, beside that of the desk's pages.
pub const STYLE: &str = include_str!("report.css");

/// Rows of a table that stays on one sheet of paper.
const BRIEF: usize = 12;

/// Characters of a cell that stand on one line: a time, an order number, a row.
const SHORT: usize = 20;

/// A page that needs nothing else.
pub(super) fn page(layout: &Layout) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en-IN" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(NOTHING_FROM_ANYWHERE);
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta name="robots" content="noindex";
                title { (visible(&layout.title)) }
                style { (PreEscaped(OF_THE_DESK)) (PreEscaped(STYLE)) }
            }
            body.paper { main { (part(layout)) } }
        }
    }
}

/// The sections of a report, below its title.
pub(super) fn part(layout: &Layout) -> Markup {
    let mut first = true;
    html! {
        @for section in &layout.sections {
            @let is_first = std::mem::take(&mut first);
            section.report {
                @if is_first {
                    h1 { (visible(&layout.title)) }
                    @for line in &layout.about { p.soft { (visible(line)) } }
                } @else {
                    h2 { (visible(&section.heading)) }
                }
                @for block in &section.blocks { (of_block(block, section.has_tables())) }
            }
        }
    }
}

fn of_block(block: &Block, is_named: bool) -> Markup {
    match block {
        Block::Note(tone, text) => note(*tone, text),
        Block::Text(text) => html! {
            p.text { @for (n, part) in text.split('`').enumerate() { @if n % 2 == 0 { (visible(part)) } @else { code { (visible(part)) } } } }
        },
        Block::Figures(figures) => html! { dl.figures { @for own in figures { (figure(own)) } } },
        Block::Chart(own) => chart(own),
        Block::Table(own) => table(own, is_named),
    }
}

fn note(tone: Tone, text: &str) -> Markup {
    let word = match tone {
        Tone::Plain | Tone::Warn => "Note",
        Tone::Good => "Good",
        Tone::Bad => "Problem",
    };
    html! { div class={ "box " (tone.class()) } { span.unseen { (word) ": " } p { (visible(text)) } } }
}

fn figure(figure: &Figure) -> Markup {
    html! { div { dt { (figure.what) } dd class=(figure.tone.class()) { (visible(&figure.amount)) } } }
}

fn table(table: &Table, is_named: bool) -> Markup {
    // A column of figures stands at the right, with its head.
    let is_number = |column: usize| table.rows.iter().all(|row| row.get(column).is_some_and(Cell::is_number));
    let class = |column: usize| (!table.rows.is_empty() && is_number(column)).then_some("num");
    let row = |cells: &[Cell]| {
        html! {
            @for (column, cell) in cells.iter().enumerate() {
                @let shown = cell.shown();
                @let is_short = shown.chars().count() <= SHORT;
                td class=[class(column).or(is_short.then_some("short"))] data-name=[table.columns.get(column)] { (visible(&shown)) }
            }
        }
    };
    html! {
        table.cards.brief[table.rows.len() <= BRIEF] {
            caption class=[(!is_named).then_some("unseen")] { (table.name) }
            thead { tr { @for (column, name) in table.columns.iter().enumerate() { th scope="col" class=[class(column)] { (name) } } } }
            tbody { @for cells in &table.rows { tr { (row(cells)) } } }
            @if let Some(total) = &table.total { tfoot { tr { (row(total)) } } }
        }
        @if let Some(below) = &table.below { p.soft { (below) } }
    }
}
