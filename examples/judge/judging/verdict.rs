//! What the clerk would do with an order, beside what becomes of it.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;
use shipsheet::parse::Decimal;

use super::case::Judgement;
use super::reading::{Outcome, Said};

/// A value of a request that is worth a look.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Key {
    /// First and last name.
    Name,
    /// Its digits.
    Phone,
    Email,
    Company,
    /// The first line of the address.
    Address,
    /// Both lines of the address, joined by a comma.
    Street,
    City,
    State,
    Pin,
    /// The country's code.
    Country,
    Pay,
    /// What the order comes to: the subtotal with charges, less the discount.
    Total,
    /// How many pieces, over all products.
    Pieces,
    /// How many products.
    Lines,
    /// The first product.
    Product,
    /// The first product's price.
    Price,
    /// The first product's SKU.
    Sku,
    Currency,
    /// In kilograms, whatever its unit.
    Weight,
    /// In centimetres, as the others.
    Length,
    Width,
    Height,
    Note,
    Warehouse,
    Carrier,
}

impl Key {
    /// What a request has under it.
    fn of(self, body: &Value) -> String {
        let at = |pointer: &str| text(body.pointer(pointer));
        let joined = |one: &str, other: &str, by: &str| {
            [at(one), at(other)].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(by)
        };
        match self {
            Self::Name => joined("/receiver/firstName", "/receiver/lastName", " "),
            Self::Phone => digits(&at("/receiver/phoneNumber")),
            Self::Email => at("/receiver/email"),
            Self::Company => at("/receiver/companyName"),
            Self::Address => at("/destination/addressLine1"),
            Self::Street => joined("/destination/addressLine1", "/destination/addressLine2", ", "),
            Self::City => at("/destination/city"),
            Self::State => at("/destination/state"),
            Self::Pin => at("/destination/pinCode"),
            Self::Country => at("/destination/countryCode"),
            Self::Pay => at("/shippingProperties/orderType"),
            Self::Total => total(body).to_string(),
            Self::Pieces => lines(body).map(|line| decimal(line.get("quantity"))).sum::<Decimal>().to_string(),
            Self::Lines => lines(body).count().to_string(),
            Self::Product => at("/productRequestsList/0/productName"),
            Self::Price => at("/productRequestsList/0/price"),
            Self::Sku => at("/productRequestsList/0/sku"),
            Self::Currency => at("/productRequestsList/0/currencyCode"),
            Self::Weight => kilograms(body).to_string(),
            Self::Length => centimetres(body, "length").to_string(),
            Self::Width => centimetres(body, "width").to_string(),
            Self::Height => centimetres(body, "height").to_string(),
            Self::Note => at("/sellerNote"),
            Self::Warehouse => at("/warehouseId"),
            Self::Carrier => at("/carrier"),
        }
    }

    /// Where a request differs under it from what is expected: what it has instead.
    fn differs(self, body: &Value, expected: &toml::Value) -> Option<String> {
        let found = self.of(body);
        let is_same = match expected {
            toml::Value::String(text) if self == Self::Phone => is_same_phone(&digits(text), &found),
            toml::Value::String(text) => *text == found,
            number => number.to_string().parse::<Decimal>().is_ok_and(|number| found.parse() == Ok(number)),
        };
        (!is_same).then(|| {
            let name = format!("{self:?}").to_lowercase();
            format!("{name} is {found:?} instead of {expected}")
        })
    }
}

/// Whether two spellings are one number: with or without the zero in front, or the code of the country.
fn is_same_phone(one: &str, other: &str) -> bool {
    const COUNTRY_CODE_MAX: usize = 3;
    let (one, other) = (one.trim_start_matches('0'), other.trim_start_matches('0'));
    let (short, long) = if one.len() <= other.len() { (one, other) } else { (other, one) };
    !short.is_empty() && long.ends_with(short) && long.len() - short.len() <= COUNTRY_CODE_MAX
}

fn text(value: Option<&Value>) -> String {
    match value {
        Some(Value::String(text)) => text.clone(),
        None | Some(Value::Null) => String::new(),
        Some(other) => other.to_string(),
    }
}

fn digits(text: &str) -> String {
    text.chars().filter(char::is_ascii_digit).collect()
}

fn decimal(value: Option<&Value>) -> Decimal {
    text(value).parse().unwrap_or_default()
}

fn lines(body: &Value) -> impl Iterator<Item = &Value> {
    body.get("productRequestsList").and_then(Value::as_array).into_iter().flatten()
}

fn kilograms(body: &Value) -> Decimal {
    let weight = decimal(body.pointer("/parcelAttributes/weight/weight"));
    let unit = text(body.pointer("/parcelAttributes/weight/unit")).to_lowercase();
    if matches!(unit.as_str(), "g" | "gm" | "gram" | "grams") { weight / Decimal::ONE_THOUSAND } else { weight }
}

fn centimetres(body: &Value, side: &str) -> Decimal {
    let length = decimal(body.pointer(&format!("/parcelAttributes/dimension/{side}")));
    let unit = text(body.pointer("/parcelAttributes/dimension/unit")).to_lowercase();
    if unit == "mm" { length / Decimal::TEN } else { length }
}

fn total(body: &Value) -> Decimal {
    let of = |name: &str| decimal(body.pointer(&format!("/shippingProperties/{name}")));
    of("subTotal") + of("shippingCharges") + of("otherCharges") - of("discount")
}

/// How an order's outcome compares with its judgement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// As a careful clerk would have it.
    Right,
    /// It could have gone.
    StoppedForNothing,
    /// It goes, and should not.
    Gone,
    /// It goes, with these values wrong.
    WrongValue(String),
    /// It does not go, and should not; but it is asked about where it should be left out, or left out where somebody should
    /// be asked.
    OtherwiseKept,
}

/// Compares; nothing where the sheet speaks of no such order.
pub(crate) fn verdict(judgement: &Judgement, outcome: Option<&Outcome>) -> Verdict {
    match (judgement, outcome) {
        (Judgement::Go(expected), Some(Outcome::Sent(body))) => wrong_values(expected, body),
        (Judgement::Go(_), _) => Verdict::StoppedForNothing,
        (_, Some(Outcome::Sent(_))) => Verdict::Gone,
        (Judgement::Kept(_), Some(_))
        | (Judgement::Stay(_), Some(Outcome::Held(_)))
        | (Judgement::Out(_), None | Some(Outcome::LeftOut(_))) => Verdict::Right,
        (Judgement::Stay(_) | Judgement::Kept(_), _) | (Judgement::Out(_), Some(Outcome::Held(_))) => {
            Verdict::OtherwiseKept
        }
    }
}

fn wrong_values(expected: &BTreeMap<Key, toml::Value>, body: &Value) -> Verdict {
    let wrong: Vec<String> = expected.iter().filter_map(|(key, expected)| key.differs(body, expected)).collect();
    if wrong.is_empty() { Verdict::Right } else { Verdict::WrongValue(wrong.join("; ")) }
}

/// What was expected of an order, in words.
pub(crate) fn expected(judgement: &Judgement) -> String {
    match judgement {
        Judgement::Go(_) => "goes".to_owned(),
        Judgement::Stay(because) => format!("stays: {because}"),
        Judgement::Out(because) => format!("is left out: {because}"),
        Judgement::Kept(because) => format!("does not go: {because}"),
    }
}

/// What became of an order, in words.
pub(crate) fn came(outcome: Option<&Outcome>) -> String {
    let words = |said: &[Said]| said.iter().map(|said| format!("{} ({})", said.rule, said.words)).collect::<Vec<_>>();
    match outcome {
        None => "is not there".to_owned(),
        Some(Outcome::Sent(_)) => "goes".to_owned(),
        Some(Outcome::Held(said)) => format!("stays: {}", words(said).join("; ")),
        Some(Outcome::LeftOut(said)) => format!("is left out: {}", words(said).join("; ")),
    }
}
