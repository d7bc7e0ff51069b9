//! What stands beside a rejected row: its status, what is wrong, which cell is meant, what to do.

use crate::origin::{Added, letters};

/// One thing that is wrong with a row.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Complaint {
    /// What is wrong and what is accepted.
    pub message: String,
    /// The text that was found.
    pub found: Option<String>,
    /// What to do about it.
    pub hint: String,
    /// The column of the rejects file, counted from 0, and its header, where one cell is meant.
    pub cell: Option<(usize, String)>,
    /// The place in the sheet that the row came from.
    pub place: String,
}

/// A rejected row's status and complaints.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Rejection {
    /// What became of its order.
    pub status: String,
    /// What is wrong.
    pub complaints: Vec<Complaint>,
}

impl Rejection {
    /// The columns that rejects have beside the person's own.
    pub(crate) const COLUMNS: [Added; 4] = [Added::Status, Added::Reason, Added::Cell, Added::Suggestion];

    /// The texts for them; `row` is the row's number in the rejects file.
    pub(crate) fn texts(&self, row: u32) -> [String; 4] {
        [
            self.status.clone(),
            numbered(self.complaints.iter().map(Complaint::reason)),
            numbered(self.complaints.iter().map(|complaint| complaint.shown_place(row))),
            numbered(self.complaints.iter().map(|complaint| complaint.hint.clone())),
        ]
    }

    /// The reasons alone, in one line.
    pub(crate) fn reasons(&self) -> String {
        numbered(self.complaints.iter().map(Complaint::reason))
    }

    /// The columns that are meant.
    pub(crate) fn marked(&self) -> Vec<usize> {
        self.complaints.iter().filter_map(|complaint| complaint.cell.as_ref()).map(|(column, _)| *column).collect()
    }
}

impl Complaint {
    fn reason(&self) -> String {
        let message = self.message.to_lowercase();
        let subject = match &self.cell {
            Some((_, header)) if !header.is_empty() && !message.contains(&header.to_lowercase()) => {
                format!("{header}: ")
            }
            _ => String::new(),
        };
        let found = match &self.found {
            Some(found) if !found.is_empty() && !self.message.contains(found.as_str()) => {
                format!(" (found \"{found}\")")
            }
            _ => String::new(),
        };
        format!("{subject}{}{found}", self.message)
    }

    fn shown_place(&self, row: u32) -> String {
        let here = match &self.cell {
            Some((column, _)) => format!("{}{row}", letters(u32::try_from(*column).unwrap_or(u32::MAX))),
            None => format!("row {row}"),
        };
        if self.place.is_empty() { here } else { format!("{here} (was {})", self.place) }
    }
}

/// One text as it is; several with numbers, so that reason, cell and suggestion can be matched.
fn numbered(texts: impl ExactSizeIterator<Item = String>) -> String {
    if texts.len() < 2 {
        return texts.collect();
    }
    let texts: Vec<String> = (1..).zip(texts).map(|(number, text)| format!("{number}) {text}")).collect();
    texts.join("; ")
}

/// The cells that a service's answer quotes: `PIN code 999001 is not serviceable` means the cell `999001`.
pub(crate) fn quoted_cells<'c>(answer: &str, cells: impl IntoIterator<Item = (usize, &'c str)>) -> Vec<usize> {
    /// Shorter texts stand in any sentence.
    const CHARACTERS_MIN: usize = 4;
    let quotes = |text: &str| {
        answer.match_indices(text).any(|(start, _)| {
            let before = answer[..start].chars().next_back();
            let after = answer[start + text.len()..].chars().next();
            ![before, after].into_iter().flatten().any(char::is_alphanumeric)
        })
    };
    // Exports write an apostrophe before numbers, which the request has not.
    let bare = cells.into_iter().map(|(column, text)| (column, text.trim_start_matches('\'')));
    let meant = |(_, text): &(usize, &str)| text.chars().count() >= CHARACTERS_MIN && quotes(text);
    bare.filter(meant).map(|(column, _)| column).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_complaint_is_plain_and_several_are_numbered() {
        let phone = Complaint {
            message: "has 2 digits".into(),
            found: Some("12".into()),
            hint: "ask for it".into(),
            cell: Some((3, "Phone".into())),
            place: "orders.csv:9 \"Phone\"".into(),
        };
        let mut rejection = Rejection { status: "invalid".into(), complaints: vec![phone.clone()] };
        assert_eq!(
            rejection.texts(2),
            ["invalid", "Phone: has 2 digits (found \"12\")", "D2 (was orders.csv:9 \"Phone\")", "ask for it"]
        );
        let row = Complaint { message: "names no product".into(), hint: "delete it".into(), ..Complaint::default() };
        rejection.complaints.push(row);
        let [_, reason, cell, suggestion] = rejection.texts(2);
        assert_eq!(reason, "1) Phone: has 2 digits (found \"12\"); 2) names no product");
        assert_eq!(cell, "1) D2 (was orders.csv:9 \"Phone\"); 2) row 2");
        assert_eq!((suggestion.as_str(), rejection.marked()), ("1) ask for it; 2) delete it", vec![3]));
    }

    #[test]
    fn an_answer_means_the_cells_that_it_quotes() {
        let cells = [(0, "A-1"), (1, "'999001"), (2, "99900"), (3, "Pune"), (4, "")];
        assert_eq!(quoted_cells("PIN code 999001 is not serviceable", cells), [1]);
        assert_eq!(quoted_cells("no carrier serves Pune.", cells), [3]);
        assert!(quoted_cells("carrier timed out", cells).is_empty());
    }
}
