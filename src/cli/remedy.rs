//! What can be done about a finding, in the words of the terminal: flags and commands; the rest is in the words of all faces.

use std::fmt::Write as _;
use std::sync::Arc;

use crate::finding::english::{Words, plain};
use crate::finding::{Command, Reading, Remedy};
use crate::text::shell_quoted;

/// The words of the terminal; commands begin as this one did.
pub(super) fn words(command: &str) -> Words {
    let command = command.to_owned();
    Arc::new(move |remedy| worded(remedy, &command))
}

fn worded(remedy: &Remedy, command: &str) -> String {
    match remedy {
        Remedy::UseProfile { name } => format!("--profile {}", shell_quoted(name)),
        Remedy::SaveProfile { sheet, reading, name, replace } => {
            let sheet = shell_quoted(&sheet.to_string_lossy());
            let replace = if *replace { " --replace" } else { "" };
            format!("shipsheet profile guess {sheet}{} --save {}{replace}", flags(reading), shell_quoted(name))
        }
        Remedy::ChooseWorksheet { name: None } => "--worksheet NAME".to_owned(),
        Remedy::ChooseWorksheet { name: Some(name) } => format!("--worksheet \"{name}\""),
        Remedy::NameHeaderRow => "--header-row".to_owned(),
        Remedy::NameEncoding { example } => format!("--encoding {example}"),
        Remedy::PrintJson => "--format json".to_owned(),
        Remedy::NamePickup => {
            "--pickup-pin, or set pickup_pin or pickup_pins in [serviceability] of shipsheet.toml".to_owned()
        }
        Remedy::RequireServiceability { .. } => "--require-serviceability".to_owned(),
        Remedy::RecogniseSheet => "omit --profile".to_owned(),
        Remedy::Accept { rule, .. } if rule.is_empty() => plain(remedy),
        Remedy::Accept { rule, order: Some(order), .. } => format!("--accept {rule}:{}", shell_quoted(order)),
        Remedy::Accept { rule, order: None, .. } => format!("--accept {rule}"),
        Remedy::RunCommand { command: run } => to_run(run, command),
        Remedy::EditCell { .. }
        | Remedy::MapColumn { .. }
        | Remedy::AddColumn { .. }
        | Remedy::RenameHeader { .. }
        | Remedy::IgnoreColumns { .. }
        | Remedy::SetDefault { .. }
        | Remedy::SetDefaults { .. }
        | Remedy::SetSetting { .. }
        | Remedy::NameWarehouse { .. }
        | Remedy::EditProfile { .. } => plain(remedy),
    }
}

/// What a person said of how the sheet is to be read, as flags.
pub(super) fn flags(reading: &Reading) -> String {
    let Reading { worksheet, header_row, skip_rows, encoding, delimiter } = reading;
    let mut flags = String::new();
    let mut flag = |name: &str, value: Option<String>| {
        if let Some(value) = value {
            // Writing into text cannot fail.
            let _ = write!(flags, " --{name} {}", shell_quoted(&value));
        }
    };
    flag("worksheet", worksheet.clone());
    flag("header-row", header_row.map(|row| row.to_string()));
    flag("skip-rows", (*skip_rows > 0).then(|| skip_rows.to_string()));
    flag("encoding", encoding.clone());
    flag("delimiter", delimiter.map(|delimiter| delimiter.to_string()));
    flags
}

fn to_run(run: &Command, command: &str) -> String {
    match run {
        Command::ListProfiles => "shipsheet profile list".to_owned(),
        Command::CancelShipment { order } => format!("shipsheet cancel {}", shell_quoted(order)),
        Command::CheckInput => "shipsheet check - < NAME".to_owned(),
        Command::Import { sheet } => format!("{command} import {}", shell_quoted(&sheet.to_string_lossy())),
        Command::ListDoubts => format!("{command} doubt list"),
        Command::Resume => format!("{command} resume"),
        Command::RetryRun { number } => format!("{command} retry --run {number}"),
        Command::Retry { order } => format!("{command} retry {}", shell_quoted(order)),
        Command::ShowRun { number } => format!("{command} status --run {number}"),
        Command::WriteConfiguration => "shipsheet template shipsheet.toml".to_owned(),
        Command::MakePrivate { files } => {
            let files: Vec<String> = files.iter().map(|file| shell_quoted(&file.to_string_lossy())).collect();
            format!("chmod 600 {}", files.join(" "))
        }
        Command::BackUp => format!("{command} ledger backup --scheduled"),
        Command::TryNotices => format!("{command} doctor --send-test"),
        Command::WriteReport => format!("{command} report --last 24h --to report.html"),
        Command::WriteRejects => format!("{command} rejects --last 24h --to to-fix.xlsx"),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn a_command_says_all_that_was_said() {
        let said = |remedy: Remedy| words("shipsheet --sandbox")(&remedy);
        let plain = Reading::default();
        let guess = Remedy::save_profile(Path::new("a.csv"), plain.clone(), "a", false);
        assert_eq!(said(guess), "shipsheet profile guess a.csv --save a");
        let reading =
            Reading { worksheet: Some("My orders".into()), delimiter: Some(';'), header_row: Some(3), ..plain };
        let guess = Remedy::save_profile(Path::new("in/a b.xlsx"), reading, "a", true);
        assert_eq!(
            said(guess),
            "shipsheet profile guess 'in/a b.xlsx' --worksheet 'My orders' --header-row 3 --delimiter ';' --save a --replace"
        );
    }
}
