//! The meanings of a column's values: how orders are paid, or whether they go, as a person says it once for each layout.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use toml_edit::{Array, DocumentMut, Item, Table, TableLike, TomlError, value};

use crate::field::normalised;

/// A value as it is compared: a question mark or a cross is a part of what it says.
fn plain(text: &str) -> String {
    let words = text.split_whitespace().map(|word| word.trim_matches(['.', ',', ';', ':']).to_lowercase());
    words.filter(|word| !word.is_empty()).collect::<Vec<String>>().join(" ")
}

/// The meaning of a value for its order; of those of one kind the one that sends it stands first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Meaning {
    /// It is paid.
    Paid,
    /// The courier collects the money.
    Collect,
    /// It is not paid yet, and stays.
    Unpaid,
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
    pub const OF_PAYMENT: [Self; 3] = [Self::Paid, Self::Collect, Self::Unpaid];
    /// Those of a column that says whether orders go.
    pub const OF_STATE: [Self; 4] = [Self::Go, Self::Hold, Self::Cancelled, Self::Sent];

    /// The word for it in profiles.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Paid => "paid",
            Self::Collect => "collect",
            Self::Unpaid => "unpaid",
            Self::Go => "go",
            Self::Hold => "hold",
            Self::Cancelled => "cancelled",
            Self::Sent => "sent",
        }
    }
}

/// The values of one column by what they mean, as a profile has them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub struct ColumnValues(BTreeMap<Meaning, Vec<String>>);

impl ColumnValues {
    /// The meaning of a value, whatever its case and the signs behind its words. Of several the one that sends least holds.
    #[must_use]
    pub fn meaning(&self, text: &str) -> Option<Meaning> {
        let plain = plain(text);
        self.all().filter(|(_, word)| self::plain(word) == plain).map(|(meaning, _)| meaning).max()
    }

    /// Every value with its meaning.
    pub fn all(&self) -> impl Iterator<Item = (Meaning, &String)> {
        self.0.iter().flat_map(|(meaning, words)| words.iter().map(|word| (*meaning, word)))
    }

    /// Whether they say how orders are paid.
    pub(crate) fn are_payments(&self) -> bool {
        self.0.keys().any(|meaning| Meaning::OF_PAYMENT.contains(meaning))
    }

    /// Why a profile cannot have them.
    pub(super) fn fault(&self) -> Option<&'static str> {
        let of_state = self.0.keys().any(|meaning| Meaning::OF_STATE.contains(meaning));
        let is_blank = self.all().any(|(_, word)| word.trim().is_empty());
        match () {
            () if self.are_payments() && of_state => Some(
                "has words of payment (paid, collect, unpaid) beside words of state (go, hold, cancelled, sent); a column has \
                 only one kind",
            ),
            () if is_blank => Some("has a blank value, which means nothing"),
            () => None,
        }
    }

    /// The text of a profile with what more values of a column mean; what was said of these before no longer holds. Without any the
    /// column is passed over from now on.
    ///
    /// # Errors
    /// The text is no profile.
    pub(super) fn add_to(text: &str, header: &str, said: Option<&[(String, Meaning)]>) -> Result<String, String> {
        let mut document: DocumentMut = text.parse().map_err(|error: TomlError| error.to_string())?;
        let no_table = || "[values] is no table".to_owned();
        let Some(said) = said else {
            if let Some(values) = document.get_mut("values").and_then(Item::as_table_like_mut) {
                for key in keys(values, header) {
                    values.remove(&key);
                }
            }
            let ignored = document.entry("ignore").or_insert_with(|| value(Array::new()));
            ignored.as_array_mut().ok_or_else(|| "ignore is no list".to_owned())?.push(header);
            return Ok(document.to_string());
        };
        let is_new = document.get("values").is_none();
        let values = document.entry("values").or_insert_with(|| Item::Table(Table::new()));
        if let Some(table) = values.as_table_mut().filter(|_| is_new) {
            table.set_implicit(true);
        }
        let values = values.as_table_like_mut().ok_or_else(no_table)?;
        let key = keys(values, header).into_iter().next().unwrap_or_else(|| header.to_owned());
        let column = values.entry(&key).or_insert_with(|| Item::Table(Table::new()));
        let column = column.as_table_like_mut().ok_or_else(no_table)?;
        for (text, meaning) in said {
            for (_, words) in column.iter_mut() {
                if let Some(words) = words.as_array_mut() {
                    words.retain(|word| word.as_str().map(plain) != Some(plain(text)));
                }
            }
            let words = column.entry(meaning.as_str()).or_insert_with(|| value(Array::new()));
            if let Some(words) = words.as_array_mut() {
                words.push(text.as_str());
            }
        }
        Ok(document.to_string())
    }
}

/// The text of a profile by which rows without an order number are products of the order above.
///
/// # Errors
/// The text is no profile.
pub(super) fn with_lines_below(text: &str) -> Result<String, String> {
    let mut document: DocumentMut = text.parse().map_err(|error: TomlError| error.to_string())?;
    document.insert("fill_down", value(true));
    Ok(document.to_string())
}

/// The keys under which a table has the column of a header.
fn keys(values: &dyn TableLike, header: &str) -> Vec<String> {
    let is_it = |key: &&str| normalised(key) == normalised(header);
    values.iter().map(|(key, _)| key).filter(is_it).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::Profile;

    #[test]
    fn what_is_said_of_values_is_added_to_a_profile_as_it_stands() {
        let text = "name = \"laden\" # mine\n\n[values.\"Zahlungsart\"]\npaid = [\"Rechnung\"]\n";
        let said = [("Nachnahme".to_owned(), Meaning::Collect), ("Rechnung".to_owned(), Meaning::Unpaid)];
        let text = ColumnValues::add_to(text, "Zahlungsart", Some(&said)).unwrap();
        assert!(text.starts_with("name = \"laden\" # mine\n"), "{text}");
        let said = [("Annulé".to_owned(), Meaning::Cancelled)];
        let text = ColumnValues::add_to(&text, "Statut", Some(&said)).unwrap();
        let profile = Profile::parse("laden", &text).unwrap();
        let meaning = |header: &str, value: &str| profile.values[header].meaning(value);
        assert_eq!(meaning("Zahlungsart", "nachnahme "), Some(Meaning::Collect));
        assert_eq!(meaning("Zahlungsart", "RECHNUNG"), Some(Meaning::Unpaid));
        assert_eq!(meaning("Zahlungsart", "Vorkasse"), None);
        assert_eq!(meaning("Statut", "annulé"), Some(Meaning::Cancelled));
        let text = ColumnValues::add_to(&text, "Statut", None).unwrap();
        assert!(text.contains("ignore = [\"Statut\"]") && !text.contains("[values.Statut]"), "{text}");
        assert!(profile.values["Zahlungsart"].are_payments() && !profile.values["Statut"].are_payments());
    }

    #[test]
    fn a_doubt_is_a_part_of_what_a_value_says() {
        let profile =
            Profile::parse("x", "[values.Status]\ngo = [\"Fertig\", \"parked\"]\nhold = [\"Parked.\"]\n").unwrap();
        let meaning = |text: &str| profile.values["Status"].meaning(text);
        assert_eq!((meaning(" FERTIG. "), meaning("Fertig?"), meaning("❌ Fertig")), (Some(Meaning::Go), None, None));
        assert_eq!(meaning("parked"), Some(Meaning::Hold), "of two meanings the one that sends least");
        let text = "[values.Status]\nhold = [\"ON HOLD\"]\n";
        let text = ColumnValues::add_to(text, "STATUS", Some(&[("on hold".to_owned(), Meaning::Cancelled)])).unwrap();
        let profile = Profile::parse("x", &text).unwrap();
        assert_eq!(profile.values.len(), 1, "{text}");
        assert_eq!(profile.values["Status"].meaning("On Hold"), Some(Meaning::Cancelled), "{text}");
    }

    #[test]
    fn a_column_has_values_of_one_kind() {
        for (values, why) in [
            ("paid = [\"x\"]\ngo = [\"y\"]", "only one kind"),
            ("paid = [\" \"]", "blank value"),
            ("prepaid = [\"x\"]", "`prepaid` is not accepted here"),
        ] {
            let error = Profile::parse("x", &format!("[values.\"Pay\"]\n{values}\n")).unwrap_err();
            assert!(error.to_string().contains(why), "{error}");
        }
    }
}
