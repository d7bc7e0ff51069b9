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
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the contract's own names")]
pub struct Common<'a> {
    pub order_number: Cow<'a, str>,
    /// Epoch milliseconds.
    pub order_created_at: Cow<'a, str>,
    pub channel_id: Cow<'a, str>,
    pub receiver: Contact<'a>,
    pub destination: Address<'a>,
    #[serde(rename = "type")]
    pub shipment_type: Cow<'a, str>,
    pub seller_note: Cow<'a, str>,
    pub parcel_attributes: Parcel<'a>,
    pub tags: Cow<'a, str>,
    pub product_requests_list: Vec<ProductLine<'a>>,
    pub shipping_properties: ShippingProperties<'a>,
    pub carrier: Cow<'a, str>,
    pub service: Cow<'a, str>,
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
    pub return_address_id: Cow<'a, str>,
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
    /// Where it comes back to if undelivered.
    pub return_address: Address<'a>,
}

impl ForwardShipment<'_> {
    /// The body's bytes.
    #[must_use]
    pub fn to_json(&self) -> Vec<u8> {
        to_json(self)
    }
}

impl ForwardShipmentV1<'_> {
    /// The body's bytes.
    #[must_use]
    pub fn to_json(&self) -> Vec<u8> {
        to_json(self)
    }
}

fn to_json<T: Serialize>(body: &T) -> Vec<u8> {
    serde_json::to_vec(body).expect("bodies are strings and decimals, which always have a JSON form")
}

/// Sender or receiver.
#[derive(Clone, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the contract's own names")]
pub struct Contact<'a> {
    pub first_name: Cow<'a, str>,
    pub last_name: Cow<'a, str>,
    pub email: Cow<'a, str>,
    pub phone_number: Cow<'a, str>,
    pub company_name: Cow<'a, str>,
}

/// Origin, destination or return address.
#[derive(Clone, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the contract's own names")]
pub struct Address<'a> {
    pub address_line1: Cow<'a, str>,
    pub address_line2: Cow<'a, str>,
    pub city: Cow<'a, str>,
    pub state: Cow<'a, str>,
    pub country: Cow<'a, str>,
    pub country_code: Cow<'a, str>,
    pub pin_code: Cow<'a, str>,
    #[serde(rename = "type")]
    pub address_type: Cow<'a, str>,
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

/// Size and weight.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[expect(missing_docs, reason = "the contract's own names")]
pub struct Parcel<'a> {
    pub dimension: Dimension<'a>,
    pub weight: Weight<'a>,
}

/// Size.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[expect(missing_docs, reason = "the contract's own names")]
pub struct Dimension<'a> {
    pub length: Amount,
    pub width: Amount,
    pub height: Amount,
    pub unit: Cow<'a, str>,
}

/// Weight.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[expect(missing_docs, reason = "the contract's own names")]
pub struct Weight<'a> {
    pub weight: Amount,
    pub unit: Cow<'a, str>,
}

/// One product. `taxRate` and `discount` are strings in the contract.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the contract's own names")]
pub struct ProductLine<'a> {
    pub product_name: Cow<'a, str>,
    pub price: Amount,
    pub quantity: Amount,
    pub category: Option<Cow<'a, str>>,
    pub currency_code: Cow<'a, str>,
    pub sku: Cow<'a, str>,
    pub tax_rate: Cow<'a, str>,
    pub discount: Cow<'a, str>,
    pub taxes_included: bool,
    pub description: Option<Cow<'a, str>>,
    #[serde(rename = "hs_code")]
    pub hs_code: Option<Cow<'a, str>>,
}

/// Payment and charges.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the contract's own names")]
pub struct ShippingProperties<'a> {
    pub order_type: Cow<'a, str>,
    pub sub_total: Amount,
    pub shipping_charges: Amount,
    pub other_charges: Amount,
    pub discount: Amount,
}

/// Registers an endpoint for tracking events.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the contract's own names")]
pub struct WebhookRequest {
    /// Absolute.
    pub url: String,
    pub enabled: bool,
    pub content_type: String,
}

/// A registered endpoint.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the contract's own names")]
pub struct WebhookEndpoint {
    pub endpoint_id: String,
    pub url: String,
    pub enabled: bool,
    pub content_type: String,
    /// Epoch milliseconds.
    pub created_at: Option<String>,
    /// Epoch milliseconds.
    pub updated_at: Option<String>,
    /// Whatever else the service answered.
    #[serde(flatten)]
    pub other: serde_json::Map<String, serde_json::Value>,
}

#[cfg(test)]
mod tests {
    use super::*;

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
            price: "499.90".parse::<rust_decimal::Decimal>().unwrap().into(),
            tax_rate: "18".into(),
            discount: "0.00".into(),
            taxes_included: true,
            ..ProductLine::default()
        };
        let common = Common { order_number: "A".into(), product_requests_list: vec![line], ..Common::default() };
        let body = ForwardShipment { common, warehouse_id: "WH".into(), return_address_id: "".into() }.to_json();
        let text = String::from_utf8(body).unwrap();
        assert!(
            text.starts_with(r#"{"orderNumber":"A","orderCreatedAt":"","channelId":"","receiver":{"firstName":"""#)
        );
        assert!(text.contains(
            r#""price":499.90,"quantity":0,"category":null,"currencyCode":"","sku":"","taxRate":"18","discount":"0.00","taxesIncluded":true,"description":null,"hs_code":null"#
        ), "{text}");
        assert!(text.contains(r#""addressLine1":"","addressLine2":"","city""#), "{text}");
        assert!(text.ends_with(r#""warehouseId":"WH","returnAddressId":""}"#), "{text}");
    }
}
