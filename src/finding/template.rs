//! The little language of the catalogue's sentences, and the check that the compiler makes of each.
//!
//! - `{name}` is a parameter. `{name:and}`, `{name:or}` and `{name:,}` join a list, `{name:quoted and}` and
//!   `{name:quoted}` with each text in quotes; what several other findings say is such a list. `{name:count row}` is
//!   `1 row` or `2 rows`; `{name:goes|go}` is the first word where there is one and the second otherwise; `{name:money}`
//!   is an amount with its thousands apart, and `{name:toml}` is text as TOML takes it.
//! - `{?name}…{/name}` stands where there is such a fact, `{!name}…{/name}` where there is none; a flag that is off is none.
//! - `{1}` is the first remedy, in the words of the face; `{?1}…{/1}` stands where there is one and the face has words for it.
//! - `{accept}` is how the face says that the finding is accepted: `accept this`, or the name of a button.

use super::data::Sentence;
use super::parameters::{Parameters, Value};
use super::remedy::Remedy;
use crate::text::{count, list, money, toml_quoted};

/// Stands for the words in which a face says that a finding is accepted.
const ACCEPT: &str = "accept";

/// Refuses, at compile time, a sentence with a placeholder that is neither a parameter nor a remedy of its case.
pub(super) const fn check(template: &str, names: &[&str], remedies: usize) {
    let bytes = template.as_bytes();
    let (mut at, mut depth) = (0, 0);
    while at < bytes.len() {
        assert!(bytes[at] != b'}', "a brace is closed that was not opened");
        if bytes[at] != b'{' {
            at += 1;
            continue;
        }
        let mut start = at + 1;
        let sign = bytes[start];
        if sign == b'?' || sign == b'!' {
            depth += 1;
            start += 1;
        }
        if sign == b'/' {
            assert!(depth > 0, "a part is ended that was not begun");
            depth -= 1;
            start += 1;
        }
        let mut end = start;
        while bytes[end] != b'}' && bytes[end] != b':' {
            end += 1;
        }
        if bytes[start].is_ascii_digit() {
            let number = (bytes[start] - b'0') as usize;
            assert!(end == start + 1 && number > 0, "a remedy is named by one digit");
            // What stands on a condition may have a remedy that the site adds.
            assert!(depth > 0 || sign == b'/' || number <= remedies, "the case has no such remedy");
        } else {
            let is_known = is_among(bytes, start, end, names) || is_among(bytes, start, end, &[ACCEPT]);
            assert!(is_known, "the case has no such parameter");
        }
        while bytes[end] != b'}' {
            end += 1;
        }
        at = end + 1;
    }
    assert!(depth == 0, "a part is not ended");
}

const fn is_among(bytes: &[u8], start: usize, end: usize, names: &[&str]) -> bool {
    let mut index = 0;
    while index < names.len() {
        let name = names[index].as_bytes();
        let mut same = name.len() == end - start;
        let mut offset = 0;
        while same && offset < name.len() {
            same = name[offset] == bytes[start + offset];
            offset += 1;
        }
        if same {
            return true;
        }
        index += 1;
    }
    false
}

/// What a sentence is filled with.
#[derive(Clone, Copy)]
pub(super) struct Facts<'a> {
    pub(super) parameters: &'a Parameters,
    pub(super) remedies: &'a [Remedy],
    /// A remedy in the words of the face.
    pub(super) words: &'a dyn Fn(&Remedy) -> String,
    /// What another finding says.
    pub(super) said: &'a dyn Fn(&Sentence) -> String,
}

impl Facts<'_> {
    /// The sentence, filled.
    pub(super) fn fill(&self, template: &str) -> String {
        let mut out = String::with_capacity(template.len() + 32);
        self.write(template, &mut out);
        out
    }

    fn write(&self, template: &str, out: &mut String) {
        let mut rest = template;
        while let Some((before, after)) = rest.split_once('{') {
            out.push_str(before);
            let Some((placeholder, after)) = after.split_once('}') else { return out.push_str(after) };
            rest = after;
            if let Some(name) = placeholder.strip_prefix(['?', '!']) {
                let end = format!("{{/{name}}}");
                let Some((part, after)) = after.split_once(&end) else { return out.push_str(after) };
                if self.has(name) == placeholder.starts_with('?') {
                    self.write(part, out);
                }
                rest = after;
            } else {
                out.push_str(&self.shown(placeholder));
            }
        }
        out.push_str(rest);
    }

    fn has(&self, name: &str) -> bool {
        match self.remedy(name) {
            Some(remedy) => remedy.is_some_and(|remedy| !(self.words)(remedy).is_empty()),
            None => match self.parameters.get(name) {
                None | Some(Value::Flag(false)) => false,
                Some(Value::Text(text)) => !text.is_empty(),
                Some(Value::List(texts)) => !texts.is_empty(),
                Some(Value::Said(sentences)) => !sentences.is_empty(),
                Some(Value::Number(_) | Value::Flag(true)) => true,
            },
        }
    }

    /// The remedy of that number, where it is one.
    #[expect(clippy::option_option, reason = "no number is one thing, and a number without a remedy another")]
    fn remedy(&self, name: &str) -> Option<Option<&Remedy>> {
        let number: usize = name.parse().ok()?;
        Some(self.remedies.get(number.checked_sub(1)?))
    }

    fn shown(&self, placeholder: &str) -> String {
        if let Some(remedy) = self.remedy(placeholder) {
            return remedy.map(self.words).unwrap_or_default();
        }
        if placeholder == ACCEPT {
            return (self.words)(&Remedy::ACCEPTING);
        }
        let (name, form) = placeholder.split_once(':').unwrap_or((placeholder, ""));
        let Some(value) = self.parameters.get(name) else { return String::new() };
        self.in_form(value, form)
    }

    fn in_form(&self, value: &Value, form: &str) -> String {
        if let Some((one, several)) = form.split_once('|') {
            return if amount_of(value) == 1 { one } else { several }.to_owned();
        }
        if let Some(noun) = form.strip_prefix("count ") {
            return count(amount_of(value), noun);
        }
        match value {
            Value::Flag(flag) => flag.to_string(),
            Value::Number(number) => number.to_string(),
            Value::Text(text) if form == "money" => text.parse().map_or_else(|_| text.clone(), money),
            Value::Text(text) if form == "toml" => toml_quoted(text),
            Value::Text(text) => text.clone(),
            Value::List(texts) => several(texts, form),
            Value::Said(sentences) => {
                let texts: Vec<String> =
                    sentences.iter().map(|sentence| (self.said)(sentence)).filter(|text| !text.is_empty()).collect();
                if form.is_empty() { texts.join("; ") } else { several(&texts, form) }
            }
        }
    }
}

fn several(texts: &[String], form: &str) -> String {
    let each = |one: fn(&str) -> String| texts.iter().map(|text| one(text)).collect::<Vec<String>>();
    let quoted = |text: &str| format!("\"{text}\"");
    match form.strip_prefix("quoted ") {
        Some(last) => list(&each(quoted), last),
        None if form == "quoted" => each(quoted).join(", "),
        None if form == "toml" => each(toml_quoted).join(", "),
        None if form.is_empty() || form == "," => texts.join(", "),
        None => list(texts, form),
    }
}

fn amount_of(value: &Value) -> u64 {
    match value {
        Value::Number(number) => u64::try_from(*number).unwrap_or_default(),
        Value::List(texts) => texts.len() as u64,
        Value::Said(sentences) => sentences.len() as u64,
        Value::Flag(_) | Value::Text(_) => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_are_filled_with_facts() {
        let mut parameters = Parameters::default();
        parameters.set("digits", 5_usize);
        parameters.set("names", &["a", "b", "c"][..]);
        parameters.set("amount", "1234.5");
        parameters.set("one", &["x"][..]);
        parameters.set("off", false);
        let remedies = [Remedy::edit("27")];
        let words = |_: &Remedy| "write 27".to_owned();
        let said = |_: &Sentence| String::new();
        let facts = Facts { parameters: &parameters, remedies: &remedies, words: &words, said: &said };
        for (template, expected) in [
            ("has {digits} digits", "has 5 digits"),
            ("{names:and}; {names:quoted or}; {names}", "a, b and c; \"a\", \"b\" or \"c\"; a, b, c"),
            ("{names:count row}, {one:count row}, {digits:count order}", "3 rows, 1 row, 5 orders"),
            ("{names:quoted}; {names:toml}; {one:toml}", "\"a\", \"b\", \"c\"; \"a\", \"b\", \"c\"; \"x\""),
            ("{one:goes|go} and {names:goes|go}", "goes and go"),
            ("{amount:money}", "1,234.50"),
            ("a{?digits} b{/digits}{!digits} c{/digits}", "a b"),
            ("a{?near} b{/near}{!near} c{/near}{?off} d{/off}", "a c"),
            ("{?names}all {?near}no{/near}{digits}{/names}", "all 5"),
            ("{1}{?1}, once{/1}{?2}, twice{/2}", "write 27, once"),
        ] {
            assert_eq!(facts.fill(template), expected, "{template}");
        }
    }

    #[test]
    fn what_a_cell_holds_is_no_placeholder() {
        let mut parameters = Parameters::default();
        parameters.set("text", "{digits}{1}");
        let (words, said) = (|_: &Remedy| String::new(), |_: &Sentence| String::new());
        let facts = Facts { parameters: &parameters, remedies: &[], words: &words, said: &said };
        assert_eq!(facts.fill("found {text}"), "found {digits}{1}");
    }
}
