//! The words that people write, as data: what a remark, a status or a mark means.
//!
//! The phrases are TOML files under `templates/words`, compiled in: each phrase has its sense, where in a text it counts, and
//! what must not stand beside it. One tokenizer and one matcher read all of them.

mod ask;
mod file;
mod phrase;
mod read;
mod token;

#[cfg(test)]
mod tests;

use std::sync::LazyLock;

pub use ask::{
    About, about, is_marked, is_marked_product, is_return, may_speak, says_backwards, says_fetched, says_stop,
    says_unpaid,
};
pub use file::VocabularyError;
pub use read::{Hit, Reading};

use phrase::Phrases;
use token::Lexicon;

/// The topics that come with the program, one file each.
const BUILT_IN: [(&str, &str); 8] = [
    ("titles", include_str!("../../templates/words/titles.toml")),
    ("rows", include_str!("../../templates/words/rows.toml")),
    ("remarks", include_str!("../../templates/words/remarks.toml")),
    ("payment", include_str!("../../templates/words/payment.toml")),
    ("fetched", include_str!("../../templates/words/fetched.toml")),
    ("kinds", include_str!("../../templates/words/kinds.toml")),
    ("marks", include_str!("../../templates/words/marks.toml")),
    ("headers", include_str!("../../templates/words/headers.toml")),
];

/// All phrases of all topics, ready to be looked for.
#[derive(Debug)]
pub struct Vocabulary {
    lexicon: Lexicon,
    topics: Vec<(String, Phrases)>,
}

/// The phrases that come with the program.
static OURS: LazyLock<Vocabulary> =
    LazyLock::new(|| Vocabulary::parse(&BUILT_IN).unwrap_or_else(|_| Vocabulary::empty()));

impl Vocabulary {
    /// The vocabulary that comes with the program.
    #[must_use]
    pub fn built_in() -> &'static Self {
        &OURS
    }

    /// Reads the files of several topics: each a name and a text in TOML.
    ///
    /// # Errors
    /// A text that is no vocabulary; it says where.
    pub fn parse(files: &[(&str, &str)]) -> Result<Self, VocabularyError> {
        let mut lexicon = Lexicon::default();
        let topics = files
            .iter()
            .map(|(topic, text)| Ok(((*topic).to_owned(), file::parse(topic, text, &mut lexicon)?)))
            .collect::<Result<_, VocabularyError>>()?;
        Ok(Self { lexicon, topics })
    }

    fn empty() -> Self {
        Self { lexicon: Lexicon::default(), topics: Vec::new() }
    }

    /// What a text says on a topic. A topic that is not there says nothing.
    #[must_use]
    pub fn read(&self, topic: &str, text: &str) -> Reading<'_> {
        let Some(phrases) = self.topic(topic) else { return Reading::default() };
        // Names and addresses are many, and hardly any is marked: of the others the first word is enough.
        let is_plain = phrases.needs_marks() && !token::may_set_off(text);
        let text = if is_plain { text.split_whitespace().next().unwrap_or_default() } else { text };
        read::read(phrases, &self.lexicon.tokens(text))
    }

    /// What a text says on two topics, taken apart once.
    #[must_use]
    pub fn read_both(&self, topics: [&str; 2], text: &str) -> [Reading<'_>; 2] {
        let tokens = self.lexicon.tokens(text);
        topics.map(|topic| self.topic(topic).map(|phrases| read::read(phrases, &tokens)).unwrap_or_default())
    }

    fn topic(&self, name: &str) -> Option<&Phrases> {
        self.topics.iter().find(|(topic, _)| topic == name).map(|(_, phrases)| phrases)
    }
}
