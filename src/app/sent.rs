//! What a request says of its order, for people.

use serde_json::Value;

use crate::field::{FIELDS, Field, Kind};
use crate::ledger::Ledger;
use crate::text::{Decimal, moment};

use super::connect::App;
use super::error::Result;
use super::orders::Receiver;

/// What a request says of its order. What it says in another way than the contract has it is missing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sent {
    /// Who gets it.
    pub receiver: Receiver,
    /// The lines of the address.
    pub address: String,
    /// The products.
    pub products: Vec<SentProduct>,
    /// `PREPAID`, `COD`, or another word of the service.
    pub payment: String,
    /// The warehouse that it is picked up at.
    pub warehouse: String,
    /// What it comes to, with charges and without discount.
    pub value: Decimal,
}

/// A product of a request.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SentProduct {
    /// Its name.
    pub name: String,
    /// The seller's own code of it; may be empty.
    pub sku: String,
    /// How many pieces.
    pub quantity: Decimal,
    /// The price of one.
    pub price: Decimal,
}

/// A value of a request, as people read it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SentValue {
    /// The product that it is of, counted from 0; none where it is of the order.
    pub product: Option<usize>,
    /// The plain name of its field.
    pub name: String,
    /// The value.
    pub text: String,
}

impl App {
    /// Each value of the newest request of a service's order; nothing where it is not in the ledger.
    ///
    /// # Errors
    /// A ledger that cannot be read.
    pub fn sent_values(&self, ledger: &Ledger, (number, service): (&str, &str)) -> Result<Vec<SentValue>> {
        let Some(listed) = ledger.listed(service, number)? else { return Ok(Vec::new()) };
        let mut values = Vec::new();
        walk(&serde_json::from_slice(&listed.body).unwrap_or_default(), ("", None), &mut values);
        // As the template has them.
        values.sort_by_key(|(place, _)| *place);
        Ok(values.into_iter().map(|(_, value)| value).collect())
    }

    /// What the newest request of a service's order says of it; nothing where it is not in the ledger.
    ///
    /// # Errors
    /// A ledger that cannot be read.
    pub fn sent(&self, ledger: &Ledger, (number, service): (&str, &str)) -> Result<Option<Sent>> {
        Ok(ledger.listed(service, number)?.map(|listed| Sent::of(&listed.body)))
    }
}

impl Sent {
    /// The amount that the courier collects at the door; nothing unless it is cash on delivery.
    #[must_use]
    pub fn to_collect(&self) -> Option<Decimal> {
        (self.payment == "COD").then_some(self.value)
    }

    /// From the bytes of a request.
    fn of(body: &[u8]) -> Self {
        let Ok(request) = serde_json::from_slice::<Value>(body) else { return Self::default() };
        let properties = &request["shippingProperties"];
        let address = ["addressLine1", "addressLine2"].map(|line| text(&request["destination"][line]));
        let address: Vec<String> = address.into_iter().filter(|line| !line.is_empty()).collect();
        let product = |line: &Value| SentProduct {
            name: text(&line["productName"]),
            sku: text(&line["sku"]),
            quantity: number(&line["quantity"]),
            price: number(&line["price"]),
        };
        Self {
            receiver: Receiver::of(body),
            address: address.join(", "),
            products: request["productRequestsList"].as_array().into_iter().flatten().map(product).collect(),
            payment: text(&properties["orderType"]),
            warehouse: text(&request["warehouseId"]),
            value: ["subTotal", "shippingCharges", "otherCharges"]
                .map(|part| number(&properties[part]))
                .iter()
                .sum::<Decimal>()
                - number(&properties["discount"]),
        }
    }
}

/// Adds what stands under a path, with its place among all fields; what is empty says nothing.
fn walk(value: &Value, (path, product): (&str, Option<usize>), values: &mut Vec<(usize, SentValue)>) {
    match value {
        Value::Object(object) => {
            for (key, own) in object {
                let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
                walk(own, (&path, product), values);
            }
        }
        Value::Array(items) => items.iter().enumerate().for_each(|(at, own)| walk(own, (path, Some(at)), values)),
        leaf => {
            let field = Field::by_path(path);
            let text = match (leaf, field.map(|field| field.kind)) {
                (Value::Bool(flag), _) => if *flag { "yes" } else { "no" }.to_owned(),
                (_, Some(Kind::Instant)) => text(leaf).parse().map_or_else(|_| text(leaf), moment),
                _ => text(leaf),
            };
            if !text.is_empty() {
                let name = field.map_or_else(|| plain_name(path), |field| field.header.to_owned());
                let place = field.map_or(FIELDS.len(), |field| field.id as usize);
                values.push((place, SentValue { product, name, text }));
            }
        }
    }
}

/// The path of a field that the template does not have, in words.
fn plain_name(path: &str) -> String {
    let mut name = String::new();
    for letter in path.chars() {
        match letter {
            '.' | '_' => name.push(' '),
            own if own.is_uppercase() => name.extend([' '].into_iter().chain(own.to_lowercase())),
            own => name.push(own),
        }
    }
    let mut letters = name.chars();
    letters.next().map(|first| first.to_uppercase().collect::<String>() + letters.as_str()).unwrap_or_default()
}

fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        _ => String::new(),
    }
}

fn number(value: &Value) -> Decimal {
    text(value).parse().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_value_has_a_plain_name() {
        let request =
            br#"{"destination":{"pinCode":"560001","landMark":""},"isFragile":true,"storeInfo":{"gst_no":"29A"},
            "productRequestsList":[{"productName":"Cup","quantity":2},{"productName":"Jug","price":499.50}]}"#;
        let mut values = Vec::new();
        walk(&serde_json::from_slice(request).unwrap(), ("", None), &mut values);
        let mut said: Vec<String> =
            values.iter().map(|(_, own)| format!("{:?} {}: {}", own.product, own.name, own.text)).collect();
        said.sort();
        assert_eq!(
            said,
            [
                "None Is fragile: yes",
                "None PIN Code: 560001",
                "None Store info gst no: 29A",
                "Some(0) Product Name: Cup",
                "Some(0) Quantity: 2",
                "Some(1) Price: 499.5",
                "Some(1) Product Name: Jug",
            ]
        );
    }

    #[test]
    fn a_request_says_what_was_sent() {
        let sent = Sent::of(
            br#"{"receiver":{"firstName":"Asha"},"destination":{"addressLine1":"1 MG Road","city":"Pune"},"warehouseId":"WH-1",
            "productRequestsList":[{"productName":"Cup","sku":"C-1","quantity":2,"price":499.50}],
            "shippingProperties":{"orderType":"COD","subTotal":999.00,"shippingCharges":40,"otherCharges":0,"discount":9}}"#,
        );
        assert_eq!(
            (sent.receiver.name.as_str(), sent.address.as_str(), sent.payment.as_str()),
            ("Asha", "1 MG Road", "COD")
        );
        let cup =
            SentProduct { name: "Cup".into(), sku: "C-1".into(), quantity: 2.into(), price: Decimal::new(4995, 1) };
        assert_eq!(sent.to_collect(), Some(1030.into()));
        assert_eq!((sent.products, sent.value, sent.warehouse.as_str()), (vec![cup], 1030.into(), "WH-1"));
        assert_eq!(Sent::of(b"no json"), Sent::default());
    }
}
