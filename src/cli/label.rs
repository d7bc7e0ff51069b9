//! `label`: every label of a run as one PDF, in the order of the sheet.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use serde_json::json;

use crate::after::labels::{Document, Folder, Kept, write_whole};
use crate::after::merge::{Merged, Part, merge};
use crate::ledger::Shipped;
use crate::text::count;

use super::Usage;
use super::args::Format;
use super::bulk::{Does, Ends, NOT_REACHED, for_each};
use super::chosen::{Chosen, chosen};
use super::console::{note, print, print_json};
use super::exit::Exit;
use super::service_args::{Label, Sort};
use super::settings::Settings;

/// Causes of missing labels that are shown one by one.
const SHOWN: usize = 10;

pub(super) fn label(settings: &Settings, arguments: &Label) -> Result<Exit> {
    if arguments.to.extension().is_none_or(|extension| !extension.eq_ignore_ascii_case("pdf")) {
        bail!(Usage(format!("--to {} must end in .pdf", arguments.to.display())));
    }
    let mut chosen = chosen(settings, &arguments.which)?;
    if !arguments.with_cancelled {
        chosen.leave_out_cancelled("; --with-cancelled takes them in");
    }
    if chosen.shipments.is_empty() {
        chosen.say(settings);
        let there = if arguments.to.exists() {
            format!("; {} is as it was, with labels that nobody shall use", arguments.to.display())
        } else {
            String::new()
        };
        bail!("all of these orders are cancelled, or may be: there is no label to print{there}");
    }
    arrange(&mut chosen.shipments, arguments)?;
    let path = arguments.folder.clone().unwrap_or_else(|| folder_beside(&arguments.to));
    let folder = Folder::open(&path, Document::Label)
        .with_context(|| format!("cannot use {} as a folder for labels", path.display()))?;
    let ends = for_each(settings, &arguments.which, &chosen.shipments, Does::Ask, |caller, shipment| {
        let folder = folder.clone();
        async move { folder.get(&caller, &shipment).await }
    })?;
    if ends.list.iter().any(Option::is_none) {
        // Half a file would be printed as if it were whole.
        note(format!("no PDF is made yet; what was fetched is kept in {}", path.display()));
        return told(settings, arguments, &chosen, &ends, None);
    }
    let merged = merged(&chosen, &ends, arguments)?;
    if let (Some((from, _)), true) = (arguments.range, arguments.to.exists()) {
        note(format!(
            "warning: {} holds only labels {from} to {} now; the same command without --range makes it whole again, \
             from the labels in {}",
            arguments.to.display(),
            from + chosen.shipments.len() - 1,
            path.display()
        ));
    }
    write_whole(&arguments.to, &merged.pdf).with_context(|| format!("cannot write {}", arguments.to.display()))?;
    told(settings, arguments, &chosen, &ends, Some(&merged))
}

/// `labels.pdf` keeps its labels in `labels-labels`.
fn folder_beside(file: &std::path::Path) -> PathBuf {
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    file.with_file_name(format!("{stem}-labels"))
}

/// Sorts, and keeps only the range that is asked for.
fn arrange(shipments: &mut Vec<Shipped>, arguments: &Label) -> Result<()> {
    match arguments.sort {
        Sort::Sheet => {}
        Sort::Order => shipments.sort_by(|a, b| a.order_number.cmp(&b.order_number)),
        Sort::Awb => shipments.sort_by(|a, b| a.awb.cmp(&b.awb)),
        Sort::Carrier => shipments.sort_by(|a, b| a.carrier.cmp(&b.carrier)),
    }
    if let Some((from, to)) = arguments.range {
        let there = shipments.len();
        if from > there {
            let there = count(there as u64, "label");
            bail!(Usage(format!("--range begins at {from}, and the run or list has {there}")));
        }
        shipments.truncate(to);
        shipments.drain(..from - 1);
    }
    Ok(())
}

fn merged(chosen: &Chosen, ends: &Ends<Kept>, arguments: &Label) -> Result<Merged> {
    let mut parts = Vec::with_capacity(ends.list.len());
    for (shipment, end) in chosen.shipments.iter().zip(&ends.list) {
        let pdf = match end {
            Some(Ok(kept)) => {
                Ok(std::fs::read(&kept.path).with_context(|| format!("cannot read {}", kept.path.display()))?)
            }
            Some(Err(fault)) => Err(fault.text.clone()),
            None => Err(NOT_REACHED.to_owned()),
        };
        let carrier = shipment.carrier.clone().unwrap_or_default();
        parts.push(Part { cells: [shipment.order_number.clone(), shipment.awb.clone(), carrier], pdf });
    }
    let title = match arguments.which.run {
        Some(run) => format!("Labels of run {run}"),
        None => "Labels".to_owned(),
    };
    merge(&title, chosen.line().as_deref(), ["order", "AWB", "carrier"], parts)
        .context("the labels cannot be made one PDF")
}

fn told(
    settings: &Settings,
    arguments: &Label,
    chosen: &Chosen,
    ends: &Ends<Kept>,
    merged: Option<&Merged>,
) -> Result<Exit> {
    chosen.say(settings);
    let kept = || ends.list.iter().flatten().flatten();
    let (before, fetched) = (kept().filter(|kept| kept.before).count(), kept().filter(|kept| !kept.before).count());
    let together = || chosen.shipments.iter().zip(&ends.list).enumerate();
    if settings.format == Format::Json {
        let labels: Vec<_> = together()
            .map(|(n, (shipment, end))| {
                let (file, error) = match end {
                    Some(Ok(kept)) => (Some(&kept.path), None),
                    Some(Err(fault)) => (None, Some(fault.text.as_str())),
                    None => (None, Some(NOT_REACHED)),
                };
                let page = merged.and_then(|merged| merged.places.get(n).copied().flatten());
                json!({"order_number": shipment.order_number, "awb": shipment.awb, "file": file, "page": page,
                    "error": error})
            })
            .collect();
        let mut document = json!({"file": merged.map(|_| &arguments.to), "pages": merged.map(|merged| merged.pages),
            "fetched": fetched, "kept": before, "labels": labels});
        let exit = ends.finish(&mut document, chosen);
        print_json(&document)?;
        return Ok(exit);
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
