//! A configuration to which lines were added as hints write them: `[check] ignore = ["MRP"]` on one line, below a file
//! that has a `[check]` already.

use toml::{Table, Value};

/// Whether a text can be read as a configuration, also with lines that were added as hints write them.
#[must_use]
pub fn is_configuration(text: &str) -> bool {
    text.parse::<Table>().is_ok() || put_together(text).is_some()
}

/// The whole as one table; nothing where that leaves a question, such as one name with two values.
pub(super) fn put_together(text: &str) -> Option<Table> {
    let mut parts = vec![String::new()];
    for line in text.lines() {
        let (section, rest) = parted(line);
        if line.trim_start().starts_with('[') {
            parts.push(String::new());
        }
        let part = parts.last_mut()?;
        part.extend([section, "\n", rest, "\n"]);
    }
    let mut whole = Table::new();
    for part in parts {
        merge(&mut whole, part.parse().ok()?)?;
    }
    Some(whole)
}

/// A line that begins with a section's name, and what stands behind it.
fn parted(line: &str) -> (&str, &str) {
    let start = line.trim_start();
    let end = start.find(']').filter(|_| start.starts_with('[') && !start.starts_with("[["));
    end.map_or((line, ""), |end| start.split_at(end + 1))
}

/// Puts one table into another: lists are added to, and nothing is overwritten.
fn merge(into: &mut Table, from: Table) -> Option<()> {
    for (name, value) in from {
        match (into.get_mut(&name), value) {
            (None, value) => drop(into.insert(name, value)),
            (Some(Value::Table(known)), Value::Table(more)) => merge(known, more)?,
            (Some(Value::Array(known)), Value::Array(more)) => {
                for item in more {
                    if !known.contains(&item) {
                        known.push(item);
                    }
                }
            }
            (Some(known), value) if *known == value => {}
            _ => return None,
        }
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_hints_join_their_sections() {
        let text = "api = \"v2\"\n[check]\nignore = [\"MRP\"]\n[defaults]\nwarehouseId = \"WH-1\" # [x] y\n\
                    [check] ignore = [\"Total\"] # both\n[check] ready = [\"Urgent\"]\n  [dates] formats = [\"%d/%m/%Y\"]\n";
        let plain = "api = \"v2\"\n[check]\nignore = [\"MRP\", \"Total\"]\nready = [\"Urgent\"]\n[defaults]\n\
                     warehouseId = \"WH-1\"\n[dates]\nformats = [\"%d/%m/%Y\"]\n";
        assert_eq!(put_together(text), plain.parse().ok());
    }

    #[test]
    fn what_leaves_a_question_is_nothing() {
        for text in ["[a] x = 1\n[a] x = 2\n", "[a] x = [1]\n[a] x = 2\n", "[a] x\n", "x = [\n[1], [2]\n]\n[a] x = 1"] {
            assert_eq!(put_together(text), None, "{text}");
        }
    }
}
