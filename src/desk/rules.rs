//! Rules: what each is about and its level, which is changed with a click once the change was seen.

use std::sync::Arc;

use maud::{Markup, PreEscaped, html};
use serde::Deserialize;

use crate::app::{RUNS_COUNTED, RuleEntry, RuleOptions};
use crate::config::Edit;
use crate::rule::{LevelSource, Rule, RuleLevel};

use super::answer::Result;
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

/// What rules speak of, as their pages have it, with what that is called here.
const SCOPES: [(&str, &str); 5] = [
    ("cell", "What stands in one cell"),
    ("row", "Rows"),
    ("order", "Orders as a whole"),
    ("sheet", "Sheets and their columns"),
    ("run", "All that is booked together"),
];

/// Which rules.
#[derive(Deserialize)]
pub(super) struct Wanted {
    /// What stands in the name or the description.
    #[serde(default)]
    q: String,
    /// `changed` or `said`; all without it.
    #[serde(default)]
    show: String,
}

/// What may be shown, with its name.
const SHOWN: [(&str, &str); 3] = [("", "All"), ("changed", "Changed"), ("said", "Said lately")];

impl Wanted {
    fn is_all(&self) -> bool {
        self.show.is_empty() && self.q.trim().is_empty()
    }

    fn takes(&self, entry: &RuleEntry) -> bool {
        let text = self.q.trim().to_lowercase();
        let rule = entry.rule;
        let has = |own: &str| own.to_lowercase().contains(&text);
        let says = || has(rule.title()) || has(rule.id.as_str()) || has(rule.about()) || rule.cases().any(has);
        is_shown(&self.show, entry) && says()
    }
}

fn is_shown(show: &str, entry: &RuleEntry) -> bool {
    match show {
        "changed" => !matches!(entry.because, LevelSource::Default),
        "said" => entry.fired.is_some_and(|fired| fired > 0),
        _ => true,
    }
}

pub(super) fn rules(desk: &Desk, wanted: &Wanted) -> Result<Page> {
    let entries = desk.app().rules(&RuleOptions::default())?;
    let (with, without): (Vec<&RuleEntry>, Vec<&RuleEntry>) = entries.iter().partition(|entry| entry.level.is_some());
    let found: Vec<&RuleEntry> = with.iter().copied().filter(|entry| wanted.takes(entry)).collect();
    let body = html! {
        section {
            h1 { "Rules" }
            p.soft { "Each rule looks for one kind of thing that may be wrong with an order. Hold: the order waits until you answer. Warn: it goes, and you are told. Off: nothing is said. “Said lately” is how often that was found in the last " (RUNS_COUNTED) " runs." }
            (choices_of(wanted, &with))
            @if found.is_empty() { p { "No rule here." } }
            @for (scope, name) in SCOPES {
                @let own: Vec<&RuleEntry> = found.iter().copied().filter(|entry| entry.rule.scope == scope).collect();
                @if !own.is_empty() { (group(name, &own, !wanted.is_all())) }
            }
        }
        @if wanted.is_all() { section {
            details {
                summary { (words::count(without.len() as u64, "rule")) " that cannot be changed" }
                p.soft { "They apply where an order lacks something that the courier needs, or may be booked already. Such an order is never sent as it is." }
                ul { @for entry in without { li { b { (entry.rule.id) } ": " (entry.rule.title()) } } }
            }
        } }
    };
    Ok(Page { title: "Rules".to_owned(), part: Part::Rules, body })
}

/// What narrows the list down.
fn choices_of(wanted: &Wanted, all: &[&RuleEntry]) -> Markup {
    html! {
        div.row {
            nav.tabs.grow aria-label="Rules to show" {
                @for (show, name) in SHOWN {
                    @let count = all.iter().filter(|entry| is_shown(show, entry)).count();
                    a href={ "rules?show=" (show) } aria-current=[(wanted.show == show && wanted.q.is_empty()).then_some("true")] { (name) " " b { (words::number(count as u64)) } }
                }
            }
            form.find role="search" aria-label="Rules" action="rules" {
                input type="search" name="q" value=(wanted.q) aria-label="Word in a rule" placeholder="phone, PIN, total" autocomplete="off";
                button { "Show" }
            }
        }
    }
}

/// Rules that speak of one thing.
fn group(name: &str, entries: &[&RuleEntry], is_open: bool) -> Markup {
    let of = |show: &str, said: &str| {
        let count = entries.iter().filter(|entry| is_shown(show, entry)).count() as u64;
        if count > 0 { format!(" · {} {said}", words::number(count)) } else { String::new() }
    };
    html! {
        details open[is_open] {
            summary { b { (name) } " " span.soft { (words::count(entries.len() as u64, "rule")) (of("changed", "changed")) (of("said", "said something lately")) } }
            table.cards {
                thead { tr { th { "Rule" } th { "Level" } th { "From" } th.num { "Said lately" } } }
                tbody { @for entry in entries { (row(entry)) } }
            }
        }
    }
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

fn from(because: &LevelSource) -> String {
    match because {
        LevelSource::Default => "usual".to_owned(),
        LevelSource::Configuration(..) => "your settings".to_owned(),
        LevelSource::Profile(name, _) => format!("profile {name}"),
        LevelSource::Given => "this start".to_owned(),
    }
}

/// Which rule, and the level that it may get.
#[derive(Deserialize)]
pub(super) struct Asked {
    id: String,
    #[serde(default)]
    level: String,
    /// The settings as they were when the change was shown.
    #[serde(default)]
    seen: String,
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
            @if entry.rule.cases().next().is_some() {
                p.soft { "It looks for:" }
                ul { @for case in entry.rule.cases() { li { (case) } } }
            }
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
            (as_seen(&edit))
            div.row.end { a.button href={ "rule?id=" (rule.id) } { "Leave it" } span.grow {} button.main { "Write the change" } }
        }))
    })
}

/// Refuses to change what somebody else has changed since it was shown.
pub(super) fn is_as_seen(desk: &Desk, edit: &Edit, seen: &str) -> Result<()> {
    desk.is_idle()?;
    if edit.stamp() == seen {
        return Ok(());
    }
    Err(Trouble::Changed("Somebody changed the settings since this page was shown, so nothing was written".to_owned()))
}

/// What a form carries that writes a change: the file as it was shown.
pub(super) fn as_seen(edit: &Edit) -> Markup {
    html! { input type="hidden" name="seen" value=(edit.stamp()); }
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
    is_as_seen(desk, &edit, &asked.seen)?;
    desk.configure(|_| edit.write())?;
    Ok(desk.say(&format!("rule?id={}", rule.id), "The change is written. It holds from the next sheet on."))
}
