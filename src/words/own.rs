//! Words that a person adds to the vocabulary, or takes out of it.

use std::fmt::Write as _;
use std::sync::Arc;

use serde::Deserialize;

use super::token::is_of_word;
use super::{BUILT_IN, Language, Topic, Vocabulary, VocabularyError};

/// A person's own words for remarks, from the configuration.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct OwnWords {
    /// A remark with one of these keeps its order back.
    pub hold: Vec<String>,
    /// These change nothing: what else a remark says counts.
    pub harmless: Vec<String>,
    /// Words of the program that do not count.
    pub remove: Vec<String>,
    /// The languages, beside English, in which remarks, states and the like are read; all where nothing is said.
    pub languages: Option<Vec<Language>>,
}

impl OwnWords {
    /// One that has no words.
    #[must_use]
    pub fn wordless(&self) -> Option<&str> {
        let lists = [&self.hold, &self.harmless, &self.remove];
        lists.into_iter().flatten().map(String::as_str).find(|text| plain(text).is_empty())
    }

    /// The vocabulary of the program with these words; nothing where there are none, so that the program's own holds.
    ///
    /// # Errors
    /// A text that is no vocabulary.
    pub fn vocabulary(&self) -> Result<Option<Arc<Vocabulary>>, VocabularyError> {
        if *self == Self::default() {
            return Ok(None);
        }
        let mut own = String::new();
        for (sense, texts) in
            [("own-hold", &self.hold), ("own-harmless", &self.harmless), ("own-removed", &self.remove)]
        {
            let texts: Vec<String> = texts.iter().map(|text| format!("\"{}\"", plain(text))).collect();
            // What is written into a text cannot fail.
            let _ = write!(own, "\n[[phrase]]\nsense = \"{sense}\"\nsay = [{}]\nalways = true\n", texts.join(", "));
        }
        let files = BUILT_IN.map(|(topic, name, text)| {
            (name, if topic == Topic::Remarks { format!("{text}{own}") } else { text.to_owned() })
        });
        let files = files.each_ref().map(|(name, text)| (*name, text.as_str()));
        Vocabulary::parse(&files, self.languages.as_deref()).map(|all| Some(Arc::new(all)))
    }
}

/// The words of a text, with a blank between them.
fn plain(text: &str) -> String {
    let words = text.split(|c: char| !is_of_word(c)).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join(" ").to_lowercase()
}
