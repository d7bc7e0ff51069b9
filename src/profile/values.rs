//! The meanings of a column's values: how orders are paid, or whether they go, as a person says it once for each layout.

use std::collections::{BTreeMap, HashMap};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A value as it is compared: a question mark or a cross is a part of what it says.
pub(super) fn plain(text: &str) -> String {
    let words = text.split_whitespace().map(|word| word.trim_matches(['.', ',', ';', ':']).to_lowercase());
    words.filter(|word| !word.is_empty()).collect::<Vec<String>>().join(" ")
}

/// The meaning of a value for its order; of those of one kind the one that sends it stands first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Meaning {
    /// It is paid.
    Paid,
    /// The courier collects the money.
    Collect,
    /// It is not paid yet, and stays.
    Unpaid,
    /// It goes on credit: the courier collects nothing, and what is open is settled otherwise.
    OnCredit,
    /// A part of it is paid, and the courier collects the rest.
    Rest,
    /// It goes.
    Go,
    /// It stays for now.
    Hold,
    /// It is cancelled.
    Cancelled,
    /// It was sent before.
    Sent,
}

impl Meaning {
    /// Those of a column that says how orders are paid.
    pub const OF_PAYMENT: [Self; 4] = [Self::Paid, Self::Collect, Self::Unpaid, Self::OnCredit];
    /// The one of an amount paid in advance or still due, whatever it is.
    pub const OF_PART: [Self; 1] = [Self::Rest];
    /// Those of a column that says whether orders go.
    pub const OF_STATE: [Self; 4] = [Self::Go, Self::Hold, Self::Cancelled, Self::Sent];
    /// Those of remarks, of which one may say that its order is paid.
    pub const OF_REMARK: [Self; 5] = [Self::Go, Self::Hold, Self::Cancelled, Self::Sent, Self::Paid];

    /// The word for it in profiles.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Paid => "paid",
            Self::Collect => "collect",
            Self::Unpaid => "unpaid",
            Self::OnCredit => "on-credit",
            Self::Rest => "rest",
            Self::Go => "go",
            Self::Hold => "hold",
            Self::Cancelled => "cancelled",
            Self::Sent => "sent",
        }
    }
}

/// A value in which each figure is `0`; nothing where it has none, or no word beside them.
fn without_figures(text: &str) -> Option<String> {
    let has_both = text.contains(char::is_numeric) && text.contains(char::is_alphabetic);
    let parts = text.split(char::is_numeric).filter(|part| !part.is_empty());
    has_both.then(|| parts.collect::<Vec<_>>().join("0"))
}

/// A value that stands in a profile for every other one of its column.
pub(crate) const ANY_OTHER: &str = "*";

/// The values of one column by what they mean, as a profile has them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(from = "BTreeMap<Meaning, Vec<String>>")]
pub struct ColumnValues {
    written: BTreeMap<Meaning, Vec<String>>,
    /// By the values as they are compared. Of several meanings the one that sends least holds.
    meanings: HashMap<String, Meaning>,
    /// Those that keep an order back, by the same without their figures.
    kept_back: HashMap<String, Meaning>,
}

impl From<BTreeMap<Meaning, Vec<String>>> for ColumnValues {
    fn from(written: BTreeMap<Meaning, Vec<String>>) -> Self {
        let all = written.iter().flat_map(|(meaning, words)| words.iter().map(|word| (plain(word), *meaning)));
        let meanings: HashMap<String, Meaning> = all.collect();
        let mut kept_back = HashMap::new();
        for (word, meaning) in meanings.iter().filter(|(_, meaning)| matches!(meaning, Meaning::Hold | Meaning::Sent)) {
            if let Some(word) = without_figures(word) {
                kept_back.entry(word).and_modify(|own| *own = *meaning.max(own)).or_insert(*meaning);
            }
        }
        Self { written, meanings, kept_back }
    }
}

impl ColumnValues {
    /// The meaning of a value, whatever its case and the signs behind its words. Where one keeps its order back, so do those that
    /// differ in figures alone: in the day on which it went, or in the number of its parcel.
    #[must_use]
    pub fn meaning(&self, text: &str) -> Option<Meaning> {
        let text = Some(plain(text)).filter(|text| !text.is_empty())?;
        let alike = || self.kept_back.get(&without_figures(&text)?);
        self.meanings.get(&text).or_else(alike).or_else(|| self.meanings.get(ANY_OTHER)).copied()
    }

    /// Every value with its meaning.
    pub fn all(&self) -> impl Iterator<Item = (Meaning, &String)> {
        self.written.iter().flat_map(|(meaning, words)| words.iter().map(|word| (*meaning, word)))
    }

    /// Whether they say how orders are paid. Beside words of state, paid is a remark.
    pub(crate) fn are_payments(&self) -> bool {
        self.has(&Meaning::OF_PAYMENT) && !self.has(&Meaning::OF_STATE)
    }

    /// Whether they may be those of remarks, of which none says how its order is to be paid.
    pub(crate) fn may_be_remarks(&self) -> bool {
        !self.has(&[Meaning::Collect, Meaning::Unpaid, Meaning::OnCredit, Meaning::Rest])
    }

    /// Whether they are amounts paid in advance, or still due, of orders whose rest the courier collects.
    pub(crate) fn collects_rest(&self) -> bool {
        self.has(&Meaning::OF_PART)
    }

    fn has(&self, meanings: &[Meaning]) -> bool {
        self.written.keys().any(|meaning| meanings.contains(meaning))
    }

    /// Why a profile cannot have them.
    pub(super) fn fault(&self) -> Option<&'static str> {
        let is_of_both = !self.may_be_remarks() && self.has(&Meaning::OF_STATE);
        let is_blank = self.all().any(|(_, word)| word.trim().is_empty());
        match () {
            () if is_of_both => Some(
                "has words of payment (collect, unpaid, on-credit, rest) beside words of state (go, hold, cancelled, sent); a \
                 column has only one kind",
            ),
            () if is_blank => Some("has a blank value, which means nothing"),
            () => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::Profile;

    #[test]
    fn a_doubt_is_a_part_of_what_a_value_says() {
        let profile =
            Profile::parse("x", "[values.Status]\ngo = [\"Fertig\", \"parked\"]\nhold = [\"Parked.\"]\n").unwrap();
        let meaning = |text: &str| profile.values["Status"].meaning(text);
        assert_eq!((meaning(" FERTIG. "), meaning("Fertig?"), meaning("❌ Fertig")), (Some(Meaning::Go), None, None));
        assert_eq!(meaning("parked"), Some(Meaning::Hold), "of two meanings the one that sends least");
        let profile = Profile::parse("x", "[values.Notes]\ngo = [\"*\"]\nhold = [\"ask Ravi\"]\n").unwrap();
        let meaning = |text: &str| profile.values["Notes"].meaning(text);
        assert_eq!((meaning("Ask Ravi"), meaning("blue thread")), (Some(Meaning::Hold), Some(Meaning::Go)));
        assert_eq!(meaning(" "), None);
    }

    #[test]
    fn what_keeps_an_order_back_does_so_on_any_day() {
        let notes = "[values.Notes]\nsent = [\"18/11 को डाक से\", \"LR 660218\"]\ngo = [\"nach dem 20.11.\", \"7\"]\nhold = [\"2 Tage\"]\n";
        let profile = Profile::parse("x", notes).unwrap();
        let meaning = |text: &str| profile.values["Notes"].meaning(text);
        let sent = Some(Meaning::Sent);
        assert_eq!((meaning("23/11 को डाक से"), meaning("lr 7"), meaning("3 tage")), (sent, sent, Some(Meaning::Hold)));
        assert_eq!(
            (meaning("nach dem 25.12."), meaning("8"), meaning("LR"), meaning("660218")),
            (None, None, None, None)
        );
    }

    #[test]
    fn a_column_has_values_of_one_kind() {
        for (values, why) in [
            ("collect = [\"x\"]\ngo = [\"y\"]", "only one kind"),
            ("paid = [\" \"]", "blank value"),
            ("prepaid = [\"x\"]", "`prepaid` is not accepted here"),
        ] {
            let error = Profile::parse("x", &format!("[values.\"Pay\"]\n{values}\n")).unwrap_err();
            assert!(error.to_string().contains(why), "{error}");
        }
    }
}
