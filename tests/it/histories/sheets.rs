//! Sheets of a history: what a shop exports, and what its clerk wrote beside it.

use crate::rig::HEADER;

use super::plan::{ORDERS, Says};

/// What an order has in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Content {
    /// Two shops count from the same number.
    pub(super) shop: usize,
    pub(super) version: u32,
    /// One product, where it had two.
    pub(super) is_short: bool,
}

impl Content {
    fn street(self) -> String {
        format!("{} {}", self.version + 10, ["MG Road", "Lake View Road"][self.shop])
    }

    /// Whether a request has this in it.
    pub(super) fn is_in(self, body: &str) -> bool {
        let products = if self.is_short { 1 } else { 2 };
        let street = format!("\"addressLine1\":\"{}\"", self.street());
        body.contains(&street) && body.matches("\"productName\"").count() == products
    }

    /// The rows of an order that has this in it.
    fn rows(self, order: usize, (pin, status, remark): (&str, &str, &str)) -> String {
        let (number, street) = (number(order), self.street());
        let (name, phone) = [("Asha", "98123456"), ("Vikram", "97123456")][self.shop];
        let row = |product: &str| {
            format!(
                "{number},2026-11-20,{name},{phone}{order:02},{street},Bengaluru,Karnataka,IN,{pin},WH-1,30,20,5,0.5,PREPAID,\
                 {product},499.90,2,{status},{remark}\n"
            )
        };
        if self.is_short { row("Kurta,K-1") } else { row("Kurta,K-1") + &row("Mug,M-1") }
    }
}

pub(super) fn number(order: usize) -> String {
    format!("A-{order}")
}

/// What a sheet has of an order.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry {
    pub(super) order: usize,
    pub(super) says: Says,
    pub(super) content: Content,
}

/// What a shop would export of its orders today.
#[derive(Debug, Default)]
pub(super) struct Shop {
    contents: [Content; ORDERS],
    latest: u32,
}

impl Shop {
    pub(super) fn export(&mut self, says: &[Says; ORDERS]) -> Vec<Entry> {
        let entries = says.iter().enumerate().filter(|(_, says)| **says != Says::Nothing);
        let entries: Vec<Entry> = entries.map(|(order, says)| self.entry(order, *says)).collect();
        // A sheet without any order would be refused for that.
        if entries.is_empty() { vec![self.entry(0, Says::Same)] } else { entries }
    }

    fn entry(&mut self, order: usize, says: Says) -> Entry {
        let own = &mut self.contents[order];
        match says {
            Says::Corrected => {
                self.latest += 1;
                *own = Content { version: self.latest, ..*own };
            }
            Says::Fewer => own.is_short = true,
            _ => {}
        }
        let content = if says == Says::OtherShop { Content { shop: 1, ..Content::default() } } else { *own };
        Entry { order, says, content }
    }
}

/// A sheet as text; no two of them have the same remark.
pub(super) fn text(entries: &[Entry], n: usize) -> String {
    let remark = format!("do not ship (note {n})");
    let rows = entries.iter().map(|Entry { order, says, content }| {
        let pin = format!("5600{:02}", order + 1);
        let cells = match says {
            Says::Cancelled => (&*pin, "Cancelled", ""),
            Says::Delivered => (&*pin, "Delivered", ""),
            Says::DoNotShip => (&*pin, "Confirmed", &*remark),
            Says::NoPinCode => ("", "Confirmed", ""),
            _ => (&*pin, "Confirmed", ""),
        };
        content.rows(*order, cells)
    });
    format!("{HEADER},Order Status,Remarks\n{}", rows.collect::<String>())
}
