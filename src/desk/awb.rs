//! The field for an AWB that a person types: what is wrong with it is told there, and what was typed stays.

use maud::{Markup, html};
use serde::Deserialize;

use crate::app::{known_awb, wrong_awb};
use crate::ledger::{Ledger, OrderHistory, Upon};

use super::answer::Result;
use super::page;
use super::trouble::Trouble;

/// The id of what is wrong.
const WRONG: &str = "wrong-awb";

/// Values that were typed for an order and not recorded.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Tried {
    /// The order; nothing where nothing was typed.
    #[serde(default)]
    #[serde(rename = "tried")]
    number: String,
    #[serde(default)]
    awb: String,
    #[serde(default)]
    because: String,
}

/// The texts in the fields of an order.
#[derive(Debug, Default)]
pub(super) struct Typed {
    awb: String,
    because: String,
    wrong: Option<String>,
}

impl Tried {
    /// The texts for the fields of this order: as they were typed, or else the AWB that is known of it.
    pub(super) fn of(&self, ledger: &Ledger, history: &OrderHistory) -> Result<Typed> {
        let upon = history.upon();
        if self.number == history.number {
            let wrong = wrong_awb(ledger, &upon, &self.awb)?.map(|error| Trouble::from(error).sentence());
            return Ok(Typed { awb: self.awb.clone(), because: self.because.clone(), wrong });
        }
        let known = known_awb(history).filter(|_| history.awb.is_none());
        let is_free = |awb: &String| wrong_awb(ledger, &upon, awb).is_ok_and(|wrong| wrong.is_none());
        Ok(Typed { awb: known.filter(is_free).unwrap_or_default(), ..Typed::default() })
    }
}

/// The page at which what was typed stands in its field again, behind the page's own address.
pub(super) fn again(upon: &Upon, (awb, because): (&str, &str)) -> String {
    let [number, awb, because] = [&upon.number, awb, because].map(page::encoded);
    format!("tried={number}&awb={awb}&because={because}")
}

impl Typed {
    /// Whether it was typed and not recorded.
    pub(super) const fn is_wrong(&self) -> bool {
        self.wrong.is_some()
    }

    /// How the person knows.
    pub(super) fn because(&self) -> &str {
        &self.because
    }

    /// The field, under this name.
    pub(super) fn field(&self, name: &str) -> Markup {
        let described = self.wrong.as_ref().map(|_| WRONG);
        html! {
            label {
                (name) " "
                input name="awb" value=(self.awb) required autocomplete="off" maxlength="64" aria-describedby=[described] aria-invalid=[described.map(|_| "true")] autofocus[described.is_some()];
            }
            @if let Some(wrong) = &self.wrong { p.bad id=(WRONG) { (wrong) } }
        }
    }
}
