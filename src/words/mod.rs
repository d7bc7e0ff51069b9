//! The words that people write, as data: what a remark, a status or a mark means.
//!
//! The phrases are TOML files under `templates/words`, compiled in: each phrase has its sense, where in a text it counts, and
//! what must not stand beside it. One tokenizer and one matcher read all of them.

mod remark;
mod file;
mod header;
mod own;
mod phrase;
mod matcher;
mod token;

use std::sync::LazyLock;

pub use file::{Language, VocabularyError};
pub use header::{Header, Headers, Said};
pub use matcher::{Hit, PhraseHits};
pub use own::OwnWords;
pub use remark::{Remark, is_marked, may_speak};

use phrase::Phrases;
use token::{Lexicon, Token, Tokens, WordId};

/// What texts are read for, with a file of phrases each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Topic {
    /// Titles between rows, and names of worksheets.
    Titles,
    /// Rows that are no orders.
    Rows,
    /// Remarks beside orders.
    Remarks,
    /// What remarks say of the payment.
    Payment,
    /// Parcels that customers fetch.
    Fetched,
    /// Kinds of shipments.
    Kinds,
    /// Marks in names, addresses and products.
    Marks,
    /// How far orders are, and whether they are to go.
    States,
    /// Names of products that are none, and words for pieces.
    Products,
    /// Words that stand in cells for a value, or beside one.
    Values,
    /// Answers of services.
    Answers,
}

impl Topic {
    /// Whether a text says something of this sense, by the words that come with the program.
    #[must_use]
    pub fn says(self, text: &str, sense: &str) -> bool {
        self.vocabulary().text(text).says(self, sense)
    }

    /// Whether a word, as it is written but for its case, is in a class of those words.
    #[must_use]
    pub fn lists(self, class: &str, word: &str) -> bool {
        self.vocabulary().class_of(self, &[class], word).is_some()
    }

    /// The words of a class.
    pub fn words(self, class: &str) -> impl Iterator<Item = &'static str> {
        self.vocabulary().words_of(self, class)
    }

    fn vocabulary(self) -> &'static Vocabulary {
        if self == Self::Answers { &SERVICES } else { Vocabulary::built_in() }
    }
}

/// The files that come with the program, in the order of the topics.
const BUILT_IN: [(Topic, &str, &str); 10] = [
    (Topic::Titles, "titles", include_str!("../../templates/words/titles.toml")),
    (Topic::Rows, "rows", include_str!("../../templates/words/rows.toml")),
    (Topic::Remarks, "remarks", include_str!("../../templates/words/remarks.toml")),
    (Topic::Payment, "payment", include_str!("../../templates/words/payment.toml")),
    (Topic::Fetched, "fetched", include_str!("../../templates/words/fetched.toml")),
    (Topic::Kinds, "kinds", include_str!("../../templates/words/kinds.toml")),
    (Topic::Marks, "marks", include_str!("../../templates/words/marks.toml")),
    (Topic::States, "states", include_str!("../../templates/words/states.toml")),
    (Topic::Products, "products", include_str!("../../templates/words/products.toml")),
    (Topic::Values, "values", include_str!("../../templates/words/values.toml")),
];

/// All phrases of all topics, ready to be looked for.
#[derive(Debug, Default)]
pub struct Vocabulary {
    lexicon: Lexicon,
    /// By topic.
    topics: Vec<Phrases>,
    /// The topics in which a phrase begins with a word, a bit each, by the word's number.
    beginning: Vec<u32>,
    /// The same for figures.
    with_figure: u32,
}

/// The phrases that come with the program.
static OURS: LazyLock<Vocabulary> = LazyLock::new(|| {
    let files = BUILT_IN.map(|(_, name, text)| (name, text));
    Vocabulary::parse(&files, None).unwrap_or_default()
});

/// What services say. Apart from what people write, for a program makes no slips: `create` is not a misspelt `created`.
static SERVICES: LazyLock<Vocabulary> = LazyLock::new(|| {
    let mut files: Vec<_> = BUILT_IN.iter().map(|(_, name, _)| (*name, "")).collect();
    files.push(("answers", include_str!("../../templates/words/answers.toml")));
    let mut services = Vocabulary::parse(&files, None).unwrap_or_default();
    services.lexicon.take_slips_for_nothing();
    services
});

impl Vocabulary {
    /// The vocabulary that comes with the program.
    #[must_use]
    pub fn built_in() -> &'static Self {
        &OURS
    }

    /// The vocabulary of services.
    #[must_use]
    pub fn of_services() -> &'static Self {
        &SERVICES
    }

    /// Reads the files of all topics, each a name and a text in TOML, for English and these languages, or all.
    ///
    /// # Errors
    /// A text that is no vocabulary; it says where.
    fn parse(files: &[(&'static str, &str)], languages: Option<&[Language]>) -> Result<Self, VocabularyError> {
        let mut lexicon = Lexicon::default();
        let mut read = |topic, text| file::parse(topic, text, languages, true, &mut lexicon);
        let topics: Vec<Phrases> = files.iter().map(|(topic, text)| read(topic, text)).collect::<Result<_, _>>()?;
        let bits = |word, is_figure| {
            let has = |topic: &Phrases| topic.may_begin(word, is_figure);
            topics.iter().enumerate().fold(0, |bits, (number, topic)| bits | u32::from(has(topic)) << number)
        };
        let beginning = lexicon.numbers().map(|word| bits(word, false)).collect();
        let with_figure = bits(WordId::UNKNOWN, true);
        Ok(Self { lexicon, topics, beginning, with_figure })
    }

    /// A text, taken apart once for all that is asked of it.
    #[must_use]
    pub fn text(&self, text: &str) -> Text<'_> {
        let tokens = self.lexicon.tokens(text);
        let topics = tokens.all.iter().fold(0, |topics, token| {
            topics | self.topics_of(token.word) | if token.digits > 0 { self.with_figure } else { 0 }
        });
        Text { words: self, tokens, topics }
    }

    /// Whether a text that may be marked says something of one of these senses. Names and addresses are many, and hardly any
    /// is marked: of the others the first word is enough.
    #[must_use]
    fn marks(&self, text: &str, senses: [&str; 2]) -> bool {
        let may_begin = || self.topics_of(self.lexicon.first(text)) & bit(Topic::Marks) > 0;
        if !token::may_set_off(text) && !may_begin() {
            return false;
        }
        let text = self.text(text);
        senses.into_iter().any(|sense| text.says(Topic::Marks, sense))
    }

    /// The first of some classes of a topic that has a word, by its place among them.
    pub(crate) fn class_of(&self, topic: Topic, classes: &[&str], word: &str) -> Option<usize> {
        let word = Some(self.lexicon.exact(word)).filter(|word| *word != WordId::UNKNOWN)?;
        classes.iter().position(|class| phrase::has(self.class(topic, class), word))
    }

    /// The words of a class of a topic.
    pub fn words_of(&self, topic: Topic, class: &str) -> impl Iterator<Item = &str> {
        self.class(topic, class).iter().filter_map(|word| self.lexicon.word(*word))
    }

    fn class(&self, topic: Topic, name: &str) -> &[WordId] {
        self.topics.get(topic as usize).map_or(&[], |phrases| phrases.class(name))
    }

    fn topics_of(&self, word: WordId) -> u32 {
        self.beginning.get(word.index()).copied().unwrap_or_default()
    }
}

/// A text, taken apart.
#[derive(Debug)]
pub struct Text<'v> {
    words: &'v Vocabulary,
    tokens: Tokens,
    /// The topics of which it may say something, a bit each.
    topics: u32,
}

impl<'v> Text<'v> {
    /// What it says on a topic.
    #[must_use]
    pub fn read(&self, topic: Topic) -> PhraseHits<'v> {
        self.phrases(topic).map(|phrases| matcher::read(phrases, &self.tokens)).unwrap_or_default()
    }

    /// Whether it says something of this sense on a topic.
    #[must_use]
    pub fn says(&self, topic: Topic, sense: &str) -> bool {
        self.phrases(topic).is_some_and(|phrases| matcher::says(phrases, &self.tokens, sense))
    }

    /// How many words it has.
    #[must_use]
    pub fn len(&self) -> usize {
        self.tokens.all.len()
    }

    /// Whether it has no words.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.tokens.all.is_empty()
    }

    /// Whether a word of it is only taken for the one that it is like.
    pub(crate) const fn has_slips(&self) -> bool {
        self.tokens.has_slips
    }

    /// Whether it has a question mark.
    pub(crate) const fn is_asking(&self) -> bool {
        self.tokens.asks
    }

    /// Whether it has a word that a phrase of a topic begins with, or one of these classes.
    pub(crate) fn may_say(&self, topic: Topic, classes: &[&str]) -> bool {
        self.phrases(topic).is_some() || classes.iter().any(|class| self.has(topic, class))
    }

    /// Whether it has a word of a class of a topic.
    #[must_use]
    pub fn has(&self, topic: Topic, class: &str) -> bool {
        let words = self.words.class(topic, class);
        self.tokens.all.iter().any(|token| phrase::lists(words, token))
    }

    /// Whether it has words, and all of them are of these classes of a topic.
    pub(crate) fn is_all(&self, topic: Topic, classes: &[&str]) -> bool {
        let is_of = |token: &Token| classes.iter().any(|class| phrase::lists(self.words.class(topic, class), token));
        !self.tokens.all.is_empty() && self.tokens.all.iter().all(is_of)
    }

    /// The phrases of a topic, unless the text has no word that one of them begins with.
    fn phrases(&self, topic: Topic) -> Option<&'v Phrases> {
        if self.topics & bit(topic) == 0 { None } else { self.words.topics.get(topic as usize) }
    }
}

const fn bit(topic: Topic) -> u32 {
    1 << topic as u32
}
