//! Labels: every one of a run as one PDF, in the order of the sheet.

use std::path::{Path, PathBuf};

use jiff::Timestamp;

use crate::after::labels::{Document, Kept, write_whole};
use crate::after::merge::{Merged, Part, merge};
use crate::after::paper::Paper;
use crate::book::StopSignal;
use crate::ledger::{Ledger, NewPrint, Shipped};

use super::bulk::Steps;
use super::connect::App;
use super::error::{Error, Misuse, Result};
use super::shipments::{Chosen, Ends};
use super::who::{host, user};

/// The order of labels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LabelOrder {
    /// As the sheet has them, or as they were named.
    #[default]
    Sheet,
    /// By order number.
    Number,
    /// By AWB.
    Awb,
    /// By carrier, then as the sheet has them.
    Carrier,
}

/// What to print.
#[derive(Debug, Clone, Default)]
pub struct LabelOptions {
    /// The PDF to make.
    pub to: PathBuf,
    /// The folder that keeps each label by its AWB; beside the PDF where none is named.
    pub folder: Option<PathBuf>,
    /// The order of the labels.
    pub order: LabelOrder,
    /// On what they are printed.
    pub paper: Paper,
    /// Only these of them, from and to, counted from 1 in that order.
    pub range: Option<(usize, usize)>,
}

/// Labels that were fetched, and the PDF of them.
#[derive(Debug)]
pub struct Labels {
    /// The folder that keeps them.
    pub folder: PathBuf,
    /// What came of each.
    pub ends: Ends<Kept>,
    /// The PDF; none where labels were not reached: half a file would be printed as if it were whole.
    pub merged: Option<Merged>,
}

impl App {
    /// Fetches labels and makes one PDF of them. `left_out` stands on its first page; labels are kept in the chosen order.
    ///
    /// # Errors
    /// A range beyond the labels; a folder or file that cannot be used; no connection could be had.
    pub fn labels(
        &self,
        chosen: &mut Chosen,
        options: &LabelOptions,
        left_out: Option<&str>,
        stop: &StopSignal,
        steps: &mut dyn Steps,
    ) -> Result<Labels> {
        arrange(&mut chosen.shipments, options)?;
        let folder = options.folder.clone().unwrap_or_else(|| folder_beside(&options.to));
        let ends = self.documents(chosen, &folder, Document::Label, stop, steps)?;
        if ends.left() > 0 {
            return Ok(Labels { folder, ends, merged: None });
        }
        let merged = merged(chosen, &ends, left_out, options.paper)?;
        let cannot = format!("cannot write {}", options.to.display());
        write_whole(&options.to, &merged.pdf).map_err(Error::file(cannot))?;
        Ok(Labels { folder, ends, merged: Some(merged) })
    }
}

impl App {
    /// Notes that the labels of these AWBs were handed out to be printed, in this file.
    ///
    /// # Errors
    /// There is no ledger, or it cannot be written.
    pub fn note_printed(&self, awbs: Vec<String>, file: &Path) -> Result<()> {
        let mut ledger = Ledger::open_at(self.config.site())?;
        Ok(ledger.note_printed(&NewPrint {
            service: self.config.service_key()?,
            awbs,
            file: file.display().to_string(),
            user: user(),
            host: host(),
            at_ms: Timestamp::now().as_millisecond(),
        })?)
    }
}

/// `labels.pdf` keeps its labels in `labels-labels`.
fn folder_beside(file: &Path) -> PathBuf {
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    file.with_file_name(format!("{stem}-labels"))
}

/// Sorts, and keeps only the range that is asked for.
fn arrange(shipments: &mut Vec<Shipped>, options: &LabelOptions) -> Result<()> {
    match options.order {
        LabelOrder::Sheet => {}
        LabelOrder::Number => shipments.sort_by(|a, b| a.order_number.cmp(&b.order_number)),
        LabelOrder::Awb => shipments.sort_by(|a, b| a.awb.cmp(&b.awb)),
        LabelOrder::Carrier => shipments.sort_by(|a, b| a.carrier.cmp(&b.carrier)),
    }
    if let Some((from, to)) = options.range {
        if from > shipments.len() {
            return Err(Misuse::BeyondTheLabels { from, there: shipments.len() }.into());
        }
        let before = from.checked_sub(1).filter(|before| *before < to).ok_or(Misuse::NoRange { from, to })?;
        shipments.truncate(to);
        shipments.drain(..before);
    }
    Ok(())
}

fn merged(chosen: &Chosen, ends: &Ends<Kept>, left_out: Option<&str>, paper: Paper) -> Result<Merged> {
    let mut parts = Vec::with_capacity(ends.list.len());
    for (shipment, end) in chosen.shipments.iter().zip(&ends.list) {
        let pdf = match end {
            Some(Ok(kept)) => {
                let cannot = format!("cannot read {}", kept.path.display());
                Ok(std::fs::read(&kept.path).map_err(Error::file(cannot))?)
            }
            Some(Err(fault)) => Err(fault.text.clone()),
            None => continue,
        };
        let carrier = shipment.carrier.clone().unwrap_or_default();
        parts.push(Part { cells: [shipment.order_number.clone(), shipment.awb.clone(), carrier], pdf });
    }
    let title = match chosen.run {
        Some(run) => format!("Labels of run {run}"),
        None => "Labels".to_owned(),
    };
    Ok(merge(&title, left_out, ["order", "AWB", "carrier"], parts, paper)?)
}
