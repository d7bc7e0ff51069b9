//! Commands that lead out of a problem with a sheet's columns, complete enough to be pasted.

use std::fmt::Write as _;
use std::path::Path;

use crate::sheet::Options;
use crate::text::shell_quoted;

/// The command that proposes a profile for a sheet, read the way it was read here.
pub(super) fn guess(path: &Path, options: &Options, name: &str) -> String {
    let path = shell_quoted(&path.to_string_lossy());
    format!("shipsheet profile guess {path}{} --save {}", reading(options), shell_quoted(name))
}

/// What a person said of how the sheet is to be read, as flags.
fn reading(options: &Options) -> String {
    let mut flags = String::new();
    let mut flag = |name: &str, value: Option<String>| {
        if let Some(value) = value {
            // Writing into text cannot fail.
            let _ = write!(flags, " --{name} {}", shell_quoted(&value));
        }
    };
    flag("worksheet", options.worksheet.clone());
    flag("header-row", options.header_row.map(|row| row.to_string()));
    flag("skip-rows", (options.skip_rows > 0).then(|| options.skip_rows.to_string()));
    flag("encoding", options.encoding.clone());
    flag("delimiter", options.delimiter.map(|byte| char::from(byte).to_string()));
    flags
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_says_all_that_was_said() {
        let plain = Options::default();
        assert_eq!(guess(Path::new("a.csv"), &plain, "a"), "shipsheet profile guess a.csv --save a");
        let options =
            Options { worksheet: Some("My orders".into()), delimiter: Some(b';'), header_row: Some(3), ..plain };
        assert_eq!(
            guess(Path::new("in/a b.xlsx"), &options, "a"),
            "shipsheet profile guess 'in/a b.xlsx' --worksheet 'My orders' --header-row 3 --delimiter ';' --save a"
        );
    }
}
