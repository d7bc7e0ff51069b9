//! What the header of a column says: read once for each column, and for nobody else.

use std::collections::{BTreeMap, HashMap};
use std::sync::LazyLock;

use super::kind::Kind;
use super::normalised::normalised;
use super::priced::Priced;
use super::role::{ExtraRole, StateRole, TotalOf, of_name};
use super::table::{FIELDS, Field, Id};
use super::units::{money_sign, unit_of};
use crate::words::{Header, Headers, Said};

/// How a header names its field; the better way first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rank {
    /// By its API path.
    Path,
    /// By the friendly header of the template.
    Header,
    /// By another name, or by its words: how many of them stand beside the name, and which name it is.
    Name(usize, usize),
    /// By what its cells hold as well.
    Cells,
}

/// A header's field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Match {
    /// The field.
    pub field: &'static Field,
    /// How it was named.
    pub rank: Rank,
}

/// A unit in a header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Of length or weight, as it is sent.
    Measure(&'static str),
    /// Of money: the codes that the sign may mean.
    Money(&'static [&'static str]),
}

/// From here on, in percent, a header may mean a field.
pub const ALIKE: u8 = 50;

/// What a header says.
#[derive(Debug, Clone, Default)]
pub struct HeaderReading {
    /// The header itself, which is only shown.
    pub header: String,
    /// The header without case, spaces and punctuation.
    pub bare: String,
    /// The field that it names.
    pub field: Option<Match>,
    /// The fields that it may mean, each with how likely that is, in percent below 100, and the words that speak against it.
    likely: BTreeMap<Id, (u8, Vec<String>)>,
    /// What it says of whether orders go, of money and the like, where no field takes its column.
    pub sign: Option<StateRole>,
    /// The part of an address that it names, by its place.
    pub part: Option<u8>,
    /// What it says of money.
    pub amount: Option<ExtraRole>,
    /// The weight or the side that it names, of the parcel or of anything.
    pub measure: Option<Id>,
    /// All that it says, by the senses of `templates/words/headers.toml`.
    senses: Vec<&'static str>,
    /// What a total under it is of.
    pub total_of: TotalOf,
    /// The field of one of several products side by side, and which of them, counted from 1: `Product 2`, `Qty2`, `SKU_2`.
    pub numbered: Option<(Id, u16)>,
    /// The product and its price that it names, where it names nothing else.
    pub priced: Option<Priced>,
    /// What pieces are counted in: `box` for `Boxes`.
    pub counted: Vec<String>,
    weight_unit: Option<&'static str>,
    length_unit: Option<&'static str>,
    money: Option<&'static [&'static str]>,
}

/// The fields by their paths and by the headers of the template.
static BY_NAME: LazyLock<HashMap<String, Match>> = LazyLock::new(|| {
    let named = |rank, name: fn(&Field) -> &str| {
        FIELDS.iter().map(move |field| (normalised(name(field)), Match { field, rank }))
    };
    named(Rank::Header, |field| field.header).chain(named(Rank::Path, |field| field.path)).collect()
});

/// What senses say of money.
const AMOUNTS: [(&str, ExtraRole); 14] = [
    ("order-total", ExtraRole::Order),
    ("total", ExtraRole::Total),
    ("collect", ExtraRole::Collect),
    ("paid", ExtraRole::Paid),
    ("beside", ExtraRole::Beside),
    ("tax", ExtraRole::Tax),
    ("tax-on-top", ExtraRole::TaxOnTop),
    ("percent-off", ExtraRole::PercentOff),
    ("discount-in", ExtraRole::DiscountIn),
    ("receipt", ExtraRole::Receipt),
    ("pieces-gone", ExtraRole::Sign(StateRole::Stop)),
    ("pieces-to-go", ExtraRole::Same(Id::Quantity)),
    ("price-beside-list", ExtraRole::Same(Id::Price)),
    ("price", ExtraRole::Same(Id::Price)),
];

/// What senses say that is no amount, and keeps a header from being that of another one.
const NO_AMOUNTS: [&str; 2] = ["in-percent", "taxed"];

/// What senses say of a weight or a side of something.
const MEASURES: [(&str, Id); 4] =
    [("length", Id::Length), ("width", Id::Width), ("height", Id::Height), ("weight", Id::Weight)];

impl HeaderReading {
    /// Reads a header.
    #[must_use]
    pub fn of(header: &str) -> Self {
        let text = Headers::built_in().header(without_sign(header));
        let said = text.said();
        let named: Vec<&Said<'_>> = said.iter().filter(|own| own.spare.is_empty() && !own.by_cells).collect();
        let says = |sense: &str| named.iter().any(|own| own.sense == sense);
        let mut reading = Self {
            header: header.to_owned(),
            bare: normalised(header),
            total_of: match () {
                () if says("of-products") => TotalOf::Products,
                () if says("of-order") => TotalOf::Order,
                () => TotalOf::Unclear,
            },
            ..Self::default()
        };
        reading.read_units(header);
        // `GST (Rs)` holds amounts, and no rates.
        let is_clear = |sense: &&str| *sense != "bare-tax" || reading.money.is_none();
        reading.senses = named.iter().map(|own| own.sense).filter(is_clear).collect();
        reading.field = reading.named_field(&named);
        reading.likely = reading.likely_fields(&said, &text);
        if reading.likely.contains_key(&Id::Quantity) {
            reading.counted = text.of_class("packs").map(|word| singular(&word).to_owned()).collect();
        }
        let measured = || MEASURES.into_iter().find(|(sense, _)| says(sense)).map(|(_, id)| id);
        let id = reading.field.map(|found| found.field.id);
        reading.measure = id.filter(|id| id.field().kind == Kind::Measure).or_else(measured);
        reading.sign = named.iter().find_map(|own| of_name(own.sense.strip_prefix("sign-")?));
        reading.part = part(&named).filter(|_| reading.sign.is_none() && reading.money.is_none());
        reading.amount = match id {
            Some(id @ (Id::Weight | Id::Length | Id::Width | Id::Height)) => Some(ExtraRole::Same(id)),
            // A list price is none that anybody pays where there is another one.
            Some(id @ Id::Price) if !reading.says("mrp") => Some(ExtraRole::Same(id)),
            _ => amount(&named),
        };
        if id.is_none() {
            reading.numbered = numbered(header, &said);
        }
        // `Shipping (₹50)` is no product.
        let is_product = |own: &Priced| !Self::of(&own.name).is_told();
        reading.priced = Some(header).filter(|_| !reading.is_told()).and_then(Priced::of).filter(is_product);
        // A sign of money and nothing else.
        if text.words().all(|word| money_sign(word).is_some()) && reading.money.is_some() {
            reading.amount = Some(ExtraRole::Total);
        }
        reading
    }

    /// Whether it names a field, or says what its column says beside the fields.
    fn is_told(&self) -> bool {
        self.field.is_some() || self.amount.is_some() || self.sign_or_part().is_some()
    }

    /// Whether it says this, by the name of its sense.
    #[must_use]
    pub fn says(&self, sense: &str) -> bool {
        self.senses.contains(&sense)
    }

    /// Whether it is the field's path or usual header: what stands below it is meant as it stands.
    pub(crate) fn is_canonical(&self) -> bool {
        self.field.is_some_and(|found| found.rank <= Rank::Header)
    }

    /// Whether it says that its figures are rates: `GST %`.
    pub(crate) fn is_rate(&self) -> bool {
        self.says("in-percent") || self.says("rate")
    }

    /// Whether it names a price from which a discount is reckoned.
    pub(crate) fn is_before_discount(&self) -> bool {
        self.says("mrp") || self.says("list-price")
    }

    /// Whether it is that of a further product in a row, which is sent by its number.
    pub(crate) fn is_of_next_product(&self) -> bool {
        self.numbered.is_some_and(|(_, number)| number > 1)
    }

    /// Whether it speaks of somebody else than a field of the receiver does. Who pays may be called where nobody else can be.
    pub(crate) fn is_of_others(&self, field: &Field) -> bool {
        let is_payers_phone = || field.id == Id::ReceiverPhone && self.bare.starts_with("bill");
        field.is_receivers() && self.says("of-others") && !is_payers_phone()
    }

    /// Whether it names this field.
    #[must_use]
    pub fn names(&self, id: Id) -> bool {
        self.field.is_some_and(|found| found.field.id == id)
    }

    /// What it says of whether orders go, or the part of an address that it names.
    pub(crate) fn sign_or_part(&self) -> Option<ExtraRole> {
        self.sign.map(ExtraRole::Sign).or_else(|| self.part.map(ExtraRole::Address))
    }

    /// Whether its column says what is still to be paid.
    pub(crate) const fn is_due(&self) -> bool {
        matches!(self.amount, Some(ExtraRole::Collect | ExtraRole::Open))
    }

    /// Whether its column says how far the order is, or whether it goes, in words that are no value of a field.
    pub(crate) fn says_whether_sent(&self) -> bool {
        use StateRole::{Confirmed, Go, Over, Sent, Shipped, State, Stop, Task};
        matches!(self.sign, Some(State | Task | Sent | Shipped | Stop | Over | Confirmed | Go))
    }

    /// Whether its column says something though it feeds no field now: what each order is compared with, or a further product.
    pub(crate) fn says_more(&self) -> bool {
        let has_role = self.sign_or_part().is_some() || self.amount.is_some();
        has_role || self.priced.is_some() || self.is_of_next_product() || self.is_before_discount() || self.says("size")
    }

    /// Whether its cells may say whether orders go: it names neither a field nor anything else that is read, nor the goods.
    pub(crate) fn may_be_of_states(&self) -> bool {
        let is_named = self.field.is_some() || self.says_more() || self.measure.is_some() || self.bare.is_empty();
        !is_named && !self.says("about-goods") && !self.says("about-others")
    }

    /// Whether it says nothing that anybody here has a word for.
    pub(crate) fn says_nothing(&self) -> bool {
        let is_unclear = self.field.is_none() && self.likely.is_empty() && !self.says_more();
        let says_other = self.measure.is_some() || self.senses.iter().any(|own| *own != "no-money");
        is_unclear && !self.bare.is_empty() && !says_other
    }

    /// The unit that it names for a field.
    #[must_use]
    pub fn unit(&self, field: &Field) -> Option<Unit> {
        match field.unit_field()? {
            Id::WeightUnit => self.weight_unit.map(Unit::Measure),
            Id::DimensionUnit => self.length_unit.map(Unit::Measure),
            _ => self.money.map(Unit::Money),
        }
    }

    /// The unit of weights or sides that it names for a field.
    pub(crate) fn measure_unit(&self, id: Id) -> Option<&'static str> {
        if let Unit::Measure(unit) = self.unit(id.field())? { Some(unit) } else { None }
    }

    /// How likely it is that it means a field, in percent below 100, where the quantities of its sheet count these.
    #[must_use]
    pub fn likeness(&self, id: Id, counted: &[String]) -> u8 {
        let Some((percent, spare)) = self.likely.get(&id) else { return 0 };
        // The price is for what is counted: `Price per box` beside `Boxes`.
        let is_counted = id == Id::Price && !spare.is_empty() && spare.iter().all(|word| counted.contains(word));
        if is_counted { 96 } else { *percent }
    }

    fn named_field(&self, named: &[&Said<'_>]) -> Option<Match> {
        let by_name = BY_NAME.get(&self.bare).copied();
        let by_words = || {
            let fields = named.iter().filter_map(|own| Some((Field::by_path(own.sense)?, own)));
            let best = fields.min_by_key(|(_, own)| (own.beside, own.phrase));
            best.map(|(field, own)| Match { field, rank: Rank::Name(own.beside, own.phrase) })
        };
        by_name.or_else(by_words).filter(|found| self.may_be(found.field.id))
    }

    /// Whether it may name a field. What a discount in percent comes to is reckoned with the order's other amounts, and
    /// `GST (Rs)` is an amount, as `Unit (£)` is.
    fn may_be(&self, id: Id) -> bool {
        let is_reckoned = matches!(id, Id::Discount | Id::LineDiscount) && self.says("in-percent");
        !is_reckoned && (!matches!(id, Id::TaxRate | Id::Quantity) || self.money.is_none())
    }

    /// The fields that it may mean.
    fn likely_fields(&self, said: &[Said<'_>], text: &Header<'_, '_>) -> BTreeMap<Id, (u8, Vec<String>)> {
        let mut likely: BTreeMap<Id, (u8, Vec<String>)> = BTreeMap::new();
        // `No` names a field where it is all that is said, and none in `Part No`.
        let is_word = |word: &String| word.contains(char::is_alphanumeric) && !is_in("alone", word);
        let says_more: Vec<String> = text.words().map(str::to_lowercase).filter(is_word).collect();
        let is_meant = |own: &&Said<'_>| own.spare.is_empty() || says_more.iter().any(|word| !own.spare.contains(word));
        for (field, own) in said.iter().filter(is_meant).filter_map(|own| Some((Field::by_path(own.sense)?, own))) {
            let sure = if own.by_cells { 0.92 } else { 0.98 };
            let likeness = own.spare.iter().map(|word| doubt(word)).product::<f64>() * sure * 100.0;
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0 and 98")]
            let percent = likeness as u8;
            if percent >= ALIKE && self.may_be(field.id) && likely.get(&field.id).is_none_or(|known| known.0 < percent)
            {
                likely.insert(field.id, (percent, own.spare.clone()));
            }
        }
        likely
    }

    /// The units that a header names: by its last word, or else by the only one of the others.
    fn read_units(&mut self, header: &str) {
        let is_part = |c: char| c.is_alphanumeric() || (!c.is_ascii() && !c.is_whitespace()) || c == '$';
        let mut words = header.split(|c| !is_part(c)).filter(|word| !word.is_empty());
        let Some(last) = words.next_back() else { return };
        let own = Headers::built_in().header(header);
        // Single letters and `in` are words of other things.
        let others: Vec<&str> = own.words().filter(|word| word.len() > 1 && !word.eq_ignore_ascii_case("in")).collect();
        let of = |id: Id| {
            let mut units = others.iter().filter_map(|word| unit_of(id, word));
            unit_of(id, last).or_else(|| units.next().filter(|first| units.all(|other| other == *first)))
        };
        (self.weight_unit, self.length_unit) = (of(Id::WeightUnit), of(Id::DimensionUnit));
        let first = header.split_whitespace().next().filter(|first| first.chars().all(|c| !c.is_alphanumeric()));
        self.money = money_sign(last).or_else(|| money_sign(first?));
    }
}

/// A header without the sign of money behind it, of which the letters are no words: `Price (S$)`, `Rate (R)`.
fn without_sign(header: &str) -> &str {
    let Some((bare, sign)) = header.strip_suffix(')').and_then(|header| header.rsplit_once('(')) else { return header };
    if money_sign(sign.trim()).is_some() && !bare.trim().is_empty() { bare } else { header }
}

/// The field of a product and the number behind it.
fn numbered(header: &str, said: &[Said<'_>]) -> Option<(Id, u16)> {
    let digits = &header[header.trim_end_matches(|c: char| c.is_ascii_digit()).len()..];
    let number = digits.parse().ok().filter(|number| *number > 0)?;
    let is_number = |word: &String| word == digits || word == "#";
    let of_product = |id: Id| {
        matches!(id, Id::ProductName | Id::Sku | Id::Price | Id::Quantity | Id::LineDiscount | Id::TaxRate | Id::HsCode)
    };
    let mut fields = said.iter().filter(|own| !own.by_cells && own.spare.iter().all(is_number));
    let id = fields.find_map(|own| Field::by_path(own.sense)).map(|field| field.id)?;
    of_product(id).then_some((id, number))
}

/// How much a word that a name has not takes away from its likeness.
fn doubt(word: &str) -> f64 {
    match word.parse::<u32>() {
        // The first of several, and any other one.
        Ok(1) => 0.96,
        Ok(_) => 0.5,
        Err(_) if is_in("parts", word) => 0.45,
        Err(_) => 0.75,
    }
}

/// Whether a word of headers is in a class.
fn is_in(class: &str, word: &str) -> bool {
    Headers::built_in().lists(class, word)
}

/// A word for one of several: `box` for `boxes`.
fn singular(word: &str) -> &str {
    let ends = ["xes", "s"].iter().find(|end| word.ends_with(*end));
    ends.map_or(word, |end| &word[..word.len() - end.len() + usize::from(*end == "xes")])
}

/// The part of an address that a header names, the last of several.
fn part(named: &[&Said<'_>]) -> Option<u8> {
    let places = named.iter().filter_map(|own| own.sense.strip_prefix("part-")?.parse::<u8>().ok());
    let mut places: Vec<u8> = places.collect();
    places.sort_unstable();
    places.dedup();
    let is_clear = |place: &u8| *place < u8::MAX;
    match places.iter().filter(|place| is_clear(place)).copied().collect::<Vec<u8>>().as_slice() {
        [] => places.last().copied(),
        [only] => Some(*only),
        // Which of several parts a figure is, nobody knows.
        [.., last] => Some(last | 1),
    }
}

/// What a header says of money: the first of its senses.
fn amount(named: &[&Said<'_>]) -> Option<ExtraRole> {
    let first = named
        .iter()
        .find(|own| AMOUNTS.iter().any(|(sense, _)| *sense == own.sense) || NO_AMOUNTS.contains(&own.sense))?;
    AMOUNTS.iter().find(|(sense, _)| *sense == first.sense).map(|(_, role)| *role)
}
