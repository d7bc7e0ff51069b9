//! Rules: what each is about, the level that it has, and how often it had something to say lately.

use std::collections::BTreeMap;

use crate::config::Sheets;
use crate::finding::{Id, RuleId, rule_of};
use crate::ledger::LedgerError;
use crate::rule::{LevelSource, RULES, Rule, RuleLevel};

use super::connect::App;
use super::error::{Error, Result};

/// The latest imports, of which it is counted how often a rule had something to say.
pub const RUNS_COUNTED: usize = 10;

/// For which run levels are asked.
#[derive(Debug, Clone, Default)]
pub struct RuleOptions {
    /// The profile by which sheets are read, by its name or file.
    pub profile: Option<String>,
    /// Whether nobody is asked.
    pub is_unattended: bool,
}

/// A rule with its level.
#[derive(Debug, Clone)]
pub struct RuleEntry {
    /// The rule.
    pub rule: &'static Rule,
    /// Its level; nothing where it has none.
    pub level: Option<RuleLevel>,
    /// Where that comes from.
    pub because: LevelSource,
    /// How often it had something to say in the latest imports; nothing where there is no ledger.
    pub fired: Option<u64>,
}

impl App {
    /// Every rule, in the order in which a sheet meets them.
    ///
    /// # Errors
    /// A profile that cannot be read, or a ledger that cannot.
    pub fn rules(&self, options: &RuleOptions) -> Result<Vec<RuleEntry>> {
        let profile = options.profile.as_deref().map(|named| self.config.profile(named)).transpose()?;
        let sheets = Sheets { is_unattended: options.is_unattended, ..Sheets::default() };
        let plan = self.config.levels(&sheets);
        let levels = plan.levels(profile.as_ref().map(|own| (own.name.as_str(), &own.levels)));
        let fired = self.fired()?;
        let entry = |rule: &'static Rule| {
            let (level, because) = levels.of(rule);
            let fired = fired.as_ref().map(|fired| fired.get(&rule.id).copied().unwrap_or_default());
            RuleEntry { rule, level, because, fired }
        };
        Ok(RULES.iter().map(entry).collect())
    }

    /// How often each rule had something to say in the latest imports.
    fn fired(&self) -> Result<Option<BTreeMap<RuleId, u64>>> {
        let ledger = match self.read_ledger() {
            Ok(ledger) => ledger,
            Err(Error::Ledger(LedgerError::Missing(_))) => return Ok(None),
            Err(error) => return Err(error),
        };
        let mut fired = BTreeMap::new();
        for (code, case, times) in ledger.cases_said(RUNS_COUNTED)? {
            if let Some(rule) = Id::from_word(&code).and_then(|id| rule_of(id, &case)) {
                *fired.entry(rule).or_default() += times;
            }
        }
        Ok(Some(fired))
    }
}
