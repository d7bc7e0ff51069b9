//! `label`: every label of a run as one PDF, in the order of the sheet.

use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::{Args, ValueEnum};
use schemars::JsonSchema;
use serde::Serialize;

use crate::after::labels::Kept;
use crate::after::merge::Merged;
use crate::after::paper::Paper;
use crate::app::{self, Chosen, Ends, Exit, LabelOptions, LabelOrder, Labels};
use crate::text::{count, moment};

use super::Usage;
use super::bulk::{Ending, say_stopped, why};
use super::chosen::{Which, chosen_of, left_out, say};
use super::connect::settle_service;
use super::console::{note, print};
use super::couriers::Counted;
use super::document::{Kind, print_document};
use super::global::Format;
use super::own::remember;
use super::settings::Settings;

/// By this name files that it wrote are remembered.
const LABEL: &str = "label";
/// Causes of missing labels that are shown one by one.
const SHOWN: usize = 10;
/// What takes in what is left out as cancelled.
const WAY_IN: &str = "; --with-cancelled takes them in";

#[derive(Debug, Args)]
pub(super) struct Label {
    #[command(flatten)]
    pub(super) which: Which,
    /// One PDF with all labels
    #[arg(long, value_name = "FILE.pdf")]
    pub(super) to: PathBuf,
    /// Replace the file also where it is not what this command wrote
    #[arg(long)]
    pub(super) force: bool,
    /// The folder that keeps each label by its AWB; what is there is not fetched again [default: FILE-labels]
    #[arg(long, value_name = "FOLDER")]
    pub(super) folder: Option<PathBuf>,
    /// Take in orders that are cancelled, or may be; they are left out otherwise
    #[arg(long)]
    pub(super) with_cancelled: bool,
    /// Only labels that were not handed out before; without a run or orders, of all that came to an AWB in the last 30 days
    #[arg(long)]
    pub(super) not_printed: bool,
    /// The order of the labels
    #[arg(long, value_enum, default_value_t = Sort::Sheet)]
    pub(super) sort: Sort,
    /// The paper; all but the courier's own size come without the index
    #[arg(long, value_enum, default_value_t = On::Own)]
    pub(super) paper: On,
    /// Only these of them, counted from 1 in that order, for instance 10-20 or 7
    #[arg(long, value_name = "FROM-TO", value_parser = range)]
    pub(super) range: Option<(usize, usize)>,
}

/// The order of labels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Sort {
    /// As the sheet has them, or as they were named
    Sheet,
    /// By order number
    Order,
    /// By AWB
    Awb,
    /// By carrier, then as the sheet has them
    Carrier,
}

impl From<Sort> for LabelOrder {
    fn from(sort: Sort) -> Self {
        match sort {
            Sort::Sheet => Self::Sheet,
            Sort::Order => Self::Number,
            Sort::Awb => Self::Awb,
            Sort::Carrier => Self::Carrier,
        }
    }
}

/// The papers for labels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum On {
    /// The courier's own size
    Own,
    /// A6, one to a sheet
    A6,
    /// A thermal printer's labels of 4 by 6 inches
    #[value(name = "4x6")]
    FourBySix,
    /// A4, four to a sheet
    #[value(name = "4-on-a4")]
    FourOnA4,
}

impl From<On> for Paper {
    fn from(on: On) -> Self {
        match on {
            On::Own => Self::AsTheyAre,
            On::A6 => Self::A6,
            On::FourBySix => Self::FourBySix,
            On::FourOnA4 => Self::FourToA4,
        }
    }
}

/// The document of `label`.
#[derive(Serialize, JsonSchema)]
#[schemars(title = "Labels as one PDF")]
pub(super) struct Document<'a> {
    /// The PDF that was made; null where none was.
    file: Option<String>,
    /// Its pages; null where none was made.
    pages: Option<usize>,
    /// Labels that were fetched now.
    fetched: usize,
    /// Labels that were there before.
    kept: usize,
    /// Every label, in the order of the PDF.
    labels: Vec<Entry<'a>>,
    #[serde(flatten)]
    ending: Ending<'a>,
}

/// One label.
#[derive(Serialize, JsonSchema)]
struct Entry<'a> {
    /// The order number.
    order_number: &'a str,
    /// The air waybill number.
    awb: &'a str,
    /// Where it is kept; null where it is missing.
    file: Option<String>,
    /// Its first page in the PDF, counted from 1; null where it is not in it.
    page: Option<usize>,
    /// When it was handed out before, last; null where it was not.
    printed: Option<String>,
    /// Why it is missing.
    error: Option<&'a str>,
}

pub(super) fn label(settings: &Settings, arguments: &Label) -> Result<Exit> {
    if arguments.to.extension().is_none_or(|extension| !extension.eq_ignore_ascii_case("pdf")) {
        bail!(Usage(format!("--to {} must end in .pdf", arguments.to.display())));
    }
    if !arguments.force {
        settings.app.may_write(LABEL, &arguments.to)?;
    }
    let which = app::Which { not_printed: arguments.not_printed, ..arguments.which.which() };
    let mut chosen = chosen_of(settings, &which)?;
    if !arguments.with_cancelled {
        chosen.leave_out_cancelled();
    }
    if chosen.shipments.is_empty() && chosen.cancelled.is_empty() {
        return nothing_to_print(settings, &chosen);
    }
    if chosen.shipments.is_empty() {
        say(settings, &chosen, WAY_IN);
        let there = if arguments.to.exists() {
            format!("; {} is as it was, with labels that nobody shall use", arguments.to.display())
        } else {
            String::new()
        };
        bail!("all of these orders are cancelled, or may be: there is no label to print{there}");
    }
    let options = LabelOptions {
        to: arguments.to.clone(),
        folder: arguments.folder.clone(),
        order: arguments.sort.into(),
        paper: arguments.paper.into(),
        range: arguments.range,
    };
    settle_service(settings)?;
    let (was_there, left) = (arguments.to.exists(), left_out(&chosen));
    let mut steps = Counted::new(settings);
    let Labels { folder, ends, merged } =
        settings.app.labels(&mut chosen, &options, left.as_deref(), &steps.stop(), &mut steps)?;
    say_stopped(&ends);
    if merged.is_none() {
        note(format!("no PDF is made yet; what was fetched is kept in {}", folder.display()));
    } else if let (Some((from, _)), true) = (arguments.range, was_there) {
        note(format!(
            "warning: {} holds only labels {from} to {} now; the same command without --range makes it whole again, \
             from the labels in {}",
            arguments.to.display(),
            from + chosen.shipments.len() - 1,
            folder.display()
        ));
    }
    if merged.is_some() {
        remember(settings, LABEL, &arguments.to);
        let whole = chosen.shipments.iter().zip(&ends.list).filter(|(_, end)| matches!(end, Some(Ok(_))));
        let awbs = whole.map(|(shipment, _)| shipment.awb.clone()).collect();
        if let Err(error) = settings.app.note_printed(awbs, &arguments.to) {
            note(format!("warning: --not-printed will not know of these labels: {error}"));
        }
    }
    told(settings, arguments, &chosen, &ends, merged.as_ref())
}

/// Every label was handed out already.
fn nothing_to_print(settings: &Settings, chosen: &Chosen) -> Result<Exit> {
    say(settings, chosen, WAY_IN);
    let printed = match chosen.printed {
        0 => String::new(),
        printed => format!(": {} printed before; omit --not-printed to print them again", count(printed, "label")),
    };
    note(format!("no label is left to print{printed}"));
    let ends = Ends::<Kept> { list: Vec::new(), stopped: None };
    if settings.format == Format::Json {
        let (labels, ending) = (Vec::new(), Ending::of(chosen, &ends));
        print_document(Kind::Label, &Document { file: None, pages: None, fetched: 0, kept: 0, labels, ending })?;
    }
    Ok(ends.exit(chosen))
}

fn told(
    settings: &Settings,
    arguments: &Label,
    chosen: &Chosen,
    ends: &Ends<Kept>,
    merged: Option<&Merged>,
) -> Result<Exit> {
    say(settings, chosen, WAY_IN);
    let kept = || ends.list.iter().flatten().flatten();
    let (before, fetched) = (kept().filter(|kept| kept.before).count(), kept().filter(|kept| !kept.before).count());
    let together = || chosen.shipments.iter().zip(&ends.list).enumerate();
    if settings.format == Format::Json {
        let labels = together().map(|(n, (shipment, end))| Entry {
            order_number: &shipment.order_number,
            awb: &shipment.awb,
            file: end.iter().flatten().next().map(|kept| kept.path.display().to_string()),
            page: merged.and_then(|merged| merged.places.get(n).copied().flatten()),
            printed: shipment.printed_ms.map(moment),
            error: why(end.as_ref()),
        });
        let document = Document {
            file: merged.map(|_| arguments.to.display().to_string()),
            pages: merged.map(|merged| merged.pages),
            fetched,
            kept: before,
            labels: labels.collect(),
            ending: Ending::of(chosen, ends),
        };
        print_document(Kind::Label, &document)?;
        return Ok(ends.exit(chosen));
    }
    let missing: Vec<String> = together()
        .filter_map(|(_, (shipment, end))| match end {
            Some(Err(fault)) => Some(format!("  {} ({}): {}", shipment.order_number, shipment.awb, fault.text)),
            _ => None,
        })
        .collect();
    if let Some(merged) = merged {
        let (labels, pages) = (count((before + fetched) as u64, "label"), count(merged.pages as u64, "page"));
        let text =
            format!("{}: {labels} on {pages}, {fetched} fetched, {before} there before\n", arguments.to.display());
        print(text.as_bytes())?;
    }
    if !missing.is_empty() {
        note(format!("{} missing; the same command tries again:", count(missing.len() as u64, "label")));
        for line in missing.iter().take(SHOWN) {
            note(line);
        }
        if missing.len() > SHOWN {
            note(format!("  and {} more; all are in the index", missing.len() - SHOWN));
        }
    }
    Ok(ends.exit(chosen))
}

fn range(text: &str) -> Result<(usize, usize), String> {
    let (from, to) = text.split_once('-').unwrap_or((text, text));
    match (from.trim().parse(), to.trim().parse()) {
        (Ok(from), Ok(to)) if 1 <= from && from <= to => Ok((from, to)),
        _ => Err("write two numbers from 1 on, for instance 10-20, or one".to_owned()),
    }
}
