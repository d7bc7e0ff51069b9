//! `service serviceability`: which couriers go from one PIN code to others, or wherever the orders of a sheet go.

use std::collections::HashSet;
use std::io::Write;
use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::Args;
use schemars::JsonSchema;
use serde::Serialize;

use crate::after::routes::{Route, Served, Way};
use crate::api::service::Courier;
use crate::app::{Demand, Error, Exit, RouteEnd, RoutesAsked, SheetRoutes, pin};
use crate::book::StoppedBy;
use crate::cli::Usage;
use crate::cli::chosen::Pace;
use crate::cli::conclude::events;
use crate::cli::connect::settle_service;
use crate::cli::console::{note, print};
use crate::cli::couriers::Counted;
use crate::cli::document::{Kind, print_document};
use crate::cli::global::Format;
use crate::cli::settings::Settings;
use crate::cli::typed::Api;
use crate::config::Sheets;
use crate::finding::english;
use crate::sheet;
use crate::text::count;

#[derive(Debug, Args)]
pub(in crate::cli) struct Serviceability {
    /// PIN code of the pickup; with --sheet it may come from [serviceability] in shipsheet.toml, or from the origin
    #[arg(long, value_name = "PIN", value_parser = pin)]
    from: Option<String>,
    /// PIN code of the delivery; may be repeated
    #[arg(long, value_name = "PIN", value_parser = pin, conflicts_with = "sheet")]
    to: Vec<String>,
    /// Every pair of PIN codes of this order sheet, each once; may be repeated
    #[arg(long, value_name = "SHEET")]
    sheet: Vec<PathBuf>,
    /// A profile for the sheet: its name, or its TOML file [default: recognised by the headers]
    #[arg(long, value_name = "NAME|FILE", requires = "sheet")]
    profile: Option<String>,
    /// The sheet's worksheet, by name or number
    #[arg(long, value_name = "NAME", requires = "sheet")]
    worksheet: Option<String>,
    /// The version of the request that the sheet is for [default: v2]
    #[arg(long, value_enum, requires = "sheet")]
    api: Option<Api>,
    #[command(flatten)]
    pace: Pace,
}

/// The document of `service serviceability`.
#[derive(Serialize, JsonSchema)]
#[schemars(title = "Couriers between PIN codes")]
pub(in crate::cli) struct Document<'e> {
    /// Every pair that was asked for.
    pairs: Vec<Pair<'e>>,
    exit: Exit,
}

/// One pair. Where it could not be asked for, `error` says why and the couriers are left out.
#[derive(Serialize, JsonSchema)]
struct Pair<'e> {
    /// PIN code of the pickup.
    from: &'e str,
    /// PIN code of the delivery.
    to: &'e str,
    /// Whether a courier takes paid orders.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "bool")]
    prepaid: Option<bool>,
    /// Whether a courier collects cash on delivery.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "bool")]
    cod: Option<bool>,
    /// The couriers.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<Courier>")]
    couriers: Option<&'e [Courier]>,
    /// Why it could not be asked for; null where it could.
    error: Option<&'e str>,
    /// Orders of the sheet that go this way; left out where no sheet has any.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u64")]
    orders: Option<u64>,
    /// Orders of these with cash on delivery.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u64")]
    cod_orders: Option<u64>,
}

pub(super) fn serviceability(settings: &Settings, arguments: &Serviceability) -> Result<Exit> {
    let pairs = pairs(settings, arguments)?;
    settle_service(settings)?;
    let pace = settings.config().pace(arguments.pace.options());
    let mut steps = Counted::new(settings);
    let RoutesAsked { pairs, left, stopped } = settings.app.ask_routes(pairs, pace, &steps.stop(), &mut steps)?;
    let mut interrupted = false;
    if let Some((by, why)) = stopped {
        interrupted = by == StoppedBy::Signal;
        let by = if interrupted { String::new() } else { format!("stopped ({by}): ") };
        note(format!("{by}{why}: {} not asked for", count(left as u64, "pair")));
    }
    let exit = match () {
        () if interrupted => Exit::Outstanding,
        () if pairs.iter().any(|(_, _, end)| end.is_err()) => Exit::CouldNotRun,
        () if pairs.iter().any(|(_, demand, end)| !is_enough(demand, end)) => Exit::SomeFailed,
        () => Exit::Done,
    };
    tell(settings, &pairs, arguments.sheet.is_empty(), exit)?;
    Ok(exit)
}

/// What is asked for, each pair once, with the orders that need it where a sheet has them.
fn pairs(settings: &Settings, arguments: &Serviceability) -> Result<Vec<(Route, Demand)>> {
    if arguments.sheet.is_empty() {
        let Some(from) = arguments.from.clone().filter(|_| !arguments.to.is_empty()) else {
            bail!(Usage(
                "say from where to where: --from PIN --to PIN, or --sheet SHEET for all of a sheet".to_owned()
            ));
        };
        let mut to = arguments.to.clone();
        let mut seen = HashSet::new();
        to.retain(|to| seen.insert(to.clone()));
        return Ok(to.into_iter().map(|to| (Route { from: from.clone(), to }, Demand::default())).collect());
    }
    let sheets = Sheets {
        paths: arguments.sheet.clone(),
        profile: arguments.profile.clone(),
        reading: sheet::Options { worksheet: arguments.worksheet.clone(), ..sheet::Options::default() },
        version: arguments.api.map(Into::into),
        ..Sheets::default()
    };
    let SheetRoutes { pairs, invalid, warnings } =
        settings.app.routes_of(&sheets, arguments.from.clone(), &mut events(settings))?;
    if invalid > 0 {
        let invalid = count(invalid, "order");
        note(format!("{invalid} not asked about, for they are invalid: see `{} check`", settings.command));
    }
    for warning in warnings {
        note(format!("warning: {}: give --from, or set pickup_pin in [serviceability]", english::message(&warning)));
    }
    if pairs.is_empty() {
        return Err(Error::NoRoutes.into());
    }
    Ok(pairs)
}

/// Whether couriers take what goes this way; a pair that was typed wants any of them.
fn is_enough(demand: &Demand, end: &RouteEnd) -> bool {
    let Ok(couriers) = end else { return false };
    let way = Way::of(couriers);
    let Served { prepaid, cod } = way.by_any();
    let is_served = |(carrier, (orders, of_them)): (&String, &(u64, u64))| {
        let Some(Served { prepaid, cod }) = way.by(carrier) else { return false };
        (orders == of_them || prepaid) && (*of_them == 0 || cod)
    };
    (prepaid || cod) && demand.by_carrier.iter().all(is_served)
}

fn tell(settings: &Settings, pairs: &[(Route, Demand, RouteEnd)], with_couriers: bool, exit: Exit) -> Result<()> {
    if settings.format == Format::Json {
        let pairs = pairs.iter().map(|(route, demand, end)| Pair::of(route, demand, end)).collect();
        return print_document(Kind::ServiceServiceability, &Document { pairs, exit });
    }
    let mut text = Vec::new();
    let (mut good, mut orders_left) = (0_u64, 0);
    for (Route { from, to }, demand, end) in pairs {
        let orders = match (demand.orders, demand.cod) {
            (0, _) => String::new(),
            (orders, 0) => format!(" ({})", count(orders, "order")),
            (orders, cod) => format!(" ({}, {cod} cash on delivery)", count(orders, "order")),
        };
        let word = match end {
            Err(error) => format!("error: {error}"),
            Ok(couriers) => word(Way::of(couriers).by_any()).to_owned(),
        };
        let mark = if with_couriers || is_enough(demand, end) { "" } else { "! " };
        good += u64::from(is_enough(demand, end));
        orders_left += if is_enough(demand, end) { 0 } else { demand.orders };
        writeln!(text, "{mark}{from} to {to}{orders}: {word}")?;
        for courier in end.iter().flatten().filter(|_| with_couriers) {
            let name = courier.carrier.as_deref().unwrap_or("(no name)");
            let zone = courier.zone.as_ref().map(|zone| format!(", zone {zone}")).unwrap_or_default();
            let takes = match (courier.prepaid, courier.cod) {
                (true, true) => "prepaid, cash on delivery",
                (true, false) => "prepaid",
                (false, true) => "cash on delivery",
                (false, false) => "nothing at present",
            };
            let more = [(courier.replacement, ", replacements"), (courier.reverse, ", returns")];
            let more: String = more.iter().filter(|(is, _)| *is == Some(true)).map(|(_, word)| *word).collect();
            writeln!(text, "  {name}{zone}: {takes}{more}")?;
        }
    }
    if !with_couriers {
        let left = if orders_left > 0 { format!("; not so {}", count(orders_left, "order")) } else { String::new() };
        writeln!(text, "{good} of {} served as the orders need it{left}", count(pairs.len() as u64, "pair"))?;
    }
    print(&text)
}

const fn word(served: Served) -> &'static str {
    match (served.prepaid, served.cod) {
        (true, true) => "prepaid and cash on delivery",
        (true, false) => "prepaid only",
        (false, true) => "cash on delivery only",
        (false, false) => "not served",
    }
}

impl<'e> Pair<'e> {
    fn of(Route { from, to }: &'e Route, demand: &Demand, end: &'e RouteEnd) -> Self {
        let couriers = end.as_deref().ok();
        let served = couriers.map(|couriers| Way::of(couriers).by_any());
        Self {
            from,
            to,
            prepaid: served.map(|served| served.prepaid),
            cod: served.map(|served| served.cod),
            couriers,
            error: end.as_ref().err().map(String::as_str),
            orders: (demand.orders > 0).then_some(demand.orders),
            cod_orders: (demand.orders > 0).then_some(demand.cod),
        }
    }
}
