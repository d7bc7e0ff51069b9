//! What can be done about a finding, in the words of the terminal: flags, commands, lines of the configuration.

use std::fmt::Write as _;
use std::sync::Arc;

use crate::finding::english::Words;
use crate::finding::{Command, Reading, Remedy, Value};
use crate::text::{shell_quoted, toml_quoted};

/// The words of the terminal; commands begin as this one did.
pub(super) fn words(command: &str) -> Words {
    let command = command.to_owned();
    Arc::new(move |remedy| worded(remedy, &command))
}

fn worded(remedy: &Remedy, command: &str) -> String {
    match remedy {
        Remedy::EditCell { to } => to.clone(),
        Remedy::MapColumn { field, column } => format!("{} = {}", toml_quoted(field), toml_quoted(column)),
        Remedy::AddColumn { header } => format!("\"{header}\""),
        Remedy::RenameHeader { to, .. } => format!("\"{to}\""),
        Remedy::IgnoreColumns { headers } => {
            let headers: Vec<String> = headers.iter().map(|header| toml_quoted(header)).collect();
            format!("in shipsheet.toml: [check] ignore = [{}]", headers.join(", "))
        }
        Remedy::SetDefault { field, value } => {
            let value = value.as_ref().map(|value| format!(" = \"{value}\"")).unwrap_or_default();
            format!("[defaults] \"{field}\"{value}")
        }
        Remedy::SetDefaults { values } => {
            let lines = values.iter().map(|(field, value)| format!("\n        \"{field}\" = \"{value}\""));
            format!("\n        [defaults]{}", lines.collect::<String>())
        }
        Remedy::SetSetting { section, name, value } => {
            let value = value.as_ref().map(|value| format!(" = {}", toml(value))).unwrap_or_default();
            format!("[{section}] {name}{value}")
        }
        Remedy::NameWarehouse { name } => format!("[warehouses] \"{name}\" = \"its id\""),
        Remedy::UseProfile { name } => format!("--profile {}", shell_quoted(name)),
        Remedy::SaveProfile { sheet, reading, name, replace } => {
            let sheet = shell_quoted(&sheet.to_string_lossy());
            let replace = if *replace { " --replace" } else { "" };
            format!("shipsheet profile guess {sheet}{} --save {}{replace}", flags(reading), shell_quoted(name))
        }
        Remedy::EditProfile { file } => file.clone(),
        Remedy::ChooseWorksheet { name: None } => "--worksheet NAME".to_owned(),
        Remedy::ChooseWorksheet { name: Some(name) } => format!("--worksheet \"{name}\""),
        Remedy::NameHeaderRow => "--header-row".to_owned(),
        Remedy::NameEncoding { example } => format!("--encoding {example}"),
        Remedy::PrintJson => "--format json".to_owned(),
        Remedy::NamePickup => "--pickup-pin".to_owned(),
        Remedy::RequireServiceability { .. } => "--require-serviceability".to_owned(),
        Remedy::RecogniseSheet => "leave --profile away".to_owned(),
        Remedy::RunCommand { command: run } => to_run(run, command),
    }
}

/// What a person said of how the sheet is to be read, as flags.
fn flags(reading: &Reading) -> String {
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
        Command::CancelShipment { order } => format!("shipsheet shipment cancel {}", shell_quoted(order)),
        Command::CheckInput => "shipsheet check - < NAME".to_owned(),
        Command::Import { sheet } => format!("{command} import {}", shell_quoted(&sheet.to_string_lossy())),
        Command::ListDoubts => format!("{command} doubt list"),
        Command::Resume => format!("{command} resume"),
        Command::Retry { order } => format!("{command} retry {}", shell_quoted(order)),
    }
}

/// A value as the configuration has it.
fn toml(value: &Value) -> String {
    match value {
        Value::Flag(flag) => flag.to_string(),
        Value::Number(number) => number.to_string(),
        Value::Text(text) => toml_quoted(text),
        Value::List(texts) => {
            let texts: Vec<String> = texts.iter().map(|text| toml_quoted(text)).collect();
            format!("[{}]", texts.join(", "))
        }
        Value::Said(_) => String::new(),
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

    #[test]
    fn lines_of_the_configuration_are_toml() {
        let said = |remedy: Remedy| words("shipsheet")(&remedy);
        assert_eq!(said(Remedy::ignore("To\"Do")), "in shipsheet.toml: [check] ignore = [\"To\\\"Do\"]");
        assert_eq!(said(Remedy::default_of("order.weight", Some("1"))), "[defaults] \"order.weight\" = \"1\"");
        let formats = Value::List(vec!["%d/%m/%Y".into()]);
        assert_eq!(said(Remedy::setting("dates", "formats", Some(formats))), "[dates] formats = [\"%d/%m/%Y\"]");
    }
}
