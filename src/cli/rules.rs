//! `rules`: every rule with its level, or one with its documentation.

use std::io::Write;

use anyhow::Result;
use clap::Args;
use schemars::JsonSchema;
use serde::Serialize;

use crate::app::{RUNS_COUNTED, RuleEntry, RuleOptions};
use crate::finding::RuleId;
use crate::rule::{LevelSource, Rule, RuleLevel, rule_level};

use super::Usage;
use super::console::print;
use super::document::{Kind, print_document};
use super::global::Format;
use super::settings::Settings;
use crate::app::Exit;

/// What is asked of rules.
#[derive(Debug, Args)]
pub(super) struct Rules {
    /// A rule, to read about it [default: all, as a table]
    pub(super) id: Option<String>,
    /// The levels for sheets that are read by this profile: its name, or its TOML file
    #[arg(long, value_name = "NAME|FILE")]
    pub(super) profile: Option<String>,
    /// The levels of runs where nobody is asked
    #[arg(long)]
    pub(super) unattended: bool,
}

/// `total-differs=warn`.
pub(super) fn level(text: &str) -> Result<(RuleId, RuleLevel), String> {
    let (id, level) = text.split_once('=').ok_or("write a rule and its level, for instance total-differs=warn")?;
    rule_level(id.trim(), level.trim())
}

/// The document of `rules`.
#[derive(Serialize, JsonSchema)]
#[schemars(title = "The rules")]
pub(super) struct Document<'e> {
    /// Every rule, in the order in which a sheet meets them; one where it was named.
    rules: Vec<Entry<'e>>,
    exit: Exit,
}

/// One rule.
#[derive(Serialize, JsonSchema)]
struct Entry<'e> {
    /// Its stable word.
    id: &'static str,
    /// `rule` has a level; `notice` tells of what is left out or done already, and can be turned off; `word` is what a person or the
    /// courier's list said of an order; `fault` has no level, because no request can be formed; `ledger` is what the ledger says,
    /// which nothing lowers.
    #[schemars(extend("enum" = ["rule", "notice", "word", "fault", "ledger"]))]
    kind: &'static str,
    /// Its scope.
    #[schemars(extend("enum" = ["cell", "row", "order", "sheet", "run"]))]
    scope: &'static str,
    /// `hold` keeps an order until a person answers, `warn` lets it go and says so, `off` says nothing; null where it has no level.
    level: Option<RuleLevel>,
    /// Where the level comes from: `default`, a file, or a profile.
    from: String,
    /// Its explanation, in English.
    title: &'static str,
    /// How often it had something to say in the last 10 imports; null where there is no ledger.
    fired: Option<u64>,
    /// Its documentation in Markdown, with both examples; only where one rule was named.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    documentation: Option<&'e str>,
}

impl<'e> Entry<'e> {
    fn of(entry: &'e RuleEntry, is_one: bool) -> Self {
        let RuleEntry { rule, level, because, fired } = entry;
        Self {
            id: rule.id.as_str(),
            kind: rule.kind.as_str(),
            scope: rule.scope,
            level: *level,
            from: from(because),
            title: rule.title(),
            fired: *fired,
            documentation: is_one.then_some(rule.text),
        }
    }
}

/// Prints the table, or what there is to read of one rule.
pub(super) fn rules(settings: &Settings, arguments: &Rules) -> Result<Exit> {
    let id = arguments.id.as_deref().map(Rule::named).transpose().map_err(Usage)?.map(|rule| rule.id);
    let options = RuleOptions { profile: arguments.profile.clone(), is_unattended: arguments.unattended };
    let mut entries = settings.app.rules(&options)?;
    entries.retain(|entry| id.is_none_or(|id| entry.rule.id == id));
    if settings.format == Format::Json {
        let rules = entries.iter().map(|entry| Entry::of(entry, id.is_some())).collect();
        print_document(Kind::Rules, &Document { rules, exit: Exit::Done })?;
        return Ok(Exit::Done);
    }
    let mut text = Vec::new();
    match entries.first().filter(|_| id.is_some()) {
        Some(entry) => write_page(&mut text, entry)?,
        None => write_table(&mut text, &entries, &settings.command)?,
    }
    print(&text)?;
    Ok(Exit::Done)
}

pub(super) fn from(because: &LevelSource) -> String {
    match because {
        LevelSource::Default => "default".to_owned(),
        LevelSource::Configuration(file, false) => file.display().to_string(),
        LevelSource::Configuration(file, true) => format!("{} (unattended)", file.display()),
        LevelSource::Profile(name, false) => format!("profile {name}"),
        LevelSource::Profile(name, true) => format!("profile {name} (unattended)"),
        LevelSource::Given => "this command".to_owned(),
    }
}

/// The level, or why there is none.
fn shown(entry: &RuleEntry) -> &'static str {
    entry.level.map_or(entry.rule.kind.as_str(), RuleLevel::as_str)
}

fn write_table(text: &mut Vec<u8>, entries: &[RuleEntry], command: &str) -> Result<()> {
    let origin = |entry: &RuleEntry| entry.level.map_or_else(|| "-".to_owned(), |_| from(&entry.because));
    let froms: Vec<String> = entries.iter().map(origin).collect();
    let ids = entries.iter().map(|entry| entry.rule.id.as_str().len()).max().unwrap_or_default();
    let wide = froms.iter().map(String::len).max().unwrap_or_default().max("from".len());
    writeln!(text, "{:<ids$}  {:<6}  {:<wide$}  {:>5}  about", "rule", "level", "from", "fired")?;
    for (entry, from) in entries.iter().zip(&froms) {
        let fired = entry.fired.map_or_else(|| "-".to_owned(), |fired| fired.to_string());
        let (id, title) = (entry.rule.id.as_str(), entry.rule.title());
        writeln!(text, "{id:<ids$}  {:<6}  {from:<wide$}  {fired:>5}  {title}", shown(entry))?;
    }
    writeln!(
        text,
        "\nhold: the order stays until you answer; warn: it goes, and you are told; off: nothing is said.\n\
         A fault has no level: no request can be formed. Nothing is sent against the word of the ledger.\n\
         fired: how often in the last {RUNS_COUNTED} imports.\n\
         `{command} rules RULE` explains one. Set its level in shipsheet.toml or in a profile:\n\n  \
         [rules]\n  total-differs = \"warn\"\n\n\
         or for one run: --rule total-differs=warn"
    )?;
    Ok(())
}

fn write_page(text: &mut Vec<u8>, entry: &RuleEntry) -> Result<()> {
    let rule: &Rule = entry.rule;
    writeln!(text, "{}: {}\n\n{}\n", rule.id, rule.title(), rule.about())?;
    match rule.kind.without_level() {
        Some(why) => writeln!(text, "No level can be set: {why}.")?,
        None => writeln!(text, "Level: {} ({})", shown(entry), from(&entry.because))?,
    }
    if let Some(fired) = entry.fired {
        writeln!(text, "Fired in the last {RUNS_COUNTED} imports: {fired}")?;
    }
    for line in rule.examples().lines() {
        let (heading, block) = (line.strip_prefix("## "), line.strip_prefix("```"));
        match (heading, block) {
            (Some(heading), _) if heading.contains(": ") => writeln!(text, "\n{heading}")?,
            (Some(heading), _) => writeln!(text, "\n{heading}:")?,
            (None, None) => writeln!(text, "{}", format!("  {line}").trim_end())?,
            (None, Some("toml")) => writeln!(text, "  shipsheet.toml:\n")?,
            (None, Some("toml profile")) => writeln!(text, "  profile:\n")?,
            (None, Some("toml saved")) => writeln!(text, "  saved profile:\n")?,
            (None, Some("sheet")) => writeln!(text, "  a workbook:\n")?,
            (None, Some("csv booked")) => writeln!(text, "  booked before:\n")?,
            (None, Some(_)) => {}
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_is_given_with_its_rule() {
        assert_eq!(level("total-differs=warn"), Ok((RuleId::TotalDiffers, RuleLevel::Warn)));
        assert!(level("total-differs").unwrap_err().contains("total-differs=warn"));
        assert!(level("total-difers=off").unwrap_err().contains("did you mean `total-differs`"));
    }
}
