//! What can be done about a finding, in words that name no flag and no command: for a face that has none of its own.

use super::parameters::Value;
use super::remedy::{Command, Remedy};
use crate::text::toml_quoted;

/// What to do, in words that hold for every face.
#[must_use]
pub fn plain(remedy: &Remedy) -> String {
    match remedy {
        Remedy::EditCell { to } => to.clone(),
        Remedy::MapColumn { field, column } => format!("{} = {}", toml_quoted(field), toml_quoted(column)),
        Remedy::AddColumn { header } => format!("\"{header}\""),
        Remedy::RenameHeader { to, .. } => format!("\"{to}\""),
        Remedy::IgnoreColumns { headers } => format!("in shipsheet.toml: [check] ignore = {}", list(headers)),
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
        Remedy::UseProfile { name } => format!("the profile {name}"),
        Remedy::SaveProfile { name, .. } => format!("save a profile {name} for this sheet"),
        Remedy::EditProfile { file } => file.clone(),
        Remedy::ChooseWorksheet { name: None } => "the name of the worksheet".to_owned(),
        Remedy::ChooseWorksheet { name: Some(name) } => format!("the worksheet \"{name}\""),
        Remedy::NameHeaderRow => "the number of the header row".to_owned(),
        Remedy::NameEncoding { example } => format!("the encoding, such as {example}"),
        Remedy::PrintJson => "the list of all problems".to_owned(),
        Remedy::NamePickup => "the PIN code of the pickup".to_owned(),
        Remedy::RequireServiceability { .. } => "the demand that couriers go there".to_owned(),
        Remedy::RecogniseSheet => "name no profile".to_owned(),
        Remedy::Accept { rule, .. } if rule.is_empty() => "accept this".to_owned(),
        Remedy::Accept { rule, order: Some(order), .. } => format!("accept {rule} of order {order}"),
        Remedy::Accept { rule, .. } => format!("accept {rule}"),
        Remedy::RunCommand { command } => to_run(command),
    }
}

fn to_run(command: &Command) -> String {
    match command {
        Command::ListProfiles => "the list of profiles".to_owned(),
        Command::CancelShipment { order } => format!("cancel the shipment of order {order}"),
        Command::CheckInput => "hand the sheet over as a file".to_owned(),
        Command::Import { sheet } => format!("import {}", sheet.display()),
        Command::ListDoubts => "the list of orders in doubt".to_owned(),
        Command::Resume => "resume the run".to_owned(),
        Command::Retry { order } => format!("retry order {order}"),
        Command::RetryRun { number } => format!("retry what failed in run {number}"),
        Command::ShowRun { number } => format!("look at run {number}"),
        Command::WriteConfiguration => "write a configuration".to_owned(),
        Command::MakePrivate { .. } => "take the right to read them from everybody but yourself".to_owned(),
        Command::BackUp => "copy the ledger".to_owned(),
        Command::TryNotices => "send a test to everybody who is told".to_owned(),
        Command::WriteReport => "write the report".to_owned(),
        Command::WriteRejects => "write the rows to correct".to_owned(),
    }
}

/// A value as the configuration has it.
fn toml(value: &Value) -> String {
    match value {
        Value::Flag(flag) => flag.to_string(),
        Value::Number(number) => number.to_string(),
        Value::Text(text) => toml_quoted(text),
        Value::List(texts) => list(texts),
        Value::Said(_) => String::new(),
    }
}

fn list(texts: &[String]) -> String {
    let texts: Vec<String> = texts.iter().map(|text| toml_quoted(text)).collect();
    format!("[{}]", texts.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_the_configuration_are_toml() {
        assert_eq!(plain(&Remedy::ignore("To\"Do")), "in shipsheet.toml: [check] ignore = [\"To\\\"Do\"]");
        assert_eq!(plain(&Remedy::default_of("order.weight", Some("1"))), "[defaults] \"order.weight\" = \"1\"");
        let formats = Value::List(vec!["%d/%m/%Y".into()]);
        assert_eq!(plain(&Remedy::setting("dates", "formats", Some(formats))), "[dates] formats = [\"%d/%m/%Y\"]");
    }
}
