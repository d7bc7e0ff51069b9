//! An answer's JSON as it came: every digit of a number, and names that stand twice.

use std::fmt;

use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

/// What lies deeper than this is kept as its text.
const DEPTH_MAX: u8 = 32;

/// A JSON value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Json {
    /// `null`.
    Null,
    /// `true` or `false`.
    Flag(bool),
    /// A number, digit for digit.
    Number(String),
    /// A text.
    Text(String),
    /// A list.
    List(Vec<Json>),
    /// Names and values, in their order; a name may stand twice.
    Object(Vec<(String, Json)>),
}

impl Json {
    /// Reads a body; none where it is no JSON.
    #[must_use]
    pub fn parse(body: &[u8]) -> Option<Self> {
        let raw: &RawValue = serde_json::from_slice(body).ok()?;
        Self::of(raw.get(), 0)
    }

    fn of(raw: &str, depth: u8) -> Option<Self> {
        Some(match raw.as_bytes().first()? {
            b'{' | b'[' if depth == DEPTH_MAX => Self::Text(raw.to_owned()),
            b'{' => {
                let Pairs(pairs) = serde_json::from_str(raw).ok()?;
                let pair = |(name, raw): (String, &RawValue)| Some((name, Self::of(raw.get(), depth + 1)?));
                Self::Object(pairs.into_iter().map(pair).collect::<Option<_>>()?)
            }
            b'[' => {
                let items: Vec<&RawValue> = serde_json::from_str(raw).ok()?;
                Self::List(items.into_iter().map(|raw| Self::of(raw.get(), depth + 1)).collect::<Option<_>>()?)
            }
            b'"' => Self::Text(serde_json::from_str(raw).ok()?),
            b'n' => Self::Null,
            b't' => Self::Flag(true),
            b'f' => Self::Flag(false),
            _ => Self::Number(raw.to_owned()),
        })
    }

    /// The value of a name; none where there is none. Of a name that stands twice nobody knows which value is meant: the
    /// last is given, and [`is_ambiguous`](Self::is_ambiguous) tells.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Self> {
        let Self::Object(pairs) = self else { return None };
        pairs.iter().rev().find(|(own, _)| own == name).map(|(_, value)| value)
    }

    /// The value at a JSON pointer.
    #[must_use]
    pub fn at(&self, pointer: &str) -> Option<&Self> {
        steps(pointer).try_fold(self, |json, step| json.step(&step))
    }

    fn step(&self, step: &str) -> Option<&Self> {
        match self {
            Self::List(items) => items.get(step.parse::<usize>().ok()?),
            _ => self.get(step),
        }
    }

    /// Whether nobody knows which value a pointer means: a name on its way stands twice, or a list on its way has several
    /// values.
    #[must_use]
    pub fn is_ambiguous(&self, pointer: &str) -> bool {
        let mut json = self;
        for step in steps(pointer) {
            let is_one_of_several = match json {
                Self::Object(pairs) => pairs.iter().filter(|(name, _)| *name == step).count() > 1,
                Self::List(items) => items.len() > 1,
                _ => false,
            };
            if is_one_of_several {
                return true;
            }
            let Some(next) = json.step(&step) else { return false };
            json = next;
        }
        false
    }

    /// A text without the blanks around it, or a number; none where it says nothing.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) | Self::Number(text) => Some(text.trim()).filter(|text| !text.is_empty()),
            _ => None,
        }
    }

    /// Whether it is a list.
    #[must_use]
    pub const fn is_list(&self) -> bool {
        matches!(self, Self::List(_))
    }

    /// Whether it says nothing at all. Services write `0` for `false`, and both for nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        match self {
            Self::Null | Self::Flag(false) => true,
            Self::Number(digits) => is_zero(digits),
            Self::Text(text) => text.trim().is_empty(),
            Self::List(items) => items.is_empty(),
            Self::Object(pairs) => pairs.is_empty(),
            Self::Flag(true) => false,
        }
    }

    /// Each value with its pointer, the outer ones first.
    pub fn each<'j>(&'j self, visit: &mut dyn FnMut(&str, &'j Self)) {
        let mut open = vec![(String::new(), self)];
        let mut next = 0;
        while let Some((pointer, json)) = open.get(next).cloned() {
            visit(&pointer, json);
            match json {
                Self::Object(pairs) => {
                    open.extend(pairs.iter().map(|(name, value)| (format!("{pointer}/{}", as_step(name)), value)));
                }
                Self::List(items) => {
                    open.extend(items.iter().enumerate().map(|(n, item)| (format!("{pointer}/{n}"), item)));
                }
                _ => {}
            }
            next += 1;
        }
    }
}

/// Whether a number is nought, however it is written.
pub(super) fn is_zero(digits: &str) -> bool {
    digits.split(['e', 'E']).next().is_some_and(|digits| !digits.contains(|c: char| ('1'..='9').contains(&c)))
}

/// As JSON without blanks.
impl fmt::Display for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let quoted = |text: &str| serde_json::Value::from(text).to_string();
        match self {
            Self::Null => f.write_str("null"),
            Self::Flag(flag) => write!(f, "{flag}"),
            Self::Number(digits) => f.write_str(digits),
            Self::Text(text) => f.write_str(&quoted(text)),
            Self::List(items) => {
                f.write_str("[")?;
                for (n, item) in items.iter().enumerate() {
                    write!(f, "{}{item}", if n == 0 { "" } else { "," })?;
                }
                f.write_str("]")
            }
            Self::Object(pairs) => {
                f.write_str("{")?;
                for (n, (name, value)) in pairs.iter().enumerate() {
                    write!(f, "{}{}:{value}", if n == 0 { "" } else { "," }, quoted(name))?;
                }
                f.write_str("}")
            }
        }
    }
}

/// The names and places of a pointer.
fn steps(pointer: &str) -> impl Iterator<Item = String> {
    pointer.split('/').skip(1).map(|step| step.replace("~1", "/").replace("~0", "~"))
}

/// A pointer as people write it: `/data/awb`, `data.awb`, `$.data[0].awb` and `awb` are understood alike.
#[must_use]
pub fn pointer(text: &str) -> String {
    let text = text.trim();
    if text.is_empty() || text.starts_with('/') {
        return text.to_owned();
    }
    let plain = text.trim_start_matches('$').replace(['[', ']'], ".");
    let steps = plain.split('.').map(|step| step.trim_matches(['"', '\''])).filter(|step| !step.is_empty());
    steps.fold(String::new(), |pointer, step| pointer + "/" + &as_step(step))
}

/// A name as a pointer writes it.
fn as_step(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

/// The pairs of an object, all of them.
struct Pairs<'j>(Vec<(String, &'j RawValue)>);

impl<'de> Deserialize<'de> for Pairs<'de> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Each;
        impl<'de> Visitor<'de> for Each {
            type Value = Pairs<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut pairs = Vec::new();
                while let Some(pair) = map.next_entry()? {
                    pairs.push(pair);
                }
                Ok(Pairs(pairs))
            }
        }
        from.deserialize_map(Each)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_and_names_stay_as_they_came() {
        let body =
            br#" {"a":{"n":123456789012345678901234567890,"d":54.20,"t":"\u00e9"},"a":[1,{"x/y":true}],"z":null} "#;
        let json = Json::parse(body).unwrap();
        assert!(json.is_ambiguous("/a/n") && !json.is_ambiguous("/z") && !json.is_ambiguous("/nothing"));
        let listed = Json::parse(br#"{"one":[{"a":1}],"two":[{"a":1},{"a":2}]}"#).unwrap();
        assert!(!listed.is_ambiguous("/one/0/a") && listed.is_ambiguous("/two/0/a") && !listed.is_ambiguous("/two"));
        assert_eq!(json.at("/a/1/x~1y"), Some(&Json::Flag(true)), "the last of two counts");
        assert_eq!((json.at("/z"), json.at("/z/b"), json.at("/a/7")), (Some(&Json::Null), None, None));
        let same = r#"{"a":{"n":123456789012345678901234567890,"d":54.20,"t":"é"},"a":[1,{"x/y":true}],"z":null}"#;
        assert_eq!(json.to_string(), same);
        for wrong in ["", "{", "{} {}", "<html>", "{\"a\":}", "\u{feff}{}"] {
            assert_eq!(Json::parse(wrong.as_bytes()), None, "{wrong}");
        }
        let deep = "[".repeat(5_000) + &"]".repeat(5_000);
        assert!(Json::parse(deep.as_bytes()).is_some_and(|json| json.to_string().contains('"')));
        let mut pointers = Vec::new();
        Json::parse(br#"{"a":{"b":[1]},"c":2}"#).unwrap().each(&mut |pointer, _| pointers.push(pointer.to_owned()));
        assert_eq!(pointers, ["", "/a", "/c", "/a/b", "/a/b/0"]);
    }

    #[test]
    fn pointers_are_understood_as_people_write_them() {
        for (written, meant) in [
            ("", ""),
            ("/data/awb", "/data/awb"),
            ("awbNumber", "/awbNumber"),
            ("data.awb", "/data/awb"),
            (" $.data[0].awb ", "/data/0/awb"),
            ("$", ""),
            ("['a'].b", "/a/b"),
            ("a/b.c", "/a~1b/c"),
        ] {
            assert_eq!(pointer(written), meant, "{written}");
        }
    }
}
