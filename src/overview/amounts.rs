//! The part of a report that the owner reads: orders by day, shipments with what they are worth, and how that compares.

use crate::app::{Amounts, Breakdown, By, Day, Line, Money, Report, RunLine};
use crate::report::Orders;
use crate::text::Decimal;

use super::layout::{Block, Cell, Chart, Section, Series, Shape, Table, money};
use super::said::{count, day, of_day, period, stayed_behind, unsent};

/// Lines of a picture with names.
const RANKED_MAX: usize = 10;
/// The name of all lines that have none of their own.
const OTHERS: &str = "all others";

type Count = fn(&Orders) -> u64;

/// Where orders may stand.
const COUNTS: [(&str, Count); 10] = [
    ("Came in", |orders| orders.total),
    ("Booked", |orders| orders.booked),
    ("Booked before", |orders| orders.already_booked),
    ("Stayed behind", stayed_behind),
    ("In doubt", |orders| orders.in_doubt),
    ("Not sent yet", |orders| orders.outstanding),
    ("Held", |orders| orders.held),
    ("Left out", |orders| orders.left_out),
    ("Given up", |orders| orders.abandoned),
    ("Dismissed", |orders| orders.dismissed),
];

/// Orders by the day on which they came.
pub(super) fn days(report: &Report) -> Option<Section> {
    let Report { days, .. } = report;
    if days.len() < 2 {
        return None;
    }
    // What never happened has no column.
    let counts: Vec<(&str, Count)> = COUNTS.into_iter().filter(|(_, count)| count(&report.orders) > 0).collect();
    let row = |name: String, orders: &Orders| {
        let counts = counts.iter().map(|(_, count)| Cell::Number(count(orders)));
        std::iter::once(Cell::Text(name)).chain(counts).collect()
    };
    let table = Table {
        name: "Orders by day".to_owned(),
        columns: std::iter::once("Day").chain(counts.iter().map(|(name, _)| *name)).map(str::to_owned).collect(),
        rows: days.iter().map(|own| row(of_day(&own.day), &own.orders)).collect(),
        total: Some(row("All".to_owned(), &report.orders)),
        below: None,
    };
    let of = |name, class, value: fn(&Orders) -> u64| Series {
        name,
        class,
        values: days.iter().map(|own| value(&own.orders)).collect(),
    };
    let most = days.iter().max_by_key(|own| own.orders.total).map(|own| (of_day(&own.day), own.orders.total));
    let (most_day, most) = most.unwrap_or_default();
    let chart = Chart {
        title: "Orders by the day on which they came".to_owned(),
        alternative: format!("Most orders came on {most_day}: {}.", count(most, "order")),
        shape: Shape::Bars,
        labels: days.iter().map(|Day { day, .. }| of_day(day)).collect(),
        series: vec![
            of("Booked", "one", |orders| orders.booked + orders.already_booked),
            of("Stayed behind", "two", |orders| stayed_behind(orders) + unsent(orders)),
            of("In doubt or not sent", "three", |orders| orders.in_doubt + orders.outstanding),
        ],
    };
    Some(Section { heading: "Day by day".to_owned(), blocks: vec![Block::Chart(chart), Block::Table(table)] })
}

/// Shipments, by what people ask for.
pub(super) fn shipments(report: &Report) -> Option<Section> {
    let shipped: u64 = report.money.iter().map(|own| own.shipments.orders).sum();
    if shipped == 0 {
        return None;
    }
    let mut text = "Booked, and not cancelled. Warehouses are shown as the request names them.".to_owned();
    if report.money.iter().all(|own| own.shipments.charged == 0) {
        text.push_str(" What the courier charges is not in the ledger, so it is not shown here.");
    }
    for Money { currency, cancelled, booked_later, .. } in &report.money {
        let left_out = [("they were cancelled", cancelled), ("a run after these days sent them", booked_later)];
        for (why, own) in left_out.into_iter().filter(|(_, own)| own.orders > 0) {
            let (value, cod) = (money(own.value, currency), money(own.cod, currency));
            let own = format!("{}, declared value {value}, COD {cod}", count(own.orders, "shipment"));
            text.push_str(&[" Left out because ", why, ": ", &own, "."].concat());
        }
    }
    // One line shows nothing that the total does not, so it takes no table: its name is enough.
    let (alone, several): (Vec<&Breakdown>, Vec<&Breakdown>) = report
        .breakdowns
        .iter()
        .filter(|own| own.by != By::Day || report.days.len() > 1)
        .partition(|own| own.lines.len() == 1);
    let alone: Vec<String> = alone.into_iter().filter(|own| own.by != By::Day).map(only).collect();
    if !alone.is_empty() {
        text.push_str(&[" All of them: ", &alone.join(", "), "."].concat());
    }
    let mut blocks = vec![Block::Text(text)];
    for breakdown in several {
        let (_, chart_title, _) = names(breakdown.by);
        if breakdown.by == By::State {
            blocks.push(Block::Chart(ranked(chart_title, breakdown)));
        }
        blocks.push(Block::Table(table(breakdown, &report.money)));
    }
    Some(Section { heading: "Shipments".to_owned(), blocks })
}

/// The one line of a breakdown: `carrier Delhivery`.
fn only(breakdown: &Breakdown) -> String {
    let (column, _, unknown) = names(breakdown.by);
    let name = breakdown.lines.first().map(|line| name(line, unknown)).unwrap_or_default();
    format!("{} {name}", column.to_lowercase())
}

/// A breakdown's column, the title of its picture, and what is said where a name is not known.
const fn names(by: By) -> (&'static str, &'static str, &'static str) {
    match by {
        By::Day => ("Day", "Shipments by day", "not known"),
        By::Carrier => ("Carrier", "Shipments by carrier", "the answer named none"),
        By::Service => ("Service", "Shipments by service", "the answer named none"),
        By::Warehouse => ("Warehouse", "Shipments by warehouse", "the service's own choice"),
        By::State => ("State", "Shipments by state", "not told"),
        By::Payment => ("Payment", "Shipments by payment", "not told"),
    }
}

fn name(line: &Line, unknown: &str) -> String {
    let unknown = if line.is_rest { OTHERS } else { unknown };
    line.name.clone().unwrap_or_else(|| unknown.to_owned())
}

fn table(breakdown: &Breakdown, money: &[Money]) -> Table {
    let (column, title, unknown) = names(breakdown.by);
    let shown = |line: &Line| {
        let name = name(line, unknown);
        if breakdown.by == By::Day { of_day(&name) } else { name }
    };
    let is_charged = breakdown.lines.iter().any(|line| line.amounts.charged > 0);
    let is_known = breakdown.lines.iter().all(|line| line.amounts.charged == line.amounts.orders);
    let charge = if is_known { "Courier's charge" } else { "Courier's charge, where known" };
    let row = |name: String, amounts: &Amounts, currency: &str| {
        let Amounts { orders, value, cod, freight, .. } = *amounts;
        let freight = is_charged.then(|| Cell::Money(freight, currency.to_owned()));
        let cells = vec![
            Cell::Text(name),
            Cell::Number(orders),
            Cell::Money(value, currency.to_owned()),
            Cell::Money(cod, currency.to_owned()),
        ];
        cells.into_iter().chain(freight).collect::<Vec<_>>()
    };
    // One line is its own sum, and amounts of several currencies have none.
    let total = match money.iter().filter(|own| own.shipments.orders > 0).collect::<Vec<_>>()[..] {
        [only] if breakdown.lines.len() > 1 => Some(row("All".to_owned(), &only.shipments, &only.currency)),
        _ => None,
    };
    Table {
        name: title.to_owned(),
        columns: [column, "Shipments", "Declared value", "COD to collect"]
            .into_iter()
            .chain(is_charged.then_some(charge))
            .map(str::to_owned)
            .collect(),
        rows: breakdown.lines.iter().map(|line| row(shown(line), &line.amounts, &line.currency)).collect(),
        total,
        below: None,
    }
}

fn ranked(title: &str, breakdown: &Breakdown) -> Chart {
    let (_, _, unknown) = names(breakdown.by);
    let (lines, others) = breakdown.lines.split_at(breakdown.lines.len().min(RANKED_MAX));
    let others: u64 = others.iter().map(|line| line.amounts.orders).sum();
    let first = lines.iter().take(3).map(|line| format!("{} {}", name(line, unknown), line.amounts.orders));
    Chart {
        title: title.to_owned(),
        alternative: format!("The most shipments: {}.", first.collect::<Vec<_>>().join(", ")),
        shape: Shape::Ranked,
        labels: lines.iter().map(|line| name(line, unknown)).chain((others > 0).then(|| OTHERS.to_owned())).collect(),
        series: vec![Series {
            name: "Shipments",
            class: "one",
            values: lines.iter().map(|line| line.amounts.orders).chain((others > 0).then_some(others)).collect(),
        }],
    }
}

/// Where the orders of a single run stood when it ended, and where they stand now.
pub(super) fn since_the_end(report: &Report) -> Option<Section> {
    let RunLine { orders: now, orders_at_end, .. } = report.runs.first().filter(|_| report.run.is_some())?;
    let at_end = orders_at_end.filter(|at_end| at_end != now)?;
    let counts = COUNTS.into_iter().map(|(what, count)| (what, count(&at_end), count(now)));
    let row = |(what, then, now)| vec![Cell::text(what), Cell::Number(then), Cell::Number(now), change(now, then)];
    let table = Table {
        name: "At its end and now".to_owned(),
        columns: ["Orders", "At its end", "Now", "Change"].map(str::to_owned).into(),
        rows: counts.filter(|(_, then, now)| then + now > 0).map(row).collect(),
        total: None,
        below: None,
    };
    Some(Section { heading: "Since the run ended".to_owned(), blocks: vec![Block::Table(table)] })
}

fn change(now: u64, then: u64) -> Cell {
    Cell::Change(Decimal::from(now) - Decimal::from(then), String::new())
}

/// What came before, held against this.
pub(super) fn compared(report: &Report) -> Option<Section> {
    let before = report.before.as_ref()?;
    let then = match before.run {
        Some(run) => format!("Run {run}, {}", day(before.from_ms)),
        None if report.until_ms.is_some() => period(before.from_ms, report.from_ms),
        None => format!("Since {}", day(before.from_ms)),
    };
    let number = |what: &str, now: u64, then: u64| {
        vec![Cell::text(what), Cell::Number(now), Cell::Number(then), change(now, then)]
    };
    let (now, earlier) = (&report.orders, &before.orders);
    let mut rows = vec![
        number("Orders came in", now.total, earlier.total),
        number("Booked", now.booked, earlier.booked),
        number("Stayed behind", stayed_behind(now), stayed_behind(earlier)),
        number("In doubt", now.in_doubt, earlier.in_doubt),
        number("Not sent yet", now.outstanding, earlier.outstanding),
    ];
    for own in &report.money {
        let then = before.money.iter().find(|then| then.currency == own.currency);
        let then = then.map(|then| then.shipments).unwrap_or_default();
        let amount = |what: &str, now: Decimal, then: Decimal| {
            let money = |amount| Cell::Money(amount, own.currency.clone());
            vec![Cell::text(what), money(now), money(then), Cell::Change(now - then, own.currency.clone())]
        };
        rows.push(amount("Declared value of shipments", own.shipments.value, then.value));
        rows.push(amount("COD to collect", own.shipments.cod, then.cod));
    }
    let what = if before.run.is_some() { "the import before" } else { "as many days before" };
    let columns = vec!["What".to_owned(), "Now".to_owned(), then, "Change".to_owned()];
    let table = Table { name: "Compared".to_owned(), columns, rows, total: None, below: None };
    Some(Section { heading: format!("Compared with {what}"), blocks: vec![Block::Table(table)] })
}
