//! Which worksheet is meant.

use crate::finding::sheet::notice;
use crate::finding::{Finding, Remedy};
use crate::origin::{Place, Source};
use crate::sheet::cell::{Cell, CellKind};
use crate::sheet::names::is_name;
use crate::sheet::{Options, SheetError};

/// So many filled rows show what a worksheet is.
const ROWS_MAX: usize = 30;

/// A table of orders has at least so many columns.
const COLUMNS_MIN: usize = 3;

/// A worksheet and what its first rows look like.
#[derive(Debug, Clone, Default)]
pub(super) struct Candidate {
    pub(super) name: String,
    visible: bool,
    /// Filled rows among the first ones; zero for hidden worksheets, which nobody looked into.
    rows: usize,
    /// Filled cells of the widest of them, and of the widest above the last of them.
    widest: usize,
    above: usize,
    /// The last of them, with its filled cells, and how many of these could name a column.
    last: u32,
    filled: usize,
    names: usize,
}

impl Candidate {
    pub(super) fn new(name: String, visible: bool) -> Self {
        Self { name, visible, ..Self::default() }
    }

    /// Looks at the next cell of its rows.
    pub(super) fn look(&mut self, row: u32, cell: Cell<'_>) {
        if cell.text.trim().is_empty() && cell.kind != CellKind::FormulaWithoutValue {
            return;
        }
        if row != self.last {
            if self.is_known() {
                return;
            }
            self.rows += 1;
            self.above = self.widest;
            (self.last, self.filled, self.names) = (row, 0, 0);
        }
        self.filled += 1;
        self.names += usize::from(is_name(cell));
        self.widest = self.widest.max(self.filled);
    }

    /// Whether more rows would show nothing new.
    pub(super) const fn is_known(&self) -> bool {
        self.rows >= ROWS_MAX
    }

    /// A header over rows, as opposed to a cover page.
    const fn is_table(&self) -> bool {
        self.rows >= 2 && self.widest >= COLUMNS_MIN && !self.is_header_alone()
    }

    /// The names of columns, below a title or not, and nothing below them.
    const fn is_header_alone(&self) -> bool {
        self.names == self.filled && self.filled >= COLUMNS_MIN && self.filled > self.above && !self.is_known()
    }
}

/// Chooses by name or number, else the only one that can be meant. Gives its index and what to say about the others.
pub(super) fn choose(
    file: &str,
    candidates: &[Candidate],
    options: &Options,
) -> Result<(usize, Vec<Finding>), SheetError> {
    let chosen = match options.worksheet.as_deref() {
        Some(wanted) => by_name(candidates, wanted).ok_or_else(|| SheetError::NoSuchWorksheet {
            file: file.to_owned(),
            name: wanted.to_owned(),
            available: names(candidates.iter()),
        })?,
        None => the_only(file, candidates)?,
    };
    let source = Source::worksheet(file, &candidates[chosen].name);
    let mut notices = Vec::new();
    let others = |visible: bool| {
        let list = candidates.iter().enumerate().filter(|(_, other)| !options.besides.contains(&other.name));
        list.filter(move |(index, other)| *index != chosen && other.visible == visible).map(|(_, other)| other)
    };
    let with_rows = each(others(true).filter(|other| other.rows > 0 && !other.is_header_alone()));
    if !with_rows.is_empty() {
        notices.push(notice::other_worksheets(with_rows, another()));
    }
    if others(false).next().is_some() {
        notices.push(notice::hidden_worksheets(each(others(false)), another()));
    }
    if !candidates[chosen].visible {
        notices.push(notice::hidden_itself(another()));
    }
    Ok((chosen, notices.into_iter().map(|notice| notice.at(Place::row(&source, 1))).collect()))
}

fn by_name(candidates: &[Candidate], wanted: &str) -> Option<usize> {
    let exact = candidates.iter().position(|candidate| candidate.name == wanted);
    let folded = wanted.trim().to_lowercase();
    let by_number = || wanted.trim().parse::<usize>().ok()?.checked_sub(1).filter(|index| *index < candidates.len());
    exact
        .or_else(|| candidates.iter().position(|candidate| candidate.name.trim().to_lowercase() == folded))
        .or_else(by_number)
}

fn the_only(file: &str, candidates: &[Candidate]) -> Result<usize, SheetError> {
    let filled: Vec<usize> =
        (0..candidates.len()).filter(|index| candidates[*index].visible && candidates[*index].rows > 0).collect();
    let tables: Vec<usize> = filled.iter().copied().filter(|index| candidates[*index].is_table()).collect();
    match (tables.as_slice(), filled.as_slice()) {
        ([only], _) | (_, [only]) => Ok(*only),
        // None of them has orders, and the first one says so.
        ([], [first, ..]) if filled.iter().all(|index| candidates[*index].is_header_alone()) => Ok(*first),
        (_, []) => {
            let hidden: Vec<&Candidate> = candidates.iter().filter(|candidate| !candidate.visible).collect();
            let hidden = if hidden.is_empty() {
                String::new()
            } else {
                format!(", and these are hidden: {}", names(hidden.into_iter()))
            };
            Err(SheetError::NoWorksheet { file: file.to_owned(), hidden })
        }
        (several, filled) => {
            let several = if several.is_empty() { filled } else { several };
            let each = several.iter().map(|index| candidates[*index].name.clone()).collect();
            let names = names(several.iter().map(|index| &candidates[*index]));
            Err(SheetError::SeveralWorksheets { file: file.to_owned(), names, each })
        }
    }
}

fn another() -> Remedy {
    Remedy::ChooseWorksheet { name: None }
}

fn each<'c>(candidates: impl Iterator<Item = &'c Candidate>) -> Vec<String> {
    candidates.map(|candidate| candidate.name.clone()).collect()
}

fn names<'c>(candidates: impl Iterator<Item = &'c Candidate>) -> String {
    let names: Vec<String> = candidates.map(|candidate| format!("\"{}\"", candidate.name)).collect();
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A worksheet with these rows, whose cells are parted by `|`.
    fn candidate((name, visible, rows): (&str, bool, &str)) -> Candidate {
        let mut candidate = Candidate::new(name.to_owned(), visible);
        for (number, row) in (1..).zip(rows.lines()) {
            row.split('|').for_each(|text| candidate.look(number, Cell::new(text, CellKind::Text)));
        }
        candidate
    }

    #[test]
    fn choices() {
        let orders = ("Orders", true, "Order|Name|Price\nA1|Asha|499\nA2|Ravi|499");
        let returns = ("Returns", true, "Order|Name|Why\nA3|Mina|9");
        let (header, old) = (("June", true, "Order|Name|Price"), ("Old", false, ""));
        let titled = ("July", true, "Orders of July\nOrder|Name|Price");
        let cover = ("Read me", true, "Orders\nof\nNovember");
        type Case<'c> = (&'c [(&'c str, bool, &'c str)], Option<&'c str>, Result<usize, &'c str>);
        let cases: [Case<'_>; 17] = [
            (&[orders], None, Ok(0)),
            (&[cover, orders], None, Ok(1)),
            (&[old, orders, ("Sheet2", true, "")], None, Ok(1)),
            (&[orders, returns], None, Err("several worksheets with rows: \"Orders\", \"Returns\"")),
            (&[old], None, Err("these are hidden: \"Old\"")),
            (&[], None, Err("no visible worksheet with rows")),
            (&[old, orders], Some("old"), Ok(0)),
            (&[old, orders], Some("2"), Ok(1)),
            (&[("2", true, "1"), orders], Some("2"), Ok(0)),
            (&[orders], Some("Mai"), Err("no worksheet \"Mai\"; it has \"Orders\"")),
            (&[orders, header, titled], None, Ok(0)),
            (&[titled, orders], None, Ok(1)),
            (&[titled, orders, returns], None, Err("several worksheets with rows: \"Orders\", \"Returns\"")),
            (&[titled], None, Ok(0)),
            (&[header, titled], None, Ok(0)),
            (&[orders, titled], Some("July"), Ok(1)),
            (&[cover, header], None, Err("several worksheets with rows: \"Read me\", \"June\"")),
        ];
        for (worksheets, wanted, expected) in cases {
            let candidates: Vec<Candidate> = worksheets.iter().copied().map(candidate).collect();
            let options = Options { worksheet: wanted.map(str::to_owned), ..Options::default() };
            match (choose("a.xlsx", &candidates, &options), expected) {
                (Ok((index, _)), Ok(expected)) => assert_eq!(index, expected),
                (Err(error), Err(expected)) => assert!(error.to_string().contains(expected), "{error}"),
                (got, expected) => panic!("{worksheets:?} {wanted:?}: {got:?}, not {expected:?}"),
            }
        }
    }

    #[test]
    fn a_header_alone_is_no_other_worksheet() {
        let said = |other: (&str, bool, &str)| {
            let orders = ("Orders", true, "Order|Name|Price\nA1|Asha|499");
            choose("a.xlsx", &[orders, other].map(candidate), &Options::default()).unwrap().1.len()
        };
        for header in ["Order|Name|Price", "November\nOrder|Name|Price", "To|Parcel\nName|Phone|Weight"] {
            assert_eq!(said(("June", true, header)), 0, "{header}");
        }
        for rows in ["Remarks", "Prepared by|Asha", "A1|Asha|499"] {
            assert_eq!(said(("Notes", true, rows)), 1, "{rows}");
        }
    }
}
