//! What stands on a report, in order: the one thing that its page, its text and its workbook are made of.

pub(super) use crate::text::in_currency as money;
use crate::text::{Decimal, indian};

/// A whole report.
#[derive(Debug)]
pub(super) struct Layout {
    /// Its title.
    pub(super) title: String,
    /// What it is about, below the title.
    pub(super) about: Vec<String>,
    /// Its sections.
    pub(super) sections: Vec<Section>,
}

/// A section with its heading.
#[derive(Debug)]
pub(super) struct Section {
    pub(super) heading: String,
    pub(super) blocks: Vec<Block>,
}

impl Section {
    /// Whether each table needs its name beside the heading.
    pub(super) fn has_tables(&self) -> bool {
        self.blocks.iter().filter(|block| matches!(block, Block::Table(_))).count() > 1
    }
}

/// One thing of a section.
#[derive(Debug)]
pub(super) enum Block {
    /// What should be seen first.
    Note(Tone, String),
    /// A paragraph in our own words; commands stand between backticks.
    Text(String),
    Figures(Vec<Figure>),
    Chart(Chart),
    Table(Table),
}

/// What a note or a figure is like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tone {
    Plain,
    Good,
    Warn,
    Bad,
}

impl Tone {
    /// The class of the page's style.
    pub(super) const fn class(self) -> &'static str {
        match self {
            Self::Plain => "soft",
            Self::Good => "good",
            Self::Warn => "warn",
            Self::Bad => "bad",
        }
    }
}

/// A figure with what it counts.
#[derive(Debug)]
pub(super) struct Figure {
    pub(super) what: String,
    pub(super) amount: String,
    pub(super) tone: Tone,
}

/// A table.
#[derive(Debug)]
pub(super) struct Table {
    /// What it is called; in a workbook, its worksheet.
    pub(super) name: String,
    pub(super) columns: Vec<String>,
    pub(super) rows: Vec<Vec<Cell>>,
    /// The last row, where the others add up to it.
    pub(super) total: Option<Vec<Cell>>,
    /// What is said below it.
    pub(super) below: Option<String>,
}

/// A cell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Cell {
    Text(String),
    Number(u64),
    /// An amount with its currency, or without one.
    Money(Decimal, String),
    /// A difference, with the currency of an amount.
    Change(Decimal, String),
}

impl Cell {
    pub(super) fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    /// As people read it.
    pub(super) fn shown(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Number(number) => indian(&number.to_string()),
            Self::Change(amount, currency) if *amount > Decimal::ZERO => format!("+{}", money(*amount, currency)),
            Self::Money(amount, currency) | Self::Change(amount, currency) => money(*amount, currency),
        }
    }

    /// Whether it stands at the right.
    pub(super) const fn is_number(&self) -> bool {
        !matches!(self, Self::Text(_))
    }
}

/// A picture of figures.
#[derive(Debug)]
pub(super) struct Chart {
    pub(super) title: String,
    /// The same in words.
    pub(super) alternative: String,
    pub(super) shape: Shape,
    pub(super) labels: Vec<String>,
    pub(super) series: Vec<Series>,
}

/// How figures are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// Upright bars, series on top of each other.
    Bars,
    /// A line through time.
    Line,
    /// Bars that lie, each with its name.
    Ranked,
}

/// Figures of one kind.
#[derive(Debug)]
pub(super) struct Series {
    pub(super) name: &'static str,
    /// The class of the page's style.
    pub(super) class: &'static str,
    pub(super) values: Vec<u64>,
}
