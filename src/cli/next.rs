//! The next command to type, after a run.

use std::io::{self, Write};

use crate::cli::screen::Told;
use crate::report::Document;
use crate::text::count;

/// What a person should do now.
pub(super) fn write_next(out: &mut dyn Write, command: &str, document: &Document, told: &Told<'_>) -> io::Result<()> {
    let orders = document.orders;
    let invalid = orders.invalid + orders.held + told.rows_without_order;
    let run = document.run.map(|run| format!(" --run {run}")).unwrap_or_default();
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
    let failed = orders.rejected + orders.refused;
    if invalid + failed > 0 {
        writeln!(
            out,
            "next: `{command} rejects{run}{} --to fix.xlsx` writes the rows to correct, with what is wrong;\n      \
             correct them there and import that file; what is booked is not sent twice",
            told.how_read
        )?;
    }
    if failed > 0 {
        let failed = count(failed, "order");
        writeln!(out, "next: `{command} retry{run}` sends {failed} again, unchanged, once the cause is gone")?;
    }
    if orders.in_doubt + orders.outstanding + failed + invalid == 0 && orders.total > 0 && document.run.is_some() {
        writeln!(out, "next: `{command} export{run} --to results.xlsx` writes every AWB")?;
    }
    Ok(())
}
