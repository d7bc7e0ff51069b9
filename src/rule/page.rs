//! A rule's documentation: a title, what it is about, an example that fires and one that does not.

/// The documentation of one rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// One line.
    pub title: String,
    /// What it sees, why that matters, and what to do.
    pub text: String,
    /// What it has something to say of.
    pub fires: Example,
    /// What it has nothing to say of.
    pub silent: Example,
}

/// An example: sheets, or words where no sheet can show it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Example {
    /// Sheets: the word for how each is saved, and its text. `csv`, also `csv booked` and `csv ENCODING`, or `sheet` for the
    /// description of a workbook.
    pub sheets: Vec<(String, String)>,
    /// What the configuration says, as TOML.
    pub configuration: String,
    /// A profile by which the sheets are read, as TOML.
    pub profile: String,
    /// Saved profiles, by which sheets are recognised, as TOML.
    pub saved: Vec<String>,
    /// What else there is to say of it.
    pub words: String,
}

/// The headings of the two examples.
const FIRES: &str = "## It fires";
const SILENT: &str = "## It stays silent";

impl Page {
    /// Takes a page apart.
    #[must_use]
    pub fn read(text: &str) -> Self {
        let (about, examples) = text.split_once(FIRES).unwrap_or((text, ""));
        let (fires, silent) = examples.split_once(SILENT).unwrap_or((examples, ""));
        let (title, about) = about.split_once('\n').unwrap_or((about, ""));
        Self {
            title: title.trim_start_matches("# ").trim().to_owned(),
            text: about.trim().to_owned(),
            fires: Example::read(fires),
            silent: Example::read(silent),
        }
    }
}

impl Example {
    fn read(text: &str) -> Self {
        let mut example = Self::default();
        let mut lines = text.lines();
        while let Some(line) = lines.next() {
            let Some(kind) = line.strip_prefix("```") else {
                example.words.push_str(line);
                example.words.push('\n');
                continue;
            };
            let block: String =
                lines.by_ref().take_while(|line| *line != "```").flat_map(|line| [line, "\n"]).collect();
            match kind {
                "toml" => example.configuration.push_str(&block),
                "toml profile" => example.profile = block,
                "toml saved" => example.saved.push(block),
                how => example.sheets.push((how.to_owned(), block)),
            }
        }
        example.words = example.words.trim().to_owned();
        example
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_taken_apart() {
        let page = Page::read(
            "# A title\n\nWhat it is.\n\n## It fires\n\n```csv\na,b\n1,2\n```\n\n```toml\nx = 1\n```\n\n## It stays silent\n\nAs \
             it is.\n\n```csv\na\n```\n",
        );
        assert_eq!((page.title.as_str(), page.text.as_str()), ("A title", "What it is."));
        assert_eq!(
            (page.fires.sheets.as_slice(), page.fires.configuration.as_str()),
            (&[("csv".to_owned(), "a,b\n1,2\n".to_owned())][..], "x = 1\n")
        );
        assert_eq!((page.silent.words.as_str(), page.silent.sheets.len()), ("As it is.", 1));
    }
}
