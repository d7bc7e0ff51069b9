//! What a configuration file says, setting by setting, as far as it can be read at all.

use toml::Value;
use toml::de::{DeTable, DeValue};

use super::added::put_together;
use super::table::is_value;

/// A setting as it is written.
#[derive(Debug, Clone)]
pub(super) struct Written {
    /// Its section, `booking` or `notify.owner`; empty above the first one.
    pub(super) section: String,
    pub(super) name: String,
    pub(super) value: String,
    /// The line that it begins on; nothing where lines had to be put together first.
    pub(super) line: Option<usize>,
}

/// Every setting of a text. Where it is no TOML, those that are there before and behind the mistake.
pub(super) fn settings(text: &str) -> Vec<Written> {
    let joined = if text.parse::<toml::Table>().is_ok() { None } else { put_together(text) };
    let joined = joined.and_then(|table| toml::to_string(&table).ok());
    let mut found = Vec::new();
    let (whole, _) = DeTable::parse_recoverable(joined.as_deref().unwrap_or(text));
    collect(joined.as_deref().unwrap_or(text), "", whole.get_ref(), &mut found);
    if joined.is_some() {
        for own in &mut found {
            own.line = None;
        }
    }
    found
}

fn collect(text: &str, section: &str, table: &DeTable<'_>, found: &mut Vec<Written>) {
    for (key, value) in table {
        let name: &str = key.get_ref();
        match value.get_ref() {
            DeValue::Table(below) if !is_value(section, name) => {
                let below_it = if section.is_empty() { name.to_owned() } else { format!("{section}.{name}") };
                collect(text, &below_it, below, found);
            }
            _ => found.push(Written {
                section: section.to_owned(),
                name: name.to_owned(),
                value: on_one_line(text.get(value.span()).unwrap_or_default()),
                line: text.get(..key.span().start).map(|before| before.matches('\n').count() + 1),
            }),
        }
    }
}

/// A value as it is written, on one line.
fn on_one_line(value: &str) -> String {
    if !value.contains('\n') {
        return value.to_owned();
    }
    value.parse::<Value>().map_or_else(|_| "…".to_owned(), |value| value.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &str) -> Vec<String> {
        let line = |own: &Written| own.line.map_or_else(String::new, |line| format!(" {line}"));
        let found = settings(text);
        let mut said: Vec<String> =
            found.iter().map(|own| format!("[{}] {} = {}{}", own.section, own.name, own.value, line(own))).collect();
        said.sort();
        said
    }

    #[test]
    fn each_setting_tells_its_section_and_its_line() {
        let text = "base_url = \"x\"\n\n[booking]\nrate = 2.50 # fast\n[notify.owner]\nto = [\n  \"a@b\",\n]\n\
                    [serviceability]\npickup_pins = { a = \"1\" }\n";
        let expected = [
            "[] base_url = \"x\" 1",
            "[booking] rate = 2.50 4",
            "[notify.owner] to = [\"a@b\"] 6",
            "[serviceability] pickup_pins = { a = \"1\" } 10",
        ];
        assert_eq!(said(text), expected);
    }

    #[test]
    fn lines_that_were_added_are_put_together_first() {
        assert_eq!(
            said("[booking]\nrate = 2\n[booking] max_orders = 5\n"),
            ["[booking] max_orders = 5", "[booking] rate = 2"]
        );
    }

    #[test]
    fn a_mistake_takes_only_its_own_line_away() {
        let found = said("base_url = \"x\"\ntoken_file = /home/me\n[booking]\nrate = 2\n");
        assert!(found.contains(&"[] base_url = \"x\" 1".to_owned()), "{found:?}");
        assert!(found.contains(&"[booking] rate = 2 4".to_owned()), "{found:?}");
    }
}
