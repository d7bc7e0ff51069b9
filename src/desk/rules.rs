//! Rules: what each is about and its level, which is changed with a click once the change was seen.

use std::sync::Arc;

use maud::{Markup, PreEscaped, html};
use serde::Deserialize;

use crate::app::{RUNS_COUNTED, RuleEntry, RuleOptions};
use crate::config::Edit;
use crate::rule::{Because, Rule, RuleLevel};

use super::answer::{Nothing, Result};
use super::page::{self, Page, Part};
use super::state::Desk;
use super::trouble::Trouble;
use super::words;

/// The levels with what each does.
const LEVELS: [(RuleLevel, &str, &str); 3] = [
    (RuleLevel::Hold, "Hold", "the order stays until you answer"),
    (RuleLevel::Warn, "Warn", "it goes, and you are told"),
    (RuleLevel::Off, "Off", "nothing is said"),
];

pub(super) fn rules(desk: &Desk, _: &Nothing) -> Result<Page> {
    let entries = desk.app().rules(&RuleOptions::default())?;
    let (with, without): (Vec<&RuleEntry>, Vec<&RuleEntry>) = entries.iter().partition(|entry| entry.level.is_some());
    let body = html! {
        section {
            h1 { "Rules" }
            p.soft { "A rule is a doubt about an order. By its level it holds the order, warns of it, or says nothing." }
            table.cards {
                thead { tr { th { "Rule" } th { "Level" } th { "From" } th.num { "Said lately" } } }
                tbody { @for entry in with { (row(entry)) } }
            }
            p.soft { "Said lately: how often in the last " (RUNS_COUNTED) " runs." }
        }
        section {
            details {
                summary { (words::count(without.len() as u64, "rule")) " without a level" }
                p.soft { "No request can be formed, or the ledger says that the order may be booked already. Nothing is sent against that." }
                ul { @for entry in without { li { b { (entry.rule.id) } ": " (entry.rule.title()) } } }
            }
        }
    };
    Ok(Page { title: "Rules".to_owned(), part: Part::Rules, body })
}

fn row(entry: &RuleEntry) -> Markup {
    let id = entry.rule.id.as_str();
    html! {
        tr {
            td { a href={ "rule?id=" (id) } { (words::capital(entry.rule.title())) } div.soft { (id) } }
            td { (level(entry.level)) }
            td.soft { (from(&entry.because)) }
            td.num data-name="Said lately" { @if let Some(fired) = entry.fired { (words::number(fired)) } }
        }
    }
}

fn level(level: Option<RuleLevel>) -> Markup {
    let known = LEVELS.iter().find(|(own, ..)| Some(*own) == level);
    let tone = match level {
        Some(RuleLevel::Hold) => "bad",
        Some(RuleLevel::Warn) => "warn",
        _ => "soft",
    };
    html! { @if let Some((_, name, _)) = known { span class={ "state " (tone) } { (name) } } }
}

fn from(because: &Because) -> String {
    match because {
        Because::Default => "usual".to_owned(),
        Because::Configuration(..) => "your settings".to_owned(),
        Because::Profile(name, _) => format!("profile {name}"),
        Because::Given => "this start".to_owned(),
    }
}

/// Which rule, and the level that it may get.
#[derive(Deserialize)]
pub(super) struct Asked {
    id: String,
    #[serde(default)]
    level: String,
}

pub(super) fn rule(desk: &Desk, asked: &Asked) -> Result<Page> {
    let entries = desk.app().rules(&RuleOptions::default())?;
    let entry = entries.iter().find(|entry| entry.rule.id.as_str() == asked.id).ok_or(Trouble::NoPage)?;
    let wanted = LEVELS.iter().find(|(level, ..)| level.as_str() == asked.level);
    let body = html! {
        section {
            h1 { (words::capital(entry.rule.title())) " " (level(entry.level)) }
            p.soft { (entry.rule.id) }
            @for paragraph in entry.rule.about().split("\n\n") { p.text { (paragraph.replace('\n', " ").replace('`', "")) } }
            @match wanted {
                Some((level, name, does)) => (preview(desk, entry.rule, *level, name, does)?),
                None => @if entry.level.is_some() { (choices(entry)) } @else { p.soft { "No level can be set here." } },
            }
            p { a href="rules" { "All rules" } }
        }
    };
    Ok(Page { title: format!("Rule {}", entry.rule.id), part: Part::Rules, body })
}

fn choices(entry: &RuleEntry) -> Markup {
    let id = entry.rule.id.as_str();
    html! {
        h2 { "Change its level" }
        ul.open {
            @for (own, name, does) in LEVELS {
                li {
                    span.grow { b { (name) } ": " (does) }
                    @if entry.level == Some(own) { span.soft { "as it is" } }
                    @else { a.button href={ "rule?id=" (id) "&level=" (own.as_str()) } { "Set to " (name) } }
                }
            }
        }
    }
}

/// The change as it would be written.
fn preview(desk: &Desk, rule: &Rule, level: RuleLevel, name: &str, does: &str) -> Result<Markup> {
    let edit = edit(desk, rule, level)?;
    Ok(html! {
        h2 { "Set it to " (name) "?" }
        p { (words::capital(does)) "." }
        (change(&edit))
        (page::form(desk, "rule", &html! {
            input type="hidden" name="id" value=(rule.id);
            input type="hidden" name="level" value=(level.as_str());
            div.row.end { a.button href={ "rule?id=" (rule.id) } { "Leave it" } span.grow {} button.main { "Write the change" } }
        }))
    })
}

/// The lines that go and come.
pub(super) fn change(edit: &Edit) -> Markup {
    let (gone, come) = edit.lines();
    html! {
        p.soft { "In " (edit.path().display()) ":" }
        pre.change {
            @for line in gone { del { "− " (line) } (PreEscaped("\n")) }
            @for line in come { ins { "+ " (line) } (PreEscaped("\n")) }
        }
    }
}

fn edit(desk: &Desk, rule: &Rule, level: RuleLevel) -> Result<Edit> {
    let setting = format!("rules.{}", rule.id);
    Ok(desk.app().config().edit(&[(&setting, level.as_str())]).map_err(crate::app::Error::from)?)
}

pub(super) fn change_level(desk: &Arc<Desk>, asked: &Asked) -> Result<String> {
    let rule = Rule::named(&asked.id).map_err(Trouble::Typed)?;
    let level = LEVELS.iter().map(|(level, ..)| *level).find(|level| level.as_str() == asked.level);
    let level = level.filter(|_| rule.kind.without_level().is_none()).ok_or(Trouble::NotOurs)?;
    let edit = edit(desk, rule, level)?;
    desk.configure(|_| edit.write())?;
    desk.say("The change is written. It holds from the next sheet on.".to_owned());
    Ok(format!("rule?id={}", rule.id))
}
