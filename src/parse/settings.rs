//! What the configuration says of values: defaults, needs, dates, zone.

use std::collections::BTreeMap;
use std::sync::Arc;

pub use crate::text::Decimal;
pub use jiff::Timestamp;
use jiff::civil::Date;
pub use jiff::tz::TimeZone;

use super::country::addresses_have;
use crate::field::{Field, Id, Need, Version};
use crate::rule::LevelPlan;
use crate::text;
use crate::words::OwnWords;

/// The configuration's word on values, with nothing left to parse.
#[derive(Debug, Clone)]
pub struct ReadingSettings {
    /// Which request is made.
    pub version: Version,
    /// The zone of dates that name none.
    pub time_zone: TimeZone,
    /// `strptime` formats tried before the usual ones.
    pub date_formats: Vec<String>,
    /// The present, against which dates are judged.
    pub now: Timestamp,
    /// Kilograms above which no parcel is believed.
    pub heaviest_kg: Decimal,
    /// Headers of columns that are ignored in every sheet.
    pub ignored_headers: Vec<String>,
    /// Words of a status that let an order go, beside those that everybody uses.
    pub ready_words: Vec<String>,
    /// What separates decimals where a column does not show it.
    pub decimals: Decimals,
    /// What is said of the levels of rules.
    pub levels: LevelPlan,
    /// Fields that are left out of the request where they are empty; any other goes out empty.
    pub omit_empty: Arc<[Id]>,
    /// Fields that are sent as the sheet writes them.
    pub as_written: Vec<Id>,
    /// Words for remarks beside those that everybody uses.
    pub words: OwnWords,
    defaults: BTreeMap<Id, String>,
    needs: BTreeMap<Id, Need>,
    /// The payment types that are accepted, sent as they are written here.
    pub payment_types: Vec<String>,
    /// Warehouses by the names that sheets have for them, with their ids; empty where sheets hold ids.
    pub warehouses: BTreeMap<String, String>,
    /// The totals that people chose for orders, by their numbers: each holds as long as the sheet offers it.
    pub totals: BTreeMap<String, Decimal>,
}

/// What separates decimals in a column's texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Decimals {
    /// Nothing in the column shows it.
    #[default]
    Unknown,
    /// A point.
    Point,
    /// A comma.
    Comma,
    /// Some cells show a point, others a comma.
    Mixed,
}

/// Why the configuration's word on a field cannot be taken.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct ReadingSettingsError(String);

/// Fields that a request may lack.
const OMITTABLE: [Id; 9] = [
    Id::ReceiverLastName,
    Id::ReceiverEmail,
    Id::ReceiverCompany,
    Id::DestinationLine2,
    Id::SellerNote,
    Id::Tags,
    Id::Carrier,
    Id::Service,
    Id::ReturnAddressId,
];

/// Fields whose seen values stand in where neither sheet nor configuration says anything.
const WORKING_DEFAULTS: &[(Id, &str)] = &[
    (Id::ChannelId, "External"),
    (Id::ShipmentType, "External"),
    (Id::DestinationType, "Residential"),
    (Id::DimensionUnit, "cm"),
    (Id::WeightUnit, "kg"),
    (Id::CurrencyCode, "INR"),
    (Id::TaxRate, "0"),
    (Id::LineDiscount, "0"),
    (Id::TaxesIncluded, "yes"),
    (Id::ShippingCharges, "0"),
    (Id::OtherCharges, "0"),
    (Id::Discount, "0"),
];

/// What is heavier goes as freight, which couriers book otherwise.
const HEAVIEST_KG: Decimal = Decimal::from_parts(30, 0, 0, false, 0);

impl ReadingSettings {
    /// The rules that hold where nothing is configured.
    #[must_use]
    pub fn new(now: Timestamp) -> Self {
        Self {
            version: Version::V2,
            time_zone: TimeZone::get("Asia/Kolkata").unwrap_or(TimeZone::UTC),
            date_formats: Vec::new(),
            now,
            heaviest_kg: HEAVIEST_KG,
            ignored_headers: Vec::new(),
            ready_words: Vec::new(),
            decimals: Decimals::Unknown,
            levels: LevelPlan::default(),
            omit_empty: [Id::ReturnAddressId].into(),
            as_written: Vec::new(),
            words: OwnWords::default(),
            defaults: BTreeMap::new(),
            needs: BTreeMap::new(),
            // Those that were seen to work.
            payment_types: ["PREPAID", "COD"].map(str::to_owned).into(),
            warehouses: BTreeMap::new(),
            totals: BTreeMap::new(),
        }
    }

    /// The present day, where dates that name no zone are.
    #[must_use]
    pub fn today(&self) -> Date {
        self.now.to_zoned_datetime(self.time_zone.clone()).date()
    }

    /// Sets the value of a field where the sheet has none.
    pub fn set_default(&mut self, path: &str, value: &str) -> Result<(), ReadingSettingsError> {
        let field = named(path, "defaults")?;
        self.defaults.insert(field.id, value.to_owned());
        Ok(())
    }

    /// Demands a field.
    pub fn require(&mut self, path: &str) -> Result<(), ReadingSettingsError> {
        let field = named(path, "check")?;
        if field.need(self.version) == Need::Absent {
            return Err(ReadingSettingsError(format!("`{path}` in [check] is not part of the request that is sent")));
        }
        self.needs.insert(field.id, Need::Required);
        Ok(())
    }

    /// Lets a field be missing.
    pub fn relax(&mut self, path: &str) -> Result<(), ReadingSettingsError> {
        let field = named(path, "check")?;
        if matches!(field.id, Id::OrderNumber | Id::ProductName | Id::Price | Id::Quantity) {
            let why = "a booking cannot be told apart or sent without it";
            return Err(ReadingSettingsError(format!("`{path}` in [check] cannot be optional: {why}")));
        }
        self.needs.insert(field.id, Need::Optional);
        Ok(())
    }

    /// Has fields left out of the request where they are empty, and no others.
    ///
    /// # Errors
    /// A path that is no field, or of a field that every request has.
    pub fn omit_empty(&mut self, paths: &[String]) -> Result<(), ReadingSettingsError> {
        let omitted = |path: &String| {
            let field = named(path, "send")?;
            let others = || text::list(&OMITTABLE.map(|id| id.field().path), "and");
            let why = || {
                format!("`{path}` in [send] omit_empty is part of every request; what may be left out: {}", others())
            };
            if OMITTABLE.contains(&field.id) { Ok(field.id) } else { Err(ReadingSettingsError(why())) }
        };
        self.omit_empty = paths.iter().map(omitted).collect::<Result<Vec<_>, _>>()?.into();
        Ok(())
    }

    /// How much a field is needed in an address of that country, unless the configuration demands it everywhere. Elsewhere
    /// than in some countries, mail finds its way by postal code and city.
    #[must_use]
    pub fn need_in(&self, id: Id, country: Option<&str>) -> Need {
        let need = self.need(id);
        let hangs = need == Need::Required && !self.is_configured_need(id);
        if hangs && !addresses_have(id, country) { Need::Optional } else { need }
    }

    /// How much a field is needed.
    #[must_use]
    pub fn need(&self, id: Id) -> Need {
        self.needs.get(&id).copied().unwrap_or_else(|| id.field().need(self.version))
    }

    /// Whether the configuration itself says how much a field is needed.
    pub(crate) fn is_configured_need(&self, id: Id) -> bool {
        self.needs.contains_key(&id)
    }

    /// What stands in for a blank cell.
    #[must_use]
    pub fn default(&self, id: Id) -> Option<&str> {
        let working = || WORKING_DEFAULTS.iter().find(|(of, _)| *of == id).map(|(_, text)| *text);
        self.configured(id).or_else(working)
    }

    /// What the configuration itself says of a blank cell.
    #[must_use]
    pub fn configured(&self, id: Id) -> Option<&str> {
        self.defaults.get(&id).map(String::as_str)
    }
}

fn named(path: &str, section: &'static str) -> Result<&'static Field, ReadingSettingsError> {
    Field::by_path(path).ok_or_else(|| {
        let near = text::did_you_mean(path, crate::field::FIELDS.iter().map(|field| field.path));
        ReadingSettingsError(format!("`{path}` in [{section}] is not a field{near}"))
    })
}
