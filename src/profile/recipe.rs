//! How a field's value is made from one or more cells.

use std::collections::BTreeMap;

pub use crate::text::Decimal;
use serde::{Deserialize, Deserializer};

use crate::field::{Field, Id, Kind, Level, in_base_units, moment_figures, normalised, parted, sides, unit_of};
use crate::parse::name_with_phone;

/// Stands for 1, 2, 3 … in the headers of products side by side.
pub const NUMBER: &str = "{n}";

/// More products than this do not stand side by side in one row.
pub const PRODUCTS_MAX: u16 = 200;

/// How a field's value is made, as the file writes it. The plain case, one column as it stands, costs nothing.
///
/// It is made from `column`, `first`, `join` or `add`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Recipe {
    /// The header of its column. `{n}` stands for 1, 2, 3 … of products side by side.
    #[serde(deserialize_with = "one")]
    pub(crate) column: Vec<String>,
    /// Several columns, of which the first filled one is taken.
    pub(crate) first: Vec<String>,
    /// Several columns, one behind the other.
    pub(crate) join: Vec<String>,
    /// What stands between those.
    pub(crate) with: Option<String>,
    /// Several columns, whose amounts are added up.
    pub(crate) add: Vec<String>,
    /// One header for each of `first`: the column is taken whose own one is filled first, even where it is blank itself.
    pub by: Vec<String>,
    /// Columns whose pieces are taken off the quantity: shipped already, cancelled.
    pub less: Vec<String>,
    /// The column of the pieces that the number is multiplied with, without those of `less`: a weight of one piece.
    pub times: Option<String>,
    /// Prefixes that are taken off, for instance `#` or `'`.
    pub strip: Vec<String>,
    /// The part of the cell that is meant.
    pub part: Option<Part>,
    /// Values and what they become, by their text without case, spaces and punctuation.
    pub map: BTreeMap<String, String>,
    /// What every other filled value becomes.
    pub otherwise: Option<String>,
    /// Words, without case, spaces and punctuation: a value that holds one of them stays as it stands.
    pub unless: Vec<String>,
    /// What another cell of the row must hold for `otherwise` or `blank` to be taken.
    pub when: Option<When>,
    /// The unit of its numbers.
    pub(crate) unit: Option<String>,
    /// Whether the amount is for all pieces of the line, and is to be divided by their number.
    pub line_total: LineTotal,
    /// Whether the discount is for one piece, and is to be multiplied by their number.
    pub per_piece: bool,
    /// Whether the cell says what is to be collected, as an amount or as yes, and nothing or no where the order is paid.
    pub collects: bool,
    /// What a blank cell becomes where `when` holds.
    pub blank: Option<String>,
    /// Whether each row of an order holds a part of the order's amount, so that they are added up; of weights that is asked where nothing
    /// is said.
    pub each_line: Option<bool>,
    /// Whether a sheet may lack the columns.
    pub optional: bool,
    /// What is put before a filled value.
    #[serde(skip)]
    pub(crate) prefix: String,
    /// What the number is multiplied with to be in kilograms or centimetres.
    #[serde(skip)]
    pub scale: Option<Decimal>,
}

/// A condition on another cell of the row. A sheet without that column has nothing but blank cells in it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct When {
    /// The header of the column.
    pub column: String,
    /// What it may hold, whatever its case; an empty text stands for a blank cell.
    pub is: Vec<String>,
}

impl When {
    /// Whether it is a condition on the column with that header.
    pub(crate) fn is_of(&self, header: &str) -> bool {
        normalised(&self.column) == normalised(header)
    }

    /// Whether it holds by what its cell says.
    #[must_use]
    pub fn holds(&self, text: &str) -> bool {
        self.is.iter().any(|word| word.eq_ignore_ascii_case(text))
    }
}

/// Whether an amount is for all pieces of the line, and whose pieces these are.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum LineTotal {
    /// Whether it is for the quantity that is sent.
    Flag(bool),
    /// The column of the pieces that it is for, where that is not the quantity.
    Pieces(String),
}

impl Default for LineTotal {
    fn default() -> Self {
        Self::Flag(false)
    }
}

/// A part of a cell.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub enum Part {
    /// A full name without its last word, or the only word.
    FirstName,
    /// The last word of a full name of several.
    LastName,
    /// The name before a phone number with which the cell ends.
    Name,
    /// Such a phone number.
    Phone,
    /// A line of the cell, counted from 0.
    Line(usize),
    /// All lines from this one on, with commas between them.
    LinesFrom(usize),
    /// A side of a parcel whose length, width and height stand in one cell, counted from 0.
    Side(usize),
    /// The value behind a key: `sku` of `name:Shoe|sku:A12|quantity:1`.
    Key(String),
    /// Of an address that ends with its city or PIN code, what stands before the city.
    Street,
    /// The city of such an address.
    City,
    /// The state of such an address, where it is named.
    State,
    /// The PIN code of such an address.
    Pin,
    /// Of a day and a time their figures, to the minute, however they are written.
    Moment,
}

fn one<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    String::deserialize(deserializer).map(|header| vec![header])
}

impl Recipe {
    /// The recipe of a field as the file writes it, if it can be one: a header, or a table.
    pub(super) fn written(value: toml::Value, field: &Field) -> Result<Self, String> {
        let mut recipe = match value {
            toml::Value::String(header) => Self::plain(header),
            table @ toml::Value::Table(_) => table.try_into().map_err(|error| format!("`{}`: {error}", field.path))?,
            _ => return Err(format!("`{}` needs the header of a column, or a table", field.path)),
        };
        if let Some(fault) = recipe.fault(field) {
            return Err(format!("`{}` {fault}", field.path));
        }
        if let Some(unit) = &recipe.unit {
            let known = field.unit_field().and_then(|id| unit_of(id, unit));
            let none = || format!("`{}` has the unit \"{unit}\", which is none of its kind", field.path);
            recipe.scale = Some(known.and_then(in_base_units).ok_or_else(none)?);
        }
        recipe.map = recipe.map.into_iter().map(|(from, to)| (normalised(&from), to)).collect();
        recipe.unless = recipe.unless.iter().map(|word| normalised(word)).collect();
        Ok(recipe)
    }

    /// One column as it stands.
    #[must_use]
    pub fn plain(header: impl Into<String>) -> Self {
        Self { column: vec![header.into()], ..Self::default() }
    }

    fn sources(&self) -> [&[String]; 4] {
        [&self.column, &self.first, &self.join, &self.add]
    }

    /// The headers that it is made from, in order.
    #[must_use]
    pub fn columns(&self) -> &[String] {
        self.sources().into_iter().find(|own| !own.is_empty()).unwrap_or_default()
    }

    /// Whether several columns stand in it one behind the other.
    pub(crate) fn is_joined(&self) -> bool {
        !self.join.is_empty()
    }

    /// These columns, one behind the other.
    pub(crate) fn joined(headers: &[&str], with: &str) -> Self {
        let join = headers.iter().map(|header| (*header).to_owned()).collect();
        Self { join, with: Some(with.to_owned()), ..Self::default() }
    }

    /// What stands between several columns; without it the first filled one is taken.
    pub(super) fn between(&self) -> Option<&str> {
        (!self.join.is_empty()).then(|| self.with.as_deref().unwrap_or(" "))
    }

    /// Whether the amount is for all pieces of the line.
    pub(crate) fn is_line_total(&self) -> bool {
        self.line_total != LineTotal::Flag(false)
    }

    /// Whether the cell's text is taken as it stands.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        let texts_stay = self.strip.is_empty()
            && self.prefix.is_empty()
            && self.part.is_none()
            && self.map.is_empty()
            && self.otherwise.is_none()
            && self.blank.is_none()
            && self.times.is_none()
            && !self.collects;
        self.columns().len() == 1 && self.by.is_empty() && self.less.is_empty() && texts_stay
    }

    /// Whether each row of an order holds a part of its amount.
    #[must_use]
    pub fn is_in_parts(&self) -> bool {
        self.each_line == Some(true)
    }

    /// What is wrong with it as the recipe of a field.
    fn fault(&self, field: &Field) -> Option<&'static str> {
        let is_amount = matches!(field.kind, Kind::Money | Kind::MoneyText);
        let is_summed = (is_amount && field.level == Level::Order) || field.id == Id::Weight;
        let has_condition = self.otherwise.is_some() || (self.unless.is_empty() && self.blank.is_some());
        Some(match () {
            () if self.sources().iter().filter(|columns| !columns.is_empty()).count() != 1 => {
                "needs exactly one of `column`, `first`, `join` and `add`"
            }
            () if !self.by.is_empty() && self.by.len() != self.first.len() => {
                "has `by`, which names one column for each of those of `first`"
            }
            () if !self.add.is_empty() && !is_amount => "has `add`, which is for amounts",
            () if self.is_in_parts() && !is_summed => {
                "has `each_line`, which is for amounts of the order and for its weight"
            }
            () if self.times.is_some() && !(self.is_in_parts() && field.id == Id::Weight) => {
                "has `times`, which is for the weight with `each_line`"
            }
            () if !self.less.is_empty() && field.id != Id::Quantity && self.times.is_none() => {
                "has `less`, which is for the quantity"
            }
            () if self.with.is_some() && self.join.is_empty() => "has `with`, which belongs to `join`",
            () if (self.when.is_some() || !self.unless.is_empty()) && !has_condition => {
                "has `when` or `unless`, which belong to `otherwise`, or `when` to `blank`"
            }
            () if self.blank.is_some() && self.when.is_none() => {
                "has `blank`, which needs `when`: anything else is a value of [defaults]"
            }
            () if self.per_piece && field.id != Id::LineDiscount => {
                "has `per_piece`, which only the discount of a product can be"
            }
            () if self.collects && field.id != Id::OrderType => "has `collects`, which is for the type of payment",
            () if self.is_line_total() && field.id != Id::Price => "has `line_total`, which only the price can be",
            () => return None,
        })
    }
}

impl TryFrom<String> for Part {
    type Error = String;

    fn try_from(word: String) -> Result<Self, String> {
        let number = |text: &str| text.parse::<usize>().ok().filter(|line| *line > 0).map(|line| line - 1);
        let numbered = |before: &str| word.strip_prefix(before).and_then(number);
        let known = match word.as_str() {
            "first-name" => Some(Self::FirstName),
            "last-name" => Some(Self::LastName),
            "name" => Some(Self::Name),
            "phone" => Some(Self::Phone),
            "street" => Some(Self::Street),
            "city" => Some(Self::City),
            "state" => Some(Self::State),
            "pin" => Some(Self::Pin),
            "moment" => Some(Self::Moment),
            _ => word.strip_prefix("key:").map(|key| Self::Key(key.to_owned())),
        };
        let side = || numbered("side-").filter(|side| *side < 3).map(Self::Side);
        let lines = || numbered("lines-from-").map(Self::LinesFrom);
        known.or_else(side).or_else(lines).or_else(|| numbered("line-").map(Self::Line)).ok_or_else(|| {
            format!(
                "\"{word}\" is no part of a cell; accepted are first-name, last-name, name, phone, line-N, lines-from-N, side-N, \
                 street, city, state, pin, moment and key:NAME"
            )
        })
    }
}

impl Part {
    /// The word for a part of an address, which it can be taken from by itself.
    pub(crate) const fn of_address(&self) -> Option<&'static str> {
        match self {
            Self::Street => Some("street"),
            Self::City => Some("city"),
            Self::State => Some("state"),
            Self::Pin => Some("pin"),
            _ => None,
        }
    }

    /// The part of a text that is meant.
    pub(crate) fn of(&self, text: &str) -> String {
        let mut part = String::new();
        self.take(text, &mut part);
        part
    }

    /// Appends the part of a text that is meant.
    pub(super) fn take(&self, text: &str, out: &mut String) {
        match self {
            Self::FirstName => {
                out.push_str(text.rsplit_once(char::is_whitespace).map_or(text, |(first, _)| first.trim()));
            }
            Self::LastName => out.push_str(text.rsplit_once(char::is_whitespace).map_or("", |(_, last)| last)),
            Self::Name => out.push_str(name_with_phone(text).map_or(text, |(name, _)| name)),
            Self::Phone => out.push_str(name_with_phone(text).map_or("", |(_, phone)| phone)),
            // What cannot be parted is refused as it stands.
            Self::Side(side) => match sides(text) {
                Some((sides, "")) => out.push_str(sides[*side]),
                Some((sides, unit)) => out.extend([sides[*side], " ", unit]),
                None => out.push_str(text),
            },
            Self::Line(line) => out.push_str(lines(text).nth(*line).unwrap_or_default()),
            Self::LinesFrom(line) => out.push_str(&lines(text).skip(*line).collect::<Vec<_>>().join(", ")),
            Self::Street => out.push_str(parted(text).street),
            Self::City => out.push_str(parted(text).city.unwrap_or_default()),
            Self::State => out.push_str(parted(text).state.unwrap_or_default()),
            Self::Pin => out.push_str(parted(text).pin),
            // A part that is no moment stands beside it as it is.
            Self::Moment => match moment_figures(text) {
                Some(figures) => out.push_str(&figures),
                None => out.push_str(text),
            },
            Self::Key(key) => out.push_str(behind_key(text, key)),
        }
    }
}

/// The value behind a key of keyed text. What has no key of its own belongs to the value before it: `Shirt: blue | large`.
fn behind_key<'t>(text: &'t str, wanted: &str) -> &'t str {
    let mut starts = std::iter::once(0).chain(text.match_indices('|').map(|(at, _)| at + 1)).filter_map(|start| {
        let (name, _) = text[start..].split('|').next()?.split_once(':')?;
        is_key(name, wanted).then_some((start, name))
    });
    let Some((start, name)) = starts.find(|(_, name)| name.trim().eq_ignore_ascii_case(wanted)) else { return "" };
    let end = starts.next().map_or(text.len(), |(next, _)| next - 1);
    text[start + name.len() + 1..end].trim()
}

/// Whether a word is a key of keyed text, and no word of a value that has a colon behind it: names of products have them.
fn is_key(word: &str, wanted: &str) -> bool {
    const KEYS: &str = "name product_id variation_id item_id id sku quantity qty price cost total subtotal sub_total sub_tax \
        subtotal_tax total_tax tax tax_class tax_data taxes refunded refund refunded_qty meta type discount weight";
    let is_spelled = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
    word == wanted || KEYS.split_ascii_whitespace().any(|key| key == word) || (wanted != "name" && is_spelled)
}

/// The filled lines of a cell.
pub(super) fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.split(['\n', '\r']).map(|line| line.trim().trim_end_matches(',')).filter(|line| !line.is_empty())
}
