//! A profile's file, and those that come with the program.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use crate::text::{Decimal, plainly, toml_quoted};
use serde::Deserialize;
use serde::de::{Deserializer, Error};

use super::back::Back;
use super::filter::{Filter, Section, filters, layered};
use super::recipe::{LineTotal, Recipe};
use super::totals::{Amount, amounts};
use super::values::ColumnValues;
use crate::field::{FIELDS, Field, Id, in_base_units, is_named, normalised, unit_of};
use crate::parse::Dates;
use crate::rule::LevelSettings;

/// Which columns feed which field and how, and what stands in where a sheet has no such column: as the file writes it.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Profile {
    /// What it is called.
    pub name: String,
    /// The profile of the program that it adds to.
    based_on: Option<String>,
    /// What it is for, in one line.
    pub title: String,
    /// Headers that all must be there for a sheet to be recognised; a profile without any is never recognised.
    pub recognised_by: Vec<String>,
    /// What stands before each order number, so that two shops that number alike are kept apart.
    pub prefix: String,
    /// Whether a row without an order number belongs to the order above it.
    pub fill_down: bool,
    /// Field to recipe.
    #[serde(deserialize_with = "recipes")]
    pub columns: BTreeMap<Id, Recipe>,
    /// Field to constant.
    #[serde(deserialize_with = "by_path")]
    pub defaults: BTreeMap<Id, String>,
    /// Headers that are known to mean nothing here.
    #[serde(rename = "ignore")]
    pub ignored: Vec<String>,
    /// Headers of columns that are not sent; what their cells say of whether an order goes counts all the same.
    pub left_out: Vec<String>,
    /// The rules of all three sections, which `skip`, `hold` and `go` hold in the file.
    #[serde(skip)]
    pub filters: Vec<Filter>,
    skip: Vec<Filter>,
    hold: Vec<Filter>,
    go: Vec<Filter>,
    /// What the sheet says of its orders' amounts beside the fields.
    #[serde(rename = "totals", deserialize_with = "amounts")]
    pub amounts: Vec<Amount>,
    /// How its dates are written.
    pub dates: Dates,
    /// What the columns held when it was saved: `text`, `number` or `date`.
    pub kinds: BTreeMap<String, String>,
    /// The meanings of values, by the headers of their columns.
    pub values: BTreeMap<String, ColumnValues>,
    /// What it says of the levels of rules.
    #[serde(rename = "rules")]
    pub levels: LevelSettings,
    /// The sheet that its shop takes back.
    pub back: Option<Back>,
    /// Whether it came with the program: then a sheet may lack columns that it names.
    #[serde(skip)]
    pub built_in: bool,
    /// The file that it was read from.
    #[serde(skip)]
    pub file: Option<PathBuf>,
    /// Its text.
    #[serde(skip)]
    text: String,
}

/// Why a profile cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ProfileError {
    /// The file cannot be read.
    #[error("cannot read the profile {}: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// It is not what a profile has to be.
    #[error("the profile {name} is not valid:{what}")]
    Wrong {
        /// The profile.
        name: String,
        /// Where and why.
        what: String,
    },
}

/// A table of fields, by their paths.
fn by_path<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<BTreeMap<Id, T>, D::Error> {
    let named = |(path, value): (String, T)| {
        let near = || crate::text::did_you_mean(&path, FIELDS.iter().map(|field| field.path));
        let unknown = || D::Error::custom(format!("`{path}` is not a field{}", near()));
        Ok((Field::by_path(&path).ok_or_else(unknown)?.id, value))
    };
    BTreeMap::<String, T>::deserialize(deserializer)?.into_iter().map(named).collect()
}

fn recipes<'de, D: Deserializer<'de>>(deserializer: D) -> Result<BTreeMap<Id, Recipe>, D::Error> {
    let recipe = |(id, value): (Id, toml::Value)| Recipe::written(value, id.field()).map(|recipe| (id, recipe));
    by_path(deserializer)?.into_iter().map(recipe).collect::<Result<_, _>>().map_err(D::Error::custom)
}

impl Profile {
    /// Reads a profile from its file.
    pub fn read(path: &Path) -> Result<Self, ProfileError> {
        let text = std::fs::read_to_string(path)
            .map_err(|source| ProfileError::Unreadable { path: path.to_owned(), source })?;
        let name = path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
        Ok(Self { file: Some(path.to_owned()), ..Self::parse(&name, &text)? })
    }

    /// Its text, or the beginning of one that adds to a profile of the program.
    pub(crate) fn text(&self) -> String {
        if self.built_in { format!("based_on = {}\n", toml_quoted(&self.name)) } else { self.text.clone() }
    }

    /// Reads a profile from TOML text.
    pub fn parse(name: &str, text: &str) -> Result<Self, ProfileError> {
        Self::parse_as(name, text, false)
    }

    fn parse_as(name: &str, text: &str, built_in: bool) -> Result<Self, ProfileError> {
        let mut own: Self = toml::from_str(text).map_err(|error| ProfileError::Wrong {
            name: name.to_owned(),
            what: format!("\n{}", plainly(&error.to_string(), |_| None)),
        })?;
        if own.name.is_empty() {
            name.clone_into(&mut own.name);
        }
        own.built_in = built_in;
        text.clone_into(&mut own.text);
        let name = own.name.clone();
        own.completed().map_err(|what| ProfileError::Wrong { name, what: format!(" {what}") })
    }

    /// What hangs on more than one part of the file.
    fn completed(mut self) -> Result<Self, String> {
        let sections = [(Section::Skip, &mut self.skip), (Section::Hold, &mut self.hold), (Section::Go, &mut self.go)];
        self.filters = filters(sections.map(|(section, own)| (section, std::mem::take(own))), self.built_in)?;
        for id in self.columns.iter().filter(|(_, recipe)| recipe.scale.is_some()).map(|(id, _)| *id) {
            converted_defaults(&mut self.defaults, id)?;
        }
        if let Some(wrong) = self.back.as_ref().and_then(Back::wrong) {
            return Err(wrong);
        }
        if let Some((header, fault)) = self.values.iter().find_map(|(header, own)| Some((header, own.fault()?))) {
            return Err(format!("[values.\"{header}\"] {fault}"));
        }
        let Some(base) = &self.based_on else { return Ok(self) };
        let Some(base) = built_in().iter().find(|known| known.name == *base) else {
            return Err(format!("based_on = \"{base}\" names no profile that comes with the program"));
        };
        Ok(self.on_top_of(base))
    }

    /// Whether it stands for no profile at all: a sheet is read by its own headers and cells, whatever layout they look like.
    #[must_use]
    pub fn is_by_headers(&self) -> bool {
        self.built_in && self.columns.is_empty()
    }

    /// Whether it says anything of a header.
    #[must_use]
    pub fn knows(&self, header: &str) -> bool {
        self.names().any(|name| normalised(name) == normalised(header))
    }

    /// Whether it says what a column is, and not only how its sheets are recognised and what values mean.
    pub(crate) fn settles(&self, header: &str) -> bool {
        self.said().any(|name| normalised(name) == normalised(header))
    }

    /// Every header that it says anything of, some of them twice.
    pub fn names(&self) -> impl Iterator<Item = &String> {
        self.said().chain(&self.recognised_by).chain(self.values.keys())
    }

    fn said(&self) -> impl Iterator<Item = &String> {
        let fed = self.columns.values().flat_map(|recipe| {
            let pieces = if let LineTotal::Pieces(pieces) = &recipe.line_total { Some(pieces) } else { None };
            recipe.columns().iter().chain(&recipe.by).chain(pieces).chain(&recipe.less).chain(&recipe.times)
        });
        let filters = self.filters.iter().filter(|filter| filter.role.is_empty());
        let filters = filters.flat_map(|filter| filter.less.iter().chain([&filter.column]));
        let amounts = self.amounts.iter().flat_map(|amount| &amount.columns);
        fed.chain(&self.ignored).chain(&self.left_out).chain(filters).chain(amounts)
    }

    /// This profile without what it says of the columns with these headers, but for the fields that they feed, and with
    /// more words of orders that may go.
    #[must_use]
    pub fn configured(mut self, ignored: &[String], ready: &[String]) -> Self {
        let more = |filter: &&Filter| filter.section == Section::Go && !ready.is_empty();
        let more = self.filters.iter().filter(more).map(|filter| Filter { is: ready.to_vec(), ..filter.clone() });
        self.filters = layered(&self.filters, more.collect(), ignored);
        for amount in &mut self.amounts {
            amount.columns.retain(|header| !is_named(ignored, header));
        }
        self.amounts.retain(|amount| !amount.columns.is_empty());
        self.ignored.extend_from_slice(ignored);
        self
    }

    /// What this one does not say is as the other has it; columns of the other may be missing from a sheet.
    fn on_top_of(self, base: &Self) -> Self {
        let optional = |recipe: &Recipe| Recipe { optional: true, ..recipe.clone() };
        let mut columns: BTreeMap<Id, Recipe> =
            base.columns.iter().map(|(id, recipe)| (*id, optional(recipe))).collect();
        columns.extend(self.columns);
        let mut defaults = base.defaults.clone();
        defaults.extend(self.defaults);
        let filters = layered(&base.filters, self.filters, &self.ignored);
        // What it says itself of a role is all that counts there.
        let is_open = |amount: &&Amount| !self.amounts.iter().any(|own| own.role == amount.role);
        let kept = base.amounts.iter().filter(is_open).map(|amount| Amount { optional: true, ..amount.clone() });
        let amounts = self.amounts.iter().cloned().chain(kept).collect();
        let or = |own: Vec<String>, other: &Vec<String>| if own.is_empty() { other.clone() } else { own };
        Self {
            title: if self.title.is_empty() { base.title.clone() } else { self.title },
            columns,
            defaults,
            ignored: base.ignored.iter().cloned().chain(self.ignored).collect(),
            left_out: base.left_out.iter().cloned().chain(self.left_out).collect(),
            // The sheets of two shops may have the same headers: the prefix of one is for that one alone.
            recognised_by: if self.prefix.is_empty() {
                or(self.recognised_by, &base.recognised_by)
            } else {
                self.recognised_by
            },
            filters,
            amounts,
            prefix: if self.prefix.is_empty() { base.prefix.clone() } else { self.prefix.clone() },
            fill_down: self.fill_down || base.fill_down,
            dates: Dates {
                formats: or(self.dates.formats, &base.dates.formats),
                time_zone: self.dates.time_zone.or_else(|| base.dates.time_zone.clone()),
            },
            levels: self.levels.on_top_of(&base.levels),
            back: self.back.or_else(|| base.back.clone()),
            ..self
        }
    }
}

/// A number that was converted is in the unit that the service is known to take, and so are the constants beside it.
fn converted_defaults(defaults: &mut BTreeMap<Id, String>, converted: Id) -> Result<(), String> {
    let (unit, sent) = if converted == Id::Weight { (Id::WeightUnit, "kg") } else { (Id::DimensionUnit, "cm") };
    let Some(own) = defaults.insert(unit, sent.to_owned()).filter(|own| own != sent) else { return Ok(()) };
    let factor =
        unit_of(unit, &own).and_then(in_base_units).ok_or_else(|| format!("\"{own}\" in [defaults] is no unit"))?;
    for (_, text) in defaults.iter_mut().filter(|(id, _)| id.field().unit_field() == Some(unit)) {
        let number = Decimal::from_str_exact(text).map_err(|_| format!("\"{text}\" in [defaults] is no number"))?;
        *text = (number * factor).normalize().to_string();
    }
    Ok(())
}

/// Declares the profiles that come with the program.
macro_rules! built_in {
    ($($name:literal),* $(,)?) => {
        pub(super) const TEXTS: &[(&str, &str)] = &[$(($name, include_str!(concat!("../../templates/profiles/", $name, ".toml"))),)*];
    };
}

built_in!(
    "shipsheet",
    "shopify",
    "woocommerce",
    "woocommerce-items",
    "amazon-com",
    "amazon-in",
    "etsy",
    "ebay",
    "magento",
    "meesho",
    "tiktok",
    "walmart",
    "shiprocket",
    "delhivery-one",
);

static PROFILES: LazyLock<Vec<Profile>> =
    LazyLock::new(|| TEXTS.iter().filter_map(|(name, text)| Profile::parse_as(name, text, true).ok()).collect());

/// The profiles that come with the program.
#[must_use]
pub fn built_in() -> &'static [Profile] {
    &PROFILES
}

/// The profile that stands for none.
#[must_use]
pub fn by_headers() -> Profile {
    built_in().iter().find(|own| own.is_by_headers()).cloned().unwrap_or_default()
}

/// The program's own rules by what cells say, for columns of any sheet by what they are.
pub fn common_filters() -> impl Iterator<Item = &'static Filter> {
    built_in().iter().flat_map(|profile| &profile.filters).filter(|filter| !filter.role.is_empty())
}

/// The TOML of a profile that comes with the program.
#[must_use]
pub fn built_in_text(name: &str) -> Option<&'static str> {
    TEXTS.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}
