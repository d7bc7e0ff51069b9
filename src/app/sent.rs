//! What a request says of its order, for people.

use crate::text::Decimal;
use serde_json::Value;

use crate::ledger::Ledger;

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

impl App {
    /// What the newest request of a service's order says of it; nothing where it is not in the ledger.
    ///
    /// # Errors
    /// A ledger that cannot be read.
    pub fn sent(&self, ledger: &Ledger, (number, service): (&str, &str)) -> Result<Option<Sent>> {
        Ok(ledger.listed(service, number)?.map(|listed| Sent::of(&listed.body)))
    }
}

impl Sent {
    /// What the courier collects at the door; nothing unless it is cash on delivery.
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
