//! Which worksheet is meant.

use crate::finding::sheet::notice;
use crate::finding::{Finding, Remedy};
use crate::origin::{Place, Source};
use crate::sheet::{Options, SheetError};

/// A worksheet and what its first rows look like.
#[derive(Debug, Clone)]
pub(super) struct Candidate {
    pub(super) name: String,
    pub(super) visible: bool,
    /// Filled rows among the first ones; zero for hidden worksheets, which nobody looked into.
    pub(super) rows: usize,
    /// Filled cells of the widest of them.
    pub(super) widest: usize,
}

impl Candidate {
    /// A header over rows, as opposed to a cover page.
    const fn is_table(&self) -> bool {
        self.rows >= 2 && self.widest >= 3
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
    if others(true).any(|other| other.rows > 0) {
        let names = each(others(true).filter(|other| other.rows > 0));
        notices.push(notice::other_worksheets(names, another()));
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

    fn candidate((name, visible, rows, widest): (&str, bool, usize, usize)) -> Candidate {
        Candidate { name: name.to_owned(), visible, rows, widest }
    }

    #[test]
    fn choices() {
        let orders = ("Orders", true, 9, 12);
        type Case<'c> = (&'c [(&'c str, bool, usize, usize)], Option<&'c str>, Result<usize, &'c str>);
        let cases: [Case<'_>; 10] = [
            (&[orders], None, Ok(0)),
            (&[("Read me", true, 5, 1), orders], None, Ok(1)),
            (&[("Old", false, 0, 0), orders, ("Sheet2", true, 0, 0)], None, Ok(1)),
            (&[orders, ("Returns", true, 9, 4)], None, Err("several worksheets with rows: \"Orders\", \"Returns\"")),
            (&[("Old", false, 0, 0)], None, Err("these are hidden: \"Old\"")),
            (&[], None, Err("no visible worksheet with rows")),
            (&[("Old", false, 0, 0), orders], Some("old"), Ok(0)),
            (&[("Old", false, 0, 0), orders], Some("2"), Ok(1)),
            (&[("2", true, 1, 1), orders], Some("2"), Ok(0)),
            (&[orders], Some("Mai"), Err("no worksheet \"Mai\"; it has \"Orders\"")),
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
}
