//! Orders that a form names: one, or those that were ticked, each in a field of its own, as a browser without a script sends them.

use std::collections::BTreeMap;

use maud::{Markup, html};
use serde::Deserialize;

use super::page;

/// The id of the form that ticks belong to.
pub(super) const FORM: &str = "ticked";
/// Said where nothing was ticked.
pub(super) const NOTHING: &str = "Tick the orders first.";
/// The field of one order; of several, with a dot and their places.
const ORDER: &str = "order";

/// The orders that a form or an address names.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(transparent)]
pub(super) struct Ticked(BTreeMap<String, String>);

impl Ticked {
    /// Their numbers, as they were listed.
    pub(super) fn numbers(&self) -> Vec<String> {
        let place = |name: &str| match name.strip_prefix(ORDER)?.split_once('.') {
            Some(("", place)) => place.parse().ok(),
            Some(_) => None,
            None => (name == ORDER).then_some(0_usize),
        };
        let named = self.0.iter().filter(|(_, number)| !number.is_empty());
        let mut named: Vec<(usize, &String)> =
            named.filter_map(|(name, number)| Some((place(name)?, number))).collect();
        named.sort_unstable();
        named.into_iter().map(|(_, number)| number.clone()).collect()
    }
}

/// The box that ticks an order at this place of a list.
pub(super) fn tick((place, number): (usize, &str)) -> Markup {
    html! { label.pick { input type="checkbox" form=(FORM) name={ (ORDER) "." (place) } value=(number) aria-label={ "Tick " (number) }; } }
}

/// The fields that name these orders again in a form.
pub(super) fn fields(numbers: &[String]) -> Markup {
    html! {
        @match numbers {
            [] => {},
            [only] => input type="hidden" name=(ORDER) value=(only);,
            all => @for (place, number) in all.iter().enumerate() { input type="hidden" name={ (ORDER) "." (place) } value=(number); },
        }
    }
}

/// The same in an address, behind what stands there.
pub(super) fn address(numbers: &[String]) -> String {
    let one = |(place, number): (usize, &String)| format!("&{ORDER}.{place}={}", page::encoded(number));
    match numbers {
        [only] => format!("&{ORDER}={}", page::encoded(only)),
        all => all.iter().enumerate().map(one).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_come_as_they_were_listed() {
        let of = |form: &str| serde_urlencoded::from_str::<Ticked>(form).unwrap().numbers();
        assert_eq!(of("page=x&order.10=C&order.2=B&order.0=A%261&orders=no&order.x=no&run=3"), ["A&1", "B", "C"]);
        assert_eq!((of("order=A&run=3"), of("order="), of("")), (vec!["A".to_owned()], vec![], vec![]));
        let many: Vec<String> = (0..12).map(|number| format!("N {number}")).collect();
        assert_eq!(of(&address(&many)[1..]), many);
        assert_eq!(of(&address(&many[..1])[1..]), many[..1]);
    }
}
