//! Bodies as they go over the wire, names and order as the service's contract has them.

use std::borrow::Cow;
use std::fmt;

use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

use super::amount::Amount;

/// The version of a forward shipment request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Version {
    /// With sender and addresses written out; deprecated by the service.
    V1,
    /// With warehouses that the service knows.
    V2,
}

impl Version {
    /// The version of a frozen body: only version 2 names a warehouse. What cannot be read counts as version 2.
    #[must_use]
    pub fn of_body(body: &[u8]) -> Self {
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Told {
            warehouse_id: Option<IgnoredAny>,
            sender: Option<IgnoredAny>,
        }
        // Most bodies are of version 2, and need not be taken apart to know it.
        if !str::from_utf8(body).is_ok_and(|body| body.contains("\"sender\"")) {
            return Self::V2;
        }
        match serde_json::from_slice::<Told>(body) {
            Ok(Told { warehouse_id: None, sender: Some(_) }) => Self::V1,
            _ => Self::V2,
        }
    }
}

/// What both versions of a forward shipment request have.
///
/// A text that is `None` is left out of the request; the contract shows every one, and names none that is needed.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Common<'a> {
    /// What tells the order from all others. New to the service: nobody knows what it does with one that it has.
    pub order_number: Cow<'a, str>,
    /// When the order was made, epoch milliseconds in digits.
    pub order_created_at: Cow<'a, str>,
    /// Where the order came from, for instance `External`.
    pub channel_id: Cow<'a, str>,
    /// Who gets it.
    pub receiver: Contact<'a>,
    /// Where it goes.
    pub destination: Address<'a>,
    /// The type of shipment, for instance `External`.
    #[serde(rename = "type")]
    pub shipment_type: Cow<'a, str>,
    /// A note of the seller.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seller_note: Option<Cow<'a, str>>,
    /// Size and weight of the parcel.
    pub parcel_attributes: Parcel<'a>,
    /// Tags, as one text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tags: Option<Cow<'a, str>>,
    /// The products, at least one.
    pub product_requests_list: Vec<ProductLine<'a>>,
    /// Payment and charges.
    pub shipping_properties: ShippingProperties<'a>,
    /// Who shall carry it, for instance `Delhivery`, where one is wanted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub carrier: Option<Cow<'a, str>>,
    /// The service level, for instance `Surface`, where one is wanted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub service: Option<Cow<'a, str>>,
}

/// A forward shipment request, version 2.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ForwardShipment<'a> {
    /// What both versions have.
    #[serde(flatten)]
    pub common: Common<'a>,
    /// The warehouse it leaves from.
    pub warehouse_id: Cow<'a, str>,
    /// The warehouse it comes back to if undelivered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub return_address_id: Option<Cow<'a, str>>,
}

/// A forward shipment request, version 1; deprecated by the service.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ForwardShipmentV1<'a> {
    /// What both versions have.
    #[serde(flatten)]
    pub common: Common<'a>,
    /// Who sends it.
    pub sender: Contact<'a>,
    /// Where it is picked up.
    pub origin: Address<'a>,
    /// Where it comes back to if undelivered; the origin where it names no place.
    pub return_address: Address<'a>,
}

impl ForwardShipment<'_> {
    /// The body's bytes.
    #[must_use]
    pub fn to_json(&self) -> Vec<u8> {
        to_json(self)
    }
}

/// A return address that is neither whole nor left out: it would be sent to nobody.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "returnAddress lacks {}: name the whole address, or nothing of it, and what comes back goes to the origin",
    .0.join(", ")
)]
pub struct HalfReturnAddress(pub Vec<&'static str>);

impl ForwardShipmentV1<'_> {
    /// Whether its return address is a whole one, or none.
    ///
    /// # Errors
    /// It has some parts of it and lacks others.
    pub fn check_return_address(&self) -> Result<(), HalfReturnAddress> {
        let lacks = if self.return_address.is_nowhere() { Vec::new() } else { self.return_address.lacks() };
        if lacks.is_empty() { Ok(()) } else { Err(HalfReturnAddress(lacks)) }
    }

    /// The body's bytes.
    #[must_use]
    pub fn to_json(&self) -> Vec<u8> {
        if self.return_address.is_nowhere() {
            return to_json(&Self { return_address: self.origin.clone(), ..self.clone() });
        }
        to_json(self)
    }
}

fn to_json<T: Serialize>(body: &T) -> Vec<u8> {
    serde_json::to_vec(body).expect("bodies are strings and decimals, which always have a JSON form")
}

/// Sender or receiver.
#[derive(Clone, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Contact<'a> {
    /// First name, or the whole name.
    pub first_name: Cow<'a, str>,
    /// Last name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_name: Option<Cow<'a, str>>,
    /// E-mail address.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub email: Option<Cow<'a, str>>,
    /// Phone number in its country's form: ten digits in India.
    pub phone_number: Cow<'a, str>,
    /// Company.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub company_name: Option<Cow<'a, str>>,
}

/// Origin, destination or return address.
#[derive(Clone, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Address<'a> {
    /// House and street.
    pub address_line1: Cow<'a, str>,
    /// Whatever else helps to find it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub address_line2: Option<Cow<'a, str>>,
    /// City.
    pub city: Cow<'a, str>,
    /// State, by name.
    pub state: Cow<'a, str>,
    /// Country, by name.
    pub country: Cow<'a, str>,
    /// Country, by ISO 3166 alpha-2 code.
    pub country_code: Cow<'a, str>,
    /// Postal code in its country's form: six digits in India.
    pub pin_code: Cow<'a, str>,
    /// Kind of address, for instance `Residential`.
    #[serde(rename = "type")]
    pub address_type: Cow<'a, str>,
}

impl Address<'_> {
    /// Whether it names no place: the country and the kind of an address may be there by themselves.
    fn is_nowhere(&self) -> bool {
        let Self { address_line1, address_line2, city, state, pin_code, .. } = self;
        let line2 = address_line2.as_deref().unwrap_or_default();
        line2.is_empty() && [address_line1, city, state, pin_code].iter().all(|part| part.is_empty())
    }

    /// What it lacks of a whole address.
    fn lacks(&self) -> Vec<&'static str> {
        let parts = [
            ("addressLine1", &self.address_line1),
            ("city", &self.city),
            ("state", &self.state),
            ("country", &self.country),
            ("countryCode", &self.country_code),
            ("pinCode", &self.pin_code),
        ];
        parts.into_iter().filter(|(_, part)| part.trim().is_empty()).map(|(name, _)| name).collect()
    }
}

/// Leaves out the person.
impl fmt::Debug for Contact<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Contact(…)")
    }
}

/// Leaves out where exactly it is.
impl fmt::Debug for Address<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Address({} {}, …)", self.country_code, self.pin_code)
    }
}

/// Size and weight of a parcel.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Parcel<'a> {
    /// Its size.
    pub dimension: Dimension<'a>,
    /// Its weight.
    pub weight: Weight<'a>,
}

/// The size of a parcel.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Dimension<'a> {
    /// In `unit`.
    pub length: Amount,
    /// In `unit`.
    pub width: Amount,
    /// In `unit`.
    pub height: Amount,
    /// The unit of all three: `cm`.
    pub unit: Cow<'a, str>,
}

/// The weight of a parcel.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Weight<'a> {
    /// In `unit`.
    pub weight: Amount,
    /// The unit: `kg`.
    pub unit: Cow<'a, str>,
}

/// One product of an order. Amounts of money are in `currency_code`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ProductLine<'a> {
    /// What it is.
    pub product_name: Cow<'a, str>,
    /// The price of one piece.
    pub price: Amount,
    /// Pieces.
    pub quantity: Amount,
    /// Category; goes out as `null` where there is none.
    pub category: Option<Cow<'a, str>>,
    /// ISO 4217 code.
    pub currency_code: Cow<'a, str>,
    /// The seller's code of the product; may be empty.
    pub sku: Cow<'a, str>,
    /// In per cent, in digits: `18` is 18 %. A text in the contract.
    pub tax_rate: Cow<'a, str>,
    /// Discount on the whole line, all pieces together, in digits: `20.00`. A text in the contract.
    pub discount: Cow<'a, str>,
    /// Whether `price` includes the tax.
    pub taxes_included: bool,
    /// Description; goes out as `null` where there is none.
    pub description: Option<Cow<'a, str>>,
    /// Customs tariff code; goes out as `null` where there is none.
    #[serde(rename = "hs_code")]
    pub hs_code: Option<Cow<'a, str>>,
}

/// Payment and charges of an order. Amounts of money are in the currency of its products.
///
/// What the courier collects of a `COD` order is `sub_total + shipping_charges + other_charges - discount`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ShippingProperties<'a> {
    /// The type of payment: `PREPAID`, or `COD` for cash on delivery.
    pub order_type: Cow<'a, str>,
    /// The goods, before charges and discount: price times quantity over all lines.
    pub sub_total: Amount,
    /// What the customer pays for shipping.
    pub shipping_charges: Amount,
    /// What else the customer pays.
    pub other_charges: Amount,
    /// Discount on the whole order.
    pub discount: Amount,
}

/// Registers an endpoint for tracking events.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct WebhookRequest {
    /// Where events are to be delivered; absolute.
    pub url: String,
    /// Whether events are to be delivered.
    pub enabled: bool,
    /// The type of what is delivered, for instance `application/json`.
    pub content_type: String,
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    #[test]
    fn an_optional_text_is_sent_as_it_is_or_left_out() {
        let empty = || Some(Cow::Borrowed(""));
        let receiver = Contact { last_name: empty(), email: empty(), company_name: empty(), ..Contact::default() };
        let destination = Address { address_line2: empty(), ..Address::default() };
        let (seller_note, tags, carrier, service) = (empty(), empty(), empty(), empty());
        let written = Common { receiver, destination, seller_note, tags, carrier, service, ..Common::default() };
        let written = ForwardShipment { common: written, return_address_id: empty(), ..ForwardShipment::default() };
        let text = |body: &ForwardShipment<'_>| String::from_utf8(body.to_json()).unwrap();
        let (without, with) = (text(&ForwardShipment::default()), text(&written));
        assert!(!with.contains("null"), "{with}");
        let names = ["lastName", "email", "companyName", "addressLine2", "sellerNote", "tags", "carrier", "service"];
        for name in names.into_iter().chain(["returnAddressId"]) {
            assert!(with.contains(&format!(r#""{name}":"""#)) && !without.contains(name), "{name} in {with} {without}");
        }
    }

    #[test]
    fn what_comes_back_goes_to_the_origin_where_nothing_is_said() {
        let origin = Address { address_line1: "1 Depot".into(), city: "Pune".into(), ..Address::default() };
        let nowhere = Address { country: "India".into(), country_code: "IN".into(), ..Address::default() };
        let elsewhere = Address {
            address_line1: "9 Dock".into(),
            city: "Goa".into(),
            state: "Goa".into(),
            pin_code: "403001".into(),
            ..nowhere.clone()
        };
        for (return_address, city) in [(nowhere, "Pune"), (elsewhere.clone(), "Goa")] {
            let body = ForwardShipmentV1 { origin: origin.clone(), return_address, ..ForwardShipmentV1::default() };
            assert_eq!(body.check_return_address(), Ok(()));
            let json: Value = serde_json::from_slice(&body.to_json()).unwrap();
            assert_eq!((&json["returnAddress"]["city"], &json["origin"]["city"]), (&city.into(), &"Pune".into()));
        }
        let second_line = Address { address_line2: Some("Gate 2".into()), ..Address::default() };
        let whole = vec!["addressLine1", "city", "state", "country", "countryCode", "pinCode"];
        let blank = Address { state: " ".into(), country_code: "".into(), ..elsewhere };
        for (half, lacks) in [(second_line, whole), (blank, vec!["state", "countryCode"])] {
            let body = ForwardShipmentV1 { return_address: half, ..ForwardShipmentV1::default() };
            assert_eq!(body.check_return_address(), Err(HalfReturnAddress(lacks)));
        }
    }

    #[test]
    fn debug_output_tells_nobodys_name_or_address() {
        let receiver = Contact { first_name: "canary".into(), phone_number: "canary".into(), ..Contact::default() };
        let destination = Address { address_line1: "canary".into(), city: "canary".into(), ..Address::default() };
        let common = Common { receiver, destination, ..Common::default() };
        assert!(!format!("{common:?}").contains("canary"));
    }

    #[test]
    fn a_frozen_body_tells_its_version() {
        assert_eq!(Version::of_body(&ForwardShipment::default().to_json()), Version::V2);
        assert_eq!(Version::of_body(&ForwardShipmentV1::default().to_json()), Version::V1);
        assert_eq!(Version::of_body(b"{"), Version::V2);
    }

    #[test]
    fn names_nulls_and_digits_as_in_the_contract() {
        let line = ProductLine {
            product_name: "Kurta".into(),
            price: "499.90".parse().unwrap(),
            tax_rate: "18".into(),
            discount: "0.00".into(),
            taxes_included: true,
            ..ProductLine::default()
        };
        let common = Common { order_number: "A".into(), product_requests_list: vec![line], ..Common::default() };
        let body = ForwardShipment { common, warehouse_id: "WH".into(), return_address_id: None }.to_json();
        let text = String::from_utf8(body).unwrap();
        assert!(
            text.starts_with(r#"{"orderNumber":"A","orderCreatedAt":"","channelId":"","receiver":{"firstName":"""#)
        );
        assert!(text.contains(
            r#""price":499.90,"quantity":0,"category":null,"currencyCode":"","sku":"","taxRate":"18","discount":"0.00","taxesIncluded":true,"description":null,"hs_code":null"#
        ), "{text}");
        assert!(text.contains(r#""addressLine1":"","city""#), "{text}");
        assert!(text.ends_with(r#""warehouseId":"WH"}"#), "{text}");
    }
}
