//! A profile's file, and those that come with the program.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use jiff::tz::TimeZone;
use rust_decimal::Decimal;
use serde::Deserialize;

use super::filter::{Filter, Section, filters, layered};
use super::formats::wrong_date_format;
use super::recipe::{Recipe, Written};
use super::totals::{Amount, Totals, on_top};
use crate::field::{Field, Id, in_base_units, is_named, length_unit, normalised, weight_unit};
use crate::rule::LevelSettings;
use crate::text;
use crate::words::OwnWords;

/// Which columns feed which field and how, and what stands in where a sheet has no such column.
#[derive(Debug, Clone, Default)]
pub struct Profile {
    /// What it is called.
    pub name: String,
    /// What it is for, in one line.
    pub title: String,
    /// Field to recipe.
    pub columns: BTreeMap<Id, Recipe>,
    /// Field to constant.
    pub defaults: BTreeMap<Id, String>,
    /// Headers that are known to mean nothing here.
    pub ignored: Vec<String>,
    /// Headers of columns that are not sent; what their cells say of whether an order goes counts all the same.
    pub left_out: Vec<String>,
    /// Headers that all must be there for a sheet to be recognised; a profile without any is never recognised.
    pub recognised_by: Vec<String>,
    /// Rows that are left out, and orders that are held back.
    pub filters: Vec<Filter>,
    /// What the sheet says of its orders' amounts beside the fields.
    pub amounts: Vec<Amount>,
    /// Whether a row without an order number belongs to the order above it.
    pub fill_down: bool,
    /// `strptime` formats of its dates.
    pub date_formats: Vec<String>,
    /// The zone of its dates.
    pub zone: Option<TimeZone>,
    /// What the columns held when it was saved: `text`, `number` or `date`.
    pub kinds: BTreeMap<String, String>,
    /// Whether it came with the program: then a sheet may lack columns that it names.
    pub built_in: bool,
    /// What it says of the levels of rules.
    pub levels: LevelSettings,
    /// Words for remarks beside those that everybody uses.
    pub words: OwnWords,
    /// The file that it was read from.
    pub file: Option<PathBuf>,
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
    /// The file is not what a profile has to be.
    #[error("the profile {name} is not valid:\n{source}")]
    Malformed {
        /// The profile.
        name: String,
        /// Where and why.
        source: Box<toml::de::Error>,
    },
    /// It names a field that does not exist.
    #[error("the profile {name} names `{path}`, which is not a field{}", suggestion(path))]
    UnknownField {
        /// The profile.
        name: String,
        /// The word that names no field.
        path: String,
    },
    /// It says something that cannot be meant.
    #[error("the profile {name} is not valid: {what}")]
    Wrong {
        /// The profile.
        name: String,
        /// What is wrong.
        what: String,
    },
}

fn suggestion(path: &str) -> String {
    text::nearest(path, crate::field::FIELDS.iter().map(|field| field.path))
        .map_or_else(String::new, |near| format!("; did you mean `{near}`?"))
}

/// Writes a profile's own sizes or weights in the unit that is sent where a column of them is converted.
fn convert_defaults(defaults: &mut BTreeMap<Id, String>, unit: Id, own: &str) -> Result<(), String> {
    let known = if unit == Id::WeightUnit { weight_unit(own) } else { length_unit(own) };
    let factor = known.and_then(in_base_units).ok_or_else(|| format!("\"{own}\" in [defaults] is no unit"))?;
    for (_, text) in defaults.iter_mut().filter(|(id, _)| id.field().unit_field() == Some(unit)) {
        let number = Decimal::from_str_exact(text).map_err(|_| format!("\"{text}\" in [defaults] is no number"))?;
        *text = (number * factor).normalize().to_string();
    }
    Ok(())
}

/// The file's own shape.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    name: Option<String>,
    based_on: Option<String>,
    #[serde(default)]
    title: String,
    #[serde(default)]
    recognised_by: Vec<String>,
    #[serde(default)]
    fill_down: bool,
    #[serde(default)]
    columns: BTreeMap<String, Written>,
    #[serde(default)]
    defaults: BTreeMap<String, String>,
    #[serde(default)]
    ignore: Vec<String>,
    #[serde(default)]
    left_out: Vec<String>,
    #[serde(default)]
    skip: Vec<Filter>,
    #[serde(default)]
    hold: Vec<Filter>,
    #[serde(default)]
    go: Vec<Filter>,
    #[serde(default)]
    totals: Totals,
    #[serde(default)]
    dates: Dates,
    #[serde(default)]
    kinds: BTreeMap<String, String>,
    #[serde(default)]
    rules: LevelSettings,
    #[serde(default)]
    words: OwnWords,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Dates {
    #[serde(default)]
    formats: Vec<String>,
    time_zone: Option<String>,
}

impl Profile {
    /// Reads a profile from its file.
    pub fn read(path: &Path) -> Result<Self, ProfileError> {
        let text = std::fs::read_to_string(path)
            .map_err(|source| ProfileError::Unreadable { path: path.to_owned(), source })?;
        let name = path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
        Ok(Self { file: Some(path.to_owned()), ..Self::parse(&name, &text)? })
    }

    /// Reads a profile from TOML text.
    pub fn parse(name: &str, text: &str) -> Result<Self, ProfileError> {
        Self::parse_as(name, text, false)
    }

    fn parse_as(name: &str, text: &str, built_in: bool) -> Result<Self, ProfileError> {
        let file: File = toml::from_str(text)
            .map_err(|source| ProfileError::Malformed { name: name.to_owned(), source: Box::new(source) })?;
        let name = file.name.unwrap_or_else(|| name.to_owned());
        let wrong = |what: String| ProfileError::Wrong { name: name.clone(), what };
        let named =
            |path: String| Field::by_path(&path).ok_or_else(|| ProfileError::UnknownField { name: name.clone(), path });
        let mut columns = BTreeMap::new();
        for (path, written) in file.columns {
            let field = named(path)?;
            let recipe = Recipe::read(field, written).map_err(|what| wrong(format!("`{}` {what}", field.path)))?;
            columns.insert(field.id, recipe);
        }
        let mut defaults = BTreeMap::new();
        for (path, text) in file.defaults {
            defaults.insert(named(path)?.id, text);
        }
        // A number that was converted is in the unit that the service is known to take.
        for recipe in columns.iter().filter(|(_, recipe)| recipe.scale.is_some()) {
            let (id, unit) = if *recipe.0 == Id::Weight { (Id::WeightUnit, "kg") } else { (Id::DimensionUnit, "cm") };
            if let Some(own) = defaults.insert(id, unit.to_owned()).filter(|own| own != unit) {
                convert_defaults(&mut defaults, id, &own).map_err(wrong)?;
            }
        }
        let zone = file.dates.time_zone.map(|zone| {
            TimeZone::get(&zone).map_err(|_| wrong(format!("time_zone \"{zone}\" is no zone such as Asia/Kolkata")))
        });
        for format in &file.dates.formats {
            if let Some(why) = wrong_date_format(format) {
                return Err(wrong(format!(
                    "[dates] formats: \"{format}\" is no format of a date ({why}); write one such as %d/%m/%Y"
                )));
            }
        }
        let sections = [(Section::Skip, file.skip), (Section::Hold, file.hold), (Section::Go, file.go)];
        let filters = filters(sections, built_in).map_err(wrong)?;
        let amounts = file.totals.read().map_err(wrong)?;
        let own = Self {
            title: file.title,
            columns,
            defaults,
            ignored: file.ignore,
            left_out: file.left_out,
            recognised_by: file.recognised_by,
            filters,
            amounts,
            fill_down: file.fill_down,
            date_formats: file.dates.formats,
            zone: zone.transpose()?,
            kinds: file.kinds,
            levels: file.rules,
            words: file.words,
            built_in,
            file: None,
            name: name.clone(),
        };
        let Some(base) = file.based_on else { return Ok(own) };
        let Some(base) = super::built_in().iter().find(|known| known.name == base) else {
            return Err(wrong(format!("based_on = \"{base}\" names no profile that comes with the program")));
        };
        Ok(own.on_top_of(base))
    }

    /// Whether it says anything of a header.
    #[must_use]
    pub fn knows(&self, header: &str) -> bool {
        self.names().any(|name| normalised(name) == normalised(header))
    }

    /// Every header that it says anything of, some of them twice.
    pub fn names(&self) -> impl Iterator<Item = &String> {
        let fed = self.columns.values().flat_map(|recipe| {
            recipe.columns.iter().chain(&recipe.by).chain(&recipe.pieces).chain(&recipe.less).chain(&recipe.times)
        });
        let filters = self.filters.iter().filter(|filter| filter.role.is_empty());
        let filters = filters.flat_map(|filter| filter.less.iter().chain([&filter.column]));
        let amounts = self.amounts.iter().flat_map(|amount| &amount.columns);
        fed.chain(&self.ignored).chain(&self.left_out).chain(&self.recognised_by).chain(filters).chain(amounts)
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
        let or = |own: Vec<String>, other: &Vec<String>| if own.is_empty() { other.clone() } else { own };
        Self {
            title: if self.title.is_empty() { base.title.clone() } else { self.title },
            columns,
            defaults,
            ignored: base.ignored.iter().cloned().chain(self.ignored).collect(),
            left_out: base.left_out.iter().cloned().chain(self.left_out).collect(),
            recognised_by: or(self.recognised_by, &base.recognised_by),
            filters,
            amounts: on_top(self.amounts, &base.amounts),
            fill_down: self.fill_down || base.fill_down,
            date_formats: or(self.date_formats, &base.date_formats),
            zone: self.zone.or_else(|| base.zone.clone()),
            levels: self.levels.on_top_of(&base.levels),
            words: self.words.with(&base.words),
            ..self
        }
    }
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

/// The program's own rules by what cells say, for columns of any sheet by what they are.
pub fn common_rules() -> impl Iterator<Item = &'static Filter> {
    built_in().iter().flat_map(|profile| &profile.filters).filter(|filter| !filter.role.is_empty())
}

/// The TOML of a profile that comes with the program.
#[must_use]
pub fn built_in_text(name: &str) -> Option<&'static str> {
    TEXTS.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_profile_names_fields_by_path() {
        let text = "name = \"counter\"\nignore = [\"Colour\"]\n[columns]\n\"receiver.firstName\" = \"Who\"\n[defaults]\nwarehouseId = \"WH-9\"\n";
        let profile = Profile::parse("file", text).unwrap();
        assert_eq!(profile.name, "counter");
        assert_eq!(profile.columns[&Id::ReceiverFirstName], Recipe::plain("Who"));
        assert_eq!(profile.defaults[&Id::WarehouseId], "WH-9");
    }

    #[test]
    fn a_converted_number_sets_its_unit() {
        let text = "[columns]\n\"parcelAttributes.weight.weight\" = { column = \"W\", unit = \"g\" }\n";
        let profile = Profile::parse("file", text).unwrap();
        assert_eq!(profile.defaults[&Id::WeightUnit], "kg");
    }

    #[test]
    fn wrong_words_are_named() {
        let error = Profile::parse("x", "[columns]\n\"receiver.frstName\" = \"Who\"\n").unwrap_err();
        assert!(error.to_string().ends_with("did you mean `receiver.firstName`?"), "{error}");
        let error = Profile::parse("x", "colums = 1\n").unwrap_err();
        assert!(error.to_string().contains("colums"), "{error}");
        let error = Profile::parse("x", "[dates]\ntime_zone = \"Mars\"\n").unwrap_err();
        assert!(error.to_string().contains("Mars"), "{error}");
        for (rule, told) in [
            ("[[skip]]\ncolumn = \"Status\"\nbecause = \"so\"", "[[skip]] of \"Status\" needs exactly one of"),
            ("[[skip]]\ncolumn = \"A\"\nfilled = true", "needs `because`"),
            ("[[hold]]\nrole = [\"state\"]\nfilled = true\nbecause = \"so\"", "needs `column`"),
            ("[[hold]]\ncolumn = \"A\"\nsays = [\"gone\"]\nbecause = \"so\"", "a sense that nobody knows"),
            ("[[go]]\ncolumn = \"A\"\nis = [\"new\"]\nfilled = true", "and nothing else"),
            ("[[go]]\ncolumn = \"A\"\nis = [\"\"]", "the words of orders that may go"),
        ] {
            let error = Profile::parse("x", rule).unwrap_err().to_string();
            assert!(error.contains(told), "{error}");
        }
    }
}
