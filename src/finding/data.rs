//! A finding as data.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::amounts::AmountChoice;
use super::basis::{Accepted, Basis};
use super::id::{Id, Level};
use super::parameters::{Fact, Parameters};
use super::remedy::Remedy;
use crate::origin::Place;

/// One thing that the program says of a cell, a row, an order, a sheet or a run. Data, not an error: the rest of the sheet
/// goes on. [`english`](super::english) has the words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// Which kind.
    pub id: Id,
    /// Which case of that kind: the name of its entry in the catalogue.
    pub case: Cow<'static, str>,
    /// How much it weighs.
    pub level: Level,
    /// Where, if it has one place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<Place>,
    /// The order, where it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub order: Option<String>,
    /// The field's API path, where one field is meant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub field: Option<Cow<'static, str>>,
    /// The text that was found, quoted as it stood.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub found: Option<String>,
    /// The facts that its sentence names.
    #[serde(default, skip_serializing_if = "Parameters::is_empty")]
    pub parameters: Parameters,
    /// What can be done about it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub remedies: Vec<Remedy>,
    /// What else there is to say of the same value.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<Sentence>,
    /// The cells that it rests on, where a person may accept it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub basis: Option<Basis>,
    /// Who accepted it, where somebody did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub accepted: Option<Accepted>,
    /// The amounts of which one is to be sent, where it doubts that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub amounts: Option<Box<AmountChoice>>,
}

/// A sentence of another finding, without its place.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Sentence {
    /// Its kind: the stable word that stands in `code` of that finding.
    #[schemars(with = "String")]
    pub id: Id,
    /// The case of that kind.
    pub case: Cow<'static, str>,
    /// The facts that it names.
    #[serde(default, skip_serializing_if = "Parameters::is_empty")]
    pub parameters: Parameters,
}

/// What is kept of a finding beside what has a place of its own.
#[derive(Serialize, Deserialize)]
struct Detail {
    case: Cow<'static, str>,
    #[serde(default, skip_serializing_if = "Parameters::is_empty")]
    parameters: Parameters,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    remedies: Vec<Remedy>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    also: Vec<Sentence>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    basis: Option<Basis>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    accepted: Option<Accepted>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    amounts: Option<Box<AmountChoice>>,
}

impl Finding {
    /// A finding of a case; the catalogue's constructors fill in its facts.
    pub(super) fn of(id: Id, case: &'static str, level: Level) -> Self {
        Self {
            id,
            case: Cow::Borrowed(case),
            level,
            place: None,
            order: None,
            field: None,
            found: None,
            parameters: Parameters::default(),
            remedies: Vec::new(),
            also: Vec::new(),
            basis: None,
            accepted: None,
            amounts: None,
        }
    }

    /// Adds a fact.
    pub(super) fn fact(mut self, name: &'static str, fact: impl Fact) -> Self {
        self.parameters.set(name, fact);
        self
    }

    /// Adds something that can be done about it.
    #[must_use]
    pub fn remedy(mut self, remedy: Remedy) -> Self {
        self.remedies.push(remedy);
        self
    }

    /// Adds what else can be done about it.
    #[must_use]
    pub fn remedies(mut self, remedies: impl IntoIterator<Item = Remedy>) -> Self {
        self.remedies.extend(remedies);
        self
    }

    /// Adds the place.
    #[must_use]
    pub fn at(mut self, place: Place) -> Self {
        self.place = Some(place);
        self
    }

    /// Adds the order.
    #[must_use]
    pub fn of_order(mut self, number: impl Into<String>) -> Self {
        self.order = Some(number.into());
        self
    }

    /// Adds the field's API path.
    #[must_use]
    pub fn on_field(mut self, path: &'static str) -> Self {
        self.field = Some(Cow::Borrowed(path));
        self
    }

    /// Adds the text that was found.
    #[must_use]
    pub fn found(mut self, text: impl Into<String>) -> Self {
        self.found = Some(text.into());
        self
    }

    /// Adds the amounts of which one is to be chosen.
    #[must_use]
    pub fn choosing(mut self, amounts: AmountChoice) -> Self {
        self.amounts = Some(Box::new(amounts));
        self
    }

    /// Whether it says that a person chose what the order comes to.
    #[must_use]
    pub fn is_chosen_amount(&self) -> bool {
        self.case == "chosen_amount"
    }

    /// Says it of what another finding is about: its place, order, field and text.
    #[must_use]
    pub fn about(self, other: &Self) -> Self {
        let Self { place, order, field, found, .. } = other.clone();
        Self { place, order, field, found, ..self }
    }

    /// The same, as something that is only said.
    #[must_use]
    pub fn warn(mut self) -> Self {
        self.level = Level::Warn;
        self
    }

    /// The same, as something that keeps its order or row behind.
    #[must_use]
    pub fn hold(mut self) -> Self {
        self.level = Level::Hold;
        self
    }

    /// The same, as something that a person accepted.
    #[must_use]
    pub fn accepted(mut self, accepted: Accepted) -> Self {
        self.accepted = Some(accepted);
        self.warn()
    }

    /// Adds a further sentence.
    #[must_use]
    pub fn also(mut self, other: Self) -> Self {
        self.also.extend(other.into_sentences());
        self
    }

    /// Says one more thing of a value; a value is told of at one place, by the id of what was seen first.
    pub fn add_to(self, note: &mut Option<Box<Self>>) {
        match note {
            Some(first) => first.also.extend(self.into_sentences()),
            None => *note = Some(Box::new(self)),
        }
    }

    /// Whether it holds its order because a person has answered that such values hold.
    #[must_use]
    pub fn is_as_answered(&self) -> bool {
        self.id == Id::HeldBack && self.case.ends_with("_as_answered")
    }

    /// Whether it is this case.
    #[must_use]
    pub fn is(&self, id: Id, case: &str) -> bool {
        self.id == id && self.case == case
    }

    /// Whether it is about the field of that API path.
    #[must_use]
    pub fn is_on(&self, path: &str) -> bool {
        self.field.as_deref() == Some(path)
    }

    /// Whether it keeps its order or row behind.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.level == Level::Hold
    }

    /// Whether it asks about rows that have a product and no order number.
    #[must_use]
    pub fn is_of_second_lines(&self) -> bool {
        self.case == "of_second_lines"
    }

    /// Whether it says that something is missing without which no request can be formed.
    #[must_use]
    pub fn lacks_value(&self) -> bool {
        self.holds() && matches!(self.id, Id::MissingValue | Id::MissingProduct)
    }

    /// All that it says, without its place.
    #[must_use]
    pub fn sentences(&self) -> Vec<Sentence> {
        let first = Sentence { id: self.id, case: self.case.clone(), parameters: self.parameters.clone() };
        std::iter::once(first).chain(self.also.iter().cloned()).collect()
    }

    /// What it says and what can be done about it, as JSON: what is kept beside its id, level, place, order, field and
    /// text.
    #[must_use]
    pub fn detail(&self) -> String {
        let Self { case, parameters, remedies, also, basis, accepted, amounts, .. } = self.clone();
        let detail = Detail { case, parameters, remedies, also, basis, accepted, amounts };
        // Texts and numbers by their names: nothing of that can fail.
        serde_json::to_string(&detail).unwrap_or_default()
    }

    /// A finding from what was kept of it; none where that cannot be read.
    #[must_use]
    pub fn from_detail(id: Id, level: Level, detail: &str) -> Option<Self> {
        let Detail { case, parameters, remedies, also, basis, accepted, amounts } =
            serde_json::from_str(detail).ok()?;
        Some(Self { case, parameters, remedies, also, basis, accepted, amounts, ..Self::of(id, "", level) })
    }

    fn into_sentences(self) -> impl Iterator<Item = Sentence> {
        let Self { id, case, parameters, also, .. } = self;
        std::iter::once(Sentence { id, case, parameters }).chain(also)
    }
}
