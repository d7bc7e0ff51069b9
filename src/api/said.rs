//! What an answer says in words: its message, whether that is a no, and what of it is shown to people.

use super::json::{Json, is_zero};
use crate::words::{Topic, Vocabulary};

/// What of an answer is shown.
const SHOWN_CHARACTERS_MAX: usize = 300;

/// Controls, what has no width, what turns the direction of writing, and what stands for no sign at all.
pub(super) fn is_unprintable(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{ad}'
                | '\u{34f}'
                | '\u{61c}'
                | '\u{115f}'
                | '\u{1160}'
                | '\u{17b4}'
                | '\u{17b5}'
                | '\u{180b}'..='\u{180f}'
                | '\u{200b}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{3164}'
                | '\u{e000}'..='\u{f8ff}'
                | '\u{fe00}'..='\u{fe0f}'
                | '\u{feff}'
                | '\u{ffa0}'
                | '\u{fff0}'..='\u{ffff}'
                | '\u{e0000}'..='\u{10ffff}'
        )
}

/// `message`, `error`, `errors` or `detail`: a text, or a list of them, or an object with one of them.
pub(super) fn said(json: &Json) -> Option<String> {
    match json {
        Json::Text(text) => Some(text.clone()).filter(|text| !text.trim().is_empty()),
        Json::List(items) => {
            let mut texts: Vec<String> = Vec::new();
            for text in items.iter().filter_map(said) {
                if !texts.contains(&text) {
                    texts.push(text);
                }
            }
            (!texts.is_empty()).then(|| texts.join("; "))
        }
        Json::Object(_) => ["message", "error", "errors", "detail"].iter().find_map(|name| said(json.get(name)?)),
        _ => None,
    }
}

/// Whether an answer says with an error, a status or `success` that something was not done.
pub(super) fn is_error(json: &Json) -> bool {
    let is_failure = |text: &str| matches!(text.to_lowercase().as_str(), "error" | "failed" | "failure" | "fail");
    let is_code = |text: &str| text.parse::<u16>().is_ok_and(|code| (400..600).contains(&code));
    let tells =
        |names: &[&str], is_no: &dyn Fn(&Json) -> bool| names.iter().any(|name| json.get(name).is_some_and(is_no));
    tells(&["success", "ok"], &|value| is_flag(value, false))
        || tells(&["error", "errors"], &|value| !value.is_empty())
        || tells(&["status"], &|value| value.text().is_some_and(is_failure))
        || tells(&["statusCode", "status", "code"], &|value| value.text().is_some_and(is_code))
}

/// The same, or in the words of its message.
pub(super) fn says_no(json: &Json) -> bool {
    let is_denied = |name: &&str| json.get(name).and_then(Json::text).is_some_and(denies);
    is_error(json) || ["message", "detail", "reason"].iter().any(is_denied)
}

/// Whether a value is that flag, or the word for it; nought is false.
pub(super) fn is_flag(json: &Json, flag: bool) -> bool {
    match json {
        Json::Flag(own) => *own == flag,
        Json::Number(digits) => !flag && is_zero(digits),
        Json::Text(text) => text.trim().eq_ignore_ascii_case(if flag { "true" } else { "false" }),
        _ => false,
    }
}

/// Whether a text says that something was not, or cannot be, done.
pub(super) fn denies(text: &str) -> bool {
    let is_denial = |word: String| Topic::Values.lists("denial", &word);
    words(text).any(is_denial)
}

/// The words of a text, in small letters.
pub(super) fn words(text: &str) -> impl Iterator<Item = String> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase)
}

/// An answer as people are shown it: on one line, not too long, and without secrets.
pub(super) fn shown(body: &[u8]) -> String {
    let text = match (Json::parse(body), str::from_utf8(body)) {
        (Some(mut json), _) => {
            hide_secrets(&mut json);
            json.to_string()
        }
        (None, Ok(text)) if text.trim().is_empty() => return "empty".to_owned(),
        // A gateway answers with a page of its own.
        (None, Ok(text)) if text.trim_start().starts_with('<') => {
            let words = one_line(&without_tags(text));
            if words.is_empty() { "a web page".to_owned() } else { format!("a web page: {words}") }
        }
        (None, Ok(text)) => one_line(text),
        (None, Err(_)) => return format!("{} bytes that are no text", body.len()),
    };
    let text: String = text.chars().filter(|c| !is_unprintable(*c)).collect();
    match text.char_indices().nth(SHOWN_CHARACTERS_MAX) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether a value of that name is nobody's business; also as a part of a longer name.
pub(super) fn is_secret(name: &str) -> bool {
    Vocabulary::built_in().words_of(Topic::Values, "secret").any(|secret| name.contains(secret))
}

fn hide_secrets(json: &mut Json) {
    match json {
        Json::List(items) => items.iter_mut().for_each(hide_secrets),
        Json::Object(pairs) => {
            for (name, value) in pairs {
                let plain = plain(name);
                match value {
                    Json::Text(_) | Json::Number(_) if is_secret(&plain) => {
                        *value = Json::Text("(concealed)".to_owned());
                    }
                    value => hide_secrets(value),
                }
            }
        }
        // What follows a `?` in an address may open what lies there.
        Json::Text(text) if text.starts_with("http") => {
            if let Some(query) = text.find('?') {
                text.replace_range(query.., "?(concealed)");
            }
        }
        _ => {}
    }
}

/// A name without signs and capitals.
pub(super) fn plain(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// A page as a text.
pub(super) fn without_tags(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut inside = false;
    for c in text.chars() {
        match c {
            '<' => inside = true,
            '>' if inside => {
                inside = false;
                plain.push(' ');
            }
            _ if !inside => plain.push(c),
            _ => {}
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_shown_is_short_and_holds_no_secret() {
        for (body, seen) in [
            (r#"{ "accessToken": "canary", "n": 1 }"#, r#"{"accessToken":"(concealed)","n":1}"#),
            (
                r#"{"data": [{"x_api_key": 5, "url": "https://a.example/x?sig=canary"}]}"#,
                r#"{"data":[{"x_api_key":"(concealed)","url":"https://a.example/x?(concealed)"}]}"#,
            ),
            ("<html>\n  <b>Hi</b>\u{1b}[2J</html>", "a web page: Hi [2J"),
            ("", "empty"),
        ] {
            assert_eq!(shown(body.as_bytes()), seen);
        }
        assert_eq!(shown(&[0xff, 0xfe]), "2 bytes that are no text");
        assert_eq!(shown("é".repeat(1_000).as_bytes()).chars().count(), SHOWN_CHARACTERS_MAX + 1);
    }

    #[test]
    fn an_error_is_told_from_a_success() {
        let json = |text: &str| Json::parse(text.as_bytes()).unwrap();
        for error in [
            r#"{"error": "no such shipment"}"#,
            r#"{"success": "false"}"#,
            r#"{"errors": [{"a": 1}]}"#,
            r#"{"statusCode": "404"}"#,
            r#"{"status": 422}"#,
            r#"{"status": "FAILED"}"#,
        ] {
            assert!(is_error(&json(error)), "{error}");
        }
        for fine in [r#"{"error": null, "errors": [], "success": true, "status": 200, "code": "OK"}"#, "[]", "{}"] {
            assert!(!says_no(&json(fine)), "{fine}");
        }
        assert!(says_no(&json(r#"{"message": "No shipment found"}"#)));
    }
}
