//! The next command to type, after a run.

use std::io::{self, Write};

use crate::cli::screen::Told;
use crate::report::Document;
use crate::text::count;

/// What a person should do now.
pub(super) fn write_next(out: &mut dyn Write, command: &str, document: &Document, told: &Told<'_>) -> io::Result<()> {
    let orders = document.orders;
    let invalid = orders.invalid + told.rows_without_order;
    let run = document.run.map(|run| format!(" {run}")).unwrap_or_default();
    if orders.in_doubt > 0 {
        writeln!(
            out,
            "next: `{command} doubt list` shows what to look for; nothing in doubt is ever sent again by itself"
        )?;
    }
    if told.doubts_besides > 0 {
        let besides = count(told.doubts_besides, "order");
        writeln!(out, "next: {besides} of other runs in doubt as well: `{command} doubt list`")?;
    }
    if told.running {
        return writeln!(
            out,
            "next: nothing to do while it is booked; `{command} status{run}` again shows how far it is"
        );
    }
    if orders.outstanding > 0 {
        writeln!(out, "next: `{command} resume{run}` goes on with what is outstanding")?;
    }
    if orders.rejected + orders.refused > 0 && told.handed_back {
        let failed = count(orders.rejected + orders.refused, "order");
        writeln!(out, "next: `{command} retry{run}` sends {failed} again as they were, once the cause is gone")?;
    } else if orders.rejected + orders.refused > 0 {
        writeln!(out, "next: `{command} export{run} --to failed.xlsx --state rejected,refused` says why each failed;")?;
        writeln!(out, "      correct the sheet and import it again, or `{command} retry{run}` once the cause is gone")?;
    }
    if invalid > 0 && told.highlights.is_none() {
        // Nothing above names the rows: the run is from before.
        writeln!(
            out,
            "next: `{command} rejects{run} --to fix.xlsx` writes the rows that are still to be corrected; correct them there, and\n      \
             import that file; what is booked is not sent twice"
        )?;
    } else if invalid > 0 && !told.handed_back {
        writeln!(
            out,
            "next: correct the rows named above and import the sheet again; what is booked is not sent twice\n      \
             (with --rejects FILE these rows come as a sheet of their own, with reasons)"
        )?;
    }
    if orders.in_doubt + orders.outstanding + orders.rejected + orders.refused + invalid == 0
        && orders.total > 0
        && document.run.is_some()
    {
        writeln!(out, "next: `{command} export{run} --to results.xlsx` writes every AWB")?;
    }
    Ok(())
}
