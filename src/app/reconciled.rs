//! What a comparison with a statement found, as a sheet.

use std::path::Path;

use crate::settle::{Agreed, Comparison, Difference, Proven};

use super::doubts::Reconciled;
use super::error::Result;
use super::own::own_file;

const COLUMNS: [&str; 8] =
    ["Finding", "Order Number", "State", "AWB", "AWB in Statement", "Rows in Statement", "Courier's Charge", "Note"];

impl Reconciled {
    /// Writes each order on which the ledger and the statement agree or differ, those to look at first.
    ///
    /// # Errors
    /// A file that cannot be written, or whose ending is neither .xlsx nor .csv.
    pub fn write(&self, to: &Path) -> Result<()> {
        let mut writer = own_file(to)?.begin(b',')?;
        writer.table("Compared", &COLUMNS.map(str::to_owned))?;
        for cells in self.rows() {
            writer.row(&cells, &[])?;
        }
        Ok(writer.finish()?)
    }

    fn rows(&self) -> Vec<[String; 8]> {
        let Comparison { agree, only_ours, only_theirs, twice, proven, absent, .. } = &self.comparison;
        let mut rows = Vec::new();
        let lists = [("twice", twice), ("only theirs", only_theirs), ("only ours", only_ours)];
        for (finding, list) in lists {
            for Difference { order, state, awb, statement_awbs, rows: places, note, remedy: _ } in list {
                let is_absent = order.as_ref().is_some_and(|order| absent.contains(order));
                let places: Vec<String> = places.iter().map(ToString::to_string).collect();
                rows.push([
                    if is_absent { "missing there" } else { finding }.to_owned(),
                    order.clone().unwrap_or_default(),
                    state.unwrap_or_default().replace('_', " "),
                    awb.clone().unwrap_or_default(),
                    statement_awbs.join(", "),
                    places.join(", "),
                    self.charge(awb.as_deref()),
                    note.clone(),
                ]);
            }
        }
        for Proven { order, awb, row } in proven {
            let (row, charge) = (row.to_string(), self.charge(Some(awb)));
            let cells = ["proven", order, "in doubt", "", awb, &row, &charge, "the statement shows that it is booked"];
            rows.push(cells.map(str::to_owned));
        }
        for Agreed { order, awb, cancelled } in agree {
            let note = if *cancelled { "cancelled since, by the statement" } else { "" };
            let cells = ["agree", order, "booked", awb, awb, "", &self.charge(Some(awb)), note];
            rows.push(cells.map(str::to_owned));
        }
        rows
    }

    fn charge(&self, awb: Option<&str>) -> String {
        let freight = self.freights.iter().find(|freight| Some(freight.awb.as_str()) == awb);
        freight.map(|freight| freight.amount.to_string()).unwrap_or_default()
    }
}
