//! The duplicate check: what may be one order twice, in the rows of an order, in the sheets and among what was sent lately.

use std::collections::{BTreeMap, HashMap};
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

use rust_decimal::Decimal;
use serde_json::Value as Json;

use crate::check::NumbersAlike;
use crate::column::{RowRef, Sheets};
use crate::field::{Id, push_normalised};
use crate::finding::order::{numbers_alike, rows_twice, same_line, same_shipment, split_order};
use crate::finding::{Basis, Finding, Remedy, Value};
use crate::ledger::{Intake, LedgerError, Sent, State};
use crate::order::{Draft, Order};

use super::spelling::unspelled;

const DAY_MS: i64 = 24 * 60 * 60 * 1000;

/// How far back the spellings of order numbers are compared.
const SINCE_MS: i64 = 30 * DAY_MS;

/// How far back the same products for the same person under another number are told: later, customers order again.
const SAME_SHIPMENT_MS: i64 = 3 * DAY_MS;

/// Requests that are looked at, which takes some 0.3 s; beyond that, only the newest.
const REQUESTS_MAX: u32 = 20_000;

/// With so many entries, only the first orders are remembered: as many as a table of 8 MB has room for.
const ENTRIES_MAX: usize = 458_000;

/// What makes two orders one shipment: who gets it, where, and what is in it.
pub(super) fn shipment(order: &Order) -> u64 {
    let (receiver, destination) = (&order.receiver, &order.destination);
    let loose = [receiver.first_name.as_str(), &receiver.last_name, &destination.line1];
    let lines = order.lines.iter().map(|line| (&*line.product_name, &*line.sku, [line.quantity, line.price]));
    hashed([&receiver.phone, &destination.pin_code], loose, lines)
}

/// The same of a request that was sent; nothing of one in another shape.
fn shipment_of(body: &[u8]) -> Option<u64> {
    let body: Json = serde_json::from_slice(body).ok()?;
    let text = |path: &str| body.pointer(path).and_then(Json::as_str);
    let line = |line: &'_ Json| {
        let figure = |name: &str| line.get(name)?.as_number()?.to_string().parse::<Decimal>().ok();
        let texts = [line.get("productName")?.as_str()?.to_owned(), line.get("sku")?.as_str()?.to_owned()];
        Some((texts, [figure("quantity")?, figure("price")?]))
    };
    let lines: Vec<_> = body.get("productRequestsList")?.as_array()?.iter().map(line).collect::<Option<_>>()?;
    let exact = [text("/receiver/phoneNumber")?, text("/destination/pinCode")?];
    let loose = [text("/receiver/firstName")?, text("/receiver/lastName")?, text("/destination/addressLine1")?];
    Some(hashed(exact, loose, lines.iter().map(|([product, sku], figures)| (&**product, &**sku, *figures))))
}

/// A shipment by texts that have to be the same, texts that may differ in case, spaces and punctuation, and its lines: product,
/// SKU, quantity and price.
fn hashed<'a>(
    exact: [&str; 2],
    loose: [&str; 3],
    lines: impl Iterator<Item = (&'a str, &'a str, [Decimal; 2])>,
) -> u64 {
    let mut text = String::with_capacity(128);
    for plain in exact {
        text.push_str(plain);
        text.push('\n');
    }
    for loose in loose {
        push_normalised(loose, &mut text);
        text.push('\n');
    }
    let hasher = BuildHasherDefault::<DefaultHasher>::default();
    let to = hasher.hash_one(&text);
    // The lines may stand in any order.
    lines.fold(to, |sum, (product, sku, figures)| {
        text.clear();
        push_normalised(product, &mut text);
        text.push('\n');
        let figures = figures.map(|figure| figure.normalize().serialize());
        sum.wrapping_add(hasher.hash_one((&text, sku, figures.as_flattened())))
    })
}

/// An order that was sent in the last weeks, or is still to be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Earlier {
    number: String,
    /// What tells its shipment from others, where its request can be read.
    shipment: Option<u64>,
    /// Whether it is of the last days.
    is_of_days: bool,
    state: State,
    awb: Option<String>,
    /// The other address of the service at which it stands, if it does.
    address: Option<String>,
}

impl Earlier {
    fn of(sent: &Sent<'_>, now_ms: i64) -> Self {
        Self {
            number: sent.number.to_owned(),
            shipment: shipment_of(sent.body),
            is_of_days: sent.staged_ms >= now_ms - SAME_SHIPMENT_MS,
            state: sent.state,
            awb: sent.awb.map(str::to_owned),
            address: sent.elsewhere.map(ToString::to_string),
        }
    }

    /// Whether it was sent and nobody knows whether it is booked.
    const fn is_in_doubt(&self) -> bool {
        matches!(self.state, State::InDoubt)
    }

    /// What is said of where it stands.
    fn standing(&self) -> Finding {
        let address = self.address.as_deref();
        match self.state {
            State::Booked => same_shipment::booked(address, self.awb.as_deref().unwrap_or_default()),
            State::Abandoned => same_shipment::given_up(address),
            State::Staged | State::Waiting => same_shipment::outstanding(address),
            _ => same_shipment::in_doubt(address),
        }
    }
}

/// What was sent in the weeks before a run, or is still to be.
pub(super) fn sent_lately(intake: &dyn Intake, now_ms: i64) -> Result<Vec<Earlier>, LedgerError> {
    let mut earlier = Vec::new();
    intake.sent_since(now_ms - SINCE_MS, REQUESTS_MAX, &mut |sent| earlier.push(Earlier::of(sent, now_ms)))?;
    Ok(earlier)
}

/// The good orders of the sheets so far, and those that were sent lately.
#[derive(Debug, Default)]
pub(super) struct Shipments {
    /// The first order of each shipment, and of each shipment with a number, however that is spelled, see [`key`].
    seen: HashMap<u64, RowRef>,
    /// Those of the last days by their shipment, and those in doubt.
    lately: HashMap<u64, Earlier>,
    /// Those of the last weeks by their number, however it is spelled.
    numbers: HashMap<String, Vec<Earlier>>,
    /// What becomes of an order whose number is there in another spelling.
    numbers_alike: NumbersAlike,
}

/// What a shipment and a number have in common with the same shipment under the number in another spelling.
fn key(shipment: u64, number: &str) -> u64 {
    BuildHasherDefault::<DefaultHasher>::default().hash_one((shipment, unspelled(number)))
}

impl Shipments {
    /// Beside what was sent lately.
    pub(super) fn beside(earlier: Vec<Earlier>, numbers_alike: NumbersAlike) -> Self {
        let mut shipments = Self { numbers_alike, ..Self::default() };
        for order in earlier {
            let is_in_doubt = order.is_in_doubt();
            // Of several with one shipment, the one in doubt counts, however old it is.
            if let Some(shipment) = order.shipment.filter(|_| is_in_doubt || order.is_of_days)
                && (is_in_doubt || !shipments.lately.get(&shipment).is_some_and(Earlier::is_in_doubt))
            {
                shipments.lately.insert(shipment, order.clone());
            }
            shipments.numbers.entry(unspelled(&order.number)).or_default().push(order);
        }
        shipments
    }

    /// What there is to say of an order before it is sent. It may be an earlier one: its number is that one's, spelled in
    /// another way. With the same products to the same person, `A-1` and `a1` are no two orders; with others, a person has to
    /// say so. Or an earlier one is the same under another number.
    ///
    /// An order that the ledger knows by its number is no order in doubt under a new one.
    ///
    /// The first that holds is enough; what the ledger says is no less because a person lets the rest go.
    pub(super) fn said(
        &self,
        shipment: u64,
        (number, is_known): (&str, bool),
        at: RowRef,
        sheets: &Sheets,
    ) -> Option<Finding> {
        let place = |there: RowRef| sheets.place(there, Some(Id::OrderNumber));
        let first = self.seen.get(&shipment);
        let in_sheets = || {
            let there = first.and_then(|_| self.seen.get(&key(shipment, number)))?;
            Some(same_shipment::respelled(&place(*there)))
        };
        let in_ledger = || {
            let before = self.respelled(number)?.iter().find(|before| before.shipment == Some(shipment))?;
            Some(same_shipment::respelled_before(&before.number, before.standing()))
        };
        let alike = || self.alike(number);
        let before = self.lately.get(&shipment).filter(|before| before.number != number);
        let in_doubt = || {
            let before = before.filter(|own| own.is_in_doubt() && !is_known)?;
            Some(same_shipment::again_in_doubt(&before.number))
        };
        let again = || {
            if let Some(there) = first {
                return Some(same_shipment::again(&place(*there)));
            }
            let before = before.filter(|own| !own.is_in_doubt() || is_known)?;
            Some(same_shipment::again_after(&before.number, before.standing()))
        };
        let is_held = self.numbers_alike == NumbersAlike::Hold;
        let (third, fourth): (&dyn Fn() -> _, &dyn Fn() -> _) =
            if is_held { (&alike, &again) } else { (&again, &alike) };
        let mut said = None;
        for finding in [&in_sheets as &dyn Fn() -> Option<Finding>, &in_ledger, &in_doubt, third, fourth] {
            let finding = finding().map(|finding| on_number(finding, number, at, sheets).found(number));
            // The shipment stands for all that is sent.
            let basis = |_: &Finding| Some(Basis::of([("", number), ("", &*shipment.to_string())]));
            match finding.and_then(|finding| sheets.settle_on(finding, basis)) {
                Some(finding) if finding.holds() => return Some(finding),
                finding => said = said.or(finding),
            }
        }
        said
    }

    /// Whether an order of this shipment is in doubt under another number.
    pub(super) fn is_in_doubt(&self, shipment: u64, number: &str) -> bool {
        self.lately.get(&shipment).is_some_and(|before| before.number != number && before.is_in_doubt())
    }

    /// The orders of the last weeks whose number is this one, spelled in another way. None where one of them has the very
    /// number: then the ledger knows the order, and what is to be done with it.
    fn respelled(&self, number: &str) -> Option<&[Earlier]> {
        // Most ledgers are empty or large: the spelling is taken apart only where there is something to compare.
        if self.numbers.is_empty() {
            return None;
        }
        let before = self.numbers.get(&unspelled(number))?;
        before.iter().all(|before| before.number != number).then_some(before)
    }

    /// Says of an order that the number of another one is this one, spelled in another way: with other products or for
    /// somebody else, so that both may be meant.
    fn alike(&self, number: &str) -> Option<Finding> {
        let first = self.respelled(number)?.first()?;
        Some(match self.numbers_alike {
            NumbersAlike::Hold => {
                let setting = Remedy::setting("check", "numbers_alike", Some(Value::Text("warn".to_owned())));
                numbers_alike::sent_before(number, &first.number, first.standing(), setting)
            }
            NumbersAlike::Warn => numbers_alike::taken_as_two(number, &first.number, first.standing()),
        })
    }

    /// Keeps a good order for comparison with later ones.
    pub(super) fn remember(&mut self, shipment: u64, number: &str, at: RowRef) {
        if self.seen.len() < ENTRIES_MAX {
            self.seen.entry(shipment).or_insert(at);
            self.seen.entry(key(shipment, number)).or_insert(at);
        }
    }
}

/// A finding about an order's number.
fn on_number(finding: Finding, number: &str, at: RowRef, sheets: &Sheets) -> Finding {
    let id = Id::OrderNumber;
    finding.at(sheets.place(at, Some(id))).on_field(id.field().path).of_order(number)
}

/// What the rows of an order show: two say the same, in two sheets or in one, or they stand in several sheets.
pub(super) fn in_rows(draft: &Draft, order: &Order, sheets: &Sheets) -> [Option<Finding>; 2] {
    let place = |row: usize, id: Id| sheets.place(draft.rows[row], Some(id));
    let pair = |later: usize| (0..later).find(|one| order.lines[*one] == order.lines[later]).map(|one| (later, one));
    let is_by_row = draft.rows.len() == order.lines.len();
    if let Some((here, there)) = in_two_sheets(draft, order).filter(|_| is_by_row) {
        let twice = rows_twice::in_two_sheets(&place(there, Id::OrderNumber));
        return [Some(twice.at(place(here, Id::OrderNumber)).of_order(draft.number.clone())), None];
    }
    let Some((here, there)) = (1..order.lines.len()).filter(|_| is_by_row).find_map(pair) else {
        return [split(draft, sheets), None];
    };
    // A row was pasted twice, unless one of them alone speaks of the order.
    let is_pasted = draft.repeats(draft.rows[here], draft.rows[there]);
    let there = place(there, Id::ProductName);
    let notice = if is_pasted { same_line::pasted(&there) } else { same_line::twice(&there) };
    let notice = notice.at(place(here, Id::ProductName)).on_field(Id::ProductName.field().path);
    let notice = notice.of_order(draft.number.clone()).found(order.lines[here].product_name.clone());
    [split(draft, sheets), Some(notice)]
}

/// The first rows in two sheets that have the same lines of an order: most likely one sheet was given in two forms.
fn in_two_sheets(draft: &Draft, order: &Order) -> Option<(usize, usize)> {
    if draft.rows.first()?.sheet == draft.rows.last()?.sheet {
        return None;
    }
    let mut by_sheet: BTreeMap<u16, (usize, Vec<String>)> = BTreeMap::new();
    for (row, (at, line)) in draft.rows.iter().zip(&order.lines).enumerate() {
        by_sheet.entry(at.sheet).or_insert((row, Vec::new())).1.push(format!("{line:?}"));
    }
    for (_, lines) in by_sheet.values_mut() {
        lines.sort();
    }
    let all: Vec<_> = by_sheet.into_values().collect();
    let same = |(later, (here, lines)): (usize, &(usize, Vec<String>))| {
        let before = all[..later].iter().find(|(_, before)| before == lines);
        before.map(|(there, _)| (*here, *there))
    };
    all.iter().enumerate().find_map(same)
}

/// Says of an order that its rows stand in several sheets.
fn split(draft: &Draft, sheets: &Sheets) -> Option<Finding> {
    let mut firsts: Vec<RowRef> = Vec::new();
    for row in &draft.rows {
        if !firsts.iter().any(|known| known.sheet == row.sheet) {
            firsts.push(*row);
        }
    }
    let last = firsts.last().filter(|_| firsts.len() > 1)?;
    let places: Vec<String> = firsts.iter().map(|row| sheets.place(*row, Some(Id::OrderNumber)).to_string()).collect();
    Some(on_number(split_order::over_sheets(places), &draft.number, *last, sheets))
}
