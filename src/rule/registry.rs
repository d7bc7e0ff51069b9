//! Every rule, as its page in `templates/rules` describes it: its first line has its kind and what it looks at; then come a
//! title, what it is about, and of each case an example that fires and one that does not.

use std::fmt;
use std::sync::LazyLock;

use schemars::JsonSchema;
use serde::Serialize;

use crate::finding::RuleId;
use crate::text::did_you_mean;

/// What becomes of an order of which a rule has something to say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RuleLevel {
    /// Nothing is said.
    Off,
    /// It goes, and is told.
    Warn,
    /// It stays until that is answered.
    Hold,
}

impl RuleLevel {
    /// Every level.
    pub const ALL: [Self; 3] = [Self::Hold, Self::Warn, Self::Off];

    /// The word for it in the configuration.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Warn => "warn",
            Self::Hold => "hold",
        }
    }
}

impl fmt::Display for RuleLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Whether something that is said has a level.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RuleKind {
    /// A doubt of ours, with its level by default: a person may know better.
    Rule(RuleLevel),
    /// Said of what is left out or done already: it can be said or not.
    Notice,
    /// No request can be formed from what stands there.
    Fault,
    /// A person keeps an order back, or the courier's list does: it is let go by a word on that order.
    Word,
    /// The ledger says so: an order may be booked already, or its outcome is unknown.
    Ledger,
}

impl RuleKind {
    /// The word for it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Rule(_) => "rule",
            Self::Notice => "notice",
            Self::Fault => "fault",
            Self::Word => "word",
            Self::Ledger => "ledger",
        }
    }

    /// Why it has no level, where it has none.
    pub(crate) const fn without_level(self) -> Option<&'static str> {
        match self {
            Self::Rule(_) | Self::Notice => None,
            Self::Fault => Some("it is a fault: no request can be formed from what stands there"),
            Self::Word => Some("what keeps an order back is let go at the desk, or accepted for that order"),
            Self::Ledger => Some("the ledger says so, and nothing is sent against its word"),
        }
    }
}

/// A rule, a fault, or another thing that is said, with its documentation.
#[derive(Debug, Clone, Copy)]
pub struct Rule {
    /// Its stable word.
    pub id: RuleId,
    /// Whether it has a level, and which by default.
    pub kind: RuleKind,
    /// What it speaks of: a `cell`, a `row`, an `order`, a `sheet`, or all that one `run` reads.
    pub scope: &'static str,
    /// Which cells of an order it looks at beside the one that it speaks of, by how their fields' paths begin: `all` of them,
    /// and `*` those that feed no field. Where one of them changes, what was accepted is another matter.
    pub looks: &'static str,
    /// Its documentation, in Markdown.
    pub text: &'static str,
}

/// Every rule, in the order in which a sheet meets them.
pub static RULES: LazyLock<Vec<Rule>> = LazyLock::new(|| RuleId::ALL.iter().map(|id| Rule::read(*id)).collect());

impl Rule {
    /// Reads a rule's page, whose first line is `<!-- hold order receiver. destination. -->`: its kind or its level by default,
    /// what it speaks of, and the cells that it looks at.
    fn read(id: RuleId) -> Self {
        let (first, text) = id.page().split_once('\n').unwrap_or_default();
        let mut words = first.trim_start_matches("<!-- ").trim_end_matches(" -->").splitn(3, ' ');
        let (kind, scope, looks) = (words.next(), words.next().unwrap_or_default(), words.next().unwrap_or_default());
        Self {
            id,
            kind: match kind {
                Some("warn") => RuleKind::Rule(RuleLevel::Warn),
                Some("notice") => RuleKind::Notice,
                Some("fault") => RuleKind::Fault,
                Some("word") => RuleKind::Word,
                Some("ledger") => RuleKind::Ledger,
                _ => RuleKind::Rule(RuleLevel::Hold),
            },
            scope,
            looks,
            text,
        }
    }

    /// The rule of that id.
    #[must_use]
    pub fn of(id: RuleId) -> &'static Self {
        &RULES[id as usize]
    }

    /// The rule of that word.
    ///
    /// # Errors
    /// There is none; it says which is nearest.
    pub fn named(word: &str) -> Result<&'static Self, String> {
        RuleId::from_word(word).map(Self::of).ok_or_else(|| {
            let near = did_you_mean(word, RuleId::ALL.iter().map(|id| id.as_str()));
            format!("`{word}` is no rule{near}")
        })
    }

    /// Its title, one line.
    #[must_use]
    pub fn title(&self) -> &'static str {
        self.text.lines().next().unwrap_or_default().trim_start_matches("# ")
    }

    /// What it sees, why that matters, and what to do.
    #[must_use]
    pub fn about(&self) -> &'static str {
        let (_, about) = self.text[..self.text.len() - self.examples().len()].split_once('\n').unwrap_or_default();
        about.trim()
    }

    /// Of each case an example that fires and one that does not, as its page has them.
    #[must_use]
    pub fn examples(&self) -> &'static str {
        self.text.find("## It fires").map_or("", |at| &self.text[at..])
    }

    /// The names of its cases; none where it has only one.
    pub fn cases(&self) -> impl Iterator<Item = &'static str> + use<> {
        self.text.lines().filter_map(|line| line.strip_prefix("## It fires: "))
    }

    /// Whether a person may let it go for an order.
    #[must_use]
    pub const fn can_be_accepted(&self) -> bool {
        matches!(self.kind, RuleKind::Rule(_) | RuleKind::Word)
    }

    /// The level by default; nothing where it has none.
    #[must_use]
    pub const fn default_level(&self) -> Option<RuleLevel> {
        match self.kind {
            RuleKind::Rule(level) => Some(level),
            RuleKind::Notice => Some(RuleLevel::Warn),
            RuleKind::Fault | RuleKind::Word | RuleKind::Ledger => None,
        }
    }
}
