//! How a field's value is made from one or more cells.

use std::collections::BTreeMap;

pub use rust_decimal::Decimal;
use serde::Deserialize;

use crate::field::{Field, Id, Kind, Level, in_base_units, length_unit, normalised, parted, sides, weight_unit};

/// Stands for 1, 2, 3 … in the headers of products side by side.
pub const NUMBER: &str = "{n}";

/// More products than this do not stand side by side in one row.
pub const PRODUCTS_MAX: u16 = 200;

/// How a field's value is made. The plain case, one column as it stands, costs nothing.
#[expect(clippy::struct_excessive_bools, reason = "each is a word of the profile's file, whose shape this is")]
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Recipe {
    /// The headers that it is made from, in order. `{n}` stands for 1, 2, 3 … of products side by side.
    pub columns: Vec<String>,
    /// What stands between several columns; without it the first filled one is taken.
    pub join: Option<String>,
    /// Whether the amounts of the columns are added up.
    pub add: bool,
    /// One header for each of the columns: the column is taken whose own one is filled first, even where it is blank itself.
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
    /// What the number is multiplied with to be in kilograms or centimetres.
    pub scale: Option<Decimal>,
    /// Whether the amount is for all pieces of the line, and is to be divided by their number.
    pub line_total: bool,
    /// The column of the pieces that such an amount is for, where it is not the quantity that is sent.
    pub pieces: Option<String>,
    /// Whether the discount is for one piece, and is to be multiplied by their number.
    pub per_piece: bool,
    /// Whether the cell says what is to be collected, as an amount or as yes, and nothing or no where the order is paid.
    pub collects: bool,
    /// What a blank cell becomes where `when` holds.
    pub blank: Option<String>,
    /// Whether each row of an order holds a part of the order's amount, so that they are added up.
    pub each_line: bool,
    /// Whether a sheet may lack the columns.
    pub optional: bool,
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

/// A part of a cell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// A full name without its last word, or the only word.
    FirstName,
    /// The last word of a full name of several.
    LastName,
    /// A line of the cell, counted from 0.
    Line(usize),
    /// All lines from this one on, with commas between them.
    LinesFrom(usize),
    /// A side of a parcel whose length, width and height stand in one cell, counted from 0.
    Side(usize),
    /// The value behind a key: `sku` of `name:Shoe|sku:A12|quantity:1`.
    Key(String),
    /// Of an address that ends with its PIN code, what stands before the city.
    Street,
    /// The city of such an address.
    City,
    /// The state of such an address, where it is named.
    State,
    /// The PIN code of such an address.
    Pin,
}

/// A recipe as the file writes it: a header, or a table.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum Written {
    Header(String),
    Table(Box<Table>),
}

#[expect(clippy::struct_excessive_bools, reason = "each is a word of the profile's file, whose shape this is")]
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Table {
    column: Option<String>,
    first: Vec<String>,
    join: Vec<String>,
    add: Vec<String>,
    by: Vec<String>,
    less: Vec<String>,
    times: Option<String>,
    with: Option<String>,
    strip: Vec<String>,
    part: Option<String>,
    map: BTreeMap<String, String>,
    otherwise: Option<String>,
    unless: Vec<String>,
    when: Option<When>,
    unit: Option<String>,
    line_total: LineTotal,
    per_piece: bool,
    collects: bool,
    blank: Option<String>,
    each_line: bool,
    optional: bool,
}

/// `line_total = true`, or the column of the pieces that it is for.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum LineTotal {
    Flag(bool),
    Pieces(String),
}

impl Default for LineTotal {
    fn default() -> Self {
        Self::Flag(false)
    }
}

impl Recipe {
    /// One column as it stands.
    #[must_use]
    pub fn plain(header: impl Into<String>) -> Self {
        Self { columns: vec![header.into()], ..Self::default() }
    }

    /// Whether the cell's text is taken as it stands.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        let texts_stay = self.strip.is_empty()
            && self.part.is_none()
            && self.map.is_empty()
            && self.otherwise.is_none()
            && self.blank.is_none()
            && self.times.is_none()
            && !self.collects;
        self.columns.len() == 1 && self.by.is_empty() && self.less.is_empty() && texts_stay
    }

    pub(super) fn read(field: &Field, written: Written) -> Result<Self, String> {
        let table = match written {
            Written::Header(header) => return Ok(Self::plain(header)),
            Written::Table(table) => *table,
        };
        let sources = [table.column.is_some(), !table.first.is_empty(), !table.join.is_empty(), !table.add.is_empty()];
        if sources.iter().filter(|given| **given).count() != 1 {
            return Err("needs exactly one of `column`, `first`, `join` and `add`".to_owned());
        }
        if !table.by.is_empty() && table.by.len() != table.first.len() {
            return Err("has `by`, which names one column for each of those of `first`".to_owned());
        }
        let is_amount = matches!(field.kind, Kind::Money | Kind::MoneyText);
        if !table.add.is_empty() && !is_amount {
            return Err("has `add`, which is for amounts".to_owned());
        }
        if table.each_line && !((is_amount && field.level == Level::Order) || field.id == Id::Weight) {
            return Err("has `each_line`, which is for amounts of the order and for its weight".to_owned());
        }
        if table.times.is_some() && !(table.each_line && field.id == Id::Weight) {
            return Err("has `times`, which is for the weight with `each_line`".to_owned());
        }
        if !table.less.is_empty() && field.id != Id::Quantity && table.times.is_none() {
            return Err("has `less`, which is for the quantity".to_owned());
        }
        if table.with.is_some() && table.join.is_empty() {
            return Err("has `with`, which belongs to `join`".to_owned());
        }
        if table.otherwise.is_none() && (!table.unless.is_empty() || (table.when.is_some() && table.blank.is_none())) {
            return Err("has `when` or `unless`, which belong to `otherwise`, or `when` to `blank`".to_owned());
        }
        if table.blank.is_some() && table.when.is_none() {
            return Err("has `blank`, which needs `when`: anything else is a value of [defaults]".to_owned());
        }
        if table.per_piece && field.id != Id::LineDiscount {
            return Err("has `per_piece`, which only the discount of a product can be".to_owned());
        }
        if table.collects && field.id != Id::OrderType {
            return Err("has `collects`, which is for the type of payment".to_owned());
        }
        let join = (!table.join.is_empty()).then(|| table.with.unwrap_or_else(|| " ".to_owned()));
        let add = !table.add.is_empty();
        let columns = table.column.into_iter().chain(table.first).chain(table.join).chain(table.add).collect();
        let (line_total, pieces) = line_total(field, table.line_total)?;
        Ok(Self {
            columns,
            join,
            add,
            by: table.by,
            less: table.less,
            times: table.times,
            strip: table.strip,
            part: table.part.as_deref().map(part).transpose()?,
            map: table.map.into_iter().map(|(from, to)| (normalised(&from), to)).collect(),
            otherwise: table.otherwise,
            unless: table.unless.iter().map(|word| normalised(word)).collect(),
            when: table.when,
            scale: table.unit.as_deref().map(|unit| scale(field, unit)).transpose()?,
            line_total,
            pieces,
            per_piece: table.per_piece,
            collects: table.collects,
            blank: table.blank,
            each_line: table.each_line,
            optional: table.optional,
        })
    }
}

fn part(word: &str) -> Result<Part, String> {
    let number = |text: &str| text.parse::<usize>().ok().filter(|line| *line > 0).map(|line| line - 1);
    match word {
        "first-name" => return Ok(Part::FirstName),
        "last-name" => return Ok(Part::LastName),
        "street" => return Ok(Part::Street),
        "city" => return Ok(Part::City),
        "state" => return Ok(Part::State),
        "pin" => return Ok(Part::Pin),
        _ => {}
    }
    if let Some(key) = word.strip_prefix("key:") {
        return Ok(Part::Key(key.to_owned()));
    }
    if let Some(side) = word.strip_prefix("side-").and_then(number).filter(|side| *side < 3) {
        return Ok(Part::Side(side));
    }
    if let Some(line) = word.strip_prefix("lines-from-").and_then(number) {
        return Ok(Part::LinesFrom(line));
    }
    if let Some(line) = word.strip_prefix("line-").and_then(number) {
        return Ok(Part::Line(line));
    }
    Err(format!(
        "has the part \"{word}\"; accepted are first-name, last-name, line-N, lines-from-N, side-N, street, city, state, pin and key:NAME"
    ))
}

fn scale(field: &Field, unit: &str) -> Result<Decimal, String> {
    let known = match field.unit_field() {
        Some(Id::WeightUnit) => weight_unit(unit),
        Some(Id::DimensionUnit) => length_unit(unit),
        _ => None,
    };
    known.and_then(in_base_units).ok_or_else(|| format!("has the unit \"{unit}\", which is none of its kind"))
}

fn line_total(field: &Field, wanted: LineTotal) -> Result<(bool, Option<String>), String> {
    match wanted {
        LineTotal::Flag(false) => Ok((false, None)),
        _ if field.id != Id::Price => Err("has `line_total`, which only the price can be".to_owned()),
        LineTotal::Flag(true) => Ok((true, None)),
        LineTotal::Pieces(column) => Ok((true, Some(column))),
    }
}

impl Part {
    /// Appends the part of a text that is meant.
    pub(super) fn take(&self, text: &str, out: &mut String) {
        match self {
            Self::FirstName => {
                out.push_str(text.rsplit_once(char::is_whitespace).map_or(text, |(first, _)| first.trim()));
            }
            Self::LastName => out.push_str(text.rsplit_once(char::is_whitespace).map_or("", |(_, last)| last)),
            // What cannot be parted is refused as it stands.
            Self::Side(side) => out.push_str(sides(text).map_or(text, |sides| sides[*side])),
            Self::Line(line) => out.push_str(lines(text).nth(*line).unwrap_or_default()),
            Self::LinesFrom(line) => {
                for (index, rest) in lines(text).skip(*line).enumerate() {
                    out.push_str(if index == 0 { "" } else { ", " });
                    out.push_str(rest);
                }
            }
            Self::Street => out.push_str(parted(text).map_or(text, |parted| parted.street)),
            Self::City => out.push_str(parted(text).and_then(|parted| parted.city).unwrap_or_default()),
            Self::State => out.push_str(parted(text).and_then(|parted| parted.state).unwrap_or_default()),
            Self::Pin => out.push_str(parted(text).map_or("", |parted| parted.pin)),
            Self::Key(key) => {
                let start = out.len();
                let mut within = false;
                for segment in text.split('|') {
                    let pair = segment.split_once(':').filter(|(name, _)| is_key(name, key));
                    match pair {
                        Some(_) if within => break,
                        Some((name, value)) if name.trim().eq_ignore_ascii_case(key) => {
                            within = true;
                            out.push_str(value);
                        }
                        // What has no key of its own belongs to the value before it: `Shirt: blue | large`.
                        None if within => out.extend(["|", segment]),
                        _ => {}
                    }
                }
                let value = out.split_off(start);
                out.push_str(value.trim());
            }
        }
    }
}

/// Whether a word is a key of keyed text, and no word of a value that has a colon behind it: names of products have them.
fn is_key(word: &str, wanted: &str) -> bool {
    const KEYS: &[&str] = &[
        "name",
        "product_id",
        "variation_id",
        "item_id",
        "id",
        "sku",
        "quantity",
        "qty",
        "price",
        "cost",
        "total",
        "subtotal",
        "sub_total",
        "sub_tax",
        "subtotal_tax",
        "total_tax",
        "tax",
        "tax_class",
        "tax_data",
        "taxes",
        "refunded",
        "refund",
        "refunded_qty",
        "meta",
        "type",
        "discount",
        "weight",
    ];
    let spelled = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
    word == wanted || KEYS.contains(&word) || (wanted != "name" && spelled)
}

/// The filled lines of a cell.
pub(super) fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.split(['\n', '\r']).map(|line| line.trim().trim_end_matches(',')).filter(|line| !line.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_cells() {
        let address = "14 MG Road,\r\nNear City Mall\nBengaluru";
        let cases = [
            ("first-name", "Asha Devi Rao", "Asha Devi"),
            ("last-name", "Asha Devi Rao", "Rao"),
            ("first-name", "Asha", "Asha"),
            ("last-name", "Asha", ""),
            ("line-1", address, "14 MG Road"),
            ("line-4", address, ""),
            ("lines-from-2", address, "Near City Mall, Bengaluru"),
            ("side-2", "20x15x10 cm", "15"),
            ("side-1", "large", "large"),
            ("key:sku", "name:Shoe: red|sku:A12|quantity:1", "A12"),
            ("key:name", "name:Shoe: red|sku:A12", "Shoe: red"),
            ("key:tax", "name:Shoe", ""),
            ("key:name", "name:Shirt: blue | large|product_id:7|sku:A", "Shirt: blue | large"),
            ("key:name", "name:Kurta (size:M|L)|product_id:7", "Kurta (size:M|L)"),
            ("key:total", "name:Shirt|total:8.00|color:Red|_variation_id:6", "8.00"),
            ("key:sku", "name:Shirt | sku: none|sku:A12|quantity:1", "A12"),
        ];
        for (word, text, expected) in cases {
            let mut out = String::new();
            part(word).unwrap().take(text, &mut out);
            assert_eq!(out, expected, "{word} of {text}");
        }
        for wrong in ["line-0", "side-4", "surname", "line-x"] {
            assert!(part(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn wrong_recipes_say_why() {
        let read = |id: Id, text: &str| -> Result<Recipe, String> {
            #[derive(Deserialize)]
            struct File {
                it: Written,
            }
            let file: File = toml::from_str(text).map_err(|error| error.to_string())?;
            Recipe::read(id.field(), file.it)
        };
        assert!(read(Id::Weight, "it = { column = \"W\", unit = \"g\" }").unwrap().is_plain());
        assert!(read(Id::Weight, "it = { column = \"W\", unit = \"cm\" }").unwrap_err().contains("unit"));
        assert!(read(Id::Weight, "it = { column = \"W\", first = [\"V\"] }").unwrap_err().contains("exactly one"));
        assert!(read(Id::Weight, "it = { column = \"W\", line_total = true }").unwrap_err().contains("price"));
        assert!(read(Id::Weight, "it = { column = \"W\", untit = \"g\" }").is_err());
    }
}
