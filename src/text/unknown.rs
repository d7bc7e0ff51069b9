//! What is said of a word in a TOML file that nobody knows there.

use super::nearest;

/// A message of the TOML reader with what it says of unknown keys and words said plainly: the one that was probably meant, or
/// else those that there are. `belongs` tells where a key belongs that stands in the wrong place.
#[must_use]
pub fn plainly(message: &str, belongs: impl Fn(&str) -> Option<String>) -> String {
    let is_section = |key: &str| message.lines().any(|line| line.contains(&format!("| [{key}")));
    let said = |line: &str| {
        let unknown = |begin: &str| line.strip_prefix(begin)?.split_once("`, expected ");
        if let Some((word, known)) = unknown("unknown variant `") {
            return format!("`{word}` is not accepted here: write {known}");
        }
        let Some((key, known)) = unknown("unknown field `") else { return line.to_owned() };
        let (named, kind) =
            if is_section(key) { (format!("[{key}]"), "section") } else { (format!("`{key}`"), "setting") };
        if let Some(place) = belongs(key) {
            return format!("{named} is no {kind} here: it belongs {place}");
        }
        // The names stand between backticks.
        match nearest(key, known.split('`').skip(1).step_by(2)) {
            Some(near) if kind == "section" => format!("{named} is no section; did you mean [{near}]?"),
            Some(near) => format!("{named} is no setting here; did you mean `{near}`?"),
            None => format!("{named} is no {kind} here; there are {}", known.trim_start_matches("one of ")),
        }
    };
    message.lines().map(said).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Default, serde::Deserialize)]
    #[serde(deny_unknown_fields, default)]
    struct Written {
        rate: Option<f64>,
        token_file: Option<String>,
        booking: Option<Box<Written>>,
        phone: Option<Spelling>,
    }

    #[derive(Debug, serde::Deserialize)]
    #[serde(rename_all = "kebab-case")]
    enum Spelling {
        Usual,
        AsWritten,
    }

    #[track_caller]
    fn says(text: &str, said: &str) {
        let error = toml::from_str::<Written>(text).unwrap_err().to_string();
        let belongs = |key: &str| (key == "email").then(|| "under [auth]".to_owned());
        let plain = plainly(&error, belongs);
        assert!(plain.lines().any(|line| line == said), "{plain}");
        assert!(plain.contains(&format!("1 | {}", text.lines().next().unwrap())), "its line is quoted: {plain}");
    }

    #[test]
    fn the_word_that_was_meant_is_named() {
        says("tokn_file = \"x\"", "`tokn_file` is no setting here; did you mean `token_file`?");
        says("[bookng]\nrate = 1", "[bookng] is no section; did you mean [booking]?");
        says("email = \"x\"", "`email` is no setting here: it belongs under [auth]");
        let known = "`rate`, `token_file`, `booking`, `phone`";
        says("colour = 1", &format!("`colour` is no setting here; there are {known}"));
        says("phone = \"as-writen\"", "`as-writen` is not accepted here: write `usual` or `as-written`");
    }

    #[test]
    fn anything_else_stays_as_it_is() {
        let error = toml::from_str::<Written>("rate = \"fast\"").unwrap_err().to_string();
        assert_eq!(plainly(&error, |_| None), error.trim_end());
    }
}
