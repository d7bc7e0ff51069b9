//! The level of each rule: what is said of it where, and what that makes of a finding.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;

use serde::Deserialize;
use toml::Value;

use super::acceptance::Acceptances;
use super::registry::{Rule, RuleKind, RuleLevel};
use crate::finding::{Basis, Finding, RuleId};

/// Where a level comes from. Of two, the later one here takes precedence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LevelSource {
    /// Nothing was said: it is the default.
    Default,
    /// `[rules]` of the configuration's file; `true` for `[rules.unattended]`, where nobody is asked.
    Configuration(PathBuf, bool),
    /// The same of the profile of this name.
    Profile(String, bool),
    /// A person said so for this run.
    Given,
}

/// What one file says of levels, always and where nobody is asked.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(try_from = "Written")]
pub struct LevelSettings {
    always: BTreeMap<RuleId, RuleLevel>,
    unattended: BTreeMap<RuleId, RuleLevel>,
}

/// The same, as written.
#[derive(Deserialize)]
struct Written {
    #[serde(default)]
    unattended: BTreeMap<String, String>,
    #[serde(flatten)]
    always: BTreeMap<String, Value>,
}

impl TryFrom<Written> for LevelSettings {
    type Error = String;

    fn try_from(written: Written) -> Result<Self, String> {
        let level = |(id, level): (String, Value)| match level {
            Value::String(level) => rule_level(&id, &level),
            Value::Table(_) => Err(format!("[rules.{id}] is no section; there is [rules.unattended]")),
            other => Err(format!("`{other}` is no level of `{id}`: write hold, warn or off")),
        };
        let unattended = written.unattended.iter().map(|(id, level)| rule_level(id, level));
        Ok(Self {
            always: written.always.into_iter().map(level).collect::<Result<_, _>>()?,
            unattended: unattended.collect::<Result<_, _>>()?,
        })
    }
}

impl LevelSettings {
    /// The same, and what another file says of rules that this one does not name.
    pub(crate) fn on_top_of(mut self, base: &Self) -> Self {
        for (own, base) in [(&mut self.always, &base.always), (&mut self.unattended, &base.unattended)] {
            for (id, level) in base {
                own.entry(*id).or_insert(*level);
            }
        }
        self
    }
}

/// A rule and a level by their words.
///
/// # Errors
/// A word that is no rule or no level, or a rule that cannot have this level.
pub fn rule_level(id: &str, level: &str) -> Result<(RuleId, RuleLevel), String> {
    let rule = Rule::named(id)?;
    if let Some(why) = rule.kind.without_level() {
        return Err(format!("`{id}` has no level: {why}"));
    }
    let found = RuleLevel::ALL.into_iter().find(|known| known.as_str() == level);
    match found {
        None => Err(format!("`{level}` is no level of `{id}`: write hold, warn or off")),
        Some(RuleLevel::Hold) if rule.kind == RuleKind::Notice => {
            Err(format!("`{id}` cannot hold: it tells of what is left out or done already; write warn or off"))
        }
        Some(level) => Ok((rule.id, level)),
    }
}

/// All that is said of levels for one run, from which each sheet has its own.
#[derive(Debug, Clone, Default)]
pub struct LevelPlan {
    /// What the configuration says, and where it is.
    pub configured: Option<(PathBuf, LevelSettings)>,
    /// What a person said for this run.
    pub given: Vec<(RuleId, RuleLevel)>,
    /// Whether nobody is asked.
    pub is_unattended: bool,
    /// What people have accepted.
    pub accepted: Arc<Acceptances>,
}

impl LevelPlan {
    /// The levels for a sheet that is read by this profile, or by none.
    #[must_use]
    pub fn levels(&self, profile: Option<(&str, &LevelSettings)>) -> Levels {
        let mut levels = Levels { accepted: Arc::clone(&self.accepted), ..Levels::default() };
        let mut set = |said: &LevelSettings, because: &dyn Fn(bool) -> LevelSource| {
            levels.set.extend(said.always.iter().map(|(id, level)| (*id, (*level, because(false)))));
            let unattended = said.unattended.iter().filter(|_| self.is_unattended);
            levels.set.extend(unattended.map(|(id, level)| (*id, (*level, because(true)))));
        };
        if let Some((file, settings)) = &self.configured {
            set(settings, &|unattended| LevelSource::Configuration(file.clone(), unattended));
        }
        if let Some((name, settings)) = profile {
            set(settings, &|unattended| LevelSource::Profile(name.to_owned(), unattended));
        }
        levels.set.extend(self.given.iter().map(|(id, level)| (*id, (*level, LevelSource::Given))));
        levels
    }
}

/// The levels of rules for one sheet, and what people have accepted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Levels {
    /// Those that were set, with where each comes from.
    set: BTreeMap<RuleId, (RuleLevel, LevelSource)>,
    accepted: Arc<Acceptances>,
    /// Rules of which a command accepts what they say of the sheet as a whole: what they say of its rows was not to be seen before.
    of_sheet: BTreeSet<RuleId>,
    /// Whether what is off is told as well.
    includes_off: bool,
}

impl Levels {
    /// The level of a rule and where it comes from; no level where it has none.
    #[must_use]
    pub fn of(&self, rule: &Rule) -> (Option<RuleLevel>, LevelSource) {
        let set = self.set.get(&rule.id).map(|(level, because)| (Some(*level), because.clone()));
        set.unwrap_or_else(|| (rule.default_level(), LevelSource::Default))
    }

    /// The same levels beside what people have accepted meanwhile.
    #[must_use]
    pub fn accepting(mut self, accepted: &Arc<Acceptances>) -> Self {
        self.accepted = Arc::clone(accepted);
        self
    }

    /// The same levels for the rows of a sheet of which this was said as a whole.
    pub(crate) fn behind(mut self, said: &[Finding]) -> Self {
        let given = said.iter().filter(|own| own.accepted.as_ref().is_some_and(|accepted| accepted.is_new));
        self.of_sheet.extend(given.filter_map(Finding::rule));
        self
    }

    /// Whether a person accepts something with this command.
    pub(crate) fn has_given(&self) -> bool {
        self.accepted.has_given()
    }

    /// The same levels, where what is off is told as well: it weighs nothing.
    pub(crate) fn including_off(self) -> Self {
        Self { includes_off: true, ..self }
    }

    /// A finding with the weight that its rule has here, or that a person gave it; nothing where nobody wants to hear of it.
    /// `basis` are the cells that it rests on: without them it cannot be accepted.
    ///
    /// Every finding goes through this before anything is decided by whether it holds, some of them twice. A rule at its own
    /// level leaves its findings as they are: some of a rule that holds are mild, and only warn.
    #[must_use]
    pub fn apply(&self, finding: Finding, basis: impl FnOnce(&Finding) -> Option<Basis>) -> Option<Finding> {
        self.apply_shown(finding, basis, |_| true)
    }

    /// The same, where a command accepts no more than what was shown before.
    pub(crate) fn apply_shown(
        &self,
        finding: Finding,
        basis: impl FnOnce(&Finding) -> Option<Basis>,
        is_shown: impl FnOnce(&Basis) -> bool,
    ) -> Option<Finding> {
        if finding.basis.is_some() || (self.set.is_empty() && !finding.holds()) {
            return Some(finding);
        }
        let Some(rule) = finding.rule().map(Rule::of) else { return Some(finding) };
        let set = self.set.get(&rule.id).map(|(level, _)| *level);
        let finding = match set.filter(|_| set != rule.default_level()) {
            None => finding,
            Some(RuleLevel::Off) if !self.includes_off => return None,
            Some(RuleLevel::Off | RuleLevel::Warn) => finding.warn(),
            Some(RuleLevel::Hold) => finding.hold(),
        };
        if !finding.holds() || !rule.can_be_accepted() {
            return Some(finding);
        }
        let Some(basis) = basis(&finding) else { return Some(finding) };
        let is_shown = !self.of_sheet.contains(&rule.id) && is_shown(&basis);
        Some(self.accepted.apply(finding, rule.id, basis, is_shown))
    }
}
