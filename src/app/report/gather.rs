//! The one pass over the orders of a report: each is counted where it belongs.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde::Deserialize;
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

use crate::api::outcome::masked_but_status;
use crate::app::error::Result;
use crate::app::orders::Receiver;
use crate::app::standing::failed_because;
use crate::finding;
use crate::finding::english::Words;
use crate::ledger::{Decimal, Ledger, OrderSeen, ProblemRecord, RunId, RunSpan, Said, State};
use crate::report::{Orders, RowCounts};

use super::causes::Causes;
use super::data::{Amounts, Balance, Balanced, Breakdown, By, Day, Line, Money, OpenLine};

/// Orders in doubt that are listed: each has to be looked up.
const DOUBTS_LISTED: usize = 100;
/// Outstanding orders that are listed: one command sends them all.
const OUTSTANDING_LISTED: usize = 10;
/// Lines of a breakdown.
const LINES_MAX: usize = 40;
/// More days than these are told by month.
const DAYS_MAX: usize = 62;

/// What was counted.
pub(super) struct Gathered {
    pub(super) orders: Orders,
    pub(super) held: u64,
    pub(super) left_out: u64,
    pub(super) came_again: u64,
    pub(super) cancel_unclear: u64,
    pub(super) failed: Causes,
    pub(super) in_doubt: Vec<OpenLine>,
    pub(super) outstanding: Vec<OpenLine>,
    running: bool,
    is_masked: bool,
    money: BTreeMap<String, Money>,
    days: BTreeMap<String, Orders>,
    lines: HashMap<(By, String, Option<String>), Amounts>,
    /// Orders counted in each of their runs, and those of them that were booked there or later.
    in_runs: u64,
    booked_in_runs: u64,
    /// The value of all orders by their requests.
    requested: Decimal,
    zone: TimeZone,
}

/// The reason why an order is kept back. Of several reasons the last of these counts: what has to be fixed comes before what is only
/// held, and a person's word before both.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum KeptBack {
    Held,
    ToFix,
    ByClerk,
    LeftOut,
}

impl KeptBack {
    fn of(problem: &ProblemRecord) -> Self {
        let case = match &problem.said {
            Said::Data(finding) => &*finding.case,
            Said::Words { .. } => "",
        };
        match case {
            "left_out_by_clerk" => Self::LeftOut,
            "by_clerk" => Self::ByClerk,
            _ if problem.code == finding::Id::HeldBack.as_str() => Self::Held,
            _ => Self::ToFix,
        }
    }
}

/// Orders and rows that are kept back, by their run and place: the order number, where there is one, whether it counts as invalid,
/// and why.
type KeptBackOrders = HashMap<(RunId, i64), (Option<String>, bool, Option<KeptBack>)>;

/// What a request says that a report asks for. What cannot be read is not known, and its value is missing from the sums.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Body<'b> {
    #[serde(borrow)]
    receiver: Contact<'b>,
    destination: Place<'b>,
    warehouse_id: Option<Cow<'b, str>>,
    origin: Option<Place<'b>>,
    product_requests_list: Vec<Product<'b>>,
    shipping_properties: Payment<'b>,
}

/// Who gets an order, and where: what a masked report leaves out.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Contact<'b> {
    pub(super) first_name: Cow<'b, str>,
    pub(super) last_name: Cow<'b, str>,
    pub(super) email: Cow<'b, str>,
    pub(super) phone_number: Cow<'b, str>,
    pub(super) company_name: Cow<'b, str>,
    #[serde(skip)]
    pub(super) address: [Cow<'b, str>; 2],
    #[serde(skip)]
    pub(super) city: Cow<'b, str>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Place<'b> {
    address_line1: Cow<'b, str>,
    address_line2: Cow<'b, str>,
    city: Cow<'b, str>,
    state: Cow<'b, str>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Product<'b> {
    currency_code: Cow<'b, str>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Payment<'b> {
    order_type: Cow<'b, str>,
    #[serde(borrow)]
    sub_total: Option<&'b RawValue>,
}

impl Contact<'_> {
    /// Everything that is personal, in its words.
    pub(super) fn texts(&self) -> [&str; 8] {
        let Self { first_name, last_name, email, phone_number, company_name, address: [one, two], city } = self;
        [first_name, last_name, email, phone_number, company_name, one, two, city]
    }
}

impl Gathered {
    /// Counts the orders of these runs.
    pub(super) fn of(ledger: &Ledger, span: RunSpan, running: bool, is_masked: bool, words: &Words) -> Result<Self> {
        let mut gathered = Self {
            orders: Orders::default(),
            held: 0,
            left_out: 0,
            came_again: 0,
            cancel_unclear: 0,
            failed: Causes::new(is_masked, words),
            in_doubt: Vec::new(),
            outstanding: Vec::new(),
            running,
            is_masked,
            money: BTreeMap::new(),
            days: BTreeMap::new(),
            lines: HashMap::new(),
            in_runs: 0,
            booked_in_runs: 0,
            requested: Decimal::ZERO,
            zone: TimeZone::system(),
        };
        let mut kept_back = KeptBackOrders::new();
        ledger.for_each_order_of(span, &mut |order| {
            gathered.take(&order);
            let is_kept_back = matches!(order.state, State::Invalid | State::Held);
            if let Some(place) = order.kept_back.filter(|_| is_kept_back) {
                kept_back.insert(place, (Some(order.number), order.state == State::Invalid, None));
            }
        })?;
        gathered.take_problems(ledger, span, kept_back)?;
        Ok(gathered)
    }

    fn take(&mut self, order: &OrderSeen<'_>) {
        self.in_runs += order.times;
        self.came_again += order.times - 1;
        let day = self.day(order.came_ms);
        self.count(order, &day);
        if order.state == State::Booked && !order.already {
            self.booked_in_runs += order.asked;
        }
        if order.has_request {
            self.take_request(order, day);
        }
    }

    /// Counts the amounts of an order, and lists it where it is not at its end.
    fn take_request(&mut self, order: &OrderSeen<'_>, day: String) {
        let mut body: Body<'_> = serde_json::from_slice(order.body).unwrap_or_default();
        let amounts = Amounts {
            orders: 1,
            value: order.value,
            cod: order.cod,
            freight: order.freight.unwrap_or_default(),
            charged: u64::from(order.freight.is_some()),
        };
        let sub_total = body.shipping_properties.sub_total.map(RawValue::get);
        // Where the request was removed with what is personal, the ledger's amount is all that is left.
        let removed = order.body.is_empty().then_some(order.value);
        let requested = removed.or(sub_total.and_then(|digits| Decimal::from_str_exact(digits).ok()));
        self.requested += requested.unwrap_or_default();
        let currency = body.product_requests_list.first().map_or("", |product| &*product.currency_code).to_owned();
        let money = self
            .money
            .entry(currency.clone())
            .or_insert_with(|| Money { currency: currency.clone(), ..Money::default() });
        let own = match order.state {
            _ if order.already => &mut money.already_booked,
            State::Booked if order.asked_later => &mut money.booked_later,
            State::Booked if order.cancelled_ms.is_some() => &mut money.cancelled,
            State::Booked => &mut money.shipments,
            State::InDoubt | State::Sending | State::Staged | State::Waiting => &mut money.open,
            State::Rejected
            | State::Refused
            | State::Invalid
            | State::Held
            | State::LeftOut
            | State::Dismissed
            | State::Abandoned => &mut money.failed,
        };
        own.add(amounts);
        if order.state == State::Booked && !order.already && !order.asked_later {
            self.cancel_unclear += u64::from(order.cancelled_ms.is_none() && order.cancel_unclear_ms.is_some());
            if order.cancelled_ms.is_none() {
                self.shipped(order, &body, &currency, day, amounts);
            }
        }
        let Place { address_line1, address_line2, city, .. } = std::mem::take(&mut body.destination);
        body.receiver.address = [address_line1, address_line2];
        body.receiver.city = city;
        self.told(order, &body.receiver);
    }

    /// Counts an order where it stands.
    fn count(&mut self, order: &OrderSeen<'_>, day: &str) {
        let day = match self.days.get_mut(day) {
            Some(day) => day,
            None => self.days.entry(day.to_owned()).or_default(),
        };
        for orders in [&mut self.orders, day] {
            orders.total += 1;
            *match order.state {
                State::Held => &mut orders.held,
                State::Dismissed => &mut orders.dismissed,
                _ if order.already => &mut orders.already_booked,
                State::Booked => &mut orders.booked,
                State::Invalid => &mut orders.invalid,
                State::Rejected => &mut orders.rejected,
                State::Refused => &mut orders.refused,
                State::LeftOut => &mut orders.left_out,
                State::Abandoned => &mut orders.abandoned,
                State::InDoubt => &mut orders.in_doubt,
                // What was on its way when a run was killed is in doubt.
                State::Sending if !self.running => &mut orders.in_doubt,
                State::Sending | State::Staged | State::Waiting => &mut orders.outstanding,
            } += 1;
        }
    }

    /// Counts a shipment in every table.
    fn shipped(&mut self, order: &OrderSeen<'_>, body: &Body<'_>, currency: &str, day: String, amounts: Amounts) {
        let known = |text: &str| Some(text.trim()).filter(|text| !text.is_empty()).map(str::to_owned);
        let from = body.warehouse_id.as_deref().or(body.origin.as_ref().map(|origin| &*origin.city));
        let names = [
            (By::Day, Some(day)),
            (By::Carrier, order.carrier.as_deref().and_then(known)),
            (By::Service, order.service_level.as_deref().and_then(known)),
            (By::Warehouse, from.and_then(known)),
            (By::State, known(&body.destination.state)),
            (By::Payment, known(&body.shipping_properties.order_type)),
        ];
        for (by, name) in names {
            self.lines.entry((by, currency.to_owned(), name)).or_default().add(amounts);
        }
    }

    /// Lists an order that is not at its end, or that failed.
    fn told(&mut self, order: &OrderSeen<'_>, receiver: &Contact<'_>) {
        let said = |said: &str| if self.is_masked { without_people(said, &receiver.texts()) } else { said.to_owned() };
        let (list, most) = match order.state {
            State::Rejected | State::Refused => {
                let (cause, fingerprint) =
                    failed_because(order.state.as_str(), order.error.as_deref().unwrap_or_default());
                return self.failed.answered(order, said(&cause), fingerprint);
            }
            State::InDoubt => (&mut self.in_doubt, DOUBTS_LISTED),
            State::Sending if !self.running => (&mut self.in_doubt, DOUBTS_LISTED),
            State::Sending | State::Staged | State::Waiting => (&mut self.outstanding, OUTSTANDING_LISTED),
            State::Booked | State::Invalid | State::Held | State::LeftOut | State::Dismissed | State::Abandoned => {
                return;
            }
        };
        if list.len() < most {
            list.push(OpenLine {
                order: order.number.clone(),
                since_ms: order.since_ms,
                said: order.error.as_deref().map(said),
                rows: order.rows.clone(),
                receiver: (!self.is_masked).then(|| Receiver::of(order.body)),
            });
        }
    }

    /// Counts why orders and rows were kept back.
    fn take_problems(&mut self, ledger: &Ledger, span: RunSpan, mut kept_back: KeptBackOrders) -> Result<()> {
        ledger.for_each_problem_of(span, &mut |seen| {
            let Some(place) = seen.behind else { return };
            if place < 0 {
                kept_back.entry((seen.run, place)).or_default();
            }
            let Some((_, _, why)) = kept_back.get_mut(&(seen.run, place)) else { return };
            let own = KeptBack::of(&seen.problem);
            *why = Some(why.map_or(own, |before| before.max(own)));
        })?;
        ledger.for_each_problem_of(span, &mut |seen| {
            let Some((order, _, why)) = seen.behind.and_then(|place| kept_back.get(&(seen.run, place))) else { return };
            // Where a person has decided, nothing has failed.
            if why.is_none_or(|why| why < KeptBack::ByClerk) {
                self.failed.found((seen.run, seen.behind), order.as_deref(), seen.problem);
            }
        })?;
        for (_, is_invalid, why) in kept_back.into_values() {
            match why.filter(|_| is_invalid) {
                Some(KeptBack::LeftOut) => self.left_out += 1,
                Some(KeptBack::Held | KeptBack::ByClerk) => self.held += 1,
                Some(KeptBack::ToFix) | None => {}
            }
        }
        Ok(())
    }

    fn day(&self, ms: i64) -> String {
        let day = Timestamp::from_millisecond(ms)
            .map(|moment| moment.to_zoned_datetime(self.zone.clone()).date().to_string());
        day.unwrap_or_default()
    }

    pub(super) fn money(&self) -> Vec<Money> {
        let mut money: Vec<Money> = self.money.values().cloned().collect();
        money.sort_by_key(|own| std::cmp::Reverse(own.all().iter().map(|amounts| amounts.orders).sum::<u64>()));
        money
    }

    /// How much of a day's name tells it: all of it, or its month.
    fn day_length(&self) -> usize {
        if self.days.len() > DAYS_MAX { "2026-11".len() } else { "2026-11-23".len() }
    }

    pub(super) fn days(&self) -> Vec<Day> {
        let mut days: Vec<Day> = Vec::new();
        for (day, orders) in &self.days {
            let name = day.get(..self.day_length()).unwrap_or(day);
            match days.last_mut() {
                Some(last) if last.day == name => last.orders = last.orders.plus(*orders),
                _ => days.push(Day { day: name.to_owned(), orders: *orders }),
            }
        }
        days
    }

    pub(super) fn breakdowns(&self) -> Vec<Breakdown> {
        [By::Day, By::Carrier, By::Service, By::Warehouse, By::State, By::Payment].map(|by| self.breakdown(by)).into()
    }

    fn breakdown(&self, by: By) -> Breakdown {
        let mut merged: BTreeMap<(&str, Option<&str>), Amounts> = BTreeMap::new();
        for ((_, currency, name), amounts) in self.lines.iter().filter(|((own, ..), _)| *own == by) {
            let name = name.as_deref();
            let name = if by == By::Day { name.and_then(|day| day.get(..self.day_length())) } else { name };
            merged.entry((currency, name)).or_default().add(*amounts);
        }
        let line = |((currency, name), amounts): ((&str, Option<&str>), Amounts)| Line {
            name: name.map(str::to_owned),
            is_rest: false,
            currency: currency.to_owned(),
            amounts,
        };
        let mut lines: Vec<Line> = merged.into_iter().map(line).collect();
        if by == By::Day {
            return Breakdown { by, lines };
        }
        lines.sort_by_key(|line| std::cmp::Reverse(line.amounts.orders));
        let mut rest: BTreeMap<String, Amounts> = BTreeMap::new();
        for line in lines.split_off(lines.len().min(LINES_MAX)) {
            rest.entry(line.currency).or_default().add(line.amounts);
        }
        lines.extend(rest.into_iter().map(|(currency, amounts)| Line { name: None, is_rest: true, currency, amounts }));
        Breakdown { by, lines }
    }

    /// Sums that were counted in two ways.
    pub(super) fn balances<'r>(&self, rows: &RowCounts, runs: impl Iterator<Item = &'r Orders>) -> Vec<Balance> {
        let (kept, booked) = runs.fold((0, 0), |(all, booked), run| (all + run.total, booked + run.booked));
        let balance = |of, reported: u64, kept: u64| Balance { of, reported: reported.into(), kept: kept.into() };
        let all = || self.money.values().flat_map(Money::all);
        let mut balances = vec![
            balance(Balanced::Rows, rows.blank + rows.skipped + rows.in_orders + rows.invalid, rows.read),
            balance(Balanced::Orders, self.in_runs, kept),
            balance(Balanced::Booked, self.booked_in_runs, booked),
            Balance { of: Balanced::Value, reported: all().map(|amounts| amounts.value).sum(), kept: self.requested },
        ];
        let shipments = self.money.values().map(|money| money.shipments);
        let shipped = shipments.fold(Amounts::default(), Amounts::plus);
        for Breakdown { lines, .. } in self.breakdowns() {
            let sum = lines.iter().fold(Amounts::default(), |sum, line| sum.plus(line.amounts));
            let of_table = [
                balance(Balanced::Shipments, sum.orders, shipped.orders),
                Balance { of: Balanced::Cod, reported: sum.cod, kept: shipped.cod },
            ];
            // What every table comes to is told once.
            for own in of_table {
                if !balances.contains(&own) {
                    balances.push(own);
                }
            }
        }
        balances
    }
}

impl Amounts {
    pub(super) fn add(&mut self, other: Self) {
        *self = self.plus(other);
    }

    /// Both together.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            orders: self.orders + other.orders,
            value: self.value + other.value,
            cod: self.cod + other.cod,
            freight: self.freight + other.freight,
            charged: self.charged + other.charged,
        }
    }
}

/// Shorter words stand in any sentence.
const CHARACTERS_MIN: usize = 3;

/// An answer of the service without the receiver, digits and quoted values, so that equal causes are one.
pub(super) fn without_people(said: &str, personal: &[&str]) -> String {
    let words = personal.iter().flat_map(|text| text.split(|c: char| !c.is_alphanumeric()).chain([*text]));
    let mut personal: Vec<String> =
        words.filter(|word| word.chars().count() >= CHARACTERS_MIN).map(str::to_lowercase).collect();
    personal.sort_by_key(|word| std::cmp::Reverse(word.len()));
    let mut rest = said;
    let mut shown = String::with_capacity(said.len());
    while let Some(first) = rest.chars().next() {
        let is_here = |word: &&String| rest.get(..word.len()).is_some_and(|start| start.to_lowercase() == **word);
        // A name within a longer word is no name.
        let begins = !shown.chars().next_back().is_some_and(char::is_alphanumeric);
        let ends = |word: &&String| !rest[word.len()..].starts_with(char::is_alphanumeric);
        let found = personal.iter().filter(|_| begins).find(|word| is_here(word) && ends(word));
        let length = found.map_or(first.len_utf8(), String::len);
        if found.is_some() {
            shown.push('…');
        } else {
            shown.push(first);
        }
        rest = &rest[length..];
    }
    masked_but_status(&shown)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_of_the_receiver_is_left() {
        let receiver = ["Asha", "Rao Bahadur", "asha.rao@example.com", "", "14 MG Road", "Bengaluru"];
        let said = |text: &str| without_people(text, &receiver);
        assert_eq!(said("ASHA (rao bahadur) of Bengaluru has no phone"), "… (…) of … has no phone");
        assert_eq!(said("write to asha.rao@example.com, 14 MG ROAD"), "write to …, …");
        assert_eq!(said("no (HTTP 422) for 560001"), "no (HTTP 422) for #");
        assert_eq!(said("PIN code 560001 of \"somebody\""), "PIN code # of …");
        assert_eq!(said("a broad way with Ashas"), "a broad way with Ashas");
    }
}
