//! The facts that a finding carries for its sentences: a short list of names and values, in the order of the sentence.

use std::borrow::Cow;
use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::de::{MapAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::data::{Finding, Sentence};
use crate::origin::Place;
use crate::text::Decimal;

/// A fact.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Value {
    /// Whether something is so.
    Flag(bool),
    /// A count, a row, a year.
    Number(i64),
    /// A text of the sheet, a name, or an exact amount in plain digits.
    Text(String),
    /// Texts of one kind.
    List(Vec<String>),
    /// Sentences of other findings.
    Said(Vec<Sentence>),
}

/// Facts by their names.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, JsonSchema)]
pub struct Parameters(#[schemars(with = "BTreeMap<String, Value>")] Vec<(Cow<'static, str>, Value)>);

impl Parameters {
    /// The fact of that name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| value)
    }

    /// Sets a fact, if there is one to set.
    pub fn set(&mut self, name: impl Into<Cow<'static, str>>, fact: impl Fact) {
        let Some(value) = fact.value() else { return };
        let name = name.into();
        match self.0.iter_mut().find(|(known, _)| *known == name) {
            Some((_, known)) => *known = value,
            None => self.0.push((name, value)),
        }
    }

    /// Every fact.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.0.iter().map(|(name, value)| (name.as_ref(), value))
    }

    /// Whether there is none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Serialize for Parameters {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, value) in &self.0 {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for Parameters {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Facts;

        impl<'de> Visitor<'de> for Facts {
            type Value = Parameters;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object of facts")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Parameters, A::Error> {
                let mut facts = Vec::new();
                while let Some((name, value)) = map.next_entry::<String, Value>()? {
                    facts.push((Cow::Owned(name), value));
                }
                Ok(Parameters(facts))
            }
        }

        deserializer.deserialize_map(Facts)
    }
}

/// What a finding can carry as a parameter; nothing where there is nothing to say.
pub trait Fact {
    /// The fact as it is kept.
    fn value(self) -> Option<Value>;
}

impl Fact for Value {
    fn value(self) -> Option<Value> {
        Some(self)
    }
}

impl Fact for bool {
    fn value(self) -> Option<Value> {
        Some(Value::Flag(self))
    }
}

impl Fact for &str {
    fn value(self) -> Option<Value> {
        Some(Value::Text(self.to_owned()))
    }
}

impl Fact for String {
    fn value(self) -> Option<Value> {
        Some(Value::Text(self))
    }
}

impl Fact for &String {
    fn value(self) -> Option<Value> {
        Some(Value::Text(self.clone()))
    }
}

impl Fact for char {
    fn value(self) -> Option<Value> {
        Some(Value::Text(self.to_string()))
    }
}

impl Fact for Decimal {
    /// In plain digits, as exact as it is.
    fn value(self) -> Option<Value> {
        Some(Value::Text(self.to_string()))
    }
}

impl Fact for &Place {
    fn value(self) -> Option<Value> {
        Some(Value::Text(self.to_string()))
    }
}

impl Fact for Place {
    fn value(self) -> Option<Value> {
        Some(Value::Text(self.to_string()))
    }
}

impl Fact for Vec<String> {
    fn value(self) -> Option<Value> {
        Some(Value::List(self))
    }
}

impl Fact for Vec<&str> {
    fn value(self) -> Option<Value> {
        self.as_slice().value()
    }
}

impl<T: AsRef<str>> Fact for &[T] {
    fn value(self) -> Option<Value> {
        Some(Value::List(self.iter().map(|text| text.as_ref().to_owned()).collect()))
    }
}

impl Fact for &Finding {
    fn value(self) -> Option<Value> {
        Some(Value::Said(self.sentences()))
    }
}

impl Fact for Finding {
    fn value(self) -> Option<Value> {
        Some(Value::Said(self.sentences()))
    }
}

impl Fact for Vec<Finding> {
    fn value(self) -> Option<Value> {
        Some(Value::Said(self.iter().flat_map(Finding::sentences).collect()))
    }
}

impl<T: Fact> Fact for Option<T> {
    fn value(self) -> Option<Value> {
        self.and_then(Fact::value)
    }
}

/// Numbers of any width; more than fits is as good as the largest.
macro_rules! numbers {
    ($($type:ty),*) => {
        $(
            impl Fact for $type {
                fn value(self) -> Option<Value> {
                    Some(Value::Number(i64::try_from(self).unwrap_or(i64::MAX)))
                }
            }
        )*
    };
}

numbers!(u16, u32, u64, usize, i64);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_are_an_object_and_come_back_in_order() {
        let mut facts = Parameters::default();
        facts.set("zone", "IST");
        facts.set("digits", 5_usize);
        facts.set("names", &["a", "b"][..]);
        facts.set("near", None::<&str>);
        facts.set("whole", true);
        let json = serde_json::to_string(&facts).unwrap();
        assert_eq!(json, r#"{"zone":"IST","digits":5,"names":["a","b"],"whole":true}"#);
        assert_eq!(serde_json::from_str::<Parameters>(&json).unwrap(), facts);
    }
}
